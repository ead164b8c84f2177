package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/bounds/coupled"
	"sledge/props"
)

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
		props.Bind("increment-decomposition/corrected",
			props.Settled(incrementDecomposition(1), unrolled)),
		props.Bind("increment-third-term/corrected",
			props.Settled(props.Inequality(onSteps(saddleRange{P: smallN, d: smallD, smooth: true,
				gamma: 0.1}, 6, 1, tryHessianDrift)).Effort(0.5), driftOfHessian)),
		props.Bind("dsecond-increment-chain/corrected", incrementIdentity(1, 1)),
	}
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
