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
}

// words of what is said of functions, which are numbers, and of members of a class.
var functionWords, memberWords = bounds.Symbols("functions"), bounds.Symbols("members")

// measures are what the symbols come to on an instance, each computed when it is asked for.
type measures map[string]func() (value, size float64)

// of returns what a symbol comes to, and computes it once.
func (m measures) of(symbol string) (value, size float64) {
	value, size = m[symbol]()
	m[symbol] = func() (float64, float64) { return value, size }
	return value, size
}

// is gives a symbol a value.
func (m measures) is(symbol string, value float64) {
	m[symbol] = func() (float64, float64) { return value, 0 }
}

// sizes gives the symbols of a class their values.
func (c Class) sizes() measures {
	m := measures{}
	m.is("n", float64(c.N))
	m.is("L", c.L)
	m.is("Δ", c.Gap)
	m.is("ε", c.Eps)
	return m
}

// ofClass are the symbols of a class.
var ofClass = []string{"n", "L", "Δ", "ε"}

// once is a scene that is tried once on each instance.
func once(draw func(src *props.Source, rec *props.Recorder) measures) func(src *props.Source,
	rec *props.Recorder, try func(name string, of formula.Measure)) {
	return func(src *props.Source, rec *props.Recorder, try func(name string, of formula.Measure)) {
		try("", draw(src, rec).of)
	}
}
