package claims

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
)

// round is what one round of FLEDGE draws: the client i_t, its minibatches J^{t,1} … J^{t,K}, the
// clients I^t, and their data sets J_i^t.
type round struct {
	worker  int
	local   [][]int
	clients []int
	data    [][]int
}

// initialDraws is what the initialisation of FLEDGE draws: the clients I^0 (nil for Option II,
// where all take part) and their data sets.
type initialDraws struct {
	clients []int
	data    [][]int
}

// fledgeListing is lines 463-491 of alg:dist, and lines 2149-2160 of alg:dist-Appendix for Option
// I, to the letter, as linear maps of gradients: grad(i, j, s) is ∇f_ij at point number s, where
// x^{t,k} has the number (t−1)K + k. It returns y_i^t and the directions v^{t,k} = (1/P) Σ
// y_i^{t−1} + z^{t,k} for t ≥ 1 and k = 0 … K.
func fledgeListing[V any](sp space[V], grad func(i, j, s int) V, P, K int, start initialDraws,
	rounds []round) (y,
	v [][]V) {
	local := func(i int, data []int, s int) V {
		return mean(sp, data, len(data), func(j int) V { return grad(i, j, s) })
	}
	y, v = [][]V{make([]V, P)}, [][]V{nil}
	if start.clients == nil {
		for i := range P {
			y[0][i] = local(i, start.data[i], 0)
		}
	} else {
		all := mean(sp, upTo(len(start.clients)), len(start.clients),
			func(k int) V { return local(start.clients[k], start.data[k], 0) })
		for i := range P {
			y[0][i] = all
		}
	}
	for t, r := range rounds {
		z := average(sp, y[t])
		directions := []V{plus(sp, z, *new(V))}
		for k, batch := range r.local {
			s := t*K + k + 1
			z = sp.add(z, 1, 1, local(r.worker, batch, s))
			z = sp.add(z, -1, 1, local(r.worker, batch, s-1))
			directions = append(directions, plus(sp, z, *new(V)))
		}
		now, before := (t+1)*K, t*K
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

// anyData are gradients of data about which nothing is known.
func anyData(i, j, s int) form { return unknown('f', i, j, s) }

// clientGradient is ∇f_i at point s for a client with the given number of data.
func clientGradient[V any](sp space[V], grad func(i, j, s int) V, size, i, s int) V {
	return mean(sp, upTo(size), size, func(j int) V { return grad(i, j, s) })
}

// gradientOfClients is ∇f at point s for P clients with the given number of data each.
func gradientOfClients[V any](sp space[V], grad func(i, j, s int) V, P, size, s int) V {
	return mean(sp, upTo(P), P, func(i int) V { return clientGradient(sp, grad, size, i, s) })
}

// draws reads the random choices of a recorded run of FLEDGE.
func draws(tape *algos.Tape, P int) (initialDraws, []round) {
	var start initialDraws
	if sets := tape.Sets(0, algos.Clients); len(sets) > 0 {
		start.clients = sets[0]
	}
	start.data = tape.Sets(0, algos.LocalBatches)
	var rounds []round
	for t := 1; t < len(tape.X); t++ {
		K := len(tape.LocalV[t])
		data := tape.Sets(t, algos.LocalBatches)
		rounds = append(rounds, round{worker: tape.Sets(t, algos.Worker)[0][0], local: data[:K],
			clients: tape.Sets(t, algos.Clients)[0], data: data[K:]})
	}
	return start, rounds
}

// roundsRun is a run of FLEDGE on a random smooth objective.
type roundsRun struct {
	p      *testproblem.Problem
	m      *algos.FLEDGE
	x0     []float64
	random func() algos.Randomness // the same random choices for each run
	T      int
	exactness
}

// tinyRounds are the sizes for which statements about runs of FLEDGE are settled.
const tinyRounds = "all functions, points, step sizes, perturbations and random choices with two rounds, P ≤ 2 " +
	"clients of up to 2 data, K ≤ 2 and Kb ≤ 2, or one round, P = 3, K = 1 and b = 1 of 2 data, 1 ≤ p ≤ P, both options"

// settledRounds is an identity of runs of FLEDGE, on drawn instances and over formal gradients.
func settledRounds(effort float64, try func(f *roundsRun, rec *props.Recorder)) props.Check {
	return props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
		try(drawFLEDGERun(src), rec)
	}).Effort(effort), overFormalFLEDGE(try))
}

// overFormalFLEDGE settles an identity of runs of FLEDGE by those over formal gradients.
func overFormalFLEDGE(try func(f *roundsRun, rec *props.Recorder)) props.Procedure {
	return props.ExactSizes(tinyRounds, func(rec *props.Recorder) {
		for _, size := range [][5]int{{1, 1, 1, 1, 2}, {1, 2, 1, 1, 2}, {1, 2, 2, 1, 2},
			{2, 1, 1, 1, 2},
			{2, 2, 1, 1, 2},
			{2, 2, 2, 1, 2}, {2, 2, 1, 2, 2}, {3, 2, 1, 1, 1}} {
			P, data, K, b, T := size[0], size[1], size[2], size[3], size[4]
			for p := 1; p <= P; p++ {
				for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
					everyOutcome(func(o *outcome) {
						u := newUniversal(o, P, data, 2*(1+T*K), T*K, latticeOf(4, T))
						try(&roundsRun{p: u.problem(),
							m: &algos.FLEDGE{Chosen: p, LocalSteps: K, Batch: b,
								Option: option, Eta: 1,
								Radius: 1}, x0: make([]float64, u.Dim()), random: o.run, T: T,
							exactness: exactness{u}}, rec)
					})
				}
			}
		}
	}).Procedure()
}

func drawFLEDGERun(src *props.Source) *roundsRun {
	P, d := src.Int("P", 1, 6), src.Int("d", 1, 3)
	f := &roundsRun{T: src.Int("T", 1, 8)}
	f.m = &algos.FLEDGE{
		Chosen:     src.Int("p", 1, P),
		LocalSteps: src.Int("K", 1, 3),
		Batch:      src.Int("b", 1, 3),
		Option:     algos.Option(src.Pick("option", "II", "I")),
		Eta:        src.LogReal("eta", 0.01, 0.4),
		Radius:     src.Real("r", 0, 0.5),
	}
	size := f.m.LocalSteps*f.m.Batch + src.Int("spare data", 0, 3)
	r := src.Rand("objective")
	f.p = testproblem.DrawWells(P, size, d, r)
	f.x0 = normal(d, r)
	f.random = fixed(r.Uint64())
	return f
}

// tape runs a method on the objective of f.
func (f *roundsRun) tape(m algos.Method) *algos.Tape {
	return props.Must(algos.RecordRun(m, algos.NewOracle(f.p), f.x0, f.random(), f.T))
}

// singleDatum leaves each client one datum and lets it be used wherever more are asked for.
func (f *roundsRun) singleDatum() {
	p := *f.p
	p.Data = 1
	f.p = &p
	f.m.Cap = true
}

// alongLocal returns the data gradients at the points of a recorded run of FLEDGE, and the largest
// norm among them.
func alongLocal(p *testproblem.Problem,
	tape *algos.Tape) (grad func(i, j, s int) []float64, scale float64) {
	points := [][]float64{tape.X[0]}
	for _, local := range tape.Local[1:] {
		points = append(points, local[1:]...)
	}
	g := make([][]float64, len(points)*p.P*p.Data)
	for s, x := range points {
		for k := range p.P * p.Data {
			v := make([]float64, p.D)
			p.Grad(v, x, k/p.Data, k%p.Data)
			g[s*p.P*p.Data+k] = v
			scale = max(scale, floats.Norm(v, 2))
		}
	}
	return func(i, j, s int) []float64 { return g[(s*p.P+i)*p.Data+j] }, scale
}
