package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// blobs is a table of examples around a random centre for each class.
func blobs(t *testing.T, n, width, classes int, spread float64, r *rand.Rand) *problems.Table {
	t.Helper()
	centres := make([][]float64, classes)
	for c := range centres {
		for range width {
			centres[c] = append(centres[c], r.NormFloat64())
		}
	}
	var rows [][]float64
	var target []float64
	for k := range n {
		row := slices.Clone(centres[k%classes])
		for l := range row {
			row[l] += spread * r.NormFloat64()
		}
		rows, target = append(rows, row), append(target, float64(k%classes))
	}
	table, err := problems.NewTable(rows, target)
	if err != nil {
		t.Fatal(err)
	}
	for c := range classes {
		table.Classes = append(table.Classes, fmt.Sprint(c))
	}
	return table
}

// shapes are networks of several depths; the second is wider than a slab of columns, with groups
// longer than a slab of rows in pure Go.
var shapes = []struct {
	inputs, classes, groups, size int
	hidden                        []int
}{
	{3, 4, 5, 3, nil},
	{5, 3, 2, 150, []int{200}},
	{4, 3, 7, 2, []int{5, 6}},
	{6, 2, 3, 5, []int{4, 3, 5}},
}

type instance struct {
	sum       *FiniteSum
	federated *Federated
	x         []float64
	r         *rand.Rand
}

func eachInstance(t *testing.T, test func(t *testing.T, in instance)) {
	for k, s := range shapes {
		for a := Softplus; a <= SiLU; a++ {
			t.Run(fmt.Sprintf("%d%v%d %v", s.inputs, s.hidden, s.classes, a), func(t *testing.T) {
				if testing.Short() && s.size > 100 && a > Softplus {
					t.Skip("a wide network with another activation")
				}
				r := keyed.New(3).At(k).At(int(a)).Rand()
				net, err := New(s.inputs, s.hidden, s.classes, a)
				if err != nil {
					t.Fatal(err)
				}
				table := blobs(t, s.groups*s.size, s.inputs, s.classes, 0.5, r)
				groups := make([][]int, s.groups)
				for k, row := range r.Perm(table.Rows()) {
					i := k % s.groups
					if k >= s.groups && k%(s.groups*2) == 0 {
						i = 0 // unequal groups
					}
					groups[i] = append(groups[i], row)
				}
				in := instance{r: r, x: net.Initial(r)}
				if in.sum, err = NewFiniteSum(net, table, groups, Options{L2: 0.01}); err != nil {
					t.Fatal(err)
				}
				if in.federated, err = NewFederated(net, table, groups,
					Options{L2: 0.01}); err != nil {
					t.Fatal(err)
				}
				for k := range in.x {
					in.x[k] += 0.3 * r.NormFloat64()
				}
				test(t, in)
			})
		}
	}
}

func near(t *testing.T, what string, got, want, scale, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*scale) {
		t.Errorf("%s: %v, want %v within %v of %v", what, got, want, tol, scale)
	}
}

func nearVectors(t *testing.T, what string, got, want []float64, tol float64) {
	t.Helper()
	if d := floats.Distance(got, want, 2); !(d <= tol*(1+floats.Norm(want, 2))) {
		t.Errorf("%s: distance %v from a vector of norm %v", what, d, floats.Norm(want, 2))
	}
}

// The gradient is the derivative of the value, coordinate by coordinate and along random
// directions.
func TestGradientIsTheDerivativeOfTheValue(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		d := in.sum.Dim()
		g := make([]float64, d)
		if v, want := in.sum.ValueGradient(g, in.x), in.sum.Value(in.x); v != want {
			t.Errorf("value %v beside the gradient, want %v", v, want)
		}
		const h = 1e-3
		along := func(u []float64) float64 {
			at := func(s float64) float64 {
				y := slices.Clone(in.x)
				floats.AddScaled(y, s, u)
				return in.sum.Value(y)
			}
			return (8*(at(h)-at(-h)) - (at(2*h) - at(-2*h))) / (12 * h)
		}
		u := make([]float64, d)
		for range 40 {
			k := in.r.IntN(d)
			u[k] = 1
			near(t, fmt.Sprintf("derivative along coordinate %d", k), g[k], along(u),
				1+math.Abs(g[k]), 1e-9)
			u[k] = 0
		}
		for range 10 {
			for k := range u {
				u[k] = in.r.NormFloat64()
			}
			floats.Scale(1/floats.Norm(u, 2), u)
			near(t, "derivative along a direction", floats.Dot(g, u), along(u),
				1+floats.Norm(g, 2), 1e-9)
		}
	})
}

// Gradients of clients are means over their data however these are asked for, and the full gradient
// is the mean over clients.
func TestMeans(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		d := in.sum.Dim()
		full, mean, g, client, batched := make([]float64, d), make([]float64, d),
			make([]float64, d),
			make([]float64, d), make([]float64, d)
		in.sum.FullGradient(full, in.x)
		for i := range in.federated.Clients() {
			clear(client)
			size := in.federated.Size(i)
			for j := range size {
				in.federated.Gradient(g, in.x, i, j)
				floats.AddScaled(client, 1/float64(size), g)
			}
			in.sum.Gradient(g, in.x, i)
			nearVectors(t, "gradient of a component", g, client, 1e-13)
			in.federated.MeanGradient(batched, in.x, i, nil)
			nearVectors(t, "gradient of a client", batched, client, 1e-13)
			in.federated.MeanGradient(batched, in.x, i, in.r.Perm(size))
			nearVectors(t, "gradient of all data in a random order", batched, client, 1e-13)
			few := in.r.Perm(size)[:1+size/2]
			clear(client)
			for _, j := range few {
				in.federated.Gradient(batched, in.x, i, j)
				floats.AddScaled(client, 1/float64(len(few)), batched)
			}
			in.federated.MeanGradient(batched, in.x, i, few)
			nearVectors(t, "gradient of a minibatch", batched, client, 1e-13)
			floats.AddScaled(mean, 1/float64(in.sum.Components()), g)
		}
		nearVectors(t, "full gradient", full, mean, 1e-13)
	})
}

// Differences between two points are those of the gradients, times a number, and are added; also
// of more examples than pass through the layers together.
func TestDifferences(t *testing.T) {
	check := func(t *testing.T, in instance) {
		d := in.sum.Dim()
		y, start, got, want, g := slices.Clone(in.x), make([]float64, d), make([]float64, d),
			make([]float64, d), make([]float64, d)
		for l := range y {
			y[l] += 0.1 * in.r.NormFloat64()
			start[l] = in.r.NormFloat64()
		}
		batch := []int{in.sum.Components() - 1, 0, 0}
		copy(want, start)
		for _, i := range batch {
			in.sum.Gradient(g, in.x, i)
			floats.AddScaled(want, -0.7/float64(len(batch)), g)
			in.sum.Gradient(g, y, i)
			floats.AddScaled(want, 0.7/float64(len(batch)), g)
		}
		for _, p := range []algos.BatchDifferencer{in.sum, in.federated} {
			copy(got, start)
			p.AddBatchDifference(got, -0.7, in.x, y, batch)
			nearVectors(t, "difference of components", got, want, 1e-13)
		}
		few := in.r.Perm(in.federated.Size(0))
		few = few[:1+len(few)/2]
		copy(want, start)
		in.federated.MeanGradient(g, in.x, 0, few)
		floats.Add(want, g)
		in.federated.MeanGradient(g, y, 0, few)
		floats.Sub(want, g)
		copy(got, start)
		in.federated.AddMeanDifference(got, in.x, y, 0, few)
		nearVectors(t, "difference of means", got, want, 1e-13)
	}
	eachInstance(t, check)
	r := keyed.New(7).Rand()
	net, err := New(3, []int{4}, 2, Softplus)
	if err != nil {
		t.Fatal(err)
	}
	in := instance{r: r, x: net.Initial(r)}
	table, groups := blobs(t, slab+5, 3, 2, 0.5, r), [][]int{r.Perm(slab + 5), {3}}
	if in.sum, err = NewFiniteSum(net, table, groups, Options{L2: 0.1}); err != nil {
		t.Fatal(err)
	}
	if in.federated, err = NewFederated(net, table, groups, Options{L2: 0.1}); err != nil {
		t.Fatal(err)
	}
	check(t, in)
}

// A method makes the same run, for the same gradients, whether or not differences are had at once.
func TestRunsByDifferences(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		type plain struct{ algos.FiniteSum }
		sum, federated := algos.Sum(plain{in.sum}), struct{ algos.Problem }{in.federated}
		tuning := algos.Tuning{Eta: 0.1, Batch: 2}
		for _, c := range []struct {
			make       func() algos.Method
			fast, slow algos.Problem
		}{
			{func() algos.Method { return &algos.SVRG{Tuning: tuning} }, algos.Sum(in.sum), sum},
			{func() algos.Method { return &algos.SARAH{Tuning: tuning} }, in.federated, federated},
			{func() algos.Method {
				return &algos.FLEDGE{Eta: 0.1, LocalSteps: 3, Batch: 1, Cap: true}
			}, in.federated, federated},
			{func() algos.Method {
				return &algos.BVRLSGD{Eta: 0.1, LocalSteps: 2, Batch: 1, Cap: true}
			}, in.federated, federated},
		} {
			var end [2][]float64
			var counts [2]algos.Counts
			for k, p := range []algos.Problem{c.fast, c.slow} {
				m, o := c.make(), algos.NewOracle(p)
				if err := m.Start(o, in.x, algos.Seeded(1)); err != nil {
					t.Fatal(err)
				}
				for range 5 {
					m.Step()
				}
				end[k], counts[k] = slices.Clone(m.Point()), o.Counts()
			}
			nearVectors(t, c.make().Name(), end[0], end[1], 1e-12)
			if counts[0] != counts[1] {
				t.Errorf("%s: counts %+v and %+v", c.make().Name(), counts[0], counts[1])
			}
		}
	})
}

// An oracle gives the same means and counts whether or not the problem can batch.
func TestOracleMeans(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		type plain struct{ algos.Problem }
		d := in.sum.Dim()
		fast, slow, a, b, s := algos.NewOracle(in.federated), algos.NewOracle(plain{in.federated}),
			make([]float64, d),
			make([]float64, d), make([]float64, d)
		batch := []int{1, 0}
		fast.CountEach()
		slow.CountEach()
		fast.Mean(a, in.x, 1, batch, s)
		slow.Mean(b, in.x, 1, batch, s)
		nearVectors(t, "mean", a, b, 1e-13)
		fast.Local(a, in.x, 1, s)
		slow.Local(b, in.x, 1, s)
		nearVectors(t, "local gradient", a, b, 1e-13)
		if fast.Counts() != slow.Counts() || fast.Count(1) != slow.Count(1) {
			t.Errorf("counts %+v and %+v", fast.Counts(), slow.Counts())
		}
	})
}

// More examples than pass through the layers together give the mean over single ones.
func TestSlabs(t *testing.T) {
	r := keyed.New(5).Rand()
	net, err := New(3, []int{4}, 2, Softplus)
	if err != nil {
		t.Fatal(err)
	}
	rows := r.Perm(2*slab + 5)
	p, err := NewFederated(net, blobs(t, len(rows), 3, 2, 0.5, r), [][]int{rows}, Options{})
	if err != nil {
		t.Fatal(err)
	}
	x, d := net.Initial(r), net.Dim()
	want, one := make([]float64, d), make([]float64, d)
	for j := range rows {
		p.Gradient(one, x, 0, j)
		floats.AddScaled(want, 1/float64(len(rows)), one)
	}
	if v, want := p.ValueGradient(one, x), p.Value(x); v != want {
		t.Errorf("value %v beside the gradient, want %v", v, want)
	}
	nearVectors(t, "full gradient", one, want, 1e-12)
	p.MeanGradient(one, x, 0, r.Perm(len(rows)))
	nearVectors(t, "gradient of a batch", one, want, 1e-12)
}

// Shifting all outputs of the last layer alike changes no probability; permuting hidden units
// changes no function.
func TestSymmetries(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		net := in.sum.Network()
		rows := in.sum.groups[0]
		loss, accuracy := net.Evaluate(in.x, in.sum.table, rows)
		y := slices.Clone(in.x)
		_, bias := net.matrix(y, net.layers()-1)
		floats.AddConst(3, bias)
		l, a := net.Evaluate(y, in.sum.table, rows)
		near(t, "loss with shifted outputs", l, loss, 1+loss, 1e-13)
		near(t, "accuracy with shifted outputs", a, accuracy, 1, 0)
		if net.layers() == 1 {
			return
		}
		y = slices.Clone(in.x)
		w, b := net.matrix(y, 0)
		next, _ := net.matrix(y, 1)
		for i := range w.Rows { // exchange hidden units 0 and 1
			w.Data[i*w.Stride], w.Data[i*w.Stride+1] = w.Data[i*w.Stride+1], w.Data[i*w.Stride]
		}
		b[0], b[1] = b[1], b[0]
		for j := range next.Cols {
			next.Data[j], next.Data[next.Stride+j] = next.Data[next.Stride+j], next.Data[j]
		}
		l, _ = net.Evaluate(y, in.sum.table, rows)
		near(t, "loss with exchanged units", l, loss, 1+loss, 1e-13)
	})
}

func TestGradientsDoNotAllocate(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		g := make([]float64, in.sum.Dim())
		batch := []int{1, 0}
		allocs := testing.AllocsPerRun(50, func() {
			in.sum.Gradient(g, in.x, 0)
			in.sum.FullGradient(g, in.x)
			in.federated.Gradient(g, in.x, 0, 0)
			in.federated.MeanGradient(g, in.x, 0, batch)
			in.federated.MeanGradient(g, in.x, 0, nil)
			in.sum.Value(in.x)
			in.sum.AddBatchDifference(g, 1, in.x, in.x, batch)
			in.federated.AddMeanDifference(g, in.x, in.x, 0, batch)
		})
		if allocs != 0 {
			t.Errorf("gradients allocate %v times", allocs)
		}
	})
}

// Readers may share a problem; the race detector sees whether they may.
func TestConcurrentReaders(t *testing.T) {
	eachInstance(t, func(t *testing.T, in instance) {
		want := make([]float64, in.sum.Dim())
		in.sum.Gradient(want, in.x, 0)
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() {
				g := make([]float64, len(want))
				for range 5 {
					in.sum.Gradient(g, in.x, 0)
					if !slices.Equal(g, want) {
						t.Error("another result")
					}
				}
			})
		}
		wg.Wait()
	})
}

func TestInitial(t *testing.T) {
	net, err := New(30, []int{20}, 10, Tanh)
	if err != nil {
		t.Fatal(err)
	}
	x := net.Initial(keyed.New(1).Rand())
	for l, limit := range []float64{math.Sqrt(6.0 / 50), math.Sqrt(6.0 / 30)} {
		w, bias := net.matrix(x, l)
		if top := max(floats.Max(w.Data), -floats.Min(w.Data)); top > limit || top < 0.9*limit {
			t.Errorf("layer %d: largest weight %v, limit %v", l, top, limit)
		}
		near(t, "variance of weights", floats.Dot(w.Data, w.Data)/float64(len(w.Data)),
			limit*limit/3, limit*limit/3, 0.2)
		if floats.Norm(bias, 2) != 0 {
			t.Errorf("layer %d: biases %v", l, bias)
		}
	}
	if len(x) != 30*20+20+20*10+10 || !slices.Equal(x, net.Initial(keyed.New(1).Rand())) {
		t.Error("the start is not a function of the key")
	}
}

// Every depth learns to tell clusters apart, on data it has not seen.
func TestTrainingClassifies(t *testing.T) {
	r := keyed.New(5).Rand()
	table := blobs(t, 600, 8, 5, 0.4, r)
	train, test := make([][]int, 40), []int(nil)
	for k := range table.Rows() {
		if k < 400 {
			train[k%40] = append(train[k%40], k)
		} else {
			test = append(test, k)
		}
	}
	for _, hidden := range [][]int{nil, {10}, {10, 8, 8}} {
		net, err := New(8, hidden, 5, Softplus)
		if err != nil {
			t.Fatal(err)
		}
		p, err := NewFiniteSum(net, table, train, Options{L2: 1e-4})
		if err != nil {
			t.Fatal(err)
		}
		x := net.Initial(r)
		_, before := net.Evaluate(x, table, test)
		m := &algos.SLEDGE{Eta: 0.5}
		if err := m.Start(algos.NewOracle(algos.Sum(p)), x, algos.Seeded(1)); err != nil {
			t.Fatal(err)
		}
		for range 400 {
			m.Step()
		}
		if _, after := net.Evaluate(m.Point(), table, test); after < 0.95 || before > 0.7 {
			t.Errorf("hidden layers %v: accuracy from %v to %v", hidden, before, after)
		}
	}
}

func TestRefusals(t *testing.T) {
	table := blobs(t, 12, 3, 2, 1, keyed.New(1).Rand())
	net := func(inputs int, hidden []int, classes int) *Network {
		n, err := New(inputs, hidden, classes, Tanh)
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	sparse := *table
	sparse.Column = []int32{}
	for name, try := range map[string]func() error{
		"layer 1 of width 0": func() error { _, err := New(3, []int{0}, 2, Tanh); return err },
		"activation 9":       func() error { _, err := New(3, nil, 2, 9); return err },
		"with 3 features for a network with 4": func() error {
			_, err := NewFiniteSum(net(4, nil, 2), table, [][]int{{0}}, Options{})
			return err
		},
		"of 2 classes for a network with 5": func() error {
			_, err := NewFederated(net(3, nil, 5), table, [][]int{{0}}, Options{})
			return err
		},
		"is sparse": func() error {
			_, err := NewFiniteSum(net(3, nil, 2), &sparse, [][]int{{0}}, Options{})
			return err
		},
		"no groups": func() error {
			_, err := NewFiniteSum(net(3, nil, 2), table, nil, Options{})
			return err
		},
		"group 1 is empty": func() error {
			_, err := NewFiniteSum(net(3, nil, 2), table, [][]int{{0}, {}}, Options{})
			return err
		},
		"row 12 of a table of 12": func() error {
			_, err := NewFiniteSum(net(3, nil, 2), table, [][]int{{12}}, Options{})
			return err
		},
		"L2 must": func() error {
			_, err := NewFiniteSum(net(3, nil, 2), table, [][]int{{0}}, Options{L2: math.NaN()})
			return err
		},
	} {
		if err := try(); err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("want an error about %q, got %v", name, err)
		}
	}
}

func BenchmarkGradient(b *testing.B) {
	r := keyed.New(1).Rand()
	t := &problems.Table{Width: 784, Start: []int{0}}
	for k := range 100 {
		for range 784 {
			v := 0.0
			if r.Float64() < 0.3 {
				v = r.Float64()
			}
			t.Value = append(t.Value, v)
		}
		t.Start, t.Target = append(t.Start, len(t.Value)), append(t.Target, float64(k%26))
	}
	t.Classes = make([]string, 26)
	rows := r.Perm(100)
	net, err := New(784, []int{100}, 26, Softplus)
	if err != nil {
		b.Fatal(err)
	}
	p, err := NewFiniteSum(net, t, [][]int{rows}, Options{L2: 0.01})
	if err != nil {
		b.Fatal(err)
	}
	x, g := net.Initial(r), make([]float64, net.Dim())
	b.ReportAllocs()
	for b.Loop() {
		p.Gradient(g, x, 0)
	}
}
