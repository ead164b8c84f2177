package tables

import (
	"math"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
	"sledge/props/formula"
)

// The federated runs give every client one datum, but for MimeMVR, so that clients differ but their data do not: the
// entries of table 2 leave the noise within clients out.

// fledge is FLEDGE with b = K and the step size of the proof of theorem:Dist-First-Main (with the power of K that it
// needs, and C_1 = 1).
func fledge(P, p, K int, zeta float64) *algos.FLEDGE {
	return algos.PrescribedFLEDGE(algos.FLEDGETheory{P: float64(P), Chosen: float64(p), K: float64(K), B: float64(K),
		L: 1, Zeta: zeta, Data: zeta})
}

// rounds runs a federated method to the goal of the nonconvex entries and returns the rounds after the initialisation.
// step is the length of a round's movement along the gradient, ηK.
func rounds(m algos.Method, p *plane, eps, step float64, t props.Trial) float64 {
	return float64(runFederated(m, p, t.Key, patience/(step*eps*eps), p.onAverage(eps)).Rounds)
}

// federatedSlides are the nonconvex entries of table 2.
func federatedSlides() []Entry {
	same := func(x float64) float64 { return x }
	powers := geometric(1, 2, 6)
	var out []Entry

	fedavg := func(P, p int, sigmaC, eps float64, t props.Trial) float64 {
		m := algos.PrescribedFedAvg(p, 2, 1, sigmaC, eps)
		return rounds(m, slide(P, 1, eps, 0, sigmaC), eps, 2*m.Eta, t)
	}
	out = append(out, Entry{Table: 2, Row: "FedAvg", Column: "nonconvex", Text: fedAvgEntry, Lines: "174",
		Sweeps: loosely([]Sweep{
			{Variable: "1/ε⁴", Cost: "rounds", X: geometric(12, 2.5, 5), Law: same,
				run: func(t props.Trial, x float64) float64 {
					return mean(10, t, func(t props.Trial) float64 { return fedavg(16, 1, 2, math.Pow(x, -0.25), t) })
				}},
			{Variable: "p", Cost: "rounds", X: powers, Law: func(p float64) float64 {
				return max(16/(p*math.Pow(0.3, 4)), 4/math.Pow(0.3, 3), 1/(0.3*0.3))
			}, run: func(t props.Trial, x float64) float64 {
				return mean(4, t, func(t props.Trial) float64 { return fedavg(64, int(x), 4, 0.3, t) })
			}},
		})}.claim("table2-fedavg-nonconvex"))

	scaffold := func(P int, eps float64, t props.Trial) float64 {
		m := algos.PrescribedSCAFFOLD(P, 1, 2, 1)
		return rounds(m, slide(P, 1, eps, 1, 0.5), eps, 2*m.Eta, t)
	}
	out = append(out, Entry{Table: 2, Row: "SCAFFOLD", Column: "nonconvex", Text: scaffoldEntry, Lines: "175",
		Sweeps: []Sweep{
			{Variable: "1/ε²", Cost: "rounds", X: geometric(5, 2.5, 5), Law: same, effort: 1,
				run: func(t props.Trial, x float64) float64 { return scaffold(4, 1/math.Sqrt(x), t) }},
			{Variable: "P/p", Cost: "rounds", X: geometric(4, 2, 6), Law: func(x float64) float64 { return math.Pow(x, 2.0/3) },
				effort: 1,
				run:    func(t props.Trial, x float64) float64 { return scaffold(int(x), 0.4, t) }},
		}}.claim("table2-scaffold-nonconvex"))

	// ζ' = ½ from clients and data alike, or none.
	mvr := func(P, p, K int, heterogeneity, sigmaC, eps float64, t props.Trial) float64 {
		f := slide(P, 1, eps, 2*heterogeneity, sigmaC)
		if heterogeneity > 0 {
			f.zeta, f.within, f.data = heterogeneity, heterogeneity, 2
		}
		m := algos.PrescribedMimeMVR(P, p, K, 1, heterogeneity, sigmaC, eps)
		return rounds(m, f, eps, float64(K)*m.Eta, t)
	}
	out = append(out, Entry{Table: 2, Row: "MimeMVR", Column: "nonconvex", Text: mimeEntry, Lines: "176",
		Sweeps: loosely([]Sweep{
			{Variable: "1/ε³", Cost: "rounds", X: geometric(8, 2.5, 5), Law: same,
				run: func(t props.Trial, x float64) float64 {
					return steady(8, 8, x, t, func(t props.Trial) float64 { return mvr(16, 4, 4, 0.5, 2, math.Cbrt(1/x), t) })
				}},
			{Variable: "p", Cost: "rounds", X: powers,
				Law: func(p float64) float64 { return max(0.25/(math.Sqrt(p)*0.2), 0.25/p, 0.25, 0.5) },
				run: func(t props.Trial, x float64) float64 { return mvr(64, int(x), 4, 0.5, 0.5, 0.2, t) }},
			{Variable: "K", Cost: "rounds", X: powers, Law: func(K float64) float64 { return 1 / K },
				run: func(t props.Trial, x float64) float64 { return mvr(16, 4, int(x), 0, 0.1, 0.05, t) }},
		})}.claim("table2-mimemvr-nonconvex"))

	bvr := func(P, K int, zeta, eps float64, t props.Trial) float64 {
		m := algos.PrescribedBVRLSGD(K, 1, zeta)
		m.Cap = true
		return rounds(m, slide(P, 1, eps, zeta, 1), eps, float64(K)*m.Eta, t)
	}
	out = append(out, Entry{Table: 2, Row: "BVR-L-SGD", Column: "nonconvex", Text: "1/(Kε²) + ζ/ε²", Lines: "177",
		Sweeps: []Sweep{
			{Variable: "1/ε²", Cost: "rounds", X: geometric(10, 2.5, 5), Law: same, effort: 1,
				run: func(t props.Trial, x float64) float64 { return bvr(8, 4, 0.5, 1/math.Sqrt(x), t) }},
			{Variable: "K", Cost: "rounds", X: powers, Law: func(K float64) float64 { return 1 / K },
				effort: 1, run: func(t props.Trial, x float64) float64 { return bvr(8, int(x), 1.0/64, 0.05, t) }},
			{Variable: "ζ", Cost: "rounds", X: geometric(1.0/32, 2, 6), Law: func(z float64) float64 { return max(1.0/32, z) },
				effort: 1, run: func(t props.Trial, z float64) float64 { return bvr(8, 32, z, 0.1, t) }},
		}}.claim("table2-bvr-nonconvex"))

	flat := func(P, p, K int, zeta, eps float64, t props.Trial) float64 {
		m := fledge(P, p, K, zeta)
		return rounds(m, slide(P, 1, eps, zeta, 1), eps, float64(K)*m.Eta, t)
	}
	out = append(out, Entry{Table: 2, Row: "FLEDGE", Column: "nonconvex", Text: roundsEntry, Lines: "178", Sweeps: []Sweep{
		{Variable: "1/ε²", Cost: "rounds", X: geometric(5, 2.5, 5), Law: same, effort: 1,
			run: func(t props.Trial, x float64) float64 { return flat(16, 4, 4, 0.5, 1/math.Sqrt(x), t) }},
		{Variable: "K", Cost: "rounds", X: powers, Law: func(K float64) float64 { return 1 / K },
			effort: 1, run: func(t props.Trial, x float64) float64 { return flat(16, 4, int(x), 1.0/1024, 0.05, t) }},
		{Variable: "ζ", Cost: "rounds", X: geometric(1.0/32, 2, 6), Law: same, effort: 1,
			run: func(t props.Trial, z float64) float64 { return flat(16, 4, 64, z, 0.2, t) }},
		{Variable: "P", Cost: "rounds", X: []float64{4, 16, 36, 64, 144},
			Law:    func(P float64) float64 { return math.Sqrt(P) },
			effort: 1, run: func(t props.Trial, P float64) float64 { return flat(int(P), 1, 8, 0.5, 0.35, t) }},
		{Variable: "p", Cost: "rounds", X: powers, Law: func(p float64) float64 { return max(1.0/16, 0.5*8/p, 0.5) },
			effort: 1, run: func(t props.Trial, p float64) float64 { return flat(64, int(p), 16, 0.5, 0.3, t) }},
	}}.claim("table2-fledge-nonconvex"))

	vectors := func(m algos.Method, P int, zeta, eps, step float64, t props.Trial) float64 {
		f := slide(P, 1, eps, zeta, 1)
		all := runFederated(m, f, t.Key, patience/(step*eps*eps), f.onAverage(eps))
		return float64(all.Down + all.Up)
	}
	out = append(out, Entry{Table: 2, Row: "FLEDGE", Column: "vectors sent, p = √P, K ≥ 1/ζ", Text: "P + ζ√P/ε²",
		Lines: "227", Sweeps: []Sweep{
			{Variable: "P", Cost: "vectors", X: squares, Law: func(P float64) float64 { return math.Sqrt(P) },
				run: func(t props.Trial, P float64) float64 {
					m := fledge(int(P), int(math.Sqrt(P)), 4, 0.5)
					return vectors(m, int(P), 0.5, 0.35, 4*m.Eta, t)
				}},
			{Variable: "P", Cost: "vectors of BVR-L-SGD", X: squares, Law: same, Other: "P·(1/K + ζ)/ε²",
				run: func(t props.Trial, P float64) float64 {
					m := algos.PrescribedBVRLSGD(4, 1, 0.5)
					m.Cap = true
					return vectors(m, int(P), 0.5, 0.5, 4*m.Eta, t)
				}},
		}}.claim("table2-fledge-vectors"))
	return out
}

// startClaims show why PrescribedMimeMVR lets all clients take part in its first round.
func startClaims() []props.Binding {
	s := Sweep{Variable: "1/ε³", Cost: "rounds", X: geometric(8, 2.5, 5), Law: func(x float64) float64 { return x },
		margin: noisy,
		run: func(t props.Trial, x float64) float64 {
			eps := math.Cbrt(1 / x)
			m := algos.PrescribedMimeMVR(16, 1, 1, 1, 0.25, 1, eps)
			m.First = 0
			return mean(8, t, func(t props.Trial) float64 { return rounds(m, slide(16, 1, eps, 0.5, 1), eps, m.Eta, t) })
		}}
	return []props.Binding{props.Bind("measured/control-mimemvr-start", s.check())}
}

// secondOrderRounds are the SOSP entries of table 2.
func secondOrderRounds() []Entry {
	const P, K = 16, 4
	law := formula.Must(symbols, fledgeSOSPEntry).Of("K", "ζ", "ε", "δ")
	var out []Entry
	for _, m := range clientEscapes {
		if m.noiseless {
			continue
		}
		out = append(out, Entry{Table: 2, Row: m.name, Column: "SOSP", Text: fledgeSOSPEntry, Lines: m.lines, Sweeps: []Sweep{
			{Variable: "1/δ", Cost: "rounds", X: geometric(5, 2.5, 5), Law: func(x float64) float64 {
				d := 1 / x
				return saddleGap * d * d * d * law.At(K, d, d*d, d) * math.Log(x)
			}, run: func(t props.Trial, x float64) float64 {
				d := 1 / x
				method, eta := m.make(P, K, d*d, d)
				p := pass(P, d, d, 0)
				return float64(runFederated(method, p, t.Key, patience*escape(eta, d)/K, p.secondOrder(d*d, d)).Rounds)
			}},
		}}.claim("table2-"+m.id+"-sosp"))
	}
	return out
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
			p := pass(P, delta, delta, sigmaC)
			horizon := int(e.horizon * escape(eta, delta) / float64(K))
			regime := props.Where(props.Min("P", P, 8), props.Min("K", K, 2), props.Min("horizon", horizon, bounds.LeastSteps),
				props.Positive("σ_c", sigmaC), props.Allowed(0.05))
			return props.HittingTrial{Horizon: horizon, Delta: 0.05, Regime: regime,
				Run: func(t props.Trial) (time int, hit bool) {
					goal := p.secondOrder(delta*delta, delta)
					runFederated(m, p, t.Key, float64(horizon), func(step int, x []float64) bool {
						time, hit = step, goal(step, x)
						return hit
					})
					return time, hit
				}}
		}).Effort(0.25)))
	}
	return out
}

// federatedBowls are the PL entries of table 2.
func federatedBowls() []Entry {
	same := func(x float64) float64 { return x }
	const gap = 1e-3
	mime := func(mu, sigmaC, eps float64, t props.Trial) float64 {
		m := algos.PrescribedPLMime(2, 2, 1, sigmaC, eps)
		p := bowl(16, mu, 0, sigmaC)
		return float64(runFederated(m, p, t.Key, patience*math.Log(1/eps)/(2*m.Eta*mu), p.withGradient(eps)).Rounds)
	}
	at := func(P, p, K int, mu, zeta, gap float64, t props.Trial) float64 {
		m := algos.PrescribedPLFLEDGE(algos.FLEDGETheory{P: float64(P), Chosen: float64(p), K: float64(K), B: float64(K),
			L: 1, Mu: mu, Zeta: zeta, Data: zeta})
		f := bowl(P, mu, zeta, 1)
		return float64(runFederated(m, f, t.Key, patience*math.Log(1/gap)/(float64(K)*m.Eta*mu), f.withGap(gap)).Rounds)
	}
	law := formula.Must(symbols, "max"+bounds.PLRounds).Of("P", "p", "K", "b", "μ", "ζ", "L")
	entry := func(P, p, K, mu, zeta float64) float64 { return law.At(P, p, K, K, mu, zeta, 1) }
	return []Entry{
		Entry{Table: 2, Row: "MimeSGD", Column: "PL condition", Text: "σ_c²/(μpε²) + L/μ", Lines: "182",
			Sweeps: loosely([]Sweep{
				{Variable: "1/ε²", Cost: "rounds", X: geometric(16, 2.5, 5),
					Law: func(x float64) float64 { return x * math.Log(x) },
					run: func(t props.Trial, x float64) float64 {
						return steady(12, 16, x, t, func(t props.Trial) float64 { return mime(0.25, 1, 1/math.Sqrt(x), t) })
					}},
				{Variable: "1/μ", Cost: "rounds", X: geometric(4, 2.5, 5), Law: same,
					run: func(t props.Trial, x float64) float64 { return mime(1/x, 0.2, 0.05, t) }},
			})}.claim("table2-mimesgd-pl"),
		Entry{Table: 2, Row: "FLEDGE", Column: "PL condition", Text: fledgePLEntry, Lines: "183", Sweeps: []Sweep{
			{Variable: "log 1/ε", Cost: "rounds", X: geometric(1, 2, 6), Law: same,
				effort: 1, run: func(t props.Trial, x float64) float64 { return at(16, 4, 4, 1.0/16, 0.25, math.Exp(-x), t) }},
			{Variable: "1/μ", Cost: "rounds", X: geometric(4, 2.5, 5),
				Law:    func(x float64) float64 { return entry(16, 4, 4, 1/x, 0.25) },
				effort: 1, run: func(t props.Trial, x float64) float64 { return at(16, 4, 4, 1/x, 0.25, gap, t) }},
			{Variable: "K", Cost: "rounds", X: geometric(1, 2, 6),
				Law: func(K float64) float64 { return entry(16, 4, K, 1.0/64, 1.0/64) },
				run: func(t props.Trial, x float64) float64 { return at(16, 4, int(x), 1.0/64, 1.0/64, gap, t) }},
			{Variable: "P", Cost: "rounds", X: []float64{4, 16, 36, 64, 144},
				Law: func(P float64) float64 { return entry(P, 1, 4, 1.0/32, 0.5) },
				run: func(t props.Trial, P float64) float64 { return at(int(P), 1, 4, 1.0/32, 0.5, gap, t) }},
		}}.claim("table2-fledge-pl"),
	}
}
