package bounds

import (
	"math"
	"testing"

	"sledge/algos"
	"sledge/props"
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
		{"PairCc", pairCc(4), 4 * (512 + 8)},
		{"StuckBatch", float64(stuckBatch(100, 2, 1, 1)), 14},
		{"StuckBatch, capped", float64(stuckBatch(9, 2, 10, 1)), 9},
		{"law of escapes", props.Must(readSearches(stated(t, "escape-time-scaling")[0])).bound.At(
			map[string]float64{"R": 1, "r": 0.1, "d": 2, "η": 0.5, "γ": 0.5}), 4 * math.Ln10},
		{"PLStep, ζ", algos.SLEDGETheory{N: 16, B: 2, C1: 4, L: 1, Mu: 0.01, Zeta: 2}.PLStep(0.5),
			0.5 / 2048},
		{"PLStep, μ", algos.SLEDGETheory{N: 16, B: 2, C1: 4, L: 1, Mu: 1}.PLStep(0.5), 0.5 / 32},
		{"PLStep, L", algos.SLEDGETheory{N: 16, B: 2, C1: 4, L: 1, Mu: 0.01}.PLStep(0.5), 0.5},
	} {
		if math.Abs(f.got-f.want) > 1e-12*f.want {
			t.Errorf("%s = %v, want %v", f.what, f.got, f.want)
		}
	}
}

// algos.SLEDGEPLFactor is the largest constant that works: with all three entries of the minimum
// equal, a thousandth more makes the coefficient negative.
func TestPLStepFactorIsSharp(t *testing.T) {
	coefficient := func(c float64) float64 {
		s := algos.SLEDGETheory{N: 4, B: 4, C1: 1, L: 1, Mu: 1, Zeta: 2}
		eta := s.PLStep(c)
		return 1/(2*eta) - s.L/2 - 15*eta*s.Zeta*s.Zeta*4/(1-eta*s.Mu)/16
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
	near("start", ExpectedOfSum(algos.OptionI, 4, 2, 1, 1, 3).PLStart(0.1),
		1.5*0.1*4/2*(rho/2+0.75*(1+rho/2))*9)
	near("factor", movementFactor(4, 2, 0.5), rho+3*rho*3/4+32*rho*rho/(3-rho))
}
