package problems

import (
	"math/rand/v2"
	"slices"
	"testing"

	"sledge/algos"
)

// bent is a problem that changes the gradients of another one, whose abilities it embeds.
type bent struct{ Federated }

func (p bent) MeanGradient(dst, x []float64, i int, batch []int) {
	p.Federated.MeanGradient(dst, x, i, batch)
	dst[0]++
}

// A run that remembers slopes has the gradients of the problem, bit for bit, in whatever order it
// asks for them at whatever points; a problem that embeds another one keeps its own.
func TestRecallingKeepsGradients(t *testing.T) {
	recalling := 0
	eachInstance(t, 20, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		fed, ok := p.(Federated)
		if !ok {
			return
		}
		d, n := fed.Dim(), fed.Clients()
		if (bent{fed}).Recalling(bent{fed}) != nil {
			t.Fatal("a problem that embeds another one is replaced by it")
		}
		own, _ := fed.Recalling(fed).(Federated)
		sum := fed.ByClient().Recalling(algos.Sum(fed.ByClient()))
		if sum == nil { // nothing is worth remembering
			return
		}
		recalling++
		batches, _ := algos.As[algos.BatchGradienter](sum)
		points := make([][]float64, 5)
		for k := range points {
			points[k] = f.point(d, r)
		}
		got, want := make([]float64, n*d), make([]float64, n*d)
		for range 60 {
			x, i := points[r.IntN(len(points))], r.IntN(n)
			if r.IntN(8) == 0 {
				x[r.IntN(d)] += r.NormFloat64() // the same memory, another point
			}
			clear(got)
			clear(want)
			what := r.IntN(5)
			switch what {
			case 0:
				j := r.IntN(fed.Size(i))
				own.Gradient(got[:d], x, i, j)
				fed.Gradient(want[:d], x, i, j)
			case 1:
				batch := r.Perm(fed.Size(i))[:1+r.IntN(fed.Size(i))]
				own.MeanGradient(got[:d], x, i, batch)
				fed.MeanGradient(want[:d], x, i, batch)
			case 2:
				own.FullGradient(got[:d], x)
				fed.FullGradient(want[:d], x)
			case 3:
				sum.Gradient(got[:d], x, i, 0)
				fed.ByClient().Gradient(want[:d], x, i)
			case 4:
				batch := r.Perm(n)[:1+r.IntN(n)]
				batches.BatchGradient(got[:len(batch)*d], x, batch)
				fed.ByClient().BatchGradient(want[:len(batch)*d], x, batch)
			}
			if !slices.Equal(got, want) {
				t.Fatalf("kind %d at %v: %v, want %v", what, x, got, want)
			}
		}
	})
	if recalling < 20 {
		t.Errorf("only %d instances remember anything", recalling)
	}
}
