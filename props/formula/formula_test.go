package formula

import (
	"context"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sledge/props"
	"sledge/props/enclosure"
)

var (
	gradient  = props.Unit{F: 1, X: -1}
	curvature = props.Unit{F: 1, X: -2}
)

// words is a vocabulary like that of the theory.
var words = NewVocabulary(
	Symbol{Name: "n", Kind: Count, Lo: 2, Hi: 1e6}, Symbol{Name: "b", Kind: Count},
	Symbol{Name: "T", Kind: Count}, Symbol{Name: "T_1", Kind: Count},
	Symbol{Name: "C_1", Kind: Logarithmic, Hi: 400, Lo: 1}, Symbol{Name: "p"},
	Symbol{Name: "K", Kind: Count}, Symbol{Name: "L", Unit: curvature},
	Symbol{Name: "ζ", Unit: curvature}, Symbol{Name: "ζ'", Unit: curvature},
	Symbol{Name: "η", Unit: props.Unit{F: -1, X: 2}}, Symbol{Name: "ε", Unit: gradient},
	Symbol{Name: "σ_c", Unit: gradient},
	Symbol{Name: "G_c", Unit: gradient}, Symbol{Name: "σ_{max}", Unit: gradient}, Symbol{Name: "Δ",
		Unit: props.Unit{F: 1}},
	Symbol{Name: "r", Unit: props.Unit{X: 1}, Hi: 1e3}, Symbol{Name: "ν", Lo: 1e-9, Hi: 0.5},
	Symbol{Name: "moved",
		Unit: props.Unit{X: 2}})

func parse(t *testing.T, text string) *node {
	t.Helper()
	n, err := parseOne(words, text)
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// What a text means is shown by a text with all parentheses in it, and by how it is printed.
func TestReading(t *testing.T) {
	for _, c := range []struct{ text, full, printed string }{
		{"15 C_1⁹ η ζ² n/b²", "((((15·(C_1^9))·η)·(ζ^2))·n)/(b^2)", "15C_1⁹ηζ²n/b²"},
		{"b/(C_1^{9/2} ζ √(60n))", "b/(((C_1^{(9/2)})·ζ)·(√(60·n)))", "b/(C_1^{9/2}ζ√(60n))"},
		{"2Tr²/η²", "((2·T)·(r^2))/(η^2)", "2T r²/η²"},
		{"ζ√n b", "(ζ·(√(n)))·b", "ζ√n b"},
		{"a/b", "", ""},
		{"n/b·C_1", "(n/b)·C_1", "(n/b)C_1"},
		{"n/b/K", "(n/b)/K", "(n/b)/K"},
		{"-n + b − K", "((-(n)) + b) - K", "−n + b − K"},
		{"-n b", "-(n·b)", "−nb"},
		{"min{1/(2L), η} ", "min((1/(2·L)), η)", "min{1/(2L), η}"},
		{"1/(2L) ∧ b/(C_1⁴ ζ √(60n))", "min{1/(2·L), b/(((C_1^4)·ζ)·sqrt(60 n))}",
			"1/(2L) ∧ b/(C_1⁴ζ√(60n))"},
		{"ζ√n ∨ L b", "max{ζ·√n, L·b}", "ζ√n ∨ Lb"},
		{"sigma_c^2 + G_c^2/b", "(σ_c²) + ((G_c²)/b)", "σ_c² + G_c²/b"},
		{"C₁ zeta' eps", "(C_1·ζ')·ε", "C_1ζ'ε"},
		{"σ_{max}", "σ_{max}", "σ_{max}"},
		{"⌈n/b C_1⌉", "", ""},
		{"⌈(n/b) C_1⌉ − ⌊n/2⌋ + |n − b|", "((⌈(n/b)·C_1⌉) − (⌊n/2⌋)) + (abs(n − b))",
			"⌈(n/b)C_1⌉ − ⌊n/2⌋ + |n − b|"},
		{"log(nT/ν) + log² n + exp(-n)", "((log((n·T)/ν)) + ((log(n))^2)) + (exp(-(n)))",
			"log(nT/ν) + log(n)² + exp(−n)"},
		{"Σ_{i=1}^{n} 1/i²", "Σ_{i=(1)}^{(n)} (1/(i²))", "Σ_{i=1}^{n} 1/i²"},
		{"x", "", ""},
		{"1e-9 L + 2.50L", "((0.000000001)·L) + (2.5·L)", "1e-9L + 2.5L"},
		{"n⁻¹", "n^{-(1)}", "n⁻¹"},
		{"moved/η²", "moved/(η²)", "moved/η²"},
		{"n (b)", "n·b", "nb"},
		{"√x²", "", ""},
		{"n^p", "n^{p}", "n^{p}"},
	} {
		if c.full == "" {
			if _, err := parseOne(words, c.text); err == nil {
				t.Errorf("%q has a meaning", c.text)
			}
			continue
		}
		n := parse(t, c.text)
		if m := parse(t, c.full); !n.equal(m) {
			t.Errorf("%q is read as %s, not as %s", c.text, n.text(), m.text())
		}
		if got := n.text(); strings.ReplaceAll(got, " ", "") != strings.ReplaceAll(c.printed,
			" ", "") {
			t.Errorf("%q is printed as %s, want %s", c.text, got, c.printed)
		}
	}
}

func TestErrorsSayWhere(t *testing.T) {
	for text, want := range map[string]struct {
		column int
		what   string
	}{
		"L/2 + x":                {7, "x is no known symbol"},
		"1/(2L":                  {6, ") is missing"},
		"n/b ζ":                  {5, "two readings"},
		"n ∧ b ∨ K":              {7, "of one rank"},
		"n + b ∧ K":              {7, "set parentheses"},
		"√n²":                    {3, "two readings"},
		"2 3":                    {3, "'3' is not expected"},
		"n^":                     {3, "too early"},
		"":                       {1, "too early"},
		"min{n}":                 {1, "two numbers or more"},
		"n^2^3":                  {4, "second exponent"},
		"C_2 n":                  {1, "C_2 is no known symbol"},
		"1e999":                  {2, "power of ten"},
		"Σ_{n=1}^{2} n":          {4, "n has a meaning already"},
		"|n":                     {3, "| is missing"},
		"ηεω":                    {3, "ω is no known symbol"},
		"n ≤ b":                  {1, "an expression is wanted"},
		"(n + b]":                {7, ") is wanted"},
		strings.Repeat("(", 300): {101, "deep"},
	} {
		_, err := parseOne(words, text)
		var e *Error
		if !errors.As(err, &e) || e.Column != want.column || !strings.Contains(e.What, want.what) {
			t.Errorf("%q: %v, want character %d: … %s", text, err, want.column, want.what)
		}
	}
}

// What has no value whatever its symbols are, is beyond floating point, or would take long is
// refused where it is read, in statements, domains and formulas alike.
func TestConstantsHaveValues(t *testing.T) {
	long := strings.Repeat("n + ", 500) + "n"
	for text, want := range map[string]struct {
		column int
		what   string
	}{
		"log(-1) n":                           {1, "log(−1) is not defined: a logarithm"},
		"n √(1 − 2)":                          {3, "√(1 − 2) is not defined: a root"},
		"(0 − 8)^{1/3} n":                     {2, "(0 − 8)^{1/3} is not defined: a root"},
		"n + 0^{-1}":                          {5, "0⁻¹ is not defined: it divides by 0"},
		"1e400 L":                             {1, "1e400 is larger than any"},
		"1e-400 L":                            {1, "1e-400 is smaller than any"},
		"1e200·1e200 n":                       {1, "1e200·1e200 is larger"},
		"n^{9^{9^9}}":                         {4, "9^{9⁹} is larger"},
		"⌈exp(1000)⌉ n":                       {2, "exp(1000) is larger"},
		"min{n, log(0)}":                      {8, "log(0) is not defined"},
		"Σ_{k=1}^{1000000000} k n":            {1, "has 1e+09 terms, and at most 1000000"},
		"Σ_{k=1}^{2000} Σ_{l=1}^{2000} k l n": {1, "has 2e+03 terms, and at most 1000 "},
		"Σ_{k=1/2}^{n} k":                     {1, "begins at 0.5, which is no whole number"},
		"Σ_{k=1}^{3} log(0)":                  {13, "log(0) is not defined"},
		long:                                  {2001, "more than 500 numbers and symbols"},
		strings.Repeat("Σ_{k=1}^{9} k + ", 20) + "Σ_{k=1}^{9} k": {321, "more than 20 sums"},
	} {
		_, err := Parse(words, text)
		statement := text + " ≥ n"
		_, also := ParseStatement(words, statement)
		_, drawn := words.Domain("b ∈ [1, " + text + "]")
		_, related := words.Relations(statement)
		for how, err := range map[string]error{"Parse": err, "ParseStatement": also, "Domain": drawn,
			"Relations": related} {
			column := want.column
			if how == "Domain" {
				column += len("b ∈ [1, ") - len("∈") + 1
			}
			var e *Error
			if !errors.As(err, &e) || how != "Domain" && e.Column != column ||
				!strings.Contains(e.What, want.what) {
				t.Errorf("%s of %.40q: %v, want character %d: … %s", how, text, err, column, want.what)
			}
		}
		if _, err := words.Clauses(statement); err != nil { // as certificates are read
			t.Errorf("Clauses of %.40q: %v", text, err)
		}
	}
	for _, text := range []string{"0^0 n", "exp(-1000) n", "1e300 n", "√2 n", "log(2) n", "(-8)^3 n",
		"Σ_{k=1}^{1000000} k n", "Σ_{k=1}^{1000} Σ_{l=1}^{k} l n", "Σ_{k=5}^{1} k n", "|−2|^{1/2} n"} {
		if _, err := Parse(words, text); err != nil {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// A sum whose end is drawn is refused where it may be longer than what is added up.
func TestLongSums(t *testing.T) {
	d := words.MustDomain("n ∈ [2, 1e6], b ∈ [1, n], T ∈ [1, 1e9], K ∈ [1, 1000]")
	for text, long := range map[string]bool{
		"Σ_{k=1}^T k ≥ 0": true, "Σ_{k=1}^n k ≥ 0": false, "Σ_{k=1}^{⌈n/b⌉} k ≥ 0": false,
		"Σ_{k=n}^{T} k ≥ 0": true, "Σ_{k=1}^n Σ_{j=1}^K j ≥ 0": true, "Σ_{k=1}^K Σ_{j=1}^k j ≥ 0": false,
		"Σ_{k=1}^{nK} k ≥ 0": true, "b ≥ Σ_{k=1}^T k; n ≥ 0": true,
	} {
		_, err := d.Implication(text)
		if (err != nil) != long || long && !strings.Contains(err.Error(), "the sum may have") {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// What looks like a sign of the notation, or is one of another, is named with the sign to write.
func TestLookAlikes(t *testing.T) {
	for text, want := range map[string]string{
		"n – b": "'–' is not expected here (U+2013): write −", "n ⩽ b": "(U+2A7D): write ≤",
		"n∗b": "(U+2217): write ·", "К n": "К is no known symbol (U+041A): write K; known are",
		"ｎ": "(U+FF4E): write n", "\\frac{n}{b}": "write the signs themselves", "n.b": "a digit before",
		"b 2": "a number is the first factor", "(b 2)": "a number is the first factor",
		"n²³ ж": "ж is no known symbol (U+0436); known",
		"mоved": "m is no known symbol, and о behind it is none of its letters (U+043E): write o; known",
		"n ∆":   "(U+2206): write Δ", "ψ": "ψ is no known symbol; known are"} {
		if _, err := Parse(words, text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
	for name, want := range map[string]string{"х": "x", "Ν": "N", "ｆ": "f", "η": "", "ν": "", "x_1": "",
		"ℓ": "", "gap": "", "σ_с": "σ_c"} {
		if got := Alike(name); got != want {
			t.Errorf("%s looks like %q, want %q", name, got, want)
		}
	}
}

// trees draws formulas that are defined for positive symbols, over a few symbols. None divides by a
// constant 0.
func trees(names ...string) *rapid.Generator[*node] {
	var gen func(depth int) *rapid.Generator[*node]
	leaf := rapid.Custom(func(t *rapid.T) *node {
		if rapid.Bool().Draw(t, "number") {
			return &node{op: number,
				value: big.NewRat(rapid.Int64Range(1, 60).Draw(t, "value"),
					rapid.SampledFrom([]int64{1, 1, 1, 2, 10, 1e7}).Draw(t, "part"))}
		}
		return sym(rapid.SampledFrom(names).Draw(t, "name"))
	})
	gen = func(depth int) *rapid.Generator[*node] {
		if depth == 0 {
			return leaf
		}
		return rapid.Custom(func(t *rapid.T) *node {
			arg := func() *node { return gen(depth-1).Draw(t, "argument") }
			switch op := rapid.SampledFrom(
				[]operation{number, add, add, subtract, negate, multiply, multiply,
					divide, power,
					smallest, largest, root,
					logarithm, exponential, ceiling, floor, absolute, sum}).Draw(t,
				"operation"); op {
			case number:
				return leaf.Draw(t, "leaf")
			case add, subtract, multiply, divide:
				return of(op, arg(), arg())
			case power:
				e := &node{op: number, value: big.NewRat(rapid.Int64Range(0, 9).Draw(t, "exponent"),
					rapid.SampledFrom([]int64{1, 2}).Draw(t, "half"))}
				if rapid.Bool().Draw(t, "inverse") {
					e = of(negate, e)
				}
				return of(op, arg(), e)
			case smallest, largest:
				n := of(op, arg(), arg())
				n.infix = rapid.Bool().Draw(t, "infix")
				if rapid.Bool().Draw(t, "three") {
					n.args = append(n.args, arg())
				}
				return n
			case sum:
				index := rapid.SampledFrom([]string{"i", "j"}).Draw(t, "index")
				body := gen(depth-1).Draw(t, "body").mapped(func(m *node) *node {
					if m.op == sum {
						return num(3) // indices are not used twice
					}
					return nil
				})
				return &node{op: sum, name: index,
					args: []*node{num(1), num(rapid.Int64Range(0, 4).Draw(t, "to")),
						of(multiply, sym(index), body)}}
			default:
				return of(op, arg())
			}
		})
	}
	return gen(4).Filter(func(n *node) bool { // which is refused where it is read
		meant := true
		n.mapped(func(m *node) *node {
			if m.op == divide {
				v, known := m.args[1].constant()
				meant = meant && !(known && v.Sign() == 0)
			}
			return nil
		})
		return meant
	})
}

func TestPrintedFormulasReadTheSame(t *testing.T) {
	gen := trees("n", "b", "C_1", "L", "ζ", "ζ'", "ε", "σ_c", "σ_{max}", "moved", "T", "T_1", "r")
	rapid.Check(t, func(rt *rapid.T) {
		n := gen.Draw(rt, "formula")
		text := n.text()
		m, err := parseOne(words, text)
		if err != nil {
			rt.Fatal(err)
		}
		if !m.equal(n) {
			rt.Fatalf("%s is read as %s", text, m.text())
		}
	})
}

// The three arithmetics agree where they are defined: exact values lie in the intervals, and
// floating point is near them up to the size of the terms.
func TestArithmeticsAgree(t *testing.T) {
	gen := trees("n", "b", "L")
	exact, compared := 0, 0
	agree := func(rt *rapid.T) {
		n := gen.Draw(rt, "formula")
		p := compile(n, []string{"n", "b", "L"})
		at := []*big.Rat{big.NewRat(rapid.Int64Range(1, 99).Draw(rt, "n"), 1),
			big.NewRat(rapid.Int64Range(1, 99).Draw(rt, "b"), 1),
			big.NewRat(rapid.Int64Range(1, 99).Draw(rt, "8 L"), 8)}
		var floats []float64
		var intervals []enclosure.Interval
		for _, v := range at {
			f, _ := v.Float64()
			floats, intervals = append(floats, f), append(intervals, enclosure.Rat(v))
		}
		around, err := p.Enclose(intervals...)
		if err != nil {
			return
		}
		if v, err := p.Exact(at...); err == nil {
			exact++
			within := v.Enclose(1000)
			if within.Below(around) || around.Below(within) {
				rt.Fatalf("%s = %v is not in its interval", n.text(), v)
			}
		}
		size := compile(n.magnitude(), []string{"n", "b", "L"}).At(floats...)
		lo, hi := around.Float64()
		if f := p.At(floats...); size < 1e12 && size > 1e-12 && !n.has(ceiling) && !n.has(floor) &&
			!n.has(divide) &&
			!n.has(logarithm) {
			compared++
			if tolerance := 1e-7 * max(1, size) * (1 + size); f < lo-tolerance || f > hi+tolerance {
				rt.Fatalf("%s: %v is not in [%v, %v]", n.text(), f, lo, hi)
			}
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		for range 10 {
			agree(rt)
		}
	})
	if exact < 10 || compared < 10 {
		t.Errorf("only %d exact values and %d in floating point", exact, compared)
	}
}

func TestUnits(t *testing.T) {
	for text, want := range map[string]props.Unit{
		"min{1/(2L), b/(C_1^{9/2} ζ √(60n))}":          {F: -1, X: 2},
		"L/2 + 15 C_1⁹ η ζ² n/b²":                      curvature,
		"⌈(2Δ/η + 24(C_1³ n/b²)(σ_c² + G_c²/b))·2/ε²⌉": {},
		"√(ε² + σ_c²)":                                 gradient,
		"(2Δ/η + 0)^{3/2}":                             {F: 3, X: -3},
		"Σ_{i=1}^{n} ε²/i":                             {F: 2, X: -2},
		"max{0, ε}":                                    gradient,
	} {
		f, err := Parse(words, text)
		if err != nil {
			t.Error(err)
		} else if !sameUnit(f.Unit(), want) {
			t.Errorf("%s has the unit %s, want %s", text, unitName(f.Unit()), unitName(want))
		}
	}
	for text, want := range map[string]string{
		"2Δ/η + (12C_1² n/b²)(σ_c² + G_c/b)": "σ_c² has the unit f²/x², but G_c/b has f/x",
		"n + L":         "n has the unit 1, but L has f/x²",
		"log(L)":        "L has the unit f/x², but logarithms, exponentials and roundings are of numbers",
		"n^L":           "L has the unit f/x², but exponents are numbers",
		"L^n":           "L has the unit f/x², but its exponent is not constant",
		"⌈√L⌉":          "√L has the unit f^{0.5}/x, but logarithms, exponentials and roundings are of numbers",
		"n + b + K + ε": "K has the unit 1, but ε has f/x",
	} {
		if _, err := Parse(words, text); err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
		if f, err := Parse(words.Numbers(), text); err != nil || !sameUnit(f.Unit(), props.Unit{}) {
			t.Errorf("%s, of numbers: %v", text, err)
		}
	}
}

// Symbols of the same name are replaced, and units are asserted whatever the numbers are.
func TestHomogeneous(t *testing.T) {
	values := words.With(Symbol{Name: "ε", Unit: props.Unit{F: 1}})
	for _, c := range []struct {
		v    *Vocabulary
		text string
		want props.Verdict
	}{
		{words, "Δ ≤ ε", props.Refuted},
		{values, "Δ ≤ ε", props.Consistent},
		{words, "σ_c ≤ ε", props.Consistent},
		{values, "σ_c ≤ ε", props.Refuted},
	} {
		if r := verdict(t, c.v.Homogeneous(c.text)); r.Verdict != c.want {
			t.Errorf("%s: %v, want %v: %v", c.text, r.Verdict, c.want, r.Err)
		}
	}
}

func TestRadicals(t *testing.T) {
	exact := func(text string, arguments ...*big.Rat) string {
		v, err := compile(parse(t, text), []string{"n", "b"}).Exact(arguments...)
		if err != nil {
			return err.Error()
		}
		return v.String()
	}
	n, b := big.NewRat(60, 1), big.NewRat(15, 4)
	for text, want := range map[string]string{
		"√(n b)":          "15",
		"√n + 2√b":        "(135)^{1/2}",
		"√n·√n/n":         "1",
		"n^{3/2}/√n":      "60",
		"(√n)^{2/3}":      "(60)^{1/3}",
		"√n + 1":          "formula: the sum of (60)^{1/2} and 1 is no root of a rational number",
		"√n − √n":         "0",
		"Σ_{i=1}^n 1/2^i": "1152921504606846975/1152921504606846976",
		// a common denominator of thousands of digits takes too long
		"Σ_{i=1}^{100n} 1/i": "formula: the numbers are too large for exact arithmetic",
		"min{√n, 8, 7.75}":   "(60)^{1/2}",
		"max{√n, 8, 7.75}":   "8",
		"⌈√n⌉ − ⌊√n⌋":        "1",
		"Σ_{i=1}^{n} i":      "1830",
		"log(1) + exp(0)":    "1",
		"log(2)":             "formula: the logarithm of 2 is not rational",
		"1/(n − 16b)":        "formula: division by 0",
		"(-8)^{1/3}":         "formula: a root of a negative number",
		"|1 − n|^{-1/2}":     "(1/59)^{1/2}",
		"n^{1/2}·n^{1/3}":    "(777600000)^{1/6}",
	} {
		if got := exact(text, n, b); got != want {
			t.Errorf("%s = %s, want %s", text, got, want)
		}
	}
}

func verdict(t rapid.TB, c props.Check) *props.Result {
	t.Helper()
	results, err := props.Run(context.Background(),
		[]props.Claim{{ID: "formula", Tier: 1, Part: "x", Kind: "x", Statement: "x", Check: c}},
		props.Config{Seed: 1})
	if err != nil {
		t.Fatal(err)
	}
	return &results[0]
}

const first = "n ∈ [2, 1e6], b ∈ [1, n], C_1 ∈ [1, 400], L ∈ [1e-6, 1e6], ζ ∈ [1e-9 L, 2L], ε, η"

// Verdicts of statements: ties hold, violations are certified, also those of irrational numbers and
// those below the accuracy of floating point.
func TestVerdicts(t *testing.T) {
	d := words.MustDomain(first)
	for text, want := range map[string]props.Verdict{
		"η = min{1/(2L), b/(C_1⁴ ζ √(60n))}; L/2 + 15 C_1⁹ η ζ² n/b² ≤ 1/(2η)":      props.Refuted,
		"η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; L/2 + 15 C_1⁹ η ζ² n/b² ≤ 1/(2η)": props.Consistent,
		"r ≤ ηε/2 implies 2T r²/η² ≤ Tε²/2":                                         props.Consistent,
		"r ≤ ηε/2 implies 2.000001T r²/η² ≤ Tε²/2":                                  props.Refuted,
		"2T r²/η² ≤ Tε²/2 if r ≤ ηε/2":                                              props.Consistent,
		"2.000001T r²/η² ≤ Tε²/2 if r ≤ ηε/2":                                       props.Refuted,
		"T ηε²/4 ≥ Δ if T ≥ 4Δ/(ηε²), n ≥ b":                                        props.Consistent,
		"ζ ≤ 2L": props.Consistent,
		"p = √n + √b implies p² ≤ n + b + 2√(n b)":          props.Consistent,
		"p = √n + √b implies p² ≥ n + b + 2√(n b) + 1e-14n": props.Refuted,
		"T ≥ 4Δ/(ηε²) implies T ηε²/4 ≥ Δ":                  props.Consistent,
		"C_1 ∈ [4, 8], C_1 ≥ 5 implies C_1² ≥ 25":           props.Consistent,
		"(1 + 1e-12)ζ ≤ 2L":                                 props.Refuted,
		"1/(2η) − L/2 − (1/(2η) − L/2) ≥ 0":                 props.Consistent,
		"n ≥ 2":                 props.Consistent,
		"log(n) ≤ n/2.74":       props.Refuted,
		"log(n) ≤ n/2.8":        props.Refuted,
		"log(n) ≤ n/2":          props.Consistent,
		"exp(ν) ≥ 1 + ν + ν²/2": props.Consistent,
		"exp(ν) ≥ 1 + ν + ν²/2 + ν³/6 + 1e-9ν⁴ + ν⁴/24": props.Refuted,
		"σ_c² + G_c/b ≤ 2(σ_c² + G_c/b)":                props.Refuted,
	} {
		for _, e := range comesTo(t, d, text, want).Evidence {
			if e.Violations > 0 && !e.Certified {
				t.Errorf("%s: the violation %v against %v is not certified", text, e.Measured,
					e.Claimed)
			}
		}
	}
	for text, want := range map[string]props.Verdict{
		"η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; 4Δ/(ηε²) = Õ(LΔ/ε²)":            props.Refuted,
		"η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; 4Δ/(ηε²) = Θ̃((L + ζ√n/b)Δ/ε²)": props.Consistent,
		"n log(n/ν) = Õ(n)":       props.Consistent,
		"n log(n/ν) = O\u0303(n)": props.Consistent, // as a letter and a sign
		"n C_1 = O(n)":            props.Refuted,
		"n² = Ω(n b)":             props.Consistent,
		"n = Ω(n√b)":              props.Refuted,
	} {
		if r := verdict(t, d.Order(text)); r.Verdict != want {
			t.Errorf("%s: %v, want %v: %v", text, r.Verdict, want, r.Err)
		}
	}
}

func TestStatementsThatAreNone(t *testing.T) {
	d := words.MustDomain(first)
	for text, want := range map[string]string{
		"n": "n is no statement", "n < b": "up to rounding", "n ≤ b; n": "n is no statement",
		"n = O(b)": "not compared with a number", "n = O(b); n ≤ b": "is no premise",
		"T ∈ [1, n], n ≤ T, T ∈ [1, 2] implies n ≤ b": "drawn already",
		"p ∈ [2, 1]; p ≤ 1":                           "is empty",
		"n ≥ 2, b ≥ 1 if n ≥ b":                       "before it the conclusion alone",
		"n ≥ 2 if n ≥ b implies b ≥ 1":                "implies is no known symbol",
		"n ≥ 2 if ":                                   "the formula ends too early",
		"b/(2 − 2) ≤ n":                               "divided by 0",
	} {
		if _, err := d.Implication(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	for text, want := range map[string]string{"n ≤ b": "an order is",
		"n ≥ O(b)":           "do not go together",
		"n ≤ O(n), b = O(n)": "is no premise"} {
		if _, err := d.Complexity(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
	circle := words.MustDomain("p = n + K, K ∈ [1, p]")
	if _, err := circle.Implication("p ≤ n"); err == nil ||
		!strings.Contains(err.Error(), "depends on itself") {
		t.Errorf("a circle: %v", err)
	}
	for text, want := range map[string]string{"n, n": "drawn twice", "n + b": "no range",
		"n ≤ b":      "no range",
		"L ∈ [1, n]": "L has the unit f/x², but",
		"ζ ∈ [L, n]": "L has the unit f/x², but n has 1"} {
		if _, err := words.Domain(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", text, err, want)
		}
	}
}

var stepSize = Must(words, "min{1/(2L), b/(C_1^p ζ √(60n))}").Of("L", "ζ", "n", "b", "C_1", "p")

func TestProgramsDoNotAllocate(t *testing.T) {
	if n := testing.AllocsPerRun(100, func() { stepSize.At(1, 2, 15, 3, 4, 4.5) }); n != 0 {
		t.Errorf("%v allocations", n)
	}
	if got := stepSize.At(1, 2, 15, 3, 4, 4.5); got != 3/(512*2*30.) {
		t.Errorf("the step size is %v", got)
	}
	if f := Must(words, "2n/b"); f.At(map[string]float64{"n": 3, "b": 4}) != 1.5 {
		t.Error("At by names")
	}
}

func BenchmarkAt(b *testing.B) {
	L, zeta := 1.5, 2.5
	b.ReportAllocs()
	for b.Loop() {
		stepSize.At(L, zeta, 15, 3, 4, 4.5)
	}
}

func BenchmarkDirect(b *testing.B) {
	L, zeta, n, batch, c1, p := 1.5, 2.5, 15.0, 3.0, 4.0, 4.5
	for b.Loop() {
		sink = min(1/(2*L), batch/(math.Pow(c1, p)*zeta*math.Sqrt(60*n)))
	}
}

var sink float64

func FuzzParse(f *testing.F) {
	for _, text := range []string{"min{1/(2L), b/(C_1^{9/2} ζ √(60n))}", "|n − b|",
		"Σ_{i=1}^{n} 1/i²", "log² n",
		"⌈n/b⌉", "1e-9 L", "n ∧ b", "2^2^2", "a/b c", "n^{-1/2}", "((", "C₁⁻¹"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		n, err := parseOne(words, text)
		if err != nil {
			return
		}
		printed := n.text()
		m, err := parseOne(words, printed)
		if err != nil || !m.equal(n) {
			t.Fatalf("%q is printed as %q: %v", text, printed, err)
		}
		words.unit(n)
		compile(n, n.symbols(nil))
	})
}

func TestPrintedStatements(t *testing.T) {
	s, err := ParseStatement(words, "r <= ηε/2 implies 2T r²/η² <= Tε²/2")
	if err != nil {
		t.Fatal(err)
	}
	if got, want := s.String(), "r ≤ ηε/2 implies 2T r²/η² ≤ Tε²/2"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
	if other, err := ParseStatement(words, "2T r²/η² <= Tε²/2 if r <= ηε/2"); err != nil ||
		other.String() != s.String() {
		t.Errorf("%v, %v, want %s", other, err, s)
	}
	if got, want := s.Marked(), "$r ≤ ηε/2$ implies $2T r²/η² ≤ Tε²/2$"; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}

// The minimum of 1 and of a difference of large terms errs as these do.
func TestMagnitudeOfAMinimum(t *testing.T) {
	n := Must(words, "min{1, n − exp(n)}").tree
	if size := compile(n.magnitude(), []string{"n"}).At(22); size < math.Exp(22) {
		t.Errorf("the terms are of size %v", size)
	}
}

// A power of 1 − u keeps what 1 − u loses of u, which counts where the exponent is large.
func TestPowersNearOne(t *testing.T) {
	checked, tree := 0, parse(t, "(1 − p)^n")
	rapid.Check(t, func(t *rapid.T) {
		u := math.Exp2(-rapid.Float64Range(2, 60).Draw(t, "−log u"))
		n := math.Exp2(rapid.Float64Range(0, 4).Draw(t, "log of n u")) / u
		p := compile(tree, []string{"p", "n"})
		want, err := p.Enclose(enclosure.Precise(new(big.Rat).SetFloat64(u), 200),
			enclosure.Precise(new(big.Rat).SetFloat64(n), 200))
		if err != nil {
			t.Fatal(err)
		}
		middle, _ := want.Lower().Float64()
		if got := p.At(u, n); math.Abs(got-middle) > 1e-13*middle {
			t.Fatalf("(1 − %v)^%v is %v, want %v", u, n, got, middle)
		}
		checked++
	})
	if checked == 0 {
		t.Error("nothing was checked")
	}
}

// True statements in which floating point has no number, takes a whole number for the next one, or
// is next to powers that no memory has room for as fractions.
func TestWhereFloatingPointHasAnotherNumber(t *testing.T) {
	v := NewVocabulary(Symbol{Name: "n", Kind: Count, Hi: 1e6}, Symbol{Name: "m", Kind: Count},
		Symbol{Name: "x", Lo: 1e-300, Hi: 1e300}, Symbol{Name: "z", Lo: 1e-9, Hi: 1e8})
	for text, want := range map[string]props.Verdict{
		"x/(x + z) ≤ 1":                   props.Consistent, // as it is
		"2x (x + z) ≤ x² + (x + z)²":      props.Consistent, // infinite numbers
		"x³/(x³ + z) ≤ 1":                 props.Consistent, // quotients of these
		"x³/(x³ + z) ≤ 0.9":               props.Refuted,
		"⌊n^{1/3}⌋ + 3 ≤ ⌊n^{1/3} + 3⌋":   props.Consistent,
		"⌊3/(1 + x)⌋ + ⌊z⌋ ≤ ⌊3 + z⌋":     props.Consistent,
		"⌊3/(1 + x)⌋ + ⌊z⌋ ≤ ⌊2 + z⌋":     props.Consistent,
		"⌊3/(1 + x)⌋ + ⌊z⌋ ≤ ⌊2 + z⌋ − 1": props.Refuted,
		"m = ⌈n^{2/3}⌉; m³ ≥ n²":          props.Consistent,
		"m = ⌈n^{2/3}⌉; m³ ≥ n² + 1":      props.Refuted,
		"⌈exp(−z)⌉ ≥ 1":                   props.Consistent,
		"⌈exp(−z)⌉ ≥ exp(−z) + 0.5":       props.Refuted,
		"(1 − z)² ≥ exp(−z) − 1":          props.Consistent,
		"(1 − z)² ≤ exp(−z)":              props.Refuted,
	} {
		r := verdict(t, v.MustDomain("").Implies(text))
		if r.Verdict != want {
			t.Errorf("%s: %v, want %v: %s", text, r.Verdict, want, r.Err)
		}
	}
}

// Whole numbers lie within ranges whose ends are none; a range without one, or with more than there
// are numbers, has no instance.
func TestRangesOfCounts(t *testing.T) {
	v := NewVocabulary(Symbol{Name: "n", Kind: Count})
	for domain, want := range map[string]string{
		"n ∈ [1.2, 5.8]": "", "n ∈ [1.2, 1.8]": "the range of n is empty",
		"n ∈ [2, 1e300]": "the range of n goes beyond numbers",
		"n ∈ [2, 1e18]":  "",
	} {
		r := verdict(t, v.MustDomain(domain).Implies("n ≥ 2"))
		if want == "" && (r.Err != "" || r.Verdict == props.Refuted) ||
			want != "" && (len(r.Evidence) != 1 || !strings.Contains(r.Evidence[0].Note, want)) {
			t.Errorf("%s: %v, %s, %v", domain, r.Verdict, r.Err, r.Evidence)
		}
	}
}

// A number at the end of its range, which exact arithmetic need not find within it, violates what
// its neighbours violate exactly, however little that is.
func TestEndsOfRanges(t *testing.T) {
	d := words.MustDomain("η ∈ [1e-6, 1], r ∈ [0.9ηε, 1000], ε")
	for text, want := range map[string]props.Verdict{
		"ν ∈ [1/3, 1]; 3ν ≥ 1": props.Consistent, "ν ∈ [1/3, 1]; 3ν ≥ 1 + 1e-12": props.Refuted,
		"ν ∈ [1/7, 0.7]; ν ≤ 0.7": props.Consistent, "r ∈ [ηε/3, ηε]; 3r ≥ ηε": props.Consistent,
		"r ≥ 0.9ηε": props.Consistent, "r ≥ 0.9001ηε": props.Refuted,
		"r² ≥ 0.81η²ε²": props.Consistent, "r² ≥ 0.8100001η²ε²": props.Refuted,
	} {
		comesTo(t, d, text, want)
	}
}

// comesTo has a statement tried, and asks for its verdict.
func comesTo(t *testing.T, d *Domain, text string, want props.Verdict) *props.Result {
	t.Helper()
	r := verdict(t, d.Implies(text))
	if r.Verdict != want {
		t.Errorf("%s: %v, want %v: %v %v", text, r.Verdict, want, r.Err, r.Evidence)
	}
	return r
}

// A premise that bounds a symbol whose range begins at 0 is met by what is drawn, up to its bound,
// however small that is beside the range: a wrong constant in its conclusion is found.
func TestSmallBounds(t *testing.T) {
	d := words.MustDomain("r, ε, η ∈ [1e-6, 1], T ∈ [1, 2000]")
	for text, want := range map[string]props.Verdict{
		"r ≤ 1e-9ηε; r² ≤ 1e-18η²ε²":     props.Consistent,
		"r ≤ 1e-9ηε; 1.01r² ≤ 1e-18η²ε²": props.Refuted,
		"r ≤ 1e-9ηε; 10r² ≤ 2r²":         props.Refuted,
		"r ≥ 0.9ηε; r² ≥ 0.81η²ε²":       props.Consistent,
		"r ≥ 0.9ηε; r² ≥ 0.81001η²ε²":    props.Refuted,
	} {
		for _, e := range comesTo(t, d, text, want).Evidence {
			if strings.Contains(text, "≤ 1e-9") && strings.Contains(e.Note, "premise met in") {
				t.Errorf("%s: %s", text, e.Note)
			}
		}
	}
}
