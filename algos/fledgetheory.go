package algos

import (
	"cmp"
	"math"
	"slices"
)

// FLEDGETheory holds what the theory of FLEDGE makes its parameters from. A prescription needs the
// constants of its theorem only. Counts are real numbers, so that formulas can be compared over
// many decades; in prescriptions they are whole.
type FLEDGETheory struct {
	Option    Option
	P, Chosen float64 // clients P, and the p of them in a round
	K, B      float64 // local steps, and local minibatch size b
	// constant of the concentration tools, ≥ 1; 0 stands for 1, which leaves logarithms out
	C1      float64
	L, Zeta float64 // smoothness of the data L > 0, and Hessian distance of clients ζ ≥ 0
	// Hessian distance of a client's data in the variance lemma: ζ as printed, L where it is right
	Data           float64
	Mu             float64 // PL constant, 0 < μ ≤ L
	Rho            float64 // Hessian Lipschitz constant ρ > 0
	Eps, Curvature float64 // ε and δ of an (ε,δ)-second-order stationary point
	Ce             float64 // C_e of the radius δ/(C_eρ) of the stuck region; 0 stands for 1
	// C_f·log(δ/(C_eρr_e)), the number of time constants of an escape; 0 stands for 1
	Log float64
}

// The power of K in the first term of the step size that the argument of theorem:Dist-First-Main
// needs, and the number in front of its second term (line 2547).
const (
	FLEDGEStepPower = 2
	FLEDGEStepData  = 604
)

// FLEDGEPLFactor is a constant that Θ in line 3312 may hide: with it, and every smaller one, the
// coefficient of lines 3323-3325 is nonnegative. See dpl-step-size-coefficient.
const FLEDGEPLFactor = 1.0 / 27

func square(v float64) float64 { return v * v }

// InverseSquare is (480C_1⁹ζ²PK^power/p² + data·C_1¹¹ζ²PK/(p²b) + 16ζ²K² + 16C_1²L²K/b), with Data
// for the second ζ: 1/η² where 1/(2L) is not the smaller step.
func (s FLEDGETheory) InverseSquare(power, data float64) float64 {
	p2, c1 := square(s.Chosen), cmp.Or(s.C1, 1)
	return 480*math.Pow(c1, 9)*square(s.Zeta)*s.P*math.Pow(s.K, power)/p2 +
		data*math.Pow(c1, 11)*square(s.Data)*s.P*s.K/(p2*s.B) +
		16*(square(s.Zeta*s.K)+square(c1*s.L)*s.K/s.B)
}

// FirstStep is the step size of line 2547, min{1/(2L), InverseSquare^{−1/2}}.
func (s FLEDGETheory) FirstStep(power, data float64) float64 {
	return min(1/(2*s.L), 1/math.Sqrt(s.InverseSquare(power, data)))
}

// MovementLoss is 120C_1⁹ζ²PK²/p² + data·C_1¹¹ζ²PK/(p²b) + 4ζ²K² + 4C_1²L²K/b, with Data for the
// second ζ: what the variance lemma takes from the coefficient 1/(2η) − L/2 of the movement,
// divided by η (lines 2535-2536). data is 128 as printed; the lemma costs 32.
func (s FLEDGETheory) MovementLoss(data float64) float64 {
	p2, c1 := square(s.Chosen), cmp.Or(s.C1, 1)
	return 120*math.Pow(c1, 9)*square(s.Zeta*s.K)*s.P/p2 +
		data*math.Pow(c1, 11)*square(s.Data)*s.P*s.K/(p2*s.B) +
		4*square(s.Zeta*s.K) + 4*square(c1*s.L)*s.K/s.B
}

// SecondStep is a step size with which the path length gets the coefficient 1/(2η²) of line 3096:
// L/2 and the variance take at most 1/(8η) each of the movement coefficient. For C_1 = 1 it is of
// order 1/L, as the variance costs at most 160L² for p ≥ √P, b ≥ K and K ≤ L/ζ.
func (s FLEDGETheory) SecondStep() float64 {
	return min(1/(4*s.L), 1/math.Sqrt(8*s.MovementLoss(32)))
}

// PLEntries are the step sizes of which line 3312 takes the least: 1/L, p/(C_1^{4.5}ζ√P K),
// p√b/(C_1^{5.5}ζ√(PK)), p/(μC_1PK), 1/(ζK), √b/(C_1L√K); the third has Data for ζ.
func (s FLEDGETheory) PLEntries() [6]float64 {
	c1 := cmp.Or(s.C1, 1)
	return [...]float64{
		1 / s.L,
		s.Chosen / (math.Pow(c1, 4.5) * s.Zeta * math.Sqrt(s.P) * s.K),
		s.Chosen * math.Sqrt(s.B) / (math.Pow(c1, 5.5) * s.Data * math.Sqrt(s.P*s.K)),
		s.Chosen / (s.Mu * c1 * s.P * s.K),
		1 / (s.Zeta * s.K),
		math.Sqrt(s.B) / (c1 * s.L * math.Sqrt(s.K)),
	}
}

// PLStep is the step size of line 3312 with the constant c in place of Θ.
func (s FLEDGETheory) PLStep(c float64) float64 {
	e := s.PLEntries()
	return c * slices.Min(e[:])
}

// EscapeTime is T_5 = C_f log(δ/(C_eρr_e))/(ηδ) local steps (line 3045).
func (s FLEDGETheory) EscapeTime(eta float64) float64 {
	return cmp.Or(s.Log, 1) / (eta * s.Curvature)
}

// HalfPhase is T_6 = ⌈1 + T_5/K⌉ rounds, half the length of a phase (line 3046).
func (s FLEDGETheory) HalfPhase(eta float64) float64 { return math.Ceil(1 + s.EscapeTime(eta)/s.K) }

// EscapeCost is 2η²T_6²K²C_e²ρ²/δ² (line 3120): what a phase that escapes costs per local step, as
// 1/ε² one with large gradients.
func (s FLEDGETheory) EscapeCost(eta float64) float64 {
	x := eta * (s.HalfPhase(eta) * s.K) / (s.Curvature / (cmp.Or(s.Ce, 1) * s.Rho))
	return 2 * x * x
}

// Rate is 1/ε² + EscapeCost.
func (s FLEDGETheory) Rate(eta float64) float64 { return 1/square(s.Eps) + s.EscapeCost(eta) }

// NoiseRadius is a noise radius of order min(ε, δ²/ρ)/L, for the step size eta and K ≤ L/δ, that
// takes up at most a quarter of T in lines 3098-3122.
func (s FLEDGETheory) NoiseRadius(eta float64) float64 {
	return eta * (1 / math.Sqrt(s.Rate(eta))) / 4
}

// EnoughClients is √P + C²ζ²/δ² + C²L²/(Kbδ²) (lines 525, 2609, 2641, with C = C_e in the latter
// two).
func EnoughClients(P, c, zeta, L, delta, Kb float64) float64 {
	return math.Sqrt(P) + square(c)*(square(zeta)+square(L)/Kb)/square(delta)
}

// prescribed returns FLEDGE with the sizes and option of s. Clients with fewer than Kb data use all
// they have.
func (s FLEDGETheory) prescribed(eta float64) *FLEDGE {
	return &FLEDGE{Eta: eta, Chosen: int(s.Chosen), LocalSteps: int(s.K), Batch: int(s.B),
		Option: s.Option, Cap: true}
}

// PrescribedFLEDGE returns FLEDGE with the sizes and option of s and the step size that the proof
// of theorem:Dist-First-Main needs, FirstStep with [FLEDGEStepPower] and [FLEDGEStepData]. Clients
// with fewer than Kb data use all they have.
func PrescribedFLEDGE(s FLEDGETheory) *FLEDGE {
	return s.prescribed(s.FirstStep(FLEDGEStepPower, FLEDGEStepData))
}

// PrescribedSecondFLEDGE returns FLEDGE with the sizes of s, but with as many clients in a round as
// [EnoughClients] asks for, at most P; with the step size SecondStep, at most that of
// theorem:Dist-First-Main, and a noise radius of order min(ε, δ²/ρ)/L. The data's Hessian distance
// is taken for L. Clients with fewer than Kb data use all they have.
func PrescribedSecondFLEDGE(s FLEDGETheory) *FLEDGE {
	s.Data = s.L
	s.Chosen = min(s.P, max(s.Chosen,
		math.Ceil(EnoughClients(s.P, cmp.Or(s.Ce, 1), s.Zeta, s.L, s.Curvature,
			s.K*s.B))))
	m := PrescribedFLEDGE(s)
	m.Eta = min(m.Eta, s.SecondStep())
	m.Radius = s.NoiseRadius(m.Eta)
	return m
}

// PrescribedRelaxedFLEDGE is [PrescribedSecondFLEDGE] with minibatches of b + ⌈C_e²L²/δ²⌉ data at
// every T_7-th local step, T_7 = ⌈T_5⌉ (line 3156, lemma:D-Small-Stuck-Region-Relax). With fewer
// than T_7 local steps in a round there are none of them.
func PrescribedRelaxedFLEDGE(s FLEDGETheory) *FLEDGE {
	m := PrescribedSecondFLEDGE(s)
	large := m.Batch + int(math.Ceil(square(cmp.Or(s.Ce, 1)*s.L/s.Curvature)))
	m.Schedule = RelaxedSchedule(int(math.Ceil(s.EscapeTime(m.Eta))), m.Batch, large)
	return m
}

// RelaxedSchedule is the schedule of local minibatches of lines 3130-3134: small, but large when k
// is a multiple of t7.
func RelaxedSchedule(t7, small, large int) func(k int) int {
	return func(k int) int {
		if k%t7 == 0 {
			return large
		}
		return small
	}
}

// prescribedFLEDGE is the prescription of the catalogue.
func prescribedFLEDGE(option Option) func(f *Facts) Prescription {
	return func(f *Facts) Prescription {
		m, theorem := (*FLEDGE)(nil), "theorem:Dist-First-Main"
		switch f.Goal {
		case SecondOrder:
			m, theorem = PrescribedSecondFLEDGE(secondFLEDGE(f, option)), "theorem:D-Second-Main"
		case UnderPL:
			s := firstFLEDGE(f, option)
			s.Mu = f.NeedMu()
			m, theorem = s.prescribed(s.PLStep(FLEDGEPLFactor)), "theorem:D-PL"
		default:
			m = PrescribedFLEDGE(firstFLEDGE(f, option))
		}
		return Prescription{Method: m, Eta: m.Eta, By: theorem + ", C_1 = 1"}
	}
}

// firstFLEDGE asks for what theorem:Dist-First-Main needs.
func firstFLEDGE(f *Facts, option Option) FLEDGETheory {
	p, K, b := f.Round(max(1, f.LocalSteps))
	L, zeta := f.NeedL(), f.NeedZeta()
	return FLEDGETheory{Option: option, P: float64(f.Clients), Chosen: float64(p), K: float64(K),
		B: float64(b), L: L, Zeta: zeta, Data: min(L, f.NeedZetaPrime())}
}

// secondFLEDGE asks for what theorem:D-Second-Main needs.
func secondFLEDGE(f *Facts, option Option) FLEDGETheory {
	s := firstFLEDGE(f, option)
	s.Rho, s.Curvature = f.NeedCurvature()
	s.Eps = f.NeedEps()
	return s
}

// relaxedFLEDGE is FLEDGE with the schedule of local minibatches of
// lemma:D-Small-Stuck-Region-Relax.
func relaxedFLEDGE(option Option) Entry {
	e := fledge(option, "the same with all data of the client at every 1/(ηδ)-th local step",
		"lemma:D-Small-Stuck-Region-Relax, lines 3125-3187")
	e.Name += " (relaxed)"
	plain := e.New
	e.New = func(s Setting) Method {
		m := plain(s).(*FLEDGE)
		m.Schedule = func(k int) int {
			return RelaxedSchedule(wholeSteps(1/(s.Eta*s.Curvature())), m.Batch, math.MaxInt)(k)
		}
		return m
	}
	e.Prescribed = func(f *Facts) Prescription {
		m := PrescribedRelaxedFLEDGE(secondFLEDGE(f, option))
		return Prescription{Method: m, Eta: m.Eta, By: "lemma:D-Small-Stuck-Region-Relax, C_1 = 1"}
	}
	return e
}
