package bounds

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/concentration"
	"sledge/props"
	"sledge/props/ledger"
)

// coupledQuantity is what a statement about two coupled runs may name: what it is, and what it
// comes to at step, or round, t from τ on, or at the local step with the number t.
type coupledQuantity struct {
	what string
	of   func(p *coupledRuns, t int) float64
	at   numbers
	// the condition under which it is not 0, if there is one
	where func(in *stuckInstance) props.Condition
}

// numbers are those at which a quantity is known: of all steps or rounds after the perturbation, of
// local steps k > 0, of all steps, local ones of FLEDGE, from the perturbation on, or once of a run.
type numbers int

const (
	ofRounds numbers = iota
	ofLocal
	ofSteps
	ofPair
)

// ofCoupled is one of all steps or rounds after the perturbation.
func ofCoupled(what string, of func(p *coupledRuns, t int) float64) coupledQuantity {
	return coupledQuantity{what: what, of: of}
}

// ofInner is one of local steps: start is the number of x^{t,0} and m that of x^{t,k}.
func ofInner(what string, of func(p *coupledRuns, start, m int) float64) coupledQuantity {
	return coupledQuantity{what: what, at: ofLocal, of: func(p *coupledRuns, m int) float64 {
		t, _ := p.round(m)
		return of(p, (t-1)*p.K, m)
	}}
}

// ofEach is one of all steps.
func ofEach(what string, of func(p *coupledRuns, m int) float64) coupledQuantity {
	return coupledQuantity{what: what, at: ofSteps, of: of}
}

func (q coupledQuantity) under(where func(in *stuckInstance) props.Condition) coupledQuantity {
	q.where = where
	return q
}

// sumNorm is the norm of a sum over the window, s > τ.
func sumNorm(what string, of func(run *path, from, t int) []float64) coupledQuantity {
	return ofCoupled(what, func(p *coupledRuns, t int) float64 {
		return floats.Norm(of(p.inRegion(), p.from(p.tau+1, t), t), 2)
	})
}

func batches(run *path, from, t int) []float64 { return run.batchTerm(from, t, run.counted(t)) }

// from is the first step of the window that ends at t, or the given one if that comes later.
func (in *stuckInstance) from(least, t int) int { return max(least, t-in.window+1) }

// strayed is ρ times the largest distance of the two runs from x^{t,0} up to the number m.
func (p *coupledRuns) strayed(start, m int) (far float64) {
	for l := start; l <= m; l++ {
		far = max(far, p.reach(l, start))
	}
	return p.rho * far
}

// tableWindow is the first round of the window of the round t from τ0 on.
func (in *stuckInstance) tableWindow(t int) int { return max(in.tau/in.K, t-in.window) }

// coupledQuantities are what such statements may name of SLEDGE, and of FLEDGE, besides the sizes,
// C_1, δ, C_b or C_e, r_e and ν.
var coupledQuantities = [...]map[string]coupledQuantity{band(map[string]coupledQuantity{
	"‖g‖": ofCoupled("what the errors of the two estimators differ by at $t > τ$",
		func(p *coupledRuns, t int) float64 { return p.fn[t] }),
	"‖gτ‖": ofCoupled("the same at $τ$",
		func(p *coupledRuns, _ int) float64 { return p.fn[p.tau] }),
	"‖before‖": ofCoupled("the largest before $τ$",
		func(p *coupledRuns, _ int) float64 { return floats.Max(p.fn[:p.tau]) }),
	"moved": ofCoupled("$Σ‖w^s − w^{s−1}‖²$ over the window, $s > τ$",
		func(p *coupledRuns, t int) float64 {
			return normSq(p.dw[p.from(p.tau+1, t) : t+1])
		}),
	"size": ofCoupled("$Σ‖w^s‖²$ over the window, $s ≥ τ$",
		func(p *coupledRuns, t int) float64 {
			return normSq(p.wn[p.from(p.tau, t) : t+1])
		}),
	"‖first‖": ofCoupled("the first term of $g^t$, of $s = τ$", func(p *coupledRuns, t int) float64 {
		run := p.inRegion()
		first := run.batchTerm(p.tau, p.tau, run.counted(t))
		return floats.Norm(plus(first, -1/float64(p.P), run.remaining(p.tau, t)), 2)
	}),
	"‖second‖": sumNorm("the second term of $g^t$ over the window, $s > τ$", batches),
	"‖third‖":  sumNorm("its third term", (*path).remainingTerm),
	"X": ofCoupled("$Σ(ζ‖w^s − w^{s−1}‖ + (2δ/C_b)(‖w^s‖ + ‖w^{s−1}‖))²$ over the window",
		func(p *coupledRuns, t int) float64 {
			return p.squaredGaps(p.zeta, p.overC(), p.from(0, t), t)
		}),
	"X'": ofCoupled("$Σ(ζ‖w^s − w^{s−1}‖ + (2δ/C_b)(‖w^s‖ + ‖w^{s−1}‖))²$ over the window, $s > τ$",
		func(p *coupledRuns, t int) float64 {
			return p.squaredGaps(p.zeta, p.overC(), p.from(p.tau+1, t), t)
		}),
	"Y": ofCoupled("$Σ_s‖Σ_{i∈Ĩ_s^t}u_i^s‖²$ over the window, $s > τ$",
		func(p *coupledRuns, t int) float64 { return p.inRegion().apart(p.from(p.tau+1, t), t) }),
	"T_1": ofCoupled("length of the window",
		func(p *coupledRuns, _ int) float64 { return float64(p.window) }),
	"T'": ofCoupled("number of steps from $τ$ on",
		func(p *coupledRuns, _ int) float64 { return float64(p.T - p.tau + 1) }),
	"V": {what: "$Σ_{s≤t}(1 − b/n)^{2(t−s)}(D_s + (b/n)Σ_rD_r)²$, $D_τ = ζr_e$, $D_s = " +
		"ζ‖w^s − w^{s−1}‖ + 2ρ(R_s‖w^s‖ + R_{s−1}‖w^{s−1}‖)$, $R_s$ the larger of the distances " +
		"of the runs from $x^τ$, $r$ over the steps from $τ$ on since the oldest row was refreshed",
		of: func(p *coupledRuns, t int) float64 { return p.past().adaptive(p.gapSizes(), t) }},
	"Vτ": ofCoupled("$V$ at $τ$", func(p *coupledRuns, _ int) float64 {
		return p.past().adaptive(p.gapSizes(), p.tau)
	}),
	"Z": ofCoupled("$Σ_{τ≤s≤t}√(l(n − l)/(2n))D_s$, $l = |Ĩ_s^t|$",
		func(p *coupledRuns, t int) float64 {
			return p.past().unsampledSum(p.gapSizes(), t, sampleMean)
		}),
	"Z'": ofCoupled("$Σ_{τ≤s≤t}√S D_s$, $S = "+squaresOf("|Ĩ_s^t|"),
		func(p *coupledRuns, t int) float64 {
			return p.past().unsampledSum(p.gapSizes(), t, sampleRadius)
		}),
	"S_b": ofCoupled("$"+squaresOf("b"), func(p *coupledRuns, _ int) float64 {
		return concentration.SampleSquares(p.P, p.b)
	}),
	"m": ofCoupled("$|Ĩ_τ^t|$", func(p *coupledRuns, t int) float64 {
		return float64(p.past().unsampled(t)[p.tau])
	}),
}), band(map[string]coupledQuantity{
	"‖g‖": ofCoupled("what the errors of the two tables differ by at $t > τ0$",
		func(p *coupledRuns, t int) float64 { return floats.Norm(p.g[t], 2) }),
	"‖gτ‖": ofCoupled("the same at $τ0$", func(p *coupledRuns, _ int) float64 {
		return floats.Norm(p.g[p.tau/p.K], 2)
	}),
	"moved": ofCoupled("$ΣΣ_k‖w^{s,k} − w^{s,k−1}‖²$ over the window, $s > τ0$",
		func(p *coupledRuns, t int) float64 {
			return normSq(p.dw[p.tableWindow(t)*p.K+1 : t*p.K+1])
		}),
	"size": ofCoupled("$Σ‖w^s‖²$ over the window and the round before it, $s ≥ τ0$",
		func(p *coupledRuns, t int) (sum float64) {
			for s := p.tableWindow(t); s <= t; s++ {
				sum += sq(p.wn[s*p.K])
			}
			return sum
		}),
	"w": ofCoupled("the largest of these $‖w^s‖$",
		func(p *coupledRuns, t int) float64 {
			return p.largest(p.tableWindow(t), t)
		}),
	"‖c‖": ofCoupled("what the noise of the last minibatches differs by",
		func(p *coupledRuns, t int) float64 {
			return floats.Norm(p.past().freshTerm(p.tau/p.K, t, t), 2)
		}).under(func(in *stuckInstance) props.Condition {
		return props.Less("Kb", in.K*in.b, "data of a client", in.data)
	}),
	"w'": ofCoupled("the largest $‖w^s‖$ from $τ0$ to $t$",
		func(p *coupledRuns, t int) float64 { return p.largest(p.tau/p.K, t) }),
	"Q": ofCoupled("$(1/P)Σ_i‖w^s‖²$ at the last round $s$ that drew client $i$",
		func(p *coupledRuns, t int) (mean float64) {
			for _, s := range p.past().last[t] {
				mean += sq(p.wn[s*p.K]) / float64(p.P)
			}
			return mean
		}),
	"‖h‖": ofInner("what $z^{t,k} − (∇f(x^{t,k}) − ∇f(x^{t,0}))$ differs by",
		func(p *coupledRuns, _, m int) float64 {
			t, _ := p.round(m)
			return floats.Distance(p.force[m], p.g[t-1], 2)
		}).under(func(in *stuckInstance) props.Condition {
		return props.Less("b", in.b, "data of a client", in.data)
	}),
	"way": ofInner("$Σ_{l≤k}‖w^{t,l} − w^{t,l−1}‖$",
		func(p *coupledRuns, start, m int) float64 {
			return floats.Sum(p.dw[start+1 : m+1])
		}),
	"ends": ofInner("$‖w^{t,k}‖ + ‖w^{t,0}‖$",
		func(p *coupledRuns, start, m int) float64 {
			return p.wn[m] + p.wn[start]
		}),
	"X": ofInner("$Σ_{l≤k}(2L‖w^{t,l} − w^{t,l−1}‖ + (2δ/C_e)(‖w^{t,l}‖ + ‖w^{t,l−1}‖))²$",
		func(p *coupledRuns, start, m int) float64 {
			return p.squaredGaps(2*p.L, p.overC(), start+1, m)
		}),
	"X'": ofInner("the same with $ρR$ for $δ/C_e$", func(p *coupledRuns, start,
		m int) float64 {
		return p.squaredGaps(2*p.L, p.strayed(start, m), start+1, m)
	}),
	"ρR": ofInner("$ρ$ times the largest distance of the two runs from $x^{t,0}$ up to $x^{t,k}$",
		func(p *coupledRuns, start, m int) float64 {
			return p.strayed(start, m)
		}),
})}

// coupledScene are drawn instances for statements that may fail with a multiple of ν/T, or ν/(TK).
type coupledScene struct {
	draw   func(src *props.Source, times float64) *stuckInstance // nil where there is none
	said   string
	effort float64
	proof  bool // with its constants errors that the runs do not share cannot matter
	whole  bool // all clients take part
}

// started are instances that are drawn without a start, for statements that may fail with ν/T, or
// ν/(TK).
func started(draw func(src *props.Source, times float64) *stuckInstance) func(src *props.Source,
	times float64) *stuckInstance {
	return func(src *props.Source, times float64) *stuckInstance {
		return draw(src, times).drawStart(src)
	}
}

// leaving is how long both runs are in the region.
func (p *coupledRuns) leaving(int) float64 {
	return float64(max(0, p.inside(p.radius, p.centre())+1-p.tau))
}

// band are the quantities of the induction, the same for both methods, and how long it lasts.
func band(all map[string]coupledQuantity) map[string]coupledQuantity {
	maps.Copy(all, map[string]coupledQuantity{
		"‖w‖": ofEach("the difference of the runs, from the perturbation on",
			func(p *coupledRuns, m int) float64 { return p.wn[m] }),
		"change": ofEach("$‖w^t − w^{t−1}‖$, of local steps too, after the perturbation",
			func(p *coupledRuns, m int) float64 {
				if m == p.tau {
					return 0
				}
				return p.dw[m]
			}),
		"stray": ofEach("what the errors of the estimators differ by",
			func(p *coupledRuns, m int) float64 {
				if m >= len(p.fn) { // the last point has none
					return 0
				}
				return p.fn[m]
			}),
		"grown": ofEach("$(1 + ηγ)^m r_e$ after $m$ steps from the perturbation on",
			(*coupledRuns).growth),
		"time": {what: "number of steps, local ones of FLEDGE, from the perturbation on in which " +
			"one of the two leaves the region", at: ofPair, of: (*coupledRuns).leaving},
	})
	return all
}

var coupledScenes = [2]map[string]coupledScene{{
	"close": {draw: drawTailPair, said: "$2 ≤ n ≤ 24$", effort: 0.5},
	"clusters": {draw: drawClusters, said: "$n ≤ 200$ in two clusters, $b ≥ √n$, no region",
		effort: 1},
	"proof": {draw: started(drawSteps(24)), said: "$n ≤ 24$, the constants of the proof",
		effort: runEffort, proof: true},
	"separable": {draw: started(drawSteps(100, 4, 1)),
		said: "$n ≤ 100$, $C_b = 4$, $b ≥ √n + ζ²/δ²$", effort: runEffort},
	"perturbed": {draw: started(drawPerturbed),
		said: "$2 ≤ n ≤ 100$, $C_b = 4$, $b = ⌈√n⌉$ but at $τ$", effort: runEffort},
}, {
	"close":  {draw: drawClientPair(0), said: "$9 ≤ P ≤ 16$, $K ≤ 4$", effort: runEffort},
	"unlike": {draw: drawClientPair(8), said: "$9 ≤ P ≤ 16$, $K ≤ 4$", effort: 0.1},
	"proof": {draw: started(drawProof), said: "$9 ≤ P ≤ 12$, $K ≤ 6$, the constants of the proof",
		effort: runEffort, proof: true},
	"separable": {draw: started(drawClose), said: "$9 ≤ P ≤ 16$, $K ≤ 4$, $C_e = 4$",
		effort: runEffort},
	"agreeing": {draw: agreeing, said: "$9 ≤ p = P ≤ 16$, $C_e = 4$, $ζ ≤ δ/4$, " + relaxed,
		effort: 0.3, whole: true},
	"opposed": {draw: opposed, said: "$200 ≤ p = P ≤ 400$, $C_e = 4$, $ζ$ from $4γ$ to $8γ$, " +
		relaxed, effort: 0.3, whole: true},
}}

// pairs is a statement about two coupled runs, as long as both are in the region around the saddle.
type pairs struct {
	coupledScene
	inequalities
	known map[string]coupledQuantity
	at    numbers
}

var pairWords = Symbols("pairs")

func readPairs(r ledger.Runs) (s *pairs, err error) {
	k := slices.Index(both[:], r.Method)
	if k < 0 {
		return nil, fmt.Errorf("pairs are of SLEDGE or FLEDGE, and not of %s", r.Method)
	}
	s = &pairs{known: coupledQuantities[k]}
	if s.coupledScene, err = sceneOf(coupledScenes, k, r.Family); err != nil {
		return nil, err
	}
	sizes := (&coupledRuns{stuckInstance: &stuckInstance{saddle: new(saddle)}}).values()
	if err := s.read(r, pairWords, func(name string) string {
		q, measured := s.known[name]
		s.at = max(s.at, q.at)
		_, known := sizes[name]
		return unless(measured || known, name)
	}); err != nil {
		return nil, err
	}
	for _, name := range s.Symbols() {
		if q, measured := s.known[name]; measured && q.at != s.at {
			return nil, fmt.Errorf("%s is of rounds and of local steps at the same time",
				r.Statement)
		}
	}
	if a, b := s.missed.At(1, 1, 1), s.missed.At(1, 2, 3); math.Abs(a/b-6) > 1e-9 &&
		(k == 1 || math.Abs(a/b-2) > 1e-9) {
		return nil, fmt.Errorf("%q is not 1 − a multiple of ν/T, or ν/(TK)", r.Chance)
	}
	return s, nil
}

func (s *pairs) domain() string {
	saddle := "around $x^τ$, $R = δ/(C_bρ)$; the window is the last $T_1 = ⌈(n/b)C_1⌉$ steps"
	if _, federated := s.known["w"]; federated {
		saddle = "around $x^{τ0,κ0}$, $R = δ/(C_eρ)$; " +
			"the window is the last $T_3 = ⌈(P/p)C_1⌉$ rounds"
	}
	return "for " + s.said + ", $8 ≤ d ≤ 10$, while both runs are within $R$ " + saddle +
		"; $C_1 = log(1/ν + n + P + d + T + K)$" +
		s.Explained(func(name string) string { return s.known[name].what })
}

func (s *pairs) check() props.Check {
	return props.Tail(func(src *props.Source) props.TailTrial {
		times := s.missed.At(1, 1, 1)
		in := s.draw(src, times)
		if in == nil {
			return props.TailTrial{Delta: 1}
		}
		trial := in.trial(times*in.share, !s.proof,
			func(p *coupledRuns, t props.Trial, rec *props.Recorder) {
				s.compare(s.longer(p, t), rec)
			})
		if s.whole {
			trial.Regime = props.Where(props.Min("P", in.P, 2), props.Min("K", in.K, 2),
				props.Min("d", in.d, 2), props.Positive("ζ", in.zeta),
				props.Allowed(trial.Delta), noiseWithin(in.r, in.radius))
		}
		for _, name := range s.Symbols() {
			if where := s.known[name].where; where != nil {
				trial.Regime = trial.Regime.And(where(in))
			}
		}
		return trial
	}).Effort(s.effort)
}

// steps are the numbers of the steps, or rounds, or local steps with k > 0, inside the region from
// the perturbation on.
func (s *pairs) steps(p *coupledRuns) (list []int) {
	first, last := p.tau+1, 0
	switch {
	case s.at == ofPair:
		return []int{p.tau}
	case s.at != ofRounds:
		first, last = p.tau, p.inside(p.radius, p.tau0)
		if s.at == ofLocal {
			last = min(last, len(p.force)-1)
		}
	case p.K > 0:
		first, last = p.tau/p.K+1, p.inside(p.radius, p.centre())/p.K
	default:
		last = p.inside(p.radius, p.centre())
	}
	for t := first; t <= last; t++ {
		if s.at != ofLocal || t%p.K > 0 { // h^{t,0} = 0
			list = append(list, t)
		}
	}
	return list
}

// values are those of the symbols of what two runs have.
func (p *coupledRuns) values() values {
	in, P := p.stuckInstance, float64(p.P)
	return values{"C_1": in.c1, "n": P, "P": P, "p": float64(in.p), "K": float64(in.K),
		"b": float64(in.b), "L": in.L, "ζ": in.zeta, "δ": in.delta, "C_b": in.constant,
		"C_e": in.constant, "r_e": in.re, "ν": in.share * float64(in.T*max(1, in.K)),
		"T": float64(in.T), "η": in.eta, "γ": p.gamma, "R": in.radius}
}

// longer makes two runs that have not left the region again, up to the largest bound on that time:
// most leave it long before, in the steps that gradient descent takes.
func (s *pairs) longer(p *coupledRuns, t props.Trial) *coupledRuns {
	if s.at != ofPair || p.inside(p.radius, p.centre()) < len(p.x)-1 {
		return p
	}
	runs, on := *p.stuckInstance, p.values()
	for _, r := range s.Relations {
		_, bound, _ := r.At(on.of)
		runs.T = max(runs.T, runs.roundsFor(bound))
	}
	return runs.couple(roomOf(t), algos.Keyed(t.Key))
}

// compare compares the sides on two runs, and what the estimators differ by in a plot.
func (s *pairs) compare(p *coupledRuns, rec *props.Recorder) {
	steps := s.steps(p)
	if len(steps) == 0 {
		rec.Skip("the runs leave the region at the perturbation")
		return
	}
	errors := s.Relations[0].Left == "‖g‖"
	if errors {
		rec.Plot("error that the coupled runs do not share", "t − τ", "‖g‖")
	}
	on := p.values()
	for _, t := range steps {
		for _, name := range s.Symbols() {
			if q, measured := s.known[name]; measured {
				on[name] = q.of(p, t)
			}
		}
		for i, r := range s.Relations {
			left, right, _ := r.At(on.of)
			if pair := rec.AtMost(r.Left, left, right); s.at != ofSteps {
				pair.Scale(rounding) // differences of gradients
			}
			if i == 0 && errors {
				rec.Point(float64(t-p.tau/max(1, p.K)), left, right)
				on["bound"] = right
			}
		}
	}
	if p.K == 0 && slices.Contains(s.Symbols(), "moved") {
		on.follow(rec, errorProof, pairWords, func(name string) {
			on[name] = s.known[name].of(p, steps[len(steps)-1])
		})
	}
}

// errorProof are the steps of the proof of lemma:Second-Auxiliary-A at the last step inside.
var errorProof = []link{
	{"‖g^t‖ at the last step inside", "‖g‖"},
	{"norms of the three terms", "‖first‖ + ‖second‖ + ‖third‖"},
	{"Cauchy-Schwarz over the window", "‖first‖ + ‖second‖ + √(T_1 Y)/n"},
	{"Bernstein with the literal C_1 (line 1700)",
		"2C_1ζr_e/√b + ((2C_1⁴ + C_1^{3/2})/√b)√X'"},
	{"the lemma", "bound"},
}
