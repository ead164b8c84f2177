package checker

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// growth accepts a curve in the domain along which one side of an order outgrows the other. The
// parameters are positive numbers times whole powers of s, and every formula behaves like a number
// times a power of s and one of log s, as s goes to infinity through the whole numbers.
func growth(c *certificate.Certificate) {
	if !c.Refutes {
		refuse("a curve proves nothing")
	}
	o := try(ReadOrder(c))
	proof := decode[certificate.GrowthProof](c)
	if gap, want := try(o.Gap(&proof)), rational(proof.Gap); gap.Cmp(want) != 0 {
		refuse("the ratio grows like s^%v and not like s^%v", gap.RatString(), want.RatString())
	}
}

// Gap returns the power of s like which the ratio grows along the curve of a proof, 0 if it grows
// beyond all bounds but not like a power. The error says why it does not, or why that is not
// certain. The gap in the proof is not read.
func (o *Order) Gap(proof *certificate.GrowthProof) (gap *big.Rat, err error) {
	defer caught(&err)
	a := &asymptotics{e: &o.e, tilde: o.tilde, at: map[string]trend{}}
	a.begin(o, proof)
	a.stays(o)
	directions := slices.DeleteFunc(o.directions(), func(d Direction) bool {
		return d.Inverse != proof.Inverse
	})
	if len(directions) == 0 {
		return nil, errors.New("the statement says nothing about the ratio that grows")
	}
	x, y := a.of(directions[0].Left), a.of(directions[0].Right)
	power, logs := x.power.Sub(y.power), x.logs.Sub(y.logs)
	switch {
	case !x.positive() || !y.zero() && !y.positive():
		return nil, errors.New("a side is not positive along the curve")
	case y.zero():
		return new(big.Rat), nil
	case power.Sign() > 0, power.Sign() == 0 && logs.Sign() > 0 && !a.tilde:
		return power.Rat(), nil
	}
	return nil, errors.New("the ratio does not grow along the curve")
}

// trend is how a formula behaves as s → ∞: its quotient by s^power (log s)^logs tends to c.
type trend struct {
	c           value
	power, logs algebra.Rational
	pure        bool // the formula is c times s^power from some s on
}

// zero reports whether the formula is 0 from some s on.
func (t trend) zero() bool { return t.pure && t.c.exact != nil && t.c.exact.Sign() == 0 }

// positive reports whether the formula is positive from some s on.
func (t trend) positive() bool { return t.c.around().Sign() > 0 }

// outgrows compares powers first and then powers of logarithms. The zero trend is a number's.
func (t trend) outgrows(u trend) int {
	if d := t.power.Cmp(u.power); d != 0 {
		return d
	}
	return t.logs.Cmp(u.logs)
}

// asymptotics finds trends of formulas along a curve.
type asymptotics struct {
	e     *evaluator
	tilde bool
	at    map[string]trend
}

func (a *asymptotics) steady(x *big.Rat) trend { return trend{c: a.e.number(x), pure: true} }

// begin reads where the symbols begin, and like which powers they grow.
func (a *asymptotics) begin(o *Order, proof *certificate.GrowthProof) {
	for i, symbol := range o.read.symbols {
		text, given := proof.At[symbol.Name]
		k, moves := proof.Exponents[symbol.Name]
		if !o.Free(i) {
			if given || moves {
				refuse("%s is defined and has no value of its own", symbol.Name)
			}
			continue
		}
		x := rational(text)
		switch {
		case x.Sign() <= 0:
			refuse("%s begins at %q, which is not positive", symbol.Name, text)
		case symbol.Kind == certificate.Count && (!x.IsInt() || k < 0):
			refuse("%s is not whole along the curve", symbol.Name)
		}
		t := a.steady(x)
		t.power = algebra.Whole(k)
		a.at[symbol.Name] = t
	}
	for name := range proof.Exponents {
		if _, there := a.at[name]; !there {
			refuse("%q is no symbol that may grow", name)
		}
	}
}

// stays finds the trends of what is defined, and makes sure that the curve stays in the domain.
func (a *asymptotics) stays(o *Order) {
	var later []formula.Clause
	for _, clause := range o.assumed {
		side := clause.Sides[0]
		if clause.Relations[0] != "=" || side.Op != "symbol" {
			later = append(later, clause)
			continue
		}
		if o.read.whole(side) && !o.read.whole(clause.Sides[1]) {
			refuse("%v may not be whole", side)
		}
		a.at[side.Name] = a.of(clause.Sides[1])
	}
	for _, clause := range later {
		if clause.Relations[0] == "=" {
			refuse("%v is not looked at along a curve", clause)
		}
		x := clause.Inequalities()[0]
		room := a.plus(a.of(x.Greater), a.negative(a.of(x.Lesser)))
		if !room.positive() && (!room.zero() || x.Strict) {
			refuse("it is not certain that %v along the curve", clause)
		}
	}
	for i, symbol := range o.read.symbols {
		if o.Drops(i) && a.at[symbol.Name].power.Sign() != 0 {
			refuse("%s grows along the curve, but counts as a logarithm", symbol.Name)
		}
	}
}

func (a *asymptotics) negative(x trend) trend {
	x.c = a.e.does("-", a.e.whole(0), x.c)
	return x
}

func (a *asymptotics) plus(x, y trend) trend {
	if y.outgrows(x) > 0 {
		x, y = y, x
	}
	switch {
	case x.zero():
		return y
	case y.zero():
		return x
	case x.outgrows(y) > 0:
		x.pure = false
		return x
	}
	x.c, x.pure = a.e.does("+", x.c, y.c), x.pure && y.pure
	if x.zero() {
		return a.steady(new(big.Rat))
	}
	return x
}

func (a *asymptotics) times(x, y trend) trend {
	if x.zero() || y.zero() {
		return a.steady(new(big.Rat))
	}
	return trend{c: a.e.does("*", x.c, y.c), power: x.power.Add(y.power), logs: x.logs.Add(y.logs),
		pure: x.pure && y.pure}
}

// to is a power of what is positive, or a whole one of what is negative.
func (a *asymptotics) to(x trend, by *big.Rat) trend {
	sign := x.c.around().Sign()
	switch {
	case x.zero() && by.Sign() > 0:
		return x
	case sign == 0 || sign < 0 && !by.IsInt():
		refuse("a power, or a divisor, of what is not positive along the curve")
	}
	e := algebra.Rat(by)
	return trend{c: a.e.power(x.c, a.e.number(by)), power: x.power.Mul(e), logs: x.logs.Mul(e),
		pure: x.pure}
}

// of finds the trend of a formula.
func (a *asymptotics) of(t *formula.Tree) trend {
	switch t.Op {
	case "number":
		return a.steady(t.Value)
	case "symbol":
		x, there := a.at[t.Name]
		if !there {
			refuse("%s is used before it is known", t.Name)
		}
		return x
	case "^":
		return a.power(t)
	case "ceil", "log":
		if s := t.Args[0]; s.Op == "+" && isOne(s.Args[0]) {
			return a.ofOneMore(t, s.Args[1])
		}
	}
	var args []trend
	for _, s := range t.Args {
		args = append(args, a.of(s))
	}
	switch t.Op {
	case "+":
		return a.plus(args[0], args[1])
	case "-":
		return a.plus(args[0], a.negative(args[1]))
	case "neg":
		return a.negative(args[0])
	case "*":
		return a.times(args[0], args[1])
	case "/":
		return a.times(args[0], a.to(args[1], big.NewRat(-1, 1)))
	case "min", "max":
		return a.extreme(t, args...)
	case "sqrt":
		return a.to(args[0], big.NewRat(1, 2))
	case "abs":
		return a.extreme(t, args[0], a.negative(args[0]))
	case "ceil", "floor":
		return a.rounded(args[0], t)
	case "log":
		return a.logarithm(args[0], t)
	}
	panic(unknown(t))
}

// power is one with an exponent that is a number, or one that decays.
func (a *asymptotics) power(t *formula.Tree) trend {
	if len(t.Args[1].Symbols()) > 0 {
		return a.decay(t)
	}
	v := a.e.of(t.Args[1])
	if v.exact == nil {
		refuse("the exponent of %v is no fraction", t)
	}
	return a.to(a.of(t.Args[0]), v.exact)
}

// ofOneMore is ⌈1 + x⌉ = 1 + ⌈x⌉, or log(1 + x), which behaves like x where x vanishes.
func (a *asymptotics) ofOneMore(t, s *formula.Tree) trend {
	one := a.steady(big.NewRat(1, 1))
	if t.Op == "ceil" {
		return a.plus(one, a.of(formula.Apply("ceil", s)))
	}
	x := a.of(s)
	if !a.tilde && x.positive() && x.power.Sign() < 0 {
		x.pure = false
		return x
	}
	return a.logarithm(a.plus(one, x), t)
}

func unknown(t *formula.Tree) error { return fmt.Errorf("how %v grows is not known", t) }

// extreme is the least of the arguments of a minimum, and else the largest.
func (a *asymptotics) extreme(t *formula.Tree, args ...trend) trend {
	best := args[0]
	for _, x := range args[1:] {
		gain := a.plus(x, a.negative(best))
		if t.Op == "min" {
			gain = a.negative(gain)
		}
		switch {
		case gain.positive():
			best = x
		case gain.zero() || gain.c.around().Sign() < 0:
		case x.outgrows(best) == 0:
			best.c, best.pure = extreme(t.Op, best.c, x.c), false
		default:
			refuse("which part of %v counts is not known", t)
		}
	}
	return best
}

func (a *asymptotics) rounded(x trend, t *formula.Tree) trend {
	up := t.Op == "ceil"
	grows := x.outgrows(trend{})
	lo, hi := enclosure.Whole(x.c.around().Lower(), false), enclosure.Whole(x.c.around().Upper(), true)
	switch {
	case grows < 0 && !x.positive():
		panic(unknown(t))
	case grows > 0:
		x.pure = false
		return x
	case grows < 0: // it lies between 0 and 1 from some s on
		lo, hi = new(big.Rat), big.NewRat(1, 1)
	case x.pure && x.c.exact != nil:
		return trend{c: a.e.rounded(x.c, up), pure: true}
	case new(big.Rat).Sub(hi, lo).Cmp(big.NewRat(1, 1)) != 0 ||
		x.c.around().Lower().Cmp(lo) <= 0 || x.c.around().Upper().Cmp(hi) >= 0:
		panic(unknown(t)) // the limit may be whole
	}
	if up {
		return a.steady(hi)
	}
	return a.steady(lo)
}

// logarithm of what grows like a power behaves like the logarithm of s. With a tilde it must be at
// least 1.
func (a *asymptotics) logarithm(x trend, t *formula.Tree) trend {
	one := a.e.whole(1)
	switch {
	case !x.positive(), x.power.Sign() < 0 && a.tilde, x.power.Sign() == 0 && x.logs.Sign() != 0:
		panic(unknown(t))
	case x.power.Sign() != 0:
		return trend{c: a.e.number(x.power.Rat()), logs: algebra.Whole(1)}
	}
	c := a.e.log(x.c)
	if c.around().Sign() == 0 || a.tilde && relate(c, ">", one) != holds {
		panic(unknown(t))
	}
	return trend{c: c}
}

// decay is (1 − x)^y where x vanishes and xy grows: it tends to 0.
func (a *asymptotics) decay(t *formula.Tree) trend {
	base := t.Args[0]
	if base.Op != "-" || !isOne(base.Args[0]) || t.Args[1].Op == "neg" {
		panic(unknown(t))
	}
	x, y := a.of(base.Args[1]), a.of(t.Args[1])
	if !x.positive() || !y.positive() || x.power.Sign() >= 0 ||
		a.times(x, y).outgrows(trend{}) <= 0 {
		panic(unknown(t))
	}
	return trend{c: a.e.whole(0)}
}
