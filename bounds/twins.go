package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
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
	var s Share
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

// couple is a run of FLEDGE near a saddle and its twin, in the notation of lemma:D-Small-Stuck-Region (lines 2632-2646). Local steps are
// numbered through: x^{t,k} has the number (t−1)K + k, so that (t,K) and (t+1,0) are one. The twin has ξ − r_e e where the run has ξ at the step
// with number kick, with e the lowest eigenvector of H, the Hessian at x^{τ0,κ0}, and −γ its eigenvalue.
type fledgeCouple struct {
	*fledgeSaddle
	method *algos.FLEDGE
	pair   *algos.Coupling
	K, T   int // local steps of a round, rounds
	from   int // number of (τ0,κ0)
	kick   int
	re     float64
	H      *mat.SymDense
	gamma  float64
	e      []float64

	x, twin [][]float64 // x^{t,k} and x̃^{t,k} by number, 0 … TK
	w       [][]float64 // their differences
	wn, dw  []float64   // ‖w‖, and the norm of its change; dw[0] = 0
	g       [][]float64 // g^t by round, 0 … T
	force   [][]float64 // g^{t−1} + h^{t,k} by number, 0 … TK−1
	fn      []float64   // their norms
}

// coupling is what a couple is made of.
type fledgeCoupling struct {
	eta, r, re    float64
	p, K, b       int
	option        algos.Option
	x0            []float64
	from, kick, T int
	schedule      func(k int) int // local minibatch sizes instead of b, if not nil
}

// couple runs the method and its twin. Minibatches beyond the data of a client are all its data.
func (s *fledgeSaddle) couple(c fledgeCoupling, r algos.Randomness) *fledgeCouple {
	m := &algos.FLEDGE{Eta: c.eta, Chosen: c.p, Batch: min(c.b, s.data), LocalSteps: c.K, Radius: c.r, Option: c.option, Cap: true, Schedule: c.schedule}
	o := algos.NewOracle(s)
	tape := props.Must(algos.RecordRun(m, o, c.x0, r, c.T))
	p := &fledgeCouple{fledgeSaddle: s, method: m, K: c.K, T: c.T, from: c.from, kick: c.kick, re: c.re, x: points(tape)}
	p.H = coupled.Hessian(s.HessianVector, p.x[c.from])
	p.gamma, p.e = coupled.Lowest(p.H)
	shift := make([]float64, s.d)
	floats.AddScaled(shift, c.re, p.e)
	p.pair = props.Must(algos.RecordCoupled(m, o, tape, algos.Perturbation{Step: (c.kick-1)/c.K + 1, Draw: (c.kick - 1) % c.K, Shift: shift}))
	p.twin = points(p.pair.Coupled)
	n, d := len(p.x), s.d
	p.w, p.wn, p.dw = rows(n, d), make([]float64, n), make([]float64, n)
	gap := rows(n, d) // ∇f(x) − ∇f(x̃)
	at := make([]float64, d)
	for m := range p.x {
		floats.SubTo(p.w[m], p.x[m], p.twin[m])
		p.wn[m] = floats.Norm(p.w[m], 2)
		if m > 0 {
			p.dw[m] = floats.Distance(p.w[m], p.w[m-1], 2)
		}
		s.FullGradient(gap[m], p.x[m])
		s.FullGradient(at, p.twin[m])
		floats.Sub(gap[m], at)
	}
	p.g, p.force, p.fn = rows(c.T+1, d), rows(n-1, d), make([]float64, n-1)
	for t := range c.T + 1 {
		floats.SubTo(p.g[t], tape.V[t], p.pair.Coupled.V[t])
		floats.Sub(p.g[t], gap[t*c.K])
	}
	for m := range p.force {
		t, k := m/c.K+1, m%c.K
		floats.SubTo(p.force[m], tape.LocalV[t][k], p.pair.Coupled.LocalV[t][k])
		floats.Sub(p.force[m], gap[m])
		p.fn[m] = floats.Norm(p.force[m], 2)
	}
	return p
}

// report reports the share of the steps from the kick on at which the runs stray; see [coupled.Strayed].
func (p *fledgeCouple) report(t props.Trial) {
	var s Share
	rounding := 1e-13 * p.L * p.span()
	for m := p.kick; m < len(p.fn); m++ {
		s.Step(sq(max(0, p.fn[m]-rounding)), sq(p.gamma*p.wn[m]))
	}
	s.Report(t)
}

// points lists x^{t,k} by number.
func points(t *algos.Tape) [][]float64 {
	list := [][]float64{t.X[0]}
	for _, local := range t.Local[1:] {
		list = append(list, local[1:]...)
	}
	return list
}

// round returns the round t and local step k < K with the given number.
func (p *fledgeCouple) round(m int) (t, k int) { return m/p.K + 1, m % p.K }

// reach returns the larger of the distances of x and x̃ with number m from x^{τ0,κ0}.
func (p *fledgeCouple) reach(m int) float64 {
	x := p.x[p.from]
	return max(floats.Distance(p.x[m], x, 2), floats.Distance(p.twin[m], x, 2))
}

// inside returns the last number such that all points from (τ0,κ0) to it are closer than radius to x^{τ0,κ0}; one less than that of (τ0,κ0) if
// there is none.
func (p *fledgeCouple) inside(radius float64) int {
	for m := p.from; m < len(p.x); m++ {
		if !(p.reach(m) < radius) {
			return m - 1
		}
	}
	return len(p.x) - 1
}

// farthest returns the largest distance from x^{τ0,κ0} of the points from (τ0,κ0) to the one with the given number, or to the last.
func (p *fledgeCouple) farthest(last int) float64 {
	most := 0.0
	for m := p.from; m <= min(last, len(p.x)-1); m++ {
		most = max(most, p.reach(m))
	}
	return most
}

// span returns the size of the numbers behind a couple: rounding errors of positions and gradients are relative to it.
func (p *fledgeCouple) span() float64 {
	size := p.re + p.method.Radius
	for m := range p.x {
		for _, x := range [...][]float64{p.x[m], p.twin[m]} {
			size = max(size, floats.Norm(x, 2), p.L*floats.Norm(x, 2))
		}
	}
	return size + p.linear
}

// growth returns (1+ηγ)^{m − kick} r_e.
func (p *fledgeCouple) growth(m int) float64 {
	return math.Pow(1+p.method.Eta*p.gamma, float64(m-p.kick)) * p.re
}

// Whose Hessian or gradient is meant: that of f, of a client, of a datum.
type whose struct{ i, j int }

var (
	whole  = whose{-1, -1}
	client = func(i int) whose { return whose{i, -1} }
)

// product returns the Hessian of f, f_i or f_ij.
func (s *fledgeSaddle) product(a whose) coupled.Product {
	switch {
	case a.i < 0:
		return s.HessianVector
	case a.j < 0:
		return func(dst, x, u []float64) { s.ClientHessianVector(dst, x, u, a.i) }
	}
	return func(dst, x, u []float64) { s.DatumHessianVector(dst, x, u, a.i, a.j) }
}

// gradientOf sets dst to the gradient of f, f_i or f_ij.
func (s *fledgeSaddle) gradientOf(dst, x []float64, a whose) {
	switch {
	case a.i < 0:
		s.FullGradient(dst, x)
	case a.j < 0:
		s.ClientGradient(dst, x, a.i)
	default:
		s.Gradient(dst, x, a.i, a.j)
	}
}

// addGap adds c·(∇f_a(x) − ∇f_a(x̃)) to dst, at the points with number m.
func (p *fledgeCouple) addGap(dst []float64, c float64, m int, a whose) {
	g := make([]float64, p.d)
	p.gradientOf(g, p.x[m], a)
	floats.AddScaled(dst, c, g)
	p.gradientOf(g, p.twin[m], a)
	floats.AddScaled(dst, -c, g)
}

// change returns the change of (∇f_a − ∇f_b)(x) − (∇f_a − ∇f_b)(x̃) from the points with number before to those with number m: u_i of lines 2697
// and 2822 for a = f_i, b = f, u_ij of lines 2704 and 2829 for a = f_ij, b = f_i. A negative before stands for coinciding points.
func (p *fledgeCouple) change(m, before int, a, b whose) []float64 {
	u := make([]float64, p.d)
	p.addGap(u, 1, m, a)
	p.addGap(u, -1, m, b)
	if before >= 0 {
		p.addGap(u, -1, before, a)
		p.addGap(u, 1, before, b)
	}
	return u
}

// hessianDrift returns dH of lines 2688-2693 at the points with number m, for f, f_i or f_ij.
func (p *fledgeCouple) hessianDrift(m int, a whose) *mat.SymDense {
	h := coupled.Segment(p.product(a), p.twin[m], p.x[m], 1+int(p.wn[m])) // the length scale of a saddle is 1
	coupled.AddScaled(h, -1, coupled.Hessian(p.product(a), p.x[p.from]))
	return h
}

// total returns dH^{t,k}w^{t,k} + g^{t−1} + h^{t,k}, the part of the dynamics of w that is not (I − ηH)w.
func (p *fledgeCouple) total(m int) []float64 {
	v := coupled.Times(p.hessianDrift(m, whole), p.w[m])
	floats.Add(v, p.force[m])
	return v
}

// coupleRange says what drawCouple draws from.
type coupleRange struct {
	fledgeSaddleRange
	rounds int     // most rounds after the kick
	radius float64 // largest distance of x⁰ from the saddle
	inner  bool    // the kick may be at any local step, not the last of a round only
}

// drawCouple draws a saddle and a couple on it, all randomness from the source; minibatches are within the data of a client. It returns nil
// after Skip if H has no negative eigenvalue.
func drawFLEDGECouple(src *props.Source, rec *props.Recorder, l coupleRange) *fledgeCouple {
	shape := drawFLEDGESaddleShape(src, l.fledgeSaddleRange)
	s := shape.build(src.Rand("directions"))
	c := fledgeCoupling{p: src.Int("p", 1, s.P)}
	c.K = src.Int("K", 1, min(4, s.data))
	c.b = src.Int("b", 1, s.data/c.K)
	c.option = algos.Option(src.Pick("option", "II", "I"))
	c.eta = src.LogReal("eta L", 0.05, 1) / s.L
	tau0, kappa0 := src.Int("tau0", 1, 3), src.Int("kappa0", 0, c.K-1)
	c.from = (tau0-1)*c.K + kappa0
	c.kick = tau0 * c.K
	if l.inner {
		c.kick = c.from + src.Int("local steps to the kick", 1, c.K)
	}
	c.T = (c.kick-1)/c.K + 1 + src.Int("further rounds", 1, l.rounds)
	c.re, c.r = src.LogReal("r_e", 1e-3, 0.3), src.LogReal("r", 1e-3, 0.3)
	c.x0 = coupled.Near(src, s.d, l.radius)
	p := s.couple(c, algos.Keyed(src.Key("run")))
	if p.gamma <= 0 {
		rec.Skip("the Hessian at x^{τ0,κ0} has no negative eigenvalue")
		return nil
	}
	return p
}
