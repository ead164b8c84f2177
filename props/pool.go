package props

import (
	"fmt"
	"math"
	"slices"
)

// EValues says what a sequential test had found when it stopped, as logarithms to base 10 of
// e-values: under the hypothesis that one is against, its expectation is at most 1 whatever rule
// has stopped the test.
type EValues struct {
	// the statement, on the instance that was tested; NaN where rounding may have made it
	Against Num `json:"against"`
	For     Num `json:"for"`    // it, on that instance alone; NaN for tests that cannot support
	Tested  int `json:"tested"` // instances that were chosen to be tested, before any of them was
	// Doubtful is the number of runs of which it is open whether they violate the statement: they
	// count for neither side.
	Doubtful int `json:"doubtful,omitempty"`
}

// Pool joins what runs on different seeds found out about one claim; the results are those of one
// run each, and the seeds are independent roots of randomness. What it concludes errs with a
// probability of at most the sum of the levels of the runs and once more the largest of them: every
// run keeps its own tests, and the pooled test of each part has the level of one.
//
// Of a part that is tested by e-values, e(s) is in run s their mean over the instances chosen
// there, where a test that was not made, or of which nothing was reported, counts as 0. As the runs
// are independent, the product of the (1+e(s))/2 has expectation at most 1 if the statement holds
// on all instances: half of what is staked is kept back in each, so that a run that met nothing
// costs a factor of 2, and no more. If it comes to the reciprocal of the level it refutes the
// statement, even where no run did.
//
// Where all runs tested the same single instance they are one test, which goes on with each run
// where the one before had stopped: a test about a probability has the e-values of all counts
// together, one about a mean the products. It decides for and against, and stands in the place of
// what each run said.
//
// Of what is searched, or tested otherwise, the worst is kept.
func Pool(results []Result) Result {
	out := Result{Claim: results[0].Claim}
	parts := 0
	for i := range results {
		r := &results[i]
		out.Seconds += r.Seconds
		if out.Err == "" {
			out.Err = r.Err
		}
		if r.Verdict == Supported && r.Loose() {
			out.Claim.Sharpened = true
		}
		for k := range r.Evidence {
			parts = max(parts, r.Evidence[k].Part+1)
		}
	}
	for part := range parts {
		runs := make([][]Evidence, len(results))
		for i := range results {
			for _, ev := range results[i].Evidence {
				if ev.Part == part {
					runs[i] = append(runs[i], ev)
				}
			}
		}
		out.Evidence = append(out.Evidence, poolPart(runs)...)
	}
	out.Verdict = fold(&out)
	out.Claim.Sharpened = results[0].Claim.Sharpened
	return out
}

// poolPart joins what the runs said about one part.
func poolPart(runs [][]Evidence) []Evidence {
	all := slices.Concat(runs...)
	if !slices.ContainsFunc(all, func(e Evidence) bool { return e.EValues != nil }) {
		return worst(all)
	}
	ev, alone := poolTests(runs)
	kept := proper(all)
	switch {
	case ev == nil || slices.ContainsFunc(all,
		func(e Evidence) bool { return e.outcome == Refuted }):
		return kept
	case ev.outcome == Refuted:
		return append(kept, *ev)
	case alone:
		return []Evidence{*ev}
	}
	return kept
}

// proper leaves out what says nothing about the statement, if there is anything else.
func proper(all []Evidence) []Evidence {
	said := slices.DeleteFunc(slices.Clone(all),
		func(e Evidence) bool { return e.outcome == Vacuous })
	if len(said) == 0 {
		return all[:1]
	}
	return said
}

// worst keeps, of each comparison, the evidence with the worst outcome, and among equals that which
// comes nearest to the bound. Counts are those of all runs.
func worst(all []Evidence) []Evidence {
	rank := func(e *Evidence) (int, float64) {
		reach := e.Tightness
		if e.Sense == Hidden {
			reach = e.Ratio
		}
		if math.IsNaN(reach) {
			reach = math.Inf(-1)
		}
		return slices.Index(severity[:], e.outcome), -reach
	}
	var out []Evidence
	for _, e := range proper(all) {
		k := slices.IndexFunc(out, func(o Evidence) bool { return o.What == e.What })
		if k < 0 {
			out = append(out, e)
			continue
		}
		o := &out[k]
		if o.Sense == e.Sense && o.outcome != Proved {
			e.Trials += o.Trials
			e.Violations += o.Violations
			e.Instances += o.Instances
			e.Excluded = excluded(evens(o.Excluded) + evens(e.Excluded))
			o.Trials, o.Violations, o.Instances, o.Excluded = e.Trials, e.Violations, e.Instances,
				e.Excluded
		}
		a, x := rank(o)
		if b, y := rank(&e); b < a || b == a && y < x {
			*o = e
		}
	}
	return out
}

// pooledOver begins the note of a test that is made of those of several runs.
const pooledOver = "pooled over "

// poolTests multiplies what the runs found about a part, and says whether all tests were about one
// instance. It returns nil if fewer than two runs tested anything.
func poolTests(runs [][]Evidence) (pooled *Evidence, alone bool) {
	var made []*Evidence
	against, favour := 0.0, 0.0
	hedged := 0.0
	k, doubtful, n := 0, 0, 0
	seeds := 0
	level := 1.0
	for _, run := range runs {
		mean, tested := math.Inf(-1), 0 // of the e-values, as a logarithm
		for i := range run {
			e := &run[i]
			if e.EValues == nil {
				continue
			}
			made, tested = append(made, e), e.EValues.Tested
			level = min(level, e.Level)
			k, doubtful, n = k+e.Violations, doubtful+e.EValues.Doubtful, n+e.Trials
			favour += math.Ln10 * float64(e.EValues.For) // NaN stays NaN
			if e.EValues.Against.Known() {
				mean = addLogs(mean, math.Ln10*float64(e.EValues.Against))
			}
		}
		if tested == 0 {
			continue
		}
		seeds++
		mean -= math.Log(float64(tested))
		against += mean
		hedged += addLogs(0, mean) - math.Ln2
	}
	if seeds < 2 {
		return nil, false
	}
	first := made[0]
	alone = !slices.ContainsFunc(made, func(e *Evidence) bool {
		return e.EValues.Tested != 1 || !sameInstance(first, e)
	})
	switch {
	case !alone:
		against = hedged
	case first.Sense == Runs && first.Allowed > 0:
		against = logAgainst(float64(k), float64(n), first.Allowed)
		favour = logFor(float64(k+doubtful), float64(n), first.Allowed)
	}
	ev := *first
	for _, e := range made[1:] {
		if e.EValues.Against > ev.EValues.Against {
			ev = *e // the numbers are those of the run that says most against it
		}
	}
	ev.Trials, ev.Violations = n, k
	ev.EValues = &EValues{Num(against / math.Ln10), Num(nan), 1, doubtful}
	ev.Level, ev.Low, ev.High, ev.Power, ev.Curves = level, nan, nan, Power{}, nil
	ev.Note = fmt.Sprintf("%s%d seeds", pooledOver, seeds)
	threshold := -math.Log(level)
	switch {
	case against >= threshold:
		ev.outcome = Refuted
		if why := ev.small(); why != "" {
			ev.outcome, ev.Note = Inconclusive, sentence(ev.Note, why)
		}
	case alone && !slices.ContainsFunc(made,
		func(e *Evidence) bool { return e.outcome == Consistent }):
		ev.EValues.For = Num(favour / math.Ln10)
		ev.outcome = Inconclusive
		if favour >= threshold {
			ev.outcome = Supported
		}
	case alone:
		ev.outcome = Consistent
	}
	return &ev, alone
}

// sameInstance reports whether two pieces of evidence are about one instance.
func sameInstance(a, b *Evidence) bool {
	x, err := parseToken(a.Replay)
	y, err2 := parseToken(b.Replay)
	return err == nil && err2 == nil && slices.Equal(x.choices, y.choices)
}

// small says why a mean may be off by rounding alone.
func (e *Evidence) small() string {
	if excess := math.Abs(e.Measured - e.Claimed); e.Sense != Runs &&
		excess <= RoundingBand*max(math.Abs(e.Measured), math.Abs(e.Claimed)) {
		return fmt.Sprintf("rounding: the mean is off by %.3g, with numbers of size %.3g", excess,
			math.Abs(e.Claimed))
	}
	return ""
}

// addLogs returns log(exp(a) + exp(b)).
func addLogs(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}
