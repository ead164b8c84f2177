package checker_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// A statement that is evident is accepted on domains of which a point is found, whichever way its
// symbols have to go, and refused on those that have none.
func TestPointsOfDomains(t *testing.T) {
	domains := map[string]bool{
		"x > 0; x·y = 1/3; y ≥ 7":                       true,
		"x ≤ −5; y ≥ x²":                                true,
		"x + y = 1; x > 0; y > 0":                       true,
		"x ∈ [0, 1]; y > 0; x + y < 1":                  true,
		"n ≥ 3m; m ≥ 2; n ≤ 6":                          true,
		"x ∈ [1/100, 1/90]; n·x ≥ 5; n ≤ 600":           true,
		"y = √x; y ≥ 12; x ≤ 200":                       true,
		"y = ⌈1/x⌉; y ≥ 1000":                           true,
		"x ≥ 10^9·m^4; y·x ≤ 1/n; m ≥ 17; n ≥ m; y > 0": true,
		"x > 1; x < 1":                                  false,
		"x² ≤ −1":                                       false,
		"y = √x; x < 0":                                 false,
		"x ≥ 2m; x ≤ m":                                 false,
		"x = y + 1; y = x + 1":                          false,
		"x ∈ [2, 1]":                                    false,
		"n·x = 1; x > 1":                                false,
		"log(x) ≥ 1; x ≤ 2":                             false,
	}
	for i, domain := range slices.Sorted(maps.Keys(domains)) {
		found := domains[domain]
		if testing.Short() && !found && i%8 > 0 {
			continue // points of nothing are sought for long
		}
		err := checker.Check(&certificate.Certificate{Kind: certificate.Coefficients,
			Scope: certificate.All, Symbols: symbols("x:real y:real n:count m:count"),
			Domain: domain, Statement: "0 ≤ 1",
			Proof: proof(t, certificate.CoefficientsProof{By: [][]certificate.Use{nil}})})
		if (err == nil) != found || !found && !strings.Contains(err.Error(), "may be empty") {
			t.Errorf("%s: %v", domain, err)
		}
	}
}
