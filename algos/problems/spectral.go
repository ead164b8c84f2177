package problems

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas"
	"gonum.org/v1/gonum/blas/blas64"
	"gonum.org/v1/gonum/lapack"
	"gonum.org/v1/gonum/lapack/lapack64"
)

// eigenSlack is the relative amount by which computed eigenvalues are moved outwards: about 450 units of rounding, far
// above the backward error of the methods in the dimensions used here.
const eigenSlack = 1e-13

// maxJacobi is the dimension up to which Jacobi's method finds eigenvalues at least as fast as a tridiagonal method.
const maxJacobi = 4

// eigen computes eigenvalues of symmetric d×d matrices (row-major) in a reused workspace: by Jacobi's method, which is
// accurate for eigenvalues of very different sizes and has no special cases, and by LAPACK where only the extreme ones
// are needed in high dimension.
type eigen struct {
	d            int
	a, v, b      []float64
	work, values []float64
}

func newEigen(d int) *eigen {
	return &eigen{d: d, a: make([]float64, d*d), b: make([]float64, d*d)}
}

// rotate diagonalises e.a by plane rotations, and applies them to the rows of e.v if vectors is set. Entries of at most
// least are left where they are, which moves no eigenvalue by more than d times that.
func (e *eigen) rotate(vectors bool, least float64) {
	d, a := e.d, e.a
	for range 60 {
		done := true
		for p := range d {
			for q := p + 1; q < d; q++ {
				off := a[p*d+q]
				if math.Abs(off) <= least || math.Abs(off) <= 1e-17*math.Sqrt(math.Abs(a[p*d+p]*a[q*d+q])) {
					continue
				}
				done = false
				theta := (a[q*d+q] - a[p*d+p]) / (2 * off)
				t := math.Copysign(1/(math.Abs(theta)+math.Sqrt(1+theta*theta)), theta)
				c := 1 / math.Sqrt(1+t*t)
				s := t * c
				app, aqq := a[p*d+p]-t*off, a[q*d+q]+t*off
				turn(a[p*d:p*d+d], a[q*d:q*d+d], c, s)
				for k := range d {
					a[k*d+p], a[k*d+q] = a[p*d+k], a[q*d+k]
				}
				a[p*d+p], a[q*d+q], a[p*d+q], a[q*d+p] = app, aqq, 0, 0
				if vectors {
					turn(e.v[p*d:p*d+d], e.v[q*d:q*d+d], c, s)
				}
			}
		}
		if done {
			return
		}
	}
}

// turn rotates two rows.
func turn(x, y []float64, c, s float64) {
	for k, u := range x {
		v := y[k]
		x[k], y[k] = c*u-s*v, s*u+c*v
	}
}

// ends returns bounds on the smallest and largest eigenvalue of a: exact for diagonal matrices, rounded outwards for
// others.
func (e *eigen) ends(a []float64) (lo, hi float64) {
	copy(e.a, a)
	diagonal := true
	for k, v := range a {
		diagonal = diagonal && (v == 0 || k/e.d == k%e.d)
	}
	slack := 0.0
	if !diagonal {
		frob := blas64.Nrm2(blas64.Vector{N: len(a), Data: a, Inc: 1})
		slack = eigenSlack * frob
		if e.d > maxJacobi {
			lo, hi = e.tridiagonal(frob)
			return lo - slack, hi + slack
		}
		e.rotate(false, max(1e-300, 1e-16*frob))
	}
	lo, hi = math.Inf(1), math.Inf(-1)
	for k := range e.d {
		lo, hi = min(lo, e.a[k*e.d+k]), max(hi, e.a[k*e.d+k])
	}
	return lo - slack, hi + slack
}

// tridiagonal returns the extreme eigenvalues of e.a, of Frobenius norm frob, by LAPACK. Entries that are nothing
// beside frob are dropped first, because gonum's scaling of blocks of tiny numbers panics.
func (e *eigen) tridiagonal(frob float64) (lo, hi float64) {
	for k, v := range e.a {
		if e.a[k] = v / frob; math.Abs(e.a[k]) < 1e-50 {
			e.a[k] = 0
		}
	}
	a := blas64.Symmetric{N: e.d, Stride: e.d, Data: e.a, Uplo: blas.Upper}
	if e.work == nil {
		e.work, e.values = make([]float64, 34*e.d), make([]float64, e.d)
	}
	if !lapack64.Syev(lapack.EVNone, a, e.values, e.work, len(e.work)) {
		panic("problems: eigenvalue iteration did not converge")
	}
	return e.values[0] * frob, e.values[e.d-1] * frob
}

// decompose returns the eigenvalues of a in ascending order and, as rows, the eigenvectors.
func (e *eigen) decompose(a []float64) (values []float64, vectors [][]float64) {
	d := e.d
	copy(e.a, a)
	e.v = make([]float64, d*d)
	order := make([]int, d)
	for k := range d {
		e.v[k*d+k] = 1
		order[k] = k
	}
	e.rotate(true, 1e-300)
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(e.a[i*d+i], e.a[j*d+j]) })
	for _, k := range order {
		values = append(values, e.a[k*d+k])
		vectors = append(vectors, e.v[k*d:(k+1)*d])
	}
	return values, vectors
}

// norm returns the spectral norm of a.
func (e *eigen) norm(a []float64) float64 {
	lo, hi := e.ends(a)
	return max(hi, -lo)
}

// item is a family of symmetric matrices a + s·D, where D runs through all diagonal matrices with entries in [lo_k,
// hi_k].
type item struct {
	a []float64 // nil for zero
	s float64
}

// boxNorm returns the largest spectral norm of (p.a − q.a) + (p.s − q.s)·D. Since eigenvalues grow with D it is reached
// at the ends of the box. q may be the zero item.
func (e *eigen) boxNorm(p, q item, lo, hi []float64) float64 {
	s := p.s - q.s
	if lo == nil || s == 0 {
		return e.norm(e.difference(p, q, 0, nil))
	}
	if s < 0 {
		lo, hi = hi, lo
	}
	low, _ := e.ends(e.difference(p, q, s, lo))
	_, high := e.ends(e.difference(p, q, s, hi))
	return max(high, -low)
}

func (e *eigen) difference(p, q item, s float64, diag []float64) []float64 {
	switch {
	case p.a != nil && q.a != nil:
		b, u := e.b[:len(p.a)], q.a[:len(p.a)]
		for k, v := range p.a {
			b[k] = v - u[k]
		}
	case p.a != nil:
		copy(e.b, p.a)
	default:
		clear(e.b)
		for k, v := range q.a {
			e.b[k] -= v
		}
	}
	for k, v := range diag {
		e.b[k*e.d+k] += s * v
	}
	return e.b
}

// exceeds reports whether boxNorm may be larger than best, by two bounds that cost less: ‖M‖ ≤ ‖M‖_F and ‖M‖ ≤ ‖M²‖_F^½
// at the middle of the box, plus the radius of the box.
func (e *eigen) exceeds(p, q item, lo, hi []float64, best float64) bool {
	d, s, radius := e.d, p.s-q.s, 0.0
	m := e.difference(p, q, 0, nil)
	if s != 0 {
		for k := range lo {
			m[k*d+k] += s * (lo[k] + hi[k]) / 2
			radius = max(radius, math.Abs(s)*(hi[k]-lo[k])/2)
		}
	}
	if math.Sqrt(dot(m, m))+radius <= best {
		return false
	}
	sum := 0.0
	for r := range d {
		row := m[r*d : (r+1)*d]
		for c := range r + 1 {
			v := dot(row, m[c*d:(c+1)*d])
			if sum += v * v; c < r {
				sum += v * v
			}
		}
		if math.Sqrt(math.Sqrt(sum))+radius > best {
			return true
		}
	}
	return false
}

// larger returns the larger of best and boxNorm, which it computes only where it may be the larger one.
func (e *eigen) larger(best float64, p, q item, lo, hi []float64) float64 {
	if !e.exceeds(p, q, lo, hi, best) {
		return best
	}
	return max(best, e.boxNorm(p, q, lo, hi))
}

// maxPairs is the number of pairs up to which the largest distance is searched exhaustively.
const maxPairs = 4 << 20

// diameter returns the largest boxNorm over all pairs of items, and whether it is exact. With too many items it is
// bounded by twice the largest distance from the centre.
func (e *eigen) diameter(items []item, lo, hi []float64, centre item) (float64, bool) {
	best := 0.0
	if len(items)*(len(items)-1)/2 > maxPairs {
		for _, p := range items {
			best = max(best, 2*e.boxNorm(p, centre, lo, hi))
		}
		return best, false
	}
	for k, p := range items {
		for _, q := range items[:k] {
			best = e.larger(best, p, q, lo, hi)
		}
	}
	return best, true
}
