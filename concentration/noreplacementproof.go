package concentration

import (
	"math"
	"math/big"

	"sledge/props"
)

// draft is a state in the middle of the sampling that proposition:BernsteinNoReplacement is proved for: k integer vectors with sum zero, of which the first
// i have been drawn (their order is random, so "the first" is no restriction), l ≤ k/2 draws in all.
type draft struct {
	k, l, i int
	a       [][]int64
}

// drawDraft draws a state with i < l ≤ k/2 and vectors of dimension d. Entries are small integers; some populations are mostly zeros or nearly constant,
// where the inequalities are tight.
func drawDraft(src *props.Source, d int) draft {
	k := src.Int("k", 2, 12)
	l := src.Int("l", 1, k/2)
	s := draft{k: k, l: l, i: src.Int("i", 0, l-1), a: make([][]int64, k)}
	shape, rng := src.Pick("population", "any", "zeros first", "ones first"), src.Rand("entries")
	for j := range s.a {
		s.a[j] = make([]int64, d)
		for c := range d {
			switch {
			case shape == 1 && j < s.i, shape == 1 && j+1 < k && rng.IntN(4) == 0:
			case shape == 2 && j < s.i:
				s.a[j][c] = 1
			default:
				s.a[j][c] = rng.Int64N(9) - 4
			}
		}
	}
	for c := range d { // the last vector balances the sum
		s.a[k-1][c] = 0
		for j := range k - 1 {
			s.a[k-1][c] -= s.a[j][c]
		}
	}
	return s
}

// sum returns Σ a_j over from ≤ j < to.
func (s *draft) sum(from, to int) []int64 {
	r := make([]int64, len(s.a[0]))
	for _, a := range s.a[from:to] {
		for c, v := range a {
			r[c] += v
		}
	}
	return r
}

func norm2(a []int64) int64 {
	var s int64
	for _, v := range a {
		s += v * v
	}
	return s
}

// squares returns Σ‖a_j‖² over from ≤ j < to, and the largest term.
func (s *draft) squares(from, to int) (sum, largest int64) {
	for _, a := range s.a[from:to] {
		sum += norm2(a)
		largest = max(largest, norm2(a))
	}
	return sum, largest
}

// centred2 returns ‖(k−i)x − Σ remaining‖², which is (k−i)² times the squared distance of x from the mean of the vectors that are left.
func (s *draft) centred2(x []int64) int64 {
	rest := s.sum(s.i, s.k)
	var r int64
	for c, v := range x {
		e := int64(s.k-s.i)*v - rest[c]
		r += e * e
	}
	return r
}

func frac(num, den int64) *big.Rat { return big.NewRat(num, den) }

var scaledSumMartingale = []props.Claim{{
	ID: "noreplace-scaled-sum-martingale", Part: "concentration", Tier: 2, Kind: "identity", Lines: "1015-1024", Label: "proposition:BernsteinNoReplacement",
	Holds:     []string{"E[y_{i+1}|F_i] as ((k−i−1)/(k−i)) y_i"},
	Statement: "E[y_{i+1}|F_i] = y_i + (1/(k−i))(Σ_{j=1}^n a_j − Σ_{j≤i} x_j) = ((k−i−1)/(k−i)) y_i, so y_i/(k−i) is a martingale",
	Notes: "Fails: the first sum runs to n, the number of components, but the population has k members; with n ≠ k it is neither the conditional mean nor the last " +
		"expression. With k for n (a slip of the pen) every step holds.",
	Expect: props.Refuted,
	Check: props.Identity(func(src *props.Source, rec *props.Recorder) {
		s := drawDraft(src, 1)
		n := src.Int("n", 1, s.k) // a_j exists for j ≤ k only
		left := int64(s.k - s.i)
		y := s.sum(0, s.i)[0]
		mean := new(big.Rat).Add(frac(y, 1), frac(s.sum(s.i, s.k)[0], left))
		middle := new(big.Rat).Add(frac(y, 1), frac(s.sum(0, n)[0]-y, left))
		last := frac((left-1)*y, left)
		rec.Rats("E[y_{i+1}|F_i] as the expression with Σ_{j≤n} a_j", mean, props.EQ, middle)
		rec.Rats("E[y_{i+1}|F_i] as ((k−i−1)/(k−i)) y_i", mean, props.EQ, last)
	}),
}, {
	ID: "noreplace-scaled-sum-martingale/corrected", Part: "concentration", Tier: 2, Kind: "identity", Lines: "1015-1024", Label: "proposition:BernsteinNoReplacement",
	Statement: "E[y_{i+1}|F_i] = y_i + (1/(k−i))(Σ_{j=1}^k a_j − Σ_{j≤i} x_j) = ((k−i−1)/(k−i)) y_i for i < k, so y_i/(k−i) is a martingale up to i = k − 1",
	Notes:     "All expressions are linear in the population, so a basis of the populations with sum zero settles all vectors.",
	Expect:    props.Proved,
	Check: props.Exact("all k ≤ 8, all i < k, all sets of i drawn members, the basis e_m − e_k of the populations with sum zero", func(rec *props.Recorder) {
		for k := 2; k <= 8; k++ {
			for drawn := range 1 << k {
				for m := range k - 1 {
					var y, rest, all int64
					i := 0
					for j := range k {
						var a int64
						switch j {
						case m:
							a = 1
						case k - 1:
							a = -1
						}
						all += a
						if drawn>>j&1 == 1 {
							i++
							y += a
						} else {
							rest += a
						}
					}
					if i == k {
						continue
					}
					left := int64(k - i)
					mean := new(big.Rat).Add(frac(y, 1), frac(rest, left)) // over the members that are left
					rec.Rats("the conditional mean and its first form", mean, props.EQ, new(big.Rat).Add(frac(y, 1), frac(all-y, left)))
					rec.Rats("the conditional mean and ((k−i−1)/(k−i)) y_i", mean, props.EQ, frac((left-1)*y, left))
					if left > 1 {
						rec.Rats("E[y_{i+1}/(k−i−1)|F_i] and y_i/(k−i)", new(big.Rat).Quo(mean, frac(left-1, 1)), props.EQ, frac(y, left))
					}
				}
			}
		}
	}),
}}

var incrementRange = []props.Claim{{
	ID: "noreplace-increment-range", Part: "concentration", Tier: 2, Kind: "inequality", Lines: "1027-1035", Label: "proposition:BernsteinNoReplacement",
	Holds:     []string{"‖x_{i+1}/(k−i−1)‖² against R²/(k−l)²"},
	Statement: "‖(1/(k−i−1)) y_{i+1} − E[(1/(k−i−1)) y_{i+1}|F_i]‖² ≤ ‖x_{i+1}/(k−i−1)‖² ≤ R²/(k−l)²",
	Notes: "Fails: subtracting the conditional mean −y_i/(k−i) can lengthen a single outcome; only its mean square cannot grow. Both the first inequality and the " +
		"conclusion fail, already for the population 1, 1, −1, −1 with i = 1. The increments are at most k/(k−i) < 2 times as long, so the proof survives with " +
		"2R for R.",
	Expect: props.Refuted,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s := drawDraft(src, src.Int("d", 1, 2))
		_, r2 := s.squares(0, s.k)
		if r2 == 0 {
			rec.Skip("all vectors are zero")
			return
		}
		left, ahead := int64(s.k-s.i), int64(s.k-s.i-1)
		for _, x := range s.a[s.i:] {
			increment := frac(s.centred2(x), left*left*ahead*ahead)
			length := frac(norm2(x), ahead*ahead)
			bound := frac(r2, int64(s.k-s.l)*int64(s.k-s.l))
			rec.Rats("increment against ‖x_{i+1}/(k−i−1)‖²", increment, props.LE, length)
			rec.Rats("‖x_{i+1}/(k−i−1)‖² against R²/(k−l)²", length, props.LE, bound)
			rec.Rats("increment against R²/(k−l)²", increment, props.LE, bound)
		}
	}),
}, {
	ID: "noreplace-increment-range/corrected", Part: "concentration", Tier: 2, Kind: "inequality", Lines: "1027-1035", Label: "proposition:BernsteinNoReplacement",
	Statement: "‖(1/(k−i−1)) y_{i+1} − E[(1/(k−i−1)) y_{i+1}|F_i]‖² ≤ (k/(k−i))² R²/(k−i−1)² ≤ 4R²/(k−l)² for i < l ≤ k/2",
	Notes:     "‖y_i‖ ≤ iR. The first bound is attained: i vectors equal to R and then −R.",
	Expect:    props.Consistent,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s := drawDraft(src, src.Int("d", 1, 2))
		_, r2 := s.squares(0, s.k)
		left, ahead, k := int64(s.k-s.i), int64(s.k-s.i-1), int64(s.k)
		sharp := frac(k*k*r2, left*left*ahead*ahead)
		for _, x := range s.a[s.i:] {
			rec.Rats("increment against (k/(k−i))² R²/(k−i−1)²", frac(s.centred2(x), left*left*ahead*ahead), props.LE, sharp)
		}
		rec.Rats("(k/(k−i))² R²/(k−i−1)² against 4R²/(k−l)²", sharp, props.LE, frac(4*r2, int64(s.k-s.l)*int64(s.k-s.l)))
	}),
}}

var incrementVariance = props.Claim{
	ID: "noreplace-increment-variance", Part: "concentration", Tier: 2, Kind: "moment", Lines: "1037-1044", Label: "proposition:BernsteinNoReplacement",
	Statement: "The conditional second moment of that increment is ≤ 2σ²/(k−l)² when l ≤ k/2",
	Notes:     "Every link of the chain is compared, in exact arithmetic, with the expectation taken over the members that are left.",
	Expect:    props.Consistent,
	Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s := drawDraft(src, src.Int("d", 1, 3))
		left, ahead, k := int64(s.k-s.i), int64(s.k-s.i-1), int64(s.k)
		var centred, plain int64
		for _, x := range s.a[s.i:] {
			centred += s.centred2(x)
			plain += norm2(x)
		}
		all, _ := s.squares(0, s.k)
		drawn, _ := s.squares(0, s.i)
		moment := frac(centred, left*left*left*ahead*ahead)
		second := frac(plain, left*ahead*ahead)
		third := frac(all-drawn, left*ahead*ahead)
		last := frac(2*all, k*int64(s.k-s.l)*int64(s.k-s.l))
		rec.Rats("E‖increment‖² against E‖x_{i+1}/(k−i−1)‖²", moment, props.LE, second)
		rec.Rats("E‖x_{i+1}/(k−i−1)‖² as (Σ‖a_j‖² − Σ‖x_j‖²)/((k−i)(k−i−1)²)", second, props.EQ, third)
		rec.Rats("that against 2σ²/(k−l)²", third, props.LE, last)
		rec.Rats("E‖increment‖² against 2σ²/(k−l)²", moment, props.LE, last)
		for _, link := range []struct {
			name string
			v    *big.Rat
		}{{"E‖increment‖²", moment}, {"E‖x_{i+1}‖²/(k−i−1)²", second}, {"2σ²/(k−l)²", last}} {
			f, _ := link.v.Float64()
			rec.Link(link.name, f)
		}
	}),
}

// substitution is what the matrix Freedman bound (line 1010) becomes for the scaled sum y_l/(k−l): R'² = R²/(k−l)², σ'² = 2σ²/(k−l)² (line 1025) and the
// threshold t/(k−l). It returns the magnitude of the exponent.
func substitution(k, l, sigma2, R, t *big.Rat) *big.Rat {
	rat := func() *big.Rat { return new(big.Rat) }
	scale := rat().Sub(k, l)
	threshold, lengths := rat().Quo(t, scale), rat().Quo(R, scale)
	variance := rat().Quo(rat().Mul(big.NewRat(2, 1), sigma2), rat().Mul(scale, scale))
	num := rat().Mul(big.NewRat(1, 2), rat().Mul(threshold, threshold))
	den := rat().Add(rat().Mul(l, variance), rat().Mul(rat().Mul(lengths, threshold), big.NewRat(1, 3)))
	return num.Quo(num, den)
}

// exponent is t²/(a·lσ² + b·Rt).
func exponent(a, b, l, sigma2, R, t *big.Rat) *big.Rat {
	rat := func() *big.Rat { return new(big.Rat) }
	den := rat().Add(rat().Mul(a, rat().Mul(l, sigma2)), rat().Mul(b, rat().Mul(R, t)))
	return den.Quo(rat().Mul(t, t), den)
}

// drawExponent draws a sample size l ≤ k/2, σ² ≤ R² and t ≤ lR, all as exact rational numbers.
func drawExponent(src *props.Source) (k, l, sigma2, R, t *big.Rat) {
	rat := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
	kk := src.LogInt("k", 2, 1e6)
	ll := src.LogInt("l", 1, kk/2)
	R = rat(src.LogReal("R", 1e-6, 1e6))
	sigma2 = new(big.Rat).Mul(new(big.Rat).Mul(R, R), rat(src.LogReal("σ²/R²", 1e-6, 1)))
	t = new(big.Rat).Mul(R, rat(float64(ll)*src.LogReal("t/(lR)", 1e-6, 1)))
	return rat(float64(kk)), rat(float64(ll)), sigma2, R, t
}

var freedmanSubstitution = []props.Claim{{
	ID: "noreplace-freedman-substitution", Part: "concentration", Tier: 2, Kind: "implication", Lines: "1025, 1045-1051", Label: "proposition:BernsteinNoReplacement",
	Statement: "Inserting R'² = R²/(k−l)², σ'² = 2σ²/(k−l)² and threshold t/(k−l) into the matrix Freedman bound yields the exponent −t²/(2lσ² + Rt/3)",
	Notes:     "Fails by exactly a factor 2 everywhere: the numerator is t²/2. The bound that is reached is therefore the square root of the one that is stated (but for d + 1).",
	Uses:      []string{"matrix-freedman-tail"},
	Expect:    props.Refuted,
	Check: props.Implication(func(src *props.Source, rec *props.Recorder) {
		k, l, sigma2, R, t := drawExponent(src)
		rec.Rats("magnitude of the exponent", exponent(big.NewRat(2, 1), big.NewRat(1, 3), l, sigma2, R, t), props.EQ, substitution(k, l, sigma2, R, t))
	}),
}, {
	ID: "noreplace-freedman-substitution/corrected", Part: "concentration", Tier: 2, Kind: "implication", Lines: "1025, 1045-1051",
	Label: "proposition:BernsteinNoReplacement",
	Statement: "The same substitution yields the exponent −(t²/2)/(2lσ² + Rt/3); with the range 2R/(k−l) that the increments really have it yields " +
		"−(t²/2)/(2lσ² + 2Rt/3)",
	Notes: "A complete proof along the printed lines gives (d+1) exp(−t²/(4lσ² + 4Rt/3)), twice as large an exponent's denominator as the best known " +
		"form (noreplace-bernstein-tail/corrected). C_1 absorbs the factor.",
	Uses:   []string{"matrix-freedman-tail", "noreplace-increment-range/corrected", "noreplace-increment-variance"},
	Expect: props.Consistent,
	Check: props.Implication(func(src *props.Source, rec *props.Recorder) {
		k, l, sigma2, R, t := drawExponent(src)
		rec.Rats("magnitude of the exponent with R' = R/(k−l)", exponent(big.NewRat(4, 1), big.NewRat(2, 3), l, sigma2, R, t), props.EQ,
			substitution(k, l, sigma2, R, t))
		twice := new(big.Rat).Add(R, R)
		rec.Rats("magnitude of the exponent with R' = 2R/(k−l)", exponent(big.NewRat(4, 1), big.NewRat(4, 3), l, sigma2, R, t), props.EQ,
			substitution(k, l, sigma2, twice, t))
	}),
}}

// tailConstant returns the smallest C for which the threshold t = C·unit makes (d+1)·exp(−t²/(A·V + B·R·t)) at most e^logDelta.
func (f bernsteinForm) tailConstant(d int, logDelta, variance, R, unit float64) float64 {
	a, _ := f.A.Float64()
	b, _ := f.B.Float64()
	need := math.Log(float64(d)+1) - logDelta // t² ≥ need·(A·V + B·R·t)
	half := need * b * R / 2
	return (half + math.Sqrt(half*half+need*a*variance)) / unit
}

// drawScale draws lσ² and R for vectors measured in any unit: σ ≤ R and l from 1 up.
func drawScale(src *props.Source) (variance, R float64) {
	R = src.LogReal("R", 1e-6, 1e6)
	sigma := R * src.LogReal("σ/R", 1e-4, 1)
	return float64(src.LogInt("l", 1, 1e6)) * sigma * sigma, R
}

var thresholdChoice = []props.Claim{{
	ID: "noreplace-threshold-choice", Part: "concentration", Tier: 2, Kind: "implication", Lines: "1055", Label: "proposition:BernsteinNoReplacement",
	Statement: "Setting t = C_1·(lσ² + R) gives the second assertion ‖Σx_i‖² ≤ C_1²(lσ² + R²)",
	Notes: "Fails in both ways in which it could be meant, because lσ² has the unit of a squared length and R that of a length. Large vectors: (lσ² + R)² exceeds lσ² + R² as " +
		"soon as lσ² + 2R > 1. Small vectors: t is then too small for the tail to be below ν/poly, by any factor, when lσ²/R² is large. With the square root of the " +
		"variance the step is right.",
	Uses:   []string{"noreplace-bernstein-tail"},
	Expect: props.Refuted,
	Check: props.All(
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			v, r := drawScale(src)
			variance, R := new(big.Rat).SetFloat64(v), new(big.Rat).SetFloat64(r)
			t := new(big.Rat).Add(variance, R)
			rec.Rats("(t/C_1)² against lσ² + R²", new(big.Rat).Mul(t, t), props.LE, new(big.Rat).Add(variance, new(big.Rat).Mul(R, R)))
		}),
		props.Order(func(src *props.Source) (measured, claimed float64) {
			variance, R := drawScale(src)
			d := src.LogInt("d", 1, 1e6)
			sizes := drawSizes(src, d)
			return printedNoReplacement.tailConstant(d, sizes.LogAllowance(), variance, R, variance+R), sizes.Log()
		}),
	),
}, {
	ID: "noreplace-threshold-choice/corrected", Part: "concentration", Tier: 2, Kind: "implication", Lines: "1055", Label: "proposition:BernsteinNoReplacement",
	Statement: "Setting t = C_1·√(lσ² + R²) with C_1 = O(log(1/ν + n + P + d + T + K)) in (d+1) exp(−t²/(2lσ² + 2Rt/3)) ≤ ν/poly gives the second assertion",
	Notes:     "t² = C_1²(lσ² + R²) by definition; checked is that one constant in C_1 makes the tail at t at most ν/(nPTK)², in every unit of length.",
	Uses:      []string{"noreplace-bernstein-tail/corrected"},
	Expect:    props.Consistent,
	Check: props.Order(func(src *props.Source) (measured, claimed float64) {
		variance, R := drawScale(src)
		d := src.LogInt("d", 1, 1e6)
		sizes := drawSizes(src, d)
		return bernstein.tailConstant(d, sizes.LogAllowance(), variance, R, math.Sqrt(variance+R*R)), sizes.Log()
	}),
}}
