package reports

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/plain"
	"sledge/reports/store"
)

// The files of a report directory. Beside them, the directory results has a page for each place of
// the text.
const (
	jsonFile     = "report.json"
	IndexFile    = "index.html"  // the front page
	allFile      = "claims.html" // a table of all claims
	htmlFile     = "report.html" // everything in one page, if [Pages] asks for it
	markdownFile = "report.md"
	junitFile    = "junit.xml"
)

var fileNames = []string{IndexFile, allFile, theoryFile, htmlFile, markdownFile, junitFile,
	jsonFile}

// pageMark stands at the head of every page.
const pageMark = `content="sledge/page"`

// CheckDir reports, before any work, why a report could not be written to dir: it is not a
// directory, it cannot be written to, or it holds a file of ours by name that is not ours by
// content. It creates the directory if there is none.
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
	if !belongs(dir) {
		for _, name := range append(fileNames, sectionDir) {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil &&
				!bare(filepath.Join(dir, name)) {
				return fmt.Errorf(
					"%s exists and does not belong to a report of this program; name another directory",
					filepath.Join(dir, name))
			}
		}
	}
	return store.Writable(dir)
}

// Take keeps other processes out of a directory until it is closed. The error says why [CheckDir]
// does not admit the directory, or that another run is writing there.
func Take(dir string) (io.Closer, error) {
	// This may ask Git. A child that is not yet Git when its parent is killed holds all locks on.
	thisTool()
	if err := CheckDir(dir); err != nil {
		return nil, err
	}
	return store.Lock(dir)
}

// belongs reports whether a directory holds a report of ours, or what one that was never finished
// has left there: its journal, or its first page.
func belongs(dir string) bool {
	return IsJSON(filepath.Join(dir, jsonFile)) ||
		store.Begins(filepath.Join(dir, IndexFile), pageMark) ||
		store.Begins(filepath.Join(dir, JournalFile), `"tool":{"name":"`+thisTool().Name+`"`)
}

// bare reports whether there is a directory at path with nothing in it.
func bare(path string) bool {
	files, err := os.ReadDir(path)
	return err == nil && len(files) == 0
}

// IsJSON reports whether the file at path looks like a report.json of any version.
func IsJSON(path string) bool { return store.Begins(path, `"sledge/report/`) }

// IsJUnit reports whether the file at path looks like JUnit XML.
func IsJUnit(path string) bool { return store.Begins(path, "<testsuite") }

// layOut lists the files of a report directory in the order in which they are written.
func (r *Report) layOut(p Pages) []store.File {
	s := newSite(r, p)
	page := func(name string, from origin, here *Section, kind string, data any) store.File {
		return store.File{Name: name, Write: func(w io.Writer) error {
			return s.execute(w, from, here, kind, data)
		}}
	}
	out := []store.File{page(IndexFile, fromFront, nil, "index", s),
		page(allFile, fromFront, nil, "claims", s)}
	if p.Single {
		out = append(out, page(htmlFile, fromSingle, nil, "single", s))
	}
	if p.Theory != nil {
		s.Theory = theoryFile
		out = append(out, page(theoryFile, fromFront, nil, "theory", newBlueprint(s, p.Theory)))
	}
	for _, sec := range s.Results {
		out = append(out, page(filepath.Join(sectionDir, sec.Anchor+".html"), fromSection,
			sec.Section, "result", sec))
	}
	return append(out, store.File{Name: markdownFile, Write: r.WriteMarkdown},
		// last: whoever sees a new report.json finds the others up to date
		store.File{Name: junitFile, Write: r.WriteJUnit},
		store.File{Name: jsonFile, Write: r.WriteJSON})
}

// ahead has files made on all processors while they are written one after the other.
func ahead(files []store.File) []store.File {
	type text struct {
		bytes.Buffer
		err error
	}
	out := slices.Clone(files)
	free := make(chan struct{}, runtime.GOMAXPROCS(0))
	for i, f := range files {
		made := make(chan *text, 1)
		go func() {
			free <- struct{}{}
			var t text
			t.err = f.Write(&t)
			made <- &t
			<-free
		}()
		out[i].Write = func(w io.Writer) error {
			t := <-made
			if t.err != nil {
				return t.err
			}
			_, err := w.Write(t.Bytes())
			return err
		}
	}
	return out
}

// PartialDir is where a partial report lies in a directory that holds a whole one.
const PartialDir = "unfinished"

// Place is where a report goes that is to be written into dir: a partial one never replaces a whole
// one, but lies in [PartialDir] below it. The error says why it cannot lie there.
func (r *Report) Place(dir string) (string, error) {
	if r.Run.Partial == "" || !whole(filepath.Join(dir, jsonFile)) {
		return dir, nil
	}
	below := filepath.Join(dir, PartialDir)
	return below, CheckDir(below)
}

// whole reports whether the file at path is a report.json that is not partial. Only its head is
// read.
func whole(path string) bool {
	if info, err := os.Stat(path); err != nil || !info.Mode().IsRegular() {
		return false
	}
	f, err := os.Open(path)
	if err != nil {
		return false
	}
	defer f.Close()
	// the settings of the run stand before the claims
	dec := json.NewDecoder(io.LimitReader(f, 1<<20))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return false
	}
	for dec.More() {
		key, err := dec.Token()
		if err != nil {
			return false
		}
		if key == "run" {
			var run struct{ Partial string }
			return dec.Decode(&run) == nil && run.Partial == ""
		}
		if err := dec.Decode(new(json.RawMessage)); err != nil {
			return false
		}
	}
	return false
}

// WriteDir writes the files of a report into dir, which it creates if there is none. They are all
// written beside those of an earlier report before the first of these is replaced, so that a full
// disk leaves it as it was. Pages of an earlier report that this one does not have are removed, and
// so is a partial report below a whole one; all else in dir is left alone.
func (r *Report) WriteDir(dir string, p Pages) error {
	if err := os.MkdirAll(filepath.Join(dir, sectionDir), 0o777); err != nil {
		return err
	}
	files := r.layOut(p)
	if err := store.Replace(dir, ahead(files)); err != nil {
		return err
	}
	written := map[string]bool{}
	for _, f := range files {
		written[filepath.Join(dir, f.Name)] = true
	}
	old := []string{filepath.Join(dir, htmlFile), filepath.Join(dir, theoryFile)}
	entries, err := os.ReadDir(filepath.Join(dir, sectionDir))
	for _, e := range entries {
		old = append(old, filepath.Join(dir, sectionDir, e.Name()))
	}
	for _, path := range old {
		if !written[path] && store.Begins(path, pageMark) {
			err = errors.Join(err, os.Remove(path))
		}
	}
	if below := filepath.Join(dir, PartialDir); r.Run.Partial == "" &&
		IsJSON(filepath.Join(below, jsonFile)) {
		err = errors.Join(err, discard(below))
	}
	return err
}

// discard removes the files of a report, and the directories that held nothing else.
func discard(dir string) (err error) {
	pages, bad := store.Glob(dir, sectionDir, "*.html")
	for _, path := range pages {
		if store.Begins(path, pageMark) {
			bad = errors.Join(bad, os.Remove(path))
		}
	}
	for _, name := range fileNames { // what makes them ours goes last
		if e := os.Remove(filepath.Join(dir, name)); !errors.Is(e, fs.ErrNotExist) {
			err = errors.Join(err, e)
		}
	}
	for _, path := range []string{filepath.Join(dir, sectionDir), dir} {
		os.Remove(path) // stays if there is something else in it
	}
	return errors.Join(bad, err)
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

// Read reads the report.json at path, or in the directory at path. Its errors begin with the file
// and, where it can be told, the line.
func Read(path string) (*Report, error) {
	info, err := os.Stat(path)
	if err != nil {
		return nil, err
	}
	if info.IsDir() {
		path = filepath.Join(path, jsonFile)
	}
	data, err := store.Read(path, mostBytes)
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

// What a report or a journal may hold at most: some twenty times what the largest ledger so far
// makes at its deepest.
const (
	mostBytes  = 512 << 20
	mostClaims = 20000
)

// steering looks for characters in the strings of a JSON text that a terminal would take for
// commands, or that turn round or hide what stands beside them. They are no part of any report. The
// error begins with the line.
func steering(data []byte) error {
	short := map[byte]rune{'b': '\b', 'f': '\f', 'r': '\r'}
	escaped := func(i int) rune { // the half of a character at \uXXXX
		if i+6 > len(data) || data[i] != '\\' || data[i+1] != 'u' {
			return 0
		}
		n, _ := strconv.ParseUint(string(data[i+2:i+6]), 16, 32)
		return rune(n)
	}
	for i := 0; i < len(data); {
		if c := data[i]; c >= ' ' && c < 0x7f && c != '\\' { // as most are
			i++
			continue
		}
		r, n := utf8.DecodeRune(data[i:])
		if r == '\\' && i+1 < len(data) {
			r, n = short[data[i+1]], 2
			if half := escaped(i); half != 0 || data[i+1] == 'u' {
				r, n = half, 6
				if utf16.IsSurrogate(half) {
					if both := utf16.DecodeRune(half, escaped(i+6)); both != utf8.RuneError {
						r, n = both, 12
					}
				}
			}
		} else if r < ' ' {
			r = '\n' // between strings; within one it is no JSON
		}
		if plain.Steers(r) && r != '\n' && r != '\t' && (r != 0 || n == 6) {
			return fmt.Errorf("%d: a string holds the control character %U",
				1+bytes.Count(data[:i], []byte("\n")), r)
		}
		i += n
	}
	return nil
}

// ambiguous looks for names of fields that others read otherwise than this program, which takes the
// last of several that differ in case alone: a name that is there twice, and one that is none of
// ours but for its case. The proofs of certificates have names of their own, and a digest. The
// error begins with the line. What is wrong with the syntax is told where it is read.
func ambiguous(data []byte) error {
	type object struct {
		names   [][]byte
		many    map[string]bool // the names, where they are many
		last    []byte          // the name whose value stands here; nil where a name is awaited
		list    bool
		foreign bool // names are not ours
	}
	var in []object
	for i := 0; i < len(data); i++ {
		switch c := data[i]; c {
		case '{', '[':
			if len(in) == deepest {
				return nil
			}
			foreign := false
			if n := len(in); n > 0 {
				foreign = in[n-1].foreign || string(in[n-1].last) == "proof"
			}
			var names [][]byte
			if n := len(in); cap(in) > n {
				names = in[:n+1][n].names[:0] // of an object that is past
			}
			in = append(in, object{names: names, list: c == '[', foreign: foreign})
		case '}', ']':
			if len(in) < 2 {
				return nil
			}
			in = in[:len(in)-1]
		case ',':
			if n := len(in); n > 0 {
				in[n-1].last = nil
			}
		case '"':
			end := i + 1
			for ; end < len(data) && data[end] != '"'; end++ {
				if data[end] == '\\' {
					end++
				}
			}
			if end >= len(data) || len(in) == 0 {
				return nil
			}
			text := data[i+1 : end]
			if o := &in[len(in)-1]; !o.list && o.last == nil {
				var name string
				if bytes.IndexByte(text, '\\') >= 0 && json.Unmarshal(data[i:end+1], &name) == nil {
					text = []byte(name)
				}
				same := func(b []byte) bool { return bytes.Equal(b, text) }
				other := func(r rune) bool { return r > unicode.MaxASCII || unicode.IsUpper(r) }
				if o.many[string(text)] || o.many == nil && slices.ContainsFunc(o.names, same) ||
					!o.foreign && bytes.ContainsFunc(text, other) {
					return fmt.Errorf(
						"%d: the name of a field is there twice, or in other letters: %.60q",
						1+bytes.Count(data[:i], []byte("\n")), text)
				}
				o.last = text
				if o.many != nil {
					o.many[string(text)] = true
				} else if o.names = append(o.names, text); len(o.names) > 64 {
					o.many = map[string]bool{}
					for _, b := range o.names {
						o.many[string(b)] = true
					}
				}
			}
			i = end
		}
	}
	return nil
}

// deepest is how deep the values of a report are nested at most; those of encoding/json are no
// deeper.
const deepest = 10000

// texts are the fields that may have several lines.
var texts = map[string]bool{"Statement": true, "Notes": true, "Error": true, "Reason": true,
	"Reading": true}

// Printable returns nil if what a claim, or a report, says in words can be printed: no field but a
// text has several lines, and none holds a character that steers what prints it (see
// [plain.Steers]). The error names the field.
func Printable(v any) error { return printable(reflect.ValueOf(v), "") }

func printable(v reflect.Value, name string) error {
	switch v.Kind() {
	case reflect.String:
		several := texts[name]
		for _, r := range v.String() {
			if plain.Steers(r) && !(several && (r == '\n' || r == '\t')) {
				return fmt.Errorf("the field %s holds the character %U: %.60q", name, r, v.String())
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			return printable(v.Elem(), name)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Type().Field(i); f.IsExported() {
				if err := printable(v.Field(i), f.Name); err != nil {
					return err
				}
			}
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); k < reflect.Array { // numbers
			return nil
		}
		for i := range v.Len() {
			if err := printable(v.Index(i), name); err != nil {
				return err
			}
		}
	case reflect.Map:
		for _, k := range v.MapKeys() {
			if err := errors.Join(printable(k, name), printable(v.MapIndex(k), name)); err != nil {
				return err
			}
		}
	}
	return nil
}

// parse reads report.json. Its errors begin with the line, if it is known.
func parse(data []byte) (*Report, error) {
	if err := steering(data); err != nil {
		return nil, err
	}
	if err := ambiguous(data); err != nil {
		return nil, err
	}
	var head struct {
		Schema  *string           `json:"schema"`
		Claims  []json.RawMessage `json:"claims"`
		Slices  []json.RawMessage `json:"slices"`
		Summary json.RawMessage   `json:"summary"`
	}
	if err := json.Unmarshal(data, &head); err != nil {
		return nil, atLine(data, err)
	}
	switch {
	case head.Schema == nil:
		return nil, errors.New(" not a report: no schema is named")
	case *head.Schema != reportSchema && *head.Schema != earlier:
		return nil, fmt.Errorf(" schema is %q, but this program reads %q and %q", *head.Schema,
			reportSchema, earlier)
	}
	if n := max(len(head.Claims), len(head.Slices)); n > mostClaims {
		return nil, fmt.Errorf(" %d claims, of which a report has %d at most", n, mostClaims)
	}
	var r Report
	if err := json.Unmarshal(data, &r); err != nil {
		return nil, atLine(data, err)
	}
	if err := Printable(&r); err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	var err error
	if r.claimed, err = digestOf(head.Claims); err != nil {
		return nil, fmt.Errorf(" %w", err)
	}
	if len(head.Summary) > 0 {
		var text bytes.Buffer
		if err := json.Compact(&text, head.Summary); err != nil {
			return nil, fmt.Errorf(" %w", err)
		}
		var escaped bytes.Buffer
		json.HTMLEscape(&escaped, text.Bytes())
		r.summed = escaped.Bytes()
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
						return nil, fmt.Errorf(
							" claim %q has a curve of %d abscissae and %d ordinates", c.ID,
							len(v.X), len(ys))
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
		if _, err := fmt.Sscanf(s, "%d/%d", &k, &K); r.Run.Shard != "" &&
			(err != nil || k < 1 || k > K || K > mostClaims || s != fmt.Sprintf("%d/%d", k, K)) {
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
