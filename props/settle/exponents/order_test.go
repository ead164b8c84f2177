package exponents

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"sledge/props/certificate/algebra"
)

func drawMonomials(t *rapid.T, name string, least, names int) []algebra.Monomial {
	var out []algebra.Monomial
	for range rapid.IntRange(least, 4).Draw(t, name) {
		m := make(algebra.Monomial, names)
		for v := range m {
			m[v] = algebra.Rat(big.NewRat(rapid.Int64Range(-4, 4).Draw(t, "exponent"),
				rapid.Int64Range(1, 3).Draw(t, "below")))
		}
		out = append(out, m)
	}
	return out
}

// TestOrderIsWitnessed checks both answers: weights add up and balance the exponents, a ray stays
// in the cone and separates the sides. One of the two always comes.
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
			least, most := along(left[0], ray), algebra.Rational{}
			for _, m := range left {
				if d := along(m, ray); d.Cmp(least) < 0 {
					least = d
				}
			}
			for i, m := range right {
				if d := along(m, ray); i == 0 || d.Cmp(most) > 0 {
					most = d
				}
			}
			for _, m := range c.Bounded {
				if along(m, ray).Sign() > 0 {
					t.Fatalf("the ray %v leaves the cone", ray)
				}
			}
			if free && (least.Sign() <= 0 || len(right) > 0 && most.Sign() > 0) ||
				!free && len(right) > 0 &&
					least.Cmp(most) <= 0 {
				t.Fatalf("the ray %v does not separate the sides", ray)
			}
			return
		}
		total := make([]algebra.Rational, names)
		for k, side := range [][]algebra.Monomial{left, right, c.Bounded} {
			weights := [][]algebra.Rational{w.Left, w.Right, w.Rows}[k]
			sum := algebra.Rational{}
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
			if (k == 0 || k == 1 && !free) && sum.Cmp(algebra.Whole(1)) != 0 {
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

// TestInsideIsInside checks that the powers of 2 satisfy all bounds, and that bounds of a known
// point have one.
func TestInsideIsInside(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(1, 3).Draw(t, "parameters")
		rows := drawMonomials(t, "rows", 1, names)
		limits := make([]int64, len(rows))
		point := make(algebra.Monomial, names)
		for v := range point {
			point[v] = algebra.Whole(rapid.Int64Range(-3, 3).Draw(t, "point"))
		}
		for r, m := range rows {
			// the point satisfies them; none is positive, so that it may be enlarged
			at, _ := along(m, point).Rat().Float64()
			if limits[r] = min(0, int64(at)); at > 0 {
				rows[r], limits[r] = m.To(algebra.Whole(-1)), -int64(at)
			}
		}
		z := Inside(rows, limits)
		if z == nil {
			t.Fatal("the point is not found")
		}
		at := make(algebra.Monomial, names)
		for v := range at {
			at[v] = algebra.Whole(z[v])
		}
		for r, m := range rows {
			if along(m, at).Cmp(algebra.Whole(limits[r])) > 0 {
				t.Fatalf("bound %d does not hold at %v", r, z)
			}
		}
	})
}

// TestEmptyIsEmpty checks the weights of a contradiction, and that a cone with a point in it has
// none.
func TestEmptyIsEmpty(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		names := rapid.IntRange(1, 3).Draw(t, "parameters")
		c := Cone{Bounded: drawMonomials(t, "rows", 1, names)}
		logs, strict := make([]algebra.Rational, len(c.Bounded)), make([]bool, len(c.Bounded))
		point := drawMonomials(t, "point", 1, names)[0]
		inside := true
		for r, m := range c.Bounded {
			logs[r] = algebra.Whole(rapid.Int64Range(-3, 3).Draw(t, "log"))
			strict[r] = rapid.Bool().Draw(t, "strict")
			d := along(m, point).Cmp(logs[r])
			inside = inside && (d < 0 || d == 0 && !strict[r])
		}
		w := c.Empty(logs, strict)
		if w == nil {
			return
		}
		if inside {
			t.Fatalf("%v lies in what is said to be empty", point)
		}
		sum, unreached := algebra.Rational{}, false
		for r := range w {
			sum = sum.Add(w[r].Mul(logs[r]))
			unreached = unreached || strict[r] && w[r].Sign() > 0
		}
		if sum.Sign() > 0 || sum.Sign() == 0 && !unreached {
			t.Fatalf("the bounds allow %v", sum)
		}
	})
}

// along is the power of s with which a monomial grows when the parameters grow like powers of s.
func along(m, ray algebra.Monomial) (d algebra.Rational) {
	for i := range m {
		d = d.Add(m[i].Mul(ray[i]))
	}
	return d
}
