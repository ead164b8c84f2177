package algotest

import (
	"strings"
	"testing"
)

// Every case has a reason, one sentence or more, and every reason a case.
func TestReasons(t *testing.T) {
	for i := range cases {
		if why := cases[i].why(); why == "" || strings.Contains(why, "\n") ||
			!strings.HasSuffix(why, ".") {
			t.Errorf("the case %s is there because %q", cases[i].name, why)
		}
	}
	if n := strings.Count("\n\n"+reasons, "\n\n"); n != len(cases) {
		t.Errorf("cases.txt has %d passages for %d cases", n, len(cases))
	}
}
