package reports

import "sledge/props"

// Claim returns the claim with the given id, or nil.
func (r *Report) Claim(id string) *Claim {
	for i := range r.Claims {
		if r.Claims[i].ID == id {
			return &r.Claims[i]
		}
	}
	return nil
}

// Corrected returns the corrected form of the claim with the given id, or nil.
func (r *Report) Corrected(id string) *Claim { return r.Claim(id + "/corrected") }

// Dependent is a claim whose proof rests on another one.
type Dependent struct {
	Claim *Claim
	Via   string // the claim through which it does so; empty if it uses the other directly
}

// Dependents returns the claims that use the claim with the given id, directly or through others,
// nearest first. Other forms of the claim itself are left out. Cycles do no harm.
func (r *Report) Dependents(id string) []Dependent { return r.dependents(r.usedBy(), id) }

// usedBy maps each id to the claims that name it among what they use.
func (r *Report) usedBy() map[string][]*Claim {
	by := map[string][]*Claim{}
	for i := range r.Claims {
		for _, u := range r.Claims[i].Uses {
			by[u] = append(by[u], &r.Claims[i])
		}
	}
	return by
}

func (r *Report) dependents(usedBy map[string][]*Claim, id string) []Dependent {
	var out []Dependent
	seen := map[string]bool{id: true}
	for queue := []string{id}; len(queue) > 0; queue = queue[1:] {
		for _, c := range usedBy[queue[0]] {
			if seen[c.ID] || baseID(c.ID) == id {
				continue
			}
			seen[c.ID] = true
			d := Dependent{Claim: c}
			if queue[0] != id {
				d.Via = queue[0]
			}
			out = append(out, d)
			queue = append(queue, c.ID)
		}
	}
	return out
}

// Refuted returns the refuted claims in the order of the report.
func (r *Report) Refuted() []*Claim {
	return r.those(func(c *Claim) bool { return c.Verdict == props.Refuted })
}

// those are the claims of which is says so, in the order of the report.
func (r *Report) those(is func(*Claim) bool) []*Claim {
	var out []*Claim
	for i := range r.Claims {
		if c := &r.Claims[i]; is(c) {
			out = append(out, c)
		}
	}
	return out
}

// Part is a row of the coverage table.
type Part struct {
	Name       string
	Claims     int                   // printed claims
	Others     int                   // corrected, sharper and further ones
	ByVerdict  map[props.Verdict]int // of the printed claims
	Unexpected int                   // of all
}

// Coverage counts the verdicts for each part of the text, in the order of the report.
func (r *Report) Coverage() []Part {
	var parts []Part
	for i := range r.Claims {
		c := &r.Claims[i]
		if len(parts) == 0 || parts[len(parts)-1].Name != c.Part {
			parts = append(parts, Part{Name: c.Part, ByVerdict: map[props.Verdict]int{}})
		}
		p := &parts[len(parts)-1]
		if c.Form == props.Printed {
			p.Claims++
			p.ByVerdict[c.Verdict]++
		} else {
			p.Others++
		}
		if !c.AsExpected() {
			p.Unexpected++
		}
	}
	return parts
}
