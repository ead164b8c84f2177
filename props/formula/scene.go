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
	"sledge/props/certificate"
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
	Draw func(src *props.Source, rec *props.Recorder, try func(name string, on Values))
	// Exact draws one in the place of Draw whose symbols are rational numbers, or goes through all
	// instances of some sizes, if Scope says so, and without a source. Then sides without roots and
	// logarithms are compared, exactly.
	Exact  func(src *props.Source, try func(on Ratios))
	Scope  certificate.Scope                      // of what all instances prove; none where they are drawn
	Sized  string                                 // sizes that are all gone through beside drawn ones
	Settle func(statement string) props.Procedure // what settles one that no instance contradicts
	Effort float64                                // 0 means 1
	// Along draws one in the place of Draw of which vectors are compared, by = alone: the symbols have
	// the values of each coordinate in turn, computed from numbers of the size.
	Along func(src *props.Source, rec *props.Recorder, try func(name string, on []Values, size float64))
	// Whole says that symbols are whole numbers, below 2^53, or roots of such: then sides without
	// roots are compared exactly.
	Whole bool
}

// Values are what symbols come to on an instance, each with the size of the numbers that it was
// computed from, 0 where that is its own. One is computed when a statement asks for it, and once.
type Values map[string]func() (value, size float64)

// Ratios are the symbols of an instance, as rational numbers.
type Ratios map[string]*big.Rat

// Given are values that are known.
func Given(known map[string]float64) Values {
	v := Values{}
	for symbol, value := range known {
		v.Is(symbol, value)
	}
	return v
}

// Is gives a symbol a value.
func (v Values) Is(symbol string, value float64) {
	v[symbol] = func() (float64, float64) { return value, 0 }
}

// Of returns what a symbol comes to. It panics if nothing gives it a value.
func (v Values) Of(symbol string) (value, size float64) {
	compute, known := v[symbol]
	if !known {
		panic("formula: nothing gives a value to " + symbol)
	}
	value, size = compute()
	v[symbol] = func() (float64, float64) { return value, size }
	return value, size
}

// Once is the Draw of a scene that is tried once on each instance, on none where there are no
// values.
func Once(draw func(src *props.Source, rec *props.Recorder) Values) func(src *props.Source,
	rec *props.Recorder, try func(name string, on Values)) {
	return func(src *props.Source, rec *props.Recorder, try func(name string, on Values)) {
		if on := draw(src, rec); on != nil {
			try("", on)
		}
	}
}

// Relation is two neighbouring sides of a clause as functions of the symbols in them.
type Relation struct {
	What, Left string // as they are said, and the left side alone
	Sign       string // ≤, ≥ or =
	Symbols    []string
	sides      [2]*Program
}

// Relations are those of a statement.
type Relations []Relation

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
	domain = s.Said + slices.Concat(claimed, premises).Explained(func(symbol string) string {
		return s.Means[symbol]
	})
	if s.Exact != nil {
		check, err = s.exactly(text, claimed, premises)
		return check, domain, err
	}
	made := props.Inequality(func(src *props.Source, rec *props.Recorder) {
		compared, unmet := false, ""
		s.Draw(src, rec, func(name string, on Values) {
			for i := range premises {
				left, right, _ := premises[i].At(on.Of)
				if !satisfies(premises[i].Sign, left, right) {
					unmet = premises[i].What + " does not hold"
					return
				}
			}
			compared = true
			for i := range claimed {
				claimed[i].Compare(rec, name, on.Of, s.Whole)
			}
		})
		if !compared && unmet != "" {
			rec.Skip(unmet)
		}
	})
	if s.Along != nil {
		if len(premises) > 0 || slices.ContainsFunc(claimed, func(r Relation) bool { return r.Sign != "=" }) {
			return nil, "", &Error{Text: text, Column: 1, What: "vectors are compared by = alone"}
		}
		made = s.vectors(claimed)
	}
	if made.Effort(cmp.Or(s.Effort, 1)); s.Settle != nil {
		if by := s.Settle(strings.TrimSpace(text)); by != nil {
			made = props.Settled(made, by)
		}
	}
	return made, domain, nil
}

// vectors makes the check of equations between vectors.
func (s *Scene) vectors(claimed Relations) *props.Deterministic {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		s.Along(src, rec, func(name string, on []Values, size float64) {
			for _, r := range claimed {
				var sides [2][]float64
				for _, at := range on {
					left, right, _ := r.At(at.Of)
					sides[0], sides[1] = append(sides[0], left), append(sides[1], right)
				}
				rec.EqualVectors(r.under(name), sides[0], sides[1]).Scale(size)
			}
		})
	})
}

// exactly makes the check of relations between rational numbers.
func (s *Scene) exactly(text string, claimed, premises Relations) (check props.Check, err error) {
	at := Ratios{}
	for k, symbol := range claimed.Symbols() {
		at[symbol] = big.NewRat(int64(1000+k*k), 7)
		if known, _ := s.Words.Symbol(symbol); known.Kind == Count { // which may be an exponent
			at[symbol] = big.NewRat(int64(103+97*k), 1)
		}
	}
	for i := range claimed {
		if _, _, err := claimed[i].ratios(at); err != nil || len(premises) > 0 {
			return nil, &Error{Text: text, Column: 1, What: "what is known exactly is compared by " +
				"sums, products and quotients of it, without premises"}
		}
	}
	each := func(src *props.Source, visit func(r *Relation, left, right *big.Rat)) {
		s.Exact(src, func(on Ratios) {
			for i := range claimed {
				left, right, err := claimed[i].ratios(on)
				if err != nil {
					panic(fmt.Sprintf("formula: %s: %v", claimed[i].What, err))
				}
				visit(&claimed[i], left, right)
			}
		})
	}
	signs := map[string]props.Relation{"≤": props.LE, "≥": props.GE, "=": props.EQ}
	try := func(src *props.Source, rec *props.Recorder) {
		each(src, func(r *Relation, left, right *big.Rat) { rec.Rats(r.What, left, signs[r.Sign], right) })
	}
	enumerated := func(rec *props.Recorder) { try(nil, rec) }
	switch s.Scope {
	case certificate.Sizes:
		check = props.ExactSizes(s.Said, enumerated)
	case certificate.Instances:
		check = props.Exact(s.Said, enumerated)
	case certificate.All:
		check = props.ExactWhole(s.Said, enumerated)
	default:
		check = props.Inequality(try).Effort(cmp.Or(s.Effort, 1))
		if s.Sized != "" {
			check = props.Settled(check, props.ExactSizes(s.Sized, enumerated).Procedure())
		}
	}
	if s.Settle == nil {
		return check, nil
	}
	if by := s.Settle(strings.TrimSpace(text)); by != nil {
		check = props.Settled(check, func(tier props.Tier) (*certificate.Certificate, string) {
			holds := true
			if s.Scope != "" {
				each(nil, func(r *Relation, left, right *big.Rat) {
					holds = holds && satisfies(r.Sign, float64(left.Cmp(right)), 0)
				})
			}
			if !holds {
				return nil, "an instance contradicts it"
			}
			return by(tier)
		})
	}
	return check, nil
}

// ratios are both sides at rational numbers.
func (r *Relation) ratios(on Ratios) (left, right *big.Rat, err error) {
	values, out := make([]Radical, len(r.Symbols)), [2]*big.Rat{}
	for i, symbol := range r.Symbols {
		if on[symbol] == nil {
			return nil, nil, fmt.Errorf("nothing gives a value to %s", symbol)
		}
		values[i] = fromRat(on[symbol])
	}
	for k, side := range r.sides {
		value, err := side.exact(values)
		if err != nil {
			return nil, nil, err
		}
		var rational bool
		if out[k], rational = value.Rat(); !rational {
			return nil, nil, fmt.Errorf("%v is not rational", value)
		}
	}
	return out[0], out[1], nil
}

// read reads relations in what is known of an instance.
func (s *Scene) read(text string) (Relations, error) {
	return s.Words.Measured(text, []string{"≤", "≥", "="}, func(symbol string) string {
		if s.Means[symbol] != "" || slices.Contains(s.Sizes, symbol) {
			return ""
		}
		return fmt.Sprintf("%s is not known here; known are %s", symbol, strings.Join(
			append(slices.Clone(s.Sizes), slices.Sorted(maps.Keys(s.Means))...), ", "))
	})
}

// Measured reads relations with some of the signs ≤, ≥ and =, which compare what is measured; wrong
// says what is wrong with a symbol, if anything. The error is an *[Error] or a *[Mismatch].
func (v *Vocabulary) Measured(text string, signs []string,
	wrong func(symbol string) string) (all Relations, err error) {
	clauses, err := v.Relations(text)
	if err != nil {
		return nil, err
	}
	fail := func(side *Tree, what string) error {
		return &Error{Text: text, Column: max(1, side.At), What: what}
	}
	for _, c := range clauses {
		if err := v.Units(c); err != nil {
			return nil, err
		}
		if len(c.Relations) == 0 {
			return nil, fail(c.Sides[0], "a relation is wanted")
		}
		for i := range c.Relations {
			part := c.Part(i)
			r := Relation{What: part.String(), Left: part.Sides[0].String(), Sign: part.Relations[0]}
			if !slices.Contains(signs, r.Sign) || part.Sides[1].Op == "order" {
				return nil, fail(part.Sides[0], "what is measured is compared by "+
					strings.Join(signs, " or "))
			}
			for _, side := range part.Sides {
				for _, symbol := range side.Symbols() {
					if what := wrong(symbol); what != "" {
						return nil, fail(side, what)
					}
					if !slices.Contains(r.Symbols, symbol) {
						r.Symbols = append(r.Symbols, symbol)
					}
				}
			}
			r.sides = [2]*Program{part.Sides[0].Of(r.Symbols...), part.Sides[1].Of(r.Symbols...)}
			all = append(all, r)
		}
	}
	return all, nil
}

// Symbols are those of all relations.
func (all Relations) Symbols() (symbols []string) {
	for _, r := range all {
		for _, symbol := range r.Symbols {
			if !slices.Contains(symbols, symbol) {
				symbols = append(symbols, symbol)
			}
		}
	}
	return symbols
}

// Explained says what symbols are, of which something is to be said.
func (all Relations) Explained(what func(symbol string) string) (said string) {
	for _, symbol := range all.Symbols() {
		if what := what(symbol); what != "" {
			said += "; $" + symbol + "$: " + what
		}
	}
	return said
}

// At computes both sides, and the largest size of what is in them.
func (r *Relation) At(of func(symbol string) (value, size float64)) (left, right, size float64) {
	values := make([]float64, len(r.Symbols))
	for i, symbol := range r.Symbols {
		computed := 0.0
		values[i], computed = of(symbol)
		size = max(size, computed)
	}
	return r.sides[0].At(values...), r.sides[1].At(values...), size
}

// under is what the relation says, under the name of one of several instances.
func (r *Relation) under(name string) string {
	if name == "" {
		return r.What
	}
	return name + ": " + r.What
}

// Compare records both sides, under their words and the name of one of several instances; exactly
// where symbols are whole numbers or roots of such, as [Scene.Whole] says.
func (r *Relation) Compare(rec *props.Recorder, name string,
	of func(symbol string) (value, size float64), whole bool) *props.Pair {
	left, right, size := r.At(of)
	pair := comparing(rec, r.Sign)(r.under(name), left, right).Scale(size)
	if !whole {
		return pair
	}
	values := make([]Radical, len(r.Symbols))
	for i, symbol := range r.Symbols {
		v, _ := of(symbol)
		square := new(big.Rat).SetFloat64(math.Round(v * v))
		values[i] = props.Must(fromRat(square).pow(big.NewRat(1, 2)))
	}
	return pair.Exactly(func() (measured, claimed *big.Rat) {
		a, wrong := r.sides[0].exact(values)
		b, also := r.sides[1].exact(values)
		measured, known := a.Rat()
		claimed, rational := b.Rat()
		if wrong != nil || also != nil || !known || !rational {
			return nil, nil
		}
		return measured, claimed
	})
}
