package checker_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// symbols are "n:count η:real".
func symbols(text string) (out []certificate.Symbol) {
	for _, s := range strings.Fields(text) {
		name, kind, _ := strings.Cut(s, ":")
		out = append(out, certificate.Symbol{Name: name, Kind: kind})
	}
	return out
}

// What tries to get a false statement past the checker is refused, and what tries to keep it busy
// is refused soon.
func TestForged(t *testing.T) {
	use := func(u ...certificate.Use) []certificate.Use { return u }
	byCoefficients := func(symbol, domain, statement string,
		p any) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Coefficients, Scope: certificate.All,
			Symbols: symbols(symbol),
			Domain:  domain, Statement: statement, Proof: proof(t, p)}
	}
	at := func(symbol, domain, statement string,
		values map[string]string) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Point, Refutes: true,
			Symbols: symbols(symbol), Domain: domain,
			Statement: statement, Proof: proof(t, certificate.PointProof{Values: values})}
	}
	by := func(uses ...[]certificate.Use) certificate.CoefficientsProof {
		return certificate.CoefficientsProof{By: uses}
	}
	lemma := func(show string, uses ...certificate.Use) certificate.CoefficientsProof {
		return certificate.CoefficientsProof{Lemmas: []certificate.Lemma{{Show: show, By: uses}},
			By: [][]certificate.Use{use(certificate.Use{Facts: []string{show}, Times: "1"})}}
	}
	along := func(symbol, domain, statement string,
		p certificate.GrowthProof) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Growth, Refutes: true,
			Symbols: symbols(symbol), Domain: domain,
			Statement: statement, Proof: proof(t, p)}
	}
	listing := func(s certificate.ListingSizes) *certificate.Certificate {
		p := certificate.BracketProof{{Size: s, Least: "1/1000", Most: "1000", Clients: []int64{0, 1}}}
		return &certificate.Certificate{Kind: certificate.Bracket, Scope: certificate.Sizes,
			Statement: p.Statement(), Covers: p.Covers(), Proof: proof(t, p)}
	}
	long := strings.Repeat("(1 + x + y + z + w)^16·", 24) + "1"
	for name, c := range map[string]*certificate.Certificate{
		"a lemma that uses itself": byCoefficients("x:real", "", "x ≤ 0",
			lemma("x ≤ 0", certificate.Use{Facts: []string{"x ≤ 0"}, Times: "1"})),
		"a lemma named like an assumption": byCoefficients("x:real", "x ≥ 1", "x ≤ 0",
			lemma("1 ≤ x")),
		"the conclusion as a fact": byCoefficients("x:real", "", "x ≤ 0",
			by(use(certificate.Use{Facts: []string{"x ≤ 0"}, Times: "1"}))),
		"a multiplier of unknown sign": byCoefficients("x:real y:real", "x ≥ 1", "xy ≥ y",
			by(use(certificate.Use{Facts: []string{"1 ≤ x"}, Times: "y"}))),
		"the root of a square":        byCoefficients("x:real", "", "√(x²) = x", by(nil, nil)),
		"a quotient by what may be 0": byCoefficients("x:real", "x ≥ 0", "x/x = 1", by(nil, nil)),
		"a definition by itself":      byCoefficients("x:real", "x = x + 1", "x ≤ 0", by(nil)),
		"definitions in a circle": byCoefficients("x:real y:real", "x = y + 1; y = x", "x ≤ 0",
			by(nil)),
		"a power of a negative number": byCoefficients("x:real y:real", "y ≥ 1", "(−x²)^y ≤ 1",
			by(nil)),
		"a sum to a real end": byCoefficients("x:real T:real", "x > 0; x ≤ 1/2; T ≥ 1",
			"Σ_{t=1}^{T} x^{t} ≤ 1", by(nil)),
		"a sum of what is no progression": byCoefficients("x:real T:count", "x > 0; x ≤ 1/2; T ≥ 1",
			"Σ_{t=1}^{T} x^{t²} ≤ 0", by(nil)),
		"a sum that may be empty": byCoefficients("x:real T:count", "x > 0; x ≤ 1/2",
			"Σ_{t=3}^{T} x^{t} ≤ x", by(nil)),
		"a quotient of 1 in a progression": byCoefficients("x:real T:count", "x > 0; x ≤ 1",
			"Σ_{t=0}^{T} x^{t} ≤ 1/(1 − x)",
			by(nil)),
		"half of the cases": byCoefficients("x:real", "", "x ≤ 1", json.RawMessage(
			`{"split":"x ≤ 1","cases":[{"by":[[{"facts":["x ≤ 1"],"times":"1"}]]}]}`)),
		"two cases that are one": byCoefficients("x:real", "", "x ≤ 1", json.RawMessage(
			`{"split":"x < 1","cases":[{"by":[[{"facts":["x < 1"],"times":"1"}]]},`+
				`{"by":[[{"facts":["x < 1"],"times":"1"}]]}]}`)),
		"a product that takes long": byCoefficients("x:real y:real z:real w:real",
			"x ≥ 1; y ≥ 1; z ≥ 1; w ≥ 1", long+" ≥ 0",
			by(nil)),
		"many uses that take long": byCoefficients("x:real y:real z:real w:real",
			"x ≥ 1; y ≥ 1; z ≥ 1; w ≥ 1", "x ≥ 0", by(slow(400))),
		"a point of defined counts that are not whole": at("n:count m:count", "m = √n", "n ≤ 1",
			map[string]string{"n": "2", "m": "√n"}),
		"a point whose value is its own definition": at("x:real y:real",
			"x = y; y = x; x ≥ 1", "x ≤ 0", map[string]string{"x": "y", "y": "x"}),
		"a point that takes long": at("x:real", "x > 0",
			"Σ_{i=1}^{9000} exp(1/i + log(i)) = Σ_{j=1}^{9000} j exp(1/j)",
			map[string]string{"x": "1"}),
		"a curve on which a defined count is not whole": along("n:count m:count", "m = √n",
			"n = O(m)", certificate.GrowthProof{At: map[string]string{"n": "2"},
				Exponents: map[string]int64{"n": 1}, Gap: "1/2"}),
		"a curve that leaves the domain": along("n:count b:count", "b ≤ n", "b = O(n)",
			certificate.GrowthProof{At: map[string]string{"n": "1", "b": "1"},
				Exponents: map[string]int64{"b": 1}, Gap: "1"}),
		"a logarithm that is a power": along("n:count C:logarithmic", "C = n", "C = Õ(1)",
			certificate.GrowthProof{At: map[string]string{"n": "1"},
				Exponents: map[string]int64{"n": 1}, Gap: "1"}),
		"runs that take long": listing(
			certificate.ListingSizes{Clients: 6, Chosen: 3, Data: 1, Sample: 1, Steps: 1000}),
		"runs without end": listing(certificate.ListingSizes{Clients: 6, Chosen: 6, Data: 1,
			Sample: 1, Steps: 1 << 40}),
	} {
		t.Run(name, func(t *testing.T) {
			if testing.Short() && strings.HasSuffix(name, "long") {
				t.Skip("what reaches the limit of work is left to runs without -short")
			}
			start := time.Now()
			if err := checker.Check(c); err == nil {
				t.Errorf("accepted: %s: %s", c.Domain, c.Statement)
			} else {
				t.Log(err, time.Since(start))
			}
		})
	}
}

// slow are uses that take the most work to follow.
func slow(n int) (out []certificate.Use) {
	for k := range n {
		out = append(out, certificate.Use{Facts: []string{"1 ≤ x"},
			Times: fmt.Sprintf("%d(x + y + z + w)^8·(x + y + z + w)^8", k+1)})
	}
	return out
}
