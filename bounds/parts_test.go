package bounds

import (
	"strings"
	"testing"

	"sledge/props/ledger"
)

// said puts another statement in the place of that of an entry.
func said(text string) func(r *ledger.Runs) {
	return func(r *ledger.Runs) { r.Statement = text }
}

// What is wrong with a statement about parts of errors is said in one sentence.
func TestWrongParts(t *testing.T) {
	right := ledger.Runs{Of: "parts", Method: "SLEDGE-II", Family: "wide", Chance: "1 − ν",
		Statement: "‖a‖² ≤ (C_1³ζ²/b)moved"}
	if _, err := readParts(right); err != nil {
		t.Fatal(err)
	}
	held := func(chance string) func(r *ledger.Runs) {
		return func(r *ledger.Runs) { r.Chance = chance }
	}
	for wrong, change := range map[string]func(r *ledger.Runs){
		"and not of SARAH":              func(r *ledger.Runs) { r.Method = "SARAH" },
		"and not of FLEDGE-III":         func(r *ledger.Runs) { r.Method = "FLEDGE-III" },
		"parts have no parameters":      func(r *ledger.Runs) { r.With = "b = 1" },
		`of SLEDGE has the name "low"`:  func(r *ledger.Runs) { r.Family = "low" },
		"they are brief, forked, local": func(r *ledger.Runs) { r.Method = "FLEDGE-I" },

		`"ν" is no probability 1 − a multiple of ν`:  held("ν"),
		`"1 − T" is no probability 1 − a multiple`:   held("1 − T"),
		`"1 − ν²" is no probability 1 − a multiple`:  held("1 − ν²"),
		`"1 − b/ν" is no probability 1 − a multiple`: held("1 − b/ν"),

		"‖a‖ has the unit f/x": said("‖a‖ ≤ moved"),
		"character 1":          said("‖q‖ ≤ ‖a‖"),
		"a part is at most a bound, with one sign ≤": said("‖a‖ = ‖b‖"),
		"Δ is nothing that is known of a run":        said("‖a‖² ≤ LΔ"),
		"‖f‖ is of FLEDGE, and this of SLEDGE":       said("‖f‖ ≤ ‖a‖"),
	} {
		r := right
		change(&r)
		if _, err := readParts(r); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%+v: %v, not %q", r, err, wrong)
		}
	}
}

// And so with one about pairs.
func TestWrongPairs(t *testing.T) {
	right := ledger.Runs{Of: "pairs", Method: "FLEDGE", Family: "close", Chance: "1 − ν/(4TK)",
		Statement: "‖c‖ ≤ (2C_1L/√(PKb))w'"}
	if _, err := readPairs(right); err != nil {
		t.Fatal(err)
	}
	for wrong, change := range map[string]func(r *ledger.Runs){
		"pairs are of SLEDGE or FLEDGE, and not of FLEDGE-I": func(r *ledger.Runs) {
			r.Method = "FLEDGE-I"
		},
		"they are close, proof, separable, unlike": func(r *ledger.Runs) { r.Family = "far" },
		"pairs have no parameters":                 func(r *ledger.Runs) { r.With = "b = 1" },
		"not 1 − a multiple of ν/T, or ν/(TK)":     func(r *ledger.Runs) { r.Chance = "1 − ν" },
		"is no probability 1 − a multiple of ν":    func(r *ledger.Runs) { r.Chance = "0.9" },
		"‖second‖ is nothing that is known":        said("‖second‖ ≤ ‖c‖"),
		"‖h‖ has the unit f/x, but w' has x":       said("‖h‖ ≤ w'"),
		"of rounds and of local steps at the same": said("‖h‖ ≤ ‖c‖"),
	} {
		r := right
		change(&r)
		if _, err := readPairs(r); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%+v: %v, not %q", r, err, wrong)
		}
	}
}

// And so with one about samples.
func TestWrongSamples(t *testing.T) {
	right := ledger.Runs{Of: "samples", Method: "clients", Chance: "1 − ν/T", Statement: "‖Σ‖² ≤ C_1M"}
	if _, err := readSamples(right); err != nil {
		t.Fatal(err)
	}
	for wrong, change := range map[string]func(r *ledger.Runs){
		"of components or of clients, and not of SLEDGE": func(r *ledger.Runs) { r.Method = "SLEDGE" },
		"and not of clients far":                         func(r *ledger.Runs) { r.Family = "far" },
		"samples have no parameters":                     func(r *ledger.Runs) { r.With = "b = 1" },
		`"0.9" is no probability`:                        func(r *ledger.Runs) { r.Chance = "0.9" },
		"n is nothing that is known":                     said("‖Σ‖² ≤ C_1n"),
	} {
		r := right
		change(&r)
		if _, err := readSamples(r); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%+v: %v, not %q", r, err, wrong)
		}
	}
}
