package formula

import (
	"math/big"
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/certificate"
)

// thirds is a scene whose symbols are rational numbers, drawn or enumerated.
func thirds(scope certificate.Scope) *Scene {
	return &Scene{Words: NewVocabulary(Symbol{Name: "x"}, Symbol{Name: "y"}),
		Said: "thirds", Sizes: []string{"x"}, Means: map[string]string{"y": "three of $x$"},
		Scope: scope, Exact: func(src *props.Source, try func(Ratios)) {
			for k := range int64(3) {
				if src != nil {
					k = int64(src.Int("k", 0, 9))
				}
				try(Ratios{"x": big.NewRat(k, 3), "y": big.NewRat(k, 1)})
			}
		}}
}

// What is known exactly is compared exactly, and proved where all of it is looked at.
func TestExactScene(t *testing.T) {
	check := func(scope certificate.Scope, text string) props.Check {
		made, domain, err := thirds(scope).Check(text)
		if err != nil || domain != "thirds; $y$: three of $x$" {
			t.Fatalf("%s: %q, %v", text, domain, err)
		}
		return made
	}
	for text, want := range map[string]props.Verdict{"y = 3x": props.Proved,
		"(1/3)(y/3)² + x ≤ 3x²": props.Refuted, "y ≥ 2x": props.Proved, "y = 3x + 1e-300": props.Refuted} {
		if r := verdict(t, check(certificate.Sizes, text)); r.Verdict != want {
			t.Errorf("%s: %v, want %v", text, r.Verdict, want)
		}
	}
	for _, text := range []string{"y = 4x", "y ≤ 3x − 1e-300"} {
		if r := verdict(t, check("", text)); r.Verdict != props.Refuted {
			t.Errorf("%s, drawn: %v, want it refuted", text, r.Verdict)
		}
	}
	for text, want := range map[string]string{
		"y = √x":          "compared by sums, products and quotients",
		"y ≤ log(1 + x)":  "compared by sums, products and quotients",
		"y = 3x if x ≤ 1": "without premises",
		"y = z":           "character 5",
	} {
		if _, _, err := thirds("").Check(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", text, err, want)
		}
	}
}

// Vectors are compared coordinate by coordinate, by = alone; a premise leaves out the instances on
// which it does not hold, and no others.
func TestVectorScene(t *testing.T) {
	words := NewVocabulary(Symbol{Name: "x"}, Symbol{Name: "y"})
	along := &Scene{Words: words, Said: "lines", Sizes: []string{"x", "y"},
		Along: func(src *props.Source, _ *props.Recorder, try func(string, []Values, float64)) {
			var on []Values
			for _, k := range []string{"first", "second"} {
				x := src.Real(k, -1, 1)
				on = append(on, Given(map[string]float64{"x": x, "y": 2 * x}))
			}
			try("", on, 1)
		}}
	each := &Scene{Words: words, Said: "points", Sizes: []string{"x", "y"},
		Draw: func(src *props.Source, _ *props.Recorder, try func(string, Values)) {
			for k := range 3 {
				x := src.Real(string(rune('a'+k)), -1, 1)
				try("", Given(map[string]float64{"x": x, "y": x * x}))
			}
		}}
	for _, c := range []struct {
		on   *Scene
		text string
		want props.Verdict
	}{{along, "y = 2x", props.Consistent}, {along, "y − x = x", props.Consistent},
		{along, "y = 2.001x", props.Refuted}, {along, "y = −2x", props.Refuted},
		{each, "y ≤ x if x ≥ 0", props.Consistent}, {each, "y ≤ x/2 if x ≥ 0", props.Refuted},
		{each, "y ≤ x", props.Refuted}} {
		made, _, err := c.on.Check(c.text)
		if err != nil {
			t.Fatal(err)
		}
		if r := verdict(t, made); r.Verdict != c.want {
			t.Errorf("%s on %s: %v, want %v", c.text, c.on.Said, r.Verdict, c.want)
		}
	}
	for _, text := range []string{"y ≤ 2x", "y = 2x if x ≥ 0"} {
		if _, _, err := along.Check(text); err == nil ||
			!strings.Contains(err.Error(), "vectors are compared by = alone") {
			t.Errorf("%s: %v", text, err)
		}
	}
}
