// Package federated has the test of the claims of package bounds that are about rounds of clients:
// half of what those take, beside the other half.
package federated
