package checker_test

import (
	"encoding/json"
	"math"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
)

// Whatever is read as a certificate is answered in a sentence, without a panic, and a point that is
// accepted is a counterexample in floating point as well, up to rounding.
func FuzzCheck(f *testing.F) {
	for _, text := range []string{
		`{"kind": "point", "refutes": true, "symbols": [{"name": "x", "kind": "real"}], ` +
			`"statement": "x > 1 implies x² ≤ x", "proof": {"values": {"x": "2"}}}`,
		`{"kind": "point", "refutes": true, "symbols": [{"name": "n", "kind": "count"}], ` +
			`"domain": "n ∈ [2, 9]", "statement": "Σ_{i=1}^n i ≤ n²/2", "proof": {"values": {"n": "3"}}}`,
		`{"kind": "point", "refutes": true, "symbols": [{"name": "x", "kind": "logarithmic"}], ` +
			`"statement": "√x + log x ≤ ⌈x⌉ ∧ x^{1/3}", "proof": {"values": {"x": "exp(1)"}}}`,
		`{"kind": "enumeration", "scope": "sizes", "covers": "n", "statement": "x", "proof": ` +
			`{"comparisons": 1, "digest": "", "rows": [{"measured": "1/2", "relation": "<=", "claimed": "1"}]}}`,
		`{"kind": "coefficients", "scope": "all", "symbols": [{"name": "x", "kind": "real"}], ` +
			`"domain": "x ≥ 0", "statement": "x ≤ x + 1", "proof": {"by": [[]]}}`,
		`{"kind": "quadratic", "scope": "all", "symbols": [{"name": "q", "kind": "real", ` +
			`"means": "⟨u, u⟩"}], "statement": "q ≥ 0", "proof": {"vectors": ["u"], "products": ` +
			`{"q": ["u", "u"]}, "by": [[{"square": "u", "times": "1"}]]}}`,
		`{"kind": "bracket", "scope": "sizes", "covers": "n", "statement": "x", "proof": ` +
			`[{"size": {"clients": 2}, "least": "1", "most": "2", "client_steps": [0, 1]}]}`,
	} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		var c certificate.Certificate
		if len(text) > 2000 || json.Unmarshal(text, &c) != nil || checker.Check(&c) != nil ||
			c.Kind != certificate.Point {
			return
		}
		var proof certificate.PointProof
		if err := json.Unmarshal(c.Proof, &proof); err != nil {
			t.Fatal(err)
		}
		v, err := formula.Reader(&c)
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]float64{}
		for range proof.Values { // as often as values may speak of each other
			for name, text := range proof.Values {
				f := formula.Must(v, text)
				ready := true
				for _, s := range f.Symbols() {
					_, ok := known[s]
					ready = ready && ok
				}
				if ready {
					known[name] = f.At(known)
				}
			}
		}
		st, err := formula.ParseStatement(v, c.Statement)
		if err != nil {
			t.Fatal(err)
		}
		conclusion := st.Conclusion()
		for i, relation := range conclusion.Relations {
			a, b := at(t, v, conclusion.Sides[i], known), at(t, v, conclusion.Sides[i+1], known)
			size := 1e-6 * (1 + math.Abs(a) + math.Abs(b))
			room := map[string]float64{"≤": b - a, "<": b - a, "≥": a - b, ">": a - b,
				"=": -math.Abs(a - b)}[relation]
			if !(room > size) { // it fails, or rounding may hide that it does
				return
			}
		}
		t.Errorf("%s is accepted, but holds in floating point", text)
	})
}

func at(t *testing.T, v *formula.Vocabulary, side *formula.Tree, known map[string]float64) float64 {
	f, err := formula.Parse(v, side.String())
	if err != nil {
		t.Fatal(err)
	}
	return f.At(known)
}
