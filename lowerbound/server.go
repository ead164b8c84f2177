package lowerbound

import (
	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
)

// oneRound lets FedAvg with all clients, long local runs and a server step of P (displacements are
// added, not averaged) take one round on the instance of the mean-square bound.
var oneRound = &formula.Scene{Words: memberWords,
	Said:  "for $2 ≤ n ≤ 8$ clients with chains of their own of up to 5 links, $ℓ = √n L$",
	Sizes: append([]string{"T"}, ofClass...), Effort: 0.1,
	Means: map[string]string{
		"rest":     "$‖∇f‖$ after one round of local gradient descent, whose displacements are added",
		"computed": "gradients computed by the clients",
		"vectors":  "vectors received by the server",
	},
	Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
		c := drawClass(src, [2]int{2, 8}, [2]int{1, 5}, spreadLink(Class.MeanSquare))
		p, x0 := c.SpreadChains(c.MeanSquare())
		method := &algos.FedAvg{LocalTuning: algos.LocalTuning{Eta: 0.03 * chainSmooth / p.l,
			ServerEta: float64(p.n), Chosen: p.n, LocalSteps: 200 * p.Length()}}
		o := started(method, p, x0, randomness(src))
		method.Step()
		m, counts := c.sizes(), o.Counts()
		m.Is("T", float64(p.Length()))
		m.Is("rest", algos.NewMonitor(algos.Sum(p)).GradientNorm(method.Point()))
		m.Is("computed", float64(counts.Gradients))
		m.Is("vectors", float64(counts.Up))
		return m
	})}

// clients of a relay take turns. Each works on its own function from where the others have arrived,
// going all the way in every entry that its gradients reveal, and sends its displacement.
var clients = &formula.Scene{Words: memberWords, Said: "for $4 ≤ n ≤ 24$ clients and up to 4 rounds",
	Sizes: append([]string{"R"}, ofClass...), Effort: 0.3,
	Means: map[string]string{"R": "the rounds of the relay", "rest": "$‖∇f‖$ in the end",
		"vectors": "vectors received by the server"},
	Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
		c, _, p, x := drawRelay(src, [2]int{4, 24}, [2]int{1, 4})
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
		m := c.sizes()
		m.Is("R", float64(p.T))
		m.Is("rest", monitor.GradientNorm(x))
		m.Is("vectors", float64(o.Counts().Up))
		return m
	})}

// federated are the federated methods of the catalogue without perturbations on a relay.
var federated = &formula.Scene{Words: memberWords,
	Said:  "for $4 ≤ n ≤ 16$ clients with one datum each and up to 2 rounds",
	Sizes: append([]string{"R"}, ofClass...), Effort: 0.3,
	Means: map[string]string{"R": "the rounds of the relay",
		"vectors": "vectors that clients have sent until a point is $ε$-stationary"},
	Draw: func(src *props.Source, _ *props.Recorder, try func(name string, on formula.Values)) {
		c, zeta, p, x0 := drawRelay(src, [2]int{4, 16}, [2]int{1, 2})
		s := algos.Setting{Tuning: algos.Tuning{Eta: src.LogReal("ηL", 0.1, 300) / c.L, Batch: 1},
			LocalSteps: src.Int("K", 1, 6), Chosen: src.Int("p", 1, c.N), Eps: c.Eps, Cap: true}
		r, monitor := randomness(src), algos.NewMonitor(algos.Sum(p))
		needed := int64(c.Messages(zeta))
		for _, known := range algos.Catalogue() {
			if !known.Federated || perturbs(known.Name) {
				continue
			}
			method := known.New(s)
			o := started(method, p, x0, r)
			for o.Counts().Up < needed && monitor.GradientNorm(method.Point()) > c.Eps {
				method.Step()
			}
			m := c.sizes()
			m.Is("R", float64(p.T))
			m.Is("vectors", float64(o.Counts().Up))
			try(known.Name, m)
		}
	}}
