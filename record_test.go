package sledge

import (
	"testing"

	"sledge/props"
)

// What every check asks is on record, so that a check that asks less is noticed. A new one is put
// there by "verify record -write testdata/asked.json ID".
func TestEveryClaimIsOnRecord(t *testing.T) {
	claims := props.Must(MadeOnce())
	record := props.Must(props.ReadRecord(asked))
	if len(record) == 0 {
		t.Skip("nothing is on record")
	}
	known := map[string]bool{}
	for i := range claims {
		if known[claims[i].ID] = true; claims[i].Asked == nil {
			t.Errorf("%s is not on record", claims[i].ID)
		}
	}
	for id := range record {
		if !known[id] {
			t.Errorf("%s is on record, and is no claim", id)
		}
	}
}

// Planted mistakes are told of claims that there are.
func TestPlantedMistakesNameClaims(t *testing.T) {
	known := map[string]bool{}
	for _, c := range props.Must(MadeOnce()) {
		known[c.ID] = true
	}
	for _, m := range props.Must(props.ReadPlanted(planted)).Mistakes {
		if len(m.Tried) == 0 {
			t.Errorf("no claim was asked about %q", m.Mistake)
		}
		for _, id := range m.Tried {
			if !known[id] {
				t.Errorf("%q was tried on %s, which is no claim", m.Mistake, id)
			}
		}
	}
}
