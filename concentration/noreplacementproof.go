package concentration

import (
	"math"
	"math/big"
	"math/bits"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
)

// draft is a state in the middle of the sampling that proposition:BernsteinNoReplacement is proved
// for: k integer vectors with sum zero, of which the first i have been drawn (their order is
// random, so "the first" is no restriction), l ≤ k/2 draws in all.
type draft struct {
	k, l, i int
	a       [][]int64
}

// drawDraft draws a state with i < l ≤ k/2 and vectors of dimension d. Entries are small integers;
// some populations are mostly zeros or nearly constant, where the inequalities are tight.
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

// centred2 returns ‖(k−i)x − Σ remaining‖², which is (k−i)² times the squared distance of x from
// the mean of the vectors that are left.
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

// scaledSums are what is drawn and left of the basis e_m − e_k of the populations with sum zero.
var scaledSums = &formula.Scene{Words: lawWords, Scope: certificate.Sizes, Sizes: []string{"k", "i"},
	Said: "all k ≤ 8, all i < k, all sets of i drawn members, the basis e_m − e_k of the populations " +
		"with sum zero",
	Means: map[string]string{"drawn": "$y_i$", "left": "the sum of the others",
		"mean": "$E[y_{i+1}|F_i]$"},
	Exact: func(_ *props.Source, try func(formula.Ratios)) {
		for k := 2; k <= 8; k++ {
			for set := range 1<<k - 1 {
				for m := range k - 1 {
					a := func(j int) int64 { // of which the last is −1
						return map[int]int64{m: 1, k - 1: -1}[j]
					}
					var drawn, left, next int64
					others := int64(k - bits.OnesCount(uint(set)))
					for j := range k {
						if set>>j&1 == 1 {
							drawn += a(j)
						} else {
							left += a(j)
						}
					}
					for j := range k {
						if set>>j&1 == 0 {
							next += drawn + a(j)
						}
					}
					try(formula.Ratios{"k": frac(int64(k), 1), "i": frac(int64(k)-others, 1),
						"drawn": frac(drawn, 1), "left": frac(left, 1), "mean": frac(next, others)})
				}
			}
		}
	}}

// increments are all that may be drawn next.
var increments = &formula.Scene{Words: lawWords,
	Said: "for $i < l ≤ k/2$ of $k ≤ 12$ vectors of integers with sum zero in one or two dimensions, and " +
		"every vector that may be drawn next",
	Sizes: []string{"k", "l", "i", "R"}, Whole: true,
	Means: map[string]string{"‖x‖": "$‖x_{i+1}‖$",
		"apart": "$‖(k−i)x_{i+1} − Σ_{j>i}x_j‖ = (k−i)‖x_{i+1} − E[x_{i+1}|F_i]‖$"},
	Draw: func(src *props.Source, rec *props.Recorder, try func(name string, on formula.Values)) {
		s := drawDraft(src, src.Int("d", 1, 2))
		_, r2 := s.squares(0, s.k)
		if r2 == 0 {
			rec.Skip("all vectors are zero")
			return
		}
		at := map[string]float64{"k": float64(s.k), "l": float64(s.l), "i": float64(s.i),
			"R": math.Sqrt(float64(r2))}
		for _, x := range s.a[s.i:] {
			at["apart"], at["‖x‖"] = math.Sqrt(float64(s.centred2(x))), math.Sqrt(float64(norm2(x)))
			try("", formula.Given(at))
		}
	}}

// meanIncrements are their second moments, over all vectors that may be drawn next.
var meanIncrements = &formula.Scene{Words: lawWords, Effort: 1, Sizes: []string{"k", "l", "i"},
	Said: "for $i < l ≤ k/2$ of $k ≤ 12$ vectors of integers with sum zero in up to three dimensions",
	Means: map[string]string{"centred": "$E‖(k−i)x_{i+1} − Σ_{j>i}x_j‖²$", "plain": "$E‖x_{i+1}‖²$",
		"before": "$Σ_{j≤i}‖x_j‖²$", "V": "$kσ²$"},
	Exact: func(src *props.Source, try func(formula.Ratios)) {
		s := drawDraft(src, src.Int("d", 1, 3))
		var centred, plain int64
		for _, x := range s.a[s.i:] {
			centred += s.centred2(x)
			plain += norm2(x)
		}
		all, _ := s.squares(0, s.k)
		before, _ := s.squares(0, s.i)
		try(formula.Ratios{"k": frac(int64(s.k), 1), "l": frac(int64(s.l), 1), "i": frac(int64(s.i), 1),
			"centred": frac(centred, int64(s.k-s.i)), "plain": frac(plain, int64(s.k-s.i)),
			"before": frac(before, 1), "V": frac(all, 1)})
	}}
