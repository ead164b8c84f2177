package federated

import (
	"math"

	"sledge/algos"
	"sledge/bounds"
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
	s := Parameters{P: bounds.SeveralUpTo(src, "P", 1e9), K: bounds.AtLeastOne(src, "K", 1e9), L: 1, Delta: 1, Eps: bounds.AtMostOne(src, "ε", 1e-6)}
	if free {
		s.L, s.Delta = src.LogReal("L", 1e-3, 1e3), src.LogReal("Delta", 1e-3, 1e3)
		s.Eps *= math.Sqrt(2 * s.L * s.Delta)
	}
	s.Chosen = math.Pow(s.P, src.Real("log p / log P", 0.5, 1))
	s.B = s.K * bounds.AtLeastOne(src, "b/K", 1e6)
	s.Zeta = 2 * s.L * bounds.AtMostOne(src, "ζ/2L", 1e-9)
	s.Data = s.L
	return s
}

// communication is P + p times the rounds, the number of vectors sent up to a constant: 2 to the worker, one each to p clients and 2p back in a round.
func (s Parameters) communication() float64 { return s.P + s.Chosen*(1+s.NeededRounds()) }

func roundsClaims() []props.Claim {
	const part, label = "fledge-first-order", "theorem:Dist-First-Main"
	pKb := func(c *complexity, T float64) float64 { // gradients of T rounds: 2pKb of the sampled clients and 2b(K−1) of the worker
		return c.P*c.K*c.B + T*(2*c.Chosen*c.K*c.B+2*c.B*(c.K-1))
	}
	return []props.Claim{
		{
			ID: "dist-step-size-list", Part: part, Tier: 1, Kind: "implication", Lines: "501, 2196-2198", Label: label,
			Holds:     []string{"claimed/measured"},
			Statement: `η = Θ̃(1/L ∧ p√b/(ζ√(PK)) ∧ 1/(ζK) ∧ √b/(L√K)) supports the stated communication rounds (1/(ηK) has the shape of the stated rounds)`,
			Notes: "The list lacks the entry p/(ζ√P K) that the proof has (line 2547). So 1/(ηK) lacks the stated ζ√P/p, which is larger by √(Kb) than the entry ζ√P/(p√(Kb)) that it has, and the step is too long for the loss of the " +
				"variance lemma: η² times the loss is not bounded. For p ≥ √P the missing entry is implied by 1/(ζK). And p√b/(ζ√(PK)) must be p√b/(L√(PK)), see dist-lemma-d.",
			Uses:   []string{"dist-step-size-formula"},
			Expect: props.Refuted,
			Check:  supports(func(s Parameters) float64 { return s.Zeta }, false, Parameters.StatedRounds),
		},
		{
			ID: "dist-step-size-list/corrected", Part: part, Tier: 1, Kind: "implication", Lines: "501, 2196-2198", Label: label,
			Statement: `η = Θ̃(1/L ∧ p/(ζ√P K) ∧ p√b/(L√(PK)) ∧ 1/(ζK) ∧ √b/(L√K)) supports (L/K ∨ ζ√P/p ∨ L√P/(p√(Kb)) ∨ ζ ∨ L/√(Kb))Δ/ε² rounds: 1/(ηK) has that shape, and η² times the loss of the variance lemma is bounded up to logarithms`,
			Uses:      []string{"dist-step-size-formula/corrected"},
			Expect:    props.Consistent,
			Check:     supports(func(s Parameters) float64 { return s.L }, true, Parameters.NeededRounds),
		},
		{
			ID: "dist-rounds-option-two", Part: part, Tier: 1, Kind: "complexity", Lines: "505-510, 2222-2227", Label: label,
			Holds:     []string{"C_1 against 40 + 3·log((PKb/ν)(LΔ/ε²)(1 + (G + G_c)/ε))"},
			Statement: `Option II finds ε-stationary points in Õ(1 + (L/K ∨ ζ√P/p ∨ ζ ∨ L/√(Kb))Δ/ε²) rounds, for all p`,
			Notes: "False for p < √P, where the minibatches of the sampled clients cost L√P/(p√(Kb)) and not ζ√P/(p√(Kb)) (dist-lemma-d). First the formula: the rounds of the repaired proof exceed the stated ones without bound. Then the method: P = (LΔ/ε²)² clients that agree, " +
				"ζ = 0, data with bounded noise σ = ε, p = K = b = 1, on a slope of length Δ/ε. The stated rounds are Õ(LΔ/ε²). With the best of several step sizes, the stated 1/(2L) and smaller ones, FLEDGE needs rounds that grow almost like the square of that, as SARAH " +
				"without restarts does: the ratio to the explicit rounds with L in all places, one power of C_1 included, grows like κ^{0.7}. For p ≥ √P the statement is true (dist-reaches-target).",
			Uses:   []string{"dist-horizon-option-two", "dist-step-size-formula", "dist-batch-size-condition", "assumption:GlobalInfimum"},
			Expect: props.Refuted,
			Check: props.All(
				orderOf(algos.OptionII, ofData, theRounds, func(c *complexity, _ float64) float64 { return 1 + c.StatedRounds() }),
				longWay("rounds / claimed rounds", 6, 2, func(s Parameters, took float64) float64 { return took / (1 + s.StatedRounds()) })),
		},
		{
			ID: "dist-rounds-option-two/corrected", Part: part, Tier: 1, Kind: "complexity", Lines: "505-510, 2222-2227", Label: label,
			Statement: `Option II finds ε-stationary points in Õ(1 + (L/K ∨ ζ√P/p ∨ L√P/(p√(Kb)) ∨ ζ ∨ L/√(Kb))Δ/ε²) rounds, for all p; for p ≥ √P that is Õ(1 + (L/K ∨ ζ ∨ L/√(Kb))Δ/ε²), as stated`,
			Notes:     "Compared with the explicit number of rounds: step size with K² and L for ζ in the second term, factor 4, C_1 = log(PT/ν), at least log(1/ν + P + T + K), up to C_1^{5.5}; ε² ≤ 2LΔ, otherwise x⁰ is stationary already. The runs of the printed form stay within it.",
			Uses:      []string{"dist-horizon-option-two/corrected", "dist-step-size-formula/corrected", "dist-batch-size-condition", "assumption:GlobalInfimum"},
			// The order holds up to constants for the explicit formula, the slope is that of the method.
			Expect: props.Consistent,
			Check: props.All(
				orderOf(algos.OptionII, ofData, theRounds, func(c *complexity, _ float64) float64 { return 1 + c.NeededRounds() }),
				props.SameOrder(func(src *props.Source) (float64, float64) {
					s := drawLarge(src, true)
					return s.StatedRounds(), s.NeededRounds()
				}),
				props.Dimensional(props.Unit{}, parameterUnits, map[string]func(props.Values) float64{
					"the rounds": func(v props.Values) float64 { return parametersOf(v).NeededRounds() },
					"the horizon": func(v props.Values) float64 {
						s := parametersOf(v)
						return 4 * s.Delta / (s.StepSize(NeededStepPower) * sq(s.Eps))
					},
				})),
		},
		{
			ID: "dist-gradients-option-two", Part: part, Tier: 2, Kind: "complexity", Lines: "2217-2220", Label: label,
			Holds:     []string{"C_1 against 40 + 3·log((PKb/ν)(LΔ/ε²)(1 + (G + G_c)/ε))"},
			Statement: `Option II gradients are PKb plus pKb times the rounds: (L ∨ ζ√PK/p ∨ ζ√(PK)/(p√b) ∨ ζK ∨ L√K/√b)Δpb/ε²`,
			Notes: "False for p < √P, as dist-rounds-option-two: L√(PK)/(p√b) stands in the place of ζ√(PK)/(p√b), and no other entry covers it. First the formula: the gradients PKb + T(2pKb + 2b(K−1)) of the repaired proof exceed the stated ones without bound. As arithmetic, from the " +
				"rounds of the printed lemma, the number is right. The runs are those of dist-rounds-option-two; with P = LΔ/ε² clients their gradients outgrow the stated ones and one power of C_1 by κ^{0.2} to κ^{0.4}, too little to be told from other logarithms on a short grid.",
			Uses:   []string{"dist-rounds-option-two", "fledge-gradient-count"},
			Expect: props.Refuted,
			Check: orderOf(algos.OptionII, ofData, pKb, func(c *complexity, _ float64) float64 {
				c.Data = c.Zeta
				return c.P*c.K*c.B + c.InverseStep(true)*c.Delta*c.Chosen*c.B/sq(c.Eps)
			}),
		},
		{
			ID: "dist-gradients-option-two/corrected", Part: part, Tier: 2, Kind: "complexity", Lines: "2217-2220", Label: label,
			Statement: `Option II gradients are PKb plus pKb times the rounds of dist-rounds-option-two/corrected: PKb + (L ∨ ζ√PK/p ∨ L√(PK)/(p√b) ∨ ζK ∨ L√K/√b)Δpb/ε²; for p ≥ √P as stated`,
			Notes:     "PKb + T(2pKb + 2b(K−1)) gradients for the explicit number of rounds T of the repaired proof, up to C_1^{5.5}. The 1 in the rounds is covered by PKb.",
			Uses:      []string{"dist-rounds-option-two/corrected", "fledge-gradient-count"},
			Expect:    props.Consistent,
			Check: orderOf(algos.OptionII, ofData, pKb, func(c *complexity, _ float64) float64 {
				return c.P*c.K*c.B + c.InverseStep(true)*c.Delta*c.Chosen*c.B/sq(c.Eps)
			}),
		},
		{
			ID: "dist-option-one-combination", Part: part, Tier: 1, Kind: "complexity", Lines: "2201-2212, 2568-2573", Label: label,
			Holds:     []string{"C_1 against 40 + 3·log((PKb/ν)(LΔ/ε²)(1 + (G + G_c)/ε))"},
			Statement: `Option I needs Õ(A ∧ B) with A = (L/K ∨ ζ√P/p ∨ …)Δ/ε² and B = (σ²P/(p²Kb) ∨ PG²/(p³K²b²) ∨ Pσ_c²/p² ∨ PG_c²/p³)/ε² rounds`,
			Notes: "The horizon is the sum of the two (dist-horizon-option-one), so the order is A ∨ B; the minimum is smaller without bound. It would even be absurd: B = 0 where all data are alike. Compared with the explicit " +
				"rounds of the printed lemma; one round is granted.",
			Uses:   []string{"dist-horizon-option-one", "dist-step-size-formula"},
			Expect: props.Refuted,
			Check: orderOf(algos.OptionI, ofClients, theRounds, func(c *complexity, _ float64) float64 {
				a, b := c.optionOneTerms()
				return 1 + min(a, b)
			}),
		},
		{
			ID: "dist-option-one-combination/corrected", Part: part, Tier: 1, Kind: "complexity", Lines: "2201-2212, 2568-2573", Label: label,
			Statement: `Option I needs Õ(1 + (A ∨ B)) with A = (L/K ∨ ζ√P/p ∨ L√P/(p√(Kb)) ∨ ζ ∨ L/√(Kb))Δ/ε² and B = (σ²P/(p²Kb) ∨ PG²/(p³K²b²) ∨ Pσ_c²/p² ∨ PG_c²/p³)/ε² rounds`,
			Notes:     "With L in the entry that comes from dist-lemma-d.",
			Uses:      []string{"dist-horizon-option-one", "dist-step-size-formula/corrected"},
			Expect:    props.Consistent,
			Check: orderOf(algos.OptionI, ofData, theRounds, func(c *complexity, _ float64) float64 {
				a, b := c.optionOneTerms()
				return 1 + max(a, b)
			}),
		},
		{
			ID: "text-rounds-large-p", Part: part, Tier: 1, Kind: "complexity", Lines: "512",
			Statement: `p ≥ √P and b ≥ K: FLEDGE requires only Õ(ζ/(Kε²) + ζ/ε²) rounds, approaching Θ̃(1) as K → ∞, ζ → 0`,
			Notes: "ζ/(Kε²) is a misprint for L/(Kε²): as printed it is never larger than ζ/ε² and K would not matter. The rounds of the theorem exceed the printed expression, even where 1 is granted, by L/(ζK) for ζ → 0. Checked with L = Δ = 1; the printed term also " +
				"lacks Δ.",
			Uses:   []string{"dist-rounds-option-two"},
			Expect: props.Refuted,
			Check: props.Order(func(src *props.Source) (float64, float64) {
				s := drawLarge(src, false)
				return 1 + s.NeededRounds(), 1 + (s.Zeta/s.K+s.Zeta)/sq(s.Eps)
			}),
		},
		{
			ID: "text-rounds-large-p/corrected", Part: part, Tier: 1, Kind: "complexity", Lines: "512",
			Statement: `p ≥ √P and b ≥ K: FLEDGE requires only Õ(1 + LΔ/(Kε²) + ζΔ/ε²) rounds, approaching Θ̃(1) as K → ∞, ζ → 0`,
			Notes:     "Both ways. The limit is taken at the far end of the range: with K ≥ LΔ/ε² and ζΔ ≤ ε² three rounds remain.",
			Uses:      []string{"dist-rounds-option-two/corrected"},
			Expect:    props.Consistent,
			Check: props.All(
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
				})),
		},
		{
			ID: "text-communication-bound", Part: part, Tier: 2, Kind: "complexity", Lines: "227, 512-514",
			Statement: `Under p ≥ √P, b ≥ K (line 514), respectively p = √P and K ≥ 1/ζ (line 227), communication complexity is Õ(P + ζ√P/ε²)`,
			Notes: "Communication is P + p times the rounds. Line 514: p may be as large as P, where p·ζ/ε² exceeds ζ√P/ε² by √P, and K ≥ L/ζ is missing, without which p·L/(Kε²) remains. Line 227: with K ≥ 1/ζ the term is L/K ≤ Lζ, at most ζ only " +
				"if L ≤ 1 (the units of table 2, where it is right); b ≥ K must be added. Each is checked in its own words, line 514 with L = Δ = 1, line 227 with free L and with b ≥ K.",
			Uses:   []string{"dist-rounds-option-two", "fledge-communication-count"},
			Expect: props.Refuted,
			Check: props.All(
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
				})),
		},
		{
			ID: "text-communication-bound/corrected", Part: part, Tier: 2, Kind: "complexity", Lines: "227, 512-514",
			Statement: `Under p = √P, K ≥ L/ζ and b ≥ K communication complexity is Õ(P + ζ√PΔ/ε²)`,
			Notes:     "Both ways, for all L and Δ.",
			Uses:      []string{"dist-rounds-option-two/corrected", "fledge-communication-count/corrected"},
			Expect:    props.Consistent,
			Check: props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawLarge(src, true)
				s.Chosen = math.Sqrt(s.P)
				s.K = max(s.K, s.L/s.Zeta)
				s.B = max(s.B, s.K)
				return s.communication(), s.P + s.Zeta*math.Sqrt(s.P)*s.Delta/sq(s.Eps)
			}),
		},
	}
}
