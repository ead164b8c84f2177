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
		props.Bind("pair-error-identity/sharper",
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				if p := drawCoupledSteps(src, rec, saddleRange{P: smallN, d: smallD}, 12,
					1); p != nil {
					p.errorIdentity(rec, func(int) int { return p.tau })
				}
			})),
		props.Bind("pair-first-term/corrected", props.Tail(func(src *props.Source) props.TailTrial {
			return drawFirstTerm(src).trial()
		})),
		props.Bind("pair-first-term/sharper",
			props.ExactSizes("all n ≤ 6, 1 ≤ b ≤ n, 0 ≤ m ≤ n − b, with u_i = i² up to centring",
				firstTermExactly)),
		props.Bind("pair-second-term", props.Tail(func(src *props.Source) props.TailTrial {
			in := drawTailPair(src, 0.25)
			return in.eachGap(func(p *coupledRuns, u [][]float64, t int, rec *props.Recorder) {
				from := t - in.window + 1
				_, batches, _, _ := p.pairTerms(u, from, t)
				bound := 2 * math.Pow(in.c1, 4) / math.Sqrt(float64(in.b)) *
					math.Sqrt(p.weights(in.overCb, from, t))
				rec.AtMost("second term", floats.Norm(batches, 2), bound).Scale(rounding)
			})
		}).Effort(0.5)),
		props.Bind("pair-third-term/corrected", props.Tail(func(src *props.Source) props.TailTrial {
			return drawTailPair(src, 0.25).thirdTerm(1)
		}).Effort(0.5)),
	}
}

// eachGap is a statement that may fail with probability ν/(4T), at every t > τ until the runs leave
// the region around x^τ: compare is given the u_i^s up to then.
func (in tailPair) eachGap(
	compare func(p *coupledRuns, u [][]float64, t int, rec *props.Recorder)) props.TailTrial {
	return in.trial(in.share/4, true, func(p *coupledRuns, _ props.Trial, rec *props.Recorder) {
		var u [][]float64
		in.eachStep(p, rec, func(t int) {
			if u == nil {
				u = p.gapsUpTo(p.tau, p.inside(in.radius, p.tau))
			}
			compare(p, u, t, rec)
		})
	})
}

// thirdTerm is the repaired statement about the third term, with a factor before its bounds.
func (in tailPair) thirdTerm(factor float64) props.TailTrial {
	n, b := float64(in.P), float64(in.b)
	return in.eachGap(func(p *coupledRuns, u [][]float64, t int, rec *props.Recorder) {
		from := max(p.tau+1, t-in.window+1)
		_, _, rest, sum := p.pairTerms(u, from, t)
		rec.AtMost("‖(1/n)Σ_sΣ_{i∈Ĩ_s^t}u_i^s‖ against (√T_1/n)√Σ_s‖…‖²", floats.Norm(rest, 2),
			factor*math.Sqrt(float64(in.window)*sum)/n).Scale(rounding)
		bound := factor * math.Pow(in.c1, 1.5) / math.Sqrt(b) *
			math.Sqrt(p.weights(in.overCb, from, t))
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

// firstTerm is an instance of the statement about the first term (line 1660): a couple that is
// followed to the perturbation, and batches after it.
type firstTerm struct {
	*saddle
	coupling
	share, c1 float64
	most      int // batches after the perturbation
}

// drawFirstTerm draws two clusters with b of at least √n.
func drawFirstTerm(src *props.Source) firstTerm {
	shape := drawSaddleShape(src, saddleRange{P: problems.Sizes(2, 200), d: manyDimensions,
		patterns: []problems.Pattern{problems.TwoCluster}})
	in := firstTerm{saddle: shape.build(src.Rand("directions")),
		share: src.Real("nu / T", 0.05, 0.2)}
	in.b = max(algos.RootBatch(in.P), src.Int("b", 0, in.P))
	in.coupling = coupling{tuning: tuning{eta: 0.5 / in.L, r: 0.01, b: in.b}, re: 0.01, tau: 1,
		T: 1, x0: make([]float64, in.d)}
	in.most = coverWindow(in.P, in.b, coverageC1(in.P, 1, 1e-3))
	in.c1 = concentration.C1(1, concentration.Sizes{N: in.P, D: in.d, T: in.most,
		Nu: in.share * float64(in.most)})
	return in
}

// trial bounds the first term at every t by 2C_1ζr_e/√b, in units of ζr_e, which is far below 1.
func (in firstTerm) trial() props.TailTrial {
	delta := in.share / 4
	regime := sumRegime(in.P, in.b, in.d, in.zeta).And(props.Allowed(delta))
	return props.TailTrial{Delta: delta, Regime: regime,
		Run: func(t props.Trial, rec *props.Recorder) {
			r := algos.Keyed(t.Key)
			p := in.coupleIn(roomOf(t), in.coupling.under(t), r)
			if p.zeta == 0 {
				rec.Skip("ζ > 0")
				return
			}
			u := p.gap(p.tau)
			n, b, d := float64(p.P), float64(in.b), p.d
			batch, sum, term := make([]int, in.b), make([]float64, d), make([]float64, d)
			sampled, left := make([]bool, p.P), p.P
			rest := make([]float64, d) // Σ over the unsampled
			take := func(set []int) {
				for _, i := range set {
					if !sampled[i] {
						sampled[i] = true
						left--
						floats.Sub(rest, u[i*d:(i+1)*d])
					}
				}
			}
			sumOver(sum, u, p.pair.Run.Batch(p.tau), 1/b)
			take(p.pair.Run.Batch(p.tau))
			for range in.most {
				floats.ScaleTo(term, float64(left), sum)
				floats.Sub(term, rest)
				rec.AtMost("first term over ζr_e", floats.Norm(term, 2)/(n*p.zeta*p.re),
					2*in.c1/math.Sqrt(b)).Scale(rounding / p.zeta)
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
