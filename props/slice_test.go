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

// divided are checks that can be divided, and three beside them that cannot. Runs are counted.
func divided(made *atomic.Int64) []Claim {
	toss := func(t Trial) float64 { made.Add(1); return t.Key.Rand().Float64() }
	sweep := func(growth float64) SlopeTrial {
		run := func(t Trial, x float64) float64 {
			u := toss(t)
			t.Content(u)
			return (0.9 + 0.2*u) * math.Pow(x, growth)
		}
		control := Beside{"control", func(t Trial, x float64) float64 { return 1 + toss(t) }}
		return SlopeTrial{X: []float64{1, 4, 16, 64, 256}, YLabel: "y/x", XLabel: "x", Run: run,
			Of: OfMedian, Control: &control, Regime: Regime{Matter: "tosses", Least: 0.1},
			Beside: []Beside{{"other", func(t Trial, x float64) float64 {
				return x + toss(t)
			}}}, Law: func(x float64) float64 { return x }}
	}
	slope := func(growth float64) Check {
		return Slope(func(*Source) SlopeTrial { return sweep(growth) })
	}
	return []Claim{
		{ID: "slope", Check: slope(0)},
		{ID: "wrong", Expect: Refuted, Check: slope(1)},
		{ID: "parts", Check: All(slope(0), Inequality(func(s *Source, rec *Recorder) {
			x := s.Real("x", 0, 1)
			rec.AtMost("square", x*x, x)
		}))},
		{ID: "drawn", Check: Slope(func(s *Source) SlopeTrial {
			t := sweep(0)
			t.Margin = s.Real("margin", 0.1, 0.2)
			return t
		})},
		{ID: "mean", Check: Mean(func(*Source) MeanTrial {
			return MeanTrial{Claimed: 0.6, Relation: LE, Hi: 1, Run: toss}
		})},
		{ID: "searched", Check: Inequality(func(s *Source, rec *Recorder) {
			x := s.Real("x", 0, 1)
			rec.AtMost("square", x*x, x)
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
		can := Divisible(c.Check)[0]
		if want := c.ID != "drawn" && c.ID != "mean" && c.ID != "searched"; can != want {
			t.Errorf("%s can be divided: %t", c.ID, can)
		}
		if !can {
			continue
		}
		want, whole := run(c, cfg)
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
				kept.Kept = map[string][]uint64{}
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

// A run that cannot be made ends its slice, and what holds nothing is made anew.
func TestSlicesThatFail(t *testing.T) {
	bad := Claim{ID: "bad", Check: Slope(func(*Source) SlopeTrial {
		return SlopeTrial{X: []float64{1, 10, 100, 1000}, Run: func(t Trial, x float64) float64 {
			if t.N == 3 {
				return -1
			}
			return 1
		}}
	})}
	_, sliced, err := RunSlices(context.Background(), nil, Divide(&bad, 2, []int{10}), Config{})
	if err != nil || sliced[0].Err != "" || !strings.Contains(sliced[1].Err,
		"seed 3 gives -1 at 1, not a positive number") {
		t.Errorf("%+v, %v", sliced, err)
	}
	var made atomic.Int64
	c := divided(&made)[0]
	cfg := Config{Kept: map[string][]uint64{}}
	_, sliced, err = RunSlices(context.Background(), nil, Divide(&c, 1, []int{50}), cfg)
	if err != nil {
		t.Fatal(err)
	}
	for name := range sliced[0].Kept {
		cfg.Kept[name] = []uint64{1, 2}
	}
	got, err := Run(context.Background(), []Claim{c}, cfg)
	want, err2 := Run(context.Background(), []Claim{c}, Config{})
	if err != nil || err2 != nil || got[0].Verdict != want[0].Verdict ||
		got[0].Evidence[0].Measured != want[0].Evidence[0].Measured {
		t.Errorf("%+v, %v, want %+v, %v", got, err, want, err2)
	}
}
