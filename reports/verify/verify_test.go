package verify

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"math/big"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"pgregory.net/rapid"

	"sledge/props"
	"sledge/reports"
)

// toys are small claims whose truth is plain, one for each verdict that a check can earn. Every
// verdict is as expected.
func toys() []props.Claim {
	square := func(factor float64) props.Check {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			a, b := src.Real("a", -10, 10), src.Real("b", -10, 10)
			rec.AtMost("2ab", 2*a*b, factor*(a*a+b*b))
		})
	}
	return []props.Claim{
		{ID: "square", Part: "algebra", Tier: 1, Kind: "inequality", Lines: "10-12",
			Label: "lemma:square", Statement: "2ab ≤ a² + b²",
			Expect: props.Consistent, Check: square(1), Notices: &props.Notices{Noticed: 1, Tried: 3}},
		{ID: "square-half", Part: "algebra", Tier: 2, Kind: "inequality", Lines: "20",
			Statement: "2ab ≤ (a² + b²)/2", Notes: "The half is wrong.",
			Uses: []string{"square"}, Expect: props.Refuted, Check: square(0.5),
			Notices: &props.Notices{Tried: 2}},
		{ID: "square-half/corrected", Form: props.Corrected, Of: "square-half",
			Part: "algebra", Tier: 2, Kind: "inequality", Lines: "20",
			Statement: "ab ≤ (a² + b²)/2", Uses: []string{"square"}, Expect: props.Consistent,
			Check: square(1)},
		{ID: "telescope", Part: "algebra", Tier: 3, Kind: "identity", Lines: "30",
			Statement: "Σ k = n(n+1)/2 for n ≤ 20",
			Uses:      []string{"square-half"},
			Expect:    props.Proved, Check: props.Exact("n = 1..20", func(rec *props.Recorder) {
				sum := new(big.Rat)
				for n := int64(1); n <= 20; n++ {
					sum.Add(sum, big.NewRat(n, 1))
					rec.Rats("Σ k", sum, props.EQ, big.NewRat(n*(n+1), 2))
				}
			})},
		{ID: "uniform-tail", Part: "chance", Tier: 1, Kind: "tail", Lines: "40-44",
			Statement: "U ≥ 1 − δ/6 with probability at most δ",
			Uses:      []string{"telescope"}, Expect: props.Supported,
			Check: props.Tail(func(src *props.Source) props.TailTrial {
				delta := src.Real("delta", 0.1, 0.2)
				return props.TailTrial{Delta: delta, Run: func(t props.Trial, rec *props.Recorder) {
					rec.AtMost("U", t.Key.Rand().Float64(), 1-delta/6)
				}}
			})},
		{ID: "never", Part: "chance", Tier: 3, Kind: "implication", Lines: "50",
			Statement: "If 1 < 0, then all is well",
			Expect:    props.Vacuous,
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
	return append(claims, props.Claim{ID: "broken", Part: "chance", Lines: "60",
		Statement: "The check breaks", Expect: props.Consistent,
		Check: props.Inequality(func(src *props.Source, rec *props.Recorder) { panic("out of paper") })})
}

// drifted are claims of which one is violated by more.
func drifted() []props.Claim {
	claims := toys()
	claims[1].Check = props.Inequality(func(src *props.Source, rec *props.Recorder) {
		a, b := src.Real("a", -10, 10), src.Real("b", -10, 10)
		rec.AtMost("2ab", 2*a*b, 0.2*(a*a+b*b))
	})
	return claims
}

// stopping are claims of which the second interrupts the program, as ^C does, and gives the signal
// more time to arrive than it takes.
func stopping() []props.Claim {
	claims := toys()
	claims[1].Check = props.Exact("one", func(rec *props.Recorder) {
		if self, err := os.FindProcess(os.Getpid()); err != nil ||
			self.Signal(os.Interrupt) != nil {
			panic("no signal")
		}
		time.Sleep(time.Minute)
		rec.Truth("slept", true)
	})
	return claims
}

// long are claims of which the last keeps no more than a digest of what it compares.
func long() []props.Claim {
	claims := toys()[:4]
	claims[3].Check = props.Exact("n = 1..200", func(rec *props.Recorder) {
		for n := int64(1); n <= 200; n++ {
			rec.Rats("n", big.NewRat(n, 1), props.LE, big.NewRat(200, 1))
		}
	})
	return claims
}

// slow are claims of which the first takes longer than any test.
func slow() []props.Claim {
	claims := toys()
	claims[0].Check = props.Exact("one", func(rec *props.Recorder) {
		time.Sleep(time.Hour)
		rec.Truth("slept", true)
	})
	return claims
}

// toy is a command over claims.
func toy(claims func() []props.Claim) App {
	app := App{Name: "verify",
		Summary: "Tries to refute every claim and reports the verdicts with their evidence.",
		Replay:  "go run ./cmd/verify replay"}
	if claims != nil {
		app.Claims = func() ([]props.Claim, error) { return claims(), nil }
	}
	return app
}

// own is a command whose owner brings a verb and a list.
func own() App {
	app := toy(toys)
	app.Name, app.Replay = "own", ""
	app.Verbs = []Verb{{Name: "count", Usage: "[-by N]", Summary: "count the claims",
		Examples: []Example{{"count -by 2", "by twos"}},
		Bind: func(flags *flag.FlagSet) Action {
			by := flags.Int("by", 1, "`N` at a time")
			return func(_ context.Context, c *Call) error {
				fmt.Fprintln(c.Out, len(c.Claims()) / *by, c.Args)
				return nil
			}
		}}}
	app.Lists = []List{{Name: "weathers", Summary: "the weathers",
		Write: func(w io.Writer, asJSON bool) error {
			_, err := fmt.Fprintln(w, "rain", asJSON)
			return err
		}}}
	return app
}

func runTo(t *testing.T, args ...string) (*reports.Report, string) {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	if code := Main(t.Context(), toy(toys),
		append([]string{"-out", dir, "-json", "-"}, args...), &stdout,
		&stderr); code != OK {
		t.Fatalf("exit status %d\n%s", code, stderr.String())
	}
	r := new(reports.Report)
	if err := json.Unmarshal(stdout.Bytes(), r); err != nil {
		t.Fatal(err)
	}
	return r, dir
}

// Results do not depend on the number of workers, on the split into shards or on which other claims
// are run; they do depend on the seed.
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
	if code := Main(t.Context(), toy(nil), append([]string{"merge", "-out", out}, dirs...),
		io.Discard,
		io.Discard); code != OK {
		t.Fatalf("merge: exit status %d", code)
	}
	merged, err := reports.Read(out)
	if err != nil || merged.Run.Digest != whole.Run.Digest || merged.Run.Shard != "1/1" ||
		merged.Run.Planned != len(toys()) {
		t.Errorf("merged shards are not the whole: %+v, %v", merged.Run, err)
	}
}

func TestProgress(t *testing.T) {
	var b bytes.Buffer
	p := newProgress(&b, "verify", 2)
	if p.live {
		t.Fatal("a buffer is no terminal")
	}
	long := strings.Repeat("x", 90)
	ok := &props.Result{Verdict: props.Proved, Claim: props.Claim{Expect: props.Proved}}
	odd := &props.Result{Verdict: props.Refuted, Claim: props.Claim{Expect: props.Proved}}
	feed := func() {
		for _, e := range []props.Event{{Claim: "a"}, {Claim: long},
			{Claim: "a", Result: odd, Done: 1},
			{Claim: long, Result: ok, Done: 2}} {
			e.Total = 2
			p.last = p.last.Add(-100 * time.Millisecond)
			p.event(e)
		}
		p.end()
	}
	if feed(); b.Len() != 0 {
		t.Errorf("a short run is not quiet: %q", b.String())
	}
	p = newProgress(&b, "verify", 2)
	p.live = true
	feed()
	got := strings.Split(b.String(), "\r\x1b[K")
	want := []string{"", "0/2  0s  a", "0/2  0s  a " + strings.Repeat("x", 67) + "…",
		"1/2  0s  1 not as expected  " + strings.Repeat("x", 50) + "…",
		"2/2  0s  1 not as expected  ", ""}
	if strings.Join(got, "|") != strings.Join(want, "|") {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	b.Reset()
	p = newProgress(&b, "verify", 2)
	p.event(props.Event{Claim: "a", Result: odd, Done: 1, Total: 2})
	p.say()
	if want := "verify: 1 of 2 claims checked in 0s, 1 of them not as expected\n"; b.String() !=
		want {
		t.Errorf("heartbeat %q, want %q", b.String(), want)
	}
	p.end()
}

// Races outside of a terminal say each half minute how far they are, until they are over.
func TestCounterBeats(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		count := (&Call{app: &App{Name: "verify"}, Err: &b}).Counter("fig1", "runs")
		time.Sleep(31 * time.Second)
		count(2, 3)
		time.Sleep(60 * time.Second)
		count(3, 3)
		time.Sleep(time.Hour)
		want := "verify: fig1: none of the runs is over in 30s\nverify: fig1: 2 of 3 runs in 1m0s\n" +
			"verify: fig1: 2 of 3 runs in 1m30s\n"
		if b.String() != want {
			t.Errorf("got %q, want %q", b.String(), want)
		}
	})
}

// A colour never stands alone.
func TestPaint(t *testing.T) {
	for _, v := range reports.Verdicts {
		if on, off := paint(v, v.String(), true), paint(v, v.String(), false); off != v.String() ||
			!strings.Contains(on, off) {
			t.Errorf("%q, %q", on, off)
		}
	}
}

// What is near to a word is found, and nothing else.
func TestNearest(t *testing.T) {
	known := []string{"run", "list", "explain", "descent-lemma", "variance"}
	for _, c := range [][2]string{{"lst", "list"}, {"lsit", "list"}, {"explian", "explain"},
		{"descent-lema", "descent-lemma"},
		{"decsent-lemmas", "descent-lemma"}, {"varianz", "variance"}, {"rn", ""}, {"xyz", ""},
		{"lemma", ""}, {"", ""}} {
		if got := Nearest(c[0], known); got != c[1] {
			t.Errorf("nearest to %q is %q, want %q", c[0], got, c[1])
		}
	}
}

// Edits are a metric on words of one letter more or less, and swapping neighbours is one edit.
func TestEdits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		word := rapid.StringOfN(rapid.RuneFrom([]rune("abcδ")), 0, 8, -1)
		a, b := word.Draw(t, "a"), word.Draw(t, "b")
		there, back := edits(a, b, 100), edits(b, a, 100)
		if there != back || (there == 0) != (a == b) ||
			there > max(len([]rune(a)), len([]rune(b))) {
			t.Fatalf("%q to %q: %d edits, back %d", a, b, there, back)
		}
		if r := []rune(a); len(r) > 1 && r[0] != r[1] {
			r[0], r[1] = r[1], r[0]
			if d := edits(a, string(r), 100); d != 1 {
				t.Fatalf("%q to %q: %d edits", a, string(r), d)
			}
		}
	})
}

// What is proved by trying a whole domain has no certificate; check tries it again and says so.
func TestCheckTriesWholeDomainsAgain(t *testing.T) {
	square := props.Inequality(func(src *props.Source, rec *props.Recorder) {
		n := int64(src.Int("n", 1, 30))
		rec.AtMost("n", float64(n), float64(n*n)).Exactly(func() (a, b *big.Rat) {
			return big.NewRat(n, 1), big.NewRat(n*n, 1)
		})
	})
	app := toy(func() []props.Claim {
		return []props.Claim{{ID: "whole", Part: "algebra", Lines: "1", Statement: "n ≤ n²",
			Expect: props.Proved, Check: square}}
	})
	dir := filepath.Join(t.TempDir(), "out")
	var stdout, stderr bytes.Buffer
	for _, args := range [][]string{{"-out", dir}, {"check", dir}} {
		stdout.Reset()
		if code := Main(t.Context(), app, args, &stdout, &stderr); code != OK {
			t.Fatalf("%v: exit status %d\n%s", args, code, stderr.String())
		}
	}
	const said = "There are no certificates; 1 proof by trying a whole domain came out again.\n"
	if !strings.HasPrefix(stdout.String(), said) {
		t.Errorf("check says %q", stdout.String())
	}
}
