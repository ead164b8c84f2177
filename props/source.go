package props

import (
	"fmt"
	"math"
	"math/rand/v2"

	"sledge/props/keyed"
)

// Choice is one named decision in the making of an instance.
type Choice struct {
	Name   string
	Lo, Hi float64  // inclusive range
	Int    bool     // the value is an integer
	Log    bool     // spread evenly in the logarithm (Lo > 0)
	Seed   bool     // names a random stream: its size means nothing
	Names  []string // of the values 0, 1, ..., if they have names
	Sub    bool     // a quantity that counts as no power, see [Source.Logarithm]
	Least  float64  // of what the check makes of the value, see [Source.Clamped]
	Most   float64  // 0 if nothing is clamped
	Value  float64
}

// Chooser makes decisions: it returns a value within [c.Lo, c.Hi], integral if c.Int. The Value of
// its argument is not set.
type Chooser func(c Choice) float64

// Source is where a check draws its instance from: sizes, constants, spectra, starting points.
// Every draw is a named [Choice]. The engine puts different choosers behind it (random, at corners,
// optimised, shrunk, replayed, or driven by a property-testing library), so one drawing function
// serves them all. Keep the number of choices small and meaningful; take bulk numbers (matrices,
// vectors) from Rand, whose single seed is a choice like any other.
//
// A Source is for instances only; the randomness of the algorithm under study comes from a [Trial].
type Source struct {
	choose Chooser
	Drawn  []Choice  // what has been drawn so far, without perturbations
	tremor keyed.Key // of a second arithmetic, see [Source.Perturb]
	// how far along a ray from the instance, relative to its numbers; 0 for the instance itself
	ray   float64
	heads keyed.Key // of the ray
	apart bool      // the ray moves the choices alone, and nothing of what is made of them
	bulk  bool      // a generator was handed out for numbers that only Perturb moves
	moved bool      // Perturb was called
	// without is what a control takes away, and asked whether somebody has looked, see
	// [Source.Without]
	without Mechanism
	asked   bool
	room    any // of the worker that evaluates the instance; see [Room]
}

// NewSource returns a source that asks the given chooser.
func NewSource(choose Chooser) *Source { return &Source{choose: choose} }

// perturbedSource returns a source whose numbers are those of the chooser up to last bits, if the
// key is a perturbed one.
func perturbedSource(choose Chooser, key keyed.Key) *Source {
	return &Source{choose: choose, tremor: key}
}

func (s *Source) draw(c Choice) float64 {
	switch {
	case !(c.Lo <= c.Hi) || math.IsInf(c.Lo, 0) || math.IsInf(c.Hi, 0):
		panic(fmt.Sprintf("props: empty range [%v, %v] for %q", c.Lo, c.Hi, c.Name))
	case c.Log && c.Lo <= 0:
		panic(fmt.Sprintf("props: logarithmic range [%v, %v] for %q does not start above 0", c.Lo,
			c.Hi, c.Name))
	}
	v := s.choose(c)
	if c.Int {
		v = math.Round(v)
	}
	c.Value = min(max(v, c.Lo), c.Hi)
	if c.Value != c.Value {
		c.Value = c.Lo
	}
	s.Drawn = append(s.Drawn, c)
	switch {
	case c.Int:
		return c.Value
	case s.ray != 0:
		significand, _ := math.Frexp(math.Abs(c.Value)) // as in trembling
		v := s.along(c.Value, math.Float64bits(significand))
		if v < c.Lo || v > c.Hi {
			v = min(max(2*c.Value-v, c.Lo), c.Hi)
		}
		return v
	case s.tremor.Trembles():
		return trembling(s.tremor, &c)
	}
	return c.Value
}

// along moves a number along the ray, by at least a quarter of what the ray moves any.
func (s *Source) along(v float64, which uint64) float64 {
	u := s.heads.At(int(which)).Seed()
	return v * (1 + s.ray*math.Copysign(0.25+0.75*float64(u>>11)*0x1p-53, float64(u&1)-0.5))
}

// trembling moves the value of a choice by a few last bits, towards zero or, if its range does not
// allow that, away from it. How far depends on the significand alone: numbers that are equal,
// opposite or a power of two apart stay so, because a statement may fail only where two choices
// agree.
func trembling(key keyed.Key, c *Choice) float64 {
	significand, exponent := math.Frexp(math.Abs(c.Value))
	t := keyed.NewTremor(key.With("choice").At(int(math.Float64bits(significand))))
	step := float64(1+t.Uint64()%(trembles*key.Reach())) * 0x1p-53
	for _, moved := range [...]float64{significand - step, significand + 2*step} {
		if v := math.Copysign(math.Ldexp(moved, exponent), c.Value); v >= c.Lo && v <= c.Hi &&
			c.Value != 0 {
			return v
		}
	}
	return c.Value
}

// trembles is the largest number of last places, or half of it, by which a choice is perturbed by
// the first perturbation. Others reach as much farther as [keyed.Key.Reach] says.
const trembles = 16

// Int draws an integer in [lo, hi]. Shrinking moves it towards lo.
func (s *Source) Int(name string, lo, hi int) int {
	return int(s.draw(Choice{Name: name, Lo: float64(lo), Hi: float64(hi), Int: true}))
}

// LogInt draws an integer in [lo, hi], 1 ≤ lo, with even spread of its logarithm.
func (s *Source) LogInt(name string, lo, hi int) int {
	return int(s.draw(Choice{Name: name, Lo: float64(lo), Hi: float64(hi), Int: true, Log: true}))
}

// Real draws a number in [lo, hi]. Shrinking prefers round numbers. Draw with Int what is to be an
// integer: a number that is rounded down may be another one with its last bits moved, and the
// instance, too, so that no violation survives.
func (s *Source) Real(name string, lo, hi float64) float64 {
	return s.draw(Choice{Name: name, Lo: lo, Hi: hi})
}

// LogReal draws a number in [lo, hi], 0 < lo, with even spread of its logarithm.
func (s *Source) LogReal(name string, lo, hi float64) float64 {
	return s.draw(Choice{Name: name, Lo: lo, Hi: hi, Log: true})
}

// Clamped draws a number as LogReal does and returns the nearest one in [least, most], 0 < least ≤
// most, which is also what a report shows. For the formulas of an [Order] check, whose ranges are
// enlarged from the middle outwards: with a range that reaches beyond an end of the admissible one,
// that end is in sight from the start.
func (s *Source) Clamped(name string, lo, hi, least, most float64) float64 {
	if !(0 < least && least <= most) {
		panic(fmt.Sprintf("props: %q is to be clamped to [%v, %v]", name, least, most))
	}
	c := Choice{Name: name, Lo: lo, Hi: hi, Log: true, Least: least, Most: most}
	return c.clamp(s.draw(c))
}

// Logarithm draws a number in [1, most] that stands for a logarithmic factor, most > 1. An [Order]
// check holds it at 1, as statements that drop logarithms do, and reports the power of it that its
// largest ratio has; other checks draw it evenly in the logarithm.
func (s *Source) Logarithm(name string, most float64) float64 {
	return s.draw(Choice{Name: name, Lo: 1, Hi: most, Log: true, Sub: true})
}

// clamp returns what the check makes of a value.
func (c *Choice) clamp(v float64) float64 {
	if c.Most == 0 {
		return v
	}
	return min(max(v, c.Least), c.Most)
}

// Pick draws one of the named alternatives and returns its index. Shrinking prefers the first.
func (s *Source) Pick(name string, alternatives ...string) int {
	return int(s.draw(Choice{Name: name, Hi: float64(len(alternatives) - 1), Int: true,
		Names: alternatives}))
}

// Bool draws a truth value. Shrinking prefers false.
func (s *Source) Bool(name string) bool { return s.Pick(name, "false", "true") == 1 }

// OneOf draws one of the alternatives, named by what they print as. Shrinking prefers the first.
func OneOf[T fmt.Stringer](s *Source, name string, from ...T) T {
	names := make([]string, len(from))
	for k, v := range from {
		names[k] = v.String()
	}
	return from[s.Pick(name, names...)]
}

// Must returns v. It is for constructors and runs whose arguments are drawn from ranges in which
// they are valid: an error there is a mistake of the check, which panics and gets the verdict
// [Error].
func Must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Rand returns a generator for bulk numbers of the instance. Its seed is one choice.
func (s *Source) Rand(name string) *rand.Rand {
	s.bulk = true
	return s.stream(name).PerturbedLike(s.tremor).Rand()
}

// Seed returns raw bits that name a generator or a run, to be used apart from the source. Its seed
// is one choice, and the bits stay as they are in every arithmetic: with a single bit moved they
// name another instance.
func (s *Source) Seed(name string) uint64 { return s.stream(name).Rand().Uint64() }

func (s *Source) stream(name string) keyed.Key {
	seed := s.draw(Choice{Name: name, Hi: 1 << 20, Int: true, Seed: true})
	return keyed.New(uint64(seed)).With(name)
}

// Key returns a key for runs inside the instance, whose randomness is part of it. Its seed is one
// choice. Runs on it are perturbed with the source.
func (s *Source) Key(name string) keyed.Key {
	return keyed.New(s.stream(name).Rand().Uint64()).PerturbedLike(s.tremor)
}

// Perturb changes the last bits of bulk numbers of the instance at random when the engine asks
// whether a violation survives rounding, and leaves them alone otherwise; see [keyed.Key.Perturb].
// Drawing functions call it on the vectors and matrices that they build from Rand; the numbers of
// choices are perturbed by the engine.
func (s *Source) Perturb(v []float64) {
	s.moved = true
	s.tremor.At(len(s.Drawn)).Perturb(v)
	if s.ray != 0 && !s.apart {
		for i, x := range v {
			v[i] = s.along(x, uint64(len(s.Drawn)<<32+i))
		}
	}
}

// Trial identifies one independent run of a randomised check. Take all randomness of the run from
// its Key.
type Trial struct {
	Key keyed.Key
	N   int // number of the trial
	// matter gathers what Content reports.
	matter *content
	// without is what a control takes away
	without Mechanism
	enough  int  // time beyond which the run of a control tells no more, if there is one
	room    *any // of the worker that makes the run, for Room
}

// Room returns memory of the worker that makes the run of a [Trial], or evaluates the instance of a
// [Source], for what is needed no longer than that lasts: another one may have left anything in it,
// and another one may follow. Runs on an instance that is drawn once take it from their Trial.
func Room[T any](of interface{ memory() *any }) *T {
	room := of.memory()
	r, ok := (*room).(*T)
	if !ok {
		r = new(T)
		*room = r
	}
	return r
}

func (s *Source) memory() *any { return &s.room }

func (t Trial) memory() *any {
	if t.room == nil {
		return new(any)
	}
	return t.room
}

// Patience returns how long a run is to be followed that would end at the horizon: in a control not
// longer than until its time is so far from that of the claim's run that the factor is decided, in
// the unit of the horizon. A run that goes on all the same tells the same.
func (t Trial) Patience(horizon int) int {
	if t.enough > 0 {
		return min(horizon, t.enough)
	}
	return horizon
}

// Without reports whether the run is one of a control that takes the mechanism away.
func (t Trial) Without(m Mechanism) bool { return t.without == m }

// content is the mean of the shares that runs report.
type content struct{ sum, count float64 }

// Content reports the share, in [0, 1], of the run in which the mechanism that the statement is
// about mattered, such as the share of steps at which the estimator's error is not small beside the
// gradient. See [Regime].
func (t Trial) Content(share float64) {
	if t.matter != nil {
		t.matter.sum += share
		t.matter.count++
	}
}

// String lists the draws made so far: "n = 3, b = 1, eta = 0.25".
func (s *Source) String() string { return where(s.Drawn) }
