package verify

import (
	"testing"

	"sledge/props"
)

// Claims are found by what a reader of the text knows: id, part, label, number of the result, line.
func TestPatterns(t *testing.T) {
	c := &props.Claim{ID: "descent/corrected", Part: "first-order", Label: "lemma:Descent",
		Theorem: "Lemma 3", Lines: "120, 131-140"}
	for pattern, want := range map[string]bool{
		"descent": true, "descent/*": true, "first-order": true, "lemma:Descent": true,
		"lemma:*": true, "Lemma 3": true, "120": true, "131": true, "140": true, "135": true,
		"/^desc/": true, "desc": false, "Lemma 33": false, "lemma:descent": false, "121": false,
		"141": false, "13": false, "/^esc/": false, "Theorem 5": false,
	} {
		match, err := parsePattern(pattern)
		if err != nil {
			t.Errorf("%s: %v", pattern, err)
		} else if match(c) != want {
			t.Errorf("%s: %v, want %v", pattern, !want, want)
		}
	}
}

// The number of a result selects the claims of its proof with it.
func TestPatternsOfProofs(t *testing.T) {
	for pattern, want := range map[string]bool{"Theorem 5": true, "Proof of Theorem 5": true,
		"Theorem*":  true,
		"Theorem 6": false, "Proof": false} {
		match, err := parsePattern(pattern)
		if err != nil || match(&props.Claim{ID: "a", Theorem: "Proof of Theorem 5"}) != want {
			t.Errorf("%s: %v, want %v", pattern, err, want)
		}
	}
}
