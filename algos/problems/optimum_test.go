package problems

import (
	"context"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// A search ends at a point without gradient that no start of another search is below, by Newton's
// method and by L-BFGS, and a certified infimum is taken as it is.
func TestOptimum(t *testing.T) {
	for _, c := range []struct {
		name string
		set  Setting
		how  string
		tol  float64
	}{
		{"quadratic", Setting{N: 30, D: 5}, "certified", 0},
		{"logistic", Setting{N: 60, D: 5, Alpha: -1}, "Newton", 1e-12},
		{"logistic", Setting{N: 700, D: maxDense + 1}, "L-BFGS", 1e-5},
		{"logistic", Setting{N: 20, D: 5, Clients: 4}, "Newton", 1e-12},
		{"robust", Setting{N: 60, D: 5}, "Newton", 1e-12},
	} {
		p, err := Build(c.name, c.set, rand.New(rand.NewPCG(7, 8)))
		if err != nil {
			t.Fatal(err)
		}
		best := p.Optimum(context.Background(), p.X0)
		if !strings.Contains(best.How, c.how) || best.GradientNorm > c.tol {
			t.Errorf("%s: %s, gradient norm %g", c.name, best.How, best.GradientNorm)
		}
		if best.Point == nil {
			continue
		}
		if again := p.Optimum(context.Background(), best.Point); best.Value-again.Value > 1e-12 {
			t.Errorf("%s: a second search comes from %v to %v", c.name, best.Value, again.Value)
		}
		if at := p.Value(best.Point); math.Abs(at-best.Value) > 1e-14 || at >= p.Value(p.X0) {
			t.Errorf("%s: f is %v there, and not %v", c.name, at, best.Value)
		}
		over, cancel := context.WithCancel(context.Background())
		cancel()
		if left := p.Optimum(over, p.X0); left.Value > p.Value(p.X0) {
			t.Errorf("%s: a cancelled search went up", c.name)
		}
	}
}
