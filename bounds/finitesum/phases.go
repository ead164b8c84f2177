package finitesum

import (
	"math"
	"math/big"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
)

// Phases is the bookkeeping of the proof of theorem:Second-Main (lines 1927-2018): the steps are divided into phases of 2T_2 steps; a phase is of class 1
// if the gradient is large on most of it, and otherwise of class 2 or 3 according to the curvature at a point of its first half with small gradient.
type Phases struct {
	T2             float64 // half the length of a phase
	Eta            float64 // step size
	Eps, Curvature float64 // ε and δ of the (ε,δ)-second-order stationary point
	Rho            float64 // Hessian Lipschitz constant
	CB             float64 // C_b, of the radius δ/(C_bρ) of the stuck region
}

// Radius is δ/(C_bρ), how far a phase of class 2 moves (lines 1944-1950).
func (p *Phases) Radius() float64 { return p.Curvature / (p.CB * p.Rho) }

// EscapeCost is 2η²T_2²C_b²ρ²/δ² (line 2016): what a phase of class 2 costs per step, as 1/ε² for one of class 1.
func (p *Phases) EscapeCost() float64 {
	x := p.Eta * p.T2 / p.Radius()
	return 2 * x * x
}

// Spent is the lower bound N_1T_2ε² + δ²N_2/(2η²T_2C_b²ρ²) on Σ‖∇f(x^{t−1})‖² + (1/(2η²))Σ‖x^t − x^{t−1}‖² (lines 1990-1996).
func (p *Phases) Spent(n1, n2 int) float64 {
	return p.T2 * (float64(n1)*p.Eps*p.Eps + float64(n2)/p.EscapeCost())
}

// kind is what a phase sees of an iterate.
type kind uint8

const (
	steep  kind = iota // ‖∇f‖ > ε
	saddly             // ‖∇f‖ ≤ ε and λ_min ≤ −δ
	good               // ‖∇f‖ ≤ ε and λ_min > −δ
)

// classes returns which of the classes 1, 2, 3 of lines 1930-1936 a phase of 2T_2 iterates belongs to. A phase is of class 1 if at least atLeast iterates
// have a large gradient: T_2 + 1 as printed.
func classes(phase []kind, atLeast int) (in [4]bool) {
	count := 0
	for t, k := range phase {
		switch {
		case k == steep:
			count++
		case t >= len(phase)/2:
		case k == saddly:
			in[2] = true
		default:
			in[3] = true
		}
	}
	in[1] = count >= atLeast
	return in
}

// PhaseStepSize is a step size of order 1/L with which the path length gets the coefficient 1/(2η²) of lines 1981-1989: min{1/(4L), b/(C_1^{9/2}ζ√(120n))}.
func PhaseStepSize(L, zeta float64, n, b int, c1 float64) float64 {
	return min(1/(4*L), float64(b)/(math.Pow(c1, NeededStepPower)*zeta*math.Sqrt(120*float64(n))))
}

func phaseClaims() []props.Claim {
	const part, label = "sledge-second-order", "theorem:Second-Main"
	return []props.Claim{
		{
			ID: "phase-classes-exhaustive", Part: part, Tier: 2, Kind: "identity", Lines: "1930-1942", Label: label,
			Statement: `With ⌈T/(2T_2)⌉ phases of length 2T_2 and class 1 defined by #{t ∈ P^τ: ‖∇f(x^t)‖ > ε} > T_2, classes 2 and 3 by a first-half iterate with ‖∇f‖ ≤ ε, every phase is in class 1, 2 or 3`,
			Notes: "A phase whose gradients are large exactly on its first half has T_2 large gradients, not more, and no small one in the first half: it is in no class. The text itself derives only " +
				"\"≥ T_2\" for such a phase. Gradient descent on a quadratic produces one whenever ε lies between the gradient norms at the end of the first half and the beginning of the second. " +
				"With ≥ T_2 in the definition all is well, and the count N_1T_2ε² that is used later only gains. The classes are not exclusive; " +
				"a^τ must be read as the first of them that applies. T_2 must be a whole number and T a multiple of 2T_2, or the last phase has steps beyond T.",
			Expect: props.Refuted,
			Check:  props.All(phasesInClasses(1), props.Implication(tryDescentPhase)),
		},
		{
			ID: "phase-classes-exhaustive/corrected", Part: part, Tier: 2, Kind: "identity", Lines: "1930-1942", Label: label,
			Statement: `With T a multiple of 2T_2, phases of length 2T_2 and class 1 defined by #{t ∈ P^τ: ‖∇f(x^t)‖ > ε} ≥ T_2, classes 2 and 3 by a first-half iterate with ‖∇f‖ ≤ ε, every phase is in class 1, 2 or 3`,
			Expect:    props.Proved,
			Notes:     "All patterns of large gradients, saddles and good points over a phase, for T_2 ≤ 4. The argument is the same for every T_2.",
			Check:     phasesInClasses(0),
		},
		{
			ID: "phase-path-length", Part: part, Tier: 2, Kind: "inequality", Lines: "1944-1957", Label: label,
			Statement: `max_{t≤s≤t+T_2}‖x^s−x^t‖ > δ/(C_bρ) inside a phase leads to T_2Σ_{t∈phase}‖x^{t+1}−x^t‖² > (δ/(C_bρ))²`,
			Notes: "Checked with the largest displacement itself in place of δ/(C_bρ); tight for T_2 equal steps along a line. The escape lemma promises the displacement up to step τ+T_2 with a kick at τ ≥ τ_0+1, " +
				"one step later than the window used here; with T_2+1 for T_2 that is covered too.",
			Uses:   []string{"escape-lemma"},
			Expect: props.Consistent,
			Check:  props.Inequality(tryPathLength),
		},
		{
			ID: "phase-descent-sum", Part: part, Tier: 2, Kind: "inequality", Lines: "1960-1975", Label: label,
			Statement: `From the first-order proof: Σ‖∇f(x^{t−1})‖² ≤ (2/η)[f(x⁰)−f(x^t) − (1/(2η)−L/2−15C_1⁹ηζ²n/b²)Σ‖x^t−x^{t−1}‖² + (ηC_1³T_1/b)(σ_c²+G_c²/b)] + 2Tr²/η² (Option I)`,
			Notes: "Read as the inference that it is. The first-order proof has the initial term 12ηC_1³n/b² (line 1498), which is 12ηC_1²T_1/b; here it is ηC_1³T_1/b = ηC_1⁴n/b². For C_1 < 12, " +
				"that is as long as 1/ν+n+d+T < e^12, this is smaller by 12/C_1, and the next display (line 1983) has the 12 again. Orders are not affected. x^t outside the sums is read as x^T.",
			Uses:   []string{"first-sum-with-variance"},
			Expect: props.Refuted,
			Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
				tryInitialTerm(src, rec, 1, 3)
			}),
		},
		{
			ID: "phase-descent-sum/corrected", Part: part, Tier: 2, Kind: "inequality", Lines: "1960-1975", Label: label,
			Statement: `From the first-order proof: Σ‖∇f(x^{t−1})‖² ≤ (2/η)[f(x⁰)−f(x^T) − (1/(2η)−L/2−15C_1⁹ηζ²n/b²)Σ‖x^t−x^{t−1}‖² + (12ηC_1²T_1/b)(σ_c²+G_c²/b)] + 2Tr²/η² (Option I)`,
			Uses:      []string{"first-sum-with-variance"},
			Expect:    props.Consistent,
			Check: props.Inequality(func(src *props.Source, rec *props.Recorder) {
				tryInitialTerm(src, rec, 12, 2)
			}),
		},
		{
			ID: "phase-step-size-rearranged", Part: part, Tier: 1, Kind: "implication", Lines: "1976-1989", Label: label,
			Statement: `η = Θ̃(1/L) of the first-order theorem and b ≥ √n give Σ‖∇f(x^{t−1})‖² + (1/(2η²))Σ‖x^t−x^{t−1}‖² ≤ 2Δ/η + init + 2Tr²/η²`,
			Notes: "Θ̃ is read as elsewhere (pl-step-size-choice, error-induction-constants): some step size of that order does it, namely η = min{1/(4L), b/(C_1^{9/2}ζ√(120n))}. The rearrangement needs " +
				"(2/η)(1/(2η) − L/2 − 15C_1⁹ηζ²n/b²) ≥ 1/(2η²), that is L/2 + 15C_1⁹ηζ²n/b² ≤ 1/(4η): twice as much as the first-order theorem, whose own step size does not do (/first-order-step). Checked are first the " +
				"coefficients (tight where both entries of the minimum are equal), then the order of η, then runs with the literal C_1 and with C_1 = 1.",
			Uses:   []string{"phase-descent-sum", "first-step-size-choice"},
			Expect: props.Consistent,
			Check: props.All(
				props.Implication(func(src *props.Source, rec *props.Recorder) { tryRearranged(src, rec, PhaseStepSize) }),
				props.Order(func(src *props.Source) (float64, float64) {
					n := int(bounds.SeveralUpTo(src, "n", 1e9))
					b := min(n, int(math.Ceil(math.Sqrt(float64(n))*bounds.AtLeastOne(src, "b/√n", 1e5))))
					zeta := 2 * bounds.AtMostOne(src, "ζ/2L", 1e-9)
					return 1, PhaseStepSize(1, zeta, n, b, src.Logarithm("C_1", 1e3))
				}),
				props.Tail(setupRearranged)),
		},
		{
			ID: "phase-step-size-rearranged/first-order-step", Part: part, Tier: 1, Kind: "implication", Lines: "1510, 1976-1989", Label: label,
			Statement: `The same with the very step size of the first-order proof, η = min{1/(2L), b/(C_1⁴ζ√(60n))}`,
			Notes: "It is made for L/2 + 15C_1⁹ηζ²n/b² ≤ 1/(2η), half of what is needed: with η = 1/(2L) the term L/2 alone uses up 1/(4η), with η = b/(C_1⁴ζ√(60n)) the other term does already for C_1 = 1. Half that step " +
				"size, with C_1^{9/2}, is enough and still Θ̃(1/L) for b ≥ √n.",
			Uses:   []string{"phase-descent-sum", "first-step-size-choice"},
			Expect: props.Refuted,
			Check: props.Implication(func(src *props.Source, rec *props.Recorder) {
				tryRearranged(src, rec, func(L, zeta float64, n, b int, c1 float64) float64 {
					return StepSize(L, zeta, n, b, c1, PrintedStepPower)
				})
			}),
		},
		{
			ID: "phase-counting-bound", Part: part, Tier: 3, Kind: "inequality", Lines: "1990-2017", Label: label,
			Statement: `N_1T_2ε² + δ²N_2/(2η²T_2C_b²ρ²) ≤ RHS, 2η²T_2²C_b²ρ²/δ² = Õ(ρ²/δ⁴), so (N_1+N_2)T_2 ≤ Õ(1/ε²+ρ²/δ⁴)·RHS`,
			Notes: "RHS stands for anything that Σ‖∇f‖² + (1/(2η²))Σ‖x^t−x^{t−1}‖² is at most; the check takes the sum itself, over sequences of phases in which class 1 has the fewest large gradients (T_2 of them, " +
				"see phase-classes-exhaustive/corrected) and class 2 moves by δ/(C_bρ). The maximum that is printed in line 1999 is weaker than the sum but loses a factor 2 only.",
			Uses:   []string{"phase-path-length", "phase-classes-exhaustive", "phase-step-size-rearranged"},
			Expect: props.Consistent,
			Check: props.All(props.Inequality(tryCounting),
				props.SameOrder(func(src *props.Source) (float64, float64) {
					L, rho := src.LogReal("L", 1e-6, 1e6), src.LogReal("ρ", 1e-6, 1e6)
					curvature := L * bounds.AtMostOne(src, "δ/L", 1e-6)
					etaL := 1 / bounds.AtLeastOne(src, "1/(ηL)", 1e6)
					// T_2 = C_d log(δ/(C_bρr_e))/(ηδ) (line 1927); C_b, C_d and the logarithm are Õ(1)
					s := Phases{Eta: etaL / L, T2: L / (etaL * curvature), Curvature: curvature, Rho: rho, CB: 1}
					return s.EscapeCost(), rho * rho / math.Pow(curvature, 4)
				})),
		},
		{
			ID: "phase-horizon-choice", Part: part, Tier: 3, Kind: "implication", Lines: "2018", Label: label,
			Holds:     []string{"there is a phase of class 3"},
			Statement: `Taking T ≥ 2(N_1+N_2+1)T_2 there is a phase of class 3, within the complexity of the theorem`,
			Notes: "N_1 and N_2 depend on T, but their bound does not, apart from the noise (see second-noise-radius), so T can be chosen. That some phase is then of class 3 is the pigeonhole principle. But the \"+1\" " +
				"stands for 2T_2 = Õ(L/δ) steps, and L/δ is not O(LΔ(1/ε²+ρ²/δ⁴)): with Δ = ε²/(2L), the least gap of a point with ‖∇f‖ > ε, it is larger by 1/δ as ε, ρ → 0. The theorem itself " +
				"survives by distinction of cases: a point with curvature −δ has f(x)−f* ≥ 2δ³/(3ρ²) (phase-horizon-choice/corrected), and if Δ is smaller than that there is nothing to escape from.",
			Uses:   []string{"phase-counting-bound", "phase-classes-exhaustive"},
			Expect: props.Refuted,
			Check: props.All(props.Exact("all assignments of classes to at most 7 phases", pigeonhole),
				props.Order(func(src *props.Source) (float64, float64) {
					// f(x⁰) − f* ≥ ‖∇f(x⁰)‖²/(2L) > ε²/(2L) if the run does not start at an ε-stationary point
					return drawHorizon(src, func(eps, _, L, _ float64) float64 { return eps * eps / (2 * L) })
				})),
		},
		{
			ID: "phase-horizon-choice/corrected", Part: part, Tier: 3, Kind: "implication", Lines: "2018", Label: label,
			Statement: `If Δ ≥ 2δ³/(3ρ²), as is the case as soon as ∇²f has an eigenvalue ≤ −δ at a point with f ≤ f(x⁰), then taking T ≥ 2(N_1+N_2+1)T_2 there is a phase of class 3, within the complexity of the theorem`,
			Notes:     "The gap is checked on strict saddles whose constants are exact: moving by 2δ/ρ along the eigenvector, in the better direction, lowers f by 2δ³/(3ρ²). A well with f'' = −δ + ρ|x| has no more.",
			Uses:      []string{"phase-counting-bound", "phase-classes-exhaustive/corrected"},
			Expect:    props.Consistent,
			Check: props.All(
				props.Order(func(src *props.Source) (float64, float64) {
					return drawHorizon(src, func(_, curvature, _, rho float64) float64 { return 2 * math.Pow(curvature, 3) / (3 * rho * rho) })
				}),
				props.Inequality(func(src *props.Source, rec *props.Recorder) {
					p := problems.DrawSaddle(src, problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 3)})
					x := problems.DrawPoint(src, "x", p.Dim(), 5)
					least, _ := p.Minimum()
					curvature, rho := -p.MinEigen(x), p.Constants(x).Rho.Value
					if curvature <= 0 {
						rec.Skip("no negative curvature")
						return
					}
					rec.AtLeast("f(x) − f* against 2δ³/(3ρ²)", p.Value(x)-least, 2*math.Pow(curvature, 3)/(3*rho*rho))
				}),
				props.Identity(func(src *props.Source, rec *props.Recorder) { // f(x) = ρ|x|³/6 − δx²/2, with f' = 0 at x = 2δ/ρ
					curvature, rho := src.LogReal("δ", 1e-3, 1e3), src.LogReal("ρ", 1e-3, 1e3)
					x := 2 * curvature / rho
					rec.Equal("f(0) − f* of the well with f'' = −δ + ρ|x|", curvature*x*x/2-rho*x*x*x/6, 2*math.Pow(curvature, 3)/(3*rho*rho))
				}).Effort(0.3)),
		},
	}
}

// phasesInClasses asks for every pattern of iterates whether the phase is in a class; extra is what class 1 asks beyond T_2 large gradients.
func phasesInClasses(extra int) props.Check {
	return props.Exact("all patterns of a phase, T_2 ≤ 4", func(rec *props.Recorder) {
		for t2 := 1; t2 <= 4; t2++ {
			phase := make([]kind, 2*t2)
			for {
				in := classes(phase, t2+extra)
				rec.Truth("the phase is in class 1, 2 or 3", in[1] || in[2] || in[3])
				k := 0
				for k < len(phase) && phase[k] == good {
					phase[k] = steep
					k++
				}
				if k == len(phase) {
					break
				}
				phase[k]++
			}
		}
	})
}

// tryDescentPhase classifies, as printed, the first phase of gradient descent on a convex quadratic, for an accuracy that is one of its gradient norms.
func tryDescentPhase(src *props.Source, rec *props.Recorder) {
	p := problems.DrawQuadratic(src, problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 2), Shapes: []problems.Shape{problems.Convex}})
	x0 := problems.DrawPoint(src, "x0", p.Dim(), 5)
	c := p.Constants(x0)
	t2 := src.Int("T_2", 1, 6)
	m := &algos.SLEDGE{Eta: src.Real("ηL", 0.01, 1) / c.L.Value, Batch: p.Components()}
	mon, norms := algos.NewMonitor(p), []float64(nil)
	search(m, p, x0, algos.Seeded(1), 2*t2-1, func(x []float64) bool { // the batch is the whole sum: the seed does not matter
		norms = append(norms, mon.GradientNorm(x))
		return false
	})
	eps := norms[src.Int("step whose gradient norm is ε", 0, 2*t2-1)]
	phase := make([]kind, 2*t2)
	for t, g := range norms {
		if phase[t] = steep; g <= eps {
			phase[t] = good
		}
	}
	in := classes(phase, t2+1)
	rec.Truth("the phase of a run is in class 1, 2 or 3", in[1] || in[2] || in[3])
}

// tryPathLength compares the largest displacement inside a phase with the path length.
func tryPathLength(src *props.Source, rec *props.Recorder) {
	t2, d := src.Int("T_2", 1, 12), src.Int("d", 1, 3)
	from := src.Int("t", 0, t2-1)
	straight := src.Real("straightness", 0, 1)
	resting := src.Real("length of steps outside the window", 0, 1)
	r := src.Rand("path")
	steps := rows(2*t2, d)
	for t, v := range steps {
		for k := range v {
			v[k] = (1 - straight) * r.NormFloat64()
		}
		v[0] += straight
		if t < from || t >= from+t2 {
			for k := range v {
				v[k] *= resting
			}
		}
	}
	total, most := 0.0, 0.0
	x := make([]float64, d)
	for t, v := range steps {
		total += normSq(v)
		if t >= from && t < from+t2 {
			for k := range x {
				x[k] += v[k]
			}
			most = max(most, normSq(x))
		}
	}
	rec.AtMost("max‖x^s−x^t‖² against T_2Σ‖x^{t+1}−x^t‖²", most, float64(t2)*total)
}

// tryInitialTerm compares what the first-order proof adds up for Option I, 12C_1²/b for each of the first T_1 steps, with factor·C_1^power T_1/b.
func tryInitialTerm(src *props.Source, rec *props.Recorder, factor, power float64) {
	n := src.LogInt("n", bounds.Several, 1e6)
	b := drawBatch(src, n)
	c1 := src.LogReal("C_1", 1, 100)
	sigmaC, gC := src.LogReal("σ_c", 1e-3, 1e3), src.LogReal("G_c", 1e-3, 1e3)
	bf := float64(b)
	text := factor * math.Pow(c1, power) * (float64(n) / bf * c1) / bf * (sigmaC*sigmaC + gC*gC/bf)
	rec.AtMost("initial term of the first-order proof", InitialTerm(12, n, b, c1, sigmaC, gC), text)
}

// tryRearranged asks whether a step size leaves 1/(4η) of the movement coefficient.
func tryRearranged(src *props.Source, rec *props.Recorder, step func(L, zeta float64, n, b int, c1 float64) float64) {
	k := src.LogInt("√n", bounds.Several, 1000)
	n := k * k
	b := min(n, int(math.Ceil(float64(k)*src.LogReal("b/√n", 1, 1000))))
	c1, L := src.LogReal("C_1", 1, 50), src.LogReal("L", 1e-3, 1e3)
	zeta := L * src.LogReal("ζ/L", 1e-9, 2)
	eta := step(L, zeta, n, b, c1) * (1 - 1e-14) // no larger than the exact one, whatever its rounding
	rec.AtMost("L/2 + 15C_1⁹ηζ²n/b² against 1/(4η)", 1/(2*eta)-MovementCoefficient(eta, L, zeta, n, b, c1), 1/(4*eta)).
		Scale(1 / eta).
		Exactly(func() (*big.Rat, *big.Rat) { // for this very η
			v := rat(15)
			v.Mul(v, power(rat(c1), 9)).Mul(v, rat(eta)).Mul(v, power(rat(zeta), 2)).Mul(v, rat(float64(n))).Quo(v, power(rat(float64(b)), 2))
			return v.Add(v, new(big.Rat).Quo(rat(L), rat(2))), new(big.Rat).Inv(new(big.Rat).Mul(rat(4), rat(eta)))
		})
}

// setupRearranged evaluates the rearranged inequality on runs.
func setupRearranged(src *props.Source) props.TailTrial {
	in := drawRun(src, ranges{n: problems.Sizes(1, 24), option: algos.Option(src.Pick("option", "II", "I")),
		shapes: []problems.Shape{problems.Convex, problems.Degenerate}})
	in.b = max(in.b, algos.RootBatch(in.n))
	c1 := 1.0 // the smallest value that the proof admits, for larger steps than the theorem promises anything for
	if src.Pick("C_1", "literal", "1") == 0 {
		c1 = coverageC1(in.n, in.d, in.T, plNu)
	}
	in.eta = PhaseStepSize(in.L.Value, in.Zeta.Value, in.n, in.b, c1)
	in.r *= in.eta // the drawn radius is relative to a step here
	initial := 0.0
	if in.option == algos.OptionI {
		initial = InitialTerm(24, in.n, in.b, c1, in.SigmaC.Value, in.GC.Value)
	}
	right := 2*in.Delta.Value/in.eta + initial + 2*float64(in.T)*in.r*in.r/(in.eta*in.eta)
	return props.TailTrial{Delta: 3 * plNu, Regime: in.regime(3 * plNu), Run: func(t props.Trial, rec *props.Recorder) {
		p := in.trial(t)
		left := p.window(1, p.T) / (2 * in.eta * in.eta)
		for _, g := range p.grad[:p.T] {
			left += normSq(g)
		}
		rec.AtMost("Σ‖∇f(x^{t−1})‖² + (1/(2η²))Σ‖x^t−x^{t−1}‖²", left, right)
	}}
}

// tryCounting builds a sequence of phases, sums over it, and counts.
func tryCounting(src *props.Source, rec *props.Recorder) {
	t2 := src.Int("T_2", 1, 10)
	s := Phases{T2: float64(t2), Eta: src.LogReal("η", 1e-3, 1e3), Eps: src.LogReal("ε", 1e-3, 1e3), Curvature: src.LogReal("δ", 1e-3, 1e3),
		Rho: src.LogReal("ρ", 1e-3, 1e3), CB: src.LogReal("C_b", 1, 100)}
	n1, n2, n3 := src.Int("phases of class 1", 0, 4), src.Int("phases of class 2", 0, 4), src.Int("phases of class 3", 0, 2)
	larger := src.Real("gradients of class 1 above ε", 0, 1)    // by this factor
	small := src.Real("other gradients / ε", 0, 1)              //
	further := src.Real("displacement of class 2 beyond", 0, 1) // by this factor
	window := src.Int("steps of the displacement", 1, t2)
	gradSq := s.T2 * (float64(n1)*sq(s.Eps*(1+larger)) + float64(n1+2*n2+2*n3)*sq(s.Eps*small))
	movedSq := float64(n2) * sq(s.Radius()*(1+further)) / float64(window) // equal steps along a line
	sum := gradSq + movedSq/(2*s.Eta*s.Eta)
	rec.AtMost("N_1T_2ε² + δ²N_2/(2η²T_2C_b²ρ²)", s.Spent(n1, n2), sum)
	rec.AtMost("(N_1+N_2)T_2", float64(n1+n2)*s.T2, (1/(s.Eps*s.Eps)+s.EscapeCost())*sum)
}

// pigeonhole goes through all ways to give classes to phases: with T at least 2(N_1+N_2+1)T_2 one of them is of class 3.
func pigeonhole(rec *props.Recorder) {
	for phases := 1; phases <= 7; phases++ {
		number := 1
		for range phases {
			number *= 3
		}
		for code := range number {
			var n [3]int
			for range phases {
				n[code%3]++
				code /= 3
			}
			if phases >= n[0]+n[1]+1 { // T/(2T_2) ≥ N_1 + N_2 + 1
				rec.Truth("there is a phase of class 3", n[2] > 0)
			}
		}
	}
}

// drawHorizon returns the number of steps that the proof asks for and the claimed one, both without logarithms, for gaps Δ from least upwards.
func drawHorizon(src *props.Source, least func(eps, curvature, L, rho float64) float64) (measured, claimed float64) {
	L, rho := src.LogReal("L", 1e-3, 1e3), src.LogReal("ρ", 1e-3, 1e3)
	curvature := L * bounds.AtMostOne(src, "δ/L", 1e-6)
	eps := src.LogReal("ε", 1e-6, 1e6)
	gap := least(eps, curvature, L, rho) * bounds.AtLeastOne(src, "Δ/least Δ", 1e6)
	rate := 1/(eps*eps) + rho*rho/math.Pow(curvature, 4)
	return L*gap*rate + L/curvature, L * gap * rate
}
