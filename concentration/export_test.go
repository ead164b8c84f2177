package concentration

import (
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
	stated("laws", "matrix powers", "norm ≤ −λ(1 − λ)^k + 1/(k + 2)", 0)
	stated("laws", "matrix powers", "norm ≤ −λ(1 − λ)^(k − 1) + 1/(k + 1)", 0)
	stated("laws", "matrix powers", "norm ≤ max{−λ(1 − λ)^k, (1/(k + 1))(k/(k + 1))^(k + 1)}", 0)
	stated("laws", "gaps", "longest ≤ (n/b)log(nT/ν)/2", 0)
	stated("laws", "gaps", "longest ≤ (n/b)log(T/ν)", 0)
	stated("laws", "sets", "left = n(1 − b/n)^(m − 1)", 0)
	stated("laws", "sets", "left = n(1 − b/n)^(m + 1)", 0)
	stated("laws", "drawn sets", "left = deviations + n(1 − b/n)^(m − 1)", 0)
	stated("laws", "steps back", "left = (1 − b/n)m + b/n²", 0)
	stated("laws", "scaled sums", "mean = ((k − i − 2)/(k − i))drawn", 0)
	stated("laws", "mean increments", "plain = (V − before)/(k − i + 1)", 0)
	stated("laws", "mean increments", "centred ≤ (k − i)²plain/2", 0)
	stated("laws", "independent sums", "radius ≤ (3/2 + log(2/δ)/6)√(V + R²)", 0)
	stated("laws", "samples", "radius ≤ √(log(2/δ))√(lσ² + R²)", 0)
	return wrong
}

// Said returns what is wrong with a statement about tails or laws.
func Said(of, what, text string) error {
	_, _, err := Stated(nil)(ledger.Runs{Of: of, Method: what, Statement: text})
	return err
}
