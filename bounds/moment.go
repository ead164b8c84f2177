package bounds

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// This file holds what can be said in expectation instead of with high probability: exact one-step
// recursions for the second moments of the estimator's error, a potential function, and from it the
// first-order theorem and the one under the PL condition without logarithms. Nothing here is
// printed in the paper.
//
// Let z_i = y_i − ∇f_i be the error of row i, e = (1/n)Σz_i that of the estimator, c_i the
// deviation ∇f_i(x^t) − ∇f_i(x^{t−1}) − (∇f(x^t) − ∇f(x^{t−1})), and q = 1 − b/n. A step draws I
// uniformly from the b-subsets and sets
//
//	z_i ← 0 for i ∈ I,   z_i ← z_i + (1/b)Σ_{j∈I}c_j − c_i otherwise.
//
// Since x^t is fixed before I^t is drawn, expectations over I given the past only involve P =
// (1/n)Σ‖z_i‖², κ = (1/n)Σ‖c_i‖² and X = (1/n)Σ⟨c_i, z_i⟩.

// after returns E‖e‖² and E P after the step as rational combinations of the moments before it:
// rows of coefficients of (‖e‖², P, κ, X).
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

// combine is the combination of the moments with such coefficients.
func combine(coefficients, moments [4]*big.Rat) *big.Rat {
	s := new(big.Rat)
	for k, v := range coefficients {
		s.Add(s, new(big.Rat).Mul(v, moments[k]))
	}
	return s
}

// momentWords are the symbols of the bounds in expectation: κ = (n−b)/(n−1), the variance of a
// minibatch without replacement over that of one with; K_0 is fullMovementFactor, of which c is the
// share of the decrease of P that is used up; s is what Option I pays for its start, A the weight
// of the potential.
var momentWords = Symbols("moments")

func ofMoments(text string, symbols ...string) *formula.Program {
	return formula.Must(momentWords, text).Of(symbols...)
}

var (
	movementFactorOf = ofMoments("κ + 3κ(b + 1)/n + 16κ²/(c(3 − κ))", "n", "b", "κ", "c")
	expectedPLStepOf = ofMoments("min{1/(2L), b/(ζ√(60n)), b/(3μn)}", "n", "b", "L", "μ", "ζ")
)

// spreadOf is (n−b)/(n−1), 0 for a single component.
func spreadOf(n, b int) float64 { return float64(n-b) / float64(max(1, n-1)) }

// fullMovementFactor is K in the inequality E[‖e'‖² + (3/n)P'] ≤ q²‖e‖² + (3/n)P + (K/b)κ. With ρ =
// (n−b)/(n−1),
//
//	K = ρ + 3ρ(b+1)/n + 16ρ²/(3−ρ) ≤ 12,
//
// from the recursions and 2|X| ≤ θP + κ/θ with the θ that uses up the decrease of P.
func fullMovementFactor(n, b int) float64 { return movementFactor(n, b, 1) }

// movementFactor is fullMovementFactor if only a share of the decrease of P is used up, so that
// (3/n)P shrinks by the factor (1 − share)(b/n)(1 − ρ/3), at least b/(3n) for half of it.
func movementFactor(n, b int, share float64) float64 {
	return movementFactorOf.At(float64(n), float64(b), spreadOf(n, b), share)
}

// plShare is the share of the decrease of P that the PL theorem uses up.
const plShare = 0.5

// Steps is 2(2Δ/η + initial)/ε² with the step size of the moments, not rounded: the number
// of steps of first-main-option-one/sharper and first-main-option-two/sharper, for a finite
// sum. Without noise the mean of ‖∇f‖² over them is at most ε² with probability one half.
func (s Expected) Steps(gap, eps float64) float64 {
	return 2 * (2*gap/s.StepSize() + s.initial()) / sq(eps)
}

// initial is what the start of Option I adds to the bound on twice the sum of E‖v^t − ∇f(x^t)‖² of
// a finite sum: 2(E‖e_0‖² + (3/n)E P_0)/(1 − q²), where E‖e_0‖² = ρσ_c²/b and P_0 = σ_c² + ‖e_0‖².
func (s Expected) initial() float64 { return 2 * s.at(tableInitialOf, 1, s.Start()) }

var tableInitialOf = ofTable(tableLifetime+"S", "S")

// ExpectedPLStep is min{1/(2L), b/(ζ√(60n)), b/(3μn)}. With A = 3ηn/(2b) and half of the decrease
// of P kept, E[f(x^t) − f* + A(‖e‖² + (3/n)P)] shrinks by 1 − ημ in a step, but for the noise r²/η:
// η + Aq² ≤ A(1 − ημ), 1 − b/(3n) ≤ 1 − ημ, and the movement costs A(20/b)((n−1)/(2n))ζ² ≤
// 15ηζ²n/b² ≤ 1/(4η) ≤ 1/(2η) − L/2.
func ExpectedPLStep(L, mu, zeta float64, n, b int) float64 {
	return expectedPLStepOf.At(float64(n), float64(b), L, mu, zeta)
}

// enumerable draws an instance with at most 300 or so equally likely runs.
func enumerable(src *props.Source, option algos.Option, etaL float64,
	shapes ...problems.Shape) *instance {
	in := drawInstance(src, ranges{P: problems.Sizes(2, 6), d: problems.Sizes(1, 2),
		T: problems.Sizes(1, 6), option: option, quiet: true, etaL: etaL, shapes: shapes,
		between: heterogeneous})
	for in.T > 1 && math.Pow(float64(combin.Binomial(in.P, in.b)), float64(in.T)) > 300 {
		in.T--
	}
	return in
}

func momentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("variance-lemma-option-two/second-moment",
			props.ExactSizes("2 ≤ n ≤ 6, 1 ≤ b ≤ n, all row errors and changes in every dimension",
				checkMoments)),
	}
}

// checkMoments compares the recursions with the mean over all batches. It runs through the unit
// vectors of (z_1 … z_n, c_1 … c_{n-1}), c_n making the sum of changes zero, and through their
// pairwise sums.
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
	before := [4]*big.Rat{big.NewRat(e*e, N*N), big.NewRat(p, N), big.NewRat(kappa, N),
		big.NewRat(x, N)}
	errSq, rows := after(N, int64(b))
	rec.Rats("E e'", big.NewRat(meanErr, m*nb), props.EQ,
		new(big.Rat).Mul(big.NewRat(N-int64(b), N), big.NewRat(e, N)))
	rec.Rats("E‖e'‖²", big.NewRat(meanErrSq, m*nb*nb), props.EQ, combine(errSq, before))
	rec.Rats("E P'", big.NewRat(meanRows, m*N*int64(b*b)), props.EQ, combine(rows, before))
}
