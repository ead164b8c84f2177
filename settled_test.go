package sledge_test

import (
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"sledge"
	"sledge/algos/experiments"
	"sledge/props"
	"sledge/props/ledger"
)

// reason is a row of the table of what is settled: a kind of statement, the means, and why the rest
// is not.
var reason = regexp.MustCompile(`(?m)^\| ([a-z]+) \| ([^|]+) \| ([^|]+) \|$`)

// docs/certificates.md says of every kind of statement by which means it is settled, if any of it
// is expected to be proved, and why the rest is not.
func TestUnsettledHaveReasons(t *testing.T) {
	page, err := os.ReadFile("docs/certificates.md")
	if err != nil {
		t.Fatal(err)
	}
	_, table, found := strings.Cut(string(page), "\n## What is settled\n")
	table, _, end := strings.Cut(table, "\n## ")
	if !found || !end {
		t.Fatal("no table of what is settled")
	}
	means := map[string]string{}
	for _, row := range reason.FindAllStringSubmatch(table, -1) {
		if row[1] != "kind" {
			means[row[1]] = row[2]
		}
	}
	left, proved := map[string]int{}, map[string]int{}
	for _, c := range props.Must(sledge.Ledger()).Claims {
		switch c.Expect {
		case props.Consistent, props.Supported, props.Inconclusive:
			left[c.Kind]++
		case props.Proved:
			proved[c.Kind]++
		}
	}
	for kind, n := range left {
		if _, told := means[kind]; !told {
			t.Errorf("nothing is said of the %d statements of kind %s that are not settled", n,
				kind)
		}
	}
	for kind, n := range proved {
		if means[kind] == "–" {
			t.Errorf("%d statements of kind %s are proved by means that are not told", n, kind)
		}
	}
	for kind := range means {
		if left[kind] == 0 {
			t.Errorf("reasons are given for %s, of which nothing is left", kind)
		}
	}
}

// Each printed statement about runs, samples or vectors that formulas alone refute says what of it
// they are about: a step of the proof, or a model in the place of what it speaks of.
func TestFormulasSayWhatTheyRefute(t *testing.T) {
	l, count := props.Must(sledge.Ledger()), 0
	for _, c := range l.Claims {
		if c.Form != props.Printed || c.Expect != props.Refuted ||
			!slices.Equal(l.Makes(c.ID), []string{ledger.Formulas}) ||
			!slices.Contains([]string{"tail", "moment", "identity", "inequality"}, c.Kind) {
			continue
		}
		if count++; c.Object == "" {
			t.Errorf("%s is about more than formulas, and does not say what its formulas are about",
				c.ID)
		}
	}
	if count < 30 {
		t.Errorf("only %d statements are refuted by formulas alone", count)
	}
}

// Each printed statement that is expected to be proved says what of it the proof proves.
func TestPrintedProofsHaveObjects(t *testing.T) {
	for _, c := range props.Must(sledge.Ledger()).Claims {
		if c.Form == props.Printed && c.Expect == props.Proved && c.Object == "" {
			t.Errorf("%s does not say what a proof of it is of", c.ID)
		}
	}
}

// The ledger states each finding of a figure.
func TestFindingsAreClaims(t *testing.T) {
	for _, f := range experiments.Figures() {
		found, err := f.Findings(props.Must(sledge.Ledger()), experiments.Small)
		if err != nil || len(found) == 0 {
			t.Errorf("%s: %v, %v", f.Name, found, err)
		}
	}
}
