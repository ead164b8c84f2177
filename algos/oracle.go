package algos

import (
	"fmt"

	"sledge/props/keyed"
)

// Counts is what an oracle has been asked for so far. One stochastic gradient is one component (datum) gradient at one point.
type Counts struct {
	Gradients int64 // stochastic gradient count
	Calls     int64 // oracle calls, a batch being one call
	Full      int64 // full gradients among them (each counted as n gradients)
	Values    int64 // component function values (an evaluation of f counts n)
	Rounds    int64 // communication rounds (federated)
	Down, Up  int64 // d-dimensional vectors sent from the server and to the server or between clients (federated)
	FullSync  int64 // rounds in which all clients took part (federated)
}

// Oracle gives a finite-sum method its gradients and counts them.
type Oracle struct {
	problem FiniteSum
	batch   BatchGradienter
	full    FullGradienter
	n, d    int
	counts  Counts
	per     []int64
	tremor  keyed.Tremor // of the gradients, in a second arithmetic
}

// NewOracle returns a metered oracle for the problem.
func NewOracle(p FiniteSum) *Oracle {
	o := &Oracle{problem: p, n: p.Components(), d: p.Dim()}
	if o.n < 1 || o.d < 1 {
		panic(fmt.Sprintf("algos: problem with %d components in dimension %d", o.n, o.d))
	}
	o.batch, _ = p.(BatchGradienter)
	o.full, _ = p.(FullGradienter)
	o.per = make([]int64, o.n)
	return o
}

// Components returns n.
func (o *Oracle) Components() int { return o.n }

// Dim returns d.
func (o *Oracle) Dim() int { return o.d }

// Counts returns what has been asked for so far.
func (o *Oracle) Counts() Counts { return o.counts }

// ComponentCount returns how many gradients of component i have been asked for.
func (o *Oracle) ComponentCount(i int) int64 { return o.per[i] }

// Gradient sets dst to ∇f_i(x).
func (o *Oracle) Gradient(dst, x []float64, i int) {
	o.counts.Calls++
	o.one(dst, x, i)
}

func (o *Oracle) one(dst, x []float64, i int) {
	o.problem.Gradient(dst, x, i)
	o.tremor.Perturb(dst)
	o.counts.Gradients++
	o.per[i]++
}

// Batch sets row k of dst (length len(batch)*d) to the gradient of component batch[k] at x.
func (o *Oracle) Batch(dst, x []float64, batch []int) {
	o.counts.Calls++
	if o.batch == nil {
		for k, i := range batch {
			o.one(dst[k*o.d:(k+1)*o.d], x, i)
		}
		return
	}
	o.batch.BatchGradient(dst[:len(batch)*o.d], x, batch)
	o.tremor.Perturb(dst[:len(batch)*o.d])
	o.counts.Gradients += int64(len(batch))
	for _, i := range batch {
		o.per[i]++
	}
}

// Full sets dst to ∇f(x), counted as n gradients. scratch has length d.
func (o *Oracle) Full(dst, x, scratch []float64) {
	o.counts.Calls++
	o.counts.Full++
	if o.full != nil {
		o.full.FullGradient(dst, x)
		o.tremor.Perturb(dst)
		o.counts.Gradients += int64(o.n)
		for i := range o.per {
			o.per[i]++
		}
		return
	}
	clear(dst)
	for i := range o.n {
		o.one(scratch, x, i)
		add(dst, scratch)
	}
	scale(1/float64(o.n), dst)
}

// HasValues reports whether the problem can evaluate f.
func (o *Oracle) HasValues() bool {
	_, ok := o.problem.(Valuer)
	return ok
}

// Value returns f(x), counted as n component values. It panics if the problem cannot evaluate f; see HasValues.
func (o *Oracle) Value(x []float64) float64 {
	o.counts.Values += int64(o.n)
	return o.problem.(Valuer).Value(x)
}

// FederatedOracle gives a federated method its gradients, carries its messages, and counts both.
type FederatedOracle struct {
	problem Federated
	means   MeanGradienter
	P, d    int
	counts  Counts
	per     []int64
	tremor  keyed.Tremor // of the gradients, in a second arithmetic
}

// NewFederatedOracle returns a metered oracle for the problem.
func NewFederatedOracle(p Federated) *FederatedOracle {
	o := &FederatedOracle{problem: p, P: p.Clients(), d: p.Dim()}
	if o.P < 1 || o.d < 1 {
		panic(fmt.Sprintf("algos: federated problem with %d clients in dimension %d", o.P, o.d))
	}
	o.means, _ = p.(MeanGradienter)
	o.per = make([]int64, o.P)
	return o
}

// Clients returns P.
func (o *FederatedOracle) Clients() int { return o.P }

// ClientSize returns the number of data points of client i.
func (o *FederatedOracle) ClientSize(i int) int { return o.problem.ClientSize(i) }

// Dim returns d.
func (o *FederatedOracle) Dim() int { return o.d }

// Counts returns what has been asked for so far.
func (o *FederatedOracle) Counts() Counts { return o.counts }

// ClientCount returns how many data gradients client i has computed.
func (o *FederatedOracle) ClientCount(i int) int64 { return o.per[i] }

// Gradient sets dst to ∇f_ij(x).
func (o *FederatedOracle) Gradient(dst, x []float64, i, j int) {
	o.problem.Gradient(dst, x, i, j)
	o.tremor.Perturb(dst)
	o.counts.Calls++
	o.counts.Gradients++
	o.per[i]++
}

// Mean sets dst to the mean of ∇f_ij(x) over j in batch. scratch has length d.
func (o *FederatedOracle) Mean(dst, x []float64, i int, batch []int, scratch []float64) {
	if o.means != nil {
		o.means.MeanGradient(dst, x, i, batch)
	} else {
		clear(dst)
		for _, j := range batch {
			o.problem.Gradient(scratch, x, i, j)
			add(dst, scratch)
		}
		scale(1/float64(len(batch)), dst)
	}
	o.tremor.Perturb(dst)
	o.counts.Calls++
	o.counts.Gradients += int64(len(batch))
	o.per[i] += int64(len(batch))
}

// Local sets dst to ∇f_i(x), the mean over all data of client i. scratch has length d.
func (o *FederatedOracle) Local(dst, x []float64, i int, scratch []float64) {
	size := o.problem.ClientSize(i)
	if o.means != nil {
		o.means.MeanGradient(dst, x, i, nil)
	} else {
		clear(dst)
		for j := range size {
			o.problem.Gradient(scratch, x, i, j)
			add(dst, scratch)
		}
		scale(1/float64(size), dst)
	}
	o.tremor.Perturb(dst)
	o.counts.Calls++
	o.counts.Gradients += int64(size)
	o.per[i] += int64(size)
}

// Down counts vectors sent from the server to clients.
func (o *FederatedOracle) Down(vectors int) { o.counts.Down += int64(vectors) }

// Up counts vectors sent by clients, to the server or to other clients.
func (o *FederatedOracle) Up(vectors int) { o.counts.Up += int64(vectors) }

// Round counts a communication round with the given number of distinct participating clients.
func (o *FederatedOracle) Round(participants int) {
	o.counts.Rounds++
	if participants >= o.P {
		o.counts.FullSync++
	}
}
