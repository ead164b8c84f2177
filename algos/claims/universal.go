package claims

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
)

// universal is an objective about which nothing is known: the gradient of every datum at every
// point is an unknown vector of its own, a unit vector here. Whatever a method does that combines
// gradients with coefficients that depend on its draws alone, it does with the same coefficients on
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
}

// newUniversal returns the objective for runs with an outcome, which keeps its perturbations behind
// the gradients.
func newUniversal(o *outcome, clients, size, mostPoints, mostNoise int,
	lattice float64) *universal {
	u := &universal{clients: clients, size: size, mostPoints: mostPoints, mostNoise: mostNoise,
		lattice: lattice}
	o.noise = mostPoints * u.data()
	return u
}

// problem views it as a test problem.
func (u *universal) problem() *testproblem.Problem {
	return &testproblem.Problem{P: u.clients, Data: u.size, D: u.Dim(), Grad: u.Gradient}
}

// data is the number of data of all clients.
func (u *universal) data() int { return u.clients * u.size }

// Clients, Size, Components and Dim are the sizes; the dimension is the number of unknowns.
func (u *universal) Clients() int { return u.clients }
func (u *universal) Size(int) int { return u.size }
func (u *universal) Dim() int     { return u.mostPoints*u.data() + u.mostNoise }

// unknown is the number of the gradient of a datum at a point; perturbations come behind them.
func (u *universal) unknown(datum, s int) int { return s*u.data() + datum }

// Gradient sets dst to the unknown that stands for ∇f_ij(x).
func (u *universal) Gradient(dst, x []float64, i, j int) {
	clear(dst)
	s, datum := u.point(x), i*u.size+j
	if u.flat { // a_ij takes the place of the gradient at x⁰, where h_0 = 0
		dst[u.unknown(datum, 0)] = 1
		if s > 0 {
			dst[u.unknown(0, s)] = 1
		}
		return
	}
	dst[u.unknown(datum, s)] = 1
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
	most := 0.0
	for k := range x {
		most = max(most, math.Abs(x[k]-y[k]))
	}
	units := most * u.lattice
	whole := math.Round(units)
	if !(math.Abs(units-whole) < 1e-3) {
		panic(fmt.Sprintf("claims: a coefficient is off the multiples of 1/%v by %v of one",
			u.lattice, units-whole))
	}
	return int64(whole)
}

// single views the objective as a finite sum of its clients.
type single struct{ *universal }

func (s single) Components() int                  { return s.clients }
func (s single) Gradient(dst, x []float64, i int) { s.universal.Gradient(dst, x, i, 0) }

// outcome is one of all the ways in which the random choices of a run may fall. Runs that share it
// make the same choices of a kind, in order.
type outcome struct {
	algos.Outcomes
	made  []choices
	noise int // the place of the first perturbation among the unknowns
}

// choices are those of a kind, which is a purpose and how many ways there are.
type choices struct {
	purpose algos.Purpose
	ways    int
	made    []int
}

// everyOutcome calls visit with every outcome. The outcome is not to be kept.
func everyOutcome(visit func(o *outcome)) {
	o := &outcome{}
	for more := true; more; more = o.Turn() {
		o.made = o.made[:0]
		visit(o)
	}
}

// run returns the randomness of a run with this outcome.
func (o *outcome) run() algos.Randomness {
	return &outcomeRun{outcome: o}
}

type outcomeRun struct {
	*outcome
	read  []int // of each kind
	balls int
}

func (r *outcomeRun) take(ways int, p algos.Purpose) int {
	kind := slices.IndexFunc(r.made, func(c choices) bool { return c.purpose == p && c.ways == ways })
	if kind < 0 {
		kind = len(r.made)
		r.made = append(r.made, choices{purpose: p, ways: ways})
	}
	for kind >= len(r.read) {
		r.read = append(r.read, 0)
	}
	c, k := &r.made[kind], r.read[kind]
	if r.read[kind]++; k == len(c.made) {
		c.made = append(c.made, r.Next(ways))
	}
	return c.made[k]
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
	dst[r.noise+r.balls] = 1
	r.balls++
}

// Uniform takes the next side of a coin: the least or the largest number of [0, 1).
func (r *outcomeRun) Uniform(p algos.Purpose) float64 {
	if r.take(2, p) == 0 {
		return 0
	}
	return 1 - 0x1p-53
}

// recordSame records that two vectors have the same coefficients.
func (u *universal) recordSame(rec *props.Recorder, what string, got, want []float64) {
	rec.Floats(what, float64(u.apart(got, want)), props.EQ, 0)
}
