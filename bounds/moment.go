package bounds

import (
	"maps"
	"math"
	"math/big"
	"sync"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// This file holds what can be said in expectation instead of with high probability: exact one-step
// recursions for the second moments of the estimator's error, a potential function, and from it the
// first-order theorem and the one under the PL condition without logarithms. Nothing here is
// printed in the paper.
//
// Let z_i = y_i − ∇f_i be the error of row i, e = (1/n)Σz_i that of the estimator, c_i the
// deviation ∇f_i(x^t) − ∇f_i(x^{t−1}) − (∇f(x^t) − ∇f(x^{t−1})), and q = 1 − b/n. A step draws I
// uniformly from the b-subsets and sets
//
//	z_i ← 0 for i ∈ I,   z_i ← z_i + (1/b)Σ_{j∈I}c_j − c_i otherwise.
//
// Since x^t is fixed before I^t is drawn, expectations over I given the past only involve P =
// (1/n)Σ‖z_i‖², κ = (1/n)Σ‖c_i‖² and X = (1/n)Σ⟨c_i, z_i⟩.

// after returns E‖e‖² and E P after the step as rational combinations of the moments before it:
// rows of coefficients of (‖e‖², P, κ, X).
//
//	E‖e'‖² = q²‖e‖² + (qn/(n−1))(κ/b − 2X/n + (b/n²)(P − ‖e‖²))
//	E P'   = q(P − 2Xn/(n−1) + κ((n+1)/(n−1) + (n−b)/(b(n−1))))
func after(n, b int64) (errSq, rows [4]*big.Rat) {
	r := big.NewRat
	mul := func(x ...*big.Rat) *big.Rat {
		p := r(1, 1)
		for _, v := range x {
			p.Mul(p, v)
		}
		return p
	}
	q := r(n-b, n)
	g := mul(q, r(n, n-1))
	bn := mul(g, r(b, n*n))
	errSq = [4]*big.Rat{new(big.Rat).Sub(mul(q, q), bn), bn, mul(g, r(1, b)), mul(g, r(-2, n))}
	change := new(big.Rat).Add(r(n+1, n-1), r(n-b, b*(n-1)))
	rows = [4]*big.Rat{r(0, 1), q, mul(q, change), mul(q, r(-2*n, n-1))}
	return errSq, rows
}

// combine is the combination of the moments with such coefficients.
func combine(coefficients, moments [4]*big.Rat) *big.Rat {
	s := new(big.Rat)
	for k, v := range coefficients {
		s.Add(s, new(big.Rat).Mul(v, moments[k]))
	}
	return s
}

var expectedPLStepOf = formula.Must(Vocabulary, "min{1/(2L), b/(ζ√(60n)), b/(3μn)}").
	Of("n", "b", "L", "μ", "ζ")

// spreadOf is (n−b)/(n−1), 0 for a single component.
func spreadOf(n, b int) float64 { return float64(n-b) / float64(max(1, n-1)) }

// movementOf is K in the inequality E[‖e'‖² + (3/n)P'] ≤ q²‖e‖² + (3/n)P + (K/b)κ. With ρ =
// (n−b)/(n−1),
//
//	K = ρ + 3ρ(b+1)/n + 16ρ²/(3−ρ) ≤ 12,
//
// from the recursions and 2|X| ≤ θP + κ/θ with the θ that uses up the decrease of P. If only a
// share of it is used up, (3/n)P shrinks by the factor (1 − share)(b/n)(1 − ρ/3), at least b/(3n)
// for half of it. The PL theorem uses up that.
func movementOf(share string) string {
	return "(κ + 3κ(p + 1)/P + 16κ²/(" + share + "(3 − κ)))"
}

// Steps is 2(2Δ/η + initial)/ε² with the step size of the moments, not rounded: the number
// of steps of first-main-option-one/sharper and first-main-option-two/sharper, for a finite
// sum. Without noise the mean of ‖∇f‖² over them is at most ε² with probability one half.
func (s Expected) Steps(gap, eps float64) float64 {
	return 2 * (2*gap/s.StepSize() + s.initial()) / sq(eps)
}

// initial is what the start of Option I adds to the bound on twice the sum of E‖v^t − ∇f(x^t)‖² of
// a finite sum: 2(E‖e_0‖² + (3/n)E P_0)/(1 − q²), where E‖e_0‖² = ρσ_c²/b and P_0 = σ_c² + ‖e_0‖².
func (s Expected) initial() float64 {
	return s.at("2"+tableLifetime+"S", values{"S": s.Start()})
}

// ExpectedPLStep is min{1/(2L), b/(ζ√(60n)), b/(3μn)}. With A = 3ηn/(2b) and half of the decrease
// of P kept, E[f(x^t) − f* + A(‖e‖² + (3/n)P)] shrinks by 1 − ημ in a step, but for the noise r²/η:
// η + Aq² ≤ A(1 − ημ), 1 − b/(3n) ≤ 1 − ημ, and the movement costs A(20/b)((n−1)/(2n))ζ² ≤
// 15ηζ²n/b² ≤ 1/(4η) ≤ 1/(2η) − L/2.
func ExpectedPLStep(L, mu, zeta float64, n, b int) float64 {
	return expectedPLStepOf.At(float64(n), float64(b), L, mu, zeta)
}

// enumerable draws an instance with at most 300 or so equally likely runs.
func enumerable(src *props.Source, option algos.Option, etaL float64,
	shapes ...problems.Shape) *instance {
	in := drawInstance(src, ranges{P: problems.Sizes(2, 6), d: problems.Sizes(1, 2),
		T: problems.Sizes(1, 6), option: option, quiet: true, etaL: etaL, shapes: shapes,
		between: problems.Differing})
	for in.T > 1 && math.Pow(float64(combin.Binomial(in.P, in.b)), float64(in.T)) > 300 {
		in.T--
	}
	return in
}

// singleSteps goes through the unit vectors of (z_1 … z_n, c_1 … c_{n-1}), c_n making the sum of
// changes zero, and through their pairwise sums, with the means over all batches.
func singleSteps(_ *props.Source, try func(formula.Ratios)) {
	for n := 2; n <= 6; n++ {
		dims := 2*n - 1
		for b := 1; b <= n; b++ {
			batches := combin.Combinations(n, b)
			for j := range dims {
				for k := j; k < dims; k++ {
					u := make([]int64, dims)
					u[j] = 1
					u[k] = 1
					try(momentsOf(n, b, batches, u))
				}
			}
		}
	}
}

// momentsOf are the moments before a step and the means of those after it.
func momentsOf(n, b int, batches [][]int, u []int64) formula.Ratios {
	z, c := u[:n], append([]int64(nil), u[n:]...)
	last := int64(0)
	for _, v := range c {
		last -= v
	}
	c = append(c, last)
	// Integers throughout: rows are scaled by b, the estimator by n·b.
	var meanErr, meanErrSq, meanRows int64
	drawn := make([]bool, n)
	for _, batch := range batches {
		clear(drawn)
		sum := int64(0)
		for _, i := range batch {
			drawn[i] = true
			sum += c[i]
		}
		err, rows := int64(0), int64(0)
		for i := range n {
			if !drawn[i] {
				row := int64(b)*(z[i]-c[i]) + sum
				err += row
				rows += row * row
			}
		}
		meanErr += err
		meanErrSq += err * err
		meanRows += rows
	}
	nb, m := int64(n*b), int64(len(batches))
	var e, p, kappa, x int64
	for i := range n {
		e += z[i]
		p += z[i] * z[i]
		kappa += c[i] * c[i]
		x += z[i] * c[i]
	}
	N := int64(n)
	return formula.Ratios{"n": big.NewRat(N, 1), "b": big.NewRat(int64(b), 1),
		"e": big.NewRat(e, N), "‖e‖²": big.NewRat(e*e, N*N), "‖z‖²": big.NewRat(p, N),
		"‖c‖²": big.NewRat(kappa, N), "X": big.NewRat(x, N), "e'": big.NewRat(meanErr, m*nb),
		"‖e'‖²": big.NewRat(meanErrSq, m*nb*nb), "‖z'‖²": big.NewRat(meanRows, m*N*int64(b*b))}
}

// FLEDGE in expectation: let z_i = y_i − ∇f_i be the error of row i at x^t, e = (1/P)Σz_i that of
// the table, c_i the centred change of ∇f_i from x^{t−1} to x^t as above, q = 1 − p/P and M = Kb. A
// round draws I from the p-subsets and for each i ∈ I a minibatch, whose mean deviates by ε_i from
// ∇f_i(x^t) and whose difference by δ_i from that of ∇f_i, and sets
//
//	z_i ← ε_i for i ∈ I,   z_i ← z_i + (1/p)Σ_{l∈I}(c_l + δ_l) − c_i otherwise.
//
// All this is drawn after x^t is fixed, and given I the ε_i, δ_i have mean zero and are independent
// between clients. So the moments are those of SLEDGE with n = P and b = p, plus
//
//	E‖(1/P)Σ_I(ε_i + ((P−p)/p)δ_i)‖² ≤ (2p/P²)·σ²/M + (2(P−p)²/(P²p))·L²‖x^t − x^{t−1}‖²/M
//
// for e and (p/P)·σ²/M + ((P−p)/(Pp))·L²‖x^t − x^{t−1}‖²/M for (1/P)Σ‖z_i‖², since the variance of
// a datum's change is at most its mean square. The potential ‖e‖² + (3/P)(1/P)Σ‖z_i‖² follows.
//
// The error of a local step is e + B + Z: B, the drift of client i_t, at most (1 − 1/P)ζ times the
// way from x^{t,0}, and Z, a sum of martingale differences in k that is uncorrelated with e. So E‖e
// + B + Z‖² ≤ 2E‖e‖² + 2E‖B‖² + 2E‖Z‖², and for K = 1 there is only e.

// The formulas of the bounds on FLEDGE in expectation. E‖v − ∇f‖² has min{2, K}E‖e‖², and the
// weight Λ makes ΣE‖v^{t,k} − ∇f(x^{t,k})‖² at most ΛΣE‖x^{t,k} − x^{t,k−1}‖² and what the
// minibatches and the start add. S is the potential at x⁰.

// tableLifetime is 1/(1 − q²), the number of rounds that an error of the table lasts.
const tableLifetime = "(P/(p(2 − p/P)))"

// tableLoss is Λ, in which the additions to the potential in a round have a weight: the movement of
// the table, with ‖x^t − x^{t−1}‖² ≤ KΣ_k‖x^{t,k} − x^{t,k−1}‖², where so much of the decrease of P
// is used up, and the local errors.
func tableLoss(weight, share string) string {
	return "(min{2, K}K²" + weight + "(" + movementOf(share) + "(P − 1)ζ²/(2Pp) + " +
		"(P − p)(2(P − p) + 3)L²/(P²pKb)) + (K − 1)(ζ²K + 2L²/b))"
}

// tableWords are the symbols of these formulas.
var tableWords = Symbols("tabled")

// Expected holds what the bounds in expectation depend on: Chosen of P clients in a round, 1 ≤ p ≤
// P, each of which draws minibatches of size B for K local steps, and the constants of the problem.
// Its methods return numbers without logarithms or C_1. SLEDGE is FLEDGE with K = 1 and clients
// that use all their data, see [ExpectedOfSum].
type Expected struct {
	P, Chosen, K, B        int
	L, Zeta, Sigma, SigmaC float64 // σ and, of Option I, σ_c
	Option                 algos.Option
}

// ExpectedOfSum is that of SLEDGE with minibatches of b among n components.
func ExpectedOfSum(option algos.Option, n, b int, L, zeta, sigmaC float64) Expected {
	return Expected{P: n, Chosen: b, K: 1, B: math.MaxInt64, L: L, Zeta: zeta, SigmaC: sigmaC,
		Option: option}
}

// tabled keeps formulas that have been read, by their text.
var tabled sync.Map

// at evaluates such a formula, in which more may be given.
func (s Expected) at(text string, more values) float64 {
	f, known := tabled.Load(text)
	if !known {
		f, _ = tabled.LoadOrStore(text, formula.Must(tableWords, text))
	}
	on := values{"P": float64(s.P), "p": float64(s.Chosen), "K": float64(s.K), "b": float64(s.B),
		"L": s.L, "ζ": s.Zeta, "σ": s.Sigma, "σ_c": s.SigmaC, "κ": spreadOf(s.P, s.Chosen)}
	maps.Copy(on, more)
	return f.(*formula.Formula).At(on)
}

// Loss is Λ.
func (s Expected) Loss() float64 { return s.at(tableLoss(tableLifetime, "1"), nil) }

// Start is S, the potential at x⁰. With Option I all rows are the mean of p clients' minibatches: it
// is e_0 + (3/P)(σ_c² + e_0) with e_0 = κσ_c²/p + σ²/(pKb).
func (s Expected) Start() float64 {
	if s.Option == algos.OptionII {
		return s.at("4σ²/(PKb)", nil)
	}
	return s.at("(1 + 3/P)(κσ_c²/p + σ²/(pKb)) + (3/P)σ_c²", nil)
}

// StepSize is min{1/(2L), 1/(2√Λ)}, which makes 1/(2η) − L/2 − ηΛ ≥ 0; about b/(3ζ√n) for SLEDGE
// where that is the smaller one.
func (s Expected) StepSize() float64 { return s.at("1/(2(L ∨ √Λ))", values{"Λ": s.Loss()}) }

// Rounds is ⌈4Δ/(ηKε²)⌉, at least 1; for Option I 16/ε² times what the start costs is added before
// rounding.
func (s Expected) Rounds(gap, eps float64) float64 {
	on := values{"η": s.StepSize(), "Δ": gap, "ε": eps, "S": 0}
	if s.Option == algos.OptionI {
		on["S"] = s.Start()
	}
	return s.at("1 ∨ ⌈4Δ/(ηKε²) + 16"+tableLifetime+"S/ε²⌉", on)
}

// PLLoss is Λ' in what the errors of a round cost under the PL condition, ηΛ'ΣE‖x^{t,k} −
// x^{t,k−1}‖², with the weight A/(ηK) of the potential.
func (s Expected) PLLoss() float64 { return s.at(tableLoss("(3P/(2p))", "(1/2)"), nil) }

// PLStepSize is min{1/(2L), p/(3μPK), 1/√(6Λ')}. It makes E[f(x^t) − f* + A(‖e‖² + (3/P)(1/P)Σ‖z_i‖²)]
// shrink by (1 − ημ)^K ≥ 1 − p/(3P) ≥ 2/3 in a round, A = (3/2)min{2, K}ηKP/p, but for the noise
// Kr²/η and the fresh minibatches: min{2, K}ηK + Aq² ≤ A(1 − p/(3P)), the rows shrink by as much
// ([movementOf]), and the steps pay ηΛ' ≤ (2/3)(1/(2η) − L/2).
func (s Expected) PLStepSize(mu float64) float64 {
	return s.at("1/(2L ∨ 3μPK/p ∨ √(6Λ))", values{"Λ": s.PLLoss(), "μ": mu})
}

// PLStart is what the weight of the potential times its value at x⁰ adds to Δ.
func (s Expected) PLStart(eta float64) float64 {
	return s.at("(3/2)min{2, K}ηKPS/p", values{"η": eta, "S": s.Start()})
}

// PLFloor is what noise and minibatches leave of f − f*.
func (s Expected) PLFloor(eta, mu, r float64) float64 {
	return s.at("(6/5)r²/(η²μ) + 9min{2, K}σ²/(μPKb)", values{"η": eta, "μ": mu, "r": r})
}

// expected are the sizes of an instance.
func (in *instance) expected() Expected {
	if in.K == 0 {
		return ExpectedOfSum(in.option, in.P, in.b, in.L.Value, in.Zeta.Value, in.SigmaC.Value)
	}
	return Expected{P: in.P, Chosen: in.p, K: in.K, B: in.b, L: in.L.Value, Zeta: in.Zeta.Value,
		Sigma: in.Sigma.Value, SigmaC: in.SigmaC.Value, Option: in.option}
}

// tableRound is an instance of the one-step inequality of the potential: P clients of m data, of
// which p take part with M data each; row errors z, changes c of mean 0, and the deviations of the
// data of each client and of their changes.
type tableRound struct {
	P, m, p, M    int
	z, c          []float64
	value, change [][]float64
}

func drawTableRound(src *props.Source) *tableRound {
	d := &tableRound{P: src.Int("P", 1, 4), m: src.Int("data of a client", 1, 3)}
	d.p, d.M = src.Int("p", 1, d.P), src.Int("Kb", 1, d.m)
	align := src.Real("alignment of z with −c", -1, 1)
	along := src.Real("alignment of data and their changes", -1, 1)
	rows, fresh := src.LogReal("|z| / |c|", 1e-2, 1e2),
		src.LogReal("deviations of data / |c|", 1e-3, 1e3)
	r := src.Rand("z, c and data")
	centred := func(n int) []float64 {
		v := make([]float64, n)
		for i := range v {
			v[i] = r.NormFloat64()
		}
		floats.AddConst(-floats.Sum(v)/float64(n), v)
		return v
	}
	d.z, d.c = make([]float64, d.P), centred(d.P)
	d.value, d.change = make([][]float64, d.P), make([][]float64, d.P)
	// that makes ε and ((P−p)/p)δ alike
	weight := 1.0
	if d.p < d.P {
		weight = float64(d.p) / float64(d.P-d.p)
	}
	for i := range d.P {
		d.z[i] = rows * ((1-math.Abs(align))*r.NormFloat64() - align*d.c[i])
		value, change := centred(d.m), centred(d.m)
		for j := range value {
			value[j] *= fresh
			change[j] = (1-math.Abs(along))*fresh*change[j] + along*weight*value[j]
		}
		d.value[i], d.change[i] = value, change
	}
	return d
}

// mean is that of the numbers of a minibatch.
func (d *tableRound) mean(v []float64, batch []int) float64 {
	s := 0.0
	for _, j := range batch {
		s += v[j]
	}
	return s / float64(d.M)
}

// variances are those of minibatches, of values and of changes, averaged over clients.
func (d *tableRound) variances(batches [][]int) (values, changes float64) {
	for i := range d.P {
		for _, J := range batches {
			values += sq(d.mean(d.value[i], J)) / float64(d.P*len(batches))
			changes += sq(d.mean(d.change[i], J)) / float64(d.P*len(batches))
		}
	}
	return values, changes
}

// after is the mean of the potential after the round, over all client sets and minibatches.
func (d *tableRound) after(batches [][]int) float64 {
	sets := combin.Combinations(d.P, d.p)
	n, chosen := float64(d.P), float64(d.p)
	after, next := 0.0, make([]float64, d.P)
	for _, I := range sets {
		for k := range int(math.Pow(float64(len(batches)), chosen)) {
			var epsilon, shift [4]float64
			step := 0.0
			for l, i := range I {
				J := batches[k/int(math.Pow(float64(len(batches)), float64(l)))%len(batches)]
				epsilon[l], shift[l] = d.mean(d.value[i], J), d.mean(d.change[i], J)
				step += (d.c[i] + shift[l]) / chosen
			}
			for i := range next {
				next[i] = d.z[i] + step - d.c[i]
			}
			for l, i := range I {
				next[i] = epsilon[l]
			}
			after += sq(floats.Sum(next)/n) + 3/n*normSq(next)/n
		}
	}
	return after / (float64(len(sets)) * math.Pow(float64(len(batches)), chosen))
}

// checkExpectedPLRounds checks the bound on E f(x^T) − f* by sampling, on runs that are told from
// runs with exact gradients.
func checkExpectedPLRounds() props.Check {
	return props.Mean(func(src *props.Source) props.MeanTrial {
		in := drawRun(src, ranges{K: localSteps, T: problems.Sizes(5, 60),
			option: algos.Option(src.Pick("option", "II", "I")), bounded: true,
			shapes: []problems.Shape{problems.Convex, problems.Degenerate}})
		in.eta = in.expected().PLStepSize(in.Mu.Value)
		if in.r > 0 {
			in.r *= in.eta * math.Sqrt(in.Delta.Value*in.Mu.Value)
		}
		least, _ := in.problem.Minimum()
		e, mu := in.expected(), in.Mu.Value
		most := max(math.Exp(float64(in.T*in.K)*math.Log1p(-in.eta*mu))*(in.Delta.Value+
			e.PLStart(in.eta))+e.PLFloor(in.eta, mu, in.r), math.SmallestNonzeroFloat64)
		regime := in.content().And(props.Min("T", in.T, LeastSteps))
		return props.MeanTrial{What: "f(x^T) − f* over its bound", Claimed: 1,
			Relation: props.LE, Regime: regime,
			Run: func(t props.Trial) float64 {
				if !(in.Delta.Value > 0) {
					return 0
				}
				return max(0, in.problem.Value(in.trial(t).tape.X[in.T])-least) / most
			}}
	}).Effort(0.5)
}

// roundsOfTables has the potential before and after a round of arbitrary row errors, changes and
// deviations of data, over all client sets and minibatches.
func roundsOfTables(src *props.Source, _ *props.Recorder) formula.Values {
	d := drawTableRound(src)
	batches, P := combin.Combinations(d.m, d.M), float64(d.P)
	ofValues, ofChanges := d.variances(batches)
	on := formula.Given(map[string]float64{"P": P, "p": float64(d.p), "κ": spreadOf(d.P, d.p),
		"‖e‖²": sq(floats.Sum(d.z) / P), "‖z‖²": normSq(d.z) / P, "‖c‖²": normSq(d.c) / P,
		"renewed": ofValues, "shift": ofChanges})
	on["after"] = func() (float64, float64) { return d.after(batches), normSq(d.z) + normSq(d.c) }
	return on
}
