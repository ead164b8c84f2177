package concentration

import (
	"math"
	"math/big"

	"sledge/props"
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

var scaledSumMartingale = []props.Binding{
	props.Bind("noreplace-scaled-sum-martingale",
		props.ExactSizes("all k ≤ 8, all i < k, all sets of i drawn members, "+
			"the basis e_m − e_k of the populations with sum zero", func(rec *props.Recorder) {
			for k := 2; k <= 8; k++ {
				for drawn := range 1 << k {
					for m := range k - 1 {
						a := make([]int64, k)
						a[m], a[k-1] = 1, -1
						var y, rest, left int64
						for j, v := range a {
							if drawn>>j&1 == 1 {
								y += v
							} else {
								rest, left = rest+v, left+1
							}
						}
						if left == 0 {
							continue
						}
						// over the members that are left
						mean := new(big.Rat).Add(frac(y, 1), frac(rest, left))
						rec.Rats("the conditional mean and its first form", mean, props.EQ,
							new(big.Rat).Add(frac(y, 1), frac(-y, left)))
						rec.Rats("the conditional mean and ((k−i−1)/(k−i)) y_i", mean, props.EQ,
							frac((left-1)*y, left))
						if left > 1 {
							rec.Rats("E[y_{i+1}/(k−i−1)|F_i] and y_i/(k−i)",
								new(big.Rat).Quo(mean, frac(left-1, 1)), props.EQ, frac(y, left))
						}
					}
				}
			}
		})),
}

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

var incrementVariance = props.Bind("noreplace-increment-variance",
	props.Inequality(func(src *props.Source, rec *props.Recorder) {
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
		rec.Rats("E‖x_{i+1}/(k−i−1)‖² as (Σ‖a_j‖² − Σ‖x_j‖²)/((k−i)(k−i−1)²)", second,
			props.EQ, third)
		rec.Rats("that against 2σ²/(k−l)²", third, props.LE, last)
		rec.Rats("E‖increment‖² against 2σ²/(k−l)²", moment, props.LE, last)
		for _, link := range []struct {
			name string
			v    *big.Rat
		}{{"E‖increment‖²", moment}, {"E‖x_{i+1}‖²/(k−i−1)²", second}, {"2σ²/(k−l)²", last}} {
			f, _ := link.v.Float64()
			rec.Link(link.name, f)
		}
	}))
