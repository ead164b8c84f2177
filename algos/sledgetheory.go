package algos

import (
	"cmp"
	"math"
)

// SLEDGETheory holds what the theory of SLEDGE makes its parameters from. A prescription needs the
// constants of its theorem only.
type SLEDGETheory struct {
	Option Option
	N, B   int // components n, and minibatch size b, 1 ≤ b ≤ n
	// constant of the concentration tools, ≥ 1; 0 stands for 1, which leaves logarithms out
	C1             float64
	L, Zeta        float64 // smoothness constant L > 0, and Hessian heterogeneity ζ ≥ 0
	Mu             float64 // PL constant, 0 < μ ≤ L
	Rho            float64 // Hessian Lipschitz constant ρ > 0
	Eps, Curvature float64 // ε and δ of an (ε,δ)-second-order stationary point
	CB             float64 // C_b of the radius δ/(C_bρ) of the stuck region; 0 stands for 1
	// C_d·log(δ/(C_bρr_e)), the number of time constants of an escape; 0 stands for 1
	Log float64
}

// SLEDGEStepPower is the exponent of C_1 in the step size that the argument of theorem:First-Main
// needs.
const SLEDGEStepPower = 4.5

// SLEDGEPLFactor is the constant hidden in η = Θ(1/L ∧ b/(C_1^{4.5}ζ√n) ∧ b/(μC_1n)) (line 2110),
// 1/(1 + √30): with η ≤ c·min{…} and T_1 ≥ 1 one has (1−ημ)^{−T_1} ≤ 1/(1−c), so that the
// coefficient of line 2112 is nonnegative as soon as (1−c)² ≥ 30c².
const SLEDGEPLFactor = 1 / (1 + 5.4772255750516611345696978280080213395)

// FirstStep is η = min{1/(2L), b/(C_1^power ζ√(60n))} (lines 1510, 1524).
func (s SLEDGETheory) FirstStep(power float64) float64 {
	return min(1/(2*s.L),
		float64(s.B)/(math.Pow(cmp.Or(s.C1, 1), power)*s.Zeta*math.Sqrt(60*float64(s.N))))
}

// PLStep is the step size of line 2110 with the constant c in place of Θ.
func (s SLEDGETheory) PLStep(c float64) float64 {
	n, b, c1 := float64(s.N), float64(s.B), cmp.Or(s.C1, 1)
	return c * min(1/s.L, b/(math.Pow(c1, 4.5)*s.Zeta*math.Sqrt(n)), b/(s.Mu*c1*n))
}

// NoiseRadius is a noise radius of order min(ε, δ²/ρ)/L, for the step size eta, that leaves at
// least half of T to the other terms of lines 2002-2018.
func (s SLEDGETheory) NoiseRadius(eta float64) float64 {
	return eta *
		min(s.Eps, s.Curvature*s.Curvature/(math.Sqrt2*cmp.Or(s.CB, 1)*cmp.Or(s.Log, 1)*s.Rho)) / 4
}

// EscapeTime is T_2 = C_d log(δ/(C_bρr_e))/(ηδ) steps (line 1927), half the length of a phase.
func (s SLEDGETheory) EscapeTime(eta float64) float64 {
	return cmp.Or(s.Log, 1) / (eta * s.Curvature)
}

// escapeBatch is min{n, ⌈√n⌉ + ⌈C_b²ζ²/δ²⌉} (line 408, with the bound of
// second-batch-size/corrected), at least B.
func (s SLEDGETheory) escapeBatch() int {
	x := cmp.Or(s.CB, 1) * s.Zeta / s.Curvature
	return max(s.B, int(min(float64(s.N), float64(RootBatch(s.N))+math.Ceil(x*x))))
}

// PrescribedSLEDGE returns SLEDGE with the batch size and option of s and the step size that the
// proof of theorem:First-Main needs, FirstStep with [SLEDGEStepPower].
func PrescribedSLEDGE(s SLEDGETheory) *SLEDGE {
	return &SLEDGE{Eta: s.FirstStep(SLEDGEStepPower), Batch: s.B, Option: s.Option}
}

// PrescribedSecondSLEDGE returns SLEDGE with minibatches of min{n, ⌈√n⌉ + ⌈C_b²ζ²/δ²⌉}, at least B,
// the step size of [PrescribedSLEDGE] and the noise radius of second-noise-radius/corrected
// (theorem:Second-Main).
func PrescribedSecondSLEDGE(s SLEDGETheory) *SLEDGE {
	s.B = s.escapeBatch()
	m := PrescribedSLEDGE(s)
	m.Radius = s.NoiseRadius(m.Eta)
	return m
}

// PrescribedRefinedSLEDGE returns SLEDGE with minibatches of max{B, ⌈√n⌉} and, once in every 2T_2
// steps, of the size of [PrescribedSecondSLEDGE], whose noise radius it shares
// (remark:ReduceDeltaDependency). The step size is that for the small ones.
func PrescribedRefinedSLEDGE(s SLEDGETheory) *SLEDGE {
	large := s.escapeBatch()
	s.B = max(s.B, RootBatch(s.N))
	m := PrescribedSLEDGE(s)
	m.Radius, m.Schedule = s.NoiseRadius(m.Eta),
		EscapeSchedule(int(math.Ceil(s.EscapeTime(m.Eta))), m.Batch, large)
	return m
}

// EscapeSchedule is the minibatch schedule of remark:ReduceDeltaDependency (lines 2023-2024): small
// at all steps but those in the middle of a phase of 2T_2 steps, t = (2τ+1)T_2, where it is large.
func EscapeSchedule(t2, small, large int) func(t int) int {
	return func(t int) int {
		if t%(2*t2) == t2 {
			return large
		}
		return small
	}
}

// prescribedSLEDGE is the prescription of the catalogue.
func prescribedSLEDGE(option Option) func(f *Facts) Prescription {
	return func(f *Facts) Prescription {
		m, theorem := (*SLEDGE)(nil), "theorem:First-Main"
		if f.Goal == SecondOrder {
			m, theorem = PrescribedSecondSLEDGE(secondSLEDGE(f, option)), "theorem:Second-Main"
		} else {
			s := SLEDGETheory{Option: option, N: f.N, B: f.Minibatch(), L: f.NeedL(),
				Zeta: f.NeedZeta()}
			if m = PrescribedSLEDGE(s); f.Goal == UnderPL {
				s.Mu, theorem = f.NeedMu(), "theorem:PL-Main"
				m.Eta = s.PLStep(SLEDGEPLFactor)
			}
		}
		return Prescription{Method: m, Eta: m.Eta, By: theorem + ", C_1 = 1"}
	}
}

// secondSLEDGE asks for what theorem:Second-Main needs.
func secondSLEDGE(f *Facts, option Option) SLEDGETheory {
	L, zeta := f.NeedL(), f.NeedZeta()
	rho, delta := f.NeedCurvature()
	return SLEDGETheory{Option: option, N: f.N, B: f.Batch, L: L, Zeta: zeta, Rho: rho,
		Eps: f.NeedEps(), Curvature: delta}
}

// refinedSLEDGE is SLEDGE with the schedule of remark:ReduceDeltaDependency: the large minibatches
// that escaping needs once in a phase only.
func refinedSLEDGE(option Option) Entry {
	return Entry{
		Name:    "SLEDGE-" + option.String() + " (refined)",
		Summary: "the same with all components once in every 2/(ηδ) steps",
		Source:  "remark:ReduceDeltaDependency, lines 2020-2048",
		New: func(s Setting) Method {
			m := &SLEDGE{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, Option: option}
			m.Schedule = func(t int) int {
				// the size of small minibatches is known once the run has begun
				return EscapeSchedule(wholeSteps(1/(s.Eta*s.Curvature())), m.Batch, math.MaxInt)(t)
			}
			return m
		},
		Prescribed: func(f *Facts) Prescription {
			m := PrescribedRefinedSLEDGE(secondSLEDGE(f, option))
			return Prescription{Method: m, Eta: m.Eta, By: "remark:ReduceDeltaDependency, C_1 = 1"}
		},
	}
}

// wholeSteps is a number of steps, at least one, rounded up.
func wholeSteps(steps float64) int { return int(math.Ceil(max(1, min(steps, 1e9)))) }
