package claims

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/props"
)

func assumptionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("zeta-at-most-2L", checkZeta(2)),
		props.Bind("zeta-at-most-2L/sharper", props.Inequality(tryZetaWithin)),
		props.Bind("zeta-versus-zeta-prime/corrected",
			props.Inequality(tryTwiceZetaPrime).Effort(0.5)),
		props.Bind("zeta-prime-not-controlled-by-zeta", props.Exact(
			"2 to 6 clients with curvatures ±2^k, one datum of the first client moved by 2, "+
				"k = 0 … 30: ζ/ζ' falls to 2^-30 and is 0 without the move", tryAlikeClients)),
		props.Bind("sigma-c-meaning/corrected",
			props.Inequality(tryDeviations).Effort(0.5)),
	}
}

// tryZetaWithin compares ζ with the distance of the ends of the spectra, where all Hessians may be
// convex.
func tryZetaWithin(src *props.Source, rec *props.Recorder) {
	hs := drawHessians(src)
	if src.Bool("convex") {
		_, lo, _ := spectrum(hs)
		for _, h := range hs {
			for k := 0; k < len(h); k += 1 + dimension(h) {
				h[k] -= min(lo, 0)
			}
		}
	}
	zeta, lo, hi := spectrum(hs)
	rec.AtMost("ζ of the Hessians at a point", zeta, hi-lo).Scale(max(hi, -lo))
}

func tryTwiceZetaPrime(src *props.Source, rec *props.Recorder) {
	zeta, zetaPrime, pairwise := drawCurvatures(src, 6, 4).heterogeneity()
	rec.Rats("ζ against 2ζ', one dimension", zeta, props.LE, zetaPrime.Add(zetaPrime, zetaPrime))
	rec.Rats("ζ against a pairwise ζ', one dimension", zeta, props.LE, pairwise)
	q := problems.DrawQuadratic(src, problems.Limits{Data: problems.Sizes(1, 6)})
	c := q.Constants(make([]float64, q.Dim()))
	rec.AtMost("ζ against 2ζ', certified constants of quadratics", c.Zeta.Value,
		2*c.ZetaPrime().Value)
}

// tryAlikeClients has clients with the same pair of opposite curvatures, and one of them moved.
func tryAlikeClients(rec *props.Recorder) {
	for P := 2; P <= 6; P++ {
		for k := range 31 {
			c := make(curvatures, P)
			for i := range c {
				c[i] = []int64{1 << k, -1 << k}
			}
			for apart, clients := range []string{"equal", "nearly equal"} {
				c[0][0] += int64(2 * apart)
				zeta, zetaPrime, _ := c.heterogeneity()
				rec.Rats("ζ of "+clients+" clients", zeta, props.EQ, big.NewRat(int64(apart), 1))
				rec.Rats("ζ' of "+clients+" clients", zetaPrime, props.GE, big.NewRat(1<<k, 1))
			}
		}
	}
}

func tryDeviations(src *props.Source, rec *props.Recorder) {
	g := drawGradients(src)
	largestSq, variance := deviations(g)
	rec.Rats("variance", variance, props.LE, largestSq)
	rec.Rats("largest squared deviation", largestSq, props.LE,
		new(big.Rat).Mul(variance, big.NewRat(int64(len(g)-1), 1)))
	q := problems.DrawQuadratic(src).ByClient()
	x0 := problems.DrawPoint(src, "x0", q.Dim(), 3)
	c := q.Constants(x0)
	rec.AtMost("σ_c of line 891 against G_c", c.SigmaC.Value, c.GC.Value)
	rec.AtMost("G_c against √(n−1) σ_c", c.GC.Value,
		math.Sqrt(float64(q.Components()-1))*c.SigmaC.Value).Scale(c.L.Value * (1 + floats.Norm(x0, 2)))
}

// curvatures are the second derivatives of data functions of one variable, f_ij″ constant: the
// smallest federated problem on which the definitions of ζ and ζ' differ.
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

// heterogeneity returns ζ, the largest distance of two client means (assumption:Heterogeneity,
// lines 268-271), ζ', the largest distance of a datum from the mean of everything (line 190), and
// the largest distance of two data.
func (c curvatures) heterogeneity() (zeta, zetaPrime, pairwise *big.Rat) {
	var sums, all []int64
	for _, data := range c {
		sums, all = append(sums, total(data)), append(all, data...)
	}
	N, least, most := int64(len(all)), slices.Min(all), slices.Max(all)
	return big.NewRat(slices.Max(sums)-slices.Min(sums), int64(len(c[0]))),
		big.NewRat(max(N*most-total(all), total(all)-N*least), N), big.NewRat(most-least, 1)
}

func total(numbers []int64) (sum int64) {
	for _, a := range numbers {
		sum += a
	}
	return sum
}

// drawHessians returns the Hessians of n components at a common point, more or less mirrored: with
// mirror = 1 they are ± the same matrix. Their entries on and above the diagonal count.
func drawHessians(src *props.Source) [][]float64 {
	n, d := src.Int("n", 2, 6), src.Int("d", 1, 4)
	mirror := src.Real("mirror", 0, 1)
	rank := src.Pick("matrix", "full", "rank one", "identity")
	r := src.Rand("matrices")
	first := symmetric(d, rank, r)
	out := make([][]float64, n)
	for i := range out {
		out[i] = symmetric(d, rank, r)
		floats.Scale(1-mirror, out[i])
		add(out[i], mirror*(1-2*float64(i%2)), first)
	}
	return out
}

func symmetric(d, kind int, r *rand.Rand) []float64 {
	m, u := mat.NewSymDense(d, nil), normal(d, r)
	switch kind {
	case 0:
		return normal(d*d, r)
	case 1:
		m.SymRankOne(m, u[0], mat.NewVecDense(d, u))
	case 2:
		for i := range d {
			m.SetSym(i, i, u[0])
		}
	}
	return m.RawSymmetric().Data
}

func dimension(matrix []float64) int { return int(math.Sqrt(float64(len(matrix)))) }

// extremeEigenvalues returns the smallest and the largest eigenvalue.
func extremeEigenvalues(m []float64) (lo, hi float64) {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(dimension(m), m), false) {
		panic("claims: the eigenvalues of a symmetric matrix did not converge")
	}
	v := e.Values(nil)
	return v[0], v[len(v)-1]
}

// spectrum returns ζ = max ‖H_i − H_j‖ and the ends of the spectra of all H_i together.
func spectrum(hs [][]float64) (zeta, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, h := range hs {
		a, b := extremeEigenvalues(h)
		lo, hi = min(lo, a), max(hi, b)
		for _, g := range hs[:i] {
			a, b := extremeEigenvalues(minus(h, g))
			zeta = max(zeta, b, -a)
		}
	}
	return zeta, lo, hi
}

// checkZeta compares ζ with factor·L.
func checkZeta(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		zeta, lo, hi := spectrum(drawHessians(src))
		rec.AtMost("ζ of the Hessians at a point", zeta, factor*max(hi, -lo))
	})
}

// deviations returns the deviations of integer client gradients (in one dimension) from their mean:
// the square of the largest one, which is the smallest σ_c² that assumption:BoundedGradient (i)
// admits (line 260), and the mean of the squares, which is the variance and the σ_c² of the
// appendix (line 891).
func deviations(gradients []int64) (largestSq, variance *big.Rat) {
	var most, squares int64
	n := int64(len(gradients))
	for _, g := range gradients {
		dev := n*g - total(gradients) // n times the deviation
		most, squares = max(most, dev*dev), squares+dev*dev
	}
	return big.NewRat(most, n*n), big.NewRat(squares, n*n*n)
}

// drawGradients draws any gradients, or ones of which all but one are 0, or half are near either end
// of the range: the largest deviation is far from the others there, and like them here.
func drawGradients(src *props.Source) []int64 {
	out := make([]int64, src.Int("n", 2, 12))
	r := src.Rand("gradients")
	most := int64(src.Int("largest", 1, 20))
	pattern := src.Pick("pattern", "any", "one outlier", "two ends")
	for i := range out {
		switch {
		case pattern == 2:
			out[i] = (most - r.Int64N(1+most/10)) * int64(1-2*(i%2))
		case pattern == 0 || i == 0:
			out[i] = r.Int64N(2*most+1) - most
		}
	}
	return out
}
