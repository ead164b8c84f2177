package problems

import (
	"cmp"
	"math"
	"slices"

	"gonum.org/v1/gonum/blas/blas64"
)

// eigenSlack is the relative amount by which computed eigenvalues are moved outwards: about 450
// units of rounding, far above the backward error of the methods in the dimensions used here.
const eigenSlack = 1e-13

// maxJacobi is the dimension up to which Jacobi's method finds eigenvalues at least as fast as a
// tridiagonal method.
const maxJacobi = 4

// eigen computes eigenvalues of symmetric d×d matrices (row-major) in a reused workspace: by
// Jacobi's method, which is accurate for eigenvalues of very different sizes and has no special
// cases, and from a tridiagonal form where only the extreme ones are needed in high dimension.
type eigen struct {
	d                int
	a, v, b          []float64
	diag, side, work []float64
}

func newEigen(d int) *eigen {
	return &eigen{d: d, a: make([]float64, d*d), b: make([]float64, d*d)}
}

// rotate diagonalises e.a by plane rotations, and applies them to the rows of e.v if vectors is
// set. Entries of at most least are left where they are, which moves no eigenvalue by more than d
// times that.
func (e *eigen) rotate(vectors bool, least float64) {
	d, a := e.d, e.a
	for range 60 {
		done := true
		for p := range d {
			for q := p + 1; q < d; q++ {
				off := a[p*d+q]
				if math.Abs(off) <= least ||
					math.Abs(off) <= 1e-17*math.Sqrt(math.Abs(a[p*d+p]*a[q*d+q])) {
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

// extreme returns the larger of best and of a bound on the eigenvalues of a or, for sign = −1, of
// their negatives: exact for diagonal matrices, rounded up for others. Signs other than the first
// may ask for both.
func (e *eigen) extreme(best float64, a []float64, signs ...float64) float64 {
	diagonal := true
	for k, v := range a {
		diagonal = diagonal && (v == 0 || k/e.d == k%e.d)
	}
	copy(e.a, a)
	slack := 0.0
	if !diagonal {
		frob := blas64.Nrm2(blas64.Vector{N: len(a), Data: a, Inc: 1})
		slack = eigenSlack * frob
		if e.d > maxJacobi {
			e.reduce(frob)
			for _, sign := range signs {
				if top := e.top(sign, (best-slack)/frob); top > (best-slack)/frob {
					best = frob*top + slack
				}
			}
			return best
		}
		e.rotate(false, max(1e-300, 1e-16*frob))
	}
	for _, sign := range signs {
		for k := range e.d {
			best = max(best, sign*e.a[k*e.d+k]+slack)
		}
	}
	return best
}

// reduce brings e.a, divided by its Frobenius norm frob, to tridiagonal form by Householder's
// reflections, which move no eigenvalue: its diagonal is e.diag, the squares of the entries beside
// it are e.side. Entries that are nothing beside frob are dropped, first and last, because they
// split the matrix.
func (e *eigen) reduce(frob float64) {
	d, a := e.d, e.a
	if e.diag == nil {
		room := make([]float64, 4*d)
		e.diag, e.side, e.work = room[:d], room[d:2*d], room[2*d:]
	}
	for k, v := range a {
		if a[k] = v / frob; math.Abs(a[k]) < 1e-50 {
			a[k] = 0
		}
	}
	for k := range d - 1 {
		e.diag[k] = a[k*d+k]
		x := a[k*d+k+1 : (k+1)*d] // the reflection takes it to a multiple of its first entry
		rest, first := dot(x[1:], x[1:]), x[0]
		if e.side[k] = first*first + rest; e.side[k] <= 1e-32 {
			e.side[k] = 0
		}
		if rest == 0 {
			continue
		}
		x[0] = first + math.Copysign(math.Sqrt(first*first+rest), first)
		beta := 2 / (x[0]*x[0] + rest)
		m, v, w := len(x), e.work[:len(x)], e.work[d:d+len(x)]
		copy(v, x)
		along := 0.0
		for i := range m {
			from := (k+1+i)*d + k + 1
			w[i] = beta * dot(a[from:from+m], v)
			along += w[i] * v[i]
		}
		addScaled(w, -beta*along/2, v)
		for i := range m {
			from, vi, wi := (k+1+i)*d+k+1, v[i], w[i]
			row := a[from : from+m]
			for l, u := range v {
				row[l] -= vi*w[l] + wi*u
			}
		}
	}
	e.diag[d-1], e.side[d-1] = a[d*d-1], 0
}

// top returns the larger of best and of a bound on the largest eigenvalue of the tridiagonal matrix
// of [eigen.reduce] or, for sign = −1, of its negative. Laguerre's method falls to the largest zero
// of the characteristic polynomial of each part from above. That the pivots of what is left below
// the bound are all negative proves it, but for the rounding of the pivots.
func (e *eigen) top(sign, best float64) float64 {
	for from := 0; from < e.d; {
		upto := from + 1
		for e.side[upto-1] != 0 {
			upto++
		}
		diag, side := e.diag[from:upto], e.side[from:upto]
		from = upto
		x, before := math.Inf(-1), 0.0
		for i, v := range diag { // Gershgorin's discs
			after := math.Sqrt(side[i])
			x, before = max(x, sign*v+before+after), after
		}
		n := float64(len(diag))
		if len(diag) == 1 || x <= best {
			best = max(best, x)
			continue
		}
		if _, _, ok := pivots(diag, side, sign, best); ok {
			continue
		}
		for range 100 {
			g, h, ok := pivots(diag, side, sign, x)
			if !ok {
				break
			}
			step := n / (g + math.Sqrt(max(0, (n-1)*(n*h-g*g))))
			if x -= step; step <= 1e-15 {
				break
			}
		}
		for up := 1e-15; ; up *= 2 {
			if _, _, ok := pivots(diag, side, sign, x+up); ok {
				best = max(best, x+up)
				break
			}
		}
	}
	return best
}

// pivots returns the sums of 1/(x−λ) and of 1/(x−λ)² over the eigenvalues λ of a tridiagonal matrix
// times sign, and whether x is larger than all of them.
func pivots(diag, side []float64, sign, x float64) (g, h float64, below bool) {
	var q, first, second, e float64 // a pivot and its derivatives, relative to it
	q = 1
	for i, v := range diag {
		over := e / q
		now := sign*v - x - over
		if !(now < 0) {
			return 0, 0, false
		}
		inverse := 1 / now
		f := (over*first - 1) * inverse
		s := over * (second - 2*first*first) * inverse
		q, first, second, e = now, f, s, side[i]
		g += f
		h += f*f - s
	}
	return g, h, true
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
func (e *eigen) norm(a []float64) float64 { return e.extreme(0, a, 1, -1) }

// item is a family of symmetric matrices a + s·D, where D runs through all diagonal matrices with
// entries in [lo_k, hi_k].
type item struct {
	a []float64 // nil for zero
	s float64
}

// boxNorm returns the largest spectral norm of (p.a − q.a) + (p.s − q.s)·D, or best where that is
// larger. Since eigenvalues grow with D it is reached at the ends of the box. q may be the zero
// item.
func (e *eigen) boxNorm(best float64, p, q item, lo, hi []float64) float64 {
	s := p.s - q.s
	if lo == nil || s == 0 {
		return e.extreme(best, e.difference(p, q, 0, nil), 1, -1)
	}
	if s < 0 {
		lo, hi = hi, lo
	}
	best = e.extreme(best, e.difference(p, q, s, hi), 1)
	return e.extreme(best, e.difference(p, q, s, lo), -1)
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

// exceeds reports whether boxNorm may be larger than best, by two bounds that cost less: ‖M‖ ≤
// ‖M‖_F at the middle of the box, plus the radius of the box, and the pivots at its ends.
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
	if s == 0 {
		return !e.below(best, m, 1) || !e.below(best, m, -1)
	}
	if s < 0 {
		lo, hi = hi, lo
	}
	return !e.below(best, e.difference(p, q, s, hi), 1) ||
		!e.below(best, e.difference(p, q, s, lo), -1)
}

// below reports whether all eigenvalues of sign·m are less than best, by so much that
// [eigen.extreme] finds that, too: the pivots of a number less than best times the identity, less
// sign·m, are positive.
func (e *eigen) below(best float64, m []float64, sign float64) bool {
	d, a := e.d, e.a
	best -= 2 * eigenSlack * math.Sqrt(dot(m, m))
	for k, v := range m {
		a[k] = -sign * v
	}
	for k := range d {
		a[k*d+k] += best
	}
	for k := range d {
		row := a[k*d+k : (k+1)*d]
		if !(row[0] > 0) {
			return false
		}
		inverse := 1 / row[0]
		for i := 1; i < len(row); i++ {
			c, from := row[i]*inverse, (k+i)*d+k+i
			for l, v := range row[i:] {
				a[from+l] -= c * v
			}
		}
	}
	return true
}

// larger returns the larger of best and boxNorm, which it computes only where it may be the larger
// one.
func (e *eigen) larger(best float64, p, q item, lo, hi []float64) float64 {
	if !e.exceeds(p, q, lo, hi, best) {
		return best
	}
	return e.boxNorm(best, p, q, lo, hi)
}

// maxPairs is the number of pairs up to which the largest distance is searched exhaustively.
const maxPairs = 4 << 20

func allPairs(n int) bool { return n*(n-1)/2 <= maxPairs }

// diameter returns the largest boxNorm over all pairs of items, and whether it is exact. With too
// many items it is bounded by twice the largest distance from the centre.
func (e *eigen) diameter(items []item, lo, hi []float64, centre item) (float64, bool) {
	best := 0.0
	if !allPairs(len(items)) {
		for _, p := range items {
			best = max(best, 2*e.boxNorm(0, p, centre, lo, hi))
		}
		return best, false
	}
	far, order := make([]float64, len(items)), make([]int, len(items))
	for k, p := range items {
		far[k], order[k] = e.boxNorm(0, p, centre, lo, hi), k
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(far[j], far[i]) })
	for k, i := range order {
		// those that are far from the centre first: two near it are no farther apart
		for _, j := range order[:k] {
			if far[i]+far[j] <= best {
				break
			}
			best = e.larger(best, items[i], items[j], lo, hi)
		}
	}
	return best, true
}
