package problems

import (
	"math"
	"math/rand/v2"
	"testing"

	"sledge/algos"
)

// suspects returns points where the constants of a problem are likely to be reached.
func (f family) suspects(p anyProblem, r *rand.Rand) [][]float64 {
	d, _ := p.layout()
	var points [][]float64
	for range 8 {
		points = append(points, f.point(d, r))
	}
	points = append(points, make([]float64, d))
	switch e := p.raw().(type) {
	case *composite:
		points = append(points, e.suspects()...)
	case *linear:
		points = append(points, e.suspects()...)
	}
	return append(points, around(p.raw())...)
}

// around returns points one eigenvector away from the stationary point of f, if f is quadratic.
func around(e engine) [][]float64 {
	d, _ := e.layout()
	b, centre := make([]float64, d), make([]float64, d)
	e.full(b, centre)
	a := dense(d, func(dst, u []float64) { e.hessian(dst, centre, u) })
	values, vectors := newEigen(d).decompose(a)
	for k, v := range values {
		if math.Abs(v) > 1e-9*math.Abs(values[d-1]) {
			addScaled(centre, -dot(vectors[k], b)/v, vectors[k])
		}
	}
	var points [][]float64
	for k := range d {
		x := append([]float64(nil), centre...)
		addScaled(x, 1, vectors[k])
		points = append(points, x)
	}
	return points
}

// suspects are points at which one row has an extreme derivative of the loss, with neighbours for
// third derivatives, and points at which two rows have opposite extreme curvatures.
func (p *linear) suspects() [][]float64 {
	var points [][]float64
	corners := append([]float64{0}, p.loss.corners...)
	rows := make([][]float64, len(p.shift))
	for k := range rows {
		rows[k] = make([]float64, p.d)
		p.addRow(rows[k], 1, k)
	}
	for k, a := range rows {
		sq := dot(a, a)
		if sq == 0 {
			continue
		}
		for _, c := range corners {
			for _, v := range []float64{c, c + 1e-4} {
				points = append(points, scaled(a, (v*p.loss.w+p.shift[k])/sq))
			}
		}
		for j, b := range rows[:k] {
			cross, other := dot(a, b), dot(b, b)
			det := sq*other - cross*cross
			if !(det > 1e-6*sq*other) {
				continue
			}
			for _, ends := range [][2]float64{{corners[0], corners[2%len(corners)]},
				{corners[2%len(corners)], corners[0]}, {corners[0], corners[len(corners)-1]},
				{corners[len(corners)-1], corners[0]}} {
				// wanted margins a'x and b'x
				s, t := ends[0]*p.loss.w+p.shift[k], ends[1]*p.loss.w+p.shift[j]
				x := scaled(a, (s*other-t*cross)/det)
				addScaled(x, (t*sq-s*cross)/det, b)
				points = append(points, x)
			}
		}
	}
	return points
}

// suspects are the points at which the core has extreme derivatives in all coordinates, with
// neighbours for third derivatives; the points at which one coordinate is extreme; and those with
// the steepest slopes in all combinations of signs.
func (q *composite) suspects() [][]float64 {
	var points [][]float64
	at := func(coord func(k int) float64) {
		x := make([]float64, q.d)
		for k := range x {
			x[k] = coord(k)
		}
		points = append(points, x)
	}
	corner := func(k, c int) float64 {
		if q.core[k].corners == nil {
			return 1
		}
		return q.core[k].w * q.core[k].corners[c%len(q.core[k].corners)]
	}
	if q.core != nil {
		for c := range 4 {
			for only := range q.d + 1 { // the last round takes all coordinates
				for _, shift := range []float64{0, 1e-4} {
					at(func(k int) float64 {
						if k != only && only < q.d {
							return 0
						}
						return corner(k, c) + shift*q.core[k].w
					})
				}
			}
		}
		for signs := range 1 << q.d {
			at(func(k int) float64 { return (1 - 2*float64(signs>>k&1)) * math.Pi / 2 * q.core[k].w })
		}
	}
	return points
}

// dense returns the matrix of a linear map.
func dense(d int, product func(dst, u []float64)) []float64 {
	a, u := make([]float64, d*d), make([]float64, d)
	for k := range d {
		u[k] = 1
		product(a[k*d:(k+1)*d], u)
		u[k] = 0
	}
	return a
}

// The certified constants must bound what is found by forming Hessians and gradients at many
// points; exact ones must be reached.
func TestConstants(t *testing.T) {
	eachInstance(t, 30, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		d, off := p.layout()
		e, eig := p.raw(), newEigen(d)
		points := f.suspects(p, r)
		x0 := points[0]
		c := p.Constants(x0)
		_, isFederated := p.(algos.Problem)
		n := len(off) - 1
		var got Constants
		var prime Constant
		raise := func(c *Constant, v float64) { c.Value = max(c.Value, v) }
		gradient := func(at func(dst, x []float64, i int), x []float64, i int) []float64 {
			g := make([]float64, d)
			at(g, x, i)
			return g
		}
		full := make([]float64, d)
		var before [][]float64
		var beforeAt []float64
		low, known := p.Minimum()
		got.Mu.Value = math.Inf(1)
		for _, x := range points {
			if v := norm(x); math.IsNaN(v) || v > 1e20 {
				t.Fatalf("suspect %v", x)
			}
			h := dense(d, func(dst, u []float64) { e.hessian(dst, x, u) })
			lo, _ := eig.spectrum(h)
			near(t, "smallest eigenvalue", p.MinEigen(x), lo, c.L.Value, 1e-12)
			raise(&got.LMean, eig.norm(h))
			// without a known minimum, strong convexity is the only reason for a PL constant
			if !known && c.Mu.Value > 0 && !(lo >= c.Mu.Value-1e-9*c.L.Value) {
				t.Errorf("smallest eigenvalue %v below the certified μ = %v", lo, c.Mu.Value)
			}
			var client, parts [][]float64
			for i := range n {
				client = append(client, dense(d,
					func(dst, u []float64) { e.clientHessian(dst, x, u, i) }))
				for _, b := range client[:i] {
					raise(&got.Zeta, eig.norm(minus(client[i], b)))
				}
			}
			parts = client
			if isFederated {
				parts = nil
				for k := range off[n] {
					parts = append(parts, dense(d,
						func(dst, u []float64) { e.datumHessian(dst, x, u, k) }))
				}
			}
			for k, a := range parts {
				raise(&got.L, eig.norm(a))
				raise(&prime, eig.norm(minus(a, h)))
				if before != nil && distSq(x, beforeAt) > 0 {
					raise(&got.Rho, eig.norm(minus(a, before[k]))/math.Sqrt(distSq(x, beforeAt)))
				}
			}
			before, beforeAt = parts, x

			p.FullGradient(full, x)
			if gap := p.Value(x) - low; known && gap > 1e-9*(c.L.Value+math.Abs(low)) {
				got.Mu.Value = min(got.Mu.Value, dot(full, full)/(2*gap))
			}
			if v := p.Value(x); v < low-1e-12*(math.Abs(v)+1) {
				t.Errorf("value %v below the certified infimum %v", v, low)
			}
			if isFederated {
				for i := range n {
					gi := gradient(e.client, x, i)
					sum := 0.0
					for k := off[i]; k < off[i+1]; k++ {
						sq := distSq(gradient(e.datum, x, k), gi)
						sum += sq
						raise(&got.G, math.Sqrt(sq))
					}
					raise(&got.Sigma, math.Sqrt(sum/float64(off[i+1]-off[i])))
				}
			}
		}
		p.FullGradient(full, x0)
		for i := range n {
			sq := distSq(gradient(e.client, x0, i), full)
			got.SigmaC.Value += sq / float64(n)
			raise(&got.GC, math.Sqrt(sq))
		}
		got.SigmaC.Value = math.Sqrt(got.SigmaC.Value)

		scale := c.L.Value
		force := scale * (1 + norm(x0))
		upper := func(name string, got, certified Constant, scale float64) {
			if !(got.Value <= certified.Value+1e-9*scale) {
				t.Errorf("%s: found %v above the certified %v (%s)", name, got.Value,
					certified.Value, certified.Why)
			}
			if certified.Exact && !math.IsInf(certified.Value, 1) &&
				!(got.Value >= certified.Value*(1-f.slack)-1e-9*scale) {
				t.Errorf("%s: found only %v of the exact %v (%s)", name, got.Value, certified.Value,
					certified.Why)
			}
			if certified.Why == "" {
				t.Errorf("%s: no reason", name)
			}
		}
		upper("L", got.L, c.L, scale)
		upper("LMean", got.LMean, c.LMean, scale)
		upper("Zeta", got.Zeta, c.Zeta, scale)
		upper("ZetaPrime", prime, c.ZetaPrime(), scale)
		upper("Rho", got.Rho, c.Rho, scale)
		upper("SigmaC", got.SigmaC, c.SigmaC, force)
		upper("GC", got.GC, c.GC, force)
		upper("Sigma", got.Sigma, c.Sigma, force)
		upper("G", got.G, c.G, force)
		if !(got.Mu.Value >= c.Mu.Value*(1-1e-6)) {
			t.Errorf("Mu: found %v below the certified %v (%s)", got.Mu.Value, c.Mu.Value, c.Mu.Why)
		}
		if c.Mu.Exact && c.Mu.Value > 0 && !(got.Mu.Value <= c.Mu.Value*(1+1e-6)) {
			t.Errorf("Mu: found only %v for the exact %v (%s)", got.Mu.Value, c.Mu.Value, c.Mu.Why)
		}
		if c.LMean.Value > c.L.Value*(1+1e-9) {
			t.Errorf("LMean %v above L %v", c.LMean.Value, c.L.Value)
		}
		if known && math.IsInf(low, -1) != math.IsInf(c.Delta.Value, 1) {
			t.Errorf("infimum %v but Delta %v", low, c.Delta.Value)
		}
	})
}

// In one dimension two rank-one matrices are often equal up to rounding; scaling their difference
// up would leave deviations that do not cancel.
func TestRankOneDeviationsCancelInOneDimension(t *testing.T) {
	for seed := range uint64(100) {
		q, err := Make(OneEach(2), QuadraticMean{Spectrum: []float64{0},
			Between: Heterogeneity{Pattern: RankOne, Hessian: 1}}, rand.New(rand.NewPCG(seed, 0)))
		if err != nil {
			t.Fatal(err)
		}
		g, sum := make([]float64, 1), 0.0
		for i := range 2 {
			q.Gradient(g, []float64{1}, i, 0)
			sum += g[0]
		}
		near(t, "sum of the component gradients", sum, 0, 1, 1e-12)
	}
}

// The heterogeneity that was asked for is the heterogeneity that is certified.
func TestPatternsReachTheirDistance(t *testing.T) {
	for pattern := range patterns {
		for _, n := range []int{1, 2, 3, 7, 30} {
			for d := 1; d <= 4; d++ {
				r := rand.New(rand.NewPCG(uint64(n), uint64(d)))
				h := Heterogeneity{Pattern: pattern, Hessian: 0.7, Linear: 0.3}
				want := 0.7
				if pattern == None {
					h.Hessian = 0
				}
				if pattern == None || n == 1 {
					want = 0
				}
				q, err := Make(OneEach(n), QuadraticMean{Spectrum: make([]float64, d), Between: h},
					r)
				if err != nil {
					t.Fatal(err)
				}
				c := q.Constants(make([]float64, d))
				near(t, "ζ with pattern "+pattern.String(), c.Zeta.Value, want, 1, 1e-11)
				if want = 0.3; n == 1 {
					want = 0
				}
				near(t, "σ_c with pattern "+pattern.String(), c.SigmaC.Value, want, 1, 1e-12)
				near(t, "‖mean Hessian‖", c.LMean.Value, 0, 1, 1e-12)
			}
		}
	}
}

// Noise on a ball is what is found in it, not more than everywhere, and exact for a ball without
// extent.
func TestNoiseWithin(t *testing.T) {
	eachInstance(t, 25, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		q, ok := p.(interface {
			NoiseWithin(x []float64, radius float64) (sigma, g Constant)
		})
		if !ok {
			return
		}
		d, off := p.layout()
		e, centre, radius := p.raw(), f.point(d, r), f.spread*math.Pow(10, -2+2*r.Float64())
		mean, g := make([]float64, d), make([]float64, d)
		see := func(x []float64) (sigma, most float64) {
			for i := range len(off) - 1 {
				e.client(mean, x, i)
				sum := 0.0
				for k := off[i]; k < off[i+1]; k++ {
					e.datum(g, x, k)
					sum += distSq(g, mean)
					most = max(most, math.Sqrt(distSq(g, mean)))
				}
				sigma = max(sigma, math.Sqrt(sum/float64(off[i+1]-off[i])))
			}
			return sigma, most
		}
		c := p.Constants(centre)
		scale := c.L.Value * (1 + norm(centre) + radius)
		sigma, most := q.NoiseWithin(centre, radius)
		for range 20 {
			x := append([]float64(nil), centre...)
			u := normal(d, r)
			addScaled(x, radius/norm(u), u)
			s, m := see(x)
			if s > sigma.Value+1e-12*scale || m > most.Value+1e-12*scale {
				t.Errorf("noise σ = %v, G = %v on the ball of radius %v, certified %+v and %+v", s,
					m, radius, sigma, most)
			}
		}
		if sigma.Value > c.Sigma.Value*(1+1e-12) || most.Value > c.G.Value*(1+1e-12) {
			t.Errorf("noise on a ball %v, %v above that everywhere %v, %v", sigma.Value, most.Value,
				c.Sigma.Value, c.G.Value)
		}
		s, m := see(centre)
		sigma, most = q.NoiseWithin(centre, 0)
		if sigma.Value < s*(1-1e-12) || most.Value < m*(1-1e-12) {
			t.Errorf("noise %v, %v at the centre, certified %v, %v", s, m, sigma.Value, most.Value)
		}
		if math.IsInf(c.Sigma.Value, 1) {
			near(t, "σ at the centre", sigma.Value, s, scale, 1e-12)
			near(t, "G at the centre", most.Value, m, scale, 1e-12)
		}
	})
}
