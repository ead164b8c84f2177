package props

import (
	"sledge/props/certificate"
	"sledge/props/keyed"
)

// Check is one of the kinds of check below, or several of them joined by [All].
type Check interface {
	parts() []part
}

// Deterministic is the common shape of checks without randomness of their own: Try draws an
// instance from the source and records comparisons on it. The engine looks for the worst instance
// by random, corner and structured draws and by optimising the choices on the tightness, shrinks a
// violation and confirms it by evaluating it anew, exactly where the pair can ([Pair.Exactly]).
//
// Try is called from several goroutines and must not share state between calls; everything random
// in it comes from the source.
type Deterministic struct {
	kind    string
	try     func(*Source, *Recorder)
	effort  float64
	witness func(*Source) []*certificate.Certificate
	settling
}

// Identity is a check that two ways to compute a quantity agree on every instance.
func Identity(try func(*Source, *Recorder)) *Deterministic {
	return &Deterministic{kind: "identity", try: try, effort: 1}
}

// Inequality is a check that an inequality holds on every instance.
func Inequality(try func(*Source, *Recorder)) *Deterministic {
	return &Deterministic{kind: "inequality", try: try, effort: 1}
}

// Implication is a check that a choice of parameters has a consequence on the whole admissible
// range: try draws the parameters, calls Skip where a premise fails, and records the consequence.
// Its search leans on corners and extreme values.
func Implication(try func(*Source, *Recorder)) *Deterministic {
	return &Deterministic{kind: "implication", try: try, effort: 1}
}

// Effort multiplies the number of instances tried at every tier. Checks that run an algorithm on
// each instance use less than 1.
func (d *Deterministic) Effort(f float64) *Deterministic { d.effort = f; return d }

// Witnessed says how a counterexample is written as a certificate: the function draws the instance
// from the source and returns forms of it, the most readable first. The first that [Config.Check]
// accepts goes with the evidence.
func (d *Deterministic) Witnessed(write func(*Source) []*certificate.Certificate) *Deterministic {
	d.witness = write
	return d
}

// Order is a check of a statement with a hidden constant: that measured ≤ C·claimed for one
// constant C on the whole range. The function draws parameters with LogReal and LogInt over as many
// decades as the statement admits and returns the two formulas. The engine maximises the ratio on
// ranges that grow from 1 outwards to the full ones, in equal steps of the logarithm, with the same
// effort on each. Maxima that keep growing, along a ray that shows the growth of a power by itself,
// refute the claim; maxima that level off are consistent with it and give the constant; anything
// between is inconclusive. Growth like a logarithm is no growth like a power and refutes nothing:
// factors that a statement hides are drawn by [Source.Logarithm], and stay out of both sides. The
// formulas are to be positive and finite; the engine calls them from one goroutine at a time.
func Order(formulas func(*Source) (measured, claimed float64)) Check {
	return &order{formulas: formulas}
}

// SameOrder is Order in both directions: the two formulas agree up to constants.
func SameOrder(formulas func(*Source) (measured, claimed float64)) Check {
	return &order{formulas: formulas, both: true}
}

type order struct {
	formulas func(*Source) (float64, float64)
	both     bool
	settling
}

// Exact is a check by complete enumeration or exact algebra on a finite domain: try records exact
// comparisons only ([Recorder.Rats], [Recorder.Truth], or pairs with Exactly). If all hold the
// verdict is Proved on that domain, which is described in words.
func Exact(domain string, try func(*Recorder)) *Enumerated {
	return &Enumerated{domain: domain, try: try, scope: certificate.Instances}
}

// ExactSizes is Exact for comparisons that cover all functions, points and random choices, for the
// sizes that the words about the domain name.
func ExactSizes(domain string, try func(*Recorder)) *Enumerated {
	return &Enumerated{domain: domain, try: try, scope: certificate.Sizes}
}

// ExactWhole is Exact for a domain that is that of the statement, and for comparisons that are an
// argument about all of it, such as those of coefficients.
func ExactWhole(domain string, try func(*Recorder)) *Enumerated {
	return &Enumerated{domain: domain, try: try, scope: certificate.All}
}

// Enumerated is a check by [Exact], [ExactSizes] or [ExactWhole]. What the first proves are
// [certificate.Instances].
type Enumerated struct {
	domain string
	try    func(*Recorder)
	scope  certificate.Scope
	settling
}

// Condition is one of the conditions under which a statement about runs has content.
type Condition struct {
	What string `json:"what"` // in symbols, such as "b < n"
	Met  bool   `json:"met"`  // on this instance
}

// Regime says where the content of a statement about runs lies: which instances are no degenerate
// cases, such as n > 1, b < n, ζ > 0, a horizon of some length, an allowed probability that is not
// large. A contradiction refutes wherever it is met; support needs instances that meet all
// conditions, and the search looks for the worst of them. A claim whose regime is never met is
// vacuous.
type Regime struct {
	Conditions []Condition
	// Matter names what [Trial.Content] reports, such as "steps at which the estimator's error
	// exceeds a tenth of the gradient", and Least is the mean share of it that an instance must
	// show. Nothing is asked with Least = 0.
	Matter string
	Least  float64
}

// TailTrial is one instance of a high-probability statement: the probability of violation that it
// allows, and a run.
type TailTrial struct {
	// Delta is the claimed upper bound on the probability that any comparison of a run fails. With
	// 0 one failure refutes; from 1 on the statement is vacuous.
	Delta  float64
	Run    func(t Trial, rec *Recorder)
	Regime Regime // where the statement has content
	// Joint says that Delta bounds the probability that the premise holds and a comparison fails,
	// so that runs which skip are runs without a violation. Without it Delta bounds the conditional
	// probability, and only runs that meet the premise count.
	Joint bool
	// Large, if not nil, makes what takes its place at the standard and the deep tier where there
	// is only one instance.
	Large func(Tier) TailTrial
}

// Tail is a check that a run violates a statement with probability at most Delta. Setup draws an
// instance; the engine searches for instances that violate it too often with cheap pilot runs and
// then tests several on fresh randomness by e-processes in both directions.
//
//go:noinline
func Tail(setup func(*Source) TailTrial) *Randomised {
	return randomised("tail", setup, tailMethod)
}

// MeanTrial is one instance of a statement about an expectation.
type MeanTrial struct {
	// what a sample is, in words, such as "squared error over its bound"; the evidence is about its
	// mean
	What     string
	Claimed  float64  // the claimed value or bound
	Relation Relation // LE: the mean is at most Claimed; Near: it equals Claimed within Tolerance
	// certified range of a sample; Hi = 0 and Lo = 0: only nonnegative, and support is not
	// decidable, nor is anything about samples below the square of some last places of 1
	Lo, Hi float64
	// Tolerance is the half width of Near: a mean outside it is refuted, and one inside supported.
	// By default 5 % of the range.
	Tolerance float64
	Run       func(t Trial) float64
	Regime    Regime // where the statement has content
}

// Mean is a check of a bound on an expectation, or of an expectation, by betting.
//
//go:noinline
func Mean(setup func(*Source) MeanTrial) *Randomised {
	return randomised("mean", setup, meanMethod)
}

// LawTrial is one instance of a statement about a distribution on the line.
type LawTrial struct {
	What string // what a sample is, in words
	CDF  func(float64) float64
	// largest distance of distribution functions that agree; a larger one is refuted; default 0.05
	Tolerance float64
	Run       func(t Trial) float64
	Regime    Regime // where the statement has content
}

// Law is a check that a sample follows a continuous distribution, by the Dvoretzky-Kiefer-Wolfowitz
// band with Massart's constant.
//
//go:noinline
func Law(setup func(*Source) LawTrial) *Randomised {
	return randomised("law", setup, lawMethod)
}

// Location says which number of a distribution a scaling law is about.
type Location uint8

// The locations.
const (
	OfMean Location = iota // the expectation
	// the median: what holds with probability one half, hence also what holds with high probability
	OfMedian
)

// SlopeTrial is one instance of a scaling law: how a positive quantity behaves along a geometric
// grid.
type SlopeTrial struct {
	XLabel, YLabel string
	X              []float64 // grid, at least 1.5 decades
	// Run returns the quantity at x, normalised by the claimed law (measured/claimed), for one
	// seed.
	Run func(t Trial, x float64) float64
	// Of says whether the law is about the mean of the quantity or about its median. A median has
	// limits whatever the distribution. A mean has them only if Most is known: large values may be
	// rare.
	Of Location
	// Most returns a certified upper bound on the quantity at x. Laws of means need it to be
	// decided; others make no use of it.
	Most func(x float64) float64
	// TwoSided asks for a slope within ±Margin; otherwise at most Margin.
	TwoSided bool
	Margin   float64 // default 0.1
	Regime   Regime  // where the statement has content
	// Jitter is how far the logarithm of the quantity may lie beside a smooth curve at a point
	// whatever the runs, as what is tuned on a grid does. A trend that it explains counts for
	// nothing, nor does a refutation.
	Jitter float64
	// Control is the quantity of Run, normalised in the same way, without what the law is about,
	// such as the cost with exact gradients. If it has the same exponent within the margin, what
	// the sweep shows is the ratio of the two and no exponent ([Evidence.Shared]). If that is at
	// most two at both ends of the grid, then the sweep says nothing of the law, and is vacuous
	// unless it refutes.
	Control *Beside
	// InFull returns how many times more the control takes if what it does is paid in full; not
	// said if nil.
	InFull func(x float64) float64
	// Law is what Run was divided by. If it is given, the curves of Run, Control and Beside are
	// drawn together without the division.
	Law    func(x float64) float64
	Beside []Beside
	// Large returns the sweep that is made in the place of this one at the standard and the deep
	// tier, if there is one.
	Large func() SlopeTrial
}

// Beside is a quantity that is drawn beside that of a scaling law, and decides nothing.
type Beside struct {
	Name string
	// Run returns the quantity at x for one seed; the same for all seeds if it is a formula. A
	// number that is not positive and finite is a gap.
	Run func(t Trial, x float64) float64
}

// Slope is a check of a scaling law: the exponent with which measured/claimed grows between the
// ends of the grid is compared with the margin. For a median it is that of the exponents of runs,
// each of which has the same randomness at both ends; its limits are those of sign tests by
// e-values, for a mean those of bets at both ends. They hold whatever stops the runs, which go on
// until the limits decide. Against the trend of the slopes along the grid nothing is decided; see
// slope.go for the levels of what is withheld.
//
//go:noinline
func Slope(setup func(*Source) SlopeTrial) *Randomised {
	return randomised("slope", setup, slopeMethod)
}

// HittingTrial is one instance of a statement that an event happens within a horizon with high
// probability.
type HittingTrial struct {
	Horizon int
	Delta   float64 // claimed upper bound on the probability of not hitting within Horizon
	// Run returns the time of the event, or hit = false if it did not happen within Horizon (a
	// censored time).
	Run    func(t Trial) (time int, hit bool)
	Regime Regime // where the statement has content
	// Picture, if not nil, returns what the page of the claim shows besides the times: runs of its
	// own, with randomness from the key alone. It decides nothing.
	Picture func(key keyed.Key) Curve
}

// Hitting is a check of such a statement. Censored runs count as misses; medians are reported only
// where more than half the runs hit.
//
//go:noinline
func Hitting(setup func(*Source) HittingTrial) *Randomised {
	return randomised("hitting", setup, hittingMethod)
}

// Randomised is the common shape of checks of random quantities. Its setup function draws an
// instance and returns a trial with the function that runs it. The engine calls setup several times
// on the same choices, from several goroutines, and the run function of each trial from one
// goroutine at a time. A run takes all its randomness from the Key of its [Trial] and leaves
// nothing behind for the next: runs may reuse buffers that belong to the trial, but not their
// contents.
//
// Each tested instance is one significance test; all of them share the level [Config.Alpha]
// equally, see [Config.Tests]. A claim is supported only if all of its tested instances support it.
type Randomised struct {
	of interface {
		part
		common() *settings
	}
}

// settings are those of a check of random quantities.
type settings struct {
	effort  float64
	standIn string
	same    bool // statement as that of the check before
}

func (s *settings) common() *settings { return s }

// sampled is a check of one kind of trial. Only this package has its type: another one would
// compile the engine for that kind once more. So the functions that make one are not inlined.
type sampled[T any] struct {
	kind   string
	setup  func(*Source) T
	method *method[T]
	settings
	settling
}

func randomised[T any](kind string, setup func(*Source) T, m *method[T]) *Randomised {
	return &Randomised{&sampled[T]{kind: kind, setup: setup, method: m,
		settings: settings{effort: 1}}}
}

func (r *Randomised) parts() []part { return []part{r.of} }

// Effort multiplies the number of runs at every tier.
func (r *Randomised) Effort(f float64) *Randomised {
	r.of.common().effort = f
	return r
}

// StandIn says in words what the instances are if they are not the statement's own, such as smaller
// versions of them. A contradiction on a stand-in is no counterexample, and agreement is no
// support: the evidence says which of them was found and is inconclusive. Since nothing is decided,
// one instance is tested at the level 0.05 of its own, and its violations are not repeated in the
// second arithmetic.
func (r *Randomised) StandIn(what string) *Randomised {
	r.of.common().standIn = what
	return r
}

// SecondLook says that the check is about the same statement as the one before it in [All], on
// other instances: what refutes either refutes both, and a claim that is expected to be refuted
// does not expect it of each.
func (r *Randomised) SecondLook() *Randomised {
	r.of.common().same = true
	return r
}

func (s *settings) secondLook() bool { return s.same }

// All joins checks: each yields its own evidence, and the claim gets the verdict of all of them
// together.
func All(checks ...Check) Check { return all(checks) }

type all []Check
