package concentration

import (
	"math"
	"math/big"

	"sledge/props"
	"sledge/props/ledger"
)

// Wrong are checks of statements that are a little too good: constants, exponents, indices.
func Wrong() map[string]props.Check {
	wrong := map[string]props.Check{}
	stated := func(of, what, text string, effort float64) {
		check, _, err := Stated(nil)(ledger.Runs{Of: of, Method: what, Statement: text})
		if err != nil {
			panic(err)
		}
		if effort > 0 { // the engine certifies violations, which takes long
			check = check.(*props.Deterministic).Effort(effort)
		}
		wrong[of+" of "+what+": "+text] = check
	}
	stated("tails", "independent sums", "tail ≤ d'exp(−t²/(1.9V + 2Rt/3))", 0.1)
	stated("tails", "independent sums", "tail ≤ d'exp(−t²/(2V + Rt/2))", 0.1)
	stated("tails", "samples", "tail ≤ (d + 1)exp(−t²/(1.6lσ² + 2Rt/3))", 0.4)
	stated("tails", "samples", "tail ≤ (d + 1)exp(−t²/(2lσ² + 0.4Rt))", 0.4)
	stated("tails", "martingales", "tail ≤ 2exp(−t²/S)", 0.3)
	stated("tails", "matrix martingales", "tail ≤ 2d exp(−(t²/2)/(lσ²/2 + R't/3))", 0)
	stated("laws", "independent sums",
		"radius ≤ √(V log((d + 1)/δ)) + (2/3)R log((d + 1)/δ)", 0)
	stated("laws", "samples", "radius ≤ D(√(l(k − l)/(2k)) + √(Q' log(1/δ)/4))", 0)
	stated("laws", "samples", "radius ≤ D(√(l(k − l)/(8k)) + √(Q' log(1/δ)/4))", 0)
	stated("laws", "tries", "reached ≤ 1 + √(log(N/ν)/8)", 0)
	stated("laws", "jumps", "radius ≤ (2 + √(2log(N/δ)))R√N", 0) // the drift is left out
	stated("laws", "jumps", "radius ≤ (2 + √(1.5log(N/δ)))R√N + xB", 0)
	stated("laws", "increments", "apart²/((k − i)²(k − i − 1)²) ≤ 1.2R²/(k − l)²", 0)
	stated("laws", "increments", "apart² ≤ (k − 1)²R²", 0)
	stated("laws", "steps", "wide ≤ √(b log(2/δ)/4)", 0)
	stated("laws", "balls", "share ≤ 0.9(r_e/r)ratio", 0)
	stated("laws", "balls", "(r_e/r)ratio ≤ (r_e/(√π r))√(d/2)", 0)
	stated("laws", "windows", "wide ≤ √(n log(2/δ)/8)", 0)
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
	return wrong
}

// Said returns what is wrong with a statement about tails or laws.
func Said(of, what, text string) error {
	_, _, err := Stated(nil)(ledger.Runs{Of: of, Method: what, Statement: text})
	return err
}
