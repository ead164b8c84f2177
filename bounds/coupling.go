package bounds

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// coupling is what two coupled runs are made of.
type coupling struct {
	tuning
	re float64
	x0 []float64
	// numbers of the step before the perturbation and of the perturbed one; steps or rounds
	tau0, tau, T int
	exact        bool // every question is answered with ∇f
}

// drawKick draws (τ0,κ0) in one of the first rounds, with the perturbation at the end of the round.
func (c *coupling) drawKick(src *props.Source, rounds int) {
	tau0, kappa0 := src.Int("tau0", 1, rounds), src.Int("kappa0", 0, c.K-1)
	c.tau0, c.tau = (tau0-1)*c.K+kappa0, tau0*c.K
}

// coupledRuns is a run near a saddle and a perturbed one, in the notation of
// lemma:Small-Stuck-Region (lines 1547-1561) and of lemma:D-Small-Stuck-Region (lines 2632-2646):
// where the run has ξ at step τ the other has ξ − r_e e, with e the lowest eigenvector of H =
// ∇²f(x^{τ0}) and −γ its eigenvalue. Local steps of FLEDGE are numbered through: x^{t,k} has the
// number (t−1)K + k, so that (t,K) and (t+1,0) are one.
type coupledRuns struct {
	*stuckInstance
	pair  *algos.Coupling
	H     *mat.SymDense
	gamma float64   // of H
	e     []float64 // of H

	x, perturbed [][]float64 // the points by number, from 0 on
	w            [][]float64 // their differences
	wn, dw       []float64   // ‖w‖, and the norm of its change; dw[0] = 0
	// difference of the errors of the estimators: g^t of SLEDGE, g^{t−1} + h^{t,k} of FLEDGE
	force [][]float64
	fn    []float64   // their norms
	g     [][]float64 // g^t of FLEDGE by round, 0 … T

	room  *room
	size  float64   // see span
	first *path     // see past
	work  []float64 // room for a gradient
}

// couple makes two coupled runs.
func (in *stuckInstance) couple(room *room, r algos.Randomness) *coupledRuns {
	c := &in.coupling
	at := algos.Perturbation{Step: c.tau, Shift: make([]float64, in.d)}
	if c.K > 0 {
		at.Step, at.Draw = (c.tau-1)/c.K+1, (c.tau-1)%c.K
	}
	m, problem := c.methodIn(room), in.seen(c.K > 0)
	if c.exact {
		problem = algos.Exactly(problem)
	}
	o := algos.NewOracle(problem)
	tape := &room.tape
	if err := tape.Record(m, o, c.x0, r, c.T); err != nil {
		panic(err) // the ranges of the checks are valid
	}
	x, v := byNumber(tape)
	p := &coupledRuns{stuckInstance: in, room: room, x: x, work: make([]float64, in.d)}
	p.H = product(in.HessianVector).at(x[c.tau0])
	p.gamma, p.e = lowest(p.H)
	floats.AddScaled(at.Shift, c.re, p.e)
	p.pair = props.Must(room.coupled.RecordCoupled(m, o, tape, at))
	perturbed, vp := byNumber(p.pair.Coupled)
	p.perturbed = perturbed
	n, d := len(x), in.d
	p.w, p.wn, p.dw = room.zeros(n, d), make([]float64, n), make([]float64, n)
	gap := room.zeros(n, d) // ∇f(x) − ∇f(x̃)
	for m := range x {
		floats.SubTo(p.w[m], x[m], perturbed[m])
		p.wn[m] = floats.Norm(p.w[m], 2)
		if m > 0 {
			p.dw[m] = floats.Distance(p.w[m], p.w[m-1], 2)
		}
		p.addGap(gap[m], 1, m, whole)
	}
	if c.K > 0 {
		p.g = room.zeros(c.T+1, d)
		for t := range p.g {
			floats.SubTo(p.g[t], tape.V[t], p.pair.Coupled.V[t])
			floats.Sub(p.g[t], gap[t*c.K])
		}
	}
	p.force, p.fn = gap[:len(v)], make([]float64, len(v))
	for m := range v {
		floats.SubTo(p.work, v[m], vp[m])
		floats.SubTo(p.force[m], p.work, gap[m])
		p.fn[m] = floats.Norm(p.force[m], 2)
	}
	return p
}

// byNumber lists the points of a tape, and the estimators with which they are left.
func byNumber(t *algos.Tape) (x, v [][]float64) {
	if t.Local == nil {
		return t.X, t.V
	}
	x = [][]float64{t.X[0]}
	for k, local := range t.Local[1:] {
		x = append(x, local[1:]...)
		v = append(v, t.LocalV[k+1][:len(local)-1]...)
	}
	return x, v
}

// round returns the round t and local step k < K with the given number.
func (p *coupledRuns) round(m int) (t, k int) { return m/p.K + 1, m % p.K }

// report reports the share of the steps from the perturbation on at which the runs stray; see
// [straying].
func (p *coupledRuns) report(t props.Trial) {
	s := stepShare{from: smallErrors}
	rounding := 1e-13 * p.L * p.span()
	for m := p.tau; m < len(p.fn); m++ {
		s.Step(sq(max(0, p.fn[m]-rounding)), sq(p.gamma*p.wn[m]))
	}
	s.Report(t)
}

// reach returns the larger of the distances of x and x̃ with number m from the point of the run
// with number base.
func (p *coupledRuns) reach(m, base int) float64 {
	return max(floats.Distance(p.x[m], p.x[base], 2), floats.Distance(p.perturbed[m], p.x[base], 2))
}

// inside returns the last number such that all points from τ0 to it are closer than radius to that
// with number base; τ0 − 1 if there is none.
func (p *coupledRuns) inside(radius float64, base int) int {
	for m := p.tau0; m < len(p.x); m++ {
		if !(p.reach(m, base) < radius) {
			return m - 1
		}
	}
	return len(p.x) - 1
}

// farthest returns the largest distance from the point with number base of the points from τ0 on.
func (p *coupledRuns) farthest(base int) float64 {
	most := 0.0
	for m := p.tau0; m < len(p.x); m++ {
		most = max(most, p.reach(m, base))
	}
	return most
}

// span returns the size of the numbers behind the runs: rounding errors of positions and gradients
// are relative to it.
func (p *coupledRuns) span() float64 {
	if p.size == 0 {
		p.size = p.re + p.r
		farther := func(c float64, list [][]float64) {
			for k := range list { // the last ones are mostly the farthest
				p.size = larger(p.size, c, list[len(list)-1-k])
			}
		}
		farther(max(1, p.L), p.x)
		farther(max(1, p.L), p.perturbed)
		farther(1, p.pair.Run.V)
		farther(1, p.pair.Coupled.V)
		p.size += p.linear
	}
	return p.size
}

// growth returns (1+ηγ)^{m−τ} r_e.
func (p *coupledRuns) growth(m int) float64 {
	return math.Pow(1+p.eta*p.gamma, float64(m-p.tau)) * p.re
}

// addGap adds c·(∇f_a(x) − ∇f_a(x̃)) to dst, at the points with number m.
func (p *coupledRuns) addGap(dst []float64, c float64, m int, a of) {
	if p.exact {
		a = whole
	}
	p.gradientOf(p.work, p.x[m], a)
	floats.AddScaled(dst, c, p.work)
	p.gradientOf(p.work, p.perturbed[m], a)
	floats.AddScaled(dst, -c, p.work)
}

// change returns the change of (∇f_a − ∇f_b)(x) − (∇f_a − ∇f_b)(x̃) from the points with number
// before to those with number m: u_i of lines 1589-1592, 2697 and 2822 for a = f_i, b = f, and u_ij
// of lines 2704 and 2829 for a = f_ij, b = f_i. A negative before stands for coinciding points.
func (p *coupledRuns) change(m, before int, a, b of) []float64 {
	u := make([]float64, p.d)
	p.addGap(u, 1, m, a)
	p.addGap(u, -1, m, b)
	if before >= 0 {
		p.addGap(u, -1, before, a)
		p.addGap(u, 1, before, b)
	}
	return u
}

// gap is u_i^s at one step.
func (p *coupledRuns) gap(s int) []float64 { return p.gapsUpTo(s, s)[s] }

// gapsUpTo holds u_i^s of lines 1589-1592 for s = from … to, from ≥ 1: row i of u[s] (n×d), 0
// before.
func (p *coupledRuns) gapsUpTo(from, to int) [][]float64 {
	u, size, mean := make([][]float64, to+1), p.P*p.d, make([]float64, p.d)
	for s := range from {
		u[s] = make([]float64, size)
	}
	gradients, other := allGradients(algos.Sum(p.ByClient())), p.room.rows.Take(size)
	var before []float64 // what the components differ by between the runs, beyond their mean
	for s := from - 1; s <= to; s++ {
		now := p.room.rows.Take(size)
		if clear(now); !p.exact {
			gradients(now, p.x[s])
			gradients(other, p.perturbed[s])
			floats.Sub(now, other)
			clear(mean)
			p.addGap(mean, 1, s, whole)
			for i := range p.P {
				floats.Sub(now[i*p.d:(i+1)*p.d], mean)
			}
		}
		if s >= from {
			u[s] = floats.SubTo(p.room.rows.Take(size), now, before)
		}
		before = now
	}
	return u
}

// segment integrates the Hessian of f, f_i or f_ij from a to b, in pieces of at most the length
// scale of the saddle.
func (s *saddle) segment(who of, a, b []float64) *mat.SymDense {
	return s.product(who).along(a, b, 1+int(floats.Distance(a, b, 2)))
}

// hessianDrift returns dH = ∫_0^1 (∇²f(x̃ + θ(x − x̃)) − ∇²f(x^{τ0})) dθ at the points with number
// m, for f, f_i or f_ij (lines 1583-1587, 2688-2693).
func (p *coupledRuns) hessianDrift(m int, who of) *mat.SymDense {
	h := p.segment(who, p.perturbed[m], p.x[m])
	addMatrix(h, -1, p.product(who).at(p.x[p.tau0]))
	return h
}

// coupledRange says what drawCoupled draws from: with data of clients runs of FLEDGE, with
// minibatches within the data of a client, which may fly apart, and without runs of SLEDGE.
type coupledRange struct {
	saddleRange
	most   int     // most steps, or rounds, after the perturbation
	radius float64 // largest distance of x⁰ from the saddle
	inner  bool    // the perturbation may be at any local step, not the last of a round only
}

// drawCoupled draws a saddle and two coupled runs on it that start within the given distance, all
// randomness from the source. It returns nil after Skip if H has no negative eigenvalue or runs of
// SLEDGE fly apart.
func drawCoupled(src *props.Source, rec *props.Recorder, l coupledRange) *coupledRuns {
	s := drawSaddleShape(src, l.saddleRange).build(src.Rand("directions"))
	var c coupling
	if l.data == (problems.Range{}) {
		c.b, c.tau0 = src.Int("b", 1, s.P), src.Int("tau0", 0, 3)
		c.eta = src.LogReal("eta L", 0.05, 1) / s.L
		c.tau = c.tau0 + 1 + src.Int("tau - tau0 - 1", 0, 3)
		c.T = c.tau + src.Int("T - tau", 1, l.most)
	} else {
		c.p, c.K = src.Int("p", 1, s.P), src.Int("K", 1, min(4, s.data))
		c.b = src.Int("b", 1, s.data/c.K)
		c.option = algos.Option(src.Pick("option", "II", "I"))
		c.eta = src.LogReal("eta L", 0.05, 1) / s.L
		c.drawKick(src, 3)
		if l.inner {
			c.tau = c.tau0 + src.Int("local steps to the perturbation", 1, c.K)
		}
		c.T = (c.tau-1)/c.K + 1 + src.Int("further rounds", 1, l.most)
	}
	c.re, c.r = src.LogReal("r_e", 1e-3, 0.3), src.LogReal("r", 1e-3, 0.3)
	c.x0 = problems.DrawPoint(src, "x0", s.d, l.radius)
	p := (&stuckInstance{saddle: s, coupling: c}).couple(new(room), algos.Keyed(src.Key("run")))
	switch {
	case p.gamma <= 0:
		rec.Skip("the Hessian at x^{τ0} has no negative eigenvalue")
		return nil
	case c.K == 0 && !(floats.Max(p.wn) < 50):
		rec.Skip("the runs end up fifty length scales apart")
		return nil
	}
	return p
}

// onSteps is what to try of such runs of SLEDGE.
func onSteps(l saddleRange, most int, radius float64,
	try func(p *coupledRuns, rec *props.Recorder)) func(src *props.Source, rec *props.Recorder) {
	return onRuns(coupledRange{saddleRange: l, most: most, radius: radius}, try)
}

func onRuns(l coupledRange,
	try func(p *coupledRuns, rec *props.Recorder)) func(src *props.Source, rec *props.Recorder) {
	return func(src *props.Source, rec *props.Recorder) {
		if p := drawCoupled(src, rec, l); p != nil {
			try(p, rec)
		}
	}
}

// onRounds is an identity of such runs of FLEDGE.
func onRounds(l coupledRange, try func(p *coupledRuns, rec *props.Recorder)) props.Check {
	return props.Identity(onRuns(l, try)).Effort(0.3)
}
