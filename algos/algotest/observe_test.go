package algotest

import (
	"slices"
	"testing"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
)

// piecewise takes a full gradient at every second step, component by component in backward order.
type piecewise struct {
	algos.SGD
	o *algos.Oracle
	t int
}

func (m *piecewise) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	m.o, m.t = o, 0
	return m.SGD.Start(o, x0, r)
}

func (m *piecewise) Step() {
	m.SGD.Step()
	if m.t++; m.t%2 == 0 {
		g := make([]float64, m.o.Dim())
		for i := range m.o.Components() {
			m.o.Gradient(g, m.Point(), m.o.Components()-1-i)
		}
	}
}

func TestObserveSeesFullGradients(t *testing.T) {
	p := testproblem.Wells(5, 1, 2)
	o, err := Observe(&piecewise{SGD: algos.SGD{Tuning: algos.Tuning{Eta: 0.1, Batch: 1}}},
		algos.Sum(p.FiniteSum()), []float64{1, 2},
		algos.Seeded(1), 5)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.Full, []int{2, 4}) || o.Counts.Full != 0 || o.Gradients != p.Asked ||
		o.Gradients != 6+2*5 {
		t.Errorf("full gradients at %v, %d declared, %d gradients of %d", o.Full, o.Counts.Full,
			o.Gradients, p.Asked)
	}
	if o.Memory != 4 || o.Held < 4 {
		t.Errorf("memory %d, held %d", o.Memory, o.Held)
	}
	if _, err := Observe(&algos.SGD{}, algos.Sum(p.FiniteSum()), []float64{1, 2}, algos.Seeded(1),
		5); err == nil {
		t.Error("a step size of zero passes")
	}
}

func TestObserveSeesClients(t *testing.T) {
	p := testproblem.Wells(5, 2, 2)
	o, err := Observe(&algos.SCAFFOLD{LocalTuning: algos.LocalTuning{Eta: 0.1, Chosen: 2},
		Warm: true}, p,
		[]float64{1, 2}, algos.Seeded(1), 3)
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(o.Clients, []int{5, 2, 2, 2}) || !slices.Equal(o.Full, []int{0}) ||
		o.Gradients != p.Asked {
		t.Errorf("clients %v, full %v, %d gradients of %d", o.Clients, o.Full, o.Gradients, p.Asked)
	}
}
