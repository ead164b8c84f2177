package network

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
)

// Options of a training objective.
type Options struct {
	// L2 is λ ≥ 0: every component carries the regulariser (λ/2)‖x‖², biases included. The paper's
	// runs have λ = 0.01, "added to the empirical risk" (lines 663-664); that half of it is meant
	// is our reading.
	L2 float64
}

// objective is f(x) = mean over groups of the mean cross-entropy of the group's examples, plus
// (λ/2)‖x‖².
type objective struct {
	net    *Network
	table  *problems.Table
	groups [][]int // rows of the table
	lambda float64
	rows   []int     // of all groups, ascending
	weight []float64 // of each of rows in f
}

func newObjective(net *Network, t *problems.Table, groups [][]int, opt Options) (objective, error) {
	o := objective{net: net, table: t, groups: groups, lambda: opt.L2}
	if err := net.Fits(t); err != nil {
		return o, err
	}
	switch {
	case len(groups) == 0:
		return o, fmt.Errorf("network: no groups of examples")
	case !(opt.L2 >= 0) || math.IsInf(opt.L2, 1):
		return o, fmt.Errorf("network: L2 must be nonnegative and finite, got %v", opt.L2)
	}
	type share struct {
		row    int
		weight float64
	}
	var shares []share
	for i, g := range groups {
		if len(g) == 0 {
			return o, fmt.Errorf("network: group %d is empty", i)
		}
		for _, r := range g {
			if r < 0 || r >= t.Rows() {
				return o, fmt.Errorf("network: group %d has row %d of a table of %d", i, r,
					t.Rows())
			}
			shares = append(shares, share{r, 1 / float64(len(g)*len(groups))})
		}
	}
	slices.SortStableFunc(shares, func(a, b share) int { return cmp.Compare(a.row, b.row) })
	for _, s := range shares {
		o.rows, o.weight = append(o.rows, s.row), append(o.weight, s.weight)
	}
	return o, nil
}

// Network returns the network that is trained.
func (o *objective) Network() *Network { return o.net }

// Dim returns the number of weights.
func (o *objective) Dim() int { return o.net.Dim() }

// Value returns f(x).
func (o *objective) Value(x []float64) float64 {
	loss, _ := o.net.sumLoss(x, o.table, o.rows, o.weight...)
	return loss + o.lambda/2*floats.Dot(x, x)
}

// FullGradient sets dst to ∇f(x).
func (o *objective) FullGradient(dst, x []float64) { o.ValueGradient(dst, x) }

// ValueGradient sets dst to ∇f(x) and returns f(x).
func (o *objective) ValueGradient(dst, x []float64) float64 {
	o.regulariser(dst, x)
	loss := o.net.addGradient(dst, x, o.table, o.rows, o.weight...)
	return loss + o.lambda/2*floats.Dot(x, x)
}

// mean sets dst to the gradient of the mean over the rows.
func (o *objective) mean(dst, x []float64, rows []int) {
	o.regulariser(dst, x)
	o.net.addGradient(dst, x, o.table, rows, 1/float64(len(rows)))
}

// AddBatchDifference adds c times the mean of ∇f_i(x) − ∇f_i(y) over groups i in batch to dst.
func (o *objective) AddBatchDifference(dst []float64, c float64, x, y []float64, batch []int) {
	d := o.difference(dst, c, x, y)
	defer d.end()
	for _, i := range batch {
		weight := c / float64(len(batch)*len(o.groups[i]))
		for _, row := range o.groups[i] {
			d.add(row, weight)
		}
	}
}

// difference is a sum of differences of gradients between two points that is being made.
type difference struct {
	*objective
	*space
	dst, x, y []float64
	held      int // rows that are to be taken in
}

// difference begins with c times that of the regulariser.
func (o *objective) difference(dst []float64, c float64, x, y []float64) difference {
	floats.AddScaled(dst, c*o.lambda, x)
	floats.AddScaled(dst, -c*o.lambda, y)
	return difference{o, o.net.spaces.Get().(*space), dst, x, y, 0}
}

// add takes in a row with its weight.
func (d *difference) add(row int, weight float64) {
	d.space.rows[d.held], d.weights[d.held] = row, weight
	if d.held++; d.held == slab/2 {
		d.flush()
	}
}

func (d *difference) flush() {
	if d.held > 0 {
		d.net.addDifference(d.dst, d.space, d.x, d.y, d.table, d.space.rows[:d.held],
			d.weights[:d.held]...)
		d.held = 0
	}
}

func (d *difference) end() {
	d.flush()
	d.net.spaces.Put(d.space)
}

func (o *objective) regulariser(dst, x []float64) {
	floats.ScaleTo(dst, o.lambda, x)
}

// FiniteSum is a training objective whose component i is the mean over group i of the examples
// (with the regulariser).
type FiniteSum struct{ objective }

var (
	_ algos.FiniteSum        = (*FiniteSum)(nil)
	_ algos.Valuer           = (*FiniteSum)(nil)
	_ algos.FullGradienter   = (*FiniteSum)(nil)
	_ algos.BatchDifferencer = (*FiniteSum)(nil)
)

// NewFiniteSum returns the objective of training the network on groups of rows of the table, which
// it keeps. It goes through the rows of a group in ascending order, and reads those that stand
// together where they stand.
func NewFiniteSum(net *Network, t *problems.Table, groups [][]int,
	opt Options) (*FiniteSum, error) {
	o, err := newObjective(net, t, groups, opt)
	if err != nil {
		return nil, err
	}
	o.groups = slices.Clone(groups)
	for i, g := range o.groups {
		o.groups[i] = slices.Sorted(slices.Values(g))
	}
	return &FiniteSum{o}, nil
}

// Components returns the number of groups.
func (p *FiniteSum) Components() int { return len(p.groups) }

// Gradient sets dst to ∇f_i(x).
func (p *FiniteSum) Gradient(dst, x []float64, i int) { p.mean(dst, x, p.groups[i]) }

// Federated is a training objective whose client i holds group i of the examples; each datum
// carries the regulariser.
type Federated struct{ objective }

var (
	_ algos.Problem          = (*Federated)(nil)
	_ algos.MeanGradienter   = (*Federated)(nil)
	_ algos.BatchDifferencer = (*Federated)(nil)
	_ algos.MeanDifferencer  = (*Federated)(nil)
	_ algos.Valuer           = (*Federated)(nil)
	_ algos.FullGradienter   = (*Federated)(nil)
)

// NewFederated returns the objective of training the network on clients that hold the given rows of
// the table, which it keeps.
func NewFederated(net *Network, t *problems.Table, clients [][]int,
	opt Options) (*Federated, error) {
	o, err := newObjective(net, t, clients, opt)
	if err != nil {
		return nil, err
	}
	return &Federated{o}, nil
}

// Clients returns the number of clients.
func (p *Federated) Clients() int { return len(p.groups) }

// Size returns the number of examples of client i.
func (p *Federated) Size(i int) int { return len(p.groups[i]) }

// Gradient sets dst to ∇f_ij(x).
func (p *Federated) Gradient(dst, x []float64, i, j int) { p.mean(dst, x, p.groups[i][j:j+1]) }

// MeanGradient sets dst to the mean of ∇f_ij(x) over j in batch, over all data of client i if batch
// is nil.
func (p *Federated) MeanGradient(dst, x []float64, i int, batch []int) {
	if batch == nil {
		p.mean(dst, x, p.groups[i])
		return
	}
	s := p.net.spaces.Get().(*space)
	defer p.net.spaces.Put(s)
	p.regulariser(dst, x)
	weight := 1 / float64(len(batch))
	for len(batch) > 0 {
		few := min(slab, len(batch))
		for k, j := range batch[:few] {
			s.rows[k] = p.groups[i][j]
		}
		batch = batch[few:]
		p.net.addSlab(dst, s, x, p.table, s.rows[:few], 0, weight)
	}
}

// AddMeanDifference adds the mean of ∇f_ij(x) − ∇f_ij(y) over j in batch to dst.
func (p *Federated) AddMeanDifference(dst, x, y []float64, i int, batch []int) {
	d := p.difference(dst, 1, x, y)
	defer d.end()
	for _, j := range batch {
		d.add(p.groups[i][j], 1/float64(len(batch)))
	}
}
