package reports

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// Costs come back as they are written, tiny and large ones too; a part has runs if there is one
// test in it.
func TestCosts(t *testing.T) {
	r := fixture()
	c := r.Claim("tail")
	c.Cost = []float64{6.76e-7, 12345}
	for i := range c.Evidence {
		c.Evidence[i].Part = 1
	}
	var b strings.Builder
	if err := WriteCosts(&b, r.Costs()); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(b.String(), "\ntail\t6.76e-07\t1.23e+04/400\n") {
		t.Errorf("written are\n%s", b.String())
	}
	got, err := ReadCosts(strings.NewReader(b.String()))
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(r.Costs(), got, cmpopts.EquateApprox(0.01, 0)); d != "" {
		t.Error(d)
	}
	for _, bad := range []string{"", "\t1", "a\t1\n\t2", "a\n\nb", "a\x1b\t1"} {
		got, err := ReadCosts(strings.NewReader(bad + "\n"))
		if err == nil || !strings.Contains(err.Error(), "is no id of a claim") {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
	}
	for _, bad := range []string{"a\t-1", "a\t1\nb\tx", "a\t1/x", "a\tNaN", "a\t1/-2"} {
		if _, err := ReadCosts(strings.NewReader(bad)); err == nil ||
			!strings.Contains(err.Error(), "is no cost") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
