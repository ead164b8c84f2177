package checker

import (
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// quadratic accepts a statement about inner products whose sides differ by what is evidently not negative. All is
// multiplied out: products of unknown vectors become symbols of their own, the same in both orders.
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
	q := &squares{statement: s, meaning: map[string]polynomial{}}
	if err := q.define(c, &proof); err != nil {
		return err
	}
	k := 0
	for i, relation := range s.conclusion.Relations {
		a, b := s.conclusion.Sides[i], s.conclusion.Sides[i+1]
		shown := map[string][]string{"≤": {"≤"}, "≥": {"≥"}, "=": {"≤", "≥"}}[relation]
		if shown == nil {
			return fmt.Errorf("a sum of squares does not show %v %s %v", a, relation, b)
		}
		for _, r := range shown {
			if k == len(proof.By) {
				return errors.New("a relation of the conclusion is not shown")
			}
			if err := q.shows(a, r, b, proof.By[k]); err != nil {
				return err
			}
			k++
		}
	}
	if k == 0 || k != len(proof.By) {
		return fmt.Errorf("%d relations are shown, the conclusion has %d", len(proof.By), k)
	}
	return nil
}

// squares is a statement whose symbols may be inner products.
type squares struct {
	*statement
	vectors []string
	all     *formula.Vocabulary   // of symbols and vectors
	meaning map[string]polynomial // of the symbols that are products
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
	meaning := map[string]polynomial{}
	for name, of := range proof.Products {
		i := slices.IndexFunc(c.Symbols, func(s certificate.Symbol) bool { return s.Name == name })
		switch {
		case i < 0 || c.Symbols[i].Kind != certificate.Real:
			return fmt.Errorf("the product %s is no real symbol", name)
		case c.Symbols[i].Means != certificate.Inner(of):
			return fmt.Errorf("%s is used as %s, which the certificate does not say", name, certificate.Inner(of))
		}
		a, err := q.combination(of[0])
		if err != nil {
			return err
		}
		b, err := q.combination(of[1])
		if err != nil {
			return err
		}
		meaning[name] = inner(a, b)
	}
	for name, m := range meaning {
		for _, t := range m {
			for factor := range t.powers {
				if _, product := meaning[factor]; product {
					return fmt.Errorf("the product %s is defined by another, %s", name, factor)
				}
			}
		}
	}
	q.meaning = meaning
	return nil
}

// combination reads a linear combination of vectors: the polynomial by which each is multiplied.
func (q *squares) combination(text string) (map[string]polynomial, error) {
	f, err := formula.Parse(q.all, text)
	if err != nil {
		return nil, err
	}
	p, err := q.polynomial(f.Tree())
	if err != nil {
		return nil, err
	}
	out := map[string]polynomial{}
	for _, t := range p {
		vector := ""
		rest := map[string]int{}
		for name, e := range t.powers {
			switch {
			case !slices.Contains(q.vectors, name):
				rest[name] = e
			case vector != "" || e != 1:
				return nil, fmt.Errorf("%s is not linear in the vectors", text)
			default:
				vector = name
			}
		}
		if vector == "" {
			return nil, fmt.Errorf("%s is not linear in the vectors", text)
		}
		if out[vector] == nil {
			out[vector] = polynomial{}
		}
		out[vector].add(term{rest, t.c})
	}
	return out, nil
}

// inner is the inner product of two combinations.
func inner(a, b map[string]polynomial) polynomial {
	out := polynomial{}
	for u, x := range a {
		for v, y := range b {
			both := []string{u, v}
			slices.Sort(both)
			symbol := polynomial{}
			symbol.add(term{map[string]int{"\x02" + strings.Join(both, "\x02"): 1}, big.NewRat(1, 1)}) // no name of a symbol
			for _, t := range x.times(y).times(symbol) {
				out.add(t)
			}
		}
	}
	return out
}

// shows checks that the difference of two sides is the sum of what is evidently not negative.
func (q *squares) shows(a *formula.Tree, relation string, b *formula.Tree, by []certificate.Summand) error {
	rest, err := q.difference(a, relation, b)
	if err != nil {
		return err
	}
	for _, s := range by {
		f, err := formula.Parse(q.reader, s.Times)
		if err != nil {
			return err
		}
		times, err := q.polynomial(f.Tree())
		if err != nil {
			return err
		}
		var value polynomial
		free := false
		switch {
		case (s.Fact == "") == (s.Square == ""):
			return errors.New("a summand is either a fact or a square")
		case s.Square != "":
			v, err := q.combination(s.Square)
			if err != nil {
				return err
			}
			value = inner(v, v)
		default:
			if value, free, err = q.fact(s.Fact); err != nil {
				return err
			}
		}
		if !free && !q.nonnegative(times) {
			return fmt.Errorf("the multiplier %s is not evidently nonnegative", s.Times)
		}
		for _, t := range value.times(times) {
			rest.add(term{t.powers, new(big.Rat).Neg(t.c)})
		}
	}
	for _, t := range rest {
		return fmt.Errorf("the difference of %v %s %v is not the sum given: %s·%v is left, and what goes with it",
			a, relation, b, t.c.RatString(), t.powers)
	}
	return nil
}

// difference is the greater side minus the lesser one.
func (q *squares) difference(a *formula.Tree, relation string, b *formula.Tree) (polynomial, error) {
	x, err := q.polynomial(a)
	if err != nil {
		return nil, err
	}
	y, err := q.polynomial(b)
	if err != nil {
		return nil, err
	}
	if relation == "≥" || relation == ">" {
		x, y = y, x
	}
	out := polynomial{}
	for _, t := range y {
		out.add(t)
	}
	for _, t := range x {
		out.add(term{t.powers, new(big.Rat).Neg(t.c)})
	}
	return out, nil
}

// fact is the difference of a relation that is assumed, and whether it is an equation.
func (q *squares) fact(text string) (polynomial, bool, error) {
	clauses, err := q.reader.Clauses(text)
	if err != nil {
		return nil, false, err
	}
	if len(clauses) != 1 || len(clauses[0].Relations) != 1 {
		return nil, false, fmt.Errorf("%s is not one relation", text)
	}
	want := clauses[0]
	for _, c := range q.assumed {
		for i, r := range c.Relations {
			if r == want.Relations[0] && r != "∈" && c.Sides[i].Equal(want.Sides[0]) && c.Sides[i+1].Equal(want.Sides[1]) {
				d, err := q.difference(c.Sides[i], r, c.Sides[i+1])
				return d, r == "=", err
			}
		}
	}
	return nil, false, fmt.Errorf("%s is not assumed", text)
}

// nonnegative reports whether all coefficients are positive and all symbols known to be so.
func (q *squares) nonnegative(p polynomial) bool {
	for _, t := range p {
		if t.c.Sign() < 0 {
			return false
		}
		for name, e := range t.powers {
			if e%2 != 0 && !q.positive(name, e < 0) {
				return false
			}
		}
	}
	return true
}

// positive reports whether a symbol is assumed to be at least a number that is not negative, or positive.
func (q *squares) positive(name string, strictly bool) bool {
	for _, c := range q.assumed {
		for i, r := range c.Relations {
			a, b := c.Sides[i], c.Sides[i+1]
			if r == "≤" || r == "<" {
				a, b = b, a
				r = map[string]string{"≤": "≥", "<": ">"}[r]
			}
			if r == "∈" {
				b, r = b.Args[0], "≥"
			}
			if a.Op == "symbol" && a.Name == name && b.Op == "number" && (r == ">" || r == "≥") {
				if s := b.Value.Sign(); s > 0 || s == 0 && (r == ">" || !strictly) {
					return true
				}
			}
		}
	}
	return false
}

// polynomial is a sum of terms by their names. Exponents may be negative.
type polynomial map[string]term

type term struct {
	powers map[string]int // none is 0
	c      *big.Rat
}

const mostPolynomial = 20_000 // terms

func (t term) key() string {
	names := make([]string, 0, len(t.powers))
	for name, e := range t.powers {
		names = append(names, name+"\x00"+strconv.Itoa(e))
	}
	slices.Sort(names)
	return strings.Join(names, "\x01")
}

// add adds a term. Coefficients are shared, never changed.
func (p polynomial) add(t term) {
	k := t.key()
	if old, ok := p[k]; ok {
		t.c = new(big.Rat).Add(t.c, old.c)
	}
	if t.c.Sign() == 0 {
		delete(p, k)
		return
	}
	if p[k] = t; len(p) > mostPolynomial {
		panic("a polynomial has too many terms")
	}
}

func (p polynomial) times(q polynomial) polynomial {
	out := polynomial{}
	for _, a := range p {
		for _, b := range q {
			powers := map[string]int{}
			for _, f := range []map[string]int{a.powers, b.powers} {
				for name, e := range f {
					if powers[name] += e; powers[name] == 0 {
						delete(powers, name)
					}
				}
			}
			out.add(term{powers, new(big.Rat).Mul(a.c, b.c)})
		}
	}
	return out
}

// polynomial multiplies a formula out.
func (q *squares) polynomial(t *formula.Tree) (polynomial, error) {
	out := polynomial{}
	switch t.Op {
	case "number":
		out.add(term{nil, t.Value})
		return out, nil
	case "symbol":
		if m, product := q.meaning[t.Name]; product {
			return m, nil
		}
		out.add(term{map[string]int{t.Name: 1}, big.NewRat(1, 1)})
		return out, nil
	}
	args := make([]polynomial, len(t.Args))
	for i, a := range t.Args {
		var err error
		if args[i], err = q.polynomial(a); err != nil {
			return nil, err
		}
	}
	switch t.Op {
	case "+", "-", "neg":
		if t.Op == "neg" {
			args = []polynomial{{}, args[0]}
		}
		for _, x := range args[0] {
			out.add(x)
		}
		for _, x := range args[1] {
			if t.Op != "+" {
				x.c = new(big.Rat).Neg(x.c)
			}
			out.add(x)
		}
		return out, nil
	case "*":
		return args[0].times(args[1]), nil
	case "/":
		for _, x := range args[1] {
			if len(args[1]) == 1 {
				inverse := term{map[string]int{}, new(big.Rat).Inv(x.c)}
				for name, e := range x.powers {
					if !q.positive(name, true) {
						return nil, fmt.Errorf("%s may be 0 and divides", name)
					}
					inverse.powers[name] = -e
				}
				return args[0].times(polynomial{"": inverse}), nil
			}
		}
		return nil, fmt.Errorf("%v is no quotient by a product", t)
	case "^":
		if e := t.Args[1]; e.Op == "number" && e.Value.IsInt() && e.Value.Sign() > 0 && e.Value.Cmp(big.NewRat(16, 1)) <= 0 {
			out.add(term{nil, big.NewRat(1, 1)})
			for range e.Value.Num().Int64() {
				out = out.times(args[0])
			}
			return out, nil
		}
	}
	return nil, fmt.Errorf("%v is no polynomial", t)
}
