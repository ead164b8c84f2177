package concentration

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"sort"
)

// Law is a probability law on finitely many integers. Probabilities are kept as natural logarithms,
// so that tails far below the smallest float64 keep their relative accuracy: about 1e-12 for laws
// on thousands of points. Scale and shift are the caller's: a sum of multiples of 1/q is a law on
// integers times 1/q.
//
// Laws are immutable; operations return new ones.
type Law struct {
	x    []int64   // support, increasing
	logp []float64 // log-probabilities
}

// Support returns the points of the support in increasing order. The caller must not change it.
func (l Law) Support() []int64 { return l.x }

// Max returns the largest point of the support.
func (l Law) Max() int64 { return l.x[len(l.x)-1] }

// Min returns the smallest point of the support.
func (l Law) Min() int64 { return l.x[0] }

// LogProb returns log P(X = x), -Inf outside the support.
func (l Law) LogProb(x int64) float64 {
	i, ok := slices.BinarySearch(l.x, x)
	if !ok {
		return math.Inf(-1)
	}
	return l.logp[i]
}

// LogUpper returns log P(X ≥ x).
func (l Law) LogUpper(x int64) float64 {
	i, _ := slices.BinarySearch(l.x, x)
	return min(0, logSum(l.logp[i:]))
}

// LogLower returns log P(X ≤ x).
func (l Law) LogLower(x int64) float64 {
	i, ok := slices.BinarySearch(l.x, x)
	if ok {
		i++
	}
	return min(0, logSum(l.logp[:i]))
}

// Quantile returns the smallest point q of the support with P(X > q) ≤ e^logDelta.
func (l Law) Quantile(logDelta float64) int64 {
	tail := math.Inf(-1)
	for i := len(l.x) - 1; i > 0; i-- {
		tail = logAdd(tail, l.logp[i])
		if tail > logDelta {
			return l.x[i]
		}
	}
	return l.x[0]
}

// Mean returns E X.
func (l Law) Mean() float64 {
	var m float64
	for i, x := range l.x {
		m += float64(x) * math.Exp(l.logp[i])
	}
	return m
}

// Variance returns E (X - E X)².
func (l Law) Variance() float64 {
	var v float64
	m := l.Mean()
	for i, x := range l.x {
		v += (float64(x) - m) * (float64(x) - m) * math.Exp(l.logp[i])
	}
	return v
}

// Map returns the law of f(X).
func (l Law) Map(f func(int64) int64) Law {
	sums := make(map[int64]float64, len(l.x))
	for i, x := range l.x {
		y := f(x)
		if s, ok := sums[y]; ok {
			sums[y] = logAdd(s, l.logp[i])
		} else {
			sums[y] = l.logp[i]
		}
	}
	return fromMap(sums)
}

// Squares returns the law of (scale·X − shift)², scale > 0.
func (l Law) Squares(scale, shift int64) Law {
	r := Law{make([]int64, 0, len(l.x)), make([]float64, 0, len(l.x))}
	for i, j := 0, len(l.x)-1; i <= j; { // the largest squares are at the ends of the support
		low, high := scale*l.x[i]-shift, scale*l.x[j]-shift
		switch {
		case i == j || -low < high:
			r.x, r.logp = append(r.x, high*high), append(r.logp, l.logp[j])
			j--
		case -low > high:
			r.x, r.logp = append(r.x, low*low), append(r.logp, l.logp[i])
			i++
		default:
			r.x, r.logp = append(r.x, low*low), append(r.logp, logAdd(l.logp[i], l.logp[j]))
			i, j = i+1, j-1
		}
	}
	slices.Reverse(r.x)
	slices.Reverse(r.logp)
	return r
}

// Plus returns the law of X + Y for independent X and Y with laws l and m.
func (l Law) Plus(m Law) Law {
	if len(l.x) > len(m.x) {
		l, m = m, l
	}
	if width := l.Max() - l.Min() + m.Max() - m.Min(); width < 4*int64(len(l.x)*len(m.x))+64 {
		return l.plusDense(m, int(width)+1)
	}
	sums := make(map[int64]float64, len(l.x)*len(m.x))
	for i, x := range l.x {
		for j, y := range m.x {
			p := l.logp[i] + m.logp[j]
			if s, ok := sums[x+y]; ok {
				p = logAdd(s, p)
			}
			sums[x+y] = p
		}
	}
	return fromMap(sums)
}

// plusDense convolves on the whole range of the sum, with one maximum for each point so that no
// exponential under- or overflows.
func (l Law) plusDense(m Law, width int) Law {
	top, sum := make([]float64, width), make([]float64, width)
	for i := range top {
		top[i] = math.Inf(-1)
	}
	low := l.Min() + m.Min()
	for i, x := range l.x {
		for j, y := range m.x {
			k := x + y - low
			top[k] = max(top[k], l.logp[i]+m.logp[j])
		}
	}
	for i, x := range l.x {
		for j, y := range m.x {
			k := x + y - low
			sum[k] += math.Exp(l.logp[i] + m.logp[j] - top[k])
		}
	}
	r := Law{make([]int64, 0, width), make([]float64, 0, width)}
	for k, s := range sum {
		if s > 0 {
			r.x, r.logp = append(r.x, low+int64(k)), append(r.logp, top[k]+math.Log(s))
		}
	}
	return r
}

// Times returns the law of the sum of n ≥ 1 independent copies of X.
func (l Law) Times(n int) Law {
	if n < 1 {
		panic(fmt.Sprintf("concentration: a sum of %d copies", n))
	}
	var r Law
	for ; ; l = l.Plus(l) {
		if n&1 == 1 {
			if r.x == nil {
				r = l
			} else {
				r = r.Plus(l)
			}
		}
		if n >>= 1; n == 0 {
			return r
		}
	}
}

func fromMap(logs map[int64]float64) Law {
	r := Law{make([]int64, 0, len(logs)), make([]float64, 0, len(logs))}
	for x := range logs {
		r.x = append(r.x, x)
	}
	slices.Sort(r.x)
	for _, x := range r.x {
		r.logp = append(r.logp, logs[x])
	}
	return r
}

// TwoPoint returns the law that takes the value hi with probability p and lo < hi otherwise, 0 < p
// < 1.
func TwoPoint(lo, hi int64, p float64) Law {
	if !(lo < hi) || !(p > 0 && p < 1) {
		panic(fmt.Sprintf("concentration: no two-point law on %d, %d with probability %v",
			lo, hi, p))
	}
	return Law{[]int64{lo, hi}, []float64{math.Log1p(-p), math.Log(p)}}
}

// Binomial returns the law of the number of successes in n ≥ 0 independent trials with success
// probability 0 ≤ p ≤ 1.
func Binomial(n int, p float64) Law { return binomial(n, p, math.Inf(-1)) }

// binomial leaves out the two ends where the log-probability is below floor.
func binomial(n int, p, floor float64) Law {
	if n < 0 || !(p >= 0 && p <= 1) {
		panic(fmt.Sprintf("concentration: no binomial law with n = %d, p = %v", n, p))
	}
	if p == 0 || n == 0 {
		return Law{[]int64{0}, []float64{0}}
	}
	if p == 1 {
		return Law{[]int64{int64(n)}, []float64{0}}
	}
	return fromRatios(0, n, floor,
		func(x int) float64 { return float64(n-x) * p / (float64(x+1) * (1 - p)) })
}

// Hypergeometric returns the law of the number of marked items in a sample of the given size, drawn
// without replacement from a population of which some are marked.
func Hypergeometric(population, marked, sample int) Law {
	return hypergeometric(population, marked, sample, math.Inf(-1))
}

// hypergeometric leaves out the two ends where the log-probability is below floor.
func hypergeometric(population, marked, sample int, floor float64) Law {
	lo, hi := hypergeometricRange(population, marked, sample)
	return fromRatios(lo, hi, floor, func(x int) float64 {
		return float64(marked-x) * float64(sample-x) /
			(float64(x+1) * float64(population-marked-sample+x+1))
	})
}

// fromRatios returns the law on lo..hi with P(x+1)/P(x) = ratio(x), for ratios that decrease in x,
// without the ends below floor relative to the mode. Logarithms are added outwards from the mode,
// where they are smallest, and the law is normalised at the end, so that errors stay near 1e-16
// times the logarithm.
func fromRatios(lo, hi int, floor float64, ratio func(x int) float64) Law {
	mode := lo + sort.Search(hi-lo, func(i int) bool { return ratio(lo+i) <= 1 })
	var below, above []float64
	for x, v := mode-1, 0.0; x >= lo; x-- {
		if v -= math.Log(ratio(x)); v < floor {
			break
		}
		below = append(below, v)
	}
	for x, v := mode, 0.0; x < hi; x++ {
		if v += math.Log(ratio(x)); v < floor {
			break
		}
		above = append(above, v)
	}
	slices.Reverse(below)
	r := Law{make([]int64, len(below)+1+len(above)), slices.Concat(below, []float64{0}, above)}
	total := logSum(r.logp)
	for i := range r.x {
		r.x[i] = int64(mode - len(below) + i)
		r.logp[i] -= total
	}
	return r
}

func hypergeometricRange(population, marked, sample int) (lo, hi int) {
	if marked < 0 || sample < 0 || marked > population || sample > population {
		panic(fmt.Sprintf("concentration: no sample of %d from a population of %d with %d marked",
			sample, population, marked))
	}
	return max(0, sample-(population-marked)), min(marked, sample)
}

// logAdd returns log(e^a + e^b).
func logAdd(a, b float64) float64 {
	if a < b {
		a, b = b, a
	}
	if math.IsInf(b, -1) {
		return a
	}
	return a + math.Log1p(math.Exp(b-a))
}

// logSum returns log Σ e^v, -Inf for no terms.
func logSum(v []float64) float64 {
	if len(v) == 0 {
		return math.Inf(-1)
	}
	top, sum := slices.Max(v), 0.0
	if math.IsInf(top, -1) {
		return top
	}
	for _, w := range v {
		sum += math.Exp(w - top)
	}
	return top + math.Log(sum)
}

// ProductQuantile returns the smallest value that |X − x0|·|Y − y0| exceeds with probability at
// most e^logDelta, for independent X and Y.
func ProductQuantile(x Law, x0 float64, y Law, y0, logDelta float64) float64 {
	type atom struct{ value, logp float64 }
	atoms := make([]atom, 0, len(x.x)*len(y.x))
	for i, u := range x.x {
		for j, v := range y.x {
			atoms = append(atoms, atom{math.Abs(float64(u)-x0) * math.Abs(float64(v)-y0),
				x.logp[i] + y.logp[j]})
		}
	}
	slices.SortFunc(atoms, func(a, b atom) int { return cmp.Compare(b.value, a.value) })
	tail := math.Inf(-1)
	for _, a := range atoms {
		if tail = logAdd(tail, a.logp); tail > logDelta {
			return a.value
		}
	}
	return 0
}
