package props

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// group is what a refuted claim found out about one comparison: a name within a deterministic part,
// or a randomised part as a whole, whose instances are several tests of one statement. A second
// look belongs to the first.
type group struct {
	part    int
	names   []string
	refuted bool
	outcome Verdict // of the first piece of evidence
}

// groups gathers the evidence by comparison, in its order.
func (r *Result) groups() []*group {
	var parts []part
	if r.Claim.Check != nil {
		parts = r.Claim.Check.parts()
	}
	var out []*group
	for i := range r.Evidence {
		e := &r.Evidence[i]
		random := e.EValues != nil || e.Part < len(parts) && parts[e.Part].tests(Quick) > 0
		first := e.Part
		for first > 0 && first < len(parts) {
			if again, ok := parts[first].(interface{ secondLook() bool }); !ok ||
				!again.secondLook() {
				break
			}
			first--
		}
		k := slices.IndexFunc(out, func(g *group) bool {
			return g.part == first && (random || first < e.Part || slices.Contains(g.names, e.What))
		})
		if k < 0 {
			k = len(out)
			out = append(out, &group{part: first, outcome: e.outcome})
		}
		g := out[k]
		g.refuted = g.refuted || e.outcome == Refuted
		if !slices.Contains(g.names, e.What) {
			g.names = append(g.names, e.What)
		}
	}
	return out
}

// is reports whether an entry of [Claim.Holds] names the comparison: by its name alone, or preceded
// by the number of the part.
func (g *group) is(entry string) bool {
	name := strings.TrimPrefix(entry, strconv.Itoa(g.part+1)+": ")
	return slices.Contains(g.names, entry) || slices.Contains(g.names, name)
}

// Unexpected says in a sentence each what differs from the expectations of the claim: the verdict,
// its scope, a bound that the ledger says to be sharp and is not reached, what the check asks
// beside what is on record, or, inside a claim that is refuted as expected, a comparison that
// should hold and is refuted, or the other way round. It is empty if nothing does.
func (r *Result) Unexpected() []string {
	out := r.amiss()
	if r.Err == "" && len(r.Evidence) > 0 {
		out = append(out, r.Unsharp(sharpRoom)...)
	}
	return append(out, r.Otherwise...)
}

// amiss says what differs in the verdicts.
func (r *Result) amiss() []string {
	c := &r.Claim
	if r.Verdict != c.Expect {
		return []string{fmt.Sprintf("the verdict is %v, expected to be %v", r.Verdict, c.Expect)}
	}
	if why := r.untold(); why != "" {
		return []string{why}
	}
	if scope := r.Scope(); c.Within != "" && scope != c.Within {
		return []string{fmt.Sprintf("proved in the scope %q, expected in %q", scope, c.Within)}
	}
	if r.Verdict != Refuted {
		return nil
	}
	var out []string
	met := make([]bool, len(c.Holds))
	for _, g := range r.groups() {
		holds := false
		for k, entry := range c.Holds {
			if g.is(entry) {
				holds, met[k] = true, true
			}
		}
		switch {
		case holds && g.refuted:
			out = append(out, fmt.Sprintf("%q of part %d is refuted, expected to hold", g.names[0],
				g.part+1))
		case !holds && !g.refuted && g.outcome != Unknown:
			// evidence that no run has made says nothing
			out = append(out, fmt.Sprintf("%q of part %d is %v, expected to be refuted", g.names[0],
				g.part+1, g.outcome))
		}
	}
	for k, entry := range c.Holds {
		if !met[k] {
			out = append(out, fmt.Sprintf("%q is expected to hold, but is not compared", entry))
		}
	}
	return out
}
