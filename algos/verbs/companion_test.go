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
