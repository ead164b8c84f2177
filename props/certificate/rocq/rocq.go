// Package rocq writes certificates as theorems with proofs for Rocq (Coq 8.16 with the library
// Interval), so that the kernel of a proof assistant can accept what the checker accepts. Real
// numbers are those of Rocq's library Reals, in which functions are total: a root of a negative
// number and a quotient by 0 are 0 there. Counts are integers.
package rocq

import (
	_ "embed"
	"encoding/json"
	"fmt"
	"math/big"
	"strings"

	"sledge/props/certificate"
	"sledge/props/formula"
)

// Theorem writes a certificate as a theorem of the given name and its proof. The error says why
// there is none: the kind, or a part of the statement, has no form in Rocq.
func Theorem(c *certificate.Certificate, name string) (text string, err error) {
	if err := attempt(func() { text = write(c, name) }); err != nil {
		return "", fmt.Errorf("rocq: %w", err)
	}
	return "(* " + comment(c) + " *)\n" + text, nil
}

// write writes a certificate without its comment. Like all that it calls it panics where there is
// no form, see fail.
func write(c *certificate.Certificate, name string) string {
	// of the proof, which begins behind the statement
	prove, known := map[certificate.Kind]func(*theorem) string{certificate.Point: point,
		certificate.Coefficients: coefficients, certificate.Quadratic: quadratic}[c.Kind]
	switch {
	case c.Kind == certificate.Order:
		return order(c, name)
	case c.Kind == certificate.Growth:
		return growth(c, name)
	case !known:
		fail("certificates of kind %s are not written", c.Kind)
	}
	t := read(c)
	proof := prove(t)
	goal := t.statement
	if c.Refutes {
		goal = "~ (" + goal + ")"
	}
	return fmt.Sprintf("Theorem %s :\n  %s.\nProof.\n%sQed.\n", name, goal, indent(proof))
}

// unwritable is the panic of what has no form in Rocq; attempt returns it as an error.
type unwritable struct{ error }

func fail(format string, args ...any) { panic(unwritable{fmt.Errorf(format, args...)}) }

func try[T any](v T, err error) T {
	if err != nil {
		panic(unwritable{err})
	}
	return v
}

func attempt(write func()) (err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case unwritable:
			err = r.error
		default:
			panic(r)
		}
	}()
	write()
	return nil
}

// decoded is the proof of a certificate.
func decoded[T any](c *certificate.Certificate) (proof T) {
	if err := json.Unmarshal(c.Proof, &proof); err != nil {
		fail("%w", err)
	}
	return proof
}

// comment is the statement as the certificate says it.
func comment(c *certificate.Certificate) string {
	s := c.Statement
	if c.Domain != "" {
		s = c.Domain + ": " + s
	}
	// what would end or open a comment or a text
	return strings.NewReplacer("(*", "( *", "*)", "* )", "\"", "'").Replace(s)
}

func indent(s string) string {
	var b strings.Builder
	for line := range strings.Lines(strings.TrimSuffix(s, "\n") + "\n") {
		b.WriteString("  " + line)
	}
	return b.String()
}

// Opening stands before theorems about certificates of a kind.
func Opening(kind certificate.Kind) string {
	switch kind {
	case certificate.Order:
		return orders
	case certificate.Growth:
		return orders + curves
	case certificate.Coefficients:
		return inequalities
	case certificate.Quadratic:
		return inequalities + spaces
	}
	return prelude
}

// prelude stands before most theorems: the libraries, and the tactics that proofs use.
//
//go:embed prelude.v
var prelude string

// theorem is a certificate of formulas, read anew.
type theorem struct {
	c          *certificate.Certificate
	kinds      map[string]string // of symbols
	names      map[string]string // of symbols in Rocq
	reader     *formula.Vocabulary
	premises   int              // how many stand before the conclusion
	assumed    []formula.Clause // what they say
	last       formula.Clause   // the conclusion
	conclusion []step           // its relations, joined by /\
	statement  string           // without the negation of a refutation
	vectors    *vectors         // nil if the statement knows of none
}

// step is one relation of a chain.
type step struct{ left, relation, right string }

func (s step) String() string { return s.left + " " + s.relation + " " + s.right }

func read(c *certificate.Certificate) *theorem {
	v, clauses, st, err := formula.Read(c)
	if err != nil {
		fail("%w", err)
	}
	t := &theorem{c: c, kinds: map[string]string{}, names: spelled(c.Symbols), reader: v}
	var variables []string
	for _, s := range c.Symbols {
		t.kinds[s.Name] = s.Kind
		if s.Means != "" {
			continue
		}
		set := "R"
		if s.Kind == certificate.Count {
			set = "Z"
		}
		variables = append(variables, "("+t.names[s.Name]+" : "+set+")")
	}
	if c.Kind == certificate.Quadratic {
		t.readVectors()
		unknown := []string{"(E : space)"}
		for _, v := range t.vectors.proof.Vectors {
			unknown = append(unknown, "("+t.vectors.names[v]+" : E)")
		}
		variables = append(unknown, variables...)
	}
	var assumed []string
	for _, s := range c.Symbols {
		if s.Kind != certificate.Real {
			assumed = append(assumed, "1 <= "+t.symbol(s.Name))
			t.assumed = append(t.assumed, formula.Clause{Relations: []string{"≤"},
				Sides: []*formula.Tree{formula.Number(1), formula.Named(s.Name)}})
		}
	}
	for _, clause := range append(clauses, st.Premises()...) {
		for _, s := range t.steps(clause) {
			assumed = append(assumed, s.String())
		}
		t.assumed = append(t.assumed, clause)
	}
	t.last = st.Conclusion()
	t.conclusion = t.steps(t.last)
	t.premises = len(assumed)
	var joined []string
	for _, s := range t.conclusion {
		joined = append(joined, s.String())
	}
	if t.statement = strings.Join(append(assumed, strings.Join(joined, " /\\ ")),
		" ->\n    "); len(variables) > 0 {
		t.statement = "forall " + strings.Join(variables, " ") + ",\n    " + t.statement
	}
	return t
}

// spelled gives each symbol a name of its own in Rocq.
func spelled(symbols []certificate.Symbol) map[string]string {
	names, taken := map[string]string{}, map[string]bool{}
	for _, s := range symbols {
		name := ascii(s.Name)
		for taken[name] {
			name += "_"
		}
		taken[name], names[s.Name] = true, name
	}
	return names
}

// conjoined joins proofs to one of their conjunction.
func conjoined(proofs []string) string {
	all := proofs[len(proofs)-1]
	for i := len(proofs) - 2; i >= 0; i-- {
		all = "(conj " + proofs[i] + " " + all + ")"
	}
	return all
}

// ascii spells a name in letters that Rocq and every editor takes.
func ascii(name string) string {
	var b strings.Builder
	for _, r := range name {
		switch word, greek := letters[r]; {
		case greek:
			b.WriteString(word)
		case r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9' || r == '_':
			b.WriteRune(r)
		case r == '\'':
			b.WriteString("_prime")
		case r == '{' || r == '}':
		default:
			fmt.Fprintf(&b, "u%x", r)
		}
	}
	return "x_" + b.String() // no word of the language
}

var letters = map[rune]string{'α': "alpha", 'β': "beta", 'γ': "gamma", 'δ': "delta", 'Δ': "Delta",
	'ε': "eps", 'ζ': "zeta", 'η': "eta", 'θ': "theta",
	'κ': "kappa", 'λ': "lambda", 'Λ': "Lambda", 'μ': "mu", 'ν': "nu", 'ξ': "xi", 'ρ': "rho",
	'σ': "sigma", 'τ': "tau", 'φ': "phi", 'ω': "omega", 'Ω': "Omega"}

// symbol is the real number that a symbol stands for.
func (t *theorem) symbol(name string) string {
	if t.kinds[name] == certificate.Count {
		return "IZR " + t.names[name]
	}
	return t.names[name]
}

var relations = map[string]string{"≤": "<=", "≥": ">=", "<": "<", ">": ">", "=": "="}

// steps writes the relations of a clause.
func (t *theorem) steps(c formula.Clause) (out []step) {
	for i, relation := range c.Relations {
		left, b := t.expression(c.Sides[i]), c.Sides[i+1]
		if relation == "∈" {
			out = append(out, step{t.expression(b.Args[0]), "<=", left},
				step{left, "<=", t.expression(b.Args[1])})
		} else {
			out = append(out, step{left, relations[relation], t.expression(b)})
		}
	}
	return out
}

// rational writes a number.
func rational(x *big.Rat) string {
	s := x.Num().String()
	if x.Sign() < 0 {
		s = "(" + s + ")"
	}
	if x.IsInt() {
		return s
	}
	return "(" + s + " / " + x.Denom().String() + ")"
}

// expression writes a formula, in parentheses unless it is a single word.
func (t *theorem) expression(n *formula.Tree) string {
	return written(n, func(n *formula.Tree) (string, bool) {
		switch {
		case n.Op == "ceil" && t.c.Kind == certificate.Point:
			fail("%v has no form in a counterexample", n)
		case n.Op != "symbol":
			return "", false
		case t.kinds[n.Name] == certificate.Count:
			return "(" + t.symbol(n.Name) + ")", true
		}
		return t.symbol(n.Name), true
	})
}

// forms are how functions are written.
var forms = map[string]string{"neg": "(- ", "sqrt": "(sqrt ", "log": "(ln ", "exp": "(exp ",
	"abs": "(Rabs ", "min": "(Rmin ", "max": "(Rmax ",
	"ceil": "(Rceil "} // see [theorem.expression]

// written writes a formula. The function writes its symbols, and other parts that it knows.
func written(n *formula.Tree, known func(*formula.Tree) (string, bool)) string {
	if text, ok := known(n); ok {
		return text
	}
	args := make([]string, len(n.Args))
	switch n.Op {
	case "number":
		return rational(n.Value)
	case "symbol", "sum", "floor", "order", "span":
		fail("%v has no form in Rocq", n)
	}
	for i, a := range n.Args {
		args[i] = written(a, known)
	}
	switch n.Op {
	case "+", "-", "*", "/":
		return "(" + args[0] + " " + n.Op + " " + args[1] + ")"
	case "^":
		return power(n, args[0], args[1])
	case "min", "max":
		s := args[0]
		for _, a := range args[1:] {
			s = forms[n.Op] + s + " " + a + ")"
		}
		return s
	}
	if forms[n.Op] == "" {
		fail("an operation without a form in Rocq: %s", n.Op)
	}
	return forms[n.Op] + args[0] + ")"
}

// power writes a power: by repeated multiplication for a whole exponent, by a root for halves, else
// as exp(e ln a).
func power(n *formula.Tree, base, exponent string) string {
	e, constant := constant(n.Args[1])
	if !constant {
		return "(Rpower " + base + " " + exponent + ")"
	}
	x := new(big.Rat).Abs(e)
	var s string
	switch {
	case x.IsInt():
		s = "(" + base + " ^ " + x.Num().String() + ")"
	case x.Denom().IsInt64() && x.Denom().Int64() == 2:
		s = "(sqrt " + base + ")"
		if x.Num().IsInt64() && x.Num().Int64() != 1 {
			s = "(" + s + " ^ " + x.Num().String() + ")"
		}
	default:
		return "(Rpower " + base + " " + rational(e) + ")"
	}
	if e.Sign() < 0 {
		s = "(/ " + s + ")"
	}
	return s
}

// constant is the value of a formula of rational numbers without roots.
func constant(n *formula.Tree) (*big.Rat, bool) {
	if n.Op == "number" {
		return n.Value, true
	}
	var args []*big.Rat
	for _, a := range n.Args {
		v, ok := constant(a)
		if !ok {
			return nil, false
		}
		args = append(args, v)
	}
	x := new(big.Rat)
	switch {
	case n.Op == "neg":
		return x.Neg(args[0]), true
	case n.Op == "+":
		return x.Add(args[0], args[1]), true
	case n.Op == "-":
		return x.Sub(args[0], args[1]), true
	case n.Op == "*":
		return x.Mul(args[0], args[1]), true
	case n.Op == "/" && args[1].Sign() != 0:
		return x.Quo(args[0], args[1]), true
	}
	return nil, false
}
