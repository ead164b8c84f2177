package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"reflect"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/testproblem"
	"sledge/algos/problems"
	"sledge/props"
)

// able computes for several data at once what a problem computes for one, and counts the gradients;
// it has a combination of the abilities.
type able struct {
	of          *testproblem.Problem
	combination int
	model       algos.Linear // nil for none
}

func (a able) Linear() algos.Linear { return a.model }

// Has reports whether the combination has an ability.
func (a able) Has(ability any) bool {
	for bit, known := range abilities {
		if known.is == ability {
			return a.combination>>bit&1 == 1
		}
	}
	return true
}

// add adds c times the mean over some data of a client, nil for all, to dst.
func (a able) add(dst []float64, c float64, x []float64, i int, batch []int) {
	if batch == nil {
		batch = upTo(a.of.Data)
	}
	g := make([]float64, a.of.D)
	for _, j := range batch {
		a.of.Gradient(g, x, i, j)
		floats.AddScaled(dst, c/float64(len(batch)), g)
	}
}

func (a able) FullGradient(dst, x []float64) {
	clear(dst)
	for i := range a.of.P {
		a.add(dst, 1/float64(a.of.P), x, i, nil)
	}
}

func (a able) MeanGradient(dst, x []float64, i int, batch []int) {
	clear(dst)
	a.add(dst, 1, x, i, batch)
}

func (a able) MeanGradients(now, before, x, y []float64, i int, batch []int) {
	a.MeanGradient(now, x, i, batch)
	a.MeanGradient(before, y, i, batch)
}

func (a able) BatchGradient(dst, x []float64, batch []int) {
	for k, i := range batch {
		a.MeanGradient(dst[k*a.of.D:(k+1)*a.of.D], x, i, nil)
	}
}

func (a able) AddBatchDifference(dst []float64, c float64, x, y []float64, batch []int) {
	for _, i := range batch {
		a.add(dst, c/float64(len(batch)), x, i, nil)
		a.add(dst, -c/float64(len(batch)), y, i, nil)
	}
}

func (a able) AddMeanDifference(dst, x, y []float64, i int, batch []int) {
	a.add(dst, 1, x, i, batch)
	a.add(dst, -1, y, i, batch)
}

// abilities are those that a problem may have besides its values, in the order of the bits by which
// a combination of them is numbered; the last one is of finite sums alone.
var abilities = []struct {
	name string
	is   any
}{
	{"full gradients", (*algos.FullGradienter)(nil)},
	{"mean gradients", (*algos.MeanGradienter)(nil)},
	{"pairs of means", (*algos.PairGradienter)(nil)},
	{"batches", (*algos.BatchGradienter)(nil)},
	{"differences of batches", (*algos.BatchDifferencer)(nil)},
	{"differences of means", (*algos.MeanDifferencer)(nil)},
	{"linear model", nil},
}

// linearModel is the bit of that one.
const linearModel = 6

// sumWith is a finite sum with a combination of abilities, a linear model unless that is nil.
func sumWith(p *testproblem.Problem, l algos.Linear, combination int) algos.Problem {
	return algos.Sum(struct {
		testproblem.Sum
		able
	}{p.FiniteSum(), able{p, combination, l}})
}

// clientsWith is a federated problem with a combination of abilities.
func clientsWith(p *testproblem.Problem, combination int) algos.Problem {
	return struct {
		algos.Problem
		able
	}{p, able{p, combination, nil}}
}

// counting is a linear model that counts its slopes as gradients.
type counting struct {
	algos.Linear
	in *testproblem.Problem
}

func (l counting) Slope(i int, u float64) float64 {
	l.in.Asked++
	return l.Linear.Slope(i, u)
}

// drawRows is robust regression on rows that leave out the entries that are 0 if they are sparse.
func drawRows(n, d int, sparse bool, r *rand.Rand) (*testproblem.Problem, algos.Linear) {
	density := 1.0
	if sparse {
		density = 0.5
	}
	t := problems.Classification(n, d, density, 0, r)
	floats.Scale(2*math.Sqrt(float64(d)), t.Value)
	m := props.Must(problems.NewRobust(t, nil, problems.RobustOptions{Loss: problems.Cauchy,
		Scale: 4, Ridge: 0.1})).ByClient()
	p := &testproblem.Problem{P: n, Data: 1, D: d,
		Grad: func(dst, x []float64, i, _ int) { m.Gradient(dst, x, i) }}
	return p, counting{m.Linear(), p}
}

// posed are runs on a drawn problem, bare and with a drawn combination of abilities, both of which
// count in the same place.
type posed struct {
	instance
	counts     *testproblem.Problem
	bare, rich algos.Problem
}

func drawPosed(src *props.Source, federated bool) *posed {
	p := &posed{instance: instance{eta: src.LogReal("η", 0.01, 0.2), T: src.Int("T", 1, 8),
		d: src.Int("d", 1, 4)}}
	with := func(bits int) (combination int) {
		for k, ability := range abilities[:bits] {
			if src.Bool(ability.name) {
				combination |= 1 << k
			}
		}
		return combination
	}
	if federated {
		// enough for all that a form draws
		clients, data := src.Int("P", 2, 6), src.Int("data of a client", 20, 24)
		combination := with(linearModel)
		p.counts = testproblem.DrawWells(clients, data, p.d, src.Rand("objective"))
		p.bare, p.rich = clientsWith(p.counts, 0), clientsWith(p.counts, combination)
	} else {
		n, combination := src.Int("n", 5, 12), with(len(abilities))
		var linear algos.Linear
		if combination>>linearModel == 0 {
			p.counts = testproblem.DrawWells(n, 1, p.d, src.Rand("objective"))
		} else {
			p.counts, linear = drawRows(n, p.d, src.Bool("sparse"), src.Rand("objective"))
		}
		p.bare, p.rich = sumWith(p.counts, nil, 0), sumWith(p.counts, linear, combination)
	}
	p.x0 = normal(p.d, src.Rand("start"))
	key := src.Key("choices")
	p.random = func() algos.Randomness { return algos.Keyed(key) }
	return p
}

// made is a run with what both the oracle and the problem have counted.
type made struct {
	*algos.Tape
	algos.Counts
	asked int64 // gradients, by the problem
}

// run makes a run of a method for so many components on one of the problems.
func (p *posed) run(method func(n int, eta float64) algos.Method, on algos.Problem) made {
	p.counts.Asked = 0
	o := algos.NewOracle(on)
	tape := props.Must(algos.RecordRun(method(p.counts.P, p.eta), o, p.x0, p.random(), p.T))
	return made{tape, o.Counts(), p.counts.Asked}
}

// recordRuns compares a run of the method on a problem with a drawn combination of abilities with
// one of its naive form on the bare problem, and what both oracles and both problems have counted.
func recordRuns(src *props.Source, rec *props.Recorder, variants []algotest.Form) {
	v := variants[0]
	if len(variants) > 1 {
		names := make([]string, len(variants))
		for k := range variants {
			names[k] = fmt.Sprintf("%d: %s", k, variants[k].Name)
		}
		v = variants[src.Pick("form", names...)]
	}
	p := drawPosed(src, v.Options.Federated)
	rich, bare := p.run(v.Method, p.rich), p.run(v.Method, p.bare)
	want := p.run(v.Options.Reference, p.bare)
	// Terms are of the size of the gradients on the way, which a difference of estimators may be
	// far below.
	size := 0.0
	for t := range want.X {
		size = max(size, floats.Norm(want.X[t], 2), floats.Norm(want.V[t], 2))
	}
	for t := range want.X {
		rec.EqualVectors("x, by the method and by its naive form", rich.X[t], want.X[t]).Scale(size)
		rec.EqualVectors("v, by the method and by its naive form", rich.V[t], want.V[t]).Scale(size)
	}
	recordCount(rec, "gradients that the objective computed", rich.asked, props.EQ,
		int(rich.Gradients))
	recordCount(rec, "gradients that the bare objective computed", bare.asked, props.EQ,
		int(bare.Gradients))
	with, without := reflect.ValueOf(rich.Counts), reflect.ValueOf(bare.Counts)
	for k := range with.NumField() {
		recordCount(rec, with.Type().Field(k).Name+", with and without abilities",
			with.Field(k).Int(), props.EQ, int(without.Field(k).Int()))
	}
}
