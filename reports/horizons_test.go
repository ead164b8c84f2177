package reports

import (
	"math"
	"strings"
	"testing"

	"sledge/props"
)

// Times stand on one axis that ends at the claimed time: of a result the printed statement whose
// runs are late, and of what stands that of which runs take most; bounds of other kinds have none.
func TestHorizons(t *testing.T) {
	claim := func(id string, v props.Verdict, form props.Form, claimed, half, ninety float64) Claim {
		e := judged(props.Evidence{Sense: props.Runs, Measured: ninety, Claimed: claimed,
			Relation: props.LE, Trials: 9, Violations: 9, Allowed: 0.1, Quantiles: []props.Quantile{
				{At: 0.5, Value: Num(half)}, {At: 0.9, Value: Num(ninety)}}}, v)
		return Claim{Claim: props.Claim{ID: id, Theorem: "Theorem 7", Tier: 1, Form: form},
			Verdict: v, Evidence: []Evidence{e}}
	}
	never := math.NaN()
	r := New(nil, Run{})
	r.Claims = []Claim{
		claim("late", props.Refuted, props.Printed, 500, never, never),
		claim("late/corrected", props.Supported, "corrected", 1000, 10, 20),
		claim("late/sharper", props.Supported, props.Extension, 100, 10, 50),
		claim("other", props.Refuted, props.Extension, 100, never, never),
	}
	s := newSite(r, Pages{})
	var got []string
	for _, h := range s.Horizons {
		got = append(got, h.Claim.ID)
	}
	if strings.Join(got, " ") != "late late/sharper" || s.Least != "10 %" {
		t.Fatalf("%v from %s", got, s.Least)
	}
	if h := s.Horizons[0]; h.Left != 99 || h.Ninety.Known() || h.Late != 9 {
		t.Errorf("late: %+v", h)
	}
	if h := s.Horizons[1]; h.Left > 1e-9 || math.Abs(h.Width-100*math.Log10(5)) > 1e-9 {
		t.Errorf("half of its horizon: %+v", h)
	}
	var b strings.Builder
	if err := r.WriteHTML(&b, Pages{}); err != nil || !strings.Contains(b.String(), "9 of 9 late") {
		t.Error(err, "the page has no late runs")
	}
}
