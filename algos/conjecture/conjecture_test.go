package conjecture

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

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
	for _, k := range []struct {
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
		{"E‖v−∇f‖² ≤ 0·L²·moved", "PAGE", 0, "mean vacuous"}, // there is no ratio of the sides to sample
	} {
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

// The constant of the recursive estimator: with two components whose Hessians are ζ apart, one of them drawn, the error
// is ζ/2 times the step, and nothing that the family draws needs more.
func TestSearch(t *testing.T) {
	c := pose(t, "E‖v−∇f‖² ≤ c ζ²/b · moved", "SARAH", 0)
	found, err := c.Search(context.Background(), "mean", cfg)
	if err != nil {
		t.Fatal(err)
	}
	if !(found.Constant >= 0.25 &&
		found.Constant <= 0.26) || !(found.Refuted < found.Constant) || found.Constant > 1.02*found.Refuted {
		t.Errorf("c = %v survived, %v did not", found.Constant, found.Refuted)
	}
	if math.IsNaN(found.Refuted) || found.Witness == nil {
		t.Error("no constant was refuted")
	}
}

func TestNewRefuses(t *testing.T) {
	m, _ := algos.ByName("SAGA")
	for text, want := range map[string]string{
		"E‖v−∇f‖² ≤ c ψ²":   "known are n (number of components), b (minibatch size)",
		"‖v‖":               "no statement",
		"‖v‖² ≤ L":          "unit",
		"‖v‖ ≤ ‖∇f‖ ≤ 2‖v‖": "one relation",
		"‖v‖ = ‖∇f‖":        "one relation",
	} {
		if _, err := New(text, m, family("quadratic"), 0); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	f, known := algos.ByName("SCAFFOLD-I")
	if _, err := New("‖v‖ ≤ ‖v‖", f, family("quadratic"), 0); err == nil || !known {
		t.Error("a federated method was accepted")
	}
}
