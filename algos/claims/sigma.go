package claims

import (
	"math"
	"math/big"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/settle"
)

// deviations returns the deviations of integer client gradients (in one dimension) from their mean:
// the square of the largest one, which is the smallest σ_c² that assumption:BoundedGradient (i)
// admits (line 260), and the mean of the squares, which is the variance and the σ_c² of the
// appendix (line 891).
func deviations(gradients []int64) (largestSq, variance *big.Rat) {
	var sum, most, squares int64
	n := int64(len(gradients))
	for _, g := range gradients {
		sum += g
	}
	for _, g := range gradients {
		dev := n*g - sum // n times the deviation
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

// deviationsOfGradients is about deviations that sum up to zero. A mean of squares is at most the
// largest: q of j squares at most m each, and one more. The largest, −d, is the sum S of the n − 1
// others, so that ‖d‖² ≤ (n−1)Q for the sum Q of their squares (by Cauchy and Schwarz) is at most
// (n−1)/n of the sum of all.
var deviationsOfGradients = settle.Squares{Symbols: "T Q q j m n ‖S‖² ‖e‖² ‖S+e‖² ‖d‖²",
	Domain:    "T > 0; n > 0; ‖S‖² ≤ TQ; ‖d‖² ≤ (n − 1)Q; q ≤ jm; ‖e‖² ≤ m",
	Statement: "q + ‖e‖² − (j + 1)m ≤ 0 ≤ (T + 1)(Q + ‖e‖²) − ‖S+e‖² ≥ 0 ≤ (n − 1)(Q + ‖d‖²) − n‖d‖²",
	Vectors:   "S e d", Products: map[string][2]string{"‖S‖²": settle.Norm("S"),
		"‖e‖²": settle.Norm("e"), "‖S+e‖²": settle.Norm("S + e"), "‖d‖²": settle.Norm("d")}}.By(
	[]certificate.Summand{settle.Fact("1", "q ≤ jm"), settle.Fact("1", "‖e‖² ≤ m")}, oneVectorMore,
	oneVectorMore, []certificate.Summand{settle.Fact("1", "‖d‖² ≤ (n − 1)Q")})

var oneVectorMore = []certificate.Summand{settle.Fact("1 + 1/T", "‖S‖² ≤ TQ"),
	settle.Square("1/T", "S − Te")}

func sigmaClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sigma-c-order-of-P/sharper", props.Identity(sigmaCOrderOfPSharper).Effort(0.5)),
		props.Bind("sigma-c-meaning", props.Identity(func(src *props.Source, rec *props.Recorder) {
			largestSq, variance := deviations(drawGradients(src))
			rec.Rats("σ_c² against the square of the variance", largestSq, props.EQ,
				new(big.Rat).Mul(variance, variance))
			rec.Rats("σ_c² against the variance", largestSq, props.EQ, variance)
		})),
		props.Bind("sigma-c-meaning/corrected",
			props.Settled(props.Inequality(func(src *props.Source, rec *props.Recorder) {
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
					math.Sqrt(float64(q.Components()-1))*c.SigmaC.Value).
					Scale(c.L.Value * (1 + floats.Norm(x0, 2)))
			}).Effort(0.5), deviationsOfGradients)),
	}
}

// sigmaCOrderOfPSharper tries sigma-c-order-of-P/sharper.
func sigmaCOrderOfPSharper(src *props.Source, rec *props.Recorder) {
	n, d := src.Int("n", 2, 8), src.Int("d", 1, 4)
	size := src.LogReal("linear part", 1, 1e6)
	q := problems.QuadraticMean{Between: problems.Heterogeneity{
		Pattern: problems.TwoCluster, Hessian: 0.5}}
	for k := range d {
		q.Spectrum = append(q.Spectrum, 1+float64(k))
	}
	seed := src.Seed("problem")
	var with, without problems.Constants
	x0 := make([]float64, d)
	x0[0] = 1
	var gradients [2][]float64
	for k, c := range []*problems.Constants{&without, &with} {
		p := props.Must(problems.Make(problems.OneEach(n), q, rand.New(rand.NewPCG(seed, 0))))
		*c, gradients[k] = p.Constants(x0), make([]float64, d)
		p.FullGradient(gradients[k], x0)
		q.Between.Linear = size
	}
	rec.Equal("L", with.L.Value, without.L.Value)
	rec.Equal("ζ", with.Zeta.Value, without.Zeta.Value)
	rec.Equal("Δ", with.Delta.Value, without.Delta.Value)
	rec.EqualVectors("∇f(x⁰)", gradients[1], gradients[0]).Scale(size)
	rec.AtLeast("σ_c", with.SigmaC.Value, size-without.SigmaC.Value)
}
