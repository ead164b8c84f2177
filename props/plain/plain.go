// Package plain makes text of others fit for the place where it is printed: nothing in it steers a
// terminal, commands whoever reads a log, or is mark-up of a page. There is one function for each
// destination, and pages in HTML are made by html/template.
package plain

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"
)

// Steers reports whether a character does something other than to stand in a line: control
// characters, those that end lines or paragraphs, and those without width, which hide or turn round
// what stands beside them.
func Steers(r rune) bool {
	return unicode.IsControl(r) || r == '\u2028' || r == '\u2029' ||
		r != utf8.RuneError && unicode.Is(unicode.Cf, r)
}

// Line makes a part of a line of s: characters that steer, and bytes that are no UTF-8, are spelt
// out as in a string of Go or JSON.
func Line(s string) string {
	for i, r := range s {
		if Steers(r) || r == utf8.RuneError {
			return string(spell([]byte(s[:i]), s[i:], ""))
		}
	}
	return s
}

// longest is what a word of a message has at most, in bytes.
const longest = 1000

// Message makes a line of s, which tells somebody what is wrong: of words that nobody reads to the
// end, such as a number with millions of digits, it has the beginning, the length and the end.
func Message(s string) string {
	if len(s) <= longest {
		return Line(s)
	}
	words := strings.Split(s, " ")
	for i, w := range words {
		if len(w) > longest {
			words[i] = fmt.Sprintf("%s…[%d bytes]…%s", w[:60], len(w), w[len(w)-20:])
		}
	}
	return Line(strings.Join(words, " "))
}

// Text makes a text of s, which may have several lines and tabs.
func Text(s string) string { return string(spell(nil, s, "\n\t")) }

// spell appends s, with what steers spelt out but for the given characters.
func spell(to []byte, s, kept string) []byte {
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		switch {
		case r == utf8.RuneError && n == 1:
			to = fmt.Appendf(to, `\x%02x`, s[0])
		case !Steers(r) || strings.ContainsRune(kept, r):
			to = append(to, s[:n]...)
		case r > 0xffff:
			to = fmt.Appendf(to, `\U%08x`, r)
		default:
			to = fmt.Appendf(to, `\u%04x`, r)
		}
		s = s[n:]
	}
	return to
}

var markdown = strings.NewReplacer("\\", "\\\\", "`", "\\`", "*", "\\*", "_", "\\_", "[", "\\[",
	"]", "\\]", "<", "&lt;",
	"|", "\\|", "$", "\\$", "~", "\\~", "://", "&#58;//", "@", "&#64;")

// Markdown makes a part of a line of s in which Markdown reads nothing as mark-up, a link or
// somebody's name.
func Markdown(s string) string {
	s = markdown.Replace(strings.TrimLeft(Line(s), " "))
	digits := len(s) - len(strings.TrimLeft(s, "0123456789"))
	switch rest := s[digits:]; {
	// heads, items, quotations
	case digits == 0 && rest != "" && strings.ContainsRune("#+->=", rune(rest[0])),
		digits > 0 && rest != "" && strings.ContainsRune(".)", rune(rest[0])) &&
			(len(rest) == 1 || rest[1] == ' '):
		return s[:digits] + "\\" + rest
	}
	return s
}

var code = strings.NewReplacer("|", "\\|", "`", "'", "<", "&lt;")

// Code makes of s what may stand between backticks in a table in Markdown.
func Code(s string) string { return code.Replace(Line(s)) }

// Writer writes to a terminal or a log. What steers is spelt out, but for line ends and tabs; of a
// log that obeys commands of GitHub Actions, no line begins with one. Own commands and the cursor
// of a terminal are for who writes to the writer below.
type Writer struct {
	to      io.Writer
	obeys   bool   // GitHub Actions reads the lines
	torn    []byte // the beginning of a character whose end is not known
	blank   bool   // nothing but white space stands in the line so far
	colons  int    // one if that is followed by a colon
	numbers int    // number signs right before
}

// NewWriter makes a writer; obeys says that lines that begin with a command are obeyed by whoever
// reads them.
func NewWriter(to io.Writer, obeys bool) *Writer { return &Writer{to: to, obeys: obeys, blank: true} }

// Below is what the writer writes to.
func (w *Writer) Below() io.Writer { return w.to }

// Write writes b. An incomplete character at its end waits for the next call, or for Flush.
func (w *Writer) Write(b []byte) (int, error) {
	text := append(w.torn, b...)
	end := len(text)
	for k := 1; k < utf8.UTFMax && k <= len(text); k++ {
		if c := text[len(text)-k]; utf8.RuneStart(c) {
			if !utf8.FullRune(text[len(text)-k:]) {
				end -= k
			}
			break
		}
	}
	w.torn = append([]byte(nil), text[end:]...)
	if err := w.put(string(text[:end])); err != nil {
		return 0, err
	}
	return len(b), nil
}

// Flush writes what waits for the end of a character.
func (w *Writer) Flush() error {
	rest := string(w.torn)
	w.torn = nil
	return w.put(rest)
}

func (w *Writer) put(s string) error {
	if s == "" {
		return nil
	}
	out := spell(make([]byte, 0, len(s)), s, "\n\t")
	if w.obeys {
		out = w.guard(out)
	}
	_, err := w.to.Write(out)
	return err
}

// guard spells out the second colon of a line that begins with two, and the bracket of "##[", by
// which commands begin.
func (w *Writer) guard(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for _, r := range string(b) {
		switch {
		case r == ':' && w.colons == 1:
			out = append(out, `\u003a`...)
		case r == '[' && w.numbers >= 2:
			out = append(out, `\u005b`...)
		default:
			out = utf8.AppendRune(out, r)
		}
		w.colons = 0
		switch {
		case r == '\n':
			w.blank = true
		case w.blank && r == ':':
			w.blank, w.colons = false, 1
		case !unicode.IsSpace(r):
			w.blank = false
		}
		if w.numbers++; r != '#' {
			w.numbers = 0
		}
	}
	return out
}

// Command is a command of GitHub Actions as a line, such as an error beside a line of source.
func Command(name string, properties [][2]string, message string) string {
	var b strings.Builder
	b.WriteString("::" + name)
	for i, p := range properties {
		separator := ","
		if i == 0 {
			separator = " "
		}
		fmt.Fprintf(&b, "%s%s=%s", separator, p[0], property.Replace(Line(p[1])))
	}
	fmt.Fprintf(&b, "::%s\n", data.Replace(Line(message)))
	return b.String()
}

// What must be escaped in the message of a command, and in its properties.
var (
	data     = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", "##[", "##%5B")
	property = strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A", ":", "%3A", ",", "%2C",
		"[", "%5B")
)
