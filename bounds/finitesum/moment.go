package finitesum

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
)

// This file holds what can be said in expectation instead of with high probability: exact one-step recursions for the second moments of the
// estimator's error, a potential function, and from it the first-order theorem and the one under the PL condition without logarithms. Nothing
// here is printed in the paper.
//
// Let z_i = y_i − ∇f_i be the error of row i, e = (1/n)Σz_i that of the estimator, c_i the deviation ∇f_i(x^t) − ∇f_i(x^{t−1}) − (∇f(x^t) − ∇f(x^{t−1})), and
// q = 1 − b/n. A step draws I uniformly from the b-subsets and sets
//
//	z_i ← 0 for i ∈ I,   z_i ← z_i + (1/b)Σ_{j∈I}c_j − c_i otherwise.
//
// Since x^t is fixed before I^t is drawn, expectations over I given the past only involve P = (1/n)Σ‖z_i‖², κ = (1/n)Σ‖c_i‖² and X = (1/n)Σ⟨c_i, z_i⟩.

// after returns E‖e‖² and E P after the step as rational combinations of the moments before it: rows of coefficients of (‖e‖², P, κ, X).
//
//	E‖e'‖² = q²‖e‖² + (qn/(n−1))(κ/b − 2X/n + (b/n²)(P − ‖e‖²))
//	E P'   = q(P − 2Xn/(n−1) + κ((n+1)/(n−1) + (n−b)/(b(n−1))))
func after(n, b int64) (errSq, rows [4]*big.Rat) {
	r := big.NewRat
	mul := func(x ...*big.Rat) *big.Rat {
		p := r(1, 1)
		for _, v := range x {
			p.Mul(p, v)
		}
		return p
	}
	q := r(n-b, n)
	g := mul(q, r(n, n-1))
	bn := mul(g, r(b, n*n))
	errSq = [4]*big.Rat{new(big.Rat).Sub(mul(q, q), bn), bn, mul(g, r(1, b)), mul(g, r(-2, n))}
	change := new(big.Rat).Add(r(n+1, n-1), r(n-b, b*(n-1)))
	rows = [4]*big.Rat{r(0, 1), q, mul(q, change), mul(q, r(-2*n, n-1))}
	return errSq, rows
}

// rowWeight is the weight λ = 3/n of P in the potential ‖e‖² + λP; 3 minimises (1+x)²/(x−1).
const rowWeight = 3.0

// MovementFactor is K in the inequality E[‖e'‖² + (3/n)P'] ≤ q²‖e‖² + (3/n)P + (K/b)κ. With ρ = (n−b)/(n−1),
//
//	K = ρ + 3ρ(b+1)/n + 16ρ²/(3−ρ) ≤ 12,
//
// from the recursions and 2|X| ≤ θP + κ/θ with the θ that uses up the decrease of P.
func MovementFactor(n, b int) float64 { return movementFactor(n, b, 1) }

// movementFactor is MovementFactor if only a share of the decrease of P is used up, so that (3/n)P shrinks; see [rowShrinking].
func movementFactor(n, b int, share float64) float64 {
	if n == b {
		return 0
	}
	rho := float64(n-b) / float64(n-1)
	return rho + rowWeight*rho*float64(b+1)/float64(n) + sq(1+rowWeight)*rho*rho/(share*(rowWeight-rho))
}

// PLMovementFactor is K if half of the decrease of P is kept, so that (3/n)P shrinks by at least b/(3n) of it: at most 20.
func PLMovementFactor(n, b int) float64 { return movementFactor(n, b, plShare) }

// rowShrinking is the factor (1 − share)(b/n)(1 − ρ/3) by which (3/n)P then shrinks, at least b/(3n) for half of it.
func rowShrinking(n, b int, share float64) float64 {
	rho := 0.0
	if n > b {
		rho = float64(n-b) / float64(n-1)
	}
	return (1 - share) * float64(b) / float64(n) * (1 - rho/rowWeight)
}

// ErrorBudget is the factor of ζ²ΣE‖x^t − x^{t−1}‖² in the bound on Σ_{t<T}E‖v^t − ∇f(x^t)‖²: K(n−1)/(2b²(2 − b/n)), from summing the potential, with
// κ ≤ ((n−1)/(2n))ζ²‖x^t − x^{t−1}‖² and 1 − q² = (b/n)(2 − b/n).
func ErrorBudget(n, b int) float64 {
	nf, bf := float64(n), float64(b)
	return MovementFactor(n, b) * (nf - 1) / (2 * bf * bf * (2 - bf/nf))
}

// InitialBudget is what the start of Option I adds to that bound: (E‖e_0‖² + (3/n)E P_0)/(1 − q²), where E‖e_0‖² = ρσ_c²/b and P_0 = σ_c² + ‖e_0‖², σ_c² being
// the mean squared deviation of the component gradients at x⁰.
func InitialBudget(n, b int, sigmaC float64) float64 {
	nf, bf := float64(n), float64(b)
	e0 := 0.0
	if n > b {
		e0 = sigmaC * sigmaC * (nf - bf) / (nf - 1) / bf
	}
	return (e0 + rowWeight/nf*(sigmaC*sigmaC+e0)) * nf / (bf * (2 - bf/nf))
}

// ExpectedStepSize is min{1/(2L), 1/(2ζ√ErrorBudget)}, which makes 1/(2η) − L/2 − ηζ²·ErrorBudget ≥ 0; about b/(3ζ√n) where that is the smaller one.
func ExpectedStepSize(L, zeta float64, n, b int) float64 {
	return min(1/(2*L), 1/(2*zeta*math.Sqrt(ErrorBudget(n, b))))
}

// ExpectedPLStep is min{1/(2L), b/(ζ√(60n)), b/(3μn)}. With A = 3ηn/(2b) and half of the decrease of P kept, E[f(x^t) − f* + A(‖e‖² + (3/n)P)]
// shrinks by 1 − ημ in a step, but for the noise r²/η: η + Aq² ≤ A(1 − ημ), 1 − b/(3n) ≤ 1 − ημ, and the movement costs A(20/b)((n−1)/(2n))ζ² ≤
// 15ηζ²n/b² ≤ 1/(4η) ≤ 1/(2η) − L/2.
func ExpectedPLStep(L, mu, zeta float64, n, b int) float64 {
	nf, bf := float64(n), float64(b)
	return min(1/(2*L), bf/(zeta*math.Sqrt(60*nf)), bf/(3*mu*nf))
}

// ExpectedPLStart is A(‖e_0‖² + (3/n)P_0), which the start of Option I adds to Δ: (3ηn/(2b))(ρ/b + (3/n)(1 + ρ/b))σ_c².
func ExpectedPLStart(eta float64, n, b int, sigmaC float64) float64 {
	nf, bf := float64(n), float64(b)
	return 1.5 * eta * (2 - bf/nf) * InitialBudget(n, b, sigmaC)
}

// outcomes calls visit with every run of an instance without noise: all sequences of batches, each equally likely. The initial minibatch of Option I
// counts as one of them.
func (in *instance) outcomes(visit func(p *path)) (count int) {
	draws := in.T
	if in.option == algos.OptionI {
		draws++
	}
	all := combin.Combinations(in.n, in.b)
	index := make([]int, draws)
	for {
		script := make([][]int, draws)
		for k, i := range index {
			script[k] = all[i]
		}
		visit(in.followWith(algos.Script{algos.Batches: script}))
		count++
		k := 0
		for ; k < draws; k++ {
			if index[k]++; index[k] < len(all) {
				break
			}
			index[k] = 0
		}
		if k == draws {
			return count
		}
	}
}

// enumerable draws an instance with at most 300 or so equally likely runs.
func enumerable(src *props.Source, option algos.Option, etaL float64, shapes ...problems.Shape) *instance {
	in := drawInstance(src, ranges{n: problems.Sizes(2, 6), d: problems.Sizes(1, 2), T: problems.Sizes(1, 6),
		option: option, quiet: true, etaL: etaL, shapes: shapes, pattern: heterogeneous})
	for in.T > 1 && math.Pow(float64(combin.Binomial(in.n, in.b)), float64(in.T)) > 300 {
		in.T--
	}
	return in
}

// checkErrorBudget compares the exact expectation of Σ‖v^t − ∇f(x^t)‖² over all runs with the budget.
func checkErrorBudget(option algos.Option) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := enumerable(src, option, 2)
		errs, moved := 0.0, 0.0
		count := float64(in.outcomes(func(p *path) {
			for t := range in.T {
				errs += p.squared(p.err[t])
			}
			moved += p.window(1, in.T-1)
		}))
		bound := ErrorBudget(in.n, in.b) * sq(in.Zeta.Value) * moved / count
		if option == algos.OptionI {
			bound += InitialBudget(in.n, in.b, in.SigmaC.Value)
		}
		rec.AtMost("ΣE‖v^t − ∇f(x^t)‖² over all runs, "+option.String(), errs/count, bound)
	}).Effort(0.15)
}

// checkExpectedTheorem checks the averaged gradient bound: exactly on instances whose runs can be enumerated, and by sampling on larger ones.
func checkExpectedTheorem(option algos.Option) props.Check {
	bounded := []problems.Shape{problems.Convex, problems.Degenerate}
	// run sets the step size of the theorem and returns the bound on Σ_{t<T}E‖∇f(x^t)‖².
	prepare := func(in *instance) float64 {
		in.eta = ExpectedStepSize(in.L.Value, in.Zeta.Value, in.n, in.b)
		bound := 2*in.Delta.Value/in.eta + 2*float64(in.T)*sq(in.r/in.eta)
		if option == algos.OptionI {
			bound += 2 * InitialBudget(in.n, in.b, in.SigmaC.Value)
		}
		return bound
	}
	gradients := func(p *path) float64 {
		sum := 0.0
		for _, g := range p.grad[:p.T] {
			sum += normSq(g)
		}
		return sum
	}
	return props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := enumerable(src, option, 1, bounded...)
			bound, sum := prepare(in), 0.0
			count := float64(in.outcomes(func(p *path) { sum += gradients(p) }))
			rec.AtMost("ΣE‖∇f(x^t)‖² over all runs", sum/count, bound)
		}).Effort(0.3),
		props.Mean(func(src *props.Source) props.MeanTrial {
			in := drawRun(src, ranges{n: problems.Sizes(2, 24), option: option, shapes: bounded})
			bound := prepare(in)
			if in.r > 0 {
				in.r *= in.eta * math.Sqrt(in.Delta.Value)
				bound = prepare(in)
			}
			if bound == 0 {
				bound = math.SmallestNonzeroFloat64
			}
			return props.MeanTrial{What: "Σ‖∇f(x^t)‖² over its bound", Claimed: 1, Relation: props.LE,
				Regime: bounds.WithErrors(in.shape().And(bounds.Steps(in.T))),
				Run:    func(t props.Trial) float64 { return gradients(in.trial(t)) / bound }}
		}),
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			n := src.LogInt("n", bounds.Several, 1e9)
			b := src.LogInt("b", 1, n)
			L := src.LogReal("L", 1e-6, 1e6)
			zeta := L * src.LogReal("zeta / L", 1e-9, 2)
			eta := ExpectedStepSize(L, zeta, n, b)
			rec.AtMost("L/2 + ηζ²·ErrorBudget against 1/(2η)", L/2+eta*zeta*zeta*ErrorBudget(n, b), 1/(2*eta))
			rec.AtMost("K against 12", MovementFactor(n, b), 12)
		}))
}

func momentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("variance-lemma-option-two/second-moment", props.Exact("2 ≤ n ≤ 6, 1 ≤ b ≤ n, all row errors and changes in every dimension", checkMoments)),
		props.Bind("variance-lemma-option-two/expectation", props.All(checkErrorBudget(algos.OptionII), checkErrorBudget(algos.OptionI), checkPotential(1, 1))),
		props.Bind("first-main-option-two/sharper", checkExpectedTheorem(algos.OptionII)),
		props.Bind("first-main-option-one/sharper", checkExpectedTheorem(algos.OptionI)),
		props.Bind("pl-main-complexity/sharper", props.All(checkExpectedPL(), checkPotential(plShare, 1))),
	}
}

// plShare is the share of the decrease of P that the PL theorem uses up.
const plShare = 0.5

// checkExpectedPL checks the bound on E f(x^t) − f*: exactly at every step of runs that can be enumerated, by sampling on larger ones, and the
// arithmetic of its parameters.
func checkExpectedPL() props.Check {
	return props.All(
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := enumerable(src, algos.Option(src.Pick("option", "II", "I")), 1, problems.Convex, problems.Degenerate)
			in.eta = ExpectedPLStep(in.L.Value, in.Mu.Value, in.Zeta.Value, in.n, in.b)
			least, _ := in.problem.Minimum()
			gaps, noise := make([]float64, in.T+1), 0.0
			count := float64(in.outcomes(func(p *path) {
				noise = max(noise, p.rounding()/in.Mu.Value)
				for t, x := range p.tape.X {
					gaps[t] += in.problem.Value(x) - least
				}
			}))
			bound := in.Delta.Value
			if in.option == algos.OptionI {
				bound += ExpectedPLStart(in.eta, in.n, in.b, in.SigmaC.Value)
			}
			// f is evaluated to about 1e-16 of its terms, see setupPLInserted, and its gradient to 1e-12 of the largest one
			size := 1e-6*(in.Delta.Value+in.problem.Value(make([]float64, in.d))-least) + noise
			for _, gap := range gaps[1:] {
				bound *= 1 - in.eta*in.Mu.Value
				rec.AtMost("E f(x^t) − f* over all runs", gap/count, bound).Scale(size)
			}
		}).Effort(0.1),
		props.Mean(func(src *props.Source) props.MeanTrial {
			d, _ := drawPLRun(src, true)
			d.Eta = ExpectedPLStep(d.L, d.Mu, d.Zeta, d.N, d.B)
			if d.R > 0 {
				d.R = PLNoiseRadius(d.Eta, d.Mu, d.eps)
			}
			T := min(d.constants(src.Real("time constants", 0.5, 3)), plHorizon)
			bound := d.Delta
			if d.Option == algos.OptionI {
				bound += ExpectedPLStart(d.Eta, d.N, d.B, d.SigmaC)
			}
			bound = max(d.Decay(float64(T))*bound+d.NoiseTerm(T), math.SmallestNonzeroFloat64)
			return props.MeanTrial{What: "f(x^T) − f* over its bound", Claimed: 1, Relation: props.LE, Regime: d.regime(T),
				Run: func(t props.Trial) (ratio float64) {
					if !(d.Delta > 0) { // x⁰ is a minimum
						return 0
					}
					d.run(t, T, func(step int, m *algos.SLEDGE) {
						if step == T {
							ratio = max(0, d.gap(m.Point())) / bound
						}
					})
					return ratio
				}}
		}).Effort(0.5),
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			n := src.LogInt("n", bounds.Several, 1e9)
			b := src.LogInt("b", 1, n)
			L := src.LogReal("L", 1e-6, 1e6)
			mu, zeta := L*src.LogReal("μ/L", 1e-9, 1), L*src.LogReal("ζ/L", 1e-9, 2)
			eta, nf, bf := ExpectedPLStep(L, mu, zeta, n, b), float64(n), float64(b)
			A, q := 1.5*eta*nf/bf, 1-bf/nf
			rec.AtMost("η + Aq² against A(1 − ημ)", eta+A*q*q, A*(1-eta*mu))
			rec.AtMost("ημ against the shrinking of P", eta*mu, rowShrinking(n, b, plShare))
			rec.AtMost("L/2 + A(K/b)((n−1)/(2n))ζ² against 1/(2η)", L/2+A*PLMovementFactor(n, b)/bf*(nf-1)/(2*nf)*zeta*zeta, 1/(2*eta))
			rec.AtMost("K against 20", PLMovementFactor(n, b), 20)
		}),
		props.Order(func(src *props.Source) (measured, claimed float64) {
			n := int(bounds.SeveralUpTo(src, "n", 1e9))
			b, L, mu := drawBatch(src, n), 1.0, 1/bounds.AtLeastOne(src, "L/μ", 1e9)
			zeta, gap, sigmaC := 2*bounds.AtMostOne(src, "ζ/2L", 1e-9), src.LogReal("Δ", 1e-9, 1e9), src.LogReal("σ_c", 1e-9, 1e9)
			eps := gap / bounds.AtLeastOne(src, "Δ/ε", 1e9)
			eta := ExpectedPLStep(L, mu, zeta, n, b)
			T := math.Ceil(math.Max(0, math.Log(1.5*(gap+ExpectedPLStart(eta, n, b, sigmaC))/eps)) / (eta * mu))
			return float64(b) * (1 + 2*T), PLComplexity(L, mu, zeta, float64(n), float64(b)) * max(1, math.Log((gap+float64(n)*sq(sigmaC/float64(b))/L)/eps))
		}))
}

// checkMoments compares the recursions with the mean over all batches. It runs through the unit vectors of (z_1 … z_n, c_1 … c_{n-1}), c_n making the
// sum of changes zero, and through their pairwise sums.
func checkMoments(rec *props.Recorder) {
	for n := 2; n <= 6; n++ {
		dims := 2*n - 1
		for b := 1; b <= n; b++ {
			batches := combin.Combinations(n, b)
			for j := range dims {
				for k := j; k < dims; k++ {
					u := make([]int64, dims)
					u[j] = 1
					u[k] = 1
					compareMoments(rec, n, b, batches, u)
				}
			}
		}
	}
}

func compareMoments(rec *props.Recorder, n, b int, batches [][]int, u []int64) {
	z, c := u[:n], append([]int64(nil), u[n:]...)
	last := int64(0)
	for _, v := range c {
		last -= v
	}
	c = append(c, last)
	// Integers throughout: rows are scaled by b, the estimator by n·b.
	var meanErr, meanErrSq, meanRows int64
	drawn := make([]bool, n)
	for _, batch := range batches {
		clear(drawn)
		sum := int64(0)
		for _, i := range batch {
			drawn[i] = true
			sum += c[i]
		}
		err, rows := int64(0), int64(0)
		for i := range n {
			if !drawn[i] {
				row := int64(b)*(z[i]-c[i]) + sum
				err += row
				rows += row * row
			}
		}
		meanErr += err
		meanErrSq += err * err
		meanRows += rows
	}
	nb, m := int64(n*b), int64(len(batches))
	var e, p, kappa, x int64
	for i := range n {
		e += z[i]
		p += z[i] * z[i]
		kappa += c[i] * c[i]
		x += z[i] * c[i]
	}
	N := int64(n)
	before := [4]*big.Rat{big.NewRat(e*e, N*N), big.NewRat(p, N), big.NewRat(kappa, N), big.NewRat(x, N)}
	errSq, rows := after(N, int64(b))
	combine := func(coefficients [4]*big.Rat) *big.Rat {
		s := new(big.Rat)
		for k, v := range coefficients {
			s.Add(s, new(big.Rat).Mul(v, before[k]))
		}
		return s
	}
	rec.Rats("E e'", big.NewRat(meanErr, m*nb), props.EQ, new(big.Rat).Mul(big.NewRat(N-int64(b), N), big.NewRat(e, N)))
	rec.Rats("E‖e'‖²", big.NewRat(meanErrSq, m*nb*nb), props.EQ, combine(errSq))
	rec.Rats("E P'", big.NewRat(meanRows, m*N*int64(b*b)), props.EQ, combine(rows))
}

// checkPotential checks the one-step inequality of the potential for arbitrary row errors and changes, with some share of the decrease of P
// used up. The last term of MovementFactor is taken so many times.
func checkPotential(share, times float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n := src.Int("n", 2, 40)
		b := src.Int("b", 1, n)
		align := src.Real("alignment of z with −c", -1, 1)
		ratio := src.LogReal("|z| / |c|", 1e-2, 1e3)
		r := src.Key("z and c").Rand()
		z, c := make([]float64, n), make([]float64, n)
		for i := range n {
			c[i] = r.NormFloat64()
		}
		floats.AddConst(-floats.Sum(c)/float64(n), c)
		for i := range n {
			z[i] = ratio * ((1-math.Abs(align))*r.NormFloat64() - align*c[i])
		}
		nf := float64(n)
		before := [4]float64{sq(floats.Sum(z) / nf), normSq(z) / nf, normSq(c) / nf, floats.Dot(z, c) / nf}
		errSq, rows := after(int64(n), int64(b))
		value := func(coefficients [4]*big.Rat) float64 {
			s := 0.0
			for k, m := range before {
				f, _ := coefficients[k].Float64()
				s += f * m
			}
			return s
		}
		q, lambda := 1-float64(b)/nf, rowWeight/nf
		rec.AtMost("E‖e'‖² + (3/n)E P' against q²‖e‖² + (3/n)P + (K/b)κ", value(errSq)+lambda*value(rows),
			q*q*before[0]+lambda*(1-rowShrinking(n, b, share))*before[1]+movementFactor(n, b, share/times)/float64(b)*before[2])
	})
}
