package checker

import (
	"math/big"
	"slices"
	"strings"

	"sledge/props/enclosure"
	"sledge/props/formula"
)

// value is a real number: exactly, or as an interval that contains it.
type value struct {
	exact *big.Rat           // nil if it is not known exactly
	bits  uint               // of the interval around an exact number
	known enclosure.Interval // that contains a number which is not exact
}

// around returns an interval that contains the number.
func (v value) around() enclosure.Interval {
	if v.exact != nil {
		return enclosure.Precise(v.exact, v.bits)
	}
	return v.known
}

// beyond reports whether the number may be larger than a limit in size.
func (v value) beyond(limit int64) bool {
	return v.around().Upper().Cmp(big.NewRat(limit, 1)) > 0 ||
		v.around().Lower().Cmp(big.NewRat(-limit, 1)) < 0
}

func (v value) isWhole() bool { return v.exact != nil && v.exact.IsInt() }

// evaluator computes the values of formulas with intervals of some bits.
type evaluator struct {
	bits   uint
	symbol func(name string) value
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

func (e *evaluator) number(x *big.Rat) value { return value{exact: x, bits: e.bits} }
func (e *evaluator) whole(x int64) value     { return e.number(big.NewRat(x, 1)) }

// of computes the value of a formula.
func (e *evaluator) of(t *formula.Tree) value {
	cost := 1
	if slices.Contains(costly, t.Op) {
		cost = costlySteps * int(e.bits/enclosure.Precision)
	}
	if e.steps += cost; e.steps > mostSteps {
		refuse("the values take too many operations")
	}
	switch t.Op {
	case "number":
		return e.number(t.Value)
	case "symbol":
		return e.symbol(t.Name)
	case "sum":
		return e.sum(t)
	}
	args := make([]value, len(t.Args))
	for i, a := range t.Args {
		args[i] = e.of(a)
	}
	switch t.Op {
	case "+", "-", "*", "/":
		return e.does(t.Op, args[0], args[1])
	case "neg":
		return e.does("-", e.whole(0), args[0])
	case "min", "max":
		m := args[0]
		for _, a := range args[1:] {
			m = extreme(t.Op, m, a)
		}
		return m
	case "abs":
		return extreme("max", args[0], e.does("-", e.whole(0), args[0]))
	case "sqrt":
		return e.power(args[0], e.number(big.NewRat(1, 2)))
	case "^":
		return e.power(args[0], args[1])
	case "ceil", "floor":
		return e.rounded(args[0], t.Op == "ceil")
	case "log":
		if args[0].around().Sign() <= 0 {
			refuse("%v may be the logarithm of a number that is not positive", t)
		}
		return e.log(args[0])
	case "exp":
		return e.exp(args[0])
	}
	refuse("%v has no value", t)
	return value{}
}

// rounded is the next whole number above or below, or an interval around what may be that.
func (e *evaluator) rounded(x value, up bool) value {
	if x.exact != nil {
		return e.number(enclosure.Whole(x.exact, up))
	}
	lo := e.number(enclosure.Whole(x.around().Lower(), up))
	hi := e.number(enclosure.Whole(x.around().Upper(), up))
	if lo.exact.Cmp(hi.exact) == 0 {
		return lo
	}
	return value{known: lo.around().Hull(hi.around())}
}

// log is the logarithm of a positive number.
func (e *evaluator) log(x value) value {
	if x.exact != nil && x.exact.Cmp(big.NewRat(1, 1)) == 0 {
		return e.whole(0)
	}
	return value{known: x.around().Log()}
}

func (e *evaluator) exp(x value) value {
	switch {
	case x.exact != nil && x.exact.Sign() == 0:
		return e.whole(1)
	case x.beyond(mostExponent):
		refuse("the argument of an exponential is too large")
	}
	return value{known: x.around().Exp()}
}

// operation is one of arithmetic, on exact numbers and on intervals.
type operation struct {
	exact  func(z, x, y *big.Rat) *big.Rat
	around func(x, y enclosure.Interval) enclosure.Interval
}

var arithmetic = map[string]operation{
	"+": {(*big.Rat).Add, enclosure.Interval.Add},
	"-": {(*big.Rat).Sub, enclosure.Interval.Sub},
	"*": {(*big.Rat).Mul, enclosure.Interval.Mul},
	"/": {(*big.Rat).Quo, enclosure.Interval.Quo},
}

// does makes an operation of arithmetic. An exact result is kept unless it is too long.
func (e *evaluator) does(op string, a, b value) value {
	if op == "/" && b.around().Sign() == 0 {
		refuse("a divisor may be 0")
	}
	if a.exact == nil || b.exact == nil {
		return value{known: arithmetic[op].around(a.around(), b.around())}
	}
	v := e.number(arithmetic[op].exact(new(big.Rat), a.exact, b.exact))
	if v.exact.Num().BitLen()+v.exact.Denom().BitLen() > mostBits {
		return value{known: v.around()}
	}
	return v
}

// extreme returns the smaller or the larger of two numbers.
func extreme(op string, a, b value) value {
	lesser, greater := a, b
	switch relate(a, "≤", b) {
	case uncertain:
		if op == "min" {
			return value{known: a.around().Min(b.around())}
		}
		return value{known: a.around().Max(b.around())}
	case fails:
		lesser, greater = b, a
	}
	if op == "min" {
		return lesser
	}
	return greater
}

// power returns a^b: by a root and a whole power where b is a fraction, else for positive a by
// exp(b log a).
func (e *evaluator) power(a, b value) value {
	if x := b.exact; x == nil || !x.Denom().IsInt64() || x.Denom().Int64() > mostRoot ||
		!x.Num().IsInt64() {
		if a.around().Sign() <= 0 {
			refuse("a power may be of a number that is not positive")
		}
		return e.exp(value{known: a.around().Log().Mul(b.around())})
	}
	k, degree := b.exact.Num().Int64(), int(b.exact.Denom().Int64())
	if k < -mostPower || k > mostPower {
		refuse("an exponent is too large")
	}
	if degree > 1 {
		a = e.root(a, degree)
	}
	p := e.whole(1)
	for range max(k, -k) {
		p = e.does("*", p, a)
	}
	if k < 0 {
		return e.does("/", e.whole(1), p)
	}
	return p
}

// root returns a root, exactly if it is rational.
func (e *evaluator) root(a value, degree int) value {
	if a.around().Lower().Sign() < 0 {
		refuse("a root may be of a negative number")
	}
	if a.exact != nil {
		if x, rational := enclosure.RationalRoot(a.exact, degree); rational {
			return e.number(x)
		}
	}
	return value{known: a.around().Root(degree)}
}

// sum adds the terms of a sum whose ends are whole numbers.
func (e *evaluator) sum(t *formula.Tree) value {
	var ends [2]int64
	for i := range ends {
		v := e.of(t.Args[i])
		if !v.isWhole() || !v.exact.Num().IsInt64() {
			refuse("the end of a sum is not known to be a whole number")
		}
		ends[i] = v.exact.Num().Int64()
	}
	from, to := ends[0], ends[1]
	if from <= to && uint64(to)-uint64(from) > mostTerms {
		refuse("a sum has too many terms")
	}
	outer := e.symbol
	defer func() { e.symbol = outer }()
	total := e.whole(0)
	for k := from; k <= to; k++ {
		e.symbol = func(name string) value {
			if name == t.Name {
				return e.whole(k)
			}
			return outer(name)
		}
		total = e.does("+", total, e.of(t.Args[2]))
	}
	return total
}

// verdict is what can be told of a relation: it holds, it fails, or neither is certain.
type verdict int

const (
	uncertain verdict = iota
	holds
	fails
)

// relate tells whether a relation holds between two numbers.
func relate(a value, relation string, b value) verdict {
	possible := "<=>"
	switch {
	case a.exact != nil && b.exact != nil:
		cmp := a.exact.Cmp(b.exact)
		possible = possible[1+cmp : 2+cmp]
	case a.around().Below(b.around()):
		possible = "<"
	case b.around().Below(a.around()):
		possible = ">"
	}
	allowed := map[string]string{"≤": "<=", "≥": "=>", "<": "<", ">": ">", "=": "="}[relation]
	switch {
	case allowed == "" || len(possible) > 1:
		return uncertain
	case strings.Contains(allowed, possible):
		return holds
	}
	return fails
}
