package algotest

import (
	"errors"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props/keyed"
)

// Law is what a method declares about the mean of its estimator given the past. With e^t = v^t −
// ∇f(x^t), the mean is over all draws of step t that come after x^t is known; the suite takes it
// exactly, over all of them. The zero value declares nothing: the suite then looks for a law by
// itself.
type Law struct {
	kind  lawKind
	share func(n, t int) float64
	lags  bool
	why   string
}

type lawKind uint8

const (
	undeclared lawKind = iota
	contracting
	averaging
	lawless
)

// Unbiased declares E[e^t | past] = 0, as of SGD, SVRG and SAGA.
func Unbiased() Law { return Contracting(func(int, int) float64 { return 1 }) }

// Contracting declares E[e^t | past] = (1 − c) e^{t−1} for c = share(n, t) in [0, 1], n the number
// of components (clients) and t ≥ 1 the step: b/n for SLEDGE, 0 between the full gradients of SARAH
// and 1 at them, the probability of the coin for PAGE.
func Contracting(share func(n, t int) float64) Law { return Law{kind: contracting, share: share} }

// Constant is [Contracting] with the same share at every step, as of recursive momentum.
func Constant(c float64) Law { return Contracting(func(int, int) float64 { return c }) }

// Renewed declares a recursion without bias that is renewed at every m-th step: the error has the
// mean e^{t−1}, and 0 at the steps that m divides.
func Renewed(m int) Law {
	return Contracting(func(_, t int) float64 {
		if t%m == 0 {
			return 1
		}
		return 0
	})
}

// Averaging declares E[v^t | past] = β v^{t−1} + (1 − β) ∇f(x^t) for β = weight(n, t) in [0, 1]:
// momentum over fresh gradients.
func Averaging(weight func(n, t int) float64) Law { return Law{kind: averaging, share: weight} }

// Lagging returns the same law for an estimator that says what the last step moved along instead of
// what the next one will: with ∇f(x^{t−1}) for ∇f(x^t) and e^t = v^t − ∇f(x^{t−1}). The mean is
// then over all draws of step t. Of the first step only a vanishing mean error, or for averages the
// same law with the estimator after Start, is asked.
func (l Law) Lagging() Law {
	l.lags = true
	return l
}

// NoLaw declares that the mean of the estimator obeys none of the laws, and why. It is reported as
// not checked.
func NoLaw(why string) Law { return Law{kind: lawless, why: why} }

func (l Law) String() string {
	now, before := "x^t", "x^{t−1}"
	if l.lags {
		now, before = "x^{t−1}", "x^{t−2}"
	}
	if l.kind == averaging {
		return fmt.Sprintf("E[v^t | past] = β v^{t−1} + (1−β) ∇f(%s)", now)
	}
	return fmt.Sprintf("E[v^t | past] − ∇f(%s) = (1−c) (v^{t−1} − ∇f(%s))", now, before)
}

// mostLeaves bounds the outcomes of a step that are enumerated.
const mostLeaves = 6000

// mostGradients bounds the cost of one outcome.
const mostGradients = 5000

// choice is the outcome of one draw: the number of an index set, or where a coin falls.
type choice struct {
	index int
	coin  float64
}

type drawKind uint8

const (
	noiseDraw drawKind = iota
	subsetDraw
	indicesDraw
	coinDraw
)

// drawn is one request of a method for randomness.
type drawn struct {
	kind    drawKind
	n, b    int
	purpose algos.Purpose
}

// outcomes is how many outcomes a draw has; coins count as two, noise is never enumerated.
func (d drawn) outcomes() float64 {
	switch d.kind {
	case subsetDraw:
		return math.Round(combin.GeneralizedBinomial(float64(d.n), float64(d.b)))
	case indicesDraw:
		return math.Pow(float64(d.n), float64(d.b))
	case coinDraw:
		return 2
	}
	return 1
}

// prescribedRandomness is the randomness of a seeded run that, in one step of it, takes prescribed
// outcomes. What is not prescribed comes from the seed.
type prescribedRandomness struct {
	algos.Randomness
	live   bool
	forced map[int]choice // by position among the draws of the step
	log    []drawn
}

func (r *prescribedRandomness) note(d drawn) (choice, bool) {
	if !r.live {
		return choice{}, false
	}
	c, ok := r.forced[len(r.log)]
	r.log = append(r.log, d)
	return c, ok
}

func (r *prescribedRandomness) Subset(dst []int, n int, p algos.Purpose) {
	r.Randomness.Subset(dst, n, p)
	if c, ok := r.note(drawn{subsetDraw, n, len(dst), p}); ok {
		unrank(dst, n, c.index)
	}
}

// unrank sets dst to the subset of [0, n) with the given number in lexicographic order.
func unrank(dst []int, n, index int) {
	next := 0
	for k := range dst {
		for {
			with := int(drawn{kind: subsetDraw, n: n - next - 1, b: len(dst) - k - 1}.outcomes())
			if index < with {
				break
			}
			index -= with
			next++
		}
		dst[k] = next
		next++
	}
}

func (r *prescribedRandomness) Indices(dst []int, n int, p algos.Purpose) {
	r.Randomness.Indices(dst, n, p)
	if c, ok := r.note(drawn{indicesDraw, n, len(dst), p}); ok {
		for k := range dst {
			dst[k] = c.index % n
			c.index /= n
		}
	}
}

func (r *prescribedRandomness) Ball(dst []float64, radius float64, p algos.Purpose) {
	r.Randomness.Ball(dst, radius, p)
	r.note(drawn{kind: noiseDraw, purpose: p})
}

func (r *prescribedRandomness) Normal(dst []float64, p algos.Purpose) {
	r.Randomness.Normal(dst, p)
	r.note(drawn{kind: noiseDraw, purpose: p})
}

func (r *prescribedRandomness) Uniform(p algos.Purpose) float64 {
	u := r.Randomness.Uniform(p)
	if c, ok := r.note(drawn{kind: coinDraw, purpose: p}); ok {
		return c.coin
	}
	return u
}

// enumeratedStep is a step t of a run whose outcomes are enumerated.
type enumeratedStep struct {
	s    subject
	p    *testproblem.Problem
	o    Options
	seed uint64
	t    int

	most   float64 // outcomes that are not too many
	from   int     // draws before this position are part of the past
	base   []drawn // the draws of the seeded run
	idle   []bool  // draws that change nothing that matters
	leaves int
	err    error
}

// result is what a step led to.
type result struct {
	x, v  []float64
	log   []drawn
	asked int64
}

// play runs the method up to the end of step t with the prescribed outcomes there.
func (m *enumeratedStep) play(forced map[int]choice) result {
	r := &prescribedRandomness{Randomness: algos.Seeded(m.seed), forced: forced}
	asked := m.p.Asked
	w, _, err := m.s.start(m.p, m.o.Eta, origin(m.p.D), r)
	if err != nil {
		m.err = err
		return result{}
	}
	for range m.t - 1 {
		w.Step()
	}
	r.live = true
	w.Step()
	return result{slices.Clone(w.Point()), slices.Clone(w.Estimator()), r.log, m.p.Asked - asked}
}

// alternatives are outcomes of a draw that are tried to see what it changes.
func (d drawn) alternatives() []choice {
	if d.kind == noiseDraw {
		return nil
	}
	var out []choice
	if d.kind == coinDraw {
		for k := range 8 {
			out = append(out, choice{coin: (float64(k) + 0.125) / 8})
		}
		return out
	}
	most := d.outcomes()
	if most > 1e9 {
		most = 1e9
	}
	for k := range int(min(most, 12)) {
		out = append(out, choice{index: int(float64(k) * most / min(most, 12))})
	}
	return out
}

// prepare finds out which draws of the step matter. It reports whether their outcomes are few
// enough to be enumerated.
func (m *enumeratedStep) prepare(lags bool) bool {
	base := m.play(nil)
	if m.err != nil || len(base.log) > 64 || base.asked > mostGradients {
		return false
	}
	m.base, m.idle, m.from = base.log, make([]bool, len(base.log)), 0
	// A draw may matter for some outcomes of the others only: each is changed amid several.
	settings := []map[int]choice{{}}
	for j := range 6 {
		r := keyed.New(5).At(j).Rand()
		other := map[int]choice{}
		for k, d := range base.log {
			if a := d.alternatives(); len(a) > 0 {
				other[k] = a[r.IntN(len(a))]
				if d.kind == coinDraw && j < 2 {
					other[k] = a[j*(len(a)-1)]
				}
			}
		}
		settings = append(settings, other)
	}
	before := make([]result, len(settings))
	for j, other := range settings {
		before[j] = m.play(other)
	}
scan:
	for k := len(base.log) - 1; k >= 0; k-- {
		moves, matters := false, false
		for j, other := range settings {
			kept, forced := other[k]
			for _, c := range base.log[k].alternatives() {
				other[k] = c
				got, was := m.play(other), before[j]
				moves = moves || !slices.Equal(got.x, was.x)
				matters = matters || !slices.Equal(got.v, was.v) || !slices.Equal(got.log, was.log) ||
					got.asked != was.asked
			}
			if delete(other, k); forced {
				other[k] = kept
			}
			if !lags && moves {
				m.from = k + 1
				break scan
			}
			if matters && lags {
				break
			}
		}
		m.idle[k] = !matters
	}
	// Where there are coins, what a draw changes may depend on them.
	for _, d := range m.base {
		if d.kind == coinDraw {
			clear(m.idle)
		}
	}
	size := 1.0
	for k, d := range m.base {
		if k >= m.from && !m.idle[k] {
			size *= d.outcomes()
		}
	}
	return size <= m.most
}

// expand calls visit with every outcome of the draws that matter, and with its probability.
func (m *enumeratedStep) expand(forced map[int]choice, weight float64,
	visit func(r result, weight float64)) {
	r := m.play(forced)
	if m.err != nil {
		return
	}
	next := -1
	for k := m.from; k < len(r.log); k++ {
		if _, ok := forced[k]; ok || r.log[k].kind == noiseDraw || k < len(m.base) && m.idle[k] &&
			r.log[k] == m.base[k] {
			continue
		}
		next = k
		break
	}
	if next < 0 {
		if m.leaves++; m.leaves > mostLeaves {
			m.err = errors.New("the step has too many outcomes to enumerate")
			return
		}
		visit(r, weight)
		return
	}
	with := func(c choice) map[int]choice {
		out := map[int]choice{next: c}
		for k, c := range forced {
			out[k] = c
		}
		return out
	}
	d := r.log[next]
	if d.kind == coinDraw {
		for _, s := range m.segments(with) {
			m.expand(with(choice{coin: s.at}), weight*s.length, visit)
		}
		return
	}
	count := d.outcomes()
	if count > mostLeaves {
		m.err = errors.New("the step has too many outcomes to enumerate")
		return
	}
	for k := range int(count) {
		m.expand(with(choice{index: k}), weight/count, visit)
		if m.err != nil {
			return
		}
	}
}

// segment is a stretch of coins that lead to the same outcome.
type segment struct{ at, length float64 }

// segments finds where the outcome of a step changes with a coin.
func (m *enumeratedStep) segments(with func(choice) map[int]choice) []segment {
	const cells = 32
	at := func(u float64) result { return m.play(with(choice{coin: u})) }
	same := func(a, b result) bool {
		return slices.Equal(a.x, b.x) && slices.Equal(a.v, b.v) && slices.Equal(a.log, b.log) && a.asked == b.asked
	}
	out, begin := []segment(nil), 0.0
	u, r := 0.5/cells, at(0.5/cells)
	for k := 1; k < cells && m.err == nil; k++ {
		v := (float64(k) + 0.5) / cells
		next := at(v)
		if !same(r, next) {
			lo, hi := u, v
			for hi-lo > 1e-13 {
				if mid := (lo + hi) / 2; same(at(mid), r) {
					lo = mid
				} else {
					hi = mid
				}
			}
			out = append(out, segment{u, hi - begin})
			begin = hi
		}
		u, r = v, next
	}
	return append(out, segment{u, 1 - begin})
}

// conditionalMean is the exact conditional mean of the estimator at one moment, beside what laws
// speak of.
type conditionalMean struct {
	n, t int
	mean []float64 // of v^t
	// ∇f at the point that v^t estimates, and at that of v^{t−1}; prev is nil where there is none
	target, prev []float64
	old          []float64 // v^{t−1}
	size         float64   // of the vectors involved
	coins        bool      // the step flips coins
	where        string
}

func minus(x, y []float64) []float64 {
	out := slices.Clone(x)
	floats.Sub(out, y)
	return out
}

// project returns the factor s for which ‖y − s·x‖ is least, and that distance. For x = 0 the
// factor is NaN.
func project(y, x []float64, zero float64) (s, rest float64) {
	if floats.Norm(x, 2) <= zero {
		return math.NaN(), floats.Norm(y, 2)
	}
	s = floats.Dot(y, x) / floats.Dot(x, x)
	out := slices.Clone(y)
	floats.AddScaled(out, -s, x)
	return s, floats.Norm(out, 2)
}

// enumerated takes the exact means over the moments of short runs from several seeds. It returns
// nothing if the steps have too many outcomes.
func (s subject) enumerated(o Options, lags bool) ([]conditionalMean, error) {
	var out []conditionalMean
	sizes, steps, seeds := []int{4, 5}, 6, 2
	if s.federated {
		sizes, steps, seeds = []int{3, 4, 2}, 3, 1
	}
	for _, n := range sizes {
		if n == 2 && len(out) > 0 {
			break
		}
		p, most := testproblem.Wells(n, 1, 3), float64(mostLeaves)
		if s.federated {
			p = testproblem.Wells(n, 8, 3)
			if len(out) > 0 {
				most = 500 // a second size is for estimators that obey a law by chance at one
			}
		}
		for seed := range seeds {
			path := [][]float64{}
			vs := [][]float64{}
			w, _, err := s.start(p, o.Eta, origin(3), algos.Seeded(uint64(seed)))
			if err != nil {
				return nil, err
			}
			path, vs = append(path, slices.Clone(w.Point())),
				append(vs, slices.Clone(w.Estimator()))
			for t := 1; t <= steps; t++ {
				w.Step()
				path, vs = append(path, slices.Clone(w.Point())),
					append(vs, slices.Clone(w.Estimator()))
				m := &enumeratedStep{s: s, p: p, o: o, seed: uint64(seed), t: t, most: most}
				if !m.prepare(lags) {
					if m.err != nil {
						return nil, m.err
					}
					continue
				}
				e := conditionalMean{n: n, t: t, mean: make([]float64, 3), old: vs[t-1],
					where: fmt.Sprintf("n = %d, seed %d, step %d", n, seed, t)}
				if lags {
					e.target = p.FullGradient(path[t-1])
					if t > 1 {
						e.prev = p.FullGradient(path[t-2])
					}
				} else {
					e.target, e.prev = p.FullGradient(path[t]), p.FullGradient(path[t-1])
				}
				total, split := 0.0, false
				e.size = 1 + floats.Norm(e.target, 2) + floats.Norm(e.old, 2)
				for _, d := range m.base {
					e.coins = e.coins || d.kind == coinDraw || d.purpose == algos.Coins
				}
				m.expand(nil, 1, func(r result, weight float64) {
					floats.AddScaled(e.mean, weight, r.v)
					e.size = max(e.size, floats.Norm(r.v, 2))
					total += weight
					split = split || !lags && !slices.Equal(r.x, path[t])
				})
				if m.err != nil || split {
					continue
				}
				if !(math.Abs(total-1) < 1e-9) {
					return nil, fmt.Errorf("%s: the outcomes have probability %v together",
						e.where, total)
				}
				out = append(out, e)
			}
		}
	}
	return out, nil
}

// obeys compares the means with the law.
func (l Law) obeys(es []conditionalMean, tol float64) error {
	for _, e := range es {
		c := l.share(e.n, e.t)
		want := slices.Clone(e.target)
		switch {
		case l.kind == averaging:
			floats.Scale(1-c, want)
			floats.AddScaled(want, c, e.old)
		case e.prev != nil:
			floats.AddScaled(want, 1-c, minus(e.old, e.prev))
		}
		if d := floats.Distance(e.mean, want, 2); !(d <= tol*e.size) {
			return fmt.Errorf(
				"%s: over all draws of the step the mean of the estimator is %.6g, and %.6g by the "+
					"declared law %v with the factor %.4g (∇f is %.6g)",
				e.where, e.mean, want, l, c, e.target)
		}
	}
	return nil
}

// fits looks for factors with which the means obey the kind of law, and describes them.
func (l Law) fits(es []conditionalMean, tol float64) (string, error) {
	lo, hi := math.Inf(1), math.Inf(-1)
	weights := map[int]float64{} // by n
	for _, e := range es {
		if l.kind == averaging && e.coins {
			// A full gradient at random steps and nothing in between is an average too, over the
			// coins; nobody means it.
			return "", errors.New("averages are looked for in steps without coins only")
		}
		y, x := minus(e.mean, e.target), make([]float64, len(e.mean))
		switch {
		case l.kind == averaging:
			x = minus(e.old, e.target)
		case e.prev != nil:
			x = minus(e.old, e.prev)
		}
		s, rest := project(y, x, tol*e.size)
		if !(rest <= tol*e.size) {
			return "", fmt.Errorf(
				"%s: over all draws of the step the mean of the estimator is %.6g where ∇f is "+
					"%.6g, an error of %.6g that is no multiple of %.6g",
				e.where, e.mean, e.target, y, x)
		}
		if math.IsNaN(s) {
			continue
		}
		slack := tol * e.size / floats.Norm(x, 2)
		if s < -slack || s > 1+slack {
			return "", fmt.Errorf(
				"%s: over all draws of the step the mean of the estimator is %.6g where ∇f is "+
					"%.6g: its error is %.6g times %.6g, a factor outside [0, 1]",
				e.where, e.mean, e.target, s, x)
		}
		if w, ok := weights[e.n]; l.kind == averaging && ok && math.Abs(w-s) > 1e-6 {
			return "",
				fmt.Errorf("%s: the estimator is no average of gradients: weights %.4g and %.4g",
					e.where, w, s)
		}
		weights[e.n] = s
		lo, hi = min(lo, s), max(hi, s)
	}
	switch {
	case hi < lo || hi < 1e-6: // no error ever, or none that stays
		return "the estimator is unbiased", nil
	case l.kind == averaging && hi > 1-1e-6:
		return "", errors.New("the estimator does not take part of fresh gradients")
	case l.kind == averaging:
		return fmt.Sprintf("%v with β between %.4g and %.4g", l, lo, hi), nil
	}
	return fmt.Sprintf("%v with c between %.4g and %.4g", l, math.Round(1e9*(1-hi))/1e9,
		math.Round(1e9*(1-lo))/1e9), nil
}

// notChecked is a case without a failure in which something could not be checked.
type notChecked struct{ reason string }

func (n *notChecked) Error() string { return "not checked: " + n.reason }

func unchecked(format string, args ...any) error {
	return &notChecked{fmt.Sprintf(format, args...)}
}

func checkBias(s subject, o Options) error {
	switch o.Law.kind {
	case lawless:
		return unchecked("the mean of the estimator: %s", o.Law.why)
	case contracting, averaging:
		es, err := s.enumerated(o, o.Law.lags)
		if err != nil {
			return err
		}
		if len(es) == 0 {
			return unchecked("the declared law %v: the steps have too many outcomes to enumerate",
				o.Law)
		}
		return o.Law.obeys(es, o.Tolerance)
	}
	// Nothing is declared. Each way to read the estimator is tried; a sound one follows some law.
	var first error
	enumerated := false
	for _, lags := range []bool{false, true} {
		es, err := s.enumerated(o, lags)
		if err != nil {
			return err
		}
		if len(es) == 0 {
			continue
		}
		enumerated = true
		for _, kind := range []lawKind{contracting, averaging} {
			found, err := Law{kind: kind, lags: lags}.fits(es, o.Tolerance)
			if err == nil {
				return unchecked(
					"the mean of the estimator against a declared law: no law declared (Options.Law). "+
						"On enumerated instances: %s", found)
			}
			if first == nil {
				first = err
			}
		}
	}
	const advice = "no law is declared (Options.Law), and on enumerated instances the estimator is neither unbiased " +
		"nor does its mean error contract"
	switch {
	case !enumerated:
		return unchecked(
			"the mean of the estimator: no law declared (Options.Law), and the steps have too many " +
				"outcomes to enumerate")
	case s.federated && s.displaces(o):
		return unchecked("the mean of the estimator: %s, as local steps may well have it", advice)
	}
	return fmt.Errorf("%s: %w. A method that means this declares algotest.NoLaw(why)",
		advice, first)
}

// displaces reports whether the estimator is a multiple of the last displacement.
func (s subject) displaces(o Options) bool {
	m, _, err := s.start(s.standard(), o.Eta, origin(4), noiseless(algos.Seeded(1)))
	if err != nil {
		return false
	}
	for range 5 {
		before := slices.Clone(m.Point())
		m.Step()
		moved := minus(m.Point(), before)
		if _, rest := project(moved, m.Estimator(), 0); !(rest <= 1e-9*(1+floats.Norm(before, 2))) {
			return false
		}
	}
	return true
}
