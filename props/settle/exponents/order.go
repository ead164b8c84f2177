// Package exponents decides by linear programmes in exact arithmetic which products of powers of
// positive parameters are at most a constant times others, on domains that are given by such
// products. What it finds is not trusted: a checker goes over the certificates that are made of it.
package exponents

import (
	"math/big"
	"slices"

	"sledge/props/certificate/algebra"
)

// Cone is a set of positive parameters, given by monomials that are bounded on it: in logarithms a
// polyhedron, whose directions to infinity are a cone.
type Cone struct {
	Bounded []algebra.Monomial
	// Dropped says which parameters are logarithms where powers of these do not count.
	Dropped []bool
}

// Weights show that the least of some monomials is at most a constant times the largest of others,
// by the weighted inequality of arithmetic and geometric means: with exponents, Σ Left_j·left_j = Σ
// Right_l·right_l + Σ Rows_r·bounded_r, but for the parameters that are dropped. All weights are
// nonnegative, those of the left add up to 1, and so do those of the right.
type Weights struct {
	Left, Right, Rows []algebra.Rational
}

// Order decides whether the least of the left monomials is at most a constant times the largest of
// the right ones, wherever the bounded monomials are bounded. The answer is either weights, or a
// ray: powers of s with which the parameters grow so that the bounded monomials stay bounded, while
// each left monomial outgrows each right one by the power gap of s. With free weights the right may
// be raised to any nonnegative power, and the ray has no gap beyond the growth of the left.
func (c *Cone) Order(left, right []algebra.Monomial, free bool) (w *Weights, ray algebra.Monomial) {
	columns := slices.Clone(left)
	for _, m := range right {
		columns = append(columns, m.To(algebra.Whole(-1)))
	}
	for _, m := range c.Bounded {
		columns = append(columns, m.To(algebra.Whole(-1)))
	}
	if len(left) == 0 {
		return &Weights{}, nil
	}
	names := len(left[0])
	used := make([]int, 0, names) // parameters that have an equation
	for v := range names {
		if !(c.Dropped != nil && c.Dropped[v]) &&
			slices.ContainsFunc(columns,
				func(m algebra.Monomial) bool { return m[v].Sign() != 0 }) {
			used = append(used, v)
		}
	}
	solve := func(rows []int) ([]algebra.Rational, []algebra.Rational) {
		p := program{}
		for _, v := range rows {
			row := make([]algebra.Rational, len(columns))
			for j, m := range columns {
				row[j] = m[v]
			}
			p.add(row, algebra.Rational{})
		}
		ones := make([]algebra.Rational, len(columns))
		for j := range left {
			ones[j] = algebra.Whole(1)
		}
		p.add(ones, algebra.Whole(1))
		if !free {
			others := make([]algebra.Rational, len(columns))
			for j := range right {
				others[len(left)+j] = algebra.Whole(1)
			}
			p.add(others, algebra.Whole(1))
		}
		return p.feasible()
	}
	x, y := solve(used)
	if x != nil {
		return &Weights{x[:len(left)], x[len(left) : len(left)+len(right)],
			x[len(left)+len(right):]}, nil
	}
	// A ray in which few parameters move is easier to read: leave out equations as long as there is
	// no solution.
	for k := len(used) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(used), k, k+1)
		if x, z := solve(fewer); x == nil {
			used, y = fewer, z
		}
	}
	ray = make(algebra.Monomial, names)
	for i, v := range used {
		ray[v] = y[i].Neg()
	}
	return nil, whole(ray)
}

// whole returns the multiple of m that has coprime whole exponents.
func whole(m algebra.Monomial) algebra.Monomial {
	m = m.To(denominator(m))
	common := new(big.Int)
	for _, e := range m {
		common.GCD(nil, nil, common, big.NewInt(max(e.Num(), -e.Num())))
	}
	if common.Sign() == 0 {
		return m
	}
	return m.To(algebra.Whole(common.Int64()).Inv())
}

// denominator is the least positive integer whose products with the numbers are whole.
func denominator(numbers []algebra.Rational) algebra.Rational {
	all := algebra.Whole(1)
	for _, x := range numbers {
		all = all.Mul(algebra.Whole(x.Mul(all).Denominator()))
	}
	return all
}

// Empty returns nonnegative weights of the bounded monomials with which their product is 1 but the
// product of their bounds, whose logarithms to base 2 are given, is less than 1, or 1 where a bound
// that takes part is not reached: the set is empty. It returns nil if there are none.
func (c *Cone) Empty(logs []algebra.Rational, strict []bool) []algebra.Rational {
	if len(c.Bounded) == 0 {
		return nil
	}
	attempt := func(most algebra.Rational, unreached bool) []algebra.Rational {
		defer func() {
			if r := recover(); r != nil && r != algebra.ErrSize { // undecided
				panic(r)
			}
		}()
		n := len(c.Bounded)
		p := program{}
		for v := range c.Bounded[0] {
			row := make([]algebra.Rational, n+1)
			for r, m := range c.Bounded {
				row[r] = m[v]
			}
			p.add(row, algebra.Rational{})
		}
		sum, total := make([]algebra.Rational, n+1), make([]algebra.Rational, n+1)
		for r := range c.Bounded {
			sum[r] = logs[r].Neg()
			if !unreached || strict[r] {
				total[r] = algebra.Whole(1)
			}
		}
		sum[n] = algebra.Whole(-1)
		p.add(sum, most) // −Σ w_r·log_r − slack = most
		p.add(total, algebra.Whole(1))
		x, _ := p.feasible()
		if x == nil {
			return nil
		}
		return x[:n]
	}
	if w := attempt(algebra.Whole(256).Inv(), false); w != nil {
		return w
	}
	return attempt(algebra.Rational{}, true)
}

// Inside returns whole numbers z, one for each parameter, such that 2^z satisfies Σ_v rows_r[v]·z_v
// ≤ limits_r for all rows, with −3 in the place of the limit for as many rows as allow it, from the
// first on; nil if there are none.
func Inside(rows []algebra.Monomial, limits []int64) []int64 {
	if len(rows) == 0 {
		return nil
	}
	names := len(rows[0])
	room := make([]algebra.Rational, len(rows))
	for r := range rows {
		room[r] = algebra.Whole(limits[r])
	}
	attempt := func() []algebra.Rational { // z = u − v with u, v ≥ 0, and slacks
		p := program{}
		for r, m := range rows {
			row := make([]algebra.Rational, 2*names+len(rows))
			for v := range names {
				row[v], row[names+v] = m[v], m[v].Neg()
			}
			row[2*names+r] = algebra.Whole(1)
			limit := room[r]
			if limit.Sign() < 0 {
				for j := range row {
					row[j] = row[j].Neg()
				}
				limit = limit.Neg()
			}
			p.add(row, limit)
		}
		x, _ := p.feasible()
		return x
	}
	for r := range rows {
		was := room[r]
		if room[r].Cmp(algebra.Whole(-3)) > 0 {
			if room[r] = algebra.Whole(-3); attempt() == nil {
				room[r] = was
			}
		}
	}
	x := attempt()
	if x == nil {
		return nil
	}
	scale := denominator(x[:2*names])
	z := make([]int64, names)
	for v := range names {
		z[v] = x[v].Sub(x[names+v]).Mul(scale).Num()
	}
	return z
}

// program is a system of equations Σ_j rows_i[j]·x_j = right_i ≥ 0 for x ≥ 0.
type program struct {
	rows  [][]algebra.Rational
	right []algebra.Rational
}

func (p *program) add(row []algebra.Rational, right algebra.Rational) {
	p.rows, p.right = append(p.rows, row), append(p.right, right)
}

// feasible returns a solution x, or else y with Σ_i y_i·rows_i ≤ 0 … and y·right > 0 (the lemma of
// Farkas), by the first phase of the simplex method, with Bland's rule against cycles.
func (p *program) feasible() (x, y []algebra.Rational) {
	m, n := len(p.rows), len(p.rows[0])
	width := n + m + 1 // variables, artificial ones, right-hand side
	t := make([][]algebra.Rational, m+1)
	basis := make([]int, m)
	for i := range m {
		t[i] = make([]algebra.Rational, width)
		copy(t[i], p.rows[i])
		t[i][n+i] = algebra.Whole(1)
		t[i][width-1] = p.right[i]
		basis[i] = n + i
	}
	cost := make([]algebra.Rational, width) // of the sum of the artificial variables, reduced
	t[m] = cost
	for j := range width {
		if j >= n && j < n+m {
			continue
		}
		for i := range m {
			cost[j] = cost[j].Sub(t[i][j])
		}
	}
	for {
		enter := slices.IndexFunc(cost[:n], func(c algebra.Rational) bool { return c.Sign() < 0 })
		if enter < 0 {
			break
		}
		leave := -1
		var least algebra.Rational
		for i := range m {
			if t[i][enter].Sign() > 0 {
				ratio := t[i][width-1].Mul(t[i][enter].Inv())
				if c := ratio.Cmp(least); leave < 0 || c < 0 || c == 0 && basis[i] < basis[leave] {
					leave, least = i, ratio
				}
			}
		}
		// there is one: the sum of the artificial variables is bounded below
		pivot := t[leave][enter].Inv()
		for j := range width {
			t[leave][j] = t[leave][j].Mul(pivot)
		}
		for i := range t {
			f := t[i][enter]
			if i == leave || f.Sign() == 0 {
				continue
			}
			for j, e := range t[leave] {
				if e.Sign() != 0 {
					t[i][j] = t[i][j].Sub(f.Mul(e))
				}
			}
		}
		basis[leave] = enter
	}
	if cost[width-1].Sign() == 0 {
		x = make([]algebra.Rational, n)
		for i, j := range basis {
			if j < n {
				x[j] = t[i][width-1]
			}
		}
		return x, nil
	}
	y = make([]algebra.Rational, m)
	for i := range m { // the reduced cost of an artificial variable is 1 − y_i
		y[i] = algebra.Whole(1).Sub(cost[n+i])
	}
	return nil, y
}
