package claims

import (
	"math/big"
	"slices"

	"sledge/algos"
	"sledge/props"
)

// drawScalarRun draws a problem of one variable and a short run of FLEDGE on it, Option II, with K
// local steps.
func drawScalarRun(src *props.Source) (p scalar, K int, eta *big.Rat, tape *algos.Tape) {
	P, K := src.Int("P", 1, 3), src.Int("K", 1, 3)
	m := &algos.FLEDGE{LocalSteps: K, Batch: src.Int("b", 1, 2), Chosen: src.Int("p", 1, P)}
	T := src.Int("T", 1, 2)
	eta = big.NewRat(int64(src.Int("8 eta", 1, 8)), 8)
	m.Eta, _ = eta.Float64()
	p = drawScalar(P, K*m.Batch+src.Int("spare data", 0, 1), 3, src.Rand("problem"))
	return p, K, eta, props.Must(algos.RecordRun(m, algos.NewOracle(overReals{p}), []float64{1},
		algos.Keyed(src.Key("draws")), T))
}

// withoutEta compares the listing whose local steps have no η (line 2166) with the short one.
func withoutEta(src *props.Source, rec *props.Recorder) {
	p, K, eta, tape := drawScalarRun(src)
	short, _ := p.run(K, eta, draws(tape))
	formal, _ := p.run(K, big.NewRat(1, 1), draws(tape))
	for s, x := range formal {
		rec.Rats("local points, step without η", x, props.EQ, short[s])
	}
}

// meanRefresh compares the means over all data sets of y_i^t and Δy_i^t of the formal listing with
// ∇f_i(x^t) and ∇f_i(x^t) − ∇f_i(x^{t−1}). As printed J_i^t holds b data (line 2175), while the
// sums over it are divided by bK, and Δy_i^t subtracts the values f_ij(x^{t−1}) from gradients
// (line 2177); the undefined Δh of line 2179 is read as (y, Δy).
func meanRefresh(src *props.Source, rec *props.Recorder, asPrinted bool) {
	K, b := src.Int("K", 1, 3), src.Int("b", 1, 2)
	p := drawScalar(1, K*b+src.Int("spare data", 0, 2), 3, src.Rand("problem"))
	now, before := big.NewRat(int64(src.Int("2 x^t", -6, 6)), 2),
		big.NewRat(int64(src.Int("2 x^{t−1}", -6, 6)), 2)
	used, old := K*b, p.gradient
	if asPrinted {
		used, old = b, p.value
	}
	var y, dy *big.Rat
	sets := subsets(p.size, K*b)
	times := len(sets) * K * b * K * b
	for _, J := range sets {
		for shift := range J { // b data of J are as likely as any other b of them
			for _, j := range slices.Concat(J[shift:], J[:shift])[:used] {
				g := p.gradient(0, j, now)
				y = rats{}.add(y, 1, times, g)
				dy = rats{}.add(rats{}.add(dy, 1, times, g), -1, times, old(0, j, before))
			}
		}
	}
	full := func(x *big.Rat) *big.Rat {
		return mean(rats{}, upTo(p.size), p.size,
			func(j int) *big.Rat { return p.gradient(0, j, x) })
	}
	rec.Rats("mean of y_i^t against ∇f_i(x^t)", y, props.EQ, full(now))
	rec.Rats("mean of Δy_i^t against ∇f_i(x^t) − ∇f_i(x^{t−1})", dy, props.EQ,
		rats{}.add(full(now), -1, 1, full(before)))
}

func fledgeFormalClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-formal-local-step", props.Identity(withoutEta).Effort(0.5)),
		props.Bind("fledge-formal-local-step/corrected",
			settledRounds(0.5, func(f instance, rec *props.Recorder) {
				tape := f.tape(f.fledge())
				for t := 1; t <= f.T; t++ {
					for k, v := range tape.LocalV[t] {
						next := slices.Clone(tape.Local[t][k])
						for l := range next {
							next[l] += tape.Noise(t)[k][l] - f.eta*v[l]
						}
						f.recordSame(rec, "x^{t,k}", tape.Local[t][k+1], next, 0)
					}
					f.recordSame(rec, "first direction of a round, (1/P)Σ_i y_i^{t−1}",
						tape.LocalV[t][0], tape.V[t-1], 0)
				}
			})),
		props.Bind("fledge-formal-refresh",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanRefresh(src, rec, true)
			}).Effort(0.5)),
		props.Bind("fledge-formal-refresh/corrected",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanRefresh(src, rec, false)
			}).Effort(0.5)),
		props.Bind("fledge-formal-initialisation", settledRounds(1, fledgeFormalInitialisation)),
		props.Bind("fledge-formal-equals-short",
			props.Identity(formalAgainstImplementation).Effort(0.5)),
	}
}

// fledgeFormalInitialisation tries fledge-formal-initialisation.
func fledgeFormalInitialisation(f instance, rec *props.Recorder) {
	f.T = 0
	ref := f.fledge().Reference()
	o := algos.NewOracle(f.p)
	tape := props.Must(algos.RecordRun(ref, o, f.x0, f.random(), 0))
	grad, scale := f.along(tape)
	first := draws(tape)[0]
	taking, Kb := f.P, f.K*f.b
	own := func(k, i int) []float64 {
		return mean(floatSpace{}, first.data[k], Kb, func(j int) []float64 { return grad(i, j, 0) })
	}
	if f.option == algos.OptionI {
		taking = f.chosen
		all := mean(floatSpace{}, upTo(taking), taking,
			func(k int) []float64 { return own(k, first.clients[k]) })
		for _, row := range ref.Table() {
			f.recordSame(rec, "y_i^0, Option I", row, all, scale)
		}
	} else {
		for i, row := range ref.Table() {
			f.recordSame(rec, "y_i^0, Option II", row, own(i, i), scale)
		}
	}
	recordCount(rec, "gradients at x⁰", o.Counts().Gradients, props.EQ, taking*Kb)
	recordCount(rec, "rounds with all clients at x⁰", o.Counts().FullSync, props.EQ, taking/f.P)
}

// overReals is a sum of quadratics of one variable for the package algos.
type overReals struct{ scalar }

func (p overReals) Clients() int { return len(p.a) / p.size }
func (p overReals) Size(int) int { return p.size }
func (p overReals) Dim() int     { return 1 }
func (p overReals) Gradient(dst, x []float64, i, j int) {
	k := i*p.size + j
	dst[0] = float64(p.a[k])*x[0] + float64(p.c[k])
}

// formalAgainstImplementation runs the repaired formal listing in exact arithmetic on the choices
// of the implementation, which follows the short one.
func formalAgainstImplementation(src *props.Source, rec *props.Recorder) {
	p, K, eta, tape := drawScalarRun(src)
	size := 1.0
	points, _ := p.run(K, eta, draws(tape))
	for s, x := range points {
		want, _ := x.Float64()
		size = max(size, want, -want)
		if s > 0 {
			t, k := (s-1)/K+1, (s-1)%K+1
			rec.Equal("local points", tape.Local[t][k][0], want).Scale(size)
		}
	}
}
