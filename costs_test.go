package sledge_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"

	"sledge"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/verify"
)

// The costs that are kept know nearly all claims, and by them 64 machines are at least thirty times
// as fast as one at the standard and deep tiers.
func TestCosts(t *testing.T) {
	claims, err := sledge.MadeOnce()
	if err != nil {
		t.Fatal(err)
	}
	for _, tier := range []props.Tier{props.Quick, props.Standard, props.Deep} {
		text, err := sledge.Costs(tier)
		if err != nil {
			t.Fatal(err)
		}
		costs, err := reports.ReadCosts(bytes.NewReader(text))
		if err != nil {
			t.Fatal(err)
		}
		known := map[string]bool{}
		for _, c := range costs {
			known[c.Claim] = c.Total() > 0
		}
		unknown := 0
		for i := range claims {
			if !known[claims[i].ID] {
				unknown++
			}
		}
		if 10*unknown > len(claims) {
			t.Errorf("%v: nothing is known of %d of %d claims; see verify shards -record", tier,
				unknown, len(claims))
		}
	}
	for _, tier := range []string{"standard", "deep"} {
		if times := fasterOn64(t, tier); times < 30 {
			t.Errorf("64 shards are only %v times faster at the %s tier", times, tier)
		}
	}
}

// fasterOn64 returns how many times faster 64 shards are, as the command says it.
func fasterOn64(t *testing.T, tier string) float64 {
	app := verify.App{Name: "verify", Claims: sledge.Claims, Costs: sledge.Costs}
	var out, complaints bytes.Buffer
	if code := verify.Main(t.Context(), app, []string{"shards", "-tier", tier}, &out,
		&complaints); code != 0 {
		t.Fatal(complaints.String())
	}
	for line := range strings.Lines(out.String()) {
		var shards, divided int
		var longest, merge, times float64
		n, _ := fmt.Sscan(line, &shards, &longest, &merge, &divided, &times)
		if n == 5 && shards == 64 {
			return times
		}
	}
	t.Fatalf("nothing is said of 64 shards:\n%s", &out)
	return 0
}
