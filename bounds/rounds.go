package bounds

import (
	"math"

	"sledge/algos"
	"sledge/props"
)

// supports checks that 1/(ηK) for a list of step sizes has the order of the rounds, and that the list lets the loss of the variance lemma be
// paid: η² times the loss stays bounded, C_1 = 1.
func supports(data func(s Parameters) float64, withClients bool, rounds func(s Parameters) float64) props.Check {
	return props.All(
		props.SameOrder(func(src *props.Source) (float64, float64) {
			s := drawOrders(src)
			s.Data = data(s)
			return rounds(s), s.InverseStep(withClients) / s.K
		}),
		props.Order(func(src *props.Source) (float64, float64) {
			s := drawOrders(src)
			s.Data = data(s)
			return s.MovementLoss(dataFactor), sq(s.InverseStep(withClients))
		}))
}

// drawLarge draws parameters with p ≥ √P and b ≥ K, L = Δ = 1 unless free.
func drawLarge(src *props.Source, free bool) Parameters {
	s := Parameters{P: SeveralUpTo(src, "P", 1e9), K: AtLeastOne(src, "K", 1e9), L: 1, Delta: 1, Eps: AtMostOne(src, "ε", 1e-6)}
	if free {
		s.L, s.Delta = src.LogReal("L", 1e-3, 1e3), src.LogReal("Delta", 1e-3, 1e3)
		s.Eps *= math.Sqrt(2 * s.L * s.Delta)
	}
	s.Chosen = math.Pow(s.P, src.Real("log p / log P", 0.5, 1))
	s.B = s.K * AtLeastOne(src, "b/K", 1e6)
	s.Zeta = 2 * s.L * AtMostOne(src, "ζ/2L", 1e-9)
	s.Data = s.L
	return s
}

// communication is P + p times the rounds, the number of vectors sent up to a constant: 2 to the worker, one each to p clients and 2p back in a round.
func (s Parameters) communication() float64 { return s.P + s.Chosen*(1+s.NeededRounds()) }

func roundsClaims() []props.Binding {
	pKb := func(c *fledgeComplexity, T float64) float64 { // gradients of T rounds: 2pKb of the sampled clients and 2b(K−1) of the worker
		return c.P*c.K*c.B + T*(2*c.Chosen*c.K*c.B+2*c.B*(c.K-1))
	}
	return []props.Binding{
		props.Bind("dist-step-size-list", supports(func(s Parameters) float64 { return s.Zeta }, false, Parameters.StatedRounds)),
		props.Bind("dist-step-size-list/corrected", supports(func(s Parameters) float64 { return s.L }, true, Parameters.NeededRounds)),
		props.Bind("dist-rounds-option-two", props.All(
			fledgeOrderOf(algos.OptionII, ofData, theRounds, func(c *fledgeComplexity, _ float64) float64 { return 1 + c.StatedRounds() }),
			longWay("rounds / claimed rounds", 6, 2, func(s Parameters, took float64) float64 { return took / (1 + s.StatedRounds()) }))),
		props.Bind("dist-rounds-option-two/corrected", props.All(
			fledgeOrderOf(algos.OptionII, ofData, theRounds, func(c *fledgeComplexity, _ float64) float64 { return 1 + c.NeededRounds() }),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawLarge(src, true)
				return s.StatedRounds(), s.NeededRounds()
			}),
			props.Dimensional(props.Unit{}, parameterUnits, map[string]func(props.Values) float64{
				"the rounds": func(v props.Values) float64 { return parametersOf(v).NeededRounds() },
				"the horizon": func(v props.Values) float64 {
					s := parametersOf(v)
					return 4 * s.Delta / (s.StepSize(FLEDGENeededStepPower) * sq(s.Eps))
				},
			}))),
		props.Bind("dist-gradients-option-two", fledgeOrderOf(algos.OptionII, ofData, pKb, func(c *fledgeComplexity, _ float64) float64 {
			c.Data = c.Zeta
			return c.P*c.K*c.B + c.InverseStep(true)*c.Delta*c.Chosen*c.B/sq(c.Eps)
		})),
		props.Bind("dist-gradients-option-two/corrected", fledgeOrderOf(algos.OptionII, ofData, pKb, func(c *fledgeComplexity, _ float64) float64 {
			return c.P*c.K*c.B + c.InverseStep(true)*c.Delta*c.Chosen*c.B/sq(c.Eps)
		})),
		props.Bind("dist-option-one-combination", fledgeOrderOf(algos.OptionI, ofClients, theRounds, func(c *fledgeComplexity, _ float64) float64 {
			a, b := c.optionOneTerms()
			return 1 + min(a, b)
		})),
		props.Bind("dist-option-one-combination/corrected", fledgeOrderOf(algos.OptionI, ofData, theRounds, func(c *fledgeComplexity, _ float64) float64 {
			a, b := c.optionOneTerms()
			return 1 + max(a, b)
		})),
		props.Bind("text-rounds-large-p", props.Order(func(src *props.Source) (float64, float64) {
			s := drawLarge(src, false)
			return 1 + s.NeededRounds(), 1 + (s.Zeta/s.K+s.Zeta)/sq(s.Eps)
		})),
		props.Bind("text-rounds-large-p/corrected", props.All(
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawLarge(src, true)
				return 1 + s.NeededRounds(), 1 + (s.L/s.K+s.Zeta)*s.Delta/sq(s.Eps)
			}),
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				s := drawLarge(src, true)
				target := s.Delta / sq(s.Eps)
				s.K = max(s.K, s.L*target)
				s.B = max(s.B, s.K)
				s.Zeta = min(s.Zeta, 1/target)
				rec.AtMost("1 + LΔ/(Kε²) + ζΔ/ε² for K ≥ LΔ/ε², ζ ≤ ε²/Δ", 1+(s.L/s.K+s.Zeta)*target, 3)
				rec.AtMost("1 + rounds for K ≥ LΔ/ε², ζ ≤ ε²/Δ", 1+s.NeededRounds(), 2)
			}))),
		props.Bind("text-communication-bound", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawLarge(src, false)
				return s.communication(), s.P + s.Zeta*math.Sqrt(s.P)/sq(s.Eps)
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawLarge(src, true)
				s.Chosen = math.Sqrt(s.P)
				s.K = max(s.K, 1/s.Zeta)
				s.B = max(s.B, s.K)
				return s.communication(), s.P + s.Zeta*math.Sqrt(s.P)*s.Delta/sq(s.Eps)
			}))),
		props.Bind("text-communication-bound/corrected", props.SameOrder(func(src *props.Source) (float64, float64) {
			s := drawLarge(src, true)
			s.Chosen = math.Sqrt(s.P)
			s.K = max(s.K, s.L/s.Zeta)
			s.B = max(s.B, s.K)
			return s.communication(), s.P + s.Zeta*math.Sqrt(s.P)*s.Delta/sq(s.Eps)
		})),
	}
}
