package verify

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"
)

// What waits for data, or is in the middle of a step, does not keep an interrupted command from ending.
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
			if !strings.HasPrefix(text, "out of range") || !strings.Contains(text, "await_test.go") {
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
