// Package parallel runs the pieces of a work side by side.
package parallel

import (
	"sync"
	"sync/atomic"
)

// Each calls f for 0, …, n−1 on so many goroutines, at least on one, and returns when all are over.
func Each(workers, n int, f func(i int)) {
	var next atomic.Int64
	var wait sync.WaitGroup
	for range min(n, max(1, workers)) {
		wait.Go(func() {
			for i := int(next.Add(1)) - 1; i < n; i = int(next.Add(1)) - 1 {
				f(i)
			}
		})
	}
	wait.Wait()
}
