package verbs

import (
	"encoding/json"
	"path/filepath"
	"testing"

	"sledge/reports/store"
)

// Whatever a file of a kept run says, under a checksum that is right, it is a run with these
// settings that has records, or none.
func FuzzReadKept(f *testing.F) {
	set := keptSettings{Figure: "fig1", Entrant: "SLEDGE", Rate: 0.1, Steps: 3, Seed: 7}
	text, err := json.Marshal(keptRun{Schema: keptSchema, Settings: &set, Method: "SLEDGE",
		Records: []keptRecord{{Step: 1, Value: 2}}})
	if err != nil {
		f.Fatal(err)
	}
	f.Add(text)
	f.Add([]byte(`{"schema": "sledge/run/v2", "settings": null, "records": [{}]}`))
	path := filepath.Join(f.TempDir(), "run.json")
	f.Fuzz(func(t *testing.T, text []byte) {
		log, err := store.NewLog(path, json.RawMessage(text))
		if err != nil {
			return // no object
		}
		if err := log.Close(); err != nil {
			t.Fatal(err)
		}
		tr, err := readKept(path, &set)
		if tr == nil {
			return
		}
		if err != nil || len(tr.Records) == 0 {
			t.Errorf("%d records, %v", len(tr.Records), err)
		}
		other := set
		other.Seed++
		if tr, err := readKept(path, &other); tr != nil {
			t.Errorf("a run of another seed: %+v, %v", tr, err)
		}
	})
}
