package checker_test

import (
	"encoding/json"
	"errors"
	"runtime/debug"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// A certificate is accepted, and each of its forgeries is refused for its own reason.
type forgery struct {
	name  string
	forge func(c *certificate.Certificate)
	why   string // part of the error
}

func examine(t *testing.T, make func() *certificate.Certificate, forgeries ...forgery) {
	t.Helper()
	if err := checker.Check(make()); err != nil {
		t.Fatalf("the true certificate is refused: %v", err)
	}
	for _, f := range forgeries {
		t.Run(f.name, func(t *testing.T) {
			c := make()
			f.forge(c)
			if err := checker.Check(c); err == nil || !strings.Contains(err.Error(), f.why) {
				t.Errorf("the forgery is answered by %v, want %q", err, f.why)
			}
		})
	}
}

func proof(t *testing.T, v any) json.RawMessage {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestPoint(t *testing.T) {
	values := func(pairs ...string) json.RawMessage {
		m := map[string]string{}
		for i := 0; i < len(pairs); i += 2 {
			m[pairs[i]] = pairs[i+1]
		}
		return proof(t, certificate.PointProof{Values: m})
	}
	point := func() *certificate.Certificate {
		return &certificate.Certificate{
			Kind: certificate.Point, Refutes: true,
			Symbols: []certificate.Symbol{{Name: "n", Kind: certificate.Count},
				{Name: "η", Kind: certificate.Real},
				{Name: "L", Kind: certificate.Real}},
			Domain: "n ∈ [2, 1e6]; L > 0", Statement: "η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			Proof: values("n", "3", "η", "1/(L√n)", "L", "1/7"),
		}
	}
	examine(t, point,
		forgery{"outside the domain",
			func(c *certificate.Certificate) {
				c.Proof = values("n", "1", "η", "1/(L√n)", "L", "1/7")
			}, "not n ≥ 2"},
		forgery{"equality that is not certain",
			func(c *certificate.Certificate) {
				c.Proof = values("n", "3", "η", "√(1/3)·7", "L", "1/7")
			}, "not certain that η"},
		forgery{"false premise", func(c *certificate.Certificate) {
			c.Proof = values("n", "3", "η", "4", "L", "1/7")
		},
			"not η = "},
		forgery{"conclusion holds",
			func(c *certificate.Certificate) {
				c.Proof = values("n", "5", "η", "1/(L√n)", "L", "1/7")
			}, "the conclusion holds"},
		forgery{"conclusion at equality",
			func(c *certificate.Certificate) {
				c.Proof = values("n", "4", "η", "1/(L√n)", "L", "1/7")
			}, "the conclusion holds"},
		forgery{"no whole number",
			func(c *certificate.Certificate) {
				c.Proof = values("n", "5/2", "η", "1/(L√n)", "L", "1/7")
			}, "whole number"},
		forgery{"missing value", func(c *certificate.Certificate) {
			c.Proof = values("n", "3", "η", "1/(L√n)")
		},
			"L has no value"},
		forgery{"value of nothing", func(c *certificate.Certificate) {
			c.Proof = values("n", "3", "η", "1/(L√n)", "L", "1", "x", "1")
		}, "belongs to no symbol"},
		forgery{"circle", func(c *certificate.Certificate) {
			c.Proof = values("n", "3", "η", "1/(L√n)", "L", "η")
		},
			"depends on itself"},
		forgery{"division by 0", func(c *certificate.Certificate) {
			c.Proof = values("n", "3", "η", "1/(L√n)", "L", "0")
		},
			"divisor may be 0"},
		forgery{"a proof", func(c *certificate.Certificate) { c.Refutes, c.Scope = false, certificate.All },
			"proves nothing"},
		forgery{"a scope", func(c *certificate.Certificate) { c.Scope = certificate.All },
			"no scope"},
		forgery{"unknown kind", func(c *certificate.Certificate) { c.Kind = "oracle" }, "no kind"},
		forgery{"no statement", func(c *certificate.Certificate) { c.Statement = "" },
			"no statement"},
		forgery{"no relation", func(c *certificate.Certificate) { c.Statement = "η" },
			"no statement"},
		forgery{"order", func(c *certificate.Certificate) { c.Statement = "η = O(L)" },
			"not compared with a number"},
		forgery{"unknown symbol", func(c *certificate.Certificate) { c.Domain = "ζ > 0" },
			"no known symbol"},
		forgery{"no JSON", func(c *certificate.Certificate) { c.Proof = json.RawMessage("{") },
			"cannot be read"},
		forgery{"more behind it", func(c *certificate.Certificate) { c.Proof = append(c.Proof, "{}"...) },
			"more stands behind"},
		forgery{"unknown field",
			func(c *certificate.Certificate) {
				c.Proof = json.RawMessage(`{"values": {}, "because": 1}`)
			}, "cannot be read"},
		forgery{"symbol twice", func(c *certificate.Certificate) {
			c.Symbols = append(c.Symbols, c.Symbols[0])
		},
			"named twice"},
		forgery{"kind of symbol", func(c *certificate.Certificate) { c.Symbols[0].Kind = "number" },
			"no known kind"},
	)
}

func TestEnumeration(t *testing.T) {
	row := func(measured, relation, claimed string) certificate.Row {
		return certificate.Row{What: "x", Measured: measured, Relation: relation, Claimed: claimed}
	}
	with := func(rows ...certificate.Row) json.RawMessage {
		return proof(t, certificate.EnumerationProof{Comparisons: len(rows),
			Digest: certificate.Lines(rows), Rows: rows})
	}
	enumeration := func() *certificate.Certificate {
		return &certificate.Certificate{
			Kind: certificate.Enumeration, Scope: certificate.Sizes, Covers: "n ≤ 2",
			Statement: certificate.Compared("n ≤ 2"),
			Proof:     with(row("1/3", "<=", "1/2"), row("1/2", "==", "2/4")),
		}
	}
	examine(t, enumeration,
		forgery{"one fails", func(c *certificate.Certificate) {
			c.Proof = with(row("2/3", "<=", "1/2"), row("1", "==", "1"))
		}, "comparison 1 fails"},
		forgery{"unequal", func(c *certificate.Certificate) { c.Proof = with(row("2/3", "==", "1/2")) },
			"comparison 1 fails"},
		forgery{"unknown relation", func(c *certificate.Certificate) {
			c.Proof = with(row("2/3", "!=", "1/2"))
		},
			"has the relation"},
		forgery{"no number", func(c *certificate.Certificate) {
			c.Proof = with(row("NaN", "<=", "1/2"))
		}, "rational"},
		forgery{"nothing", func(c *certificate.Certificate) { c.Proof = with() },
			"nothing is compared"},
		forgery{"number of rows", func(c *certificate.Certificate) {
			c.Proof = json.RawMessage(strings.Replace(string(c.Proof), `"comparisons":2`,
				`"comparisons":3`, 1))
		}, "3 comparisons are announced"},
		forgery{"another digest", func(c *certificate.Certificate) {
			c.Proof = json.RawMessage(strings.Replace(string(c.Proof), `"1/3"`, `"1/4"`, 1))
		}, "digest is not that"},
		forgery{"short digest", func(c *certificate.Certificate) {
			c.Proof = proof(t, certificate.EnumerationProof{Comparisons: 1, Digest: "00"})
		}, "no SHA-256"},
		forgery{"refutes nothing", func(c *certificate.Certificate) {
			c.Refutes, c.Scope, c.Covers = true, "", ""
		},
			"no comparison fails"},
		forgery{"no scope", func(c *certificate.Certificate) { c.Scope = "" }, "no scope"},
		forgery{"covers nothing", func(c *certificate.Certificate) { c.Covers = "" },
			"which sizes"},
	)
	c := enumeration()
	c.Proof = proof(t, certificate.EnumerationProof{Comparisons: 7, Digest: certificate.Lines(nil)})
	if err := checker.Check(c); !errors.Is(err, checker.ErrRepeat) {
		t.Errorf("of a digest alone the checker says %v", err)
	}
	if err := checker.Accept(c); err != nil {
		t.Errorf("who has just made it is told %v", err)
	}
}
