package props

import (
	"math"
	"slices"
)

// Unit is a physical dimension as exponents of two units: that of the values of f and that of the points x. A
// gradient has {1, -1}, a gradient Lipschitz constant {1, -2}, a Hessian Lipschitz constant {1, -3}, a step size {-1,
// 2}; counts and probabilities have {0, 0}.
type Unit struct{ F, X float64 }

// Times returns the unit of a product.
func (u Unit) Times(v Unit) Unit { return Unit{u.F + v.F, u.X + v.X} }

// Power returns the unit of a power.
func (u Unit) Power(p float64) Unit { return Unit{p * u.F, p * u.X} }

// factor is what a number of this unit is multiplied by when values of f are multiplied by c and points by s.
func (u Unit) factor(c, s float64) float64 { return math.Pow(c, u.F) * math.Pow(s, u.X) }

// Quantity is a variable of a formula.
type Quantity struct {
	Unit
	Lo, Hi float64 // range of its values; by default 0.01 to 100
	Int    bool
}

// Values are the values of the quantities of a formula, by name.
type Values map[string]float64

// Dimensional is a check that formulas are homogeneous: that multiplying all values of f by c and all points by s
// multiplies every term by the power of c and s that its unit says. A correct statement about f and x stays correct
// under this change of units, so its two sides, and the terms of a sum in it, have one and the same unit; a missing
// square or a wrong exponent of a constant with a unit is noticed without running anything. A wrong number, or a
// wrong power of a quantity without unit, is not.
func Dimensional(unit Unit, quantities map[string]Quantity, terms map[string]func(Values) float64) *Deterministic {
	names, labels := sortedKeys(quantities), sortedKeys(terms)
	return Identity(func(src *Source, rec *Recorder) {
		v, w := make(Values, len(names)), make(Values, len(names))
		c, s := src.LogReal("c", 1e-3, 1e3), src.LogReal("s", 1e-3, 1e3)
		for _, name := range names {
			q := quantities[name]
			if q.Lo == 0 && q.Hi == 0 {
				q.Lo, q.Hi = 0.01, 100
			}
			switch {
			case q.Int:
				v[name] = float64(src.Int(name, int(q.Lo), int(q.Hi)))
			case q.Lo > 0:
				v[name] = src.LogReal(name, q.Lo, q.Hi)
			default:
				v[name] = src.Real(name, q.Lo, q.Hi)
			}
			w[name] = v[name] * q.factor(c, s)
		}
		for _, label := range labels {
			rec.Equal("unit of "+label, terms[label](w), terms[label](v)*unit.factor(c, s)).sense = Rescaled
		}
	})
}

func sortedKeys[V any](m map[string]V) []string {
	keys := make([]string, 0, len(m))
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}
