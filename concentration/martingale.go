package concentration

import "fmt"

// Increments limits the next increment of an adversarial martingale on the integers: at most Range
// in absolute value, with conditional variance at most Variance (zero: no limit beyond the range).
type Increments struct{ Range, Variance int }

// WorstMartingale returns the largest probability that |x_1 + … + x_k| ≥ threshold over all
// martingales that start at 0 and whose increments take at each step either the value 0 or two
// integer values within the given limits, chosen knowing the past. It is computed backwards from
// the end; the cost is k·threshold·Range². Two-point laws are where such maxima are attained when
// only the range is limited.
func WorstMartingale(steps []Increments, threshold int) float64 {
	if threshold <= 0 {
		return 1
	}
	// value[y] is the largest probability from position |y| on; by symmetry only y ≥ 0 is kept.
	// Beyond the threshold the martingale stops.
	value, next := make([]float64, threshold), make([]float64, threshold)
	at := func(y int) float64 {
		if y < 0 {
			y = -y
		}
		if y >= threshold {
			return 1
		}
		return value[y]
	}
	for i := len(steps) - 1; i >= 0; i-- {
		s := steps[i]
		if s.Range < 0 || s.Variance < 0 {
			panic(fmt.Sprintf("concentration: increments within %d of variance %d", s.Range,
				s.Variance))
		}
		for y := range next {
			best := value[y]
			for up := 1; up <= s.Range; up++ {
				for down := 1; down <= s.Range &&
					(s.Variance == 0 || up*down <= s.Variance); down++ {
					// up with probability down/(up+down), down otherwise: variance up·down
					p := (float64(down)*at(y+up) + float64(up)*at(y-down)) / float64(up+down)
					best = max(best, p)
				}
			}
			next[y] = best
		}
		value, next = next, value
	}
	return value[0]
}

// WorstSignedWalk returns the largest probability that ‖x_1 + … + x_k‖² ≥ square over martingales
// in a Euclidean space of dimension at least 2 whose increments are a vector of length 1 or its
// opposite, at even odds, or 0, where the direction is chosen knowing the past among those that
// keep the squared norm an integer. The adversary chooses the angle to the present position: from
// squared norm m it goes to m + 1 ± c with an integer 0 ≤ c ≤ 2√m.
func WorstSignedWalk(k, square int) float64 {
	if square <= 0 {
		return 1
	}
	value, next := make([]float64, square), make([]float64, square)
	at := func(m int) float64 {
		if m >= square {
			return 1
		}
		return value[m]
	}
	for range k {
		for m := range next {
			best := value[m]
			for c := 0; c*c <= 4*m; c++ {
				best = max(best, (at(m+1+c)+at(m+1-c))/2)
			}
			next[m] = best
		}
		value, next = next, value
	}
	return value[0]
}
