package conjecture

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
)

// AnyStep is a method that statements about one step x' = x − ηv + ξ with ‖ξ‖ ≤ r may name: its
// estimator is any, and so is its perturbation. It is none of the library, as it reaches nothing.
var AnyStep = algos.Entry{Name: "any-step", Summary: "steps with any estimator",
	New: func(s algos.Setting) algos.Method { return &anyStep{Tuning: s.Tuning} }}

// anyStep is a method with any estimator and perturbations: v = ∇f(x) − κξ/η + e for the ξ of the
// step to come. In half of its steps κ = 1, e = 0 and ‖ξ‖ = r, where ‖a + b‖² ≤ 2‖a‖² + 2‖b‖² is an
// equality.
type anyStep struct {
	algos.Tuning
	oracle            *algos.Oracle
	choices           algos.Randomness
	x, v, noise, work []float64
}

func (m *anyStep) Name() string         { return AnyStep.Name }
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
