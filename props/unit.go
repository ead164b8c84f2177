package props

// Unit is a physical dimension as exponents of two units: that of the values of f and that of the
// points x. A gradient has {1, -1}, a gradient Lipschitz constant {1, -2}, a Hessian Lipschitz
// constant {1, -3}, a step size {-1, 2}; counts and probabilities have {0, 0}.
type Unit struct{ F, X float64 }

// Times returns the unit of a product.
func (u Unit) Times(v Unit) Unit { return Unit{u.F + v.F, u.X + v.X} }

// Power returns the unit of a power.
func (u Unit) Power(p float64) Unit { return Unit{p * u.F, p * u.X} }
