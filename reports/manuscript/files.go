package manuscript

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Files returns the text of a file of a paper. Its path is with slashes, relative to the directory
// of the source.
type Files func(path string) (string, error)

// What a source may have in all: bytes, and files that are put in the place of commands.
const (
	mostSource = 16 << 20
	mostFiles  = 1000
)

// piece is a part of the joined text that comes from one file without a break.
type piece struct {
	at   int    // where it begins in the joined text
	file string // "" for the source itself
	line int    // on which it begins there
}

// joiner puts what a source includes in the place of the commands that include it.
type joiner struct {
	files  Files
	source string // its name
	text   strings.Builder
	pieces []piece
	open   []string // files that are being read, each included by the one before
	count  int
	paper  *Paper
}

// includes are the commands that put a file in their place: with a name in braces, with a directory
// and a name, or as plain TeX has it.
var includes = regexp.MustCompile(`\\(?:input|include|subfile|subfileinclude)\s*\{([^{}]*)\}|` +
	`\\(?:sub)?import\*?\s*\{([^{}]*)\}\s*\{([^{}]*)\}|\\input[ \t]+([^\s{}\\]+)`)

// named is a name that a place in a ledger may have.
var named = regexp.MustCompile(`^[^\s:;,"\\{}\[\]$#]+$`)

// join puts a file into the text, and what it includes.
func (j *joiner) join(name, source string) error {
	j.open = append(j.open, name)
	defer func() { j.open = j.open[:len(j.open)-1] }()
	if j.count++; j.count > mostFiles {
		return fmt.Errorf("the source includes more than %d files", mostFiles)
	}
	text, at := uncommented(source), 0
	put := func(to int) error {
		p := piece{j.text.Len(), name, 1 + strings.Count(text[:at], "\n")}
		if name == j.source {
			p.file = ""
		}
		j.pieces = append(j.pieces, p)
		j.text.WriteString(text[at:to])
		if j.text.Len() > mostSource {
			return fmt.Errorf("the source has more than %d bytes with the files that it includes",
				mostSource)
		}
		return nil
	}
	for _, m := range includes.FindAllStringSubmatchIndex(text, -1) {
		group := func(k int) string {
			if m[2*k] < 0 {
				return ""
			}
			return strings.TrimSpace(text[m[2*k]:m[2*k+1]])
		}
		asked := cmp.Or(group(1), path.Join(group(2), group(3)), group(4))
		file, inner := j.find(name, asked)
		if file == "" {
			if asked = clean(asked); !slices.Contains(j.paper.Missed, asked) {
				j.paper.Missed = append(j.paper.Missed, asked)
			}
			continue
		}
		if k := slices.Index(j.open, file); k >= 0 {
			return fmt.Errorf("%s, which includes %s again",
				strings.Join(j.open[k:], " includes "), file)
		}
		if err := put(m[0]); err != nil {
			return err
		}
		if !slices.ContainsFunc(j.paper.Included, func(f File) bool { return f.Name == file }) {
			j.paper.Included = append(j.paper.Included, File{file, digestOf(inner)})
		}
		if err := j.join(file, inner); err != nil {
			return err
		}
		at = m[1]
	}
	return put(len(text))
}

// find returns a file that another one asks for, and its text: beside the source, as LaTeX looks
// for it, or beside the file that asks. There is none of which a ledger could not say the place.
func (j *joiner) find(from, asked string) (name, text string) {
	names := []string{asked + ".tex", asked}
	if path.Ext(asked) == ".tex" {
		names = names[1:]
	}
	for _, dir := range []string{".", path.Dir(from)} {
		for _, name := range names {
			if name = path.Join(dir, name); !named.MatchString(name) {
				continue
			}
			if text, err := j.files(name); err == nil {
				return name, text
			}
		}
	}
	return "", ""
}

var styleFiles = regexp.MustCompile(
	`\\(?:usepackage|RequirePackage)\s*(?:\[[^\]]*\])?\s*\{([^{}]*)\}`)

// styles are the texts of the style files of a text that lie beside the source.
func styles(text string, files Files) (found []string) {
	for _, m := range styleFiles.FindAllStringSubmatch(text, 100) {
		for name := range strings.SplitSeq(m[1], ",") {
			name = path.Base(strings.TrimSpace(name)) + ".sty"
			if text, err := files(name); err == nil {
				found = append(found, text)
			}
		}
	}
	return found
}

func digestOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}
