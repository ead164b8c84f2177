package reports

import (
	"cmp"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
)

// Section is a numbered place of the text, such as a theorem with its proof, and all claims about
// it: those that bear its number, their other forms, and what else bears its label. Claims that
// belong to no such place are collected by part.
type Section struct {
	Name     string // "Theorem 2", or the name of a part
	Numbered bool
	Claims   []*Claim // in the order of the report
}

// place of the text in a number such as "Proof of Theorem 6'" or "Table 2, note".
var numberedPlace = regexp.MustCompile(
	`^(?:Proof of )?([A-Z][a-z]+ [0-9A-Z]+(?:\.[0-9]+)*)'*(?:,.*)?$`)

// Sections divides the claims among the places of the text, in its order; parts come last.
func (r *Report) Sections() []*Section {
	home := map[string]string{}     // of families of forms, by the id up to the slash
	labelled := map[string]string{} // the first place that bears a label
	for i := range r.Claims {
		c := &r.Claims[i]
		m := numberedPlace.FindStringSubmatch(c.Theorem)
		if m == nil {
			continue
		}
		if _, known := home[baseID(c.ID)]; !known || c.Form == props.Printed {
			home[baseID(c.ID)] = m[1]
		}
		if _, known := labelled[c.Label]; !known && strings.Contains(c.Label, ":") {
			labelled[c.Label] = m[1]
		}
	}
	var out []*Section
	at, line := map[string]*Section{}, map[*Section]int{}
	for i := range r.Claims {
		c := &r.Claims[i]
		name := cmp.Or(home[baseID(c.ID)], labelled[c.Label])
		key := "number " + name
		if name == "" {
			name, key = c.Part, "part "+c.Part
		}
		s := at[key]
		if s == nil {
			s = &Section{Name: name, Numbered: key[0] == 'n'}
			at[key], line[s] = s, math.MaxInt
			out = append(out, s)
		}
		s.Claims = append(s.Claims, c)
		if c.Form == props.Printed && s.Numbered {
			line[s] = min(line[s], mainLine(c.Lines))
		}
	}
	slices.SortStableFunc(out, func(a, b *Section) int { return cmp.Compare(line[a], line[b]) })
	return out
}

// mainLine is where the longest span begins in a list of lines such as "112, 383-390": the place
// itself, rather than those that mention it.
func mainLine(lines string) int {
	line, most := math.MaxInt, -1
	for span := range strings.SplitSeq(lines, ",") {
		from, to, ranged := strings.Cut(strings.TrimSpace(span), "-")
		first, err := strconv.Atoi(from)
		last := first
		if ranged && err == nil {
			last, err = strconv.Atoi(to)
		}
		if err == nil && last-first > most {
			line, most = first, last-first
		}
	}
	return line
}

// Main returns the printed main results of the section, and what else is refuted of what stands in
// the result itself, whatever its weight: a result is as good as everything inside it. A section
// without a main result has none.
func (s *Section) Main() []*Claim {
	var out []*Claim
	main := false
	for _, c := range s.Claims {
		if c.Form != props.Printed {
			continue
		}
		main = main || c.Tier == 1
		if c.Tier == 1 || c.Theorem == s.Name && s.Numbered && c.Verdict == props.Refuted {
			out = append(out, c)
		}
	}
	if !main {
		return nil
	}
	return out
}

// Fate is what became of a printed statement.
type Fate string

// The fates, the worst last.
const (
	asPrinted Fate = "as printed"
	asRead    Fate = "as read"  // with plain substitutions, see [props.Claim]
	undecided Fate = "open"     // neither refuted nor upheld
	repaired  Fate = "repaired" // refuted; a corrected form stands
	fallen    Fate = "fallen"   // refuted, and no corrected form stands
)

var fates = []Fate{asPrinted, asRead, undecided, repaired, fallen}

// Stands reports whether the verdict upholds the claim.
func (c *Claim) Stands() bool {
	return c.Verdict == props.Proved || c.Verdict == props.Supported ||
		c.Verdict == props.Consistent
}

// Fate returns what became of a printed statement, and the form of it that stands: the statement
// itself, its corrected form, or nil.
func (r *Report) Fate(c *Claim) (Fate, *Claim) {
	switch {
	case c.Stands() && c.Reading == "":
		return asPrinted, c
	case c.Stands():
		return asRead, c
	case c.Verdict != props.Refuted:
		return undecided, nil
	}
	if f := r.Corrected(c.ID); f != nil && f.Stands() {
		return repaired, f
	}
	return fallen, nil
}

// support is a place of the text on which a result rests and in which something is refuted.
type support struct {
	Section *Section
	// through which the result uses it, the nearest first; empty if it does so directly
	Via     []*Section
	Refuted []*Claim   // printed statements there, of those that the result rests on
	Fallen  []*Claim   // those of Refuted without a form that stands
	Harm    props.Harm // the gravest of Refuted
}

// survey is a report by place of the text.
type survey struct {
	report   *Report
	sections []*Section
	of       map[string]*Section // by id
	claims   map[string]*Claim   // by id
}

func newSurvey(r *Report) *survey {
	s := &survey{report: r, sections: r.Sections(), of: map[string]*Section{},
		claims: map[string]*Claim{}}
	for _, sec := range s.sections {
		for _, c := range sec.Claims {
			s.of[c.ID], s.claims[c.ID] = sec, c
		}
	}
	return s
}

// rests follows what the printed main results of a section use, and finds the other places where
// something is refuted on the way; total counts all printed statements met.
func (s *survey) rests(sec *Section) (supports []support, total int) {
	type node struct {
		c   *Claim
		via []*Section
	}
	var queue []node
	seen := map[string]bool{}
	for _, c := range sec.Main() {
		seen[c.ID] = true
		queue = append(queue, node{c: c})
	}
	found := map[*Section]int{}
	for ; len(queue) > 0; queue = queue[1:] {
		n := queue[0]
		for _, id := range n.c.Uses {
			c := s.claims[id]
			if c == nil || seen[id] {
				continue
			}
			seen[id] = true
			here := s.of[id]
			if c.Form == props.Printed {
				total++
				if c.Verdict == props.Refuted {
					k, known := found[here]
					if !known {
						k = len(supports)
						found[here] = k
						supports = append(supports, support{Section: here, Via: until(n.via, here)})
					}
					supports[k].add(s.report, c)
				}
			}
			via := n.via
			if here != sec && !slices.Contains(via, here) {
				via = append(slices.Clone(via), here)
			}
			queue = append(queue, node{c, via})
		}
	}
	return supports, total
}

// until cuts a way where it first reaches its end.
func until(via []*Section, end *Section) []*Section {
	if k := slices.Index(via, end); k >= 0 {
		return via[:k]
	}
	return via
}

func (p *support) add(r *Report, c *Claim) {
	p.Refuted = append(p.Refuted, c)
	if fate, _ := r.Fate(c); fate == fallen {
		p.Fallen = append(p.Fallen, c)
	}
	if p.Harm == "" || gravity(c.Harm) < gravity(p.Harm) {
		p.Harm = c.Harm
	}
}

// gravity orders harms, the gravest first, and what is not judged last.
func gravity(h props.Harm) int {
	if k := slices.Index(props.Harms, h); k >= 0 {
		return k
	}
	return len(props.Harms)
}

// needs returns the largest constant that the bounds of a standing claim turned out to need, as a
// multiple of what is claimed, and the largest ratio of a statement up to a constant; NaN where
// there is none.
func needs(c *Claim) (constant, ratio float64) {
	constant, ratio = math.NaN(), math.NaN()
	for i := range c.Evidence {
		e := &c.Evidence[i]
		if e.Sense == props.Proposition || e.Outcome() == props.Refuted {
			continue
		}
		if known(e.Ratio) && !(e.Ratio <= ratio) {
			ratio = e.Ratio
		}
		if e.Relation == props.LE && known(e.Constant) && e.Sense != props.Hidden &&
			!(e.Constant <= constant) {
			constant = e.Constant
		}
	}
	return constant, ratio
}
