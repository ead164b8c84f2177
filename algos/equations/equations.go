// Package equations reads and evaluates equations between what the runs of an algorithm are made
// of: vectors such as x^t, y_i^t and ∇f_i(x^t), index sets such as I^t, and numbers.
//
//	y_i^t = y_i^{t−1} + (1/b)Σ_{j∈I^t}(∇f_j(x^t) − ∇f_j(x^{t−1})) for i ∉ I^t
//	(1/n)Σ_i y_i^t − ∇f(x^t) = (1/n)Σ_{i∈Ĩ_1^t} e_i where e_i = y_i^0 − ∇f_i(x^0)
//	E_{|J|=b}(1/b)Σ_{j∈J} ∇f_ij(x^t) = ∇f_i(x^t)
//	‖x^t − x^0‖² ≤ tΣ_{s=1}^t‖x^s − x^{s−1}‖²
//
// A name is a letter, or ∇ and a letter, with indices below and above it and, in parentheses, those
// of its point x; signs that stand below side by side are several indices. What names mean is for
// the caller to say, but for those that the text itself defines behind "where". An equation holds
// for all t = 1 … T, s = 1 … t, k = 1 … K and i that stand in it and are not bound. Numbers have
// sums, products, quotients, powers (x)^{t−s} and integer parts ⌊x⌋; |S| is the size of a set, and
// 1[…] is 1 where a relation ≥, < or ∈ holds, else 0. An index is a whole number: a quotient among
// indices stands in ⌊ ⌋. Numbers times squared norms ‖v‖² and inner products ⟨v,w⟩ add up, and such
// sums may be related by ≤ as well. The sign Σ goes over all i, a set, or from one number to
// another, and so do max of numbers and ∪ of sets; it reaches to the next + or −. E is the mean
// over all sets of a size: of data if the letter is J, else of components or clients.
package equations

import (
	"math"
	"slices"
)

// Shape is what an expression is.
type Shape string

// The shapes.
const (
	Number Shape = "a number"
	Vector Shape = "a vector"
	Set    Shape = "a set"
	Form   Shape = "a sum of squares"
)

// Indices are those of a name, in the order in which they stand there.
type Indices [4]int

// Run is what names mean. A name is told with signs for its indices: y_^ for y_i^t, and ∇f_(^) for
// ∇f_i(x^t).
type Run interface {
	// Add adds c times a vector, or a number, to dst.
	Add(dst []float64, c float64, name string, at Indices)
	Set(name string, at Indices) []int
	// Sizes are the steps T, the local steps K, the components or clients, the data of each, and
	// the dimension.
	Sizes() (steps, local, clients, data, dim int)
}

// Sides are those of an equation for some indices: of sets their elements, of sums of squares these,
// else vectors.
type Sides struct {
	What    string // the left one, and where it holds
	Shape   Shape
	AtMost  bool // the left one is at most the right one
	Vectors [2][]float64
	Sets    [2][]int
	Squares [2][]Square
	Over    float64 // a common denominator of the numbers by which the text divides
	Divided bool    // whether the text divides
	Large   float64 // a bound on the numbers that a term multiplies or divides by, and on their product
	Amiss   string  // which index is no whole number, if one is not: then nothing is compared
}

// Square is a multiple of a squared norm.
type Square struct {
	Times float64
	Of    []float64
}

// System is a list of equations. It is not changed once read.
type System struct {
	all  []equation
	used map[string]bool
}

// Uses reports whether a name stands in the equations, told as a [Run] is, or E_{|I|}, a mean over
// sets of the letter, or ‖², a squared norm.
func (s *System) Uses(name string) bool { return s.used[name] }

// On evaluates the equations on a run.
func (s *System) On(r Run, visit func(Sides)) {
	p := &place{run: r, amiss: new(string)}
	p.sizes[0], p.sizes[1], p.sizes[2], p.sizes[3], p.sizes[4] = r.Sizes()
	for k := range s.all {
		e := &s.all[k]
		e.each(p, 0, func() { visit(e.at(p)) })
	}
}

// expression is a number, a vector or a set. A number is a vector of one component.
type expression struct {
	is  Shape
	add func(p *place, c float64, dst []float64)
	set func(p *place) []int
	// of a sum of squares
	each func(p *place, c float64, visit func(Square))
	fractions
}

// fractions are what the text says of the coefficients of an expression by its numerals: a common
// denominator, and a factor that they have. Either is 0 for 1. What is named divides nothing there:
// its denominators are those of the run.
type fractions struct {
	over, times float64
	large       float64 // bounds the product of all numbers in a term, names counted as 2; 0 for 1
	quotient    bool    // something is divided, and its integer part is not taken
}

// by are those of a product, plus those of a sum, and whole those of what need not have the factor.
func (f fractions) by(g fractions) fractions {
	return fractions{one(f.over) * one(g.over), one(f.times) * one(g.times),
		one(f.large) * one(g.large), f.quotient || g.quotient}
}

func (f fractions) plus(g fractions) fractions {
	a, b := one(f.over), one(g.over)
	for rest := math.Mod(b, a); rest > 0; rest = math.Mod(b, a) { // Euclid
		a, b = rest, a
	}
	return fractions{over: one(f.over) / a * one(g.over), large: max(one(f.large), one(g.large)),
		quotient: f.quotient || g.quotient}
}

func (f fractions) whole() fractions { return f.plus(fractions{}) }

func one(c float64) float64 {
	if c == 0 {
		return 1
	}
	return c
}

// place is where an expression is evaluated: on a run, for indices in the order in which they are
// bound, and for the index set over which a mean is taken.
type place struct {
	run   Run
	sizes [5]int // as [Run] has them
	index [mostIndices]int
	drawn []int
	amiss *string   // what is wrong with an index
	room  []float64 // for numbers in numbers
	used  int
}

const mostIndices, mostNested = 16, 16

// at is the value of a number.
func (e *expression) at(p *place) float64 {
	if p.used == len(p.room) {
		p.room = append(p.room, 0)
	}
	value := p.room[p.used : p.used+1]
	value[0] = 0
	p.used++
	e.add(p, 1, value)
	p.used--
	return value[0]
}

func numberOf(at func(p *place) float64) expression {
	return expression{is: Number, add: func(p *place, c float64, dst []float64) { dst[0] += c * at(p) }}
}

// square is c times the squared norm of a vector.
func (e *expression) square(p *place, c float64) Square {
	v := make([]float64, p.sizes[4])
	e.add(p, 1, v)
	return Square{c, v}
}

func setOf(at func(p *place) []int) expression { return expression{is: Set, set: at} }

// freeIndices are those that an equation need not bind.
const freeIndices = "tski"

// equation says that two sides agree for all free indices in it; i may be in a set, or outside.
type equation struct {
	what    string
	sides   [2]expression
	free    [len(freeIndices)]bool
	among   *expression
	outside bool
	atMost  bool // and not equal
}

// each goes through the free indices from one of them on.
func (e *equation) each(p *place, from int, visit func()) {
	switch {
	case from == len(freeIndices):
		visit()
		return
	case !e.free[from]:
		e.each(p, from+1, visit)
		return
	}
	least, most := 1, [...]int{p.sizes[0], p.index[0], p.sizes[1], p.sizes[2] - 1}[from]
	last := from == len(freeIndices)-1
	if last {
		least = 0
	}
	for p.index[from] = least; p.index[from] <= most; p.index[from]++ {
		if last && e.among != nil && slices.Contains(e.among.set(p), p.index[from]) == e.outside {
			continue
		}
		e.each(p, from+1, visit)
	}
}

// at are the sides for the free indices as they are.
func (e *equation) at(p *place) Sides {
	of := e.sides[0].plus(e.sides[1].fractions)
	s := Sides{What: e.what, Shape: e.sides[0].is, AtMost: e.atMost, Over: of.over,
		Divided: of.quotient, Large: of.large}
	for k, side := range e.sides {
		switch s.Shape {
		case Set:
			s.Sets[k] = slices.Sorted(slices.Values(side.set(p)))
		case Number:
			s.Vectors[k] = []float64{side.at(p)}
		case Form:
			side.each(p, 1, func(q Square) { s.Squares[k] = append(s.Squares[k], q) })
		default:
			s.Vectors[k] = make([]float64, p.sizes[4])
			side.add(p, 1, s.Vectors[k])
		}
	}
	s.Amiss, *p.amiss = *p.amiss, ""
	return s
}
