package bounds

// The rates of the theorems as formulas in [Vocabulary], without logarithms: numbers of stochastic gradients for SLEDGE,
// numbers of communication rounds for FLEDGE.
const (
	FirstOneRate  = "(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²"        // theorem:First-Main, Option I (lines 376-379)
	FirstTwoRate  = "n + Δ(ζ√n ∨ Lb)/ε²"                  // the same, Option II
	SecondOneRate = "(LΔ + σ_c²)(1/ε² + ρ²/δ⁴)b"          // theorem:Second-Main, Option I (lines 411-414)
	SecondTwoRate = "n + LΔ(1/ε² + ρ²/δ⁴)b"               // the same, Option II
	PLRate        = "max{Lb/μ, ζ√n/μ, n}"                 // theorem:PL-Main (line 446)
	LowerRate     = "n + Δ(ζ√n + L)/ε²"                   // proposition:LowerBound (line 395)
	FirstRounds   = "1 + max{L/K, ζ√P/p, ζ, L/√(Kb)}Δ/ε²" // theorem:Dist-First-Main (lines 504-506)
	SecondRounds  = "1 + Δ(L/K + ζ)(1/ε² + ρ²/δ⁴)"        // theorem:D-Second-Main (lines 527-528)
	// PLRounds is what theorem:D-PL joins by ∧ (lines 579-588), and adds to 1.
	PLRounds = "{L/(μK), ζ√P/(μp), P/p, ζ/μ, L/(μ√(Kb))}"
)
