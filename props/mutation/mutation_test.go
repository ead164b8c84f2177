package mutation

import (
	"context"
	"math"
	"reflect"
	"testing"

	"sledge/props"
)

func claims() []props.Claim {
	inequality := func(id string, expect props.Verdict, bound float64) props.Claim {
		return props.Claim{ID: id, Expect: expect,
			Check: props.Inequality(func(s *props.Source, rec *props.Recorder) {
				n, x := s.Int("n", 2, 20), s.Real("x", 0.5, 1)
				rec.AtMost("nx", float64(n)*x, bound*float64(n))
			})}
	}
	return []props.Claim{
		inequality("tight", props.Consistent, 1),
		{ID: "rounded", Expect: props.Consistent,
			Check: props.Inequality(func(s *props.Source, rec *props.Recorder) {
				// an equality whose bound is a little low, as by rounding
				n := float64(s.Int("n", 2, 20))
				rec.AtMost("n", n, n*(1-1e-15))
			})},
		inequality("loose", props.Consistent, 4),
		inequality("loose/sharper", props.Consistent, 1),
		inequality("false", props.Refuted, 0.9),
		{ID: "equal", Expect: props.Consistent,
			Check: props.Identity(func(s *props.Source, rec *props.Recorder) {
				n := float64(s.Int("n", 2, 20))
				rec.Equal("2n", n+n, 2*n)
			})},
		{ID: "true", Expect: props.Proved,
			Check: props.Exact("one", func(rec *props.Recorder) { rec.Truth("so it is", true) })},
		{ID: "chance", Expect: props.Supported,
			Check: props.Tail(func(s *props.Source) props.TailTrial {
				return props.TailTrial{Delta: 0.1,
					Run: func(t props.Trial, rec *props.Recorder) {
						rec.AtMost("u", t.Key.Rand().Float64(), 4)
					}}
			})},
	}
}

// What is known of each claim after its mutants: how tight it is, and what cannot be noticed.
func TestRowsTellHowTightClaimsAre(t *testing.T) {
	rows, err := Run(context.Background(), claims(), Config{Config: props.Config{Workers: 2}})
	if err != nil {
		t.Fatal(err)
	}
	by := map[string]*Row{}
	for i := range rows {
		by[rows[i].Claim] = &rows[i]
	}
	for id, want := range map[string]struct {
		pinned            float64
		weaker            bool
		sharper           float64
		stronger, noticed int
	}{
		"tight": {1, false, 0, 5, 3}, "rounded": {1, false, 0, 3, 3}, "loose": {4, false, 1, 5, 2},
		"equal": {1, true, 0, 3, 3}, "false": {1 / 0.9, true, 0, 5, 0}, "true": {0, false, 0, 0, 0},
		"chance": {5, false, 0, 2, 0},
	} {
		r := by[id]
		stronger, noticed := r.Count(Stronger)
		if math.Abs(r.Pinned-want.pinned) > 1e-6 || r.Weaker != want.weaker ||
			math.Abs(r.Sharper-want.sharper) > 1e-6 ||
			stronger != want.stronger || noticed != want.noticed {
			t.Errorf("%s: %d of %d stronger mutants noticed, %+v, want %+v", id, noticed,
				stronger, r, want)
		}
	}
	again, err := Run(context.Background(), claims(), Config{Config: props.Config{Workers: 1}})
	if err != nil || !reflect.DeepEqual(rows, again) {
		t.Errorf("one worker: %v, %+v", err, again)
	}
}
