package algos_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"sledge/algos"
	"sledge/algos/internal/datafile"
	"sledge/algos/problems"
	"sledge/props"
)

// classified is logistic regression on n dense rows in dimension d.
func classified(n, d int, opt problems.LogisticOptions) algos.Problem {
	t := problems.Classification(n, d, 1.5, 0.1, rand.New(rand.NewPCG(1, 2)))
	return algos.Sum(props.Must(problems.NewLogistic(t, nil, opt)).ByClient())
}

func benchSteps(b *testing.B, m algos.Method, p algos.Problem) {
	b.Helper()
	if err := m.Start(algos.NewOracle(p), make([]float64, p.Dim()), algos.Seeded(1)); err != nil {
		b.Fatal(err)
	}
	for range 1000 {
		m.Step()
	}
	b.ReportAllocs()
	for b.Loop() {
		m.Step()
	}
}

// A step of SAGA with single components, of which n make an epoch.
func BenchmarkLinearSAGA(b *testing.B) {
	for _, size := range [][2]int{{20000, 100}, {100000, 50}} {
		for _, ridge := range []float64{0, 1e-4} {
			b.Run(fmt.Sprintf("n=%d/d=%d/ridge=%g", size[0], size[1], ridge), func(b *testing.B) {
				p := classified(size[0], size[1], problems.LogisticOptions{Ridge: ridge})
				benchSteps(b, &algos.SAGA{Tuning: algos.Tuning{Eta: 1e-3, Batch: 1},
					Separate: true}, p)
			})
		}
	}
	for _, ridge := range []float64{0, 1e-4} {
		b.Run(fmt.Sprintf("a9a/ridge=%g", ridge), func(b *testing.B) {
			t, err := problems.ReadLIBSVM(datafile.Open(b, "a9a"), "a9a", problems.ReadOptions{})
			if err != nil {
				b.Fatal(err)
			}
			p := algos.Sum(props.Must(problems.NewLogistic(t, nil,
				problems.LogisticOptions{Ridge: ridge})).ByClient())
			benchSteps(b, &algos.SAGA{Tuning: algos.Tuning{Eta: 1e-3, Batch: 1}, Separate: true}, p)
		})
	}
}

// A step of SLEDGE with minibatches of 100.
func BenchmarkLinearSLEDGE(b *testing.B) {
	for _, size := range [][2]int{{1e4, 1000}, {1e3, 100}, {1e4, 100}, {1e5, 100}, {1e6, 100},
		{1e3, 10}, {1e6, 10}} {
		b.Run(fmt.Sprintf("n=%d/d=%d", size[0], size[1]), func(b *testing.B) {
			benchSteps(b, &algos.SLEDGE{Eta: 1e-6, Batch: 100},
				classified(size[0], size[1], problems.LogisticOptions{}))
		})
	}
}

// Small problems as claims draw them.
func BenchmarkLinearSmall(b *testing.B) {
	for _, opt := range []problems.LogisticOptions{{}, {Alpha: 0.1, Ridge: 0.1}} {
		p := classified(20, 4, opt)
		tuning := algos.Tuning{Eta: 1e-3}
		for _, m := range []algos.Method{&algos.SLEDGE{Eta: 1e-3}, &algos.SAGA{Tuning: tuning},
			&algos.ZeroSARAH{Tuning: tuning}, &algos.SARAH{Tuning: tuning},
			&algos.SVRG{Tuning: tuning}} {
			b.Run(fmt.Sprintf("%s/alpha=%g", m.Name(), opt.Alpha),
				func(b *testing.B) { benchSteps(b, m, p) })
		}
	}
}
