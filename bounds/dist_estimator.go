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

// parts sets dst to (a) + (b) + (c) + (d) at round t (lines 2453-2467), the sums over rounds
// beginning at from, (c) summed over the clients with T_4(t,i) ≥ least.
func (p *roundPath) parts(dst []float64, from, least, t int, initial bool) {
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
func (p *roundPath) covered(t, t3 int) bool { return t <= t3 || p.unsampled(t)[t-t3] == 0 }

// checkIdentity compares the error of the table with its parts at the last round of a run, when the
// window has covered all clients.
func checkIdentity(name string, options []algos.Option, least func(t, t3 int) int,
	initial func(algos.Option) bool) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawFederation(src, federationRanges{P: problems.Sizes(1, 6),
			T: problems.Sizes(1, 30), b: problems.Sizes(1, 2),
			K:      problems.Sizes(1, 2),
			option: props.OneOf(src, "option", options...)})
		p, t := in.drawPath(src), in.T
		t3 := in.lemmaWindow(in.literalC1(0.1))
		if !p.covered(t, t3) {
			rec.Skip("some client was not drawn in the last T_3 rounds")
			return
		}
		right := make([]float64, in.d)
		p.parts(right, max(1, t-t3+1), least(t, t3), t, initial(in.option))
		rec.EqualVectors(name, p.table[t], right).Scale(p.size)
	}).Effort(0.5)
}

// form is a linear combination of the unknowns ∇f_ij(x^s), numbered by s, i and j, with integer
// coefficients over a common denominator.
type form []int64

// history is a possible run: in each round the clients that take part and the data that each of
// them draws; round 0 is the start.
type history struct {
	P, p, data, Kb int
	option         algos.Option
	clients        [][]int
	batches        [][][]int // batches[s][k] is drawn by clients[s][k]
}

func (h *history) unknown(s, i, j int) int { return (s*h.P+i)*h.data + j }

// add adds factor·Σ_{j∈J}∇f_ij(x^s); whole is the same for all data, factor·Kb·∇f_i(x^s).
// Coefficients are multiples of 1/(PpKb·data).
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

// error runs the table recursion of lines 486-487 and 2150-2180 and returns (1/P)Σ_i y_i^t −
// ∇f(x^t) after the last round, in units of 1/(PpKb·data).
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

// parts is the right-hand side of the identity with (c) summed over the clients with T_4(t,i) ≥
// least, in the same units.
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
		// the first sum of (a) and (b) together: the minibatch instead of the client's mean
		for k, i := range h.clients[s] {
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
		// ỹ_i^0 − ∇f_i(x^0) in (a) and y_i^0 − ỹ_i^0 in (d): ỹ_i^0 cancels for Option I
		h.whole(f, -pp, 0, i)
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
func proveIdentity(name string, initial func(algos.Option) bool,
	least func(algos.Option) int) props.Check {
	return props.ExactSizes(identityDomain, func(rec *props.Recorder) {
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
	})
}

func always(algos.Option) bool { return true }

func clientEstimatorClaims() []props.Binding {
	both := []algos.Option{algos.OptionII, algos.OptionI}
	return []props.Binding{
		props.Bind("dist-index-definitions", checkDefinitions(distIndexDefinitions)),
		props.Bind("dist-index-definitions/corrected",
			props.Settled(checkDefinitions(func(rec *props.Recorder, p *roundPath,
				t, i int, meant int) {
				rec.Equal("T_4(t,i) with i ∈ I^s against the last round that drew client i",
					float64(p.refreshed(t)[i]), float64(meant))
			}), props.ExactSizes("all client sets with P ≤ 4, 1 ≤ p ≤ P and three rounds",
				definitions).Procedure())),
		props.Bind("dist-coverage", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			P := src.LogInt("P", 1, 1e6)
			p, T, nu := src.LogInt("p", 1, P), src.LogInt("T", 1, 3000),
				src.LogReal("ν", 1e-12, 0.999)
			length := math.Ceil(float64(P) / float64(p) * math.Log(float64(P)*float64(T)/nu) *
				(1 - 1e-14))
			if length > float64(T) {
				rec.Skip("the horizon is shorter than the window, so nothing is claimed")
				return
			}
			rec.AtMost("P·P(one client is missed for T_3 rounds)",
				float64(P)*math.Exp(concentration.NeverDrawn(P, p, int(length), T)), nu)
		})),
		props.Bind("dist-estimator-two-parts", checkTwoParts(true)),
		props.Bind("dist-estimator-two-parts/corrected",
			props.Settled(checkTwoParts(false), twoParts)),
		// two clients with initial errors u and v, of which the first is drawn in round 1 and errs
		// again by u
		props.Bind("dist-error-identity",
			checkIdentity(
				"(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c) + (d) as printed, Option II",
				both[:1], func(t, t3 int) int { return max(0, t-t3) }, always)),
		props.Bind("dist-error-identity/corrected", props.Settled(props.All(
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c) + (d)", both,
				func(t, t3 int) int { return max(1, t-t3) }, always),
			checkIdentity("(1/P)Σy_i^t − ∇f(x^t) against (a) + (b) + (c), Option II", both[:1],
				func(t, t3 int) int { return max(0, t-t3) },
				func(algos.Option) bool { return false }),
			proveIdentity("largest difference of coefficients, (c) over T_4 ≥ 1 and (d)", always,
				func(algos.Option) int { return 1 }),
			proveIdentity(
				"largest difference of coefficients, Option II with (c) over T_4 ≥ 0 and without (d)",
				func(o algos.Option) bool { return o == algos.OptionI }, func(o algos.Option) int {
					if o == algos.OptionII {
						return 0
					}
					return 1
				})), settle.Identity(settle.TableError, settle.Decomposition,
			settle.OptionI(settle.Rounds(2, 2, 1, 3))))),
	}
}

// distIndexDefinitions tries dist-index-definitions.
func distIndexDefinitions(rec *props.Recorder, p *roundPath, t, i int, meant int) {
	literal := 0
	for s := 1; s <= t; s++ {
		for _, c := range p.clients(s) {
			if c+1 == s { // clients are numbered from 1 in the text
				literal = s
			}
		}
	}
	rec.Equal("T_4(t,i) with s ∈ I^s against the last round that drew client i",
		float64(literal), float64(meant)).
		Exactly(func() (*big.Rat, *big.Rat) {
			return big.NewRat(int64(literal), 1),
				big.NewRat(int64(meant), 1)
		})
}

// definitions compares [P]∖∪_{τ=s}^t I^τ with {i : T_4(t,i) < s}, T_4(t,i) = max({0} ∪ {s ≤ t : i ∈
// I^s}).
func definitions(rec *props.Recorder) {
	for P := 1; P <= 4; P++ {
		for p := 1; p <= P; p++ {
			sequences(P, p, 3, func(sets [][]int) {
				for s := 1; s <= 3; s++ {
					for i := range P {
						missing, last := true, 0
						for k, set := range sets {
							if slices.Contains(set, i) {
								last = k + 1
								missing = missing && last < s
							}
						}
						rec.Truth("i ∉ ∪_{τ=s}^t I^τ if and only if T_4(t,i) < s",
							missing == (last < s))
					}
				}
			})
		}
	}
}

// checkDefinitions compares a reading of T_4 with the tape's own record of the sets for all clients
// at the last round of a run.
func checkDefinitions(compare func(
	rec *props.Recorder, p *roundPath, t, i, meant int)) props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawFederation(src, federationRanges{P: problems.Sizes(1, 6), T: problems.Sizes(1, 8),
			d: problems.Sizes(1, 1)})
		p, t := in.drawPath(src), in.T
		rec.Equal("last inner step against K", float64(len(p.tape.Local[t])-1), float64(in.K))
		// sets[s] = clients in none of the rounds s … t
		sets := p.tape.Unsampled(in.P, t, algos.Clients)
		count := p.unsampled(t)
		for s := 1; s <= t; s++ {
			rec.Equal("|[P]∖∪_{τ=s}^t I^τ| against the number of clients with T_4(t,i) < s",
				float64(len(sets[s])), float64(count[s]))
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
		in := drawFederation(src, federationRanges{P: problems.Sizes(1, 4), T: problems.Sizes(1, 6),
			K:    problems.Sizes(2, 6),
			etaL: 4})
		p := in.drawPath(src)
		second := make([]float64, in.d)
		for t := 1; t <= in.T; t++ {
			for k := range in.K {
				p.localError(second, t, k)
				if extra {
					floats.Add(second, p.grad[t][0])
				}
				rec.AtMost("‖v^{t,k} − ∇f(x^{t,k})‖² against twice the two parts",
					p.squared(p.err[t][k]), 2*normSq(p.table[t-1])+2*normSq(second)).Scale(
					p.rounding())
			}
		}
	}).Effort(0.5)
}

// localError sets dst to z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0})).
func (p *roundPath) localError(dst []float64, t, k int) {
	for l := range dst {
		dst[l] = p.tape.LocalV[t][k][l] - p.tape.V[t-1][l] - (p.grad[t][k][l] - p.grad[t][0][l])
	}
}
