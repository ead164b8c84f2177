package algotest_test

import (
	"fmt"

	"sledge/algos"
	"sledge/algos/algotest"
)

// Heavy is a method of one's own: gradient descent with a heavy ball.
type Heavy struct {
	Eta, Momentum float64

	o                    *algos.Oracle
	x, v, velocity, work []float64
}

func (m *Heavy) Name() string         { return "heavy ball" }
func (m *Heavy) Point() []float64     { return m.x }
func (m *Heavy) Estimator() []float64 { return m.v }

func (m *Heavy) Start(o *algos.Oracle, x0 []float64, _ algos.Randomness) error {
	if !(m.Eta > 0) {
		return fmt.Errorf("heavy ball: Eta must be positive, got %v", m.Eta)
	}
	if len(x0) != o.Dim() {
		return fmt.Errorf("heavy ball: x0 has length %d in dimension %d", len(x0), o.Dim())
	}
	m.o, m.x = o, x0 // the suite will object: x0 belongs to the caller
	m.v, m.velocity, m.work = make([]float64, o.Dim()), make([]float64, o.Dim()),
		make([]float64, o.Dim())
	o.Full(m.v, m.x, m.work)
	return nil
}

func (m *Heavy) Step() {
	for l, g := range m.v {
		m.velocity[l] = m.Momentum*m.velocity[l] - m.Eta*g
		m.x[l] += m.velocity[l]
	}
	m.o.Full(m.v, m.x, m.work)
}

// In a test, algotest.Test(t, factory, options) runs every case as a subtest; Check is the same for
// other places.
func ExampleCheck() {
	err := algotest.Check(func(n int, eta float64) algos.Method { return &Heavy{Eta: eta, Momentum: 0.5} },
		algotest.Options{})
	fmt.Println(err)
	// Output:
	// inputs: the method keeps the caller's x0 instead of a copy
	// refusals: x0 with a NaN is accepted
}

// What a method declares it is held to; the rest is listed.
func ExampleExamine() {
	report := algotest.Examine(func(n int, eta float64) algos.Method {
		return &algos.SGD{Tuning: algos.Tuning{Eta: eta}}
	},
		algotest.Options{Law: algotest.Unbiased()})
	fmt.Println(report.Err())
	for _, what := range report.NotChecked {
		fmt.Println(what)
	}
	// Output:
	// <nil>
	// reference: step by step against a naive form: none given (Options.Reference)
}
