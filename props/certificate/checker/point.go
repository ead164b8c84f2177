package checker

import (
	"errors"
	"fmt"

	"sledge/props/certificate"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// precisions are the bits of intervals that are tried in turn.
var precisions = [...]uint{enclosure.Precision, 4 * enclosure.Precision, 16 * enclosure.Precision}

// point accepts values of the symbols at which everything that is assumed holds for certain and the
// conclusion fails for certain.
func point(c *certificate.Certificate) error {
	if !c.Refutes {
		return errors.New("a single point proves nothing")
	}
	s, err := read(c)
	if err != nil {
		return err
	}
	var proof certificate.PointProof
	if err := decode(c, &proof); err != nil {
		return err
	}
	values := map[string]*formula.Tree{}
	for name, text := range proof.Values {
		if values[name], err = s.reader.Tree(text); err != nil {
			return err
		}
	}
	for _, symbol := range s.symbols {
		if values[symbol.Name] == nil {
			return fmt.Errorf("%s has no value", symbol.Name)
		}
	}
	if len(values) != len(s.symbols) {
		return errors.New("a value belongs to no symbol")
	}
	for _, bits := range precisions {
		var undecided bool
		if undecided, err = s.failsAt(values, bits); !undecided {
			break
		}
	}
	return err
}

// failsAt returns nil if the statement fails at a point for certain. What is undecided may be clear
// with more bits.
func (s *statement) failsAt(values map[string]*formula.Tree,
	bits uint) (undecided bool, err error) {
	e := at(bits, func(name string) *formula.Tree { return values[name] })
	for _, symbol := range s.symbols {
		v, err := e.symbol(symbol.Name)
		switch {
		case err != nil:
			return true, err
		case symbol.Kind == certificate.Count && (v.exact == nil || !v.exact.IsInt()):
			return true, fmt.Errorf("%s is not known to be a whole number", symbol.Name)
		}
	}
	for _, clause := range s.assumed {
		for i, relation := range clause.Relations {
			a, b := clause.Sides[i], clause.Sides[i+1]
			if relation == "=" && a.Op == "symbol" && values[a.Name].Equal(b) {
				continue // the value is written as the definition
			}
			if undecided, err = e.assume(a, relation, b); err != nil {
				return undecided, err
			}
		}
	}
	for i, relation := range s.conclusion.Relations {
		v, err := e.relation(s.conclusion.Sides[i], relation, s.conclusion.Sides[i+1])
		if err != nil {
			return true, err
		}
		if v == fails {
			return false, nil
		}
		undecided = undecided || v == uncertain
	}
	if undecided {
		return true, errors.New("it is not certain that the conclusion fails at the point")
	}
	return false, errors.New("the conclusion holds at the point")
}

// at returns an evaluator at a point, where each symbol is a formula in others; nil is none.
func at(bits uint, of func(name string) *formula.Tree) *evaluator {
	known, busy := map[string]value{}, map[string]bool{}
	e := &evaluator{bits: bits}
	e.symbol = func(name string) (v value, err error) {
		if v, ok := known[name]; ok {
			return v, nil
		}
		t := of(name)
		if t == nil || busy[name] {
			return v, fmt.Errorf("%s has no value, or one that depends on itself", name)
		}
		busy[name] = true
		if v, err = e.of(t); err == nil {
			known[name] = v
		}
		return v, err
	}
	return e
}

// assume returns an error unless a relation holds for certain.
func (e *evaluator) assume(a *formula.Tree, relation string,
	b *formula.Tree) (undecided bool, err error) {
	if relation == "∈" {
		if undecided, err = e.assume(a, "≥", b.Args[0]); err != nil {
			return undecided, err
		}
		return e.assume(a, "≤", b.Args[1])
	}
	v, err := e.relation(a, relation, b)
	switch {
	case err != nil:
		return true, err
	case v == holds:
		return false, nil
	case v == uncertain:
		return true, fmt.Errorf("it is not certain that %v %s %v at the point", a, relation, b)
	}
	return false, fmt.Errorf("not %v %s %v at the point", a, relation, b)
}

func (e *evaluator) relation(a *formula.Tree, relation string, b *formula.Tree) (verdict, error) {
	x, err := e.of(a)
	if err != nil {
		return uncertain, err
	}
	y, err := e.of(b)
	if err != nil {
		return uncertain, err
	}
	return relate(x, relation, y), nil
}
