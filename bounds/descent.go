package bounds

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/conjecture"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/ledger"
)

// What the proofs say of one step x^t = x^{t−1} − ηv^{t−1} + ξ^t with ‖ξ^t‖ ≤ r on an L-smooth
// function, for any estimator: lemma:DescentLemma (lines 1098-1105), with the decrease on the left;
// the step inequality under the PL condition (lines 2070-2075), which is the lemma with the least
// gradient that the condition leaves; and that of the proof for FLEDGE (lines 3244-3267), which
// keeps a quarter of the squared gradient.
const (
	descends = "gap − prev_t gap + (η/2) prev_t ‖∇f‖² + step²/(2η) ≤ η prev_t ‖v−∇f‖² + L_f step²/2 + " +
		"r²/η"
	contracts     = "gap ≤ (1 − ημ) prev_t gap" + afterStep
	halfContracts = "gap + (η/4) prev_t ‖∇f‖² ≤ (1 − ημ/2) prev_t gap" + afterStep
	isSteep       = "(ημ/2) prev_t gap ≤ (η/4) prev_t ‖∇f‖²"
	afterStep     = " + η prev_t ‖v−∇f‖² − (1/(2η) − L_f/2) step² + r²/η"
)

// anySteps is from where the steps are drawn that try them: as short and as long as they may be.
const anySteps = "n ≤ 3, t ≤ 2, 0.001/L_f ≤ η ≤ 1000/L_f, r ≥ 0"

// anyStep is a method with any estimator and perturbations: v = ∇f(x) − κξ/η + e for the ξ of the
// step to come. In half of its steps κ = 1, e = 0 and ‖ξ‖ = r, where ‖a + b‖² ≤ 2‖a‖² + 2‖b‖² is an
// equality.
type anyStep struct {
	algos.Tuning
	oracle            *algos.Oracle
	choices           algos.Randomness
	x, v, noise, work []float64
}

var anyStepEntry = algos.Entry{Name: "any-step", Summary: "steps with any estimator",
	New: func(s algos.Setting) algos.Method { return &anyStep{Tuning: s.Tuning} }}

func (m *anyStep) Name() string         { return anyStepEntry.Name }
func (m *anyStep) Point() []float64     { return m.x }
func (m *anyStep) Estimator() []float64 { return m.v }

func (m *anyStep) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	d := len(x0)
	m.oracle, m.choices, m.x = o, r, append([]float64(nil), x0...)
	m.v, m.noise, m.work = make([]float64, d), make([]float64, d), make([]float64, d)
	m.aim()
	return nil
}

func (m *anyStep) Step() {
	floats.AddScaled(m.x, -m.Eta, m.v)
	floats.Add(m.x, m.noise)
	m.aim()
}

// aim draws the perturbation of the next step and the estimator.
func (m *anyStep) aim() {
	m.oracle.Full(m.v, m.x, m.work)
	m.choices.Ball(m.noise, m.Radius, algos.Noise)
	m.choices.Normal(m.work, algos.Noise)
	kappa, far := 1.0, 0.0
	if m.choices.Uniform(algos.Coins) < 0.5 {
		if length := floats.Norm(m.noise, 2); length > 0 {
			floats.Scale(m.Radius/length, m.noise)
		}
	} else {
		kappa = 4*m.choices.Uniform(algos.Coins) - 2
		far = 2 * m.choices.Uniform(algos.Coins) * floats.Norm(m.v, 2)
	}
	floats.AddScaled(m.v, -kappa/m.Eta, m.noise)
	floats.AddScaled(m.v, far, m.work)
}

// stated is the check of a statement about runs, as a ledger says it: of the methods of the library
// and [anyStep], on problems of a family, with the ranges from which they and the runs are drawn.
func stated(method, family, drawn, statement string) props.Check {
	made, _, err := conjecture.Stated(anyStepEntry)(ledger.Runs{Of: "runs", Method: method,
		Family: family, Drawn: drawn, Statement: statement})
	return props.Must(made, err)
}

func descentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("descent-lemma", props.Settled(props.All(
			stated("any-step", "quadratic", anySteps, descends),
			stated("any-step", "saddle", anySteps, descends)), descentStep)),
		props.Bind("descent-polarisation-facts/corrected",
			props.Settled(props.Identity(tryPolarisation), polarisation)),
	}
}

// tryPolarisation compares the last step of a run of SLEDGE with what made it, and the two sides of
// the second fact of lines 1109-1137 for drawn vectors a and b.
func tryPolarisation(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(1, 5), T: problems.Sizes(1, 4)})
	p := in.drawPath(src)
	step, made := make([]float64, in.d), make([]float64, in.d)
	floats.SubTo(step, p.tape.X[in.T], p.tape.X[in.T-1])
	for k, v := range p.tape.V[in.T-1] {
		made[k] = -in.eta*v + p.tape.Noise(in.T)[0][k]
	}
	rec.EqualVectors("x^t − x^{t−1} against −ηv^{t−1} + ξ^t", step, made).Scale(
		floats.Norm(p.tape.X[in.T], 2))
	d := src.Int("d of a and b", 1, 3)
	a, b := problems.DrawPoint(src, "a", d, 10), problems.DrawPoint(src, "b", d, 10)
	diff := make([]float64, d)
	floats.SubTo(diff, a, b)
	rec.Equal("⟨b−a, b⟩ against ½(‖a−b‖² − ‖a‖² + ‖b‖²)", -floats.Dot(diff, b),
		(normSq(diff)-normSq(a)+normSq(b))/2).Scale(normSq(a) + normSq(b))
}
