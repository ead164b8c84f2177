package algotest_test

import (
	"flag"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/naive"
)

// only chooses variants by the first part of their names; the mutation tool sets it.
var only = flag.String("variants", "",
	"comma-separated names of methods whose variants are tested; all if empty")

func TestCatalogueConforms(t *testing.T) {
	covered := map[string]bool{}
	for _, v := range naive.Variants() {
		method := strings.Split(v.Name, "/")[0]
		covered[method] = true
		if v.Naive == nil {
			t.Errorf("%s has no naive form: add one to naives or naiveFederated in package naive",
				method)
		}
		if *only != "" && !strings.Contains(","+*only+",", ","+method+",") {
			continue
		}
		t.Run(v.Name, func(t *testing.T) { algotest.Test(t, v.Method, v.Options()) })
	}
	for _, c := range algos.Catalogue() {
		if !covered[c.Name] {
			t.Errorf("%s has no variant", c.Name)
		}
	}
}
