package props

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// sharpRoom is the part of a share in [Claim.Sharp] that a run with any seed must reach. How far a
// search comes is luck: of all comparisons with a share in a run, the worst one reaches a part of
// its share whose logarithm is taken to be normal, and the room is the limit that another run falls
// short of with probability 1/1000, as 20 whole runs tell (TestSharpRoom). A bound that becomes
// looser by a factor is noticed at every seed once it is looser than that room by more than the
// search overshoots the share: 2.2 where the share is 0.95 and the bound is met.
const sharpRoom = 0.5

// Unsharp says which comparisons come less close to their bounds than so large a part, such as 1,
// of what the claim says ([Claim.Sharp]): a statement that claims less than it did, or a search
// that no longer finds the extremes. Where a proof has left the search a part of its budget nothing
// is asked.
func (r *Result) Unsharp(part float64) (out []string) {
	for _, f := range r.Claim.Sharp {
		reached, settled := map[string]float64{}, false
		var names []string
		for i := range r.Evidence {
			e := &r.Evidence[i]
			if e.Relation != LE && e.Relation != GE || e.Sense == Hidden ||
				!f.about(e) {
				continue
			}
			if e.Scope != "" {
				settled = true
				continue
			}
			name := fmt.Sprintf("%q of part %d", e.What, e.Part+1)
			if e.Sense == Runs {
				// the instances of a randomised part are spread, not sharp: the best of them counts
				name = fmt.Sprintf("part %d", e.Part+1)
			}
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
			reached[name] = max(reached[name], unless(e.Tightness, 0))
		}
		for _, name := range names {
			if reached[name] < part*f.Share {
				out = append(out,
					fmt.Sprintf("%s reaches %s of its bound, the ledger says %v", name,
						Number(reached[name], 3), f.Share))
			}
		}
		if len(names) == 0 && !settled {
			out = append(out, fmt.Sprintf(
				"no inequality about %q is compared, which the ledger says to be sharp", f.What))
		}
	}
	return out
}

// about reports whether a floor is about a comparison: by a part of its name, or by the number of the
// part of the check, a colon, and the beginning of its name, as in "2: the two".
func (f *Floor) about(e *Evidence) bool {
	return strings.Contains(e.What, f.What) ||
		strings.HasPrefix(strconv.Itoa(e.Part+1)+": "+e.What, f.What)
}

// unless returns x, or y where x is no number.
func unless(x, y float64) float64 {
	if x != x {
		return y
	}
	return x
}
