package checker

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"sledge/props/certificate"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// precisions are the bits of intervals that are tried in turn.
var precisions = [...]uint{enclosure.Precision, 4 * enclosure.Precision, 16 * enclosure.Precision}

// point accepts values of the symbols at which everything that is assumed holds for certain and the
// conclusion fails for certain.
func point(c *certificate.Certificate) {
	if !c.Refutes {
		refuse("a single point proves nothing")
	}
	s := read(c)
	values := map[string]*formula.Tree{}
	for name, text := range decode[certificate.PointProof](c).Values {
		values[name] = try(s.reader.Tree(text))
	}
	for _, symbol := range s.symbols {
		if values[symbol.Name] == nil {
			refuse("%s has no value", symbol.Name)
		}
	}
	if len(values) != len(s.symbols) {
		refuse("a value belongs to no symbol")
	}
	var err, unsure error
	for _, bits := range precisions {
		if unsure = attempt(func() { err = s.failsAt(values, bits) }); unsure == nil {
			break
		}
	}
	if err = cmp.Or(unsure, err); err != nil {
		panic(err)
	}
}

// failsAt returns nil if the statement fails at a point for certain, and an error if for certain it
// does not. It refuses what is not certain, which may be with more bits.
func (s *statement) failsAt(values map[string]*formula.Tree, bits uint) error {
	e := at(bits, func(name string) *formula.Tree { return values[name] })
	for _, symbol := range s.symbols {
		if v := e.symbol(symbol.Name); symbol.Kind == certificate.Count && !v.isWhole() {
			refuse("%s is not known to be a whole number", symbol.Name)
		}
	}
	for _, r := range relations(s.assumed...) {
		if r.sign == "=" && r.a.Op == "symbol" && values[r.a.Name].Equal(r.b) {
			continue // the value is written as the definition
		}
		switch e.tells(r) {
		case uncertain:
			refuse("it is not certain that %v %s %v at the point", r.a, r.sign, r.b)
		case fails:
			return fmt.Errorf("not %v %s %v at the point", r.a, r.sign, r.b)
		}
	}
	told := []verdict{}
	for _, r := range relations(s.conclusion) {
		told = append(told, e.tells(r))
	}
	switch {
	case slices.Contains(told, fails):
		return nil
	case slices.Contains(told, uncertain):
		refuse("it is not certain that the conclusion fails at the point")
	}
	return errors.New("the conclusion holds at the point")
}

// relation is one between two formulas.
type relation struct {
	a, b *formula.Tree
	sign string
}

// relations are those of clauses. To be in a range is two.
func relations(clauses ...formula.Clause) (out []relation) {
	for _, c := range clauses {
		for i, sign := range c.Relations {
			a, b := c.Sides[i], c.Sides[i+1]
			if sign == "∈" {
				out = append(out, relation{a, b.Args[0], "≥"}, relation{a, b.Args[1], "≤"})
			} else {
				out = append(out, relation{a, b, sign})
			}
		}
	}
	return out
}

// at returns an evaluator at a point, where each symbol is a formula in others; nil is none.
func at(bits uint, of func(name string) *formula.Tree) *evaluator {
	known, busy := map[string]value{}, map[string]bool{}
	e := &evaluator{bits: bits}
	e.symbol = func(name string) value {
		v, done := known[name]
		if done {
			return v
		}
		t := of(name)
		if t == nil || busy[name] {
			refuse("%s has no value, or one that depends on itself", name)
		}
		busy[name] = true
		v = e.of(t)
		known[name] = v
		return v
	}
	return e
}

// tells says whether a relation holds at the point.
func (e *evaluator) tells(r relation) verdict { return relate(e.of(r.a), r.sign, e.of(r.b)) }
