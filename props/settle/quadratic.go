package settle

import (
	"encoding/json"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// Squares states something about inner products of unknown vectors.
type Squares struct {
	Symbols   string // all symbols of the statement, parted by spaces
	Domain    string // what is known of them, see [certificate.Certificate]
	Statement string // a relation or a chain of them
	Vectors   string // the unknown vectors, parted by spaces
	// symbols that are other inner products than their names say, see [certificate.QuadraticProof]
	Products map[string][2]string
}

// product returns the inner product that a symbol is: ‖a+b‖² that of a + b with itself, ⟨a,b⟩ that
// of a and b.
func (s Squares) product(symbol string) (of [2]string, ok bool) {
	if of, ok = s.Products[symbol]; ok {
		return of, true
	}
	spaced := strings.NewReplacer("+", " + ", "−", " − ").Replace(symbol)
	if a, norm := strings.CutSuffix(strings.TrimPrefix(spaced, "‖"), "‖²"); norm {
		return Norm(a), true
	}
	a, b, inner := strings.Cut(strings.TrimPrefix(spaced, "⟨"), ",")
	return [2]string{a, strings.TrimSuffix(b, "⟩")}, inner
}

// By is the procedure that settles the statement for all vectors by sums of multiples of facts and
// squares, one for each relation, for an equation two.
func (s Squares) By(sums ...[]certificate.Summand) props.Procedure {
	return func(props.Tier) (*certificate.Certificate, string) {
		c := &certificate.Certificate{Kind: certificate.Quadratic, Scope: certificate.All,
			Domain: s.Domain, Statement: s.Statement}
		var products map[string][2]string
		for _, name := range strings.Fields(s.Symbols) {
			symbol := certificate.Symbol{Name: name, Kind: certificate.Real}
			if of, product := s.product(name); product {
				if products == nil {
					products = map[string][2]string{}
				}
				products[name], symbol.Means = of, certificate.Inner(of)
			}
			c.Symbols = append(c.Symbols, symbol)
		}
		data, err := json.Marshal(certificate.QuadraticProof{Vectors: strings.Fields(s.Vectors),
			Products: products, By: sums})
		if err != nil {
			return nil, err.Error()
		}
		c.Proof = data
		return c, ""
	}
}

// Fact is a multiple of the difference of the sides of what is known.
func Fact(times, fact string) certificate.Summand {
	return certificate.Summand{Times: times, Fact: fact}
}

// Square is a multiple of a squared norm.
func Square(times, of string) certificate.Summand {
	return certificate.Summand{Times: times, Square: of}
}

// Norm is a squared norm as an inner product.
func Norm(of string) [2]string { return [2]string{of, of} }

// FirstOf is the procedure that settles a statement as the first of some others does whose
// certificate the checker accepts.
func FirstOf(procedures ...props.Procedure) props.Procedure {
	return func(tier props.Tier) (*certificate.Certificate, string) {
		why := ""
		for _, by := range procedures {
			c, said := by(tier)
			if c == nil {
				continue
			}
			err := checker.Check(c)
			if err == nil {
				return c, said
			}
			if why == "" {
				why = err.Error()
			}
		}
		return nil, why
	}
}
