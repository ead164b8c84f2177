package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

// hypothesis is what a step of the inductions for two coupled runs starts from, lines 1723-1731
// and, if K > 0, lines 2862-2873: bounds on the norms of their differences in the m steps since the
// perturbation, local ones where there are such, in units of which a step is an inequality between
// numbers. u = ηγ, δ ≤ γ, log(R/r_e), the constants C_1 and C_c or C_h of the errors, and C = C_b
// or C_e of R = δ/(Cρ); T_2 or T_5 is stuckCd·log(R/r_e)/u. H has the eigenvalues −γ, γ and 1/η.
type hypothesis struct {
	m, K                                 int
	u, gamma, delta, logX, re, C1, Cc, C float64
}

// drawHypothesis draws one with t + 1 ≤ τ + T_2, or m + 1 ≤ T_5. C is at least its lower bound for
// this step, and C_e at least 1, by a drawn factor. It is nil, after Skip, if R/r_e is above e^50.
func drawHypothesis(src *props.Source, rec *props.Recorder, local bool,
	least func(y *hypothesis) float64) *hypothesis {
	y := &hypothesis{}
	horizon, over, lowest := "T_2 / (t + 1 - tau)", "C_b over its bound", 0.0
	if local {
		y.m, y.K = src.Int("(t - tau0 - 1)K + k", 0, 40), src.LogInt("K", 1, 1000)
		horizon, over, lowest = "T_5 / (M + 1)", "C_e over its bound", 1
	} else {
		y.m = src.Int("t - tau", 0, 40)
	}
	y.u, y.gamma = src.LogReal("eta gamma", 1e-4, 1), src.LogReal("gamma", 1e-3, 1e3)
	y.re = src.LogReal("r_e", 1e-6, 10)
	y.delta = y.gamma * src.LogReal("delta / gamma", 1e-3, 1)
	y.C1 = src.LogReal("C1", 1, 100)
	if local {
		y.Cc = src.LogReal("C_g", 1, 1e6) * src.LogReal("C_h / C_g", 1, 100)
	} else {
		y.Cc = src.LogReal("C_c", 1, 1e6)
	}
	y.logX = y.u * float64(y.m+1) * src.LogReal(horizon, 1, 1e3) / stuckCd
	y.C = max(lowest, least(y)) * src.LogReal(over, 1, 100)
	if y.logX > 50 {
		rec.Skip("R/r_e is above e^50")
		return nil
	}
	return y
}

// onHypothesis is what to try of drawn ones.
func onHypothesis(local bool, least func(y *hypothesis) float64, try func(y *hypothesis,
	src *props.Source, rec *props.Recorder)) *props.Deterministic {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		if y := drawHypothesis(src, rec, local, least); y != nil {
			try(y, src, rec)
		}
	})
}

func (y *hypothesis) eta() float64     { return y.u / y.gamma }
func (y *hypothesis) horizon() float64 { return stuckCd * y.logX / y.u }

// ErrorShare is the coefficient of γ(1+ηγ)^m r_e in (c): 3C_1^{1/2}C_c/C_b (line 1730), or 2C_h/C_e
// (line 2872).
func (y *hypothesis) ErrorShare() float64 {
	if y.K > 0 {
		return 2 * y.Cc / y.C
	}
	return 3 * math.Sqrt(y.C1) * y.Cc / y.C
}

// hessianSum is the C that the sum of Hessians needs: 8C_d log(R/r_e), as lines 2903-2913.
func (y *hypothesis) hessianSum() float64 { return 8 * stuckCd * y.logX }

// errorSum is the C that the sum of errors needs: 12C_1^{1/2}C_cC_d log(R/r_e) (lines 1813-1818),
// or 8C_hC_f log(R/r_e) (lines 2914-2935).
func (y *hypothesis) errorSum() float64 {
	if y.K > 0 {
		return y.Cc * y.hessianSum()
	}
	return math.Sqrt(y.C1) * (12 * y.Cc * stuckCd * y.logX)
}

// grown returns (1+ηγ)^k r_e.
func (y *hypothesis) grown(k int) float64 { return math.Pow(1+y.u, float64(k)) * y.re }

// sum is [coupled.Forced] for forces of norm size·(1+ηγ)^s r_e.
func (y *hypothesis) sum(src *props.Source, last int, hessian bool, size float64) float64 {
	return coupled.Forced(src, y.eta(), y.gamma, last, hessian,
		func(s int) float64 { return size * y.grown(s) })
}

// middleSum compares the sum of the increments with its bound, term by term, and that with
// η·weights·(factor·δ/C + …)(1+ηγ)^m r_e (lines 1840-1850, and among 2919-2997).
func (y *hypothesis) middleSum(src *props.Source, rec *props.Recorder, factor, weights float64,
	terms, whole string) {
	errors, middle := y.ErrorShare()*y.gamma, 0.0
	norm, bound := y.sum(src, y.m-1, true, 2*y.delta/y.C+errors), factor*y.delta/y.C+errors
	for s := range y.m {
		middle += y.eta() * (y.u*math.Pow(1+y.u, float64(y.m-1-s)) + 1/float64(y.m-s)) * bound *
			y.grown(s)
	}
	rec.AtMost(terms, norm, middle)
	rec.AtMost(whole, middle, y.eta()*weights*bound*y.grown(y.m))
}

// dynamics returns the powers of I − ηH and the forces dHw + g of the runs by number, from the
// perturbation on.
func (p *coupledRuns) dynamics() (pow []*mat.Dense, force [][]float64) {
	force = make([][]float64, len(p.force))
	for m := p.tau; m < len(force); m++ {
		force[m] = coupled.Times(p.hessianDrift(m, whole), p.w[m])
		floats.Add(force[m], p.force[m])
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

func inductionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("induction-unrolled-difference", props.Identity(onSteps(smallSteps, 12, 1,
			func(p *coupledRuns, rec *props.Recorder) {
				p.unrolled(rec, "w^t against its unrolled form", p.tau)
			}))),
		props.Bind("induction-a-reduction", reduction(2)),
		props.Bind("induction-a-reduction/sharper", reduction(1.5)),
		props.Bind("induction-operator-norm", operatorNorm(1)),
		props.Bind("induction-operator-norm/sharper", operatorNorm(2)),
		// t = τ + 1, a Hessian that changes at t alone, by D, and (a)
		props.Bind("induction-hessian-sum", hessianSum(1)),
		props.Bind("induction-hessian-sum/corrected", hessianSum(2)),
		props.Bind("induction-error-sum/corrected",
			onHypothesis(false, (*hypothesis).errorSum, func(y *hypothesis, src *props.Source,
				rec *props.Recorder) {
				norm, g := y.sum(src, y.m, false, y.ErrorShare()*y.gamma), y.grown(y.m)
				middle := y.u * float64(y.m+1) * y.ErrorShare() * g
				last := y.ErrorShare() * stuckCd * y.logX * g
				rec.AtMost("‖sum‖ against the sum of bounds", norm, middle)
				rec.AtMost("the sum of bounds against (3C_1^{1/2}C_cC_d log/C_b)(1+ηγ)^{t−τ}r_e",
					middle, last)
				rec.AtMost("that against ¼(1+ηγ)^{t−τ}r_e", last, g/4)
			})),
		props.Bind("increment-decomposition/corrected",
			props.Settled(incrementDecomposition(1), unrolled)),
		// the second step for T_2 = 2, t = τ + 1
		props.Bind("increment-second-term", incrementSum(0, 1)),
		props.Bind("increment-second-term/corrected", incrementSum(1, 2)),
		props.Bind("increment-third-term/corrected",
			props.Settled(props.Inequality(onSteps(saddleRange{P: smallN, d: smallD, smooth: true,
				gamma: 0.1}, 6, 1, tryHessianDrift)).Effort(0.5), driftOfHessian)),
	}
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
	return onHypothesis(false, (*hypothesis).hessianSum, func(y *hypothesis, src *props.Source,
		rec *props.Recorder) {
		drift := y.delta / y.C * src.Real("‖dH‖ over δ/C_b", 0, 1)
		a := src.Real("‖w_s‖ over (1+ηγ)^{s−τ}r_e", 0.5, 2)
		norm := y.sum(src, y.m, false, drift*a)
		middle := factor * y.eta() * y.grown(y.m) * drift * float64(y.m+1)
		rec.AtMost("‖sum‖ against η(1+ηγ)^{t−τ}r_eΣ‖dH_s‖", norm, middle)
		rec.AtMost("that against (δηT_2/C_b)(1+ηγ)^{t−τ}r_e", middle,
			factor*y.delta/y.C*y.eta()*y.horizon()*y.grown(y.m))
	})
}

// incrementDecomposition checks lines 1826-1831 on runs, with the given sign of the sum.
func incrementDecomposition(sign float64) props.Check {
	return props.Identity(onSteps(smallSteps, 12, 1, func(p *coupledRuns, rec *props.Recorder) {
		p.increments(rec, "w^{t+1} − w^t against its decomposition", sign, 1)
	}))
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

// incrementSum checks lines 1840-1850 with that beside log T_2 and the given factor of δ/C_b.
func incrementSum(beside, factor float64) props.Check {
	return onHypothesis(false, (*hypothesis).errorSum, func(y *hypothesis, src *props.Source,
		rec *props.Recorder) {
		if y.m == 0 {
			rec.Skip("no step before t")
			return
		}
		if src.Bool("constants at their least") { // where a missing factor shows
			over := y.C / y.errorSum()
			y.C1, y.Cc, y.delta = 1, 1, y.gamma
			y.C = over * y.errorSum()
		}
		y.middleSum(src, rec, factor, y.u*y.horizon()+(beside+math.Log(y.horizon())),
			"middle sum against Σ_s η(ηγ(1+ηγ)^{t−1−s} + 1/(t−s))…",
			"that against η(ηγT_2 + log T_2)…")
	})
}

// tryHessianDrift compares ‖dH^tw^t‖ on runs with (2δ/C_b)(1+ηγ)^{t−τ}r_e, ρR for δ/C_b, R the
// farthest that the run gets from x^{τ0}, at the steps where (a) holds.
func tryHessianDrift(p *coupledRuns, rec *props.Recorder) {
	radius := p.farthest(p.tau0)
	for t := p.tau; t <= p.T; t++ {
		if grown := p.growth(t); p.wn[t] <= 2*grown {
			rec.AtMost("‖dH^tw^t‖", floats.Norm(coupled.Times(p.hessianDrift(t, whole), p.w[t]), 2),
				2*(p.rho*radius)*grown)
		}
	}
}

// stuckCf is the C_f with which (1+ηγ)^{T_5} ≥ 4R/r_e for all ηγ ≤ 1 and R/r_e ≥ 2, as for SLEDGE.
const stuckCf = stuckCd

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
		props.Bind("dsecond-increment-chain/corrected",
			props.All(onHypothesis(true, (*hypothesis).errorSum, tryIncrementChain),
				incrementIdentity(1, 1))),
	}
}

// localHessianSum checks lines 2903-2913, with the K of the first member or without.
func localHessianSum(withK bool) props.Check {
	return onHypothesis(true, (*hypothesis).hessianSum, func(y *hypothesis, src *props.Source,
		rec *props.Recorder) {
		drift := y.delta / y.C * src.Real("‖dH‖ over δ/C_e", 0, 1)
		a := src.Real("‖w‖ over (1+ηγ)^j r_e", 0.5, 2)
		norm := y.sum(src, y.m, false, drift*a)
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
// K local steps, with what line 2997 should have.
func (y *hypothesis) localError(src *props.Source, rec *props.Recorder) {
	k, b := src.Int("k", 1, 20), src.LogInt("b", 1, 1000)
	K := max(k, y.K)
	L := y.gamma * src.LogReal("L / gamma", 1, 1e3)
	zeta := L * src.LogReal("zeta / L", 1e-6, 2)
	norms, moved := make([]float64, k+1), make([]float64, k+1)
	for l := range norms {
		norms[l], moved[l] = 2*y.grown(y.m+l), 3*y.u*y.grown(y.m+l)
	}
	root := y.C1 * y.C1 * math.Sqrt(float64(K)/float64(b))
	sum := 3*zeta*float64(K)*y.u + 8*y.delta/y.C + 6*root*L*y.u + 8*root*y.delta*(1/y.C)
	rec.AtMost("‖h‖", localError(y.C1, zeta, 2*L, y.delta/y.C, b, norms, moved),
		sum*math.Pow(1+y.u, float64(y.m+k))*y.re)
}

// tryIncrementChain checks the inequalities of lines 2919-2997, repaired.
func tryIncrementChain(y *hypothesis, src *props.Source, rec *props.Recorder) {
	if src.Bool("least constants") {
		// the drift of the Hessian weighs most beside the errors, in a sum of one term
		y.Cc, y.delta, y.m = 1, y.gamma, min(y.m, 1)
	}
	errors := y.sum(src, y.m, false, y.ErrorShare()*y.gamma)
	bound := 2 * y.Cc * y.u * y.horizon() / y.C * math.Pow(1+y.u, float64(y.m)) * y.re
	rec.AtMost("‖ηΣ(I−ηH)^{…}(g+h)‖", errors, bound)
	rec.AtMost("its bound against ¼(1+ηγ)^m r_e", bound, y.grown(y.m)/4)
	if y.m > 0 {
		y.middleSum(src, rec, 2, y.u*y.horizon()+1+math.Log(y.horizon()),
			"middle sum against Σ η(ηγ(1+ηγ)^j + 1/j)…", "that against η(ηγT_5 + log T_5)…")
	}
	w := 2 * y.grown(y.m) * src.Real("‖w‖ over 2(1+ηγ)^m r_e", 0.25, 1)
	rec.AtMost("‖dHw‖", y.delta/y.C*w, 2*y.delta/y.C*y.grown(y.m))
	y.localError(src, rec)
}

// incrementIdentity checks lines 2938-2948 on runs, with the given sign of the sum, and its
// exponents lowered by shift.
func incrementIdentity(sign float64, shift int) props.Check {
	return onRounds(smallRuns, func(p *coupledRuns, rec *props.Recorder) {
		p.increments(rec, "w^{t,k+1} − w^{t,k} against its decomposition", sign, shift)
	})
}

// smallRuns are short runs on small saddles.
var smallRuns = coupledRange{saddleRange: saddleRange{P: problems.Sizes(1, 4),
	data: problems.Sizes(1, 8)}, rounds: 4, radius: 1}

// innerRuns are the same with perturbations within rounds.
var innerRuns = coupledRange{saddleRange: smallRuns.saddleRange, rounds: smallRuns.rounds,
	radius: smallRuns.radius, inner: true}
