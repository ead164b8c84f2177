package props

import (
	"context"
	"encoding/json"
	"math"
	"testing"

	"sledge/props/keyed"
)

// coin claims of tosses that come up with probability p that they do so with probability at most
// allowed.
func coin(p, allowed float64) *Randomised {
	return Tail(func(*Source) TailTrial {
		return TailTrial{Delta: allowed, Run: func(t Trial, rec *Recorder) {
			rec.AtMost("toss", t.Key.Rand().Float64(), p) // a violation has probability 1-p
		}}
	})
}

// seeds runs a claim on several seeds, and returns what each said as a report would hold it.
func seeds(t *testing.T, c Check, n int) []Result {
	t.Helper()
	var out []Result
	for seed := range uint64(n) {
		r, err := Run(context.Background(), []Claim{{ID: "c", Check: c}}, Config{Seed: seed})
		if err != nil {
			t.Fatal(err)
		}
		var back []Evidence
		text, err := json.Marshal(r[0].Evidence)
		if err == nil {
			err = json.Unmarshal(text, &back)
		}
		if err != nil {
			t.Fatal(err)
		}
		r[0].Evidence, r[0].Claim.Check = back, nil
		out = append(out, r[0])
	}
	return out
}

// A statement that is wrong by so little that no run refutes it is refuted by all of them together;
// one that is true, with equality, is not, and one that is true with room is supported where no run
// alone supports it.
func TestPooledEvidence(t *testing.T) {
	for _, c := range []struct {
		what          string
		p, allowed    float64
		alone, pooled Verdict
	}{
		{"false", 0.75, 0.2, Inconclusive, Refuted},
		{"true with equality", 0.8, 0.2, Inconclusive, Inconclusive},
		{"true with room", 0.85, 0.2, Inconclusive, Supported},
	} {
		rs := seeds(t, coin(c.p, c.allowed).Effort(0.1), 16)
		trials := 0
		for i := range rs {
			trials += rs[i].Evidence[0].Trials
			if rs[i].Verdict != c.alone {
				t.Errorf("%s: seed %d alone says %v", c.what, i, rs[i].Verdict)
			}
		}
		got := Pool(rs)
		if got.Verdict != c.pooled {
			t.Errorf("%s: all together say %v: %+v", c.what, got.Verdict, got.Evidence)
		}
		if last := got.Evidence[len(got.Evidence)-1]; last.Trials != trials {
			t.Errorf("%s: %d runs are counted, there were %d", c.what, last.Trials, trials)
		}
	}
}

// The pooled e-value has expectation at most 1 where the statement holds with equality, however the
// runs stop and whatever of their tests is reported.
func TestPooledLevel(t *testing.T) {
	const repetitions, runs, tested, most = 4000, 3, 2, 60
	const delta, level = 0.2, 0.05
	key := keyed.New(7)
	refuted := 0
	for rep := range repetitions {
		var rs [][]Evidence
		for s := range runs {
			var list []Evidence
			for k := range tested {
				rng := key.At(rep).At(s).At(k).Rand()
				p := newBernoulliRefuter(delta)
				n := 0
				for ; n < most && p.LogE() < 2 && p.LogE() > -2; n++ {
					p.Observe(rng.Float64() < delta)
				}
				if k > 0 && p.LogE() < 0 {
					continue // a test whose result is dropped
				}
				list = append(list, Evidence{Trials: n, Level: level, outcome: Inconclusive,
					Sense: Runs, EValues: &EValues{Num(p.LogE() / math.Ln10), 0, tested, 0}})
			}
			rs = append(rs, list)
		}
		if ev, _ := poolTests(rs); ev.outcome == Refuted {
			refuted++
		}
	}
	if low, _ := ClopperPearson(refuted, repetitions, 1e-6); low > level || refuted == 0 {
		t.Errorf("%d of %d true statements are refuted at level %v", refuted, repetitions, level)
	}
}

// Of a search the worst is kept, with the counts of all; what says nothing gives way to what does.
func TestPooledSearches(t *testing.T) {
	ev := func(what string, o Verdict, tight float64) Evidence {
		return Evidence{What: what, outcome: o, Tightness: tight, Ratio: nan,
			Excluded: excluded(10), Trials: 5, Instances: 5}
	}
	r := func(v Verdict, evs ...Evidence) Result { return Result{Verdict: v, Evidence: evs} }
	got := Pool([]Result{r(Refuted, ev("a", Consistent, 0.5), ev("b", Refuted, 2)),
		r(Consistent, ev("a", Consistent, 0.9), ev("b", Consistent, 0.99)),
		r(Vacuous, ev("c", Vacuous, nan))})
	if got.Verdict != Refuted || len(got.Evidence) != 2 {
		t.Fatalf("%v %+v", got.Verdict, got.Evidence)
	}
	a, b := got.Evidence[0], got.Evidence[1]
	if a.Tightness != 0.9 || a.Trials != 10 || a.Instances != 10 || a.Excluded != excluded(20) ||
		a.outcome != Consistent {
		t.Errorf("%+v", a)
	}
	if b.Tightness != 2 || b.outcome != Refuted {
		t.Errorf("%+v", b)
	}
	if got := Pool([]Result{r(Vacuous, ev("c", Vacuous, nan)),
		r(Vacuous, ev("c", Vacuous, nan))}); got.Verdict != Vacuous {
		t.Errorf("%v", got.Verdict)
	}
}
