package operating

import (
	"fmt"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props/direction"
	"sledge/props/keyed"
)

// The step sizes among which methods are tuned, 2^-12 … 2^2: an absolute grid, which knows nothing
// of any theory. A factor of 4 apart first, with half of the runs; then those halfway to the
// neighbours of the best, a factor of √2 apart, and further on as long as the best of them is the
// last on its side.
const lowestPower, highestPower = -12, 2

func grid(lo, hi, step float64) []float64 {
	var etas []float64
	for e := hi; e >= lo; e -= step {
		etas = append(etas, math.Exp2(e))
	}
	return etas
}

// Goal says whether a run has arrived; every run gets one of its own. The iterates come in order,
// from x⁰ on.
type Goal func(x []float64) bool

// Course is a problem with a goal, and the method that is to reach it with a step size.
type Course struct {
	Method func(eta float64) algos.Method
	// Site makes problem, start and goal from a key; methods see nothing but the problem
	Site func(key keyed.Key) (p algos.Problem, x0 []float64, goal Goal)
	// Cost is what has been spent after a number of steps; counts are those after the
	// initialisation
	Cost func(c algos.Counts, steps int) float64
}

// Gradients counts stochastic gradients.
func Gradients(c algos.Counts, _ int) float64 { return float64(c.Gradients) }

// Rounds counts communication rounds.
func Rounds(c algos.Counts, _ int) float64 { return float64(c.Rounds) }

// walk is a run that is made in pieces.
type walk struct {
	c       *Course
	m       algos.Method
	ends    algos.Finisher // nil unless the method ends by itself
	o       *algos.Oracle
	monitor *algos.Monitor
	g       []float64
	goal    Goal
	start   algos.Counts
	high    float64 // a value beyond which nobody comes back; NaN where values are not known
	steps   int
	arrived bool
	lost    bool
	looks   int // at the estimator
	erring  int // those that saw an error
}

// A run that rises by lostHigh times f(x⁰), or 1, is given up. That, and the error of the
// estimator, is looked at once in lookEvery steps.
const (
	lostHigh  = 1e3
	lookEvery = 16
)

// Erring is what a run reports of the steps at which its estimator has an error, and erringFrom the
// size of one.
const (
	Erring     = "steps at which the estimator's error exceeds a tenth of the gradient"
	erringFrom = 0.1
)

func (c *Course) begin(eta float64, key keyed.Key) *walk {
	p, x0, goal := c.Site(key)
	w := &walk{c: c, m: c.Method(eta), o: algos.NewOracle(p), goal: goal,
		monitor: algos.NewMonitor(p), g: make([]float64, p.Dim())}
	if err := w.m.Start(w.o, x0, algos.Keyed(key.With("run"))); err != nil {
		panic(err) // settings of these packages are valid
	}
	w.high = lostHigh * (1 + math.Abs(w.monitor.Value(x0)))
	w.ends, _ = w.m.(algos.Finisher)
	w.start = w.o.Counts()
	w.arrived = goal(w.m.Point())
	return w
}

// cost is what the run has spent.
func (w *walk) cost() float64 {
	c := w.o.Counts()
	c.Gradients, c.Rounds = c.Gradients-w.start.Gradients, c.Rounds-w.start.Rounds
	c.Down, c.Up = c.Down-w.start.Down, c.Up-w.start.Up
	return w.c.Cost(c, w.steps)
}

// until goes on until the run has arrived, is lost, or has spent so much.
func (w *walk) until(most float64) {
	for !w.arrived && !w.lost && w.cost() < most {
		w.m.Step()
		w.steps++
		x := w.m.Point()
		w.arrived = w.goal(x)
		if w.steps%lookEvery == 1 {
			w.look(x)
		}
		if w.ends != nil && !w.arrived && w.ends.Finished() {
			w.lost = true
		}
	}
}

func (w *walk) look(x []float64) {
	w.lost = floats.HasNaN(x) || math.IsInf(floats.Norm(x, 2), 0) ||
		w.monitor.Value(x) > w.high
	if v := w.m.Estimator(); v != nil && !w.lost {
		w.looks++
		w.monitor.Gradient(w.g, x)
		if size := floats.Norm(w.g, 2); floats.Distance(w.g, v, 2) > erringFrom*size {
			w.erring++
		}
	}
}

// least is the first budget at which runs wait for each other, and wider the factor between those
// that follow.
const least, wider = 16.0, 1.25

// Tuned is a step size with what it costs.
type Tuned struct {
	Eta  float64
	Cost float64 // the upper quartile of the runs that chose it
	OK   bool    // at some step size three quarters arrive
}

// smallerPays is how much dearer a smaller step size may be that is taken in the place of the
// cheapest, which may lie at the edge of those at which runs break down.
const smallerPays = 1.1

// Tune returns the step size of the grid with the lowest upper quartile of the costs of k runs, or
// a smaller one that is nearly as cheap: the median would choose steps that break down in every
// third run. Runs share their randomness between step sizes. Nothing is found if at no step size
// three quarters arrive within most.
func (c *Course) Tune(k int, most float64, key keyed.Key) Tuned {
	coarse := c.tune(grid(lowestPower, highestPower, 2), (k+1)/2, most, key)
	if !coarse.OK {
		return coarse
	}
	at := math.Log2(coarse.Eta)
	lo, hi := max(lowestPower, at-1), min(highestPower, at+1)
	best := coarse
	better := func(lo, hi, most float64) bool { // on the same runs
		t := c.tune(grid(lo, hi, 0.5), k, most, key.With("fine"))
		if t.OK {
			best = t
		}
		return t.OK
	}
	if !better(lo, hi, 2*coarse.Cost) {
		return coarse
	}
	for more := true; more && math.Log2(best.Eta) == lo && lo > lowestPower; {
		lo--
		more = better(lo, lo+0.5, smallerPays*best.Cost)
	}
	for more := true; more && math.Log2(best.Eta) == hi && hi < highestPower; {
		hi++
		more = better(hi-0.5, hi, best.Cost/smallerPays)
	}
	return best
}

// tune looks at step sizes, in falling order. All runs go on side by side, so that the work is
// bounded by that of the best.
func (c *Course) tune(etas []float64, k int, most float64, key keyed.Key) Tuned {
	walks := make([][]*walk, len(etas))
	for g, eta := range etas {
		for j := range k {
			walks[g] = append(walks[g], c.begin(eta, key.At(j)))
		}
	}
	// price is the cost that three quarters of the runs at a step size do not exceed, infinite
	// beyond a budget.
	need := k - k/4
	price := func(g int, budget float64) float64 {
		var costs []float64
		lost := 0
		for _, w := range walks[g] {
			if w.until(budget); w.arrived {
				costs = append(costs, w.cost())
			} else if w.lost {
				lost++
			}
		}
		if lost > k-need {
			walks[g] = nil
		}
		if len(costs) < need {
			return math.Inf(1)
		}
		slices.Sort(costs)
		return costs[need-1]
	}
	cheapest := func(budget float64) (at int, cost float64) {
		cost = math.Inf(1)
		for g := range etas {
			if d := price(g, budget); d < cost {
				at, cost = g, d
			}
		}
		return at, cost
	}
	for budget := least; ; budget *= wider {
		at, cost := cheapest(min(budget, most))
		if !math.IsInf(cost, 1) {
			for g := len(etas) - 1; g > at; g-- {
				if d := price(g, smallerPays*cost); d <= smallerPays*cost {
					return Tuned{etas[g], d, true}
				}
			}
			return Tuned{etas[at], cost, true}
		}
		if budget >= most {
			return Tuned{}
		}
	}
}

// Run returns the cost of one run, and the share of its steps of which Erring speaks. A run that
// spends most is given up, and one that is lost is charged that.
func (c *Course) Run(eta, most float64, key keyed.Key) (cost, erring float64) {
	w := c.begin(eta, key)
	w.until(most)
	cost = min(most, w.cost())
	if w.lost {
		cost = most
	}
	return cost, float64(w.erring) / float64(max(1, w.looks))
}

// TunedMethod is a method along an abscissa, tuned once for each x. It is safe for concurrent use.
type TunedMethod struct {
	Name   string
	Course func(x float64) Course
	Eta    func(x float64) float64 // the step size, if it is not to be tuned
	// it has the best of step sizes a factor of 4 apart: for what is drawn
	Rough bool
	// Known, if not nil, is what [TunedMethod.Tune] found where that is on record.
	Known func(x float64) (t Tuned, ok bool)
	tuned sync.Map // of x, a func() Tuned
}

// tuners is how many runs choose a step size, and patience how many times their cost a run may
// spend; dear is the cost beyond which no step size is looked for.
const (
	tuners   = 8
	patience = 50
	dear     = 3e6
)

// Tuned returns the step size that the method has at x: the given one, that on record, or the tuned
// one, the same in every direction of rounding. It is not OK if the method arrives with none.
func (l *TunedMethod) Tuned(x float64) Tuned {
	if l.Eta != nil {
		return Tuned{l.Eta(x), dear, true}
	}
	once, _ := l.tuned.LoadOrStore(x, sync.OnceValue(func() (t Tuned) {
		direction.Do(direction.Nearest, func() {
			known := false
			if l.Known != nil {
				t, known = l.Known(x)
			}
			if !known {
				t = l.Tune(x)
			}
		})
		return t
	}))
	return once.(func() Tuned)()
}

// Tune looks for the step size at x, on runs of its own whatever the seed.
func (l *TunedMethod) Tune(x float64) Tuned {
	c, key := l.Course(x), keyed.New(0).With("tuning").At(int(math.Float64bits(x)))
	if l.Rough {
		return c.tune(grid(lowestPower, highestPower, 2), tuners/4, dear, key)
	}
	return c.Tune(tuners, dear, key)
}

// Run is the cost of a run at x with the step size that the method has there; see [Course.Run]. It
// panics if there is none.
func (l *TunedMethod) Run(key keyed.Key, x float64) (cost, erring float64) {
	t := l.Tuned(x)
	if !t.OK {
		panic(fmt.Sprintf("operating: %s does not arrive at %v", l.Name, x))
	}
	c := l.Course(x)
	return c.Run(t.Eta, patience*t.Cost, key)
}

// Error returns the largest ‖v^t − ∇f(x^t)‖² over Σ_{s≤t} ‖x^s − x^{s−1}‖² of a run at x of so many
// steps: what the error of the estimator comes to for what moves it.
func (l *TunedMethod) Error(key keyed.Key, x float64, steps int) float64 {
	c := l.Course(x)
	w := c.begin(l.Tuned(x).Eta, key)
	before, moved, worst := append([]float64(nil), w.m.Point()...), 0.0, 0.0
	for range steps {
		w.m.Step()
		d := floats.Distance(w.m.Point(), before, 2)
		moved += d * d
		copy(before, w.m.Point())
		worst = max(worst, w.monitor.ErrorSquared(w.m.Estimator(), before)/moved)
	}
	return worst
}

// OnAverage is the goal of the nonconvex rates: the mean of ‖∇f‖² over x⁰ … x^{t−1} is at most ε²,
// so that one of them at random is ε-stationary on average.
func (p *Terrain) OnAverage(eps float64) Goal {
	total, steps := 0.0, 0.0
	return func(x []float64) bool {
		g, _ := p.at(x)
		total, steps = total+floats.Dot(g, g), steps+1
		return total <= eps*eps*steps
	}
}

// WithGap is a goal under the PL condition: f(x) − f* ≤ gap.
func (p *Terrain) WithGap(gap float64) Goal {
	return func(x []float64) bool { return p.Value(x) <= gap }
}

// exact is gradient descent that takes some local steps at once, with noise in the first of them: a
// method without errors.
type exact struct {
	algos.GD
	local int
}

// Exact is the control of a sweep: the same movement with exact gradients, in steps of so many
// local ones and with noise of radius noise·η.
func Exact(local int, noise float64) func(eta float64) algos.Method {
	return func(eta float64) algos.Method {
		return &exact{algos.GD{Eta: eta, Radius: noise * eta}, local}
	}
}

func (m *exact) Step() {
	radius := m.Radius
	for range m.local {
		m.GD.Step()
		m.Radius = 0
	}
	m.Radius = radius
}

// Charge is the cost of so much for each step, whatever the oracle was asked.
func Charge(each float64) func(algos.Counts, int) float64 {
	return func(_ algos.Counts, steps int) float64 { return each * float64(steps) }
}

// WithGradient is the goal ‖∇f(x)‖ ≤ ε.
func (p *Terrain) WithGradient(eps float64) Goal {
	return func(x []float64) bool {
		g, _ := p.at(x)
		return floats.Norm(g, 2) <= eps
	}
}

// SecondOrder is the goal ‖∇f(x)‖ ≤ ε and λ_min(∇²f(x)) ≥ −δ.
func (p *Terrain) SecondOrder(eps, delta float64) Goal {
	near := p.WithGradient(eps)
	return func(x []float64) bool { return near(x) && p.LeastCurvature(x) >= -delta }
}

// Vectors counts vectors sent in both directions.
func Vectors(c algos.Counts, _ int) float64 { return float64(c.Down + c.Up) }
