// Package sledge gathers the claims of the companion to the paper on the single-loop gradient
// estimators SLEDGE and FLEDGE: every statement of the paper, with the check that tries to refute
// it. The statements live beside the formulas and methods they are about, in the packages
// algos/claims, bounds, lowerbound and concentration.
package sledge
