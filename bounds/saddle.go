package bounds

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// saddle is a problem with a strict saddle of f at the origin: ∇f(0) = 0, −γ = λ_min(∇²f(0)) < 0
// with unit eigenvector e. Components of a finite sum are clients with one datum each.
type saddle struct {
	problems.Federated
	P, d                int
	data                int // of every client
	L, zeta, rho, gamma float64
	linear              float64 // largest ‖∇f_ij(0)‖
	e                   []float64
}

// saddleShape describes one with so many clients and data of each, in units of its largest
// curvature and its length scale.
type saddleShape struct {
	P, data   int
	quadratic bool // in the place of a well
	problems.SaddleMean
}

// saddleRange says what drawSaddleShape draws from. Zero fields stand for their defaults, for
// components and for clients. Without data of the clients they are components.
type saddleRange struct {
	P, data, d problems.Range // defaults 1 to 20, or 1 to 12; none; 1 to 3
	smooth     bool           // no quadratics
	zeta       float64        // largest ζ/γ of the quadratic parts; default 10, or 2
	// largest Hessian distance of data over γ of the quadratic parts; default 2
	within float64
	gamma  float64 // smallest γ; default 0.02, or 0.1
	// of drawStuck and drawStuckClients: largest R/r_e, default 300, and how many times ν/T, or
	// ν/(TK), a statement may fail with, default 1
	room, times float64
	// of drawStuckClients: C_e of the region δ/(C_eρ), and that of the condition on p; whether the
	// statement is for minibatches with b < K, too
	region, clients float64
	small           bool
	patterns        []problems.Pattern // default two clusters, outlier, pairs, random
}

func drawSaddleShape(src *props.Source, l saddleRange) saddleShape {
	number, clients, most, zeta, gamma := "P", "clients", 12, 2.0, 0.1
	components := l.data == problems.Range{}
	if components {
		number, clients, most, zeta, gamma = "n", "components", 20, 10, 0.02
	}
	l.P, l.d, l.within = cmp.Or(l.P, problems.Sizes(1, most)), cmp.Or(l.d, problems.Sizes(1, 3)),
		cmp.Or(l.within, 2)
	l.zeta, l.gamma = cmp.Or(l.zeta, zeta), cmp.Or(l.gamma, gamma)
	if l.patterns == nil {
		l.patterns = []problems.Pattern{problems.TwoCluster, problems.Outlier, problems.Pairs,
			problems.Random}
	}
	s := saddleShape{P: draw(src, number, l.P), data: 1}
	if !components {
		s.data = draw(src, "data per client", l.data)
	}
	s.Parabolas = slices.Repeat([]float64{1}, draw(src, "d", l.d)-1)
	wells := []string{"quadratic", problems.DoubleWell.String(), problems.CosineWell.String()}
	if l.smooth {
		s.Well = problems.Well(src.Pick("saddle", wells[1:]...))
	} else if k := src.Pick("saddle", wells...); k > 0 {
		s.Well = problems.Well(k - 1)
	} else {
		s.quadratic = true
	}
	s.Gamma = src.LogReal("gamma", l.gamma, 1)
	s.Between = s.drawDeviations(src, clients, s.P, l.patterns, l.zeta)
	s.Within = s.drawDeviations(src, "data", s.data, l.patterns, l.within)
	return s
}

// drawDeviations draws how much n components, clients or data differ: their Hessians by at most
// most times γ. A single one differs from nothing.
func (s *saddleShape) drawDeviations(src *props.Source, what string, n int,
	from []problems.Pattern, most float64) problems.Heterogeneity {
	if n == 1 {
		return problems.Heterogeneity{}
	}
	h := problems.Heterogeneity{Pattern: props.OneOf(src, what, from...)}
	h.Hessian = s.Gamma * src.LogReal("Hessian distance of "+what+" / gamma", most*1e-3, most)
	h.Linear = src.Real("linear spread of "+what, 0, 1)
	if !s.quadratic {
		h.Amplitude = s.Gamma * src.Real("amplitude of "+what+" / gamma", 0, 0.5)
	}
	return h
}

// d is the dimension.
func (s *saddleShape) d() int { return len(s.Parabolas) + 1 }

// problem makes the problem; r supplies random directions.
func (s saddleShape) problem(r *rand.Rand) problems.Federated {
	var m problems.Plan = s.SaddleMean
	if s.quadratic {
		m = problems.QuadraticMean{Spectrum: append(slices.Clone(s.Parabolas), -s.Gamma),
			Between: s.Between, Within: s.Within}
	}
	return props.Must(problems.Make(slices.Repeat([]int{s.data}, s.P), m, r))
}

// build makes the saddle; r supplies random directions.
func (s saddleShape) build(r *rand.Rand) *saddle {
	out := &saddle{Federated: s.problem(r), P: s.P, d: s.d(), data: s.data}
	l, zeta, rho := out.Smoothness()
	out.L, out.zeta, out.rho = l.Value, zeta.Value, rho.Value
	origin, g, run := make([]float64, out.d), make([]float64, out.d), algos.Recall(out.Federated)
	for i := range s.P {
		for j := range s.data {
			run.Gradient(g, origin, i, j)
			out.linear = larger(out.linear, 1, g)
		}
	}
	out.gamma, out.e = lowest(product(out.HessianVector).at(origin))
	return out
}

// seen is what a method with local steps sees of it, or one without.
func (s *saddle) seen(local bool) algos.Problem {
	if local {
		return s.Federated
	}
	return algos.Sum(s.ByClient())
}

// of says whose Hessian or gradient is meant: that of f, of a client or of a datum.
type of struct{ client, datum int }

var whole = of{-1, -1}

// client is f_i, component i of a finite sum; f itself for i < 0.
func client(i int) of { return of{i, -1} }

// product returns the Hessian of f, f_i or f_ij.
func (s *saddle) product(a of) product {
	switch {
	case a.client < 0:
		return s.HessianVector
	case a.datum < 0:
		return func(dst, x, u []float64) { s.ClientHessianVector(dst, x, u, a.client) }
	}
	return func(dst, x, u []float64) { s.DatumHessianVector(dst, x, u, a.client, a.datum) }
}

// gradientOf sets dst to the gradient of f, f_i or f_ij.
func (s *saddle) gradientOf(dst, x []float64, a of) {
	switch {
	case a.client < 0:
		s.FullGradient(dst, x)
	case a.datum < 0:
		s.ClientGradient(dst, x, a.client)
	default:
		s.Gradient(dst, x, a.client, a.datum)
	}
}
