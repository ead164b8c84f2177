// Package certificate is what settles a statement, as data: the statement in formulas, and a proof
// or a counterexample that package [sledge/props/certificate/checker] can follow without the
// search, the solvers and the claims. The package holds types alone and imports nothing of this
// module.
package certificate

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
)

// Kind says how a certificate settles its statement; each kind has one file in the checker.
type Kind string

// The kinds.
const (
	Point       Kind = "point"       // values of the symbols at which the statement fails
	Enumeration Kind = "enumeration" // a list of exact comparisons that holds line by line
	Order       Kind = "order"       // weights that bound monomials by each other
	Growth      Kind = "growth"      // a curve along which an order fails
)

// Scope says of how much of a statement a certificate speaks.
type Scope string

// The scopes, from the widest.
const (
	All Scope = "all" // the whole domain of the statement
	// all functions, points and random choices, for the sizes that Covers lists
	Sizes     Scope = "sizes"
	Instances Scope = "instances" // just those that Covers lists
)

// Scopes lists the scopes from the widest to the narrowest.
var Scopes = []Scope{All, Sizes, Instances}

// Certificate settles a statement. Statement and Domain are in the language of package formula,
// over Symbols; a kind that is not about formulas says in words what it settles.
type Certificate struct {
	Kind    Kind  `json:"kind"`
	Refutes bool  `json:"refutes,omitempty"` // it shows the statement false; else it proves it
	Scope   Scope `json:"scope,omitempty"`   // of a proof
	// Covers says, for a scope other than [All], which sizes or instances.
	Covers  string   `json:"covers,omitempty"`
	Symbols []Symbol `json:"symbols,omitempty"` // all that Domain and Statement use
	// Domain is relations that hold of the symbols, separated by semicolons; a range is written
	// with ∈. It is complete: nothing else is known of the symbols but their kinds.
	Domain    string          `json:"domain,omitempty"`
	Statement string          `json:"statement"`
	Proof     json.RawMessage `json:"proof"` // of the kind; rational numbers are texts "p/q"
}

// Symbol is a quantity that a statement speaks of.
type Symbol struct {
	Name string `json:"name"`
	// "real", "count" (a whole number ≥ 1) or "logarithmic" (a real number ≥ 1)
	Kind string `json:"kind"`
	// Means is, of an inner product of vectors, which one, such as ⟨u, v − w⟩; the statement is
	// then about all vectors.
	Means string `json:"means,omitempty"`
}

// The kinds of symbols.
const (
	Real        = "real"
	Count       = "count"
	Logarithmic = "logarithmic"
)

// UnmarshalJSON reads a certificate. White space in its proof is dropped.
func (c *Certificate) UnmarshalJSON(b []byte) error {
	type plain Certificate
	if err := json.Unmarshal(b, (*plain)(c)); err != nil {
		return err
	}
	var proof bytes.Buffer
	if len(c.Proof) == 0 {
		return nil
	}
	if err := json.Compact(&proof, c.Proof); err != nil {
		return err
	}
	c.Proof = respelt(proof.Bytes())
	return nil
}

// Digest is the SHA-256 of the certificate in hexadecimal. White space in its proof does not
// matter, nor does how a text of a proof that was read is spelt.
func (c *Certificate) Digest() string {
	b, err := json.Marshal(c) // compacts the proof
	if err != nil {
		// a proof that is not JSON, which no checker accepts
		b = append([]byte(err.Error()), c.Proof...)
	}
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

// respelt returns JSON with its texts spelt as this package writes them: a program that read and
// wrote a report may have put \u2264 for ≤, which is the same text.
func respelt(text json.RawMessage) json.RawMessage {
	var out []byte
	for rest := []byte(text); len(rest) > 0; {
		from := bytes.IndexByte(rest, '"')
		if from < 0 {
			return append(out, rest...)
		}
		to := from + 1
		for to < len(rest) && rest[to] != '"' {
			if rest[to] == '\\' {
				to++
			}
			to++
		}
		var said string
		if to >= len(rest) || json.Unmarshal(rest[from:to+1], &said) != nil {
			return text // no JSON: it stays what it is
		}
		again, _ := json.Marshal(said)
		out = append(append(out, rest[:from]...), again...)
		rest = rest[to+1:]
	}
	return out
}

// PointProof is the proof of a [Point]: for each symbol the value in the language of formulas, such
// as 3, 7/10, or (1/2)·(b/(ζ√n)), which may speak of other symbols but not in a circle.
type PointProof struct {
	Values map[string]string `json:"values"`
}

// EnumerationProof is the proof of an [Enumeration]. Without rows it must be made again to be
// believed: then the digest tells whether the same comparisons come out.
type EnumerationProof struct {
	Comparisons int    `json:"comparisons"`
	Digest      string `json:"digest"` // see [Lines]
	Rows        []Row  `json:"rows,omitempty"`
}

// Compared is the statement of an enumeration of a domain: it says no more than that its rows hold.
func Compared(domain string) string { return "the comparisons of the check for " + domain }

// Row is a comparison of two rational numbers, or of truth values 0 and 1.
type Row struct {
	What     string `json:"what"`
	Measured string `json:"measured"`
	Relation string `json:"relation"` // <=, >= or ==
	Claimed  string `json:"claimed"`
}

// Line is the row in one line, for a digest.
func (r *Row) Line() string {
	return r.What + "\t" + r.Measured + "\t" + r.Relation + "\t" + r.Claimed + "\n"
}

// Lines is the SHA-256 of the lines of the rows, in hexadecimal.
func Lines(rows []Row) string {
	h := sha256.New()
	for i := range rows {
		h.Write([]byte(rows[i].Line()))
	}
	return hex.EncodeToString(h.Sum(nil))
}
