package finitesum

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/bounds"
	"sledge/bounds/coupled"
	"sledge/props"
)

// couple is a run of SLEDGE near a saddle and its twin, in the notation of lemma:Small-Stuck-Region (lines 1547-1561): at step τ the twin has
// ξ̃^τ = ξ^τ − r_e e with e the lowest eigenvector of H = ∇²f(x^{τ0}) and −γ its eigenvalue.
type couple struct {
	*saddle
	method    *algos.SLEDGE
	pair      *algos.Coupling
	tau0, tau int
	re        float64
	H         *mat.SymDense // ∇²f(x^{τ0})
	gamma     float64       // of H
	e         []float64     // of H
	w, g      [][]float64   // w^t and g^t, t = 0 … T
	wn, gn    []float64     // their norms
	dw        []float64     // ‖w^t − w^{t−1}‖; dw[0] = 0
}

// coupling is what a couple is made of.
type coupling struct {
	eta, r, re   float64
	b            int
	option       algos.Option
	x0           []float64
	tau0, tau, T int
	schedule     func(t int) int // minibatch sizes instead of b, if not nil
}

// couple runs the method and its twin.
func (s *saddle) couple(c coupling, r algos.Randomness) *couple {
	m := &algos.SLEDGE{Eta: c.eta, Batch: c.b, Radius: c.r, Option: c.option, Schedule: c.schedule}
	o := algos.NewOracle(algos.Sum(s))
	tape := props.Must(algos.RecordRun(m, o, c.x0, r, c.T))
	p := &couple{saddle: s, method: m, tau0: c.tau0, tau: c.tau, re: c.re, H: coupled.Hessian(s.HessianVector, tape.X[c.tau0])}
	p.gamma, p.e = coupled.Lowest(p.H)
	shift := make([]float64, s.d)
	floats.AddScaled(shift, c.re, p.e)
	p.pair = props.Must(algos.RecordCoupled(m, o, tape, algos.Perturbation{Step: c.tau, Shift: shift}))
	mon := algos.NewMonitor(algos.Sum(s))
	p.w, p.g = make([][]float64, c.T+1), make([][]float64, c.T+1)
	p.wn, p.gn, p.dw = make([]float64, c.T+1), make([]float64, c.T+1), make([]float64, c.T+1)
	for t := range c.T + 1 {
		p.w[t], p.g[t] = make([]float64, s.d), make([]float64, s.d)
		p.pair.Separation(p.w[t], t)
		p.pair.ErrorGap(p.g[t], t, mon)
		p.wn[t], p.gn[t] = floats.Norm(p.w[t], 2), floats.Norm(p.g[t], 2)
		if t > 0 {
			p.dw[t] = floats.Distance(p.w[t], p.w[t-1], 2)
		}
	}
	return p
}

// report reports the share of the steps from the kick on at which the runs stray; see [coupled.Strayed].
func (p *couple) report(t props.Trial) {
	var s bounds.Share
	rounding := 1e-13 * p.L * p.span()
	for k := p.tau; k <= p.T(); k++ {
		s.Step(sq(max(0, p.gn[k]-rounding)), sq(p.gamma*p.wn[k]))
	}
	s.Report(t)
}

// T returns the number of steps.
func (p *couple) T() int { return len(p.w) - 1 }

// reach returns the larger of the distances of x^t and x̃^t from x^from.
func (p *couple) reach(t, from int) float64 {
	x := p.pair.Run.X[from]
	return max(floats.Distance(p.pair.Run.X[t], x, 2), floats.Distance(p.pair.Coupled.X[t], x, 2))
}

// inside returns the last step ≤ T such that all x^t and x̃^t from τ0 to it are closer than radius to x^from; τ0 − 1 if there is none.
func (p *couple) inside(radius float64, from int) int {
	for t := p.tau0; t <= p.T(); t++ {
		if !(p.reach(t, from) < radius) {
			return t - 1
		}
	}
	return p.T()
}

// span returns the size of the numbers behind a couple: rounding errors of positions and gradients are relative to it.
func (p *couple) span() float64 {
	size := p.re + p.method.Radius
	for _, tape := range [...]*algos.Tape{p.pair.Run, p.pair.Coupled} {
		for t := range tape.X {
			size = max(size, floats.Norm(tape.X[t], 2), floats.Norm(tape.V[t], 2), p.L*floats.Norm(tape.X[t], 2))
		}
	}
	return size + p.linear
}

// growth returns (1+ηγ)^{t−τ} r_e.
func (p *couple) growth(t int) float64 {
	return math.Pow(1+p.method.Eta*p.gamma, float64(t-p.tau)) * p.re
}

// product returns the Hessian of f_i, of f itself if i < 0.
func (s *saddle) product(i int) coupled.Product {
	if i < 0 {
		return s.HessianVector
	}
	return func(dst, x, u []float64) { s.ComponentHessianVector(dst, x, u, i) }
}

// segment integrates the Hessian of f_i from a to b, in pieces of at most the length scale of the saddle.
func (s *saddle) segment(i int, a, b []float64) *mat.SymDense {
	return coupled.Segment(s.product(i), a, b, 1+int(floats.Distance(a, b, 2)))
}

// hessianDrift returns dH_i^t = ∫_0^1 (∇²f_i(x̃^t + θ(x^t − x̃^t)) − ∇²f_i(x^{τ0})) dθ (lines 1583-1587), dH^t of f itself if i < 0.
func (p *couple) hessianDrift(t, i int) *mat.SymDense {
	h := p.segment(i, p.pair.Coupled.X[t], p.pair.Run.X[t])
	coupled.AddScaled(h, -1, coupled.Hessian(p.product(i), p.pair.Run.X[p.tau0]))
	return h
}

// force returns dH^t w^t + g^t, the part of the dynamics of w that is not (I − ηH)w.
func (p *couple) force(t int) []float64 {
	v := coupled.Times(p.hessianDrift(t, -1), p.w[t])
	floats.Add(v, p.g[t])
	return v
}

// componentGap sets row i of dst (n×d) to u_i^s of lines 1589-1592, s ≥ 1.
func (p *couple) componentGap(dst []float64, s int) {
	d := p.d
	mean, g := make([]float64, d), make([]float64, p.n*d)
	gradients := allGradients(p)
	clear(dst)
	for _, term := range [...]struct {
		x    []float64
		sign float64
	}{{p.pair.Run.X[s], 1}, {p.pair.Coupled.X[s], -1}, {p.pair.Run.X[s-1], -1}, {p.pair.Coupled.X[s-1], 1}} {
		gradients(g, term.x)
		floats.AddScaled(dst, term.sign, g)
	}
	for i := range p.n {
		floats.AddScaled(mean, 1/float64(p.n), dst[i*d:(i+1)*d])
	}
	for i := range p.n {
		floats.Sub(dst[i*d:(i+1)*d], mean)
	}
}

// drawCouple draws a saddle and a couple on it that starts within the given distance and goes at most so many steps past the kick, all randomness from
// the source. It returns nil after Skip if H has no negative eigenvalue or the runs fly apart.
func drawCouple(src *props.Source, rec *props.Recorder, l saddleRange, most int, radius float64) *couple {
	shape := drawSaddleShape(src, l)
	s := shape.build(src.Rand("directions"))
	c := coupling{b: src.Int("b", 1, s.n), tau0: src.Int("tau0", 0, 3)}
	c.eta = src.LogReal("eta L", 0.05, 1) / s.L
	c.tau = c.tau0 + 1 + src.Int("tau - tau0 - 1", 0, 3)
	c.T = c.tau + src.Int("T - tau", 1, most)
	c.re = src.LogReal("r_e", 1e-3, 0.3)
	c.r = src.LogReal("r", 1e-3, 0.3)
	c.x0 = coupled.Near(src, s.d, radius)
	p := s.couple(c, algos.Keyed(src.Key("run")))
	if p.gamma <= 0 {
		rec.Skip("the Hessian at x^{τ0} has no negative eigenvalue")
		return nil
	}
	if !(floats.Max(p.wn) < 50) {
		rec.Skip("the runs end up fifty length scales apart")
		return nil
	}
	return p
}
