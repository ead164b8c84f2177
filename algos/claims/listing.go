package claims

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
)

// The algorithms of the text, to the letter, as linear maps of gradients: grad(i, s) is ∇f_i(x^s),
// batches[t] is I^t, and grad(i, j, s) is ∇f_ij at point number s, where x^{t,k} has the number
// (t−1)K + k.

// round is what one round of FLEDGE draws: the client i_t, its minibatches J^{t,1} … J^{t,K} (the
// last one is for z^{t,K}, which is never used), the clients I^t, and their data sets J_i^t, nil
// for the only datum. Round 0 is the initialisation, without clients for Option II: all take part.
type round struct {
	worker  int
	local   [][]int
	clients []int
	data    [][]int
}

// listing is lines 463-491 of alg:dist, and lines 2149-2160 of alg:dist-Appendix for Option I. It
// returns y_i^t and the directions v^{t,k} = (1/P) Σ y_i^{t−1} + z^{t,k} for t ≥ 1 and k < K, of
// which move, unless it is nil, makes the next point.
func listing[V any](sp space[V], grad func(i, j, s int) V, P, K int, rounds []round,
	move func(v V)) (y, v [][]V) {
	local := func(i int, data []int, s int) V {
		if data == nil {
			return grad(i, 0, s)
		}
		return mean(sp, data, len(data), func(j int) V { return grad(i, j, s) })
	}
	y, v = [][]V{make([]V, P)}, [][]V{nil}
	first := rounds[0]
	all := mean(sp, upTo(len(first.clients)), len(first.clients),
		func(k int) V { return local(first.clients[k], first.data[k], 0) })
	for i := range P {
		if y[0][i] = all; first.clients == nil {
			y[0][i] = local(i, first.data[i], 0)
		}
	}
	for t, r := range rounds[1:] {
		now, before := (t+1)*K, t*K
		z, directions := average(sp, y[t]), make([]V, K)
		for k := range K {
			if k > 0 {
				z = sp.add(z, 1, 1, local(r.worker, r.local[k-1], before+k))
				z = sp.add(z, -1, 1, local(r.worker, r.local[k-1], before+k-1))
			}
			directions[k] = plus(sp, z, *new(V))
			if move != nil {
				move(directions[k])
			}
		}
		var change V
		for k, i := range r.clients {
			change = sp.add(change, 1, len(r.clients), local(i, r.data[k], now))
			change = sp.add(change, -1, len(r.clients), local(i, r.data[k], before))
		}
		next := make([]V, P)
		for i := range P {
			if k := slices.Index(r.clients, i); k >= 0 {
				next[i] = local(i, r.data[k], now)
			} else {
				next[i] = plus(sp, y[t][i], change)
			}
		}
		y, v = append(y, next), append(v, directions)
	}
	return y, v
}

// sledgeTables is lines 287-298 of algorithm:main, which is alg:dist with one local step and
// clients of one datum: y_i^t for t = 0 … T. The initialisation is Option I if there is an I^0,
// Option II if it is nil.
func sledgeTables[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int) [][]V {
	y, _ := listing(sp, func(i, _, s int) V { return grad(i, s) }, n, 1, asRounds(n, batches), nil)
	return y
}

// asRounds are the rounds whose clients are minibatches of n components.
func asRounds(n int, batches [][]int) []round {
	rounds := make([]round, len(batches))
	for t, batch := range batches {
		rounds[t] = round{clients: batch, data: make([][]int, n)}
	}
	return rounds
}

// draws reads the random choices of a recorded run of FLEDGE.
func draws(tape *algos.Tape) []round {
	rounds := make([]round, len(tape.X))
	for t := range rounds {
		r := round{data: tape.Sets(t, algos.LocalBatches)}
		if sets := tape.Sets(t, algos.Clients); len(sets) > 0 {
			r.clients = sets[0]
		}
		if t > 0 {
			K := len(tape.LocalV[t])
			r.worker = tape.Sets(t, algos.Worker)[0][0]
			r.local, r.data = r.data[:K], r.data[K:]
		}
		rounds[t] = r
	}
	return rounds
}

// followed is a run of the method of the text beside what the listing makes of its choices and
// points.
type followed struct {
	*algos.Tape
	K      int
	rounds []round
	grad   func(i, j, s int) []float64
	scale  float64 // of rounding errors
	y, v   [][][]float64
}

func (a *instance) followed() *followed {
	r := &followed{Tape: a.tape(a.method()), K: max(1, a.K)}
	if r.grad, r.scale = a.along(r.Tape); a.K == 0 {
		r.rounds = asRounds(a.P, batches(r.Tape))
	} else {
		r.rounds = draws(r.Tape)
	}
	r.y, r.v = listing(floatSpace{}, r.grad, a.P, r.K, r.rounds, nil)
	return r
}

// steps are the local points x^{t,0}, …, x^{t,K} of a round and the directions between them.
func (r *followed) steps(t int) (points, directions [][]float64) {
	if r.Local == nil {
		return r.X[t-1 : t+1], r.V[t-1 : t]
	}
	return r.Local[t], r.LocalV[t]
}

// mean is that of the y_i^t of the listing.
func (r *followed) mean(t int) []float64 { return average(floatSpace{}, r.y[t]) }

// answer is what a client of round t answers at a point: the mean of its gradients there.
func (r *followed) answer(t, s int) func(i int) []float64 {
	return func(i int) []float64 {
		data := r.rounds[t].data[slices.Index(r.rounds[t].clients, i)]
		if data == nil {
			return r.grad(i, 0, s)
		}
		return mean(floatSpace{}, data, len(data),
			func(j int) []float64 { return r.grad(i, j, s) })
	}
}

// checkPoints compares local points with those that the listing makes of the ones before them.
func (a *instance) checkPoints(rec *props.Recorder, r *followed, t int, eta float64) {
	points, _ := r.steps(t)
	for k, noise := range r.Noise(t) {
		next := plus(floatSpace{}, points[k], noise)
		floats.AddScaled(next, -eta, r.v[t][k])
		a.recordSame(rec, "x^{t,k}", points[k+1], next, r.scale)
	}
}

// checkListing compares runs of SLEDGE or FLEDGE with the listing, point by point and row by row.
func checkListing(a instance, rec *props.Recorder) {
	r, ref := a.followed(), a.literal()
	if err := ref.Start(algos.NewOracle(a.p), a.x0, r.Replay()); err != nil {
		panic(err)
	}
	for t, x := range r.X {
		if t > 0 {
			ref.Step()
			a.checkPoints(rec, r, t, a.eta)
			points, directions := r.steps(t)
			for k, v := range directions {
				a.recordSame(rec, "direction (1/P) Σ y_i^{t−1} + z^{t,k}", v, r.v[t][k], r.scale)
			}
			a.recordSame(rec, "x^{t,0} against x^{t−1}", points[0], r.X[t-1], 0)
			a.recordSame(rec, "x^t against x^{t,K}", x, points[r.K], 0)
			a.recordSame(rec, "x^t of the literal form", ref.Point(), x, r.scale)
		}
		a.recordSame(rec, "mean of the y_i^t, efficient form", r.V[t], r.mean(t), r.scale)
		for i, row := range ref.Table() {
			a.recordSame(rec, "y_i^t of the literal form", row, r.y[t][i], r.scale)
		}
	}
}

// anyData are gradients of data about which nothing is known.
func anyData(i, j, s int) form { return unknown('f', i, j, s) }

// clientGradient is ∇f_i at point s for a client with the given number of data.
func clientGradient[V any](sp space[V], grad func(i, j, s int) V, size, i, s int) V {
	return mean(sp, upTo(size), size, func(j int) V { return grad(i, j, s) })
}

// increment is (1/b) Σ_{j∈I^t} (∇f_j(x^t) − ∇f_j(x^{t−1})).
func increment[V any](sp space[V], grad func(i, s int) V, batch []int, t int) V {
	var out V
	for _, j := range batch {
		out = sp.add(out, 1, len(batch), grad(j, t))
		out = sp.add(out, -1, len(batch), grad(j, t-1))
	}
	return out
}

// plus returns a + b in memory of its own.
func plus[V any](sp space[V], a, b V) V {
	var out V
	return sp.add(sp.add(out, 1, 1, a), 1, 1, b)
}

// average is (1/n) Σ_i y_i.
func average[V any](sp space[V], y []V) V {
	return mean(sp, upTo(len(y)), len(y), func(i int) V { return y[i] })
}

// fullGradient is ∇f(x^s).
func fullGradient[V any](sp space[V], grad func(i, s int) V, n, s int) V {
	return mean(sp, upTo(n), n, func(i int) V { return grad(i, s) })
}

// errorOf is v^t − ∇f(x^t).
func errorOf(grad func(i, s int) form, y [][]form, t int) form {
	return average(forms{}, y[t]).minus(fullGradient(forms{}, grad, len(y[t]), t))
}

// lastSampled returns T(t, i) for all i: the last step up to t whose minibatch held i, 0 if there
// is none.
func lastSampled(n int, batches [][]int, t int) []int {
	out := make([]int, n)
	for s := 1; s <= t; s++ {
		for _, i := range batches[s] {
			out[i] = s
		}
	}
	return out
}

// decomposition is the right-hand side of the error formula of the proof (lines 1387-1392), v^t −
// ∇f(x^t) as a sum over steps, with the given sets for Ĩ_s^t.
func decomposition[V any](sp space[V], grad func(i, s int) V, y0 []V, batches [][]int, t int,
	set func(s int) []int) V {
	n := len(y0)
	var out V
	for s := 1; s <= t; s++ {
		left := set(s)
		b := len(batches[s])
		for _, i := range batches[s] {
			out = sp.add(out, len(left), n*b, grad(i, s))
			out = sp.add(out, -len(left), n*b, grad(i, s-1))
		}
		for _, i := range left {
			out = sp.add(out, -1, n, grad(i, s))
			out = sp.add(out, 1, n, grad(i, s-1))
		}
	}
	for _, i := range set(1) {
		out = sp.add(out, 1, n, y0[i])
		out = sp.add(out, -1, n, grad(i, 0))
	}
	return out
}

// tiny runs through all sequences of minibatches of up to four components and three minibatches,
// I^1 … I^3 (from = 1) or I^0 … I^2 (from = 0).
func tiny(from int, visit func(n int, batches [][]int)) {
	for n, b := range batchSizes(1, 4) {
		batchSequences(n, b, from, 2+from, func(batches [][]int) { visit(n, batches) })
	}
}

// tinyBoth runs through those of both options.
func tinyBoth(visit func(n int, batches [][]int)) {
	tiny(0, visit)
	tiny(1, visit)
}

const tinyDomain = "all functions and paths, all sequences of minibatches of every size with " +
	"n ≤ 4 and three draws"
