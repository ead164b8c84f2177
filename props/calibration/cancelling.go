package calibration

import (
	"math"
	"math/rand/v2"

	"sledge/props"
)

// A scene is a true statement whose two sides are small beside numbers that cancel. It draws what
// it is about and compares; terms is the magnitude of what cancels. Where it is tight both sides
// are equal in exact arithmetic, else the measured number is at most the claimed one.
type scene struct {
	name    string
	tight   bool
	compare func(d *dice, h *hidden, say func(measured, claimed, terms float64))
	// lost, if not nil, says that a part of a side is lost in the hidden numbers at nearly every
	// instance: it leaves no trace in any arithmetic, as where f(y) = f(x) in float64 for all x and
	// y that are drawn. Only a stated scale helps.
	lost func(h *hidden, offset float64) bool
}

// hidden is what nobody but the scene knows of: numbers inside it, which no choice of the instance
// names.
type hidden struct {
	offset, close, rate float64
	depth               int
	v                   [8]float64 // in [1, 2)
}

// dice are what a scene draws with: choices of an instance, or the generator of a run.
type dice struct {
	real func(name string, lo, hi float64) float64
	int  func(name string, lo, hi int) int
	move func(v ...*float64) // hands numbers to Perturb, or does nothing
}

func (d *dice) moved(x float64) float64 { d.move(&x); return x }

var scenes = []scene{
	{"descent above an offset", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x, mu := d.real("x", 0.1, 10), d.real("mu", 0.1, 2)
		f := func(x float64) float64 { return mu/2*x*x + h.offset }
		first, bound, q := f(x)-h.offset, 1.0, 1-h.rate*mu/2
		for range h.depth {
			x, bound = d.moved(q*x), bound*q*q
			say(f(x)-h.offset, bound*first, h.offset+first)
		}
	}, nil},
	{"descent beside a null direction", true,
		func(d *dice, h *hidden, say func(m, c, terms float64)) {
			x, y := d.real("x", 0.1, 10), math.Sqrt(h.offset)*d.real("y", 1, 2)
			f := func(x, y float64) float64 { return (x*x + y*y) / 2 }
			least, q := f(0, y), 1-h.rate
			first, bound := f(x, y)-least, 1.0
			for range h.depth {
				x, bound = q*x, bound*q*q
				d.move(&x, &y)
				say(f(x, y)-f(0, y), bound*first, least+first)
			}
		}, nil},
	{"smoothness above an offset", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x, l := d.moved(d.real("x", -2, 2)), h.v[0]
		y := d.moved(x + h.close*d.real("h", 0.1, 1))
		f := func(x float64) float64 { return h.offset + l/2*x*x }
		say(f(y)-f(x)-l*x*(y-x), l/2*(y-x)*(y-x), h.offset+8)
	}, func(h *hidden, offset float64) bool {
		// what lies between x and y moves f by less than its last place
		return 2*h.v[0]*h.close < math.Nextafter(offset, math.Inf(1))-offset
	}},
	{"difference of squares", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x := d.moved(math.Sqrt(h.offset) * d.real("x", 1, 2))
		y := d.moved(x + h.close*d.real("h", -1, 1))
		say(x*x-y*y, (x-y)*(x+y), 8*h.offset)
	}, nil},
	{"telescoping sum", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		a := d.moved(h.offset * d.real("a", 1, 2))
		sum, now := 0.0, a
		last := d.real("end", 1, 2)
		for k := 1; k <= h.depth; k++ {
			next := d.moved(a * h.v[k%8])
			if k == h.depth {
				next = last
			}
			sum, now = sum+(next-now), next
		}
		say(sum+a, last, 2*h.offset*float64(h.depth))
	}, nil},
	{"recurrence for integrals, from above", false,
		func(d *dice, h *hidden, say func(m, c, terms float64)) {
			m := float64(2 + int(8*(h.v[0]-1)))
			n := d.int("n", 1, 25)
			v := math.Log((m + 1) / m)
			for k := 1; k <= n; k++ {
				v = 1/float64(k) - m*v
			}
			say(v, 1/(m*float64(n+1)), 1)
		}, nil},
	{"recurrence for integrals, from below", false,
		func(d *dice, h *hidden, say func(m, c, terms float64)) {
			m := 2 + 8*(h.v[0]-1)
			v := math.Log((m + 1) / m)
			for k := 1; k <= d.int("n", 1, 25); k++ {
				v = 1/float64(k) - m*v
				say(1/((m+1)*float64(k+1)), v, 1)
			}
		}, nil},
	{"variance of shifted numbers", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		n := 2 + h.depth%6
		var z [8]float64
		for i := range n {
			z[i] = d.real("z", -1, 1)
			d.move(&z[i])
		}
		variance := func(shift float64) float64 {
			sum, squares := 0.0, 0.0
			for _, x := range z[:n] {
				sum += shift + x
				squares += (shift + x) * (shift + x)
			}
			mean := sum / float64(n)
			return squares/float64(n) - mean*mean
		}
		say(variance(math.Sqrt(h.offset)), variance(0), 2*h.offset)
	}, nil},
	{"variance is not negative", false, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		n, sum, squares := 2+h.depth%30, 0.0, 0.0
		for range n {
			x := d.moved(math.Sqrt(h.offset) + h.close*d.real("z", -1, 1))
			sum += x
			squares += x * x
		}
		say(sum/float64(n)*(sum/float64(n)), squares/float64(n), h.offset)
	}, nil},
	{"square of a sum", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		a := d.moved(math.Sqrt(h.offset) * d.real("a", 1, 2))
		b := d.moved(h.close * d.real("b", 0.1, 1))
		say((a+b)*(a+b)-a*a-2*a*b, b*b, 8*h.offset)
	}, nil},
	{"distance by the inner product", true,
		func(d *dice, h *hidden, say func(m, c, terms float64)) {
			var xx, yy, xy, far float64
			for k := range 3 {
				x := d.moved(math.Sqrt(h.offset) * d.real("x", -1, 1) * h.v[k])
				y := d.moved(x + h.close*d.real("h", -1, 1))
				xx, yy, xy, far = xx+x*x, yy+y*y, xy+x*y, far+(x-y)*(x-y)
			}
			say(xx+yy-2*xy, far, 24*h.offset)
		}, nil},
	{"a product that cancels", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		a, b := d.moved(math.Sqrt(h.offset)*d.real("a", 1, 2)),
			d.moved(math.Sqrt(h.offset)*d.real("b", 1, 2))
		e := h.close * h.v[1]
		say((a+e)*(b-e)-a*b, e*(b-a)-e*e, 8*h.offset)
	}, nil},
	{"a polynomial near its root", false, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x := d.moved(1 + d.real("x", -1, 1)*math.Pow(h.close, 0.3))
		say(0, x*x*x*x*x*x-6*x*x*x*x*x+15*x*x*x*x-20*x*x*x+15*x*x-6*x+1, 64)
	}, nil},
	{"an alternating series", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x := d.moved(d.real("x", 1, 5+math.Log10(h.offset)*2))
		sum, term := 1.0, 1.0
		for k := 1; k < 200; k++ {
			term *= -x / float64(k)
			sum += term
		}
		say(sum, math.Exp(-x), math.Exp(x))
	}, nil},
	{"1 − cos", false, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x := h.close * d.real("x", 0.1, 1)
		say(x*x/2-x*x*x*x/24, 1-math.Cos(x), 1)
	}, nil},
	{"a root less its argument", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		x := d.moved(math.Sqrt(h.offset) * d.real("x", 1, 2))
		r := math.Sqrt(x*x + h.v[2])
		say(r-x, h.v[2]/(r+x), 2*math.Sqrt(h.offset))
	}, nil},
	{"logarithm of a sum of exponentials", true,
		func(d *dice, h *hidden, say func(m, c, terms float64)) {
			x, y := d.real("x", -1, 1), d.real("y", -1, 1)
			a := min(h.offset, 600)
			say(math.Log(math.Exp(a+x)+math.Exp(a+y))-a, math.Log(math.Exp(x)+math.Exp(y)), 2*a)
		}, nil},
	{"a sum of numbers of both signs", true,
		func(d *dice, h *hidden, say func(m, c, terms float64)) {
			sum, small := 0.0, 0.0
			for k := range h.depth {
				e := d.moved(d.real("e", 0.5, 1))
				big := h.offset * h.v[k%8] * float64(1-2*(k%2)) * (1 + e)
				sum += big
				sum += e
				sum -= big
				small += e
			}
			say(sum, small, 4*h.offset*float64(h.depth))
		}, nil},
	{"whole numbers", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		k := float64(d.int("k", 1, 1000))
		v := h.close * h.v[3]
		say((h.offset*k+v)-h.offset*k, v, 1000*h.offset)
	}, nil},
	{"values at the ends of a run", true, func(d *dice, h *hidden, say func(m, c, terms float64)) {
		// Σ (η/2)(2 − ηL) g² = f(x_0) − f(x_T) for descent on (L/2) x² + A
		x, l := d.real("x", 0.1, 1), h.v[4]
		eta := h.rate / l
		f := func(x float64) float64 { return l/2*x*x + h.offset }
		first, sum := f(x), 0.0
		for range h.depth {
			g := l * x
			sum += eta / 2 * (2 - eta*l) * g * g
			x = d.moved(x - eta*g)
			say(first-f(x), sum, h.offset+2)
		}
	}, nil},
}

// drawn is a null: a scene with hidden numbers, and the kind of check that states it.
type drawn struct {
	scene
	hidden
	moves   bool
	kind    string
	least   bool    // states it the other way round
	by      float64 // relative size of a violation, 0 for a true statement
	premise float64 // share of instances that an implication admits
	scaled  bool    // its comparisons state the size of what cancels
}

// grid is that of slopes, by which what cancels grows.
var grid = []float64{1, 3, 10, 30, 100}

var everyKind = []string{"identity", "inequality", "implication", "tail", "mean",
	"hitting", "slope"}

// draw draws a null, or a false twin of one: its measured side is off by a share of 1e-9 to 1 of
// the claimed one, and by not less than 2⁻³⁶ of what cancels.
func draw(r *rand.Rand, twin bool) *drawn {
	for {
		if n := throw(r, twin); !n.loses() {
			return n
		}
	}
}

// drawLost draws a null of which a part is lost, in a kind of check that can state what cancels.
func drawLost(r *rand.Rand) *drawn {
	for {
		n := throw(r, false)
		switch n.scaled = true; {
		case !n.loses(), n.kind == "mean", n.kind == "hitting", n.kind == "slope":
			continue
		}
		return n
	}
}

// loses reports whether a part is lost at the largest offset at which the check looks.
func (n *drawn) loses() bool {
	offset := n.offset
	if n.kind == "slope" {
		offset *= grid[len(grid)-1]
	}
	return n.lost != nil && n.lost(&n.hidden, offset)
}

// throw draws one whether a part is lost or not.
func throw(r *rand.Rand, twin bool) *drawn {
	between := func(lo, hi float64) float64 { return lo * math.Pow(hi/lo, r.Float64()) }
	n := &drawn{moves: r.IntN(2) == 0, least: r.IntN(2) == 0, premise: 0.2 + 0.8*r.Float64()}
	for {
		n.scene, n.kind = scenes[r.IntN(len(scenes))], everyKind[r.IntN(len(everyKind))]
		if n.tight || !twin && n.kind != "identity" && n.kind != "mean" && n.kind != "slope" {
			break
		}
	}
	n.offset, n.close, n.rate = between(1, 1e12), between(1e-9, 1), between(0.01, 0.9)
	n.depth = int(between(1, 200))
	for i := range n.v {
		n.v[i] = 1 + r.Float64()
	}
	if r.IntN(3) == 0 {
		n.offset = math.Round(n.offset) // a number that float64 represents exactly
	}
	if twin {
		n.by = between(1e-9, 1)
	}
	return n
}

// sides are what a scene compares, with the violation.
func (n *drawn) sides(d *dice, say func(m, c, terms float64)) {
	n.compare(d, &n.hidden, func(m, c, terms float64) {
		if n.by > 0 {
			m += n.by*math.Abs(c) + 0x1p-36*terms
		}
		say(m, c, terms)
	})
}

func (n *drawn) chosen(s *props.Source) *dice {
	return &dice{s.Real, s.Int, func(v ...*float64) {
		for _, x := range v {
			if one := []float64{*x}; n.moves {
				s.Perturb(one)
				*x = one[0]
			}
		}
	}}
}

func (n *drawn) thrown(t props.Trial) *dice {
	r, at := t.Key.Rand(), 0
	return &dice{
		func(_ string, lo, hi float64) float64 { return lo + (hi-lo)*r.Float64() },
		func(_ string, lo, hi int) int { return lo + r.IntN(hi-lo+1) },
		func(v ...*float64) {
			for _, x := range v {
				if one := []float64{*x}; n.moves {
					at++
					t.Key.At(at).Perturb(one)
					*x = one[0]
				}
			}
		}}
}

func (n *drawn) record(rec *props.Recorder) func(m, c, terms float64) {
	return func(m, c, terms float64) {
		var p *props.Pair
		switch {
		case n.kind == "identity":
			p = rec.Equal(n.name, m, c)
		case n.least:
			p = rec.AtLeast(n.name, c, m)
		default:
			p = rec.AtMost(n.name, m, c)
		}
		if n.scaled {
			p.Scale(terms)
		}
	}
}

// apart is the largest difference of the two sides, relative to the claimed one.
func (n *drawn) apart(d *dice) float64 {
	most := 0.0
	n.sides(d, func(m, c, _ float64) {
		if c != 0 {
			most = max(most, math.Abs(m-c)/math.Abs(c))
		}
	})
	return most
}

func (n *drawn) check() props.Check {
	try := func(s *props.Source, rec *props.Recorder) { n.sides(n.chosen(s), n.record(rec)) }
	switch n.kind {
	case "identity":
		return props.Identity(try)
	case "inequality":
		return props.Inequality(try)
	case "implication":
		return props.Implication(func(s *props.Source, rec *props.Recorder) {
			if s.Real("premise", 0, 1) > n.premise {
				rec.Skip("the premise")
				return
			}
			try(s, rec)
		})
	case "tail":
		return props.Tail(func(*props.Source) props.TailTrial {
			return props.TailTrial{Delta: 0.1, Run: func(t props.Trial, rec *props.Recorder) {
				n.sides(n.thrown(t), n.record(rec))
			}}
		})
	case "mean": // the squared distance of two equal numbers
		return props.Mean(func(*props.Source) props.MeanTrial {
			return props.MeanTrial{Claimed: 1e-40, Relation: props.LE,
				Run: func(t props.Trial) float64 { d := n.apart(n.thrown(t)); return d * d }}
		})
	case "hitting": // the sides are in order at the last comparison
		return props.Hitting(func(*props.Source) props.HittingTrial {
			return props.HittingTrial{Horizon: 1, Delta: 0.1, Run: func(t props.Trial) (int, bool) {
				holds := false
				n.sides(n.thrown(t), func(m, c, _ float64) { holds = m <= c+1e-9*math.Abs(c) })
				return 1, holds
			}}
		})
	}
	// a constant does not grow, where what cancels does
	return props.Slope(func(*props.Source) props.SlopeTrial {
		grows := *n
		return props.SlopeTrial{Of: props.OfMedian, XLabel: "x", YLabel: "y", X: grid,
			Run: func(t props.Trial, x float64) float64 {
				at := grows
				at.offset *= x
				if n.by > 0 {
					return (1 + at.by) * math.Pow(x, 0.3) * (1 + min(at.apart(at.thrown(t)), 1e-6))
				}
				return 1 + at.apart(at.thrown(t))
			}}
	})
}
