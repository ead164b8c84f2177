package reports

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func get(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

func names(t *testing.T, dir string) string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, e := range entries {
		out = append(out, e.Name())
	}
	return strings.Join(out, " ")
}

func TestWriteDirReplacesOnlyItsOwn(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a", "b")
	if err := CheckDir(dir); err != nil {
		t.Fatal(err)
	}
	put(t, filepath.Join(dir, "notes.txt"), "mine")
	put(t, filepath.Join(dir, "results", "notes.txt"), "mine, too")
	put(t, filepath.Join(dir, "report.json"), `{"schema": "sledge/report/v2"}`)
	for i := range 2 {
		if err := CheckDir(dir); err != nil {
			t.Fatal(err)
		}
		if err := fixture().WriteDir(dir, Pages{Single: i == 0}); err != nil {
			t.Fatal(err)
		}
	}
	if got := names(t,
		dir); got != "claims.html index.html junit.xml notes.txt report.json report.md results" {
		t.Errorf("the directory holds %s", got)
	}
	pages := "notes.txt part-concentration.html part-first-order.html part-other.html part-pl.html"
	if got := names(t, filepath.Join(dir, "results")); got != pages {
		t.Errorf("the directory of pages holds %s", got)
	}
	r := fixture()
	r.Claims = slices.DeleteFunc(r.Claims, func(c Claim) bool { return c.Part == "pl" })
	r.finish()
	if err := r.WriteDir(dir, Pages{}); err != nil {
		t.Fatal(err)
	}
	if got := names(t, filepath.Join(dir, "results")); got != strings.ReplaceAll(pages,
		" part-pl.html", "") {
		t.Errorf("pages of a report without that part: %s", got)
	}
	if get(t, filepath.Join(dir, "notes.txt")) != "mine" {
		t.Error("a file of the user was changed")
	}
	back, err := Read(dir)
	if err != nil || back.Run.Digest != r.Run.Digest {
		t.Errorf("read %v, %v", back, err)
	}
}

func TestCheckDirRefuses(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	put(t, file, "")
	put(t, filepath.Join(dir, "foreign", "report.json"), `{"results": []}`)
	put(t, filepath.Join(dir, "page", "index.html"), "<p>")
	for path, want := range map[string]string{
		file:                            "is a file, not a directory",
		filepath.Join(file, "below"):    "not a directory",
		filepath.Join(dir, "foreign"):   "does not belong to a report of this program",
		filepath.Join(dir, "page"):      "does not belong to a report of this program",
		filepath.Join(dir, "a\x00byte"): "invalid argument",
	} {
		if err := CheckDir(path); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: got %v, want %s", path, err, want)
		}
	}
	if get(t, filepath.Join(dir, "foreign", "report.json")) != `{"results": []}` {
		t.Error("a foreign file was changed")
	}
}

// A directory in which a first report was begun and never finished is one of ours: as the journal
// alone, with a folder for pages, or with some of the pages.
func TestUnfinishedDirectoriesAreTaken(t *testing.T) {
	r := fixture()
	whole := t.TempDir()
	if err := r.WriteDir(whole, Pages{}); err != nil {
		t.Fatal(err)
	}
	journal := func(t *testing.T, dir string) {
		j, err := OpenJournal(dir, r.Run, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Close(false); err != nil {
			t.Fatal(err)
		}
	}
	copied := func(t *testing.T, dir, name string) {
		text, err := os.ReadFile(filepath.Join(whole, name))
		if err == nil {
			err = os.WriteFile(filepath.Join(dir, name), text, 0o666)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		name  string
		left  func(t *testing.T, dir string)
		taken bool
	}{
		{"a journal", journal, true},
		{"a journal and a folder", func(t *testing.T, dir string) {
			journal(t, dir)
			must(0, os.MkdirAll(filepath.Join(dir, sectionDir), 0o777))
		}, true},
		{"an empty folder", func(t *testing.T, dir string) {
			must(0, os.MkdirAll(filepath.Join(dir, sectionDir), 0o777))
		}, true},
		{"the first page", func(t *testing.T, dir string) { copied(t, dir, IndexFile) }, true},
		{"a page of others", func(t *testing.T, dir string) {
			must(0, os.WriteFile(filepath.Join(dir, IndexFile), []byte("<html>"), 0o666))
		}, false},
		{"a folder of others", func(t *testing.T, dir string) {
			must(0, os.MkdirAll(filepath.Join(dir, sectionDir, "mine"), 0o777))
		}, false},
		{"a journal of others", func(t *testing.T, dir string) {
			must(0, os.WriteFile(filepath.Join(dir, JournalFile), []byte("{}\n"), 0o666))
			must(0, os.WriteFile(filepath.Join(dir, junitFile), []byte("<testsuite/>"), 0o666))
		}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			c.left(t, dir)
			if err := CheckDir(dir); (err == nil) != c.taken {
				t.Errorf("%v", err)
			}
		})
	}
}
