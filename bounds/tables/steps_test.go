package tables

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
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
		var lines []string
		for name, tune := range asked {
			lines = append(lines, line(name, tune())+"\n")
		}
		slices.Sort(lines)
		if err := os.WriteFile("steps.tsv", []byte(strings.Join(lines, "")), 0o666); err != nil {
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

// What is read from the record is what was written, and what is no record is refused.
func TestStepSizesAreRead(t *testing.T) {
	for _, want := range []operating.Tuned{{}, {Eta: 0x1p-12, Cost: 12345, OK: true},
		{Eta: 1.4142135623730951, Cost: 0.1, OK: true}} {
		name := choice("SLEDGE-II", 1.0/3, scene{clients: 3})
		got, err := readSteps(line(name, want) + "\n")
		if err != nil || len(got) != 1 || got[name] != want {
			t.Errorf("%+v is read as %+v, %v", want, got, err)
		}
	}
	for _, bad := range []string{"", "a\t1\tb", "a\t1\tb\t0.5", "a\t1\tb\t-1\t3", "a\t1\tb\t1\t3\t4",
		"a\t1\tb\t" + strconv.Itoa(1) + "\tNaN"} {
		if _, err := readSteps(bad); err == nil {
			t.Errorf("%q is read", bad)
		}
	}
}

// line is the record of a choice, which [readSteps] reads.
func line(choice string, t operating.Tuned) string {
	if !t.OK {
		return choice + "\t−"
	}
	return fmt.Sprintf("%s\t%v\t%v", choice, t.Eta, t.Cost)
}
