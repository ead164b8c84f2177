package experiments

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"sledge/algos"
	"sledge/algos/internal/datafile"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// tiny keeps the paper's numbers of components and clients on very small images.
var tiny = Scale{Letters: paperLetters, Side: 5, Group: 1, Client: 4, Width: 3, LocalBatch: 1,
	LocalSteps: 2, Steps: 8, Rounds: 3, Records: 2, Held: 2, Rates: []float64{0.1}}

func tinySetup(t *testing.T) *Setup {
	t.Helper()
	d, err := Drawn(tiny, keyed.New(1))
	if err != nil {
		t.Fatal(err)
	}
	return &Setup{Data: d, Scale: tiny, Key: keyed.New(2)}
}

// Every figure races the methods that the paper names, with the paper's b, m, λ, P, p and rates,
// and looks at what the figure shows.
func TestFigures(t *testing.T) {
	s := tinySetup(t)
	figures := Figures()
	if len(figures) != 6 {
		t.Fatalf("%d figures", len(figures))
	}
	for _, f := range figures {
		found, err := f.Findings(written(t), s.Scale)
		if err != nil || len(found) == 0 {
			t.Fatalf("%s: %v, %v", f.Name, found, err)
		}
		for _, one := range found {
			if (one.Judge == nil || one.Reading == "") && one.Name != "The settings of figure 1" &&
				one.Name != "The partition among clients" {
				t.Errorf("nothing says what is taken for %q", one.Name)
			}
		}
		races, err := f.Races(s)
		if err != nil {
			t.Fatal(err)
		}
		if got := len(f.races(s.Scale)); len(races) != got {
			t.Errorf("%s has %d races, and names for %d", f.Name, len(races), got)
		}
		for i, h := range races {
			var names []string
			for _, e := range h.Entrants {
				names = append(names, e.Name)
			}
			if !slices.Equal(names, f.Methods) || h.Name != f.races(s.Scale)[i] {
				t.Errorf("%s %s: %q", f.Name, h.Name, names)
			}
			results, err := algos.Race(context.Background(), h.Entrants,
				algos.RaceOptions{Etas: h.Rates, Limits: h.Limits, Seeds: 1})
			if err != nil {
				t.Fatalf("%s %s: %v", f.Name, h.Name, err)
			}
			for _, l := range results {
				first, last := l.Traces[0].Records[0], last(l.Traces[0])
				if first.Value != results[0].Traces[0].Records[0].Value {
					t.Errorf("%s %s: %s does not start where the others do", f.Name, h.Name, l.Name)
				}
				if f.Name == "fig4" { // shows errors of estimators alone, at every step
					if last.Step != tiny.Steps/4 || len(l.Traces[0].Records) != last.Step+1 ||
						!(last.Error > 0) {
						t.Errorf("fig4: %s ends with %+v", l.Name, last)
					}
					continue
				}
				if o := last.Observed; !(o[TestAccuracy] >= 0 && o[validationAccuracy] <= 1 &&
					o[TestLoss] > 0 &&
					math.IsNaN(o[TrainAccuracy]) == (f.Name != "fig6")) {
					t.Errorf("%s %s: %s observes %v", f.Name, h.Name, l.Name, last.Observed)
				}
			}
		}
	}
	if p := newPlan(paperLetters * paperDraws); p != (plan{130, paperBatch, paperPeriod}) {
		t.Errorf("the finite sum has %+v", p)
	}
	if q := newQuota(&Setup{Scale: Paper},
		paperClients); q != (quota{paperClients, paperSampled, paperLocalBatch, paperLocalSteps}) {
		t.Errorf("the federated problem has %+v", q)
	}
	net, err := s.network(1)
	if err != nil {
		t.Fatal(err)
	}
	sum, err := s.finite(net)
	if err != nil {
		t.Fatal(err)
	}
	fed, err := s.federated(net, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if sum.Components() != 130 || fed.Clients() != 104 {
		t.Errorf("%d components, %d clients", sum.Components(), fed.Clients())
	}
}

// The counts of a step are those that the comparison of costs rests on: SLEDGE 2b, SARAH 346 in ten
// steps, as in the paper's setting.
func TestCosts(t *testing.T) {
	s := tinySetup(t)
	races, err := fig3(s)
	if err != nil {
		t.Fatal(err)
	}
	races[0].Limits.Steps, races[0].Limits.Every = 10, 10
	for k, want := range []int64{130 + 10*24, 130 + 346} {
		if got := last(trace(races[0].Entrants[k], 0.01, keyed.New(1),
			races[0].Limits)).Counts.Gradients; got != want {
			t.Errorf("%s spends %d gradients on ten steps, want %d", races[0].Entrants[k].Name,
				got, want)
		}
	}
}

func TestScore(t *testing.T) {
	s := &Setup{}
	run := func(validation, test, loss float64, stopped string) *algos.Trace {
		return &algos.Trace{Stopped: stopped,
			Records: []algos.Record{{Observed: []float64{TestLoss: loss, TestAccuracy: test,
				validationAccuracy: validation, TrainAccuracy: 0}}}}
	}
	better, worse := run(0.8, 0.5, 1, "steps"), run(0.7, 0.9, 1, "steps")
	if !(s.Score(better) < s.Score(worse)) {
		t.Error("validation accuracy does not decide")
	}
	if !(s.Score(run(0.8, 0.5, 0.5, "steps")) < s.Score(better)) {
		t.Error("the test loss does not decide between equals")
	}
	s.ByTest = true
	if !(s.Score(worse) < s.Score(better)) {
		t.Error("test accuracy does not decide")
	}
	if !math.IsInf(s.Score(run(0.9, 0.9, 1, "diverged")), 1) ||
		!math.IsInf(s.Score(run(0.9, 0.9, math.NaN(), "steps")), 1) {
		t.Error("a run that went astray has a score")
	}
}

// Data, partitions and runs are functions of their keys.
func TestReproducible(t *testing.T) {
	var traces [2]*algos.Trace
	for k := range traces {
		s := tinySetup(t)
		races, err := fig1(s)
		if err != nil {
			t.Fatal(err)
		}
		traces[k] = trace(races[0].Entrants[1], 0.1, keyed.New(5), races[0].Limits)
	}
	if d := cmp.Diff(traces[0], traces[1], cmpopts.EquateNaNs()); d != "" {
		t.Error(d)
	}
}

// Files of examples are cut to what they hold.
func TestRead(t *testing.T) {
	table, err := problems.ReadCSV(datafile.Open(t, "letter-recognition.data"), "letters",
		problems.ReadOptions{Labels: problems.Classes})
	if err != nil {
		t.Fatal(err)
	}
	d, err := Read("letters", table, Paper, keyed.New(1))
	if err != nil {
		t.Fatal(err)
	}
	// the rarest letter occurs 734 times
	if len(d.Validation) != 26*73 || len(d.Test) != 26*73 || len(d.Train) != 26*(734-2*73) {
		t.Errorf("%d training, %d validation, %d test examples", len(d.Train), len(d.Validation),
			len(d.Test))
	}
	all := slices.Concat(d.Train, d.Validation, d.Test)
	slices.Sort(all)
	if len(slices.Compact(all)) != 26*734 {
		t.Error("an example serves two purposes")
	}
	s := &Setup{Data: d, Scale: Paper, Key: keyed.New(1)}
	net, err := s.network(1)
	if err != nil {
		t.Fatal(err)
	}
	fed, err := s.federated(net, 0.9)
	if err != nil {
		t.Fatal(err)
	}
	if least := fed.Size(0); fed.Clients() != 104 || least < 146 || least > 149 {
		t.Errorf("%d clients, the first with %d examples", fed.Clients(), least)
	}
	greedy := Paper
	greedy.Group = 200
	if _, err := Read("letters", table, greedy, keyed.New(1)); err == nil ||
		!strings.Contains(err.Error(), "class H has 734 examples, too few for 1000 of training") {
		t.Errorf("error %v", err)
	}
}

func TestReadShrinksImages(t *testing.T) {
	d, err := Drawn(Scale{Letters: 3, Side: 8, Group: 2, Client: 4, Held: 3}, keyed.New(1))
	if err != nil {
		t.Fatal(err)
	}
	small, err := Read("images", d.Table, Scale{Side: 4, Group: 1, Client: 3, Held: 2},
		keyed.New(1))
	if err != nil {
		t.Fatal(err)
	}
	if small.Table.Width != 16 || !strings.Contains(small.Name, "shrunk to 4 × 4") {
		t.Errorf("%s: width %d", small.Name, small.Table.Width)
	}
}
