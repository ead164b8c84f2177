package reports

import (
	"fmt"
	"strings"

	"sledge/props"
	"sledge/props/certificate"
)

// Settled counts the statements that are settled, and by which means: what else there is was
// searched, or tested on runs.
type Settled struct {
	Claims int                       `json:"claims"` // all of them
	Proved map[certificate.Scope]int `json:"proved"` // by scope
	// the same by what the proof is of, where that is said
	Objects map[props.Object]int `json:"objects,omitempty"`
	// by a counterexample with a certificate
	Refuted int `json:"refuted"`
	// of these, accepted by a proof assistant
	Machine int `json:"machine,omitempty"`
}

// Total is the number of settled statements.
func (s *Settled) Total() int {
	n := s.Refuted
	for _, k := range s.Proved {
		n += k
	}
	return n
}

// Scope says of how much of its statement a proof is: the narrowest scope of what is proved; empty
// for other verdicts.
func (c *Claim) Scope() certificate.Scope {
	r := c.result()
	return r.Scope()
}

// Certificates are what settles the claim: of a proof one or more, since its parts may have one
// each, of a refutation those of its counterexamples. There are none if it is not settled.
func (c *Claim) Certificates() []*certificate.Certificate {
	var out []*certificate.Certificate
	for i := range c.Evidence {
		if e := &c.Evidence[i]; e.Certificate != nil && e.Outcome() == c.Verdict {
			out = append(out, e.Certificate)
		}
	}
	return out
}

// Means says by which means a claim is settled, such as "proved for sizes: n ≤ 4"; nothing if it is
// not.
func (c *Claim) Means() string {
	switch scope := c.Scope(); {
	case c.Verdict == props.Refuted && len(c.Certificates()) > 0:
		return "refuted by a certified counterexample"
	case scope == certificate.All:
		return "proved for the whole domain"
	case scope != "":
		covers := ""
		for i := range c.Evidence {
			if e := &c.Evidence[i]; covers == "" && e.Scope == scope {
				covers = e.Covers
			}
		}
		return fmt.Sprintf("proved for %s: %s", scope, covers)
	}
	return ""
}

// Kernel names the proof assistant that accepts what settles the claim: all certificates of a
// proof, or one of a refutation. It is empty if none is known to.
func (r *Report) Kernel(c *Claim) string {
	by := ""
	for _, cert := range c.Certificates() {
		switch accepted := r.Machine[cert.Digest()]; {
		case accepted != "":
			by = accepted
		case c.Verdict == props.Proved:
			return ""
		}
	}
	return by
}

// Accept says which certificates, by their digests, a proof assistant accepts, and which one. Those
// that are not in the report are left out.
func (r *Report) Accept(accepted map[string]string) {
	r.Machine = map[string]string{}
	for i := range r.Claims {
		for k := range r.Claims[i].Evidence {
			if c := r.Claims[i].Evidence[k].Certificate; c != nil {
				if digest := c.Digest(); accepted[digest] != "" {
					r.Machine[digest] = accepted[digest]
				}
			}
		}
	}
	r.Summary = r.summarise()
}

// settled counts among the claims of which is says so.
func (r *Report) settled(is func(*Claim) bool) Settled {
	s := Settled{Proved: map[certificate.Scope]int{}}
	for i := range r.Claims {
		c := &r.Claims[i]
		if !is(c) {
			continue
		}
		s.Claims++
		if scope := c.Scope(); scope != "" {
			s.Proved[scope]++
			if c.ProofOf != "" {
				if s.Objects == nil {
					s.Objects = map[props.Object]int{}
				}
				s.Objects[c.ProofOf]++
			}
		} else if c.Verdict == props.Refuted && len(c.Certificates()) > 0 {
			s.Refuted++
		}
		if r.Kernel(c) != "" {
			s.Machine++
		}
	}
	return s
}

// proofOf says what the proof of a claim is of. No printed result is better than its parts: a
// statement that uses what is neither assumed nor proved itself, as printed or as corrected, is
// proved as a step. A theorem of a machine-checked development has no parts.
func (r *Report) proofOf(c *Claim) props.Object { return r.proofAfter(c, map[string]bool{}) }

// proofAfter is proofOf on the way through claims that use each other.
func (r *Report) proofAfter(c *Claim, seen map[string]bool) props.Object {
	switch {
	case c.Verdict != props.Proved:
		return ""
	case c.Object != props.WholeStatement || c.Formal != "":
		return c.Object
	case seen[c.ID]:
		return props.ProofStep
	}
	seen[c.ID] = true
	defer delete(seen, c.ID)
	whole := func(used *Claim) bool {
		return used != nil && r.proofAfter(used, seen) == props.WholeStatement
	}
	for _, id := range c.Uses {
		if !strings.HasPrefix(id, "assumption:") && !whole(r.Claim(id)) && !whole(r.Corrected(id)) {
			return props.ProofStep
		}
	}
	return c.Object
}

// SettledWords says how many statements are settled, and by which means; nothing if none is.
func (r *Report) SettledWords() string {
	all, printed := &r.Summary.Settled, &r.Summary.SettledPrinted
	if all.Total() == 0 {
		return ""
	}
	var parts []string
	told := 0
	for _, o := range props.Objects {
		if n := printed.Objects[o]; n > 0 {
			told += n
			parts = append(parts, fmt.Sprintf("%d proved", n)+strings.TrimPrefix(": "+o.Words(),
				": the statement"))
		}
	}
	for _, scope := range certificate.Scopes {
		if n := printed.Proved[scope]; n > 0 && told == 0 {
			parts = append(parts, fmt.Sprintf("%d proved for %s", n,
				map[certificate.Scope]string{certificate.All: "the whole domain",
					certificate.Sizes:     "all functions of some sizes",
					certificate.Instances: "some instances"}[scope]))
		}
	}
	if printed.Refuted > 0 {
		parts = append(parts, fmt.Sprintf("%d refuted by a certified counterexample",
			printed.Refuted))
	}
	s := fmt.Sprintf("Settled: %d of %s", printed.Total(),
		plural(printed.Claims, "printed statement"))
	if len(parts) > 0 {
		s += " (" + strings.Join(parts, ", ") + ")"
	}
	s += fmt.Sprintf(", %d of all %s", all.Total(), plural(all.Claims, "claim"))
	if all.Machine > 0 {
		s += fmt.Sprintf("; a proof assistant accepts %d of these", all.Machine)
	}
	return s + "."
}
