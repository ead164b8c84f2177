package verbs

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"sledge/algos"
)

// slowly is a problem whose gradients take until the end of the test.
type slowly struct{ until chan struct{} }

func (s slowly) Components() int { return 3 }
func (s slowly) Dim() int        { return 2 }
func (s slowly) Gradient(dst, _ []float64, _ int) {
	<-s.until
	clear(dst)
}

// What waits for data, or is in the middle of a step, does not keep an interrupted command from ending.
func TestAwait(t *testing.T) {
	if err := await(t.Context(), func() error { return nil }); err != nil {
		t.Errorf("a success became %v", err)
	}
	mistake := errors.New("mistake")
	if err := await(t.Context(), func() error { return mistake }); err != mistake {
		t.Errorf("an error became %v", err)
	}
	func() {
		defer func() {
			text, _ := recover().(string)
			if !strings.HasPrefix(text, "out of range") || !strings.Contains(text, "await_test.go") {
				t.Errorf("a panic became %q", text)
			}
		}()
		await(t.Context(), func() error { panic("out of range") })
	}()
	ctx, stop := context.WithCancel(t.Context())
	until := make(chan struct{})
	defer close(until)
	time.AfterFunc(20*time.Millisecond, stop)
	err := await(ctx, func() error {
		entrant := algos.Enter(algos.Sum(slowly{until}), []float64{1, 1},
			func(eta float64) algos.Method { return &algos.GD{Eta: eta} })
		_, err := algos.Race(ctx, []algos.Entrant{entrant},
			algos.RaceOptions{Etas: []float64{1}, Limits: algos.Limits{Steps: 1}})
		return err
	})
	if err == nil || !strings.HasPrefix(err.Error(), "interrupted") {
		t.Errorf("an interrupted race ends with %v", err)
	}
}
