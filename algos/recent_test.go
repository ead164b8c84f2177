package algos_test

import (
	"testing"

	"sledge/algos"
)

// A run that asks at each new point and then at the one before computes something once at each, and
// what it is told is what was computed at that point.
func TestRecentKnowsThePointBefore(t *testing.T) {
	const d, steps = 3, 20
	r, computed := algos.NewRecent(d, 1), 0
	point := func(t int) []float64 { return []float64{1, float64(t), -1} }
	ask := func(x []float64) {
		values, known := r.At(x)
		if !known {
			computed++
			values[0] = 7 * x[1]
		}
		if values[0] != 7*x[1] {
			t.Fatalf("%v at %v", values, x)
		}
	}
	for step := 1; step <= steps; step++ {
		ask(point(step))
		ask(point(step - 1))
		ask(point(step))
	}
	if computed != steps+1 {
		t.Errorf("computed at %d of %d points", computed, steps+1)
	}
	before := computed
	if ask(point(0)); computed != before+1 {
		t.Error("a point of long ago is known")
	}
}
