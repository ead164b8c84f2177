package rocq_test

import (
	"encoding/json"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// proof is a certificate about real numbers a ≥ 1, b > 0, x that need not be positive, and η.
func proof(kind certificate.Kind, statement string, by any) *certificate.Certificate {
	c := &certificate.Certificate{Kind: kind, Scope: certificate.All, Statement: statement,
		Domain: "a ≥ 1; b > 0"}
	for _, name := range []string{"a", "b", "x", "η"} {
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
	}
	c.Proof, _ = json.Marshal(by)
	return c
}

func uses(by ...[]certificate.Use) certificate.CoefficientsProof {
	return certificate.CoefficientsProof{By: by}
}

// Rocq accepts what the checker accepts of proofs by coefficients, with roots, functions and
// lemmas, and refuses each of them about a statement that is false.
func TestCoefficients(t *testing.T) {
	lemma := uses([]certificate.Use{})
	lemma.Lemmas = []certificate.Lemma{{Show: "0 < a + b − 1",
		By: []certificate.Use{{Facts: []string{"1 ≤ a"}, Times: "1"}}}}
	var accepted []string
	refused := map[string]string{}
	for name, c := range map[string]struct {
		statement, of, no string
		proof             certificate.CoefficientsProof
	}{
		"power": {"a ≤ a²", "a ^ 2)", "a ^ 2 / 2)",
			uses([]certificate.Use{{Facts: []string{"1 ≤ a"}, Times: "a"}})},
		"root": {"√(ab) ≤ a√b", "* (sqrt x_b))", "* (sqrt x_b) / 2)",
			uses([]certificate.Use{{Facts: []string{"1 ≤ a"}, Power: "1/2", Times: "a^{1/2}b^{1/2}"}})},
		"number": {"√2 a ≤ 3a/2", "(3 * x_a) / 2", "(3 * x_a) / 3", uses(nil)},
		"minimum": {"η = min{a, 2b}; 1/b ≤ 4 implies η² ≤ 2ab", "2 * x_a) * x_b", "1 * x_a) * x_b",
			uses([]certificate.Use{{Facts: []string{"min{a, 2b} ≤ a"}, Times: "min{a, 2b}"},
				{Facts: []string{"min{a, 2b} ≤ 2b"}, Times: "a"}})},
		"logarithm": {"log(a) ≤ a − 1", "(x_a - 1)", "(x_a - 2)",
			uses([]certificate.Use{{Facts: []string{"above log(a)"}, Times: "1"}})},
		"ceiling": {"η = ⌈b⌉ implies b ≤ η ≤ b + 1", "(x_b + 1)", "(x_b + 1 / 2)",
			uses([]certificate.Use{{Facts: []string{"below ⌈b⌉"}, Times: "1"}},
				[]certificate.Use{{Facts: []string{"above ⌈b⌉"}, Times: "1"}})},
		"lemma": {"1/(a + b − 1) > 0", "1)) > 0", "1)) > 1", lemma},
	} {
		cert := proof(certificate.Coefficients, c.statement, c.proof)
		if err := checker.Check(cert); err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		text := theorem(t, cert, name)
		accepted = append(accepted, text)
		head, body, _ := strings.Cut(text, "Proof.")
		forged := strings.Replace(head, c.of, c.no, 1)
		if forged == head {
			t.Fatalf("%s: nothing is forged in\n%s", name, head)
		}
		refused["another "+name] = forged + "Proof." + body
	}
	holds(t, certificate.Coefficients, accepted, refused)
}

// Rocq accepts sums of squares and facts about vectors, and refuses them about a statement that is
// false.
func TestQuadratic(t *testing.T) {
	by := certificate.QuadraticProof{Vectors: []string{"u", "v"},
		Products: map[string][2]string{"p": {"u − ηv", "u − ηv"}, "q": {"u", "u"}, "r": {"v", "v"}},
		By: [][]certificate.Summand{{{Fact: "r = b", Times: "η²(1 + 1/a)"},
			{Fact: "q ≤ x", Times: "1 + a"}, {Square: "au + ηv", Times: "1/a"}}}}
	c := proof(certificate.Quadratic, "p ≤ (1 + a)x + η²(1 + 1/a)b", by)
	c.Domain += "; q ≤ x; r = b"
	for _, name := range []string{"p", "q", "r"} {
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real,
			Means: certificate.Inner(by.Products[name])})
	}
	if err := checker.Check(c); err != nil {
		t.Fatal(err)
	}
	text := theorem(t, c, "a")
	refused := map[string]string{}
	head, body, _ := strings.Cut(text, "Proof.")
	for what, change := range map[string][2]string{
		"a smaller constant": {"((1 + x_a) * x_x)", "((1 + x_a / 2) * x_x)"},
		"another vector":     {"(scale (-1) (scale x_eta v_v))", "(scale (-2) (scale x_eta v_v))"},
		"a premise less":     {"    (ip v_u v_u) <= x_x ->\n", ""},
	} {
		forged := strings.Replace(head, change[0], change[1], 1)
		if forged == head {
			t.Fatalf("nothing is forged by %s in\n%s", what, head)
		}
		refused[what] = forged + "Proof." + body
	}
	holds(t, certificate.Quadratic, []string{text}, refused)
	c.Symbols[len(c.Symbols)-1].Means = "⟨u, u⟩"
	if err := checker.Check(c); err == nil {
		t.Error("the checker accepts another meaning than the proof's")
	}
}
