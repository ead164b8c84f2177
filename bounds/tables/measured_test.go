package tables

import (
	"context"
	"math"
	"os"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/ledger"
)

func verdictOf(t *testing.T, c props.Claim) *props.Result {
	t.Helper()
	results, err := props.Run(context.Background(), []props.Claim{c}, props.Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return &results[0]
}

// An entry that is wrong by a power of a half, smaller or larger, is not supported.
func TestWrongEntriesAreNoticed(t *testing.T) {
	tried := 0
	for _, e := range Measured() {
		switch e.Claim.ID {
		case "measured/table1-sarah-nonconvex", "measured/table1-sledge-2-nonconvex", "measured/text-saga-nonconvex",
			"measured/table2-scaffold-nonconvex", "measured/table2-fledge-vectors":
		default:
			continue
		}
		for _, s := range e.Sweeps {
			if s.upper || s.margin == logMargin {
				continue
			}
			law := s.Law
			for _, power := range []float64{-0.5, 0.5} {
				s.Law = func(x float64) float64 { return law(x) * math.Pow(x, power) }
				wrong := props.Claim{ID: e.Claim.ID, Check: s.check()}
				if r := verdictOf(t, wrong); r.Verdict != props.Refuted && r.Verdict != props.Inconclusive {
					t.Errorf("%s with an entry times %s^%v is %v: slope %v", e.Claim.ID, s.Variable, power, r.Verdict,
						r.Evidence[0].Measured)
				}
				tried++
			}
		}
	}
	if tried < 16 {
		t.Errorf("only %d sweeps were tried", tried)
	}
}

// A sweep that exact gradients reproduce says nothing, whatever law it agrees with.
func TestControlledSweepsAreVacuous(t *testing.T) {
	p := newPanel("1/ε²", geometric(16, decade, 4), func(x float64) scene {
		return scene{clients: 16, batch: 16, sigmaC: 0.1, eps: 1 / math.Sqrt(x)}
	})
	for charge, want := range map[float64]props.Verdict{1: props.Vacuous, 9: props.Supported} {
		s := sums{quick: p}.sweep("SARAH", charge, identity)
		if r := verdictOf(t, props.Claim{ID: "control", Check: s.check()}); r.Verdict != want {
			t.Errorf("with exact gradients that cost %v, SARAH with full batches is %v: %s", charge, r.Verdict,
				r.Evidence[0].Note)
		}
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

// The ledger says of each sweep that is judged from one side that the cost grows no faster than the entry there.
func TestStatementsSayWhichSweepsAreOneSided(t *testing.T) {
	l, err := ledger.Read(os.DirFS("../../docs/ledger"), "*.ledger")
	if err != nil {
		t.Fatal(err)
	}
	said := map[string]string{}
	for _, e := range l.Claims {
		said[e.ID] = e.Statement
	}
	for _, e := range Measured() {
		upper := 0
		for _, s := range e.Sweeps {
			if s.upper {
				upper++
			}
		}
		text := strings.Join(strings.Fields(said[e.Claim.ID]), " ")
		switch {
		case text == "":
			t.Errorf("%s has no statement", e.Claim.ID)
		case strings.Contains(text, "no faster than the entry"):
			if upper < len(e.Sweeps) {
				t.Errorf("%s has %d sweeps, of which %d are one-sided: %s", e.Claim.ID, len(e.Sweeps), upper, text)
			}
		case strings.Count(text, "no faster") != upper:
			t.Errorf("%s has %d one-sided sweeps: %s", e.Claim.ID, upper, text)
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
	s := Sweep{Law: func(x float64) float64 { return 3 * math.Pow(x, 0.75) }}
	if got := s.Exponent([]float64{1, 2, 4, 8}); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("the exponent of 3x^0.75 is %v", got)
	}
}
