package checker

import (
	"errors"
	"fmt"
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
func quadratic(c *certificate.Certificate) error {
	if c.Refutes {
		return errors.New("a sum of squares refutes nothing")
	}
	s, err := read(c)
	if err != nil {
		return err
	}
	var proof certificate.QuadraticProof
	if err := decode(c, &proof); err != nil {
		return err
	}
	q := &squares{statement: s, meaning: map[string]*formula.Tree{}, pairs: map[string][2]string{}}
	if err := q.define(c, &proof); err != nil {
		return err
	}
	all := s.conclusion.Inequalities()
	if i := slices.IndexFunc(all, func(x formula.Inequality) bool { return x.Strict }); i >= 0 {
		return fmt.Errorf("a sum of squares does not show %v", all[i])
	}
	if len(all) == 0 || len(all) != len(proof.By) {
		return fmt.Errorf("%d relations are shown, the conclusion has %d", len(proof.By), len(all))
	}
	for i, x := range all {
		if err := q.shows(x, proof.By[i]); err != nil {
			return err
		}
	}
	return s.witnessed(q.draw)
}

// draw puts vectors of two dimensions in place of the unknown ones, at first all 0, and returns
// what their inner products are.
func (q *squares) draw(rng *rand.Rand, start int,
	at map[string]value) (map[string]*big.Rat, error) {
	e := &evaluator{bits: enclosure.Precision}
	vectors := map[string][2]int64{}
	for _, name := range q.vectors {
		if start > 0 {
			vectors[name] = [2]int64{rng.Int64N(7) - 3, rng.Int64N(7) - 3}
		}
	}
	e.symbol = func(name string) (value, error) {
		if pair, product := q.pairs[name]; product {
			u, v := vectors[pair[0]], vectors[pair[1]]
			return exactly(big.NewRat(u[0]*v[0]+u[1]*v[1], 1), e.bits), nil
		}
		if x, known := at[name]; known {
			return x, nil
		}
		return value{}, errEmpty
	}
	out := map[string]*big.Rat{}
	for name, m := range q.meaning {
		x, err := e.of(m)
		if err != nil || x.exact == nil {
			return nil, errEmpty
		}
		out[name] = x.exact
	}
	return out, nil
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
func (q *squares) define(c *certificate.Certificate, proof *certificate.QuadraticProof) error {
	wide := *c
	wide.Symbols = slices.Clone(c.Symbols)
	for _, name := range proof.Vectors {
		wide.Symbols = append(wide.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
	}
	q.vectors = proof.Vectors
	var err error
	if q.all, err = formula.Reader(&wide); err != nil { // which refuses names given twice
		return err
	}
	var known []formula.Clause
	for _, name := range slices.Sorted(maps.Keys(proof.Products)) {
		of := proof.Products[name]
		i := slices.IndexFunc(c.Symbols, func(s certificate.Symbol) bool { return s.Name == name })
		switch {
		case i < 0 || c.Symbols[i].Kind != certificate.Real:
			return fmt.Errorf("the product %s is no real symbol", name)
		case c.Symbols[i].Means != certificate.Inner(of):
			return fmt.Errorf("%s is used as %s, which the certificate does not say", name,
				certificate.Inner(of))
		}
		m, err := q.inner(of[0], of[1])
		if err != nil {
			return err
		}
		q.meaning[name] = m
		known = append(known, formula.Clause{Sides: []*formula.Tree{formula.Named(name), m},
			Relations: []string{"="}})
	}
	for name, m := range q.meaning {
		for _, factor := range m.Symbols() {
			if q.meaning[factor] != nil {
				return fmt.Errorf("the product %s is defined by another, %s", name, factor)
			}
		}
	}
	q.theory = algebra.New(append(known, q.assumed...))
	q.theory.Limit(mostProducts)
	return nil
}

// linear reads a linear combination of vectors: by what each is multiplied.
func (q *squares) linear(t *formula.Tree) (map[string]*formula.Tree, error) {
	wrong := fmt.Errorf("%v is not linear in the vectors", t)
	if t.Op == "symbol" && slices.Contains(q.vectors, t.Name) {
		return map[string]*formula.Tree{t.Name: formula.Number(1)}, nil
	}
	var parts []map[string]*formula.Tree // of the arguments with vectors
	var numbers []*formula.Tree          // the others
	for _, a := range t.Args {
		if !slices.ContainsFunc(a.Symbols(),
			func(name string) bool { return slices.Contains(q.vectors, name) }) {
			numbers = append(numbers, a)
			continue
		}
		part, err := q.linear(a)
		if err != nil {
			return nil, err
		}
		parts = append(parts, part)
	}
	out := map[string]*formula.Tree{}
	switch {
	case len(parts) == 0:
		return nil, wrong
	case t.Op == "neg":
		for v, x := range parts[0] {
			out[v] = formula.Apply("neg", x)
		}
	case (t.Op == "+" || t.Op == "-") && len(parts) == 2:
		out = parts[0]
		for v, x := range parts[1] {
			if out[v] == nil {
				out[v] = formula.Number(0)
			}
			out[v] = formula.Apply(t.Op, out[v], x)
		}
	case t.Op == "*" && len(numbers) == 1,
		t.Op == "/" && len(numbers) == 1 && t.Args[1] == numbers[0]:
		for v, x := range parts[0] {
			out[v] = formula.Apply(t.Op, x, numbers[0])
		}
	default:
		return nil, wrong
	}
	return out, nil
}

// inner multiplies out the inner product of two combinations.
func (q *squares) inner(a, b string) (*formula.Tree, error) {
	var sides [2]map[string]*formula.Tree
	for i, text := range []string{a, b} {
		t, err := q.all.Tree(text)
		if err != nil {
			return nil, err
		}
		if sides[i], err = q.linear(t); err != nil {
			return nil, err
		}
	}
	sum := formula.Number(0)
	for _, u := range slices.Sorted(maps.Keys(sides[0])) {
		for _, v := range slices.Sorted(maps.Keys(sides[1])) {
			pair := [2]string{min(u, v), max(u, v)}
			name := "\x02" + pair[0] + "\x02" + pair[1]
			q.pairs[name] = pair
			both := formula.Apply("*", sides[0][u], sides[1][v])
			sum = formula.Apply("+", sum, formula.Apply("*", both, formula.Named(name)))
		}
	}
	return sum, nil
}

// shows checks that the difference of two sides is the sum of what is evidently not negative.
func (q *squares) shows(x formula.Inequality, by []certificate.Summand) error {
	rest, err := q.difference(x)
	if err != nil {
		return err
	}
	for _, s := range by {
		tree, err := q.reader.Tree(s.Times)
		if err != nil {
			return err
		}
		times, err := q.theory.Of(tree)
		if err != nil {
			return err
		}
		var value algebra.Fraction
		free := false
		switch {
		case (s.Fact == "") == (s.Square == ""):
			return errors.New("a summand is either a fact or a square")
		case s.Fact != "":
			value, free, err = q.fact(s.Fact)
		default:
			if tree, err = q.inner(s.Square, s.Square); err == nil {
				value, err = q.theory.Of(tree)
			}
		}
		if err != nil {
			return err
		}
		if !free && !q.theory.Nonnegative(times) {
			return fmt.Errorf("the multiplier %s is not evidently nonnegative", s.Times)
		}
		if value, err = q.theory.Mul(value, times); err != nil {
			return err
		}
		if rest, err = q.theory.Sub(rest, value); err != nil {
			return err
		}
	}
	if len(rest.Sum) > 0 {
		return fmt.Errorf("the difference of %v is not the sum given: %q is left", x,
			q.theory.Write(rest))
	}
	return nil
}

// difference is the greater side minus the lesser one.
func (q *squares) difference(x formula.Inequality) (algebra.Fraction, error) {
	return q.theory.Of(formula.Apply("-", x.Greater, x.Lesser))
}

// fact is the difference of a relation that is assumed, and whether it is an equation.
func (q *squares) fact(text string) (d algebra.Fraction, equation bool, err error) {
	clauses, err := q.reader.Clauses(text)
	if err != nil {
		return d, false, err
	}
	if len(clauses) != 1 || len(clauses[0].Relations) != 1 {
		return d, false, fmt.Errorf("%s is not one relation", text)
	}
	want := clauses[0]
	for _, c := range q.assumed {
		for i, r := range c.Relations {
			if r == want.Relations[0] && r != "∈" && c.Sides[i].Equal(want.Sides[0]) &&
				c.Sides[i+1].Equal(want.Sides[1]) {
				d, err := q.difference(c.Part(i).Inequalities()[0])
				return d, r == "=", err
			}
		}
	}
	return d, false, fmt.Errorf("%s is not assumed", text)
}
