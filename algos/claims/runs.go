package claims

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/naive"
	"sledge/algos/internal/testproblem"
	"sledge/props"
)

// able computes for several data at once what a problem computes for one, and counts the gradients;
// it has a combination of the abilities.
type able struct {
	of          *testproblem.Problem
	combination int
}

// Has reports whether the combination has an ability.
func (a able) Has(ability any) bool {
	bit := -1
	switch ability.(type) {
	case *algos.FullGradienter:
		bit = 0
	case *algos.MeanGradienter:
		bit = 1
	case *algos.PairGradienter:
		bit = 2
	case *algos.BatchGradienter:
		bit = 3
	}
	return bit < 0 || a.combination>>bit&1 == 1
}

func (a able) FullGradient(dst, x []float64) {
	clear(dst)
	g := make([]float64, a.of.D)
	for i := range a.of.P {
		for j := range a.of.Data {
			a.of.Gradient(g, x, i, j)
			floats.AddScaled(dst, 1/float64(a.of.P*a.of.Data), g)
		}
	}
}

func (a able) MeanGradient(dst, x []float64, i int, batch []int) {
	clear(dst)
	if batch == nil {
		batch = upTo(a.of.Data)
	}
	g := make([]float64, a.of.D)
	for _, j := range batch {
		a.of.Gradient(g, x, i, j)
		floats.AddScaled(dst, 1/float64(len(batch)), g)
	}
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

// abilities are the names of those that a problem may have besides its values, in the order of the
// bits by which a combination of them is numbered.
var abilities = []string{"full gradients", "mean gradients", "pairs of means", "batches"}

// sumAbilities names those of a finite sum, which may be a linear model as well.
var sumAbilities = append(slices.Clone(abilities), "linear model")

// sumWith is a finite sum with a combination of abilities.
func sumWith(p *testproblem.Problem, l algos.Linear, combination int) algos.Problem {
	if combination>>len(abilities)&1 == 0 {
		l = nil
	}
	return algos.Sum(struct {
		summed
		able
	}{summed{p.FiniteSum(), l}, able{p, combination}})
}

// clientsWith is a federated problem with a combination of abilities.
func clientsWith(p *testproblem.Problem, combination int) algos.Problem {
	return struct {
		algos.Problem
		able
	}{p, able{p, combination}}
}

// summed is a finite sum with values, and a linear model unless that is nil.
type summed struct {
	testproblem.Sum
	linear algos.Linear
}

func (s summed) Linear() algos.Linear { return s.linear }

// rows is the linear model f_i(x) = φ_i(a_i'x) + (λ/2)‖x‖² with φ_i'(u) = u − t_i + 0.3 sin u, some
// entries of whose rows are 0 and left out.
type rows struct {
	columns [][]int32
	values  [][]float64
	target  []float64
	lambda  float64
	asked   *int64 // gradients
}

func drawRows(n, d int, sparse bool, r *rand.Rand) (*rows, *testproblem.Problem) {
	m := &rows{lambda: 0.1}
	dense := make([][]float64, n)
	for i := range n {
		a, columns, values := normal(d, r), []int32(nil), []float64(nil)
		for l := range a {
			if sparse && r.IntN(2) == 0 {
				a[l] = 0
				continue
			}
			if sparse {
				columns = append(columns, int32(l))
			}
			values = append(values, a[l])
		}
		if sparse && columns == nil {
			columns = []int32{} // an empty row; nil stands for a full one
		}
		dense[i] = a
		m.columns, m.values, m.target = append(m.columns, columns), append(m.values, values),
			append(m.target, r.NormFloat64())
	}
	p := &testproblem.Problem{P: n, Data: 1, D: d, Grad: func(dst, x []float64, i, _ int) {
		c := m.phi(i, floats.Dot(dense[i], x))
		for l := range dst {
			dst[l] = c*dense[i][l] + m.lambda*x[l]
		}
	}}
	m.asked = &p.Asked
	return m, p
}

func (m *rows) phi(i int, u float64) float64   { return u - m.target[i] + 0.3*math.Sin(u) }
func (m *rows) Row(i int) ([]int32, []float64) { return m.columns[i], m.values[i] }
func (m *rows) Slope(i int, u float64) float64 { *m.asked++; return m.phi(i, u) }
func (m *rows) AddShared(dst []float64, c float64, x []float64) bool {
	floats.AddScaled(dst, c*m.lambda, x)
	return true
}

// recordRuns compares a run of the method on a problem with a drawn combination of abilities with
// one of its naive form on the bare problem, and what both oracles and both problems have counted.
func recordRuns(src *props.Source, rec *props.Recorder, variants []naive.Variant) {
	v := variants[0]
	if len(variants) > 1 {
		names := make([]string, len(variants))
		for k := range variants {
			names[k] = fmt.Sprintf("%d: %s", k, variants[k].Name)
		}
		v = variants[src.Pick("form", names...)]
	}
	const largest = 0.2
	eta := src.LogReal("η", 0.01, largest)
	T, d := src.Int("T", 1, 8), src.Int("d", 1, 4)
	with := func(names []string) (combination int) {
		for k, name := range names {
			if src.Bool(name) {
				combination |= 1 << k
			}
		}
		return combination
	}
	n, data := 1, 1
	var p *testproblem.Problem
	var bare, rich algos.Problem
	if v.Federated {
		// enough for all that a form draws
		n, data = src.Int("P", 2, 6), src.Int("data of a client", 20, 24)
		combination := with(abilities)
		p = testproblem.DrawWells(n, data, d, src.Rand("objective"))
		bare, rich = clientsWith(p, 0), clientsWith(p, combination)
	} else {
		n = src.Int("n", 5, 12)
		combination := with(sumAbilities)
		if combination>>len(abilities) == 0 {
			p = testproblem.DrawWells(n, 1, d, src.Rand("objective"))
			bare, rich = sumWith(p, nil, 0), sumWith(p, nil, combination)
		} else {
			m, q := drawRows(n, d, src.Bool("sparse"), src.Rand("objective"))
			p, bare, rich = q, sumWith(q, nil, 0), sumWith(q, m, combination)
		}
	}
	x0, key := normal(d, src.Rand("start")), src.Key("choices")
	run := func(m algos.Method, q algos.Problem) (points, estimators [][]float64, c algos.Counts,
		asked int64) {
		p.Asked = 0
		o := algos.NewOracle(q)
		if err := m.Start(o, x0, algos.Keyed(key)); err != nil {
			panic(err)
		}
		for t := range T + 1 {
			if t > 0 {
				m.Step()
			}
			points = append(points, slices.Clone(m.Point()))
			estimators = append(estimators, slices.Clone(m.Estimator()))
		}
		return points, estimators, o.Counts(), p.Asked
	}
	xs, vs, counts, asked := run(v.Method(n, eta), rich)
	_, _, bareCounts, bareAsked := run(v.Method(n, eta), bare)
	ys, ws, _, _ := run(v.Naive(n, eta), bare)
	// Terms are of the size of the gradients on the way, which a difference of estimators may be
	// far below.
	size := 0.0
	for t := range xs {
		size = max(size, floats.Norm(ys[t], 2), floats.Norm(ws[t], 2))
	}
	for t := range xs {
		rec.EqualVectors("x, by the method and by its naive form", xs[t], ys[t]).Scale(size)
		rec.EqualVectors("v, by the method and by its naive form", vs[t], ws[t]).Scale(size)
	}
	recordCount(rec, "gradients that the objective computed", asked, props.EQ,
		int(counts.Gradients))
	recordCount(rec, "gradients that the bare objective computed", bareAsked, props.EQ,
		int(bareCounts.Gradients))
	for _, c := range []struct {
		what       string
		rich, bare int64
	}{
		{"gradients", counts.Gradients, bareCounts.Gradients},
		{"oracle calls", counts.Calls, bareCounts.Calls},
		{"full gradients", counts.Full, bareCounts.Full},
		{"component values", counts.Values, bareCounts.Values},
		{"rounds", counts.Rounds, bareCounts.Rounds},
		{"full rounds", counts.FullSync, bareCounts.FullSync},
		{"vectors down", counts.Down, bareCounts.Down}, {"vectors up", counts.Up, bareCounts.Up},
	} {
		recordCount(rec, c.what+", with and without abilities", c.rich, props.EQ, int(c.bare))
	}
}
