package problems

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"sledge/props"
	"sledge/props/keyed"
)

// The mean gradients of a batch at two points are means of the gradients of its data, for short
// rows and for long ones, of which a batch is gathered in several parts, dense or sparse, with
// shifts or without.
func TestMeanGradientsAreMeans(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := rapid.SampledFrom([]int{1, 13, gatherFrom - 1, gatherFrom, gatherFrom + 3,
			together/8 + 1}).Draw(t, "d")
		r := keyed.New(rapid.Uint64().Draw(t, "seed")).Rand()
		table := Classification(50, d,
			rapid.SampledFrom([]float64{0.3, 2}).Draw(t, "density"), 0.1, r)
		clients := [][]int{r.Perm(50)[:20], r.Perm(50)}
		p := props.Must(NewLogistic(table, clients, LogisticOptions{Ridge: 0.1}))
		if rapid.Bool().Draw(t, "shifts") {
			p = props.Must(NewLeastSquares(table, clients, 0.1))
		}
		i := rapid.IntRange(0, 1).Draw(t, "client")
		batch := r.Perm(len(clients[i]))[:rapid.IntRange(1, len(clients[i])).Draw(t, "b")]
		now, before := make([]float64, d), make([]float64, d)
		x, y := normal(d, r), normal(d, r)
		p.MeanGradients(now, before, x, y, i, batch)
		for _, c := range []struct{ at, got []float64 }{{x, now}, {y, before}} {
			want, g := make([]float64, d), make([]float64, d)
			for _, j := range batch {
				p.Gradient(g, c.at, i, j)
				floats.AddScaled(want, 1/float64(len(batch)), g)
			}
			if far := floats.Distance(c.got, want, 2); !(far <= 1e-13*(1+floats.Norm(want, 2))) {
				t.Fatalf("%g from the mean, of norm %g", far, floats.Norm(want, 2))
			}
		}
	})
}
