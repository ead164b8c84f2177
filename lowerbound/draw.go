package lowerbound

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
)

// drawClass draws a class and the length T of the chain that fits into it: Δ is (T + a
// fraction)·perLink(c), the gap that the construction needs for one link.
func drawClass(src *props.Source, n, T [2]int, perLink func(Class) float64) Class {
	c := Class{N: src.Int("n", n[0], n[1])}
	length := float64(src.Int("T", T[0], T[1]))
	c.L, c.Eps = src.LogReal("L", 0.1, 10), src.LogReal("ε", 0.01, 10)
	c.Gap = (length + src.Real("fraction of a link left", 0.01, 0.99)) * perLink(c)
	c.Offset = src.Real("‖x⁰‖", 0, 5)
	return c
}

// drawEntries draws the length T of a chain and a point within ±reach, the entries one by one so
// that a search can move each.
func drawEntries(src *props.Source, least, most int, name string, reach float64) []float64 {
	x := make([]float64, src.Int("T", least, most))
	for k := range x {
		x[k] = src.Real(name, -reach, reach)
	}
	return x
}

// commonLink is the gap for one link of the common chain.
func commonLink(c Class) float64 { return chainGap * chainSmooth * c.Eps * c.Eps / c.L }

// spreadLink is the gap for one link in each of the spread chains.
func spreadLink(l func(Class) float64) func(Class) float64 {
	return func(c Class) float64 {
		return 2 * chainGap * chainSmooth * float64(c.N) * c.Eps * c.Eps / l(c)
	}
}

// drawPlace draws a point at which at most two chains, and the last coordinate, have left x⁰.
func drawPlace(src *props.Source, p *Chains, x0 []float64) []float64 {
	x := append([]float64(nil), x0...)
	for k := range min(2, p.blocks()) {
		for j := range p.part(x, k) {
			p.part(x, k)[j] = p.sigma * src.Real("x_j/σ", -3, 3)
		}
	}
	if w := p.pad.omega(); w > 0 {
		x[len(x)-1] = src.Real("y", -3, 3) / w
	}
	return x
}

// recordGap records that the problem has the value gap of its class: the values on both sides, and
// the infimum against the value at a point.
func recordGap(rec *props.Recorder, c Class, p instance, x0, x []float64) {
	low, _ := p.Minimum()
	rec.Equal("f(x⁰) − inf f against Δ", p.Value(x0)-low, c.Gap).Scale(low)
	rec.AtLeast("f(x) against inf f", p.Value(x), low)
}

// recordChains runs linear-span methods on chains and records that they need at least the given
// number of gradients; and that ‖∇f‖ > ε wherever one query less could lead: where the last entry
// of the common chain, or of half of the chains, is small. The place x is made by drawPlace.
func recordChains(src *props.Source, rec *props.Recorder, c Class, p *Chains, x0, x []float64,
	needed float64) {
	y, g := append([]float64(nil), x0...), make([]float64, p.Dim())
	for k := range p.blocks() {
		copy(p.part(y, k), p.part(x, 0))
		p.part(y, k)[p.Length()-1] /= 3 // drawn within 3σ
		if p.own && k < (p.n+1)/2-1 {   // so many may be finished
			for j := range p.part(y, k) {
				p.part(y, k)[j] = 20 * p.sigma
			}
		}
	}
	p.FullGradient(g, y)
	rec.AtLeast("‖∇f‖ at an unfinished point, against ε", floats.Norm(g, 2), c.Eps)
	all := p.blocks() * p.Length()
	n, found := spent(&explorer{Reach: 10 * p.sigma, Length: p.Length()}, p, x0, nil, c.Eps, 2*all)
	rec.Truth("the explorer arrives", found)
	rec.AtLeast("gradients of the explorer", float64(n), needed)
	rec.AtMost("gradients of the explorer, against one for each link", float64(n), float64(all))
	r := src.Rand("random combinations")
	for range 3 {
		n, _ = spent(&wanderer{r: r, reach: 4 * p.sigma}, p, x0, nil, c.Eps, int(needed)+p.n)
		rec.AtLeast("gradients of a random linear-span method", float64(n), needed)
	}
}

// started returns the oracle of a run of a method that starts at x0, whose settings are valid.
func started(m algos.Method, p algos.FiniteSum, x0 []float64, r algos.Randomness) *algos.Oracle {
	o := algos.NewOracle(algos.Sum(p))
	if err := m.Start(o, x0, r); err != nil {
		panic(err)
	}
	return o
}

// nonzero counts the entries other than zero, and returns the number of the last of them.
func nonzero(x []float64) (count, last int) {
	for k, v := range x {
		if v != 0 {
			count, last = count+1, k+1
		}
	}
	return count, last
}

// randomness returns a source of random choices for a method whose run is part of an instance.
func randomness(src *props.Source) algos.Randomness {
	return algos.Keyed(src.Key("run"))
}

// drawRelay draws a class, the heterogeneity ζ and the relay that fits into them.
func drawRelay(src *props.Source, n,
	rounds [2]int) (c Class, zeta float64, p *Relay, x0 []float64) {
	c = Class{N: src.Int("n", n[0], n[1]), L: src.LogReal("L", 0.1, 10),
		Eps: src.LogReal("ε", 0.01, 10), Offset: src.Real("‖x⁰‖", 0, 5)}
	zeta = 2 * c.L * src.LogReal("ζ/(2L)", 0.01, 1)
	one, _ := c.relay(zeta)
	c.Gap = (float64(src.Int("T", rounds[0], rounds[1]))+src.Real("fraction of a round left", 0.01,
		0.99))*one.roundGap() - one.firstGap()
	p, x0 = c.Relayed(zeta)
	return c, zeta, p, x0
}

// drawRound draws the entries of a round: t, and y with one value for some of the components and
// another for the rest.
func drawRound(src *props.Source, p *Relay, x []float64, k int) {
	t, y := p.round(x, k)
	*t = p.w * src.Real("t/W", -3, 3)
	first, second := src.Real("y/Y of some", -5, 5), src.Real("y/Y of the others", -5, 5)
	some := src.Int("how many", 0, p.n)
	for j := range y {
		y[j] = p.reach * second
		if j < some {
			y[j] = p.reach * first
		}
	}
}

// recordRelay runs linear-span methods on a relay and records that they need at least the proven
// number of gradients; and that ‖∇f‖ > ε where a round is not finished.
func recordRelay(src *props.Source, rec *props.Recorder, c Class, p *Relay, x0 []float64) {
	x, g := append([]float64(nil), x0...), make([]float64, p.Dim())
	at := src.Int("round", 0, p.T-1)
	for k := range at {
		t, y := p.round(x, k)
		*t = 2 * p.w
		for j := range y {
			y[j] = -p.settled
		}
	}
	drawRound(src, p, x, at)
	if at+1 < p.T {
		t, _ := p.round(x, at+1)
		*t = p.w * src.Real("next t/W", -3, 3)
	}
	if t, y := p.round(x, at); *t < p.w || p.passed(y) < 0.75 {
		p.FullGradient(g, x)
		rec.AtLeast("‖∇f‖ at an unfinished point, against ε", floats.Norm(g, 2), c.Eps)
	}
	needed, quarter := p.needed(float64(p.T)), p.n/4
	most := p.T*(quarter+2) + p.n - quarter - 1
	n, found := spent(&runner{p: p}, p, x0, nil, c.Eps, most+1)
	rec.Truth("the runner arrives", found)
	rec.AtLeast("gradients of the runner", float64(n), needed)
	rec.AtMost("gradients of the runner, against all components once and a quarter in each round",
		float64(n), float64(most))
	n, _ = spent(&wanderer{r: src.Rand("random combinations"), reach: 2 * p.w}, p, x0, nil, c.Eps,
		int(needed)+p.n)
	rec.AtLeast("gradients of a random linear-span method", float64(n), needed)
}
