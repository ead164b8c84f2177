package main

import (
	"bufio"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/problems/network"
	"sledge/concentration"
	"sledge/props/keyed"
)

// work is what one side does: the name of a workload and its numbers.
type work struct {
	what   string
	python bool // by a peer in Python, not by the library
}

// comparison is a row of the table. Its aim is a least ratio of the peer's time to ours; where both
// sides are the library, a most ratio of ours to the yardstick's; or a time.
type comparison struct {
	Title, Against string
	Ours, Peer     work
	Least, Most    float64
	Within         time.Duration
}

// Aim words the aim, "" if there is none.
func (c comparison) Aim() string {
	switch {
	case c.Least > 0:
		return fmt.Sprintf("≥ %g×", c.Least)
	case c.Most > 0:
		return fmt.Sprintf("≤ %g times", c.Most)
	case c.Within > 0:
		return "≤ " + c.Within.String()
	}
	return ""
}

// Ratio words the median ratio.
func (r result) Ratio() string {
	if r.Most > 0 {
		return fmt.Sprintf("%.3g times", r.Quartile(2))
	}
	return fmt.Sprintf("%.3g×", r.Quartile(2))
}

func library(what string) work { return work{what: what} }
func python(what string) work  { return work{what, true} }

var comparisons = []comparison{
	{"SAGA epoch, dense logistic, 20k × 100", "scikit-learn",
		library("saga 20000 100"), python("saga 20000 100"), 1.8, 0, 0},
	{"SAGA epoch, dense logistic, 100k × 50", "scikit-learn",
		library("saga 100000 50"), python("saga 100000 50"), 1.8, 0, 0},
	{"SAGA epoch, sparse logistic, 14 of 123 entries a row", "scikit-learn, CSR",
		library("saga-sparse"), python("saga-sparse"), 1.1, 0, 0},
	{"SLEDGE step, n = 10k, d = 1000, b = 100", "numpy",
		library("sledge 10000 1000 100"), python("sledge 10000 1000 100"), 1.8, 0, 0},
	{"SLEDGE step, n = 10k, d = 1000, b = 100", "numpy, scalar table",
		library("sledge 10000 1000 100"), python("sledge-scalars 10000 1000 100"), 0, 0, 0},
	{"SLEDGE step by 100 random rows, n = 10k, d = 1000", "a product and a sum for each",
		library("sledge 10000 1000 100"), library("rows 10000 1000 100"), 0, 2.5, 0},
	{"SLEDGE step, b = 100, d = 100, n = 1e6", "n = 1e3",
		library("sledge 1000000 100 100"), library("sledge 1000 100 100"), 0, 2, 0},
	{"SLEDGE step, b = 100, d = 10, n = 1e6", "n = 1e3",
		library("sledge 1000000 10 100"), library("sledge 1000 10 100"), 0, 2, 0},
	{"FLEDGE round, P = 100, d = 100", "numpy",
		library("fledge 100 10 200 100 10 10"), python("fledge 100 10 200 100 10 10"), 2.5, 0, 0},
	{"FLEDGE round, P = 1000, d = 100", "numpy",
		library("fledge 1000 32 200 100 10 10"), python("fledge 1000 32 200 100 10 10"), 2, 0, 0},
	{"FLEDGE round, P = 100, d = 1000", "numpy",
		library("fledge 100 10 200 1000 10 10"), python("fledge 100 10 200 1000 10 10"), 1.5, 0, 0},
	{"norm of a sum of 200 of 1000 vectors, d = 10, fresh key", "numpy",
		library("sums 1000 200 10"), python("sums 1000 200 10"), 10, 0, 0},
	{"logarithm of a hypergeometric tail, population 1e6", "scipy",
		library("hypergeometric 1000000 400000 10000 4200"),
		python("hypergeometric 1000000 400000 10000 4200"), 0, 0, 2 * time.Microsecond},
	{"the same tail in certified intervals", "scipy, in floats",
		library("certified 1000000 400000 10000 4200"),
		python("hypergeometric 1000000 400000 10000 4200"), 0, 0, 30 * time.Microsecond},
	{"network gradient, softplus, 784-100-26, B = 1200", "numpy",
		library("network 1200 784 100 26"), python("network 1200 784 100 26"), 1, 0, 0},
	{"network gradient, softplus, 784-100-26, B = 100", "numpy",
		library("network 100 784 100 26"), python("network 100 784 100 26"), 1, 0, 0},
	{"network step, both points, 784-100-26, B = 1200", "numpy, two gradients",
		library("network-step 1200 784 100 26"), python("network-step 1200 784 100 26"),
		1.1, 0, 0},
	{"network step, both points, 784-100-26, B = 1200", "numpy, one product for both",
		library("network-step 1200 784 100 26"), python("network-step-joint 1200 784 100 26"),
		0, 0, 0},
	{"network step, both points, 784-100-26, B = 100", "numpy, two gradients",
		library("network-step 100 784 100 26"), python("network-step 100 784 100 26"), 1.1, 0, 0},
	{"network step, both points, 784-100-26, B = 100", "numpy, one product for both",
		library("network-step 100 784 100 26"), python("network-step-joint 100 784 100 26"),
		0, 0, 0},
	{"reading LIBSVM", "scikit-learn", library("libsvm"), python("libsvm"), 2.5, 0, 0},
}

// workloads prepares each kind of work from its numbers. What it returns does some of it and says
// how many units.
var workloads = map[string]func(a []int) (func() int, error){
	"tier": tier,
	"saga": func(a []int) (func() int, error) { return saga(drawn(a[0], a[1])) },
	"saga-sparse": func([]int) (func() int, error) {
		t, err := readRows()
		if err != nil {
			return nil, err
		}
		return saga(t)
	},
	"sledge": func(a []int) (func() int, error) {
		n := a[0]
		return steps(&algos.SLEDGE{Eta: 1e-3, Batch: a[2]}, drawn(n, a[1]), nil, 1/float64(n), 50)
	},
	"fledge": func(a []int) (func() int, error) {
		clients, each := a[0], a[2]
		groups := make([][]int, clients)
		for k := range clients * each {
			groups[k/each] = append(groups[k/each], k)
		}
		return steps(&algos.FLEDGE{Eta: 1e-3, Chosen: a[1], LocalSteps: a[4], Batch: a[5]},
			drawn(clients*each, a[3]), groups, 1/float64(clients*each), 5)
	},
	"rows": rows,
	"sums": sums,
	"hypergeometric": func(a []int) (func() int, error) {
		return repeated(20, func() {
			concentration.HypergeometricLogUpper(a[0], a[1], a[2], a[3])
		}), nil
	},
	"certified": func(a []int) (func() int, error) {
		return repeated(20, func() { concentration.EncloseHypergeometric(a[0], a[1], a[2], a[3]) }),
			nil
	},
	"network": func(a []int) (func() int, error) {
		p, x, err := training(1, a)
		if err != nil {
			return nil, err
		}
		g := make([]float64, len(x))
		return repeated(5, func() { p.Gradient(g, x, 0) }), nil
	},
	"network-step": func(a []int) (func() int, error) {
		p, x, err := training(2, a)
		if err != nil {
			return nil, err
		}
		m := &algos.SARAH{Tuning: algos.Tuning{Eta: 1e-3, Batch: 1}, Period: math.MaxInt}
		err = m.Start(algos.NewOracle(algos.Sum(p)), x, algos.Seeded(1))
		return repeated(5, m.Step), err
	},
	"libsvm": func([]int) (func() int, error) {
		if _, err := readRows(); err != nil {
			return nil, err
		}
		return repeated(1, func() { readRows() }), nil
	},
}

// prepare finds the workload and gives it its numbers.
func prepare(args []string) (func() int, error) {
	if len(args) == 0 {
		return nil, fmt.Errorf("no workload is named")
	}
	w, ok := workloads[args[0]]
	if !ok {
		return nil, fmt.Errorf("there is no workload %q", args[0])
	}
	var numbers []int
	for _, s := range args[1:] {
		k, err := strconv.Atoi(s)
		if err != nil || k < 1 {
			return nil, fmt.Errorf("%q is not a positive number", s)
		}
		numbers = append(numbers, k)
	}
	return w(numbers)
}

func repeated(times int, do func()) func() int {
	return func() int {
		for range times {
			do()
		}
		return times
	}
}

// drawn is a dense table of normal features whose labels a linear rule explains, up to noise.
func drawn(n, d int) *problems.Table {
	return problems.Classification(n, d, 1, 0.1, keyed.New(1).Rand())
}

// start begins a method on logistic regression; without clients each row is a component.
func start(m algos.Method, t *problems.Table, clients [][]int, ridge float64) error {
	p, err := problems.NewLogistic(t, clients, problems.LogisticOptions{Ridge: ridge})
	if err != nil {
		return err
	}
	var view algos.Problem = p
	if clients == nil {
		view = algos.Sum(p.ByClient())
	}
	return m.Start(algos.NewOracle(view), make([]float64, t.Width), algos.Seeded(1))
}

func steps(m algos.Method, t *problems.Table, clients [][]int, ridge float64,
	times int) (func() int, error) {
	if err := start(m, t, clients, ridge); err != nil {
		return nil, err
	}
	return repeated(times, m.Step), nil
}

// saga makes epochs: as many steps with one component as there are rows. Ridge 1/n, apart from the
// table, and a step size of the order of 1/(3 L) are what the peer has.
func saga(t *problems.Table) (func() int, error) {
	n := t.Rows()
	m := &algos.SAGA{Tuning: algos.Tuning{Eta: 1e-3, Batch: 1}, Separate: true}
	if err := start(m, t, nil, 1/float64(n)); err != nil {
		return nil, err
	}
	return func() int {
		for range n {
			m.Step()
		}
		return 1
	}, nil
}

// rows is the yardstick of a step with minibatches: a scalar product with each of b random rows and
// a multiple of each added to a sum.
func rows(a []int) (func() int, error) {
	n, d, b := a[0], a[1], a[2]
	t, r := drawn(n, d), algos.Seeded(1)
	batch, x, sum := make([]int, b), make([]float64, d), make([]float64, d)
	return repeated(50, func() {
		r.Subset(batch, n, algos.Batches)
		for _, i := range batch {
			_, row := t.Row(i)
			v := blas64.Vector{N: d, Data: row, Inc: 1}
			s := blas64.Dot(v, blas64.Vector{N: d, Data: x, Inc: 1})
			blas64.Axpy(s, v, blas64.Vector{N: d, Data: sum, Inc: 1})
		}
	}), nil
}

// sums adds up subsets drawn without replacement, each with a key of its own as in a trial of a
// claim.
func sums(a []int) (func() int, error) {
	n, size, d := a[0], a[1], a[2]
	r := keyed.New(1).Rand()
	values := make([]float64, n*d)
	for i := range values {
		values[i] = r.NormFloat64()
	}
	key, subset, sum := keyed.New(2), make([]int, size), make([]float64, d)
	trial, norm := 0, 0.0
	return repeated(200, func() {
		algos.Keyed(key.At(trial)).Subset(subset, n, algos.Batches)
		trial++
		sumRows(sum, values, subset)
		norm += floats.Norm(sum, 2)
	}), nil
}

// sumRows sets sum to the sum of the rows of a matrix that have the given numbers, of which it adds
// four at a time.
func sumRows(sum, values []float64, rows []int) {
	d := len(sum)
	clear(sum)
	row := func(k int) []float64 { return values[rows[k]*d:][:d] }
	k := 0
	for ; k+4 <= len(rows); k += 4 {
		r0, r1, r2, r3 := row(k), row(k+1), row(k+2), row(k+3)
		for l, s := range sum {
			sum[l] = s + r0[l] + r1[l] + r2[l] + r3[l]
		}
	}
	for ; k < len(rows); k++ {
		floats.Add(sum, row(k))
	}
}

// training is a network with a starting point, whose components are groups of rows that stand
// together.
func training(components int, a []int) (*network.FiniteSum, []float64, error) {
	size, inputs, classes := a[0], a[1], a[3]
	r := keyed.New(1).Rand()
	t := &problems.Table{Width: inputs, Start: []int{0}, Classes: make([]string, classes)}
	groups := make([][]int, components)
	for k := range components * size {
		for range inputs {
			v := 0.0
			if r.Float64() < 0.3 {
				v = r.Float64()
			}
			t.Value = append(t.Value, v)
		}
		t.Start, t.Target = append(t.Start, len(t.Value)), append(t.Target, float64(k%classes))
		groups[k/size] = append(groups[k/size], k)
	}
	net, err := network.New(inputs, []int{a[2]}, classes, network.Softplus)
	if err != nil {
		return nil, nil, err
	}
	p, err := network.NewFiniteSum(net, t, groups, network.Options{L2: 0.01})
	return p, net.Initial(r), err
}

// rowsFile is a LIBSVM file in the shape of a9a: 32,561 rows, 14 of 123 indicators in each.
const rowsFile = "rows.libsvm"

func writeRows(folder string) error {
	f, err := os.Create(filepath.Join(folder, rowsFile))
	if err != nil {
		return err
	}
	defer f.Close()
	w := bufio.NewWriter(f)
	r := keyed.New(3).Rand()
	const rows, width, entries = 32561, 123, 14
	for range rows {
		label := "+1"
		if r.Float64() < 0.76 {
			label = "-1"
		}
		var line strings.Builder
		for k := range entries { // one of each stretch of columns, as indicators of categories are
			from, to := k*width/entries, (k+1)*width/entries
			fmt.Fprintf(&line, " %d:1", from+1+r.IntN(to-from))
		}
		fmt.Fprintf(w, "%s%s\n", label, line.String())
	}
	if err := w.Flush(); err != nil {
		return err
	}
	return f.Close()
}

func readRows() (*problems.Table, error) {
	f, err := os.Open(filepath.Join(os.Getenv("BENCH_FILES"), rowsFile))
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return problems.ReadLIBSVM(f, rowsFile, problems.ReadOptions{})
}
