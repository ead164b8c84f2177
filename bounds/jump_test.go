package bounds

import (
	"context"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/claimtest"
	"sledge/props"
	"sledge/props/certificate/checker"
	"sledge/props/ledger"
)

// shiftedWindow says that the bound of the variance lemma at step t − 1 is at most the one at t, as
// lines 2078-2093 use it: pl-variance-inserted, on runs.
var shiftedWindow = props.Inequality(func(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(1, 6), T: problems.Sizes(2, 20),
		option: algos.Option(src.Pick("option", "II", "I")),
		shapes: []problems.Shape{problems.Convex, problems.Degenerate}})
	p, c1 := in.follow(src.Key("run")), src.Real("C_1", 1, 3)
	method := [...]string{"SLEDGE-II", "SLEDGE-I"}[in.option]
	lemma := props.Must(readParts(ledger.Runs{Of: "parts", Method: method, Family: "any",
		Chance: "1 − ν", Statement: [...]string{"‖v−∇f‖² ≤ (15C_1⁸ζ²/b)moved",
			"‖v−∇f‖² ≤ (15C_1⁸ζ²/b)moved + early(12C_1²/b)(σ_c² + G_c²/b)"}[in.option]}))
	p.level = level{c1: c1, window: in.lemmaWindow(c1)}
	on := p.values(c1)
	bound := func(t int) float64 {
		lemma.look(on, p, t, 0)
		_, bound, _ := lemma.Relations[0].At(on.of)
		return bound
	}
	for t := 2; t <= p.T; t++ {
		rec.AtMost("bound of the lemma at t−1", bound(t-1), bound(t)).Scale(roundingOf(p.size))
	}
}).Effort(0.5)

// A seed at which one of many violations lies where T_1 is rounded up to the next whole number: by
// the direction of rounding it changes by all that it is, and says nothing of the others.
func TestAJumpIsNoRounding(t *testing.T) {
	claims := []props.Claim{{ID: "pl-variance-inserted", Expect: props.Refuted,
		Check: shiftedWindow}}
	results, err := props.Run(context.Background(), claims, props.Config{Seed: 242685496,
		Alpha: props.DefaultAlpha, Tests: claimtest.Tests, Check: checker.Accept})
	if err != nil {
		t.Fatal(err)
	}
	if amiss := results[0].Unexpected(); len(amiss) > 0 {
		t.Error(amiss)
	}
}
