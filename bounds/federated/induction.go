package federated

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/bounds/finitesum"
	"sledge/props"
)

// StuckConstants are the constants of the lemmas about coupled runs of FLEDGE near a saddle (lines 2632-3042). R = δ/(C_eρ) is the radius of the
// region that one of the two runs is to leave.
type StuckConstants struct{ C1, Ce, Cf, Cg, Ch float64 }

// StuckCf is the C_f with which (1+ηγ)^{T_5} ≥ 4R/r_e for all ηγ ≤ 1 and R/r_e ≥ 2, as for SLEDGE.
const StuckCf = finitesum.StuckCd

// ErrorShare is the coefficient 2C_h/C_e of γ(1+ηγ)^m r_e in (c), line 2872.
func (c StuckConstants) ErrorShare() float64 { return 2 * c.Ch / c.Ce }

// hypothesis is what a step of the induction (lines 2862-2873) starts from: bounds on the norms at the local steps (τ0+1,0) … (t,k), in units of
// which a step is an inequality between numbers. M = (t−τ0−1)K + k, u = ηγ, δ ≤ γ, log(R/r_e), and the constants; T_5 = C_f log(R/r_e)/u local
// steps.
type hypothesis struct {
	StuckConstants
	M, K                      int
	u, gamma, delta, logX, re float64
}

// drawHypothesis draws one with M + 1 ≤ T_5. C_e is at least 1 and its lower bound for this step, by a drawn factor. It skips where R/r_e is
// above e^50.
func drawHypothesis(src *props.Source, rec *props.Recorder, least func(y *hypothesis) float64) (y *hypothesis, ok bool) {
	y = &hypothesis{M: src.Int("(t - tau0 - 1)K + k", 0, 40), K: src.LogInt("K", 1, 1000), u: src.LogReal("eta gamma", 1e-4, 1),
		gamma: src.LogReal("gamma", 1e-3, 1e3), re: src.LogReal("r_e", 1e-6, 10)}
	y.delta = y.gamma * src.LogReal("delta / gamma", 1e-3, 1)
	y.C1, y.Cg, y.Cf = src.LogReal("C1", 1, 100), src.LogReal("C_g", 1, 1e6), StuckCf
	y.Ch = y.Cg * src.LogReal("C_h / C_g", 1, 100)
	y.logX = y.u * float64(y.M+1) * src.LogReal("T_5 / (M + 1)", 1, 1e3) / y.Cf
	y.Ce = max(1, least(y)) * src.LogReal("C_e over its bound", 1, 100)
	if y.logX > 50 {
		rec.Skip("R/r_e is above e^50")
		return y, false
	}
	return y, true
}

func (y *hypothesis) eta() float64     { return y.u / y.gamma }
func (y *hypothesis) horizon() float64 { return y.Cf * y.logX / y.u }

// grown returns (1+ηγ)^m r_e.
func (y *hypothesis) grown(m int) float64 { return math.Pow(1+y.u, float64(m)) * y.re }

// hessianSum and errorSum are the C_e that lines 2903-2935 need: 8C_f log(R/r_e) and 8C_hC_f log(R/r_e).
func (y *hypothesis) hessianSum() float64 { return 8 * y.Cf * y.logX }
func (y *hypothesis) errorSum() float64   { return y.Ch * y.hessianSum() }

// LocalError is the right-hand side of lemma:D-Second-Auxiliary-B (lines 2673-2677) for norms w = ‖w^{t,l}‖, l = 0 … k, and dw =
// ‖w^{t,l}−w^{t,l−1}‖, dw[0] unused. The Hessians of data differ by data: L as printed, 2L in truth.
func LocalError(c1, zeta, data, overCe float64, b int, w, dw []float64) float64 {
	k := len(w) - 1
	path, square := 0.0, 0.0
	for l := 1; l <= k; l++ {
		path += dw[l]
		square += sq(data*dw[l] + 2*overCe*(w[l]+w[l-1]))
	}
	return zeta*path + 2*overCe*(w[k]+w[0]) + c1*c1/math.Sqrt(float64(b))*math.Sqrt(square)
}

func inductionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-horizon-units", props.Order(func(src *props.Source) (float64, float64) {
			inverse := 1 / src.LogReal("ηδ (at most 1)", 1e-9, 1)
			K, logX := min(inverse, src.LogReal("K", 1, 1e9)), 1+src.LogReal("log(R/r_e)", 1e-3, 1e3)
			return (math.Log(4) + logX) / math.Log1p(1/inverse), 1 + logX*inverse/K
		})),
		props.Bind("dsecond-horizon-units/corrected", props.Implication(func(src *props.Source, rec *props.Recorder) {
			u, x, K := src.LogReal("eta gamma", 1e-4, 1), src.LogReal("R / r_e", finitesum.StuckRoom, 1e9), float64(src.LogInt("K", 1, 100000))
			steps := math.Ceil(coupled.Horizon(StuckCf, x, 1, u, 1))
			rec.AtLeast("¼(1+ηγ)^{T_5}r_e/R", math.Exp(min(700, steps*math.Log1p(u)-math.Log(4*x))), 1)
			rec.AtMost("rounds in which these local steps end", math.Ceil(steps/K), 1+steps/K)
		})),
		props.Bind("dsecond-induction-base", baseCase(func(*hypothesis) float64 { return 1 })),
		props.Bind("dsecond-induction-base/corrected", baseCase(func(y *hypothesis) float64 { return y.Ce })),
		props.Bind("dsecond-hessian-sum", hessianSum(true)),
		props.Bind("dsecond-hessian-sum/corrected", hessianSum(false)),
		props.Bind("dsecond-increment-chain", props.All(incrementChain(false), incrementIdentity(-1, 0))),
		props.Bind("dsecond-increment-chain/corrected", props.All(incrementChain(true), incrementIdentity(1, 1))),
	}
}

// baseCase compares the bound on ‖g^{τ0}‖ for the smallest p = c²(ζ²/δ² + L²/(δ²Kb)) with its bound and with (c).
func baseCase(c func(y *hypothesis) float64) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawHypothesis(src, rec, (*hypothesis).errorSum)
		if !ok {
			return
		}
		angle := src.Real("angle", 0, math.Pi/2) // ζ/√p and L/√(pKb) have squares that add up to δ²/c²
		kick := y.Cg * (math.Cos(angle) + math.Sin(angle)) * y.delta / c(y) * y.re
		rec.AtMost("‖g^{τ0}‖ against √2C_gγr_e/c", kick, math.Sqrt2*y.Cg*y.gamma*y.re/c(y))
		rec.AtMost("‖g^{τ0}‖ against (c)", kick, y.ErrorShare()*y.gamma*y.re)
	})
}

// hessianSum checks lines 2903-2913, with the K of the first member or without.
func hessianSum(withK bool) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawHypothesis(src, rec, (*hypothesis).hessianSum)
		if !ok {
			return
		}
		drift := y.delta / y.Ce * src.Real("‖dH‖ over δ/C_e", 0, 1)
		a := src.Real("‖w‖ over (1+ηγ)^j r_e", 0.5, 2)
		norm := coupled.Forced(src, y.eta(), y.gamma, y.M, false, func(j int) float64 { return drift * a * y.grown(j) })
		last := 2 * y.eta() * y.horizon() * y.delta / y.Ce * y.grown(y.M)
		first := last
		if withK {
			first *= float64(y.K)
		}
		rec.AtMost("‖sum‖ against the first member", norm, first)
		rec.AtMost("the first member against (2ηδT_5/C_e)(1+ηγ)^m r_e", first, last)
		rec.AtMost("that against ¼(1+ηγ)^m r_e", last, y.grown(y.M)/4)
	})
}

// incrementChain checks the inequalities of lines 2919-2997, repaired or as printed.
func incrementChain(repaired bool) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		y, ok := drawHypothesis(src, rec, (*hypothesis).errorSum)
		if !ok {
			return
		}
		if src.Bool("least constants") { // the drift of the Hessian weighs most beside the errors, in a sum of one term
			y.Cg, y.Ch, y.delta, y.M = 1, 1, y.gamma, min(y.M, 1)
		}
		ch, re, two, one, overCe := 1.0, 1.0, 1.0, 0.0, 1.0
		third := y.delta / y.Ce * y.re * y.grown(y.M)
		data := 1.0 // of L
		if repaired {
			ch, re, two, one, overCe, data = y.Ch, y.re, 2, 1, 1/y.Ce, 2
			third = 2 * y.delta / y.Ce * y.grown(y.M)
		}
		g := math.Pow(1+y.u, float64(y.M))
		errors := coupled.Forced(src, y.eta(), y.gamma, y.M, false, func(j int) float64 { return y.ErrorShare() * y.gamma * y.grown(j) })
		bound := 2 * ch * y.u * y.horizon() / y.Ce * g * re
		rec.AtMost("‖ηΣ(I−ηH)^{…}(g+h)‖", errors, bound)
		rec.AtMost("its bound against ¼(1+ηγ)^m r_e", bound, y.grown(y.M)/4)

		if y.M > 0 {
			force := 2*y.delta/y.Ce + y.ErrorShare()*y.gamma // what (a) and (c) leave
			claimed := two*y.delta/y.Ce + y.ErrorShare()*y.gamma
			norm := coupled.Forced(src, y.eta(), y.gamma, y.M-1, true, func(j int) float64 { return force * y.grown(j) })
			middle := 0.0
			for s := range y.M {
				j := float64(y.M - s)
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
			rec.AtMost("that against η(ηγT_5 + log T_5)…", middle, slack*y.eta()*(y.u*y.horizon()+one+math.Log(y.horizon()))*claimed*y.grown(y.M))
		}

		w := 2 * y.grown(y.M) * src.Real("‖w‖ over 2(1+ηγ)^m r_e", 0.25, 1)
		rec.AtMost("‖dHw‖", y.delta/y.Ce*w, third)

		// ‖h‖ from the lemma, with norms as large as (a) and (b) allow, at the last of K local steps
		k, b := src.Int("k", 1, 20), src.LogInt("b", 1, 1000)
		K := max(k, y.K)
		L := y.gamma * src.LogReal("L / gamma", 1, 1e3)
		zeta := L * src.LogReal("zeta / L", 1e-6, 2)
		norms, moved := make([]float64, k+1), make([]float64, k+1)
		for l := range norms {
			norms[l], moved[l] = 2*y.grown(y.M+l), 3*y.u*y.grown(y.M+l)
		}
		root := y.C1 * y.C1 * math.Sqrt(float64(K)/float64(b))
		sum := 3*zeta*float64(K)*y.u + 8*y.delta/y.Ce + 3*data*root*L*y.u + 8*root*y.delta*overCe
		rec.AtMost("‖h‖", LocalError(y.C1, zeta, data*L, y.delta/y.Ce, b, norms, moved), sum*math.Pow(1+y.u, float64(y.M+k))*re)
	})
}

// incrementIdentity checks lines 2938-2948 on runs, with the given sign of the sum, and its exponents lowered by shift.
func incrementIdentity(sign float64, shift int) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		p := drawCouple(src, rec, smallCouple)
		if p == nil {
			return
		}
		eta := p.method.Eta
		pow := coupled.Powers(coupled.Shrinkage(eta, p.H), len(p.x))
		force := make([][]float64, len(p.force))
		for m := p.kick; m < len(p.force); m++ {
			force[m] = p.total(m)
			got, want, sum := make([]float64, p.d), make([]float64, p.d), make([]float64, p.d)
			floats.SubTo(got, p.w[m+1], p.w[m])
			floats.AddScaled(want, eta*p.gamma*p.growth(m), p.e)
			floats.AddScaled(want, -eta, force[m])
			for s := p.kick; s < m; s++ {
				coupled.Apply(sum, 1, pow[m-s-shift], force[s])
			}
			coupled.Apply(want, sign*eta*eta, p.H, sum)
			rec.EqualVectors("w^{t,k+1} − w^{t,k} against its decomposition", got, want).Scale(p.span() * p.growth(m) / p.re)
		}
	}).Effort(0.3)
}

// smallCouple are short runs on small saddles.
var smallCouple = coupleRange{saddleRange: saddleRange{P: problems.Sizes(1, 4), data: problems.Sizes(1, 8)}, rounds: 4, radius: 1}
