package tables

import (
	"math"
	"math/big"
	"strings"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
	"sledge/props/formula"
)

// saddleGap is f(x⁰) − f* of a pass: that of δ = 1 times δ³.
var saddleGap = pass(4, 1, 0, 0).Value([]float64{0, 0})

// sosp is a run from a saddle with smallest eigenvalue −2δ to an (ε,δ)-second-order stationary point.
type sosp struct {
	n                               int
	eps, delta, zeta, sigmaC, steps float64
	m                               algos.Method
}

func (c sosp) gradients(t props.Trial) float64 {
	p := pass(c.n, c.delta, c.zeta, c.sigmaC)
	return run(c.m, p, t.Key, c.steps, p.secondOrder(c.eps, c.delta))
}

// escape is how many steps of size η an escape from curvature −δ takes, times log 1/δ.
func escape(eta, delta float64) float64 { return math.Log(1/delta) / (eta * delta) }

// secondOrderMethods are the methods with an entry in the column "SOSP" of table 1, with ρ = L = 1, as their theorems
// prescribe but for constants.
var secondOrderMethods = []struct {
	id, row, lines, text string
	make                 func(n int, eps, delta, zeta float64) (algos.Method, float64)
}{
	{"ssrgd", "SARAH and its variants", "95", "n + Δ(√n/ε² + √n/δ⁴ + n/δ³)",
		func(n int, eps, delta, _ float64) (algos.Method, float64) {
			m := algos.PrescribedSSRGD(n, 1, 1, eps, delta, 8) // a tenth of its radius, and logarithms of 8
			m.Radius /= 10
			return m, m.Eta
		}},
	{"sledge-1", "SLEDGE (Option I)", "103", printedSOSPEntry, noisySledge(algos.OptionI)},
	{"sledge-2", "SLEDGE (Option II)", "104", "n + Δ(" + sledgeSOSPEntry + ")", noisySledge(algos.OptionII)},
}

// sospLaw is an entry of the column "SOSP", without the n of the initialisation.
func sospLaw(entry string) *formula.Program {
	return formula.Must(symbols, strings.TrimPrefix(entry, "n + ")).Of("n", "Δ", "σ_c", "ζ", "ε", "δ")
}

// noisySledge is SLEDGE with b = √n + ζ²/δ², the first-order step size with C_1 = 1, and the noise radius ηε/4.
func noisySledge(option algos.Option) func(n int, eps, delta, zeta float64) (algos.Method, float64) {
	return func(n int, eps, delta, zeta float64) (algos.Method, float64) {
		b := min(n, algos.RootBatch(n)+int(math.Ceil(math.Pow(zeta/delta, 2))))
		m := sledge(option, n, b, zeta)
		m.Radius = m.Eta * eps / 4
		return m, m.Eta
	}
}

// secondOrderSums are the entries of the column "SOSP" of table 1.
func secondOrderSums() []Entry {
	var out []Entry
	for _, m := range secondOrderMethods {
		grid := geometric(5, 2.5, 5)
		sweep := func(eps func(delta float64) float64, entry string) Sweep {
			law := sospLaw(entry)
			return Sweep{Variable: "1/δ", Cost: "gradients", X: grid,
				Law: func(x float64) float64 {
					d := 1 / x
					return law.At(16, saddleGap*d*d*d, 0, d, eps(d), d) * math.Log(x)
				},
				run: func(t props.Trial, x float64) float64 {
					d := 1 / x
					method, eta := m.make(16, eps(d), d, d)
					return sosp{n: 16, eps: eps(d), delta: d, zeta: d, steps: patience * escape(eta, d), m: method}.gradients(t)
				}}
		}
		square := func(d float64) float64 { return d * d }
		e := Entry{Table: 1, Row: m.row, Column: "SOSP", Text: m.text, Lines: m.lines, Sweeps: []Sweep{sweep(square, m.text)}}
		out = append(out, e.claim("table1-"+m.id+"-sosp"))
		if m.id == "sledge-1" {
			same := func(d float64) float64 { return d }
			loose := e
			loose.Sweeps = []Sweep{sweep(same, m.text)}
			loose.Sweeps[0].Variable = "1/δ with ε = δ"
			out = append(out, loose.claim("table1-sledge-1-sosp-coarse"))
			right := e
			right.Text = sledgeOneSOSPEntry
			right.Sweeps = []Sweep{sweep(same, right.Text)}
			right.Sweeps[0].Variable, right.Sweeps[0].Other = "1/δ with ε = δ", "the corrected entry"
			out = append(out, right.claim("table1-sledge-1-sosp-corrected"))
		}
	}
	out = append(out, Entry{Table: 1, Row: "SPIDER-SFO⁺", Column: "SOSP", Text: "n + Δ(√n/ε² + 1/(εδ³) + 1/δ⁵)",
		Lines: "93", Sweeps: []Sweep{
			{Variable: "1/δ²", Cost: "gradients", X: geometric(6, 2.4, 5), Law: func(x float64) float64 {
				d := 1 / math.Sqrt(x)
				return saddleGap * d * d * d * (4*math.Pow(d, -4) + 2*math.Pow(d, -5)) * math.Log(x)
			}, run: func(t props.Trial, x float64) float64 {
				d := 1 / math.Sqrt(x)
				m := spiderPlus(16, d*d, d)
				return sosp{n: 16, eps: d * d, delta: d, zeta: d, steps: patience * escape(m.Eta, d), m: m}.gradients(t)
			}},
		}}.claim("table1-spider-sosp"))
	return out
}

// spiderPlus is SPIDER-SFO⁺ for (ε,δ).
func spiderPlus(n int, eps, delta float64) *algos.SPIDERPlus {
	m := algos.PrescribedSPIDERPlus(n, 1, 1, eps/3, 1, delta)
	m.Neon.C = 1
	return m
}

// controlHorizon is the horizon of the methods without noise: the same ones with noise need less than 4 log(1/δ)/(ηδ)
// steps. In floating point the horizon must be short, since errors of rounding, of the order 1e-17, grow to the size of
// the region within 20 of them.
const controlHorizon = 5

// escapes are the methods whose runs from saddles are timed: all with an entry in a SOSP column, and SLEDGE without
// noise.
var escapes = []struct {
	id      string
	horizon float64 // steps, over log(1/δ)/(ηδ)
	make    func(n int, eps, delta float64) (m algos.Method, eta float64)
}{
	{"noisy-sgd", 20, func(_ int, eps, _ float64) (algos.Method, float64) {
		m := &algos.NoisySGD{Eta: 0.25, Batch: 1, Sigma: eps}
		return m, m.Eta
	}},
	{"ssrgd", 20, func(n int, eps, delta float64) (algos.Method, float64) {
		return secondOrderMethods[0].make(n, eps, delta, delta)
	}},
	// It takes steps of length ηε/3, and walks along a direction of negative curvature with a fair coin for its sign,
	// back and forth at times.
	{"spider", 80, func(n int, eps, delta float64) (algos.Method, float64) {
		m := spiderPlus(n, eps, delta)
		return m, m.Eta
	}},
	{"sledge-1", 20, func(n int, eps, delta float64) (algos.Method, float64) {
		return noisySledge(algos.OptionI)(n, eps, delta, delta)
	}},
	{"sledge-2", 20, func(n int, eps, delta float64) (algos.Method, float64) {
		return noisySledge(algos.OptionII)(n, eps, delta, delta)
	}},
	{"control", controlHorizon, func(n int, _, delta float64) (algos.Method, float64) {
		m := sledge(algos.OptionII, n, algos.RootBatch(n), delta)
		return m, m.Eta
	}},
}

func escapeClaims() []props.Binding {
	var out []props.Binding
	for _, e := range escapes {
		out = append(out, props.Bind("measured/escape-"+e.id, props.Hitting(func(src *props.Source) props.HittingTrial {
			n := 4 * src.Int("n/4", 1, 8)
			delta := src.LogReal("δ", 0.1, 0.2)
			spread := delta
			if e.id == "noisy-sgd" {
				spread *= delta
			}
			sigmaC := spread * src.Real("σ_c/largest σ_c", 0, 1)
			m, eta := e.make(n, delta*delta, delta)
			p := pass(n, delta, delta, sigmaC)
			horizon := int(e.horizon * escape(eta, delta))
			regime := props.Where(props.Min("n", n, 8), props.Min("horizon", horizon, bounds.LeastSteps),
				props.Positive("σ_c", sigmaC), props.Allowed(0.05))
			return props.HittingTrial{Horizon: horizon, Delta: 0.05, Regime: regime,
				Run: func(t props.Trial) (time int, hit bool) {
					goal := p.secondOrder(delta*delta, delta)
					run(m, p, t.Key, float64(horizon), func(step int, x []float64) bool {
						time, hit = step, goal(step, x)
						return hit
					})
					return time, hit
				}}
		}).Effort(0.25)))
	}
	return append(out, props.Bind("measured/stuck-at-saddles",
		props.Identity(func(src *props.Source, rec *props.Recorder) {
			n := 4 * src.Int("n/4", 2, 8)
			p := pass(n, src.LogReal("δ", 0.01, 0.2), src.Real("ζ", 0, 0.5), src.LogReal("σ_c", 0.01, 1))
			b, key := src.Int("b", 1, 3), src.Key("methods")
			const eta, T = 0.2, 25
			for _, m := range []algos.Method{
				&algos.SLEDGE{Eta: eta, Batch: b}, &algos.ZeroSARAH{Eta: eta, Batch: b}, &algos.SARAH{Eta: eta,
					Batch: b}, &algos.SPIDER{Eta: eta,
					Eps: 0.1, Batch: b},
				&algos.PAGE{Eta: eta, Batch: b}, &algos.SVRG{Eta: eta, Batch: b}, &algos.SAGA{Eta: eta,
					Batch: b}, &algos.NestedSVRG{Eta: eta,
					Lengths: []int{2, 3}, Sizes: []int{b, 1}},
			} {
				left := 0
				run(m, p, key, T, func(_ int, x []float64) bool {
					if x[0] != 0 || x[1] != 0 {
						left++
					}
					return false
				})
				rec.Rats("steps away from the saddle, "+m.Name(), big.NewRat(int64(left), 1), props.EQ, new(big.Rat))
			}
			for _, m := range []algos.Method{&algos.SGD{Eta: eta, Batch: 1},
				&algos.SLEDGE{Eta: eta, Batch: 1, Option: algos.OptionI},
				&algos.ZeroSARAH{Eta: eta, Batch: 1, Option: algos.OptionI}} {
				far := 0.0
				run(m, p, key, T, func(_ int, x []float64) bool {
					far = max(far, math.Hypot(x[0], x[1]))
					return false
				})
				rec.AtLeast("largest distance from the saddle with single components, "+m.Name(), far, eta*p.sigmaC)
			}
		}).Effort(0.2)))
}
