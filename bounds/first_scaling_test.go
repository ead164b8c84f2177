package bounds

import (
	"math"
	"slices"
	"testing"

	"sledge/props"
	"sledge/props/keyed"
)

// No step size that is tried beside that of a sweep takes fewer rounds in the median: at each
// point, or at both ends, between which the exponent is.
func TestStepSizesTakeFewestRounds(t *testing.T) {
	half := func(eta, _ float64) float64 { return eta / 2 }
	twice := func(eta, _ float64) float64 { return 2 * eta }
	stated := func(_, _ float64) float64 { return 0.5 } // 1/(2L)
	for name, c := range map[string]struct {
		of     ramps
		x      []float64
		most   int // steps
		others []func(eta, x float64) float64
	}{
		"on a slope": {alikeRamps, []float64{6, 192}, 20 * 192 * 192,
			[]func(eta, x float64) float64{half, stated}},
		"with single data": {singleData, []float64{4, 8, 16, 32, 64, 128}, 1000 * 128,
			[]func(eta, x float64) float64{half, twice}},
	} {
		if testing.Short() { // one end, one other step size
			c.x, c.others = c.x[len(c.x)-1:], c.others[:1]
		}
		for _, x := range c.x {
			median := func(eta float64) int {
				rounds := make([]int, 61)
				for i := range rounds {
					q := c.of.at(x, eta)
					m, x0, r := q.start(props.Trial{Key: keyed.New(uint64(i)).With(name)})
					found := q.found(q.problem)
					steps, _ := search(m, q.problem, x0, r, c.most, func(step int, x []float64) bool {
						_, ok := found(step, x)
						return ok
					})
					rounds[i] = (steps + q.K - 1) / q.K
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
