package sledge

import (
	"embed"
	"encoding/json"
	"sync"

	"sledge/algos/claims"
	"sledge/algos/experiments"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/concentration"
	"sledge/lowerbound"
	"sledge/props"
	"sledge/props/ledger"
	"sledge/theory"
)

//go:embed concentration/symbols.ledger bounds/symbols.ledger docs/ledger/*.ledger
var files embed.FS

// Files are the patterns of the files of the ledger in the repository: first the symbols that
// formulas use.
var Files = []string{"concentration/symbols.ledger", "bounds/symbols.ledger",
	"docs/ledger/*.ledger"}

func read() (*ledger.Ledger, error) {
	l, err := ledger.Read(files, Files...)
	if err != nil {
		return nil, err
	}
	return l, l.Run(concentration.Stated(lowerbound.Stated(bounds.Stated(tables.Stated(
		experiments.Stated(claims.Stated()))))))
}

var text = sync.OnceValues(read)

// Ledger returns what is said about the text: what it is, and all claims in its order, without
// their checks. It is read once: nobody may change it. An error names the place of a slip.
func Ledger() (*ledger.Ledger, error) { return text() }

//go:embed docs/certificates/rocq.json
var rocq []byte

// Accepted returns which certificates the kernel of a proof assistant has accepted, by their
// digests, and which one: what "verify check -record" has written, and the theorems that entries of
// the ledger name.
func Accepted() (map[string]string, error) {
	var accepted map[string]string
	if err := json.Unmarshal(rocq, &accepted); err != nil {
		return nil, err
	}
	d, err := theory.Read()
	if err != nil {
		return nil, err
	}
	l, err := Ledger()
	if err != nil {
		return nil, err
	}
	proofs, err := d.Proofs(l.Claims)
	if err != nil {
		return nil, err
	}
	for _, proof := range proofs {
		if proof != nil {
			accepted[proof.Digest()] = d.Record.By
		}
	}
	return accepted, nil
}

//go:embed testdata/asked.json
var asked []byte

//go:embed testdata/planted.json
var planted []byte

// Claims returns the claims of the ledger with the checks that the packages bind to them, and with
// what is on record about what these ask: what "verify record" has written. An error names the
// place of a slip, or an entry and a check that do not meet.
func Claims() ([]props.Claim, error) {
	l, err := Ledger()
	if err != nil {
		return nil, err
	}
	record, err := props.ReadRecord(asked)
	if err != nil {
		return nil, err
	}
	matrix, err := props.ReadPlanted(planted)
	if err != nil {
		return nil, err
	}
	joined, err := l.Join(
		claims.Claims(),
		bounds.Claims(),
	)
	if err != nil {
		return nil, err
	}
	d, err := theory.Read()
	if err != nil {
		return nil, err
	}
	if err := d.Settle(joined); err != nil {
		return nil, err
	}
	props.Recorded(joined, record)
	matrix.Tell(joined)
	return joined, nil
}
