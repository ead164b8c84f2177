package bounds

import (
	"encoding/json"
	"flag"
	"os"
	"testing"

	"sledge/props/certificate"
)

var update = flag.Bool("update-brackets", false,
	"find the brackets of constants anew and write them")

// bracketSizes are the sizes for which constants are bracketed, by the names of the claims.
func bracketSizes() map[string][]certificate.ListingSizes {
	out := map[string][]certificate.ListingSizes{}
	for n := 2; n <= 6; n++ {
		for b := 1; b <= min(3, n-1); b++ {
			for T := 1; T <= 4; T++ {
				s := certificate.ListingSizes{Clients: n, Chosen: b, Data: 1, Sample: 1, Steps: T}
				out[optionTwoBracket] = append(out[optionTwoBracket], s)
				if s.Sampled = true; n*b*T < 6*3*4 { // else there are too many runs
					out[optionOneBracket] = append(out[optionOneBracket], s)
				}
			}
		}
	}
	for P := 2; P <= 3; P++ {
		for p := 1; p < P; p++ {
			for T := 1; T <= 3; T++ {
				out[clientsBracket] = append(out[clientsBracket],
					certificate.ListingSizes{Clients: P, Chosen: p, Data: 2,
						Sample: 1, Steps: T})
			}
		}
	}
	return out
}

// The brackets that are kept are those that are found.
func TestBracketsAreFound(t *testing.T) {
	if testing.Short() && !*update {
		t.Skip("takes seconds")
	}
	found := map[string]certificate.BracketProof{}
	for id, sizes := range bracketSizes() {
		proof, err := findBrackets(sizes)
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
	kept := brackets()
	for id, proof := range found {
		if len(kept[id]) != len(proof) {
			t.Fatalf("%s: %d sizes are kept, want %d", id, len(kept[id]), len(proof))
		}
		for i, e := range proof {
			if kept[id][i].Size != e.Size || kept[id][i].Least != e.Least ||
				kept[id][i].Most != e.Most {
				t.Errorf(
					"%s %+v: [%s, %s] is found, another is kept; run go test ./bounds -run "+
						"Brackets -update-brackets", id,
					e.Size, e.Least, e.Most)
			}
		}
	}
}
