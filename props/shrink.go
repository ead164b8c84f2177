package props

import (
	"math"
	"strconv"
)

// shrink makes a confirmed counterexample simpler, one choice at a time, as long as it stays one
// with a fair part of its margin.
func (d *Deterministic) shrink(e *execution, c confirmed) confirmed {
	least := min(c.at.excess/2, 0.01)
	budget := e.budget(d.effort, leastShrinks, shrinks)
	for improved := true; improved; {
		improved = false
		for i := 0; i < len(c.choices); i++ {
			for _, v := range simpler(&c.drawn[i]) {
				if budget == 0 || e.ctx.Err() != nil {
					return c
				}
				budget--
				trial := append([]float64(nil), c.choices...)
				trial[i] = v
				f, ok := d.attempt(&c.pair, trial)
				if ok && f.at.broken && f.at.excess >= least && !(c.certified && !f.certified) &&
					d.rounding(e, &f) == "" {
					c, improved = f, true
					break
				}
			}
		}
	}
	return c
}

// attempt is examine for instances that nobody vouches for: a panic or an error only says that the
// instance will not do.
func (d *Deterministic) attempt(of *Pair, choices []float64) (f confirmed, ok bool) {
	defer func() { _ = recover() }()
	band := RoundingBand
	if of.fine {
		band = fineBand
	}
	f, err := d.examineOn(band, of.What, choices)
	return f, err == nil && f.pair.What != ""
}

// simpler lists values simpler than that of c, the simplest first.
func simpler(c *Choice) []float64 {
	var list []float64
	add := func(v float64) {
		if v >= c.Lo && v <= c.Hi && (!c.Int || v == math.Trunc(v)) &&
			complexity(c, v) < complexity(c, c.Value) {
			list = append(list, v)
		}
	}
	v := c.Value
	if c.Int {
		add(c.Lo)
		for step := math.Floor((v - c.Lo) / 2); step >= 1; step = math.Floor(step / 2) {
			add(v - step)
		}
		return list
	}
	for _, s := range [...]float64{0, 1, 0.5, 2, -1, 10, 0.1, c.Lo, c.Hi} {
		add(s)
	}
	if a := math.Abs(v); a > 0 {
		sign := math.Copysign(1, v)
		add(sign * math.Pow(10, math.Round(math.Log10(a))))
		add(sign * math.Ldexp(1, int(math.Round(math.Log2(a)))))
		for digits := 0; digits <= 2; digits++ {
			add(rounded(v, digits))
		}
	}
	return list
}

// rounded returns v with one digit before and the given number of digits after the decimal point of
// its scientific notation.
func rounded(v float64, digits int) float64 {
	r, _ := strconv.ParseFloat(strconv.FormatFloat(v, 'e', digits, 64), 64)
	return r
}

// complexity orders values by how simple they read: integers by their distance from the low end,
// other numbers by the length of their decimal form and then by their distance from 1.
func complexity(c *Choice, v float64) float64 {
	if c.Int {
		return v - c.Lo
	}
	s := float64(len(strconv.FormatFloat(v, 'g', -1, 64)))
	if v != 0 {
		s += math.Abs(math.Log10(math.Abs(v))) / 1000
	}
	return s
}
