package ledger

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/plain"
)

// weights are the names of the tiers.
var weights = [...]string{1: "main result", 2: "proof step", 3: "remark"}

// numbered begin the numbers of results.
var numbered = []string{"Theorem", "Lemma", "Proposition", "Corollary", "Remark", "Assumption",
	"Definition", "Algorithm", "Table", "Figure",
	"Equation", "Section", "Appendix", "Proof", "Claim", "Fact", "Inequality", "Example",
	"Conjecture", "Observation", "Property", "Condition"}

// Numbered returns the words that may begin the number of a result, such as Theorem.
func Numbered() []string { return slices.Clone(numbered) }

// line is a logical line of a file, with what was indented below it.
type line struct {
	number int
	text   string
	pieces []piece // of the file that the text is made of, in order
}

// piece is where something stands in the file: its first byte in the logical line, its line, and
// how many characters it is indented by.
type piece struct{ start, number, indent int }

// cut returns the line without its first n bytes.
func (l line) cut(n int) line {
	l.text = l.text[n:]
	l.pieces = slices.Clone(l.pieces)
	for i := range l.pieces {
		l.pieces[i].start -= n
	}
	return l
}

// parser reads one file.
type parser struct {
	name  string
	file  string // with its folder
	part  string
	claim *props.Claim // of the entry that is read
	said  []string     // its keys that may stand once
}

func (p *parser) errorf(l line, format string, args ...any) error {
	return fmt.Errorf("ledger: %s:%d: %s", p.name, l.number, fmt.Sprintf(format, args...))
}

// errorAt is an error at a byte of a line.
func (p *parser) errorAt(l line, at int, format string, args ...any) error {
	in := l.pieces[0]
	for _, piece := range l.pieces {
		if piece.start <= at {
			in = piece
		}
	}
	column := 1 + in.indent - min(in.start, 0) + // what was cut off is indentation
		utf8.RuneCountInString(l.text[max(in.start, 0):min(at, len(l.text))])
	return fmt.Errorf("ledger: %s:%d:%d: %s", p.name, in.number, column,
		fmt.Sprintf(format, args...))
}

// at is the place of a line, as a program's is told.
func (p *parser) at(l line) string { return fmt.Sprintf("%s:%d", p.file, l.number) }

// lines joins what goes on further down. Indentation tells: none for entries and keys of the file,
// two spaces for what belongs to an entry, more for what goes on.
func (p *parser) lines(text string) ([]line, error) {
	var out []line
	number := 0
	for raw := range strings.Lines(strings.TrimPrefix(text, "\ufeff")) { // a byte order mark
		number++
		l := line{number, strings.TrimRight(raw, " \r\n"), []piece{{0, number, 0}}}
		bare := strings.TrimLeft(l.text, " ")
		indent := len(l.text) - len(bare)
		switch {
		case bare == "" || strings.HasPrefix(l.text, "#"):
		case strings.ContainsRune(bare, '\t'):
			return nil, p.errorf(l, "a tab; indent by spaces")
		case strings.ContainsFunc(bare, plain.Steers):
			return nil, p.errorf(l, "a character without width or shape: %.60q", plain.Line(bare))
		case indent == 0 || indent == 2:
			out = append(out, l)
		case indent > 2 && len(out) > 0:
			last := &out[len(out)-1]
			last.text += " " + bare
			last.pieces = append(last.pieces, piece{len(last.text) - len(bare), number, indent})
		default:
			return nil, p.errorf(l, "indented by %d, neither by 2 nor below something", indent)
		}
	}
	return out, nil
}

func (l *Ledger) parse(name, text string) error {
	p := &parser{name: path.Base(name), file: name}
	lines, err := p.lines(text)
	if err != nil {
		return err
	}
	for _, at := range lines {
		switch {
		case strings.HasPrefix(at.text, "["):
			l.Claims = append(l.Claims, props.Claim{Part: p.part, Form: props.Printed})
			p.claim, p.said = &l.Claims[len(l.Claims)-1], nil
			l.at = append(l.at, fmt.Sprintf("%s:%d", p.name, at.number))
			err = p.header(at)
		case !strings.HasPrefix(at.text, " "):
			err = p.about(l, at)
		case p.claim == nil:
			err = p.errorf(at, "indented, but below no entry")
		default:
			err = p.body(l, at.cut(2))
		}
		if err != nil {
			return err
		}
	}
	for i := range l.Claims {
		c := &l.Claims[i]
		wrong := ""
		switch refuted := c.Expect == props.Refuted; {
		case c.Statement == "" || c.Expect == props.Unknown:
			wrong = "lacks its statement or its expected verdict"
		case !refuted && c.Harm != "":
			wrong = "has a harm and is not expected to be refuted"
		case !refuted && c.Cause != "":
			wrong = "has a cause and is not expected to be refuted"
		case !refuted && len(c.Holds) > 0:
			wrong = "says which comparison holds and is not expected to be refuted: all hold then"
		}
		if wrong != "" {
			return fmt.Errorf("ledger: %s: %s %s", l.at[i], c.ID, wrong)
		}
	}
	for i := range l.Claims {
		for _, f := range l.formal[l.Claims[i].ID] {
			if f.units != nil && l.Claims[i].Expect != props.Refuted {
				return f.units
			}
		}
	}
	return nil
}

// about reads a key of the file.
func (p *parser) about(in *Ledger, l line) error {
	key, value, _ := strings.Cut(l.text, ": ")
	if key == "cause" {
		name, title, ok := strings.Cut(value, " – ")
		if !ok || name == "" || strings.Contains(name, " ") || title == "" {
			return p.errorf(l, "%q is no name of a cause, a dash, and what is wrong", value)
		}
		in.Causes = append(in.Causes, Cause{name, title})
		return nil
	}
	switch {
	case key == "display":
		d, ok := ParseDisplay(value)
		if !ok {
			return p.errorf(l,
				"%.80q is no display: want its lines, its numbers and label if it has them, sha256: with "+
					"twelve digits, a dash, and the formula", value)
		}
		in.Text.Displays = append(in.Text.Displays, d)
		return nil
	case key == "symbols" && value != "":
		return p.symbols(in, l)
	case key == "domain" && value != "":
		return p.domain(in, l)
	}
	t := &in.Text
	if field := key; field == "sha256" && !digest.MatchString(value) {
		return p.errorf(l, "%.20q is no SHA-256: 64 hexadecimal digits", value)
	}
	fields := map[string]*string{"part": &p.part, "title": &t.Title, "authors": &t.Authors,
		"source": &t.Source, "sha256": &t.SHA256}
	field := fields[key]
	if field == nil || value == "" {
		return p.errorf(l,
			"%q is neither an entry nor part, title, authors, source, sha256, cause, display, "+
				"symbols or domain with a value", l.text)
	}
	if *field != "" && key != "part" { // others follow the first
		return p.errorf(l, "%s stands in the ledger a second time", key)
	}
	*field = value
	return nil
}

var digest = regexp.MustCompile(`^[0-9a-fA-F]{64}$`)

// identified is what an id looks like. It is a part of addresses, and of what is typed.
var identified = regexp.MustCompile(`^[\pL\pN]+(?:[-._/][\pL\pN]+)*$`)

const longestID = 120

// header reads the line that begins an entry.
func (p *parser) header(l line) error {
	id, place, ok := strings.Cut(l.text[1:], "]")
	switch {
	case !ok || id == "":
		return p.errorf(l, "an entry begins with its id in brackets")
	case !identified.MatchString(id) || utf8.RuneCountInString(id) > longestID:
		return p.errorf(l, "%.80q is no id: an entry begins with its id in brackets, letters, digits, "+
			"and - . _ or / between them, %d at most", id, longestID)
	case formula.Alike(id) != "":
		return p.errorf(l, "the id %q looks like %s", id, formula.Alike(id))
	}
	c := p.claim
	c.ID = id
	var err error
	formed := false
	set := func(form props.Form, of string) error {
		if formed {
			return p.errorf(l, "%s has two forms", id)
		}
		c.Form, c.Of, formed = form, of, true
		return nil
	}
	for field := range strings.SplitSeq(place, ";") {
		field = strings.TrimSpace(field)
		verb, rest, _ := strings.Cut(field, " ")
		weight := slices.Index(weights[:], field)
		switch {
		case field == "":
			return p.errorf(l, "%s has an empty field between semicolons", id)
		case field == "printed":
			err = set(props.Printed, "")
		case field == "own":
			err = set(props.Extension, "")
		case verb == "corrects":
			err = set(props.Corrected, rest)
		case verb == "sharpens":
			err = set(props.Sharper, rest)
		case verb == "lines" || verb == "line":
			if c.Lines = rest; !spans(rest) {
				err = p.errorf(l, "%q are no lines: 12-14, 20 are, or proofs.tex:12-14", rest)
			}
		case weight > 0:
			if c.Tier > 0 {
				err = p.errorf(l, "%s has two weights", id)
			}
			c.Tier = weight
		case slices.Contains(numbered, verb):
			c.Theorem = field
		case strings.Contains(field, ":"):
			c.Label = field
		case c.Kind == "":
			c.Kind = field
		default:
			return p.errorf(l, "%s has two kinds, %q and %q; the number of a result begins with %s",
				id, c.Kind, field, strings.Join(numbered, ", "))
		}
		if err != nil {
			return err
		}
	}
	if !formed {
		return p.errorf(l,
			"%s is neither printed nor own, and neither corrects nor sharpens an entry", id)
	}
	if c.Tier == 0 {
		return p.errorf(l, "%s is neither a main result nor a proof step nor a remark", id)
	}
	return nil
}

// spans reports whether a text is lines of a file, in the notation of [props.Claim]'s Lines.
func spans(text string) bool {
	for span := range strings.SplitSeq(text, ", ") {
		m := spanned.FindStringSubmatch(span)
		if m == nil {
			return false
		}
		first, _ := strconv.Atoi(m[1])
		last := first
		if m[2] != "" {
			last, _ = strconv.Atoi(m[2])
		}
		if first == 0 || last < first {
			return false
		}
	}
	return true
}

var spanned = regexp.MustCompile(`^(?:[^\s:]+:)?([0-9]{1,9})(?:-([0-9]{1,9}))?$`)

// repeated are the keys of an entry that may stand in it more than once.
var repeated = []string{"note", "uses", "holds", "sharp", "formal"}

// keys are what may stand before a colon in an entry.
var keys = []string{"note", "uses", "expect", "holds", "sharp", "harm", "cause", "reading",
	"formal", "object", "control"}

// body reads a line of an entry.
func (p *parser) body(in *Ledger, l line) error {
	c := p.claim
	key, value, _ := strings.Cut(l.text+" ", ": ")
	if !slices.Contains(keys, key) {
		if c.Statement != "" {
			return p.errorf(l, "%s has a second statement; the keys are %s", c.ID,
				strings.Join(keys, ", "))
		}
		c.Statement = l.text
		return p.dollars(l)
	}
	if slices.Contains(p.said, key) {
		return p.errorf(l, "%s stands below %s a second time", key, c.ID)
	}
	if !slices.Contains(repeated, key) {
		p.said = append(p.said, key)
	}
	switch value = strings.TrimSpace(value); {
	case value == "":
		return p.errorf(l, "%s of %s is empty", key, c.ID)
	case key == "note":
		c.Notes = strings.TrimPrefix(c.Notes+"\n"+value, "\n")
	case key == "uses":
		for id := range strings.SplitSeq(value, ",") {
			c.Uses = append(c.Uses, strings.TrimSpace(id))
		}
	case key == "expect":
		value, c.MayBeLoose = strings.CutSuffix(value, " loose")
		verdict, scope, scoped := strings.Cut(value, " ")
		if err := c.Expect.UnmarshalText([]byte(verdict)); err != nil ||
			c.Expect == props.Unknown ||
			c.Expect == props.Error {
			return p.errorf(l, "%q is no verdict to expect", verdict)
		}
		c.Within = certificate.Scope(scope)
		if scoped && (c.Expect != props.Proved || !slices.Contains(certificate.Scopes, c.Within)) {
			return p.errorf(l, "%q is no scope of a proof; they are %v", value, certificate.Scopes)
		}
	case key == "holds":
		c.Holds = append(c.Holds, value)
	case key == "sharp":
		share, what, _ := strings.Cut(value, " ")
		f, err := strconv.ParseFloat(share, 64)
		if err != nil || !(f > 0 && f <= 1) {
			return p.errorf(l, "%q is no share of a bound", share)
		}
		c.Sharp = append(c.Sharp, props.Floor{Share: f, What: what})
	case key == "harm":
		harm, reason, _ := strings.Cut(value, " – ")
		if c.Harm = props.Harm(harm); !slices.Contains(props.Harms, c.Harm) {
			return p.errorf(l, "%q is no harm; they are %v", harm, props.Harms)
		}
		c.Reason = reason
	case key == "cause":
		c.Cause = value
	case key == "control":
		control, err := props.ParseControl(value)
		if err != nil {
			return p.errorf(l, "%s: %v", c.ID, err)
		}
		c.Control = &control
	case key == "reading":
		c.Reading = value
	case key == "object":
		object, given, _ := strings.Cut(value, " – ")
		if c.Object, c.Given = props.Object(object),
			given; !slices.Contains(props.Objects, c.Object) {
			return p.errorf(l, "%q is no object of a proof; they are %q", object, props.Objects)
		}
	case key == "formal":
		name, ok := strings.CutPrefix(value, "theorem ")
		if !ok {
			return p.formal(in, l)
		}
		if strings.ContainsAny(strings.ReplaceAll(name, ", ", ","), " $") {
			return p.errorf(l,
				"%q is not the word theorem and a name, or several with commas between", value)
		}
		c.Formal = name
	}
	return p.dollars(l)
}

// dollars complains about a formula that does not end.
func (p *parser) dollars(l line) error {
	if strings.Count(l.text, "$")%2 == 1 {
		return p.errorf(l, "a formula of %s has no second dollar sign", p.claim.ID)
	}
	return nil
}
