package tables

import (
	"cmp"
	"context"
	"math"
	"math/rand/v2"
	"os"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/ledger"
)

// theLedger reads the ledger of the repository.
func theLedger(t *testing.T) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Read(os.DirFS("../.."), "concentration/symbols.ledger",
		"bounds/symbols.ledger", "docs/ledger/*.ledger")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func measured(t *testing.T) []Entry {
	t.Helper()
	all, err := Measured(theLedger(t))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

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
	if testing.Short() {
		t.Skip("a quarter of a minute")
	}
	tried := 0
	for _, e := range measured(t) {
		switch e.ID {
		case "measured/table1-sarah-nonconvex", "measured/table1-sledge-2-nonconvex",
			"measured/text-saga-nonconvex",
			"measured/table2-scaffold-nonconvex", "measured/table2-fledge-vectors":
		default:
			continue
		}
		for _, s := range e.Sweeps {
			if s.upper || s.margin > 0 && s.margin < 0.05 {
				continue
			}
			law := s.Law
			power := 0.5 - float64(rand.IntN(2))
			s.Law = func(x float64) float64 { return law(x) * math.Pow(x, power) }
			wrong := props.Claim{ID: e.ID, Check: s.check()}
			if r := verdictOf(t, wrong); r.Verdict != props.Refuted &&
				r.Verdict != props.Inconclusive {
				t.Errorf("%s with an entry times %s^%v is %v: slope %v", e.ID, s.Variable,
					power, r.Verdict, r.Evidence[0].Measured)
			}
			tried++
		}
	}
	if tried < 8 {
		t.Errorf("only %d sweeps were tried", tried)
	}
}

// A sweep that exact gradients reproduce says nothing, whatever law it agrees with, and one whose
// exponent they share shows a ratio.
func TestControlledSweepsAreVacuous(t *testing.T) {
	p := newPanel(func(x float64) scene {
		return scene{clients: 16, batch: 16, sigmaC: 0.1, eps: 1 / math.Sqrt(x)}
	})
	law := func(x float64) float64 { return x }
	p.measured["SARAH"] = true
	for charge, want := range map[float64]props.Verdict{1: props.Vacuous, 9: props.Supported} {
		s := Sweep{Variable: "1/ε²", Cost: "gradients", X: geometric(16, 3.1623, 4), Law: law, panel: p,
			method: "SARAH", control: p.exact(charge, false),
			inFull: func(float64) float64 { return 1 / charge }}
		if r := verdictOf(t, props.Claim{ID: "control", Check: s.check()}); r.Verdict != want {
			t.Errorf("with exact gradients that cost %v, SARAH with full batches is %v: %s", charge,
				r.Verdict, r.Evidence[0].Note)
		}
	}
}

// Every sweep has one piece of evidence, in order: the page of the tables relies on it.
func TestEvidenceBelongsToSweeps(t *testing.T) {
	for _, e := range measured(t) {
		if e.ID != "measured/table1-spider-nonconvex" && e.ID != "measured/table2-fledge-vectors" {
			continue
		}
		var checks []props.Check
		for k := range e.Sweeps {
			checks = append(checks, e.Sweeps[k].check())
		}
		r := verdictOf(t, props.Claim{ID: e.ID, Check: props.All(checks...)})
		if len(r.Evidence) != len(e.Sweeps) {
			t.Fatalf("%s has %d pieces of evidence for %d sweeps", e.ID, len(r.Evidence),
				len(e.Sweeps))
		}
		for k, s := range e.Sweeps {
			if what := r.Evidence[k].What; !strings.Contains(what, s.Cost) ||
				!strings.HasSuffix(what, s.Variable) {
				t.Errorf("%s: evidence %d is about %q, the sweep about %s against %s", e.ID, k,
					what, s.Cost, s.Variable)
			}
		}
	}
}

// The ledger says of each sweep that is judged from one side that the cost grows no faster than the
// entry there.
func TestStatementsSayWhichSweepsAreOneSided(t *testing.T) {
	said := map[string]string{}
	for _, e := range theLedger(t).Claims {
		said[e.ID] = e.Statement
	}
	for _, e := range measured(t) {
		upper := 0
		for _, s := range e.Sweeps {
			if s.upper {
				upper++
			}
		}
		text := strings.Join(strings.Fields(said[e.ID]), " ")
		switch {
		case text == "":
			t.Errorf("%s has no statement", e.ID)
		case strings.Contains(text, "no faster than the entry"):
			if upper < len(e.Sweeps) {
				t.Errorf("%s has %d sweeps, of which %d are one-sided: %s", e.ID, len(e.Sweeps),
					upper, text)
			}
		case strings.Count(text, "no faster") != upper:
			t.Errorf("%s has %d one-sided sweeps: %s", e.ID, upper, text)
		}
	}
}

func TestMeasuredEntriesAreComplete(t *testing.T) {
	seen := map[string]bool{}
	for _, e := range measured(t) {
		if e.Table != 1 && e.Table != 2 || e.Row == "" || e.Column == "" ||
			len(e.Sweeps) == 0 || seen[e.ID] {
			t.Errorf("entry %q of row %q is incomplete or twice there", e.ID, e.Row)
		}
		seen[e.ID] = true
	}
	if len(seen) < 33 {
		t.Errorf("the words of %d claims alone name an entry of a table", len(seen))
	}
	s := Sweep{Law: func(x float64) float64 { return 3 * math.Pow(x, 0.75) }}
	if got := s.Exponent([]float64{1, 2, 4, 8}); math.Abs(got-0.75) > 1e-12 {
		t.Errorf("the exponent of 3x^0.75 is %v", got)
	}
}

// False twins of a statement are refused at the character where they are wrong.
func TestGrowthErrors(t *testing.T) {
	const scene = "n = 16, 52, 160, 512; b = 1, ε = 0.1"
	for text, want := range map[string]string{
		"steps = Θ(n); " +
			scene: "character 1: a sweep begins with gradients",
		"gradients = Θ(nq); " +
			scene: "character 16: q is no known symbol",
		"gradients = Θ(n); n = 16, 52; b = 1":            "character 19: a sweep has at least four",
		"gradients = Θ(n); n = 16 by 0.5; b = 1":         "character 19: a sweep has at least four",
		"gradients = Θ(n); n = 16 by x; b = 1":           `character 19: "x" is no number`,
		"gradients = Θ(n)":                               "what the cost grows with is missing",
		"gradients = Θ(n); n = 16 by 2":                  "no quantity of a scene",
		"gradients = Θ(n); n = 16 by 2; b = 1, m = 3":    `character 39: "m" is no quantity of a scene`,
		"gradients = Θ(n); n = 16 by 2; b = 1, ε = 1/":   "the formula ends too early",
		"gradients = Θ(n); " + scene + "; beside SARAHH": `there is no method "SARAHH"`,
		"gradients = Θ(n); " + scene + "; within 2":      "a margin lies between 0 and 1",
		"gradients = Θ(n); " + scene + "; drawn n":       "a name, a colon and a formula",
		"gradients = Θ(n); " + scene + "; drawn n: 1/":   "the formula ends too early",
		"gradients = Θ(n); " + scene +
			"; faster": "is nothing that is said of a sweep",
		"gradients = Θ(n); " + scene + "; larger n = 2; b = 1": "a sweep has at least four",
	} {
		_, err := NewGrowth().Read(ledger.Runs{Of: "growth", Method: "SARAH", Statement: text})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	for _, r := range []ledger.Runs{{Method: "SARAHH", Statement: "gradients = Θ(n); " + scene},
		{Method: "SARAH", With: "b = 1", Statement: "gradients = Θ(n); " + scene}} {
		if _, err := NewGrowth().Read(r); err == nil {
			t.Errorf("%v is taken", r)
		}
	}
}

// Whatever is typed, it is a sweep or refused.
func FuzzGrowth(f *testing.F) {
	f.Add(
		"gradients = Θ(Δ√n/ε²); n = 16, 52, 160, 512; b = 1, ε = 0.1; larger n = 64 by 4; ε = 1/√x")
	f.Add(
		"vectors = O(x); 1/δ = 5 by 3.1623; P = 16, δ = 1/x; beside FLEDGE; within 0.1; exact gradients cost b")
	f.Fuzz(func(t *testing.T, text string) {
		s, err := NewGrowth().Read(ledger.Runs{Of: "growth", Method: "SARAH", Statement: text})
		if (s == nil) == (err == nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}

// The step size of one sweep is not that of another in the same scenes.
func TestStepSizesAreOfOneSweep(t *testing.T) {
	const words = "gradients = Θ(Δ√n/ε²); n = 16, 52, 160, 512; b = 1, ε = 0.1"
	g := NewGrowth()
	read := func(text string) *Sweep {
		s, err := g.Read(ledger.Runs{Of: "growth", Method: "SARAH", Statement: text})
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	if s := read(words + "; at the step size of its theory"); s.tuned == nil || s.tuned.Eta == nil {
		t.Error("a sweep at the step size of its theory has none")
	}
	if s := read(words); cmp.Or(s.tuned, s.on(s.method)).Eta != nil {
		t.Error("a sweep whose step size is tuned has that of another")
	}
}

// A sweep of the ledger is made in the scenes and at the step sizes that its own words say, whatever
// sweeps are read beside it. Larger tiers of two bounds once shared what was meant for one.
func TestSweepsKeepTheirScenes(t *testing.T) {
	together, seen := NewGrowth(), 0
	var all, alone []*Sweep
	for _, r := range theLedger(t).Statements() {
		if r.Of != "growth" {
			continue
		}
		for _, g := range []*Growth{together, NewGrowth()} {
			s, err := g.Read(r)
			if err != nil {
				t.Fatal(err)
			}
			if g == together {
				all = append(all, s)
			} else {
				alone = append(alone, s)
			}
		}
	}
	for i, s := range all {
		for s, own := s, alone[i]; own != nil; s, own = s.large, own.large {
			for _, x := range own.X {
				seen++
				if s.panel.at(x) != own.panel.at(x) {
					t.Errorf("%s at %v: the scene is %+v, not %+v", s.Text, x, s.panel.at(x), own.panel.at(x))
				}
				if own.tuned != nil && own.tuned.Eta != nil && s.tuned.Eta(x) != own.tuned.Eta(x) {
					t.Errorf("%s at %v: the step size is %v, not %v", s.Text, x, s.tuned.Eta(x), own.tuned.Eta(x))
				}
			}
		}
	}
	if seen < 300 {
		t.Errorf("only %d points of sweeps were compared", seen)
	}
}
