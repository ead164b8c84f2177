// Package checker decides whether a certificate settles its statement. It shares nothing with the
// search, the solvers and the claims: of this module it uses the parser of formulas, exact algebra
// and certified intervals.
//
// Each kind of certificate has one file. Who wants to follow all begins here, where certificates
// are read and refused, goes on with numbers (value.go), points (point.go) and the search for one
// in a domain (witness.go), then with what is shown by algebra (coefficients.go, quadratic.go).
// Orders are the longest: the statement (order.go), bounds of formulas by monomials (bounds.go) and
// of monomials by each other (facts.go); growth.go follows a curve. Listings (listing.go) and
// brackets (bracket.go) are not about formulas. The file finder.go serves the search alone.
package checker

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"math/big"
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

// kinds are the checks of proofs. They are given a certificate whose head is in order, and panic
// with an error, see refuse, if there is something wrong with the rest.
var kinds = map[certificate.Kind]func(*certificate.Certificate){
	certificate.Point:        point,
	certificate.Enumeration:  enumeration,
	certificate.Coefficients: coefficients,
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
func Check(c *certificate.Certificate) error {
	if err := attempt(func() { check(c) }); err != nil {
		return fmt.Errorf("certificate: %w", err)
	}
	return nil
}

// check refuses a certificate that does not settle its statement.
func check(c *certificate.Certificate) {
	follow, known := kinds[c.Kind]
	switch {
	case !known:
		refuse("there is no kind %q", c.Kind)
	case len(c.Proof) > mostProof:
		refuse("the proof is longer than %d bytes", mostProof)
	case c.Statement == "":
		refuse("there is no statement")
	case c.Refutes && c.Scope != "":
		refuse("a refutation has no scope")
	case !c.Refutes && !slices.Contains(certificate.Scopes, c.Scope):
		refuse("there is no scope %q", c.Scope)
	case c.Scope == certificate.All != (c.Covers == "") && !c.Refutes:
		refuse("a scope other than all says which sizes or instances it covers, and all does not")
	}
	follow(c)
}

// refuse says what is wrong with a certificate.
func refuse(format string, args ...any) { panic(fmt.Errorf(format, args...)) }

// rational reads a rational number.
func rational(text string) *big.Rat {
	x, ok := new(big.Rat).SetString(text)
	if !ok || x.Num().BitLen()+x.Denom().BitLen() > mostBits {
		refuse("%.40q is no rational number, or one of too many digits", text)
	}
	return x
}

// try returns what there is, and refuses if there is an error.
func try[T any](x T, err error) T {
	if err != nil {
		panic(err)
	}
	return x
}

// attempt returns the error with which a function refuses.
func attempt(do func()) (err error) {
	defer caught(&err)
	do()
	return nil
}

// caught makes an error of the panic with which something is refused. Intervals panic as well where
// they are asked for a root of a negative number, and the like.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case error:
		*err = r
	default:
		*err = fmt.Errorf("%v", r)
	}
}

// decode reads the proof of a certificate, in which nothing unknown may stand.
func decode[T any](c *certificate.Certificate) (proof T) {
	d := json.NewDecoder(bytes.NewReader(c.Proof))
	d.DisallowUnknownFields()
	if err := d.Decode(&proof); err != nil {
		refuse("the proof of kind %s cannot be read: %w", c.Kind, err)
	}
	if d.More() {
		refuse("more stands behind the proof of kind %s", c.Kind)
	}
	return proof
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
func read(c *certificate.Certificate) *statement {
	v, domain, st, err := formula.Read(c)
	try(v, err)
	s := &statement{symbols: c.Symbols, reader: v, conclusion: st.Conclusion()}
	for _, symbol := range c.Symbols {
		if symbol.Means != "" && c.Kind != certificate.Quadratic {
			refuse("%s is an inner product, of which kind %s knows nothing", symbol.Name, c.Kind)
		}
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
				refuse("%v is not compared with a number", side)
			}
			for _, t := range subformulas(side) {
				if t.Op == "sum" && !(s.whole(t.Args[0]) && s.whole(t.Args[1])) {
					refuse("%v has ends that may not be whole", t)
				}
			}
		}
	}
	return s
}

// subformulas are a formula and all that it is made of.
func subformulas(t *formula.Tree) []*formula.Tree {
	out := []*formula.Tree{t}
	for _, a := range t.Args {
		out = append(out, subformulas(a)...)
	}
	return out
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
