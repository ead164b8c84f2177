package algos

import "math"

// Recaller is the optional ability to save work within one run, in which an oracle asks for many
// gradients at few points: Recalling returns the problem whose ability this is with a memory of
// what it has computed, and the same gradients to the last bit, not safe for concurrent use. The
// problem is p, or what is behind [Sum] in p, and nil is returned if p is another one, such as one
// that embeds it and changes its gradients.
type Recaller interface {
	Recalling(p Problem) Problem
}

// Recall returns the problem for one run with the memory of a [Recaller], for an oracle and
// whatever else looks at the points of that run, and p itself if there is nothing to remember.
func Recall(p Problem) Problem {
	if r, ok := As[Recaller](p); ok {
		if own := r.Recalling(p); own != nil {
			return own
		}
	}
	return p
}

// Recent holds what a run has computed at the last three points that it has met. A method asks for
// gradients at a new point and then at the one before: of two places the one before would take that
// of the new one, and nothing would ever be met again. It is not safe for concurrent use.
type Recent struct {
	met   [3]struct{ x, values []float64 }
	order [3]uint8 // numbers of what was met, the last first
}

// NewRecent returns a memory of so many values at each point of R^d, d ≥ 1.
func NewRecent(d, values int) *Recent {
	r, each := new(Recent), d+values
	room := make([]float64, len(r.met)*each)
	for k := range r.met {
		m := room[k*each : (k+1)*each : (k+1)*each]
		r.met[k].x, r.met[k].values = m[:d:d], m[d:]
		m[0] = unmet
		r.order[k] = uint8(k)
	}
	return r
}

// unmet begins the points that have not been met yet: a NaN that no computation makes.
var unmet = math.Float64frombits(0x7ff4_0000_dead_beef)

// same reports whether two points are the same to the last bit.
func same(x, y []float64) bool {
	if len(x) != len(y) {
		return false
	}
	for l, v := range x {
		if math.Float64bits(v) != math.Float64bits(y[l]) {
			return false
		}
	}
	return true
}

// At returns the values at x, a view that is valid until the third other point is met. They are
// known if x is one of the last points; else they are those of another point, and for the caller to
// replace.
func (r *Recent) At(x []float64) (values []float64, known bool) {
	first, second, third := r.order[0], r.order[1], r.order[2]
	if m := &r.met[first]; same(m.x, x) {
		return m.values, true
	}
	if m := &r.met[second]; same(m.x, x) {
		r.order[0], r.order[1] = second, first
		return m.values, true
	}
	r.order = [3]uint8{third, first, second}
	m := &r.met[third]
	if same(m.x, x) {
		return m.values, true
	}
	copy(m.x, x)
	return m.values, false
}
