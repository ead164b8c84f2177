package algos_test

import (
	"fmt"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props/keyed"
)

// diagonal is f_i(x) = ½ Σ_l (1 + (i+l)%3) x_l², cheap and without storage, so that benchmarks see
// the method and not the problem.
type diagonal struct{ n, d int }

func (p diagonal) Components() int { return p.n }
func (p diagonal) Dim() int        { return p.d }
func (p diagonal) Gradient(dst, x []float64, i int) {
	c := 1 + float64(i%3)
	for l, v := range x {
		dst[l] = c * v
	}
}

func benchStep(b *testing.B, m algos.Method, n, d int) {
	o := algos.NewOracle(algos.Sum(diagonal{n, d}))
	if err := m.Start(o, ones(d), algos.Seeded(1)); err != nil {
		b.Fatal(err)
	}
	for range 10 {
		m.Step()
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Step()
	}
}

func BenchmarkSLEDGEStep(b *testing.B) {
	for _, n := range []int{1e2, 1e3, 1e4, 1e5} {
		b.Run(fmt.Sprintf("n=%d/b=32/d=32", n),
			func(b *testing.B) { benchStep(b, &algos.SLEDGE{Eta: 1e-6, Batch: 32}, n, 32) })
	}
	for _, batch := range []int{8, 32, 128, 512} {
		b.Run(fmt.Sprintf("n=1000/b=%d/d=32", batch),
			func(b *testing.B) { benchStep(b, &algos.SLEDGE{Eta: 1e-6, Batch: batch}, 1000, 32) })
	}
	for _, d := range []int{8, 32, 128, 512} {
		b.Run(fmt.Sprintf("n=1000/b=32/d=%d", d),
			func(b *testing.B) { benchStep(b, &algos.SLEDGE{Eta: 1e-6, Batch: 32}, 1000, d) })
	}
}

func BenchmarkReferenceStep(b *testing.B) {
	for _, n := range []int{1e2, 1e3, 1e4} {
		b.Run(fmt.Sprintf("n=%d/b=32/d=32", n), func(b *testing.B) {
			benchStep(b, (&algos.SLEDGE{Eta: 1e-6, Batch: 32}).Reference(), n, 32)
		})
	}
}

// A Monte-Carlo trial as claims run it: a fresh SLEDGE on n = 20, d = 4, 60 steps.
func BenchmarkTrial(b *testing.B) {
	p := diagonal{20, 4}
	x0 := ones(4)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		m := &algos.SLEDGE{Eta: 0.05, Radius: 1e-3}
		if err := m.Start(algos.NewOracle(algos.Sum(p)), x0, algos.Seeded(uint64(i))); err != nil {
			b.Fatal(err)
		}
		for range 60 {
			m.Step()
		}
	}
}

// The norm of a sum of 200 of 1000 vectors with a key of its own, as in a trial of a claim.
func BenchmarkFreshSubset(b *testing.B) {
	const n, size, d = 1000, 200, 10
	values, subset, sum := ones(n*d), make([]int, size), make([]float64, d)
	key := keyed.New(2)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		algos.Keyed(key.At(i)).Subset(subset, n, algos.Batches)
		clear(sum)
		for _, i := range subset {
			floats.Add(sum, values[i*d:(i+1)*d])
		}
	}
}
