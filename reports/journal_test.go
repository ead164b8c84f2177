package reports

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"sledge/props"
	"sledge/reports/store"
)

// Whatever a record of a journal says, under a checksum that is right, what is read are claims and
// slices that the run asks for, each once, in the words of the ledger.
func FuzzReadJournal(f *testing.F) {
	run := Run{Tier: "quick", Shard: "1/1"}
	asked := []props.Claim{fixture().Claims[0].Claim}
	parts := []props.Slice{{Claim: "tail", K: 1, Of: 2}}
	f.Add(said(newClaim(&props.Result{Claim: asked[0]})), []byte(`{}`))
	f.Add([]byte(`{"slice": {"claim": "tail", "k": 1, "of": 2, "kept": {"x": [1]}}}`), []byte(`{}`))
	path := filepath.Join(f.TempDir(), JournalFile)
	f.Fuzz(func(t *testing.T, a, b []byte) {
		log, err := store.NewLog(path, header{thisTool(), run}, json.RawMessage(a),
			json.RawMessage(b))
		if err != nil {
			return // no object
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		claims, slices, err := ReadJournal(filepath.Dir(path), run, asked, parts)
		if err != nil {
			if len(claims)+len(slices) > 0 {
				t.Errorf("%v, and %d claims, %d slices", err, len(claims), len(slices))
			}
			return
		}
		if len(claims) > 1 || len(slices) > 1 {
			t.Errorf("%d claims, %d slices", len(claims), len(slices))
		}
		for i := range claims {
			if claims[i].ID != asked[0].ID || claims[i].Statement != asked[0].Statement {
				t.Errorf("%+v", claims[i])
			}
		}
	})
}
