package verbs

import (
	"bytes"
	"context"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sledge/algos"
	"sledge/algos/experiments"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/verify"
)

// The page says of every run what the judge says of it, counts the runs and takes medians over
// them.
func TestFindingsOnThePage(t *testing.T) {
	result := func(name string, numbers ...float64) algos.RaceResult {
		l := algos.RaceResult{Name: name}
		for _, v := range numbers {
			l.Traces = append(l.Traces, &algos.Trace{Records: []algos.Record{{Value: v}}})
		}
		return l
	}
	found := []experiments.Finding{
		{Name: "Fewer rounds", Claim: "known", Reading: "FLEDGE takes fewer.",
			Judge: func(r *experiments.Runs, rec *props.Recorder) {
				value := func(method string) float64 { return r.Of(len(r.Races)-1, method).Records[0].Value }
				rec.AtMost("A against B", value("A"), value("B"))
				if value("B") < 100 {
					rec.AtLeast("B against 2", value("B"), 2)
				}
			}},
		{Name: "Arithmetic", Claim: "unknown"},
	}
	races := []experiments.Race{{Name: "first"}, {Name: "second"}}
	results := [][]algos.RaceResult{{result("A", 9, 9, 9, 9, 9), result("B", 1, 1, 1, 1, 1)},
		{result("A", 1, 4, 7, 2, math.NaN()), result("B", 3, 1, 200, 3, 3)}}
	got := findings([]props.Claim{{ID: "known", Statement: "A is smaller."}}, found, races, results)
	if len(got) != 2 || got[1].Runs != 0 || got[1].Verdict() != "needs no runs" ||
		len(got[1].Comparisons) > 0 {
		t.Fatalf("%+v", got)
	}
	f := got[0]
	low, high := props.ClopperPearson(3, 5, 0.025)
	if f.Statement != "A is smaller." || !strings.HasPrefix(f.Reading, "FLEDGE takes") ||
		f.Runs != 5 || f.Held != 3 ||
		f.Verdict() != "held in 3 of 5 runs" || float64(f.Low) != low || float64(f.High) != high {
		t.Errorf("%+v", f)
	}
	want := []reports.Comparable{
		// of the four runs that can be compared: 1 4 7 2 against 3 1 200 3
		{What: "A against B", Relation: props.LE, Measured: 3, Claimed: 3, Held: 3},
		{What: "B against 2", Relation: props.GE, Measured: 3, Claimed: 2, Held: 2},
	}
	if len(f.Comparisons) != 2 || f.Comparisons[0] != want[0] || f.Comparisons[1] != want[1] {
		t.Errorf("%+v", f.Comparisons)
	}
}

// An interrupted call for figures says where the finished runs are, and exits as interrupted runs
// do.
func TestFiguresInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	begun := figuresAt(func(props.Tier) experiments.Scale { cancel(); return experiments.Small })
	app := verify.App{Name: "verify", Verbs: []verify.Verb{begun}}
	code := verify.Main(ctx, app, []string{"figures", "-out", dir, "fig4"}, &stdout, &stderr)
	if code != verify.Interrupted {
		t.Errorf("exit status %d, want %d", code, verify.Interrupted)
	}
	want := "the runs that were finished are kept in " + filepath.Join(dir, "runs")
	if !strings.Contains(stderr.String(), want) {
		t.Errorf("%q lacks %q", stderr.String(), want)
	}
	if kept, _ := filepath.Glob(filepath.Join(dir, "runs", "*")); len(kept) > 0 {
		t.Errorf("runs that were cancelled are kept: %v", kept)
	}
}

// Once a call is over, which is interrupted at whatever moment, nothing is written any more, though
// steps that it left behind may still run.
func TestQuietOnceOver(t *testing.T) {
	small := figuresAt(func(props.Tier) experiments.Scale {
		return experiments.Scale{Name: "small", Letters: 4, Side: 8, Group: 1, Client: 4, Width: 8,
			LocalBatch: 1, LocalSteps: 4, Steps: 2000, Rounds: 40, Records: 4, Held: 2,
			Rates: []float64{0.3, 0.1}, Seeds: 4}
	})
	app := verify.App{Name: "verify", Verbs: []verify.Verb{Race(), small}}
	for _, args := range []string{"figures fig1 fig2",
		"race -n 200 -d 20 -gradients 400000 -seeds 4 -eta 0.1,0.2"} {
		interrupted, calls := 0, 40
		if testing.Short() {
			calls = 8
		}
		for i := range calls {
			t.Run("", func(t *testing.T) {
				dir := t.TempDir()
				ctx, cancel := context.WithTimeout(t.Context(), time.Duration(80*i/calls)*time.Millisecond)
				defer cancel()
				var out bytes.Buffer
				code := verify.Main(ctx, app, append(strings.Fields(args), "-out", dir), &out, &out)
				then := time.Unix(1e9, 0)
				dirs, _ := filepath.Glob(filepath.Join(dir, "*"))
				dirs = append(dirs, dir)
				for _, d := range dirs {
					if err := os.Chtimes(d, then, then); err != nil {
						t.Fatal(err)
					}
				}
				time.Sleep(10 * time.Millisecond)
				for _, d := range dirs {
					if info, err := os.Stat(d); err != nil || !info.ModTime().Equal(then) {
						t.Errorf("exit status %d, and then %s changes: %v", code, d, err)
					}
				}
				if code == verify.Interrupted {
					interrupted++
				}
			})
		}
		if interrupted < calls/4 {
			t.Errorf("%s: only %d calls were interrupted", args, interrupted)
		}
	}
}
