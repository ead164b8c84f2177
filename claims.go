package sledge

import (
	"sledge/algos/algotest"
	"sledge/algos/experiments"
	"sledge/bounds/federated"
	"sledge/bounds/finitesum"
	"sledge/bounds/tables"
	"sledge/concentration"
	"sledge/lowerbound"
	"sledge/props"
)

// providers are the packages that hold claims, in the order of the paper.
var providers = []func() []props.Claim{
	algotest.Claims,
	concentration.Claims,
	finitesum.Claims,
	federated.Claims,
	tables.Claims,
	lowerbound.Claims,
	experiments.Claims,
}

// Claims returns all claims, part by part. Their ids are unique.
func Claims() []props.Claim {
	var out []props.Claim
	for _, claims := range providers {
		out = append(out, claims()...)
	}
	props.MarkSharpened(out)
	return out
}
