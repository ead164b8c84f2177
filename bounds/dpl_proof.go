package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/keyed"
)

// The shares of ε²/μ with which the proof of theorem:D-PL ends, repaired (lines 3330-3344): the
// noise, each of the two other terms, and all together.
const (
	noiseShare = 1.0 / 8
	wholeShare = 6.0 / 32
)

// roundSums are what a run has accumulated for the left side and for the movement term of lines
// 3292-3297 after so many local steps.
type roundSums struct {
	gradSq  float64 // Σ(1−q)^{steps after}‖∇f(x^{t,k−1})‖²
	movedSq float64 // Σ(1−q)^{steps after}‖x^{t,k}−x^{t,k−1}‖²
	minSq   float64 // the least ‖∇f(x^{t,k−1})‖²
	rounds  int
	largest float64                   // largest f − f* that was asked for, for rounding errors
	value   func(x []float64) float64 // f − f*
	last    []float64                 // the last point
}

// gap returns f − f* at the last point.
func (s *roundSums) gap() float64 {
	gap := s.value(s.last)
	s.largest = max(s.largest, gap)
	return gap
}

// follow runs FLEDGE for T rounds with the decay rate q per step and hands the sums to look after
// every round. They stay 0 if q is nil.
func (d *drawnRounds) follow(t props.Trial, T int, q func(d *drawnRounds) float64,
	look func(s *roundSums)) {
	s := &roundSums{minSq: math.Inf(1), value: d.value}
	d.run(t, T, func(mon *algos.Monitor, round int, local [][]float64) bool {
		s.rounds, s.last = round, local[len(local)-1]
		if q != nil {
			d.sum(s, mon, q(d), local)
		}
		look(s)
		return true
	})
}

// sum adds a round to the sums.
func (d *drawnRounds) sum(s *roundSums, mon *algos.Monitor, q float64, local [][]float64) {
	for k, x := range local[1:] {
		g := sq(mon.GradientNorm(local[k]))
		m := sq(floats.Distance(x, local[k], 2))
		s.gradSq, s.movedSq, s.minSq = (1-q)*s.gradSq+g, (1-q)*s.movedSq+m, min(s.minSq, g)
	}
}

// drawPlain draws a single client with a single datum on a quadratic, where FLEDGE is gradient
// descent, with any step size up to 1/L and the literal C_1. Nothing is random: what holds with
// positive probability holds on the run.
func drawPlain(src *props.Source) (d *drawnRounds, T int) {
	kappa := src.LogReal("L/μ", 1.001, 10)
	mu := src.LogReal("μ", 1e-2, 1e2)
	p, e := alongWeak([]int{1}, problems.QuadraticMean{Spectrum: []float64{mu * kappa, mu}},
		src.Rand("directions"))
	T = src.Int("T", 1, 10)
	d = &drawnRounds{problem: p, value: p.Value, x0: e}
	floats.Scale(src.LogReal("|x0|", 1e-2, 1e2), d.x0)
	d.FLEDGETheory = algos.FLEDGETheory{P: 1, Chosen: 1, K: float64(src.Int("K", 1, 40)),
		B: float64(src.Int("b", 1, 40)), L: mu * kappa, Mu: mu}
	d.Delta = p.Value(d.x0)
	d.C1 = concentration.C1(1, concentration.Sizes{P: 1, D: 2, T: T, K: int(d.K), Nu: plRoundsNu})
	d.Eta = src.LogReal("ηL", 1e-2, 1) / d.L
	return d, T
}

// plainRun is the trial of a run without randomness.
var plainRun = props.Trial{Key: keyed.New(0)}

// unrolledRight is the right-hand side of lines 3293-3307 with exact exponents.
func (d *drawnRounds) unrolledRight(s *roundSums) float64 {
	T := float64(s.rounds)
	initial := 0.0
	if d.Option == algos.OptionI {
		for t := 1.0; t <= min(T, math.Floor(d.Window())); t++ {
			for k := 1.0; k <= d.K; k++ {
				initial += d.Decay((T-t+1)*d.K - k)
			}
		}
		initial *= d.Eta * localStartAt.At(d.C1, d.Chosen, d.K, d.B, d.Sigma, d.G, d.SigmaC, d.GC)
	}
	return d.Decay(T*d.K)*d.Delta - (1/(2*d.Eta)-d.MovementLoss())*s.movedSq +
		d.NoiseTerm(T) + initial
}

// plTail is the shape of the claims about runs with the parameters of the theorem, over the given
// number of local steps; q is that of [drawnRounds.follow].
func plTail(steps int, regimes []regime, q func(d *drawnRounds) float64,
	compare func(d *drawnRounds, s *roundSums,
		rec *props.Recorder)) *props.Randomised {
	return props.Tail(func(src *props.Source) props.TailTrial {
		d, ok := drawPLRounds(src, regimes)
		if !ok {
			return props.TailTrial{Delta: 1}
		}
		d.rounds = max(1, min(d.rounds, steps/int(d.K)))
		T := d.rounds
		regime := d.regime(8 * plRoundsNu).And(props.Min("TK", T*int(d.K), LeastSteps))
		return props.TailTrial{Delta: 8 * plRoundsNu, Regime: regime,
			Run: func(t props.Trial, rec *props.Recorder) {
				d.follow(t, T, q, func(s *roundSums) { compare(d, s, rec) })
			}}
	})
}

// telling reports whether the first term of the bound has fallen to half of Δ, or the run is over:
// before that every bound is near Δ and says little.
func (d *drawnRounds) telling(s *roundSums, at *plLocalRun) bool {
	return s.rounds == d.rounds || at.Decay(float64(s.rounds)*d.K) <= 0.5
}

func half(d *drawnRounds) float64 { return d.Eta * d.Mu / 2 }

// doubled returns the setting with μ doubled, for which the decay 1 − ημ/2 is the 1 − ημ of the
// remark.
func (s *plLocalRun) doubled() *plLocalRun {
	t := *s
	t.Mu *= 2
	return &t
}

func plRoundsProofClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-one-step", oneStep(func(plStepRecord) float64 { return 0 })),
		props.Bind("dpl-one-step/corrected",
			props.Settled(oneStep(func(s plStepRecord) float64 { return s.MovedSq }),
				halfContraction)),
		props.Bind("dpl-unrolled/corrected", props.All(
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				d, T := drawPlain(src)
				d.follow(plainRun, T, half, func(s *roundSums) { d.compareUnrolled(s, rec) })
			}).Effort(0.5),
			plTail(400, []regime{literalWhole, literalParts}, half,
				(*drawnRounds).compareUnrolled).Effort(runEffort))),
		props.Bind("dpl-step-size-coefficient",
			props.Implication(func(src *props.Source, rec *props.Recorder) {
				s := drawPLStep(src)
				s.Eta = s.PLStep(algos.FLEDGEPLFactor * src.LogReal("27c", 1e-3, 1))
				rec.AtMost("L/2 + Σ_s… + ηΣ_k… against 1/(2η)", s.MovementLoss(), 1/(2*s.Eta))
			})),
		props.Bind("dpl-final-inequality/corrected", plTail(1500, []regime{literalWhole}, half,
			dplFinalInequalityCorrected).Effort(0.1)),
		props.Bind("dpl-minimum-gradient/corrected",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				d, T := drawPlain(src)
				d.follow(plainRun, T, half, func(s *roundSums) {
					if d.Decay(float64(s.rounds)*d.K) <= 5.0/8 {
						rec.AtLeast("f(x^T)−f* + (η/4)ΣΣ…‖∇f(x^{t,k−1})‖²",
							s.gap()+d.Eta/4*s.gradSq,
							wholeShare/d.Mu*s.minSq)
					}
				})
			}).Effort(0.5)),
		props.Bind("dpl-remark-final/sharper", checkExpectedPLRounds()),
		props.Bind("dpl-remark-final/corrected", plTail(1500, []regime{literalWhole}, nil,
			dplRemarkFinalCorrected).Effort(0.1)),
	}
}

// dplRemarkFinalCorrected tries dpl-remark-final/corrected.
func dplRemarkFinalCorrected(d *drawnRounds, s *roundSums, rec *props.Recorder) {
	T, eps, fast := float64(s.rounds), sq(d.eps)/(2*d.Mu), d.doubled()
	if !d.telling(s, fast) {
		return
	}
	if d.R > d.Eta*math.Sqrt(eps*d.Mu)/2 ||
		d.P*d.K*d.B < 64*sq(d.C1*d.Sigma)/(d.Mu*eps)+8*d.C1*d.G/math.Sqrt(
			d.Mu*eps) {
		rec.Skip("the conditions of the remark are not met")
		return
	}
	rec.AtMost("f(x^T)−f*", s.gap(), eps/2+fast.Decay(T*d.K)*d.Delta+fast.InitialTerm(T))
}

// dplFinalInequalityCorrected tries dpl-final-inequality/corrected.
func dplFinalInequalityCorrected(d *drawnRounds, s *roundSums, rec *props.Recorder) {
	T := float64(s.rounds)
	if !d.telling(s, &d.plLocalRun) {
		return
	}
	gap := s.gap()
	left, bound := gap+d.Eta/4*s.gradSq,
		noiseShare*sq(d.eps)/d.Mu+d.Decay(T*d.K)*d.Delta+d.InitialTerm(T)
	rec.AtMost("f(x^T)−f* + (η/4)ΣΣ…‖∇f(x^{t,k−1})‖²", left, bound)
	if s.rounds == d.rounds {
		rec.Link("f(x^T)−f*", gap)
		rec.Link("with the gradients", left)
		rec.Link("final bound", bound)
	}
}

// oneStep compares the lines of the step inequality; moved is what the line between has for
// ‖x^{t,k}−x^{t,k−1}‖².
func oneStep(moved func(s plStepRecord) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s := drawDescentStep(src)
		coefficient := 1/(2*s.Eta) - s.L/2
		first := descent(s.Gap, s.ErrSq, s.GradSq, s.MovedSq, s.Eta, s.L, s.R)
		second := s.Gap + s.Eta*s.ErrSq - s.Eta/4*s.GradSq - s.Eta*s.Mu/2*s.Gap -
			coefficient*moved(s) + s.R*s.R/s.Eta
		last := (1-s.Eta*s.Mu/2)*s.Gap + s.Eta*s.ErrSq - coefficient*s.MovedSq + s.R*s.R/s.Eta
		scale := s.Scale + s.Eta*s.GradSq
		rec.AtMost("f(x^{t,k})−f* against the first line", s.GapAfter, first).Scale(scale)
		rec.AtMost("the first line against the second", first, second).Scale(scale)
		rec.Equal("the second line, rearranged, against the last", second+s.Eta/4*s.GradSq,
			last).Scale(scale)
		rec.AtMost("f(x^{t,k})−f* + (η/4)‖∇f(x^{t,k−1})‖² against the last line",
			s.GapAfter+s.Eta/4*s.GradSq, last).Scale(scale)
	})
}

// compareUnrolled records the unrolled inequality with exact exponents after a round.
func (d *drawnRounds) compareUnrolled(s *roundSums, rec *props.Recorder) {
	rec.AtMost("f(x^T)−f* + (η/4)ΣΣ(1−ημ/2)^{(T−t+1)K−k}‖∇f(x^{t,k−1})‖²", s.gap()+d.Eta/4*s.gradSq,
		d.unrolledRight(s)).
		Scale(s.largest + d.Delta + s.movedSq*(1/d.Eta+d.MovementLoss()))
}

// drawPLStep draws what the coefficient depends on, with clients and data of any heterogeneity up
// to 2L.
func drawPLStep(src *props.Source) *plLocalRun {
	s := &plLocalRun{FLEDGETheory: algos.FLEDGETheory{L: 1, C1: src.LogReal("C_1", 1, 100),
		P: float64(src.LogInt("P", Several, 1e6)), K: float64(src.LogInt("K", 1, 1e4)),
		B: float64(src.LogInt("b", 1, 1e6))}}
	s.Chosen = float64(src.LogInt("p", 1, int(s.P)))
	s.Mu, s.Zeta, s.Data = src.LogReal("μ/L", 1e-6, 1), src.LogReal("ζ/L", 1e-6,
		2), src.LogReal("Hessian distance of data / L", 1e-6, 2)
	return s
}
