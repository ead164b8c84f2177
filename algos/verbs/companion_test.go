package verbs_test

import (
	"bytes"
	"context"
	"strings"
	"testing"
	"testing/fstest"

	"sledge/algos/verbs"
	"sledge/reports/verify"
)

// A ledger alone is a command: its true statement stands, and its false one falls.
func TestCompanion(t *testing.T) {
	files := fstest.MapFS{"a.ledger": {Data: []byte(`title: A note
part: note

[falls]  printed; Lemma 1; lemma; main result
  The value falls.
  formal: runs of GD on quadratic: gap ≤ (1 − ημ)^t Δ if η ≤ 1/L
  expect: consistent

[falls/twin]  own; lemma; remark
  It falls three times as fast.
  formal: runs of GD on quadratic: gap ≤ (1 − ημ)^(3t) Δ if η ≤ 1/L
  expect: refuted
`)}}
	app := verbs.Companion("note", "Checks a note.", files)
	var out, err bytes.Buffer
	code := verify.Main(context.Background(), app, []string{"-out", t.TempDir() + "/report"},
		&out, &err)
	if code != 0 || !strings.Contains(out.String(), "2 claims: 1 refuted, 1 consistent") {
		t.Errorf("exit status %d\n%s%s", code, &out, &err)
	}
	wrong := fstest.MapFS{"a.ledger": {
		Data: bytes.Replace(files["a.ledger"].Data, []byte("of GD on"),
			[]byte("of GG on"), 1)}}
	err.Reset()
	code = verify.Main(context.Background(), verbs.Companion("note", "", wrong), nil, &out, &err)
	if code != 2 || !strings.Contains(err.String(), `a.ledger:6`) ||
		!strings.Contains(err.String(), `"GG"`) {
		t.Errorf("exit status %d: %s", code, &err)
	}
}

// A bound that a ledger says to be sharp is held by its own command, in formulas and in runs: ten
// times looser it still stands, and the command fails.
func TestSharpBoundsAreHeldForEveryLedger(t *testing.T) {
	const entries = `title: A note
part: note
symbols: steps; L, ζ f/x² [1e-6, 1e6]; η x²/f [1e-9, 1e9]

[young]  own; remark
  Young's inequality for two curvatures.
  formal: steps, L ∈ [1, 10], ζ ∈ [1, 10], η ∈ [1, 2]: 2ηLζ ≤ FACTOR (ηL² + ηζ²)
  expect: consistent
  sharp: 0.9

[falls]  own; remark
  The value falls.
  formal: runs of GD on quadratic: gap ≤ FACTOR (1 − ημ) prev_t gap if η ≤ 1/L
  expect: consistent
  sharp: 0.9
`
	for factor, want := range map[string]int{"1·": 0, "10·": 1} {
		files := fstest.MapFS{"a.ledger": {
			Data: []byte(strings.ReplaceAll(entries, "FACTOR", factor))}}
		var out, err bytes.Buffer
		code := verify.Main(context.Background(), verbs.Companion("note", "", files),
			[]string{"-out", t.TempDir() + "/report"}, &out, &err)
		if code != want || want == 1 &&
			strings.Count(out.String(), "of its bound, the ledger says 0.9") != 2 {
			t.Errorf("factor %s: exit status %d\n%s%s", factor, code, &out, &err)
		}
	}
}
