package formula

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"sledge/props/settle/exponents"
)

// growth is how a formula behaves along a curve as s → ∞: like c·s^power·(log s)^logs. A formula that does not change
// any more from some s on has a value.
type growth struct {
	c     float64 // of either sign
	power exponents.Rational
	logs  exponents.Rational
	exact *big.Rat // the formula is this times s^power from some s on, nil if that is not known
	tiny  bool     // the formula is positive and tends to 0, and nothing else is known
}

func (g growth) zero() bool { return g.exact != nil && g.exact.Sign() == 0 }

// value returns the value that the formula keeps from some s on.
func (g growth) value() (v *big.Rat, constant bool) {
	return g.exact, g.exact != nil && (g.power.Sign() == 0 || g.exact.Sign() == 0)
}

// compare is the order in which formulas outgrow each other.
func (g growth) compare(h growth) int {
	if c := g.power.Cmp(h.power); c != 0 {
		return c
	}
	return g.logs.Cmp(h.logs)
}

func settledAt(v *big.Rat) growth {
	c, _ := v.Float64()
	return growth{c: c, exact: v}
}

// curve gives the parameters as 2^base·s^power; what is defined follows.
type curve map[string]growth

// along returns how a formula behaves along the curve.
func (c curve) along(n *node) (growth, error) {
	failed := func() (growth, error) { return growth{}, fmt.Errorf("how %s grows is not known", plain.of(n)) }
	switch a := n.args; {
	case n.op == ceiling && a[0].op == add && isOne(a[0].args[0]): // ⌈1 + x⌉ = 1 + ⌈x⌉
		return c.along(of(add, num(1), of(ceiling, a[0].args[1])))
	case n.op == logarithm && a[0].op == add && isOne(a[0].args[0]): // log(1 + x) is like x where that vanishes
		if x, err := c.along(a[0].args[1]); err == nil && x.c > 0 && x.power.Sign() < 0 {
			x.exact = nil
			return x, nil
		}
	}
	var args []growth
	for i, a := range n.args {
		if n.op == power && i == 1 {
			break
		}
		if n.op == sum {
			return failed()
		}
		g, err := c.along(a)
		if err != nil {
			return g, err
		}
		args = append(args, g)
	}
	switch n.op {
	case number:
		return settledAt(n.value), nil
	case symbol:
		return c[n.name], nil
	case absolute:
		g := args[0]
		if g.c = math.Abs(g.c); g.exact != nil {
			g.exact = new(big.Rat).Abs(g.exact)
		}
		return g, nil
	case add, subtract, negate:
		g := growth{exact: new(big.Rat)}
		if n.op != negate {
			g, args = args[0], args[1:]
		}
		h := args[0]
		if n.op != add {
			if h.c = -h.c; h.exact != nil {
				h.exact = new(big.Rat).Neg(h.exact)
			}
		}
		switch {
		case h.tiny && (g.power.Sign() > 0 || g.power.Sign() == 0 && g.logs.Sign() >= 0) && !g.zero() && !g.tiny:
			g.exact = nil
			return g, nil
		case g.tiny || h.tiny:
			return failed()
		case g.exact != nil && h.exact != nil && (g.power.Cmp(h.power) == 0 || g.zero() || h.zero()):
			total := settledAt(new(big.Rat).Add(g.exact, h.exact))
			if total.power = g.power; g.zero() {
				total.power = h.power
			}
			if total.zero() {
				total.power = exponents.Rational{}
			}
			return total, nil
		case g.zero():
			return h, nil
		case h.zero():
			return g, nil
		}
		switch g.compare(h) {
		case 1:
			g.exact = nil
			return g, nil
		case -1:
			h.exact = nil
			return h, nil
		}
		total := g.c + h.c
		if math.Abs(total) < 1e-9*(math.Abs(g.c)+math.Abs(h.c)) {
			return failed()
		}
		return growth{c: total, power: g.power, logs: g.logs}, nil
	case multiply, divide:
		g, h := args[0], args[1]
		if n.op == divide {
			if h.zero() {
				return failed()
			}
			h.c, h.power, h.logs = 1/h.c, h.power.Neg(), h.logs.Neg()
			if h.exact != nil {
				h.exact = new(big.Rat).Inv(h.exact)
			}
		}
		if g.zero() || h.zero() {
			return settledAt(new(big.Rat)), nil
		}
		product := growth{c: g.c * h.c, power: g.power.Add(h.power), logs: g.logs.Add(h.logs)}
		if g.exact != nil && h.exact != nil {
			product.exact = new(big.Rat).Mul(g.exact, h.exact)
		}
		return product, nil
	case smallest, largest:
		g := args[0]
		for _, h := range args[1:] {
			less := g.below(h)
			if n.op == smallest && !less || n.op == largest && less {
				g = h
			}
		}
		return g, nil
	case root, power:
		e := big.NewRat(1, 2)
		if n.op == power {
			var constant bool
			if e, constant = n.args[1].constant(); !constant {
				return c.decay(n)
			}
		}
		g, x := args[0], exponents.Fraction(e)
		if g.zero() && e.Sign() > 0 {
			return g, nil
		}
		if g.c <= 0 {
			return failed()
		}
		raised := growth{c: math.Pow(g.c, x.Float64()), power: g.power.Mul(x), logs: g.logs.Mul(x)}
		if g.exact != nil {
			if v, err := fromRat(g.exact).pow(e); err == nil {
				if v, rational := v.Rat(); rational {
					raised.exact = v
				}
			}
		}
		return raised, nil
	case ceiling, floor:
		g := args[0]
		value, constant := g.value()
		switch {
		case constant:
			return settledAt(wholeNext(value, n.op == ceiling)), nil
		case g.power.Sign() > 0 || g.power.Sign() == 0 && g.logs.Sign() > 0:
			g.exact = nil
			return g, nil
		case g.power.Sign() == 0 && g.logs.Sign() == 0:
			if whole := math.Floor(g.c); g.c-whole > 1e-6 && whole+1-g.c > 1e-6 {
				if n.op == ceiling {
					whole++
				}
				return settledAt(new(big.Rat).SetFloat64(whole)), nil
			}
			return failed()
		case (g.c > 0) == (n.op == ceiling):
			return settledAt(big.NewRat(int64(math.Copysign(1, g.c)), 1)), nil
		}
		return settledAt(new(big.Rat)), nil
	case logarithm:
		g := args[0]
		switch {
		case g.c <= 0:
			return failed()
		case g.power.Sign() != 0:
			return growth{c: g.power.Float64(), logs: exponents.Whole(1)}, nil
		case g.logs.Sign() == 0 && math.Abs(math.Log(g.c)) > 1e-6:
			return growth{c: math.Log(g.c)}, nil
		}
	}
	return failed()
}

// decay is how (1 − x)^y behaves where x tends to 0 and xy grows.
func (c curve) decay(n *node) (growth, error) {
	if base := n.args[0]; base.op == subtract && isOne(base.args[0]) {
		x, err := c.along(base.args[1])
		if err != nil {
			return x, err
		}
		y, err := c.along(n.args[1])
		if err != nil {
			return y, err
		}
		xy := growth{power: x.power.Add(y.power), logs: x.logs.Add(y.logs)}
		if x.c > 0 && y.c > 0 && x.power.Sign() < 0 && xy.compare(growth{}) > 0 {
			return growth{tiny: true}, nil
		}
	}
	return growth{}, fmt.Errorf("how %s grows is not known", plain.of(n))
}

// below reports whether g is less than h in the end.
func (g growth) below(h growth) bool {
	switch {
	case g.zero():
		return h.c > 0
	case h.zero():
		return g.c < 0
	case (g.c > 0) != (h.c > 0):
		return h.c > 0
	}
	c := g.compare(h)
	if c == 0 {
		return g.c < h.c
	}
	return (c < 0) == (g.c > 0)
}

// same reports whether g and h are one and the same power of s.
func (g growth) same(h growth) bool {
	return g.exact != nil && h.exact != nil && g.exact.Cmp(h.exact) == 0 && g.compare(h) == 0
}

// grows turns a ray into a curve in the domain and makes sure that the left formula outgrows the right one along it.
func (s *settlement) grows(left, right *node, ray exponents.Monomial, inverse bool) error {
	b := s.b
	base := b.inside()
	if slices.ContainsFunc(ray[len(s.x.names):], func(e exponents.Rational) bool { return e.Sign() != 0 }) {
		return fmt.Errorf("a logarithm is no power")
	}
	s.ray, s.base, s.inverse = map[string]int64{}, map[string]int64{}, inverse
	at := curve{}
	for i, name := range s.x.names {
		if _, known := s.x.d.v.Symbol(name); !known {
			continue
		}
		defined := false
		for _, c := range s.x.clauses {
			defined = defined || c.relations[0] == "=" && c.sides[0].op == symbol && c.sides[0].name == name
		}
		if !defined {
			s.ray[name], s.base[name] = ray[i].Num(), base[i]
			at[name] = growth{c: math.Ldexp(1, int(base[i])), power: ray[i],
				exact: new(big.Rat).SetFloat64(math.Ldexp(1, int(base[i])))}
		}
	}
	fail := func(err error) error {
		s.ray = nil
		return err
	}
	for _, c := range s.x.clauses {
		var sides [2]growth
		for i := range sides {
			if c.relations[0] == "=" && c.sides[0].op == symbol && i == 0 {
				continue
			}
			var err error
			if sides[i], err = at.along(c.sides[i]); err != nil {
				return fail(err)
			}
		}
		lo, hi := sides[0], sides[1]
		switch c.relations[0] {
		case "=":
			if c.sides[0].op != symbol {
				return fail(fmt.Errorf("whether %s is not known along the ray", plain.clause(c)))
			}
			at[c.sides[0].name] = sides[1]
			continue
		case "≥", ">":
			lo, hi = hi, lo
		}
		if !lo.below(hi) && !lo.same(hi) {
			return fail(fmt.Errorf("%s does not hold along the ray", plain.clause(c)))
		}
	}
	f, err := at.along(left)
	if err != nil {
		return fail(err)
	}
	g, err := at.along(right)
	if err != nil {
		return fail(err)
	}
	switch {
	case f.zero() || f.c <= 0 || !g.zero() && g.c <= 0:
		return fail(fmt.Errorf("a side is not positive along the ray"))
	case g.zero():
		s.gap = exponents.Rational{}
	case f.power.Cmp(g.power) > 0:
		s.gap = f.power.Sub(g.power)
	case f.power.Cmp(g.power) == 0 && f.logs.Cmp(g.logs) > 0 && !b.tilde:
		s.gap = exponents.Rational{}
	default:
		return fail(fmt.Errorf("the ratio does not grow along the ray"))
	}
	return nil
}

// inside returns powers of 2 that lie in the region, with room to its bounds where they leave some.
func (b *bounder) inside() []int64 {
	if b.base == nil {
		limits := make([]int64, len(b.limits))
		for i, l := range b.limits {
			limits[i] = int64(math.Floor(math.Log2(l)))
		}
		if b.base = exponents.Inside(b.cone.Bounded, limits); b.base == nil {
			b.base = make([]int64, len(b.names))
		}
	}
	return b.base
}
