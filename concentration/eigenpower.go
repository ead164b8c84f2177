package concentration

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/mat"

	"sledge/props"
)

// EigenPower bounds ‖A(I−A)^k‖ for a symmetric A with smallest eigenvalue min < 0 and largest below 1: −min·(1−min)^k + 1/(k+1), k ≥ 0
// (lemma:Murata-MatrixEigenvalue, lines 1062-1068).
func EigenPower(min float64, k int) float64 {
	return -min*math.Pow(1-min, float64(k)) + 1/float64(k+1)
}

// EigenPowerSharp is the attained form of [EigenPower]: the larger of −min·(1−min)^k and (1/(k+1))(k/(k+1))^k.
func EigenPowerSharp(min float64, k int) float64 {
	return math.Max(-min*math.Pow(1-min, float64(k)), math.Pow(float64(k)/float64(k+1), float64(k))/float64(k+1))
}

// branch names the part of the bound that dominates, so that both are attacked.
func branch(smallest float64, k int) string {
	switch negative := -smallest * math.Pow(1-smallest, float64(k)); {
	case negative > 1/float64(k+1):
		return " where −λ_min(1−λ_min)^k is above 1/(k+1)"
	case k == 0:
		return " where it is below, k = 0"
	}
	return " where it is below, k > 0"
}

// drawEigen draws a symmetric matrix through its extreme eigenvalues and returns ‖A(I−A)^k‖, computed by matrix multiplication.
func drawEigen(src *props.Source) (norm, smallest float64, k int) {
	k = src.Int("k", 0, 60)
	d := src.Int("d", 1, 6)
	smallest = -src.LogReal("−λ_min", 1e-9, 4)
	largest := smallest
	if d > 1 {
		largest = 1 / float64(k+1) // where λ(1−λ)^k is largest
		if !src.Bool("λ_max at the maximiser") || k == 0 {
			largest = smallest + (1-1e-12-smallest)*src.Real("λ_max", 0, 1)
		}
	}
	spectrum, rng := make([]float64, d), src.Rand("matrix")
	for i := range spectrum {
		spectrum[i] = smallest + (largest-smallest)*rng.Float64()
	}
	spectrum[0], spectrum[d-1] = smallest, largest
	g := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			g.Set(i, j, rng.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	var q, a mat.Dense
	qr.QTo(&q)
	a.Mul(&q, mat.NewDiagDense(d, spectrum))
	a.Mul(&a, q.T())
	rest := mat.NewDense(d, d, nil)
	rest.Scale(-1, &a)
	for i := range d {
		rest.Set(i, i, 1+rest.At(i, i))
	}
	var power mat.Dense
	power.Pow(rest, k)
	power.Mul(&a, &power)
	var svd mat.SVD
	svd.Factorize(&power, mat.SVDNone)
	return svd.Values(nil)[0], smallest, k
}

// checkEigenPower compares ‖A(I−A)^k‖ with a function of λ_min and k.
func checkEigenPower(bound func(smallest float64, k int) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		norm, smallest, k := drawEigen(src)
		rec.AtMost("‖A(I−A)^k‖"+branch(smallest, k), norm, bound(smallest, k))
	})
}

var eigenPower = []props.Binding{props.Bind("eigen-power-bound", checkEigenPower(EigenPower)), props.Bind("eigen-power-bound/sharper", props.All(checkEigenPower(EigenPowerSharp),
	props.Identity(func(src *props.Source, rec *props.Recorder) { // the diagonal matrix with entries λ_min and 1/(k+1)
		k, smallest := src.Int("k", 1, 60), -src.LogReal("−λ_min", 1e-9, 4)
		norm := 0.0
		for _, lambda := range []float64{smallest, 1 / float64(k+1)} {
			norm = math.Max(norm, math.Abs(lambda*math.Pow(1-lambda, float64(k))))
		}
		rec.Equal("‖A(I−A)^k‖ in dimension 2", norm, EigenPowerSharp(smallest, k))
	}).Effort(0.5)))}

// drawScalar draws λ_min ≤ λ < 1 with λ_min < 0 and k, exactly, and returns λ(1−λ)^k and the last bound of the chain.
func drawScalar(src *props.Source) (lambda *big.Rat, k int, value, last *big.Rat) {
	den := src.Int("denominator", 1, 40)
	lambda = big.NewRat(int64(src.Int("numerator", -4*den, den-1)), int64(den))
	k = src.Int("k", 0, 30)
	lowest := new(big.Rat).Sub(minRat(lambda, new(big.Rat)), new(big.Rat).SetFloat64(src.LogReal("gap to λ_min", 1e-6, 1)))
	last = new(big.Rat).Add(new(big.Rat).Neg(scalarPower(lowest, k)), big.NewRat(1, int64(k+1)))
	return lambda, k, scalarPower(lambda, k), last
}

// scalarPower returns λ(1−λ)^k.
func scalarPower(lambda *big.Rat, k int) *big.Rat {
	return new(big.Rat).Mul(lambda, power(new(big.Rat).Sub(big.NewRat(1, 1), lambda), k))
}

func minRat(a, b *big.Rat) *big.Rat {
	if a.Cmp(b) < 0 {
		return a
	}
	return b
}

func power(x *big.Rat, k int) *big.Rat {
	e := big.NewInt(int64(k))
	return new(big.Rat).SetFrac(new(big.Int).Exp(x.Num(), e, nil), new(big.Int).Exp(x.Denom(), e, nil))
}

// peak is (1/(k+1))(k/(k+1))^k, with (0/1)^0 = 1.
func peak(k int) *big.Rat {
	return new(big.Rat).Mul(big.NewRat(1, int64(k+1)), power(big.NewRat(int64(k), int64(k+1)), k))
}

var eigenPowerCases = []props.Binding{props.Bind("eigen-power-scalar-cases", props.Inequality(func(src *props.Source, rec *props.Recorder) {
	lambda, k, value, last := drawScalar(src)
	rec.Rats("0 < λ(1−λ)^k", value, props.GE, new(big.Rat))
	if lambda.Sign() <= 0 {
		rec.Rats("λ(1−λ)^k ≤ −λ(1−λ)^k for λ ≤ 0", value, props.LE, new(big.Rat).Neg(value))
	} else {
		rec.Rats("λ(1−λ)^k ≤ (1/(k+1))(k/(k+1))^k for λ > 0", value, props.LE, peak(k))
	}
	rec.Rats("the last bound", value, props.LE, last)
})), props.Bind("eigen-power-scalar-cases/corrected", props.Inequality(func(src *props.Source, rec *props.Recorder) {
	lambda, k, value, last := drawScalar(src)
	size := new(big.Rat).Abs(value)
	if lambda.Sign() <= 0 {
		rec.Rats("|λ(1−λ)^k| for λ ≤ 0", size, props.EQ, new(big.Rat).Neg(value))
	} else {
		rec.Rats("|λ(1−λ)^k| for λ > 0", size, props.LE, peak(k))
	}
	rec.Rats("the last bound", size, props.LE, last)
	rec.Rats("the value at λ = 1/(k+1)", scalarPower(big.NewRat(1, int64(k+1)), k), props.EQ, peak(k))
}))}
