package algos_test

import (
	"context"
	"testing"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// What a method keeps is foretold to the number: measured on a problem of the size asked about, it
// is the same.
func TestFootprint(t *testing.T) {
	for _, e := range algos.Catalogue() {
		if e.Federated {
			continue
		}
		for _, size := range [][2]int{{30, 3}, {200, 7}} {
			s := algos.Setting{Tuning: algos.Tuning{Eta: 1e-3, Batch: 2}, L: 1}
			told := algos.Footprint(func() algos.Method { return e.New(s) }, size[0],
				size[1], false)
			p := testproblem.Wells(size[0], 1, size[1])
			m := e.New(s)
			tr, err := algos.Run(context.Background(), m, p, make([]float64, size[1]),
				algos.Keyed(keyed.New(1)), algos.Limits{Steps: 1})
			if err != nil {
				t.Fatal(err)
			}
			if float64(tr.Memory) != told && tr.Memory > 0 {
				t.Errorf("%s keeps %d numbers for %v, not %v", e.Name, tr.Memory, size, told)
			}
		}
	}
}

// It is so for linear models too, of which tables keep numbers.
func TestFootprintOfLinearModels(t *testing.T) {
	for _, size := range [][2]int{{30, 3}, {3000, 40}, {5000, 100}} {
		p := classified(size[0], size[1], problems.LogisticOptions{Ridge: 0.1})
		for _, name := range []string{"SLEDGE-I", "SLEDGE-II", "SAGA", "SAGA (two draws)",
			"ZeroSARAH-I", "SVRG"} {
			e, _ := algos.ByName(name)
			for _, batch := range []int{0, 2} {
				s := algos.Setting{Tuning: algos.Tuning{Eta: 1e-3, Batch: batch}, L: 1}
				told := algos.Footprint(func() algos.Method { return e.New(s) }, size[0],
					size[1], true)
				m := e.New(s)
				if err := m.Start(algos.NewOracle(p), make([]float64, size[1]),
					algos.Seeded(1)); err != nil {
					t.Fatal(err)
				}
				if kept := float64(remembered(m)); kept != told {
					t.Errorf("%s keeps %v numbers for %v and minibatches of %d, not %v", name, kept,
						size, batch, told)
				}
			}
		}
	}
}
