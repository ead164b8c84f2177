package lowerbound

import (
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"sledge/props"
	"sledge/props/formula"
)

// Constants of the chain as its authors state them.
const (
	chainGap      = 12.0  // f̄_T(0) − inf f̄_T ≤ 12T
	chainSmooth   = 152.0 // ∇f̄_T is Lipschitz with constant 152
	chainGradient = 23.0  // every entry of ∇f̄_T is at most 23 in magnitude
	// chainThirdNorm is a bound on ‖∇³f̄_T‖: the largest sum of a row, with |Ψ'''| ≤ 457.72, |Ψ''|
	// ≤ 32.39, Ψ' ≤ √(54/e), Φ' ≤ √e, |Φ''| ≤ 1.
	chainThirdNorm = 2070
)

// psi is Ψ(x) = exp(1 − 1/(2x−1)²) for x > 1/2, and 0 otherwise, with its first two derivatives.
func psi(x float64) (v, d1, d2 float64) {
	if x <= 0.5 {
		return 0, 0, 0
	}
	u := 2*x - 1
	s := 1 / (u * u)
	if v = math.Exp(1 - s); v == 0 {
		return 0, 0, 0
	}
	return v, v * 4 * s / u, v * s * s * (16*s - 24)
}

// phi is Φ(x) = √e ∫_{−∞}^x exp(−t²/2) dt, phiSlope its derivative.
func phi(x float64) float64      { return math.Sqrt(math.Pi*math.E/2) * math.Erfc(-x/math.Sqrt2) }
func phiSlope(x float64) float64 { return math.Exp(0.5 - x*x/2) }

// chain is the function on R^T, T ≥ 1, that finding stationary points is hard for,
//
//	f̄_T(x) = −Ψ(1)Φ(x_1) + Σ_{j=2}^T (Ψ(−x_{j−1})Φ(−x_j) − Ψ(x_{j−1})Φ(x_j)),
//
// of Y. Carmon, J. C. Duchi, O. Hinder and A. Sidford, Lower bounds for finding stationary points
// I, Mathematical Programming 2020, the source of proposition:Carmon (lines 3455-3461). Its value
// is T. As long as |x_T| < 1 its gradient is longer than 1, and the gradient at a point whose
// entries beyond the k-th are at most 1/2 in magnitude vanishes beyond entry k+1: each gradient
// reveals at most one more coordinate.
type chain int

// gate is ±Ψ(|x|), which weighs the next link for y = ±x.
func (T chain) gate(x float64) (g [3]float64, sign float64) {
	sign = math.Copysign(1, x)
	v, d1, d2 := psi(math.Abs(x))
	return [3]float64{sign * v, d1, sign * d2}, sign
}

// link is Φ.
func (T chain) link(y float64) (k, v [3]float64) {
	slope := phiSlope(y)
	return [3]float64{phi(y), slope, -y * slope}, v
}

// Infimum returns inf f̄_T, which is approached when all entries grow without bound and not
// attained.
func (T chain) Infimum() float64 {
	return -math.Sqrt(2*math.Pi*math.E) * (1 + math.E*float64(T-1))
}

// Gap returns f̄_T(0) − inf f̄_T = √(2πe)(1/2 + e(T−1)), at most 11.24T.
func (T chain) Gap() float64 {
	return math.Sqrt(2*math.Pi*math.E) * (0.5 + math.E*float64(T-1))
}

func (T chain) length() int { return int(T) }

// smooth returns Lipschitz constants of the gradient and of the Hessian.
func (T chain) smooth() (first, second float64) { return chainSmooth, chainThirdNorm }

// drawChainPoint draws a chain and a point. Little happens beyond |x_j| = 3.
func drawChainPoint(src *props.Source, least, most int) (chain, []float64) {
	x := drawEntries(src, least, most, "x_j", 3)
	return chain(len(x)), x
}

// theChain are chains as functions, and theLadder ladders.
var (
	theChain = linkScene(func(src *props.Source) (links, []float64) {
		return drawChainPoint(src, 1, 6)
	}, pieces{small: 1.0 / 6, least: -1, far: [2]float64{7, 1e3}},
		"for $T ≤ 6$ and points with entries up to 3")
	theLadder = linkScene(func(src *props.Source) (links, []float64) { return drawRungs(src) },
		pieces{least: -2, far: [2]float64{ladderGap, 1e3}},
		"for $T ≤ 6$ and points with entries up to 2")
)

// pieces say what is special about a chain of links.
type pieces struct {
	small float64    // factor that makes a drawn entry one that reveals nothing
	least float64    // last entry of an unfinished point, which is at most 1
	far   [2]float64 // range of entries near the infimum
}

// linkScene is what is said of chains of links as functions.
func linkScene(draw func(src *props.Source) (links, []float64), in pieces,
	said string) *formula.Scene {
	return &formula.Scene{Words: functionWords, Said: said, Sizes: []string{"T", "k", "R", "e", "π"},
		Means: map[string]string{
			"gap":   "$f(0) − inf f$",
			"above": "$f(x) − inf f$",
			"far":   "$f(R, …, R) − inf f$",
			"end":   "$f(R, …, R)$",
			"‖∇f‖":  "norm of the gradient",
			"most":  "largest magnitude of an entry of the gradient",
			"‖H‖":   "norm of the Hessian",
			"revealed": "number of the last entry of the gradient that is not zero, exactly, where " +
				"those of $x$ beyond $k$ reveal nothing",
			"rest":  "$‖∇f(x)‖$ with $x_T ≤ 1$",
			"steep": "the largest $|∂_jf(x)|$ with $|x_j| ≤ 1$, where $|x_T| ≤ 1$",
		},
		Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
			T, x := draw(src)
			return in.values(T, x, src)
		})}
}

// values are those of the symbols for links and a point.
func (in pieces) values(T links, x []float64, src *props.Source) formula.Values {
	d, low := T.length(), T.Infimum()
	m := formula.Values{}
	m.Is("T", float64(d))
	m.Is("e", math.E)
	m.Is("π", math.Pi)
	m["k"] = func() (float64, float64) { return float64(src.Int("k", 0, d)), 0 }
	m["R"] = func() (float64, float64) { return src.LogReal("R", in.far[0], in.far[1]), 0 }
	changed := func(from int, to func(v float64) float64) []float64 {
		y := slices.Clone(x)
		for j := from; j < d; j++ {
			y[j] = to(y[j])
		}
		return y
	}
	far := sync.OnceValue(func() []float64 {
		R, _ := m.Of("R")
		return changed(0, func(float64) float64 { return R })
	})
	above := func(x []float64) (float64, float64) { return value(T, x) - low, low }
	gradient := func(x []float64) []float64 {
		g := make([]float64, d)
		addGradient(T, g, x, 1, 1)
		return g
	}
	m["gap"] = func() (float64, float64) { return above(make([]float64, d)) }
	m["above"] = func() (float64, float64) { return above(x) }
	m["far"] = func() (float64, float64) { return above(far()) }
	m["end"] = func() (float64, float64) { return value(T, far()), low }
	m["‖∇f‖"] = func() (float64, float64) { return floats.Norm(gradient(x), 2), 0 }
	m["most"] = func() (float64, float64) { return floats.Norm(gradient(x), math.Inf(1)), 0 }
	m["‖H‖"] = func() (float64, float64) {
		return norm(d, func(dst, u []float64) {
			clear(dst)
			addHessian(T, dst, x, u, 1, 1)
		}), 0
	}
	m["revealed"] = func() (float64, float64) {
		k, _ := m.Of("k")
		_, last := nonzero(gradient(changed(int(k),
			func(v float64) float64 { return in.small * v })))
		return float64(last), 0
	}
	unfinished := sync.OnceValue(func() []float64 {
		return changed(d-1, func(float64) float64 { return src.Real("x_T", in.least, 1) })
	})
	m["rest"] = func() (float64, float64) { return floats.Norm(gradient(unfinished()), 2), 0 }
	m["steep"] = func() (most, _ float64) {
		for j, v := range gradient(unfinished()) {
			if math.Abs(unfinished()[j]) <= 1 {
				most = max(most, math.Abs(v))
			}
		}
		return most, 0
	}
	return m
}
