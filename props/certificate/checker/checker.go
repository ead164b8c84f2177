// Package checker decides whether a certificate settles its statement. It shares nothing with the
// search, the solvers and the claims: of this module it uses the parser of formulas and certified
// intervals, and else rational arithmetic. Each kind of certificate has one file.
package checker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// ErrRepeat is what [Check] returns of a certificate in which nothing is wrong, but which must be
// made again to be believed, since it keeps only a digest.
var ErrRepeat = errors.New(
	"only a digest is kept, and the certificate must be made again to be believed")

// Accept is [Check] for programs that have just made the certificate: one of which only a digest is
// kept is accepted.
func Accept(c *certificate.Certificate) error {
	if err := Check(c); !errors.Is(err, ErrRepeat) {
		return err
	}
	return nil
}

// kinds are the checks of proofs. They are given a certificate whose head is in order.
var kinds = map[certificate.Kind]func(*certificate.Certificate) error{
	certificate.Point:        point,
	certificate.Enumeration:  enumeration,
	certificate.Coefficients: coefficients,
	certificate.Identity:     identity,
	certificate.Quadratic:    quadratic,
	certificate.Bracket:      bracket,
	certificate.Order:        order,
	certificate.Growth:       growth,
	certificate.Theorem:      theorem,
}

// mostProof is how many bytes a proof may have.
const mostProof = 1 << 20

// Check returns nil if the certificate settles its statement, and else what is wrong with it, in
// one sentence.
func Check(c *certificate.Certificate) (err error) {
	defer func() {
		// intervals panic where they are asked for a root of a negative number, and the like
		if r := recover(); r != nil {
			err = fmt.Errorf("certificate: %v", r)
		}
	}()
	check, known := kinds[c.Kind]
	switch {
	case !known:
		return fmt.Errorf("certificate: there is no kind %q", c.Kind)
	case len(c.Proof) > mostProof:
		return fmt.Errorf("certificate: the proof is longer than %d bytes", mostProof)
	case c.Statement == "":
		return errors.New("certificate: there is no statement")
	case c.Refutes && c.Scope != "":
		return errors.New("certificate: a refutation has no scope")
	case !c.Refutes && !slices.Contains(certificate.Scopes, c.Scope):
		return fmt.Errorf("certificate: there is no scope %q", c.Scope)
	case c.Scope == certificate.All != (c.Covers == "") && !c.Refutes:
		return errors.New(
			"certificate: a scope other than all says which sizes or instances it covers, and all does not")
	}
	if err := check(c); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	return nil
}

// decode reads the proof of a certificate, in which nothing unknown may stand.
func decode(c *certificate.Certificate, into any) error {
	d := json.NewDecoder(bytes.NewReader(c.Proof))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("the proof of kind %s cannot be read: %w", c.Kind, err)
	}
	if d.More() {
		return fmt.Errorf("more stands behind the proof of kind %s", c.Kind)
	}
	return nil
}

// statement is a certificate's statement on its domain, read anew.
type statement struct {
	symbols    []certificate.Symbol
	reader     *formula.Vocabulary
	assumed    []formula.Clause // of the domain, and the premises
	conclusion formula.Clause
}

// read parses what a certificate of formulas says. What kinds of symbols say is among what is
// assumed, but for wholeness.
func read(c *certificate.Certificate) (*statement, error) {
	v, domain, st, err := formula.Read(c)
	if err != nil {
		return nil, err
	}
	for _, symbol := range c.Symbols {
		if symbol.Means != "" && c.Kind != certificate.Quadratic {
			return nil, fmt.Errorf("%s is an inner product, of which kind %s knows nothing",
				symbol.Name, c.Kind)
		}
	}
	s := &statement{symbols: c.Symbols, reader: v, conclusion: st.Conclusion()}
	for _, symbol := range c.Symbols {
		if symbol.Kind != certificate.Real {
			s.assumed = append(s.assumed, formula.Clause{Relations: []string{"≥"},
				Sides: []*formula.Tree{formula.Named(symbol.Name), formula.Number(1)}})
		}
	}
	s.assumed = append(append(s.assumed, domain...), st.Premises()...)
	for k, clause := range append(slices.Clone(s.assumed), s.conclusion) {
		for i, side := range clause.Sides {
			if i == 1 && k == len(s.assumed) &&
				(c.Kind == certificate.Order || c.Kind == certificate.Growth) {
				continue // these two kinds look at their conclusion themselves
			}
			if side.Op == "order" || side.Op == "span" != (i > 0 && clause.Relations[i-1] == "∈") {
				return nil, fmt.Errorf("%v is not compared with a number", side)
			}
			if err := s.counted(side); err != nil {
				return nil, err
			}
		}
	}
	return s, nil
}

// counted returns an error if a sum ends at what may not be whole.
func (s *statement) counted(t *formula.Tree) error {
	if t.Op == "sum" && !(s.whole(t.Args[0]) && s.whole(t.Args[1])) {
		return fmt.Errorf("%v has ends that may not be whole", t)
	}
	for _, a := range t.Args {
		if err := s.counted(a); err != nil {
			return err
		}
	}
	return nil
}

// whole reports whether a formula is evidently a whole number.
func (s *statement) whole(t *formula.Tree) bool {
	switch t.Op {
	case "number":
		return t.Value.IsInt()
	case "symbol":
		return slices.ContainsFunc(s.symbols, func(c certificate.Symbol) bool {
			return c.Name == t.Name && c.Kind == certificate.Count
		})
	case "ceil", "floor":
		return true
	case "+", "-", "*", "neg", "min", "max":
		return !slices.ContainsFunc(t.Args, func(a *formula.Tree) bool { return !s.whole(a) })
	}
	return false
}
