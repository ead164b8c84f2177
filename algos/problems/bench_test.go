package problems

import (
	"math/rand/v2"
	"testing"

	"sledge/algos/internal/datafile"
	"sledge/props"
)

func benchmarkGradients(b *testing.B, p Certified) {
	d := p.Dim()
	r := rand.New(rand.NewPCG(1, 2))
	x, g := normal(d, r), make([]float64, d)
	b.Run("component", func(b *testing.B) {
		b.ReportAllocs()
		i := 0
		for b.Loop() {
			p.Gradient(g, x, i)
			if i++; i == p.Components() {
				i = 0
			}
		}
	})
	b.Run("full", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			p.FullGradient(g, x)
		}
	})
	b.Run("value", func(b *testing.B) {
		for b.Loop() {
			p.Value(x)
		}
	})
}

func BenchmarkA9a(b *testing.B) {
	t, err := ReadLIBSVM(datafile.Open(b, "a9a"), "a9a", ReadOptions{})
	if err != nil {
		b.Fatal(err)
	}
	benchmarkGradients(b, props.Must(NewLogistic(t, nil, LogisticOptions{Alpha: 0.1})).ByClient())
}

func BenchmarkReadA9a(b *testing.B) {
	f := datafile.Open(b, "a9a")
	for b.Loop() {
		if _, err := f.Seek(0, 0); err != nil {
			b.Fatal(err)
		}
		if _, err := ReadLIBSVM(f, "a9a", ReadOptions{}); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkDenseLogistic(b *testing.B) {
	benchmarkGradients(b,
		props.Must(NewLogistic(Classification(1000, 100, 1, 0.1, rand.New(rand.NewPCG(1, 2))),
			nil, LogisticOptions{Alpha: 0.1})).ByClient())
}

func BenchmarkQuadratic(b *testing.B) {
	for _, size := range []struct {
		name string
		n, d int
	}{{"n=20,d=5", 20, 5}, {"n=100,d=100", 100, 100}} {
		b.Run(size.name, func(b *testing.B) {
			m := QuadraticMean{Spectrum: powers(1, 100, size.d),
				Between: Heterogeneity{Pattern: Random, Hessian: 0.5, Linear: 1}}
			benchmarkGradients(b,
				props.Must(Make(OneEach(size.n), m, rand.New(rand.NewPCG(1, 2)))).ByClient())
		})
	}
}

func BenchmarkNonconvexPL(b *testing.B) {
	m := PLMean{Curvature: powers(1, 10, 5),
		Between: Heterogeneity{Pattern: Random, Hessian: 0.5, Amplitude: 0.5}}
	benchmarkGradients(b, props.Must(Make(OneEach(20), m, rand.New(rand.NewPCG(1, 2)))).ByClient())
}

// The cost of certifying an instance of the size that claims draw.
func BenchmarkConstants(b *testing.B) {
	x := make([]float64, 5)
	for name, make := range map[string]func(r *rand.Rand) Certified{
		"quadratic": func(r *rand.Rand) Certified {
			return props.Must(Make(OneEach(24), QuadraticMean{Spectrum: powers(1, 100, 5),
				Between: Heterogeneity{Pattern: Random, Hessian: 0.5, Linear: 1}}, r)).ByClient()
		},
		"nonconvex PL": func(r *rand.Rand) Certified {
			return props.Must(Make(OneEach(24), PLMean{Curvature: powers(1, 10, 5),
				Between: Heterogeneity{Pattern: Random, Hessian: 0.5, Amplitude: 0.5}},
				r)).ByClient()
		},
		"logistic": func(r *rand.Rand) Certified {
			return props.Must(NewLogistic(Classification(24, 5, 1, 0.1, r), nil,
				LogisticOptions{Alpha: 0.1})).ByClient()
		},
	} {
		b.Run(name, func(b *testing.B) {
			r := rand.New(rand.NewPCG(1, 2))
			for b.Loop() {
				make(r).Constants(x)
			}
		})
	}
}
