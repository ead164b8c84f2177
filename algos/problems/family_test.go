package problems

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// randomSource draws choices at random, with ends of ranges more often than not.
func randomSource(r *rand.Rand) *props.Source {
	return props.NewSource(func(c props.Choice) float64 {
		u := r.Float64()
		switch r.IntN(5) {
		case 0:
			u = 0
		case 1:
			u = 1
		}
		switch {
		case c.Log:
			return c.Lo * math.Pow(c.Hi/c.Lo, u)
		case c.Int:
			return math.Floor(c.Lo + u*(c.Hi-c.Lo+0.999))
		}
		return c.Lo + u*(c.Hi-c.Lo)
	})
}

// anyProblem is what every family offers, finite or federated.
type anyProblem interface {
	algos.Valuer
	algos.FullGradienter
	algos.Hessianer
	Dim() int
	Constants(x0 []float64) Constants
	Minimum() (float64, bool)
	MinEigen(x []float64) float64
	layout() (int, []int)
	raw() engine
}

func (o objective) raw() engine { return o.engine }

var (
	_ Certified                = FiniteSum{}
	_ algos.BatchGradienter    = FiniteSum{}
	_ algos.ComponentHessianer = FiniteSum{}
	_ CertifiedFederated       = Federated{}
	_ algos.MeanGradienter     = Federated{}
	_ algos.PairGradienter     = Federated{}
)

// family is a way to draw problems for tests.
type family struct {
	name string
	draw func(*props.Source) anyProblem
	// spread is the typical distance of interesting points from the origin, slack how much below an
	// exact constant the attack of the tests may stay.
	spread, slack float64
}

// families are those of the package, finite and federated, with variants.
var families = func() []family {
	list := []family{
		{"integer quadratic", func(s *props.Source) anyProblem { return drawIntegerQuadratic(s) },
			2, 1e-9},
		{"indefinite quadratic", func(s *props.Source) anyProblem {
			return DrawQuadratic(s, Limits{Shapes: []Shape{Indefinite}}).ByClient()
		}, 2, 1e-9},
	}
	for _, f := range Catalogue() {
		l, most, slack := Limits{}, Limits{Data: Range{1, 6}}, 1e-6
		switch f.Name {
		case "logistic", "least-squares", "robust": // the attack looks at pairs of rows
			l, most = Limits{N: Range{1, 8}}, Limits{N: Range{1, 4}, Data: Range{1, 3}}
		}
		if f.Name == "robust" { // one of the losses has a kink
			slack = 1e-3
		}
		bounded := most
		bounded.BoundedNoise = true
		list = append(list,
			family{f.Name, func(s *props.Source) anyProblem { return f.Draw(s, l).ByClient() },
				2, slack},
			family{"federated " + f.Name,
				func(s *props.Source) anyProblem { return f.Draw(s, most) }, 2, slack},
			family{"federated " + f.Name + " with bounded noise",
				func(s *props.Source) anyProblem { return f.Draw(s, bounded) }, 2, slack})
	}
	return list
}()

// eachInstance runs the test on a number of drawn instances of every family.
func eachInstance(t *testing.T, count int,
	test func(t *testing.T, f family, p anyProblem, r *rand.Rand)) {
	if testing.Short() {
		count = max(1, count/5)
	}
	for _, f := range families {
		t.Run(f.name, func(t *testing.T) {
			for k := range count {
				r := keyed.New(1).With(f.name).At(k).Rand()
				src := randomSource(r)
				p := f.draw(src)
				test(t, f, p, r)
				if t.Failed() {
					t.Fatalf("instance %d: %v", k, src.Drawn)
				}
			}
		})
	}
}

// point returns a random point, at very different distances from the origin.
func (f family) point(d int, r *rand.Rand) []float64 {
	return scaled(normal(d, r), f.spread*math.Pow(10, -2+2.5*r.Float64()))
}

func near(t *testing.T, what string, got, want, scale, tol float64) {
	t.Helper()
	if !(math.Abs(got-want) <= tol*scale) {
		t.Errorf("%s: %v, want %v within %v of %v", what, got, want, tol, scale)
	}
}

func nearVectors(t *testing.T, what string, got, want []float64, scale, tol float64) {
	t.Helper()
	if d := math.Sqrt(distSq(got, want)); !(d <= tol*scale) {
		t.Errorf("%s: %v, want %v (distance %v, scale %v)", what, got, want, d, scale)
	}
}

// Mean gradients at two points in one pass are those of two passes, bit for bit.
func TestMeanGradients(t *testing.T) {
	eachInstance(t, 20, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		fed, ok := p.(Federated)
		if !ok {
			return
		}
		d, i := fed.Dim(), r.IntN(fed.Clients())
		x, y := f.point(d, r), f.point(d, r)
		some := r.Perm(fed.Size(i))[:1+r.IntN(fed.Size(i))]
		for _, batch := range [][]int{some, nil} {
			now, before, wantNow, wantBefore := make([]float64, d), make([]float64, d),
				make([]float64, d), make([]float64, d)
			fed.MeanGradient(wantNow, x, i, batch)
			fed.MeanGradient(wantBefore, y, i, batch)
			fed.MeanGradients(now, before, x, y, i, batch)
			if !slices.Equal(now, wantNow) || !slices.Equal(before, wantBefore) {
				t.Fatalf("client %d, batch %v: %v and %v, want %v and %v", i, batch, now, before,
					wantNow, wantBefore)
			}
		}
	})
}

// Value and gradient in one pass are those of two passes, bit for bit.
func TestValueGradient(t *testing.T) {
	eachInstance(t, 20, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		d := p.Dim()
		x, want, got := f.point(d, r), make([]float64, d), make([]float64, d)
		p.FullGradient(want, x)
		if v := p.(algos.ValueGradienter).ValueGradient(got, x); v != p.Value(x) ||
			!slices.Equal(got, want) {
			t.Errorf("f = %v and ∇f = %v, want %v and %v", v, got, p.Value(x), want)
		}
	})
}

// The gradient of f must be the derivative of its value, and its Hessian that of its gradient, at
// every level: f, clients, data.
func TestDerivatives(t *testing.T) {
	eachInstance(t, 60, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		d, off := p.layout()
		e := p.raw()
		x, u := f.point(d, r), normal(d, r)
		u = scaled(u, 1/norm(u))
		c := p.Constants(x)
		h := 1e-4 * f.spread
		at := func(s float64) []float64 { y := append([]float64(nil), x...); addScaled(y, s, u); return y }
		g := make([]float64, d)
		p.FullGradient(g, x)
		// the fourth-order difference; its remainder is below the tolerance for the widths in use
		diff := (8*(p.Value(at(h))-p.Value(at(-h))) - (p.Value(at(2*h)) - p.Value(at(-2*h)))) /
			(12 * h)
		scale := c.LMean.Value*(norm(x)+f.spread) + math.Abs(p.Value(x))/f.spread + norm(g)
		near(t, "derivative of the value", dot(g, u), diff, scale, 1e-7)

		check := func(what string, grad func(dst, x []float64), hess func(dst, x, u []float64)) {
			a, b, a2, b2, hv := make([]float64, d), make([]float64, d), make([]float64, d),
				make([]float64, d),
				make([]float64, d)
			grad(a, at(h))
			grad(b, at(-h))
			grad(a2, at(2*h))
			grad(b2, at(-2*h))
			size := norm(a) / h * 1e-15
			for k := range a {
				a[k] = (8*(a[k]-b[k]) - (a2[k] - b2[k])) / (12 * h)
			}
			hess(hv, x, u)
			tol := 1e-6
			if q, ok := e.(*linear); ok && q.loss.scalar == tukey {
				// a kink in the second derivative
				tol += 2 * h * c.Rho.Value / c.L.Value
			}
			nearVectors(t, what, hv, a, c.L.Value+size*1e7, tol)
		}
		check("Hessian of f", p.FullGradient, p.HessianVector)
		i := r.IntN(len(off) - 1)
		check("Hessian of a client", func(dst, x []float64) { e.client(dst, x, i) },
			func(dst, x, u []float64) { e.clientHessian(dst, x, u, i) })
		k := r.IntN(off[len(off)-1])
		check("Hessian of a datum", func(dst, x []float64) { e.datum(dst, x, k) },
			func(dst, x, u []float64) { e.datumHessian(dst, x, u, k) })
	})
}

// The client gradients are the means of the data gradients, the full gradient that of the client
// gradients, and a mean over some data and a batch equal loops.
func TestMeans(t *testing.T) {
	eachInstance(t, 60, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		d, off := p.layout()
		e := p.raw()
		x := f.point(d, r)
		full, mean, g, gi, gk := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d),
			make([]float64, d)
		p.FullGradient(full, x)
		scale := p.Constants(x).L.Value * (1 + norm(x))
		n := len(off) - 1
		var batch []int
		for i := range n {
			clear(g)
			for k := off[i]; k < off[i+1]; k++ {
				e.datum(gk, x, k)
				scale = max(scale, norm(gk))
				addScaled(g, 1/float64(off[i+1]-off[i]), gk)
			}
			e.client(gi, x, i)
			nearVectors(t, fmt.Sprintf("gradient of client %d", i), gi, g, scale, 1e-13)
			addScaled(mean, 1/float64(n), gi)
			e.average(gi, x, i, nil)
			nearVectors(t, fmt.Sprintf("mean over the data of client %d", i), gi, g, scale, 1e-13)
			some := r.Perm(off[i+1] - off[i])[:1+r.IntN(off[i+1]-off[i])]
			clear(g)
			for _, j := range some {
				e.datum(gk, x, off[i]+j)
				addScaled(g, 1/float64(len(some)), gk)
			}
			e.average(gi, x, i, some)
			nearVectors(t, fmt.Sprintf("mean over the data %v of client %d", some, i), gi, g,
				scale, 1e-13)
			batch = append(batch, r.IntN(n))
		}
		nearVectors(t, "full gradient", full, mean, scale, 1e-13)
		rows := make([]float64, n*d)
		e.clients(rows, x, batch)
		for row, i := range batch {
			e.client(gi, x, i)
			nearVectors(t, "row of a batch", rows[row*d:(row+1)*d], gi, scale, 1e-15)
		}
	})
}

func TestGradientsDoNotAllocate(t *testing.T) {
	eachInstance(t, 3, func(t *testing.T, f family, p anyProblem, r *rand.Rand) {
		d, off := p.layout()
		e := p.raw()
		x, g, rows, all := f.point(d, r), make([]float64, d), make([]float64, d*(len(off)-1)),
			r.Perm(len(off)-1)
		allocs := testing.AllocsPerRun(20, func() {
			e.datum(g, x, 0)
			e.client(g, x, 0)
			e.full(g, x)
			e.average(g, x, 0, nil)
			e.clients(rows, x, all)
		})
		if allocs != 0 {
			t.Errorf("gradients allocate %v times", allocs)
		}
	})
}

type namedConstant struct {
	name string
	Constant
}

func constantList(c Constants) []namedConstant {
	return []namedConstant{
		{"L", c.L}, {"LMean", c.LMean}, {"Zeta", c.Zeta}, {"ZetaPrime", c.ZetaPrime()},
		{"Rho", c.Rho}, {"Mu", c.Mu},
		{"Delta", c.Delta}, {"SigmaC", c.SigmaC}, {"GC", c.GC}, {"Sigma", c.Sigma}, {"G", c.G},
	}
}

func TestBoundedNoise(t *testing.T) {
	for _, f := range Catalogue() {
		for k := range 20 {
			p := f.Draw(randomSource(keyed.New(9).With(f.Name).At(k).Rand()),
				Limits{Data: Range{1, 6}, BoundedNoise: true})
			if c := p.Constants(make([]float64, p.Dim())); math.IsInf(c.Sigma.Value, 1) ||
				math.IsInf(c.G.Value, 1) {
				t.Errorf("%s: asked for bounded noise, got σ = %v and G = %v", f.Name, c.Sigma, c.G)
			}
		}
	}
}
