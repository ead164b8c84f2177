package props

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"math"
	"math/big"
	"slices"
	"strconv"
	"sync"

	"sledge/props/certificate"
)

// Procedure tries to settle a statement at a tier. It returns a certificate and in words what it
// says, which may be nothing, or else why there is none, in words that go on after "not settled: ".
type Procedure func(tier Tier) (*certificate.Certificate, string)

// Settled has the procedure try to settle what the check is about, besides the search, and returns
// the check. If [Config.Check] accepts the certificate, all that the check compares is settled by
// it, but for what is [Pair.Apart], and the search is a cross-check at a part of its budget. A
// counterexample beside a proof for the whole domain is an error of the check. Without Config.Check
// the procedure is not asked.
func Settled[C Check](check C, by Procedure) C {
	s := &settlement{by: by}
	for _, p := range check.parts() {
		p.(interface{ settledBy(*settlement) }).settledBy(s)
	}
	return check
}

// settlement is a procedure that settles one part of a check or several, and what it has made at
// each tier: it is asked once, by whoever comes first.
type settlement struct {
	by   Procedure
	made [Deep + 1]struct {
		once        sync.Once
		certificate *certificate.Certificate
		why         string
		fault       *panicked
	}
}

// make returns what the procedure makes at a tier. It panics if the procedure does, each time.
func (s *settlement) make(tier Tier) (*certificate.Certificate, string) {
	m := &s.made[tier]
	m.once.Do(func() {
		defer func() {
			if p := recover(); p != nil {
				m.fault = wrapPanic(p)
			}
		}()
		m.certificate, m.why = s.by(tier)
	})
	if m.fault != nil {
		panic(m.fault)
	}
	return m.certificate, m.why
}

// settling is embedded by parts that may have one.
type settling struct{ s *settlement }

func (s *settling) settledBy(t *settlement) { s.s = t }
func (s *settling) settlement() *settlement { return s.s }

// settled is what a settlement has come to.
type settled struct {
	certificate *certificate.Certificate
	why         string // there is none
	told        bool   // one piece of evidence carries it
}

// crossCheck is the part of its budget that a search has beside a proof.
const crossCheck = 0.25

// try asks the procedure of a part, once. Nil means that the part has none.
func (s *settlement) try(cfg *Config, done map[*settlement]*settled) (*settled, error) {
	if s == nil || cfg.Check == nil {
		return nil, nil
	}
	if r := done[s]; r != nil {
		return r, nil
	}
	r := &settled{}
	done[s] = r
	r.certificate, r.why = s.make(cfg.Tier)
	if r.certificate == nil {
		return r, nil
	}
	if err := cfg.Check(r.certificate); err != nil {
		return nil, fmt.Errorf("a procedure made a certificate of kind %s that the checker refuses: %w",
			r.certificate.Kind,
			err)
	}
	return r, nil
}

// proved reports whether there is a proof.
func (r *settled) proved() bool {
	return r != nil && r.certificate != nil && !r.certificate.Refutes
}

// apply has the certificate decide the evidence of a part.
func (r *settled) apply(evidence []Evidence) error {
	if r == nil || len(evidence) == 0 {
		return nil
	}
	if r.certificate == nil {
		evidence[0].Unsettled = r.why
		return nil
	}
	if r.certificate.Refutes {
		k := max(0, slices.IndexFunc(evidence,
			func(e Evidence) bool { return e.outcome == Refuted && !e.apart }))
		if e := &evidence[k]; !r.told {
			e.outcome, e.Certified, e.Certificate, r.told = Refuted, true, r.certificate, true
			e.Note = sentence(r.why, e.Note)
		}
		return nil
	}
	for i := range evidence {
		e := &evidence[i]
		switch {
		case e.apart || e.outcome == Vacuous:
			continue
		case e.outcome == Refuted && r.certificate.Scope == certificate.All:
			return fmt.Errorf("a certified proof and the search disagree: %q is %v against %v at %s", e.What,
				e.Measured,
				e.Claimed, e.Where)
		case e.outcome == Refuted:
			continue // outside what the certificate covers
		}
		e.Tried = e.outcome
		e.outcome, e.Certified, e.Scope, e.Covers = Proved, true, r.certificate.Scope,
			r.certificate.Covers
		if !r.told {
			e.Certificate, r.told = r.certificate, true
			e.Note = sentence(r.why, e.Note)
		}
	}
	return nil
}

// certify writes a counterexample as a certificate that the checker accepts, from the first of the
// given choices that has one. It returns why there is none.
func (d *Deterministic) certify(cfg *Config, choices ...[]float64) (c *certificate.Certificate,
	why string) {
	if d.witness == nil || cfg.Check == nil {
		return nil, ""
	}
	for _, values := range choices {
		var b bench
		src, _ := b.draw(replayed(values, middle))
		written, err := guard(func() ([]*certificate.Certificate, error) {
			return d.witness(src), nil
		})
		for _, c := range written {
			if err = cfg.Check(c); err == nil {
				return c, ""
			}
		}
		if err != nil && why == "" {
			why = err.Error()
		}
	}
	return nil, why
}

// comparison is the certificate of a comparison that fails exactly.
func (c *confirmed) comparison() *certificate.Certificate {
	var t tape
	t.add(&c.pair)
	at := where(c.drawn)
	if at == "" {
		at = "the only instance"
	}
	w := t.certificate(at, "", true)
	w.Statement = c.pair.What + " at " + at
	return w
}

// mostRows is how many comparisons of an enumeration a certificate lists.
const mostRows = 100

// tape keeps the comparisons of an enumeration.
type tape struct {
	count int
	hash  hash.Hash
	rows  []certificate.Row // no more than one beyond those that a certificate lists
}

func (t *tape) add(p *Pair) {
	row := certificate.Row{What: p.What, Relation: string(p.Relation)}
	if p.exact == nil {
		row.Measured, row.Claimed = fraction(p.Measured), fraction(p.Claimed)
	} else if m, c := p.exact(); m != nil && c != nil {
		row.Measured, row.Claimed = m.RatString(), c.RatString()
	}
	if row.Measured == "" || row.Claimed == "" {
		return // an error of the check, which says so itself
	}
	if t.hash == nil {
		t.hash = sha256.New()
	}
	t.hash.Write([]byte(row.Line()))
	if t.count++; len(t.rows) <= mostRows {
		t.rows = append(t.rows, row)
	}
}

// fraction writes a number as it is, and nothing for one that is not finite.
func fraction(x float64) string {
	if whole := int64(x); float64(whole) == x && math.Abs(x) < 1<<53 {
		return strconv.FormatInt(whole, 10)
	}
	if r := new(big.Rat).SetFloat64(x); r != nil {
		return r.RatString()
	}
	return ""
}

// certificate is that of an enumeration of a domain.
func (t *tape) certificate(domain string, scope certificate.Scope,
	refutes bool) *certificate.Certificate {
	if t.count == 0 {
		return nil
	}
	proof := certificate.EnumerationProof{Comparisons: t.count,
		Digest: hex.EncodeToString(t.hash.Sum(nil))}
	if t.count <= mostRows {
		proof.Rows = t.rows
	}
	c := &certificate.Certificate{Kind: certificate.Enumeration, Refutes: refutes,
		Statement: certificate.Compared(domain)}
	if !refutes {
		c.Scope, c.Covers = scope, covered(domain, scope)
	}
	c.Proof, _ = json.Marshal(proof) // always possible
	return c
}

// Procedure has the enumeration settle another check, such as a search for counterexamples to the
// same statement.
func (x *Enumerated) Procedure() Procedure {
	return func(Tier) (*certificate.Certificate, string) {
		rec, err := x.record()
		if err != nil {
			return nil, err.Error()
		}
		k := slices.IndexFunc(rec.live, func(s *slot) bool { return s.violations > 0 })
		why := ""
		if k >= 0 {
			p := &rec.live[k].worst
			why = fmt.Sprintf("in one of %s %v %s %v fails, of %s", x.domain,
				p.Measured, p.Relation, p.Claimed, p.What)
		}
		if c := rec.tape.certificate(x.domain, x.scope, k >= 0); c != nil {
			return c, why
		}
		return nil, "nothing is compared"
	}
}
