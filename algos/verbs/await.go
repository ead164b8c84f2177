package verbs

import (
	"context"
	"fmt"
	"runtime/debug"

	"sledge/reports/verify"
)

// await returns what f returns, or ends the command as soon as it is interrupted: f, which may be waiting for data or
// be in the middle of a long step, is left behind then, and what it finds is dropped.
func await(ctx context.Context, f func() error) error {
	type end struct {
		err      error
		panicked string
	}
	done := make(chan end, 1)
	go func() {
		var e end
		defer func() {
			if p := recover(); p != nil {
				e.panicked = fmt.Sprintf("%v\n%s", p, debug.Stack())
			}
			done <- e
		}()
		e.err = f()
	}()
	var e end
	select {
	case e = <-done:
	case <-ctx.Done():
	}
	switch {
	case ctx.Err() != nil:
		return verify.Exitf(verify.Interrupted, "interrupted before the race was over; nothing was written")
	case e.panicked != "":
		panic(e.panicked)
	}
	return e.err
}
