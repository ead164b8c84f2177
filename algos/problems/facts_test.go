package problems_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
)

// The facts about a problem hold where they are said to: around the start, and for the norm of
// gradients at points no higher than it.
func TestFactsHoldAroundTheStart(t *testing.T) {
	known := map[string]bool{}
	for _, family := range problems.Catalogue() {
		for _, zeta := range []float64{-1, 0.2} {
			r := rand.New(rand.NewPCG(7, 8))
			p, err := problems.Build(family.Name,
				problems.Setting{N: 12, D: 3, Cond: 4, Zeta: zeta}, r)
			if err != nil {
				t.Fatal(err)
			}
			f, c := p.Facts(), p.Constants(p.X0)
			if L, ok := f.L.Value(); !ok || L != c.L.Value || f.N != 12 || f.Dim != 3 {
				t.Errorf("%s: L = %v, n = %d, d = %d", family.Name, L, f.N, f.Dim)
			}
			spread, ok := f.Spread.Value()
			if !ok {
				continue
			}
			most, ok := f.Bound.Value()
			if !ok {
				t.Errorf("%s: the spread of gradients is known but no bound on them", family.Name)
			}
			known[family.Name] = true
			reach := 10.0
			if c.Mu.Value > 0 {
				reach = 2 * math.Sqrt(2*c.Delta.Value/c.Mu.Value)
			}
			g, mean, x := make([]float64, 3), make([]float64, 3), make([]float64, 3)
			for range 200 {
				algos.Seeded(r.Uint64()).Ball(x, reach, algos.Noise)
				floats.Add(x, p.X0)
				p.FullGradient(mean, x)
				sum, largest := 0.0, 0.0
				for i := range 12 {
					p.Objective.Gradient(g, x, i, 0)
					sum += math.Pow(floats.Distance(g, mean, 2), 2) / 12
					largest = max(largest, floats.Norm(g, 2))
				}
				if math.Sqrt(sum) > spread*(1+1e-9) {
					t.Errorf("%s, ζ %v: component gradients spread by %v, the fact is %v",
						family.Name, zeta, math.Sqrt(sum), spread)
				}
				if p.Value(x) <= p.Value(p.X0) && largest > most*(1+1e-9) {
					t.Errorf("%s, ζ %v: a component gradient of norm %v, the fact is %v",
						family.Name, zeta, largest, most)
				}
			}
			if s := c.SigmaC.Value; zeta < 0 && !family.TakesData && spread != s {
				t.Errorf("%s without heterogeneity of Hessians: spread %v, at the start %v",
					family.Name, spread, s)
			}
		}
	}
	for _, name := range []string{"logistic", "least-squares", "robust", "quadratic", "pl",
		"saddle"} {
		if !known[name] {
			t.Errorf("%s: the spread of gradients is not known", name)
		}
	}
}

// The same for clients of different sizes.
func TestFactsHoldForClients(t *testing.T) {
	known := map[string]bool{}
	for _, family := range problems.Catalogue() {
		r := rand.New(rand.NewPCG(7, 8))
		set := problems.Setting{N: 12, D: 3, Cond: 4, Zeta: 0.2, Clients: 5, Skew: 1}
		if family.TakesData {
			set.Table = problems.Classification(13, 3, 1, 0.05, r)
		}
		p, err := problems.Build(family.Name, set, r)
		if err != nil {
			t.Fatal(err)
		}
		f, c := p.Facts(), p.Constants(p.X0)
		spread, ok := f.Spread.Value()
		if !ok {
			continue
		}
		known[family.Name] = true
		reach := 10.0
		if c.Mu.Value > 0 {
			reach = 2 * math.Sqrt(2*c.Delta.Value/c.Mu.Value)
		}
		g, h, mean, x := make([]float64, 3), make([]float64, 3), make([]float64, 3),
			make([]float64, 3)
		for range 200 {
			algos.Seeded(r.Uint64()).Ball(x, reach, algos.Noise)
			floats.Add(x, p.X0)
			p.FullGradient(mean, x)
			sum := 0.0
			for i := range 5 {
				algos.NewOracle(p.Objective).Local(g, x, i, h)
				sum += math.Pow(floats.Distance(g, mean, 2), 2) / 5
			}
			if math.Sqrt(sum) > spread*(1+1e-9) {
				t.Errorf("%s: client gradients spread by %v, the fact is %v", family.Name,
					math.Sqrt(sum), spread)
			}
		}
	}
	for _, name := range []string{"logistic", "least-squares", "robust", "quadratic", "pl"} {
		if !known[name] {
			t.Errorf("%s: the spread of client gradients is not known", name)
		}
	}
}
