package finitesum

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/bounds/internal/num"
	"sledge/props"
)

// PLRun is the setting of the convergence of SLEDGE under the PL condition (theorem:PL-Main, lines 438-451, proof in lines 2050-2143).
type PLRun struct {
	Option algos.Option
	N, B   int     // components and minibatch size, 1 ≤ B ≤ N
	C1     float64 // constant of the concentration tools, ≥ 1
	L, Mu  float64 // smoothness and PL constant, 0 < Mu ≤ L
	Zeta   float64 // Hessian heterogeneity, ≥ 0
	SigmaC float64 // root mean square spread of the component gradients at x⁰; Option I only
	GC     float64 // their largest distance from the mean; Option I only
	Delta  float64 // f(x⁰) − f*
	Eta    float64 // step size, 0 < Eta·Mu < 1
	R      float64 // noise radius
}

// PLStep is the step size of line 2110 with the given constant c in place of Θ.
func PLStep(c float64, s PLRun) float64 {
	return algos.SLEDGETheory{N: s.N, B: s.B, C1: s.C1, L: s.L, Zeta: s.Zeta, Mu: s.Mu}.PLStep(c)
}

// Window is T_1 = (n/b)C_1, not rounded (line 2108).
func (s *PLRun) Window() float64 { return float64(s.N) / float64(s.B) * s.C1 }

// Decay is (1−ημ)^t, for real t of either sign.
func (s *PLRun) Decay(t float64) float64 { return math.Exp(t * math.Log1p(-s.Eta*s.Mu)) }

// InitialTerm is what Option I adds to the bound on f(x^T) − f*: (1−ημ)^{T−T_1}(12C_1³ηn/b²)(σ_c² + G_c²/b) (line 2119), 0 for Option II.
func (s *PLRun) InitialTerm(T int) float64 {
	if s.Option == algos.OptionII {
		return 0
	}
	return s.Decay(float64(T)-s.Window()) * s.Eta * InitialTerm(12, s.N, s.B, s.C1, s.SigmaC, s.GC)
}

// NoiseTerm is Σ_{t=1}^T (1−ημ)^{T−t} r²/η (line 2117).
func (s *PLRun) NoiseTerm(T int) float64 {
	return -math.Expm1(float64(T)*math.Log1p(-s.Eta*s.Mu)) / (s.Eta * s.Mu) * s.R * s.R / s.Eta
}

// NoiseFloor is r²/(η²μ), the limit of [PLRun.NoiseTerm] (line 2127).
func (s *PLRun) NoiseFloor() float64 { return s.R * s.R / (s.Eta * s.Eta * s.Mu) }

// Bound is the bound on f(x^T) − f* with which the proof ends (lines 2114-2125).
func (s *PLRun) Bound(T int) float64 {
	return s.Decay(float64(T))*s.Delta + s.NoiseTerm(T) + s.InitialTerm(T)
}

// PLNoiseRadius is the largest admissible noise radius, r = η√(εμ/3) (line 442).
func PLNoiseRadius(eta, mu, eps float64) float64 { return eta * math.Sqrt(eps*mu/3) }

// PLHorizon is a number of steps after which each of the three terms of [PLRun.Bound] is at most ε/3 (lines 2126-2130), with the 3 inside the
// logarithms and for a noise radius of at most [PLNoiseRadius].
func (s *PLRun) PLHorizon(eps float64) float64 {
	perStep := -math.Log1p(-s.Eta * s.Mu)
	steps := max(0, math.Log(3*s.Delta/eps)/perStep)
	if at0 := s.InitialTerm(0); at0 > eps/3 {
		steps = max(steps, math.Log(3*at0/eps)/perStep)
	}
	return math.Ceil(steps)
}

// PLComplexity is Lb/μ ∨ ζ√n/μ ∨ n (line 446): the number of stochastic gradients but for its logarithm.
func PLComplexity(L, mu, zeta, n, b float64) float64 {
	return max(L*b/mu, zeta*math.Sqrt(n)/mu, n)
}

// drawnPL is a problem together with everything a run of SLEDGE on it needs.
type drawnPL struct {
	PLRun
	p     problems.Certified
	x0    []float64
	least float64 // f*
	eps   float64 // accuracy for which the noise radius is admissible
}

// drawPLRun draws a PL problem, a starting point and parameters of SLEDGE: the step size of line 2110 with [algos.SLEDGEPLFactor], and either no noise or
// the largest admissible one. C1 has the literal value of a run of plHorizon steps with failure probability plNu. With bold it may also be 1, the
// smallest value that the proof admits (line 1477), which gives larger steps than the theorem promises anything for. ok is false if the run starts
// at a minimum or would take more than plHorizon steps for three time constants 1/(ημ).
func drawPLRun(src *props.Source, bold bool) (d *drawnPL, ok bool) {
	l := problems.Limits{N: problems.Sizes(2, 24), D: problems.Sizes(1, 4)}
	d = &drawnPL{}
	if src.Pick("family", "quadratic", "nonconvex PL") == 0 {
		d.p = problems.DrawQuadratic(src, l)
	} else {
		d.p = problems.DrawNonconvexPL(src, l)
	}
	d.x0 = problems.DrawPoint(src, "x0", d.p.Dim(), 5)
	c := d.p.Constants(d.x0)
	d.least, _ = d.p.Minimum()
	d.Option = algos.Option(src.Pick("option", "II", "I"))
	d.N = d.p.Components()
	d.B = src.Int("b", 1, d.N)
	d.L, d.Mu, d.Zeta, d.Delta = c.L.Value, c.Mu.Value, c.Zeta.Value, c.Delta.Value
	d.SigmaC, d.GC = c.SigmaC.Value, c.GC.Value
	d.C1 = bounds.C1(1, bounds.Sizes{N: d.N, D: d.p.Dim(), T: plHorizon, Nu: plNu})
	if bold && src.Pick("C1", "literal", "1") == 1 {
		d.C1 = 1
	}
	d.Eta = PLStep(algos.SLEDGEPLFactor, d.PLRun)
	d.eps = d.Delta * src.LogReal("ε/Δ", 1e-2, 0.9)
	if src.Bool("noise") {
		d.R = PLNoiseRadius(d.Eta, d.Mu, d.eps)
	}
	return d, d.Delta > 0 && d.constants(3) <= plHorizon
}

// constants returns the number of steps of k time constants 1/(ημ).
func (d *drawnPL) constants(k float64) int { return int(math.Ceil(k / (d.Eta * d.Mu))) }

// regime is that of a claim about runs of T steps; the probability that they allow is 3ν.
func (d *drawnPL) regime(T int) props.Regime {
	return bounds.WithErrors(bounds.Sum(d.N, d.B, len(d.x0), d.Zeta).And(bounds.Steps(T), props.Allowed(3*plNu)))
}

// run runs SLEDGE for T steps and shows its state at the start and after each of them. It reports the share of steps at which the estimator errs, from
// about twenty of them.
func (d *drawnPL) run(t props.Trial, T int, look func(step int, m *algos.SLEDGE)) {
	monitor, share := algos.NewMonitor(algos.Sum(d.p)), bounds.Share{}
	defer share.Report(t)
	m := &algos.SLEDGE{Eta: d.Eta, Batch: d.B, Radius: d.R, Option: d.Option}
	if err := m.Start(algos.NewOracle(algos.Sum(d.p)), d.x0, algos.Keyed(t.Key)); err != nil {
		panic(err) // the ranges are valid
	}
	look(0, m)
	for step := 1; step <= T; step++ {
		m.Step()
		look(step, m)
		if step*plLooks/T != (step-1)*plLooks/T {
			errSq, gradSq := monitor.ErrorSquared(m.Estimator(), m.Point()), sq(monitor.GradientNorm(m.Point()))
			if errSq < num.Rounding(d.L*floats.Norm(m.Point(), 2))*props.RoundingBand {
				errSq = 0
			}
			share.Step(errSq, gradSq)
		}
	}
}

// gap returns f(x) − f*.
func (d *drawnPL) gap(x []float64) float64 { return d.p.Value(x) - d.least }

const (
	plNu      = 1.0 / 30 // ν of the simulations; the theorem then allows a failure probability of 3ν = 0.1
	plHorizon = 1500     // most steps of a simulated run
	plLooks   = 20       // how often one is looked at for the error of the estimator
)

// nothing is a statement without content, for instances on which a simulation would show nothing.
var nothing = props.TailTrial{Delta: 1}

func plClaims() []props.Binding {
	return []props.Binding{
		props.Bind("pl-main-complexity", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				count, claimed, log := plCost(src)
				return count, claimed * log
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				count, claimed, _ := plCost(src)
				return claimed, count
			}),
			props.Tail(setupPLTarget))),
		props.Bind("pl-main-log-argument", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLLogs(src)
				return s.thirdTermSteps(), s.T1() + s.C1/s.etaMu()*max(1, s.lnSigma+math.Ln2-s.lnEps)
			}),
			gapLike("σ_c", func(v props.Values) float64 { return v["σ_c"] }))),
		props.Bind("pl-main-log-argument/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLLogs(src)
				return s.thirdTermSteps(), s.T1() + s.C1/s.etaMu()*max(1, 2*s.lnSigma+math.Ln2-s.lnL-s.lnEps)
			}),
			gapLike("(σ_c²+G_c²)/L", func(v props.Values) float64 { return (sq(v["σ_c"]) + sq(v["G_c"])) / v["L"] }))),
		props.Bind("pl-main-hidden-logs", props.Order(func(src *props.Source) (float64, float64) {
			s := drawPLHidden(src)
			return s.c1(), s.log(s.lnMuInverse) * (1 + math.Log(s.lambda))
		})),
		props.Bind("pl-main-hidden-logs/corrected", props.Order(func(src *props.Source) (float64, float64) {
			s := drawPLHidden(src)
			return s.c1(), s.log(max(s.lnKappa, s.lnD)) * (1 + math.Log(s.lambda))
		})),
		props.Bind("pl-linear-rate", props.Tail(setupLinearRate)),
	}
}

// setupLinearRate compares every step of a run with the bound of the proof.
func setupLinearRate(src *props.Source) props.TailTrial {
	d, ok := drawPLRun(src, true)
	if !ok {
		return nothing
	}
	// Below one time constant every bound is close to Δ and says little.
	first, T := d.constants(1), d.constants(3)
	return props.TailTrial{Delta: 3 * plNu, Regime: d.regime(T), Run: func(t props.Trial, rec *props.Recorder) {
		rec.Plot("decay under the PL condition", "step", "f(x^t) − f*")
		d.run(t, T, func(step int, m *algos.SLEDGE) {
			if step < first {
				return
			}
			gap, bound := d.gap(m.Point()), d.Bound(step)
			rec.AtMost("f(x^t) − f*", gap, bound)
			if step*20%T < 20 {
				rec.Point(float64(step), gap, bound)
			}
		})
	}}
}

// setupPLTarget asks whether a run has reached the accuracy ε after the number of steps that the proof takes.
func setupPLTarget(src *props.Source) props.TailTrial {
	d, ok := drawPLRun(src, true)
	if !ok {
		return nothing
	}
	T := int(min(d.PLHorizon(d.eps), 2*plHorizon+1))
	if T < 1 || T > 2*plHorizon {
		return nothing
	}
	return props.TailTrial{Delta: 3 * plNu, Regime: d.regime(T), Run: func(t props.Trial, rec *props.Recorder) {
		d.run(t, T, func(step int, m *algos.SLEDGE) {
			if step == T {
				rec.AtMost("f(x^T) − f*", d.gap(m.Point()), d.eps)
			}
		})
	}}
}

// plCost draws the number of stochastic gradients of Option I with the explicit number of steps, the claimed expression, and its logarithm. C_1 is
// a variable of its own, of which 5.5 powers are hidden.
func plCost(src *props.Source) (count, claimed, log float64) {
	s := PLRun{Option: algos.OptionI, N: int(bounds.SeveralUpTo(src, "n", 1e9)), L: 1, Mu: 1 / bounds.AtLeastOne(src, "L/μ", 1e9),
		Zeta: 2 * bounds.AtMostOne(src, "ζ/2L", 1e-9), Delta: src.LogReal("Δ", 1e-9, 1e9), SigmaC: src.LogReal("σ_c", 1e-9, 1e9)}
	n := float64(s.N)
	s.B = drawBatch(src, s.N)
	s.GC = s.SigmaC // lines 256-260
	s.C1 = src.Logarithm("C_1", 1e3)
	s.Eta = PLStep(algos.SLEDGEPLFactor, s)
	eps := s.Delta / bounds.AtLeastOne(src, "Δ/ε", 1e9)
	b := float64(s.B)
	log = max(1, math.Log((s.Delta+n*2*s.SigmaC*s.SigmaC/s.L)/eps))
	return b + 2*b*s.PLHorizon(eps), PLComplexity(s.L, s.Mu, s.Zeta, n, b), log
}

// gapLike checks that a term may be added to Δ and divided by ε in the argument of a logarithm.
func gapLike(name string, term func(props.Values) float64) props.Check {
	return props.Dimensional(bounds.ValueUnit, bounds.Quantities("Δ", "σ_c", "G_c", "L"),
		map[string]func(props.Values) float64{"Δ": func(v props.Values) float64 { return v["Δ"] }, name: term})
}

// drawBatch draws a minibatch size between 1 and n, evenly in the logarithm.
func drawBatch(src *props.Source, n int) int {
	return min(n, max(1, int(math.Round(math.Pow(float64(n), src.Real("log b / log n", 0, 1))))))
}

// plLogs holds the parameters of the third term of the bound, large ones as logarithms because they occur in logarithms only.
type plLogs struct {
	n, b, C1            float64
	kappa               float64 // L/μ
	zeta                float64 // ζ/L
	lnL, lnSigma, lnEps float64 // of L, σ_c = G_c and ε
}

// drawPLLogs draws them; C_1 is the logarithm of line 2140.
func drawPLLogs(src *props.Source) plLogs {
	n := bounds.SeveralUpTo(src, "n", 1e9)
	s := plLogs{n: n, b: float64(drawBatch(src, int(n))), kappa: bounds.AtLeastOne(src, "L/μ", 1e9), zeta: 2 * bounds.AtMostOne(src, "ζ/2L", 1e-9)}
	// the units of length and of f are free
	s.lnL = []float64{1, -1}[src.Pick("L", "above 1", "below 1")] * src.LogReal("|ln L|", 1e-3, 1e3)
	s.lnSigma = src.LogReal("ln σ_c", 1e-6, 1e6)
	s.lnEps = s.lnSigma - src.LogReal("ln(σ_c/ε)", 1e-6, 1e6)
	s.C1 = max(1, math.Log(10+s.n), math.Log(s.kappa)-s.lnL) // log(n + 1/μ + 1/ν) for ν = 0.1, up to a factor 2
	return s
}

func (s *plLogs) T1() float64 { return s.n / s.b * s.C1 }

// etaMu is ημ for the step size of line 2110.
func (s *plLogs) etaMu() float64 {
	return algos.SLEDGEPLFactor / s.kappa * min(1, s.b/(math.Pow(s.C1, 4.5)*s.zeta*math.Sqrt(s.n)), s.b*s.kappa/(s.C1*s.n))
}

// thirdTermSteps is the smallest T, or T_1 if that is larger, with (1−ημ)^{T−T_1}(12C_1³ηn/b²)(σ_c²+G_c²/b) ≤ ε/3.
func (s *plLogs) thirdTermSteps() float64 {
	lnEta := math.Log(s.etaMu()*s.kappa) - s.lnL
	need := math.Log(36*math.Pow(s.C1, 3)*s.n/(s.b*s.b)*(1+1/s.b)) + lnEta + 2*s.lnSigma - s.lnEps
	return s.T1() + max(0, need)/-math.Log1p(-s.etaMu())
}

// plHidden holds the parameters that decide the size of C_1, as logarithms.
type plHidden struct {
	lnN, lnD, lnNuInverse, lnKappa, lnMuInverse float64
	lambda                                      float64 // the logarithm of (Δ+…)/ε in the number of steps
}

func drawPLHidden(src *props.Source) plHidden {
	ln := func(name string) float64 { return 1 + src.LogReal(name+" − 1", 1e-5, 1e5) }
	s := plHidden{lnN: ln("ln n"), lnD: ln("ln d"), lnNuInverse: ln("ln 1/ν"), lnKappa: ln("ln L/μ"), lambda: ln("ln (Δ+…)/ε")}
	s.lnMuInverse = s.lnKappa - ln("ln L")
	return s
}

// log is log(n + 1/ν + exp(other)) up to a factor 2.
func (s *plHidden) log(other float64) float64 { return max(s.lnN, s.lnNuInverse, other) }

// c1 solves C_1 = log(1/ν + n + d + T), up to a factor 2, with T = nC_1 + C_1(L/μ ∨ C_1^{4.5}ζ√n/μ ∨ C_1n)·λ (line 2132) for b = 1 and ζ = L.
func (s *plHidden) c1() float64 {
	c := 1.0
	for range 100 { // the right-hand side grows like 6.5 log C_1, so the iteration converges from below
		lnC := math.Log(c)
		lnT := max(s.lnN+lnC, lnC+math.Log(s.lambda)+max(s.lnKappa, 4.5*lnC+s.lnN/2+s.lnKappa, lnC+s.lnN))
		c = max(1, s.lnNuInverse, s.lnN, s.lnD, lnT)
	}
	return c
}
