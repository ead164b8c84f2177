package formula

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Limits of a text.
const (
	mostParts = 500 // numbers and symbols
	mostSums  = 20
)

// computable refuses, with an [*Error], what no reader can have meant and no run could compute: a
// part without symbols that is not defined, or that no floating-point number comes near, a sum
// without end, and a text of more than 500 numbers and symbols. Certificates are read without it:
// their proofs list what is longer.
func computable(text string, clauses []clause) error {
	_, err := catching(func() struct{} {
		r := reader{text: text}
		for _, c := range clauses {
			for _, side := range c.sides {
				r.value(side)
			}
		}
		return struct{}{}
	})
	return err
}

type reader struct {
	text        string
	parts, sums int // so far
}

func (r *reader) fail(n *node, format string, args ...any) {
	panic(&Error{r.text, max(n.at, 1), fmt.Sprintf(format, args...)})
}

// value returns the value of a formula without symbols in floating point.
func (r *reader) value(n *node) (v float64, constant bool) {
	if n.op == number || n.op == symbol {
		if r.parts++; r.parts > mostParts {
			r.fail(n, "the text has more than %d numbers and symbols", mostParts)
		}
	}
	args := make([]float64, len(n.args), len(n.args)+1)
	constant = n.op != symbol && n.op != order && n.op != span && n.op != along
	for i, a := range n.args {
		known := false
		if args[i], known = r.value(a); !known && !(n.op == sum && i == 2) {
			constant = false
		}
	}
	if n.op == sum {
		if r.sums++; r.sums > mostSums {
			r.fail(n, "the text has more than %d sums", mostSums)
		}
		constant = r.series(n, args[0], args[1], constant)
	}
	if !constant {
		return math.NaN(), false
	}
	v = n.apply(args)
	vanishes := n.op == number && v == 0 && n.value.Sign() != 0
	if math.IsNaN(v) || math.IsInf(v, 0) || vanishes {
		r.fail(n, "%s", n.undefined(args, v))
	}
	return v, true
}

// series looks at the ends of a sum, and reports whether its value is a constant as well.
func (r *reader) series(n *node, from, to float64, constant bool) bool {
	switch {
	case !constant:
		if from == from && from != math.Trunc(from) {
			r.fail(n, "the sum begins at %v, which is no whole number", from)
		}
		return false
	case from != math.Trunc(from):
		r.fail(n, "the sum begins at %v, which is no whole number", from)
	case to-from >= share(mostTerms, uint16(n.nested())):
		r.fail(n, "the sum has %.3g terms, and at most %.0f of it are added up", to-from+1,
			share(mostTerms, uint16(n.nested())))
	}
	return len(n.symbols(nil)) == 0
}

// apply computes an operation in floating point.
func (n *node) apply(args []float64) float64 {
	switch n.op {
	case number:
		v, _ := n.value.Float64()
		return v
	case sum:
		return compile(n, nil).At()
	}
	v := args[0]
	step := []instruction{{op: n.op, dst: 0, a: 0, b: 1, less: 1}}
	if len(args) == 1 {
		args = append(args, 0)
	}
	for _, b := range args[1:] {
		registers := []float64{v, b}
		run(step, registers)
		v = registers[0]
	}
	return v
}

// undefined says why an operation on numbers has no value.
func (n *node) undefined(args []float64, v float64) string {
	text := brief(n.text())
	switch {
	case n.op == number && v == 0:
		return text + " is smaller than any floating-point number"
	case n.op == logarithm:
		return text + " is not defined: a logarithm is that of a positive number"
	case n.op == root || n.op == power && args[0] < 0 && math.IsNaN(v):
		return text + " is not defined: a root is that of a number from 0 on"
	case n.op == divide && args[1] == 0, n.op == power && args[0] == 0:
		return text + " is not defined: it divides by 0"
	case n.op == sum:
		return text + " is not defined, or has too many terms"
	}
	return text + " is larger than any floating-point number"
}

// brief shortens what is quoted.
func brief(text string) string {
	if r := []rune(text); len(r) > 40 {
		return string(r[:39]) + "…"
	}
	return text
}

// summed refuses a sum of more terms than are added up, where all that is drawn is as large as it
// may be, but for one symbol that may be as small. Indices of sums around it, by their last value,
// are in last.
func (p *plan) summed(n *node, last map[string]*node) {
	for _, a := range n.args {
		inner := last
		if n.op == sum && a == n.args[2] {
			inner = maps.Clone(last)
			if inner == nil {
				inner = map[string]*node{}
			}
			inner[n.name] = n.args[1]
		}
		p.summed(a, inner)
	}
	if n.op != sum {
		return
	}
	end := func(a *node) *Program {
		for range deepest { // an index may end at another
			if !slices.ContainsFunc(a.symbols(nil), func(s string) bool { return last[s] != nil }) {
				break
			}
			a = a.mapped(func(m *node) *node { return last[m.name] })
		}
		for _, name := range a.symbols(nil) {
			if p.slot(name) < 0 {
				return nil
			}
		}
		return compile(a, p.names)
	}
	from, to := end(n.args[0]), end(n.args[1])
	if from == nil || to == nil {
		return
	}
	most := share(mostTerms, uint16(n.nested()+len(last)))
	for small := -1; small < len(p.steps); small++ {
		if small >= 0 && p.steps[small].action != draw {
			continue
		}
		values := p.corner(small)
		terms := to.At(values...) - from.At(values...) + 1
		if terms > most && !math.IsInf(terms, 0) {
			p.fail(n, "the sum may have %.3g terms, and at most %.0f of it are added up", terms,
				most)
		}
	}
}

// corner is the instance in which what is drawn is as large as its range admits, but for the step
// small, which is as small.
func (p *plan) corner(small int) []float64 {
	values := make([]float64, len(p.names))
	for i := range p.steps {
		s := &p.steps[i]
		switch known := values[:s.slot]; {
		case s.action == require:
		case s.action == define:
			values[s.slot] = s.lo.At(known...)
		case s.fixed && i == small:
			values[s.slot] = s.least
		case s.fixed:
			values[s.slot] = s.most
		case i == small:
			values[s.slot] = s.lo.At(known...)
		default:
			values[s.slot] = s.hi.At(known...)
		}
	}
	return values
}
