package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"sledge/props"
)

// The files of a report directory. Beside them, the directory results has a page for each place of the text.
const (
	jsonFile     = "report.json"
	IndexFile    = "index.html"  // the front page
	allFile      = "claims.html" // a table of all claims
	htmlFile     = "report.html" // everything in one page, if [Pages] asks for it
	markdownFile = "report.md"
	junitFile    = "junit.xml"
)

var fileNames = []string{IndexFile, allFile, htmlFile, markdownFile, junitFile, jsonFile}

// pageMark stands at the head of every page.
const pageMark = `content="sledge/page"`

// CheckDir reports, before any work, why a report could not be written to dir: it is not a directory, it cannot be
// written to, or it holds a file of ours by name that is not ours by content. It creates the directory if there is
// none.
func CheckDir(dir string) error {
	info, err := os.Stat(dir)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o777); err != nil {
			return err
		}
	case err != nil:
		return err
	case !info.IsDir():
		return fmt.Errorf("%s is a file, not a directory", dir)
	}
	if !ours(filepath.Join(dir, jsonFile)) {
		for _, name := range append(fileNames, sectionDir) {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return fmt.Errorf("%s exists and does not belong to a report of this program; name another directory",
					filepath.Join(dir, name))
			}
		}
	}
	return probe(dir)
}

// Lock keeps other processes from writing a report into a directory that exists, until the lock is closed or the
// process ends. What a process has left there that was killed as it wrote is removed.
func Lock(dir string) (io.Closer, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if flock(f) {
		return nil, errors.Join(fmt.Errorf("another run is writing into %s", dir), f.Close())
	}
	if err := sweep(dir); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// Share is Lock for processes that write files of their own into one directory. What killed ones have left there is
// removed by the first that has it alone.
func Share(dir string) (io.Closer, error) {
	f, err := os.Open(dir)
	if err != nil {
		return nil, err
	}
	if !flock(f) {
		if err := sweep(dir); err != nil {
			return nil, errors.Join(err, f.Close())
		}
	}
	share(f)
	return f, nil
}

// sweep removes what killed processes have left in a directory.
func sweep(dir string) (err error) {
	for _, pattern := range []string{"*" + tempSuffix, filepath.Join(sectionDir, "*"+tempSuffix), probeName} {
		left, bad := filepath.Glob(filepath.Join(escaped(dir), pattern))
		err = errors.Join(err, bad)
		for _, path := range left {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// escaped is a path as a pattern that matches nothing else.
func escaped(path string) string {
	return strings.NewReplacer("\\", "\\\\", "*", "\\*", "?", "\\?", "[", "\\[").Replace(path)
}

// The names of files that are there for a moment.
const (
	probeName  = ".sledge-*"
	tempSuffix = ".[0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f][0-9a-f].tmp"
)

// probe reports why no file can be made in a directory.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, probeName)
	if err != nil {
		why := err
		if path := (*fs.PathError)(nil); errors.As(err, &path) {
			why = path.Err
		}
		return fmt.Errorf("%s cannot be written to: %w", dir, why)
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}

// CheckFile reports, before any work, why [WriteFile] could not write to path, as far as can be told without writing to
// it.
func CheckFile(path string) error {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	switch info, err := os.Stat(path); {
	case err == nil && info.IsDir():
		return fmt.Errorf("%s is a directory", path)
	case err == nil && !info.Mode().IsRegular():
		return nil // a device or a pipe
	}
	dir := filepath.Dir(path)
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return fmt.Errorf("there is no directory %s", dir)
	}
	return probe(dir)
}

// ours reports whether a file looks like a report.json of any version.
func ours(path string) bool { return begins(path, `"sledge/report/`) }

// begins reports whether a word stands in the first lines of a file.
func begins(path, word string) bool {
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	head := make([]byte, 256)
	n, _ := io.ReadFull(f, head)
	return bytes.Contains(head[:n], []byte(word))
}

// IsJSON reports whether the file at path looks like a report.json of any version.
func IsJSON(path string) bool { return ours(path) }

// IsJUnit reports whether the file at path looks like JUnit XML.
func IsJUnit(path string) bool { return begins(path, "<testsuite") }

// file is one of the files of a report.
type file struct {
	name  string // with its directory, below that of the report
	write func(io.Writer) error
}

// layOut lists the files of a report directory in the order in which they are written.
func (r *Report) layOut(p Pages) []file {
	s := newSite(r, p)
	page := func(name string, from origin, here *Section, kind string, data any) file {
		return file{name, func(w io.Writer) error { return s.execute(w, from, here, kind, data) }}
	}
	out := []file{page(IndexFile, fromFront, nil, "index", s), page(allFile, fromFront, nil, "claims", s)}
	if p.Single {
		out = append(out, page(htmlFile, fromSingle, nil, "single", s))
	}
	for _, sec := range s.Results {
		out = append(out, page(filepath.Join(sectionDir, sec.Anchor+".html"), fromSection, sec.Section, "result", sec))
	}
	return append(out, file{markdownFile, r.WriteMarkdown}, file{junitFile, r.WriteJUnit},
		file{jsonFile, r.WriteJSON}) // last: whoever sees a new report.json finds the others up to date
}

// WriteDir writes the files of a report into dir, which it creates if there is none. They are all written beside those
// of an earlier report before the first of these is replaced, so that a full disk leaves it as it was. Pages of an
// earlier report that this one does not have are removed; all else in dir is left alone.
func (r *Report) WriteDir(dir string, p Pages) error {
	if err := os.MkdirAll(filepath.Join(dir, sectionDir), 0o777); err != nil {
		return err
	}
	files := r.layOut(p)
	if err := replace(dir, files); err != nil {
		return err
	}
	written := map[string]bool{}
	for _, f := range files {
		written[filepath.Join(dir, f.name)] = true
	}
	old := []string{filepath.Join(dir, htmlFile)}
	entries, err := os.ReadDir(filepath.Join(dir, sectionDir))
	for _, e := range entries {
		old = append(old, filepath.Join(dir, sectionDir, e.Name()))
	}
	for _, path := range old {
		if !written[path] && begins(path, pageMark) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	return err
}

// replace writes all files beside those that they replace, and then puts them in their places, one after the other.
func replace(dir string, files []file) (err error) {
	type staged struct{ temp, path string }
	var ready []staged
	defer func() {
		for _, f := range ready {
			err = errors.Join(err, os.Remove(f.temp)) // only if one could not be written
		}
	}()
	for _, f := range files {
		temp, path, err := stage(filepath.Join(dir, f.name), f.write)
		if err != nil {
			return err
		}
		if temp != "" {
			ready = append(ready, staged{temp, path})
		}
	}
	for len(ready) > 0 {
		if err := os.Rename(ready[0].temp, ready[0].path); err != nil {
			return err
		}
		ready = ready[1:]
	}
	return nil
}

// WriteFile writes a file as a whole or not at all: into a temporary neighbour that is synced and then renamed. A link
// is followed, and something that is no regular file, such as a pipe or a terminal, is written to directly.
func WriteFile(path string, write func(io.Writer) error) error {
	temp, path, err := stage(path, write)
	if err != nil || temp == "" {
		return err
	}
	if err := os.Rename(temp, path); err != nil {
		return errors.Join(err, os.Remove(temp))
	}
	return nil
}

// stage writes a file to a temporary neighbour of the one that it is to replace, and returns both. The neighbour has no
// name if the file is no regular one and was written to directly.
func stage(path string, write func(io.Writer) error) (temp, target string, err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	var f *os.File
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if f, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return "", path, err
		}
		return "", path, errors.Join(write(f), f.Close())
	}
	temp = fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
	if f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return "", path, err
	}
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return "", path, errors.Join(err, os.Remove(temp))
	}
	return temp, path, nil
}

// WriteJSON writes the report as report.json.
func (r *Report) WriteJSON(w io.Writer) error {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", " ")
	if err := enc.Encode(r); err != nil {
		return err
	}
	_, err := w.Write(b.Bytes())
	return err
}

// Read reads the report.json at path, or in the directory at path. Its errors begin with the file and, where it can be
// told, the line.
func Read(path string) (*Report, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		path = filepath.Join(path, jsonFile)
	}
	data, err := readFile(path)
	if err != nil {
		return nil, err
	}
	r, err := parse(data)
	if err != nil {
		return nil, fmt.Errorf("%s:%w", path, err)
	}
	r.source = path
	return r, nil
}

// What a report or a journal may hold at most: some twenty times what the largest ledger so far makes at its deepest.
const (
	mostBytes  = 512 << 20
	mostClaims = 20000
)

// readFile reads a file of ours, of which not more than so much is taken in.
func readFile(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, mostBytes+1))
	if err == nil && len(data) > mostBytes {
		err = fmt.Errorf("%s: more than %d MiB, which no report has", path, mostBytes>>20)
	}
	return data, err
}

// steering looks for characters in the strings of a JSON text that a terminal would take for commands. They are no part
// of any report. The error begins with the line.
func steering(data []byte) error {
	for i := 0; i < len(data); i++ {
		r, at := rune(0), i
		switch c := data[i]; {
		case c == '\\' && i+1 < len(data):
			if i++; data[i] == 'u' && i+4 < len(data) {
				n, _ := strconv.ParseUint(string(data[i+1:i+5]), 16, 32)
				r = rune(n)
			}
		case c == 0xc2 && i+1 < len(data):
			r = rune(data[i+1])
		}
		if r == 0x1b || r >= 0x80 && r < 0xa0 {
			return fmt.Errorf("%d: a string holds the control character %U", 1+bytes.Count(data[:at], []byte("\n")), r)
		}
	}
	return nil
}

// parse reads report.json. Its errors begin with the line, if it is known.
func parse(data []byte) (*Report, error) {
	if err := steering(data); err != nil {
		return nil, err
	}
	var head struct {
		Schema *string           `json:"schema"`
		Claims []json.RawMessage `json:"claims"`
		Slices []json.RawMessage `json:"slices"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, atLine(data, err)
	}
	switch {
	case head.Schema == nil:
		return nil, errors.New(" not a report: no schema is named")
	case *head.Schema != reportSchema && *head.Schema != earlier:
		return nil, fmt.Errorf(" schema is %q, but this program reads %q and %q", *head.Schema, reportSchema, earlier)
	}
	if n := max(len(head.Claims), len(head.Slices)); n > mostClaims {
		return nil, fmt.Errorf(" %d claims, of which a report has %d at most", n, mostClaims)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, atLine(data, err)
	}
	if r.Schema == earlier {
		r.update()
	}
	seen := map[string]bool{}
	for i := range r.Claims {
		c := &r.Claims[i]
		switch {
		case c.ID == "":
			return nil, fmt.Errorf(" claims[%d] has no id", i)
		case seen[c.ID]:
			return nil, fmt.Errorf(" claim %q occurs twice", c.ID)
		}
		seen[c.ID] = true
		for _, e := range c.Evidence {
			for _, v := range e.Curves {
				for _, ys := range []props.Series{v.Claimed, v.Low, v.Median, v.High} {
					if len(ys) != 0 && len(ys) != len(v.X) {
						return nil, fmt.Errorf(" claim %q has a curve of %d abscissae and %d ordinates", c.ID, len(v.X), len(ys))
					}
				}
			}
		}
	}
	for i := range r.Slices {
		if s := &r.Slices[i]; s.Of < 1 || s.K < 1 || s.K > s.Of || s.Of > mostClaims {
			return nil, fmt.Errorf(" slice %d/%d of claim %q", s.K, s.Of, s.Claim)
		}
	}
	for _, s := range strings.Split(r.Run.Shard, "+") {
		var k, K int
		if _, err := fmt.Sscanf(s, "%d/%d", &k, &K); r.Run.Shard != "" && (err != nil || k < 1 || k > K || K > mostClaims) {
			return nil, fmt.Errorf(" run.shard is %q, not k/K", r.Run.Shard)
		}
	}
	r.Summary = r.summarise()
	return &r, nil
}

// update makes a report of the current format of one of the earlier.
func (r *Report) update() {
	r.Schema = reportSchema
	for i := range r.Claims {
		for j := range r.Claims[i].Evidence {
			if e := &r.Claims[i].Evidence[j]; e.Sense == props.Hidden {
				e.Ratio, e.Tightness = e.Tightness, math.NaN()
			}
		}
	}
}

func atLine(data []byte, err error) error {
	var offset int64
	var syntax *json.SyntaxError
	var kind *json.UnmarshalTypeError
	switch {
	case errors.As(err, &syntax):
		offset = syntax.Offset
	case errors.As(err, &kind):
		offset = kind.Offset
	default:
		return errors.New(" " + strings.TrimPrefix(err.Error(), "props: "))
	}
	line := 1 + bytes.Count(data[:min(offset, int64(len(data)))], []byte("\n"))
	switch {
	case kind == nil:
		return fmt.Errorf("%d: %w", line, err)
	case kind.Field == "":
		return fmt.Errorf("%d: not a report but a JSON %s", line, kind.Value)
	}
	return fmt.Errorf("%d: %s is a %s", line, kind.Field, kind.Value)
}
