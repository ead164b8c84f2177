package claims

import (
	"slices"
	"testing"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/moved"
	"sledge/algos/internal/naive"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
	"sledge/props/proptest"
)

// The checks notice statements that are a little wrong.
func TestWrongStatementsAreRefuted(t *testing.T) {
	proptest.Refuted(t, map[string]props.Check{
		"runs of SAGA with stale gradients": faultyRuns("SAGA", "stale gradients"),
		"runs of FLEDGE with other sets":    faultyRuns("FLEDGE-II", "sets with index 0"),
		"runs of FLEDGE that know a name": searched(func(src *props.Source) instance {
			a := drawRounds(false)(src)
			a.changes = []moved.Change{moves[relabelled].draw(a.P, a.d, src)}
			a.names = slices.Repeat([][]int{upTo(a.N)}, a.P)
			return a
		}, 0.3, func(a instance, rec *props.Recorder) {
			a.recordRelabelled(rec, func(eta float64) algos.Method {
				return faulty("sets with index 0").Method(
					&algos.FLEDGE{Eta: eta, Chosen: a.chosen, LocalSteps: a.K, Batch: a.b})
			})
		}),
	})
}

func faulty(name string) algotest.Fault {
	faults := algotest.Faults()
	return faults[slices.IndexFunc(faults, func(f algotest.Fault) bool { return f.Name == name })]
}

// faultyRuns compares runs of a method with a fault with those of its naive form.
func faultyRuns(method, fault string) props.Check {
	f := faulty(fault)
	var bad []algotest.Form
	for _, v := range naive.Variants() {
		if v.Name == method {
			right := v.Method
			v.Method = func(n int, eta float64) algos.Method { return f.Method(right(n, eta)) }
			bad = append(bad, v)
		}
	}
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		recordRuns(src, rec, bad)
	}).Effort(0.1)
}

// Problems with all combinations of abilities have just these.
func TestAbilities(t *testing.T) {
	p := testproblem.DrawWells(3, 2, 2, keyed.New(1).Rand())
	for c := range 1 << linearModel {
		for _, q := range []algos.Problem{sumWith(p, nil, c), clientsWith(p, c)} {
			var has [6]bool
			_, has[0] = algos.As[algos.FullGradienter](q)
			_, has[1] = algos.As[algos.MeanGradienter](q)
			_, has[2] = algos.As[algos.PairGradienter](q)
			_, has[3] = algos.As[algos.BatchGradienter](q)
			_, has[4] = algos.As[algos.BatchDifferencer](q)
			_, has[5] = algos.As[algos.MeanDifferencer](q)
			for k, is := range has {
				if is != (c>>k&1 == 1) {
					t.Errorf("combination %d of %T: %s is %v", c, q, abilities[k].name, is)
				}
			}
		}
	}
}
