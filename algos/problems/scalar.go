package problems

import "math"

// scalar is a smooth function ψ of one variable with the constants that certificates need, in the
// notation of derivatives D.
type scalar struct {
	name           string
	f, df, ddf     func(v float64) float64
	both           func(v float64) (f, df float64) // f and df where they share their costs, or nil
	curvLo, curvHi float64                         // infimum and supremum of D²ψ
	slope          float64                         // supremum of |Dψ|
	third          float64                         // Lipschitz constant of D²ψ
	least          float64                         // infimum of ψ
	mu             float64                         // PL constant, 0 if there is none
	corners        []float64                       // where these are reached or approached
}

// square is v²/2.
var square = &scalar{
	name:   "square",
	f:      func(v float64) float64 { return v * v / 2 },
	df:     func(v float64) float64 { return v },
	ddf:    func(float64) float64 { return 1 },
	curvLo: 1, curvHi: 1, slope: math.Inf(1), mu: 1,
}

// sineMu is the best PL constant of v² + 3 sin²v, rounded down; it is approached at v =
// ±2.20170917.
const sineMu = 0.1755309858

// sine is v² + 3 sin²v: a single stationary point, the minimum, but not convex.
var sine = &scalar{
	name:   "sine",
	f:      func(v float64) float64 { s := math.Sin(v); return v*v + 3*s*s },
	df:     func(v float64) float64 { return 2*v + 3*math.Sin(2*v) },
	ddf:    func(v float64) float64 { return 2 + 6*math.Cos(2*v) },
	curvLo: -4, curvHi: 8, slope: math.Inf(1), third: 12, mu: sineMu,
	corners: []float64{0, math.Pi / 2, math.Pi / 4, 2.20170917},
}

// cosine is cos v − 1: a maximum at 0 with curvature −1, minima at odd multiples of π, bounded
// slope.
var cosine = &scalar{
	name:   "cosine",
	f:      func(v float64) float64 { s := math.Sin(v / 2); return -2 * s * s },
	df:     func(v float64) float64 { return -math.Sin(v) },
	ddf:    func(v float64) float64 { return -math.Cos(v) },
	curvLo: -1, curvHi: 1, slope: 1, third: 1, least: -2,
	corners: []float64{0, math.Pi, math.Pi / 2},
}

// doubleWell is cv²/2 − (1+c) log(1+v²/2), c > 0: a maximum at 0 with curvature −1, minima at
// ±√(2/c), curvature c far away.
func doubleWell(c float64) *scalar {
	b := 1 + c
	return &scalar{
		name: "double well",
		f:    func(v float64) float64 { return c*v*v/2 - b*cauchy.f(v) },
		df:   func(v float64) float64 { return c*v - b*cauchy.df(v) },
		ddf:  func(v float64) float64 { return c - b*cauchy.ddf(v) },

		curvLo: -1, curvHi: c + b/8, slope: math.Inf(1), third: b * cauchy.third,
		least:   1 - b*math.Log1p(1/c),
		corners: []float64{0, math.Sqrt(6), math.Sqrt(2 / c), math.Sqrt2 * (math.Sqrt2 - 1)},
	}
}

// logistic is log(1+e^v).
var logistic = &scalar{
	name: "logistic",
	f:    func(v float64) float64 { return max(v, 0) + math.Log1p(math.Exp(-math.Abs(v))) },
	df: func(v float64) float64 {
		e := math.Exp(-math.Abs(v))
		if v < 0 {
			return e / (1 + e)
		}
		return 1 / (1 + e)
	},
	ddf: func(v float64) float64 {
		e := math.Exp(-math.Abs(v))
		return e / ((1 + e) * (1 + e))
	},
	both: func(v float64) (f, df float64) {
		e := math.Exp(-math.Abs(v))
		f = max(v, 0) + math.Log1p(e)
		if v < 0 {
			return f, e / (1 + e)
		}
		return f, 1 / (1 + e)
	},
	curvLo: 0, curvHi: 0.25, slope: 1, third: 1 / (6 * math.Sqrt(3)),
	corners: []float64{0, math.Log(2 + math.Sqrt(3)), 40, -40},
}

// gemanMcClure is v²/(1+v²).
var gemanMcClure = &scalar{
	name: "Geman-McClure",
	f: func(v float64) float64 {
		if v = math.Abs(v); v > 1 {
			return 1 / (1 + 1/(v*v))
		}
		return v * v / (1 + v*v)
	},
	df: func(v float64) float64 { s := 1 / (1 + v*v); return 2 * v * s * s },
	ddf: func(v float64) float64 {
		s := 1 / (1 + v*v)
		return s * s * (8*s - 6) // (2 − 6v²)/(1+v²)³, also for huge v
	},
	curvLo: -0.5, curvHi: 2,
	slope:   3 * math.Sqrt(3) / 8,
	third:   gemanMcClureThird,
	corners: []float64{0, 1, 1 / math.Sqrt(3), math.Sqrt(1 - 2/math.Sqrt(5))},
}

// The largest third derivative 24v(1−v²)/(1+v²)⁴, at v² = 1 − 2/√5.
var gemanMcClureThird = func() float64 {
	v := math.Sqrt(1 - 2/math.Sqrt(5))
	return 24 * v * (1 - v*v) / math.Pow(1+v*v, 4)
}()

// welsch is 1 − exp(−v²/2).
var welsch = &scalar{
	name: "Welsch",
	f:    func(v float64) float64 { return -math.Expm1(-v * v / 2) },
	df:   func(v float64) float64 { return v * math.Exp(-v*v/2) },
	ddf:  func(v float64) float64 { return (1 - min(v*v, 1e6)) * math.Exp(-v*v/2) },

	curvLo: -2 * math.Exp(-1.5), curvHi: 1, slope: math.Exp(-0.5), third: welschThird,
	corners: []float64{0, math.Sqrt(3), 1, math.Sqrt(3 - math.Sqrt(6))},
}

// The largest third derivative v(3−v²)exp(−v²/2), at v² = 3 − √6.
var welschThird = func() float64 {
	v := math.Sqrt(3 - math.Sqrt(6))
	return v * (3 - v*v) * math.Exp(-v*v/2)
}()

// tukey is (1 − (1−v²)³)/6 for |v| ≤ 1 and 1/6 beyond: its second derivative is continuous, with a
// kink at |v| = 1.
var tukey = &scalar{
	name: "Tukey",
	f: func(v float64) float64 {
		s := max(0, 1-v*v)
		return (1 - s*s*s) / 6
	},
	df: func(v float64) float64 {
		s := max(0, 1-v*v)
		return v * s * s
	},
	ddf: func(v float64) float64 {
		s := max(0, 1-v*v)
		return s * (5*s - 4)
	},
	curvLo: -0.8, curvHi: 1,
	slope:   16 / (25 * math.Sqrt(5)),
	third:   8,
	corners: []float64{0, math.Sqrt(0.6), math.Sqrt(0.2), 1, 1 - 1e-4},
}

// cauchy is log(1+v²/2).
var cauchy = &scalar{
	name: "Cauchy",
	f:    func(v float64) float64 { return math.Log1p(v * v / 2) },
	df:   func(v float64) float64 { return v / (1 + v*v/2) },
	ddf: func(v float64) float64 {
		s := 1 / (1 + v*v/2)
		return s * (2*s - 1)
	},
	curvLo: -0.125, curvHi: 1, slope: math.Sqrt2 / 2, third: cauchyThird,
	corners: []float64{0, math.Sqrt(6), math.Sqrt2, math.Sqrt2 * (math.Sqrt2 - 1)},
}

// The largest third derivative v(3−v²/2)/(1+v²/2)³, at v = √2(√2−1).
var cauchyThird = func() float64 {
	t := math.Sqrt2 - 1
	return math.Sqrt2 * t * (3 - t*t) / math.Pow(1+t*t, 3)
}()

// coordinate is the function h w² ψ(u/w) of one coordinate u: h scales curvature, w is the width.
type coordinate struct {
	*scalar
	h, w float64
}

func (c *coordinate) valueAt(u float64) float64 { return c.h * c.w * c.w * c.f(u/c.w) }
func (c *coordinate) slopeAt(u float64) float64 { return c.h * c.w * c.df(u/c.w) }

// bothAt returns value and slope.
func (c *coordinate) bothAt(u float64) (value, slope float64) {
	if c.both == nil {
		return c.valueAt(u), c.slopeAt(u)
	}
	f, df := c.both(u / c.w)
	return c.h * c.w * c.w * f, c.h * c.w * df
}
func (c *coordinate) curvatureAt(u float64) float64 { return c.h * c.ddf(u/c.w) }
