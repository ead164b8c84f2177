package checker_test

import (
	"encoding/json"
	"strings"
	"testing"
	"time"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// What was accepted once, each beside a twin that is true and accepted, and what took minutes.
func TestDefects(t *testing.T) {
	order := func(symbol, domain, statement string,
		p certificate.OrderProof) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Order, Scope: certificate.All,
			Symbols: symbols(symbol), Domain: domain,
			Statement: statement, Proof: proof(t, p)}
	}
	itself := func(name, weight string) certificate.OrderProof {
		return certificate.OrderProof{Constant: "1", Monomials: []map[string]string{{name: "1"}},
			Facts: []certificate.Fact{{Left: map[int]string{0: weight},
				Right: map[int]string{0: weight}}}}
	}
	square := certificate.OrderProof{Constant: "1",
		Monomials: []map[string]string{{"n": "1"}, {"n": "2"}, {"n": "-1"}},
		Facts: []certificate.Fact{{Left: map[int]string{0: "1"}, Right: map[int]string{1: "1"},
			Rows: map[int]string{2: "1"}}}}
	coefficients := func(domain, statement string,
		p any) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Coefficients, Scope: certificate.All,
			Symbols: symbols("x:real"),
			Domain:  domain, Statement: statement, Proof: proof(t, p)}
	}
	shown := certificate.CoefficientsProof{
		By: [][]certificate.Use{{{Facts: []string{"x ≤ 0"}, Times: "6"},
			{Facts: []string{"1 ≤ x"}, Times: "5"}}}}
	easy := certificate.CoefficientsProof{
		By: [][]certificate.Use{{{Facts: []string{"x ≤ 0"}, Times: "1"}}}}
	rows := func(statement string) *certificate.Certificate {
		r := []certificate.Row{{What: "0", Measured: "0", Relation: "<=", Claimed: "0"}}
		return &certificate.Certificate{Kind: certificate.Enumeration, Scope: certificate.Instances,
			Covers: "nothing", Statement: statement,
			Proof: proof(t, certificate.EnumerationProof{Comparisons: 1,
				Digest: certificate.Lines(r), Rows: r})}
	}
	listing := func(sizes ...certificate.ListingSizes) *certificate.Certificate {
		var p certificate.BracketProof
		for _, size := range sizes {
			p = append(p, certificate.Ends{Size: size, Least: "1/1000", Most: "1000",
				Clients: append(make([]int64, size.Steps), 1)})
		}
		return &certificate.Certificate{Kind: certificate.Bracket, Scope: certificate.Sizes,
			Statement: p.Statement(), Covers: p.Covers(), Proof: proof(t, p)}
	}
	size := func(clients, steps int) certificate.ListingSizes {
		return certificate.ListingSizes{Clients: clients, Chosen: 1, Data: 1, Sample: 1, Steps: steps}
	}
	nested := string(proof(t, easy))
	for range 900 {
		nested = `{"split":"x ≤ 0","cases":[` + nested + `,` + string(proof(t, easy)) + `]}`
	}
	curve := func(exponent int64) *certificate.Certificate {
		return &certificate.Certificate{Kind: certificate.Growth, Refutes: true,
			Symbols: symbols("m:real"), Domain: "m > 0",
			Statement: "m = O(1)", Proof: proof(t,
				certificate.GrowthProof{At: map[string]string{"m": "1"},
					Exponents: map[string]int64{"m": exponent}, Gap: "1"})}
	}
	many := make([]certificate.ListingSizes, 1000)
	for i := range many {
		many[i] = size(1+i%6, 1+i/6%6)
	}
	for name, k := range map[string]struct {
		c    *certificate.Certificate
		want string // nothing if it is true
	}{
		"a definition that is positive": {order("b:real n:count", "b = 1 + n", "n = O(n)",
			itself("n", "1")), ""},
		"a definition that may be negative": {order("b:real n:count", "b = 1 − n", "n = O(n)",
			itself("n", "1")), "b may be negative"},
		"a definition whose parts may be negative": {order("a:real b:real n:count",
			"a = 1 − n; b = n + a", "n = O(n)", itself("n", "1")), "a may be negative"},
		"a definition by itself": {order("b:real n:count", "b = n + b", "n = O(n)",
			itself("n", "1")), "b is used before it is defined"},
		"a definition before its parts": {order("a:real b:real n:count", "b = n + a; a = n",
			"n = O(n)", itself("n", "1")), "a is used before it is defined"},
		"a symbol with two definitions": {order("b:real n:count", "b = n; b = n²", "n = O(n)",
			itself("n", "1")), "b is defined twice"},
		"a symbol of unknown sign": {order("b:real n:count", "b ≤ n", "n = O(n)",
			itself("n", "1")), "b is not said to be positive"},
		"a symbol named 0": {order("0:count", "", "1 = O(0)", itself("0", "1")), "as no symbol is"},
		"a symbol named like a formula": {order("log(n):count n:count", "", "1 = O(log(n))",
			itself("log(n)", "1")), "as no symbol is"},
		"a symbol named like a function": {order("max:count", "", "1 = O(1)", itself("max", "1")),
			"as no symbol is"},
		"an order":      {order("n:count", "", "n = O(n²)", square), ""},
		"an order by ≤": {order("n:count", "", "n ≤ O(n²)", square), ""},
		"an order the other way round": {order("n:count", "", "n ≥ O(n²)", square),
			"O stands behind ≥"},
		"an order without equality": {order("n:count", "", "n < O(n²)", square),
			"O stands behind <"},
		"a weight at the end of the numbers": {order("n:count", "", "n = O(n)",
			itself("n", "9223372036854775808")), "certificate"},
		"a curve":                           {curve(1), ""},
		"a curve at the end of the numbers": {curve(-1 << 63), "the exponents are too large"},
		"a domain":                          {coefficients("x ≤ 0", "x ≤ 0", easy), ""},
		"an empty domain": {coefficients("x ≥ 1; x ≤ 0", "x ≤ −5", shown),
			"the domain may be empty"},
		"rows":                                  {rows(certificate.Compared("nothing")), ""},
		"rows that are not about the statement": {rows("P = NP"), "the statement says more"},
		"sizes":                                 {listing(size(2, 2), size(3, 2)), ""},
		"a size twice": {listing(size(2, 2), size(3, 2), size(2, 2)),
			"given twice"},
		"too many sizes": {listing(many...), "more than 64 sizes"},
		"splits without end": {coefficients("x ≤ 0", "x ≤ 0", json.RawMessage(nested)),
			"unknown field"},
		"a weight of many digits": {order("n:count", "", "n = O(n)", itself("n", "1e9999")),
			"too many digits"},
		"a weight that is no number": {order("n:count", "", "n = O(n)", itself("n", "1/0")),
			"no rational number"},
		"a fact about what is no parameter": {order("n:count", "", "n = O(n)", itself("m", "1")),
			"no parameter"},
		"digits without end": {coefficients("x ≤ 0", "x ≤ "+strings.Repeat("9", 4_000_000), easy),
			"the text is longer than"},
		"many digits": {coefficients("x ≤ 0", "x ≤ "+strings.Repeat("9", 4_000), easy),
			"more than 1000 digits"},
	} {
		var err error
		took := time.Hour
		for range 3 { // others may want the processor, but hardly three times
			start := time.Now()
			err = checker.Check(k.c)
			if took = time.Since(start); took < 5*time.Second {
				break
			}
		}
		if (err == nil) != (k.want == "") || err != nil && !strings.Contains(err.Error(), k.want) {
			t.Errorf("%s: %v, want %q", name, err, k.want)
		}
		if took > 5*time.Second {
			t.Errorf("%s: took %v", name, took)
		}
	}
}
