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
	for _, s := range steps {
		if s.Range < 0 || s.Variance < 0 {
			panic(fmt.Sprintf("concentration: increments within %d of variance %d", s.Range,
				s.Variance))
		}
	}
	// by symmetry only positions |y| are looked at
	return worst(len(steps), threshold, func(i, y int, at func(y int) float64) (best float64) {
		s := steps[i]
		for up := 1; up <= s.Range; up++ {
			for down := 1; down <= s.Range && (s.Variance == 0 || up*down <= s.Variance); down++ {
				// up with probability down/(up+down), down otherwise: variance up·down
				p := (float64(down)*at(y+up) + float64(up)*at(max(y-down, down-y))) /
					float64(up+down)
				best = max(best, p)
			}
		}
		return best
	})
}

// worst returns the largest probability that a position reaches the threshold from 0 in some steps,
// each of which may be left out: best is that of a step from a position if at is that from where it
// leads on. Beyond the threshold it stops.
func worst(steps, threshold int, best func(i, y int, at func(y int) float64) float64) float64 {
	if threshold <= 0 {
		return 1
	}
	value, next := make([]float64, threshold), make([]float64, threshold)
	at := func(y int) float64 {
		if y >= threshold {
			return 1
		}
		return value[y]
	}
	for i := steps - 1; i >= 0; i-- {
		for y := range next {
			next[y] = max(value[y], best(i, y, at))
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
	return worst(k, square, func(_, m int, at func(m int) float64) (best float64) {
		for c := 0; c*c <= 4*m; c++ {
			best = max(best, (at(m+1+c)+at(m+1-c))/2)
		}
		return best
	})
}
