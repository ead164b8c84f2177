package tables

import (
	"sledge/bounds"
	"sledge/props"
)

// Where entries of table 2 (lines 160-200) are compared, in units with Δ = 1 besides: with b ≥ K (line 510), as the
// entries take it. Entries are numbers of communication rounds without logarithms.
const clientRanges = `L = 1, ρ = 1, Δ = 1, P ∈ [2, 1e12], K ∈ [1, 1e12], z ∈ [1e-12, 1], ζ = 2z, c ∈ [1, 1e6], b = cK,
	σ_c ∈ [1e-8, 1e8], ε ∈ [1e-8, 1], δ ∈ [1e-8, 1], μ ∈ [1e-8, 1], x ∈ [1e-8, 1], y ∈ [1, 1e8], q ∈ [1, 1e12], `

var (
	table2      = symbols.MustDomain(clientRanges + "p = P ∧ q")
	manySampled = symbols.MustDomain(clientRanges + "p = P ∧ q√P, ζ' ∈ [ζ, 1e6 ζ]") // p ≥ √P
)

// Entries of table 2.
const (
	fedAvgEntry     = "σ_c²/(pε⁴) + σ_c/ε³ + 1/ε²"                   // line 174
	scaffoldEntry   = "(P/p)^{2/3}/ε²"                               // line 175
	mimeEntry       = "ζ'σ_c/(√p ε³) + σ_c²/(pε²) + 1/(Kε²) + ζ'/ε²" // MimeMVR, line 176
	roundsEntry     = "1/(Kε²) + ζ√P/(pε²) + ζ/ε²"                   // line 178
	fledgeSOSPEntry = "(1/K + ζ)(1/ε² + 1/δ⁴)"                       // lines 180-181; also that of BVR-L-PSGD
	fledgePLEntry   = "L/(μK) + ζ√P/(μp) + ζ/μ + P/p"                // line 183
)

func table2Claims() []props.Binding {
	rounds := func(rate, entry string) props.Check {
		return table2.Order("1 + " + rate + " = Θ(max{1, " + entry + "})")
	}
	return []props.Binding{
		props.Bind("table2-nonconvex", rounds(bounds.RepairedRounds, roundsEntry)),
		props.Bind("table2-nonconvex/corrected", props.All(
			rounds(bounds.RepairedRounds, roundsEntry+" + √P/(p√(Kb)ε²)"),
			manySampled.Order("√P/(p√(Kb)ε²) = O(1/(Kε²))"))),
		props.Bind("table2-sosp", props.All(
			rounds(bounds.SecondRounds, fledgeSOSPEntry),
			table2.Order("δ = xζ, b = max{K, 1/(Kζ²)}; √P + ζ²/δ² + 1/(Kbδ²) = O(√P + ζ²/δ²)"))),
		props.Bind("table2-pl", table2.Order("1 + "+bounds.RepairedPLRounds+" = Θ("+fledgePLEntry+")")),
		props.Bind("table2-pl/corrected", props.All(
			table2.Order("1 + "+bounds.RepairedPLRounds+" = Θ("+fledgePLEntry+" + L√P/(μp√(Kb)))"),
			manySampled.Order("L√P/(μp√(Kb)) = O(L/(μK))"))),
		props.Bind("table2-dominance", props.All(
			manySampled.Order(roundsEntry+" = O("+fedAvgEntry+")"),
			manySampled.Order(roundsEntry+" = O("+scaffoldEntry+")"),
			manySampled.Order(roundsEntry+" = O("+mimeEntry+")"))),
	}
}
