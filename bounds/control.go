package bounds

import (
	"sledge/algos"
	"sledge/props"
)

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
func (c coupling) under(t props.Trial) coupling {
	c.exact = t.Without(props.Errors)
	if t.Without(props.Noise) {
		c.r, c.re, c.x0, c.option = 0, 0, make([]float64, len(c.x0)), algos.OptionII
	}
	return c
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
