package sledge

import (
	"slices"
	"testing"

	"sledge/props"
)

// Every claim that runs of a method leave standing, and that belongs to the text's theorems and
// lemmas, declares the control that its runs are to be told from; identities, what is drawn and
// counted, and sweeps, which have controls of their own, are exempt.
func TestClaimsAboutTheoremsHaveControls(t *testing.T) {
	chapters := []string{"sledge-algorithm", "sledge-first-order", "sledge-second-order",
		"sledge-pl", "fledge-first-order",
		"fledge-second-order", "fledge-pl"}
	exempt := []string{
		"sledge-minibatch-law/sampler", // the law of the sets that are drawn
		"pair-error-identity",
	}
	declared := 0
	for _, r := range run(t) {
		c := &r.Claim
		tested := slices.ContainsFunc(r.Evidence, func(e props.Evidence) bool {
			return e.EValues != nil && e.Power.Of != props.SlopeValue &&
				e.Outcome() != props.Refuted
		})
		if c.Control != nil {
			declared++
			if !slices.ContainsFunc(r.Evidence,
				func(e props.Evidence) bool { return e.Control != nil }) {
				t.Errorf("%s declares a control, and makes no runs without it", c.ID)
			}
		}
		switch {
		case c.Expect == props.Refuted || !tested || !slices.Contains(chapters, c.Part) ||
			slices.Contains(exempt, c.ID):
		case c.Control == nil:
			t.Errorf("%s (%s) is about runs and declares no control", c.ID, c.Part)
		case c.MayBeLoose && (r.Verdict == props.Supported || r.Verdict == props.Consistent) &&
			!r.Loose():
			t.Errorf("%s is expected to be loose, and is told from its control", c.ID)
		}
	}
	if declared < 90 {
		t.Errorf("only %d claims declare a control", declared)
	}
}
