package conjecture

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/props/formula"
)

// statement is the text of a conjecture as it has been read. All that is asked of it is read off
// its trees.
type statement struct {
	federated bool
	mean      bool // E stands in it
	convex    bool // is a premise
	premises  []premise
	// the smaller and the larger side, of what is known before, at x^t, and of the operators
	left, right reading
	along       []operator
	rungs       []rung          // the terms of both sides, of a statement that is no mean
	used        map[string]bool // quantities that stand in it
	shown       []int           // numbers of those among the measured ones
	random      bool            // the larger side depends on the run
	local       bool            // it is about local steps
	weaker      bool            // a larger c claims less
}

// operator is what a statement makes of a formula at the points of a run.
type operator struct {
	name    string
	of      reading // of what is known before, and at a point
	settled bool    // no draw changes it
}

// atStart are quantities that are the same at x⁰ in every run.
var atStart = []string{"‖∇f‖", "gap", "step", "S", "moved", "‖x−x⁰‖", "‖x−x*‖", "‖∇fᵢ‖",
	"‖∇fᵢ−∇fᵢ*‖", "s", level}

// premise is a relation between quantities that are known before a run.
type premise struct {
	text     string
	relation string
	sides    [2]*formula.Tree
	values   [2]*formula.Program
	// what it says of a quantity that may be chosen
	bounds []bound
}

// bound is a relation between a quantity and a formula without it.
type bound struct {
	of       string
	relation string
	limit    *formula.Program
	needs    []string // quantities in the limit
}

// chosen are the quantities that may be chosen for an instance, in this order.
var chosen = []string{"n", "P", "d", "p", "K", "b", "m", "t", horizon, "C_1", "η", "r", "a"}

// part is a piece of a text with blanks in place of what stands before it, so that characters keep
// their places.
func part(text string, from, to int) string {
	return strings.Repeat(" ", utf8.RuneCountInString(text[:from])) + text[from:to]
}

// split takes a text apart into its premises, which may be empty, and what follows from them.
func split(text string) (premises, body string, err error) {
	if strings.HasPrefix(text, "if ") {
		for _, sign := range []string{" then ", ":"} {
			if k := strings.Index(text, sign); k >= 0 {
				return part(text, len("if "), k), part(text, k+len(sign), len(text)), nil
			}
		}
		return "", "", &formula.Error{Text: text, Column: 1,
			What: "a colon is missing between premises and statement: " +
				"if …: …"}
	}
	if k := strings.Index(text, " if "); k >= 0 {
		return part(text, k+len(" if "), len(text)), text[:k], nil
	}
	return "", text, nil
}

// placed makes an error about a part of a text, in which the part has its place.
func placed(text string) func(t *formula.Tree, format string, args ...any) error {
	return func(t *formula.Tree, format string, args ...any) error {
		return &formula.Error{Text: text, Column: max(1, t.At), What: fmt.Sprintf(format, args...)}
	}
}

// complete names what is known in an error about a text.
func complete(err error, text string, federated bool) error {
	var e *formula.Error
	if !errors.As(err, &e) {
		return err
	}
	e = &formula.Error{Text: text, Column: e.Column, What: e.What}
	if known, _, unknown := strings.Cut(e.What, "; known are "); unknown {
		e.What = known + "; known are " + alternatives(federated)
	}
	return e
}

// read reads a text in the signs of the notation, and the ranges from which its instances are
// drawn. Errors say at which character it is wrong, and what is known.
func read(text, drawn string, federated bool) (*statement, error) {
	s := &statement{federated: federated, used: map[string]bool{}}
	at := placed(text)
	premises, body, err := split(text)
	if err != nil {
		return nil, err
	}
	if err := s.assume(premises, at); err != nil {
		return nil, complete(err, text, federated)
	}
	if err := s.assume(drawn, placed(drawn)); err != nil {
		return nil, complete(err, drawn, federated)
	}
	var words []string
	for _, o := range operators {
		words = append(words, o[0])
	}
	v := vocabulary(quantitiesOf[federated]...).Operating(words...)
	stated, err := formula.ParseStatement(v, body)
	if err != nil {
		return nil, complete(err, text, federated)
	}
	if err := stated.Units(); err != nil {
		return nil, err
	}
	c := stated.Conclusion()
	if len(stated.Premises()) > 0 || len(c.Relations) != 1 ||
		!strings.Contains("≤≥", c.Relations[0]) {
		return nil, at(c.Sides[0],
			"a conjecture is one relation, ≤ or ≥, between two formulas; premises stand behind if")
	}
	if err := s.relate(c, at); err != nil {
		return nil, err
	}
	return s, nil
}

// relate reads the two sides of a relation.
func (s *statement) relate(c formula.Clause,
	at func(*formula.Tree, string, ...any) error) error {
	sides := slices.Clone(c.Sides)
	if c.Relations[0] == "≥" {
		slices.Reverse(sides)
	}
	written := slices.Clone(sides)
	for i, side := range sides {
		if side.Op == "order" {
			return at(side, "write c times a formula in place of an order")
		}
		if err := s.linear(side, at); err != nil {
			return err
		}
		var err error
		if sides[i], err = s.reduce(side, at); err != nil {
			return err
		}
	}
	for k, q := range measured {
		if s.used[q.Name] {
			s.shown = append(s.shown, k)
		}
	}
	if !s.ofRun(sides) {
		return at(c.Sides[0], "nothing that a run does stands in the statement; a run has %s",
			strings.Join(names(measured), ", "))
	}
	s.random = slices.ContainsFunc(sides[1].Symbols(), func(name string) bool {
		for k := range s.along {
			if name == place(k) {
				return !s.along[k].settled
			}
		}
		return slices.Contains(names(measured), name)
	})
	all := names(quantitiesOf[s.federated])
	for k := range s.along {
		all = append(all, place(k))
	}
	s.left, s.right = readingOf(sides[0], all), readingOf(sides[1], all)
	for i, side := range sides {
		if !s.mean {
			s.rungs = append(s.rungs, rungsOf(written[i], side, all)...)
		}
	}
	up, down := directions(sides[1])
	less, more := directions(sides[0])
	if up, down = up || more, down || less; up && down {
		return at(c.Sides[0],
			"whether a larger c claims more or less cannot be told: it stands where both are so, or in "+
				"an exponent")
	}
	s.weaker = up
	return nil
}

// ofRun reports whether one of the sides, with symbols in place of operators, depends on the run.
func (s *statement) ofRun(sides []*formula.Tree) bool {
	return slices.ContainsFunc(sides, func(side *formula.Tree) bool {
		return len(s.along) > 0 || ofRun(side)
	})
}

// assume reads premises.
func (s *statement) assume(text string, at func(*formula.Tree, string, ...any) error) error {
	quantities := slices.DeleteFunc(slices.Clone(before(s.federated)),
		func(q quantity) bool { return q.Name == "c" })
	v := vocabulary(append(quantities, quantity{formula.Symbol{Name: convex}, ""})...)
	clauses, err := v.Relations(strings.ReplaceAll(text, " and ", " ,   "))
	if err != nil {
		return err
	}
	all := names(before(s.federated))
	for _, c := range clauses {
		lone := len(c.Relations) == 0
		switch {
		case lone && c.Sides[0].Op == "symbol" && c.Sides[0].Name == convex:
			s.convex = true
			continue
		case lone || slices.Contains(c.Relations, "∈"):
			return at(c.Sides[0], "a premise is a relation such as η ≤ 1/L, or the word %s", convex)
		}
		for i, side := range c.Sides {
			switch {
			case side.Op == "order" || side.Op == "span":
				return at(side, "a premise compares numbers")
			case slices.Contains(side.Symbols(), convex):
				return at(side, "the word %s is a premise of its own", convex)
			}
			for _, name := range side.Symbols() {
				s.used[name] = true
			}
			if i == 0 {
				continue
			}
			p := premise{text: formula.Clause{Sides: c.Sides[i-1 : i+1],
				Relations: c.Relations[i-1 : i]}.String(),
				relation: c.Relations[i-1], sides: [2]*formula.Tree{c.Sides[i-1], side}}
			for k, side := range p.sides {
				p.values[k] = side.Of(all...)
			}
			p.isolate(all)
			s.premises = append(s.premises, p)
			if name := s.emptied(&p); name != "" {
				return at(c.Sides[i-1],
					"no instance is left by the premises on %s: it is a whole number from 1 to %d",
					name,
					mostCount)
			}
		}
		if err := v.Units(c); err != nil {
			return err
		}
	}
	return nil
}

// emptied names a count to which the premise, with those before it, leaves no value up to
// [mostCount], if it says so whatever the instance is.
func (s *statement) emptied(p *premise) string {
	for _, b := range p.bounds {
		lo, hi := s.limits(b.of, nil, 1, mostCount)
		if counted(b.of, s.federated) &&
			(max(1, math.Ceil(lo)) > math.Floor(hi) || lo > mostCount) {
			return b.of
		}
	}
	return ""
}

// counted reports whether something that is known before a run is a number of things.
func counted(name string, federated bool) bool {
	return slices.ContainsFunc(before(federated), func(q quantity) bool {
		return q.Name == name && q.Kind == formula.Count
	})
}

var turned = map[string]string{"≤": "≥", "≥": "≤", "<": ">", ">": "<", "=": "="}

// isolate finds what the premise says of quantities that may be chosen: those that are a factor of
// one side.
func (p *premise) isolate(all []string) {
	for _, name := range chosen {
		for i, side := range p.sides {
			other := p.sides[1-i]
			if slices.Contains(other.Symbols(), name) {
				continue
			}
			limit, ok := alone(side, name, other)
			if !ok {
				continue
			}
			relation := p.relation
			if i == 1 {
				relation = turned[relation]
			}
			p.bounds = append(p.bounds, bound{name, relation, limit.Of(all...), limit.Symbols()})
		}
	}
}

// alone solves side = other for a quantity that is a factor of the side: other factors are
// positive.
func alone(side *formula.Tree, name string, other *formula.Tree) (*formula.Tree, bool) {
	if side.Op == "symbol" {
		return other, side.Name == name
	}
	if side.Op != "*" && side.Op != "/" {
		return nil, false
	}
	for i, a := range side.Args {
		if b := side.Args[1-i]; slices.Contains(a.Symbols(), name) &&
			!slices.Contains(b.Symbols(), name) {
			switch {
			case side.Op == "*":
				return alone(a, name, &formula.Tree{Op: "/", Args: []*formula.Tree{other, b}})
			case i == 0:
				return alone(a, name, &formula.Tree{Op: "*", Args: []*formula.Tree{other, b}})
			}
		}
	}
	return nil, false
}

// linear refuses operators within operators, but for E, and means that do not enter a side
// linearly.
func (s *statement) linear(t *formula.Tree, at func(*formula.Tree, string, ...any) error) error {
	fits := true
	switch mean := find(t, "along", "E"); {
	case t.Op == "along":
		s.mean = s.mean || t.Name == "E"
		inner := find(t.Args[0], "along")
		if inner != nil && (t.Name != "E" || find(t.Args[0], "along", "E") != nil) {
			return at(t, "%s is of quantities of a run, not of what other operators make of them",
				t.Name)
		}
	case mean == nil, t.Op == "+", t.Op == "-", t.Op == "neg":
	case t.Op == "*":
		fits = !ofRun(t.Args[0]) || !ofRun(t.Args[1])
	default:
		fits = t.Op == "/" && !ofRun(t.Args[1])
	}
	if !fits {
		return at(find(t, "along", "E"),
			"means enter a statement linearly: E may be added, and multiplied by what no run "+
				"changes")
	}
	for _, a := range t.Args {
		if err := s.linear(a, at); err != nil {
			return err
		}
	}
	return nil
}

// find returns the first part of a formula that has the operation, and one of the names if there
// are any.
func find(t *formula.Tree, op string, named ...string) *formula.Tree {
	if t.Op == op && (len(named) == 0 || slices.Contains(named, t.Name)) {
		return t
	}
	for _, a := range t.Args {
		if f := find(a, op, named...); f != nil {
			return f
		}
	}
	return nil
}

// place is the name of what the k-th operator comes to.
func place(k int) string { return fmt.Sprintf("#%d", k) }

// reduce puts symbols in place of operators, and notes what is used.
func (s *statement) reduce(t *formula.Tree,
	at func(*formula.Tree, string, ...any) error) (*formula.Tree, error) {
	switch {
	case t.Op == "symbol" && t.Name == stride || t.Op == "along" && !overLocal(t.Name) &&
		t.Name != "E" && slices.Contains(t.Args[0].Symbols(), stride):
		return nil, at(t, "%s is of local steps: sum_k, avg_k and min_k take it", stride)
	case t.Op == "symbol":
		s.used[t.Name] = true
		s.local = s.local || t.Name == walked
	case t.Op == "along" && t.Name == "E":
		return s.reduce(t.Args[0], at)
	case t.Op == "along":
		arg := t.Args[0]
		if !ofRun(arg) {
			return nil, at(t,
				"%v is the same at all points: put the whole that %s is of into brackets",
				arg, t.Name)
		}
		settled := t.Name == "first_t"
		s.local = s.local || overLocal(t.Name)
		for _, name := range arg.Symbols() {
			s.used[name] = true
			settled = settled && (slices.Contains(atStart, name) ||
				!slices.Contains(names(measured), name))
		}
		s.along = append(s.along,
			operator{t.Name, readingOf(arg, names(quantitiesOf[s.federated])), settled})
		return &formula.Tree{Op: "symbol", Name: place(len(s.along) - 1), At: t.At}, nil
	}
	c := *t
	c.Args = nil
	for _, a := range t.Args {
		b, err := s.reduce(a, at)
		if err != nil {
			return nil, err
		}
		c.Args = append(c.Args, b)
	}
	return &c, nil
}

// directions reports whether a formula may grow, and fall, with c, where factors that are no
// differences are positive.
func directions(t *formula.Tree) (up, down bool) {
	if t.Op == "symbol" {
		return t.Name == "c", false
	}
	for i, a := range t.Args {
		u, d := directions(a)
		switch {
		case t.Op == "neg" || (t.Op == "-" || t.Op == "/") && i == 1:
			u, d = d, u
		case t.Op == "^" && i == 1, t.Op == "abs", t.Op == "sum" && i < 2:
			u, d = u || d, u || d
		case t.Op == "^" && negative(t.Args[1]):
			u, d = d, u
		}
		up, down = up || u, down || d
	}
	return up, down
}

// negative reports whether an exponent is a negative number.
func negative(t *formula.Tree) bool {
	if len(t.Symbols()) > 0 {
		return false
	}
	return t.Of().At() < 0
}

// limits returns the range that the premises leave to a quantity within a default one, given those
// that are known. An upper bound replaces the default one: it is what the statement says.
func (s *statement) limits(name string, known map[string]float64, least,
	most float64) (lo, hi float64) {
	lo, hi = math.Inf(-1), math.Inf(1)
	for _, p := range s.premises {
		for _, b := range p.bounds {
			if b.of != name || slices.ContainsFunc(b.needs,
				func(n string) bool { _, ok := known[n]; return !ok }) {
				continue
			}
			q := make([]float64, len(before(s.federated)))
			for i, k := range before(s.federated) {
				q[i] = known[k.Name]
			}
			limit := b.limit.At(q...)
			if math.IsNaN(limit) {
				continue
			}
			const inside = 1e-9
			switch b.relation {
			case "≤", "=":
				hi = min(hi, limit)
			case "<":
				hi = min(hi, limit-inside*math.Abs(limit))
			}
			switch b.relation {
			case "≥", "=":
				lo = max(lo, limit)
			case ">":
				lo = max(lo, limit+inside*math.Abs(limit))
			}
		}
	}
	if math.IsInf(hi, 1) {
		hi = most
		if lo > most { // the default range lies below
			hi = 4 * lo
		}
	}
	if math.IsInf(lo, -1) {
		lo = min(least, hi)
	}
	return lo, hi
}

// unmet returns the first premise that an instance does not meet, given what is known before a run.
func (s *statement) unmet(q []float64) string {
	for _, p := range s.premises {
		a, b := p.values[0].At(q...), p.values[1].At(q...)
		slack := 1e-12 * max(math.Abs(a), math.Abs(b)) // of numbers that were computed to meet it
		var ok bool
		switch p.relation {
		case "≤":
			ok = a <= b+slack
		case "≥":
			ok = a >= b-slack
		case "<":
			ok = a < b
		case ">":
			ok = a > b
		case "=":
			ok = math.Abs(a-b) <= slack
		}
		if !ok {
			return p.text
		}
	}
	return ""
}
