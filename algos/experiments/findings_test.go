package experiments

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
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

// Every judge holds on runs made to order, and fails when one of the things that it asserts is
// taken away, also in brief.
func TestJudgesCanFail(t *testing.T) {
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
		finding Finding
		holds   []field
		fails   map[string][]field
	}{
		{fewerGradients, []field{fig1}, map[string][]field{
			"SLEDGE is slower":      {fig1.but("SLEDGE", learns(0.9, 12, 0))},
			"ZeroSARAH is slower":   {fig1.but("ZeroSARAH", learns(0.9, 12, 0))},
			"SLEDGE learns nothing": {fig1.but("SLEDGE", learns(0.1, 1, 0))}}},
		{nearlyMonotone, []field{noise}, map[string][]field{
			"a deep fall":    {noise.but("SLEDGE, r = 0.15", learns(0.9, 3, 0.2))},
			"learns nothing": {noise.but("SLEDGE, r = 0.15", learns(0.1, 3, 0))}}},
		{fastestWithNoise, []field{noise}, map[string][]field{
			"deeper falls than without noise": {noise.but("SLEDGE", learns(0.9, 3, 0))},
			"slower than without noise":       {noise.but("SLEDGE", learns(0.9, 1, 0.02))},
			"slower than SSRGD":               {noise.but("SSRGD, r = 0.15", learns(0.9, 1, 0))}}},
		{fewerRounds, []field{fig2}, map[string][]field{
			"SCAFFOLD is faster":    {fig2.but("SCAFFOLD", learns(0.9, 1, 0))},
			"FLEDGE learns nothing": {fig2.but("FLEDGE", learns(0.1, 1, 0))},
			"FLEDGE stops half way": {fig2.but("FLEDGE", learns(0.5, 1, 0))}}},
		{smallNorm, []field{{"FLEDGE": linear}},
			map[string][]field{"too slow": {{"FLEDGE": norms(func(t float64) float64 {
				return math.Exp(-0.02 * t)
			})}}}},
		{linearDecay, []field{{"FLEDGE": linear}}, map[string][]field{
			"a power law": {
				{"FLEDGE": norms(func(t float64) float64 { return math.Pow(1+t, -2) })}},
			"a floor": {
				{"FLEDGE": norms(func(t float64) float64 { return 0.01 + math.Exp(-t) })}},
			"slowing": {{"FLEDGE": norms(func(t float64) float64 {
				return math.Exp(-2 * math.Sqrt(math.Sqrt(t)))
			})}},
			"no descent": {{"FLEDGE": norms(func(t float64) float64 { return math.Exp(0.1 * t) })}}}},
		{parity, []field{fig2}, map[string][]field{
			"BVR-L-SGD is better": {fig2.but("FLEDGE", learns(0.8, 3, 0))},
			"FLEDGE is better":    {fig2.but("BVR-L-SGD", learns(0.8, 3, 0))}}},
		{everyRate, []field{fig3, fig3}, map[string][]field{
			"slower at the second rate": {fig3,
				{"SLEDGE": descends(0.1, 0), "SARAH": descends(0.2, 0)}},
			"less stable": {fig3.but("SLEDGE", descends(0.2, 0.5)), fig3}}},
		{closeToSARAH, []field{fig4}, map[string][]field{
			"as bad as SAGA":    {fig4.but("SLEDGE", errs(3))},
			"far from SARAH":    {fig4.but("SARAH", errs(0.1))},
			"half as SAGA's":    {fig4.but("SAGA", errs(1.5))},
			"SAGA stopped soon": {fig4.but("SAGA", &algos.Trace{Records: errs(1).Records[:2]})}}},
		{perturbed, []field{fig5}, map[string][]field{
			"FLEDGE without noise is better":    {fig5.but("FLEDGE", learns(0.95, 3, 0))},
			"BVR-L-SGD without noise is better": {fig5.but("BVR-L-SGD", learns(0.95, 3, 0))},
			"BVR-L-PSGD falls behind": {
				fig5.but("BVR-L-PSGD, r = 0.015", learns(0.3, 3, 0))}}},
		{littleLoss, fig6, map[string][]field{
			"FedAvg loses nothing": {fig6[0], fig6[1].but("FedAvg", learns(0.95, 3, 0))},
			"FLEDGE loses as much": {fig6[0], fig6[1].but("FLEDGE", learns(0.7, 3, 0))},
			"FLEDGE's weights diverge": {fig6[0], fig6[1].but("FLEDGE",
				curve(func(float64) algos.Record {
					return algos.Record{Observed: []float64{math.NaN(), 1, 1, 1}}
				}))}}},
	} {
		for _, brief := range []bool{false, true} {
			judge := func(fields []field) (holds bool, judged []props.Judged) {
				runs := &Runs{Brief: brief,
					Of: func(race int, method string) *algos.Trace { return fields[race][method] }}
				for k := range fields {
					runs.Races = append(runs.Races, Race{Name: fmt.Sprint(k)})
				}
				judged, err := props.Judge(func(rec *props.Recorder) { c.finding.Judge(runs, rec) })
				if err != nil {
					t.Fatalf("%s: %v", c.finding.Name, err)
				}
				holds = true
				for _, j := range judged {
					holds = holds && j.Holds
				}
				return holds, judged
			}
			if ok, judged := judge(c.holds); !ok || len(judged) == 0 {
				t.Errorf("%s does not hold on runs made for it: %+v", c.finding.Name, judged)
			}
			for name, fields := range c.fails {
				if ok, _ := judge(fields); ok {
					t.Errorf("%s holds although: %s", c.finding.Name, name)
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
		l := &lab{scale: scale, figure: "fig2", blind: true}
		runs := l.repeat(keyed.New(3))
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
