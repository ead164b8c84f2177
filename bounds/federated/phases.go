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

func phaseClaims() []props.Claim {
	const part, label = "fledge-second-order", "theorem:D-Second-Main"
	return []props.Claim{
		{
			ID: "dsecond-phase-classes", Part: part, Tier: 2, Kind: "identity", Lines: "3045-3061, 3113", Label: label,
			Holds:     []string{"the phase is in class 1, 2 or 3"},
			Statement: `Class 1 defined by Σ_{t∈P^τ}Σ_{k=0}^K 1[‖∇f(x^{t,k})‖>ε] > KT_6, T_6 = ⌈1+T_5/K⌉: every phase is in class 1, 2 or 3, with the count equal to T_6K when neither 2 nor 3`,
			Notes: "Σ_{k=0}^K has K + 1 terms and counts the last point of a round again as the first one of the next. So the count is T_6(K+1), or one less, when neither 2 nor 3; that every phase is in a class is true, by this double count (T_6 ≥ 2). But class 1 is then too large for line 3113, N_1T_6Kε² ≤ Σ_tΣ_{k=1}^K‖∇f(x^{t,k−1})‖²: " +
				"for K = 1 all points are counted twice, and half of T_6K large gradients are enough. With k from 0 to K − 1 and \">\" a phase whose gradients are large exactly on its first half would be in no class; with \"≥\" all is well. T_2 in line 3060 is meant to be T_6, the sums of N_1, N_2, N_3 run over one phase " +
				"too many, and rounds are numbered from 1, so that x^{0,k} does not exist.",
			Expect: props.Refuted,
			Check: props.Exact(phaseDomain, func(rec *props.Recorder) {
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
			}),
		},
		{
			ID: "dsecond-phase-classes/corrected", Part: part, Tier: 2, Kind: "identity", Lines: "3045-3061, 3113", Label: label,
			Statement: `Class 1 defined by Σ_{t∈P^τ}Σ_{k=0}^{K−1} 1[‖∇f(x^{t,k})‖>ε] ≥ KT_6, T_6 = ⌈1+T_5/K⌉: every phase is in class 1, 2 or 3, with the count of the first half equal to T_6K when neither 2 nor 3, and N_1T_6Kε² ≤ Σ_tΣ_{k=1}^K‖∇f(x^{t,k−1})‖²`,
			Expect:    props.Proved,
			Check: props.Exact(phaseDomain, func(rec *props.Recorder) {
				eachPhase(8, func(p *phase) {
					two, three := p.small()
					count := p.steepCount(2*p.T6, p.K-1)
					rec.Truth("the phase is in class 1, 2 or 3", count >= p.K*p.T6 || two || three)
					if !two && !three {
						rec.Rats("large gradients of the first half against T_6K when neither 2 nor 3", big.NewRat(int64(p.steepCount(p.T6, p.K-1)), 1),
							props.EQ, big.NewRat(int64(p.T6*p.K), 1))
					}
				})
			}),
		},
		{
			ID: "dsecond-phase-path", Part: part, Tier: 2, Kind: "inequality", Lines: "3063-3077", Label: label,
			Statement: `T_6KΣ_{t∈phase}Σ_k‖x^{t,k}−x^{t,k−1}‖² > (δ/(C_eρ))²`,
			Notes: "Read as the inference from line 3065, where the displacement is the largest up to the end of the phase. From a point of the first half that may take up to 2T_6K local steps, and equal steps along a line violate the inequality by almost the factor 2. The escape lemma does give the displacement within K + T_5 ≤ T_6K steps; " +
				"with that maximum, or with 2T_6K, it is right. A factor 2 in the number of rounds.",
			Uses:   []string{"dsecond-escape-lemma"},
			Expect: props.Refuted,
			Check:  phasePath(2),
		},
		{
			ID: "dsecond-phase-path/corrected", Part: part, Tier: 2, Kind: "inequality", Lines: "3063-3077", Label: label,
			Statement: `If ‖x^{s,l}−x^{t,k}‖ > δ/(C_eρ) for some (s,l) at most T_6K local steps after a (t,k) of the first half of the phase: T_6KΣ_{t∈phase}Σ_k‖x^{t,k}−x^{t,k−1}‖² > (δ/(C_eρ))²`,
			Notes:     "Checked with the largest displacement itself in place of δ/(C_eρ); tight for T_6K equal steps along a line.",
			Uses:      []string{"dsecond-escape-lemma/corrected"},
			Expect:    props.Consistent,
			Check:     phasePath(1),
		},
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
