package bounds

import (
	"math"
	"slices"
	"testing"

	"sledge/props/keyed"
)

// No step size that is tried beside that of a sweep takes fewer rounds in the median: at each
// point, or at both ends, between which the exponent is.
func TestStepSizesTakeFewestRounds(t *testing.T) {
	half := func(eta, _ float64) float64 { return eta / 2 }
	twice := func(eta, _ float64) float64 { return 2 * eta }
	stated := func(_, _ float64) float64 { return 0.5 } // 1/(2L)
	for name, c := range map[string]struct {
		of     counted
		x      []float64
		others []func(eta, x float64) float64
	}{
		"on a slope": {onSlope, []float64{onSlope.x[0], onSlope.x[len(onSlope.x)-1]},
			[]func(eta, x float64) float64{half, stated}},
		"with single data": {withSingleData, withSingleData.x, []func(eta, x float64) float64{half, twice}},
	} {
		if testing.Short() { // one end, one other step size
			c.x, c.others = c.x[len(c.x)-1:], c.others[:1]
		}
		for _, x := range c.x {
			median := func(eta float64) int {
				rounds := make([]int, 15)
				for i := range rounds {
					rounds[i] = c.of.rounds(x, eta, keyed.New(uint64(i)).With(name))
				}
				slices.Sort(rounds)
				return rounds[len(rounds)/2]
			}
			eta := c.of.eta(x)
			least := median(eta)
			for _, other := range c.others {
				if at := other(eta, x); math.Abs(at-eta) > 0 && median(at) < least {
					t.Errorf("%s, %v: %d rounds at η = %v, %d at %v", name, x, least, eta, median(at), at)
				}
			}
		}
	}
}
