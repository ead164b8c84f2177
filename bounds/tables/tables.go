// Package tables holds the entries of the two comparison tables and the prose comparisons between methods, beside the
// claims about them.
package tables

import "sledge/props"

// Claims returns the claims of the package, result by result in the order of the paper.
func Claims() []props.Binding {
	var out []props.Binding
	for _, file := range []func() []props.Binding{table1Claims, table2Claims, classicalClaims, measuredClaims} {
		out = append(out, file()...)
	}
	return out
}
