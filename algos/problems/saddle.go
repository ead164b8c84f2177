package problems

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"

	"sledge/props"
)

// Well is the shape of a function of one variable with a maximum at 0.
type Well uint8

// The wells.
const (
	// DoubleWell is cu²/2 − (γ+c)w² log(1+u²/(2w²)): curvature −γ at 0, minima at ±w√(2γ/c),
	// curvature c far away.
	DoubleWell Well = iota
	// CosineWell is γw²(cos(u/w) − 1): curvature −γ at 0, minima at odd multiples of πw, bounded
	// slope; a chain of saddles and minima.
	CosineWell
	wells
)

func (w Well) String() string { return [...]string{"double well", "cosine"}[w] }

// SaddleMean describes a sum whose mean has a strict saddle at the origin, with smallest Hessian
// eigenvalue −Gamma, globally bounded second and third derivatives and a known minimum. It is
// separable: wells in the first coordinates, parabolas in the others. Components differ by
// quadratics of zero mean and by factors of mean 1 before the mean function. All its constants are
// exact, but Sigma and G are +Inf if the data of a client differ in Hessian, unless they differ in
// amplitude only and there are cosine wells without parabolas. Mu is 0.
type SaddleMean struct {
	Gamma float64 // −Gamma is the smallest eigenvalue of the Hessian at the origin; > 0
	// w > 0; default 1. The Hessian Lipschitz constant is proportional to Gamma/w
	Width       float64
	Well        Well      // shape in the first coordinates
	Confinement float64   // c/γ > 0 of the double well; default 1
	Wells       int       // number of coordinates with a well; default 1
	Parabolas   []float64 // curvatures > 0 of the other coordinates; d is their number plus Wells
	Between     Heterogeneity
	Within      Heterogeneity // of the data of one client, if it has several
}

// filled returns m with defaults in place of zeros.
func (m SaddleMean) filled() SaddleMean {
	m.Width, m.Confinement = cmp.Or(m.Width, 1), cmp.Or(m.Confinement, 1)
	m.Wells = cmp.Or(m.Wells, 1)
	return m
}

// Bottom returns the distance from the saddle to the nearest minimum along one well.
func (m SaddleMean) Bottom() float64 {
	m = m.filled()
	if m.Well == CosineWell {
		return math.Pi * m.Width
	}
	return m.Width * math.Sqrt(2/m.Confinement)
}

func (m SaddleMean) recipe(*rand.Rand) (recipe, error) {
	m = m.filled()
	switch {
	case m.Well >= wells:
		return recipe{}, fmt.Errorf("problems: unknown well %d", m.Well)
	case m.Wells < 1:
		return recipe{}, fmt.Errorf("problems: %d wells, want at least 1", m.Wells)
	case !positiveNumber(m.Confinement):
		return recipe{}, fmt.Errorf("problems: confinement %v, want a positive number",
			m.Confinement)
	}
	rec := recipe{d: m.Wells + len(m.Parabolas), amp: 1, between: m.Between, within: m.Within}
	shape := cosine
	if m.Well == DoubleWell {
		shape = doubleWell(m.Confinement)
	}
	for range m.Wells {
		rec.core = append(rec.core, coordinate{shape, m.Gamma, m.Width})
	}
	for _, h := range m.Parabolas {
		rec.core = append(rec.core, coordinate{square, h, 1})
	}
	return rec, nil
}

// DrawSaddle draws a problem of the family and says which.
func DrawSaddle(src *props.Source, l ...Limits) (Federated, SaddleMean) {
	lim := limits(l)
	sizes, d := lim.drawSizes(src), lim.drawDim(src)
	m := SaddleMean{
		Gamma:       src.LogReal("gamma", 0.01, 1),
		Width:       src.LogReal("width", 0.3, 3),
		Well:        Well(src.Pick("well", DoubleWell.String(), CosineWell.String())),
		Confinement: src.LogReal("confinement", 0.5, 10),
		Wells:       src.Int("wells", 1, d),
	}
	top := m.Gamma
	if d > m.Wells {
		m.Parabolas = powers(src.LogReal("largest curvature", 0.1, 10),
			src.LogReal("condition number", 1, 100), d-m.Wells)
		top = max(top, m.Parabolas[0])
	}
	m.Between, m.Within = lim.drawHeterogeneity(src, sizes, top, true,
		m.Well == CosineWell && d == m.Wells)
	return props.Must(Make(sizes, m, src.Rand("directions"))), m
}
