package tables

import (
	"cmp"
	"fmt"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"sledge/bounds"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// growthWords are the quantities of scenes and laws, and the abscissa x.
var growthWords = strings.Fields("n P p K b N ζ ζ' ζ_i σ σ_c ε δ μ Δ gap L C_1 η x")

var growthVocabulary = formula.Words(growthWords...)

// setting is a quantity of a scene as a formula of x and of those before it, or a curve with its
// name.
type setting struct {
	word string
	by   *formula.Formula
}

// settings are those of a scene.
type settings []setting

// say reports whether the scene says what a quantity is.
func (all settings) say(word string) bool {
	return slices.ContainsFunc(all, func(s setting) bool { return s.word == word })
}

// values returns the quantities of the scene at x, of those that are not named the usual ones.
func (all settings) values(x float64) map[string]float64 {
	v := map[string]float64{}
	for _, word := range growthWords {
		v[word] = 0
	}
	v["x"], v["L"] = x, 1
	for _, s := range all {
		v[s.word] = s.by.At(v)
	}
	if d := v["δ"]; d > 0 {
		v["Δ"] = bounds.SaddleGap * d * d * d
	} else if v["Δ"] == 0 {
		v["Δ"] = 1
	}
	return v
}

// scene makes the scene at x.
func (all settings) scene(x float64, federated bool) scene {
	v := all.values(x)
	s := scene{clients: fourfold(max(v["n"], v["P"])), chosen: int(v["p"]), local: int(v["K"]),
		batch: int(v["b"]), data: int(v["N"]), zeta: v["ζ"], within: v["ζ_i"], sigmaC: v["σ_c"],
		sigma: v["σ"], eps: v["ε"], mu: v["μ"], gap: v["gap"], delta: v["δ"], federated: federated}
	if all.say("Δ") {
		s.value = v["Δ"]
	}
	return s
}

// Growth reads sweeps. Those of the same scenes share the step sizes that are found for a method
// there.
type Growth struct{ panels map[string]*panel }

// NewGrowth returns a reader of sweeps.
func NewGrowth() *Growth { return &Growth{map[string]*panel{}} }

// Stated makes the checks of what a ledger says about the growth of costs, and leaves all else to
// another, see [ledger.Ledger.Run]. Such a statement is a sweep:
//
//	growth of SARAH: gradients = Θ(Δ√n/ε²); n = 16, 52, 160, 512; b = 1, ζ = 1, σ_c = 0.1, ε = 0.1;
//	  beside PAGE; larger n = 64, 400, 2500, 16000, 100000; σ_c = 0.01, ε = 0.025
//
// First stands a cost, gradients, rounds or vectors, which grows as the law says, or no faster with
// O in the place of Θ, or the error of the estimator, see [operating.TunedMethod.Error]; then the
// quantity that it grows with, x in formulas, with its points (LO by FACTOR for four of them); then
// the scene, quantity by quantity, in formulas of x and of those before it. What is otherwise than
// usual follows, each behind a semicolon:
//
//   - "beside", and methods whose costs are drawn with it;
//   - "within", and a margin for the exponent; behind "larger", that of larger tiers;
//   - "exact gradients cost b", a step of the control in the place of 2b; "exact gradients once a
//     round", a control without local steps; "exact gradients are not asked", none;
//   - "at the step size of its theory", in the place of the best; a step size η may stand in the
//     scene as well, and then the law is a bound, of which the cost is to stay a share, whatever
//     errors do;
//   - "drawn", a name, a colon and a formula for a curve beside the bound;
//   - "larger" or "larger, no faster", and the points of larger tiers with what is otherwise in
//     their scenes.
func Stated(other func(ledger.Runs) (props.Check, string, error)) func(ledger.Runs) (props.Check,
	string, error) {
	g := NewGrowth()
	return func(r ledger.Runs) (props.Check, string, error) {
		if r.Of != "growth" {
			return other(r)
		}
		s, err := g.Read(r)
		if err != nil {
			return nil, "", err
		}
		return s.check(), fmt.Sprintf("d = %d", dimension), nil
	}
}

func (s *Sweep) fail(at int, what string, args ...any) error {
	column := 1 + utf8.RuneCountInString(s.statement[:at])
	return &formula.Error{Text: s.statement, Column: column, What: fmt.Sprintf(what, args...)}
}

var costOf = regexp.MustCompile(`^(gradients|rounds|vectors|error) = (Θ|O)\((.*)\)$`)

// Read reads a sweep. Errors say at which character it is wrong.
func (g *Growth) Read(r ledger.Runs) (*Sweep, error) {
	if methods[r.Method] == nil {
		return nil, fmt.Errorf("there is no method %q in the tables", r.Method)
	}
	if r.With != "" || r.Family != "" || r.Rate != 0 {
		return nil, fmt.Errorf(
			"the scene stands in the statement: growth of %s: gradients = Θ(…); …", r.Method)
	}
	parts := strings.SplitAfter(r.Statement, ";")
	at := 0
	next := func() (string, int) {
		if len(parts) == 0 {
			return "", at
		}
		part, first := parts[0], at
		parts, at = parts[1:], at+len(parts[0])
		text := strings.TrimLeft(part, " ")
		return strings.TrimRight(strings.TrimSuffix(text, ";"), " "), first + len(part) - len(text)
	}
	s := &Sweep{method: r.Method, statement: r.Statement, charge: 2}
	text, first := next()
	cost := costOf.FindStringSubmatch(text)
	if cost == nil {
		return nil, s.fail(first,
			"a sweep begins with gradients, rounds, vectors or error, and = Θ(…) or = O(…)")
	}
	s.Cost, s.upper, s.Text = cost[1], cost[2] == "O", cost[3]
	var err error
	if s.law, err = s.formula(cost[3], first+strings.Index(text, cost[3])); err != nil {
		return nil, err
	}
	if err := s.points(next()); err != nil {
		return nil, err
	}
	if err := s.settings(next()); err != nil {
		return nil, err
	}
	for len(parts) > 0 {
		text, first := next()
		if err := s.option(text, first, next); err != nil {
			return nil, err
		}
	}
	for one := s; one != nil; one = one.large {
		g.place(one)
	}
	return s, nil
}

func (s *Sweep) formula(text string, at int) (*formula.Formula, error) {
	f, err := formula.Parse(growthVocabulary, text)
	if wrong, ok := err.(*formula.Error); ok {
		return nil, s.fail(at+len(string([]rune(text)[:wrong.Column-1])), "%s", wrong.What)
	}
	return f, err
}

// points reads the abscissa and its points.
func (s *Sweep) points(text string, at int) error {
	k := strings.LastIndex(text, "=")
	if k < 0 {
		return s.fail(at,
			"what the cost grows with is missing: n = 16, 52, 160, 512 or 1/ε² = 16 by 3.1623")
	}
	list := text[k+1:]
	s.Variable = strings.TrimSpace(text[:k])
	number := func(text string) (float64, error) {
		v, err := strconv.ParseFloat(strings.TrimSpace(text), 64)
		if err != nil || !(v > 0) || math.IsInf(v, 0) {
			return 0, s.fail(at, "%q is no number above 0", strings.TrimSpace(text))
		}
		return v, nil
	}
	if lo, by, found := strings.Cut(list, " by "); found {
		first, err := number(lo)
		if err != nil {
			return err
		}
		factor, err := number(by)
		if err != nil {
			return err
		}
		s.X = geometric(first, factor, 4)
	} else {
		for text := range strings.SplitSeq(list, ",") {
			x, err := number(text)
			if err != nil {
				return err
			}
			s.X = append(s.X, x)
		}
	}
	if len(s.X) < 4 || !slices.IsSorted(s.X) || s.X[0] == s.X[len(s.X)-1] {
		return s.fail(at, "a sweep has at least four points, in order")
	}
	if slices.Contains(growthWords, s.Variable) { // a quantity of the scene itself
		s.scene = append(s.scene, setting{s.Variable, formula.Must(growthVocabulary, "x")})
	}
	s.words += s.Variable + fmt.Sprint(s.X) // behind those of the smaller tier, if it has one
	return nil
}

// settings reads quantities of the scene. One that is there already is replaced.
func (s *Sweep) settings(text string, at int) error {
	parts := formula.Items(text)
	if len(parts) == 0 {
		parts = []formula.Item{{}}
	}
	for _, part := range parts {
		name, value, found := strings.Cut(part.Text, "=")
		word := strings.TrimSpace(name)
		if !found || word == "x" || !slices.Contains(growthWords, word) {
			return s.fail(at+part.At, "%q is no quantity of a scene; they are %s", word,
				strings.Join(growthWords[:len(growthWords)-1], " "))
		}
		f, err := s.formula(value, at+part.At+len(name)+1)
		if err != nil {
			return err
		}
		others := slices.DeleteFunc(slices.Clone(s.scene),
			func(other setting) bool { return other.word == word })
		s.scene = append(others, setting{word, f})
	}
	s.words += ";" + strings.Join(strings.Fields(text), " ")
	return nil
}

// option reads what is otherwise than usual.
func (s *Sweep) option(text string, at int, next func() (string, int)) error {
	word, rest, _ := strings.Cut(text, " ")
	switch {
	case word == "beside":
		for name := range strings.SplitSeq(rest, ",") {
			if name = strings.TrimSpace(name); methods[name] == nil {
				return s.fail(at, "there is no method %q in the tables", name)
			}
			s.rivals = append(s.rivals, name)
		}
	case word == "within":
		v, err := strconv.ParseFloat(rest, 64)
		if err != nil || !(v > 0 && v < 1) {
			return s.fail(at, "a margin lies between 0 and 1")
		}
		cmp.Or(s.large, s).margin = v
	case text == "exact gradients cost b":
		s.charge = 1
	case text == "exact gradients once a round":
		s.once = true
	case text == "exact gradients are not asked":
		s.alone = true
	case word == "drawn":
		name, by, found := strings.Cut(rest, ": ")
		if !found {
			return s.fail(at, "what is drawn has a name, a colon and a formula")
		}
		p, err := s.formula(by, at+len(text)-len(by))
		if err != nil {
			return err
		}
		s.drawn = append(s.drawn, setting{name, p})
	case text == "at the step size of its theory":
		s.theory = true
	case word == "larger", strings.HasPrefix(text, "larger, no faster "):
		l := *s
		l.scene, l.X, l.margin = slices.Clone(s.scene), nil, largeMargin
		l.upper = s.upper || word != "larger"
		if err := l.points(strings.TrimPrefix(rest, "no faster "), at); err != nil {
			return err
		}
		if err := l.settings(next()); err != nil {
			return err
		}
		s.large = &l
	default:
		return s.fail(at, "%q is nothing that is said of a sweep", text)
	}
	return nil
}

// place finds the panel of a sweep, the same for all in the same scenes, and its methods there.
func (g *Growth) place(s *Sweep) {
	federated := s.Cost == "rounds" || s.Cost == "vectors"
	key, all := fmt.Sprint(s.words, federated), s.scene
	if g.panels[key] == nil {
		g.panels[key] = newPanel(func(x float64) scene { return all.scene(x, federated) })
	}
	p, law := g.panels[key], s.law
	p.measured[s.method], s.panel = true, p
	s.Law = func(x float64) float64 { return law.At(all.values(x)) }
	charge := s.charge
	switch {
	case s.alone:
	case federated:
		s.control = p.exact(1, s.once)
	default:
		s.control = p.exact(charge, false)
		s.inFull = func(x float64) float64 {
			at := p.at(x)
			return float64(at.clients) / (charge * float64(at.batch))
		}
	}
	if s.Cost == "vectors" {
		s.count = operating.Vectors
	}
	if s.given = all.say("η"); s.theory || s.given { // step sizes that are those of this sweep alone
		s.tuned = &operating.TunedMethod{Name: s.method, Course: s.on(s.method).Course,
			Eta: func(x float64) float64 {
				if at := p.at(x); s.theory {
					return bounds.SpiderPlus(at.clients, at.eps, at.delta).Eta
				}
				return all.values(x)["η"]
			}}
	}
}

// entryOf finds the entry of a table in the words of a claim.
var entryOf = regexp.MustCompile(
	`entry of table ([12]) for (.+?), (nonconvex|SOSP|PL condition|vectors sent[^:]*): `)

// Measured returns the entries of the tables that a ledger measures, in its order.
func Measured(l *ledger.Ledger) ([]Entry, error) {
	g, at := NewGrowth(), map[string]int{}
	var out []Entry
	for _, r := range l.Statements() {
		if r.Of != "growth" {
			continue
		}
		s, err := g.Read(r)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", r.ID, err)
		}
		k, known := at[r.ID]
		if !known {
			k = len(out)
			at[r.ID] = k
			out = append(out, Entry{ID: r.ID})
		}
		out[k].Sweeps = append(out[k].Sweeps, *s)
	}
	for i := range l.Claims {
		c := &l.Claims[i]
		said := entryOf.FindStringSubmatch(
			strings.ReplaceAll(strings.Join(strings.Fields(c.Statement), " "), "$", ""))
		if k, measured := at[c.ID]; measured && said != nil {
			out[k].Table, out[k].Row, out[k].Column = int(said[1][0]-'0'), said[2], said[3]
		}
	}
	return slices.DeleteFunc(out, func(e Entry) bool { return e.Table == 0 }), nil
}
