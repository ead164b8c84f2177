package sledge

import (
	"strings"
	"testing"

	"sledge/props"
)

// differences begin the names of choices that say how much components, or clients, differ.
var differences = []string{"ζ", "zeta", "σ_c", "sigma_c", "G_c", "between",
	"Hessian distance of components", "Hessian distance of clients", "linear spread of components",
	"linear spread of clients"}

// impossible returns the choices of an instance that no sum of functions has: a difference between
// components, or clients, of which there is one.
func impossible(where string) []string {
	var found []string
	single := false
	for choice := range strings.SplitSeq(where, ", ") {
		name, value, _ := strings.Cut(choice, " = ")
		if (name == "n" || name == "P") && value == "1" {
			single = true
		}
		for _, d := range differences {
			if strings.HasPrefix(name, d) && value != "0" && value != "none" {
				found = append(found, choice)
				break
			}
		}
	}
	if !single {
		return nil
	}
	return found
}

// TestRefutationsAreAdmissible: with n = 1 (P = 1) the constants ζ, σ_c and G_c are 0, so no
// refutation stands on one component with positive ones.
func TestRefutationsAreAdmissible(t *testing.T) {
	for _, r := range run(t) {
		for _, e := range r.Evidence {
			places := []string{e.Where}
			if e.Simplest != nil {
				places = append(places, e.Simplest.Where)
			}
			for _, where := range places {
				if bad := impossible(where); e.Outcome() == props.Refuted && bad != nil {
					t.Errorf("%s: %q is refuted where one component has %q: %s", r.Claim.ID, e.What,
						bad, where)
				}
			}
		}
	}
}

func TestImpossible(t *testing.T) {
	for where, want := range map[string]int{
		"n = 1, b = 1, ζ/2L = 0.5, σ_c = 3": 2,
		"n = 1, b = 1, ζ/2L = 0, σ_c = 0":   0,
		"n = 2, b = 1, ζ/2L = 0.5":          0,
		"P = 1, between pattern = outlier":  1,
		"P = 1, between pattern = none":     0,
	} {
		if got := impossible(where); len(got) != want {
			t.Errorf("%s: %q", where, got)
		}
	}
}
