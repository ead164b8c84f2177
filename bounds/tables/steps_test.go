package tables

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"testing"
	"time"

	"sledge/bounds/operating"
)

// tunedInSweeps is what the sweeps of the ledger ask for a step size, at the quick tier, by its
// name on record.
func tunedInSweeps(t *testing.T) map[string]func() operating.Tuned {
	t.Helper()
	g, all := NewGrowth(), map[string]func() operating.Tuned{}
	var sweeps []*Sweep
	for _, r := range theLedger(t).Statements() {
		if r.Of == "growth" {
			s, err := g.Read(r)
			if err != nil {
				t.Fatal(err)
			}
			sweeps = append(sweeps, s)
		}
	}
	for _, s := range sweeps { // when all methods that are measured on a panel are known
		methods := append(s.besides(), cmp.Or(s.tuned, s.on(s.method)))
		if s.control != nil {
			methods = append(methods, s.control)
		}
		for name, m := range s.panel.methods {
			if !slices.Contains(methods, m) {
				continue
			}
			for _, x := range s.X {
				all[choice(name, x, s.panel.at(x))] = func() operating.Tuned { return m.Tune(x) }
			}
		}
	}
	return all
}

// The step sizes on record are those that tuning finds: all that the sweeps ask for, and no others.
// Some of them, drawn by the day, are tuned once more.
func TestStepSizesOnRecordAreTuned(t *testing.T) {
	asked := tunedInSweeps(t)
	if os.Getenv("UPDATE") != "" {
		found := map[string]operating.Tuned{}
		for name, tune := range asked {
			found[name] = tune()
		}
		if err := os.WriteFile("steps.json", record(t, found), 0o666); err != nil {
			t.Fatal(err)
		}
		return
	}
	var names []string
	for name := range asked {
		if _, ok := steps()[name]; !ok {
			t.Errorf("%q is not on record", name)
			continue
		}
		names = append(names, name)
	}
	if len(names) != len(steps()) {
		t.Errorf("%d step sizes are on record, %d of them are asked for", len(steps()), len(names))
	}
	if runtime.GOARCH != "amd64" {
		t.Log("tuned on amd64: operations that are fused elsewhere may lead to a neighbour on the grid")
		return
	}
	slices.Sort(names)
	today, most := uint64(time.Now().UTC().YearDay()), 16
	if testing.Short() {
		most = 2
	}
	for _, k := range rand.New(rand.NewPCG(today, 0)).Perm(len(names))[:min(most, len(names))] {
		name := names[k]
		if got, want := asked[name](), steps()[name]; got != want {
			t.Errorf("%q, day %d: tuning finds %+v, on record is %+v", name, today, got, want)
		}
	}
}

// record is the file with step sizes, a line for each.
func record(t *testing.T, found map[string]operating.Tuned) []byte {
	t.Helper()
	text, err := json.Marshal(found)
	if err != nil {
		t.Fatal(err)
	}
	return append(bytes.ReplaceAll(text, []byte("},"), []byte("},\n")), '\n')
}

// The record is what a test makes of what it has, to the byte.
func TestStepSizesAreWrittenAsTheyAreRead(t *testing.T) {
	if !bytes.Equal(record(t, steps()), stepsOnRecord) {
		t.Error("steps.json is not what is made of its own step sizes")
	}
}
