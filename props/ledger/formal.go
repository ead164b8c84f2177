package ledger

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/settle"
)

// place is a domain by name, with its symbols.
type place struct {
	vocabulary *formula.Vocabulary
	domain     *formula.Domain
	text       string
	effort     float64
}

// bare names the domain that has the symbols and says no more of them.
func bare(v *formula.Vocabulary) place {
	return place{v, props.Must(v.Domain("")), "", 1}
}

// program is what stands in the place of a formal statement where the checks in Go come in their
// turn.
const program = "program"

// Vocabulary returns the symbols that the ledger declares by the name.
func (l *Ledger) Vocabulary(name string) (*formula.Vocabulary, error) {
	p, known := l.places[name]
	if !known {
		return nil, fmt.Errorf("ledger: %s", l.unknown(name))
	}
	return p.vocabulary, nil
}

func (l *Ledger) unknown(name string) string {
	known := strings.Join(slices.Sorted(maps.Keys(l.places)), " ")
	return fmt.Sprintf("%q is no name of symbols or of a domain; known are %s", name,
		cmp.Or(known, "none"))
}

// formulaError puts an error of a formula, which begins at a byte of the line, in its place.
func (p *parser) formulaError(l line, start int, err error) error {
	var wrong *formula.Error
	var mismatch *formula.Mismatch
	switch rest := l.text[start:]; {
	case errors.As(err, &wrong):
		return p.errorAt(l, start+bytesOf(rest, wrong.Column), "%s", wrong.What)
	case errors.As(err, &mismatch):
		return p.errorAt(l, start+bytesOf(rest, mismatch.At), "%v", mismatch)
	}
	return p.errorAt(l, start, "%v", err)
}

// bytesOf is how many bytes stand before a character that is counted from 1.
func bytesOf(text string, column int) int {
	n := 0
	for range column - 1 {
		_, size := utf8.DecodeRuneInString(text[n:])
		n += size
	}
	return n
}

// declaration is what stands before the first semicolon of symbols or a domain: a name, an equals
// sign and what it is made of, with its place in the line; start is that of the rest.
type declaration struct {
	name, of    string
	base, start int
}

func (p *parser) declare(in *Ledger, l line, key string) (d declaration, err error) {
	begin := len(key) + 2
	head, _, _ := strings.Cut(l.text[begin:], ";")
	name, of, _ := strings.Cut(head, "=")
	d = declaration{strings.TrimSpace(name), strings.TrimSpace(of), begin,
		min(begin+len(head)+1, len(l.text))}
	if d.of != "" {
		d.base += len(name) + 1 + strings.Index(of, d.of)
	}
	if _, twice := in.places[d.name]; twice {
		return d, p.errorAt(l, begin, "%s has a meaning already", d.name)
	}
	if d.name == "" || strings.ContainsAny(d.name, " :,∈[") || d.name == program {
		return d, p.errorAt(l, begin, "%q is no name: a word is wanted", d.name)
	}
	return d, nil
}

// symbols reads symbols: a name, those that they are added to if there are any, and after each
// semicolon names with commas between, their unit or kind, and their range.
func (p *parser) symbols(in *Ledger, l line) error {
	d, err := p.declare(in, l, "symbols")
	if err != nil {
		return err
	}
	at := d.start
	var added []formula.Symbol
	named := map[string]bool{}
	for field := range strings.SplitSeq(l.text[at:], ";") {
		if strings.TrimSpace(field) == "" {
			continue
		}
		group, err := symbolsOf(field)
		begin := at + len(field) - len(strings.TrimLeft(field, " "))
		if err != nil {
			return p.errorAt(l, begin, "%v", err)
		}
		for _, s := range group {
			if named[s.Name] {
				return p.errorAt(l, begin, "%s is declared twice", s.Name)
			}
			named[s.Name] = true
		}
		added = append(added, group...)
		at += len(field) + 1
	}
	v, err := formula.MakeVocabulary(added...)
	if err != nil {
		return p.errorf(l, "%v", err)
	}
	if d.of != "" {
		of, numbers := strings.CutPrefix(d.of, "numbers of ")
		from, err := in.Vocabulary(of)
		if err != nil {
			return p.errorAt(l, d.base+len(d.of)-len(of), "%s", in.unknown(of))
		}
		if numbers {
			from = from.Numbers()
		}
		v = from.With(added...)
	}
	in.places[d.name] = bare(v.Settling(settle.Coefficients, settle.Orders))
	return nil
}

// symbolsOf reads a group such as "n, P count [2, 1e6]" or "L, ζ f/x²".
func symbolsOf(field string) ([]formula.Symbol, error) {
	head, ends, ranged := strings.Cut(strings.TrimSpace(field), "[")
	var s formula.Symbol
	if ranged {
		lo, hi, _ := strings.Cut(strings.TrimSuffix(strings.TrimSpace(ends), "]"), ",")
		var err, also error
		s.Lo, err = strconv.ParseFloat(strings.TrimSpace(lo), 64)
		s.Hi, also = strconv.ParseFloat(strings.TrimSpace(hi), 64)
		if err != nil || also != nil || !strings.HasSuffix(ends, "]") || !(s.Lo <= s.Hi) ||
			s.Lo == 0 && s.Hi == 0 || math.IsInf(s.Hi-s.Lo, 0) {
			return nil, fmt.Errorf("[%s is no range of two numbers", ends)
		}
	}
	words := strings.Fields(head)
	names := 1
	for names < len(words) && strings.HasSuffix(words[names-1], ",") {
		names++
	}
	for i, word := range words[min(names, len(words)):] {
		switch {
		case i > 0:
			return nil, fmt.Errorf("%q stands behind %q: a symbol has one unit, or is a count or a "+
				"logarithm", word, words[names])
		case word == "count":
			s.Kind = formula.Count
		case word == "logarithm":
			s.Kind = formula.Logarithmic
		default:
			var err error
			if s.Unit, err = formula.ParseUnit(word); err != nil {
				return nil, fmt.Errorf("%q is neither count nor logarithm, and %w", word, err)
			}
		}
	}
	switch {
	case s.Kind == formula.Count && ranged && (s.Lo < 0 || math.Ceil(s.Lo) > math.Floor(s.Hi)):
		return nil, fmt.Errorf("[%s is no range of counts: no whole number from 0 on lies in it, or "+
			"a negative one", ends)
	case s.Kind == formula.Logarithmic && ranged && s.Lo < 1:
		return nil, fmt.Errorf("[%s is no range of a logarithm, which is at least 1", ends)
	}
	var out []formula.Symbol
	for _, word := range words[:min(names, len(words))] {
		s.Name = strings.TrimSuffix(word, ",")
		err := formula.Nameable(s.Name)
		if other := formula.Alike(s.Name); err == nil && other != "" {
			err = fmt.Errorf("%q looks like %s", s.Name, other)
		}
		if err != nil {
			return nil, err
		}
		out = append(out, s)
	}
	return out, nil
}

// domain reads a domain: its name, the symbols that it is about, and after a semicolon their
// ranges. A share of the usual effort may stand at its end.
func (p *parser) domain(in *Ledger, l line) error {
	d, err := p.declare(in, l, "domain")
	if err != nil {
		return err
	}
	from, known := in.places[d.of]
	if !known {
		return p.errorAt(l, d.base, "%s", in.unknown(d.of))
	}
	start := d.start
	if before, share, found := strings.Cut(l.text[start:], "; effort "); found {
		e, err := strconv.ParseFloat(share, 64)
		if err != nil || !(e > 0 && e <= 10) {
			return p.errorAt(l, start+len(before)+len("; effort "),
				"%q is no multiple of the usual effort, above 0 and up to 10", share)
		}
		l.text, from.effort = l.text[:start+len(before)], e
	}
	made, err := p.within(from, l, start, len(l.text))
	if err == nil {
		in.places[d.name] = made
	}
	return err
}

// within adds ranges, which stand between two bytes of a line, to a domain.
func (p *parser) within(from place, l line, start, end int) (place, error) {
	text := strings.TrimSpace(l.text[start:end])
	if text == "" {
		return from, nil
	}
	start += len(l.text[start:end]) - len(strings.TrimLeft(l.text[start:end], " "))
	before := ""
	if from.text != "" {
		before = from.text + ", "
	}
	d, err := from.vocabulary.Domain(before + text)
	if err != nil {
		var wrong *formula.Error
		if _, alone := from.vocabulary.Domain(text); alone != nil {
			err = alone
		} else if shift := utf8.RuneCountInString(before); errors.As(err, &wrong) &&
			wrong.Column > shift {
			err = &formula.Error{Text: text, Column: wrong.Column - shift, What: wrong.What}
		}
		return from, p.formulaError(l, start, err)
	}
	return place{from.vocabulary, d, before + text, from.effort}, nil
}

// part is a formal statement of an entry, with its check; none is in the place of what a program
// checks, and of a statement about runs that [Ledger.Run] has not seen.
type part struct {
	check props.Check
	runs  *inRuns // what the check is made of, if it is about runs
	at    string
	units error // why the units of the statement do not agree, with its place
}

// program reports whether a program checks the part.
func (f part) program() bool { return f.check == nil && f.runs == nil }

// formal reads a formal statement: a domain, further ranges after commas, a colon, and what holds
// there.
func (p *parser) formal(in *Ledger, l line) error {
	c := p.claim
	entry := in.formal[c.ID]
	value := l.text[len("formal: "):]
	if value == program {
		if slices.ContainsFunc(entry, part.program) {
			return p.errorf(l, "%s has its program twice", c.ID)
		}
		in.formal[c.ID] = append(entry, part{})
		return nil
	}
	head, _, stated := strings.Cut(value, ":")
	if !stated {
		return p.errorAt(l, len("formal: "),
			"%q is not the word theorem and a name, nor a domain, a colon and a statement", value)
	}
	start := len("formal: ")
	end := start + len(head)
	text := l.text[end+1:]
	begin := end + 1 + len(text) - len(strings.TrimLeft(text, " "))
	text = strings.TrimSpace(text)
	for _, word := range about {
		if of, runs := strings.CutPrefix(head, word+" of "); runs {
			return p.runs(in, l, word, of, text, start, begin)
		}
	}
	of, units := strings.CutPrefix(head, "units of ")
	of, _, _ = strings.Cut(of, ",")
	of = strings.TrimSpace(of)
	from, known := in.places[of]
	if !known {
		return p.errorAt(l, start, "%s", in.unknown(of))
	}
	if comma := strings.Index(head, ","); comma >= 0 {
		var err error
		if from, err = p.within(from, l, start+comma+1, end); err != nil {
			return err
		}
	}
	st, err := formula.ParseStatement(from.vocabulary, text)
	if err != nil {
		return p.formulaError(l, begin, err)
	}
	made := part{at: p.at(l)}
	if wrong := st.Units(); wrong != nil {
		made.units = p.formulaError(l, begin, wrong)
	}
	said := st.Marked()
	if units {
		made.check = from.vocabulary.Homogeneous(text)
		said = "units agree in " + said
	} else {
		if made.check, err = from.domain.Check(text); err != nil {
			return p.formulaError(l, begin, err)
		}
		if d, ok := made.check.(*props.Deterministic); ok && from.effort != 1 {
			d.Effort(from.effort)
		}
		if err := props.Inhabited(made.check); err != nil {
			return p.errorAt(l, begin, "no instance of %s is met: %v", of, err)
		}
		for i, r := range from.domain.Ranges(st) {
			said += []string{", for $", ", $"}[min(i, 1)] + r.String() + "$"
		}
	}
	in.formal[c.ID] = append(entry, made)
	c.Formally = append(c.Formally, said)
	return nil
}

// join returns the check of the i-th entry, from what it says itself and from what a program binds
// to it.
func (l *Ledger) join(i int, bound props.Check) (props.Check, error) {
	c := &l.Claims[i]
	wrong := func(at, format string, args ...any) (props.Check, error) {
		return nil, fmt.Errorf("ledger: %s: %s %s", at, c.ID, fmt.Sprintf(format, args...))
	}
	parts := l.formal[c.ID]
	asked := slices.ContainsFunc(parts, part.program)
	switch {
	case asked && bound == nil:
		return wrong(l.at[i], "says that a program checks it, and no check is bound to it")
	case bound != nil && !asked && len(parts) > 0:
		return wrong(l.at[i], "has formal lines and a check that is bound to it: "+
			"say among them where that comes, with formal: %s", program)
	case bound != nil && !asked:
		return bound, nil
	}
	var checks []props.Check
	for _, f := range parts {
		switch {
		case f.check != nil:
		case f.runs != nil:
			return wrong(f.at, "speaks of runs, of which this program knows nothing")
		default:
			f.check = bound
		}
		checks = append(checks, f.check)
	}
	switch len(checks) {
	case 0:
		return wrong(l.at[i],
			"has no formal statement in formulas or about runs, and no check is bound to it")
	case 1:
		return checks[0], nil
	}
	return props.All(checks...), nil
}

// Program is what [Ledger.Makes] returns of an entry that a program checks, Formulas of one whose
// check is made of formulas alone.
const (
	Program  = program
	Formulas = "formulas"
)

// Makes says what the check of an entry is made of: [Program], if one is to be bound to it;
// [Formulas]; or what its formal lines speak of besides formulas, see [Runs], each once, in their
// order.
func (l *Ledger) Makes(id string) []string {
	parts := l.formal[id]
	if len(parts) == 0 || slices.ContainsFunc(parts, part.program) {
		return []string{Program}
	}
	var of []string
	for _, f := range parts {
		if f.runs != nil && !slices.Contains(of, f.runs.Of) {
			of = append(of, f.runs.Of)
		}
	}
	if of == nil {
		of = []string{Formulas}
	}
	return of
}

// Only returns the ledger with those of its claims alone that are to be kept.
func (l *Ledger) Only(keep func(*props.Claim) bool) *Ledger {
	part := *l
	part.Claims, part.at = nil, nil
	for i := range l.Claims {
		if keep(&l.Claims[i]) {
			part.Claims = append(part.Claims, l.Claims[i])
			part.at = append(part.at, l.at[i])
		}
	}
	part.formal = maps.Clone(l.formal) // Run fills the lists behind it in
	for id, parts := range part.formal {
		part.formal[id] = slices.Clone(parts)
	}
	return &part
}
