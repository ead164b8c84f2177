package bounds

import (
	"math"
	"math/rand/v2"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
)

// instances are what statements about kicks and saddles are tried on, by name; see [formula.Scene].
var instances = map[string]*formula.Scene{
	"slabs": {Words: instanceWords, Draw: formula.Once(slabs), Sizes: []string{"ν", "T"},
		Said: "for $d ≤ 1000$ and slabs of $B(0, r)$ across a direction, of the thickness $rν/(T√d)$, " +
			"$ν/T ≥ 1e-6$",
		Means: map[string]string{"share": "the share of the slab"}},
	"one noise": {Words: instanceWords, Draw: formula.Once(oneNoise), Effort: 0.3,
		Sizes: []string{"d", "r", "r_e", "R", "η", "γ", "T_2"},
		Said: "for $d ≤ 1000$, $r_e√d/r ≥ 1e-19$, $R/r_e ≤ 1e12$ and a quadratic saddle of curvature " +
			"$−γ$, by the law of one noise alone",
		Means: map[string]string{"stays": "the largest probability that a run is within $R$ after " +
			"$T_2$ steps, whatever was before that noise and comes later"}},
	"Hessians of pairs": {Words: instanceWords, Draw: driftOfComponents, Effort: 0.5,
		Said: "for $n ≤ 8$, $d ≤ 3$, from wells with third derivatives, $s > τ$, $dH^s$ the mean of the " +
			"Hessian between two coupled runs less that at $x^{τ0}$",
		Sizes: []string{"ρ"}, Means: map[string]string{"‖dH'‖": "that of component $i$",
			"‖dH‖": "that of all", "R": "the larger of the distances of the two runs from $x^τ$"}},
	"saddles of chains": {Words: instanceWords, Draw: formula.Once(saddlesOfChains), Effort: 0.1,
		Said: "for chains of $m ≤ 8$ saddles, $8 ≤ d ≤ 1000$", Sizes: []string{"d"},
		Means: map[string]string{"‖∇f‖": "at one of the saddles",
			"all":  "the number of eigenvalues of $∇²f$ there from $−(1 + 1e-9)γ$ on",
			"low":  "that of those below $−(1 − 1e-9)γ$",
			"next": "that of those below $(1 − 1e-9)min{γ, λ}$"}},
	"methods on chains": {Words: instanceWords, Draw: formula.Once(methodsOnChains), Effort: 0.03,
		Said: "for SLEDGE-II, FLEDGE-II, SSRGD and PGD without noise, from the first of $m ≤ 5$ " +
			"saddles, $8 ≤ d ≤ 40$, for three times as many steps as leaving it takes with noise",
		Means: map[string]string{"still": "the share of the points that are where the run has begun, " +
			"to the last bit"}},
	"gradient descent on chains": {Words: instanceWords, Draw: formula.Once(slowDescent), Effort: 0.1,
		Said: "from a point at the same distance, 1e-4 to 1e-2, from the first of $m ≤ 4$ saddles in " +
			"every direction, $8 ≤ d ≤ 40$",
		Sizes: []string{"λ", "γ"}, Means: map[string]string{"first": "steps at the first saddle",
			"second": "steps at the second"}},
	"methods on passes": {Words: instanceWords, Draw: stuckAtSaddles(false), Effort: 0.2,
		Said: "for eight methods without noise from a strict saddle, at which components have " +
			"gradients, for 25 steps",
		Means: map[string]string{"still": "the share of the points that are within 1e-12 of where the " +
			"run has begun"}},
	"single components on passes": {Words: instanceWords, Draw: stuckAtSaddles(true), Effort: 0.2,
		Said: "for SGD, SLEDGE-I and ZeroSARAH from an empty table without noise from a strict saddle, " +
			"$b = 1$, for 25 steps",
		Sizes: []string{"η", "σ_c"},
		Means: map[string]string{"far": "the largest distance from where they start"}},
	"single steps": {Words: instanceWords, Scope: certificate.Sizes, Exact: singleSteps,
		Said: "$2 ≤ n ≤ 6$, $1 ≤ b ≤ n$, all row errors and changes in every dimension",
		Means: map[string]string{"e": "$(1/n)Σz_i$ before the step", "e'": "its mean after the step",
			"‖e‖²": "before the step", "‖e'‖²": "mean of $‖e‖²$ after the step", "‖z‖²": "$(1/n)Σ‖z_i‖²$",
			"‖z'‖²": "its mean after the step", "‖c‖²": "$(1/n)Σ‖c_i‖²$", "X": "$(1/n)Σ⟨c_i, z_i⟩$"},
		Sizes: []string{"n", "b"}},
	"rounds of tables": {Words: instanceWords, Draw: formula.Once(roundsOfTables),
		Said: "for $P ≤ 4$ clients of at most 3 data, all row errors and changes of gradients, over " +
			"all client sets and minibatches", Sizes: []string{"P", "p"},
		Means: map[string]string{"κ": "$(P − p)/(P − 1)$, 0 for $P = 1$", "‖e‖²": "$‖(1/P)Σz_i‖²$",
			"‖z‖²": "$(1/P)Σ‖z_i‖²$", "‖c‖²": "$(1/P)Σ‖c_i‖²$",
			"renewed": "mean variance of a minibatch of a client",
			"shift":   "that of the change of its gradient",
			"after":   "mean of $‖e‖² + (3/P)(1/P)Σ‖z_i‖²$ after the round"}},
	"option two": bracketEnds(optionTwoBracket), "option one": bracketEnds(optionOneBracket),
	"clients": bracketEnds(clientsBracket),
	"prescribed paths": {Words: instanceWords, Exact: prescribedPaths, Effort: 0.3,
		Settle: settledBy(map[string]props.Procedure{
			"error ≤ (most/b)apart": bracketOf(optionTwoBracket)}), Sizes: []string{"b"},
		Said: "for the sizes of the brackets and up to 4 steps in which gradients change by drawn " +
			"vectors, over all minibatches",
		Means: map[string]string{"most": "the upper end of the bracket",
			"error": "mean of $‖v^T − ∇f(x^T)‖²$",
			"apart": "$ζ²‖x^s − x^{s−1}‖²$, the largest squared distance of two changes, summed over steps"}},
	"two clusters": {Words: instanceWords, Scope: certificate.Instances,
		Said: "two clusters of 1 or 2 components, $b = 1$, straight paths of up to 60 and 26 steps; " +
			"$ν = 1e-2 … 1e-8$",
		Exact: func(_ *props.Source, try func(formula.Ratios)) {
			for _, at := range countedTails() {
				try(at)
			}
		},
		Means: map[string]string{"C_1": "$log(nT/ν)$", "C_0": "$log(100nT)$",
			"needed": "the smallest multiple of $ζ²Σ‖x^s − x^{s−1}‖²$ over the last " +
				"$⌈nC_1⌉$ steps that $‖v^t − ∇f(x^t)‖²$ exceeds for some $t ≤ T$ with probability " +
				"at most $ν$"}},
	"all runs": {Words: instanceWords, Draw: formula.Once(quantileOfRatio), Effort: 0.3,
		Said: "for $n ≤ 6$, $T ≤ 6$ and at most 600 runs, all of them",
		Means: map[string]string{"C_1": "$log(nT/ν)$", "quantile": "what $max_t ‖v^t − " +
			"∇f(x^t)‖²/((ζ²/b)Σ‖x^s − x^{s−1}‖²)$, the sum over the last $⌈(n/b)C_1⌉$ steps, " +
			"exceeds with probability at most $3ν$"}},
	"outliers": {Words: instanceWords, Draw: formula.Once(stall), Sizes: []string{"ν", "b", "ζ"},
		Said: "for $2 ≤ n ≤ 16$, $10 ≤ T ≤ 1e5$, $ν ≥ 1e-7$ and components that agree but for one",
		Means: map[string]string{"C_1": "$log(1/ν + n + 1 + T)$", "chance": "a lower bound on the " +
			"probability of a stretch of steps without the outlier in $T$ steps, so long that the bound fails",
			"error": "$‖v^t − ∇f(x^t)‖²$ at its end",
			"moved": "$Σ‖x^s − x^{s−1}‖²$ there over the last $⌈(n/b)C_1⌉$ steps"}},
	"counts and sums": {Words: instanceWords, Draw: formula.Once(deviationTail), Effort: 0.3,
		Said: "for two clusters 1 apart of $n ≤ 60$ components, $t − s ≤ 30$, $T ≤ 1e4$, $ν ≥ 1e-8$, " +
			"exactly", Sizes: []string{"n", "b", "T", "ν"},
		Means: map[string]string{"S_b": "$" + squaresOf("b"), "product": "what " +
			"$||Ĩ_s^t| − E|Ĩ_s^t||$ times the norm of the sum exceeds with probability at most $ν/T²$"}},
	"missed clients": {Words: instanceWords, Draw: formula.Once(missedClients), Sizes: []string{"P", "ν"},
		Said: "for $P ≤ 1e6$, $T ≤ 3000$, $ν ≥ 1e-12$",
		Means: map[string]string{"chance": "an upper bound on the probability that a given client is " +
			"missed by $⌈(P/p)log(PT/ν)⌉$ of $T$ rounds in a row"}},
	"two clients in turn": {Words: instanceWords, Exact: dependence,
		Said: "for two data of either on a line, over all minibatches",
		Means: map[string]string{"product": "$E[X_1X_2²]$", "first": "$E[X_1]$",
			"second": "$E[X_2²]$"}},
	"linear parts": {Words: instanceWords, Draw: formula.Once(linearParts), Effort: 0.5,
		Said: "for quadratics of $n ≤ 8$ components, $d ≤ 4$, and linear functions with sum zero that " +
			"are added to them",
		Sizes: []string{"L", "ζ", "Δ", "σ_c"},
		Means: map[string]string{"size": "root mean square of the gradients of the linear functions",
			"L'": "$L$ with them", "ζ'": "$ζ$ with them", "Δ'": "$Δ$ with them",
			"σ'": "$σ_c$ with them", "‖∇f‖": "how far they move $∇f(x⁰)$"}},
}

var instanceWords = Symbols("instances")

// slabs computes the share of a slab of thickness rν/(T√d) in B(0, r).
func slabs(src *props.Source, _ *props.Recorder) formula.Values {
	d, p := src.LogInt("d", 1, 1000), src.LogReal("nu / T", 1e-6, 0.4)
	half, T := p/math.Sqrt(float64(d))/2, float64(src.LogInt("T", 1, 1e6))
	c := src.Real("centre of the slab / r", 0, 1)
	return formula.Given(map[string]float64{"ν": p * T, "T": T,
		"share": ballBelow(d, c+half) - ballBelow(d, c-half)})
}

// ballBelow returns the share of the unit ball of R^d in which the first coordinate is at most x.
func ballBelow(d int, x float64) float64 {
	return 0.5 + math.Copysign(concentration.SlabFraction(d, 1, 2*math.Abs(x)), x)/2
}

// oneNoise computes the probability that a run stays in the region of radius R, by the law of one
// noise alone. Along e the run is at (1+ηγ)^m (c + ξ_e) + Z when it should have left, with c from
// before the noise ξ ∈ B(0, r) and Z from later ones: P[|·| < R] is largest where c and Z are 0, as
// the density of ξ_e is even and falls with |ξ_e| (Anderson). P[|ξ_e| ≤ u] is the share of a slab
// then.
func oneNoise(src *props.Source, _ *props.Recorder) formula.Values {
	d := src.LogInt("d", 1, 1000)
	separation := src.LogReal("r_e√d/r", 1e-19, 0.5) / math.Sqrt(float64(d)) // r_e/r
	far, rate := src.LogReal("R/r_e", 2, 1e12), src.LogReal("ηγ", 1e-6, 1)
	steps := math.Ceil(math.Log(far) / math.Log(1+rate))
	u := separation * far * math.Exp(-steps*math.Log1p(rate))
	return formula.Given(map[string]float64{"stays": concentration.SlabFraction(d, 1, 2*u),
		"d": float64(d), "r": 1, "r_e": separation, "R": far * separation, "η": rate, "γ": 1,
		"T_2": 1 + steps})
}

// saddlesOfChains looks at a saddle of a chain.
func saddlesOfChains(src *props.Source, _ *props.Recorder) formula.Values {
	c := drawChain(src, problems.Sizes(1, 8), problems.Sizes(8, 1000))
	p, j := c.p, src.Int("saddle", 0, c.Saddles-1)
	x, g := p.Saddle(j), make([]float64, p.Dim())
	p.FullGradient(g, x)
	d := float64(p.Dim())
	count := func(below float64) float64 { return float64(p.Eigenvalues(x, below)) }
	const rounding = 1e-9
	on := formula.Given(map[string]float64{"d": d, "all": d - count(-(1+rounding)*c.Gamma),
		"low":  count(-(1 - rounding) * c.Gamma),
		"next": count((1 - rounding) * min(c.Gamma, c.Lambda))})
	on["‖∇f‖"] = func() (value, size float64) {
		return floats.Norm(g, 2), p.Constants(x).L.Value * math.Pi * float64(c.Saddles)
	}
	return on
}

// methodsOnChains follows methods without noise from the first saddle of a chain.
func methodsOnChains(src *props.Source, _ *props.Recorder) formula.Values {
	names := []string{"SLEDGE-II", "FLEDGE-II", "SSRGD", "PGD"}
	on := escapers[names[src.Pick("method", names...)]]
	c := drawChain(src, problems.Sizes(2, 5), problems.Sizes(8, 40))
	return strays(on.make(c, 0), algos.Sum(c.p), c.p.Saddle(0), algos.Keyed(src.Key("run")),
		int(3*c.law), 0)
}

// strays follows a method for so many steps, and measures how it leaves its start, by more than the
// given distance or not.
func strays(m algos.Method, p algos.Problem, x0 []float64, r algos.Randomness, steps int,
	least float64) formula.Values {
	far, still, points := 0.0, 0.0, 0.0
	search(m, p, x0, r, steps, func(_ int, x []float64) bool {
		away := floats.Distance(x, x0, 2)
		if points++; away <= least {
			still++
		}
		far = max(far, away)
		return false
	})
	return formula.Given(map[string]float64{"far": far, "still": still / points})
}

// slowDescent follows gradient descent from a point at the given distance from the first saddle in
// every direction: the second saddle holds it about 1 + λ/γ times as long as the first.
func slowDescent(src *props.Source, rec *props.Recorder) formula.Values {
	c := drawChain(src, problems.Sizes(2, 4), problems.Sizes(8, 40))
	x := make([]float64, c.p.Dim())
	floats.AddConst(src.LogReal("distance in each direction", 1e-4, 1e-2), x)
	c.p.Point(x, x)
	c.Saddles, c.afterward = 2, true
	run := algos.Sum(c.p)
	passage, first := c.passage(run), 0
	steps, ok := search(&algos.GD{Eta: c.eta}, run, x, algos.Keyed(src.Key("run")), 1e6,
		func(step int, x []float64) (ok bool) {
			first, ok = passage(step, x)
			return ok
		})
	if !ok {
		rec.Skip("the second saddle is not left in a million steps")
		return nil
	}
	return formula.Given(map[string]float64{"first": float64(first), "second": float64(steps - first),
		"λ": c.Lambda, "γ": c.Gamma})
}

// stuckAtSaddles follows methods from the saddle of a pass: with the estimators of which the errors
// are 0 there, or with single components.
func stuckAtSaddles(single bool) func(*props.Source, *props.Recorder,
	func(string, formula.Values)) {
	return func(src *props.Source, _ *props.Recorder, try func(string, formula.Values)) {
		n := 4 * src.Int("n/4", 2, 8)
		sigmaC := src.LogReal("σ_c", 0.01, 1)
		p := pass(n, src.LogReal("δ", 0.01, 0.2), src.Real("ζ", 0, 0.5), sigmaC, src.Key("terrain"))
		b, key := src.Int("b", 1, 3), src.Key("methods")
		const eta, tiny = 0.2, 1e-12
		t := algos.Tuning{Eta: eta, Batch: b}
		methods := []algos.Method{
			&algos.SLEDGE{Eta: eta, Batch: b}, &algos.ZeroSARAH{Tuning: t},
			&algos.SARAH{Tuning: t}, &algos.SPIDER{Eta: eta, Eps: 0.1, Batch: b},
			&algos.PAGE{Tuning: t}, &algos.SVRG{Tuning: t}, &algos.SAGA{Tuning: t},
			&algos.NestedSVRG{Eta: eta, Lengths: []int{2, 3}, Sizes: []int{b, 1}}}
		if t.Batch = 1; single {
			methods = []algos.Method{&algos.SGD{Tuning: t},
				&algos.SLEDGE{Eta: eta, Batch: 1, Option: algos.OptionI},
				&algos.ZeroSARAH{Tuning: t, Option: algos.OptionI}}
		}
		for _, m := range methods {
			on := strays(m, p, p.X0(), algos.Keyed(key), 25, tiny)
			on.Is("η", eta)
			on.Is("σ_c", sigmaC)
			try(m.Name(), on)
		}
	}
}

// missedClients bounds how likely a client is missed for a window of rounds.
func missedClients(src *props.Source, rec *props.Recorder) formula.Values {
	P := src.LogInt("P", 1, 1e6)
	p, T, nu := src.LogInt("p", 1, P), src.LogInt("T", 1, 3000), src.LogReal("ν", 1e-12, 0.999)
	length := coverWindow(P, p, math.Log(float64(P)*float64(T)/nu)*(1-1e-14))
	if length > T {
		rec.Skip("the horizon is shorter than the window, so nothing is claimed")
		return nil
	}
	return formula.Given(map[string]float64{"P": float64(P), "ν": nu,
		"chance": math.Exp(concentration.NeverDrawn(P, p, length, T))})
}

// linearParts adds linear functions of a size with sum zero to quadratics.
func linearParts(src *props.Source, _ *props.Recorder) formula.Values {
	n, d := src.Int("n", 2, 8), src.Int("d", 1, 4)
	size := src.LogReal("linear part", 1, 1e6)
	q := problems.QuadraticMean{Between: problems.Heterogeneity{
		Pattern: problems.TwoCluster, Hessian: 0.5}}
	for k := range d {
		q.Spectrum = append(q.Spectrum, 1+float64(k))
	}
	seed, x0 := src.Seed("problem"), make([]float64, d)
	x0[0] = 1
	at := func(linear float64) (problems.Constants, []float64) {
		q.Between.Linear = linear
		p := props.Must(problems.Make(problems.OneEach(n), q, rand.New(rand.NewPCG(seed, 0))))
		g := make([]float64, d)
		p.FullGradient(g, x0)
		return p.Constants(x0), g
	}
	without, small := at(0)
	with, large := at(size)
	on := formula.Given(map[string]float64{"L": without.L.Value, "L'": with.L.Value,
		"ζ": without.Zeta.Value, "ζ'": with.Zeta.Value, "Δ": without.Delta.Value,
		"Δ'": with.Delta.Value, "σ_c": without.SigmaC.Value, "σ'": with.SigmaC.Value, "size": size})
	on["‖∇f‖"] = func() (float64, float64) { return floats.Distance(large, small, 2), size }
	return on
}
