package bounds

import (
	"sledge/algos"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/keyed"
)

// SaddleGap is f(x⁰) − f* of a saddle between two minima: that of δ = 1 times δ³.
var SaddleGap = operating.Well(2).Value(0)

// passDim is the dimension of a pass between valleys.
const passDim = 3

// pass is an objective with L ≤ 1 and ρ = 1 whose x⁰ is a strict saddle with smallest eigenvalue
// −2δ between two minima.
func pass(n int, delta, zeta, sigmaC float64, key keyed.Key) *operating.Terrain {
	shapes, start := operating.Along(operating.Well(2*delta), 0, 0.5, passDim)
	return operating.New(operating.Site{Shapes: shapes, Start: start, Clients: n,
		Between: operating.Deviations{Zeta: zeta, Linear: sigmaC}}, key)
}

// PrescribedSSRGD has a tenth of its radius, and logarithms of 8.
func PrescribedSSRGD(n int, eps, delta float64) *algos.SSRGD {
	m := algos.PrescribedSSRGD(n, 1, 1, eps, delta, 8)
	m.Radius /= 10
	return m
}

// SpiderPlus is SPIDER-SFO⁺ for (ε,δ).
func SpiderPlus(n int, eps, delta float64) *algos.SPIDERPlus {
	m := algos.PrescribedSPIDERPlus(n, 1, 1, eps/3, 1, delta)
	m.Neon.C = 1
	return m
}

// escapeOver makes a method for n components, or clients, and K local steps, with so many times its
// noise, and tells its step size.
type escapeOver func(n, K int, eps, delta, noise float64) (m algos.Method, eta float64)

// noisySledge is SLEDGE with b = √n + ζ²/δ², the first-order step size with C_1 = 1, and the noise
// radius ηε/4.
func noisySledge(option algos.Option) escapeOver {
	return func(n, _ int, eps, delta, noise float64) (algos.Method, float64) {
		b := min(n, algos.RootBatch(n)+1)
		m := algos.PrescribedSLEDGE(algos.SLEDGETheory{Option: option, N: n, B: b, L: 1,
			Zeta: delta})
		m.Radius = noise * m.Eta * eps / 4
		return m, m.Eta
	}
}

// escapes are all methods with an entry in a SOSP column.
var escapes = map[string]escapeOver{
	"Noisy SGD": func(_, _ int, eps, _, noise float64) (algos.Method, float64) {
		m := &algos.NoisySGD{Eta: 0.25, Batch: 1, Sigma: noise * eps}
		return m, m.Eta
	},
	"SSRGD": func(n, _ int, eps, delta, noise float64) (algos.Method, float64) {
		m := PrescribedSSRGD(n, eps, delta)
		m.Radius *= noise
		return m, m.Eta
	},
	// It takes steps of length ηε/3, and walks along a direction of negative curvature with a fair
	// coin for its sign, back and forth at times.
	"SPIDER-SFO⁺": func(n, _ int, eps, delta, _ float64) (algos.Method, float64) {
		m := SpiderPlus(n, eps, delta)
		return m, m.Eta
	},
	"SLEDGE-I":  noisySledge(algos.OptionI),
	"SLEDGE-II": noisySledge(algos.OptionII),
	"BVR-L-PSGD": func(_, K int, eps, delta, noise float64) (algos.Method, float64) {
		m := algos.PrescribedBVRLSGD(K, 1, delta)
		m.Cap, m.Radius = true, noise*m.Eta*eps/4
		return m, m.Eta
	},
	// with b = K, and the step size of the proof of theorem:Dist-First-Main with the power of K that
	// it needs, and C_1 = 1
	"FLEDGE-II": func(P, K int, eps, delta, noise float64) (algos.Method, float64) {
		m := algos.PrescribedFLEDGE(algos.FLEDGETheory{P: float64(P),
			Chosen: float64(algos.RootBatch(P) + 1), K: float64(K), B: float64(K), L: 1,
			Zeta: delta, Data: delta})
		m.Radius = noise * m.Eta * eps / 4
		return m, m.Eta
	},
}

// overPass draws a pass and a method on it, which is to meet an (ε,δ)-second-order point for ε = δ².
// In floating point a horizon without noise must be short, since errors of rounding, of the order
// 1e-17, grow to the size of the region within 20 log(1/δ)/(ηδ) steps.
func overPass(src *props.Source, s *searches) *quest {
	name, fewest, most, K, least := "n", 1, 8, 0, 0.1
	switch s.method {
	case "BVR-L-PSGD", "FLEDGE-II":
		name, fewest, least = "P", 2, 0.08
	case "SPIDER-SFO⁺": // its searches for negative curvature take long
		most, least = 3, 0.15
	}
	n := 4 * src.Int(name+"/4", fewest, most)
	if name == "P" {
		K = src.Int("K", 1, 6)
	}
	delta := src.LogReal("δ", least, 0.2)
	spread := delta
	if s.method == "Noisy SGD" {
		spread *= delta
	}
	sigmaC, noise := spread*src.Real("σ_c/largest σ_c", 0, 1), 1.0
	if s.noiseless {
		noise = 0
	}
	eps := delta * delta
	_, eta := escapes[s.method](n, K, eps, delta, noise)
	p := pass(n, delta, delta, sigmaC, src.Key("terrain"))
	q := &quest{problem: p, found: secondOrder(eps, delta),
		values: map[string]float64{"η": eta, "δ": delta, "ε": eps, "K": float64(K)},
		regime: props.Where(props.Min(name, n, 8), props.Positive("σ_c", sigmaC)),
		start: func(t props.Trial) (algos.Method, []float64, algos.Randomness) {
			m, _ := escapes[s.method](n, K, eps, delta, noise)
			if K > 0 { // x^t alone is looked at
				m = struct{ algos.Method }{m}
			}
			return m, p.X0(), algos.Keyed(t.Key)
		}}
	if K > 0 {
		q.regime = q.regime.And(props.Min("K", K, 2))
	}
	return q
}
