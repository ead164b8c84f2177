package bounds

import (
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// plLocalRun is the setting of the convergence of FLEDGE under the PL condition (theorem:D-PL,
// lines 563-591 and 3190-3243, proof to line 3371). Counts are real numbers so that formulas can be
// compared over many decades.
type plLocalRun struct {
	algos.FLEDGETheory
	// noise within clients; spread of the clients' gradients at x⁰, Option I only
	Sigma, G, SigmaC, GC float64
	Delta                float64 // f(x⁰) − f*
	Eta, R               float64 // step size and noise radius
}

// plSettingOf returns a formula as a function of the numbers that [plLocalRun.at] hands over.
func plSettingOf(text string) *formula.Program {
	return formula.Must(plWords, text).Of("P", "p", "K", "b", "C_1", "L", "μ", "ζ", "σ", "G", "σ_c",
		"G_c", "Δ", "η", "s", "ε")
}

// at returns the value of a formula of plSettingOf, for an accuracy ε where it has one.
func (s *plLocalRun) at(f *formula.Program, eps float64) float64 {
	return f.At(s.P, s.Chosen, s.K, s.B, s.C1, s.L, s.Mu, s.Zeta, s.Sigma, s.G, s.SigmaC, s.GC,
		s.Delta, s.Eta, s.InitialTerm(0), eps)
}

// The formulas of theorem:D-PL.
var (
	// lines 571-577, 3193-3199
	plListedOf = plSettingOf("min{1/L, p√b/(ζ√(PK)), p/(μPK), 1/(ζK), √b/(L√K)}")
	// what Option I pays for its start, but for η and the decay (line 3335)
	plSpreadOf = plSettingOf("(96C_1³)(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p² + G_c²PK/p³)")
	// plNeededOf is the number of rounds after which the bound forces a gradient of norm at most ε:
	// the first and the third term of the bound are at most ε²/(32μ) and the weights of the
	// gradients add up to at least (3/8)·(2/μ)/η. The middle term is at most ε²/(8μ) under the
	// conditions on r and PKb.
	plNeededOf = plSettingOf("2max{log(8/5), log(32μΔ/ε²), log(32μs/ε²)}/(ημK)")
)

// ListedStep is the step size of the theorem, lines 571-577 and 3193-3199, without logarithms: 1/L
// ∧ p√b/(ζ√(PK)) ∧ p/(μPK) ∧ 1/(ζK) ∧ √b/(L√K), that of the first-order theorem and p/(μPK).
func (s *plLocalRun) ListedStep() float64 { return s.at(plListedOf, 0) }

// Decay is (1 − ημ/2)^n, for real n of either sign.
func (s *plLocalRun) Decay(n float64) float64 { return math.Exp(n * math.Log1p(-s.Eta*s.Mu/2)) }

// Window is T_3 = (P/p)C_1, not rounded (line 2240).
func (s *plLocalRun) Window() float64 { return s.P / s.Chosen * s.C1 }

// MovementLoss is what lines 3294-3297 subtract from 1/(2η) in the coefficient of ‖x^{t,k} −
// x^{t,k−1}‖², with ⌈T_3⌉ rounds in the window.
func (s *plLocalRun) MovementLoss() float64 {
	table := s.K * (clientLossAt.At(s.C1, s.Zeta, s.Chosen, s.K) +
		dataLossAt.At(s.C1, s.Data, s.Chosen, s.B))
	local := localLossAt.At(s.C1, s.Zeta, s.L, s.K, s.B)
	perRound := -s.K * math.Log1p(-s.Eta*s.Mu/2)
	return s.L/2 + s.Eta*table*math.Exp(perRound)*powerSum(perRound, math.Ceil(s.Window())) +
		s.Eta*local*powerSum(perRound/s.K, s.K)*math.Exp(-perRound/s.K)
}

// powerSum is Σ_{j=1}^n e^{jx} for x > 0.
func powerSum(x, n float64) float64 { return math.Exp(x) * math.Expm1(n*x) / math.Expm1(x) }

// StepNoise is r²/η + (8C_1²η/(PKb))(σ² + G²/(PKb)), what a step adds (lines 3326-3328).
func (s *plLocalRun) StepNoise() float64 {
	return s.R*s.R/s.Eta + s.Eta*floorLossAt.At(s.C1, s.P, s.K, s.B, s.Sigma, s.G)
}

// NoiseTerm is Σ_tΣ_k(1 − ημ/2)^{(T−t+1)K−k} times [plLocalRun.StepNoise].
func (s *plLocalRun) NoiseTerm(T float64) float64 {
	q := s.Eta * s.Mu / 2
	return -math.Expm1(T*s.K*math.Log1p(-q)) / q * s.StepNoise()
}

// InitialTerm is what Option I adds to the bound after T rounds: η(1 − ημ/2)^{(T−T_3)K} times
// 96C_1³(σ²P/(p²b) + G²P/(p³Kb²) + σ_c²PK/p² + G_c²PK/p³) (line 3335, which lacks the η), half of
// what it is in theorem:Dist-First-Main. It is 0 for Option II.
func (s *plLocalRun) InitialTerm(T float64) float64 {
	if s.Option == algos.OptionII {
		return 0
	}
	cost := plSpreadOf.At(s.P, s.Chosen, s.K, s.B, s.C1, 0, 0, 0, s.Sigma, s.G, s.SigmaC, s.GC,
		0, 0, 0, 0)
	return s.Eta * cost * s.Decay((T-s.Window())*s.K)
}

// NoiseRadius is an admissible noise radius, ηε/8: the printed ε√η/8 with η for √η.
func (s *plLocalRun) NoiseRadius(eps float64) float64 { return s.Eta * eps / 8 }

// Horizon is the number of rounds of the proof, whole: 2max{log(8/5), log(32μΔ/ε²),
// log(32μs/ε²)}/(ημK), s the [plLocalRun.InitialTerm] at T = 0, after which the bound forces a
// gradient of norm at most eps.
func (s *plLocalRun) Horizon(eps float64) float64 { return math.Ceil(s.at(plNeededOf, eps)) }

// drawPLSizes draws the setting over many decades, in units with L = 1.
func drawPLSizes(src *props.Source) *plLocalRun {
	s := &plLocalRun{FLEDGETheory: algos.FLEDGETheory{L: 1, C1: 1, P: severalUpTo(src, "P", 1e9),
		K: atLeastOne(src, "K", 1e9), B: atLeastOne(src, "b", 1e9)}}
	s.Chosen = max(1, s.P*atMostOne(src, "p/P", 1e-9))
	s.Mu = 1 / atLeastOne(src, "L/μ", 1e9)
	s.Zeta = 2 * atMostOne(src, "ζ/2L", 1e-9)
	s.Data = s.L
	return s
}

// plLimit is the largest number of local steps of a simulated run, plNu the ν of the simulations;
// the theorem allows a failure probability of 8ν.
const (
	plLimit       = 15000
	roundsPerLook = 4 // the error of the estimator is looked at once in so many rounds
	plRoundsNu    = 0.1 / 8
)

// drawnPL is a problem together with everything that a run of FLEDGE on it needs.
type drawnRounds struct {
	plLocalRun
	problem algos.Problem
	value   func(x []float64) float64 // f − f*; nil where it is not needed
	x0      []float64
	eps     float64
	rounds  int // Horizon(eps)
}

// regime says how a simulated run takes C_1 and the minibatches.
type regime int

const (
	unitC1 regime = iota // C_1 = 1: larger steps than the theorem promises anything for
	// the literal C_1, and minibatches of the size with which it costs nothing: clients use all
	// data they have
	literalWhole
	literalParts // the literal C_1 and small minibatches, for which the step size is tiny
)

func (r regime) String() string {
	return [...]string{"C_1 = 1", "literal C_1, all data", "literal C_1, small minibatches"}[r]
}

// drawPLClients draws the PL problem of a regime: a quadratic one, or a nonconvex one.
func drawPLClients(src *props.Source, how regime, sizes []int,
	dim int) problems.CertifiedFederated {
	curvature := []float64{1}
	kappa := src.LogReal("condition number", 1, 5)
	for k := 1; k < dim; k++ {
		curvature = append(curvature, math.Pow(kappa, -float64(k)/float64(dim-1)))
	}
	zeta, least := 1.0, 0.1
	if how != unitC1 {
		zeta, least = 1e-5, 1e-2
	}
	between := problems.Heterogeneity{Pattern: problems.Pairs, Hessian: zeta *
		src.LogReal("Hessian distance of clients", least, 1),
		Linear: src.Real("linear spread of clients", 0, 2)}
	within := problems.Heterogeneity{Linear: src.LogReal("linear spread of data", 1e-4, 0.1)}
	seed := src.Rand("directions")
	if src.Pick("family", "quadratic", "nonconvex PL") == 0 {
		// by ripples, which leave the noise bounded
		within.Amplitude = src.LogReal("Hessian distance of data", 1e-3, 0.5)
		return props.Must(problems.Make(sizes, problems.QuadraticMean{Spectrum: curvature,
			Ripple:  src.LogReal("width of ripples", 0.01, 0.3),
			Between: between, Within: within}, seed))
	}
	for k := range curvature {
		curvature[k] /= 8
	}
	return props.Must(problems.Make(sizes, problems.PLMean{Curvature: curvature, Between: between,
		Within: within}, seed))
}

// drawPLRounds draws a PL problem, a start, and parameters of FLEDGE for which all conditions of
// the theorem hold in their repaired form, with [algos.FLEDGEPLFactor] for Θ. The literal C_1 is
// that of a run of plLimit steps. ok is false if the run starts at a solution, or so near one that
// rounding hides it.
func drawPLRounds(src *props.Source, regimes []regime,
	options ...algos.Option) (d *drawnRounds, ok bool) {
	P, m, dim := src.Int("P", 1, 8), src.LogInt("data per client", 1, 24),
		draw(src, "d", manyDimensions)
	K := src.Int("K", 1, 6)
	sampled := src.Int("p", (P+1)/2, P)
	how := props.OneOf(src, "regime", regimes...)
	if how == literalWhole {
		// all data are used in every step, so that their number shows in the running time only;
		// steps get shorter with K
		m, K = min(m, 2), min(K, 3)
	}
	p := drawPLClients(src, how, slices.Repeat([]int{m}, P), dim)
	d = &drawnRounds{}
	d.x0 = problems.DrawPoint(src, "x0", dim, 5)
	c := p.Constants(d.x0)
	lowest, _ := p.Minimum()
	d.problem, d.value = p, func(x []float64) float64 { return p.Value(x) - lowest }
	if options == nil {
		options = []algos.Option{algos.Option(src.Pick("option", "II", "I"))}
	}
	d.plLocalRun = plLocalRun{FLEDGETheory: algos.FLEDGETheory{Option: options[0],
		P: float64(P), Chosen: float64(sampled), K: float64(K), C1: 1, L: c.L.Value,
		Mu: c.Mu.Value, Zeta: c.Zeta.Value, Data: c.L.Value}, Sigma: c.Sigma.Value, G: c.G.Value,
		SigmaC: c.SigmaC.Value, GC: c.GC.Value, Delta: c.Delta.Value}
	d.B = float64(max(K, src.Int("b", 1, 8)))
	if how != unitC1 {
		d.C1 = concentration.C1(1, concentration.Sizes{P: P, D: dim, T: plLimit, K: K,
			Nu: plRoundsNu})
	}
	if how == literalWhole {
		d.B = 1e12
	}
	if d.K*d.B >= float64(m) {
		d.Sigma, d.G, d.Data = 0, 0, 0 // every minibatch of Kb is the whole client
	}
	d.Eta = d.PLStep(algos.FLEDGEPLFactor)
	g := make([]float64, dim)
	p.FullGradient(g, d.x0)
	start := math.Sqrt(normSq(g))
	// PKb ≥ 512C_1²σ²/ε² + 64C_1G/ε, with each term at most half
	PKb := d.P * d.K * d.B
	d.eps = max(start*src.LogReal("ε/‖∇f(x⁰)‖", 1e-2, 0.9), d.C1*d.Sigma*math.Sqrt(1024/PKb),
		128*d.C1*d.G/PKb)
	if src.Bool("noise") {
		d.R = d.NoiseRadius(d.eps)
	}
	d.rounds = int(min(max(1, d.Horizon(d.eps)), 2*plLimit))
	return d, d.eps < start && resolved(p, d.x0, d.eps)
}

// resolved reports whether a gradient of f of norm ε can be told from the rounding of those of the
// data at x, of which it is a mean: near a solution at which they cancel, no run in floating point
// finds a point that is better than that.
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
func (d *drawnRounds) method() *algos.FLEDGE {
	most := 1
	for i := range d.problem.Clients() {
		most = max(most, d.problem.Size(i))
	}
	return &algos.FLEDGE{Eta: d.Eta, Chosen: int(d.Chosen), LocalSteps: int(d.K),
		Batch: int(min(d.B, float64(most))), Cap: true, Radius: d.R, Option: d.Option}
}

// regime is that of a claim about runs that may fail with probability delta.
func (d *drawnRounds) regime(delta float64) props.Regime {
	return clientsRegime(int(d.P), int(d.Chosen), int(d.K), len(d.x0),
		d.Zeta).And(props.Allowed(delta))
}

// run runs FLEDGE and shows the local points of every round, with a monitor of the problem. It
// reports the share of rounds that begin with an error of the estimator.
func (d *drawnRounds) run(t props.Trial, T int,
	look func(mon *algos.Monitor, round int, local [][]float64) (more bool)) {
	run := algos.Recall(d.problem)
	m, monitor, share := d.method(), algos.NewMonitor(run), stepShare{from: smallErrors}
	defer share.Report(t)
	m.Radius = radius(t, m.Radius)
	if err := m.Start(algos.NewOracle(answers(t, run)), d.x0, algos.Keyed(t.Key)); err != nil {
		panic(err) // the ranges are valid
	}
	for round := 1; round <= T; round++ {
		m.Step()
		if !look(monitor, round, m.LocalPoints()) {
			return
		}
		if round%roundsPerLook == 1 {
			share.Step(monitor.ErrorSquared(m.Estimator(), m.Point()),
				sq(monitor.GradientNorm(m.Point())))
		}
	}
}

// reaches returns the statement that the run meets a gradient of norm at most ε within the horizon.
func (d *drawnRounds) reaches(delta float64) props.HittingTrial {
	regime := d.regime(delta).And(longEnough(d.rounds))
	return props.HittingTrial{Horizon: d.rounds, Delta: delta, Regime: regime,
		Run: func(t props.Trial) (round int, hit bool) {
			d.run(t, d.rounds, func(mon *algos.Monitor, r int, local [][]float64) bool {
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

// hidden is the factor log^{6.5}(P + K + 1/μ + 1/ν) that Õ stands for, for ν = 0.1, with a constant
// factor 4.
func (s *plLocalRun) hidden() float64 { return 4 * math.Pow(math.Log(s.P+s.K+1/s.Mu+10), 6.5) }

// alongWeak draws a quadratic with mean curvatures L and μ ≤ L/2 and identical or slightly
// different clients and data, and returns it with a unit vector of the weak direction.
func alongWeak(sizes []int, m problems.QuadraticMean,
	r *rand.Rand) (problems.Federated, []float64) {
	p := props.Must(problems.Make(sizes, m, r))
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

// setupFlat runs FLEDGE on a single ill-conditioned quadratic from a point in the weak direction,
// with half the largest step size of the theorem, for the number of rounds that it claims with ∧:
// Õ(1), as ζ = 0. μ is at least 1, so that no logarithm is large.
func setupFlat(src *props.Source) props.HittingTrial {
	mu := src.LogReal("μ", 1, 100)
	s := plLocalRun{FLEDGETheory: algos.FLEDGETheory{P: 1, Chosen: 1, K: 1, B: 1,
		L: mu * src.LogReal("L/μ", 1e6, 1e8), Mu: mu}}
	p, e := alongWeak([]int{1}, problems.QuadraticMean{Spectrum: []float64{s.L, s.Mu}},
		src.Rand("directions"))
	d := drawnRounds{plLocalRun: s, problem: p, x0: e, eps: mu * src.Real("ε/‖∇f(x⁰)‖", 0.01, 0.5),
		rounds: int(s.hidden())}
	d.Eta = d.ListedStep() / 2
	trial := d.reaches(8 * plRoundsNu)
	trial.Regime = props.Where(longEnough(d.rounds),
		props.Allowed(trial.Delta)) // gradient descent is all that it is about
	return trial
}

func plRoundsClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-step-size-list", props.Order(func(src *props.Source) (float64, float64) {
			s := drawPLSizes(src)
			s.Data = s.Zeta
			s.Eta = algos.FLEDGEPLFactor * s.ListedStep()
			return s.MovementLoss(), 1 / (2 * s.Eta)
		})),
		props.Bind("dpl-step-size-list/corrected",
			props.Order(func(src *props.Source) (float64, float64) {
				s := drawPLSizes(src)
				s.Eta = s.PLStep(algos.FLEDGEPLFactor)
				return s.MovementLoss(), 1 / (2 * s.Eta)
			})),
		props.Bind("dpl-rounds", props.Hitting(setupFlat).Effort(0.2)),
		props.Bind("dpl-rounds/corrected",
			props.Hitting(func(src *props.Source) props.HittingTrial {
				return setupReach(src)
			}).Effort(runEffort)),
		props.Bind("dpl-hidden-logs", hiddenLogarithm(true,
			func(c *c1Logs) float64 { return c.muInverse })),
		props.Bind("dpl-hidden-logs/corrected", hiddenLogarithm(true, func(c *c1Logs) float64 {
			return max(c.kappa, c.dim)
		})),
	}
}

// setupReach asks whether runs meet the accuracy within the number of rounds of the proof.
func setupReach(src *props.Source, options ...algos.Option) props.HittingTrial {
	d, ok := drawPLRounds(src, []regime{unitC1, literalWhole}, options...)
	if !ok || float64(d.rounds)*d.K > plLimit {
		return props.HittingTrial{Delta: 1}
	}
	trial := d.reaches(8 * plRoundsNu)
	trial.Regime = withSmallErrors(trial.Regime)
	return trial
}
