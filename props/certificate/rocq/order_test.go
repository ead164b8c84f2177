package rocq_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/rocq"
	"sledge/props/formula"
)

var sizes = formula.NewVocabulary(formula.Symbol{Name: "n", Kind: formula.Count},
	formula.Symbol{Name: "b", Kind: formula.Count},
	formula.Symbol{Name: "C_1",
		Kind: formula.Logarithmic}, formula.Symbol{Name: "L"}, formula.Symbol{Name: "ζ"}, formula.Symbol{Name: "η"})

func orderOf(t *testing.T, statement string) *certificate.Certificate {
	t.Helper()
	c, why, err := sizes.MustDomain("n, b ∈ [1, n], ζ ∈ [1e-3 L, 2L], C_1, L").Settle(statement)
	if err != nil || c == nil || c.Kind != certificate.Order {
		t.Fatal(statement, why, err)
	}
	return c
}

// Rocq accepts proofs of orders, and none of them with another exponent or without a bound of the domain.
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
	if testing.Short() {
		t.Skip("Rocq takes seconds to load its libraries")
	}
	coqc, err := exec.LookPath("coqc")
	if err != nil {
		t.Skip("coqc is not installed: theorems are written, but not compiled")
	}
	accepts := func(text string) (bool, string) {
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "a.v"), []byte(rocq.Opening(certificate.Order)+text), 0o666); err != nil {
			t.Fatal(err)
		}
		cmd := exec.Command(coqc, "-q", "a.v")
		cmd.Dir = dir
		out, err := cmd.CombinedOutput()
		return err == nil, string(out)
	}
	if ok, said := accepts(strings.Join(texts, "\n")); !ok {
		t.Fatal(said)
	}
	for what, forged := range map[string]string{
		"another side":    strings.Replace(texts[0], "<= C * x_n", "<= C * sqrt x_n", 1),
		"another formula": strings.Replace(texts[0], "    (Var 0)\n", "    (Sqrt (Var 0))\n", 1),
		"no bound of b":   strings.Replace(texts[0], "    x_b <= x_n ->\n", "", 1),
		"a wrong weight":  strings.Replace(texts[0], "#1, ", "#3, ", 1),
	} {
		if forged == texts[0] {
			t.Fatalf("nothing is forged by %s in\n%s", what, texts[0])
		}
		if ok, _ := accepts(forged); ok {
			t.Errorf("accepted with %s", what)
		}
	}
}

// What the theory has no words for is told.
func TestOrderWithoutForm(t *testing.T) {
	if _, err := rocq.Theorem(orderOf(t, "n/(1 − 1/(4n)) = O(n)"), "t"); err == nil ||
		!strings.Contains(err.Error(), "no form") {
		t.Errorf("a difference is written: %v", err)
	}
}
