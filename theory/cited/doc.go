// Package cited has the test of the claims that are theorems of the theory: they depend on it and
// on all packages that try them, and no other claim is run again where the theory changes.
package cited
