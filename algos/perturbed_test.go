package algos_test

import (
	"math"
	"slices"
	"testing"

	"sledge/algos"
	"sledge/props/keyed"
)

// In a second arithmetic a run takes the same index sets and goes, up to last bits, the same way; a
// replay of it is perturbed alike.
func TestPerturbedRun(t *testing.T) {
	const T = 20
	record := func(r algos.Randomness) *algos.Tape {
		m := &algos.SLEDGE{Eta: 0.1, Batch: 3, Radius: 0.01}
		tape, err := algos.RecordRun(m, algos.NewOracle(algos.Sum(diagonal{9, 4})),
			[]float64{0.3, -0.7, 0.1, 0.9}, r, T)
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
			t.Fatalf("step %d: the replay of a perturbed run is at %v, the run was at %v", step,
				again.X[step], one.X[step])
		}
	}
}

// Index sets are the same in every arithmetic, stirred generators or not, also where places below a
// large power of two are drawn, which are taken from bits that stirring changes: with a single
// other index it is another run. Noise does change.
func TestStirredRunsTakeTheSameIndices(t *testing.T) {
	const n, b = 1500, 1000 // 1024 and 512 are among the bounds
	key := keyed.New(8)
	draw := func(key keyed.Key) (first, second, single []int, noise float64) {
		r := algos.Keyed(key)
		first, second, single = make([]int, b), make([]int, b), make([]int, b)
		r.Subset(first, n, algos.Batches)
		r.Subset(second, n, algos.Batches)
		r.Indices(single, 1024, algos.Clients)
		v := make([]float64, 1)
		r.Normal(v, algos.Noise)
		return first, second, single, v[0]
	}
	first, second, single, noise := draw(key)
	for i := 1; i <= 8; i++ {
		f, s, o, v := draw(key.Perturbed(i).Stirred())
		if !slices.Equal(f, first) || !slices.Equal(s, second) || !slices.Equal(o, single) {
			t.Errorf("perturbation %d: other index sets", i)
		}
		if v == noise || math.Abs(v-noise) > 1e-3*max(1, math.Abs(noise)) {
			t.Errorf("perturbation %d: noise %v and %v", i, noise, v)
		}
		plain, stirred, changed := key.Rand(), key.Perturbed(i).Stirred().Rand(), 0
		for range b {
			if plain.IntN(1024) != stirred.IntN(1024) {
				changed++
			}
		}
		if changed < b/2 {
			t.Errorf("perturbation %d: a stirred generator changes %d of %d integers below 1024", i,
				changed, b)
		}
	}
}
