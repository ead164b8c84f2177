package rocq

import (
	_ "embed"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
	"sledge/props/settle/exponents"
)

// orders is a theory of formulas up to constants, whose theorem order has them compared by weights.
//
//go:embed orders.v
var orders string

// mostLogarithms is the power of logarithms that a theorem allows.
const mostLogarithms = 24

// order writes a proof of an order. Its weights are those that the rules of the checker ask for
// where definitions are replaced and nothing is split for them: Rocq goes through all combinations
// by itself.
func order(c *certificate.Certificate, name string) string {
	o, conclusion := readOrder(c, false)
	var goals, proofs []string
	for _, d := range conclusion.directions {
		right := d[1]
		if conclusion.tilde() {
			for _, s := range c.Symbols {
				if s.Kind == certificate.Logarithmic && o.defined[s.Name] == nil {
					power := formula.Apply("^", formula.Named(s.Name),
						formula.Number(mostLogarithms))
					right = formula.Apply("*", power, right)
				}
			}
		}
		goal, proof := o.direction(d[0], right)
		goals, proofs = append(goals, goal), append(proofs, proof)
	}
	text := "Theorem " + name + " :\n  " + strings.Join(goals, "\n  /\\ ") + ".\nProof.\n"
	if len(goals) == 1 {
		return text + proofs[0] + "Qed.\n"
	}
	return text + "split.\n{\n" + strings.Join(proofs, "}\n{\n") + "}\nQed.\n"
}

// compared is the conclusion of an order: each left side is at most a constant times its right
// side.
type compared struct {
	name       string // O, Õ, Ω, …
	directions [][2]*formula.Tree
}

// tilde reports whether powers of logarithms are dropped.
func (c *compared) tilde() bool { return c.name == "Õ" || len([]rune(c.name)) > 1 }

// readOrder reads a certificate about an order. If counts are whole, the theorem says so of those
// that are not defined.
func readOrder(c *certificate.Certificate, whole bool) (*orderTheorem, *compared) {
	_, clauses, st, err := formula.Read(c)
	if err != nil {
		fail("%w", err)
	}
	if len(st.Premises()) > 0 {
		fail("premises of an order stand in its domain")
	}
	o := &orderTheorem{slots: map[string]int{}, names: spelled(c.Symbols),
		defined: map[string]*formula.Tree{}}
	for _, clause := range clauses {
		o.assume(clause)
	}
	for _, s := range c.Symbols {
		o.variables = append(o.variables, o.names[s.Name])
		if o.defined[s.Name] != nil {
			continue
		}
		o.slots[s.Name] = len(o.free)
		o.free = append(o.free, o.names[s.Name])
		o.premises = append(o.premises, "0 < "+o.names[s.Name])
		if s.Kind != certificate.Real {
			o.premises = append(o.premises, "1 <= "+o.names[s.Name])
			o.domain = append(o.domain, [2]*formula.Tree{formula.Number(1), formula.Named(s.Name)})
		}
		if s.Kind == certificate.Count && whole {
			o.premises = append(o.premises, "whole "+o.names[s.Name])
		}
	}
	conclusion := st.Conclusion()
	a, b := conclusion.Sides[0], conclusion.Sides[1].Args[0]
	out := &compared{conclusion.Sides[1].Name, [][2]*formula.Tree{{a, b}}}
	switch []rune(out.name)[0] {
	case 'Ω':
		out.directions = [][2]*formula.Tree{{b, a}}
	case 'Θ':
		out.directions = append(out.directions, [2]*formula.Tree{b, a})
	}
	return o, out
}

// orderTheorem is what the two directions of an order share.
type orderTheorem struct {
	names     map[string]string // of symbols in Rocq
	slots     map[string]int    // of symbols that are not defined, among free
	free      []string
	variables []string
	defined   map[string]*formula.Tree
	premises  []string
	domain    [][2]*formula.Tree // the first is at most the second
}

// assume adds a clause of the domain.
func (o *orderTheorem) assume(clause formula.Clause) {
	a, b := clause.Sides[0], clause.Sides[1]
	switch relation := clause.Relations[0]; {
	case len(clause.Relations) != 1 || relation == "∈":
		fail("%v is more than one relation", clause)
	case relation == ">" && b.Op == "number" && b.Value.Sign() == 0:
		return // all symbols are positive
	case relation == "=" && a.Op != "symbol":
		fail("%v defines nothing", clause)
	case relation == "=":
		o.premises = append(o.premises, o.names[a.Name]+" = "+o.write(b))
		o.defined[a.Name] = o.replaced(b)
		return
	}
	x := clause.Inequalities()[0]
	o.premises = append(o.premises, o.write(x.Lesser)+" <= "+o.write(x.Greater))
	o.domain = append(o.domain, [2]*formula.Tree{o.replaced(x.Lesser), o.replaced(x.Greater)})
}

// replaced writes a formula in symbols that are not defined.
func (o *orderTheorem) replaced(t *formula.Tree) *formula.Tree {
	return t.Replaced(func(t *formula.Tree) *formula.Tree {
		if t.Op != "symbol" {
			return nil
		}
		return o.defined[t.Name]
	})
}

// direction states that left ≤ C·right, and proves it.
func (o *orderTheorem) direction(left, right *formula.Tree) (goal, proof string) {
	goal = fmt.Sprintf("(exists C, 0 < C /\\ forall %s : R,\n    %s ->\n    %s <= C * %s)",
		strings.Join(o.variables, " "),
		strings.Join(o.premises, " ->\n    "), o.write(left), o.write(right))
	left, right = o.replaced(left), o.replaced(right)
	facts := o.facts(left, right)
	var constraints []string
	for _, d := range o.domain {
		constraints = append(constraints, "("+o.reified(d[0])+", "+o.reified(d[1])+")")
	}
	return goal, fmt.Sprintf(
		"  destruct (order [%s]\n    (%s)\n    (%s)\n    [%s]) as [C [HC H]].\n  { vm_compute. "+
			"reflexivity. }\n"+
			"  exists C. split; [exact HC|]. intros. subst.\n  refine (H (fun i => nth i [%s] 1) _ _).\n"+
			"  - intro i. do %d (destruct i as [|i]; [assumption|]). destruct i; simpl; lra.\n  "+
			"- cbn [holds eval nth]. "+
			"repeat split; first [assumption | lra].\n",
		strings.Join(constraints, ";\n      "), o.reified(left), o.reified(right),
		strings.Join(facts, ";\n     "), strings.Join(o.free, "; "), len(o.free))
}

// write writes a formula for the theorem, as the theory evaluates it.
func (o *orderTheorem) write(t *formula.Tree) string {
	return written(t, func(t *formula.Tree) (string, bool) {
		switch t.Op {
		case "symbol":
			return o.names[t.Name], true
		case "+", "*", "/", "sqrt", "ceil", "min", "max":
			return "", false
		case "number":
			if t.Value.Sign() > 0 {
				return "", false
			}
		case "^":
			e, base := exponent(o.replaced(t)), o.write(t.Args[0])
			if e.IsInt() && e.Sign() > 0 {
				return "(" + base + " ^ " + e.Num().String() + ")", true
			}
			return fmt.Sprintf("(Rpower %s (IZR (%v) / IZR %v))", base, e.Num(), e.Denom()), true
		}
		fail("%v has no form in the theory of orders", t)
		return "", false
	})
}

// exponent is the exponent of a power, if it is a fraction other than 0.
func exponent(t *formula.Tree) *big.Rat {
	e, ok := constant(t.Args[1])
	if !ok || e.Sign() == 0 {
		fail("the exponent of %v is no fraction", t)
	}
	return e
}

// reified writes a formula as a term of the theory.
func (o *orderTheorem) reified(t *formula.Tree) string {
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		if !(t.Op == "^" && i == 1) {
			args[i] = "(" + o.reified(a) + ")"
		}
	}
	switch t.Op {
	case "number":
		if t.Value.IsInt() {
			return "Int " + t.Value.Num().String()
		}
		return fmt.Sprintf("Quo (Int %v) (Int %v)", t.Value.Num(), t.Value.Denom())
	case "symbol":
		return fmt.Sprintf("Var %d", o.slots[t.Name])
	case "^":
		e := exponent(t)
		if e.IsInt() && e.Sign() > 0 {
			return "Pow " + args[0] + " " + e.Num().String()
		}
		return fmt.Sprintf("Root %s (%v) %v", args[0], e.Num(), e.Denom())
	case "min", "max":
		text := args[0]
		for _, a := range args[1:] {
			text = "(" + map[string]string{"min": "Min", "max": "Max"}[t.Op] + " " + text +
				" " + a + ")"
		}
		return strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	return map[string]string{"+": "Add", "*": "Mul", "/": "Quo", "sqrt": "Sqrt",
		"ceil": "Ceil"}[t.Op] + " " + strings.Join(args, " ")
}

// facts finds weights for the formulas as a whole, whose monomials are the symbols that are not
// defined.
func (o *orderTheorem) facts(left, right *formula.Tree) (facts []string) {
	var domain []string
	for _, d := range o.domain {
		domain = append(domain, d[0].String()+" ≤ "+d[1].String())
	}
	c := &certificate.Certificate{Kind: certificate.Order,
		Statement: left.String() + " = O(" + right.String() + ")"}
	bySlot := func(a, b string) int { return o.slots[a] - o.slots[b] }
	for _, name := range slices.SortedFunc(maps.Keys(o.slots), bySlot) {
		c.Symbols = append(c.Symbols, certificate.Symbol{Name: name, Kind: certificate.Real})
		domain = append(domain, name+" > 0")
	}
	c.Domain = strings.Join(domain, "; ")
	order := try(checker.ReadOrder(c))
	order.Ask(whole{&exponents.Finder{Order: order}})
	err := order.Walk(func(_ *checker.Part, d checker.Direction) error {
		_, err := order.Compare(d)
		return err
	})
	if err != nil {
		fail("no weights are found for the formulas as a whole: %w", err)
	}
	for _, f := range order.Facts() {
		text := "Fact"
		for _, weights := range [][]checker.Weight{f.Left, f.Right, f.Rows} {
			var parts []string
			for _, w := range weights {
				parts = append(parts, "("+quotient(w.By)+", "+powers(w.Of)+")")
			}
			text += " [" + strings.Join(parts, "; ") + "]%Q"
		}
		facts = append(facts, text)
	}
	return facts
}

// whole finds facts for all parts of a domain: the theory does not know that bounds contradict each
// other.
type whole struct{ *exponents.Finder }

// Contradiction finds none.
func (whole) Contradiction(*checker.Part) *checker.Fact { return nil }

func quotient(x algebra.Rational) string { return fmt.Sprintf("%d#%d", x.Num(), x.Denominator()) }

// powers writes the exponents of a monomial.
func powers(m algebra.Monomial) string {
	last := len(m)
	for last > 0 && m[last-1].Sign() == 0 {
		last--
	}
	var parts []string
	for _, e := range m[:last] {
		parts = append(parts, quotient(e))
	}
	return "[" + strings.Join(parts, "; ") + "]"
}
