package verify

import (
	"strings"
	"testing"

	"sledge/props"
	"sledge/reports"
)

// Claims are found by what a reader of the text knows: id, part, label, number of the result, line.
func TestPatterns(t *testing.T) {
	c := &props.Claim{ID: "descent/corrected", Part: "first-order", Label: "lemma:Descent",
		Theorem: "Lemma 3", Lines: "120, 131-140, my/proofs-2.tex:7-9"}
	for pattern, want := range map[string]bool{
		"descent": true, "descent/*": true, "first-order": true, "lemma:Descent": true,
		"lemma:*": true, "Lemma 3": true, "120": true, "131": true, "140": true, "135": true,
		"/^desc/": true, "desc": false, "Lemma 33": false, "lemma:descent": false, "121": false,
		"141": false, "8": false, "my/proofs-2.tex:8": true, "my/proofs-2.tex:120": false,
		"proofs-2.tex:8": false, "my/proofs-2.tex:10": false, ":120": false, "13": false,
		"/^esc/": false, "Theorem 5": false,
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

// A result or label that nothing has is told with the one that it may have been meant for.
func TestMeantResult(t *testing.T) {
	c := &Call{app: &App{Name: "verify"}, claims: []props.Claim{
		{ID: "a", Theorem: "Theorem 5", Label: "theorem:PL-Main"},
		{ID: "b", Theorem: "Proof of Theorem 5"}}}
	for word, want := range map[string]string{"theorem 5": `is it "Theorem 5"?`,
		"Theorm 5": `is it "Theorem 5"?`, "theorm:PL-Main": `is it theorem:PL-Main?`,
		"Corollary 5": `"verify list" shows the claims`} {
		if got := c.meant(word); got != want {
			t.Errorf("%s: %s, want %s", word, got, want)
		}
	}
}

// Claims that share what stands before the slash are forms of a statement only where that is a claim.
func TestFormsAreOfAClaim(t *testing.T) {
	r := new(reports.Report)
	for _, id := range []string{"a", "a/corrected", "runs/one", "runs/two"} {
		r.Claims = append(r.Claims, reports.Claim{Claim: props.Claim{ID: id}})
	}
	for id, want := range map[string]bool{"a": true, "a/corrected": true, "runs/one": false} {
		var told strings.Builder
		explain(&told, r, r.Claim(id))
		if got := strings.Contains(told.String(), "other forms"); got != want {
			t.Errorf("explain %s tells of other forms: %v\n%s", id, got, &told)
		}
	}
}
