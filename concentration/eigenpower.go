package concentration

import (
	"math"

	"gonum.org/v1/gonum/mat"

	"sledge/props"
	"sledge/props/formula"
)

// branch names the part of the bound that dominates, so that both are attacked.
func branch(smallest float64, k int) string {
	switch negative := -smallest * math.Pow(1-smallest, float64(k)); {
	case negative > 1/float64(k+1):
		return "where −λ_min(1−λ_min)^k is above 1/(k+1)"
	case k == 0:
		return "where it is below, k = 0"
	}
	return "where it is below, k > 0"
}

// drawEigen draws a symmetric matrix through its extreme eigenvalues and returns ‖A(I−A)^k‖,
// computed by matrix multiplication.
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

// matrixPowers are symmetric matrices A with λ = λ_min < 0 and λ_max < 1
// (lemma:Murata-MatrixEigenvalue, lines 1062-1068).
var matrixPowers = &formula.Scene{Words: lawWords, Sizes: []string{"k"},
	Said:  "for symmetric matrices of dimension up to 6, $-4 ≤ λ_min < 0$, $λ_max < 1$, $k ≤ 60$",
	Means: map[string]string{"norm": "$‖A(I − A)^k‖$", "λ": "$λ_min$"},
	Draw: func(src *props.Source, _ *props.Recorder, try func(string, formula.Values)) {
		norm, smallest, k := drawEigen(src)
		try(branch(smallest, k), formula.Given(map[string]float64{"norm": norm, "λ": smallest,
			"k": float64(k)}))
	}}
