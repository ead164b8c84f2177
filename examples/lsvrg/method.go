package main

import (
	"fmt"

	"sledge/algos"
)

// LSVRG is loopless SVRG: a control variate from a snapshot, which is renewed with probability 1/n
// at every step.
type LSVRG struct {
	Eta float64 // step size > 0

	o                    *algos.Oracle
	r                    algos.Randomness
	x, v, snapshot, full []float64
	now, before, work    []float64
	index                [1]int
}

var _ algos.Method = (*LSVRG)(nil)

// method is the entry of the catalogue.
func method() algos.Entry {
	return algos.Entry{Name: "L-SVRG", Summary: "SVRG that renews its snapshot at random",
		Source: "Kovalev et al. 2020",
		New:    func(s algos.Setting) algos.Method { return &LSVRG{Eta: s.Eta} },
		Prescribed: func(f *algos.Facts) algos.Prescription {
			m := &LSVRG{Eta: 1 / (6 * f.NeedL())}
			return algos.Prescription{Method: m, Eta: m.Eta, By: "Kovalev et al. 2020, convex sums"}
		}}
}

func (m *LSVRG) Name() string         { return "L-SVRG" }
func (m *LSVRG) Point() []float64     { return m.x }
func (m *LSVRG) Estimator() []float64 { return m.v }
func (m *LSVRG) Memory() int          { return 4 * len(m.x) }
func (m *LSVRG) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	if !(m.Eta > 0) || m.Eta > 1e300 {
		return fmt.Errorf("L-SVRG: Eta must be positive and finite, got %v", m.Eta)
	}
	if err := algos.CheckStart(m.Name(), x0, o.Dim()); err != nil {
		return err
	}
	m.o, m.r, m.x = o, r, append([]float64(nil), x0...)
	for _, s := range []*[]float64{&m.v, &m.snapshot, &m.full, &m.now, &m.before, &m.work} {
		*s = make([]float64, o.Dim())
	}
	m.renew()
	m.estimate()
	return nil
}

func (m *LSVRG) renew() {
	copy(m.snapshot, m.x)
	m.o.Full(m.full, m.x, m.work)
}

func (m *LSVRG) estimate() {
	m.r.Indices(m.index[:], m.o.Components(), algos.Batches)
	m.o.Gradient(m.now, m.x, m.index[0])
	m.o.Gradient(m.before, m.snapshot, m.index[0])
	for l := range m.v {
		m.v[l] = m.now[l] - m.before[l] + m.full[l]
	}
}

func (m *LSVRG) Step() {
	if m.r.Uniform(algos.Coins) < 1/float64(m.o.Components()) {
		m.renew() // at the point before the step, as in the note
	}
	for l := range m.x {
		m.x[l] -= m.Eta * m.v[l]
	}
	m.estimate()
}
