package sledge

import (
	"encoding/json"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"sledge/props"
)

var (
	number  = regexp.MustCompile(`[0-9]+(\.[0-9]+)?`)
	raised  = regexp.MustCompile(`[⁰¹²³⁴⁵⁶⁷⁸⁹]+`)
	lowered = strings.NewReplacer("⁰", "0", "¹", "1", "²", "2", "³", "3", "⁴", "4", "⁵", "5", "⁶",
		"6", "⁷", "7", "⁸", "8", "⁹", "9")
)

// onLine writes exponents of a formula as ^ and digits.
func onLine(formula string) string {
	return raised.ReplaceAllStringFunc(formula,
		func(s string) string { return "^" + lowered.Replace(s) + " " })
}

// constants are the numbers in a formula, but for 0 and 1.
func constants(formula string) map[string]bool {
	out := map[string]bool{}
	for _, c := range number.FindAllString(onLine(formula), -1) {
		if c != "0" && c != "1" {
			out[c] = true
		}
	}
	return out
}

// unshown lists, for each printed statement that stands beside displays of the text, the constants
// of its formal lines that neither a display nor its wording has.
func unshown(claims []props.Claim,
	shown func(lines string) (formulas []string)) map[string][]string {
	out := map[string][]string{}
	for _, c := range claims {
		formulas := shown(c.Lines)
		if c.Form != props.Printed || len(formulas) == 0 {
			continue
		}
		have := constants(strings.Join(append(formulas, c.Statement), " "))
		missing := map[string]bool{}
		for _, f := range c.Formally {
			statement, _, _ := strings.Cut(f, ", for ")
			for k := range constants(statement) {
				if !have[k] {
					missing[k] = true
				}
			}
		}
		if len(missing) > 0 {
			out[c.ID] = slices.Sorted(maps.Keys(missing))
		}
	}
	return out
}

// The constants of formal lines are those of the displays beside them. What is otherwise comes from
// elsewhere in the text, or from a reading, and is on record: a constant that is mistaken, or
// changed, is noticed.
func TestConstantsAreThoseOfTheDisplays(t *testing.T) {
	l, err := Ledger()
	if err != nil {
		t.Fatal(err)
	}
	claims, err := MadeOnce()
	if err != nil {
		t.Fatal(err)
	}
	shown := func(lines string) (out []string) {
		for _, d := range l.Text.Shown(lines) {
			out = append(out, d.Formula)
		}
		return out
	}
	got := unshown(claims, shown)
	const file = "testdata/constants.json"
	if os.Getenv("UPDATE") != "" {
		b, _ := json.MarshalIndent(got, "", " ")
		if err := os.WriteFile(file, append(b, '\n'), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var want map[string][]string
	if err := json.Unmarshal(text, &want); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf(
			"formal lines have constants that no display beside them has; read the text, then UPDATE=1:\n%s", diff)
	}
	// a constant that is ten times too large is noticed
	compared, noticed := 0, 0
	for i := range claims {
		c := claims[i]
		if c.Form != props.Printed || len(c.Formally) == 0 || len(shown(c.Lines)) == 0 {
			continue
		}
		statement, ranges, _ := strings.Cut(c.Formally[0], ", for ")
		for k := range constants(statement) {
			if slices.Contains(got[c.ID], k) {
				continue
			}
			plain := onLine(statement)
			for _, at := range number.FindAllStringIndex(plain, -1) {
				if plain[at[0]:at[1]] == k {
					plain = plain[:at[1]] + "0" + plain[at[1]:]
					break
				}
			}
			c.Formally = []string{plain + ", for " + ranges}
			compared++
			if slices.Contains(unshown([]props.Claim{c}, shown)[c.ID], k+"0") {
				noticed++
			}
			break
		}
	}
	t.Logf("%d of %d constants that were made ten times larger are noticed", noticed, compared)
	if compared < 30 || noticed < compared*9/10 {
		t.Errorf("%d of %d changed constants are noticed", noticed, compared)
	}
}

// Displays stand in the order of the text, and each once.
func TestDisplaysAreInOrder(t *testing.T) {
	l, err := Ledger()
	if err != nil {
		t.Fatal(err)
	}
	last := 0
	for _, d := range l.Text.Displays {
		if d.First <= last {
			t.Errorf("the display of line %d stands behind that of line %d", d.First, last)
		}
		last = d.Last
		if strings.Contains(d.Formula, `\`) {
			t.Errorf("line %d: %s", d.First, d.Formula)
		}
	}
	if len(l.Text.Displays) < 150 {
		t.Errorf("%d displays", len(l.Text.Displays))
	}
}
