package conjecture

import (
	"context"
	"math"

	"sledge/props"
)

// Found is what a search for c came to.
type Found struct {
	// Constant is the smallest c that survived (the largest if a larger one claims more), or the one at which nothing was
	// decided; NaN if there is none.
	Constant float64
	Standing props.Result  // with it, on randomness that the search has not seen
	Refuted  float64       // the nearest c that was refuted; NaN if none was
	Witness  *props.Result // by which
}

// weaker reports whether the statement claims less with a larger c.
func (c *Conjecture) weaker() bool {
	q := make([]float64, len(quantities))
	for i := range q {
		q[i] = 1 + 0.37*float64(i)
	}
	l, r, _ := c.sides(q)
	q[indexOfC] *= 2
	l2, r2, _ := c.sides(q)
	return r2-l2 > r-l
}

// Search looks for the constant with which the claim of the given id, "mean" or "runs", survives. Constants are tried
// one after the other, between the last that was refuted and the last that was not; what survives does so once more
// with the next seed. The search ends when the two are within two per cent, or where nothing is decided.
func (c *Conjecture) Search(ctx context.Context, id string, cfg props.Config) (Found, error) {
	weaker := c.weaker()
	constant := func(s float64) float64 { // s grows as less is claimed
		if weaker {
			return s
		}
		return 1 / s
	}
	found := Found{Constant: math.NaN(), Refuted: math.NaN()}
	lo, hi := 0.0, math.Inf(1)
	for s, tries := 1.0, 0; tries < 40 && s < 1e12 && s > 1e-12; tries++ {
		result, err := c.try(ctx, id, constant(s), cfg)
		if err == nil && result.Verdict != props.Refuted && s < hi*0.999 {
			again := cfg
			again.Seed++
			var other props.Result
			if other, err = c.try(ctx, id, constant(s), again); other.Verdict == props.Refuted {
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
		near := farthest(&result)
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
	return found, nil
}

// farthest is the largest share of its bound that any comparison reached, above 1 if one was violated.
func farthest(r *props.Result) float64 {
	most := 0.0
	for i := range r.Evidence {
		if e := &r.Evidence[i]; e.Tightness > most {
			most = e.Tightness
		}
	}
	return most
}

// try judges one claim with one constant.
func (c *Conjecture) try(ctx context.Context, id string, constant float64, cfg props.Config) (props.Result, error) {
	for _, claim := range c.Claims(constant) {
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
