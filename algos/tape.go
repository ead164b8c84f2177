package algos

import (
	"fmt"
	"slices"
	"sort"

	"sledge/props/keyed"
)

// Tape is the complete record of a run: every random choice and every iterate, so that the steps of
// a proof can be evaluated on it, the run repeated with altered choices, and a number recomputed in
// higher precision.
type Tape struct {
	X [][]float64 // x^0 … x^T
	V [][]float64 // v^0 … v^T, v^t the estimate of ∇f(x^t)
	// For federated methods that show their local steps: Local[t] holds x^{t,0} … x^{t,K},
	// LocalV[t] holds v^{t,0} … v^{t,K-1}; index 0 is empty.
	Local, LocalV [][][]float64

	draws  []draw
	tremor keyed.Tremor // of the gradients of the run
	held   [][]float64  // what Local and LocalV are made of
	floats Room[float64]
	ints   Room[int] // of the index sets
}

// Room is memory for slices that are made one after the other, and may be taken again when all of
// them have become useless. The zero value is ready to use.
type Room[T any] struct {
	all, left []T
	used      int // elements that were taken since the memory was new
}

// mostRoom is how many elements are made room for at a time, unless more are taken at once or were
// before.
const mostRoom = 1 << 12

// Renew makes all slices that were taken useless: what is taken next may overwrite them.
func (r *Room[T]) Renew() {
	if r.used > len(r.all) {
		r.all = make([]T, r.used)
	}
	r.left, r.used = r.all, 0
}

// foresee makes room for n elements in a row, but for mostRoom at most, if there is less.
func (r *Room[T]) foresee(n int) {
	if n = min(mostRoom, n); n <= len(r.left) {
		return
	}
	if r.left = make([]T, n); r.used == 0 {
		r.all = r.left
	}
}

// Take returns a slice of n elements with any values, never nil.
func (r *Room[T]) Take(n int) []T {
	if len(r.left) < n || r.left == nil {
		r.left = make([]T, max(1, n, min(16*n, mostRoom)))
	}
	taken := r.left[:n:n]
	r.left, r.used = r.left[n:], r.used+n
	return taken
}

// keep returns a copy of v, never nil.
func (r *Room[T]) keep(v []T) []T {
	kept := r.Take(len(v))
	copy(kept, v)
	return kept
}

type draw struct {
	step    int
	purpose Purpose
	ints    []int
	floats  []float64
}

// LocalStepper is the optional ability of a federated method to show its local steps.
type LocalStepper interface {
	LocalPoints() [][]float64
	LocalEstimators() [][]float64
}

// RecordRun runs the method for T steps from x0 and keeps everything.
func RecordRun(m Method, o *Oracle, x0 []float64, r Randomness, T int) (*Tape, error) {
	t := new(Tape)
	if err := t.Record(m, o, x0, r, T); err != nil {
		return nil, err
	}
	return t, nil
}

// Record makes t the tape of another run, as [RecordRun] makes a new one. It is written over the
// one before: no slice of that may be used any more.
func (t *Tape) Record(m Method, o *Oracle, x0 []float64, r Randomness, T int) error {
	t.draws, t.tremor = t.draws[:0], tremorOf(r)
	return t.record(m, o, x0, &recorder{r, t}, T)
}

// record runs the method for T steps from x0 and keeps its points and its estimates.
func (t *Tape) record(m Method, o *Oracle, x0 []float64, r Randomness, T int) error {
	t.floats.Renew()
	t.ints.Renew()
	t.X, t.V = slices.Grow(t.X[:0], T+1), slices.Grow(t.V[:0], T+1)
	if err := m.Start(o, x0, r); err != nil {
		return err
	}
	local, _ := m.(LocalStepper)
	each := 3 // vectors of a step: a point, an estimate, a perturbation
	if local == nil {
		t.Local, t.LocalV = nil, nil
	} else {
		points, estimators := len(local.LocalPoints()), len(local.LocalEstimators())
		each = 2 + points + 2*estimators
		t.held = slices.Grow(t.held[:0], T*(points+estimators))
		t.Local, t.LocalV = slices.Grow(t.Local[:0], T+1), slices.Grow(t.LocalV[:0], T+1)
	}
	t.floats.foresee(each * (T + 1) * len(m.Point()))
	for step := 0; ; step++ {
		t.X = append(t.X, t.floats.keep(m.Point()))
		t.V = append(t.V, t.floats.keep(m.Estimator()))
		if local != nil {
			t.keepLocal(local, step)
		}
		if step == T {
			return nil
		}
		before := len(t.draws)
		if m.Step(); step == 0 { // the other steps draw as often
			drawn, ints := t.draws[before:], 0
			for i := range drawn {
				ints += len(drawn[i].ints)
			}
			t.draws = slices.Grow(t.draws, (T-1)*len(drawn))
			t.ints.foresee((T - 1) * ints)
		}
	}
}

// keepLocal keeps the local steps of a round; before the first one there are none.
func (t *Tape) keepLocal(local LocalStepper, step int) {
	var xs, vs [][]float64
	if step > 0 {
		from := len(t.held)
		for _, x := range local.LocalPoints() {
			t.held = append(t.held, t.floats.keep(x))
		}
		between := len(t.held)
		for _, v := range local.LocalEstimators() {
			t.held = append(t.held, t.floats.keep(v))
		}
		xs, vs = t.held[from:between:between], t.held[between:len(t.held):len(t.held)]
	}
	t.Local, t.LocalV = append(t.Local, xs), append(t.LocalV, vs)
}

// Steps returns T.
func (t *Tape) Steps() int { return len(t.X) - 1 }

// before returns the draws of the steps before one. Draws are kept in the order of steps.
func (t *Tape) before(step int) []draw {
	return t.draws[:sort.Search(len(t.draws), func(k int) bool { return t.draws[k].step >= step })]
}

// during returns the draws of a step.
func (t *Tape) during(step int) []draw {
	from := len(t.before(step))
	to := from
	for to < len(t.draws) && t.draws[to].step == step {
		to++
	}
	return t.draws[from:to]
}

// Sets returns the index sets drawn for the purpose in step t (step 0 is the initialisation), in
// order.
func (t *Tape) Sets(step int, p Purpose) [][]int {
	count, drawn := 0, t.during(step)
	for i := range drawn {
		if drawn[i].purpose == p && drawn[i].ints != nil {
			count++
		}
	}
	if count == 0 {
		return nil
	}
	out := make([][]int, 0, count)
	for i := range drawn {
		if drawn[i].purpose == p && drawn[i].ints != nil {
			out = append(out, drawn[i].ints)
		}
	}
	return out
}

// Set returns the first of them, nil if the step drew none.
func (t *Tape) Set(step int, p Purpose) []int {
	drawn := t.during(step)
	for i := range drawn {
		if drawn[i].purpose == p && drawn[i].ints != nil {
			return drawn[i].ints
		}
	}
	return nil
}

// Batch returns the minibatch I^t of a finite-sum method, nil if the step drew none.
func (t *Tape) Batch(step int) []int { return t.Set(step, Batches) }

// Noise returns the perturbations drawn in step t (one for finite-sum methods, K for FLEDGE).
func (t *Tape) Noise(step int) [][]float64 {
	var out [][]float64
	for _, d := range t.during(step) {
		if d.purpose == Noise && d.floats != nil {
			out = append(out, d.floats)
		}
	}
	return out
}

// Unsampled returns, for s = 1 … t+1, the indices of [0, n) that no set of the purpose drawn in
// steps s … t contains: the Ĩ_s^t of the proofs (lines 331, 1163), with Ĩ_{t+1}^t = [n]. Index 0 of
// the result is unused.
func (t *Tape) Unsampled(n, step int, p Purpose) [][]int {
	seen, left := make([]bool, n), n
	out := make([][]int, step+2)
	for s := step + 1; s >= 1; s-- {
		if s <= step {
			for _, d := range t.during(s) {
				if d.purpose != p {
					continue
				}
				for _, i := range d.ints {
					if !seen[i] {
						seen[i] = true
						left--
					}
				}
			}
		}
		out[s] = make([]int, 0, left)
		for i, x := range seen {
			if !x {
				out[s] = append(out[s], i)
			}
		}
	}
	return out
}

// Replay returns a randomness that repeats the tape's choices, purpose by purpose in order. Its run
// is perturbed if the taped one was. It panics when a method asks for more, or for another size,
// than the tape holds.
func (t *Tape) Replay() Randomness { return &replay{draws: t.draws, tremor: t.tremor} }

type recorder struct {
	inner Randomness
	tape  *Tape
}

func (r *recorder) gradients() keyed.Tremor { return tremorOf(r.inner) }

func (r *recorder) keep(p Purpose, ints []int, floats []float64) {
	d := draw{step: len(r.tape.X), purpose: p}
	if ints != nil {
		d.ints = r.tape.ints.keep(ints)
	}
	if floats != nil {
		d.floats = r.tape.floats.keep(floats)
	}
	r.tape.draws = append(r.tape.draws, d)
}

func (r *recorder) Subset(dst []int, n int, p Purpose) {
	r.inner.Subset(dst, n, p)
	r.keep(p, dst, nil)
}

func (r *recorder) Indices(dst []int, n int, p Purpose) {
	r.inner.Indices(dst, n, p)
	r.keep(p, dst, nil)
}

func (r *recorder) Ball(dst []float64, radius float64, p Purpose) {
	r.inner.Ball(dst, radius, p)
	r.keep(p, nil, dst)
}

func (r *recorder) Normal(dst []float64, p Purpose) {
	r.inner.Normal(dst, p)
	r.keep(p, nil, dst)
}

func (r *recorder) Uniform(p Purpose) float64 {
	u := [1]float64{r.inner.Uniform(p)}
	r.keep(p, nil, u[:])
	return u[0]
}

type replay struct {
	draws  []draw
	from   [purposes]int // before it there is no draw of the purpose any more
	tremor keyed.Tremor
}

func (r *replay) gradients() keyed.Tremor { return r.tremor }

// has reports whether there is one more draw of the purpose, which is then at from.
func (r *replay) has(p Purpose) bool {
	i := r.from[p]
	for i < len(r.draws) && r.draws[i].purpose != p {
		i++
	}
	r.from[p] = i
	return i < len(r.draws)
}

func (r *replay) next(p Purpose, ints, floats int) draw {
	if !r.has(p) {
		panic(fmt.Sprintf("algos: the tape has no more %s", p))
	}
	d := r.draws[r.from[p]]
	r.from[p]++
	if len(d.ints) != ints || len(d.floats) != floats {
		panic(fmt.Sprintf("algos: the tape holds %s of size %d where %d are asked for", p,
			len(d.ints)+len(d.floats), ints+floats))
	}
	return d
}

func (r *replay) Subset(dst []int, _ int, p Purpose)       { copy(dst, r.next(p, len(dst), 0).ints) }
func (r *replay) Indices(dst []int, _ int, p Purpose)      { copy(dst, r.next(p, len(dst), 0).ints) }
func (r *replay) Ball(dst []float64, _ float64, p Purpose) { copy(dst, r.next(p, 0, len(dst)).floats) }
func (r *replay) Normal(dst []float64, p Purpose)          { copy(dst, r.next(p, 0, len(dst)).floats) }
func (r *replay) Uniform(p Purpose) float64                { return r.next(p, 0, 1).floats[0] }

// Altered is a randomness that changes what another one draws: relabelled indices, rotated or
// perturbed noise, coins that fall otherwise. A nil function changes nothing.
type Altered struct {
	Randomness
	// called on every index set out of [0, n) after it is drawn
	Ints   func(dst []int, n int, p Purpose)
	Floats func(dst []float64, p Purpose)     // called on every vector after it is drawn
	Coins  func(u float64, p Purpose) float64 // called on every number of [0, 1)
}

func (a *Altered) gradients() keyed.Tremor { return tremorOf(a.Randomness) }

// Subset draws and alters an index set.
func (a *Altered) Subset(dst []int, n int, p Purpose) {
	a.Randomness.Subset(dst, n, p)
	if a.Ints != nil {
		a.Ints(dst, n, p)
	}
}

// Indices draws and alters indices.
func (a *Altered) Indices(dst []int, n int, p Purpose) {
	a.Randomness.Indices(dst, n, p)
	if a.Ints != nil {
		a.Ints(dst, n, p)
	}
}

// Ball draws and alters a perturbation.
func (a *Altered) Ball(dst []float64, r float64, p Purpose) {
	a.Randomness.Ball(dst, r, p)
	if a.Floats != nil {
		a.Floats(dst, p)
	}
}

// Normal draws and alters a normal vector.
func (a *Altered) Normal(dst []float64, p Purpose) {
	a.Randomness.Normal(dst, p)
	if a.Floats != nil {
		a.Floats(dst, p)
	}
}

// Uniform draws and alters a number of [0, 1).
func (a *Altered) Uniform(p Purpose) float64 {
	u := a.Randomness.Uniform(p)
	if a.Coins != nil {
		return a.Coins(u, p)
	}
	return u
}

// Script is a randomness with prescribed index sets, served in order for each purpose, and no noise
// (Ball fills zeros and refuses a positive radius). It serves complete enumerations. It panics when
// a method asks for more than it holds.
type Script map[Purpose][][]int

// Subset serves the next prescribed set.
func (s Script) Subset(dst []int, _ int, p Purpose) { s.serve(dst, p) }

// Indices serves the next prescribed indices.
func (s Script) Indices(dst []int, _ int, p Purpose) { s.serve(dst, p) }

func (s Script) serve(dst []int, p Purpose) {
	if len(s[p]) == 0 || len(s[p][0]) != len(dst) {
		panic(fmt.Sprintf("algos: the script has no %s of size %d here", p, len(dst)))
	}
	copy(dst, s[p][0])
	s[p] = s[p][1:]
}

// Ball fills dst with zeros.
func (s Script) Ball(dst []float64, r float64, _ Purpose) {
	if r != 0 {
		panic("algos: a script has no noise")
	}
	clear(dst)
}

// Normal panics.
func (s Script) Normal([]float64, Purpose) { panic("algos: a script has no noise") }

// Uniform panics.
func (s Script) Uniform(Purpose) float64 { panic("algos: a script has no coins") }
