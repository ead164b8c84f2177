package reports

import (
	"bytes"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/ledger"
)

// Refuted statements are listed by harm and cause, gravest first, under the text that they are
// about; what is not judged follows.
func TestRefutationsByHarm(t *testing.T) {
	claim := func(id string, harm props.Harm, cause string) props.Result {
		c := props.Claim{ID: id, Part: "p", Theorem: "Theorem 7", Lines: "3",
			Statement: "Words of " + id, Expect: props.Refuted,
			Harm: harm, Cause: cause, Check: props.Exact("1",
				func(r *props.Recorder) { r.Truth("1", false) })}
		return props.Result{Claim: c, Verdict: props.Refuted}
	}
	r := New([]props.Result{claim("slip", props.Misprint, "sign"), claim("odd", "", ""),
		claim("wrong", props.False, "drift"),
		claim("also-wrong", props.False, "drift")}, Run{})
	r.Text = ledger.Text{Title: "On things", Authors: "A. Author", Source: "a journal",
		SHA256: strings.Repeat("0a", 32)}
	r.Causes = []ledger.Cause{{Name: "drift", Title: "The drift x_i is forgotten"},
		{Name: "sign", Title: "A sign"}}
	if got, want := r.Overall(),
		"Of 4 printed statements, 4 are refuted (2 false, 1 misprint)."; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	if got, want := r.Cause(r.Claim("wrong")),
		"The drift x_i is forgotten; it breaks also-wrong as well"; got != want {
		t.Errorf("%q, want %q", got, want)
	}
	var page bytes.Buffer
	if err := r.WriteHTML(&page, Pages{}); err != nil {
		t.Fatal(err)
	}
	rest := page.String()
	for _, want := range []string{"<h1>On things</h1>",
		"A. Author. a journal. Lines are those of the source with SHA-256 0a0a0a0a0a0a…",
		"4 printed statements, 4 are refuted",
		`<h3 class="index">False <span class="small">2 statements: the result fails as stated`,
		`id="cause-drift"`, "The drift x<sub>i</sub> is forgotten", `href="#also-wrong"`, "lines 3",
		`href="#wrong"`, "Misprint", "A sign", `href="#slip"`, "Not judged", `href="#odd"`,
		`id="theorem-7"`, `id="also-wrong"`,
		`id="odd"`, `id="slip"`, `id="wrong"`} {
		_, after, found := strings.Cut(rest, want)
		if !found {
			t.Fatalf("no %q where it should stand", want)
		}
		rest = after
	}
}
