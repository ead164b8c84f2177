package concentration

import (
	"math"
	"math/big"

	"sledge/props"
	"sledge/props/formula"
)

// azumaHoeffding bounds P(‖Σx_i‖ ≥ t) for martingale differences in a Euclidean space of any
// dimension with ‖x_i‖ ≤ R_i almost surely, where squares is ΣR_i²: 2·exp(−t²/(2·squares)). The
// result may exceed 1.
//
// Source: I. Pinelis, Optimum bounds for the distributions of martingales in Banach spaces, Ann.
// Probab. 22 (1994), theorem 3.5.
func azumaHoeffding(t, squares float64) float64 { return azumaHoeffdingOf.At(t, squares) }

var azumaHoeffdingOf = formula.Must(words, "2 exp(−t²/(2S))").Of("t", "S")

// checkAzuma compares the tails of the worst martingales with a function of t and ΣR_i².
func checkAzuma(bound func(t, squares float64) float64) *props.Deterministic {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		k := src.LogInt("k", 1, 40)
		if src.Bool("directions") {
			square := src.LogInt("t²", 1, min(k*k, 25*k))
			atMost(rec, "P(‖Σx_i‖ ≥ t) of the worst signed walk", WorstSignedWalk(k, square),
				bound(math.Sqrt(float64(square)), float64(k)))
			return
		}
		first, last := src.Int("first radius", 1, 4), src.Int("last radius", 1, 4)
		steps, reach, squares := make([]Increments, k), 0, 0
		for i := range steps {
			r := first + (last-first)*i/k
			steps[i] = Increments{Range: r}
			reach, squares = reach+r, squares+r*r
		}
		t := src.LogInt("t", 1, reach)
		atMost(rec, "P(|Σx_i| ≥ t) of the worst martingale on the line", WorstMartingale(steps, t),
			bound(float64(t), float64(squares)))
	})
}

var azuma = []props.Binding{
	props.Bind("azuma-high-probability", props.All(
		// k = T steps: the smallest C_1 that serves the law above is √k exactly, as long as Σν_i +
		// ν/poly < P(no jump).
		props.Order(func(src *props.Source) (measured, claimed float64) {
			sizes := Sizes{N: src.LogInt("n", 1, 1e6), P: 1, D: 1, T: src.LogInt("T", 1, 1e6), K: 1,
				Nu: src.LogReal("ν", 1e-6, 0.4)}
			total := src.LogReal("Σν_i", 1e-12, 0.25)
			k := float64(sizes.T)
			noJump, allowed := math.Exp(k*math.Log1p(-total/k)),
				total+math.Exp(sizes.LogAllowance())
			if noJump <= allowed {
				return 0, 1
			}
			return math.Sqrt(k), sizes.Log()
		}),
		// Every constant c drawn has a counterexample, with its probability.
		props.Implication(func(src *props.Source, rec *props.Recorder) {
			c := src.LogReal("c", 0.1, 1000)
			nu, total := src.LogReal("ν", 1e-6, 0.4), src.LogReal("Σν_i", 1e-12, 0.25)
			T := 1
			for C1(c, Sizes{N: 1, P: 1, D: 1, T: T, K: 1, Nu: nu}) >= math.Sqrt(float64(T)) {
				T += T/8 + 1
			}
			noJump := math.Exp(float64(T) * math.Log1p(-total/float64(T)))
			rec.AtMost("P(‖Σx_i‖² > C_1²ΣR_i²) against ν/poly + Σν_i", noJump,
				nu+total).Decidedly(func() (*big.Rat, *big.Rat) {
				n, s := new(big.Rat).SetFloat64(nu), new(big.Rat).SetFloat64(total)
				return new(big.Rat).Sub(big.NewRat(1, 1), s), n.Add(n, s) // (1 − s/T)^T ≥ 1 − s
			})
		}),
	)),
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
	props.Bind("azuma-high-probability/sharper", checkAzuma(azumaHoeffding)),
}
