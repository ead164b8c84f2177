package rocq_test

import (
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/rocq"
	"sledge/props/formula"
	"sledge/props/settle"
)

var sizes = formula.NewVocabulary(formula.Symbol{Name: "n", Kind: formula.Count},
	formula.Symbol{Name: "b", Kind: formula.Count},
	formula.Symbol{Name: "C_1",
		Kind: formula.Logarithmic}, formula.Symbol{Name: "L"}, formula.Symbol{Name: "ζ"},
	formula.Symbol{Name: "η"}).Settling(settle.Orders)

func orderOf(t *testing.T, statement string) *certificate.Certificate {
	t.Helper()
	c, why, err := sizes.MustDomain("n, b ∈ [1, n], ζ ∈ [1e-3 L, 2L], C_1, L").Settle(statement)
	if err != nil || c == nil || c.Kind != certificate.Order {
		t.Fatal(statement, why, err)
	}
	return c
}

// Rocq accepts proofs of orders, and none of them with another exponent or without a bound of the
// domain.
func TestOrder(t *testing.T) {
	statements := []string{
		"√(nb) = O(n)",
		"η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; 1/η = Θ̃(L + ζ√n/b)",
		"(1 + ⌈n/b⌉)ζ² = O(L²(n/b)^{3/2})",
		"1/(L + ζ)² = Θ(L^{-2})",
	}
	var texts []string
	for i, s := range statements {
		texts = append(texts, theorem(t, orderOf(t, s), "t"+string(rune('a'+i))))
	}
	wrong := map[string]string{
		"another side":    strings.Replace(texts[0], "<= C * x_n", "<= C * sqrt x_n", 1),
		"another formula": strings.Replace(texts[0], "    (Var 0)\n", "    (Sqrt (Var 0))\n", 1),
		"no bound of b":   strings.Replace(texts[0], "    x_b <= x_n ->\n", "", 1),
		"a wrong weight":  strings.Replace(texts[0], "#1, ", "#3, ", 1),
	}
	for what, forged := range wrong {
		if forged == texts[0] {
			t.Fatalf("nothing is forged by %s in\n%s", what, texts[0])
		}
	}
	holds(t, certificate.Order, texts, wrong)
}

// What the theory has no words for is told.
func TestOrderWithoutForm(t *testing.T) {
	if _, err := rocq.Theorem(orderOf(t, "n/(1 − 1/(4n)) = O(n)"), "t"); err == nil ||
		!strings.Contains(err.Error(), "no form") {
		t.Errorf("a difference is written: %v", err)
	}
}

// Rocq accepts curves along which orders fail, and none that has left the domain or along which
// nothing grows.
func TestGrowth(t *testing.T) {
	var texts []string
	for i, statement := range []string{"n = O(b)",
		"η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; 1/η = Θ̃(L)",
		"n/b = Õ(C_1√n)"} {
		c, why, err := sizes.MustDomain("n, b ∈ [1, n], ζ ∈ [1e-3 L, 2L], C_1, L").Settle(statement)
		if err != nil || c == nil || c.Kind != certificate.Growth {
			t.Fatal(statement, why, err)
		}
		texts = append(texts, theorem(t, c, "t"+string(rune('a'+i))))
	}
	wrong := map[string]string{}
	for what, change := range map[string][2]string{
		"a true order":         {"x_n <= C * x_b", "x_n <= C * x_n"},
		"a wider domain":       {"x_b <= x_n", "x_n <= x_b"},
		"a count not whole":    {"64 * s ^ 1", "(65 / 2) * s ^ 1"},
		"another growing side": {"growth (Var 0)", "growth (Var 1)"},
	} {
		forged := strings.ReplaceAll(texts[0], change[0], change[1])
		if forged == texts[0] {
			t.Fatalf("nothing is forged by %s in\n%s", what, texts[0])
		}
		wrong[what] = forged
	}
	holds(t, certificate.Growth, texts, wrong)
}
