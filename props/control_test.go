package props

import (
	"strings"
	"testing"
)

// slowed is a claim about a time, or about a tightness, which its mechanism multiplies by the given
// factor.
func slowed(factor float64, mean, tail bool) Check {
	at := func(src *Source) float64 {
		src.Real("x", 1, 2)
		if src.Without(Errors) {
			return 1
		}
		return factor
	}
	run := func(by float64, t Trial) float64 { return by * (1 + t.Key.Rand().Float64()) }
	switch {
	case mean:
		return Mean(func(src *Source) MeanTrial {
			by := at(src)
			return MeanTrial{Claimed: 10, Relation: LE, Hi: 30,
				Run: func(t Trial) float64 { return run(by, t) }}
		})
	case tail:
		return Tail(func(src *Source) TailTrial {
			by := at(src)
			return TailTrial{Delta: 0.2, Run: func(t Trial, rec *Recorder) {
				rec.AtMost("u", run(by, t), 20)
			}}
		})
	}
	return Hitting(func(src *Source) HittingTrial {
		by := at(src)
		return HittingTrial{Horizon: 400, Delta: 0.2, Run: func(t Trial) (int,
			bool) {
			return int(10 * run(by, t)), true
		}}
	})
}

// A claim that its mechanism changes is told from its control, and one that does not involve it is
// loose: consistent, unless a sharper form stands, and not as expected unless the ledger says so.
func TestControls(t *testing.T) {
	for _, kind := range []string{"hitting", "tail", "mean"} {
		for _, c := range []struct {
			factor, asked float64
			tells         bool
		}{{1, 1.5, false}, {1.2, 1.5, false}, {2, 1.5, true}, {5, DefaultFactor, true},
			{0.3, DefaultFactor, true}} {
			claim := Claim{ID: "x", Expect: Supported, Control: &Control{Errors, c.asked},
				Check: slowed(c.factor, kind == "mean", kind == "tail")}
			r := runClaims(t, claim)
			ev := &r.Evidence[0]
			if ev.Control == nil || ev.Control.Tells != c.tells || r.Loose() == c.tells ||
				ev.Control.Open {
				t.Fatalf("%s, factor %v: %+v, loose %v", kind, c.factor, ev.Control, r.Loose())
			}
			if c.tells {
				if r.Verdict != Supported || !r.AsExpected() ||
					len(r.Evidence) > 1 && r.Evidence[1].Control != nil {
					t.Errorf("%s, factor %v: %v, %v", kind, c.factor, r.Verdict, r.Unexpected())
				}
				continue
			}
			if r.Verdict != Consistent || !strings.Contains(ev.Note,
				"loose: its control (exact gradients)") {
				t.Errorf("%s, factor %v: %v, %q", kind, c.factor, r.Verdict, ev.Note)
			}
			claim.Sharpened = true
			if r := runClaims(t, claim); r.Verdict != Supported || !r.Loose() || r.AsExpected() {
				t.Errorf("%s, factor %v, with a sharper form: %v, %v", kind, c.factor, r.Verdict,
					r.Unexpected())
			}
			claim.MayBeLoose = true
			if r := runClaims(t, claim); !r.AsExpected() || !r.Loose() {
				t.Errorf("%s, factor %v, said to be loose: %v", kind, c.factor, r.Unexpected())
			}
		}
	}
}

// A check without randomness that asks its source takes part in the control of its claim, and one
// that does not ask is as before; instances that compare nothing but 0 say nothing.
func TestControlsWithoutRandomness(t *testing.T) {
	for _, c := range []struct {
		factor             float64
		asks, nought       bool
		tells, loose, some bool
	}{{1, true, false, false, true, true}, {1.5, true, false, false, true, true},
		{3, true, false, true, false, true}, {0.3, true, false, true, false, true},
		{3, false, false, false, false, false}, {3, true, true, false, true, true}} {
		evaluations := 0
		r := runClaims(t, Claim{ID: "x", Expect: Consistent, Control: &Control{Errors, DefaultFactor},
			Check: Inequality(func(src *Source, rec *Recorder) {
				x := src.Real("x", 1, 2) * c.factor
				if c.asks && src.Without(Errors) {
					evaluations++
					x /= c.factor
				}
				if c.nought {
					x = 0
				}
				rec.AtMost("x", x, 10)
			})})
		ev := &r.Evidence[0]
		if (ev.Control != nil) != c.some || r.Loose() != c.loose || r.AsExpected() == c.loose ||
			c.some && (ev.Control.Tells != c.tells || ev.Control.Open) {
			t.Errorf("factor %v: %+v, loose %v, %v", c.factor, ev.Control, r.Loose(), r.Unexpected())
		}
		if c.some && !c.nought && (evaluations == 0 || evaluations > 100) {
			t.Errorf("factor %v: %d evaluations of the control", c.factor, evaluations)
		}
		if c.tells && evaluations > 25 {
			t.Errorf("factor %v: %d evaluations tell it", c.factor, evaluations)
		}
	}
}

// A tenth of the horizon tells where runs need more than that.
func TestControlByTheHorizon(t *testing.T) {
	for factor, tells := range map[float64]bool{1: false, 6: true} {
		r := runClaims(t, Claim{ID: "x", Expect: Supported, Control: &Control{Tenth, DefaultFactor},
			Check: slowed(factor, false, false)})
		if c := r.Evidence[0].Control; c.Tells != tells {
			t.Errorf("%v: %+v", factor, c)
		}
	}
	r := runClaims(t, Claim{ID: "x", Expect: Supported, Control: &Control{Tenth, DefaultFactor},
		Check: slowed(1, true, false)})
	if r.Verdict != Error || !strings.Contains(r.Err, "no horizon") {
		t.Errorf("%v %s", r.Verdict, r.Err)
	}
}

// A run of a control that asks for the patience with it is followed until the factor is decided,
// and tells the same as one that goes on.
func TestControlsHavePatience(t *testing.T) {
	for _, late := range []int{10, 21, 22, 23, 300, 500} {
		var told [2]*Controlled
		for k, patient := range []bool{false, true} {
			longest := 0
			r := runClaims(t, Claim{ID: "x", Expect: Supported,
				Control: &Control{Errors, DefaultFactor},
				Check: Hitting(func(src *Source) HittingTrial {
					src.Real("x", 0, 1)
					return HittingTrial{Horizon: 400, Delta: 0.2, Run: func(t Trial) (int, bool) {
						time, most := 10, 400
						if t.Without(Errors) {
							time = late
							if patient {
								most = t.Patience(most)
							}
							longest = max(longest, min(time, most))
						} else if t.Patience(most) != most {
							return 0, false // no run of the claim itself is cut short
						}
						return time, time <= most
					}}
				})})
			if told[k] = r.Evidence[0].Control; r.Verdict != Supported && told[k].Tells {
				t.Errorf("time %d: %v", late, r.Verdict)
			}
			if patient && longest > 22 {
				t.Errorf("time %d: a run goes on until %d", late, longest)
			}
		}
		if *told[0] != *told[1] || told[0].Tells != (late >= 22) {
			t.Errorf("time %d: %+v, with patience %+v", late, told[0], told[1])
		}
	}
}

// runClaims runs one claim.
func runClaims(t *testing.T, c Claim) *Result {
	t.Helper()
	results, err := Run(t.Context(), []Claim{c}, Config{Seed: 1, Workers: 2})
	if err != nil {
		t.Fatal(err)
	}
	return &results[0]
}

func TestParseControl(t *testing.T) {
	for text, want := range map[string]Control{
		"exact gradients":                           {Errors, DefaultFactor},
		"zeta = 0 changes tightness by 1.5":         {Heterogeneity, 1.5},
		"a tenth of the horizon changes time by 10": {Tenth, 10},
		"one client":                                {OneClient, DefaultFactor},
		"no noise changes time by 1e3":              {Noise, 1e3},
	} {
		if c, err := ParseControl(text); err != nil || c != want {
			t.Errorf("%q: %+v, %v", text, c, err)
		}
	}
	for _, text := range []string{"", "no gradients", "exact gradients changes time",
		"no noise changes time by 1",
		"no noise changes time by x"} {
		if c, err := ParseControl(text); err == nil {
			t.Errorf("%q: %+v", text, c)
		}
	}
}

// A control is told or not at every seed where the share of instances that it changes is clear, and
// what shifts luck alone, or changes as many instances one way as the other, tells nothing.
func TestControlsOnPartOfTheInstances(t *testing.T) {
	part := func(share float64, both bool) Check {
		return Hitting(func(src *Source) HittingTrial {
			at, side := src.Real("x", 0, 1), src.Real("side", 0, 1)
			time := 10
			if src.Without(Errors) && at < share {
				if time = 100; both && side < 0.5 {
					time = 1
				}
			}
			return HittingTrial{Horizon: 400, Delta: 0.2,
				Run: func(Trial) (int, bool) { return time, true }}
		})
	}
	luck := Hitting(func(src *Source) HittingTrial {
		src.Real("x", 0, 1)
		domain := "with"
		if src.Without(Errors) {
			domain = "without"
		}
		return HittingTrial{Horizon: 400, Delta: 0.2, Run: func(t Trial) (int, bool) {
			return 1 + t.Key.With(domain).Rand().IntN(300), true
		}}
	})
	for name, c := range map[string]struct {
		check Check
		tells bool
	}{
		"2 % of the instances":     {part(0.02, false), false},
		"half of the instances":    {part(0.5, false), true},
		"all instances, both ways": {part(1, true), false},
		"luck":                     {luck, false},
	} {
		for seed := range uint64(few(12)) {
			results, err := Run(t.Context(),
				[]Claim{{ID: "x", Check: c.check, Control: &Control{Errors, DefaultFactor}}},
				Config{Seed: seed, Workers: 2})
			if err != nil {
				t.Fatal(err)
			}
			if got := results[0].Evidence[0].Control; got.Tells != c.tells || got.Open {
				t.Errorf("%s, seed %d: %+v", name, seed, got)
			}
		}
	}
}

// Between its two hypotheses a control may be told or not; where neither is shown the claim is not
// as expected.
func TestOpenControl(t *testing.T) {
	c := &Controlled{Control: Control{Errors, 2}, Pairs: controlPairs, Changed: 170, Open: true}
	r := Result{Claim: Claim{Expect: Supported, Control: &c.Control}, Verdict: Supported,
		Evidence: []Evidence{{outcome: Supported, Control: c}}}
	if r.Loose() || len(r.Unexpected()) != 1 || !strings.Contains(c.words(),
		"open: it changes the number by 2 or more in 170 of 1000") {
		t.Errorf("%v, %q", r.Unexpected(), c.words())
	}
}

// Where hardly any even draw lies in the regime, pairs are made on the instances that the search
// has met there; and a quantity that vanishes without the mechanism misses a lower bound by more
// than any ratio says.
func TestControlInARareRegime(t *testing.T) {
	check := Tail(func(src *Source) TailTrial {
		k := src.Int("k", 0, 100000)
		still := src.Without(Noise)
		return TailTrial{Delta: 0.2, Regime: Where(Condition{"k is large", k == 100000}),
			Run: func(t Trial, rec *Recorder) {
				x := 2 + t.Key.Rand().Float64()
				if still { // at rest, but for rounding
					x = float64(t.N%2) * 1e-9
				}
				rec.AtLeast("distance", x, 1)
			}}
	})
	r := runClaims(t, Claim{ID: "x", Expect: Supported, Control: &Control{Noise, DefaultFactor},
		Check: check})
	c := r.Evidence[0].Control
	if c == nil || !c.Tells || c.Against > 0 || c.Pairs < 10 || r.Loose() {
		t.Errorf("%v %+v", r.Verdict, c)
	}
}
