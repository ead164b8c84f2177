package algotest_test

import (
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/algotest"
)

func TestOurMethodsConform(t *testing.T) {
	reference := map[string]string{"allocation": "the literal form is for checking, not for speed"}
	for name, s := range map[string]struct {
		f    algotest.Factory
		skip map[string]string
	}{
		"SLEDGE-I": {f: func(n int, eta float64) algos.Method {
			return &algos.SLEDGE{Eta: eta, Option: algos.OptionI, Radius: 0.01}
		}},
		"SLEDGE-II": {f: func(n int, eta float64) algos.Method {
			return &algos.SLEDGE{Eta: eta, Radius: 0.01}
		}},
		"reference": {f: func(n int, eta float64) algos.Method {
			return (&algos.SLEDGE{Eta: eta}).Reference()
		},
			skip: reference},
		"GD": {f: func(n int, eta float64) algos.Method { return &algos.GD{Eta: eta, Radius: 0.01} }},
		"SGD": {f: func(n int, eta float64) algos.Method {
			return &algos.SGD{Tuning: algos.Tuning{Eta: eta}}
		}},
		"SGD with replacement": {f: func(n int, eta float64) algos.Method {
			return &algos.SGD{Tuning: algos.Tuning{Eta: eta, Batch: 20, WithReplacement: true}}
		}},
	} {
		t.Run(name, func(t *testing.T) { algotest.Test(t, s.f, algotest.Options{Skip: s.skip}) })
	}
	for name, s := range map[string]struct {
		f    algotest.Factory
		skip map[string]string
	}{
		"FLEDGE-I": {f: func(P int, eta float64) algos.Method {
			return &algos.FLEDGE{Eta: eta, LocalSteps: 2, Batch: 3, Option: algos.OptionI,
				Radius: 0.01}
		}},
		"FLEDGE-II": {f: func(P int, eta float64) algos.Method {
			return &algos.FLEDGE{Eta: eta, LocalSteps: 4, Batch: 2}
		}},
		"reference": {f: func(P int, eta float64) algos.Method {
			return (&algos.FLEDGE{Eta: eta, LocalSteps: 4, Batch: 2}).Reference()
		}},
	} {
		t.Run(name, func(t *testing.T) {
			algotest.Test(t, s.f, algotest.Options{Skip: s.skip, Federated: true})
		})
	}
}

// defective breaks one rule of the suite at a time.
type defective struct {
	algos.GD
	defect string
	x0     []float64
	scrap  [][]float64
	calls  int
}

func (m *defective) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	if m.defect == "refusals" && m.Eta <= 0 {
		m.Eta = 0.1
	}
	if err := m.GD.Start(o, x0, r); err != nil {
		return err
	}
	m.x0 = x0
	return nil
}

func (m *defective) Step() {
	m.calls++
	m.GD.Step()
	x := m.GD.Point()
	switch m.defect {
	case "inputs":
		m.x0[0]++
	case "repeatable":
		x[0] += 1e-12 * float64(addressBits(m))
	case "restart":
		x[0] += 1e-9 * float64(m.calls)
	case "translation":
		x[0] *= 0.999
	case "rotation":
		x[0] -= 1e-3 * m.GD.Estimator()[0]
	case "scaling":
		x[0] -= 1e-3 * m.GD.Estimator()[0]
	case "progress":
		x[0] += 5
	case "allocation":
		m.scrap = append(m.scrap[:0], make([]float64, 100))
	}
}

var serial int

// addressBits differs between values of the method, as a use of global state would.
func addressBits(*defective) int { serial++; return serial }

func TestSuiteNoticesDefects(t *testing.T) {
	for _, defect := range []string{
		"inputs", "repeatable", "restart", "translation", "rotation", "scaling", "progress",
		"allocation", "refusals",
	} {
		err := algotest.Check(func(n int, eta float64) algos.Method {
			return &defective{GD: algos.GD{Eta: eta}, defect: defect}
		}, algotest.Options{})
		if err == nil || !strings.Contains(err.Error(), defect+":") {
			t.Errorf("a method that breaks %q passes it: %v", defect, err)
		}
	}
	sound := func(n int, eta float64) algos.Method { return &algos.GD{Eta: eta} }
	if err := algotest.Check(sound, algotest.Options{}); err != nil {
		t.Errorf("a sound method fails: %v", err)
	}
}

// idle asks for nothing.
type idle struct{ x []float64 }

func (m *idle) Name() string         { return "idle" }
func (m *idle) Point() []float64     { return m.x }
func (m *idle) Estimator() []float64 { return m.x }
func (m *idle) Step()                {}
func (m *idle) Start(_ *algos.Oracle, x0 []float64, _ algos.Randomness) error {
	m.x = append([]float64(nil), x0...)
	return nil
}

func TestSuiteNoticesIdleness(t *testing.T) {
	err := algotest.Check(func(int, float64) algos.Method { return &idle{} }, algotest.Options{})
	for _, name := range []string{"counts:", "progress:", "refusals:"} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("a method that does nothing passes %s %v", name, err)
		}
	}
}

// hasty trusts its caller and breaks in its third step.
type hasty struct {
	idle
	o     *algos.Oracle
	g     []float64
	steps int
}

func (m *hasty) Start(o *algos.Oracle, x0 []float64, _ algos.Randomness) error {
	m.o, m.x, m.g = o, append([]float64(nil), x0...), make([]float64, o.Dim())
	o.Gradient(m.g, m.x, 0)
	return nil
}

func (m *hasty) Step() {
	if m.steps++; m.steps == 3 {
		panic("third step")
	}
}

func TestSuiteOutlivesPanics(t *testing.T) {
	err := algotest.Check(func(int, float64) algos.Method { return &hasty{} }, algotest.Options{})
	for _, words := range []string{
		"refusals: x0 of the wrong length makes Start panic (runtime error: index out of " +
			"range",
		"the method panics: third step", "algotest_test.(*hasty).Step"} {
		if err == nil || !strings.Contains(err.Error(), words) {
			t.Errorf("a method that panics is not told %q: %v", words, err)
		}
	}
}

// partial treats component 0 as special.
type partial struct{ algos.GD }

func (m *partial) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	if err := m.GD.Start(o, x0, r); err != nil {
		return err
	}
	o.Gradient(m.GD.Estimator(), x0, 0)
	return nil
}

func TestSuiteNoticesSpecialComponents(t *testing.T) {
	f := func(n int, eta float64) algos.Method { return &partial{algos.GD{Eta: eta}} }
	err := algotest.Check(f, algotest.Options{})
	if err == nil || !strings.Contains(err.Error(), "relabelling:") {
		t.Errorf("a method that prefers component 0 passes: %v", err)
	}
}
