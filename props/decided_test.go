package props

import (
	"math"
	"sync/atomic"
	"testing"

	"sledge/props/certificate"
)

// TestPlainViolationsEndSearches: what fails in every run is not searched further, also where the
// first runs of an instance are too few to show it; what fails only as often as it may is.
func TestPlainViolationsEndSearches(t *testing.T) {
	for effort, wide := range map[float64]int{0.25: screenedDear[Quick], 1: screened[Quick]} {
		var made atomic.Int64
		fails := func(share float64) Check {
			return Tail(func(s *Source) TailTrial {
				s.Real("x", 0, 1)
				return TailTrial{Delta: 0.1, Run: func(t Trial, rec *Recorder) {
					made.Add(1)
					rec.Truth("u > share", t.Key.Rand().Float64() > share)
				}}
			}).Effort(effort)
		}
		for seed := range uint64(20) {
			made.Store(0)
			r := runOne(t, seed, Quick, fails(0.9))
			if r.Verdict != Refuted || r.Evidence[0].Instances > wide || made.Load() > 600 {
				t.Errorf("effort %v, seed %d: %v after %d instances and %d runs", effort, seed,
					r.Verdict, r.Evidence[0].Instances, made.Load())
			}
		}
		made.Store(0)
		if r := runOne(t, 1, Quick, fails(0.05)); r.Verdict != Supported ||
			r.Evidence[0].Instances < wide {
			t.Errorf("effort %v: %v after %d instances and %d runs", effort, r.Verdict,
				r.Evidence[0].Instances, made.Load())
		}
	}
}

// TestPlainMissesAreTestedWhereTheyAreCheap: of times that are plainly missed everywhere the short
// ones are followed, and only where they are missed plainly.
func TestPlainMissesAreTestedWhereTheyAreCheap(t *testing.T) {
	check := func(missed func(horizon int) float64) Check {
		return Hitting(func(s *Source) HittingTrial {
			horizon := s.LogInt("horizon", 10, 100000)
			return HittingTrial{Horizon: horizon, Delta: 0.2, Run: func(t Trial) (int, bool) {
				return horizon / 2, t.Key.Rand().Float64() > missed(horizon)
			}}
		}).Effort(0.25)
	}
	everywhere := func(int) float64 { return 0.9 }
	long := func(horizon int) float64 {
		if horizon < 1000 {
			return 0.05
		}
		return 0.9
	}
	for seed := range uint64(20) {
		if r := runOne(t, seed, Quick, check(everywhere)); r.Verdict != Refuted ||
			r.Evidence[0].Claimed > 100 {
			t.Errorf("seed %d: %v, at horizon %v", seed, r.Verdict, r.Evidence[0].Claimed)
		}
		if r := runOne(t, seed, Quick, check(long)); r.Verdict != Refuted ||
			r.Evidence[0].Claimed < 1000 {
			t.Errorf("seed %d: %v, at horizon %v", seed, r.Verdict, r.Evidence[0].Claimed)
		}
	}
}

// TestWhatNeverHappensIsTestedOnFewer: where no run of the search has met the event half of the
// instances are tested, rounded up, and one beside a proof; those without content do not count.
func TestWhatNeverHappensIsTestedOnFewer(t *testing.T) {
	// The search sees content on all instances, a test does so where x is at least dull.
	check := func(share, dull float64) Check {
		return Tail(func(s *Source) TailTrial {
			x := s.Real("x", 0, 1)
			regime := Regime{Matter: "content", Least: 0.5}
			return TailTrial{Delta: 0.1, Regime: regime, Run: func(t Trial, rec *Recorder) {
				if x >= dull || t.N < 20 {
					t.Content(1)
				} else {
					t.Content(0)
				}
				rec.Truth("u ≥ share", t.Key.Rand().Float64() >= share)
			}}
		})
	}
	proof := func(Tier) (*certificate.Certificate, string) {
		return &certificate.Certificate{Kind: "k", Scope: certificate.All, Covers: "all"}, ""
	}
	for seed := range uint64(12) {
		for _, c := range []struct {
			what string
			c    Check
			want int
		}{
			{"never", check(0, 0), 2},
			{"now and then", check(0.02, 0), 3},
			{"never, and proved", Settled(check(0, 0), proof), 1},
			{"never, and proved, without content here and there", Settled(check(0, 0.2), proof), 1},
		} {
			results, err := Run(t.Context(), []Claim{{ID: "a", Check: c.c, Expect: Supported}},
				Config{Seed: seed, Check: accept})
			if err != nil {
				t.Fatal(err)
			}
			if got := &results[0]; len(got.Evidence) != c.want || got.Verdict == Vacuous {
				t.Errorf("seed %d: what happens %s is %v on %d instances, not %d", seed, c.what,
					got.Verdict, len(got.Evidence), c.want)
			}
		}
	}
}

// TestSteadyGrowthIsShakenSixteenTimes: a growth that no run loses when its last bits move is
// refuted after sixteen perturbed runs, and one that a third of the runs loses after no fewer than
// there are is not.
func TestSteadyGrowthIsShakenSixteenTimes(t *testing.T) {
	for _, c := range []struct {
		lost    float64 // share of the runs that rest on rounding
		shaken  int64   // runs, at both ends in five arithmetics beside the first
		verdict Verdict
	}{{0, unmovedRuns, Refuted}, {0.34, steadyRuns, Inconclusive}} {
		var made atomic.Int64
		r := runOne(t, 1, Quick, Slope(func(*Source) SlopeTrial {
			return SlopeTrial{XLabel: "x", YLabel: "y", X: decades(1, 3, 7), Of: OfMedian,
				Run: func(t Trial, x float64) float64 {
					if t.Key.Trembles() {
						made.Add(1)
					}
					y := math.Sqrt(x)
					if float64((7*t.N)%50) < 50*c.lost {
						v := []float64{1}
						t.Key.Perturb(v)
						y *= 1 + math.Abs(v[0]-1)*0x1p52
					}
					return y
				}}
		}))
		runs := made.Load() / (2 * 5)
		if r.Verdict != c.verdict || runs < c.shaken || runs > c.shaken+8 {
			t.Errorf("%v of the runs rest on rounding: %v after %d shaken runs (%s)", c.lost,
				r.Verdict, runs, r.Evidence[0].Note)
		}
	}
}

// TestRunsAreRepeatedOnce: that runs share no state is looked at by one more run, and is noticed.
func TestRunsAreRepeatedOnce(t *testing.T) {
	var made atomic.Int64
	r := runOne(t, 1, Quick, Tail(func(*Source) TailTrial {
		return TailTrial{Delta: 0, Run: func(t Trial, rec *Recorder) {
			made.Add(1)
			rec.AtMost("u", t.Key.Rand().Float64(), 1)
		}}
	}).Effort(0.1))
	if n := int64(r.Evidence[0].Trials); made.Load() != n+1 {
		t.Errorf("%d runs for %d of a test", made.Load(), n)
	}
	// runs that remember which they are
	r = runOne(t, 1, Quick, Tail(func(*Source) TailTrial {
		made := 0
		return TailTrial{Delta: 0, Run: func(_ Trial, rec *Recorder) {
			made++
			rec.AtMost("runs on the instance", float64(made), 1e9)
		}}
	}).Effort(0.1))
	if r.Verdict != Error {
		t.Errorf("runs that share state: %v", r.Verdict)
	}
}
