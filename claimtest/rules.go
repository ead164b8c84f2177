package claimtest

import (
	"math"
	"slices"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/certificate"
)

// rules are what is asked of every result besides the verdict.
var rules = []func(*testing.T, *props.Result){admissible, ordered, controlled, tried, worthTheName,
	certified}

// differences begin the names of choices that say how much components, or clients, differ.
var differences = []string{"ζ", "zeta", "σ_c", "sigma_c", "G_c", "between",
	"Hessian distance of components", "Hessian distance of clients", "linear spread of components",
	"linear spread of clients"}

// impossible returns the choices of an instance that no sum of functions has: a difference between
// components, or clients, of which there is one.
func impossible(where string) []string {
	var found []string
	single := false
	for choice := range strings.SplitSeq(where, ", ") {
		name, value, _ := strings.Cut(choice, " = ")
		if (name == "n" || name == "P") && value == "1" {
			single = true
		}
		for _, d := range differences {
			if strings.HasPrefix(name, d) && value != "0" && value != "none" {
				found = append(found, choice)
				break
			}
		}
	}
	if !single {
		return nil
	}
	return found
}

// admissible: with n = 1 (P = 1) the constants ζ, σ_c and G_c are 0, so no refutation stands on one
// component with positive ones.
func admissible(t *testing.T, r *props.Result) {
	for _, e := range r.Evidence {
		places := []string{e.Where}
		if e.Simplest != nil {
			places = append(places, e.Simplest.Where)
		}
		for _, where := range places {
			if bad := impossible(where); e.Outcome() == props.Refuted && bad != nil {
				t.Errorf("%q is refuted where one component has %q: %s", e.What, bad, where)
			}
		}
	}
}

// WrongRate reports whether a claim is a complexity of the text that is expected to have a wrong
// rate.
func WrongRate(c *props.Claim) bool { return c.Harm == props.Rate && c.Kind == "complexity" }

// ordered: a rate of the text is refuted by an order, if that is what the statement is: along a
// curve on which the ratio of the two sides grows like a power, which the checker has followed.
func ordered(t *testing.T, r *props.Result) {
	if WrongRate(&r.Claim) && !slices.ContainsFunc(r.Evidence, func(e props.Evidence) bool {
		return e.Certificate != nil && e.Certificate.Kind == certificate.Growth
	}) {
		t.Error("the rate is said to be wrong, and nothing is certified to grow")
	}
}

// theorems are the chapters of the text's theorems and lemmas.
var theorems = []string{"sledge-algorithm", "sledge-first-order", "sledge-second-order",
	"sledge-pl", "fledge-first-order", "fledge-second-order", "fledge-pl"}

// exempt need no control.
var exempt = []string{
	"sledge-minibatch-law/sampler", // the law of the sets that are drawn
	"pair-error-identity",
}

// meanOfAll is the comparison of means over all outcomes of runs.
const meanOfAll = "mean over all index sets"

// controlled: every claim that runs of a method leave standing, and that belongs to the text's
// theorems and lemmas, declares the control that its runs are to be told from; identities, what is
// drawn and counted, and sweeps, which have controls of their own, are exempt.
func controlled(t *testing.T, r *props.Result) {
	c := &r.Claim
	if c.Control != nil && !slices.ContainsFunc(r.Evidence,
		func(e props.Evidence) bool { return e.Control != nil }) {
		t.Error("a control is declared, and no runs are made without it")
	}
	tested := slices.ContainsFunc(r.Evidence, func(e props.Evidence) bool {
		return (e.EValues != nil && e.Power.Of != props.SlopeValue || e.What == meanOfAll) &&
			e.Outcome() != props.Refuted
	})
	switch {
	case c.Expect == props.Refuted || !tested || !slices.Contains(theorems, c.Part) ||
		slices.Contains(exempt, c.ID):
	case c.Control == nil:
		t.Errorf("it is about runs (%s) and declares no control", c.Part)
	case c.MayBeLoose && (r.Verdict == props.Supported || r.Verdict == props.Consistent) &&
		!r.Loose():
		t.Error("it is expected to be loose, and is told from its control")
	}
}

// tried: the conclusion of every theorem that an entry names is tried by the search as well, and
// how close it comes is told.
func tried(t *testing.T, r *props.Result) {
	if r.Claim.Formal != "" && !slices.ContainsFunc(r.Evidence, func(e props.Evidence) bool {
		return e.Trials > 0 && !(math.IsNaN(e.Tightness) && math.IsNaN(e.Ratio))
	}) {
		t.Error("it is a theorem, and no instance of it is tried")
	}
}

// uncertified are the printed statements that are refuted by tests of runs, or by evaluations that
// no certificate repeats.
var uncertified = []string{"dist-variance-lemma", "second-main-option-one",
	"second-main-option-two", "dsecond-main-informal", "dsecond-relax-lemma"}

// Uncertified reports whether a printed statement is expected to be refuted without a certified
// counterexample.
func Uncertified(c *props.Claim) bool { return slices.Contains(uncertified, c.ID) }

// certified: a printed statement that is refuted has a certified counterexample, but for those that
// are known to have none.
func certified(t *testing.T, r *props.Result) {
	if r.Claim.Form != props.Printed || r.Verdict != props.Refuted {
		return
	}
	has := slices.ContainsFunc(r.Evidence, func(e props.Evidence) bool {
		return e.Certificate != nil && e.Outcome() == props.Refuted
	})
	if has == Uncertified(&r.Claim) {
		t.Errorf("it has a certified counterexample: %t, which was not known", has)
	}
}
