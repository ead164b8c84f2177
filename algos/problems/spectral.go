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
	frob := e.prepare(a, norm2(a))
	for _, sign := range signs {
		best = e.end(best, frob, sign, 1e-15)
	}
	return best
}

func norm2(v []float64) float64 {
	return blas64.Nrm2(blas64.Vector{N: len(v), Data: v, Inc: 1})
}

// prepare brings a, of the given Frobenius norm, to the form from which [eigen.end] reads the ends
// of its spectrum, and returns the norm, but 0 for diagonal matrices.
func (e *eigen) prepare(a []float64, frob float64) float64 {
	copy(e.a, a)
	if e.isDiagonal(a) {
		return 0
	}
	if e.d > maxJacobi {
		e.reduce(frob)
	} else {
		e.rotate(false, max(1e-300, 1e-16*frob))
	}
	return frob
}

func (e *eigen) isDiagonal(a []float64) bool {
	for i := range e.d {
		for _, v := range a[i*e.d : i*e.d+i] {
			if v != 0 {
				return false
			}
		}
		for _, v := range a[i*e.d+i+1 : (i+1)*e.d] {
			if v != 0 {
				return false
			}
		}
	}
	return true
}

// end returns the larger of best and of a bound on the eigenvalues of the matrix that is prepared,
// of the given norm, or on those of its negative: as close as the last step of a method that
// converges cubically is short, relative to the norm.
func (e *eigen) end(best, frob, sign, step float64) float64 {
	slack := eigenSlack * frob
	if frob > 0 && e.d > maxJacobi {
		if top := e.top(sign, (best-slack)/frob, step); top > (best-slack)/frob {
			best = frob*top + slack
		}
		return best
	}
	for k := range e.d {
		best = max(best, sign*e.a[k*e.d+k]+slack)
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
		v, w := e.work[:len(x)], e.work[d:][:len(x)]
		copy(v, x)
		along := 0.0
		for i, u := range v {
			row := a[(k+1+i)*d+k+1:][:len(v)]
			w[i] = beta * dot(row, v)
			along += w[i] * u
		}
		addScaled(w, -beta*along/2, v)
		for i, vi := range v {
			row, wi := a[(k+1+i)*d+k+1:][:len(v)], w[i]
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
// the bound are all negative proves it, but for the rounding of the pivots. It ends with a step
// that is so short as the last one.
func (e *eigen) top(sign, best, last float64) float64 {
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
			if x -= step; step <= last {
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

// ends returns bounds on the largest eigenvalue of (p.a − q.a) + (p.s − q.s)·D and of its negative
// over all D of the box, good to about a hundredth. Since eigenvalues grow with D they are
// reached at its ends. q may be the zero item.
func (e *eigen) ends(p, q item, lo, hi []float64) (up, down float64) {
	none, step := math.Inf(-1), 0.1
	m := e.difference(p, q, lo, hi, 1)
	frob := e.prepare(m, frobenius(m))
	up = e.end(none, frob, 1, step)
	if lo != nil && p.s != q.s {
		m = e.difference(p, q, lo, hi, -1)
		frob = e.prepare(m, frobenius(m))
	}
	return up, e.end(none, frob, -1, step)
}

// larger returns the larger of best and of the largest spectral norm of (p.a − q.a) + (p.s −
// q.s)·D.
func (e *eigen) larger(best float64, p, q item, lo, hi []float64) float64 {
	return e.reach(e.reach(best, p, q, lo, hi, 1), p, q, lo, hi, -1)
}

// reach returns the larger of best and of the largest eigenvalue of (p.a − q.a) + (p.s − q.s)·D or,
// for sign = −1, of its negative, which it computes only where that may be the larger one by two
// bounds that cost less: the Frobenius norm and the signs of pivots.
func (e *eigen) reach(best float64, p, q item, lo, hi []float64, sign float64) float64 {
	m := e.difference(p, q, lo, hi, sign)
	frob := frobenius(m)
	if frob <= best || e.below(best, m, frob, sign) {
		return best
	}
	return e.extreme(best, m, sign)
}

// difference returns the matrix at the end of the box at which its eigenvalues, or those of its
// negative, are largest.
func (e *eigen) difference(p, q item, lo, hi []float64, sign float64) []float64 {
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
	s := p.s - q.s
	if s == 0 {
		return e.b
	}
	end := hi
	if s < 0 != (sign < 0) {
		end = lo
	}
	for k, v := range end {
		e.b[k*e.d+k] += s * v
	}
	return e.b
}

// below reports whether all eigenvalues of sign·m are less than best, by so much that
// [eigen.extreme] finds that, too: the pivots of a number less than best times the identity, less
// sign·m, are positive. frob is the Frobenius norm of m.
func (e *eigen) below(best float64, m []float64, frob, sign float64) bool {
	d, a := e.d, e.a
	best -= 2 * eigenSlack * frob
	for k := range d {
		row, from := a[k*d+k:(k+1)*d], m[k*d+k:(k+1)*d]
		for l, v := range from[:len(row)] {
			row[l] = -sign * v
		}
		row[0] += best
	}
	for k := range d {
		row := a[k*d+k : (k+1)*d]
		if !(row[0] > 0) {
			return false
		}
		inverse := 1 / row[0]
		for i := 1; i < len(row); i++ {
			c, rest := row[i]*inverse, row[i:]
			under := a[(k+i)*d+k+i:][:len(rest)]
			for l, v := range rest {
				under[l] -= c * v
			}
		}
	}
	return true
}

// frobenius returns the Frobenius norm, in less time than [norm2]: of four sums each has to wait
// for itself only.
func frobenius(m []float64) float64 {
	var s, t, u, w float64
	v := m
	for ; len(v) >= 4; v = v[4:] {
		s += v[0] * v[0]
		t += v[1] * v[1]
		u += v[2] * v[2]
		w += v[3] * v[3]
	}
	for _, x := range v {
		s += x * x
	}
	if s += t + (u + w); s > 1e-280 && s < 1e280 {
		return math.Sqrt(s)
	}
	return norm2(m)
}

// maxPairs is the number of pairs up to which the largest distance is searched exhaustively.
const maxPairs = 4 << 20

func allPairs(n int) bool { return n*(n-1)/2 <= maxPairs }

// diameter returns the largest spectral norm of the difference of two items, and whether it is
// exact. With too many items it is bounded by twice the largest distance from the centre.
func (e *eigen) diameter(items []item, lo, hi []float64, centre item) (float64, bool) {
	best := 0.0
	if !allPairs(len(items)) {
		for _, p := range items {
			best = e.larger(best, p, centre, lo, hi)
		}
		return 2 * best, false
	}
	type spread struct{ up, down, far float64 } // from the centre, in both directions
	from, order := make([]spread, len(items)), make([]int, len(items))
	for k, p := range items {
		up, down := e.ends(p, centre, lo, hi)
		from[k], order[k] = spread{up, down, max(up, down)}, k
	}
	slices.SortFunc(order, func(i, j int) int { return cmp.Compare(from[j].far, from[i].far) })
	for k, i := range order {
		// those that are far from the centre first: two near it are no farther apart
		for _, j := range order[:k] {
			if from[i].far+from[j].far <= best {
				break
			}
			if from[i].up+from[j].down > best {
				best = e.reach(best, items[i], items[j], lo, hi, 1)
			}
			if from[i].down+from[j].up > best {
				best = e.reach(best, items[i], items[j], lo, hi, -1)
			}
		}
	}
	return best, true
}
