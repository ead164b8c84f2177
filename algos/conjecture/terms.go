package conjecture

import (
	"math"
	"slices"

	"sledge/props"
	"sledge/props/formula"
)

// reading is a formula of those of some quantities that stand in it, by their places.
type reading struct {
	of   *formula.Program
	from []int
}

func readingOf(t *formula.Tree, all []string) reading {
	r := reading{of: t.Of(t.Symbols()...)}
	for _, name := range t.Symbols() {
		r.from = append(r.from, slices.Index(all, name))
	}
	return r
}

// at is its value, given the first of the quantities and those behind them.
func (r *reading) at(first, behind []float64) float64 {
	var room [16]float64
	arguments := room[:0]
	for _, k := range r.from {
		if k < len(first) {
			arguments = append(arguments, first[k])
		} else {
			arguments = append(arguments, behind[k-len(first)])
		}
	}
	return r.of.At(arguments...)
}

// rung is what a side of a statement comes to up to one of its terms.
type rung struct {
	name string
	sum  reading
}

// summand is a term of a sum.
type summand struct {
	sign string
	term *formula.Tree
}

func summands(t *formula.Tree) []summand {
	switch t.Op {
	case "+":
		return append(summands(t.Args[0]), summands(t.Args[1])...)
	case "-":
		return append(summands(t.Args[0]), summand{"-", t.Args[1]})
	}
	return []summand{{"+", t}}
}

// rungsOf goes up the terms of a side, which have their names as the side is written, and their
// values in the symbols that it is reduced to.
func rungsOf(written, reduced *formula.Tree, all []string) []rung {
	var out []rung
	terms := summands(reduced)
	upTo := terms[0].term
	for i, named := range summands(written) {
		name := named.term.String()
		if i > 0 {
			upTo = &formula.Tree{Op: terms[i].sign, Args: []*formula.Tree{upTo, terms[i].term}}
			name = map[string]string{"+": "+ ", "-": "− "}[named.sign] + name
		}
		out = append(out, rung{name, readingOf(upTo, all)})
	}
	return out
}

// rise has a run show where the larger side of a statement exceeds the smaller one: the terms of
// both, where there are several, each on top of those before it.
func (c *Conjecture) rise(worst *sides, rec *props.Recorder) {
	if len(c.rungs) < 3 {
		return
	}
	for i, r := range c.rungs {
		rec.Link(r.name, worst.rungs[i])
	}
}

// nearer reports whether the sides are nearer to a violation than others, or violate more, as a
// [props.Recorder] has it.
func (s *sides) nearer(than *sides) bool { return !than.known || s.excess() > than.excess() }

// excess is the difference of the sides over their size, or over that of the terms whose rounding
// may make them differ.
func (s *sides) excess() float64 {
	gap, larger := s.left-s.right, max(math.Abs(s.left), math.Abs(s.right))
	switch {
	case larger <= props.RoundingBand*s.size:
		return -1
	case gap < 0:
		return gap / larger
	}
	return gap / s.size
}
