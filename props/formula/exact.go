package formula

import (
	"errors"
	"fmt"
	"math/big"

	"sledge/props/enclosure"
)

// Radical is a real root of a rational number with its sign: sgn(v)·|v|^(1/degree). Products,
// quotients, powers and comparisons of such numbers are exact, and so are sums of those whose
// quotient is rational. The zero Radical is the number 0.
type Radical struct {
	value  *big.Rat // nil is 0
	degree int      // 0 is 1
}

// Largest sizes that exact arithmetic deals with.
const (
	mostBits   = 1 << 16
	mostDegree = 64
)

var errSize = errors.New("the numbers are too large for exact arithmetic")

// fromRat returns a rational number as a Radical.
func fromRat(v *big.Rat) Radical { return Radical{v, 1} }

// Rat returns the number if it is rational.
func (a Radical) Rat() (v *big.Rat, rational bool) {
	if a.value == nil {
		return new(big.Rat), true
	}
	return a.value, a.degree == 1
}

// Sign returns the sign of the number.
func (a Radical) Sign() int {
	if a.value == nil {
		return 0
	}
	return a.value.Sign()
}

// String writes the number as a rational, or as a power of one.
func (a Radical) String() string {
	v, rational := a.Rat()
	switch {
	case rational:
		return v.RatString()
	case v.Sign() < 0:
		return fmt.Sprintf("-(%s)^{1/%d}", new(big.Rat).Neg(v).RatString(), a.degree)
	}
	return fmt.Sprintf("(%s)^{1/%d}", v.RatString(), a.degree)
}

// Enclose returns an interval around the number with end points of the given number of bits.
func (a Radical) Enclose(bits uint) enclosure.Interval {
	v, rational := a.Rat()
	if rational {
		return enclosure.Precise(v, bits)
	}
	if v.Sign() < 0 {
		return enclosure.Precise(new(big.Rat).Neg(v), bits).Root(a.degree).Neg()
	}
	return enclosure.Precise(v, bits).Root(a.degree)
}

func bitsOf(v *big.Rat) int { return max(v.Num().BitLen(), v.Denom().BitLen()) }

// raise returns v^k for k ≥ 0.
func raise(v *big.Rat, k int) (*big.Rat, error) {
	if k > mostBits || k*bitsOf(v) > mostBits {
		return nil, errSize
	}
	e, r := big.NewInt(int64(k)), new(big.Rat).Set(v)
	r.Num().Exp(v.Num(), e, nil)
	r.Denom().Exp(v.Denom(), e, nil) // powers have no common factors
	return r, nil
}

// radical returns sgn(v)·|v|^(1/degree) with the least degree.
func radical(v *big.Rat, degree int) Radical {
	if degree == 1 {
		return fromRat(v)
	}
	size := new(big.Rat).Abs(v)
	for k := 2; k <= degree; k++ {
		for degree%k == 0 {
			root, rational := enclosure.RationalRoot(size, k)
			if !rational {
				break
			}
			size, degree = root, degree/k
		}
	}
	if v.Sign() < 0 {
		size = size.Neg(size)
	}
	return Radical{size, degree}
}

// common returns the values of two numbers at one degree.
func common(a, b Radical) (x, y *big.Rat, degree int, err error) {
	x, _ = a.Rat()
	y, _ = b.Rat()
	da, db := max(a.degree, 1), max(b.degree, 1)
	if da == db {
		return x, y, da, nil
	}
	g := new(big.Int).GCD(nil, nil, big.NewInt(int64(da)), big.NewInt(int64(db))).Int64()
	if degree = da / int(g) * db; degree > mostDegree {
		return nil, nil, 0, errSize
	}
	signed := func(v *big.Rat, k int) *big.Rat {
		r, e := raise(v, k)
		if e != nil {
			err = e
			return v
		}
		if v.Sign() < 0 && r.Sign() > 0 {
			r.Neg(r)
		}
		return r
	}
	return signed(x, degree/da), signed(y, degree/db), degree, err
}

// Cmp compares two numbers. The error says that they are too large.
func (a Radical) Cmp(b Radical) (int, error) {
	if a.Sign() != b.Sign() {
		return a.Sign() - b.Sign(), nil
	}
	x, y, _, err := common(a, b)
	if err != nil {
		return 0, err
	}
	return x.Cmp(y), nil
}

func (a Radical) mul(b Radical) (Radical, error) {
	x, y, degree, err := common(a, b)
	if err != nil {
		return Radical{}, err
	}
	if bitsOf(x)+bitsOf(y) > mostBits {
		return Radical{}, errSize
	}
	return radical(new(big.Rat).Mul(x, y), degree), nil
}

func (a Radical) inv() (Radical, error) {
	if a.Sign() == 0 {
		return Radical{}, errors.New("division by 0")
	}
	return Radical{new(big.Rat).Inv(a.value), a.degree}, nil
}

func (a Radical) neg() Radical {
	if a.value == nil {
		return a
	}
	return Radical{new(big.Rat).Neg(a.value), a.degree}
}

func (a Radical) add(b Radical) (Radical, error) {
	x, rational := a.Rat()
	y, also := b.Rat()
	switch {
	case rational && also:
		return fromRat(new(big.Rat).Add(x, y)), nil
	case a.Sign() == 0:
		return b, nil
	case b.Sign() == 0:
		return a, nil
	}
	inverse, err := a.inv()
	if err != nil {
		return Radical{}, err
	}
	quotient, err := b.mul(inverse)
	if err != nil {
		return Radical{}, err
	}
	q, rational := quotient.Rat()
	if !rational {
		return Radical{}, fmt.Errorf("the sum of %v and %v is no root of a rational number", a, b)
	}
	return a.mul(fromRat(q.Add(new(big.Rat).Set(q), big.NewRat(1, 1))))
}

func (a Radical) pow(e *big.Rat) (Radical, error) {
	switch {
	case e.Sign() == 0:
		return fromRat(big.NewRat(1, 1)), nil
	case a.Sign() == 0 && e.Sign() > 0:
		return Radical{}, nil
	case a.Sign() < 0 && !e.IsInt():
		return Radical{}, errors.New("a root of a negative number")
	case !e.Num().IsInt64() || !e.Denom().IsInt64() || e.Denom().Int64() > mostDegree ||
		int(e.Denom().Int64())*max(a.degree, 1) > mostDegree:
		return Radical{}, errSize
	}
	k := e.Num().Int64()
	if k < 0 {
		var err error
		if a, err = a.inv(); err != nil {
			return a, err
		}
		k = -k
	}
	v, err := raise(a.value, int(min(k, mostBits+1)))
	if err != nil {
		return Radical{}, err
	}
	return radical(v, a.degree*int(e.Denom().Int64())), nil
}

// rounded returns the next whole number above or below.
func (a Radical) rounded(up bool) (Radical, error) {
	around := a.Enclose(enclosure.Precision)
	if v, rational := a.Rat(); rational {
		return fromRat(enclosure.Whole(v, up)), nil
	}
	lo, hi := enclosure.Whole(around.Lower(), up), enclosure.Whole(around.Upper(), up)
	if lo.Cmp(hi) != 0 {
		return Radical{}, errSize
	}
	return fromRat(lo), nil
}

// Exact returns the value of the formula for rational arguments, if it is a root of a rational
// number and if exact arithmetic gets there.
func (p *Program) Exact(arguments ...*big.Rat) (Radical, error) {
	in := make([]Radical, len(arguments))
	for i, a := range arguments {
		in[i] = fromRat(a)
	}
	out, err := p.exact(in)
	if err != nil {
		return Radical{}, fmt.Errorf("formula: %w", err)
	}
	return out, nil
}

func (p *Program) exact(arguments []Radical) (Radical, error) {
	if len(arguments) != len(p.arguments) {
		panic(fmt.Sprintf("formula: %d arguments for %v", len(arguments), p.arguments))
	}
	r := make([]Radical, max(p.registers, len(arguments)+len(p.constants)))
	copy(r, arguments)
	for i, c := range p.rationals {
		r[len(arguments)+i] = fromRat(c)
	}
	if err := p.exactly(p.code, r); err != nil {
		return Radical{}, err
	}
	return r[p.result], nil
}

func (p *Program) exactly(code []instruction, r []Radical) error {
	for i := range code {
		in := &code[i]
		a, b := r[in.a], r[in.b]
		var err error
		switch in.op {
		case add:
			a, err = a.add(b)
		case subtract:
			a, err = a.add(b.neg())
		case negate:
			a = a.neg()
		case multiply:
			a, err = a.mul(b)
		case divide:
			if b, err = b.inv(); err == nil {
				a, err = a.mul(b)
			}
		case power:
			e, rational := b.Rat()
			if !rational {
				return fmt.Errorf("the exponent %v is not rational", b)
			}
			a, err = a.pow(e)
		case smallest, largest:
			var c int
			if c, err = a.Cmp(b); c > 0 == (in.op == smallest) && c != 0 {
				a = b
			}
		case root:
			a, err = a.pow(big.NewRat(1, 2))
		case logarithm:
			if v, rational := a.Rat(); !rational || v.Cmp(big.NewRat(1, 1)) != 0 {
				return fmt.Errorf("the logarithm of %v is not rational", a)
			}
			a = Radical{}
		case exponential:
			if a.Sign() != 0 {
				return fmt.Errorf("the exponential of %v is not rational", a)
			}
			a = fromRat(big.NewRat(1, 1))
		case ceiling, floor:
			a, err = a.rounded(in.op == ceiling)
		case absolute:
			if a.Sign() < 0 {
				a = a.neg()
			}
		case sum:
			from, to, e := ends(a, b, in.less)
			if e != nil {
				return e
			}
			total := Radical{}
			for k := from; k <= to && err == nil; k++ {
				r[in.dst] = fromRat(new(big.Rat).SetInt64(k))
				if err = p.exactly(in.body, r); err == nil {
					total, err = total.add(r[in.whole])
				}
				if v := total.value; v != nil && v.Denom().BitLen() > mostShared {
					err = errSize
				}
			}
			if err != nil {
				return err
			}
			r[in.dst+1] = total
			continue
		}
		if err != nil {
			return err
		}
		r[in.dst] = a
	}
	return nil
}

// mostExact limits the sums that are computed term by term other than in floating point.
const mostExact = 10_000

// mostShared limits the bits of the denominators of such sums, which make their terms dear: what has
// more is left to intervals.
const mostShared = 1 << 12

// ends returns the indices between which a sum runs, one of so many that stand in each other. As in
// floating point it goes up from a in steps of 1, which is to be a whole number.
func ends(a, b Radical, nested uint16) (from, to int64, err error) {
	first, rational := a.Rat()
	if b, err = b.rounded(false); err != nil {
		return 0, 0, err
	}
	last, _ := b.Rat()
	if !rational || !first.IsInt() || !first.Num().IsInt64() || !last.Num().IsInt64() ||
		last.Num().Int64()-first.Num().Int64() > int64(share(mostExact, nested)) {
		return 0, 0, fmt.Errorf("the sum from %v to %v is not computed exactly", a, b)
	}
	return first.Num().Int64(), last.Num().Int64(), nil
}

// Enclose returns an interval that contains the value of the formula for all arguments in the given
// intervals, computed with as many bits as they have. The error says that the formula may be
// undefined somewhere in them.
func (p *Program) Enclose(arguments ...enclosure.Interval) (enclosure.Interval, error) {
	bits := uint(enclosure.Precision)
	for _, a := range arguments {
		bits = max(bits, a.Bits())
	}
	out, err := p.enclose(arguments, bits)
	if err != nil {
		return out, fmt.Errorf("formula: %w", err)
	}
	return out, nil
}

func (p *Program) enclose(arguments []enclosure.Interval, bits uint) (out enclosure.Interval,
	err error) {
	defer func() {
		if r := recover(); r == enclosure.ErrSize {
			err = errSize
		} else if r != nil {
			panic(r)
		}
	}()
	if len(arguments) != len(p.arguments) {
		panic(fmt.Sprintf("formula: %d arguments for %v", len(arguments), p.arguments))
	}
	r := make([]enclosure.Interval, max(p.registers, len(arguments)+len(p.constants)))
	copy(r, arguments)
	for i, c := range p.rationals {
		r[len(arguments)+i] = enclosure.Precise(c, bits)
	}
	if err := p.enclosed(p.code, r); err != nil {
		return enclosure.Interval{}, err
	}
	return r[p.result], nil
}

// mostExponent is the largest argument of an exponential that intervals deal with.
const mostExponent = 1 << 28

func (p *Program) enclosed(code []instruction, r []enclosure.Interval) error {
	for i := range code {
		in := &code[i]
		a, b := r[in.a], r[in.b]
		switch in.op {
		case add:
			a = a.Add(b)
		case subtract:
			a = a.Sub(b)
		case negate:
			a = a.Neg()
		case multiply:
			a = a.Mul(b)
		case divide:
			if b.Sign() == 0 {
				return errors.New("the divisor may be 0")
			}
			a = a.Quo(b)
		case power:
			e, constant := p.rational(in.b)
			if !constant && b.Point() {
				e, constant = b.Lower(), true
			}
			var err error
			if a, err = enclosePower(a, b, e); err != nil {
				return err
			}
		case smallest:
			a = a.Min(b)
		case largest:
			a = a.Max(b)
		case root:
			if a.LeastSign() < 0 {
				return errors.New("the root of a negative number")
			}
			a = a.Sqrt()
		case logarithm:
			if a.Sign() <= 0 {
				return errors.New("the logarithm of a number that may not be positive")
			}
			a = a.Log()
		case exponential:
			if _, most := a.Float64(); most > mostExponent {
				return errSize
			}
			a = a.Exp()
		case ceiling, floor:
			a = a.Whole(in.op == ceiling)
		case absolute:
			a = a.Max(a.Neg())
			if a.LeastSign() < 0 {
				a = a.Max(enclosure.Interval{})
			}
		case sum:
			if !a.Point() || !b.Whole(false).Point() {
				return errors.New("the ends of a sum are not certain")
			}
			from, to, err := ends(fromRat(a.Lower()), fromRat(b.Lower()), in.less)
			if err != nil {
				return err
			}
			total := enclosure.Interval{}
			for k := from; k <= to; k++ {
				r[in.dst] = enclosure.Precise(new(big.Rat).SetInt64(k), max(a.Bits(), b.Bits()))
				if err := p.enclosed(in.body, r); err != nil {
					return err
				}
				total = total.Add(r[in.whole])
			}
			r[in.dst+1] = total
			continue
		}
		r[in.dst] = a
	}
	return nil
}

// enclosePower returns a^b, by roots where the exponent e is known and has a small denominator.
func enclosePower(a, b enclosure.Interval, e *big.Rat) (enclosure.Interval, error) {
	if e != nil && e.Num().IsInt64() && e.Denom().IsInt64() && e.Denom().Int64() <= mostDegree &&
		e.Num().CmpAbs(big.NewInt(mostBits)) <= 0 {
		k, degree := e.Num().Int64(), int(e.Denom().Int64())
		switch {
		case k < 0 && a.Sign() == 0:
			return a, errors.New("the divisor may be 0")
		case degree > 1 && a.LeastSign() < 0:
			return a, errors.New("the root of a negative number")
		case degree == 1 && k%2 == 0: // the square of what may be of either sign is not negative
			if a = a.Max(a.Neg()); a.LeastSign() < 0 {
				a = a.Max(enclosure.Interval{})
			}
		}
		if degree > 1 {
			a = a.Root(degree)
		}
		if k < 0 {
			return a.Pow(int(-k)).Inv(), nil
		}
		return a.Pow(int(k)), nil
	}
	if a.Sign() <= 0 {
		return a, errors.New("a power of a number that may not be positive")
	}
	product := a.Log().Mul(b)
	if _, most := product.Float64(); most > mostExponent {
		return a, errSize
	}
	return product.Exp(), nil
}
