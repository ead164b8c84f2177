package verify

import (
	"fmt"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sledge/props"
	"sledge/reports"
)

// However a run is divided, every claim is checked once: whole, or in slices of which each is made
// once. No shard has more to do than its share and the longest piece of work, and all shards see
// the same plan.
func TestEveryPlanIsWhole(t *testing.T) {
	check := props.Slope(func(*props.Source) props.SlopeTrial {
		return props.SlopeTrial{X: []float64{1, 10, 100, 1000},
			Run: func(props.Trial, float64) float64 { return 1 }}
	})
	plans := 0
	rapid.Check(t, func(t *rapid.T) {
		plans++
		var claims []props.Claim
		var costs []reports.Cost
		for i := range rapid.IntRange(1, 30).Draw(t, "claims") {
			c := props.Claim{ID: fmt.Sprint("c", i), Check: check}
			claims = append(claims, c)
			if rapid.Bool().Draw(t, "known") {
				costs = append(costs, reports.Cost{Claim: c.ID,
					Seconds: []float64{rapid.Float64Range(0, 100).Draw(t, "seconds")},
					Runs:    []int{rapid.IntRange(0, 40).Draw(t, "runs")}})
			}
		}
		K := rapid.IntRange(1, 20).Draw(t, "shards")
		p := divide(claims, costs, K)
		if again := divide(claims, costs, K); p.digest() != again.digest() {
			t.Fatal("another plan")
		}
		whole, sliced := map[string]int{}, map[string][]int{}
		for k := range K {
			for _, i := range p.claims[k] {
				whole[claims[i].ID]++
			}
			for _, s := range p.slices[k] {
				sliced[s.Claim] = append(sliced[s.Claim], s.K)
				if s.Of < 2 || s.Runs[0] < 2*s.Of {
					t.Fatalf("slice %+v", s)
				}
			}
		}
		sum := p.rest
		for _, s := range p.seconds {
			sum += s
		}
		if sum < p.total*(1-1e-9) || sum > p.total*(1+1e-9) {
			t.Fatalf("%v seconds are planned of %v", sum, p.total)
		}
		longest := 0.0
		for i := range claims {
			id := claims[i].ID
			parts := sliced[id]
			slices.Sort(parts)
			for k, part := range parts {
				if part != k+1 {
					t.Fatalf("slices %v of %s", parts, id)
				}
			}
			if whole[id] > 1 || (whole[id] == 1) == (len(parts) > 0) {
				t.Fatalf("%s is checked %d times as a whole, and in slices %v", id,
					whole[id], parts)
			}
			cost, known := 1.0, 0.0
			for _, c := range costs {
				known += c.Total()
			}
			if known > 0 {
				cost = known / float64(len(costs))
			}
			for _, c := range costs {
				if c.Claim == id {
					cost = c.Total()
				}
			}
			longest = max(longest, cost/float64(max(1, len(parts))))
		}
		if most := slices.Max(p.seconds); most > (p.total/float64(K)+longest)*(1+1e-9) {
			t.Fatalf("a shard has %v seconds, of %v in all, the longest piece %v", most,
				p.total, longest)
		}
	})
	if plans < 10 {
		t.Errorf("only %d plans were made", plans)
	}
}
