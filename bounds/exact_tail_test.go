package bounds

import (
	"math"
	"math/big"
	"testing"
)

// The counts of a short path are those of all sequences of minibatches, with the rows of the table
// as the algorithm keeps them.
func TestExceedingCountsAllSequences(t *testing.T) {
	for _, c := range []struct{ m, T, t1 int }{{1, 7, 4}, {2, 5, 5}, {2, 6, 3}} {
		n := 2 * c.m
		bend := func(i int) float64 { return 0.5 - float64(i/c.m) } // of component i, over ζ
		for _, K := range []float64{0.1, 0.3, 0.7, 1.01} {
			count, all := int64(0), int64(1)
			for range c.T {
				all *= int64(n)
			}
			for code := range all {
				rows, above := make([]float64, n), false
				for step, left := 1, code; step <= c.T; step, left = step+1, left/int64(n) {
					drawn, v := int(left%int64(n)), 0.0
					for i := range rows {
						// the gradients move by their bend in a step of length 1
						rows[i] += bend(drawn)
						if i == drawn {
							rows[i] = bend(i) * float64(step)
						}
						v += rows[i] / float64(n)
					}
					above = above || v*v > K*float64(min(step, c.t1)) // the mean gradient stays 0
				}
				if above {
					count++
				}
			}
			if got := exceeding(c.m, c.T, c.t1, K); got.Cmp(big.NewRat(count, all)) != 0 {
				t.Errorf("m = %d, T = %d, T_1 = %d, K = %v: %v, counted %d of %d", c.m, c.T, c.t1,
					K, got, count, all)
			}
		}
	}
	if all := 26 * math.Log2(4); all >= 63 {
		t.Errorf("2^%v sequences are too many to count", all)
	}
}
