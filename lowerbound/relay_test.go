package lowerbound

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/proptest"
)

func TestRelayDerivatives(t *testing.T) {
	proptest.Instances(t, 200, func(src *props.Source) {
		_, _, p, x0 := drawRelay(src, [2]int{1, 24}, [2]int{1, 3})
		x, r := append([]float64(nil), x0...), src.Rand("direction")
		for k := range p.T {
			drawRound(src, p, x, k)
		}
		d := p.Dim()
		g, mean, full, h, y, u := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d), make([]float64, d), make([]float64, d)
		for l := range x {
			u[l] = p.bend * r.NormFloat64() // the smallest length on which anything changes
			x[l] += 0.3 * p.bend * r.NormFloat64()
		}
		for i := range p.n {
			p.Gradient(g, x, i)
			floats.AddScaled(mean, 1/float64(p.n), g)
		}
		p.FullGradient(full, x)
		if far := floats.Distance(mean, full, 2); far > 1e-12*(p.a+p.l*floats.Norm(x, 2)) {
			t.Errorf("mean of gradients %v off the full gradient", far)
		}
		// f is large and flat: differences over p.bend are measured against the rounding of the
		// values.
		length := floats.Norm(u, 2)
		value := func(t float64) float64 { floats.AddScaledTo(y, x, 10*t, u); return p.Value(y) }
		if got, want := slope(value), 10*floats.Dot(full,
			u); math.Abs(got-want) > 1e-9*math.Abs(p.Value(x))+1e-4*(math.Abs(want)+p.l*length*length) {
			t.Errorf("slope of the values %v, of the gradient %v", got, want)
		}
		i := src.Int("component", 0, p.n-1)
		p.ComponentHessianVector(h, x, u, i)
		for l := range d {
			got := slope(func(t float64) float64 {
				floats.AddScaledTo(y, x, t, u)
				p.Gradient(g, y, i)
				return g[l]
			})
			if math.Abs(got-h[l]) > 1e-3*p.l*length {
				t.Errorf("slope of entry %d of the gradient %v, of the Hessian %v", l, got, h[l])
			}
		}
	})
}

func TestRelayAudit(t *testing.T) {
	proptest.Instances(t, 60, func(src *props.Source) {
		_, _, p, x0 := drawRelay(src, [2]int{1, 24}, [2]int{1, 2})
		points := [][]float64{x0}
		for range 4 {
			x := append([]float64(nil), x0...)
			for k := range p.T {
				drawRound(src, p, x, k)
			}
			points = append(points, x)
		}
		all := problems.Audit(p, x0, points)
		if len(all) < 5 {
			t.Errorf("only %d constants audited", len(all))
		}
		if w := problems.WorstAudited(all); w.Ratio > 1 {
			t.Errorf("%s: certified %v (%s), seen %v at %s", w.Name, w.Certified.Value,
				w.Certified.Why, w.Seen, w.Where)
		}
	})
}

// The bounds on derivatives behind the constants of the relay.
func TestRelayConstants(t *testing.T) {
	var first, second, third float64
	for v := 0.0; v <= 1; v += 1.0 / 4096 {
		p, d1, d2 := step(v)
		first, second = max(first, d1), max(second, math.Abs(d2))
		if v > 0.01 && v < 0.99 { // the formula reaches over v ± 0.002
			third = max(third,
				math.Abs(slope(func(t float64) float64 { _, _, d := step(v + t); return d })))
		}
		if want := slope(func(t float64) float64 { return stepIntegral(v + t) }); math.Abs(want-p) > 1e-8 {
			t.Fatalf("p(%v) = %v, slope of its integral %v", v, p, want)
		}
		if want := slope(func(t float64) float64 {
			return stepIntegral2(v + t)
		}); math.Abs(want-stepIntegral(v)) > 1e-8 {
			t.Fatalf("integral of p to %v: %v, slope of its integral %v", v, stepIntegral(v), want)
		}
	}
	for _, x := range []struct {
		what             string
		got, want, slack float64
	}{
		{"p'", first, step1, 1e-12}, {"p''", second, step2, 1e-5}, {"p'''", third, step3, 5},
		{"norm of the tilt", norm(2, func(dst, u []float64) {
			dst[0], dst[1] = step1*(u[0]+u[1]), step1*u[0]+1.5*step2*u[1]
		}), relayMixed, 1e-3},
		{"gate", 3 * (4*step2*step1*step1 + 2*step1*step2), relayGate, 1e-2},
		{"gradient of an unpassed round", math.Sqrt(1.0/4) * (1 - 1.0/16 - 1.0/2) * relayTilt,
			1, 1e-12},
	} {
		if x.got > x.want+1e-9 || x.got < x.want-x.slack {
			t.Errorf("%s: %v, stated %v", x.what, x.got, x.want)
		}
	}
}

// The parts of the relay fit together over the whole range of its parameters.
func TestRelayFits(t *testing.T) {
	proptest.Instances(t, 2000, func(src *props.Source) {
		c := Class{N: src.LogInt("n", 1, 1e9), L: src.LogReal("L", 1e-6, 1e6),
			Eps: src.LogReal("ε", 1e-6, 1e6), Gap: 1}
		zeta := c.L * src.LogReal("ζ/L", 1e-9, 10)
		p, _ := c.relay(zeta)
		if p.zeta > zeta || p.settled > p.w || p.reach > p.settled || p.soft > p.stiff ||
			p.smoothness() > c.L {
			t.Errorf("ζ %v of %v, |y*| %v, Y %v, W %v, λ %v, H %v, smoothness %v", p.zeta, zeta,
				p.settled, p.reach, p.w,
				p.soft, p.stiff, p.smoothness())
		}
		if cost := p.roundGap() * p.zeta / (math.Sqrt(float64(c.N)) * c.Eps * c.Eps); cost < 250 ||
			c.N > 20 &&
				cost > 1110 {
			t.Errorf("a round takes %v √nε²/ζ of Δ", cost)
		}
	})
}

// All ways through small relays: whichever component is asked at whichever point with entries that
// are zero or where they belong, no point of the kind is ε-stationary before the proven number of
// gradients, and with that number, and the components left over, some point is.
func TestEveryWayThroughARelay(t *testing.T) {
	for _, n := range []int{1, 2, 4} {
		c := Class{N: n, L: 1, Eps: 1}
		one, _ := c.relay(1)
		c.Gap = 2.5*one.roundGap() - one.firstGap()
		p, x0 := c.Relayed(1)
		if p.T != 2 {
			t.Fatalf("%d rounds", p.T)
		}
		d := p.Dim() - 2 // entries 1 … d matter
		goal := make([]float64, d)
		for k := range p.T {
			for j := range n + 1 {
				if goal[k*(n+1)+j] = -p.settled; j == 0 {
					goal[k*(n+1)] = 2 * p.w
				}
			}
		}
		point := func(set int) []float64 {
			x := append([]float64(nil), x0...)
			for l := range d {
				if set>>l&1 == 1 {
					x[1+l] = goal[l]
				}
			}
			return x
		}
		// what a query at a point reveals, and whether the point is ε-stationary
		g := make([]float64, p.Dim())
		reveals, done := make([][]int, 1<<d), make([]bool, 1<<d)
		for set := range 1 << d {
			x := point(set)
			p.FullGradient(g, x)
			done[set] = floats.Norm(g, 2) <= c.Eps
			reveals[set] = make([]int, n)
			for i := range n {
				p.Gradient(g, x, i)
				for l := range d {
					if g[1+l] != 0 {
						reveals[set][i] |= 1 << l
					}
				}
			}
		}
		known, found := map[int]bool{0: true}, -1
		for spent := 0; found < 0; spent++ {
			if spent > 3*d {
				t.Fatal("no way through")
			}
			next := map[int]bool{}
			for all := range known {
				for at := all; ; at = (at - 1) & all { // points whose entries are known
					if done[at] {
						found = spent
					}
					for _, more := range reveals[at] {
						next[all|more] = true
					}
					if at == 0 {
						break
					}
				}
			}
			known = next
		}
		if least, most := int(p.needed(2)), 2*(n/4+2)+n-n/4-1; found < least || found > most {
			t.Errorf("n = %d: through after %d gradients, proven %d, enough %d", n, found,
				least, most)
		}
	}
}
