package bounds

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// quantity is what a statement about the parts of errors may name: what it is, and what it comes to
// at step, or round, t, local step k.
type quantity struct {
	what string
	of   func(p *path, t, k int) float64
}

// norm is the quantity of a vector.
func norm(what string, of func(p *path, t, k int) []float64) quantity {
	return quantity{what, func(p *path, t, k int) float64 { return p.norm(of(p, t, k)) }}
}

// weightedNorm is that of (b) with the given weights, over the window or, where all is set, over
// all steps.
func weightedNorm(what string, weight func(p *path, t int) func(s int) float64,
	all bool) quantity {
	return norm(what, func(p *path, t, _ int) []float64 {
		if all {
			return p.batchTerm(1, t, weight(p, t))
		}
		return p.batchTerm(p.from(t), t, weight(p, t))
	})
}

// weightedSquares is Σ_{s≤t}(weight/P)²‖x^s − x^{s−1}‖².
func weightedSquares(what string, weight func(p *path, t int) func(s int) float64) quantity {
	return quantity{what, func(p *path, t, _ int) float64 {
		sum, weight := 0.0, weight(p, t)
		for s := 1; s <= t; s++ {
			sum += sq(weight(s)/float64(p.P)) * p.moved[s]
		}
		return sum
	}}
}

// unsampledSum is Σ_{s≤t} of a function of |Ĩ_s^t| times the sizes of steps, such as ‖x^s −
// x^{s−1}‖.
func (p *path) unsampledSum(size []float64, t int, of func(n, count int) float64) (sum float64) {
	for s, count := range p.unsampled(t) {
		if s > 0 && count > 0 {
			sum += of(p.P, count) * size[s]
		}
	}
	return sum
}

// sampleMean bounds the mean norm of the sum of l of n vectors with sum zero that are at most 1
// apart, and sampleRadius is the factor of the root of a logarithm in its tail; see
// [concentration.SampleNorm].
func sampleMean(n, l int) float64   { return math.Sqrt(float64(l*(n-l)) / float64(2*n)) }
func sampleRadius(n, l int) float64 { return math.Sqrt(concentration.SampleSquares(n, l)) }

// squaresOf says what [concentration.SampleSquares] is.
func squaresOf(l string) string {
	return "(n − l)²Σ_{j≤l}(n − j)^{−2}$, $l = min{" + l + ", n − " + l + "}$"
}

// quantities are what statements about the parts of errors may name, besides the sizes and
// constants of an instance and C_1.
var quantities = map[string]quantity{
	"‖a‖": norm("(a), the changes over the window of components (clients) that were not drawn",
		func(p *path, t, _ int) []float64 {
			if p.K > 0 {
				return p.clientTerm(p.from(t), t)
			}
			return p.remainingTerm(p.from(t), t)
		}),
	"‖A‖": norm("(a) over all $s ≤ t$",
		func(p *path, t, _ int) []float64 { return p.remainingTerm(1, t) }),
	"‖b‖": weightedNorm("(b), the changes of minibatches over the window", (*path).counted, false),
	"‖Eb‖": weightedNorm("(b) over the window with $E|Ĩ_s^t|$ for $|Ĩ_s^t|$",
		(*path).expected, false),
	"‖B‖": weightedNorm("(b) over all $s ≤ t$", (*path).counted, true),
	"‖EB‖": weightedNorm("(b) over all $s ≤ t$ with $E|Ĩ_s^t|$ for $|Ĩ_s^t|$", (*path).expected,
		true),
	"‖c‖": norm("(c), for SLEDGE the error of the start, for FLEDGE the noise of the "+
		"last minibatches of clients that were drawn in the window",
		func(p *path, t, _ int) []float64 {
			if p.K == 0 {
				return p.initialTerm(t)
			}
			least := 0 // with Option I the printed sum asks for what clients that drew none drew
			if p.option == algos.OptionI {
				least = 1
			}
			return p.freshTerm(max(least, t-p.window), t, t)
		}),
	"‖d‖": norm("(d), the noise of the start",
		func(p *path, t, _ int) []float64 { return p.startTerm(t) }),
	"‖e‖": {"minibatch part of (c)", func(p *path, t, _ int) float64 {
		return float64(p.unsampled(t)[1]) / float64(p.P) * p.norm(p.err[0])
	}},
	"‖h‖": norm("rest of (c)", func(p *path, t, _ int) []float64 {
		return plus(p.initialTerm(t), -float64(p.unsampled(t)[1])/float64(p.P), p.err[0])
	}),
	"‖u‖": norm("mean over the minibatch of step (round) $t$ of what the changes deviate by",
		func(p *path, t, _ int) []float64 { return p.means()[t] }),
	"‖f‖": norm("$z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0}))$", (*path).localError),
	"‖g‖": norm("noise of the local minibatches up to $x^{t,k}$",
		func(p *path, t, k int) []float64 { return p.localNoise(t, 1, k) }),
	"‖j‖": norm("noise of the local minibatch $J^{t,k}$",
		func(p *path, t, k int) []float64 { return p.localNoise(t, k, k) }),
	"‖v−∇f‖": {"error of the estimator", func(p *path, t, k int) float64 {
		return p.norm(p.err[p.number(t, k)])
	}},
	"step": {"$‖x^t − x^{t−1}‖$", func(p *path, t, _ int) float64 {
		return math.Sqrt(p.moved[t])
	}},
	"away": {"$‖x^{t,k} − x^{t,0}‖$", func(p *path, t, k int) float64 {
		return floats.Distance(p.tape.Local[t][k], p.tape.Local[t][0], 2)
	}},
	"within": {"$Σ_{l≤k}‖x^{t,l} − x^{t,l−1}‖²$", (*path).within},
	"last": {"$‖x^{t,k} − x^{t,k−1}‖²$",
		func(p *path, t, k int) float64 { return p.local[t][k] }},
	"moved": {"$Σ‖x^s − x^{s−1}‖²$ over the window",
		func(p *path, t, _ int) float64 { return p.walked(p.from(t), t) }},
	"inner": {"sum of the squared local steps of the rounds of the window of round $t − 1$",
		func(p *path, t, _ int) float64 {
			return p.inner(p.from(t-1), t-1)
		}},
	"apart": {"$Σ_s‖Σ_{i∈Ĩ_s^t}…‖²$ over the window, of what the changes deviate by",
		func(p *path, t, _ int) float64 { return p.apart(p.from(t), t) }},
	"spread": {"the largest $‖Σ_{i∈Ĩ_s^t}…‖²/(|Ĩ_s^t|‖x^s − x^{s−1}‖²)$ over the window, of what " +
		"the changes deviate by",
		func(p *path, t, _ int) (most float64) {
			count := p.unsampled(t)
			for s := p.from(t); s <= t; s++ {
				// n vectors of gradient size
				if square := squared(p.remaining(s, t), float64(p.P)*p.size); square > 0 {
					most = max(most, square/(float64(count[s])*p.moved[s]))
				}
			}
			return most
		}},
	"T_1": {"the length of the window",
		func(p *path, _, _ int) float64 { return float64(p.window) }},
	"early": {"1 where $t < T_1$, or $t ≤ T_3$, the length of the window, else 0",
		func(p *path, t, _ int) float64 {
			if t < p.window+min(1, p.K) {
				return 1
			}
			return 0
		}},
	"recent": {"the same over the last $⌈(n/b)log(nT/ν)⌉$ steps",
		func(p *path, t, _ int) float64 {
			return p.walked(windowStart(t, coverWindow(p.P, p.sampled(),
				coverageC1(p.P, p.T, p.nu))), t)
		}},
	"W":  weightedSquares("$Σ_{s≤t}(|Ĩ_s^t|/P)²‖x^s − x^{s−1}‖²$", (*path).counted),
	"EW": weightedSquares("$Σ_{s≤t}(E|Ĩ_s^t|/P)²‖x^s − x^{s−1}‖²$", (*path).expected),
	"D": {"$Σ(|Ĩ_s^t| − E|Ĩ_s^t|)²‖u^s‖²$ over the window",
		func(p *path, t, _ int) float64 {
			return p.deviation(p.from(t), t)
		}},
	"V": {"$Σ_{s≤t}(1 − b/n)^{2(t−s)}(‖x^s − x^{s−1}‖ + (b/n)Σ_r‖x^r − x^{r−1}‖)²$, " +
		"$r$ over the steps before $s$ since the oldest row was refreshed",
		func(p *path, t, _ int) float64 { return p.adaptive(p.lengths(), t) }},
	"R": {"$Σ_{s≤t}√(l(n − l)/(2n))‖x^s − x^{s−1}‖$, $l = |Ĩ_s^t|$",
		func(p *path, t, _ int) float64 { return p.unsampledSum(p.lengths(), t, sampleMean) }},
	"R'": {"$Σ_{s≤t}√S‖x^s − x^{s−1}‖$, $S = " + squaresOf("|Ĩ_s^t|"),
		func(p *path, t, _ int) float64 { return p.unsampledSum(p.lengths(), t, sampleRadius) }},
	"S_b": {"$" + squaresOf("b"), func(p *path, _, _ int) float64 {
		return concentration.SampleSquares(p.P, p.b)
	}},
	"S_m": {"$" + squaresOf("m"), func(p *path, t, _ int) float64 {
		return concentration.SampleSquares(p.P, p.unsampled(t)[1])
	}},
	"m": {"$|Ĩ_1^t|$", func(p *path, t, _ int) float64 {
		return float64(p.unsampled(t)[1])
	}},
	"ν": {"", func(p *path, _, _ int) float64 { return p.nu }},
	"T": {"", func(p *path, _, _ int) float64 { return float64(p.T) }},
}

// scene are instances from which such statements are tried, what is said of them, the effort that
// they are worth, and the least number of steps for which they are.
type scene struct {
	draft  func(src *props.Source) *instance
	said   string
	effort float64
	least  int
}

// from is the scene of drawn ranges.
func (l ranges) from(effort float64) scene {
	all := l.ofRuns().orDefault()
	between := func(name string, r problems.Range) string {
		return fmt.Sprintf("$%d ≤ %s ≤ %d$, ", r.Min, name, r.Max)
	}
	said := between("n", all.P)
	if l.federated() {
		said = between("P", all.P) + between("K", all.K) + between("b", all.b)
	}
	said += between("d", all.d) + between("T", all.T)
	s := scene{func(src *props.Source) *instance { return draftRun(src, l) },
		strings.TrimSuffix(said, ", "), effort, LeastSteps}
	switch {
	case all.T.Max < leastTailSteps: // what is said of single steps
		s.least = 0
	case all.T.Max < LeastSteps:
		s.least = leastTailSteps
	}
	return s
}

// sparse is the scene of [draftSparse] with P/p up to most.
func sparse(most int, effort float64) scene {
	return scene{func(src *props.Source) *instance { return draftSparse(src, most) },
		fmt.Sprintf("$p ≤ 2$, $10 ≤ P/p ≤ %d$, $K ≤ 2$, $b ≤ 2$, $8 ≤ d ≤ 10$, $P/p ≤ T ≤ 2P/p$",
			most),
		effort, LeastSteps}
}

// scenes are those for SLEDGE, and for FLEDGE.
var scenes = [...]map[string]scene{{
	"any":   ranges{}.from(1),
	"wide":  manyComponents.from(runEffort),
	"even":  evenSteps.from(runEffort),
	"long":  longSteps.from(0.1),
	"brief": ranges{P: problems.Sizes(2, 30), T: problems.Sizes(2, 4)}.from(1),
	"signed": ranges{P: longSteps.P, d: longSteps.d, T: longSteps.T, etaL: longSteps.etaL,
		few: true, between: []problems.Pattern{problems.TwoCluster, problems.Signs}}.from(0.1),
}, {
	"noisy":       noisyData.from(runEffort),
	"varied":      varied.from(runEffort),
	"brief":       varied.lasting(2, 4).from(runEffort),
	"steady":      steadyRounds.from(0.1),
	"local":       inner.from(runEffort),
	"forked":      forked.from(0.1),
	"crowded":     crowded.from(runEffort),
	"sparse":      sparse(60, runEffort),
	"very sparse": sparse(400, 1),
}}

func (l ranges) lasting(least, most int) ranges { l.T = problems.Sizes(least, most); return l }

// Stated makes the checks of what a ledger says about the parts of the errors of SLEDGE and FLEDGE
// on a scene, at every step, or round, t ≤ T, of those that two coupled runs near a saddle do not
// share, of the exact tails of minibatches, of kicks and saddles, and of how long methods search,
// and leaves all else to another; see [ledger.Ledger.Run]:
//
//	parts of SLEDGE-II on wide with probability 1 − ν: ‖a‖² ≤ (C_1³ζ²/b)moved
//	pairs of SLEDGE on close with probability 1 − ν/(4T): ‖second‖ ≤ (2C_1⁴/√b)√X
//	pairs of SLEDGE on proof with probability 1 − ν/T: time ≤ ⌈3log(R/r_e)/(ηγ log 2)⌉
//	samples of components with probability 1 − ν/(5T²): ‖Σ‖² ≤ C_1M
//	instances of slabs: share ≤ ν/T
//	searches of SSRGD on chain with probability 0.9: steps ≤ (5/2)m log(R√(2dηγ)/r)/(ηγ)
//	searches of SLEDGE-II on saddle: steps = Θ(log(R√(2dηγ)/r)/(ηγ)); γ = 0.0063 to 0.2; within 0.1
func Stated(other func(ledger.Runs) (props.Check, string, error)) func(ledger.Runs) (props.Check,
	string, error) {
	scenes := maps.Clone(instances)
	for _, more := range []map[string]*formula.Scene{gapScenes(), runScenes(), phaseScenes()} {
		maps.Copy(scenes, more)
	}
	other = ledger.Scenes("instances", scenes, other)
	return func(r ledger.Runs) (props.Check, string, error) {
		switch r.Of {
		case "parts":
			return made(readParts(r))
		case "pairs":
			return made(readPairs(r))
		case "samples":
			return made(readSamples(r))
		case "searches":
			return made(readSearches(r))
		}
		return other(r)
	}
}

// made makes the check of a statement that has been read.
func made[S interface {
	check() props.Check
	domain() string
}](s S, err error) (props.Check, string, error) {
	if err != nil {
		return nil, "", err
	}
	return s.check(), s.domain(), nil
}

// inequalities are what a statement about runs on a scene compares, and the probability with which
// it may fail, a multiple of ν.
type inequalities struct {
	formula.Relations
	missed *formula.Program
}

// values are what symbols come to on a run, at the step that is looked at.
type values map[string]float64

func (v values) of(symbol string) (value, size float64) { return v[symbol], 0 }

// link is what a step of a proof makes of what it bounds: a formula in the quantities of a run and
// in bound, what the statement itself makes of it.
type link struct{ what, by string }

// follow records the links of a proof, where look sets what else they name.
func (on values) follow(rec *props.Recorder, proof []link, words *formula.Vocabulary,
	look func(symbol string)) {
	for _, l := range proof {
		f := formula.Must(words, l.by)
		for _, symbol := range f.Symbols() {
			if _, known := on[symbol]; !known {
				look(symbol)
			}
		}
		rec.Link(l.what, f.At(on))
	}
}

// names of the two methods.
var both = [...]string{"SLEDGE", "FLEDGE"}

// sceneOf finds a scene by the name of a method, 0 for SLEDGE and 1 for FLEDGE, and its own.
func sceneOf[S any](scenes [2]map[string]S, method int, name string) (s S, err error) {
	s, found := scenes[method][name]
	if !found {
		err = fmt.Errorf("no scene of %s has the name %q; they are %s", both[method], name,
			strings.Join(slices.Sorted(maps.Keys(scenes[method])), ", "))
	}
	return s, err
}

// read reads them; wrong says what is wrong with a symbol.
func (s *inequalities) read(r ledger.Runs, words *formula.Vocabulary,
	wrong func(symbol string) string) (err error) {
	if r.With+r.Drawn != "" {
		return fmt.Errorf("%s have no parameters and ranges: %s", r.Of, r.With+r.Drawn)
	}
	if err := s.miss(r.Chance); err != nil {
		return err
	}
	s.Relations, err = words.Measured(r.Statement, []string{"≤"}, wrong)
	return err
}

// unless says that a symbol is not known, unless it is.
func unless(known bool, symbol string) string {
	if known {
		return ""
	}
	return symbol + " is nothing that is known of a run"
}

// miss reads the probability with which they hold.
func (s *inequalities) miss(chance string) error {
	rest, ok := strings.CutPrefix(chance, "1 − ")
	if f, err := formula.Parse(partWords, rest); ok && err == nil &&
		!slices.ContainsFunc(f.Symbols(), func(name string) bool {
			return !slices.Contains([]string{"ν", "T", "K"}, name)
		}) {
		s.missed = f.Of("ν", "T", "K")
		if one := s.missed.At(1, 2, 3); one > 0 && math.Abs(s.missed.At(0.5, 2, 3)/one-0.5) < 1e-9 {
			return nil
		}
	}
	return fmt.Errorf("%q is no probability 1 − a multiple of ν", chance)
}

// parts is a statement about parts of errors.
type parts struct {
	scene
	inequalities
	local     bool
	option    algos.Option
	federated bool
}

var partWords, proofWords = Symbols("parts"), Symbols("proofs")

// alone are the quantities that only SLEDGE has, and only FLEDGE, and atLocalSteps those of local
// steps 1 ≤ k < K.
const atLocalSteps = "‖f‖ ‖g‖ ‖j‖ away within last"

var alone = [...]string{"‖A‖ ‖e‖ ‖h‖ spread recent V R R' S_b S_m",
	"‖d‖ ‖f‖ ‖g‖ ‖j‖ away within last inner"}

func readParts(r ledger.Runs) (s *parts, err error) {
	method, option, _ := strings.Cut(r.Method, "-")
	k := slices.Index(both[:], method)
	if k < 0 || option != "I" && option != "II" {
		return nil, fmt.Errorf(
			"parts are of SLEDGE-I, SLEDGE-II, FLEDGE-I or FLEDGE-II, and not of %s", r.Method)
	}
	s = &parts{federated: k == 1}
	if s.scene, err = sceneOf(scenes, k, r.Family); err != nil {
		return nil, err
	}
	if option == "I" {
		s.option = algos.OptionI
	}
	sizes := new(instance).values(1)
	return s, s.read(r, partWords, func(name string) string {
		_, measured := quantities[name]
		s.local = s.local || slices.Contains(strings.Fields(atLocalSteps), name)
		if slices.Contains(strings.Fields(alone[1-k]), name) {
			return fmt.Sprintf("%s is of %s, and this of %s", name, both[1-k], method)
		}
		_, known := sizes[name]
		return unless(measured || known, name)
	})
}

// domain says what is drawn and what the quantities are.
func (s *parts) domain() string {
	c1, window := "log(nT/ν), log(1/ν + n + d + T)", "$T_1 = ⌈(n/b)C_1⌉$ steps"
	if s.federated {
		c1, window = "log(PT/ν), log(1/ν + P + d + T + K)", "$T_3 = ⌈(P/p)C_1⌉$ rounds"
	}
	quantity := s.Explained(func(name string) string { return quantities[name].what })
	if strings.Contains(quantity, "window") {
		quantity = "; the window is the last " + window + quantity
	}
	return "for " + s.said + "; $C_1 = max{" + c1 + "}$" + quantity
}

func (s *parts) check() props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := s.draft(src)
		in.option = s.option
		share, draw := s.missed.At(1, float64(in.T), float64(in.K)), drawNu
		if in.K > 0 {
			draw = drawTenth
		}
		nu := draw(src, "nu", share)
		regime := in.content().And(props.Allowed(share * nu))
		if s.least > 0 {
			regime = regime.And(props.Min("T", in.T, s.least))
		}
		return props.TailTrial{Delta: share * nu, Regime: regime,
			Run: func(t props.Trial, rec *props.Recorder) {
				p := in.trial(t)
				p.level = in.level(nu)
				s.compare(p, rec)
			}}
	}).Effort(s.effort)
}

// look sets the symbols of the statement to what they come to at a step.
func (s *parts) look(on values, p *path, t, k int) {
	for _, name := range s.Symbols() {
		if q, measured := quantities[name]; measured {
			on[name] = q.of(p, t, k)
		}
	}
}

// compare compares the sides on a run. Those of a statement with one relation are plotted, and that
// on the error of the estimator shows where the bound of its proof is lost.
func (s *parts) compare(p *path, rec *props.Recorder) {
	on := p.values(p.c1)
	ofEstimator := slices.Contains(s.Symbols(), "‖v−∇f‖")
	when, first, last := " at every t", 0, 0
	if s.local || ofEstimator && p.K > 0 {
		when, last = " at all t, k", p.K-1
		if !ofEstimator {
			first = 1
		}
	}
	plotted := first == 0 && len(s.Relations) == 1
	if plotted {
		rec.Plot(s.Relations[0].Left+" against its bound", "t", s.Relations[0].Left)
	}
	worst, ratio := 0, -1.0
	for t := 1; t <= p.T; t++ {
		for k := first; k <= last; k++ {
			s.look(on, p, t, k)
			for _, r := range s.Relations {
				left, right, _ := r.At(on.of)
				rec.AtMost(r.Left+when, left, right)
				if plotted && k == 0 {
					rec.Point(float64(t), left, right)
					if right > 0 && left/right > ratio {
						worst, ratio = t, left/right
					}
				}
			}
		}
	}
	moved := slices.ContainsFunc(s.Symbols(), func(name string) bool {
		return name == "moved" || name == "inner"
	})
	if least := min(1, p.K); ofEstimator && moved && worst > least &&
		(p.K == 0 || p.T <= longestProof) {
		s.look(on, p, worst, 0)
		s.lost(p, worst, on, rec)
	}
}

// longestProof is the number of rounds up to which the parts of the error are worth their cost.
const longestProof = 60

// proofs are the steps of the proofs of lemma:First-VarianceBound and lemma:Dist-First-VarianceBound:
// left is the squared error, and start what the bound has where nothing moves. Those of the second
// are about the table of the round before the local steps.
var proofs = [...][]link{{
	{"‖v^t − ∇f(x^t)‖²", "left"},
	{"3(a) + 3(b) + 3(c)", "3(‖a‖² + ‖b‖² + ‖c‖²)"},
	{"(a) by Cauchy-Schwarz over T_1 steps", "3((T_1/n²)apart + ‖b‖² + ‖c‖²)"},
	{"(b) split at E|Ĩ|, Cauchy-Schwarz in its second part",
		"3((T_1/n²)apart + 2‖Eb‖² + (2T_1/n²)D + ‖c‖²)"},
	{"Bernstein in (a) and (c): C_1³, C_1²",
		"3((C_1³ζ²/b)moved + 2‖Eb‖² + (2T_1/n²)D) + start"},
	{"Azuma in (b): C_1²", "3(((C_1³ + 2C_1²)ζ²/b)moved + (2T_1/n²)D) + start"},
	{"deviations of |Ĩ| in (b): C_1⁸/b²", "3((C_1³ + 2C_1² + 2C_1⁸/b)ζ²/b)moved + start"},
	{"15C_1⁸", "bound"},
}, {
	{"‖(1/P)Σy_i^t − ∇f(x^t)‖²", "left"},
	{"4(a) + 4(b) + 4(c) + 4(d)", "4(‖a‖² + ‖b‖² + ‖c‖² + ‖d‖²)"},
	{"(c), (d): Bernstein, C_1²", "4(‖a‖² + ‖b‖²) + start/2"},
	{"(a): lemma:First-VarianceBound, 15C_1⁸", "(60C_1⁸ζ²/p)moved + 4‖b‖² + start/2"},
	{"(b): lemma D, 4C_1¹⁰", "start/2 + (bound − start)moved/(2K inner)"},
	{"‖x^s − x^{s−1}‖² ≤ KΣ_l‖x^{s,l} − x^{s,l−1}‖²", "bound/2"},
	{"doubled, for v^{t+1,0}", "bound"},
}}

// lost records what each step of the proof loses at step t, of which the values are given.
func (s *parts) lost(p *path, t int, on values, rec *props.Recorder) {
	then := p.values(p.c1)
	then["left"], then["bound"], _ = s.Relations[0].At(on.of)
	then["inner"] = on["inner"]
	on["moved"], on["inner"] = 0, 0
	_, then["start"], _ = s.Relations[0].At(on.of)
	proof := proofs[0]
	if p.K > 0 {
		if proof, t = proofs[1], t-1; p.option == algos.OptionII {
			then["‖d‖"] = 0 // (c) has the start
		}
		if then["inner"] == 0 {
			return
		}
	}
	then.follow(rec, proof, proofWords, func(name string) {
		then[name] = quantities[name].of(p, t, 0)
	})
}
