package claims

import (
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// surrogate is (|Ĩ_s^t|/b) Σ_{i∈I^s} a_i − Σ_{i∈Ĩ_s^t} a_i.
func surrogate(n int, batches [][]int, s, t int, a func(i int) *big.Rat) *big.Rat {
	left := unsampled(n, batches[s:t+1]...)
	var out *big.Rat
	for _, i := range batches[s] {
		out = rats{}.add(out, len(left), len(batches[s]), a(i))
	}
	for _, i := range left {
		out = rats{}.add(out, -1, 1, a(i))
	}
	return rats{}.add(out, 0, 1, nil)
}

func minibatchClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-minibatch-law",
			props.ExactSizes("uniform independent subsets, n ≤ 5, three steps, every index",
				sledgeMinibatchLaw)),
		props.Bind("sledge-minibatch-law/sampler", props.All(
			// The share of the indices left out by later steps which step s chooses; (t−s)b < n
			// leaves some.
			props.Mean(sledgeMinibatchLawSampler).Effort(3),
			// Pairs of indices tell sampling without replacement from other laws with the same
			// marginals.
			props.Mean(func(src *props.Source) props.MeanTrial {
				n := src.Int("n", 3, 40)
				b := src.Int("b", 2, n)
				i := src.Int("i", 0, n-2)
				return props.MeanTrial{What: "the share of minibatches with both of two indices",
					Claimed:  float64(b*(b-1)) / float64(n*(n-1)),
					Relation: props.Near, Hi: 1, Tolerance: 0.02,
					Regime: props.Where(props.Less("b", b, "n", n)),
					Run: func(t props.Trial) float64 {
						sum, r := 0.0, algos.Keyed(t.Key)
						set := make([]int, b)
						for range 40 {
							r.Subset(set, n, algos.Batches)
							if slices.Contains(set, i) && slices.Contains(set, n-1) {
								sum += 1.0 / 40
							}
						}
						return min(sum, 1)
					}}
			}).Effort(3),
		)),
		props.Bind("minibatch-surrogate-unbiased", props.ExactSizes(
			"all a, all minibatch sizes with n ≤ 5, t − s ≤ 2, uniform independent minibatches; "+
				"means given |Ĩ_s^t| and over everything", minibatchSurrogateUnbiased)),
		props.Bind("minibatch-surrogate-unbiased/sharper", props.Exact(
			"20 runs on problems of one variable with integer coefficients, all sequences of "+
				"minibatches with n ≤ 4 and t ≤ 3", unbiasedRuns)),
	}
}

// sledgeMinibatchLawSampler tries sledge-minibatch-law/sampler.
func sledgeMinibatchLawSampler(src *props.Source) props.MeanTrial {
	n := src.Int("n", 4, 60)
	b := src.Int("b", 1, n/3)
	later := src.Int("t-s", 0, (n-1)/b)
	return props.MeanTrial{
		What:     "the share of the indices left out later that a step chooses",
		Claimed:  float64(b) / float64(n),
		Relation: props.Near, Hi: 1, Tolerance: 0.02,
		Regime: props.Where(props.Min("t − s", later, 1)),
		Run: func(t props.Trial) float64 {
			sum, r := 0.0, algos.Keyed(t.Key)
			sets := make([][]int, later+1)
			for range 40 {
				for k := range sets {
					sets[k] = make([]int, b)
					r.Subset(sets[k], n, algos.Batches)
				}
				left := unsampled(n, sets[1:]...)
				sum += float64(overlap(sets[0], left)) / float64(len(left)) / 40
			}
			return sum
		}}
}

// sledgeMinibatchLaw tries sledge-minibatch-law.
func sledgeMinibatchLaw(rec *props.Recorder) {
	for n, b := range batchSizes(2, 5) {
		for i := range n {
			var idle, then int64
			batchSequences(n, b, 1, 3, func(batches [][]int) {
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

// minibatchSurrogateUnbiased tries minibatch-surrogate-unbiased.
func minibatchSurrogateUnbiased(rec *props.Recorder) {
	for n, b := range batchSizes(1, 5) {
		for t := 1; t <= 3; t++ {
			for k := range n {
				given := make([]*big.Rat, n+1)
				total := new(big.Rat)
				batchSequences(n, b, 1, t, func(batches [][]int) {
					left := len(unsampled(n, batches[1:]...))
					diff := surrogate(n, batches, 1, t, func(i int) *big.Rat {
						if i == k {
							return big.NewRat(1, 1)
						}
						return nil
					})
					given[left] = rats{}.add(given[left], 1, 1, diff)
					total.Add(total, diff)
				})
				rec.Rats("mean difference", total, props.EQ, new(big.Rat))
				for _, sum := range given {
					if sum != nil {
						rec.Rats("mean difference given |Ĩ_s^t|", sum, props.EQ, new(big.Rat))
					}
				}
			}
		}
	}
}

// unbiasedRuns averages the error and its parts over all minibatch sequences of small runs, whose
// iterates depend on the minibatches.
func unbiasedRuns(rec *props.Recorder) {
	r := keyed.New(1).With("problems of one variable").Rand()
	for k := range 20 {
		n := 2 + k%3
		b := 1 + k/3%(n-1)
		p := drawScalar(n, 1, 4, r)
		const T = 3
		var terms [T + 1][T + 1]*big.Rat
		var errs [T + 1]*big.Rat
		batchSequences(n, b, 1, T, func(batches [][]int) {
			_, v, grad := p.sledge(batches, 3)
			for t := 1; t <= T; t++ {
				errs[t] = rats{}.add(errs[t], 1, 1, v[t])
				errs[t] = rats{}.add(errs[t], -1, 1, fullGradient(rats{}, grad, n, t))
				for s := 1; s <= t; s++ {
					diff := surrogate(n, batches, s, t, func(i int) *big.Rat {
						return rats{}.add(grad(i, s), -1, 1, grad(i, s-1))
					})
					terms[s][t] = rats{}.add(terms[s][t], 1, 1, diff)
				}
			}
		})
		for t := 1; t <= T; t++ {
			rec.Rats("mean of v^t − ∇f(x^t)", errs[t], props.EQ, new(big.Rat))
			for s := 1; s <= t; s++ {
				rec.Rats("mean difference at step s", terms[s][t], props.EQ, new(big.Rat))
			}
		}
	}
}
