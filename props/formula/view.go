package formula

import (
	"encoding/json"
	"fmt"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
)

// Tree is a formula as data, a copy that its owner may change. Op is what it does with its arguments: "number" (with
// its Value), "symbol" (by Name), "+", "-", "neg", "*", "/", "^", "min", "max", "sqrt", "log", "exp", "ceil",
// "floor", "abs", "sum" (of the last argument, from the first to the second, over the index Name), "order" (O, Õ, Ω,
// … by Name) or "span" (the right side of ∈, with two ends).
type Tree struct {
	Op    string
	Args  []*Tree
	Name  string
	Value *big.Rat
}

var operations = [...]string{number: "number", symbol: "symbol", add: "+", subtract: "-", negate: "neg",
	multiply: "*", divide: "/", power: "^",
	smallest: "min", largest: "max", root: "sqrt", logarithm: "log", exponential: "exp", ceiling: "ceil", floor: "floor", absolute: "abs",
	sum: "sum", order: "order", span: "span"}

// Clause is a chain of relations (≤ ≥ < > = ∈) between sides, one fewer than these; a symbol alone has none.
type Clause struct {
	Sides     []*Tree
	Relations []string
}

func (n *node) view() *Tree {
	t := &Tree{Op: operations[n.op], Name: n.name}
	if n.value != nil {
		t.Value = new(big.Rat).Set(n.value)
	}
	for _, a := range n.args {
		t.Args = append(t.Args, a.view())
	}
	return t
}

func (t *Tree) node() *node {
	n := &node{op: operation(slices.Index(operations[:], t.Op)), name: t.Name, value: t.Value}
	for _, a := range t.Args {
		n.args = append(n.args, a.node())
	}
	return n
}

// String writes the formula in the notation of the paper.
func (t *Tree) String() string { return plain.of(t.node()) }

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
	back := clause{relations: c.Relations}
	for _, s := range c.Sides {
		back.sides = append(back.sides, s.node())
	}
	return plain.clause(back)
}

// Tree returns the formula as data.
func (f *Formula) Tree() *Tree { return f.tree.view() }

// Premises returns the premises of the statement as data.
func (s *Statement) Premises() []Clause { return views(s.premises) }

// Conclusion returns the conclusion of the statement as data.
func (s *Statement) Conclusion() Clause { return s.conclusion.view() }

// Clauses reads clauses that are separated by commas or semicolons, such as those of a certificate's domain. Units are
// not checked.
func (v *Vocabulary) Clauses(text string) ([]Clause, error) {
	if strings.TrimSpace(text) == "" {
		return nil, nil
	}
	clauses, err := parseClauses(v, text, ",", ";")
	return views(clauses), err
}

// Problem is a statement with all that is known of its symbols: what a [Procedure] is to settle.
type Problem struct {
	Symbols []Symbol // that the domain and the statement use, also by way of others
	// Domain is what the domain says of these, and where it says nothing of one what its kind and the vocabulary imply:
	// a count is at least its least value, a logarithmic symbol at least 1, and a real symbol is positive or not negative
	// if its range is. Usual ranges of the vocabulary are no part of a domain.
	Domain     []Clause
	Premises   []Clause
	Conclusion Clause
	text       string // of the statement
}

// Procedure tries to settle a problem. It returns a certificate, or else why there is none, in words that go on after
// "not settled: ". Effort is what a run may spend on it.
type Procedure func(p *Problem, effort props.Tier) (*certificate.Certificate, string)

// Settling returns a vocabulary of the same symbols by whose domains the checks of statements ([Domain.Implies],
// [Domain.Order]) are settled by the first of the procedures that can.
func (v *Vocabulary) Settling(procedures ...Procedure) *Vocabulary {
	c := *v
	c.procedures = procedures
	return &c
}

// problem gathers what is known of a statement. The domain says nothing of symbols that premises give.
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
		p.Domain = append(p.Domain, Clause{[]*Tree{sym(s.Name).view(), (&node{op: number, value: least}).view()},
			[]string{relation}})
	}
	return p
}

// settle tries the procedures in turn.
func (p *Problem) settle(procedures []Procedure) func(props.Tier) (*certificate.Certificate, string) {
	return func(effort props.Tier) (*certificate.Certificate, string) {
		var why []string
		for _, try := range procedures {
			c, not := try(p, effort)
			if c != nil {
				return c, ""
			}
			if not != "" {
				why = append(why, not)
			}
		}
		return nil, strings.Join(why, "; ")
	}
}

// points writes an instance of the check as a counterexample: first with the numbers that were drawn in short decimals,
// then with exactly those numbers.
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
			texts[s.Name] = plain.of(drawn[s.Name])
		}
		c := problem.Certificate(certificate.Point)
		c.Refutes = true
		c.Proof, _ = json.Marshal(certificate.PointProof{Values: texts}) // texts are always written
		out = append(out, c)
	}
	return out
}

// literal writes a number as a formula, in the shortest decimals that round to it or exactly; nil if it is not finite.
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
		kind := slices.Index([]string{certificate.Real, certificate.Count, certificate.Logarithmic}, s.Kind)
		base := strings.TrimRight(strings.SplitN(s.Name, "_", 2)[0], "'")
		if kind < 0 || base == "" || seen[s.Name] {
			return nil, fmt.Errorf("formula: the symbol %q of kind %q is unnamed, named twice, or of no known kind", s.Name,
				s.Kind)
		}
		seen[s.Name] = true
		symbols = append(symbols, Symbol{Name: s.Name, Kind: Kind(kind)})
	}
	return NewVocabulary(symbols...), nil
}
