package bounds

import (
	"maps"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/certificate"
	"sledge/props/formula"
)

var gapWords = Symbols("gaps")

// pairScene is a scene at pairs of points, or runs, near a saddle. What settles a statement stands by it.
func pairScene(said string, effort float64, draw func(*props.Source, *props.Recorder,
	func(string, formula.Values)), means map[string]string, settled map[string]props.Procedure,
	sizes ...string) *formula.Scene {
	return &formula.Scene{Words: gapWords, Said: said, Effort: effort, Draw: draw, Means: means,
		Sizes: sizes, Settle: settledBy(settled)}
}

// settledBy settles statements by what proves each of them.
func settledBy(proofs map[string]props.Procedure) func(said string) props.Procedure {
	return func(said string) props.Procedure { return proofs[said] }
}

// alongScene is one of vectors.
func alongScene(said string, effort float64, draw func(*props.Source, *props.Recorder, vectors),
	means map[string]string, settled map[string]props.Procedure, sizes ...string) *formula.Scene {
	s := pairScene(said, effort, nil, means, settled, sizes...)
	s.Along = draw
	return s
}

// vectors tries what is said of them, coordinate by coordinate.
type vectors = func(name string, on []formula.Values, size float64)

// along are coordinates of vectors beside other symbols.
func along(named map[string][]float64, beside map[string]float64) (on []formula.Values) {
	for symbol, v := range named {
		for j := range v {
			if j == len(on) {
				on = append(on, formula.Given(beside))
			}
			on[j].Is(symbol, v[j])
		}
	}
	return on
}

// ofPairs draws two coupled runs.
func ofPairs[T any](l coupledRange, each func(p *coupledRuns, try T)) func(*props.Source,
	*props.Recorder, T) {
	return func(src *props.Source, rec *props.Recorder, try T) {
		if p := drawCoupled(src, rec, l); p != nil {
			each(p, try)
		}
	}
}

// The means of symbols of gaps, and of those of differences of runs along a coordinate.
var (
	ofGaps = map[string]string{"‖u‖": "$‖u_i^s‖$", "‖w‖": "$‖w^s‖$", "‖w'‖": "$‖w^{s−1}‖$",
		"‖w−w'‖": "$‖w^s − w^{s−1}‖$",
		"R":      "bound on the distances of both runs from where the Hessians are taken"}
	ofNext = map[string]string{"w'": "a coordinate of the next difference of the runs",
		"w": "of the last", "e": "of $e$", "grown": "$(1 + ηγ)^m r_e$ after $m$ steps",
		"S":      "of the sum of $ηH(I − ηH)^j$ times what drives the difference besides",
		"driven": "of the same without $ηH$",
		"F":      "of the last summand of that"}
	ofKicks      = map[string]string{"‖u‖": "the largest $‖u_i^τ‖$"}
	ofQuadratics = map[string]string{"‖w‖": "$‖x − y‖$",
		"‖u‖": "the largest $‖∇f_i(x) − ∇f_i(y) − (∇f(x) − ∇f(y))‖$"}
	ofTables = map[string]string{"g": "a coordinate of $g^t$",
		"own":   "of the part of the $u_i^s$, $s$ from $τ0$ to $t$",
		"data":  "of that of the $u_ij^s$",
		"fresh": "of that of the last minibatches of clients drawn since $τ0$; all are 0 for $t < τ0$"}
)

// kick are runs whose components may differ much, for a step after the perturbation.
func kick(d problems.Range, differ ...problems.Pattern) coupledRange {
	return coupledRange{saddleRange: saddleRange{P: problems.Sizes(2, 12), d: d, zeta: 100,
		patterns: differ}, most: 1, radius: 1}
}

// gapScenes are gaps of functions and sums.
func gapScenes() map[string]*formula.Scene {
	ofData := maps.Clone(ofGaps)
	ofData["‖u'‖"], ofData["m"] = "$‖u_ij^s‖$", "data of a client"
	ofComponents := map[string]props.Procedure{"‖u‖ ≤ ζ‖w−w'‖ + 2ρR‖w‖ + 2ρR‖w'‖": triangle}
	return map[string]*formula.Scene{
		"components of pairs": pairScene("for wells with third derivatives, $2 ≤ n ≤ 8$, $d ≤ 2$, at points "+
			"of a region", 1, componentsOfPairs, ofGaps, ofComponents, "ζ", "ρ"),
		"cubic outliers": pairScene("for $n ≤ 1000$ components $ρx³/6$ on the line, of which one has the "+
			"opposite sign", 1, formula.Once(gapOfCubics), ofGaps, ofComponents, "ζ", "ρ"),
		"data of pairs": pairScene("for wells of $P ≤ 4$ clients of $2 ≤ m ≤ 8$ data, $d ≤ 2$, at points of a "+
			"region", 0.5, dataOfPairs, ofData, map[string]props.Procedure{
			"‖u‖ ≤ ζ‖w−w'‖ + 2ρR‖w‖ + 2ρR‖w'‖; ‖u'‖ ≤ 2L‖w−w'‖ + 2ρR‖w‖ + 2ρR‖w'‖": triangle,
			"‖u'‖ ≤ 2(1 − 1/m)L‖w−w'‖ + 2ρR‖w‖ + 2ρR‖w'‖":                          amongMean,
		}, "ζ", "L", "ρ"),
		"gradients of pairs": alongScene("for wells with third derivatives, $n ≤ 6$, $d ≤ 3$, and two points", 1,
			gradientsOfPairs, map[string]string{"g": "a coordinate of $∇f_i(x) − ∇f_i(x̃)$",
				"I": "of $∫_0^1 ∇²f_i(x̃ + θ(x − x̃))(x − x̃)dθ$"}, nil),
		"quadratics": pairScene("for quadratics of $2 ≤ n ≤ 40$ components, $d ≤ 4$, and two points", 1,
			formula.Once(gapsOfQuadratics(problems.Sizes(1, 4), problems.Differing)), ofQuadratics, nil,
			"n", "ζ"),
		"outliers on a line": pairScene("for quadratics of $2 ≤ n ≤ 40$ components, all but one of which "+
			"agree, and two points", 0.5, formula.Once(gapsOfQuadratics(problems.Sizes(1, 1),
			[]problems.Pattern{problems.Outlier})), ofQuadratics, nil, "n", "ζ"),
		"first terms": {Words: gapWords, Exact: firstTerms, Scope: certificate.Sizes,
			Said:  "all $n ≤ 6$, $1 ≤ b ≤ n$, $0 ≤ m ≤ n − b$, with $u_i = i²$ up to centring",
			Sizes: []string{"n", "b"}, Means: map[string]string{"m": "$|Ĩ_τ^t|$",
				"mean": "mean square of the first term", "‖z‖²": "$(1/n)Σ_i‖u_i^τ‖²$"}},
	}
}

// runScenes are two coupled runs.
func runScenes() map[string]*formula.Scene {
	const runs = "for two coupled runs with $n ≤ 8$, $d ≤ 3$"
	start := coupledRange{saddleRange: smallSteps, most: 3, radius: 0.5}
	smooth := coupledRange{saddleRange: saddleRange{P: smallN, d: smallD, smooth: true, gamma: 0.1},
		most: 6, radius: 1}
	return map[string]*formula.Scene{
		"eigenvectors": alongScene(runs+", along each coordinate", 1, ofPairs(start, (*coupledRuns).starts),
			map[string]string{"He": "a coordinate of $∇²f(x^{τ0})e$", "e": "of $e$"},
			map[string]props.Procedure{"He = −γe": kicked}, "γ"),
		"perturbations": alongScene(runs, 1, ofPairs(start, (*coupledRuns).kicks),
			map[string]string{"along": "$⟨x_1 − x_2, e⟩$"},
			map[string]props.Procedure{"along = r_e": kicked}, "r_e"),
		"couplings": alongScene(runs+", along each coordinate", 1, ofPairs(coupledRange{
			saddleRange: smallSteps, most: 3, radius: 1}, (*coupledRuns).couplings), map[string]string{
			"w": "a coordinate of $w^t$, $t ≤ τ$", "g": "of $v^t$ before $τ$",
			"F": "of the other run's", "e": "of $e$", "r_e": "that of the perturbation, 0 before $τ$"}, nil),
		"ends of runs": pairScene(runs, 1, ofPairs(coupledRange{saddleRange: smallSteps, most: 12,
			radius: 0.5}, (*coupledRuns).ends), map[string]string{"‖w‖": "$‖w^T‖$",
			"grown": "$(1 + ηγ)^{T−τ}r_e$"}, nil, "ρ", "b", "n"),
		"kicks": pairScene("for two coupled runs with $2 ≤ n ≤ 12$, $d ≤ 2$", 2, ofPairs(kick(
			problems.Sizes(1, 2)), (*coupledRuns).gapsOfKicks), ofKicks, nil, "n", "ζ", "r_e"),
		"kicks of outliers": pairScene("for two coupled runs with $2 ≤ n ≤ 12$ on a line", 0.5,
			ofPairs(kick(problems.Sizes(1, 1), problems.Outlier), (*coupledRuns).gapsOfKicks), ofKicks, nil,
			"n", "ζ", "r_e", "ρ"),
		"increments": alongScene(runs+", along each coordinate", 1, ofPairs(
			coupledRange{saddleRange: smallSteps, most: 12, radius: 1}, (*coupledRuns).increments), ofNext,
			map[string]props.Procedure{"w' − w = ηγ grown e + ηS − ηF": unrolled}, "η", "γ"),
		"local increments": alongScene("for two coupled runs of FLEDGE with $P ≤ 4$, along each coordinate",
			0.3, ofPairs(smallRuns, (*coupledRuns).increments), ofNext, nil, "η", "γ"),
		"drifts": pairScene(runs, 0.5, ofPairs(smooth, (*coupledRuns).drifts), map[string]string{
			"‖dHw‖": "$‖dH^tw^t‖$", "‖w‖": "$‖w^t‖$", "grown": "$(1 + ηγ)^{t−τ}r_e$",
			"R": "the farthest that the runs get from $x^{τ0}$"},
			map[string]props.Procedure{"‖dHw‖ ≤ 2ρR grown if ‖w‖ ≤ 2grown": driftOfHessian}, "ρ"),
		"tables of pairs": alongScene("for two coupled runs of FLEDGE with $P ≤ 4$, along each coordinate", 0.3,
			ofPairs(smallRuns, (*coupledRuns).partsOfTables), ofTables, nil),
		"differences of pairs": alongScene("for two coupled runs with $n ≤ 5$, $d ≤ 3$", 0.3, ofPairs(
			coupledRange{saddleRange: saddleRange{P: problems.Sizes(1, 5), d: smallD}, most: 3, radius: 1},
			(*coupledRuns).expansions), map[string]string{
			"own": "a coordinate of $u_i^s$, and of $E_iu_i^s$ beside 0 for all else",
			"g":   "of $(H_i + dH_i^s)w^s$", "F": "of $(H_i + dH_i^{s−1})w^{s−1}$",
			"S": "of $(H + dH^s)w^s$", "I": "of $(H + dH^{s−1})w^{s−1}$"}, nil),
		"local errors of pairs": alongScene("for two coupled runs of FLEDGE with $P ≤ 4$", 0.3,
			ofPairs(smallRuns, (*coupledRuns).errorsInside), map[string]string{
				"g": "a coordinate of $h^{t,k}$", "own": "of $u_{i_t}^{t,k}$",
				"data": "of $(1/b)Σ_{l≤k}Σ_{J^{t,l}}u_{i_t,j}^{t,l}$; all are 0 before the " +
					"perturbation"}, nil),
		"windows of norms": pairScene("for differences of two runs over at most 6 rounds of any length", 1,
			formula.Once(windowsOfNorms), map[string]string{
				"own": "$√Σ_s(ζ‖w^s−w^{s−1}‖+D_s)²$", "data": "$√Σ_s(2L‖w^s−w^{s−1}‖+D_s)²$",
				"moved": "$Σ_sΣ_k‖w^{s,k}−w^{s,k−1}‖²$", "R": "$√Σ_s‖w^s‖²$", "w": "$max_s‖w^s‖$"}, nil,
			"C_1", "L", "ζ", "δ", "C_e", "P", "p", "K", "b", "r_e"),
	}
}

// phaseScenes are phases of steps and rounds.
func phaseScenes() map[string]*formula.Scene {
	return map[string]*formula.Scene{
		"rounds of phases": phases("all patterns of a phase of T_6 = 2 or 3 and at most 12 local steps",
			"T_6", eachPhase),
		"phases of steps": phases("all patterns of a phase, T_2 ≤ 6", "T_2", eachOfSteps),
		"phases of descent": {Words: gapWords, Draw: formula.Once(phaseOfDescent), Whole: true,
			Said:  "for gradient descent on convex quadratics and $ε$ one of its gradient norms, $T_2 ≤ 6$",
			Sizes: []string{"T_2"}, Means: ofPhases},
		"strict saddles": {Words: gapWords, Draw: formula.Once(gapOfSaddle),
			Said: "for strict saddles of $n ≤ 3$, $d ≤ 3$, and points at which $∇²f$ has an " +
				"eigenvalue $−δ < 0$",
			Sizes: []string{"δ", "ρ"}, Means: map[string]string{"Δ": "$f(x) − f*$"},
			Settle: settledBy(map[string]props.Procedure{"Δ ≥ 2δ³/(3ρ²)": lowered})},
		"windows of steps": paths(1, 1), "windows of phases": paths(6, 1), "phases": paths(6, 2),
	}
}
