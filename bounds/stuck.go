package bounds

import (
	"cmp"
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// stuckBatch is the batch size √n + C²ζ²/δ², rounded up to an integer and capped at n: with C = C_b
// that of lemma:Small-Stuck-Region (line 1555), with C = 1 that of lemma:Escape-Small-Stuck-Region
// (line 1887) and, up to a constant, of theorem:Second-Main (line 408).
func stuckBatch(n int, c, zeta, delta float64) int {
	return min(n, int(math.Ceil(math.Sqrt(float64(n))+c*c*zeta*zeta/(delta*delta))))
}

// The literal constants of the proof.
const (
	// stuckCd makes (1+ηγ)^{T_2} ≥ 4R/r_e for all ηγ ≤ 1 and R/r_e ≥ 2, which the contradiction of
	// lines 1733-1736 needs.
	stuckCd = 3 / math.Ln2
	// stuckRoom is the smallest R/r_e for which stuckCd is enough.
	stuckRoom = 2
)

// proofConstant returns the C = C_b or C_e of the region R = δ/(Cρ) that lets every step of the
// proofs of lemma:Small-Stuck-Region and lemma:D-Small-Stuck-Region pass, in their repaired form
// (the claims of this file say what had to be repaired), for logX = log(R/r_e) and T_2 or T_5. The
// paper leaves it as Õ(1). It is the largest of the three conditions that the induction imposes: on
// the sum of errors (line 1818), on the increments (line 1852, with 1 + log T_2 for the harmonic
// sum) and on the Hessian sum (line 1798, in the right direction); errors is C times the
// coefficient of (c) over γ.
func proofConstant(errors, logX, horizon float64) float64 {
	return max(4*errors*stuckCd*logX,
		(stuckCd*logX+1+math.Log(max(1, horizon)))*(2+errors), 8*stuckCd*logX)
}

// stepErrors is 3C_1^{1/2}C_c, for C_1 ≥ 4 and C_c = pairCc.
func stepErrors(c1 float64) float64 { return 3 * math.Sqrt(c1) * pairCc(c1) }

// localErrors is 2C_h for C_1 ≥ 4. C_g is pairCg, and C_h half of what (c) collects: from the table
// (√2 + 3√2√C_1 + 2√3√C_1 + 2)C_g, from the local steps 3 + 8 + 14C_1², if η(ζK + L√(K/b)) ≤ 1/C_e.
func localErrors(c1 float64) float64 { return 2 * (5*math.Sqrt(c1)*pairCg(c1) + 8*c1*c1) }

// regionRadius is the radius R = δ/(Cρ) of the region around a saddle that one of two runs is to
// leave. It is at most 0.05, a twentieth of the length scale of the saddles: on a quadratic every ρ
// is valid.
func regionRadius(c, delta, rho float64) float64 {
	const most = 0.05
	if rho == 0 {
		return most
	}
	return min(most, delta/(c*rho))
}

// stuckInstance is an instance of the lemmas about coupled runs.
type stuckInstance struct {
	*saddle
	coupling
	constant float64 // C_b or C_e
	// δ, a little less than γ at the saddle, so that λ_min ≤ −δ in a neighbourhood
	delta  float64
	share  float64 // ν/T or ν/(TK)
	radius float64 // R = δ/(C_bρ) or δ/(C_eρ); 0.05 at most
	// C_1, of the proof where the constant is its, and T_1 or T_3, of what is said of each step
	c1     float64
	window int
}

// overC is δ/C_b or δ/C_e.
func (in *stuckInstance) overC() float64 { return in.delta / in.constant }

// kicked sets what follows from R/r_e = x: the separation, and the steps in which it grows to 4R
// at the rate of δ.
func (in *stuckInstance) kicked(x float64) *stuckInstance {
	in.radius = regionRadius(in.constant, in.delta, in.rho)
	in.re = in.radius / x
	in.T = in.roundsFor(math.Log(4*x) / math.Log1p(in.eta*in.delta))
	return in
}

// drawStuck draws an instance for SLEDGE with the constants of the proof or, if C_b = given[0] is
// given, with region δ/(C_bρ) and batch √n + C²ζ²/δ², C = given[1].
func drawStuck(src *props.Source, l saddleRange, given ...float64) *stuckInstance {
	l.gamma = 0.1 // keeps runs short
	l.d = cmp.Or(l.d, manyDimensions)
	shape := drawSaddleShape(src, l)
	in := &stuckInstance{delta: 0.9 * shape.Gamma,
		share: drawNu(src, "nu / T", cmp.Or(l.times, 1))}
	x := src.LogReal("R / r_e", stuckRoom, cmp.Or(l.room, 300))
	in.tau0 = src.Int("tau0", 0, 3)
	in.tau = in.tau0 + 1 + src.Int("tau - tau0 - 1", 0, 3)
	etaL := src.LogReal("eta L", 0.2, 0.5)

	// T_2 with L = 1, as a guess: the curvature of the components changes it by less than the
	// factor 4, and C_b depends on its logarithm only.
	horizon := stuckCd * math.Log(x) / (etaL * in.delta)
	steps := in.tau + int(math.Ceil(math.Log(4*x)/math.Log1p(etaL*in.delta/4)))
	batch := 0.0
	if len(given) > 0 {
		in.constant, batch = given[0], given[1]
	} else {
		c1 := max(4, concentration.C1(1, concentration.Sizes{N: shape.P, D: shape.d(), T: steps,
			Nu: in.share * float64(steps)}))
		in.constant = proofConstant(stepErrors(c1), math.Log(x), 4*horizon)
		in.c1, batch = c1, in.constant
		// The largest heterogeneity for which b ≥ √n + C_b²ζ²/δ² has a solution b ≤ n.
		most := in.delta * math.Sqrt(max(0, float64(shape.P)-math.Sqrt(float64(shape.P)))) /
			in.constant
		shape.Between.Hessian = min(1, shape.Between.Hessian/(l.zeta*shape.Gamma)) * most / 2
		shape.Between.Amplitude *= most / 4
	}
	// Linear terms so small that the error that Option I starts with does not carry the run out of
	// the region: ρ is at most 1 + amplitude times that of the mean, and L about 1 at least.
	mean := shape
	mean.P, mean.Between = 1, problems.Heterogeneity{}
	_, _, rho := mean.problem(keyed.New(0).Rand()).Smoothness() // whatever its directions
	shape.Between.Linear *= 0.02 * regionRadius(in.constant, in.delta,
		(1+shape.Between.Amplitude)*rho.Value)
	in.saddle = shape.build(src.Rand("directions"))
	in.b = stuckBatch(in.P, batch, in.zeta, in.delta)
	in.eta = etaL / in.L
	if len(given) == 0 && in.zeta > 0 {
		in.eta = min(in.eta, 1/(6*in.zeta*in.constant))
	}
	return in.kicked(x)
}

// regime is that of a claim about coupled runs that may fail with probability delta; strayed tells
// whether the errors that they do not share are to matter.
func (in *stuckInstance) regime(delta float64, strayed bool) props.Regime {
	r := in.sampling(in.P, in.d, in.zeta).And(
		props.Min("steps after the perturbation", in.T*max(1, in.K)-in.tau, LeastSteps),
		props.Allowed(delta), noiseWithin(in.r, in.radius))
	if strayed {
		r = reporting(straying, r)
	}
	return r
}

// trial is a claim about coupled runs that may fail with probability delta, inside the region and
// where λ_min(∇²f) ≤ −δ at x^{τ0}, or x^{τ0,κ0}. It bounds the probability that this premise holds and
// the conclusion does not: whether the runs are inside is known only after the perturbation, so
// that a probability given the premise would be a probability given the future. Runs that do not
// meet the premise at x^{τ0} are not handed on.
func (in *stuckInstance) trial(delta float64, strayed bool,
	compare func(p *coupledRuns, t props.Trial, rec *props.Recorder)) props.TailTrial {
	return props.TailTrial{Delta: delta, Joint: true, Regime: in.regime(delta, strayed),
		Run: func(t props.Trial, rec *props.Recorder) {
			p := in.run(t)
			if p.gamma < in.delta {
				rec.Skip("λ_min(∇²f) > −δ where the perturbation begins")
				return
			}
			compare(p, t, rec)
		}}
}

// run makes two coupled runs and reports at which share of the steps they stray.
func (in *stuckInstance) run(t props.Trial) *coupledRuns {
	p := in.under(t).couple(roomOf(t), algos.Keyed(t.Key))
	p.report(t)
	return p
}

// drawStart draws the start of the coupled runs: the noise radius, the option, and x⁰ within R/4 of
// the saddle along e.
func (in *stuckInstance) drawStart(src *props.Source) *stuckInstance {
	in.option = algos.Option(src.Pick("option", "II", "I"))
	in.r = in.re * src.LogReal("r / r_e", 1e-3, 1)
	in.x0 = plus(make([]float64, in.d), in.radius/4*src.Real("x0 / (R/4)", -1, 1), in.e)
	return in
}

// drawSteps draws an instance for SLEDGE of at most so many components.
func drawSteps(most int, given ...float64) func(src *props.Source, times float64) *stuckInstance {
	return func(src *props.Source, times float64) *stuckInstance {
		return drawStuck(src, saddleRange{P: problems.Sizes(1, most), zeta: 10, times: times}, given...)
	}
}

// centre is the number of the point around which the region is.
func (in *stuckInstance) centre() int {
	if in.K == 0 {
		return in.tau
	}
	return in.tau0
}

// drawStuckClients draws an instance for FLEDGE with the constants of the simulations. γ at the
// origin stands for δ: x⁰ and all points before the perturbation lie so close to the saddle that γ
// at x^{τ0,κ0} differs from it by little, and δ is taken a thousandth smaller. P is at least 9, and
// clients and minibatches are such that p ≥ √P + C²ζ²/δ² + C²L²/(Kbδ²), K ≤ L/ζ and, unless small
// ones are asked for, b ≥ K.
func drawStuckClients(src *props.Source, l saddleRange) *stuckInstance {
	c := l.clients
	l.P, l.data, l.d = problems.Sizes(9, 16), problems.Sizes(1, 12), manyDimensions
	l.gamma, l.zeta, l.within = 0.25, 1/c, cmp.Or(l.within, 1)
	shape := drawSaddleShape(src, l)
	shape.Between.Amplitude /= c
	in := &stuckInstance{share: drawTenth(src, "nu / (TK)", cmp.Or(l.times, 1)), constant: l.region}
	x := src.LogReal("R / r_e", 2, cmp.Or(l.room, 300))
	etaL := src.LogReal("eta L", 0.2, 0.5)
	in.saddle = shape.build(src.Rand("directions"))
	in.delta = 0.999 * in.gamma
	in.K = src.Int("K", 1, max(1, min(4, int(in.L/in.zeta))))
	enough := func() float64 {
		return algos.EnoughClients(float64(in.P), c, in.zeta, in.L, in.delta, float64(in.K*in.b))
	}
	if in.b = in.K; l.small {
		in.b = 1
	}
	for in.b < 1000 && enough() > float64(in.P) { // beyond that ζ is too large for any b
		in.b++
	}
	in.b += src.Int("b beyond its bound", 0, max(0, in.K-in.b)+2)
	in.p = min(in.P, int(math.Ceil(enough())))
	in.drawKick(src, 2)
	in.eta = etaL / in.L
	return in.kicked(x)
}

// roundsFor is the number of steps, or rounds, in which so many steps, local ones where there are
// such, after the perturbation end.
func (in *stuckInstance) roundsFor(steps float64) int {
	return int(math.Ceil((float64(in.tau) + steps) / float64(max(1, in.K))))
}

// drawClientPair draws an instance for FLEDGE for a statement that may fail with probability
// times·ν/(TK), in which the data of a client differ by so much.
func drawClientPair(within float64) func(src *props.Source, times float64) *stuckInstance {
	return func(src *props.Source, times float64) *stuckInstance {
		c := src.LogReal("C_e", 1, 3)
		in := drawStuckClients(src, saddleRange{times: times, within: within, small: true, region: c,
			clients: c}).drawStart(src)
		in.T = min(in.T, in.tau/in.K+12)
		return in.followed()
	}
}

// largest returns the largest ‖w^s‖ of the rounds from … to.
func (p *coupledRuns) largest(from, to int) float64 {
	most := 0.0
	for s := from; s <= to; s++ {
		most = max(most, p.wn[s*p.K])
	}
	return most
}

// drawProof draws an instance with the constants of the proof. They are so large that clients must
// agree almost perfectly, and that minibatches of the size that the lemma asks for exceed all data:
// clients then use all they have. The statement may fail with probability times·ν/(TK).
func drawProof(src *props.Source, times float64) *stuckInstance {
	shape := drawSaddleShape(src, saddleRange{P: problems.Sizes(9, 12), data: problems.Sizes(1, 4),
		d: manyDimensions, gamma: 0.25})
	in := &stuckInstance{share: drawTenth(src, "nu / (TK)", times)}
	x, etaL := src.LogReal("R / r_e", 2, 300), src.LogReal("eta L", 0.2, 0.5)
	in.K = src.Int("K", 1, 6)
	in.drawKick(src, 2)
	// a guess at T_5 with L = 1, of which C_e depends on the logarithm only
	horizon := 4 * stuckCf * math.Log(x) / (etaL * shape.Gamma)
	c1 := max(4, concentration.C1(1,
		concentration.Sizes{P: shape.P, D: shape.d(), T: int(horizon), K: in.K,
			Nu: in.share * horizon}))
	in.constant, in.c1 = proofConstant(localErrors(c1), math.Log(x), horizon), c1
	shrink := 1 / (8 * float64(in.K) * in.constant) // ζ ≤ 2·(Hessian + 2·amplitude)·shrink
	shape.Between.Hessian *= shrink
	shape.Between.Amplitude *= shrink
	// they cancel in all differences, and would cost digits
	shape.Between.Linear, shape.Within.Linear = 0, 0
	in.saddle = shape.build(src.Rand("directions"))
	in.delta = 0.999 * in.gamma
	b := 16 * float64(in.K) * sq(in.constant*in.L/in.delta)
	in.b = in.data
	in.p = int(math.Ceil(algos.EnoughClients(float64(in.P), in.constant, in.zeta, in.L, in.delta,
		float64(in.K)*b)))
	in.eta = etaL / in.L
	return in.kicked(x)
}

// closeConstants are the constants with which the sharper forms are tried.
var closeConstants = saddleRange{region: 4, clients: 3}

func drawClose(src *props.Source, times float64) *stuckInstance {
	l := closeConstants
	l.times = times
	return drawStuckClients(src, l)
}

// dynamics returns the forces f = dHw + g of the runs by number, from the perturbation on, and the
// sums Σ_{s<m}(I − ηH)^{m−1−s}f^s of which their differences consist.
func (p *coupledRuns) dynamics() (sums, force [][]float64) {
	sums, force = make([][]float64, len(p.x)), make([][]float64, len(p.force))
	sum := make([]float64, p.d)
	for m := p.tau; m < len(sums); m++ {
		if sums[m] = sum; m < len(force) {
			force[m] = plus(p.force[m], 1, times(p.hessianDrift(m, whole), p.w[m]))
			sum = plus(p.stepped(sum), 1, force[m])
		}
	}
	return sums, force
}

// stepped is (I − ηH)v, by which a step multiplies the difference on a quadratic.
func (p *coupledRuns) stepped(v []float64) []float64 {
	return plus(v, -p.eta, times(p.H, v))
}

// increments are those of w from the perturbation on with the parts of their decomposition.
func (p *coupledRuns) increments(try vectors) {
	sums, force := p.dynamics()
	for m := p.tau; m+1 < len(p.x); m++ {
		try("", along(map[string][]float64{"w'": p.w[m+1], "w": p.w[m], "e": p.e, "F": force[m],
			"driven": sums[m],
			"S":      plus(make([]float64, p.d), p.eta, times(p.H, sums[m]))},
			map[string]float64{"η": p.eta, "γ": p.gamma, "grown": p.growth(m)}),
			p.span()*p.growth(m)/p.re)
	}
}

// drifts are the norms of dH^tw^t, with the farthest that the run gets from x^{τ0} for R.
func (p *coupledRuns) drifts(try func(string, formula.Values)) {
	radius := p.farthest(p.tau0)
	for t := p.tau; t <= p.T; t++ {
		try("", formula.Given(map[string]float64{"ρ": p.rho, "R": radius, "grown": p.growth(t),
			"‖w‖":   p.wn[t],
			"‖dHw‖": floats.Norm(times(p.hessianDrift(t, whole), p.w[t]), 2)}))
	}
}

// couplings are the differences of the runs up to the perturbation.
func (p *coupledRuns) couplings(try vectors) {
	for t := range p.tau + 1 {
		before, kick, size := min(t, p.tau-1), 0.0, 0.0 // what is computed alike is the same to the bit
		if t == p.tau {
			kick, size = p.re, p.span()
		}
		try("", along(map[string][]float64{"w": p.w[t], "e": p.e, "g": p.pair.Run.V[before],
			"F": p.pair.Coupled.V[before]}, map[string]float64{"r_e": kick}), size)
	}
}

// starts are the eigenvector at x^{τ0} and the distance of the points after the perturbation.
func (p *coupledRuns) starts(try vectors) {
	try("", along(map[string][]float64{"He": times(p.H, p.e), "e": p.e},
		map[string]float64{"γ": p.gamma}), p.L)
}

// ends are the norms of the last differences.
func (p *coupledRuns) ends(try func(string, formula.Values)) {
	on := formula.Given(map[string]float64{"ρ": p.rho, "b": float64(p.b), "n": float64(p.P),
		"grown": p.growth(p.T)})
	on["‖w‖"] = func() (value, size float64) { return p.wn[p.T], p.span() * p.growth(p.T) / p.re }
	try("", on)
}

// kicks are the distances along e after the perturbation.
func (p *coupledRuns) kicks(try vectors) {
	try("", along(map[string][]float64{"along": {floats.Dot(p.w[p.tau], p.e)}},
		map[string]float64{"r_e": p.re}), p.span())
}

// stuckCf is the C_f with which (1+ηγ)^{T_5} ≥ 4R/r_e for all ηγ ≤ 1 and R/r_e ≥ 2, as for SLEDGE.
const stuckCf = stuckCd

// smallRuns are short runs on small saddles.
var smallRuns = coupledRange{saddleRange: saddleRange{P: problems.Sizes(1, 4),
	data: problems.Sizes(1, 8)}, most: 4, radius: 1}

// innerRuns are the same with perturbations within rounds.
var innerRuns = coupledRange{saddleRange: smallRuns.saddleRange, most: smallRuns.most,
	radius: smallRuns.radius, inner: true}

// drawPerturbed draws two coupled runs near a saddle, with C_b = 4 in the region and in the minibatch
// of the stuck region lemma at the perturbation, and ⌈√n⌉ at all other steps.
func drawPerturbed(src *props.Source, times float64) *stuckInstance {
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 100), zeta: 10, times: times}, 4, 4)
	large := in.b
	in.b = algos.RootBatch(in.P)
	in.eta = phaseStepSizeAt(in.L, in.zeta, in.P, in.b, 1)
	in.T = in.tau + int(math.Ceil(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma)))
	in.schedule = func(t int) int {
		if t == in.tau {
			return large
		}
		return in.b
	}
	return in
}
