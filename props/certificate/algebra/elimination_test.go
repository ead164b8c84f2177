package algebra_test

import (
	"math/big"
	"testing"

	"pgregory.net/rapid"

	"sledge/props/certificate/algebra"
)

func matrix(rows ...[]int64) (m [][]*big.Rat) {
	for _, row := range rows {
		m = append(m, nil)
		for _, x := range row {
			m[len(m)-1] = append(m[len(m)-1], big.NewRat(x, 3))
		}
	}
	return m
}

func TestSemidefinite(t *testing.T) {
	for _, c := range []struct {
		m    [][]*big.Rat
		want bool
	}{
		{nil, true},
		{matrix([]int64{0}), true},
		{matrix([]int64{-1}), false},
		{matrix([]int64{4, 2}, []int64{2, 1}), true},
		{matrix([]int64{4, 2}, []int64{2, 0}), false},
		{matrix([]int64{0, 1}, []int64{1, 5}), false},
		{matrix([]int64{0, 0}, []int64{0, 5}), true},
		{matrix([]int64{0, 0}, []int64{0, -5}), false},
		{matrix([]int64{1, 1, 1}, []int64{1, 1, 1}, []int64{1, 1, 2}), true},
		{matrix([]int64{1, 1, 1}, []int64{1, 1, 2}, []int64{1, 2, 9}), false},
		{matrix([]int64{2, -1, -1}, []int64{-1, 2, -1}, []int64{-1, -1, 2}), true},
	} {
		if got := algebra.Semidefinite(c.m); got != c.want {
			t.Errorf("%v: %v", c.m, got)
		}
	}
}

// A sum of squares is semidefinite, and is not if more than one of them is taken away; what was
// given stays as it was.
func TestSemidefiniteSums(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := rapid.IntRange(1, 5).Draw(t, "n")
		vectors := make([][]int64, rapid.IntRange(1, 5).Draw(t, "squares"))
		for k := range vectors {
			vectors[k] = rapid.SliceOfN(rapid.Int64Range(-3, 3), n, n).Draw(t, "vector")
		}
		rows, only := make([][]int64, n), make([]int64, n)
		copy(only, vectors[0]) // the first one
		for i := range rows {
			rows[i] = make([]int64, n)
			for _, v := range vectors {
				for j := range rows[i] {
					rows[i][j] += v[i] * v[j]
				}
			}
		}
		m := matrix(rows...)
		if !algebra.Semidefinite(m) {
			t.Fatalf("a sum of squares is not semidefinite: %v", m)
		}
		var length int64
		for i, x := range only {
			for j, y := range only { // its value there
				length += x * rows[i][j] * y
			}
		}
		var norm int64
		for _, x := range only {
			norm += x * x
		}
		if norm == 0 {
			return
		}
		// less a multiple of the first square that is enough to make it negative there
		for i := range rows {
			for j := range rows {
				m[i][j].Sub(m[i][j], new(big.Rat).Mul(big.NewRat(length+1, 3*norm*norm),
					big.NewRat(only[i]*only[j], 1)))
			}
		}
		if algebra.Semidefinite(m) {
			t.Fatalf("what is negative is semidefinite: %v", m)
		}
	})
}

// Rows that others make up leave nothing.
func TestEchelon(t *testing.T) {
	var e algebra.Echelon
	for k, row := range matrix([]int64{0, 2, 4}, []int64{1, 1, 1}, []int64{1, 3, 5}, []int64{0, 0, 7},
		[]int64{5, -2, 1}) {
		if at, want := e.Add(row), []int{1, 0, 3, 2, 3}[k]; at != want {
			t.Errorf("row %d: %d, want %d", k, at, want)
		}
	}
	if len(e) != 3 {
		t.Errorf("%d rows", len(e))
	}
}
