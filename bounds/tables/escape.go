package tables

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/bounds"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/keyed"
)

// saddleGap is f(x⁰) − f* of a saddle between two minima: that of δ = 1 times δ³.
var saddleGap = operating.Well(2).Value(0)

// passDim is the dimension of a pass between valleys.
const passDim = 3

// pass is an objective with L ≤ 1 and ρ = 1 whose x⁰ is a strict saddle with smallest eigenvalue
// −2δ between two minima.
func pass(n int, delta, zeta, sigmaC float64, key keyed.Key) *operating.Terrain {
	shapes, start := operating.Along(operating.Well(2*delta), 0, 0.5, passDim)
	return operating.New(operating.Site{Shapes: shapes, Start: start, Clients: n,
		Between: operating.Deviations{Zeta: zeta, Linear: sigmaC}}, key)
}

// follow drives a method from the x⁰ of a terrain until done says so, at most for the given number
// of steps.
func follow(m algos.Method, p *operating.Terrain, key keyed.Key, most float64,
	done func(step int, x []float64) bool) {
	if err := m.Start(algos.NewOracle(p), p.X0(), algos.Keyed(key)); err != nil {
		panic(err)
	}
	f, _ := m.(algos.Finisher)
	for step := 0; !done(step, m.Point()) && float64(step) < most &&
		(f == nil || !f.Finished()); step++ {
		m.Step()
	}
}

// escape is how many steps of size η an escape from curvature −δ takes, times log 1/δ.
func escape(eta, delta float64) float64 { return math.Log(1/delta) / (eta * delta) }

// noisySledge is SLEDGE with b = √n + ζ²/δ², the first-order step size with C_1 = 1, and the noise
// radius ηε/4.
func noisySledge(option algos.Option) maker {
	return func(n, _ int, eps, delta float64) (algos.Method, float64) {
		b := min(n, algos.RootBatch(n)+1)
		m := algos.PrescribedSLEDGE(algos.SLEDGETheory{Option: option, N: n, B: b, L: 1,
			Zeta: delta})
		m.Radius = m.Eta * eps / 4
		return m, m.Eta
	}
}

// prescribedSSRGD has a tenth of its radius, and logarithms of 8.
func prescribedSSRGD(n int, eps, delta float64) *algos.SSRGD {
	m := algos.PrescribedSSRGD(n, 1, 1, eps, delta, 8)
	m.Radius /= 10
	return m
}

// spiderPlus is SPIDER-SFO⁺ for (ε,δ).
func spiderPlus(n int, eps, delta float64) *algos.SPIDERPlus {
	m := algos.PrescribedSPIDERPlus(n, 1, 1, eps/3, 1, delta)
	m.Neon.C = 1
	return m
}

// controlHorizon is the horizon of the methods without noise: the same ones with noise need less
// than 4 log(1/δ)/(ηδ) steps. In floating point the horizon must be short, since errors of
// rounding, of the order 1e-17, grow to the size of the region within 20 of them.
const controlHorizon = 5

// fledge is FLEDGE with b = K, the step size of the proof of theorem:Dist-First-Main (with the
// power of K that it needs, and C_1 = 1), and a noise radius of so many times ηε.
func fledge(noise float64) maker {
	return func(P, K int, eps, delta float64) (algos.Method, float64) {
		m := algos.PrescribedFLEDGE(algos.FLEDGETheory{P: float64(P),
			Chosen: float64(algos.RootBatch(P) + 1), K: float64(K), B: float64(K), L: 1,
			Zeta: delta, Data: delta})
		m.Radius = noise * m.Eta * eps
		return m, m.Eta
	}
}

// maker makes a method for n components, or clients, and K local steps, and tells its step size.
type maker func(n, K int, eps, delta float64) (m algos.Method, eta float64)

// escapes are the methods whose runs from saddles are timed: all with an entry in a SOSP column,
// and SLEDGE and FLEDGE without noise.
var escapes = []struct {
	id        string
	federated bool
	horizon   float64 // steps, or rounds, over log(1/δ)/(ηδK)
	make      maker
}{
	{"noisy-sgd", false, 20, func(_, _ int, eps, _ float64) (algos.Method, float64) {
		m := &algos.NoisySGD{Eta: 0.25, Batch: 1, Sigma: eps}
		return m, m.Eta
	}},
	{"ssrgd", false, 20, func(n, _ int, eps, delta float64) (algos.Method, float64) {
		m := prescribedSSRGD(n, eps, delta)
		return m, m.Eta
	}},
	// It takes steps of length ηε/3, and walks along a direction of negative curvature with a fair
	// coin for its sign, back and forth at times.
	{"spider", false, 80, func(n, _ int, eps, delta float64) (algos.Method, float64) {
		m := spiderPlus(n, eps, delta)
		return m, m.Eta
	}},
	{"sledge-1", false, 20, noisySledge(algos.OptionI)},
	{"sledge-2", false, 20, noisySledge(algos.OptionII)},
	{"control", false, controlHorizon, func(n, _ int, _, delta float64) (algos.Method, float64) {
		m := algos.PrescribedSLEDGE(algos.SLEDGETheory{N: n, B: algos.RootBatch(n), L: 1,
			Zeta: delta})
		return m, m.Eta
	}},
	{"bvr", true, 20, func(_, K int, eps, delta float64) (algos.Method, float64) {
		m := algos.PrescribedBVRLSGD(K, 1, delta)
		m.Cap, m.Radius = true, m.Eta*eps/4
		return m, m.Eta
	}},
	{"fledge", true, 20, fledge(0.25)},
	{"fledge-control", true, controlHorizon, fledge(0)},
}

// Claims returns the claims of the package.
func Claims() []props.Binding {
	var out []props.Binding
	for _, e := range escapes {
		out = append(out, props.Bind("measured/escape-"+e.id,
			props.Hitting(func(src *props.Source) props.HittingTrial {
				name, fewest, most, K, least, fail := "n", 1, 8, 1, 0.1, 0.05
				switch {
				case e.federated:
					name, fewest, least = "P", 2, 0.08
				case e.id == "spider":
					// Its searches for negative curvature take long: 5 CPU seconds of the quick
					// tier with 0.05, which holds as well, where all other escapes together take
					// one.
					most, least, fail = 3, 0.15, 0.1
				}
				n := 4 * src.Int(name+"/4", fewest, most)
				if e.federated {
					K = src.Int("K", 1, 6)
				}
				delta := src.LogReal("δ", least, 0.2)
				spread := delta
				if e.id == "noisy-sgd" {
					spread *= delta
				}
				sigmaC := spread * src.Real("σ_c/largest σ_c", 0, 1)
				m, eta := e.make(n, K, delta*delta, delta)
				p := pass(n, delta, delta, sigmaC, src.Key("terrain"))
				horizon := int(e.horizon * escape(eta, delta) / float64(K))
				regime := props.Where(props.Min(name, n, 8),
					props.Min("horizon", horizon, bounds.LeastSteps), props.Positive("σ_c", sigmaC),
					props.Allowed(fail))
				if e.federated {
					regime = regime.And(props.Min("K", K, 2))
				}
				return props.HittingTrial{Horizon: horizon, Delta: fail, Regime: regime,
					Run: func(t props.Trial) (time int, hit bool) { // until ε = δ² is met
						goal := p.SecondOrder(delta*delta, delta)
						follow(m, p, t.Key, float64(horizon),
							func(step int, x []float64) bool {
								time, hit = step, goal(x)
								return hit
							})
						return time, hit
					}}
			}).Effort(0.25)))
	}
	return append(out, props.Bind("measured/stuck-at-saddles",
		props.Identity(measuredStuckAtSaddles).Effort(0.2)))
}

// measuredStuckAtSaddles tries measured/stuck-at-saddles.
func measuredStuckAtSaddles(src *props.Source, rec *props.Recorder) {
	n := 4 * src.Int("n/4", 2, 8)
	sigmaC := src.LogReal("σ_c", 0.01, 1)
	p := pass(n, src.LogReal("δ", 0.01, 0.2), src.Real("ζ", 0, 0.5), sigmaC,
		src.Key("terrain"))
	b, key := src.Int("b", 1, 3), src.Key("methods")
	const eta, T = 0.2, 25
	t, single := algos.Tuning{Eta: eta, Batch: b}, algos.Tuning{Eta: eta, Batch: 1}
	farthest := func(m algos.Method) (far float64) {
		follow(m, p, key, T, func(_ int, x []float64) bool {
			far = max(far, floats.Norm(x, 2))
			return false
		})
		return far
	}
	for _, m := range []algos.Method{
		&algos.SLEDGE{Eta: eta, Batch: b}, &algos.ZeroSARAH{Tuning: t},
		&algos.SARAH{Tuning: t}, &algos.SPIDER{Eta: eta, Eps: 0.1, Batch: b},
		&algos.PAGE{Tuning: t}, &algos.SVRG{Tuning: t}, &algos.SAGA{Tuning: t},
		&algos.NestedSVRG{Eta: eta, Lengths: []int{2, 3}, Sizes: []int{b, 1}},
	} {
		rec.Rats("largest distance from the saddle, "+m.Name(),
			new(big.Rat).SetFloat64(farthest(m)), props.EQ, new(big.Rat))
	}
	for _, m := range []algos.Method{&algos.SGD{Tuning: single},
		&algos.SLEDGE{Eta: eta, Batch: 1, Option: algos.OptionI},
		&algos.ZeroSARAH{Tuning: single, Option: algos.OptionI}} {
		rec.AtLeast("largest distance from the saddle with single components, "+m.Name(),
			farthest(m), eta*sigmaC)
	}
}
