package algos

import "strings"

// Tuning holds the parameters that finite-sum methods on minibatches share; they embed it.
type Tuning struct {
	Eta    float64 // step size η > 0; the factor k of an adaptive one
	Batch  int     // minibatch size b; 0 stands for ⌈√n⌉ unless the method says otherwise
	Radius float64 // radius r ≥ 0 of the noise, uniform in the ball B(0, r)
	// WithReplacement draws minibatches with replacement, as most of the originals do; b may then
	// exceed n.
	WithReplacement bool
}

// Setting holds the parameters that methods share when they are chosen by name. Zero values ask for
// each method's default; those without a use for one ignore it, as SLEDGE does with
// WithReplacement.
type Setting struct {
	Tuning
	Chosen     int  // clients p of a round
	LocalSteps int  // local steps K of a round
	Cap        bool // let clients with little data use all they have
	Period     int  // steps between full gradients
	// probability of a full gradient at a step, for methods that flip a coin for it, as u <
	// Probability with the Coins of their randomness, and for nothing else; and the weight of the
	// fresh gradient in a momentum. At most 1.
	Probability, Momentum float64
	// target gradient norm, for methods whose steps depend on it; 0 stands for 1e-3
	Eps float64
	// smoothness and Hessian Lipschitz constant, for methods that look for negative curvature; 0
	// stands for 1/Eta and 1
	L, Rho float64
	Delta  float64 // curvature to detect; 0 stands for L/10
}

func (s Setting) eps() float64 {
	if s.Eps == 0 {
		return 1e-3
	}
	return s.Eps
}

func (s Setting) neon() Neon2 {
	n := Neon2{L: s.smoothness(), Rho: s.Rho, Delta: s.Curvature()}
	if n.Rho == 0 {
		n.Rho = 1
	}
	return n
}

func (s Setting) smoothness() float64 {
	if s.L == 0 && s.Eta != 0 {
		return 1 / s.Eta
	}
	return s.L
}

// Curvature returns the curvature to detect, with its default filled in.
func (s Setting) Curvature() float64 {
	if s.Delta == 0 {
		return s.smoothness() / 10
	}
	return s.Delta
}

// escapeLogs is what the logarithm in the length of an escape from a saddle is taken for: the
// measured escapes of SSRGD need about so many time constants.
const escapeLogs = 8

// Entry is a method that can be chosen by name.
type Entry struct {
	Name      string // as Method.Name gives it
	Summary   string // one line
	Source    string // where it comes from
	Federated bool   // the method communicates: a step is a round
	New       func(Setting) Method
	// Prescribed makes the method with the parameters that its theory gives for the facts, asking
	// for those it needs; nil where no result with constants is known. [Entry.Prescribe] calls it
	// and says what is missing.
	Prescribed func(*Facts) Prescription
}

// Catalogue returns all methods of the package, finite-sum methods first.
func Catalogue() []Entry {
	return []Entry{
		sledgeIEntry, sledgeIIEntry, gdEntry, sgdEntry, noisySGDEntry, pgdEntry, svrgEntry,
		sagaEntry, sagaTwoDrawsEntry, sarahEntry, inexactSARAHEntry, spiderEntry, spiderPlusEntry,
		spiderPlusFullEntry, ssrgdEntry, stabilizedSVRGEntry, nestedSVRGEntry, zeroSARAHIEntry,
		zeroSARAHIIEntry, pageEntry, stormEntry, stormAdaptiveEntry, hybridSGDEntry, fledgeIEntry,
		fledgeIIEntry, fedAvgEntry, scaffoldIEntry, scaffoldIIEntry, mimeEntry, mimeLiteEntry,
		mimeSGDEntry, mimeMVREntry, fedVARPEntry, bvrLSGDEntry, bvrLPSGDEntry,
	}
}

// WithSchedules returns the methods of [Catalogue] and, beside SLEDGE and FLEDGE, their variants
// whose minibatch sizes follow a schedule, which are the same methods with other parameters and
// have their names.
func WithSchedules() []Entry {
	var out []Entry
	for _, c := range Catalogue() {
		out = append(out, c)
		switch c.Name {
		case "SLEDGE-I":
			out = append(out, refinedSLEDGE(OptionI))
		case "SLEDGE-II":
			out = append(out, refinedSLEDGE(OptionII))
		case "FLEDGE-I":
			out = append(out, relaxedFLEDGE(OptionI))
		case "FLEDGE-II":
			out = append(out, relaxedFLEDGE(OptionII))
		}
	}
	return out
}

// ByName returns the method of [WithSchedules] with the name, ignoring case.
func ByName(name string) (Entry, bool) {
	for _, c := range WithSchedules() {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return Entry{}, false
}
