package bounds

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

// twice is a finite sum with certified constants and second derivatives.
type twice interface {
	problems.Certified
	algos.Hessianer
	algos.ComponentHessianer
	algos.BatchGradienter
}

// saddle is a finite sum with a strict saddle of f at the origin: ∇f(0) = 0, −γ = λ_min(∇²f(0)) < 0 with unit eigenvector e.
type saddle struct {
	twice
	n, d                int
	L, zeta, rho, gamma float64
	linear              float64 // largest ‖∇f_i(0)‖
	e                   []float64
}

// saddleShape describes one with n components.
type saddleShape struct {
	n int
	coupled.Saddle
}

// saddleRange says what drawSaddleShape draws from. Zero fields stand for their defaults.
type saddleRange struct {
	n, d     problems.Range     // defaults 1 to 20, 1 to 3
	smooth   bool               // no quadratics
	zeta     float64            // largest ζ/γ of the quadratic parts; default 10
	gamma    float64            // smallest γ; default 0.02
	room     float64            // of drawStuck: largest R/r_e; default 300
	times    float64            // of drawStuck: how many times ν/T a statement may fail with; default 1
	patterns []problems.Pattern // default two clusters, outlier, pairs, random
}

func drawSaddleShape(src *props.Source, l saddleRange) saddleShape {
	l.n, l.d = cmp.Or(l.n, problems.Sizes(1, 20)), cmp.Or(l.d, problems.Sizes(1, 3))
	l.zeta, l.gamma = cmp.Or(l.zeta, 10), cmp.Or(l.gamma, 0.02)
	if l.patterns == nil {
		l.patterns = []problems.Pattern{problems.TwoCluster, problems.Outlier, problems.Pairs, problems.Random}
	}
	s := saddleShape{n: src.Int("n", l.n.Min, l.n.Max)}
	s.Saddle = coupled.DrawSaddle(src, l.d, l.smooth, l.gamma)
	s.Between = s.Deviations(src, "components", s.n, l.patterns, l.zeta)
	return s
}

// build makes the saddle; r supplies random directions.
func (s saddleShape) build(r *rand.Rand) *saddle {
	out := &saddle{n: s.n, d: s.Dim}
	if s.Family == coupled.Quadratic {
		out.twice = props.Must(problems.MakeQuadratic(s.n, s.Quadratic(), r))
	} else {
		out.twice = props.Must(problems.MakeSaddle(s.n, s.Wells(), r))
	}
	origin := make([]float64, s.Dim)
	c := out.Constants(origin)
	out.L, out.zeta, out.rho = c.L.Value, c.Zeta.Value, c.Rho.Value
	out.linear = c.GC.Value
	out.gamma, out.e = coupled.Lowest(coupled.Hessian(out.HessianVector, origin))
	return out
}

// twice is a federated problem with certified constants and second derivatives.
type fledgeTwice interface {
	problems.CertifiedFederated
	algos.Hessianer
	ClientGradient(dst, x []float64, i int)
	ClientHessianVector(dst, x, u []float64, i int)
	DatumHessianVector(dst, x, u []float64, i, j int)
}

// saddle is a federated problem with a strict saddle of f at the origin: ∇f(0) = 0, −γ = λ_min(∇²f(0)) < 0 with unit eigenvector e.
type fledgeSaddle struct {
	fledgeTwice
	P, d                int
	data                int // of every client
	L, zeta, rho, gamma float64
	linear              float64 // largest ‖∇f_ij(0)‖
	e                   []float64
}

// saddleShape describes one with so many clients and data of each.
type fledgeSaddleShape struct {
	P, data int
	coupled.Saddle
}

// saddleRange says what drawSaddleShape draws from. Zero fields stand for their defaults.
type fledgeSaddleRange struct {
	P, data, d   problems.Range // defaults 1 to 12, 1 to 8, 1 to 3
	smooth       bool           // no quadratics
	zeta, within float64        // largest ζ/γ, and largest Hessian distance of data over γ, of the quadratic parts; defaults 2 and 2
	gamma        float64        // smallest γ; default 0.1
}

func drawFLEDGESaddleShape(src *props.Source, l fledgeSaddleRange) fledgeSaddleShape {
	l.P, l.data = cmp.Or(l.P, problems.Sizes(1, 12)), cmp.Or(l.data, problems.Sizes(1, 8))
	l.d = cmp.Or(l.d, problems.Sizes(1, 3))
	l.zeta, l.within, l.gamma = cmp.Or(l.zeta, 2), cmp.Or(l.within, 2), cmp.Or(l.gamma, 0.1)
	s := fledgeSaddleShape{P: draw(src, "P", l.P), data: draw(src, "data per client", l.data)}
	s.Saddle = coupled.DrawSaddle(src, l.d, l.smooth, l.gamma)
	from := []problems.Pattern{problems.TwoCluster, problems.Outlier, problems.Pairs, problems.Random}
	s.Between, s.Within = s.Deviations(src, "clients", s.P, from, l.zeta), s.Deviations(src, "data", s.data, from, l.within)
	return s
}

// build makes the saddle; r supplies random directions.
func (s fledgeSaddleShape) build(r *rand.Rand) *fledgeSaddle {
	out := &fledgeSaddle{P: s.P, d: s.Dim, data: s.data}
	sizes := slices.Repeat([]int{s.data}, s.P)
	if s.Family == coupled.Quadratic {
		out.fledgeTwice = props.Must(problems.MakeFederatedQuadratic(sizes, s.Quadratic(), r))
	} else {
		out.fledgeTwice = props.Must(problems.MakeFederatedSaddle(sizes, s.Wells(), r))
	}
	origin, g := make([]float64, s.Dim), make([]float64, s.Dim)
	c := out.Constants(origin)
	out.L, out.zeta, out.rho = c.L.Value, c.Zeta.Value, c.Rho.Value
	for i := range s.P {
		for j := range s.data {
			out.Gradient(g, origin, i, j)
			out.linear = max(out.linear, floats.Norm(g, 2))
		}
	}
	out.gamma, out.e = coupled.Lowest(coupled.Hessian(out.HessianVector, origin))
	return out
}
