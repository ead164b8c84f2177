package algos

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"gonum.org/v1/gonum/floats"
)

// Limits says when a run stops and how often it is looked at. At least one limit must be set; the
// first one reached ends the run.
type Limits struct {
	Steps        int     // iterations (rounds for federated methods); 0 for no limit
	Gradients    int64   // stochastic gradient count; 0 for no limit
	Rounds       int64   // communication rounds; 0 for no limit
	GradientNorm float64 // stop once ‖∇f(x^t)‖ ≤ GradientNorm at a recorded step; 0 for no limit
	// record every so many steps (the start and the end always); 0 stands for 1
	Every int
	// EveryGradients, if positive, records whenever so many more gradients have been computed
	// instead.
	EveryGradients int64
	// Observe, if not nil, returns further numbers about the iterate for every record. Races call
	// it from several goroutines.
	Observe func(x []float64) []float64
	Blind   bool // do not evaluate f and its gradient: records hold NaN for them
	// Until, if not nil, ends the run at the first record of which it holds.
	Until func(Record) bool
	// Clock, if not nil, tells the time since some moment: records then say how long the steps
	// took.
	Clock func() time.Duration
}

// Record is what the monitor saw after a step.
type Record struct {
	Step         int
	Counts       Counts
	Value        float64   // f(x^t), NaN if the problem cannot say
	GradientNorm float64   // ‖∇f(x^t)‖
	Error        float64   // ‖v^t − ∇f(x^t)‖
	Observed     []float64 // what Limits.Observe returned
	// what the start and the steps have taken by Limits.Clock, without looking at them; 0 if there
	// is none
	Time time.Duration
}

// Trace is the record of a run.
type Trace struct {
	Method  string
	Records []Record
	Point   []float64 // final iterate
	Memory  int       // float64 that the method keeps between steps, 0 if it does not say
	// why the run ended: "steps", "gradients", "rounds", "gradient norm", "until", "finished",
	// "diverged" or "cancelled"
	Stopped string
}

// Run drives a method from x0 until a limit is reached. It stops early when an iterate is not
// finite ("diverged") or the context is cancelled. Errors are parameter errors of the method, a
// problem without clients or dimension, a starting point that does not fit it, and missing limits;
// the trace is then nil.
func Run(ctx context.Context, m Method, p Problem, x0 []float64, r Randomness,
	lim Limits) (*Trace, error) {
	switch {
	case m == nil || p == nil || r == nil:
		return nil, errors.New(
			"algos: a run needs a method, a problem and a randomness; one of them is nil")
	case p.Clients() < 1 || p.Dim() < 1:
		return nil, fmt.Errorf("algos: the problem has %d clients in dimension %d",
			p.Clients(), p.Dim())
	}
	if err := CheckStart(m.Name(), x0, p.Dim()); err != nil {
		return nil, err
	}
	if lim.Steps <= 0 && lim.Gradients <= 0 && lim.Rounds <= 0 {
		return nil, fmt.Errorf("algos: run of %s without a limit on steps, gradients or rounds",
			m.Name())
	}
	o, mon := NewOracle(p), NewMonitor(p)
	clock := lim.Clock
	if clock == nil {
		clock = func() time.Duration { return 0 }
	}
	since, spent := clock(), time.Duration(0)
	if err := m.Start(o, x0, r); err != nil {
		return nil, err
	}
	every, next := max(lim.Every, 1), int64(0)
	tr := &Trace{Method: m.Name()}
	g := make([]float64, mon.Dim())
	look := func(step int) Record {
		x := m.Point()
		spent += clock() - since
		rec := Record{Step: step, Counts: o.Counts(), Value: math.NaN(), GradientNorm: math.NaN(),
			Error: math.NaN(), Time: spent}
		if !lim.Blind {
			rec.Value = mon.ValueGradient(g, x)
			rec.GradientNorm, rec.Error = floats.Norm(g, 2), floats.Distance(m.Estimator(), g, 2)
		}
		if lim.Observe != nil {
			rec.Observed = lim.Observe(x)
		}
		tr.Records = append(tr.Records, rec)
		since = clock()
		return rec
	}
	late := false // whether divergence is looked for at some steps only
	if l, ok := m.(lagger); ok {
		late = l.lags()
	}
	for step := 0; ; step++ {
		if step > 0 {
			m.Step()
		}
		tr.Stopped = stopped(ctx, lim, step, o.Counts())
		if tr.Stopped != "cancelled" && (!late || step%64 == 0 || tr.Stopped != "") &&
			diverged(m.Point()) {
			tr.Stopped = "diverged"
		}
		if f, ok := m.(Finisher); ok && tr.Stopped == "" && f.Finished() {
			tr.Stopped = "finished"
		}
		due := step%every == 0
		if lim.EveryGradients > 0 {
			if due = o.Counts().Gradients >= next || step == 0; due {
				next = o.Counts().Gradients + lim.EveryGradients
			}
		}
		if tr.Stopped != "" || due {
			rec := look(step)
			if tr.Stopped == "" && rec.GradientNorm <= lim.GradientNorm {
				tr.Stopped = "gradient norm"
			} else if tr.Stopped == "" && lim.Until != nil && lim.Until(rec) {
				tr.Stopped = "until"
			}
		}
		if tr.Stopped != "" {
			tr.Point, tr.Memory = clone(m.Point()), memory(m)
			return tr, nil
		}
	}
}

// lagger is the ability of a method to make its point when it is asked for, at the cost of several
// steps.
type lagger interface{ lags() bool }

func diverged(x []float64) bool {
	return math.IsNaN(floats.Sum(x)) || math.IsInf(floats.Norm(x, 2), 0)
}

func stopped(ctx context.Context, lim Limits, step int, c Counts) string {
	switch {
	case ctx.Err() != nil:
		return "cancelled"
	case lim.Steps > 0 && step >= lim.Steps:
		return "steps"
	case lim.Gradients > 0 && c.Gradients >= lim.Gradients:
		return "gradients"
	case lim.Rounds > 0 && c.Rounds >= lim.Rounds:
		return "rounds"
	}
	return ""
}
