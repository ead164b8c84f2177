package claims

import (
	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// contractionClaims are about the mean of the next error given the past, E[err_t | past] = (1−c) err_{t−1}, by
// enumeration of all next index sets.
func contractionClaims() []props.Binding {
	var out []props.Binding
	for _, m := range []struct {
		id     string
		factor func(a instance) float64
		make   func(a instance) algos.Method
	}{
		{"sledge-one", func(a instance) float64 { return float64(a.b) / float64(a.n) }, func(a instance) algos.Method {
			return &algos.SLEDGE{Eta: a.eta, Batch: a.b, Option: algos.OptionI}
		}},
		{"sledge-two", func(a instance) float64 { return float64(a.b) / float64(a.n) },
			func(a instance) algos.Method { return &algos.SLEDGE{Eta: a.eta, Batch: a.b} }},
		{"zerosarah", func(a instance) float64 { return a.weight }, func(a instance) algos.Method {
			return &algos.ZeroSARAH{Tuning: a.minibatches(a.b), Lambda: a.weight, Option: algos.OptionI}
		}},
		{"storm", func(a instance) float64 { return a.weight },
			func(a instance) algos.Method {
				return &algos.STORM{Tuning: a.minibatches(a.b), A: a.weight}
			}},
		{"sarah", func(instance) float64 { return 0 },
			func(a instance) algos.Method {
				return &algos.SARAH{Tuning: a.minibatches(a.b), Period: never}
			}},
		{"saga", func(instance) float64 { return 1 },
			func(a instance) algos.Method { return &algos.SAGA{Tuning: a.minibatches(a.b)} }},
		{"svrg", func(instance) float64 { return 1 },
			func(a instance) algos.Method {
				return &algos.SVRG{Tuning: a.minibatches(a.b), Period: never}
			}},
	} {
		out = append(out, props.Bind("identity/contraction-"+m.id,
			settledIdentity(problems.Limits{N: problems.Sizes(2, 6)}, 0.3, func(a instance, rec *props.Recorder) {
				t := a.tape(m.make(a), nil)
				mon, d := algos.NewMonitor(algos.Sum(a.p)), a.p.Dim()
				err := func(t *algos.Tape, s int) []float64 {
					g := make([]float64, d)
					mon.Gradient(g, t.X[s])
					floats.Scale(-1, g)
					floats.Add(g, t.V[s])
					return g
				}
				mean := make([]float64, d)
				subsets := combin.Combinations(a.n, a.b)
				for _, last := range subsets {
					s := algos.Script{}
					for k := range a.T {
						s[algos.Batches] = append(s[algos.Batches], t.Sets(k, algos.Batches)...)
					}
					s[algos.Batches] = append(s[algos.Batches], last)
					floats.AddScaled(mean, 1/float64(len(subsets)), err(a.tape(m.make(a), s), a.T))
				}
				want := err(t, a.T-1)
				floats.Scale(1-m.factor(a), want)
				a.recordSame(rec, "mean of the next error", mean, want, a.size)
			}, quarters...)))
	}
	return out
}
