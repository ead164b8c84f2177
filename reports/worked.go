package reports

import (
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
// symbols, and what becomes of the two sides. Formulas stand between dollar signs.
type worked struct{ Take, Left, Right string }

// newWorked makes one of a certificate that refutes a statement in formulas, with the smallest
// numbers that it finds and the checker of certificates accepts; nil if there is none.
func newWorked(e *Evidence) *worked {
	c := e.Certificate
	if e.Outcome() != props.Refuted || c == nil || !c.Refutes {
		return nil
	}
	v, err := language.Reader(c)
	if err != nil {
		return nil
	}
	s := &scene{reader: v, c: *c}
	st, err := language.ParseStatement(v, c.Statement)
	if err != nil {
		return nil
	}
	if s.domain, err = v.Clauses(c.Domain); err != nil {
		return nil
	}
	s.domain, s.conclusion = append(s.domain, st.Premises()...), st.Conclusion()
	if len(s.conclusion.Sides) != 2 {
		return nil
	}
	switch c.Kind {
	case certificate.Point:
		return s.point()
	case certificate.Growth:
		return s.growth()
	}
	return nil
}

// scene is a statement that a certificate refutes.
type scene struct {
	reader     *language.Vocabulary
	c          certificate.Certificate
	domain     []language.Clause
	conclusion language.Clause
}

// simple are the numbers that are tried for a symbol, the simplest first.
var simple = []string{"1", "2", "0", "3", "-1", "4", "1/2", "5", "10", "-2", "1/4", "1/10", "100"}

// simplify replaces values by simpler ones one by one, as long as the statement is refuted.
func (s *scene) simplify(values map[string]string, proof func() any) bool {
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
	for range 2 {
		for _, name := range slices.Sorted(maps.Keys(values)) {
			was := values[name]
			for _, text := range simple {
				if text == was {
					break
				}
				values[name] = text
				if accepted() {
					break
				}
				values[name] = was
			}
		}
	}
	return true
}

func (s *scene) point() *worked {
	var proof certificate.PointProof
	if json.Unmarshal(s.c.Proof, &proof) != nil ||
		!s.simplify(proof.Values, func() any { return proof }) {
		return nil
	}
	values := map[string]*big.Rat{}
	var take []string
	for _, symbol := range s.c.Symbols {
		x, ok := s.value(proof.Values, symbol.Name, 0)
		if !ok {
			return nil
		}
		values[symbol.Name] = x
		said := symbol.Name + " = " + plainNumber(x)
		if symbol.Means != "" {
			said = symbol.Means + " = " + plainNumber(x)
		}
		take = append(take, "$"+said+"$")
	}
	left, right := s.side(s.conclusion.Sides[0], values), s.side(s.conclusion.Sides[1], values)
	if left == "" || right == "" {
		return nil
	}
	return &worked{strings.Join(take, ", "), left, right +
		fmt.Sprintf(", and the first is claimed to be $%s$ the second",
			s.conclusion.Relations[0])}
}

// value is the value of a symbol at a point, which may be a formula of others, if it is a rational
// number.
func (s *scene) value(values map[string]string, name string, depth int) (*big.Rat, bool) {
	if x, ok := new(big.Rat).SetString(values[name]); ok {
		return x, true
	}
	f, err := language.Parse(s.reader, values[name])
	if err != nil || depth > len(values) {
		return nil, false
	}
	names := f.Symbols()
	var at []*big.Rat
	for _, n := range names {
		x, ok := s.value(values, n, depth+1)
		if !ok {
			return nil, false
		}
		at = append(at, x)
	}
	v, err := f.Of(names...).Exact(at...)
	if err != nil {
		return nil, false
	}
	return new(big.Rat).SetString(v.String())
}

// plainNumber writes a rational number as people do.
func plainNumber(x *big.Rat) string {
	if x.IsInt() {
		return strings.Replace(x.Num().String(), "-", "−", 1)
	}
	if f, exact := x.Float64(); exact || x.Denom().BitLen() > 20 {
		return props.Number(f, 6)
	}
	return strings.Replace(x.RatString(), "-", "−", 1)
}

// mostSubstituted is the number of characters of a formula above which it is not written out with
// its numbers.
const mostSubstituted = 160

// side is a side of the statement as it stands, with numbers for its symbols, and what it is.
func (s *scene) side(t *language.Tree, values map[string]*big.Rat) string {
	names := t.Symbols()
	at := make([]float64, len(names))
	for i, n := range names {
		x, ok := values[n]
		if !ok {
			return ""
		}
		at[i], _ = x.Float64()
	}
	result := t.Of(names...).At(at...)
	if math.IsNaN(result) || math.IsInf(result, 0) {
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

// substituted is a formula with numbers in the place of symbols.
func substituted(t *language.Tree, values map[string]*big.Rat) *language.Tree {
	if x := values[t.Name]; t.Op == "symbol" && x != nil {
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
		if t.Op == "sum" && i == len(t.Args)-1 && values[t.Name] != nil {
			// the index hides a symbol
			out.Args = append(out.Args, a)
			continue
		}
		out.Args = append(out.Args, substituted(a, values))
	}
	return out
}

func (s *scene) growth() *worked {
	var proof certificate.GrowthProof
	if json.Unmarshal(s.c.Proof, &proof) != nil ||
		!s.simplify(proof.At, func() any { return proof }) {
		return nil
	}
	var take []string
	for _, symbol := range s.c.Symbols {
		x, ok := new(big.Rat).SetString(proof.At[symbol.Name])
		if !ok {
			continue
		}
		said := plainNumber(x)
		if k := proof.Exponents[symbol.Name]; k != 0 {
			power := fmt.Sprintf("s^{%d}", k)
			if k == 1 {
				power = "s"
			}
			if power = strings.Replace(power, "-", "−", 1); said == "1" {
				said = power
			} else {
				said += "·" + power
			}
		}
		take = append(take, "$"+symbol.Name+" = "+said+"$")
	}
	defined := ""
	for _, clause := range s.domain {
		if len(clause.Sides) == 2 && clause.Relations[0] == "=" && clause.Sides[0].Op == "symbol" {
			defined += ", $" + clause.String() + "$"
		}
	}
	upper, lower := s.conclusion.Sides[0], s.conclusion.Sides[1]
	if lower.Op != "order" || len(lower.Args) != 1 {
		return nil
	}
	lower = lower.Args[0]
	var at, left, right []string
	for _, n := range []float64{1, 10, 100} {
		x, y, ok := s.along(&proof, n, upper, lower)
		if !ok {
			return nil
		}
		at, left, right = append(at, props.Number(n, 3)), append(left, props.Number(x, 4)),
			append(right, props.Number(y, 4))
	}
	word := "larger than any multiple of the second"
	if proof.Inverse {
		word = "smaller than any multiple of the second"
	}
	return &worked{strings.Join(take, ", ") + defined + ", for $s = " +
		strings.Join(at, ", ") + "$",
		"$" + upper.String() + "$ is $" + strings.Join(left, "$, $") + "$",
		"$" + lower.String() + "$ is $" + strings.Join(right, "$, $") +
			"$: the first becomes " + word}
}

// along evaluates both sides on a curve.
func (s *scene) along(proof *certificate.GrowthProof, at float64, upper,
	lower *language.Tree) (x, y float64, ok bool) {
	values := map[string]float64{}
	for name, text := range proof.At {
		r, fine := new(big.Rat).SetString(text)
		if !fine {
			return 0, 0, false
		}
		f, _ := r.Float64()
		values[name] = f * math.Pow(at, float64(proof.Exponents[name]))
	}
	evaluate := func(t *language.Tree) (float64, bool) {
		names := t.Symbols()
		args := make([]float64, len(names))
		for i, n := range names {
			v, known := values[n]
			if !known {
				return 0, false
			}
			args[i] = v
		}
		f := t.Of(names...).At(args...)
		return f, !math.IsNaN(f) && !math.IsInf(f, 0)
	}
	for _, symbol := range s.c.Symbols { // what is not given is defined, or may be 1
		if _, given := proof.At[symbol.Name]; !given && symbol.Kind == certificate.Logarithmic {
			values[symbol.Name] = 1
		}
	}
	for _, clause := range s.domain {
		if len(clause.Sides) == 2 && clause.Relations[0] == "=" && clause.Sides[0].Op == "symbol" {
			v, fine := evaluate(clause.Sides[1])
			if !fine {
				return 0, 0, false
			}
			values[clause.Sides[0].Name] = v
		}
	}
	x, ok = evaluate(upper)
	if ok {
		y, ok = evaluate(lower)
	}
	return x, y, ok
}

// Worked is a counterexample to the claim of hand size; nil if no certificate has one. Points come
// before curves, and short ones before long ones.
func (c *Claim) Worked() *worked {
	if c.Verdict != props.Refuted {
		return nil
	}
	var best *worked
	point := false
	for i := range c.Evidence {
		e := &c.Evidence[i]
		w := newWorked(e)
		if w == nil {
			continue
		}
		isPoint := e.Certificate.Kind == certificate.Point
		if best == nil || isPoint && !point || isPoint == point && w.length() < best.length() {
			best, point = w, isPoint
		}
	}
	return best
}

func (w *worked) length() int { return len(w.Take) + len(w.Left) + len(w.Right) }

// worked is the counterexample of hand size to the gravest statement of a slip that has one.
func (e *erratum) worked() string {
	for _, c := range append([]*pageClaim{e.Worst}, e.Claims...) {
		if w := c.Worked(); w != nil {
			return latexText("Take "+w.Take+". Then "+w.Left+", but "+w.Right) + "."
		}
	}
	return ""
}
