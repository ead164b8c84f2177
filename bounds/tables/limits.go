package tables

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/bounds/operating"
	"sledge/props/keyed"
)

// What a theorem allows and what the lower bound asks for, with all constants, at the scenes of a
// sweep. They count what comes after the initialisation, as the costs of runs do.

// constants are those of a scene; they do not depend on how many clients there are.
func (s scene) constants() problems.Constants {
	s.clients, s.data, s.federated = 4, min(4, s.data), true
	p, x0, _ := s.site(keyed.New(0))
	return p.(*operating.Terrain).Constants(x0)
}

// upper bounds the median cost of a method by the theorem in expectation and Markov's inequality,
// NaN where none of this repository's has constants: at second-order stationary points, and for
// data that differ.
func (s scene) upper(method string) float64 {
	c := s.constants()
	L, zeta, gap, sigmaC := c.L.Value, c.Zeta.Value, c.Delta.Value, c.SigmaC.Value
	if s.delta > 0 || c.Sigma.Value > 0 {
		return math.NaN()
	}
	least := s.gap // of f, which bounds the gradient where it is to be small
	if least == 0 {
		least = s.eps * s.eps / (2 * c.LMean.Value)
	}
	linear := func(steps, gap float64) float64 { return steps * max(1, math.Log(2*gap/least)) }
	switch method {
	case "SLEDGE-I", "SLEDGE-II":
		option := algos.OptionII
		if method == "SLEDGE-I" {
			option = algos.OptionI
		}
		n, b := s.clients, s.batch
		e := bounds.ExpectedOfSum(option, n, b, L, zeta, sigmaC)
		if s.mu > 0 {
			eta := bounds.ExpectedPLStep(L, s.mu, zeta, n, b)
			return 2 * float64(b) * linear(1/(eta*s.mu), gap+e.PLStart(eta))
		}
		return 2 * float64(b) * e.Steps(gap, s.eps)
	case "FLEDGE":
		e := bounds.Expected{P: s.clients, Chosen: s.chosen, K: s.local, B: s.batch, L: L,
			Zeta: zeta}
		if s.mu > 0 {
			return linear(1/(e.PLStepSize(s.mu)*s.mu*float64(s.local)), gap)
		}
		return e.Rounds(gap, s.eps)
	}
	return math.NaN()
}

// lower is how many gradients the lower bound asks for beyond the n of the initialisation, NaN
// where it does not apply: it is about nonconvex sums, and methods that stay in the span of
// gradients.
func (s scene) lower() float64 {
	c := s.constants()
	if s.federated || s.mu > 0 || s.delta > 0 || s.eps > math.Sqrt(c.L.Value*c.Delta.Value) {
		return math.NaN()
	}
	least := bounds.LowerBounds(float64(s.clients), c.L.Value, c.Zeta.Value, c.Delta.Value, s.eps)
	return max(least[1], least[2]) // least[0] is paid at the start
}

// rival is a method that is drawn beside one that names none: that of the paper, or the nearest to
// it.
func (s scene) rival(method string) string {
	switch own := map[bool]string{true: "FLEDGE", false: "SLEDGE-II"}[s.federated]; {
	case method != own:
		return own
	case s.federated:
		return "BVR-L-SGD"
	case s.delta > 0:
		return "SSRGD"
	}
	return "PAGE"
}
