package rocq

import (
	_ "embed"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/settle/exponents"
)

// orders is a theory of formulas up to constants, whose theorem order has them compared by weights.
//
//go:embed orders.v
var orders string

// Limits of the theorems on orders: of the combinations of monomials that a theorem goes through, and of the power of
// logarithms that it allows.
const (
	mostCombinations = 3000
	mostLogarithms   = 24
)

// order writes a proof of an order. The weights are found anew, for formulas in which definitions are replaced and
// nothing is split: Rocq goes through all combinations by itself.
func order(c *certificate.Certificate, name string) (text string, err error) {
	defer func() {
		if r := recover(); r != nil {
			if r != exponents.ErrSize {
				panic(r)
			}
			err = exponents.ErrSize
		}
	}()
	o, conclusion, err := readOrder(c, false)
	if err != nil {
		return "", err
	}
	var goals, proofs []string
	for _, d := range conclusion.directions {
		right := d[1]
		if conclusion.tilde() {
			for _, s := range c.Symbols {
				if s.Kind == certificate.Logarithmic && o.defined[s.Name] == nil {
					power := &formula.Tree{Op: "^",
						Args: []*formula.Tree{{Op: "symbol", Name: s.Name}, {Op: "number", Value: big.NewRat(mostLogarithms, 1)}}}
					right = &formula.Tree{Op: "*", Args: []*formula.Tree{power, right}}
				}
			}
		}
		goal, proof, err := o.direction(d[0], right)
		if err != nil {
			return "", err
		}
		goals, proofs = append(goals, goal), append(proofs, proof)
	}
	text = "Theorem " + name + " :\n  " + strings.Join(goals, "\n  /\\ ") + ".\nProof.\n"
	if len(goals) == 1 {
		return text + proofs[0] + "Qed.\n", nil
	}
	return text + "split.\n{\n" + strings.Join(proofs, "}\n{\n") + "}\nQed.\n", nil
}

// compared is the conclusion of an order: each left side is at most a constant times its right side.
type compared struct {
	name       string // O, Õ, Ω, …
	directions [][2]*formula.Tree
}

// tilde reports whether powers of logarithms are dropped.
func (c *compared) tilde() bool { return c.name == "Õ" || len([]rune(c.name)) > 1 }

// readOrder reads a certificate about an order. If counts are whole, the theorem says so of those that are not defined.
func readOrder(c *certificate.Certificate, whole bool) (*orderTheorem, *compared, error) {
	v, err := formula.Reader(c)
	if err != nil {
		return nil, nil, err
	}
	clauses, err := v.Clauses(c.Domain)
	if err != nil {
		return nil, nil, err
	}
	st, err := formula.ParseStatement(v, c.Statement)
	if err != nil {
		return nil, nil, err
	}
	if len(st.Premises()) > 0 {
		return nil, nil, errors.New("premises of an order stand in its domain")
	}
	o := &orderTheorem{slots: map[string]int{}, names: map[string]string{}, defined: map[string]*formula.Tree{}}
	taken := map[string]bool{}
	for _, s := range c.Symbols {
		word := ascii(s.Name)
		for taken[word] {
			word += "_"
		}
		taken[word] = true
		o.names[s.Name] = word
	}
	for _, clause := range clauses {
		if err := o.assume(clause); err != nil {
			return nil, nil, err
		}
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
			one := &formula.Tree{Op: "number", Value: big.NewRat(1, 1)}
			o.domain = append(o.domain, [2]*formula.Tree{one, {Op: "symbol", Name: s.Name}})
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
	return o, out, nil
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
func (o *orderTheorem) assume(clause formula.Clause) error {
	a, b := clause.Sides[0], clause.Sides[1]
	switch relation := clause.Relations[0]; {
	case len(clause.Relations) != 1 || relation == "∈":
		return fmt.Errorf("%v is more than one relation", clause)
	case relation == ">" && b.Op == "number" && b.Value.Sign() == 0:
		return nil // all symbols are positive
	case relation == "=":
		if a.Op != "symbol" {
			return fmt.Errorf("%v defines nothing", clause)
		}
		text, err := o.write(b)
		if err != nil {
			return err
		}
		o.premises = append(o.premises, o.names[a.Name]+" = "+text)
		o.defined[a.Name] = o.replaced(b)
		return nil
	case relation == "≥" || relation == ">":
		a, b = b, a
	}
	left, err := o.write(a)
	if err != nil {
		return err
	}
	right, err := o.write(b)
	if err != nil {
		return err
	}
	o.premises = append(o.premises, left+" <= "+right)
	o.domain = append(o.domain, [2]*formula.Tree{o.replaced(a), o.replaced(b)})
	return nil
}

// replaced writes a formula in symbols that are not defined.
func (o *orderTheorem) replaced(t *formula.Tree) *formula.Tree {
	if t.Op == "symbol" && o.defined[t.Name] != nil {
		return o.defined[t.Name]
	}
	c := *t
	c.Args = nil
	for _, a := range t.Args {
		c.Args = append(c.Args, o.replaced(a))
	}
	return &c
}

// direction states that left ≤ C·right, and proves it.
func (o *orderTheorem) direction(left, right *formula.Tree) (goal, proof string, err error) {
	x, err := o.write(left)
	if err != nil {
		return "", "", err
	}
	y, err := o.write(right)
	if err != nil {
		return "", "", err
	}
	goal = fmt.Sprintf("(exists C, 0 < C /\\ forall %s : R,\n    %s ->\n    %s <= C * %s)", strings.Join(o.variables, " "),
		strings.Join(o.premises, " ->\n    "), x, y)
	left, right = o.replaced(left), o.replaced(right)
	facts, err := o.facts(left, right)
	if err != nil {
		return "", "", err
	}
	var constraints []string
	for _, d := range o.domain {
		constraints = append(constraints, "("+o.reified(d[0])+", "+o.reified(d[1])+")")
	}
	return goal, fmt.Sprintf("  destruct (order [%s]\n    (%s)\n    (%s)\n    [%s]) as [C [HC H]].\n  { vm_compute. "+
		"reflexivity. }\n"+
		"  exists C. split; [exact HC|]. intros. subst.\n  refine (H (fun i => nth i [%s] 1) _ _).\n"+
		"  - intro i. do %d (destruct i as [|i]; [assumption|]). destruct i; simpl; lra.\n  - cbn [holds eval nth]. "+
		"repeat split; first [assumption | lra].\n",
		strings.Join(constraints, ";\n      "), o.reified(left), o.reified(right), strings.Join(facts,
			";\n     "), strings.Join(o.free, "; "), len(o.free)), nil
}

// write writes a formula for the theorem, as the theory evaluates it.
func (o *orderTheorem) write(t *formula.Tree) (string, error) {
	args := make([]string, len(t.Args))
	for i, a := range t.Args {
		if t.Op == "^" && i == 1 {
			break
		}
		var err error
		if args[i], err = o.write(a); err != nil {
			return "", err
		}
	}
	switch t.Op {
	case "number":
		if t.Value.Sign() > 0 {
			return rational(t.Value), nil
		}
	case "symbol":
		return o.names[t.Name], nil
	case "+", "*", "/":
		return "(" + args[0] + " " + t.Op + " " + args[1] + ")", nil
	case "sqrt":
		return "(sqrt " + args[0] + ")", nil
	case "ceil":
		return "(Rceil " + args[0] + ")", nil
	case "min", "max":
		text := args[0]
		for _, a := range args[1:] {
			text = "(R" + t.Op + " " + text + " " + a + ")"
		}
		return text, nil
	case "^":
		e, err := exponent(t)
		if err != nil {
			return "", err
		}
		if e.IsInt() && e.Sign() > 0 {
			return "(" + args[0] + " ^ " + e.Num().String() + ")", nil
		}
		return fmt.Sprintf("(Rpower %s (IZR (%v) / IZR %v))", args[0], e.Num(), e.Denom()), nil
	}
	return "", fmt.Errorf("%v has no form in the theory of orders", t)
}

// exponent is the exponent of a power, if it is a fraction other than 0.
func exponent(t *formula.Tree) (*big.Rat, error) {
	e := t.Args[1]
	switch {
	case e.Op == "number" && e.Value.Sign() != 0:
		return e.Value, nil
	case e.Op == "neg" && e.Args[0].Op == "number" && e.Args[0].Value.Sign() != 0:
		return new(big.Rat).Neg(e.Args[0].Value), nil
	case e.Op == "/" && e.Args[0].Op == "number" && e.Args[1].Op == "number" && e.Args[1].Value.Sign() > 0 &&
		e.Args[0].Value.Sign() != 0:
		return new(big.Rat).Quo(e.Args[0].Value, e.Args[1].Value), nil
	}
	return nil, fmt.Errorf("the exponent of %v is no fraction", t)
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
		e, _ := exponent(t) // it has been written before
		if e.IsInt() && e.Sign() > 0 {
			return "Pow " + args[0] + " " + e.Num().String()
		}
		return fmt.Sprintf("Root %s (%v) %v", args[0], e.Num(), e.Denom())
	case "min", "max":
		text := args[0]
		for _, a := range args[1:] {
			text = "(" + map[string]string{"min": "Min", "max": "Max"}[t.Op] + " " + text + " " + a + ")"
		}
		return strings.TrimSuffix(strings.TrimPrefix(text, "("), ")")
	}
	return map[string]string{"+": "Add", "*": "Mul", "/": "Quo", "sqrt": "Sqrt",
		"ceil": "Ceil"}[t.Op] + " " + strings.Join(args, " ")
}

// normal is the normal form of the theory, but for repetitions: groups of monomials such that a formula is up to
// constants the largest of their least, or the least of their largest.
func (o *orderTheorem) normal(up bool, t *formula.Tree) [][]exponents.Monomial {
	arg := func(i int) [][]exponents.Monomial { return o.normal(up, t.Args[i]) }
	one := [][]exponents.Monomial{{make(exponents.Monomial, len(o.free))}}
	switch t.Op {
	case "number":
		return one
	case "symbol":
		one[0][0][o.slots[t.Name]] = exponents.Whole(1)
		return one
	case "+", "max":
		return o.join(up, t, nil)
	case "min":
		return o.join(!up, t, nil)
	case "ceil":
		return o.join(up, t, one)
	case "*":
		return products(arg(0), arg(1))
	case "/":
		return products(arg(0), scaled(o.normal(!up, t.Args[1]), exponents.Whole(-1)))
	case "sqrt":
		return scaled(arg(0), exponents.Whole(2).Inv())
	}
	e, _ := exponent(t)
	return scaled(o.normal(up == (e.Sign() > 0), t.Args[0]), exponents.Fraction(e))
}

// join lists the groups of all arguments, or makes one of each choice of them.
func (o *orderTheorem) join(listed bool, t *formula.Tree, further [][]exponents.Monomial) [][]exponents.Monomial {
	up := listed == (t.Op != "min")
	all := o.normal(up, t.Args[0])
	for _, a := range t.Args[1:] {
		all = joined(listed, all, o.normal(up, a))
	}
	if further != nil {
		all = joined(listed, all, further)
	}
	return all
}

func joined(listed bool, a, b [][]exponents.Monomial) [][]exponents.Monomial {
	if listed {
		return slices.Concat(a, b)
	}
	return crossed(a, b, func(x, y []exponents.Monomial) []exponents.Monomial { return slices.Concat(x, y) })
}

func crossed(a, b [][]exponents.Monomial,
	f func(x, y []exponents.Monomial) []exponents.Monomial) [][]exponents.Monomial {
	if len(a)*len(b) > mostCombinations {
		panic(exponents.ErrSize)
	}
	var out [][]exponents.Monomial
	for _, x := range a {
		for _, y := range b {
			g := f(x, y)
			slices.SortFunc(g, compare)
			out = append(out, slices.CompactFunc(g, func(a, b exponents.Monomial) bool { return compare(a, b) == 0 }))
		}
	}
	return out
}

func compare(a, b exponents.Monomial) int {
	return slices.CompareFunc(a, b, exponents.Rational.Cmp)
}

func products(a, b [][]exponents.Monomial) [][]exponents.Monomial {
	return crossed(a, b, func(x, y []exponents.Monomial) []exponents.Monomial {
		var out []exponents.Monomial
		for _, m := range x {
			for _, k := range y {
				p := make(exponents.Monomial, len(m))
				for i := range m {
					p[i] = m[i].Add(k[i])
				}
				out = append(out, p)
			}
		}
		return out
	})
}

func scaled(groups [][]exponents.Monomial, by exponents.Rational) [][]exponents.Monomial {
	var out [][]exponents.Monomial
	for _, g := range groups {
		var h []exponents.Monomial
		for _, m := range g {
			p := make(exponents.Monomial, len(m))
			for i := range m {
				p[i] = m[i].Mul(by)
			}
			h = append(h, p)
		}
		out = append(out, h)
	}
	return out
}

// facts finds weights for all combinations.
func (o *orderTheorem) facts(left, right *formula.Tree) ([]string, error) {
	regions := [][]exponents.Monomial{nil}
	for _, d := range o.domain {
		rows := products(o.normal(false, d[0]), scaled(o.normal(true, d[1]), exponents.Whole(-1)))
		regions = crossed(rows, regions, func(x, y []exponents.Monomial) []exponents.Monomial { return slices.Concat(x, y) })
	}
	up, low := o.normal(true, left), o.normal(false, right)
	if len(regions)*len(up)*len(low) > mostCombinations {
		return nil, fmt.Errorf("the order has more than %d combinations of monomials", mostCombinations)
	}
	type found struct{ left, right, rows []string }
	var facts []string
	var all []found
	for _, rows := range regions {
		for _, g := range up {
			for _, h := range low {
				of := func(m []exponents.Monomial) (texts []string) {
					for _, x := range m {
						texts = append(texts, written(x))
					}
					return texts
				}
				lefts, rights, bounded := of(g), of(h), of(rows)
				among := func(some, all []string) bool {
					return !slices.ContainsFunc(some, func(s string) bool { return !slices.Contains(all, s) })
				}
				if slices.ContainsFunc(all, func(f found) bool {
					return among(f.left, lefts) && among(f.right, rights) && among(f.rows, bounded)
				}) {
					continue
				}
				cone := exponents.Cone{Bounded: rows}
				w, _ := cone.Order(g, h, false)
				if w == nil {
					return nil, errors.New("no weights are found for the formulas as a whole")
				}
				var f found
				text := "Fact"
				for k, weights := range [][]exponents.Rational{w.Left, w.Right, w.Rows} {
					texts, used := [][]string{lefts, rights, bounded}[k], []*[]string{&f.left, &f.right, &f.rows}[k]
					var parts []string
					for i, x := range weights {
						if x.Sign() > 0 {
							*used = append(*used, texts[i])
							parts = append(parts, "("+quotient(x)+", "+texts[i]+")")
						}
					}
					text += " [" + strings.Join(parts, "; ") + "]%Q"
				}
				all, facts = append(all, f), append(facts, text)
			}
		}
	}
	return facts, nil
}

func quotient(x exponents.Rational) string { return fmt.Sprintf("%d#%d", x.Num(), x.Denominator()) }

// written writes the exponents of a monomial.
func written(m exponents.Monomial) string {
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
