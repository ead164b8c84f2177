package claims

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
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

// checkLocalMean takes the mean of an increment over all minibatches, and looks at clients of one
// datum.
func checkLocalMean() props.Check {
	return props.All(
		props.ExactSizes("all functions and points, all minibatches of every size of up to 6 data",
			func(rec *props.Recorder) {
				for size, b := range batchSizes(1, 6) {
					var sum form
					sets := combin.Combinations(size, b)
					for _, set := range sets {
						for s, sign := range []int{-1, 1} {
							sum = forms{}.add(sum, sign, 1, mean(forms{}, set, b,
								func(j int) form { return anyData(0, j, s) }))
						}
					}
					for s, sign := range []int{1, -1} {
						sum = forms{}.add(sum, sign*len(sets), 1,
							clientGradient(forms{}, anyData, size, 0, s))
					}
					recordZero(rec,
						"sum over all minibatches of the increment − the change of ∇f_i", sum)
				}
			}),
		settledRounds(0.5, func(f instance, rec *props.Recorder) {
			f.singleDatum()
			tape := f.tape(f.fledge())
			grad, scale := f.along(tape)
			for t := 1; t < len(tape.X); t++ {
				i := tape.Sets(t, algos.Worker)[0][0]
				for k, v := range tape.LocalV[t] {
					first := (t - 1) * f.K
					want := plus(floatSpace{}, tape.LocalV[t][0], grad(i, 0, first+k))
					floats.Sub(want, grad(i, 0, first))
					f.recordSame(rec, "direction on runs with one datum", v, want, scale)
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

// checkMeanAlone asks what of the table the mean of its successor depends on.
func checkMeanAlone(rec *props.Recorder) {
	for P, p := range batchSizes(1, 5) {
		for _, chosen := range combin.Combinations(P, p) {
			old := func(i int) form { return unknown('o', i, 0, 0) }
			fresh := func(i int) form { return unknown('y', i, 0, 0) }
			change := mean(forms{}, chosen, p, func(i int) form { return unknown('d', i, 0, 0) })
			after := mean(forms{}, upTo(P), P, func(i int) form {
				if slices.Contains(chosen, i) {
					return fresh(i)
				}
				return plus(forms{}, old(i), change)
			})
			byMessages := mean(forms{}, upTo(P), P, old)
			byMessages = forms{}.add(byMessages, 1, P, mean(forms{}, chosen, 1, fresh))
			byMessages = forms{}.add(byMessages, P-p, P, change)
			rest := after.minus(byMessages)
			recordZero(rec, "mean − (old mean + messages' part − (1/P)Σ_{i∈I^t} y_i^{t−1})",
				forms{}.add(rest, 1, P, mean(forms{}, chosen, 1, old)))
			if p < P {
				// The rest is no multiple of the old mean, on which all rows have equal
				// weight.
				rec.Rats("weight of a sampled old row in the rest", rest.size(),
					props.EQ, big.NewRat(int64(p), int64(P*P)))
			}
		}
	}
}

// checkAllClients compares FLEDGE with all clients and all data with the gradient.
func checkAllClients(f instance, rec *props.Recorder) {
	f.chosen, f.cap = f.P, true
	f.withData(min(f.N, f.K*f.b))
	r := f.followed()
	for t, v := range r.V {
		full := mean(floatSpace{}, upTo(f.P), f.P, func(i int) []float64 {
			return clientGradient(floatSpace{}, r.grad, f.N, i, t*f.K)
		})
		f.recordSame(rec, "(1/P)Σ y_i^t on runs", v, full, r.scale)
	}
}
