package claims

import (
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
)

// refresh compares the means over all data sets of y_i^t and Δy_i^t of the formal listing with
// ∇f_i(x^t) and ∇f_i(x^t) − ∇f_i(x^{t−1}). As printed J_i^t holds b data (line 2175), while the
// sums over it are divided by bK, and Δy_i^t subtracts the values f_ij(x^{t−1}) from gradients
// (line 2177), in one dimension unknown numbers like these; the undefined Δh of line 2179 is read
// as (y, Δy). With K = 1 the second mean is that of the increment of z^{t,k}.
func refresh(rec *props.Recorder, size, K, b int, asPrinted bool) {
	now, used, old := unknown(3, size, 0), K*b, unknown(3, size, 1)
	if asPrinted {
		used, old = b, unknown(3, size, 2)
	}
	var y, dy []float64
	sets := combin.Combinations(size, K*b)
	for _, J := range sets {
		for shift := range J { // b data of J are as likely as any other b of them
			chosen := slices.Concat(J[shift:], J[:shift])[:used]
			y = add(y, float64(size), sum(chosen, now))
			dy = add(dy, float64(size), minus(sum(chosen, now), sum(chosen, old)))
		}
	}
	times, all := float64(len(sets)*K*b*K*b), upTo(size)
	full, change := sum(all, now), minus(sum(all, now), sum(all, unknown(3, size, 1)))
	u := universal{lattice: 1}
	u.recordSame(rec, "mean of y_i^t against ∇f_i(x^t)", y, add(nil, times, full), 0)
	u.recordSame(rec, "mean of Δy_i^t against ∇f_i(x^t) − ∇f_i(x^{t−1})", dy,
		add(nil, times, change), 0)
}

// refreshes looks at small numbers of data, which are at least as many as are drawn.
func refreshes(asPrinted bool) props.Check {
	return props.ExactSizes("all functions and points, all data sets with K ≤ 3, b ≤ 2 and at most "+
		"2 data besides Kb", func(rec *props.Recorder) {
		for K := 1; K <= 3; K++ {
			for b := 1; b <= 2; b++ {
				for spare := range 3 {
					refresh(rec, K*b+spare, K, b, asPrinted)
				}
			}
		}
	})
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
			tinyFLEDGE().each(1, func(a *instance, _ int) { a.eta = 0.5 }).exact(
				localSteps(false))),
		props.Bind("fledge-formal-local-step/corrected", settledRounds(0.5, localSteps(true))),
		props.Bind("fledge-formal-refresh", refreshes(true)),
		props.Bind("fledge-formal-refresh/corrected", refreshes(false)),
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
