package algebra

import (
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"
)

// Fraction is a sum times powers of factors, which are positive sums that are no terms. Fractions
// are values.
type Fraction struct {
	Sum     Sum
	factors map[string]factor
}

type factor struct {
	sum   Sum
	power int // in parts of a whole exponent
}

func whole(x *big.Rat) Fraction { return Fraction{Sum: number(x)} }

func (r *ring) monomial(generator, power int) Fraction {
	p := make([]int, generator+1)
	p[generator] = power
	return Fraction{Sum: Sum{key(p): Term{p, big.NewRat(1, 1)}}}
}

// spread multiplies the sum by factors raised to what they exceed the given powers by.
func (t *Theory) spread(a Fraction, least map[string]factor) Sum {
	s := a.Sum
	for k, f := range least {
		extra := a.factors[k].power - f.power
		if extra%unit != 0 || extra < 0 {
			refuse("a sum with a root of a sum")
		}
		s = t.ring.mul(s, t.ring.power(f.sum, extra/unit))
	}
	return s
}

func (t *Theory) add(a, b Fraction, sign int64) Fraction {
	if len(a.Sum) == 0 && sign > 0 {
		return b
	}
	if len(b.Sum) == 0 {
		return a
	}
	least := map[string]factor{}
	for _, x := range []Fraction{a, b} {
		for k, f := range x.factors {
			f.power = min(a.factors[k].power, b.factors[k].power)
			least[k] = f
		}
	}
	out := Fraction{t.spread(a, least).add(t.spread(b, least), big.NewRat(sign, 1)), least}
	for k, f := range least {
		if f.power == 0 {
			delete(least, k)
		}
	}
	if len(out.Sum) > mostTerms {
		panic(refusal{errSize})
	}
	return out
}

// minus returns a − b, and shifted a ± 1.
func (t *Theory) minus(a, b Fraction) Fraction { return t.add(a, b, -1) }

func (t *Theory) shifted(a Fraction, by int64) Fraction {
	return t.add(a, whole(big.NewRat(1, 1)), by)
}

func (t *Theory) opposite(a Fraction) Fraction { return t.minus(Fraction{Sum: Sum{}}, a) }

func (t *Theory) inverse(a Fraction) Fraction { return t.pow(a, big.NewRat(-1, 1)) }

func (t *Theory) mul(a, b Fraction) Fraction {
	a, b = t.cancelled(a, b), t.cancelled(b, a)
	out := Fraction{t.ring.mul(a.Sum, b.Sum), map[string]factor{}}
	for _, x := range []Fraction{a, b} {
		for k, f := range x.factors {
			if f.power += out.factors[k].power; f.power == 0 {
				delete(out.factors, k)
				continue
			}
			out.factors[k] = f
		}
	}
	return out
}

// cancelled makes a factor of the sum of a fraction by which another one divides.
func (t *Theory) cancelled(a, b Fraction) Fraction {
	if len(a.Sum) < 2 || len(b.factors) == 0 {
		return a
	}
	content, rest := t.ring.primitive(a.Sum)
	k := rest.name()
	f, ok := b.factors[k]
	if !ok || f.power > -unit {
		return a
	}
	factors := maps.Clone(a.factors)
	if factors == nil {
		factors = map[string]factor{}
	}
	f.power = a.factors[k].power + unit
	factors[k] = f
	return Fraction{Sum{key(content.Powers): content}, factors}
}

// factored makes a factor of the sum unless it is a single term; the sum must be positive.
func (t *Theory) factored(a Fraction) (Term, map[string]factor) {
	if len(a.Sum) == 1 {
		for _, x := range a.Sum {
			return x, a.factors
		}
	}
	if !t.Positive(a) {
		refuse("%s is not known to be positive", t.Write(Fraction{Sum: a.Sum}))
	}
	content, rest := t.ring.primitive(a.Sum)
	factors := map[string]factor{}
	maps.Copy(factors, a.factors)
	k := rest.name()
	f := factor{rest, unit + factors[k].power}
	if factors[k] = f; f.power == 0 {
		delete(factors, k)
	}
	return content, factors
}

// pow returns a rational power.
func (t *Theory) pow(a Fraction, e *big.Rat) Fraction {
	parts := new(big.Rat).Mul(e, big.NewRat(unit, 1))
	if !parts.IsInt() || !parts.Num().IsInt64() ||
		max(parts.Num().Int64(), -parts.Num().Int64()) > mostExponent {
		refuse("the exponent %s", e.RatString())
	}
	k := int(parts.Num().Int64())
	out := Fraction{Sum{}, map[string]factor{}}
	switch {
	case k == 0:
		return whole(big.NewRat(1, 1))
	case len(a.Sum) == 0 && k > 0:
		return a
	case len(a.Sum) == 0:
		refuse("a quotient by 0")
	case k > 0 && k%unit == 0:
		out.Sum = t.ring.power(a.Sum, k/unit)
		for name, f := range a.factors {
			f.power *= k / unit
			out.factors[name] = f
		}
		return out
	}
	if minus := (Fraction{a.Sum.negative(), a.factors}); k == -unit && !t.Positive(a) &&
		t.Positive(minus) {
		out = t.pow(minus, e)
		return Fraction{out.Sum.negative(), out.factors}
	}
	if k < 0 && !t.Positive(a) && !t.asked(a, true) {
		refuse("a quotient by %s, which may be 0", t.Write(Fraction{Sum: a.Sum}))
	}
	if len(a.Sum) > 1 && !t.Positive(a) && !t.asked(a, true) && k > 0 && 2*k%unit == 0 &&
		len(a.factors) == 0 && (t.Nonnegative(a) || t.asked(a, false)) {
		return t.root(a, 2*k/unit)
	}
	content, factors := t.factored(a)
	content = t.ring.raised(content, k)
	out.Sum[key(content.Powers)] = content
	for name, f := range factors {
		if f.power*k%unit != 0 {
			refuse("a root of a root of a sum")
		}
		f.power = f.power * k / unit
		out.factors[name] = f
	}
	return out
}

// root returns a power of the square root of a sum that may be 0, as a generator whose square it
// is.
func (t *Theory) root(a Fraction, times int) Fraction {
	id := "root;" + a.name()
	v, ok := t.atoms[id]
	if !ok {
		v = t.ring.monomial(len(t.ring.generators), unit)
		text := "√(" + t.Write(a) + ")"
		t.ring.generators = append(t.ring.generators, generator{name: text, sign: Nonnegative})
		t.atoms[id] = v
		square := t.ring.monomial(len(t.ring.generators)-1, 2*unit)
		t.learn(Fact{Label: "above " + text, Lesser: square, Greater: a})
		t.learn(Fact{Label: "below " + text, Lesser: a, Greater: square})
	}
	return t.pow(v, big.NewRat(int64(times), 1))
}

// Nonnegative reports whether a fraction is evidently not negative, or known not to be.
func (t *Theory) Nonnegative(a Fraction) bool {
	if nonnegative, _ := t.ring.evident(a.Sum); nonnegative {
		return true
	}
	_, rest := t.ring.primitive(a.Sum)
	_, known := t.known[rest.name()]
	return known
}

// Positive reports whether a fraction is evidently positive, or known to be.
func (t *Theory) Positive(a Fraction) bool {
	if _, positive := t.ring.evident(a.Sum); positive {
		return true
	}
	_, rest := t.ring.primitive(a.Sum)
	return t.known[rest.name()]
}

// Constant returns the value of a fraction that is a rational number.
func (a Fraction) Constant() (*big.Rat, bool) {
	if len(a.Sum) == 0 {
		return new(big.Rat), true
	}
	x, ok := a.Sum[""]
	return x.C, ok && len(a.Sum) == 1 && len(a.factors) == 0
}

// name is the same for fractions of equal sums and factors, and for no others.
func (a Fraction) name() string {
	var parts []string
	for k, t := range a.Sum {
		parts = append(parts, fmt.Sprintf("%s·%x", t.C.RatString(), k))
	}
	for k, f := range a.factors {
		parts = append(parts, fmt.Sprintf("(%x)^%d", k, f.power))
	}
	slices.Sort(parts)
	return strings.Join(parts, "+")
}

func power(text string, e int) string {
	if e == unit {
		return text
	}
	return "(" + text + ")^{" + big.NewRat(int64(e), unit).RatString() + "}"
}

func (r *ring) writeTerm(t Term) string {
	parts := []string{}
	if size := new(big.Rat).Abs(t.C); size.Cmp(big.NewRat(1, 1)) != 0 || len(t.Powers) == 0 {
		text := size.Num().String()
		if !size.IsInt() {
			text = "(" + text + "/" + size.Denom().String() + ")"
		}
		parts = append(parts, text)
	}
	for i, e := range t.Powers {
		if e != 0 {
			parts = append(parts, power(r.generators[i].name, e))
		}
	}
	return strings.Join(parts, "·")
}

func (r *ring) writeSum(s Sum) string {
	var keys []string
	for k := range s {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b string) int { // positive terms first
		if d := s[b].C.Sign() - s[a].C.Sign(); d != 0 {
			return d
		}
		return strings.Compare(a, b)
	})
	text := ""
	for _, k := range keys {
		switch {
		case s[k].C.Sign() < 0:
			text += " − "
		case text != "":
			text += " + "
		}
		text += r.writeTerm(s[k])
	}
	if text == "" {
		return "0"
	}
	return strings.TrimSpace(text)
}

// Write returns the fraction as a formula that reads as the same fraction.
func (t *Theory) Write(a Fraction) string {
	if len(a.factors) == 0 {
		return t.ring.writeSum(a.Sum)
	}
	text := "(" + t.ring.writeSum(a.Sum) + ")"
	for _, k := range slices.Sorted(maps.Keys(a.factors)) {
		f := a.factors[k]
		text += "·" + power("("+t.ring.writeSum(f.sum)+")", f.power)
	}
	return text
}
