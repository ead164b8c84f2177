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
		{"both refuted", inequality(0.5, 0.1), []string{"ab"},
			`"ab" of part 1 is refuted, expected to hold`},
		{"the wrong one", inequality(1, 0.1), []string{"ab"},
			`"2ab" of part 1 is consistent, expected to be refuted`},
		{"nothing holds", inequality(0.5, 0.5), nil,
			`"ab" of part 1 is consistent, expected to be refuted`},
		{"gone", inequality(0.5, 0.1), []string{"a"},
			`"a" is expected to hold, but is not compared`},
		{"parts", All(inequality(0.5, 0.1), inequality(1, 1)), []string{"2: ab", "2: 2ab"}, ""},
		{"a randomised part", All(inequality(0.5, 0.1), uniformTail(0.5)), []string{"2: u"}, ""},
		{"a randomised part that is refuted", All(inequality(0.5, 0.1), uniformTail(3)), nil, ""},
		{"a randomised part refuted against the odds", All(inequality(0.5, 0.1), uniformTail(3)),
			[]string{"u"}, `"u" of part 2 is refuted`},
	} {
		claims := []Claim{{ID: "c", Expect: Refuted, Holds: c.holds, Check: c.check}}
		results, err := Run(context.Background(), claims, Config{Workers: 2})
		if err != nil {
			t.Fatal(err)
		}
		r := &results[0]
		got := strings.Join(r.Unexpected(), "; ")
		if c.want == "" && got != "" || c.want != "" && !strings.Contains(got, c.want) ||
			r.AsExpected() != (c.want == "") {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	r := runOne(t, 0, Quick, inequality(1, 1))
	r.Claim.Expect = Refuted
	if got := r.Unexpected(); len(got) != 1 ||
		got[0] != "the verdict is consistent, expected to be refuted" {
		t.Errorf("%q", got)
	}
}

// A second look at a statement need not refute what the first has refuted, or the other way round;
// a part of its own must.
func TestSecondLook(t *testing.T) {
	look := func(mean float64) *Randomised {
		return Mean(func(src *Source) MeanTrial {
			x := src.Real("x", 0.5, 1)
			return MeanTrial{What: "x", Claimed: 1, Relation: LE,
				Run: func(Trial) float64 { return mean * x }}
		})
	}
	first := func(bound float64) Check {
		return Inequality(func(src *Source, rec *Recorder) { rec.AtMost("y", src.Real("y", 0, 1), bound) })
	}
	for _, c := range []struct {
		check Check
		amiss int
	}{
		{All(first(0.5), look(0.1)), 1},
		{All(first(0.5), look(0.1).SecondLook()), 0},
		{All(first(2), look(9).SecondLook()), 0},
		{All(first(0.5), look(9).SecondLook()), 0},
		{All(first(0.5), first(2), look(0.1).SecondLook()), 1},
	} {
		results, err := Run(t.Context(), []Claim{{ID: "a", Check: c.check, Expect: Refuted}},
			Config{Alpha: DefaultAlpha})
		if err != nil {
			t.Fatal(err)
		}
		if got := results[0].Unexpected(); len(got) != c.amiss {
			t.Errorf("said is %q, want %d sentences", got, c.amiss)
		}
	}
}
