package props

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"

	"sledge/props/certificate"
)

// Remade is what the check of a claim has to say for itself, without a search: what its procedures
// make.
type Remade struct {
	claim *Claim
	tier  Tier
	by    map[int]*certificate.Certificate // by the number of the part
}

// Remake has the procedures of a claim make their certificates again, at the tier of a run.
func Remake(c *Claim, tier Tier) (*Remade, error) {
	r := &Remade{c, tier, map[int]*certificate.Certificate{}}
	for i, part := range c.Check.parts() {
		s := part.settlement()
		if s == nil {
			continue
		}
		made, err := guard(func() (*certificate.Certificate, error) {
			made, _ := s.make(tier)
			return made, nil
		})
		if err != nil {
			return nil, err
		}
		if made != nil {
			r.by[i] = made
		}
	}
	return r, nil
}

// Certificates returns what the procedures of a claim make at a tier, by the numbers of the parts
// of its check.
func Certificates(c *Claim, tier Tier) (map[int]*certificate.Certificate, error) {
	r, err := Remake(c, tier)
	if err != nil {
		return nil, err
	}
	return r.by, nil
}

// Verdict returns the verdict that the pieces of evidence of the claim have together.
func (r *Remade) Verdict(evidence []Evidence) Verdict {
	return fold(&Result{Claim: *r.claim, Evidence: evidence})
}

// Unexpected says what differs from the expectations of the claim, see [Result.Unexpected].
func (r *Remade) Unexpected(evidence []Evidence) []string {
	result := Result{Claim: *r.claim, Evidence: evidence, Verdict: r.Verdict(evidence)}
	settled := &Config{Tier: r.tier, Check: func(*certificate.Certificate) error { return nil }}
	result.Otherwise = r.claim.asksOtherwise(&result, settled)
	return result.Unexpected()
}

// Vouch returns nil if all certificates of the evidence are those that the check of the claim
// makes, and all that is proved in it rests on one of them. That they hold is for a checker to say,
// and of an enumeration of which only a digest is kept, that the comparisons are those of the
// claim, for its repetition.
func (r *Remade) Vouch(evidence []Evidence) error {
	parts := r.claim.Check.parts()
	made := map[string]bool{} // digests of certificates that the evidence bears
	counted := map[int]bool{} // parts that are enumerations and bear theirs
	for i := range evidence {
		e := &evidence[i]
		if e.Part < 0 || e.Part >= len(parts) {
			return fmt.Errorf("there is evidence of part %d of the check, which has %d", e.Part,
				len(parts))
		}
		if _, whole := parts[e.Part].(*Enumerated); e.Certificate == nil && e.outcome == Refuted &&
			e.Certified && !whole {
			return fmt.Errorf("%q is said to be refuted for certain, and the certificate is missing", e.What)
		}
		if e.Certificate == nil {
			continue
		}
		if err := r.vouch(parts[e.Part], e); err != nil {
			return err
		}
		made[e.Certificate.Digest()] = true
		_, whole := parts[e.Part].(*Enumerated)
		counted[e.Part] = counted[e.Part] || whole
	}
	for i := range parts {
		if c := r.by[i]; c != nil && !made[c.Digest()] {
			return fmt.Errorf("part %d of the check makes a certificate, which is missing", i)
		}
	}
	for i := range evidence {
		e := &evidence[i]
		if c := e.Certificate; c != nil &&
			(c.Refutes != (e.outcome == Refuted) || !c.Refutes && e.outcome != Proved) {
			return errors.New("the certificate does not settle what the report says it does")
		}
		c := r.by[e.Part]
		settled := e.outcome == Proved && c != nil && !c.Refutes
		if settled != (e.Tried != Unknown) || e.Tried == Refuted || e.Tried == Error {
			return fmt.Errorf("%q is said to have come to %s where it was tried, which does not fit", e.What,
				e.Tried)
		}
		if e.outcome != Proved {
			continue
		}
		switch {
		case c == nil && counted[e.Part]: // a procedure beside an enumeration has the last word
			x := parts[e.Part].(*Enumerated)
			if e.Scope != x.scope || e.Covers != covered(x.domain, x.scope) {
				return fmt.Errorf("%q is said to be proved of more than is enumerated", e.What)
			}
		case c == nil && r.exhausted(e): // a domain so small that all of it was tried
		case c == nil || c.Refutes || !made[c.Digest()]:
			return fmt.Errorf("%q is said to be proved, and the certificate is missing", e.What)
		case e.Scope != c.Scope || e.Covers != c.Covers:
			return fmt.Errorf("%q is said to be proved of more than its certificate covers", e.What)
		}
	}
	return nil
}

// exhausted reports whether the part of the check that the evidence is of has few instances and,
// tried again, says that the comparison holds in all of them, of the same scope.
func (r *Remade) exhausted(e *Evidence) bool {
	d, ok := r.claim.Check.parts()[e.Part].(*Deterministic)
	if !ok || e.Scope != certificate.Instances {
		return false
	}
	cfg := &Config{Tier: r.tier}
	again, err := guard(func() ([]Evidence, error) {
		return d.run(newExecution(context.Background(), r.claim, cfg, e.Part))
	})
	return err == nil && slices.ContainsFunc(again, func(a Evidence) bool {
		return a.What == e.What && a.outcome == Proved && a.Scope == e.Scope &&
			a.Covers == e.Covers && a.Instances == e.Instances
	})
}

// covered says in words what an enumeration covers, nothing if that is all.
func covered(domain string, scope certificate.Scope) string {
	if scope == certificate.All {
		return ""
	}
	return domain
}

func (r *Remade) vouch(p part, e *Evidence) error {
	digest := e.Certificate.Digest()
	if own := r.by[e.Part]; own != nil && own.Digest() == digest {
		return nil
	}
	switch p := p.(type) {
	case *Enumerated:
		c := e.Certificate
		fits := c.Kind == certificate.Enumeration &&
			c.Statement == certificate.Compared(p.domain) &&
			len(c.Symbols) == 0 &&
			c.Domain == ""
		if fits && (c.Refutes || c.Scope == p.scope && c.Covers == covered(p.domain, p.scope)) {
			return nil
		}
	case *Deterministic:
		replays := []string{e.Replay}
		if e.Simplest != nil {
			replays = append(replays, e.Simplest.Replay)
		}
		for _, replay := range replays {
			t, err := parseToken(replay)
			if err != nil || t.claim != r.claim.ID || t.index != e.Part ||
				t.domain != domainInstance {
				continue
			}
			if again, err := guard(func() ([]*certificate.Certificate, error) {
				return p.remade(t)
			}); err == nil {
				for _, c := range again {
					if c.Digest() == digest {
						return nil
					}
				}
			}
		}
	}
	return fmt.Errorf("the certificate of %q is not one that the check of this claim makes", e.What)
}

// remade returns the certificates of a counterexample that a token names. What stands apart from
// the statement has none but that of its own comparison.
func (d *Deterministic) remade(t *token) ([]*certificate.Certificate, error) {
	f, err := d.examine(t.what, t.choices)
	var out []*certificate.Certificate
	if d.witness != nil && !f.pair.apart {
		var b bench
		src, _ := b.draw(replayed(t.choices, middle))
		out = d.witness(src)
	}
	if err == nil && f.pair.What != "" && f.certified && f.at.broken {
		out = append(out, f.comparison())
	}
	return out, err
}

// Origin is what a replay token says of where its evidence is from.
type Origin struct {
	Claim string
	Part  int
	Seed  uint64
	Tier  Tier
	Alpha float64 // error level of the run
	Slots int     // among which it is divided
}

// OriginOf reads a replay token.
func OriginOf(replay string) (Origin, error) {
	t, err := parseToken(replay)
	if err != nil {
		return Origin{}, err
	}
	return Origin{t.claim, t.index, t.seed, t.tier, t.alpha, t.tests}, nil
}

// Evaluate evaluates an instance of evidence again, in the claim's own check, where one evaluation
// is all that its numbers need, and reports whether that was so: evidence about runs needs the
// runs. The error says what differs.
func (r *Remade) Evaluate(e *Evidence) (done bool, err error) {
	parts := r.claim.Check.parts()
	d, ok := parts[e.Part].(*Deterministic)
	if !ok || e.Replay == "" {
		return false, nil
	}
	compare := func(replay, where string, measured, claimed float64) (confirmed, error) {
		t, err := parseToken(replay)
		if err != nil {
			return confirmed{}, err
		}
		if t.claim != r.claim.ID || t.index != e.Part || t.domain != domainInstance ||
			t.what != e.What {
			return confirmed{}, fmt.Errorf("the replay token of %q is of other evidence", e.What)
		}
		f, err := guard(func() (confirmed, error) {
			f, err := d.examine(t.what, t.choices)
			if err == nil && e.outcome == Refuted && !f.at.broken {
				cfg := &Config{Seed: t.seed, Tier: t.tier, Alpha: t.alpha, Tests: t.tests}
				return d.finely(newExecution(context.Background(), r.claim, cfg, t.index), f)
			}
			return f, err
		})
		if err != nil {
			return f, err
		}
		switch now := f.evidence(); {
		case !sameNumber(measured, now.Measured) || !sameNumber(claimed, now.Claimed):
			return f, fmt.Errorf("%q: measured %v and claimed %v are recorded, and %v and %v are found", e.What,
				measured,
				claimed, now.Measured, now.Claimed)
		case where != now.Where:
			return f, fmt.Errorf("%q: the instance of the replay token is not the one that is told",
				e.What)
		}
		return f, nil
	}
	f, err := compare(e.Replay, e.Where, e.Measured, e.Claimed)
	if err != nil {
		return true, err
	}
	now := f.evidence()
	drawn := e.Chain != nil || e.Curves != nil // of the worst comparison alone
	same := sameNumbers(e.Chain, f.links) && sameNumbers(e.Curves, curveOf(f.points, f.axis))
	settled := e.outcome == Proved && r.by[e.Part] != nil
	switch {
	case drawn && !same:
		return true, fmt.Errorf("%q: chain or curves are not those of its instance", e.What)
	case e.Certified && !now.Certified && e.Certificate == nil && !settled:
		return true, fmt.Errorf("%q is not what is said to be certified", e.What)
	case e.Relation != now.Relation || e.Sense != now.Sense || e.Sense != Hidden &&
		!sameNumber(e.Tightness, now.Tightness):
		return true, fmt.Errorf("%q: relation or tightness is not what is found", e.What)
	case e.outcome == Refuted && !f.at.broken ||
		(e.outcome == Consistent || e.Tried == Consistent) && f.at.broken:
		return true, fmt.Errorf("%q is said to be %s, and its instance says something else", e.What,
			e.outcome)
	case (e.Simplest == nil) == (e.outcome == Refuted):
		return true, fmt.Errorf("%q is %s, and its simplest counterexample does not fit", e.What,
			e.outcome)
	case e.outcome == Refuted && e.Violations < 1 || e.outcome == Consistent && e.Violations > 0:
		return true, fmt.Errorf("%q is %s with %s", e.What, e.outcome,
			plural(e.Violations, "violation"))
	}
	if s := e.Simplest; s != nil {
		f, err := compare(s.Replay, s.Where, float64(s.Measured), float64(s.Claimed))
		if err == nil && !f.at.broken {
			err = fmt.Errorf("%q: the simplest counterexample is none", e.What)
		}
		return true, err
	}
	return true, nil
}

// sameNumbers compares what files keep of two things.
func sameNumbers(a, b any) bool {
	x, err := json.Marshal(a)
	y, err2 := json.Marshal(b)
	return err == nil && err2 == nil && bytes.Equal(x, y)
}

// sameNumber compares numbers as files keep them, which have neither infinities nor the sign of a
// zero.
func sameNumber(a, b float64) bool {
	return a == b || math.IsNaN(a) && (math.IsNaN(b) || math.IsInf(b, 0))
}
