package concentration

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"sledge/props/enclosure"
)

// HypergeometricLogUpper returns log P(N ≥ x) for the number N of marked items in a sample drawn
// without replacement from a population: 0 where x is certain, −Inf where it is impossible. Errors
// are below 1e-13, relative to the logarithm where it is below −1 and to the probability elsewhere,
// unless the standard deviation of N is above some thousands. It panics if marked or sample are not
// between 0 and population, or that is above 2^50. The cost is that of some standard deviations of
// N, far in the tail less, while [Hypergeometric] computes the whole law.
func HypergeometricLogUpper(population, marked, sample, x int) float64 {
	lo, hi := hypergeometricRange(population, marked, sample)
	if population > 1<<50 {
		panic(
			fmt.Sprintf(
				"concentration: a population of %d is above 2^50, up to which tails are summed",
				population))
	}
	switch {
	case x <= lo:
		return 0
	case x > hi:
		return math.Inf(-1)
	}
	a, c := float64(marked-x), float64(sample-x)
	b, e := float64(x+1), float64(population-marked-sample+x+1)
	if a*c > b*e { // the terms rise: sum those on the other side
		return math.Log1p(-math.Exp(HypergeometricLogUpper(population, population-marked, sample,
			sample-x+1)))
	}
	return min(0, hypergeometricLogMass(population, marked, sample,
		x)+math.Log(fallingSum(a, c, b, e)))
}

// fallingSum returns Σ_i Π_{j<i} (a−j)(c−j)/((b+j)(e+j)), whose quotients are at most 1 and fall to
// 0 at min(a, c). Four terms share a division. It stops where the rest, bounded by a geometric
// series, is lost in rounding.
func fallingSum(a, c, b, e float64) float64 {
	sum, term := 1.0, 1.0
	for term > 0 {
		n0, n1, n2, n3 := a*c, (a-1)*(c-1), (a-2)*(c-2), (a-3)*(c-3)
		d0, d1, d2, d3 := b*e, (b+1)*(e+1), (b+2)*(e+2), (b+3)*(e+3)
		n01, d23 := n0*n1, d2*d3
		all := term / (d0 * d1 * d23)
		four := n01 * n2 * n3
		sum += all * ((n0*d1+n01)*d23 + n01*n2*d3 + four)
		if term = all * four; term*n3 <= 0x1p-57*sum*(d3-n3) {
			break
		}
		a, c, b, e = a-4, c-4, b+4, e+4
	}
	return sum
}

// hypergeometricLogMass returns log P(N = x) for x in the support of a law on more than one point.
// With the cells c of the table of marked and sampled items, their means m =
// (row)(column)/population and Stirling's formula it is
//
//	−Σ (c log(c/m) − c + m) + ½ log(Π margins/(2π population Π cells)) + Σ errors of Stirling's formula,
//
// where nothing cancels, as in C. Loader, Fast and accurate computation of binomial probabilities
// (2000).
func hypergeometricLogMass(population, marked, sample, x int) float64 {
	p := float64(population)
	margins := [...]float64{float64(marked), float64(population - marked), float64(sample),
		float64(population - sample)}
	product := margins[0] * margins[2]
	// x minus its mean
	off := (math.FMA(float64(x), p, -product) - math.FMA(margins[0], margins[2], -product)) / p
	log, ratio := -stirlingError(p), margins[0]/p*margins[1]*margins[2]*margins[3]/(2*math.Pi)
	for _, m := range margins {
		log += stirlingError(m)
	}
	for i, c := range [...]int{x, marked - x, sample - x, population - marked - sample + x} {
		row, column, delta := margins[i>>1], margins[2+i&1], off
		if i == 1 || i == 2 {
			delta = -off
		}
		log -= relativeDeviance(float64(c), row/p*column, delta)
		if c == 0 {
			ratio *= 2 * math.Pi // log 0! = 0 has no root
			continue
		}
		ratio /= float64(c)
		log -= stirlingError(float64(c))
	}
	return log + math.Log(ratio)/2
}

// relativeDeviance returns c·log(c/m) − c + m for c = m + delta ≥ 0 and m > 0: with v = (c − m)/(c
// + m) it is (c − m)v + 2c(v³/3 + v⁵/5 + …).
func relativeDeviance(c, m, delta float64) float64 {
	if math.Abs(delta) > (c+m)/10 {
		if c == 0 {
			return m
		}
		return c*math.Log(c/m) - delta
	}
	v := delta / (c + m)
	sum, term, square := delta*v, 2*c*v, v*v
	for j := 3.0; ; j += 2 {
		term *= square
		next := sum + term/j
		if next == sum {
			return sum
		}
		sum = next
	}
}

// stirlingErrors are log n! − (n log n − n + ½ log(2πn)) for n = 1, …, 15.
var stirlingErrors = [...]float64{1: 0.08106146679532726, 0.04134069595540929, 0.02767792568499834,
	0.020790672103765093, 0.016644691189821193, 0.013876128823070748, 0.01189670994589177,
	0.010411265261972096, 0.009255462182712733, 0.00833056343336287, 0.007573675487951841,
	0.00694284010720953, 0.006408994188004207, 0.005951370112758848, 0.005554733551962801}

// stirlingError continues the list for all n ≥ 1 by the series of B_2k/(2k(2k−1)n^(2k−1)).
func stirlingError(n float64) float64 {
	if n < float64(len(stirlingErrors)) {
		return stirlingErrors[int(n)]
	}
	square := n * n
	return (1./12 - (1./360-(1./1260-(1./1680-1./1188/square)/square)/square)/square) / n
}

// EncloseBinomial encloses P(N ≥ x) for N binomial with n trials and success probability num/den, 0
// < num < den, also where the integers of [ExactBinomial] are too long. Relative widths are below
// 1e-19. It panics where n exceeds 2^31 or n·den 2^62.
func EncloseBinomial(n int, num, den int64, x int) enclosure.Interval {
	if !(0 < num && num < den) || n < 0 || n > 1<<31 || n > 0 && den > 1<<62/int64(n) {
		panic(
			fmt.Sprintf(
				"concentration: no tail of a binomial law with n = %d, p = %d/%d is enclosed", n,
				num, den))
	}
	log := func(num int64, times int) enclosure.Interval {
		return enclosure.Rat(big.NewRat(num, den)).Log().Mul(enclosure.Int(int64(times)))
	}
	return encloseUpper(0, n, x, func(i int) (uint64, uint64) {
		return uint64(n-x-i) * uint64(num), uint64(x+i+1) * uint64(den-num)
	}, func() enclosure.Interval {
		return enclosure.LogFactorials([]int{n},
			[]int{x, n - x}).Add(log(num, x)).Add(log(den-num, n-x)).Exp()
	}, func() enclosure.Interval { return EncloseBinomial(n, den-num, den, n-x+1) })
}

// encloseUpper encloses P(N ≥ x) for N between lo and hi, from P(N = x+i+1)/P(N = x+i) as numerator
// and denominator, P(N = x), and the probability on the other side, of which that is taken where
// the terms rise.
func encloseUpper(lo, hi, x int, ratio func(i int) (num, den uint64),
	mass, below func() enclosure.Interval) enclosure.Interval {
	switch {
	case x <= lo:
		return enclosure.Int(1)
	case x > hi:
		return enclosure.Int(0)
	}
	if up, down := ratio(0); up > down {
		return enclosure.Int(1).Sub(below())
	}
	return mass().Mul(encloseFallingSum(hi-x, ratio))
}

// EncloseHypergeometric encloses P(N ≥ x) for the number N of marked items in a sample drawn
// without replacement, with a relative width below 1e-19. It panics for a population above 2^31.
func EncloseHypergeometric(population, marked, sample, x int) enclosure.Interval {
	lo, hi := hypergeometricRange(population, marked, sample)
	if population > 1<<31 {
		panic(fmt.Sprintf("concentration: a population of %d is above 2^31, up to which tails are enclosed",
			population))
	}
	rest := population - marked - sample
	return encloseUpper(lo, hi, x, func(i int) (uint64, uint64) {
		return uint64(marked-x-i) * uint64(sample-x-i), uint64(x+i+1) * uint64(rest+x+i+1)
	}, func() enclosure.Interval {
		return enclosure.LogFactorials([]int{marked, population - marked, sample,
			population - sample}, []int{population, x, marked - x, sample - x, rest + x}).Exp()
	}, func() enclosure.Interval {
		return EncloseHypergeometric(population, population-marked, sample, sample-x+1)
	})
}

// encloseFallingSum encloses Σ_{i ≤ further} Π_{j<i} num/den(j), where ratio gives quotients that
// are at most 1 and fall with j, of numbers below 2^63. It computes in units 2^-100 on two words.
//
// A term that is at most i units too small, multiplied by a quotient of at most 1 and floored, is
// at most i + 1 units too small. So the sum up to the i-th term is at most i(i+1)/2 units too
// small, and what follows a term t with quotient q < 1 at most tq/(1−q).
func encloseFallingSum(further int, ratio func(j int) (num, den uint64)) enclosure.Interval {
	const unit = 100
	const every = 8          // terms between looks at what is left
	const enough = unit - 70 // the rest may be the sum times 2^-70
	var hi, lo uint64 = 1 << (unit - 64), 0
	sumHi, sumLo := hi, lo
	var rest *big.Int
	i := 0
	for ; i < further; i++ {
		num, den := ratio(i)
		if i%every == 0 && num < den {
			if hi == 0 && bits.Len64(lo)+bits.Len64(num/(den-num)) <= enough {
				rest = new(big.Int).SetUint64(lo + uint64(i)) // above the term
				rest.Mul(rest, new(big.Int).SetUint64(num/(den-num)+1))
				break
			}
		}
		// The quotient of hi·num by den is below 2^64, since hi is and num ≤ den.
		carry, low := bits.Mul64(lo, num)
		if hi != 0 {
			high, middle := bits.Mul64(hi, num)
			var over uint64
			middle, over = bits.Add64(middle, carry, 0)
			hi, carry = bits.Div64(high+over, middle, den)
		}
		lo, _ = bits.Div64(carry, low, den)
		var over uint64
		sumLo, over = bits.Add64(sumLo, lo, 0)
		sumHi += hi + over
	}
	sum := new(big.Int).SetUint64(sumHi)
	sum.Lsh(sum, 64).Add(sum, new(big.Int).SetUint64(sumLo))
	lost := new(big.Int).Mul(big.NewInt(int64(i)), big.NewInt(int64(i)+1))
	lost.Rsh(lost, 1)
	if rest != nil {
		lost.Add(lost, rest)
	}
	lost.Add(lost, sum)
	scale := new(big.Int).Lsh(big.NewInt(1), unit)
	return enclosure.Rat(new(big.Rat).SetFrac(sum, scale)).Hull(
		enclosure.Rat(new(big.Rat).SetFrac(lost, scale)))
}
