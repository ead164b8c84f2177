package claims

import (
	"fmt"
	"maps"
	"math"
	"reflect"
	"slices"
	"strings"
	"unicode/utf8"

	"sledge/algos"
	"sledge/algos/conjecture"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// Stated makes the checks of what a ledger says about the runs of the methods of the library and of
// one's own, see [ledger.Ledger.Run]. Besides relations between quantities of runs, which
// [conjecture.Stated] reads, these are
//
//	cost of SAGA: gradients = n + bT; full = 1; memory = (n + 3)d
//	runs of STORM with a = 1: are runs of SGD
//	runs of FedAvg with p = P, b = N: have the points of GD
//	runs of SARAH with m = T + 1: have next errors of mean 1 times the last
//	runs of SAGA: are runs of its naive form
//	runs of SVRG: are shifted with the problem
//	errors of PAGE with p: E‖v−∇f‖² = (1 − p)(last + S variance)
//	messages of FLEDGE: sent = (3p + 2)T if x^{t−1} to i_t, x^t to I^t
//	steps of SLEDGE with r: y_i^t = ∇f_i(x^t) for i ∈ I^t; v^t = (1/n)Σ_i y_i^t
//	constants of logistic: hold along runs of SLEDGE-II and FLEDGE-II
//	runs of Neon2 on wells: curvature ≤ −δ/2
//
// A parameter is a symbol or the name of a field of the method; its value is a formula, none for a
// flag. Formulas know the sizes n, b and d of a finite sum, or P, p, K, b, d and N, the data of a
// client; T, the steps of a run; in costs a period m, or s of federated methods, else the radius r
// of perturbations; and w, a weight in (0, 1]. What is not named has its usual value: minibatches
// of b, p clients, K local steps and no perturbations. SLEDGE and FLEDGE are there as they are
// printed besides: literal SLEDGE-I.
//
// A cost is a list of relations after T steps (rounds): between the gradients and values of single
// data that were asked for, the numbers that a method keeps between steps (memory) and has in
// slices (held), the vectors sent down and up, the rounds, and those with all clients (synced); and
// after every step t between the full gradients and the heads of its coin so far, the clients that
// computed in it, and, at its start, those that started. Of methods whose steps depend on what they
// see it may speak of the steps in which the point has moved, those that were perturbed, those of
// them that have waited for m steps since, the indices that were drawn, and the index sets that
// were whole; and of the gradients of different components or at different points (distinct), and
// the indices that minibatches share with those before them.
//
// Runs are runs of another method if points and estimators agree, for the same random choices; a
// method for finite sums that is compared with a federated one has the clients as components, and
// those of a round as minibatch, and may make every so many steps in a round. Runs change with the
// problem where it is shifted, rotated, scaled with its step size, or its components are
// relabelled, for FLEDGE clients and their data.
//
// Steps are spoken of in the language of [equations]: of points x^t, estimates v^t, perturbations
// ξ^t, those of local steps such as x^{t,k}, and gradients ∇f, ∇f_i and ∇f_ij; of the index sets
// I^t, what none of those of the steps s to t has, Ĩ_s^t, and the last step up to t whose set has
// i, T(t,i); of the data J_i^t of clients and J^{t,k} of the local steps of client i_t. SLEDGE and
// FLEDGE stand for both options there and have the rows y_i^t; SCAFFOLD has its control variates
// c^t and c_i^t.
//
// What the mean squared error of an estimator is, or at most is, after a step of a prescribed path
// may depend on that after the step before (last), the length of the step, that of the one before,
// S, variance, stale and older, which the page explains.
//
// Messages are those of the rounds of FLEDGE besides the mean of the rows to client i_t and the
// answers of I^t; which points are sent stands behind "if", and whether they suffice (lacking = 0),
// how many vectors that makes (sent) and what any protocol needs (least) before it.
//
// Premises stand behind "if": relations between sizes, T = 1, ζ = 0, how many of its coins fall
// heads until the step t, or, of steps, d = 1, where values f_i(x) are vectors like gradients.
// Beside the search, statements are settled for the smallest sizes, for all functions and random
// choices.
func Stated(own ...algos.Entry) func(ledger.Runs) (made props.Check, domain string, err error) {
	known := append(slices.Clone(own), algos.Catalogue()...)
	relation := conjecture.Stated(own...)
	return ledger.Scenes("instances", instances, func(r ledger.Runs) (props.Check, string, error) {
		if strings.HasSuffix(r.Method, "Neon2") {
			return searchOf(r)
		}
		if r.Of == "means" {
			return meansOf(r)
		}
		verb, _, _ := strings.Cut(r.Statement, " ")
		inWords := slices.Contains([]string{"are", "have"}, verb)
		if r.Of == "runs" && !inWords {
			return relation(r)
		}
		if r.Family != "" || r.Rate != 0 {
			return nil, "", fmt.Errorf(
				"what a method costs, and what its runs %s, is said of all problems", verb)
		}
		switch r.Of {
		case "cost":
			return costOf(known, r)
		case "constants":
			return constantsOf(known, r)
		case "runs":
			return sameRuns(known, r)
		case "steps":
			return stepsOf(known, r)
		case "errors":
			return boundOf(known, r)
		case "messages":
			return messagesOf(r)
		}
		return nil, "", fmt.Errorf("of the %s of a method nothing is known here", r.Of)
	})
}

// The symbols of formulas, in the order of their values.
var (
	ofSums   = []string{"n", "b", "d", "T", "w", "r", "m", "t"}
	ofRounds = []string{"P", "p", "K", "b", "N", "d", "T", "w", "r", "s", "t"}
)

// symbolsOf returns the symbols but for those that have no meaning there.
func symbolsOf(federated bool, without ...string) []string {
	all := ofSums
	if federated {
		all = ofRounds
	}
	return slices.DeleteFunc(slices.Clone(all),
		func(name string) bool { return slices.Contains(without, name) })
}

// values are those of symbols.
type values map[string]float64

// term is a formula with the symbols in it.
type term struct {
	*formula.Program
	names []string
}

func termOf(t *formula.Tree) *term { return &term{t.Of(t.Symbols()...), t.Symbols()} }

// of is its value for those of symbols.
func (t *term) of(v values) float64 {
	out := make([]float64, len(t.names))
	for i, name := range t.names {
		out[i] = v[name]
	}
	return t.At(out...)
}

// fieldsOf are the fields that a symbol stands for: the first that a method has.
var fieldsOf = map[string][]string{"η": {"Eta"}, "b": {"Batch"}, "r": {"Radius"}, "m": {"Period"},
	"s": {"Stage"}, "p": {"Probability", "Chosen"}, "K": {"LocalSteps"}, "a": {"A"},
	"λ": {"Lambda"}, "β": {"Beta", "Momentum"}, "ε": {"Eps"}, "σ": {"Sigma"},
	"b₀": {"Restart", "First"}, "p₀": {"First"}}

// configured is a method with parameters that are formulas in the sizes of an instance.
type configured struct {
	algos.Entry
	given   []given
	symbols []string
	literal bool     // as it is printed, in the place of what computes the same for less
	used    []string // symbols
}

// given is a parameter: formulas for its value, none for a flag.
type given struct {
	symbol string
	by     []*term
}

// printed are the methods that are there as they are printed besides, such as literal SLEDGE-I.
var printed = []string{"SLEDGE-I", "SLEDGE-II", "FLEDGE-I", "FLEDGE-II"}

// entryOf finds a method among those known, −1 if it is none of them.
func entryOf(known []algos.Entry, name string) (k int, literal bool) {
	name, literal = strings.CutPrefix(name, "literal ")
	return slices.IndexFunc(known, func(e algos.Entry) bool { return e.Name == name }), literal
}

// federatedMethod reports whether a method is known and communicates.
func federatedMethod(known []algos.Entry, name string) bool {
	k, _ := entryOf(known, name)
	return k >= 0 && known[k].Federated
}

// readMethod reads a method and its parameters.
func readMethod(known []algos.Entry, name, with string, symbols []string) (*configured, error) {
	k, literal := entryOf(known, name)
	if k < 0 || literal && !slices.Contains(printed, known[k].Name) {
		var all []string
		for _, e := range known {
			all = append(all, e.Name)
		}
		return nil, fmt.Errorf("there is no method %q; they are %s", name, strings.Join(all, ", "))
	}
	c := &configured{Entry: known[k], symbols: symbols, literal: literal}
	for _, p := range formula.Items(with) {
		if err := c.take(with, p); err != nil {
			if wrong, ok := err.(*formula.Error); ok {
				wrong.Text = with
			}
			return nil, err
		}
	}
	return c, nil
}

// take reads a parameter, which stands in a text.
func (c *configured) take(whole string, p formula.Item) error {
	fail := func(what string, args ...any) error {
		return &formula.Error{Column: 1 + utf8.RuneCountInString(whole[:p.At]),
			What: fmt.Sprintf(what, args...)}
	}
	symbol, value, valued := strings.Cut(p.Text, "=")
	symbol = strings.TrimSpace(symbol)
	m := c.New(algos.Setting{Tuning: algos.Tuning{Eta: 1}})
	kind := fieldOf(m, symbol).Kind()
	if kind == reflect.Invalid {
		known := slices.DeleteFunc(slices.Sorted(maps.Keys(fieldsOf)),
			func(s string) bool { return !fieldOf(m, s).IsValid() })
		return fail("%s has no parameter %s; it has %s, and fields by their names in Go", c.Name,
			symbol, strings.Join(known, ", "))
	}
	if !valued && slices.Contains(c.symbols, symbol) {
		value, valued = symbol, true
	}
	if valued == (kind == reflect.Bool) {
		return fail("%s is a flag, or has a value: NAME or NAME = FORMULA", symbol)
	}
	g := given{symbol: symbol}
	if valued {
		at := p.At + len(p.Text) - len(strings.TrimLeft(value, " "))
		list := []formula.Item{{Text: strings.TrimSpace(value)}}
		if inner, ok := strings.CutPrefix(list[0].Text, "("); ok && kind == reflect.Slice {
			list = formula.Items(strings.TrimSuffix(inner, ")"))
			at++
		}
		for _, f := range list {
			read, err := formula.Parse(formula.Words(c.symbols...), placed(whole, at+f.At, f.Text))
			if err != nil {
				return err
			}
			c.used = append(c.used, read.Symbols()...)
			g.by = append(g.by, termOf(read.Tree()))
		}
	}
	c.given = append(c.given, g)
	return nil
}

// placed is a part of a text with blanks in place of what stands before it, so that characters keep
// their places.
func placed(whole string, at int, part string) string {
	return strings.Repeat(" ", utf8.RuneCountInString(whole[:at])) + part
}

// fieldOf returns the field of the method that a symbol stands for, or that has the name; the zero
// value if there is none.
func fieldOf(m algos.Method, symbol string) reflect.Value {
	for _, name := range append(slices.Clone(fieldsOf[symbol]), symbol) {
		f := reflect.Indirect(reflect.ValueOf(m))
		for part := range strings.SplitSeq(name, ".") {
			if f.Kind() != reflect.Struct {
				f = reflect.Value{}
				break
			}
			f = f.FieldByName(part)
		}
		if f.CanSet() {
			return f
		}
	}
	return reflect.Value{}
}

// make makes the method: with the usual parameters of an instance, by their symbols, and those that
// were given.
func (c *configured) make(usual, v values) algos.Method {
	m := c.New(algos.Setting{Tuning: algos.Tuning{Eta: usual["η"]}})
	for symbol, value := range usual {
		if f := fieldOf(m, symbol); f.IsValid() {
			assign(f, value)
		}
	}
	if f := fieldOf(m, "Cap"); f.IsValid() {
		f.SetBool(true)
	}
	for _, g := range c.given {
		switch f := fieldOf(m, g.symbol); f.Kind() {
		case reflect.Bool:
			f.SetBool(true)
		case reflect.Slice:
			list := make([]int, len(g.by))
			for i, p := range g.by {
				list[i] = whole(p.of(v))
			}
			f.Set(reflect.ValueOf(list))
		case reflect.Func:
			f.Set(reflect.ValueOf(func(step int) int {
				now := maps.Clone(v)
				now["t"] = float64(step)
				return whole(g.by[0].of(now))
			}))
		default:
			assign(f, g.by[0].of(v))
		}
	}
	if c.literal {
		switch m := m.(type) {
		case *algos.SLEDGE:
			return m.Reference()
		case *algos.FLEDGE:
			return m.Reference()
		}
	}
	return m
}

// assign sets a field that is a number.
func assign(f reflect.Value, value float64) {
	switch {
	case f.CanInt():
		f.SetInt(int64(whole(value)))
	case f.CanUint():
		f.SetUint(uint64(whole(value)))
	default:
		f.SetFloat(value)
	}
}

// whole is a number that has to be a whole one.
func whole(value float64) int {
	if n := math.Round(value); math.Abs(value-n) < 1e-9 {
		return int(n)
	}
	panic(fmt.Sprintf("claims: %v stands where a whole number is wanted", value))
}

// relation is a pair of neighbouring sides of a clause.
type relation struct{ formula.Relation }

var signs = map[string]props.Relation{"≤": props.LE, "≥": props.GE, "=": props.EQ}

// readRelations reads relations between formulas in a part of a text.
func readRelations(whole, part string, words *formula.Vocabulary) (out []relation, err error) {
	all, err := words.Measured(placed(whole, strings.Index(whole, part), part),
		slices.Sorted(maps.Keys(signs)), func(string) string { return "" })
	for _, r := range all {
		out = append(out, relation{r})
	}
	return out, err
}

// of are both sides.
func (r *relation) of(v values) (left, right float64) {
	left, right, _ = r.At(func(symbol string) (float64, float64) { return v[symbol], 0 })
	return left, right
}

// holds reports whether the relation holds.
func (r *relation) holds(v values) bool {
	a, b := r.of(v)
	return a == b || a < b && r.Sign == "≤" || a > b && r.Sign == "≥"
}

// record compares the sides, exactly.
func (r *relation) record(rec *props.Recorder, what string, v values) {
	left, right := r.of(v)
	rec.Floats(r.What+what, left, signs[r.Sign], right)
}

// speaksOf reports whether one of some words stands in it.
func (r *relation) speaksOf(words ...string) bool {
	return slices.ContainsFunc(words, func(w string) bool { return slices.Contains(r.Symbols, w) })
}
