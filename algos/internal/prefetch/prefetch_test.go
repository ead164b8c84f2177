package prefetch

import "testing"

// Asking for memory changes and breaks nothing, wherever it begins and however short it is.
func TestSlice(t *testing.T) {
	Slice[float64](nil)
	v := make([]float64, 1<<10)
	for i := range v {
		v[i] = float64(i)
	}
	for from := range 20 {
		for _, n := range []int{0, 1, 7, 8, 9, 200, len(v) - from} {
			Slice(v[from : from+n])
			Slice(make([]byte, n+from)[from:])
		}
	}
	for i, x := range v {
		if x != float64(i) {
			t.Fatalf("entry %d is %g", i, x)
		}
	}
}
