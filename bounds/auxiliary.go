package bounds

import (
	"math/big"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// manyComponents has enough components for minibatches and sets of unsampled components larger than
// C_1², below which Bernstein's bounds are weaker than the trivial ones, and no more steps than
// their runs can afford.
var manyComponents = ranges{P: problems.Sizes(1, 150), d: manyDimensions, T: problems.Sizes(6, 16)}

// evenSteps are two clusters of components that take steps of about the same length with
// minibatches of all orders of magnitude: with few components in them the sums over steps come
// closest to Azuma's bound. Components differ so much that errors matter in one instance of ten.
var evenSteps = ranges{P: problems.Sizes(1, 60), d: manyComponents.d, T: manyComponents.T,
	etaL: 0.3, differ: 0.3, few: true, between: []problems.Pattern{problems.TwoCluster}}

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

// inner are the ranges in which a round has inner increments that count, z^{t,k} for 1 ≤ k ≤ K−1,
// and clients differ in Hessian: that of the worker may be far from the mean.
var inner = ranges{P: problems.Sizes(1, 6), K: problems.Sizes(2, 8),
	b: problems.Sizes(1, 6), T: problems.Sizes(LeastSteps, 28), spare: problems.Sizes(0, 8),
	differ: 1e-3}

// forked are such ranges in which the data of a client form two clusters.
var forked = ranges{P: inner.P, K: inner.K, b: inner.b, T: inner.T, spare: inner.spare,
	differ: inner.differ, within: []problems.Pattern{problems.TwoCluster}, apart: 0.5, etaL: 0.3}

// crowded are a few short rounds in which local minibatches have up to all orders of magnitude of
// data: their means come close to normal laws.
var crowded = ranges{P: problems.Sizes(1, 2), K: problems.Sizes(2, 3), T: problems.Sizes(1, 2),
	b: problems.Sizes(1, 60), spare: problems.Sizes(0, 60), within: varied.within, few: true,
	apart: 0.5}
