package claims

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
)

// asBatches hands the client sets of FLEDGE to a finite-sum method as its minibatches.
type asBatches struct{ algos.Randomness }

func (r asBatches) Subset(dst []int, n int, p algos.Purpose) {
	if p == algos.Batches {
		p = algos.Clients
	}
	r.Randomness.Subset(dst, n, p)
}

// serverRun follows a run of FLEDGE with a server that works in O(pd): the efficient update of
// SLEDGE with y_i^t for ∇f_i(x^t) and y_i^t − Δy_i^t for ∇f_i(x^{t−1}).
func serverRun(f *roundsRun, rec *props.Recorder) {
	tape := f.tape(f.m)
	grad, scale := alongLocal(f.p, tape)
	start, rounds := draws(tape, f.p.P)
	y, _ := fledgeListing(floatSpace{}, grad, f.p.P, f.m.LocalSteps, start, rounds)
	server := newEfficientUpdate(y[0])
	for t, r := range rounds {
		message := func(s int) func(i int) []float64 {
			return func(i int) []float64 {
				data := r.data[slices.Index(r.clients, i)]
				return mean(floatSpace{}, data, len(data),
					func(j int) []float64 { return grad(i, j, s) })
			}
		}
		server.touched = 0
		server.step(r.clients, message((t+1)*f.m.LocalSteps), message(t*f.m.LocalSteps))
		want := average(floatSpace{}, y[t+1])
		f.recordSame(rec, "mean kept in O(pd) on lines 355-362", server.mean, want, scale)
		f.recordSame(rec, "mean kept by the implementation", tape.V[t+1], want, scale)
		recordCount(rec, "numbers read or written by the server, 18pd", int64(server.touched),
			props.EQ, 18*f.m.Chosen*f.p.D)
	}
}

func fledgeAlgorithmClaims() []props.Binding {
	return []props.Binding{
		props.Bind("fledge-local-step", checkLocalSteps()),
		props.Bind("fledge-local-estimator-unbiased", checkLocalMean()),
		props.Bind("fledge-server-mean-update", settledRounds(1, serverRun)),
		props.Bind("fledge-server-mean-update/mean-alone", checkMeanAlone()),
		props.Bind("fledge-single-local-step-is-sledge", checkSingleStep()),
		props.Bind("fledge-zero-heterogeneity-is-gradient-descent", checkHomogeneousClients()),
		props.Bind("fledge-full-participation-is-exact", checkAllClients()),
	}
}

// checkLocalSteps compares runs of FLEDGE with its listing, point by point.
func checkLocalSteps() props.Check {
	return settledRounds(1, func(f *roundsRun, rec *props.Recorder) {
		tape := f.tape(f.m)
		grad, scale := alongLocal(f.p, tape)
		start, rounds := draws(tape, f.p.P)
		y, v := fledgeListing(floatSpace{}, grad, f.p.P, f.m.LocalSteps, start, rounds)
		ref := f.m.Reference()
		if err := ref.Start(algos.NewOracle(f.p), f.x0, tape.Replay()); err != nil {
			panic(err)
		}
		next := make([]float64, f.p.D)
		for t := range tape.X {
			if t > 0 {
				ref.Step()
				for k, noise := range tape.Noise(t) {
					copy(next, tape.Local[t][k])
					floats.AddScaled(next, -f.m.Eta, v[t][k])
					floats.Add(next, noise)
					f.recordSame(rec, "x^{t,k}", tape.Local[t][k+1], next, scale)
					f.recordSame(rec, "direction (1/P) Σ y_i^{t−1} + z^{t,k}", tape.LocalV[t][k],
						v[t][k], scale)
				}
				f.recordSame(rec, "x^{t,0} against x^{t−1}", tape.Local[t][0], tape.X[t-1], 0)
				f.recordSame(rec, "x^t against x^{t,K}", tape.X[t],
					tape.Local[t][f.m.LocalSteps], 0)
			}
			f.recordSame(rec, "mean of the y_i^t, efficient form", tape.V[t],
				average(floatSpace{}, y[t]), scale)
			for i, row := range ref.Table() {
				f.recordSame(rec, "y_i^t of the literal form", row, y[t][i], scale)
			}
		}
	})
}

// checkLocalMean takes the mean of an increment over all minibatches, and looks at clients of one
// datum.
func checkLocalMean() props.Check {
	return props.All(
		props.ExactSizes("all functions and points, all minibatches of every size of up to 6 data",
			func(rec *props.Recorder) {
				for size := 1; size <= 6; size++ {
					for b := 1; b <= size; b++ {
						var sum form
						sets := subsets(size, b)
						for _, set := range sets {
							for s, sign := range []int{-1, 1} {
								part := mean(forms{}, set, b, func(j int) form { return anyData(0, j, s) })
								sum = forms{}.add(sum, sign, 1, part)
							}
						}
						for s, sign := range []int{1, -1} {
							sum = forms{}.add(sum, sign*len(sets), 1,
								clientGradient(forms{}, anyData, size, 0, s))
						}
						recordZero(rec,
							"sum over all minibatches of the increment − the change of ∇f_i", sum)
					}
				}
			}),
		settledRounds(0.5, func(f *roundsRun, rec *props.Recorder) {
			f.singleDatum()
			tape := f.tape(f.m)
			grad, scale := alongLocal(f.p, tape)
			for t := 1; t < len(tape.X); t++ {
				i := tape.Sets(t, algos.Worker)[0][0]
				for k, v := range tape.LocalV[t] {
					first := (t - 1) * f.m.LocalSteps
					want := plus(floatSpace{}, tape.LocalV[t][0], grad(i, 0, first+k))
					floats.Sub(want, grad(i, 0, first))
					f.recordSame(rec, "direction on runs with one datum", v, want, scale)
				}
			}
		}),
	)
}

// checkMeanAlone asks what of the table the mean of its successor depends on.
func checkMeanAlone() props.Check {
	return props.ExactSizes("any table y_i^{t−1}, messages and client sets, P ≤ 5",
		func(rec *props.Recorder) {
			for P := 1; P <= 5; P++ {
				for p := 1; p <= P; p++ {
					for _, chosen := range subsets(P, p) {
						old := func(i int) form { return unknown('o', i, 0, 0) }
						change := mean(forms{}, chosen, p,
							func(i int) form { return unknown('d', i, 0, 0) })
						after := mean(forms{}, upTo(P), P, func(i int) form {
							if slices.Contains(chosen, i) {
								return unknown('y', i, 0, 0)
							}
							return plus(forms{}, old(i), change)
						})
						byMessages := mean(forms{}, upTo(P), P, old)
						byMessages = forms{}.add(byMessages, 1, P,
							mean(forms{}, chosen, 1, func(i int) form { return unknown('y', i, 0, 0) }))
						byMessages = forms{}.add(byMessages, P-p, P, change)
						rest := after.minus(byMessages)
						recordZero(rec,
							"mean − (old mean + messages' part − (1/P)Σ_{i∈I^t} y_i^{t−1})",
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
		})
}

// checkSingleStep compares FLEDGE with one local step and one datum of a client with SLEDGE.
func checkSingleStep() props.Check {
	return settledRounds(1, func(f *roundsRun, rec *props.Recorder) {
		f.singleDatum()
		f.m.LocalSteps = 1
		sledge := &algos.SLEDGE{Eta: f.m.Eta, Batch: f.m.Chosen, Radius: f.m.Radius,
			Option: f.m.Option}
		tape := props.Must(algos.RecordRun(sledge,
			algos.NewOracle(algos.Sum(f.p.FiniteSum())), f.x0, asBatches{f.random()}, f.T))
		f.recordSameRun(rec, "of FLEDGE and SLEDGE", f.tape(f.m), tape)
	})
}

// checkHomogeneousClients compares FLEDGE with gradient descent where clients differ by linear
// terms.
func checkHomogeneousClients() props.Check {
	return settledRounds(1, func(f *roundsRun, rec *props.Recorder) {
		f.singleDatum()
		f.p = homogeneous(f.p)
		f.m.Option = algos.OptionII
		tape := f.tape(f.m)
		gd := &algos.GD{Eta: f.m.Eta, Radius: f.m.Radius}
		flat := &algos.Tape{}
		for t := 1; t < len(tape.X); t++ {
			flat.X = append(flat.X, tape.Local[t][:f.m.LocalSteps]...)
			flat.V = append(flat.V, tape.LocalV[t]...)
		}
		want := props.Must(algos.RecordRun(gd,
			algos.NewOracle(algos.Sum(f.p.FiniteSum())), f.x0, f.random(),
			f.T*f.m.LocalSteps-1))
		f.recordSameRun(rec, "of FLEDGE and gradient descent", flat, want)
	})
}

// checkAllClients compares FLEDGE with all clients and all data with the gradient, and with
// BVR-L-SGD.
func checkAllClients() props.Check {
	return settledRounds(1, func(f *roundsRun, rec *props.Recorder) {
		f.m.Chosen = f.p.P
		f.m.Cap = true
		p := *f.p
		p.Data = min(p.Data, f.m.LocalSteps*f.m.Batch)
		f.p = &p
		tape := f.tape(f.m)
		grad, scale := alongLocal(f.p, tape)
		for t, v := range tape.V {
			f.recordSame(rec, "(1/P)Σ y_i^t on runs", v,
				gradientOfClients(floatSpace{}, grad, p.P, p.Data, t*f.m.LocalSteps), scale)
		}
		f.m.Batch = p.Data
		bvr := &algos.BVRLSGD{Eta: f.m.Eta, LocalSteps: f.m.LocalSteps, Batch: p.Data,
			Radius: f.m.Radius, Cap: true}
		f.recordSameRun(rec, "of FLEDGE and BVR-L-SGD", f.tape(f.m), f.tape(bvr))
	})
}
