package claims

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
)

func identityClaims() []props.Binding {
	return []props.Binding{
		props.Bind("identity/zero-heterogeneity-sledge-option-one", settledFlat()),
		props.Bind("identity/scaffold-control-mean",
			settled(drawRounds(true), 0.4, tinyClients(), recordControls)),
	}
}

// settledFlat looks at the rows of SLEDGE where components differ by linear terms, and at what is
// left of the start of Option I.
func settledFlat() props.Check {
	return settled(flat(drawRun), 0.5, tinyRuns().weighted(true, []float64{1}), checkFlat)
}

func checkFlat(a instance, rec *props.Recorder) {
	r := a.followed()
	for t := range r.X {
		if a.option == algos.OptionII {
			for i, row := range r.y[t] {
				r.same(rec, "y_i^t against ∇f_i(x^t), Option II", row, r.grad(i, 0, t))
			}
			continue
		}
		left := r.unsampled(t)[1]
		right := add(r.full(t), 1/float64(a.P), sum(left,
			func(i int) []float64 { return minus(r.V[0], r.grad(i, 0, 0)) }))
		what := "v^t against ∇f(x^t) and what is left of the start, Option I"
		if len(left) == 0 {
			what = "v^t against ∇f(x^t) once all indices have been sampled, Option I"
		}
		r.same(rec, what, r.V[t], right)
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
			mean, size := make([]float64, len(server)), 0.0
			for i := range a.P {
				row := clients[i*len(server) : (i+1)*len(server)]
				floats.AddScaled(mean, 1/float64(a.P), row)
				size = max(size, floats.Norm(row, 2))
			}
			a.formal.recordSame(rec, "control variates", server, mean, size)
		}
	}
}
