package bounds

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

func plRateClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-linear-rate", props.All(
			plSweep("log(‖∇f(x⁰)‖/ε)", []float64{0.9, 1.8, 3.6, 7.2, 14.3, 28.5},
				func(w *plSetting, x float64) float64 { w.lnRatio = x; return x }),
			plSweep("L/μ", []float64{8, 25, 80, 253},
				func(w *plSetting, x float64) float64 { w.kappa = x; return x }),
			plSweep("L/μ", []float64{4, 16, 64, 256}, func(w *plSetting, x float64) float64 {
				w.kappa, w.K, w.zeta, w.lnRatio = x, int(x), 0.01/x, 12
				return 1
			}))),
	}
}

// plSetting is what one run of the scaling checks depends on, in units with L = 1.
type plSetting struct {
	P, p, K     int
	kappa, zeta float64 // L/μ and ζ
	lnRatio     float64
	option      algos.Option
	seed        uint64
}

// plSweep sweeps one number of the setting; set returns the law at x.
func plSweep(label string, x []float64, set func(w *plSetting, x float64) float64) props.Check {
	return props.Slope(func(src *props.Source) props.SlopeTrial {
		w := plSetting{P: src.Int("P", 2, 6), K: src.Int("K", 1, 3), kappa: 30,
			zeta: src.LogReal("ζ/L", 1e-4, 1e-2), lnRatio: 4,
			option: algos.Option(src.Pick("option", "II", "I")), seed: src.Seed("directions")}
		w.p = src.Int("p", (w.P+1)/2, w.P)
		regime := props.Where(props.Less("p", w.p, "P", w.P), props.Positive("ζ", w.zeta),
			props.Sweep(label, x))
		return props.SlopeTrial{XLabel: label, YLabel: "rounds over the law", X: x, TwoSided: true,
			Of:     props.OfMedian,
			Regime: regime, Run: func(t props.Trial, x float64) float64 {
				v := w
				law := set(&v, x)
				return float64(v.rounds(t)) / law
			}}
	}).Effort(0.75)
}

// rounds runs FLEDGE until the gradient has shrunk by e^lnRatio.
func (w plSetting) rounds(t props.Trial) int {
	mu := 1 / w.kappa
	p, e := alongWeak(slices.Repeat([]int{3}, w.P),
		problems.QuadraticMean{Spectrum: []float64{1, mu},
			Between: problems.Heterogeneity{Pattern: problems.Pairs, Hessian: w.zeta},
			Within:  problems.Heterogeneity{Pattern: problems.Outlier, Hessian: mu / 10}},
		keyed.New(w.seed).Rand())
	in := &instance{problem: posed{Problem: p}, x0: e, P: w.P, d: 2,
		T: int(100 * w.kappa * w.lnRatio), tuning: tuning{p: w.p, K: w.K, b: w.K, option: w.option}}
	steps := algos.FLEDGETheory{P: float64(w.P), Chosen: float64(w.p), K: float64(w.K),
		B: float64(w.K), L: p.Constants(e).L.Value, Mu: mu, Zeta: w.zeta, Data: w.zeta}.PLEntries()
	steps[1] = steps[0] // is missing in the list
	in.eta = slices.Min(steps[:]) / 4
	round, hit := in.meetsGradient(t, mu*math.Exp(-w.lnRatio))
	if !hit {
		return in.T
	}
	return round + 1
}

// alongWeak draws a quadratic with mean curvatures L and μ ≤ L/2 and identical or slightly
// different clients and data, and returns it with a unit vector of the weak direction.
func alongWeak(sizes []int, m problems.QuadraticMean,
	r *rand.Rand) (problems.Federated, []float64) {
	p := props.Must(problems.Make(sizes, m, r))
	L, mu := m.Spectrum[0], m.Spectrum[1]
	x, e := []float64{1, 0}, make([]float64, 2)
	for range 2 { // if the first attempt points along the strong direction, the second does not
		p.HessianVector(e, x, x)
		for k := range e {
			e[k] = (L*x[k] - e[k]) / (L - mu)
		}
		if normSq(e) > 0.1 {
			break
		}
		x[0], x[1] = 0, 1
	}
	floats.Scale(1/floats.Norm(e, 2), e)
	return p, e
}
