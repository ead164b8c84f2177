package props

import (
	"context"
	"fmt"
	"testing"
)

// The level of a run is divided among the tests that there are, in steps of a factor two.
func TestLevelsFollowTheTests(t *testing.T) {
	for tests, want := range map[int]int{0: 256, 1: 256, 256: 256, 257: 512, 690: 1024, 1024: 1024,
		5000: 8192} {
		if got := Slots(tests); got != want {
			t.Errorf("%d tests get %d slots, want %d", tests, got, want)
		}
	}
	var claims []Claim
	for i := range 300 {
		claims = append(claims, Claim{ID: fmt.Sprint("c", i), Check: uniformTail(0.5)})
	}
	n := Tests(claims, Quick)
	whole, err := Run(context.Background(), claims[:2], Config{Tests: n})
	if err != nil {
		t.Fatal(err)
	}
	part, err := Run(context.Background(), claims[:2], Config{})
	if err != nil {
		t.Fatal(err)
	}
	if a, b := whole[0].Evidence[0].Level,
		part[0].Evidence[0].Level; a != DefaultAlpha/float64(Slots(n)) ||
		b != DefaultAlpha/256 {
		t.Errorf("levels %v and %v", a, b)
	}
	// A token brings the level along.
	for _, r := range [][]Result{whole, part} {
		ev, _, err := Replay(claims, r[0].Evidence[0].Replay)
		if err != nil || ev.Level != r[0].Evidence[0].Level ||
			ev.Trials != r[0].Evidence[0].Trials {
			t.Errorf("replay: %v, %+v, want %+v", err, ev, r[0].Evidence[0])
		}
	}
}

// No tier refuses a run of more tests than there were once slots.
func TestManyTestsAreNoReasonToRefuse(t *testing.T) {
	var checks []Check
	for range 1100 {
		checks = append(checks, Tail(func(*Source) TailTrial { return TailTrial{Delta: 1} }))
	}
	if _, err := Run(context.Background(), []Claim{{ID: "a", Check: All(checks...)}},
		Config{}); err != nil {
		t.Error(err)
	}
}
