package claims

import (
	"maps"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
)

func minibatchClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-minibatch-law",
			props.ExactSizes("uniform independent subsets, n ≤ 5, three steps, every index",
				sledgeMinibatchLaw)),
		props.Bind("sledge-minibatch-law/sampler", props.All(
			// (t−s)b < n leaves some.
			props.Mean(func(src *props.Source) props.MeanTrial {
				n := src.Int("n", 4, 60)
				b := src.Int("b", 1, n/3)
				later := src.Int("t-s", 0, (n-1)/b)
				return meanShare("the share of the indices left out later that a step chooses", n,
					b, later+1, float64(b)/float64(n), props.Min("t − s", later, 1),
					func(sets [][]int) float64 {
						left := unsampled(n, sets[1:]...)
						return float64(overlap(sets[0], left)) / float64(len(left))
					})
			}).Effort(3),
			// Pairs of indices tell sampling without replacement from other laws with the same
			// marginals.
			props.Mean(func(src *props.Source) props.MeanTrial {
				n := src.Int("n", 3, 40)
				b := src.Int("b", 2, n)
				i := src.Int("i", 0, n-2)
				return meanShare("the share of minibatches with both of two indices", n, b, 1,
					float64(b*(b-1))/float64(n*(n-1)), props.Less("b", b, "n", n),
					func(sets [][]int) float64 {
						return float64(overlap(sets[0], []int{i, n - 1}) / 2)
					})
			}).Effort(3),
		)),
		props.Bind("minibatch-surrogate-unbiased", props.ExactSizes(
			"all a, all minibatch sizes with n ≤ 5, t − s ≤ 2, uniform independent minibatches; "+
				"means given |Ĩ_s^t| and over everything", minibatchSurrogateUnbiased)),
		props.Bind("minibatch-surrogate-unbiased/sharper", props.ExactSizes(
			"all functions, starts and step sizes, all sequences of minibatches of every size with "+
				"n ≤ 4 and t ≤ 3, Option II", unbiasedRuns)),
	}
}

// meanShare is about the mean of a share, of 40 times some minibatches of b out of n.
func meanShare(what string, n, b, sets int, claimed float64, where props.Condition,
	share func(sets [][]int) float64) props.MeanTrial {
	const times = 40
	return props.MeanTrial{What: what, Claimed: claimed, Relation: props.Near, Hi: 1,
		Tolerance: 0.02, Regime: props.Where(where), Run: func(t props.Trial) float64 {
			sum, r := 0.0, algos.Keyed(t.Key)
			drawn := make([][]int, sets)
			for range times {
				for k := range drawn {
					drawn[k] = make([]int, b)
					r.Subset(drawn[k], n, algos.Batches)
				}
				sum += share(drawn) / times
			}
			return min(sum, 1)
		}}
}

// sledgeMinibatchLaw tries sledge-minibatch-law.
func sledgeMinibatchLaw(rec *props.Recorder) {
	for n, b := range batchSizes(2, 5) {
		for i := range n {
			var idle, then int64
			batchSequences(n, b, 3, func(batches [][]int) {
				if !slices.Contains(batches[2], i) &&
					!slices.Contains(batches[3], i) {
					idle++
					if slices.Contains(batches[1], i) {
						then++
					}
				}
			})
			if idle > 0 {
				rec.Rats("P(i ∈ I^s | i ∉ I^{s+1} ∪ … ∪ I^t)", big.NewRat(then, idle), props.EQ,
					big.NewRat(int64(b), int64(n)))
			}
		}
	}
}

// minibatchSurrogateUnbiased tries minibatch-surrogate-unbiased, for unit vectors a and b times the
// difference.
func minibatchSurrogateUnbiased(rec *props.Recorder) {
	for n, b := range batchSizes(1, 5) {
		for t := 1; t <= 3; t++ {
			for k := range n {
				given, total := map[int]int{}, 0 // |Ĩ_s^t|
				batchSequences(n, b, t, func(batches [][]int) {
					left, diff := unsampled(n, batches[1:]...), 0
					if slices.Contains(batches[1], k) {
						diff += len(left)
					}
					if slices.Contains(left, k) {
						diff -= b
					}
					given[len(left)] += diff
					total += diff
				})
				recordCount(rec, "mean difference", total, props.EQ, 0)
				for _, left := range slices.Sorted(maps.Keys(given)) {
					recordCount(rec, "mean difference given |Ĩ_s^t|", given[left], props.EQ, 0)
				}
			}
		}
	}
}

// unbiasedRuns adds up the error and its parts over all minibatch sequences of small runs, whose
// points depend on the minibatches.
func unbiasedRuns(rec *props.Recorder) {
	const T = 3
	for n, b := range batchSizes(2, 4) {
		ways := combin.Binomial(n, b)
		u := &universal{clients: n, size: 1, mostPoints: 2 + ways + ways*ways,
			lattice: float64(n * b)}
		a := instance{P: n, N: 1, b: b, T: T, eta: 1, formal: u}
		a.pose(u)
		a.d, a.x0 = u.Dim(), make([]float64, u.Dim())
		var terms [T + 1][T + 1][]float64 // and the errors in the place of s = 0
		everyOutcome(func(o *outcome) {
			a.random = o.run
			r := a.follow(a.sledge())
			for t := 1; t <= T; t++ {
				terms[0][t] = add(terms[0][t], 1, r.error(t))
				for s := 1; s <= t; s++ {
					terms[s][t] = add(terms[s][t], 1, r.surrogate(s, r.unsampled(t)[s]))
				}
			}
		})
		for t := 1; t <= T; t++ {
			u.recordSame(rec, "mean of v^t − ∇f(x^t)", terms[0][t], make([]float64, a.d), 0)
			for s := 1; s <= t; s++ {
				u.recordSame(rec, "mean difference at step s", terms[s][t],
					make([]float64, a.d), 0)
			}
		}
	}
}
