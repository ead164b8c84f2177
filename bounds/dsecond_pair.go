package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// pairCg is a C_g that the repaired proof arrives at: 8(2C_1⁴ + C_1^{3/2}).
func pairCg(c1 float64) float64 { return 2 * pairCc(c1) }

// past presents two coupled runs as a path.
func (p *coupledRuns) past() *path {
	if p.first == nil {
		in := &instance{P: p.P, d: p.d, T: p.T, tuning: p.tuning}
		if in.problem.Problem = p.Federated; p.exact {
			in.problem.Problem = alike{p.Federated}
		}
		p.first = &path{instance: in, tape: p.pair.Run, other: p.pair.Coupled, room: p.room,
			last: in.lastDraws(p.pair.Run, make([]int, (p.T+1)*p.P))}
	}
	return p.first
}

// alike answers with ∇f, whatever is asked.
type alike struct{ problems.Federated }

func (a alike) Gradient(dst, x []float64, _, _ int)    { a.FullGradient(dst, x) }
func (a alike) ClientGradient(dst, x []float64, _ int) { a.FullGradient(dst, x) }

// partsOfTables has g^t and its parts at every round, which are 0 before τ0.
func (p *coupledRuns) partsOfTables(try vectors) {
	run := p.past()
	for t := 1; t <= p.T; t++ {
		name := ""
		if t < p.tau/p.K {
			name = "t < τ0"
		}
		try(name, along(map[string][]float64{"g": p.g[t], "own": run.clientTerm(1, t),
			"data": run.batchTerm(1, t, run.counted(t)), "fresh": run.freshTerm(0, t, t)}, nil), p.span())
	}
}

// localIncrement returns z^{t,k} of a tape for a couple, from its minibatches.
func (p *coupledRuns) localIncrement(tape *algos.Tape, t, k int) []float64 {
	z, g := make([]float64, p.d), make([]float64, p.d)
	i := tape.Sets(t, algos.Worker)[0][0]
	for l, batch := range tape.Sets(t, algos.LocalBatches)[:k] {
		for _, j := range batch {
			p.Gradient(g, tape.Local[t][l+1], i, j)
			floats.AddScaled(z, 1/float64(len(batch)), g)
			p.Gradient(g, tape.Local[t][l], i, j)
			floats.AddScaled(z, -1/float64(len(batch)), g)
		}
	}
	return z
}

// errorIdentity compares the difference of the errors of v^{t,k} and ṽ^{t,k} with g^{t−1} +
// h^{t,k}. As printed ṽ^{t,k} has z^{t,k}.
func errorIdentity(printed bool) props.Check {
	return onRounds(smallRuns, func(p *coupledRuns, rec *props.Recorder) {
		run, other := p.pair.Run, p.pair.Coupled
		for m := p.tau0; m < len(p.force); m++ {
			t, k := p.round(m)
			z := p.localIncrement(run, t, k)
			sum := plus(plus(p.g[t-1], 1, z), -1, p.localIncrement(other, t, k))
			p.addGap(sum, -1, m, whole)
			p.addGap(sum, 1, (t-1)*p.K, whole)
			left := plus(run.LocalV[t][k], -1, other.LocalV[t][k])
			if printed {
				left = plus(plus(run.LocalV[t][k], -1, other.V[t-1]), -1, z)
			}
			p.addGap(left, -1, m, whole)
			rec.EqualVectors("v − ∇f(x) − (ṽ − ∇f(x̃)) against g^{t−1} + h^{t,k}", left,
				sum).Scale(p.span())
			rec.Equal("x^{t,0} against x^{t−1}", floats.Distance(run.Local[t][0], run.X[t-1], 2),
				0).Scale(p.span())
		}
	})
}

// dataOfPairs has the gaps of clients and of their data between two pairs of points, each within R
// of a centre at which the Hessians are taken.
func dataOfPairs(src *props.Source, rec *props.Recorder, try func(string, formula.Values)) {
	shape := drawSaddleShape(src, saddleRange{P: problems.Sizes(1, 4),
		data: problems.Sizes(2, 8), d: problems.Sizes(1, 2)})
	shape.Within.Hessian = src.Real("Hessian distance of data", 0, 6)
	if src.Bool("one datum apart") {
		shape.Within.Pattern = problems.Outlier
	}
	if src.Bool("no third derivatives") {
		shape.quadratic, shape.Between.Amplitude, shape.Within.Amplitude = true, 0, 0
	}
	p, radius := gapsNear(src, shape, 0.1)
	s, on := p.saddle, p.parted(radius)
	if apart, _ := on.Of("‖w−w'‖"); apart <= 1e-6 {
		rec.Skip("w^s = w^{s−1}")
		return
	}
	on.Is("m", float64(s.data))
	norm := func(v []float64) func() (value, size float64) {
		return func() (value, size float64) {
			return floats.Norm(v, 2), rounding * (1 + s.L + s.linear)
		}
	}
	for i := range s.P {
		on["‖u‖"] = norm(p.change(1, 0, client(i), whole))
		for j := range s.data {
			on["‖u'‖"] = norm(p.change(1, 0, of{i, j}, client(i)))
			try("", on)
		}
	}
}

func tablePairClaims() []props.Binding {
	return []props.Binding{
		// y, z, g of one run and y', z', g' of the other; A and A' are the gradients at x^{t−1}
		props.Bind("dsecond-error-identity", errorIdentity(true)),
		props.Bind("dsecond-error-identity/corrected", errorIdentity(false)),
	}
}

// errorsInside has h^{t,k} and what it is made of, all 0 before the perturbation.
func (p *coupledRuns) errorsInside(try vectors) {
	for m := range p.force {
		t, k := p.round(m)
		i := p.pair.Run.Sets(t, algos.Worker)[0][0]
		try("", along(map[string][]float64{"g": plus(p.force[m], -1, p.g[t-1]),
			"own":  p.change(m, (t-1)*p.K, client(i), whole),
			"data": p.past().localNoise(t, 1, k)}, nil), p.span())
	}
}

// windowsOfNorms draws norms of what two runs of FLEDGE differ by over the rounds of a window.
func windowsOfNorms(src *props.Source, _ *props.Recorder) formula.Values {
	c1 := src.LogReal("C_1", 1, 100)
	L, overCe := src.LogReal("L", 1e-3, 1e3), src.LogReal("delta / C_e", 1e-3, 1e3)
	clients := src.LogInt("P", Several, 1e6)
	K, b := float64(src.LogInt("K", 1, 1000)), src.LogInt("b", 1, 1000)
	re := src.LogReal("r_e", 1e-3, 1e3)
	zeta := L * src.LogReal("zeta / L", 1e-6, 2)
	p := src.LogInt("p", 1, clients)
	r, rounds := src.Rand("norms"), src.Int("rounds of the window", 1, 6)
	speed := src.LogReal("speed", 1e-3, 1e3)
	w := re * r.Float64()
	own, data, moved, size, most := 0.0, 0.0, 0.0, sq(w), w
	for range rounds {
		distance := speed * re * r.Float64() // of w^s from w^{s−1}, in K equal steps
		next := math.Abs(w + distance*(2*r.Float64()-1))
		drift := 2 * overCe * (next + w)
		own, data = own+sq(zeta*distance+drift), data+sq(2*L*distance+drift)
		w, moved, size, most = next, moved+sq(distance)/K, size+sq(next), max(most, next)
	}
	return formula.Given(map[string]float64{"C_1": c1, "L": L, "ζ": zeta, "δ": overCe, "C_e": 1,
		"P": float64(clients), "p": float64(p), "K": K, "b": float64(b), "r_e": re, "own": math.Sqrt(own),
		"data": math.Sqrt(data), "moved": moved, "R": math.Sqrt(size), "w": most})
}
