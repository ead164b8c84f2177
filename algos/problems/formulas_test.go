package problems

import (
	"math"
	"math/rand/v2"
	"testing"

	"sledge/props"
)

// The functions are those that the documentation states: their values, written down a second time.
func TestFormulas(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	const n, d, c = 9, 3, 0.7
	classes, real := Classification(n, d, 0.8, 0.2, r), regressionTable(n, d, 0.3, 0.2, r)
	margin := func(table *Table, k int, x []float64) float64 {
		s := 0.0
		columns, values := table.Row(k)
		for e, v := range values {
			if columns == nil {
				s += v * x[e]
			} else {
				s += v * x[columns[e]]
			}
		}
		return s
	}
	mean := func(f func(k int) float64) float64 {
		s := 0.0
		for k := range n {
			s += f(k) / n
		}
		return s
	}
	penalty := func(x []float64, alpha, ridge float64) float64 {
		s := ridge / 2 * dot(x, x)
		for _, v := range x {
			s += alpha * v * v / (1 + v*v)
		}
		return s
	}
	loss := func(l Loss, v float64) float64 {
		switch l {
		case GemanMcClure:
			return c * c / 2 * v * v / (c*c + v*v)
		case Welsch:
			return c * c * (1 - math.Exp(-v*v/(2*c*c)))
		case Tukey:
			if math.Abs(v) > c {
				return c * c / 6
			}
			return c * c / 6 * (1 - math.Pow(1-v*v/(c*c), 3))
		}
		return c * c * math.Log(1+v*v/(2*c*c))
	}
	x := []float64{0.4, -1.3, 2.2}

	near(t, "logistic",
		props.Must(NewLogistic(classes, nil, LogisticOptions{Alpha: 0.3, Ridge: 0.2})).Value(x),
		mean(func(k int) float64 {
			return math.Log(1 + math.Exp(-classes.Target[k]*margin(classes, k, x)))
		})+penalty(x,
			0.3, 0.2), 1, 1e-14)
	near(t, "least squares", props.Must(NewLeastSquares(real, nil, 0.2)).Value(x),
		mean(func(k int) float64 { return math.Pow(margin(real, k, x)-real.Target[k], 2) / 2 })+penalty(x, 0,
			0.2), 1, 1e-14)
	for l := range losses {
		near(t, l.String(), props.Must(
			NewRobust(real, nil, RobustOptions{Loss: l, Scale: c, Ridge: 0.2})).Value(x),
			mean(func(k int) float64 { return loss(l, margin(real, k, x)-real.Target[k]) })+penalty(x, 0,
				0.2), 1, 1e-14)
	}
	// Clients of different sizes weigh the same.
	federated := props.Must(NewLeastSquares(real, [][]int{{0, 1, 2, 3}, {4}}, 0))
	want := 0.0
	for k := range 5 {
		w := 1.0 / 8
		if k == 4 {
			w = 1.0 / 2
		}
		want += w * math.Pow(margin(real, k, x)-real.Target[k], 2) / 2
	}
	near(t, "federated least squares", federated.Value(x), want, 1, 1e-14)

	pl := props.Must(Make(OneEach(4),
		PLMean{Curvature: []float64{1, 0.2, 3}, Width: []float64{1, 2, 0.5},
			Between: Heterogeneity{Pattern: Pairs, Hessian: 1, Linear: 1}}, r))
	sin2 := func(h, w, v float64) float64 { return h * (v*v + 3*w*w*math.Pow(math.Sin(v/w), 2)) }
	near(t, "nonconvex PL", pl.Value(x), sin2(1, 1, x[0])+sin2(0.2, 2, x[1])+sin2(3, 0.5, x[2]),
		1, 1e-13)

	const gamma, w = 0.3, 0.8
	double := props.Must(Make(OneEach(4), SaddleMean{Gamma: gamma, Width: w, Confinement: 2,
		Parabolas: []float64{1, 5}},
		r))
	near(t, "double well", double.Value(x),
		gamma*x[0]*x[0]-3*gamma*w*w*math.Log(1+x[0]*x[0]/(2*w*w))+x[1]*x[1]/2+5*x[2]*x[2]/2,
		1, 1e-13)
	chain := props.Must(Make(OneEach(4),
		SaddleMean{Gamma: gamma, Width: w, Well: CosineWell, Wells: 2, Parabolas: []float64{5}}, r))
	near(t, "cosine wells", chain.Value(x),
		gamma*w*w*(math.Cos(x[0]/w)+math.Cos(x[1]/w)-2)+5*x[2]*x[2]/2, 1, 1e-13)

	// Ripples: the mean is the quadratic, the deviation of a component is a multiple of w²
	// Σ(cos(x/w) − 1).
	centre := []float64{1, 2, 3}
	rippled := props.Must(Make(OneEach(2),
		QuadraticMean{Spectrum: []float64{2, 2, 2}, Centre: centre, Ripple: w,
			Between: Heterogeneity{Pattern: Signs, Amplitude: 0.6}}, r))
	near(t, "rippled mean", rippled.Value(x), distSq(x, centre), 1, 1e-13)
	g := make([]float64, d)
	rippled.Gradient(g, x, 0, 0)
	for k := range g {
		near(t, "rippled component", g[k]-2*(x[k]-centre[k]), -0.6*w*math.Sin(x[k]/w), 1, 1e-13)
	}
}

// Overparametrised least squares interpolates: inf f = 0, PL, not strongly convex.
func TestOverparametrisedLeastSquares(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	p := props.Must(NewLeastSquares(regressionTable(6, 20, 0.5, 0.2, r), nil, 0))
	x0 := normal(20, r)
	c := p.Constants(x0)
	low, ok := p.Minimum()
	if near(t, "infimum", low, 0, 1, 1e-12); !ok {
		t.Error("infimum not known")
	}
	near(t, "smallest eigenvalue", p.MinEigen(x0), 0, 1, 1e-12)
	if !(c.Mu.Value > 1e-4 && c.Mu.Exact) {
		t.Errorf("μ = %+v", c.Mu)
	}
	// gradient descent is then linear with the factor 1 − μ/L
	x, g := x0, make([]float64, 20)
	for range 50 {
		p.FullGradient(g, x)
		addScaled(x, -1/c.LMean.Value, g)
	}
	if v := p.Value(x); !(v <= math.Pow(1-c.Mu.Value/c.LMean.Value, 50)*c.Delta.Value*(1+1e-9)) {
		t.Errorf("f = %v after 50 steps from Δ = %v with μ/L = %v", v, c.Delta.Value,
			c.Mu.Value/c.LMean.Value)
	}
}
