package conjecture

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// quantity is something that statements may name.
type quantity struct {
	formula.Symbol
	what   string
	random bool // it depends on what a run does
}

// scale turns the size of gradients on an instance into one of the quantity, by the constants of the instance.
func (q *quantity) scale(constants []float64) float64 {
	eta := constants[4]
	switch q.Unit {
	case gradient:
		return 1
	case length:
		return eta
	}
	return 0 // sums of squares of steps, which are as exact as these
}

var (
	value     = props.Unit{F: 1}
	length    = props.Unit{X: 1}
	gradient  = props.Unit{F: 1, X: -1}
	curvature = props.Unit{F: 1, X: -2}
)

// quantities are what there is to speak of: first those of an instance, in the order of [instance.constants], then
// those of a run, in the order of [state.measure].
var quantities = []quantity{
	{formula.Symbol{Name: "n", Kind: formula.Count}, "number of components", false},
	{formula.Symbol{Name: "b", Kind: formula.Count}, "minibatch size", false},
	{formula.Symbol{Name: "d", Kind: formula.Count}, "dimension", false},
	{formula.Symbol{Name: "t", Kind: formula.Count}, "number of steps made", false},
	{formula.Symbol{Name: "η", Unit: curvature.Power(-1)}, "step size", false},
	{formula.Symbol{Name: "r", Unit: length}, "noise radius", false},
	{formula.Symbol{Name: "L", Unit: curvature}, "gradient Lipschitz constant of all components", false},
	{formula.Symbol{Name: "ζ", Unit: curvature}, "largest distance of the Hessians of two components", false},
	{formula.Symbol{Name: "ρ", Unit: curvature.Times(length.Power(-1))}, "Hessian Lipschitz constant", false},
	{formula.Symbol{Name: "μ", Unit: curvature}, "PL constant", false},
	{formula.Symbol{Name: "Δ", Unit: value}, "f(x⁰) − inf f", false},
	{formula.Symbol{Name: "σ_c", Unit: gradient}, "root mean square of ‖∇f_i(x⁰) − ∇f(x⁰)‖", false},
	{formula.Symbol{Name: "G_c", Unit: gradient}, "largest ‖∇f_i(x⁰) − ∇f(x⁰)‖", false},
	{formula.Symbol{Name: "c"}, "a constant to be found", false},
	{formula.Symbol{Name: "‖v−∇f‖", Unit: gradient}, "error of the estimator", true},
	{formula.Symbol{Name: "‖∇f‖", Unit: gradient}, "norm of the gradient", true},
	{formula.Symbol{Name: "‖v‖", Unit: gradient}, "norm of the estimator", true},
	{formula.Symbol{Name: "gap", Unit: value}, "f(x^t) − inf f, where the infimum is known", true},
	{formula.Symbol{Name: "step", Unit: length}, "‖x^t − x^{t−1}‖", true},
	{formula.Symbol{Name: "S", Unit: length.Power(2)}, "sum of the squared steps in the window, the last ⌈n/b⌉", true},
	{formula.Symbol{Name: "moved", Unit: length.Power(2)}, "sum of all squared steps", true},
}

// perInstance is how many of them are known before a run.
var perInstance = slices.IndexFunc(quantities, func(q quantity) bool { return q.random })

// indexOfC is the place of c.
var indexOfC = slices.IndexFunc(quantities, func(q quantity) bool { return q.Name == "c" })

func vocabulary(random bool) *formula.Vocabulary {
	var symbols []formula.Symbol
	for _, q := range quantities {
		if random || !q.random {
			symbols = append(symbols, q.Symbol)
		}
	}
	return formula.NewVocabulary(symbols...)
}

func names() []string {
	var out []string
	for _, q := range quantities {
		out = append(out, q.Name)
	}
	return out
}

// Known lists the quantities that statements may name, each with what it is.
func Known() [][2]string {
	var out [][2]string
	for _, q := range quantities {
		out = append(out, [2]string{q.Name, q.what})
	}
	return out
}

// instance is a problem with the parameters of a run on it and the number of steps after which a statement is judged.
type instance struct {
	problem algos.Problem
	sum     problems.FiniteSum
	con     problems.Constants
	n, b, t int
	eta, r  float64
	x0      []float64
	least   float64 // inf f, NaN if it is not known
}

// draw draws an instance of a family; small ones have few outcomes.
func draw(src *props.Source, c *Conjecture, small bool) *instance {
	limits := problems.Limits{N: problems.Sizes(1, 16), D: problems.Sizes(1, 5)}
	if small {
		limits = problems.Limits{N: problems.Sizes(1, 5), D: problems.Sizes(1, 3)}
	}
	in := &instance{sum: c.family.Draw(src, limits).ByClient()}
	in.problem, in.n = algos.Sum(in.sum), in.sum.Components()
	in.x0 = problems.DrawPoint(src, "x⁰", in.sum.Dim(), 3)
	in.con = in.sum.Constants(in.x0)
	in.b = src.Int("b", 1, in.n)
	most := 3 * ((in.n + in.b - 1) / in.b)
	if small {
		most = 4
	}
	in.t = src.LogInt("t", 1, max(1, most))
	step := src.LogReal("ηL", 1e-2, 1)
	in.eta = step / max(in.con.L.Value, 1e-300)
	if c.uses("r") {
		in.r = src.Real("r over η ‖∇f(x⁰)‖", 0, 1) * in.eta * algos.NewMonitor(in.problem).GradientNorm(in.x0)
	}
	in.least = math.NaN()
	if v, ok := in.sum.Minimum(); ok {
		in.least = v
	}
	return in
}

func (in *instance) constants(c float64) []float64 {
	k := &in.con
	return []float64{float64(in.n), float64(in.b), float64(in.sum.Dim()), float64(in.t), in.eta, in.r,
		k.L.Value, k.Zeta.Value,
		k.Rho.Value, k.Mu.Value, k.Delta.Value, k.SigmaC.Value, k.GC.Value, c}
}

// measure makes the run of an instance and returns the quantities at its end, and the size of the terms of which small
// ones are differences.
func (in *instance) measure(e algos.Entry, r algos.Randomness, c float64) (q []float64, size float64, err error) {
	m := e.New(algos.Setting{Tuning: algos.Tuning{Eta: in.eta, Batch: in.b, Radius: in.r}})
	if err := m.Start(algos.NewOracle(in.problem), in.x0, r); err != nil {
		return nil, 0, err
	}
	monitor := algos.NewMonitor(in.problem)
	before := slices.Clone(in.x0)
	window := make([]float64, (in.n+in.b-1)/in.b)
	step, moved := 0.0, 0.0
	for t := range in.t {
		m.Step()
		step = floats.Distance(m.Point(), before, 2)
		copy(before, m.Point())
		window[t%len(window)] = step * step
		moved += step * step
	}
	x, v := m.Point(), m.Estimator()
	g := make([]float64, len(x))
	monitor.Gradient(g, x)
	gap := math.NaN()
	if in.least == in.least {
		gap = max(0, in.sum.Value(x)-in.least)
	}
	size = floats.Norm(g, 2) + floats.Norm(v, 2) + in.con.L.Value*floats.Norm(x, 2)
	return append(in.constants(c), floats.Distance(v, g, 2), floats.Norm(g, 2), floats.Norm(v, 2), gap, step,
		floats.Sum(window), moved), size, nil
}

// normal is a text in the signs that names of quantities are written in.
func normal(text string) string {
	text = strings.NewReplacer("||", "‖", "\\|", "‖", "zeta", "ζ", "grad f", "∇f").Replace(text)
	pieces := strings.Split(text, "‖")
	for i := 1; i < len(pieces); i += 2 { // what stands between bars
		pieces[i] = strings.NewReplacer(" ", "", "-", "−", "^t", "", "∇f(x)", "∇f").Replace(pieces[i])
	}
	return strings.Join(pieces, "‖")
}

// alternatives lists what is known in one line.
func alternatives() string {
	var out []string
	for _, k := range Known() {
		out = append(out, fmt.Sprintf("%s (%s)", k[0], k[1]))
	}
	return strings.Join(out, ", ")
}
