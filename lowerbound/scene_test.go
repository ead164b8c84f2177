package lowerbound

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/ledger"
	"sledge/props/proptest"
)

// members is a statement about a scene, as an entry of the ledger makes it.
func members(scene, text string) (props.Check, string, error) {
	method, family, _ := strings.Cut(scene, " on ")
	return Stated(func(ledger.Runs) (props.Check, string, error) {
		return nil, "", errors.New("another kind")
	})(ledger.Runs{Of: "members", Method: method, Family: family, Statement: text})
}

// Statements that are a little wrong are refuted on each scene.
func TestWrongMembersAreRefuted(t *testing.T) {
	wrong := map[string]props.Check{}
	tried := map[string]bool{}
	for _, w := range [][2]string{
		{"the chain", "‖H‖ ≤ 130"},
		{"the chain", "most ≤ 20"},
		{"the chain", "gap ≤ 9T"},
		{"the chain", "far ≤ (T − 1)e√(2πe)/(2R − 1)²"}, // without the tail of Φ
		{"the chain", "revealed ≤ k"},
		{"the chain", "steep ≥ 1.1"},
		{"the ladder", "gap ≤ T"},
		{"the ladder", "‖H‖ ≤ 7"},
		{"the ladder", "rest ≥ 1.1"},
		{"common chains", "gradients ≥ ⌊LΔ/(12·152ε²)⌋ + 1"},
		{"common chains", "fastest ≤ T − 1"},
		{"ladders", "gradients ≥ ⌊LΔ/(8ε²)⌋"},
		{"ladders", "rest ≥ 1.1ε"},
		{"chains of their own", "gradients ≥ n⌊√n LΔ/(24·152nε²)⌋ + 1"},
		{"chains of their own", "rms ≤ 0.8L"},
		{"smooth chains of their own", "‖H‖ ≤ 0.6L"},
		{"tilted quadratics", "best² = LΔ(1 − m/n)"},
		{"tilted quadratics", "best ≤ ε if m + 1 ≥ ⌈n max{0, 1 − ε²/(2LΔ)}⌉"},
		{"relays", "gradients ≥ (R − 1)(⌊n/4⌋ + 2) + 3 + ⌈3n/4⌉"},
		{"relays", "R = ⌊(Δ + A)/G⌋"},
		{"relays", "a = 4√n ε"},
		{"relays", "λ = (a/(2√n))√(L/(4·308.53A))"},
		{"relays", "y = u/2 + a/(nλ)"},
		{"relays", "‖H−H'‖ ≤ z/2"},
		{"pairs of quadratics", "‖H−H'‖ ≤ ζ/2"},
		{"gradient descent", "best ≤ 0.9ε"},
		{"minibatch methods", "queries ≤ gradients − 1"},
		{"methods on ladders", "gradients ≥ ⌊LΔ/(9.3ε²)⌋ + 2"},
		{"methods on tilted quadratics", "gradients ≥ n + 1"},
		{"methods on relays", "gradients ≥ ⌊n/4⌋ + ⌈3n/4⌉ + 4"},
		{"federated methods on relays", "vectors ≥ R⌊n/4⌋ + ⌈3n/4⌉ + n"},
		{"clients on relays", "vectors ≥ R⌊n/4⌋ + n"},
		{"one round of FedAvg", "vectors ≥ ⌈n/2⌉T"},
		{"implicit steps", "reached ≤ 2"},
		{"the quadratic chain", "reached ≤ 2"},
		{"methods in the span", "reached ≤ asked/2"},
		{"one perturbed step", "stray = 0"},
		{"perturbed methods", "off = 0"},
		{"unperturbed methods", "queries ≤ 1"},
		{"perturbed SLEDGE", "gradients ≥ 2⌊LΔ/(12·152ε²)⌋ if noise ≤ 76ε/L"},
	} {
		check, _, err := members(w[0], w[1])
		if err != nil {
			t.Fatal(err)
		}
		wrong[w[0]+": "+w[1]], tried[w[0]] = check, true
	}
	for name := range scenes {
		if !tried[name] {
			t.Errorf("no wrong statement about %s is tried", name)
		}
	}
	proptest.Refuted(t, wrong)
}

// What is wrong with a statement is said in one sentence, which names it and what is known.
func TestBadMembers(t *testing.T) {
	known := slices.Sorted(maps.Keys(scenes))
	for _, w := range [][3]string{
		{"rings", "gap = Δ", `there are no members of "rings"; there are members of ` +
			strings.Join(known, ", ")},
		{"ladders", "gap = L", "gap has the unit f, but L has f/x²"},
		{"ladders", "back ≤ ε/L", "back is not known here; known are T, n, L, Δ, ε, above"},
		{"ladders", "gap", "a relation is wanted"},
		{"ladders", "gap < Δ", "what is measured is compared by ≤ or ≥ or ="},
		{"ladders", "gap = O(Δ)", "what is measured is compared by ≤ or ≥ or ="},
		{"ladders", "gap = Δ if vectors ≥ 1", "vectors is not known here"},
		{"ladders", "gap = Δ +", "character 10"},
	} {
		if _, _, err := members(w[0], w[1]); err == nil || !strings.Contains(err.Error(), w[2]) {
			t.Errorf("%s: %s: %v, not %q", w[0], w[1], err, w[2])
		}
	}
	r := ledger.Runs{Of: "members", Method: "ladders", With: "b = 1", Statement: "gap = Δ"}
	if _, _, err := Stated(nil)(r); err == nil || !strings.Contains(err.Error(), "no parameters") {
		t.Errorf("%v", err)
	}
}
