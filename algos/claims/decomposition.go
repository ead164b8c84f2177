package claims

import (
	"fmt"
	"math/big"
	"math/rand/v2"
	"slices"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// scalar is a finite sum of quadratics of one variable with integer coefficients, f_i(x) = ½ a_i x² + c_i x, evaluated exactly: a place where
// values and gradients can stand in one formula.
type scalar struct{ a, c []int64 }

func (p scalar) gradient(i int, x *big.Rat) *big.Rat {
	g := new(big.Rat).Mul(big.NewRat(p.a[i], 1), x)
	return g.Add(g, big.NewRat(p.c[i], 1))
}

func (p scalar) value(i int, x *big.Rat) *big.Rat {
	v := new(big.Rat).Mul(big.NewRat(p.a[i], 2), x)
	v.Add(v, big.NewRat(p.c[i], 1))
	return v.Mul(v, x)
}

// rats is the space of rational numbers. A nil number is 0.
type rats struct{}

func (rats) add(dst *big.Rat, num, den int, v *big.Rat) *big.Rat {
	out := new(big.Rat)
	if v != nil {
		out.Mul(big.NewRat(int64(num), int64(den)), v)
	}
	if dst != nil {
		out.Add(out, dst)
	}
	return out
}

// run performs SLEDGE, Option II, on the problem with the given minibatches and returns the iterates and the estimators.
func (p scalar) run(batches [][]int, eta, x0 *big.Rat) (x, v []*big.Rat) {
	n := len(p.a)
	x = []*big.Rat{x0}
	grad := func(i, s int) *big.Rat { return p.gradient(i, x[s]) }
	var y []*big.Rat
	for t := range batches {
		if t == 0 {
			y = sledgeTables(rats{}, grad, n, batches[:1])[0]
		} else {
			inc := increment(rats{}, grad, batches[t], t)
			for i := range y {
				y[i] = plus(rats{}, y[i], inc)
			}
			for _, i := range batches[t] {
				y[i] = grad(i, t)
			}
		}
		v = append(v, average(rats{}, y))
		x = append(x, new(big.Rat).Sub(x[t], new(big.Rat).Mul(eta, v[t])))
	}
	return x[:len(batches)], v
}

// drawBatches draws I^1, …, I^T for n components, with entry 0 nil.
func drawBatches(n, b, T int, r *rand.Rand) [][]int {
	out := make([][]int, T+1)
	random := algos.Keyed(keyed.New(r.Uint64()))
	for t := 1; t <= T; t++ {
		out[t] = make([]int, b)
		random.Subset(out[t], n, algos.Batches)
	}
	return out
}

// printedTarget is the right-hand side of line 328 in its three degrees of misprint. Its outer sum runs from T(t)+1, the first step after some
// component was last sampled, to last; beyond t the union in Ĩ_s^t is empty and Ĩ_s^t everything.
func printedTarget(n int, batches [][]int, t, last int, term func(i, s int) *big.Rat) *big.Rat {
	var out *big.Rat
	for s := slices.Min(lastSampled(n, batches, t)) + 1; s <= last; s++ {
		left := upTo(n)
		if s <= t {
			left = unsampled(n, batches[s:t+1]...)
		}
		for _, i := range left {
			out = rats{}.add(out, 1, n, term(i, s))
			out = rats{}.add(out, -1, n, term(i, s-1))
		}
	}
	return rats{}.add(out, 0, 1, nil)
}

// target is (1/n) Σ_i (∇f_i(x^t) − ∇f_i(x^{T(t,i)})).
func target[V any](sp space[V], grad func(i, s int) V, n, t int, last []int) V {
	out := mean(sp, upTo(n), n, func(i int) V { return grad(i, t) })
	for i := range n {
		out = sp.add(out, -1, n, grad(i, last[i]))
	}
	return out
}

// sagaError is the expression of lines 305-307, with T(t,i) < t.
func sagaError[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int, t int) V {
	last := lastSampled(n, batches, t-1)
	out := target(sp, grad, n, t, last)
	for _, i := range batches[t] {
		out = sp.add(out, -1, len(batches[t]), grad(i, t))
		out = sp.add(out, 1, len(batches[t]), grad(i, last[i]))
	}
	return out
}

// sarahError is the expression of lines 318-320 with T(t) = last.
func sarahError[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int, t, last int) V {
	var out V
	for s := last + 1; s <= t; s++ {
		out = sp.add(out, 1, 1, fullGradient(sp, grad, n, s))
		out = sp.add(out, -1, 1, fullGradient(sp, grad, n, s-1))
		out = sp.add(out, -1, 1, increment(sp, grad, batches[s], s))
	}
	return out
}

// telescope is (1/n) Σ_{s≤t} Σ_{i∈Ĩ_s^{until}} (∇f_i(x^s) − ∇f_i(x^{s−1})).
func telescope[V any](sp space[V], grad func(i, s int) V, n int, batches [][]int, t, until int) V {
	var out V
	for s := 1; s <= t; s++ {
		left := upTo(n)
		if s <= until {
			left = unsampled(n, batches[s:until+1]...)
		}
		for _, i := range left {
			out = sp.add(out, 1, n, grad(i, s))
			out = sp.add(out, -1, n, grad(i, s-1))
		}
	}
	return out
}

// surrogate is (|Ĩ_s^t|/b) Σ_{i∈I^s} a_i − Σ_{i∈Ĩ_s^t} a_i.
func surrogate(n int, batches [][]int, s, t int, a func(i int) *big.Rat) *big.Rat {
	left := unsampled(n, batches[s:t+1]...)
	var out *big.Rat
	for _, i := range batches[s] {
		out = rats{}.add(out, len(left), len(batches[s]), a(i))
	}
	for _, i := range left {
		out = rats{}.add(out, -1, 1, a(i))
	}
	return rats{}.add(out, 0, 1, nil)
}

func decompositionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("saga-error-decomposition", props.All(
			props.Exact(tinyDomain, func(rec *props.Recorder) {
				tiny(1, func(n int, batches [][]int) {
					for t := 1; t < len(batches); t++ {
						err := fullGradient(forms{}, anyGradients, n, t).minus(sagaEstimator(forms{}, anyGradients, n, batches, t))
						vanish(rec, "∇f(x^t) − estimator − printed expression", err.minus(sagaError(forms{}, anyGradients, n, batches, t)))
					}
				})
			}),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSetting(src)
				tape := s.tape(&algos.SAGA{Eta: s.m.Eta, Batch: s.m.Batch, Radius: s.m.Radius})
				grad, scale := along(s.p.FiniteSum(), tape)
				for t := 1; t <= s.T; t++ {
					right := plus(floatSpace{}, tape.V[t], sagaError(floatSpace{}, grad, s.p.P, batches(tape), t))
					rec.EqualVectors("∇f(x^t) on runs of SAGA", fullGradient(floatSpace{}, grad, s.p.P, t), right).Scale(scale)
				}
			}).Effort(0.5),
		)),
		props.Bind("sarah-error-decomposition", props.All(
			props.Exact(tinyDomain+", full gradients every 2 and every 4 steps", func(rec *props.Recorder) {
				tiny(1, func(n int, batches [][]int) {
					for _, period := range []int{2, 4} {
						v := sarahEstimators(forms{}, anyGradients, n, batches, period)
						for t := range v {
							err := fullGradient(forms{}, anyGradients, n, t).minus(v[t])
							vanish(rec, "∇f(x^t) − estimator − printed expression", err.minus(sarahError(forms{}, anyGradients, n, batches, t, t-t%period)))
						}
					}
				})
			}),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSetting(src)
				period := src.Int("period", 1, 10)
				tape := s.tape(&algos.SARAH{Eta: s.m.Eta, Batch: s.m.Batch, Period: period, Radius: s.m.Radius})
				grad, scale := along(s.p.FiniteSum(), tape)
				for t := 0; t <= s.T; t++ {
					right := plus(floatSpace{}, tape.V[t], sarahError(floatSpace{}, grad, s.p.P, batches(tape), t, t-t%period))
					rec.EqualVectors("∇f(x^t) on runs of SARAH", fullGradient(floatSpace{}, grad, s.p.P, t), right).Scale(scale)
				}
			}).Effort(0.5),
		)),
		props.Bind("saga-target-decomposition", props.Identity(func(src *props.Source, rec *props.Recorder) {
			n := src.Int("n", 2, 5)
			b, t := src.Int("b", 1, n), src.Int("t", 1, 5)
			r := src.Rand("problem")
			var p scalar
			for range n {
				p.a, p.c = append(p.a, r.Int64N(9)-4), append(p.c, r.Int64N(9)-4)
			}
			batches := drawBatches(n, b, max(n, t), r)
			x, _ := p.run(batches, big.NewRat(1, 2), big.NewRat(1, 1))
			gradient := func(i, s int) *big.Rat { return p.gradient(i, x[s]) }
			value := func(i, s int) *big.Rat { return p.value(i, x[s]) }
			left := target(rats{}, gradient, n, t, lastSampled(n, batches, t))
			rec.Rats("as printed", left, props.EQ, printedTarget(n, batches, t, n, value))
			rec.Rats("with gradients, up to n", left, props.EQ, printedTarget(n, batches, t, n, gradient))
			rec.Rats("with values, up to t", left, props.EQ, printedTarget(n, batches, t, t, value))
		}).Effort(0.5)),
		props.Bind("saga-target-decomposition/corrected", props.Exact(tinyDomain, func(rec *props.Recorder) {
			tiny(1, func(n int, batches [][]int) {
				for t := 1; t < len(batches); t++ {
					upToT := target(forms{}, anyGradients, n, t, lastSampled(n, batches, t))
					vanish(rec, "T(t,i) ≤ t, sets Ĩ_s^t", upToT.minus(telescope(forms{}, anyGradients, n, batches, t, t)))
					before := target(forms{}, anyGradients, n, t, lastSampled(n, batches, t-1))
					vanish(rec, "T(t,i) < t, sets Ĩ_s^{t−1}", before.minus(telescope(forms{}, anyGradients, n, batches, t, t-1)))
				}
			})
		})),
		props.Bind("unsampled-set-definition", props.Exact(tinyDomain+", Option II, t = 3", func(rec *props.Recorder) {
			tiny(1, func(n int, batches [][]int) {
				const t = 3
				y := sledgeTables(forms{}, anyGradients, n, batches)
				err := average(forms{}, y[t]).minus(fullGradient(forms{}, anyGradients, n, t))
				for s := 1; s <= t; s++ {
					between := unsampled(n, batches[s:t+1]...)
					rec.Truth("[n] ∖ ∪_τ I^t is the set of indexes not sampled between s and t", slices.Equal(unsampled(n, batches[t]), between))
					rec.Truth("the descriptions of lines 331 and 1163 agree", slices.Equal(unsampled(n, batches[s+1:t+1]...), between))
				}
				printed := decomposition(forms{}, anyGradients, y[0], batches, t, func(int) []int { return unsampled(n, batches[t]) })
				vanish(rec, "error − decomposition with [n] ∖ ∪_τ I^t", err.minus(printed))
				other := decomposition(forms{}, anyGradients, y[0], batches, t, func(s int) []int { return unsampled(n, batches[s+1:t+1]...) })
				vanish(rec, "error − decomposition with the sets of line 1163", err.minus(other))
			})
		})),
		props.Bind("unsampled-set-definition/corrected", props.Exact(tinyDomain+", both options", func(rec *props.Recorder) {
			for from := range 2 {
				tiny(from, func(n int, batches [][]int) {
					y := sledgeTables(forms{}, anyGradients, n, batches)
					for t := 1; t < len(batches); t++ {
						right := decomposition(forms{}, anyGradients, y[0], batches, t, func(s int) []int { return unsampled(n, batches[s:t+1]...) })
						err := average(forms{}, y[t]).minus(fullGradient(forms{}, anyGradients, n, t))
						vanish(rec, "v^t − ∇f(x^t) − decomposition", err.minus(right))
					}
				})
			}
		})),
		props.Bind("minibatch-surrogate-unbiased", props.Exact("all a, all minibatch sizes with n ≤ 5, t − s ≤ 2, uniform independent minibatches; means given |Ĩ_s^t| and over everything", func(rec *props.Recorder) {
			for n := 1; n <= 5; n++ {
				for b := 1; b <= n; b++ {
					for t := 1; t <= 3; t++ {
						for k := range n {
							given := make([]*big.Rat, n+1)
							total := new(big.Rat)
							batchSequences(n, b, 1, t, func(batches [][]int) {
								left := len(unsampled(n, batches[1:]...))
								diff := surrogate(n, batches, 1, t, func(i int) *big.Rat {
									if i == k {
										return big.NewRat(1, 1)
									}
									return nil
								})
								given[left] = rats{}.add(given[left], 1, 1, diff)
								total.Add(total, diff)
							})
							rec.Rats("mean difference", total, props.EQ, new(big.Rat))
							for _, sum := range given {
								if sum != nil {
									rec.Rats("mean difference given |Ĩ_s^t|", sum, props.EQ, new(big.Rat))
								}
							}
						}
					}
				}
			}
		})),
		props.Bind("minibatch-surrogate-unbiased/sharper", props.All(
			props.Exact(tinyDomain+", both options: mean over the last minibatch", func(rec *props.Recorder) {
				for from := range 2 {
					type past struct {
						n, b, count int
						before, sum form
					}
					var order []*past
					byKey := map[string]*past{}
					tiny(from, func(n int, batches [][]int) {
						T := len(batches) - 1
						y := sledgeTables(forms{}, anyGradients, n, batches)
						err := func(t int) form { return average(forms{}, y[t]).minus(fullGradient(forms{}, anyGradients, n, t)) }
						key := fmt.Sprint(n, batches[:T], len(batches[T]))
						p := byKey[key]
						if p == nil {
							p = &past{n: n, b: len(batches[T]), before: err(T - 1)}
							byKey[key], order = p, append(order, p)
						}
						p.sum = forms{}.add(p.sum, 1, 1, err(T))
						p.count++
					})
					for _, p := range order {
						vanish(rec, "E[e^t | past] − (1 − b/n) e^{t−1}", forms{}.add(p.sum, -p.count*(p.n-p.b), p.n, p.before))
					}
				}
			}),
			props.Exact("20 runs on problems of one variable with integer coefficients, all sequences of minibatches with n ≤ 4 and t ≤ 3", unbiasedRuns),
		)),
	}
}

// unbiasedRuns averages the error and its parts over all minibatch sequences of small runs, whose iterates depend on the minibatches.
func unbiasedRuns(rec *props.Recorder) {
	r := keyed.New(1).With("problems of one variable").Rand()
	for k := range 20 {
		n := 2 + k%3
		b := 1 + k/3%(n-1)
		var p scalar
		for range n {
			p.a, p.c = append(p.a, r.Int64N(9)-4), append(p.c, r.Int64N(9)-4)
		}
		const T = 3
		var terms [T + 1][T + 1]*big.Rat
		var errs [T + 1]*big.Rat
		batchSequences(n, b, 1, T, func(batches [][]int) {
			x, v := p.run(batches, big.NewRat(1, 3), big.NewRat(1, 1))
			grad := func(i, s int) *big.Rat { return p.gradient(i, x[s]) }
			for t := 1; t <= T; t++ {
				errs[t] = rats{}.add(errs[t], 1, 1, v[t])
				errs[t] = rats{}.add(errs[t], -1, 1, fullGradient(rats{}, grad, n, t))
				for s := 1; s <= t; s++ {
					diff := surrogate(n, batches, s, t, func(i int) *big.Rat { return rats{}.add(grad(i, s), -1, 1, grad(i, s-1)) })
					terms[s][t] = rats{}.add(terms[s][t], 1, 1, diff)
				}
			}
		})
		for t := 1; t <= T; t++ {
			rec.Rats("mean of v^t − ∇f(x^t)", errs[t], props.EQ, new(big.Rat))
			for s := 1; s <= t; s++ {
				rec.Rats("mean difference at step s", terms[s][t], props.EQ, new(big.Rat))
			}
		}
	}
}
