package bounds

import (
	"sledge/props"
	"sledge/props/formula"
)

// scalars is the theory in one dimension and without units: points, gradients and errors are real numbers, x_0 and x_1
// successive points, w a distance of two runs or a step, g and G gradients of components and of their mean.
var scalars = Vocabulary.Numbers().With(append(signed("x_0", "x_1", "w_0", "w_1", "w_2", "u", "v", "y", "y'", "z",
	"z'", "ξ", "g", "g'",
	"g_0", "g_1", "g_2", "G", "G_0", "G_1", "A", "A'", "F_0", "F_1", "m", "d", "d_1", "d_2"),
	formula.Symbol{Name: "γ"}, formula.Symbol{Name: "C_b"}, formula.Symbol{Name: "C_c"}, formula.Symbol{Name: "C_e"},
	formula.Symbol{Name: "C_f"}, formula.Symbol{Name: "Λ"}, formula.Symbol{Name: "κ"}, formula.Symbol{Name: "D"},
	formula.Symbol{Name: "B"}, formula.Symbol{Name: "M_1"}, formula.Symbol{Name: "M_2"})...).MustDomain("L")

// signed are real numbers of either sign.
func signed(names ...string) []formula.Symbol {
	var out []formula.Symbol
	for _, name := range names {
		out = append(out, formula.Symbol{Name: name, Lo: -8, Hi: 8})
	}
	return out
}

// scalar checks a case of a statement that is about real numbers alone: one dimension, the least sizes, and random
// choices all of which come to the same. Where the statement fails there it fails exactly and with certainty.
func scalar(text string) props.Check { return scalars.Implies(text).Effort(0.25) }
