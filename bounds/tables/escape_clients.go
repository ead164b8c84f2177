package tables

import (
	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
)

// fledge is FLEDGE with b = K and the step size of the proof of theorem:Dist-First-Main (with the
// power of K that it needs, and C_1 = 1).
func fledge(P, p, K int, zeta float64) *algos.FLEDGE {
	return algos.PrescribedFLEDGE(
		algos.FLEDGETheory{P: float64(P), Chosen: float64(p), K: float64(K), B: float64(K),
			L: 1, Zeta: zeta, Data: zeta})
}

// clientEscapes are the methods with SOSP entries in table 2, and FLEDGE without noise.
var clientEscapes = []struct {
	id, name, lines string
	horizon         float64 // rounds, over log(1/δ)/(ηδK)
	noiseless       bool
	make            func(P, K int, eps, delta float64) (m algos.Method, eta float64)
}{
	{"bvr", "BVR-L-PSGD", "179", 20, false,
		func(_, K int, eps, delta float64) (algos.Method, float64) {
			m := algos.PrescribedBVRLSGD(K, 1, delta)
			m.Cap, m.Radius = true, m.Eta*eps/4
			return m, m.Eta
		}},
	{"fledge", "FLEDGE", "180-181", 20, false,
		func(P, K int, eps, delta float64) (algos.Method, float64) {
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
		out = append(out, props.Bind("measured/escape-"+e.id,
			props.Hitting(func(src *props.Source) props.HittingTrial {
				P, K := 4*src.Int("P/4", 2, 8), src.Int("K", 1, 6)
				delta := src.LogReal("δ", 0.08, 0.2)
				m, eta := e.make(P, K, delta*delta, delta)
				sigmaC := delta * src.Real("σ_c/δ", 0, 1)
				p := pass(P, delta, delta, sigmaC, src.Key("terrain"))
				horizon := int(e.horizon * escape(eta, delta) / float64(K))
				regime := props.Where(props.Min("P", P, 8), props.Min("K", K, 2),
					props.Min("horizon", horizon, bounds.LeastSteps),
					props.Positive("σ_c", sigmaC), props.Allowed(0.05))
				return props.HittingTrial{Horizon: horizon, Delta: 0.05, Regime: regime,
					Run: leaving(m, p, true, delta, horizon)}
			}).Effort(0.25)))
	}
	return out
}
