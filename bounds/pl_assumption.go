package bounds

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

func plAssumptionClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dpl-assumption-list/sharper", props.Hitting(setupKinked).Effort(runEffort)),
	}
}

// kinked is a federated problem without Hessian Lipschitz constant: f_ij(x) = Σ_k ½h_k(x_k)x_k² +
// ½c_ij‖x‖² + ⟨l_ij, x⟩ with h_k(x) = left for x < 0 and right for x > 0, and c_ij and l_ij of mean
// zero.
type kinked struct {
	left, right float64
	c           [][]float64
	l           [][][]float64
}

func (p *kinked) Dim() int { return len(p.l[0][0]) }

func (p *kinked) Clients() int { return len(p.c) }

func (p *kinked) Size(i int) int { return len(p.c[i]) }

func (p *kinked) curvature(x float64) float64 {
	if x < 0 {
		return p.left
	}
	return p.right
}

// Gradient sets dst to ∇f_ij(x).
func (p *kinked) Gradient(dst, x []float64, i, j int) {
	for k, v := range x {
		dst[k] = (p.curvature(v)+p.c[i][j])*v + p.l[i][j][k]
	}
}

// FullGradient sets dst to ∇f(x).
func (p *kinked) FullGradient(dst, x []float64) {
	for k, v := range x {
		dst[k] = p.curvature(v) * v
	}
}

// setupKinked draws such a problem and parameters of Option II, with exact constants and clients
// that use all their data in a round.
func setupKinked(src *props.Source) props.HittingTrial {
	P, m, dim := src.Int("P", 1, 6), src.Int("data per client", 1, 4),
		draw(src, "d", manyDimensions)
	p := &kinked{left: 1, right: src.LogReal("right curvature", 0.1, 1), c: make([][]float64, P),
		l: make([][][]float64, P)}
	if src.Bool("mirrored") {
		p.left, p.right = p.right, p.left
	}
	between, within := src.LogReal("Hessian distance of clients", 1e-3,
		0.3), src.LogReal("Hessian distance of data", 1e-3, 0.3)
	spread := src.Real("linear spread of clients", 0, 2)
	r := src.Rand("linear terms")
	centre := make([]float64, dim)
	for i := range P {
		p.c[i], p.l[i] = make([]float64, m), make([][]float64, m)
		a, lin := 0.0, make([]float64, dim) // of client i: ± between/2, a pair of clients at a time
		if i^1 < P {
			a = between / 2 * float64(1-2*(i&1))
		}
		for k := range lin {
			lin[k] = spread * r.NormFloat64()
			centre[k] += lin[k] / float64(P)
		}
		for j := range m {
			p.c[i][j], p.l[i][j] = a, lin
			if j^1 < m {
				p.c[i][j] += within / 2 * float64(1-2*(j&1))
			}
		}
	}
	for i := range P {
		floats.Sub(p.l[i][0], centre) // all data of a client share the slice
	}
	in := &instance{problem: posed{Problem: p}, x0: problems.DrawPoint(src, "x0", dim, 5), P: P,
		d: dim, tuning: tuning{p: src.Int("p", (P+1)/2, P), K: src.Int("K", 1, 6), b: m}}
	s := algos.FLEDGETheory{P: float64(P), Chosen: float64(in.p), K: float64(in.K), B: 1e12,
		L: 1 + (between+within)/2, Mu: min(p.left, p.right), Zeta: between}
	g, gap := make([]float64, dim), 0.0
	p.FullGradient(g, in.x0)
	for k, v := range in.x0 {
		gap += g[k] * v / 2
	}
	eps := floats.Norm(g, 2) * src.LogReal("ε/‖∇f(x⁰)‖", 1e-2, 0.9)
	in.eta = s.PLStep(algos.FLEDGEPLFactor)
	in.r = in.eta * eps / 8 * src.Real("r over its bound", 0, 1)
	in.T = int(math.Ceil(2 * max(math.Log(8./5), math.Log(32*s.Mu*gap/sq(eps))) /
		(in.eta * s.Mu * s.K)))
	const limit = 15000 // of local steps
	if in.T > limit/in.K || in.T < 1 || !resolved(p, in.x0, eps) {
		return props.HittingTrial{Delta: 1}
	}
	regime := clientsRegime(P, in.p, in.K, dim, between).And(longEnough(in.T), props.Allowed(0.1))
	return props.HittingTrial{Horizon: in.T - 1, Delta: 0.1, Regime: regime,
		Run: func(t props.Trial) (int, bool) { return in.meetsGradient(t, eps) }}
}
