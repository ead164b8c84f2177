package claims

import (
	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// roundCost is a drawn run with P clients of the given size, k of which are sampled for K local
// steps with b data each.
type roundCost struct {
	p                      algos.Problem
	P, size, k, K, b, d, T int
	stage                  int
	weight                 float64
	x0                     []float64
	random                 func() algos.Randomness
}

func drawFederatedCostInstance(src *props.Source) *roundCost {
	a := &roundCost{P: src.Int("P", 1, 9), d: src.Int("d", 1, 3), b: src.Int("b", 1, 3),
		K: src.Int("K", 1, 4), T: src.Int("T", 1, 10)}
	a.k, a.stage = src.Int("p", 1, a.P), src.Int("stage", 1, 4)
	a.size = a.K*a.b + src.Int("data besides Kb", 0, 3)
	r := src.Rand("objective")
	a.p = testproblem.DrawWells(a.P, a.size, a.d, r)
	a.x0 = normal(a.d, r)
	key := keyed.New(r.Uint64())
	a.random = func() algos.Randomness { return algos.Keyed(key) }
	return a
}

// tiniestFederatedCosts are the sizes for which costs are settled.
const tiniestFederatedCosts = "all functions and random choices with two rounds, P ≤ 2, 1 ≤ p ≤ P, K ≤ 2, b = 1 " +
	"and Kb or, for P = 1, Kb + 1 data of a client, or K = 1 and b = 2 of 2 data, or one round, P = 3, K = 1 and " +
	"b = 1 of 2 data; stages as far as they make a difference"

// overFormalRoundCosts settles what a federated method costs, as overFormalCosts does.
func overFormalRoundCosts(try func(a *roundCost, rec *props.Recorder)) props.Procedure {
	visit := func(rec *props.Recorder, P, p, K, b, size, T int) {
		for _, stage := range []int{1, 4} {
			everyOutcome(func(o *outcome) {
				u := newUniversal(o, P, size, 1+2*T*(P*K+1), T*K, 0)
				try(&roundCost{p: u, P: P, size: size, k: p, K: K, b: b, d: u.Dim(), T: T,
					stage: stage, weight: 0.5, x0: make([]float64, u.Dim()), random: o.run}, rec)
			})
		}
	}
	return props.ExactSizes(tiniestFederatedCosts, func(rec *props.Recorder) {
		for P := 1; P <= 3; P++ {
			for p := 1; p <= P; p++ {
				if P == 3 {
					visit(rec, P, p, 1, 1, 2, 1)
					continue
				}
				for K := 1; K <= 2; K++ {
					for size := K; size <= K+2-P; size++ {
						visit(rec, P, p, K, 1, size, 2)
					}
				}
				visit(rec, P, p, 1, 2, 2, 2)
			}
		}
	}).Procedure()
}
