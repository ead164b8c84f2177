// Package conjecture tries to refute an inequality between named quantities of a run, typed by
// hand:
//
//	E‖v−∇f‖² ≤ c ζ²/b · S
//	gap ≤ (1 − ημ)^t Δ if η ≤ 1/L
//	min_t ‖∇f‖² ≤ 2Δ/(ηt) if η ≤ 1/L, r = 0
//
// A statement is one relation, ≤ or ≥, between two formulas in the notation of [formula] over the
// quantities and operators that [Known] lists, and premises behind "if", relations between what is
// known before a run or the word convex. It is about the quantities after t steps, for each t by
// itself. With E in it the means of both sides over the randomness of the run are compared;
// otherwise it must hold in every run, or with a given probability. Where c is written, it is a
// constant to be found: the smallest one (the largest below ≥) that survives.
//
// Means are compared exactly, over all index sets that can be drawn, on small instances which the
// search of the engine chooses; on larger ones by betting, if the right side is not random. What a
// method draws besides index sets, such as coins, cannot be enumerated; means of both sides are
// then compared by sampling alone, which decides nothing.
package conjecture

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// Conjecture is a statement about the runs of a method on a family of problems.
type Conjecture struct {
	Text string // as it was typed, with the signs of the notation
	Mean bool   // it compares means
	// probability with which it is to hold in a run, 1 for always; 0 if only means are compared
	Rate float64
	Free bool // c is to be found

	*statement
	method   algos.Entry
	family   problems.Catalogued
	place    map[string]int // of what is known before a run
	flips    bool           // the method flips a coin for full gradients, and no other
	scripted bool           // all that the method draws are index sets and coins
	doubts   *doubts
}

// New reads a statement. The rate is the probability with which it is to hold in a run: 0 asks for
// means if the statement speaks of them and else for 1. Errors say at which character the text is
// wrong, and name the quantities that are known if it is about one that is not. Instances are drawn
// from the given ranges, such as "8 ≤ d ≤ 10, t ≤ 50", which are written as premises are and are
// none of the statement: [RangeError] says that they ask for more than is drawn.
func New(text string, method algos.Entry, family problems.Catalogued,
	rate float64, drawn ...string) (*Conjecture, error) {
	if !(rate >= 0 && rate <= 1) {
		return nil, fmt.Errorf("%v is no probability", rate)
	}
	c := &Conjecture{Text: normal(text), Rate: rate, method: method, family: family,
		place: map[string]int{}, doubts: &doubts{}}
	var err error
	if c.statement, err = read(c.Text, strings.Join(drawn, ", "), method.Federated); err != nil {
		return nil, err
	}
	if of := []string{"quadratic", "rippled", "least-squares"}; c.convex &&
		!slices.Contains(of, family.Name) {
		return nil, fmt.Errorf(
			"no function of the family %s is known to be convex; those of %s are, or some of them",
			family.Name, strings.Join(of, ", "))
	}
	for i, q := range before(c.federated) {
		c.place[q.Name] = i
	}
	if err := c.takes(); err != nil {
		return nil, err
	}
	if c.mean && c.used[horizon] {
		return nil, errors.New("means are compared at one t: what names T is about runs")
	}
	if c.Mean, c.Free = c.mean, c.used["c"]; !c.Mean && c.Rate == 0 {
		c.Rate = 1
	}
	if err := c.fits(); err != nil {
		return nil, err
	}
	if len(drawn) > 0 {
		if err := c.held(drawn[0]); err != nil {
			return nil, err
		}
	}
	c.scripted = c.Mean && c.enumerable()
	return c, c.inhabited()
}

// tries is how many instances are drawn before it is said that there are none.
const tries = 400

// inhabited refuses a statement of which no drawn instance can be judged: its premises contradict
// each other, or a quantity of it is not known on the family.
func (c *Conjecture) inhabited() error {
	var why error
	for i := range tries {
		in := c.draw(props.NewSource(props.Mixed(keyed.New(2).At(i), 0)), usual, i%2 == 1)
		if _, err := c.evaluate(in, algos.Keyed(keyed.New(3).At(i)), 1); err == nil {
			return nil
		} else if why == nil {
			why = err
		}
	}
	return fmt.Errorf("none of %d instances that were drawn can be judged: %w", tries, why)
}

// takes refuses a parameter that the method does not have, and local steps that it does not show.
func (c *Conjecture) takes() error {
	if _, shown := c.method.New(algos.Setting{}).(algos.LocalStepper); c.local && !shown {
		return fmt.Errorf("%s shows no local steps", c.method.Name)
	}
	if c.federated {
		return nil
	}
	has, lacks := "", ""
	for _, p := range []struct {
		name string
		with algos.Setting
	}{{"m", algos.Setting{Period: 3}}, {"p", algos.Setting{Probability: 0.3}},
		{"a", algos.Setting{Momentum: 0.3}}} {
		takes := !reflect.DeepEqual(c.method.New(p.with), c.method.New(algos.Setting{}))
		switch {
		case takes:
			has += " and " + p.name
			c.flips = c.flips || p.name == "p"
		case c.used[p.name]:
			lacks = p.name
		}
	}
	if lacks != "" {
		return fmt.Errorf("%s has no parameter %s; of m, p and a it has %s", c.method.Name, lacks,
			cmp.Or(strings.TrimPrefix(has, " and "), "none"))
	}
	return nil
}

// Domain says in words which instances are tried.
func (c *Conjecture) Domain() string {
	words := []string{"after t steps"}
	if c.used[horizon] {
		words[0] = "after every t ≤ T steps"
	}
	if !slices.ContainsFunc(c.premises, func(p premise) bool {
		return slices.ContainsFunc(p.bounds, func(b bound) bool {
			return b.of == "η" && strings.Contains("≤<=", b.relation)
		})
	}) {
		step := "ηL"
		if c.federated {
			step = "ηKL"
		}
		words = append(words, fmt.Sprintf("%v ≤ %s ≤ %v", leastStep, step, mostStep))
	}
	if !c.used["r"] {
		words = append(words, "r = 0")
	}
	return strings.Join(words, ", ")
}

// Claims returns the statements with the given constant as claims: about the means, about runs, or
// both.
func (c *Conjecture) Claims(constant float64) []props.Claim { return c.claims(constant, usual) }

func (c *Conjecture) claims(constant float64, far reach) []props.Claim {
	var out []props.Claim
	add := func(id string, check props.Check) {
		out = append(out, props.Claim{ID: id, Part: "conjecture", Statement: "$" + c.Text + "$",
			Expect: props.Consistent, Form: props.Extension, Check: check})
	}
	if c.Mean {
		checks := []props.Check{c.sampled(constant, far)}
		if c.scripted {
			checks = []props.Check{c.enumerated(constant, far)}
			if !c.random {
				checks = append(checks, c.sampled(constant, far).SecondLook())
			}
		}
		add("mean", props.All(checks...))
	}
	if c.Rate > 0 {
		add("runs", c.inRuns(constant, far))
	}
	return out
}

const unknownSide = "a quantity of the statement is not known or not finite"

// evaluate makes a run and returns both sides. An error says why there are none.
func (c *Conjecture) evaluate(in *instance, r algos.Randomness, constant float64) (s sides,
	err error) {
	return s, c.each(in, r, constant, func(now sides) { s = now })
}

// walks are runs that have been looked at, whose memory serves others.
var walks = sync.Pool{New: func() any { return new(walk) }}

// each is evaluate after each of the steps that the statement is about.
func (c *Conjecture) each(in *instance, r algos.Randomness, constant float64,
	see func(sides)) error {
	if in.unmet != "" {
		return fmt.Errorf("the premise %s is not met", in.unmet)
	}
	throughout, t := c.used[horizon], in.t
	w := walks.Get().(*walk)
	defer walks.Put(w)
	if err := w.run(in, c.method, r, throughout || len(c.along) > 0, c.local); err != nil {
		return err
	}
	now, run := *in, &w.course
	if throughout {
		t, now.known = 1, slices.Clone(in.known)
	}
	for ; t <= in.t; t++ {
		if throughout {
			now.known[c.place["t"]] = float64(t)
			run = w.until(t, in.setting.LocalSteps)
		}
		s := c.judge(&now, run, constant)
		if !s.known {
			return errors.New(unknownSide)
		}
		see(s)
	}
	return nil
}

// enumerated compares the means over all index sets, on instances with few of them.
func (c *Conjecture) enumerated(constant float64, far reach) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := c.draw(src, far, true)
		if c.random { // else the control is that of the sampled runs
			in = in.under(src)
		}
		var left, right, size, weight float64
		term := -1
		for ; ; in.t-- {
			left, right, size, weight = 0, 0, 0, 0
			most := int(mostOutcomes * math.Sqrt(far.steps))
			fits, err := outcomes(most, in.setting.Probability, func(r *script) (bool, error) {
				s, err := c.evaluate(in, r, constant)
				w := r.probability()
				left, right = left+w*s.left, right+w*s.right
				if s.size > size {
					size, term = s.size, s.term
				}
				weight += w
				return err == nil, err
			})
			if err != nil {
				rec.Skip(err.Error())
				return
			}
			if fits {
				break
			}
			if in.t == 1 {
				rec.Skip("there are too many outcomes")
				return
			}
			in.known[c.place["t"]]--
			if in.unmet = c.unmet(in.known); in.unmet != "" {
				rec.Skip("the premise " + in.unmet + " is met by runs alone with too many outcomes")
				return
			}
		}
		c.doubts.note(left/weight, right/weight, size, term)
		rec.AtMost("mean over all index sets", left/weight, right/weight).Scale(size)
	}).Effort(0.4)
}

// mostOutcomes is how many runs of an instance are made at most.
const mostOutcomes = 400

// sampled compares means by betting. A random right side is replaced by an estimate of its mean
// from runs of its own, which makes it a stand-in.
func (c *Conjecture) sampled(constant float64, far reach) *props.Randomised {
	check := props.Mean(func(src *props.Source) props.MeanTrial {
		in := c.draw(src, far, false)
		bound, runs, key := 0.0, 64, src.Key("runs of the right side")
		if !c.random {
			runs = 1
		}
		for i := range runs {
			s, err := c.evaluate(in, algos.Keyed(key.At(i)), constant)
			if err != nil {
				bound = 0
				break
			}
			bound += s.right / float64(runs)
		}
		finite := bound > 0 && !math.IsInf(bound, 0)
		regime := c.regime(in).And(props.Condition{What: "a finite right side > 0", Met: finite})
		if !finite { // no ratio: this instance is no evidence
			bound = math.MaxFloat64
		}
		return props.MeanTrial{What: "the left side over the mean of the right", Claimed: 1,
			Relation: props.LE, Regime: regime,
			Run: func(t props.Trial) float64 {
				s, err := c.evaluate(in.under(t), algos.Keyed(t.Key), constant)
				if err != nil {
					return 0
				}
				return max(0, s.left) / bound
			}}
	}).Effort(0.3)
	if c.random {
		return check.StandIn("instances whose right side is estimated")
	}
	return check
}

// inRuns compares the two sides run by run: in all runs that a search comes by, or in the share
// that is asked for.
func (c *Conjecture) inRuns(constant float64, far reach) props.Check {
	if c.Rate == 1 {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			in := c.draw(src, far, false)
			c.compare(in, src.Key("run"), constant, rec)
		})
	}
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := c.draw(src, far, false)
		return props.TailTrial{Delta: 1 - c.Rate, Regime: c.regime(in),
			Run: func(t props.Trial, rec *props.Recorder) {
				c.compare(in.under(t), t.Key, constant, rec)
			}}
	}).Effort(0.3)
}

func (c *Conjecture) compare(in *instance, key keyed.Key, constant float64, rec *props.Recorder) {
	worst, seen := sides{}, 0.0
	if err := c.each(in, algos.Keyed(key), constant, func(s sides) {
		c.doubts.note(s.left, s.right, s.size, s.term)
		rec.AtMost("the two sides", s.left, s.right).Scale(s.size)
		seen = max(seen, math.Abs(s.left))
		if s.size = max(s.size, seen); s.nearer(&worst) {
			worst = s
		}
	}); err != nil {
		rec.Skip(err.Error())
		return
	}
	c.rise(&worst, rec)
}

// doubts counts comparisons, those of which the sides are no further apart than what is put down to
// rounding, and those that fail by what rounding of a measured quantity may be, by the quantity.
type doubts struct {
	compared, near atomic.Int64
	by             [64]atomic.Int64
}

func (d *doubts) note(left, right, size float64, term int) {
	d.compared.Add(1)
	excess := left - right
	if all := max(size, math.Abs(left), math.Abs(right)); all > 0 &&
		math.Abs(excess) <= props.RoundingBand*all {
		d.near.Add(1)
	}
	if term >= 0 && excess <= props.RoundingBand*size &&
		excess > props.RoundingBand*max(math.Abs(left), math.Abs(right)) {
		d.by[term].Add(1)
	}
}

// Undecided says which quantity is what rounding leaves of larger terms where the statement fails
// by no more than that, and at which share of the comparisons so far; nothing if there is none.
func (c *Conjecture) Undecided() (what string, share float64) {
	most, all := int64(0), int64(0)
	for k, q := range quantitiesOf[c.federated] {
		n := c.doubts.by[k].Load()
		if all += n; n > most {
			most, what = n, q.Name
		}
	}
	if all == 0 {
		return "", 0
	}
	return what, float64(all) / float64(c.doubts.compared.Load())
}

// Blind is the share of the comparisons so far whose sides agree up to [props.RoundingBand]: a
// false statement stands there, unless it is violated elsewhere.
func (c *Conjecture) Blind() float64 {
	return float64(c.doubts.near.Load()) / max(1, float64(c.doubts.compared.Load()))
}

// regime says where a statement has content: components that differ, minibatches smaller than all,
// and its premises.
func (c *Conjecture) regime(in *instance) props.Regime {
	conditions := []props.Condition{props.Positive("ζ", in.con.Zeta.Value)}
	if !in.federated {
		n := in.problem.Clients()
		conditions = append(conditions, props.Min("n", n, 2),
			props.Less("b", in.setting.Batch, "n", n))
	}
	var given []string
	for _, p := range c.premises {
		given = append(given, p.text)
	}
	conditions = append(conditions, props.Condition{What: cmp.Or(strings.Join(given, ", "),
		"what the statement asks for"), Met: in.unmet == ""})
	return props.Where(conditions...)
}

// enumerable reports whether index sets are all that the method draws.
func (c *Conjecture) enumerable() bool {
	in := c.draw(props.NewSource(props.Mixed(keyed.New(1), 0)), usual, true)
	in.t, in.setting.Radius = 2*in.window, 0
	_, err := outcomes(1, in.setting.Probability, func(r *script) (bool, error) {
		return true, new(walk).run(in, c.method, r, false, false)
	})
	return !errors.Is(err, errContinuous) && !c.used["r"]
}
