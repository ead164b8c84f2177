package algotest_test

import (
	"flag"
	"runtime/debug"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/naive"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// only chooses variants by the first part of their names; what plants mistakes sets it.
var only = flag.String("variants", "",
	"comma-separated names of methods whose variants are tested; all if empty")

// gradientsOnly hides that a problem is a linear model.
type gradientsOnly struct{ problems.FiniteSum }

func (gradientsOnly) Linear() algos.Linear { return nil }

// sameOnLinearModels compares the steps of a method on linear models, where it may keep numbers for
// gradients and follow the entries of sparse rows, with those on the same problems as gradients
// alone.
func sameOnLinearModels(t *testing.T, method algotest.Factory) {
	for _, c := range []struct {
		n, d           int
		density, ridge float64
	}{{60, 30, 2, 0}, {60, 40, 2, 0.1}, {80, 90, 0.1, 0.1}, {80, 90, 0.1, 0}} {
		key := keyed.New(uint64(c.n + c.d))
		table := problems.Classification(c.n, c.d, c.density, 0.2, key.Rand())
		p := props.Must(problems.NewLogistic(table, nil, problems.LogisticOptions{Ridge: c.ridge}))
		x0 := make([]float64, c.d)
		for l := range x0 {
			x0[l] = 1
		}
		var runs [2]*algos.Tape
		var counts [2]algos.Counts
		for i, sum := range []algos.FiniteSum{p.ByClient(), gradientsOnly{p.ByClient()}} {
			o := algos.NewOracle(algos.Sum(sum))
			run, err := algos.RecordRun(method(c.n, 0.1), o, x0, algos.Keyed(key), 30)
			if err != nil {
				t.Fatal(err)
			}
			runs[i], counts[i] = run, o.Counts()
		}
		if counts[0] != counts[1] {
			t.Fatalf("n = %d, d = %d: it asks for %+v, not %+v", c.n, c.d, counts[0], counts[1])
		}
		size := 1.0
		for k, x := range runs[1].X {
			v := runs[1].V[k]
			size = max(size, floats.Norm(x, 2), floats.Norm(v, 2))
			far := max(floats.Distance(runs[0].X[k], x, 2), floats.Distance(runs[0].V[k], v, 2))
			if !(far <= 1e-9*size) {
				t.Fatalf("n = %d, d = %d, step %d: %g apart", c.n, c.d, k, far)
			}
		}
	}
}

func TestCatalogueConforms(t *testing.T) {
	covered := map[string]bool{}
	for _, v := range naive.Variants() {
		method := v.Base()
		first := !covered[method]
		covered[method] = true
		if v.Options.Reference == nil {
			t.Errorf("%s has no naive form: add one to naives or naiveFederated in package naive",
				method)
		}
		if *only != "" && !strings.Contains(","+*only+",", ","+method+",") {
			continue
		}
		t.Run(v.Name, func(t *testing.T) {
			if testing.Short() && *only == "" && !first {
				t.Skip("another form of a method")
			}
			options := v.Options
			algotest.Test(t, v.Method, options)
			if !options.Federated {
				t.Run("linear models", func(t *testing.T) { sameOnLinearModels(t, v.Method) })
			}
		})
	}
	for _, c := range algos.Catalogue() {
		if !covered[c.Name] {
			t.Errorf("%s has no variant", c.Name)
		}
	}
}
