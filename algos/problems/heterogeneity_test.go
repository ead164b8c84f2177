package problems

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Deviations of components cancel in their mean to the last digits of the largest, also where the
// draws that they are made of nearly agree.
func TestDeviationsCancel(t *testing.T) {
	h := Heterogeneity{Pattern: Random, Linear: 1, Amplitude: 1}
	for seed := range uint64(20000) {
		r := rand.New(rand.NewPCG(seed, 2))
		numbers, sum := h.amplitudes(2, r), 0.0
		for _, v := range h.vectors(2, 1, r) {
			sum += v[0]
		}
		if deviation := max(math.Abs(numbers[0]+numbers[1]), math.Abs(sum)); deviation > 1e-15 {
			t.Fatalf("seed %d: a sum of %v", seed, deviation)
		}
	}
}
