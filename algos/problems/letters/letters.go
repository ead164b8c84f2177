// Package letters provides the data of the paper's experiments: images of capital letters, drawn
// from type faces or read from files of the IDX format of MNIST and EMNIST, and their partitions
// among the components of a finite sum and among clients (lines 653-657 and 679-683).
//
// Examples come as a [problems.Table] with dense rows, features from 0 to 1 and classes as targets.
package letters

import (
	"fmt"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
)

// Rescale divides the features of a table of nonnegative numbers by the largest of them, so that
// they lie between 0 and
// 1.
func Rescale(t *problems.Table) error {
	if low := floats.Min(t.Value); low < 0 {
		return fmt.Errorf("letters: a feature is %v, want nonnegative ones", low)
	}
	if top := floats.Max(t.Value); top > 0 {
		floats.Scale(1/top, t.Value)
	}
	return nil
}

// Shrink returns the square images of a table with each side divided by factor, every pixel the
// mean of factor × factor old ones.
func Shrink(t *problems.Table, factor int) (*problems.Table, error) {
	side := 0
	for side*side < t.Width {
		side++
	}
	if factor < 1 || side*side != t.Width || side%factor != 0 {
		return nil, fmt.Errorf("letters: images of %d pixels cannot be shrunk by %d on each side",
			t.Width, factor)
	}
	small := side / factor
	out := &problems.Table{Width: small * small, Start: []int{0},
		Value: make([]float64, t.Rows()*small*small), Target: t.Target, Classes: t.Classes}
	for k := range t.Rows() {
		_, old := t.Row(k)
		row := out.Value[k*out.Width : (k+1)*out.Width]
		for i := range side {
			for j := range side {
				row[i/factor*small+j/factor] += old[i*side+j] / float64(factor*factor)
			}
		}
		out.Start = append(out.Start, (k+1)*out.Width)
	}
	return out, nil
}

// byClass lists the given rows of a table class by class, each in random order.
func byClass(t *problems.Table, rows []int, r *rand.Rand) [][]int {
	lists := make([][]int, len(t.Classes))
	for _, k := range rows {
		c := int(t.Target[k])
		lists[c] = append(lists[c], k)
	}
	for _, l := range lists {
		r.Shuffle(len(l), func(i, j int) { l[i], l[j] = l[j], l[i] })
	}
	return lists
}

// All lists the rows of a table.
func All(t *problems.Table) []int {
	rows := make([]int, t.Rows())
	for k := range rows {
		rows[k] = k
	}
	return rows
}

// Split deals rows of a table to disjoint sets, part k with exactly perClass[k] random rows of
// every class.
func Split(t *problems.Table, r *rand.Rand, perClass ...int) ([][]int, error) {
	need := 0
	for _, n := range perClass {
		need += n
	}
	parts := make([][]int, len(perClass))
	for c, list := range byClass(t, All(t), r) {
		if len(list) < need {
			return nil, fmt.Errorf("letters: class %s has %d examples, %d are needed", t.Classes[c],
				len(list), need)
		}
		for k, n := range perClass {
			parts[k] = append(parts[k], list[:n]...)
			list = list[n:]
		}
	}
	return parts, nil
}
