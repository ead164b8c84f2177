package bounds

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"sledge/props/certificate"
	"sledge/props/settle"
)

var update = flag.Bool("update-brackets", false, "find the brackets of constants anew and write them")

// The brackets that are kept are those that are found.
func TestBracketsAreFound(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("takes seconds")
	}
	found := map[string]certificate.BracketProof{}
	for id, sizes := range bracketSizes() {
		proof, err := settle.Bracket(sizes)
		if err != nil {
			t.Fatal(err)
		}
		found[id] = proof
	}
	if *update {
		data, err := json.MarshalIndent(found, "", "\t")
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("brackets.json", append(data, '\n'), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	kept, err := brackets()
	if err != nil {
		t.Fatal(err)
	}
	for id, proof := range found {
		if len(kept[id]) != len(proof) {
			t.Fatalf("%s: %d sizes are kept, want %d", id, len(kept[id]), len(proof))
		}
		for i, e := range proof {
			if kept[id][i].Size != e.Size || kept[id][i].Least != e.Least || kept[id][i].Most != e.Most {
				t.Errorf("%s %+v: [%s, %s] is found, another is kept; run go test ./bounds -run Brackets -update-brackets", id,
					e.Size, e.Least, e.Most)
			}
		}
	}
}
