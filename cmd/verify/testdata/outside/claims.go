package main

import "sledge/props"

// claims are three statements about how long a snapshot of L-SVRG lasts, of which one is misprinted: it is renewed with
// probability p in every step.
func claims() []props.Claim {
	longer := func(exponent int) props.Check {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			p := src.Real("p", 0.01, 1)
			survives, bound := 1.0, 1/(1+float64(exponent)*p)
			for range exponent {
				survives *= 1 - p
			}
			rec.AtMost("(1−p)^k", survives, bound)
		})
	}
	return []props.Claim{
		{ID: "snapshot-survives", Part: "snapshots", Tier: 2, Kind: "inequality", Lines: "12", Statement: "(1−p)³ ≤ 1/(1+3p)",
			Expect: props.Consistent, Check: longer(3)},
		{ID: "snapshot-dies", Part: "snapshots", Tier: 2, Kind: "inequality", Lines: "13", Statement: "p ≤ p²", Notes: "The sides are swapped.",
			Expect: props.Refuted, Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
				p := src.Real("p", 0.01, 1)
				rec.AtMost("p", p, p*p)
			})},
		{ID: "snapshot-lasts", Part: "snapshots", Tier: 1, Kind: "tail", Lines: "14", Uses: []string{"snapshot-survives"},
			Statement: "A snapshot lasts more than 3/p steps with probability at most 1/4", Expect: props.Supported,
			Check: props.Tail(func(src *props.Source) props.TailTrial {
				p := src.Real("p", 0.05, 0.5)
				return props.TailTrial{Delta: 0.25, Run: func(t props.Trial, rec *props.Recorder) {
					coins, lasts := t.Key.Rand(), 1
					for coins.Float64() >= p {
						lasts++
					}
					rec.AtMost("steps", float64(lasts), 3/p)
				}}
			})},
	}
}
