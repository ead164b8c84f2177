package keyed_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"sledge/props/keyed"
)

// The generator gives what the one of the standard library gives, one number at a time or many
// bounded ones.
func TestPCGIsTheStandardOne(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		key := keyed.New(rapid.Uint64().Draw(t, "seed"))
		ours := key.PCG()
		theirs := rand.New(rand.NewPCG(keyed.Words(key)))
		for range 40 {
			if got, want := ours.Uint64(), theirs.Uint64(); got != want {
				t.Fatalf("%#x, want %#x", got, want)
			}
			n := rapid.OneOf(rapid.IntRange(0, 70), rapid.IntRange(0, math.MaxInt),
				rapid.IntRange(1<<61, math.MaxInt)).Draw(t, "n")
			got := make([]int, rapid.IntRange(0, min(n, 70)).Draw(t, "size"))
			ours.Descending(got, n)
			for i, v := range got {
				if want := theirs.IntN(n - i); v != want {
					t.Fatalf("%d below %d, want %d", v, n-i, want)
				}
			}
		}
	})
}

func TestDescendingRefusesBounds(t *testing.T) {
	for _, n := range []int{-1, 2} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("no panic for 3 numbers from %d on", n)
				}
			}()
			keyed.New(1).PCG().Descending(make([]int, 3), n)
		}()
	}
}
