package bounds

import (
	"math"
	"math/big"
	"math/bits"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
)

// pairCc is the C_c that lines 1699-1712 arrive at: four times 2C_1⁴ + C_1^{3/2}, because the two
// terms of weight 2δ/C_b are summed over overlapping windows.
func pairCc(c1 float64) float64 { return 4 * (2*math.Pow(c1, 4) + math.Pow(c1, 1.5)) }

// drawTailPair draws an instance for a statement that may fail with probability times·ν/T.
func drawTailPair(src *props.Source, times float64) *stuckInstance {
	cb := src.LogReal("C_b", 1, 4)
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 24), zeta: 5 / cb, times: times}, cb, cb)
	in.drawStart(src)
	in.T = min(in.T, in.tau+30)
	return in.followed()
}

// drawClusters draws two clusters with b of at least √n, followed wherever the runs go.
func drawClusters(src *props.Source, times float64) *stuckInstance {
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 200), zeta: 10, times: times,
		patterns: []problems.Pattern{problems.TwoCluster}}, 1, 0).drawStart(src)
	in.b, in.radius = max(in.b, src.Int("b", 0, in.P)), math.Inf(1)
	in.T = in.tau + 30
	return in.followed()
}

// followed has the constants of a run of that length.
func (in *stuckInstance) followed() *stuckInstance {
	in.c1 = concentration.C1(1, concentration.Sizes{P: in.P, D: in.d, T: in.T, K: in.K,
		Nu: in.share * float64(in.T*max(1, in.K))})
	in.window = coverWindow(in.P, in.sampled(), in.c1)
	return in
}

// apart presents two runs of SLEDGE with what their components differ by up to the last number.
func (p *coupledRuns) apart(last int) *path {
	run := p.past()
	if run.dev == nil {
		run.dev = p.gapsUpTo(p.tau, last)
	}
	return run
}

// inRegion presents them as long as they are inside the region.
func (p *coupledRuns) inRegion() *path { return p.apart(p.inside(p.radius, p.tau)) }

// rounding is the scale to state for differences of gradients of size 1: what is below 1e-9 of it,
// 1e-14, is rounding.
const rounding = 1e-5

// smoothShape draws a saddle with strong third derivatives that differ between components.
func smoothShape(src *props.Source, n, d problems.Range) saddleShape {
	shape := drawSaddleShape(src, saddleRange{P: n, d: d, smooth: true, gamma: 0.1})
	shape.Between.Amplitude = src.Real("amplitude", 0, 3)
	return shape
}

// smallN and smallD are the sizes of runs whose Hessians are followed.
var smallN, smallD = problems.Sizes(1, 8), problems.Sizes(1, 3)

// smallSteps are runs whose Hessians are followed.
var smallSteps = saddleRange{P: smallN, d: smallD}

// driftOfComponents measures the Hessians of coupled runs after the perturbation.
func driftOfComponents(src *props.Source, rec *props.Recorder, try func(string, formula.Values)) {
	onSteps(saddleRange{P: smallN, d: smallD, smooth: true, gamma: 0.1}, 4, 2,
		func(p *coupledRuns, _ *props.Recorder) {
			for s := p.tau + 1; s <= p.T; s++ {
				mean := spectralNorm(p.hessianDrift(s, whole))
				for i := range p.P {
					try("", formula.Given(map[string]float64{"‖dH‖": mean, "ρ": p.rho,
						"‖dH'‖": spectralNorm(p.hessianDrift(s, client(i))), "R": p.reach(s, p.tau)}))
				}
			}
		})(src, rec)
}

// expansions have every u_i^s with the Hessians of f_i and f times w^s and w^{s−1}, and their mean.
func (p *coupledRuns) expansions(try vectors) {
	u, zero := p.gapsUpTo(p.tau, p.T), make([]float64, p.d)
	turned := func(s, i int) []float64 {
		h := p.hessianDrift(s, client(i))
		addMatrix(h, 1, p.product(client(i)).at(p.x[p.tau0]))
		return times(h, p.w[s])
	}
	for s := p.tau; s <= p.T; s++ {
		mean, size := zero, p.L*(p.span()+p.wn[s]+p.wn[s-1])
		all, before := turned(s, -1), turned(s-1, -1)
		for i, row := range split(u[s], p.P, p.d) {
			mean = plus(mean, 1/float64(p.P), row)
			try("", along(map[string][]float64{"own": row, "g": turned(s, i), "F": turned(s-1, i),
				"S": all, "I": before}, nil), size)
		}
		try("mean", along(map[string][]float64{"own": mean, "g": zero, "F": zero, "S": zero,
			"I": zero}, nil), size)
	}
}

// gradientsOfPairs has the gradients of a component at two drawn points and the integral of line
// 1606, from x̃ towards x.
func gradientsOfPairs(src *props.Source, _ *props.Recorder, try vectors) {
	shape := smoothShape(src, problems.Sizes(1, 6), problems.Sizes(1, 3))
	s := shape.build(src.Rand("directions"))
	i := src.Int("i", 0, s.P-1)
	x, other := problems.DrawPoint(src, "x", s.d, 1), problems.DrawPoint(src, "w̃", s.d, 1)
	direct, at := make([]float64, s.d), make([]float64, s.d)
	s.Gradient(direct, x, i, 0)
	s.Gradient(at, other, i, 0)
	floats.Sub(direct, at)
	try("", along(map[string][]float64{"g": direct,
		"I": times(s.segment(client(i), other, x), plus(x, -1, other))}, nil), 4*s.L)
}

// gapsNear draws a saddle and two pairs of points, those of s − 1 and s, within R of a centre at
// which the Hessians are taken, with R from least to 1.
func gapsNear(src *props.Source, shape saddleShape, least float64) (p *coupledRuns,
	radius float64) {
	s := shape.build(src.Rand("directions"))
	radius = src.LogReal("R", least, 1)
	centre := problems.DrawPoint(src, "centre", s.d, 3)
	near := func(name string) [][]float64 {
		list := [][]float64{problems.DrawPoint(src, name+"^{s−1}", s.d, radius),
			problems.DrawPoint(src, name+"^s", s.d, radius)}
		for _, x := range list {
			floats.Add(x, centre)
		}
		return list
	}
	return &coupledRuns{stuckInstance: &stuckInstance{saddle: s}, room: new(room),
		work: make([]float64, s.d), x: near("x"), perturbed: near("w̃")}, radius
}

// parted are the norms of the two differences and of what they differ by, on which the bounds on
// the gaps stand.
func (p *coupledRuns) parted(radius float64) formula.Values {
	w, before := plus(p.x[1], -1, p.perturbed[1]), plus(p.x[0], -1, p.perturbed[0])
	return formula.Given(map[string]float64{"ζ": p.zeta, "L": p.L, "ρ": p.rho, "R": radius,
		"‖w‖": floats.Norm(w, 2), "‖w'‖": floats.Norm(before, 2),
		"‖w−w'‖": floats.Distance(w, before, 2)})
}

// componentsOfPairs has the gaps of all components.
func componentsOfPairs(src *props.Source, rec *props.Recorder, try func(string, formula.Values)) {
	p, radius := gapsNear(src, smoothShape(src, problems.Sizes(2, 8), problems.Sizes(1, 2)), 1e-3)
	u, d := p.gap(1), p.d
	for i := range p.P {
		on := p.parted(radius)
		on["‖u‖"] = func() (value, size float64) {
			return floats.Norm(u[i*d:(i+1)*d], 2), rounding * p.L
		}
		try("", on)
	}
}

// gapsOfKicks has the largest ‖u_i^τ‖.
func (p *coupledRuns) gapsOfKicks(try func(string, formula.Values)) {
	on := formula.Given(map[string]float64{"n": float64(p.P), "ζ": p.zeta, "ρ": p.rho, "r_e": p.re})
	on["‖u‖"] = func() (most, size float64) {
		for _, u := range split(p.gap(p.tau), p.P, p.d) {
			most = max(most, floats.Norm(u, 2))
		}
		return most, 1e-4 * p.span()
	}
	try("", on)
}

// gapsOfQuadratics has the largest ‖∇f_i(x) − ∇f_i(y) − (∇f(x) − ∇f(y))‖ of quadratics.
func gapsOfQuadratics(d problems.Range, differ []problems.Pattern) func(*props.Source,
	*props.Recorder) formula.Values {
	return func(src *props.Source, _ *props.Recorder) formula.Values {
		p := ofSum(problems.DrawQuadratic(src, problems.Limits{N: problems.Sizes(2, 40), D: d,
			Patterns: differ}).ByClient())
		x, y := problems.DrawPoint(src, "x", p.Dim(), 10), problems.DrawPoint(src, "y", p.Dim(), 10)
		n, most, size := p.Clients(), 0.0, 0.0
		gx, gy, u := make([]float64, p.Dim()), make([]float64, p.Dim()), make([]float64, p.Dim())
		p.FullGradient(u, x)
		p.FullGradient(gy, y)
		common := plus(u, -1, gy)
		for i := range n {
			p.Gradient(gx, x, i, 0)
			p.Gradient(gy, y, i, 0)
			size = max(size, floats.Norm(gx, 2), floats.Norm(gy, 2))
			most = max(most, floats.Distance(plus(gx, -1, gy), common, 2))
		}
		on := formula.Given(map[string]float64{"n": float64(n), "ζ": p.Constants(x).Zeta.Value,
			"‖w‖": floats.Distance(x, y, 2)})
		on["‖u‖"] = func() (float64, float64) { return most, size * 1e-3 }
		return on
	}
}

// gapOfCubics are on the line, where f_i = ρx³/6 but for one outlier with the opposite sign, so
// that ζ = 2ρR in the region [−R, R]. The two members of the bound with 2ρR add up if the coupled
// runs move from one end of the region to the other.
func gapOfCubics(src *props.Source, _ *props.Recorder) formula.Values {
	n, rho, radius := src.LogInt("n", 2, 1000), src.LogReal("ρ", 1e-3, 1e3),
		src.LogReal("R", 1e-3, 1e3)
	var now, w, before, wBefore float64
	if src.Bool("from end to end") {
		now, w = radius, radius*src.LogReal("|w|/R", 1e-6, 1)
		before, wBefore = w-now, w
	} else {
		point := func(name string) float64 { return radius * src.Real(name+"/R", -1, 1) }
		now, before = point("x^s"), point("x^{s-1}")
		w, wBefore = now-point("w̃^s"), before-point("w̃^{s−1}")
	}
	on := formula.Given(map[string]float64{"ρ": rho, "R": radius, "ζ": 2 * rho * radius,
		"‖w‖": math.Abs(w), "‖w'‖": math.Abs(wBefore), "‖w−w'‖": math.Abs(w - wBefore)})
	on["‖u‖"] = func() (value, size float64) {
		// The gradient of the outlier deviates from the mean by −(1 − 1/n)ρx².
		return (1 - 1/float64(n)) * rho * math.Abs((2*now-w)*w-(2*before-wBefore)*wBefore),
			rounding * rho * radius * radius
	}
	return on
}

// squaredGaps returns Σ over s = from … t of (c‖w^s−w^{s−1}‖ + 2·overC(‖w^s‖ + ‖w^{s−1}‖))².
func (p *coupledRuns) squaredGaps(c, overC float64, from, t int) (sum float64) {
	for s := max(1, from); s <= t; s++ {
		sum += sq(c*p.dw[s] + 2*overC*(p.wn[s]+p.wn[s-1]))
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
	}
}

// errorIdentity compares g^t with the sum of lines 1636-1645 from from(t), at every t ≥ τ.
func (p *coupledRuns) errorIdentity(rec *props.Recorder, from func(t int) int) {
	run := p.apart(p.T)
	for t := p.tau; t <= p.T; t++ {
		first := max(from(t), p.tau)
		sum := plus(batches(run, first, t), -1, run.remainingTerm(first, t))
		rec.EqualVectors("g^t against its sum", p.force[t], sum).Scale(p.span())
	}
}

// firstTerms enumerates the pairs of disjoint subsets of b and m of n components, with integers that
// add up to zero for the u_i.
func firstTerms(_ *props.Source, try func(on formula.Ratios)) {
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
				N, B := int64(n), int64(b)
				try(formula.Ratios{"n": number(n), "b": number(b), "m": number(m),
					"mean": big.NewRat(sq, count*B*B*N*N), "‖z‖²": big.NewRat(square, N)})
			}
		}
	}
}
