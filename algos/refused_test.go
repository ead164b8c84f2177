package algos_test

import (
	"math"
	"reflect"
	"slices"
	"strings"
	"testing"

	"sledge/algos"
)

// numbersOf calls f with each exported number of a struct, those of its structs included.
func numbersOf(v reflect.Value, f func(name string, v reflect.Value)) {
	for i := range v.NumField() {
		field, name := v.Field(i), v.Type().Field(i)
		switch {
		case !name.IsExported():
		case field.Kind() == reflect.Struct:
			numbersOf(field, f)
		case field.CanFloat(), field.CanInt():
			f(name.Name, field)
		}
	}
}

// taken are parameters of which more is said where they are declared: a negative threshold stands for
// never, an infinite one for always, and adaptive steps have no constant size.
var taken = map[string]func(bad float64) bool{
	"SSRGD Threshold":      func(bad float64) bool { return !math.IsNaN(bad) },
	"STORM (adaptive) Eta": func(float64) bool { return true },
}

// No method of the catalogue takes a parameter that is no number, infinite or negative: it is named,
// and nothing has been asked of the oracle.
func TestEveryParameterIsLookedAt(t *testing.T) {
	looked := 0
	for _, c := range algos.Catalogue() {
		p := sumOf(9, 2)
		if c.Federated {
			p = newToy(4, 8, 2)
		}
		made := func() algos.Method {
			return c.New(algos.Setting{Tuning: algos.Tuning{Eta: 0.1, Batch: 2}, LocalSteps: 2})
		}
		try := func(name string, set func(v reflect.Value)) {
			m := made()
			numbersOf(reflect.ValueOf(m).Elem(), func(at string, v reflect.Value) {
				if at == name {
					set(v)
				}
			})
			o := algos.NewOracle(p)
			err := m.Start(o, ones(2), algos.Seeded(1))
			if looked++; err == nil || !strings.Contains(err.Error(), name) ||
				o.Counts() != (algos.Counts{}) {
				t.Errorf("%s with a bad %s: %v, after %+v", c.Name, name, err, o.Counts())
			}
		}
		numbersOf(reflect.ValueOf(made()).Elem(), func(name string, v reflect.Value) {
			if v.CanInt() {
				try(name, func(v reflect.Value) { v.SetInt(-1) })
				return
			}
			for _, bad := range []float64{math.NaN(), math.Inf(1), -1} {
				if may := taken[c.Name+" "+name]; may != nil && may(bad) {
					continue
				}
				try(name, func(v reflect.Value) { v.SetFloat(bad) })
			}
		})
	}
	if looked < 200 {
		t.Errorf("only %d parameters were looked at", looked)
	}
}

// A single gradient is counted as one, of the client whose it is, and is perturbed with the run.
func TestASingleGradientIsCounted(t *testing.T) {
	p := newToy(3, 4, 2)
	o := algos.NewOracle(p)
	g := make([]float64, 2)
	o.Datum(g, ones(2), 1, 2)
	o.Datum(g, ones(2), 2, 0)
	if c := o.Counts(); c.Gradients != 2 || c.Calls != 2 || c.Full != 0 {
		t.Errorf("two gradients are counted as %+v", c)
	}
}

// A round of FLEDGE is one with all clients where those that are chosen and the one that made the
// local steps are all.
func TestRoundsWithAllClientsAreThoseInWhichAllTakePart(t *testing.T) {
	const P, T = 4, 60
	for _, chosen := range []int{2, 3} {
		o := algos.NewOracle(newToy(P, 4, 2))
		tape, err := algos.RecordRun(&algos.FLEDGE{Eta: 0.01, Chosen: chosen, LocalSteps: 2}, o,
			ones(2), algos.Seeded(5), T)
		if err != nil {
			t.Fatal(err)
		}
		want := int64(1) // that at the start
		for step := range T + 1 {
			sets := slices.Concat(slices.Concat(tape.Sets(step, algos.Clients)...),
				slices.Concat(tape.Sets(step, algos.Worker)...))
			slices.Sort(sets)
			if len(slices.Compact(sets)) == P {
				want++
			}
		}
		if got := o.Counts().FullSync; got != want || (chosen == 3) != (want > 1) {
			t.Errorf("%d of %d chosen: %d rounds with all clients, of %d", chosen, P, got, want)
		}
	}
}
