package algos

import (
	"fmt"

	"sledge/props/keyed"
)

// Counts is what an oracle has been asked for so far. One stochastic gradient is the gradient of
// one datum at one point.
type Counts struct {
	Gradients int64 // stochastic gradient count
	Calls     int64 // oracle calls, a batch being one call
	Full      int64 // full gradients among them (each counted as the gradients of all data)
	Values    int64 // values of single data (an evaluation of f counts all of them)
	Rounds    int64 // communication rounds
	// d-dimensional vectors sent from the server and to the server or between clients
	Down, Up int64
	FullSync int64 // rounds in which all clients took part
}

// Oracle gives a method its gradients, carries the messages of a federated one, and counts both.
//
// Batch and Full serve methods for finite sums, whose components are the clients: one that holds
// several data gives its mean gradient, which costs as many gradients as it has data. Datum, Mean
// and Local serve federated methods, and Down, Up and Round count what those send.
type Oracle struct {
	problem     Problem
	sum         FiniteSum // what the problem is a view of; nil if it is none
	batch       BatchGradienter
	differ      BatchDifferencer
	differMeans MeanDifferencer
	means       MeanGradienter
	pairs       PairGradienter
	full        FullGradienter
	linear      Linear // nil if the problem is no linear model
	n, d        int
	counts      Counts
	per         []int64      // gradients of each client, nil if they are not counted
	scratch     []float64    // for the means of clients as components; nil for a finite sum
	tremor      keyed.Tremor // of the gradients, in a second arithmetic
}

// NewOracle returns a metered oracle for the problem. It panics for a problem without clients or
// dimension.
func NewOracle(p Problem) *Oracle {
	o := &Oracle{n: p.Clients(), d: p.Dim()}
	if o.n < 1 || o.d < 1 {
		panic(fmt.Sprintf("algos: problem with %d clients in dimension %d", o.n, o.d))
	}
	p = Recall(p)
	o.problem = p
	o.batch, _ = As[BatchGradienter](p)
	o.differ, _ = As[BatchDifferencer](p)
	o.differMeans, _ = As[MeanDifferencer](p)
	o.means, _ = As[MeanGradienter](p)
	o.pairs, _ = As[PairGradienter](p)
	o.full, _ = As[FullGradienter](p)
	if s, ok := p.(sum); ok {
		o.sum = s.FiniteSum
		if m, ok := s.FiniteSum.(LinearModeler); ok {
			o.linear = m.Linear()
		}
	} else {
		o.scratch = make([]float64, o.d)
	}
	return o
}

// CountEach makes the oracle count the gradients of each client from now on; see [Oracle.Count].
func (o *Oracle) CountEach() { o.per = make([]int64, o.n) }

// Components returns n, the number of components, which are the clients.
func (o *Oracle) Components() int { return o.n }

// Clients returns P, the number of clients.
func (o *Oracle) Clients() int { return o.n }

// Size returns the number of data of client i.
func (o *Oracle) Size(i int) int {
	if o.sum != nil {
		return 1
	}
	return o.problem.Size(i)
}

// Dim returns d.
func (o *Oracle) Dim() int { return o.d }

// Counts returns what has been asked for so far.
func (o *Oracle) Counts() Counts { return o.counts }

// Count returns how many gradients of client (component) i have been asked for since
// [Oracle.CountEach], without which it panics.
func (o *Oracle) Count(i int) int64 { return o.per[i] }

// Gradient sets dst to ∇f_i(x).
func (o *Oracle) Gradient(dst, x []float64, i int) {
	o.counts.Calls++
	o.component(dst, x, i)
}

func (o *Oracle) component(dst, x []float64, i int) {
	if o.sum == nil {
		o.mean(dst, x, i, nil, o.scratch)
		return
	}
	o.sum.Gradient(dst, x, i)
	o.tremor.Perturb(dst)
	o.took(i, 1)
}

// Batch sets row k of dst (length len(batch)*d) to the gradient of component batch[k] at x.
func (o *Oracle) Batch(dst, x []float64, batch []int) {
	o.counts.Calls++
	if o.batch == nil {
		for k, i := range batch {
			o.component(dst[k*o.d:(k+1)*o.d], x, i)
		}
		return
	}
	o.batch.BatchGradient(dst[:len(batch)*o.d], x, batch)
	o.tremor.Perturb(dst[:len(batch)*o.d])
	o.tookAll(batch, 1)
}

// tookAll counts gradients of components at so many points.
func (o *Oracle) tookAll(batch []int, points int) {
	if o.sum != nil && o.per == nil { // one datum each
		o.counts.Gradients += int64(points * len(batch))
		return
	}
	for _, i := range batch {
		o.took(i, points*o.Size(i))
	}
}

// addDifference adds c times the mean difference of the gradients of a batch between x and y to
// dst, which counts as two calls of Batch, if the problem has a way to do that at once; gradients
// that are perturbed are computed one by one.
func (o *Oracle) addDifference(dst []float64, c float64, x, y []float64, batch []int) bool {
	if o.differ == nil || o.tremor.Active() {
		return false
	}
	o.counts.Calls += 2
	o.differ.AddBatchDifference(dst, c, x, y, batch)
	o.tookAll(batch, 2)
	return true
}

// Full sets dst to ∇f(x), counted as the gradients of all data. scratch has length d.
func (o *Oracle) Full(dst, x, scratch []float64) {
	o.counts.Calls++
	o.counts.Full++
	if o.full != nil {
		o.full.FullGradient(dst, x)
		o.tremor.Perturb(dst)
		for i := range o.n {
			o.took(i, o.Size(i))
		}
		return
	}
	clear(dst)
	for i := range o.n {
		o.component(scratch, x, i)
		add(dst, scratch)
	}
	scale(1/float64(o.n), dst)
}

// HasValues reports whether the problem can evaluate f.
func (o *Oracle) HasValues() bool {
	_, ok := As[Valuer](o.problem)
	return ok
}

// Value returns f(x), counted as the values of all data. It panics if the problem cannot evaluate
// f; see HasValues.
func (o *Oracle) Value(x []float64) float64 {
	for i := range o.n {
		o.counts.Values += int64(o.Size(i))
	}
	v, _ := As[Valuer](o.problem)
	return v.Value(x)
}

// Datum sets dst to ∇f_ij(x).
func (o *Oracle) Datum(dst, x []float64, i, j int) {
	o.problem.Gradient(dst, x, i, j)
	o.tremor.Perturb(dst)
	o.counts.Calls++
	o.took(i, 1)
}

// Mean sets dst to the mean of ∇f_ij(x) over j in batch, which is not empty. scratch has length d.
func (o *Oracle) Mean(dst, x []float64, i int, batch []int, scratch []float64) {
	o.counts.Calls++
	o.mean(dst, x, i, batch, scratch)
}

// Means is Mean at two points on the same data: now at x and before at y. It counts as many
// gradients as two calls.
func (o *Oracle) Means(now, before, x, y []float64, i int, batch []int, scratch []float64) {
	o.counts.Calls += 2
	if o.pairs == nil {
		o.mean(now, x, i, batch, scratch)
		o.mean(before, y, i, batch, scratch)
		return
	}
	o.pairs.MeanGradients(now, before, x, y, i, batch)
	o.tremor.Perturb(now)
	o.tremor.Perturb(before)
	o.took(i, 2*len(batch))
}

// addMeanDifference is addDifference for a batch of data of client i, which counts as Means does.
func (o *Oracle) addMeanDifference(dst, x, y []float64, i int, batch []int) bool {
	if o.differMeans == nil || o.tremor.Active() {
		return false
	}
	o.counts.Calls += 2
	o.differMeans.AddMeanDifference(dst, x, y, i, batch)
	o.took(i, 2*len(batch))
	return true
}

// Local sets dst to ∇f_i(x), the mean over all data of client i. scratch has length d.
func (o *Oracle) Local(dst, x []float64, i int, scratch []float64) {
	o.counts.Calls++
	o.mean(dst, x, i, nil, scratch)
}

// mean serves Mean, and Local with a nil batch.
func (o *Oracle) mean(dst, x []float64, i int, batch []int, scratch []float64) {
	m := len(batch)
	if batch == nil {
		m = o.Size(i)
	}
	switch {
	case o.means != nil:
		o.means.MeanGradient(dst, x, i, batch)
	case m == 1:
		o.problem.Gradient(dst, x, i, at(batch, 0))
		for l := range dst {
			dst[l] += 0 // of which the sum is made: it has no −0
		}
	default:
		clear(dst)
		for k := range m {
			o.problem.Gradient(scratch, x, i, at(batch, k))
			add(dst, scratch)
		}
		scale(1/float64(m), dst)
	}
	o.tremor.Perturb(dst)
	o.took(i, m)
}

// at returns the number of the k-th datum of a batch, or of all data for nil.
func at(batch []int, k int) int {
	if batch == nil {
		return k
	}
	return batch[k]
}

// took counts gradients of client i.
func (o *Oracle) took(i, gradients int) {
	o.counts.Gradients += int64(gradients)
	if o.per != nil {
		o.per[i] += int64(gradients)
	}
}

// Down counts vectors sent from the server to clients.
func (o *Oracle) Down(vectors int) { o.counts.Down += int64(vectors) }

// Up counts vectors sent by clients, to the server or to other clients.
func (o *Oracle) Up(vectors int) { o.counts.Up += int64(vectors) }

// Round counts a communication round with the given number of distinct participating clients.
func (o *Oracle) Round(participants int) {
	o.counts.Rounds++
	if participants >= o.n {
		o.counts.FullSync++
	}
}
