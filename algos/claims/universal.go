package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/equations"
	"sledge/props"
)

// universal is an objective about which nothing is known: the gradient of every datum at every
// point is an unknown vector of its own, a multiple of a unit vector here. Whatever a method does
// that combines gradients with coefficients that depend on its draws alone, it does with the same coefficients on
// every objective, so that an identity which holds here for all draws holds for all functions.
// Iterates are combinations of the same unknowns, counted from x⁰ = 0.
//
// The coefficients are multiples of 1/lattice. Runs of the package algos compute them in floating
// point, with errors far below that, so that comparing them up to half of it is exact.
type universal struct {
	clients, size int
	mostPoints    int
	mostNoise     int
	// ∇f_ij at point s is h_s + a_ij: components with equal Hessians everywhere
	flat    bool
	points  [][]float64 // met so far, in order
	lattice float64     // 0 where nothing is made of the coefficients
	length  float64     // of an unknown, 0 for 1
}

// Clients, Size and Dim are the sizes; the dimension is the number of unknowns.
func (u *universal) Clients() int { return u.clients }
func (u *universal) Size(int) int { return u.size }
func (u *universal) Dim() int     { return u.unknown(0, u.mostPoints) + u.mostNoise }

// unknown is the number of the gradient of a datum at a point; perturbations come behind them.
func (u *universal) unknown(datum, s int) int { return s*u.clients*u.size + datum }

// Gradient sets dst to the unknown that stands for ∇f_ij(x).
func (u *universal) Gradient(dst, x []float64, i, j int) {
	clear(dst)
	s, datum := u.point(x), i*u.size+j
	if u.flat { // a_ij takes the place of the gradient at x⁰, where h_0 = 0
		dst[u.unknown(datum, 0)] = u.length
		if s > 0 {
			dst[u.unknown(0, s)] = u.length
		}
		return
	}
	dst[u.unknown(datum, s)] = u.length
}

// point returns the number of the point x.
func (u *universal) point(x []float64) int {
	s := slices.IndexFunc(u.points, func(y []float64) bool {
		return slices.Equal(x, y) || u.lattice > 0 && u.apart(x, y) == 0
	})
	if s < 0 {
		if s = len(u.points); s == u.mostPoints {
			panic(fmt.Sprintf("claims: more than %d points in a run over formal gradients", s))
		}
		u.points = append(u.points, slices.Clone(x))
	}
	return s
}

// apart is the largest difference of two coefficients, in units of 1/lattice: a whole number.
func (u *universal) apart(x, y []float64) int64 {
	l := equations.Lattice{Of: u.lattice}
	units := l.Apart(x, y)
	if off := l.Off(); off != "" {
		panic("claims: a difference of two points " + off)
	}
	return int64(units)
}

// outcome is one of all the ways in which the random choices of a run may fall. Runs that share it
// make the same choices of a kind, in order.
type outcome struct {
	*algos.Outcomes
	fell map[kind][]int // so far
	of   *universal     // whose unknowns perturbations are
}

// kind is that of a choice: its purpose, and how many ways there are.
type kind struct {
	purpose algos.Purpose
	ways    int
}

// everyOutcome calls visit with every outcome. The outcome is not to be kept.
func everyOutcome(visit func(o *outcome)) {
	o := &outcome{fell: map[kind][]int{}}
	everyChoice(func(r *algos.Outcomes) {
		o.Outcomes = r
		for k, fell := range o.fell {
			o.fell[k] = fell[:0]
		}
		visit(o)
	})
}

// everyChoice calls visit for all ways in which what it asks for may be chosen.
func everyChoice(visit func(r *algos.Outcomes)) {
	r := &algos.Outcomes{}
	for more := true; more; more = r.Turn() {
		visit(r)
	}
}

// run returns the randomness of a run with this outcome.
func (o *outcome) run() algos.Randomness { return &outcomeRun{o, map[kind]int{}, 0} }

type outcomeRun struct {
	*outcome
	read  map[kind]int // how many choices of each kind
	balls int
}

func (r *outcomeRun) take(ways int, p algos.Purpose) int {
	k := kind{p, ways}
	at := r.read[k]
	if r.read[k]++; at == len(r.fell[k]) {
		r.fell[k] = append(r.fell[k], r.Next(ways))
	}
	return r.fell[k][at]
}

// Subset takes the next subset.
func (r *outcomeRun) Subset(dst []int, n int, p algos.Purpose) {
	combin.IndexToCombination(dst, r.take(combin.Binomial(n, len(dst)), p), n, len(dst))
}

// Indices takes the next index for each place.
func (r *outcomeRun) Indices(dst []int, n int, p algos.Purpose) {
	for k := range dst {
		dst[k] = r.take(n, p)
	}
}

// Ball sets dst to an unknown of its own unless the radius is 0.
func (r *outcomeRun) Ball(dst []float64, radius float64, p algos.Purpose) {
	clear(dst)
	if radius > 0 {
		r.Normal(dst, p)
	}
}

// Normal sets dst to an unknown of its own.
func (r *outcomeRun) Normal(dst []float64, _ algos.Purpose) {
	clear(dst)
	dst[r.of.unknown(0, r.of.mostPoints)+r.balls] = r.of.length
	r.balls++
}

// Uniform takes the next side of a coin: the least or the largest number of [0, 1).
func (r *outcomeRun) Uniform(p algos.Purpose) float64 {
	if r.take(2, p) == 0 {
		return 0
	}
	return 1 - 0x1p-53
}

// recordSame records that two vectors have the same coefficients or, where there is no such
// objective, that they agree. Rounding errors are seen on the given scale then.
func (u *universal) recordSame(rec *props.Recorder, what string, got, want []float64,
	scale float64) {
	if u == nil {
		rec.EqualVectors(what, got, want).Scale(scale)
		return
	}
	rec.Floats(what, float64(u.apart(got, want)), props.EQ, 0)
}

// tinySizes are those of runs over formal gradients by which statements are settled, for all
// functions and random choices.
type tinySizes struct {
	said string
	all  []instance
}

// each has every one of the sizes so many times, with a change.
func (t tinySizes) each(times int, change func(a *instance, k int)) tinySizes {
	out := tinySizes{said: t.said}
	for _, a := range t.all {
		for k := range times {
			b, u := a, *a.formal
			b.formal = &u
			change(&b, k)
			out.all = append(out.all, b)
		}
	}
	return out
}

// bothOptions has every one of the sizes with either option.
func (t tinySizes) bothOptions() tinySizes {
	t.said += ", both options"
	return t.each(2, func(a *instance, k int) {
		a.option = []algos.Option{algos.OptionI, algos.OptionII}[k]
	})
}

// weighted has them with each of some weights and, where that is said, with ζ = 0.
func (t tinySizes) weighted(flat bool, weights []float64) tinySizes {
	return t.each(len(weights), func(a *instance, k int) {
		a.weight, a.formal.flat = weights[k], flat
	})
}

// forCosts has them with periods, for comparisons to which coefficients do not matter. Then points
// that are computed in two ways may be two.
func (t tinySizes) forCosts(periods []int) tinySizes {
	if len(periods) > 1 {
		t.said += fmt.Sprintf(", periods %v", periods)
	}
	return t.each(len(periods), func(a *instance, k int) {
		a.weight, a.period, a.formal.lattice = 0.5, periods[k], 0
		a.formal.mostPoints *= 2
	})
}

// quarters are weights enough for an identity whose two sides are polynomials of degree T ≤ 3 in a
// weight: it holds for all of them.
var quarters = []float64{0.25, 0.5, 0.75, 1}

// exact makes the comparisons for all runs of these sizes.
func (t tinySizes) exact(try func(a instance, rec *props.Recorder)) *props.Enumerated {
	return props.ExactSizes(t.said, func(rec *props.Recorder) {
		t.visit(func(a instance) { try(a, rec) })
	})
}

// lengths are those of unknowns that runs have in turn: a method that compares a gradient with a
// number, and not only adds gradients up, does not go the same way on all of them.
var lengths = [...]float64{1, 0x1p-40, 0x1p40}

// lengthOf is that of the k-th size. Sizes come in threes with one period after the other: each
// period meets each length.
func lengthOf(k int) float64 { return lengths[(k+k/len(lengths))%len(lengths)] }

// visit goes through all runs of the sizes.
func (t tinySizes) visit(try func(a instance)) {
	for k, size := range t.all {
		u, length := *size.formal, lengthOf(k)
		u.length, u.lattice = length, u.lattice/length
		x0 := make([]float64, u.Dim())
		everyOutcome(func(o *outcome) {
			a := size
			o.of, u.points = &u, u.points[:0]
			clear(x0)
			a.p, a.d, a.x0, a.random, a.formal = &u, len(x0), x0, o.run, &u
			try(a)
		})
	}
}

// latticeOf is a common denominator of all coefficients in T steps: products of n, b ≤ n and the
// denominators 4 of the weights that methods take, once or twice in a step.
func latticeOf(n, T int) float64 {
	multiple := [...]float64{1, 1, 2, 6, 12, 60}[n]
	return multiple * math.Pow(16*multiple*multiple, float64(T))
}

// allRuns is what is said of statements that are settled for all runs of some sizes.
const allRuns = "all functions, points, step sizes, perturbations and random choices with "

// tinyOf are those of numbers P of components or clients, N of data, K, b and T, for any number of
// clients in a round. There is room for all points that methods ask about.
func tinyOf(said string, all ...[5]int) tinySizes {
	t := tinySizes{said: said}
	for _, k := range all {
		a := instance{P: k[0], N: k[1], K: k[2], b: k[3], T: k[4], eta: 1, radius: 1, size: 1}
		a.cap = a.N < a.K*a.b
		points, most := 1+a.T*(a.P*a.K+1), a.P
		if a.K == 0 {
			points, most = 2*(a.T+1), 1
		}
		a.formal = &universal{clients: a.P, size: a.N, mostPoints: points, mostNoise: 2 * (a.T + 1),
			lattice: latticeOf(max(a.P, 4*min(a.K, 1)), a.T)}
		for a.chosen = 1; a.chosen <= most; a.chosen++ {
			t.all = append(t.all, a)
		}
	}
	return t
}

// tinySums are those of runs on finite sums: up to three steps with n ≤ 3, last with n = 4.
func tinySums(last int) tinySizes {
	var all [][5]int
	for n, b := range batchSizes(1, 4) {
		all = append(all, [5]int{n, 1, 0, b, []int{3, 3, 3, last}[n-1]})
	}
	steps := "T ≤ 3"
	if last < 3 {
		steps += fmt.Sprintf(" (n ≤ 3) or T ≤ %d", last)
	}
	return tinyOf(allRuns+"n ≤ 4, 1 ≤ b ≤ n and "+steps, all...)
}

// tinyParts are those whose minibatches are no full gradients.
func tinyParts() tinySizes {
	return tinyOf(allRuns+"n = 3, b = 1, T ≤ 3 or n = 5, b ≤ 2, T = 1", [5]int{3, 1, 0, 1, 1},
		[5]int{3, 1, 0, 1, 2}, [5]int{3, 1, 0, 1, 3}, [5]int{5, 1, 0, 1, 1}, [5]int{5, 1, 0, 2, 1})
}

// tinyFLEDGE are those of runs of FLEDGE.
func tinyFLEDGE() tinySizes {
	return tinyOf(allRuns+"two rounds, P ≤ 2 clients of up to 2 data, K ≤ 2 and Kb ≤ 2, or one "+
		"round of P = 3 clients of two data, 1 ≤ p ≤ P", tinySchedules[:8]...)
}

// tinyRounds are those of runs of federated methods that need Kb data of each client, and
// tinyClients those of any others too.
func tinyRounds() tinySizes {
	return tinyOf(allRuns+"two rounds, P ≤ 2 clients of up to 2 data (3 for P = 1), K ≤ 2 and "+
		"Kb ≤ 2, or P = 3 clients of one datum, or one round of P = 3 clients of two, 1 ≤ p ≤ P",
		tinySchedules...)
}

func tinyClients() tinySizes {
	t := tinyOf("those with K = 2 and one datum of each client", [5]int{1, 1, 2, 1, 2},
		[5]int{2, 1, 2, 1, 2})
	r := tinyRounds()
	return tinySizes{r.said + ", and " + t.said, append(r.all, t.all...)}
}

// tinySchedules are the sizes for FLEDGE, and three more.
var tinySchedules = [][5]int{{1, 1, 1, 1, 2}, {1, 2, 1, 1, 2}, {1, 2, 2, 1, 2}, {2, 1, 1, 1, 2},
	{2, 2, 1, 1, 2}, {2, 2, 2, 1, 2}, {2, 2, 1, 2, 2}, {3, 2, 1, 1, 1}, {1, 3, 2, 1, 2},
	{1, 2, 1, 2, 2}, {3, 1, 1, 1, 2}}
