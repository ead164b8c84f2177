package exponents

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

func drawMonomials(t *rapid.T, name string, least, names int) []Monomial {
	var out []Monomial
	for range rapid.IntRange(least, 4).Draw(t, name) {
		m := make(Monomial, names)
		for v := range m {
			m[v] = Fraction(big.NewRat(rapid.Int64Range(-4, 4).Draw(t, "exponent"), rapid.Int64Range(1, 3).Draw(t, "below")))
		}
		out = append(out, m)
	}
	return out
}

// TestOrderIsWitnessed checks both answers: weights add up and balance the exponents, a ray stays in the cone and
// separates the sides. One of the two always comes.
func TestOrderIsWitnessed(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(1, 4).Draw(t, "parameters")
		c := Cone{Bounded: drawMonomials(t, "rows", 0, names)}
		left, right := drawMonomials(t, "left", 1, names), drawMonomials(t, "right", 0, names)
		free := rapid.Bool().Draw(t, "free")
		w, ray := c.Order(left, right, free)
		if w == nil == (ray == nil) {
			t.Fatal("neither an answer nor one")
		}
		if ray != nil {
			least, most := left[0].Along(ray), Rational{}
			for _, m := range left {
				if d := m.Along(ray); d.Cmp(least) < 0 {
					least = d
				}
			}
			for i, m := range right {
				if d := m.Along(ray); i == 0 || d.Cmp(most) > 0 {
					most = d
				}
			}
			for _, m := range c.Bounded {
				if m.Along(ray).Sign() > 0 {
					t.Fatalf("the ray %v leaves the cone", ray)
				}
			}
			if free && (least.Sign() <= 0 || len(right) > 0 && most.Sign() > 0) || !free && len(right) > 0 &&
				least.Cmp(most) <= 0 {
				t.Fatalf("the ray %v does not separate the sides", ray)
			}
			return
		}
		total := make([]Rational, names)
		for k, side := range [][]Monomial{left, right, c.Bounded} {
			weights := [][]Rational{w.Left, w.Right, w.Rows}[k]
			sum := Rational{}
			for i, x := range weights {
				if x.Sign() < 0 {
					t.Fatal("a negative weight")
				}
				sum = sum.Add(x)
				for v, e := range side[i] {
					if e = e.Mul(x); k > 0 {
						e = e.Neg()
					}
					total[v] = total[v].Add(e)
				}
			}
			if (k == 0 || k == 1 && !free) && sum.Cmp(Whole(1)) != 0 {
				t.Fatalf("weights add up to %v", sum)
			}
		}
		for _, e := range total {
			if e.Sign() != 0 {
				t.Fatal("exponents do not balance")
			}
		}
	})
}

// TestInsideIsInside checks that the powers of 2 satisfy all bounds, and that bounds of a known point have one.
func TestInsideIsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(1, 3).Draw(t, "parameters")
		rows := drawMonomials(t, "rows", 1, names)
		limits := make([]int64, len(rows))
		point := make(Monomial, names)
		for v := range point {
			point[v] = Whole(rapid.Int64Range(-3, 3).Draw(t, "point"))
		}
		for r, m := range rows { // the point satisfies them; none is positive, so that it may be enlarged
			limits[r] = min(0, int64(m.Along(point).Float64()))
			if m.Along(point).Sign() > 0 {
				rows[r] = m.negated()
				limits[r] = -int64(m.Along(point).Float64())
			}
		}
		z := Inside(rows, limits)
		if z == nil {
			t.Fatal("the point is not found")
		}
		at := make(Monomial, names)
		for v := range at {
			at[v] = Whole(z[v])
		}
		for r, m := range rows {
			if m.Along(at).Cmp(Whole(limits[r])) > 0 {
				t.Fatalf("bound %d does not hold at %v", r, z)
			}
		}
	})
}

// TestEmptyIsEmpty checks the weights of a contradiction, and that a cone with a point in it has none.
func TestEmptyIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(1, 3).Draw(t, "parameters")
		c := Cone{Bounded: drawMonomials(t, "rows", 1, names)}
		logs, strict := make([]Rational, len(c.Bounded)), make([]bool, len(c.Bounded))
		point := drawMonomials(t, "point", 1, names)[0]
		inside := true
		for r, m := range c.Bounded {
			logs[r] = Whole(rapid.Int64Range(-3, 3).Draw(t, "log"))
			strict[r] = rapid.Bool().Draw(t, "strict")
			d := m.Along(point).Cmp(logs[r])
			inside = inside && (d < 0 || d == 0 && !strict[r])
		}
		w := c.Empty(logs, strict)
		if w == nil {
			return
		}
		if inside {
			t.Fatalf("%v lies in what is said to be empty", point)
		}
		sum, unreached := Rational{}, false
		for r := range w {
			sum = sum.Add(w[r].Mul(logs[r]))
			unreached = unreached || strict[r] && w[r].Sign() > 0
		}
		if sum.Sign() > 0 || sum.Sign() == 0 && !unreached {
			t.Fatalf("the bounds allow %v", sum)
		}
	})
}

// TestRationalAgreesWithBig compares the arithmetic with that of math/big.
func TestRationalAgreesWithBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (Rational, *big.Rat) {
			x := big.NewRat(rapid.Int64Range(-1e6, 1e6).Draw(t, "num"), rapid.Int64Range(1, 1e6).Draw(t, "den"))
			return Fraction(x), x
		}
		a, x := draw()
		b, y := draw()
		for _, c := range []struct {
			got  Rational
			want *big.Rat
		}{{a.Add(b), new(big.Rat).Add(x, y)}, {a.Sub(b), new(big.Rat).Sub(x, y)}, {a.Mul(b), new(big.Rat).Mul(x, y)}} {
			if c.got.Rat().Cmp(c.want) != 0 {
				t.Fatalf("%v instead of %v", c.got, c.want)
			}
		}
		if a.Cmp(b) != x.Cmp(y) {
			t.Fatal("the order differs")
		}
	})
}
