package verbs

import (
	"math"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"sledge/algos"
)

// Curves of runs whose steps differ in cost run forwards, and each point shows what the runs had
// reached by then.
func TestLineByWhatIsSpent(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		result := algos.RaceResult{Name: "PAGE"}
		for range rapid.IntRange(1, 5).Draw(t, "runs") {
			spent, trace := int64(10), &algos.Trace{}
			for range rapid.IntRange(1, 20).Draw(t, "records") {
				trace.Records = append(trace.Records,
					algos.Record{Counts: algos.Counts{Gradients: spent}, Value: -float64(spent)})
				spent += rapid.SampledFrom([]int64{2, 100}).Draw(t, "cost of a step")
			}
			result.Traces = append(result.Traces, trace)
		}
		ax := axis{"gradients", math.Inf(1), gradientCount.of}
		l := line(result, 0, ax, func(r algos.Record) float64 { return r.Value })
		if len(l.X) == 0 {
			t.Fatal("an empty line")
		}
		for k, x := range l.X {
			if k > 0 && x <= l.X[k-1] {
				t.Fatalf("%v does not increase", l.X)
			}
			var want []float64
			for _, tr := range result.Traces {
				reached := math.Inf(1)
				for _, r := range tr.Records {
					if float64(r.Counts.Gradients) <= float64(x) {
						reached = r.Value
					}
				}
				want = append(want, reached)
			}
			slices.Sort(want)
			if got := float64(l.Median[k]); got != median(want) {
				t.Fatalf("%v at %v, want the median of %v", got, x, want)
			}
		}
	})
}
