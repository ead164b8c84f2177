package claims

import (
	"iter"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
)

// round is what one round of FLEDGE draws: the client i_t, its minibatches J^{t,1} … J^{t,K} (the
// last one is for z^{t,K}, which is never used), the clients I^t, and their data sets J_i^t, nil
// for the only datum. Round 0 is the initialisation, without clients for Option II: all take part.
type round struct {
	worker  int
	local   [][]int
	clients []int
	data    [][]int
}

// gradients are those of data at numbered points, x^{t,k} with the number (t−1)K + k.
type gradients func(i, j, s int) []float64

// of is the mean of those of some data of a client; nil stands for the only one.
func (grad gradients) of(i int, data []int, s int) []float64 {
	if data == nil {
		return grad(i, 0, s)
	}
	return mean(data, func(j int) []float64 { return grad(i, j, s) })
}

// draws reads the random choices of a recorded run of FLEDGE, or of a method for n components.
func draws(tape *algos.Tape, n int) []round {
	rounds := make([]round, len(tape.X))
	for t := range rounds {
		r := round{clients: tape.Set(t, algos.Clients), data: tape.Sets(t, algos.LocalBatches)}
		switch {
		case tape.Local == nil:
			r = round{clients: tape.Batch(t), data: make([][]int, n)}
		case t > 0:
			K := len(tape.LocalV[t])
			r.worker = tape.Set(t, algos.Worker)[0]
			r.local, r.data = r.data[:K], r.data[K:]
		}
		rounds[t] = r
	}
	return rounds
}

// followed is a recorded run beside the gradients of all data at its points.
type followed struct {
	*algos.Tape
	formal  *universal
	P, N, K int
	grad    gradients
	scale   float64 // of rounding errors
	rounds  []round
	start   func() algos.Method // that keeps the rows of the run, with its choices
	rows    [][][]float64
	left    map[int][][]int
}

// controlled is a method whose server and clients have control variates.
type controlled interface{ Controls() (c, clients []float64) }

// kept are the rows after each step: of the table, or the controls of clients and server.
func (r *followed) kept() [][][]float64 {
	if r.rows != nil {
		return r.rows
	}
	m := r.start()
	for t := range r.X {
		if t > 0 {
			m.Step()
		}
		var now [][]float64
		switch m := m.(type) {
		case controlled:
			server, clients := m.Controls()
			now = append(slices.Collect(slices.Chunk(clients, len(server))), server)
		case interface{ Table() [][]float64 }:
			now = m.Table()
		}
		held := make([][]float64, len(now))
		for i, row := range now {
			held[i] = slices.Clone(row)
		}
		r.rows = append(r.rows, held)
	}
	return r.rows
}

// drew is what step t drew.
func (r *followed) drew(t int) round {
	if r.rounds == nil {
		r.rounds = draws(r.Tape, r.P)
	}
	return r.rounds[t]
}

// of are the data of a client.
func (r round) of(i int) []int {
	if r.clients != nil {
		i = slices.Index(r.clients, i)
	}
	return r.data[i]
}

// lastSampled returns the last step up to t whose index set held i, 0 if there is none.
func (r *followed) lastSampled(t, i int) int {
	for t > 0 && !slices.Contains(r.drew(t).clients, i) {
		t--
	}
	return t
}

// follow runs a method.
func (a *instance) follow(m algos.Method) *followed {
	r := &followed{Tape: a.tape(m), formal: a.formal, P: a.P, N: a.N, K: max(1, a.K),
		left: map[int][][]int{}}
	r.grad, r.scale = a.along(r.Tape)
	return r
}

// same records that two vectors made of gradients of the run agree.
func (r *followed) same(rec *props.Recorder, what string, got, want []float64) {
	r.formal.recordSame(rec, what, got, want, r.scale)
}

// full is ∇f(x^t).
func (r *followed) full(t int) []float64 {
	return mean(upTo(r.P), func(i int) []float64 { return r.grad.of(i, upTo(r.N), t*r.K) })
}

// error is v^t − ∇f(x^t).
func (r *followed) error(t int) []float64 { return minus(r.V[t], r.full(t)) }

// unsampled is Ĩ_s^t for all s ≤ t + 1.
func (r *followed) unsampled(t int) [][]int {
	if r.left[t] == nil {
		of := algos.Batches
		if r.Local != nil {
			of = algos.Clients
		}
		r.left[t] = r.Unsampled(r.P, t, of)
	}
	return r.left[t]
}

// add returns dst + cv, in the memory of dst. A nil vector is the origin.
func add(dst []float64, c float64, v []float64) []float64 {
	if v == nil {
		return dst
	}
	if dst == nil {
		dst = make([]float64, len(v))
	}
	floats.AddScaled(dst, c, v)
	return dst
}

// minus returns a − b in memory of its own.
func minus(a, b []float64) []float64 { return add(slices.Clone(a), -1, b) }

// sum returns Σ v(i) over the indices.
func sum(indices []int, v func(i int) []float64) (out []float64) {
	for _, i := range indices {
		out = add(out, 1, v(i))
	}
	return out
}

// mean returns the mean of the v(i).
func mean(indices []int, v func(i int) []float64) []float64 {
	out := sum(indices, v)
	floats.Scale(1/float64(len(indices)), out)
	return out
}

// average is (1/n) Σ_i y_i.
func average(y [][]float64) []float64 {
	return mean(upTo(len(y)), func(i int) []float64 { return y[i] })
}

// upTo returns 0, …, n−1.
func upTo(n int) []int {
	out := make([]int, n)
	for i := range out {
		out[i] = i
	}
	return out
}

// batchSizes runs through n from least to most, and b from 1 to n for each.
func batchSizes(least, most int) iter.Seq2[int, int] {
	return func(yield func(n, b int) bool) {
		for n := least; n <= most; n++ {
			for b := 1; b <= n; b++ {
				if !yield(n, b) {
					return
				}
			}
		}
	}
}

// batchSequences calls visit with every sequence I^1, …, I^T of minibatches of size b out of n, in
// the places 1 … T.
func batchSequences(n, b, T int, visit func(batches [][]int)) {
	all, batches := combin.Combinations(n, b), make([][]int, T+1)
	everyChoice(func(o *algos.Outcomes) {
		for t := T; t >= 1; t-- {
			batches[t] = all[o.Next(len(all))]
		}
		visit(batches)
	})
}

// unsampled returns the indices of [0, n) that none of the sets holds.
func unsampled(n int, sets ...[]int) []int {
	return slices.DeleteFunc(upTo(n), func(i int) bool {
		return slices.ContainsFunc(sets, func(set []int) bool { return slices.Contains(set, i) })
	})
}
