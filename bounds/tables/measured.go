package tables

import (
	"math"
	"slices"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// Entry is one entry of the two tables put to the measurement: the printed formula beside the cost of runs.
type Entry struct {
	Table  int    // 1 or 2
	Row    string // the method as printed
	Column string // such as "nonconvex"
	Text   string // the entry as printed
	Lines  string
	Sweeps []Sweep // in the order of the claim's evidence
	Claim  props.Binding
}

// Sweep is how a cost grows with one quantity, the others fixed.
type Sweep struct {
	Variable string    // the abscissa
	Cost     string    // what is counted, such as "gradients"
	X        []float64 // at least four values over at least a decade and a half
	Law      func(x float64) float64
	Other    string // what is compared with in place of the printed entry, if something is
	run      func(t props.Trial, x float64) float64
	effort   float64 // default 2, for 16 seeds at the quick tier
	margin   float64 // default 0.1; 0.15 for methods whose costs vary more from run to run
}

// Exponent is the exponent of the law over the grid: the slope of its logarithm against that of x. The slope of the
// cost itself is this plus the slope of cost/law, which the check estimates.
func (s *Sweep) Exponent() float64 {
	var lx, ly []float64
	for _, x := range s.X {
		lx, ly = append(lx, math.Log(x)), append(ly, math.Log(s.Law(x)))
	}
	slope, _ := props.OLS(lx, ly)
	return slope
}

// check asks whether the cost grows no faster than the law. The entries are statements with high probability, or on
// average with runs averaged before; they bound the median of the cost, of which a measurement has limits whatever the
// distribution.
func (s *Sweep) check() props.Check {
	effort := s.effort
	if effort == 0 {
		effort = 2
	}
	return props.Slope(func(*props.Source) props.SlopeTrial {
		return props.SlopeTrial{XLabel: s.Variable, YLabel: s.Cost + "/entry", X: s.X, Margin: s.margin, Of: props.OfMedian,
			Regime: props.Where(props.Sweep(s.Variable, s.X)),
			Run:    func(t props.Trial, x float64) float64 { return s.run(t, x) / s.Law(x) }}
	}).Effort(effort)
}

// noisy is the margin of methods whose costs vary from run to run.
const noisy = 0.15

// loosely gives the sweeps that margin.
func loosely(sweeps []Sweep) []Sweep {
	for k := range sweeps {
		sweeps[k].margin = noisy
	}
	return sweeps
}

// geometric returns k numbers from lo by equal factors of r.
func geometric(lo, r float64, k int) []float64 {
	var x []float64
	for range k {
		x = append(x, lo)
		lo *= r
	}
	return x
}

// squares are numbers of components whose roots are even, so that ⌈√n⌉ scales as √n; a decade and a half.
var squares = []float64{16, 36, 100, 256, 576}

// patience is how many times the number of steps that the theory suggests a run may take. Runs that take longer are
// given up, and their cost so far stands for their cost. Methods that stop short of the goal are charged so many times
// what they have spent.
const patience = 50

// run drives a finite-sum method on a plane from its x⁰ until done says so, at most for the given number of steps, and
// returns the gradients spent after the initialisation.
func run(m algos.Method, p *plane, key keyed.Key, most float64, done func(step int, x []float64) bool) float64 {
	o := algos.NewOracle(algos.Sum(sum{p}))
	if err := m.Start(o, p.x0[:], algos.Keyed(key)); err != nil {
		panic(err)
	}
	f, _ := m.(algos.Finisher)
	start := o.Counts().Gradients
	for step := 0; !done(step, m.Point()) && float64(step) < most; step++ {
		if f != nil && f.Finished() {
			return patience * float64(o.Counts().Gradients-start)
		}
		m.Step()
	}
	return float64(o.Counts().Gradients - start)
}

// steady averages as many runs as make up for their length: k where a sweep starts, at x0, and fewer where runs take
// x/x0 times as long.
func steady(k int, x0, x float64, t props.Trial, run func(props.Trial) float64) float64 {
	return mean(max(1, int(math.Round(float64(k)*x0/x))), t, run)
}

// mean averages k runs on independent streams.
func mean(k int, t props.Trial, run func(props.Trial) float64) float64 {
	sum := 0.0
	for i := range k {
		sum += run(props.Trial{Key: t.Key.At(i), N: t.N})
	}
	return sum / float64(k)
}

// runFederated is run for federated methods; it returns all counts after the initialisation.
func runFederated(m algos.Method, p *plane, key keyed.Key, most float64,
	done func(step int, x []float64) bool) algos.Counts {
	o := algos.NewOracle(p)
	if err := m.Start(o, p.x0[:], algos.Keyed(key)); err != nil {
		panic(err)
	}
	start := o.Counts()
	for step := 0; !done(step, m.Point()) && float64(step) < most; step++ {
		m.Step()
	}
	c := o.Counts()
	c.Gradients, c.Rounds = c.Gradients-start.Gradients, c.Rounds-start.Rounds
	c.Down, c.Up = c.Down-start.Down, c.Up-start.Up
	return c
}

// onAverage is the goal of the nonconvex columns: the mean of ‖∇f‖² over x⁰ … x^{t−1} is at most ε², so that one of
// them at random is ε-stationary on average.
func (p *plane) onAverage(eps float64) func(step int, x []float64) bool {
	total, g := 0.0, make([]float64, 2)
	return func(step int, x []float64) bool {
		p.FullGradient(g, x)
		total += g[0]*g[0] + g[1]*g[1]
		return total <= eps*eps*float64(step+1)
	}
}

// withGap is a goal of the PL columns: f(x) − f* ≤ gap.
func (p *plane) withGap(gap float64) func(step int, x []float64) bool {
	return func(_ int, x []float64) bool { return p.Value(x) <= gap }
}

// withGradient is ‖∇f(x)‖ ≤ ε.
func (p *plane) withGradient(eps float64) func(step int, x []float64) bool {
	g := make([]float64, 2)
	return func(_ int, x []float64) bool {
		p.FullGradient(g, x)
		return math.Hypot(g[0], g[1]) <= eps
	}
}

// secondOrder is the goal of the SOSP columns: ‖∇f(x)‖ ≤ ε and λ_min(∇²f(x)) ≥ −δ.
func (p *plane) secondOrder(eps, delta float64) func(step int, x []float64) bool {
	g := make([]float64, 2)
	return func(_ int, x []float64) bool {
		p.FullGradient(g, x)
		return math.Hypot(g[0], g[1]) <= eps && p.leastCurvature(x) >= -delta
	}
}

// slide is the family of the nonconvex columns, with L = 1 and f(x⁰) − f* = gap: a slope of length √2·ε that descends
// from x⁰ to a bottom, n components. A method that moves by η along the gradient reaches the bottom after gap/(2ηε²)
// steps, and has the mean square ε² after twice as many. One variable has the largest curvature that ζ ≤ 1 leaves, for
// errors of the estimator to act on.
func slide(n int, gap, eps, zeta, sigmaC float64) *plane {
	bend := 1 - zeta/2
	s := math.Sqrt2 * eps
	w := s / bend
	height := w + gap/s
	return &plane{curve: ramp(s, bend), flat: bend, clients: n, data: 1, zeta: zeta, sigmaC: sigmaC,
		x0: [2]float64{math.Sqrt(height*height - w*w), 0}}
}

// bowl is the family of the PL columns, with L = 1: a parabola of curvature μ in one variable and of the largest that ζ
// ≤ 1 leaves in the other, f(x⁰) − f* = 1, nine tenths of it in the first.
func bowl(n int, mu, zeta, sigmaC float64) *plane {
	flat := 1 - zeta/2
	return &plane{curve: parabola(mu), flat: flat, clients: n, data: 1, zeta: zeta, sigmaC: sigmaC,
		x0: [2]float64{math.Sqrt(1.8 / mu), math.Sqrt(0.2 / flat)}}
}

// pass is the family of the SOSP columns, with L ≤ 1 and ρ = 1: x⁰ is a strict saddle with smallest eigenvalue −2δ,
// between two minima.
func pass(n int, delta, zeta, sigmaC float64) *plane {
	return &plane{curve: well(2 * delta), flat: 0.5, clients: n, data: 1, zeta: zeta, sigmaC: sigmaC}
}

// claim binds the sweeps of an entry to its claim.
func (e Entry) claim(id string) Entry {
	var checks []props.Check
	for k := range e.Sweeps {
		s := &e.Sweeps[k]
		checks = append(checks, s.check())
	}
	e.Claim = props.Bind("measured/"+id, props.All(checks...))
	return e
}

// Measured returns the measured entries of the tables.
func Measured() []Entry {
	return slices.Concat(nonconvexSums(), secondOrderSums(), plSums(), federatedSlides(), secondOrderRounds(),
		federatedBowls())
}

func measuredClaims() []props.Binding {
	var out []props.Binding
	for _, e := range Measured() {
		out = append(out, e.Claim)
	}
	return slices.Concat(out, escapeClaims(), clientEscapeClaims(), startClaims(), observedClaims())
}
