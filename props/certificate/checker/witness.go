package checker

import (
	"errors"
	"math/big"
	"math/rand/v2"
	"slices"

	"sledge/props/certificate"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// A statement on an empty domain is true and says nothing. So a proof for the whole domain is
// accepted only if a point of the domain is found, at which all that is assumed holds for certain.
// The search is plain: free symbols begin at simple numbers, and what a relation that fails bounds
// is moved onto its bound.

// Limits of the search for a point.
const (
	mostStarts  = 400
	mostRepairs = 60
)

var errEmpty = errors.New(
	"no point was found at which all holds that is assumed: the domain may be empty")

// witnessed returns an error unless a point of the domain is found. What inner products are may be
// given by a function that draws them; it may be nil.
func (s *statement) witnessed(products func(rng *rand.Rand, start int,
	at func(string) value) map[string]*big.Rat) {
	w := &witness{statement: s, definitions: map[string]*formula.Tree{}}
	for _, c := range s.assumed {
		if c.Relations[0] == "=" && c.Sides[0].Op == "symbol" &&
			w.definitions[c.Sides[0].Name] == nil {
			w.definitions[c.Sides[0].Name] = c.Sides[1]
		}
	}
	for start := range mostStarts {
		w.rng = rand.New(rand.NewPCG(1, uint64(start)))
		w.free = map[string]*big.Rat{}
		w.fixed = nil
		if start == 0 {
			w.span = 0
		} else {
			w.span = 1 + start%8
		}
		for _, symbol := range s.symbols {
			if w.definitions[symbol.Name] == nil {
				w.free[symbol.Name] = w.draw(symbol)
			}
		}
		if products != nil && attempt(func() {
			w.fixed = products(w.rng, start, w.evaluator().symbol)
		}) != nil {
			continue
		}
		if w.repaired() {
			return
		}
	}
	panic(errEmpty)
}

type witness struct {
	*statement
	definitions map[string]*formula.Tree
	free, fixed map[string]*big.Rat
	rng         *rand.Rand
	span        int // powers of ten over which the first values spread
}

// draw is a first value: 1, or some power of two, from below 1 for real numbers.
func (w *witness) draw(symbol certificate.Symbol) *big.Rat {
	if w.span == 0 {
		return big.NewRat(1, 1)
	}
	k := w.rng.IntN(3*w.span + 1)
	x := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(k)))
	if symbol.Kind == certificate.Real && w.rng.IntN(2) == 0 {
		x.Inv(x)
	}
	return x
}

// evaluator computes values at the point.
func (w *witness) evaluator() *evaluator {
	return at(enclosure.Precision, func(name string) *formula.Tree {
		for _, x := range []*big.Rat{w.fixed[name], w.free[name]} {
			if x != nil {
				return &formula.Tree{Op: "number", Value: x}
			}
		}
		return w.definitions[name]
	})
}

// repaired moves free symbols until all that is assumed holds for certain, and reports whether it
// does.
func (w *witness) repaired() bool {
	for range mostRepairs {
		e := w.evaluator()
		moved := false
		failed := w.failing(e)
		if failed == nil {
			return true
		}
		for _, f := range failed {
			moved = w.move(e, f) || moved
			if moved {
				break
			}
		}
		if !moved {
			return false
		}
	}
	return false
}

// failing lists what does not hold for certain; a defined count that may not be whole is a relation
// to itself.
func (w *witness) failing(e *evaluator) (out []relation) {
	for _, symbol := range w.symbols {
		if attempt(func() {
			if v := e.symbol(symbol.Name); symbol.Kind == certificate.Count && !v.isWhole() {
				refuse("%s may not be whole", symbol.Name)
			}
		}) != nil {
			t := formula.Named(symbol.Name)
			out = append(out, relation{t, t, "whole"})
		}
	}
	for _, r := range relations(w.assumed...) {
		if r.sign == "=" && r.a.Op == "symbol" && w.definitions[r.a.Name] == r.b &&
			w.fixed[r.a.Name] == nil {
			continue
		}
		told := uncertain
		_ = attempt(func() { told = e.tells(r) }) // what has no value does not hold
		if told != holds {
			out = append(out, r)
		}
	}
	return out
}

var mirrored = map[string]string{"≤": "≥", "≥": "≤", "<": ">", ">": "<", "=": "="}

// move puts a free symbol, a factor of a side, onto the bound that the other side is, or some free
// symbol of the relation elsewhere.
func (w *witness) move(e *evaluator, r relation) bool {
	if r.sign != "whole" && w.rng.IntN(8) > 0 {
		for _, turn := range w.rng.Perm(2) {
			a, b, sign := r.a, r.b, r.sign
			if turn == 1 {
				a, b, sign = b, a, mirrored[sign]
			}
			names := a.Symbols()
			for _, k := range w.rng.Perm(len(names)) {
				if name := names[k]; w.free[name] != nil && w.fixed[name] == nil {
					if limit, sign := factor(a, name, b, sign); limit != nil &&
						w.onto(e, name, limit, sign) {
						return true
					}
				}
			}
		}
	}
	var names []string
	for _, name := range append(w.reached(r.a), w.reached(r.b)...) {
		if w.free[name] != nil && w.fixed[name] == nil {
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return false
	}
	name := names[w.rng.IntN(len(names))]
	i := slices.IndexFunc(w.symbols, func(s certificate.Symbol) bool { return s.Name == name })
	if w.span++; w.span > 12 {
		w.span = 1
	}
	w.free[name] = w.draw(w.symbols[i])
	return true
}

// reached lists the symbols of a formula, and of the definitions behind it.
func (w *witness) reached(t *formula.Tree) []string {
	names := t.Symbols()
	for i := 0; i < len(names) && i < 64; i++ {
		if d := w.definitions[names[i]]; d != nil {
			for _, n := range d.Symbols() {
				if !slices.Contains(names, n) {
					names = append(names, n)
				}
			}
		}
	}
	return names
}

// factor solves a relation for a symbol that is a factor of its left side, where factors are
// positive.
func factor(a *formula.Tree, name string, b *formula.Tree, sign string) (*formula.Tree, string) {
	switch {
	case a.Op == "symbol" && a.Name == name && !slices.Contains(b.Symbols(), name):
		return b, sign
	case a.Op == "*" || a.Op == "/":
		for i, x := range a.Args {
			other := a.Args[1-i]
			if !slices.Contains(x.Symbols(), name) || slices.Contains(other.Symbols(), name) {
				continue
			}
			switch {
			case a.Op == "*":
				return factor(x, name, formula.Apply("/", b, other), sign)
			case i == 0:
				return factor(x, name, formula.Apply("*", b, other), sign)
			}
			return factor(x, name, formula.Apply("/", other, b), mirrored[sign])
		}
	case a.Op == "sqrt":
		return factor(a.Args[0], name, formula.Apply("*", b, b), sign)
	case a.Op == "^" && len(a.Args[1].Symbols()) == 0:
		return factor(a.Args[0], name,
			formula.Apply("^", b, formula.Apply("/", formula.Number(1), a.Args[1])), sign)
	}
	return nil, ""
}

// onto moves a symbol onto a limit, or a little beyond it.
func (w *witness) onto(e *evaluator, name string, limit *formula.Tree, sign string) bool {
	var v value
	if attempt(func() { v = e.of(limit) }) != nil {
		return false
	}
	x := v.exact
	if x == nil && sign == "≥" || sign == ">" {
		x = short(v.around.Upper(), true)
	} else if x == nil || sign == "<" {
		x = short(v.around.Lower(), false)
	}
	i := slices.IndexFunc(w.symbols, func(s certificate.Symbol) bool { return s.Name == name })
	step := big.NewRat(int64(1+w.rng.IntN(3)), 8)
	switch sign {
	case "<":
		x = new(big.Rat).Sub(x, new(big.Rat).Mul(step, new(big.Rat).Abs(x)))
		if x.Sign() == 0 {
			x = big.NewRat(-1, 1)
		}
	case ">":
		if x = new(big.Rat).Add(x, new(big.Rat).Mul(step, new(big.Rat).Abs(x))); x.Sign() == 0 {
			x = big.NewRat(1, 1)
		}
	}
	switch kind := w.symbols[i].Kind; {
	case kind == certificate.Count:
		x = enclosure.Whole(x, sign == "≥" || sign == ">")
		if x.Cmp(big.NewRat(1, 1)) < 0 {
			return false
		}
	case kind == certificate.Logarithmic && x.Cmp(big.NewRat(1, 1)) < 0:
		return false
	}
	if x.Cmp(w.free[name]) == 0 {
		return false
	}
	w.free[name] = x
	return true
}

// short rounds a number with many digits to one with few, in the given direction.
func short(x *big.Rat, up bool) *big.Rat {
	if x.Num().BitLen()+x.Denom().BitLen() < 200 || x.Sign() == 0 {
		return x
	}
	shift := max(0, 64+x.Denom().BitLen()-x.Num().BitLen())
	scale := new(big.Rat).SetInt(new(big.Int).Lsh(big.NewInt(1), uint(shift)))
	return new(big.Rat).Quo(enclosure.Whole(new(big.Rat).Mul(x, scale), up), scale)
}
