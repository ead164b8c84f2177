package federated

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
)

// PLRun is the setting of the convergence of FLEDGE under the PL condition (theorem:D-PL, lines 563-591 and 3190-3243, proof to line 3371).
// Counts are real numbers so that formulas can be compared over many decades.
type PLRun struct {
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
func (s *PLRun) Entries() [6]float64 {
	return s.theory().PLEntries()
}

// Step is the step size of line 3312 with the constant c in place of Θ.
func (s *PLRun) Step(c float64) float64 { return s.theory().PLStep(c) }

// theory returns what parameters of FLEDGE are made from.
func (s *PLRun) theory() algos.FLEDGETheory {
	return algos.FLEDGETheory{Option: s.Option, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, C1: s.C1, L: s.L, Zeta: s.Zeta,
		Data: s.Data, Mu: s.Mu}
}

// parameters returns what the setting shares with theorem:Dist-First-Main.
func (s *PLRun) parameters() Parameters {
	return Parameters{C1: s.C1, L: s.L, Zeta: s.Zeta, Data: s.Data, P: s.P, Chosen: s.Sampled, K: s.K, B: s.Batch, Delta: s.Delta}
}

// ListedStep is the step size of the theorem, lines 571-577 and 3193-3199, without logarithms: 1/L ∧ p√b/(ζ√(PK)) ∧ p/(μPK) ∧ 1/(ζK) ∧ √b/(L√K),
// that of the first-order theorem and p/(μPK).
func (s *PLRun) ListedStep() float64 {
	first := s.parameters()
	first.Data = s.Zeta
	return min(1/first.InverseStep(false), s.Sampled/(s.Mu*s.P*s.K))
}

// PrintedRounds are the terms L/(μK), ζ√P/(μp), P/p, ζ/μ, L/(μ√(Kb)) that lines 581-587 join by ∧.
func (s *PLRun) PrintedRounds() []float64 {
	return []float64{s.L / (s.Mu * s.K), s.Zeta * math.Sqrt(s.P) / (s.Mu * s.Sampled), s.P / s.Sampled, s.Zeta / s.Mu, s.L / (s.Mu * math.Sqrt(s.K*s.Batch))}
}

// Rounds are the inverses of μK times the entries of the step size, without logarithms: the printed terms and L√P/(μp√(Kb)).
func (s *PLRun) Rounds() []float64 {
	return append(s.PrintedRounds(), s.Data*math.Sqrt(s.P)/(s.Mu*s.Sampled*math.Sqrt(s.K*s.Batch)))
}

// Decay is (1 − ημ/2)^n, for real n of either sign.
func (s *PLRun) Decay(n float64) float64 { return math.Exp(n * math.Log1p(-s.Eta*s.Mu/2)) }

// Window is T_3 = (P/p)C_1, not rounded (line 2240).
func (s *PLRun) Window() float64 { return s.P / s.Sampled * s.C1 }

// MovementLoss is what lines 3294-3297 subtract from 1/(2η) in the coefficient of ‖x^{t,k} − x^{t,k−1}‖², with ⌈T_3⌉ rounds in the window.
func (s *PLRun) MovementLoss() float64 {
	table := clientFactor*math.Pow(s.C1, clientPower)*sq(s.Zeta*s.K)/s.Sampled + dataFactor*math.Pow(s.C1, dataPower)*sq(s.Data)*s.K/(s.Sampled*s.Batch)
	local := driftFactor*sq(s.Zeta)*s.K + localFactor*math.Pow(s.C1, localPower)*sq(s.L)/s.Batch
	perRound := -s.K * math.Log1p(-s.Eta*s.Mu/2)
	return s.L/2 + s.Eta*table*math.Exp(perRound)*geometric(perRound, math.Ceil(s.Window())) + s.Eta*local*geometric(perRound/s.K, s.K)*math.Exp(-perRound/s.K)
}

// geometric is Σ_{j=1}^n e^{jx} for x > 0.
func geometric(x, n float64) float64 { return math.Exp(x) * math.Expm1(n*x) / math.Expm1(x) }

// StepNoise is r²/η + (8C_1²η/(PKb))(σ² + G²/(PKb)), what a step adds (lines 3326-3328).
func (s *PLRun) StepNoise() float64 {
	PKb := s.P * s.K * s.Batch
	return s.R*s.R/s.Eta + floorFactor*sq(s.C1)*s.Eta/PKb*(sq(s.Sigma)+sq(s.G)/PKb)
}

// NoiseTerm is Σ_tΣ_k(1 − ημ/2)^{(T−t+1)K−k} times [PLRun.StepNoise].
func (s *PLRun) NoiseTerm(T float64) float64 {
	q := s.Eta * s.Mu / 2
	return -math.Expm1(T*s.K*math.Log1p(-q)) / q * s.StepNoise()
}

// InitialCost is 96C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p² + G_c²PK/p³) (line 3335), half of what it is in theorem:Dist-First-Main.
func (s *PLRun) InitialCost() float64 {
	return s.parameters().InitialCost(s.Sigma, s.G, s.SigmaC, s.GC) / 2
}

// InitialTerm is what Option I adds to the bound after T rounds: η(1 − ημ/2)^{(T−T_3)K} times [PLRun.InitialCost] (line 3335, which lacks the
// η). It is 0 for Option II.
func (s *PLRun) InitialTerm(T float64) float64 {
	if s.Option == algos.OptionII {
		return 0
	}
	return s.Eta * s.InitialCost() * s.Decay((T-s.Window())*s.K)
}

// Bound is the right-hand side with which the proof ends, repaired: the bound on f(x^T) − f* + (η/4)Σ_tΣ_k(1 − ημ/2)^{(T−t+1)K−k}‖∇f(x^{t,k−1})‖².
func (s *PLRun) Bound(T float64) float64 {
	return s.Decay(T*s.K)*s.Delta + s.NoiseTerm(T) + s.InitialTerm(T)
}

// NoiseRadius is an admissible noise radius, ηε/8: the printed ε√η/8 with η for √η.
func (s *PLRun) NoiseRadius(eps float64) float64 { return s.Eta * eps / 8 }

// Horizon is a number of rounds after which the bound forces a gradient of norm at most ε: the first and the third term of [PLRun.Bound] are at
// most ε²/(32μ) and the weights of the gradients add up to at least (3/8)·(2/μ)/η. The middle term is at most ε²/(8μ) under the conditions on r
// and PKb.
func (s *PLRun) Horizon(eps float64) float64 {
	perStep := -math.Log1p(-s.Eta * s.Mu / 2)
	steps := max(math.Log(8.0/5), math.Log(32*s.Mu*s.Delta/sq(eps))) / perStep
	if at0 := s.InitialTerm(0); at0 > 0 {
		steps = max(steps, math.Log(32*s.Mu*at0/sq(eps))/perStep)
	}
	return math.Ceil(steps / s.K)
}

// drawPLSizes draws the setting over many decades, in units with L = 1.
func drawPLSizes(src *props.Source) *PLRun {
	s := &PLRun{L: 1, C1: 1, P: bounds.SeveralUpTo(src, "P", 1e9), K: bounds.AtLeastOne(src, "K", 1e9), Batch: bounds.AtLeastOne(src, "b", 1e9)}
	s.Sampled = max(1, s.P*bounds.AtMostOne(src, "p/P", 1e-9))
	s.Mu = 1 / bounds.AtLeastOne(src, "L/μ", 1e9)
	s.Zeta = 2 * bounds.AtMostOne(src, "ζ/2L", 1e-9)
	s.Data = s.L
	return s
}

// plLimit is the largest number of local steps of a simulated run, plNu the ν of the simulations; the theorem allows a failure probability of 8ν.
const (
	plLimit = 30000
	plLooks = 4 // the error of the estimator is looked at once in so many rounds
	plNu    = 0.1 / 8
)

// drawnPL is a problem together with everything that a run of FLEDGE on it needs.
type drawnPL struct {
	PLRun
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
func drawPLRun(src *props.Source, regimes []regime, options ...algos.Option) (d *drawnPL, ok bool) {
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
	d = &drawnPL{}
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
	d.PLRun = PLRun{Option: options[0], P: float64(P), Sampled: float64(sampled), K: float64(K), C1: 1,
		L: c.L.Value, Mu: c.Mu.Value, Zeta: c.Zeta.Value, Data: c.L.Value, Sigma: c.Sigma.Value, G: c.G.Value, SigmaC: c.SigmaC.Value, GC: c.GC.Value, Delta: c.Delta.Value}
	d.Batch = float64(max(K, src.Int("b", 1, 8)))
	if how != bold {
		d.C1 = bounds.C1(1, bounds.Sizes{P: P, D: dim, T: plLimit, K: K, Nu: plNu})
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
func (d *drawnPL) method() *algos.FLEDGE {
	most := 1
	for i := range d.problem.Clients() {
		most = max(most, d.problem.Size(i))
	}
	return &algos.FLEDGE{Eta: d.Eta, Chosen: int(d.Sampled), LocalSteps: int(d.K), Batch: int(min(d.Batch, float64(most))), Cap: true, Radius: d.R,
		Option: d.Option}
}

// regime is that of a claim about runs that may fail with probability delta.
func (d *drawnPL) regime(delta float64) props.Regime {
	return bounds.Clients(int(d.P), int(d.Sampled), int(d.K), len(d.x0), d.Zeta).And(props.Allowed(delta))
}

// run runs FLEDGE and shows the local points of every round. It reports the share of rounds that begin with an error of the estimator.
func (d *drawnPL) run(t props.Trial, T int, look func(round int, local [][]float64) (more bool)) {
	m, monitor, share := d.method(), algos.NewMonitor(d.problem), bounds.Share{}
	defer share.Report(t)
	if err := m.Start(algos.NewOracle(d.problem), d.x0, algos.Keyed(t.Key)); err != nil {
		panic(err) // the ranges are valid
	}
	for round := 1; round <= T; round++ {
		m.Step()
		if !look(round, m.LocalPoints()) {
			return
		}
		if round%plLooks == 1 {
			share.Step(monitor.ErrorSquared(m.Estimator(), m.Point()), sq(monitor.GradientNorm(m.Point())))
		}
	}
}

// reaches returns the statement that the run meets a gradient of norm at most ε within the horizon.
func (d *drawnPL) reaches(delta float64) props.HittingTrial {
	regime := d.regime(delta).And(bounds.Steps(d.rounds))
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
func descentRounds(s *PLRun, lnRatio float64) float64 {
	return lnRatio / (-math.Log1p(-s.Eta*s.Mu) * s.K)
}

// singleDatum draws the setting of a single client with a single datum, where FLEDGE is gradient descent and ζ = σ = 0, with the listed step
// size, and the logarithm of ‖∇f(x⁰)‖/ε. μ ≤ L/2, so that a step is not the last.
func singleDatum(src *props.Source) (s *PLRun, lnRatio float64) {
	s = &PLRun{L: 1, C1: 1, P: 1, Sampled: 1, K: 1, Batch: 1}
	s.Mu = 0.5 / bounds.AtLeastOne(src, "L/2μ", 1e9)
	s.Eta = s.ListedStep()
	return s, bounds.AtLeastOne(src, "ln(‖∇f(x⁰)‖/ε)", 1e3)
}

// hidden is the factor log^{6.5}(P + K + 1/μ + 1/ν) that Õ stands for, for ν = 0.1, with a constant factor 4.
func (s *PLRun) hidden() float64 { return 4 * math.Pow(math.Log(s.P+s.K+1/s.Mu+10), 6.5) }

// drawBudget draws the setting, its C_1 and what decides the number of rounds, and returns the argument of the logarithm, (√(μΔ) + σ + G + σ_c +
// G_c)/ε, with ε. The step size is that of line 3312, with the Hessian distance of the data in its third entry.
func drawBudget(src *props.Source, option algos.Option) (s *PLRun, log, eps float64) {
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
	s := PLRun{P: 1, Sampled: 1, K: 1, Batch: 1, L: mu * src.LogReal("L/μ", 1e6, 1e8), Mu: mu}
	p, e := alongWeak([]int{1}, problems.QuadraticMean{Spectrum: []float64{s.L, s.Mu}}, src.Rand("directions"))
	d := drawnPL{PLRun: s, problem: p, x0: e, eps: mu * src.Real("ε/‖∇f(x⁰)‖", 0.01, 0.5), rounds: int(s.hidden())}
	d.Eta = d.ListedStep() / 2
	trial := d.reaches(8 * plNu)
	trial.Regime = props.Where(bounds.Steps(d.rounds),
		props.Allowed(trial.Delta)) // gradient descent is all that it is about
	return trial
}

func plClaims() []props.Binding {
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
			props.Dimensional(bounds.LengthUnit, bounds.Quantities("η", "ε"),
				map[string]func(props.Values) float64{"ε√η/8, the bound on r": func(v props.Values) float64 { return v["ε"] * math.Sqrt(v["η"]) / 8 }}),
			plNoise(func(eta, eps float64) float64 { return eps * math.Sqrt(eta) / 8 }))),
		props.Bind("dpl-noise-radius/corrected", props.All(
			props.Dimensional(bounds.LengthUnit, bounds.Quantities("η", "ε"),
				map[string]func(props.Values) float64{"ηε/8, the bound on r": func(v props.Values) float64 { return v["ε"] * v["η"] / 8 }}),
			plNoise(func(eta, eps float64) float64 { return (&PLRun{Eta: eta}).NoiseRadius(eps) }))),
		props.Bind("dpl-noise-radius/sharper", plNoise(func(eta, eps float64) float64 { return eta * eps * math.Sqrt(3) / 8 })),
		props.Bind("dpl-hidden-logs", props.Order(func(src *props.Source) (float64, float64) {
			s := drawPLHidden(src)
			return s.c1(), max(s.lnP, s.lnK, s.lnNuInverse, s.lnMuInverse) * (1 + math.Log(s.lambda))
		})),
		props.Bind("dpl-hidden-logs/corrected", props.Order(func(src *props.Source) (float64, float64) {
			s := drawPLHidden(src)
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
				ln := bounds.AtLeastOne(src, "ln(μΔ/ε²)", 1e6) // and ln(Δ/ε) = 1
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
func (s *PLRun) gradients(rounds float64) float64 {
	return (s.P + 2*(s.Sampled+1)*rounds) * s.K * s.Batch
}

// inverse joins the inverses of μK times the entries of line 3312.
func inverse(s *PLRun, join func([]float64) float64) float64 {
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
	d, ok := drawPLRun(src, []regime{bold, literalWhole}, options...)
	if !ok || float64(d.rounds)*d.K > plLimit {
		return props.HittingTrial{Delta: 1}
	}
	trial := d.reaches(8 * plNu)
	trial.Regime = bounds.WithErrors(trial.Regime)
	return trial
}

// plHidden holds the parameters that decide the size of C_1, as logarithms.
type plHidden struct {
	lnP, lnK, lnD, lnNuInverse, lnKappa, lnMuInverse float64
	lambda                                           float64 // the logarithm of (…)/ε in the number of rounds
}

func drawPLHidden(src *props.Source) plHidden {
	ln := func(name string) float64 { return 1 + src.LogReal(name+" − 1", 1e-5, 1e5) }
	s := plHidden{lnP: ln("ln P"), lnK: ln("ln K"), lnD: ln("ln d"), lnNuInverse: ln("ln 1/ν"), lnKappa: ln("ln L/μ"), lambda: ln("ln (…)/ε")}
	s.lnMuInverse = s.lnKappa - ln("ln L")
	return s
}

// c1 solves C_1 = log(1/ν + P + d + T + K), up to a factor 5, with the T of dpl-horizon/corrected for p = b = 1 and ζ = L.
func (s *plHidden) c1() float64 {
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
		s := &PLRun{C1: src.LogReal("C_1", 1, 100), Mu: src.LogReal("μ", 1e-3, 1e3), K: float64(src.LogInt("K", 1, 1000))}
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
