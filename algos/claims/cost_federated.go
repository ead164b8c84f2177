package claims

import (
	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// roundCost is a drawn run with P clients of the given size, k of which are sampled for K local steps with
// b data each.
type roundCost struct {
	p                      algos.Problem
	P, size, k, K, b, d, T int
	stage                  int
	even                   bool // whether to take the variant of the method
	x0                     []float64
	random                 func() algos.Randomness
}

func drawFederatedCostInstance(src *props.Source) *roundCost {
	a := &roundCost{P: src.Int("P", 1, 9), d: src.Int("d", 1, 3), b: src.Int("b", 1, 3),
		K: src.Int("K", 1, 4), T: src.Int("T", 1, 10)}
	a.k, a.stage = src.Int("p", 1, a.P), src.Int("stage", 1, 4)
	a.even = a.stage%2 == 0
	a.size = a.K*a.b + src.Int("data besides Kb", 0, 3)
	r := src.Rand("objective")
	a.p = testproblem.DrawWells(a.P, a.size, a.d, r)
	a.x0 = normal(a.d, r)
	key := keyed.New(r.Uint64())
	a.random = func() algos.Randomness { return algos.Keyed(key) }
	return a
}

// local is the tuning of a method with local steps.
func (a *roundCost) local() algos.LocalTuning {
	return algos.LocalTuning{Eta: costEta, Chosen: a.k, Batch: a.b, LocalSteps: a.K}
}

// tiniestFederatedCosts are the sizes for which costs are settled.
const tiniestFederatedCosts = "all functions and random choices with two rounds, P ≤ 2, 1 ≤ p ≤ P, K ≤ 2, b = 1 " +
	"and Kb or, for P = 1, Kb + 1 data of a client, stages and variants as far as they make a difference"

// overFormalRoundCosts settles what a federated method costs, as overFormalCosts does.
func overFormalRoundCosts(try func(a *roundCost, rec *props.Recorder)) props.Procedure {
	return props.ExactSizes(tiniestFederatedCosts, func(rec *props.Recorder) {
		const T = 2
		for P := 1; P <= 2; P++ {
			for p := 1; p <= P; p++ {
				for K := 1; K <= 2; K++ {
					for size := K; size <= K+2-P; size++ {
						for _, stage := range []int{1, 4} {
							everyOutcome(func(o *outcome) {
								u := newUniversal(o, P, size, 1+2*T*(P*K+1), T*K, 0)
								try(&roundCost{p: u, P: P, size: size, k: p, K: K, b: 1, d: u.Dim(), T: T, stage: stage,
									even: stage%2 == 0, x0: make([]float64, u.Dim()), random: o.run}, rec)
							})
						}
					}
				}
			}
		}
	}).Procedure()
}

// first is a number of clients between p and P.
func (a *roundCost) first() int { return a.k + (a.P-a.k)*(a.stage-1)/3 }

// sampled counts the clients of methods that ask p of them in every round and none at x⁰.
func (a *roundCost) sampled(step int) (least, most int) {
	if step == 0 {
		return 0, 0
	}
	return a.k, a.k
}

func roundCostClaims() []props.Binding {
	const eta = costEta
	fixed := func(id string, of func(a *roundCost) (algos.Method, cost)) props.Binding {
		try := func(a *roundCost, rec *props.Recorder) {
			m, b := of(a)
			b.check(rec, props.Must(algotest.Observe(m, a.p, a.x0, a.random(), a.T)), a.d)
		}
		return costClaim(id, props.Settled(props.Identity(func(src *props.Source, rec *props.Recorder) {
			try(drawFederatedCostInstance(src), rec)
		}).Effort(0.2), overFormalRoundCosts(try)))
	}
	out := []props.Binding{
		fixed("fedavg", func(a *roundCost) (algos.Method, cost) {
			m := &algos.FedAvg{LocalTuning: a.local()}
			return m, cost{gradients: a.T * a.k * a.K * a.b, kept: 1, down: a.T * a.k, up: a.T * a.k, clients: a.sampled}
		}),
		fixed("fedvarp", func(a *roundCost) (algos.Method, cost) {
			m := &algos.FedVARP{LocalTuning: a.local()}
			return m, cost{gradients: a.T * a.k * a.K * a.b, kept: a.P + 2, scratch: a.k, down: a.T * a.k,
				up: a.T * a.k, clients: a.sampled}
		}),
		fixed("scaffold-1", func(a *roundCost) (algos.Method, cost) {
			control := a.b
			if a.even {
				control = a.size
			}
			m := &algos.SCAFFOLD{LocalTuning: a.local(), Option: algos.OptionI, FullControl: a.even}
			return m, cost{gradients: a.T * a.k * (a.K*a.b + control), kept: a.P + 2, down: 2 * a.T * a.k,
				up: 2 * a.T * a.k, clients: a.sampled}
		}),
		fixed("scaffold-2", func(a *roundCost) (algos.Method, cost) {
			b := cost{gradients: a.T * a.k * a.K * a.b, kept: a.P + 2, down: 2 * a.T * a.k, up: 2 * a.T * a.k,
				clients: a.sampled}
			if a.even {
				b.gradients, b.down, b.up = b.gradients+a.P*a.size, b.down+a.P, b.up+a.P
				b.clients = atStart(a.P, a.sampled)
			}
			return &algos.SCAFFOLD{LocalTuning: a.local(), Warm: a.even}, b
		}),
	}
	for _, m := range []struct {
		id          string
		method      algos.Mime
		local, down int // gradients for each datum drawn, vectors down for each client
		kept        int
	}{
		{"mime", algos.Mime{Momentum: 0.9}, 2, 3, 2},
		{"mimesgd", algos.Mime{}, 2, 2, 1},
		{"mimelite", algos.Mime{Momentum: 0.9, Lite: true}, 1, 2, 2},
	} {
		out = append(out, fixed(m.id, func(a *roundCost) (algos.Method, cost) {
			run := m.method
			run.Eta, run.Chosen, run.Batch, run.LocalSteps = eta, a.k, a.b, a.K
			return &run, cost{gradients: a.T * a.k * (m.local*a.K*a.b + a.size), kept: m.kept, down: m.down * a.T * a.k,
				up: 2 * a.T * a.k, clients: a.sampled}
		}))
	}
	bvr := func(radius float64) func(a *roundCost) (algos.Method, cost) {
		return func(a *roundCost) (algos.Method, cost) {
			b := cost{kept: a.P + 3, down: a.P + 2*a.P*a.T, up: a.P + (a.P+1)*a.T,
				clients: func(int) (int, int) { return a.P, a.P }}
			for t := range a.T + 1 {
				if t > 0 {
					b.gradients += 2 * a.b * (a.K - 1)
				}
				if t%a.stage == 0 {
					b.gradients += a.P * a.size
				} else {
					b.gradients += 2 * a.P * a.K * a.b
				}
			}
			return &algos.BVRLSGD{Eta: eta, Batch: a.b, LocalSteps: a.K, Stage: a.stage, Radius: radius}, b
		}
	}
	out = append(out,
		fixed("mimemvr", func(a *roundCost) (algos.Method, cost) {
			later := a.T - 1
			m := &algos.MimeMVR{Eta: eta, Chosen: a.k, Batch: a.b, LocalSteps: a.K, First: a.first()}
			return m, cost{gradients: 2*a.T*a.k*a.K*a.b + (a.first()+2*later*a.k)*a.size, kept: 3,
				down: a.first() + a.k + 3*later*a.k,
				up:   a.first() + a.k + 2*later*a.k,
				clients: func(step int) (int, int) {
					switch step {
					case 0:
						return 0, 0
					case 1:
						return a.first(), a.first()
					}
					return a.k, a.k
				}}
		}),
		fixed("bvr-l-sgd", bvr(0)),
		fixed("bvr-l-psgd", bvr(0.1)))
	for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
		id := "fledge-2"
		if option == algos.OptionI {
			id = "fledge-1"
		}
		out = append(out, fixed(id, func(a *roundCost) (algos.Method, cost) {
			start := a.P
			if option == algos.OptionI {
				start = a.k
			}
			m := &algos.FLEDGE{Eta: eta, Chosen: a.k, Batch: a.b, LocalSteps: a.K, Option: option}
			return m, cost{
				gradients: start*a.K*a.b + a.T*(2*(a.K-1)*a.b+2*a.k*a.K*a.b), kept: a.P + 3,
				scratch: 2*a.k + 2*a.K + 1,
				down:    start + a.T*(2*a.k+2), up: start + a.T*(2*a.k+1),
				clients: atStart(start, func(int) (int, int) { return a.k, min(a.k+1, a.P) }),
			}
		}))
	}
	return out
}

// atStart is a count of clients with all of them at x⁰.
func atStart(start int, then func(int) (int, int)) func(int) (int, int) {
	return func(step int) (int, int) {
		if step == 0 {
			return start, start
		}
		return then(step)
	}
}
