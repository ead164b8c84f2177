package bounds

import (
	"math/big"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// noiseFloor is the bound of lemma:Dist-First-Auxiliary-E (lines 2341-2347).
const noiseFloor = "(C_1²/(PKb))(σ² + G²/(PKb))"

// checkFresh compares (c) with its bound at all rounds of a run, over the clients with T_4(t,i) ≥
// max{least, t − T_3}.
func checkFresh(option algos.Option, least int) props.Check {
	return squares.below(noisyData.with(option), 1, "c", "‖(c)‖²", noiseFloor,
		func(p *path, v []float64, at level, t int) {
			p.freshTerm(v, max(least, t-at.window), t)
		})
}

func auxiliaryEClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-lemma-e", props.All(checkFresh(algos.OptionII, 0),
			checkFresh(algos.OptionI, 1))),
		props.Bind("dist-lemma-e/derivation", props.Identity(dependence)),
	}
}

// dependence runs FLEDGE with all choices of data for two clients that are drawn one after the
// other, in numbers that float64 holds exactly.
func dependence(src *props.Source, rec *props.Recorder) {
	terms := make([][]problems.QuadraticTerm, 2)
	r := src.Rand("coefficients")
	for i := range terms {
		for range 2 {
			terms[i] = append(terms[i], problems.QuadraticTerm{A: []float64{float64(r.IntN(5) - 2)},
				B: []float64{float64(2 * (r.IntN(5) - 2))}})
		}
	}
	q := props.Must(problems.NewQuadratic(1, terms...))
	in := &instance{T: 2, tuning: tuning{eta: 0.5, p: 1, K: 1, b: 1}}
	in.set(ofClients(q), []float64{float64(src.Int("x0", -2, 2))})
	const runs = 16
	product, first, second := new(big.Rat), new(big.Rat), new(big.Rat)
	for code := range runs {
		bit := func(k int) []int { return []int{code >> k & 1} }
		p := in.followWith(algos.Script{
			algos.Worker:  {{0}, {0}},
			algos.Clients: {{0}, {1}},
			// J_1^0, J_2^0; then in each round the batch of the unused last local increment and J^t
			algos.LocalBatches: {bit(0), bit(1), {0}, bit(2), {0}, bit(3)},
		})
		x1 := new(big.Rat).SetFloat64(p.valueNoise(1, 0)[0])
		x2 := new(big.Rat).SetFloat64(p.valueNoise(2, 1)[0])
		x2.Mul(x2, x2)
		first.Add(first, x1)
		second.Add(second, x2)
		product.Add(product, x1.Mul(x1, x2))
	}
	mean := big.NewRat(1, runs)
	product.Mul(product, mean)
	first.Mul(first, mean)
	rec.Rats("E[X_1X_2²] against E[X_1]E[X_2²]", product, props.EQ,
		first.Mul(first, second.Mul(second, mean)))
}
