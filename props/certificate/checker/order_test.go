package checker_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	"sledge/props/enclosure"
	"sledge/props/formula"
	"sledge/props/settle"
)

var orderWords = formula.NewVocabulary(
	formula.Symbol{Name: "n", Kind: formula.Count, Lo: 1, Hi: 1e9}, formula.Symbol{Name: "b",
		Kind: formula.Count, Lo: 1,
		Hi: 1e9},
	formula.Symbol{Name: "C_1", Kind: formula.Logarithmic, Lo: 1, Hi: 1e3},
	formula.Symbol{Name: "x", Lo: 1e-6, Hi: 1e6},
	formula.Symbol{Name: "y", Lo: 1e-6, Hi: 1e6},
	formula.Symbol{Name: "z", Lo: 1e-6, Hi: 1e6}).Settling(settle.Orders)

// settled is the certificate of an order, nil if there is none, and what the checker says of it.
func settled(t rapid.TB, domain, text string) (c *certificate.Certificate, err error) {
	d, wrong := orderWords.Domain(domain)
	if wrong != nil {
		t.Fatal(wrong)
	}
	c, said, wrong := d.Settle(text)
	t.Log(text, said)
	if wrong != nil {
		t.Fatal(wrong)
	}
	if c != nil {
		err = checker.Check(c)
	}
	return c, err
}

const orderDomain = "n, b ∈ [1, n], C_1, x, y ∈ [1e-6 x, 2x], z"

// TestOrdersAreSettled poses statements whose truth is plain.
func TestOrdersAreSettled(t *testing.T) {
	for _, s := range []struct {
		text string
		kind certificate.Kind
	}{
		{"√(xz) = O(x + z)", certificate.Order}, // the inequality of means itself
		{"x²/(x + z) = O(x)", certificate.Order},
		{"√(xz) = O(x ∧ z)", certificate.Growth},
		{"y = O(x)", certificate.Order}, // y ≤ 2x
		{"x = O(y)", certificate.Growth},
		{"n/b = Ω(1)", certificate.Order},
		{"n/b = Θ(1)", certificate.Growth},
		{"⌈n/b⌉ = Θ(n/b)", certificate.Order},
		{"1 + ⌊n/b⌋ = Θ(n/b)", certificate.Order},
		{"⌊x⌋ = Θ(x)", certificate.Growth}, // which is 0 for small x
		{"1 + ⌊x⌋ = Θ(1 + x)", certificate.Order},
		{"⌈x⌉ − 1 = O(x)", certificate.Order},
		{"1 + ⌊x⌋ = O(1 + (⌈x⌉ − 1))", certificate.Order},
		{"⌊n⌋ = O(⌈n⌉ − 1)", certificate.Growth}, // which is 0 for n = 1
		{"C_1³n = Õ(n)", certificate.Order},
		{"C_1³n = O(n)", certificate.Growth},
		{"log(n + 1)·√n = Õ(√n)", certificate.Order},
		{"log(n + 1)·√n = O(√n)", certificate.Growth}, // by a logarithm
		{"x/(1 − 1/(4n)) = Θ(x)", certificate.Order},
		{"z = min{x, y}; x/z + z/y = Θ(x/y)", certificate.Order}, // z ≤ y ≤ 2x
		{"z = x + y; z = Θ(x)", certificate.Order},
		{"b ≤ √n; n/b² = Ω(1)", certificate.Order},
		{"b ≤ √n, b ≥ √n/2; n/b² = Θ(1)", certificate.Order},
		{"log(3x/y) = O(1 ∨ log(x/y))", certificate.Order},
		{"log(3x²n/y²) = O((1 ∨ log(x/y)) + (1 ∨ log(n)))", certificate.Order},
	} {
		domain := orderDomain
		if strings.HasPrefix(s.text, "b ≤") {
			domain = "n, C_1, x, y, z"
		}
		c, err := settled(t, domain, s.text)
		if c == nil {
			t.Errorf("%s is not settled", s.text)
			continue
		}
		if err != nil {
			t.Errorf("%s: %v\n%s", s.text, err, c.Proof)
		}
		if c.Kind != s.kind || c.Refutes != (s.kind == certificate.Growth) {
			t.Errorf("%s has a certificate of kind %s", s.text, c.Kind)
		}
	}
}

// TestOrdersAgreeWithNumbers draws statements and compares a proof with values of the two sides at
// many points.
func TestOrdersAgreeWithNumbers(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		monomial := func() string {
			text := fmt.Sprint(rapid.IntRange(1, 9).Draw(t, "coefficient"))
			for _, name := range []string{"n", "b", "x", "y"} {
				if e := rapid.IntRange(-4, 4).Draw(t, name); e != 0 {
					text += fmt.Sprintf("·%s^{%d/2}", name, e)
				}
			}
			return text
		}
		side := func() string {
			text := monomial()
			parts := []string{text}
			for range rapid.IntRange(0, 2).Draw(t, "further terms") {
				parts = append(parts, monomial())
			}
			switch rapid.IntRange(0, 2).Draw(t, "joined") {
			case 0:
				return strings.Join(parts, " + ")
			case 1:
				return "max{" + strings.Join(parts, ", ") + ", " + text + "}"
			}
			return "min{" + strings.Join(parts, ", ") + ", " + text + "}"
		}
		left, right := side(), side()
		c, err := settled(t, "n, b ∈ [1, n], x, y ∈ [1e-6 x, 2x]", left+" = O("+right+")")
		if c == nil || err != nil {
			t.Fatalf("%s = O(%s) is not settled: %v", left, right, err)
		}
		f, g := formula.Must(orderWords, left).Of("n", "b", "x", "y"),
			formula.Must(orderWords, right).Of("n", "b", "x", "y")
		ratio := func(n, b, x, y float64) float64 { return f.At(n, b, x, y) / g.At(n, b, x, y) }
		if c.Kind == certificate.Order {
			var proof certificate.OrderProof
			if err := json.Unmarshal(c.Proof, &proof); err != nil {
				t.Fatal(err)
			}
			most := 0.0
			fmt.Sscanf(strings.Split(proof.Constant, "/")[0], "%g", &most)
			if _, below, ok := strings.Cut(proof.Constant, "/"); ok {
				d := 1.0
				fmt.Sscanf(below, "%g", &d)
				most /= d
			}
			for range 50 {
				n := math.Pow(10, rapid.Float64Range(0, 6).Draw(t, "log n"))
				b := math.Pow(n, rapid.Float64Range(0, 1).Draw(t, "log b"))
				x := math.Pow(10, rapid.Float64Range(-6, 6).Draw(t, "log x"))
				y := 2 * x * math.Pow(10, rapid.Float64Range(-6, 0).Draw(t, "log y"))
				if r := ratio(n, b, x, y); r > most*(1+1e-9) {
					t.Fatalf("%s = O(%s): %v at %v", left, right, r, []float64{n, b, x, y})
				}
			}
			return
		}
		var proof certificate.GrowthProof
		if err := json.Unmarshal(c.Proof, &proof); err != nil {
			t.Fatal(err)
		}
		// The constants let the largest terms take over late, and powers leave the range of
		// floating point early.
		at := func(s uint) (log float64) {
			var v [4]enclosure.Interval
			for i, name := range []string{"n", "b", "x", "y"} {
				// neither side has a symbol without a place
				start, ok := new(big.Rat).SetString(cmp.Or(proof.At[name], "1"))
				if !ok {
					t.Fatalf("%s starts at %q", name, proof.At[name])
				}
				e, power := proof.Exponents[name], enclosure.Int(2).Pow(int(s))
				if e < 0 {
					e, power = -e, power.Inv()
				}
				v[i] = enclosure.Rat(start).Mul(power.Pow(int(e)))
			}
			left, err := f.Enclose(v[:]...)
			if err != nil {
				t.Fatal(err)
			}
			right, err := g.Enclose(v[:]...)
			if err != nil {
				t.Fatal(err)
			}
			log, _ = left.Quo(right).Log().Float64()
			return log
		}
		if near, far := at(200), at(300); !(far > near+20*math.Ln2) {
			t.Fatalf("%s = O(%s): the ratio grows from e^%v to e^%v along %s", left, right, near,
				far, c.Proof)
		}
	})
}

// forge changes a copy of a certificate and its proof.
func forge[P any](t *testing.T, c *certificate.Certificate,
	change func(*certificate.Certificate, *P)) *certificate.Certificate {
	t.Helper()
	var proof P
	if err := json.Unmarshal(c.Proof, &proof); err != nil {
		t.Fatal(err)
	}
	forged := *c
	forged.Symbols = slices.Clone(c.Symbols)
	change(&forged, &proof)
	var err error
	if forged.Proof, err = json.Marshal(proof); err != nil {
		t.Fatal(err)
	}
	return &forged
}

func TestForgedOrders(t *testing.T) {
	c, err := settled(t, orderDomain, "z = min{x, y}; C_1√(yz)/(1 − 1/(4n)) + ⌊n/b⌋ = Õ(x + n/b)")
	if c == nil || err != nil {
		t.Fatal(c, err)
	}
	type proof = certificate.OrderProof
	for what, change := range map[string]func(*certificate.Certificate, *proof){
		"a smaller constant": func(_ *certificate.Certificate, p *proof) { p.Constant = "1/1000" },
		"no constant":        func(_ *certificate.Certificate, p *proof) { p.Constant = "0" },
		"no facts":           func(_ *certificate.Certificate, p *proof) { p.Facts = nil },
		"half of the facts": func(_ *certificate.Certificate, p *proof) {
			p.Facts = p.Facts[:len(p.Facts)/2]
		},
		"a power of a real number": func(_ *certificate.Certificate, p *proof) { p.Powers["x"] = "1" },
		"no powers":                func(_ *certificate.Certificate, p *proof) { p.Powers = nil },
		"another statement": func(c *certificate.Certificate, _ *proof) {
			c.Statement = strings.Replace(c.Statement, "n/b)", "n/b²)", 1)
		},
		"a larger left side": func(c *certificate.Certificate, _ *proof) {
			c.Statement = "x + " + c.Statement
		},
		"an order that counts logs": func(c *certificate.Certificate,
			_ *proof) {
			c.Statement = strings.Replace(c.Statement, "Õ", "O", 1)
		},
		"both directions": func(c *certificate.Certificate, _ *proof) {
			c.Statement = strings.Replace(c.Statement, "Õ", "Θ̃", 1)
		},
		"a domain without a bound": func(c *certificate.Certificate,
			_ *proof) {
			c.Domain = strings.Replace(c.Domain, "y ≤ 2x, ", "", 1)
		},
		"a symbol that may be 0": func(c *certificate.Certificate,
			_ *proof) {
			c.Domain = strings.Replace(c.Domain, ", x > 0", "", 1)
		},
		"a count that is real": func(c *certificate.Certificate, _ *proof) {
			c.Symbols[slices.IndexFunc(c.Symbols,
				func(s certificate.Symbol) bool { return s.Name == "n" })].Kind = certificate.Real
		},
		"a refutation": func(c *certificate.Certificate, _ *proof) { c.Refutes, c.Scope = true, "" },
		"a scope that is smaller": func(c *certificate.Certificate, _ *proof) {
			c.Scope, c.Covers = certificate.Sizes,
				"n = 2"
		},
		"a statement that is no order": func(c *certificate.Certificate, _ *proof) { c.Statement = "x ≤ y" },
	} {
		if err := checker.Check(forge(t, c, change)); err == nil {
			t.Errorf("accepted with %s", what)
		}
	}
	var p proof
	if err := json.Unmarshal(c.Proof, &p); err != nil {
		t.Fatal(err)
	}
	for i := range p.Facts { // every weight and every exponent counts
		for k := range 3 {
			for at := range []map[int]string{p.Facts[i].Left, p.Facts[i].Right,
				p.Facts[i].Rows}[k] {
				forged := forge(t, c, func(_ *certificate.Certificate, q *proof) {
					[]map[int]string{q.Facts[i].Left, q.Facts[i].Right,
						q.Facts[i].Rows}[k][at] = "1/7"
				})
				if err := checker.Check(forged); err == nil {
					t.Errorf("accepted with a wrong weight in fact %d", i)
				}
			}
		}
	}
	for i := range p.Monomials {
		for name := range p.Monomials[i] {
			if name == "C_1" {
				continue // which the statement drops
			}
			forged := forge(t, c, func(_ *certificate.Certificate, q *proof) { q.Monomials[i][name] = "5/7" })
			if err := checker.Check(forged); err == nil {
				t.Errorf("accepted with a wrong exponent of %s", name)
			}
		}
	}
}

func TestForgedGrowths(t *testing.T) {
	c, err := settled(t, orderDomain, "z = x + y; n z/b = O(x√n/b + y)")
	if c == nil || err != nil {
		t.Fatal(c, err)
	}
	type proof = certificate.GrowthProof
	tests := map[string]func(*certificate.Certificate, *proof){
		"another gap":        func(_ *certificate.Certificate, p *proof) { p.Gap = "7/3" },
		"no gap":             func(_ *certificate.Certificate, p *proof) { p.Gap = "0" },
		"a curve that stays": func(_ *certificate.Certificate, p *proof) { p.Exponents = nil },
		"the other ratio":    func(_ *certificate.Certificate, p *proof) { p.Inverse = true },
		"half a component":   func(_ *certificate.Certificate, p *proof) { p.At["n"] = "17/2" },
		"a shrinking count":  func(_ *certificate.Certificate, p *proof) { p.Exponents["b"] = -1 },
		"y above 2x":         func(_ *certificate.Certificate, p *proof) { p.At["y"] = "1000000" },
		"a missing start":    func(_ *certificate.Certificate, p *proof) { delete(p.At, "x") },
		"a negative start":   func(_ *certificate.Certificate, p *proof) { p.At["x"] = "-1" },
		"a defined symbol":   func(_ *certificate.Certificate, p *proof) { p.At["z"] = "1" },
		"an unknown symbol":  func(_ *certificate.Certificate, p *proof) { p.Exponents["q"] = 1 },
		"a proof": func(c *certificate.Certificate, _ *proof) {
			c.Refutes, c.Scope = false,
				certificate.All
		},
		"a true statement": func(c *certificate.Certificate,
			_ *proof) {
			c.Statement = strings.Replace(c.Statement, "√n", "n", 1)
		},
		"a narrower domain":     func(c *certificate.Certificate, _ *proof) { c.Domain += ", n ≤ 100" },
		"an unsettled relation": func(c *certificate.Certificate, _ *proof) { c.Domain += ", x y = 1" },
	}
	for what, change := range tests {
		if err := checker.Check(forge(t, c, change)); err == nil {
			t.Errorf("accepted with %s", what)
		}
	}
	tilde, err := settled(t, orderDomain, "C_1n = Õ(√n)")
	if err != nil {
		t.Fatal(err)
	}
	if err := checker.Check(forge(t, tilde,
		func(_ *certificate.Certificate, p *proof) {
			p.Exponents = map[string]int64{"C_1": 1}
			p.Gap = "1"
		})); err == nil {
		t.Error("accepted with a logarithm that grows like a power")
	}
}

// TestLimitsAreCompared has sides that do not grow, but whose terms do: they cancel, or are
// multiplied by what tends to 0. The last ones grow.
func TestLimitsAreCompared(t *testing.T) {
	for statement, want := range map[string]string{
		"n + min{(1 − 1/n)^{n²}, -n} = O(1)": "is not positive along the curve",
		"n (1 − 1/n)^{n²} = O(1)":            "is not positive along the curve",
		"n + 1/n − n = O(1)":                 "is not positive along the curve",
		"|1 − n| − n = O(1)":                 "is not positive along the curve",
		"n²/(1 − n) = O(1)":                  "is not positive along the curve",
		"n √(1 − n) = O(1)":                  "of what is not positive along the curve",
		"n/(1 − n/n) = O(1)":                 "a divisor",
		"n ⌈(1 − 1/n)^{n²}⌉ = O(1)":          "is not known",
		"n ⌊1 − 1/n⌋ = O(1)":                 "is not known",
		"n max{n (1 − 1/n)^{n²}, 1} = O(1)":  "counts is not known",
		"n log(1 + 1/n) = O(1)":              "does not grow",
		"n²/(n + 1) = O(1)":                  "",
		"|1 − n| = O(1)":                     "",
		"n²(n − 1)/(1 − n)^2 = O(1)":         "",
		"n − max{1 + 1/n, 1} = O(1)":         "",
	} {
		c := &certificate.Certificate{Kind: certificate.Growth, Refutes: true, Domain: "n ≥ 2",
			Symbols:   []certificate.Symbol{{Name: "n", Kind: certificate.Count}},
			Statement: statement,
			Proof: proof(t, certificate.GrowthProof{At: map[string]string{"n": "2"},
				Exponents: map[string]int64{"n": 1}, Gap: "1"})}
		err := checker.Check(c)
		if (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", statement, err, want)
		}
	}
	for _, clause := range []string{"n (1 − 1/n)^{n²} ≥ 1", "n (1 − 1/n)^{n²} < 1",
		"n + 1/n > n + 1/n", "n − 1/n ≥ n"} {
		c := &certificate.Certificate{Kind: certificate.Growth, Refutes: true, Domain: clause,
			Symbols:   []certificate.Symbol{{Name: "n", Kind: certificate.Count}},
			Statement: "n = O(1)",
			Proof: proof(t, certificate.GrowthProof{At: map[string]string{"n": "2"},
				Exponents: map[string]int64{"n": 1}, Gap: "1"})}
		if err := checker.Check(c); err == nil || !strings.Contains(err.Error(), "not certain") {
			t.Errorf("%s is said to hold along the curve: %v", clause, err)
		}
	}
}

// TestDivisorsAreNotZero has a quotient by 0 on the claimed side, which bounds nothing.
func TestDivisorsAreNotZero(t *testing.T) {
	for _, statement := range []string{"x = O(⌊x⌋·(1/⌊x⌋))", "x = O(1/⌊x⌋)", "1/⌊x⌋ = O(x)",
		"1/(1/⌊x⌋) = O(x)", "x = O(√(1/⌊x⌋))"} {
		c := &certificate.Certificate{Kind: certificate.Order, Scope: certificate.All,
			Domain: "x > 0", Symbols: []certificate.Symbol{{Name: "x", Kind: certificate.Real}},
			Statement: statement,
			Proof: proof(t, certificate.OrderProof{Constant: "3",
				Monomials: []map[string]string{{"x": "1"}, {}, {"x": "-1"}},
				Facts: []certificate.Fact{
					{Left: map[int]string{0: "1"}, Right: map[int]string{0: "1"}}}})}
		err := checker.Check(c)
		if err == nil || !strings.Contains(err.Error(), "a divisor is 0") &&
			!strings.Contains(err.Error(), "a divisor may be 0") {
			t.Errorf("%s: a quotient by 0 is a bound: %v", statement, err)
		}
	}
}

// TestBoundsInACircle has a symbol that is at most a multiple of itself.
func TestBoundsInACircle(t *testing.T) {
	c := &certificate.Certificate{Kind: certificate.Order, Scope: certificate.All,
		Domain: "x > 0; y > 0; z = 1 + y; x ≤ x z",
		Symbols: []certificate.Symbol{{Name: "x", Kind: "real"}, {Name: "y", Kind: "real"},
			{Name: "z", Kind: "real"}},
		Statement: "1/(1 − x) = O(1)", Proof: proof(t, certificate.OrderProof{Constant: "3"})}
	if err := checker.Check(c); err == nil || !strings.Contains(err.Error(), "in a circle") {
		t.Errorf("the circle is answered by %v", err)
	}
}

// FuzzOrders asks that no certificate of an order that contradicts the numbers is accepted: the
// statements are false.
func FuzzOrders(f *testing.F) {
	c, _ := settled(&testing.T{}, orderDomain, "√(xz) = O(x + z)")
	f.Add(c.Domain, []byte(c.Proof))
	f.Fuzz(func(t *testing.T, domain string, proof []byte) {
		if !json.Valid(proof) || strings.Contains(domain, "=") ||
			strings.ContainsAny(domain, "≤≥<") {
			return // another domain may make it true
		}
		forged := *c
		forged.Statement, forged.Domain, forged.Proof = "x = O(√(x z))", domain, proof
		if checker.Check(&forged) == nil {
			t.Fatal("a false order is accepted")
		}
	})
}
