package federated

import (
	"cmp"
	"math"

	"sledge/algos"
	"sledge/bounds"
	"sledge/props"
)

// SecondOrder holds the parameters of theorem:D-Second-Main (lines 516-535, 2604-2628) and of its proof (lines 3043-3123). Counts are real
// numbers so that formulas can be compared over many decades.
type SecondOrder struct {
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
func (s *SecondOrder) parameters() Parameters {
	return Parameters{C1: cmp.Or(s.C1, 1), L: s.L, Zeta: s.Zeta, Data: s.L, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, Delta: s.Delta, Eps: s.Eps}
}

// theory returns what parameters of FLEDGE are made from.
func (s *SecondOrder) theory() algos.FLEDGETheory {
	return algos.FLEDGETheory{Option: s.Option, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, C1: s.C1, L: s.L, Zeta: s.Zeta,
		Rho: s.Rho, Eps: s.Eps, Curvature: s.Curvature, Ce: s.Ce, Log: s.Log}
}

// LocalHorizon is T_5 = C_f log(δ/(C_eρr_e))/(ηδ) local steps (line 3045).
func (s *SecondOrder) LocalHorizon() float64 { return s.theory().EscapeTime(s.Eta) }

// HalfPhase is T_6 = ⌈1 + T_5/K⌉ rounds, half the length of a phase (line 3046).
func (s *SecondOrder) HalfPhase() float64 { return s.theory().HalfPhase(s.Eta) }

// EscapeCost is 2η²T_6²K²C_e²ρ²/δ² (line 3120), by which the right-hand side of line 3098 is multiplied to bound N_2T_6K. It is that of SLEDGE
// for phases of T_6K steps.
func (s *SecondOrder) EscapeCost() float64 { return s.theory().EscapeCost(s.Eta) }

// Rate is 1/ε² + 2η²T_6²K²C_e²ρ²/δ²: (N_1+N_2)T_6K is at most that times the right-hand side of line 3098.
func (s *SecondOrder) Rate() float64 { return s.theory().Rate(s.Eta) }

// Budget is the right-hand side of lines 3098-3105 without what grows with T: 2Δ/η, and for Option I 192C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p²
// + G_c²PK/p³).
func (s *SecondOrder) Budget() float64 {
	budget := 2 * s.Delta / s.Eta
	if s.Option == algos.OptionI {
		budget += s.parameters().InitialCost(s.Sigma, s.G, s.SigmaC, s.GC)
	}
	return budget
}

// NoiseShare and BatchShare are the parts of T that 2TKr²/η² and (16C_1²T/(Pb))(σ² + G²/(PKb)) take up in T ≥ 2(N_1+N_2+1)T_6. Unless they add
// up to less than 1 the condition cannot be met by the bound of the proof.
func (s *SecondOrder) NoiseShare() float64 { return 4 * sq(s.R/s.Eta) * s.Rate() }

// BatchShare is the part of the minibatches; see [SecondOrder.NoiseShare].
func (s *SecondOrder) BatchShare() float64 {
	PKb := s.P * s.K * s.Batch
	return 2 * 2 * floorFactor * sq(cmp.Or(s.C1, 1)) / PKb * (sq(s.Sigma) + sq(s.G)/PKb) * s.Rate()
}

// Horizon is the least number of rounds for which the proof guarantees T ≥ 2(N_1+N_2+1)T_6 (line 3122), +Inf if there is none.
func (s *SecondOrder) Horizon() float64 {
	left := 1 - s.NoiseShare() - s.BatchShare()
	if left <= 0 {
		return math.Inf(1)
	}
	return 2 * (s.Rate()*s.Budget()/s.K + s.HalfPhase()) / left
}

// accuracies is 1/ε² + ρ²/δ⁴.
func (s *SecondOrder) accuracies() float64 { return 1/sq(s.Eps) + sq(s.Rho)/math.Pow(s.Curvature, 4) }

// MainRounds is 1 + Δ(L/K + ζ)(1/ε² + ρ²/δ⁴), the number of rounds of the main text (line 528) without logarithms.
func (s *SecondOrder) MainRounds() float64 {
	return 1 + s.Delta*(s.L/s.K+s.Zeta)*s.accuracies()
}

// OptionOneRounds is (LΔ + spread·σ²/b + G²/(pKb²) + Kσ_c² + KG_c²/p)(1/(Kε²) + ρ²/(Kδ⁴)) (line 2615), where the text has spread = 1/p.
func (s *SecondOrder) OptionOneRounds(spread float64) float64 {
	b, K, p := s.Batch, s.K, s.Sampled
	return (s.L*s.Delta + spread*sq(s.Sigma)/b + sq(s.G)/(p*K*sq(b)) + K*sq(s.SigmaC) + K*sq(s.GC)/p) / K * s.accuracies()
}

// noiseRadius is a noise radius of order min(ε, δ²/ρ)/L that takes up at most a quarter of T.
func (s *SecondOrder) noiseRadius() float64 { return s.theory().NoiseRadius(s.Eta) }

// threshold is 1/√Rate, of order min(ε, δ²/ρ) for K ≤ L/δ.
func (s *SecondOrder) threshold() float64 { return 1 / math.Sqrt(s.Rate()) }

// SecondStep is a step size with which the path length gets the coefficient 1/(2η²) of line 3096: L/2 and the variance take at most 1/(8η) each
// of the movement coefficient. For C_1 = 1 it is of order 1/L, as the variance costs at most 160L² for p ≥ √P, b ≥ K and K ≤ L/ζ.
func (s *SecondOrder) SecondStep() float64 {
	return s.parameters().theory().SecondStep()
}

// sospNu is the ν of the simulations, hiddenFactor the constant that the simulations of printed theorems allow them to hide.
const (
	sospNu       = 0.1
	hiddenFactor = 4
)

// drawSecond draws the parameters for Option II with K ≤ L/ζ, δ ≤ ζ, p ≥ √P and b ≥ K, the step size 1/(16L), and constants and logarithms 1. Δ
// is at least 2δ³/(3ρ²), the least gap at a point with curvature −δ.
func drawSecond(src *props.Source) *SecondOrder {
	s := &SecondOrder{L: src.LogReal("L", 1e-3, 1e3), Rho: src.LogReal("ρ", 1e-3, 1e3), Eps: src.LogReal("ε", 1e-6, 1e6)}
	s.Zeta = s.L * bounds.AtMostOne(src, "ζ/L", 1e-6)
	s.Curvature = s.Zeta * bounds.AtMostOne(src, "δ/ζ", 1e-6)
	s.K = max(1, s.L/s.Zeta*bounds.AtMostOne(src, "Kζ/L", 1e-6))
	s.Batch = s.K * bounds.AtLeastOne(src, "b/K", 1e6)
	s.P = bounds.SeveralUpTo(src, "P", 1e18)
	s.Sampled = min(s.P, math.Sqrt(s.P)*bounds.AtLeastOne(src, "p/√P", 1e9))
	s.Eta = 1 / (16 * s.L)
	s.Delta = 2 * math.Pow(s.Curvature, 3) / (3 * sq(s.Rho)) * bounds.AtLeastOne(src, "Δ/least Δ", 1e6)
	return s
}

// drawInitial adds the spreads that Option I pays for.
func (s *SecondOrder) drawInitial(src *props.Source) {
	s.Option = algos.OptionI
	s.SigmaC = s.Eps * src.LogReal("σ_c/ε", 1e-6, 1e6)
	s.Sigma = s.threshold() * math.Sqrt(s.P*s.K*s.Batch/256) * bounds.AtMostOne(src, "σ over what PKb allows", 1e-6)
	s.G, s.GC = s.Sigma, s.SigmaC // lines 256-260
}

func secondClaims() []props.Binding {
	units := bounds.Quantities("δ", "ζ")
	return []props.Binding{
		props.Bind("dsecond-main-informal", props.All(props.Hitting(func(src *props.Source) props.HittingTrial { return setupLoud(src, algos.OptionII) }).Effort(0.5),
			props.Hitting(setupDrift).Effort(0.5))),
		props.Bind("dsecond-main-informal/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.R = s.noiseRadius()
				return s.Horizon(), s.MainRounds()
			}),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupQuiet(src, algos.OptionII) }).Effort(runEffort))),
		props.Bind("dsecond-formal-option-one", props.All(props.Hitting(func(src *props.Source) props.HittingTrial { return setupLoud(src, algos.OptionI) }).Effort(0.5),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.drawInitial(src)
				s.R = s.noiseRadius()
				return s.Horizon(), 1 + s.OptionOneRounds(1/s.Sampled)
			}))),
		props.Bind("dsecond-formal-option-one/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.drawInitial(src)
				s.R = s.noiseRadius()
				return s.Horizon(), 1 + s.OptionOneRounds(1)
			}),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupQuiet(src, algos.OptionI) }).Effort(runEffort))),
		props.Bind("dsecond-formal-option-two", sameRounds(func(s *SecondOrder) float64 { return 1 + s.L*s.Delta*s.accuracies() })),
		props.Bind("dsecond-formal-option-two/corrected", props.All(
			sameRounds(func(s *SecondOrder) float64 { return 1 + s.L*s.Delta/s.K*s.accuracies() }),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.R = s.noiseRadius()
				v := PLRun{P: s.P, Sampled: s.Sampled, K: s.K, Batch: s.Batch}
				return v.gradients(s.Horizon()), s.P*s.K*s.Batch + s.L*s.Delta*s.accuracies()*s.Sampled*s.Batch
			}))),
		props.Bind("dsecond-delta-condition", props.All(
			props.Dimensional(bounds.CurvatureUnit, units, map[string]func(props.Values) float64{
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
				s := SecondOrder{L: src.LogReal("L", 1e-3, 1e3), Log: src.LogReal("C_f log", 1, 100)}
				s.Zeta = s.L * src.LogReal("ζ/L", 1e-6, 1)
				s.Curvature = s.Zeta * src.LogReal("δ/ζ", 1e-6, 1)
				s.K = max(1, math.Floor(s.L/s.Zeta*src.LogReal("Kζ/L", 1e-6, 1)))
				s.Eta = src.LogReal("ηL", 1e-6, 1) / s.L
				rec.AtMost("T_6K against 3T_5", s.HalfPhase()*s.K, 3*s.LocalHorizon())
			}),
			props.Implication(func(src *props.Source, rec *props.Recorder) { // for K = L/ζ and ηL = C_f log(·) = 1
				ratio := src.LogReal("δ/ζ", 1.01, 1e6)
				s := SecondOrder{L: 1, Eta: 1, K: 1e9}
				s.Zeta = s.L / s.K
				s.Curvature = ratio * s.Zeta
				rec.AtLeast("T_6K against (1 + δ/ζ)T_5 where δ > ζ", s.HalfPhase()*s.K, (1+ratio)*s.LocalHorizon())
			}))),
		props.Bind("dsecond-noise-and-batch", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.R = s.Eps / s.L
				return s.NoiseShare(), 1
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				s.Sigma = s.Eps * math.Sqrt(s.P*s.K*s.Batch)
				return s.BatchShare(), 1
			}),
			props.Implication(tryNoNoise).Effort(0.3))),
		props.Bind("dsecond-noise-and-batch/corrected", props.All(
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := drawSecond(src)
				s.Ce, s.Log, s.C1 = src.LogReal("C_e", 1, 1e3), src.LogReal("C_f log", 1, 1e3), src.LogReal("C_1", 1, 100)
				s.R = s.noiseRadius()
				m, PKb := s.threshold(), s.P*s.K*s.Batch
				share := src.Real("share of σ", 0, 1)
				s.Sigma, s.G = m*math.Sqrt(PKb*share/256)/s.C1, m*PKb*(1-share)/16/s.C1
				rec.AtMost("share of T taken by the noise", s.NoiseShare(), 0.25)
				rec.AtMost("share of T taken by the minibatches", s.BatchShare(), 1.0/8)
			}),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawSecond(src)
				return s.threshold(), min(s.Eps, sq(s.Curvature)/s.Rho)
			}))),
		props.Bind("dsecond-versus-bvr", props.Order(func(src *props.Source) (float64, float64) {
			P, rounds := bounds.SeveralUpTo(src, "P", 1e9), bounds.AtLeastOne(src, "rounds", 1e9)
			inner := src.LogReal("L²/(Kbδ²)", 1e-9, 1e18)
			return P + (math.Sqrt(P)+P*bounds.AtMostOne(src, "ζ²/(δ²P)", 1e-9)+inner)*rounds, P * rounds
		})),
		props.Bind("dsecond-versus-bvr/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				P, rounds := bounds.SeveralUpTo(src, "P", 1e9), bounds.AtLeastOne(src, "rounds", 1e9)
				return P + (math.Sqrt(P)+P*bounds.AtMostOne(src, "(ζ²/δ² + L²/(Kbδ²))/P", 1e-9))*rounds, P * rounds
			}),
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				P := float64(src.LogInt("P", 5, 1e6))
				rec.AtMost("√P + P/2 against P", math.Sqrt(P)+P/2, P)
			}))),
		props.Bind("dsecond-rate-order", rateOrder(func(s *SecondOrder) float64 { return sq(s.Eta * s.K / s.Curvature) })),
		props.Bind("dsecond-rate-order/corrected", rateOrder(func(s *SecondOrder) float64 { return sq(s.Eta * s.K * s.Rho / s.Curvature) })),
	}
}

// sameRounds compares a number of rounds with that of the main text, in both directions.
func sameRounds(rounds func(s *SecondOrder) float64) props.Check {
	return props.SameOrder(func(src *props.Source) (float64, float64) {
		s := drawSecond(src)
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
func rateOrder(second func(s *SecondOrder) float64) props.Check {
	return props.All(
		props.Dimensional(bounds.GradientUnit.Power(-2), bounds.Quantities("ρ", "δ", "η", "K"),
			map[string]func(props.Values) float64{
				"ρ²/δ⁴": func(v props.Values) float64 { return sq(v["ρ"]) / math.Pow(v["δ"], 4) },
				"the second term": func(v props.Values) float64 {
					return second(&SecondOrder{Eta: v["η"], K: v["K"], Rho: v["ρ"], Curvature: v["δ"]})
				},
			}),
		props.Order(func(src *props.Source) (float64, float64) {
			s := drawSecond(src)
			s.K = s.L / s.Curvature * src.LogReal("Kδ/L", 1e-9, 1e9) // any K
			return s.EscapeCost(), sq(s.Rho)/math.Pow(s.Curvature, 4) + second(s)
		}),
		props.Order(func(src *props.Source) (float64, float64) {
			s := drawSecond(src)
			return second(s), sq(s.Rho) / math.Pow(s.Curvature, 4)
		}))
}
