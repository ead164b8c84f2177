package ledger

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

// What a display says of itself is read again as the same display.
func TestDisplaysAreReadAgain(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		d := Display{First: rapid.IntRange(1, 9999).Draw(t, "first"),
			Numbers: rapid.SampledFrom([]string{"", "(3)", "(3)-(5)", "(A.1)"}).Draw(t, "numbers"),
			Label:   rapid.SampledFrom([]string{"", "eq:step", "eq-7"}).Draw(t, "label"),
			Digest:  rapid.StringMatching("[0-9a-f]{12}").Draw(t, "digest"),
			Formula: rapid.SampledFrom([]string{"x", "f(y) ≤ f(x) – 1",
				"a sha256:000000000000 – b"}).Draw(t,
				"formula")}
		d.Last = d.First + rapid.IntRange(0, 9).Draw(t, "more")
		got, ok := ParseDisplay(d.String())
		if diff := cmp.Diff(d, got); !ok || diff != "" {
			t.Fatalf("%q: %v, %s", d.String(), ok, diff)
		}
	})
}

func TestDisplays(t *testing.T) {
	l, err := Parse("a.ledger",
		"part: a\ndisplay: 12-14 (3) eq:step sha256:0a1b2c3d4e5f – f(y)\n    ≤ f(x)\ndisplay: "+
			"20 sha256:0a1b2c3d4e50 – 1 = 1\n")
	if err != nil {
		t.Fatal(err)
	}
	for lines, want := range map[string]string{"12-14": "f(y) ≤ f(x)", "13": "f(y) ≤ f(x)",
		"10-30": "f(y) ≤ f(x), 1 = 1", "14-20": "1 = 1",
		"1-2, 20": "1 = 1", "": "", "15-18": "", "no lines": ""} {
		var got []string
		for _, d := range l.Text.Shown(lines) {
			got = append(got, d.Formula)
		}
		if s := strings.Join(got, ", "); s != want {
			t.Errorf("lines %s: %q, want %q", lines, s, want)
		}
	}
	for _, bad := range []string{"", "12", "12-11 sha256:0a1b2c3d4e5f – x",
		"0 sha256:0a1b2c3d4e5f – x", "12 sha256:0a1b – x",
		"12 sha256:0a1b2c3d4e5f x", "12 sha256:0a1b2c3d4e5f – ",
		"12 (1) a b sha256:0a1b2c3d4e5f – x", "99999999999 sha256:0a1b2c3d4e5f – x"} {
		if _, err := Parse("a.ledger", "part: a\ndisplay: "+bad+"\n"); err == nil ||
			!strings.Contains(err.Error(), "a.ledger:2: ") {
			t.Errorf("%q: %v", bad, err)
		}
	}
}
