package problems

import (
	"sync"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
)

// gatherFrom is the length from which rows are copied into a matrix before they are used.
const gatherFrom = 64

// together is about how many entries of rows are gathered: fewer than a cache of the second level
// holds.
const together = 1 << 15

// gathered are rows that are used together: as a matrix, and the slopes of their losses at two
// points.
type gathered struct{ rows, now, before []float64 }

var gatherings = sync.Pool{New: func() any { return new(gathered) }}

// gather copies some rows of client i. It reads all of them without waiting for one, and what
// follows then finds them near by, in the order in which it needs them.
func (g *gathered) gather(p *linear, i int, some []int) blas64.General {
	if room := len(some) * p.d; len(g.rows) < room {
		g.rows = make([]float64, room)
	}
	if len(g.now) < len(some) {
		g.now, g.before = make([]float64, len(some)), make([]float64, len(some))
	}
	for k, j := range some {
		_, row := p.Row(p.off[i] + j)
		copy(g.rows[k*p.d:(k+1)*p.d], row)
	}
	return blas64.General{Rows: len(some), Cols: p.d, Stride: p.d, Data: g.rows}
}

// addMeans adds the mean gradients of the losses of a batch at x to now and at y to before, for
// dense rows, of which four pass through the processor at a time.
func (p *linear) addMeans(now, before, x, y []float64, i int, batch []int) {
	g := gatherings.Get().(*gathered)
	defer gatherings.Put(g)
	vector := func(v []float64) blas64.Vector { return blas64.Vector{N: len(v), Data: v, Inc: 1} }
	w := 1 / float64(len(batch))
	for most := max(4, together/p.d); len(batch) > 0; {
		some := batch[:min(most, len(batch))]
		batch = batch[len(some):]
		a := g.gather(p, i, some)
		u, v := vector(g.now[:len(some)]), vector(g.before[:len(some)])
		blas64.Gemv(blas.NoTrans, 1, a, vector(x), 0, u)
		blas64.Gemv(blas.NoTrans, 1, a, vector(y), 0, v)
		for k, j := range some {
			u.Data[k] = w * p.Slope(p.off[i]+j, u.Data[k])
			v.Data[k] = w * p.Slope(p.off[i]+j, v.Data[k])
		}
		blas64.Gemv(blas.Trans, 1, a, u, 1, vector(now))
		blas64.Gemv(blas.Trans, 1, a, v, 1, vector(before))
	}
}
