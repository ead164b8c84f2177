package checker_test

import (
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

func TestCoefficients(t *testing.T) {
	write := func(p certificate.CoefficientsProof) func(*certificate.Certificate) {
		return func(c *certificate.Certificate) { c.Proof = proof(t, p) }
	}
	step := certificate.Use{Facts: []string{"η ≤ b/(C_1^{9/2}ζ√(60n))"}, Power: "2",
		Times: "30·C_1^{9}·n·(b)^{-2}·(ζ)^{2}·(η)^{-1}/2"}
	length := certificate.Use{Facts: []string{"η ≤ 1/(2L)"}, Times: "L·(η)^{-1}/2"}
	choice := func() *certificate.Certificate {
		c := &certificate.Certificate{Kind: certificate.Coefficients, Scope: certificate.All,
			Domain:    "n ≥ 1; b > 0; b ≤ n; C_1 ≥ 1; L > 0; ζ > 0; ζ ≤ 2L; η > 0",
			Statement: "η ≤ 1/(2L); η ≤ b/(C_1^{9/2}ζ√(60n)) implies L/2 + 15C_1⁹ηζ²n/b² ≤ 1/(2η)"}
		for _, name := range []string{"n", "b", "C_1", "L", "ζ", "η"} {
			c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
		}
		write(certificate.CoefficientsProof{By: [][]certificate.Use{{step, length}}})(c)
		return c
	}
	with := func(change func(a, b *certificate.Use)) func(*certificate.Certificate) {
		return func(c *certificate.Certificate) {
			a, b := step, length
			change(&a, &b)
			write(certificate.CoefficientsProof{By: [][]certificate.Use{{a, b}}})(c)
		}
	}
	examine(t, choice,
		forgery{"a smaller power in the step", func(c *certificate.Certificate) {
			c.Statement = "η ≤ 1/(2L); η ≤ b/(C_1⁴ζ√(60n)) implies L/2 + 15C_1⁹ηζ²n/b² ≤ 1/(2η)"
		}, "not known that η ≤ b/(C_1^{9/2}"},
		forgery{"a sharper conclusion", func(c *certificate.Certificate) {
			c.Statement = "η ≤ 1/(2L); η ≤ b/(C_1^{9/2}ζ√(60n)) implies L/2 + 16C_1⁹ηζ²n/b² ≤ 1/(2η)"
		}, "negative coefficient"},
		forgery{"a fact that is none",
			with(func(a, _ *certificate.Use) { a.Facts = []string{"η ≤ 1/(4L)"} }),
			"not known that η ≤ 1/(4L)"},
		forgery{"too large a multiple", with(func(_, b *certificate.Use) { b.Times = "L/η" }),
			"negative coefficient"},
		forgery{"a negative multiple", with(func(_, b *certificate.Use) { b.Times = "(L − b)/η" }),
			"may be negative"},
		forgery{"a multiple with a quotient by what may be 0",
			with(func(_, b *certificate.Use) { b.Times = "1/(n − b)" }),
			"which may be 0"},
		forgery{"a negative power", with(func(a, _ *certificate.Use) { a.Power = "-2" }),
			"no positive power"},
		forgery{"no power", with(func(a, _ *certificate.Use) { a.Power = "two" }),
			"no positive power"},
		forgery{"a square in place of facts", func(c *certificate.Certificate) {
			c.Proof = []byte(`{"by":[[{"square":"b","times":"1"}]]}`)
		}, "unknown field"},
		forgery{"nothing used", with(func(a, _ *certificate.Use) { a.Facts = nil }),
			"no fact is used"},
		forgery{"no proof", write(certificate.CoefficientsProof{}), "nothing shows"},
		forgery{"a proof of more",
			write(certificate.CoefficientsProof{By: [][]certificate.Use{{step, length}, {}}}),
			"more than there is"},
		forgery{"a false lemma",
			write(certificate.CoefficientsProof{Lemmas: []certificate.Lemma{{Show: "n ≤ b"}},
				By: [][]certificate.Use{{step, length}}}), "n ≤ b is not shown"},
		forgery{"a lemma that rests on itself",
			write(certificate.CoefficientsProof{Lemmas: []certificate.Lemma{
				{Show: "n ≤ b", By: []certificate.Use{{Facts: []string{"n ≤ b"},
					Times: "1"}}}}, By: [][]certificate.Use{{step,
				length}}}), "not known that n ≤ b"},
		forgery{"a strict lemma of a tie",
			write(certificate.CoefficientsProof{Lemmas: []certificate.Lemma{
				{Show: "b < n", By: []certificate.Use{{Facts: []string{"b ≤ n"},
					Times: "1"}}}}, By: [][]certificate.Use{{step,
				length}}}), "may be 0"},
		forgery{"a lemma of two relations",
			write(certificate.CoefficientsProof{Lemmas: []certificate.Lemma{{Show: "0 ≤ b ≤ n"}}}),
			"no relation"},
		forgery{"one case of two", func(c *certificate.Certificate) {
			c.Proof = []byte(`{"split":"n ≤ 2b","cases":[{"by":[[{"facts":["b ≤ n"],"times":"1"}]]}]}`)
		}, "unknown field"},
		forgery{"cases of nothing", func(c *certificate.Certificate) {
			c.Proof = []byte(strings.Replace(string(c.Proof), `{"by"`, `{"cases":[{},{}],"by"`, 1))
		}, "unknown field"},
		forgery{"an unknown sign", func(c *certificate.Certificate) {
			c.Domain = "n ≥ 1; b > 0; b ≤ n; C_1 ≥ 1; L > 0; ζ ≤ 2L; η > 0"
		}, "ζ"},
		forgery{"a refutation", func(c *certificate.Certificate) { c.Refutes, c.Scope = true, "" },
			"refutes nothing"},
		forgery{"other words", func(c *certificate.Certificate) {
			c.Proof = []byte(`{"because":"it is so"}`)
		},
			"cannot be read"},
	)
}

// What is known of functions is no more than what is true of them: each false twin of a statement
// that follows is refused.
func TestCoefficientsOfFunctions(t *testing.T) {
	for _, c := range []struct {
		domain, statement string
		proof             certificate.CoefficientsProof
		holds             bool
	}{
		{"x > 0", "⌈x⌉ ≤ x + 1",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"above ⌈x⌉"}, Times: "1"}}}}, true},
		{"x > 0", "⌈x⌉ ≤ x", certificate.CoefficientsProof{
			By: [][]certificate.Use{{{Facts: []string{"above ⌈x⌉"},
				Times: "1"}}}}, false},
		{"x > 0", "log(x) ≤ x − 1",
			certificate.CoefficientsProof{By: [][]certificate.Use{{{Facts: []string{"above log(x)"},
				Times: "1"}}}}, true},
		{"x > 0", "log(x) ≥ 0", certificate.CoefficientsProof{By: [][]certificate.Use{{}}}, false},
		{"x ≥ 1", "log(x) ≥ 0", certificate.CoefficientsProof{
			Lemmas: []certificate.Lemma{{Show: "0 ≤ x − 1",
				By: []certificate.Use{{Facts: []string{"1 ≤ x"}, Times: "1"}}}},
			By: [][]certificate.Use{{}}}, true},
		{"x ≥ 0; x ≤ 1; y ≥ 0", "x^y ≤ 1",
			certificate.CoefficientsProof{Lemmas: []certificate.Lemma{{Show: "0 ≤ 1 − x",
				By: []certificate.Use{{Facts: []string{"x ≤ 1"},
					Times: "1"}}}}, By: [][]certificate.Use{
				{{Facts: []string{"(x^{y}) ≤ 1"}, Times: "1"}}}}, true},
		{"x ≥ 0; y ≥ 0", "x^y ≤ 1",
			certificate.CoefficientsProof{By: [][]certificate.Use{{{Facts: []string{"(x^{y}) ≤ 1"},
				Times: "1"}}}}, false},
		{"x > 0; y > 0", "min{x, y} ≤ y",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"min{x, y} ≤ y"},
					Times: "1"}}}}, true},
		{"x > 0; y > 0", "x ≤ min{x, y}",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"min{x, y} ≤ x"},
					Times: "1"}}}}, false},
		{"x > 0; y > 0", "3x y ≤ x² + y²",
			certificate.CoefficientsProof{By: [][]certificate.Use{{}}}, false},
		{"x ≤ 2; y > 0", "√2 x ≤ 3",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"x ≤ 2"}, Times: "√2"}}}}, true},
		{"x ≤ 2; y > 0", "√2 x ≤ 2.828",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"x ≤ 2"}, Times: "√2"}}}}, false},
		{"x ≥ 0; y ≥ 0", "x/y ≥ 0", certificate.CoefficientsProof{By: [][]certificate.Use{{}}},
			false},
		{"x ≤ y", "√x ≤ √y", certificate.CoefficientsProof{
			By: [][]certificate.Use{{{Facts: []string{"x ≤ y"},
				Power: "1/2",
				Times: "1"}}}}, false},
		{"x ≥ 0; x ≤ y", "√x ≤ √y",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"x ≤ y"}, Power: "1/2",
					Times: "1"}}}}, true},
		{"x ≤ y; y > 0", "x² ≤ y²",
			certificate.CoefficientsProof{
				By: [][]certificate.Use{{{Facts: []string{"x ≤ y"}, Power: "2",
					Times: "1"}}}}, false},
	} {
		err := checker.Check(&certificate.Certificate{Kind: certificate.Coefficients,
			Scope: certificate.All, Domain: c.domain, Statement: c.statement,
			Symbols: []certificate.Symbol{{Name: "x", Kind: certificate.Real},
				{Name: "y", Kind: certificate.Real}}, Proof: proof(t, c.proof)})
		if (err == nil) != c.holds {
			t.Errorf("%s: %s: %v", c.domain, c.statement, err)
		}
	}
}

// TestArgumentsAreToldApart has two arguments of a function whose terms, written without care, read
// alike: the exponents −22/60, 25/60 and 21/60 are the bytes of "+2*".
func TestArgumentsAreToldApart(t *testing.T) {
	c := &certificate.Certificate{Kind: certificate.Coefficients, Scope: certificate.All,
		Domain:    "a > 0; b > 0; c > 0; d > 0",
		Statement: "log(1 + 2a) ≤ log(a^{-11/30}b^{5/12}c^{7/20}d)",
		Proof:     proof(t, certificate.CoefficientsProof{By: [][]certificate.Use{{}}})}
	for _, name := range []string{"a", "b", "c", "d"} {
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
	}
	if err := checker.Check(c); err == nil ||
		!strings.Contains(err.Error(), "negative coefficient") {
		t.Errorf("the logarithms of different numbers are compared: %v", err)
	}
}
