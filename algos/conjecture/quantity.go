package conjecture

import (
	"fmt"
	"math"
	"regexp"
	"slices"
	"strings"

	"sledge/props"
	"sledge/props/formula"
)

// quantity is something that statements may name.
type quantity struct {
	formula.Symbol
	what string
}

var (
	value     = props.Unit{F: 1}
	length    = props.Unit{X: 1}
	gradient  = props.Unit{F: 1, X: -1}
	curvature = props.Unit{F: 1, X: -2}
)

// sizes are what an instance of a finite sum, or of a federated problem, counts.
var sizes = map[bool][]quantity{
	false: {
		{formula.Symbol{Name: "n", Kind: formula.Count}, "number of components"},
		{formula.Symbol{Name: "b", Kind: formula.Count}, "minibatch size"},
		{formula.Symbol{Name: "m", Kind: formula.Count},
			"steps from one full gradient to the next, of methods with epochs"},
		{formula.Symbol{Name: "p"},
			"probability of a full gradient at a step, of methods that flip a coin for it"},
		{formula.Symbol{Name: "a"}, "weight of the fresh gradient, of methods with momentum"},
	},
	true: {
		{formula.Symbol{Name: "P", Kind: formula.Count}, "number of clients"},
		{formula.Symbol{Name: "p", Kind: formula.Count}, "clients of a round"},
		{formula.Symbol{Name: "K", Kind: formula.Count}, "local steps of a round"},
		{formula.Symbol{Name: "b", Kind: formula.Count}, "local minibatch size"},
		{formula.Symbol{Name: "σ", Unit: gradient},
			"root mean square of ‖∇f_ij(x) − ∇f_i(x)‖ within a client, " +
				"its largest over clients and x"},
		{formula.Symbol{Name: "G", Unit: gradient}, "largest ‖∇f_ij(x) − ∇f_i(x)‖ within a client"},
	},
}

// fixed are the other quantities that are known before a run.
var fixed = []quantity{
	{formula.Symbol{Name: "d", Kind: formula.Count}, "dimension"},
	{formula.Symbol{Name: "t", Kind: formula.Count},
		"number of steps made, of a federated method rounds"},
	{formula.Symbol{Name: horizon, Kind: formula.Count},
		"number of steps of a whole run; what names it is about every t ≤ T"},
	{formula.Symbol{Name: "C_1"}, "what a premise C_1 = … says, else 1"},
	{formula.Symbol{Name: "η", Unit: curvature.Power(-1)}, "step size"},
	{formula.Symbol{Name: "r", Unit: length}, "noise radius; 0 unless the statement names it"},
	{formula.Symbol{Name: "L", Unit: curvature},
		"gradient Lipschitz constant of all components (data)"},
	{formula.Symbol{Name: "L_f", Unit: curvature}, "gradient Lipschitz constant of f, their mean"},
	{formula.Symbol{Name: "ζ", Unit: curvature},
		"largest distance of the Hessians of two components (clients)"},
	{formula.Symbol{Name: "ρ", Unit: curvature.Times(length.Power(-1))},
		"Hessian Lipschitz constant"},
	{formula.Symbol{Name: "μ", Unit: curvature}, "PL constant, 0 where none is known"},
	{formula.Symbol{Name: "Δ", Unit: value}, "f(x⁰) − inf f"},
	{formula.Symbol{Name: "σ_c", Unit: gradient}, "root mean square of ‖∇f_i(x⁰) − ∇f(x⁰)‖"},
	{formula.Symbol{Name: "G_c", Unit: gradient}, "largest ‖∇f_i(x⁰) − ∇f(x⁰)‖"},
	{formula.Symbol{Name: "c"}, "a constant to be found"},
}

// measured are the quantities of a run, in the order of [course.note].
var measured = []quantity{
	{formula.Symbol{Name: "‖v−∇f‖", Unit: gradient}, "error of the estimator"},
	{formula.Symbol{Name: "‖∇f‖", Unit: gradient}, "norm of the gradient"},
	{formula.Symbol{Name: "‖v‖", Unit: gradient}, "norm of the estimator"},
	{formula.Symbol{Name: "gap", Unit: value}, "f(x^t) − inf f, where the infimum is known"},
	{formula.Symbol{Name: "step", Unit: length}, "‖x^t − x^{t−1}‖"},
	{formula.Symbol{Name: "S", Unit: length.Power(2)},
		"sum of the squared steps in the window, the last ⌈n/b⌉ (⌈P/p⌉)"},
	{formula.Symbol{Name: "moved", Unit: length.Power(2)}, "sum of all squared steps"},
	{formula.Symbol{Name: walked, Unit: length.Power(2)},
		"sum of all squared local steps, of a method that shows them"},
	{formula.Symbol{Name: "‖x−x⁰‖", Unit: length}, "distance from the start"},
	{formula.Symbol{Name: "‖x−x*‖", Unit: length},
		"distance from the minimiser next to x⁰, where there is one"},
	{formula.Symbol{Name: "‖∇fᵢ‖", Unit: gradient},
		"root mean square norm of the component (client) gradients"},
	{formula.Symbol{Name: "‖∇fᵢ−∇fᵢ*‖", Unit: gradient},
		"root mean square of ‖∇f_i(x) − ∇f_i(x*)‖ over components (clients)"},
	{formula.Symbol{Name: "gradients"},
		"gradients of single data that were asked for, by the start too"},
	{formula.Symbol{Name: "s", Kind: formula.Count},
		"number of steps before the point, local ones where points are x^{s,k}"},
	{formula.Symbol{Name: stride, Unit: length}, "‖x^{s,k+1} − x^{s,k}‖, at the points x^{s,k}"},
	{formula.Symbol{Name: level, Unit: value}, "f(x^t), whether f is bounded below or not"},
}

// operators are what a statement may make of what a run shows, with the weight of each of the
// points x⁰ … x^t.
var operators = [][2]string{
	{"min_t", "smallest at the points x⁰ … x^{t−1}, as in min_t ‖∇f‖²"},
	{"max_t", "largest at the points x⁰ … x^{t−1}"},
	{"sum_t", "sum over the points x⁰ … x^{t−1}"},
	{"avg_t", "average over the points x⁰ … x^{t−1}"},
	{"sum_k", "sum over the points x^{s,k}, k < K, of all rounds, for ‖v−∇f‖, ‖∇f‖, ‖v‖ and gap"},
	{"avg_k", "average over these points"},
	{"min_k", "smallest at these points"},
	{"prev_t", "at the point x^{t−1}"},
	{"first_t", "at the point x⁰"},
	{"E", "mean over the randomness of the run"},
}

// walked is the quantity that only methods with local steps have, besides those of the operators
// over them, of which alone stride is. What names the horizon is about all of a run.
const (
	walked  = "walked"
	stride  = "stride"
	level   = "f"
	horizon = "T"
)

// overLocal reports whether an operator is over local steps.
func overLocal(operator string) bool { return strings.HasSuffix(operator, "_k") }

// convex is the word for a premise that is no relation.
const convex = "convex"

// quantitiesOf are the quantities of runs of methods for finite sums, and of federated ones: first
// what is known of an instance before a run.
var quantitiesOf = map[bool][]quantity{
	false: slices.Concat(sizes[false], fixed, measured),
	true:  slices.Concat(sizes[true], fixed, measured),
}

// before returns what is known of an instance before a run.
func before(federated bool) []quantity {
	n := len(sizes[federated]) + len(fixed)
	return quantitiesOf[federated][:n:n]
}

func vocabulary(quantities ...quantity) *formula.Vocabulary {
	var symbols []formula.Symbol
	for _, q := range quantities {
		symbols = append(symbols, q.Symbol)
	}
	return formula.NewVocabulary(symbols...)
}

func names(quantities []quantity) []string {
	var out []string
	for _, q := range quantities {
		out = append(out, q.Name)
	}
	return out
}

// ofRun reports whether a formula depends on what a run does.
func ofRun(t *formula.Tree) bool {
	known := names(measured)
	return slices.ContainsFunc(t.Symbols(),
		func(s string) bool { return slices.Contains(known, s) })
}

// Known lists what statements about methods for finite sums, or about federated ones, may name,
// each with what it is: quantities and then operators.
func Known(federated bool) [][2]string {
	var out [][2]string
	for _, q := range quantitiesOf[federated] {
		out = append(out, [2]string{q.Name, q.what})
	}
	return append(out, operators...)
}

var overRun = regexp.MustCompile(`\b(min|max|sum|avg)_\{ ?[a-z] ?< ?t ?\}`)

// normal is a text in the signs that names of quantities are written in.
func normal(text string) string {
	text = strings.NewReplacer("||", "‖", "\\|", "‖", "grad f", "∇f", "Σ_{s<t}", "sum_t", "x^0",
		"x⁰").Replace(text)
	text = overRun.ReplaceAllString(text, "${1}_t")
	pieces := strings.Split(text, "‖")
	for i := 1; i < len(pieces); i += 2 { // what stands between bars
		pieces[i] = strings.NewReplacer(" ", "", "-", "−", "^t", "", "∇f(x)", "∇f", "f_i",
			"fᵢ").Replace(pieces[i])
	}
	return strings.TrimSpace(strings.Join(pieces, "‖"))
}

// alternatives lists what is known in one line.
func alternatives(federated bool) string {
	var out []string
	for _, k := range Known(federated) {
		out = append(out, fmt.Sprintf("%s (%s)", k[0], k[1]))
	}
	return strings.Join(out, ", ")
}

// finite reports whether a number is one.
func finite(x float64) bool { return !math.IsNaN(x) && !math.IsInf(x, 0) }
