package sledge

import (
	"testing"

	"sledge/props"
)

// Every statement about runs says where its content lies, in the same words on every instance, and
// at least a twentieth of the instances that are drawn lie there.
func TestClaimsAboutRunsDeclareRegimes(t *testing.T) {
	if testing.Short() {
		t.Skip("80 instances of each claim are drawn: seconds")
	}
	const instances, share = 80, 20
	for _, c := range props.Must(MadeOnce()) {
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
