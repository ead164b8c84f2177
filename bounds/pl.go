package bounds

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
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
func PLComplexity(L, mu, zeta, n, b float64) float64 { return plRate.At(L, mu, zeta, n, b) }

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
	d.C1 = C1(1, Sizes{N: d.N, D: d.p.Dim(), T: plHorizon, Nu: plNu})
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
	return WithErrors(Sum(d.N, d.B, len(d.x0), d.Zeta).And(Steps(T), props.Allowed(3*plNu)))
}

// run runs SLEDGE for T steps and shows its state at the start and after each of them. It reports the share of steps at which the estimator errs, from
// about twenty of them.
func (d *drawnPL) run(t props.Trial, T int, look func(step int, m *algos.SLEDGE)) {
	monitor, share := algos.NewMonitor(algos.Sum(d.p)), Share{}
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
	s := PLRun{Option: algos.OptionI, N: int(SeveralUpTo(src, "n", 1e9)), L: 1, Mu: 1 / AtLeastOne(src, "L/μ", 1e9),
		Zeta: 2 * AtMostOne(src, "ζ/2L", 1e-9), Delta: src.LogReal("Δ", 1e-9, 1e9), SigmaC: src.LogReal("σ_c", 1e-9, 1e9)}
	n := float64(s.N)
	s.B = drawBatch(src, s.N)
	s.GC = s.SigmaC // lines 256-260
	s.C1 = src.Logarithm("C_1", 1e3)
	s.Eta = PLStep(algos.SLEDGEPLFactor, s)
	eps := s.Delta / AtLeastOne(src, "Δ/ε", 1e9)
	b := float64(s.B)
	log = max(1, math.Log((s.Delta+n*2*s.SigmaC*s.SigmaC/s.L)/eps))
	return b + 2*b*s.PLHorizon(eps), PLComplexity(s.L, s.Mu, s.Zeta, n, b), log
}

// gapLike checks that a term may be added to Δ and divided by ε in the argument of a logarithm.
func gapLike(name string, term func(props.Values) float64) props.Check {
	return props.Dimensional(ValueUnit, Quantities("Δ", "σ_c", "G_c", "L"),
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
	n := SeveralUpTo(src, "n", 1e9)
	s := plLogs{n: n, b: float64(drawBatch(src, int(n))), kappa: AtLeastOne(src, "L/μ", 1e9), zeta: 2 * AtMostOne(src, "ζ/2L", 1e-9)}
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

// PLRun is the setting of the convergence of FLEDGE under the PL condition (theorem:D-PL, lines 563-591 and 3190-3243, proof to line 3371).
// Counts are real numbers so that formulas can be compared over many decades.
type FLEDGEPLRun struct {
	Option               algos.Option
	P, Sampled           float64 // clients, and the p of them that take part in a round
	K, Batch             float64 // local steps and local minibatch size b
	C1                   float64 // constant of the concentration tools, ≥ 1
	L, Mu, Zeta          float64 // smoothness of the data, PL constant, Hessian distance of clients
	Data                 float64 // Hessian distance of the data of a client in the variance lemma: ζ as printed, L where it is right
	Sigma, G, SigmaC, GC float64 // noise within clients; spread of the clients' gradients at x⁰, Option I only
	Delta                float64 // f(x⁰) − f*
	Eta, R               float64 // step size and noise radius
}

// Entries are the step sizes of which line 3312 takes the least: 1/L, p/(C_1^{4.5}ζ√P K), p√b/(C_1^{5.5}ζ√(PK)), p/(μC_1PK), 1/(ζK),
// √b/(C_1L√K); the third has Data for ζ.
func (s *FLEDGEPLRun) Entries() [6]float64 {
	return s.theory().PLEntries()
}

// Step is the step size of line 3312 with the constant c in place of Θ.
func (s *FLEDGEPLRun) Step(c float64) float64 { return s.theory().PLStep(c) }

// theory returns what parameters of FLEDGE are made from.
func (s *FLEDGEPLRun) theory() algos.FLEDGETheory {
	return algos.FLEDGETheory{Option: s.Option, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, C1: s.C1, L: s.L, Zeta: s.Zeta,
		Data: s.Data, Mu: s.Mu}
}

// parameters returns what the setting shares with theorem:Dist-First-Main.
func (s *FLEDGEPLRun) parameters() Parameters {
	return Parameters{C1: s.C1, L: s.L, Zeta: s.Zeta, Data: s.Data, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, Delta: s.Delta}
}

// ListedStep is the step size of the theorem, lines 571-577 and 3193-3199, without logarithms: 1/L ∧ p√b/(ζ√(PK)) ∧ p/(μPK) ∧ 1/(ζK) ∧ √b/(L√K),
// that of the first-order theorem and p/(μPK).
func (s *FLEDGEPLRun) ListedStep() float64 {
	first := s.parameters()
	first.Data = s.Zeta
	return min(1/first.InverseStep(), s.Sampled/(s.Mu*s.P*s.K))
}

// PrintedRounds are the terms L/(μK), ζ√P/(μp), P/p, ζ/μ, L/(μ√(Kb)) that lines 581-587 join by ∧.
func (s *FLEDGEPLRun) PrintedRounds() []float64 {
	var rounds []float64
	for _, term := range plTermsOf {
		rounds = append(rounds, term.At(s.L, s.Mu, s.Zeta, s.P, s.Sampled, s.K, s.Batch))
	}
	return rounds
}

// Rounds are the inverses of μK times the entries of the step size, without logarithms: the printed terms and L√P/(μp√(Kb)).
func (s *FLEDGEPLRun) Rounds() []float64 {
	return append(s.PrintedRounds(), s.Data*math.Sqrt(s.P)/(s.Mu*s.Sampled*math.Sqrt(s.K*s.Batch)))
}

// Decay is (1 − ημ/2)^n, for real n of either sign.
func (s *FLEDGEPLRun) Decay(n float64) float64 { return math.Exp(n * math.Log1p(-s.Eta*s.Mu/2)) }

// Window is T_3 = (P/p)C_1, not rounded (line 2240).
func (s *FLEDGEPLRun) Window() float64 { return s.P / s.Sampled * s.C1 }

// MovementLoss is what lines 3294-3297 subtract from 1/(2η) in the coefficient of ‖x^{t,k} − x^{t,k−1}‖², with ⌈T_3⌉ rounds in the window.
func (s *FLEDGEPLRun) MovementLoss() float64 {
	table := clientFactor*math.Pow(s.C1, clientPower)*sq(s.Zeta*s.K)/s.Sampled + dataFactor*math.Pow(s.C1, dataPower)*sq(s.Data)*s.K/(s.Sampled*s.Batch)
	local := driftFactor*sq(s.Zeta)*s.K + localFactor*math.Pow(s.C1, localPower)*sq(s.L)/s.Batch
	perRound := -s.K * math.Log1p(-s.Eta*s.Mu/2)
	return s.L/2 + s.Eta*table*math.Exp(perRound)*fledgeGeometric(perRound, math.Ceil(s.Window())) + s.Eta*local*fledgeGeometric(perRound/s.K, s.K)*math.Exp(-perRound/s.K)
}

// geometric is Σ_{j=1}^n e^{jx} for x > 0.
func fledgeGeometric(x, n float64) float64 { return math.Exp(x) * math.Expm1(n*x) / math.Expm1(x) }

// StepNoise is r²/η + (8C_1²η/(PKb))(σ² + G²/(PKb)), what a step adds (lines 3326-3328).
func (s *FLEDGEPLRun) StepNoise() float64 {
	PKb := s.P * s.K * s.Batch
	return s.R*s.R/s.Eta + floorFactor*sq(s.C1)*s.Eta/PKb*(sq(s.Sigma)+sq(s.G)/PKb)
}

// NoiseTerm is Σ_tΣ_k(1 − ημ/2)^{(T−t+1)K−k} times [PLRun.StepNoise].
func (s *FLEDGEPLRun) NoiseTerm(T float64) float64 {
	q := s.Eta * s.Mu / 2
	return -math.Expm1(T*s.K*math.Log1p(-q)) / q * s.StepNoise()
}

// InitialCost is 96C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p² + G_c²PK/p³) (line 3335), half of what it is in theorem:Dist-First-Main.
func (s *FLEDGEPLRun) InitialCost() float64 {
	return s.parameters().InitialCost(s.Sigma, s.G, s.SigmaC, s.GC) / 2
}

// InitialTerm is what Option I adds to the bound after T rounds: η(1 − ημ/2)^{(T−T_3)K} times [PLRun.InitialCost] (line 3335, which lacks the
// η). It is 0 for Option II.
func (s *FLEDGEPLRun) InitialTerm(T float64) float64 {
	if s.Option == algos.OptionII {
		return 0
	}
	return s.Eta * s.InitialCost() * s.Decay((T-s.Window())*s.K)
}

// Bound is the right-hand side with which the proof ends, repaired: the bound on f(x^T) − f* + (η/4)Σ_tΣ_k(1 − ημ/2)^{(T−t+1)K−k}‖∇f(x^{t,k−1})‖².
func (s *FLEDGEPLRun) Bound(T float64) float64 {
	return s.Decay(T*s.K)*s.Delta + s.NoiseTerm(T) + s.InitialTerm(T)
}

// NoiseRadius is an admissible noise radius, ηε/8: the printed ε√η/8 with η for √η.
func (s *FLEDGEPLRun) NoiseRadius(eps float64) float64 { return s.Eta * eps / 8 }

// Horizon is a number of rounds after which the bound forces a gradient of norm at most ε: the first and the third term of [PLRun.Bound] are at
// most ε²/(32μ) and the weights of the gradients add up to at least (3/8)·(2/μ)/η. The middle term is at most ε²/(8μ) under the conditions on r
// and PKb.
func (s *FLEDGEPLRun) Horizon(eps float64) float64 {
	perStep := -math.Log1p(-s.Eta * s.Mu / 2)
	steps := max(math.Log(8.0/5), math.Log(32*s.Mu*s.Delta/sq(eps))) / perStep
	if at0 := s.InitialTerm(0); at0 > 0 {
		steps = max(steps, math.Log(32*s.Mu*at0/sq(eps))/perStep)
	}
	return math.Ceil(steps / s.K)
}

// drawPLSizes draws the setting over many decades, in units with L = 1.
func drawPLSizes(src *props.Source) *FLEDGEPLRun {
	s := &FLEDGEPLRun{L: 1, C1: 1, P: SeveralUpTo(src, "P", 1e9), K: AtLeastOne(src, "K", 1e9), Batch: AtLeastOne(src, "b", 1e9)}
	s.Sampled = max(1, s.P*AtMostOne(src, "p/P", 1e-9))
	s.Mu = 1 / AtLeastOne(src, "L/μ", 1e9)
	s.Zeta = 2 * AtMostOne(src, "ζ/2L", 1e-9)
	s.Data = s.L
	return s
}

// plLimit is the largest number of local steps of a simulated run, plNu the ν of the simulations; the theorem allows a failure probability of 8ν.
const (
	plLimit       = 30000
	fledgePLLooks = 4 // the error of the estimator is looked at once in so many rounds
	fledgePLNu    = 0.1 / 8
)

// drawnPL is a problem together with everything that a run of FLEDGE on it needs.
type fledgeDrawnPL struct {
	FLEDGEPLRun
	problem algos.Problem
	value   func(x []float64) float64 // f − f*; nil where it is not needed
	x0      []float64
	eps     float64
	rounds  int // Horizon(eps)
}

// regime says how a simulated run takes C_1 and the minibatches.
type regime int

const (
	bold         regime = iota // C_1 = 1: larger steps than the theorem promises anything for
	literalWhole               // the literal C_1, and minibatches of the size with which it costs nothing: clients use all data they have
	literalParts               // the literal C_1 and small minibatches, for which the step size is tiny
)

func (r regime) String() string {
	return [...]string{"C_1 = 1", "literal C_1, all data", "literal C_1, small minibatches"}[r]
}

// drawPLRun draws a PL problem, a start, and parameters of FLEDGE for which all conditions of the theorem hold in their repaired form, with
// [algos.FLEDGEPLFactor] for Θ. The literal C_1 is that of a run of plLimit steps. ok is false if the run starts at a solution,
// or so near one that rounding hides it.
func drawFLEDGEPLRun(src *props.Source, regimes []regime, options ...algos.Option) (d *fledgeDrawnPL, ok bool) {
	P, m, dim := src.Int("P", 1, 8), src.LogInt("data per client", 1, 24), src.Int("d", 1, 4)
	K := src.Int("K", 1, 6)
	sampled := src.Int("p", (P+1)/2, P)
	how := props.OneOf(src, "regime", regimes...)
	if how == literalWhole {
		m, K = min(m, 2), min(K, 3) // all data are used in every step, so that their number shows in the running time only; steps get shorter with K
	}
	curvature := []float64{1}
	kappa := src.LogReal("condition number", 1, 5)
	for k := 1; k < dim; k++ {
		curvature = append(curvature, math.Pow(kappa, -float64(k)/float64(dim-1)))
	}
	zeta := 0.3
	if how != bold {
		zeta = 1e-5
	}
	between := problems.Heterogeneity{Pattern: problems.Pairs, Hessian: zeta * src.LogReal("Hessian distance of clients", 1e-2, 1),
		Linear: src.Real("linear spread of clients", 0, 2)}
	within := problems.Heterogeneity{Linear: src.LogReal("linear spread of data", 1e-4, 0.1)}
	sizes := slices.Repeat([]int{m}, P)
	d = &fledgeDrawnPL{}
	var err error
	var p problems.CertifiedFederated
	seed := src.Rand("directions")
	if src.Pick("family", "quadratic", "nonconvex PL") == 0 {
		within.Amplitude = src.LogReal("Hessian distance of data", 1e-3, 0.5) // by ripples, which leave the noise bounded
		p, err = problems.MakeFederatedQuadratic(sizes, problems.QuadraticMean{Spectrum: curvature, Ripple: src.LogReal("width of ripples", 0.01, 0.3),
			Between: between, Within: within}, seed)
	} else {
		for k := range curvature {
			curvature[k] /= 8
		}
		p, err = problems.MakeFederatedNonconvexPL(sizes, problems.PLMean{Curvature: curvature, Between: between, Within: within}, seed)
	}
	if err != nil {
		panic(err) // the ranges above are valid
	}
	d.x0 = problems.DrawPoint(src, "x0", dim, 5)
	c := p.Constants(d.x0)
	lowest, _ := p.Minimum()
	d.problem, d.value = p, func(x []float64) float64 { return p.Value(x) - lowest }
	if options == nil {
		options = []algos.Option{algos.Option(src.Pick("option", "II", "I"))}
	}
	d.FLEDGEPLRun = FLEDGEPLRun{Option: options[0], P: float64(P), Sampled: float64(sampled), K: float64(K), C1: 1,
		L: c.L.Value, Mu: c.Mu.Value, Zeta: c.Zeta.Value, Data: c.L.Value, Sigma: c.Sigma.Value, G: c.G.Value, SigmaC: c.SigmaC.Value, GC: c.GC.Value, Delta: c.Delta.Value}
	d.Batch = float64(max(K, src.Int("b", 1, 8)))
	if how != bold {
		d.C1 = C1(1, Sizes{P: P, D: dim, T: plLimit, K: K, Nu: fledgePLNu})
	}
	if how == literalWhole {
		d.Batch = 1e12
	}
	if d.K*d.Batch >= float64(m) {
		d.Sigma, d.G, d.Data = 0, 0, 0 // every minibatch of Kb is the whole client
	}
	d.Eta = d.Step(algos.FLEDGEPLFactor)
	g := make([]float64, dim)
	p.FullGradient(g, d.x0)
	start := math.Sqrt(normSq(g))
	// PKb ≥ 512C_1²σ²/ε² + 64C_1G/ε, with each term at most half
	PKb := d.P * d.K * d.Batch
	d.eps = max(start*src.LogReal("ε/‖∇f(x⁰)‖", 1e-2, 0.9), d.C1*d.Sigma*math.Sqrt(1024/PKb), 128*d.C1*d.G/PKb)
	if src.Bool("noise") {
		d.R = d.NoiseRadius(d.eps)
	}
	d.rounds = int(min(max(1, d.Horizon(d.eps)), 2*plLimit))
	return d, d.eps < start && resolved(p, d.x0, d.eps)
}

// resolved reports whether a gradient of f of norm ε can be told from the rounding of those of the data at x, of which it
// is a mean: near a solution at which they cancel, no run in floating point finds a point that is better than that.
func resolved(p algos.Problem, x []float64, eps float64) bool {
	g, largest := make([]float64, p.Dim()), 0.0
	for i := range p.Clients() {
		for j := range p.Size(i) {
			p.Gradient(g, x, i, j)
			largest = max(largest, normSq(g))
		}
	}
	return eps > props.RoundingBand*math.Sqrt(largest)
}

// method returns FLEDGE with the parameters of the instance.
func (d *fledgeDrawnPL) method() *algos.FLEDGE {
	most := 1
	for i := range d.problem.Clients() {
		most = max(most, d.problem.Size(i))
	}
	return &algos.FLEDGE{Eta: d.Eta, Chosen: int(d.Sampled), LocalSteps: int(d.K), Batch: int(min(d.Batch, float64(most))), Cap: true, Radius: d.R,
		Option: d.Option}
}

// regime is that of a claim about runs that may fail with probability delta.
func (d *fledgeDrawnPL) regime(delta float64) props.Regime {
	return Clients(int(d.P), int(d.Sampled), int(d.K), len(d.x0), d.Zeta).And(props.Allowed(delta))
}

// run runs FLEDGE and shows the local points of every round. It reports the share of rounds that begin with an error of the estimator.
func (d *fledgeDrawnPL) run(t props.Trial, T int, look func(round int, local [][]float64) (more bool)) {
	m, monitor, share := d.method(), algos.NewMonitor(d.problem), Share{}
	defer share.Report(t)
	if err := m.Start(algos.NewOracle(d.problem), d.x0, algos.Keyed(t.Key)); err != nil {
		panic(err) // the ranges are valid
	}
	for round := 1; round <= T; round++ {
		m.Step()
		if !look(round, m.LocalPoints()) {
			return
		}
		if round%fledgePLLooks == 1 {
			share.Step(monitor.ErrorSquared(m.Estimator(), m.Point()), sq(monitor.GradientNorm(m.Point())))
		}
	}
}

// reaches returns the statement that the run meets a gradient of norm at most ε within the horizon.
func (d *fledgeDrawnPL) reaches(delta float64) props.HittingTrial {
	regime := d.regime(delta).And(Steps(d.rounds))
	return props.HittingTrial{Horizon: d.rounds, Delta: delta, Regime: regime,
		Run: func(t props.Trial) (round int, hit bool) {
			mon := algos.NewMonitor(d.problem)
			d.run(t, d.rounds, func(r int, local [][]float64) bool {
				for _, x := range local[:len(local)-1] {
					if mon.GradientNorm(x) <= d.eps {
						round, hit = r, true
						return false
					}
				}
				return true
			})
			return round, hit
		}}
}

// descentRounds is the number of rounds that FLEDGE takes to shrink the gradient by e^lnRatio on μx²/2 with a single datum, step size η and K
// local steps: each step multiplies it by 1 − ημ.
func descentRounds(s *FLEDGEPLRun, lnRatio float64) float64 {
	return lnRatio / (-math.Log1p(-s.Eta*s.Mu) * s.K)
}

// singleDatum draws the setting of a single client with a single datum, where FLEDGE is gradient descent and ζ = σ = 0, with the listed step
// size, and the logarithm of ‖∇f(x⁰)‖/ε. μ ≤ L/2, so that a step is not the last.
func singleDatum(src *props.Source) (s *FLEDGEPLRun, lnRatio float64) {
	s = &FLEDGEPLRun{L: 1, C1: 1, P: 1, Sampled: 1, K: 1, Batch: 1}
	s.Mu = 0.5 / AtLeastOne(src, "L/2μ", 1e9)
	s.Eta = s.ListedStep()
	return s, AtLeastOne(src, "ln(‖∇f(x⁰)‖/ε)", 1e3)
}

// hidden is the factor log^{6.5}(P + K + 1/μ + 1/ν) that Õ stands for, for ν = 0.1, with a constant factor 4.
func (s *FLEDGEPLRun) hidden() float64 { return 4 * math.Pow(math.Log(s.P+s.K+1/s.Mu+10), 6.5) }

// drawBudget draws the setting, its C_1 and what decides the number of rounds, and returns the argument of the logarithm, (√(μΔ) + σ + G + σ_c +
// G_c)/ε, with ε. The step size is that of line 3312, with the Hessian distance of the data in its third entry.
func drawBudget(src *props.Source, option algos.Option) (s *FLEDGEPLRun, log, eps float64) {
	s = drawPLSizes(src)
	s.Option = option
	s.C1 = src.Logarithm("C_1", 1e3)
	s.Eta = s.Step(algos.FLEDGEPLFactor)
	eps = 1
	s.Delta = sq(eps) / s.Mu * src.LogReal("μΔ/ε²", 1e-9, 1e9)
	if option == algos.OptionI {
		s.Sigma, s.SigmaC = eps*src.LogReal("σ/ε", 1e-9, 1e9), eps*src.LogReal("σ_c/ε", 1e-9, 1e9)
		s.G, s.GC = s.Sigma, s.SigmaC // lines 256-260
	}
	return s, max(1, math.Log((math.Sqrt(s.Mu*s.Delta)+s.Sigma+s.G+s.SigmaC+s.GC)/eps)), eps
}

// alongWeak draws a quadratic with mean curvatures L and μ ≤ L/2 and identical or slightly different clients and data, and returns it with a
// unit vector of the weak direction.
func alongWeak(sizes []int, m problems.QuadraticMean, r *rand.Rand) (*problems.FederatedQuadratic, []float64) {
	p := props.Must(problems.MakeFederatedQuadratic(sizes, m, r))
	L, mu := m.Spectrum[0], m.Spectrum[1]
	x, e := []float64{1, 0}, make([]float64, 2)
	for range 2 { // if the first attempt points along the strong direction, the second does not
		p.HessianVector(e, x, x)
		for k := range e {
			e[k] = (L*x[k] - e[k]) / (L - mu)
		}
		if normSq(e) > 0.1 {
			break
		}
		x[0], x[1] = 0, 1
	}
	floats.Scale(1/floats.Norm(e, 2), e)
	return p, e
}

// setupFlat runs FLEDGE on a single ill-conditioned quadratic from a point in the weak direction, with half the largest step size of the
// theorem, for the number of rounds that it claims with ∧: Õ(1), as ζ = 0. μ is at least 1, so that no logarithm is large.
func setupFlat(src *props.Source) props.HittingTrial {
	mu := src.LogReal("μ", 1, 100)
	s := FLEDGEPLRun{P: 1, Sampled: 1, K: 1, Batch: 1, L: mu * src.LogReal("L/μ", 1e6, 1e8), Mu: mu}
	p, e := alongWeak([]int{1}, problems.QuadraticMean{Spectrum: []float64{s.L, s.Mu}}, src.Rand("directions"))
	d := fledgeDrawnPL{FLEDGEPLRun: s, problem: p, x0: e, eps: mu * src.Real("ε/‖∇f(x⁰)‖", 0.01, 0.5), rounds: int(s.hidden())}
	d.Eta = d.ListedStep() / 2
	trial := d.reaches(8 * fledgePLNu)
	trial.Regime = props.Where(Steps(d.rounds),
		props.Allowed(trial.Delta)) // gradient descent is all that it is about
	return trial
}

func fledgePLClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-step-size-list", props.Order(func(src *props.Source) (float64, float64) {
			s := drawPLSizes(src)
			s.Data = s.Zeta
			s.Eta = algos.FLEDGEPLFactor * s.ListedStep()
			return s.MovementLoss(), 1 / (2 * s.Eta)
		})),
		props.Bind("dpl-step-size-list/corrected", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				s.Eta = s.Step(algos.FLEDGEPLFactor)
				return s.MovementLoss(), 1 / (2 * s.Eta)
			}),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				return 1 / (s.Step(algos.FLEDGEPLFactor) * s.Mu * s.K), slices.Max(s.Rounds())
			}))),
		props.Bind("dpl-rounds", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s, lnRatio := singleDatum(src)
				return descentRounds(s, lnRatio), 1 + slices.Min(s.PrintedRounds())*2*lnRatio // the minimum is 0; log(Δ/ε) ≤ 2 log(‖∇f(x⁰)‖/ε) for ε ≤ 2μ
			}),
			props.Hitting(setupFlat).Effort(0.2))),
		props.Bind("dpl-rounds/corrected", props.All(plBudget(algos.OptionII), plBudget(algos.OptionI),
			props.Hitting(func(src *props.Source) props.HittingTrial { return setupReach(src) }).Effort(runEffort))),
		props.Bind("dpl-gradients", props.Order(func(src *props.Source) (float64, float64) {
			s, lnRatio := singleDatum(src)
			return s.gradients(descentRounds(s, lnRatio)), (s.P + slices.Min(s.PrintedRounds())*s.Sampled*2*lnRatio) * s.K * s.Batch
		})),
		props.Bind("dpl-gradients/corrected", props.Order(func(src *props.Source) (float64, float64) {
			s, log, eps := drawBudget(src, algos.Option(src.Pick("option", "II", "I")))
			return s.gradients(s.Horizon(eps)), (s.P + slices.Max(s.Rounds())*s.Sampled*log) * s.K * s.Batch
		})),
		props.Bind("dpl-noise-radius", props.All(
			props.Dimensional(LengthUnit, Quantities("η", "ε"),
				map[string]func(props.Values) float64{"ε√η/8, the bound on r": func(v props.Values) float64 { return v["ε"] * math.Sqrt(v["η"]) / 8 }}),
			plNoise(func(eta, eps float64) float64 { return eps * math.Sqrt(eta) / 8 }))),
		props.Bind("dpl-noise-radius/corrected", props.All(
			props.Dimensional(LengthUnit, Quantities("η", "ε"),
				map[string]func(props.Values) float64{"ηε/8, the bound on r": func(v props.Values) float64 { return v["ε"] * v["η"] / 8 }}),
			plNoise(func(eta, eps float64) float64 { return (&FLEDGEPLRun{Eta: eta}).NoiseRadius(eps) }))),
		props.Bind("dpl-noise-radius/sharper", plNoise(func(eta, eps float64) float64 { return eta * eps * math.Sqrt(3) / 8 })),
		props.Bind("dpl-hidden-logs", props.Order(func(src *props.Source) (float64, float64) {
			s := drawFLEDGEPLHidden(src)
			return s.c1(), max(s.lnP, s.lnK, s.lnNuInverse, s.lnMuInverse) * (1 + math.Log(s.lambda))
		})),
		props.Bind("dpl-hidden-logs/corrected", props.Order(func(src *props.Source) (float64, float64) {
			s := drawFLEDGEPLHidden(src)
			return s.c1(), max(s.lnP, s.lnK, s.lnNuInverse, s.lnD, s.lnKappa) * (1 + math.Log(s.lambda))
		})),
		props.Bind("dpl-horizon", props.All(
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				s.Data = s.Zeta
				return 1 / (s.Step(1) * s.Mu * s.K), s.Window() + inverse(s, slices.Min)
			}),
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				s.Eta = s.Step(algos.FLEDGEPLFactor)
				ln := AtLeastOne(src, "ln(μΔ/ε²)", 1e6) // and ln(Δ/ε) = 1
				return (ln + math.Log(32)) / (s.Eta * s.Mu * s.K), s.C1*s.P/s.Sampled + inverse(s, slices.Max)
			}))),
		props.Bind("dpl-horizon/corrected", props.Order(func(src *props.Source) (float64, float64) {
			s, log, eps := drawBudget(src, algos.OptionI)
			return s.Horizon(eps), s.Window() + s.C1*inverse(s, slices.Max)*log
		})),
		props.Bind("dpl-text-large-parameters", props.All(
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				s.Sampled, s.Batch = s.P, s.Batch/(sq(s.Mu)*s.K)
				return 1 + slices.Max(s.Rounds()), 1 + s.L/(s.Mu*s.K) + s.Zeta/s.Mu
			}),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				s.Sampled, s.K = s.P, s.K/s.Mu
				s.Batch /= s.Mu
				return 1 + slices.Max(s.Rounds()), 1 + s.Zeta/s.Mu
			}))),
	}
}

// gradients is the number of stochastic gradients of Option II, or at most of Option I, in so many rounds: PKb at the start, and 2pKb and 2Kb a
// round.
func (s *FLEDGEPLRun) gradients(rounds float64) float64 {
	return (s.P + 2*(s.Sampled+1)*rounds) * s.K * s.Batch
}

// inverse joins the inverses of μK times the entries of line 3312.
func inverse(s *FLEDGEPLRun, join func([]float64) float64) float64 {
	e := s.Entries()
	for k, v := range e {
		e[k] = 1 / (v * s.Mu * s.K)
	}
	return join(e[:])
}

// plBudget compares the number of rounds of the repaired proof with what is claimed.
func plBudget(option algos.Option) props.Check {
	return props.Order(func(src *props.Source) (float64, float64) {
		s, log, eps := drawBudget(src, option)
		start := 1.0
		if option == algos.OptionI {
			start = s.P / s.Sampled
		}
		return s.Horizon(eps), start + slices.Max(s.Rounds())*log
	})
}

// setupReach asks whether runs meet the accuracy within the number of rounds of the proof.
func setupReach(src *props.Source, options ...algos.Option) props.HittingTrial {
	d, ok := drawFLEDGEPLRun(src, []regime{bold, literalWhole}, options...)
	if !ok || float64(d.rounds)*d.K > plLimit {
		return props.HittingTrial{Delta: 1}
	}
	trial := d.reaches(8 * fledgePLNu)
	trial.Regime = WithErrors(trial.Regime)
	return trial
}

// plHidden holds the parameters that decide the size of C_1, as logarithms.
type fledgePLHidden struct {
	lnP, lnK, lnD, lnNuInverse, lnKappa, lnMuInverse float64
	lambda                                           float64 // the logarithm of (…)/ε in the number of rounds
}

func drawFLEDGEPLHidden(src *props.Source) fledgePLHidden {
	ln := func(name string) float64 { return 1 + src.LogReal(name+" − 1", 1e-5, 1e5) }
	s := fledgePLHidden{lnP: ln("ln P"), lnK: ln("ln K"), lnD: ln("ln d"), lnNuInverse: ln("ln 1/ν"), lnKappa: ln("ln L/μ"), lambda: ln("ln (…)/ε")}
	s.lnMuInverse = s.lnKappa - ln("ln L")
	return s
}

// c1 solves C_1 = log(1/ν + P + d + T + K), up to a factor 5, with the T of dpl-horizon/corrected for p = b = 1 and ζ = L.
func (s *fledgePLHidden) c1() float64 {
	c := 1.0
	for range 100 { // the right-hand side grows like 6.5 log C_1, so the iteration converges from below
		lnC := math.Log(c)
		lnT := max(s.lnP+lnC, lnC+math.Log(s.lambda)+max(s.lnKappa+4.5*lnC+s.lnP/2, s.lnKappa+5.5*lnC+(s.lnP-s.lnK)/2, lnC+s.lnP))
		c = max(1, s.lnNuInverse, s.lnP, s.lnK, s.lnD, lnT)
	}
	return c
}

// plNoise evaluates the noise term for the given bound on r and the minibatch size of lines 3326-3327, over all T.
func plNoise(radius func(eta, eps float64) float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		s := &FLEDGEPLRun{C1: src.LogReal("C_1", 1, 100), Mu: src.LogReal("μ", 1e-3, 1e3), K: float64(src.LogInt("K", 1, 1000))}
		s.Eta = src.LogReal("ημ", 1e-6, 1) / s.Mu
		eps := src.LogReal("ε", 1e-6, 1e6)
		s.R = radius(s.Eta, eps) * src.Real("r over its bound", 0, 1)
		// σ and G as the condition on PKb = A + B allows; P and b enter through their product only
		A, B := src.LogReal("512C_1²σ²/ε²", 1e-9, 1e9), src.LogReal("64C_1G/ε", 1e-9, 1e9)
		s.Sigma, s.G = eps*math.Sqrt(A/512)/s.C1, eps*B/64/s.C1
		s.P, s.Batch = (A+B)/s.K, 1
		rec.AtMost("the sum", s.NoiseTerm(float64(src.LogInt("T", 1, 1000000))), eps*eps/(8*s.Mu))
	})
}
