package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"sledge"
	"sledge/algos/experiments"
	"sledge/props"
	"sledge/reports"
)

var update = flag.Bool("update", false, "rewrite the tables that the scripts expect")

// toys are small claims whose truth is plain, one for each verdict that a check can earn. Every verdict is as expected.
func toys() []props.Claim {
	square := func(factor float64) props.Check {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			a, b := src.Real("a", -10, 10), src.Real("b", -10, 10)
			rec.AtMost("2ab", 2*a*b, factor*(a*a+b*b))
		})
	}
	return []props.Claim{
		{ID: "square", Part: "algebra", Tier: 1, Kind: "inequality", Lines: "10-12", Label: "lemma:square", Statement: "2ab ≤ a² + b²",
			Expect: props.Consistent, Check: square(1)},
		{ID: "square-half", Part: "algebra", Tier: 2, Kind: "inequality", Lines: "20", Statement: "2ab ≤ (a² + b²)/2", Notes: "The half is wrong.",
			Uses: []string{"square"}, Expect: props.Refuted, Check: square(0.5)},
		{ID: "square-half/corrected", Form: props.Corrected, Of: "square-half", Part: "algebra", Tier: 2, Kind: "inequality", Lines: "20", Statement: "ab ≤ (a² + b²)/2",
			Uses: []string{"square"}, Expect: props.Consistent, Check: square(1)},
		{ID: "telescope", Part: "algebra", Tier: 3, Kind: "identity", Lines: "30", Statement: "Σ k = n(n+1)/2 for n ≤ 20", Uses: []string{"square-half"},
			Expect: props.Proved, Check: props.Exact("n = 1..20", func(rec *props.Recorder) {
				sum := new(big.Rat)
				for n := int64(1); n <= 20; n++ {
					sum.Add(sum, big.NewRat(n, 1))
					rec.Rats("Σ k", sum, props.EQ, big.NewRat(n*(n+1), 2))
				}
			})},
		{ID: "uniform-tail", Part: "chance", Tier: 1, Kind: "tail", Lines: "40-44", Statement: "U ≥ 1 − δ/6 with probability at most δ",
			Uses: []string{"telescope"}, Expect: props.Supported, Check: props.Tail(func(src *props.Source) props.TailTrial {
				delta := src.Real("delta", 0.1, 0.2)
				return props.TailTrial{Delta: delta, Run: func(t props.Trial, rec *props.Recorder) {
					rec.AtMost("U", t.Key.Rand().Float64(), 1-delta/6)
				}}
			})},
		{ID: "never", Part: "chance", Tier: 3, Kind: "implication", Lines: "50", Statement: "If 1 < 0, then all is well", Expect: props.Vacuous,
			Check: props.Implication(func(src *props.Source, rec *props.Recorder) {
				src.Real("x", 0, 1)
				rec.Skip("1 is not below 0")
			})},
	}
}

// oddities are claims whose verdicts are not the expected ones.
func oddities() []props.Claim {
	claims := toys()[:3]
	claims[1].Expect = props.Consistent
	return append(claims, props.Claim{ID: "broken", Part: "chance", Lines: "60", Statement: "The check breaks", Expect: props.Consistent,
		Check: props.Inequality(func(src *props.Source, rec *props.Recorder) { panic("out of paper") })})
}

// stopping are claims of which the second interrupts the program, as ^C does, and gives the signal time to arrive.
func stopping() []props.Claim {
	claims := toys()
	claims[1].Check = props.Exact("one", func(rec *props.Recorder) {
		if self, err := os.FindProcess(os.Getpid()); err != nil || self.Signal(os.Interrupt) != nil {
			panic("no signal")
		}
		time.Sleep(time.Second)
		rec.Truth("slept", true)
	})
	return claims
}

// measured are a few of the measured entries of the tables, quick ones, and a toy that is none.
func measured() []props.Claim {
	claims := toys()[:1]
	for _, c := range sledge.Claims() {
		switch c.ID {
		case "measured/table1-spider-nonconvex", "measured/table1-sledge-1-sosp-coarse", "measured/table2-fledge-vectors", "measured/escape-control":
			claims = append(claims, c)
		}
	}
	return claims
}

// mismeasured are the same with another expectation.
func mismeasured() []props.Claim {
	claims := measured()
	for i := range claims {
		if claims[i].ID == "measured/escape-control" {
			claims[i].Expect = props.Supported
		}
	}
	return claims
}

func command(claims func() []props.Claim) func() {
	return func() {
		ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
		defer stop()
		os.Exit(run(ctx, claims(), os.Args[1:], os.Stdout, os.Stderr))
	}
}

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"verify":      command(toys),
		"verify-odd":  command(oddities),
		"verify-stop": command(stopping),
		"verify-none": command(func() []props.Claim { return nil }),
		"verify-real": command(sledge.Claims),

		"verify-tiny": func() { // figures at a scale that takes a blink
			scales[props.Quick] = experiments.Scale{Name: "tiny", Letters: 3, Side: 5, Group: 1, Client: 4, Width: 3, LocalBatch: 1, LocalSteps: 2, Steps: 8, Rounds: 4, Records: 4, Held: 2,
				Rates: []float64{0.3, 0.1}, Seeds: 2}
			command(sledge.Claims)()
		},

		"verify-measured":    command(measured),
		"verify-mismeasured": command(mismeasured),

		"verify-fail": command(func() []props.Claim { return append(toys(), toys()...) }), // the engine refuses equal ids
	})
}

// The scripts in testdata show every verb, exit status and refusal.
func TestScripts(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                "testdata",
		RequireUniqueNames: true,
		UpdateScripts:      *update,
		Condition: func(name string) (bool, error) {
			if name != "root" {
				return false, fmt.Errorf("unknown condition %q", name)
			}
			return os.Geteuid() == 0, nil
		},
		RequireExplicitExec: true,
		Cmds: map[string]func(ts *testscript.TestScript, neg bool, args []string){
			"status": wantStatus,
			"valid":  wantReport,
		},
	})
}

// wantStatus runs "status N command args...": the command must exit with N.
func wantStatus(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: status N command args...")
	}
	err := ts.Exec(args[1], args[2:]...)
	got := "0"
	if err != nil {
		code, ok := strings.CutPrefix(err.Error(), "exit status ")
		if !ok {
			ts.Fatalf("%v", err)
		}
		got = code
	}
	if got != args[0] {
		ts.Fatalf("exit status %s, want %s", got, args[0])
	}
}

// wantReport runs "valid FILE": the file must be a report.
func wantReport(ts *testscript.TestScript, neg bool, args []string) {
	if _, err := reports.Read(ts.MkAbs(args[0])); (err != nil) != neg {
		ts.Fatalf("reading %s: %v", args[0], err)
	}
}

func runTo(t *testing.T, args ...string) (*reports.Report, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	if code := run(t.Context(), toys(), append([]string{"-out", dir, "-json", "-"}, args...), &stdout, &stderr); code != exitOK {
		t.Fatalf("exit status %d\n%s", code, stderr.String())
	}
	r := new(reports.Report)
	if err := json.Unmarshal(stdout.Bytes(), r); err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// Results do not depend on the number of workers, on the split into shards or on which other claims are run; they do depend on the seed.
func TestSameSeedSameBits(t *testing.T) {
	whole, _ := runTo(t, "-seed", "5", "-j", "1")
	if again, _ := runTo(t, "-seed", "5", "-j", "4"); again.Run.Digest != whole.Run.Digest {
		t.Error("the digest depends on the number of workers")
	}
	if other, _ := runTo(t, "-seed", "6"); other.Run.Digest == whole.Run.Digest {
		t.Error("the digest does not depend on the seed")
	}
	var dirs []string
	for _, k := range []string{"3/3", "1/3", "2/3"} {
		_, dir := runTo(t, "-seed", "5", "-shard", k)
		dirs = append(dirs, dir)
	}
	out := filepath.Join(t.TempDir(), "merged")
	if code := run(t.Context(), nil, append([]string{"merge", "-out", out}, dirs...), io.Discard, io.Discard); code != exitOK {
		t.Fatalf("merge: exit status %d", code)
	}
	merged, err := reports.Read(out)
	if err != nil || merged.Run.Digest != whole.Run.Digest || merged.Run.Shard != "1/1" || merged.Run.Planned != len(toys()) {
		t.Errorf("merged shards are not the whole: %+v, %v", merged.Run, err)
	}
}

// Rapid registers flags and panics outside a test binary.
func TestImportsNoRapid(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "sledge/cmd/verify").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := string(out)
	if !strings.Contains(deps, "sledge/props\n") {
		t.Fatalf("go list is silent about props:\n%s", deps)
	}
	if strings.Contains(deps, "pgregory.net/rapid") {
		t.Error("cmd/verify imports rapid")
	}
}

// An interrupted call for figures says where the finished runs are, and exits as interrupted runs do.
func TestFiguresInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	var stdout, stderr bytes.Buffer
	dir := t.TempDir()
	if code := run(ctx, nil, []string{"figures", "-out", dir, "fig4"}, &stdout, &stderr); code != exitInterrupted {
		t.Errorf("exit status %d, want %d", code, exitInterrupted)
	}
	if want := "the runs that were finished are kept in " + filepath.Join(dir, "runs"); !strings.Contains(stderr.String(), want) {
		t.Errorf("%q lacks %q", stderr.String(), want)
	}
	if kept, err := os.ReadDir(filepath.Join(dir, "runs")); err != nil || len(kept) > 0 {
		t.Errorf("runs that were cancelled are kept: %v, %v", kept, err)
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, 2)
	if p.live {
		t.Fatal("a buffer is no terminal")
	}
	long := strings.Repeat("x", 90)
	ok := &props.Result{Verdict: props.Proved, Claim: props.Claim{Expect: props.Proved}}
	odd := &props.Result{Verdict: props.Refuted, Claim: props.Claim{Expect: props.Proved}}
	feed := func() {
		for _, e := range []props.Event{{Claim: "a"}, {Claim: long}, {Claim: "a", Result: odd, Done: 1}, {Claim: long, Result: ok, Done: 2}} {
			e.Total = 2
			p.last = p.last.Add(-100 * time.Millisecond)
			p.event(e)
		}
		p.end()
	}
	if feed(); b.Len() != 0 {
		t.Errorf("a short run is not quiet: %q", b.String())
	}
	p = newProgress(&b, 2)
	p.live = true
	feed()
	got := strings.Split(b.String(), "\r\x1b[K")
	want := []string{"", "0/2  0s  a", "0/2  0s  a " + strings.Repeat("x", 67) + "…", "1/2  0s  1 not as expected  " + strings.Repeat("x", 50) + "…",
		"2/2  0s  1 not as expected  ", ""}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	b.Reset()
	p.live, p.last = false, time.Now().Add(-2*time.Minute)
	p.event(props.Event{Claim: "a", Done: 1, Total: 2})
	if b.String() != "verify: 1 of 2 claims checked in 0s\n" {
		t.Errorf("heartbeat %q", b.String())
	}
}

// A colour never stands alone.
func TestPaint(t *testing.T) {
	for _, v := range reports.Verdicts {
		if on, off := paint(v, v.String(), true), paint(v, v.String(), false); off != v.String() || !strings.Contains(on, off) {
			t.Errorf("%q, %q", on, off)
		}
	}
}
