package claims

import (
	"math/rand/v2"
	"slices"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// instances are what is said of perturbations and of one efficient update.
var instances = map[string]*formula.Scene{
	"single perturbations": {Words: sceneWords, Draw: noises, Effort: 0.5, Sizes: []string{"r"},
		Said:  "for $d ≤ 1000$, $1e-9 ≤ r ≤ 1e9$",
		Means: map[string]string{"‖ξ‖": "of 20 perturbations, one after the other"}},
	"Hessians": {Words: sceneWords, Draw: formula.Once(hessians),
		Said: "for $n ≤ 6$ symmetric matrices, $d ≤ 4$", Means: map[string]string{
			"ζ": "the largest $‖H_i − H_j‖$", "L": "the largest $‖H_i‖$",
			"top":    "the largest eigenvalue of all $H_i$",
			"bottom": "the smallest eigenvalue of all $H_i$"}},
	"one-dimensional clients": {Words: sceneWords, Exact: oneDimensional, Sizes: []string{"n"}, Effort: 0.5,
		Said: "for $2 ≤ n ≤ 12$ clients of up to 4 data with gradients, or second derivatives, that " +
			"are whole numbers up to 20", Means: ofClients},
	"clients alike": {Words: sceneWords, Exact: alikeClients, Scope: certificate.Instances,
		Said: "2 to 6 clients with curvatures ±h, one datum of the first client moved; h = 2^k, " +
			"k = 0 … 30", Means: ofClients, Sizes: []string{"n"}},
	"certified quadratics": {Words: sceneWords, Draw: formula.Once(certifiedConstants), Effort: 0.5,
		Said: "for quadratics of clients of up to 6 data", Sizes: []string{"n", "ζ", "ζ'"},
		Means: map[string]string{"σ_c": "$σ_c$ of line 891", "G_c": "$G_c$ there"}},
	"all minibatches": {Words: sceneWords, Exact: allMinibatches, Scope: certificate.Sizes,
		Said:  "uniform independent index sets, n ≤ 6, every b and index, t = 3, s ≤ t",
		Sizes: []string{"n", "b"}, Means: map[string]string{
			"idle":    "the share of the choices in which $I^{s+1}, …, I^t$ leave an index out",
			"chosen":  "the share of those in which they do and $I^s$ has it",
			"shared":  "mean of $|I^t ∩ I^{t−1}|$",
			"left":    "$|Ĩ_s^t|$",
			"sampled": "mean of $Σ_{i∈I^s} a_i$, $a$ a unit vector, given $|Ĩ_s^t|$",
			"sum":     "mean of $Σ_{i∈Ĩ_s^t} a_i$, given $|Ĩ_s^t|$"}},
	"tables": {Words: sceneWords, Exact: sameMeans, Scope: certificate.Sizes,
		Said:  "two tables, one of them 0, and messages 0 from all sets of clients, P ≤ 5",
		Sizes: []string{"P", "p"}, Means: map[string]string{
			"before": "the difference of their means before the round",
			"after":  "their difference after it"}},
	"efficient updates": {Words: sceneWords, Exact: efficientUpdates, Effort: 0.3,
		Said: "for $n ≤ 2000$, $b ≤ 200$, $d ≤ 30$", Sized: "n ≤ 6, every b and d ≤ 3",
		Sizes: []string{"n", "b", "d"}, Means: map[string]string{
			"touched": "how many numbers a step reads or writes", "stored": "how many are kept"}},
}

// ofClients is what clients of one dimension are told by.
var ofClients = map[string]string{"ζ": "the largest distance of the means of two clients",
	"ζ'":    "the largest distance of a datum from the mean of all",
	"apart": "the largest distance of two data",
	"far":   "$σ_c²$, the largest squared distance of a client from the mean of all",
	"V":     "the mean squared distance of a client from the mean of all",
	"h":     "the curvature", "by": "how far the datum is moved"}

var sceneWords = formula.Words("n", "b", "d", "touched", "stored", "r", "‖ξ‖", "chosen", "both",
	"idle", "shared", "left", "sampled", "sum", "P", "p", "before", "after", "ζ", "ζ'", "apart", "far", "V",
	"h", "by", "L", "top", "bottom", "σ_c", "G_c")

// efficientUpdate is SLEDGE's efficient implementation (lines 355-363): the common shift v^t, for
// every component the shift v_i^t and the gradient w_i^t of its last refresh, and the mean of the
// y_i^t. It does nothing that the text does not ask for.
type efficientUpdate struct {
	w, v    [][]float64
	common  []float64
	mean    []float64
	touched int // numbers read or written by steps
}

func newEfficientUpdate(y0 [][]float64) *efficientUpdate {
	d := len(y0[0])
	l := &efficientUpdate{common: make([]float64, d), mean: average(y0)}
	for _, y := range y0 {
		l.w, l.v = append(l.w, slices.Clone(y)), append(l.v, make([]float64, d))
	}
	return l
}

// add is the function of that name, counted.
func (l *efficientUpdate) add(dst []float64, c float64, v []float64) []float64 {
	l.touched += 2 * len(v)
	return add(dst, c, v)
}

// step updates the mean with the gradients of the batch at x^t and x^{t−1}.
func (l *efficientUpdate) step(batch []int, now, before func(i int) []float64) {
	n, b := float64(len(l.w)), float64(len(batch))
	for _, i := range batch {
		l.mean = l.add(l.mean, 1/b, now(i))
		l.mean = l.add(l.mean, -(n-b)/(n*b), before(i))
		l.mean = l.add(l.mean, -1/n, l.w[i])
		l.mean = l.add(l.mean, -1/n, l.common)
		l.mean = l.add(l.mean, 1/n, l.v[i])
	}
	for _, i := range batch {
		l.common = l.add(l.common, 1/b, now(i))
		l.common = l.add(l.common, -1/b, before(i))
	}
	for _, i := range batch {
		l.w[i], l.v[i] = l.add(nil, 1, now(i)), l.add(nil, 1, l.common)
	}
}

// efficientUpdates draws sizes, or goes through all small ones.
func efficientUpdates(src *props.Source, try func(formula.Ratios)) {
	if src != nil {
		n, d := src.LogInt("n", 1, 2000), src.LogInt("d", 1, 30)
		try(countUpdate(n, min(n, src.LogInt("b", 1, 200)), d, src.Rand("gradients")))
		return
	}
	for n, b := range batchSizes(1, 6) {
		for d := 1; d <= 3; d++ {
			try(countUpdate(n, b, d, keyed.New(1).Rand()))
		}
	}
}

// countUpdate counts what one step of the efficient implementation, on random gradients, touches and
// stores.
func countUpdate(n, b, d int, r *rand.Rand) formula.Ratios {
	g := normal(d, r)
	l := newEfficientUpdate(slices.Repeat([][]float64{g}, n))
	stored := slices.Concat(append(append(l.w, l.v...), l.common, l.mean)...)
	gradient := func(int) []float64 { return g }
	l.step(upTo(b), gradient, gradient)
	return over(1, map[string]int{"n": n, "b": b, "d": d, "touched": l.touched,
		"stored": len(stored)})
}

// updated is the mean that the efficient update keeps after step t of a run, with the p clients of a
// round for the b components of a minibatch, and how many numbers it touches in the step.
func (r *followed) updated(t int) (mean []float64, touched int) {
	l := newEfficientUpdate(r.kept()[0])
	for step := range t {
		now := r.drew(step + 1)
		answer := func(s int) func(i int) []float64 {
			return func(i int) []float64 { return r.grad.of(i, now.of(i), s*r.K) }
		}
		l.touched = 0
		l.step(now.clients, answer(step+1), answer(step))
	}
	return l.mean, l.touched
}
