package lowerbound

import (
	"fmt"
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
	"sledge/props/keyed"
)

// spanTolerance is the relative distance from the span up to which a query counts as lying in it.
// Rounding keeps runs of some thousand queries several orders of magnitude below it.
const spanTolerance = 1e-8

// newDirection is the part of a vector, relative to its norm, that must lie outside a subspace for
// the vector to enlarge it. What is dropped moves later queries by at most as much in proportion.
const newDirection = 1e-10

// basis is an orthonormal basis of a growing subspace.
type basis struct {
	rows [][]float64
	work []float64
}

// residual sets work to v minus its projection and returns its norm. Projecting twice keeps it
// accurate when little is left.
func (b *basis) residual(v []float64) float64 {
	b.work = append(b.work[:0], v...)
	for range 2 {
		for _, q := range b.rows {
			floats.AddScaled(b.work, -floats.Dot(q, b.work), q)
		}
	}
	return floats.Norm(b.work, 2)
}

// add enlarges the subspace by v and returns the new direction, nil if there is none.
func (b *basis) add(v []float64) []float64 {
	left := b.residual(v)
	if !(left > newDirection*floats.Norm(v, 2)) {
		return nil
	}
	q := append([]float64(nil), b.work...)
	for l := range q { // 1/left overflows for the smallest vectors
		q[l] /= left
	}
	b.rows = append(b.rows, q)
	return q
}

// Span watches whether a method stays in the class of linear-span algorithms, for which the lower
// bounds hold: whether each point at which it asks for a gradient lies in the span of x⁰ and the
// gradients that it has been given so far (definition on lines 3423-3431, with the index of the
// last gradient corrected; see lower-bound-span-definition). Points of a minibatch are queries one
// after the other.
//
//	s := lowerbound.Watch(p, x0)
//	err := m.Start(algos.NewOracle(algos.Sum(s.Problem())), x0, r)
//	for range steps { m.Step() }
//	fmt.Println(s.Err(), s.Distance())
//
// A problem whose gradients span R^d after a few queries proves nothing: compare Rank with the
// dimension. The problems made by [Class] keep two directions to themselves. A query costs
// O(d·Rank) beside its gradient. A Span must not be shared by goroutines.
type span struct {
	p        algos.FiniteSum
	basis    basis
	support  []bool // entries in which x⁰ or a gradient is not zero
	queries  int
	farthest float64
	first    int // query that left the span, -1 if none did
	stray    bool
	norm     float64 // of the largest query so far
}

// watch returns a Span for a run on p from x0, which it does not change.
func watch(p algos.FiniteSum, x0 []float64) *span {
	s := &span{p: p, support: make([]bool, p.Dim()), first: -1}
	s.learn(x0)
	return s
}

// learn enlarges span and support.
func (s *span) learn(v []float64) {
	s.basis.add(v)
	for l, x := range v {
		s.support[l] = s.support[l] || x != 0
	}
}

// Problem returns the problem to hand to the method. It can evaluate f if the watched problem can.
func (s *span) Problem() algos.FiniteSum {
	if v, ok := s.p.(algos.Valuer); ok {
		return struct {
			watched
			algos.Valuer
		}{watched{s}, v}
	}
	return watched{s}
}

// watched is the finite sum as the method sees it: component gradients only, so that none escapes
// the watch.
type watched struct{ s *span }

func (w watched) Components() int { return w.s.p.Components() }
func (w watched) Dim() int        { return w.s.p.Dim() }
func (w watched) Gradient(dst, x []float64, i int) {
	w.s.look(x)
	w.s.p.Gradient(dst, x, i)
	w.s.learn(dst)
}

// look examines the point of a query.
func (s *span) look(x []float64) {
	far := math.Inf(1) // of a point that is not finite
	if norm := floats.Norm(x, 2); norm <= math.MaxFloat64 {
		if s.norm, far = max(s.norm, norm), 0; s.norm > 0 {
			far = s.basis.residual(x) / s.norm
		}
	}
	s.farthest = max(s.farthest, far)
	if s.first < 0 && far > spanTolerance {
		s.first = s.queries
	}
	for l, v := range x {
		s.stray = s.stray || v != 0 && !s.support[l]
	}
	s.queries++
}

// Queries returns how many gradients have been asked for.
func (s *span) Queries() int { return s.queries }

// Rank returns the dimension of the span of x⁰ and the gradients.
func (s *span) Rank() int { return len(s.basis.rows) }

// Distance returns the largest distance of a query from the span, relative to the largest norm
// among the queries up to it.
func (s *span) Distance() float64 { return s.farthest }

// ZeroRespecting reports whether no query had an entry other than zero where x⁰ and all gradients
// before it were zero. Unlike Distance it is exact. In the coordinates of [Chains] it is all that
// the lower bounds need.
func (s *span) ZeroRespecting() bool { return !s.stray }

// Err returns nil if every query was within [spanTolerance] of the span, and otherwise says which
// was not.
func (s *span) Err() error {
	if s.first < 0 {
		return nil
	}
	return fmt.Errorf(
		"lowerbound: query %d of %d lies outside the span of x0 and the gradients before it; "+
			"the largest relative distance is %.3g",
		s.first+1, s.queries, s.farthest)
}

// CheckSpan runs the method for the given number of steps and reports whether it left the linear
// span; see span. Other errors are those of the method's Start.
func CheckSpan(m algos.Method, p algos.FiniteSum, x0 []float64, r algos.Randomness,
	steps int) error {
	s := watch(p, x0)
	if err := m.Start(algos.NewOracle(algos.Sum(s.Problem())), x0, r); err != nil {
		return err
	}
	for range steps {
		m.Step()
	}
	return s.Err()
}

// implicit solves x = −λ∇f̄_T(x) by Newton's method from a point far out along the chain. ok
// reports whether it converged.
func (T chain) implicit(lambda float64) (x []float64, ok bool) {
	d := int(T)
	x = make([]float64, d)
	for j := range x {
		x[j] = 0.5 + math.Pow(6*lambda, 0.25)
	}
	x[d-1] = math.Sqrt(2 * math.Log(1+lambda))
	value := func(dst, x []float64) float64 {
		copy(dst, x)
		addGradient(T, dst, x, lambda, 1)
		return floats.Norm(dst, 2)
	}
	f, u, next := make([]float64, d), make([]float64, d), make([]float64, d)
	size := value(f, x)
	for range 60 {
		if size <= 1e-13*floats.Norm(x, 2) {
			return x, true
		}
		jac := mat.NewDense(d, d, nil)
		for k := range d {
			u[k] = 1
			col := make([]float64, d)
			col[k] = 1
			addHessian(T, col, x, u, lambda, 1)
			u[k] = 0
			jac.SetCol(k, col)
		}
		var step mat.VecDense
		if err := step.SolveVec(jac, mat.NewVecDense(d, f)); err != nil {
			return x, false
		}
		for damp := 1.0; ; damp /= 2 {
			floats.AddScaledTo(next, x, -damp, step.RawVector().Data)
			if s := value(f, next); s < size {
				size = s
				copy(x, next)
				break
			}
			if damp < 1e-6 {
				value(f, x)
				return x, size <= 1e-11*floats.Norm(x, 2)
			}
		}
	}
	return x, false
}

// implicitSteps are an implicit and an explicit step on the common chain, held against the span as
// it is printed.
var implicitSteps = &formula.Scene{Words: memberWords,
	Said:  "for $n ≤ 4$ components with a common chain of up to 8 links and steps $λ ≥ 2Δ/ε²$",
	Sizes: ofClass,
	Means: map[string]string{
		"back":    "$‖x¹ + λ∇f_0(x¹) − x⁰‖$ after an implicit step",
		"rest":    "$‖∇f(x¹)‖$ after it",
		"reached": "entries that it reaches with the two gradients $∇f_0(x⁰)$ and $∇f_0(x¹)$",
		"off": "distance of $x²$ of gradient descent from the span of $x⁰$, $x¹$, $∇f(x⁰)$ and " +
			"$∇f(x²)$, over $‖x²‖$",
	},
	Draw: func(src *props.Source, rec *props.Recorder, try func(name string, on formula.Values)) {
		c := drawClass(src, [2]int{1, 4}, [2]int{1, 8}, commonLink)
		p, x0 := c.CommonChain()
		lambda := 2 * c.Gap / (c.Eps * c.Eps) * src.Real("λε²/(2Δ)", 1, 4)
		inner, ok := chain(p.Length()).implicit(lambda * p.height() / (p.sigma * p.sigma))
		if !ok {
			rec.Skip("Newton's method did not solve the implicit step")
			return
		}
		m, d := c.sizes(), p.Dim()
		x, g, back := slices.Clone(x0), make([]float64, d), make([]float64, d)
		floats.ScaleTo(p.part(x, 0), p.sigma, inner)
		p.Gradient(g, x, 0)
		floats.AddScaledTo(back, x, lambda, g)
		m["back"] = func() (float64, float64) {
			return floats.Distance(back, x0, 2), floats.Norm(x, 2)
		}
		m.Is("rest", floats.Norm(g, 2))
		reached, _ := nonzero(p.part(x, 0))
		m.Is("reached", float64(reached))

		// Two steps of gradient descent, long enough to move along the chain.
		eta := p.sigma / c.Eps * src.Real("ηε/σ", 0.5, 3)
		x1, x2, slope := slices.Clone(x0), make([]float64, d), make([]float64, d)
		p.Gradient(slope, x0, 0)
		floats.AddScaled(x1, -eta, slope)
		var printed basis
		for _, v := range [][]float64{x0, x1, slope} {
			printed.add(v)
		}
		p.Gradient(slope, x1, 0)
		floats.AddScaledTo(x2, x1, -eta, slope)
		p.Gradient(slope, x2, 0)
		printed.add(slope)
		m["off"] = func() (float64, float64) { return printed.residual(x2) / floats.Norm(x2, 2), 1 }
		try("", m)
	}}

// withinSpan are linear-span methods on chains of both kinds.
var withinSpan = &formula.Scene{Words: memberWords,
	Said: "for an explorer, which reaches a new entry with every query, and random combinations with " +
		"coefficients of very different sizes, $n ≤ 6$, chains of up to 12 links, common or of their " +
		"own, at every step",
	Means: map[string]string{"reached": "entries of a block that are not 0, with the one that raises " +
		"the gap",
		"asked": "queries of its component", "off": "distance of the queries from the span, over the " +
			"largest norm of them"},
	Draw: func(src *props.Source, _ *props.Recorder, try func(name string, on formula.Values)) {
		var p *Chains
		var x0 []float64
		if src.Bool("own chains") {
			c := drawClass(src, [2]int{1, 6}, [2]int{1, 6}, spreadLink(Class.MeanSquare))
			p, x0 = c.SpreadChains(c.MeanSquare())
		} else {
			c := drawClass(src, [2]int{1, 6}, [2]int{1, 12}, commonLink)
			p, x0 = c.CommonChain()
		}
		steps := src.Int("steps", 1, 2*p.blocks()*p.Length())
		for _, m := range []algos.Method{
			&explorer{Reach: 10 * p.sigma, Length: p.Length()},
			&wanderer{r: src.Rand("random combinations"), reach: 4 * p.sigma},
		} {
			w := watch(p, x0)
			o := started(m, w.Problem(), x0, nil) // asks for nothing
			o.CountEach()
			for range steps {
				m.Step()
				for k := range p.blocks() {
					asked := o.Count(k)
					if !p.own {
						asked = o.Counts().Gradients
					}
					reached, _ := nonzero(p.part(m.Point(), k))
					if m.Point()[p.Dim()-1] != 0 {
						reached++
					}
					on := formula.Given(map[string]float64{"reached": float64(reached),
						"asked": float64(asked)})
					on["off"] = func() (float64, float64) { return w.Distance(), 1 }
					try(m.Name(), on)
				}
			}
		}
	}}

// perturbable are SLEDGE and the methods that it is compared with for their perturbations.
// SPIDER-SFO⁺ would be one; its searches take ten thousand queries.
var perturbable = []string{"SLEDGE-I", "SLEDGE-II", "Noisy SGD", "PGD", "SSRGD", "Stabilized SVRG"}

// queries are those of methods of the catalogue with the given noise radius, in units of σ at most,
// of those that are named or else of all that do not perturb.
func queries(radius float64, named []string) *formula.Scene {
	return &formula.Scene{Words: memberWords, Sizes: ofClass, Effort: 0.2, Means: aboutQueries,
		Said: "for $2 ≤ n ≤ 6$ and chains of 3 to 6 links, common or of their own",
		Draw: func(src *props.Source, _ *props.Recorder, try func(name string, on formula.Values)) {
			r := src.Real("r/σ", 0, radius)
			c := drawClass(src, [2]int{2, 6}, [2]int{3, 6}, commonLink)
			var p *Chains
			var x0 []float64
			if src.Bool("own chains") {
				c.Gap *= 2 * float64(c.N)
				p, x0 = c.SpreadChains(c.L)
			} else {
				p, x0 = c.CommonChain()
			}
			s := algos.Setting{Tuning: algos.Tuning{Eta: src.LogReal("ηL", 0.1, 300) / c.L,
				Batch: src.Int("b", 1, c.N), Radius: r * p.sigma}, Period: src.Int("period", 1, 4),
				Eps: c.Eps}
			s.L, s.Rho, s.Delta = c.L, c.L/p.sigma, c.L // a short search for negative curvature
			key := randomness(src)
			for _, m := range algos.Catalogue() {
				if m.Federated || named == nil && perturbs(m.Name) ||
					named != nil && !slices.Contains(named, m.Name) {
					continue
				}
				w, run, of := watch(p, x0), m.New(s), c.sizes()
				o := started(run, w.Problem(), x0, key)
				for t := 0; t < 8 && w.Queries() < 60; t++ {
					run.Step()
				}
				addWatched(of, w, o)
				try(m.Name, of)
			}
		}}
}

// noisy is SLEDGE with perturbations.
var noisy = &formula.Scene{Words: memberWords, Effort: 0.5, Sizes: ofClass,
	Said: "for $n ≤ 4$ components with a common chain of 2 to 16 links",
	Means: map[string]string{
		"gradients": "those of SLEDGE until a query is at an $ε$-stationary point",
		"noise":     "the largest entry that the sum of its perturbations had until then",
	},
	Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
		c := drawClass(src, [2]int{1, 4}, [2]int{2, 16}, commonLink)
		p, x0 := c.CommonChain()
		m := &algos.SLEDGE{
			Eta:    src.LogReal("ηL", 0.1, 300) / c.L,
			Batch:  src.Int("b", 1, c.N),
			Option: algos.Option(src.Pick("option", "II", "I")),
			Radius: p.sigma * src.LogReal("r/σ", 1e-4, 1),
		}
		sum, most := make([]float64, p.Dim()), 0.0
		noise := &algos.Altered{Randomness: randomness(src),
			Floats: func(dst []float64, _ algos.Purpose) {
				floats.Add(sum, dst)
				most = max(most, floats.Norm(p.part(sum, 0), math.Inf(1)))
			}}
		n, _ := spent(m, p, x0, noise, c.Eps, p.Length())
		of := c.sizes()
		of.Is("gradients", float64(n))
		of.Is("noise", most)
		return of
	})}

// quadraticChain has the step x¹ = −λ∇f(x¹) with λ = 1 from x⁰ = 0 on f(x) = x_1² + x_2² + x_3² −
// x_1x_2 − x_2x_3 − x_1, whose gradients show one new entry at a time to whoever asks for them at
// points that are known: x¹ is in the span as printed, and all its entries are reached by two
// gradients.
var quadraticChain = &formula.Scene{Words: memberWords, Scope: certificate.Instances,
	Said: "an implicit step with λ = 1 on the quadratic chain in three variables",
	Means: map[string]string{"back": "$x¹ + λ∇f_0(x¹) − x⁰$, each entry",
		"reached": "entries that it reaches with the two gradients $∇f_0(x⁰)$ and $∇f_0(x¹)$"},
	Exact: func(_ *props.Source, try func(formula.Ratios)) {
		x := [5]*big.Rat{1: big.NewRat(8, 21), 2: big.NewRat(3, 21), 3: big.NewRat(1, 21)}
		x[0], x[4] = new(big.Rat), new(big.Rat)
		for l := 1; l <= 3; l++ {
			g := new(big.Rat).Mul(big.NewRat(3, 1), x[l])
			if g.Sub(g, x[l-1]).Sub(g, x[l+1]); l == 1 {
				g.Sub(g, big.NewRat(1, 1))
			}
			try(formula.Ratios{"back": g, "reached": big.NewRat(3, 1)}) // none of them is 0
		}
	}}

// onePerturbedStep is one of SLEDGE with r = σ. Along the chain the entries that it has left 0 and
// those of the gradients that it has asked for are known exactly, and without noise a step leaves as
// many.
var onePerturbedStep = &formula.Scene{Words: memberWords, Scope: certificate.Instances,
	Said: "a chain of n = 2 alike components and length 4 from x⁰ = 0, b = 1, one step with r = σ",
	Means: map[string]string{
		"stray": "entries of $x¹$ outside those of $x⁰$ and of all gradients, for either option"},
	Exact: func(_ *props.Source, try func(formula.Ratios)) {
		c := Class{N: 2, L: 1, Eps: 1}
		c.Gap = 4.5 * commonLink(c)
		p, x0 := c.CommonChain()
		for _, option := range []algos.Option{algos.OptionI, algos.OptionII} {
			w, stray := watch(p, x0), int64(0)
			m := &algos.SLEDGE{Eta: 1 / c.L, Batch: 1, Option: option, Radius: p.sigma}
			started(m, w.Problem(), x0, algos.Keyed(keyed.New(1)))
			m.Step()
			for l, x := range m.Point() {
				if x != 0 && !w.support[l] {
					stray++
				}
			}
			try(formula.Ratios{"stray": big.NewRat(stray, 1)})
		}
	}}
