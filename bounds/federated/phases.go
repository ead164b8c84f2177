package federated

import (
	"math"
	"math/big"

	"sledge/props"
)

// kind is what a phase sees of a point.
type kind uint8

const (
	steep  kind = iota // ‖∇f‖ > ε
	saddly             // ‖∇f‖ ≤ ε and λ_min ≤ −δ
	good               // ‖∇f‖ ≤ ε and λ_min > −δ
)

// phase is the points of 2T_6 rounds of K local steps by number, 0 … 2T_6K: the last point of a round is the first one of the next.
type phase struct {
	T6, K  int
	points []kind
}

// steepCount counts (t,k) with a large gradient over the first so many rounds, k from 0 to last in each.
func (p *phase) steepCount(rounds, last int) int {
	count := 0
	for t := range rounds {
		for k := 0; k <= last; k++ {
			if p.points[t*p.K+k] == steep {
				count++
			}
		}
	}
	return count
}

// small reports whether classes 2 and 3 of lines 3055-3056 apply: whether a point (t,k) of the first half, (2τT_6,0) ≤ (t,k) < ((2τ+1)T_6,0),
// has a small gradient, with negative curvature or without.
func (p *phase) small() (two, three bool) {
	for _, k := range p.points[:p.T6*p.K] {
		two, three = two || k == saddly, three || k == good
	}
	return two, three
}

// eachPhase calls f with every pattern of points of a phase.
func eachPhase(most int, f func(p *phase)) {
	for T6 := 2; T6 <= 3; T6++ { // T_6 = ⌈1 + T_5/K⌉ ≥ 2
		for K := 1; 2*T6*K <= most; K++ {
			p := &phase{T6: T6, K: K, points: make([]kind, 2*T6*K+1)}
			for {
				f(p)
				i := 0
				for i < len(p.points) && p.points[i] == good {
					p.points[i] = steep
					i++
				}
				if i == len(p.points) {
					break
				}
				p.points[i]++
			}
		}
	}
}

const phaseDomain = "all patterns of a phase of T_6 = 2 or 3 and at most 8 local steps"

func phaseClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dsecond-phase-classes", props.Exact(phaseDomain, func(rec *props.Recorder) {
			eachPhase(8, func(p *phase) {
				two, three := p.small()
				count := p.steepCount(2*p.T6, p.K)
				one := count > p.K*p.T6
				rec.Truth("the phase is in class 1, 2 or 3", one || two || three)
				if !two && !three {
					rec.Rats("large gradients of the first half, k = 0 … K, against T_6K when neither 2 nor 3",
						big.NewRat(int64(p.steepCount(p.T6, p.K)), 1), props.EQ, big.NewRat(int64(p.T6*p.K), 1))
				}
				if one {
					rec.Rats("large gradients of a phase of class 1 in Σ_tΣ_{k=1}^K‖∇f(x^{t,k−1})‖² against T_6K",
						big.NewRat(int64(p.steepCount(2*p.T6, p.K-1)), 1), props.GE, big.NewRat(int64(p.T6*p.K), 1))
				}
			})
		})),
		props.Bind("dsecond-phase-classes/corrected", props.Exact(phaseDomain, func(rec *props.Recorder) {
			eachPhase(8, func(p *phase) {
				two, three := p.small()
				count := p.steepCount(2*p.T6, p.K-1)
				rec.Truth("the phase is in class 1, 2 or 3", count >= p.K*p.T6 || two || three)
				if !two && !three {
					rec.Rats("large gradients of the first half against T_6K when neither 2 nor 3", big.NewRat(int64(p.steepCount(p.T6, p.K-1)), 1),
						props.EQ, big.NewRat(int64(p.T6*p.K), 1))
				}
			})
		})),
		props.Bind("dsecond-phase-path", phasePath(2)),
		props.Bind("dsecond-phase-path/corrected", phasePath(1)),
	}
}

// phasePath compares the largest displacement within so many half phases from a point of the first half, but within the phase, with T_6K times
// the path length squared.
func phasePath(halves int) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		T6, K, d := src.Int("T_6", 2, 6), src.Int("K", 1, 6), src.Int("d", 1, 3)
		steps := T6 * K
		from := src.Int("number of (t,k)", 0, steps-1)
		until := min(from+halves*steps, 2*steps)
		straight, resting := src.Real("straightness", 0, 1), src.Real("length of steps outside the window", 0, 1)
		r := src.Rand("path")
		x, total, farthest := make([]float64, d), 0.0, 0.0
		for m := 1; m <= 2*steps; m++ {
			v := make([]float64, d)
			for k := range v {
				v[k] = (1 - straight) * r.NormFloat64()
			}
			v[0] += straight
			inside := m > from && m <= until
			for k := range v {
				if !inside {
					v[k] *= resting
				} else {
					x[k] += v[k]
				}
			}
			total += normSq(v)
			if inside {
				farthest = math.Max(farthest, normSq(x))
			}
		}
		rec.AtMost("max‖x^{s,l}−x^{t,k}‖² against T_6KΣ‖x^{t,k}−x^{t,k−1}‖²", farthest, float64(steps)*total)
	})
}
