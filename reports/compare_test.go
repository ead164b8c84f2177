package reports

import (
	"math"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sledge/props"
)

// shards splits the fixture in turn, as a run with -shard does.
func shards(k int) []*Report {
	whole := fixture()
	var out []*Report
	for s := range k {
		r := *whole
		r.Claims = nil
		for i, c := range whole.Claims {
			if i%k == s {
				r.Claims = append(r.Claims, c)
			}
		}
		r.Run.Shard = string(rune('1'+s)) + "/" + string(rune('0'+k))
		r.Run.Planned = len(r.Claims)
		r.Run.Seconds = whole.Run.Seconds / float64(k)
		r.finish()
		out = append(out, &r)
	}
	return out
}

func TestMergedShardsAreTheWhole(t *testing.T) {
	for k := 1; k <= 4; k++ {
		s := shards(k)
		s[0], s[k-1] = s[k-1], s[0]
		got, err := Merge(alone, s...)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(fixture(), got, sameNums, cmpopts.IgnoreUnexported(Report{}),
			cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%d shards merge to something else:\n%s", k, d)
		}
	}
}

func TestMergeSaysWhatIsMissing(t *testing.T) {
	s := shards(3)
	s[2].Run.Partial = "interrupted"
	r, err := Merge(alone, s[0], s[2])
	if err != nil {
		t.Fatal(err)
	}
	if r.Run.Shard != "1/3+3/3" || r.Run.Partial != "interrupted; no report of shard 2/3" {
		t.Errorf("shard %q, partial %q", r.Run.Shard, r.Run.Partial)
	}
	again, err := Merge(alone, r, s[1])
	if err != nil || again.Run.Shard != "1/1" ||
		again.Run.Partial != "interrupted; no report of shard 2/3" &&
			again.Run.Partial != "interrupted" {
		t.Errorf("shard %q, partial %q, %v", again.Run.Shard, again.Run.Partial, err)
	}
}

func TestMergeRefuses(t *testing.T) {
	change := func(f func(*Report)) []*Report { s := shards(2); f(s[1]); return s }
	for want, rs := range map[string][]*Report{
		"nothing to merge":   nil,
		"same seed twice":    {shards(2)[0], shards(2)[0]},
		"is pooled over":     change(func(r *Report) { r.Run.Seeds = []uint64{7, 8} }),
		"tier is quick in":   change(func(r *Report) { r.Run.Tier = "deep" }),
		"alpha is 0.001 in":  change(func(r *Report) { r.Run.Alpha = 0.01 }),
		"Go version is":      change(func(r *Report) { r.Tool.Go = "go2" }),
		"GOAMD64 is v1":      change(func(r *Report) { r.Tool.GOAMD64 = "v3" }),
		"build tags is":      change(func(r *Report) { r.Tool.Tags = "noasm" }),
		"tool version is v1": change(func(r *Report) { r.Tool.Version = "v2" }),
	} {
		if r, err := Merge(alone, rs...); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("got %v, %v; want an error with %q", r != nil, err, want)
		}
	}
}

// Reports of several seeds are pooled, each of them whole; their levels add up, with that of the
// pooled tests.
func TestMergePools(t *testing.T) {
	other := func() []*Report {
		s := shards(2)
		for _, r := range s {
			r.Run.Seed, r.Tool.Arch, r.Run.Tests = 8, "arm64", 99
		}
		return s
	}
	s := other()
	for i := range s[1].Claims {
		if c := &s[1].Claims[i]; c.ID == "endless" {
			c.Verdict, c.Evidence = props.Consistent, c.Evidence[:0]
		}
	}
	got, err := Merge(alone, append(shards(2), s...)...)
	if err != nil {
		t.Fatal(err)
	}
	if got.Run.Partial != "" || got.Run.seeds() != "7, 8" ||
		math.Abs(float64(got.Run.Alpha)-3e-3) > 1e-15 ||
		len(got.Claims) != len(fixture().Claims) || got.Run.Planned != len(got.Claims) {
		t.Errorf("%+v", got.Run)
	}
	if c := got.Claim("endless"); c.Verdict != props.Refuted || len(c.Unexpected) == 0 {
		t.Errorf("%+v", c)
	}
	if c := got.Claim("descent"); c.Verdict != props.Proved || len(c.Evidence) != 1 ||
		c.Evidence[0].Certificate == nil {
		t.Errorf("%+v", c)
	}
	if got, err := Merge(alone, append(shards(2), other()[0])...); err != nil ||
		got.Run.Partial != "no report of shard 2/2" {
		t.Errorf("%+v, %v", got, err)
	}
	deep := other()
	for _, r := range deep {
		r.Run.Tier = "deep"
	}
	if _, err := Merge(alone, append(shards(2), deep...)...); err == nil ||
		!strings.Contains(err.Error(), "different tiers") {
		t.Errorf("different tiers: %v", err)
	}
	if _, err := Merge(alone, append(other(), other()...)...); err == nil ||
		!strings.Contains(err.Error(), "no new evidence") {
		t.Errorf("the same seed twice: %v", err)
	}
}

func TestCompare(t *testing.T) {
	before, after := fixture(), fixture()
	text := func(d *Diff) string {
		var b strings.Builder
		if err := d.WriteText(&b); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if d := Compare(before, after, 2); !d.Same() ||
		text(d) != "no difference in verdicts or tightness\n" {
		t.Errorf("equal reports differ:\n%s", text(d))
	}
	after.Claim("tail").Verdict = props.Refuted
	after.Claim("broken").Expect, after.Claim("broken").Verdict = props.Proved, props.Proved
	after.Claim("pl-rate").Evidence[0].Tightness *= 2.1
	after.Claim("horizon").Evidence[0].Tightness *= 1.9
	after.Claim("variance").Evidence[0].Tightness = math.NaN()
	after.Claim("budget").ID = "budgets"
	after.Run.Seed = 8
	d := Compare(before, after, 2)
	want := `note: seed is 7 in one and 8 in the other
verdict    tail: vacuous -> refuted (expected vacuous)
verdict    broken: error -> proved (expected consistent -> proved)
removed    budget
added      budgets
tightness  variance (‖v − ∇f‖²): 1 -> –
tightness  pl-rate (share of runs that miss the rate): 0.04 -> 0.084
`
	if got := text(d); got != want || d.Same() {
		t.Errorf("got\n%swant\n%s", got, want)
	}
}

func TestMoved(t *testing.T) {
	nan := math.NaN()
	for _, c := range []struct {
		a, b float64
		want bool
	}{{1, 2.1, true}, {1, 1.9, false}, {2.1, 1, true}, {0, 0, false}, {0, 1e-9, true},
		{-1, 1, true}, {-1, -3, true}, {nan, nan, false}, {nan, 1, true}} {
		if got := moved(c.a, c.b, 2); got != c.want {
			t.Errorf("moved(%v, %v) = %v", c.a, c.b, got)
		}
	}
}

// alone joins no slices.
func alone(*Report) error { return nil }
