package checker

import (
	"slices"

	"sledge/props/certificate"
)

// identity accepts that two quantities of the algorithm have the same coefficients for all random
// choices.
func identity(c *certificate.Certificate) {
	proof := decode[certificate.IdentityProof](c)
	left, right := quantities[proof.Left], quantities[proof.Right]
	if left == nil || right == nil || proof.Left == proof.Right {
		refuse("%q and %q are not the names of two quantities", proof.Left, proof.Right)
	}
	forSizes(c, proof.Statement(), proof.Covers(), proof.Sizes)
	for _, size := range proof.Sizes {
		everyRun(size, false, func(r *run, t int) {
			if !slices.EqualFunc(left(r, t), right(r, t), slices.Equal[combination]) {
				refuse("%s and %s differ for %+v at step %d", proof.Left, proof.Right, size, t)
			}
		})
	}
}

// Limits of the sizes that are enumerated.
const (
	mostSizes   = 64
	mostClients = 6
	mostRuns    = 100_000
)

// forSizes accepts a proof for sizes that are a set, neither too many nor too large, whose
// certificate says what the proof does.
func forSizes(c *certificate.Certificate, statement, covers string,
	sizes []certificate.ListingSizes) {
	switch {
	case c.Refutes || c.Scope != certificate.Sizes:
		refuse("what is about runs of the listing is proved for sizes")
	case len(sizes) == 0:
		refuse("no sizes are given")
	case len(sizes) > mostSizes:
		refuse("there are more than %d sizes", mostSizes)
	case c.Statement != statement || c.Covers != covers:
		refuse("the statement and what it covers are not those of the proof")
	}
	seen := map[certificate.ListingSizes]bool{}
	for _, s := range sizes {
		for _, x := range [][2]int{{s.Clients, mostClients}, {s.Chosen, s.Clients},
			{s.Data, mostClients}, {s.Sample, s.Data}, {s.Batch, s.Data}, {s.Local, 4},
			{s.Steps, 6}} {
			if x[0] < 1 || x[0] > x[1] {
				refuse("sizes %+v out of range", s)
			}
		}
		if seen[s] {
			refuse("the sizes %+v are given twice", s)
		}
		seen[s] = true
	}
}

// combination is a linear combination of unknown gradients, in units of 1/unit of its run.
type combination []int64

// run is one run of the listing. A finite sum is the case of one datum and one local step, without
// a client that works.
type run struct {
	certificate.ListingSizes
	unit   int64
	start  draw
	rounds []draw          // of rounds 1 … T
	y      [][]combination // tables of rounds 0 … T
	v      [][]combination // directions of rounds 1 … T, the first at the start of the round
}

// draw is what a round draws: clients with their data, and the local steps of a worker.
type draw struct {
	clients []int
	data    [][]int // of each of them
	worker  int
	local   [][]int
}

// zero is the origin.
func (r *run) zero() combination {
	return make(combination, (1+r.Steps*r.Local)*r.Clients*r.Data)
}

// add adds num/den times the gradient of datum j of client i at point s to dst. Points are numbered
// by local steps.
func (r *run) add(dst combination, num, den int64, s, i, j int) {
	if num *= r.unit; num%den != 0 {
		refuse("a coefficient is no multiple of the unit")
	}
	dst[(s*r.Clients+i)*r.Data+j] += num / den
}

// mean adds num/den times the mean over data of client i at point s, over all of them if there is
// no list.
func (r *run) mean(dst combination, num, den int64, s, i int, data []int) {
	if data == nil {
		data = upTo(r.Data)
	}
	for _, j := range data {
		r.add(dst, num, den*int64(len(data)), s, i, j)
	}
}

// change adds num/den times what changes in that mean from one point to another.
func (r *run) change(dst combination, num, den int64, from, to, i int, data []int) {
	r.mean(dst, num, den, to, i, data)
	r.mean(dst, -num, den, from, i, data)
}

// plus adds num times b/den.
func plus(dst combination, num, den int64, b combination) {
	for k, x := range b {
		if x == 0 {
			continue
		}
		x *= num
		whole := x / den
		if whole*den != x {
			refuse("a coefficient is no multiple of the unit")
		}
		dst[k] += whole
	}
}

// begin makes the tables with which the listing starts: algorithm:main for one datum and one local
// step, alg:dist else.
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
	r.y, r.v = append(r.y[:0], rows), append(r.v[:0], nil)
}

// round performs round t, after those before it.
func (r *run) round(t int) {
	d, now, before := r.rounds[t-1], t*r.Local, (t-1)*r.Local
	direction := r.table(t - 1)
	directions := []combination{slices.Clone(direction)}
	for k, batch := range d.local {
		r.change(direction, 1, 1, before+k, before+k+1, d.worker, batch)
		directions = append(directions, slices.Clone(direction))
	}
	change := r.zero()
	for k, i := range d.clients {
		r.change(change, 1, int64(r.Chosen), before, now, i, d.data[k])
	}
	rows := make([]combination, r.Clients)
	for i := range rows {
		if k := slices.Index(d.clients, i); k >= 0 {
			rows[i] = r.zero()
			r.mean(rows[i], 1, 1, now, i, d.data[k])
		} else {
			rows[i] = slices.Clone(r.y[t-1][i])
			plus(rows[i], 1, 1, change)
		}
	}
	r.y, r.v = append(r.y[:t], rows), append(r.v[:t], directions)
}

// last returns for every client the last round from 1 up to t that drew it, and its data; 0 if
// there is none.
func (r *run) last(t int) (rounds []int, data [][]int) {
	rounds, data = make([]int, r.Clients), make([][]int, r.Clients)
	for s, d := range r.rounds[:t] {
		for k, i := range d.clients {
			rounds[i], data[i] = s+1, d.data[k]
		}
	}
	return rounds, data
}

// gradient is ∇f at point s.
func (r *run) gradient(s int) combination {
	out := r.zero()
	for i := range r.Clients {
		r.mean(out, 1, int64(r.Clients), s, i, nil)
	}
	return out
}

// table is (1/P) Σ_i y_i^t.
func (r *run) table(t int) combination {
	out := r.zero()
	for _, row := range r.y[t] {
		plus(out, 1, int64(r.Clients), row)
	}
	return out
}

// error is that of the table at round t.
func (r *run) error(t int) combination {
	out := r.table(t)
	plus(out, -1, 1, r.gradient(t*r.Local))
	return out
}

// quantities are what certificates compare, by their names. Each is a list of combinations at step
// t.
var quantities = map[string]func(r *run, t int) []combination{
	"0": func(r *run, _ int) []combination {
		return []combination{r.zero()}
	},
	"(1/n)Σ_i y_i^t": func(r *run, t int) []combination {
		return []combination{r.table(t)}
	},
	"(1/n)Σ_i y_i^t − ∇f(x^t)": func(r *run, t int) []combination {
		return []combination{r.error(t)}
	},
	"the decomposition of the error": (*run).decomposition,
	"v^{t,k} − ∇f(x^{t,k})": func(r *run, t int) (out []combination) {
		for k, v := range r.v[t] {
			out = append(out, slices.Clone(v))
			plus(out[k], -1, 1, r.gradient((t-1)*r.Local+k))
		}
		return out
	},
	"the error of the table and that of the local steps": func(r *run, t int) []combination {
		before, d := (t-1)*r.Local, r.rounds[t-1]
		sum := r.error(t - 1)
		out := []combination{slices.Clone(sum)}
		for k, batch := range d.local {
			r.change(sum, 1, 1, before+k, before+k+1, d.worker, batch)
			plus(sum, -1, 1, r.gradient(before+k+1))
			plus(sum, 1, 1, r.gradient(before+k))
			out = append(out, slices.Clone(sum))
		}
		return out
	},
	"(1/n)Σ_i(∇f_i(x^t) − ∇f_i(x^{T(t,i)}))": func(r *run, t int) []combination {
		out := r.zero()
		last, _ := r.last(t)
		for i, s := range last {
			r.change(out, 1, int64(r.Clients), s, t, i, nil)
		}
		return []combination{out}
	},
	"(1/n)Σ_sΣ_{i∈Ĩ_s^t}(∇f_i(x^s) − ∇f_i(x^{s−1}))": func(r *run, t int) []combination {
		out := r.zero()
		last, _ := r.last(t)
		for i, l := range last {
			for s := l + 1; s <= t; s++ {
				r.change(out, 1, int64(r.Clients), s-1, s, i, nil)
			}
		}
		return []combination{out}
	},
	"the mean by the efficient update": (*run).efficient,
}

// decomposition is the right-hand side of lines 1376-1384, and of lines 2453-2467 with (c) over T_4
// ≥ 1 and (d): what the rounds add for the clients they leave behind, the last samples of the
// others, and the start of those never drawn.
func (r *run) decomposition(t int) []combination {
	out := r.zero()
	P, p, K := int64(r.Clients), int64(r.Chosen), r.Local
	last, data := r.last(t)
	for s := 1; s <= t; s++ {
		left := int64(0)
		for i, l := range last {
			if l < s {
				left++
				r.change(out, -1, P, (s-1)*K, s*K, i, nil)
			}
		}
		d := r.rounds[s-1]
		for k, i := range d.clients {
			r.change(out, left, P*p, (s-1)*K, s*K, i, d.data[k])
		}
	}
	for i, l := range last {
		if l > 0 {
			r.mean(out, 1, P, l*K, i, data[i])
		} else {
			plus(out, 1, P, r.y[0][i])
		}
		r.mean(out, -1, P, l*K, i, nil)
	}
	return []combination{out}
}

// efficient is the right-hand side of line 362 with v^{t−1}, from the variables of lines 355-361.
func (r *run) efficient(t int) []combination {
	out, n, b := r.table(t-1), int64(r.Clients), int64(r.Chosen)
	v := []combination{r.zero()}
	for s := 1; s < t; s++ {
		v = append(v, slices.Clone(v[s-1]))
		for _, i := range r.rounds[s-1].clients {
			r.change(v[s], 1, b, s-1, s, i, nil)
		}
	}
	last, _ := r.last(t - 1)
	for _, i := range r.rounds[t-1].clients {
		r.mean(out, 1, b, t, i, nil)
		r.mean(out, b-n, n*b, t-1, i, nil)
		if last[i] > 0 { // w_i^{t−1} is the gradient of the last refresh, or y_i^0
			r.mean(out, -1, n, last[i], i, nil)
		} else {
			plus(out, -1, n, r.y[0][i])
		}
		plus(out, -1, n, v[t-1])
		plus(out, 1, n, v[last[i]])
	}
	return []combination{out}
}

// everyRun visits the runs with all random choices of the sizes, after each of their rounds, which
// are performed once for all that goes on from them; on a prescribed path without their local
// steps, and with one first minibatch of a finite sum, which stands for the others: they are alike
// but for names.
func everyRun(size certificate.ListingSizes, prescribed bool, visit func(r *run, t int)) {
	r := &run{ListingSizes: size, unit: 1, rounds: make([]draw, size.Steps)}
	for _, x := range []int{size.Clients, size.Chosen, size.Data, size.Sample, size.Batch} {
		r.unit *= int64(x * x)
	}
	samples, batches := subsets(size.Data, size.Sample), subsets(size.Data, size.Batch)
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
	all, chosen := [][]int{upTo(size.Clients)}, subsets(size.Clients, size.Chosen)
	if first := chosen; size.Sampled {
		if prescribed {
			first = first[:1]
		}
		draws(&r.start, first)
	} else {
		draws(&r.start, all)
	}
	plan(1, func(int) { r.begin() })
	for t := 1; t <= size.Steps; t++ {
		d := &r.rounds[t-1]
		if prescribed && t == 1 && !size.Sampled {
			draws(d, chosen[:1])
		} else {
			draws(d, chosen)
		}
		// the local step of a finite sum ends the round, and its direction is not used
		if !prescribed && (size.Local > 1 || size.Data > 1) {
			d.local = make([][]int, size.Local)
			plan(size.Clients, func(o int) { d.worker = o })
			for k := range size.Local {
				plan(len(batches), func(o int) { d.local[k] = batches[o] })
			}
		}
		plan(1, func(int) {
			r.round(t)
			visit(r, t)
		})
	}
	count := 0
	var choose func(place int)
	choose = func(place int) {
		if place == len(set) {
			if count++; count > mostRuns {
				refuse("more than %d runs", mostRuns)
			}
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
