package formula

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"sledge/props/settle/exponents"
)

// weighted is a monomial with a weight.
type weighted struct {
	e exponents.Monomial
	w exponents.Rational
}

// fact says that the least of some monomials is at most a constant times the largest of others, by weights of these and
// of monomials that the domain bounds; with free weights the right stands in a power.
type fact struct {
	left, right, rows []weighted
	free              bool
}

// region is a part of the domain on which it is given by monomials that are bounded.
type region struct {
	cone   exponents.Cone
	limits []float64
	strict []bool // the limit is not reached
	small  map[string]int
	choice map[string]*node // which part of its minimum or maximum a symbol is
}

// settlement is what the linear programmes say about an order.
type settlement struct {
	b       *bounder
	x       *explicit
	facts   []fact
	C       float64              // the constant
	powers  []exponents.Rational // of logarithmic parameters, for orders without logarithms
	ray     map[string]int64     // else: symbols that grow, like this power of s
	base    map[string]int64     // powers of 2 that they are at s = 1
	inverse bool                 // claimed/measured grows
	gap     exponents.Rational   // with this power of s
}

// settled decides an order by linear programmes in exponents.
func (d *Domain) settled(st *Statement) (s *settlement, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != exponents.ErrSize {
				panic(r)
			}
			s, err = nil, exponents.ErrSize
		}
	}()
	side := st.conclusion.sides[1]
	kind := []rune(side.name)[0]
	x := d.explicit(st)
	b := &bounder{names: slices.Clone(x.names), index: map[string]int{}, tilde: side.name == "Õ" ||
		len([]rune(side.name)) > 1}
	measured, claimed := st.conclusion.sides[0], side.args[0]
	for i, c := range x.clauses {
		if c.relations[0] != "=" || c.sides[0].op != symbol {
			continue
		}
		s, _ := d.v.Symbol(c.sides[0].name)
		switch v, constant := c.sides[1].constant(); {
		case constant:
			replaced := func(n *node) *node { return n.with(s.Name, &node{op: number, value: v}) }
			for j := i + 1; j < len(x.clauses); j++ {
				x.clauses[j] = clause{[]*node{x.clauses[j].sides[0], replaced(x.clauses[j].sides[1])}, x.clauses[j].relations}
			}
			measured, claimed = replaced(measured), replaced(claimed)
			b.defs = append(b.defs, c)
		case s.Kind == Logarithmic && c.sides[1].has(logarithm) && !b.tilde: // a logarithm that stands for itself
			if arg := inLogarithm(c.sides[1]); arg != nil {
				b.logs, b.args = append(b.logs, s.Name), append(b.args, arg)
			}
		default:
			b.defs = append(b.defs, c)
		}
	}
	formulas := []*node{measured, claimed}
	for _, c := range x.clauses {
		formulas = append(formulas, c.sides...)
	}
	var splits []rounding
	for _, n := range formulas {
		n.each(func(m *node) {
			switch {
			case m.op == logarithm && b.tilde:
				if name := m.written(); !slices.Contains(b.names, name) {
					b.names = append(b.names, name)
				}
			case m.op == largest && len(m.args) == 2 && isOne(m.args[0]) && m.args[1].op == logarithm && !b.tilde:
				if name := m.written(); !slices.Contains(b.names, name) {
					b.names, b.logs, b.args = append(b.names, name), append(b.logs, name), append(b.args, m.args[1].args[0])
				}
			case m.op == floor, m.op == subtract && m.args[0].op == ceiling && isOne(m.args[1]):
				r := rounding{m.args[0], m.op == floor}
				if m.op == subtract {
					r.n = r.n.args[0]
				}
				if !slices.ContainsFunc(splits, func(s rounding) bool { return s.key() == r.key() }) {
					splits = append(splits, r)
				}
			}
		})
	}
	dropped := make([]bool, len(b.names))
	for i, name := range b.names {
		b.index[name] = i
		if s, known := d.v.Symbol(name); !known || s.Kind == Logarithmic {
			dropped[i] = b.tilde
		}
	}
	b.v, b.dropped = d.v, dropped
	s = &settlement{b: b, x: x, powers: make([]exponents.Rational, len(b.names))}
	regions, err := b.regions(x, splits)
	if err != nil {
		return nil, err
	}
	directions := [][2]*node{{measured, claimed}}
	switch kind {
	case 'Ω':
		directions[0] = [2]*node{claimed, measured}
	case 'Θ':
		directions = append(directions, [2]*node{claimed, measured})
	}
	for k := range directions {
		for _, r := range regions {
			b.enter(r)
			c, open := s.compare(directions[k][0], directions[k][1], kind == 'Ω' || k == 1)
			if s.ray != nil {
				return s, nil
			}
			if open != nil && err == nil {
				err = open
			}
			s.C = max(s.C, c)
			s.collect()
		}
	}
	return s, err
}

// written is the formula as a reader of its tree writes it.
func (n *node) written() string { return n.view().String() }

// with replaces a symbol.
func (n *node) with(name string, by *node) *node {
	return n.mapped(func(m *node) *node {
		if m.op == symbol && m.name == name {
			return by
		}
		return nil
	})
}

// inLogarithm returns x of log x and of a number ≥ 0 plus that, else nil.
func inLogarithm(n *node) *node {
	if n.op == add {
		if v, constant := n.args[0].constant(); constant && v.Sign() >= 0 {
			n = n.args[1]
		}
	}
	if n.op == logarithm {
		return n.args[0]
	}
	return nil
}

func (b *bounder) enter(r region) {
	b.cone, b.limits, b.small, b.known = &r.cone, r.limits, r.small, map[string]form{}
	b.here, b.base, b.choice = nil, nil, r.choice
}

// each calls f for n and all that it consists of.
func (n *node) each(f func(*node)) {
	f(n)
	for _, a := range n.args {
		a.each(f)
	}
}

// mostRegions limits the parts into which alternatives split a domain.
const mostRegions = 64

// regions turns the clauses of a domain into bounded monomials. A clause that gives none is left out, which makes the
// domain larger.
func (b *bounder) regions(x *explicit, rounded []rounding) ([]region, error) {
	first := region{small: map[string]int{}}
	for i, name := range b.names {
		s, known := x.d.v.Symbol(name)
		defined := slices.ContainsFunc(b.defs, func(c clause) bool { return c.sides[0].name == name })
		if !defined && (!known || s.Kind != Real) { // an unknown name is a logarithm that stands for itself
			first.add(b.power(i, -1).e, 1, false)
		}
	}
	regions := []region{first}
	split := func(alternatives func(region) []region) error {
		var all []region
		for _, r := range regions {
			all = append(all, alternatives(r)...)
		}
		regions = all
		if len(regions) > mostRegions {
			return fmt.Errorf("its domain has more than %d parts", mostRegions)
		}
		return nil
	}
	for _, c := range x.clauses {
		if c.relations[0] == "=" && c.sides[0].op == symbol {
			if err := split(func(r region) []region { return b.chosen(r, c) }); err != nil {
				return nil, err
			}
			continue
		}
		lo, hi := c.sides[0], c.sides[1]
		switch c.relations[0] {
		case "≥", ">":
			lo, hi = hi, lo
		case "=":
			continue
		}
		if lo.op == symbol && slices.ContainsFunc(b.defs,
			func(d clause) bool { return slices.Contains(hi.symbols(nil), d.sides[0].name) }) {
			b.above = append(b.above, c)
		}
		if err := split(func(r region) []region {
			parts := b.bounded(r, lo, hi, false)
			if len(parts) > mostAlternatives {
				return []region{r}
			}
			return parts
		}); err != nil {
			return nil, err
		}
	}
	for k := range rounded {
		n, text := rounded[k].n, rounded[k].key()
		err := split(func(r region) []region {
			var out []region
			for _, below := range b.bounded(r, n, num(1), rounded[k].floor) {
				below.small = maps.Clone(below.small)
				below.small[text] = small
				out = append(out, below)
			}
			for _, above := range b.bounded(r, num(1), n, !rounded[k].floor) {
				above.small = maps.Clone(above.small)
				above.small[text] = large
				out = append(out, above)
			}
			return out
		})
		if err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(regions, func(r region) bool { return b.empty(r) }), nil
}

// chosen splits a region by the part that a minimum or maximum is.
func (b *bounder) chosen(r region, c clause) []region {
	n, name := c.sides[1], c.sides[0].name
	whole := func(part *node) *node { return part }
	if n.op == divide && len(n.args[1].symbols(nil)) == 0 {
		divisor := n.args[1]
		n, whole = n.args[0], func(part *node) *node { return of(divide, part, divisor) }
	}
	if n.op != smallest && n.op != largest ||
		!slices.ContainsFunc(b.defs, func(d clause) bool { return d.sides[0].name == name }) {
		return []region{r}
	}
	var out []region
	for i, a := range n.args {
		parts := []region{r}
		for j, other := range n.args {
			if j == i {
				continue
			}
			lo, hi := a, other
			if n.op == largest {
				lo, hi = hi, lo
			}
			var finer []region
			for _, p := range parts {
				finer = append(finer, b.bounded(p, lo, hi, false)...)
			}
			parts = finer
		}
		for _, p := range parts {
			p.choice = maps.Clone(p.choice)
			if p.choice == nil {
				p.choice = map[string]*node{}
			}
			p.choice[name] = whole(a)
			out = append(out, p)
		}
	}
	return out
}

// rounding is ⌊n⌋, which is 0 for n < 1, or ⌈n⌉ − 1, which is 0 for n ≤ 1.
type rounding struct {
	n     *node
	floor bool
}

// key tells roundings apart.
func (r rounding) key() string { return fmt.Sprint(r.floor, plain.of(r.n)) }

// mostAlternatives is how many parts a clause may make of a region before it is left out.
const mostAlternatives = 3

// empty reports whether the bounds of a region contradict each other, which a fact about 1 and nothing shows.
func (b *bounder) empty(r region) bool {
	b.enter(r)
	logs := make([]exponents.Rational, len(r.limits))
	for i, l := range r.limits { // to a digit that a checker's numbers decide
		logs[i] = exponents.Whole(int64(math.Round(1 << 12 * math.Log2(l)))).Mul(exponents.Whole(1 << 12).Inv())
	}
	weights := r.cone.Empty(logs, r.strict)
	if weights == nil {
		return false
	}
	f := fact{left: []weighted{{b.one(1).e, exponents.Whole(1)}}, free: true}
	for i, w := range weights {
		if w.Sign() > 0 {
			f.rows = append(f.rows, weighted{r.cone.Bounded[i], w})
		}
	}
	b.contradictions = append(b.contradictions, f)
	return true
}

// bounded returns the parts of a region on which lo ≤ hi.
func (b *bounder) bounded(r region, lo, hi *node, strict bool) []region {
	b.enter(r)
	low, up := b.substituted(b.of(lo)), b.substituted(b.of(hi))
	if !low.und || !up.over || len(up.up) == 0 {
		return []region{r}
	}
	var out []region
	for _, least := range low.low {
		for _, most := range up.up {
			part := region{exponents.Cone{Bounded: slices.Clone(r.cone.Bounded)}, slices.Clone(r.limits),
				slices.Clone(r.strict), r.small, r.choice}
			for _, l := range least {
				for _, u := range most {
					q := l.times(u.to(exponents.Whole(-1)))
					part.add(q.e, float64(len(up.up))/q.c, strict)
				}
			}
			out = append(out, part)
		}
	}
	return out
}

func (r *region) add(m exponents.Monomial, limit float64, strict bool) {
	for i := range r.cone.Bounded {
		if slices.Equal(r.cone.Bounded[i], m) {
			if limit < r.limits[i] || limit == r.limits[i] && strict {
				r.limits[i], r.strict[i] = limit, strict
			}
			return
		}
	}
	r.cone.Bounded, r.limits, r.strict = append(r.cone.Bounded, m), append(r.limits, limit), append(r.strict, strict)
}

// errBound says that no constant was found.
var errBound = errors.New("a difference that may be 0")

// compare proves that a formula is at most a constant times another in a region, or finds a curve on which it is not.
func (s *settlement) compare(left, right *node, inverse bool) (C float64, err error) {
	b := s.b
	f, g := b.of(left), b.of(right)
	f, g = b.substituted(f), b.substituted(g)
	switch {
	case !f.over:
		err = f.why
	case !g.und:
		err = g.why
	}
	if err != nil { // perhaps the answer is no, and plain to see
		s.simple(left, right, inverse)
		return 0, err
	}
	for _, most := range g.low {
		sum := 0.0
		for _, least := range f.up {
			c, _, ray := b.least(least, most, b.dropped, false)
			if ray != nil {
				if why := s.grows(left, right, ray, inverse); why == nil {
					return 0, nil
				} else if err == nil {
					err = why
				}
			}
			sum += c
		}
		C = max(C, sum)
	}
	return C, err
}

// simple looks for a curve along which one or two symbols grow or shrink.
func (s *settlement) simple(left, right *node, inverse bool) {
	n := len(s.b.names)
	for i := range n {
		for j := i; j < n; j++ {
			for signs := range 4 {
				ray := make(exponents.Monomial, n)
				ray[i] = exponents.Whole(int64(1 - signs&1*2))
				ray[j] = exponents.Whole(int64(1 - signs>>1*2))
				if i == j && signs != 0 && signs != 3 || s.b.dropped[i] || s.b.dropped[j] {
					continue
				}
				if s.grows(left, right, ray, inverse) == nil {
					return
				}
			}
		}
	}
}

// least proves that the least of the left terms is at most c times the largest of the right ones, to the power k if the
// weights are free.
func (b *bounder) least(left, right []term, dropped []bool, free bool) (c, k float64, ray exponents.Monomial) {
	for i := range b.here {
		if c, k, ok := b.here[i].applies(b, left, right, free); ok && b.here[i].respects(dropped) {
			b.used = b.here[i]
			return c, k, nil
		}
	}
	powers := func(terms []term) (m []exponents.Monomial) {
		for _, t := range terms {
			m = append(m, t.e)
		}
		return m
	}
	cone := *b.cone
	cone.Dropped = dropped
	w, ray := cone.Order(powers(left), powers(right), free)
	if w == nil {
		return 0, 0, ray
	}
	f := fact{free: free}
	collect := func(m []exponents.Monomial, w []exponents.Rational) (out []weighted) {
		for i := range w {
			if w[i].Sign() > 0 {
				out = append(out, weighted{m[i], w[i]})
			}
		}
		return out
	}
	f.left, f.right, f.rows = collect(powers(left), w.Left), collect(powers(right), w.Right), collect(b.cone.Bounded,
		w.Rows)
	b.here = append(b.here, f)
	b.used = f
	c, k, _ = f.applies(b, left, right, free)
	return c, k, nil
}

// applies reports whether a fact is about some of the left and some of the right terms, and with which constant.
func (f *fact) applies(b *bounder, left, right []term, free bool) (c, k float64, ok bool) {
	if f.free != free {
		return 0, 0, false
	}
	c = 1
	for _, part := range []struct {
		weights []weighted
		terms   []term
		sign    float64
	}{{f.left, left, 1}, {f.right, right, -1}} {
		for _, m := range part.weights {
			i := slices.IndexFunc(part.terms, func(t term) bool { return slices.Equal(t.e, m.e) })
			if i < 0 {
				return 0, 0, false
			}
			c *= math.Pow(part.terms[i].c, part.sign*m.w.Float64())
			if part.sign < 0 {
				k += m.w.Float64()
			}
		}
	}
	for _, m := range f.rows {
		i := slices.IndexFunc(b.cone.Bounded, func(r exponents.Monomial) bool { return slices.Equal(r, m.e) })
		if i < 0 {
			return 0, 0, false
		}
		c *= math.Pow(b.limits[i], m.w.Float64())
	}
	return c, k, true
}

// excess is the power of a parameter by which the left of a fact exceeds its right.
func (f *fact) excess(v int) (e exponents.Rational) {
	for _, m := range f.left {
		e = e.Add(m.e[v].Mul(m.w))
	}
	for _, part := range [][]weighted{f.right, f.rows} {
		for _, m := range part {
			e = e.Sub(m.e[v].Mul(m.w))
		}
	}
	return e
}

// respects reports whether a fact leaves out no parameter but those that are dropped.
func (f *fact) respects(dropped []bool) bool {
	if len(f.left) == 0 {
		return true
	}
	for v := range f.left[0].e {
		if (dropped == nil || !dropped[v]) && f.excess(v).Sign() != 0 {
			return false
		}
	}
	return true
}

// constant returns c with f ≤ c·g in the region.
func (b *bounder) constant(f, g form) (float64, error) {
	if b.cone == nil {
		return 0, errBound
	}
	if g = b.substituted(g); !g.und {
		return 0, errBound
	}
	if numbers(g.low) {
		b.flat = true
		flat := b.substituted(f)
		b.flat = false
		if c, err := b.multiple(flat, g); err == nil {
			return c, nil
		}
	}
	return b.multiple(b.substituted(f), g)
}

// multiple is constant for formulas in which nothing is left to replace.
func (b *bounder) multiple(f, g form) (float64, error) {
	if !f.over {
		return 0, errBound
	}
	C := 0.0
	for _, most := range g.low {
		sum := 0.0
		for _, least := range f.up {
			c := math.Inf(1)
			for i := range least { // any of them will do; a smaller constant is better
				if x, _, ray := b.least(least[i:i+1], most, nil, false); ray == nil {
					c = min(c, x)
				}
			}
			if math.IsInf(c, 1) {
				x, _, ray := b.least(least, most, nil, false)
				if ray != nil {
					return 0, errBound
				}
				c = x
			}
			sum += c
		}
		C = max(C, sum)
	}
	return C, nil
}

// share is constant for constants below 1; else there is an error beside it.
func (b *bounder) share(f, g form) (float64, error) {
	c, err := b.constant(f, g)
	if err == nil && c > 0.999 {
		err = errBound
	}
	return c, err
}

// numbers reports whether all terms are numbers.
func numbers(groups [][]term) bool {
	return !slices.ContainsFunc(groups, func(g []term) bool {
		return slices.ContainsFunc(g, func(t term) bool { return !t.number() })
	})
}

func (t term) number() bool {
	return !slices.ContainsFunc(t.e, func(e exponents.Rational) bool { return e.Sign() != 0 })
}

// logPower returns what log f is at most in the region: a sum of a number times each logarithm that stands for itself,
// and a number.
func (b *bounder) logPower(f form) (form, error) {
	var right []term
	var owner []string // of the right terms: the symbol that their logarithm is at most
	for i, name := range b.logs {
		if g := b.substituted(b.of(b.args[i])); g.und && len(g.low) == 1 {
			for _, t := range g.low[0] {
				right, owner = append(right, t), append(owner, name)
			}
		}
	}
	for i, name := range b.names {
		if s, known := b.v.Symbol(name); known && s.Kind == Logarithmic && !b.tilde { // log x ≤ x
			t := b.power(i, 1)
			if !slices.ContainsFunc(b.defs, func(c clause) bool { return c.sides[0].name == name }) {
				right, owner = append(right, t), append(owner, name)
			}
		}
	}
	f = b.substituted(f)
	if b.cone == nil || !f.over {
		return form{}, errBound
	}
	c := 0.0
	most := map[string]float64{}
	for _, least := range f.up {
		x, _, ray := b.least(least, right, nil, true)
		if ray != nil {
			return form{}, errBound
		}
		c += x
		powers := map[string]float64{}
		last := b.used
		for _, m := range last.right {
			i := slices.IndexFunc(right, func(t term) bool { return slices.Equal(t.e, m.e) })
			powers[owner[i]] += m.w.Float64()
		}
		for name, k := range powers {
			most[name] = max(most[name], k)
		}
	}
	sum := b.between(0, max(0, math.Log(c)))
	for _, name := range b.names {
		if k := most[name]; k > 0 {
			sum = sum.plus(b.variable(name).times(b.between(k, k)))
		}
	}
	return sum, nil
}

// collect keeps the facts of a region.
func (s *settlement) collect() {
	for _, f := range s.b.here {
		if !slices.ContainsFunc(s.facts, f.equal) {
			s.facts = append(s.facts, f)
		}
	}
}

func (f *fact) equal(g fact) bool {
	same := func(a, b []weighted) bool {
		return slices.EqualFunc(a, b, func(x, y weighted) bool { return slices.Equal(x.e, y.e) && x.w.Cmp(y.w) == 0 })
	}
	return f.free == g.free && same(f.left, g.left) && same(f.right, g.right) && same(f.rows, g.rows)
}

// String says what was found, for a report.
func (s *settlement) String() string {
	if s.ray == nil {
		return "at most " + upwards(s.C) + " times as large, by certified weights of the inequality of arithmetic and " +
			"geometric means"
	}
	var parts []string
	for _, name := range s.x.names {
		if k := s.ray[name]; k != 0 {
			parts = append(parts, name+" like "+powerOf("s", k))
		}
	}
	how := "like s^" + s.gap.String()
	if s.gap.Sign() == 0 {
		how = "beyond all bounds"
	}
	return fmt.Sprintf("along a certified curve with %s the ratio grows %s", strings.Join(parts, ", "), how)
}

func powerOf(base string, k int64) string {
	if k == 1 {
		return base
	}
	return fmt.Sprintf("%s^%d", base, k)
}
