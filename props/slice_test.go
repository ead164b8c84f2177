package props

import (
	"context"
	"encoding/json"
	"math"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// divided are checks of every kind that can be divided, and one beside each that cannot. Runs are
// counted.
func divided(made *atomic.Int64) []Claim {
	toss := func(t Trial) float64 { made.Add(1); return t.Key.Rand().Float64() }
	slope := func(growth float64) *Randomised {
		return Slope(func(*Source) SlopeTrial {
			run := func(t Trial, x float64) float64 { return (0.9 + 0.2*toss(t)) * math.Pow(x, growth) }
			control := Beside{"control", func(t Trial, x float64) float64 { return 1 + toss(t) }}
			return SlopeTrial{X: []float64{1, 4, 16, 64, 256}, YLabel: "y/x", XLabel: "x", Run: run,
				Of: OfMedian, Control: &control,
				Beside: []Beside{{"other", func(t Trial, x float64) float64 {
					return x + toss(t)
				}}}, Law: func(x float64) float64 { return x }}
		})
	}
	tail := Tail(func(*Source) TailTrial {
		return TailTrial{Delta: 0.3, Regime: Regime{Matter: "halves", Least: 0.1},
			Run: func(t Trial, rec *Recorder) {
				u := toss(t)
				t.Content(u)
				if u < 0.05 {
					rec.Skip("too small")
					return
				}
				rec.Plot("tosses", "x", "u")
				rec.Point(1, u, 0.8)
				rec.AtMost("toss", u, 0.8)
				rec.AtMost("half of it", u/2, math.Inf(1))
			}}
	})
	return []Claim{
		{ID: "tail", Check: All(tail, Inequality(func(s *Source, rec *Recorder) {
			x := s.Real("x", 0, 1)
			rec.AtMost("square", x*x, x)
		}))},
		{ID: "mean", Check: Mean(func(*Source) MeanTrial {
			return MeanTrial{Claimed: 0.6, Relation: LE, Hi: 1, Run: toss}
		})},
		{ID: "law", Check: Law(func(*Source) LawTrial {
			return LawTrial{CDF: func(x float64) float64 { return min(max(x, 0), 1) }, Run: toss}
		})},
		{ID: "hitting", Check: Hitting(func(*Source) HittingTrial {
			return HittingTrial{Delta: 0.2, Horizon: 10, Run: func(t Trial) (int, bool) {
				u := toss(t)
				return int(10 * u), u < 0.9
			}}
		})},
		{ID: "slope", Check: slope(0)},
		{ID: "wrong", Expect: Refuted, Check: slope(1)},
		{ID: "drawn", Check: Mean(func(s *Source) MeanTrial {
			top := s.Real("top", 1, 2)
			return MeanTrial{Claimed: top, Relation: LE, Hi: 3, Run: toss}
		})},
	}
}

// What slices have made is not made again, and however a claim is divided the result is the same to
// the last bit: whether the slices made as many runs as are wanted, fewer, or more.
func TestSlicesMakeTheWhole(t *testing.T) {
	var made atomic.Int64
	claims := divided(&made)
	cfg := Config{Seed: 5, Tier: Quick, Workers: 2, Tests: Tests(claims, Quick)}
	run := func(c Claim, cfg Config) (text string, runs int64) {
		before := made.Load()
		r, err := Run(context.Background(), []Claim{c}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		r[0].Claim.Check, r[0].Seconds, r[0].Cost = nil, 0, nil
		b, err := json.MarshalIndent(r, "", " ")
		if err != nil {
			t.Fatal(err)
		}
		return string(b), made.Load() - before
	}
	for _, c := range claims {
		want, whole := run(c, cfg)
		if c.ID == "drawn" {
			if d := Divisible(c.Check); d[0] {
				t.Errorf("%s: an instance that is drawn depends on a search", c.ID)
			}
			continue
		}
		if strings.Contains(want, `"outcome": "error"`) || whole == 0 {
			t.Fatalf("%s: %s", c.ID, want)
		}
		for of := 1; of <= 3; of++ {
			for _, foreseen := range []int{1, 20, 12000} {
				if testing.Short() && of < 3 && foreseen < 12000 {
					continue
				}
				slices := Divide(&c, of, []int{foreseen, 0})
				_, sliced, err := RunSlices(context.Background(), nil, slices, cfg)
				if err != nil {
					t.Fatal(err)
				}
				kept := cfg
				kept.Kept = map[string]json.RawMessage{}
				for _, s := range sliced {
					if s.Err != "" {
						t.Fatal(s.Err)
					}
					for name, out := range s.Kept {
						if kept.Kept[name] != nil {
							t.Errorf("%s: run %s is made twice", c.ID, name)
						}
						kept.Kept[name] = out
					}
				}
				got, rest := run(c, kept)
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s in %d slices of %d runs: %s", c.ID, of, foreseen, d)
				}
				if foreseen == 12000 && rest > 0 {
					t.Errorf("%s in %d slices: %d of %d runs are made again", c.ID, of, rest, whole)
				}
			}
		}
	}
}

// A run that cannot be made ends its slice, and what cannot be read is made anew.
func TestSlicesThatFail(t *testing.T) {
	bad := Claim{ID: "bad", Check: Mean(func(*Source) MeanTrial {
		return MeanTrial{Claimed: 0.5, Relation: LE, Hi: 1, Run: func(t Trial) float64 {
			if t.N == 3 {
				return 7
			}
			return 0
		}}
	})}
	_, sliced, err := RunSlices(context.Background(), nil, Divide(&bad, 2, []int{10}), Config{})
	if err != nil || sliced[0].Err != "" || !strings.Contains(sliced[1].Err,
		"run 3 returns 7, outside its certified range") {
		t.Errorf("%+v, %v", sliced, err)
	}
	var made atomic.Int64
	c := divided(&made)[1]
	cfg := Config{Kept: map[string]json.RawMessage{}}
	_, sliced, err = RunSlices(context.Background(), nil, Divide(&c, 1, []int{50}), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for name := range sliced[0].Kept {
		cfg.Kept[name] = json.RawMessage(`{"out": "nonsense"}`)
	}
	got, err := Run(context.Background(), []Claim{c}, cfg)
	want, err2 := Run(context.Background(), []Claim{c}, Config{})
	if err != nil || err2 != nil || got[0].Verdict != want[0].Verdict ||
		got[0].Evidence[0].Measured != want[0].Evidence[0].Measured {
		t.Errorf("%+v, %v, want %+v, %v", got, err, want, err2)
	}
}
