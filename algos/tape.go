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
	floats []float64    // room for the numbers to come
	ints   []int        // and for the index sets
}

// mostRoom is how many numbers a tape makes room for at a time, unless more are to be kept at once.
const mostRoom = 1 << 12

// keep returns a copy of v, never nil, within room for it and for others to come.
func keep[T any](room *[]T, v []T) []T {
	if len(*room) < len(v) || *room == nil {
		*room = make([]T, max(1, len(v), min(16*len(v), mostRoom)))
	}
	kept := (*room)[:len(v):len(v)]
	*room = (*room)[len(v):]
	copy(kept, v)
	return kept
}

func (t *Tape) keep(v []float64) []float64 { return keep(&t.floats, v) }

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
	t := &Tape{tremor: tremorOf(r)}
	if err := t.record(m, o, x0, &recorder{r, t}, T); err != nil {
		return nil, err
	}
	return t, nil
}

// record runs the method for T steps from x0 and keeps its points and its estimates.
func (t *Tape) record(m Method, o *Oracle, x0 []float64, r Randomness, T int) error {
	if err := m.Start(o, x0, r); err != nil {
		return err
	}
	t.X, t.V = make([][]float64, 0, T+1), make([][]float64, 0, T+1)
	local, _ := m.(LocalStepper)
	each := 3 // vectors of a step: a point, an estimate, a perturbation
	var held [][]float64
	if local != nil {
		points, estimators := len(local.LocalPoints()), len(local.LocalEstimators())
		each = 2 + points + 2*estimators
		held = make([][]float64, 0, T*(points+estimators))
		t.Local, t.LocalV = make([][][]float64, 0, T+1), make([][][]float64, 0, T+1)
	}
	t.floats = make([]float64, min(mostRoom, each*(T+1)*len(m.Point())))
	for step := 0; ; step++ {
		t.X = append(t.X, t.keep(m.Point()))
		t.V = append(t.V, t.keep(m.Estimator()))
		if local != nil {
			var xs, vs [][]float64
			if step > 0 {
				from := len(held)
				for _, x := range local.LocalPoints() {
					held = append(held, t.keep(x))
				}
				between := len(held)
				for _, v := range local.LocalEstimators() {
					held = append(held, t.keep(v))
				}
				xs, vs = held[from:between:between], held[between:len(held):len(held)]
			}
			t.Local, t.LocalV = append(t.Local, xs), append(t.LocalV, vs)
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
			t.ints = make([]int, min(mostRoom, (T-1)*ints))
		}
	}
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
	var out [][]int
	for _, d := range t.during(step) {
		if d.purpose == p && d.ints != nil {
			out = append(out, d.ints)
		}
	}
	return out
}

// Batch returns the minibatch I^t of a finite-sum method, nil if the step drew none.
func (t *Tape) Batch(step int) []int {
	for _, d := range t.during(step) {
		if d.purpose == Batches && d.ints != nil {
			return d.ints
		}
	}
	return nil
}

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
		d.ints = keep(&r.tape.ints, ints)
	}
	if floats != nil {
		d.floats = r.tape.keep(floats)
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
// perturbed noise. A nil function changes nothing.
type Altered struct {
	Randomness
	Ints   func(dst []int, p Purpose)     // called on every index set after it is drawn
	Floats func(dst []float64, p Purpose) // called on every vector after it is drawn
}

func (a *Altered) gradients() keyed.Tremor { return tremorOf(a.Randomness) }

// Subset draws and alters an index set.
func (a *Altered) Subset(dst []int, n int, p Purpose) {
	a.Randomness.Subset(dst, n, p)
	if a.Ints != nil {
		a.Ints(dst, p)
	}
}

// Indices draws and alters indices.
func (a *Altered) Indices(dst []int, n int, p Purpose) {
	a.Randomness.Indices(dst, n, p)
	if a.Ints != nil {
		a.Ints(dst, p)
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
