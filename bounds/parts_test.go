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
		"they are brief, crowded, fork": func(r *ledger.Runs) { r.Method = "FLEDGE-I" },

		`"ν" is no probability 1 − a multiple of ν`:  held("ν"),
		`"1 − T" is no probability 1 − a multiple`:   held("1 − T"),
		`"1 − ν²" is no probability 1 − a multiple`:  held("1 − ν²"),
		`"1 − b/ν" is no probability 1 − a multiple`: held("1 − b/ν"),

		"‖a‖ has the unit f/x":                 said("‖a‖ ≤ moved"),
		"character 1":                          said("‖q‖ ≤ ‖a‖"),
		"what is measured is compared by ≤":    said("‖a‖ = ‖b‖"),
		"Δ is nothing that is known of a run":  said("‖a‖² ≤ LΔ"),
		"‖f‖ is of FLEDGE, and this of SLEDGE": said("‖f‖ ≤ ‖a‖"),
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
		"they are agreeing, close, opposed, proof, separable": func(r *ledger.Runs) { r.Family = "far" },
		"pairs have no parameters":                            func(r *ledger.Runs) { r.With = "b = 1" },
		"not 1 − a multiple of ν/T, or ν/(TK)":                func(r *ledger.Runs) { r.Chance = "1 − ν" },
		"is no probability 1 − a multiple of ν":               func(r *ledger.Runs) { r.Chance = "0.9" },
		"‖second‖ is nothing that is known":                   said("‖second‖ ≤ ‖c‖"),
		"‖h‖ has the unit f/x, but w' has x":                  said("‖h‖ ≤ w'"),
		"of rounds and of local steps at the same time":       said("time ≤ w'/r_e"),
		"of rounds and of local steps at the same":            said("‖h‖ ≤ ‖c‖"),
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
		"b is nothing that is known":                     said("‖Σ‖² ≤ C_1b"),
	} {
		r := right
		change(&r)
		if _, err := readSamples(r); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%+v: %v, not %q", r, err, wrong)
		}
	}
}

// And so with one about searches.
func TestWrongSearches(t *testing.T) {
	right := ledger.Runs{Of: "searches", Method: "SLEDGE-II", Family: "saddle",
		Statement: "steps = Θ(log(R√(2dηγ)/r)/(ηγ)); γ = 0.01 to 0.2; within 0.2"}
	on := func(family, method, chance, statement string) func(r *ledger.Runs) {
		return func(r *ledger.Runs) {
			r.Family, r.Method, r.Chance, r.Statement = family, method, chance, statement
		}
	}
	for _, r := range []ledger.Runs{right, {Of: "searches", Method: "FLEDGE-II", Family: "separable",
		Chance: "1 − ν/(TK)", Statement: "steps ≤ K/(ηγ)"}} {
		if _, err := readSearches(r); err != nil {
			t.Fatal(err)
		}
	}
	for wrong, change := range map[string]func(r *ledger.Runs){
		`no scene of searches has the name "low"; they are alike ramps, alike slides`: on("low", "PGD", "", ""),
		"searches on saddle are of SLEDGE-II, and not of PGD":                         on("saddle", "PGD", "", ""),

		"no parameter but r = 0: b = 1": func(r *ledger.Runs) { r.With = "b = 1" },
		"no parameter but r = 0: d ≤ 2": func(r *ledger.Runs) { r.Drawn = "d ≤ 2" },

		`"1/2" is no probability between 0 and 1`:     on("pass", "SSRGD", "1/2", "steps ≤ 1/(ηδ)"),
		`"" is no probability between 0 and 1`:        on("pass", "SSRGD", "", "steps ≤ 1/(ηδ)"),
		`"0.9" is no probability 1 − a multiple`:      on("apart", "SLEDGE-II", "0.9", "steps ≤ 1/(ηγ)"),
		"about medians, and not with probability 0.9": func(r *ledger.Runs) { r.Chance = "0.9" },

		"takes steps or rounds, and not m":           said("m ≤ R/r"),
		"one bound, or one law":                      said("steps ≤ R/r, rounds ≤ R/r"),
		"steps has the unit 1, but ηγR has x":        said("steps ≤ ηγR"),
		"b is nothing that is known on chain; it is": on("chain", "PGD", "0.9", "steps ≤ bm"),
		"steps ≤ a bound, or a law and what is":      said("steps = R/r"),
		"steps = Θ(…) or = O(…) is swept":            said("steps ≤ R/r; γ = 1 to 2"),
		"= Θ(…) or = O(…) is swept":                  said("steps ≥ Θ(R/r); γ = 1 to 2"),
		`"m = 1 to 2" is no sweep from … to …; what is swept here is γ ηL R/r b d`: said(
			"steps = Θ(R/r); m = 1 to 2"),
		`"γ = 1, 2" is no sweep`:             said("steps = Θ(R/r); γ = 1, 2"),
		`"none" is no margin of an exponent`: said("steps = Θ(R/r); γ = 1 to 2; within none"),
	} {
		r := right
		change(&r)
		if _, err := readSearches(r); err == nil || !strings.Contains(err.Error(), wrong) {
			t.Errorf("%+v: %v, not %q", r, err, wrong)
		}
	}
}
