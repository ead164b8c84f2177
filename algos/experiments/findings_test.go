package experiments

import (
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/ledger"
)

// curve makes a trace with one look at a step: what is seen is a function of the step, from 0 to 20.
func curve(seen func(t float64) algos.Record) *algos.Trace {
	tr := &algos.Trace{}
	for step := range 21 {
		r := seen(float64(step))
		r.Step = step
		if r.Counts.Gradients == 0 {
			r.Counts.Gradients = int64(100 * step)
		}
		tr.Records = append(tr.Records, r)
	}
	return tr
}

// learns makes a trace whose test accuracy rises from 0.1 to top with the time constant; every
// fifth look is lower by dip.
func learns(top, time, dip float64) *algos.Trace {
	return curve(func(t float64) algos.Record {
		a := top - (top-0.1)*math.Exp(-t/time)
		if int(t)%5 == 4 {
			a -= dip
		}
		return algos.Record{Observed: []float64{TestLoss: 1, TestAccuracy: a, validationAccuracy: a,
			TrainAccuracy: a}}
	})
}

// descends makes a trace of f, with a bump at step 10.
func descends(rate, bump float64) *algos.Trace {
	return curve(func(t float64) algos.Record {
		f := math.Exp(-rate * t)
		if t == 10 {
			f += bump
		}
		return algos.Record{Value: f}
	})
}

func norms(g func(t float64) float64) *algos.Trace {
	return curve(func(t float64) algos.Record { return algos.Record{GradientNorm: g(t)} })
}

func errs(e float64) *algos.Trace {
	return curve(func(t float64) algos.Record { return algos.Record{Error: e * t} })
}

type field map[string]*algos.Trace

// but is the field with one trace changed.
func (f field) but(name string, tr *algos.Trace) field {
	out := field{}
	for k, v := range f {
		out[k] = v
	}
	out[name] = tr
	return out
}

// written is the ledger.
func written(t *testing.T) *ledger.Ledger {
	t.Helper()
	l, err := ledger.Read(os.DirFS("../.."), "concentration/symbols.ledger", "bounds/symbols.ledger",
		"docs/ledger/*.ledger")
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// stated are the findings of the ledger by their names.
func stated(t *testing.T) map[string]Finding {
	t.Helper()
	all := map[string]Finding{}
	for _, f := range Figures() {
		found, err := f.Findings(written(t), clientScale)
		if err != nil {
			t.Fatal(err)
		}
		for _, one := range found {
			all[one.Name] = one
		}
	}
	return all
}

// Every judge holds on runs made to order, and fails when one of the things that it asserts is
// taken away, also in brief.
func TestJudgesCanFail(t *testing.T) {
	all := stated(t)
	good, slow := learns(0.9, 3, 0), learns(0.9, 6, 0)
	fig1 := field{"SLEDGE": good, "ZeroSARAH": good, "SARAH": slow}
	noise := field{"SLEDGE, r = 0.15": learns(0.9, 3, 0.01), "SLEDGE": learns(0.9, 3, 0.02),
		"ZeroSARAH": slow, "SARAH": slow, "SSRGD, r = 0.15": slow}
	fig2 := field{"FLEDGE": good, "FedAvg": slow, "SCAFFOLD": slow, "MimeMVR": slow,
		"BVR-L-SGD": learns(0.92, 3, 0)}
	fig3 := field{"SLEDGE": descends(0.2, 0), "SARAH": descends(0.1, 0)}
	fig4 := field{"SLEDGE": errs(1.2), "SARAH": errs(1), "SAGA": errs(4)}
	fig5 := field{"FLEDGE, r = 0.015": learns(0.9, 3, 0),
		"BVR-L-PSGD, r = 0.015": learns(0.9, 3, 0), "FLEDGE": slow, "BVR-L-SGD": slow,
		"FedAvg": slow, "SCAFFOLD": slow, "MimeMVR": slow}
	fig6 := []field{{"FLEDGE": learns(0.9, 3, 0), "FedAvg": learns(0.9, 3, 0)},
		{"FLEDGE": learns(0.85, 3, 0), "FedAvg": learns(0.6, 3, 0)}}
	linear := norms(func(t float64) float64 { return math.Exp(-0.2 * t) })
	for _, c := range []struct {
		finding string
		holds   []field
		fails   map[string][]field
	}{
		{"Fewer gradients than SARAH", []field{fig1}, map[string][]field{
			"SLEDGE is slower":      {fig1.but("SLEDGE", learns(0.9, 12, 0))},
			"ZeroSARAH is slower":   {fig1.but("ZeroSARAH", learns(0.9, 12, 0))},
			"SLEDGE learns nothing": {fig1.but("SLEDGE", learns(0.1, 1, 0))}}},
		{"Almost monotone with noise", []field{noise}, map[string][]field{
			"a deep fall":    {noise.but("SLEDGE, r = 0.15", learns(0.9, 3, 0.2))},
			"learns nothing": {noise.but("SLEDGE, r = 0.15", learns(0.1, 3, 0))}}},
		{"Fastest and most stable with noise", []field{noise}, map[string][]field{
			"deeper falls than without noise": {noise.but("SLEDGE", learns(0.9, 3, 0))},
			"slower than without noise":       {noise.but("SLEDGE", learns(0.9, 1, 0.02))},
			"slower than SSRGD":               {noise.but("SSRGD, r = 0.15", learns(0.9, 1, 0))}}},
		{"Fewer rounds", []field{fig2}, map[string][]field{
			"SCAFFOLD is faster":    {fig2.but("SCAFFOLD", learns(0.9, 1, 0))},
			"FLEDGE learns nothing": {fig2.but("FLEDGE", learns(0.1, 1, 0))},
			"FLEDGE stops half way": {fig2.but("FLEDGE", learns(0.5, 1, 0))}}},
		{"Small gradient norm", []field{{"FLEDGE": linear}},
			map[string][]field{"too slow": {{"FLEDGE": norms(func(t float64) float64 {
				return math.Exp(-0.02 * t)
			})}}}},
		{"Linear convergence", []field{{"FLEDGE": linear}}, map[string][]field{
			"a power law": {
				{"FLEDGE": norms(func(t float64) float64 { return math.Pow(1+t, -2) })}},
			"a floor": {
				{"FLEDGE": norms(func(t float64) float64 { return 0.01 + math.Exp(-t) })}},
			"slowing": {{"FLEDGE": norms(func(t float64) float64 {
				return math.Exp(-2 * math.Sqrt(math.Sqrt(t)))
			})}},
			"no descent": {{"FLEDGE": norms(func(t float64) float64 { return math.Exp(0.1 * t) })}}}},
		{"On a par with BVR-L-SGD", []field{fig2}, map[string][]field{
			"BVR-L-SGD is better": {fig2.but("FLEDGE", learns(0.8, 3, 0))},
			"FLEDGE is better":    {fig2.but("BVR-L-SGD", learns(0.8, 3, 0))}}},
		{"Faster than SARAH at every rate, and as stable", []field{fig3, fig3}, map[string][]field{
			"slower at the second rate": {fig3,
				{"SLEDGE": descends(0.1, 0), "SARAH": descends(0.2, 0)}},
			"less stable": {fig3.but("SLEDGE", descends(0.2, 0.5)), fig3}}},
		{"Estimator better than SAGA's and close to SARAH's", []field{fig4}, map[string][]field{
			"as bad as SAGA":    {fig4.but("SLEDGE", errs(3))},
			"far from SARAH":    {fig4.but("SARAH", errs(0.1))},
			"half as SAGA's":    {fig4.but("SAGA", errs(1.5))},
			"SAGA stopped soon": {fig4.but("SAGA", &algos.Trace{Records: errs(1).Records[:2]})}}},
		{"Highest accuracy with noise", []field{fig5}, map[string][]field{
			"FLEDGE without noise is better":    {fig5.but("FLEDGE", learns(0.95, 3, 0))},
			"BVR-L-SGD without noise is better": {fig5.but("BVR-L-SGD", learns(0.95, 3, 0))},
			"BVR-L-PSGD falls behind": {
				fig5.but("BVR-L-PSGD, r = 0.015", learns(0.3, 3, 0))}}},
		{"Little loss under heterogeneity", fig6, map[string][]field{
			"FedAvg loses nothing": {fig6[0], fig6[1].but("FedAvg", learns(0.95, 3, 0))},
			"FLEDGE loses as much": {fig6[0], fig6[1].but("FLEDGE", learns(0.7, 3, 0))},
			"FLEDGE's weights diverge": {fig6[0], fig6[1].but("FLEDGE",
				curve(func(float64) algos.Record {
					return algos.Record{Observed: []float64{math.NaN(), 1, 1, 1}}
				}))}}},
	} {
		for _, brief := range []bool{false, true} {
			judge := func(fields []field) (holds bool, judged []props.Judged) {
				f := all[c.finding]
				runs := &Runs{Brief: brief,
					Of: func(race int, method string) *algos.Trace { return fields[race][method] }}
				for k := range fields {
					runs.Races = append(runs.Races, Race{Limits: algos.Limits{Steps: 20}})
					if len(fields) > 1 && c.finding == "Little loss under heterogeneity" {
						runs.Races[k].Name = fmt.Sprintf("q = %g", []float64{0.04, 1}[k])
					}
				}
				judged, err := props.Judge(func(rec *props.Recorder) { f.Judge(runs, rec) })
				if err != nil {
					t.Fatalf("%s: %v", c.finding, err)
				}
				holds = true
				for _, j := range judged {
					holds = holds && j.Holds
				}
				return holds, judged
			}
			if ok, judged := judge(c.holds); !ok || len(judged) == 0 {
				t.Errorf("%s does not hold on runs made for it: %+v", c.finding, judged)
			}
			for name, fields := range c.fails {
				if ok, _ := judge(fields); ok {
					t.Errorf("%s holds although: %s", c.finding, name)
				}
			}
		}
	}
}

// What a lab tunes and runs does not depend on the order in which runs are asked for, nor on
// whether a run has been asked for before.
func TestLabIsLazy(t *testing.T) {
	scale := tiny
	scale.Rates = paperRates[1:3]
	ask := func(methods ...string) *algos.Trace {
		l := &lab{scale: scale, of: "fig2"}
		runs := l.repeat(keyed.New(3), true)
		var tr *algos.Trace
		for _, m := range methods {
			tr = runs.Of(0, m)
		}
		if len(l.rates) != len(slices.Compact(slices.Clone(methods))) {
			t.Errorf("rates %v tuned for %v", l.rates, methods)
		}
		return tr
	}
	want := ask("FLEDGE")
	for _, order := range [][]string{{"FedAvg", "SCAFFOLD", "FLEDGE"}, {"FLEDGE", "FLEDGE"}} {
		if d := cmp.Diff(want, ask(order...), cmpopts.EquateNaNs()); d != "" {
			t.Errorf("%v: %s", order, d)
		}
	}
}

// What is found is what is written: a wrong constant, sign, method or race is noticed on runs that
// the true statement is drawn for with nothing to spare.
func TestFindingsAreWhatIsWritten(t *testing.T) {
	runs := &Runs{Races: []Race{{Name: "q = 0.04", Limits: algos.Limits{Steps: 20}},
		{Name: "q = 1", Limits: algos.Limits{Steps: 20}}},
		Of: func(race int, method string) *algos.Trace {
			e := map[string]float64{"FLEDGE": 1, "FedAvg": 2}[method] * float64(1+3*race)
			return curve(func(s float64) algos.Record {
				return algos.Record{Value: 5 - e*s/8, GradientNorm: e * math.Exp2(-s), Error: e,
					Observed: []float64{1, e/10 + s/40*(e/10), 0, 0}}
			})
		}}
	figures := Figures()
	for _, c := range []struct {
		holds string
		twins []string
	}{
		{"‖∇f‖_{FLEDGE; 1} ≤ ‖∇f‖_{FLEDGE; 0}/1048576", []string{
			"‖∇f‖_{FLEDGE; 1} ≤ ‖∇f‖_{FLEDGE; 0}/1048577",
			"‖∇f‖_{FLEDGE; 0.95} ≤ ‖∇f‖_{FLEDGE; 0}/1048576",
			"‖∇f‖_{FLEDGE; 1} ≥ ‖∇f‖_{FLEDGE; 0}/1048575"}},
		{"error_{FLEDGE; q = 1} ≤ 4error_{FedAvg; q = 0.04}", []string{
			"error_{FLEDGE; q = 1} ≤ 3.9error_{FedAvg; q = 0.04}",
			"error_{FLEDGE; q = 1} ≤ 4error_{FLEDGE; q = 0.04}",
			"error_{FedAvg; q = 1} ≤ 4error_{FedAvg; q = 0.04}"}},
		{"error_M ≤ 4error_{FLEDGE} for M ∈ {FLEDGE; FedAvg}", []string{
			"error_M ≤ 3.9error_{FLEDGE} for M ∈ {FLEDGE; FedAvg}",
			"error_M ≤ 3.9error_{FLEDGE} for M ∈ {FedAvg}"}},
		{"initial_{FLEDGE; q = 0.04} − f_{FLEDGE|FLEDGE; q = 0.04} ≥ initial_{FLEDGE; q = 0.04}/2", []string{
			"initial_{FLEDGE; q = 0.04} − f_{FLEDGE|FLEDGE; q = 0.04} ≥ initial_{FLEDGE; q = 0.04}/1.9",
			"initial_{FLEDGE; q = 1} − f_{FLEDGE|FLEDGE; q = 0.04} ≥ initial_{FLEDGE; q = 0.04}/1.9"}},
		{"decay_{FedAvg; 1/2} ≥ log(2) − 1e-9", []string{"decay_{FedAvg; 1/2} ≥ log(2) + 1e-9"}},
	} {
		judge := func(text string) bool {
			f, err := figures[5].read(text, clientScale)
			if err != nil {
				t.Fatalf("%s: %v", text, err)
			}
			judged, err := props.Judge(func(rec *props.Recorder) { f.judge(runs, rec) })
			if err != nil || len(judged) == 0 {
				t.Fatalf("%s: %v, %v", text, judged, err)
			}
			return !slices.ContainsFunc(judged, func(j props.Judged) bool { return !j.Holds })
		}
		if !judge(c.holds) {
			t.Errorf("%s does not hold", c.holds)
		}
		for _, twin := range c.twins {
			if judge(twin) {
				t.Errorf("%s holds", twin)
			}
		}
	}
}

// What is no finding is refused in one sentence that says what is known.
func TestFindingsAreRead(t *testing.T) {
	for text, want := range map[string]string{
		"spent_{SLEDGE} ≤ 1":                "spent is nothing that is known of runs; known are accuracy_{A},",
		"best_{SGD} ≤ 1":                    `figure 6 has no method "SGD"; it has FLEDGE; FedAvg`,
		"best_M ≤ 1":                        `figure 6 has no method "M"`,
		"best_{FLEDGE; q = 2} ≤ 1":          `figure 6 has no race "q = 2"; it has q = 0.04, q = 1`,
		"rounds_{FLEDGE; 1/4} ≤ 1":          "is written as rounds_{A|B; q}, with a number for q",
		"best_{FLEDGE|FedAvg} ≤ 1":          "is written as best_{A}",
		"rounds_{FLEDGE|FedAvg} ≤ 1":        "is written as rounds_{A|B; q}",
		"rounds_{FLEDGE|FedAvg; 3/2} ≤ 1":   "3/2 is a part, from 0 to 1",
		"error_{FLEDGE} ≤ initial_{FLEDGE}": "has the unit",
		"T ≥ 1":                             "T is no known symbol",
		"":                                  "nothing of a run stands in it",
		"best_M ≤ 1 for M ∈ {FLEDGE":        "a list of methods is wanted",
		"best_{FLEDGE} ≤ O(1)":              "what is measured is compared by ≤ or ≥",
	} {
		_, err := Figures()[5].read(text, clientScale)
		if err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v", text, err)
		}
	}
	made := Stated(func(ledger.Runs) (props.Check, string, error) { return nil, "left", nil })
	for _, c := range []struct {
		r    ledger.Runs
		want string
	}{
		{ledger.Runs{Of: "findings", Method: "figure 7", Rate: 0.5},
			`there are no findings of "figure 7"; there are findings of figure 1, figure 2,`},
		{ledger.Runs{Of: "findings", Method: "figure 2", With: "T = 30", Rate: 0.5},
			`there are no findings of "figure 2 with T = 30"`},
		{ledger.Runs{Of: "findings", Method: "figure 2", Statement: "best_{FLEDGE} ≤ 1"},
			"have a probability"},
		{ledger.Runs{Of: "findings", Method: "the partition", Statement: "owners = 4"}, "known"},
	} {
		if _, _, err := made(c.r); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%+v: %v", c.r, err)
		}
	}
	if _, said, err := made(ledger.Runs{Of: "runs"}); said != "left" || err != nil {
		t.Errorf("what is of other things is not left to others: %q, %v", said, err)
	}
}

// What is counted is what is written.
func TestCountsAreWhatIsWritten(t *testing.T) {
	for _, c := range []struct{ scene, holds, twins string }{
		{"one round of figure 2", "43vectors_{BVR-L-SGD} = 313vectors_{FLEDGE}; ⌊P/p + 1/2⌋ = 10",
			"43vectors_{BVR-L-SGD} = 314vectors_{FLEDGE}; ⌊P/p⌋ = 11"},
		{"the partition", "clients = 4·26; share = q; images = N/4",
			"clients = 4·25; share = q + 1/100; images ≥ N/3"},
	} {
		for want, list := range map[props.Verdict]string{props.Proved: c.holds, props.Refuted: c.twins} {
			for text := range strings.SplitSeq(list, ";") {
				check, _, err := scenes[c.scene].Check(text)
				if err != nil {
					t.Fatal(err)
				}
				results, err := props.Run(t.Context(), []props.Claim{{ID: "twin", Check: check}},
					props.Config{})
				if err != nil {
					t.Fatal(err)
				}
				if got := results[0].Verdict; got != want {
					t.Errorf("%s: %s is %v", c.scene, text, got)
				}
			}
		}
	}
}
