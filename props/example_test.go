package props_test

import (
	"context"
	"fmt"
	"math"

	"sledge/props"
)

// Two statements about the mean of two numbers: a true one, and one that is wrong by a factor. The
// check is only the mathematics; the engine finds a counterexample of the false statement, makes it
// simple, and says how to see it again.
func Example() {
	mean := func(factor float64) props.Check {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			a, b := src.LogReal("a", 1e-3, 1e3), src.LogReal("b", 1e-3, 1e3)
			rec.AtMost("geometric mean", math.Sqrt(a*b), factor*(a+b)/2)
		})
	}
	claims := []props.Claim{
		{ID: "am-gm", Statement: "√(ab) ≤ (a+b)/2", Expect: props.Consistent, Check: mean(1)},
		{ID: "am-gm-half", Statement: "√(ab) ≤ (a+b)/4", Expect: props.Refuted, Check: mean(0.5)},
	}
	results, err := props.Run(context.Background(), claims, props.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for i := range results {
		r := &results[i]
		fmt.Printf("%s: %v, as expected: %v\n", r.Claim.ID, r.Verdict, r.AsExpected())
		if r.Verdict == props.Refuted {
			ev, _, err := props.Replay(claims, r.Evidence[0].Replay)
			if err != nil {
				fmt.Println(err)
				return
			}
			fmt.Printf("%s: %.3g %s %.3g fails at %s; a factor %.3g would do\n",
				ev.What, ev.Measured, ev.Relation, ev.Claimed, ev.Where, r.Evidence[0].Constant)
		}
	}
	// Output:
	// am-gm: consistent, as expected: true
	// am-gm-half: refuted, as expected: true
	// geometric mean: 1 <= 0.5 fails at a = 1, b = 1; a factor 2 would do
}

// A statement that holds with probability 0.95, tested on fresh randomness: sixteen fair coins
// rarely show thirteen heads.
func ExampleTail() {
	claim := props.Claim{ID: "heads", Expect: props.Supported,
		Check: props.Tail(func(src *props.Source) props.TailTrial {
			return props.TailTrial{Delta: 0.05, Run: func(t props.Trial, rec *props.Recorder) {
				coins, heads := t.Key.Rand(), 0
				for range 16 {
					heads += coins.IntN(2)
				}
				rec.AtMost("heads", float64(heads), 12)
			}}
		})}
	results, err := props.Run(context.Background(), []props.Claim{claim},
		props.Config{Tier: props.Standard})
	if err != nil {
		fmt.Println(err)
		return
	}
	ev := &results[0].Evidence[0]
	fmt.Println(results[0].Verdict, ev.High < 0.1)
	// Output: supported true
}
