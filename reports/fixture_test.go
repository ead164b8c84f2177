package reports

import (
	"encoding/json"
	"math"
	"runtime/debug"
	"testing"
	"time"

	"sledge/props"
	"sledge/props/certificate"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// fixture is a small report with every verdict, form and kind of evidence in it. Its numbers are
// invented: rendering is tested here, not mathematics.
func fixture() *Report {
	nan := math.NaN()
	ev := func(what string, m, c float64, rel props.Relation) props.Evidence {
		return props.Evidence{What: what, Measured: m, Claimed: c, Relation: rel, Tightness: m / c,
			Ratio: nan, Constant: nan, Excluded: nan, Allowed: nan, Trials: 400,
			Level: nan, Low: nan, High: nan, Where: "n = 12, L = 3.5", Replay: "v1:token:AbC-_9"}
	}
	with := func(e props.Evidence, change func(*props.Evidence)) props.Evidence { change(&e); return e }
	claim := func(id, part, lines string, expect props.Verdict, statement string,
		uses ...string) props.Claim {
		return props.Claim{ID: id, Part: part, Tier: 1, Kind: "inequality", Lines: lines,
			Label: "lemma:" + id, Statement: statement,
			Expect: expect, Uses: uses}
	}
	sweep := props.Curve{Title: "Estimator error", XLabel: "t", YLabel: "‖v − ∇f‖²"}
	for i := range 200 {
		x := float64(i)
		y := math.Exp(-x/30) * (1 + 0.3*math.Sin(x/7))
		sweep.X, sweep.Median, sweep.Claimed = append(sweep.X, x), append(sweep.Median, y),
			append(sweep.Claimed, 40*math.Exp(-x/40))
		sweep.Low, sweep.High = append(sweep.Low, y/2), append(sweep.High, y*2.5)
	}
	sweep.Median[0], sweep.Low[0] = 0, 0
	law := props.Curve{Title: "Steps to target", XLabel: "n", YLabel: "T/claimed"}
	for i := range 9 {
		x := math.Pow(2, float64(i+3))
		law.X, law.Median = append(law.X, x),
			append(law.Median, 3*math.Pow(x, -0.5)*(1+0.1*math.Sin(float64(i))))
	}
	results := []props.Result{
		{Claim: claim("pl-rate", "pl", "520-530", props.Supported,
			"The gap shrinks by 1 − ημ in each step"),
			Verdict: props.Supported, Seconds: 0.31,
			Evidence: []props.Evidence{with(
				ev("share of runs that miss the rate", 0.002, 0.05, props.LE),
				func(e *props.Evidence) {
					e.Level, e.Low, e.High, e.Sense, e.Allowed = 1e-6, 0, 0.011, props.Runs, 0.05
					e.Power = props.Power{Of: props.ViolationRate, Size: 0.1, Probability: 0.9,
						Within: 400}
					e.Screening = props.Screening{Rate: 0.15, Found: 0.9}
					e.Quantiles = []props.Quantile{{At: 0.5, Value: 12},
						{At: 0.9, Value: props.Num(nan)}}
					e.Instances, e.Excluded, e.Loose = 192, 0.0154, true
					e.Regime = []props.Condition{{What: "n > 1", Met: true}, {What: "b < n"}}
					e.Content = props.Content{Matter: "steps with an error", Share: 0.4, Least: 0.1}
					e.Curves = []props.Curve{sweep}
				})}},
		{Claim: claim("descent", "first-order", "109-118", props.Proved,
			"$f(x⁺) ≤ f(x) − (η/2)‖∇f(x)‖² + r²/η$"),
			Verdict: props.Proved, Seconds: 0.02,
			Evidence: []props.Evidence{with(ev("f(x⁺)", 0.5, 0.5, props.LE),
				func(e *props.Evidence) {
					e.Certified, e.Trials, e.Scope, e.Covers = true, 24, certificate.Sizes, "n ≤ 4"
					e.Certificate = &certificate.Certificate{Kind: certificate.Enumeration,
						Scope: e.Scope, Covers: e.Covers,
						Statement: "it holds",
						Proof:     []byte(`{"comparisons":24,"digest":"00"}`)}
				})}},
		{Claim: claim("horizon", "first-order", "140", props.Consistent,
			"$T ≥ 4Δ/(ηε²)$ steps suffice", "variance", "assumption-smooth"),
			Verdict: props.Consistent, Evidence: []props.Evidence{with(ev("T", 3, 11, props.LE),
				func(e *props.Evidence) {
					e.Curves = []props.Curve{law}
					e.Chain = []props.Link{{Name: "‖v − ∇f‖²", Value: 0.003},
						{Name: "Bernstein", Value: 0.08},
						{Name: "union over t", Value: 0.6},
						{Name: "Σ over T₁ steps", Value: 31}, {Name: "15C₁⁸ζ²/b Σ‖·‖²", Value: 4e9}}
				})}},
		{Claim: claim("budget", "first-order", "150", props.Consistent,
			"Õ(n + Δ√n/ε²) gradients suffice", "horizon"),
			Verdict: props.Inconclusive,
			Evidence: []props.Evidence{with(ev("gradients", 80, 90, props.LE),
				func(e *props.Evidence) { e.Part = 1 }),
				with(ev("measured/claimed", 240, 10, props.LE),
					func(e *props.Evidence) { e.Sense, e.Ratio, e.Tightness = props.Hidden, 24, nan })}},
		{Claim: claim("variance", "first-order", "120-131", props.Refuted,
			"$‖v − ∇f‖² ≤ (ζ²/b) Σ‖x^s − x^{s−1}‖²$ | for *all* $t_1 <b>$", "descent"),
			Verdict: props.Refuted,
			Seconds: 0.4, Evidence: []props.Evidence{
				with(ev("‖v − ∇f‖²", 1.0000012, 1, props.LE), func(e *props.Evidence) {
					e.Violations, e.Certified, e.Curves = 7, true, []props.Curve{sweep}
					e.Simplest = &props.Example{Measured: 5, Claimed: 4, Where: "n = 1",
						Replay: "v2:simple:AA"}
				}),
				with(ev("mean", 1, 1, props.EQ), func(e *props.Evidence) { e.Tightness = 0 }),
			}},
		{Claim: claim("variance/corrected", "first-order", "120-131", props.Consistent,
			"… with $2ζ²/b$ in place of $ζ²/b$",
			"descent"), Verdict: props.Consistent,
			Evidence: []props.Evidence{ev("‖v − ∇f‖²", 0.4, 1, props.LE)}},
		{Claim: claim("tail", "concentration", "904", props.Vacuous,
			"$P(‖ΣX‖ ≥ t) ≤ (d+1) exp(−t²/2σ²)$"),
			Verdict:  props.Vacuous,
			Evidence: []props.Evidence{ev("P", 1, 3, props.LE)}},
		{Claim: claim("broken", "concentration", "910", props.Consistent,
			"a control byte \x01 in words"),
			Verdict: props.Error, Err: "panic: \x00 index out of range",
			Evidence: []props.Evidence{}},
		{Claim: claim("endless", "concentration", "912", props.Consistent, "E X ≤ B", "variance"),
			Verdict: props.Refuted,
			Evidence: []props.Evidence{with(ev("mean", math.Inf(1), 2, props.LE),
				func(e *props.Evidence) { e.Violations, e.Note = 1, "first" })}},
		{Claim: claim("control/first", "", "", props.Refuted, "A statement that must fail"),
			Verdict: props.Refuted, Evidence: []props.Evidence{
				with(ev("x", 2, 1, props.EQ), func(e *props.Evidence) { e.Violations = 400 })}},
	}
	results[5].Claim.Form, results[5].Claim.Of = props.Corrected, "variance"
	results[len(results)-1].Claim.Form = props.Extension
	results[4].Claim.Notes = "Read with C₁ = 1."
	results[5].Claim.Notes = "The printed form forgets that the two means differ; the factor 2 is attained. What " +
		"depends on it keeps its order."
	r := New(results, Run{Seed: 7, Tier: "quick", Alpha: 1e-3,
		Started: time.Date(2025, 3, 4, 5, 6, 7, 0, time.UTC), Seconds: 12.3, Planned: len(results),
		Replayer: "verify replay"})
	for i := range r.Claims { // outcomes of evidence cannot be set, but read
		for j := range r.Claims[i].Evidence {
			judge(&r.Claims[i].Evidence[j], r.Claims[i].Verdict)
		}
	}
	r.Tool = Tool{Name: "sledge", Version: "v1.2.3", Go: "go1.26", OS: "linux", Arch: "amd64",
		GOAMD64: "v1"}
	judge(&r.Claim("variance").Evidence[1], props.Consistent)
	r.finish()
	return r
}

// judge gives a piece of evidence an outcome, in the only way there is outside the engine: by
// reading it.
func judge(e *Evidence, v props.Verdict) {
	var members map[string]json.RawMessage
	b, err := json.Marshal(e)
	if err == nil {
		err = json.Unmarshal(b, &members)
	}
	if err == nil {
		members["outcome"], err = json.Marshal(v)
	}
	if err == nil {
		b, err = json.Marshal(members)
	}
	if err == nil {
		err = json.Unmarshal(b, e)
	}
	if err != nil {
		panic(err)
	}
}

// judged is a piece of evidence with an outcome.
func judged(e props.Evidence, v props.Verdict) Evidence {
	out := Evidence{e}
	judge(&out, v)
	return out
}
