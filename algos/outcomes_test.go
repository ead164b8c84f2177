package algos_test

import (
	"fmt"
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
)

// Two of three, then one of as many as the first of the two says: the choices may depend on earlier
// ones. Every outcome comes once, and their probabilities add up to 1.
func TestOutcomesAreAllThereAre(t *testing.T) {
	seen, sum := map[string]bool{}, 0.0
	o := &algos.Outcomes{}
	for more := true; more; more = o.Turn() {
		pair, one := make([]int, 2), make([]int, 1)
		o.Subset(pair, 3, algos.Batches)
		o.Subset(nil, 3, algos.Batches)
		o.Indices(one, pair[0]+2, algos.Worker)
		seen[fmt.Sprint(pair, one)] = true
		sum += o.Probability()
	}
	if len(seen) != 2+2+3 || math.Abs(sum-1) > 1e-15 {
		t.Errorf("%d outcomes of probability %v, want 7 of probability 1", len(seen), sum)
	}
}

// Subsets come in lexicographic order.
func TestOutcomesOfSubsets(t *testing.T) {
	for n := 1; n <= 8; n++ {
		for k := 1; k <= n; k++ {
			o, all := &algos.Outcomes{}, combin.Combinations(n, k)
			for i := range all {
				got := make([]int, k)
				o.Subset(got, n, algos.Batches)
				if !slices.Equal(got, all[i]) {
					t.Errorf("subset %d of %d of %d is %v, want %v", i, k, n, got, all[i])
				}
				if o.Turn() != (i < len(all)-1) {
					t.Errorf("%d of %d: wrong number of subsets", k, n)
				}
			}
		}
	}
}

// Of more subsets than can be told apart the first is taken, with the probability of one of many.
func TestOutcomesOfManySubsets(t *testing.T) {
	o := &algos.Outcomes{}
	many := make([]int, 50_000)
	o.Subset(many, 100_000, algos.Batches)
	if p := o.Probability(); many[0] != 0 || many[49_999] != 49_999 || p > 1e-12 || p <= 0 {
		t.Errorf("%d … %d with probability %v", many[0], many[49_999], p)
	}
}

// partial has the methods of two abilities, and the abilities that it says.
type partial struct {
	algos.FiniteSum
	values bool
}

func (p partial) FullGradient(dst, x []float64) { p.Gradient(dst, x, 0) }
func (p partial) Value([]float64) float64       { return 0 }
func (p partial) Has(ability any) bool {
	_, values := ability.(*algos.Valuer)
	return !values || p.values
}

func TestPartialProblemsHaveWhatTheySay(t *testing.T) {
	for _, values := range []bool{false, true} {
		p := algos.Sum(partial{values: values})
		if _, has := algos.As[algos.Valuer](p); has != values {
			t.Errorf("values are there: %v, want %v", has, values)
		}
		if _, has := algos.As[algos.FullGradienter](p); !has {
			t.Error("the other ability is gone")
		}
	}
}
