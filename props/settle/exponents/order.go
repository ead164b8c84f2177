package exponents

import "slices"

// Monomial is the exponents of a product of powers of positive parameters, one for each of them.
type Monomial []Rational

// Cone is a set of positive parameters, given by monomials that are bounded on it: in logarithms a polyhedron, whose
// directions to infinity are a cone.
type Cone struct {
	Bounded []Monomial
	// Dropped says which parameters are logarithms where powers of these do not count.
	Dropped []bool
}

// Weights show that the least of some monomials is at most a constant times the largest of others, by the weighted
// inequality of arithmetic and geometric means: with exponents, Σ Left_j·left_j = Σ Right_l·right_l +
// Σ Rows_r·bounded_r, but for the parameters that are dropped. All weights are nonnegative, those of the left add up to
// 1, and so do those of the right.
type Weights struct {
	Left, Right, Rows []Rational
}

// Order decides whether the least of the left monomials is at most a constant times the largest of the right ones,
// wherever the bounded monomials are bounded. The answer is either weights, or a ray: powers of s with which the
// parameters grow so that the bounded monomials stay bounded, while each left monomial outgrows each right one by the
// power gap of s. With free weights the right may be raised to any nonnegative power, and the ray has no gap beyond the
// growth of the left.
func (c *Cone) Order(left, right []Monomial, free bool) (w *Weights, ray Monomial) {
	columns := slices.Clone(left)
	for _, m := range right {
		columns = append(columns, m.negated())
	}
	for _, m := range c.Bounded {
		columns = append(columns, m.negated())
	}
	if len(left) == 0 {
		return &Weights{}, nil
	}
	names := len(left[0])
	used := make([]int, 0, names) // parameters that have an equation
	for v := range names {
		if !(c.Dropped != nil && c.Dropped[v]) &&
			slices.ContainsFunc(columns, func(m Monomial) bool { return m[v].Sign() != 0 }) {
			used = append(used, v)
		}
	}
	solve := func(rows []int) ([]Rational, []Rational) {
		p := program{}
		for _, v := range rows {
			row := make([]Rational, len(columns))
			for j, m := range columns {
				row[j] = m[v]
			}
			p.add(row, Rational{})
		}
		ones := make([]Rational, len(columns))
		for j := range left {
			ones[j] = Whole(1)
		}
		p.add(ones, Whole(1))
		if !free {
			others := make([]Rational, len(columns))
			for j := range right {
				others[len(left)+j] = Whole(1)
			}
			p.add(others, Whole(1))
		}
		return p.feasible()
	}
	x, y := solve(used)
	if x != nil {
		return &Weights{x[:len(left)], x[len(left) : len(left)+len(right)], x[len(left)+len(right):]}, nil
	}
	// A ray in which few parameters move is easier to read: leave out equations as long as there is no solution.
	for k := len(used) - 1; k >= 0; k-- {
		fewer := slices.Delete(slices.Clone(used), k, k+1)
		if x, z := solve(fewer); x == nil {
			used, y = fewer, z
		}
	}
	ray = make(Monomial, names)
	for i, v := range used {
		ray[v] = y[i].Neg()
	}
	return nil, ray.whole()
}

func (m Monomial) negated() Monomial {
	n := make(Monomial, len(m))
	for i := range m {
		n[i] = m[i].Neg()
	}
	return n
}

// Along returns the power of s with which the monomial grows when the parameters grow like powers of s.
func (m Monomial) Along(ray Monomial) Rational {
	var d Rational
	for i := range m {
		d = d.Add(m[i].Mul(ray[i]))
	}
	return d
}

// whole returns the multiple of m that has coprime whole exponents.
func (m Monomial) whole() Monomial {
	scale, common := int64(1), int64(0)
	for _, e := range m {
		scale = times(scale, e.Denominator()/divisor(scale, e.Denominator()))
	}
	for _, e := range m {
		common = divisor(e.Mul(Whole(scale)).num, common)
	}
	if common < 0 {
		common = -common
	}
	n := make(Monomial, len(m))
	for i, e := range m {
		n[i] = e.Mul(Whole(scale)).Mul(Rational{1, max(common, 1)})
	}
	return n
}

// Empty returns nonnegative weights of the bounded monomials with which their product is 1 but the product of their
// bounds, whose logarithms to base 2 are given, is less than 1, or 1 where a bound that takes part is not reached: the
// set is empty. It returns nil if there are none.
func (c *Cone) Empty(logs []Rational, strict []bool) []Rational {
	if len(c.Bounded) == 0 {
		return nil
	}
	attempt := func(most Rational, unreached bool) []Rational {
		defer func() {
			if r := recover(); r != nil && r != ErrSize { // undecided
				panic(r)
			}
		}()
		n := len(c.Bounded)
		p := program{}
		for v := range c.Bounded[0] {
			row := make([]Rational, n+1)
			for r, m := range c.Bounded {
				row[r] = m[v]
			}
			p.add(row, Rational{})
		}
		sum, total := make([]Rational, n+1), make([]Rational, n+1)
		for r := range c.Bounded {
			sum[r] = logs[r].Neg()
			if !unreached || strict[r] {
				total[r] = Whole(1)
			}
		}
		sum[n] = Whole(-1)
		p.add(sum, most) // −Σ w_r·log_r − slack = most
		p.add(total, Whole(1))
		x, _ := p.feasible()
		if x == nil {
			return nil
		}
		return x[:n]
	}
	if w := attempt(Rational{1, 256}, false); w != nil {
		return w
	}
	return attempt(Rational{}, true)
}

// Inside returns whole numbers z, one for each parameter, such that 2^z satisfies Σ_v rows_r[v]·z_v ≤ limits_r for all
// rows, with −3 in the place of the limit for as many rows as allow it, from the first on; nil if there are none.
func Inside(rows []Monomial, limits []int64) []int64 {
	if len(rows) == 0 {
		return nil
	}
	names := len(rows[0])
	room := make([]Rational, len(rows))
	for r := range rows {
		room[r] = Whole(limits[r])
	}
	attempt := func() []Rational { // z = u − v with u, v ≥ 0, and slacks
		p := program{}
		for r, m := range rows {
			row := make([]Rational, 2*names+len(rows))
			for v := range names {
				row[v], row[names+v] = m[v], m[v].Neg()
			}
			row[2*names+r] = Whole(1)
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
		if room[r].Cmp(Whole(-3)) > 0 {
			if room[r] = Whole(-3); attempt() == nil {
				room[r] = was
			}
		}
	}
	x := attempt()
	if x == nil {
		return nil
	}
	scale := int64(1)
	for _, e := range x[:2*names] {
		scale = times(scale, e.Denominator()/divisor(scale, e.Denominator()))
	}
	z := make([]int64, names)
	for v := range names {
		z[v] = x[v].Sub(x[names+v]).Mul(Whole(scale)).num
	}
	return z
}

// program is a system of equations Σ_j rows_i[j]·x_j = right_i ≥ 0 for x ≥ 0.
type program struct {
	rows  [][]Rational
	right []Rational
}

func (p *program) add(row []Rational, right Rational) {
	p.rows, p.right = append(p.rows, row), append(p.right, right)
}

// feasible returns a solution x, or else y with Σ_i y_i·rows_i ≤ 0 … and y·right > 0 (the lemma of Farkas), by the
// first phase of the simplex method, with Bland's rule against cycles.
func (p *program) feasible() (x, y []Rational) {
	m, n := len(p.rows), len(p.rows[0])
	width := n + m + 1 // variables, artificial ones, right-hand side
	t := make([][]Rational, m+1)
	basis := make([]int, m)
	for i := range m {
		t[i] = make([]Rational, width)
		copy(t[i], p.rows[i])
		t[i][n+i] = Whole(1)
		t[i][width-1] = p.right[i]
		basis[i] = n + i
	}
	cost := make([]Rational, width) // of the sum of the artificial variables, reduced
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
		enter := slices.IndexFunc(cost[:n], func(c Rational) bool { return c.Sign() < 0 })
		if enter < 0 {
			break
		}
		leave := -1
		var least Rational
		for i := range m {
			if t[i][enter].Sign() > 0 {
				ratio := t[i][width-1].Mul(t[i][enter].Inv())
				if c := ratio.Cmp(least); leave < 0 || c < 0 || c == 0 && basis[i] < basis[leave] {
					leave, least = i, ratio
				}
			}
		}
		pivot := t[leave][enter].Inv() // there is one: the sum of the artificial variables is bounded below
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
		x = make([]Rational, n)
		for i, j := range basis {
			if j < n {
				x[j] = t[i][width-1]
			}
		}
		return x, nil
	}
	y = make([]Rational, m)
	for i := range m { // the reduced cost of an artificial variable is 1 − y_i
		y[i] = Whole(1).Sub(cost[n+i])
	}
	return nil, y
}
