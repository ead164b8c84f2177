package concentration

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// ExactLaw is a probability law on finitely many integers with rational probabilities, kept as
// integer weights over a common total. It is the certified counterpart of [Law]: its tails are
// exact. Laws are immutable; operations return new ones.
type ExactLaw struct {
	x     []int64
	w     []*big.Int // positive
	total *big.Int   // the sum of w
}

// Support returns the points of the support in increasing order. The caller must not change it.
func (l ExactLaw) Support() []int64 { return l.x }

// Prob returns P(X = x).
func (l ExactLaw) Prob(x int64) *big.Rat {
	i, ok := slices.BinarySearch(l.x, x)
	if !ok {
		return new(big.Rat)
	}
	return new(big.Rat).SetFrac(l.w[i], l.total)
}

// Upper returns P(X ≥ x).
func (l ExactLaw) Upper(x int64) *big.Rat {
	i, _ := slices.BinarySearch(l.x, x)
	return l.ratio(l.w[i:])
}

// Lower returns P(X ≤ x).
func (l ExactLaw) Lower(x int64) *big.Rat {
	i, ok := slices.BinarySearch(l.x, x)
	if ok {
		i++
	}
	return l.ratio(l.w[:i])
}

func (l ExactLaw) ratio(w []*big.Int) *big.Rat {
	s := new(big.Int)
	for _, v := range w {
		s.Add(s, v)
	}
	return new(big.Rat).SetFrac(s, l.total)
}

// Moment returns E f(X).
func (l ExactLaw) Moment(f func(int64) *big.Rat) *big.Rat {
	sum := new(big.Rat)
	for i, x := range l.x {
		sum.Add(sum, new(big.Rat).Mul(f(x), new(big.Rat).SetInt(l.w[i])))
	}
	return sum.Quo(sum, new(big.Rat).SetInt(l.total))
}

// Mean returns E X.
func (l ExactLaw) Mean() *big.Rat {
	return l.Moment(func(x int64) *big.Rat { return new(big.Rat).SetInt64(x) })
}

// Map returns the law of f(X).
func (l ExactLaw) Map(f func(int64) int64) ExactLaw {
	sums := map[int64]*big.Int{}
	for i, x := range l.x {
		accumulate(sums, f(x), l.w[i])
	}
	return exactFromMap(sums)
}

// Plus returns the law of X + Y for independent X and Y with laws l and m.
func (l ExactLaw) Plus(m ExactLaw) ExactLaw {
	sums := map[int64]*big.Int{}
	product := new(big.Int)
	for i, x := range l.x {
		for j, y := range m.x {
			accumulate(sums, x+y, product.Mul(l.w[i], m.w[j]))
		}
	}
	return exactFromMap(sums)
}

// Times returns the law of the sum of n ≥ 1 independent copies of X.
func (l ExactLaw) Times(n int) ExactLaw {
	if n < 1 {
		panic(fmt.Sprintf("concentration: a sum of %d copies", n))
	}
	r := l
	for range n - 1 {
		r = r.Plus(l)
	}
	return r
}

// Approximate returns the law in floating-point logarithms. Weights of any size are converted
// without overflow.
func (l ExactLaw) Approximate() Law {
	r := Law{l.x, make([]float64, len(l.w))}
	total := logInt(l.total)
	for i, w := range l.w {
		r.logp[i] = logInt(w) - total
	}
	return r
}

func accumulate(sums map[int64]*big.Int, x int64, w *big.Int) {
	if s, ok := sums[x]; ok {
		s.Add(s, w)
	} else {
		sums[x] = new(big.Int).Set(w)
	}
}

func exactFromMap(sums map[int64]*big.Int) ExactLaw {
	r := ExactLaw{total: new(big.Int)}
	for x := range sums {
		r.x = append(r.x, x)
	}
	slices.Sort(r.x)
	for _, x := range r.x {
		r.w = append(r.w, sums[x])
		r.total.Add(r.total, sums[x])
	}
	return r
}

// ExactTwoPoint returns the law that takes the value hi with probability num/den and lo < hi
// otherwise, 0 < num < den.
func ExactTwoPoint(lo, hi, num, den int64) ExactLaw {
	if !(lo < hi) || !(0 < num && num < den) {
		panic(fmt.Sprintf("concentration: no two-point law on %d, %d with probability %d/%d", lo,
			hi, num, den))
	}
	return ExactLaw{[]int64{lo, hi}, []*big.Int{big.NewInt(den - num), big.NewInt(num)},
		big.NewInt(den)}
}

// ExactBinomial returns the law of the number of successes in n ≥ 0 independent trials with success
// probability num/den, 0 < num < den.
func ExactBinomial(n int, num, den int64) ExactLaw {
	if n < 0 || !(0 < num && num < den) {
		panic(fmt.Sprintf("concentration: no binomial law with n = %d, p = %d/%d", n, num, den))
	}
	r := ExactLaw{make([]int64, n+1), make([]*big.Int, n+1),
		new(big.Int).Exp(big.NewInt(den), big.NewInt(int64(n)), nil)}
	w := new(big.Int).Exp(big.NewInt(den-num), big.NewInt(int64(n)), nil)
	for x := range r.x {
		r.x[x], r.w[x] = int64(x), new(big.Int).Set(w)
		// C(n, x+1) p^(x+1) q^(n-x-1) from its predecessor; the division is exact.
		w.Mul(w, big.NewInt(int64(n-x)*num))
		w.Quo(w, big.NewInt(int64(x+1)*(den-num)))
	}
	return r
}

// ExactHypergeometric returns the law of the number of marked items in a sample of the given size,
// drawn without replacement from a population of which some are marked.
func ExactHypergeometric(population, marked, sample int) ExactLaw {
	lo, hi := hypergeometricRange(population, marked, sample)
	r := ExactLaw{make([]int64, hi-lo+1), make([]*big.Int, hi-lo+1), choose(population, sample)}
	w := new(big.Int).Mul(choose(marked, lo), choose(population-marked, sample-lo))
	for i := range r.x {
		x := lo + i
		r.x[i], r.w[i] = int64(x), new(big.Int).Set(w)
		w.Mul(w, big.NewInt(int64(marked-x)*int64(sample-x)))
		w.Quo(w, big.NewInt(int64(x+1)*int64(population-marked-sample+x+1)))
	}
	return r
}

func choose(n, k int) *big.Int { return new(big.Int).Binomial(int64(n), int64(k)) }

// logInt returns the natural logarithm of a positive integer of any size.
func logInt(n *big.Int) float64 {
	f := new(big.Float).SetInt(n)
	m := new(big.Float)
	e := f.MantExp(m)
	v, _ := m.Float64()
	return float64(e)*math.Ln2 + math.Log(v)
}
