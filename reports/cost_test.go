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
	for _, bad := range []string{"", "\t1", "a\t1\n\t2", "a\t1\n\nb", "a\x1b\t1"} {
		got, err := ReadCosts(strings.NewReader(bad + "\n"))
		if err == nil || !strings.Contains(err.Error(), "is no id of a claim") {
			t.Errorf("%q: %v, %v", bad, got, err)
		}
	}
	for bad, want := range map[string]string{"a": "line 1: a has no cost",
		"a\t1\nb\t2/3\na\t4": "line 3: a is there twice"} {
		if got, err := ReadCosts(strings.NewReader(bad)); err == nil || err.Error() != want {
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

// Whatever is read as costs is written and read as the same.
func FuzzReadCosts(f *testing.F) {
	f.Add("tail\t6.76e-07\t1.23e+04/400\nmean\t0\n")
	f.Fuzz(func(t *testing.T, text string) {
		costs, err := ReadCosts(strings.NewReader(text))
		if err != nil {
			return
		}
		var first, second strings.Builder
		if err := WriteCosts(&first, costs); err != nil {
			t.Fatal(err)
		}
		again, err := ReadCosts(strings.NewReader(first.String()))
		if err != nil {
			t.Fatalf("%q is written as %q: %v", text, first.String(), err)
		}
		if err := WriteCosts(&second, again); err != nil || first.String() != second.String() {
			t.Errorf("%q is read as %q: %v", first.String(), second.String(), err)
		}
	})
}
