package claims

import (
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
)

// meanRefresh compares the means over all data sets of y_i^t and Δy_i^t of the formal listing with
// ∇f_i(x^t) and ∇f_i(x^t) − ∇f_i(x^{t−1}). As printed J_i^t holds b data (line 2175), while the
// sums over it are divided by bK, and Δy_i^t subtracts the values f_ij(x^{t−1}) from gradients
// (line 2177); the undefined Δh of line 2179 is read as (y, Δy).
func meanRefresh(src *props.Source, rec *props.Recorder, asPrinted bool) {
	K, b := src.Int("K", 1, 3), src.Int("b", 1, 2)
	p := drawScalars(1, K*b+src.Int("spare data", 0, 2), 3, src.Rand("problem"))
	now, before := src.Int("x^t", -6, 6), src.Int("x^{t−1}", -6, 6)
	used, old := K*b, p.gradient
	if asPrinted {
		used, old = b, p.value
	}
	y, dy := 0, 0
	sets := combin.Combinations(p.size, K*b)
	for _, J := range sets {
		for shift := range J { // b data of J are as likely as any other b of them
			for _, j := range slices.Concat(J[shift:], J[:shift])[:used] {
				y += p.gradient(0, j, now)
				dy += p.gradient(0, j, now) - old(0, j, before)
			}
		}
	}
	times := len(sets) * K * b * K * b
	full := func(x int) (sum int) {
		for j := range p.size {
			sum += p.gradient(0, j, x)
		}
		return sum * times
	}
	recordCount(rec, "mean of y_i^t against ∇f_i(x^t)", y*p.size, props.EQ, full(now))
	recordCount(rec, "mean of Δy_i^t against ∇f_i(x^t) − ∇f_i(x^{t−1})", dy*p.size, props.EQ,
		full(now)-full(before))
}

// localSteps compares local points with those of the listing, or of one whose local steps have no η
// (line 2166).
func localSteps(withEta bool) func(a instance, rec *props.Recorder) {
	return func(a instance, rec *props.Recorder) {
		eta, r := 1.0, a.followed()
		if withEta {
			eta = a.eta
		}
		for t := 1; t <= a.T; t++ {
			r.checkPoints(rec, t, eta)
		}
	}
}

func fledgeFormalClaims() []props.Binding {
	return []props.Binding{
		// with a step size of 1/2, from which none at all differs
		props.Bind("fledge-formal-local-step",
			tinyRounds().bothOptions().each(1, func(a *instance, _ int) { a.eta = 0.5 }).exact(
				localSteps(false))),
		props.Bind("fledge-formal-local-step/corrected", settledRounds(0.5, localSteps(true))),
		props.Bind("fledge-formal-refresh",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanRefresh(src, rec, true)
			}).Effort(0.5)),
		props.Bind("fledge-formal-refresh/corrected",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				meanRefresh(src, rec, false)
			}).Effort(0.5)),
		props.Bind("fledge-formal-initialisation", settledRounds(1, fledgeFormalInitialisation)),
		props.Bind("fledge-formal-equals-short", settledRounds(0.5, checkListing)),
	}
}

// fledgeFormalInitialisation tries fledge-formal-initialisation.
func fledgeFormalInitialisation(f instance, rec *props.Recorder) {
	f.T = 0
	checkListing(f, rec)
	o, taking := algos.NewOracle(f.p), f.P
	if err := f.literal().Start(o, f.x0, f.random()); err != nil {
		panic(err)
	}
	if f.option == algos.OptionI {
		taking = f.chosen
	}
	recordCount(rec, "gradients at x⁰", o.Counts().Gradients, props.EQ, taking*f.K*f.b)
	recordCount(rec, "rounds with all clients at x⁰", o.Counts().FullSync, props.EQ, taking/f.P)
}
