package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/internal/num"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// plRun is the setting of the convergence of SLEDGE under the PL condition (theorem:PL-Main, lines
// 438-451, proof in lines 2050-2143).
type plRun struct {
	algos.SLEDGETheory
	SigmaC float64 // root mean square spread of the component gradients at x⁰; Option I only
	GC     float64 // their largest distance from the mean; Option I only
	Delta  float64 // f(x⁰) − f*
	Eta    float64 // step size, 0 < Eta·Mu < 1
	R      float64 // noise radius
}

// The symbols of the theorems under the PL condition besides those of the theory.
var (
	// plWords has an ε that bounds gradients. M is the number PKb of gradients of a minibatch, s
	// what Option I pays for its start, "gap" f(x^T) − f*; λ and ω are logarithms, and c is a
	// constant.
	plWords = Symbols("pl")
	// plValueWords has an ε that bounds f − f*.
	plValueWords = Symbols("pl-values")
)

// The formulas of theorem:PL-Main.
const (
	// after which both terms are at most ε/3
	plSteps       = "max{log(3Δ/ε), log(3s/ε)}/(ημ)"
	plNoiseRadius = "η√(εμ/3)" // line 442
)

var (
	plStepsOf       = formula.Must(plValueWords, plSteps).Of("Δ", "s", "ε", "η", "μ")
	plNoiseRadiusOf = formula.Must(plValueWords, plNoiseRadius).Of("η", "μ", "ε")
)

// Window is T_1 = (n/b)C_1, not rounded (line 2108).
func (s *plRun) Window() float64 { return float64(s.N) / float64(s.B) * s.C1 }

// Decay is (1−ημ)^t, for real t of either sign.
func (s *plRun) Decay(t float64) float64 { return math.Exp(t * math.Log1p(-s.Eta*s.Mu)) }

// initialTermAt is what Option I adds to the bound on f(x^T) − f*: (1−ημ)^{T−T_1}(12C_1³ηn/b²)(σ_c²
// + G_c²/b) (line 2119), 0 for Option II.
func (s *plRun) InitialTerm(T int) float64 {
	if s.Option == algos.OptionII {
		return 0
	}
	return s.Decay(float64(T)-s.Window()) * s.Eta *
		initialTermAt(12, s.N, s.B, s.C1, s.SigmaC, s.GC)
}

// NoiseTerm is Σ_{t=1}^T (1−ημ)^{T−t} r²/η (line 2117).
func (s *plRun) NoiseTerm(T int) float64 {
	return -math.Expm1(float64(T)*math.Log1p(-s.Eta*s.Mu)) / (s.Eta * s.Mu) * s.R * s.R / s.Eta
}

// Bound is the bound on f(x^T) − f* with which the proof ends (lines 2114-2125).
func (s *plRun) Bound(T int) float64 {
	return s.Decay(float64(T))*s.Delta + s.NoiseTerm(T) + s.InitialTerm(T)
}

// plNoiseRadiusAt is the largest admissible noise radius for f − f* ≤ eps, η√(εμ/3) (line 442).
func plNoiseRadiusAt(eta, mu, eps float64) float64 { return plNoiseRadiusOf.At(eta, mu, eps) }

// PLHorizon is a number of steps after which each of the three terms of [PLRun.Bound] is at most
// ε/3 (lines 2126-2130), with the 3 inside the logarithms and for a noise radius of at most
// plNoiseRadiusAt.
func (s *plRun) PLHorizon(eps float64) float64 {
	return math.Ceil(max(0, plStepsOf.At(s.Delta, s.InitialTerm(0), eps, s.Eta, s.Mu)))
}

// drawnPL is a problem together with everything a run of SLEDGE on it needs.
type drawnPL struct {
	plRun
	p     problems.Certified
	x0    []float64
	least float64 // f*
	eps   float64 // accuracy for which the noise radius is admissible
}

// drawPLRun draws a PL problem, a starting point and parameters of SLEDGE: the step size of line
// 2110 with [algos.SLEDGEPLFactor], and either no noise or the largest admissible one. C1 has the
// literal value of a run of plHorizon steps with failure probability plNu. With unitC1 it may also
// be 1, the smallest value that the proof admits (line 1477), which gives larger steps than the
// theorem promises anything for. ok is false if the run starts at a minimum or would take more than
// plHorizon steps for three time constants 1/(ημ).
func drawPLRun(src *props.Source, unitC1 bool) (d *drawnPL, ok bool) {
	l := problems.Limits{N: problems.Sizes(2, 24), D: manyDimensions}
	d = &drawnPL{}
	if src.Pick("family", "quadratic", "nonconvex PL") == 0 {
		d.p = problems.DrawQuadratic(src, l).ByClient()
	} else {
		d.p = problems.DrawNonconvexPL(src, l).ByClient()
	}
	d.x0 = problems.DrawPoint(src, "x0", d.p.Dim(), 5)
	c := d.p.Constants(d.x0)
	d.least, _ = d.p.Minimum()
	d.Option = algos.Option(src.Pick("option", "II", "I"))
	d.N = d.p.Components()
	d.B = src.Int("b", 1, d.N)
	d.L, d.Mu, d.Zeta, d.Delta = c.L.Value, c.Mu.Value, c.Zeta.Value, c.Delta.Value
	d.SigmaC, d.GC = c.SigmaC.Value, c.GC.Value
	d.C1 = concentration.C1(1, concentration.Sizes{N: d.N, D: d.p.Dim(), T: plHorizon, Nu: plNu})
	if unitC1 && src.Pick("C1", "literal", "1") == 1 {
		d.C1 = 1
	}
	d.Eta = d.PLStep(algos.SLEDGEPLFactor)
	d.eps = d.Delta * src.LogReal("ε/Δ", 1e-2, 0.9)
	if src.Bool("noise") {
		d.R = plNoiseRadiusAt(d.Eta, d.Mu, d.eps)
	}
	return d, d.Delta > 0 && d.constants(3) <= plHorizon
}

// constants returns the number of steps of k time constants 1/(ημ).
func (d *drawnPL) constants(k float64) int { return int(math.Ceil(k / (d.Eta * d.Mu))) }

// regime is that of a claim about runs of T steps; the probability that they allow is 3ν.
func (d *drawnPL) regime(T int) props.Regime {
	return withErrors(sumRegime(d.N, d.B, len(d.x0), d.Zeta).And(longEnough(T),
		props.Allowed(3*plNu)))
}

// run runs SLEDGE for T steps and shows its state at the start and after each of them, with a
// monitor of the problem. It reports the share of steps at which the estimator errs, from about
// twenty of them.
func (d *drawnPL) run(t props.Trial, T int,
	look func(mon *algos.Monitor, step int, m *algos.SLEDGE)) {
	run := algos.Recall(algos.Sum(d.p))
	monitor, share := algos.NewMonitor(run), stepShare{}
	defer share.Report(t)
	m := &algos.SLEDGE{Eta: d.Eta, Batch: d.B, Radius: radius(t, d.R), Option: d.Option}
	if err := m.Start(algos.NewOracle(answers(t, run)), d.x0, algos.Keyed(t.Key)); err != nil {
		panic(err) // the ranges are valid
	}
	look(monitor, 0, m)
	for step := 1; step <= T; step++ {
		m.Step()
		look(monitor, step, m)
		if step*plLooks/T != (step-1)*plLooks/T {
			errSq, gradSq := monitor.ErrorSquared(m.Estimator(), m.Point()),
				sq(monitor.GradientNorm(m.Point()))
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
	// ν of the simulations; the theorem then allows a failure probability of 3ν = 0.1
	plNu      = 1.0 / 30
	plHorizon = 1000 // most steps of a simulated run
	plLooks   = 20   // how often one is looked at for the error of the estimator
)

// nothing is a statement without content, for instances on which a simulation would show nothing.
var nothing = props.TailTrial{Delta: 1}

func plClaims() []props.Binding {
	return []props.Binding{
		props.Bind("pl-main-complexity", props.Tail(setupPLTarget)),
		props.Bind("pl-main-hidden-logs",
			hiddenLogarithm(false, func(c *c1Logs) float64 { return c.muInverse })),
		props.Bind("pl-main-hidden-logs/corrected", hiddenLogarithm(false,
			func(c *c1Logs) float64 { return max(c.kappa, c.dim) })),
	}
}

// setupPLTarget asks whether a run has reached the accuracy ε after the number of steps that the
// proof takes.
func setupPLTarget(src *props.Source) props.TailTrial {
	d, ok := drawPLRun(src, true)
	if !ok {
		return nothing
	}
	T := int(min(d.PLHorizon(d.eps), 2*plHorizon+1))
	if T < 1 || T > 2*plHorizon {
		return nothing
	}
	return props.TailTrial{Delta: 3 * plNu, Regime: d.regime(T),
		Run: func(t props.Trial, rec *props.Recorder) {
			d.run(t, T, func(_ *algos.Monitor, step int, m *algos.SLEDGE) {
				if step == T {
					rec.AtMost("f(x^T) − f*", d.gap(m.Point()), d.eps)
				}
			})
		}}
}

// c1Logs holds the natural logarithms of the quantities that decide the size of C_1 = log(1/ν + n +
// P + d + T + K), in which they occur as logarithms only.
type c1Logs struct {
	// n or P, K (of FLEDGE only), d, 1/ν, L/μ, 1/μ
	count, local, dim, nuInverse, kappa, muInverse float64
	// the logarithm of (Δ+…)/ε in the number of steps, itself
	lambda    float64
	federated bool
}

func drawC1Logs(src *props.Source, federated bool) c1Logs {
	ln := func(name string) float64 { return 1 + src.LogReal(name+" − 1", 1e-5, 1e5) }
	c := c1Logs{dim: ln("ln d"), nuInverse: ln("ln 1/ν"), kappa: ln("ln L/μ"),
		lambda: ln("ln (…)/ε"), federated: federated}
	c.muInverse = c.kappa - ln("ln L")
	if federated {
		c.count, c.local = ln("ln P"), ln("ln K")
	} else {
		c.count = ln("ln n")
	}
	return c
}

// c1 solves C_1 = log(1/ν + n + P + d + T + K), up to a factor 5, with the number T of steps of
// line 2132 for b = 1 and ζ = L, or of rounds of dpl-horizon/corrected for p = b = 1 and ζ = L.
func (c *c1Logs) c1() float64 {
	c1 := 1.0
	for range 100 {
		// the right-hand side grows like 6.5 log C_1, so the iteration converges from below
		ln := math.Log(c1)
		perLog := max(c.kappa, c.kappa+4.5*ln+c.count/2, c.count+ln)
		if c.federated {
			perLog = max(perLog, c.kappa+5.5*ln+(c.count-c.local)/2)
		}
		c1 = max(1, c.nuInverse, c.count, c.local, c.dim, c.count+ln, ln+math.Log(c.lambda)+perLog)
	}
	return c1
}

// hiddenLogarithm compares C_1 with the logarithm of n + 1/ν, or of P + K + 1/ν, and of a further
// quantity of which other is the logarithm, up to a factor that is a logarithm of logarithms.
func hiddenLogarithm(federated bool, other func(c *c1Logs) float64) props.Check {
	return props.Order(func(src *props.Source) (float64, float64) {
		c := drawC1Logs(src, federated)
		return c.c1(), max(c.count, c.local, c.nuInverse, other(&c)) * (1 + math.Log(c.lambda))
	})
}
