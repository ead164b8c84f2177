package proptest

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"sledge/props"
)

func amgm(factor float64) props.Check {
	return props.Inequality(func(s *props.Source, r *props.Recorder) {
		a, b := s.LogReal("a", 1e-3, 1e3), s.LogReal("b", 1e-3, 1e3)
		r.AtMost("ab", a*b, factor*(a*a+b*b)/2)
	})
}

func coin(bound float64) props.Check {
	return props.Tail(func(s *props.Source) props.TailTrial {
		return props.TailTrial{Delta: 0.2, Run: func(t props.Trial, r *props.Recorder) {
			r.AtMost("u", t.Key.Rand().Float64(), bound)
		}}
	})
}

func TestCheck(t *testing.T) {
	for _, c := range []props.Claim{
		{ID: "am-gm", Expect: props.Consistent, Check: amgm(1)},
		{ID: "am-gm-short", Expect: props.Refuted, Check: amgm(0.9)},
		{ID: "coin", Expect: props.Supported, Check: coin(0.97)},
		{ID: "exact", Expect: props.Proved,
			Check: props.Exact("1", func(r *props.Recorder) { r.Truth("1", true) })},
	} {
		Check(t, c)
	}
	Refuted(t, map[string]props.Check{"am-gm, 0.9": amgm(0.9), "coin, 0.5": coin(0.5)})
	Check(t, props.Claim{ID: "both", Expect: props.Consistent,
		Check: props.All(amgm(1), coin(0.97))})
}

func TestInstances(t *testing.T) {
	count, ends := 0, 0
	Instances(t, 200, func(src *props.Source) {
		count++
		n := src.Int("n", 1, 9)
		if n < 1 || n > 9 {
			t.Errorf("n = %d", n)
		}
		if n == 1 || n == 9 {
			ends++
		}
	})
	if count != 200 {
		t.Errorf("%d instances instead of 200", count)
	}
	if ends < 60 { // even draws alone would give about 44
		t.Errorf("%d of 200 draws at an end of the range", ends)
	}
}

// needle is wrong on one point of a wide range, which rapid's draws like and a single small run of
// the engine misses.
func needle() props.Check {
	return props.Inequality(func(s *props.Source, r *props.Recorder) {
		n := s.Int("n", 0, 1<<30)
		v := 0.0
		if n == 2 || n == 3 || n == 5 || n == 6 || n == 7 {
			v = 1
		}
		r.AtMost("v", v, 0.5)
	}).Effort(0.001)
}

// misuse are uses that must fail their test. They run in a process of their own.
var misuse = map[string]struct {
	f    func(t *testing.T)
	want string
}{
	"unexpected refutation": {func(t *testing.T) {
		Check(t, props.Claim{ID: "c", Expect: props.Consistent, Check: amgm(0.9)})
	}, "verdict refuted, expected to be consistent"},
	"missing refutation": {func(t *testing.T) {
		Check(t, props.Claim{ID: "c", Expect: props.Refuted, Check: amgm(1)})
	}, "verdict consistent, expected to be refuted"},
	"false tail": {func(t *testing.T) {
		Check(t, props.Claim{ID: "c", Expect: props.Supported, Check: coin(0.5)})
	}, "verdict refuted, expected to be supported"},
	"found by rapid": {func(t *testing.T) {
		Check(t, props.Claim{ID: "c", Expect: props.Consistent, Check: needle()})
	}, "replay v2:c:"},
	"error": {func(t *testing.T) { Check(t, props.Claim{ID: "c", Expect: props.Consistent}) },
		"no check"},
	"idle canary": {func(t *testing.T) { Refuted(t, map[string]props.Check{"am-gm": amgm(1)}) },
		"am-gm, seed 0: consistent"},
	"no canaries": {func(t *testing.T) { Refuted(t, nil) }, "no wrong statements"},
	"instance": {func(t *testing.T) {
		Instances(t, 20, func(src *props.Source) {
			if src.Int("n", 1, 9) == 9 {
				t.Error("nine")
			}
		})
	}, "n = 9"},
	"panicking instance": {func(t *testing.T) {
		Instances(t, 20, func(src *props.Source) { _ = []int{}[src.Int("n", 4, 4)] })
	}, "n = 4"},
	"no instances": {func(t *testing.T) { Instances(t, 0, nil) }, "check nothing"},
}

const misuseEnv = "PROPTEST_MISUSE"

// TestFailures checks that what should fail a test does.
func TestFailures(t *testing.T) {
	if name := os.Getenv(misuseEnv); name != "" {
		misuse[name].f(t)
		return
	}
	for name, m := range misuse {
		cmd := exec.Command(os.Args[0], "-test.run=^TestFailures$", "-test.v", "-rapid.nofailfile")
		cmd.Env = append(os.Environ(), misuseEnv+"="+name)
		out, err := cmd.CombinedOutput()
		if err == nil || !strings.Contains(string(out), m.want) {
			t.Errorf("%s: error %v, want a failure with %q; output:\n%s", name, err, m.want, out)
		}
	}
}
