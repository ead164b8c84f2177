package claims

import (
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/settle"
)

// atMinimum says what strong convexity is at x and the minimiser x*: F = f(x) − f*, g = ‖∇f(x)‖, d =
// ‖x* − x‖, for the direction of x* − x that leaves F most room.
var atMinimum = formula.NewVocabulary(formula.Symbol{Name: "μ", Unit: props.Unit{F: 1, X: -2}},
	formula.Symbol{Name: "F", Unit: props.Unit{F: 1}},
	formula.Symbol{Name: "g", Unit: props.Unit{F: 1, X: -1}},
	formula.Symbol{Name: "d", Unit: props.Unit{X: 1}}).
	MustDomain("μ ∈ [1e-3, 1e3], g ∈ [1e-3, 1e3], d ∈ [1e-3 (g/μ), 2(g/μ)]")

// checkStrongConvexity compares ‖∇f(x)‖² with a multiple of μ(f(x) − f*).
func checkStrongConvexity(factor string) *props.Deterministic {
	return atMinimum.Implies("F ≤ g d − μd²/2; g² ≥ " + factor + "μF")
}

// strongConvexity is f(x*) ≥ f(x) + ⟨∇f(x), d⟩ + (μ/2)‖d‖² for d = x* − x, with F = f(x) − f*.
var strongConvexity = settle.Squares{Symbols: "μ F ‖∇f‖² ⟨∇f,d⟩ ‖d‖²",
	Domain: "μ ≥ 0; F + ⟨∇f,d⟩ + (μ/2)‖d‖² ≤ 0", Statement: "‖∇f‖² ≥ 2μF", Vectors: "g d",
	Products: map[string][2]string{"‖∇f‖²": settle.Norm("g"),
		"⟨∇f,d⟩": {"g", "d"}, "‖d‖²": settle.Norm("d")}}.By([]certificate.Summand{
	settle.Fact("2μ", "F + ⟨∇f,d⟩ + (μ/2)‖d‖² ≤ 0"), settle.Square("1", "g + μd")})

func convexityClaims() []props.Binding {
	return []props.Binding{
		props.Bind("strong-convexity-implies-pl",
			props.Settled(checkStrongConvexity("2"), strongConvexity)),
	}
}
