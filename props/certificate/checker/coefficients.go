package checker

import (
	"errors"
	"fmt"
	"slices"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/formula"
)

// mostProducts is how many products of terms a proof may take.
const mostProducts = 300_000

// coefficients accepts a proof by nonnegative coefficients: it expands all differences anew.
func coefficients(c *certificate.Certificate) error {
	if c.Refutes {
		return errors.New("a proof by coefficients refutes nothing")
	}
	s, err := read(c)
	if err != nil {
		return err
	}
	var proof certificate.CoefficientsProof
	if err := decode(c, &proof); err != nil {
		return err
	}
	if err := s.byCoefficients(&proof); err != nil {
		return err
	}
	return s.witnessed(nil)
}

// relation reads a relation a ≤ b or a < b of a proof.
func (s *statement) relation(text string) (c formula.Clause, err error) {
	clauses, err := s.reader.Clauses(text)
	if err == nil && (len(clauses) != 1 || !slices.Equal(clauses[0].Relations, []string{"≤"}) &&
		!slices.Equal(clauses[0].Relations, []string{"<"})) {
		err = fmt.Errorf("%q is no relation ≤ or <", text)
	}
	if err != nil {
		return c, err
	}
	return clauses[0], nil
}

// byCoefficients checks the proof of the conclusion from what is assumed.
func (s *statement) byCoefficients(proof *certificate.CoefficientsProof) error {
	t := algebra.New(s.assumed)
	t.Limit(mostProducts)
	shows := func(x formula.Inequality, by []certificate.Use) (f algebra.Fact, err error) {
		if f.Lesser, err = t.Of(x.Lesser); err != nil {
			return f, err
		}
		if f.Greater, err = t.Of(x.Greater); err != nil {
			return f, err
		}
		f.Strict = x.Strict
		return f, t.Shows(f.Lesser, f.Greater, f.Strict, by, s.reader.Tree)
	}
	for _, l := range proof.Lemmas {
		for _, side := range s.conclusion.Sides {
			// functions in it may have facts that the lemma uses
			_, _ = t.Of(side) // may need a lemma that is still to come
		}
		c, err := s.relation(l.Show)
		if err != nil {
			return err
		}
		f, err := shows(c.Inequalities()[0], l.By)
		if err != nil {
			return fmt.Errorf("the lemma %s is not shown: %w", l.Show, err)
		}
		f.Label = l.Show
		t.Learn(f)
	}
	all := s.conclusion.Inequalities()
	for i, x := range all {
		if i == len(proof.By) {
			return fmt.Errorf("nothing shows %v", x)
		}
		if _, err := shows(x, proof.By[i]); err != nil {
			return fmt.Errorf("%v is not shown: %w", x, err)
		}
	}
	if len(all) != len(proof.By) {
		return errors.New("the proof shows more than there is")
	}
	return nil
}
