package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

// premise is what a step of the inductions for two coupled runs starts from: bounds on the norms of
// their differences in the m steps since the perturbation, local ones where there are such, in
// units of which a step is an inequality between numbers. u = ηγ, δ ≤ γ, log(R/r_e), and the
// constants C_1 and C = C_b or C_e of R = δ/(Cρ); T_2 or T_5 is stuckCd·log(R/r_e)/u. H has the
// eigenvalues −γ, γ and 1/η.
type premise struct {
	m                                int
	u, gamma, delta, logX, re, C1, C float64
}

// drawPremise draws all but log(R/r_e) and C.
func drawPremise(src *props.Source, m int) premise {
	y := premise{m: m, u: src.LogReal("eta gamma", 1e-4, 1),
		gamma: src.LogReal("gamma", 1e-3, 1e3), re: src.LogReal("r_e", 1e-6, 10)}
	y.delta = y.gamma * src.LogReal("delta / gamma", 1e-3, 1)
	y.C1 = src.LogReal("C1", 1, 100)
	return y
}

// within tells, after Skip, whether R/r_e is at most e^50.
func (y *premise) within(rec *props.Recorder) bool {
	if y.logX > 50 {
		rec.Skip("R/r_e is above e^50")
		return false
	}
	return true
}

func (y *premise) eta() float64     { return y.u / y.gamma }
func (y *premise) horizon() float64 { return stuckCd * y.logX / y.u }

// hessianSum is the C that the sum of Hessians needs: 8C_d log(R/r_e), as lines 2903-2913.
func (y *premise) hessianSum() float64 { return 8 * stuckCd * y.logX }

// grown returns (1+ηγ)^k r_e.
func (y *premise) grown(k int) float64 { return math.Pow(1+y.u, float64(k)) * y.re }

// growing is c(1+ηγ)^s r_e.
func (y *premise) growing(c float64) func(s int) float64 {
	return func(s int) float64 { return c * y.grown(s) }
}

// sum is [coupled.Forced] for the premise.
func (y *premise) sum(src *props.Source, last int, hessian bool,
	size func(s int) float64) float64 {
	return coupled.Forced(src, y.eta(), y.gamma, last, hessian, size)
}

// hypothesis is the premise of lines 1723-1731, for s = τ … t, m = t − τ.
type hypothesis struct {
	premise
	Cc float64
}

// ErrorShare is the coefficient 3C_1^{1/2}C_c/C_b of γ(1+ηγ)^m r_e in (c), line 1730.
func (y *hypothesis) ErrorShare() float64 { return 3 * math.Sqrt(y.C1) * y.Cc / y.C }

// drawHypothesis draws one with t + 1 ≤ τ + T_2. C_b is at least its lower bound for this step, by
// a drawn factor.
func drawHypothesis(src *props.Source, rec *props.Recorder,
	least func(y *hypothesis) float64) (y *hypothesis, ok bool) {
	y = &hypothesis{premise: drawPremise(src, src.Int("t - tau", 0, 40)),
		Cc: src.LogReal("C_c", 1, 1e6)}
	y.logX = y.u * float64(y.m+1) * src.LogReal("T_2 / (t + 1 - tau)", 1, 1e3) / stuckCd
	y.C = least(y) * src.LogReal("C_b over its bound", 1, 100)
	return y, y.within(rec)
}

// errorSum is the C_b that lines 1813-1818 need: 12C_1^{1/2}C_cC_d log(R/r_e), without C_1^{1/2} as
// printed.
func (y *hypothesis) errorSum() float64        { return math.Sqrt(y.C1) * y.errorSumPrinted() }
func (y *hypothesis) errorSumPrinted() float64 { return 12 * y.Cc * stuckCd * y.logX }

// dynamics returns the powers of I − ηH and the forces dHw + g of the runs by number, from the
// perturbation on.
func (p *coupledRuns) dynamics() (pow []*mat.Dense, force [][]float64) {
	force = make([][]float64, len(p.force))
	for m := p.tau; m < len(force); m++ {
		force[m] = p.total(m)
	}
	return coupled.Powers(coupled.Shrinkage(p.eta, p.H), len(p.x)), force
}

// unrolled compares w with its unrolled form from the number first on.
func (p *coupledRuns) unrolled(rec *props.Recorder, what string, first int) {
	pow, force := p.dynamics()
	for m := first; m < len(p.x); m++ {
		want := make([]float64, p.d)
		floats.AddScaled(want, p.growth(m), p.e)
		for s := p.tau; s < m; s++ {
			coupled.Apply(want, -p.eta, pow[m-1-s], force[s])
		}
		rec.EqualVectors(what, p.w[m], want).Scale(p.span() * p.growth(m) / p.re)
	}
}

// window is a state of the last step of the induction: scalars ‖w^s‖ and ‖w^s − w^{s−1}‖ for s = τ
// … t+1 that meet (a) and (b), and a window of T_1 steps.
type window struct {
	*hypothesis
	n, b, T1 int
	zeta     float64
	w, dw    []float64 // from s = τ; dw[0] = r_e
}

func drawWindow(src *props.Source, rec *props.Recorder) (x *window, ok bool) {
	y, ok := drawHypothesis(src, rec, (*hypothesis).errorSum)
	if !ok {
		return nil, false
	}
	x = &window{hypothesis: y, n: src.LogInt("n", Several, 1e6)}
	root := int(math.Ceil(math.Sqrt(float64(x.n))))
	x.b = src.LogInt("b", root, max(root, x.n))
	// T_1 = nC_1/b as an integer, with C_1 adjusted to it.
	x.T1 = int(math.Ceil(float64(x.n) / float64(x.b) * y.C1))
	y.C1 = float64(x.T1) * float64(x.b) / float64(x.n)
	y.C = max(y.C, y.errorSum())
	x.zeta = y.delta * math.Sqrt(float64(x.b)) / y.C * src.LogReal("zeta over its bound", 1e-3, 1)
	speed := src.Real("increments over (b)", 0, 1)
	x.w, x.dw = []float64{y.re}, []float64{y.re}
	for k := 1; k <= y.m+1; k++ {
		next := min(2*y.grown(k), x.w[k-1]+speed*3*y.u*y.grown(k))
		x.dw = append(x.dw, next-x.w[k-1])
		x.w = append(x.w, next)
	}
	return x, true
}

// lemma returns the bound of lemma:Second-Auxiliary-A with the sums running from max{τ + moved,
// last − T_1 + 1} and max{τ, last − T_1 + 1} to last, counted from τ.
func (x *window) lemma(from, last, moved int) float64 {
	sq := func(v []float64, lo int) float64 {
		sum := 0.0
		for k := max(lo, from); k <= last; k++ {
			sum += v[k] * v[k]
		}
		return sum
	}
	return pairError(x.Cc, x.zeta, x.delta/x.C, x.re, sq(x.dw, moved), sq(x.w, 0), x.b)
}

// errorInduction is the second line of 1867: [C_cζ/√b + m·C_cζ√n ηγ/b·g + w·C_c√nδ/(C_bb)·g]r_e
// with g = (1+ηγ)^{t−τ}; the paper has m = 3C_1 and w = C_1^{1/2}.
func errorInduction(cc, zeta, u, overCb, re, g, m, w float64, n, b int) float64 {
	root := math.Sqrt(float64(n)) / float64(b)
	return cc * re * (zeta/math.Sqrt(float64(b)) + m*zeta*u*root*g + w*overCb*root*g)
}

func inductionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("induction-unrolled-difference",
			props.Identity(inductionUnrolledDifference)),
		props.Bind("induction-a-reduction", reduction(2)),
		props.Bind("induction-a-reduction/sharper", reduction(1.5)),
		props.Bind("induction-operator-norm", operatorNorm(1)),
		props.Bind("induction-operator-norm/sharper", operatorNorm(2)),
		// t = τ + 1, a Hessian that changes at t alone, by D, and (a)
		props.Bind("induction-hessian-sum", hessianSum(1)),
		props.Bind("induction-hessian-sum/corrected", hessianSum(2)),
		props.Bind("induction-error-sum",
			props.Inequality(inductionErrorSum)), // t = τ, where the sum to t − 1 is empty
		props.Bind("induction-error-sum/corrected",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				y, ok := drawHypothesis(src, rec, (*hypothesis).errorSum)
				if !ok {
					return
				}
				norm, g := y.sum(src, y.m, false, y.growing(y.ErrorShare()*y.gamma)), y.grown(y.m)
				middle := y.u * float64(y.m+1) * y.ErrorShare() * g
				rec.AtMost("‖sum‖ against the sum of bounds", norm, middle)
				rec.AtMost("the sum of bounds against (3C_1^{1/2}C_cC_d log/C_b)(1+ηγ)^{t−τ}r_e",
					middle, y.ErrorShare()*stuckCd*y.logX*g)
				rec.AtMost("that against ¼(1+ηγ)^{t−τ}r_e", y.ErrorShare()*stuckCd*y.logX*g, g/4)
			})),
		// along e, where H is −γ, for t = τ + 1 and with F for dHw + g
		props.Bind("increment-decomposition", incrementDecomposition(-1)),
		props.Bind("increment-decomposition/corrected",
			props.Settled(incrementDecomposition(1), unrolled)),
		// the second step for T_2 = 2, t = τ + 1
		props.Bind("increment-second-term",
			incrementSum(func(horizon float64) float64 { return math.Log(horizon) }, 1)),
		props.Bind("increment-second-term/corrected", incrementSum(func(horizon float64) float64 {
			return 1 + math.Log(horizon)
		}, 2)),
		props.Bind("increment-third-term", driftAtStep(func(overCb, grown, re float64) float64 {
			return overCb * re * grown
		})),
		props.Bind("increment-third-term/corrected",
			props.Settled(driftAtStep(func(overCb, grown, re float64) float64 {
				return 2 * overCb * grown
			}), driftOfHessian)),
		props.Bind("error-induction-chain", props.Inequality(errorInductionChain)),
		props.Bind("error-induction-chain/corrected",
			props.Inequality(errorInductionChainCorrected)),
	}
}

// inductionErrorSum tries induction-error-sum.
func inductionErrorSum(src *props.Source, rec *props.Recorder) {
	y, ok := drawHypothesis(src, rec, (*hypothesis).errorSumPrinted)
	if !ok {
		return
	}
	norm := y.sum(src, y.m, false, y.growing(y.ErrorShare()*y.gamma))
	share, g := 3*y.Cc/y.C, y.grown(y.m)
	third := share * stuckCd * y.logX * (y.Cc*y.delta + y.gamma) * g
	rec.AtMost("‖sum‖ against the sum to t − 1 without C_1^{1/2}", norm,
		y.u*float64(y.m)*share*g)
	rec.AtMost("ηT_2(3C_cγ/C_b)… against the line with C_cδ + γ",
		y.u*y.horizon()*share*g, third)
	rec.AtMost("the line with C_cδ + γ against ¼(1+ηγ)^{t−τ}r_e", third, g/4)
}

// inductionUnrolledDifference tries induction-unrolled-difference.
func inductionUnrolledDifference(src *props.Source, rec *props.Recorder) {
	p := drawCoupledSteps(src, rec, saddleRange{P: smallN, d: smallD}, 12, 1)
	if p != nil {
		p.unrolled(rec, "w^t against its unrolled form", p.tau)
	}
}

// errorInductionChain tries error-induction-chain.
func errorInductionChain(src *props.Source, rec *props.Recorder) {
	x, ok := drawWindow(src, rec)
	if !ok {
		return
	}
	K := x.m
	printed := x.lemma(K-x.T1+1, K, 0)
	g, over := math.Pow(1+x.u, float64(K)), x.delta/x.C
	second := errorInduction(x.Cc, x.zeta, x.u, over, x.re, g, 3*x.C1, math.Sqrt(x.C1), x.n, x.b)
	rec.AtMost("the lemma at t + 1 against the sums up to t", x.lemma(K-x.T1+2, K+1, 1), printed)
	rec.AtMost("the sums up to t against the second line", printed, second)
	rec.AtMost("the second line against the third", second,
		x.Cc*(x.zeta/math.Sqrt(float64(x.b))+3*x.C1*x.zeta*x.u+math.Sqrt(x.C1)*over)*g*x.re)
}

// errorInductionChainCorrected tries error-induction-chain/corrected.
func errorInductionChainCorrected(src *props.Source, rec *props.Recorder) {
	x, ok := drawWindow(src, rec)
	if !ok {
		return
	}
	K := x.m + 1
	g, over, root := math.Pow(1+x.u, float64(K)), x.delta/x.C, math.Sqrt(x.C1)
	second := errorInduction(x.Cc, x.zeta, x.u, over, x.re, g, 3*root, 2*root, x.n, x.b)
	rec.AtMost("the lemma at t + 1 against the second line", x.lemma(K-x.T1+1, K, 1), second)
	rec.AtMost("the second line against the third", second,
		x.Cc*(x.zeta/math.Sqrt(float64(x.b))+3*root*x.zeta*x.u+2*root*over)*g*x.re)
}

// reduction checks that subtracting a vector of at most half the length leaves between half and
// most times the length.
func reduction(most float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		d := src.Int("d", 1, 5)
		length := src.LogReal("(1+eta gamma)^(t-tau) r_e", 1e-9, 1e3)
		w := problems.DrawPoint(src, "sum", d, length/2)
		w[0] += length
		norm := floats.Norm(w, 2)
		rec.AtLeast("‖w^t‖", norm, length/2)
		rec.AtMost("‖w^t‖ above", norm, most*length)
	})
}

// operatorNorm checks the norm of I − ηH for η up to most/L.
func operatorNorm(most float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		s := drawSaddleShape(src, saddleRange{P: problems.Sizes(1, 6),
			d: problems.Sizes(1, 4)}).build(src.Rand("directions"))
		h := coupled.Hessian(s.HessianVector, problems.DrawPoint(src, "x", s.d, 3))
		gamma, _ := coupled.Lowest(h)
		if gamma <= 0 {
			rec.Skip("the Hessian has no negative eigenvalue")
			return
		}
		eta := most * src.LogReal("eta L", 1e-3, 1) / s.L
		rec.AtMost("‖I − ηH‖", coupled.Norm(coupled.Shrinkage(eta, h)), 1+eta*gamma)
		_, high := coupled.Spectrum(h)
		rec.AtMost("λ_max(ηH)", eta*high, most)
	})
}

// hessianSum checks lines 1774-1783 with the given factor on both members.
func hessianSum(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawHypothesis(src, rec, func(y *hypothesis) float64 { return y.hessianSum() })
		if !ok {
			return
		}
		drift := y.delta / y.C * src.Real("‖dH‖ over δ/C_b", 0, 1)
		a := src.Real("‖w_s‖ over (1+ηγ)^{s−τ}r_e", 0.5, 2)
		norm := y.sum(src, y.m, false, func(s int) float64 { return drift * a * y.grown(s) })
		middle := factor * y.eta() * y.grown(y.m) * drift * float64(y.m+1)
		rec.AtMost("‖sum‖ against η(1+ηγ)^{t−τ}r_eΣ‖dH_s‖", norm, middle)
		rec.AtMost("that against (δηT_2/C_b)(1+ηγ)^{t−τ}r_e", middle,
			factor*y.delta/y.C*y.eta()*y.horizon()*y.grown(y.m))
	})
}

// incrementDecomposition checks lines 1826-1831 on runs, with the given sign of the sum.
func incrementDecomposition(sign float64) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		p := drawCoupledSteps(src, rec,
			saddleRange{P: problems.Sizes(1, 8), d: problems.Sizes(1, 3)}, 12, 1)
		if p != nil {
			p.increments(rec, "w^{t+1} − w^t against its decomposition", sign, 1)
		}
	})
}

// increments compares the increments of w from the perturbation on with their decomposition, in
// which the sum has the given sign and its exponents are lowered by shift.
func (p *coupledRuns) increments(rec *props.Recorder, what string, sign float64, shift int) {
	eta := p.eta
	pow, force := p.dynamics()
	for m := p.tau; m+1 < len(p.x); m++ {
		got, want, sum := make([]float64, p.d), make([]float64, p.d), make([]float64, p.d)
		floats.SubTo(got, p.w[m+1], p.w[m])
		floats.AddScaled(want, eta*p.gamma*p.growth(m), p.e)
		floats.AddScaled(want, -eta, force[m])
		for s := p.tau; s < m; s++ {
			coupled.Apply(sum, 1, pow[m-s-shift], force[s])
		}
		coupled.Apply(want, sign*eta*eta, p.H, sum)
		rec.EqualVectors(what, got, want).Scale(p.span() * p.growth(m) / p.re)
	}
}

// incrementSum checks lines 1840-1850 with the given logarithmic term and the given factor of
// δ/C_b.
func incrementSum(logTerm func(horizon float64) float64, factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawHypothesis(src, rec, (*hypothesis).errorSum)
		if !ok {
			return
		}
		if y.m == 0 {
			rec.Skip("no step before t")
			return
		}
		if src.Bool("constants at their least") { // where a missing factor shows
			over := y.C / y.errorSum()
			y.C1, y.Cc, y.delta = 1, 1, y.gamma
			y.C = over * y.errorSum()
		}
		horizon := y.horizon()
		force := 2*y.delta/y.C + y.ErrorShare()*y.gamma
		norm := y.sum(src, y.m-1, true, func(s int) float64 { return force * y.grown(s) })
		bound, middle := factor*y.delta/y.C+y.ErrorShare()*y.gamma, 0.0
		for s := range y.m {
			middle += y.eta() * (y.u*math.Pow(1+y.u, float64(y.m-1-s)) + 1/float64(y.m-s)) * bound *
				y.grown(s)
		}
		rec.AtMost("middle sum against Σ_s η(ηγ(1+ηγ)^{t−1−s} + 1/(t−s))…", norm, middle)
		rec.AtMost("that against η(ηγT_2 + log T_2)…", middle,
			y.eta()*(y.u*horizon+logTerm(horizon))*bound*y.grown(y.m))
	})
}

// driftAtStep compares ‖dH^tw^t‖ on runs with a bound in terms of δ/C_b = ρR, R the farthest that
// the run gets from x^{τ0}, at the steps where (a) holds.
func driftAtStep(bound func(overCb, grown, re float64) float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := drawCoupledSteps(src, rec,
			saddleRange{P: problems.Sizes(1, 8), d: problems.Sizes(1, 3), smooth: true,
				gamma: 0.1}, 6, 1)
		if p == nil {
			return
		}
		radius := 0.0
		for t := p.tau0; t <= p.T; t++ {
			radius = max(radius, p.reach(t, p.tau0))
		}
		for t := p.tau; t <= p.T; t++ {
			if grown := p.growth(t); p.wn[t] <= 2*grown {
				rec.AtMost("‖dH^tw^t‖",
					floats.Norm(coupled.Times(p.hessianDrift(t, whole), p.w[t]), 2),
					bound(p.rho*radius, grown, p.re))
			}
		}
	}).Effort(0.5)
}

// stuckCf is the C_f with which (1+ηγ)^{T_5} ≥ 4R/r_e for all ηγ ≤ 1 and R/r_e ≥ 2, as for SLEDGE.
const stuckCf = stuckCd

// localHypothesis is the premise of lines 2862-2873, for the local steps (τ0+1,0) … (t,k), m =
// (t−τ0−1)K + k.
type localHypothesis struct {
	premise
	K  int
	Ch float64
}

// ErrorShare is the coefficient 2C_h/C_e of γ(1+ηγ)^m r_e in (c), line 2872.
func (y *localHypothesis) ErrorShare() float64 { return 2 * y.Ch / y.C }

// drawLocalHypothesis draws one with m + 1 ≤ T_5. C_e is at least 1 and its lower bound for this
// step, by a drawn factor.
func drawLocalHypothesis(src *props.Source, rec *props.Recorder,
	least func(y *localHypothesis) float64) (y *localHypothesis, ok bool) {
	m := src.Int("(t - tau0 - 1)K + k", 0, 40)
	y = &localHypothesis{K: src.LogInt("K", 1, 1000), premise: drawPremise(src, m)}
	y.Ch = src.LogReal("C_g", 1, 1e6) * src.LogReal("C_h / C_g", 1, 100)
	y.logX = y.u * float64(y.m+1) * src.LogReal("T_5 / (M + 1)", 1, 1e3) / stuckCf
	y.C = max(1, least(y)) * src.LogReal("C_e over its bound", 1, 100)
	return y, y.within(rec)
}

// errorSum is the C_e that lines 2914-2935 need: 8C_hC_f log(R/r_e).
func (y *localHypothesis) errorSum() float64 { return y.Ch * y.hessianSum() }

// localError is the right-hand side of lemma:D-Second-Auxiliary-B (lines 2673-2677) for norms w =
// ‖w^{t,l}‖, l = 0 … k, and dw = ‖w^{t,l}−w^{t,l−1}‖, dw[0] unused. The Hessians of data differ by
// data: L as printed, 2L in truth.
func localError(c1, zeta, data, overCe float64, b int, w, dw []float64) float64 {
	k := len(w) - 1
	path, square := 0.0, 0.0
	for l := 1; l <= k; l++ {
		path += dw[l]
		square += sq(data*dw[l] + 2*overCe*(w[l]+w[l-1]))
	}
	return zeta*path + 2*overCe*(w[k]+w[0]) + c1*c1/math.Sqrt(float64(b))*math.Sqrt(square)
}

func localInductionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-hessian-sum", localHessianSum(true)), // B for (1+ηγ)^m, T for T_5
		props.Bind("dsecond-hessian-sum/corrected", localHessianSum(false)),
		// the bound on the sum of errors, with C_f log(R/r_e) for ηγT_5
		props.Bind("dsecond-increment-chain",
			props.All(incrementChain(false), incrementIdentity(-1, 0))),
		props.Bind("dsecond-increment-chain/corrected",
			props.All(incrementChain(true), incrementIdentity(1, 1))),
	}
}

// hessianSum checks lines 2903-2913, with the K of the first member or without.
func localHessianSum(withK bool) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawLocalHypothesis(src, rec,
			func(y *localHypothesis) float64 { return y.hessianSum() })
		if !ok {
			return
		}
		drift := y.delta / y.C * src.Real("‖dH‖ over δ/C_e", 0, 1)
		a := src.Real("‖w‖ over (1+ηγ)^j r_e", 0.5, 2)
		norm := y.sum(src, y.m, false,
			func(j int) float64 { return drift * a * y.grown(j) })
		last := 2 * y.eta() * y.horizon() * y.delta / y.C * y.grown(y.m)
		first := last
		if withK {
			first *= float64(y.K)
		}
		rec.AtMost("‖sum‖ against the first member", norm, first)
		rec.AtMost("the first member against (2ηδT_5/C_e)(1+ηγ)^m r_e", first, last)
		rec.AtMost("that against ¼(1+ηγ)^m r_e", last, y.grown(y.m)/4)
	})
}

// localError compares ‖h‖ from the lemma, with norms as large as (a) and (b) allow, at the last of
// K local steps, with what line 2997 has for data of the given multiple of L.
func (y *localHypothesis) localError(src *props.Source, rec *props.Recorder,
	data, overCe, re float64) {
	k, b := src.Int("k", 1, 20), src.LogInt("b", 1, 1000)
	K := max(k, y.K)
	L := y.gamma * src.LogReal("L / gamma", 1, 1e3)
	zeta := L * src.LogReal("zeta / L", 1e-6, 2)
	norms, moved := make([]float64, k+1), make([]float64, k+1)
	for l := range norms {
		norms[l], moved[l] = 2*y.grown(y.m+l), 3*y.u*y.grown(y.m+l)
	}
	root := y.C1 * y.C1 * math.Sqrt(float64(K)/float64(b))
	sum := 3*zeta*float64(K)*y.u + 8*y.delta/y.C + 3*data*root*L*y.u + 8*root*y.delta*overCe
	rec.AtMost("‖h‖", localError(y.C1, zeta, data*L, y.delta/y.C, b, norms, moved),
		sum*math.Pow(1+y.u, float64(y.m+k))*re)
}

// incrementChain checks the inequalities of lines 2919-2997, repaired or as printed.
func incrementChain(repaired bool) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawLocalHypothesis(src, rec, (*localHypothesis).errorSum)
		if !ok {
			return
		}
		if src.Bool("least constants") {
			// the drift of the Hessian weighs most beside the errors, in a sum of one term
			y.Ch, y.delta, y.m = 1, y.gamma, min(y.m, 1)
		}
		ch, re, two, one, overCe := 1.0, 1.0, 1.0, 0.0, 1.0
		third := y.delta / y.C * y.re * y.grown(y.m)
		data := 1.0 // of L
		if repaired {
			ch, re, two, one, overCe, data = y.Ch, y.re, 2, 1, 1/y.C, 2
			third = 2 * y.delta / y.C * y.grown(y.m)
		}
		g := math.Pow(1+y.u, float64(y.m))
		errors := y.sum(src, y.m, false, func(j int) float64 {
			return y.ErrorShare() * y.gamma * y.grown(j)
		})
		bound := 2 * ch * y.u * y.horizon() / y.C * g * re
		rec.AtMost("‖ηΣ(I−ηH)^{…}(g+h)‖", errors, bound)
		rec.AtMost("its bound against ¼(1+ηγ)^m r_e", bound, y.grown(y.m)/4)

		if y.m > 0 {
			force := 2*y.delta/y.C + y.ErrorShare()*y.gamma // what (a) and (c) leave
			claimed := two*y.delta/y.C + y.ErrorShare()*y.gamma
			norm := y.sum(src, y.m-1, true,
				func(j int) float64 { return force * y.grown(j) })
			middle := 0.0
			for s := range y.m {
				j := float64(y.m - s)
				exponent := j
				if repaired {
					exponent = j - 1
				}
				middle += y.eta() * (y.u*math.Pow(1+y.u, exponent) + 1/j) * claimed * y.grown(s)
			}
			rec.AtMost("middle sum against Σ η(ηγ(1+ηγ)^j + 1/j)…", norm, middle)
			slack := 1.0 // the exponents as printed are larger by 1 than the sum allows
			if !repaired {
				slack = 1 + y.u
			}
			rec.AtMost("that against η(ηγT_5 + log T_5)…", middle,
				slack*y.eta()*(y.u*y.horizon()+one+math.Log(y.horizon()))*claimed*y.grown(y.m))
		}

		w := 2 * y.grown(y.m) * src.Real("‖w‖ over 2(1+ηγ)^m r_e", 0.25, 1)
		rec.AtMost("‖dHw‖", y.delta/y.C*w, third)

		y.localError(src, rec, data, overCe, re)
	})
}

// incrementIdentity checks lines 2938-2948 on runs, with the given sign of the sum, and its
// exponents lowered by shift.
func incrementIdentity(sign float64, shift int) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		if p := drawCoupledRounds(src, rec, smallRuns); p != nil {
			p.increments(rec, "w^{t,k+1} − w^{t,k} against its decomposition", sign, shift)
		}
	}).Effort(0.3)
}

// smallRuns are short runs on small saddles.
var smallRuns = coupledRange{saddleRange: saddleRange{P: problems.Sizes(1, 4),
	data: problems.Sizes(1, 8)}, rounds: 4,
	radius: 1}
