package settle_test

import (
	"context"
	"runtime/debug"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
	"sledge/props/settle"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// Statements that are true are proved, their false twins are not, and the scope says which ranges a
// proof needs.
func TestCoefficients(t *testing.T) {
	var c *certificate.Certificate
	keeping := func(p *formula.Problem, _ props.Tier) (*certificate.Certificate, string) {
		var why string
		c, why = settle.Coefficients(p, props.Standard)
		return c, why
	}
	words := formula.NewVocabulary(formula.Symbol{Name: "n", Kind: formula.Count, Lo: 2, Hi: 1000},
		formula.Symbol{Name: "b", Kind: formula.Count},
		formula.Symbol{Name: "T",
			Kind: formula.Count}, formula.Symbol{Name: "L"}, formula.Symbol{Name: "ζ"},
		formula.Symbol{Name: "η"},
		formula.Symbol{Name: "μ"}, formula.Symbol{Name: "Δ"},
		formula.Symbol{Name: "ε"}).Settling(keeping)
	for i, test := range []struct {
		domain, statement string
		scope             certificate.Scope // empty if there is no proof
		within            string            // part of the certificate's domain
	}{
		{"b ∈ [1, n], ζ ∈ [1e-9 L, 2L]", "η = min{1/(2L), b/(ζ√(60n))}; L/2 + 15ηζ²n/b² ≤ 1/(2η)",
			certificate.All, "ζ > 0"},
		{"b ∈ [1, n], ζ ∈ [1e-9 L, 2L]",
			"η = min{1/(2L), b/(ζ√(59n))}; L/2 + 15ηζ²n/b² ≤ 1/(2η)", "", ""},
		{"b ∈ [1, n]", "1/(n − 1) ≤ 2/n", certificate.All, "n ≥ 2"},
		{"b ∈ [1, n]", "1/(n − 1) ≤ 1.9/n", "", ""},
		{"T ∈ [1, 20]", "T² ≤ 20T", certificate.Sizes, "T ≤ 20"},
		{"T ∈ [1, 20]", "T² ≤ 19T", "", ""},
		{"T ∈ [1, 20]", "T² ≥ T", certificate.All, "T ≥ 1"},
		{"μ ∈ [1e-3, 1], η ∈ [1e-6(1/μ), 1/μ]", "0 ≤ (1 − ημ)^T ≤ 1", certificate.All, "η ≤ 1/μ"},
		{"μ ∈ [1e-3, 1], η ∈ [1e-6(1/μ), 3(1/μ)]", "(1 − ημ)^T ≤ 1", "", ""},
		{"b ∈ [1, n]", "b ≤ √(b n) ≤ n", certificate.All, "b ≤ n"},
		{"b ∈ [1, n]", "√(b n) ≤ b", "", ""},
		{"L, ζ ∈ [1e-6 L, L], b ∈ [1, L/ζ]", "T = ⌈1 + 1/(ηζ)⌉; η ≤ 1/L; T ≤ 3/(ηζ)",
			certificate.All, "ζ ≤ L"},
		{"L, ζ ∈ [1e-6 L, L], b ∈ [1, L/ζ]", "T = ⌈1 + 1/(ηζ)⌉; η ≤ 1/L; T ≤ 2/(ηζ)", "", ""},
		{"Δ ∈ [ε, 1e9 ε], μ, η ∈ [1e-9(1/μ), 0.5(1/μ)]", "L ≥ log(3Δ/ε)/(ημ); (1 − ημ)^L Δ ≤ ε/3",
			certificate.All, "η ≤ 0.5(1/μ)"},
		{"Δ ∈ [ε, 1e9 ε], μ, η ∈ [1e-9(1/μ), 0.5(1/μ)]",
			"L ≥ log(2Δ/ε)/(ημ); (1 − ημ)^L Δ ≤ ε/3", "", ""},
		{"L", "(L + μ)² = L² + 2L μ + μ²", certificate.All, "L > 0"},
		{"L", "(L + μ)² = L² + L μ + μ²", "", ""},
		{"L ∈ [1e-3, 1]", "min{L, μ} ≤ L + μ", certificate.All, "L > 0"},
		{"L ∈ [1e-3, 1]", "max{L, μ} ≤ L", "", ""},
	} {
		if testing.Short() && test.scope == "" && i%6 > 0 {
			continue // every way to a proof is tried of what is false
		}
		check, err := words.MustDomain(test.domain).Implication(test.statement)
		if err != nil {
			t.Fatal(err)
		}
		r, err := props.Run(context.Background(), []props.Claim{{ID: "a", Check: check}},
			props.Config{Check: checker.Check})
		if err != nil {
			t.Fatal(err)
		}
		switch {
		case test.scope == "" && c != nil:
			t.Errorf("%s is false, and has the proof %s", test.statement, c.Proof)
		case test.scope == "" && r[0].Verdict != props.Refuted:
			t.Errorf("%s is to be a control, but it is %v", test.statement, r[0].Verdict)
		case test.scope == "":
		case c == nil:
			t.Errorf("%s is not proved: %s", test.statement, r[0].Evidence[0].Unsettled)
		case r[0].Verdict != props.Proved || c.Scope != test.scope ||
			!strings.Contains(c.Domain, test.within):
			t.Errorf("%s is %v by a certificate of scope %s on %s; %s", test.statement,
				r[0].Verdict, c.Scope, c.Domain, r[0].Err)
		}
	}
}

// What is assumed of no point at all has no proof that the checker would refuse.
func TestNothingIsProvedOfNoPoint(t *testing.T) {
	v := formula.NewVocabulary(formula.Symbol{Name: "x"}).Settling(settle.Coefficients)
	check := v.MustDomain("x ∈ [1e-9, 1e9]").Implies("x ≤ log(1 + x); x (x − log(1 + x))/(x² + 1) ≤ 0")
	results, err := props.Run(context.Background(), []props.Claim{{ID: "x", Check: check}},
		props.Config{Check: checker.Check})
	if err != nil {
		t.Fatal(err)
	}
	if r := results[0]; r.Err != "" || r.Verdict == props.Proved {
		t.Errorf("%v: %s", r.Verdict, r.Err)
	}
}
