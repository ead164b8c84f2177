package bounds

import (
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// manyComponents has enough components for minibatches and sets of unsampled components larger than
// C_1², below which Bernstein's bounds are weaker than the trivial ones, and no more steps than
// their runs can afford.
var manyComponents = ranges{P: problems.Sizes(1, 150), d: manyDimensions, T: problems.Sizes(6, 16)}

// eachRemaining calls visit for every step s and every t of the following window with |Ĩ_s^t| and
// Σ_{i∈Ĩ_s^t} dev_i^s.
func (p *path) eachRemaining(t1 int, visit func(s, t, count int, sum []float64)) {
	sum := make([]float64, p.d)
	for s := 1; s <= p.T; s++ {
		clear(sum)
		count := p.P
		for t := s; t <= min(p.T, s+t1-1); t++ {
			for _, i := range p.tape.Batch(t) {
				if p.last[t-1][i] < s {
					floats.Sub(sum, p.deviations()[s][i*p.d:(i+1)*p.d])
					count--
				}
			}
			if count == 0 {
				clear(sum) // rid of rounding
			}
			visit(s, t, count, sum)
		}
	}
}

func allButOne(n int) float64 { return 1 - 1/float64(n) }

// checkHeterogeneity compares the deviation of component gradient differences with factor(n)·ζ
// times the distance of the points.
func checkHeterogeneity(name string, factor func(n int) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := problems.DrawQuadratic(src,
			problems.Limits{N: problems.Sizes(2, 40), D: problems.Sizes(1, 4),
				Patterns: problems.Differing}).ByClient()
		x, y := problems.DrawPoint(src, "x", p.Dim(), 10), problems.DrawPoint(src, "y", p.Dim(), 10)
		most, size := largestDeviation(p, x, y)
		rec.AtMost(name, most,
			factor(p.Components())*p.Constants(x).Zeta.Value*floats.Distance(x, y,
				2)).Scale(size * 1e-3)
	})
}

// largestDeviation returns the largest ‖∇f_i(x) − ∇f_i(y) − (∇f(x) − ∇f(y))‖ and the largest norm
// of a component gradient at x or y.
func largestDeviation(p problems.Certified, x, y []float64) (most, size float64) {
	d := p.Dim()
	gx, gy, dev, common := make([]float64, d), make([]float64, d), make([]float64, d),
		make([]float64, d)
	p.FullGradient(gx, x)
	p.FullGradient(gy, y)
	floats.SubTo(common, gx, gy)
	for i := range p.Components() {
		p.Gradient(gx, x, i)
		p.Gradient(gy, y, i)
		size = max(size, floats.Norm(gx, 2), floats.Norm(gy, 2))
		floats.SubTo(dev, gx, gy)
		floats.Sub(dev, common)
		most = max(most, floats.Norm(dev, 2))
	}
	return most, size
}

func auxiliaryClaims() []props.Binding {
	return []props.Binding{
		props.Bind("heterogeneity-gradient-difference",
			checkHeterogeneity("‖deviation of a component‖ against ζ‖x − y‖",
				func(int) float64 { return 1 })),
		props.Bind("heterogeneity-gradient-difference/sharper", props.All(
			checkHeterogeneity("‖deviation of a component‖ against (1 − 1/n)ζ‖x − y‖", allButOne),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				p := problems.DrawQuadratic(src,
					problems.Limits{N: problems.Sizes(2, 40), D: problems.Sizes(1, 1),
						Patterns: []problems.Pattern{problems.Outlier}}).ByClient()
				x, y := problems.DrawPoint(src, "x", 1, 10), problems.DrawPoint(src, "y", 1, 10)
				most, size := largestDeviation(p, x, y)
				rec.Equal("‖deviation of the outlier‖ on a line", most,
					allButOne(p.Components())*p.Constants(x).Zeta.Value*floats.Distance(x, y,
						2)).Scale(size)
			}).Effort(0.5))),
		props.Bind("aux-a-bernstein-step", props.Tail(func(src *props.Source) props.TailTrial {
			in := draftRun(src, manyComponents)
			nu := drawNu(src, "nu", 1)
			return props.TailTrial{Delta: nu, Regime: in.content().And(
				props.Min("T", in.T, leastTailSteps), props.Allowed(nu)),
				Run: func(t props.Trial, rec *props.Recorder) {
					p := in.trial(t)
					at := p.level(nu)
					p.eachRemaining(at.window, func(s, _, count int, sum []float64) {
						square := squared(sum, float64(p.P)*p.size) // n vectors of gradient size
						rec.AtMost("‖Σ over Ĩ_s^t‖² at all s, t", square,
							at.c1*at.c1*float64(count)*sq(p.Zeta.Value)*p.moved[s])
					})
				}}
		}).Effort(runEffort)),
		props.Bind("aux-c-sledge",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				in := drawInstance(src, ranges{option: algos.OptionII, T: problems.Sizes(1, 1)})
				table := in.method().(*algos.SLEDGE).Reference()
				if err := table.Start(algos.NewOracle(in.problem.Problem), in.x0,
					algos.Seeded(0)); err != nil {
					panic(err) // the ranges of the instance are valid
				}
				g := make([]float64, in.d)
				for i, y := range table.Table() {
					in.problem.Gradient(g, in.x0, i, 0)
					rec.EqualVectors("y_i^0 against ∇f_i(x⁰), Option II", y, g)
				}
			})),
		props.Bind("dist-lemma-c-option-one", props.Identity(initialNoise).Effort(0.5)),
	}
}

// evenSteps are two clusters of components that take steps of about the same length with
// minibatches of all orders of magnitude: with few components in them the sums over steps come
// closest to Azuma's bound. Components differ so much that errors matter in one instance of ten.
var evenSteps = ranges{P: problems.Sizes(1, 60), d: manyComponents.d, T: manyComponents.T,
	etaL: 0.3, differ: 0.3, few: true, between: []problems.Pattern{problems.TwoCluster}}

// initialNoise compares what is left of the noise of the start, Option I, with the minibatches of it.
func initialNoise(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{K: localSteps, option: algos.OptionI,
		T: problems.Sizes(1, 6)})
	p := in.drawPath(src)
	left, right, g := make([]float64, in.d), make([]float64, in.d),
		make([]float64, in.d)
	table := in.method().(*algos.FLEDGE).Reference()
	if err := table.Start(algos.NewOracle(in.problem.Problem), in.x0,
		p.tape.Replay()); err != nil {
		panic(err) // the ranges of the instance are valid
	}
	for _, i := range p.tape.Unsampled(in.P, in.T, algos.Clients)[1] {
		floats.AddScaled(left, 1/float64(in.P), table.Table()[i])
		for _, l := range p.clients(0) {
			p.clientGradient(g, in.x0, l)
			floats.AddScaled(left, -1/float64(in.P*in.p), g)
		}
	}
	p.startNoise(right, float64(p.unsampled(in.T)[1]))
	rec.EqualVectors(
		"(1/P)Σ_{Ĩ_1^t}(y_i^0 − ỹ_i^0) against "+
			"(|Ĩ_1^t|/P)(1/(pKb))Σ_{I^0}Σ_J(∇f_ij − ∇f_i)(x⁰)", left,
		right).Scale(p.size)
}

// noisyData are the ranges in which the gradient noise of the data of a client is bounded and there
// is some.
var noisyData = ranges{K: localSteps, bounded: true, spare: problems.Sizes(1, 6)}

// varied are the ranges in which the data of a client do differ in Hessian, and clients agree in
// half of the draws.
var varied = ranges{K: localSteps, agree: true,
	within: problems.Differing,
	spare:  problems.Sizes(1, 6), apart: 0.5}

// steadyRounds are ranges of rounds of about the same length, with clients that agree, hold two
// clusters of data and are mostly not drawn a second time: there sums over rounds come closest to
// bounds on them.
var steadyRounds = ranges{P: problems.Sizes(8, 40), K: problems.Sizes(1, 2),
	b: problems.Sizes(1, 2), spare: problems.Sizes(1, 4), few: true,
	between: []problems.Pattern{problems.None}, within: []problems.Pattern{problems.TwoCluster},
	apart: 1, etaL: 0.1}

// dependence runs FLEDGE with all choices of data for two clients that are drawn one after the
// other, in numbers that float64 holds exactly.
func dependence(src *props.Source, try func(formula.Ratios)) {
	terms := make([][]problems.QuadraticTerm, 2)
	r := src.Rand("coefficients")
	for i := range terms {
		for range 2 {
			terms[i] = append(terms[i], problems.QuadraticTerm{A: []float64{float64(r.IntN(5) - 2)},
				B: []float64{float64(2 * (r.IntN(5) - 2))}})
		}
	}
	q := props.Must(problems.NewQuadratic(1, terms...))
	in := &instance{T: 2, tuning: tuning{eta: 0.5, p: 1, K: 1, b: 1}}
	in.set(ofClients(q), []float64{float64(src.Int("x0", -2, 2))})
	const runs = 16
	product, first, second := new(big.Rat), new(big.Rat), new(big.Rat)
	for code := range runs {
		bit := func(k int) []int { return []int{code >> k & 1} }
		p := in.followWith(algos.Script{
			algos.Worker:  {{0}, {0}},
			algos.Clients: {{0}, {1}},
			// J_1^0, J_2^0; then in each round the batch of the unused last local increment and J^t
			algos.LocalBatches: {bit(0), bit(1), {0}, bit(2), {0}, bit(3)},
		})
		x1 := new(big.Rat).SetFloat64(p.valueNoise(1, 0)[0])
		x2 := new(big.Rat).SetFloat64(p.valueNoise(2, 1)[0])
		x2.Mul(x2, x2)
		first.Add(first, x1)
		second.Add(second, x2)
		product.Add(product, x1.Mul(x1, x2))
	}
	mean := big.NewRat(1, runs)
	product.Mul(product, mean)
	first.Mul(first, mean)
	second.Mul(second, mean)
	try(formula.Ratios{"product": product, "first": first, "second": second})
}

// localNoise adds (1/b)Σ_{j∈J^{t,l}}(∇f_{i_t,j}(x^{t,l}) − ∇f_{i_t,j}(x^{t,l−1}) −
// (∇f_{i_t}(x^{t,l}) − ∇f_{i_t}(x^{t,l−1}))) to dst.
func (p *path) localNoise(dst []float64, t, l int) {
	i, J := p.worker(t), p.tape.Sets(t, algos.LocalBatches)[l-1]
	p.noise(dst, 1/float64(p.b), p.tape.Local[t][l], i, J)
	p.noise(dst, -1/float64(p.b), p.tape.Local[t][l-1], i, J)
}

// local are the ranges in which a round has inner increments that count, z^{t,k} for 1 ≤ k ≤ K−1,
// and clients differ in Hessian: that of the worker may be far from the mean.
var local = ranges{P: problems.Sizes(1, 6), K: problems.Sizes(2, 8),
	b: problems.Sizes(1, 6), T: problems.Sizes(LeastSteps, 28), spare: problems.Sizes(0, 8),
	differ: 1e-3}

// forked are such ranges in which the data of a client form two clusters.
var forked = ranges{P: local.P, K: local.K, b: local.b, T: local.T, spare: local.spare,
	differ: local.differ, within: []problems.Pattern{problems.TwoCluster}, apart: 0.5, etaL: 0.3}

// crowded are a few short rounds in which local minibatches have up to all orders of magnitude of
// data: their means come close to normal laws.
var crowded = ranges{P: problems.Sizes(1, 2), K: problems.Sizes(2, 3), T: problems.Sizes(1, 2),
	b: problems.Sizes(1, 60), spare: problems.Sizes(0, 60), within: varied.within, few: true,
	apart: 0.5}
