package algebra

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"
)

// TestRationalAgreesWithBig compares the arithmetic with that of math/big.
func TestRationalAgreesWithBig(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		draw := func() (Rational, *big.Rat) {
			x := big.NewRat(rapid.Int64Range(-1e6, 1e6).Draw(t, "num"),
				rapid.Int64Range(1, 1e6).Draw(t, "den"))
			return Rat(x), x
		}
		a, x := draw()
		b, y := draw()
		for _, c := range []struct {
			got  Rational
			want *big.Rat
		}{{a.Add(b), new(big.Rat).Add(x, y)}, {a.Sub(b), new(big.Rat).Sub(x, y)},
			{a.Mul(b), new(big.Rat).Mul(x, y)}} {
			if c.got.Rat().Cmp(c.want) != 0 {
				t.Fatalf("%v instead of %v", c.got, c.want)
			}
		}
		if a.Cmp(b) != x.Cmp(y) {
			t.Fatal("the order differs")
		}
	})
}

// TestLargeExponents refuses numbers whose opposites, sums or products are none of 64 bits.
func TestLargeExponents(t *testing.T) {
	large := Whole(most - 1)
	for what, f := range map[string]func(){
		"the least number":   func() { Whole(math.MinInt64) },
		"a fraction":         func() { Rat(new(big.Rat).SetInt64(most)) },
		"a sum":              func() { large.Add(large) },
		"a product":          func() { large.Mul(large) },
		"a sum of quotients": func() { large.Inv().Add(Whole(3).Inv()) },
	} {
		func() {
			defer func() {
				if recover() != ErrSize {
					t.Errorf("%s is not refused", what)
				}
			}()
			f()
		}()
	}
	if large.Sub(large) != (Rational{}) || large.Mul(large.Inv()) != Whole(1) {
		t.Error("what is small is refused, or has two forms")
	}
}
