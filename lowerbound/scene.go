package lowerbound

import (
	"sledge/bounds"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// Stated makes the checks of what a ledger says about the members of hard classes, and of what
// methods need on them, and leaves all else to another; see [ledger.Ledger.Run]:
//
//	members of the chain: ‖∇f‖ ≤ 23√T
//	members of ladders: gap = Δ; gradients ≥ ⌊LΔ/(9.3ε²)⌋
//	members of federated methods on relays: vectors ≥ (R − 1)⌊n/4⌋ + ⌈3n/4⌉
func Stated(other func(ledger.Runs) (props.Check, string, error)) func(ledger.Runs) (props.Check,
	string, error) {
	return ledger.Scenes("members", scenes, other)
}

// scenes are what such statements are tried on, by name.
var scenes = map[string]*formula.Scene{
	"the chain":                    theChain,
	"the ladder":                   theLadder,
	"common chains":                commonChains,
	"ladders":                      ladders,
	"chains of their own":          ownChains,
	"smooth chains of their own":   smoothChains,
	"tilted quadratics":            tilted,
	"relays":                       relays,
	"pairs of quadratics":          inclusion,
	"gradient descent":             descent,
	"minibatch methods":            minibatches,
	"methods on ladders":           methodsOn(drawLadder, "for $n ≤ 8$ and up to 12 links"),
	"methods on tilted quadratics": methodsOn(drawTilted, "for $n ≤ 8$"),
	"methods on relays":            methodsOn(drawTwoRounds, "for $4 ≤ n ≤ 24$ and two rounds"),
	"federated methods on relays":  federated,
	"clients on relays":            clients,
	"one round of FedAvg":          oneRound,
	"implicit steps":               implicitSteps,
	"perturbed methods":            queries(1, perturbable),
	"unperturbed methods":          queries(0, nil),
	"perturbed SLEDGE":             noisy,
	"one perturbed step":           onePerturbedStep,
	"methods in the span":          withinSpan,
	"the quadratic chain":          quadraticChain,
}

// words of what is said of functions, which are numbers, and of members of a class.
var functionWords, memberWords = bounds.Symbols("functions"), bounds.Symbols("members")

// sizes gives the symbols of a class their values.
func (c Class) sizes() formula.Values {
	return formula.Given(map[string]float64{"n": float64(c.N), "L": c.L, "Δ": c.Gap, "ε": c.Eps})
}

// ofClass are the symbols of a class.
var ofClass = []string{"n", "L", "Δ", "ε"}
