package concentration

import (
	"math"
	"math/big"

	"sledge/props"
)

// Wrong are checks of statements that are a little too good: constants, exponents, indices.
func Wrong() map[string]props.Check {
	wrong := map[string]props.Check{}
	independent := func(name string, form bernsteinForm) {
		wrong["independent, "+name] = props.Inequality(
			func(src *props.Source, rec *props.Recorder) {
				d := drawIndependent(src)
				d.against(rec, form)
			}).Effort(0.1) // the engine certifies violations, which takes long
	}
	sampled := func(name string, form bernsteinForm) {
		wrong["without replacement, "+name] = againstSamples(form, allDrawn).Effort(0.4)
	}
	independent("variance", bernsteinForm{big.NewRat(19, 10), big.NewRat(2, 3)})
	independent("range", bernsteinForm{big.NewRat(2, 1), big.NewRat(1, 2)})
	sampled("variance", bernsteinForm{big.NewRat(8, 5), big.NewRat(2, 3)})
	sampled("range", bernsteinForm{big.NewRat(2, 1), big.NewRat(2, 5)})
	wrong["Azuma without the 2 of 2ΣR²"] = checkAzuma(func(t,
		squares float64) float64 {
		return 2 * math.Exp(-t*t/squares)
	}).Effort(0.3)
	wrong["Freedman with half the variance"] = props.Inequality(
		func(src *props.Source, rec *props.Recorder) {
			f := drawFreedman(src)
			bound := matrixFreedman(2*f.copies, f.l, float64(f.threshold), float64(f.variance)/2,
				float64(f.rng))
			atMost(rec, "tail of the worst martingale", f.tail(), bound)
		})
	wrong["eigenvalue lemma with 1/(k+2)"] = checkEigenPower(func(smallest float64, k int) float64 {
		return eigenPowerBound(smallest, k) - 1/float64(k+1) + 1/float64(k+2)
	})
	wrong["eigenvalue lemma with (1−λ)^{k−1}"] = checkEigenPower(
		func(smallest float64, k int) float64 {
			return -smallest*math.Pow(1-smallest, float64(k-1)) + 1/float64(k+1)
		})
	wrong["attained eigenvalue bound with (k/(k+1))^{k+1}"] = checkEigenPower(
		func(smallest float64, k int) float64 {
			return min(eigenPowerSharp(smallest, k),
				math.Max(-smallest*math.Pow(1-smallest, float64(k)),
					math.Pow(float64(k)/float64(k+1), float64(k+1))/float64(k+1)))
		})
	for name, shift := range map[string]int{"t − s": -1, "t − s + 2": 1} {
		wrong["mean of |Ĩ| with exponent "+name] = checkUnsampledMean(
			func(n, b, steps int) *big.Rat {
				return exactUnsampledMean(n, b, steps+shift)
			})
	}
	wrong["coverage with half of C_1"] = checkCoverage(func(n, _, T, nu float64) float64 {
		return math.Log(n*T/nu) / 2
	})
	wrong["coverage with log(T/ν)"] = checkCoverage(func(_, _, T, nu float64) float64 {
		return math.Log(T / nu)
	})
	wrong["deviation of a step with b/4"] = props.Inequality(
		func(src *props.Source, rec *props.Recorder) {
			n, b, law := drawStep(src)
			logDelta := -src.LogReal("log 1/δ", 1e-3, 600)
			rec.AtMost("radius", math.Sqrt(float64(law.Quantile(logDelta)))/float64(n),
				math.Sqrt(float64(b)*(math.Ln2-logDelta)/4))
		})
	return wrong
}
