package verify

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// What waits for data, or is in the middle of a step, does not keep an interrupted command from
// ending.
func TestAwait(t *testing.T) {
	if err := Await(t.Context(), "lost", func() error { return nil }); err != nil {
		t.Errorf("a success became %v", err)
	}
	mistake := errors.New("mistake")
	if err := Await(t.Context(), "lost", func() error { return mistake }); err != mistake {
		t.Errorf("an error became %v", err)
	}
	func() {
		defer func() {
			text, _ := recover().(string)
			if !strings.HasPrefix(text, "out of range") ||
				!strings.Contains(text, "await_test.go") {
				t.Errorf("a panic became %q", text)
			}
		}()
		Await(t.Context(), "lost", func() error { panic("out of range") })
	}()
	ctx, stop := context.WithCancel(t.Context())
	until := make(chan struct{})
	defer close(until)
	time.AfterFunc(20*time.Millisecond, stop)
	err := Await(ctx, "lost", func() error {
		<-until
		return nil
	})
	var s *status
	if !errors.As(err, &s) || s.code != Interrupted || s.message != "lost" {
		t.Errorf("an interrupted command ends with %v", err)
	}
}

// An action that does not heed its context is left behind after the grace; one that does has its
// own words, and one that was ready has its own end.
func TestEnded(t *testing.T) {
	until := make(chan struct{}) // of each case; made where the clock is its own
	for name, c := range map[string]struct {
		f    func(ctx context.Context) error
		want string
		took time.Duration
	}{
		"deaf": {func(context.Context) error { <-until; return nil }, nothingWritten, grace},
		"heeds": {func(ctx context.Context) error {
			<-ctx.Done()
			return Exitf(Interrupted, "half")
		}, "half", 0},
		"ready": {func(ctx context.Context) error { <-ctx.Done(); return nil }, "", 0},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				until = make(chan struct{})
				defer close(until)
				ctx, cancel := context.WithCancel(t.Context())
				const after = 10 * time.Millisecond
				time.AfterFunc(after, cancel)
				began := time.Now()
				err := ended(ctx, nothingWritten, func() error { return c.f(ctx) })
				if took := time.Since(began) - after; took != c.took {
					t.Errorf("it ended %v after its context, want %v", took, c.took)
				}
				said := ""
				if err != nil {
					said = err.Error()
				}
				if said != c.want {
					t.Errorf("%q, want %q", said, c.want)
				}
			})
		})
	}
	if grace > 2*time.Second {
		t.Errorf("the grace is %v, of the two seconds in which a call ends", grace)
	}
	if err := ended(t.Context(), nothingWritten, func() error { return nil }); err != nil {
		t.Error(err)
	}
}

// A call whose context is over says so and does nothing, whatever it would have to read: what reads
// is left behind.
func TestInterruptedReading(t *testing.T) {
	dir := t.TempDir()
	report, out := filepath.Join(dir, "report"), filepath.Join(dir, "out")
	app := toy(toys)
	var said bytes.Buffer
	if code := Main(t.Context(), app, []string{"-out", report}, &said, &said); code != OK {
		t.Fatalf("%d: %s", code, &said)
	}
	over, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range []string{"replay R", "check R", "check -v R", "check -again 3 R", "diff R R",
		"merge -out O R R", "errata -out O R", "baseline -out O R", "explain -report R sum",
		"shards -costs R", "list"} {
		said.Reset()
		line := strings.NewReplacer("R", report, "O", out).Replace(args)
		if code := Main(over, app, strings.Fields(line), &said, &said); code != Interrupted ||
			said.String() != "verify: "+nothingWritten+"\n" {
			t.Errorf("%s: exit status %d, %q", args, code, &said)
		}
	}
	if _, err := os.Stat(out); err == nil {
		t.Error("a call that was over before it began has written")
	}
}
