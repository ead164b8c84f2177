package reports

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"

	"sledge/props"
)

//go:embed schema.json
var schemaText []byte

// JSONSchema returns the JSON Schema (draft 2020-12) of report.json.
func JSONSchema() []byte { return bytes.Clone(schemaText) }

// The files of a report directory. Beside them, the directory results has a page for each place of the text.
const (
	JSONFile     = "report.json"
	IndexFile    = "index.html"  // the front page
	allFile      = "claims.html" // a table of all claims
	htmlFile     = "report.html" // everything in one page, if [Pages] asks for it
	markdownFile = "report.md"
	junitFile    = "junit.xml"
)

var fileNames = []string{IndexFile, allFile, htmlFile, markdownFile, junitFile, JSONFile}

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
	if !ours(filepath.Join(dir, JSONFile)) {
		for _, name := range append(fileNames, sectionDir) {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return fmt.Errorf("%s exists and does not belong to a report of this program; name another directory",
					filepath.Join(dir, name))
			}
		}
	}
	return probe(dir)
}

// probe reports why no file can be made in a directory.
func probe(dir string) error {
	f, err := os.CreateTemp(dir, ".sledge-*")
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
		file{JSONFile, r.WriteJSON}) // last: whoever sees a new report.json finds the others up to date
}

// WriteDir writes the files of a report into dir, which it creates if there is none. Each file is replaced as a whole
// or not at all. Pages of an earlier report that this one does not have are removed; all else in dir is left alone.
func (r *Report) WriteDir(dir string, p Pages) error {
	if err := os.MkdirAll(filepath.Join(dir, sectionDir), 0o777); err != nil {
		return err
	}
	written := map[string]bool{}
	for _, f := range r.layOut(p) {
		path := filepath.Join(dir, f.name)
		if err := WriteFile(path, f.write); err != nil {
			return err
		}
		written[path] = true
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

// WriteFile writes a file as a whole or not at all: into a temporary neighbour that is synced and then renamed. A link
// is followed, and something that is no regular file, such as a pipe or a terminal, is written to directly.
func WriteFile(path string, write func(io.Writer) error) (err error) {
	if target, err := filepath.EvalSymlinks(path); err == nil {
		path = target
	}
	var f *os.File
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		if f, err = os.OpenFile(path, os.O_WRONLY, 0); err != nil {
			return err
		}
		return errors.Join(write(f), f.Close())
	}
	temp := fmt.Sprintf("%s.%08x.tmp", path, rand.Uint32())
	if f, err = os.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666); err != nil {
		return err
	}
	defer func() {
		if err != nil {
			os.Remove(temp)
		}
	}()
	if err := errors.Join(write(f), f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Rename(temp, path)
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
		path = filepath.Join(path, JSONFile)
	}
	data, err := os.ReadFile(path)
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

// parse reads report.json. Its errors begin with the line, if it is known.
func parse(data []byte) (*Report, error) {
	var head struct {
		Schema *string `json:"schema"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, atLine(data, err)
	}
	switch {
	case head.Schema == nil:
		return nil, errors.New(" not a report: no schema is named")
	case *head.Schema != Schema && *head.Schema != earlier:
		return nil, fmt.Errorf(" schema is %q, but this program reads %q and %q", *head.Schema, Schema, earlier)
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
	r.Summary = r.summarise()
	return &r, nil
}

// update makes a report of the current format of one of the earlier.
func (r *Report) update() {
	r.Schema = Schema
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
