package bounds

import (
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/settle"
)

// The units of the quantities of the theory, as powers of those of values of f and of points. [CurvatureUnit] is that
// of Hessians: of L, ζ, δ and μ; a step size has its inverse.
var (
	valueUnit     = props.Unit{F: 1}
	lengthUnit    = props.Unit{X: 1}
	gradientUnit  = props.Unit{F: 1, X: -1}
	CurvatureUnit = props.Unit{F: 1, X: -2}
)

// Vocabulary is the symbols of the theory with their units, and the ranges from which formulas draw them where they say
// nothing else: counts are whole numbers, constants with a unit positive. Claims in its formulas are settled by the
// coefficients of their polynomials where those decide. ε is an accuracy of gradients; "moved" is a sum of ‖x^s −
// x^{s−1}‖², "error" one of ‖v^t − ∇f(x^t)‖².
var Vocabulary = formula.NewVocabulary(
	formula.Symbol{Name: "n", Kind: formula.Count, Lo: Several, Hi: 1e6},
	formula.Symbol{Name: "P", Kind: formula.Count, Lo: Several, Hi: 1e6},
	formula.Symbol{Name: "b", Kind: formula.Count},
	formula.Symbol{Name: "p", Kind: formula.Count},
	formula.Symbol{Name: "K", Kind: formula.Count},
	formula.Symbol{Name: "T", Kind: formula.Count, Lo: 1, Hi: 1e9},
	formula.Symbol{Name: "C_1", Kind: formula.Logarithmic, Lo: 1, Hi: 400},
	formula.Symbol{Name: "ν", Lo: 1e-9, Hi: 0.5},
	formula.Symbol{Name: "Δ", Unit: valueUnit},
	formula.Symbol{Name: "L", Unit: CurvatureUnit},
	formula.Symbol{Name: "ζ", Unit: CurvatureUnit},
	formula.Symbol{Name: "δ", Unit: CurvatureUnit},
	formula.Symbol{Name: "μ", Unit: CurvatureUnit},
	formula.Symbol{Name: "ρ", Unit: CurvatureUnit.Times(lengthUnit.Power(-1))},
	formula.Symbol{Name: "η", Unit: CurvatureUnit.Power(-1), Lo: 1e-9, Hi: 1e9},
	formula.Symbol{Name: "ε", Unit: gradientUnit},
	formula.Symbol{Name: "σ", Unit: gradientUnit},
	formula.Symbol{Name: "G", Unit: gradientUnit},
	formula.Symbol{Name: "σ_c", Unit: gradientUnit},
	formula.Symbol{Name: "G_c", Unit: gradientUnit},
	formula.Symbol{Name: "r", Unit: lengthUnit, Lo: 0, Hi: 1e3},
	formula.Symbol{Name: "r_e", Unit: lengthUnit, Lo: 0, Hi: 1e3},
	formula.Symbol{Name: "w", Unit: lengthUnit, Lo: 0, Hi: 1e3},
	formula.Symbol{Name: "moved", Unit: lengthUnit.Power(2)},
	formula.Symbol{Name: "error", Unit: gradientUnit.Power(2)},
).Settling(settle.Coefficients)
