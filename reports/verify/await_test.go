package verify

import (
	"context"
	"errors"
	"strings"
	"testing"
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

// An action that does not heed its context is left behind two seconds after that at most; one that
// does has its own words, and one that was ready has its own end.
func TestEnded(t *testing.T) {
	for name, c := range map[string]struct {
		f    func(ctx context.Context) error
		want string
	}{
		"deaf": {func(context.Context) error { select {} }, "interrupted; nothing was written"},
		"heeds": {func(ctx context.Context) error {
			<-ctx.Done()
			return Exitf(Interrupted, "half")
		}, "half"},
		"ready": {func(ctx context.Context) error { <-ctx.Done(); return nil }, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ctx, cancel := context.WithCancel(t.Context())
			time.AfterFunc(10*time.Millisecond, cancel)
			began := time.Now()
			err := ended(ctx, func() error { return c.f(ctx) })
			if took := time.Since(began); took > 2*time.Second || name == "deaf" && took < grace {
				t.Errorf("it ended after %v", took)
			}
			said := ""
			if err != nil {
				said = err.Error()
			}
			if said != c.want {
				t.Errorf("%q, want %q", said, c.want)
			}
		})
	}
	if err := ended(t.Context(), func() error { return nil }); err != nil {
		t.Error(err)
	}
}
