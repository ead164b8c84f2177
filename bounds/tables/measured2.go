package tables

import (
	"math"

	"sledge/algos"
	"sledge/bounds"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/formula"
)

// rounds are the sweeps of federated methods on a panel: all but MimeMVR's and those that say otherwise with data that
// differ within clients.
func (p *panel) rounds(method string, law func(x float64) float64, rivals ...string) Sweep {
	return Sweep{Variable: p.variable, Cost: "rounds", X: p.x, Law: law, panel: p, method: method, control: p.exact(1),
		rivals: rivals}
}

// federated is a panel on which clients communicate.
func federated(variable string, x []float64, at func(x float64) scene) *panel {
	return newPanel(variable, x, func(x float64) scene {
		s := at(x)
		s.federated = true
		return s
	})
}

// stochastic gives each client 16 data, whose Hessians differ by ¼ at most.
func stochastic(s scene) scene {
	s.data, s.within, s.sigma, s.sigmaC = 16, 0.25, 0.1, 0.1
	return s
}

// federatedSlides are the nonconvex entries of table 2.
func federatedSlides() []Entry {
	powers := []float64{1, 2, 4, 8, 32}
	perRound := func(K float64) float64 { return 1 / K }
	var out []Entry
	noise := federated("1/ε⁴", geometric(150, decade, 4), func(x float64) scene {
		return scene{clients: 16, chosen: 1, local: 2, batch: 1, sigmaC: 1, eps: math.Pow(x, -0.25)}
	})
	const coarse, wide = 0.3, 3
	crowd := federated("p", powers, func(p float64) scene {
		return scene{clients: 1024, chosen: int(p), local: 2, batch: 1, sigmaC: wide, eps: coarse}
	})
	first := crowd.rounds("FedAvg", func(p float64) float64 { return wide * wide / (p * math.Pow(coarse, 4)) })
	first.Other = "σ_c²/(pε⁴)"
	out = append(out, Entry{Table: 2, Row: "FedAvg", Column: "nonconvex", Text: fedAvgEntry, Lines: "174",
		Sweeps: []Sweep{noise.rounds("FedAvg", identity), first}}.claim("table2-fedavg-nonconvex"))

	accuracy := federated("1/ε²", geometric(16, decade, 4), func(x float64) scene {
		return stochastic(scene{clients: 16, chosen: 1, local: 4, batch: 4, zeta: 1, eps: 1 / math.Sqrt(x)})
	})
	quiet := federated("1/ε²", accuracy.x, func(x float64) scene {
		return scene{clients: 16, chosen: 1, local: 4, batch: 1, zeta: 1, sigmaC: 0.1, eps: 1 / math.Sqrt(x)}
	})
	clients := federated("P", []float64{4, 12, 40, 128}, func(P float64) scene {
		return scene{clients: fourfold(P), chosen: 1, local: 2, batch: 1, zeta: 1, sigmaC: 0.1, eps: 0.15}
	})
	out = append(out, Entry{Table: 2, Row: "SCAFFOLD", Column: "nonconvex", Text: scaffoldEntry, Lines: "175",
		Sweeps: []Sweep{
			quiet.rounds("SCAFFOLD", identity),
			named(clients.rounds("SCAFFOLD", func(P float64) float64 { return math.Cbrt(P * P) }), "P/p"),
		}}.claim("table2-scaffold-nonconvex"))

	momentum := federated("1/ε³", geometric(60, decade, 4), func(x float64) scene {
		return scene{clients: 16, chosen: 8, local: 4, batch: 1, zeta: 0.1, sigmaC: 3, eps: math.Cbrt(1 / x)}
	})
	crowded := federated("p", powers, func(p float64) scene {
		return scene{clients: 64, chosen: int(p), local: 4, batch: 1, zeta: 0.25, sigmaC: 3, eps: 0.2}
	})
	local := federated("K", powers, func(K float64) scene {
		return scene{clients: 16, chosen: 4, local: int(K), batch: 1, sigmaC: 0.05, eps: 0.05}
	})
	law := formula.Must(symbols, mimeEntry).Of("p", "K", "ζ'", "σ_c", "ε")
	out = append(out, Entry{Table: 2, Row: "MimeMVR", Column: "nonconvex", Text: mimeEntry, Lines: "176",
		Sweeps: []Sweep{
			momentum.rounds("MimeMVR", identity).atMost(),
			crowded.rounds("MimeMVR", func(p float64) float64 { return law.At(p, 4, 1.0/8, 3, 0.2) }).atMost(),
			local.rounds("MimeMVR", perRound).without(),
		}}.claim("table2-mimemvr-nonconvex"))

	alike := federated("K", powers, func(K float64) scene {
		return scene{clients: 16, chosen: 4, local: int(K), batch: int(K), zeta: 1.0 / 1024, sigmaC: 0.1, eps: 0.035}
	})
	various := federated("ζ", geometric(1.0/32, decade, 4), func(z float64) scene {
		return scene{clients: 16, chosen: 2, local: 32, batch: 32, zeta: z, sigmaC: 0.1, eps: 0.1}
	})
	// Beyond ζ = L/4 a step for each round costs no more. Clients hold one datum, and b says nothing.
	fewer := federated("ζ", geometric(1.0/128, decade, 4), func(z float64) scene {
		return scene{clients: 16, chosen: 2, local: 128, batch: 1, zeta: z, sigmaC: 0.1, eps: 0.05}
	})
	out = append(out, Entry{Table: 2, Row: "BVR-L-SGD", Column: "nonconvex", Text: "1/(Kε²) + ζ/ε²", Lines: "177",
		Sweeps: []Sweep{
			accuracy.rounds("BVR-L-SGD", identity),
			alike.rounds("BVR-L-SGD", perRound).without(),
			fewer.rounds("BVR-L-SGD", func(z float64) float64 { return 1.0/128 + z }),
		}}.claim("table2-bvr-nonconvex"))

	manyClients := func(x []float64, eps float64) *panel {
		return federated("P", x, func(P float64) scene {
			return scene{clients: fourfold(P), chosen: 1, local: 4, batch: 1, zeta: 1, sigmaC: 0.1, eps: eps}
		})
	}
	someClients := func(x []float64, P int, eps float64) *panel {
		return federated("p", x, func(p float64) scene {
			return scene{clients: P, chosen: int(p), local: 4, batch: 1, zeta: 1, sigmaC: 0.1, eps: eps}
		})
	}
	larger := func(s Sweep, p *panel) Sweep {
		l := s
		l.panel, l.X, l.control = p, p.x, p.exact(1)
		l.margin = largeMargin
		s.large = func() Sweep { return l }
		return s
	}
	rivals := []string{"SCAFFOLD", "BVR-L-SGD"}
	share := func(P float64) func(p float64) float64 {
		return func(p float64) float64 { return max(math.Sqrt(P)/p, 1) }
	}
	out = append(out, Entry{Table: 2, Row: "FLEDGE", Column: "nonconvex", Text: roundsEntry, Lines: "178", Sweeps: []Sweep{
		accuracy.rounds("FLEDGE", identity, "BVR-L-SGD"),
		alike.rounds("FLEDGE", perRound, "BVR-L-SGD").without(),
		various.rounds("FLEDGE", identity, "BVR-L-SGD"),
		larger(manyClients([]float64{8, 24, 80, 256}, 0.1).rounds("FLEDGE", math.Sqrt, rivals...).atMost(),
			manyClients([]float64{64, 256, 1024, 4096, 10000}, 0.08)),
		larger(someClients(powers, 256, 0.12).rounds("FLEDGE", share(256)).atMost(),
			someClients([]float64{1, 3, 10, 30, 100}, 10000, 0.08)),
	}}.claim("table2-fledge-nonconvex"))

	sent := federated("P", []float64{16, 52, 160, 512}, func(P float64) scene {
		return scene{clients: fourfold(P), chosen: int(math.Sqrt(P)), local: 4, batch: 1, zeta: 0.5, sigmaC: 0.1, eps: 0.15}
	})
	vectors := func(method, cost string, law func(float64) float64) Sweep {
		s := sent.rounds(method, law)
		s.Cost, s.count, s.control = cost, operating.Vectors, nil
		return s
	}
	ofAll := vectors("BVR-L-SGD", "vectors of BVR-L-SGD", identity)
	ofAll.Other = "P·(1/K + ζ)/ε²"
	out = append(out, Entry{Table: 2, Row: "FLEDGE", Column: "vectors sent, p = √P, K ≥ 1/ζ", Text: "P + ζ√P/ε²",
		Lines: "227", Sweeps: []Sweep{vectors("FLEDGE", "vectors", math.Sqrt), ofAll},
	}.claim("table2-fledge-vectors"))
	return out
}

// without gives a sweep over K the control that takes no local steps.
func (s Sweep) without() Sweep { s.control = s.panel.one(); return s }

// named gives a sweep another abscissa by name.
func named(s Sweep, variable string) Sweep { s.Variable = variable; return s }

// secondOrderRounds are the SOSP entries of table 2.
func secondOrderRounds() []Entry {
	const P, K, apart = 64, 8, 0.5
	law := formula.Must(symbols, fledgeSOSPEntry).Of("K", "ζ", "ε", "δ")
	p := newPanel("1/δ", geometric(5, decade, 4), func(x float64) scene {
		d := 1 / x
		return scene{clients: P, chosen: algos.RootBatch(P) + 1, local: K, batch: K, zeta: apart, eps: d * d, delta: d,
			federated: true}
	})
	var out []Entry
	for _, m := range []struct{ id, row, lines, method string }{
		{"bvr", "BVR-L-PSGD", "179", "BVR-L-SGD"}, {"fledge", "FLEDGE", "180-181", "FLEDGE"},
	} {
		out = append(out, Entry{Table: 2, Row: m.row, Column: "SOSP", Text: fledgeSOSPEntry, Lines: m.lines,
			Sweeps: []Sweep{p.rounds(m.method, func(x float64) float64 {
				d := 1 / x
				return saddleGap * d * d * d * law.At(K, apart, d*d, d) * math.Log(x)
			}).atMost()}}.claim("table2-"+m.id+"-sosp"))
	}
	return out
}

// fledge is FLEDGE with b = K and the step size of the proof of theorem:Dist-First-Main (with the power of K that it
// needs, and C_1 = 1).
func fledge(P, p, K int, zeta float64) *algos.FLEDGE {
	return algos.PrescribedFLEDGE(algos.FLEDGETheory{P: float64(P), Chosen: float64(p), K: float64(K), B: float64(K),
		L: 1, Zeta: zeta, Data: zeta})
}

// startClaims show why MimeMVR lets all clients take part in its first round.
func startClaims() []props.Binding {
	p := newPanel("1/ε³", geometric(20, decade, 4), func(x float64) scene {
		return scene{clients: 16, chosen: 1, local: 1, batch: 1, zeta: 0.5, sigmaC: 1, eps: math.Cbrt(1 / x), federated: true}
	})
	s := p.rounds("MimeMVR from p clients", identity, "MimeMVR").atMost().within(largeMargin)
	return []props.Binding{props.Bind("measured/control-mimemvr-start", s.check())}
}

// clientEscapes are the methods with SOSP entries in table 2, and FLEDGE without noise.
var clientEscapes = []struct {
	id, name, lines string
	horizon         float64 // rounds, over log(1/δ)/(ηδK)
	noiseless       bool
	make            func(P, K int, eps, delta float64) (m algos.Method, eta float64)
}{
	{"bvr", "BVR-L-PSGD", "179", 20, false, func(_, K int, eps, delta float64) (algos.Method, float64) {
		m := algos.PrescribedBVRLSGD(K, 1, delta)
		m.Cap, m.Radius = true, m.Eta*eps/4
		return m, m.Eta
	}},
	{"fledge", "FLEDGE", "180-181", 20, false, func(P, K int, eps, delta float64) (algos.Method, float64) {
		m := fledge(P, algos.RootBatch(P)+1, K, delta)
		m.Radius = m.Eta * eps / 4
		return m, m.Eta
	}},
	{"fledge-control", "FLEDGE without noise", "180-181", controlHorizon, true,
		func(P, K int, _, delta float64) (algos.Method, float64) {
			m := fledge(P, algos.RootBatch(P)+1, K, delta)
			return m, m.Eta
		}},
}

func clientEscapeClaims() []props.Binding {
	var out []props.Binding
	for _, e := range clientEscapes {
		out = append(out, props.Bind("measured/escape-"+e.id, props.Hitting(func(src *props.Source) props.HittingTrial {
			P, K := 4*src.Int("P/4", 2, 8), src.Int("K", 1, 6)
			delta := src.LogReal("δ", 0.08, 0.2)
			m, eta := e.make(P, K, delta*delta, delta)
			sigmaC := delta * src.Real("σ_c/δ", 0, 1)
			p := pass(P, delta, delta, sigmaC, src.Key("terrain"))
			horizon := int(e.horizon * escape(eta, delta) / float64(K))
			regime := props.Where(props.Min("P", P, 8), props.Min("K", K, 2), props.Min("horizon", horizon, bounds.LeastSteps),
				props.Positive("σ_c", sigmaC), props.Allowed(0.05))
			return props.HittingTrial{Horizon: horizon, Delta: 0.05, Regime: regime, Run: leaving(m, p, true, delta, horizon)}
		}).Effort(0.25)))
	}
	return out
}

// federatedBowls are the PL entries of table 2.
func federatedBowls() []Entry {
	const gap = 1e-4
	fine := federated("1/ε²", geometric(1000, decade, 4), func(x float64) scene {
		return scene{clients: 16, chosen: 2, local: 2, batch: 1, sigmaC: 2, mu: 0.1, eps: 1 / math.Sqrt(x)}
	})
	noisy := federated("1/μ", geometric(10, decade, 4), func(x float64) scene {
		return scene{clients: 16, chosen: 2, local: 2, batch: 1, sigmaC: 2, mu: 1 / x, eps: 0.03}
	})
	logs := federated("1/ε", geometric(1e4, 1e6, 4), func(x float64) scene {
		return stochastic(scene{clients: 16, chosen: 2, local: 4, batch: 4, zeta: 0.5, mu: 0.1, value: 0.01, gap: 0.01 / x})
	})
	flat := federated("1/μ", geometric(10, decade, 4), func(x float64) scene {
		return stochastic(scene{clients: 16, chosen: 2, local: 4, batch: 4, zeta: 0.5, mu: 1 / x, gap: gap})
	})
	alike := federated("K", []float64{1, 2, 4, 8, 32}, func(K float64) scene {
		return scene{clients: 16, chosen: 4, local: int(K), batch: int(K), zeta: 1.0 / 1024, sigmaC: 0.1, mu: 1.0 / 128,
			gap: gap}
	})
	clients := federated("P", []float64{16, 52, 160, 512}, func(P float64) scene {
		return scene{clients: fourfold(P), chosen: 1, local: 4, batch: 1, zeta: 1, sigmaC: 0.1, mu: 1.0 / 64, gap: 0.01}
	})
	law := formula.Must(symbols, "max"+bounds.PLRounds).Of("P", "p", "K", "b", "μ", "ζ", "L")
	entry := func(P, p, K, mu, zeta float64) float64 { return law.At(P, p, K, K, mu, zeta, 1) }
	return []Entry{
		Entry{Table: 2, Row: "MimeSGD", Column: "PL condition", Text: "σ_c²/(μpε²) + L/μ", Lines: "182",
			Sweeps: []Sweep{
				fine.rounds("MimeSGD", func(x float64) float64 { return x * math.Log(x) }).atMost(),
				noisy.rounds("MimeSGD", identity).atMost(),
			}}.claim("table2-mimesgd-pl"),
		Entry{Table: 2, Row: "FLEDGE", Column: "PL condition", Text: fledgePLEntry, Lines: "183", Sweeps: []Sweep{
			logs.rounds("FLEDGE", math.Log).atMost().within(logMargin),
			flat.rounds("FLEDGE", func(x float64) float64 { return entry(16, 2, 4, 1/x, 0.5) }).atMost(),
			alike.rounds("FLEDGE", func(K float64) float64 { return entry(16, 4, K, 1.0/128, 1.0/1024) }).without(),
			clients.rounds("FLEDGE", func(P float64) float64 { return P + 64*(math.Sqrt(P)+1) }).atMost().longer().longer(),
		}}.claim("table2-fledge-pl"),
	}
}
