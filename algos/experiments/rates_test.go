package experiments

import (
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// asked is what the claims ask for a learning rate at the quick tier, by its name on record.
func asked(t *testing.T) map[string]func() float64 {
	t.Helper()
	all := map[string]func() float64{}
	seen := curve(func(float64) algos.Record {
		return algos.Record{Error: 1, GradientNorm: 1, Observed: []float64{1, 1, 1, 1}}
	})
	made := labs()
	for _, r := range written(t).Statements() {
		if k := slices.IndexFunc(made, func(l *lab) bool { return l.answers(r) }); r.Of == "findings" && k >= 0 {
			if _, _, err := made[k].check(r); err != nil {
				t.Fatal(err)
			}
		}
	}
	for _, l := range made {
		races := l.races(keyed.New(1), false)
		runs := &Runs{Races: races, Of: func(race int, method string) *algos.Trace {
			if h := &races[race]; len(h.Rates) > 1 {
				all[l.choice(h.Name, method)] = func() float64 {
					return l.tune(h.Rates, race, method)
				}
			}
			return seen
		}}
		for _, f := range l.findings {
			if _, err := props.Judge(func(rec *props.Recorder) { f.judge(runs, rec) }); err != nil {
				t.Fatalf("%s: %v", l.name(), err)
			}
		}
	}
	return all
}

// The learning rates on record are those that tuning finds: all that the claims ask for, and no
// others. Where time is short, two of them, drawn by the day, are tuned once more.
func TestRatesOnRecordAreTuned(t *testing.T) {
	asked := asked(t)
	if os.Getenv("UPDATE") != "" {
		var lines []string
		for name, tune := range asked {
			lines = append(lines, fmt.Sprintf("%s\t%v\n", name, tune()))
		}
		slices.Sort(lines)
		if err := os.WriteFile("rates.tsv", []byte(strings.Join(lines, "")), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	var names []string
	for name := range asked {
		if _, ok := ratesOnRecord()[name]; !ok {
			t.Errorf("%q is not on record", name)
			continue
		}
		names = append(names, name)
	}
	if len(names) != len(ratesOnRecord()) {
		t.Errorf("%d learning rates are on record, %d of them are asked for", len(ratesOnRecord()),
			len(names))
	}
	if runtime.GOARCH != "amd64" {
		t.Log("tuned on amd64: operations that are fused elsewhere may lead to another rate")
		return
	}
	slices.Sort(names)
	if today := uint64(time.Now().UTC().YearDay()); testing.Short() {
		r := rand.New(rand.NewPCG(today, 0))
		r.Shuffle(len(names), func(i, j int) { names[i], names[j] = names[j], names[i] })
		names = names[:min(1, len(names))]
	}
	for _, name := range names {
		if got, want := asked[name](), ratesOnRecord()[name]; got != want {
			t.Errorf("%q: tuning finds %v, on record is %v", name, got, want)
		}
	}
}

// What is no record is refused.
func TestRatesAreRead(t *testing.T) {
	got, err := readRates("fig2\t\tFLEDGE\t00ff\t0.3\n")
	if err != nil || len(got) != 1 || got["fig2\t\tFLEDGE\t00ff"] != 0.3 {
		t.Errorf("read as %v, %v", got, err)
	}
	for _, bad := range []string{"", "fig2\t\tFLEDGE\t0.3", "fig2\t\tFLEDGE\t00ff\t0",
		"fig2\t\tFLEDGE\t00ff\tNaN", "fig2\t\tFLEDGE\t00ff\t0.3\t"} {
		if _, err := readRates(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}
