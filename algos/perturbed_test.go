package algos_test

import (
	"math"
	"slices"
	"testing"

	"sledge/algos"
	"sledge/props/keyed"
)

// In a second arithmetic a run takes the same index sets and goes, up to last bits, the same way; a replay of it is
// perturbed alike.
func TestPerturbedRun(t *testing.T) {
	const T = 20
	record := func(r algos.Randomness) *algos.Tape {
		m := &algos.SLEDGE{Eta: 0.1, Batch: 3, Radius: 0.01}
		tape, err := algos.RecordRun(m, algos.NewOracle(algos.Sum(diagonal{9, 4})), []float64{0.3, -0.7, 0.1, 0.9}, r,
			T)
		if err != nil {
			t.Fatal(err)
		}
		return tape
	}
	key := keyed.New(3)
	plain, one, two := record(algos.Keyed(key)), record(algos.Keyed(key.Perturbed(1))),
		record(algos.Keyed(key.Perturbed(2)))
	for step := range T + 1 {
		if a, b := plain.Batch(step), one.Batch(step); !slices.Equal(a, b) {
			t.Fatalf("step %d: index sets %v and %v", step, a, b)
		}
		for l, x := range plain.X[step] {
			if math.Abs(x-one.X[step][l]) > 1e-13 {
				t.Fatalf("step %d: %v and %v", step, plain.X[step], one.X[step])
			}
		}
	}
	if slices.Equal(plain.V[0], one.V[0]) || slices.Equal(one.V[0], two.V[0]) {
		t.Error("the first estimators are the same to the last bit: gradients are not perturbed")
	}
	if a, b := plain.Noise(1)[0], one.Noise(1)[0]; slices.Equal(a, b) {
		t.Error("the noise is the same to the last bit")
	}
	again := record(one.Replay())
	for step := range T + 1 {
		if !slices.Equal(again.X[step], one.X[step]) {
			t.Fatalf("step %d: the replay of a perturbed run is at %v, the run was at %v", step, again.X[step],
				one.X[step])
		}
	}
}
