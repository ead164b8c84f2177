package equations_test

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/equations"
	"sledge/props/formula"
)

// toy is a run of two steps on three components: x^t = (t, t²), ∇f_i(x^t) = (i, t), I^1 = {0, 2}
// and I^2 = {1}.
type toy struct{}

func (toy) Sizes() (steps, local, clients, data, dim int) { return 2, 1, 3, 2, 2 }

func (toy) Set(_ string, at equations.Indices) []int { return [][]int{nil, {0, 2}, {1}}[at[0]] }

func (toy) Add(dst []float64, c float64, name string, at equations.Indices) {
	first, second := float64(at[0]), float64(at[1])
	switch name {
	case "n":
		dst[0] += 3 * c
	case "T(,)":
		dst[0] += c * first * (2 - second)
	case "x^":
		dst[0] += c * first
		dst[1] += c * first * first
	default:
		dst[0] += c * first
		dst[1] += c * second
	}
}

var known = map[string]equations.Shape{"n": equations.Number, "T(,)": equations.Number,
	"x^": equations.Vector, "∇f_(^)": equations.Vector, "f_(^)": equations.Number,
	"I^": equations.Set}

func read(text string) (*equations.System, error) { return equations.Read(text, text, known) }

// differ says for which indices the sides of equations differ, and how many were compared.
func differ(t *testing.T, text string) (all, wrong int) {
	s, err := read(text)
	if err != nil {
		t.Fatal(err)
	}
	s.On(toy{}, func(e equations.Sides) {
		var apart float64
		for k, side := range e.Squares {
			for _, s := range side {
				apart += float64(2*k-1) * s.Times * floats.Dot(s.Of, s.Of)
			}
		}
		if all++; !floats.EqualApprox(e.Vectors[0], e.Vectors[1], 1e-12) || !slices.Equal(e.Sets[0], e.Sets[1]) ||
			apart < -1e-9 || !e.AtMost && apart > 1e-9 {
			wrong++
		}
	})
	return all, wrong
}

// Equations are compared for all that is free in them, and false ones are seen.
func TestEquations(t *testing.T) {
	for text, want := range map[string][2]int{
		"Σ_i ∇f_i(x^t) = 3∇f_1(x^t)":                                   {2, 0},
		"Σ_i ∇f_i(x^t) = n∇f_0(x^t)":                                   {2, 2},
		"Σ_{s=1}^t(x^s − x^{s−1}) = x^t":                               {2, 0},
		"Σ_{s=2}^t(x^s − x^{s−1}) = x^t":                               {2, 2},
		"Σ_{s=3}^t x^s = 0":                                            {2, 0},
		"∇f_i(x^t) − ∇f_0(x^t) = i(∇f_1(x^2) − ∇f_0(x^2)) for i ∈ I^t": {3, 0},
		"∇f_i(x^t) = ∇f_0(x^t) for i ∉ I^t":                            {3, 2},
		"[n] ∖ ∪_{r=s}^t I^r = [n] ∖ (I^s ∖ [n]) ∖ I^t":                {3, 1},
		"|[n] ∖ I^t| = Σ_i(1 − 1[i ∈ I^t])":                            {2, 0},
		"max_{r=1}^2 r1[1 ∈ I^r] = ⌊5/2⌋":                              {1, 0},
		"max_{r=1}^2 r1[1 ∈ I^r] = 3 − max_{r=1}^2 r1[r < 2]":          {1, 0},
		"E_{|I|=2}(1/2)Σ_{j∈I} ∇f_j(x^t) = (1/n)Σ_j ∇f_j(x^t)":         {2, 0},
		"E_{|J|=1}Σ_{j∈J} x^j = (x^0 + x^1)/2":                         {1, 0},
		"c_1^t = x^t − ∇f_1(x^0) where c_i^t = x^t − ∇f_i(x^0)":        {2, 0},
		"c_0^{t−1} = x^t where c_i^t = x^t, x = 2":                     {2, 2},
		"T(t,1) = t; T(t,0) = t + t":                                   {4, 0},
		"x^t = 0x^{7} + x^t; −x^0 = 0":                                 {3, 0},
		"I^1 = [n] ∖ I^2; x^t = ((t/t)x^{t})":                          {3, 0},
		"a^t = b^t where b^t = x^{T(t,1)}, a^t = b^{t}":                {2, 0},
		"Σ_{j∈I^t}(1/|I^t|)∇f_j(x^{t}) = ∇f_1(x^t)":                    {2, 0},
		"|I^t| = 2": {2, 1},
		"‖x^t‖² ≤ 2‖x^1‖² + 2‖x^t − x^1‖²":                                      {2, 0},
		"‖x^t‖² ≤ ‖x^1‖² + ‖x^t − x^1‖²":                                        {2, 1},
		"‖x^t − x^0‖² ≤ tΣ_{s=1}^t‖x^s − x^{s−1}‖²":                             {2, 0},
		"‖x^t − x^0‖² ≤ Σ_{s=1}^t‖x^s − x^{s−1}‖²":                              {2, 1},
		"‖x^t‖² = ⟨x^t,x^t⟩; ⟨x^1,x^t⟩ = (1/2)(‖x^1‖² + ‖x^t‖² − ‖x^1 − x^t‖²)": {4, 0},
		"⟨x^1,x^t⟩ ≤ (1/2)‖x^1‖² + (1/3)‖x^t‖²":                                 {2, 1},
		"q^t = (1/2)q^2 where q^t = ‖x^t‖²":                                     {2, 2},
		"x^{t} = (t)^{t−1}x^1 − (t − 1)(x^t − x^t)":                             {2, 1},
	} {
		if all, wrong := differ(t, text); all != want[0] || wrong != want[1] {
			t.Errorf("%s: of %d comparisons %d fail, want %v", text, all, wrong, want)
		}
	}
}

// What is not understood is refused where it stands.
func TestErrors(t *testing.T) {
	for text, want := range map[string]string{

		"z^t = 0": "character 1: z^t is nothing that is known, by its letter and indices; known",

		"x^t = 0; y = 0":                    "character 10: y is nothing that is known",
		"x^t + n = 0":                       "character 5: a vector and a number have no sum and no difference",
		"x^t = n":                           "character 7: a number does not equal a vector",
		"I^t = 0":                           "a number does not equal a set",
		"x^t I^t = 0":                       "a set and a vector have no product",
		"x^t x^t = 0":                       "a vector and a vector have no product",
		"∇f_i(x^t) − f_i(x^t) = 0":          "a vector and a number have no sum",
		"x^t/x^t = 0":                       "a vector stands before this, where a number is wanted",
		"Σ_{i∈n} x^t = 0":                   "a number stands before this, where a set is wanted",
		"Σ_i I^t = 0":                       "a set stands before this, where a vector is wanted",
		"∪_i x^t = [n]":                     "a vector stands before this, where a set is wanted",
		"|x^t| = 0":                         "a vector stands before this, where a set is wanted",
		"x^{I^t} = 0":                       "a set stands before this, where a number is wanted",
		"x^{t/2} = 0":                       "character 4: the index t/2 is a quotient, and an index",
		"Σ_{s=n/2}^t x^s = 0":               "character 6: the index n/2 is a quotient",
		"c^{(t + 1)/2} = 0 where c^t = x^t": "character 4: the index (t + 1)/2 is a quotient",
		"x^q = 0 where q = t/2":             "is nothing that is known",
		"x^{T(t/2,1)} = 0":                  "character 6: the index t/2 is a quotient",
		"(1/n)^{t/2} x^t = 0":               "character 8: the index t/2 is a quotient",
		"x^j = 0":                           "j is nothing that is known",
		"∇f_{in}(x^t) = 0":                  "} is wanted here",
		"∇f_i(n) = 0":                       "x is wanted here",
		"x^t":                               "= is wanted here",
		"x^t ≤ x^t":                         "= is wanted here",
		"‖n‖² = 0":                          "a number stands before this, where a vector is wanted",
		"‖x^t‖ = 0":                         "‖² is wanted here",
		"‖x^t + ‖x^t‖²‖² = 0":               "a norm stands in another",
		"‖x^t‖²x^t = 0":                     "a sum of squares and a vector have no product",
		"‖x^t‖² = n":                        "a number does not equal a sum of squares",
		"⟨x^t,n⟩ = 0":                       "a number stands before this, where a vector is wanted",
		"⟨x^t⟩ = 0":                         ", is wanted here",
		"(x^t)² = 0":                        "a vector stands before this, where a number is wanted",
		"x^t = ":                            "character 6: a letter is wanted here",
		"x^t = x^t)":                        "')' is not expected here",
		"x^t = x^t for j ∈ I^t":             "i is wanted here",
		"x^t = x^t for i ∈ n":               "a number stands before this, where a set is wanted",
		"Σ_{s=1} x^s = 0":                   "character 9: ^ is wanted here",
		"1[x^t ≥ 0]x^t = 0":                 "a vector stands before this, where a number is wanted",
		"E_{|I|=1}E_{|I|=1} x^t = 0":        "a mean over sets stands in another",
		"x^t = c^t where c = x^1":           "character 7: c^t is nothing that is known",
		"c_{0,1,2,3,4} = 0":                 "has at most 4 indices",
		strings.Repeat("(", 99) + " = 0":    "nested more than 16 deep",
		strings.Repeat("Σ_j ", 99) + " = 0": "more than 16 indices",
	} {
		_, err := read(text)
		var wrong *formula.Error
		if !errors.As(err, &wrong) || wrong.Text != text || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
}

// Whatever is typed, it is read or refused.
func FuzzRead(f *testing.F) {
	for _, seed := range []string{"‖x^t‖² ≤ (2)^{t−1}Σ_{s=1}^t‖x^s‖² − ⟨x^t,x^s⟩; q^t ≤ ‖x^t‖² where q^t = ‖x^t‖²",
		"Σ_{s=1}^t(x^s − x^{s−1}) = x^t for i ∈ I^t; |I^t| = n/2",
		"c_i^t = 0 where c_i^t = E_{|J|=2}(1/⌊n/2⌋)Σ_{j∈J}1[j ≥ T(t,i)]∇f_j(x^t), d = [n] ∖ ∪_{r=s}^t I^r"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if s, err := read(text); (s == nil) == (err == nil) {
			t.Errorf("%v, %v", s, err)
		}
	})
}
