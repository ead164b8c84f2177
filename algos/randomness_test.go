package algos_test

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sledge/algos"
	"sledge/props/keyed"
)

// Whatever is lent, repeated or kept, Subset is a Fisher-Yates shuffle that goes on from call to
// call, on one stream for each purpose and one permutation for each purpose and length.
func TestSubsetIsOneShuffle(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		key := keyed.New(rapid.Uint64().Draw(rt, "seed"))
		r := algos.Keyed(key)
		streams := map[algos.Purpose]interface{ IntN(int) int }{}
		type place struct {
			p algos.Purpose
			n int
		}
		perms := map[place][]int{}
		for range rapid.IntRange(1, 6).Draw(rt, "calls") {
			at := place{rapid.SampledFrom([]algos.Purpose{algos.Batches, algos.Clients}).Draw(rt,
				"purpose"),
				rapid.SampledFrom([]int{1, 5, 12, 300, 70_000}).Draw(rt, "n")}
			if streams[at.p] == nil {
				streams[at.p] = key.With(at.p.String()).Rand()
			}
			if perms[at] == nil {
				perms[at] = make([]int, at.n)
				for i := range perms[at] {
					perms[at][i] = i
				}
			}
			want := perms[at][:rapid.IntRange(0, min(at.n, 40)).Draw(rt, "size")]
			for i := range want {
				j := i + streams[at.p].IntN(at.n-i)
				perms[at][i], perms[at][j] = perms[at][j], perms[at][i]
			}
			got := make([]int, len(want))
			if r.Subset(got, at.n, at.p); !slices.Equal(got, want) {
				t.Fatalf("subset of %d: %v, want %v", at.n, got, want)
			}
		}
	})
}
