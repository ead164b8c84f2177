package calibration

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sledge/props"
)

// coordinate is a number that an instance of a drawn family draws.
type coordinate struct {
	name   string
	lo, hi float64
	log    bool
	whole  bool
}

// draw returns the place of the number in its range, from 0 to 1, of a whole one the number itself.
func (c *coordinate) draw(s *props.Source) float64 {
	switch {
	case c.whole:
		return float64(s.Int(c.name, int(c.lo), int(c.hi)))
	case c.log:
		return math.Log(s.LogReal(c.name, c.lo, c.hi)/c.lo) / math.Log(c.hi/c.lo)
	}
	return (s.Real(c.name, c.lo, c.hi) - c.lo) / (c.hi - c.lo)
}

// rare is a statement about a probability of which a share of the instances is bad.
type rare struct {
	coordinates []coordinate
	bad         func(at []float64) bool
	share       float64 // of the bad instances among even draws
	allowed     float64
	good, rate  float64 // probability of a violation on the good instances and on the bad ones
	spread      float64 // of the logarithm of the number that a run compares; 0: it compares a flag
}

// drawRare draws a statement that is bad on a share between least and most of its instances: in an
// interior box of one to four numbers, in a disc, in a band, at one value of a whole number, or at
// one of several alternatives where another number lies in an interval. The allowed probability is
// between 0.03 and 0.2; on bad instances it is exceeded by a factor between 1.5 and 8 if the
// statement is false, and approached from below if it is true.
func drawRare(r *rand.Rand, least, most float64, truth bool) *rare {
	between := func(lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() }
	logBetween := func(lo, hi float64) float64 { return lo * math.Exp(r.Float64()*math.Log(hi/lo)) }
	f := &rare{share: logBetween(least, most), allowed: logBetween(0.03, 0.2)}
	f.good = f.allowed * between(0, 0.7)
	if f.rate = min(0.9, f.allowed*logBetween(1.5, 8)); truth {
		f.rate = f.allowed * between(0.6, 1)
	}
	if r.IntN(2) == 0 {
		f.spread = between(0.1, 1)
	}
	real := func() int {
		c := coordinate{name: fmt.Sprintf("x%d", len(f.coordinates)), hi: logBetween(1, 100),
			log: r.IntN(3) == 0}
		if c.log {
			c.lo = c.hi * math.Exp(-between(2, 10))
		}
		f.coordinates = append(f.coordinates, c)
		return len(f.coordinates) - 1
	}
	whole := func(lo, hi int) int {
		f.coordinates = append(f.coordinates,
			coordinate{name: fmt.Sprintf("k%d", len(f.coordinates)), lo: float64(lo),
				hi: float64(hi), whole: true})
		return len(f.coordinates) - 1
	}
	interval := func(length float64) (lo, hi float64) { // inside the range
		edge := 0.1 * (1 - length)
		lo = between(edge, 1-length-edge)
		return lo, lo + length
	}
	switch r.IntN(5) {
	case 0: // a box
		var lo, hi []float64
		left := f.share
		for k := 1 + r.IntN(4); k > 0; k-- {
			side := left
			if k > 1 {
				side = min(0.9, max(left, math.Pow(left, between(0.7, 1.3)/float64(k))))
			}
			left /= side
			real()
			a, b := interval(side)
			lo, hi = append(lo, a), append(hi, b)
		}
		f.bad = func(at []float64) bool {
			for i := range lo {
				if at[i] < lo[i] || at[i] > hi[i] {
					return false
				}
			}
			return true
		}
	case 1: // a disc
		i, j := real(), real()
		radius := math.Sqrt(f.share / math.Pi)
		x, y := between(radius, 1-radius), between(radius, 1-radius)
		f.bad = func(at []float64) bool { return math.Hypot(at[i]-x, at[j]-y) <= radius }
	case 2: // a band along a diagonal
		i, j := real(), real()
		from := r.Float64()
		f.bad = func(at []float64) bool {
			u := at[i] + at[j] - from + 1
			return u-math.Floor(u) < f.share
		}
	case 3: // one value of a whole number
		values := int(math.Floor(1 / f.share))
		f.share = 1 / float64(values)
		from := r.IntN(20)
		i := whole(from, from+values-1)
		at := float64(from + 1 + r.IntN(values-2))
		f.bad = func(a []float64) bool { return a[i] == at }
	case 4: // one of some values, and an interval
		values := 2 + r.IntN(min(7, int(0.8/f.share)-1))
		i, j := whole(1, values), real()
		at := float64(1 + r.IntN(values))
		lo, hi := interval(f.share * float64(values))
		f.bad = func(a []float64) bool { return a[i] == at && a[j] >= lo && a[j] <= hi }
	}
	for range r.IntN(3) { // numbers that do not matter
		if r.IntN(2) == 0 {
			real()
		} else {
			whole(1, 2+r.IntN(30))
		}
	}
	return f
}

func (f *rare) check() props.Check {
	return props.Tail(func(s *props.Source) props.TailTrial {
		at := make([]float64, len(f.coordinates))
		for i := range at {
			at[i] = f.coordinates[i].draw(s)
		}
		p := f.good
		if f.bad(at) {
			p = f.rate
		}
		if f.spread == 0 {
			return props.TailTrial{Delta: f.allowed, Run: coin(p)}
		}
		quantile := math.Sqrt2 * math.Erfinv(1-2*p)
		return props.TailTrial{Delta: f.allowed, Run: func(t props.Trial, rec *props.Recorder) {
			rec.AtMost("x", math.Exp(f.spread*(t.Key.Rand().NormFloat64()-quantile)), 1)
		}}
	})
}

// rares are drawn statements that are bad on a small share of their instances, and true ones of the
// same shapes.
func rares() []Statement {
	drawn := func(name, truth string, runs int, least, most float64, holds bool,
		limits ...Limit) Statement {
		return Statement{Name: name, Kind: "rare", Truth: truth, Runs: runs, Limits: limits,
			Check: func(r *rand.Rand) props.Check {
				return drawRare(r, least, most, holds).check()
			},
			Share: func(r *rand.Rand) float64 {
				if holds {
					return 0
				}
				return drawRare(r, least, most, holds).share
			}}
	}
	return []Statement{
		drawn("false on 2 % to 10 % of the instances", "false", 200, 0.02, 0.1, false,
			atLeast(0.9, refuted), atMost(0.02, supported), Limit{Uncovered: true, Rate: 0.05}),
		drawn("false on 1 % to 2 % of the instances", "false", 400, 0.01, 0.02, false,
			atLeast(0.9, refuted), atMost(0.02, supported), Limit{Uncovered: true, Rate: 0.05}),
		drawn("false on 0.5 % to 1 % of the instances", "false", 400, 0.005, 0.01, false,
			Limit{Uncovered: true, Rate: 0.05}),
		drawn("true, and close to false on 0.5 % to 10 % of the instances", "true", 400, 0.005,
			0.1, true, never(refuted)),
	}
}
