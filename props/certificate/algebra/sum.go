// Package algebra computes with formulas exactly: sums of terms with rational powers, quotients of
// them by what is certainly positive, and the facts that are known of them. It is what certificates
// of the kind "coefficients" are made of, and what the checker follows them with.
package algebra

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"sledge/props/enclosure"
	"sledge/props/formula"
)

// Sign is what is known of a generator.
type Sign uint8

// The signs.
const (
	Free Sign = iota
	Nonnegative
	Positive
)

// unit is how many parts a whole exponent has: powers with denominators that divide it are exact.
const unit = 60

// Limits of what is computed.
const (
	mostTerms     = 4000
	mostExponent  = 400 * unit
	largestFactor = 1 << 20 // of numbers under roots
)

var errSize = errors.New("too many terms")

// refusal is the panic of what cannot be computed, or is not known to be defined. It does not leave
// the package.
type refusal struct{ error }

func refuse(format string, args ...any) { panic(refusal{fmt.Errorf(format, args...)}) }

// result returns what a function computes, and the error if it refuses.
func result[T any](compute func() T) (x T, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case refusal:
			err = r.error
		default:
			panic(r)
		}
	}()
	return compute(), nil
}

// attempt reports whether a function does not refuse.
func attempt(do func()) bool {
	_, err := result(func() any { do(); return nil })
	return err == nil
}

// generator is what terms are products of: a symbol, the value of a function, or a prime number
// under a root.
type generator struct {
	name  string
	sign  Sign
	prime int64         // 0 if it is none
	of    *formula.Tree // the function whose value it is, if there is one
}

// ring is the generators that sums are over. Signs may only grow.
type ring struct {
	generators []generator
	products   int // of terms, made so far
	most       int // of them, if not 0
}

// ErrEffort is the panic of a theory that has made as many products of terms as it may.
var ErrEffort = errors.New("the effort is spent")

// Term is a coefficient times powers of generators, in parts of a whole exponent.
type Term struct {
	Powers []int // without zeros at the end
	C      *big.Rat
}

// Sum is a sum of terms with different powers. Sums are values: operations return new ones.
type Sum map[string]Term

func key(powers []int) string {
	b := make([]byte, 0, 2*len(powers))
	for _, p := range powers {
		b = binary.AppendVarint(b, int64(p))
	}
	return string(b)
}

func trimmed(powers []int) []int {
	for len(powers) > 0 && powers[len(powers)-1] == 0 {
		powers = powers[:len(powers)-1]
	}
	return powers
}

func (s Sum) put(t Term) {
	k := key(t.Powers)
	if was, ok := s[k]; ok {
		t.C = new(big.Rat).Add(was.C, t.C)
	}
	if t.C.Sign() == 0 {
		delete(s, k)
		return
	}
	s[k] = t
}

func number(x *big.Rat) Sum {
	s := Sum{}
	s.put(Term{nil, x})
	return s
}

func (s Sum) add(t Sum, factor *big.Rat) Sum {
	out := make(Sum, len(s)+len(t))
	for k, v := range s {
		out[k] = v
	}
	for _, v := range t {
		out.put(Term{v.Powers, new(big.Rat).Mul(v.C, factor)})
	}
	return out
}

func (s Sum) negative() Sum { return s.add(s, big.NewRat(-2, 1)) }

// times multiplies terms. Of a prime, whole powers go to the coefficient.
func (r *ring) times(a, b Term) Term {
	if r.products++; r.most > 0 && r.products > r.most {
		panic(ErrEffort)
	}
	long, short := a.Powers, b.Powers
	if len(long) < len(short) {
		long, short = short, long
	}
	p := slices.Clone(long)
	c := new(big.Rat).Mul(a.C, b.C)
	for i, e := range short {
		p[i] += e
	}
	for i, e := range p {
		if q := r.generators[i].prime; q != 0 && (e < 0 || e >= unit) {
			whole := e / unit
			if e%unit < 0 {
				whole--
			}
			p[i] -= whole * unit
			f := new(big.Rat).SetInt(new(big.Int).Exp(big.NewInt(q),
				big.NewInt(int64(max(whole, -whole))), nil))
			if whole < 0 {
				f.Inv(f)
			}
			c.Mul(c, f)
		}
	}
	return Term{trimmed(p), c}
}

func (r *ring) mul(a, b Sum) Sum {
	out := Sum{}
	if len(a)*len(b) > 16*mostTerms {
		panic(refusal{errSize})
	}
	for _, x := range a {
		for _, y := range b {
			out.put(r.times(x, y))
		}
	}
	if len(out) > mostTerms {
		panic(refusal{errSize})
	}
	return out
}

func (r *ring) power(a Sum, k int) Sum {
	p := number(big.NewRat(1, 1))
	for range k {
		p = r.mul(p, a)
	}
	return p
}

// raised returns a term to a rational power, in parts; its coefficient must be positive.
func (r *ring) raised(t Term, e int) Term {
	if t.C.Sign() <= 0 {
		refuse("a root of what may be negative")
	}
	out := Term{nil, big.NewRat(1, 1)}
	if e%unit == 0 && t.C.Num().BitLen()+t.C.Denom().BitLen() < 256 && max(e, -e) <= mostExponent {
		k := big.NewInt(int64(max(e, -e) / unit))
		out.C = new(big.Rat).SetFrac(new(big.Int).Exp(t.C.Num(), k, nil),
			new(big.Int).Exp(t.C.Denom(), k, nil))
		if e < 0 {
			out.C.Inv(out.C)
		}
	} else {
		for i, part := range []*big.Int{t.C.Num(), t.C.Denom()} {
			for _, q := range factorised(part) {
				p := make([]int, r.prime(q)+1)
				if p[len(p)-1] = e; i == 1 {
					p[len(p)-1] = -e
				}
				out = r.times(out, Term{p, big.NewRat(1, 1)})
			}
		}
	}
	p := make([]int, len(t.Powers))
	for i, was := range t.Powers {
		if was == 0 {
			continue
		}
		g := r.generators[i]
		if was*e%unit != 0 || max(was, -was) > mostExponent || max(e, -e) > mostExponent {
			refuse("the exponent %d/%d of an exponent %d/%d", e, unit, was, unit)
		}
		p[i] = was * e / unit
		switch {
		case g.sign == Free && e%unit != 0:
			refuse("a root of %s, of which no sign is known", g.name)
		case p[i] < 0 && g.sign != Positive:
			refuse("a quotient by %s, which may be 0", g.name)
		}
	}
	return r.times(out, Term{trimmed(p), big.NewRat(1, 1)})
}

func factorised(n *big.Int) (out []int64) {
	if !n.IsInt64() {
		refuse("a root of a large number")
	}
	m := n.Int64()
	for q := int64(2); q*q <= m; q++ {
		for m%q == 0 {
			out = append(out, q)
			m /= q
		}
		if q > largestFactor {
			refuse("a root of a large number")
		}
	}
	if m > 1 {
		out = append(out, m)
	}
	return out
}

func (r *ring) prime(q int64) int {
	k := slices.IndexFunc(r.generators, func(g generator) bool { return g.prime == q })
	if k < 0 {
		r.generators = append(r.generators,
			generator{name: fmt.Sprint(q), sign: Positive, prime: q})
		k = len(r.generators) - 1
	}
	return k
}

// evident says what the coefficients and the signs of generators show: that the sum is nowhere
// negative, and positive.
func (r *ring) evident(s Sum) (nonnegative, positive bool) {
	groups := map[string][]Term{} // by their powers apart from primes
	for _, t := range s {
		p := slices.Clone(t.Powers)
		for i := range p {
			if r.generators[i].prime != 0 {
				p[i] = 0
			}
		}
		k := key(trimmed(p))
		groups[k] = append(groups[k], t)
	}
	for _, g := range groups {
		if !r.coefficient(g) {
			return false, false
		}
		all := true
		for i, e := range g[0].Powers {
			switch sign := r.generators[i].sign; {
			case e == 0 || sign == Positive:
			case sign == Nonnegative:
				all = false
			case e%(2*unit) != 0:
				return false, false
			default:
				all = false
			}
		}
		positive = positive || all
	}
	return true, positive
}

// coefficient reports whether terms that differ in roots of primes alone add up to a positive
// coefficient.
func (r *ring) coefficient(terms []Term) bool {
	if !slices.ContainsFunc(terms, func(t Term) bool { return t.C.Sign() < 0 }) {
		return true
	}
	if len(terms) == 1 {
		return false
	}
	total := enclosure.Int(0)
	for _, t := range terms {
		x := enclosure.Rat(t.C)
		for i, e := range t.Powers {
			if q := r.generators[i].prime; q != 0 && e != 0 {
				x = x.Mul(enclosure.Int(q).Pow(e).Root(unit))
			}
		}
		total = total.Add(x)
	}
	return total.Sign() > 0
}

// primitive divides a sum by what is certainly positive: powers of positive generators, and the
// size of a coefficient.
func (r *ring) primitive(s Sum) (content Term, rest Sum) {
	content = Term{nil, big.NewRat(1, 1)}
	var keys []string
	var least []int
	first := true
	for k, t := range s {
		keys = append(keys, k)
		p := slices.Clone(t.Powers)
		for len(p) < len(r.generators) {
			p = append(p, 0)
		}
		if first {
			least, first = p, false
		}
		for i := range least {
			least[i] = min(least[i], p[i])
		}
	}
	if len(keys) == 0 {
		return content, s
	}
	for i := range least {
		if g := r.generators[i]; g.sign != Positive || g.prime != 0 {
			least[i] = 0
		}
	}
	slices.Sort(keys)
	content.Powers = trimmed(least)
	lead := slices.MinFunc(keys, strings.Compare)
	content.C = new(big.Rat).Abs(s[lead].C)
	inverse := Term{make([]int, len(content.Powers)), new(big.Rat).Inv(content.C)}
	for i, e := range content.Powers {
		inverse.Powers[i] = -e
	}
	rest = make(Sum, len(s))
	for _, t := range s {
		rest.put(r.times(t, inverse))
	}
	return content, rest
}

// name is the same for equal sums, and differs for others if both are primitive: a negative
// exponent could read as the sign between two terms.
func (s Sum) name() string {
	var parts []string
	for k, t := range s {
		parts = append(parts, t.C.RatString()+"*"+k)
	}
	slices.Sort(parts)
	return strings.Join(parts, "+")
}
