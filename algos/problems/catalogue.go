package problems

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/props"
)

// Setting describes a problem that is chosen by name. Zero values ask for the defaults.
type Setting struct {
	N int // components, or data of each client if Clients > 0; default 1000, with clients 100
	D int // dimension; default 20
	// Hessian heterogeneity between components (clients), for the families that set it; default
	// 0.1, negative for none
	Zeta    float64
	Cond    float64 // ratio of the largest and the smallest curvature; default 100
	Clients int     // number of clients P; 0 for a finite sum
	// share of a table's rows dealt to clients in the order of their targets, 0 to 1
	Skew float64
	// factor of the nonconvex regulariser of logistic regression; default 0.01. Negative for none
	Alpha float64
	Table *Table // data for the families that take them; nil asks for synthetic data
}

// Catalogued is a family of problems that can be chosen by name.
type Catalogued struct {
	Name      string
	Summary   string
	TakesData bool // the family can be built from a table
	// Draw draws small instances for checks: finite sums, or clients with data if Limits.Data asks
	// for them.
	Draw func(*props.Source, ...Limits) Federated
	// data to be had without a file, for families that take data
	synthetic func(s Setting, r *rand.Rand) *Table
	// build makes the problem; a table's rows are held by the given clients, nil for one each.
	build func(s Setting, clients [][]int, r *rand.Rand) (Federated, error)
}

// Problem is a built problem with its certificate.
type Problem struct {
	Certificate
	Objective algos.Problem
	Federated bool // clients with data of their own; else a finite sum
	X0        []float64

	// of components, or of all data, as data of one client, at all points; nil if it is not known
	// how
	noise func() (sigma, g Constant)
}

// Catalogue returns the families that can be chosen by name.
func Catalogue() []Catalogued {
	return []Catalogued{
		{Name: "logistic", TakesData: true,
			Summary: "logistic regression with the nonconvex regulariser α Σ x²/(1+x²)",
			Draw:    drawLogistic,
			synthetic: func(s Setting, r *rand.Rand) *Table {
				return Classification(s.rows(), s.D, 1, 0.05, r)
			},
			build: func(s Setting, clients [][]int, _ *rand.Rand) (Federated, error) {
				return NewLogistic(s.Table, clients, LogisticOptions{Alpha: max(0, s.Alpha)})
			}},
		{Name: "least-squares", TakesData: true, Summary: "least squares",
			Draw: drawLeastSquares,
			synthetic: func(s Setting, r *rand.Rand) *Table {
				return regressionTable(s.rows(), s.D, 0.1, 0, r)
			},
			build: func(s Setting, clients [][]int, _ *rand.Rand) (Federated, error) {
				return NewLeastSquares(s.Table, clients, 0)
			}},
		{Name: "robust", TakesData: true, Summary: "robust regression with the Geman-McClure loss",
			Draw: drawRobust,
			synthetic: func(s Setting, r *rand.Rand) *Table {
				return regressionTable(s.rows(), s.D, 0.1, 0.1, r)
			},
			build: func(s Setting, clients [][]int, _ *rand.Rand) (Federated, error) {
				return NewRobust(s.Table, clients, RobustOptions{})
			}},
		{Name: "quadratic",
			Summary: "quadratics in two clusters ±S around a mean of given condition number, " +
				"smoothness 1",
			Draw: DrawQuadratic,
			build: func(s Setting, _ [][]int, r *rand.Rand) (Federated, error) {
				return Make(s.sizes(), QuadraticMean{Spectrum: powers(1, s.Cond, s.D),
					Between: s.between(), Within: s.within()}, r)
			}},
		{Name: "rippled",
			Summary: "components with cosine ripples that cancel in a quadratic mean of given " +
				"condition number, smoothness 1",
			Draw: DrawRippled,
			build: func(s Setting, _ [][]int, r *rand.Rand) (Federated, error) {
				m := QuadraticMean{Spectrum: powers(1, s.Cond, s.D), Ripple: 1,
					Between: s.between(), Within: s.within()}
				// curvatures from -ζ/2 to ζ/2, with the sign of the component
				m.Between.Amplitude, m.Between.Hessian = m.Between.Hessian/2, 0
				if m.Within != (Heterogeneity{}) {
					m.Within.Amplitude = s.Zeta
				}
				return Make(s.sizes(), m, r)
			}},
		{Name: "pl", Summary: "nonconvex sums with a PL mean, x² + 3 sin² x in every coordinate",
			Draw: DrawNonconvexPL,
			build: func(s Setting, _ [][]int, r *rand.Rand) (Federated, error) {
				return Make(s.sizes(), PLMean{Curvature: powers(1/sine.curvHi, s.Cond, s.D),
					Between: s.between(), Within: s.within()}, r)
			}},
		{Name: "saddle",
			Summary: "a strict saddle at the origin with a confining double well; the start is " +
				"near it", Draw: func(src *props.Source, l ...Limits) Federated {
				p, _ := DrawSaddle(src, l...)
				return p
			},
			build: func(s Setting, _ [][]int, r *rand.Rand) (Federated, error) {
				m := SaddleMean{Gamma: 1 / math.Sqrt(s.Cond), Parabolas: powers(1, 1, s.D-1),
					Between: s.between(), Within: s.within()}
				m.Between.Linear, m.Within.Linear = 0, 0
				return Make(s.sizes(), m, r)
			}},
	}
}

// drawnAlone are families of which only checks draw: nothing can race on them.
var drawnAlone = []Catalogued{{Name: "indefinite",
	Summary: "quadratics that fall without bound in one direction",
	Draw: func(src *props.Source, l ...Limits) Federated {
		of := limits(l)
		of.Shapes = []Shape{Indefinite}
		return DrawQuadratic(src, of)
	}}}

// Family returns the family that has the name: one of the catalogue, or indefinite, quadratics that
// are not bounded below, of which checks alone draw. An error names all of them.
func Family(name string) (Catalogued, error) {
	return named(append(Catalogue(), drawnAlone...), name, "there is no family %q; they are %s")
}

// named returns the family that has the name. An error is in the given words, for the name and for
// those that there are.
func named(families []Catalogued, name, complaint string) (Catalogued, error) {
	var names []string
	for _, f := range families {
		if f.Name == name {
			return f, nil
		}
		names = append(names, f.Name)
	}
	return Catalogued{}, fmt.Errorf(complaint, name, strings.Join(names, ", "))
}

func (s Setting) rows() int { return s.N * max(1, s.Clients) }

func (s Setting) sizes() []int {
	if s.Clients == 0 {
		return OneEach(s.N)
	}
	return slices.Repeat([]int{s.N}, s.Clients)
}

func (s Setting) between() Heterogeneity {
	if s.Clients == 1 || s.Clients == 0 && s.N == 1 {
		return Heterogeneity{}
	}
	h := Heterogeneity{Pattern: TwoCluster, Hessian: s.Zeta, Linear: 1}
	if s.Zeta == 0 {
		h.Pattern = None
	}
	return h
}

func (s Setting) within() Heterogeneity {
	if s.Clients == 0 || s.N == 1 {
		return Heterogeneity{}
	}
	return Heterogeneity{Pattern: None, Linear: 1}
}

// Build makes the named problem; r supplies what is random in it. An error names what does not fit.
func Build(name string, s Setting, r *rand.Rand) (*Problem, error) {
	family, err := named(Catalogue(), name, "there is no problem %q; there are %s")
	if err != nil {
		return nil, err
	}
	if s.N == 0 && s.Clients > 0 {
		s.N = 100
	}
	s.N, s.D = cmp.Or(s.N, 1000), cmp.Or(s.D, 20)
	s.Cond, s.Zeta, s.Alpha = cmp.Or(s.Cond, 100), cmp.Or(s.Zeta, 0.1), cmp.Or(s.Alpha, 0.01)
	switch {
	case s.Table != nil && !family.TakesData:
		return nil, fmt.Errorf("the problem %q takes no data", name)
	case s.N < 1:
		return nil, fmt.Errorf("the number of components must be at least 1, got %d", s.N)
	case s.D < 1:
		return nil, fmt.Errorf("the dimension must be at least 1, got %d", s.D)
	case s.Clients < 0:
		return nil, fmt.Errorf("the number of clients must be at least 0, got %d", s.Clients)
	case !(s.Cond >= 1) || math.IsInf(s.Cond, 0):
		return nil, fmt.Errorf("the condition number must be at least 1 and finite, got %v", s.Cond)
	case math.IsNaN(s.Zeta) || math.IsInf(s.Zeta, 0):
		return nil, fmt.Errorf("the heterogeneity must be finite, got %v", s.Zeta)
	}
	s.Zeta = max(0, s.Zeta)
	if family.TakesData && s.Table == nil {
		s.Table = family.synthetic(s, r)
	}
	var clients [][]int
	if family.TakesData && s.Clients > 0 {
		if clients, err = SplitByTarget(s.Table.Target, s.Clients, s.Skew, r); err != nil {
			return nil, err
		}
	}
	built, err := family.build(s, clients, r)
	if err != nil {
		return nil, err
	}
	p := &Problem{Federated: s.Clients > 0}
	if model, ok := built.engine.(*linear); ok {
		whole := model.pooled()
		p.noise = func() (sigma, g Constant) { return whole.noise(nil, 0) }
	}
	if p.Federated {
		p.Objective, p.Certificate = built, built
	} else {
		p.Objective, p.Certificate = algos.Sum(built.ByClient()), built.ByClient()
	}
	p.X0 = make([]float64, p.Objective.Dim())
	if !family.TakesData { // data problems start at zero, the others away from their minimisers
		for k := range p.X0 {
			p.X0[k] = 2 * r.NormFloat64()
			if name == "saddle" {
				p.X0[k] *= 1e-3
			}
		}
	}
	return p, nil
}
