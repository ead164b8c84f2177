package bounds

import (
	"math"
	"testing"

	"pgregory.net/rapid"

	"sledge/algos"
)

// The formulas of the second-order theorem and of the PL theorem at round numbers, from their
// displays by hand.
func TestLaterFormulas(t *testing.T) {
	for _, f := range []struct {
		what      string
		got, want float64
	}{
		{"PhaseStepSize, smooth", phaseStepSizeAt(1, 1e-9, 30, 3, 4), 0.25},
		{"PhaseStepSize, heterogeneous", phaseStepSizeAt(1, 2, 30, 3, 4), 3 / (512 * 2 * 60.)},
		{"PairError", pairError(2, 3, 0.5, 0.1, 4, 9, 4), 0.3 + 3*2 + 0.5*3},
		{"PairCc", pairCc(4), 4 * (512 + 8)},
		{"StuckBatch", float64(stuckBatch(100, 2, 1, 1)), 14},
		{"StuckBatch, capped", float64(stuckBatch(9, 2, 10, 1)), 9},
		{"ErrorShare", (&hypothesis{C1: 4, C: 6, Cc: 2}).ErrorShare(), 2},
		{"ErrorInduction", errorInduction(2, 3, 0.5, 0.25, 0.1, 4, 6, 2, 16, 4),
			0.2 * (1.5 + 36 + 2)},
		{"EscapeLaw", escapeLaw(1, 0.1, 2, 0.5, 0.5), 4 * math.Ln10},
		{"PLStep, ζ", algos.SLEDGETheory{N: 16, B: 2, C1: 4, L: 1, Mu: 0.01, Zeta: 2}.PLStep(0.5),
			0.5 / 2048},
		{"PLStep, μ", algos.SLEDGETheory{N: 16, B: 2, C1: 4, L: 1, Mu: 1}.PLStep(0.5), 0.5 / 32},
		{"PLStep, L", algos.SLEDGETheory{N: 16, B: 2, C1: 4, L: 1, Mu: 0.01}.PLStep(0.5), 0.5},
		{"PLNoiseRadius", plNoiseRadiusAt(0.5, 0.12, 1), 0.1},
	} {
		if math.Abs(f.got-f.want) > 1e-12*f.want {
			t.Errorf("%s = %v, want %v", f.what, f.got, f.want)
		}
	}
}

// drawnPLRun returns parameters of the PL theorem.
func drawnPLRun(t *rapid.T) plRun {
	n := rapid.IntRange(1, 1000).Draw(t, "n")
	s := plRun{SLEDGETheory: algos.SLEDGETheory{N: n, L: 1,
		Option: algos.Option(rapid.IntRange(0, 1).Draw(t, "option")),
		B:      rapid.IntRange(1, n).Draw(t, "b"), C1: rapid.Float64Range(1, 20).Draw(t, "C1"),
		Mu:   rapid.Float64Range(1e-3, 1).Draw(t, "mu"),
		Zeta: rapid.Float64Range(0, 2).Draw(t, "zeta")},
		Delta: rapid.Float64Range(1e-3, 1e3).Draw(t, "gap"), SigmaC: rapid.Float64Range(0,
			1e3).Draw(t, "sigma"), GC: rapid.Float64Range(0, 1e3).Draw(t, "G")}
	s.Eta = s.PLStep(algos.SLEDGEPLFactor)
	return s
}

// After the horizon of the PL proof its bound is at most ε, and a tenth earlier one of the terms is
// above ε/3.
func TestPLHorizon(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := drawnPLRun(t)
		eps := s.Delta * rapid.Float64Range(1e-6, 0.5).Draw(t, "eps")
		s.R = plNoiseRadiusAt(s.Eta, s.Mu, eps)
		T := s.PLHorizon(eps)
		if got := s.Bound(int(T)); got > eps*(1+1e-9) {
			t.Errorf("bound %v after %v steps, want at most %v", got, T, eps)
		}
		// 1 − ημ is less than exp(−ημ), by which T is chosen and rounded up.
		x := s.Eta * s.Mu
		if early := int(0.9 * (T - 1) * x / -math.Log1p(-x)); early > 1 && s.Decay(float64(early))*s.Delta <= eps/3 &&
			s.InitialTerm(early) <= eps/3 {
			t.Errorf("both terms are at most ε/3 = %v after %d of %v steps", eps/3, early, T)
		}
	})
}

// The closed form of the noise term is the sum that it stands for.
func TestNoiseTerm(t *testing.T) {
	s := plRun{SLEDGETheory: algos.SLEDGETheory{Mu: 0.7}, Eta: 0.3, R: 0.2}
	sum := 0.0
	for T := 1; T <= 30; T++ {
		sum = 0
		for k := 1; k <= T; k++ {
			sum += math.Pow(1-0.21, float64(T-k)) * 0.04 / 0.3
		}
		if got := s.NoiseTerm(T); math.Abs(got-sum) > 1e-12 {
			t.Errorf("T = %d: %v, want %v", T, got, sum)
		}
	}
	if floor := s.R * s.R / (s.Eta * s.Eta * s.Mu); math.Abs(floor-sum) > 0.01*sum || sum > floor {
		t.Errorf("floor %v, sum %v", floor, sum)
	}
}

// algos.SLEDGEPLFactor is the largest constant that works: with all three entries of the minimum
// equal, a thousandth more makes the coefficient negative.
func TestPLStepFactorIsSharp(t *testing.T) {
	coefficient := func(c float64) float64 {
		s := plRun{SLEDGETheory: algos.SLEDGETheory{N: 4, B: 4, C1: 1, L: 1, Mu: 1, Zeta: 2}}
		s.Eta = s.PLStep(c)
		return 1/(2*s.Eta) - s.L/2 - 15*s.Eta*s.Zeta*s.Zeta*4*s.Decay(-s.Window())/16
	}
	at, above := coefficient(algos.SLEDGEPLFactor), coefficient(1.001*algos.SLEDGEPLFactor)
	if math.Abs(at) > 1e-12 || above >= 0 {
		t.Errorf("coefficient %v at the constant and %v above it, want 0 and less", at, above)
	}
}

func TestExpectedPL(t *testing.T) {
	near := func(what string, got, want float64) {
		t.Helper()
		if math.Abs(got-want) > 1e-12*math.Abs(want) {
			t.Errorf("%s: %v, want %v", what, got, want)
		}
	}
	near("step, smoothness", ExpectedPLStep(2, 0.01, 0.001, 4, 2), 0.25)
	near("step, heterogeneity", ExpectedPLStep(2, 0.01, 1, 60, 2), 2.0/60)
	near("step, passes", ExpectedPLStep(2, 1, 0.001, 60, 2), 2.0/180)
	rho := 2.0 / 3
	near("start", ExpectedPLStart(algos.OptionI, 0.1, 4, 2, 3),
		1.5*0.1*4/2*(rho/2+0.75*(1+rho/2))*9)
	near("factor", movementFactor(4, 2, 0.5), rho+3*rho*3/4+32*rho*rho/(3-rho))
}
