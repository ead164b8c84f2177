package ledger_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

const aboutRuns = `title: A text
part: one

[mean]  printed; Lemma 1; moment; main result
  The error is small
  formal: runs of SOME on all: E‖v‖² ≤ Δ if b = 1, t ≤ n
  expect: consistent

[cost]  own; identity; proof step
  It costs little
  formal: cost of SOME with b = max(n, 2), Warm: gradients = n; p ≤ clients ≤ min{p, 2}
  expect: consistent

[same]  own; identity; proof step
  It is another
  formal: runs of SOME: are runs of OTHER with b = 2 if T = 1
  expect: consistent

[tail]  printed; Lemma 2; tail; main result
  The error is small as a rule
  formal: runs of SOME on all with 2 ≤ d ≤ 3, n ≥ 2 with probability 0.9: ‖v‖² ≤ Δ
  expect: consistent

[part]  printed; Lemma 3; tail; main result
  A part of it is small as a rule
  formal: parts of SOME on few with probability 1 − ν/2: ‖a‖² ≤ Δ
  expect: consistent
`

// What an entry says of runs is handed to the program, whose checks are its own.
func TestRuns(t *testing.T) {
	l, err := ledger.Parse("a.ledger", aboutRuns)
	if err != nil {
		t.Fatal(err)
	}
	unknown := "a.ledger:6: mean speaks of runs, of which this program knows nothing"
	if _, err := l.Join(); err == nil || !strings.Contains(err.Error(), unknown) {
		t.Errorf("joined without a program: %v", err)
	}
	var asked []ledger.Runs
	check := props.Inequality(func(src *props.Source, rec *props.Recorder) {
		rec.AtMost("x", src.Real("x", 0, 1), 1)
	})
	if err := l.Run(func(r ledger.Runs) (props.Check, string, error) {
		asked = append(asked, r)
		return check, "everywhere", nil
	}); err != nil {
		t.Fatal(err)
	}
	want := []ledger.Runs{{ID: "mean", Of: "runs", Method: "SOME", Family: "all",
		Statement: "E‖v‖² ≤ Δ if b = 1, t ≤ n"},
		{ID: "cost", Of: "cost", Method: "SOME", With: "b = max(n, 2), Warm",
			Statement: "gradients = n; p ≤ clients ≤ min{p, 2}"},
		{ID: "same", Of: "runs", Method: "SOME",
			Statement: "are runs of OTHER with b = 2 if T = 1"},
		{ID: "tail", Of: "runs", Method: "SOME", Family: "all", Drawn: "2 ≤ d ≤ 3, n ≥ 2",
			Statement: "‖v‖² ≤ Δ", Rate: 0.9, Chance: "0.9"},
		{ID: "part", Of: "parts", Method: "SOME", Family: "few", Statement: "‖a‖² ≤ Δ",
			Chance: "1 − ν/2"}}
	if all := l.Statements(); !slices.Equal(asked, want) || !slices.Equal(all, want) {
		t.Errorf("asked %v, of %v", asked, all)
	}
	claims, err := l.Join()
	if err != nil {
		t.Fatal(err)
	}
	for i, said := range []string{
		"$E‖v‖² ≤ Δ$ if $b = 1$, $t ≤ n$, runs of SOME on all problems, everywhere",
		"$gradients = n$, $p ≤ clients ≤ min{p, 2}$, cost of SOME with $b = max(n, 2)$, Warm, everywhere",
		"runs of SOME are runs of OTHER with $b = 2$ if $T = 1$, everywhere",
		"$‖v‖² ≤ Δ$, runs of SOME on all problems with $2 ≤ d ≤ 3$, $n ≥ 2$, with probability 0.9, " +
			"everywhere",
		"$‖a‖² ≤ Δ$, parts of SOME on few runs, with probability $1 − ν/2$, everywhere"} {
		if claims[i].Check != props.Check(check) || len(claims[i].Formally) != 1 ||
			claims[i].Formally[0] != said {
			t.Errorf("%s says %q", claims[i].ID, claims[i].Formally)
		}
	}
}

// An error names file, line and character.
func TestRunsErrors(t *testing.T) {
	l, err := ledger.Parse("a.ledger", aboutRuns)
	if err != nil {
		t.Fatal(err)
	}
	err = l.Run(func(ledger.Runs) (props.Check, string, error) {
		return nil, "", &formula.Error{Text: "E‖v‖² ≤ Δ if b = 1, t ≤ n", Column: 8, What: "so not"}
	})
	if err == nil || err.Error() != "ledger: a.ledger:6:39: so not" {
		t.Errorf("said is %v", err)
	}
	if err = l.Run(func(ledger.Runs) (props.Check, string, error) {
		return nil, "", errors.New("no")
	}); err == nil ||
		!strings.Contains(err.Error(), "a.ledger:6:") {
		t.Errorf("said is %v", err)
	}
	err = l.Run(func(r ledger.Runs) (props.Check, string, error) {
		if r.With == "" {
			return props.All(), "", nil
		}
		return nil, "", &formula.Error{Text: r.With, Column: 5, What: "so not"}
	})
	if err == nil || err.Error() != "ledger: a.ledger:11:33: so not" {
		t.Errorf("said of a parameter is %v", err)
	}
	err = l.Run(func(r ledger.Runs) (props.Check, string, error) {
		if r.Drawn == "" {
			return props.All(), "", nil
		}
		return nil, "", &formula.Error{Text: r.Drawn, Column: 5, What: "so not"}
	})
	if err == nil || err.Error() != "ledger: a.ledger:21:40: so not" {
		t.Errorf("said of a range is %v", err)
	}
	for from, to := range map[string]string{"runs of SOME on all:": "runs of SOME on :",
		"0.9":                                   "1.5",
		"runs of SOME on all with 2":            "runs of  on all with 2",
		"are runs of OTHER with b = 2 if T = 1": " "} {
		if _, err := ledger.Parse("a.ledger",
			strings.Replace(aboutRuns, from, to, 1)); err == nil ||
			!strings.HasPrefix(err.Error(), "ledger: a.ledger:") {
			t.Errorf("%s is taken: %v", to, err)
		}
	}
}
