package claims

import (
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
)

func fledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-local-step", settledRounds(1, checkListing)),
		props.Bind("fledge-local-estimator-unbiased", checkLocalMean()),
		props.Bind("identity/scaffold-control-mean",
			settled(drawRounds(true), 0.4, tinyClients(), recordControls)),
		props.Bind("fledge-client-permutation-equivariance", props.Identity(tryPermutations)),
		props.Bind("fledge-server-mean-update", settledRounds(1, checkUpdate(false))),
		props.Bind("fledge-server-mean-update/mean-alone", props.ExactSizes(
			"any table y_i^{t−1}, messages and client sets, P ≤ 5", checkMeanAlone)),
		props.Bind("fledge-full-participation-is-exact", settledRounds(1, checkAllClients)),
		// with a step size of 1/2, from which none at all differs
		props.Bind("fledge-formal-local-step",
			tinyFLEDGE().each(1, func(a *instance, _ int) { a.eta = 0.5 }).exact(
				localSteps(false))),
		props.Bind("fledge-formal-local-step/corrected", settledRounds(0.5, localSteps(true))),
		props.Bind("fledge-formal-refresh", refreshes(true)),
		props.Bind("fledge-formal-refresh/corrected", refreshes(false)),
		props.Bind("fledge-formal-initialisation", settledRounds(1,
			func(a instance, rec *props.Recorder) {
				a.T = 0
				checkListing(a, rec)
			})),
		props.Bind("fledge-formal-equals-short", settledRounds(0.5, checkListing)),
	}
}

// unknown returns an unknown vector for each of some things, of a kind among several.
func unknown(kinds, things, kind int) func(i int) []float64 {
	return func(i int) []float64 {
		v := make([]float64, kinds*things)
		v[kind*things+i] = 1
		return v
	}
}

// checkLocalMean takes the mean of an increment over all minibatches, and looks at clients of one
// datum.
func checkLocalMean() props.Check {
	return props.All(
		props.ExactSizes("all functions and points, all minibatches of every size of up to 6 data",
			func(rec *props.Recorder) {
				for size, b := range batchSizes(1, 6) {
					refresh(rec, size, 1, b, false)
				}
			}),
		settledRounds(0.5, func(a instance, rec *props.Recorder) {
			// one datum of each client, to be used wherever more are asked for
			a.N, a.p, a.cap = 1, altered{a.p, 1, a.p.Gradient}, true
			r := a.follow(a.fledge())
			for t := 1; t <= a.T; t++ {
				i, first := r.Set(t, algos.Worker)[0], (t-1)*a.K
				for k, v := range r.LocalV[t] {
					want := minus(r.grad(i, 0, first+k), r.grad(i, 0, first))
					r.same(rec, "direction on runs with one datum", v, add(want, 1, r.LocalV[t][0]))
				}
			}
		}),
	)
}

// checkMeanAlone asks what of the table the mean of its successor depends on. The rows before, the
// new ones and their changes are unknown vectors.
func checkMeanAlone(rec *props.Recorder) {
	for P, p := range batchSizes(1, 5) {
		for _, chosen := range combin.Combinations(P, p) {
			old, fresh := unknown(3, P, 0), unknown(3, P, 1)
			change := mean(chosen, unknown(3, P, 2))
			after := mean(upTo(P), func(i int) []float64 {
				if slices.Contains(chosen, i) {
					return fresh(i)
				}
				return add(old(i), 1, change)
			})
			byMessages := add(mean(upTo(P), old), 1/float64(P), sum(chosen, fresh))
			rest := minus(after, add(byMessages, float64(P-p)/float64(P), change))
			u := universal{lattice: float64(P * p)}
			u.recordSame(rec,
				"mean − (old mean + messages' part) against −(1/P)Σ_{i∈I^t} y_i^{t−1}",
				rest, add(make([]float64, 3*P), -1/float64(P), sum(chosen, old)), 0)
			if p < P {
				left := unsampled(P, chosen)[0]
				rec.Truth("a sampled old row has another weight in the rest than one that is not, "+
					"unlike in the old mean",
					u.apart(rest[chosen[0]:][:1], rest[left:][:1]) != 0)
			}
		}
	}
}

// checkAllClients compares FLEDGE with all clients and all data with the gradient.
func checkAllClients(a instance, rec *props.Recorder) {
	a.chosen, a.cap, a.N = a.P, true, min(a.N, a.K*a.b)
	a.p = altered{a.p, a.N, a.p.Gradient}
	r := a.follow(a.fledge())
	for t, v := range r.V {
		r.same(rec, "(1/P)Σ y_i^t on runs", v, r.full(t))
	}
}

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

// recordControls compares the server's control variate of SCAFFOLD with the mean of those of its
// clients.
func recordControls(a instance, rec *props.Recorder) {
	for _, o := range []algos.Option{algos.OptionI, algos.OptionII} {
		m := &algos.SCAFFOLD{LocalTuning: algos.LocalTuning{Eta: a.eta, Chosen: a.chosen,
			LocalSteps: a.K}, Option: o}
		if err := m.Start(algos.NewOracle(a.p), a.x0, a.random()); err != nil {
			panic(err)
		}
		for range a.T {
			m.Step()
			server, clients := m.Controls()
			rows, size := slices.Collect(slices.Chunk(clients, len(server))), 0.0
			for _, row := range rows {
				size = max(size, floats.Norm(row, 2))
			}
			a.formal.recordSame(rec, "control variates", server, average(rows), size)
		}
	}
}
