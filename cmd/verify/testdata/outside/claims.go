package main

import (
	"embed"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

//go:embed outside.ledger
var files embed.FS

// domain is where formulas are tried: p is the probability with which a step renews the snapshot of L-SVRG.
var domain = formula.NewVocabulary(formula.Symbol{Name: "p"}).MustDomain("p ∈ [0.01, 1]")

// text is what the paper says about how long a snapshot lasts, in three statements, of which one is misprinted.
func text() (*ledger.Ledger, error) { return ledger.Read(files, "*.ledger") }

func claims() ([]props.Claim, error) {
	l, err := text()
	if err != nil {
		return nil, err
	}
	return l.Join([]props.Binding{
		props.Bind("snapshot-survives", domain.Implies("(1−p)³ ≤ 1/(1+3p)")),
		props.Bind("snapshot-dies", domain.Implies("p ≤ p²")),
		props.Bind("snapshot-lasts", props.Tail(lasts)),
	})
}

// lasts tosses the coins of a snapshot.
func lasts(src *props.Source) props.TailTrial {
	p := src.Real("p", 0.05, 0.5)
	return props.TailTrial{Delta: 0.25, Run: func(t props.Trial, rec *props.Recorder) {
		coins, steps := t.Key.Rand(), 1
		for coins.Float64() >= p {
			steps++
		}
		rec.AtMost("steps", float64(steps), 3/p)
	}}
}
