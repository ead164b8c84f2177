package bounds

import (
	"cmp"
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

// SecondOrder holds the parameters of theorem:Second-Main (lines 405-417) and of its proof (lines 1925-2019).
type SecondOrder struct {
	Option         algos.Option
	N, B           int
	C1             float64 // of the variance lemma; 0 stands for 1
	L, Rho, Zeta   float64 // smoothness, Hessian Lipschitz constant, Hessian heterogeneity
	Delta          float64 // f(x⁰) − f*
	SigmaC, GC     float64 // spread of the component gradients at x⁰; Option I only
	Eps, Curvature float64 // ε and δ
	Eta, R         float64 // step size and noise radius
	CB             float64 // C_b; 0 stands for 1
	Log            float64 // C_d·log(δ/(C_bρr_e)), the number of time constants of an escape; 0 stands for 1
}

// theory returns what parameters of SLEDGE are made from.
func (s *SecondOrder) theory() algos.SLEDGETheory {
	return algos.SLEDGETheory{Option: s.Option, N: s.N, B: s.B, C1: s.C1, L: s.L, Zeta: s.Zeta, Rho: s.Rho, Eps: s.Eps,
		Curvature: s.Curvature, CB: s.CB, Log: s.Log}
}

// Phases returns the phases of the proof, of half length T_2 = C_d log(δ/(C_bρr_e))/(ηδ) (line 1927).
func (s *SecondOrder) Phases() Phases {
	return Phases{T2: s.theory().EscapeTime(s.Eta), Eta: s.Eta, Eps: s.Eps, Curvature: s.Curvature, Rho: s.Rho, CB: cmp.Or(s.CB, 1)}
}

// Rate is 1/ε² + 2η²T_2²C_b²ρ²/δ², by which the right-hand side of line 2002 is multiplied to bound (N_1+N_2)T_2.
func (s *SecondOrder) Rate() float64 {
	p := s.Phases()
	return 1/(s.Eps*s.Eps) + p.EscapeCost()
}

// Budget is the right-hand side of lines 2002-2014 without its last term 2Tr²/η².
func (s *SecondOrder) Budget() float64 {
	budget := 2 * s.Delta / s.Eta
	if s.Option == algos.OptionI {
		budget += InitialTerm(24, s.N, s.B, cmp.Or(s.C1, 1), s.SigmaC, s.GC)
	}
	return budget
}

// NoiseShare is the part of T that the term 2Tr²/η² takes up in T ≥ 2(N_1+N_2+1)T_2: 4r²/η² times [SecondOrder.Rate]. Unless it is below 1 the
// condition on T cannot be met by the bound of the proof.
func (s *SecondOrder) NoiseShare() float64 { return 4 * s.R * s.R / (s.Eta * s.Eta) * s.Rate() }

// Horizon is the smallest T for which the proof guarantees T ≥ 2(N_1+N_2+1)T_2 (line 2018), +Inf if there is none.
func (s *SecondOrder) Horizon() float64 {
	left := 1 - s.NoiseShare()
	if left <= 0 {
		return math.Inf(1)
	}
	return 2 * (s.Rate()*s.Budget() + s.Phases().T2) / left
}

// SecondComplexity is the number of stochastic gradients of theorem:Second-Main without logarithms (lines 411-414).
func SecondComplexity(option algos.Option, n, b, L, gap, sigmaC, eps, curvature, rho float64) float64 {
	if option == algos.OptionI {
		return secondOneRate.At(b, L, gap, sigmaC, eps, curvature, rho)
	}
	return secondTwoRate.At(n, b, L, gap, eps, curvature, rho)
}

const sospNu = 0.1 // ν of the simulations

func sospClaims() []props.Binding {
	return []props.Binding{
		props.Bind("second-main-option-one", props.Hitting(func(src *props.Source) props.HittingTrial { return setupLoud(src, algos.OptionI) }).Effort(0.25)),
		props.Bind("second-main-option-one/corrected", props.All(secondOrderOf(algos.OptionI),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupQuiet(src, algos.OptionI) }).Effort(0.5))),
		props.Bind("second-main-option-two", props.Hitting(func(src *props.Source) props.HittingTrial { return setupLoud(src, algos.OptionII) }).Effort(0.25)),
		props.Bind("second-main-option-two/corrected", props.All(secondOrderOf(algos.OptionII),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupQuiet(src, algos.OptionII) }).Effort(0.5))),
		props.Bind("second-noise-radius", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.R = s.Eps / s.L
				return s.NoiseShare(), 1
			}),
			props.Implication(tryNoNoise).Effort(0.3))),
		props.Bind("second-noise-radius/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.R = min(s.Eps, s.Curvature*s.Curvature/s.Rho) / s.L
				return s.NoiseShare(), 1
			}),
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := drawSecond(src)
				s.CB, s.Log = src.LogReal("C_b", 1, 1e3), src.LogReal("C_d log", 1, 1e3)
				s.R = s.noiseRadius()
				rec.AtMost("share of T taken by the noise", s.NoiseShare(), 0.5)
			}),
			props.Dimensional(LengthUnit, Quantities("ε", "δ", "ρ", "L"),
				map[string]func(props.Values) float64{
					"ε/L":     func(v props.Values) float64 { return v["ε"] / v["L"] },
					"δ²/(ρL)": func(v props.Values) float64 { return sq(v["δ"]) / (v["ρ"] * v["L"]) },
				}))),
		props.Bind("second-batch-size", props.Implication(func(src *props.Source, rec *props.Recorder) {
			n := src.LogInt("n", 2, 1e6)
			L := src.LogReal("L", 0.1, 10)
			zeta, curvature := L*src.LogReal("ζ/L", 1e-3, 2), L*src.LogReal("δ/L", 1e-4, 1)
			rec.AtMost("√n + ζ²/δ² against n", math.Sqrt(float64(n))+sq(zeta/curvature), float64(n))
		})),
		props.Bind("second-batch-size/corrected", props.Implication(tryCappedBatch).Effort(0.5)),
		props.Bind("second-batch-order-estimate", props.Order(func(src *props.Source) (float64, float64) {
			return drawBatchEstimate(src, AtMostOne(src, "δ/√ε", 1e-6))
		})),
		props.Bind("second-batch-order-estimate/corrected", props.Order(func(src *props.Source) (float64, float64) {
			return drawBatchEstimate(src, AtLeastOne(src, "δ/√ε", 1e6))
		})),
		props.Bind("second-extra-term-vs-ssrgd", props.Order(func(src *props.Source) (float64, float64) {
			return versusSSRGD(src, func(a, b float64) float64 { return min(a, b) })
		})),
		props.Bind("second-extra-term-vs-ssrgd/corrected", props.Order(func(src *props.Source) (float64, float64) {
			return versusSSRGD(src, func(a, b float64) float64 { return max(a, b) })
		})),
		props.Bind("second-extra-term-vs-spider", props.Order(func(src *props.Source) (float64, float64) {
			s := drawComparison(src)
			_ = math.Pow(s.curvature, -4) * AtLeastOne(src, "n δ⁴", 1e6) // n, on which nothing depends
			return s.extra(), s.spider()
		})),
		props.Bind("second-extra-term-vs-spider/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawComparison(src)
				n := math.Pow(s.curvature, -4) * AtLeastOne(src, "n δ⁴", 1e6)
				return s.extra(), s.leading(n)
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawComparison(src)
				s.eps = sq(s.curvature) * AtMostOne(src, "ε/δ²", 1e-6)
				n := math.Pow(s.curvature, -4) * AtLeastOne(src, "n δ⁴", 1e6)
				return n + s.leading(n) + s.extra(), n + math.Sqrt(n)/sq(s.eps) + s.spider()
			}))),
	}
}

// noiseRadius is a noise radius of order min(ε, δ²/ρ)/L that leaves at least half of T to the other terms.
func (s *SecondOrder) noiseRadius() float64 {
	return s.theory().NoiseRadius(s.Eta)
}

// drawSecond draws the parameters of the second-order theorem for Option II with η = 1/(4L), constants and logarithms being 1.
func drawSecond(src *props.Source) *SecondOrder {
	s := &SecondOrder{N: 1, B: 1, L: src.LogReal("L", 1e-3, 1e3), Rho: src.LogReal("ρ", 1e-3, 1e3), Eps: src.LogReal("ε", 1e-6, 1e6)}
	s.Curvature = s.L * AtMostOne(src, "δ/L", 1e-6)
	s.Eta = 1 / (4 * s.L)
	return s
}

// secondOrderOf compares the number of gradients that the proof of the theorem needs, with the repaired noise radius and batch size, with the
// claimed one. The gap Δ is at least 2δ³/(3ρ²), the least one at a point with curvature −δ.
func secondOrderOf(option algos.Option) props.Check {
	counts := func(src *props.Source) (needed, claimed float64) {
		s := drawSecond(src)
		s.Option = option
		s.N = int(SeveralUpTo(src, "n", 1e9))
		n := float64(s.N)
		s.Zeta = 2 * s.L * AtMostOne(src, "ζ/2L", 1e-6)
		s.B = StuckBatch(s.N, 1, s.Zeta, s.Curvature)
		s.Delta = 2 * math.Pow(s.Curvature, 3) / (3 * sq(s.Rho)) * AtLeastOne(src, "Δ/least Δ", 1e6)
		s.SigmaC = s.Eps * src.LogReal("σ_c/ε", 1e-6, 1e6)
		s.GC = s.SigmaC // lines 256-260
		s.R = s.noiseRadius()
		b := float64(s.B)
		start := n
		if option == algos.OptionI {
			start = b
		}
		return start + 2*b*s.Horizon(), SecondComplexity(option, n, b, s.L, s.Delta, s.SigmaC, s.Eps, s.Curvature, s.Rho)
	}
	if option == algos.OptionI { // the proof divides σ_c² by b²/n
		return props.Order(counts)
	}
	return props.SameOrder(counts)
}

// hiddenFactor is the constant that the simulations of the theorem as printed allow it to hide.
const hiddenFactor = 4

// setupLoud draws a separable cosine function of identical components and an accuracy ε of at least its largest gradient, and runs SLEDGE with
// the noise radius ηε/2.
func setupLoud(src *props.Source, option algos.Option) props.HittingTrial {
	d := src.Int("d", 20, 32)
	gamma, width := src.LogReal("γ", 0.1, 10), src.LogReal("w", 0.3, 3)
	r := src.Rand("x0")
	p := props.Must(problems.MakeSaddle(1, problems.SaddleMean{Gamma: gamma, Width: width, Well: problems.CosineWell, Wells: d}, r))
	x0 := make([]float64, d)
	for k := range x0 {
		x0[k] = math.Pi * width * (2*r.Float64() - 1)
	}
	c := p.Constants(x0)
	L, rho, curvature := c.L.Value, c.Rho.Value, 0.7*gamma
	eps := gamma * width * math.Sqrt(float64(d)) * src.LogReal("ε/largest gradient", 1, 1e5)
	eta := 1 / (4 * L)
	rate := 1/sq(eps) + sq(rho)/math.Pow(curvature, 4)
	T := int(math.Ceil(hiddenFactor * L * c.Delta.Value * rate))
	regime := props.Where(props.Min("d", d, 20), Steps(T), props.Allowed(sospNu))
	return props.HittingTrial{Horizon: T, Delta: sospNu, Regime: regime, Run: func(t props.Trial) (int, bool) {
		m := &algos.SLEDGE{Eta: eta, Batch: 1, Radius: eta * eps / 2, Option: option}
		return search(m, p, x0, algos.Keyed(t.Key), T, coupled.Second(p, d, eps, curvature))
	}}
}

// setupQuiet draws a strict saddle with heterogeneous components, starts there, and runs SLEDGE with the repaired noise radius and batch size
// for as long as the proof asks.
func setupQuiet(src *props.Source, option algos.Option) props.HittingTrial {
	n := src.Int("n", 1, 32)
	m := problems.SaddleMean{Gamma: src.LogReal("γ", 0.1, 1), Width: src.LogReal("w", 0.3, 3),
		Well:  props.OneOf(src, "well", problems.DoubleWell, problems.CosineWell),
		Wells: src.Int("wells", 1, 2), Parabolas: []float64{1}}
	m.Between = problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: m.Gamma * src.Real("ζ/γ", 0, 2), Linear: src.Real("linear spread", 0, 1)}
	p := props.Must(problems.MakeSaddle(n, m, src.Rand("directions")))
	x0 := make([]float64, p.Dim())
	c := p.Constants(x0)
	s := SecondOrder{Option: option, N: n, L: c.L.Value, Rho: c.Rho.Value, Zeta: c.Zeta.Value, Delta: c.Delta.Value, SigmaC: c.SigmaC.Value, GC: c.GC.Value}
	s.Curvature = m.Gamma * src.Real("δ/γ", 0.3, 0.9)
	s.Eps = sq(s.Curvature) / s.Rho * src.LogReal("ε/(δ²/ρ)", 0.1, 1e3)
	s.B = StuckBatch(n, 1, s.Zeta, s.Curvature)
	s.Eta = PhaseStepSize(s.L, s.Zeta, n, s.B, 1)
	T := 1.0
	for range 20 { // r and T depend on the logarithm, which depends on both
		s.R = s.noiseRadius()
		s.Log = math.Log(max(math.E, s.Curvature*T*math.Sqrt(float64(p.Dim()))/(s.Rho*s.R*sospNu)))
		s.R = s.noiseRadius()
		T = s.Horizon()
	}
	horizon := int(math.Ceil(T))
	regime := Sum(n, s.B, p.Dim(), s.Zeta).And(Steps(horizon),
		props.Allowed(sospNu), Within(s.R, s.Curvature/s.Rho))
	return props.HittingTrial{Horizon: horizon, Delta: sospNu, Regime: regime, Run: func(t props.Trial) (int, bool) {
		method := &algos.SLEDGE{Eta: s.Eta, Batch: s.B, Radius: s.R, Option: option}
		return search(method, p, x0, algos.Keyed(t.Key), horizon, coupled.Second(p, len(x0), s.Eps, s.Curvature))
	}}
}

// tryNoNoise runs Option II with r = 0 from a strict saddle and looks for a point without the negative curvature.
func tryNoNoise(src *props.Source, rec *props.Recorder) {
	p := problems.DrawSaddle(src, problems.Limits{N: problems.Sizes(1, 4), D: problems.Sizes(1, 3)})
	x0 := make([]float64, p.Dim())
	m := &algos.SLEDGE{Eta: src.Real("ηL", 0.1, 1) / p.Constants(x0).L.Value}
	r := algos.Keyed(src.Key("run"))
	curvature := p.Gamma * src.Real("δ/γ", 0.1, 0.9)
	best := p.MinEigen(x0)
	search(m, p, x0, r, src.Int("T", 1, 50), func(x []float64) bool {
		best = max(best, p.MinEigen(x))
		return false
	})
	rec.AtLeast("largest λ_min(∇²f(x^t)) against −δ, r = 0", best, -curvature)
}

// tryCappedBatch looks at a run with the capped minibatch size.
func tryCappedBatch(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{n: problems.Sizes(1, 12), T: problems.Sizes(1, 8), option: algos.Option(src.Pick("option", "II", "I"))})
	curvature := in.L.Value * src.LogReal("δ/L", 1e-3, 1)
	need := math.Sqrt(float64(in.n)) + sq(in.Zeta.Value/curvature)
	in.b = StuckBatch(in.n, 1, in.Zeta.Value, curvature)
	rec.AtMost("b against n", float64(in.b), float64(in.n))
	if float64(in.b) >= need {
		rec.AtLeast("b against √n + ζ²/δ²", float64(in.b), need)
		return
	}
	p := in.drawPath(src)
	for t, v := range p.tape.V {
		rec.EqualVectors("v^t against ∇f(x^t) where b = n", v, p.grad[t]).Scale(p.size)
	}
}

// drawBatchEstimate returns ζ²/δ² and √n + 1/ε for δ = √ε·ratio in units with L = ρ = 1.
func drawBatchEstimate(src *props.Source, ratio float64) (measured, claimed float64) {
	n, eps := SeveralUpTo(src, "n", 1e9), AtMostOne(src, "ε", 1e-6)
	zeta := 2 * AtMostOne(src, "ζ/2", 1e-6)
	return sq(zeta) / (eps * sq(ratio)), math.Sqrt(n) + 1/eps
}

// comparison holds the parameters of the comparisons between methods, in units with L = ρ = 1.
type comparison struct{ eps, curvature, zeta float64 }

func drawComparison(src *props.Source) comparison {
	return comparison{AtMostOne(src, "ε", 1e-8), AtMostOne(src, "δ", 1e-8), 2 * AtMostOne(src, "ζ/2", 1e-6)}
}

// extra is ζ²/(ε²δ²) + ζ²/δ⁶ (line 425), what SLEDGE pays beyond [comparison.leading].
func (s comparison) extra() float64 {
	return sq(s.zeta) * (1/sq(s.eps*s.curvature) + math.Pow(s.curvature, -6))
}

// leading is √n/ε² + √n/δ⁴ (line 424).
func (s comparison) leading(n float64) float64 {
	return math.Sqrt(n) * (1/sq(s.eps) + math.Pow(s.curvature, -4))
}

// spider is 1/(εδ³) + 1/δ⁵, what SPIDER-SFO+ pays beyond n + √n/ε² (line 91).
func (s comparison) spider() float64 {
	return 1/(s.eps*math.Pow(s.curvature, 3)) + math.Pow(s.curvature, -5)
}

// versusSSRGD returns the extra term and n/δ³ for n at least the given combination of δ^{-3} and δε^{-2}.
func versusSSRGD(src *props.Source, combine func(a, b float64) float64) (measured, claimed float64) {
	s := drawComparison(src)
	n := max(1, combine(math.Pow(s.curvature, -3), s.curvature/sq(s.eps))) * AtLeastOne(src, "n/its bound", 1e6)
	return s.extra(), n / math.Pow(s.curvature, 3)
}

// SecondOrder holds the parameters of theorem:D-Second-Main (lines 516-535, 2604-2628) and of its proof (lines 3043-3123). Counts are real
// numbers so that formulas can be compared over many decades.
type FLEDGESecondOrder struct {
	Option               algos.Option
	P, Sampled, K, Batch float64 // clients, clients in a round p, local steps, local minibatch b
	C1                   float64 // of the variance lemma; 0 stands for 1
	L, Rho, Zeta         float64 // smoothness of the data, Hessian Lipschitz constant, Hessian distance of clients
	Delta                float64 // f(x⁰) − f*
	Sigma, G, SigmaC, GC float64 // noise within clients; spread of the clients' gradients at x⁰, Option I only
	Eps, Curvature       float64 // ε and δ
	Eta, R               float64 // step size and noise radius
	Ce                   float64 // C_e; 0 stands for 1
	Log                  float64 // C_f log(δ/(C_eρr_e)), the number of time constants of an escape; 0 stands for 1
}

// parameters returns what the setting shares with theorem:Dist-First-Main, with L for the data.
func (s *FLEDGESecondOrder) parameters() Parameters {
	return Parameters{C1: cmp.Or(s.C1, 1), L: s.L, Zeta: s.Zeta, Data: s.L, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, Delta: s.Delta, Eps: s.Eps}
}

// theory returns what parameters of FLEDGE are made from.
func (s *FLEDGESecondOrder) theory() algos.FLEDGETheory {
	return algos.FLEDGETheory{Option: s.Option, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, C1: s.C1, L: s.L, Zeta: s.Zeta,
		Rho: s.Rho, Eps: s.Eps, Curvature: s.Curvature, Ce: s.Ce, Log: s.Log}
}

// LocalHorizon is T_5 = C_f log(δ/(C_eρr_e))/(ηδ) local steps (line 3045).
func (s *FLEDGESecondOrder) LocalHorizon() float64 { return s.theory().EscapeTime(s.Eta) }

// HalfPhase is T_6 = ⌈1 + T_5/K⌉ rounds, half the length of a phase (line 3046).
func (s *FLEDGESecondOrder) HalfPhase() float64 { return s.theory().HalfPhase(s.Eta) }

// EscapeCost is 2η²T_6²K²C_e²ρ²/δ² (line 3120), by which the right-hand side of line 3098 is multiplied to bound N_2T_6K. It is that of SLEDGE
// for phases of T_6K steps.
func (s *FLEDGESecondOrder) EscapeCost() float64 { return s.theory().EscapeCost(s.Eta) }

// Rate is 1/ε² + 2η²T_6²K²C_e²ρ²/δ²: (N_1+N_2)T_6K is at most that times the right-hand side of line 3098.
func (s *FLEDGESecondOrder) Rate() float64 { return s.theory().Rate(s.Eta) }

// Budget is the right-hand side of lines 3098-3105 without what grows with T: 2Δ/η, and for Option I 192C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p²
// + G_c²PK/p³).
func (s *FLEDGESecondOrder) Budget() float64 {
	budget := 2 * s.Delta / s.Eta
	if s.Option == algos.OptionI {
		budget += s.parameters().InitialCost(s.Sigma, s.G, s.SigmaC, s.GC)
	}
	return budget
}

// NoiseShare and BatchShare are the parts of T that 2TKr²/η² and (16C_1²T/(Pb))(σ² + G²/(PKb)) take up in T ≥ 2(N_1+N_2+1)T_6. Unless they add
// up to less than 1 the condition cannot be met by the bound of the proof.
func (s *FLEDGESecondOrder) NoiseShare() float64 { return 4 * sq(s.R/s.Eta) * s.Rate() }

// BatchShare is the part of the minibatches; see [SecondOrder.NoiseShare].
func (s *FLEDGESecondOrder) BatchShare() float64 {
	PKb := s.P * s.K * s.Batch
	return 2 * 2 * floorFactor * sq(cmp.Or(s.C1, 1)) / PKb * (sq(s.Sigma) + sq(s.G)/PKb) * s.Rate()
}

// Horizon is the least number of rounds for which the proof guarantees T ≥ 2(N_1+N_2+1)T_6 (line 3122), +Inf if there is none.
func (s *FLEDGESecondOrder) Horizon() float64 {
	left := 1 - s.NoiseShare() - s.BatchShare()
	if left <= 0 {
		return math.Inf(1)
	}
	return 2 * (s.Rate()*s.Budget()/s.K + s.HalfPhase()) / left
}

// accuracies is 1/ε² + ρ²/δ⁴.
func (s *FLEDGESecondOrder) accuracies() float64 {
	return 1/sq(s.Eps) + sq(s.Rho)/math.Pow(s.Curvature, 4)
}

// MainRounds is 1 + Δ(L/K + ζ)(1/ε² + ρ²/δ⁴), the number of rounds of the main text (line 528) without logarithms.
func (s *FLEDGESecondOrder) MainRounds() float64 {
	return 1 + secondRounds.At(s.Delta, s.L, s.K, s.Zeta, s.Eps, s.Rho, s.Curvature)
}

// OptionOneRounds is (LΔ + spread·σ²/b + G²/(pKb²) + Kσ_c² + KG_c²/p)(1/(Kε²) + ρ²/(Kδ⁴)) (line 2615), where the text has spread = 1/p.
func (s *FLEDGESecondOrder) OptionOneRounds(spread float64) float64 {
	b, K, p := s.Batch, s.K, s.Sampled
	return (s.L*s.Delta + spread*sq(s.Sigma)/b + sq(s.G)/(p*K*sq(b)) + K*sq(s.SigmaC) + K*sq(s.GC)/p) / K * s.accuracies()
}

// noiseRadius is a noise radius of order min(ε, δ²/ρ)/L that takes up at most a quarter of T.
func (s *FLEDGESecondOrder) noiseRadius() float64 { return s.theory().NoiseRadius(s.Eta) }

// threshold is 1/√Rate, of order min(ε, δ²/ρ) for K ≤ L/δ.
func (s *FLEDGESecondOrder) threshold() float64 { return 1 / math.Sqrt(s.Rate()) }

// SecondStep is a step size with which the path length gets the coefficient 1/(2η²) of line 3096: L/2 and the variance take at most 1/(8η) each
// of the movement coefficient. For C_1 = 1 it is of order 1/L, as the variance costs at most 160L² for p ≥ √P, b ≥ K and K ≤ L/ζ.
func (s *FLEDGESecondOrder) SecondStep() float64 {
	return s.parameters().theory().SecondStep()
}

// sospNu is the ν of the simulations, hiddenFactor the constant that the simulations of printed theorems allow them to hide.
const (
	fledgeSospNu       = 0.1
	fledgeHiddenFactor = 4
)

// drawSecond draws the parameters for Option II with K ≤ L/ζ, δ ≤ ζ, p ≥ √P and b ≥ K, the step size 1/(16L), and constants and logarithms 1. Δ
// is at least 2δ³/(3ρ²), the least gap at a point with curvature −δ.
func drawFLEDGESecond(src *props.Source) *FLEDGESecondOrder {
	s := &FLEDGESecondOrder{L: src.LogReal("L", 1e-3, 1e3), Rho: src.LogReal("ρ", 1e-3, 1e3), Eps: src.LogReal("ε", 1e-6, 1e6)}
	s.Zeta = s.L * AtMostOne(src, "ζ/L", 1e-6)
	s.Curvature = s.Zeta * AtMostOne(src, "δ/ζ", 1e-6)
	s.K = max(1, s.L/s.Zeta*AtMostOne(src, "Kζ/L", 1e-6))
	s.Batch = s.K * AtLeastOne(src, "b/K", 1e6)
	s.P = SeveralUpTo(src, "P", 1e18)
	s.Sampled = min(s.P, math.Sqrt(s.P)*AtLeastOne(src, "p/√P", 1e9))
	s.Eta = 1 / (16 * s.L)
	s.Delta = 2 * math.Pow(s.Curvature, 3) / (3 * sq(s.Rho)) * AtLeastOne(src, "Δ/least Δ", 1e6)
	return s
}

// drawInitial adds the spreads that Option I pays for.
func (s *FLEDGESecondOrder) drawInitial(src *props.Source) {
	s.Option = algos.OptionI
	s.SigmaC = s.Eps * src.LogReal("σ_c/ε", 1e-6, 1e6)
	s.Sigma = s.threshold() * math.Sqrt(s.P*s.K*s.Batch/256) * AtMostOne(src, "σ over what PKb allows", 1e-6)
	s.G, s.GC = s.Sigma, s.SigmaC // lines 256-260
}

func secondClaims() []props.Binding {
	units := Quantities("δ", "ζ")
	return []props.Binding{
		props.Bind("dsecond-main-informal", props.All(props.Hitting(func(src *props.Source) props.HittingTrial { return setupFLEDGELoud(src, algos.OptionII) }).Effort(0.5),
			props.Hitting(setupDrift).Effort(0.5))),
		props.Bind("dsecond-main-informal/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				s.R = s.noiseRadius()
				return s.Horizon(), s.MainRounds()
			}),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupFLEDGEQuiet(src, algos.OptionII) }).Effort(runEffort))),
		props.Bind("dsecond-formal-option-one", props.All(props.Hitting(func(src *props.Source) props.HittingTrial { return setupFLEDGELoud(src, algos.OptionI) }).Effort(0.5),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				s.drawInitial(src)
				s.R = s.noiseRadius()
				return s.Horizon(), 1 + s.OptionOneRounds(1/s.Sampled)
			}))),
		props.Bind("dsecond-formal-option-one/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				s.drawInitial(src)
				s.R = s.noiseRadius()
				return s.Horizon(), 1 + s.OptionOneRounds(1)
			}),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupFLEDGEQuiet(src, algos.OptionI) }).Effort(runEffort))),
		props.Bind("dsecond-formal-option-two", sameRounds(func(s *FLEDGESecondOrder) float64 { return 1 + s.L*s.Delta*s.accuracies() })),
		props.Bind("dsecond-formal-option-two/corrected", props.All(
			sameRounds(func(s *FLEDGESecondOrder) float64 { return 1 + s.L*s.Delta/s.K*s.accuracies() }),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				s.R = s.noiseRadius()
				v := FLEDGEPLRun{P: s.P, Sampled: s.Sampled, K: s.K, Batch: s.Batch}
				return v.gradients(s.Horizon()), s.P*s.K*s.Batch + s.L*s.Delta*s.accuracies()*s.Sampled*s.Batch
			}))),
		props.Bind("dsecond-delta-condition", props.All(
			props.Dimensional(CurvatureUnit, units, map[string]func(props.Values) float64{
				"ζ, line 524":    func(v props.Values) float64 { return v["ζ"] },
				"1/ζ, line 2608": func(v props.Values) float64 { return 1 / v["ζ"] },
				"1/δ, line 3127": func(v props.Values) float64 { return 1 / v["δ"] },
			}),
			conditions(
				func(delta, zeta float64) bool { return delta < 1/zeta },
				func(delta, zeta float64) bool { return zeta >= 1/delta }))),
		props.Bind("dsecond-delta-condition/corrected", props.All(
			conditions(
				func(delta, zeta float64) bool { return delta < zeta },
				func(delta, zeta float64) bool { return !(zeta <= delta) }),
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := FLEDGESecondOrder{L: src.LogReal("L", 1e-3, 1e3), Log: src.LogReal("C_f log", 1, 100)}
				s.Zeta = s.L * src.LogReal("ζ/L", 1e-6, 1)
				s.Curvature = s.Zeta * src.LogReal("δ/ζ", 1e-6, 1)
				s.K = max(1, math.Floor(s.L/s.Zeta*src.LogReal("Kζ/L", 1e-6, 1)))
				s.Eta = src.LogReal("ηL", 1e-6, 1) / s.L
				rec.AtMost("T_6K against 3T_5", s.HalfPhase()*s.K, 3*s.LocalHorizon())
			}),
			props.Implication(func(src *props.Source, rec *props.Recorder) { // for K = L/ζ and ηL = C_f log(·) = 1
				ratio := src.LogReal("δ/ζ", 1.01, 1e6)
				s := FLEDGESecondOrder{L: 1, Eta: 1, K: 1e9}
				s.Zeta = s.L / s.K
				s.Curvature = ratio * s.Zeta
				rec.AtLeast("T_6K against (1 + δ/ζ)T_5 where δ > ζ", s.HalfPhase()*s.K, (1+ratio)*s.LocalHorizon())
			}))),
		props.Bind("dsecond-noise-and-batch", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				s.R = s.Eps / s.L
				return s.NoiseShare(), 1
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				s.Sigma = s.Eps * math.Sqrt(s.P*s.K*s.Batch)
				return s.BatchShare(), 1
			}),
			props.Implication(tryFLEDGENoNoise).Effort(0.3))),
		props.Bind("dsecond-noise-and-batch/corrected", props.All(
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := drawFLEDGESecond(src)
				s.Ce, s.Log, s.C1 = src.LogReal("C_e", 1, 1e3), src.LogReal("C_f log", 1, 1e3), src.LogReal("C_1", 1, 100)
				s.R = s.noiseRadius()
				m, PKb := s.threshold(), s.P*s.K*s.Batch
				share := src.Real("share of σ", 0, 1)
				s.Sigma, s.G = m*math.Sqrt(PKb*share/256)/s.C1, m*PKb*(1-share)/16/s.C1
				rec.AtMost("share of T taken by the noise", s.NoiseShare(), 0.25)
				rec.AtMost("share of T taken by the minibatches", s.BatchShare(), 1.0/8)
			}),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawFLEDGESecond(src)
				return s.threshold(), min(s.Eps, sq(s.Curvature)/s.Rho)
			}))),
		props.Bind("dsecond-versus-bvr", props.Order(func(src *props.Source) (float64, float64) {
			P, rounds := SeveralUpTo(src, "P", 1e9), AtLeastOne(src, "rounds", 1e9)
			inner := src.LogReal("L²/(Kbδ²)", 1e-9, 1e18)
			return P + (math.Sqrt(P)+P*AtMostOne(src, "ζ²/(δ²P)", 1e-9)+inner)*rounds, P * rounds
		})),
		props.Bind("dsecond-versus-bvr/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				P, rounds := SeveralUpTo(src, "P", 1e9), AtLeastOne(src, "rounds", 1e9)
				return P + (math.Sqrt(P)+P*AtMostOne(src, "(ζ²/δ² + L²/(Kbδ²))/P", 1e-9))*rounds, P * rounds
			}),
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				P := float64(src.LogInt("P", 5, 1e6))
				rec.AtMost("√P + P/2 against P", math.Sqrt(P)+P/2, P)
			}))),
		props.Bind("dsecond-rate-order", rateOrder(func(s *FLEDGESecondOrder) float64 { return sq(s.Eta * s.K / s.Curvature) })),
		props.Bind("dsecond-rate-order/corrected", rateOrder(func(s *FLEDGESecondOrder) float64 { return sq(s.Eta * s.K * s.Rho / s.Curvature) })),
	}
}

// sameRounds compares a number of rounds with that of the main text, in both directions.
func sameRounds(rounds func(s *FLEDGESecondOrder) float64) props.Check {
	return props.SameOrder(func(src *props.Source) (float64, float64) {
		s := drawFLEDGESecond(src)
		return rounds(s), s.MainRounds()
	})
}

// conditions asks whether two forms of a condition on δ and ζ agree, and whether multiplying f by a constant leaves them as they are.
func conditions(a, b func(delta, zeta float64) bool) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		delta, zeta, c := src.LogReal("δ", 1e-3, 1e3), src.LogReal("ζ", 1e-3, 1e3), src.LogReal("c", 1e-3, 1e3)
		rec.Truth("the two forms agree", a(delta, zeta) == b(delta, zeta))
		rec.Truth("the condition on δ and ζ holds for f as for cf", a(delta, zeta) == a(c*delta, c*zeta))
	})
}

// rateOrder compares 2η²T_6²K²ρ²/δ² with ρ²/δ⁴ and what the text adds to it, and both with ρ²/δ⁴.
func rateOrder(second func(s *FLEDGESecondOrder) float64) props.Check {
	return props.All(
		props.Dimensional(GradientUnit.Power(-2), Quantities("ρ", "δ", "η", "K"),
			map[string]func(props.Values) float64{
				"ρ²/δ⁴": func(v props.Values) float64 { return sq(v["ρ"]) / math.Pow(v["δ"], 4) },
				"the second term": func(v props.Values) float64 {
					return second(&FLEDGESecondOrder{Eta: v["η"], K: v["K"], Rho: v["ρ"], Curvature: v["δ"]})
				},
			}),
		props.Order(func(src *props.Source) (float64, float64) {
			s := drawFLEDGESecond(src)
			s.K = s.L / s.Curvature * src.LogReal("Kδ/L", 1e-9, 1e9) // any K
			return s.EscapeCost(), sq(s.Rho)/math.Pow(s.Curvature, 4) + second(s)
		}),
		props.Order(func(src *props.Source) (float64, float64) {
			s := drawFLEDGESecond(src)
			return second(s), sq(s.Rho) / math.Pow(s.Curvature, 4)
		}))
}
