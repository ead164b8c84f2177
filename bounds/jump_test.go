package bounds_test

import (
	"context"
	"testing"

	"sledge/bounds"
	"sledge/claimtest"
	"sledge/props"
	"sledge/props/certificate/checker"
)

// A seed at which one of many violations lies where T_1 is rounded up to the next whole number: by
// the direction of rounding it changes by all that it is, and says nothing of the others.
func TestAJumpIsNoRounding(t *testing.T) {
	share := claimtest.Share{Bindings: [][]props.Binding{bounds.Claims()},
		Only: func(c *props.Claim) bool { return c.ID == "pl-variance-inserted" }}
	claims, err := share.Claims()
	if err != nil || len(claims) != 1 {
		t.Fatal(claims, err)
	}
	results, err := props.Run(context.Background(), claims, props.Config{Seed: 242685496,
		Alpha: props.DefaultAlpha, Tests: claimtest.Tests, Check: checker.Accept})
	if err != nil {
		t.Fatal(err)
	}
	if amiss := results[0].Unexpected(); len(amiss) > 0 {
		t.Error(amiss)
	}
}
