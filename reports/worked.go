package reports

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/checker"
	language "sledge/props/formula"
)

// worked is a counterexample that a reader can follow with pencil and paper: what to put for the
// symbols, and what becomes of the two sides. Formulas stand between dollar signs; of an instance
// they stand bare in what is evidence.
type worked struct {
	Take, Left, Right string
	// Instance says that this is the smallest instance that was found, in words and numbers:
	// nothing that is refuted there is a formula.
	Instance bool
	Sides    *sides // both sides, along a symbol or a curve; nil if none moves
}

// newWorked makes one of a certificate that refutes a statement in formulas, with the smallest
// numbers that it finds and the checker of certificates accepts; nil if there is none. Symbols that
// a curve has besides those of the statement, in words, are told by what they make of the others.
func newWorked(e *Evidence, statement string) *worked {
	c := e.Certificate
	if e.Outcome() != props.Refuted || c == nil || !c.Refutes {
		return nil
	}
	s := newScene(c)
	if s == nil {
		return nil
	}
	switch c.Kind {
	case certificate.Point:
		return s.point()
	case certificate.Growth:
		return s.growth(statement)
	}
	return nil
}

// newScene reads what a certificate is about; nil if that is no formula.
func newScene(c *certificate.Certificate) *scene {
	v, domain, st, err := language.Read(c)
	if err != nil {
		return nil
	}
	s := &scene{reader: v, c: *c, symbols: c.Symbols,
		domain: append(domain, st.Premises()...), conclusion: st.Conclusion(),
		compiled: map[*language.Tree]*compiled{}}
	s.name()
	return s
}

// scene is a statement that a certificate settles.
type scene struct {
	reader     *language.Vocabulary
	c          certificate.Certificate
	symbols    []certificate.Symbol // that a reader is told of
	domain     []language.Clause
	conclusion language.Clause
	compiled   map[*language.Tree]*compiled
}

// compiled is a formula of a scene as a function of its symbols.
type compiled struct {
	names []string
	at    *language.Program // nil until it is asked for
}

// name puts the numbers for words that stand for one, such as the power of a logarithm, which are
// no symbols of the text.
func (s *scene) name() {
	values := map[string]quantity{}
	s.domain = slices.DeleteFunc(s.domain, func(c language.Clause) bool {
		name, by := definition(c)
		if utf8.RuneCountInString(name) == 1 || by == nil || by.Op != "number" && by.Op != "/" ||
			len(by.Symbols()) > 0 || strings.Contains(name, "_") {
			return false
		}
		x, err := by.Of().Exact()
		if err != nil {
			return false
		}
		q, ok := rational(x.String())
		if ok {
			values[name] = q
		}
		return ok
	})
	for _, c := range append(s.domain, s.conclusion) {
		for i, side := range c.Sides {
			c.Sides[i] = substituted(side, values)
		}
	}
	s.symbols = slices.DeleteFunc(slices.Clone(s.symbols), func(x certificate.Symbol) bool {
		_, named := values[x.Name]
		return named
	})
}

// definition returns the symbol that a clause defines, and by what; "" if it defines none.
func definition(c language.Clause) (name string, by *language.Tree) {
	if len(c.Sides) == 2 && c.Relations[0] == "=" && c.Sides[0].Op == "symbol" {
		return c.Sides[0].Name, c.Sides[1]
	}
	return "", nil
}

// quantity is the value of a symbol: exact where it is rational.
type quantity struct {
	exact  *big.Rat // nil if it is not
	approx float64
}

// rational reads a rational number.
func rational(text string) (q quantity, ok bool) {
	if q.exact, ok = new(big.Rat).SetString(text); ok {
		q.approx, _ = q.exact.Float64()
	}
	return q, ok
}

// simple are the numbers that are tried for a symbol, the simplest first.
var simple = []string{"1", "2", "0", "3", "-1", "4", "1/2", "5", "10", "-2", "1/4", "1/10", "100"}

// fromOne are those of them that are at least 1.
var fromOne = []string{"1", "2", "3", "4", "5", "10", "100"}

// atLeastOne reports whether a symbol is at least 1 by its kind.
func (s *scene) atLeastOne(name string) bool {
	return slices.ContainsFunc(s.c.Symbols, func(symbol certificate.Symbol) bool {
		return symbol.Name == name && symbol.Kind != certificate.Real
	})
}

// simplify replaces values by simpler ones one by one, as long as the statement is refuted. What is
// not even plausible is not put before the checker.
func (s *scene) simplify(values map[string]string, proof func() any, plausible func() bool) bool {
	accepted := func() bool {
		b, err := json.Marshal(proof())
		if err != nil {
			return false
		}
		try := s.c
		try.Proof = b
		return checker.Accept(&try) == nil
	}
	if !accepted() {
		return false
	}
	names, settled := slices.Sorted(maps.Keys(values)), 0 // symbols in a row that stay as they are
	for k := 0; k < 2*len(names) && settled < len(names); k++ {
		name := names[k%len(names)]
		was := values[name]
		settled++
		candidates := simple
		if len(was) > mostDigits { // a power of ten near it
			zeros := strings.Repeat("0", len(was)-1)
			candidates = append(slices.Clone(simple), "1"+zeros+"0", "1"+zeros)
		}
		for _, text := range candidates {
			if text == was {
				break
			}
			if s.atLeastOne(name) && len(text) <= mostDigits && !slices.Contains(fromOne, text) {
				continue
			}
			values[name] = text
			if plausible() && accepted() {
				settled = 1
				break
			}
			values[name] = was
		}
	}
	return true
}

func (s *scene) point() *worked {
	var proof certificate.PointProof
	if json.Unmarshal(s.c.Proof, &proof) != nil {
		return nil
	}
	refutes := func() (values map[string]quantity, k int) { // in floating point
		if values = s.all(proof.Values); values == nil || !s.presupposed(values) {
			return nil, -1
		}
		return values, s.failing(values)
	}
	plausible := func() bool { _, k := refutes(); return k >= 0 }
	if !s.simplify(proof.Values, func() any { return proof }, plausible) {
		return nil
	}
	values, k := refutes()
	if k < 0 {
		return nil
	}
	left, right := s.side(s.conclusion.Sides[k], values), s.side(s.conclusion.Sides[k+1], values)
	if left == "" || right == "" {
		return nil
	}
	claimed := fmt.Sprintf("the first is claimed to be $%s$ the second", s.conclusion.Relations[k])
	if s.conclusion.Relations[k] == "=" {
		claimed = "they are claimed to be equal"
	}
	return &worked{Take: s.take(values), Left: left, Right: right + ", and " + claimed,
		Sides: s.newSides(values, k)}
}

// take says what to put for the symbols: first numbers, then what the statement defines by
// formulas, each after those that it is made of.
func (s *scene) take(values map[string]quantity) string {
	var said, later []string
	done := map[string]bool{}
	open := s.symbols
	for formulas := false; len(open) > 0; {
		var left []certificate.Symbol
		for _, symbol := range open {
			name, x := cmp.Or(symbol.Means, symbol.Name), values[symbol.Name].String()
			by := s.defined(symbol.Name)
			switch {
			case by == nil || by.String() == x:
				said = append(said, "$"+name+" = "+x+"$")
			case !formulas || slices.ContainsFunc(by.Symbols(),
				func(of string) bool { return !done[of] }):
				left = append(left, symbol)
				continue
			default:
				later = append(later, "$"+name+" = "+by.String()+" = "+x+"$")
			}
			done[symbol.Name] = true
		}
		if formulas && len(left) == len(open) { // no order among the rest
			for _, symbol := range left {
				later = append(later, "$"+symbol.Name+" = "+values[symbol.Name].String()+"$")
			}
			break
		}
		open, formulas = left, true
	}
	return strings.Join(append(said, later...), ", ")
}

// defined is the formula that the statement has for a symbol; nil if it has none.
func (s *scene) defined(name string) *language.Tree {
	for _, c := range s.domain {
		if of, by := definition(c); of == name {
			return by
		}
	}
	return nil
}

// failing is the number of the relation of the conclusion that does not hold; -1 if each does.
func (s *scene) failing(values map[string]quantity) int {
	for i, relation := range s.conclusion.Relations {
		x, first := s.approximately(s.conclusion.Sides[i], values)
		y, second := s.approximately(s.conclusion.Sides[i+1], values)
		if first && second && !holds(x, relation, y) {
			return i
		}
	}
	return -1
}

// holds says whether two numbers are in a relation.
func holds(x float64, relation string, y float64) bool {
	switch relation {
	case "≤":
		return x <= y
	case "<":
		return x < y
	case "≥":
		return x >= y
	case ">":
		return x > y
	}
	return x == y
}

// approximately is the value of a formula, if it is a number.
func (s *scene) approximately(t *language.Tree, values map[string]quantity) (float64, bool) {
	c := s.compiled[t]
	if c == nil {
		c = &compiled{names: t.Symbols()}
		s.compiled[t] = c
	}
	at := make([]float64, len(c.names))
	for i, n := range c.names {
		x, known := values[n]
		if !known {
			return 0, false
		}
		at[i] = x.approx
	}
	if c.at == nil {
		c.at = t.Of(c.names...)
	}
	f := c.at.At(at...)
	return f, !math.IsNaN(f) && !math.IsInf(f, 0)
}

// all are the values of all symbols; nil if one of them has none.
func (s *scene) all(values map[string]string) map[string]quantity {
	all := map[string]quantity{}
	for _, symbol := range s.c.Symbols {
		x, ok := s.value(values, symbol.Name, 0)
		if !ok {
			return nil
		}
		all[symbol.Name] = x
	}
	return all
}

// value is the value of a symbol at a point, which may be a formula of others.
func (s *scene) value(values map[string]string, name string, depth int) (quantity, bool) {
	if q, ok := rational(strings.Replace(values[name], "−", "-", 1)); ok {
		return q, true
	}
	f, err := language.Parse(s.reader, values[name])
	if err != nil || depth > len(values) {
		return quantity{}, false
	}
	names := f.Symbols()
	var exact []*big.Rat
	at := make([]float64, len(names))
	for i, n := range names {
		x, ok := s.value(values, n, depth+1)
		if !ok {
			return quantity{}, false
		}
		if at[i] = x.approx; x.exact != nil {
			exact = append(exact, x.exact)
		}
	}
	if len(exact) == len(names) {
		if v, err := f.Of(names...).Exact(exact...); err == nil {
			if q, ok := rational(v.String()); ok {
				return q, true
			}
		}
	}
	x := f.Of(names...).At(at...)
	q := quantity{approx: x}
	if symbol, _ := s.reader.Symbol(name); symbol.Kind == language.Count && x == math.Trunc(x) {
		q.exact = new(big.Rat).SetFloat64(x)
	}
	return q, !math.IsNaN(x) && !math.IsInf(x, 0)
}

// String writes a number as people do.
func (q quantity) String() string {
	if q.exact == nil {
		return props.Number(q.approx, 6)
	}
	return plainNumber(q.exact)
}

// mostDigits is the number of digits up to which a whole number is written out.
const mostDigits = 20

// plainNumber writes a rational number as people do.
func plainNumber(x *big.Rat) string {
	if whole := x.Num().String(); x.IsInt() && len(whole) <= mostDigits {
		return strings.Replace(whole, "-", "−", 1)
	}
	if f, exact := x.Float64(); exact || x.IsInt() || x.Denom().BitLen() > 20 {
		return props.Number(f, 6)
	}
	return strings.Replace(x.RatString(), "-", "−", 1)
}

// mostSubstituted is the number of characters of a formula above which it is not written out with
// its numbers.
const mostSubstituted = 160

// side is a side of the statement as it stands, with numbers for its symbols, and what it is.
func (s *scene) side(t *language.Tree, values map[string]quantity) string {
	result, ok := s.approximately(t, values)
	if !ok {
		return ""
	}
	steps := []string{t.String()}
	if with := substituted(t, values).String(); utf8.RuneCountInString(with) <= mostSubstituted &&
		with != steps[0] {
		steps = append(steps, with)
	}
	if said := props.Number(result, 6); said != steps[len(steps)-1] {
		steps = append(steps, said)
	}
	return "$" + strings.Join(steps, " = ") + "$"
}

// substituted is a formula with numbers in the place of the symbols whose value is rational.
func substituted(t *language.Tree, values map[string]quantity) *language.Tree {
	if x := values[t.Name].exact; t.Op == "symbol" && x != nil {
		whole := func(n *big.Int) *language.Tree {
			return &language.Tree{Op: "number", Value: new(big.Rat).SetInt(new(big.Int).Abs(n))}
		}
		out := whole(x.Num())
		if !x.IsInt() {
			out = &language.Tree{Op: "/", Args: []*language.Tree{out, whole(x.Denom())}}
		}
		if x.Sign() < 0 {
			out = &language.Tree{Op: "neg", Args: []*language.Tree{out}}
		}
		return out
	}
	out := &language.Tree{Op: t.Op, Name: t.Name, Value: t.Value}
	for i, a := range t.Args {
		if t.Op == "sum" && i == len(t.Args)-1 && values[t.Name].exact != nil {
			// the index hides a symbol
			out.Args = append(out.Args, a)
			continue
		}
		out.Args = append(out.Args, substituted(a, values))
	}
	return out
}

func (s *scene) growth(statement string) *worked {
	var proof certificate.GrowthProof
	if json.Unmarshal(s.c.Proof, &proof) != nil ||
		!s.simplify(proof.At, func() any { return proof }, func() bool { return true }) {
		return nil
	}
	if len(s.conclusion.Sides) != 2 {
		return nil
	}
	upper, lower := s.conclusion.Sides[0], s.conclusion.Sides[1]
	if lower.Op != "order" || len(lower.Args) != 1 {
		return nil
	}
	lower = lower.Args[0]
	steps := s.ladder(&proof, upper, lower)
	if steps == nil {
		return nil
	}
	var at, left, right []string
	for _, x := range steps {
		at, left, right = append(at, props.Number(x.s, 3)), append(left, props.Number(x.upper, 4)),
			append(right, props.Number(x.lower, 4))
	}
	word := "larger than any multiple"
	if proof.Inverse {
		word = "smaller than any multiple"
	}
	second := "$" + lower.String() + "$ " + taken(right) + ": the first becomes " + word +
		" of the second"
	if right[0] == lower.String() {
		second = "the second is $" + right[0] + "$: the first becomes " + word + " of it"
	}
	return &worked{Take: s.course(&proof, steps, statement) + ", for $" + s.parameter() + " = " +
		strings.Join(at, ", ") + "$",
		Left: "$" + upper.String() + "$ " + taken(left), Right: second,
		Sides: s.newGrowthSides(&proof, steps, upper, lower)}
}

// taken says which values a formula takes.
func taken(values []string) string {
	if first := values[0]; !slices.ContainsFunc(values, func(x string) bool { return x != first }) {
		return "stays $" + first + "$"
	}
	return "is $" + strings.Join(values, "$, $") + "$"
}

// course says what to put for the symbols along a curve: powers of s, and what is defined with its
// formula. A symbol that stands neither in the statement nor in what is compared is left out where
// what it defines are powers of s as well.
func (s *scene) course(proof *certificate.GrowthProof, steps []rung, statement string) string {
	known := map[string]bool{}
	for _, l := range lexemes([]rune(statement)) {
		known[l.text] = l.math || known[l.text]
	}
	for _, side := range s.conclusion.Sides {
		for _, name := range side.Symbols() {
			known[name] = true
		}
	}
	powers := map[string]string{}
	for _, clause := range s.domain {
		if name, by := definition(clause); by != nil {
			powers[name] = s.power(proof, steps, name)
			for _, of := range by.Symbols() {
				known[of] = known[of] || powers[name] == ""
			}
		}
	}
	helper := func(name string) bool {
		return statement != "" && !known[name] && utf8.RuneCountInString(name) == 1
	}
	var take []string
	for _, symbol := range s.symbols {
		if x, ok := new(big.Rat).SetString(proof.At[symbol.Name]); ok && !helper(symbol.Name) {
			take = append(take, "$"+symbol.Name+" = "+
				s.monomial(plainNumber(x), float64(proof.Exponents[symbol.Name]))+"$")
		}
	}
	for _, clause := range s.domain {
		name, by := definition(clause)
		switch power := powers[name]; {
		case by == nil || helper(name):
			continue
		case power == "" || power == by.String():
			take = append(take, "$"+clause.String()+"$")
		case slices.ContainsFunc(by.Symbols(), helper):
			take = append(take, "$"+name+" = "+power+"$")
		default:
			take = append(take, "$"+clause.String()+" = "+power+"$")
		}
	}
	return strings.Join(take, ", ")
}

// power writes what a defined symbol is along a curve if that is a multiple of a power of s, or of
// its root; else nothing.
func (s *scene) power(proof *certificate.GrowthProof, steps []rung, name string) string {
	var y []float64
	for _, x := range steps {
		at := s.on(proof, x.s)
		if at == nil {
			return ""
		}
		y = append(y, at[name].approx)
	}
	switch {
	case slices.Max(y) == 0 && slices.Min(y) == 0:
		return "0"
	case slices.Min(y) <= 0:
		return ""
	}
	k := math.Round(2*math.Log(y[1]/y[0])/math.Log(steps[1].s/steps[0].s)) / 2
	factor := y[0] / math.Pow(steps[0].s, k)
	for i, x := range steps {
		if math.Abs(y[i]/math.Pow(x.s, k)/factor-1) > 1e-9 {
			return ""
		}
	}
	near := new(big.Rat).SetFrac64(int64(math.Round(factor*mostDenominator)), mostDenominator)
	if f, _ := near.Float64(); math.Abs(f/factor-1) > 1e-12 {
		return ""
	}
	return s.monomial(plainNumber(near), k)
}

// mostDenominator has the denominators of the fractions that are known as such.
const mostDenominator = 5040

// parameter is a name for what runs along a curve that no symbol has.
func (s *scene) parameter() string {
	for _, name := range []string{"s", "u", "z"} {
		if !slices.ContainsFunc(s.c.Symbols,
			func(x certificate.Symbol) bool { return x.Name == name }) {
			return name
		}
	}
	return "x"
}

// monomial writes a multiple of a power of what runs along a curve.
func (s *scene) monomial(factor string, k float64) string {
	power := fmt.Sprintf("%s^{%g}", s.parameter(), k)
	switch k {
	case 0:
		return factor
	case 0.5:
		power = "√" + s.parameter()
	case 1:
		power = s.parameter()
	}
	if power = strings.Replace(power, "-", "−", 1); factor == "1" {
		return power
	}
	return factor + "·" + power
}

// rung is a point of a curve, and both sides there.
type rung struct{ s, upper, lower float64 }

// ladders are the numbers that are put for s, the simplest first.
var ladders = [][]float64{{1, 10, 100}, {2, 20, 200}, {10, 100, 1000}, {1, 100, 1e4},
	{100, 1e4, 1e6},
	{1e3, 1e6, 1e9}, {1e4, 1e8, 1e12}}

// tellingStep is the factor by which the sides come apart from each rung to the next, at least, on
// a ladder that shows it.
const tellingStep = 1.5

// ladder is the first on which all that is presupposed holds, both sides are positive and what they
// come apart by can be seen; else of those on which it grows that on which it grows most.
func (s *scene) ladder(proof *certificate.GrowthProof, upper, lower *language.Tree) []rung {
	var best []rung
	most := 1.0
	for _, numbers := range ladders {
		var steps []rung
		least := math.Inf(1)
		for i, n := range numbers {
			x, y, ok := s.both(s.on(proof, n), upper, lower)
			if !ok || !(x > 0 && y > 0) {
				steps = nil
				break
			}
			steps = append(steps, rung{n, x, y})
			if i > 0 {
				apart := x / y / (steps[i-1].upper / steps[i-1].lower)
				if proof.Inverse {
					apart = 1 / apart
				}
				least = min(least, apart)
			}
		}
		if steps != nil && least >= tellingStep {
			return steps
		}
		if steps != nil && least > most {
			best, most = steps, least
		}
	}
	return best
}

// both evaluates both sides where what is presupposed holds.
func (s *scene) both(values map[string]quantity, upper, lower *language.Tree) (x, y float64,
	ok bool) {
	if values == nil || !s.presupposed(values) {
		return 0, 0, false
	}
	x, ok = s.approximately(upper, values)
	if ok {
		y, ok = s.approximately(lower, values)
	}
	return x, y, ok
}

// on is a point of a curve; nil if some formula has no value there.
func (s *scene) on(proof *certificate.GrowthProof, at float64) map[string]quantity {
	values := map[string]quantity{}
	for name, text := range proof.At {
		q, fine := rational(text)
		if !fine {
			return nil
		}
		values[name] = quantity{approx: q.approx * math.Pow(at, float64(proof.Exponents[name]))}
	}
	for _, symbol := range s.symbols { // what is not given is defined, or may be 1
		if _, given := values[symbol.Name]; !given && symbol.Kind == certificate.Logarithmic {
			values[symbol.Name] = quantity{approx: 1}
		}
	}
	return s.complete(values)
}

// presupposed says whether the premises and ranges hold, but for what rounding may explain.
func (s *scene) presupposed(values map[string]quantity) bool {
	for _, c := range s.domain {
		for i, relation := range c.Relations {
			var within []float64
			for _, t := range append([]*language.Tree{c.Sides[i]}, ends(c.Sides[i+1])...) {
				x, known := s.approximately(t, values)
				if !known {
					return false
				}
				within = append(within, x)
			}
			x, slack := within[0], 1e-9*math.Abs(within[0])
			switch relation {
			case "∈":
				if len(within) != 3 || x < within[1]-slack || x > within[2]+slack {
					return false
				}
			case "=":
			default:
				if !holds(x, relation, within[1]) && math.Abs(x-within[1]) > slack {
					return false
				}
			}
		}
	}
	return true
}

// ends are both ends of a range, or the formula itself.
func ends(t *language.Tree) []*language.Tree {
	if t.Op == "span" {
		return t.Args
	}
	return []*language.Tree{t}
}

// Worked is a counterexample to the claim of hand size: points come before curves, and short ones
// before long ones. Where no certificate has one, it is the smallest instance in words and numbers;
// nil of a claim that is not refuted.
func (c *Claim) Worked() *worked {
	if c.Verdict != props.Refuted {
		return nil
	}
	var best *worked
	point := false
	for i := range c.Evidence {
		e := &c.Evidence[i]
		w := newWorked(e, c.Statement)
		if w == nil || w.length() > mostByHand {
			continue
		}
		isPoint := e.Certificate.Kind == certificate.Point
		if best == nil || isPoint && !point || isPoint == point && w.length() < best.length() {
			best, point = w, isPoint
		}
	}
	if best == nil {
		best = c.instance()
	}
	return best
}

// mostByHand is the length of a counterexample that nobody follows by hand.
const mostByHand = 700

// instance is the smallest instance at which the claim is refuted: of what was decided exactly if
// there is such evidence, then of units, and of runs only if there is no other.
func (c *Claim) instance() *worked {
	var best *Evidence
	rank := func(e *Evidence) int {
		n := len(smallest(e))
		if strings.HasPrefix(e.What, "units:") {
			n += 1 << 20
		}
		if e.Sense == props.Runs {
			n += 1 << 21
		}
		if !e.Certified {
			n += 1 << 19
		}
		if strings.HasPrefix(smallest(e), "all ") {
			n += 1 << 12
		}
		return n
	}
	for i := range c.Evidence {
		if e := &c.Evidence[i]; e.Outcome() == props.Refuted &&
			(best == nil || rank(e) < rank(best)) {
			best = e
		}
	}
	if best == nil {
		return nil
	}
	return newInstance(best)
}

// smallest is the place of the simplest counterexample of a piece of evidence.
func smallest(e *Evidence) string {
	if e.Simplest != nil {
		return e.Simplest.Where
	}
	return e.Where
}

// newInstance says a counterexample in words and numbers. What is drawn besides is left to the line
// that replays it.
func newInstance(e *Evidence) *worked {
	at, seeds, drawn := strings.Cut(smallest(e), "random seeds:")
	w := &worked{Take: strings.TrimRight(at, ", "), Instance: true}
	if drawn && seeds != "" {
		w.Take = list(", ", w.Take, "and what its line of replay draws")
	}
	if strings.HasPrefix(w.Take, "all ") {
		w.Take = "Among " + w.Take
	} else if w.Take != "" {
		w.Take = "For " + w.Take
	}
	m, c := e.Numbers()
	if x := e.Simplest; x != nil {
		m, c = x.Measured.String(), x.Claimed.String()
	}
	claimed := strings.TrimPrefix(words(e.Relation)+" "+c, "exactly ")
	first, second, sides := strings.Cut(e.What, " against ")
	sides = sides && e.Relation != props.Near && !strings.HasPrefix(e.What, "slope of ")
	switch {
	case strings.HasPrefix(e.What, "units:"):
		w.Take, w.Left, w.Right = "", e.What, "and the two are added or compared"
	case e.Sense == props.Hidden:
		w.Left = strings.TrimSuffix(e.Contradiction(), ".")
	case e.Sense == props.Proposition:
		w.Left = e.What + ": this is false"
	case !known(e.Measured):
		w.Left = e.What + ": no finite value was reached"
		w.Right = "and " + claimed + " is claimed"
	case e.Sense == props.Distance:
		w.Left = e.What + ": they differ by " + m
		w.Right = "and are claimed to be equal"
	case sides:
		w.Left = strings.TrimSuffix(first, ",") + " is " + m
		w.Right = fmt.Sprintf("%s is %s, and the first is claimed to be %s the second", second, c,
			strings.Replace(words(e.Relation), "exactly", "equal to", 1))
	default:
		w.Left, w.Right = e.What+": "+m, "and "+claimed+" is claimed"
	}
	if e.Sense == props.Runs && e.Trials > 0 {
		w.Right = list("; ", w.Right, fmt.Sprintf("%d of %s violate it, and a share of %s may",
			e.Violations, plural(e.Trials, "run"), props.Number(e.Allowed, 2)))
	}
	return w
}

func (w *worked) length() int { return len(w.Take) + len(w.Left) + len(w.Right) }

// worked is the counterexample of hand size to the gravest statement of a slip that has one.
func (e *erratum) worked() string {
	for _, c := range append([]*pageClaim{e.Worst}, e.Claims...) {
		if w := c.Worked(); w != nil && !w.Instance {
			then := w.Left + ", but " + w.Right
			if w.Take != "" {
				then = "Take " + w.Take + ". Then " + then
			}
			return latexText(then) + "."
		}
	}
	return ""
}
