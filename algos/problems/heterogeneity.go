package problems

import (
	"math"
	"math/rand/v2"
	"slices"
)

// Pattern says how the members of a group (components of a sum, clients, data of one client) differ
// from each other.
type Pattern uint8

// The patterns. In all of them the deviations add up to zero.
const (
	None       Pattern = iota // the same Hessian for all; linear terms differ at random
	TwoCluster                // two halves, apart along one random symmetric matrix
	Signs                     // two halves, apart along a multiple of the identity
	Outlier                   // one member away from all others
	Pairs                     // members come in pairs ±S, each with its own random S
	RankOne                   // a random signed rank-one matrix each, centred
	Random                    // a random symmetric matrix each, centred
	patterns
)

// Differing are those in which Hessians differ.
var Differing = []Pattern{TwoCluster, Signs, Outlier, Pairs, RankOne, Random}

func (p Pattern) String() string {
	return [...]string{"none", "two clusters", "signs", "outlier", "pairs", "rank one", "random"}[p]
}

// Heterogeneity is how much the members of a group differ.
type Heterogeneity struct {
	Pattern Pattern
	// Hessian is the largest spectral distance between the Hessians of two members. It must be 0
	// for None, and is 0 for a single member.
	Hessian float64
	// Linear is the root mean square norm of the deviations of the linear terms from their mean.
	Linear float64
	// Amplitude is the largest deviation of the factor before the shared nonquadratic function from
	// 1; for families that have one.
	Amplitude float64
}

// coefficients of the patterns that place all members on one line, nil for the others. They add up
// to zero and span a range of 1.
func (h Heterogeneity) line(n int) []float64 {
	first := n / 2
	switch h.Pattern {
	case TwoCluster, Signs:
	case Outlier:
		first = 1
	default:
		return nil
	}
	c := make([]float64, n)
	for i := range c {
		if i < first {
			c[i] = float64(n-first) / float64(n)
		} else {
			c[i] = -float64(first) / float64(n)
		}
	}
	return c
}

// matrices returns n symmetric matrices of the dimension of e with mean zero and the asked
// diameter, as a list of distinct ones and an index into it.
func (h Heterogeneity) matrices(n int, e *eigen, r *rand.Rand) (mats [][]float64, index []int) {
	index = make([]int, n)
	if n == 1 || h.Hessian == 0 || h.Pattern == None {
		return [][]float64{nil}, index
	}
	d := e.d
	if line := h.line(n); line != nil {
		s := make([]float64, d*d)
		symmetric(s, d, r)
		if h.Pattern == Signs {
			clear(s)
			for k := range d {
				s[k*d+k] = 1
			}
		}
		norm := e.norm(s)
		for i, c := range line {
			if i == 0 || c != line[i-1] {
				mats = append(mats, scaled(s, c*h.Hessian/norm))
			}
			index[i] = len(mats) - 1
		}
		return mats, index
	}
	size := 0.0
	mats = rows(n, d*d)
	var axes [][]float64 // of rank-one matrices, with their signs
	var signs []float64
	for i, a := range mats {
		index[i] = i
		switch h.Pattern {
		case Pairs:
			switch {
			case i%2 == 1:
				addScaled(a, -1, mats[i-1])
			case i < n-1:
				symmetric(a, d, r)
				size = e.larger(size, item{a, 0}, item{}, nil, nil)
			}
		case RankOne:
			u, sign := normal(d, r), 1.0
			scale := 1 / dot(u, u)
			if r.IntN(2) == 1 {
				scale, sign = -scale, -1
			}
			for k, v := range u {
				for l, w := range u {
					a[k*d+l] = scale * v * w
				}
			}
			u = scaled(u, math.Sqrt(math.Abs(scale)))
			for j := 0; j < i && allPairs(n); j++ {
				size = max(size, apart(dot(u, axes[j]), sign*signs[j]))
			}
			axes, signs = append(axes, u), append(signs, sign)
		default:
			symmetric(a, d, r)
		}
	}
	if h.Pattern == Pairs { // ±S are farther apart than any others
		size *= 2
	} else {
		centre(mats)
	}
	if h.Pattern == Random || !allPairs(n) {
		items := make([]item, n)
		for i, m := range mats {
			items[i].a = m
		}
		size, _ = e.diameter(items, nil, nil, item{})
	}
	if size < 1e-9 {
		// all rank-one matrices equal, as may happen for d = 1: fall back on two clusters
		return Heterogeneity{Pattern: TwoCluster, Hessian: h.Hessian}.matrices(n, e, r)
	}
	for _, m := range mats {
		scale(m, h.Hessian/size)
	}
	return mats, index
}

// apart returns the spectral distance of two projections on lines, of which one is negated if sign
// is −1, given the cosine of the angle between the lines.
func apart(cosine, sign float64) float64 {
	if sign < 0 {
		return 1 + math.Abs(cosine)
	}
	if sine := (1 - cosine) * (1 + cosine); sine > 1e-14 { // more than rounding
		return math.Sqrt(sine)
	}
	return 0
}

// vectors returns n vectors of length d with mean zero and root mean square norm h.Linear, nil
// where all are zero.
func (h Heterogeneity) vectors(n, d int, r *rand.Rand) [][]float64 {
	u, line := normal(d, r), h.line(n)
	if n == 1 || h.Linear == 0 {
		return make([][]float64, n)
	}
	v := rows(n, d)
	for i := range v {
		switch {
		case line != nil:
			addScaled(v[i], line[i], u)
		case h.Pattern == Pairs && i%2 == 1:
			addScaled(v[i], -1, v[i-1])
		case h.Pattern == Pairs && i == n-1:
		default:
			for k := range v[i] {
				v[i][k] = r.NormFloat64()
			}
		}
	}
	if line == nil && h.Pattern != Pairs {
		centre(v)
	}
	sum := 0.0
	for _, e := range v {
		sum += dot(e, e)
	}
	for _, e := range v {
		scale(e, h.Linear/math.Sqrt(sum/float64(n)))
	}
	return v
}

// amplitudes returns n numbers with mean zero and largest magnitude h.Amplitude.
func (h Heterogeneity) amplitudes(n int, r *rand.Rand) []float64 {
	a := make([]float64, n)
	if n == 1 || h.Amplitude == 0 {
		return a
	}
	if line := h.line(n); line != nil {
		copy(a, line)
	} else {
		for i := range a {
			a[i] = r.NormFloat64()
		}
		column := make([][]float64, n)
		for i := range column {
			column[i] = a[i : i+1]
		}
		centre(column)
	}
	most := 0.0
	for _, v := range a {
		most = max(most, math.Abs(v))
	}
	for i := range a {
		a[i] *= h.Amplitude / most
	}
	return a
}

// centre subtracts the mean from vectors of equal length, twice: where they nearly agree, most of
// what is left after the first time is rounding.
func centre(v [][]float64) {
	mean := make([]float64, len(v[0]))
	for range 2 {
		clear(mean)
		for _, e := range v {
			for k, x := range e {
				mean[k] += x / float64(len(v))
			}
		}
		for _, e := range v {
			for k := range e {
				e[k] -= mean[k]
			}
		}
	}
}

func normal(d int, r *rand.Rand) []float64 {
	v := make([]float64, d)
	for k := range v {
		v[k] = r.NormFloat64()
	}
	return v
}

// rows returns n rows of zeros.
func rows(n, d int) [][]float64 {
	v, room := make([][]float64, n), make([]float64, n*d)
	for i := range v {
		v[i] = room[i*d : (i+1)*d : (i+1)*d]
	}
	return v
}

// symmetric sets a to a d×d matrix of the Gaussian orthogonal ensemble.
func symmetric(a []float64, d int, r *rand.Rand) {
	for i := range d {
		for j := range i {
			a[i*d+j] = r.NormFloat64() / math.Sqrt2
			a[j*d+i] = a[i*d+j]
		}
		a[i*d+i] = r.NormFloat64()
	}
}

// orthogonal returns a random orthogonal matrix: Gram-Schmidt, done twice, on the rows of a normal
// matrix.
func orthogonal(d int, r *rand.Rand) []float64 {
	q := normal(d*d, r)
	for i := range d {
		u := q[i*d : (i+1)*d]
		for range 2 {
			for j := range i {
				v := q[j*d : (j+1)*d]
				c := dot(u, v)
				for k := range u {
					u[k] -= c * v[k]
				}
			}
			c := 1 / math.Sqrt(dot(u, u))
			for k := range u {
				u[k] *= c
			}
		}
	}
	return q
}

// withSpectrum returns a symmetric matrix with the given eigenvalues in a random basis.
func withSpectrum(values []float64, r *rand.Rand) []float64 {
	d := len(values)
	q, a := orthogonal(d, r), make([]float64, d*d)
	for i := range d {
		for j := range i + 1 {
			s := 0.0
			for k, v := range values {
				s += v * q[k*d+i] * q[k*d+j]
			}
			a[i*d+j], a[j*d+i] = s, s
		}
	}
	return a
}

func scaled(v []float64, c float64) []float64 {
	w := slices.Clone(v)
	scale(w, c)
	return w
}

func scale(v []float64, c float64) {
	for k := range v {
		v[k] *= c
	}
}

func dot(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += v * b[k]
	}
	return s
}
