package algos_test

import (
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/props/keyed"
)

func TestCoupledRunDiffersByTheShift(t *testing.T) {
	p := sumOf(10, 2)
	m := &algos.SLEDGE{Eta: 0.2, Batch: 3, Radius: 0.2}
	o := algos.NewOracle(p)
	tape, err := algos.RecordRun(m, o, ones(2), algos.Seeded(5), 12)
	if err != nil {
		t.Fatal(err)
	}
	shift := []float64{0.25, -0.5}
	pair, err := algos.RecordCoupled(m, o, tape, algos.Perturbation{Step: 4, Shift: shift})
	if err != nil {
		t.Fatal(err)
	}
	w, g, mon := make([]float64, 2), make([]float64, 2), algos.NewMonitor(p)
	for s := range 13 {
		pair.Separation(w, s)
		pair.ErrorGap(g, s, mon)
		switch {
		case s < 4 && (floats.Norm(w, 2) != 0 || floats.Norm(g, 2) != 0):
			t.Errorf("step %d before the shift: w = %v, g = %v", s, w, g)
		case s == 4:
			near(t, "w at the shift", w, shift)
		case s > 4 && floats.Norm(w, 2) == 0:
			t.Errorf("step %d after the shift: no separation", s)
		}
	}
	if tape.Noise(4)[0][0] == pair.Coupled.Noise(4)[0][0] ||
		tape.Noise(5)[0][0] != pair.Coupled.Noise(5)[0][0] {
		t.Error("the shift is in the wrong step, or changed the tape it came from")
	}
}

func TestFederatedCoupledRunIsShiftedInALocalStep(t *testing.T) {
	p := newToy(6, 8, 3)
	m := &algos.FLEDGE{Eta: 0.1, Chosen: 2, Batch: 2, LocalSteps: 3, Radius: 0.05}
	o := algos.NewOracle(p)
	tape, err := algos.RecordRun(m, o, ones(3), algos.Seeded(1), 6)
	if err != nil {
		t.Fatal(err)
	}
	shift := []float64{0, 0, 0.5}
	pair, err := algos.RecordCoupled(m, o, tape, algos.Perturbation{Step: 3, Draw: 1, Shift: shift})
	if err != nil {
		t.Fatal(err)
	}
	for k, x := range tape.Local[3] {
		d := make([]float64, 3)
		floats.SubTo(d, x, pair.Coupled.Local[3][k])
		switch {
		case k < 2 && floats.Norm(d, 2) != 0:
			t.Errorf("x^{3,%d} differs by %v before the shift", k, d)
		case k == 2:
			near(t, "separation at the shift", d, shift)
		}
	}
}

func TestBranchSharesThePastOnly(t *testing.T) {
	p := sumOf(10, 2)
	m := &algos.SLEDGE{Eta: 0.2, Batch: 3, Radius: 0.2}
	a, err := algos.RecordRun(m, algos.NewOracle(p), ones(2), algos.Seeded(5), 12)
	if err != nil {
		t.Fatal(err)
	}
	b, err := algos.RecordRun(m, algos.NewOracle(p), ones(2),
		a.Branch(7, algos.Keyed(keyed.New(8))), 12)
	if err != nil {
		t.Fatal(err)
	}
	for s := range 13 {
		if same := floats.Equal(a.X[s], b.X[s]); same != (s <= 7) {
			t.Errorf("step %d: same = %v", s, same)
		}
	}
}
