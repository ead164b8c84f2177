package claims

import (
	"slices"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
)

func fledgeAlgorithmClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-local-step", settledRounds(1, checkListing)),
		props.Bind("fledge-local-estimator-unbiased", checkLocalMean()),
		props.Bind("fledge-server-mean-update", settledRounds(1, checkUpdate)),
		props.Bind("fledge-server-mean-update/mean-alone", props.ExactSizes(
			"any table y_i^{t−1}, messages and client sets, P ≤ 5", checkMeanAlone)),
		props.Bind("fledge-full-participation-is-exact", settledRounds(1, checkAllClients)),
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
			a.singleDatum()
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

// singleDatum leaves each client one datum and lets it be used wherever more are asked for.
func (a *instance) singleDatum() {
	a.withData(1)
	a.cap = true
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
	a.chosen, a.cap = a.P, true
	a.withData(min(a.N, a.K*a.b))
	r := a.follow(a.fledge())
	for t, v := range r.V {
		r.same(rec, "(1/P)Σ y_i^t on runs", v, r.full(t))
	}
}
