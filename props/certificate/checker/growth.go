package checker

import (
	"errors"
	"fmt"
	"math/big"
	"strings"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// growth accepts a curve in the domain along which one side of an order outgrows the other. The
// parameters are positive numbers times whole powers of s, and every formula behaves like a number
// times a power of s and one of log s, as s goes to infinity through the whole numbers.
func growth(c *certificate.Certificate) error {
	if !c.Refutes {
		return errors.New("a curve proves nothing")
	}
	o, err := ReadOrder(c)
	if err != nil {
		return err
	}
	var proof certificate.GrowthProof
	if err := decode(c, &proof); err != nil {
		return err
	}
	want, ok := new(big.Rat).SetString(proof.Gap)
	if !ok {
		return fmt.Errorf("the gap %q is no number", proof.Gap)
	}
	gap, err := o.Gap(&proof)
	if err == nil && gap.Cmp(want) != 0 {
		err = fmt.Errorf("the ratio grows like s^%v and not like s^%v", gap.RatString(),
			want.RatString())
	}
	return err
}

// Gap returns the power of s like which the ratio grows along the curve of a proof, 0 if it grows
// beyond all bounds but not like a power. The error says why it does not, or why that is not
// certain. The gap in the proof is not read.
func (o *Order) Gap(proof *certificate.GrowthProof) (gap *big.Rat, err error) {
	defer caught(&err)
	a := &asymptotics{e: &o.e, tilde: o.tilde, at: map[string]trend{}}
	if err := a.start(o, proof); err != nil {
		return nil, err
	}
	upper, lower := o.conclusion.Sides[0], o.conclusion.Sides[1]
	switch kind := []rune(o.name)[0]; {
	case proof.Inverse && kind != 'Ω' && kind != 'Θ', !proof.Inverse && kind == 'Ω':
		return nil, errors.New("the statement says nothing about the ratio that grows")
	case proof.Inverse:
		upper, lower = lower, upper
	}
	x, err := a.of(upper)
	if err != nil {
		return nil, err
	}
	y, err := a.of(lower)
	if err != nil {
		return nil, err
	}
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

// trend is how a formula behaves as s → ∞: its quotient by s^power (log s)^logs tends to c, which
// is not 0 unless the formula is 0.
type trend struct {
	c           enclosure.Interval
	power, logs algebra.Rational
	// the formula is this times s^power from some s on; nil if that is not known
	exact    *big.Rat
	vanishes bool // the formula is positive and tends to 0, and nothing else is known
}

func (t trend) zero() bool     { return t.exact != nil && t.exact.Sign() == 0 }
func (t trend) positive() bool { return !t.vanishes && t.c.Sign() > 0 }

// outgrows compares powers first and then powers of logarithms.
func (t trend) outgrows(u trend) int {
	for _, d := range []algebra.Rational{t.power.Sub(u.power), t.logs.Sub(u.logs)} {
		if d.Sign() != 0 {
			return d.Sign()
		}
	}
	return 0
}

// asymptotics finds trends of formulas along a curve.
type asymptotics struct {
	e     *evaluator
	tilde bool
	at    map[string]trend
}

func (a *asymptotics) steady(x *big.Rat) trend {
	return trend{c: enclosure.Precise(x, a.e.bits), exact: x}
}

// start puts the symbols on the curve and makes sure that it stays in the domain.
func (a *asymptotics) start(o *Order, proof *certificate.GrowthProof) error {
	if err := a.begin(o, proof); err != nil {
		return err
	}
	s := o.read
	var later []formula.Clause
	for _, clause := range o.assumed {
		if clause.Relations[0] != "=" || clause.Sides[0].Op != "symbol" {
			later = append(later, clause)
			continue
		}
		if s.whole(clause.Sides[0]) && !s.whole(clause.Sides[1]) {
			return fmt.Errorf("%v may not be whole", clause.Sides[0])
		}
		t, err := a.of(clause.Sides[1])
		if err != nil {
			return err
		}
		a.at[clause.Sides[0].Name] = t
	}
	for _, clause := range later {
		if err := a.stays(clause); err != nil {
			return err
		}
	}
	for i, symbol := range o.read.symbols {
		if t := a.at[symbol.Name]; o.tilde && o.kinds[i] == certificate.Logarithmic &&
			t.power.Sign() != 0 {
			return fmt.Errorf("%s grows along the curve, but counts as a logarithm", symbol.Name)
		}
	}
	return nil
}

// begin reads where the symbols begin, and like which powers they grow.
func (a *asymptotics) begin(o *Order, proof *certificate.GrowthProof) error {
	for i, symbol := range o.read.symbols {
		text, given := proof.At[symbol.Name]
		k, moves := proof.Exponents[symbol.Name]
		if !o.Free(i) {
			if given || moves {
				return fmt.Errorf("%s is defined and has no value of its own", symbol.Name)
			}
			continue
		}
		x, ok := new(big.Rat).SetString(text)
		switch {
		case !given || !ok || x.Sign() <= 0:
			return fmt.Errorf("%s begins at %q, which is no positive number", symbol.Name, text)
		case symbol.Kind == certificate.Count && (!x.IsInt() || k < 0):
			return fmt.Errorf("%s is not whole along the curve", symbol.Name)
		}
		t := a.steady(x)
		t.power = algebra.Whole(k)
		a.at[symbol.Name] = t
	}
	for name := range proof.Exponents {
		if _, there := a.at[name]; !there {
			return fmt.Errorf("%q is no symbol that may grow", name)
		}
	}
	return nil
}

// stays returns an error unless an inequality that is assumed holds along the curve.
func (a *asymptotics) stays(clause formula.Clause) error {
	if clause.Relations[0] == "=" {
		return fmt.Errorf("%v is not looked at along a curve", clause)
	}
	x := clause.Inequalities()[0]
	lo, err := a.of(x.Lesser)
	if err != nil {
		return err
	}
	hi, err := a.of(x.Greater)
	if err != nil {
		return err
	}
	same := lo.exact != nil && hi.exact != nil && lo.exact.Cmp(hi.exact) == 0 &&
		lo.outgrows(hi) == 0
	if less, known := a.less(lo, hi); !(same && !x.Strict) && !(known && less) {
		return fmt.Errorf("it is not certain that %v along the curve", clause)
	}
	return nil
}

// isLog reports whether a symbol is defined as a logarithm.
func (o *Order) isLog(slot int) bool {
	for _, l := range o.logs {
		if l.slot == slot {
			return true
		}
	}
	return false
}

// less reports whether x is less than y from some s on.
func (a *asymptotics) less(x, y trend) (is, known bool) {
	if x.vanishes || y.vanishes { // against what does not tend to 0
		stays := func(z trend) bool { return z.positive() && z.outgrows(a.steady(big.NewRat(1, 1))) >= 0 }
		return x.vanishes && stays(y), x.vanishes && stays(y) || y.vanishes && stays(x)
	}
	difference, err := a.plus(x, a.negative(y))
	if err != nil || difference.zero() {
		return false, err == nil
	}
	s := difference.c.Sign()
	return s < 0, s != 0
}

func (a *asymptotics) negative(x trend) trend {
	x.c = x.c.Neg()
	if x.exact != nil {
		x.exact = new(big.Rat).Neg(x.exact)
	}
	return x
}

func (a *asymptotics) plus(x, y trend) (trend, error) {
	switch {
	case x.zero():
		return y, nil
	case y.zero():
		return x, nil
	case y.vanishes && !x.vanishes && x.outgrows(a.steady(big.NewRat(1, 1))) >= 0:
		x.exact = nil
		return x, nil
	case x.vanishes || y.vanishes:
		return x, errors.New("a term that vanishes is added to what may vanish as well")
	}
	switch x.outgrows(y) {
	case 1:
		x.exact = nil
		return x, nil
	case -1:
		y.exact = nil
		return y, nil
	}
	if x.exact != nil && y.exact != nil {
		sum := a.steady(new(big.Rat).Add(x.exact, y.exact))
		if !sum.zero() {
			sum.power = x.power
		}
		return sum, nil
	}
	x.c, x.exact = x.c.Add(y.c), nil
	if x.c.Sign() == 0 {
		return x, errors.New("terms cancel along the curve")
	}
	return x, nil
}

func (a *asymptotics) times(x, y trend) (trend, error) {
	switch {
	case x.zero() || y.zero():
		return a.steady(new(big.Rat)), nil
	case x.vanishes || y.vanishes:
		return x, errors.New("a factor vanishes along the curve, and how fast is not known")
	}
	p := trend{c: x.c.Mul(y.c), power: x.power.Add(y.power), logs: x.logs.Add(y.logs)}
	if x.exact != nil && y.exact != nil {
		p.exact = new(big.Rat).Mul(x.exact, y.exact)
	}
	return p, nil
}

// to is a power of what is positive.
func (a *asymptotics) to(x trend, by algebra.Rational) (trend, error) {
	switch {
	case x.zero() && by.Sign() > 0:
		return x, nil
	case !x.positive():
		return x, errors.New("a power of what is not positive along the curve")
	}
	v, err := a.e.power(value{x.exact, x.c}, exactly(by.Rat(), a.e.bits))
	return trend{c: v.around, exact: v.exact, power: x.power.Mul(by), logs: x.logs.Mul(by)}, err
}

// of finds the trend of a formula.
func (a *asymptotics) of(t *formula.Tree) (trend, error) {
	switch t.Op {
	case "number":
		return a.steady(t.Value), nil
	case "symbol":
		x, there := a.at[t.Name]
		if !there {
			return x, fmt.Errorf("%s is used before it is known", t.Name)
		}
		return x, nil
	case "^":
		return a.power(t)
	case "ceil":
		if s := t.Args[0]; s.Op == "+" && isOne(s.Args[0]) { // ⌈1 + x⌉ = 1 + ⌈x⌉
			x, err := a.of(formula.Apply("ceil", s.Args[1]))
			if err != nil {
				return x, err
			}
			return a.plus(a.steady(big.NewRat(1, 1)), x)
		}
	case "log":
		if s := t.Args[0]; s.Op == "+" && isOne(s.Args[0]) && !a.tilde {
			// log(1 + x) behaves like x where x vanishes
			if x, err := a.of(s.Args[1]); err == nil && x.positive() && x.power.Sign() < 0 {
				x.exact = nil
				return x, nil
			}
		}
	}
	var args []trend
	for _, s := range t.Args {
		x, err := a.of(s)
		if err != nil {
			return x, err
		}
		args = append(args, x)
	}
	switch t.Op {
	case "+":
		return a.plus(args[0], args[1])
	case "-":
		return a.plus(args[0], a.negative(args[1]))
	case "neg":
		return a.negative(args[0]), nil
	case "*":
		return a.times(args[0], args[1])
	case "/":
		inverse, err := a.inverse(args[1], t)
		if err != nil {
			return inverse, err
		}
		return a.times(args[0], inverse)
	case "min", "max":
		return a.extreme(args, t)
	case "sqrt":
		return a.to(args[0], algebra.Whole(2).Inv())
	case "abs":
		if args[0].c.Sign() < 0 {
			return a.negative(args[0]), nil
		}
		return args[0], nil
	case "ceil", "floor":
		return a.rounded(args[0], t)
	case "log":
		return a.logarithm(args[0], t)
	}
	return trend{}, fmt.Errorf("how %v grows is not known", t)
}

// power is a power with an exponent that is a number, or one that decays.
func (a *asymptotics) power(t *formula.Tree) (trend, error) {
	x, err := a.of(t.Args[0])
	if err != nil || len(t.Args[1].Symbols()) > 0 {
		return a.decay(t)
	}
	v, err := a.e.of(t.Args[1])
	if err != nil || v.exact == nil {
		return x, fmt.Errorf("the exponent of %v is no fraction", t)
	}
	return a.to(x, algebra.Rat(v.exact))
}

// inverse is one over the divisor of a quotient.
func (a *asymptotics) inverse(y trend, t *formula.Tree) (trend, error) {
	if y.zero() || y.vanishes || y.c.Sign() == 0 {
		return y, fmt.Errorf("%v is divided by what is 0 or vanishes", t)
	}
	inverse := trend{c: y.c.Inv(), power: y.power.Neg(), logs: y.logs.Neg()}
	if y.exact != nil {
		inverse.exact = new(big.Rat).Inv(y.exact)
	}
	return inverse, nil
}

// extreme is the least or the largest of the arguments of a minimum or maximum.
func (a *asymptotics) extreme(args []trend, t *formula.Tree) (trend, error) {
	best := args[0]
	for _, x := range args[1:] {
		less, known := a.less(x, best)
		alike := x.outgrows(best) == 0 && x.positive() && best.positive()
		switch {
		case known && less == (t.Op == "min"):
			best = x
		case known:
		case alike && t.Op == "min":
			best.c, best.exact = best.c.Min(x.c), nil
		case alike:
			best.c, best.exact = best.c.Max(x.c), nil
		default:
			return x, fmt.Errorf("which part of %v counts is not known", t)
		}
	}
	return best, nil
}

func (a *asymptotics) rounded(x trend, t *formula.Tree) (trend, error) {
	up := t.Op == "ceil"
	if x.vanishes {
		return x, fmt.Errorf("how %v grows is not known", t)
	}
	switch x.outgrows(a.steady(big.NewRat(1, 1))) {
	case 1:
		x.exact = nil
		return x, nil
	case -1:
		switch {
		case x.c.Sign() > 0 && up:
			return a.steady(big.NewRat(1, 1)), nil
		case x.c.Sign() > 0:
			return a.steady(new(big.Rat)), nil
		}
		return x, fmt.Errorf("how %v grows is not known", t)
	}
	if x.exact != nil {
		return a.steady(enclosure.Whole(x.exact, up)), nil
	}
	// the limit lies strictly between them, or the value is not known
	lo, hi := enclosure.Whole(x.c.Lower(), false), enclosure.Whole(x.c.Upper(), true)
	one := big.NewRat(1, 1)
	if new(big.Rat).Sub(hi, lo).Cmp(one) != 0 || x.c.Lower().Cmp(lo) <= 0 ||
		x.c.Upper().Cmp(hi) >= 0 {
		return x, fmt.Errorf("how %v grows is not known", t)
	}
	if up {
		return a.steady(hi), nil
	}
	return a.steady(lo), nil
}

// logarithm of what grows like a power behaves like the logarithm of s. With a tilde it must be at
// least 1.
func (a *asymptotics) logarithm(x trend, t *formula.Tree) (trend, error) {
	unknown := fmt.Errorf("how %v grows is not known", t)
	if !x.positive() {
		return x, unknown
	}
	if x.power.Sign() != 0 {
		if x.power.Sign() < 0 && a.tilde {
			return x, unknown
		}
		return trend{c: enclosure.Precise(x.power.Rat(), a.e.bits), logs: algebra.Whole(1)}, nil
	}
	if x.logs.Sign() != 0 {
		return x, unknown
	}
	c := x.c.Log()
	if c.Sign() == 0 || a.tilde && c.Lower().Cmp(big.NewRat(1, 1)) <= 0 {
		return x, unknown
	}
	return trend{c: c}, nil
}

// decay is (1 − x)^y where x vanishes and xy grows: it tends to 0.
func (a *asymptotics) decay(t *formula.Tree) (trend, error) {
	unknown := fmt.Errorf("how %v grows is not known", t)
	base := t.Args[0]
	if base.Op != "-" || !isOne(base.Args[0]) || strings.HasPrefix(t.Args[1].Op, "neg") {
		return trend{}, unknown
	}
	x, err := a.of(base.Args[1])
	if err != nil {
		return x, err
	}
	y, err := a.of(t.Args[1])
	if err != nil {
		return y, err
	}
	xy, err := a.times(x, y)
	if err != nil || !x.positive() || !y.positive() || x.power.Sign() >= 0 ||
		xy.outgrows(a.steady(big.NewRat(1, 1))) <= 0 {
		return x, unknown
	}
	return trend{vanishes: true}, nil
}
