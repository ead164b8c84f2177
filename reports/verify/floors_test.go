package verify

import (
	"os"
	"path/filepath"
	"testing"

	"sledge/props/mutation"
)

// Whatever is read as floors can be compared with what is noticed.
func FuzzReadFloors(f *testing.F) {
	f.Add([]byte(`{"schema": "` + floorsSchema + `", "claims": {"a": {"noticed": 3, "pinned": 1.5}}}`))
	f.Add([]byte(`{"schema": "` + floorsSchema + `", "claims": {"a": {"noticed": -3}, "b": null}}`))
	path := filepath.Join(f.TempDir(), "floors.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		if err := os.WriteFile(path, text, 0o666); err != nil {
			t.Fatal(err)
		}
		asked, err := readFloors(path)
		if err != nil {
			return
		}
		rows := []mutation.Row{{Claim: "a"}, {Claim: "b"}}
		short := 0
		for i := range rows {
			if want := asked.Claims[rows[i].Claim]; want.Noticed > 0 {
				short++
			}
		}
		if got := asked.short(rows); len(got) < short {
			t.Errorf("%q: %d claims that notice nothing are short, told are %q", text, short, got)
		}
	})
}
