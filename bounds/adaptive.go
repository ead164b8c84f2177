package bounds

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// Sharp forms of lemma:First-VarianceBound and its parts: what two tools give that fit them,
// martingales whose radii depend on the past and samples without replacement
// (azuma-high-probability/adaptive and noreplace-bernstein-high-probability/sharper). Both are free
// of the dimension, and carry the square root of a logarithm.

// adaptive is Σ_{s≤t} (1 − b/n)^{2(t−s)} D_s² for bounds D_s on the largest distance between two of
// the vectors that the minibatch of step s is drawn from, given the largest distances of the
// changes of gradients in each step.
//
// With c_i^s the centred changes of the components and z_i = y_i − ∇f_i before the step these are
// c_i − (b/n)z_i up to a common vector. So D_s is at most the size of the change and b/n times
// those of the steps since the oldest row was refreshed.
func (p *path) adaptive(size []float64, t int) (sum float64) {
	share := float64(p.b) / float64(p.P)
	for s := 1; s <= t; s++ {
		before := floats.Sum(size[slices.Min(p.last[s-1])+1 : s])
		sum = sq(1-share)*sum + sq(size[s]+share*before)
	}
	return sum
}

// norm returns ‖v‖ of a vector of gradient size on the path, or 0 where that is nothing but
// rounding.
func (p *path) norm(v []float64) float64 { return math.Sqrt(p.squared(v)) }

// longSteps are runs that come close to bounds on sums over steps: two clusters of components,
// steps of about the same length, and minibatches of all orders of magnitude. The Hessians of the
// clusters lie a tenth of L apart at least, so that errors come to a tenth of the gradient.
var longSteps = ranges{P: problems.Sizes(2, 60), d: manyDimensions, T: problems.Sizes(20, 40),
	etaL: 0.1, few: true, differ: 0.1, between: []problems.Pattern{problems.TwoCluster}}

// deviationTail looks, for two clusters and a single pair s, t, for the smallest value that the
// product of ||Ĩ_s^t| − E|Ĩ_s^t|| and the norm of the sum over the minibatch exceeds with no more
// than the probability ν/T². The two are independent: whatever the minibatch is, the number of its
// components in a uniformly random set has the same law.
func deviationTail(src *props.Source, _ *props.Recorder) formula.Values {
	n := src.LogInt("n", 2, 60)
	b, marked := src.LogInt("b", 1, n-1), src.Int("size of the first cluster", 1, n-1)
	steps := src.LogInt("t−s", 1, 30)
	T, nu := float64(src.LogInt("T", 1, 1e4)), src.LogReal("nu", 1e-8, 0.5)
	counts, sums := concentration.UnsampledLaw(n, b, steps+1),
		concentration.Hypergeometric(n, marked, b)
	mean := concentration.UnsampledMean(n, b, steps+1)
	quantile := concentration.ProductQuantile(counts, mean, sums,
		float64(b)*float64(marked)/float64(n), math.Log(nu/(T*T)))
	return formula.Given(map[string]float64{"product": quantile, "n": float64(n), "b": float64(b),
		"T": T, "ν": nu, "S_b": concentration.SampleSquares(n, b)})
}

// gapSizes bounds, for the steps s of two coupled runs, the largest distance between two of the
// u_i^s: 0 before the perturbation, ζr_e at it, and ζ‖w^s − w^{s−1}‖ + 2ρ(R_s‖w^s‖ +
// R_{s−1}‖w^{s−1}‖) after it, R_s being the larger of the distances of the two runs from x^τ.
func (p *coupledRuns) gapSizes() []float64 {
	size := make([]float64, p.T+1)
	for s := p.tau; s <= p.T; s++ {
		if size[s] = p.zeta * p.dw[s]; s > p.tau {
			size[s] += 2 * p.rho * (p.reach(s, p.tau)*p.wn[s] + p.reach(s-1, p.tau)*p.wn[s-1])
		}
	}
	return size
}
