package sledge

import (
	"embed"
	"encoding/json"

	"sledge/algos/claims"
	"sledge/algos/experiments"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/concentration"
	"sledge/lowerbound"
	"sledge/props"
	"sledge/props/ledger"
)

//go:embed docs/ledger/*.ledger
var files embed.FS

// Ledger returns what is said about the text: what it is, and all claims in its order, without their checks.
// An error names the place of a slip.
func Ledger() (*ledger.Ledger, error) { return ledger.Read(files, "docs/ledger/*.ledger") }

//go:embed docs/certificates/rocq.json
var rocq []byte

// Accepted returns which certificates the kernel of a proof assistant has accepted, by their digests, and which one:
// what "verify check -record" has written.
func Accepted() (map[string]string, error) {
	var accepted map[string]string
	err := json.Unmarshal(rocq, &accepted)
	return accepted, err
}

// Claims returns the claims of the ledger with the checks that the packages bind to them. An error names the place of a
// slip, or an entry and a check that do not meet.
func Claims() ([]props.Claim, error) {
	l, err := Ledger()
	if err != nil {
		return nil, err
	}
	return l.Join(
		claims.Claims(),
		concentration.Claims(),
		bounds.Claims(),
		tables.Claims(),
		lowerbound.Claims(),
		experiments.Claims(),
	)
}
