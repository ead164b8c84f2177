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
// the library, of [AnyStep] and one's own, on a family or on several, as in "quadratic and pl". A
// statement of a ledger has its constants: c is refused. One about a single step, or a sum over
// steps, is settled beside the search if a proof of it is known.
func Stated(own ...algos.Entry) func(ledger.Runs) (made props.Check, domain string, err error) {
	known := slices.Concat(own, algos.WithSchedules(), []algos.Entry{AnyStep})
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
		var checks []props.Check
		var stated *Conjecture
		for name := range strings.SplitSeq(r.Family, " and ") {
			family, err := problems.Family(name)
			if err != nil {
				return nil, "", err
			}
			if stated, err = New(r.Statement, known[m], family, r.Rate, r.Drawn); err != nil {
				return nil, "", err
			}
			if stated.Free {
				return nil, "", errors.New(
					"c stands for a constant that is looked for; a ledger says which one it is")
			}
			for _, claim := range stated.Claims(1) {
				checks = append(checks, claim.Check)
			}
		}
		made := props.All(checks...)
		if by := stated.proof(); by != nil {
			made = props.Settled(made, by)
		}
		return made, stated.Domain(), nil
	}
}
