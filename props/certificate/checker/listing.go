package checker

import (
	"slices"

	"sledge/props/certificate"
)

// Limits of the sizes that are enumerated.
const (
	mostSizes   = 64
	mostClients = 6
	mostRounds  = 6
	mostRuns    = 100_000
)

// combination is a linear combination of unknown gradients, in units of 1/unit of its run.
type combination []int64

// run is a run of the listing on a prescribed path, one step in a round.
type run struct {
	certificate.ListingSizes
	unit   int64
	start  draw
	rounds []draw          // of rounds 1 … T
	y      [][]combination // tables of rounds 0 … T
}

// draw is what a round draws: clients with their data.
type draw struct {
	clients []int
	data    [][]int // of each of them
}

// zero is the origin.
func (r *run) zero() combination {
	return make(combination, (1+r.Steps)*r.Clients*r.Data)
}

// mean adds num/den times the mean over data of client i at point s.
func (r *run) mean(dst combination, num, den int64, s, i int, data []int) {
	num, den = num*r.unit, den*int64(len(data))
	if num%den != 0 {
		refuse("a coefficient is no multiple of the unit")
	}
	for _, j := range data {
		dst[(s*r.Clients+i)*r.Data+j] += num / den
	}
}

// begin makes the tables with which the listing starts: algorithm:main for one datum, alg:dist
// else.
func (r *run) begin() {
	rows := make([]combination, r.Clients)
	for i := range rows {
		rows[i] = r.zero()
		for k, client := range r.start.clients {
			if !r.Sampled && client == i {
				r.mean(rows[i], 1, 1, 0, i, r.start.data[k])
			} else if r.Sampled {
				r.mean(rows[i], 1, int64(r.Chosen), 0, client, r.start.data[k])
			}
		}
	}
	r.y = append(r.y[:0], rows)
}

// round performs round t, after those before it.
func (r *run) round(t int) {
	d, change := r.rounds[t-1], r.zero()
	for k, i := range d.clients {
		r.mean(change, 1, int64(r.Chosen), t, i, d.data[k])
		r.mean(change, -1, int64(r.Chosen), t-1, i, d.data[k])
	}
	rows := make([]combination, r.Clients)
	for i := range rows {
		if k := slices.Index(d.clients, i); k >= 0 {
			rows[i] = r.zero()
			r.mean(rows[i], 1, 1, t, i, d.data[k])
			continue
		}
		rows[i] = slices.Clone(r.y[t-1][i])
		for k, x := range change {
			rows[i][k] += x
		}
	}
	r.y = append(r.y[:t], rows)
}

// error is that of the table at the end: (1/P) Σ_i y_i^T less ∇f at the last point.
func (r *run) error() combination {
	out := r.zero()
	for _, row := range r.y[r.Steps] {
		for k, x := range row {
			if x%int64(r.Clients) != 0 {
				refuse("a coefficient is no multiple of the unit")
			}
			out[k] += x / int64(r.Clients)
		}
	}
	for i := range r.Clients {
		r.mean(out, -1, int64(r.Clients), r.Steps, i, upTo(r.Data))
	}
	return out
}

// everyRun visits the runs with all random choices of the sizes; rounds are performed once for all
// that goes on from them. One first minibatch of clients stands for the others: they are alike but
// for names.
func everyRun(size certificate.ListingSizes, visit func(r *run)) {
	r := &run{ListingSizes: size, unit: 1, rounds: make([]draw, size.Steps)}
	for _, x := range []int{size.Clients, size.Chosen, size.Data, size.Sample} {
		r.unit *= int64(x * x)
	}
	samples, chosen := subsets(size.Data, size.Sample), subsets(size.Clients, size.Chosen)
	// Each choice goes through all its options, for each of those all later choices.
	var set []func(option int)
	var ways []int
	plan := func(n int, f func(option int)) { ways, set = append(ways, n), append(set, f) }
	draws := func(d *draw, clients [][]int) {
		plan(len(clients), func(o int) { d.clients = clients[o] })
		d.data = make([][]int, len(clients[0]))
		for c := range d.data {
			plan(len(samples), func(o int) { d.data[c] = samples[o] })
		}
	}
	if size.Sampled {
		draws(&r.start, chosen[:1])
	} else {
		draws(&r.start, [][]int{upTo(size.Clients)})
	}
	plan(1, func(int) { r.begin() })
	for t := 1; t <= size.Steps; t++ {
		if t == 1 && !size.Sampled {
			draws(&r.rounds[0], chosen[:1])
		} else {
			draws(&r.rounds[t-1], chosen)
		}
		plan(1, func(int) { r.round(t) })
	}
	count := 0
	var choose func(place int)
	choose = func(place int) {
		if place == len(set) {
			if count++; count > mostRuns {
				refuse("more than %d runs", mostRuns)
			}
			visit(r)
			return
		}
		for o := range ways[place] {
			set[place](o)
			choose(place + 1)
		}
	}
	choose(0)
}

func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// subsets returns all subsets of [0, n) of size b.
func subsets(n, b int) (out [][]int) {
	for bits := range 1 << n {
		var s []int
		for i := range n {
			if bits>>i&1 == 1 {
				s = append(s, i)
			}
		}
		if len(s) == b {
			out = append(out, s)
		}
	}
	return out
}
