package bounds

import (
	"strings"
	"testing"

	"sledge/props/ledger"
)

// What is wrong with a statement about parts of errors is said in one sentence.
func TestWrongParts(t *testing.T) {
	right := ledger.Runs{Of: "parts", Method: "SLEDGE-II", Family: "wide", Chance: "1 − ν",
		Statement: "‖a‖² ≤ (C_1³ζ²/b)moved"}
	if _, err := readParts(right); err != nil {
		t.Fatal(err)
	}
	said := func(text string) func(r *ledger.Runs) {
		return func(r *ledger.Runs) { r.Statement = text }
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
