package bounds

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/settle"
)

// decomposition is the right-hand side of the error identity (lines 1376-1384) at step t, written with plain loops over
// the printed sums. The sets that its two sums call Ĩ_s^t are those of tape.Unsampled at coefficient(s) and at
// remaining(s); initial is the index of the set in the last sum.
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

// checkDecomposition compares the error of the estimator with the decomposition at the last step of a run.
func checkDecomposition(name string, sets func(s int) int, initial int) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		option := algos.Option(src.Pick("option", "II", "I"))
		in := drawInstance(src, ranges{n: problems.Sizes(1, 7), T: problems.Sizes(1, 8), option: option})
		p := in.drawPath(src)
		rec.EqualVectors(name, p.err[in.T], p.decomposition(in.T, sets, sets, initial)).Scale(p.size)
	}).Effort(0.5)
}

// linearForm is an exact linear combination of the unknowns of the estimator: the component changes ∇f_i(x^s) −
// ∇f_i(x^{s−1}), numbered by i and s, and the initial errors y_i^0 − ∇f_i(x^0), numbered by i with s = 0.
type linearForm map[[2]int]*big.Rat

func (f linearForm) add(factor *big.Rat, i, s int) {
	k := [2]int{i, s}
	if f[k] == nil {
		f[k] = new(big.Rat)
	}
	f[k].Add(f[k], factor)
}

// coefficientsOfError runs the table recursion of the algorithm on formal unknowns and returns the error as a linear
// form: the row error z_i = y_i − ∇f_i becomes 0 for drawn components, and gains the mean change over the batch minus
// its own change for the others.
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

// sequences calls visit with every sequence of t subsets of [0, n) with b elements. The argument is overwritten by the
// next call.
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

func estimatorClaims() []props.Binding {
	return slices.Concat([]props.Binding{
		props.Bind("estimator-error-identity", props.Settled(props.All(
			checkDecomposition("v^t − ∇f(x^t) against the decomposition", same, 1),
			props.Exact("all sequences of batches for n ≤ 4, 1 ≤ b ≤ n, t ≤ 3, all problems", func(rec *props.Recorder) {
				zero := new(big.Rat)
				for n := 1; n <= 4; n++ {
					for b := 1; b <= n; b++ {
						for t := 1; t <= 3; t++ {
							sequences(n, b, t, func(batches [][]int) {
								left, right := coefficientsOfError(n, batches), coefficientsOfDecomposition(n, batches)
								for i := range n {
									for s := range t + 1 {
										l, r := left[[2]int{i, s}], right[[2]int{i, s}]
										if l == nil {
											l = zero
										}
										if r == nil {
											r = zero
										}
										rec.Rats("coefficient of a change or an initial error", l, props.EQ, r)
									}
								}
							})
						}
					}
				}
			}).Sizes()), settle.Identity(settle.TableError, settle.Decomposition, settle.Runs(4, 3)))),
		props.Bind("estimator-error-identity/words",
			checkDecomposition("v^t − ∇f(x^t) against the decomposition with sets over s+1 … t", next, 2)),
		props.Bind("estimator-error-identity/literal-union", props.Identity(func(src *props.Source, rec *props.Recorder) {
			in := drawInstance(src, ranges{n: problems.Sizes(1, 7), T: problems.Sizes(1, 8)})
			p := in.drawPath(src)
			literal := func(int) int { return in.T }
			rec.EqualVectors("v^t − ∇f(x^t) against the decomposition with sets [n] \\ I^t", p.err[in.T],
				p.decomposition(in.T, literal, literal, in.T)).Scale(p.size)
		}).Effort(0.5)),
		props.Bind("estimator-error-identity/three-terms", props.Inequality(func(src *props.Source, rec *props.Recorder) {
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
				from := WindowStart(t, t1)
				p.termA(v, from, t)
				sum := normSq(v)
				rec.AtMost("(a) against (T_1/n²)Σ_s‖…‖²", p.squared(v), float64(t1)/sq(float64(in.n))*apart[t]).Scale(p.slack(sum))
				p.termB(v, from, t, func(s int) float64 { return float64(count[s]) })
				sum += normSq(v)
				if t <= t1 {
					p.termC(v, t)
					sum += normSq(v)
				}
				rec.AtMost("‖v^t − ∇f(x^t)‖² against 3((a) + (b) + (c))", p.squared(p.err[t]), 3*sum).Scale(p.slack(sum))
			}
		}).Effort(0.5)),
	}, clientEstimatorClaims())
}

// parts sets dst to (a) + (b) + (c) + (d) at round t (lines 2453-2467), the sums over rounds beginning at from, (c)
// summed over the clients with T_4(t,i) ≥ least.
func (p *fledgePath) parts(dst []float64, from, least, t int, initial bool) {
	term, count := make([]float64, p.d), p.unsampled(t)
	p.termA(dst, from, t)
	p.termB(term, from, t, func(s int) float64 { return float64(count[s]) })
	floats.Add(dst, term)
	p.termC(term, least, t)
	floats.Add(dst, term)
	if initial {
		p.termD(term, t)
		floats.Add(dst, term)
	}
}

// covered reports whether Ĩ_s^t is empty for all 1 ≤ s ≤ t − t3.
func (p *fledgePath) covered(t, t3 int) bool { return t <= t3 || p.unsampled(t)[t-t3] == 0 }

// checkIdentity compares the error of the table with its parts at the last round of a run, when the window has covered
// all clients.
func checkIdentity(name string, options []algos.Option, least func(t, t3 int) int,
	initial func(algos.Option) bool) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawFLEDGEInstance(src, fledgeRanges{P: problems.Sizes(1, 6), T: problems.Sizes(1, 30), b: problems.Sizes(1, 2),
			K:      problems.Sizes(1, 2),
			option: props.OneOf(src, "option", options...)})
		p, t := in.drawPath(src), in.T
		t3 := in.T3(in.literalC1(0.1))
		if !p.covered(t, t3) {
			rec.Skip("some client was not drawn in the last T_3 rounds")
			return
		}
		right := make([]float64, in.d)
		p.parts(right, max(1, t-t3+1), least(t, t3), t, initial(in.option))
		rec.EqualVectors(name, p.table[t], right).Scale(p.size)
	}).Effort(0.5)
}

// form is a linear combination of the unknowns ∇f_ij(x^s), numbered by s, i and j, with integer coefficients over a
// common denominator.
type form []int64

// history is a possible run: in each round the clients that take part and the data that each of them draws; round 0 is
// the start.
type history struct {
	P, p, data, Kb int
	option         algos.Option
	clients        [][]int
	batches        [][][]int // batches[s][k] is drawn by clients[s][k]
}

func (h *history) unknown(s, i, j int) int { return (s*h.P+i)*h.data + j }

// add adds factor·Σ_{j∈J}∇f_ij(x^s); whole is the same for all data, factor·Kb·∇f_i(x^s). Coefficients are multiples of
// 1/(PpKb·data).
func (h *history) add(f form, factor int64, s, i int, J []int) {
	for _, j := range J {
		f[h.unknown(s, i, j)] += factor * int64(h.data)
	}
}

func (h *history) whole(f form, factor int64, s, i int) {
	for j := range h.data {
		f[h.unknown(s, i, j)] += factor * int64(h.Kb)
	}
}

// error runs the table recursion of lines 486-487 and 2150-2180 and returns (1/P)Σ_i y_i^t − ∇f(x^t) after the last
// round, in units of 1/(PpKb·data).
func (h *history) error() form {
	t := len(h.clients) - 1
	zero := func() form { return make(form, (t+1)*h.P*h.data) }
	y := make([]form, h.P)
	pp := int64(h.p)
	for i := range y {
		y[i] = zero()
	}
	for k, i := range h.clients[0] {
		if h.option == algos.OptionII {
			h.add(y[i], pp, 0, i, h.batches[0][k])
			continue
		}
		for l := range y {
			h.add(y[l], 1, 0, i, h.batches[0][k])
		}
	}
	for s := 1; s <= t; s++ {
		mean, drawn := zero(), make([]bool, h.P)
		for k, i := range h.clients[s] {
			h.add(mean, 1, s, i, h.batches[s][k])
			h.add(mean, -1, s-1, i, h.batches[s][k])
			drawn[i] = true
			clear(y[i])
			h.add(y[i], pp, s, i, h.batches[s][k])
		}
		for i, f := range y {
			if !drawn[i] {
				for u, c := range mean {
					f[u] += c
				}
			}
		}
	}
	sum := zero()
	for i, f := range y {
		for u, c := range f {
			sum[u] += c
		}
		h.whole(sum, -pp, t, i)
	}
	return sum
}

// parts is the right-hand side of the identity with (c) summed over the clients with T_4(t,i) ≥ least, in the same
// units.
func (h *history) parts(least int, initial bool) form {
	t := len(h.clients) - 1
	f := make(form, (t+1)*h.P*h.data)
	last, batch := make([]int, h.P), make([][]int, h.P)
	for s, clients := range h.clients {
		for k, i := range clients {
			if s > 0 || h.option == algos.OptionII {
				last[i], batch[i] = s, h.batches[s][k]
			}
		}
	}
	left := func(s int) (count int64) { // |Ĩ_s^t|
		for _, l := range last {
			if l < s {
				count++
			}
		}
		return count
	}
	pp := int64(h.p)
	for s := 1; s <= t; s++ {
		for k, i := range h.clients[s] { // the first sum of (a) and (b) together: the minibatch instead of the client's mean
			h.add(f, left(s), s, i, h.batches[s][k])
			h.add(f, -left(s), s-1, i, h.batches[s][k])
		}
		for i, l := range last {
			if l < s {
				h.whole(f, -pp, s, i)
				h.whole(f, pp, s-1, i)
			}
		}
	}
	for i, l := range last {
		if l >= least && batch[i] != nil { // (c)
			h.add(f, pp, l, i, batch[i])
			h.whole(f, -pp, l, i)
		}
		if l > 0 {
			continue
		}
		h.whole(f, -pp, 0, i) // ỹ_i^0 − ∇f_i(x^0) in (a) and y_i^0 − ỹ_i^0 in (d): ỹ_i^0 cancels for Option I
		switch {
		case h.option == algos.OptionI:
			for k, c := range h.clients[0] {
				h.add(f, 1, 0, c, h.batches[0][k])
			}
		case initial:
			h.add(f, pp, 0, i, batch[i])
		default:
			h.whole(f, pp, 0, i)
		}
	}
	return f
}

// histories calls visit with every run of t rounds. The argument is overwritten by the next call.
func histories(P, p, data, Kb, t int, option algos.Option, visit func(*history)) {
	h := &history{P: P, p: p, data: data, Kb: Kb, option: option, clients: make([][]int, t+1),
		batches: make([][][]int, t+1)}
	sets, choices := combin.Combinations(P, p), combin.Combinations(data, Kb)
	var round func(s int)
	var client func(s, k int)
	round = func(s int) {
		if s > t {
			visit(h)
			return
		}
		from := sets
		if s == 0 && option == algos.OptionII {
			from = combin.Combinations(P, P)
		}
		for _, set := range from {
			h.clients[s], h.batches[s] = set, make([][]int, len(set))
			client(s, 0)
		}
	}
	client = func(s, k int) {
		if k == len(h.clients[s]) {
			round(s + 1)
			return
		}
		for _, J := range choices {
			h.batches[s][k] = J
			client(s, k+1)
		}
	}
	round(0)
}

const identityDomain = "all runs with P ≤ 3, p ≤ P, t ≤ 3 (t ≤ 2 for P = 3, p > 1), 2 data per client, Kb = 1, " +
	"both options, all problems, paths and step sizes"

// proveIdentity compares all coefficients of the two sides for all runs of the domain.
func proveIdentity(name string, initial func(algos.Option) bool, least func(algos.Option) int) props.Check {
	return props.Exact(identityDomain, func(rec *props.Recorder) {
		zero := new(big.Rat)
		for P := 1; P <= 3; P++ {
			for p := 1; p <= P; p++ {
				for t := 1; t <= 3 && (t <= 2 || P < 3 || p == 1); t++ {
					for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
						histories(P, p, 2, 1, t, option, func(h *history) {
							left, right := h.error(), h.parts(least(option), initial(option))
							apart := int64(0)
							for u := range left {
								apart = max(apart, left[u]-right[u], right[u]-left[u])
							}
							rec.Rats(name, big.NewRat(apart, int64(P*p*2)), props.EQ, zero)
						})
					}
				}
			}
		}
	}).Sizes()
}

func always(algos.Option) bool { return true }

func clientEstimatorClaims() []props.Binding {
	both := []algos.Option{algos.OptionII, algos.OptionI}
	return []props.Binding{
		props.Bind("dist-index-definitions", checkDefinitions(func(rec *props.Recorder, p *fledgePath, t, i int, meant int) {
			literal := 0
			for s := 1; s <= t; s++ {
				for _, c := range p.clients(s) {
					if c+1 == s { // clients are numbered from 1 in the text
						literal = s
					}
				}
			}
			rec.Equal("T_4(t,i) with s ∈ I^s against the last round that drew client i", float64(literal), float64(meant))
		})),
		props.Bind("dist-index-definitions/corrected", props.Settled(checkDefinitions(func(rec *props.Recorder, p *fledgePath,
			t, i int, meant int) {
			rec.Equal("T_4(t,i) with i ∈ I^s against the last round that drew client i", float64(p.refreshed(t)[i]),
				float64(meant))
		}), props.Exact("all client sets with P ≤ 4, 1 ≤ p ≤ P and three rounds", definitions).Sizes().Procedure())),
		props.Bind("dist-coverage", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			P := src.LogInt("P", 1, 1e6)
			p, T, nu := src.LogInt("p", 1, P), src.LogInt("T", 1, 3000), src.LogReal("ν", 1e-12, 0.999)
			length := math.Ceil(float64(P) / float64(p) * math.Log(float64(P)*float64(T)/nu) * (1 - 1e-14))
			if length > float64(T) {
				rec.Skip("the horizon is shorter than the window, so nothing is claimed")
				return
			}
			rec.AtMost("P·P(one client is missed for T_3 rounds)",
				float64(P)*math.Exp(concentration.NeverDrawn(P, p, int(length), T)), nu)
		})),
		props.Bind("dist-estimator-two-parts", checkTwoParts(true)),
		props.Bind("dist-estimator-two-parts/corrected", checkTwoParts(false)),
		props.Bind("dist-error-identity",
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c) + (d) as printed, Option II", both[:1],
				func(t, t3 int) int { return max(0, t-t3) }, always)),
		props.Bind("dist-error-identity/corrected", props.Settled(props.All(
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c) + (d)", both,
				func(t, t3 int) int { return max(1, t-t3) }, always),
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c), Option II", both[:1],
				func(t, t3 int) int { return max(0, t-t3) },
				func(algos.Option) bool { return false }),
			proveIdentity("largest difference of coefficients, (c) over T_4 ≥ 1 and (d)", always,
				func(algos.Option) int { return 1 }),
			proveIdentity("largest difference of coefficients, Option II with (c) over T_4 ≥ 0 and without (d)",
				func(o algos.Option) bool { return o == algos.OptionI }, func(o algos.Option) int {
					if o == algos.OptionII {
						return 0
					}
					return 1
				})), settle.Identity(settle.TableError, settle.Decomposition, settle.OptionI(settle.Rounds(2, 2, 1, 3))))),
	}
}

// definitions compares [P]∖∪_{τ=s}^t I^τ with {i : T_4(t,i) < s}, T_4(t,i) = max({0} ∪ {s ≤ t : i ∈ I^s}).
func definitions(rec *props.Recorder) {
	for P := 1; P <= 4; P++ {
		for p := 1; p <= P; p++ {
			sequences(P, p, 3, func(sets [][]int) {
				for s := 1; s <= 3; s++ {
					for i := range P {
						missing, last := true, 0
						for tau, set := range sets {
							if slices.Contains(set, i) {
								last = tau + 1
								missing = missing && tau+1 < s
							}
						}
						rec.Truth("i ∉ ∪_{τ=s}^t I^τ if and only if T_4(t,i) < s", missing == (last < s))
					}
				}
			})
		}
	}
}

// checkDefinitions compares a reading of T_4 with the tape's own record of the sets for all clients at the last round
// of a run.
func checkDefinitions(compare func(rec *props.Recorder, p *fledgePath, t, i, meant int)) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawFLEDGEInstance(src, fledgeRanges{P: problems.Sizes(1, 6), T: problems.Sizes(1, 8), d: problems.Sizes(1, 1)})
		p, t := in.drawPath(src), in.T
		rec.Equal("last inner step against K", float64(len(p.tape.Local[t])-1), float64(in.K))
		sets := p.tape.Unsampled(in.P, t, algos.Clients) // sets[s] = clients in none of the rounds s … t
		count := p.unsampled(t)
		for s := 1; s <= t; s++ {
			rec.Equal("|[P]∖∪_{τ=s}^t I^τ| against the number of clients with T_4(t,i) < s", float64(len(sets[s])),
				float64(count[s]))
		}
		for i := range in.P {
			meant := 0
			for s := 1; s <= t; s++ {
				drawn := true
				for _, u := range sets[s] {
					drawn = drawn && u != i
				}
				if drawn {
					meant = s
				}
			}
			compare(rec, p, t, i, meant)
		}
	}).Effort(0.3)
}

// checkTwoParts compares the two sides of the split of the local error at all local steps of a run.
func checkTwoParts(extra bool) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := drawFLEDGEInstance(src, fledgeRanges{P: problems.Sizes(1, 4), T: problems.Sizes(1, 6), K: problems.Sizes(2, 6),
			etaL: 4})
		p := in.drawPath(src)
		second := make([]float64, in.d)
		for t := 1; t <= in.T; t++ {
			for k := range in.K {
				p.localError(second, t, k)
				if extra {
					floats.Add(second, p.grad[t][0])
				}
				rec.AtMost("‖v^{t,k} − ∇f(x^{t,k})‖² against twice the two parts", p.squared(p.err[t][k]),
					2*normSq(p.table[t-1])+2*normSq(second)).Scale(p.rounding())
			}
		}
	}).Effort(0.5)
}

// localError sets dst to z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0})).
func (p *fledgePath) localError(dst []float64, t, k int) {
	for l := range dst {
		dst[l] = p.tape.LocalV[t][k][l] - p.tape.V[t-1][l] - (p.grad[t][k][l] - p.grad[t][0][l])
	}
}
