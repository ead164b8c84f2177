package tables

import (
	"math"
	"testing"

	"sledge/algos/problems"
	"sledge/props/keyed"
)

// Derivatives are compared with differences, certificates with what is seen, and the mean with the components.
func TestPlaneIsWhatItSays(t *testing.T) {
	r := keyed.New(1).Rand()
	for name, p := range map[string]*plane{
		"ramp":     {curve: ramp(0.3, 0.5), flat: 0.5, clients: 8, data: 1, zeta: 1, sigmaC: 0.7, x0: [2]float64{3, 1}},
		"parabola": {curve: parabola(0.1), flat: 0.5, clients: 4, data: 1, zeta: 0.3, sigmaC: 0.2, x0: [2]float64{1, -1}},
		"well":     {curve: well(0.4), flat: 0.5, clients: 12, data: 1, zeta: 0.2},
		"within": {curve: ramp(0.3, 0.5), flat: 0.5, clients: 8, data: 2, zeta: 0.2, within: 0.6, sigmaC: 0.7,
			x0: [2]float64{3, 1}},
	} {
		var points [][]float64
		for range 60 {
			points = append(points, []float64{3 * r.NormFloat64(), 3 * r.NormFloat64()})
		}
		points = append(points, []float64{0, 0}, []float64{1e-3, 1e-3})
		g, mean := make([]float64, 2), make([]float64, 2)
		for _, x := range points {
			const h = 1e-5
			p.FullGradient(g, x)
			for l := range 2 {
				up, down := []float64{x[0], x[1]}, []float64{x[0], x[1]}
				up[l], down[l] = up[l]+h, down[l]-h
				if d := (p.Value(up) - p.Value(down)) / (2 * h); math.Abs(d-g[l]) > 1e-8*(1+math.Abs(g[l])) {
					t.Errorf("%s at %v: derivative %d is %v, difference quotient %v", name, x, l, g[l], d)
				}
			}
			if d := (p.slope(x[0]+h) - p.slope(x[0]-h)) / (2 * h); math.Abs(d-p.bend(x[0])) > 1e-8 {
				t.Errorf("%s at %v: second derivative %v, difference quotient %v", name, x, p.bend(x[0]), d)
			}
			mean[0], mean[1] = 0, 0
			for i := range p.clients {
				for j := range p.data {
					p.Gradient(g, x, i, j)
					mean[0], mean[1] = mean[0]+g[0]/float64(p.clients*p.data), mean[1]+g[1]/float64(p.clients*p.data)
				}
			}
			p.FullGradient(g, x)
			if math.Hypot(g[0]-mean[0], g[1]-mean[1]) > 1e-12*(1+math.Hypot(x[0], x[1])) {
				t.Errorf("%s at %v: the mean of the data gradients is %v, the full gradient %v", name, x, mean, g)
			}
			rows := make([]float64, 2*p.clients)
			batch := r.Perm(p.clients)[:1+r.IntN(p.clients)]
			sum{p}.BatchGradient(rows, x, batch)
			for k, i := range batch {
				if (sum{p}).Gradient(g, x, i); g[0] != rows[2*k] || g[1] != rows[2*k+1] {
					t.Errorf("%s at %v: component %d has the gradient %v alone and %v in a batch", name, x, i, g, rows[2*k:2*k+2])
				}
			}
			if v := p.Value(x); v < 0 {
				t.Errorf("%s has the value %v below its infimum at %v", name, v, x)
			}
		}
		x0 := p.x0[:]
		if a := problems.WorstAudited(problems.AuditFederated(p, x0, points)); a.Ratio > 1+1e-9 {
			t.Errorf("%s: %s is %v, seen %v at %s", name, a.Name, a.Certified.Value, a.Seen, a.Where)
		}
		if a := problems.WorstAudited(problems.Audit(sum{p}, x0, points)); p.data == 1 && a.Ratio > 1+1e-9 {
			t.Errorf("%s as a sum: %s is %v, seen %v at %s", name, a.Name, a.Certified.Value, a.Seen, a.Where)
		}
		if c := p.Constants(x0); math.Abs(c.SigmaC.Value-p.sigmaC) > 1e-12 || math.Abs(c.GC.Value-p.sigmaC) > 1e-12 {
			t.Errorf("%s: σ_c is %v and G_c %v, not %v", name, c.SigmaC.Value, c.GC.Value, p.sigmaC)
		}
		third := 0.0
		for u := -3.0; u < 3; u += 1e-3 {
			third = max(third, math.Abs(p.bend(u+1e-3)-p.bend(u))/1e-3)
		}
		if third > p.third*(1+1e-9) || third < 0.99*p.third {
			t.Errorf("%s: the second derivative has the Lipschitz constant %v, seen %v", name, p.third, third)
		}
	}
}
