package algos

import (
	"math"
	"slices"
)

// Recaller is the optional ability to save work within one run, in which an oracle asks for many
// gradients at few points: Recalling returns the problem whose ability this is with a memory of
// what it has computed, and the same gradients to the last bit, not safe for concurrent use. The
// problem is p, or what is behind [Sum] in p, and nil is returned if p is another one, such as one
// that embeds it and changes its gradients.
type Recaller interface {
	Recalling(p Problem) Problem
}

// Recent holds what a run has computed at the last three points that it has met. A method asks for
// gradients at a new point and then at the one before: of two places the one before would take that
// of the new one, and nothing would ever be met again. It is not safe for concurrent use.
type Recent struct {
	met [3]struct{ x, values []float64 } // the last met first
}

// NewRecent returns a memory of so many values at each point of R^d, d ≥ 1.
func NewRecent(d, values int) *Recent {
	r, each := new(Recent), d+values
	room := make([]float64, len(r.met)*each)
	for k := range r.met {
		m := room[k*each : (k+1)*each : (k+1)*each]
		r.met[k].x, r.met[k].values = m[:d:d], m[d:]
		m[0] = math.NaN() // no point has been met yet, and NaN equals nothing
	}
	return r
}

// At returns the values at x, a view that is valid until the third other point is met. They are
// known if x is one of the last points; else they are those of another point, and for the caller to
// replace.
func (r *Recent) At(x []float64) (values []float64, known bool) {
	last := len(r.met) - 1
	for k := range r.met {
		if slices.Equal(r.met[k].x, x) {
			last, known = k, true
			break
		}
	}
	m := r.met[last]
	copy(r.met[1:last+1], r.met[:last])
	r.met[0] = m
	if !known {
		copy(m.x, x)
	}
	return m.values, known
}
