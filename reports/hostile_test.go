package reports

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
)

// Reports and journals that were made to do harm are refused in one sentence, without much memory.
func TestHostileFiles(t *testing.T) {
	report := func(rest string) string { return `{"schema": "sledge/report/v2", ` + rest + `}` }
	many := func(n int) string {
		var b strings.Builder
		for i := range n {
			fmt.Fprintf(&b, `{"id": "c%d", "verdict": "refuted", "expected": "proved"},`+"\n", i)
		}
		return `"claims": [` + strings.TrimSuffix(b.String(), ",\n") + `]`
	}
	for name, c := range map[string]struct{ text, want string }{
		"claims": {report(many(100000)), " 100000 claims, of which a report has 20000 at most"},
		"shards": {report(`"run": {"shard": "1/1000000000"}`),
			` run.shard is "1/1000000000", not k/K`},
		"words": {report(`"run": {"shard": "all"}`), ` run.shard is "all", not k/K`},
		"slices": {report(`"slices": [{"claim": "a", "k": 1, "of": 1000000000}]`),
			` slice 1/1000000000 of claim "a"`},
		"escape": {report(`"claims": [` + "\n" + `{"id": "a\u001b[2J"}]`),
			"2: a string holds the control character U+001B"},
		"csi": {report(`"claims": [{"id": "a` + "\u009b" + `2J"}]`),
			"1: a string holds the control character U+009B"},
		"nested":   {report(`"claims": ` + strings.Repeat("[", 1<<20)), "exceeded max depth"},
		"infinite": {report(`"run": {"alpha": 1e999}`), "alpha"},
	} {
		path := filepath.Join(t.TempDir(), name+".json")
		put(t, path, c.text)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := Read(path)
		runtime.ReadMemStats(&after)
		if err == nil || !strings.Contains(err.Error(), c.want) ||
			strings.ContainsAny(err.Error(), "\n\x1b\u009b") {
			t.Errorf("%s: %v, want %q", name, err, c.want)
		}
		if used := after.TotalAlloc - before.TotalAlloc; used > 20*uint64(len(c.text))+1<<20 {
			t.Errorf("%s: %d bytes are taken for %d", name, used, len(c.text))
		}
	}
	if _, err := Read(os.DevNull); err == nil {
		t.Error("an empty device is a report")
	}

	// As many claims as a report may have are read, and compared, in a moment.
	path := filepath.Join(t.TempDir(), "large.json")
	put(t, path, report(many(mostClaims)))
	r, err := Read(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := Compare(r, r, 2); !d.Same() || len(d.Added) > 0 {
		t.Errorf("%+v", d)
	}

	dir := t.TempDir()
	for text, want := range map[string]string{
		"{}\n" + strings.Repeat("{}\n", 2*mostClaims): "lines, of which there are 40000 at most",
		"{\"tool\": {\"version\": \"(devel)\"}}\n":    "1: the line has no checksum",
	} {
		put(t, filepath.Join(dir, JournalFile), text)
		if _, _, err := ReadJournal(dir, Run{}, nil, nil); err == nil ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
}
