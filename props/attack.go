package props

import (
	"errors"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/optimize"
)

// attack spends evaluations on making the worst instance of each name worse. Two searches share
// them: mutations of single choices, which handle integers, corners and seeds, and then the simplex
// method of Nelder and Mead over the positions of the choices in their ranges, which follows narrow
// valleys. Whatever they find is a candidate like any other.
//
// On a set of statements that fail only in a small region (attack_test.go) the two together find
// more than either alone, and more than with a part of the evaluations given to CMA-ES, whose
// populations are too large for budgets of a few hundred.
//
// Where there is nothing to climb on, and once a climb has not come higher for a while, the
// evaluations are better spent on even draws: attack returns how many it leaves for these.
func (d *Deterministic) attack(e *execution, l *ledger, budget int) (left int, err error) {
	names := slices.DeleteFunc(slices.Clone(l.tallies),
		func(t *tally) bool { return len(t.best) == 0 })
	slices.SortStableFunc(names, func(a, b *tally) int {
		switch {
		case (a.relation == EQ) != (b.relation == EQ):
			if b.relation == EQ {
				return -1
			}
			return 1
		case a.best[0].at.over(b.best[0].at):
			return -1
		case b.best[0].at.over(a.best[0].at):
			return 1
		}
		return 0
	})
	names = names[:min(len(names), attackedNames, (budget+leastAttack-1)/leastAttack)]
	for _, t := range names {
		share := budget / len(names)
		if t.flat() {
			left += share
			continue
		}
		a := &attacker{d: d, e: e, l: l, t: t, r: e.stream("attack").With(t.what).Rand(),
			cur: t.best[0]}
		a.b.rec.quota, a.b.rec.later = exactAtOnce, true
		n := share
		if t.relation == EQ {
			n /= 4 // between rounding errors there is little to climb on
			left += share - n
		}
		if t.apart.drawn != nil && !t.best[0].at.apart() { // equality is a poor place to climb from
			unused := a.mutate(n / 4)
			a.cur = t.apart
			n -= n/4 - unused
		}
		if share >= leastGlobal {
			n -= n/4 - a.evolve(n/4)
		}
		n -= n/2 - a.mutate(n/2)
		left += a.mutate(a.minimise(n))
		if a.err != nil {
			return left, a.err
		}
	}
	return left, nil
}

const (
	patience    = 60   // evaluations that have not come higher after which a climb gives up
	leastGlobal = 4000 // evaluations on one name from which on a quarter goes to the global method
)

// attacker is one attack on the comparisons of one name.
type attacker struct {
	d   *Deterministic
	e   *execution
	l   *ledger
	t   *tally
	r   *rand.Rand
	b   bench
	cur candidate // the worst instance of this climb
	err error
}

// over reports whether the attack cannot go on. A violation does not end it: how far a statement
// fails is worth knowing.
func (a *attacker) over() bool {
	if a.err == nil {
		a.err = a.e.ctx.Err()
	}
	return a.err != nil || len(a.cur.drawn) == 0
}

// evaluate tries an instance and reports where its comparison stands, if it made one, and whether
// that is worse than anything in this climb.
func (a *attacker) evaluate(choose Chooser) (at standing, ok, worse bool) {
	if a.err = a.d.evaluate(&a.b, choose); a.err != nil {
		return at, false, false
	}
	a.l.absorb(&a.b.src, &a.b.rec)
	if a.b.rec.skipped != "" {
		return at, false, false
	}
	for _, s := range a.b.rec.live {
		if s.worst.What != a.t.what || s.at.void {
			continue
		}
		worse = s.at.over(a.cur.at) && (s.at.apart() || !a.cur.at.apart())
		if worse {
			a.cur = candidate{values(a.b.src.Drawn), slices.Clone(a.b.src.Drawn), s.worst, s.at}
		}
		return s.at, true, worse
	}
	return at, false, false
}

// mutate changes a few choices of the worst instance at a time and keeps what helps, with a reach
// that adapts to success. It returns how many of its n evaluations it leaves.
func (a *attacker) mutate(n int) int {
	reach, stale := 0.25, 0
	for ; n > 0 && stale < patience && !a.over(); n-- {
		if _, _, worse := a.evaluate(replayed(mutated(a.r, a.cur.drawn, reach),
			uniform(a.r))); worse {
			reach, stale = min(2*reach, 0.5), 0
		} else {
			reach = max(0.93*reach, 1e-7)
			stale++
		}
	}
	return n
}

// mutated changes a few choices: to a neighbour within the reach (relative to the range), to a
// corner or round value, or to anything.
func mutated(r *rand.Rand, drawn []Choice, reach float64) []float64 {
	trial := values(drawn)
	for again := true; again; again = r.Float64() < 0.3 {
		i := r.IntN(len(trial))
		c := &drawn[i]
		switch u := r.Float64(); {
		case c.Seed || u < 0.1:
			trial[i] = c.At(r.Float64())
		case u < 0.25:
			trial[i] = corners(r)(*c)
		case u < 0.3:
			if w := relative(r, trial[r.IntN(len(trial))], c.Int); w >= c.Lo && w <= c.Hi &&
				c.Names == nil {
				trial[i] = w
			}
		case c.Int && u < 0.5:
			trial[i] += float64(2*r.IntN(2) - 1)
		default:
			trial[i] = c.At(c.position(trial[i]) + reach*r.NormFloat64())
		}
	}
	return trial
}

// errEnough ends a minimisation.
var errEnough = errors.New("enough")

// stopper is an optimize.Recorder that ends a minimisation when it returns an error.
type stopper func() error

func (stopper) Init() error { return nil }

func (f stopper) Record(*optimize.Location, optimize.Operation, *optimize.Stats) error {
	return f()
}

// minimise runs the simplex method from the worst instance and returns how many of its n
// evaluations it leaves.
func (a *attacker) minimise(n int) int {
	return a.optimise(n, 4, patience,
		func(int) optimize.Method { return &optimize.NelderMead{SimplexSize: 0.05} })
}

// evolve does so with the adaptation of a covariance matrix over populations that start wide, a
// global method: with thousands of evaluations it finds valleys that neither mutations nor a
// simplex get into.
func (a *attacker) evolve(n int) int {
	return a.optimise(n, 40, n/2, func(dim int) optimize.Method {
		return &optimize.CmaEsChol{InitStepSize: 0.3, Population: 6 + int(4*math.Log(float64(dim))),
			Src: a.r}
	})
}

// optimise runs a method over the positions in [0, 1] of the choices of the worst instance, seeds
// of random streams excepted, if there are more evaluations for each of these than the given least
// number, until it has not come higher for a while. It returns how many of its n evaluations it
// leaves.
func (a *attacker) optimise(n, least, patience int, method func(dim int) optimize.Method) int {
	if a.over() {
		return n
	}
	start := a.cur
	var free []int // choices that have a position
	var x0 []float64
	for i := range start.drawn {
		if c := &start.drawn[i]; !c.Seed && c.Hi > c.Lo {
			free = append(free, i)
			x0 = append(x0, c.position(c.Value))
		}
	}
	if len(free) == 0 || n < least*(len(free)+1) {
		return a.mutate(n)
	}
	place := make([]float64, len(start.drawn)) // NaN: as in start
	stale, most := 0, patience*(1+len(free)/4)
	objective := func(x []float64) (f float64) {
		// gonum evaluates on a goroutine of its own, where nobody would recover a panic
		defer func() {
			if p := recover(); p != nil {
				a.err = wrapPanic(p)
				f = 4
			}
		}()
		if stale >= most || n <= 0 || a.over() {
			return 4
		}
		n--
		for i := range place {
			place[i] = nan
		}
		for k, i := range free {
			if math.IsNaN(x[k]) || math.IsInf(x[k], 0) { // of a covariance that has degenerated
				return 4
			}
			place[i] = folded(x[k])
		}
		i := -1
		at, ok, worse := a.evaluate(func(c Choice) float64 {
			i++
			switch {
			case i >= len(place):
				return c.At(0.5)
			case math.IsNaN(place[i]):
				return start.choices[i]
			}
			return c.At(place[i])
		})
		stale++
		if worse {
			stale = 0
		}
		if h := at.height(); ok && h == h {
			return -h
		}
		return 3
	}
	settings := &optimize.Settings{
		FuncEvaluations: n,
		Converger:       optimize.NeverTerminate{},
		Recorder: stopper(func() error {
			if stale >= most || n <= 0 || a.over() {
				return errEnough
			}
			return nil
		}),
	}
	// The returned error and status only say why the method stopped: what it found is in the
	// ledger.
	_, _ = optimize.Minimize(optimize.Problem{Func: objective}, x0, settings, method(len(free)))
	return n
}

// folded reflects x into [0, 1].
func folded(x float64) float64 {
	x = math.Abs(math.Mod(x, 2))
	if x > 1 {
		x = 2 - x
	}
	return x
}

// height is what an attack climbs on: the logarithm of the tightness where there is one, so that
// very loose bounds have a slope too, and otherwise the relative excess.
func (s standing) height() float64 {
	if s.ratio > 0 && s.excess > -1 && s.ratio < math.Inf(1) {
		return max(math.Log(s.ratio), -700) / 350 // within [-2, 2] like an excess; of the same sign
	}
	return s.excess
}
