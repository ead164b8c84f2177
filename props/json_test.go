package props

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"
)

// Whatever evidence holds is read as it was written, with infinite numbers and the outcome.
func TestEvidenceReadsBackAsWritten(t *testing.T) {
	float := rapid.OneOf(rapid.Float64(),
		rapid.SampledFrom([]float64{nan, math.Inf(1), math.Inf(-1), 0, 5e-324, math.MaxFloat64}))
	num := rapid.Map(rapid.OneOf(rapid.Float64(), rapid.Just(nan)),
		func(x float64) Num { return Num(x) })
	finite := rapid.SliceOfN(rapid.OneOf(rapid.Float64Range(-1e300, 1e300), rapid.Just(nan)), 1, 4)
	rapid.Check(t, func(t *rapid.T) {
		e := Evidence{What: rapid.String().Draw(t, "what"), Relation: LE,
			Trials:    rapid.IntRange(0, 9).Draw(t, "trials"),
			Note:      "<&>",
			Certified: rapid.Bool().Draw(t, "certified"),
			outcome: Verdict(rapid.IntRange(0, int(Error)).Draw(t,
				"outcome"))}
		e.numbers(func(name string, x *float64) { *x = float.Draw(t, name) })
		if rapid.Bool().Draw(t, "more") {
			e.Power = Power{MeanValue, num.Draw(t, "size"), num.Draw(t, "probability"), 3}
			e.Screening = Screening{true, num.Draw(t, "rate"), num.Draw(t, "found")}
			e.Content = Content{"steps", num.Draw(t, "share"), 0.5}
			e.Regime = []Condition{{"n > 1", true}, {"b < n", false}}
			e.Quantiles = []Quantile{{0.5, num.Draw(t, "median")}}
			e.Simplest = &Example{num.Draw(t, "measured"), num.Draw(t, "claimed"), "n = 1", "token"}
			e.Chain = []Link{{"a", num.Draw(t, "link")}}
			e.Curves = []Curve{{Title: "a", X: finite.Draw(t, "x"),
				Median: finite.Draw(t, "median")}}
		}
		text, err := json.Marshal(e)
		if err != nil {
			t.Fatal(err)
		}
		var back Evidence
		if err := json.Unmarshal(text, &back); err != nil {
			t.Fatal(err)
		}
		sameNums := cmp.Comparer(func(a, b Num) bool { return a == b || a != a && b != b })
		if d := cmp.Diff(e, back, sameNums, cmpopts.EquateNaNs(),
			cmp.AllowUnexported(Evidence{})); d != "" {
			t.Errorf("%s\n%s", text, d)
		}
	})
}

// Numbers that are absent are unknown, and sentences of earlier programs are not lost.
func TestEarlierEvidenceIsRead(t *testing.T) {
	e := Evidence{Trials: 7, Level: 3, Note: "of another one"}
	text := `{"outcome": "refuted", "measured": 3, "claimed": null, "power": "much", "regime": ` +
		`"n > 1", "note": "noted"}`
	if err := json.Unmarshal([]byte(text), &e); err != nil {
		t.Fatal(err)
	}
	if e.Outcome() != Refuted || e.Measured != 3 || e.Trials != 0 || e.Note != "noted" ||
		e.SaidPower != "much" ||
		e.SaidRegime != "n > 1" {
		t.Errorf("%+v", e)
	}
	e.numbers(func(name string, x *float64) {
		if name != "measured" && !math.IsNaN(*x) {
			t.Errorf("%s is %v", name, *x)
		}
	})
}

// Every exported number of evidence has a name in JSON and nothing beside it, on which what is
// written relies.
func TestNamesOfNumbers(t *testing.T) {
	n := 0
	new(Evidence).numbers(func(name string, _ *float64) {
		if n++; name == "" || strings.Contains(name, ",") {
			t.Errorf("%q", name)
		}
	})
	if n < 10 {
		t.Errorf("%d numbers", n)
	}
}
