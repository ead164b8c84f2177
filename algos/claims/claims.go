// Package claims holds the claims about the algorithms of the text, their estimators and their
// costs, about the methods they are compared with, and about the problems that all are tried on.
//
// The algorithms of the text are linear in gradients once their index sets are known. What the ledger
// says of them is evaluated over formal gradients, where it is an identity for all functions and
// paths, by enumeration of all index sets of small sizes, and on recorded runs of package algos. A
// file is named by what its claims are about; run.go and listing.go hold what they share.
package claims

import (
	"slices"

	"sledge/props"
)

// Claims returns the checks of the package with the ids of the claims that they test.
func Claims() []props.Binding {
	return slices.Concat(samplingClaims(), estimatorErrorClaims(), []props.Binding{
		props.Bind("fledge-communication-protocol/corrected", props.ExactSizes(
			"all choices of i_t and I^t with P ≤ 4 clients in three rounds", neededInputs)),
		props.Bind("measured/estimator-order", settledErrors())})
}
