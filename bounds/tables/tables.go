// Package tables holds the entries of the two comparison tables and the prose comparisons between
// methods, beside the claims about them.
package tables

import "sledge/props"

// Claims returns the claims of the package, result by result in the order of the paper.
func Claims() []props.Binding {
	return append(escapeClaims(), againstClaims()...)
}
