package claims

import (
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

func identityClaims() []props.Binding {
	flat := problems.Limits{Patterns: []problems.Pattern{problems.None}}
	return []props.Binding{
		props.Bind("identity/zero-heterogeneity-sledge-option-one",
			settled(func(src *props.Source) instance { return drawInstance(src, flat) }, 0.5,
				tinySums().weighted(true, nil), startError)),
		props.Bind("identity/scaffold-control-mean",
			settled(func(src *props.Source) instance {
				return drawClientInstance(src, problems.Limits{})
			}, 0.4, tinyClients(), recordControls)),
	}
}

// startError compares the error of SLEDGE I where components differ by linear terms with what is
// left of its start.
func startError(a instance, rec *props.Recorder) {
	if a.formal == nil {
		a.T = 30
	}
	t := a.tape(&algos.SLEDGE{Eta: a.eta, Batch: a.b, Option: algos.OptionI})
	mon, g := algos.NewMonitor(a.p), make([]float64, a.d)
	component := make([]float64, len(g))
	for s := 1; s <= a.T; s++ {
		want := make([]float64, len(g))
		for _, i := range t.Unsampled(a.P, s, algos.Batches)[1] {
			a.p.Gradient(component, a.x0, i, 0)
			floats.AddScaled(want, 1/float64(a.P), t.V[0])
			floats.AddScaled(want, -1/float64(a.P), component)
		}
		mon.Gradient(g, t.X[s])
		got := slices.Clone(t.V[s])
		floats.Sub(got, g)
		a.recordSame(rec, "estimator error", got, want, a.size)
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
			a.recordSame(rec, "control variates", server, mean, size)
		}
	}
}
