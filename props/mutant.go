package props

import (
	"fmt"
	"math"
	"math/big"
	"slices"
)

// Mutant is a way to make the statement of a claim wrong, or weaker than it is, to see whether its
// check notices. The factor
//
//	Strength · (value of the parameter)^Power, or Strength · (1 + |log value|)^Power
//
// makes a bound stronger where it exceeds 1: an upper bound, and a horizon, is divided by it, a
// lower bound or a value that is claimed to be equal is multiplied by it. Below 1 it makes a bound
// weaker.
type Mutant struct {
	Strength  float64 // 0 stands for 1
	Parameter string  // name of a choice of the instance, or the label of the abscissa of a [Slope]
	Power     float64
	Logarithm bool // the power is one of the parameter's logarithm, as if a bound had lost it
	// what the allowed probability of a [Tail] or [Hitting] statement is multiplied by; 0 stands
	// for 1
	Delta float64
}

func (m Mutant) String() string {
	switch {
	case m.Delta != 0:
		return fmt.Sprintf("probability ×%v", m.Delta)
	case m.Logarithm:
		return "stronger by " + Raised(fmt.Sprintf("(1 + |log %s|)", m.Parameter),
			fmt.Sprint(m.Power))
	case m.Parameter != "":
		return "stronger by " + Raised(m.Parameter, fmt.Sprint(m.Power))
	case m.Strength < 1:
		return fmt.Sprintf("weaker by %.4g", 1/m.Strength)
	}
	return fmt.Sprintf("stronger by %.4g", m.Strength)
}

// factor is by how much stronger a statement becomes on an instance.
func (m *Mutant) factor(drawn []Choice) float64 {
	f := m.Strength
	if f == 0 {
		f = 1
	}
	if m.Power == 0 {
		return f
	}
	for i := range drawn {
		if c := &drawn[i]; c.Name == m.Parameter && c.numeric() {
			if v := c.clamp(c.Value); v > 0 {
				return f * m.power(v)
			}
			return f
		}
	}
	return f
}

// power is what the value v of the parameter makes the statement stronger by.
func (m *Mutant) power(v float64) float64 {
	if m.Logarithm {
		v = 1 + math.Abs(math.Log(v))
	}
	return math.Pow(v, m.Power)
}

// numeric reports whether a choice is a positive number that formulas can depend on.
func (c *Choice) numeric() bool { return !c.Seed && c.Names == nil && c.Lo >= 0 && c.Hi > c.Lo }

// Of returns the claim with its statement mutated, and the share of its effort that the check is to
// spend.
func (m Mutant) Of(c Claim, effort float64) Claim {
	c.Asked, c.Sharp = nil, nil // they are about the statement as written, with all its effort
	if c.Check != nil {
		var list all
		for _, p := range c.Check.parts() {
			list = append(list, p.(mutable).mutated(&m, effort))
		}
		c.Check = list
	}
	return c
}

// mutable is a part of a check that knows how to make its statement wrong.
type mutable interface {
	mutated(m *Mutant, effort float64) Check
	// draws makes the choices of an instance, and returns the abscissa of a slope as one more.
	draws(src *Source, rec *Recorder) []Choice
}

func (d *Deterministic) mutated(m *Mutant, effort float64) Check {
	wrong := *d
	wrong.effort *= effort
	wrong.settling, wrong.witness = settling{}, nil // they are about the statement as written
	wrong.try = func(src *Source, rec *Recorder) {
		rec.strength = func() float64 { return m.factor(src.Drawn) }
		defer func() { rec.strength = nil }()
		d.try(src, rec)
	}
	return &wrong
}

func (x *Enumerated) mutated(m *Mutant, _ float64) Check {
	return &Enumerated{domain: x.domain, scope: x.scope, try: func(rec *Recorder) {
		rec.strength = func() float64 { return m.factor(nil) }
		defer func() { rec.strength = nil }()
		x.try(rec)
	}}
}

func (o *order) mutated(m *Mutant, _ float64) Check {
	wrong := *o
	wrong.settling = settling{}
	wrong.formulas = func(src *Source) (float64, float64) {
		measured, claimed := o.formulas(src)
		return measured, claimed / m.factor(src.Drawn)
	}
	return &wrong
}

func (r *sampled[T]) mutated(m *Mutant, effort float64) Check {
	wrong := *r
	wrong.effort *= effort
	wrong.settling = settling{}
	wrong.setup = func(src *Source) T {
		inst := r.setup(src)
		m.apply(any(&inst), m.factor(src.Drawn))
		return inst
	}
	return &wrong
}

// apply makes a trial stronger by a factor.
func (m *Mutant) apply(inst any, f float64) {
	delta := m.Delta
	if delta == 0 {
		delta = 1
	}
	switch t := inst.(type) {
	case *TailTrial:
		run := t.Run
		t.Delta *= delta
		t.Run = func(trial Trial, rec *Recorder) {
			rec.strength = func() float64 { return f }
			defer func() { rec.strength = nil }()
			run(trial, rec)
		}
	case *HittingTrial:
		t.Delta *= delta
		t.Horizon = int(float64(t.Horizon) / f)
		run, horizon := t.Run, t.Horizon
		t.Run = func(trial Trial) (int, bool) {
			time, hit := run(trial)
			return time, hit && time <= horizon
		}
	case *MeanTrial:
		t.Claimed = strengthened(t.Claimed, t.Relation, f)
	case *LawTrial:
		cdf := t.CDF
		// it may be asked beyond its domain
		t.CDF = func(x float64) float64 { return min(max(cdf(x*f), 0), 1) }
	case *SlopeTrial:
		if m.Parameter == t.XLabel {
			run := t.Run
			t.Run = func(trial Trial, x float64) float64 { return run(trial, x) * m.power(x) }
		}
	}
}

// strengthened is a claimed value made stronger by a factor. A negative bound is multiplied where a
// positive one is divided.
func strengthened(claimed float64, rel Relation, f float64) float64 {
	if multiplies(claimed, rel) {
		return claimed * f
	}
	return claimed / f
}

func multiplies(claimed float64, rel Relation) bool {
	return rel == EQ || rel == Near || (rel == GE) == (claimed > 0)
}

// strengthen makes the claimed number of a new pair stronger, and has its exact form follow. What
// decides a pair by other numbers no longer does.
func (p *Pair) strengthen(f float64) {
	if !multiplies(p.Claimed, p.Relation) {
		f = 1 / f
	}
	p.Claimed *= f
	p.factor = f
}

// follow makes an exact form that belongs to the claimed number as it was before strengthen.
func (p *Pair) follow(exact func() (measured, claimed *big.Rat)) func() (measured,
	claimed *big.Rat) {
	factor := new(big.Rat)
	if factor.SetFloat64(p.factor) == nil {
		return nil
	}
	return func() (*big.Rat, *big.Rat) {
		m, c := exact()
		if m == nil || c == nil {
			return nil, nil
		}
		return m, new(big.Rat).Mul(c, factor)
	}
}

// Parameters returns the names of the choices of a claim's instances on which a formula can depend
// as on a positive number, and the labels of the abscissae of its slopes, sorted; with the number
// of the part that makes them.
func Parameters(c *Claim) []string {
	var names []string
	if c.Check == nil {
		return nil
	}
	for _, choice := range middleChoices(c) {
		if choice.Name != "" && choice.numeric() && (choice.Log || choice.Hi >= 2*choice.Lo) {
			names = append(names, choice.Name)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// middleChoices are those that the parts of a check make on the instance in the middle of their
// ranges, and the abscissae of slopes.
func middleChoices(c *Claim) (out []Choice) {
	for _, p := range c.Check.parts() {
		var b bench
		src, rec := b.draw(middle)
		abscissa, _ := guard(func() ([]Choice, error) { return p.(mutable).draws(src, rec), nil })
		out = append(append(out, src.Drawn...), abscissa...)
	}
	return out
}

func (d *Deterministic) draws(src *Source, rec *Recorder) []Choice { d.try(src, rec); return nil }

func (x *Enumerated) draws(*Source, *Recorder) []Choice { return nil }

func (o *order) draws(src *Source, _ *Recorder) []Choice { o.formulas(src); return nil }

func (r *sampled[T]) draws(src *Source, _ *Recorder) []Choice {
	inst := r.setup(src)
	if t, ok := any(&inst).(*SlopeTrial); ok && len(t.X) > 0 {
		return []Choice{{Name: t.XLabel, Lo: t.X[0], Hi: t.X[len(t.X)-1], Log: true}}
	}
	return nil
}

// Range returns the range of a choice of a claim's instances, or of the abscissa of a slope; NaN if
// there is none of the name.
func Range(c *Claim, name string) (lo, hi float64) {
	for _, choice := range middleChoices(c) {
		if choice.Name == name {
			return choice.clamp(choice.Lo), choice.clamp(choice.Hi)
		}
	}
	return nan, nan
}

// Significance reports whether a claim has parts that are decided by significance tests.
func Significance(c *Claim) bool { return Tests([]Claim{*c}, Quick) > 0 }
