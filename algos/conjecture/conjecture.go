// Package conjecture tries to refute an inequality between named quantities of a run, typed by hand:
//
//	E‖v−∇f‖² ≤ c ζ²/b · S
//
// A statement is one relation, ≤ or ≥, between two formulas in the notation of [formula] over the quantities that
// [Known] lists. It is about the quantities after t steps, for each t by itself. With E in front it compares the means
// of both sides over the randomness of the run; otherwise it must hold in every run, or with a given probability. A
// constant c is to be found: the smallest one (the largest below ≥) that survives.
//
// Means are compared exactly, over all index sets that can be drawn, on small instances which the search of the engine
// chooses; on larger ones by betting, if the right side is not random. What a method draws besides index sets, such as
// coins, cannot be enumerated; means of both sides are then compared by sampling alone, which decides nothing.
package conjecture

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// Conjecture is a statement about the runs of a method on a family of problems.
type Conjecture struct {
	Text string  // as it was typed, with the signs of the notation
	Mean bool    // it compares means
	Rate float64 // probability with which it is to hold in a run, 1 for always; 0 if only means are compared
	Free bool    // c is to be found

	method      algos.Entry
	family      problems.Catalogued
	left, right *formula.Program // the smaller and the larger side
	random      bool             // the larger side depends on the run
	scripted    bool             // all that the method draws are index sets
}

// New reads a statement. The rate is the probability with which it is to hold in a run: 0 asks for means if the
// statement speaks of them and else for 1. Errors say where the text is wrong, and name the quantities that are known
// if it is about one that is not.
func New(text string, method algos.Entry, family problems.Catalogued, rate float64) (*Conjecture, error) {
	if method.Federated {
		return nil, fmt.Errorf("%s is a federated method; conjectures are about methods for finite sums", method.Name)
	}
	if !(rate >= 0 && rate <= 1) {
		return nil, fmt.Errorf("%v is no probability", rate)
	}
	c := &Conjecture{Text: strings.TrimSpace(normal(text)), Rate: rate, method: method, family: family}
	body := c.Text
	if rest, mean := strings.CutPrefix(body, "E"); mean && rest != "" && strings.ContainsRune("‖ ([", []rune(rest)[0]) {
		c.Mean, body = true, strings.TrimSpace(rest)
	}
	if !c.Mean && c.Rate == 0 {
		c.Rate = 1
	}
	v := vocabulary(true)
	stated, err := formula.ParseStatement(v, body)
	if err != nil {
		return nil, explain(err)
	}
	if err := stated.Units(); err != nil {
		return nil, err
	}
	var sides []string
	upper := 1 // which side is the larger one
	for _, sign := range []string{"≤", "<=", "≥", ">="} {
		if left, right, found := strings.Cut(body, sign); found {
			if sides = []string{left, right}; sign == "≥" || sign == ">=" {
				upper = 0
			}
			break
		}
	}
	if len(sides) != 2 || strings.ContainsAny(sides[1], "≤≥<>=,;") {
		return nil, errors.New("a conjecture is one relation, ≤ or ≥, between two formulas")
	}
	programs := make([]*formula.Program, 2)
	for i, side := range sides {
		f, err := formula.Parse(v, side)
		if err != nil {
			return nil, explain(err)
		}
		programs[i] = f.Of(names()...)
	}
	c.left, c.right = programs[1-upper], programs[upper]
	_, err = formula.Parse(vocabulary(false), sides[upper])
	c.random = err != nil
	c.Free = c.depends(indexOfC)
	c.scripted = c.Mean && c.enumerable()
	return c, nil
}

// explain adds what is known to a complaint about a name that is not.
func explain(err error) error {
	if strings.Contains(err.Error(), "symbol") {
		return fmt.Errorf("%w; known are %s", err, alternatives())
	}
	return err
}

// depends reports whether a side changes with a quantity.
func (c *Conjecture) depends(k int) bool {
	for _, scale := range []float64{1, 2, 7} {
		q := make([]float64, len(quantities))
		for i := range q {
			q[i] = 1 + 0.37*float64(i)
		}
		before := [2]float64{c.left.At(q...), c.right.At(q...)}
		q[k] *= 1 + scale
		if before != [2]float64{c.left.At(q...), c.right.At(q...)} {
			return true
		}
	}
	return false
}

func (c *Conjecture) uses(name string) bool {
	return c.depends(slices.IndexFunc(quantities, func(q quantity) bool { return q.Name == name }))
}

// Claims returns the statements with the given constant as claims: about the means, about runs, or both.
func (c *Conjecture) Claims(constant float64) []props.Claim {
	var out []props.Claim
	add := func(id string, check props.Check) {
		out = append(out, props.Claim{ID: id, Part: "conjecture", Statement: "$" + c.Text + "$", Expect: props.Consistent,
			Form: props.Extension, Check: check})
	}
	if c.Mean {
		checks := []props.Check{c.sampled(constant)}
		if c.scripted {
			checks = []props.Check{c.enumerated(constant)}
			if !c.random {
				checks = append(checks, c.sampled(constant))
			}
		}
		add("mean", props.All(checks...))
	}
	if c.Rate > 0 {
		add("runs", c.inRuns(constant))
	}
	return out
}

// sides returns both sides for what a run came to, or false if one of them is not known there.
func (c *Conjecture) sides(q []float64) (left, right float64, known bool) {
	left, right = c.left.At(q...), c.right.At(q...)
	return left, right, !math.IsNaN(left-right) && !math.IsInf(left, 0) && !math.IsInf(right, 0)
}

// rounding is the magnitude of terms whose rounding may move the sides: of what is measured, norms are differences of
// vectors of the given size.
func (c *Conjecture) rounding(q []float64, size float64) float64 {
	moved := slices.Clone(q)
	for i := perInstance; i < len(moved); i++ {
		moved[i] += 1e-14 * size * quantities[i].scale(q)
	}
	left, right, _ := c.sides(q)
	l, r, _ := c.sides(moved)
	return max(math.Abs(left), math.Abs(right), (math.Abs(l-left)+math.Abs(r-right))/props.RoundingBand)
}

const unknownSide = "a quantity of the statement is not known or not finite"

// enumerated compares the means over all index sets, on instances with few of them.
func (c *Conjecture) enumerated(constant float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		in := draw(src, c, true)
		var left, right, size, weight float64
		for ; ; in.t-- {
			left, right, size, weight = 0, 0, 0, 0
			fits, err := outcomes(mostOutcomes, func(r algos.Randomness) (bool, error) {
				q, s, err := in.measure(c.method, r, constant)
				if err != nil {
					return false, err
				}
				l, u, known := c.sides(q)
				if known {
					left, right, size = left+l, right+u, max(size, c.rounding(q, s))
					weight++
				}
				return known, nil
			})
			if err != nil {
				rec.Skip(err.Error())
				return
			}
			if fits {
				break
			}
			if in.t == 1 {
				rec.Skip(unknownSide + ", or there are too many outcomes")
				return
			}
		}
		rec.AtMost("mean over all index sets", left/weight, right/weight).Scale(size)
	})
}

// mostOutcomes is how many runs of an instance are made at most.
const mostOutcomes = 400

// sampled compares means by betting. A random right side is replaced by an estimate of its mean from runs of its own,
// which makes it a stand-in.
func (c *Conjecture) sampled(constant float64) props.Check {
	check := props.Mean(func(src *props.Source) props.MeanTrial {
		in := draw(src, c, false)
		var bound float64
		if c.random {
			sum, runs, key := 0.0, 64, src.Key("runs of the right side")
			for i := range runs {
				q, _, err := in.measure(c.method, algos.Keyed(key.At(i)), constant)
				if err == nil {
					_, u, _ := c.sides(q)
					sum += u / float64(runs)
				}
			}
			bound = sum
		} else {
			q := append(in.constants(constant), make([]float64, len(quantities)-perInstance)...)
			bound = c.right.At(q...)
		}
		regime := in.regime()
		if !(bound > 0) || math.IsInf(bound, 0) { // no ratio: this instance is no evidence
			regime, bound = regime.And(props.Condition{What: "a finite right side > 0"}), math.MaxFloat64
		}
		return props.MeanTrial{What: "the left side over the mean of the right", Claimed: 1, Relation: props.LE,
			Regime: regime,
			Run: func(t props.Trial) float64 {
				q, _, err := in.measure(c.method, algos.Keyed(t.Key), constant)
				if err != nil {
					return 0
				}
				l, _, known := c.sides(q)
				if !known {
					return 0
				}
				return max(0, l) / bound
			}}
	}).Effort(0.3)
	if c.random {
		return check.StandIn("instances whose right side is estimated")
	}
	return check
}

// inRuns compares the two sides run by run.
func (c *Conjecture) inRuns(constant float64) props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := draw(src, c, false)
		return props.TailTrial{Delta: 1 - c.Rate, Regime: in.regime(), Run: func(t props.Trial, rec *props.Recorder) {
			q, size, err := in.measure(c.method, algos.Keyed(t.Key), constant)
			if err != nil {
				rec.Skip(err.Error())
				return
			}
			l, u, known := c.sides(q)
			if !known {
				rec.Skip(unknownSide)
				return
			}
			rec.AtMost("the two sides", l, u).Scale(c.rounding(q, size))
		}}
	}).Effort(0.5)
}

func (in *instance) regime() props.Regime {
	return props.Where(props.Min("n", in.n, 2), props.Less("b", in.b, "n", in.n), props.Positive("ζ", in.con.Zeta.Value))
}

// enumerable reports whether index sets are all that the method draws.
func (c *Conjecture) enumerable() bool {
	src := props.NewSource(props.Mixed(keyed.New(1), 0))
	in := draw(src, c, true)
	in.t, in.r = 2*in.n, 0
	fits := true
	_, err := outcomes(1, func(r algos.Randomness) (bool, error) {
		_, _, err := in.measure(c.method, r, 1)
		return true, err
	})
	if errors.Is(err, errContinuous) {
		fits = false
	}
	return fits && !c.uses("r")
}

var errContinuous = errors.New("the method draws more than index sets")

// outcomes makes a run for each sequence of index sets. It stops and returns false if there are more than most, or if a
// run says so.
func outcomes(most int, run func(algos.Randomness) (bool, error)) (complete bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != errContinuous {
				panic(p)
			}
			complete, err = false, errContinuous
		}
	}()
	s := &script{}
	for count := 0; ; count++ {
		if count == most {
			return false, nil
		}
		s.at = 0
		if ok, err := run(s); !ok || err != nil {
			return false, err
		}
		total := 1.0
		for _, n := range s.options {
			if total *= float64(n); total > float64(most) {
				return false, nil
			}
		}
		k := s.at - 1
		for ; k >= 0; k-- {
			if s.told[k]++; s.told[k] < s.options[k] {
				break
			}
		}
		if k < 0 {
			return true, nil
		}
		s.told, s.options = s.told[:k+1], s.options[:k+1]
	}
}

// script tells a method its index sets, one after the other, and notes how many there were to choose from.
type script struct {
	told, options []int
	at            int
}

func (s *script) next(options int) int {
	if s.at == len(s.told) {
		s.told, s.options = append(s.told, 0), append(s.options, options)
	}
	s.at++
	return s.told[s.at-1]
}

func (s *script) Subset(dst []int, n int, _ algos.Purpose) {
	if len(dst) == 0 {
		return
	}
	combin.IndexToCombination(dst, s.next(combin.Binomial(n, len(dst))), n, len(dst))
}

func (s *script) Indices(dst []int, n int, _ algos.Purpose) {
	for i := range dst {
		dst[i] = s.next(n)
	}
}

func (s *script) Ball(dst []float64, r float64, _ algos.Purpose) {
	if r > 0 {
		panic(errContinuous)
	}
	clear(dst)
}

func (s *script) Normal([]float64, algos.Purpose) { panic(errContinuous) }
func (s *script) Uniform(algos.Purpose) float64   { panic(errContinuous) }
