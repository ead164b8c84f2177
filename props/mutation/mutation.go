// Package mutation asks what the checks of claims are worth: it makes their statements wrong, by
// factors and by powers of their parameters, and sees which of these mutants the checks notice.
package mutation

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	"sledge/props"
)

// Config says how the mutants are run.
type Config struct {
	props.Config
	Effort float64 // share of the effort of each check that a mutant gets; 0 stands for all of it
}

// Kind says what a mutant does.
type Kind string

// The kinds of mutants. A stronger one claims more than the statement on every instance, a weaker
// one less, and a crossing one more on some instances and less on others. A logarithm is a stronger
// one that divides a bound by 1 + |log| of a parameter, as if it had lost it.
const (
	Stronger  Kind = "stronger"
	Weaker    Kind = "weaker"
	Crossing  Kind = "crossing"
	Logarithm Kind = "logarithm"
)

// Outcome is what a mutant came to.
type Outcome struct {
	Mutant  string        `json:"mutant"`
	Kind    Kind          `json:"kind"`
	Noticed bool          `json:"noticed"` // something is not as it is for the statement as written
	Verdict props.Verdict `json:"verdict"`
}

// Row is what is known about a claim.
type Row struct {
	Claim string `json:"claim"`
	// of the statement as written, with the effort of the mutants
	Verdict props.Verdict `json:"verdict"`
	Mutants []Outcome     `json:"mutants"`
	// factors mean something: the statement is not one up to a constant, or without numbers
	Constant bool `json:"constant"`
	// Pinned is the smallest factor at which a stronger statement is refuted; of a refuted one, the
	// smallest at which a weaker one is not. 1 belongs to an equality. It is 0 if no factor up to
	// [widest] does it, or none is tried.
	Pinned float64 `json:"pinned"`
	// Weaker says that the statement is noticed to be weaker by a factor 2; an upper bound cannot
	// show it.
	Weaker bool `json:"weaker"`
	// Sharper is the factor within which the sharper form of the same statement is pinned, 0 if
	// there is none.
	Sharper float64 `json:"sharper,omitempty"`
}

// Count returns how many mutants of a kind were tried and how many of them were noticed. The empty
// kind stands for all.
func (r *Row) Count(k Kind) (tried, noticed int) {
	for _, o := range r.Mutants {
		if k == "" || o.Kind == k {
			tried++
			if o.Noticed {
				noticed++
			}
		}
	}
	return tried, noticed
}

// factors is the ladder on which the factor of a statement about runs is looked for.
var factors = [...]float64{1.01, 1.1, 1.25, 1.5, 2, 3, 5, 10, 30, 100, 1000, widest}

// widest is the largest factor that is tried.
const widest = 1e6

// powers are the exponents of the parameters in mutants.
var powers = [...]float64{0.5, -0.5, 1, -1}

// most is the number of parameters of a claim that mutants are made of, in the order of their
// names.
const most = 6

// subject is a claim on trial.
type subject struct {
	claim props.Claim
	names []string // of the parameters that mutants are made of
	base  *props.Result
	row   *Row
}

// Run tries the mutants of every claim that has a check and returns a row for each, in the order of
// the claims.
func Run(ctx context.Context, claims []props.Claim, cfg Config) ([]Row, error) {
	if cfg.Effort == 0 {
		cfg.Effort = 1
	}
	if !(cfg.Effort > 0) || math.IsInf(cfg.Effort, 0) {
		return nil, fmt.Errorf("mutation: the effort is %v", cfg.Effort)
	}
	var all []*subject
	for _, c := range claims {
		if c.Check != nil {
			names := props.Parameters(&c)
			all = append(all, &subject{claim: c, names: names[:min(len(names), most)],
				row: &Row{Claim: c.ID}})
		}
	}
	base, err := try(ctx, all, cfg,
		func(*subject) (props.Mutant, bool) { return props.Mutant{}, true })
	if err != nil {
		return nil, err
	}
	for i, s := range all {
		s.base = base[i]
		s.row.Verdict = base[i].Verdict
		s.row.Constant = comparable(base[i])
	}
	record := func(kind func(*subject) Kind, pick func(*subject) (props.Mutant, bool)) error {
		results, err := try(ctx, all, cfg, pick)
		for i, r := range results {
			if r == nil {
				continue
			}
			m, _ := pick(all[i])
			o := Outcome{m.String(), kind(all[i]),
				!slices.Equal(r.Unexpected(), all[i].base.Unexpected()), r.Verdict}
			all[i].row.Mutants = append(all[i].row.Mutants, o)
			if m.Strength == 0.5 {
				all[i].row.Weaker = o.Noticed
			}
		}
		return err
	}
	always := func(k Kind) func(*subject) Kind { return func(*subject) Kind { return k } }
	for _, step := range []struct {
		kind   Kind
		mutant props.Mutant
		when   func(*subject) bool
	}{
		{Stronger, props.Mutant{Strength: 2}, func(s *subject) bool { return s.row.Constant }},
		{Weaker, props.Mutant{Strength: 0.5}, func(s *subject) bool { return s.row.Constant }},
		{Stronger, props.Mutant{Delta: 0.5}, func(s *subject) bool { return probable(s.base) }},
	} {
		if err := record(always(step.kind),
			func(s *subject) (props.Mutant, bool) {
				return step.mutant, step.when(s)
			}); err != nil {
			return nil, err
		}
	}
	for k := range most {
		of := func(m props.Mutant) func(*subject) (props.Mutant, bool) {
			return func(s *subject) (props.Mutant, bool) {
				if k >= len(s.names) || !depends(s.base) {
					return props.Mutant{}, false
				}
				m.Parameter = s.names[k]
				return m, true
			}
		}
		for _, p := range powers {
			if err := record(func(s *subject) Kind { return direction(s, k, p) },
				of(props.Mutant{Power: p})); err != nil {
				return nil, err
			}
		}
		if err := record(always(Logarithm),
			of(props.Mutant{Power: 1, Logarithm: true})); err != nil {
			return nil, err
		}
	}
	if err := pin(ctx, all, cfg); err != nil {
		return nil, err
	}
	rows := make([]Row, len(all))
	pinned := map[string]float64{}
	for i, s := range all {
		rows[i] = *s.row
		pinned[s.row.Claim] = s.row.Pinned
	}
	for i := range rows {
		base, suffix, _ := strings.Cut(rows[i].Claim, "/")
		if suffix != "sharper" {
			rows[i].Sharper = pinned[base+"/sharper"]
		}
	}
	return rows, nil
}

// try runs one mutant of each subject for which pick makes one, and returns the results at the
// places of the subjects.
func try(ctx context.Context, all []*subject, cfg Config,
	pick func(*subject) (props.Mutant, bool)) ([]*props.Result,
	error) {
	var claims []props.Claim
	var at []int
	for i, s := range all {
		if m, ok := pick(s); ok {
			claims = append(claims, m.Of(s.claim, cfg.Effort))
			at = append(at, i)
		}
	}
	results, err := props.Run(ctx, claims, cfg.Config)
	if err != nil {
		return nil, err
	}
	out := make([]*props.Result, len(all))
	for k := range results {
		out[at[k]] = &results[k]
	}
	return out, nil
}

// depends reports whether a comparison has numbers that parameters can change.
func depends(r *props.Result) bool {
	return slices.ContainsFunc(r.Evidence,
		func(e props.Evidence) bool { return e.Sense != props.Proposition })
}

// comparable reports whether a factor of the claimed side means something in some comparison.
func comparable(r *props.Result) bool {
	return slices.ContainsFunc(r.Evidence, func(e props.Evidence) bool {
		return e.Sense != props.Proposition && e.Sense != props.Hidden &&
			(e.Claimed != 0 || e.Sense == props.Runs)
	})
}

// probable reports whether a comparison is about the probability of runs.
func probable(r *props.Result) bool {
	return slices.ContainsFunc(r.Evidence,
		func(e props.Evidence) bool { return e.Sense == props.Runs })
}

// direction says what a power of the k-th parameter does to the statement.
func direction(s *subject, k int, power float64) Kind {
	lo, hi := props.Range(&s.claim, s.names[k])
	switch {
	case lo >= 1 && power > 0, hi <= 1 && power < 0:
		return Stronger
	case lo >= 1, hi <= 1:
		return Weaker
	}
	return Crossing
}

// pin finds the factor within which each claim is pinned. Where everything is deterministic, the
// tightness tells it: the instance that has it refutes any statement that is stronger by more.
// Statements about runs are tried on a ladder of factors.
func pin(ctx context.Context, all []*subject, cfg Config) error {
	type bracket struct{ noticed, not int } // positions on the ladder
	open := map[*subject]*bracket{}
	for _, s := range all {
		switch {
		case !s.row.Constant:
		case s.base.Verdict == props.Refuted:
			s.row.Pinned = weakest(s.base)
		case props.Significance(&s.claim):
			open[s] = &bracket{len(factors), -1}
		default:
			s.row.Pinned = tightest(s.base)
		}
	}
	for {
		var busy bool
		pick := func(s *subject) (props.Mutant, bool) {
			b := open[s]
			if b == nil || b.noticed-b.not < 2 {
				return props.Mutant{}, false
			}
			busy = true
			return props.Mutant{Strength: factors[(b.noticed+b.not)/2]}, true
		}
		results, err := try(ctx, all, cfg, pick)
		if err != nil {
			return err
		}
		if !busy {
			break
		}
		for i, r := range results {
			if r == nil {
				continue
			}
			b := open[all[i]]
			if k := (b.noticed + b.not) / 2; r.Verdict == props.Refuted {
				b.noticed = k
			} else {
				b.not = k
			}
		}
	}
	for s, b := range open {
		if b.noticed < len(factors) {
			s.row.Pinned = factors[b.noticed]
		}
	}
	return nil
}

// tightest is the smallest factor by which a comparison may become stronger before it fails where
// it is tightest.
func tightest(r *props.Result) float64 {
	return least(r, func(e *props.Evidence) float64 {
		switch {
		case e.Claimed == 0:
		case e.Relation == props.EQ:
			return 1
		case e.Tightness > 0 && e.Outcome() != props.Refuted:
			return max(1, 1/e.Tightness) // above 1 by rounding alone
		}
		return 0
	})
}

// weakest is the smallest factor by which a refuted comparison may become weaker before it holds at
// its worst point.
func weakest(r *props.Result) float64 {
	return least(r, func(e *props.Evidence) float64 {
		switch {
		case e.Outcome() != props.Refuted:
		case e.Relation == props.EQ:
			return 1
		case e.Tightness >= 1:
			return e.Tightness
		}
		return 0
	})
}

// least is the smallest positive factor of a comparison of numbers, 0 if there is none up to the
// widest that is tried.
func least(r *props.Result, factor func(*props.Evidence) float64) float64 {
	best := 0.0
	for i := range r.Evidence {
		e := &r.Evidence[i]
		if e.Sense == props.Proposition || e.Sense == props.Hidden {
			continue
		}
		if k := factor(e); k > 0 && k <= widest && (best == 0 || k < best) {
			best = k
		}
	}
	return best
}
