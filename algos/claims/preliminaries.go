package claims

import (
	"math"
	"math/big"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/props"
)

// curvatures are the second derivatives of data functions of one variable, f_ij″ constant: the smallest federated problem on which the
// definitions of ζ and ζ' differ.
type curvatures [][]int64

func drawCurvatures(src *props.Source, clients, data int) curvatures {
	c := make(curvatures, src.Int("P", 2, clients))
	size := src.Int("data per client", 1, data)
	r := src.Rand("curvatures")
	for i := range c {
		c[i] = make([]int64, size)
		for j := range c[i] {
			c[i][j] = r.Int64N(7) - 3
		}
	}
	return c
}

// heterogeneity returns ζ, the largest distance of two client means (assumption:Heterogeneity, lines 268-271), ζ', the largest distance of a
// datum from the mean of everything (line 190), and the largest distance of two data.
func (c curvatures) heterogeneity() (zeta, zetaPrime, pairwise *big.Rat) {
	zeta, zetaPrime, pairwise = new(big.Rat), new(big.Rat), new(big.Rat)
	means := make([]*big.Rat, len(c))
	all := new(big.Rat)
	for i, data := range c {
		sum := int64(0)
		for _, a := range data {
			sum += a
		}
		means[i] = big.NewRat(sum, int64(len(data)))
		all.Add(all, means[i])
	}
	all.Quo(all, big.NewRat(int64(len(c)), 1))
	raise := func(to, a, b *big.Rat) {
		d := new(big.Rat).Sub(a, b)
		if d.Abs(d).Cmp(to) > 0 {
			to.Set(d)
		}
	}
	for i, data := range c {
		for k := range i {
			raise(zeta, means[i], means[k])
		}
		for _, a := range data {
			raise(zetaPrime, big.NewRat(a, 1), all)
			for _, other := range c {
				for _, b := range other {
					raise(pairwise, big.NewRat(a, 1), big.NewRat(b, 1))
				}
			}
		}
	}
	return zeta, zetaPrime, pairwise
}

func twice(a *big.Rat) *big.Rat { return new(big.Rat).Add(a, a) }

// hessians returns the Hessians of n components at a common point, more or less mirrored: with mirror = 1 they are ± the same matrix.
func drawHessians(src *props.Source) []*mat.SymDense {
	n, d := src.Int("n", 2, 6), src.Int("d", 1, 4)
	mirror := src.Real("mirror", 0, 1)
	rank := src.Pick("matrix", "full", "rank one", "identity")
	r := src.Rand("matrices")
	first := symmetric(d, rank, r)
	out := make([]*mat.SymDense, n)
	for i := range out {
		out[i] = symmetric(d, rank, r)
		out[i].ScaleSym(1-mirror, out[i])
		sign := mat.NewSymDense(d, nil)
		sign.ScaleSym(mirror*(1-2*float64(i%2)), first)
		out[i].AddSym(out[i], sign)
	}
	return out
}

func symmetric(d, kind int, r *rand.Rand) *mat.SymDense {
	m := mat.NewSymDense(d, nil)
	u := make([]float64, d)
	for k := range u {
		u[k] = r.NormFloat64()
	}
	for i := range d {
		for j := i; j < d; j++ {
			v := r.NormFloat64()
			switch {
			case kind == 1:
				v = u[0] * u[i] * u[j]
			case kind == 2 && i == j:
				v = u[0]
			case kind == 2:
				v = 0
			}
			m.SetSym(i, j, v)
		}
	}
	return m
}

// ends returns the smallest and the largest eigenvalue.
func ends(m *mat.SymDense) (lo, hi float64) {
	var e mat.EigenSym
	if !e.Factorize(m, false) {
		panic("claims: the eigenvalues of a symmetric matrix did not converge")
	}
	v := e.Values(nil)
	return v[0], v[len(v)-1]
}

// spectrum returns ζ = max ‖H_i − H_j‖ and the ends of the spectra of all H_i together.
func spectrum(hs []*mat.SymDense) (zeta, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, h := range hs {
		a, b := ends(h)
		lo, hi = min(lo, a), max(hi, b)
		for _, g := range hs[:i] {
			diff := mat.NewSymDense(h.SymmetricDim(), nil)
			diff.ScaleSym(-1, g)
			diff.AddSym(diff, h)
			a, b := ends(diff)
			zeta = max(zeta, b, -a)
		}
	}
	return zeta, lo, hi
}

// bowl is a strongly convex function with known constants: f(x) = Σ_k ½ a_k u_k² + c_k φ(u_k) with u = Q(x − centre), Q orthogonal, φ convex with
// its minimum 0 at 0. Its strong convexity is at least μ = min a_k, its minimum 0.
type bowl struct {
	a, c   []float64
	centre []float64
	q      mat.Dense
	kind   int
}

func drawBowl(src *props.Source) (*bowl, []float64) {
	d := src.Int("d", 1, 5)
	mu, cond := src.LogReal("mu", 1e-3, 1e3), src.LogReal("condition", 1, 1e4)
	extra := src.Real("convex part", 0, 3)
	b := &bowl{kind: src.Pick("convex part is", "hyperbolic", "quartic", "Huber")}
	r := src.Rand("directions")
	for k := range d {
		at := 0.0
		if d > 1 {
			at = float64(k) / float64(d-1)
		}
		b.a = append(b.a, mu*math.Pow(cond, at))
		b.c = append(b.c, extra*mu*r.Float64())
		b.centre = append(b.centre, r.NormFloat64())
	}
	b.q = *orthogonal(d, r)
	// a point on the first axis (the flattest direction) or anywhere
	aside := src.Real("aside", 0, 1)
	u := make([]float64, d)
	for k := range u {
		u[k] = aside * r.NormFloat64()
	}
	u[0] = 1
	floats.Scale(src.LogReal("distance", 1e-3, 1e3), u)
	x := make([]float64, d)
	mat.NewVecDense(d, x).MulVec(b.q.T(), mat.NewVecDense(d, u))
	floats.Add(x, b.centre)
	return b, x
}

// at returns f(x) and ‖∇f(x)‖².
func (b *bowl) at(x []float64) (value, gradSq float64) {
	d := len(x)
	u := make([]float64, d)
	diff := make([]float64, d)
	floats.SubTo(diff, x, b.centre)
	mat.NewVecDense(d, u).MulVec(&b.q, mat.NewVecDense(d, diff))
	for k, t := range u {
		phi, slope := 0.0, 0.0
		switch b.kind {
		case 0:
			root := math.Sqrt(1 + t*t)
			phi, slope = t*t/(1+root), t/root
		case 1:
			phi, slope = t*t*t*t/4, t*t*t
		case 2:
			phi, slope = t*t/2, t
			if math.Abs(t) > 1 {
				phi, slope = math.Abs(t)-0.5, math.Copysign(1, t)
			}
		}
		value += b.a[k]*t*t/2 + b.c[k]*phi
		g := b.a[k]*t + b.c[k]*slope
		gradSq += g * g
	}
	return value, gradSq
}

// orthogonal returns a random orthogonal matrix.
func orthogonal(d int, r *rand.Rand) *mat.Dense {
	g := mat.NewDense(d, d, nil)
	for i := range d {
		for j := range d {
			g.Set(i, j, r.NormFloat64())
		}
	}
	var qr mat.QR
	qr.Factorize(g)
	q := new(mat.Dense)
	qr.QTo(q)
	return q
}

// spread returns the deviations of integer client gradients (in one dimension) from their mean: the square of the largest one, which is the
// smallest σ_c² that assumption:BoundedGradient (i) admits (line 260), and the mean of the squares, which is the variance and the σ_c² of
// the appendix (line 891).
func spread(gradients []int64) (largestSq, variance *big.Rat) {
	n := int64(len(gradients))
	sum := int64(0)
	for _, g := range gradients {
		sum += g
	}
	largestSq, variance = new(big.Rat), new(big.Rat)
	for _, g := range gradients {
		dev := big.NewRat(g*n-sum, n)
		dev.Mul(dev, dev)
		if dev.Cmp(largestSq) > 0 {
			largestSq.Set(dev)
		}
		variance.Add(variance, dev)
	}
	return largestSq, variance.Quo(variance, big.NewRat(n, 1))
}

func drawGradients(src *props.Source) []int64 {
	out := make([]int64, src.Int("n", 2, 12))
	r := src.Rand("gradients")
	most := int64(src.Int("largest", 1, 20))
	outlier := src.Bool("one outlier")
	for i := range out {
		if !outlier || i == 0 {
			out[i] = r.Int64N(2*most+1) - most
		}
	}
	return out
}

// checkZeta compares ζ with factor·L.
func checkZeta(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		zeta, lo, hi := spectrum(drawHessians(src))
		rec.AtMost("ζ of the Hessians at a point", zeta, factor*max(hi, -lo))
	})
}

// checkBowl compares ‖∇f(x)‖² with factor·μ(f(x) − f*) for strongly convex functions.
func checkBowl(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		b, x := drawBowl(src)
		value, gradSq := b.at(x)
		rec.AtLeast("‖∇f(x)‖²", gradSq, factor*floats.Min(b.a)*value)
	})
}

func preliminaryClaims() []props.Binding {
	return []props.Binding{
		props.Bind("zeta-at-most-2L", checkZeta(2)),
		props.Bind("zeta-at-most-2L/sharper", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			hs := drawHessians(src)
			if src.Bool("convex") {
				_, lo, _ := spectrum(hs)
				for _, h := range hs {
					for k := range h.SymmetricDim() {
						h.SetSym(k, k, h.At(k, k)-min(lo, 0))
					}
				}
			}
			zeta, lo, hi := spectrum(hs)
			rec.AtMost("ζ of the Hessians at a point", zeta, hi-lo).Scale(max(hi, -lo))
		})),
		props.Bind("zeta-versus-zeta-prime", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			zeta, zetaPrime, _ := drawCurvatures(src, 6, 4).heterogeneity()
			rec.Rats("ζ", zeta, props.LE, zetaPrime)
		})),
		props.Bind("zeta-versus-zeta-prime/corrected", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			zeta, zetaPrime, pairwise := drawCurvatures(src, 6, 4).heterogeneity()
			rec.Rats("ζ against 2ζ', one dimension", zeta, props.LE, twice(zetaPrime))
			rec.Rats("ζ against a pairwise ζ', one dimension", zeta, props.LE, pairwise)
			q := problems.DrawFederatedQuadratic(src)
			c := q.Constants(make([]float64, q.Dim()))
			rec.AtMost("ζ against 2ζ', certified constants of quadratics", c.Zeta.Value, 2*c.ZetaPrime.Value)
		}).Effort(0.5)),
		props.Bind("zeta-prime-not-controlled-by-zeta", props.Exact("2 to 6 clients with curvatures ±2^k, one datum of the first client moved by 2, k = 0 … 30: ζ/ζ' falls to 2^-30 and is 0 without the move", func(rec *props.Recorder) {
			for P := 2; P <= 6; P++ {
				for k := range 31 {
					c := make(curvatures, P)
					for i := range c {
						c[i] = []int64{1 << k, -1 << k}
					}
					zeta, zetaPrime, _ := c.heterogeneity()
					rec.Rats("ζ of equal clients", zeta, props.EQ, new(big.Rat))
					rec.Rats("ζ' of equal clients", zetaPrime, props.GE, big.NewRat(1<<k, 1))
					c[0][0] += 2
					zeta, zetaPrime, _ = c.heterogeneity()
					rec.Rats("ζ of nearly equal clients", zeta, props.EQ, big.NewRat(1, 1))
					rec.Rats("ζ' of nearly equal clients", zetaPrime, props.GE, big.NewRat(1<<k, 1))
				}
			}
		})),
		props.Bind("sigma-c-order-of-P", props.Exact("2 to 200 clients, gradients in one dimension at x⁰", func(rec *props.Recorder) {
			for P := int64(2); P <= 200; P++ {
				g := make([]int64, P)
				g[0] = P
				_, variance := spread(g)
				rec.Rats("variance with one active client and ∇f = 1", variance, props.EQ, big.NewRat(P-1, 1))
				g[0], g[1] = P+1, -1 // the same mean, more spread
				_, variance = spread(g)
				rec.Rats("variance with two active clients and ∇f = 1", variance, props.GE, big.NewRat(P, 1))
			}
		})),
		props.Bind("sigma-c-order-of-P/sharper", props.Identity(func(src *props.Source, rec *props.Recorder) {
			n, d := src.Int("n", 2, 8), src.Int("d", 1, 4)
			size := src.LogReal("linear part", 1, 1e6)
			q := problems.QuadraticMean{Between: problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: 0.5}}
			for k := range d {
				q.Spectrum = append(q.Spectrum, 1+float64(k))
			}
			seed := src.Rand("problem").Uint64()
			var with, without problems.Constants
			x0 := make([]float64, d)
			x0[0] = 1
			for _, c := range []*problems.Constants{&without, &with} {
				p := props.Must(problems.MakeQuadratic(n, q, rand.New(rand.NewPCG(seed, 0))))
				*c = p.Constants(x0)
				q.Between.Linear = size
			}
			rec.Equal("L", with.L.Value, without.L.Value)
			rec.Equal("ζ", with.Zeta.Value, without.Zeta.Value)
			rec.Equal("Δ", with.Delta.Value, without.Delta.Value)
			rec.AtLeast("σ_c", with.SigmaC.Value, size-without.SigmaC.Value)
		}).Effort(0.5)),
		props.Bind("sigma-c-meaning", props.Identity(func(src *props.Source, rec *props.Recorder) {
			largestSq, variance := spread(drawGradients(src))
			rec.Rats("σ_c² against the square of the variance", largestSq, props.EQ, new(big.Rat).Mul(variance, variance))
			rec.Rats("σ_c² against the variance", largestSq, props.EQ, variance)
		})),
		props.Bind("sigma-c-meaning/corrected", props.Inequality(func(src *props.Source, rec *props.Recorder) {
			g := drawGradients(src)
			largestSq, variance := spread(g)
			rec.Rats("variance", variance, props.LE, largestSq)
			rec.Rats("largest squared deviation", largestSq, props.LE, new(big.Rat).Mul(variance, big.NewRat(int64(len(g)-1), 1)))
			q := problems.DrawQuadratic(src)
			x0 := problems.DrawPoint(src, "x0", q.Dim(), 3)
			c := q.Constants(x0)
			rec.AtMost("σ_c of line 891 against G_c", c.SigmaC.Value, c.GC.Value)
			rec.AtMost("G_c against √(n−1) σ_c", c.GC.Value, math.Sqrt(float64(q.Components()-1))*c.SigmaC.Value).
				Scale(c.L.Value * (1 + floats.Norm(x0, 2)))
		}).Effort(0.5)),
		props.Bind("strong-convexity-implies-pl", checkBowl(2)),
	}
}
