package claims

import (
	"fmt"
	"maps"
	"math"
	"math/big"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

func samplingClaims() []props.Binding {
	return []props.Binding{
		props.Bind("ball-noise-law", props.All(
			props.Law(func(src *props.Source) props.LawTrial {
				return lawOfNoise("(‖ξ‖/r)^d", src.LogInt("d", 1, 200),
					func(u float64) float64 { return min(max(u, 0), 1) },
					func(xi []float64) float64 {
						return math.Pow(floats.Norm(xi, 2)/2, float64(len(xi)))
					})
			}),
			props.Law(func(src *props.Source) props.LawTrial {
				d := src.LogInt("d", 1, 200)
				k, shape := src.Int("coordinate", 0, d-1), float64(d+1)/2
				return lawOfNoise("one coordinate of ξ/r", d, func(u float64) float64 {
					return mathext.RegIncBeta(shape, shape, min(max((1+u)/2, 0), 1))
				}, func(xi []float64) float64 { return xi[k] / 2 })
			}),
		)),
	}
}

// noises are perturbations of the library, one after the other.
func noises(src *props.Source, _ *props.Recorder, try func(string, formula.Values)) {
	xi := make([]float64, src.LogInt("d", 1, 1000))
	radius := src.LogReal("r", 1e-9, 1e9)
	r := algos.Keyed(src.Key("noise"))
	for range 20 {
		r.Ball(xi, radius, algos.Noise)
		try("", formula.Given(map[string]float64{"‖ξ‖": floats.Norm(xi, 2), "r": radius}))
	}
}

// lawOfNoise is about a number that is made of noise with the radius 2.
func lawOfNoise(what string, d int, cdf func(u float64) float64,
	of func(xi []float64) float64) props.LawTrial {
	return props.LawTrial{What: what, CDF: cdf, Regime: props.Where(props.Min("d", d, 2)),
		Run: func(t props.Trial) float64 {
			xi := make([]float64, d)
			algos.Keyed(t.Key).Ball(xi, 2, algos.Noise)
			return of(xi)
		}}
}

// share is one of the minibatches of b out of n that the methods draw.
type share struct {
	what string
	draw func(src *props.Source) (n, b, sets int, where props.Condition, of func([][]int) float64)
}

// shares are those of which a mean is known. That of pairs tells sampling without replacement from
// other laws with the same marginals.
var shares = map[string]share{
	"chosen": {"the share of the indices that $(t − s)b < n$ later steps leave out that a step " +
		"chooses, $4 ≤ n ≤ 60$, $b ≤ n/3$",
		func(src *props.Source) (int, int, int, props.Condition, func([][]int) float64) {
			n := src.Int("n", 4, 60)
			b := src.Int("b", 1, n/3)
			later := src.Int("t-s", 0, (n-1)/b)
			return n, b, later + 1, props.Min("t − s", later, 1), func(sets [][]int) float64 {
				left := unsampled(n, sets[1:]...)
				return float64(overlap(sets[0], left)) / float64(len(left))
			}
		}},
	"both": {"the share of minibatches with both of two indices, $3 ≤ n ≤ 40$, $2 ≤ b ≤ n$",
		func(src *props.Source) (int, int, int, props.Condition, func([][]int) float64) {
			n := src.Int("n", 3, 40)
			b := src.Int("b", 2, n)
			i := src.Int("i", 0, n-2)
			return n, b, 1, props.Less("b", b, "n", n), func(sets [][]int) float64 {
				return float64(overlap(sets[0], []int{i, n - 1}) / 2)
			}
		}},
}

// meansOf makes the check of what shares of minibatches are in the mean:
//
//	means of minibatches: chosen = b/n; both = b(b − 1)/(n(n − 1)); within 0.02
func meansOf(r ledger.Runs) (props.Check, string, error) {
	if r.Method != "minibatches" || r.With+r.Family+r.Drawn != "" || r.Rate != 0 {
		return nil, "", fmt.Errorf("there are means of minibatches, and of nothing more or else")
	}
	text, margin, _ := strings.Cut(r.Statement, "; within ")
	near, err := strconv.ParseFloat(margin, 64)
	if err != nil || !(near > 0 && near < 1) {
		return nil, "", fmt.Errorf("behind means stands how near they are, as in \"; within 0.02\"")
	}
	claimed, err := sceneWords.Measured(text, []string{"="}, func(symbol string) string {
		if _, known := shares[symbol]; known || symbol == "n" || symbol == "b" {
			return ""
		}
		return symbol + " is no share of minibatches; known are n, b, " +
			strings.Join(slices.Sorted(maps.Keys(shares)), ", ")
	})
	var all []props.Check
	for _, c := range claimed {
		if _, known := shares[c.Left]; !known {
			return nil, "", &formula.Error{Text: r.Statement, Column: 1,
				What: "what is said of a mean has it alone on the left"}
		}
		all = append(all, props.Mean(func(src *props.Source) props.MeanTrial {
			return shares[c.Left].mean(src, &c, near)
		}).Effort(3))
	}
	return props.All(all...), "in the mean of 40 times" + claimed.Explained(func(name string) string {
		return shares[name].what
	}), err
}

// mean is about the mean of a share of 40 times some minibatches.
func (s share) mean(src *props.Source, claimed *formula.Relation, near float64) props.MeanTrial {
	const times = 40
	n, b, sets, where, of := s.draw(src)
	_, mean, _ := claimed.At(formula.Given(map[string]float64{"n": float64(n), "b": float64(b),
		claimed.Left: 0}).Of)
	return props.MeanTrial{What: claimed.Left, Claimed: mean, Relation: props.Near, Hi: 1,
		Tolerance: near, Regime: props.Where(where), Run: func(t props.Trial) float64 {
			sum, r := 0.0, algos.Keyed(t.Key)
			drawn := make([][]int, sets)
			for range times {
				for k := range drawn {
					drawn[k] = make([]int, b)
					r.Subset(drawn[k], n, algos.Batches)
				}
				sum += of(drawn) / times
			}
			return min(sum, 1)
		}}
}

// allMinibatches goes through all index sets of three steps, of which I^s is one, for unit vectors a.
func allMinibatches(_ *props.Source, try func(formula.Ratios)) {
	const t = 3
	for n, b := range batchSizes(1, 6) {
		for k := range t * n {
			var all, idle, chosen, shared int
			s, index := 1+k/n, []int{k % n}
			sampled, sum := make([]int, n+1), make([]int, n+1) // for each |Ĩ_s^t|
			batchSequences(n, b, t, func(batches [][]int) {
				left, has := unsampled(n, batches[s:]...), overlap(batches[s], index)
				later := overlap(unsampled(n, batches[s+1:]...), index)
				all, idle, chosen = all+1, idle+later, chosen+later*has
				shared += overlap(batches[1], batches[2])
				sampled[len(left)] += has
				sum[len(left)] += overlap(left, index)
			})
			for left := range sum {
				try(over(all, map[string]int{"n": n * all, "b": b * all, "left": left * all,
					"idle": idle, "chosen": chosen, "shared": shared, "sampled": sampled[left],
					"sum": sum[left]}))
			}
		}
	}
}

// sameMeans has two tables with the same mean, of which one is 0, and clients that say 0.
func sameMeans(_ *props.Source, try func(formula.Ratios)) {
	for P, p := range batchSizes(2, 5) {
		for _, chosen := range combin.Combinations(P, p) {
			table := slices.Repeat([]int64{-int64(p)}, P)
			for _, i := range chosen {
				table[i] = int64(P - p)
			}
			before := total(table)
			for _, i := range chosen {
				table[i] = 0
			}
			try(over(P, map[string]int{"P": P * P, "p": P * p, "before": int(before),
				"after": int(total(table))}))
		}
	}
}

// over divides counts by the number of all.
func over(all int, counts map[string]int) formula.Ratios {
	on := formula.Ratios{}
	for symbol, count := range counts {
		on[symbol] = big.NewRat(int64(count), int64(all))
	}
	return on
}
