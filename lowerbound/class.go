package lowerbound

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
	"sledge/props/formula"
)

// words is the vocabulary of the numbers of gradients; ℓ is the gradient Lipschitz constant of a
// chain.
var words = bounds.Symbols("lower")

// Numbers of gradients; 12 and 152 are chainGap and chainSmooth, 9.3 is rungGap.
const (
	tilts        = "⌈n max{0, 1 − ε²/(2LΔ)}⌉"
	common       = "⌊LΔ/(12·152ε²)⌋"
	rungs        = "⌊LΔ/(9.3ε²)⌋"
	spreadLength = "⌊ℓΔ/(24·152nε²)⌋"
	spread       = "⌈n/2⌉" + spreadLength
	sufficient   = "n(⌈2LΔ/ε²⌉ − 1)"
)

var (
	tiltsOf        = formula.Must(words, tilts).Of("n", "L", "Δ", "ε")
	commonOf       = formula.Must(words, common).Of("n", "L", "Δ", "ε")
	rungsOf        = formula.Must(words, rungs).Of("n", "L", "Δ", "ε")
	spreadLengthOf = formula.Must(words, spreadLength).Of("n", "ℓ", "Δ", "ε")
	spreadOf       = formula.Must(words, spread).Of("n", "ℓ", "Δ", "ε")
)

// Class is a class of finite sums with an accuracy: n components on R^d with d free, each
// L-gradient Lipschitz, f(x⁰) − inf f = Δ, and the task to find a point with ‖∇f(x)‖ ≤ ε (lines
// 3434-3453).
//
// Its methods give numbers of gradients that every linear-span method needs on some member, with
// the literal constants of the constructions, and the members that need them. They are real numbers
// without fraction: they may exceed the range of int.
type Class struct {
	N   int     // components, at least 1
	L   float64 // gradient Lipschitz constant, > 0
	Gap float64 // Δ > 0
	Eps float64 // ε > 0
	// distance of x⁰ from the origin, in a direction that has no influence on the hard instances
	Offset float64
}

// Tilts returns how many different components a linear-span method must have seen before any point
// of its span is ε-stationary for [Class.Tilted]: ⌈n(1 − ε²/(2LΔ))⌉, which is 0 for ε ≥ √(2LΔ),
// where x⁰ itself is ε-stationary for all members of the class. The components of this member have
// one and the same Hessian.
func (c Class) Tilts() float64 { return tiltsOf.At(float64(c.N), c.L, c.Gap, c.Eps) }

// Tilted returns the finite sum of f_i(x) = a⟨e_i, x⟩ + (L/2)‖x − x⁰‖² with a = √(2nLΔ), and x⁰. Z.
// Li, H. Bao, X. Zhang and P. Richtárik, PAGE, ICML 2021, use it for the term n of their lower
// bound. At the best point of the span of m components ‖∇f‖² = 2LΔ(1 − m/n).
func (c Class) Tilted() (f problems.FiniteSum, x0 []float64) {
	d := c.N + 1
	x0 = make([]float64, d)
	x0[0] = c.Offset
	a := make([]float64, d*d)
	for k := range d {
		a[k*d+k] = c.L
	}
	terms := make([]problems.QuadraticTerm, c.N)
	for i := range terms {
		b := make([]float64, d)
		b[0] = -c.L * c.Offset
		b[i+1] = c.tilt()
		terms[i] = problems.QuadraticTerm{A: a, B: b, C: c.L / 2 * c.Offset * c.Offset}
	}
	p, err := problems.NewQuadratic(d, problems.EachAlone(terms)...)
	if err != nil {
		panic(err) // the matrix is symmetric and all numbers are finite
	}
	return p.ByClient(), x0
}

func (c Class) tilt() float64 { return math.Sqrt(2 * float64(c.N) * c.L * c.Gap) }

// Common returns how many gradients a linear-span method needs for [Class.CommonChain]: its length
// T = ⌊LΔ/(12·152ε²)⌋ (proposition:Carmon, lines 3455-3461).
func (c Class) Common() float64 { return commonOf.At(float64(c.N), c.L, c.Gap, c.Eps) }

// CommonChain returns the finite sum whose components all equal the chain of length Common, scaled
// so that its gradient is longer than ε as long as the chain is unfinished (line 3480), and x⁰. It
// panics if Common is less than 1.
func (c Class) CommonChain() (p *Chains, x0 []float64) {
	return c.chains(false, chain(c.Common()), c.L, chainSmooth*c.Eps/c.L)
}

// Rungs returns how many gradients a linear-span method needs for [Class.CommonLadder]: its length
// T = ⌊LΔ/(9.3ε²)⌋.
func (c Class) Rungs() float64 { return rungsOf.At(float64(c.N), c.L, c.Gap, c.Eps) }

// CommonLadder returns the finite sum whose components all equal the [ladder] of length Rungs,
// scaled so that its gradient is longer than ε as long as the ladder is unfinished, and x⁰. It
// panics if Rungs is less than 1.
func (c Class) CommonLadder() (p *Chains, x0 []float64) {
	return c.chains(false, ladder(c.Rungs()), c.L,
		math.Sqrt(rungGap*ladderSmooth/ladderGap)*c.Eps/c.L)
}

// Spread returns how many gradients a linear-span method needs for [Class.SpreadChains] with
// ℓ-gradient Lipschitz components: ⌈n/2⌉·T with T = ⌊ℓΔ/(24·152nε²)⌋. With ℓ = √nL it grows like
// √nLΔ/ε², with ℓ = L like LΔ/ε².
func (c Class) Spread(l float64) float64 { return spreadOf.At(float64(c.N), l, c.Gap, c.Eps) }

// MeanSquare returns ℓ = √nL, with which [Class.SpreadChains] is L-gradient Lipschitz in mean
// square, (1/n)Σ‖∇f_i(x) − ∇f_i(y)‖² ≤ L²‖x − y‖², while its components are ℓ-gradient Lipschitz
// and no better.
func (c Class) MeanSquare() float64 { return math.Sqrt(float64(c.N)) * c.L }

// SpreadChains returns the finite sum in which every component is an ℓ-gradient Lipschitz chain on
// a block of coordinates of its own, scaled so that ‖∇f‖ > ε as long as at least half of the chains
// are unfinished, and x⁰. C. Fang, C. J. Li, Z. Lin and T. Zhang, SPIDER, NeurIPS 2018, use it with
// ℓ = √nL for their lower bound. It panics if the chains would be shorter than 1.
func (c Class) SpreadChains(l float64) (p *Chains, x0 []float64) {
	return c.chains(true, chain(spreadLengthOf.At(float64(c.N), l, c.Gap, c.Eps)), l,
		math.Sqrt(2*float64(c.N))*chainSmooth*c.Eps/l)
}

func (c Class) chains(own bool, T links, l, sigma float64) (*Chains, []float64) {
	if length := T.length(); length < 1 || length >= 1<<20 {
		panic("lowerbound: no chain of such a length: ε is too large or too small for Δ and L")
	}
	p := &Chains{n: c.N, T: T, own: own, l: l, sigma: sigma}
	p.pad = pad{height: max(0, c.Gap-p.height()*p.T.Gap()), bend: min(l, c.L) / 2}
	return p, p.start(c.Offset)
}

// tilted are the tilted quadratics: at the best point of the span of m components that were seen,
// and at others.
var tilted = &formula.Scene{Words: memberWords, Said: "for $n ≤ 12$",
	Sizes: append([]string{"m"}, ofClass...),
	Means: with(aboutMembers, map[string]string{
		"best":  "$‖∇f‖$ at the best point of the span of $m$ components",
		"other": "$‖∇f‖$ at another point of it",
	}),
	Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
		c := Class{N: src.Int("n", 1, 12), L: src.LogReal("L", 0.1, 10),
			Gap: src.LogReal("Δ", 0.01, 100), Offset: src.Real("‖x⁰‖", 0, 5)}
		c.Eps = math.Sqrt(c.L*c.Gap) * src.Real("ε/√(LΔ)", 0.01, 1)
		p, x0 := c.Tilted()
		k, m, seen := p.Constants(x0), c.sizes(), src.Int("m", 0, c.N)
		m.Is("m", float64(seen))
		m["gap"] = func() (float64, float64) { return k.Delta.Value, p.Value(x0) }
		m.Is("‖H‖", k.L.Value)
		m["‖H−H'‖"] = func() (float64, float64) { return k.Zeta.Value, c.L }
		x := slices.Clone(x0)
		for i := range seen { // the best point: each f_i is a quadratic around x⁰
			x[i+1] = -c.tilt() / (float64(c.N) * c.L)
		}
		steep := func(x []float64) (float64, float64) {
			g := make([]float64, p.Dim())
			p.FullGradient(g, x)
			return floats.Norm(g, 2), c.L*floats.Norm(x, 2) + math.Sqrt(c.L*c.Gap)
		}
		m["best"] = func() (float64, float64) { return steep(x) }
		m["other"] = func() (float64, float64) {
			best, _ := m.Of("best")
			y, r := slices.Clone(x), src.Rand("another point")
			for i := range seen {
				y[i+1] += best / c.L * r.NormFloat64()
			}
			y[0] += c.Offset * r.NormFloat64()
			return steep(y)
		}
		return m
	})}

// minibatches are methods with minibatches of b, whose gradients are queries one after the other.
var minibatches = &formula.Scene{Words: memberWords,
	Said:  "for SLEDGE, SARAH and SGD on common chains of 4 to 12 links, $n ≤ 8$",
	Sizes: ofClass, Effort: 0.25, Means: aboutQueries,
	Draw: func(src *props.Source, _ *props.Recorder, try func(name string, on formula.Values)) {
		c := drawClass(src, [2]int{1, 8}, [2]int{4, 12}, commonLink)
		p, x0 := c.CommonChain()
		s := algos.Setting{Tuning: algos.Tuning{Eta: src.LogReal("ηL", 0.1, 300) / c.L,
			Batch: src.Int("b", 1, c.N)}}
		for _, name := range []string{"SLEDGE-I", "SLEDGE-II", "SARAH", "SGD"} {
			known, _ := algos.ByName(name)
			m, w := known.New(s), watch(p, x0)
			o := started(m, w.Problem(), x0, randomness(src))
			for range 2 * p.Length() {
				m.Step()
			}
			of := c.sizes()
			addWatched(of, w, o)
			try(name, of)
		}
	}}

// aboutQueries is what is measured on the queries of a method.
var aboutQueries = map[string]string{
	"gradients": "those that the method says that it asks for",
	"queries":   "single gradients that it asks for",
	"off": "the largest distance of a query from the span of $x⁰$ and the gradients before, over " +
		"the largest norm of a query",
}

func addWatched(m formula.Values, w *span, o *algos.Oracle) {
	m.Is("gradients", float64(o.Counts().Gradients))
	m.Is("queries", float64(w.Queries()))
	m["off"] = func() (float64, float64) { return w.Distance(), 1 }
}
