package algebra

import (
	"math/big"
	"slices"

	"sledge/props/certificate"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// Reader reads formulas of a proof.
type Reader func(text string) (*formula.Tree, error)

// Gap returns what a use of facts shows not to be negative, with its multiplier.
func (t *Theory) gap(u certificate.Use, read Reader) (g Fraction, strict bool) {
	times, err := read(u.Times)
	if err != nil {
		panic(refusal{err})
	}
	if g = t.of(times); !t.nonnegative(times) {
		refuse("the multiplier %s may be negative", u.Times)
	}
	e := big.NewRat(1, 1)
	if u.Power != "" {
		if _, ok := e.SetString(u.Power); !ok || e.Sign() <= 0 {
			refuse("%q is no positive power", u.Power)
		}
	}
	if len(u.Facts) == 0 {
		refuse("no fact is used")
	}
	strict = t.Positive(g)
	for _, label := range u.Facts {
		f := t.fact(label)
		strict = strict && f.Strict
		g = t.mul(g, t.exceeds(f, e))
	}
	return g, strict
}

// nonnegative reports whether a formula is not negative, as its value shows or its parts do.
func (t *Theory) nonnegative(n *formula.Tree) bool {
	if v, err := t.Of(n); err == nil && t.Nonnegative(v) {
		return true
	}
	switch n.Op {
	case "*", "/", "+":
		return t.nonnegative(n.Args[0]) && t.nonnegative(n.Args[1])
	case "^":
		return t.nonnegative(n.Args[0])
	}
	return false
}

// exceeds returns by how much a power of the greater side of a fact exceeds that of the lesser one,
// both of which must not be negative unless the power is 1.
func (t *Theory) exceeds(f Fact, power *big.Rat) Fraction {
	a, b := f.Lesser, f.Greater
	if power.Cmp(big.NewRat(1, 1)) != 0 {
		if !t.Nonnegative(a) || !t.Nonnegative(b) {
			refuse("a power of %s, whose sides may be negative", f.Label)
		}
		a, b = t.pow(a, power), t.pow(b, power)
	}
	return t.minus(b, a)
}

// Exceeds returns by how much a power of the greater side of a fact exceeds that of the lesser one,
// both of which must not be negative unless the power is 1.
func (t *Theory) Exceeds(f Fact, power *big.Rat) (Fraction, error) {
	return result(func() Fraction { return t.exceeds(f, power) })
}

// Shows returns nil if the facts that are used show that lesser ≤ greater, or < if strict: what
// remains of their difference without the multiples of what the facts show not to be negative has
// no negative coefficient.
func (t *Theory) Shows(lesser, greater Fraction, strict bool, by []certificate.Use,
	read Reader) error {
	_, err := result(func() any {
		d := t.minus(greater, lesser)
		for _, u := range by {
			g, also := t.gap(u, read)
			d, strict = t.minus(d, g), strict && !also
		}
		switch nonnegative, positive := t.ring.evident(d.Sum); {
		case !nonnegative:
			refuse("what remains has a negative coefficient: %s", t.Write(d))
		case strict && !positive:
			refuse("what remains may be 0: %s", t.Write(d))
		}
		return nil
	})
	return err
}

// Learn adds the fact that lesser ≤ greater, or < if strict, which has been shown.
func (t *Theory) Learn(f Fact) { t.learn(f); t.settle() }

// Add returns a + b.
func (t *Theory) Add(a, b Fraction) (Fraction, error) {
	return result(func() Fraction { return t.add(a, b, 1) })
}

// Sub returns a − b.
func (t *Theory) Sub(a, b Fraction) (Fraction, error) {
	return result(func() Fraction { return t.minus(a, b) })
}

// Mul returns the product.
func (t *Theory) Mul(a, b Fraction) (Fraction, error) {
	return result(func() Fraction { return t.mul(a, b) })
}

// Pow returns a rational power.
func (t *Theory) Pow(a Fraction, e *big.Rat) (Fraction, error) {
	return result(func() Fraction { return t.pow(a, e) })
}

// Of returns the value of a formula.
func (t *Theory) Of(n *formula.Tree) (Fraction, error) {
	return result(func() Fraction { return t.of(n) })
}

// Known returns the facts that have been evaluated.
func (t *Theory) Known() []Fact { return t.facts }

// Quotient returns the powers of a term divided by those of another, if that is a product of powers
// without possible division by 0 or a root of what may be negative, and is itself not negative.
func (t *Theory) Quotient(a, b Term) (q Term, ok bool) {
	q = Term{make([]int, max(len(a.Powers), len(b.Powers))), big.NewRat(1, 1)}
	for i := range q.Powers {
		if i < len(a.Powers) {
			q.Powers[i] += a.Powers[i]
		}
		if i < len(b.Powers) {
			q.Powers[i] -= b.Powers[i]
		}
		switch g := t.ring.generators[i]; {
		case g.sign == Positive:
		case q.Powers[i] < 0, g.sign == Free && q.Powers[i]%(2*unit) != 0:
			return q, false
		}
	}
	q.Powers = trimmed(q.Powers)
	return t.ring.times(q, Term{nil, big.NewRat(1, 1)}), true
}

// Multiple returns a sum times a term.
func (t *Theory) Multiple(s Sum, by Term) Sum {
	out := make(Sum, len(s))
	for _, x := range s {
		out.put(t.ring.times(x, by))
	}
	return out
}

// With returns the sum plus a term.
func (s Sum) With(t Term) Sum {
	out := make(Sum, len(s)+1)
	for k, x := range s {
		out[k] = x
	}
	out.put(t)
	return out
}

// Over returns the fraction divided by the factors of another, and Like multiplied by them.
func (a Fraction) Over(b Fraction) Fraction { return a.scaled(b, -1) }

// Like returns the fraction multiplied by the factors of another.
func (a Fraction) Like(b Fraction) Fraction { return a.scaled(b, 1) }

func (a Fraction) scaled(b Fraction, sign int) Fraction {
	out := Fraction{a.Sum, map[string]factor{}}
	for k, f := range a.factors {
		out.factors[k] = f
	}
	for k, f := range b.factors {
		f.power = out.factors[k].power + sign*f.power
		if out.factors[k] = f; f.power == 0 {
			delete(out.factors, k)
		}
	}
	return out
}

// Roots returns bounds of the square roots of primes that are generators.
func (t *Theory) Roots() []Fact {
	var out []Fact
	for i, g := range t.ring.generators {
		if g.prime == 0 {
			continue
		}
		root := t.ring.monomial(i, unit/2)
		around := enclosure.Int(g.prime).Sqrt()
		for _, digits := range []int64{1, 100} {
			lo := enclosure.Whole(new(big.Rat).Mul(around.Lower(), big.NewRat(digits, 1)), false)
			lo.Quo(lo, big.NewRat(digits, 1))
			a, b := whole(lo), whole(new(big.Rat).Add(lo, big.NewRat(1, digits)))
			out = append(out, Fact{t.Write(a) + " ≤ " + t.Write(root), a, root, true},
				Fact{t.Write(root) + " ≤ " + t.Write(b), root, b, true})
		}
	}
	return out
}

// Number reports whether a generator is a prime under a root.
func (t *Theory) Number(generator int) bool { return t.ring.generators[generator].prime != 0 }

// Limit has the theory panic with [ErrEffort] once it has made so many products of terms.
func (t *Theory) Limit(products int) { t.ring.most = products }

// Products returns how many products of terms the theory has made.
func (t *Theory) Products() int { return t.ring.products }

// Signed reports whether a term has the sign of its coefficient, or is 0, wherever the facts hold.
func (t *Theory) Signed(x Term) bool {
	for i, e := range x.Powers {
		if e%(2*unit) != 0 && t.ring.generators[i].sign == Free {
			return false
		}
	}
	return true
}

// Generators returns the number of generators.
func (t *Theory) Generators() int { return len(t.ring.generators) }

// Forget drops the generators from a number on if all of them are primes; of these no fraction may
// be in use.
func (t *Theory) Forget(from int) {
	if !slices.ContainsFunc(t.ring.generators[from:],
		func(g generator) bool { return g.prime == 0 }) {
		t.ring.generators = t.ring.generators[:from]
	}
}
