// Package lowerbound holds what the lower bound of the paper rests on: the chain that gradients
// reveal coordinate by coordinate, the finite sums made of it, the numbers of gradients that they
// need with literal constants, a check that a method belongs to the linear-span class that the
// bounds are about, and the claims about all of them.
package lowerbound
