package calibration

import (
	"context"
	"math/rand/v2"
	"reflect"
	"strings"
	"testing"

	"sledge/props"
)

// posed poses the statement that half of the places are bad, which is refuted where they are.
func posed(limits ...Limit) Statement {
	return Statement{Name: "half", Kind: "needle", Runs: 200, Limits: limits,
		Check: func(r *rand.Rand) props.Check {
			bad := r.IntN(2) == 0
			return props.Inequality(func(_ *props.Source, rec *props.Recorder) {
				m := 1.0
				if bad {
					m = 3
				}
				rec.AtMost("m", m, 2)
			})
		}}
}

// A rate is judged by its interval, upwards and downwards, and does not depend on the workers.
func TestLimitsAreJudgedByIntervals(t *testing.T) {
	battery := []Statement{posed(atMost(0.5, refuted), atMost(0.2, refuted), atLeast(0.5, passed),
		atLeast(0.9, passed), never(refuted), never(supported))}
	rows, err := Run(context.Background(), battery, Config{Workers: 1})
	if err != nil {
		t.Fatal(err)
	}
	row := rows[0]
	if row.Runs != 200 || row.Satisfied() ||
		row.Verdicts[props.Refuted]+row.Verdicts[props.Consistent] != 200 {
		t.Errorf("%+v", row)
	}
	for i, want := range []bool{true, false, true, false, false, true} {
		if o := row.Outcomes[i]; o.Satisfied != want || o.Low > o.Rate || o.High < o.Rate {
			t.Errorf("limit %d: %+v, want satisfied %v", i, o, want)
		}
	}
	again, err := Run(context.Background(), battery, Config{Workers: 4})
	if err != nil || !reflect.DeepEqual(rows, again) {
		t.Errorf("four workers give %+v, %v", again, err)
	}
}

// The battery has a name and a demand for each statement, and names are not used twice: they key
// the seeds.
func TestBatteryIsInOrder(t *testing.T) {
	names := map[string]bool{}
	for _, s := range Battery() {
		if s.Name == "" || s.Kind == "" || s.Truth == "" || s.Runs < 1 || len(s.Limits) == 0 ||
			names[s.Name] {
			t.Errorf("%+v", s)
		}
		names[s.Name] = true
	}
}

// The battery in short: the demands are judged by exact intervals, and the seeds are fixed.
func TestBattery(t *testing.T) {
	if testing.Short() {
		t.Skip("hundreds of checks are run: seconds")
	}
	battery := Battery()
	for i := range battery {
		battery[i].Runs = min(battery[i].Runs, 12)
	}
	rows, err := Run(context.Background(), battery, Config{Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	for _, r := range rows {
		if !r.Satisfied() {
			t.Errorf("%s: %v, %+v", r.Name, r.Verdicts, r.Outcomes)
		}
	}
}

// Whole runs count what is refuted though it is expected to stand, and what else is not as
// expected.
func TestWholeRuns(t *testing.T) {
	claim := func(id string, bound float64, expect props.Verdict) props.Claim {
		return props.Claim{ID: id, Expect: expect,
			Check: props.Inequality(func(s *props.Source, rec *props.Recorder) {
				rec.AtMost("x", s.Real("x", 0, 1), bound)
			})}
	}
	w, err := RunWhole(context.Background(),
		[]props.Claim{claim("a", 1, props.Consistent), claim("b", 0.5, props.Consistent),
			claim("c", 0.5, props.Refuted),
			claim("d", 1, props.Refuted)},
		[]uint64{3, 4}, props.Config{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(w.Refuted) != 1 || !reflect.DeepEqual(w.Refuted["b"], []uint64{3, 4}) ||
		len(w.Unexpected) != 2 ||
		w.Verdicts[props.Refuted] != 4 || w.Seeds != 2 {
		t.Errorf("%+v", w)
	}
	if what := w.Unexpected["d"][0].What; !strings.Contains(what[0],
		"consistent, expected to be refuted") {
		t.Errorf("%q", what)
	}
}
