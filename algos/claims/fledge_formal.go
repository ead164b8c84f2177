package claims

import (
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/props"
)

// scalarData is a federated sum of quadratics of one variable with integer coefficients, f_ij(x) =
// ½ a_ij x² + c_ij x, evaluated exactly.
type scalarData struct {
	scalar
	size int // data of each client
}

func drawScalarData(src *props.Source, P, size int) scalarData {
	p := scalarData{size: size}
	r := src.Rand("problem")
	for range P * size {
		p.a, p.c = append(p.a, r.Int64N(7)-3), append(p.c, r.Int64N(7)-3)
	}
	return p
}

func (p scalarData) at(i, j int) int { return i*p.size + j }

// clientGradient is ∇f_i(x).
func (p scalarData) clientGradient(i int, x *big.Rat) *big.Rat {
	return clientGradient(rats{}, func(i, j, _ int) *big.Rat { return p.gradient(p.at(i, j), x) },
		p.size, i, 0)
}

// misprints are the differences of the formal listing (lines 2147-2184) from the short one (lines
// 463-491), beside the undefined Δh of line 2179, which is read as (y, Δy).
type misprints struct {
	noEta      bool // line 2166: the local step has no η
	fewSamples bool // line 2175: J_i^t holds b data, while the sums over it are divided by bK
	values     bool // line 2177: Δy_i^t subtracts the values f_ij(x^{t−1}) from gradients
}

// refresh is y_i^t and Δy_i^t of the formal listing, for the data set J of bK data.
func (p scalarData) refresh(m misprints, i, K int, J []int, now, before *big.Rat) (y, dy *big.Rat) {
	bK := len(J)
	if m.fewSamples {
		J = J[:bK/K]
	}
	for _, j := range J {
		g := p.gradient(p.at(i, j), now)
		old := p.gradient(p.at(i, j), before)
		if m.values {
			old = p.value(p.at(i, j), before)
		}
		y = rats{}.add(y, 1, bK, g)
		dy = rats{}.add(rats{}.add(dy, 1, bK, g), -1, bK, old)
	}
	return y, dy
}

// run performs the listing, Option II, on P clients and returns all local points.
func (p scalarData) run(m misprints, P, K int, eta *big.Rat, start initialDraws,
	rounds []round) []*big.Rat {
	x := []*big.Rat{big.NewRat(1, 1)}
	y := make([]*big.Rat, P)
	for i := range y {
		y[i] = mean(rats{}, start.data[i], len(start.data[i]),
			func(j int) *big.Rat { return p.gradient(p.at(i, j), x[0]) })
	}
	if m.noEta {
		eta = big.NewRat(1, 1)
	}
	for _, r := range rounds {
		first := x[len(x)-1]
		v := average(rats{}, y)
		for _, batch := range r.local {
			before := x[len(x)-1]
			now := rats{}.add(before, -1, 1, new(big.Rat).Mul(eta, v))
			x = append(x, now)
			for _, j := range batch {
				v = rats{}.add(v, 1, len(batch), p.gradient(p.at(r.worker, j), now))
				v = rats{}.add(v, -1, len(batch), p.gradient(p.at(r.worker, j), before))
			}
		}
		fresh := make([]*big.Rat, P)
		var change *big.Rat
		for k, i := range r.clients {
			var dy *big.Rat
			fresh[i], dy = p.refresh(m, i, K, r.data[k], x[len(x)-1], first)
			change = rats{}.add(change, 1, len(r.clients), dy)
		}
		for i := range y {
			if fresh[i] == nil {
				fresh[i] = plus(rats{}, y[i], change)
			}
		}
		y = fresh
	}
	return x
}

// drawScalarRun draws a problem of one variable and the random choices of a short run of FLEDGE,
// Option II.
func drawScalarRun(src *props.Source) (p scalarData, P, K int, eta *big.Rat, start initialDraws,
	rounds []round) {
	P, K = src.Int("P", 1, 3), src.Int("K", 1, 3)
	b, chosen, T := src.Int("b", 1, 2), src.Int("p", 1, P), src.Int("T", 1, 2)
	eta = big.NewRat(int64(src.Int("8 eta", 1, 8)), 8)
	p = drawScalarData(src, P, K*b+src.Int("spare data", 0, 1))
	r := algos.Keyed(src.Key("draws"))
	subset := func(n, b int, p algos.Purpose) []int {
		set := make([]int, b)
		r.Subset(set, n, p)
		return set
	}
	for range P {
		start.data = append(start.data, subset(p.size, K*b, algos.LocalBatches))
	}
	for range T {
		var next round
		var worker [1]int
		r.Indices(worker[:], P, algos.Worker)
		next.worker = worker[0]
		for range K {
			next.local = append(next.local, subset(p.size, b, algos.LocalBatches))
		}
		next.clients = subset(P, chosen, algos.Clients)
		for range chosen {
			next.data = append(next.data, subset(p.size, K*b, algos.LocalBatches))
		}
		rounds = append(rounds, next)
	}
	return p, P, K, eta, start, rounds
}

// sameIterates compares the formal listing with the given misprints with the short one.
func sameIterates(src *props.Source, rec *props.Recorder, what []string, which []misprints) {
	p, P, K, eta, start, rounds := drawScalarRun(src)
	short := p.run(misprints{}, P, K, eta, start, rounds)
	for k, m := range which {
		for s, x := range p.run(m, P, K, eta, start, rounds) {
			rec.Rats("local points, "+what[k], x, props.EQ, short[s])
		}
	}
}

// meanRefresh compares the means over all data sets of y_i^t and Δy_i^t with ∇f_i(x^t) and
// ∇f_i(x^t) − ∇f_i(x^{t−1}).
func meanRefresh(src *props.Source, rec *props.Recorder, m misprints) {
	K, b := src.Int("K", 1, 3), src.Int("b", 1, 2)
	p := drawScalarData(src, 1, K*b+src.Int("spare data", 0, 2))
	now, before := big.NewRat(int64(src.Int("2 x^t", -6, 6)), 2),
		big.NewRat(int64(src.Int("2 x^{t−1}", -6, 6)), 2)
	var y, dy *big.Rat
	sets := subsets(p.size, K*b)
	for _, J := range sets {
		for shift := range J { // b data of J are as likely as any other b of them
			turned := append(append([]int(nil), J[shift:]...), J[:shift]...)
			one, change := p.refresh(m, 0, K, turned, now, before)
			y = rats{}.add(y, 1, len(sets)*len(J), one)
			dy = rats{}.add(dy, 1, len(sets)*len(J), change)
		}
	}
	g := p.clientGradient(0, now)
	rec.Rats("mean of y_i^t against ∇f_i(x^t)", y, props.EQ, g)
	rec.Rats("mean of Δy_i^t against ∇f_i(x^t) − ∇f_i(x^{t−1})", dy, props.EQ,
		rats{}.add(g, -1, 1, p.clientGradient(0, before)))
}

func fledgeFormalClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-formal-local-step",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				sameIterates(src, rec, []string{"step without η"}, []misprints{{noEta: true}})
			}).Effort(0.5)),
		props.Bind("fledge-formal-local-step/corrected",
			settledRounds(0.5, func(f *roundsRun, rec *props.Recorder) {
				tape := f.tape(f.m)
				for t := 1; t <= f.T; t++ {
					for k, v := range tape.LocalV[t] {
						next := slices.Clone(tape.Local[t][k])
						for l := range next {
							next[l] += tape.Noise(t)[k][l] - f.m.Eta*v[l]
						}
						f.recordSame(rec, "x^{t,k}", tape.Local[t][k+1], next, 0)
					}
					f.recordSame(rec, "first direction of a round, (1/P)Σ_i y_i^{t−1}",
						tape.LocalV[t][0], tape.V[t-1], 0)
				}
			})),
		props.Bind("fledge-formal-refresh",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanRefresh(src, rec, misprints{fewSamples: true, values: true})
			}).Effort(0.5)),
		props.Bind("fledge-formal-refresh/corrected",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanRefresh(src, rec, misprints{})
			}).Effort(0.5)),
		props.Bind("fledge-formal-initialisation",
			settledRounds(1, fledgeFormalInitialisation)),
		props.Bind("fledge-formal-equals-short",
			props.Identity(formalAgainstImplementation).Effort(0.5)),
	}
}

// fledgeFormalInitialisation tries fledge-formal-initialisation.
func fledgeFormalInitialisation(f *roundsRun, rec *props.Recorder) {
	f.T = 0
	ref := f.m.Reference()
	o := algos.NewOracle(f.p)
	tape := props.Must(algos.RecordRun(ref, o, f.x0, f.random(), 0))
	grad, scale := alongLocal(f.p, tape)
	start, _ := draws(tape, f.p.P)
	P, Kb := f.p.P, f.m.LocalSteps*f.m.Batch
	taking := P
	own := func(k, i int) []float64 {
		return mean(floatSpace{}, start.data[k], Kb,
			func(j int) []float64 { return grad(i, j, 0) })
	}
	if f.m.Option == algos.OptionI {
		taking = f.m.Chosen
		all := mean(floatSpace{}, upTo(taking), taking,
			func(k int) []float64 { return own(k, start.clients[k]) })
		for _, row := range ref.Table() {
			f.recordSame(rec, "y_i^0, Option I", row, all, scale)
		}
	} else {
		for i, row := range ref.Table() {
			f.recordSame(rec, "y_i^0, Option II", row, own(i, i), scale)
		}
	}
	recordCount(rec, "gradients at x⁰", o.Counts().Gradients, props.EQ, taking*Kb)
	recordCount(rec, "rounds with all clients at x⁰", o.Counts().FullSync, props.EQ,
		taking/P)
}

// overReals is a scalarData problem for the package algos.
type overReals struct {
	scalarData
	clients int
}

func (p overReals) Clients() int { return p.clients }
func (p overReals) Size(int) int { return p.size }
func (p overReals) Dim() int     { return 1 }
func (p overReals) Gradient(dst, x []float64, i, j int) {
	k := p.at(i, j)
	dst[0] = float64(p.a[k])*x[0] + float64(p.c[k])
}

// formalAgainstImplementation runs the repaired formal listing in exact arithmetic and the
// implementation, which follows the short one, on the same choices.
func formalAgainstImplementation(src *props.Source, rec *props.Recorder) {
	p, P, K, eta, start, rounds := drawScalarRun(src)
	step, _ := eta.Float64()
	script := algos.Script{algos.LocalBatches: append([][]int(nil), start.data...)}
	for _, r := range rounds {
		script[algos.Worker] = append(script[algos.Worker], []int{r.worker})
		script[algos.Clients] = append(script[algos.Clients], r.clients)
		script[algos.LocalBatches] = append(append(script[algos.LocalBatches], r.local...),
			r.data...)
	}
	m := &algos.FLEDGE{Eta: step, Chosen: len(rounds[0].clients), LocalSteps: K,
		Batch: len(rounds[0].local[0])}
	tape := props.Must(algos.RecordRun(m, algos.NewOracle(overReals{p, P}), []float64{1}, script,
		len(rounds)))
	size := 1.0
	for s, x := range p.run(misprints{}, P, K, eta, start, rounds) {
		want, _ := x.Float64()
		size = max(size, want, -want)
		if s > 0 {
			t, k := (s-1)/K+1, (s-1)%K+1
			rec.Equal("local points", tape.Local[t][k][0], want).Scale(size)
		}
	}
}
