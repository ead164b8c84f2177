package conjecture

import (
	"context"
	"fmt"
	"math"
	"runtime/debug"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

func family(name string) problems.Catalogued {
	for _, f := range problems.Catalogue() {
		if f.Name == name {
			return f
		}
	}
	panic("no family " + name)
}

func pose(t *testing.T, text, method string, rate float64) *Conjecture {
	t.Helper()
	m, ok := algos.ByName(method)
	if !ok {
		t.Fatal("no method " + method)
	}
	c, err := New(text, m, family("quadratic"), rate)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

var cfg = props.Config{Workers: 2, Alpha: props.DefaultAlpha}

// One that is true, one that is false by a factor 2, and one that is false only in the tail.
func TestVerdicts(t *testing.T) {
	for i, k := range []struct {
		text, method string
		rate         float64
		want         string
	}{
		{"E‖v−∇f‖² ≤ ζ²/(2b) · moved", "SARAH", 0, "mean consistent"},
		{"E‖v−∇f‖² ≤ ζ²/(8b) · moved", "SARAH", 0, "mean refuted"},
		{"E‖v−∇f‖² ≤ ζ²/(2b) · moved", "SARAH", 0.95, "mean consistent, runs refuted"},
		{"‖v−∇f‖ ≤ 0.1 ‖∇f‖", "SAGA", 1, "runs refuted"},
		{"‖∇f‖ ≤ L √moved + ‖v‖ + ‖v−∇f‖", "SGD", 1, "runs consistent"},
		{"‖v‖ ≥ ‖∇f‖ - ‖v−∇f‖", "SAGA", 1, "runs consistent"},
		{"E‖v−∇f‖² ≤ 0·L²·moved", "PAGE", 0, "mean refuted"},
		// there is no ratio of the sides to sample
		{"E‖v−∇f‖² ≤ 0·L²·moved if r ≥ 0", "PAGE", 0, "mean vacuous"},
	} {
		if testing.Short() && i%3 > 0 {
			continue
		}
		c := pose(t, k.text, k.method, k.rate)
		results, err := props.Run(context.Background(), c.Claims(1), cfg)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, r := range results {
			got = append(got, fmt.Sprint(r.Claim.ID, " ", r.Verdict))
		}
		if strings.Join(got, ", ") != k.want {
			t.Errorf("%s: %s, want %s", k.text, got, k.want)
		}
	}
}

// The constant of the recursive estimator: with two components whose Hessians are ζ apart, one of
// them drawn, the error is ζ/2 times the step, and nothing that the family draws needs more.
func TestSearch(t *testing.T) {
	if testing.Short() {
		t.Skip("a search for the constant of a mean: a second")
	}
	c := pose(t, "E‖v−∇f‖² ≤ c ζ²/b · moved", "SARAH", 0)
	found, err := c.Search(context.Background(), "mean", cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !(found.Constant >= 0.25 &&
		found.Constant <= 0.26) || !(found.Refuted < found.Constant) ||
		found.Constant > 1.02*found.Refuted {
		t.Errorf("c = %v survived, %v did not", found.Constant, found.Refuted)
	}
	if math.IsNaN(found.Refuted) || found.Witness == nil {
		t.Error("no constant was refuted")
	}
}

// Where step sizes are so small that both sides agree up to rounding, a false statement stands, and
// it is told at which share of the comparisons.
func TestBlind(t *testing.T) {
	for text, want := range map[string]bool{
		"gap ≤ (1 − 1e-10)Δ if η ≤ 1e-11/L":             true,
		"gap ≤ (1 − 1e-10)Δ if η ≤ 0.01/L":              false, // refuted without it
		"gap ≤ 2Δ if η ≤ 1e-11/L":                       false,
		"gap ≤ (1 − ημ/2)^t Δ if η ≤ 1/L":               false,
		"f ≤ prev_t f − 2η prev_t ‖∇f‖² if η ≤ 1e-12/L": true,
	} {
		c := pose(t, text, "GD", 0)
		if _, err := props.Run(t.Context(), c.Claims(1),
			cfg); err != nil {
			t.Fatal(err)
		}
		if share := c.Blind(); share >= 0.5 != want {
			t.Errorf("%s: the sides agree in %.2g of the comparisons", text, share)
		}
	}
}

func TestNewRefuses(t *testing.T) {
	for text, want := range map[string]string{
		"E‖v−∇f‖² ≤ c ψ²": "character 14: ψ is no known symbol; known are n (number of " +
			"components), b (minibatch size)",
		"‖v‖":                          "character 1: ‖v‖ is no statement",
		"‖v‖² ≤ L":                     "unit",
		"‖v‖ ≤ ‖∇f‖ ≤ 2‖v‖":            "character 1: a conjecture is one relation",
		"‖v‖ = ‖∇f‖":                   "one relation",
		"gap ≤ Δ, gap ≤ 2Δ":            "one relation",
		"gap ≤ O(Δ)":                   "character 7: write c times",
		"gap ≤ Δ if q ≤ 1":             "character 12: q is no known symbol; known are n",
		"gap ≤ Δ if b":                 "character 12: a premise is a relation",
		"gap ≤ Δ if η ≤ L":             "unit",
		"gap ≤ Δ if gap ≤ 1":           "character 12: gap is no known symbol",
		"gap ≤ Δ if convex ≥ 1":        "character 12: the word convex is a premise of its own",
		"if b = n gap ≤ Δ":             "character 1: a colon is missing",
		"E[gap]² ≤ Δ²":                 "character 7: the exponent has two readings",
		"√(E gap) ≤ √Δ":                "character 3: means enter a statement linearly",
		"E gap · gap ≤ Δ²":             "character 1: means enter",
		"sum_t η ‖∇f‖² ≤ Δ":            "character 1: η is the same at all points",
		"min_t (max_t gap) ≤ Δ":        "character 1: min_t is of quantities of a run",
		"c gap ≤ c² Δ":                 "whether a larger c claims more or less cannot be told",
		"gap ≤ (1 + η μ)^c Δ":          "in an exponent",
		"‖x−x⁰‖ ≤ 0.1 L r":             "unit",
		"gap ≤ Δ/p":                    "SAGA has no parameter p; of m, p and a it has none",
		"gap ≤ m Δ":                    "SAGA has no parameter m",
		"gap ≤ log(-1) Δ":              "character 7: log(−1) is not defined",
		"gap ≤ Δ if η ≤ √(-1)/L":       "character 16: √(−1) is not defined",
		"gap ≤ 1e400 Δ":                "character 7: 1e400 is larger than any floating-point number",
		"gap ≤ Σ_{k=1}^{1000000000} Δ": "character 7: the sum has 1e+09 terms",
		"1 ≤ 2":                        "character 1: nothing that a run does stands in the statement",
		"Δ ≤ 2Δ if n ≥ 2":              "character 1: nothing that a run does",
		"gap ≤ Δ if η ≤ 1/L, η ≥ 2/L":  "none of 400 instances that were drawn can be judged: the premise η ≥ 2/L",
		"gap ≤ Δ if μ ≥ 2L":            "the premise μ ≥ 2L is not met",
		"gap ≤ Δ if η ≤ -1/L":          "Eta must be positive",
		"gap ≤ Δ if b ≥ 2n":            "Batch must be between 1",
		"gap ≤ Δ if d ≥ 1e6":           "the premises ask for n ≥ 1 and d ≥ 1e+06",
		"gap ≤ Δ if n ≥ 1e5, d ≥ 4":    "the premises ask for n ≥ 100000 and d ≥ 4",
	} {
		if _, err := New(text, mustMethod(t, "SAGA"), family("quadratic"), 0); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	if _, err := New("gap ≤ Δ if convex", mustMethod(t, "GD"), family("saddle"), 0); err == nil ||
		!strings.Contains(err.Error(), "no function of the family saddle is known to be convex") {
		t.Error(err)
	}
	if _, err := New("gap ≤ Δ", mustMethod(t, "GD"), family("logistic"), 0); err == nil ||
		!strings.Contains(err.Error(), "a quantity of the statement is not known or not finite") {
		t.Error(err)
	}
	if _, err := New("E gap ≤ Δ if n ≥ 1e5", mustMethod(t, "SGD"), family("quadratic"), 0); err != nil {
		t.Errorf("minibatches with more outcomes than numbers count: %v", err)
	}
	if _, err := New("n ≤ 3", mustMethod(t, "FLEDGE-II"), family("quadratic"), 0); err == nil ||
		!strings.Contains(err.Error(), "known are P (number of clients)") {
		t.Error(err)
	}
}

// Any text is read or refused with one sentence.
func FuzzNew(f *testing.F) {
	for _, l := range laws {
		f.Add(fmt.Sprintf(l.text, "1"))
	}
	f.Add("if convex and b = n: E[min_t gap] <= c Δ")
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := read(normal(text), "", len(text)%2 == 0); err != nil &&
			(s != nil || strings.Contains(err.Error(), "\n\n")) {
			t.Errorf("%q: %v", text, err)
		}
	})
}

func mustMethod(t *testing.T, name string) algos.Entry {
	t.Helper()
	m, ok := algos.ByName(name)
	if !ok {
		t.Fatal("no method " + name)
	}
	return m
}
