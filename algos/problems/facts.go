package problems

import (
	"math"

	"sledge/algos"
)

// Facts returns what is certified about the problem for a run from its start, for prescriptions of
// methods; see [algos.Entry.Prescribe]. Spread and Bound are certified for all points where the
// component (client) gradients differ by constants or the slope of the loss is bounded, and
// otherwise for the points within 2√(2Δ/μ) of the start, which is twice as far as gradient flow
// goes under the PL condition; Bound for points no higher than the start in any case. Goals and
// sizes of a run are left to the caller.
func (p *Problem) Facts() algos.Facts {
	f := algos.Facts{Dim: len(p.X0)}
	c := p.Constants(p.X0)
	if p.Federated {
		f.Clients, f.Sigma = p.Objective.Clients(), algos.Known(c.Sigma.Value)
	} else {
		f.N = p.Objective.Clients()
	}
	f.L, f.Zeta, f.ZetaPrime = algos.Known(c.L.Value), algos.Known(c.Zeta.Value),
		algos.Known(c.zetaPrime().Value)
	f.Rho, f.Mu, f.Gap = algos.Known(c.Rho.Value), algos.Known(c.Mu.Value),
		algos.Known(c.Delta.Value)
	drift := 0.0 // how much the differences of gradients may grow on the way
	if apart := min(c.Zeta.Value, 2*c.L.Value); apart > 0 {
		drift = math.Inf(1)
		if c.Mu.Value > 0 {
			drift = apart * 2 * math.Sqrt(2*c.Delta.Value/c.Mu.Value)
		}
	}
	spread, most := c.SigmaC.Value+drift, c.GC.Value+drift
	if p.noise != nil {
		sigma, g := p.noise()
		spread, most = min(spread, p.uneven()*sigma.Value), min(most, g.Value)
	}
	f.Spread = algos.Known(spread)
	f.Bound = algos.Known(most + math.Sqrt(2*c.LMean.Value*c.Delta.Value)) // ‖∇f‖² ≤ 2L(f − inf f)
	return f
}

// uneven is 1 for a finite sum. For clients it is the factor by which the root mean square
// deviation of data gradients from their mean, all data counting alike, is to be multiplied to
// bound that of client gradients from theirs, where clients count alike: √(n/(P·least size)).
func (p *Problem) uneven() float64 {
	data, least := 0, p.Objective.Size(0)
	for i := range p.Objective.Clients() {
		data, least = data+p.Objective.Size(i), min(least, p.Objective.Size(i))
	}
	return math.Sqrt(float64(data) / float64(p.Objective.Clients()*least))
}
