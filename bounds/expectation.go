package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// This file is how statements about expectations are tried: exactly, over all runs of small
// instances, and by sampling on larger ones.

// everything goes through all choices of a run of SLEDGE or FLEDGE that matter: those of a worker
// for K = 1 and those of the last local minibatch do not.
type everything struct {
	algos.Outcomes
	K    int
	idle int // local minibatches of the round that are still to come
}

// Subset takes the next subset.
func (e *everything) Subset(dst []int, n int, p algos.Purpose) {
	if p == algos.LocalBatches && e.idle > 0 {
		if e.idle--; e.idle == 0 {
			for i := range dst {
				dst[i] = i
			}
			return
		}
	}
	e.Outcomes.Subset(dst, n, p)
}

// Indices takes the next worker.
func (e *everything) Indices(dst []int, n int, _ algos.Purpose) {
	if e.idle = e.K; e.K == 1 {
		n = 1
	}
	dst[0] = e.Next(n)
}

// enumerate calls visit with every run without noise of K local steps, none for SLEDGE, and its
// probability. It returns false, after some of them, if there are more than limit.
func enumerate[R any](K, limit int, follow func(algos.Randomness) R,
	visit func(run R, probability float64)) bool {
	e := &everything{K: K}
	for range limit {
		e.idle = 0
		run := follow(e)
		visit(run, e.Probability())
		if !e.Turn() {
			return true
		}
	}
	return false
}

// mostOutcomes is how many runs an instance may have for its claims to be checked on all of them.
const mostOutcomes = 600

// outcomes calls visit with every run of an instance without noise and its probability, if there
// are few enough. The initial minibatch of Option I is one of the choices.
func (in *instance) outcomes(visit func(p *path, probability float64)) bool {
	return enumerate(0, mostOutcomes, in.followWith, visit)
}

func (in *federation) outcomes(visit func(p *roundPath, probability float64)) bool {
	return enumerate(in.K, mostOutcomes, in.followWith, visit)
}

// bounded are the shapes of a mean function that has a minimum.
var bounded = []problems.Shape{problems.Convex, problems.Degenerate}

// averaged says how the bound of a theorem on the expected sum of ‖∇f‖² is prepared on instances of
// one method: prepare sets the step size of the theorem and returns the bound, gradients is the sum
// on a run, and radius that of the noise.
type averaged[R any] struct {
	what        string
	enumerable  func(src *props.Source) averagedInstance[R]
	sampled     func(src *props.Source) averagedInstance[R]
	enumeration float64 // effort
	sampling    float64
}

// averagedInstance is an instance of such a theorem.
type averagedInstance[R any] interface {
	outcomes(visit func(run R, probability float64)) bool
	trial(t props.Trial) R
	parameters() *setting
	prepare() (bound float64)
	gradients(run R) float64
	atRandom() props.Regime
}

// checks compares the averaged gradients with the bound: exactly on instances whose runs can be
// enumerated, and by sampling on larger ones.
func (a averaged[R]) checks() []props.Check {
	return []props.Check{
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := a.enumerable(src)
			bound, sum := in.prepare(), 0.0
			if !in.outcomes(func(run R, probability float64) { sum += probability * in.gradients(run) }) {
				rec.Skip("too many runs")
				return
			}
			rec.AtMost("expected "+a.what+" over all runs", sum, bound)
		}).Effort(a.enumeration),
		props.Mean(func(src *props.Source) props.MeanTrial {
			in := a.sampled(src)
			bound, s := in.prepare(), in.parameters()
			if s.r > 0 {
				s.r *= s.eta * math.Sqrt(s.Delta.Value)
				bound = in.prepare()
			}
			bound = max(bound, math.SmallestNonzeroFloat64)
			return props.MeanTrial{What: a.what + " over its bound", Claimed: 1, Relation: props.LE,
				Regime: in.atRandom(),
				Run:    func(t props.Trial) float64 { return in.gradients(in.trial(t)) / bound }}
		}).Effort(a.sampling),
	}
}

// record returns what all runs have.
func (h *recorded) record() *recorded { return h }

// gapInstance is an instance for which a theorem under the PL condition bounds E f(x^t) − f*.
type gapInstance[R interface{ record() *recorded }] interface {
	outcomes(visit func(run R, probability float64)) bool
	parameters() *setting
	value(x []float64) float64
	minimum() (float64, bool)
	gapBound(t int) float64
}

// checkGaps compares E f(x^t) − f* over all runs of an instance with the bound, for every t.
func checkGaps[R interface{ record() *recorded }](draw func(src *props.Source,
	option algos.Option) gapInstance[R]) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := draw(src, algos.Option(src.Pick("option", "II", "I")))
		s := in.parameters()
		least, _ := in.minimum()
		gaps, noise := make([]float64, s.T+1), 0.0
		if !in.outcomes(func(run R, probability float64) {
			h := run.record()
			noise = max(noise, h.rounding()/s.Mu.Value)
			for t, x := range h.tape.X {
				gaps[t] += probability * (in.value(x) - least)
			}
		}) {
			rec.Skip("too many runs")
			return
		}
		// f is evaluated to about 1e-16 of its terms, see setupPLInserted, and its gradient to
		// 1e-12 of the largest one
		size := 1e-6*(s.Delta.Value+math.Abs(in.value(make([]float64, s.d))-least)) + noise
		for t := 1; t <= s.T; t++ {
			rec.AtMost("E f(x^t) − f* over all runs", gaps[t], in.gapBound(t)).Scale(size)
		}
	}).Effort(0.1)
}

func (in *instance) value(x []float64) float64   { return in.problem.Value(x) }
func (in *federation) value(x []float64) float64 { return in.problem.(algos.Valuer).Value(x) }

func (in *instance) minimum() (float64, bool) { return in.problem.Minimum() }

func (in *federation) minimum() (float64, bool) {
	return in.problem.(interface{ Minimum() (float64, bool) }).Minimum()
}
