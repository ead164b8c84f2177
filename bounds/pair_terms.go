package bounds

import (
	"math"
	"math/big"
	"math/bits"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
)

// sumOver adds the rows of u listed in set to dst, times a.
func sumOver(dst, u []float64, set []int, a float64) {
	d := len(dst)
	for _, i := range set {
		floats.AddScaled(dst, a, u[i*d:(i+1)*d])
	}
}

// pairTerms sets the three vectors that g^t is split into in lines 1648-1655, summed over s from
// `from` to t: the part of s = τ (if from ≤ τ), the batches of s > τ, and minus the unsampled
// components of s > τ. third is the sum of ‖Σ_{i∈Ĩ_s^t} u_i^s‖² over s > τ.
func (p *coupledRuns) pairTerms(u [][]float64, from,
	t int) (first, batches, rest []float64, thirdSq float64) {
	d, n := p.d, float64(p.P)
	first, batches, rest = make([]float64, d), make([]float64, d), make([]float64, d)
	one := make([]float64, d)
	unsampled := p.pair.Run.Unsampled(p.P, t, algos.Batches)
	for s := max(from, p.tau); s <= t; s++ {
		batch := p.pair.Run.Batch(s)
		weight := float64(len(unsampled[s])) / float64(len(batch)) / n
		if s == p.tau {
			sumOver(first, u[s], batch, weight)
			sumOver(first, u[s], unsampled[s], -1/n)
			continue
		}
		sumOver(batches, u[s], batch, weight)
		clear(one)
		sumOver(one, u[s], unsampled[s], 1)
		floats.AddScaled(rest, -1/n, one)
		thirdSq += floats.Dot(one, one)
	}
	return first, batches, rest, thirdSq
}

// weights returns Σ over s = from … t of (ζ‖w^s−w^{s−1}‖ + (2δ/C_b)(‖w^s‖ + ‖w^{s−1}‖))².
func (p *coupledRuns) weights(overCb float64, from, t int) float64 {
	sum := 0.0
	for s := max(1, from); s <= t; s++ {
		v := p.zeta*p.dw[s] + 2*overCb*(p.wn[s]+p.wn[s-1])
		sum += v * v
	}
	return sum
}

func pairTermClaims() []props.Binding {
	return []props.Binding{
		props.Bind("pair-error-identity", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawTailPair(src, 1)
			in.window = coverWindow(in.P, in.b, coverageC1(in.P, in.T, in.share))
			in.T = in.tau + in.window + 8
			return props.TailTrial{Delta: in.share, Joint: true, Regime: in.regime(in.share, true),
				Run: func(t props.Trial, rec *props.Recorder) {
					in.run(t).errorIdentity(rec, func(t int) int { return t - in.window + 1 })
				}}
		}).Effort(0.25)),
		props.Bind("pair-error-identity/sharper", props.Identity(onSteps(smallSteps, 12, 1,
			func(p *coupledRuns, rec *props.Recorder) {
				p.errorIdentity(rec, func(int) int { return p.tau })
			}))),
		props.Bind("pair-first-term/corrected", props.Tail(firstTerm)),
		props.Bind("pair-first-term/sharper",
			props.ExactSizes("all n ≤ 6, 1 ≤ b ≤ n, 0 ≤ m ≤ n − b, with u_i = i² up to centring",
				firstTermExactly)),
		props.Bind("pair-second-term", eachGap(func(in *stuckInstance, p *coupledRuns,
			u [][]float64, t int, rec *props.Recorder) {
			from := t - in.window + 1
			_, batches, _, _ := p.pairTerms(u, from, t)
			bound := 2 * math.Pow(in.c1, 4) / math.Sqrt(float64(in.b)) *
				math.Sqrt(p.weights(in.overC(), from, t))
			rec.AtMost("second term", floats.Norm(batches, 2), bound).Scale(rounding)
		}).Effort(0.5)),
		props.Bind("pair-third-term/corrected", thirdTerm(1).Effort(0.5)),
	}
}

// eachGap is a statement that may fail with probability ν/(4T), at every t > τ until the runs leave
// the region around x^τ: compare is given the u_i^s up to then.
func eachGap(compare func(in *stuckInstance, p *coupledRuns, u [][]float64, t int,
	rec *props.Recorder)) *props.Randomised {
	return onPairs(drawTailPair, 0.25,
		func(in *stuckInstance, p *coupledRuns, rec *props.Recorder) {
			u := p.gapsUpTo(p.tau, p.inside(in.radius, p.tau))
			in.eachStep(p, rec, func(t int) { compare(in, p, u, t, rec) })
		})
}

// thirdTerm is the repaired statement about the third term, with a factor before its bounds.
func thirdTerm(factor float64) *props.Randomised {
	return eachGap(func(in *stuckInstance, p *coupledRuns, u [][]float64, t int,
		rec *props.Recorder) {
		n, b, from := float64(in.P), float64(in.b), max(p.tau+1, t-in.window+1)
		_, _, rest, sum := p.pairTerms(u, from, t)
		rec.AtMost("‖(1/n)Σ_sΣ_{i∈Ĩ_s^t}u_i^s‖ against (√T_1/n)√Σ_s‖…‖²", floats.Norm(rest, 2),
			factor*math.Sqrt(float64(in.window)*sum)/n).Scale(rounding)
		bound := factor * math.Pow(in.c1, 1.5) / math.Sqrt(b) *
			math.Sqrt(p.weights(in.overC(), from, t))
		rec.AtMost("third term", math.Sqrt(n/b*in.c1*sum)/n, bound).Scale(rounding)
	})
}

// errorIdentity compares g^t with the sum of lines 1636-1645 from from(t), at every t ≥ τ.
func (p *coupledRuns) errorIdentity(rec *props.Recorder, from func(t int) int) {
	u := p.gapsUpTo(p.tau, p.T)
	for t := p.tau; t <= p.T; t++ {
		sum, batches, rest, _ := p.pairTerms(u, from(t), t)
		floats.Add(sum, batches)
		floats.Add(sum, rest)
		rec.EqualVectors("g^t against its sum", p.force[t], sum).Scale(p.span())
	}
}

// firstTerm draws two clusters with b of at least √n and two runs that are followed to the
// perturbation, and bounds the first term (line 1660) at every t, for batches after it, by
// 2C_1ζr_e/√b, in units of ζr_e, which is far below 1.
func firstTerm(src *props.Source) props.TailTrial {
	s := drawSaddleShape(src, saddleRange{P: problems.Sizes(2, 200), d: manyDimensions,
		patterns: []problems.Pattern{problems.TwoCluster}}).build(src.Rand("directions"))
	share := src.Real("nu / T", 0.05, 0.2)
	b := max(algos.RootBatch(s.P), src.Int("b", 0, s.P))
	c := coupling{tuning: tuning{eta: 0.5 / s.L, r: 0.01, b: b}, re: 0.01, tau: 1, T: 1,
		x0: make([]float64, s.d)}
	most := coverWindow(s.P, b, coverageC1(s.P, 1, 1e-3)) // batches after the perturbation
	c1 := concentration.C1(1, concentration.Sizes{N: s.P, D: s.d, T: most,
		Nu: share * float64(most)})
	delta := share / 4
	return props.TailTrial{Delta: delta,
		Regime: sumRegime(s.P, b, s.d, s.zeta).And(props.Allowed(delta)),
		Run: func(t props.Trial, rec *props.Recorder) {
			r := algos.Keyed(t.Key)
			p := s.coupleIn(roomOf(t), c.under(t), r)
			if p.zeta == 0 {
				rec.Skip("ζ > 0")
				return
			}
			u := p.gap(p.tau)
			batch, sum, term := make([]int, b), make([]float64, p.d), make([]float64, p.d)
			sampled, left := make([]bool, p.P), p.P
			rest := make([]float64, p.d) // Σ over the unsampled
			take := func(set []int) {
				for _, i := range set {
					if !sampled[i] {
						sampled[i] = true
						left--
						floats.Sub(rest, u[i*p.d:(i+1)*p.d])
					}
				}
			}
			sumOver(sum, u, p.pair.Run.Batch(p.tau), 1/float64(b))
			take(p.pair.Run.Batch(p.tau))
			for range most {
				floats.ScaleTo(term, float64(left), sum)
				floats.Sub(term, rest)
				rec.AtMost("first term over ζr_e", floats.Norm(term, 2)/(float64(p.P)*p.zeta*p.re),
					2*c1/math.Sqrt(float64(b))).Scale(rounding / p.zeta)
				r.Subset(batch, p.P, algos.Batches)
				if take(batch); left == 0 {
					break // an empty sum is no longer than 0, up to rounding
				}
			}
		}}
}

// firstTermExactly enumerates the pairs of disjoint subsets.
func firstTermExactly(rec *props.Recorder) {
	for n := 2; n <= 6; n++ {
		u, total, square := make([]int64, n), int64(0), int64(0)
		for i := range u {
			total += int64(i * i)
		}
		for i := range u {
			u[i] = int64(n*i*i) - total
			square += u[i] * u[i]
		}
		sum := func(set uint) (s int64) {
			for ; set != 0; set &= set - 1 {
				s += u[bits.TrailingZeros(set)]
			}
			return s
		}
		for b := 1; b <= n; b++ {
			for m := 0; m <= n-b; m++ {
				sq, count := int64(0), int64(0) // of m S_I − b S_M
				for I := range uint(1) << n {
					for M := range uint(1) << n {
						if bits.OnesCount(I) == b && bits.OnesCount(M) == m && I&M == 0 {
							v := int64(m)*sum(I) - int64(b)*sum(M)
							sq, count = sq+v*v, count+1
						}
					}
				}
				N, B, M := int64(n), int64(b), int64(m)
				rec.Rats("mean square of the first term", big.NewRat(sq, count*B*B*N*N), props.EQ,
					new(big.Rat).Mul(big.NewRat(M*(M+B), B*N*(N-1)), big.NewRat(square, N)))
			}
		}
	}
}
