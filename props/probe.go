package props

import "context"

// Probed is what the deterministic parts of a claim recorded on one instance.
type Probed struct {
	// names of comparisons made; 0 if the premise was not met or the claim has no deterministic
	// part
	Compared int
	Failed   []Pair // those that fail, and not by rounding
	Where    string // the instance of the first part that has a failure
	Replay   string // and the token that reproduces it
}

// Probe evaluates each deterministic part of a claim once, on an instance that choose makes, for
// tools that bring a search of their own. Panics of the check come back as errors.
func Probe(c *Claim, choose Chooser) (Probed, error) {
	var p Probed
	if c.Check == nil {
		return p, nil
	}
	for i, part := range c.Check.parts() {
		d, ok := part.(*Deterministic)
		if !ok {
			continue
		}
		var b bench
		if err := guarded(func() error { return d.evaluate(&b, choose) }); err != nil {
			return p, err
		}
		if b.rec.skipped != "" {
			continue
		}
		e := newExecution(context.Background(), c, &Config{}, i)
		for _, s := range b.rec.live {
			p.Compared++
			if !s.at.broken {
				continue
			}
			f, err := d.examine(s.worst.What, values(b.src.Drawn))
			if err != nil {
				return p, err
			}
			if !f.at.broken || d.rounding(e, &f) != "" {
				continue
			}
			if p.Failed == nil {
				p.Where = where(b.src.Drawn)
				p.Replay = e.token(s.worst.What, domainInstance, values(b.src.Drawn))
			}
			p.Failed = append(p.Failed, s.worst)
		}
	}
	return p, nil
}

// Searchable reports whether a claim has deterministic parts, which [Probe] evaluates.
func Searchable(c *Claim) bool {
	if c.Check != nil {
		for _, part := range c.Check.parts() {
			if _, ok := part.(*Deterministic); ok {
				return true
			}
		}
	}
	return false
}
