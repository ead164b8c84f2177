package formula

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/props"
)

// Scene is a construction on which statements are tried whose sides are formulas in its sizes and
// in what is measured on it, such as the norm of a gradient at a point or the gradients that a
// method has asked for.
type Scene struct {
	Words *Vocabulary       // the symbols, with their units
	Said  string            // what is drawn
	Sizes []string          // symbols that every instance has
	Means map[string]string // what is measured besides, and what each of it is
	// Draw draws an instance and has the statement tried on it, once or under several names. It
	// skips an instance that says nothing.
	Draw   func(src *props.Source, rec *props.Recorder, try func(name string, of Measure))
	Effort float64 // 0 means 1
	// Whole says that symbols are whole numbers, below 2^53, or roots of such: then sides without
	// roots are compared exactly.
	Whole bool
}

// Measure returns what a symbol comes to on an instance, and the size of the numbers that it was
// computed from, 0 where that is its own. It is asked for the symbols of a statement alone.
type Measure func(symbol string) (value, size float64)

// sides are two neighbouring sides of a clause as functions of the symbols in them.
type sides struct {
	what, relation string
	of             [2]*Program
	symbols        []string
}

// Check makes the check of a statement on the scene: relations ≤, ≥ and =, all of which are
// compared, and behind "if" premises that are not. Domain says what is drawn and what the symbols
// of the statement mean. The error is an *[Error] or a *[Mismatch].
func (s *Scene) Check(text string) (check props.Check, domain string, err error) {
	said, given, _ := strings.Cut(text, " if ")
	claimed, err := s.read(said)
	if err != nil {
		return nil, "", err
	}
	given = strings.Repeat(" ", utf8.RuneCountInString(text)-utf8.RuneCountInString(given)) + given
	premises, err := s.read(given)
	if err != nil {
		return nil, "", err
	}
	if len(claimed) == 0 {
		return nil, "", &Error{Text: text, Column: 1, What: "a relation is wanted"}
	}
	domain = s.Said
	var explained []string
	for _, p := range slices.Concat(claimed, premises) {
		for _, name := range p.symbols {
			if what := s.Means[name]; what != "" && !slices.Contains(explained, name) {
				explained = append(explained, name)
				domain += "; $" + name + "$: " + what
			}
		}
	}
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s.Draw(src, rec, func(name string, of Measure) {
			for i := range premises {
				left, right, _ := premises[i].at(of)
				if !satisfies(premises[i].relation, left, right) {
					rec.Skip(premises[i].what + " does not hold")
					return
				}
			}
			for i := range claimed {
				claimed[i].compare(rec, name, of, s.Whole)
			}
		})
	}).Effort(cmp.Or(s.Effort, 1)), domain, nil
}

// read reads relations in what is known of an instance.
func (s *Scene) read(text string) (all []sides, err error) {
	clauses, err := s.Words.Relations(text)
	if err != nil {
		return nil, err
	}
	fail := func(side *Tree, what string) error {
		return &Error{Text: text, Column: max(1, side.At), What: what}
	}
	for _, c := range clauses {
		if err := s.Words.Units(c); err != nil {
			return nil, err
		}
		if len(c.Relations) == 0 {
			return nil, fail(c.Sides[0], "a relation is wanted")
		}
		for i := range c.Relations {
			part := c.Part(i)
			p := sides{what: part.String(), relation: part.Relations[0]}
			if !slices.Contains([]string{"≤", "≥", "="}, p.relation) || part.Sides[1].Op == "order" {
				return nil, fail(part.Sides[0], "what is measured is compared by one of ≤, ≥ and =")
			}
			for _, side := range part.Sides {
				for _, name := range side.Symbols() {
					if _, measured := s.Means[name]; !measured && !slices.Contains(s.Sizes, name) {
						return nil, fail(side, fmt.Sprintf("%s is not known here; known are %s", name,
							strings.Join(append(slices.Clone(s.Sizes),
								slices.Sorted(maps.Keys(s.Means))...), ", ")))
					}
					if !slices.Contains(p.symbols, name) {
						p.symbols = append(p.symbols, name)
					}
				}
			}
			p.of = [2]*Program{part.Sides[0].Of(p.symbols...), part.Sides[1].Of(p.symbols...)}
			all = append(all, p)
		}
	}
	return all, nil
}

// at computes both sides, and the largest size of what is in them.
func (p *sides) at(of Measure) (left, right, size float64) {
	values := make([]float64, len(p.symbols))
	for i, symbol := range p.symbols {
		computed := 0.0
		values[i], computed = of(symbol)
		size = max(size, computed)
	}
	return p.of[0].At(values...), p.of[1].At(values...), size
}

func (p *sides) compare(rec *props.Recorder, name string, of Measure, whole bool) {
	left, right, size := p.at(of)
	what, record := p.what, rec.Equal
	if name != "" {
		what = name + ": " + what
	}
	switch p.relation {
	case "≤":
		record = rec.AtMost
	case "≥":
		record = rec.AtLeast
	}
	pair := record(what, left, right).Scale(size)
	if !whole {
		return
	}
	values := make([]Radical, len(p.symbols))
	for i, symbol := range p.symbols {
		v, _ := of(symbol)
		square := new(big.Rat).SetFloat64(math.Round(v * v))
		values[i] = props.Must(fromRat(square).pow(big.NewRat(1, 2)))
	}
	pair.Exactly(func() (measured, claimed *big.Rat) {
		a, wrong := p.of[0].exact(values)
		b, also := p.of[1].exact(values)
		measured, known := a.Rat()
		claimed, rational := b.Rat()
		if wrong != nil || also != nil || !known || !rational {
			return nil, nil
		}
		return measured, claimed
	})
}
