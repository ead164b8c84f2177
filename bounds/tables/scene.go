package tables

import (
	"cmp"
	"fmt"
	"math"
	"sync"

	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props/keyed"
)

// scene is where runs of a sweep are made: sizes, constants of the objective, and a goal. The
// objective has L ≤ 1.25 and dimensions that mix, is not convex, and no two of its clients are
// alike. A client that holds one datum is a component of a finite sum.
type scene struct {
	clients, chosen, local, batch int // P or n, p, K, b
	data                          int // of each client; 1 for a finite sum
	zeta, within                  float64
	sigmaC, sigma                 float64
	// nonconvex goal: mean square gradient ε²; with δ a second-order stationary point
	eps       float64
	mu, gap   float64 // PL goal: f(x) − f* ≤ gap from 1, or with ε and no gap ‖∇f(x)‖ ≤ ε
	delta     float64
	value     float64 // Δ; 0 stands for 1
	federated bool
}

// dimension is that of all scenes.
const dimension = 6

// bend is the curvature of f in the directions in which errors of an estimator act: of a parabola,
// or the largest of a rippled one.
const bend = 0.75

func (s scene) site(key keyed.Key) (algos.Problem, []float64, operating.Goal) {
	var shapes []operating.Shape
	start := make([]float64, dimension)
	switch {
	case s.delta > 0:
		shapes = append(shapes, operating.Well(2*s.delta))
	case s.mu > 0:
		h := s.mu / operating.RippledMu
		shapes = append(shapes, operating.Rippled(h))
		if s.value > 0 { // near the bottom, in all directions
			start[0] = math.Sqrt(s.value / (5 * h))
			for l := 1; l < dimension; l++ {
				start[l] = math.Sqrt(s.value / bend / (dimension - 1))
			}
		} else {
			start[0] = math.Sqrt(max(1, 1/h-0.75)) // f ≈ 1 there
		}
	default:
		shapes, start = operating.Downhill(s.eps, cmp.Or(s.value, 1), bend, dimension)
	}
	for len(shapes) < dimension {
		if s.mu > 0 {
			shapes = append(shapes, operating.Rippled(bend/5))
		} else {
			shapes = append(shapes, operating.Parabola(bend))
		}
	}
	p := operating.New(operating.Site{Shapes: shapes, Start: start, Clients: s.clients,
		Data: s.data, Between: operating.Deviations{Zeta: s.zeta, Linear: s.sigmaC},
		Within: operating.Deviations{Zeta: s.within, Linear: s.sigma}}, key).Alone()
	goal := p.OnAverage(s.eps)
	switch {
	case s.delta > 0:
		goal = p.SecondOrder(s.eps, s.delta)
	case s.gap > 0:
		goal = p.WithGap(s.gap)
	case s.mu > 0:
		goal = p.WithGradient(s.eps)
	}
	if s.federated {
		return p, p.X0(), goal
	}
	return algos.Sum(operating.Components{Terrain: p}), p.X0(), goal
}

// means makes a method for a scene with a step size.
type means func(s scene, eta float64) algos.Method

// panel is a row of scenes along an abscissa, and all methods that run there.
type panel struct {
	variable string
	x        []float64
	at       func(x float64) scene
	measured map[string]bool // the methods of which sweeps are judged
	lock     sync.Mutex
	methods  map[string]*operating.TunedMethod
}

func newPanel(variable string, x []float64, at func(x float64) scene) *panel {
	return &panel{variable: variable, x: x, at: at, measured: map[string]bool{},
		methods: map[string]*operating.TunedMethod{}}
}

// tuned is the method on the panel, the same for all who ask.
func (p *panel) tuned(name string) *operating.TunedMethod {
	return p.known(name, func() *operating.TunedMethod {
		return &operating.TunedMethod{Name: name, Course: func(x float64) operating.Course {
			s := p.at(x)
			c := operating.Course{Site: s.site, Cost: operating.Gradients,
				Method: func(eta float64) algos.Method { return methods[name](s, eta) }}
			if s.federated {
				c.Cost = operating.Rounds
			}
			return c
		}}
	})
}

// with is a method on the panel at step sizes that are those of one sweep alone.
func (p *panel) with(name string, eta func(x float64) float64) *operating.TunedMethod {
	return &operating.TunedMethod{Name: name, Course: p.tuned(name).Course, Eta: eta}
}

// counted is a method on the panel with another cost, the same for all who ask under the name of
// that cost.
func (p *panel) counted(name, cost string,
	count func(c algos.Counts, steps int) float64) *operating.TunedMethod {
	own := p.tuned(name)
	return p.known(name+", "+cost, func() *operating.TunedMethod {
		return &operating.TunedMethod{Name: name, Course: func(x float64) operating.Course {
			c := own.Course(x)
			c.Cost = count
			return c
		}}
	})
}

// roughly is a method with a step size that is looked for with less care.
func (p *panel) roughly(name string, m *operating.TunedMethod) *operating.TunedMethod {
	return p.known(name+", roughly", func() *operating.TunedMethod {
		return &operating.TunedMethod{Name: m.Name, Course: m.Course, Rough: true}
	})
}

// known returns the method of a name, made for the first who asks.
func (p *panel) known(name string, made func() *operating.TunedMethod) *operating.TunedMethod {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.methods[name] == nil {
		m := made()
		m.Known = func(x float64) (operating.Tuned, bool) {
			t, ok := steps()[choice(name, x, p.at(x))]
			return t, ok
		}
		p.methods[name] = m
	}
	return p.methods[name]
}

// one is the control of a sweep over K: exact gradients, one step in a round.
func (p *panel) one() *operating.TunedMethod {
	const name = "exact gradients, one step in a round"
	return p.known(name, func() *operating.TunedMethod {
		return &operating.TunedMethod{Name: name, Course: func(x float64) operating.Course {
			s := p.at(x)
			return operating.Course{Site: s.site, Cost: operating.Charge(1),
				Method: operating.Exact(1, s.radius(1))}
		}}
	})
}

// exact is the control of a method that spends so many gradients for each of its b a step: the same
// steps with exact gradients for the same charge, or as many exact local steps in a round.
func (p *panel) exact(each float64) *operating.TunedMethod {
	name := fmt.Sprintf("exact gradients, %v each", each)
	return p.known(name, func() *operating.TunedMethod {
		return &operating.TunedMethod{Name: "exact gradients",
			Course: func(x float64) operating.Course {
				s := p.at(x)
				charge := each * float64(s.batch)
				if s.federated {
					charge = 1
				}
				return operating.Course{Site: s.site, Cost: operating.Charge(charge),
					Method: operating.Exact(max(1, s.local), s.radius(1))}
			}}
	})
}
