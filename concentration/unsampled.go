package concentration

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
)

// UnsampledMean is E|Ĩ_s^t| = n(1 − b/n)^(t−s+1), the mean number of n indexes that none of the t −
// s + 1 independent minibatches of size b contains (lemma:First-Auxiliary-B, lines 1250 and 1314).
func UnsampledMean(n, b, steps int) float64 {
	return unsampledMean.At(float64(n), float64(b), float64(steps))
}

var unsampledMean = formula.Must(words, "n(1 − b/n)^k").Of("n", "b", "k")

// UnsampledLaw returns the law of |Ĩ_s^t|, the number of n indexes that none of the given number of
// independent uniform subsets of size b contains. From m such indexes, one more subset hits a
// hypergeometric number. Points of probability below about 1e-300 are missing.
func UnsampledLaw(n, b, steps int) Law {
	if b < 0 || b > n || steps < 0 {
		panic(fmt.Sprintf("concentration: no %d subsets of size %d of %d indexes", steps, b, n))
	}
	hits := make([][]float64, n+1) // hits[m][h]: probability that h of m indexes are in a subset
	least := make([]int, n+1)
	for m := range hits {
		law := Hypergeometric(n, m, b)
		least[m] = int(law.Min())
		for _, logp := range law.logp {
			hits[m] = append(hits[m], math.Exp(logp))
		}
	}
	now, next := make([]float64, n+1), make([]float64, n+1)
	now[n] = 1
	for range steps {
		clear(next)
		for m, p := range now {
			if p > 0 {
				for h, q := range hits[m] {
					next[m-least[m]-h] += p * q
				}
			}
		}
		now, next = next, now
	}
	var r Law
	for m, p := range now {
		if p > 1e-300 {
			r.x, r.logp = append(r.x, int64(m)), append(r.logp, math.Log(p))
		}
	}
	return r
}

// ExactUnsampledLaw is UnsampledLaw in exact arithmetic.
func ExactUnsampledLaw(n, b, steps int) ExactLaw {
	now := map[int64]*big.Int{int64(n): big.NewInt(1)}
	product := new(big.Int)
	for range steps {
		next := map[int64]*big.Int{}
		for m, w := range now {
			hits := ExactHypergeometric(n, int(m), b)
			for i, h := range hits.x {
				accumulate(next, m-h, product.Mul(w, hits.w[i]))
			}
		}
		now = next
	}
	return exactFromMap(now)
}

// subsets calls f with every subset of size b of n ≤ 16 indexes, as a bit set.
func subsets(n, b int, f func(set int)) {
	for set := range 1 << n {
		if bits.OnesCount(uint(set)) == b {
			f(set)
		}
	}
}

// hitCounts returns, for h = 0, 1, …, how many of the subsets of size b of n indexes contain h of
// the first m indexes, by enumeration.
func hitCounts(n, b, m int) (counts []int64, all int64) {
	counts = make([]int64, n+1)
	subsets(n, b, func(set int) {
		counts[bits.OnesCount(uint(set&(1<<m-1)))]++
		all++
	})
	return counts, all
}

// conditionalStep calls f for all n ≤ 8, 1 ≤ b ≤ n and all numbers m of indexes that the later sets
// have left.
func conditionalStep(f func(n, b, m int, counts []int64, all int64)) {
	for n := 1; n <= 8; n++ {
		for b := 1; b <= n; b++ {
			for m := 0; m <= n; m++ {
				counts, all := hitCounts(n, b, m)
				f(n, b, m, counts, all)
			}
		}
	}
}

const stepDomain = "all n ≤ 8, all b, all numbers m = |Ĩ_{s+1}^t| of indexes that the later sets have left, " +
	"all subsets of size b"

// stepsBack is the law of u_s given the later sets, beside that of what is drawn.
var stepsBack = &formula.Scene{Words: lawWords, Said: stepDomain, Scope: certificate.Sizes,
	Sizes: []string{"n", "b"},
	Means: map[string]string{"m": "$|Ĩ_{s+1}^t|$", "left": "$E|Ĩ_s^t|$ given the later sets",
		"likely": "$P[u_s^t = v]$ given the later sets, for each $v$",
		"fallen": "$P[EΣã − Σã = v]$", "risen": "$P[Σã − EΣã = v]$",
		"mean": "$E[u_s^t]$ given the later sets", "later": "$u_{s+1}^t$"},
	Exact: func(_ *props.Source, try func(formula.Ratios)) {
		conditionalStep(func(n, b, m int, counts []int64, all int64) {
			draws, mean := ExactHypergeometric(n, m, b), meanDeviation(n, b, m, counts, all)
			left := int64(m) * all
			for h, c := range counts {
				left -= int64(h) * c
			}
			for before := m; before <= min(n, m+b); before++ {
				// |Ĩ_{s+2}|: u_{s+1} = m − (1 − b/n)·before
				if ExactHypergeometric(n, before, b).Prob(int64(before-m)).Sign() == 0 {
					continue
				}
				later := frac(int64(n)*int64(m)-int64(n-b)*int64(before), int64(n))
				for h, c := range counts {
					// u = bm/n − h is EΣã − Σã where Σã = h, and Σã − EΣã where Σã = 2bm/n − h
					risen := new(big.Rat)
					if twice := 2 * b * m; twice%n == 0 {
						risen = draws.Prob(int64(twice/n - h))
					}
					try(formula.Ratios{"n": frac(int64(n), 1), "b": frac(int64(b), 1),
						"m": frac(int64(m), 1), "left": frac(left, all), "likely": frac(c, all),
						"fallen": draws.Prob(int64(h)),
						"risen":  risen, "mean": mean, "later": later})
				}
			}
		})
	}}

// meanDeviation is E u_s given that the later sets leave m indexes.
func meanDeviation(n, b, m int, counts []int64, all int64) *big.Rat {
	mean := new(big.Rat)
	for h, c := range counts {
		u := frac(int64(b)*int64(m)-int64(n)*int64(h), int64(n)) // m − h − (1 − b/n)m
		mean.Add(mean, u.Mul(u, frac(c, all)))
	}
	return mean
}

// drawnSets are some, one after the other from t down to s.
var drawnSets = &formula.Scene{Words: lawWords, Sizes: []string{"n", "b"},
	Said: "for sets that are drawn, n ≤ 40, t − s + 1 ≤ 12",
	Means: map[string]string{"m": "$t − s + 1$", "left": "$|Ĩ_s^t|$",
		"deviations": "$Σ_{τ=s}^t(1 − b/n)^{τ−s}u_τ^t$"},
	Exact: func(src *props.Source, try func(formula.Ratios)) {
		n := src.Int("n", 1, 40)
		b, steps := src.Int("b", 1, n), src.Int("t−s+1", 1, 12)
		rng, drawn := src.Rand("sets"), make([]bool, n)
		keep, sum, left := frac(int64(n-b), int64(n)), new(big.Rat), n
		for range steps { // Horner's scheme, from τ = t on
			expected := new(big.Rat).Mul(keep, frac(int64(left), 1))
			for _, i := range rng.Perm(n)[:b] {
				if !drawn[i] {
					drawn[i] = true
					left--
				}
			}
			sum.Mul(sum, keep)
			sum.Add(sum, expected.Sub(frac(int64(left), 1), expected))
		}
		try(formula.Ratios{"n": frac(int64(n), 1), "b": frac(int64(b), 1),
			"m": frac(int64(steps), 1), "left": frac(int64(left), 1), "deviations": sum})
	}}

// sets are those of up to six steps, for small n with all sequences of them.
var sets = &formula.Scene{Words: lawWords, Scope: certificate.Sizes, Sizes: []string{"n", "b"},
	Said:  "all n ≤ 10, all b, t − s + 1 ≤ 6 by the exact law; all sequences of sets for n ≤ 4, t − s + 1 ≤ 3",
	Means: map[string]string{"m": "$t − s + 1$", "left": "$E|Ĩ_s^t|$"},
	Exact: func(_ *props.Source, try func(formula.Ratios)) {
		for n := 1; n <= 10; n++ {
			for b := 1; b <= n; b++ {
				for steps := 1; steps <= 6; steps++ {
					on := formula.Ratios{"n": frac(int64(n), 1), "b": frac(int64(b), 1),
						"m": frac(int64(steps), 1), "left": ExactUnsampledLaw(n, b, steps).Mean()}
					if try(on); n <= 4 && steps <= 3 {
						on["left"] = enumeratedMean(n, b, steps)
						try(on)
					}
				}
			}
		}
	}}

// enumeratedMean is E|Ĩ_s^t| over all sequences of sets.
func enumeratedMean(n, b, steps int) *big.Rat {
	var left, all int64
	var visit func(union, step int)
	visit = func(union, step int) {
		if step == steps {
			left += int64(n - bits.OnesCount(uint(union)))
			all++
			return
		}
		subsets(n, b, func(set int) { visit(union|set, step+1) })
	}
	visit(0, 0)
	return frac(left, all)
}
