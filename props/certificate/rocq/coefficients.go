package rocq

import (
	"cmp"
	_ "embed"
	"errors"
	"fmt"
	"math/big"
	"slices"
	"strings"

	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/enclosure"
	"sledge/props/formula"
)

// inequalities are lemmas and tactics for proofs by nonnegative coefficients.
//
//go:embed coefficients.v
var inequalities string

// coefficients follows a proof by nonnegative coefficients. Symbols, and functions of them, whose
// roots occur are written as powers of these; then all that is compared is a quotient of
// polynomials, and tactic field shows that the difference of two sides is the sum that the proof
// says.
func coefficients(t *theorem) string {
	proof := decoded[certificate.CoefficientsProof](t.c)
	degrees := map[string]int{}
	for {
		s := &script{theorem: t, degrees: degrees, theory: algebra.New(t.assumed),
			done: map[string]string{}, made: map[int]string{}, facts: map[string]fact{},
			signed: map[int]algebra.Sign{}, sums: map[string]string{}}
		if s.proof(&proof); !s.again {
			return s.String()
		}
	}
}

// script is the text of a proof while it is written.
type script struct {
	*theorem
	strings.Builder
	theory *algebra.Theory
	// of the roots by which generators and sums are written, by name; 1 if there is none
	degrees map[string]int
	again   bool // a degree has grown, so that what has been written is of no use
	done    map[string]string
	made    map[int]string // names of generators that are not symbols
	sums    map[string]string
	facts   map[string]fact
	signed  map[int]algebra.Sign // of logarithms
	rules   []string             // equations by which field reduces roots
	count   int
	heard   int // generators that have been looked at
	hearing bool
	unheard error // of those that have no name
}

// fact is what is shown, in Rocq.
type fact struct {
	algebra.Fact
	name string
}

func (s *script) line(format string, args ...any) { fmt.Fprintf(s, format+"\n", args...) }

// fresh is a name that is not in use.
func (s *script) fresh(prefix string) string {
	s.count++
	return fmt.Sprintf("%s%d", prefix, s.count)
}

// equal is the tactic for an equation of quotients of polynomials.
func (s *script) equal() string {
	if len(s.rules) == 0 {
		return "(field; nz)"
	}
	return "(field [" + strings.Join(s.rules, " ") + "]; nz)"
}

// proof writes the whole proof.
func (s *script) proof(proof *certificate.CoefficientsProof) {
	var names []string
	for _, symbol := range s.c.Symbols {
		names = append(names, s.names[symbol.Name])
	}
	for i := range s.premises {
		names = append(names, fmt.Sprintf("H%d", i))
	}
	s.line("intros %s.", strings.Join(names, " "))
	defined := map[string]bool{}
	for _, c := range s.assumed {
		a := c.Sides[0]
		if d := s.theory.Definition(a.Name); c.Relations[0] == "=" && a.Op == "symbol" &&
			d != nil &&
			!defined[a.Name] &&
			d.Equal(c.Sides[1]) {
			defined[a.Name] = true
			s.line("subst %s.", s.names[a.Name])
		}
	}
	var signs string
	for _, symbol := range s.c.Symbols {
		if !defined[symbol.Name] {
			signs += " sign " + s.names[symbol.Name] + "."
		}
	}
	s.line("%s\n%s", signs, signs)
	for _, symbol := range s.c.Symbols {
		if n := s.degrees[symbol.Name]; n > 1 && !defined[symbol.Name] {
			x := s.names[symbol.Name]
			s.root(x, x+"_r", n, symbol.Name)
			s.line("subst %s.", x)
		}
	}
	s.hear()
	for _, l := range proof.Lemmas {
		for _, side := range s.last.Sides {
			_, _ = s.theory.Of(side) // as the checker does
		}
		s.lemma(l)
	}
	next := 0
	var shown []string
	for i, rel := range s.last.Relations {
		var names []string
		for _, x := range s.last.Part(i).Inequalities() {
			if next == len(proof.By) {
				fail("a relation is not shown")
			}
			names = append(names, s.relation(x, proof.By[next]))
			next++
		}
		lemma := map[string]string{"≤": "%s", "<": "%s", "≥": "(Rle_ge _ _ %s)",
			">": "(Rlt_gt _ _ %s)", "=": "(Rle_antisym _ _ %s)", "∈": "(conj %s)"}[rel]
		shown = append(shown, fmt.Sprintf(lemma, strings.Join(names, " ")))
	}
	s.line("exact %s.", conjoined(shown))
}

// root gives a root of something positive a name.
func (s *script) root(of, name string, degree int, generator string) {
	lemma := "root_of"
	for i := range s.theory.Generators() {
		if g := s.theory.Generator(i); g.Name == generator && g.Sign == algebra.Nonnegative {
			lemma = "root_of_0"
		}
	}
	s.line("destruct (%s (%s) %d) as [%s [P%s E%s]]; [pos|].", lemma, of, degree-1, name,
		name, name)
}

// hear introduces what functions the theory has met since it was asked last, and primes under
// roots.
func (s *script) hear() {
	if s.hearing {
		return
	}
	s.hearing = true
	defer func() { s.hearing = false }()
	for ; s.heard < s.theory.Generators(); s.heard++ {
		i := s.heard
		switch g := s.theory.Generator(i); {
		case g.Prime != 0:
			degree := max(2, s.degrees[g.Name])
			name := fmt.Sprintf("q%d", g.Prime)
			s.line("destruct (root_of %d %d) as [%s [P%s E%s]]; [lra|]. symmetry in E%s.", g.Prime,
				degree-1, name, name, name,
				name)
			lo, hi := between(g.Prime, degree)
			s.line("assert (%s <= %s) by (destruct (Rle_or_lt (%s) %s) as [K|K]; [exact K|];"+
				" pose proof (power_lt %s (%s) %d ltac:(lra) K); lra).", lo, name, lo, name, name,
				lo, degree-1)
			s.line("assert (%s <= %s) by (destruct (Rle_or_lt %s (%s)) as [K|K]; [exact K|];"+
				" pose proof (power_lt (%s) %s %d ltac:(lra) K); lra).", name, hi, name, hi, hi,
				name, degree-1)
			s.made[i], s.rules = name, append(s.rules, "E"+name)
		case g.Of != nil:
			s.unheard = errors.Join(s.unheard, attempt(func() { s.function(i, g) }))
		}
	}
}

// between returns rational bounds of a root of a prime, close to it.
func between(prime int64, degree int) (lo, hi string) {
	scale := big.NewRat(1_000_000, 1)
	x := enclosure.Whole(new(big.Rat).Mul(enclosure.Int(prime).Root(degree).Lower(), scale), false)
	x.Quo(x, scale)
	return rational(x), rational(new(big.Rat).Add(x, new(big.Rat).Inv(scale)))
}

// function gives the value of a function a name, with what is known of it.
func (s *script) function(i int, g algebra.Generator) {
	n := g.Of
	for _, a := range n.Args {
		s.ready(a)
	}
	text := s.bare(n)
	args := make([]string, len(n.Args))
	for k, a := range n.Args {
		args[k] = s.expression(a)
	}
	name := fmt.Sprintf("f%d", i)
	know := func(label, statement, by string) {
		f, err := s.theory.Fact(label)
		if err != nil {
			f.Label = label
		}
		h := s.fresh("B")
		s.line("assert (%s : %s) by (%s).", h,
			strings.ReplaceAll(statement, "it", "("+text+")"), by)
		s.facts[label] = fact{f, "?" + h} // as it stands, not as the theory writes it
	}
	label := g.Name
	switch n.Op {
	case "min", "max":
		for k, a := range n.Args {
			if n.Op == "min" {
				know(label+" ≤ "+a.String(), "it <= "+args[k],
					"unfold Rmin; repeat destruct Rle_dec; lra")
			} else {
				know(a.String()+" ≤ "+label, args[k]+" <= it",
					"unfold Rmax; repeat destruct Rle_dec; lra")
			}
		}
	case "abs":
		know(n.Args[0].String()+" ≤ "+label, args[0]+" <= it", "apply Rle_abs")
		know("−("+n.Args[0].String()+") ≤ "+label, "- "+args[0]+" <= it",
			"rewrite <- Rabs_Ropp; apply Rle_abs")
	case "ceil":
		know("below "+label, args[0]+" <= it", "apply below")
		know("above "+label, "it <= "+args[0]+" + 1", "apply above")
		if g.Sign == algebra.Positive {
			know("1 ≤ "+label, "1 <= it", "apply ceil_one; pos")
		}
	case "log":
		know("above "+label, "it <= "+args[0]+" - 1", "apply ln_above; pos")
		know("below "+label, "1 - / "+args[0]+" <= it", "apply ln_below; pos")
	case "exp":
		know("below "+label, "1 + "+args[0]+" <= it", "apply exp_above")
	case "^":
	default:
		fail("%v has no form in a proof by coefficients", n)
	}
	sign := map[algebra.Sign]string{algebra.Positive: "0 < it",
		algebra.Nonnegative: "0 <= it"}[g.Sign]
	if sign != "" && n.Op != "log" {
		by := "pos"
		switch n.Op {
		case "max":
			var ways []string
			for _, a := range args {
				ways = append(ways,
					"apply Rlt_le_trans with "+a+"; [pos|unfold Rmax; repeat destruct Rle_dec; lra]")
			}
			by = "first [" + strings.Join(ways, " | ") + "]"
		case "ceil":
			by = "apply Rlt_le_trans with (2 := below _); pos"
		}
		s.line("assert (S%s : %s) by (%s).", name, strings.ReplaceAll(sign, "it", "("+text+")"), by)
	}
	s.line("set (%s := %s) in *.", name, text)
	if n.Op != "log" && n.Op != "^" {
		s.line("clearbody %s.", name)
	}
	s.made[i], s.done[n.String()] = name, name
	if d := s.degrees[g.Name]; d > 1 {
		s.line("clearbody %s.", name)
		s.root(name, name+"_r", d, g.Name)
		s.line("subst %s.", name)
	}
}

// degree notes that a power is needed, and returns the exponent in roots.
func (s *script) degree(name string, power int) int {
	d := max(1, s.degrees[name])
	if power*d%algebra.Unit != 0 {
		g := new(big.Int).GCD(nil, nil, big.NewInt(int64(max(power, -power))),
			big.NewInt(algebra.Unit))
		need := algebra.Unit / int(g.Int64())
		l := d / int(new(big.Int).GCD(nil, nil, big.NewInt(int64(d)),
			big.NewInt(int64(need))).Int64()) * need
		s.degrees[name], s.again = l, true
		return 1
	}
	return power * d / algebra.Unit
}

// powered writes x^e for e > 0.
func powered(x string, e int) string {
	if e == 1 {
		return x
	}
	return fmt.Sprintf("%s ^ %d", x, e)
}

// factor writes the power of a generator, without the inverse if that is negative.
func (s *script) factor(i, power int) (text string, inverse bool) {
	g := s.theory.Generator(i)
	x := cmp.Or(s.made[i], s.names[g.Name])
	before := s.degrees[g.Name]
	if g.Prime != 0 && before == 0 {
		s.degrees[g.Name] = 2
	}
	e := s.degree(g.Name, power)
	switch degree := s.degrees[g.Name]; {
	case g.Prime != 0:
		s.again = s.again || degree != max(2, before)
	case degree > 1:
		x += "_r"
	}
	if e < 0 {
		return powered(x, -e), true
	}
	if g.Sign == algebra.Free && e%2 == 0 {
		return "(" + powered(x, e/2) + " * " + powered(x, e/2) + ")", false
	}
	return powered(x, e), false
}

// monomial writes the powers of a term, with a coefficient.
func (s *script) monomial(c string, powers []int) string {
	up, down := []string{}, []string{}
	if c != "1" {
		up = append(up, c)
	}
	for i, p := range powers {
		if p == 0 {
			continue
		}
		if x, inverse := s.factor(i, p); inverse {
			down = append(down, x)
		} else {
			up = append(up, x)
		}
	}
	if len(up) == 0 {
		up = []string{"1"}
	}
	text := strings.Join(up, " * ")
	if len(down) > 0 {
		text += " / (" + strings.Join(down, " * ") + ")"
	}
	return text
}

// sum writes a sum of terms. Terms that differ in roots of primes alone stand together.
func (s *script) sum(x algebra.Sum) string {
	s.hear()
	var order []string
	groups := map[string][]algebra.Term{}
	for _, t := range x.Terms() {
		rest := slices.Clone(t.Powers)
		for i := range rest {
			if s.theory.Generator(i).Prime != 0 {
				rest[i] = 0
			}
		}
		for len(rest) > 0 && rest[len(rest)-1] == 0 {
			rest = rest[:len(rest)-1]
		}
		k := fmt.Sprint(rest)
		if groups[k] == nil {
			order = append(order, k)
		}
		groups[k] = append(groups[k], t)
	}
	slices.SortFunc(order, func(a, b string) int {
		return groups[b][0].C.Sign() - groups[a][0].C.Sign()
	})
	var parts []string
	for _, k := range order {
		g := groups[k]
		if len(g) == 1 {
			parts = append(parts, s.monomial(rational(g[0].C), g[0].Powers))
			continue
		}
		var numbers []string
		var rest []int
		for _, t := range g {
			rest = slices.Clone(t.Powers)
			primes := make([]int, len(rest))
			for i := range rest {
				if s.theory.Generator(i).Prime != 0 {
					primes[i], rest[i] = rest[i], 0
				}
			}
			numbers = append(numbers, s.monomial(rational(t.C), primes))
		}
		parts = append(parts, s.monomial("("+strings.Join(numbers, " + ")+")", rest))
	}
	if len(parts) == 0 {
		return "0"
	}
	return strings.Join(parts, " + ")
}

// value writes a fraction.
func (s *script) value(f algebra.Fraction) string {
	s.hear()
	text := s.sum(f.Sum)
	for _, g := range f.Factors() {
		inner := s.sum(g.Sum)
		e := s.degree("sum "+inner, g.Power)
		x := "(" + inner + ")"
		if d := s.degrees["sum "+inner]; d > 1 {
			// field reduces by equations with whole coefficients
			k := big.NewInt(1)
			for _, t := range g.Sum {
				k.Mul(k, new(big.Int).Quo(t.C.Denom(), new(big.Int).GCD(nil, nil, k, t.C.Denom())))
			}
			if x = s.sums[inner]; x == "" {
				name := s.fresh("w")
				times := algebra.Term{C: new(big.Rat).SetInt(
					new(big.Int).Exp(k, big.NewInt(int64(d)), nil))}
				s.root(s.sum(s.theory.Multiple(g.Sum, times)), name, d, "")
				s.line("symmetry in E%s.", name)
				s.rules = append(s.rules, "E"+name)
				if x = name; k.Cmp(big.NewInt(1)) != 0 {
					x = "(" + name + " / " + k.String() + ")"
				}
				s.sums[inner] = x
			}
		}
		if e > 0 {
			text = "(" + text + ") * " + powered(x, e)
		} else {
			text = "(" + text + ") / " + powered(x, -e)
		}
	}
	return text
}

// expression writes a formula as it stands after all that has been replaced.
func (s *script) expression(n *formula.Tree) string { return written(n, s.replaced) }

func (s *script) replaced(n *formula.Tree) (string, bool) {
	if n.Op == "symbol" {
		return s.symbolic(n.Name), true
	}
	if text, ok := s.done[n.String()]; ok {
		return "(" + text + ")", true
	}
	if root, e := halves(n); root != nil {
		if text, ok := s.done[root.String()]; ok {
			if text = "(" + text + ")"; e.Num().CmpAbs(big.NewInt(1)) != 0 {
				text = "(" + text + " ^ " + new(big.Int).Abs(e.Num()).String() + ")"
			}
			if e.Sign() < 0 {
				text = "(/ " + text + ")"
			}
			return text, true
		}
	}
	return "", false
}

// halves returns the root of which a power with half a whole number as its exponent is a power, and
// the exponent.
func halves(n *formula.Tree) (root *formula.Tree, e *big.Rat) {
	if n.Op != "^" {
		return nil, nil
	}
	if e, ok := constant(n.Args[1]); ok && e.Denom().IsInt64() && e.Denom().Int64() == 2 {
		return formula.Apply("sqrt", n.Args[0]), e
	}
	return nil, nil
}

func (s *script) symbolic(name string) string {
	if d := s.theory.Definition(name); d != nil {
		return s.expression(d)
	}
	if n := s.degrees[name]; n > 1 {
		return fmt.Sprintf("(%s_r ^ %d)", s.names[name], n)
	}
	return s.names[name]
}

// bare writes a function of arguments that have been replaced.
func (s *script) bare(n *formula.Tree) string {
	return written(n, func(m *formula.Tree) (string, bool) {
		if m == n {
			return "", false
		}
		return s.replaced(m)
	})
}

// ready replaces all roots and powers in a formula, and what definitions it uses.
func (s *script) ready(n *formula.Tree) {
	if n.Op == "symbol" {
		if d := s.theory.Definition(n.Name); d != nil {
			s.ready(d)
		}
		return
	}
	if _, known := s.done[n.String()]; known {
		return
	}
	for _, a := range n.Args {
		s.ready(a)
	}
	v := try(s.theory.Of(n))
	s.hear()
	if _, known := s.done[n.String()]; known {
		return
	}
	root := n
	switch n.Op {
	case "^":
		e, rational := constant(n.Args[1])
		if rational && e.IsInt() {
			return
		}
		if half, _ := halves(n); half != nil {
			root = half
			if _, known := s.done[root.String()]; known {
				return
			}
			v = try(s.theory.Of(root))
		}
	case "sqrt":
	case "min", "max":
		s.resolved(n, v)
		return
	case "abs", "log", "exp", "ceil", "floor":
		panic(unwritable{errors.Join(fmt.Errorf("%v has no name", n), s.unheard)})
	default:
		return
	}
	text := s.bare(root)
	h := s.fresh("R")
	is := s.value(v)
	if root.Op == "sqrt" {
		s.line("assert (%s : %s = %s) by (apply sqrt_is; [pos|%s]).", h, text, is, s.equal())
	} else {
		e := try(s.theory.Of(n.Args[1]))
		x, constant := e.Constant()
		if !constant {
			fail("the power %v", n)
		}
		base := try(s.theory.Of(n.Args[0]))
		lemma := "Rpower_is"
		if x.Sign() < 0 {
			lemma = "Rpower_is_inverse"
		}
		m := try(s.theory.Pow(base, new(big.Rat).SetFrac(big.NewInt(1), x.Denom())))
		s.line("assert (%s : %s = %s) by (apply (%s _ _ (%s) %v %v); [pos|%s|simpl; lra|%s]).", h,
			text, is, lemma, s.value(m), new(big.Int).Abs(x.Num()),
			new(big.Int).Sub(x.Denom(), big.NewInt(1)), s.equal(), s.equal())
	}
	s.line("try rewrite %s in *.", h)
	s.done[root.String()] = is
}

// resolved replaces a minimum or maximum of two numbers by one of them.
func (s *script) resolved(n *formula.Tree, v algebra.Fraction) {
	text := s.bare(n)
	h := s.fresh("R")
	for i, side := range []string{"left", "right"} {
		a, err := s.theory.Of(n.Args[i])
		if err != nil || len(n.Args) != 2 {
			break
		}
		if d, err := s.theory.Sub(a, v); err != nil || len(d.Sum) > 0 {
			continue
		}
		is := s.expression(n.Args[i])
		s.line("assert (%s : %s = %s) by (apply R%s_%s; first [lra | apply Rminus_le; nra]).", h,
			text, is, n.Op, side)
		s.line("try rewrite %s in *.", h)
		s.done[n.String()] = is
		return
	}
	fail("%v is one of its arguments", n)
}

// known has a fact shown in the form that the theory gives it, and returns its name.
func (s *script) known(label string) fact {
	f, shown := s.facts[label]
	if shown && !strings.HasPrefix(f.name, "?") {
		return f
	}
	found := try(s.theory.Fact(label))
	if strings.HasPrefix(label, "closely ") {
		fail("rational bounds of logarithms")
	}
	lesser, greater := s.value(found.Lesser), s.value(found.Greater)
	h := s.fresh("F")
	relation, lemma := "<=", "same"
	if found.Strict {
		relation, lemma = "<", "less"
	}
	source, by := strings.TrimPrefix(f.name, "?"), "lra"
	if !shown {
		// what cannot be written is left to the tactic
		if err := attempt(func() { source = s.assumption(label) }); err != nil {
			source = ""
		}
	}
	if source != "" {
		by = fmt.Sprintf("apply (%s _ _ _ _ %s); %s", lemma, source, s.equal())
	} else if attempt(func() { source = s.consequence(label) }) == nil && source != "" {
		by = source
	}
	s.line("assert (%s : %s %s %s) by (%s).", h, lesser, relation, greater, by)
	f = fact{found, h}
	s.facts[label] = f
	return f
}

// assumption is a proof of a fact of which an assumption says that, empty if none does.
func (s *script) assumption(label string) string {
	forms := map[string][]string{"≤": {"H%d"}, "<": {"H%d"}, "≥": {"(Rge_le _ _ H%d)"},
		">": {"(Rgt_lt _ _ H%d)"}, "=": {"(Req_le _ _ H%d)", "(Req_ge _ _ H%d)"},
		"∈": {"H%d", "H%d"}}
	k := 0
	for _, c := range s.assumed {
		for i, rel := range c.Relations {
			for j, x := range c.Part(i).Inequalities() {
				if j == 1 && rel == "∈" {
					k++
				}
				if x.String() != label {
					continue
				}
				other := x.Lesser
				if other == c.Sides[i] {
					other = x.Greater
				}
				s.ready(c.Sides[i])
				s.ready(other)
				return fmt.Sprintf(forms[rel][j], k)
			}
			k++
		}
	}
	return ""
}

// consequence is a proof of a fact that follows about a power, empty if it does not.
func (s *script) consequence(label string) string {
	for i := range s.theory.Generators() {
		g := s.theory.Generator(i)
		if g.Of == nil || g.Of.Op != "^" || s.made[i] == "" {
			continue
		}
		base := s.expression(g.Of.Args[0])
		e := s.expression(g.Of.Args[1])
		power := s.made[i]
		by := func(lemma, arguments, statement, further string) string {
			h := s.fresh("B")
			s.line("assert (%s : %s) by (unfold %s; apply (%s %s %s %s); %sfirst [pos | lra]).", h,
				statement, power, lemma,
				base, e, arguments, further)
			return fmt.Sprintf("apply (same _ _ _ _ %s); %s", h, s.equal())
		}
		switch rest, _ := strings.CutPrefix(label, g.Name+" by "); label {
		case g.Name + " ≤ 1":
			return by("Rpower_le_1", "", power+" <= 1", "")
		case "1 ≤ " + g.Name:
			return by("Rpower_ge_1", "", "1 <= "+power, "")
		case "below " + g.Name:
			return by("Bernoulli", "", "1 - (1 - "+base+") * "+e+" <= "+power, "")
		case g.Name + " by " + rest:
			for k := range s.theory.Generators() {
				if l := s.theory.Generator(k); l.Name == rest && s.made[k] != "" {
					y := s.expression(l.Of.Args[0])
					return by("Rpower_by_ln", y, power+" <= / "+y,
						"try change (ln "+y+") with "+s.made[k]+"; ")
				}
			}
		}
	}
	return ""
}

// uses writes what is used as hypotheses, and returns the sum of them and its proof.
func (s *script) uses(lesser, greater algebra.Fraction, strictly bool,
	by []certificate.Use) (sum, proof string,
	strict bool) {
	rest := try(s.theory.Sub(greater, lesser))
	var sums, proofs []string
	var stricts []bool
	add := func(text, by string, strict bool) {
		h := s.fresh("U")
		s.line("assert (%s : 0 %s %s) by %s.", h, map[bool]string{true: "<", false: "<="}[strict],
			text, by)
		sums, proofs, stricts = append(sums, text), append(proofs, h), append(stricts, strict)
	}
	for _, u := range by {
		g, also, err := s.theory.Gap(u, s.reader.Tree)
		try(g, err)
		rest = try(s.theory.Sub(rest, g))
		n := try(s.reader.Tree(u.Times))
		s.ready(n)
		times := s.expression(n)
		text, product, lemma, positive := "", "", "gap", "Rmult_le_pos"
		if also {
			lemma, positive = "wide", "Rmult_lt_0_compat"
		}
		for i, label := range u.Facts {
			f := s.known(label)
			x, y, h := s.value(f.Lesser), s.value(f.Greater), f.name
			if f.Strict && !also {
				h = "(Rlt_le _ _ " + h + ")"
			}
			if u.Power != "" && u.Power != "1" {
				x, y, h = s.raised(f, u.Power, h, also)
			}
			one := fmt.Sprintf("((%s) - (%s))", y, x)
			proof := fmt.Sprintf("(%s _ _ %s)", lemma, h)
			if i > 0 {
				one, proof = text+" * "+one, fmt.Sprintf("(%s _ _ %s %s)", positive, product, proof)
			}
			text, product = one, proof
		}
		add(fmt.Sprintf("%s * (%s)", times, text),
			fmt.Sprintf("(apply %s; [pos|exact %s])", positive, product), also)
	}
	text := s.value(rest)
	if len(rest.Sum) > 0 || len(sums) == 0 {
		add(text, "pos", strictly && !slices.Contains(stricts, true))
	}
	last := len(sums) - 1
	sum, proof, strict = sums[last], proofs[last], stricts[last]
	for i := last - 1; i >= 0; i-- {
		lemma := "sum_nn"
		p, q := proofs[i], proof
		switch {
		case stricts[i] && strict:
			lemma, q = "sum_sn", "(Rlt_le _ _ "+q+")"
		case stricts[i]:
			lemma = "sum_sn"
		case strict:
			lemma = "sum_ns"
		}
		sum, proof, strict = sums[i]+" + ("+sum+")", fmt.Sprintf("(%s _ _ %s %s)", lemma, p, q),
			strict || stricts[i]
	}
	return sum, proof, strict
}

// raised raises the sides of a fact to a power.
func (s *script) raised(f fact, power, h string, strict bool) (x, y, proof string) {
	e, ok := new(big.Rat).SetString(power)
	if !ok {
		fail("the power %s", power)
	}
	one := new(big.Rat).SetFrac(big.NewInt(1), e.Denom())
	a := try(s.theory.Pow(f.Lesser, one))
	b := try(s.theory.Pow(f.Greater, one))
	x, y = s.value(a), s.value(b)
	p, q := int(e.Num().Int64()), int(e.Denom().Int64())
	name := s.fresh("G")
	lemma, relation, transfer, low := "raised", "<=", "same", p
	if strict {
		lemma, relation, transfer, low = "raised_strictly", "<", "less", p-1
	}
	s.line(
		"assert (%s : (%s) ^ %d %s (%s) ^ %d) by (apply (%s _ _ %d %d); [pos|pos|apply (%s _ _ _ _ %s); %s]).", name,
		x, p, relation, y, p, lemma, low, q-1, transfer, h, s.equal())
	return fmt.Sprintf("(%s) ^ %d", x, p), fmt.Sprintf("(%s) ^ %d", y, p), name
}

// lemma writes a lemma and its proof.
func (s *script) lemma(l certificate.Lemma) {
	clauses, err := s.reader.Clauses(l.Show)
	if err != nil || len(clauses) != 1 {
		fail("the lemma %s: %w", l.Show, err)
	}
	f := algebra.Fact{Label: l.Show, Strict: clauses[0].Relations[0] == "<"}
	f.Lesser = try(s.theory.Of(clauses[0].Sides[0]))
	f.Greater = try(s.theory.Of(clauses[0].Sides[1]))
	s.facts[l.Show] = fact{f, s.show(s.value(f.Lesser), s.value(f.Greater), f, l.By)}
	s.theory.Learn(f)
}

// relation shows a relation of the conclusion, and returns its name.
func (s *script) relation(x formula.Inequality, by []certificate.Use) string {
	s.ready(x.Lesser)
	s.ready(x.Greater)
	lesser, greater := s.expression(x.Lesser), s.expression(x.Greater)
	f := algebra.Fact{Lesser: try(s.theory.Of(x.Lesser)), Greater: try(s.theory.Of(x.Greater)),
		Strict: x.Strict}
	return s.show(lesser, greater, f, by)
}

// signs notes what signs of logarithms have become known.
func (s *script) signs() {
	for i := range s.theory.Generators() {
		name, g := s.made[i], s.theory.Generator(i)
		if name == "" || g.Of == nil || g.Of.Op != "log" || g.Sign <= s.signed[i] {
			continue
		}
		s.signed[i] = g.Sign
		text := s.expression(g.Of.Args[0])
		v := try(s.theory.Of(g.Of.Args[0]))
		lemma, relation := "ln_nonneg", "<="
		if g.Sign == algebra.Positive {
			lemma, relation = "ln_pos", "<"
		}
		s.line("assert (S%s : 0 %s %s) by (unfold %s; apply %s; replace %s with (%s) by %s; lra).",
			name, relation, name,
			name, lemma, text, s.value(v), s.equal())
	}
}

// show shows that lesser ≤ greater, or < if the fact is strict, and returns its name.
func (s *script) show(lesser, greater string, f algebra.Fact, by []certificate.Use) string {
	s.signs()
	sum, proof, certainly := s.uses(f.Lesser, f.Greater, f.Strict, by)
	h := s.fresh("L")
	lemma, relation := "conclude", "<="
	switch {
	case f.Strict:
		lemma, relation = "strictly", "<"
	case certainly:
		proof = "(Rlt_le _ _ " + proof + ")"
	}
	s.line("assert (%s : %s %s %s) by (apply (%s _ _ (%s) %s); %s).", h, lesser, relation, greater,
		lemma, sum, proof, s.equal())
	return h
}
