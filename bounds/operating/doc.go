// Package operating measures operating curves: what a method costs up to a goal, with the step size
// tuned anew at each point of an abscissa on an absolute grid that knows nothing of any theory.
//
// A [Terrain] is where runs are made: a nonconvex objective in oblique coordinates with as many
// distinct components or clients as are asked for, and known constants. A [Course] is a goal there
// for a method, a [TunedMethod] the same along an abscissa. [Exact] is the control: the same
// movement with exact gradients, whose curve tells what in a curve belongs to the errors of a
// method.
package operating
