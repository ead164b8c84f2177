package algos_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// drawLinear draws a small linear model, with dense rows or sparse ones, some of them empty.
func drawLinear(t *rapid.T) problems.FiniteSum {
	size := rapid.SampledFrom([][2]int{{1, 1}, {7, 3}, {60, 30}, {40, 33}, {75, 20}}).Draw(t,
		"n and d")
	n, d := size[0], size[1]
	r := keyed.New(rapid.Uint64().Draw(t, "table")).Rand()
	density := rapid.SampledFrom([]float64{0.1, 0.5, 2}).Draw(t, "density")
	table := problems.Classification(n, d, density, 0.2, r)
	coefficient := rapid.SampledFrom([]float64{0, 0.1, 0.7})
	ridge := coefficient.Draw(t, "ridge")
	var p problems.Federated
	switch rapid.SampledFrom([]string{"logistic", "least-squares", "robust"}).Draw(t, "family") {
	case "logistic":
		p = props.Must(problems.NewLogistic(table, nil,
			problems.LogisticOptions{Ridge: ridge, Alpha: coefficient.Draw(t, "alpha")}))
	case "least-squares":
		p = props.Must(problems.NewLeastSquares(table, nil, ridge))
	default:
		p = props.Must(problems.NewRobust(table, nil, problems.RobustOptions{Ridge: ridge}))
	}
	return p.ByClient()
}

// Scalar times row plus what is shared is the gradient.
func TestLinearModelIsTheGradient(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		p := drawLinear(t)
		d, m := p.Dim(), p.Linear()
		r := keyed.New(rapid.Uint64().Draw(t, "point")).Rand()
		x, want, got := make([]float64, d), make([]float64, d), make([]float64, d)
		for l := range x {
			x[l] = 3 * r.NormFloat64()
		}
		i := rapid.IntRange(0, p.Components()-1).Draw(t, "i")
		p.Gradient(want, x, i)
		columns, values := m.Row(i)
		entry := func(e int) int {
			if columns == nil {
				return e
			}
			return int(columns[e])
		}
		u := 0.0
		for e, a := range values {
			u += a * x[entry(e)]
		}
		if m.AddShared(got, 0, x) && floats.Norm(got, 2) != 0 {
			t.Fatal("0 times what is shared is not 0")
		}
		m.AddShared(got, 0.5, x)
		m.AddShared(got, 0.5, x)
		for e, a := range values {
			got[entry(e)] += m.Slope(i, u) * a
		}
		if far := floats.Distance(got, want,
			math.Inf(1)); !(far <= 1e-13*(1+floats.Norm(want, 2))) {
			t.Fatalf("the gradient of %d is %v, the linear model says %v", i, want, got)
		}
	})
}

// dense hides that a problem is a linear model.
type dense struct{ problems.FiniteSum }

func (dense) Linear() algos.Linear { return nil }

// Methods take the same steps with numbers for gradients as with gradients, and ask for as many.
func TestLinearModelTakesTheSameSteps(t *testing.T) {
	tables := 0
	var others []string
	for _, e := range algos.Catalogue() {
		if !e.Federated {
			others = append(others, e.Name)
		}
	}
	rapid.Check(t, func(t *rapid.T) {
		p := drawLinear(t)
		n := p.Components()
		s := algos.Setting{Tuning: algos.Tuning{Eta: 0.2,
			Batch:           max(1, n/rapid.SampledFrom([]int{1, 2, 4, 9, n}).Draw(t, "n/b")),
			Radius:          rapid.SampledFrom([]float64{0, 0.1}).Draw(t, "radius"),
			WithReplacement: rapid.Bool().Draw(t, "replace")}, L: 1}
		key := keyed.New(rapid.Uint64().Draw(t, "seed"))
		names := []string{"SLEDGE-I", "SLEDGE-II", "SAGA", "SAGA (two draws)", "ZeroSARAH-I",
			"ZeroSARAH-II", "SVRG", rapid.SampledFrom(others).Draw(t, "method")}
		for _, name := range names {
			e, _ := algos.ByName(name)
			fast, slow := algos.NewOracle(algos.Sum(p)), algos.NewOracle(algos.Sum(dense{p}))
			fast.CountEach()
			slow.CountEach()
			a, b := e.New(s), e.New(s)
			got, err := algos.RecordRun(a, fast, ones(p.Dim()), algos.Keyed(key), 25)
			if err != nil {
				t.Fatal(err)
			}
			want, err := algos.RecordRun(b, slow, ones(p.Dim()), algos.Keyed(key), 25)
			if err != nil {
				t.Fatal(err)
			}
			if fast.Counts() != slow.Counts() {
				t.Fatalf("%s asks for %+v, not %+v", e.Name, fast.Counts(), slow.Counts())
			}
			for i := range n {
				if fast.Count(i) != slow.Count(i) {
					t.Fatalf("%s asks %d times for component %d, not %d", e.Name, fast.Count(i), i,
						slow.Count(i))
				}
			}
			if remembered(a) < remembered(b) {
				tables++
			}
			size := 1.0
			for k := range got.X {
				size = max(size, floats.Norm(want.X[k], 2), floats.Norm(want.V[k], 2))
				if size > 1e6 {
					break // it diverges, and rounding errors with it
				}
				far := max(floats.Distance(got.X[k], want.X[k], 2),
					floats.Distance(got.V[k], want.V[k], 2))
				if !(far <= 1e-10*size) {
					t.Fatalf("%s, step %d: %g apart", e.Name, k, far)
				}
			}
		}
	})
	if tables == 0 && !testing.Short() {
		t.Error("no method kept less for a linear model")
	}
}

func remembered(m algos.Method) int {
	if r, ok := m.(algos.Rememberer); ok {
		return r.Memory()
	}
	return 0
}

// The steps of a table of numbers allocate nothing, and what the method keeps is what it says.
func TestTableOfNumbersDoesNotGrow(t *testing.T) {
	p := classified(2000, 30, problems.LogisticOptions{Alpha: 0.1})
	tuning, steps := algos.Tuning{Eta: 0.1, Batch: 20}, 2000
	if testing.Short() {
		steps = 200
	}
	for _, m := range []algos.Method{&algos.SLEDGE{Eta: 0.1, Batch: 20},
		&algos.SAGA{Tuning: tuning},
		&algos.ZeroSARAH{Tuning: tuning, Option: algos.OptionI}, &algos.SARAH{Tuning: tuning}} {
		if err := m.Start(algos.NewOracle(p), ones(30), algos.Seeded(1)); err != nil {
			t.Fatal(err)
		}
		before := remembered(m)
		if before >= 2000*30/2 {
			t.Errorf("%s keeps %d numbers", m.Name(), before)
		}
		for range 100 {
			m.Step()
		}
		if allocs := testing.AllocsPerRun(steps, m.Step); allocs != 0 {
			t.Errorf("%s: a step allocates %v times", m.Name(), allocs)
		}
		if after := remembered(m); after != before {
			t.Errorf("%s keeps %d numbers after some steps, %d before", m.Name(), after, before)
		}
	}
}

// SAGA with what is shared apart from the table takes the steps that its definition says, with
// sparse rows on lagging coordinates as well, however often it is asked for its point.
func TestSeparateSAGA(t *testing.T) {
	lagging := 0
	rapid.Check(t, func(t *rapid.T) {
		n, d := rapid.IntRange(2, 40).Draw(t, "n"), rapid.IntRange(1, 120).Draw(t, "d")
		r := keyed.New(rapid.Uint64().Draw(t, "table")).Rand()
		table := problems.Classification(n, d,
			rapid.SampledFrom([]float64{0.02, 0.1, 2}).Draw(t, "density"), 0.2, r)
		opt := problems.LogisticOptions{
			Ridge: rapid.SampledFrom([]float64{0, 0.3}).Draw(t, "ridge"),
			Alpha: rapid.SampledFrom([]float64{0, 0, 0.3}).Draw(t, "alpha")}
		p := props.Must(problems.NewLogistic(table, nil, opt)).ByClient()
		m := &algos.SAGA{Tuning: algos.Tuning{Eta: 0.5,
			Batch: rapid.IntRange(1, min(n, 3)).Draw(t, "b"), WithReplacement: rapid.Bool().Draw(t,
				"replace")}, TwoDraws: rapid.Bool().Draw(t, "two"), Separate: true}
		key, oracle, steps := keyed.New(rapid.Uint64().Draw(t, "seed")),
			algos.NewOracle(algos.Sum(p)),
			rapid.SampledFrom([]int{60, 60, 60, 1100}).Draw(t, "steps")
		every := rapid.SampledFrom([]int{1, 7, 60, 550}).Draw(t, "every")
		if err := m.Start(oracle, ones(d), algos.Keyed(key)); err != nil {
			t.Fatal(err)
		}
		if remembered(m) == 2*n+6*d { // which lags
			lagging++
		}
		want := separateSAGA(m, p, algos.Keyed(key))
		for step := 1; step <= steps; step++ {
			m.Step()
			x, v := want()
			if step%every > 0 {
				continue
			}
			size := 1 + floats.Norm(x, 2) + floats.Norm(v, 2)
			far := max(floats.Distance(m.Point(), x, 2), floats.Distance(m.Estimator(), v, 2))
			if !(far <= 1e-11*size) {
				t.Fatalf("step %d: %g apart from the definition", step, far)
			}
		}
		draws := 1
		if m.TwoDraws {
			draws = 2
		}
		if got, want := oracle.Counts().Gradients, int64(n+steps*m.Batch*draws); got != want {
			t.Fatalf("asked for %d gradients, want %d", got, want)
		}
	})
	if lagging == 0 && !testing.Short() {
		t.Error("no coordinates lagged")
	}
}

// separateSAGA is the definition: SAGA on the losses, with the gradient of what they share added. A
// call is a step.
func separateSAGA(m *algos.SAGA, p problems.FiniteSum, r algos.Randomness) func() (x, v []float64) {
	n, d := p.Components(), p.Dim()
	shared := func(x []float64) []float64 {
		g := make([]float64, d)
		p.Linear().AddShared(g, 1, x)
		return g
	}
	loss := func(x []float64, i int) []float64 {
		g := make([]float64, d)
		p.Gradient(g, x, i)
		floats.Sub(g, shared(x))
		return g
	}
	x, v, average, rows := ones(d), make([]float64, d), make([]float64, d), make([][]float64, n)
	for i := range rows {
		rows[i] = loss(x, i)
		floats.AddScaled(average, 1/float64(n), rows[i])
	}
	floats.AddTo(v, average, shared(x))
	draw := func(p algos.Purpose) []int {
		batch := make([]int, m.Batch)
		if m.WithReplacement {
			r.Indices(batch, n, p)
		} else {
			r.Subset(batch, n, p)
		}
		return batch
	}
	return func() ([]float64, []float64) {
		floats.AddScaled(x, -m.Eta, v)
		batch := draw(algos.Batches)
		floats.AddTo(v, average, shared(x))
		for _, i := range batch {
			floats.AddScaled(v, 1/float64(m.Batch), loss(x, i))
			floats.AddScaled(v, -1/float64(m.Batch), rows[i])
		}
		if m.TwoDraws {
			batch = draw(algos.SecondBatch)
		}
		for _, i := range batch {
			floats.AddScaled(average, -1/float64(n), rows[i])
			rows[i] = loss(x, i)
			floats.AddScaled(average, 1/float64(n), rows[i])
		}
		return x, v
	}
}

// What a randomness foresees is what it gives, and foreseeing changes nothing.
func TestForeseenIndices(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seed, n := rapid.Uint64().Draw(t, "seed"), rapid.IntRange(1, 20).Draw(t, "n")
		plain, foreseeing := algos.Seeded(seed), algos.Seeded(seed)
		for range 5 {
			coming := make([]int, rapid.IntRange(0, 8).Draw(t, "ahead"))
			if !algos.Foresee(foreseeing, coming, n) {
				t.Fatal("nothing is foreseen")
			}
			var a, b [1]int
			for _, i := range coming[:rapid.IntRange(0, len(coming)).Draw(t, "taken")] {
				plain.Subset(a[:], n, algos.Batches)
				foreseeing.Subset(b[:], n, algos.Batches)
				if a != b || a[0] != i {
					t.Fatalf("%d and %d, foreseen %d", a, b, i)
				}
			}
			size := rapid.IntRange(0, n).Draw(t, "size")
			as, bs := make([]int, size), make([]int, size)
			plain.Subset(as, n, algos.Batches)
			foreseeing.Subset(bs, n, algos.Batches)
			if !slices.Equal(as, bs) {
				t.Fatalf("then %v and %v", as, bs)
			}
		}
	})
}
