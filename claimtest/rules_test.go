package claimtest

import (
	"encoding/json"
	"strings"
	"testing"

	"sledge/props"
)

func TestImpossible(t *testing.T) {
	for where, want := range map[string]int{
		"n = 1, b = 1, ζ/2L = 0.5, σ_c = 3": 2,
		"n = 1, b = 1, ζ/2L = 0, σ_c = 0":   0,
		"n = 2, b = 1, ζ/2L = 0.5":          0,
		"P = 1, between pattern = outlier":  1,
		"P = 1, between pattern = none":     0,
	} {
		if got := impossible(where); len(got) != want {
			t.Errorf("%s: %q", where, got)
		}
	}
}

// evidence is a piece of it as a report has it.
func evidence(t *testing.T, text string) (e props.Evidence) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	return e
}

// One bit of a number, another verdict, and evidence that is missing are told from the report.
func TestOtherBitsAreNoticed(t *testing.T) {
	const text = `{"outcome": "refuted", "what": "a", "measured": 0.1, "claimed": 0.3, "where": "n = 2"}`
	r := &props.Result{Claim: props.Claim{ID: "a"}, Verdict: props.Refuted,
		Evidence: []props.Evidence{evidence(t, text)}}
	want := told{"a", props.Refuted, []props.Evidence{evidence(t, text)}}
	if got := otherwise(&want, r); got != nil {
		t.Errorf("the same result: %q", got)
	}
	verdict, fewer, bit, place := want, want, want, want
	verdict.Verdict = props.Vacuous
	fewer.Evidence = nil
	bit.Evidence = []props.Evidence{evidence(t, strings.Replace(text, "0.3", "0.30000000000000004", 1))}
	place.Evidence = []props.Evidence{evidence(t, strings.Replace(text, "n = 2", "n = 3", 1))}
	for i, other := range []*told{nil, &verdict, &fewer, &bit, &place} {
		if otherwise(other, r) == nil {
			t.Errorf("change %d is not noticed", i)
		}
	}
}
