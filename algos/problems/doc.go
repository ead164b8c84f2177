// Package problems holds families of finite-sum and federated objectives whose constants are
// certified: smoothness L, heterogeneity ζ, Hessian Lipschitz constant ρ, PL constant μ, initial
// gap Δ and the gradient spreads σ_c, G_c, σ, G are exact or rigorous bounds, and each says which.
//
// There are two kinds of objective underneath. A composite is a separable function of one variable
// per coordinate, shared by all data, plus quadratics that differ between data: quadratics,
// nonconvex PL functions and strict saddles are composites. A linear model is a scalar loss of the
// margins a'x − b plus a separable regulariser: logistic and robust regression and least squares
// are linear models. A finite sum is the case of one datum for each client, so that constants are
// certified in one place for both settings.
//
// Every family is built from explicit parameters, or drawn from a [props.Source]. [Audit] compares
// certified constants with what is seen along a trajectory.
//
// "Exact" is meant up to rounding: eigenvalues of matrices that are not diagonal are rounded away
// from zero by a relative 1e-13.
package problems
