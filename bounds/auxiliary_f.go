package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
)

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

// checkBatchOfStep compares the mean over J^{t,l} with (C_1²L²/b)‖x^{t,l} − x^{t,l−1}‖², and the
// sum over l ≤ k with C_1⁴L²/b times the movement. share is the probability, as a function of ν,
// that the comparisons may fail with. The statement is sharp in C_1, which therefore has a factor:
// with factor 1 it is false for b ≫ 1, where the mean is nearly normal. Both sides are compared in
// units of (L‖x^{t,l} − x^{t,l−1}‖)², since steps may be as short as the noise: numbers far below 1
// are in doubt.
func checkBatchOfStep() props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		b := src.LogInt("b", 1, 60)
		in := drawInstance(src, ranges{P: problems.Sizes(1, 2), K: problems.Sizes(2, 3),
			T: problems.Sizes(1, 2), b: problems.Sizes(b, b), d: manyDimensions,
			within: varied.within, spare: problems.Sizes(0, b), apart: 0.5})
		nu := src.LogReal("nu", 0.3, 0.9)
		c1 := concentration.C1(concentration.HighProbabilityFactor,
			concentration.Sizes{P: in.P, D: in.d, T: in.T, K: in.K, Nu: nu})
		t := src.Int("t", 1, in.T)
		k := src.Int("k", 1, in.K-1)
		delta := nu / (2 * float64(in.T*in.K*in.K))
		regime := withErrors(props.Where(props.Min("d", in.d, 2),
			props.Less("b", in.b, "data of a client", in.problem.Size(0)), props.Allowed(delta)))
		return props.TailTrial{Delta: delta, Regime: regime,
			Run: func(trial props.Trial, rec *props.Recorder) {
				p := in.trial(trial)
				step, steps := sq(p.L.Value)*p.local[t][k], sq(p.L.Value)*p.within(t, k)
				if step == 0 {
					rec.Skip("a step of positive length")
					return
				}
				one, sum := make([]float64, p.d), make([]float64, p.d)
				for l := 1; l <= k; l++ {
					clear(one)
					p.localNoise(one, t, l)
					floats.Add(sum, one)
				}
				rec.AtMost("‖(1/b)Σ_{J^{t,l}}(…)‖² over (L‖x^{t,l} − x^{t,l−1}‖)² for one (t,l)",
					p.squared(one)/step, sq(c1)/float64(p.b))
				rec.AtMost(
					"‖Σ_{l≤k}(1/b)Σ_{J^{t,l}}(…)‖² over L²Σ_l‖x^{t,l} − x^{t,l−1}‖² for one (t,k)",
					p.squared(sum)/steps, math.Pow(c1, 4)/float64(p.b))
			}}
	}).Effort(runEffort)
}

// checkLocalSplit compares the two sides of the split of lines 2404-2417 at all local steps of a
// run.
func checkLocalSplit() props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := drawInstance(src, local)
		p := in.drawPath(src)
		own, sum, all := make([]float64, p.d), make([]float64, p.d), make([]float64, p.d)
		now, start := make([]float64, p.d), make([]float64, p.d)
		for t := 1; t <= in.T; t++ {
			clear(sum)
			for k := 1; k < in.K; k++ {
				p.clientGradient(now, p.tape.Local[t][k], p.worker(t))
				p.clientGradient(start, p.tape.Local[t][0], p.worker(t))
				for l := range own {
					own[l] = p.tape.LocalV[t][k][l] - p.tape.V[t-1][l] - (now[l] - start[l])
				}
				p.localNoise(sum, t, k)
				rec.EqualVectors(
					"z^{t,k} − (∇f_{i_t}(x^{t,k}) − ∇f_{i_t}(x^{t,0})) against the centred sum",
					own, sum).Scale(p.size)
				p.localError(all, t, k)
				rec.AtMost(
					"‖z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0}))‖² against "+
						"2‖centred sum‖² + 2ζ²KΣ_l‖x^{t,l} − x^{t,l−1}‖²",
					p.squared(all),
					2*normSq(sum)+2*sq(p.Zeta.Value)*float64(p.K)*p.within(t, k)).Scale(1e3 *
					p.rounding())
			}
		}
	}).Effort(0.5)
}

func auxiliaryFClaims() []props.Binding {
	bound := ofRun("(2ζ²K + 2C_1²L²/b)within")
	return []props.Binding{
		props.Bind("dist-lemma-f", squares.runs(local, 1,
			func(p *path, at level, rec *props.Recorder) {
				v := make([]float64, p.d)
				for t := 1; t <= p.T; t++ {
					for k := 1; k < p.K; k++ {
						p.localError(v, t, k)
						rec.AtMost("‖z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0}))‖² at all t, k",
							p.squared(v), p.value(bound, at.c1, sums{within: p.within(t, k)}))
					}
				}
			})),
		props.Bind("dist-lemma-f-split/corrected",
			props.Settled(checkLocalSplit(), twoPartsOfSums)),
		props.Bind("dist-lemma-f-bernstein/corrected", checkBatchOfStep()),
	}
}
