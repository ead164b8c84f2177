package checker

import (
	"maps"
	"math/big"
	"math/rand/v2"
	"slices"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// quadratic accepts a statement about inner products whose sides differ by what is evidently not
// negative. All is multiplied out: products of unknown vectors become symbols of their own, the
// same in both orders.
func quadratic(c *certificate.Certificate) {
	if c.Refutes {
		refuse("a sum of squares refutes nothing")
	}
	proof := decode[certificate.QuadraticProof](c)
	q := &squares{statement: read(c), vectors: proof.Vectors, meaning: map[string]*formula.Tree{},
		pairs: map[string][2]string{}}
	q.define(c, proof.Products)
	all := q.conclusion.Inequalities()
	if i := slices.IndexFunc(all, func(x formula.Inequality) bool { return x.Strict }); i >= 0 {
		refuse("a sum of squares does not show %v", all[i])
	}
	if len(all) == 0 || len(all) != len(proof.By) {
		refuse("%d relations are shown, the conclusion has %d", len(proof.By), len(all))
	}
	for i, x := range all {
		q.shows(x, proof.By[i])
	}
	q.witnessed(q.draw)
}

// draw puts vectors of two dimensions in place of the unknown ones, at first all 0, and returns
// what their inner products are.
func (q *squares) draw(rng *rand.Rand, start int, at func(string) value) map[string]*big.Rat {
	vectors := map[string][2]int64{}
	for _, name := range q.vectors {
		if start > 0 {
			vectors[name] = [2]int64{rng.Int64N(7) - 3, rng.Int64N(7) - 3}
		}
	}
	e := &evaluator{bits: enclosure.Precision}
	e.symbol = func(name string) value {
		if pair, product := q.pairs[name]; product {
			u, v := vectors[pair[0]], vectors[pair[1]]
			return e.whole(u[0]*v[0] + u[1]*v[1])
		}
		return at(name)
	}
	out := map[string]*big.Rat{}
	for name, m := range q.meaning {
		if out[name] = e.of(m).exact; out[name] == nil {
			panic(ErrEmpty)
		}
	}
	return out
}

// squares is a statement whose symbols may be inner products.
type squares struct {
	*statement
	vectors []string
	all     *formula.Vocabulary // of symbols and vectors
	// of the symbols that are products: formulas in products of two vectors
	meaning map[string]*formula.Tree
	pairs   map[string][2]string // these, by the names that stand for them, which no symbol has
	theory  *algebra.Theory
}

// define reads the vectors and the products.
func (q *squares) define(c *certificate.Certificate, products map[string][2]string) {
	wide := *c
	wide.Symbols = slices.Clone(c.Symbols)
	for _, name := range q.vectors {
		wide.Symbols = append(wide.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
	}
	q.all = try(formula.Reader(&wide)) // which refuses names given twice
	var known []formula.Clause
	for _, name := range slices.Sorted(maps.Keys(products)) {
		of := products[name]
		i := slices.IndexFunc(c.Symbols, func(s certificate.Symbol) bool { return s.Name == name })
		switch {
		case i < 0 || c.Symbols[i].Kind != certificate.Real:
			refuse("the product %s is no real symbol", name)
		case c.Symbols[i].Means != certificate.Inner(of):
			refuse("%s is used as %s, which the certificate does not say", name,
				certificate.Inner(of))
		}
		q.meaning[name] = q.inner(of[0], of[1])
		known = append(known, formula.Clause{Relations: []string{"="},
			Sides: []*formula.Tree{formula.Named(name), q.meaning[name]}})
	}
	for name, m := range q.meaning {
		for _, factor := range m.Symbols() {
			if q.meaning[factor] != nil {
				refuse("the product %s is defined by another, %s", name, factor)
			}
		}
	}
	q.theory = algebra.New(append(known, q.assumed...))
	q.theory.Limit(mostProducts)
}

// linear reads a linear combination of vectors: by what each is multiplied, which is the value for
// 1 in the place of it and 0 in that of the others.
func (q *squares) linear(t *formula.Tree) map[string]*formula.Tree {
	if !q.isLinear(t) {
		refuse("%v is not linear in the vectors", t)
	}
	out := map[string]*formula.Tree{}
	for _, v := range q.vectors {
		if !slices.Contains(t.Symbols(), v) {
			continue
		}
		out[v] = t.Replaced(func(s *formula.Tree) *formula.Tree {
			switch {
			case s.Op != "symbol" || !slices.Contains(q.vectors, s.Name):
				return nil
			case s.Name == v:
				return formula.Number(1)
			}
			return formula.Number(0)
		})
	}
	return out
}

// isLinear reports whether a formula is evidently a linear combination of vectors.
func (q *squares) isLinear(t *formula.Tree) bool {
	var linear, numbers []bool
	for _, a := range t.Args {
		linear = append(linear, q.isLinear(a))
		numbers = append(numbers, !slices.ContainsFunc(a.Symbols(),
			func(name string) bool { return slices.Contains(q.vectors, name) }))
	}
	switch t.Op {
	case "symbol":
		return slices.Contains(q.vectors, t.Name)
	case "neg":
		return linear[0]
	case "+", "-":
		return linear[0] && linear[1]
	case "*":
		return linear[0] && numbers[1] || numbers[0] && linear[1]
	case "/":
		return linear[0] && numbers[1]
	}
	return false
}

// inner multiplies out the inner product of two combinations.
func (q *squares) inner(a, b string) *formula.Tree {
	left, right := q.linear(try(q.all.Tree(a))), q.linear(try(q.all.Tree(b)))
	sum := formula.Number(0)
	for _, u := range slices.Sorted(maps.Keys(left)) {
		for _, v := range slices.Sorted(maps.Keys(right)) {
			pair := [2]string{min(u, v), max(u, v)}
			name := "⟨" + pair[0] + ", " + pair[1] + "⟩" // no name of a symbol
			q.pairs[name] = pair
			both := formula.Apply("*", left[u], right[v])
			sum = formula.Apply("+", sum, formula.Apply("*", both, formula.Named(name)))
		}
	}
	return sum
}

// shows checks that the difference of two sides is the sum of what is evidently not negative.
func (q *squares) shows(x formula.Inequality, by []certificate.Summand) {
	rest := q.difference(x)
	for _, s := range by {
		times := try(q.theory.Of(try(q.reader.Tree(s.Times))))
		var value algebra.Fraction
		free := false
		switch {
		case (s.Fact == "") == (s.Square == ""):
			refuse("a summand is either a fact or a square")
		case s.Fact != "":
			value, free = q.fact(s.Fact)
		default:
			value = try(q.theory.Of(q.inner(s.Square, s.Square)))
		}
		if !free && !q.theory.Nonnegative(times) {
			refuse("the multiplier %s is not evidently nonnegative", s.Times)
		}
		rest = try(q.theory.Sub(rest, try(q.theory.Mul(value, times))))
	}
	if len(rest.Sum) > 0 {
		refuse("the difference of %v is not the sum given: %q is left", x, q.theory.Write(rest))
	}
}

// difference is the greater side minus the lesser one.
func (q *squares) difference(x formula.Inequality) algebra.Fraction {
	return try(q.theory.Of(formula.Apply("-", x.Greater, x.Lesser)))
}

// fact is the difference of a relation that is assumed, and whether it is an equation.
func (q *squares) fact(text string) (d algebra.Fraction, equation bool) {
	want := relations(try(q.reader.Clauses(text))...)
	for _, r := range relations(q.assumed...) {
		if len(want) == 1 && r.sign == want[0].sign && r.a.Equal(want[0].a) &&
			r.b.Equal(want[0].b) {
			c := formula.Clause{Relations: []string{r.sign}, Sides: []*formula.Tree{r.a, r.b}}
			return q.difference(c.Inequalities()[0]), r.sign == "="
		}
	}
	refuse("%s is not assumed", text)
	return d, false
}
