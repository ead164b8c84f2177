package props

import (
	"math"
	"testing"
)

func TestRegimeWords(t *testing.T) {
	r := Regime{Matter: "steps with an error", Least: 0.1}.And(Condition{"n > 1", true},
		Condition{"b < n", false})
	for _, c := range []struct{ what, got, want string }{
		{"all", r.Words(), "n > 1, b < n, at least 10 % of steps with an error"},
		{"none", Regime{}.Words(), ""},
	} {
		if c.got != c.want {
			t.Errorf("%s: %q, want %q", c.what, c.got, c.want)
		}
	}
	switch {
	case r.Met(), !(Regime{}).Met(), (Regime{}).Declared(), !r.Declared():
		t.Error("a regime is met if all its conditions are, and declared if it asks for anything")
	case r.Shown(0.09), !r.Shown(0.1), r.Shown(math.NaN()), !(Regime{}).Shown(math.NaN()):
		t.Error("runs show what a regime asks for from its least share on")
	}
	// Further conditions of one instance are not those of another.
	a, b := r.And(Condition{"T ≥ 20", true}), r.And(Condition{"d > 1", true})
	if a.Words() == b.Words() {
		t.Errorf("both say %q", a.Words())
	}
}

func TestSurveys(t *testing.T) {
	tail := Tail(func(src *Source) TailTrial {
		n := src.Int("n", 1, 4)
		return TailTrial{Delta: 0.1, Regime: Regime{Conditions: []Condition{{"n > 1", n > 1}}}}
	})
	mean := Mean(func(src *Source) MeanTrial {
		return MeanTrial{Claimed: 1, Relation: LE, Run: func(Trial) float64 { return 0 }}
	})
	nothing := Identity(func(*Source, *Recorder) {})
	got, err := Surveys(&Claim{Check: All(nothing, tail, mean)}, 40)
	if err != nil || len(got) != 2 {
		t.Fatalf("%v, %v: want two randomised parts", got, err)
	}
	if s := got[0]; s.Part != 1 || len(s.Words) != 1 || s.Words[0] != "n > 1" || s.Drawn != 40 ||
		s.Met == 0 ||
		s.Met == 40 {
		t.Errorf("%+v", s)
	}
	if s := got[1]; s.Part != 2 || s.Words != nil || s.Met != 1 {
		t.Errorf("%+v", s)
	}
}
