package claims

import (
	"math/big"
	"math/rand/v2"
	"slices"

	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// instances are what is said of perturbations and of one efficient update.
var instances = map[string]*formula.Scene{
	"single perturbations": {Words: sceneWords, Draw: noises, Effort: 0.5, Sizes: []string{"r"},
		Said:  "for $d ≤ 1000$, $1e-9 ≤ r ≤ 1e9$",
		Means: map[string]string{"‖ξ‖": "of 20 perturbations, one after the other"}},
	"efficient updates": {Words: sceneWords, Exact: efficientUpdates, Effort: 0.3,
		Said: "for $n ≤ 2000$, $b ≤ 200$, $d ≤ 30$", Sized: "n ≤ 6, every b and d ≤ 3",
		Sizes: []string{"n", "b", "d"}, Means: map[string]string{
			"touched": "how many numbers a step reads or writes", "stored": "how many are kept"}},
}

var sceneWords = formula.NewVocabulary(formula.Symbol{Name: "n", Kind: formula.Count},
	formula.Symbol{Name: "b", Kind: formula.Count}, formula.Symbol{Name: "d", Kind: formula.Count},
	formula.Symbol{Name: "touched"}, formula.Symbol{Name: "stored"}, formula.Symbol{Name: "r"},
	formula.Symbol{Name: "‖ξ‖"}, formula.Symbol{Name: "chosen"}, formula.Symbol{Name: "both"})

func sledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-gradient-count/sharper", props.ExactSizes(
			"mean of |I^t ∩ I^{t−1}| over all pairs of minibatches, n ≤ 6", countShared)),
		props.Bind("efficient-mean-update/corrected", searched(drawRun, 0.3, checkUpdate)),
	}
}

// countShared compares the mean number of indices that two minibatches share with b²/n.
func countShared(rec *props.Recorder) {
	for n, b := range batchSizes(1, 6) {
		shared, pairs := 0, 0
		batchSequences(n, b, 2, func(batches [][]int) {
			shared += overlap(batches[1], batches[2])
			pairs++
		})
		recordCount(rec, "n times the overlap of all pairs", n*shared, props.EQ, b*b*pairs)
	}
}

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
	on := formula.Ratios{}
	for name, count := range map[string]int{"n": n, "b": b, "d": d, "touched": l.touched,
		"stored": len(stored)} {
		on[name] = big.NewRat(int64(count), 1)
	}
	return on
}

// checkUpdate follows a run with the efficient update, with the p clients of a round for the b
// components of a minibatch, and compares what it keeps with the rows of the literal form.
func checkUpdate(a instance, rec *props.Recorder) {
	r := a.followed()
	l := newEfficientUpdate(r.kept()[0])
	for t := 1; t <= a.T; t++ {
		l.touched = 0
		now := r.drew(t)
		answer := func(s int) func(i int) []float64 {
			return func(i int) []float64 { return r.grad.of(i, now.of(i), s*r.K) }
		}
		l.step(now.clients, answer(t), answer(t-1))
		r.same(rec, "mean kept on lines 355-362", l.mean, average(r.kept()[t]))
		recordCount(rec, "numbers read or written by a step, 18bd (18pd)", l.touched, props.EQ,
			18*len(now.clients)*a.d)
	}
}
