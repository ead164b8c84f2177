package bounds

import (
	"cmp"

	"sledge/algos"
	"sledge/props"
)

// Where statements about runs have content.
const (
	LeastSteps = 20  // steps, or rounds, of a run that is worth the name
	noticeable = 0.1 // share of the gradient from which on an error of the estimator matters
	// The same where the theorems themselves keep errors small. Near saddles minibatches of b ≥ √n
	// + ζ²/δ² keep them at about √(ηγ) of the gradient, and what moves a run away is the noise,
	// which controls take away; the step size of theorem:D-PL, with its constant 1/27, keeps them
	// at a few hundredths.
	smallErrors = 0.01
	leastShare  = 0.1 // of the steps of a run, at which it is to matter
)

// erring is what runs report of themselves, see [props.Trial.Content].
const (
	erring      = "steps at which the error of the estimator is at least a tenth of the gradient"
	erringAtAll = "steps at which the error of the estimator is at least " +
		"a hundredth of the gradient"
	straying = "steps after the perturbation at which the runs differ in error by at least " +
		"a hundredth of γ‖w‖"
)

// sampling returns the conditions under which SLEDGE on a finite sum is more than gradient descent
// on a line, or FLEDGE more than local steps of all clients, for so many of them, the dimension,
// and the heterogeneity.
func (c *tuning) sampling(P, d int, zeta float64) props.Regime {
	sampled := props.Where(props.Min("n", P, 2), props.Less("b", c.b, "n", P))
	if c.K > 0 {
		sampled = props.Where(props.Min("P", P, 2), props.Less("p", c.p, "P", P),
			props.Min("K", c.K, 2))
	}
	return sampled.And(props.Min("d", d, 2), props.Positive("ζ", zeta))
}

// reporting asks besides that runs report a share of at least leastShare of such steps: erring, or
// erringAtAll where errors are small by what the theorem asks for.
func reporting(matter string, r props.Regime) props.Regime {
	r.Matter, r.Least = matter, leastShare
	return r
}

// noiseWithin is the condition that the noise radius is at most a tenth of the radius of the region
// that a run is to leave.
func noiseWithin(r, region float64) props.Condition {
	return props.Condition{What: "r ≤ R/10", Met: r <= region/10}
}

// Allowed probabilities that claims about runs draw: such that runs can decide, and most of them at
// most 0.1.
const (
	leastAllowed = 0.04
	mostAllowed  = 0.15
)

// drawNu draws ν, or a multiple of it with the given name, for a statement that may fail with share
// times that probability; it stays below 0.9.
func drawNu(src *props.Source, name string, share float64) float64 {
	return src.LogReal(name, min(0.9, leastAllowed/share), min(0.9, mostAllowed/share))
}

// drawTenth is [drawNu] for a probability share·ν of about 0.1: the smaller it is the more runs it
// takes to show.
func drawTenth(src *props.Source, name string, share float64) float64 {
	return src.LogReal(name, min(0.9, 0.08/share), min(0.9, 0.11/share))
}

// Share counts steps for [props.Trial.Content].
type stepShare struct {
	noticed, steps int
	// share of the gradient from which on an error counts; 0 stands for noticeable
	from float64
}

// Step counts a step with the given squared error of the estimator, 0 if it is nothing but
// rounding, and squared gradient.
func (s *stepShare) Step(errSq, gradSq float64) {
	s.steps++
	if errSq > 0 && errSq >= sq(cmp.Or(s.from, noticeable))*gradSq {
		s.noticed++
	}
}

// look counts a step of a method, given a monitor of its problem.
func (s *stepShare) look(m algos.Method, monitor *algos.Monitor, x []float64) {
	s.Step(monitor.ErrorSquared(m.Estimator(), x), sq(monitor.GradientNorm(x)))
}

// Report reports the share of steps at which the error was noticeable.
func (s *stepShare) Report(t props.Trial) {
	if s.steps > 0 {
		t.Content(float64(s.noticed) / float64(s.steps))
	}
}

// How checks take part in negative controls; see [props.Control]. With exact gradients every
// component, and every datum of a client, answers with the gradient of the mean of all. Step sizes,
// minibatches and bounds stay those of the instance.

// answers is the problem that a run asks: with exact answers where its control takes away the
// errors of estimators.
func answers(t props.Trial, p algos.Problem) algos.Problem {
	if t.Without(props.Errors) {
		return algos.Exactly(p)
	}
	return p
}

// under returns the instance as its control has it.
func (in *instance) under(t props.Trial) *instance {
	run := *in.made()
	run.problem.Problem = answers(t, run.problem.Problem)
	run.r = radius(t, run.r)
	return &run
}

// under returns the runs as a control has them: without noise they start at the saddle, with an
// estimator that has no error there, and there is no perturbation either.
func (in *stuckInstance) under(t props.Trial) *stuckInstance {
	c := *in
	c.exact = t.Without(props.Errors)
	if t.Without(props.Noise) {
		c.r, c.re, c.x0, c.option = 0, 0, make([]float64, len(c.x0)), algos.OptionII
	}
	return &c
}

// radius is that of the noise, or 0 in a control without.
func radius(t props.Trial, r float64) float64 {
	if t.Without(props.Noise) {
		return 0
	}
	return r
}

// longControl is how many steps a run without noise makes at most in a control: longer by far than
// the times with it.
const longControl = 20000

// patience is a horizon, or that of a control, longControl for one without noise at most.
func patience(t props.Trial, horizon int) int {
	horizon = t.Patience(horizon)
	if t.Without(props.Noise) {
		return min(horizon, longControl)
	}
	return horizon
}
