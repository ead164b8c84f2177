package algos_test

import (
	"context"
	"testing"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props/keyed"
)

// What a method keeps is foretold to the number: measured on a problem of the size asked about, it is the same.
func TestFootprint(t *testing.T) {
	for _, e := range algos.Catalogue() {
		if e.Federated {
			continue
		}
		for _, size := range [][2]int{{30, 3}, {200, 7}} {
			s := algos.Setting{Tuning: algos.Tuning{Eta: 1e-3, Batch: 2}, L: 1}
			told := algos.Footprint(func() algos.Method { return e.New(s) }, size[0], size[1])
			p := testproblem.Wells(size[0], 1, size[1])
			m := e.New(s)
			tr, err := algos.Run(context.Background(), m, p, make([]float64, size[1]), algos.Keyed(keyed.New(1)),
				algos.Limits{Steps: 1})
			if err != nil {
				t.Fatal(err)
			}
			if float64(tr.Memory) != told && tr.Memory > 0 {
				t.Errorf("%s keeps %d numbers for %v, not %v", e.Name, tr.Memory, size, told)
			}
		}
	}
}
