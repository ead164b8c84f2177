package federated

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds"
	"sledge/props"
)

// The literal constants of lemma:Dist-First-VarianceBound (lines 2242-2254).
const (
	clientFactor, clientPower   = 120, 8 // of C_1⁸ζ²K/p
	dataFactor, dataPower       = 32, 10 // of C_1¹⁰ζ²/(pb); the constant must be L², not ζ²
	driftFactor                 = 4      // of ζ²K
	localFactor, localPower     = 4, 2   // of C_1²L²/b
	floorFactor                 = 8      // of (C_1²/(PKb))(σ² + G²/(PKb))
	initialFactor, initialPower = 96, 2  // of C_1²(σ²/(pKb) + G²/(pKb)² + σ_c²/p + G_c²/p²)
)

// Variance is the bound of lemma:Dist-First-VarianceBound (lines 2239-2257) on ‖v^{t,k} − ∇f(x^{t,k})‖².
type Variance struct {
	C1, Zeta, L float64
	// Data is the Hessian distance with which the minibatches of the sampled clients enter: ζ as printed, L where the lemma is true.
	Data      float64
	P, Chosen int // clients, and clients in a round
	K, B      int
	Sigma, G  float64
	SigmaC    float64 // Option I only, as G_c
	GC        float64
}

// Window is T_3 = (P/p)C_1, rounded up to whole rounds.
func (v Variance) Window() int { return bounds.T1(v.P, v.Chosen, v.C1) }

// Start is the first round whose movement counts at round t: max{1, t − T_3}.
func (v Variance) Start(t int) int { return max(1, t-v.Window()) }

// Bound returns the bound in round t, before being Σ_{s=max{1,t−T_3}}^{t−1} Σ_{l≤K} ‖x^{s,l} − x^{s,l−1}‖² and within Σ_{l≤k} ‖x^{t,l} − x^{t,l−1}‖².
func (v Variance) Bound(t int, before, within float64, option algos.Option) float64 {
	p, K, b := float64(v.Chosen), float64(v.K), float64(v.B)
	bound := (clientFactor*math.Pow(v.C1, clientPower)*sq(v.Zeta)*K/p + dataFactor*math.Pow(v.C1, dataPower)*sq(v.Data)/(p*b)) * before
	bound += (driftFactor*sq(v.Zeta)*K + localFactor*math.Pow(v.C1, localPower)*sq(v.L)/b) * within
	bound += floorFactor * NoiseFloor(v.C1, v.Sigma, v.G, v.P*v.K*v.B)
	if option == algos.OptionI && t <= v.Window() {
		pKb := p * K * b
		bound += initialFactor * math.Pow(v.C1, initialPower) * (sq(v.Sigma)/pKb + sq(v.G/pKb) + sq(v.SigmaC)/p + sq(v.GC/p))
	}
	return bound
}

// variance returns the lemma's bound for the instance.
func (in *instance) variance(c1 float64, data constantOf) Variance {
	return Variance{C1: c1, Zeta: in.Zeta.Value, L: in.L.Value, Data: data(in), P: in.P, Chosen: in.p, K: in.K, B: in.b,
		Sigma: in.Sigma.Value, G: in.G.Value, SigmaC: in.SigmaC.Value, GC: in.GC.Value}
}

// checkVariance compares the squared error with the lemma's bound at all local steps of a run.
func (p *path) checkVariance(v Variance, rec *props.Recorder) {
	rec.Plot("squared error of the estimator against the bound", "t", "‖v^{t,0} − ∇f(x^{t,0})‖²")
	worst, ratio := 0, -1.0
	window := newWindow(v.Window())
	for t := 1; t <= p.T; t++ {
		before := window.sum
		for k := range p.K {
			e, bound := p.squared(p.err[t][k]), v.Bound(t, before, p.within(t, k), p.option)
			rec.AtMost("‖v^{t,k} − ∇f(x^{t,k})‖² at all t, k", e, bound)
			if k == 0 {
				rec.Point(float64(t), e, bound)
				if bound > 0 && e/bound > ratio {
					worst, ratio = t, e/bound
				}
			}
		}
		window.add(p.within(t, p.K))
	}
	if worst > 1 && p.T <= longestWaterfall {
		p.waterfall(v, worst-1, rec)
	}
}

// slidingWindow keeps the sum of the last length numbers.
type slidingWindow struct {
	last   []float64
	length int
	sum    float64
}

func newWindow(length int) *slidingWindow { return &slidingWindow{length: length} }

func (w *slidingWindow) add(x float64) {
	w.last = append(w.last, x)
	if len(w.last) > w.length {
		w.last = w.last[1:]
	}
	w.sum = floats.Sum(w.last)
}

// longestWaterfall is the number of rounds up to which the parts of the error are worth their cost.
const longestWaterfall = 60

// waterfall records the chain of upper bounds of the proof for the table of round t: what each step of the proof loses on this path.
func (p *path) waterfall(v Variance, t int, rec *props.Recorder) {
	from, count := bounds.WindowStart(t, v.Window()), p.unsampled(t)
	vec := make([]float64, p.d)
	p.termA(vec, from, t)
	a := normSq(vec)
	p.termB(vec, from, t, func(s int) float64 { return float64(count[s]) })
	b := normSq(vec)
	least := 0
	d := 0.0
	if p.option == algos.OptionI {
		least = 1
		p.termD(vec, t)
		d = normSq(vec)
	}
	p.termC(vec, least, t)
	c := normSq(vec)
	c1, moved, inner := v.C1, p.rounds(from, t), p.window(from, t)
	floor := NoiseFloor(c1, v.Sigma, v.G, p.P*p.K*p.b)
	initial := v.Bound(t, 0, 0, p.option)/2 - floorFactor/2*floor
	data := 16 * math.Pow(c1, dataPower) * sq(v.Data) / float64(p.p*p.K*p.b)
	clients := 60 * math.Pow(c1, clientPower) * sq(v.Zeta) / float64(p.p)
	rec.Link("‖(1/P)Σy_i^t − ∇f(x^t)‖²", p.squared(p.table[t]))
	rec.Link("4(a) + 4(b) + 4(c) + 4(d)", 4*(a+b+c+d))
	rec.Link("(c), (d): Bernstein, C_1²", 4*(a+b)+4*floor+initial)
	rec.Link("(a): lemma:First-VarianceBound, 15C_1⁸", clients*moved+4*b+4*floor+initial)
	rec.Link("(b): lemma D, 4C_1¹⁰", (clients+data)*moved+4*floor+initial)
	rec.Link("‖x^s − x^{s−1}‖² ≤ KΣ_l‖x^{s,l} − x^{s,l−1}‖²", (clients+data)*float64(p.K)*inner+4*floor+initial)
	rec.Link("doubled, for v^{t+1,0}", 2*((clients+data)*float64(p.K)*inner+4*floor+initial))
}

// drawSparse draws an instance with P ≫ p, up to P/p = most, whose clients agree, or nearly so, in most draws, while their data have ripples of
// opposite signs and nothing else: where minibatches are all that keeps the table from being exact. The noise moves the iterate by about the
// width of a ripple.
func drawSparse(src *props.Source, most int) *instance {
	in := &instance{p: src.Int("p", 1, 2), K: src.Int("K", 1, 2), b: src.Int("b", 1, 2), d: src.Int("d", 1, 2)}
	ratio := src.LogInt("P/p", 10, most)
	in.P = in.p * ratio
	sizes := slices.Repeat([]int{in.K*in.b + src.Int("data of a client beyond Kb", 1, 4)}, in.P)
	m := problems.QuadraticMean{Spectrum: slices.Repeat([]float64{1}, in.d), Ripple: src.LogReal("ripple width", 0.1, 10),
		Within: problems.Heterogeneity{Pattern: problems.TwoCluster, Amplitude: src.Real("ripple amplitude / L", 0.2, 1.5)}}
	if src.Pick("clients", "agree", "do not") > 0 {
		m.Between = problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: 2 * src.LogReal("between Hessian distance / 2L", 1e-12, 1)}
	}
	p := props.Must(problems.MakeFederatedQuadratic(sizes, m, src.Rand("directions")))
	in.problem = p
	in.x0 = problems.DrawPoint(src, "x0", in.d, 10)
	in.Constants = p.Constants(in.x0)
	in.T = ratio * src.Int("T p/P", 1, 2)
	in.eta = src.LogReal("eta L", 1e-2, 1) / in.L.Value
	in.r = m.Ripple * src.LogReal("r / ripple width", 0.3, 10)
	return in
}

// tailOfVariance checks the lemma on every run of instances from the given source.
func tailOfVariance(from func(*props.Source) *instance, data constantOf) *props.Randomised[props.TailTrial] {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := from(src)
		nu := drawNu(src, "nu", 8)
		v := in.variance(in.literalC1(nu), data)
		return props.TailTrial{Delta: 8 * nu, Regime: in.regime(8 * nu), Run: func(t props.Trial, rec *props.Recorder) {
			in.trial(t).checkVariance(v, rec)
		}}
	}).Effort(runEffort)
}

func sparse(most int) func(*props.Source) *instance {
	return func(src *props.Source) *instance { return drawSparse(src, most) }
}

func drawNoisy(o algos.Option) func(*props.Source) *instance {
	return func(src *props.Source) *instance {
		return drawRun(src, noisy.with(o))
	}
}

// growth measures, over a range of P/p, the squared error of the table in runs with ζ = 0, averaged over their second half, against what is
// left of the printed bound for k = 0, its floor with C_1 = 1.
func growth(*props.Source) props.SlopeTrial {
	x := []float64{16, 32, 64, 128, 256, 512}
	return props.SlopeTrial{XLabel: "P/p", YLabel: "mean ‖v^{t,0} − ∇f‖² / floor", X: x, Of: props.OfMedian,
		Regime: props.Where(props.Sweep("P/p", x)),
		Run: func(t props.Trial, ratio float64) float64 {
			in := &instance{P: int(ratio), p: 1, d: 4, K: 1, b: 1, T: 4 * int(ratio), eta: 0.01, r: 3, x0: make([]float64, 4)}
			p, err := problems.MakeFederatedQuadratic(slices.Repeat([]int{2}, in.P), problems.QuadraticMean{Spectrum: []float64{1, 1, 1, 1}, Ripple: 1,
				Within: problems.Heterogeneity{Pattern: problems.TwoCluster, Amplitude: 1}}, t.Key.With("problem").Rand())
			if err != nil {
				panic(err) // the numbers above are valid
			}
			in.problem, in.Constants = p, p.Constants(in.x0)
			m, monitor, sum := in.method(), algos.NewMonitor(p), 0.0
			if err := m.Start(algos.NewOracle(p), in.x0, algos.Keyed(t.Key.At(in.P))); err != nil {
				panic(err) // so are these
			}
			for round := range in.T {
				m.Step()
				if 2*round >= in.T {
					sum += monitor.ErrorSquared(m.Estimator(), m.Point()) / float64(in.T/2)
				}
			}
			return sum / in.variance(1, zetaOf).Bound(1, 0, 0, algos.OptionII)
		}}
}

// checkCombination multiplies the bounds of the parts out as lines 2471-2516 do; startTwo says whether (d) is a part of its own for Option II.
func checkCombination(data func(zeta, L *big.Rat) *big.Rat, startTwo bool) props.Check {
	return props.Implication(func(src *props.Source, rec *props.Recorder) {
		q := func(v float64) *big.Rat { return new(big.Rat).SetFloat64(v) }
		n := func(v int) *big.Rat { return big.NewRat(int64(v), 1) }
		mul := func(x ...*big.Rat) *big.Rat {
			p := n(1)
			for _, v := range x {
				p.Mul(p, v)
			}
			return p
		}
		add := func(x ...*big.Rat) *big.Rat {
			s := new(big.Rat)
			for _, v := range x {
				s.Add(s, v)
			}
			return s
		}
		over := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Quo(a, b) }
		P := src.LogInt("P", bounds.Several, 1e4)
		p, K, b := n(src.LogInt("p", 1, P)), n(src.LogInt("K", 1, 1e3)), n(src.LogInt("b", 1, 1e3))
		c1, L := q(src.LogReal("C_1", 1, 100)), q(src.LogReal("L", 1e-3, 1e3))
		zeta := mul(L, q(src.LogReal("zeta / L", 1e-9, 2)))
		sigma, g := power(q(src.LogReal("sigma", 1e-3, 1e3)), 2), power(q(src.LogReal("G", 1e-3, 1e3)), 2)
		sigmaC, gC := power(q(src.LogReal("sigma_c", 1e-3, 1e3)), 2), power(q(src.LogReal("G_c", 1e-3, 1e3)), 2)
		inner := q(src.LogReal("Σ_sΣ_l‖x^{s,l} − x^{s,l−1}‖²", 1e-3, 1e3))
		moved := mul(K, inner, q(src.Real("Σ_s‖x^s − x^{s−1}‖² / K times that", 0, 1)))
		within := q(src.LogReal("Σ_{l≤k}‖x^{t,l} − x^{t,l−1}‖²", 1e-3, 1e3))
		pKb, PKb := mul(p, K, b), mul(n(P), K, b)
		floor := func(count *big.Rat) *big.Rat {
			return over(mul(power(c1, 2), add(sigma, over(g, count))), count)
		}
		start := add(over(sigma, pKb), over(g, mul(pKb, pKb)), over(sigmaC, p), over(gC, mul(p, p)))
		d2 := power(data(zeta, L), 2)

		a := over(mul(n(15), power(c1, 8), zeta, zeta, moved), p)
		aOne := add(a, over(mul(n(12), power(c1, 2), add(sigmaC, over(gC, p))), p))
		bPart := over(mul(n(auxiliaryDFactor), power(c1, auxiliaryDPower), d2, moved), pKb)
		cPart, dOne, dTwo := floor(PKb), floor(pKb), new(big.Rat)
		if startTwo {
			dTwo = floor(PKb)
		}
		f := mul(add(mul(n(2), zeta, zeta, K), over(mul(n(2), power(c1, 2), L, L), b)), within)

		table := add(over(mul(n(60), power(c1, 8), zeta, zeta, K, inner), p), over(mul(n(16), power(c1, 10), d2, inner), mul(p, b)), mul(n(4), floor(PKb)))
		lemma := add(over(mul(n(clientFactor), power(c1, clientPower), zeta, zeta, K, inner), p),
			over(mul(n(dataFactor), power(c1, dataPower), d2, inner), mul(p, b)),
			mul(add(mul(n(driftFactor), zeta, zeta, K), over(mul(n(localFactor), power(c1, localPower), L, L), b)), within), mul(n(floorFactor), floor(PKb)))
		initial := mul(power(c1, initialPower), start)
		four, two := n(4), n(2)
		one := mul(four, add(aOne, bPart, cPart, dOne))
		rec.Rats("4‖(a)‖² + … + 4‖(d)‖² against 60, 16, 4, 48, Option I", one, props.LE, add(table, mul(n(48), initial)))
		twoSum := mul(four, add(a, bPart, cPart, dTwo))
		rec.Rats("4‖(a)‖² + … + 4‖(d)‖² against 60, 16, 4, Option II", twoSum, props.LE, table)
		rec.Rats("doubled, with lemma F, against 120, 32, 4, 4, 8, 96, Option I", mul(two, add(one, f)), props.LE, add(lemma, mul(n(initialFactor), initial)))
		rec.Rats("doubled, with lemma F, against 120, 32, 4, 4, 8, Option II", mul(two, add(twoSum, f)), props.LE, lemma)
		rec.Rats("failures in units of ν: coverage, three of (a), lemmas D, E, C and F, against 8", n(1+3+1+1+1+1), props.LE, n(8))
	})
}

func varianceClaims() []props.Binding {
	printed := func(zeta, _ *big.Rat) *big.Rat { return zeta }
	return []props.Binding{
		props.Bind("dist-variance-lemma", props.All(tailOfVariance(sparse(400), zetaOf).Effort(1), props.Slope(growth))),
		props.Bind("dist-variance-lemma/corrected", props.All(tailOfVariance(sparse(60), lipschitzOf), tailOfVariance(drawNoisy(algos.OptionII), lipschitzOf),
			tailOfVariance(drawNoisy(algos.OptionI), lipschitzOf))),
		props.Bind("dist-variance-combination", checkCombination(printed, true)),
		props.Bind("dist-variance-combination/corrected", checkCombination(func(_, L *big.Rat) *big.Rat { return L }, false)),
	}
}
