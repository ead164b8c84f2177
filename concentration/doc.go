// Package concentration holds the tail inequalities on which the high-probability results rest, the
// exact distributions to hold them against, and the claims about them.
//
// A tail inequality can be wrong at probabilities that no simulation reaches, so nothing here is
// sampled. The laws are finite: [Law] keeps logarithms of probabilities and is fast down to 1e-300
// and far below; [ExactLaw] keeps integer weights and is exact. Bounds, which are irrational, are
// enclosed by package enclosure, so that a violation can be certified.
//
// Each file is one result of the paper: formula, constants, and the claims about it.
package concentration
