package props

import (
	"context"
	"strings"
	"testing"
)

// The expectations of a refuted claim reach down to its comparisons.
func TestExpectationsPerComparison(t *testing.T) {
	inequality := func(first, second float64) Check {
		return Inequality(func(s *Source, rec *Recorder) {
			a, b := s.Real("a", 1, 10), s.Real("b", 1, 10)
			rec.AtMost("2ab", 2*a*b, first*(a*a+b*b))
			rec.AtMost("ab", a*b, second*(a*a+b*b))
		})
	}
	for _, c := range []struct {
		name  string
		check Check
		holds []string
		want  string // part of the only complaint
	}{
		{"as expected", inequality(0.5, 0.5), []string{"ab"}, ""},
		{"by the number of the part", inequality(0.5, 0.5), []string{"1: ab"}, ""},
		{"another part", inequality(0.5, 0.5), []string{"2: ab"}, `"ab" of part 1 is consistent`},
		{"both refuted", inequality(0.5, 0.1), []string{"ab"}, `"ab" of part 1 is refuted, expected to hold`},
		{"the wrong one", inequality(1, 0.1), []string{"ab"}, `"2ab" of part 1 is consistent, expected to be refuted`},
		{"nothing holds", inequality(0.5, 0.5), nil, `"ab" of part 1 is consistent, expected to be refuted`},
		{"gone", inequality(0.5, 0.1), []string{"a"}, `"a" is expected to hold, but is not compared`},
		{"parts", All(inequality(0.5, 0.1), inequality(1, 1)), []string{"2: ab", "2: 2ab"}, ""},
		{"a randomised part", All(inequality(0.5, 0.1), uniformTail(0.5)), []string{"2: u"}, ""},
		{"a randomised part that is refuted", All(inequality(0.5, 0.1), uniformTail(3)), nil, ""},
		{"a randomised part refuted against the odds", All(inequality(0.5, 0.1), uniformTail(3)), []string{"u"},
			`"u" of part 2 is refuted`},
	} {
		claims := []Claim{{ID: "c", Expect: Refuted, Holds: c.holds, Check: c.check}}
		results, err := Run(context.Background(), claims, Config{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		r := &results[0]
		got := strings.Join(r.Unexpected(), "; ")
		if c.want == "" && got != "" || c.want != "" && !strings.Contains(got, c.want) || r.AsExpected() != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	r := runOne(t, 0, Quick, inequality(1, 1))
	r.Claim.Expect = Refuted
	if got := r.Unexpected(); len(got) != 1 || got[0] != "the verdict is consistent, expected to be refuted" {
		t.Errorf("%q", got)
	}
}
