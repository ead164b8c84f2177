package bounds

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/bounds/operating"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/keyed"
	"sledge/props/ledger"
)

// quest is a drawn instance of a search: a run that ends when it has found something, such as a way
// out of a region.
type quest struct {
	values  map[string]float64 // of the symbols
	K       int                // local steps of a round; 0 without
	lead    int                // steps that a run may take before they count
	fail    float64            // what ν/T, or ν/(TK), or ν, comes to
	regime  props.Regime
	problem algos.Problem
	// start returns the method as a control has it, where it begins, and its randomness
	start func(t props.Trial) (algos.Method, []float64, algos.Randomness)
	// found is told all points of a run, and says whether what is sought is there, and from which
	// step on the run counts
	found func(run algos.Problem) func(step int, x []float64) (since int, ok bool)
	// of a sweep: the instance with another value of what is swept
	at func(x float64) *quest
	// see [props.HittingTrial]
	picture func(key keyed.Key) props.Curve
}

// run searches for at most so many steps, local ones where there are such, and returns how many of
// them counted.
func (q *quest) run(t props.Trial, most int) (time int, ok bool) {
	m, x0, r := q.start(t)
	problem, share, since := algos.Recall(q.problem), stepShare{from: smallErrors}, 0
	each := 8
	if q.regime.Matter == erring {
		share.from, each = noticeable, max(1, q.K)
	}
	defer share.Report(t)
	monitor, found := algos.NewMonitor(problem), q.found(problem)
	steps, ok := search(m, answers(t, problem), x0, r, q.lead+most,
		func(step int, x []float64) (done bool) {
			if q.regime.Matter != "" && step > q.lead && step%each == 0 {
				share.look(m, monitor, m.Point())
			}
			since, done = found(step, x)
			return done
		})
	time = max(1, steps-since)
	return time, ok && time <= most
}

// arriving tells points by what they are, and counts all steps.
func arriving(at func(run algos.Problem) func(x []float64) bool) func(algos.Problem) func(int,
	[]float64) (int, bool) {
	return func(run algos.Problem) func(int, []float64) (int, bool) {
		there := at(run)
		return func(_ int, x []float64) (int, bool) { return 0, there(x) }
	}
}

// search runs a method for at most so many steps, local ones where there are such, and returns
// after how many of them found holds at the point. A run that diverges ends, and so does one of a
// method that has finished.
func search(m algos.Method, p algos.Problem, x0 []float64, r algos.Randomness, most int,
	found func(step int, x []float64) bool) (step int, ok bool) {
	if err := m.Start(algos.NewOracle(p), x0, r); err != nil {
		panic(err) // the ranges of the checks are valid
	}
	if found(0, x0) {
		return 0, true
	}
	local, _ := m.(interface{ LocalPoints() [][]float64 })
	finisher, _ := m.(algos.Finisher)
	for step < most && (finisher == nil || !finisher.Finished()) {
		m.Step()
		points := [][]float64{nil, m.Point()}
		if local != nil {
			points = local.LocalPoints()
		}
		for _, x := range points[1:] {
			if step++; found(step, x) {
				return step, step <= most
			}
		}
		if x := m.Point(); math.IsNaN(x[0]) || math.IsInf(x[0], 0) {
			break
		}
	}
	return step, false
}

// searchScene are drawn instances of searches for some methods.
type searchScene struct {
	draw    func(src *props.Source, s *searches) *quest
	methods []string
	said    string
	locally string // the same of FLEDGE; empty if it is no other
	known   string // the symbols that its bounds may name
	swept   string // what it can sweep
	points  int    // of a sweep; 0 stands for 4
	words   *formula.Vocabulary
	effort  float64
	local   float64 // the same of FLEDGE; 0 if it is no other
	failing bool    // the probability is a multiple of ν/T, or ν/(TK), or of ν
	erring  bool    // errors are to matter
}

var (
	searchWords, passWords = Symbols("searches"), Symbols("passes")
	ofTheorems             = []string{"SLEDGE-I", "SLEDGE-II", "FLEDGE-I", "FLEDGE-II"}
	onChains               = slices.Sorted(maps.Keys(escapers))
)

// What is said of two scenes.
const (
	repaired = "$8 ≤ d ≤ 16$, from the first saddle to an $(ε,δ)$-second-order point, $R = π/2$, $σ = " +
		"G = 0$, with $b$, $p$, $r$, $T_2$ and $T_6$ of the repaired theorem, all of whose constants are 1"
	wavy = "$γw²Σ(cos(x_k/w) − 1)$ in 32 to 48 dimensions, all of whose points have $‖∇f‖ ≤ ε$, to an " +
		"$(ε,δ)$-second-order point, $δ = 0.7γ$, $η = 1/(4L)$, $r = ηε/2$"
)

// fromSingle is the scene of [single].
func fromSingle(n problems.Range, gamma, zeta, overNoise, effort float64,
	said string) searchScene {
	return searchScene{draw: single(n, gamma, zeta, overNoise), methods: ofTheorems[1:2],
		said: said + ", $ηL = 1/2$ and $b = √n + ζ²/γ²$ where they are not swept, $2 ≤ d ≤ 4$, from " +
			"the saddle to the distance $R = 0.05$",
		known: "R r d η γ n b ζ", swept: "γ ηL R/r b d", words: searchWords, effort: effort}
}

// ofUse is a scene of SLEDGE, or of FLEDGE too, in the units of some words, where errors matter.
func ofUse(draw func(src *props.Source, s *searches) *quest, words *formula.Vocabulary,
	methods []string, said string, effort float64) searchScene {
	return searchScene{draw: draw, methods: methods, said: components + said,
		locally: someClients + said, known: knownOfUse, words: words, effort: effort,
		local: runEffort / 2, failing: true, erring: true}
}

// What is said of scenes of use, and known there.
const (
	knownOfUse  = "C_1 n P p K b L ζ σ G σ_c G_c Δ μ η ε ν κ"
	components  = "$16 ≤ n ≤ 48$, $8 ≤ d ≤ 16$, "
	someClients = "$8 ≤ P ≤ 24$ of 8 data each, $8 ≤ d ≤ 12$, $2 ≤ K ≤ 4$, "
	steeper     = "slides steeper than $ε$ all the way down, "
	inMean      = ", $η$ that of the bounds in expectation, $κ$ the variance of a sample without " +
		"replacement over that of one with it, to a point with "
	small = "$‖∇f‖ ≤ ε$"
)

// region is the scene of [outOfRegion].
func region(tied bool, said string) searchScene {
	return searchScene{draw: outOfRegion(tied), methods: []string{ofTheorems[1], ofTheorems[3]},
		said: "$n ≤ 40$, $8 ≤ d ≤ 10$, $b ≥ √n + ζ²/δ²$" + said + ", from $τ$ on, given what is drawn " +
			"up to it, to the distance $R = δ/(4ρ)$ from $x^{τ0}$; the least eigenvalue there is $−γ ≤ −δ$",
		locally: "$9 ≤ P ≤ 16$, $8 ≤ d ≤ 10$, $p ≥ √P + 9ζ²/δ² + 9L²/(Kbδ²)$, $b ≥ K$" + said +
			", from $(τ0,κ0)$ on, $κ0 = 0$, given what is drawn up to it, to the distance $R = δ/(4ρ)$ " +
			"from $x^{τ0,κ0+1}$; the least eigenvalue at the saddle is $−γ ≤ −δ$",
		known: "R r r_e d η γ K T ν", words: searchWords, effort: 1, local: 0.5, failing: true}
}

// onChain is a scene of the saddle laboratory.
func onChain(draw func(src *props.Source, s *searches) *quest, said, swept string,
	effort float64) searchScene {
	return searchScene{draw: draw, methods: onChains, known: "R m r d η γ", swept: swept,
		words: searchWords, effort: effort, said: said + ", $8 ≤ n ≤ 20$; a saddle is left at the " +
			"distance $R = π/2$"}
}

// searchScenes are those of all searches.
var searchScenes = map[string]searchScene{
	"separable": region(true, ""),
	"apart":     region(false, ", $r_e$ from $r$ to $1e8r$"),
	"chain": onChain(throughChain, "$m$ = 2 or 3 saddles, $8 ≤ d ≤ 40$, until the last is left", "",
		0.05),
	"second saddle": onChain(atSecond(false), "two saddles, $4 ≤ d ≤ 16$, from where the first is "+
		"left until the second is", "ηL γηL/r", 1),
	"many dimensions": onChain(atSecond(true), "two saddles, $8 ≤ d ≤ 256$, or 1000 for PGD and 128 "+
		"for FLEDGE, from where the first is left until the second is", "", 0.05),
	"long chain": onChain(alongChain, "$m$ saddles after the first in $d = 34$, from where that is "+
		"left, $η = 1/(2L)$, $r = γ/1000$", "m", 0.05),
	"saddle": fromSingle(problems.Sizes(1, 12), 0.2, 3, 1e9, 3,
		"$n ≤ 12$, $ζ$ up to some $3γ$, $γ = 0.2$, $R/r = 1e9$"),
	"many": fromSingle(problems.Sizes(2000, 2000), 0.5, 1, 1e4, 2,
		"$n = 2000$, $ζ$ up to some $γ$, $γ = 0.5$, $R/r = 1e4$"),
	"unlike": fromSingle(problems.Sizes(1100, 1100), 0.2, 15, 1e4, 2,
		"$n = 1100$, $ζ$ up to some $15γ$, $γ = 0.2$, $R/r = 1e4$"),
	"pass": {draw: overPass, methods: slices.Sorted(maps.Keys(escapes)), known: "η δ ε K",
		said: "$L ≤ 1$, $ρ = 1$, $ζ = δ ≤ 0.2$, at most 32 components, or clients, from a saddle with " +
			"the least eigenvalue $−2δ$ to an $(ε,δ)$-second-order point, $ε = δ²$",
		words: passWords, effort: 0.25},
	"theorem": {draw: fromSaddle, methods: ofTheorems,
		known:   "n P p K b L ρ ζ Δ σ_c G_c σ G C_1 C_b C_e η ε δ r T_2 T_6 m d R γ",
		said:    "$m$ = 1 or 2 saddles of curvature $−γ$, $16 ≤ n ≤ 48$, " + repaired,
		locally: "a saddle of curvature $−γ$, $16 ≤ P ≤ 32$ of one datum, " + repaired,
		words:   searchWords, effort: 0.5, local: 0.25},
	"waves": {draw: underLargeNoise, methods: ofTheorems, known: "L ρ ζ Δ ε δ K",
		said: wavy, locally: wavy + ", $p = P = 4$, $K = 1$, $ζ = 1.1δ$",
		words: searchWords, effort: 0.25, local: 0.5},
	"slides": ofUse(downSlope(use{0.75e-3, 1.5, 1, 2000}, operating.Downhill, inExpectation),
		searchWords, ofTheorems[:2], steeper+"$ζ ≥ L/1000$"+inMean+small, 0.5),
	"unlike slides": ofUse(downSlope(use{0.075, 1.5, 1, 2000}, operating.Downhill, inExpectation),
		searchWords, ofTheorems[:2], steeper+"$ζ ≥ L/20$"+inMean+small, 0.5),
	"ramps": ofUse(downSlope(use{0.075, 1.5, 1, 2000}, operating.Ramp, inExpectation),
		searchWords, ofTheorems, "ramps of slope $1.02ε$, $ζ ≥ L/20$"+inMean+small, 0.25),
	"valleys": ofUse(alongValley, passWords, ofTheorems,
		"a quadratic and its weakest direction"+inMean+"$f − f* ≤ ε$", 0.25),
	"kinks": {draw: onKinks, methods: ofTheorems[3:], known: knownOfUse, words: searchWords,
		effort: runEffort, failing: true, said: someClients + "sums of $ax²/2$ for $x < 0$ and " +
			"$bx²/2$ for $x > 0$, $η$ that of the theorem with constants 1, to a point with $‖∇f‖ ≤ ε$"},
	"alike ramps": {draw: alikeRamps.draw, methods: ofTheorems[3:], known: "L ζ Δ ε ν P p K b",
		swept: "LΔ/ε²", points: 6, words: searchWords, effort: 1,
		said: "ramps of slope $3ε/2$, $P = (LΔ/ε²)²$ clients that agree, $p = K = b = 1$, two data " +
			"with ripples of slope $ε$, $η = 4/(L√P)$, to a point with " + small},
	"long ramps": {draw: singleData.draw, methods: ofTheorems[3:], known: "L Δ ε K b", swept: "K",
		points: 6, words: searchWords, effort: 4,
		said: "ramps of slope $3ε/2$, $LΔ/ε² = 2000$, $P = 64$ clients that agree, $p = 8$, $b = 1$, " +
			"data with wide ripples of slope $15ε$, $η = 8/(L√K)$, to a point with " + small},
	"alike slides": {draw: downSlope(use{0.75e-8, 0.75e-5, 1, 2000}, operating.Downhill, literally),
		methods: ofTheorems[:2], known: "C_1 n b L ζ σ_c G_c Δ η ε ν", words: searchWords, effort: 0.5,
		failing: true, said: components + steeper + "$ζ ≤ L/10⁵$, $η$ that of the theorem, $C_1 = " +
			"max{log(nT/ν), log(1/ν + n + d + T)}$, $r ≤ ηε/2$, to a point with " + small},
	"drift": {draw: withDrift, methods: ofTheorems[3:], known: "L ρ ζ Δ ε δ K",
		said: "$hx²/2$ and clients of curvature $h ± ζ/2$, all of them sampled, $ζ ≥ 10h$, $δ = 0.9ζ$, " +
			"$ηζK ≥ 20$, to a point with $‖∇f‖ ≤ ε$",
		words: searchWords, effort: 0.5},
}

// searches is a statement about how long a method searches, in steps, local ones where there are
// such, or in rounds: with some probability at most a bound, or a law for its median along a sweep.
type searches struct {
	searchScene
	inequalities
	method    string
	noiseless bool
	unit      string // "steps" or "rounds"
	bound     *formula.Formula
	// of a law: what is swept, from where to where, whether the law is a bound, and the margin of
	// the exponent
	label  string
	ends   [2]*formula.Formula
	upper  bool
	margin float64
}

// option is that at the end of the name of the method.
func (s *searches) option() algos.Option {
	if strings.HasSuffix(s.method, "-I") {
		return algos.OptionI
	}
	return algos.OptionII
}

func (s *searches) federated() bool { return strings.HasPrefix(s.method, "FLEDGE") }

func readSearches(r ledger.Runs) (s *searches, err error) {
	scene, found := searchScenes[r.Family]
	if !found {
		return nil, fmt.Errorf("no scene of searches has the name %q; they are %s", r.Family,
			strings.Join(slices.Sorted(maps.Keys(searchScenes)), ", "))
	}
	if !slices.Contains(scene.methods, r.Method) {
		return nil, fmt.Errorf("searches on %s are of %s, and not of %s", r.Family,
			strings.Join(scene.methods, ", "), r.Method)
	}
	if r.Drawn != "" || r.With != "" && r.With != "r = 0" {
		return nil, fmt.Errorf("searches have no ranges, and no parameter but r = 0: %s",
			r.With+r.Drawn)
	}
	s = &searches{searchScene: scene, method: r.Method, noiseless: r.With != "", margin: 0.1}
	text, rest, swept := strings.Cut(r.Statement, ";")
	clauses, err := s.words.Relations(text)
	if err != nil {
		return nil, err
	}
	fail := func(what string, of ...any) error {
		return &formula.Error{Text: r.Statement, Column: 1, What: fmt.Sprintf(what, of...)}
	}
	if len(clauses) != 1 || len(clauses[0].Sides) != 2 {
		return nil, fail("a search has one bound, or one law")
	}
	if err := s.words.Units(clauses[0]); err != nil {
		return nil, err
	}
	left, law := clauses[0].Sides[0].String(), clauses[0].Sides[1]
	if s.unit = left; left != "steps" && left != "rounds" {
		return nil, fail("a search takes steps or rounds, and not %s", left)
	}
	if swept {
		if clauses[0].Relations[0] != "=" || law.Op != "order" || law.Name != "Θ" && law.Name != "O" {
			return nil, fail("%s = Θ(…) or = O(…) is swept", left)
		}
		s.upper, law = law.Name == "O", law.Args[0]
		if err := s.sweep(rest, fail); err != nil {
			return nil, err
		}
	} else if clauses[0].Relations[0] != "≤" {
		return nil, fail("%s ≤ a bound, or a law and what is swept", left)
	}
	for _, name := range law.Symbols() {
		if !slices.Contains(strings.Fields(s.known), name) {
			return nil, fail("%s is nothing that is known on %s; it is %s", name, r.Family, s.known)
		}
	}
	if s.bound, err = formula.Parse(s.words, law.String()); err != nil {
		return nil, err
	}
	return s, s.allowed(r, swept)
}

// sweep reads what is swept.
func (s *searches) sweep(text string, fail func(string, ...any) error) (err error) {
	text, margin, narrow := strings.Cut(text, "; within ")
	label, ends, _ := strings.Cut(text, "=")
	from, to, found := strings.Cut(ends, " to ")
	if s.label = strings.TrimSpace(label); !found ||
		!slices.Contains(strings.Fields(s.swept), s.label) {
		return fail("%q is no sweep from … to …; what is swept here is %s", strings.TrimSpace(text),
			s.swept)
	}
	for k, end := range []string{from, to} {
		if s.ends[k], err = formula.Parse(s.words, end); err != nil {
			return err
		}
	}
	if narrow {
		if s.margin, err = strconv.ParseFloat(margin, 64); err != nil || !(s.margin > 0) {
			return fail("%q is no margin of an exponent", margin)
		}
	}
	return nil
}

// allowed reads the probability.
func (s *searches) allowed(r ledger.Runs, swept bool) error {
	share, err := strconv.ParseFloat(r.Chance, 64)
	switch {
	case swept && r.Chance == "":
		return nil
	case swept:
		return fmt.Errorf("a law is about medians, and not with probability %s", r.Chance)
	case s.failing:
		return s.miss(r.Chance)
	case err != nil || !(share > 0 && share < 1):
		return fmt.Errorf("%q is no probability between 0 and 1", r.Chance)
	}
	s.missed = formula.Must(s.words, fmt.Sprintf("1 − %v", share)).Of("ν", "T", "K")
	return nil
}

func (s *searches) domain() string {
	said := s.said
	if s.federated() {
		said = cmp.Or(s.locally, said)
	}
	if said = "for " + said; s.label != "" {
		return said + "; medians"
	}
	return said
}

func (s *searches) check() props.Check {
	if s.federated() {
		s.effort = cmp.Or(s.local, s.effort)
	}
	if s.label != "" {
		return s.law()
	}
	return props.Hitting(func(src *props.Source) props.HittingTrial {
		q := s.draw(src, s)
		if q == nil {
			return props.HittingTrial{Delta: 1}
		}
		K := s.in(q)
		horizon, fail := int(s.bound.At(q.values)), s.missed.At(1, 1, 1)
		if s.failing {
			fail *= q.fail
		}
		if s.erring {
			q.regime = reporting(erring, q.regime)
		}
		return props.HittingTrial{Horizon: horizon, Delta: fail, Picture: q.picture,
			Regime: q.regime.And(props.Min(s.unit, horizon, LeastSteps), props.Allowed(fail)),
			Run: func(t props.Trial) (int, bool) {
				time, ok := q.run(t, patience(t, horizon)*K)
				return (time + K - 1) / K, ok
			}}
	}).Effort(s.effort)
}

// in is how many steps one of the unit has.
func (s *searches) in(q *quest) int {
	if s.unit == "rounds" {
		return max(1, q.K)
	}
	return 1
}

// law is the sweep: the time over the law has a median without a trend. A run that takes a hundred
// times as long as the law has no time, and the engine says so.
func (s *searches) law() props.Check {
	return props.Slope(func(src *props.Source) props.SlopeTrial {
		q := s.draw(src, s)
		x := floats.LogSpan(make([]float64, cmp.Or(s.points, 4)), s.ends[0].At(q.values),
			s.ends[1].At(q.values))
		return props.SlopeTrial{XLabel: s.label, YLabel: s.unit + " over " + s.bound.String(), X: x,
			TwoSided: !s.upper, Margin: s.margin, Of: props.OfMedian,
			Regime: q.regime.And(props.Sweep(s.label, x)),
			Run: func(t props.Trial, x float64) float64 {
				v := q.at(x)
				law, K := s.bound.At(v.values), s.in(v)
				if time, ok := v.run(t, int(100*law)*K); ok {
					return float64((time+K-1)/K) / law
				}
				return math.Inf(1)
			}}
	}).Effort(s.effort)
}
