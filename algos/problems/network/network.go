// Package network holds the neural networks of the paper's experiments: fully connected classifiers
// of any depth whose weights are the variable x, and the finite-sum and federated objectives that
// training them poses. Their smoothness constants are not certified.
//
// Products of matrices are gonum's, which need nothing but Go. With cgo, the build tag openblas and
// the library installed (Debian: libopenblas-dev) they are OpenBLAS's, which takes less than half
// the time and rounds differently.
package network

import (
	"fmt"
	"math"
	"math/rand/v2"
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
)

// Activation is the function between layers. All are smooth, as the assumptions of the paper want.
type Activation uint8

// The activations.
const (
	Softplus Activation = iota // log(1 + eᶻ)
	Tanh
	SiLU // z/(1 + e⁻ᶻ)
)

func (a Activation) String() string { return [...]string{"softplus", "tanh", "SiLU"}[a] }

// apply replaces z by its images and sets slope to the derivatives.
func (a Activation) apply(z, slope []float64) {
	switch a {
	case Softplus:
		softplus(z, slope)
	case Tanh:
		for k, v := range z { // twice as fast as math.Tanh, with the same absolute accuracy
			e := math.Exp(-2 * math.Abs(v))
			y := (1 - e) / (1 + e)
			if v < 0 {
				y = -y
			}
			z[k], slope[k] = y, 1-y*y
		}
	case SiLU:
		for k, v := range z {
			s := logistic(v, math.Exp(-math.Abs(v)))
			z[k], slope[k] = v*s, s*(1+v*(1-s))
		}
	}
}

// logistic returns 1/(1 + e⁻ᵛ), given e = exp(−|v|).
func logistic(v, e float64) float64 {
	if v >= 0 {
		return 1 / (1 + e)
	}
	return e / (1 + e)
}

// Network is a fully connected classifier: layers z = Wᵀa + b with an activation between them, and
// the softmax of the last one. It holds no weights; they are passed as one vector x of length Dim:
// for each layer its matrix, one row for each input, then its bias. A Network is safe for
// concurrent use.
type Network struct {
	widths     []int
	activation Activation
	weights    []int // start of every layer's matrix in x; then Dim
	spaces     sync.Pool
}

// New returns a network with the given number of inputs, widths of the hidden layers (none: a
// linear softmax classifier) and classes. "A four-layer network" of the paper has three hidden
// layers.
func New(inputs int, hidden []int, classes int, a Activation) (*Network, error) {
	n := &Network{widths: append(append([]int{inputs}, hidden...), classes), activation: a,
		weights: []int{0}}
	if a > SiLU {
		return nil, fmt.Errorf("network: unknown activation %d", a)
	}
	for l, w := range n.widths {
		if w < 1 {
			return nil, fmt.Errorf("network: layer %d of width %d, want at least 1", l, w)
		}
		if l > 0 {
			n.weights = append(n.weights, n.weights[l-1]+(n.widths[l-1]+1)*w)
		}
	}
	n.spaces.New = func() any { return n.newSpace() }
	return n, nil
}

// Dim returns the number of weights.
func (n *Network) Dim() int { return n.weights[len(n.weights)-1] }

// Widths returns the number of inputs, the widths of the hidden layers and the number of classes.
func (n *Network) Widths() []int { return append([]int(nil), n.widths...) }

// Initial draws weights uniform within ±√(6/(inputs + outputs)) of each layer, with zero biases. X.
// Glorot and Y. Bengio, Understanding the difficulty of training deep feedforward neural networks,
// AISTATS 2010, equation 16.
func (n *Network) Initial(r *rand.Rand) []float64 {
	x := make([]float64, n.Dim())
	for l := range n.layers() {
		in, out := n.widths[l], n.widths[l+1]
		limit := math.Sqrt(6 / float64(in+out))
		for k := range in * out {
			x[n.weights[l]+k] = limit * (2*r.Float64() - 1)
		}
	}
	return x
}

func (n *Network) layers() int { return len(n.widths) - 1 }

// matrix returns the view of layer l's matrix in a vector of weights, and its bias.
func (n *Network) matrix(x []float64, l int) (w blas64.General, bias []float64) {
	in, out, at := n.widths[l], n.widths[l+1], n.weights[l]
	return blas64.General{Rows: in, Cols: out, Stride: out,
		Data: x[at : at+in*out]}, x[at+in*out : n.weights[l+1]]
}

// space is what one pass needs.
type space struct {
	inputs blas64.General
	// of every layer, slab rows each; of layer 0 only copies of inputs, once there are any
	value, slope, delta [][]float64
	class               []int // of every row
	rows                []int // room for a list of rows, and for their weights
	weights             []float64
}

func (n *Network) newSpace() *space {
	s := &space{class: make([]int, slab), rows: make([]int, slab), weights: make([]float64, slab)}
	s.value, s.slope, s.delta = [][]float64{nil}, [][]float64{nil}, [][]float64{nil}
	for _, w := range n.widths[1:] {
		s.value = append(s.value, make([]float64, slab*w))
		s.slope = append(s.slope, make([]float64, slab*w))
		s.delta = append(s.delta, make([]float64, slab*w))
	}
	return s
}

// general views some rows of a slab of layer l as a matrix.
func (n *Network) general(data []float64, l, first, rows int) blas64.General {
	w := n.widths[l]
	return blas64.General{Rows: rows, Cols: w, Stride: w, Data: data[first*w : (first+rows)*w]}
}

// gather finds the inputs and the classes of at most slab rows of the table: where they stand, if
// one follows the other, and otherwise copies of them.
func (s *space) gather(t *problems.Table, rows []int) {
	together := true
	for k, r := range rows {
		s.class[k] = int(t.Target[r])
		together = together && r == rows[0]+k
	}
	s.inputs = blas64.General{Rows: len(rows), Cols: t.Width, Stride: t.Width}
	if together {
		s.inputs.Data = t.Value[t.Start[rows[0]]:]
		return
	}
	if s.value[0] == nil {
		s.value[0] = make([]float64, slab*t.Width)
	}
	s.inputs.Data = s.value[0]
	for k, r := range rows {
		_, v := t.Row(r)
		copy(s.value[0][k*len(v):], v)
	}
}

// forward computes the outputs of the network, before the softmax, for the inputs that were
// gathered. What it leaves behind stands in the slabs from row first on.
func (n *Network) forward(s *space, x []float64, first int) blas64.General {
	a, last := s.inputs, n.layers()
	for l := range last {
		w, bias := n.matrix(x, l)
		z := n.general(s.value[l+1], l+1, first, a.Rows)
		for k := range z.Rows {
			copy(z.Data[k*z.Stride:], bias)
		}
		gemm(blas.NoTrans, blas.NoTrans, a, w, 1, z)
		if l+1 < last {
			n.activation.apply(z.Data, n.general(s.slope[l+1], l+1, first, a.Rows).Data)
		}
		a = z
	}
	return a
}

// entropy returns the cross-entropy −log softmax(z)_class of one row of outputs and, if delta is
// not nil, sets it to the derivative.
func entropy(z []float64, class int, delta []float64) float64 {
	top := floats.Max(z)
	sum := 0.0
	for k, v := range z {
		e := math.Exp(v - top)
		sum += e
		if delta != nil {
			delta[k] = e
		}
	}
	if delta != nil {
		floats.Scale(1/sum, delta)
		delta[class]--
	}
	return top + math.Log(sum) - z[class]
}

// backward computes the derivatives of the cross-entropies by the outputs of every layer before its
// activation, for the inputs that were gathered, each times c and the weight of its row; see
// forward. It adds the cross-entropies, each times its weight, to loss.
func (n *Network) backward(s *space, x []float64, first int, c float64, loss float64,
	weights ...float64) float64 {
	last, rows := n.layers(), s.inputs.Rows
	z, d := n.forward(s, x, first), n.general(s.delta[last], last, first, rows)
	for k := range rows {
		delta := d.Data[k*d.Stride : (k+1)*d.Stride]
		weight := weights[min(k, len(weights)-1)]
		loss += weight * entropy(z.Data[k*z.Stride:(k+1)*z.Stride], s.class[k], delta)
		floats.Scale(c*weight, delta)
	}
	for l := last - 1; l > 0; l-- {
		w, _ := n.matrix(x, l)
		below := n.general(s.delta[l], l, first, rows)
		gemm(blas.NoTrans, blas.Trans, d, w, 0, below)
		floats.Mul(below.Data, n.general(s.slope[l], l, first, rows).Data)
		d = below
	}
	return loss
}

// addWeights adds the derivatives by the weights to dst, as a sum over what backward has left in
// the given number of rows. Where these belong to two points, the inputs are the same for both,
// and one product does.
func (n *Network) addWeights(dst []float64, s *space, rows int) {
	for l := n.layers() - 1; l >= 0; l-- {
		a, d := s.inputs, n.general(s.delta[l+1], l+1, 0, rows)
		if l > 0 {
			a = n.general(s.value[l], l, 0, rows)
		} else if rows > a.Rows {
			second := n.general(s.delta[1], 1, a.Rows, a.Rows)
			d = n.general(s.delta[1], 1, 0, a.Rows)
			floats.Add(d.Data, second.Data)
		}
		dw, dbias := n.matrix(dst, l)
		gemm(blas.Trans, blas.NoTrans, a, d, 1, dw)
		for k := range d.Rows {
			floats.Add(dbias, d.Data[k*d.Stride:(k+1)*d.Stride])
		}
	}
}

// addSlab adds the gradients of the cross-entropies of at most slab rows to dst, and these to loss;
// see addGradient.
func (n *Network) addSlab(dst []float64, s *space, x []float64, t *problems.Table, rows []int,
	loss float64, weights ...float64) float64 {
	s.gather(t, rows)
	loss = n.backward(s, x, 0, 1, loss, weights...)
	n.addWeights(dst, s, len(rows))
	return loss
}

// addDifference adds the gradients of the cross-entropies of at most slab/2 rows at x, less those
// at y, to dst; see addGradient.
func (n *Network) addDifference(dst []float64, s *space, x, y []float64, t *problems.Table,
	rows []int, weights ...float64) {
	s.gather(t, rows)
	n.backward(s, x, 0, 1, 0, weights...)
	n.backward(s, y, len(rows), -1, 0, weights...)
	n.addWeights(dst, s, 2*len(rows))
}

// addGradient adds the gradients of the cross-entropies of the rows to dst, each times its weight,
// and returns the sum of these; a single weight is that of all rows.
func (n *Network) addGradient(dst, x []float64, t *problems.Table, rows []int,
	weights ...float64) (loss float64) {
	s := n.spaces.Get().(*space)
	defer n.spaces.Put(s)
	for len(rows) > 0 {
		part := rows[:min(slab, len(rows))]
		rows = rows[len(part):]
		loss = n.addSlab(dst, s, x, t, part, loss, weights...)
		if len(weights) > 1 {
			weights = weights[len(part):]
		}
	}
	return loss
}

// sumLoss returns the sum of the cross-entropies of the rows, each times its weight, and how many
// of them are classified correctly. A single weight is that of all rows.
func (n *Network) sumLoss(x []float64, t *problems.Table, rows []int,
	weights ...float64) (loss float64, correct int) {
	s := n.spaces.Get().(*space)
	defer n.spaces.Put(s)
	classes := n.widths[n.layers()]
	for len(rows) > 0 {
		part := rows[:min(slab, len(rows))]
		rows = rows[len(part):]
		s.gather(t, part)
		z := n.forward(s, x, 0)
		for k := range part {
			row := z.Data[k*classes : (k+1)*classes]
			loss += weights[min(k, len(weights)-1)] * entropy(row, s.class[k], nil)
			if floats.MaxIdx(row) == s.class[k] {
				correct++
			}
		}
		if len(weights) > 1 {
			weights = weights[len(part):]
		}
	}
	return loss, correct
}

// Evaluate returns the mean cross-entropy (without regulariser) and the share of correct
// classifications over the given rows, at least one, of a table that fits the network; see
// [Network.Fits].
func (n *Network) Evaluate(x []float64, t *problems.Table, rows []int) (loss, accuracy float64) {
	loss, correct := n.sumLoss(x, t, rows, 1/float64(len(rows)))
	return loss, float64(correct) / float64(len(rows))
}

// Fits reports why the network cannot classify the examples of a table: it wants dense rows, as
// wide as its input, with classes as targets.
func (n *Network) Fits(t *problems.Table) error {
	switch classes := n.widths[n.layers()]; {
	case t.Column != nil:
		return fmt.Errorf("network: the table is sparse")
	case t.Width != n.widths[0]:
		return fmt.Errorf("network: examples with %d features for a network with %d inputs",
			t.Width, n.widths[0])
	case len(t.Classes) != classes:
		return fmt.Errorf("network: examples of %d classes for a network with %d outputs",
			len(t.Classes), classes)
	}
	return nil
}
