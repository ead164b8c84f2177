package enclosure_test

import (
	"math"
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"sledge/props/enclosure"
)

// contains reports whether the exact number x lies in a, and fails if a is wider than 1e-40
// relative to x.
func contains(t *testing.T, what string, a enclosure.Interval, x *big.Rat) {
	t.Helper()
	if a.Lower().Cmp(x) > 0 || a.Upper().Cmp(x) < 0 {
		t.Errorf("%s: [%v, %v] misses %v", what, a.Lower().FloatString(50),
			a.Upper().FloatString(50), x.FloatString(50))
	}
	narrow(t, what, a)
}

func narrow(t *testing.T, what string, a enclosure.Interval) {
	t.Helper()
	width := new(big.Rat).Sub(a.Upper(), a.Lower())
	size := new(big.Rat).Abs(a.Upper())
	if size.Sign() == 0 {
		return
	}
	if f, _ := width.Quo(width, size).Float64(); !(f >= 0 && f < 1e-40) {
		t.Errorf("%s: relative width %g", what, f)
	}
}

func rat(s string) *big.Rat {
	r, ok := new(big.Rat).SetString(s)
	if !ok {
		panic(s)
	}
	return r
}

// digits checks that an interval lies within one unit of the last digit of a decimal expansion from
// a printed table.
func digits(t *testing.T, what string, a enclosure.Interval, decimal string, unit string) {
	t.Helper()
	lo, hi := rat(decimal), rat(decimal)
	hi.Add(hi, rat(unit))
	if a.Lower().Cmp(lo) < 0 || a.Upper().Cmp(hi) > 0 {
		t.Errorf("%s: [%s, %s], want digits %s", what, a.Lower().FloatString(45),
			a.Upper().FloatString(45), decimal)
	}
	narrow(t, what, a)
}

func TestTabulatedConstants(t *testing.T) {
	digits(t, "π", enclosure.Pi(), "3.1415926535897932384626433832795028841971", "1e-40")
	digits(t, "e", enclosure.Int(1).Exp(), "2.7182818284590452353602874713526624977572", "1e-40")
	digits(t, "log 2", enclosure.Int(2).Log(),
		"0.6931471805599453094172321214581765680755", "1e-40")
	digits(t, "log 10", enclosure.Int(10).Log(),
		"2.3025850929940456840179914546843642076011", "1e-40")
	digits(t, "√2", enclosure.Int(2).Sqrt(), "1.4142135623730950488016887242096980785696", "1e-40")
}

// whole generates positive whole numbers.
var whole = rapid.Int64Range(1, 1<<40)

// The defining relations hold with exact numbers in them, so an end rounded the wrong way is
// caught.
func TestRelations(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := big.NewRat(whole.Draw(rt, "numerator"), whole.Draw(rt, "denominator"))
		y := big.NewRat(rapid.Int64Range(-1<<30, 1<<30).Draw(rt, "numerator"),
			rapid.Int64Range(1<<20, 1<<30).Draw(rt, "denominator"))
		X, Y := enclosure.Rat(x), enclosure.Rat(y)
		contains(t, "x", X, x)
		contains(t, "√x²", X.Sqrt().Mul(X.Sqrt()), x)
		contains(t, "√(x²)", X.Mul(X).Sqrt(), x)
		contains(t, "exp log x", X.Log().Exp(), x)
		contains(t, "exp(y) exp(-y)", Y.Exp().Mul(Y.Neg().Exp()), big.NewRat(1, 1))
		// wide where the numbers cancel
		if back := Y.Sub(X).Add(X); back.Lower().Cmp(y) > 0 || back.Upper().Cmp(y) < 0 {
			t.Errorf("y - x + x misses %v", y)
		}
		contains(t, "x/x", X.Quo(X), big.NewRat(1, 1))
		contains(t, "x³", X.Pow(3), new(big.Rat).Mul(x, new(big.Rat).Mul(x, x)))
		fx, _ := x.Float64()
		if h := X.Hull(Y); h.Lower().Cmp(x) > 0 || h.Upper().Cmp(x) < 0 || h.Lower().Cmp(y) > 0 ||
			h.Upper().Cmp(y) < 0 {
			t.Errorf("the hull of %v and %v misses one of them", x, y)
		}
		lo, hi := X.Log().Float64()
		if math.Abs(lo-math.Log(fx)) > 1e-14*max(1, math.Abs(lo)) || lo > hi {
			t.Errorf("log %v in [%v, %v], want near %v", x, lo, hi, math.Log(fx))
		}
		fy, _ := y.Float64()
		lo, hi = Y.Exp().Float64()
		if fy < 700 && fy > -700 && math.Abs(lo/math.Exp(fy)-1) > 1e-12 || lo > hi {
			t.Errorf("exp %v in [%v, %v], want near %v", y, lo, hi, math.Exp(fy))
		}
	})
}

// The enclosure of e^x must be rigorous where float64 has no numbers left.
func TestFarTails(t *testing.T) {
	for _, x := range []int64{-1000, -50_000, 2000} {
		a := enclosure.Int(x).Exp()
		contains(t, "log exp", a.Log(), big.NewRat(x, 1))
		if a.Lower().Sign() <= 0 {
			t.Errorf("exp(%d) has the lower end %v", x, a.Lower())
		}
	}
	tiny := enclosure.Float(-1e300).Exp()
	if tiny.Lower().Sign() != 0 || !testing.Short() && tiny.Upper().Sign() <= 0 { // of 2^29 digits
		t.Errorf("exp(-1e300) is enclosed by a point")
	}
}

// An exponential series summed in exact rational arithmetic, with a remainder below the first
// omitted term (the series alternates).
func TestExpAgainstRationalSeries(t *testing.T) {
	x := rat("-3/7")
	sum, term := big.NewRat(1, 1), big.NewRat(1, 1)
	for i := int64(1); i < 60; i++ {
		term.Mul(term, x).Mul(term, big.NewRat(1, i))
		sum.Add(sum, term)
	}
	a := enclosure.Rat(x).Exp()
	if d := new(big.Rat).Sub(a.Lower(), sum); d.Cmp(term.Abs(term)) > 0 {
		t.Errorf("lower end is above the series by %v", d.FloatString(60))
	}
	if d := new(big.Rat).Sub(sum, a.Upper()); d.Cmp(term) > 0 {
		t.Errorf("upper end is below the series by %v", d.FloatString(60))
	}
	narrow(t, "exp(-3/7)", a)
}

func TestSigns(t *testing.T) {
	var zero enclosure.Interval
	contains(t, "zero", zero, new(big.Rat))
	contains(t, "zero sum", zero.Add(enclosure.Int(3)), big.NewRat(3, 1))
	contains(t, "-2·3", enclosure.Int(-2).Mul(enclosure.Int(3)), big.NewRat(-6, 1))
	contains(t, "√0", zero.Sqrt(), new(big.Rat))
	contains(t, "log 1", enclosure.Int(1).Log(), new(big.Rat))
	contains(t, "exp 0", zero.Exp(), big.NewRat(1, 1))
	if !enclosure.Int(1).Below(enclosure.Int(2)) || enclosure.Int(2).Below(enclosure.Int(2)) {
		t.Error("Below is not the strict order")
	}
	for name, f := range map[string]func(){
		"1/0":       func() { zero.Inv() },
		"log 0":     func() { zero.Log() },
		"√-1":       func() { enclosure.Int(-1).Sqrt() },
		"NaN":       func() { enclosure.Float(math.NaN()) },
		"exp(2^30)": func() { enclosure.Int(1 << 30).Exp() },
		"x^-1":      func() { enclosure.Int(2).Pow(-1) },
		"(-1)!":     func() { enclosure.LogFactorial(-1) },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s does not panic", name)
				}
			}()
			f()
		}()
	}
}

// Factorials multiplied out against the series, across the point where the one takes over from the
// other, and the ratio of neighbours far out.
func TestLogFactorial(t *testing.T) {
	for _, n := range []int{0, 1, 2, 10, 255, 256, 257, 300, 1000, 5000} {
		product := enclosure.Rat(new(big.Rat).SetInt(new(big.Int).MulRange(1, int64(n)))).Log()
		a := enclosure.LogFactorial(n)
		if a.Below(product) || product.Below(a) {
			t.Errorf("log %d! disagrees with the product", n)
		}
		narrow(t, "log n!", a)
	}
	for _, n := range []int{256, 999, 100_000, 1 << 40} {
		contains(t, "n!/(n-1)!", enclosure.LogFactorial(n).Sub(enclosure.LogFactorial(n-1)).Exp(),
			big.NewRat(int64(n), 1))
	}
	v, _ := math.Lgamma(1e6 + 1)
	lo, hi := enclosure.LogFactorial(1_000_000).Float64()
	if math.Abs(lo-v) > 1e-8 || lo > hi {
		t.Errorf("log 1000000! in [%v, %v], want near %v", lo, hi, v)
	}
}

// More bits give narrower intervals around the same numbers, and the root of a perfect power is a
// point.
func TestMoreBits(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		x := big.NewRat(whole.Draw(rt, "numerator"), whole.Draw(rt, "denominator"))
		k := rapid.IntRange(1, 9).Draw(rt, "k")
		for name, f := range map[string]func(enclosure.Interval) enclosure.Interval{
			"log": enclosure.Interval.Log, "exp": func(a enclosure.Interval) enclosure.Interval {
				return a.Log().Quo(enclosure.Int(3)).Exp()
			},
			"root": func(a enclosure.Interval) enclosure.Interval { return a.Root(k) },
		} {
			wide, fine := f(enclosure.Rat(x)), f(enclosure.Precise(x, 600))
			if fine.Bits() != 600 || wide.Below(fine) || fine.Below(wide) {
				t.Errorf("%s of %v: %d bits, or apart", name, x, fine.Bits())
			}
			width := new(big.Rat).Sub(fine.Upper(), fine.Lower())
			if size := new(big.Rat).Abs(fine.Upper()); size.Sign() > 0 {
				if w, _ := width.Quo(width, size).Float64(); w > 1e-150 {
					t.Errorf("%s of %v has the relative width %g with 600 bits", name, x, w)
				}
			}
		}
		whole := enclosure.Int(rapid.Int64Range(1, 1<<20).Draw(rt, "whole"))
		if root := whole.Pow(k).Root(k); root.Lower().Cmp(whole.Lower()) != 0 ||
			root.Upper().Cmp(whole.Lower()) != 0 {
			t.Errorf("the %d-th root of a power of %v lies in [%v, %v]", k, whole.Lower(),
				root.Lower(), root.Upper())
		}
	})
}

func TestOrderOfIntervals(t *testing.T) {
	a, b := enclosure.Int(-1).Hull(enclosure.Int(3)), enclosure.Int(0).Hull(enclosure.Int(2))
	lower, upper := a.Min(b), a.Max(b)
	for what, got := range map[string]*big.Rat{"-1": lower.Lower(), "2": lower.Upper(),
		"0": upper.Lower(),
		"3": upper.Upper()} {
		if got.Cmp(rat(what)) != 0 {
			t.Errorf("an end of min or max is %v, want %s", got, what)
		}
	}
	if a.Sign() != 0 || enclosure.Int(2).Sign() != 1 || enclosure.Int(-2).Sign() != -1 ||
		(enclosure.Interval{}).Sign() != 0 {
		t.Error("Sign is not certain")
	}
}

// Logarithms against the series in exact rational arithmetic, which lies below log x by less than
// its next term divided by 1 − z²; numbers near 1 and powers of 2 among them.
func TestLogAgainstRationalSeries(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		den := rapid.Int64Range(1, 1<<30).Draw(rt, "denominator")
		num := den + rapid.Int64Range(1,
			max(1, den>>rapid.IntRange(0, 29).Draw(rt, "nearness"))).Draw(rt, "excess")
		z := big.NewRat(num-den, num+den)
		square := new(big.Rat).Mul(z, z)
		sum, power := new(big.Rat).Set(z), new(big.Rat).Set(z)
		for i := int64(1); i < 60; i++ {
			power.Mul(power, square)
			sum.Add(sum, new(big.Rat).Mul(power, big.NewRat(1, 2*i+1)))
		}
		low := sum.Add(sum, sum)
		rest := power.Mul(power, square) // above twice the rest, by far
		high := rest.Add(rest, low)
		for what, a := range map[string]enclosure.Interval{
			"log x":    enclosure.Rat(big.NewRat(num, den)).Log(),
			"−log 1/x": enclosure.Rat(big.NewRat(den, num)).Log().Neg(),
		} {
			if a.Lower().Cmp(high) > 0 || a.Upper().Cmp(low) < 0 {
				t.Errorf("%s for x = %d/%d lies in [%v, %v], the series in [%v, %v]", what,
					num, den, a.Lower().FloatString(60),
					a.Upper().FloatString(60), low.FloatString(60), high.FloatString(60))
			}
			narrow(t, what, a)
		}
	})
}

// Every interval holds the one that 1000 more bits give, over all sizes of arguments.
func TestSeriesHoldWithMoreBits(t *testing.T) {
	holds := func(what string, wide, fine enclosure.Interval) {
		t.Helper()
		if wide.Lower().Cmp(fine.Lower()) > 0 || wide.Upper().Cmp(fine.Upper()) < 0 {
			t.Errorf("%s: an interval does not hold the finer one", what)
		}
		narrow(t, what, wide)
	}
	rapid.Check(t, func(rt *rapid.T) {
		point := func(x float64) (wide, fine enclosure.Interval) {
			r := new(big.Rat).SetFloat64(x)
			return enclosure.Rat(r), enclosure.Precise(r, enclosure.Precision+1000)
		}
		x := math.Ldexp(rapid.Float64Range(0.5, 1).Draw(rt, "mantissa"),
			rapid.IntRange(-1000, 1000).Draw(rt, "exponent"))
		wide, fine := point(x)
		holds("log", wide.Log(), fine.Log())
		near := 1 + math.Ldexp(x, -math.Ilogb(x)-rapid.IntRange(2, 52).Draw(rt, "distance from 1"))
		wide, fine = point(near)
		holds("log near 1", wide.Log(), fine.Log())
		y := math.Copysign(math.Ldexp(x, -math.Ilogb(x)+rapid.IntRange(-80, 14).Draw(rt, "size")),
			rapid.Float64Range(-1, 1).Draw(rt, "sign"))
		wide, fine = point(y)
		holds("exp", wide.Exp(), fine.Exp())
	})
}

// Logarithms of quotients of factorials on words hold the ones with all bits, and are as narrow as
// they say.
func TestLogFactorials(t *testing.T) {
	least := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 70))
	compare := func(above, below []int) {
		t.Helper()
		a, want := enclosure.LogFactorials(above, below), enclosure.Int(0)
		for _, n := range above {
			want = want.Add(enclosure.LogFactorial(n))
		}
		for _, n := range below {
			want = want.Sub(enclosure.LogFactorial(n))
		}
		if a.Lower().Cmp(want.Lower()) > 0 || a.Upper().Cmp(want.Upper()) < 0 {
			t.Errorf("log %v!/%v! lies in [%v, %v], want %v", above, below,
				a.Lower().FloatString(40), a.Upper().FloatString(40), want.Lower().FloatString(40))
		}
		if width := new(big.Rat).Sub(a.Upper(), a.Lower()); width.Cmp(least) > 0 {
			t.Errorf("log %v!/%v! is enclosed with the width %v", above, below,
				width.FloatString(30))
		}
	}
	for n := range 3000 {
		compare([]int{n}, nil)
		compare([]int{7}, []int{n})
	}
	for q := 8; q <= 31; q++ { // where the reduction of the argument changes
		for k := 20; k <= 64; k++ {
			n := k << q / 32
			compare([]int{min(n, 1<<31), min(n+1, 1<<31)}, []int{min(n-1, 1<<31)})
		}
	}
	rapid.Check(t, func(rt *rapid.T) {
		number := rapid.Custom(func(rt *rapid.T) int {
			return rapid.IntRange(0, 1<<rapid.IntRange(0, 31).Draw(rt, "bits")).Draw(rt, "n")
		})
		compare(rapid.SliceOfN(number, 0, 9).Draw(rt, "above"),
			rapid.SliceOfN(number, 0, 9).Draw(rt, "below"))
	})
	defer func() {
		if recover() == nil {
			t.Error("(2^31 + 1)! does not panic")
		}
	}()
	enclosure.LogFactorials(nil, []int{1<<31 + 1})
}

// Products that underflow are next to 0 and not 0, sums of numbers that are far apart are no longer
// than their ends, and what overflows has no interval.
func TestBeyondTheExponents(t *testing.T) {
	tiny := enclosure.Rat(big.NewRat(1, 1000)).Pow(1 << 27)
	zero, one := enclosure.Int(0), enclosure.Int(1)
	for _, a := range []enclosure.Interval{tiny.Pow(8), tiny.Pow(7).Mul(tiny)} {
		if a.LeastSign() != 0 || a.Point() || a.Neg().Neg().Point() ||
			!a.Below(tiny) {
			t.Errorf("%v", a)
		}
		if a = a.Mul(enclosure.Int(-1)); a.LeastSign() >= 0 {
			t.Errorf("the lower end of a negative number is 0: %v", a)
		}
	}
	for _, far := range []enclosure.Interval{tiny, tiny.Inv(), tiny.Neg()} {
		for _, near := range []enclosure.Interval{one, one.Neg(), far, far.Neg(), zero} {
			if a, b := far.Add(near).Sub(near), near.Add(far).Sub(near); a.Below(far) ||
				far.Below(a) || b.Below(far) || far.Below(b) {
				t.Errorf("%v and %v", far, near)
			}
		}
	}
	if one.Sub(tiny).LeastSign() != 1 || one.Sub(tiny).Point() || !one.Sub(tiny).Below(
		one.Add(one)) || one.Below(one.Sub(tiny)) || one.Add(tiny).Below(one) {
		t.Error("1 and next to nothing")
	}
	defer func() {
		if r := recover(); r != enclosure.ErrSize {
			t.Errorf("a number that has overflowed: %v", r)
		}
	}()
	enclosure.Int(1000).Pow(1 << 27).Pow(8)
}
