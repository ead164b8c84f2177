package claimtest

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"sledge/props"
)

var dimension = regexp.MustCompile(`(?:^|, )d = (\d+)`)

// Dimensions lists the dimensions in which runs decide about a claim.
func Dimensions(r *props.Result) (found []int) {
	for _, e := range r.Evidence {
		if m := dimension.FindStringSubmatch(e.Where); e.Sense == props.Runs && m != nil {
			found = append(found, props.Must(strconv.Atoi(m[1])))
		}
	}
	return found
}

// worthTheName: where runs decide about a statement, they do so in at least two dimensions and
// where the method is more than gradient descent on a line: refutations, too, which count wherever
// they are met.
func worthTheName(t *testing.T, r *props.Result) {
	for _, d := range Dimensions(r) {
		if d < 2 {
			t.Errorf("it is decided by runs in dimension %d", d)
		}
	}
	for _, e := range r.Evidence {
		if e.Sense != props.Runs || !dimension.MatchString(e.Where) {
			continue
		}
		for _, c := range e.Regime {
			if !c.Met {
				t.Errorf("it is decided by runs on an instance without %s: %s", c.What, e.Where)
			}
		}
	}
}

// InManyDimensions fails the test if runs decide about fewer statements than so many, or in half of
// them in fewer than eight dimensions.
func InManyDimensions(t *testing.T, least int, results []props.Result) {
	t.Helper()
	var found []int
	statements := 0
	for i := range results {
		in := Dimensions(&results[i])
		if found = append(found, in...); len(in) > 0 {
			statements++
		}
	}
	slices.Sort(found)
	if statements < least || found[len(found)/2] < 8 {
		t.Errorf("runs decide about %d statements, want %d, in dimensions %v, half of them from 8 on",
			statements, least, found)
	}
}
