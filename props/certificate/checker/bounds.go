package checker

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// Limits of what the checker takes upon itself.
const (
	mostGroups = 5_000
	mostParts  = 128
	mostLifts  = 1000 // symbols that bounds take the place of
)

func known(m monomial) bound {
	h := half{of: [][]monomial{{m}}}
	return bound{h, h}
}

func (o *Order) parameter(slot int) bound { return known(o.power(slot, 1)) }

// between is what is known of a number between two others.
func (o *Order) between(lo, hi value) bound {
	b := bound{low: zero}
	if hi.around().Upper().Sign() > 0 {
		b.up.of = [][]monomial{{o.constant(hi)}}
	}
	if lo.around().Lower().Sign() > 0 {
		b.low.of = [][]monomial{{o.constant(lo)}}
	}
	return b
}

func (o *Order) exactly(x value) bound { return o.between(x, x) }

func (o *Order) constantly(x int64) bound { return o.exactly(o.e.whole(x)) }

func nothing(format string, args ...any) bound {
	h := half{why: fmt.Errorf(format, args...)}
	return bound{h, h}
}

// cross joins each group of a with each of b.
func cross(a, b [][]monomial, join func(x, y []monomial) []monomial) [][]monomial {
	if len(a)*len(b) > mostGroups {
		refuse("the statement has too many combinations of monomials")
	}
	var out [][]monomial
	for _, x := range a {
		for _, y := range b {
			out = append(out, join(x, y))
		}
	}
	return out
}

func (o *Order) allProducts(x, y []monomial) []monomial {
	var out []monomial
	for _, a := range x {
		for _, b := range y {
			out = append(out, o.times(a, b))
		}
	}
	return out
}

func joined(x, y []monomial) []monomial { return slices.Concat(x, y) }

// tidy merges, in a sum of minima (minima is true) or a minimum of maxima, what is alike.
func (o *Order) tidy(groups [][]monomial, minima bool) [][]monomial {
	pick := map[bool]string{true: "min", false: "max"}
	var merged [][]monomial
	for _, g := range groups {
		var kept []monomial
		for _, m := range g {
			if i := find(m.e, kept); i < 0 {
				kept = append(kept, m)
			} else {
				kept[i].c = extreme(pick[minima], kept[i].c, m.c)
			}
		}
		merged = append(merged, kept)
	}
	slices.SortStableFunc(merged, func(a, b []monomial) int { return len(a) - len(b) })
	var out [][]monomial
	for _, g := range merged {
		// g, a minimum of more, is at most the minimum of those of its terms that are in another
		i := slices.IndexFunc(out, func(h []monomial) bool {
			return !slices.ContainsFunc(h, func(m monomial) bool { return find(m.e, g) < 0 })
		})
		if i < 0 {
			out = append(out, g)
			continue
		}
		for k, m := range out[i] {
			if c := g[find(m.e, g)].c; minima {
				out[i][k].c = o.e.does("+", m.c, c)
			} else {
				out[i][k].c = extreme("min", m.c, c)
			}
		}
	}
	return out
}

// combine is an operation that increases with both of its arguments.
func (o *Order) combine(f, g bound, up, low func(a, b [][]monomial) [][]monomial) bound {
	both := func(a, b half, join func(a, b [][]monomial) [][]monomial, minima bool) half {
		if why := cmp.Or(a.why, b.why); why != nil {
			return half{why: why}
		}
		return half{of: o.tidy(join(a.of, b.of), minima)}
	}
	return bound{both(f.up, g.up, up, true), both(f.low, g.low, low, false)}
}

func concatenated(a, b [][]monomial) [][]monomial { return slices.Concat(a, b) }
func unions(a, b [][]monomial) [][]monomial       { return cross(a, b, joined) }

// multiplied is the product of two numbers of which one at least is known not to be negative.
func (o *Order) multiplied(f, g bound) bound {
	if f.low.why != nil && g.low.why != nil {
		return nothing("both factors may be negative: %v, %v", f.low.why, g.low.why)
	}
	p := func(a, b [][]monomial) [][]monomial { return cross(a, b, o.allProducts) }
	return o.combine(f, g, p, p)
}

func (o *Order) added(f, g bound) bound { return o.combine(f, g, concatenated, unions) }

// larger is the larger of two numbers of which one is not negative.
func (o *Order) larger(f, g bound) bound {
	switch {
	case f.low.why == nil && g.low.why != nil:
		g.low = zero
	case f.low.why != nil && g.low.why == nil:
		f.low = zero
	}
	return o.added(f, g)
}

func (o *Order) smaller(f, g bound) bound { return o.combine(f, g, unions, concatenated) }

// each puts other monomials in the place of those of a bound.
func (h half) each(f func(monomial) monomial) half {
	out := half{why: h.why}
	for _, g := range h.of {
		var monomials []monomial
		for _, m := range g {
			monomials = append(monomials, f(m))
		}
		out.of = append(out.of, monomials)
	}
	return out
}

func (o *Order) scaled(h half, by value) half {
	return h.each(func(m monomial) monomial { m.c = o.e.does("*", m.c, by); return m })
}

// to is a power, other than 0, of what is not negative.
func (o *Order) to(f bound, x algebra.Rational) bound {
	if f.low.why != nil {
		return nothing("what may be negative has no power: %w", f.low.why)
	}
	if x.Sign() < 0 {
		return o.to(o.inverse(f), x.Neg())
	}
	raised := func(m monomial) monomial { return o.raised(m, x) }
	h := bound{f.up.each(raised), f.low.each(raised)}
	if n := int64(len(h.up.of)); n > 1 && x.Cmp(algebra.Whole(1)) > 0 {
		// (a_1 + … + a_n)^x ≤ n^{x−1}(a_1^x + … + a_n^x)
		h.up = o.scaled(h.up, o.root(o.e.whole(n), x.Add(algebra.Whole(-1))))
	}
	return o.tidied(h)
}

// inverse is one over what is not negative. One over a sum of n is at least the least of one over n
// times the terms.
func (o *Order) inverse(f bound) bound {
	invert := func(m monomial) monomial { return o.raised(m, algebra.Whole(-1)) }
	if f.low.why != nil {
		return nothing("what may be negative has no inverse: %w", f.low.why)
	}
	if !f.positive() {
		f.low = half{why: errors.New("a divisor may be 0")}
	}
	if f.up.why == nil && len(f.up.of) == 0 {
		f.up = half{why: errors.New("a divisor is 0")}
	}
	share := o.e.number(big.NewRat(1, int64(max(1, len(f.up.of)))))
	return o.tidied(bound{f.low.each(invert), o.scaled(f.up.each(invert), share)})
}

func (o *Order) tidied(b bound) bound {
	b.up.of, b.low.of = o.tidy(b.up.of, true), o.tidy(b.low.of, false)
	return b
}

// of bounds a formula in terms of parameters, of which some may be defined.
func (o *Order) of(t *formula.Tree) bound {
	if slot, there := o.slots[t.String()]; there && (t.Op == "max" || t.Op == "log") {
		return o.parameter(slot)
	}
	arg := func(i int) bound { return o.of(t.Args[i]) }
	switch t.Op {
	case "number":
		if t.Value.Sign() < 0 {
			return nothing("%v is negative", t)
		}
		return o.exactly(o.e.number(t.Value))
	case "symbol":
		return o.parameter(o.slots[t.Name])
	case "abs":
		if b := arg(0); b.low.why == nil {
			return b
		}
	case "+":
		return o.added(arg(0), arg(1))
	case "*":
		return o.multiplied(arg(0), arg(1))
	case "/":
		return o.multiplied(arg(0), o.inverse(arg(1)))
	case "min", "max":
		b := arg(0)
		for i := range t.Args[1:] {
			if t.Op == "min" {
				b = o.smaller(b, arg(i+1))
			} else {
				b = o.larger(b, arg(i+1))
			}
		}
		return b
	case "sqrt":
		return o.to(arg(0), algebra.Whole(2).Inv())
	case "^":
		if len(t.Args[1].Symbols()) > 0 {
			return o.decay(t)
		}
		x := o.e.of(t.Args[1])
		if x.exact == nil || x.exact.Sign() == 0 {
			return nothing("the exponent of %v is no fraction", t)
		}
		return o.to(arg(0), algebra.Rat(x.exact))
	case "ceil":
		return o.raisedToWhole(arg(0))
	case "floor":
		return o.rounded(rounding{t.Args[0], true})
	case "-":
		return o.difference(t)
	case "neg":
		if l := t.Args[0]; l.Op == "log" && l.Args[0].Op == "-" && isOne(l.Args[0].Args[0]) {
			return o.loss(l.Args[0].Args[1])
		}
	case "log":
		return o.logarithm(t)
	}
	return nothing("%v is made of no monomials", t)
}

// raisedToWhole is the next whole number: at most the argument and 1, and at least each of them if
// it is positive.
func (o *Order) raisedToWhole(b bound) bound {
	one := o.constantly(1)
	c := bound{o.added(b, one).up, b.low}
	if b.positive() {
		c.low = o.larger(b, one).low
	}
	return c
}

// loss is −log(1 − x), between x and x/(1 − θ) where x ≤ θ < 1.
func (o *Order) loss(t *formula.Tree) bound {
	x := o.of(t)
	if x.low.why != nil {
		return x
	}
	theta, err := o.share(x, o.constantly(1))
	if err != nil {
		return nothing("−log(1 − %v): %w", t, err)
	}
	x.up = o.scaled(x.up, o.inverseOf(o.less(theta)))
	return x
}

// positive reports whether a number is known to be more than 0.
func (b bound) positive() bool {
	return b.low.why == nil &&
		!slices.ContainsFunc(b.low.of, func(g []monomial) bool { return len(g) == 0 })
}

// less is 1 − θ.
func (o *Order) less(theta value) value { return o.e.does("-", o.e.whole(1), theta) }

func (o *Order) inverseOf(x value) value { return o.e.does("/", o.e.whole(1), x) }

// rounded is 0 where the part says that x is small, and between x/2 and x where it is large.
func (o *Order) rounded(r rounding) bound {
	x := o.of(r.tree)
	if !x.positive() {
		return nothing("what is rounded in %v may be 0: %v", r.tree, x.low.why)
	}
	switch side := o.part.round[r.key()]; {
	case side < 0:
		return o.constantly(0)
	case side > 0:
		x.low = o.scaled(x.low, o.e.number(big.NewRat(1, 2)))
	default:
		x.low = zero
	}
	return x
}

// difference of a and b is at most a, and at least (1 − θ)a where b ≤ θa, θ < 1.
func (o *Order) difference(t *formula.Tree) bound {
	if c := t.Args[0]; c.Op == "ceil" && isOne(t.Args[1]) {
		return o.rounded(rounding{c.Args[0], false})
	}
	a, b := o.of(t.Args[0]), o.of(t.Args[1])
	if a.low.why != nil || b.low.why != nil {
		return nothing("both terms of %v may be negative", t)
	}
	theta, err := o.share(b, a)
	switch {
	case err != nil && theta.exact != nil && theta.exact.Cmp(big.NewRat(1, 1)) <= 0:
		// it may be 0, but not less
		a.low = zero
	case err != nil:
		a.low = half{why: fmt.Errorf("%v: %w", t, err)}
	default:
		a.low = o.scaled(a.low, o.less(theta))
	}
	return a
}

// decay is (1 − x)^{−y}, at least 1. Since −log(1 − x)/x increases, it is at most (1 − θ)^{−κ/θ}
// for x ≤ θ, xy ≤ κ.
func (o *Order) decay(t *formula.Tree) bound {
	base := t.Args[0]
	if base.Op != "-" || !isOne(base.Args[0]) || t.Args[1].Op != "neg" {
		return nothing("%v is made of no monomials", t)
	}
	x, y := o.of(base.Args[1]), o.of(t.Args[1].Args[0])
	if x.low.why != nil || y.low.why != nil {
		return nothing("what may be negative stands in %v", t)
	}
	theta, err := o.share(x, o.constantly(1))
	if err != nil {
		return nothing("%v: %w", t, err)
	}
	kappa, err := o.multiple(o.multiplied(x, y), o.constantly(1))
	if err != nil {
		return nothing("%v: %w", t, err)
	}
	exponent := kappa.around().Quo(theta.around())
	return o.between(o.e.whole(1), value{
		known: o.less(theta).around().Log().Neg().Mul(exponent).Exp()})
}

// logarithm bounds log x from below by a number where x is at least more than 1, and from above by
// a number where x is bounded, else by logarithms that are parameters: x is at most a constant
// times powers of their arguments.
func (o *Order) logarithm(t *formula.Tree) bound {
	one := o.constantly(1)
	if a := t.Args[0]; a.Op == "+" && isOne(a.Args[0]) { // x/(1 + κ) ≤ log(1 + x) ≤ x for x ≤ κ
		x := o.of(a.Args[1])
		if kappa, err := o.multiple(x, one); err == nil && x.low.why == nil {
			x.low = o.scaled(x.low, o.inverseOf(o.e.does("+", o.e.whole(1), kappa)))
			return x
		}
	}
	x := o.of(t.Args[0])
	b := nothing("%v has no bound", t)
	if c, err := o.multiple(one, x); err == nil && relate(c, "≤", o.e.whole(1)) == holds {
		b.low = o.between(value{known: c.around().Log().Neg()}, o.e.whole(0)).low
	}
	if c, err := o.multiple(x, one); err == nil {
		b.up = o.logOf(c).up
	} else if y, ok := o.logPowers(x); ok {
		b.up = y.up
	}
	return b
}

// logOf is the logarithm of a number, or 0 if that is negative.
func (o *Order) logOf(c value) bound {
	if c.around().Upper().Cmp(big.NewRat(1, 1)) <= 0 {
		return o.constantly(0)
	}
	zero := o.e.whole(0)
	return o.between(zero, value{known: enclosure.Precise(c.around().Upper(), o.e.bits).Log()})
}

// logPowers bounds log x by a sum of numbers times logarithms that are parameters, and a number.
func (o *Order) logPowers(x bound) (bound, bool) {
	var right []monomial
	var owners []int
	for _, l := range o.logs {
		if y := o.final(o.of(l.tree)); len(y.low.of) == 1 {
			for _, m := range y.low.of[0] {
				right, owners = append(right, m), append(owners, l.slot)
			}
		}
	}
	for slot, kind := range o.kinds {
		if kind == certificate.Logarithmic && !o.tilde && !o.defined[slot] { // log x ≤ x
			right = append(right, o.power(slot, 1))
			owners = append(owners, slot)
		}
	}
	if x = o.final(x); x.up.why != nil || o.tilde {
		return x, false
	}
	total := o.e.whole(0)
	most := map[int]algebra.Rational{}
	for _, minima := range x.up.of {
		c, by := o.best(minima, right, true, false)
		if by == nil {
			return x, false
		}
		used := map[int]algebra.Rational{}
		for _, w := range by.Right {
			owner := owners[find(w.Of, right)]
			used[owner] = used[owner].Add(w.By)
		}
		for slot, w := range used {
			if most[slot].Cmp(w) < 0 {
				most[slot] = w
			}
		}
		total = o.e.does("+", total, c)
	}
	sum := o.logOf(total)
	for _, slot := range slices.Sorted(maps.Keys(most)) {
		k := o.exactly(o.e.number(most[slot].Rat()))
		sum = o.added(sum, o.multiplied(o.parameter(slot), k))
	}
	return sum, true
}

// final replaces what is defined, the last definition first.
func (o *Order) final(f bound) bound {
	for k := len(o.defs) - 1; k >= 0; k-- {
		if o.flat {
			f = o.lifted(f)
		}
		slot := o.defs[k].slot
		uses := func(g []monomial) bool {
			return slices.ContainsFunc(g, func(m monomial) bool { return m.e[slot].Sign() != 0 })
		}
		if slices.ContainsFunc(f.up.of, uses) || slices.ContainsFunc(f.low.of, uses) {
			f = o.substituted(f, slot, o.definition(k))
		}
	}
	return f
}

// definition bounds what a symbol is defined to be, in the part.
func (o *Order) definition(k int) bound {
	if def, there := o.made[k]; there {
		return def
	}
	tree := cmp.Or(o.part.chosen[k], o.defs[k].tree)
	def := o.of(tree)
	o.made[k] = def
	return def
}

// substituted puts bounds of a symbol in its place.
func (o *Order) substituted(f bound, slot int, def bound) bound {
	powers := map[algebra.Rational]bound{{}: o.constantly(1)}
	replace := func(m monomial) bound {
		x := m.e[slot]
		p, there := powers[x]
		if !there {
			p = o.to(def, x)
			powers[x] = p
		}
		return o.multiplied(p, known(monomial{m.c, m.e.Without(slot)}))
	}
	within := func(h half, replaced func(g []monomial) half) (out half) {
		for _, g := range h.of {
			one := replaced(g)
			if one.why != nil {
				return one
			}
			out.of = append(out.of, one.of...)
		}
		out.why = h.why
		return out
	}
	up := within(f.up, func(g []monomial) half {
		least := replace(g[0])
		for _, m := range g[1:] {
			least = o.smaller(least, replace(m))
		}
		return least.up
	})
	low := within(f.low, func(g []monomial) half {
		largest := o.constantly(0)
		for _, m := range g {
			largest = o.larger(largest, replace(m))
		}
		return largest.low
	})
	if o.flat {
		for i, g := range up.of {
			if j := slices.IndexFunc(g, o.plain); j >= 0 {
				up.of[i] = g[j : j+1]
			}
		}
	}
	return o.tidied(bound{up, low})
}

// plain reports whether a monomial is a number over powers of counts: it is at most that number.
func (o *Order) plain(m monomial) bool {
	for i, x := range m.e {
		if x.Sign() > 0 || x.Sign() < 0 && o.kinds[i] == certificate.Real {
			return false
		}
	}
	return true
}

// lifted replaces symbols in a bound from above by what the domain says that they are at most.
func (o *Order) lifted(f bound) bound {
next:
	for range mostLifts {
		for _, clause := range o.above {
			slot := o.slots[clause.Sides[0].Name]
			for i, g := range f.up.of {
				if len(g) != 1 || g[0].e[slot].Sign() <= 0 {
					continue
				}
				rest := known(monomial{g[0].c, g[0].e.Without(slot)})
				p := o.multiplied(o.to(o.of(clause.Sides[1]), g[0].e[slot]), rest)
				if p.up.why == nil {
					f.up.of = o.tidy(slices.Concat(f.up.of[:i], p.up.of, f.up.of[i+1:]), true)
					continue next
				}
			}
		}
		return f
	}
	refuse("symbols are bounded by each other in a circle")
	return f
}

// split cuts the domain into parts, in each of which it is given by bounded monomials. What gives
// no such bound is left out: then the proof is for a larger domain.
func (o *Order) split() []Part {
	first := Part{round: map[string]int{}, chosen: map[int]*formula.Tree{}}
	isDef := func(name string) bool { return o.defined[o.slots[name]] }
	for slot, kind := range o.kinds {
		if kind != certificate.Real && !o.defined[slot] {
			first.bound(o.power(slot, -1), false)
		}
	}
	parts := []Part{first}
	for _, s := range o.steps {
		cut := func(p Part) []Part { return o.choose(p, s.def, o.defs[s.def].tree) }
		if s.def < 0 {
			if s.clause.Relations[0] == "=" {
				continue
			}
			x := s.clause.Inequalities()[0]
			if x.Lesser == s.clause.Sides[0] && x.Lesser.Op == "symbol" &&
				slices.ContainsFunc(x.Greater.Symbols(), isDef) {
				o.above = append(o.above, s.clause)
			}
			cut = func(p Part) []Part {
				if finer := o.within(p, x.Lesser, x.Greater, false); len(finer) <= 3 {
					return finer
				}
				return []Part{p}
			}
		}
		parts = refined(parts, cut)
	}
	for _, r := range o.roundings() {
		parts = refined(parts, func(p Part) []Part { return o.aside(p, r) })
	}
	return parts
}

// refined cuts each of the parts.
func refined(parts []Part, cut func(Part) []Part) (all []Part) {
	for _, p := range parts {
		all = append(all, cut(p)...)
	}
	if len(all) > mostParts {
		refuse("the domain falls into too many parts")
	}
	return all
}

// aside splits a part by whether a rounding is 0.
func (o *Order) aside(p Part, r rounding) []Part {
	var out []Part
	one := formula.Number(1)
	below, above := o.within(p, r.tree, one, r.floor), o.within(p, one, r.tree, !r.floor)
	// in this order: the search for parts is cut off after a while
	for k, finer := range [2][]Part{below, above} {
		for _, q := range finer {
			q.round = maps.Clone(q.round)
			q.round[r.key()] = 2*k - 1
			out = append(out, q)
		}
	}
	return out
}

// bound adds that a monomial with its coefficient is at most 1.
func (p *Part) bound(m monomial, strict bool) {
	if i := find(m.e, p.rows); i >= 0 {
		switch relate(p.rows[i].c, "<", m.c) { // the larger coefficient says more
		case holds:
			p.rows[i], p.strict[i] = m, strict
		case fails:
			p.strict[i] = p.strict[i] || strict && relate(p.rows[i].c, "=", m.c) == holds
		}
		return
	}
	p.rows, p.strict = append(p.rows, m), append(p.strict, strict)
}

// within returns parts that together contain all of p where lo ≤ hi, or lo < hi.
func (o *Order) within(p Part, lo, hi *formula.Tree, strict bool) []Part {
	o.enter(&p)
	a, b := o.final(o.of(lo)), o.final(o.of(hi))
	if a.low.why != nil || b.up.why != nil || len(b.up.of) == 0 {
		return []Part{p}
	}
	// one of n terms is at least the n-th part of their sum
	share := o.e.number(big.NewRat(1, int64(len(b.up.of))))
	var out []Part
	for _, maxima := range a.low.of {
		for _, minima := range b.up.of {
			q := Part{slices.Clone(p.rows), slices.Clone(p.strict), p.chosen, p.round}
			for _, l := range maxima {
				for _, u := range minima {
					m := o.times(l, o.raised(u, algebra.Whole(-1)))
					m.c = o.e.does("*", m.c, share)
					q.bound(m, strict)
				}
			}
			out = append(out, q)
		}
	}
	return out
}

// choose splits a part by which term of its definition, a minimum or maximum up to a constant
// divisor, a symbol is.
func (o *Order) choose(p Part, k int, t *formula.Tree) []Part {
	whole := func(a *formula.Tree) *formula.Tree { return a }
	if t.Op == "/" && len(t.Args[1].Symbols()) == 0 {
		divisor := t.Args[1]
		t = t.Args[0]
		whole = func(a *formula.Tree) *formula.Tree { return formula.Apply("/", a, divisor) }
	}
	if t.Op != "min" && t.Op != "max" {
		return []Part{p}
	}
	var out []Part
	for i, a := range t.Args {
		finer := []Part{p}
		for j, b := range t.Args {
			lo, hi := a, b
			if t.Op == "max" {
				lo, hi = b, a
			}
			if i != j {
				finer = refined(finer, func(q Part) []Part { return o.within(q, lo, hi, false) })
			}
		}
		for _, q := range finer {
			q.chosen = maps.Clone(q.chosen)
			q.chosen[k] = whole(a)
			out = append(out, q)
		}
	}
	return out
}

// rounding is ⌊tree⌋, 0 for what is less than 1, or ⌈tree⌉ − 1, 0 for what is at most 1. The two
// differ at 1.
type rounding struct {
	tree  *formula.Tree
	floor bool
}

// key tells roundings apart.
func (r rounding) key() string { return fmt.Sprint(r.floor, r.tree) }

func (o *Order) roundings() []rounding {
	var out []rounding
	for _, side := range o.formulas() {
		for _, t := range subformulas(side) {
			r := rounding{floor: t.Op == "floor"}
			switch {
			case r.floor:
				r.tree = t.Args[0]
			case t.Op == "-" && t.Args[0].Op == "ceil" && isOne(t.Args[1]):
				r.tree = t.Args[0].Args[0]
			default:
				continue
			}
			if !slices.ContainsFunc(out, func(s rounding) bool { return s.key() == r.key() }) {
				out = append(out, r)
			}
		}
	}
	return out
}
