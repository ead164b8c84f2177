package formula

import (
	"fmt"
	"sync"

	"sledge/props"
)

// Formula is an expression over a vocabulary. It is not changed by its use and may be shared.
type Formula struct {
	v    *Vocabulary
	tree *node
	own  func() *Program // of its symbols, compiled at the first call
}

// Parse reads a formula. The error is an [*Error], which says where the text is wrong, or a
// [*Mismatch] of units.
func Parse(v *Vocabulary, text string) (*Formula, error) {
	n, err := parseOne(v, text)
	if err == nil {
		err = computable(text, []clause{{sides: []*node{n}}})
	}
	if err != nil {
		return nil, err
	}
	if _, _, err := v.unit(n); err != nil {
		return nil, err
	}
	own := sync.OnceValue(func() *Program { return compile(n, n.symbols(nil)) })
	return &Formula{v, n, own}, nil
}

// Must is Parse for the texts of programs. It panics where Parse returns an error.
func Must(v *Vocabulary, text string) *Formula { return props.Must(Parse(v, text)) }

// String writes the formula in the notation of the paper. [Parse] reads it as the same formula.
func (f *Formula) String() string { return f.tree.text() }

// Unit returns the unit of the formula.
func (f *Formula) Unit() props.Unit {
	u, _, _ := f.v.unit(f.tree)
	return u
}

// Symbols returns the names of the symbols in the formula, in order of appearance.
func (f *Formula) Symbols() []string { return f.tree.symbols(nil) }

// Of returns the formula as a function of the given symbols, in their order. It panics if the
// formula has others.
func (f *Formula) Of(names ...string) *Program { return compile(f.tree, names) }

// At returns the value of the formula for given values of its symbols. It panics if one is missing.
// Repeated evaluations are faster by [Formula.Of].
func (f *Formula) At(values map[string]float64) float64 {
	p := f.own()
	arguments := make([]float64, len(p.arguments))
	for i, name := range p.arguments {
		v, ok := values[name]
		if !ok {
			panic(fmt.Sprintf("formula: %s has no value in %s", name, f))
		}
		arguments[i] = v
	}
	return p.At(arguments...)
}

// Statement is a claim in formulas: premises, and a conclusion that follows from them.
type Statement struct {
	v          *Vocabulary
	premises   []clause
	conclusion clause
}

// ParseStatement reads clauses that are separated by commas, semicolons, "implies" or ⇒. The last
// one is the conclusion, a relation; or the first, if "if" follows it. Units are not checked here:
// see [Statement.Units].
func ParseStatement(v *Vocabulary, text string) (*Statement, error) {
	clauses, err := parseClauses(v, text, ",", ";", "implies", "⇒", "if ")
	if err == nil {
		err = computable(text, clauses)
	}
	if err != nil {
		return nil, err
	}
	for _, c := range clauses {
		if len(c.relations) == 0 {
			return nil, &Error{text, max(c.sides[0].at, 1),
				fmt.Sprintf("%s is no statement", c.sides[0].text())}
		}
	}
	last := len(clauses) - 1
	return &Statement{v, clauses[:last], clauses[last]}, nil
}

// Units derives the units of all formulas in the statement. The error is a [*Mismatch].
func (s *Statement) Units() error {
	for _, c := range append(s.premises[:len(s.premises):len(s.premises)], s.conclusion) {
		if err := s.v.check(c); err != nil {
			return err
		}
	}
	return nil
}

// String writes the statement in the notation of the paper. [ParseStatement] reads it as the same
// statement.
func (s *Statement) String() string { return s.write("; ", clause.text) }

// Marked writes the statement as String does, with its formulas between dollar signs.
func (s *Statement) Marked() string {
	return s.write(", ", func(c clause) string { return "$" + c.text() + "$" })
}

func (s *Statement) write(comma string, set func(clause) string) string {
	text := ""
	for i, c := range s.premises {
		if i > 0 {
			text += comma
		}
		text += set(c)
	}
	if text != "" {
		text += " implies "
	}
	return text + set(s.conclusion)
}
