package props

import (
	"slices"

	"sledge/props/certificate"
)

// Relation is the relation that a claim asserts between a measured and a claimed quantity.
type Relation string

// The relations.
const (
	LE   Relation = "<="
	GE   Relation = ">="
	EQ   Relation = "=="
	Near Relation = "~" // equal up to the stated tolerance
)

// Sense says what the two numbers of a piece of evidence stand for, where they are not simply to be
// compared.
type Sense string

// The senses.
const (
	Plain Sense = "" // the numbers are compared
	// Hidden says that the claim compares them up to a constant: the evidence is how their ratio
	// grows
	Hidden      Sense = "hidden constant"
	Proposition Sense = "proposition" // 1 stands for true and 0 for false; see [Recorder.Truth]
	// the numbers of the worst run, and limits of the probability of a violation
	Runs Sense = "runs"
	// Distance is how far two vectors are apart that are claimed to agree; see
	// [Recorder.EqualVectors]
	Distance Sense = "distance"
)

// Evidence is one measured-against-claimed comparison, at its tightest or most violated point. Only
// the engine makes evidence, and its outcome can be written by nothing else but the reading of what
// was written of it ([Evidence.UnmarshalJSON]), which is why a pass without evidence cannot be
// constructed.
//
// Numbers that do not apply are NaN. All that is said about the evidence is here in numbers; to
// find words for them is left to those who show them. Only Note is prose.
type Evidence struct {
	What     string   `json:"what"`            // what is compared
	Measured float64  `json:"measured"`        // at the worst point found
	Claimed  float64  `json:"claimed"`         // what the claim asserts there
	Relation Relation `json:"relation"`        // between Measured and Claimed
	Sense    Sense    `json:"sense,omitempty"` // what the two numbers stand for
	// Tightness is measured/claimed for <=, claimed/measured for >=, the relative difference for
	// ==: above 1 a bound is violated.
	Tightness float64 `json:"tightness"`
	// Ratio is, for a statement up to a constant ([Hidden]), the largest measured/claimed found;
	// NaN for others, whose Tightness it is not.
	Ratio float64 `json:"ratio"`
	// Constant is the smallest multiple of the claimed upper bound (the largest of a lower bound)
	// that sufficed wherever it was tried.
	Constant   float64 `json:"constant"`
	Trials     int     `json:"trials"`     // instances or independent runs behind the numbers
	Violations int     `json:"violations"` // how many of them contradicted the claim
	// Allowed is the probability with which the claim allows a run to violate it ([Runs]).
	Allowed float64 `json:"allowed"`
	Level   float64 `json:"level"` // significance level of a statistical decision
	// Low and High are confidence limits of the estimated probability, mean or slope, valid at the
	// time at which the test stopped.
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	// of what runs measured, where a number for each run is meant
	Quantiles []Quantile `json:"quantiles,omitempty"`
	// of a sequential test; nil for others, and for stand-ins
	EValues *EValues `json:"e_values,omitempty"`
	// Power is what the evidence could have noticed; zero if nothing is known of that
	Power     Power  `json:"noticeable,omitzero"`
	Certified bool   `json:"certified"` // decided in exact or directed-rounding arithmetic
	Where     string `json:"where"`     // the instance: named draws with their values
	Replay    string `json:"replay"`    // token that reproduces this evidence
	Part      int    `json:"part"`      // number of the part of the check that it comes from
	// Simplest is, of a refutation, the simplest counterexample found; the other numbers are those
	// of the worst.
	Simplest *Example `json:"simplest,omitempty"`
	// on which a statement about all of them was confirmed or searched
	Instances int `json:"instances,omitempty"`
	// Excluded is a share of violating instances: a larger one would have been met with probability
	// 0.95.
	Excluded float64 `json:"excluded"`
	// how the instances were chosen on which runs were made
	Screening Screening `json:"screening,omitzero"`
	// Loose says that it stands, but a hundredth of the claimed bound would have done, or that no
	// [Control] was told from it
	Loose bool `json:"loose,omitempty"`
	// Shared says that the control of a scaling law has the same exponent: what is shown is the
	// ratio of the two
	Shared bool `json:"shared,omitempty"`
	// Regime lists the conditions of the regime of the claim, and which of them the instance meets
	Regime []Condition `json:"conditions,omitempty"`
	// the negative control, if it was run on this instance
	Control *Controlled `json:"control,omitempty"`
	// what the runs showed of the matter of the regime
	Content Content `json:"content,omitzero"`
	Note    string  `json:"note"` // anything else a reader must know
	// bound against measurement along a run or a sweep, for plots
	Curves []Curve `json:"curves,omitempty"`
	// Certificate, if not nil, settles what is compared, or the statement as a whole; other
	// evidence of the same check may rest on it. It has been accepted by [Config.Check], or is what
	// an exact check has enumerated.
	Certificate *certificate.Certificate `json:"certificate,omitempty"`
	// Scope says of how much of the statement what is Proved is proved, and Covers what that is
	// where it is not all
	Scope  certificate.Scope `json:"scope,omitempty"`
	Covers string            `json:"covers,omitempty"`
	// Tried is what trying it came to by itself, where a certificate has the last word; Unknown
	// elsewhere. Nothing but its authors ties what is tried beside a theorem to that theorem.
	Tried Verdict `json:"tried,omitempty"`
	// why a procedure that was asked made no certificate
	Unsettled string `json:"unsettled,omitempty"`
	// Chain is the slack waterfall: successive upper bounds of a proof on the same tape, or both
	// sides of a statement term by term
	Chain []Link `json:"chain,omitempty"`

	// Power and regime in the words of programs that kept no numbers; empty in evidence that the
	// engine makes.
	SaidPower  string `json:"power,omitempty"`
	SaidRegime string `json:"regime,omitempty"`

	outcome Verdict
	apart   bool // see [Pair.Apart]
}

// settle fills in what the engine knows of every piece of evidence, whatever part of a check it
// comes from. A statement up to a constant has a ratio and no tightness; a share of violating
// instances is excluded only if it is known; only statements about runs allow violations.
func (e *Evidence) settle(part int) {
	e.Part = part
	switch {
	case e.Sense != Hidden:
		e.Ratio = nan
	case e.Ratio == 0:
		e.Ratio = e.Tightness
	}
	if e.Sense == Hidden {
		e.Tightness = nan
	}
	if e.Excluded == 0 {
		e.Excluded = nan
	}
	if e.Sense != Runs {
		e.Allowed = nan
	}
}

// pair is what the evidence compares.
func (e *Evidence) pair() Pair {
	return Pair{What: e.What, Measured: e.Measured, Claimed: e.Claimed, Relation: e.Relation}
}

// Outcome returns what this piece of evidence says by itself.
func (e *Evidence) Outcome() Verdict { return e.outcome }

// Effect is a way in which a statement may fail and a check may notice it.
type Effect string

// The effects.
const (
	// a comparison of an instance fails by a relative excess
	Excess        Effect = "excess"
	ViolationRate Effect = "violation rate" // runs violate the statement with a probability
	MeanValue     Effect = "mean"           // a mean has a value
	SampleValue   Effect = "sample"         // a single sample has a value
	// a law lies at a distance from the claimed one, as distribution functions
	LawDistance Effect = "distance"
	// a ratio keeps growing by a power of the widest parameter
	GrowthRate Effect = "growth"
	SlopeValue Effect = "slope" // a scaling law has an exponent
)

// Power says what a piece of evidence could have noticed.
type Power struct {
	Of Effect `json:"of"`
	// the smallest one that would have been noticed; NaN if none
	Size        Num `json:"size"`
	Probability Num `json:"probability"` // with which, at least; NaN if that is not worked out
	// so many runs or comparisons; 0 if the number does not matter
	Within int `json:"within"`
}

// Screening says how the instances behind a statement about runs were chosen: of all that were
// screened by a few runs each, which are counted by [Evidence].Instances, the worst were tested,
// and others apart from them.
type Screening struct {
	Whole bool `json:"whole"` // all instances that there are
	Rate  Num  `json:"rate"`  // a probability of violations; NaN where none was worked out
	// probability with which an instance of that rate would have come to be tested
	Found Num `json:"found"`
}

// Content is what runs reported by [Trial.Content] of the matter that a [Regime] asks for.
type Content struct {
	Matter string `json:"matter"`
	Share  Num    `json:"share"` // the mean of all runs; NaN if nothing was reported
	Least  Num    `json:"least"` // that the regime asks for; 0 if it asks for nothing
}

// Quantile is a quantile of the values of runs.
type Quantile struct {
	At    Num `json:"at"`    // share of the runs, from 0 to 1
	Value Num `json:"value"` // NaN if it lies beyond what was observed, as that of a censored time
}

// Example is one instance with its two numbers.
type Example struct {
	Measured Num    `json:"measured"`
	Claimed  Num    `json:"claimed"`
	Where    string `json:"where"`
	Replay   string `json:"replay"`
}

// ShareOfRuns is the ordinate of curves that count runs: a share from 0 to 1, drawn as such.
const ShareOfRuns = "share of runs"

// Curve is a plot: for each abscissa the claimed value and quantiles of the measured values over
// trials. The series are empty or as long as X.
type Curve struct {
	Title   string `json:"title"`
	XLabel  string `json:"xlabel"`
	YLabel  string `json:"ylabel"`
	X       Series `json:"x"`
	Claimed Series `json:"claimed,omitempty"` // empty if there is no bound to draw
	Low     Series `json:"low,omitempty"`     // 10 % quantile; may be empty
	Median  Series `json:"median,omitempty"`
	High    Series `json:"high,omitempty"` // 90 % quantile; may be empty
	// further lines over the same abscissae, to compare the median with
	Others []Line `json:"others,omitempty"`
}

// Line is a named line of a [Curve].
type Line struct {
	Name string `json:"name"`
	Y    Series `json:"y"` // as long as the abscissae; NaN for a gap
}

// Link is one step of a chain of inequalities: its name and the value of the expression it arrives
// at.
type Link struct {
	Name  string `json:"name"`
	Value Num    `json:"value"`
}

// Result is a claim with everything a run found out about it.
type Result struct {
	Claim    Claim
	Verdict  Verdict
	Evidence []Evidence
	Seconds  float64
	Cost     []float64 // seconds of work of each part of the check, of all workers together
	Err      string    // why the verdict is Error
	// Otherwise says in a sentence each in what the check asks less than is on record, or
	// otherwise; see [Asked].
	Otherwise []string
}

// Scope says of how much of its statement a proof is: the narrowest scope of what is proved; empty
// for other verdicts, and where it was not recorded.
func (r *Result) Scope() certificate.Scope {
	if r.Verdict != Proved {
		return ""
	}
	narrowest := -1
	for i := range r.Evidence {
		k := slices.Index(certificate.Scopes, r.Evidence[i].Scope)
		if k < 0 {
			return ""
		}
		narrowest = max(narrowest, k)
	}
	if narrowest < 0 {
		return ""
	}
	return certificate.Scopes[narrowest]
}

// AsExpected reports whether the verdict is the expected one and, for a refuted claim, every
// comparison came out as expected; see [Claim.Holds].
func (r *Result) AsExpected() bool { return len(r.Unexpected()) == 0 }
