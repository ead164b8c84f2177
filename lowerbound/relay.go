package lowerbound

import (
	"fmt"
	"math"

	"sledge/algos"
	"sledge/algos/problems"
)

// step is the quintic p(v) = 6v⁵ − 15v⁴ + 10v³ that rises from 0 at v ≤ 0 to 1 at v ≥ 1, with its
// first two derivatives, which vanish outside.
func step(v float64) (p, d1, d2 float64) {
	switch {
	case v <= 0:
		return 0, 0, 0
	case v >= 1:
		return 1, 0, 0
	}
	w := v * (1 - v)
	return v * v * v * (10 + v*(6*v-15)), 30 * w * w, 60 * w * (1 - 2*v)
}

// Largest magnitudes of the derivatives of step.
const (
	step1 = 15.0 / 8
	step2 = 5.773502691896258 // 10/√3
	step3 = 60.0
)

// stepIntegral is ∫_0^v p, and stepIntegral2 the integral of that.
func stepIntegral(v float64) float64 {
	switch {
	case v <= 0:
		return 0
	case v >= 1:
		return v - 0.5
	}
	return v * v * v * v * (2.5 + v*(v-3))
}

func stepIntegral2(v float64) float64 {
	switch {
	case v <= 0:
		return 0
	case v >= 1:
		return 1.0/7 + (v-1)*v/2
	}
	return v * v * v * v * v * (0.5 + v*(v/7-0.5))
}

// ramp is the odd function k with k'(u) = 1 − p(|u| − 1): the identity up to 1, constant ±3/2
// beyond 2.
func ramp(u float64) (k, d1, d2 float64) {
	v := math.Abs(u) - 1
	p, slope, _ := step(v)
	return math.Copysign(math.Abs(u)-stepIntegral(v), u), 1 - p, -math.Copysign(slope, u)
}

// Constants of the relay.
const (
	relayTilt = 32.0 / 7 // a = (32/7)√nε
	// relayMixed is the norm of the 2×2 matrix of largest second derivatives of κ(y)s(t), in units
	// of 1/W: (15/8, 15/8; 15/8, (3/2)(10/√3)).
	relayMixed = 9.144
	// relayGate is 3((40/√3)(15/8)² + (15/4)(10/√3)): second derivatives of AΓ(z)Φ(t/W) in y, in
	// units of A/(nY²).
	relayGate     = 308.53
	relayGateCost = 1.0 / 5 // share of L that they may take
	relayStiff    = 1.0 / 8 // H = L/8
)

// Relay is a finite sum in which progress has to wait for a quarter of the components again and
// again, although the components are individually smooth and differ little: it gives the term
// Δζ√n/ε² within F_{n,Δ}^{L,ζ}, which the instances of the literature, built for smoothness in mean
// square, do not. It is our own.
//
// There are T rounds. Round k has a coordinate t_k common to all and a coordinate y_{k,i} for each
// component, and
//
//	f_i(x) = Σ_k ( −AΓ(z_{k−1})(3/2 + k(t_k/W)) + BW P(−t_k/W) + Σ_j q(y_{k,j}) + aW k(y_{k,i}/W)·p(t_k/W) ) + pad,
//
// with p the quintic step, P its integral, k the odd ramp with slope 1 up to 1 and value 3/2 from 2
// on, z_k = (1/n) Σ_j p(−y_{k,j}/Y), Γ(z) = p(2z − 1/2), and Γ(z_0) = 1. q has curvature H at y ≥ 0
// and λ < H from −η down, and P keeps t_k from escaping to the left. The pad is that of [Chains].
// All but the last term of a round is common to the components; in f the last one is (a/n)W Σ_i
// k(y_{k,i}/W)·p(t_k/W).
//
// What a gradient reveals. The gradient of f_i is zero in y_{k,i} as long as t_k ≤ 0 and y_{k,i} =
// 0, in y_{k,j} as long as y_{k,j} = 0, and in t_k as long as t_k = 0 and at most a quarter of the
// y_{k−1,j} differ from zero, since then z_{k−1} ≤ 1/4. So t_1 takes a query, each y_{k,i} a query
// of component i after t_k is known, and t_{k+1} another one after more than n/4 of them.
//
// What a point needs. ‖∇f‖ > ε as long as t_k < W or z_k < 3/4 for some k. Let k be the first such
// round, so that Γ(z_{k−1}) = 1.
//
//   - If t_k < W: the link and the wall push by at least A/W = B = αε, the link from −W to W and
//     the wall below. Against them only positive y push, by at most (15/8)(a/n)Σ y⁺/W ≤ c‖y⁺‖ with
//     c = (15/8)(a/W)/√n, but ‖∂f/∂y‖ ≥ H‖y⁺‖, as tilt and gate are no help at y > 0. So ‖∇f‖ is at
//     least the distance αε/√(1 + (c/H)²) of a line from the origin, and α = 1 + c/H.
//   - Else, if z_k < 3/4: fewer than 3n/4 of the y_{k,j} are ≤ −Y. For each of the others, more
//     than n/4, ∂f/∂y ≥ (7/16)(a/n): for −Y < y ≤ W the tilt gives a/n, since Y ≤ W, of which q'
//     takes at most λY + Hη/2 = (a/n)(1/2 + 1/32), and the gate pushes the same way; for y > W
//     already HW ≥ 2a. Together (√n/2)(7/16)(a/n) = ε.
//
// What it costs. The tilt a = (32/7)√nε is large for one component and hardly visible in f, and
// rises over the distance W = 2·9.144a/ζ, which makes it cheap in heterogeneity: the Hessian of a
// tilt has norm at most 9.144a/W = ζ/2, so Hessians differ by at most ζ. The parts of a Hessian add
// up to at most L: H = L/8, the gates L/5, the tilt ζ/2 ≤ L/2, and links, walls and cross terms
// what is left. f is smallest where all t_k ≥ 2W and all y are at the minimiser y* of q(y) +
// (a/n)y, which lies between −W and −Y: a round costs 3A + O(ε²/λ) of the value gap, A = αεW of
// order √nε²/ζ. λ = (ζL/(α√n))^{1/2}/157 is small enough for the steps that open the gates, and
// large enough for the y to settle within W; for n up to 20 this limits ζ to Ln^{3/2}/90.
type Relay struct {
	n, T         int
	l, zeta, eps float64

	a, w       float64 // a, W
	alpha      float64
	amp, force float64 // A, B
	stiff      float64 // H
	soft       float64 // λ
	bend       float64 // η
	reach      float64 // Y
	settled    float64 // |y*|, y* the minimiser of q(y) + (a/n)y
	pad        pad
}

var (
	_ problems.Certified       = (*Relay)(nil)
	_ algos.ComponentHessianer = (*Relay)(nil)
)

// newRelay returns a relay without rounds.
func newRelay(n int, L, zeta, eps float64) *Relay {
	p := &Relay{n: n, l: L, zeta: zeta, eps: eps}
	root := math.Sqrt(float64(n))
	p.a = relayTilt * root * eps
	p.w = 2 * relayMixed * p.a / zeta
	p.stiff = relayStiff * L
	p.alpha = 1 + step1*p.a/p.w/(p.stiff*root)
	p.amp, p.force = p.alpha*eps*p.w, p.alpha*eps
	// relayGate·A/(nY²) = relayGateCost·L with Y = a/(2nλ)
	p.soft = p.a / (2 * root) * math.Sqrt(relayGateCost*L/(relayGate*p.amp))
	each := p.a / float64(n)
	p.bend = each / (16 * p.stiff)
	p.reach = each / (2 * p.soft)
	p.settled = p.bend + (each-(p.stiff+p.soft)*p.bend/2)/p.soft
	return p
}

// smoothness bounds the gradient Lipschitz constant of the components: the sum of the norms of the
// parts of the Hessian.
func (p *Relay) smoothness() float64 {
	gate := relayGate * p.amp / (float64(p.n) * p.reach * p.reach)
	cross := 2 * step1 * step1 * p.amp / (p.w * math.Sqrt(float64(p.n)) * p.reach)
	link := step1 * p.amp / (p.w * p.w)
	wall := step1 * p.force / p.w
	return max(p.stiff, p.soft) + gate + cross + link + wall + relayMixed*p.a/p.w
}

// roundGap is what a round takes of the value gap, and firstGap what the first round takes less,
// because f(x⁰) has half a link already.
func (p *Relay) roundGap() float64 {
	low := p.basin(-p.settled) - p.a/float64(p.n)*p.settled
	return 3*p.amp - float64(p.n)*low
}

func (p *Relay) firstGap() float64 { return 1.5 * p.amp }

// needed is the number of gradients that T rounds take: one for t_k and more than n/4 for the y_k
// of all rounds, and at least 3n/4 for the last.
func (p *Relay) needed(T float64) float64 {
	if T < 1 {
		return 0
	}
	return (T-1)*(math.Floor(float64(p.n)/4)+2) + 1 + math.Ceil(0.75*float64(p.n))
}

// basin is q.
func (p *Relay) basin(y float64) float64 {
	if y >= 0 {
		return p.stiff / 2 * y * y
	}
	u := -y
	return p.soft/2*u*u + (p.stiff-p.soft)*p.bend*(u/2-p.bend*(1.0/7-stepIntegral2(1-u/p.bend)))
}

// basinSlope returns q' and q″.
func (p *Relay) basinSlope(y float64) (d1, d2 float64) {
	if y >= 0 {
		return p.stiff * y, p.stiff
	}
	v := 1 + y/p.bend
	s, _, _ := step(v)
	return p.soft*y - (p.stiff-p.soft)*p.bend*(0.5-stepIntegral(v)), p.soft + (p.stiff-p.soft)*s
}

// Components returns n.
func (p *Relay) Components() int { return p.n }

// Rounds returns T.
func (p *Relay) Rounds() int { return p.T }

// Dim returns d = T(n+1) + 2.
func (p *Relay) Dim() int { return p.T*(p.n+1) + 2 }

// round returns the entries of v that belong to round k ≥ 0: t_k and y_k.
func (p *Relay) round(v []float64, k int) (t *float64, y []float64) {
	r := v[1+k*(p.n+1) : 1+(k+1)*(p.n+1)]
	return &r[0], r[1:]
}

// passed returns z of the values of a round.
func (p *Relay) passed(y []float64) float64 {
	z := 0.0
	for _, v := range y {
		if v < 0 {
			s, _, _ := step(-v / p.reach)
			z += s
		}
	}
	return z / float64(p.n)
}

// gate returns Γ with its derivatives.
func gate(z float64) (g, d1, d2 float64) {
	g, d1, d2 = step(2*z - 0.5)
	return g, 2 * d1, 4 * d2
}

// Gradient sets dst to ∇f_i(x).
func (p *Relay) Gradient(dst, x []float64, i int) { p.gradient(dst, x, i, i+1, p.a) }

// FullGradient sets dst to ∇f(x).
func (p *Relay) FullGradient(dst, x []float64) { p.gradient(dst, x, 0, p.n, p.a/float64(p.n)) }

// gradient computes the common part, and the tilts of the components from lo to hi with the factor
// a.
func (p *Relay) gradient(dst, x []float64, lo, hi int, a float64) {
	clear(dst)
	open, openSlope := 1.0, 0.0
	var before, beforeDst []float64
	for k := range p.T {
		t, y := p.round(x, k)
		dt, dy := p.round(dst, k)
		u := *t / p.w
		link, linkSlope, _ := ramp(u)
		wall, _, _ := step(-u)
		s, s1, _ := step(u)
		*dt = -p.amp/p.w*open*linkSlope - p.force*wall
		if openSlope != 0 {
			f := p.amp * (1.5 + link) * openSlope / (float64(p.n) * p.reach)
			for j, v := range before {
				if v < 0 {
					_, d, _ := step(-v / p.reach)
					beforeDst[j] += f * d
				}
			}
		}
		for j, v := range y {
			dy[j], _ = p.basinSlope(v)
		}
		for j := lo; j < hi; j++ {
			kappa, slope, _ := ramp(y[j] / p.w)
			dy[j] += a * slope * s
			*dt += a * kappa * s1
		}
		open, openSlope, _ = gate(p.passed(y))
		before, beforeDst = y, dy
	}
	p.pad.addGradient(dst, x)
}

// Value returns f(x).
func (p *Relay) Value(x []float64) float64 {
	f, open := p.pad.value(x), 1.0
	for k := range p.T {
		t, y := p.round(x, k)
		u := *t / p.w
		link, _, _ := ramp(u)
		s, _, _ := step(u)
		f += p.force*p.w*stepIntegral(-u) - p.amp*open*(1.5+link)
		for _, v := range y {
			kappa, _, _ := ramp(v / p.w)
			f += p.basin(v) + p.a/float64(p.n)*p.w*kappa*s
		}
		open, _, _ = gate(p.passed(y))
	}
	return f
}

// Minimum returns inf f. It is attained where t_k ≥ 2W and y_{k,j} = y* for all k, j.
func (p *Relay) Minimum() (float64, bool) { return -float64(p.T)*p.roundGap() - p.pad.height, true }

// ComponentHessianVector sets dst to ∇²f_i(x)u.
func (p *Relay) ComponentHessianVector(dst, x, u []float64, i int) {
	clear(dst)
	open := [3]float64{1, 0, 0}
	var before, beforeDst, beforeU []float64
	for k := range p.T {
		t, y := p.round(x, k)
		dt, dy := p.round(dst, k)
		ut, uy := p.round(u, k)
		v := *t / p.w
		link, link1, link2 := ramp(v)
		_, wall, _ := step(-v)
		s, s1, s2 := step(v)
		*dt += (-p.amp/p.w*open[0]*link2 + p.force*wall) / p.w * *ut
		if open[1] != 0 || open[2] != 0 {
			ny := float64(p.n) * p.reach
			along := 0.0 // z'u
			for j, e := range before {
				_, d, _ := step(-e / p.reach)
				along -= d * beforeU[j] / ny
			}
			for j, e := range before {
				_, d, dd := step(-e / p.reach)
				beforeDst[j] -= p.amp * (1.5 + link) *
					(-open[2]*along*d/ny + open[1]*dd*beforeU[j]/(ny*p.reach))
				beforeDst[j] += p.amp * open[1] * d / ny * link1 / p.w * *ut
			}
			*dt -= p.amp * open[1] * along * link1 / p.w
		}
		for j, e := range y {
			_, d2 := p.basinSlope(e)
			dy[j] += d2 * uy[j]
		}
		kappa, kappa1, kappa2 := ramp(y[i] / p.w)
		dy[i] += p.a / p.w * (kappa2*s*uy[i] + kappa1*s1**ut)
		*dt += p.a / p.w * (kappa1*s1*uy[i] + kappa*s2**ut)
		open[0], open[1], open[2] = gate(p.passed(y))
		before, beforeDst, beforeU = y, dy, uy
	}
	p.pad.addHessian(dst, x, u)
}

// Constants returns the constants of the problem for a run from x0.
func (p *Relay) Constants(x0 []float64) problems.Constants {
	bound := func(v float64, why string) problems.Constant {
		return problems.Constant{Value: v, Why: why}
	}
	n, y, w := float64(p.n), p.reach, p.w
	z1, z2, z3 := step1/(math.Sqrt(n)*y), step2/(n*y*y), step3/(n*y*y*y)
	g1, g2, g3 := 2*step1, 4*step2, 8*step3
	third := (p.stiff-p.soft)*step1/p.bend + p.force*step2/(w*w) +
		p.amp*(3*(g3*z1*z1*z1+3*g2*z1*z2+g1*z3)+3*(g2*z1*z1+g1*z2)/w+3*step1*g1*z1/(w*w)+step2/(w*w*w)) +
		p.a/(w*w)*(step2+3*step1*step1+3*step2+1.5*step3)
	smooth := max(p.smoothness(), p.pad.curvature())
	c := problems.Constants{
		L:         bound(smooth, "sum of the norms of the parts of the Hessian"),
		LMean:     bound(smooth, "that of the components"),
		Zeta:      bound(p.zeta, "twice the norm of the Hessian of a tilt"),
		ZetaPrime: bound(p.zeta, "that between components").Itself,
		Rho: bound(max(third, p.pad.third()),
			"sum of the norms of the parts of the third derivative"),
		Mu: bound(0, "none is known"),
	}
	if p.n == 1 {
		equal := problems.Constant{Exact: true, Why: "a single component"}
		c.Zeta, c.ZetaPrime = equal, equal.Itself
	}
	complete(&c, p, x0)
	return c
}

func (p *Relay) String() string {
	return fmt.Sprintf("a relay of %d components over %d rounds", p.n, p.T)
}

// Relays returns how many gradients a linear-span method needs for [Class.Relayed] with
// heterogeneity ζ: (T−1)(⌊n/4⌋+2)
// + 1 + ⌈3n/4⌉ with T the number of rounds that fit into Δ; 0 if none does. ζ above L, or above
// Ln^{3/2}/90, for which the y do not settle within W, counts as that.
func (c Class) Relays(zeta float64) float64 {
	p, T := c.relay(zeta)
	return p.needed(T)
}

// Messages returns how many vectors clients must send for [Class.Relayed], whatever they compute by
// themselves, if each vector is a combination of what its sender has received and of gradients of
// its own function: (T−1)⌊n/4⌋ + ⌈3n/4⌉. From when anybody knows t_k to when anybody knows t_{k+1},
// which takes more than n/4 of the y_k, the clients but one of whose y_k are known must have sent
// something; and after t_T is known 3n/4 of the clients.
func (c Class) Messages(zeta float64) float64 {
	_, T := c.relay(zeta)
	if T < 1 {
		return 0
	}
	return (T-1)*math.Floor(float64(c.N)/4) + math.Ceil(0.75*float64(c.N))
}

// Needed returns the number of gradients that a linear-span method needs for some member of
// F_{n,Δ}^{L,ζ}: the largest of Tilts, Rungs and Relays.
func (c Class) Needed(zeta float64) float64 { return max(c.Tilts(), c.Rungs(), c.Relays(zeta)) }

func (c Class) relay(zeta float64) (*Relay, float64) {
	p := newRelay(c.N, c.L, min(zeta, c.L, c.L*math.Pow(float64(c.N), 1.5)/90), c.Eps)
	return p, max(0, math.Floor((c.Gap+p.firstGap())/p.roundGap()))
}

// Relayed returns the relay of heterogeneity ζ, or the largest below it that Relays counts with,
// and x⁰. It panics if Relays is 0.
func (c Class) Relayed(zeta float64) (p *Relay, x0 []float64) {
	p, T := c.relay(zeta)
	if !(T >= 1 && T < 1<<20) {
		panic("lowerbound: no relay of such a length: ε is too large or too small for Δ and ζ")
	}
	p.T = int(T)
	p.pad = pad{height: max(0, c.Gap-float64(p.T)*p.roundGap()+p.firstGap()), bend: p.stiff}
	x0 = make([]float64, p.Dim())
	x0[0] = c.Offset
	return p, x0
}
