package problems

import (
	"math"
	"sync"

	"sledge/algos"
)

// Constant is a quantity that statements about a problem speak of: the value itself (Exact), or
// else a rigorous bound on it.
type Constant struct {
	Value float64 // ≥ 0; +Inf where no finite value is valid
	Exact bool    // no smaller value (larger, for Mu) is valid, up to rounding
	Why   string  // where it comes from, in a few words
}

// Itself returns the constant: its method value is a constant of which nothing is left to compute.
func (c Constant) Itself() Constant { return c }

func exactly(v float64, why string) Constant { return Constant{v, true, why} }
func bound(v float64, why string) Constant   { return Constant{v, false, why} }

// Constants are the quantities of the assumptions (lines 248-279 and 888-896). Norms are not
// squared. All are upper bounds, but Mu is a lower bound. Hessian norms are spectral norms and hold
// for all x.
type Constants struct {
	// gradient Lipschitz constant of every component f_i; of every datum f_ij if federated
	L     Constant
	LMean Constant // gradient Lipschitz constant of f itself, at most L
	Zeta  Constant // ‖∇²f_i(x) − ∇²f_j(x)‖ for all components (clients) i, j
	// ‖∇²f_i(x) − ∇²f(x)‖ for all components; ‖∇²f_ij(x) − ∇²f(x)‖ for all data if federated (line
	// 190). It is computed when it is asked for, which few do; nil stands for 0.
	ZetaPrime func() Constant
	Rho       Constant // Hessian Lipschitz constant of every component; of every datum if federated
	Mu        Constant // ‖∇f(x)‖² ≥ 2μ(f(x) − inf f); 0 if no positive μ is known
	Delta     Constant // f(x0) − inf f
	SigmaC    Constant // root of the mean over components (clients) of ‖∇f_i(x0) − ∇f(x0)‖²
	GC        Constant // the largest ‖∇f_i(x0) − ∇f(x0)‖
	// root of the largest mean over j of ‖∇f_ij(x) − ∇f_i(x)‖², over all clients i and all x; 0 for
	// a finite sum
	Sigma Constant
	// the largest ‖∇f_ij(x) − ∇f_i(x)‖ over all clients, data and x; 0 for a finite sum
	G Constant
}

func (c *Constants) zetaPrime() (v Constant) {
	if c.ZetaPrime != nil {
		v = c.ZetaPrime()
	}
	return v
}

// Certificate is what is known about a problem besides its gradients.
type Certificate interface {
	algos.Valuer
	algos.FullGradienter
	// Constants returns the constants of the problem for a run from x0.
	Constants(x0 []float64) Constants
	// Minimum returns inf f. If it is not known, ok is false and the value is a lower bound,
	// possibly -Inf.
	Minimum() (value float64, ok bool)
}

// Certified is a finite sum with known constants.
type Certified interface {
	algos.FiniteSum
	Certificate
}

// CertifiedFederated is a problem with data of clients and with known constants.
type CertifiedFederated interface {
	algos.Problem
	Certificate
}

// certified keeps the constants of an engine that do not depend on x0.
type certified struct {
	once [2]sync.Once
	kept [2]Constants
}

// constants returns the constants, which are made once for components and once for data.
func (c *certified) constants(perDatum bool, certificates func() Constants) Constants {
	which := 0
	if perDatum {
		which = 1
	}
	c.once[which].Do(func() { c.kept[which] = certificates() })
	return c.kept[which]
}

// engine is what the families share: P clients with their data, numbered through; client i holds
// data off[i] to off[i+1]-1.
type engine interface {
	layout() (d int, off []int)
	datum(dst, x []float64, k int)
	// average sets dst to the mean gradient over the data off[i]+j of client i with j in batch, or
	// over all of them if batch is nil.
	average(dst, x []float64, i int, batch []int)
	client(dst, x []float64, i int)
	clients(dst, x []float64, batch []int)
	full(dst, x []float64)
	value(x []float64) float64
	hessian(dst, x, u []float64)
	clientHessian(dst, x, u []float64, i int)
	datumHessian(dst, x, u []float64, k int)
	// certify returns the constants that do not depend on x0. With perDatum false the components
	// are the clients and have no data.
	certify(perDatum bool) Constants
	minimum() (value float64, exact bool)
	// noise bounds the root mean square and the largest deviation of data gradients from their
	// client's gradient over the ball of the given radius around x; for nil x over all of R^d.
	noise(x []float64, radius float64) (sigma, g Constant)
}

// objective is the part that finite sums and federated problems have in common.
type objective struct{ engine }

// Dim returns d.
func (o objective) Dim() int { d, _ := o.layout(); return d }

// Value returns f(x).
func (o objective) Value(x []float64) float64 { return o.value(x) }

// FullGradient sets dst to ∇f(x).
func (o objective) FullGradient(dst, x []float64) { o.full(dst, x) }

// ValueGradient sets dst to ∇f(x) and returns f(x).
func (o objective) ValueGradient(dst, x []float64) float64 {
	if e, ok := o.engine.(algos.ValueGradienter); ok {
		return e.ValueGradient(dst, x)
	}
	o.full(dst, x)
	return o.value(x)
}

// HessianVector sets dst to ∇²f(x)u.
func (o objective) HessianVector(dst, x, u []float64) { o.hessian(dst, x, u) }

// Minimum returns inf f. If it is not known, ok is false and the value is a lower bound, possibly
// -Inf.
func (o objective) Minimum() (value float64, ok bool) { return o.minimum() }

// MinEigen returns the smallest eigenvalue of ∇²f(x). It forms the matrix, so d should be moderate.
func (o objective) MinEigen(x []float64) float64 {
	d := o.Dim()
	h, u := make([]float64, d*d), make([]float64, d)
	for k := range d {
		u[k] = 1
		o.hessian(h[k*d:(k+1)*d], x, u)
		u[k] = 0
	}
	return -newEigen(d).extreme(math.Inf(-1), h, -1)
}

// constants adds to the certified constants those that depend on x0.
func (o objective) constants(x0 []float64, perDatum bool) Constants {
	c := o.certify(perDatum)
	d, off := o.layout()
	mean, g := make([]float64, d), make([]float64, d)
	o.full(mean, x0)
	sum, most := 0.0, 0.0
	for i := range len(off) - 1 {
		o.client(g, x0, i)
		sq := distSq(g, mean)
		sum += sq
		most = max(most, sq)
	}
	c.SigmaC = exactly(math.Sqrt(sum/float64(len(off)-1)), "computed at x0")
	c.GC = exactly(math.Sqrt(most), "computed at x0")
	low, exact := o.minimum()
	c.Delta = Constant{max(0, o.value(x0)-low), exact, "f(x0) minus the known infimum"}
	if !exact {
		c.Delta.Why = "f(x0) minus a lower bound of f"
	}
	if math.IsInf(low, -1) {
		c.Delta = Constant{math.Inf(1), exact, "f is not bounded below"}
	}
	return c
}

// FiniteSum is a problem as its components see it: one for each client.
type FiniteSum struct{ objective }

// Components returns n.
func (p FiniteSum) Components() int { _, off := p.layout(); return len(off) - 1 }

// Linear returns the linear model that the problem is, nil if it is none: logistic and other
// regressions with a row for each component.
func (p FiniteSum) Linear() algos.Linear {
	if l, ok := p.engine.(*linear); ok && len(l.shift) == p.Components() {
		return l
	}
	return nil
}

// Gradient sets dst to ∇f_i(x).
func (p FiniteSum) Gradient(dst, x []float64, i int) { p.client(dst, x, i) }

// BatchGradient sets row k of dst to ∇f_i(x) for i = batch[k].
func (p FiniteSum) BatchGradient(dst, x []float64, batch []int) { p.clients(dst, x, batch) }

// ComponentHessianVector sets dst to ∇²f_i(x)u.
func (p FiniteSum) ComponentHessianVector(dst, x, u []float64, i int) {
	p.clientHessian(dst, x, u, i)
}

// Constants returns the constants of the problem for a run from x0.
func (p FiniteSum) Constants(x0 []float64) Constants { return p.constants(x0, false) }

// Federated is a problem with certified constants whose clients hold data. A finite sum is one
// whose clients hold one datum each; [Federated.ByClient] is what methods for finite sums see of
// it.
type Federated struct{ objective }

// Clients returns P.
func (p Federated) Clients() int { _, off := p.layout(); return len(off) - 1 }

// Size returns the number of data of client i.
func (p Federated) Size(i int) int { _, off := p.layout(); return off[i+1] - off[i] }

// Gradient sets dst to ∇f_ij(x).
func (p Federated) Gradient(dst, x []float64, i, j int) {
	_, off := p.layout()
	p.datum(dst, x, off[i]+j)
}

// MeanGradient sets dst to the mean of ∇f_ij(x) over j in batch, or over all data of client i if
// batch is nil.
func (p Federated) MeanGradient(dst, x []float64, i int, batch []int) {
	p.average(dst, x, i, batch)
}

// MeanGradients sets now and before to the mean of ∇f_ij over j in batch, or over all data of
// client i if batch is nil, at x and at y.
func (p Federated) MeanGradients(now, before, x, y []float64, i int, batch []int) {
	if e, ok := p.engine.(algos.PairGradienter); ok {
		e.MeanGradients(now, before, x, y, i, batch)
		return
	}
	p.average(now, x, i, batch)
	p.average(before, y, i, batch)
}

// ClientGradient sets dst to ∇f_i(x), the mean over the data of client i.
func (p Federated) ClientGradient(dst, x []float64, i int) { p.client(dst, x, i) }

// ClientHessianVector sets dst to ∇²f_i(x)u.
func (p Federated) ClientHessianVector(dst, x, u []float64, i int) { p.clientHessian(dst, x, u, i) }

// DatumHessianVector sets dst to ∇²f_ij(x)u.
func (p Federated) DatumHessianVector(dst, x, u []float64, i, j int) {
	_, off := p.layout()
	p.datumHessian(dst, x, u, off[i]+j)
}

// Constants returns the constants of the problem for a run from x0.
func (p Federated) Constants(x0 []float64) Constants { return p.constants(x0, true) }

// Smoothness returns L, ζ and ρ alone, which takes less time than all [Constants].
func (p Federated) Smoothness() (l, zeta, rho Constant) {
	if e, ok := p.engine.(*composite); ok {
		return e.smoothness(&e.data)
	}
	c := p.certify(true)
	return c.L, c.Zeta, c.Rho
}

// ByClient views the problem as a finite sum whose components are the clients.
func (p Federated) ByClient() FiniteSum { return FiniteSum(p) }

func distSq(a, b []float64) float64 {
	s := 0.0
	for k, v := range a {
		s += (v - b[k]) * (v - b[k])
	}
	return s
}

// NoiseWithin returns Sigma and G for the ball of the given radius around x instead of all of R^d.
func (p Federated) NoiseWithin(x []float64, radius float64) (sigma, g Constant) {
	return p.noise(x, radius)
}
