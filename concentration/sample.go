package concentration

import (
	"fmt"
	"math/big"
)

// Class is one class of a population: Class[c] tells in how many ways c of its items can be drawn
// for each value of an integer statistic. The statistic of a sample is the sum over the classes;
// the squared norm of a vector sum has this form when the classes are orthogonal.
type Class [][]Outcome

// Outcome is a value of the statistic and the number of subsets that give it.
type Outcome struct {
	Value int64
	Ways  *big.Int
}

// Alike is a class of m indistinguishable items; the statistic is a function of how many are drawn.
func Alike(m int, value func(c int) int64) Class {
	r := make(Class, m+1)
	for c := range r {
		r[c] = []Outcome{{value(c), choose(m, c)}}
	}
	return r
}

// Opposites is a class of m items of one kind and m of the opposite kind; the statistic is a
// function of the difference of the numbers drawn.
func Opposites(m int, value func(difference int) int64) Class {
	r := make(Class, 2*m+1)
	for p := range m + 1 {
		for q := range m + 1 {
			r[p+q] = append(r[p+q], Outcome{value(p - q),
				new(big.Int).Mul(choose(m, p), choose(m, q))})
		}
	}
	return r
}

// SampleLaw returns the law of the statistic of a sample of the given size, drawn without
// replacement from the union of the classes. The cost is the product of the sizes of the classes
// times the number of values, so this is for small populations.
func SampleLaw(sample int, classes ...Class) ExactLaw {
	ways := make([]map[int64]*big.Int, sample+1) // by number of items drawn so far
	ways[0] = map[int64]*big.Int{0: big.NewInt(1)}
	for c := 1; c <= sample; c++ {
		ways[c] = map[int64]*big.Int{}
	}
	population := 0
	product := new(big.Int)
	for _, class := range classes {
		population += len(class) - 1
		next := make([]map[int64]*big.Int, sample+1)
		for c := range next {
			next[c] = map[int64]*big.Int{}
		}
		for drawn, values := range ways {
			for v, w := range values {
				for c := 0; c < len(class) && drawn+c <= sample; c++ {
					for _, o := range class[c] {
						accumulate(next[drawn+c], v+o.Value, product.Mul(w, o.Ways))
					}
				}
			}
		}
		ways = next
	}
	if sample > population {
		panic(fmt.Sprintf("concentration: no sample of %d from a population of %d", sample,
			population))
	}
	return exactFromMap(ways[sample])
}
