package conjecture

import (
	"context"
	"fmt"
	"math"

	"sledge/props"
)

// Found is what a search for c came to.
type Found struct {
	// Constant is the smallest c that survived (the largest if a larger one claims more), or the
	// one at which nothing was decided; NaN if there is none.
	Constant float64
	Standing props.Result  // with it, on randomness that the search has not seen
	Refuted  float64       // the nearest c that was refuted; NaN if none was
	Witness  *props.Result // by which
	// Grows names what the constant grows with beyond all that survived: none exists.
	Grows []Growth
}

// Growth says that c grows as the ranges do from which instances are drawn.
type Growth struct {
	With string // which range: "t", "n", "1/(ηL)", "1/Δ" or "ηL"
	// what ranges that grow reach: times the usual one, for 1/Δ steps that lead to x⁰, for ηL a
	// share of it
	To []float64
	// and the c that is refuted there, or, where that of ηL is smaller than usual, that survives
	// there
	C []float64
}

// String says it in a sentence.
func (g Growth) String() string {
	say, words := "is refuted with",
		func(k int) string { return fmt.Sprintf("%s %v times as large", g.With, g.To[k]) }
	switch g.With {
	case "1/(ηL)":
		words = func(k int) string {
			return fmt.Sprintf("%s up to %s", g.With, props.Number(g.To[k], 3))
		}
	case "1/Δ":
		words = func(k int) string {
			return fmt.Sprintf("x⁰ after %v steps of gradient descent", g.To[k])
		}
	case "ηL":
		say, words = "survives with", func(k int) string {
			return fmt.Sprintf("ηL ≤ %v of its largest", g.To[k])
		}
	}
	return fmt.Sprintf("no c: it grows with %s; c = %s %s %s, c = %s with %s", g.With,
		props.Number(g.C[0], 4), say, words(0), props.Number(g.C[1], 4), words(1))
}

// Search looks for the constant with which the claim of the given id, "mean" or "runs", survives.
// Constants are tried one after the other, between the last that was refuted and the last that was
// not; what survives does so once more with the next seed. The search ends when the two are within
// two per cent, or where nothing is decided.
func (c *Conjecture) Search(ctx context.Context, id string, cfg props.Config) (Found, error) {
	constant := func(s float64) float64 { // s grows as less is claimed
		if c.weaker {
			return s
		}
		return 1 / s
	}
	found := Found{Constant: math.NaN(), Refuted: math.NaN()}
	lo, hi := 0.0, math.Inf(1)
	for s, tries := 1.0, 0; tries < 40 && s < 1e12 && s > 1e-12; tries++ {
		result, err := c.try(ctx, id, constant(s), usual, cfg)
		if err == nil && result.Verdict != props.Refuted && s < hi*0.999 {
			again := cfg
			again.Seed++
			var other props.Result
			if other, err = c.try(ctx, id, constant(s), usual,
				again); other.Verdict == props.Refuted {
				result = other
			}
		}
		if err != nil {
			return found, err
		}
		if result.Verdict == props.Inconclusive || result.Verdict == props.Vacuous {
			found.Constant, found.Standing = constant(s), result
			break
		}
		near := farthest(&result, false)
		if result.Verdict == props.Refuted {
			lo, found.Refuted, found.Witness = s, constant(s), &result
			s *= 2
			if near > 1.001 && near < 1e6 {
				s = lo * near * 1.001
			}
		} else {
			hi, found.Constant, found.Standing = s, constant(s), result
			s /= 8
			if near > 1e-6 && near < 0.999 {
				s = hi * near * 1.001
			}
		}
		if lo > 0 && hi <= lo*1.02 {
			break
		}
		if lo > 0 && !(s > lo*1.005 && s < hi*0.995) && !math.IsInf(hi, 1) {
			s = math.Sqrt(lo * hi)
		}
	}
	if !math.IsNaN(found.Constant) && !math.IsNaN(found.Refuted) &&
		found.Standing.Verdict != props.Inconclusive {
		err := c.grows(ctx, id, &found, cfg)
		return found, err
	}
	return found, nil
}

// grows looks whether c grows with the ranges of the instances: half as much again as survived is
// tried on a range that is three times as wide, and half as much again as is refuted there on one
// that is wider once more. That it grows with ηL is said where the whole range asks for more than a
// hundred times as much as its lower half.
func (c *Conjecture) grows(ctx context.Context, id string, found *Found, cfg props.Config) error {
	same := func(k float64) float64 { return k }
	for _, axis := range []struct {
		with string
		far  func(k float64) reach
		to   func(k float64) float64
	}{
		{"t", func(k float64) reach { return reach{1, k, 1, 1, 0} }, same},
		{"n", func(k float64) reach { return reach{k, 1 / k, 1, 1, 0} }, same},
		{"1/(ηL)", func(k float64) reach { return reach{1, 1, 1 / (k * k * k * k), 1, 0} },
			func(k float64) float64 { return k * k * k * k / leastStep }},
		{"1/Δ", func(k float64) reach { return reach{1, 1, 1, 1, int(k * k)} },
			func(k float64) float64 { return k * k }},
	} {
		if axis.with == "n" && id == "mean" && c.random { // all instances are small
			continue
		}
		g := Growth{With: axis.with}
		for last, k := found.Constant, 3.0; k <= 9; k *= 3 {
			next := c.more(last, 1.5)
			result, err := c.try(ctx, id, next, axis.far(k), cfg)
			if err != nil {
				return err
			}
			if result.Verdict != props.Refuted {
				break
			}
			if near := farthest(&result, true); near > 1 && near < 1e12 {
				// how far beyond this c fails
				next = c.more(next, 0.99*near)
			}
			g.To, g.C, last = append(g.To, axis.to(k)), append(g.C, next), next
		}
		if len(g.C) == 2 {
			found.Grows = append(found.Grows, g)
		}
	}
	g := Growth{With: "ηL"}
	shares := make([]float64, 2)
	for i, k := range []float64{0.25, 0.5} {
		far := reach{1, 1, 1, k, 0}
		result, err := c.try(ctx, id, found.Constant, far, cfg)
		if err != nil {
			return err
		}
		shares[i] = farthest(&result, false)
		enough := c.more(found.Constant, 1.02*shares[i])
		if !(shares[i] > 0) {
			return nil
		}
		if result, err = c.try(ctx, id, enough, far, cfg); err != nil ||
			result.Verdict == props.Refuted {
			return err
		}
		g.To, g.C = append(g.To, k), append(g.C, enough)
	}
	if shares[1] < 0.01 {
		found.Grows = append(found.Grows, g)
	}
	return nil
}

// more is the constant with which the statement claims less by a factor.
func (c *Conjecture) more(constant, by float64) float64 {
	if c.weaker {
		return constant * by
	}
	return constant / by
}

// farthest is the largest share of its bound that any comparison reached, above 1 if one was
// violated; or that those reached which refute by themselves: where a difference is put down to
// rounding, or too few runs were made to tell, a share says nothing of c.
func farthest(r *props.Result, refuting bool) float64 {
	most := 0.0
	for i := range r.Evidence {
		e := &r.Evidence[i]
		if e.Tightness > most && (!refuting || e.Outcome() == props.Refuted) {
			most = e.Tightness
		}
	}
	return most
}

// try judges one claim with one constant.
func (c *Conjecture) try(ctx context.Context, id string, constant float64, far reach,
	cfg props.Config) (props.Result, error) {
	for _, claim := range c.claims(constant, far) {
		if claim.ID == id {
			results, err := props.Run(ctx, []props.Claim{claim}, cfg)
			if err != nil {
				return props.Result{}, err
			}
			return results[0], nil
		}
	}
	panic("conjecture: there is no claim " + id)
}
