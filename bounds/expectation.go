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

// mostOutcomes is how many runs an instance may have for its claims to be checked on all of them.
const mostOutcomes = 600

// outcomes calls visit with every run of an instance without noise and its probability, if there
// are few enough. The initial minibatch of Option I is one of the choices.
func (in *instance) outcomes(visit func(p *path, probability float64)) bool {
	return in.enumerate(mostOutcomes, visit)
}

// enumerate does the same for another limit. It returns false, after some of the runs, if there are
// more.
func (in *instance) enumerate(limit int, visit func(p *path, probability float64)) bool {
	e := &everything{K: in.K}
	for range limit {
		e.idle = 0
		p := in.followWith(e)
		visit(p, e.Probability())
		if !e.Turn() {
			return true
		}
	}
	return false
}

// bounded are the shapes of a mean function that has a minimum.
var bounded = []problems.Shape{problems.Convex, problems.Degenerate}

// steps is the number of steps of the run, local ones where there are such.
func (in *instance) steps() int { return in.T * max(1, in.K) }

// checkBudget compares the exact expectation of Σ‖v − ∇f‖² over all runs with what bound makes of
// that of the movement.
func checkBudget(what string, draw func(src *props.Source) *instance,
	movement func(p *path) float64,
	bound func(in *instance, moved float64) float64) *props.Deterministic {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in, errs, moved := draw(src), 0.0, 0.0
		if !in.outcomes(func(p *path, probability float64) {
			for _, e := range p.err[:in.steps()] {
				errs += probability * p.squared(e)
			}
			moved += probability * movement(p)
		}) {
			rec.Skip("too many runs")
			return
		}
		rec.AtMost(what, errs, bound(in, moved))
	})
}

// averaged is a theorem that bounds the expected sum of ‖∇f‖².
type averaged struct {
	what                  string
	enumerable, sampled   func(src *props.Source) *instance
	enumeration, sampling float64 // effort
	// prepare sets the step size of the theorem and returns the bound
	prepare   func(in *instance) float64
	gradients func(p *path) float64 // the sum on a run
}

// check compares the averaged gradients with the bound: exactly on instances whose runs can be
// enumerated, and by sampling on larger ones.
func (a averaged) check() props.Check {
	return props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := a.enumerable(src)
			bound, sum := a.prepare(in), 0.0
			if !in.outcomes(func(p *path, probability float64) {
				sum += probability * a.gradients(p)
			}) {
				rec.Skip("too many runs")
				return
			}
			rec.AtMost("expected "+a.what+" over all runs", sum, bound)
		}).Effort(a.enumeration),
		props.Mean(func(src *props.Source) props.MeanTrial {
			in := a.sampled(src)
			bound := a.prepare(in)
			if in.r > 0 {
				in.r *= in.eta * math.Sqrt(in.Delta.Value)
				bound = a.prepare(in)
			}
			bound = max(bound, math.SmallestNonzeroFloat64)
			return props.MeanTrial{What: a.what + " over its bound", Claimed: 1, Relation: props.LE,
				Regime: in.content().And(longEnough(in.T)),
				Run:    func(t props.Trial) float64 { return a.gradients(in.trial(t)) / bound }}
		}).Effort(a.sampling))
}
