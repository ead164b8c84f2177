package conjecture

import (
	"cmp"
	"context"
	"errors"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
	"sledge/props/ledger"
)

// What a ledger says of runs is judged as what is typed: a true statement stands, a false one
// falls, at drawn seeds.
func TestStated(t *testing.T) {
	for text, want := range map[string]props.Verdict{
		"gap ≤ (1 − ημ) prev_t gap if η ≤ 1/L, ζ ≥ L/10":     props.Consistent,
		"gap ≤ (1 − ημ)^3 prev_t gap if η ≤ 1/L, ζ ≥ L/10":   props.Refuted,
		"E gap ≤ E prev_t gap if η ≤ 1/L, ζ ≥ L/10":          props.Consistent,
		"E gap ≤ (1/2) E prev_t gap if η ≤ 1/L, ζ ≥ L/10":    props.Refuted,
		"min_t ‖∇f‖² ≤ 2Δ/(ηt) if η ≤ 1/L, ζ ≥ L/10":         props.Consistent,
		"min_t ‖∇f‖² ≤ 2Δ/(5ηt) if η ≤ 1/L, ζ ≥ L/10, t = 1": props.Refuted,
		"gap ≤ (1 − ημ)^t Δ if η ≤ 1/L, ζ ≥ L/10, T ≥ 2":     props.Consistent,
		// true after the last step of a run alone
		"gap ≤ (0 ∨ (t + 1 − T)) Δ if η ≤ 1/L, T ≥ 2":                       props.Refuted,
		"gap ≤ C_1 Δ if η ≤ 1/L, C_1 = (n + 1)/n":                           props.Consistent,
		"gap ≤ C_1 Δ if η ≤ 1/(1000L), C_1 = 1/2, t = 1":                    props.Refuted,
		"sum_t ((1 − ημ)^s ‖∇f‖²) ≤ sum_t ‖∇f‖² if η ≤ 1/L, μ > 0":          props.Consistent,
		"sum_t ‖∇f‖² ≤ sum_t ((1 − ημ)^s ‖∇f‖²) if η ≤ 1/L, t ≥ 5, μ > L/5": props.Refuted,
		"walked ≤ sum_k stride²":                                            props.Consistent,
		"sum_k ((t K − s) stride²) ≤ walked if t ≥ 2":                       props.Refuted,
		"min_k ‖∇f‖² ≤ avg_k ‖∇f‖²":                                         props.Consistent,
		"avg_k ‖∇f‖² ≤ min_k ‖∇f‖² if t ≥ 2":                                props.Refuted,
	} {
		method := "GD"
		if strings.Contains(text, "_k") {
			method = "FLEDGE-II"
		}
		check, domain, err := Stated()(
			ledger.Runs{Of: "runs", Method: method, Family: "quadratic", Statement: text})
		if err != nil || !strings.Contains(domain, "r = 0") {
			t.Fatalf("%s: %q, %v", text, domain, err)
		}
		seed := rand.Uint64()
		results, err := props.Run(context.Background(),
			[]props.Claim{{ID: "a", Check: check, Expect: want}},
			props.Config{Seed: seed, Alpha: props.DefaultAlpha})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Verdict; got != want {
			t.Errorf("%s is %s at seed %d", text, got, seed)
		}
	}
}

// A run shows both sides of its statement term by term, up to what they come to.
func TestTerms(t *testing.T) {
	const text = "gap + (η/2)‖∇f‖² ≤ Δ − (1/(4η)) sum_t step² + r²/η if η ≤ 1/(4L), r ≥ 0, T ≥ 2"
	names := []string{"gap", "+ (η/2)‖∇f‖²", "Δ", "− (1/(4η))sum_t[step²]", "+ r²/η"}
	check, _, err := Stated()(ledger.Runs{Of: "runs", Method: "SLEDGE-II", Family: "rippled",
		Statement: text})
	if err != nil {
		t.Fatal(err)
	}
	results, err := props.Run(context.Background(), []props.Claim{{ID: "a", Check: check}},
		props.Config{Seed: rand.Uint64(), Alpha: props.DefaultAlpha})
	if err != nil {
		t.Fatal(err)
	}
	e := &results[0].Evidence[0]
	var got []string
	for _, l := range e.Chain {
		got = append(got, l.Name)
	}
	if !slices.Equal(got, names) {
		t.Fatalf("the terms are %q", got)
	}
	for i, want := range map[int]float64{1: e.Measured, 4: e.Claimed} {
		if v := float64(e.Chain[i].Value); math.Abs(v-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s: %v, and the side is %v", e.Chain[i].Name, v, want)
		}
	}
	m, _ := algos.ByName("GD")
	for text, want := range map[string]int{"gap ≤ Δ if η ≤ 1/L": 2, "E gap ≤ E (Δ + step²/η)": 0} {
		if c, err := New(text, m, family("quadratic"), 0); err != nil || len(c.rungs) != want {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Instances are drawn from the ranges behind the family, as they are where these are premises; what
// is wrong in them is told at its place.
func TestDrawnFromRanges(t *testing.T) {
	m, _ := algos.ByName("SLEDGE-II")
	for i := range 20 {
		var known [2][]float64
		for k, stated := range [][2]string{{"gap ≤ Δ if η ≤ 1/L", "8 ≤ d ≤ 10, 2 ≤ T ≤ 3, ζ ≥ L/10"},
			{"gap ≤ Δ if η ≤ 1/L, 8 ≤ d ≤ 10, 2 ≤ T ≤ 3, ζ ≥ L/10", ""}} {
			c, err := New(stated[0], m, family("pl"), 0.9, stated[1])
			if err != nil {
				t.Fatal(err)
			}
			in := c.draw(props.NewSource(props.Mixed(keyed.New(7).At(i), 0)), usual, false)
			if known[k] = in.known; in.d < 8 || in.d > 10 || in.t > 3 {
				t.Errorf("d = %d, t = %d", in.d, in.t)
			}
		}
		if !slices.Equal(known[0], known[1]) {
			t.Errorf("%v from a range, %v from a premise", known[0], known[1])
		}
	}
	_, err := New("gap ≤ Δ", m, family("pl"), 0, "2 ≤ d, k ≤ 3")
	var wrong *formula.Error
	if !errors.As(err, &wrong) || wrong.Text != "2 ≤ d, k ≤ 3" || wrong.Column != 8 {
		t.Errorf("%v", err)
	}
}

// Means over all outcomes on both sides are told from those of runs with exact gradients where the
// error of the estimator matters, and are loose where it does not.
func TestStatedControls(t *testing.T) {
	for text, loose := range map[string]bool{
		"E‖v−∇f‖² ≤ (ζ²/b) E moved if ζ ≥ L/10, η ≤ 2/L":      false,
		"E gap ≤ E (gap + ‖v‖²/L) if η ≤ 1/(10L), t ≤ 3":      true,
		"E‖∇f‖² ≤ 2 E (‖v‖² + ‖v−∇f‖²) if η ≤ 1/(10L), t ≤ 3": true,
	} {
		check, _, err := Stated()(ledger.Runs{Of: "runs", Method: "SLEDGE-II", Family: "quadratic",
			Statement: text})
		if err != nil {
			t.Fatal(err)
		}
		seed := rand.Uint64()
		results, err := props.Run(context.Background(), []props.Claim{{ID: "a", Check: check,
			Expect:  props.Consistent,
			Control: &props.Control{Without: props.Errors, Factor: props.DefaultFactor}}},
			props.Config{Seed: seed, Alpha: props.DefaultAlpha})
		if err != nil {
			t.Fatal(err)
		}
		if r := &results[0]; r.Verdict != props.Consistent || r.Loose() != loose ||
			r.Evidence[0].Control == nil || r.Evidence[0].Control.Pairs < 10 {
			t.Errorf("%s is %v at seed %d, loose %v: %+v", text, r.Verdict, seed, r.Loose(),
				r.Evidence[0].Control)
		}
	}
}

// What is not known is refused, and so is a constant that is to be found.
func TestStatedErrors(t *testing.T) {
	for want, r := range map[string]ledger.Runs{
		"there is no method \"GDD\"; they are SLEDGE-I": {Method: "GDD", Statement: "gap ≤ Δ"},
		"there is no family \"flat\"; they are": {Method: "GD", Family: "flat",
			Statement: "gap ≤ Δ"},
		"c stands for a constant":   {Method: "GD", Statement: "gap ≤ c Δ"},
		"is no known symbol":        {Method: "GD", Statement: "gap ≤ Δelta"},
		"those on a family":         {Method: "GD", Family: "none", Statement: "gap ≤ Δ"},
		"among the premises":        {Method: "GD", With: "b = 1", Statement: "gap ≤ Δ"},
		"nothing is known":          {Of: "cost", Method: "GD", Statement: "gap ≤ Δ"},
		"left by the premises on n": {Method: "GD", Statement: "gap ≤ Δ if n ≥ 1e300"},
		"left by the premises on t": {Method: "GD", Statement: "gap ≤ Δ if 2t = 5"},
		"left by the premises on d": {Method: "GD", Statement: "gap ≤ Δ if d ≥ 2, d < 2"},
		"left by the premises on K": {Method: "FLEDGE-I", Statement: "gap ≤ Δ if 2K ≤ 1"},
		"left by the premises on p": {Method: "FLEDGE-I", Statement: "gap ≤ Δ if 0 < p ≤ 1/2"},
		"unit":                      {Method: "GD", Statement: "gap ≤ L"},
		"stride is of local steps":  {Method: "FLEDGE-I", Statement: "sum_t stride² ≤ walked"},
		"and no instance with d above 1000 is drawn": {Method: "GD", Statement: "gap ≤ Δ",
			Drawn: "d ≤ 1e9"},
		"no instance with d above 500 is drawn: nd² is at most 1000000": {Method: "GD",
			Statement: "gap ≤ Δ", Drawn: "n ≥ 4, d ≤ 501"},
		"no instance with P above 1e+06": {Method: "FLEDGE-I", Statement: "gap ≤ Δ",
			Drawn: "P ≤ 1e9"},
		"no instance with t above 1e+06": {Method: "GD", Statement: "gap ≤ Δ", Drawn: "t < 2e6"},
		"means are compared at one":      {Method: "GD", Statement: "E gap ≤ Δ if T ≥ 2"},
	} {
		r.Of = cmp.Or(r.Of, "runs")
		if r.Family = cmp.Or(r.Family, "quadratic"); r.Family == "none" {
			r.Family = ""
		}
		if _, _, err := Stated()(r); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v: %v", r, err)
		}
	}
	if _, _, err := Stated()(ledger.Runs{Of: "runs", Method: "PAGE", Family: "quadratic",
		Statement: "gap ≤ Δ if 0 < p ≤ 1/2"}); err != nil {
		t.Errorf("a probability is no count: %v", err)
	}
}

// Statements are about all local steps where they say so: their sums are those of the points that
// the recorded run has, and with one local step in a round those of the rounds.
func TestLocalSteps(t *testing.T) {
	m, _ := algos.ByName("FLEDGE-II")
	for text, want := range map[string]props.Verdict{
		"walked ≥ moved/K": props.Consistent,
		"walked ≤ moved/K": props.Refuted,
		"sum_k ‖∇f‖² ≤ sum_t ‖∇f‖² if K = 1":   props.Consistent,
		"sum_k ‖∇f‖² ≥ sum_t ‖∇f‖² if K = 1":   props.Consistent,
		"sum_k ‖∇f‖² ≤ sum_t ‖∇f‖² if K ≥ 2":   props.Refuted,
		"sum_k gap ≥ K t avg_k gap":            props.Consistent,
		"E sum_k ‖v‖² ≤ E walked/η²":           props.Consistent,
		"E sum_k ‖v‖² ≤ E walked/(2η²)":        props.Refuted,
		"E avg_k ‖v−∇f‖² ≤ 0·L²·walked if K=2": props.Refuted,
	} {
		c, err := New(text, m, family("quadratic"), 0)
		if err != nil {
			t.Fatal(err)
		}
		seed := rand.Uint64()
		results, err := props.Run(context.Background(), c.Claims(1),
			props.Config{Seed: seed, Alpha: props.DefaultAlpha})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Verdict; got != want {
			t.Errorf("%s is %s at seed %d", text, got, seed)
		}
	}
	for _, method := range []string{"FedAvg", "SARAH"} {
		m, _ := algos.ByName(method)
		if _, err := New("walked ≤ moved", m, family("quadratic"), 0); err == nil ||
			!strings.Contains(err.Error(), method+" shows no local steps") {
			t.Errorf("%s: %v", method, err)
		}
	}
}
