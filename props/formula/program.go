package formula

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Program is a formula as a function of some of its symbols, in the order in which they were named.
// It computes by instructions on registers, in which the arguments come first, then the constants,
// then what is computed. A Program is not changed by its use and may be shared.
type Program struct {
	arguments []string
	rationals []*big.Rat
	constants []float64
	code      []instruction
	registers int
	result    uint16
}

type instruction struct {
	op        operation
	dst, a, b uint16
	// the exponent of a power, if it is a whole number of moderate size other than 0
	whole int32
	// of a power of 1 − u, whose digits below those of 1 count where the exponent is large
	below bool
	less  uint16 // then the register of u; of a sum, how deep sums are nested there
	// of a sum over dst = a … b, which adds up register whole in the register after dst
	body []instruction
}

// mostTerms limits the sums that are computed term by term, all those together that stand in each
// other.
const mostTerms = 1_000_000

// compile makes a program of a formula all of whose symbols are among the arguments.
func compile(n *node, arguments []string) *Program {
	p := &Program{arguments: slices.Clone(arguments)}
	c := compiler{p: p, names: slices.Clone(arguments), exponents: map[*node]*big.Rat{}}
	c.gather(n)
	for _, r := range p.rationals {
		f, _ := r.Float64()
		p.constants = append(p.constants, f)
	}
	c.next = len(arguments) + len(p.constants)
	c.slots = make([]uint16, len(arguments))
	for i := range c.slots {
		c.slots[i] = uint16(i)
	}
	p.result = c.emit(&p.code, n)
	return p
}

// gather collects the constants, and those exponents that are constant.
func (c *compiler) gather(n *node) {
	switch {
	case n.op == number:
		c.keep(n.value)
		return
	case n.op == power:
		if e, ok := n.args[1].constant(); ok {
			c.keep(e)
			c.exponents[n] = e
			c.gather(n.args[0])
			return
		}
	}
	for _, a := range n.args {
		c.gather(a)
	}
}

func (c *compiler) keep(v *big.Rat) {
	if c.p.find(v) < 0 {
		c.p.rationals = append(c.p.rationals, v)
	}
}

func (p *Program) find(v *big.Rat) int {
	return slices.IndexFunc(p.rationals, func(r *big.Rat) bool { return r.Cmp(v) == 0 })
}

// rational returns the constant in a register.
func (p *Program) rational(register uint16) (*big.Rat, bool) {
	if k := int(register) - len(p.arguments); k >= 0 && k < len(p.rationals) {
		return p.rationals[k], true
	}
	return nil, false
}

type compiler struct {
	p         *Program
	names     []string // of registers that have one
	slots     []uint16
	next      int // the first free register
	exponents map[*node]*big.Rat
	nested    int // of the sums that are being emitted
}

// reserve returns a fresh register. Registers above it are free again once its value has been used.
func (c *compiler) reserve() uint16 {
	c.next++
	c.p.registers = max(c.p.registers, c.next)
	if c.next > math.MaxUint16 {
		panic("formula: too many registers")
	}
	return uint16(c.next - 1)
}

func (c *compiler) constant(v *big.Rat) uint16 { return uint16(len(c.p.arguments) + c.p.find(v)) }

// emit appends the instructions that compute n, and returns the register that they leave it in.
func (c *compiler) emit(code *[]instruction, n *node) uint16 {
	c.p.registers = max(c.p.registers, c.next)
	free := c.next
	in := instruction{op: n.op}
	switch n.op {
	case number:
		return c.constant(n.value)
	case symbol:
		k := len(c.names) - 1
		for ; k >= 0 && c.names[k] != n.name; k-- {
		}
		if k < 0 {
			panic(fmt.Sprintf("formula: %s is not among the arguments %v", n.name, c.names))
		}
		return c.slots[k]
	case sum:
		in.a, in.b = c.emit(code, n.args[0]), c.emit(code, n.args[1])
		in.dst = c.reserve()
		total := c.reserve()
		c.names, c.slots = append(c.names, n.name), append(c.slots, in.dst)
		outermost := c.nested == 0
		if outermost {
			c.nested = n.nested()
		}
		in.less = uint16(c.nested)
		in.whole = int32(c.emit(&in.body, n.args[2]))
		if outermost {
			c.nested = 0
		}
		c.names, c.slots = c.names[:len(c.names)-1], c.slots[:len(c.slots)-1]
		*code = append(*code, in)
		return total
	case power:
		if base := n.args[0]; base.op == subtract && base.args[0].op == number &&
			base.args[0].value.Cmp(unit) == 0 {
			in.below, in.less = true, c.emit(code, base.args[1])
			in.a = c.reserve()
			*code = append(*code, instruction{op: subtract, dst: in.a, a: c.constant(unit),
				b: in.less})
		} else {
			in.a = c.emit(code, base)
		}
		if v := c.exponents[n]; v != nil {
			in.b = c.constant(v)
			if v.IsInt() && v.Num().IsInt64() && v.Sign() != 0 &&
				math.Abs(float64(v.Num().Int64())) <= 64 {
				in.whole = int32(v.Num().Int64())
			}
		} else {
			in.b = c.emit(code, n.args[1])
		}
	default:
		in.a = c.emit(code, n.args[0])
		for i, a := range n.args[1:] {
			if i > 0 { // a further entry of a minimum or maximum
				in.dst = c.reserve()
				*code = append(*code, in)
				in.a = in.dst
			}
			in.b = c.emit(code, a)
		}
	}
	c.next = free
	in.dst = c.reserve()
	*code = append(*code, in)
	return in.dst
}

// onStack is how many registers do without an allocation.
const onStack = 48

// At returns the value of the formula in floating point, for arguments in the order of
// [Formula.Of]; it panics if their number is another one. What is not defined, such as 0/0 or the
// logarithm of −1, is NaN or infinite as in package math, and so is a sum of more than a million
// terms.
func (p *Program) At(arguments ...float64) float64 {
	if len(arguments) != len(p.arguments) {
		panic(fmt.Sprintf("formula: %d arguments for %v", len(arguments), p.arguments))
	}
	var stack [onStack]float64
	r := stack[:]
	if p.registers > onStack {
		r = make([]float64, p.registers)
	}
	copy(r, arguments)
	copy(r[len(arguments):], p.constants)
	run(p.code, r)
	return r[p.result]
}

func run(code []instruction, r []float64) {
	for i := range code {
		in := &code[i]
		a := r[in.a]
		switch in.op {
		case add:
			a += r[in.b]
		case subtract:
			a -= r[in.b]
		case negate:
			a = -a
		case multiply:
			a *= r[in.b]
		case divide:
			a /= r[in.b]
		case power:
			switch u := r[in.less]; {
			case in.whole != 0:
				a = wholePower(a, in.whole)
			case in.below && math.Abs(u) < 0.5: // 1 − u has lost digits of u
				a = math.Exp(r[in.b] * math.Log1p(-u))
			default:
				a = math.Pow(a, r[in.b])
			}
		case smallest:
			a = min(a, r[in.b])
		case largest:
			a = max(a, r[in.b])
		case root:
			a = math.Sqrt(a)
		case logarithm:
			a = math.Log(a)
		case exponential:
			a = math.Exp(a)
		case ceiling:
			a = math.Ceil(a)
		case floor:
			a = math.Floor(a)
		case absolute:
			a = math.Abs(a)
		case sum:
			r[in.dst+1] = series(in, r, a, r[in.b])
			continue
		}
		r[in.dst] = a
	}
}

func series(in *instruction, r []float64, from, to float64) float64 {
	if !(to-from < share(mostTerms, in.less) && math.Abs(from) <= mostTerms*mostTerms) {
		return math.NaN()
	}
	total := 0.0
	for k := from; k <= to; k++ {
		r[in.dst] = k
		run(in.body, r)
		total += r[in.whole]
	}
	return total
}

// share is what each of some sums that stand in each other may have of a number of terms.
func share(most float64, nested uint16) float64 {
	if nested <= 1 {
		return most
	}
	return math.Floor(math.Pow(most, 1/float64(nested)))
}

var unit = big.NewRat(1, 1)

// wholePower computes as math.Pow does.
func wholePower(x float64, k int32) float64 {
	y, e := 1.0, k
	if e < 0 {
		e = -e
	}
	for ; e > 0; e >>= 1 {
		if e&1 == 1 {
			y *= x
		}
		x *= x
	}
	if k < 0 {
		return 1 / y
	}
	return y
}
