package lowerbound

import (
	"math"

	"sledge/props"
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

func chainClaims() []props.Binding {
	return []props.Binding{
		props.Bind("lower-bound-chain/value-gap",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				T, x := drawChainPoint(src, 1, 8)
				rec.AtMost("f̄_T(0) − inf f̄_T", value(T, make([]float64, T))-T.Infimum(),
					chainGap*float64(T))
				rec.AtLeast("f̄_T(x) against the infimum", value(T, x), T.Infimum())
				R := src.LogReal("R", 7, 1e3)
				for j := range x {
					x[j] = R
				}
				rec.AtMost("f̄_T(R, …, R) − inf f̄_T", value(T, x)-T.Infimum(),
					float64(T-1)*math.E*math.Sqrt(2*math.Pi*math.E)/((2*R-1)*(2*R-1))).Scale(
					T.Gap())
			})),
		props.Bind("lower-bound-chain/smooth",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				T, x := drawChainPoint(src, 1, 4)
				rec.AtMost("‖∇²f̄_T(x)‖", norm(int(T), func(dst, u []float64) {
					clear(dst)
					addHessian(T, dst, x, u, 1, 1)
				}),
					chainSmooth)
			})),
		props.Bind("lower-bound-chain/gradient",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				T, x := drawChainPoint(src, 1, 6)
				g := make([]float64, T)
				addGradient(T, g, x, 1, 1)
				most, sum := 0.0, 0.0
				for _, v := range g {
					most, sum = max(most, math.Abs(v)), sum+v*v
				}
				rec.AtMost("‖∇f̄_T(x)‖_∞", most, chainGradient)
				rec.AtMost("‖∇f̄_T(x)‖", math.Sqrt(sum), chainGradient*math.Sqrt(float64(T)))
			})),
		props.Bind("lower-bound-chain/zero-chain", props.Implication(lowerBoundChainZeroChain)),
		props.Bind("lower-bound-chain/unfinished",
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				T, x := drawChainPoint(src, 1, 6)
				x[T-1] = src.Real("x_T", -1, 1)
				g := make([]float64, T)
				addGradient(T, g, x, 1, 1)
				most := 0.0
				for j, v := range g {
					if math.Abs(x[j]) <= 1 {
						most = max(most, math.Abs(v))
					}
				}
				rec.AtLeast("largest |∂_j f̄_T(x)| with |x_j| ≤ 1", most, 1)
			})),
	}
}

// lowerBoundChainZeroChain tries lower-bound-chain/zero-chain.
func lowerBoundChainZeroChain(src *props.Source, rec *props.Recorder) {
	T, x := drawChainPoint(src, 1, 8)
	k := src.Int("k", 0, int(T)) // entries beyond k are small
	for j := k; j < int(T); j++ {
		x[j] /= 6
	}
	g := make([]float64, T)
	addGradient(T, g, x, 1, 1)
	_, last := nonzero(g)
	rec.AtMost("last entry of the gradient that is not zero", float64(last), float64(k+1))
}
