package bounds

import (
	"fmt"

	"sledge/props"
)

// The units of the quantities of the theory, for [props.Dimensional].
var (
	ValueUnit     = props.Unit{F: 1}
	LengthUnit    = props.Unit{X: 1}
	GradientUnit  = props.Unit{F: 1, X: -1}
	CurvatureUnit = props.Unit{F: 1, X: -2}
)

// Quantities returns the quantities with the given symbols of the paper, for [props.Dimensional]. ε is an accuracy of gradients; "moved" is a sum of
// ‖x^s − x^{s−1}‖², "error" one of ‖v^t − ∇f(x^t)‖². It panics for other names.
func Quantities(symbols ...string) map[string]props.Quantity {
	q := map[string]props.Quantity{}
	for _, s := range symbols {
		switch s {
		case "Δ":
			q[s] = props.Quantity{Unit: ValueUnit}
		case "r", "r_e", "w":
			q[s] = props.Quantity{Unit: LengthUnit}
		case "ε", "σ", "G", "σ_c", "G_c":
			q[s] = props.Quantity{Unit: GradientUnit}
		case "L", "ζ", "δ", "μ":
			q[s] = props.Quantity{Unit: CurvatureUnit}
		case "ρ":
			q[s] = props.Quantity{Unit: props.Unit{F: 1, X: -3}}
		case "η":
			q[s] = props.Quantity{Unit: props.Unit{F: -1, X: 2}}
		case "moved":
			q[s] = props.Quantity{Unit: LengthUnit.Power(2)}
		case "error":
			q[s] = props.Quantity{Unit: GradientUnit.Power(2)}
		case "n", "P":
			q[s] = props.Quantity{Lo: Several, Hi: 1000, Int: true}
		case "b", "p", "K", "T":
			q[s] = props.Quantity{Lo: 1, Hi: 1000, Int: true}
		case "C_1":
			q[s] = props.Quantity{Lo: 1, Hi: 100}
		default:
			panic(fmt.Sprintf("bounds: no quantity %q", s))
		}
	}
	return q
}
