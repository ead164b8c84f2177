package checker

import (
	"errors"
	"fmt"
	"math/big"
	"slices"

	"sledge/props/enclosure"
	"sledge/props/formula"
)

// value is a real number: exactly, or as an interval that contains it.
type value struct {
	exact  *big.Rat // nil if it is not known exactly
	around enclosure.Interval
}

func exactly(x *big.Rat, bits uint) value { return value{x, enclosure.Precise(x, bits)} }

// beyond reports whether the number may be larger than a limit in size.
func (v value) beyond(limit int64) bool {
	return v.around.Upper().Cmp(big.NewRat(limit, 1)) > 0 ||
		v.around.Lower().Cmp(big.NewRat(-limit, 1)) < 0
}

// evaluator computes the values of formulas with intervals of some bits.
type evaluator struct {
	bits   uint
	symbol func(name string) (value, error)
	steps  int // that have been made, at the first precision
}

// Limits of what the checker computes.
const (
	mostBits     = 1 << 14 // of an exact number: beyond it only an interval is kept
	mostTerms    = 10_000  // of a sum
	mostPower    = 1 << 12 // exponents of whole powers
	mostRoot     = 64      // denominators of exponents
	mostExponent = 1 << 14 // arguments of exponentials, in size
	mostSteps    = 500_000 // operations on numbers
	costlySteps  = 500     // that one of the costly operations is worth
)

// costly are operations by series.
var costly = []string{"log", "exp", "^", "sqrt"}

// of computes the value of a formula.
func (e *evaluator) of(t *formula.Tree) (value, error) {
	cost := 1
	if slices.Contains(costly, t.Op) {
		cost = costlySteps * int(e.bits/enclosure.Precision)
	}
	if e.steps += cost; e.steps > mostSteps {
		return value{}, errors.New("the values take too many operations")
	}
	switch t.Op {
	case "number":
		return exactly(t.Value, e.bits), nil
	case "symbol":
		return e.symbol(t.Name)
	case "sum":
		return e.sum(t)
	}
	args := make([]value, len(t.Args))
	for i, a := range t.Args {
		var err error
		if args[i], err = e.of(a); err != nil {
			return value{}, err
		}
	}
	switch t.Op {
	case "+", "-", "*", "/":
		return e.arithmetic(t.Op, args[0], args[1])
	case "neg":
		return e.arithmetic("-", exactly(new(big.Rat), e.bits), args[0])
	case "min", "max":
		m := args[0]
		for _, a := range args[1:] {
			m = e.extreme(t.Op, m, a)
		}
		return m, nil
	case "abs":
		minus, err := e.arithmetic("-", exactly(new(big.Rat), e.bits), args[0])
		return e.extreme("max", args[0], minus), err
	case "sqrt":
		return e.power(args[0], exactly(big.NewRat(1, 2), e.bits))
	case "^":
		return e.power(args[0], args[1])
	case "ceil", "floor":
		return e.rounded(args[0], t.Op == "ceil"), nil
	case "log":
		return e.log(args[0], t)
	case "exp":
		return e.exp(args[0])
	}
	return value{}, fmt.Errorf("%v has no value", t)
}

// rounded is the next whole number above or below, or an interval around what may be that.
func (e *evaluator) rounded(x value, up bool) value {
	if x.exact != nil {
		return exactly(enclosure.Whole(x.exact, up), e.bits)
	}
	lo, hi := enclosure.Whole(x.around.Lower(), up), enclosure.Whole(x.around.Upper(), up)
	if lo.Cmp(hi) == 0 {
		return exactly(lo, e.bits)
	}
	return value{around: enclosure.Precise(lo, e.bits).Hull(enclosure.Precise(hi, e.bits))}
}

// log is the logarithm of the argument of t.
func (e *evaluator) log(x value, t *formula.Tree) (value, error) {
	switch {
	case x.around.Sign() <= 0:
		return value{}, fmt.Errorf("%v may be the logarithm of a number that is not positive", t)
	case x.exact != nil && x.exact.Cmp(big.NewRat(1, 1)) == 0:
		return exactly(new(big.Rat), e.bits), nil
	}
	return value{around: x.around.Log()}, nil
}

func (e *evaluator) exp(x value) (value, error) {
	switch {
	case x.exact != nil && x.exact.Sign() == 0:
		return exactly(big.NewRat(1, 1), e.bits), nil
	case x.beyond(mostExponent):
		return value{}, errors.New("the argument of an exponential is too large")
	}
	return value{around: x.around.Exp()}, nil
}

// result keeps an exact number unless it is too long.
func (e *evaluator) result(x *big.Rat) value {
	v := exactly(x, e.bits)
	if x.Num().BitLen()+x.Denom().BitLen() > mostBits {
		v.exact = nil
	}
	return v
}

func (e *evaluator) arithmetic(op string, a, b value) (value, error) {
	if op == "/" && (b.around.Sign() == 0 || b.exact != nil && b.exact.Sign() == 0) {
		return value{}, errors.New("a divisor may be 0")
	}
	if a.exact != nil && b.exact != nil {
		x := new(big.Rat)
		switch op {
		case "+":
			x.Add(a.exact, b.exact)
		case "-":
			x.Sub(a.exact, b.exact)
		case "*":
			x.Mul(a.exact, b.exact)
		default:
			x.Quo(a.exact, b.exact)
		}
		return e.result(x), nil
	}
	switch op {
	case "+":
		return value{around: a.around.Add(b.around)}, nil
	case "-":
		return value{around: a.around.Sub(b.around)}, nil
	case "*":
		return value{around: a.around.Mul(b.around)}, nil
	}
	return value{around: a.around.Quo(b.around)}, nil
}

// extreme returns the smaller or the larger of two numbers.
func (e *evaluator) extreme(op string, a, b value) value {
	if a.exact != nil && b.exact != nil {
		if (a.exact.Cmp(b.exact) < 0) == (op == "min") {
			return a
		}
		return b
	}
	first, second := a, b
	if op == "max" {
		first, second = b, a
	}
	switch {
	case first.around.Below(second.around):
		return a
	case second.around.Below(first.around):
		return b
	case op == "min":
		return value{around: a.around.Min(b.around)}
	}
	return value{around: a.around.Max(b.around)}
}

// power returns a^b: by a root and a whole power where b is a fraction, else for positive a by
// exp(b log a).
func (e *evaluator) power(a, b value) (value, error) {
	if x := b.exact; x != nil && x.Denom().IsInt64() && x.Denom().Int64() <= mostRoot &&
		x.Num().IsInt64() {
		k, degree := x.Num().Int64(), int(x.Denom().Int64())
		if k < -mostPower || k > mostPower {
			return value{}, errors.New("an exponent is too large")
		}
		if degree > 1 {
			if a.around.Lower().Sign() < 0 {
				return value{}, errors.New("a root may be of a negative number")
			}
			a = e.root(a, degree)
		}
		p := exactly(big.NewRat(1, 1), e.bits)
		var err error
		for range max(k, -k) {
			if p, err = e.arithmetic("*", p, a); err != nil {
				return value{}, err
			}
		}
		if k < 0 {
			return e.arithmetic("/", exactly(big.NewRat(1, 1), e.bits), p)
		}
		return p, nil
	}
	if a.around.Sign() <= 0 {
		return value{}, errors.New("a power may be of a number that is not positive")
	}
	x := value{around: a.around.Log().Mul(b.around)}
	if x.beyond(mostExponent) {
		return value{}, errors.New("a power is too large or too small")
	}
	return value{around: x.around.Exp()}, nil
}

// root returns the root of a number that is not negative, exactly if it is rational.
func (e *evaluator) root(a value, degree int) value {
	if a.exact != nil {
		if x, rational := enclosure.RationalRoot(a.exact, degree); rational {
			return exactly(x, e.bits)
		}
	}
	return value{around: a.around.Root(degree)}
}

// sum adds the terms of a sum whose ends are whole numbers.
func (e *evaluator) sum(t *formula.Tree) (value, error) {
	var ends [2]*big.Rat
	for i := range ends {
		v, err := e.of(t.Args[i])
		if err != nil {
			return value{}, err
		}
		if v.exact == nil || !v.exact.IsInt() || !v.exact.Num().IsInt64() {
			return value{}, errors.New("the end of a sum is not known to be a whole number")
		}
		ends[i] = v.exact
	}
	from, to := ends[0].Num().Int64(), ends[1].Num().Int64()
	if from > to {
		return exactly(new(big.Rat), e.bits), nil
	}
	if uint64(to)-uint64(from) > mostTerms {
		return value{}, errors.New("a sum has too many terms")
	}
	outer := e.symbol
	defer func() { e.symbol = outer }()
	total := exactly(new(big.Rat), e.bits)
	for k := from; k <= to; k++ {
		e.symbol = func(name string) (value, error) {
			if name == t.Name {
				return exactly(new(big.Rat).SetInt64(k), e.bits), nil
			}
			return outer(name)
		}
		v, err := e.of(t.Args[2])
		if err == nil {
			total, err = e.arithmetic("+", total, v)
		}
		if err != nil {
			return value{}, err
		}
	}
	return total, nil
}

// verdict is what can be told of a relation: it holds, it fails, or neither is certain.
type verdict int

const (
	uncertain verdict = iota
	holds
	fails
)

func told(is bool) verdict {
	if is {
		return holds
	}
	return fails
}

// relate tells whether a relation holds between two numbers.
func relate(a value, relation string, b value) verdict {
	if a.exact != nil && b.exact != nil {
		cmp := a.exact.Cmp(b.exact)
		switch relation {
		case "≤":
			return told(cmp <= 0)
		case "≥":
			return told(cmp >= 0)
		case "<":
			return told(cmp < 0)
		case ">":
			return told(cmp > 0)
		case "=":
			return told(cmp == 0)
		}
		return uncertain
	}
	below, above := a.around.Below(b.around), b.around.Below(a.around)
	switch {
	case !below && !above:
		return uncertain
	case relation == "≤" || relation == "<":
		return told(below)
	case relation == "≥" || relation == ">":
		return told(above)
	case relation == "=":
		return fails
	}
	return uncertain
}
