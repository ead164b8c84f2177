package algos

import "math"

// Outcomes is a randomness that goes through all index sets which a method may draw, in one run
// after the other until [Outcomes.Turn] returns false. Runs are without noise: points of balls are
// the origin, and Normal and Uniform panic. The zero value stands before the first run.
type Outcomes struct {
	choice, ways []int // of this run: which option is taken, of how many
	at           int
}

var _ Randomness = (*Outcomes)(nil)

// Next takes one of so many options, each of them in some run.
func (o *Outcomes) Next(ways int) int {
	if o.at == len(o.choice) {
		o.choice, o.ways = append(o.choice, 0), append(o.ways, ways)
	}
	o.at++
	return o.choice[o.at-1]
}

// Turn goes on to the choices of the next run, and returns false after the last.
func (o *Outcomes) Turn() bool {
	for k := o.at - 1; k >= 0; k-- {
		if o.choice[k]++; o.choice[k] < o.ways[k] {
			o.choice, o.ways, o.at = o.choice[:k+1], o.ways[:k+1], 0
			return true
		}
	}
	return false
}

// Probability is that of the choices of this run, all options being equally likely.
func (o *Outcomes) Probability() float64 {
	p := 1.0
	for _, w := range o.ways[:o.at] {
		p /= float64(w)
	}
	return p
}

// mostSubsets is how many subsets are told apart.
const mostSubsets = 1 << 40

// Subset takes the next subset; of more than 2⁴⁰ it takes the first.
func (o *Outcomes) Subset(dst []int, n int, _ Purpose) {
	if len(dst) == 0 {
		return
	}
	ways := subsets(n, len(dst))
	at := o.Next(min(ways, mostSubsets))
	if ways > mostSubsets {
		at = 0
	}
	subset(dst, at, n)
}

// subsets is the number of subsets of k of n, 0 ≤ k ≤ n, or something above mostSubsets if there are
// more than that.
func subsets(n, k int) int {
	k = min(k, n-k)
	ways := 1
	for i := 1; i <= k && ways <= mostSubsets; i++ {
		if n-k+i > math.MaxInt/ways {
			return math.MaxInt
		}
		ways = ways * (n - k + i) / i
	}
	return ways
}

// subset sets dst to the at-th subset of so many of n, in lexicographic order.
func subset(dst []int, at, n int) {
	x := 0
	for i := range dst {
		for left := len(dst) - 1 - i; at > 0; x++ {
			with := subsets(n-1-x, left)
			if at < with {
				break
			}
			at -= with
		}
		dst[i] = x
		x++
	}
}

// Indices takes the next index for each place.
func (o *Outcomes) Indices(dst []int, n int, _ Purpose) {
	for k := range dst {
		dst[k] = o.Next(n)
	}
}

// Ball sets dst to the origin.
func (o *Outcomes) Ball(dst []float64, _ float64, _ Purpose) { clear(dst) }

// Normal panics.
func (o *Outcomes) Normal([]float64, Purpose) { panic("algos: normal numbers are not enumerated") }

// Uniform panics.
func (o *Outcomes) Uniform(Purpose) float64 { panic("algos: coins are not enumerated") }
