package main

import "sledge/algos"

// LSVRG is loopless SVRG: a control variate from a snapshot, which is renewed with probability 1/n
// at every step.
type LSVRG struct {
	algos.Base
	snapshot, full []float64
}

func (m *LSVRG) Name() string { return "L-SVRG" }
func (m *LSVRG) Memory() int  { return 4 * len(m.snapshot) }

func (m *LSVRG) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	if err := m.Begin(m.Name(), o, x0, r); err != nil {
		return err
	}
	m.snapshot, m.full = make([]float64, o.Dim()), make([]float64, o.Dim())
	m.renew()
	m.Control(m.full, m.snapshot)
	return nil
}

func (m *LSVRG) renew() {
	copy(m.snapshot, m.Point())
	m.Full(m.full)
}

func (m *LSVRG) Step() {
	if m.Coin(1 / float64(m.Components())) {
		m.renew() // at the point before the step, as in the note
	}
	m.Move()
	m.Control(m.full, m.snapshot)
}

// lsvrg is the method for one component a step.
func lsvrg(t algos.Tuning) *LSVRG {
	t.Batch = 1
	return &LSVRG{Base: algos.Base{Tuning: t}}
}

// method is the entry of the catalogue.
func method() algos.Entry {
	return algos.Entry{Name: "L-SVRG", Summary: "SVRG that renews its snapshot at random",
		Source: "Kovalev et al. 2020",
		New:    func(s algos.Setting) algos.Method { return lsvrg(s.Tuning) },
		Prescribed: func(f *algos.Facts) algos.Prescription {
			m := lsvrg(algos.Tuning{Eta: 1 / (6 * f.NeedL())})
			return algos.Prescription{Method: m, Eta: m.Eta, By: "Kovalev et al. 2020, convex sums"}
		}}
}
