package algos

import "gonum.org/v1/gonum/stat/combin"

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
	switch k := len(dst); {
	case k == 0:
	case combin.GeneralizedBinomial(float64(n), float64(k)) > mostSubsets:
		o.Next(mostSubsets)
		for i := range dst {
			dst[i] = i
		}
	default:
		combin.IndexToCombination(dst, o.Next(combin.Binomial(n, k)), n, k)
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
