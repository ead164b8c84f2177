package props

import (
	"bytes"
	"strings"
	"testing"
)

// asksOf is a claim whose check can be weakened in each of its parts.
type asksOf struct {
	most      int     // sizes
	factor    float64 // in a formula that has slack
	delta     float64
	tolerance float64
	effort    float64
	premise   float64
	dropped   bool
	scale     float64
	steps     int
}

func (a asksOf) check() Check {
	return All(
		Inequality(func(src *Source, rec *Recorder) {
			n, x := src.LogInt("n", 1, a.most), src.Real("x", 0, 1)
			if x > a.premise {
				rec.Skip("x is large")
				return
			}
			for range a.steps {
				rec.AtMost("n against a bound", float64(n),
					a.factor*float64(n)).Scale(a.scale * float64(n))
			}
			if !a.dropped {
				rec.Equal("x", x, x)
			}
		}).Effort(a.effort),
		Tail(func(src *Source) TailTrial {
			return TailTrial{Delta: a.delta, Run: func(t Trial, rec *Recorder) {
				rec.AtMost("u", t.Key.Rand().Float64(), 0.99)
			}}
		}).Effort(0.1),
		Mean(func(src *Source) MeanTrial {
			return MeanTrial{Claimed: 0.5, Relation: Near, Hi: 1, Tolerance: a.tolerance,
				Run: func(t Trial) float64 { return t.Key.Rand().Float64() }}
		}).Effort(0.1))
}

// What is on record about a check is compared with what it asks now, whatever became weaker of it.
func TestWeakenedChecksAreNoticed(t *testing.T) {
	whole := asksOf{most: 100, factor: 10, delta: 0.05, tolerance: 0.1, effort: 0.5, premise: 0.8,
		scale: 1, steps: 5}
	c := Claim{ID: "a", Check: whole.check(), Expect: Consistent}
	cfg := Config{Seed: 3}
	run := func(check Check, asked *Asked) *Result {
		c := c
		c.Check, c.Asked = check, asked
		results, err := Run(t.Context(), []Claim{c}, cfg)
		if err != nil {
			t.Fatal(err)
		}
		return &results[0]
	}
	asked, err := Record(run(whole.check(), nil))
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := WriteRecord(&b, map[string]*Asked{"a": asked}); err != nil {
		t.Fatal(err)
	}
	read, err := ReadRecord(b.Bytes())
	if err != nil {
		t.Fatal(err)
	}
	for seed := range uint64(3) {
		cfg.Seed = seed
		if r := run(whole.check(), read["a"]); len(r.Otherwise) > 0 {
			t.Errorf("seed %d: nothing was changed, but %q", seed, r.Otherwise)
		}
	}
	for want, weaken := range map[string]func(a *asksOf){
		"n is drawn from [1, 1], on record is [1, 100]": func(a *asksOf) { a.most = 1 },
		"on record are":                                      func(a *asksOf) { a.factor = 30 },
		"allowed probability is 0.5 on probe 1":              func(a *asksOf) { a.delta = 0.5 },
		"tolerance is 0.4 on probe 1":                        func(a *asksOf) { a.tolerance = 0.4 },
		"it spends 0.005 of the effort":                      func(a *asksOf) { a.effort = 0.005 },
		"meet the premise, on record are":                    func(a *asksOf) { a.premise = 0.04 },
		`"x" is compared on 0 probes`:                        func(a *asksOf) { a.dropped = true },
		"on the scale":                                       func(a *asksOf) { a.scale = 1e6 },
		`"n against a bound" is compared 1 times on probe 1`: func(a *asksOf) { a.steps = 1 },
	} {
		weak := whole
		weaken(&weak)
		r := run(weak.check(), read["a"])
		if said := strings.Join(r.Unexpected(), "\n"); !strings.Contains(said, want) {
			t.Errorf("%q is not said, but %q", want, said)
		}
	}
}

// So are the comparisons of an exact check.
func TestExactComparisonsAreOnRecord(t *testing.T) {
	run := func(n int, asked *Asked) *Result {
		check := Exact("all", func(rec *Recorder) {
			for range n {
				rec.Truth("1 < 2", true)
			}
		})
		results, err := Run(t.Context(),
			[]Claim{{ID: "a", Check: check, Expect: Proved, Asked: asked}}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		return &results[0]
	}
	asked, err := Record(run(5, nil))
	if err != nil {
		t.Fatal(err)
	}
	if r := run(5, asked); !r.AsExpected() {
		t.Error(r.Unexpected())
	}
	if said := strings.Join(run(4, asked).Unexpected(), "\n"); !strings.Contains(said,
		"compared 4 times, on record are 5") {
		t.Errorf("a comparison less is told as %q", said)
	}
}

// A counterexample is on record with its size: a wrong formula inside a claim that is refuted all
// the same is noticed.
func TestRefutationsAreOnRecord(t *testing.T) {
	square := func(f float64) Check {
		return Inequality(func(src *Source, rec *Recorder) {
			x := src.Real("x", 0, 4)
			rec.AtMost("x²", f*x*x, 3*x)
		})
	}
	run := func(f float64, asked *Asked) *Result {
		results, err := Run(t.Context(),
			[]Claim{{ID: "a", Check: square(f), Expect: Refuted, Asked: asked}}, Config{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		return &results[0]
	}
	asked, err := Record(run(1, nil))
	if err != nil || len(asked.Refuted) != 1 {
		t.Fatal(err, asked)
	}
	if r := run(1, asked); !r.AsExpected() {
		t.Error(r.Unexpected())
	}
	if said := strings.Join(run(1.5, asked).Unexpected(), "\n"); !strings.Contains(said,
		"the counterexample on record has") {
		t.Errorf("another formula is refuted as expected: %q", said)
	}
}

// The ledger says how sharp a bound is, and every run of any ledger holds it to that.
func TestLooserBoundsAreNoticed(t *testing.T) {
	for looser, want := range map[float64]string{1: "",
		10: "reaches 0.1 of its bound, the ledger says 0.9"} {
		c := Claim{ID: "a", Expect: Consistent, Sharp: []Floor{{Share: 0.9}},
			Check: Inequality(func(src *Source,
				rec *Recorder) {
				x := src.Real("x", 1, 4)
				rec.AtMost("x", x, 4*looser)
			})}
		results, err := Run(t.Context(), []Claim{c}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		if said := strings.Join(results[0].Unexpected(), "\n"); want == "" && said != "" ||
			!strings.Contains(said, want) {
			t.Errorf("%v times looser: %q", looser, said)
		}
	}
}

// Whatever is read as a record is written and read as the same.
func FuzzReadRecord(f *testing.F) {
	f.Add([]byte(`{"schema": "` + recordSchema + `", "claims": {"a": {}, "b": null}}`))
	f.Add([]byte(`{"schema": "` + recordSchema + `", "claims": {"a\u0007": {}}}`))
	f.Fuzz(func(t *testing.T, text []byte) {
		record, err := ReadRecord(text)
		if err != nil {
			return
		}
		var first, second bytes.Buffer
		if err := WriteRecord(&first, record); err != nil {
			t.Fatal(err)
		}
		again, err := ReadRecord(first.Bytes())
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, &first, err)
		}
		if err := WriteRecord(&second, again); err != nil || second.String() != first.String() {
			t.Errorf("%q is read as %q: %v", &first, &second, err)
		}
	})
}
