package reports

import (
	"encoding/json"
	"fmt"
	"html/template"
	"math"
	"slices"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/certificate"
)

func certified(kind certificate.Kind, refutes bool, domain, statement string, proof any) *Evidence {
	b, err := json.Marshal(proof)
	if err != nil {
		panic(err)
	}
	e := judged(props.Evidence{Certified: true,
		Certificate: &certificate.Certificate{Kind: kind, Refutes: refutes,
			Symbols: []certificate.Symbol{{Name: "x", Kind: certificate.Real},
				{Name: "n", Kind: certificate.Count}},
			Domain: domain, Statement: statement, Proof: b}}, props.Refuted)
	return &e
}

// A counterexample is made smaller as long as it is one, and both sides are worked out.
func TestWorked(t *testing.T) {
	far := certificate.PointProof{Values: map[string]string{"x": "171/13", "n": "977"}}
	w := newWorked(certified(certificate.Point, true, "x > 0; n ≥ 2", "x²n ≤ x²", far), "")
	if w == nil || w.Take != "$x = 1$, $n = 2$" || w.Left != "$x²n = 1²·2 = 2$" ||
		!strings.HasPrefix(w.Right, "$x² = 1² = 1$,") {
		t.Errorf("%+v", w)
	}
	if w := newWorked(certified(certificate.Point, true, "x > 0; n ≥ 2", "x²n ≥ x²",
		far), ""); w != nil {
		t.Errorf("a point at which the statement holds: %+v", w)
	}
	if w := newWorked(certified(certificate.Point, false, "x > 0; n ≥ 2", "x²n ≤ x²",
		far), ""); w != nil {
		t.Errorf("a certificate that refutes nothing: %+v", w)
	}
	curve := certificate.GrowthProof{At: map[string]string{"x": "64", "n": "8"},
		Exponents: map[string]int64{"n": 2}, Gap: "1"}
	w = newWorked(certified(certificate.Growth, true, "x > 0; n ≥ 1", "n = O(√n)", curve), "")
	if w == nil || !strings.Contains(w.Take, "$n = s^{2}$") ||
		!strings.HasPrefix(w.Left, "$n$ is $1$, $100$, $10000$") ||
		!strings.HasPrefix(w.Right, "$√n$ is $1$, $10$, $100$") {
		t.Errorf("%+v", w)
	}
}

// What a statement defines is told with its formula, after what it is made of; words for a number
// are that number; of a chain the relation that fails is shown; a curve begins where all that is
// presupposed holds.
func TestWorkedDefinitions(t *testing.T) {
	at := certificate.PointProof{Values: map[string]string{"x": "√(2n)", "n": "3", "power": "2"}}
	e := certified(certificate.Point, true, "n ≥ 3", "power = 2; x = √(2n) implies x ≤ n^{power} ≤ 2x", at)
	e.Certificate.Symbols = append(e.Certificate.Symbols,
		certificate.Symbol{Name: "power", Kind: certificate.Real})
	w := newWorked(e, "")
	if w == nil || w.Take != "$n = 3$, $x = √(2n) = 2.44949$" || w.Left != "$n² = 3² = 9$" ||
		!strings.HasPrefix(w.Right, "$2x = 4.89898$,") {
		t.Errorf("%+v", w)
	}
	if c := &w.Sides.curve; c.XLabel != "n" || c.X[0] != 3 ||
		c.Median[1] != 16 || math.Abs(c.Claimed[1]-2*math.Sqrt(8)) > 1e-12 {
		t.Errorf("both sides: %+v", c)
	}
	curve := certificate.GrowthProof{At: map[string]string{"n": "64"},
		Exponents: map[string]int64{"n": 1}, Gap: "1/2"}
	w = newWorked(certified(certificate.Growth, true, "n ≥ 2; x = 1/(n − 1)", "n = O(√n + x)",
		curve), "")
	if w == nil || !strings.HasSuffix(w.Take, "$x = 1/(n − 1)$, for $s = 2, 20, 200$") {
		t.Errorf("%+v", w)
	}
}

// A statement about numbers alone has nothing to put in.
func TestWorkedNumbers(t *testing.T) {
	e := certified(certificate.Point, true, "", "0.09 = 0.15", certificate.PointProof{})
	e.Certificate.Symbols = nil
	w := newWorked(e, "")
	if w == nil || w.Take != "" || w.Right != "$0.15$, and they are claimed to be equal" {
		t.Fatalf("%+v", w)
	}
	var b strings.Builder
	page := template.Must(pageTemplate().Clone())
	if err := page.ExecuteTemplate(&b, "hand", w); err != nil || strings.Contains(b.String(), "Take") {
		t.Errorf("%v: %s", err, b.String())
	}
}

// Along a curve each value is a power of what runs, a symbol that only defines others is left out,
// what stays is said to, and no symbol of the statement is taken for what runs.
func TestWorkedCourse(t *testing.T) {
	of := func(statement, gap, domain string, symbols ...string) *Evidence {
		e := certified(certificate.Growth, true, "x > 0; n ≥ 1; y = √n; z = 4x; m = 1 + 1/n"+domain,
			statement, certificate.GrowthProof{At: map[string]string{"x": "1", "n": "1"},
				Exponents: map[string]int64{"n": 2}, Gap: gap})
		for _, name := range append(symbols, "y", "z", "m") {
			e.Certificate.Symbols = append(e.Certificate.Symbols,
				certificate.Symbol{Name: name, Kind: certificate.Real})
		}
		return e
	}
	w := newWorked(of("n m = O(z + y)", "1", ""), "$n m = O(z + y)$")
	if w == nil || w.Take !=
		"$n = s^{2}$, $y = √n = s$, $z = 4$, $m = 1 + 1/n$, for $s = 1, 10, 100$" {
		t.Errorf("%+v", w)
	}
	if w = newWorked(of("n = O(4x)", "2", ""), "$n$ is of the order of $x$"); w == nil ||
		!strings.HasPrefix(w.Right, "$4x$ stays $4$: the first becomes larger than any multiple") ||
		!strings.Contains(w.Take, "$x = 1$") {
		t.Errorf("%+v", w)
	}
	if w = newWorked(of("n = O(1)", "2", ""), ""); w == nil || w.Right !=
		"the second is $1$: the first becomes larger than any multiple of it" {
		t.Errorf("%+v", w)
	}
	if w = newWorked(of("n = O(1)", "2", "; s = 3", "s"), ""); w == nil ||
		!strings.Contains(w.Take, "$n = u^{2}$") || w.Sides.curve.XLabel != "u" {
		t.Errorf("%+v", w)
	}
}

// Both sides are drawn along the symbol for which they cross.
func TestSidesCross(t *testing.T) {
	at := certificate.PointProof{Values: map[string]string{"x": "1", "n": "9"}}
	w := newWorked(certified(certificate.Point, true, "x ∈ [1/10, 10]; n ≥ 1", "n ≤ 5x", at), "")
	if w == nil || w.Sides == nil {
		t.Fatalf("no picture: %+v", w)
	}
	kept, broken := false, false
	for i := range w.Sides.curve.X {
		if w.Sides.curve.Median[i] <= w.Sides.curve.Claimed[i] {
			kept = true
		} else {
			broken = true
		}
	}
	f := drawSides(&pageClaim{Hand: w})
	if !kept || !broken || f == nil || f.Bound != "right side" || f.Others {
		t.Errorf("kept %t, broken %t, %+v", kept, broken, w.Sides.curve)
	}
	if drawSides(&pageClaim{Hand: &worked{}}) != nil {
		t.Error("a picture of nothing")
	}
	for _, k := range []struct {
		verdict   props.Verdict
		statement string
		drawn     []string
	}{
		{props.Proved, "n ≤ 45x + 4", []string{"right side, repaired"}},
		{props.Proved, "n ≤ 5x", nil},       // the same sides
		{props.Proved, "2n ≤ 45x + 4", nil}, // another statement
		{props.Refuted, "n ≤ 45x + 4", nil}, // which does not stand
		{props.Proved, "n/y ≤ 5x", nil},     // of a symbol that has no value here
	} {
		e := certified(certificate.Coefficients, false, "x > 0; n ≥ 1", k.statement, nil)
		e.Certificate.Symbols = append(e.Certificate.Symbols,
			certificate.Symbol{Name: "y", Kind: certificate.Real})
		d := *w.Sides
		d.repaired(&Claim{Verdict: k.verdict, Evidence: []Evidence{*e}})
		var got []string
		for _, l := range d.curve.Others {
			got = append(got, l.Name)
		}
		if !slices.Equal(got, k.drawn) {
			t.Errorf("%s: %v", k.statement, got)
		}
	}
}

// Where nothing that is refuted is a formula the smallest instance is told: an exact one before
// units, and these before runs.
func TestWorkedInstance(t *testing.T) {
	exact := judged(props.Evidence{What: "coins, against 2", Measured: 7, Claimed: 2,
		Relation: props.LE, Certified: true, Where: "n = 12, k = 9, random seeds: runs 4",
		Simplest: &props.Example{Measured: 3, Claimed: 2, Where: "n = 1, random seeds: runs 0"}},
		props.Refuted)
	runs := judged(props.Evidence{What: "time", Measured: 9, Claimed: 4, Relation: props.LE,
		Sense: props.Runs, Trials: 5, Violations: 4, Allowed: 0.1, Where: "n = 1"}, props.Refuted)
	units := judged(props.Evidence{What: "units: x has the unit m", Claimed: 1, Relation: props.EQ,
		Sense: props.Proposition, Certified: true}, props.Refuted)
	c := &Claim{Verdict: props.Refuted}
	for _, k := range []struct {
		e    Evidence
		want worked
	}{
		{runs, worked{"For n = 1", "time: 9",
			"and at most 4 is claimed; 4 of 5 runs violate it, and a share of 0.1 may", true, nil}},
		{units, worked{"", "units: x has the unit m", "and the two are added or compared", true, nil}},
		{exact, worked{"For n = 1, and what its line of replay draws", "coins is 3",
			"2 is 2, and the first is claimed to be at most the second", true, nil}},
	} {
		c.Evidence = append(c.Evidence, k.e)
		if w := c.Worked(); w == nil || *w != k.want {
			t.Errorf("%s: %+v", k.e.What, w)
		}
	}
	if c.Verdict = props.Consistent; c.Worked() != nil {
		t.Error("a counterexample to what stands")
	}
}

func TestSlips(t *testing.T) {
	for _, c := range []struct {
		printed, corrected string
		want               []slip
	}{
		{"The sum $Σ a_i ≤ C n$ for all $n$", "The sum $Σ a_i ≤ C n²$ for all $n$",
			[]slip{{"$C n$", "$C n²$"}}},
		{"holds for $p ≥ 2$", "holds for $p ≥ 2$ and odd $n$",
			[]slip{{"$≥ 2$", "$≥ 2$ and odd $n$"}}},
		{"one thing", "another matter altogether", nil},
		{"same", "same", nil},
	} {
		got := slips(c.printed, c.corrected)
		for _, s := range got {
			// what is to be read stands in the corrected form, what for in the printed one
			if !strings.Contains(props.Unmarked(c.printed), props.Unmarked(s.instead)) ||
				!strings.Contains(props.Unmarked(c.corrected), props.Unmarked(s.read)) {
				t.Errorf("%v is not in the statements", s)
			}
		}
		if (len(got) == 0) != (len(c.want) == 0) || len(got) > 0 && len(got) != len(c.want) {
			t.Errorf("%s: %v, want about %v", c.printed, got, c.want)
		}
	}
}

// A result is as good as everything inside it, but not as everything in its proof.
func TestMainHoldsAllOfAResult(t *testing.T) {
	claim := func(id, theorem string, tier int, v props.Verdict) *Claim {
		return &Claim{Claim: props.Claim{ID: id, Theorem: theorem, Tier: tier, Form: props.Printed},
			Verdict: v}
	}
	s := &Section{Name: "Theorem 5", Numbered: true,
		Claims: []*Claim{claim("main", "Theorem 5", 1, props.Supported),
			claim("logarithm", "Theorem 5", 2, props.Refuted),
			claim("noise", "Theorem 5", 2, props.Proved),
			claim("step", "Proof of Theorem 5", 2, props.Refuted)}}
	var ids []string
	for _, c := range s.Main() {
		ids = append(ids, c.ID)
	}
	if !slices.Equal(ids, []string{"main", "logarithm"}) {
		t.Error(ids)
	}
	s.Claims = s.Claims[1:]
	if got := s.Main(); got != nil {
		t.Errorf("%d results of a place without one", len(got))
	}
}

// No plot is without a line that is seen, and none spans little without saying so.
func TestSpanOfPlots(t *testing.T) {
	for _, c := range []struct {
		x     props.Series
		y     props.Series
		drawn bool
		says  string
	}{
		{props.Series{40, 40.5, 41}, props.Series{1, 2, 3}, true, "factor of 1.02"},
		{props.Series{1, 10, 100}, props.Series{1, 2, 3}, true, ""},
		{props.Series{0, 1, 2}, props.Series{1, 2, 3}, true, ""},
		{props.Series{7, 7, 7}, props.Series{1, 2, 3}, true, "At one t alone, 7."},
	} {
		f, drawn := drawCurve(&props.Curve{Title: "a", XLabel: "t", YLabel: "y", X: c.x,
			Median: c.y})
		if drawn != c.drawn || !strings.Contains(f.Span, c.says) ||
			(c.says == "") != (f.Span == "") {
			t.Errorf("%v: %t, %q", c.x, drawn, f.Span)
		}
	}
	f, drawn := drawCurve(&props.Curve{XLabel: "t", X: props.Series{5, 5},
		Claimed: props.Series{1, 1}})
	if drawn {
		t.Errorf("a bound of no length is drawn: %s", fmt.Sprint(f.Span))
	}
}
