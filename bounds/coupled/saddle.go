package coupled

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// Family tells saddles by the function along the direction of negative curvature.
type Family int

// The families of saddles.
const (
	Quadratic Family = iota
	DoubleWell
	CosineWell
)

func (f Family) String() string { return [...]string{"quadratic", "double well", "cosine"}[f] }

// Saddle describes a saddle of f at the origin whose largest curvature is 1 and whose length scale
// is 1.
type Saddle struct {
	Dim             int
	Family          Family
	Gamma           float64                // minus the smallest curvature
	Between, Within problems.Heterogeneity // of components or clients, of the data of a client
}

// DrawSaddle draws all but the heterogeneity, with γ from least to 1; a smooth saddle is not a
// quadratic.
func DrawSaddle(src *props.Source, d problems.Range, smooth bool, least float64) Saddle {
	families := []Family{Quadratic, DoubleWell, CosineWell}
	if smooth {
		families = families[1:]
	}
	return Saddle{Dim: src.Int("d", d.Min, d.Max), Family: props.OneOf(src, "saddle", families...),
		Gamma: src.LogReal("gamma", least, 1)}
}

// Deviations draws how much n components, clients or data differ: their Hessians by at most most
// times γ. A single one differs from nothing.
func (s *Saddle) Deviations(src *props.Source, what string, n int, from []problems.Pattern,
	most float64) problems.Heterogeneity {
	if n == 1 {
		return problems.Heterogeneity{}
	}
	h := problems.Heterogeneity{Pattern: props.OneOf(src, what, from...)}
	h.Hessian = s.Gamma * src.LogReal("Hessian distance of "+what+" / gamma", most*1e-3, most)
	h.Linear = src.Real("linear spread of "+what, 0, 1)
	if s.Family != Quadratic {
		h.Amplitude = s.Gamma * src.Real("amplitude of "+what+" / gamma", 0, 0.5)
	}
	return h
}

// Quadratic is the mean of a quadratic saddle.
func (s *Saddle) Quadratic() problems.QuadraticMean {
	spectrum := slices.Repeat([]float64{1}, s.Dim)
	spectrum[s.Dim-1] = -s.Gamma
	return problems.QuadraticMean{Spectrum: spectrum, Between: s.Between, Within: s.Within}
}

// Wells is the mean of any other saddle.
func (s *Saddle) Wells() problems.SaddleMean {
	m := problems.SaddleMean{Gamma: s.Gamma, Parabolas: slices.Repeat([]float64{1}, s.Dim-1),
		Between: s.Between, Within: s.Within}
	if s.Family == CosineWell {
		m.Well = problems.CosineWell
	}
	return m
}

// Near draws a point within the given distance of a saddle at the origin.
func Near(src *props.Source, d int, radius float64) []float64 {
	x, r := make([]float64, d), src.Rand("x0")
	for k := range x {
		x[k] = r.NormFloat64()
	}
	floats.Scale(src.Real("|x0|", 0, radius)/floats.Norm(x, 2), x)
	return x
}

// Region is the radius R = δ/(Cρ) of the region around a saddle that one of two runs is to leave.
// It is at most 0.05, a twentieth of the length scale of the saddles: on a quadratic every ρ is
// valid.
func Region(c, delta, rho float64) float64 {
	const most = 0.05
	if rho == 0 {
		return most
	}
	return min(most, delta/(c*rho))
}

// Second returns a function that tells (ε,δ)-second-order stationary points of a function whose
// Hessian is diagonal everywhere: its products with 0 and 1 list its eigenvalues, a few at a time,
// since one that is too small mostly comes soon. Each function keeps scratch space: use one in one
// goroutine.
func Second(f interface {
	algos.FullGradienter
	algos.Hessianer
}, d int, eps, curvature float64) func(x []float64) bool {
	const atOnce = 8
	grad, ones, hessian := make([]float64, d), make([]float64, d), make([]float64, d)
	return func(x []float64) bool {
		if f.FullGradient(grad, x); floats.Dot(grad, grad) > eps*eps {
			return false
		}
		for from := 0; from < d; from += atOnce {
			upto := min(from+atOnce, d)
			floats.AddConst(1, ones[from:upto])
			f.HessianVector(hessian, x, ones)
			clear(ones[from:upto])
			if !(floats.Min(hessian[from:upto]) >= -curvature) {
				return false
			}
		}
		return true
	}
}
