package bounds

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/settle"
)

// decomposition is the right-hand side of the error identity (lines 1376-1384) at step t, written
// with plain loops over the printed sums. The sets that its two sums call Ĩ_s^t are those of
// tape.Unsampled at coefficient(s) and at remaining(s); initial is the index of the set in the last
// sum.
func (p *path) decomposition(t int, coefficient, remaining func(s int) int, initial int) []float64 {
	n, d := float64(p.n), p.d
	sets := p.tape.Unsampled(p.n, t, algos.Batches)
	now, before, out := make([]float64, d), make([]float64, d), make([]float64, d)
	addChange := func(factor float64, i, s int) {
		p.problem.Gradient(now, p.tape.X[s], i)
		p.problem.Gradient(before, p.tape.X[s-1], i)
		floats.AddScaled(out, factor, now)
		floats.AddScaled(out, -factor, before)
	}
	for s := 1; s <= t; s++ {
		for _, i := range p.tape.Batch(s) {
			addChange(float64(len(sets[coefficient(s)]))/float64(p.b)/n, i, s)
		}
		for _, i := range sets[remaining(s)] {
			addChange(-1/n, i, s)
		}
	}
	for _, i := range sets[initial] {
		floats.AddScaled(out, 1/n, p.start[i*d:(i+1)*d])
	}
	return out
}

func same(s int) int { return s }
func next(s int) int { return s + 1 }

// checkDecomposition compares the error of the estimator with the decomposition at the last step of
// a run.
func checkDecomposition(name string, sets func(s int) int, initial int) *props.Deterministic {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		option := algos.Option(src.Pick("option", "II", "I"))
		in := drawInstance(src, ranges{n: problems.Sizes(1, 7), T: problems.Sizes(1, 8),
			option: option})
		p := in.drawPath(src)
		rec.EqualVectors(name, p.err[in.T],
			p.decomposition(in.T, sets, sets, initial)).Scale(p.size)
	}).Effort(0.5)
}

// linearForm is an exact linear combination of the unknowns of the estimator: the component changes
// ∇f_i(x^s) − ∇f_i(x^{s−1}), numbered by i and s, and the initial errors y_i^0 − ∇f_i(x^0),
// numbered by i with s = 0.
type linearForm map[[2]int]*big.Rat

func (f linearForm) add(factor *big.Rat, i, s int) {
	k := [2]int{i, s}
	if f[k] == nil {
		f[k] = new(big.Rat)
	}
	f[k].Add(f[k], factor)
}

// coefficientsOfError runs the table recursion of the algorithm on formal unknowns and returns the
// error as a linear form: the row error z_i = y_i − ∇f_i becomes 0 for drawn components, and gains
// the mean change over the batch minus its own change for the others.
func coefficientsOfError(n int, batches [][]int) linearForm {
	z := make([]linearForm, n)
	one := big.NewRat(1, 1)
	for i := range z {
		z[i] = linearForm{}
		z[i].add(one, i, 0)
	}
	for k, batch := range batches {
		drawn := make([]bool, n)
		for _, i := range batch {
			drawn[i] = true
		}
		for i := range z {
			if drawn[i] {
				z[i] = linearForm{}
				continue
			}
			for _, j := range batch {
				z[i].add(big.NewRat(1, int64(len(batch))), j, k+1)
			}
			z[i].add(big.NewRat(-1, 1), i, k+1)
		}
	}
	err := linearForm{}
	for i := range z {
		for k, c := range z[i] {
			err.add(new(big.Rat).Mul(c, big.NewRat(1, int64(n))), k[0], k[1])
		}
	}
	return err
}

// coefficientsOfDecomposition is the same for the right-hand side of the printed identity.
func coefficientsOfDecomposition(n int, batches [][]int) linearForm {
	out := linearForm{}
	unsampled := make([]bool, n)
	for i := range unsampled {
		unsampled[i] = true
	}
	left := n
	for s := len(batches); s >= 1; s-- {
		batch := batches[s-1]
		for _, i := range batch {
			if unsampled[i] {
				unsampled[i] = false
				left--
			}
		}
		for _, i := range batch {
			out.add(big.NewRat(int64(left), int64(n*len(batch))), i, s)
		}
		for i, u := range unsampled {
			if u {
				out.add(big.NewRat(-1, int64(n)), i, s)
			}
		}
	}
	for i, u := range unsampled {
		if u {
			out.add(big.NewRat(1, int64(n)), i, 0)
		}
	}
	return out
}

// subsets returns all subsets of [0, n) with b elements.
func subsets(n, b int) [][]int {
	if b == 0 {
		return [][]int{nil}
	}
	var all [][]int
	for last := b - 1; last < n; last++ {
		for _, s := range subsets(last, b-1) {
			all = append(all, append(append([]int(nil), s...), last))
		}
	}
	return all
}

// sequences calls visit with every sequence of t subsets of [0, n) with b elements. The argument is
// overwritten by the next call.
func sequences(n, b, t int, visit func([][]int)) {
	all := subsets(n, b)
	batches := make([][]int, t)
	var choose func(k int)
	choose = func(k int) {
		if k == t {
			visit(batches)
			return
		}
		for _, s := range all {
			batches[k] = s
			choose(k + 1)
		}
	}
	choose(0)
}

// identityOfSizes settles the error identity for the sizes that the checker runs through.
var identityOfSizes = settle.Identity(settle.TableError, settle.Decomposition, settle.Runs(4, 3))

// fromIdentity is a check of what follows from the error identity by an inequality of vectors. The
// identity is a part of it: a proof of the inequality is one of the whole for the sizes alone for
// which the identity is proved.
func fromIdentity(check props.Check) props.Check {
	return props.All(check, props.Settled(
		checkDecomposition("v^t − ∇f(x^t) against the decomposition", same, 1).Effort(0.1),
		identityOfSizes))
}

func estimatorClaims() []props.Binding {
	return slices.Concat([]props.Binding{
		props.Bind("estimator-error-identity", props.Settled(props.All(
			checkDecomposition("v^t − ∇f(x^t) against the decomposition", same, 1),
			props.ExactSizes("all sequences of batches for n ≤ 4, 1 ≤ b ≤ n, t ≤ 3, all problems",
				func(rec *props.Recorder) {
					zero := new(big.Rat)
					for n := 1; n <= 4; n++ {
						for b := 1; b <= n; b++ {
							for t := 1; t <= 3; t++ {
								sequences(n, b, t, func(batches [][]int) {
									left, right := coefficientsOfError(n, batches),
										coefficientsOfDecomposition(n, batches)
									for i := range n {
										for s := range t + 1 {
											l, r := left[[2]int{i, s}], right[[2]int{i, s}]
											if l == nil {
												l = zero
											}
											if r == nil {
												r = zero
											}
											rec.Rats("coefficient of a change or an initial error",
												l, props.EQ, r)
										}
									}
								})
							}
						}
					}
				})), identityOfSizes)),
		props.Bind("estimator-error-identity/words",
			checkDecomposition("v^t − ∇f(x^t) against the decomposition with sets over s+1 … t",
				next, 2)),
		props.Bind("estimator-error-identity/literal-union",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				in := drawInstance(src, ranges{n: problems.Sizes(1, 7), T: problems.Sizes(1, 8)})
				p := in.drawPath(src)
				literal := func(int) int { return in.T }
				rec.EqualVectors("v^t − ∇f(x^t) against the decomposition with sets [n] \\ I^t",
					p.err[in.T], p.decomposition(in.T, literal, literal, in.T)).Scale(p.size)
			}).Effort(0.5)),
		props.Bind("estimator-error-identity/three-terms",
			fromIdentity(props.Settled(props.Inequality(estimatorErrorIdentityThreeTerms).Effort(
				0.5), threeParts))),
	}, clientEstimatorClaims())
}

// estimatorErrorIdentityThreeTerms tries estimator-error-identity/three-terms.
func estimatorErrorIdentityThreeTerms(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{n: problems.Sizes(2, 8), T: problems.Sizes(1, 15),
		option: algos.Option(src.Pick("option", "II", "I"))})
	p, t1 := in.drawPath(src), src.Int("T_1", 1, 15)
	v, apart := make([]float64, in.d), make([]float64, in.T+1)
	p.eachRemaining(t1, func(_, t, _ int, sum []float64) { apart[t] += normSq(sum) })
	for t := 1; t <= in.T; t++ {
		count := p.unsampled(t)
		if t > t1 && count[t-t1] > 0 {
			continue // not covered
		}
		from := windowStart(t, t1)
		p.termA(v, from, t)
		sum := normSq(v)
		rec.AtMost("(a) against (T_1/n²)Σ_s‖…‖²", p.squared(v),
			float64(t1)/sq(float64(in.n))*apart[t]).Scale(p.slack(sum))
		p.termB(v, from, t, func(s int) float64 { return float64(count[s]) })
		sum += normSq(v)
		if t <= t1 {
			p.termC(v, t)
			sum += normSq(v)
		}
		rec.AtMost("‖v^t − ∇f(x^t)‖² against 3((a) + (b) + (c))", p.squared(p.err[t]),
			3*sum).Scale(p.slack(sum))
	}
}
