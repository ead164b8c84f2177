package tables

import (
	"context"
	"math"
	"strings"
	"testing"

	"sledge/props"
)

func verdictOf(t *testing.T, c props.Claim) *props.Result {
	t.Helper()
	results, err := props.Run(context.Background(), []props.Claim{c}, props.Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return &results[0]
}

// An entry smaller by a power of a third is refuted, wherever the cost that is measured grows like the entry.
func TestSmallerEntriesAreRefuted(t *testing.T) {
	tried := 0
	for _, e := range Measured() {
		switch e.Claim.ID {
		case "measured/table1-sarah-nonconvex", "measured/table1-sledge-2-nonconvex", "measured/table1-sledge-2-pl",
			"measured/text-saga-nonconvex",
			"measured/table2-bvr-nonconvex", "measured/table2-scaffold-nonconvex", "measured/table2-fledge-vectors":
		default:
			continue
		}
		for _, s := range e.Sweeps {
			if strings.HasPrefix(s.Variable, "log") || e.Claim.ID == "measured/table1-sledge-2-pl" && s.Variable == "ζ" {
				continue
			}
			law := s.Law
			s.Law = func(x float64) float64 { return law(x) * math.Pow(x, -1.0/3) }
			smaller := props.Claim{ID: e.Claim.ID, Expect: props.Refuted, Check: s.check()}
			if r := verdictOf(t, smaller); r.Verdict != props.Refuted {
				t.Errorf("%s with an entry smaller by %s^(1/3) is %v: slope %v", e.Claim.ID, s.Variable, r.Verdict,
					r.Evidence[0].Measured)
			}
			tried++
		}
	}
	if tried < 15 {
		t.Errorf("only %d sweeps were tried", tried)
	}
}

// Every sweep has one piece of evidence, in order: the page of the tables relies on it.
func TestEvidenceBelongsToSweeps(t *testing.T) {
	for _, e := range Measured() {
		if e.Claim.ID != "measured/table1-spider-nonconvex" && e.Claim.ID != "measured/table2-fledge-vectors" {
			continue
		}
		r := verdictOf(t, props.Claim{ID: e.Claim.ID, Check: e.Claim.Check})
		if len(r.Evidence) != len(e.Sweeps) {
			t.Fatalf("%s has %d pieces of evidence for %d sweeps", e.Claim.ID, len(r.Evidence), len(e.Sweeps))
		}
		for k, s := range e.Sweeps {
			if what := r.Evidence[k].What; !strings.Contains(what, s.Cost) || !strings.HasSuffix(what, s.Variable) {
				t.Errorf("%s: evidence %d is about %q, the sweep about %s against %s", e.Claim.ID, k, what, s.Cost, s.Variable)
			}
		}
	}
}

func TestMeasuredEntriesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range Measured() {
		if e.Table != 1 && e.Table != 2 || e.Row == "" || e.Column == "" || e.Text == "" || e.Lines == "" ||
			len(e.Sweeps) == 0 || seen[e.Claim.ID] {
			t.Errorf("entry %q of row %q is incomplete or twice there", e.Claim.ID, e.Row)
		}
		seen[e.Claim.ID] = true
	}
	s := Sweep{X: []float64{1, 2, 4, 8}, Law: func(x float64) float64 { return 3 * math.Pow(x, 0.75) }}
	if got := s.Exponent(); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("the exponent of 3x^0.75 is %v", got)
	}
}

// A method that stops short of the goal pays for it, and so does one that is given up.
func TestRunsThatFailAreExpensive(t *testing.T) {
	p := pass(16, 0.2, 0.2, 0)
	m := spiderPlus(16, 0.04, 0.2)
	m.Eps = 10 // satisfied at once, at the saddle
	trial := props.Trial{}
	if got := run(m, p, trial.Key, 1000, p.secondOrder(0.04, 0.2)); got < patience {
		t.Errorf("a method that stops at a saddle is charged %v gradients", got)
	}
	quiet := sledge(0, 16, 4, 0.2)
	if got := run(quiet, p, trial.Key, 1000, p.secondOrder(0.04, 0.2)); got != 8000 {
		t.Errorf("a method that stays at a saddle is charged %v gradients in 1000 steps", got)
	}
}
