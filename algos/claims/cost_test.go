package claims

import (
	"strings"
	"testing"

	"sledge/algos"
)

// Every method of the catalogue has a claim about what it costs; its forms with other parameters share one.
func TestCatalogueHasCosts(t *testing.T) {
	costs := map[string]bool{}
	for _, c := range Claims() {
		costs[c.ID] = true
	}
	for _, c := range algos.Catalogue() {
		method, _, _ := strings.Cut(strings.ToLower(c.Name), " (")
		for _, r := range [][2]string{{" ", "-"}, {"-sfo", ""}, {"+", "-plus"}} {
			method = strings.ReplaceAll(method, r[0], r[1])
		}
		if option, ok := strings.CutSuffix(method, "-ii"); ok {
			method = option + "-2"
		} else if option, ok := strings.CutSuffix(method, "-i"); ok {
			method = option + "-1"
		}
		if !costs["cost/"+method] {
			t.Errorf("%s has no claim cost/%s", c.Name, method)
		}
	}
}
