package claims

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// searchWords are the symbols of what is said of Neon2, the curvature search of SPIDER-SFO⁺.
var searchWords = formula.Words("n", "d", "‖w‖", "found", "C", "p", "gradients", "full", "drawn").With(
	formula.Symbol{Name: "L", Unit: ofCurvature}, formula.Symbol{Name: "δ", Unit: ofCurvature},
	formula.Symbol{Name: "curvature", Unit: ofCurvature})

var ofCurvature = props.Must(formula.ParseUnit("f/x²"))

// searches are what Neon2 is tried on, by what is said of it.
var searches = map[string]map[string]*formula.Scene{
	"runs": {"Neon2 on wells": {Words: searchWords,
		Said:  "searches with $C = 1$ at points of random wells, $n ≤ 3$, $d ≤ 4$, $δ ≥ L/5$, that find",
		Sizes: []string{"L", "δ"}, Effort: 0.5,
		Means: map[string]string{"‖w‖": "length of the direction that is reported",
			"curvature": "$w'∇²f(x)w$"},
		Draw: formula.Once(drawFound)}},
	"cost": {"Neon2": countedSearch(false), "deterministic Neon2": countedSearch(true)},
}

// searchOf makes the check of what a ledger says of Neon2.
func searchOf(r ledger.Runs) (props.Check, string, error) {
	if r.Of == "runs" && r.Family == "saddles" && r.Rate > 0 && r.With+r.Drawn == "" {
		return foundOf(r)
	}
	return ledger.Scenes(r.Of, searches[r.Of], nil)(r)
}

// drawFound draws a search that finds.
func drawFound(src *props.Source, rec *props.Recorder) formula.Values {
	q, saddle := problems.DrawSaddle(src,
		problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 4)})
	p := q.ByClient()
	x := problems.DrawPoint(src, "x", p.Dim(), 1.5*saddle.Bottom())
	L := p.Constants(x).L.Value
	m := drawSearch(src, p, x, L*src.LogReal("δ/L", 0.2, 1))
	m.C = 1
	w, found, err := m.Search(algos.NewOracle(algos.Sum(p)), x,
		algos.Seeded(uint64(src.Int("seed", 0, 1<<20))))
	switch {
	case err != nil:
		panic(err)
	case !found:
		rec.Skip("nothing found")
		return nil
	}
	hw := make([]float64, len(w))
	p.HessianVector(hw, x, w)
	on := formula.Given(map[string]float64{"L": L, "δ": m.Delta, "‖w‖": floats.Norm(w, 2)})
	on["curvature"] = func() (value, size float64) { return floats.Dot(w, hw), L }
	return on
}

// foundOf makes the check of what searches at a saddle come to with a probability.
func foundOf(r ledger.Runs) (props.Check, string, error) {
	said, err := searchWords.Measured(r.Statement, []string{"≤", "≥", "="}, func(symbol string) string {
		if symbol == "found" {
			return ""
		}
		return symbol + " is not known here; known is found"
	})
	if err != nil {
		return nil, "", err
	}
	return props.Tail(func(src *props.Source) props.TailTrial {
			shape := problems.SaddleMean{Gamma: src.LogReal("γ", 0.1, 1),
				Width: src.LogReal("width", 0.3, 3),
				Well:  props.OneOf(src, "well", problems.DoubleWell, problems.CosineWell)}
			shape.Parabolas = slices.Repeat([]float64{shape.Gamma}, src.Int("d", 8, 10)-1)
			shape.Between = problems.Heterogeneity{Pattern: problems.TwoCluster,
				Hessian: shape.Gamma * src.Real("ζ/γ", 0.01, 2),
				Linear:  src.Real("linear spread", 0, 1)}
			n := src.Int("n", 1, 6)
			p := props.Must(problems.Make(problems.OneEach(n), shape,
				src.Rand("directions"))).ByClient()
			x := make([]float64, p.Dim())
			regime := props.Where(props.Min("n", n, 2), props.Min("d", p.Dim(), 2),
				props.Allowed(1-r.Rate))
			m := drawSearch(src, p, x, shape.Gamma/src.Real("γ/δ", 1, 2))
			return props.TailTrial{Delta: 1 - r.Rate, Regime: regime,
				Run: func(t props.Trial, rec *props.Recorder) {
					_, found, err := m.Search(algos.NewOracle(algos.Sum(p)), x, algos.Keyed(t.Key))
					if err != nil {
						panic(err)
					}
					on := formula.Given(map[string]float64{"found": 0})
					if found {
						on.Is("found", 1)
					}
					for i := range said {
						said[i].Compare(rec, "", on.Of, true)
					}
				}}
		}).Effort(0.25), "searches at the saddle of wells whose curvature is $−γ$, $δ ≤ γ ≤ 2δ$, $n ≤ 6$, " +
			"$8 ≤ d ≤ 10$; $found$: 1 where a direction is reported, else 0", nil
}

// drawSearch draws how curvatures of at most −δ are searched for at x.
func drawSearch(src *props.Source, p problems.FiniteSum, x []float64, delta float64) algos.Neon2 {
	c := p.Constants(x)
	return algos.Neon2{L: c.L.Value, Rho: c.Rho.Value, Delta: delta,
		Deterministic: src.Bool("deterministic")}
}

// countedSearch are searches at a drawn point of random wells, of which is counted what they ask for:
// exactly, but for the deterministic form, whose bounds have logarithms.
func countedSearch(deterministic bool) *formula.Scene {
	s := &formula.Scene{Words: searchWords, Effort: 0.1,
		Said: "searches at a drawn point of random wells, whatever they find, $n ≤ 60$, " +
			"$1/2 ≤ C ≤ 3/2$, $0.05 ≤ p ≤ 1/2$, $L/4 ≤ δ < L$",
		Sizes: []string{"n", "d", "C", "p", "L", "δ"},
		Means: map[string]string{"gradients": "gradients of components", "full": "full gradients",
			"drawn": "indices that are drawn"}}
	if deterministic {
		s.Draw = formula.Once(func(src *props.Source, _ *props.Recorder) formula.Values {
			return formula.Given(drawCounts(src, true))
		})
		return s
	}
	s.Exact = func(src *props.Source, try func(on formula.Ratios)) {
		on := formula.Ratios{}
		for symbol, value := range drawCounts(src, false) {
			on[symbol] = new(big.Rat).SetFloat64(value)
		}
		try(on)
	}
	return s
}

// drawCounts draws a search and counts.
func drawCounts(src *props.Source, deterministic bool) map[string]float64 {
	a := drawSum(3, 60, false)(src)
	m := algos.Neon2{L: 2, Rho: 5, Delta: src.Real("δ", 0.5, 1.9), C: src.Real("C", 0.5, 1.5),
		Failure: src.Real("p", 0.05, 0.5), Deterministic: deterministic}
	drawn, o := 0, algos.NewOracle(a.p)
	if _, _, err := m.Search(o, a.x0, &algos.Altered{Randomness: a.random(),
		Ints: func(set []int, _ int, _ algos.Purpose) { drawn += len(set) }}); err != nil {
		panic(err)
	}
	return map[string]float64{"n": float64(a.P), "d": float64(a.d), "C": m.C, "p": m.Failure,
		"L": m.L, "δ": m.Delta, "drawn": float64(drawn),
		"gradients": float64(o.Counts().Gradients), "full": float64(o.Counts().Full)}
}
