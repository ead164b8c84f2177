package concentration

import (
	"math"

	"sledge/props"
)

// drawAzuma draws limits of martingale differences in a Euclidean space and finds the largest tail.
// With ‖x_i‖ ≤ R_i almost surely it is at most 2exp(−t²/(2ΣR_i²)) in any dimension: I. Pinelis,
// Optimum bounds for the distributions of martingales in Banach spaces, Ann. Probab. 22 (1994),
// theorem 3.5.
func drawAzuma(src *props.Source) tailed {
	k := src.LogInt("k", 1, 40)
	at := func(squares, t2 int) tailed {
		return tailed{whole: map[string]int64{"S": int64(squares)},
			squares: map[string]int64{"t": int64(t2)}}
	}
	if src.Bool("directions") {
		square := src.LogInt("t²", 1, min(k*k, 25*k))
		in := at(k, square)
		in.at, in.what = func() float64 { return WorstSignedWalk(k, square) }, "the worst signed walk"
		return in
	}
	first, last := src.Int("first radius", 1, 4), src.Int("last radius", 1, 4)
	steps, reach, squares := make([]Increments, k), 0, 0
	for i := range steps {
		r := first + (last-first)*i/k
		steps[i] = Increments{Range: r}
		reach, squares = reach+r, squares+r*r
	}
	t := src.LogInt("t", 1, reach)
	in := at(squares, t*t)
	in.at = func() float64 { return WorstMartingale(steps, t) }
	in.what = "the worst martingale on the line"
	return in
}

var azuma = []props.Binding{
	props.Bind("azuma-high-probability/corrected",
		props.Order(func(src *props.Source) (measured, claimed float64) {
			k := src.LogInt("k", 1, 2000)
			total := src.LogReal("Σν_i", 1e-12, 0.5)
			drift := src.Real("drift", 0, 1) // −E[x_i | no jump] in units of R_i = 1
			nu := total / float64(k)
			jump := drift * (1 - nu) / nu // B_i, never below 1 in its use: B_i = max(1, jump)
			sizes := drawSizes(src, 1)
			excess := 0.0
			if drift < 1 {
				// of the sum without a jump: 2N − k
				steps := Binomial(k, (1-drift)/2).Squares(2, int64(k))
				excess = math.Sqrt(float64(steps.Quantile(sizes.LogAllowance())))
			} else {
				excess = float64(k)
			}
			excess -= float64(k) * nu * max(1, jump)
			return max(0, excess) / math.Sqrt(float64(k)), sizes.Log()
		})),
}
