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
// accepted only if a point of the domain is found, at which all that is assumed holds for certain:
// see repair and meets, nothing else here needs to be believed. The search is plain: free symbols
// begin at 1 or at powers of two, real ones in turn above and below 1, and where a relation fails
// one of its symbols is multiplied by the ratio of the sides, by a power of two or by the opposite
// of one so that it holds, or else by anything.

// Limits of the search for a point.
const (
	mostStarts  = 400
	mostRepairs = 40
	mostDoubled = 40
	mostSought  = 20 * mostSteps // operations on numbers
)

// ErrEmpty refuses a proof of what may say nothing.
var ErrEmpty = errors.New(
	"no point was found at which all holds that is assumed: the domain may be empty")

// witness is the point that a search is at.
type witness struct {
	*statement
	definitions map[string]*formula.Tree
	free, fixed map[string]*big.Rat
	rng         *rand.Rand
	steps       int
}

// witnessed refuses unless a point of the domain is found. What inner products are may be given by
// a function that draws them; it may be nil.
func (s *statement) witnessed(products func(rng *rand.Rand, start int,
	at func(string) value) map[string]*big.Rat) {
	w := &witness{statement: s, definitions: map[string]*formula.Tree{}}
	for _, c := range s.assumed {
		if name := c.Sides[0].Name; c.Relations[0] == "=" && c.Sides[0].Op == "symbol" &&
			w.definitions[name] == nil {
			w.definitions[name] = c.Sides[1]
		}
	}
	for start := range mostStarts {
		w.rng = rand.New(rand.NewPCG(1, uint64(start)))
		w.free, w.fixed = map[string]*big.Rat{}, nil
		for _, symbol := range s.symbols {
			if w.definitions[symbol.Name] == nil {
				power := big.NewRat(1<<w.rng.IntN(3*(start%8)+1), 1)
				if symbol.Kind == certificate.Real && start%2 == 1 {
					power.Inv(power)
				}
				w.free[symbol.Name] = power
			}
		}
		err := attempt(func() {
			if products != nil {
				w.fixed = products(w.rng, start, w.evaluator().symbol)
			}
			w.repair()
		})
		if err == nil {
			return
		}
	}
	panic(ErrEmpty)
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

// repair moves free symbols until all that is assumed holds for certain, and refuses where it does
// not get there.
func (w *witness) repair() {
	demands := relations(w.assumed...)
	for _, symbol := range w.symbols {
		t := formula.Named(symbol.Name)
		demands = append(demands, relation{t, t, symbol.Kind})
	}
	for range mostRepairs {
		i := slices.IndexFunc(demands, func(r relation) bool { return !w.meets(r) })
		if i < 0 {
			return
		}
		w.move(demands[i])
	}
	panic(ErrEmpty)
}

// meets reports whether a demand on the point is met for certain: a relation, or that a symbol has
// a value of its kind.
func (w *witness) meets(r relation) (is bool) {
	if r.sign == "=" && w.fixed[r.a.Name] == nil && r.a.Op == "symbol" &&
		w.definitions[r.a.Name] == r.b {
		return true
	}
	e := w.evaluator()
	_ = attempt(func() { // what has no value does not hold
		if r.a == r.b {
			is = e.of(r.a).isWhole() || r.sign != certificate.Count
		} else {
			is = e.tells(r) == holds
		}
	})
	if w.steps += 10 + e.steps; w.steps > mostSought {
		panic(ErrEmpty)
	}
	return is
}

// move moves a free symbol of a demand, by the ratio of its sides, the power of two nearest to
// 1 or the opposite of one with which it is met, or else by any.
func (w *witness) move(r relation) {
	names := append(r.a.Symbols(), r.b.Symbols()...)
	for i := 0; i < len(names); i++ { // and those of definitions behind it
		if d := w.definitions[names[i]]; d != nil && len(names) < 64 {
			names = append(names, d.Symbols()...)
		}
	}
	names = slices.DeleteFunc(names, func(name string) bool {
		return w.free[name] == nil || w.fixed[name] != nil
	})
	if len(names) == 0 {
		panic(ErrEmpty)
	}
	w.rng.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
	var factors []*big.Rat
	_ = attempt(func() { // onto the bound, if it is a bound of a multiple of the symbol
		e := w.evaluator()
		if ratio := e.does("/", e.of(r.a), e.of(r.b)).exact; ratio != nil {
			factors = append(factors, new(big.Rat).Inv(ratio), ratio)
		}
	})
	for _, sign := range []int64{1, -1} {
		for k := 0; k < mostDoubled; k += 1 + k/3 {
			factors = append(factors, big.NewRat(sign<<k, 1), big.NewRat(sign, 1<<k))
		}
	}
	for _, x := range factors {
		for _, name := range names {
			was := w.free[name]
			if w.scale(name, x); w.meets(r) {
				return
			}
			w.free[name] = was
		}
	}
	w.scale(names[0], big.NewRat(1<<w.rng.IntN(6), 1<<w.rng.IntN(6)))
}

// scale multiplies a free symbol by a fraction, or leaves it where it is no real number and would
// leave its kind.
func (w *witness) scale(name string, times *big.Rat) {
	x := new(big.Rat).Mul(w.free[name], times)
	i := slices.IndexFunc(w.symbols, func(s certificate.Symbol) bool { return s.Name == name })
	least := x.Cmp(big.NewRat(1, 1)) >= 0
	switch kind := w.symbols[i].Kind; {
	case kind == certificate.Real, least && (x.IsInt() || kind == certificate.Logarithmic):
		w.free[name] = x
	}
}
