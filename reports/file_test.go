package reports

import (
	"errors"
	"io"
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

func TestCheckFile(t *testing.T) {
	dir := t.TempDir()
	link := filepath.Join(dir, "link")
	if err := os.Symlink(dir, link); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{
		filepath.Join(dir, "new.json"):       "",
		dir:                                  "is a directory",
		link:                                 "is a directory",
		filepath.Join(dir, "none", "a.json"): "there is no directory",
		os.DevNull:                           "",
	} {
		if err := CheckFile(path); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the check leaves %v, %v", left, err)
	}
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
	if got := names(t, dir); got != "claims.html index.html junit.xml notes.txt report.json report.md results" {
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
	if got := names(t, filepath.Join(dir, "results")); got != strings.ReplaceAll(pages, " part-pl.html", "") {
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

func TestWriteFileKeepsTheOldOneOnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	put(t, path, "old")
	err := WriteFile(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		return errors.New("no more paper")
	})
	if err == nil || get(t, path) != "old" || names(t, filepath.Dir(path)) != "f" {
		t.Errorf("got %v, %q, files %s", err, get(t, path), names(t, filepath.Dir(path)))
	}
}

func TestWriteFileFollowsLinksAndWritesToDevices(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "target"), "old")
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := WriteFile(link, hello); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 ||
		get(t, filepath.Join(dir, "target")) != "new" {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if err := WriteFile(os.DevNull, hello); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device was replaced: %v, %v", info, err)
	}
}
