package manuscript

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/props/ledger"
)

// width is how many characters a line of a skeleton has, if words allow.
const width = 116

// weights are what kinds of results are in a ledger.
func weight(kind string) string {
	switch kind {
	case "Theorem":
		return "main result"
	case "Remark", "Example", "Definition", "Assumption", "Condition", "Conjecture":
		return "remark"
	}
	return "proof step"
}

// Skeleton is a ledger in which every result is an entry to be filled in: a remark, as long as it
// has no check, so that what is there can be run at any time.
func (p *Paper) Skeleton(source string) string {
	var b strings.Builder
	b.WriteString(
		"# Every result of the source is an entry below, in remarks. Where a formal line says what " +
			"holds, take the # and\n" +
			"# the blank behind it away: that entry is checked then. What may stand in a formal line: go doc " +
			"sledge/props/ledger.\n" +
			"# Below an entry stand its displays, with lines, numbers, label and digest: pages show them beside what " +
			"stands within\n" +
			"# their lines. Words and formulas are made by rule from the source, and are to be read against it.\n")
	about := func(key, value string) {
		if value = clean(value); value != "" {
			fmt.Fprintf(&b, "%s: %s\n", key, value)
		}
	}
	about("title", p.Title)
	about("authors", p.Authors)
	fmt.Fprintf(&b, "# source: where it is published, instead of %s\n", clean(source))
	about("sha256", p.SHA256)
	remark(&b, "", p.Uncertain())
	for _, f := range p.Included {
		remark(&b, "", "sha256 of "+f.Name+": "+f.SHA256)
	}
	for _, name := range p.Missed {
		remark(&b, "", "Not read: "+name)
	}
	part := ""
	for i := range p.Results {
		s := &p.Results[i]
		if name := slug(s.Section); name != "" && name != part {
			part = name
			fmt.Fprintf(&b, "\npart: %s\n", part)
		}
		b.WriteByte('\n')
		remark(&b, "", s.entry())
		remark(&b, "  ", cleanStatement(s.Text))
		if len(s.Uses) > 0 {
			remark(&b, "  ", "uses: "+strings.Join(s.Uses, ", "))
		}
		remark(&b, "  ", "formal:")
		remark(&b, "  ", "expect: consistent")
		for k, d := range s.Displays {
			if k == s.proof {
				remark(&b, "# ", "in the proof")
			}
			d.write(&b)
		}
	}
	if len(p.Displays) > 0 {
		b.WriteString("\n# Displays outside of results:\n")
	}
	for _, d := range p.Displays {
		d.write(&b)
	}
	return b.String()
}

// write writes a display as it stands in a ledger.
func (d *Display) write(b *strings.Builder) {
	shown := ledger.Display{File: d.Lines.File, First: d.Lines.First, Last: d.Lines.Last,
		Numbers: d.Numbers, Label: d.Label, Digest: d.Digest, Formula: d.Formula}
	wrapped(b, "display: "+shown.String(), "", "    ")
}

// Uncertain says which numbers of results may be others than those of the paper.
func (p *Paper) Uncertain() string {
	if len(p.Missing) == 0 {
		return ""
	}
	return "No \\newtheorem here defines " + clean(strings.Join(p.Missing, ", ")) +
		": they are counted together, assumptions apart, and their numbers may be others."
}

// entry is the line that begins the entry of a result.
func (s *Result) entry() string {
	fields := []string{"printed"}
	if s.Number != "" && slices.Contains(ledger.Numbered(), s.Kind) {
		fields = append(fields, s.Kind+" "+s.Number)
	}
	if strings.Contains(s.Label, ":") && !strings.ContainsAny(s.Label, ";[]") {
		fields = append(fields, s.Label)
	}
	kind := cmp.Or(slug(s.Kind), "statement")
	return fmt.Sprintf("[%s]  %s", s.ID,
		strings.Join(append(fields, "lines "+s.Lines.String(), kind, weight(s.Kind)),
			"; "))
}

// cleanStatement is what may stand as the statement of an entry: not nothing, and nothing that
// looks like a key.
func cleanStatement(s string) string {
	if strings.Count(s, "$")%2 == 1 {
		s = strings.ReplaceAll(s, "$", "")
	}
	if s = strings.TrimLeft(s, "[]#:., "); s == "" {
		return "(no words)"
	}
	if key, _, _ := strings.Cut(s, ": "); !strings.Contains(key, " ") {
		return "“" + s + "”"
	}
	return s
}

// remark writes a text in lines that begin with #, the first indented as is said and the others by
// four more.
func remark(b *strings.Builder, indent, text string) {
	wrapped(b, text, "# "+indent, "# "+indent+"    ")
}

// wrapped writes a text in lines of width, with what stands before the first and before the others.
func wrapped(b *strings.Builder, text, at, then string) {
	for text != "" {
		room := width - utf8.RuneCountInString(at)
		line := text
		if utf8.RuneCountInString(text) > room {
			cut := strings.LastIndexByte(string([]rune(text)[:room]), ' ')
			if cut <= 0 {
				if cut = strings.IndexByte(text, ' '); cut < 0 {
					cut = len(text)
				}
			}
			line = text[:cut]
		}
		text = strings.TrimLeft(text[len(line):], " ")
		fmt.Fprintf(b, "%s%s\n", at, line)
		at = then
	}
}

// marked is a display in a ledger.
var marked = regexp.MustCompile(`^display: ((?:[^\s:]+:)?[0-9]+(?:-[0-9]+)?) (?:.* )?sha256:([0-9a-f]{12})\b`)

// Compare says which displays of a skeleton, or of the ledger that was made of one, are no longer
// in the source, and how many are at other lines.
func (p *Paper) Compare(skeleton string) (gone []string, same, moved int) {
	at := map[string][]string{}
	all := slices.Clone(p.Displays)
	for _, s := range p.Results {
		all = append(all, s.Displays...)
	}
	for _, d := range all {
		at[d.Digest] = append(at[d.Digest], d.Lines.String())
	}
	for line := range strings.Lines(skeleton) {
		m := marked.FindStringSubmatch(line)
		switch {
		case m == nil:
		case len(at[m[2]]) == 0:
			gone = append(gone, m[1])
		case slices.Contains(at[m[2]], m[1]):
			same++
		default:
			moved++
		}
	}
	return gone, same, moved
}

// summed is a digest of a file in a ledger: of the source, or of a file that it includes.
var summed = regexp.MustCompile(`^(?:sha256|# sha256 of (\S+)): ([0-9a-f]{64})\s*$`)

// Others returns the files, of those whose digests stand in a skeleton or in the ledger that was
// made of one, that are not as they were, the source under the name that it is given; known is
// false if no digest stands there.
func (p *Paper) Others(skeleton, source string) (others []string, known bool) {
	now := map[string]string{"": p.SHA256}
	for _, f := range p.Included {
		now[f.Name] = f.SHA256
	}
	for line := range strings.Lines(skeleton) {
		m := summed.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		known = true
		if now[m[1]] != m[2] {
			if m[1] == "" {
				m[1] = source
			}
			others = append(others, m[1])
		}
	}
	return others, known
}
