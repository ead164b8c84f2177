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

// tilted is (x² − 1)² + x/4 summed over coordinates, with a lower well near −1 and a higher one near 1.
type tilted struct{}

func (tilted) Value(x []float64) (v float64) {
	for _, x := range x {
		v += (x*x-1)*(x*x-1) + x/4
	}
	return v
}

func (tilted) FullGradient(dst, x []float64) {
	for k, x := range x {
		dst[k] = 4*x*(x*x-1) + 0.25
	}
}

// The lowest end of several searches is found, which one search alone from the wrong side misses; a
// search of no step, or that is cancelled, ends where it began.
func TestDescend(t *testing.T) {
	wrong, right := []float64{0.9, 0.9}, []float64{-0.5, -0.5}
	one := Descend(context.Background(), tilted{}, [][]float64{wrong}, 100)
	two := Descend(context.Background(), tilted{}, [][]float64{wrong, right}, 100)
	if one.Value < 0.3 || two.Value > -0.45 || two.GradientNorm > 1e-5 ||
		two.How != "the lowest end of L-BFGS from 2 points" {
		t.Errorf("one start ends at %+v, two at %+v", one, two)
	}
	if at := (tilted{}).Value(two.Point); at != two.Value {
		t.Errorf("f is %v there, and not %v", at, two.Value)
	}
	over, cancel := context.WithCancel(context.Background())
	cancel()
	if left := Descend(over, tilted{}, [][]float64{wrong}, 100); left.Value > (tilted{}).Value(wrong) {
		t.Errorf("a cancelled search ends at %+v", left)
	}
}
