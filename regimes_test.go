package sledge

import (
	"regexp"
	"slices"
	"strconv"
	"testing"

	"sledge/props"
)

// Every statement about runs says where its content lies, in the same words on every instance, and
// at least a twentieth of the instances that are drawn lie there.
func TestClaimsAboutRunsDeclareRegimes(t *testing.T) {
	const instances, share = 80, 20
	for _, c := range props.Must(Claims()) {
		surveys, err := props.Surveys(&c, instances)
		if err != nil {
			t.Errorf("%s: %v", c.ID, err)
		}
		for _, s := range surveys {
			switch {
			case s.StandIn:
			case len(s.Words) == 0:
				t.Errorf("%s, part %d, declares no regime", c.ID, s.Part)
			case len(s.Words) > 1:
				t.Errorf("%s, part %d, declares several regimes: %q", c.ID, s.Part, s.Words)
			case share*s.Met < s.Drawn || s.Met == 0:
				t.Errorf("%s, part %d: %d of %d instances meet %s", c.ID, s.Part, s.Met, s.Drawn,
					s.Words[0])
			}
		}
	}
}

// Where runs decide about a statement, they do so in dimensions that are worth the name, half of
// them in at least eight, and where the method is more than gradient descent on a line:
// refutations, too, which count wherever they are met.
func TestInstancesThatDecideAreNotDegenerate(t *testing.T) {
	dimension := regexp.MustCompile(`(?:^|, )d = (\d+)`)
	var found []int
	for _, r := range run(t) {
		for _, e := range r.Evidence {
			m := dimension.FindStringSubmatch(e.Where)
			if e.Sense != props.Runs || m == nil {
				continue
			}
			d := props.Must(strconv.Atoi(m[1]))
			if found = append(found, d); d < 2 {
				t.Errorf("%s is decided by runs in dimension %d: %s", r.Claim.ID, d, e.Where)
			}
			for _, c := range e.Regime {
				if !c.Met {
					t.Errorf("%s is decided by runs on an instance without %s: %s", r.Claim.ID,
						c.What, e.Where)
				}
			}
		}
	}
	slices.Sort(found)
	if len(found) < 250 || found[len(found)/2] < 8 {
		t.Errorf("the %d instances on which runs decide have median dimension %d, less than 8",
			len(found), found[len(found)/2])
	}
}
