package sledge

import (
	"embed"

	"sledge/props"
)

//go:embed docs/costs
var costs embed.FS

// Costs returns what the claims have cost at a tier, by which runs are divided among machines: what
// "verify shards
// -record" has written.
func Costs(tier props.Tier) ([]byte, error) {
	return costs.ReadFile("docs/costs/" + tier.String() + ".tsv")
}
