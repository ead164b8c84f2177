package bounds

import (
	"math"
	"math/rand/v2"
	"testing"

	"sledge/algos/problems"
	"sledge/props"
)

// A last bit of a choice changes no minibatch of the first term: half of an even number of
// components, rounded down from a share, would be one component fewer, which is another instance,
// and its violations would pass for rounding.
func TestMinibatchOfAFirstTermIsNoRoundedShare(t *testing.T) {
	half := 0
	for seed := range uint64(60) {
		minibatch := func(bits float64) (P, b int) {
			r := rand.New(rand.NewPCG(seed, 1))
			in := drawFirstTerm(props.NewSource(func(c props.Choice) float64 {
				u := r.Float64()
				switch {
				case c.Name == "b" || c.Name == "b / n":
					u = 1 // the most, half of the components
				case c.Int:
					return c.At(u)
				}
				v := c.At(u)
				return v - bits*(math.Nextafter(v, math.Inf(1))-v)
			}), problems.Sizes(520, 1000), 0.4, 0.5)
			return in.P, in.b
		}
		P, b := minibatch(0)
		if 2*b == P {
			half++
		}
		for bits := 1.0; bits <= 16; bits *= 2 {
			if _, other := minibatch(bits); other != b {
				t.Fatalf(
					"seed %d: %d of %d components, and %d where choices are %v last places smaller",
					seed, b, P, other, bits)
			}
		}
	}
	if half < 15 {
		t.Errorf("half of the components in %d of 60 minibatches only", half)
	}
}
