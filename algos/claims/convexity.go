package claims

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/settle"
)

// stronglyConvex is a strongly convex function with known constants: f(x) = Σ_k ½ a_k u_k² + c_k
// φ(u_k) with u = Q(x − centre), Q orthogonal, φ convex with its minimum 0 at 0. Its strong
// convexity is at least μ = min a_k, its minimum 0.
type stronglyConvex struct {
	a, c   []float64
	centre []float64
	q      mat.Dense
	kind   int
}

func drawStronglyConvex(src *props.Source) (*stronglyConvex, []float64) {
	d := src.Int("d", 1, 5)
	mu, cond := src.LogReal("mu", 1e-3, 1e3), src.LogReal("condition", 1, 1e4)
	extra := src.Real("convex part", 0, 3)
	b := &stronglyConvex{kind: src.Pick("convex part is", "hyperbolic", "quartic", "Huber")}
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
func (b *stronglyConvex) at(x []float64) (value, gradSq float64) {
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

// checkStrongConvexity compares ‖∇f(x)‖² with factor·μ(f(x) − f*) for strongly convex functions.
func checkStrongConvexity(factor float64) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		b, x := drawStronglyConvex(src)
		value, gradSq := b.at(x)
		rec.AtLeast("‖∇f(x)‖²", gradSq, factor*floats.Min(b.a)*value)
	})
}

// strongConvexity is f(x*) ≥ f(x) + ⟨∇f(x), d⟩ + (μ/2)‖d‖² for d = x* − x, with F = f(x) − f*.
var strongConvexity = settle.Squares{Symbols: "μ F ‖∇f‖² ⟨∇f,d⟩ ‖d‖²",
	Domain: "μ ≥ 0; F + ⟨∇f,d⟩ + (μ/2)‖d‖² ≤ 0", Statement: "‖∇f‖² ≥ 2μF", Vectors: "g d",
	Products: map[string][2]string{"‖∇f‖²": settle.Norm("g"),
		"⟨∇f,d⟩": {"g", "d"}, "‖d‖²": settle.Norm("d")}}.By([]certificate.Summand{
	settle.Fact("2μ", "F + ⟨∇f,d⟩ + (μ/2)‖d‖² ≤ 0"), settle.Square("1", "g + μd")})

func convexityClaims() []props.Binding {
	return []props.Binding{
		props.Bind("strong-convexity-implies-pl",
			props.Settled(checkStrongConvexity(2), strongConvexity)),
	}
}
