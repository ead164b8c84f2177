package props

import (
	"math"
	"testing"
)

func TestNumber(t *testing.T) {
	for _, c := range []struct {
		x      float64
		digits int
		want   string
	}{
		{0, 4, "0"}, {1, 4, "1"}, {-2.5, 4, "−2.5"}, {31622.7766, 6, "31622.8"},
		{999999, 4, "999999"}, {1e6, 4, "10⁶"}, {-1e-12, 6, "−10⁻¹²"},
		{1.8858436598864589e56, 4, "1.886×10⁵⁶"}, {1e-4, 4, "0.0001"}, {9.9e-5, 4, "9.9×10⁻⁵"},
		{0.30000000000000004, 4, "0.3"},
		{math.NaN(), 4, "–"}, {math.Inf(-1), 4, "–"}, {math.MaxFloat64, 3, "1.8×10³⁰⁸"},
	} {
		if got := Number(c.x, c.digits); got != c.want {
			t.Errorf("Number(%v, %d) = %q, want %q", c.x, c.digits, got, c.want)
		}
	}
}
