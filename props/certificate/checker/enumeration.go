package checker

import (
	"crypto/sha256"
	"strings"

	"sledge/props/certificate"
)

// enumeration accepts a list of comparisons each of which holds, or of which, for a refutation, at
// least one fails. The statement is no more than that: which claim the rows are about is for the
// claim to say, which makes them again.
func enumeration(c *certificate.Certificate) {
	proof := decode[certificate.EnumerationProof](c)
	switch {
	case !bare(c, proof.Rows):
		refuse("the statement says more than that the comparisons hold, or that one fails")
	case proof.Comparisons < 1:
		refuse("nothing is compared")
	case len(proof.Digest) != 2*sha256.Size:
		refuse("the digest is no SHA-256")
	case len(proof.Rows) == 0:
		panic(ErrRepeat)
	case len(proof.Rows) != proof.Comparisons:
		refuse("%d comparisons are announced, %d are listed", proof.Comparisons, len(proof.Rows))
	}
	failed := 0
	for i, r := range proof.Rows {
		measured, claimed := value{exact: rational(r.Measured)}, value{exact: rational(r.Claimed)}
		relation := map[string]string{"<=": "≤", ">=": "≥", "==": "="}[r.Relation]
		switch relate(measured, relation, claimed) {
		case uncertain:
			refuse("comparison %d has the relation %q", i+1, r.Relation)
		case fails:
			if failed++; !c.Refutes {
				refuse("comparison %d fails: not %s %s %s", i+1, r.Measured, relation, r.Claimed)
			}
		}
	}
	switch {
	case certificate.Lines(proof.Rows) != proof.Digest:
		refuse("the digest is not that of the comparisons")
	case c.Refutes && failed == 0:
		refuse("no comparison fails")
	}
}

// bare reports whether the statement of an enumeration is about its rows alone: all of those of a
// domain, or one that fails, by its name, at an instance.
func bare(c *certificate.Certificate, rows []certificate.Row) bool {
	domain, all := strings.CutPrefix(c.Statement, certificate.Compared(""))
	switch {
	case all && !c.Refutes && c.Scope != certificate.All:
		return domain == c.Covers
	case all:
		return domain != ""
	}
	return c.Refutes && len(rows) == 1 && strings.HasPrefix(c.Statement, rows[0].What+" at ")
}
