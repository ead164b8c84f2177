package conjecture

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/ledger"
)

// Stated makes the checks of what a ledger says about runs, see [ledger.Ledger.Run], of methods of
// the library and one's own. A statement of a ledger has its constants: c is refused.
func Stated(own ...algos.Entry) func(ledger.Runs) (made props.Check, domain string, err error) {
	known := append(slices.Clone(own), algos.WithSchedules()...)
	return func(r ledger.Runs) (props.Check, string, error) {
		switch {
		case r.Of != "runs":
			return nil, "", fmt.Errorf("of the %s of a method nothing is known here", r.Of)
		case r.Family == "":
			return nil, "", errors.New(
				"quantities of runs are those on a family of problems: runs of METHOD on FAMILY")
		case r.With != "":
			return nil, "", fmt.Errorf(
				"parameters stand among the premises, behind if, and not with %s", r.Method)
		}
		m := slices.IndexFunc(known, func(e algos.Entry) bool { return e.Name == r.Method })
		if m < 0 {
			var names []string
			for _, e := range known {
				names = append(names, e.Name)
			}
			return nil, "", fmt.Errorf("there is no method %q; they are %s", r.Method,
				strings.Join(names, ", "))
		}
		family, err := problems.Family(r.Family)
		if err != nil {
			return nil, "", err
		}
		stated, err := New(r.Statement, known[m], family, r.Rate, r.Drawn)
		if err != nil {
			return nil, "", err
		}
		if stated.Free {
			return nil, "", errors.New(
				"c stands for a constant that is looked for; a ledger says which one it is")
		}
		var checks []props.Check
		for _, claim := range stated.Claims(1) {
			checks = append(checks, claim.Check)
		}
		return props.All(checks...), stated.Domain(), nil
	}
}
