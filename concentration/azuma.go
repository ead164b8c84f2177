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

// drawJumps draws signs with a drift that rare jumps make up for, steps of length R = 1 but for a
// jump. Without one, the sum is 2M − N for the number M of steps up.
func drawJumps(src *props.Source) (string, map[string]float64) {
	n := src.LogInt("N", 1, 2000)
	total := src.LogReal("Σν_i", 1e-12, 0.5)
	drift := src.Real("drift", 0, 1) // −E[x_i | no jump]
	logDelta := -src.LogReal("log 1/δ", 0.1, 600)
	jump := drift * (float64(n)/total - 1)
	at := map[string]float64{"N": float64(n), "x": total, "R": 1, "B": max(1, jump),
		"δ": math.Exp(logDelta), "radius": float64(n)}
	if drift < 1 {
		squares := Binomial(n, (1-drift)/2).Squares(2, int64(n))
		at["radius"] = math.Sqrt(float64(squares.Quantile(logDelta)))
	}
	return "", at
}
