package algebra_test

import (
	"fmt"
	"math"
	"testing"

	"pgregory.net/rapid"

	"sledge/props"
	"sledge/props/certificate/algebra"
	"sledge/props/formula"
)

var vocabulary = formula.NewVocabulary(formula.Symbol{Name: "x"}, formula.Symbol{Name: "y"},
	formula.Symbol{Name: "z"})

// drawn draws a formula in positive symbols whose divisors and roots are of what is positive.
func drawn(t *rapid.T, depth int) (text string, positive bool) {
	leaf := func() string {
		return rapid.SampledFrom([]string{"x", "y", "z", "2", "3/4", "√2", "x^{1/3}",
			"(12)^{1/4}"}).Draw(t, "leaf")
	}
	if depth == 0 {
		return leaf(), true
	}
	a, up := drawn(t, depth-1)
	b, also := drawn(t, depth-1)
	switch rapid.IntRange(0, 7).Draw(t, "operation") {
	case 0, 1:
		return "(" + a + " + " + b + ")", up && also
	case 2:
		return "(" + a + " − " + b + ")", false
	case 3, 4:
		return "(" + a + ")·(" + b + ")", up && also
	case 5:
		if also {
			return "((" + a + ")/(" + b + "))", up
		}
	case 6:
		if up {
			return "√(" + a + ")·√(" + a + ")", true
		}
	case 7:
		return "(" + a + ")^{2}", up
	}
	return leaf(), true
}

// A formula has the same values as what it is written as after it has been computed with, and the
// signs that are evident are the signs of the values.
func TestValues(t *testing.T) {
	computed := 0
	rapid.Check(t, func(t *rapid.T) {
		text, _ := drawn(t, rapid.IntRange(1, 4).Draw(t, "depth"))
		f, err := formula.Parse(vocabulary, text)
		if err != nil {
			t.Fatal(err)
		}
		theory := algebra.New(props.Must(vocabulary.Clauses("x > 0; y > 0; z > 0")))
		v, err := theory.Of(f.Tree())
		if err != nil {
			return // a root of a sum beside another sum
		}
		computed++
		g, err := formula.Parse(vocabulary, theory.Write(v))
		if err != nil {
			t.Fatalf("%s is written as %s: %v", text, theory.Write(v), err)
		}
		w, err := theory.Of(g.Tree())
		if err != nil {
			t.Fatal(err)
		}
		if d, err := theory.Sub(v, w); err != nil || len(d.Sum) > 0 {
			t.Errorf("%s is written as %s, which is another number", text, g)
		}
		at := map[string]float64{}
		for _, name := range []string{"x", "y", "z"} {
			at[name] = rapid.Float64Range(0.1, 3).Draw(t, name)
		}
		a, b := f.At(at), g.At(at)
		size := 1 + math.Abs(a)
		for _, s := range v.Sum { // cancelling terms
			c, _ := s.C.Float64()
			size += math.Abs(c) * math.Pow(3, 8)
		}
		if math.Abs(a-b) > 1e-9*size {
			t.Errorf("%s is %v, written as %s it is %v", text, a, g, b)
		}
		if theory.Positive(v) && !(a > -1e-9*size) {
			t.Errorf("%s is called positive and is %v", text, a)
		}
	})
	if computed < 5 {
		t.Errorf("only %d formulas were computed with", computed)
	}
}

// Theories are about what is assumed: signs come from the bounds of symbols, by way of others too,
// and definitions are seen through.
func TestAssumed(t *testing.T) {
	for _, c := range []struct {
		assumed, of           string
		nonnegative, positive bool
	}{
		{"x > 0; y ≥ x; z ≥ 0", "x y", true, true},
		{"x > 0; y ≥ x; z ≥ 0", "x z", true, false},
		{"x > 0; y ≥ x; z ≥ 0", "y − x", true, false},
		{"x > 0; y > x; z ≥ 0", "2y − 2x", true, true},
		{"x > 0; y ≥ x; z ≥ 0", "x − y", false, false},
		{"x ∈ [1/2, 1]; y = x + 1; z = y²", "z", true, true},
		{"x ∈ [−1, 1]; y = x²; z ≥ 0", "y", true, false},
		{"x ∈ [−1, 1]; y = x³; z ≥ 0", "y", false, false},
		{"x > 0; y > 0; z = min{x, y}", "z", true, true},
		{"x > 0; y ≥ −1; z = max{x, y}", "z", true, true},
		{"x > 0; y ≥ −1; z = |y|", "z", true, false},
		{"x > 0; y > 0; z > 0", "3 − 2√2", true, true},
		{"x > 0; y > 0; z > 0", "x(2√2 − 3)", false, false},
	} {
		theory := algebra.New(props.Must(vocabulary.Clauses(c.assumed)))
		v, err := theory.Of(formula.Must(vocabulary, c.of).Tree())
		if err != nil || theory.Nonnegative(v) != c.nonnegative ||
			theory.Positive(v) != c.positive {
			t.Errorf("%s: %s: not negative %v, positive %v, %v", c.assumed, c.of,
				theory.Nonnegative(v), theory.Positive(v), err)
		}
	}
}

// What has no exact form is refused with a reason.
func TestRefused(t *testing.T) {
	for text, why := range map[string]string{
		"1/(x − y)":          "a quotient by x − y, which may be 0",
		"√(x − 1)":           "x − 1 is not known to be positive",
		"√(x + y) + x":       "a sum with a root of a sum",
		"x^{1/7}":            "the exponent 1/7",
		"(x − 1)^z":          "a power of x − 1, which may be negative",
		"log(x − 1)":         "the logarithm of x − 1, which may not be positive",
		"Σ_{k=1}^x y":        "the sum",
		"(x + y)^{2000}":     "the exponent 2000",
		"(1e30 + 1/7)^{1/2}": "a root of a large number",
	} {
		theory := algebra.New(props.Must(vocabulary.Clauses("x > 0; y > 0; z > 0")))
		v, err := theory.Of(formula.Must(vocabulary, text).Tree())
		if got := fmt.Sprint(err); err == nil || len(got) < len(why) || got[:len(why)] != why {
			t.Errorf("%s: %v, %v", text, theory.Write(v), err)
		}
	}
}
