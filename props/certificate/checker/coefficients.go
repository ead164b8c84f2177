package checker

import (
	"fmt"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/formula"
)

// mostProducts is how many products of terms a proof may take.
const mostProducts = 300_000

// coefficients accepts a proof by nonnegative coefficients: it expands all differences anew.
func coefficients(c *certificate.Certificate) {
	if c.Refutes {
		refuse("a proof by coefficients refutes nothing")
	}
	s := read(c)
	proof := decode[certificate.CoefficientsProof](c)
	t := algebra.New(s.assumed)
	t.Limit(mostProducts)
	shows := func(x formula.Inequality, by []certificate.Use) algebra.Fact {
		f := algebra.Fact{Lesser: try(t.Of(x.Lesser)), Greater: try(t.Of(x.Greater)),
			Strict: x.Strict}
		if err := t.Shows(f.Lesser, f.Greater, f.Strict, by, s.reader.Tree); err != nil {
			panic(fmt.Errorf("%v is not shown: %w", x, err))
		}
		return f
	}
	for _, l := range proof.Lemmas {
		for _, side := range s.conclusion.Sides {
			// functions in it may have facts that the lemma uses
			_, _ = t.Of(side) // may need a lemma that is still to come
		}
		c := try(s.reader.Clauses(l.Show))
		if len(c) != 1 || !slices.Contains([]string{"≤", "<"}, strings.Join(c[0].Relations, " ")) {
			refuse("%q is no relation ≤ or <", l.Show)
		}
		f := shows(c[0].Inequalities()[0], l.By)
		f.Label = l.Show
		t.Learn(f)
	}
	all := s.conclusion.Inequalities()
	for i, x := range all {
		if i == len(proof.By) {
			refuse("nothing shows %v", x)
		}
		shows(x, proof.By[i])
	}
	if len(all) != len(proof.By) {
		refuse("the proof shows more than there is")
	}
	s.witnessed(nil)
}
