package props

// Relation is the relation that a claim asserts between a measured and a claimed quantity.
type Relation string

// The relations.
const (
	LE   Relation = "<="
	GE   Relation = ">="
	EQ   Relation = "=="
	Near Relation = "~" // equal up to the stated tolerance
)

// Sense says what the two numbers of a piece of evidence stand for, where they are not simply to be compared.
type Sense string

// The senses.
const (
	Plain       Sense = ""                // the numbers are compared
	Hidden      Sense = "hidden constant" // the claim compares them up to a constant, so the evidence is how their ratio grows
	Proposition Sense = "proposition"     // 1 stands for true and 0 for false; see [Recorder.Truth]
	Rescaled    Sense = "units"           // a term after a change of units, and what its unit makes of it; see [Dimensional]
	Runs        Sense = "runs"            // the numbers are those of the worst run, the limits those of the probability that a run violates the claim
)

// Evidence is one measured-against-claimed comparison, at its tightest or most violated point. Only the engine makes evidence; its
// outcome is not writable from outside, which is why a pass without evidence cannot be constructed.
//
// Numbers that do not apply are NaN.
type Evidence struct {
	What       string   // what is compared
	Measured   float64  // at the worst point found
	Claimed    float64  // what the claim asserts there
	Relation   Relation // between Measured and Claimed
	Sense      Sense    // what the two numbers stand for
	Tightness  float64  // measured/claimed for <=, claimed/measured for >=, relative difference for ==: above 1 a bound is violated
	Ratio      float64  // of a statement up to a constant ([Hidden]): the largest measured/claimed found; NaN for others, whose Tightness it is not
	Constant   float64  // smallest multiple of the claimed upper bound (largest of a lower bound) that sufficed everywhere it was tried
	Trials     int      // instances or independent runs behind the numbers
	Violations int      // how many of them contradicted the claim
	Level      float64  // significance level of a statistical decision
	Low, High  float64  // confidence limits of the estimated probability, mean or slope, valid at the time at which the test stopped
	Power      string   // what this evidence could have noticed, in words with numbers
	Certified  bool     // decided in exact or directed-rounding arithmetic
	Where      string   // the instance: named draws with their values
	Replay     string   // token that reproduces this evidence
	Part       int      // number of the part of the check that it comes from
	Simplest   *Example // of a refutation: the simplest counterexample found; the other numbers are those of the worst
	Instances  int      // instances on which a statement about all of them was confirmed or searched
	Excluded   float64  // a larger share of violating instances than this would have been met with probability 0.95; NaN if that is not known
	Loose      bool     // supported, but a hundredth of the claimed bound would have done
	Regime     string   // which conditions of its regime the evidence meets, in words; empty if the claim declares none
	Note       string   // anything else a reader must know
	Curves     []Curve  // bound against measurement along a run or a sweep, for plots
	Chain      []Link   // slack waterfall: successive upper bounds of a proof on the same tape

	outcome Verdict
}

// settle fills in what the engine knows of every piece of evidence, whatever part of a check it comes from. A statement up to a constant has a ratio and
// no tightness; a share of violating instances is excluded only if it is known.
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
}

// Outcome returns what this piece of evidence says by itself.
func (e *Evidence) Outcome() Verdict { return e.outcome }

// Example is one instance with its two numbers.
type Example struct {
	Measured, Claimed float64
	Where, Replay     string
}

// Curve is a plot: for each abscissa the claimed value and quantiles of the measured values over trials.
type Curve struct {
	Title, XLabel, YLabel string
	X                     []float64
	Claimed               []float64 // empty if there is no bound to draw
	Low, Median, High     []float64 // 10, 50 and 90 % quantiles; Low and High may be empty
}

// Link is one step of a chain of inequalities: its name and the value of the expression it arrives at.
type Link struct {
	Name  string
	Value float64
}

// Result is a claim with everything a run found out about it.
type Result struct {
	Claim    Claim
	Verdict  Verdict
	Evidence []Evidence
	Seconds  float64
	Err      string // why the verdict is Error
}

// AsExpected reports whether the verdict is the expected one and, for a refuted claim, every comparison came out as expected; see [Claim.Holds].
func (r *Result) AsExpected() bool { return len(r.Unexpected()) == 0 }
