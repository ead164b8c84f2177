package algos_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"sync/atomic"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sledge/algos"
	"sledge/props/keyed"
)

func TestRaceTunesAndIsIndependentOfWorkers(t *testing.T) {
	p := sumOf(30, 4)
	entrants := []algos.Entrant{
		algos.Enter(p, ones(4), func(eta float64) algos.Method { return &algos.SLEDGE{Eta: eta} }),
		algos.Enter(p, ones(4), func(eta float64) algos.Method { return &algos.GD{Eta: eta} }),
		algos.Enter(p, ones(4), func(eta float64) algos.Method {
			return &algos.SGD{Tuning: algos.Tuning{Eta: eta}}
		}),
	}
	opt := algos.RaceOptions{Etas: []float64{1e-4, 0.3, 100}, Limits: algos.Limits{Gradients: 1500},
		Seeds: 2, Workers: 1}
	ticks := 0
	opt.Progress = func(done, total int) {
		ticks++
		if total != 9+6 {
			t.Errorf("total %d, want 15", total)
		}
	}
	one, err := algos.Race(context.Background(), entrants, opt)
	if err != nil {
		t.Fatal(err)
	}
	if ticks != 15 {
		t.Errorf("%d ticks", ticks)
	}
	opt.Workers = 4
	four, err := algos.Race(context.Background(), entrants, opt)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(one, four, cmpopts.EquateNaNs()); d != "" {
		t.Errorf("workers change the result:\n%s", d)
	}
	for _, result := range one {
		if result.Eta != 0.3 || !(result.Scores[2] > 1e6) {
			t.Errorf("%s chose step size %v with scores %v", result.Name, result.Eta, result.Scores)
		}
	}
	if s, g := one[0].Traces[0],
		one[2].Traces[0]; algos.LastGradientNorm(s) > 1e-2*algos.LastGradientNorm(g) {
		t.Errorf("SLEDGE %g is not far ahead of SGD %g on strongly convex quadratics",
			algos.LastGradientNorm(s), algos.LastGradientNorm(g))
	}
	if one[0].Traces[0].Memory != 30*4+4*4 {
		t.Errorf("SLEDGE remembers %d numbers", one[0].Traces[0].Memory)
	}
}

// Runs may start from points of their own, the same for all entrants; further numbers are observed;
// a keeper sees every run and may stand in for it.
func TestRaceFromOwnStartsAndKeptTraces(t *testing.T) {
	p := sumOf(10, 3)
	start := func(k keyed.Key) []float64 { return []float64{k.Rand().Float64(), 0, 0} }
	entrants := []algos.Entrant{
		algos.EnterFrom(p, start, func(eta float64) algos.Method { return &algos.SLEDGE{Eta: eta} }),
		algos.EnterFrom(p, start, func(eta float64) algos.Method { return &algos.GD{Eta: eta} }),
	}
	kept := map[string]*algos.Trace{}
	runs := 0
	opt := algos.RaceOptions{Etas: []float64{0.1, 0.3}, Limits: algos.Limits{Steps: 5,
		Observe: func(x []float64) []float64 { return []float64{2 * x[0]} }}, Seeds: 2, Workers: 1,
		Keep: func(h algos.Heat, run func() (*algos.Trace, error)) (*algos.Trace, error) {
			name := fmt.Sprint(h.Entrant, h.Eta, h.Key.Seed())
			if tr := kept[name]; tr != nil {
				return tr, nil
			}
			runs++
			tr, err := run()
			kept[name] = tr
			return tr, err
		}}
	one, err := algos.Race(context.Background(), entrants, opt)
	if err != nil {
		t.Fatal(err)
	}
	first := func(result, seed int) float64 { return one[result].Traces[seed].Records[0].Observed[0] }
	if first(0, 0) != first(1, 0) || first(0, 0) == first(0, 1) {
		t.Errorf("starts %v %v and %v %v", first(0, 0), first(0, 1), first(1, 0), first(1, 1))
	}
	two, err := algos.Race(context.Background(), entrants, opt)
	if err != nil {
		t.Fatal(err)
	}
	if runs != 2*2+2*2 {
		t.Errorf("%d runs", runs)
	}
	if d := cmp.Diff(one, two, cmpopts.EquateNaNs()); d != "" {
		t.Errorf("kept traces change the result:\n%s", d)
	}

	// Runs that are made elsewhere are left out; who has no step size yet does not run; and all
	// parts together make the race.
	whole := opt.Keep
	clear(kept)
	for pass := range 2 {
		for part := range 3 {
			opt.Keep = func(h algos.Heat, run func() (*algos.Trace, error)) (*algos.Trace, error) {
				if tr := kept[fmt.Sprint(h.Entrant, h.Eta, h.Key.Seed())]; tr == nil &&
					(h.N+len(h.Entrant))%3 != part {
					return nil, algos.ErrElsewhere
				}
				return whole(h, run)
			}
			three, err := algos.Race(context.Background(), entrants, opt)
			switch {
			case pass == 0 && !errors.Is(err, algos.ErrElsewhere):
				t.Errorf("part %d has made everything: %v", part, err)
			case pass == 0 && part == 0 && (three[0].Eta != 0 || three[0].Traces[0] != nil):
				t.Errorf("a method runs before its step size is known: %+v", three[0])
			case pass == 1 && part == 2 &&
				(err != nil || cmp.Diff(one, three, cmpopts.EquateNaNs()) != ""):
				t.Errorf("the parts make something else: %v %s", err,
					cmp.Diff(one, three, cmpopts.EquateNaNs()))
			}
		}
	}
	if runs != 2*(2*2+2*2) {
		t.Errorf("%d runs", runs)
	}
}

// A step size whose score is not a number is not chosen, and does not keep the others from being
// compared.
func TestRaceScoresThatAreNoNumbers(t *testing.T) {
	p := sumOf(5, 2)
	e := algos.Enter(p, ones(2), func(eta float64) algos.Method { return &algos.GD{Eta: eta} })
	opt := algos.RaceOptions{Etas: []float64{0.1, 0.3, 0.7}, Seeds: 1,
		Limits: algos.Limits{Steps: 3},
		Score: func(tr *algos.Trace) float64 {
			if s := tr.Records[0].GradientNorm / tr.Records[3].GradientNorm; s > 4 {
				return math.NaN()
			}
			return algos.LastGradientNorm(tr)
		}}
	results, err := algos.Race(context.Background(), []algos.Entrant{e}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if l := results[0]; l.Eta != 0.3 || !math.IsInf(l.Scores[2], 1) {
		t.Errorf("chose %v with scores %v", l.Eta, l.Scores)
	}
}

// Runs that choose a step size by the default score are looked at twice; they choose as if they
// were looked at always.
func TestRaceLooksWhereScoresDo(t *testing.T) {
	p := sumOf(9, 3)
	e := algos.Enter(p, ones(3), func(eta float64) algos.Method {
		return &algos.SGD{Tuning: algos.Tuning{Eta: eta, Batch: 2}}
	})
	var looks atomic.Int64
	opt := algos.RaceOptions{Etas: []float64{0.01, 0.1, 0.5}, Seeds: 2,
		Limits: algos.Limits{Steps: 40,
			Observe: func([]float64) []float64 { looks.Add(1); return nil }}}
	brief, err := algos.Race(context.Background(), []algos.Entrant{e}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := looks.Load(), int64(3*2+2*41); got != want {
		t.Errorf("%d looks, want %d", got, want)
	}
	opt.Score = algos.LastGradientNorm
	full, err := algos.Race(context.Background(), []algos.Entrant{e}, opt)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(full, brief, cmpopts.EquateNaNs()); d != "" {
		t.Errorf("fewer looks change the race (-many +few):\n%s", d)
	}
}

// Tuned on common random choices, the same method under two names is the same.
func TestRaceOnCommonChoices(t *testing.T) {
	p := sumOf(30, 2)
	sgd := func(eta float64) algos.Method { return &algos.SGD{Tuning: algos.Tuning{Eta: eta, Batch: 2}} }
	one, two := algos.Enter(p, ones(2), sgd), algos.Enter(p, ones(2), sgd)
	two.Name = "the same"
	for _, common := range []bool{false, true} {
		results, err := algos.Race(context.Background(), []algos.Entrant{one, two},
			algos.RaceOptions{Etas: []float64{0.1, 0.2, 0.3}, Seeds: 1,
				Limits: algos.Limits{Steps: 30}, Common: common})
		if err != nil {
			t.Fatal(err)
		}
		if same := cmp.Equal(results[0].Scores, results[1].Scores); same != common {
			t.Errorf("common choices: %v, scores %v and %v", common, results[0].Scores,
				results[1].Scores)
		}
	}
}

// A fixed entrant is not tuned and races under its own name.
func TestRaceWithFixedStepSizes(t *testing.T) {
	p := sumOf(5, 2)
	gd := func(eta float64) algos.Method { return &algos.GD{Eta: eta} }
	entrants := []algos.Entrant{algos.Enter(p, ones(2), gd),
		algos.Enter(p, ones(2), gd).Fixed("GD*", 0.25)}
	ticks := 0
	opt := algos.RaceOptions{Etas: []float64{0.1, 0.3}, Seeds: 2, Limits: algos.Limits{Steps: 3},
		Workers: 1,
		Progress: func(done, total int) {
			ticks++
			if total != 2+4 {
				t.Errorf("total %d, want 6", total)
			}
		}}
	results, err := algos.Race(context.Background(), entrants, opt)
	if err != nil {
		t.Fatal(err)
	}
	if l := results[1]; ticks != 6 || l.Name != "GD*" || l.Eta != 0.25 || l.Scores != nil ||
		results[0].Eta != 0.3 {
		t.Errorf("%d ticks, results %+v", ticks, results)
	}
	m := &algos.GD{Eta: 0.25}
	tr, err := algos.Run(context.Background(), m, p, ones(2), algos.Seeded(1), opt.Limits)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(tr.Point, results[1].Traces[0].Point); d != "" {
		t.Errorf("the fixed entrant did not run with its step size:\n%s", d)
	}
}

func TestRaceErrors(t *testing.T) {
	p := sumOf(3, 2)
	bad := algos.Enter(p, ones(2),
		func(eta float64) algos.Method { return &algos.SLEDGE{Eta: eta, Batch: 7} })
	var pe *algos.ParameterError
	if _, err := algos.Race(context.Background(), []algos.Entrant{bad},
		algos.RaceOptions{Etas: []float64{1}, Limits: algos.Limits{Steps: 3}}); !errors.As(
		err, &pe) ||
		pe.Parameter != "Batch" {
		t.Errorf("error %v", err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	good := algos.Enter(p, ones(2), func(eta float64) algos.Method { return &algos.GD{Eta: eta} })
	if _, err := algos.Race(ctx, []algos.Entrant{good},
		algos.RaceOptions{Etas: []float64{1, 2}, Limits: algos.Limits{Steps: 3}}); !errors.Is(err,
		context.Canceled) {
		t.Errorf("error %v", err)
	}
	if _, err := algos.Race(context.Background(), nil, algos.RaceOptions{}); err == nil {
		t.Error("an empty race is accepted")
	}
}
