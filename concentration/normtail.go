package concentration

import (
	"math"
	"math/big"

	"sledge/props"
	"sledge/props/enclosure"
)

// deviation is a random matrix or vector S of mean zero whose norm has a computable law. Lengths
// are in a unit in which the numbers below are integers.
type deviation struct {
	// law is that of ‖S‖², or of the square of one entry when copies > 1; it may lack points of
	// probability below 1e-300.
	law Law
	// enclose certifies P(‖S‖² ≥ square) for the same; if it is nil, violations are not certified.
	enclose func(square int64) enclosure.Interval
	// copies is above 1 where S is the diagonal matrix of so many independent copies, and ‖S‖ the
	// largest of them.
	copies   int
	variance int64 // V: the variance of S
	range2   int64 // R²: the square of the largest length of a term
	dims     int   // d1 + d2
}

// logTail turns the logarithm of the tail of one entry into that of ‖S‖.
func (d *deviation) logTail(entry float64) float64 {
	if d.copies <= 1 {
		return entry
	}
	entry = min(entry, 0)
	if entry < -30 { // 1-(1-p)^m = m p up to a relative error below m p
		return entry + math.Log(float64(d.copies))
	}
	return math.Log(-math.Expm1(float64(d.copies) * math.Log1p(-math.Exp(entry))))
}

// certified encloses P(‖S‖² ≥ square).
func (d *deviation) certified(square int64) enclosure.Interval {
	p := d.enclose(square)
	if d.copies <= 1 {
		return p
	}
	one := enclosure.Int(1)
	return one.Sub(one.Sub(p).Pow(d.copies))
}

// exactly turns an exact law of ‖S‖² into what enclose is to be. The law is computed on the first
// use.
func exactly(law func() ExactLaw) func(int64) enclosure.Interval {
	return func(square int64) enclosure.Interval { return enclosure.Rat(law().Upper(square)) }
}

// smallestLog keeps recorded probabilities above 1e-300, where float64 still has full precision.
var smallestLog = math.Log(1e-300)

// regimes are the ranges of the bound that are searched separately: the far tail, where errors of
// the exponent show, would otherwise hide behind the small t, where every bound of this shape is
// within a factor 2 of the truth.
var regimes = [...]struct {
	what   string
	lowest float64 // logarithm of the smallest bound
}{
	{"P(‖S‖ ≥ t) at the worst t with a bound in [1e-3, 1)", math.Log(1e-3)},
	{"P(‖S‖ ≥ t) at the worst t with a bound in [1e-12, 1e-3)", math.Log(1e-12)},
	{"P(‖S‖ ≥ t) at the worst t with a bound in [1e-60, 1e-12)", math.Log(1e-60)},
	{"P(‖S‖ ≥ t) at the worst t with a bound in [1e-300, 1e-60)", smallestLog},
}

// against compares the tail of ‖S‖ with a bound at every t of the support where the bound says
// something (is below 1), and records the t with the largest ratio in each regime. Violations are
// confirmed by the lower end of the tail against the upper end of the bound.
func (d *deviation) against(rec *props.Recorder, logBound func(t float64) float64,
	enclosed func(square int64) (enclosure.Interval, error)) {
	type point struct {
		square   int64
		p, bound float64
	}
	var worst [len(regimes)]point
	tail, regime := math.Inf(-1), len(regimes)-1
	squares := d.law.Support()
	every := len(squares)/40 + 1
	rec.Plot("Tail of ‖S‖", "t/√V", "P(‖S‖ ≥ t)")
	for i := len(squares) - 1; i >= 0 && squares[i] > 0; i-- {
		tail = logAdd(tail, d.law.logp[i])
		t := math.Sqrt(float64(squares[i]))
		p, bound := d.logTail(tail), logBound(t)
		if bound >= 0 {
			break // and for all smaller t
		}
		if p < smallestLog || bound < smallestLog {
			continue
		}
		for regime > 0 && bound >= regimes[regime-1].lowest {
			regime--
		}
		if w := &worst[regime]; w.square == 0 || p-bound > w.p-w.bound {
			*w = point{squares[i], p, bound}
		}
		if i%every == 0 {
			rec.Point(t/math.Sqrt(float64(d.variance)), math.Exp(p), math.Exp(bound))
		}
	}
	none := true
	for k, w := range worst {
		if w.square == 0 {
			continue
		}
		none = false
		pair := rec.AtMost(regimes[k].what, math.Exp(w.p), math.Exp(w.bound))
		if d.enclose != nil {
			pair.Decidedly(func() (*big.Rat, *big.Rat) {
				bound, err := enclosed(w.square)
				if err != nil {
					return nil, nil
				}
				return d.certified(w.square).Lower(), bound.Upper()
			})
		}
	}
	if none {
		rec.Skip(
			"the bound is at least 1 at every value that ‖S‖ takes with probability above 1e-300")
	}
}

// atMost records one tail probability against a bound, apart for moderate and for small bounds; a
// bound of 1 or more claims nothing.
func atMost(rec *props.Recorder, what string, p, bound float64) {
	switch {
	case bound >= 1:
		rec.Skip("the bound is at least 1")
	case bound >= 1e-3:
		rec.AtMost(what+", bound in [1e-3, 1)", p, bound)
	default:
		rec.AtMost(what+", bound below 1e-3", p, bound)
	}
}

// skewedSum is the law of qN − k with N binomial(k, 1/q): a sum of k independent variables that
// take the value q − 1 with probability 1/q and −1 otherwise. Each has mean 0, variance q − 1 and
// length at most q − 1.
func skewedSum(k int, q int64) Law {
	return Binomial(k, 1/float64(q)).Map(func(x int64) int64 { return q*x - int64(k) })
}

// skewedSquare is the law of its square, without points of probability below 1e-300.
func skewedSquare(k int, q int64) Law {
	return binomial(k, 1/float64(q), smallestLog).Squares(q, int64(k))
}

// encloseSkewedSquare encloses P((qN − k)² ≥ square).
func encloseSkewedSquare(k int, q int64) func(square int64) enclosure.Interval {
	return func(square int64) enclosure.Interval {
		return twoSided(q, int64(k), square,
			func(x int) enclosure.Interval { return EncloseBinomial(k, 1, q, x) },
			func(x int) enclosure.Interval { return EncloseBinomial(k, q-1, q, k-x) })
	}
}

// twoSided encloses P((scale·N − shift)² ≥ square) for square > 0 from functions that enclose P(N ≥
// x) and P(N ≤ x).
func twoSided(scale, shift, square int64, upper,
	lower func(x int) enclosure.Interval) enclosure.Interval {
	root := new(big.Int).Sqrt(big.NewInt(square)).Int64()
	if root*root < square {
		root++
	}
	high := ceilDiv(shift+root, scale)
	low := -ceilDiv(root-shift, scale) // scale·x ≤ shift − root
	return upper(int(high)).Add(lower(int(low)))
}

func ceilDiv(a, b int64) int64 {
	q := a / b
	if a%b > 0 {
		q++
	}
	return q
}

func exactSkewedSum(k int, q int64) ExactLaw {
	return ExactBinomial(k, 1, q).Map(func(x int64) int64 { return q*x - int64(k) })
}

func square(x int64) int64 { return x * x }

// drawIndependent draws a sum of independent terms: skewed two-point variables in one direction,
// mixed with signs of another size, as the diagonal of a matrix, or spread over orthogonal
// directions.
func drawIndependent(src *props.Source) *deviation {
	shape := src.Pick("shape", "one direction", "two sizes", "diagonal matrix",
		"orthogonal directions")
	q := int64(src.LogInt("q", 2, 2000))
	if shape == 3 {
		d, m := src.Int("d", 2, 5), src.Int("terms per direction", 1, 8)
		return orthogonalSum(d, m, q)
	}
	k := src.LogInt("k", 1, 100_000)
	if shape == 1 {
		k = min(k, 40)
	}
	r := &deviation{
		law:      skewedSquare(k, q),
		enclose:  encloseSkewedSquare(k, q),
		variance: int64(k) * (q - 1),
		range2:   square(q - 1),
		dims:     2,
	}
	switch shape {
	case 1:
		signs, size := src.LogInt("signs", 1, 40), int64(src.LogInt("size of a sign", 1, 1000))
		small := TwoPoint(-size, size, 0.5)
		r.law = skewedSum(k, q).Plus(small.Times(signs)).Squares(1, 0)
		r.enclose = exactly(func() ExactLaw {
			return exactSkewedSum(k, q).Plus(
				ExactTwoPoint(-size, size, 1, 2).Times(signs)).Map(square)
		})
		r.variance = int64(k)*(q-1) + int64(signs)*square(size)
		r.range2 = max(r.range2, square(size))
	case 2:
		r.copies = src.LogInt("d", 2, 1000)
		r.dims = 2 * r.copies
	}
	return r
}

// orthogonalSum is a sum of m skewed terms along each of d orthogonal directions.
func orthogonalSum(d, m int, q int64) *deviation {
	return &deviation{
		law:      skewedSquare(m, q).Times(d),
		enclose:  exactly(func() ExactLaw { return exactSkewedSum(m, q).Map(square).Times(d) }),
		variance: int64(d*m) * (q - 1),
		range2:   square(q - 1),
		dims:     d + 1,
	}
}

// population is a finite population of vectors with sum zero, all lengths in a unit in which the
// numbers are integers.
type population struct {
	k      int   // size
	d      int   // dimension
	square int64 // σ²·k/k: the mean of ‖a_i‖²
	range2 int64 // R²
	// of the squared norm of the sum of a sample; may lack points of probability below 1e-300
	law     func(sample int) Law
	enclose func(sample int) func(square int64) enclosure.Interval
}

// twoValues is the population on the line of marked items at k − marked and the others at −marked.
// Every population of two values with sum zero is a multiple of one of these: one outlier, a
// centred 0/1 population, signs.
func twoValues(k, marked int) *population {
	return &population{
		k: k, d: 1,
		square: int64(marked) * int64(k-marked),
		range2: square(max(int64(marked), int64(k-marked))),
		law: func(l int) Law {
			return hypergeometric(k, marked, l, smallestLog).Squares(int64(k),
				int64(l)*int64(marked))
		},
		enclose: func(l int) func(int64) enclosure.Interval {
			return func(square int64) enclosure.Interval {
				return twoSided(int64(k), int64(l)*int64(marked), square,
					func(x int) enclosure.Interval {
						return EncloseHypergeometric(k, marked, l, x)
					},
					func(x int) enclosure.Interval {
						return EncloseHypergeometric(k, k-marked, l, l-x)
					})
			}
		},
	}
}

// byClasses completes a population whose samples are computed class by class.
func (p *population) byClasses(sample func(l int) ExactLaw) *population {
	p.law = func(l int) Law { return sample(l).Approximate() }
	p.enclose = func(l int) func(int64) enclosure.Interval {
		return exactly(func() ExactLaw { return sample(l) })
	}
	return p
}

// simplex is the population of m copies of each of the d + 1 corners of a regular simplex around
// the origin of R^d.
func simplex(d, m int) *population {
	corners := int64(d + 1)
	p := &population{k: m * (d + 1), d: d, square: corners * (corners - 1),
		range2: corners * (corners - 1)}
	return p.byClasses(func(l int) ExactLaw {
		var classes []Class
		for range corners {
			classes = append(classes, Alike(m,
				func(c int) int64 { return square(corners*int64(c) - int64(l)) }))
		}
		return SampleLaw(l, classes...)
	})
}

// cross is the population of m copies of each of the 2d unit vectors ±e_j of R^d.
func cross(d, m int) *population {
	p := &population{k: 2 * d * m, d: d, square: 1, range2: 1}
	return p.byClasses(func(l int) ExactLaw {
		var classes []Class
		for range d {
			classes = append(classes, Opposites(m,
				func(c int) int64 { return int64(c) * int64(c) }))
		}
		return SampleLaw(l, classes...)
	})
}

// drawPopulation draws a population of at least two vectors.
func drawPopulation(src *props.Source) *population {
	switch src.Pick("population", "two values", "simplex", "cross") {
	case 1:
		return simplex(src.Int("d", 1, 3), src.Int("copies", 1, 6))
	case 2:
		return cross(src.Int("d", 1, 3), src.Int("copies", 1, 4))
	}
	k := src.LogInt("k", 2, 300_000)
	return twoValues(k, src.LogInt("marked", 1, min(k-1, mostMarked)))
}

// mostMarked limits the support of the laws, and mostDrawn the size of the samples that are tried.
const mostMarked, mostDrawn = 10_000, 10_000

// sample returns the deviation of the sum of l vectors drawn without replacement; counted is the
// number of draws that the variance is taken for.
func (p *population) sample(l, counted int) *deviation {
	return &deviation{
		law:      p.law(l),
		enclose:  p.enclose(l),
		variance: int64(counted) * p.square,
		range2:   p.range2,
		dims:     p.d + 1,
	}
}
