package bounds

import (
	"math"
	"math/big"

	"sledge/algos"
	"sledge/algos/problems"
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

func phaseClaims() []props.Binding {
	return []props.Binding{
		props.Bind("phase-classes-exhaustive", props.All(phasesInClasses(1), props.Implication(tryDescentPhase))),
		props.Bind("phase-classes-exhaustive/corrected", phasesInClasses(0)),
		props.Bind("phase-path-length", props.Inequality(tryPathLength)),
		props.Bind("phase-descent-sum", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			tryInitialTerm(src, rec, 1, 3)
		})),
		props.Bind("phase-descent-sum/corrected", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			tryInitialTerm(src, rec, 12, 2)
		})),
		props.Bind("phase-step-size-rearranged", props.All(
			props.Implication(func(src *props.Source, rec *props.Recorder) { tryRearranged(src, rec, PhaseStepSize) }),
			props.Order(func(src *props.Source) (float64, float64) {
				n := int(SeveralUpTo(src, "n", 1e9))
				b := min(n, int(math.Ceil(math.Sqrt(float64(n))*AtLeastOne(src, "b/√n", 1e5))))
				zeta := 2 * AtMostOne(src, "ζ/2L", 1e-9)
				return 1, PhaseStepSize(1, zeta, n, b, src.Logarithm("C_1", 1e3))
			}),
			props.Tail(setupRearranged))),
		props.Bind("phase-step-size-rearranged/first-order-step", props.Implication(func(src *props.Source, rec *props.Recorder) {
			tryRearranged(src, rec, func(L, zeta float64, n, b int, c1 float64) float64 {
				return StepSize(L, zeta, n, b, c1, PrintedStepPower)
			})
		})),
		props.Bind("phase-counting-bound", props.All(props.Inequality(tryCounting),
			props.SameOrder(func(src *props.Source) (float64, float64) {
				L, rho := src.LogReal("L", 1e-6, 1e6), src.LogReal("ρ", 1e-6, 1e6)
				curvature := L * AtMostOne(src, "δ/L", 1e-6)
				etaL := 1 / AtLeastOne(src, "1/(ηL)", 1e6)
				// T_2 = C_d log(δ/(C_bρr_e))/(ηδ) (line 1927); C_b, C_d and the logarithm are Õ(1)
				s := Phases{Eta: etaL / L, T2: L / (etaL * curvature), Curvature: curvature, Rho: rho, CB: 1}
				return s.EscapeCost(), rho * rho / math.Pow(curvature, 4)
			}))),
		props.Bind("phase-horizon-choice", props.All(props.Exact("all assignments of classes to at most 7 phases", pigeonhole),
			props.Order(func(src *props.Source) (float64, float64) {
				// f(x⁰) − f* ≥ ‖∇f(x⁰)‖²/(2L) > ε²/(2L) if the run does not start at an ε-stationary point
				return drawHorizon(src, func(eps, _, L, _ float64) float64 { return eps * eps / (2 * L) })
			}))),
		props.Bind("phase-horizon-choice/corrected", props.All(
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
			}).Effort(0.3))),
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
	mon, norms := algos.NewMonitor(algos.Sum(p)), []float64(nil)
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
	n := src.LogInt("n", Several, 1e6)
	b := drawBatch(src, n)
	c1 := src.LogReal("C_1", 1, 100)
	sigmaC, gC := src.LogReal("σ_c", 1e-3, 1e3), src.LogReal("G_c", 1e-3, 1e3)
	bf := float64(b)
	text := factor * math.Pow(c1, power) * (float64(n) / bf * c1) / bf * (sigmaC*sigmaC + gC*gC/bf)
	rec.AtMost("initial term of the first-order proof", InitialTerm(12, n, b, c1, sigmaC, gC), text)
}

// tryRearranged asks whether a step size leaves 1/(4η) of the movement coefficient.
func tryRearranged(src *props.Source, rec *props.Recorder, step func(L, zeta float64, n, b int, c1 float64) float64) {
	k := src.LogInt("√n", Several, 1000)
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
	curvature := L * AtMostOne(src, "δ/L", 1e-6)
	eps := src.LogReal("ε", 1e-6, 1e6)
	gap := least(eps, curvature, L, rho) * AtLeastOne(src, "Δ/least Δ", 1e6)
	rate := 1/(eps*eps) + rho*rho/math.Pow(curvature, 4)
	return L*gap*rate + L/curvature, L * gap * rate
}

// phase is the points of 2T_6 rounds of K local steps by number, 0 … 2T_6K: the last point of a round is the first one of the next.
type phase struct {
	T6, K  int
	points []kind
}

// steepCount counts (t,k) with a large gradient over the first so many rounds, k from 0 to last in each.
func (p *phase) steepCount(rounds, last int) int {
	count := 0
	for t := range rounds {
		for k := 0; k <= last; k++ {
			if p.points[t*p.K+k] == steep {
				count++
			}
		}
	}
	return count
}

// small reports whether classes 2 and 3 of lines 3055-3056 apply: whether a point (t,k) of the first half, (2τT_6,0) ≤ (t,k) < ((2τ+1)T_6,0),
// has a small gradient, with negative curvature or without.
func (p *phase) small() (two, three bool) {
	for _, k := range p.points[:p.T6*p.K] {
		two, three = two || k == saddly, three || k == good
	}
	return two, three
}

// eachPhase calls f with every pattern of points of a phase.
func eachPhase(most int, f func(p *phase)) {
	for T6 := 2; T6 <= 3; T6++ { // T_6 = ⌈1 + T_5/K⌉ ≥ 2
		for K := 1; 2*T6*K <= most; K++ {
			p := &phase{T6: T6, K: K, points: make([]kind, 2*T6*K+1)}
			for {
				f(p)
				i := 0
				for i < len(p.points) && p.points[i] == good {
					p.points[i] = steep
					i++
				}
				if i == len(p.points) {
					break
				}
				p.points[i]++
			}
		}
	}
}

const phaseDomain = "all patterns of a phase of T_6 = 2 or 3 and at most 8 local steps"

func fledgePhaseClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-phase-classes", props.Exact(phaseDomain, func(rec *props.Recorder) {
			eachPhase(8, func(p *phase) {
				two, three := p.small()
				count := p.steepCount(2*p.T6, p.K)
				one := count > p.K*p.T6
				rec.Truth("the phase is in class 1, 2 or 3", one || two || three)
				if !two && !three {
					rec.Rats("large gradients of the first half, k = 0 … K, against T_6K when neither 2 nor 3",
						big.NewRat(int64(p.steepCount(p.T6, p.K)), 1), props.EQ, big.NewRat(int64(p.T6*p.K), 1))
				}
				if one {
					rec.Rats("large gradients of a phase of class 1 in Σ_tΣ_{k=1}^K‖∇f(x^{t,k−1})‖² against T_6K",
						big.NewRat(int64(p.steepCount(2*p.T6, p.K-1)), 1), props.GE, big.NewRat(int64(p.T6*p.K), 1))
				}
			})
		})),
		props.Bind("dsecond-phase-classes/corrected", props.Exact(phaseDomain, func(rec *props.Recorder) {
			eachPhase(8, func(p *phase) {
				two, three := p.small()
				count := p.steepCount(2*p.T6, p.K-1)
				rec.Truth("the phase is in class 1, 2 or 3", count >= p.K*p.T6 || two || three)
				if !two && !three {
					rec.Rats("large gradients of the first half against T_6K when neither 2 nor 3", big.NewRat(int64(p.steepCount(p.T6, p.K-1)), 1),
						props.EQ, big.NewRat(int64(p.T6*p.K), 1))
				}
			})
		})),
		props.Bind("dsecond-phase-path", phasePath(2)),
		props.Bind("dsecond-phase-path/corrected", phasePath(1)),
	}
}

// phasePath compares the largest displacement within so many half phases from a point of the first half, but within the phase, with T_6K times
// the path length squared.
func phasePath(halves int) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		T6, K, d := src.Int("T_6", 2, 6), src.Int("K", 1, 6), src.Int("d", 1, 3)
		steps := T6 * K
		from := src.Int("number of (t,k)", 0, steps-1)
		until := min(from+halves*steps, 2*steps)
		straight, resting := src.Real("straightness", 0, 1), src.Real("length of steps outside the window", 0, 1)
		r := src.Rand("path")
		x, total, farthest := make([]float64, d), 0.0, 0.0
		for m := 1; m <= 2*steps; m++ {
			v := make([]float64, d)
			for k := range v {
				v[k] = (1 - straight) * r.NormFloat64()
			}
			v[0] += straight
			inside := m > from && m <= until
			for k := range v {
				if !inside {
					v[k] *= resting
				} else {
					x[k] += v[k]
				}
			}
			total += normSq(v)
			if inside {
				farthest = math.Max(farthest, normSq(x))
			}
		}
		rec.AtMost("max‖x^{s,l}−x^{t,k}‖² against T_6KΣ‖x^{t,k}−x^{t,k−1}‖²", farthest, float64(steps)*total)
	})
}
