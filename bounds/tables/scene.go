package tables

import (
	"cmp"
	_ "embed"
	"encoding/json"
	"fmt"
	"hash/fnv"
	"math"
	"sync"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
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
	return p, p.X0(), goal
}

// means makes a method for a scene with a step size.
type means func(s scene, eta float64) algos.Method

// panel is a row of scenes along an abscissa, and all methods that run there.
type panel struct {
	at       func(x float64) scene
	measured map[string]bool // the methods of which sweeps are judged
	lock     sync.Mutex
	methods  map[string]*operating.TunedMethod
}

func newPanel(at func(x float64) scene) *panel {
	return &panel{at: at, measured: map[string]bool{},
		methods: map[string]*operating.TunedMethod{}}
}

// method is one on the panel by the course that it has in a scene, made for the first who asks for
// its key; a rough one has a step size that is looked for with less care.
func (p *panel) method(key, name string, rough bool,
	course func(s scene) operating.Course) *operating.TunedMethod {
	p.lock.Lock()
	defer p.lock.Unlock()
	if p.methods[key] == nil {
		p.methods[key] = &operating.TunedMethod{Name: name, Rough: rough,
			Course: func(x float64) operating.Course {
				s := p.at(x)
				c := course(s)
				c.Site = s.site
				return c
			},
			Known: func(x float64) (operating.Tuned, bool) {
				t, ok := steps()[choice(key, x, p.at(x))]
				return t, ok
			}}
	}
	return p.methods[key]
}

// tuned is a method of the tables, under a key, with the usual cost unless another is counted.
func (p *panel) tuned(key, name string, rough bool,
	count func(c algos.Counts, steps int) float64) *operating.TunedMethod {
	return p.method(key, name, rough, func(s scene) operating.Course {
		c := operating.Course{Cost: count,
			Method: func(eta float64) algos.Method { return methods[name](s, eta) }}
		switch {
		case count != nil:
		case s.federated:
			c.Cost = operating.Rounds
		default:
			c.Cost = operating.Gradients
		}
		return c
	})
}

// exact is the control of a method that spends so many gradients for each of its b a step: the same
// steps with exact gradients for the same charge, or as many exact local steps in a round, one in a
// sweep over K.
func (p *panel) exact(each float64, once bool) *operating.TunedMethod {
	key, name := fmt.Sprintf("exact gradients, %v each", each), "exact gradients"
	if once {
		name += ", one step in a round"
		key = name
	}
	return p.method(key, name, false, func(s scene) operating.Course {
		charge, local := each*float64(s.batch), max(1, s.local)
		if s.federated {
			charge = 1
		}
		if once {
			local = 1
		}
		return operating.Course{Cost: operating.Charge(charge),
			Method: operating.Exact(local, s.radius(1))}
	})
}

// What a theorem allows and what the lower bound asks for, with all constants, at the scenes of a
// sweep. They count what comes after the initialisation, as the costs of runs do.

// constants are those of a scene; they do not depend on how many clients there are.
func (s scene) constants() problems.Constants {
	s.clients, s.data = 4, min(4, s.data)
	p, x0, _ := s.site(keyed.New(0))
	return p.(*operating.Terrain).Constants(x0)
}

// upper bounds the median cost of a method by the theorem in expectation and Markov's inequality,
// NaN where none of this repository's has constants: at second-order stationary points, and for
// data that differ.
func (s scene) upper(method string) float64 {
	c := s.constants()
	L, zeta, gap, sigmaC := c.L.Value, c.Zeta.Value, c.Delta.Value, c.SigmaC.Value
	if s.delta > 0 || c.Sigma.Value > 0 {
		return math.NaN()
	}
	least := s.gap // of f, which bounds the gradient where it is to be small
	if least == 0 {
		least = s.eps * s.eps / (2 * c.LMean.Value)
	}
	linear := func(steps, gap float64) float64 { return steps * max(1, math.Log(2*gap/least)) }
	switch method {
	case "SLEDGE-I", "SLEDGE-II":
		option := algos.OptionII
		if method == "SLEDGE-I" {
			option = algos.OptionI
		}
		n, b := s.clients, s.batch
		e := bounds.ExpectedOfSum(option, n, b, L, zeta, sigmaC)
		if s.mu > 0 {
			eta := bounds.ExpectedPLStep(L, s.mu, zeta, n, b)
			return 2 * float64(b) * linear(1/(eta*s.mu), gap+e.PLStart(eta))
		}
		return 2 * float64(b) * e.Steps(gap, s.eps)
	case "FLEDGE":
		e := bounds.Expected{P: s.clients, Chosen: s.chosen, K: s.local, B: s.batch, L: L,
			Zeta: zeta}
		if s.mu > 0 {
			return linear(1/(e.PLStepSize(s.mu)*s.mu*float64(s.local)), gap)
		}
		return e.Rounds(gap, s.eps)
	}
	return math.NaN()
}

// lower is how many gradients the lower bound asks for beyond the n of the initialisation, NaN
// where it does not apply: it is about nonconvex sums, and methods that stay in the span of
// gradients.
func (s scene) lower() float64 {
	c := s.constants()
	if s.federated || s.mu > 0 || s.delta > 0 || s.eps > math.Sqrt(c.L.Value*c.Delta.Value) {
		return math.NaN()
	}
	least := bounds.LowerBounds(float64(s.clients), c.L.Value, c.Zeta.Value, c.Delta.Value, s.eps)
	return max(least[1], least[2]) // least[0] is paid at the start
}

// rival is a method that is drawn beside one that names none: that of the paper, or the nearest to
// it.
func (s scene) rival(method string) string {
	switch own := map[bool]string{true: "FLEDGE", false: "SLEDGE-II"}[s.federated]; {
	case method != own:
		return own
	case s.federated:
		return "BVR-L-SGD"
	case s.delta > 0:
		return "SSRGD"
	}
	return "PAGE"
}

// The step sizes of the sweeps do not depend on the seed of a run: they are tuned on runs of their
// own. Tuning takes several times as long as what is measured then, so its outcome is on record, by
// method, abscissa and digest of the scene: η, and the cost by which it was chosen, neither where
// the method arrives with none. A scene that is not on record is tuned when it is asked for.
// UPDATE=1 go test -run TestStepSizes ./bounds/tables makes the record anew.
//
//go:embed steps.json
var stepsOnRecord []byte

// choice names a method in a scene.
func choice(name string, x float64, at scene) string {
	h := fnv.New64a()
	fmt.Fprintf(h, "%+v", at)
	return fmt.Sprintf("%s %v %016x", name, x, h.Sum64())
}

// steps are the choices on record.
var steps = sync.OnceValue(func() (known map[string]operating.Tuned) {
	if err := json.Unmarshal(stepsOnRecord, &known); err != nil {
		panic(err) // a test makes it
	}
	return known
})
