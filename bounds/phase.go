package bounds

import (
	"fmt"
	"math"
	"math/big"
	"math/bits"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
)

// The proof of theorem:Second-Main (lines 1927-2018) divides the steps into phases of 2T_2 steps: a
// phase is of class 1 if the gradient is large on most of it, ‖∇f‖ > ε, and otherwise of class 2 or
// 3 according to the curvature at a point of its first half with small gradient. A phase of class 2
// moves by δ/(C_bρ) (lines 1944-1950).

// phaseStep is a step size of order 1/L with which the path length gets the coefficient 1/(2η²) of
// lines 1981-1989, for n components and minibatches of b ≤ n. ζ may be 0.
const phaseStep = "min{1/(4L), b/(C_1^{9/2} ζ √(120n))}"

var phaseStepSize = formula.Must(Vocabulary, phaseStep).Of("L", "ζ", "n", "b", "C_1")

func phaseStepSizeAt(L, zeta float64, n, b int, c1 float64) float64 {
	return phaseStepSize.At(L, zeta, float64(n), float64(b), c1)
}

// ratios are what is said of a phase.
func (p *phase) ratios() formula.Ratios {
	half, all := p.T6, 2*p.T6
	double, calm, first := p.count(all, p.K), 0, 0
	if p.small() {
		calm = 1
	}
	if double > p.K*p.T6 {
		first = 1
	}
	on := formula.Ratios{}
	for symbol, n := range map[string]int{"K": p.K, "T_6": half, "T_2": half, "calm": calm,
		"large": p.count(all, p.K-1), "early": p.count(half, p.K-1), "double": double, "first": first,
		"half": p.count(half, p.K), "squares": bits.OnesCount(p.large & (2<<(all*p.K-1) - 1))} {
		on[symbol] = number(n)
	}
	return on
}

// phases are all patterns of points of a phase, of rounds or of steps.
func phases(said, length string, each func(func(*phase))) *formula.Scene {
	return &formula.Scene{Words: gapWords, Scope: certificate.Sizes, Said: said, Means: ofPhases,
		Sizes: []string{length, "K"}, Exact: func(_ *props.Source, try func(formula.Ratios)) {
			each(func(p *phase) { try(p.ratios()) })
		}}
}

// The means of symbols of phases.
var ofPhases = map[string]string{
	"large": "$Σ_{t∈P^τ}Σ_{k=0}^{K−1} 1[‖∇f(x^{t,k})‖>ε]$, in class 1 of the corrected form at " +
		"least $KT_6$; of steps the same of $‖∇f(x^t)‖$",
	"calm":    "1 where the phase is in class 2 or 3, else 0",
	"early":   "the count of the first half",
	"squares": "the number of summands above $ε²$ in $Σ_tΣ_{k=1}^K‖∇f(x^{t,k−1})‖²$",
	"double":  "the count with $k$ from 0 to $K$, in the printed class 1 above $KT_6$",
	"half":    "that of the first half",
	"first":   "1 where the phase is in the printed class 1, else 0"}

// phaseOfDescent is the first phase of gradient descent on a convex quadratic, for an accuracy that
// is one of its gradient norms.
func phaseOfDescent(src *props.Source, _ *props.Recorder) formula.Values {
	p := problems.DrawQuadratic(src,
		problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 2),
			Shapes: []problems.Shape{problems.Convex}}).ByClient()
	x0 := problems.DrawPoint(src, "x0", p.Dim(), 5)
	c := p.Constants(x0)
	t2 := src.Int("T_2", 1, 6)
	m := &algos.SLEDGE{Eta: src.Real("ηL", 0.01, 1) / c.L.Value, Batch: p.Components()}
	mon, norms := algos.NewMonitor(algos.Sum(p)), []float64(nil)
	search(m, algos.Sum(p), x0, algos.Seeded(1), 2*t2-1,
		func(_ int, x []float64) bool { // the batch is the whole sum: the seed does not matter
			norms = append(norms, mon.GradientNorm(x))
			return false
		})
	eps := norms[src.Int("step whose gradient norm is ε", 0, 2*t2-1)]
	first := phase{T6: t2, K: 1}
	for t, g := range norms {
		if g > eps {
			first.large |= 1 << t
		}
	}
	on := formula.Values{}
	for symbol, n := range first.ratios() {
		value, _ := n.Float64()
		on.Is(symbol, value)
	}
	return on
}

// gapOfSaddle is how far f can still fall where it has a negative curvature.
func gapOfSaddle(src *props.Source, rec *props.Recorder) formula.Values {
	p, _ := problems.DrawSaddle(src,
		problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 3)})
	x := problems.DrawPoint(src, "x", p.Dim(), 5)
	least, _ := p.Minimum()
	curvature := -p.MinEigen(x)
	if curvature <= 0 {
		rec.Skip("no negative curvature")
		return nil
	}
	return formula.Given(map[string]float64{"Δ": p.Value(x) - least, "δ": curvature,
		"ρ": p.Constants(x).Rho.Value})
}

// pathLength draws the steps of a phase of twice half rounds of at most K local steps, and returns
// the largest squared displacement from a point of the first half within so many half phases, and
// within the phase, and the sum of the squares of all steps.
func pathLength(src *props.Source, K, halves int) (half, local int, farthest, total float64) {
	half = src.Int("half a phase", 1, 12)
	d := src.Int("d", 1, 3)
	if local = 1; K > 1 {
		local = src.Int("K", 1, K)
	}
	steps := half * local
	from := src.Int("steps before the point", 0, steps-1)
	until := min(from+halves*steps, 2*steps-1) // the first point of the next phase is not in it
	straight, resting := src.Real("straightness", 0, 1),
		src.Real("length of steps outside the window", 0, 1)
	r := src.Rand("path")
	x, v := make([]float64, d), make([]float64, d)
	for m := range 2 * steps {
		for k := range v {
			v[k] = (1 - straight) * r.NormFloat64()
		}
		v[0] += straight
		inside := m >= from && m < until
		if inside {
			floats.Add(x, v)
			farthest = max(farthest, normSq(x))
		} else {
			floats.Scale(resting, v)
		}
		total += normSq(v)
	}
	return half, local, farthest, total
}

// paths are those of phases of rounds, or of steps where K is 1.
func paths(K, halves int) *formula.Scene {
	length, said := "T_6", "$2T_6 ≤ 24$ rounds of $K ≤ 6$ local steps"
	proofs := map[string]props.Procedure{}
	if K == 1 {
		length, said = "T_2", "$2T_2 ≤ 24$ steps"
	}
	if halves == 1 {
		proofs["far² ≤ T_6K·moved"], proofs["far² ≤ T_2·moved"] = cauchySchwarz, cauchySchwarz
	}
	return &formula.Scene{Words: gapWords, Sizes: []string{length, "K"}, Settle: settledBy(proofs),
		Said: "for paths of a phase of " + said + " in $d ≤ 3$ dimensions",
		Means: map[string]string{"moved": "$Σ_{t∈phase}Σ_k‖x^{t,k} − x^{t,k−1}‖²$",
			"far": fmt.Sprintf("the largest $‖x^{s,l} − x^{t,k}‖$ from a point of the first half on to "+
				"the end of the phase, $(s,l)$ at most $%dT_6K$ local steps later", halves)},
		Draw: formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
			half, local, farthest, total := pathLength(src, K, halves)
			return formula.Given(map[string]float64{length: float64(half), "K": float64(local),
				"far": math.Sqrt(farthest), "moved": total})
		})}
}

// phase is the points of 2T_6 rounds of K local steps by number, 0 … 2T_6K: the last point of a
// round is the first one of the next. That of lines 1930-1936 is 2T_2 points with K = 1. The points
// of the bits of large have a large gradient.
type phase struct {
	T6, K int
	large uint
}

// count counts (t,k) with a large gradient over the first so many rounds, k from 0 to last in each.
func (p *phase) count(rounds, last int) (n int) {
	for t := range rounds {
		n += bits.OnesCount(p.large >> (t * p.K) & (2<<last - 1))
	}
	return n
}

// small reports whether class 2 or 3 of lines 3055-3056 applies, with negative curvature or
// without: whether a point (t,k) of the first half, (2τT_6,0) ≤ (t,k) < ((2τ+1)T_6,0), has a small
// gradient.
func (p *phase) small() bool { return ^p.large&(1<<(p.T6*p.K)-1) != 0 }

// eachOfSteps calls f with every pattern of a phase of 2T_2 ≤ 12 steps.
func eachOfSteps(f func(p *phase)) {
	for T2 := 1; T2 <= 6; T2++ {
		for large := range uint(1) << (2 * T2) {
			f(&phase{T2, 1, large})
		}
	}
}

// eachPhase calls f with every pattern of points of a phase of rounds of at most 12 local steps.
func eachPhase(f func(p *phase)) {
	for T6 := 2; T6 <= 3; T6++ { // T_6 = ⌈1 + T_5/K⌉ ≥ 2
		for K := 1; 2*T6*K <= 12; K++ {
			for large := range uint(1) << (2*T6*K + 1) {
				f(&phase{T6, K, large})
			}
		}
	}
}

func number(n int) *big.Rat { return big.NewRat(int64(n), 1) }
