package algotest_test

import (
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/naive"
)

// bends is the mean of n quadratics with the curvatures given along the axes, up to differences
// that cancel in the mean.
type bends struct {
	n      int
	of     []float64
	spread float64
}

func (p *bends) Components() int { return p.n }
func (p *bends) Dim() int        { return len(p.of) }
func (p *bends) Gradient(dst, x []float64, i int) {
	for l, a := range p.of {
		dst[l] = (a + p.spread*(float64(2*i+1)/float64(p.n)-1)) * x[l]
	}
}

// requests notes what is drawn: for what, how many, and from how many.
type requests struct {
	algos.Randomness
	log []string
}

func (r *requests) Subset(dst []int, n int, p algos.Purpose) {
	r.log = append(r.log, fmt.Sprintf("%v: %d of %d", p, len(dst), n))
	r.Randomness.Subset(dst, n, p)
}

func (r *requests) Normal(dst []float64, p algos.Purpose) {
	r.log = append(r.log, fmt.Sprint(p))
	r.Randomness.Normal(dst, p)
}

// A curvature search finds what its naive form finds, with the same draws, and asks for as many
// gradients as it may: where nothing is to be found, for those of all its iterations.
func TestCurvatureSearchConforms(t *testing.T) {
	if *only != "" && !strings.Contains(*only, "SPIDER-SFO+") {
		t.Skip("another method is tested")
	}
	x := []float64{0.3, -0.2, 0.1}
	found := map[bool]int{}
	for _, curvature := range []float64{-1, -0.8, -0.6, -0.4, -0.1, 0.5} {
		// smallest, in units of δ
		for _, n := range []int{1, 3, 40} {
			for _, neon := range []algos.Neon2{
				{L: 2, Rho: 12, Delta: 1.5},
				{L: 3, Rho: 5, Delta: 1, Failure: 0.3, C: 1.5, Batch: min(n, 2)},
				{L: 2, Rho: 12, Delta: 1.5, Deterministic: true},
				{L: 3, Rho: 5, Delta: 0.7, Failure: 0.3, C: 1.5, Deterministic: true},
			} {
				p := &bends{n, []float64{1, curvature * neon.Delta, 0.5}, 0.2}
				what := fmt.Sprintf("curvature %v δ, n = %d, %+v", curvature, n, neon)
				o, r := algos.NewOracle(algos.Sum(p)), &requests{Randomness: algos.Seeded(7)}
				w, ok, err := neon.Search(o, x, r)
				if err != nil {
					t.Fatal(err)
				}
				found[ok]++
				again := &requests{Randomness: algos.Seeded(7)}
				if want := naive.Neon(neon, algos.NewOracle(algos.Sum(p)), x,
					again); ok != (want != nil) {
					t.Errorf("%s: found is %v", what, ok)
				} else if ok && floats.Distance(w, want, 2) > 1e-6 {
					t.Errorf("%s: %v instead of %v", what, w, want)
				}
				if !slices.Equal(r.log, again.log) {
					t.Errorf("%s: draws %d times, the naive form %d times, or other sets", what,
						len(r.log), len(again.log))
				}
				if ok && neon.Deterministic || !neon.Deterministic && curvature < 0.5 {
					continue
				}
				ceil := func(x float64) int { return int(math.Ceil(x)) }
				failure, C, b := neon.Failure, neon.C, max(1, neon.Batch)
				if C == 0 {
					failure, C = 0.05, 2
				}
				most := n * (1 + ceil(C*math.Log(300/failure)*math.Sqrt(neon.L/neon.Delta)))
				if !neon.Deterministic {
					logs := math.Log(300)
					most = (ceil(math.Log2(1/failure)) + 1) * 2 * b *
						ceil(C*C*logs*C*C*neon.L*neon.L*logs/(neon.Delta*neon.Delta))
				}
				if got := o.Counts().Gradients; got != int64(most) {
					t.Errorf("%s: nothing found with %d gradients instead of %d", what, got, most)
				}
			}
		}
	}
	if found[true] == 0 || found[false] == 0 {
		t.Errorf("found or not: %v", found)
	}
	for _, bad := range []algos.Neon2{
		{L: 2, Rho: 12}, {L: 2, Rho: 12, Delta: 1, Batch: 4}, {L: 2, Rho: 12, Delta: 1, Failure: 1},
	} {
		o := algos.NewOracle(algos.Sum(&bends{3, []float64{1, 2, 3}, 0}))
		if _, _, err := bad.Search(o, x, algos.Seeded(1)); err == nil || o.Counts().Gradients > 0 {
			t.Errorf("%+v: error %v after %d gradients", bad, err, o.Counts().Gradients)
		}
	}
}
