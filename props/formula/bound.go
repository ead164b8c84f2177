package formula

import (
	"fmt"
	"math"
	"slices"

	"sledge/props/settle/exponents"
)

// term is a constant times powers of parameters.
type term struct {
	c    float64
	e    exponents.Monomial
	hash uint64 // of e
}

func newTerm(c float64, e exponents.Monomial) term {
	t := term{c: c, e: e}
	for _, x := range e {
		t.hash = (t.hash ^ uint64(x.Num())<<8 ^ uint64(x.Denominator())) * 0x9e3779b97f4a7c15
		t.hash ^= t.hash >> 29
	}
	return t
}

// form bounds a positive formula up to constants: from above by a sum of minima of terms, from below by a minimum of
// maxima. The empty sum is 0, and so is the maximum of nothing.
type form struct {
	up, low   [][]term
	over, und bool // which of the two are known
	why       error
}

// mostTerms limits the minima in a form.
const mostParts = 4000

type bounder struct {
	names  []string // symbols, and after them logarithms that stand for themselves
	logs   []string // the latter, written
	args   []*node  // of what they are logarithms
	index  map[string]int
	defs   []clause        // x = …, in order
	tilde  bool            // logarithms are symbols ≥ 1
	small  map[string]int  // of roundings, small or large
	cone   *exponents.Cone // of the domain, nil while it is being made
	limits []float64       // of its bounded monomials
	here   []fact          // that hold in this region
	used   fact            // the last of them
	known  map[string]form // of definitions in this region

	base   []int64 // powers of 2 in this region
	choice map[string]*node

	v              *Vocabulary
	dropped        []bool
	above          []clause // x ≤ …, where that depends on what is defined
	flat           bool     // of the minimum of a number and others only the number is kept
	contradictions []fact   // that show that a part of the domain is empty
}

func (b *bounder) one(c float64) term { return newTerm(c, make(exponents.Monomial, len(b.names))) }

// power returns a power of the i-th parameter.
func (b *bounder) power(i int, e int64) term {
	m := make(exponents.Monomial, len(b.names))
	m[i] = exponents.Whole(e)
	return newTerm(1, m)
}

func (b *bounder) variable(name string) form { return exactly(b.power(b.index[name], 1)) }

func exactly(t term) form { return form{[][]term{{t}}, [][]term{{t}}, true, true, nil} }

func unknown(format string, args ...any) form { return form{why: fmt.Errorf(format, args...)} }

// constant is a form between two numbers.
func (b *bounder) between(lo, hi float64) form {
	f := form{over: true, und: true, low: [][]term{{}}}
	if hi > 0 {
		f.up = [][]term{{b.one(hi)}}
	}
	if lo > 0 {
		f.low = [][]term{{b.one(lo)}}
	}
	return f
}

func (t term) times(u term) term {
	e := make(exponents.Monomial, len(t.e))
	for i := range t.e {
		e[i] = t.e[i].Add(u.e[i])
	}
	return newTerm(t.c*u.c, e)
}

func (t term) to(e exponents.Rational) term {
	m := make(exponents.Monomial, len(t.e))
	for i := range t.e {
		m[i] = t.e[i].Mul(e)
	}
	return newTerm(math.Pow(t.c, e.Float64()), m)
}

func (t term) alike(u term) bool { return t.hash == u.hash && slices.Equal(t.e, u.e) }

// without returns the term without the i-th parameter.
func (t term) without(i int) term {
	e := slices.Clone(t.e)
	e[i] = exponents.Rational{}
	return newTerm(t.c, e)
}

// both joins every group of a with every group of b, by a function of two groups.
func both(a, b [][]term, join func(x, y []term) []term) [][]term {
	var out [][]term
	for _, x := range a {
		for _, y := range b {
			out = append(out, join(x, y))
		}
	}
	return out
}

func products(x, y []term) []term {
	var out []term
	for _, t := range x {
		for _, u := range y {
			out = append(out, t.times(u))
		}
	}
	return out
}

func union(x, y []term) []term { return slices.Concat(x, y) }

// tidy removes what does not count. In a minimum (least) or maximum of terms with the same powers one counts, and a
// minimum of more terms than another of a sum is swallowed by it.
func tidy(groups [][]term, least bool) [][]term {
	var out [][]term
	for _, g := range groups {
		var kept []term
		for _, t := range g {
			i := slices.IndexFunc(kept, t.alike)
			switch {
			case i < 0:
				kept = append(kept, t)
			case (t.c < kept[i].c) == least:
				kept[i].c = t.c
			}
		}
		out = append(out, kept)
	}
	slices.SortStableFunc(out, func(a, b []term) int { return len(a) - len(b) })
	var all [][]term
	for _, g := range out {
		swallowed := false
		for _, h := range all {
			if within(h, g) {
				for i := range h {
					c := g[slices.IndexFunc(g, h[i].alike)].c
					if least {
						h[i].c += c
					} else {
						h[i].c = min(h[i].c, c)
					}
				}
				swallowed = true
				break
			}
		}
		if !swallowed {
			all = append(all, slices.Clone(g))
		}
	}
	return all
}

// within reports whether the powers of all terms of h occur in g.
func within(h, g []term) bool {
	for _, t := range h {
		if !slices.ContainsFunc(g, t.alike) {
			return false
		}
	}
	return true
}

func (f form) tidied() form {
	f.up, f.low = tidy(f.up, true), tidy(f.low, false)
	if len(f.up) > mostParts || len(f.low) > mostParts {
		return unknown("more than %d combinations of its monomials", mostParts)
	}
	return f
}

// combined carries out an operation that is increasing in both arguments.
func combined(f, g form, up, low func(a, b [][]term) [][]term) form {
	h := form{over: f.over && g.over, und: f.und && g.und, why: f.why}
	if h.why == nil {
		h.why = g.why
	}
	if h.over {
		if len(f.up)*len(g.up) > 64*mostParts {
			return unknown("too many combinations of its monomials")
		}
		h.up = up(f.up, g.up)
	}
	if h.und {
		if len(f.low)*len(g.low) > 64*mostParts {
			return unknown("too many combinations of its monomials")
		}
		h.low = low(f.low, g.low)
	}
	return h.tidied()
}

// times is the product of two formulas of which one at least is known not to be negative.
func (f form) times(g form) form {
	if !f.und && !g.und {
		return unknown("both factors may be negative")
	}
	multiplied := func(a, b [][]term) [][]term { return both(a, b, products) }
	return combined(f, g, multiplied, multiplied)
}

func (f form) plus(g form) form {
	return combined(f, g, func(a, b [][]term) [][]term { return slices.Concat(a, b) },
		func(a, b [][]term) [][]term { return both(a, b, union) })
}

// or is the larger of two formulas, of which one may be negative: what is not known below is left out.
func (f form) or(g form) form {
	switch {
	case f.und && !g.und:
		g.und, g.low = true, [][]term{{}}
	case g.und && !f.und:
		f.und, f.low = true, [][]term{{}}
	}
	return f.plus(g)
}

func (f form) and(g form) form {
	return combined(f, g, func(a, b [][]term) [][]term { return both(a, b, union) },
		func(a, b [][]term) [][]term { return slices.Concat(a, b) })
}

// to returns a power, other than 0, of a formula that is known not to be negative.
func (f form) to(e exponents.Rational) form {
	if !f.und {
		return unknown("a power of what may be negative: %w", f.reason())
	}
	if e.Sign() < 0 {
		return f.inverse().to(e.Neg())
	}
	if e.Sign() == 0 {
		return unknown("the power 0")
	}
	h := form{over: f.over, und: f.und, why: f.why}
	raised := func(groups [][]term) [][]term {
		var out [][]term
		for _, g := range groups {
			var r []term
			for _, t := range g {
				r = append(r, t.to(e))
			}
			out = append(out, r)
		}
		return out
	}
	h.up, h.low = raised(f.up), raised(f.low)
	if x := e.Float64(); x > 1 && len(h.up) > 1 { // (Σ a)^x ≤ N^{x−1} Σ a^x
		for _, g := range h.up {
			for i := range g {
				g[i].c *= math.Pow(float64(len(h.up)), x-1)
			}
		}
	}
	return h.tidied()
}

func (f form) inverse() form {
	if !f.und {
		return unknown("one over what may be negative: %w", f.reason())
	}
	h := form{over: f.und, und: f.over, why: f.why}
	inverted := func(groups [][]term, share float64) [][]term {
		var out [][]term
		for _, g := range groups {
			var r []term
			for _, t := range g {
				u := t.to(exponents.Whole(-1))
				u.c *= share
				r = append(r, u)
			}
			out = append(out, r)
		}
		return out
	}
	if h.over {
		if slices.ContainsFunc(f.low, func(g []term) bool { return len(g) == 0 }) {
			h.over, h.why = false, fmt.Errorf("a divisor may be 0")
		} else {
			h.up = inverted(f.low, 1)
		}
	}
	if h.und {
		h.low = inverted(f.up, 1/float64(max(1, len(f.up))))
	}
	return h.tidied()
}

// of bounds a formula.
func (b *bounder) of(n *node) form {
	if b.tilde && n.op == logarithm {
		return b.variable(n.written())
	}
	if n.op == largest && len(b.logs) > 0 {
		if i := slices.Index(b.logs, n.written()); i >= 0 {
			return b.variable(b.logs[i])
		}
	}
	arg := func(i int) form { return b.of(n.args[i]) }
	switch n.op {
	case number:
		v, _ := n.value.Float64()
		if v < 0 {
			return unknown("%s is negative", plain.of(n))
		}
		return b.between(v, v)
	case symbol:
		return b.variable(n.name)
	case absolute:
		if f := arg(0); f.und {
			return f
		}
	case add:
		return arg(0).plus(arg(1))
	case multiply:
		return arg(0).times(arg(1))
	case divide:
		return arg(0).times(arg(1).inverse())
	case smallest, largest:
		f := arg(0)
		for i := range n.args[1:] {
			if n.op == largest {
				f = f.or(arg(i + 1))
			} else {
				f = f.and(arg(i + 1))
			}
		}
		return f
	case root:
		return arg(0).to(exponents.Whole(2).Inv())
	case power:
		if e, ok := n.args[1].constant(); ok {
			return arg(0).to(exponents.Fraction(e))
		}
		if n.args[0].op == subtract && n.args[1].op == negate {
			return b.decay(n)
		}
	case ceiling:
		f, one := arg(0), b.between(1, 1)
		g := form{f.plus(one).up, f.low, f.over, f.und, f.why}
		if f.positive() {
			g.low = f.or(one).low
		}
		return g.tidied()
	case floor:
		return b.rounded(rounding{n.args[0], true})
	case subtract:
		return b.difference(n)
	case negate:
		if l := n.args[0]; l.op == logarithm && l.args[0].op == subtract && isOne(l.args[0].args[0]) {
			x := b.of(l.args[0].args[1]) // x ≤ −log(1 − x) ≤ x/(1 − θ) for x ≤ θ
			if !x.und {
				return x
			}
			if theta, err := b.share(x, b.between(1, 1)); err != nil {
				x.over, x.why = false, err
			} else {
				x.up = x.times(b.between(1/(1-theta), 1/(1-theta))).up
			}
			return x
		}
	case logarithm:
		return b.logarithmOf(n)
	}
	return unknown("%s is made of no monomials", plain.of(n))
}

// What is known about a rounding: that it is 0, or that it is not and its argument is at least 1.
const (
	small = 1 + iota
	large
)

func isOne(n *node) bool {
	return n.op == number && n.value.IsInt() && n.value.Num().IsInt64() && n.value.Num().Int64() == 1
}

func (b *bounder) rounded(r rounding) form {
	f := b.of(r.n)
	if !f.positive() {
		return unknown("%s may be 0", plain.of(r.n))
	}
	switch b.small[r.key()] {
	case small:
		return b.between(0, 0)
	case large:
		f.low = f.times(b.between(0.5, 0.5)).low
		return f
	}
	f.low = [][]term{{}}
	return f
}

// positive reports whether the formula is known to be more than 0.
func (f form) positive() bool {
	return f.und && !slices.ContainsFunc(f.low, func(g []term) bool { return len(g) == 0 })
}

// reason is why a bound is not known.
func (f form) reason() error {
	if f.why == nil {
		return errBound
	}
	return f.why
}

// difference bounds x − y from above by x, and from below by (1 − θ)x where y is at most θx, θ < 1.
func (b *bounder) difference(n *node) form {
	if n.args[0].op == ceiling && isOne(n.args[1]) { // ⌈x⌉ − 1
		return b.rounded(rounding{n.args[0].args[0], false})
	}
	f, g := b.of(n.args[0]), b.of(n.args[1])
	if !f.und || !g.und {
		return unknown("both terms of %s may be negative", plain.of(n))
	}
	theta, err := b.share(g, f)
	switch {
	case err != nil && theta > 0 && theta <= 1: // it may be 0, but not less
		f.low = [][]term{{}}
		return f
	case err != nil:
		return form{up: f.up, over: f.over, why: fmt.Errorf("%s: %w", plain.of(n), err)}
	}
	f.low = f.times(b.between(1-theta, 1-theta)).low
	return f
}

// decay bounds (1 − x)^{−y} by 1 from below and, where x ≤ θ < 1 and xy ≤ κ, by (1 − θ)^{−κ/θ} from above.
func (b *bounder) decay(n *node) form {
	base := n.args[0]
	if !isOne(base.args[0]) {
		return unknown("%s is made of no monomials", plain.of(n))
	}
	x, y := b.of(base.args[1]), b.of(n.args[1].args[0])
	if !x.und || !y.und {
		return unknown("%s may be negative", plain.of(base.args[1]))
	}
	theta, err := b.share(x, b.between(1, 1))
	if err != nil {
		return unknown("%s: %w", plain.of(n), err)
	}
	kappa, err := b.constant(x.times(y), b.between(1, 1))
	if err != nil {
		return unknown("%s: %w", plain.of(n), err)
	}
	return b.between(1, math.Pow(1-theta, -kappa/theta))
}

// logarithmOf bounds log x: from above by logarithms that stand for themselves, of whose arguments x is at most a
// product of powers, or by a number where x is bounded; from below by a number where x is more than 1.
func (b *bounder) logarithmOf(n *node) form {
	if a := n.args[0]; a.op == add && isOne(a.args[0]) { // log(1 + x) is at most x, and at least x/(1 + κ) for x ≤ κ
		x := b.of(a.args[1])
		if kappa, err := b.constant(x, b.between(1, 1)); err == nil && x.und {
			x.low = x.times(b.between(1/(1+kappa), 1/(1+kappa))).low
			return x
		}
	}
	x := b.of(n.args[0])
	var f form
	if c, err := b.constant(b.between(1, 1), x); err == nil && c <= 1 {
		f.und, f.low = true, b.between(-math.Log(c), 0).low
	}
	if c, err := b.constant(x, b.between(1, 1)); err == nil {
		f.over, f.up = true, b.between(0, max(0, math.Log(c))).up
	} else if g, err := b.logPower(x); err == nil {
		f.over, f.up = true, g.up
	}
	if !f.over || !f.und {
		f.why = fmt.Errorf("%s has no bound", plain.of(n))
	}
	return f
}

// substituted replaces the symbols that are defined, the last one first.
func (b *bounder) substituted(f form) form {
	for k := len(b.defs) - 1; k >= 0; k-- {
		if b.flat {
			f = b.raised(f)
		}
		slot := b.index[b.defs[k].sides[0].name]
		uses := func(groups [][]term) bool {
			return slices.ContainsFunc(groups, func(g []term) bool {
				return slices.ContainsFunc(g, func(t term) bool { return t.e[slot].Sign() != 0 })
			})
		}
		if !uses(f.up) && !uses(f.low) {
			continue
		}
		name := b.defs[k].sides[0].name
		def, known := b.known[name]
		if !known {
			n := b.defs[k].sides[1]
			if part := b.choice[name]; part != nil {
				n = part
			}
			def = b.of(n)
			b.known[name] = def
		}
		powers := map[exponents.Rational]form{}
		power := func(e exponents.Rational) form {
			p, known := powers[e]
			if !known {
				if p = b.between(1, 1); e.Sign() != 0 {
					p = def.to(e)
				}
				powers[e] = p
			}
			return p
		}
		replaced := func(groups [][]term, upper bool) (form, bool) {
			sum := form{over: true, und: true}
			for _, g := range groups {
				group := b.between(0, 0)
				for j, t := range g {
					p := power(t.e[slot]).times(exactly(t.without(slot)))
					switch {
					case j == 0:
						group = p
					case upper:
						group = group.and(p)
					default:
						group = group.or(p)
					}
				}
				sum.over, sum.und = sum.over && group.over, sum.und && group.und
				if group.why != nil {
					sum.why = group.why
				}
				if upper {
					sum.up = append(sum.up, group.up...)
				} else {
					sum.low = append(sum.low, group.low...)
				}
			}
			sum = sum.tidied()
			if len(groups) == 0 {
				sum = b.between(0, 0)
			}
			return sum, upper && sum.over || !upper && sum.und
		}
		if f.over {
			var up form
			up, f.over = replaced(f.up, true)
			if f.up = up.up; b.flat {
				for i, g := range f.up {
					if j := slices.IndexFunc(g, b.plainly); j >= 0 {
						f.up[i] = g[j : j+1]
					}
				}
				f.up = tidy(f.up, true)
			}
			if !f.over {
				f.why = up.why
			}
		}
		if f.und {
			var low form
			low, f.und = replaced(f.low, false)
			f.low = low.low
			if !f.und {
				f.why = low.why
			}
		}
	}
	return f.tidied()
}

// plainly reports whether a term is at most its constant: a number over counts.
func (b *bounder) plainly(t term) bool {
	for i, e := range t.e {
		if s, _ := b.v.Symbol(b.names[i]); e.Sign() > 0 || e.Sign() < 0 && s.Kind == Real {
			return false
		}
	}
	return true
}

// raised replaces symbols by what they are at most, where they have positive powers in a bound from above.
func (b *bounder) raised(f form) form {
	for _, c := range b.above {
		slot := b.index[c.sides[0].name]
		for i, g := range f.up {
			e := g[0].e[slot]
			if e.Sign() <= 0 || len(g) > 1 {
				continue
			}
			if p := b.of(c.sides[1]).to(e).times(exactly(g[0].without(slot))); p.over {
				f.up = tidy(slices.Concat(f.up[:i], p.up, f.up[i+1:]), true)
				return b.raised(f)
			}
		}
	}
	return f
}
