package formula

import (
	"errors"
	"fmt"
	"math"
	"math/big"
	"slices"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/enclosure"
)

// nearly is the relative distance within which floating point does not decide a premise.
const nearly = 1e-9

// mostCounted is the largest count that is drawn.
const mostCounted = 1 << 62

// play draws an instance: the values of p.names. It returns why the instance does not count, if
// that is so.
func (p *plan) play(src *props.Source, values []float64, orders bool) (skipped string) {
	for i := range p.steps {
		s := &p.steps[i]
		known := values[:s.slot]
		switch s.action {
		case draw:
			least, most := s.least, s.most
			if !s.fixed {
				least, most = s.lo.At(known...), s.hi.At(known...)
				if s.kind == Count {
					least = max(1, least)
				}
			}
			if s.kind == Count {
				least, most = math.Ceil(least), math.Floor(most)
			}
			if !(least <= most) || math.IsInf(most, 0) {
				if !orders {
					return "the range of " + s.name + " is empty"
				}
				most = least
			}
			if math.IsInf(least, 0) || !orders && s.kind == Count && most > mostCounted {
				return "the range of " + s.name + " goes beyond numbers"
			}
			values[s.slot] = s.pick(src, least, most, orders, p.logarithm)
		case define:
			values[s.slot] = s.lo.At(known...)
		case require:
			if !s.surely && !p.holds(s, values) {
				return s.why
			}
		}
	}
	return ""
}

// holds decides a premise, exactly where floating point is in doubt. What cannot be decided does
// not hold.
func (p *plan) holds(s *step, values []float64) bool {
	known := values[:len(s.lo.arguments)]
	a, b := s.lo.At(known...), s.hi.At(known...)
	size := max(math.Abs(a), math.Abs(b))
	if s.size != nil {
		size = max(size, s.size.At(known...))
	}
	if math.Abs(a-b) > nearly*size {
		return satisfies(s.relation, a, b)
	}
	sign, ok := p.exactly(values).compare(s.lo, s.hi)
	return ok && satisfies(s.relation, float64(sign), 0)
}

func satisfies(relation string, a, b float64) bool {
	switch relation {
	case "≤":
		return a <= b
	case "≥":
		return a >= b
	case "<":
		return a < b
	case ">":
		return a > b
	}
	return a == b
}

// instance is the values of an instance in exact arithmetic, and as intervals where that does not
// do.
type instance struct {
	p      *plan
	values []Radical // in the order of the names
	known  []bool    // which of them are so
}

// Bits with which intervals are computed in turn, until they tell two numbers apart.
var precisions = [...]uint{enclosure.Precision, 2 * enclosure.Precision, 4 * enclosure.Precision,
	8 * enclosure.Precision}

// exactly evaluates an instance again, from the numbers that were drawn.
func (p *plan) exactly(values []float64) *instance {
	in := &instance{p: p, values: make([]Radical, len(values)), known: make([]bool, len(values))}
	for i := range p.steps {
		s := &p.steps[i]
		switch {
		case s.action == require:
			continue
		// a count is the number that floating point has made of it, until settle
		case s.action == define && s.kind != Count:
			if v, err := in.evaluate(s.lo); err == nil {
				in.values[s.slot], in.known[s.slot] = v, true
			}
			continue
		}
		if v := new(big.Rat); v.SetFloat64(values[s.slot]) != nil {
			in.values[s.slot], in.known[s.slot] = fromRat(v), true
		}
	}
	return in
}

// settle looks at the premises that floating point has taken for granted.
func (in *instance) settle() bool {
	for i := range in.p.steps {
		switch s := &in.p.steps[i]; {
		case s.action == require && s.surely:
			if sign, ok := in.compare(s.lo, s.hi); !ok || !satisfies(s.relation, float64(sign), 0) {
				return false
			}
		case s.action == define && s.kind == Count && !s.surely:
			around, err := in.around(s.lo, precisions[0]) // a whole number, if it is certain
			if v, known := in.values[s.slot].Rat(); err != nil || !known ||
				around.Lower().Cmp(v) != 0 ||
				around.Upper().Cmp(v) != 0 {
				return false
			}
		}
	}
	return true
}

var errUnknown = errors.New("a value that exact arithmetic does not know")

func (in *instance) evaluate(p *Program) (Radical, error) {
	used := in.values[:len(p.arguments)]
	for i := range used {
		if !in.known[i] && p.uses(i) {
			return Radical{}, errUnknown
		}
	}
	return p.exact(used)
}

// uses reports whether the instructions read an argument.
func (p *Program) uses(argument int) bool {
	return int(p.result) == argument || reads(p.code, uint16(argument))
}

func reads(code []instruction, r uint16) bool {
	for i := range code {
		if in := &code[i]; in.a == r || in.b == r || reads(in.body, r) ||
			in.op == sum && uint16(in.whole) == r {
			return true
		}
	}
	return false
}

// around encloses the value of a program, computed with the given number of bits.
func (in *instance) around(p *Program, bits uint) (enclosure.Interval, error) {
	values := make([]enclosure.Interval, len(p.arguments))
	for i := range in.p.steps {
		s := &in.p.steps[i]
		switch {
		case s.action == require || s.slot >= len(values) || !p.uses(s.slot):
		case in.known[s.slot]:
			values[s.slot] = in.values[s.slot].Enclose(bits)
		default:
			var err error
			if values[s.slot], err = in.around(s.lo, bits); err != nil {
				return values[s.slot], err
			}
		}
	}
	return p.enclose(values, bits)
}

// side is around, next to what exact arithmetic knows.
func (in *instance) side(p *Program, bits uint) (enclosure.Interval, error) {
	if v, err := in.evaluate(p); err == nil {
		return v.Enclose(bits), nil
	}
	return in.around(p, bits)
}

// compare returns the sign of a − b, if it can be told.
func (in *instance) compare(a, b *Program) (sign int, ok bool) {
	if x, err := in.evaluate(a); err == nil {
		if y, err := in.evaluate(b); err == nil {
			if sign, err := x.Cmp(y); err == nil {
				return sign, true
			}
		}
	}
	for _, bits := range precisions {
		x, err := in.side(a, bits)
		if err != nil {
			continue
		}
		y, err := in.side(b, bits)
		switch {
		case err != nil:
		case x.Below(y):
			return -1, true
		case y.Below(x):
			return 1, true
		case x.Point() && y.Point():
			return 0, true
		}
	}
	return 0, false
}

// numbers returns rational numbers that compare as the values of a and b do and are next to them,
// nil if that cannot be told.
func (in *instance) numbers(a, b *Program) (x, y *big.Rat) {
	if !in.settle() {
		return nil, nil
	}
	if v, err := in.evaluate(a); err == nil {
		if w, err := in.evaluate(b); err == nil {
			x, rational := v.Rat()
			y, also := w.Rat()
			if rational && also {
				return x, y
			}
			if sign, err := v.Cmp(w); err == nil && sign == 0 {
				around := v.Enclose(enclosure.Precision).Lower()
				return around, around
			}
		}
	}
	for _, bits := range precisions {
		v, err := in.side(a, bits)
		if err != nil {
			continue
		}
		w, err := in.side(b, bits)
		switch {
		case err != nil:
		case v.Below(w):
			return enclosure.Between(v, w)
		case w.Below(v):
			y, x = enclosure.Between(w, v)
			return x, y
		case v.Point() && w.Point(): // whole numbers that are equal
			return v.Lower(), w.Lower()
		}
	}
	return nil, nil
}

// conclusion is one relation that a statement ends with.
type conclusion struct {
	what     string
	left     *Program
	right    *Program
	relation string
	size     *Program
	// a number is rounded to a whole one on the way, which floating point may take for another
	jumps bool
}

// catching turns the panic of a planner into an error.
func catching[T any](f func() T) (out T, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case *Error:
			err = r
		default:
			panic(r)
		}
	}()
	return f(), nil
}

// Implies returns a check that a statement holds on the domain, such as
//
//	η = min{1/(2L), b/(C_1⁴ ζ √(60n))}; L/2 + 15 C_1⁹ η ζ² n/b² ≤ 1/(2η)
//
// Each premise is one of
//   - x = …, which defines a symbol, or x ∈ [ …, … ], which draws it from another range than the
//     domain's;
//   - x ≤ … or x ≥ …, for a symbol that the domain does not mention and that has not occurred: it
//     is drawn as a share of the bound, from nothing up to the bound itself or from the bound up to
//     a thousand times it; a count is rounded;
//   - any other relation, which is tried on each instance.
//
// Symbols that occur are drawn from the domain. The two sides of the conclusion are computed in
// floating point; what violates it, or nearly does, is decided by exact arithmetic or by certified
// intervals of growing precision. A statement without premises is checked as an inequality.
//
// A statement whose units do not agree is wrong as it stands: that is asserted beside its
// comparisons, under a name that tells the terms apart. Implies panics with an [*Error] if the text
// is none of a statement; [Domain.Implication] returns it.
func (d *Domain) Implies(text string) *props.Deterministic {
	return props.Must(d.Implication(text))
}

// Implication is Implies for texts that a program does not know.
func (d *Domain) Implication(text string) (*props.Deterministic, error) {
	st, err := ParseStatement(d.v, text)
	if err != nil {
		return nil, err
	}
	return catching(func() *props.Deterministic { return d.implication(st, text) })
}

func (d *Domain) implication(st *Statement, text string) *props.Deterministic {
	p := newPlan(d, text, false)
	for _, c := range st.premises {
		p.premise(c)
	}
	for _, s := range st.conclusion.sides {
		if s.op == order || s.op == span {
			p.fail(s, "%s is not compared with a number", s.text())
		}
		p.ready(s)
	}
	var conclusions []conclusion
	for i, rel := range st.conclusion.relations {
		a, b := st.conclusion.sides[i], st.conclusion.sides[i+1]
		if rel == "<" || rel == ">" {
			p.fail(b, "a conclusion is compared up to rounding: write ≤ or ≥")
		}
		conclusions = append(conclusions, conclusion{
			a.text() + " against " + b.text(), compile(a, p.names), compile(b, p.names), rel,
			p.size(a, b), a.jumps() || b.jumps() || p.jumps()})
	}
	for _, c := range append(st.premises[:len(st.premises):len(st.premises)], st.conclusion) {
		for _, side := range c.sides {
			p.summed(side, nil)
		}
	}
	units := st.Units()
	try := func(src *props.Source, rec *props.Recorder) {
		values := make([]float64, len(p.names))
		if why := p.play(src, values, false); why != "" {
			rec.Skip(why)
			return
		}
		for i := range conclusions {
			conclusions[i].record(p, rec, values)
		}
		if units != nil {
			rec.Truth("units: "+units.Error(), false).Apart()
		}
	}
	check := props.Implication(try)
	if len(st.premises) == 0 {
		check = props.Inequality(try)
	}
	problem := d.problem(st, p.given)
	check.Witnessed(func(src *props.Source) []*certificate.Certificate {
		return p.points(problem, src)
	})
	if len(d.v.procedures) > 0 {
		props.Settled(check, problem.settle(d.v.procedures))
	}
	return check
}

// comparing is the method of a recorder that asserts a relation.
func comparing(rec *props.Recorder,
	relation string) func(what string, measured, claimed float64) *props.Pair {
	switch relation {
	case "≤":
		return rec.AtMost
	case "≥":
		return rec.AtLeast
	}
	return rec.Equal
}

func (c *conclusion) record(p *plan, rec *props.Recorder, values []float64) {
	a, b := c.left.At(values...), c.right.At(values...)
	pair := comparing(rec, c.relation)(c.what, a, b)
	if c.size != nil {
		pair.Scale(c.size.At(values...))
	}
	exactly := func() (*big.Rat, *big.Rat) { return p.exactly(values).numbers(c.left, c.right) }
	if c.jumps {
		pair.Decidedly(exactly)
		return
	}
	pair.Exactly(exactly)
}

// Order returns a check of a statement up to a constant, such as
//
//	η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}; 4Δ/(ηε²) = Õ((L + ζ√n/b)Δ/ε²)
//
// with premises as for [Domain.Implies]; an instance for which one fails must not occur. The
// conclusion compares a formula by = or ≤ with O(…) of another, or by = or ≥ with Ω(…), or by =
// with Θ(…). With a tilde, logarithmic symbols and logarithms on both sides are held at 1, and the
// report says with which power they enter. Ranges that begin or end at 1 are enlarged from there;
// see [props.Order]. Units are treated, and errors panic, as by Implies. The procedures of the
// vocabulary settle it besides; see [Domain.Settle].
func (d *Domain) Order(text string) props.Check { return props.Must(d.Complexity(text)) }

// Complexity is Order for texts that a program does not know.
func (d *Domain) Complexity(text string) (props.Check, error) {
	st, err := ParseStatement(d.v, text)
	if err != nil {
		return nil, err
	}
	return catching(func() props.Check { return d.complexity(st, text) })
}

func (d *Domain) complexity(st *Statement, text string) props.Check {
	sides := st.conclusion.sides
	p := newPlan(d, text, false)
	if len(sides) != 2 || sides[1].op != order || sides[0].op == order {
		p.fail(sides[0], "an order is a formula, a relation, and O, Ω or Θ of another")
	}
	kind := []rune(sides[1].name)[0]
	p.logarithm = sides[1].name == "Õ" || len([]rune(sides[1].name)) > 1
	if rel := st.conclusion.relations[0]; rel != "=" &&
		!(rel == "≤" && (kind == 'O' || kind == 'Õ')) &&
		!(rel == "≥" && kind == 'Ω') {
		p.fail(sides[1], "%s and %s do not go together", rel, sides[1].name)
	}
	for _, c := range st.premises {
		p.premise(c)
	}
	measured, claimed := sides[0], sides[1].args[0]
	if kind == 'Ω' {
		measured, claimed = claimed, measured
	}
	measured, claimed = p.ready(measured), p.ready(claimed)
	if !slices.ContainsFunc(p.steps, func(s step) bool { return s.action == draw }) {
		p.fail(sides[0], "an order is about what grows, and no symbol here does")
	}
	left, right := compile(measured, p.names), compile(claimed, p.names)
	formulas := func(src *props.Source) (float64, float64) {
		values := make([]float64, len(p.names))
		if why := p.play(src, values, true); why != "" {
			panic(fmt.Sprintf("formula: %s: %s", text, why))
		}
		return left.At(values...), right.At(values...)
	}
	check := props.Order(formulas)
	if kind == 'Θ' {
		check = props.SameOrder(formulas)
	}
	if len(d.v.procedures) > 0 {
		check = props.Settled(check, d.orders(st).settle(d.v.procedures))
	}
	if units := st.Units(); units != nil {
		check = props.All(check,
			props.Identity(func(_ *props.Source, rec *props.Recorder) {
				rec.Truth("units: "+units.Error(), false)
			}))
	}
	return check
}

// Check returns the check of a statement: that of its order if it ends with one, and else that of
// its conclusion.
func (d *Domain) Check(text string) (props.Check, error) {
	st, err := ParseStatement(d.v, text)
	if err != nil {
		return nil, err
	}
	for _, s := range st.conclusion.sides {
		if s.op == order {
			return d.Complexity(text)
		}
	}
	return d.Implication(text)
}

// Homogeneous returns a check that the units of a statement agree, whatever its numbers are: that
// terms which are added or compared have one unit, and that what stands in exponents, logarithms
// and roundings has none. It panics with an [*Error] if the text is none of a statement.
func (v *Vocabulary) Homogeneous(text string) props.Check {
	units := props.Must(ParseStatement(v, text)).Units()
	return props.Identity(func(_ *props.Source, rec *props.Recorder) {
		what := "units"
		if units != nil {
			what += ": " + units.Error()
		}
		rec.Truth(what, units == nil)
	})
}
