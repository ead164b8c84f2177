package verify

import (
	"context"
	"fmt"
	"runtime/debug"
	"time"
)

// grace is how long an action may take to end once its context has: with the end of the process,
// whose memory may be large, it makes two seconds.
const grace = 1200 * time.Millisecond

// ended is [Await] for a whole action, which has a moment to end in its own words. What it writes
// to files is switched in one step each, and so may be cut off. The error says in the given words
// what was lost.
func ended(ctx context.Context, interrupted string, f func() error) error {
	late, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	stop := context.AfterFunc(ctx, func() {
		select {
		case <-time.After(grace):
			cancel()
		case <-late.Done():
		}
	})
	defer stop()
	return Await(late, interrupted, f)
}

const nothingWritten = "interrupted; nothing was written"

// Await returns what f returns, or ends the command as soon as ctx is cancelled: f, which may be
// waiting for data or be in the middle of a long step, is left behind then, and what it finds is
// dropped. The error says what was lost in the given words. Since f may go on after the command is
// over, as long as the process lives, it must not write to disk but through what the caller closes.
func Await(ctx context.Context, interrupted string, f func() error) error {
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
		return Exitf(Interrupted, "%s", interrupted)
	case e.panicked != "":
		panic(e.panicked)
	}
	return e.err
}
