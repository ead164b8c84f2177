package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// refined holds the parameters of the refined complexities.
type refined struct {
	n, L, rho, zeta, gap, eps, curvature float64
	sigmaC, gC                           float64
}

// drawRefined draws them with Δ at least 2δ³/(3ρ²), see phase-horizon-choice/corrected.
func drawRefined(src *props.Source) refined {
	s := refined{n: SeveralUpTo(src, "n", 1e9), L: src.LogReal("L", 1e-3, 1e3), rho: src.LogReal("ρ", 1e-3, 1e3),
		eps: src.LogReal("ε", 1e-6, 1e6)}
	s.zeta = 2 * s.L * AtMostOne(src, "ζ/2L", 1e-6)
	s.curvature = s.L * AtMostOne(src, "δ/L", 1e-6)
	s.gap = 2 * math.Pow(s.curvature, 3) / (3 * sq(s.rho)) * AtLeastOne(src, "Δ/least Δ", 1e6)
	s.sigmaC = s.eps * src.LogReal("σ_c/ε", 1e-6, 1e6)
	s.gC = s.sigmaC * AtLeastOne(src, "G_c/σ_c", 1e6)
	return s
}

// count is the number of stochastic gradients of a run of T = work·(1/ε² + ρ²/δ⁴) steps in phases of 2T_2 = 2L/δ steps,
// with one minibatch of size large in each phase and √n otherwise; logarithms are 1.
func (s *refined) count(work, large float64) float64 {
	T := work * (1/sq(s.eps) + sq(s.rho)/math.Pow(s.curvature, 4))
	return T*math.Sqrt(s.n) + T/(2*s.L/s.curvature)*large
}

// leading is √n/ε² + ρ²√n/δ⁴.
func (s *refined) leading() float64 {
	return math.Sqrt(s.n) * (1/sq(s.eps) + sq(s.rho)/math.Pow(s.curvature, 4))
}

// reduced is √n/ε² + ρ²√n/δ⁴ + ζ²/(Lε²δ) + ζ²ρ²/(Lδ⁵) (lines 2028-2032).
func (s *refined) reduced() float64 {
	return s.leading() + sq(s.zeta)/(s.L*sq(s.eps)*s.curvature) + sq(s.zeta*s.rho)/(s.L*math.Pow(s.curvature, 5))
}

// full is √n/ε² + ρ²√n/δ⁴ + nδ/(Lε²) + nρ²/(Lδ³) (lines 2041-2045).
func (s *refined) full() float64 {
	return s.leading() + s.n*s.curvature/(s.L*sq(s.eps)) + s.n*sq(s.rho)/(s.L*math.Pow(s.curvature, 3))
}

func refinedClaims() []props.Binding {
	return []props.Binding{
		props.Bind("remark-batch-only-at-kick", props.Tail(setupKick).Effort(0.25)),
		props.Bind("remark-reduced-complexity", props.All(
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawRefined(src)
				return s.n + s.count(s.L*s.gap, sq(s.zeta/s.curvature)), s.n + s.L*s.gap*s.reduced()
			}),
			props.Identity(tryKickCount).Effort(0.5))),
		props.Bind("remark-versus-spider", props.Order(func(src *props.Source) (float64, float64) {
			return versusSpider(src, AtMostOne(src, "δ/√ε", 1e-6))
		})),
		props.Bind("remark-versus-spider/corrected", props.Order(func(src *props.Source) (float64, float64) {
			return versusSpider(src, src.Real("δ/√ε", 0.5, 2))
		})),
		props.Bind("remark-full-gradient-variant", fullVariant(func(gC, b float64) float64 { return gC / b })),
		props.Bind("remark-full-gradient-variant/corrected", fullVariant(func(gC, b float64) float64 { return gC * gC / b })),
		props.Bind("remark-versus-nested", props.Order(func(src *props.Source) (float64, float64) {
			return versusNested(src, AtMostOne(src, "δ/√ε", 1e-6), func(float64) float64 { return 1 })
		})),
		props.Bind("remark-versus-nested/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				return versusNested(src, src.Real("δ/√ε", 0.5, 2), func(float64) float64 { return 1 })
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				return versusNested(src, AtMostOne(src, "δ/√ε", 1e-6), func(curvature float64) float64 { return 1 / sq(curvature) })
			}))),
	}
}

// versusSpider returns the reduced complexity of Option II and SPIDER-SFO+'s for δ = √ε·ratio.
func versusSpider(src *props.Source, ratio float64) (measured, claimed float64) {
	eps := AtMostOne(src, "ε", 1e-6)
	c := comparison{eps, ratio * math.Sqrt(eps), 2 * AtMostOne(src, "ζ/2", 1e-6)}
	s := refined{n: SeveralUpTo(src, "n", 1e40), L: 1, rho: 1, zeta: c.zeta, eps: eps, curvature: c.curvature}
	return s.n + s.reduced(), s.n + math.Sqrt(s.n)/sq(eps) + c.spider()
}

// versusNested returns the complexity of the full-gradient variant and NestedSVRG+Neon2's for δ = √ε·ratio and n at
// least least(δ).
func versusNested(src *props.Source, ratio float64, least func(curvature float64) float64) (measured, claimed float64) {
	eps := AtMostOne(src, "ε", 1e-6)
	s := refined{L: 1, rho: 1, eps: eps, curvature: ratio * math.Sqrt(eps)}
	s.n = least(s.curvature) * AtLeastOne(src, "n/least n", 1e20)
	return s.n + s.full(), s.n + math.Sqrt(s.n)/sq(eps) + s.n/math.Pow(s.curvature, 3) + math.Pow(s.n,
		0.75)/math.Pow(s.curvature, 3.5)
}

// fullVariant checks the units of the first factor and compares the count with full gradients in the middle of each
// phase with the formula, for Option I with b = √n; spread is what the text makes of G_c and b.
func fullVariant(spread func(gC, b float64) float64) props.Check {
	return props.All(
		props.Dimensional(GradientUnit.Power(2), Quantities("L", "Δ", "σ_c", "G_c", "b"),
			map[string]func(props.Values) float64{
				"LΔ":                  func(v props.Values) float64 { return v["L"] * v["Δ"] },
				"σ_c²":                func(v props.Values) float64 { return sq(v["σ_c"]) },
				"the term with G_c/b": func(v props.Values) float64 { return spread(v["G_c"], v["b"]) },
			}),
		props.SameOrder(func(src *props.Source) (float64, float64) {
			s := drawRefined(src)
			b := math.Sqrt(s.n)
			work := s.L*s.gap + s.n/(b*b)*(sq(s.sigmaC)+sq(s.gC)/b)
			return s.count(work, s.n), (s.L*s.gap + sq(s.sigmaC) + spread(s.gC, b)) * s.full()
		}))
}

// tryKickCount runs SLEDGE with the schedule of the remark and counts gradients.
func tryKickCount(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{n: problems.Sizes(1, 12), d: problems.Sizes(1, 2)})
	t2, phases := src.Int("T_2", 1, 5), src.Int("phases", 1, 4)
	small, large := algos.RootBatch(in.n), src.Int("large batch", 1, in.n)
	m := in.method()
	m.Batch, m.Schedule = small, algos.KickSchedule(t2, small, large)
	o := algos.NewOracle(algos.Sum(in.problem))
	if err := m.Start(o, in.x0, algos.Keyed(src.Key("run"))); err != nil {
		panic(err) // the ranges are valid
	}
	for range 2 * t2 * phases {
		m.Step()
	}
	rec.Equal("gradients of T/(2T_2) phases", float64(o.Counts().Gradients), float64(in.n+2*phases*((2*t2-1)*small+large)))
}

// kickCB is the constant C_b of the simulation of coupled runs, both of the region δ/(C_bρ) and of the minibatch √n +
// C_b²ζ²/δ².
const kickCB = 4

// setupKick draws two coupled runs near a saddle, with the minibatch of the stuck region lemma at the kick and ⌈√n⌉ at
// all other steps.
func setupKick(src *props.Source) props.TailTrial {
	in := drawStuck(src, saddleRange{n: problems.Sizes(2, 100), zeta: 10}, kickCB, kickCB).drawStart(src)
	large := in.b
	in.b = algos.RootBatch(in.n)
	in.eta = PhaseStepSize(in.L, in.zeta, in.n, in.b, 1)
	in.T = in.tau + int(math.Ceil(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma)))
	in.schedule = func(t int) int {
		if t == in.tau {
			return large
		}
		return in.b
	}
	return in.trial(in.share, true, func(t props.Trial, rec *props.Recorder) { in.growthBand(t, rec, 3, 1) })
}
