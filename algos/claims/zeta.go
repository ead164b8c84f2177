package claims

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/settle"
)

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
		sum := int64(0)
		for _, a := range data {
			sum += a
		}
		sums, all = append(sums, sum), append(all, data...)
	}
	total, N := int64(0), int64(len(all))
	for _, a := range all {
		total += a
	}
	toMean := int64(0) // N times it
	for _, a := range all {
		toMean = max(toMean, N*a-total, total-N*a)
	}
	return big.NewRat(slices.Max(sums)-slices.Min(sums), int64(len(c[0]))), big.NewRat(toMean, N),
		big.NewRat(slices.Max(all)-slices.Min(all), 1)
}

// hessians returns the Hessians of n components at a common point, more or less mirrored: with
// mirror = 1 they are ± the same matrix.
func drawHessians(src *props.Source) []*mat.SymDense {
	n, d := src.Int("n", 2, 6), src.Int("d", 1, 4)
	mirror := src.Real("mirror", 0, 1)
	rank := src.Pick("matrix", "full", "rank one", "identity")
	r := src.Rand("matrices")
	first := symmetric(d, rank, r)
	out := make([]*mat.SymDense, n)
	for i := range out {
		out[i] = combined(1-mirror, symmetric(d, rank, r), mirror*(1-2*float64(i%2)), first)
	}
	return out
}

func symmetric(d, kind int, r *rand.Rand) *mat.SymDense {
	m, u := mat.NewSymDense(d, nil), normal(d, r)
	switch kind {
	case 0:
		m = mat.NewSymDense(d, normal(d*d, r))
	case 1:
		m.SymRankOne(m, u[0], mat.NewVecDense(d, u))
	case 2:
		for i := range d {
			m.SetSym(i, i, u[0])
		}
	}
	return m
}

// combined is ax + by.
func combined(a float64, x *mat.SymDense, b float64, y *mat.SymDense) *mat.SymDense {
	var out, other mat.SymDense
	out.ScaleSym(a, x)
	other.ScaleSym(b, y)
	out.AddSym(&out, &other)
	return &out
}

// extremeEigenvalues returns the smallest and the largest eigenvalue.
func extremeEigenvalues(m *mat.SymDense) (lo, hi float64) {
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
		a, b := extremeEigenvalues(h)
		lo, hi = min(lo, a), max(hi, b)
		for _, g := range hs[:i] {
			a, b := extremeEigenvalues(combined(1, h, -1, g))
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

// distanceOfHessians is about the values h and k of two Hessians along any unit vector, whose
// largest distance is the norm of their difference; −ℓ bounds them from below.
var distanceOfHessians = settle.Squares{Symbols: "h k L ℓ", Domain: "h ≤ L; −ℓ ≤ k",
	Statement: "h − k ≤ L + ℓ"}.By(
	[]certificate.Summand{settle.Fact("1", "h ≤ L"), settle.Fact("1", "−ℓ ≤ k")})

// meanOfCurvatures is about the values of Hessians along any unit vector, as deviations from that
// of f: h and k of two clients, and a of a datum that is added to a sum S of j of them. For the
// pairwise reading they are those of pairs.
var meanOfCurvatures = settle.Squares{Symbols: "j S a h k ζ'",
	Domain:    "S ≤ jζ'; a ≤ ζ'; h ≤ ζ'; −ζ' ≤ k",
	Statement: "(S + a) − (j + 1)ζ' ≤ 0 ≤ 2ζ' − (h − k)"}.By(
	[]certificate.Summand{settle.Fact("1", "S ≤ jζ'"), settle.Fact("1", "a ≤ ζ'")},
	[]certificate.Summand{settle.Fact("1", "h ≤ ζ'"), settle.Fact("1", "−ζ' ≤ k")})

func zetaClaims() []props.Binding {
	return []props.Binding{
		props.Bind("zeta-at-most-2L", checkZeta(2)),
		props.Bind("zeta-at-most-2L/sharper",
			props.Settled(props.Inequality(func(src *props.Source, rec *props.Recorder) {
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
			}), distanceOfHessians)),
		props.Bind("zeta-versus-zeta-prime",
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				zeta, zetaPrime, _ := drawCurvatures(src, 6, 4).heterogeneity()
				rec.Rats("ζ", zeta, props.LE, zetaPrime)
			})),
		props.Bind("zeta-versus-zeta-prime/corrected",
			props.Settled(props.Inequality(func(src *props.Source,
				rec *props.Recorder) {
				zeta, zetaPrime, pairwise := drawCurvatures(src, 6, 4).heterogeneity()
				rec.Rats("ζ against 2ζ', one dimension", zeta, props.LE,
					new(big.Rat).Add(zetaPrime, zetaPrime))
				rec.Rats("ζ against a pairwise ζ', one dimension", zeta, props.LE, pairwise)
				q := problems.DrawQuadratic(src, problems.Limits{Data: problems.Sizes(1, 6)})
				c := q.Constants(make([]float64, q.Dim()))
				rec.AtMost("ζ against 2ζ', certified constants of quadratics", c.Zeta.Value,
					2*c.ZetaPrime().Value)
			}).Effort(0.5), meanOfCurvatures)),
		props.Bind("zeta-prime-not-controlled-by-zeta",
			props.Exact(
				"2 to 6 clients with curvatures ±2^k, one datum of the first client moved by 2, "+
					"k = 0 … 30: ζ/ζ' falls to 2^-30 and is 0 without the move",
				func(rec *props.Recorder) {
					for P := 2; P <= 6; P++ {
						for k := range 31 {
							c := make(curvatures, P)
							for i := range c {
								c[i] = []int64{1 << k, -1 << k}
							}
							zeta, zetaPrime, _ := c.heterogeneity()
							rec.Rats("ζ of equal clients", zeta, props.EQ, new(big.Rat))
							rec.Rats("ζ' of equal clients", zetaPrime, props.GE,
								big.NewRat(1<<k, 1))
							c[0][0] += 2
							zeta, zetaPrime, _ = c.heterogeneity()
							rec.Rats("ζ of nearly equal clients", zeta, props.EQ, big.NewRat(1, 1))
							rec.Rats("ζ' of nearly equal clients", zetaPrime, props.GE,
								big.NewRat(1<<k, 1))
						}
					}
				})),
	}
}
