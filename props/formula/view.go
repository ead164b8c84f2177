package formula

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/certificate"
)

// Tree is a formula as data, a copy that its owner may change. Op is what it does with its
// arguments: "number" (with its Value), "symbol" (by Name), "+", "-", "neg", "*", "/", "^", "min",
// "max", "sqrt", "log", "exp", "ceil", "floor", "abs", "sum" (of the last argument, from the first
// to the second, over the index Name), "order" (O, Õ, Ω, … by Name), "span" (the right side of ∈,
// with two ends) or "along" (an operator of the vocabulary by Name).
type Tree struct {
	Op    string
	Args  []*Tree
	Name  string
	Value *big.Rat
	At    int // where it stands in the text, in characters from 1; 0 if it stands nowhere
}

var operations = [...]string{number: "number", symbol: "symbol", add: "+", subtract: "-",
	negate: "neg", multiply: "*", divide: "/", power: "^",
	smallest: "min", largest: "max", root: "sqrt", logarithm: "log", exponential: "exp",
	ceiling: "ceil", floor: "floor", absolute: "abs", sum: "sum", order: "order", span: "span",
	along: "along"}

// Number returns a whole number as a formula.
func Number(x int64) *Tree { return &Tree{Op: "number", Value: new(big.Rat).SetInt64(x)} }

// Named returns a symbol as a formula.
func Named(name string) *Tree { return &Tree{Op: "symbol", Name: name} }

// Apply returns what an operation makes of formulas.
func Apply(op string, args ...*Tree) *Tree { return &Tree{Op: op, Args: args} }

// Replaced returns the formula in which the function has replaced parts; where it returns nil, it
// is asked for the parts of these.
func (t *Tree) Replaced(by func(*Tree) *Tree) *Tree {
	if r := by(t); r != nil {
		return r
	}
	c := *t
	c.Args = nil
	for _, a := range t.Args {
		c.Args = append(c.Args, a.Replaced(by))
	}
	return &c
}

// Clause is a chain of relations (≤ ≥ < > = ∈) between sides, one fewer than these; a symbol alone
// has none.
type Clause struct {
	Sides     []*Tree
	Relations []string
}

// Inequality says that one formula is at most another, or less if it is strict.
type Inequality struct {
	Lesser, Greater *Tree
	Strict          bool
}

// String writes the inequality from the lesser side to the greater one.
func (x Inequality) String() string {
	if x.Strict {
		return x.Lesser.String() + " < " + x.Greater.String()
	}
	return x.Lesser.String() + " ≤ " + x.Greater.String()
}

// Part returns the i-th relation of the chain.
func (c Clause) Part(i int) Clause { return Clause{c.Sides[i : i+2], c.Relations[i : i+1]} }

// Inequalities returns what the relations say, in their order: an equation and a membership are two
// inequalities, first that of the left side to the right one, or that of the lower end.
func (c Clause) Inequalities() []Inequality {
	var out []Inequality
	for i, relation := range c.Relations {
		a, b := c.Sides[i], c.Sides[i+1]
		switch relation {
		case "≤", "<":
			out = append(out, Inequality{a, b, relation == "<"})
		case "≥", ">":
			out = append(out, Inequality{b, a, relation == ">"})
		case "=":
			out = append(out, Inequality{a, b, false}, Inequality{b, a, false})
		case "∈":
			out = append(out, Inequality{b.Args[0], a, false}, Inequality{a, b.Args[1], false})
		}
	}
	return out
}

func (n *node) view() *Tree {
	t := &Tree{Op: operations[n.op], Name: n.name, At: n.at}
	if n.value != nil {
		t.Value = new(big.Rat).Set(n.value)
	}
	for _, a := range n.args {
		t.Args = append(t.Args, a.view())
	}
	return t
}

func (t *Tree) node() *node {
	n := &node{op: operation(slices.Index(operations[:], t.Op)), name: t.Name, value: t.Value,
		at: t.At}
	for _, a := range t.Args {
		n.args = append(n.args, a.node())
	}
	return n
}

// String writes the formula in the notation of the paper.
func (t *Tree) String() string { return t.node().text() }

// Of returns the formula as a function of the given symbols, in their order. It panics if the
// formula has others, or operators.
func (t *Tree) Of(names ...string) *Program { return compile(t.node(), names) }

// Equal reports whether two formulas are written alike, up to white space and spelling.
func (t *Tree) Equal(u *Tree) bool { return t.node().equal(u.node()) }

// Symbols returns the names that the formula uses, in order of appearance.
func (t *Tree) Symbols() []string { return t.node().symbols(nil) }

func (c clause) view() Clause {
	v := Clause{Relations: slices.Clone(c.relations)}
	for _, s := range c.sides {
		v.Sides = append(v.Sides, s.view())
	}
	return v
}

func views(clauses []clause) []Clause {
	var out []Clause
	for _, c := range clauses {
		out = append(out, c.view())
	}
	return out
}

// String writes the clause in the notation of the paper.
func (c Clause) String() string {
	return c.back().text()
}

func (c Clause) back() clause {
	back := clause{relations: c.Relations}
	for _, s := range c.Sides {
		back.sides = append(back.sides, s.node())
	}
	return back
}

// Tree returns the formula as data.
func (f *Formula) Tree() *Tree { return f.tree.view() }

// Tree reads a formula as data, with the errors of [Parse].
func (v *Vocabulary) Tree(text string) (*Tree, error) {
	f, err := Parse(v, text)
	if err != nil {
		return nil, err
	}
	return f.Tree(), nil
}

// Premises returns the premises of the statement as data.
func (s *Statement) Premises() []Clause { return views(s.premises) }

// Conclusion returns the conclusion of the statement as data.
func (s *Statement) Conclusion() Clause { return s.conclusion.view() }

// Clauses reads clauses that are separated by commas or semicolons, such as those of a
// certificate's domain. Units are not checked.
func (v *Vocabulary) Clauses(text string) ([]Clause, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	clauses, err := parseClauses(v, text, ",", ";")
	return views(clauses), err
}

// Relations reads clauses as [Vocabulary.Clauses] does, and refuses what cannot be computed, as
// [ParseStatement] does: a part without symbols that is not defined or beyond floating point.
func (v *Vocabulary) Relations(text string) ([]Clause, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	clauses, err := parseClauses(v, text, ",", ";")
	if err == nil {
		err = computable(text, clauses)
	}
	return views(clauses), err
}

// Units derives the units of the sides of a clause. The error is a [*Mismatch].
func (v *Vocabulary) Units(c Clause) error { return v.check(c.back()) }

// Problem is a statement with all that is known of its symbols: what a [Procedure] is to settle.
type Problem struct {
	Symbols []Symbol // that the domain and the statement use, also by way of others
	// Domain is what the domain says of these, and where it says nothing of one what its kind and
	// the vocabulary imply: a count is at least its least value, a logarithmic symbol at least 1,
	// and a real symbol is positive or not negative if its range is. Usual ranges of the vocabulary
	// are no part of a domain.
	Domain     []Clause
	Premises   []Clause
	Conclusion Clause
	text       string           // of the statement
	sizes      func() *explicit // of an order
}

// Procedure tries to settle a problem. It returns a certificate and in words what it says, which
// may be empty, or else why there is none, in words that go on after "not settled: ". Effort is
// what a run may spend on it.
type Procedure func(p *Problem, effort props.Tier) (*certificate.Certificate, string)

// Settling returns a vocabulary of the same symbols by whose domains the checks of statements
// ([Domain.Implies], [Domain.Order]) are settled by the first of the procedures that can.
func (v *Vocabulary) Settling(procedures ...Procedure) *Vocabulary {
	c := *v
	c.procedures = procedures
	return &c
}

// problem gathers what is known of a statement. The domain says nothing of symbols that premises
// give.
func (d *Domain) problem(st *Statement, premised map[string]clause) *Problem {
	p := &Problem{Premises: st.Premises(), Conclusion: st.Conclusion(), text: st.String()}
	var names []string
	gather := func(c clause) {
		for _, s := range c.sides {
			names = s.symbols(names)
		}
	}
	for _, c := range append(slices.Clone(st.premises), st.conclusion) {
		gather(c)
	}
	for i := 0; i < len(names); i++ {
		s, _ := d.v.Symbol(names[i])
		p.Symbols = append(p.Symbols, s)
		c, given := d.clauses[s.Name]
		_, replaced := premised[s.Name]
		least := new(big.Rat)
		switch {
		case replaced:
			continue
		case given && len(c.relations) > 0:
			gather(c)
			p.Domain = append(p.Domain, c.view())
			continue
		case s.Kind == Count:
			least.SetFloat64(s.Lo)
		case s.Kind == Logarithmic:
			least.SetInt64(1)
		case s.Lo < 0:
			continue
		}
		relation := "≥"
		if s.Kind == Real && s.Lo > 0 {
			relation = ">"
		}
		p.Domain = append(p.Domain, Clause{
			[]*Tree{sym(s.Name).view(), (&node{op: number, value: least}).view()},
			[]string{relation}})
	}
	return p
}

// Ranges returns what the domain says of the symbols that a statement uses, also by way of others,
// in the order in which they are met. It says nothing of symbols that premises draw or define, nor
// of usual ranges of the vocabulary.
func (d *Domain) Ranges(s *Statement) []Clause {
	replaced := map[string]bool{}
	var names []string
	for _, c := range append(slices.Clone(s.premises), s.conclusion) {
		if left := c.sides[0]; left.op == symbol && len(c.relations) == 1 &&
			strings.Contains("∈=", c.relations[0]) &&
			!slices.Contains(names, left.name) {
			replaced[left.name] = true
		}
		for _, side := range c.sides {
			names = side.symbols(names)
		}
	}
	var out []Clause
	for i := 0; i < len(names); i++ {
		c, given := d.clauses[names[i]]
		if !given || len(c.relations) == 0 || replaced[names[i]] {
			continue
		}
		for _, side := range c.sides {
			names = side.symbols(names)
		}
		out = append(out, c.view())
	}
	return out
}

// settle tries the procedures in turn.
func (p *Problem) settle(procedures []Procedure) func(props.Tier) (*certificate.Certificate,
	string) {
	return func(effort props.Tier) (*certificate.Certificate, string) {
		var why []string
		for _, try := range procedures {
			c, said := try(p, effort)
			if c != nil {
				return c, said
			}
			if said != "" {
				why = append(why, said)
			}
		}
		return nil, strings.Join(why, "; ")
	}
}

// points writes an instance of the check as a counterexample: first with the numbers that were
// drawn in short decimals, then with exactly those numbers.
func (p *plan) points(problem *Problem, src *props.Source) []*certificate.Certificate {
	values := make([]float64, len(p.names))
	if p.play(src, values, false) != "" {
		return nil
	}
	var out []*certificate.Certificate
	for _, short := range [...]bool{true, false} {
		drawn := map[string]*node{}
		texts := map[string]string{}
		for i := range p.steps {
			s, name := &p.steps[i], p.names[p.steps[i].slot]
			switch s.action {
			case draw:
				if drawn[name] = literal(values[s.slot], short); drawn[name] == nil {
					return out
				}
			case define:
				drawn[name] = s.tree.mapped(func(n *node) *node {
					if _, known := p.d.v.Symbol(n.name); n.op == symbol && !known {
						return drawn[n.name]
					}
					return nil
				})
			}
		}
		for _, s := range problem.Symbols {
			if drawn[s.Name] == nil {
				return out
			}
			texts[s.Name] = drawn[s.Name].text()
		}
		c := problem.Certificate(certificate.Point)
		c.Refutes = true
		c.Proof, _ = json.Marshal(certificate.PointProof{Values: texts}) // texts are always written
		out = append(out, c)
	}
	return out
}

// literal writes a number as a formula, in the shortest decimals that round to it or exactly; nil
// if it is not finite.
func literal(x float64, short bool) *node {
	v := new(big.Rat)
	if short {
		if _, ok := v.SetString(strconv.FormatFloat(math.Abs(x), 'g', -1, 64)); !ok {
			return nil
		}
	} else if v.SetFloat64(math.Abs(x)) == nil {
		return nil
	}
	n := &node{op: number, value: new(big.Rat).SetInt(v.Num())}
	if !v.IsInt() {
		n = of(divide, n, &node{op: number, value: new(big.Rat).SetInt(v.Denom())})
	}
	if x < 0 {
		n = of(negate, n)
	}
	return n
}

// Certificate returns a certificate of the kind that has everything but its scope and its proof.
func (p *Problem) Certificate(kind certificate.Kind) *certificate.Certificate {
	c := &certificate.Certificate{Kind: kind, Statement: p.text}
	for _, s := range p.Symbols {
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: s.Name, Kind: s.Kind.String()})
	}
	var domain []string
	for _, d := range p.Domain {
		domain = append(domain, d.String())
	}
	c.Domain = strings.Join(domain, "; ")
	return c
}

// String names the kind as certificates do.
func (k Kind) String() string {
	return [...]string{certificate.Real, certificate.Count, certificate.Logarithmic}[k]
}

// Reader returns the vocabulary of a certificate: its symbols without units.
func Reader(c *certificate.Certificate) (*Vocabulary, error) {
	var symbols []Symbol
	seen := map[string]bool{}
	for _, s := range c.Symbols {
		kind := slices.Index([]string{certificate.Real, certificate.Count, certificate.Logarithmic},
			s.Kind)
		if kind < 0 || seen[s.Name] || !readable(s.Name) {
			return nil,
				fmt.Errorf(
					"formula: the symbol %q of kind %q is named twice, or as no symbol is, or of no known kind",
					s.Name, s.Kind)
		}
		seen[s.Name] = true
		symbols = append(symbols, Symbol{Name: s.Name, Kind: Kind(kind)})
	}
	return NewVocabulary(symbols...), nil
}

// Read parses what a certificate of formulas says, in its own vocabulary: its domain, and its
// statement.
func Read(c *certificate.Certificate) (v *Vocabulary, domain []Clause, st *Statement, err error) {
	if v, err = Reader(c); err != nil {
		return nil, nil, nil, err
	}
	if domain, err = v.Clauses(c.Domain); err != nil {
		return nil, nil, nil, err
	}
	st, err = ParseStatement(v, c.Statement)
	return v, domain, st, err
}

// names of symbols of certificates: letters with primes and an index of letters or digits, a
// squared norm, or an inner product. There is no room in them for a formula.
var named = regexp.MustCompile(
	`^(\pL+'*(_(\pL|\d+|\{[\pL\d]+\}))?|‖[\pL\d'_+−/∇]+‖²?|⟨[\pL\d'_+−/∇]+,[\pL\d'_+−/∇]+⟩)$`)

// Nameable returns nil if symbols may have the name. It is made of the alphabet of certificates and
// means nothing else: there is no room in it for a formula.
func Nameable(name string) error {
	if !readable(name) {
		return fmt.Errorf(
			"%q is no name of a symbol: letters, primes and an index after an underscore are one, or ‖…‖²", name)
	}
	return nil
}

// readable reports whether a name may be that of a symbol of a certificate: it is made of the
// alphabet, and means nothing else.
func readable(name string) bool {
	base, _, _ := strings.Cut(name, "_")
	base = strings.TrimRight(base, "'")
	_, function := functions[base]
	_, spelling := greek[base]
	word := slices.Contains([]string{"O", "Õ", "Ω", "Θ", "Σ", "∑", "Omega", "Theta", "in",
		"implies", "sum"}, base)
	return utf8.RuneCountInString(name) <= 40 && named.MatchString(name) && !function &&
		!spelling && !word
}
