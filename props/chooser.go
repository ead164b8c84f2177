package props

import (
	"math"
	"math/rand/v2"
	"strconv"
	"strings"

	"sledge/props/keyed"
)

// At returns the value at position u in [0, 1] of the range.
func (c *Choice) At(u float64) float64 {
	u = min(max(u, 0), 1)
	switch {
	case c.Int && c.Log:
		return min(math.Floor(c.Lo*math.Pow((c.Hi+1)/c.Lo, u)), c.Hi)
	case c.Int:
		return min(c.Lo+math.Floor(u*(c.Hi-c.Lo+1)), c.Hi)
	case c.Log && math.IsInf(c.Hi/c.Lo, 0):
		return min(max(c.Lo*math.Pow(math.Sqrt(c.Hi)/math.Sqrt(c.Lo),
			u)*math.Pow(math.Sqrt(c.Hi)/math.Sqrt(c.Lo), u),
			c.Lo), c.Hi)
	case c.Log:
		return min(max(c.Lo*math.Pow(c.Hi/c.Lo, u), c.Lo), c.Hi)
	case math.IsInf(c.Hi-c.Lo, 0):
		return (1-u)*c.Lo + u*c.Hi
	}
	return c.Lo + u*(c.Hi-c.Lo)
}

// position is the inverse of At: the middle of the positions that give v.
func (c *Choice) position(v float64) float64 {
	switch {
	case c.Hi == c.Lo:
		return 0.5
	case c.Int && c.Log:
		return math.Log((v+0.5)/c.Lo) / math.Log((c.Hi+1)/c.Lo)
	case c.Int:
		return (v - c.Lo + 0.5) / (c.Hi - c.Lo + 1)
	case c.Log && math.IsInf(c.Hi/c.Lo, 0):
		return (math.Log(v) - math.Log(c.Lo)) / (math.Log(c.Hi) - math.Log(c.Lo))
	case c.Log:
		return math.Log(v/c.Lo) / math.Log(c.Hi/c.Lo)
	}
	return (v/2 - c.Lo/2) / (c.Hi/2 - c.Lo/2)
}

// uniform chooses evenly.
func uniform(r *rand.Rand) Chooser {
	return func(c Choice) float64 { return c.At(r.Float64()) }
}

// corners prefers ends of ranges, their neighbourhoods and round numbers.
func corners(r *rand.Rand) Chooser {
	return func(c Choice) float64 {
		u := r.Float64()
		if c.Seed {
			return c.At(u)
		}
		switch p := r.Float64(); {
		case p < 0.22:
			return c.Lo
		case p < 0.44:
			return c.Hi
		case p < 0.60:
			return roundValue(c, r)
		case p < 0.68:
			return c.At(u * u * u * u)
		case p < 0.76:
			return c.At(1 - u*u*u*u)
		}
		return c.At(u)
	}
}

// roundValue returns a power of two or ten, a simple fraction, or zero from the range, or any value
// if the range has none of them.
func roundValue(c Choice, r *rand.Rand) float64 {
	simple := [...]float64{0, 1, 0.5, 2, -1, 0.25, 3, 4, -0.5, -2}
	for range 4 {
		var v float64
		switch r.IntN(3) {
		case 0:
			v = simple[r.IntN(len(simple))]
		case 1:
			v = math.Pow(10, float64(r.IntN(13)-6))
		default:
			v = math.Ldexp(1, r.IntN(25)-12)
		}
		if v >= c.Lo && v <= c.Hi {
			return v
		}
	}
	return c.At(r.Float64())
}

// structured makes choices that belong together: all at the same relative place, all at one end but
// a few, alternating ends, or on the grid of ends and middles.
func structured(r *rand.Rand) Chooser {
	mode, common, k := r.IntN(5), r.Float64(), r.IntN(2)
	return func(c Choice) float64 {
		u := r.Float64()
		if c.Seed {
			return c.At(u)
		}
		switch mode {
		case 0:
			return c.At(common)
		case 1, 2:
			if r.Float64() < 0.3 {
				return c.At(u)
			}
			return c.At(float64(mode - 1))
		case 3:
			k++
			return c.At(float64(k % 2))
		}
		return c.At(math.Floor(3*u) / 2)
	}
}

// related makes choices that are simple functions of earlier ones, and the rest evenly: statements
// fail where two parameters are equal, where one divides the other, or where they balance.
func related(r *rand.Rand) Chooser {
	var earlier []float64
	same := r.IntN(2) == 0 // nothing but equality in this instance
	return func(c Choice) float64 {
		v := c.At(r.Float64())
		if c.Seed || c.Names != nil {
			return v
		}
		if len(earlier) > 0 && r.Float64() < 0.6 {
			for range 3 {
				w := earlier[r.IntN(len(earlier))]
				if !same {
					w = relative(r, w, c.Int)
				}
				if w >= c.Lo && w <= c.Hi && (!c.Int || w == math.Round(w)) {
					v = w
					break
				}
			}
		}
		earlier = append(earlier, v)
		return v
	}
}

// relative returns a simple function of v: itself, a neighbour, its inverse, half, double, square,
// root or, of an integer, a divisor. With integer, what is none is rounded to either side.
func relative(r *rand.Rand, v float64, integer bool) float64 {
	switch r.IntN(9) {
	case 0:
		v++
	case 1:
		v--
	case 2:
		return 1 / v
	case 3:
		v /= 2
	case 4:
		v *= 2
	case 5:
		v *= v
	case 6:
		v = math.Sqrt(v)
	case 7:
		if v == math.Trunc(v) && v > 1 && v < 1<<20 {
			return divisor(r, int(v))
		}
	}
	if integer && v != math.Trunc(v) {
		return math.Floor(v) + float64(r.IntN(2))
	}
	return v
}

// divisor returns the product of some of the prime factors of n > 1.
func divisor(r *rand.Rand, n int) float64 {
	var primes []int
	m := n
	for p := 2; p*p <= m; p++ {
		for ; m%p == 0; m /= p {
			primes = append(primes, p)
		}
	}
	if m > 1 {
		primes = append(primes, m)
	}
	d := 1
	for _, p := range primes {
		if r.IntN(2) == 0 {
			d *= p
		}
	}
	return float64(d)
}

// replayed gives the recorded values in order; what is drawn beyond them comes from rest. A value
// that does not fit the range it meets is clamped by the source.
func replayed(values []float64, rest Chooser) Chooser {
	i := 0
	return func(c Choice) float64 {
		if i >= len(values) {
			return rest(c)
		}
		i++
		return values[i-1]
	}
}

// placed gives values at the recorded positions of their ranges, in order; what is drawn beyond
// them lies in the middle.
func placed(positions []float64) Chooser {
	position := replayed(positions, func(Choice) float64 { return 0.5 })
	return func(c Choice) float64 { return c.At(position(c)) }
}

func middle(c Choice) float64 { return c.At(0.5) }

func values(drawn []Choice) []float64 {
	v := make([]float64, len(drawn))
	for i := range drawn {
		v[i] = drawn[i].Value
	}
	return v
}

// where lists the draws for a reader: "n = 3, b = 1, eta = 0.25". Seeds of random streams, which
// mean nothing by themselves, stand at the end.
func where(drawn []Choice) string {
	var parts, seeds []string
	for i := range drawn {
		if c := &drawn[i]; c.Seed {
			seeds = append(seeds, c.Name+" "+c.text())
		} else {
			parts = append(parts, c.Name+" = "+c.text())
		}
	}
	if len(seeds) > 0 {
		parts = append(parts, "random seeds: "+strings.Join(seeds, ", "))
	}
	return strings.Join(parts, ", ")
}

// text is the value as a reader sees it.
func (c *Choice) text() string {
	switch k := int(c.Value); {
	case c.Names != nil && k < len(c.Names):
		return c.Names[k]
	case c.Int:
		return minus(strconv.FormatFloat(c.Value, 'f', -1, 64))
	}
	return Number(c.clamp(c.Value), 6)
}

// Mixed returns the way in which the engine draws the i-th instance of a search: even draws,
// corners and round values, choices that belong together, and choices that are simple functions of
// earlier ones, in turn.
func Mixed(key keyed.Key, i int) Chooser {
	r := key.At(i).Rand()
	switch i %= 10; {
	case i < 4:
		return uniform(r)
	case i < 6:
		return corners(r)
	case i < 8:
		return structured(r)
	}
	return related(r)
}
