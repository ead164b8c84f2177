package bounds

import (
	"math"
	"slices"

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
	d := drawnRounds{problem: p, x0: e, eps: mu * math.Exp(-w.lnRatio)}
	d.FLEDGETheory = algos.FLEDGETheory{P: float64(w.P), Chosen: float64(w.p), K: float64(w.K),
		B: float64(w.K), L: p.Constants(e).L.Value, Mu: mu, Zeta: w.zeta}
	d.Option, d.Eta = w.option, d.ListedStep()/4
	d.rounds = int(100 * w.kappa * w.lnRatio)
	round, hit := d.reaches(0).Run(t)
	if !hit {
		return d.rounds
	}
	return round
}
