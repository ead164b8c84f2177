package lowerbound

import (
	"sledge/algos"
	"sledge/props"
)

func serverClaims() []props.Binding {
	return []props.Binding{
		// one vector of each client, against the bound on gradients
		props.Bind("lower-bound-server-information", props.Implication(tryOneRound).Effort(0.1)),
		props.Bind("lower-bound-server-information/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				c := drawFine(src)
				c.N = max(c.N, 4)
				zeta := 2 * c.L * src.LogReal("ζ/(2L)", 1e-6, 1)
				return c.rate(zeta * root(c.N)), max(c.Tilts(), c.Messages(zeta))
			}),
			props.Inequality(tryMessages).Effort(0.3),
			props.Inequality(tryTilted).Effort(0.3))),
		props.Bind("lower-bound-server-information/methods",
			props.Inequality(tryFederated).Effort(0.3)),
	}
}

// tryOneRound lets FedAvg with all clients, long local runs and a server step of P (displacements
// are added, not averaged) take one round on the instance of the mean-square bound.
func tryOneRound(src *props.Source, rec *props.Recorder) {
	c := drawClass(src, [2]int{2, 8}, [2]int{1, 5}, spreadLink(Class.MeanSquare))
	p, x0 := c.SpreadChains(c.MeanSquare())
	steps := 200 * p.Length()
	m := &algos.FedAvg{LocalTuning: algos.LocalTuning{Eta: 0.03 * chainSmooth / p.l,
		ServerEta: float64(p.n), Chosen: p.n,
		LocalSteps: steps}}
	o := started(m, p, x0, randomness(src))
	m.Step()
	needed, counts := c.Spread(c.MeanSquare()), o.Counts()
	rec.AtMost("‖∇f‖ after one round, against ε",
		algos.NewMonitor(algos.Sum(p)).GradientNorm(m.Point()), c.Eps)
	rec.AtLeast("gradients computed by the clients, against the bound",
		float64(counts.Gradients), needed)
	rec.AtLeast("vectors received by the server, against the bound on gradients",
		float64(counts.Up), needed)
}

// tryMessages lets the clients of a relay take turns. Each works on its own function from where the
// others have arrived, going all the way in every entry that its gradients reveal, and sends its
// displacement.
func tryMessages(src *props.Source, rec *props.Recorder) {
	c, zeta, p, x := drawRelay(src, [2]int{4, 24}, [2]int{1, 4})
	o, monitor := algos.NewOracle(algos.Sum(p)), algos.NewMonitor(algos.Sum(p))
	g := make([]float64, p.Dim())
	local, order := src.Int("local steps", 1, 2*p.T+1), src.Rand("order").Perm(p.n)
	most := int64(p.n * (p.T + 1))
	for turn := 0; o.Counts().Up < most && monitor.GradientNorm(x) > c.Eps; turn++ {
		i := order[turn%p.n]
		for range local {
			o.Gradient(g, x, i)
			for k := range p.T {
				t, y := p.round(x, k)
				dt, dy := p.round(g, k)
				if *dt != 0 && *t == 0 {
					*t = 2 * p.w
				}
				if dy[i] != 0 && y[i] == 0 {
					y[i] = -p.settled
				}
			}
		}
		o.Up(1)
	}
	rec.AtMost("‖∇f‖ in the end, against ε", monitor.GradientNorm(x), c.Eps)
	rec.AtLeast("vectors received by the server", float64(o.Counts().Up), c.Messages(zeta))
}

// tryFederated runs the federated methods of the catalogue on a relay.
func tryFederated(src *props.Source, rec *props.Recorder) {
	c, zeta, p, x0 := drawRelay(src, [2]int{4, 16}, [2]int{1, 2})
	s := algos.Setting{Tuning: algos.Tuning{Eta: src.LogReal("ηL", 0.1, 300) / c.L, Batch: 1},
		LocalSteps: src.Int("K", 1, 6), Chosen: src.Int("p", 1, c.N), Eps: c.Eps, Cap: true}
	r, monitor, needed := randomness(src), algos.NewMonitor(algos.Sum(p)), int64(c.Messages(zeta))
	for _, known := range algos.Catalogue() {
		if !known.Federated || perturbs(known.Name) {
			continue
		}
		m := known.New(s)
		o := started(m, p, x0, r)
		for o.Counts().Up < needed && monitor.GradientNorm(m.Point()) > c.Eps {
			m.Step()
		}
		rec.AtLeast(known.Name, float64(o.Counts().Up), float64(needed))
	}
}
