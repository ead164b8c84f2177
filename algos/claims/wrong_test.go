package claims

import (
	"testing"

	"sledge/props"
	"sledge/props/proptest"
)

// formally compares the error of the literal rows with a decomposition of it, for Option II, all functions and all tiny
// sequences of minibatches.
func formally(right func(n int, y [][]form, batches [][]int, t int) form) props.Check {
	return props.Exact(tinyDomain, func(rec *props.Recorder) {
		tiny(1, func(n int, batches [][]int) {
			y := sledgeTables(forms{}, anyGradients, n, batches)
			for t := 1; t < len(batches); t++ {
				err := average(forms{}, y[t]).minus(fullGradient(forms{}, anyGradients, n, t))
				recordZero(rec, "error − decomposition", err.minus(right(n, y, batches, t)))
			}
		})
	})
}

// The checks notice statements that are a little wrong.
func TestWrongStatementsAreRefuted(t *testing.T) {
	proptest.Refuted(t, map[string]props.Check{
		"ζ ≤ 1.9 L":                          checkZeta(1.9),
		"strong convexity gives PL with 2.1": checkStrongConvexity(2.1),
		"mean update with the shift after the step": props.Exact(tinyDomain,
			func(rec *props.Recorder) { meanUpdates(rec, true) }),
		"error without the steps before the last two": formally(func(n int, y [][]form, batches [][]int, t int) form {
			return decomposition(forms{}, anyGradients, y[0], batches, t, func(s int) []int {
				if s+2 <= t {
					return nil
				}
				return unsampled(n, batches[s:t+1]...)
			})
		}),
		"error with sets from s + 1": formally(func(n int, y [][]form, batches [][]int, t int) form {
			return decomposition(forms{}, anyGradients, y[0], batches, t, func(s int) []int {
				return unsampled(n, batches[s+1:t+1]...)
			})
		}),
		"error that vanishes": formally(func(int, [][]form, [][]int, int) form { return nil }),
		"SAGA's target with sets up to t − 1": props.Exact(tinyDomain, func(rec *props.Recorder) {
			tiny(1, func(n int, batches [][]int) {
				for t := 1; t < len(batches); t++ {
					left := target(forms{}, anyGradients, n, t, lastSampled(n, batches, t))
					recordZero(rec, "target", left.minus(telescope(forms{}, anyGradients, n, batches, t, t-1)))
				}
			})
		}),
	})
}
