package store

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

var errStop = errors.New("stopped")

// stopped is a system that is stopped before step k: it does nothing more from there, as one that
// is killed, or this step alone fails, as on a disk that is full, from which files can be removed.
func stopped(k int, killed bool) (s *system, steps *int) {
	steps = new(int)
	return &system{step: func(removal bool) error {
		if removal && !killed {
			return nil
		}
		*steps++
		if *steps == k || killed && *steps > k && k > 0 {
			return errStop
		}
		return nil
	}}, steps
}

func text(s string) func(io.Writer) error {
	return func(w io.Writer) error {
		_, err := io.WriteString(w, s)
		return err
	}
}

func names(t *testing.T, dir string) []string {
	t.Helper()
	var out []string
	if err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			out = append(out, strings.TrimPrefix(path, dir+"/"))
		}
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return out
}

// Files that are replaced are whole at every moment at which the writer may be stopped, the old
// ones or the new, and all new once the last one is; what a killed writer leaves, the next one
// sweeps, and what another one is writing it leaves alone.
func TestReplaceStopped(t *testing.T) {
	files := func(word string) []File {
		return []File{{"a", text(word + " one")}, {"sub/b", text(word + " two")},
			{"c", text(word + " three")}}
	}
	for _, killed := range []bool{true, false} {
		for k, over := 1, false; !over; k++ {
			dir := filepath.Join(t.TempDir(), "a [dir]")
			if err := os.MkdirAll(filepath.Join(dir, "sub"), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := Replace(dir, files("old")); err != nil {
				t.Fatal(err)
			}
			live, err := (&system{}).begin(dir)
			if err != nil {
				t.Fatal(err)
			}
			theirs := filepath.Join(dir, "a."+live.number+tempSuffix)
			if err := os.WriteFile(theirs, nil, 0o666); err != nil {
				t.Fatal(err)
			}
			s, steps := stopped(k, killed)
			err = s.replace(dir, files("new"))
			if over = *steps < k; (err == nil) != over {
				t.Fatalf("stopped at %d of %d: %v", k, *steps, err)
			}
			if _, err := os.Stat(theirs); err != nil {
				t.Errorf("stopped at %d: what another one writes is swept: %v", k, err)
			}
			fresh := 0
			for i, f := range files("new") {
				var want bytes.Buffer
				if err := f.Write(&want); err != nil {
					t.Fatal(err)
				}
				got, err := os.ReadFile(filepath.Join(dir, f.Name))
				switch {
				case err != nil:
					t.Fatalf("stopped at %d: %v", k, err)
				case string(got) == want.String():
					if fresh++; i == 2 && fresh < 3 {
						t.Errorf("stopped at %d: the last file is new, and one before it is not", k)
					}
				case string(got) != strings.Replace(want.String(), "new", "old", 1):
					t.Errorf("stopped at %d: %s holds %q", k, f.Name, got)
				}
			}
			if err := errors.Join(os.Remove(theirs), live.end()); err != nil {
				t.Fatal(err)
			}
			if killed {
				if err := (&system{}).sweepAll(dir); err != nil {
					t.Fatal(err)
				}
			}
			if got := fmt.Sprint(names(t, dir)); got != "[a c sub/b]" {
				t.Errorf("stopped at %d, killed %v: left are %s", k, killed, got)
			}
		}
	}
}

// A writer of the same file sweeps what a killed one has left, without anybody taking the
// directory.
func TestWriteSweeps(t *testing.T) {
	dir := t.TempDir()
	path := filepath.Join(dir, "errata.md")
	s, _ := stopped(4, true)
	if err := s.write(path, text("first")); !errors.Is(err, errStop) {
		t.Fatal(err)
	}
	if n := len(names(t, dir)); n != 2 {
		t.Fatalf("%d files are left, want a mark and what it wrote", n)
	}
	if err := Write(path, text("second")); err != nil {
		t.Fatal(err)
	}
	if err := (&system{}).sweepAll(dir); err != nil {
		t.Fatal(err)
	}
	if got := fmt.Sprint(names(t, dir)); got != "[errata.md]" {
		t.Errorf("left are %s", got)
	}
}

type record struct {
	Name  string    `json:"name,omitempty"`
	Value []float64 `json:"value,omitempty"`
}

func read(path string) ([]record, error) {
	data, err := Read(path, 1<<20)
	if err != nil {
		return nil, err
	}
	return records(data)
}

func records(data []byte) (out []record, err error) {
	err = parse("log", data, 100, func(b []byte) error {
		var r record
		if err := json.Unmarshal(b, &r); err != nil {
			return err
		}
		out = append(out, r)
		return nil
	})
	return out, err
}

// A log that is stopped at any moment holds what was added before, in its order, and nothing that
// was not.
func TestLogStopped(t *testing.T) {
	all := []record{{Name: "head"}, {"<é>", []float64{1.5}}, {}, {"x\n", nil},
		{"y", []float64{1e300, 2}}}
	for k, over := 1, false; !over; k++ {
		path := filepath.Join(t.TempDir(), "log")
		s, steps := stopped(k, true)
		added := 0
		l, err := s.newLog(path, all[0])
		if err == nil {
			for _, r := range all[1:] {
				if err = l.Add(r); err != nil {
					break
				}
				added++
			}
			l.out.f.Close()
		}
		if over = *steps < k; (err == nil) != over {
			t.Fatalf("stopped at %d of %d: %v", k, *steps, err)
		}
		got, err := read(path)
		if l == nil {
			if err == nil && len(got) > 1 || err != nil && !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("stopped at %d: %v, %v", k, got, err)
			}
			continue
		}
		if err != nil || len(got) != added+1 || fmt.Sprint(got) != fmt.Sprint(all[:len(got)]) {
			t.Errorf("stopped at %d: %v is read, %v; %d were added", k, got, err, added)
		}
	}
}

// Whatever is done to the bytes of a log, what is read from it are its first records or none.
func TestLogDamaged(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	checked, refused := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "records")
		var all []any
		for range n {
			all = append(all, record{rapid.String().Draw(t, "name"),
				rapid.SliceOfN(rapid.Float64Range(-1e9, 1e9), 0, 3).Draw(t, "value")})
		}
		l, err := NewLog(path, all...)
		if err != nil {
			t.Fatal(err)
		}
		l.Close()
		whole, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		intact, err := read(path)
		if err != nil || len(intact) != n {
			t.Fatalf("%d records of %d: %v", len(intact), n, err)
		}
		lines := bytes.SplitAfter(bytes.TrimSuffix(whole, []byte("\n")), []byte("\n"))
		lines[n-1] = append(bytes.Clone(lines[n-1]), '\n')
		try := func(how string, data []byte) {
			if bytes.Equal(data, whole) {
				return
			}
			got, err := records(data)
			checked++
			if err != nil {
				refused++
			}
			if err == nil && (len(got) > n || fmt.Sprint(got) != fmt.Sprint(intact[:len(got)])) {
				t.Fatalf("%s: %q is read as %v", how, data, got)
			}
			if err == nil && len(got) == n {
				t.Fatalf("%s: %q is read like %q", how, data, whole)
			}
		}
		for i := range whole { // every byte, another one in its place
			data := bytes.Clone(whole)
			data[i] ^= byte(rapid.IntRange(1, 255).Draw(t, "flip"))
			try("flipped", data)
		}
		a, b := rapid.IntRange(0, n-1).Draw(t, "a"), rapid.IntRange(0, n-1).Draw(t, "b")
		swapped := append([][]byte{}, lines...)
		swapped[a], swapped[b] = swapped[b], swapped[a]
		try("swapped", bytes.Join(swapped, nil))
		try("left out", bytes.Join(append(append([][]byte{}, lines[:a]...), lines[a+1:]...), nil))
		twice := append(append([][]byte{}, lines[:a+1]...), lines[a:]...)
		if got, err := records(bytes.Join(twice, nil)); err == nil {
			t.Fatalf("a line twice: %v", got)
		}
	})
	if checked < 1000 || refused < checked/2 {
		t.Errorf("%d of %d damaged logs were refused", refused, checked)
	}
	t.Logf("%d damaged logs, %d refused", checked, refused)
}

// Reading has a limit, in files and in what only looks like one.
func TestReadBounded(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(path, make([]byte, 100), 0o666); err != nil {
		t.Fatal(err)
	}
	if b, err := Read(path, 100); err != nil || len(b) != 100 {
		t.Errorf("%d bytes, %v", len(b), err)
	}
	for path, want := range map[string]string{path: "more than 99 bytes", os.DevNull: "is a device",
		filepath.Dir(path): "is a directory"} {
		if b, err := Read(path, 99); err == nil || !strings.Contains(err.Error(), path) ||
			!strings.Contains(err.Error(), want) {
			t.Errorf("%s: %d bytes, %v", path, len(b), err)
		}
	}
}

// Whether a directory could be made is found out without making it.
func TestMakable(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "file")
	if err := os.WriteFile(file, nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := Makable(filepath.Join(dir, "a", "b")); err != nil {
		t.Error(err)
	}
	if err := Makable(filepath.Join(file, "b")); err == nil {
		t.Error("below a file")
	}
	if err := os.Symlink(filepath.Join(dir, "nowhere"), filepath.Join(dir, "link")); err != nil {
		t.Fatal(err)
	}
	if err := Makable(filepath.Join(dir, "link")); err == nil {
		t.Error("a link to nothing")
	}
	if err := Makable("/proc/nothing/here"); err == nil {
		t.Error("where nobody can write")
	}
	if got := fmt.Sprint(names(t, dir)); got != "[file link]" {
		t.Errorf("left are %s", got)
	}
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
		if err := CheckFile(path); (err == nil) != (want == "") ||
			err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", path, err, want)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("the check leaves %v, %v", left, err)
	}
}

func TestWriteKeepsTheOldOneOnFailure(t *testing.T) {
	path := filepath.Join(t.TempDir(), "f")
	put(t, path, "old")
	err := Write(path, func(w io.Writer) error {
		io.WriteString(w, "half")
		return errors.New("no more paper")
	})
	if err == nil || content(t, path) != "old" ||
		fmt.Sprint(names(t, filepath.Dir(path))) != "[f]" {
		t.Errorf("got %v, %q, files %s", err, content(t, path), names(t, filepath.Dir(path)))
	}
}

func TestWriteFollowsLinksAndWritesToDevices(t *testing.T) {
	dir := t.TempDir()
	put(t, filepath.Join(dir, "target"), "old")
	link := filepath.Join(dir, "link")
	if err := os.Symlink("target", link); err != nil {
		t.Skip(err)
	}
	hello := func(w io.Writer) error { _, err := io.WriteString(w, "new"); return err }
	if err := Write(link, hello); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 ||
		content(t, filepath.Join(dir, "target")) != "new" {
		t.Errorf("the link was replaced: %v, %v", info, err)
	}
	if err := Write(os.DevNull, hello); err != nil {
		t.Error(err)
	}
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Errorf("the null device was replaced: %v, %v", info, err)
	}
}

func put(t *testing.T, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
}

func content(t *testing.T, path string) string {
	t.Helper()
	b, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// What is read of a log is what is read of its lines but the last, and one record more: no byte of
// it is taken for another record.
func FuzzLog(f *testing.F) {
	path := filepath.Join(f.TempDir(), "log")
	l, err := NewLog(path, record{"a", []float64{1, 2}}, record{"b", nil}, record{})
	if err != nil {
		f.Fatal(err)
	}
	l.Close()
	whole, err := os.ReadFile(path)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(whole)
	f.Add(whole[:len(whole)-1])
	f.Fuzz(func(t *testing.T, data []byte) {
		all, err := records(data)
		lines := bytes.SplitAfter(data, []byte("\n"))
		if err != nil || len(lines) < 2 {
			return
		}
		lines = lines[:len(lines)-1] // what follows the last line end
		if len(all) != len(lines) {
			t.Fatalf("%d records in %d lines", len(all), len(lines))
		}
		fewer, err := records(bytes.Join(lines[:len(lines)-1], nil))
		if err != nil || fmt.Sprint(fewer) != fmt.Sprint(all[:len(all)-1]) {
			t.Errorf("without the last line %v, with it %v: %v", fewer, all, err)
		}
	})
}
