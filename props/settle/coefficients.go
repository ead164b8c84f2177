package settle

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/certificate/algebra"
	"sledge/props/certificate/checker"
	"sledge/props/formula"
)

// Limits of what is tried for one difference.
const (
	mostColumns = 1500
	mostDepth   = 3
	mostTargets = 30
	mostPivots  = 1000
	mostNested  = 3 // lemmas that need lemmas
)

// effort is how many operations on rational numbers a proof may take at each tier. At the first one
// it is for what is easy: proofs that take longer are kept.
var effort = [...]int{4_000, 300_000, 3_000_000}

// Coefficients tries to prove a statement by nonnegative coefficients: it looks for multiples of
// what the assumptions show not to be negative, such that nothing negative remains of the
// difference of the two sides.
func Coefficients(p *formula.Problem, tier props.Tier) (*certificate.Certificate, string) {
	for _, side := range p.Conclusion.Sides {
		if side.Op == "order" {
			return nil, ""
		}
	}
	why := ""
	before := ""
	for width := range widths {
		q := widened(p, width)
		c := q.certificate(certificate.Coefficients)
		if text := c.Domain + c.Statement; text == before {
			continue
		} else {
			before = text
		}
		if c.Scope, c.Covers = q.scope(); kept(c) {
			return c, ""
		}
		s := &solver{problem: q, left: effort[min(tier, props.Deep)]}
		proof, err := s.attempt(slices.Concat(q.Domain, q.Premises))
		if err != nil {
			if why == "" || why == algebra.ErrEffort.Error() {
				why = err.Error()
			}
			continue
		}
		c.Proof, err = json.Marshal(proof)
		if err != nil {
			return nil, err.Error()
		}
		if err := checker.Check(c); errors.Is(err, checker.ErrEmpty) {
			why = err.Error()
			continue
		}
		return c, ""
	}
	return nil, why
}

// attempt is prove within the effort.
func (s *solver) attempt(assumed []formula.Clause) (proof *certificate.CoefficientsProof,
	err error) {
	defer func() {
		switch r := recover(); r {
		case nil:
		case algebra.ErrEffort:
			err = algebra.ErrEffort
		default:
			panic(r)
		}
	}()
	return s.prove(assumed)
}

type solver struct {
	problem *problem
	theory  *algebra.Theory
	lemmas  []certificate.Lemma
	nested  int
	failed  map[string]int // differences that could not be shown, with the number of facts then
	left    int            // operations on rational numbers that may still be made
}

// prove looks for a proof of the conclusion from what is assumed.
func (s *solver) prove(assumed []formula.Clause) (*certificate.CoefficientsProof, error) {
	s.theory, s.lemmas, s.failed = algebra.New(assumed), nil, map[string]int{}
	s.theory.Limit(max(1, s.left))
	defer func(t *algebra.Theory) { s.spend(t.Products()) }(s.theory)
	s.theory.Want = s.want
	proof := &certificate.CoefficientsProof{By: [][]certificate.Use{}}
	if err := s.conclude(proof); err != nil {
		return nil, err
	}
	proof.Lemmas = s.lemmas
	return proof, nil
}

// spend counts operations, and panics with [algebra.ErrEffort] once there are too many.
func (s *solver) spend(n int) {
	if s.left -= n; s.left <= 0 {
		panic(algebra.ErrEffort)
	}
}

func (s *solver) conclude(proof *certificate.CoefficientsProof) error {
	for _, c := range s.problem.Conclusion.Inequalities() {
		x, err := s.theory.Of(c.Lesser)
		if err != nil {
			return err
		}
		y, err := s.theory.Of(c.Greater)
		if err != nil {
			return err
		}
		by, err := s.show(x, y, c.Strict)
		if err != nil {
			return fmt.Errorf("%v: %w", c, err)
		}
		proof.By = append(proof.By, by)
	}
	return nil
}

// want looks for a lemma that a fraction is not negative.
func (s *solver) want(a algebra.Fraction, strict bool) error {
	name := fmt.Sprint(strict) + s.theory.Write(a)
	facts := len(s.theory.Known())
	if was, ok := s.failed[name]; ok && was == facts || s.nested >= mostNested {
		return errors.New("not shown")
	}
	s.nested++
	by, err := s.show(algebra.Fraction{}, algebra.Fraction{Sum: a.Sum}, strict)
	s.nested--
	if err != nil {
		s.failed[name] = facts
		return err
	}
	relation := " ≤ "
	if strict {
		relation = " < "
	}
	show := "0" + relation + s.theory.Write(algebra.Fraction{Sum: a.Sum})
	s.lemmas = append(s.lemmas, certificate.Lemma{Show: show, By: by})
	s.theory.Learn(algebra.Fact{Label: show, Greater: algebra.Fraction{Sum: a.Sum}, Strict: strict})
	return nil
}

// column is a multiple of what is used: a monomial times the sum of a source.
type column struct {
	source int
	own    *source // in place of a source in the list
	by     algebra.Term
	sum    algebra.Sum
}

// source is a difference that is not negative.
type source struct {
	use    certificate.Use
	excess algebra.Fraction
	strict bool
	// fact is what the source comes from, and raisable says that its sides are not negative
	fact     algebra.Fact
	raisable bool
}

// sources lists what the facts give: their differences, and those of their squares or roots.
func (s *solver) sources(products bool) []source {
	var out []source
	two, half := big.NewRat(2, 1), big.NewRat(1, 2)
	if s.nested == 0 {
		for _, d := range s.theory.Conditions() {
			s.want(d, false) // if it can be shown, a fact follows
		}
	}
	facts := slices.Clone(s.theory.Facts())
	ordinary := len(facts)
	facts = append(facts, s.theory.Roots()...)
	s.theory.Want = nil // powers of facts are not worth lemmas
	defer func() { s.theory.Want = s.want }()
	for i, f := range facts {
		for _, e := range []*big.Rat{one, two, half} {
			if e != one && i >= ordinary {
				continue
			}
			generators := s.theory.Generators()
			d, err := s.theory.Exceeds(f, e)
			if s.theory.Generators() > generators { // roots of further numbers
				s.theory.Forget(generators)
				continue
			}
			if err != nil || len(d.Sum) < 2 || len(d.Sum) > 2 && e == half {
				continue
			}
			u := certificate.Use{Facts: []string{f.Label}}
			if e != one {
				u.Power = e.RatString()
			}
			_, err = s.theory.Exceeds(f, two)
			out = append(out, source{u, d, f.Strict, f, err == nil})
		}
	}
	if products {
		n := len(out)
		for i := range n {
			for k := i; k < n; k++ {
				if out[i].use.Power != "" || out[k].use.Power != "" || len(out[i].excess.Sum) > 4 ||
					len(out[k].excess.Sum) > 4 {
					continue
				}
				d, err := s.theory.Mul(out[i].excess, out[k].excess)
				if err == nil && len(d.Sum) > 1 {
					u := certificate.Use{Facts: []string{out[i].use.Facts[0], out[k].use.Facts[0]}}
					out = append(out, source{use: u, excess: d,
						strict: out[i].strict && out[k].strict})
				}
			}
		}
	}
	return out
}

// show looks for what shows that lesser ≤ greater.
func (s *solver) show(lesser, greater algebra.Fraction, strict bool) ([]certificate.Use, error) {
	d, err := s.theory.Sub(greater, lesser)
	if err != nil {
		return nil, err
	}
	if s.theory.Shows(lesser, greater, strict, nil, nil) == nil {
		return nil, nil
	}
	why := errors.New("no multiples of the assumptions leave nonnegative coefficients")
	attempt := func(sources []source, columns []column) []certificate.Use {
		columns = s.useful(d.Sum, slices.Clone(columns))
		weights := s.weights(d.Sum, columns)
		if weights == nil {
			return nil
		}
		by := s.uses(d, sources, columns, weights)
		if err := s.theory.Shows(lesser, greater, strict, by, s.problem.reader.Tree); err != nil {
			why = err
			return nil
		}
		return append([]certificate.Use{}, by...)
	}
	for _, products := range []bool{false, true} {
		sources := s.sources(products)
		for depth := 1; depth <= mostDepth; depth++ {
			columns := s.columns(d.Sum, sources, depth)
			if by := attempt(sources, columns); by != nil {
				return by, nil
			}
			if depth > 1 || products {
				continue
			}
			if by := attempt(sources, append(columns,
				s.chains(d.Sum, sources, columns)...)); by != nil {
				return by, nil
			}
		}
	}
	return nil, why
}

// columns lists multiples of sources that have a negative term where the difference has one, or
// where a column before has a positive one.
func (s *solver) columns(d algebra.Sum, sources []source, depth int) []column {
	var out []column
	seen := map[string]bool{}
	reached := map[string]bool{}
	keys := make([][]string, len(sources))
	for i := range sources {
		keys[i] = slices.Sorted(maps.Keys(sources[i].excess.Sum))
	}
	var front []algebra.Term
	for _, k := range slices.Sorted(maps.Keys(d)) {
		reached[k] = true
		if d[k].C.Sign() < 0 || !s.theory.Signed(d[k]) {
			front = append(front, d[k])
		}
	}
	for range depth {
		var next []algebra.Term
		for _, target := range front {
			for i := range sources {
				sum := sources[i].excess.Sum
				for _, k := range keys[i] {
					if (sum[k].C.Sign() > 0) != (target.C.Sign() > 0 && !s.theory.Signed(target)) {
						continue
					}
					by, ok := s.theory.Quotient(target, sum[k])
					if !ok {
						continue
					}
					id := fmt.Sprint(i, by.Powers)
					if seen[id] {
						continue
					}
					seen[id] = true
					multiple := s.theory.Multiple(sum, by)
					out = append(out, column{source: i, by: by, sum: multiple})
					if len(out) >= mostColumns {
						return out
					}
					for _, m := range slices.Sorted(maps.Keys(multiple)) {
						if multiple[m].C.Sign() > 0 && !reached[m] {
							reached[m] = true
							next = append(next, multiple[m])
						}
					}
				}
			}
		}
		front = next
	}
	return out
}

// useful drops columns with a positive term that neither the difference nor another column can take
// up.
func (s *solver) useful(d algebra.Sum, columns []column) []column {
	for {
		takes := map[string]bool{}
		for k, x := range d {
			takes[k] = x.C.Sign() > 0 && s.theory.Signed(x)
		}
		for _, c := range columns {
			for k, x := range c.sum {
				takes[k] = takes[k] || x.C.Sign() < 0
			}
		}
		n := len(columns)
		columns = slices.DeleteFunc(columns, func(c column) bool {
			for k, x := range c.sum {
				if x.C.Sign() > 0 && !takes[k] {
					return true
				}
			}
			return false
		})
		if len(columns) == n {
			return columns
		}
	}
}

// uses writes the multiples with their weights.
func (s *solver) uses(d algebra.Fraction, sources []source, columns []column,
	weights []*big.Rat) []certificate.Use {
	var by []certificate.Use
	sums := map[string]algebra.Sum{} // by source and power
	for k, c := range columns {
		if weights[k] == nil || weights[k].Sign() == 0 {
			continue
		}
		src := c.of(sources)
		u := src.use
		id := fmt.Sprint(u)
		if sums[id] == nil {
			by = append(by, u)
			sums[id] = algebra.Sum{}
		}
		sums[id] = sums[id].With(algebra.Term{Powers: c.by.Powers,
			C: new(big.Rat).Mul(weights[k], c.by.C)})
		by[slices.IndexFunc(by,
			func(v certificate.Use) bool {
				return fmt.Sprint(certificate.Use{Facts: v.Facts, Power: v.Power}) == id
			})].Times =
			s.theory.Write(algebra.Fraction{Sum: sums[id]}.Over(src.excess).Like(d))
	}
	return by
}

// of returns what a column is a multiple of.
func (c *column) of(sources []source) source {
	if c.own != nil {
		return *c.own
	}
	return sources[c.source]
}

// chains lists columns that lead from a negative term of the difference, or a positive one of the
// columns before, to a positive term of the difference, by powers of facts that compare two terms.
func (s *solver) chains(d algebra.Sum, sources []source, before []column) []column {
	var steps []source
	for _, src := range sources {
		if src.use.Power == "" && len(src.use.Facts) == 1 && len(src.excess.Sum) == 2 &&
			src.raisable {
			steps = append(steps, src)
		}
	}
	ends := func(sum algebra.Sum) (lesser, greater algebra.Term) {
		for _, x := range sum {
			if x.C.Sign() < 0 {
				lesser = x
			} else {
				greater = x
			}
		}
		return lesser, greater
	}
	var ratios []map[string]*big.Rat
	for _, step := range steps {
		lesser, greater := ends(step.excess.Sum)
		ratios = append(ratios, s.ratio(greater, lesser))
	}
	var out []column
	targets := algebra.Sum{}
	for k, x := range d {
		if x.C.Sign() < 0 {
			targets[k] = x
		}
	}
	for _, c := range before {
		for k, x := range c.sum {
			if _, known := d[k]; !known && x.C.Sign() > 0 && len(targets) < mostTargets {
				targets[k] = x
			}
		}
	}
	for _, k := range slices.Sorted(maps.Keys(targets)) {
		for _, l := range slices.Sorted(maps.Keys(d)) {
			if d[l].C.Sign() < 0 {
				continue
			}
			for _, backwards := range []bool{false, true} {
				if backwards {
					slices.Reverse(steps)
					slices.Reverse(ratios)
				}
				// powers of the steps that lead from one term to the other, apart from coefficients
				powers := s.feasible(s.ratio(d[l], targets[k]), ratios)
				at := targets[k]
				for i, e := range powers {
					if e == nil || e.Sign() == 0 {
						continue
					}
					u := steps[i].use
					u.Power = e.RatString()
					excess, err := s.theory.Exceeds(steps[i].fact, e)
					if err != nil || len(excess.Sum) != 2 {
						break
					}
					lesser, _ := ends(excess.Sum)
					by, ok := s.theory.Quotient(at, lesser)
					if !ok {
						break
					}
					own := source{use: u, excess: excess, strict: steps[i].strict}
					sum := s.theory.Multiple(excess.Sum, by)
					out = append(out, column{own: &own, by: by, sum: sum})
					_, at = ends(sum)
				}
				if backwards {
					slices.Reverse(steps)
					slices.Reverse(ratios)
				}
			}
		}
	}
	return out
}

// ratio is the quotient of two terms, apart from coefficients, and its inverse.
func (s *solver) ratio(above, below algebra.Term) map[string]*big.Rat {
	at := func(t algebra.Term, i int) int {
		if i < len(t.Powers) {
			return t.Powers[i]
		}
		return 0
	}
	out := map[string]*big.Rat{}
	for i := range max(len(above.Powers), len(below.Powers)) {
		if e := at(above, i) - at(below, i); e != 0 && !s.theory.Number(i) {
			name := strconv.Itoa(i)
			out[name], out["−"+name] = big.NewRat(int64(e), 1), big.NewRat(int64(-e), 1)
		}
	}
	return out
}

// weights returns weights ≥ 0 such that the sum minus the weighted columns has no negative
// coefficient, nil if none are found.
func (s *solver) weights(d algebra.Sum, columns []column) []*big.Rat {
	coefficients := func(sum algebra.Sum) map[string]*big.Rat {
		out := make(map[string]*big.Rat, len(sum))
		for k, x := range sum {
			out[k] = x.C
			if !s.theory.Signed(x) { // nothing of it may remain
				out[k+" opposite"] = new(big.Rat).Neg(x.C)
			}
		}
		return out
	}
	var list []map[string]*big.Rat
	for _, c := range columns {
		list = append(list, coefficients(c.sum))
	}
	return s.feasible(coefficients(d), list)
}

// tableau is a system of inequalities in variables that are not negative: the columns, then the
// slacks of the rows.
type tableau struct {
	rows  []map[int]*big.Rat // by variable; -1 is the right side
	basic []int              // the variable of each row
	sizes []int              // of the columns
}

// newTableau states that the weighted columns are nowhere above the right side.
func newTableau(right map[string]*big.Rat, columns []map[string]*big.Rat) *tableau {
	t, index := &tableau{}, map[string]int{}
	enter := func(j int, column map[string]*big.Rat) {
		for _, k := range slices.Sorted(maps.Keys(column)) {
			i, known := index[k]
			if j >= 0 && column[k].Sign() == 0 {
				continue
			}
			if !known {
				i = len(t.rows)
				index[k] = i
				t.rows = append(t.rows, map[int]*big.Rat{-1: new(big.Rat)})
			}
			t.rows[i][j] = column[k]
		}
	}
	enter(-1, right)
	for j, c := range columns {
		enter(j, c)
		t.sizes = append(t.sizes, len(c))
	}
	for i := range t.rows {
		t.basic = append(t.basic, len(columns)+i)
		t.rows[i][t.basic[i]] = one
	}
	return t
}

// leaving is the row whose variable leaves, the worst or that of the smallest index, −1 if all are
// in order.
func (t *tableau) leaving(worst bool) int {
	leave := -1
	for i, row := range t.rows {
		if row[-1].Sign() < 0 && (leave < 0 || worst && row[-1].Cmp(t.rows[leave][-1]) < 0 ||
			!worst && t.basic[i] < t.basic[leave]) {
			leave = i
		}
	}
	return leave
}

// entering is the variable that enters in a row, the shortest or that of the smallest index, −1 if
// there is none.
func (t *tableau) entering(row int, shortest bool) int {
	size := func(j int) int {
		if shortest && j < len(t.sizes) {
			return t.sizes[j]
		}
		return 1
	}
	enter := -1
	for j, x := range t.rows[row] {
		if j >= 0 && x.Sign() < 0 && (enter < 0 ||
			cmp.Or(size(j)-size(enter), j-enter) < 0) {
			enter = j
		}
	}
	return enter
}

// pivot makes a variable that of a row.
func (t *tableau) pivot(leave, enter int, spend func(int)) {
	by := t.rows[leave]
	inverse := new(big.Rat).Inv(by[enter])
	for j, x := range by {
		by[j] = new(big.Rat).Mul(x, inverse)
	}
	for i, row := range t.rows {
		f, ok := row[enter]
		if i == leave || !ok {
			continue
		}
		spend(len(by))
		minus := new(big.Rat).Neg(f)
		for j, x := range by {
			v := new(big.Rat).Mul(x, minus)
			if was, ok := row[j]; ok {
				v.Add(v, was)
			}
			if v.Sign() == 0 && j >= 0 {
				delete(row, j)
			} else {
				row[j] = v
			}
		}
	}
	t.basic[leave] = enter
}

// feasible returns weights ≥ 0 such that the weighted columns are nowhere above the right side, nil
// if none are found: the dual simplex method in exact arithmetic, at first with the worst rows and
// the shortest columns, then with the smallest indices, with which it comes to an end.
func (s *solver) feasible(right map[string]*big.Rat, columns []map[string]*big.Rat) []*big.Rat {
	t := newTableau(right, columns)
	for pivots := range mostPivots {
		first := pivots < mostPivots/2
		leave := t.leaving(first)
		if leave < 0 {
			weights := make([]*big.Rat, len(columns))
			for i, b := range t.basic {
				if b < len(columns) {
					weights[b] = t.rows[i][-1]
				}
			}
			return weights
		}
		enter := t.entering(leave, first)
		if enter < 0 {
			return nil
		}
		t.pivot(leave, enter, s.spend)
	}
	return nil
}

// problem is a statement whose ranges of search are widened.
type problem struct {
	*formula.Problem
	limits []string // ranges that only the search needs and the proof uses
	reader *formula.Vocabulary
}

func (p *problem) scope() (certificate.Scope, string) {
	if len(p.limits) == 0 {
		return certificate.All, ""
	}
	return certificate.Sizes, strings.Join(p.limits, ", ")
}

func (p *problem) certificate(kind certificate.Kind) *certificate.Certificate {
	c := p.Certificate(kind)
	for i, premise := range p.Premises {
		if i > 0 {
			c.Statement += "; "
		}
		c.Statement += premise.String()
	}
	if c.Statement != "" {
		c.Statement += " implies "
	}
	c.Statement += p.Conclusion.String()
	return c
}
