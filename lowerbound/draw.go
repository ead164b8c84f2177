package lowerbound

import (
	"maps"
	"math"
	"slices"
	"sync"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props"
	"sledge/props/formula"
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

// addGap adds what is said of the value gap of a problem: at x⁰, and at a point.
func addGap(m formula.Values, p instance, x0, x []float64) {
	low, _ := p.Minimum()
	m["gap"] = func() (float64, float64) { return p.Value(x0) - low, low }
	m["above"] = func() (float64, float64) { return p.Value(x) - low, low }
}

// addSteep adds the Hessians of component 0 and of another.
func addSteep(m formula.Values, p curved, x []float64, other int) {
	var single, difference float64
	look := sync.OnceFunc(func() { single, difference = steepness(p, x, 0, other) })
	m["‖H‖"] = func() (float64, float64) { look(); return single, 0 }
	m["‖H−H'‖"] = func() (float64, float64) { look(); return difference, single }
}

// addSpent adds how many gradients linear-span methods take: the fastest, and the least number among
// it and random ones, which are stopped at a limit.
func addSpent(m formula.Values, src *props.Source, fastest algos.Method, p instance,
	x0 []float64, eps, reach float64, limit, random int) {
	m["fastest"] = func() (float64, float64) {
		n, found := spent(fastest, p, x0, nil, eps, 2*limit)
		if !found {
			return math.Inf(1), 0
		}
		return float64(n), 0
	}
	m["gradients"] = func() (least, _ float64) {
		least, _ = m.Of("fastest")
		r := src.Rand("random combinations")
		for range random {
			n, _ := spent(&wanderer{r: r, reach: reach}, p, x0, nil, eps, limit)
			least = min(least, float64(n))
		}
		return least, 0
	}
}

// aboutMembers is what is measured on members of a class.
var aboutMembers = map[string]string{
	"gap":    "$f(x⁰) − inf f$",
	"above":  "$f(x) − inf f$",
	"‖H‖":    "norm of the Hessian of a component at a point",
	"‖H−H'‖": "that of the difference to the Hessian of another",
	"rms":    "root of the norm of the mean of the squared Hessians",
	"rest":   "$‖∇f‖$ at an unfinished point",
	"gradients": "those that a linear-span method takes, the fastest or a random one, until a query " +
		"is at an $ε$-stationary point",
	"fastest": "those that the fastest method known takes",
}

// chainKind is a way to make members of chains.
type chainKind struct {
	n, T    [2]int
	perLink func(Class) float64 // of the gap
	build   func(Class) (*Chains, []float64)
	effort  float64
	said    string
}

var (
	commonChains = memberScene(chainKind{[2]int{1, 6}, [2]int{1, 8}, commonLink, Class.CommonChain,
		0.25, "for $n ≤ 6$ components with a common chain of up to 8 links"})
	ladders = memberScene(chainKind{[2]int{1, 6}, [2]int{1, 8}, ladderLink, Class.CommonLadder, 0.3,
		"for $n ≤ 6$ components with a common ladder of up to 8 links"})
	ownChains = memberScene(chainKind{[2]int{1, 12}, [2]int{1, 4}, spreadLink(Class.MeanSquare),
		func(c Class) (*Chains, []float64) { return c.SpreadChains(c.MeanSquare()) }, 0.4,
		"for $n ≤ 12$ components with chains of their own of up to 4 links, $ℓ = √n L$"})
	smoothChains = memberScene(chainKind{[2]int{1, 12}, [2]int{1, 4},
		spreadLink(func(c Class) float64 { return c.L }),
		func(c Class) (*Chains, []float64) { return c.SpreadChains(c.L) }, 0.4,
		"for $n ≤ 12$ components with chains of their own of up to 4 links, $ℓ = L$"})
)

// memberScene is what is said of members that are made of chains. Unfinished is where one query
// less than needed could lead: where the last entry of the common chain, or of half of the chains,
// is small.
func memberScene(k chainKind) *formula.Scene {
	return &formula.Scene{Words: memberWords, Said: k.said, Sizes: append([]string{"T"}, ofClass...),
		Means: aboutMembers, Effort: k.effort,
		Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
			c := drawClass(src, k.n, k.T, k.perLink)
			p, x0 := k.build(c)
			x, m := drawPlace(src, p, x0), c.sizes()
			m.Is("T", float64(p.Length()))
			addGap(m, p, x0, x)
			addSteep(m, p, x, min(1, p.n-1))
			m["rms"] = func() (float64, float64) { return meanSteepness(p, x), 0 }
			m["rest"] = func() (float64, float64) {
				y, g := slices.Clone(x0), make([]float64, p.Dim())
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
				return floats.Norm(g, 2), 0
			}
			addSpent(m, src, &explorer{Reach: 10 * p.sigma, Length: p.Length()}, p, x0, c.Eps,
				4*p.sigma, p.blocks()*p.Length()+p.n, 3)
			return m
		})}
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

// relays are what is said of members that are relays.
var relays = &formula.Scene{Words: memberWords,
	Said:  "for $n ≤ 24$ components and up to 3 rounds",
	Sizes: append([]string{"ζ"}, ofClass...), Effort: 0.3,
	Means: with(aboutMembers, map[string]string{"z": "that $ζ$ which the relay uses",
		"R": "its number of rounds", "G": "what a round takes of $Δ$", "a": "tilt", "W": "width",
		"H": "curvature on the right", "λ": "curvature on the left", "A": "height of a link",
		"u": "length on which the curvature changes", "y": "distance at which components settle"}),
	Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
		c, zeta, p, x0 := drawRelay(src, [2]int{1, 24}, [2]int{1, 3})
		x := slices.Clone(x0)
		for k := range min(2, p.T) {
			drawRound(src, p, x, k)
		}
		x[len(x)-1] = c.Eps / c.L * src.Real("last entry", -3, 3)
		m := c.sizes()
		for symbol, v := range map[string]float64{"ζ": zeta, "z": p.zeta, "R": float64(p.T),
			"G": p.roundGap(), "a": p.a, "W": p.w, "H": p.stiff, "λ": p.soft, "A": p.amp,
			"u": p.bend, "y": p.settled} {
			m.Is(symbol, v)
		}
		addGap(m, p, x0, x)
		addSteep(m, p, x, p.n-1)
		m["rest"] = func() (float64, float64) {
			g := make([]float64, p.Dim())
			p.FullGradient(g, drawUnfinished(src, p, x0))
			return floats.Norm(g, 2), 0
		}
		addSpent(m, src, &runner{p: p}, p, x0, c.Eps, 2*p.w, int(p.needed(float64(p.T)))+p.n, 1)
		return m
	})}

// drawUnfinished draws a point at which a round is not finished.
func drawUnfinished(src *props.Source, p *Relay, x0 []float64) []float64 {
	x, at := slices.Clone(x0), src.Int("round", 0, p.T-1)
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
	if t, y := p.round(x, at); *t >= p.w && p.passed(y) >= 0.75 {
		*t -= 3 * p.w
	}
	return x
}

// with is what is measured, and more of it.
func with(means, more map[string]string) map[string]string {
	all := maps.Clone(means)
	maps.Copy(all, more)
	return all
}
