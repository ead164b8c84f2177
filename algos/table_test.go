package algos_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"sledge/algos"
)

// A table holds the vectors that were stored, whether or not there are more bases than were
// expected.
func TestTableHoldsWhatWasStored(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(1, 30).Draw(t, "n"),
			rapid.SampledFrom([]int{1, 3, 1 << 18}).Draw(t, "d")
		table, want := algos.NewTable(n, d, rapid.IntRange(0, 2*n).Draw(t, "expected bases")),
			make([]float64, n)
		components := rapid.SliceOfDistinct(rapid.IntRange(0, n-1), func(i int) int { return i })
		for range rapid.IntRange(0, 15).Draw(t, "stores") {
			c := float64(rapid.IntRange(1, 9).Draw(t, "base"))
			batch := components.Draw(t, "batch")
			table.Store(batch, c)
			for _, i := range batch {
				want[i] = c
			}
			asked := components.Draw(t, "asked")
			sum, got := 0.0, make([]float64, d)
			for _, i := range asked {
				sum += want[i]
			}
			if table.AddBases(got, 1, asked); floats.Min(got) != sum || floats.Max(got) != sum {
				t.Fatalf("bases of %v add up to numbers from %v to %v, want %v", asked,
					floats.Min(got), floats.Max(got), sum)
			}
		}
	})
}
