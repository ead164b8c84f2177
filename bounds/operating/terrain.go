// Package operating measures operating curves: what a method costs up to a goal, with the step size
// tuned anew at each point of an abscissa on an absolute grid that knows nothing of any theory.
//
// A [Terrain] is where runs are made: a nonconvex objective in oblique coordinates with as many
// distinct components or clients as are asked for, and known constants. A [Course] is a goal there
// for a method, a [TunedMethod] the same along an abscissa. [Exact] is the control: the same
// movement with exact gradients, whose curve tells what in a curve belongs to the errors of a
// method.
package operating

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// Shape is a function of one variable that is 0 at its least, with its derivatives.
type Shape struct {
	Value, Slope, Bend func(u float64) float64
	Low, High          float64 // infimum and supremum of the second derivative
	Third              float64 // a Lipschitz constant of the second derivative
	Mu                 float64 // PL constant; 0 if there is none
}

// slide descends with a slope that comes from s, however far it is, to a bottom at 0 of the given
// curvature: s(√(w²+u²) − w) with s/w = bend, plus a(1 − cos ωu) with aω² = ripple and aω = s/4, if
// it is not 0. Where both curvatures are ¼ the slope wanders between 3s/4 and 5s/4, and the
// slide is not convex, with curvatures from −¼ to ½, and has no stationary point but 0: where |ωu| ≥ π
// the first slope exceeds s/4.
func slide(s, bend, ripple float64) Shape {
	w, omega, a := s/bend, 4*ripple/s, s*s*ripple/(16*bend*bend)
	return Shape{
		Value: func(u float64) float64 { return s*(math.Hypot(w, u)-w) + a*(1-math.Cos(omega*u)) },
		Slope: func(u float64) float64 { return s*u/math.Hypot(w, u) + s/4*math.Sin(omega*u) },
		Bend: func(u float64) float64 {
			h := math.Hypot(w, u)
			return s*w*w/(h*h*h) + ripple*math.Cos(omega*u)
		},
		Low: -ripple, High: bend + ripple, Third: rampThird*bend/w + ripple*omega,
	}
}

// Steady is how much steeper a slide is than the ε that is to be reached there: the flattest parts
// of it are steeper by 8 %, and where a run moves by η along the gradient, the mean square of the
// gradients on the way is 2ε². Steep is the same of a ramp.
const (
	Steady = 1.4369
	Steep  = 1.02
)

// Downhill returns the shapes of a slide with ‖∇f‖ > ε all the way down, f(x⁰) ≈ height, in d
// dimensions of which all but the first have the given curvature, and the start.
func Downhill(eps, height, bend float64, d int) (shapes []Shape, start []float64) {
	return down(Steady*eps, 0.25, 0.25, height, bend, d)
}

// Ramp returns shapes and a start as [Downhill] does, with a descent of constant slope Steep·ε to a
// bottom that takes up a small part of it: no function of that height keeps ‖∇f‖ > ε for longer, up
// to that factor.
func Ramp(eps, height, bend float64, d int) (shapes []Shape, start []float64) {
	return down(Steep*eps, bend, 0, height, bend, d)
}

// down starts at the height on a [slide].
func down(s, curved, ripple, height, bend float64, d int) (shapes []Shape, start []float64) {
	return Along(slide(s, curved, ripple), height/s+s/curved, bend, d)
}

// Along returns a shape, with the start on it, and parabolas of the given curvature in all but the
// first of d dimensions, with the start at their least.
func Along(first Shape, at, curvature float64, d int) (shapes []Shape, start []float64) {
	shapes, start = slices.Repeat([]Shape{Parabola(curvature)}, d), make([]float64, d)
	shapes[0], start[0] = first, at
	return shapes, start
}

// rampThird is the largest derivative of (1+v²)^{-3/2}, 3v/(1+v²)^{5/2} at v = 1/2.
var rampThird = 48 / (25 * math.Sqrt(5))

// Parabola is ½μu².
func Parabola(mu float64) Shape {
	return Shape{
		Value: func(u float64) float64 { return mu * u * u / 2 },
		Slope: func(u float64) float64 { return mu * u },
		Bend:  func(float64) float64 { return mu },
		Low:   mu, High: mu, Mu: mu,
	}
}

// Rippled is h(u² + 1.5 sin² u): a single stationary point, the minimum, but curvatures from −h to
// 5h.
func Rippled(h float64) Shape {
	return Shape{
		Value: func(u float64) float64 { s := math.Sin(u); return h * (u*u + 1.5*s*s) },
		Slope: func(u float64) float64 { return h * (2*u + 1.5*math.Sin(2*u)) },
		Bend:  func(u float64) float64 { return h * (2 + 3*math.Cos(2*u)) },
		Low:   -h, High: 5 * h, Third: 6 * h, Mu: RippledMu * h,
	}
}

// RippledMu is the PL constant of Rippled(1), of ‖∇f‖² ≥ 2μf, rounded down.
const RippledMu = 0.75435

// Well is γ(u²/2 − 2w² log(1+u²/(2w²))) plus a constant: a maximum at 0 with curvature −γ, minima
// at ±√2·w with curvature γ. Its width makes the second derivative 1-Lipschitz.
func Well(gamma float64) Shape {
	w := gamma * wellThird
	return Shape{
		Value: func(u float64) float64 {
			v := u * u / (2 * w * w)
			return gamma * w * w * (v - 2*math.Log1p(v) + 2*math.Ln2 - 1)
		},
		Slope: func(u float64) float64 { return gamma * u * (1 - 2/(1+u*u/(2*w*w))) },
		Bend: func(u float64) float64 {
			v := u * u / (2 * w * w)
			return gamma * (1 - 2*(1-v)/((1+v)*(1+v)))
		},
		Low: -gamma, High: 1.25 * gamma, Third: 1,
	}
}

// wellThird is the Lipschitz constant of the second derivative of a well for γ = w = 1: twice that
// of log(1+v²/2), reached at v = √2(√2−1).
var wellThird = func() float64 {
	t := math.Sqrt2 - 1
	return 2 * math.Sqrt2 * t * (3 - t*t) / math.Pow(1+t*t, 3)
}()

// Terrain is an objective on R^d with P clients that all differ, in oblique coordinates: f(x) = Σ_l
// φ_l(z_l) with z a reflection of x. Client i adds ½(x−x⁰)'A_i(x−x⁰) + c_i'(x−x⁰), A_i = ±(ζ/2)(I −
// 2q_iq_i'), and its j-th datum the same with A_ij of norm Within/2 and c_ij of length Sigma.
// Clients and data come in fours that share q and c with all four signs, so that deviations have
// mean 0, the Hessians of two clients differ by ζ at most, and all deviations of gradients at x⁰
// have the length σ_c (and Sigma within a client) exactly.
//
// Clients that hold one datum each are components of a finite sum.
type Terrain struct {
	shapes       []Shape
	frame        []float64 // unit vector of the reflection
	x0           []float64
	clients      Deviations
	data         Deviations
	count, sizes int
	// what is known of the last points of the run to which the terrain belongs, see at; nil if it
	// is shared
	recent *algos.Recent
	step   []float64 // scratch for that run
}

// Deviations say how clients, or the data of a client, differ.
type Deviations struct {
	Zeta   float64   // the largest distance of two Hessians
	Linear float64   // length of the deviation of a gradient at x⁰
	q, c   []float64 // of each group of four
}

// Site describes a terrain.
type Site struct {
	Shapes  []Shape
	Start   []float64 // z at x⁰; its length is d
	Clients int       // a multiple of 4
	Between Deviations
	Data    int // of each client: 1, or a multiple of 4
	Within  Deviations
}

// New returns the terrain of a description; the key supplies directions.
func New(s Site, key keyed.Key) *Terrain {
	d := len(s.Shapes)
	r := key.With("terrain").Rand()
	unit := func(dst []float64) {
		for l := range dst {
			dst[l] = r.NormFloat64()
		}
		floats.Scale(1/floats.Norm(dst, 2), dst)
	}
	p := &Terrain{shapes: s.Shapes, frame: make([]float64, d),
		x0: append([]float64(nil), s.Start...), clients: s.Between, data: s.Within,
		count: s.Clients, sizes: max(1, s.Data)}
	unit(p.frame)
	p.reflect(p.x0)
	fill := func(v *Deviations, count int) {
		groups := (count + 3) / 4
		v.q, v.c = make([]float64, groups*d), make([]float64, groups*d)
		for k := range groups {
			unit(v.q[k*d : (k+1)*d])
			unit(v.c[k*d : (k+1)*d])
		}
	}
	fill(&p.clients, p.count)
	if p.sizes > 1 {
		fill(&p.data, p.sizes)
	}
	return p
}

// X0 returns the start.
func (p *Terrain) X0() []float64 { return p.x0 }

// Clients returns P.
func (p *Terrain) Clients() int { return p.count }

// Size returns the number of data of client i.
func (p *Terrain) Size(int) int { return p.sizes }

// Dim returns d.
func (p *Terrain) Dim() int { return len(p.shapes) }

// reflect replaces v by its mirror image.
func (p *Terrain) reflect(v []float64) { floats.AddScaled(v, -2*floats.Dot(p.frame, v), p.frame) }

// add sets dst to mean, which may be dst, plus the gradient of the deviation of number i at a point
// so far away from x⁰.
func (v *Deviations) add(dst, mean, away []float64, i int) {
	d := len(away)
	at := i / 4 * d
	hessian, linear := v.Zeta/2*(1-float64(i&2)), v.Linear*(1-2*float64(i&1))
	q, c := v.q[at:][:d], v.c[at:][:d]
	mean, dst = mean[:d], dst[:d]
	turned := 0.0
	for l, u := range away { // of few dimensions: a call would take longer
		turned += q[l] * u
	}
	turned *= 2 * hessian
	for l, u := range away {
		dst[l] = mean[l] + (hessian*u - turned*q[l] + linear*c[l])
	}
}

// Gradient sets dst to ∇f_ij(x).
func (p *Terrain) Gradient(dst, x []float64, i, j int) {
	full, away := p.at(x)
	p.clients.add(dst, full, away, i)
	if p.sizes > 1 {
		p.data.add(dst, dst, away, j)
	}
}

// MeanGradient sets dst to the mean gradient of data of client i, of all if batch is nil.
func (p *Terrain) MeanGradient(dst, x []float64, i int, batch []int) {
	full, away := p.at(x)
	if batch == nil || p.sizes == 1 {
		p.clients.add(dst, full, away, i)
		return
	}
	clear(dst)
	for _, j := range batch {
		p.data.add(dst, dst, away, j)
	}
	floats.Scale(1/float64(len(batch)), dst)
	p.clients.add(dst, dst, away, i)
	floats.Add(dst, full)
}

// addBend adds c times what the Hessian of the deviation of number i makes of step to dst.
func (v *Deviations) addBend(dst []float64, c float64, step []float64, i int) {
	d := len(step)
	q, dst := v.q[i/4*d:][:d], dst[:d]
	c *= v.Zeta / 2 * (1 - float64(i&2))
	turned := 0.0
	for l, u := range step {
		turned += q[l] * u
	}
	turned *= 2 * c
	for l, u := range step {
		dst[l] += c*u - turned*q[l]
	}
}

// AddMeanDifference adds the mean of ∇f_ij(x) − ∇f_ij(y) over j in batch to dst.
func (p *Terrain) AddMeanDifference(dst, x, y []float64, i int, batch []int) {
	step := p.addDifference(dst, 1, x, y)
	p.clients.addBend(dst, 1, step, i)
	if p.sizes > 1 {
		for _, j := range batch {
			p.data.addBend(dst, 1/float64(len(batch)), step, j)
		}
	}
}

// addDifference adds c(∇f(x) − ∇f(y)) to dst and returns x − y.
func (p *Terrain) addDifference(dst []float64, c float64, x, y []float64) (step []float64) {
	d := p.Dim()
	now, _ := p.at(x)
	before, _ := p.at(y)
	step, dst, before = p.step, dst[:d], before[:d]
	if step == nil { // shared by many runs
		step = make([]float64, d)
	}
	step, x, y = step[:d], x[:d], y[:d]
	for l, g := range now[:d] {
		dst[l] += c * (g - before[l])
		step[l] = x[l] - y[l]
	}
	return step
}

// FullGradient sets dst to ∇f(x).
func (p *Terrain) FullGradient(dst, x []float64) {
	full, _ := p.at(x)
	copy(dst, full)
}

// at returns ∇f(x) and x − x⁰, in the memory of the run if there is one.
func (p *Terrain) at(x []float64) (full, away []float64) {
	var (
		d     = p.Dim()
		known bool
		both  []float64
	)
	if p.recent == nil {
		both = make([]float64, 2*d)
	} else {
		both, known = p.recent.At(x)
	}
	if full, away = both[:d], both[d:2*d]; known {
		return full, away
	}
	frame, x0, shapes := p.frame[:d], p.x0[:d], p.shapes[:d]
	x = x[:d]
	along, across := 0.0, 0.0
	for l, u := range x {
		away[l] = u - x0[l]
		along += 2 * frame[l] * u
	}
	for l, u := range x {
		shape, s := &shapes[l], u-along*frame[l]
		if shape.Low == shape.High { // a parabola
			s *= shape.Low
		} else {
			s = shape.Slope(s)
		}
		full[l] = s
		across += 2 * s * frame[l]
	}
	for l, u := range frame {
		full[l] -= across * u
	}
	return full, away
}

// Recalling returns the terrain for one run; see [algos.Recaller].
func (p *Terrain) Recalling(whole algos.Problem) algos.Problem {
	if p.recent != nil || whole != algos.Problem(p) {
		return nil
	}
	return p.Alone()
}

// Alone returns the terrain for a single run, which is not to be shared: it remembers the slopes at
// the last points, where a method and its goal ask for the gradients of many clients.
func (p *Terrain) Alone() *Terrain {
	alone := *p
	alone.recent, alone.step = algos.NewRecent(p.Dim(), 2*p.Dim()), make([]float64, p.Dim())
	return &alone
}

// Value returns f(x).
func (p *Terrain) Value(x []float64) float64 {
	along, f := 2*floats.Dot(p.frame, x), 0.0
	for l := range p.shapes {
		f += p.shapes[l].Value(x[l] - along*p.frame[l])
	}
	return f
}

// Minimum returns inf f = 0.
func (p *Terrain) Minimum() (float64, bool) { return 0, true }

// LeastCurvature is the smallest eigenvalue of ∇²f(x).
func (p *Terrain) LeastCurvature(x []float64) float64 {
	along, least := 2*floats.Dot(p.frame, x), math.Inf(1)
	for l := range p.shapes {
		least = min(least, p.shapes[l].Bend(x[l]-along*p.frame[l]))
	}
	return least
}

// Constants returns the constants of the problem for a run from x0. Sigma and G are +Inf if the
// Hessians of data differ.
func (p *Terrain) Constants(x0 []float64) problems.Constants {
	low, high, third, mu := math.Inf(1), math.Inf(-1), 0.0, math.Inf(1)
	for _, s := range p.shapes {
		low, high, third, mu = min(low, s.Low), max(high, s.High), max(third, s.Third),
			min(mu, s.Mu)
	}
	bound := func(v float64) problems.Constant {
		return problems.Constant{Value: v, Why: "by construction"}
	}
	exactly := func(v float64) problems.Constant {
		return problems.Constant{Value: v, Exact: true, Why: "by construction"}
	}
	within := Deviations{}
	if p.sizes > 1 {
		within = p.data
	}
	mean := max(high, -low)
	square, most := 0.0, 0.0
	g, away := make([]float64, p.Dim()), make([]float64, p.Dim())
	floats.SubTo(away, x0, p.x0)
	for i := range p.count {
		clear(g)
		p.clients.add(g, g, away, i)
		r := floats.Norm(g, 2)
		square, most = square+r*r/float64(p.count), max(most, r)
	}
	c := problems.Constants{L: bound(mean + p.clients.Zeta/2 + within.Zeta/2), LMean: bound(mean),
		Zeta: exactly(p.clients.Zeta), ZetaPrime: bound(p.clients.Zeta/2 +
			within.Zeta/2).Itself, Rho: bound(third), Mu: bound(mu),
		Delta: exactly(p.Value(x0)), SigmaC: exactly(math.Sqrt(square)), GC: exactly(most),
		Sigma: exactly(within.Linear), G: exactly(within.Linear)}
	if within.Zeta > 0 {
		c.Sigma, c.G = bound(math.Inf(1)), bound(math.Inf(1))
	}
	return c
}

// BatchGradient sets row k of dst to ∇f_i(x) for i = batch[k].
func (p *Terrain) BatchGradient(dst, x []float64, batch []int) {
	full, away := p.at(x)
	d := len(full)
	for k, i := range batch {
		p.clients.add(dst[k*d:(k+1)*d], full, away, i)
	}
}

// AddBatchDifference adds c times the mean of ∇f_i(x) − ∇f_i(y) over i in batch to dst.
func (p *Terrain) AddBatchDifference(dst []float64, c float64, x, y []float64, batch []int) {
	step := p.addDifference(dst, c, x, y)
	for _, i := range batch {
		p.clients.addBend(dst, c/float64(len(batch)), step, i)
	}
}

var (
	_ problems.CertifiedFederated = (*Terrain)(nil)
	_ algos.BatchGradienter       = (*Terrain)(nil)
	_ algos.BatchDifferencer      = (*Terrain)(nil)
	_ algos.MeanGradienter        = (*Terrain)(nil)
	_ algos.MeanDifferencer       = (*Terrain)(nil)
	_ algos.Recaller              = (*Terrain)(nil)
)
