package operating

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props/keyed"
)

// Derivatives are compared with differences, certificates with what is seen, and the mean with the
// components.
func TestTerrainIsWhatItSays(t *testing.T) {
	r := keyed.New(1).Rand()
	flat := []Shape{Parabola(0.5), Parabola(0.75)}
	for name, s := range map[string]Site{
		"slide": {Shapes: append([]Shape{slide(0.3, 0.25, 0.25)}, flat...), Start: []float64{3, 0, 1},
			Clients: 8, Between: Deviations{Zeta: 1, Linear: 0.7}},
		"rippled": {Shapes: []Shape{Rippled(0.1), Rippled(0.15), Parabola(0.2)},
			Start: []float64{3, 1, 0}, Clients: 12, Between: Deviations{Zeta: 0.3, Linear: 0.2}},
		"well": {Shapes: append([]Shape{Well(0.4)}, flat...), Start: make([]float64, 3), Clients: 4,
			Between: Deviations{Zeta: 0.2}},
		"within": {Shapes: append([]Shape{slide(0.3, 0.25, 0.25)}, flat...), Start: []float64{3, 0, 1},
			Clients: 8, Data: 8, Between: Deviations{Zeta: 0.4, Linear: 0.7},
			Within: Deviations{Zeta: 0.2, Linear: 0.3}},
	} {
		p := New(s, keyed.New(2))
		x0, d := p.X0(), p.Dim()
		var points [][]float64
		for range 60 {
			x := make([]float64, d)
			for l := range x {
				x[l] = 3 * r.NormFloat64()
			}
			points = append(points, x)
		}
		g, mean := make([]float64, d), make([]float64, d)
		for _, x := range points {
			const h = 1e-5
			p.FullGradient(g, x)
			for l := range d {
				up, down := append([]float64(nil), x...), append([]float64(nil), x...)
				up[l], down[l] = up[l]+h, down[l]-h
				if q := (p.Value(up) - p.Value(down)) /
					(2 * h); math.Abs(q-g[l]) > 1e-7*(1+math.Abs(g[l])) {
					t.Errorf("%s at %v: derivative %d is %v, difference quotient %v", name, x,
						l, g[l], q)
				}
			}
			clear(mean)
			single := make([]float64, d)
			for i := range p.Clients() {
				for j := range p.Size(i) {
					p.Gradient(single, x, i, j)
					floats.AddScaled(mean, 1/float64(p.Clients()*p.Size(i)), single)
				}
				all := make([]int, p.Size(i))
				for j := range all {
					all[j] = j
				}
				one, two := make([]float64, d), make([]float64, d)
				p.MeanGradient(one, x, i, nil)
				p.MeanGradient(two, x, i, all)
				if floats.Distance(one, two, 2) > 1e-12*(1+floats.Norm(x, 2)) {
					t.Errorf("%s at %v: the mean gradient of client %d is %v or %v", name, x, i,
						one, two)
				}
			}
			if floats.Distance(g, mean, 2) > 1e-12*(1+floats.Norm(x, 2)) {
				t.Errorf("%s at %v: the mean of the data gradients is %v, the full gradient %v",
					name, x, mean, g)
			}
			if v := p.Value(x); v < 0 {
				t.Errorf("%s has the value %v below its infimum at %v", name, v, x)
			}
			if p.Size(0) > 1 {
				continue
			}
			batch := r.Perm(p.Clients())[:1+r.IntN(p.Clients())]
			rows := make([]float64, d*len(batch))
			p.BatchGradient(rows, x, batch)
			for k, i := range batch {
				p.Gradient(g, x, i, 0)
				if !floats.Equal(g, rows[k*d:(k+1)*d]) {
					t.Errorf("%s at %v: component %d has the gradient %v alone and %v in a batch",
						name, x, i, g, rows[k*d:(k+1)*d])
				}
			}
		}
		if a := problems.WorstAudited(problems.AuditFederated(p, x0, points)); a.Ratio > 1+1e-9 {
			t.Errorf("%s: %s is %v, seen %v at %s", name, a.Name, a.Certified.Value,
				a.Seen, a.Where)
		}
		testDifferences(t, name, p, points, r)
		for _, s := range s.Shapes {
			third, low, high := 0.0, math.Inf(1), math.Inf(-1)
			for u := -9.0; u < 9; u += 1e-3 {
				third = max(third, math.Abs(s.Bend(u+1e-3)-s.Bend(u))/1e-3)
				low, high = min(low, s.Bend(u)), max(high, s.Bend(u))
				if q := (s.Slope(u+1e-5) - s.Slope(u-1e-5)) / 2e-5; math.Abs(q-s.Bend(u)) > 1e-6 {
					t.Errorf("%s: the second derivative at %v is %v, the difference quotient %v",
						name, u, s.Bend(u), q)
				}
				if s.Mu > 0 && s.Slope(u)*s.Slope(u) < 2*s.Mu*s.Value(u)*(1-1e-9) {
					t.Errorf("%s: the PL constant is not %v at %v", name, s.Mu, u)
				}
			}
			if third > s.Third*(1+1e-9) || low < s.Low-1e-9 || high > s.High+1e-9 {
				t.Errorf(
					"%s: second derivatives from %v to %v with the Lipschitz constant %v, not %v, %v, %v",
					name, low, high,
					third, s.Low, s.High, s.Third)
			}
		}
	}
}

// testDifferences holds differences between points against those of the gradients, of a terrain that
// is shared and of that of one run.
func testDifferences(t *testing.T, name string, p *Terrain, points [][]float64, r *rand.Rand) {
	t.Helper()
	d := p.Dim()
	now, before := make([]float64, d), make([]float64, d)
	for k, x := range points[1:] {
		y, c, i := points[k], r.NormFloat64(), r.IntN(p.Clients())
		for _, p := range []*Terrain{p, p.Alone()} {
			data := r.Perm(p.Size(i))[:1+r.IntN(p.Size(i))]
			want, got := slices.Clone(x), slices.Clone(x)
			p.MeanGradient(now, x, i, data)
			p.MeanGradient(before, y, i, data)
			floats.Add(want, now)
			floats.Sub(want, before)
			p.AddMeanDifference(got, x, y, i, data)
			if floats.Distance(got, want, 2) > 1e-12*(1+floats.Norm(x, 2)+floats.Norm(y, 2)) {
				t.Errorf("%s: client %d, data %v: the difference is %v, want %v", name, i, data,
					got, want)
			}
			if p.Size(0) > 1 {
				continue
			}
			batch := r.Perm(p.Clients())[:1+r.IntN(p.Clients())]
			copy(want, x)
			copy(got, x)
			for _, i := range batch {
				p.Gradient(now, x, i, 0)
				p.Gradient(before, y, i, 0)
				floats.AddScaled(want, c/float64(len(batch)), now)
				floats.AddScaled(want, -c/float64(len(batch)), before)
			}
			p.AddBatchDifference(got, c, x, y, batch)
			if floats.Distance(got, want, 2) > 1e-12*(1+floats.Norm(x, 2)+floats.Norm(y, 2)) {
				t.Errorf("%s: batch %v: the difference is %v, want %v", name, batch, got, want)
			}
		}
	}
}

// The tuned step size of exact gradients is the largest at which they converge, and a method that
// arrives nowhere has none.
func TestTune(t *testing.T) {
	site := func(key keyed.Key) (algos.Problem, []float64, Goal) {
		p := New(Site{Shapes: []Shape{Parabola(0.5), Parabola(0.75)}, Start: []float64{1, 1},
			Clients: 4, Between: Deviations{Zeta: 0.1}}, key)
		return p, p.X0(), p.WithGap(1e-9)
	}
	c := Course{Method: Exact(1, 0), Site: site, Cost: Charge(1)}
	tuned := c.Tune(4, 1e4, keyed.New(0))
	if !tuned.OK || tuned.Eta < 1 || tuned.Eta > 2/0.75 {
		t.Errorf("exact gradients are tuned to %+v", tuned)
	}
	for _, eta := range []float64{tuned.Eta / 4, tuned.Eta * 4} {
		if cost, _ := c.Run(eta, 1e4, keyed.New(1)); cost < 1.5*tuned.Cost {
			t.Errorf("the step size %v costs %v, the tuned one %v %v", eta, cost, tuned.Eta,
				tuned.Cost)
		}
	}
	c.Site = func(key keyed.Key) (algos.Problem, []float64, Goal) {
		p, x0, _ := site(key)
		return p, x0, func([]float64) bool { return false }
	}
	if tuned := c.Tune(4, 1e3, keyed.New(0)); tuned.OK {
		t.Errorf("a goal that nobody reaches has the step size %v", tuned.Eta)
	}
	nowhere := TunedMethod{Name: "exact gradients", Course: func(x float64) Course {
		c.Cost = Charge(x)
		return c
	}}
	if tuned := nowhere.Tuned(1e5); tuned.OK {
		t.Errorf("a method that arrives nowhere is tuned to %v", tuned.Eta)
	}
	c.Cost = Charge(1)
	if cost, _ := c.Run(1, 1e3, keyed.New(1)); cost != 1e3 {
		t.Errorf("a run that does not arrive costs %v, not what it may", cost)
	}
}

// Where the best step size lies between two of the coarse grid, far from the better of them, it is
// found.
func TestTuneGoesOn(t *testing.T) {
	for power, want := range map[float64]float64{1.7: 1.5, -2.3: -2.5, -3.6: -4} {
		steep := 2 / math.Exp2(power) // larger steps diverge
		c := Course{Method: Exact(1, 0), Cost: Charge(1),
			Site: func(key keyed.Key) (algos.Problem, []float64, Goal) {
				p := New(Site{Shapes: []Shape{Parabola(steep / 64), Parabola(steep)},
					Start: []float64{1, 1}, Clients: 4}, key)
				return p, p.X0(), p.WithGap(1e-9)
			}}
		if tuned := c.Tune(4, 1e4, keyed.New(0)); !tuned.OK || tuned.Eta != math.Exp2(want) {
			t.Errorf("where steps may have the size 2^%v exact gradients are tuned to %+v, not 2^%v", power,
				tuned, want)
		}
	}
}
