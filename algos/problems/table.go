package problems

import (
	"cmp"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
)

// Table is a set of examples: rows of features, stored densely or sparsely, and a target for each.
type Table struct {
	Width int   // number of features d
	Start []int // row k holds entries Start[k] to Start[k+1]-1; length rows+1
	// column of each entry, ascending within a row; nil if every row holds all Width features
	Column []int32
	Value  []float64 // entries
	Target []float64 // class ±1, a real number for regression, or the number of one of the Classes
	// Classes names the classes if the targets are their numbers 0, 1, …; nil otherwise.
	Classes []string
	Names   []string // of the columns; nil if they have none
}

// Rows returns the number of examples.
func (t *Table) Rows() int { return len(t.Start) - 1 }

// Row returns the entries of row k and, if the table is sparse, their columns.
func (t *Table) Row(k int) (columns []int32, values []float64) {
	from, to := t.Start[k], t.Start[k+1]
	if t.Column != nil {
		columns = t.Column[from:to]
	}
	return columns, t.Value[from:to]
}

// Accuracy returns the share of the rows with targets ±1 whose sign that of a'x has; where a'x is
// 0, half of a row has.
func (t *Table) Accuracy(x []float64) float64 {
	right := 0.0
	for k, y := range t.Target {
		columns, values := t.Row(k)
		margin := 0.0
		for e, v := range values {
			if columns != nil {
				margin += v * x[columns[e]]
			} else {
				margin += v * x[e]
			}
		}
		switch {
		case margin*y > 0:
			right++
		case margin == 0:
			right += 0.5
		}
	}
	return right / float64(t.Rows())
}

// NewTable returns a dense table of the given rows and targets, which it copies.
func NewTable(rows [][]float64, target []float64) (*Table, error) {
	if len(rows) == 0 || len(rows) != len(target) {
		return nil, fmt.Errorf(
			"problems: table of %d rows with %d targets, want equal numbers above 0", len(rows),
			len(target))
	}
	t := &Table{Width: len(rows[0]), Start: []int{0}, Target: append([]float64(nil), target...)}
	for k, row := range rows {
		if len(row) != t.Width {
			return nil, fmt.Errorf("problems: row %d has %d features, want %d", k,
				len(row), t.Width)
		}
		t.Value = append(t.Value, row...)
		t.Start = append(t.Start, len(t.Value))
	}
	return t, t.validate()
}

func (t *Table) validate() error {
	n := t.Rows()
	switch {
	case n < 1:
		return fmt.Errorf("problems: table without rows")
	case t.Width < 1:
		return fmt.Errorf("problems: table of width %d, want at least 1", t.Width)
	case len(t.Target) != n:
		return fmt.Errorf("problems: table of %d rows with %d targets", n, len(t.Target))
	case t.Start[0] != 0 || t.Start[n] != len(t.Value) ||
		t.Column != nil && len(t.Column) != len(t.Value):
		return fmt.Errorf("problems: table of %d values with %d columns and rows from %d to %d",
			len(t.Value), len(t.Column), t.Start[0], t.Start[n])
	}
	for k := range n {
		if t.Start[k+1] < t.Start[k] || t.Column == nil && t.Start[k+1]-t.Start[k] != t.Width {
			return fmt.Errorf("problems: row %d has %d values in a table of width %d", k,
				t.Start[k+1]-t.Start[k], t.Width)
		}
		if !finiteNumber(t.Target[k]) {
			return fmt.Errorf("problems: target of row %d is %v", k, t.Target[k])
		}
		columns, values := t.Row(k)
		for e, v := range values {
			if !finiteNumber(v) {
				return fmt.Errorf("problems: row %d has the value %v", k, v)
			}
			if columns != nil && (columns[e] < 0 || int(columns[e]) >= t.Width ||
				e > 0 && columns[e] <= columns[e-1]) {
				return fmt.Errorf("problems: row %d has column %d out of order or out of [0, %d)",
					k, columns[e], t.Width)
			}
		}
	}
	return nil
}

// Classification returns a synthetic table of n rows with d normal features, scaled so that the
// mean squared row norm is 1, and classes ±1 from a random hyperplane; the given share of the
// labels is flipped. Rows are sparse if density, the share of features present, is below 1.
func Classification(n, d int, density, flipped float64, r *rand.Rand) *Table {
	t := &Table{Width: d, Start: []int{0}}
	if density < 1 {
		t.Column = []int32{}
	}
	plane := normal(d, r)
	for range n {
		margin := 0.0
		for k := range d {
			if t.Column != nil {
				if r.Float64() >= density {
					continue
				}
				t.Column = append(t.Column, int32(k))
			}
			v := r.NormFloat64() / math.Sqrt(float64(d)*min(1, density))
			t.Value = append(t.Value, v)
			margin += v * plane[k]
		}
		y := 1.0
		if (margin < 0) != (r.Float64() < flipped) {
			y = -1
		}
		t.Target = append(t.Target, y)
		t.Start = append(t.Start, len(t.Value))
	}
	return t
}

// regressionTable returns a synthetic table of n dense rows with d normal features, scaled so that
// the mean squared row norm is 1, and targets from a random linear function plus normal noise; the
// given share of the targets are outliers, ten times as large.
func regressionTable(n, d int, noise, outliers float64, r *rand.Rand) *Table {
	t := &Table{Width: d, Start: []int{0}}
	slope := normal(d, r)
	for range n {
		row := scaled(normal(d, r), 1/math.Sqrt(float64(d)))
		y := dot(row, slope) + noise*r.NormFloat64()
		if r.Float64() < outliers {
			y = 10 * r.NormFloat64()
		}
		t.Value = append(t.Value, row...)
		t.Target = append(t.Target, y)
		t.Start = append(t.Start, len(t.Value))
	}
	return t
}

// SplitByTarget deals the rows with the given targets to clients in nearly equal shares. A share of
// skew of them, from 0 to 1, is dealt in the order of the targets, so that a client sees few
// different ones; the others are dealt at random.
func SplitByTarget(target []float64, clients int, skew float64, r *rand.Rand) ([][]int, error) {
	n := len(target)
	switch {
	case clients < 1 || clients > n:
		return nil, fmt.Errorf("problems: %d clients for %d rows, want 1 to %d", clients, n, n)
	case !(skew >= 0 && skew <= 1):
		return nil, fmt.Errorf("problems: skew %v, want a number from 0 to 1", skew)
	}
	sizes := make([]int, clients)
	for i := range sizes {
		sizes[i] = (i+1)*n/clients - i*n/clients
	}
	return deal(target, sizes, skew, r), nil
}

// deal shares out the rows with the given targets to clients of the given sizes: a share of skew of
// the rows stands in the order of the targets, the others are scattered at random among them.
func deal(target []float64, sizes []int, skew float64, r *rand.Rand) [][]int {
	n := len(target)
	order, sorted := r.Perm(n), r.Perm(n)[:int(math.Round(skew*float64(n)))]
	slices.Sort(sorted) // the places that get rows in order
	rows := make([]int, len(sorted))
	for k, at := range sorted {
		rows[k] = order[at]
	}
	slices.SortStableFunc(rows, func(a, b int) int { return cmp.Compare(target[a], target[b]) })
	for k, at := range sorted {
		order[at] = rows[k]
	}
	clients := make([][]int, len(sizes))
	for i, m := range sizes {
		clients[i], order = order[:m:m], order[m:]
	}
	return clients
}
