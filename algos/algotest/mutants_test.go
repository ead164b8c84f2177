package algotest_test

import (
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/internal/naive"
)

// lsvrg is loopless SVRG, as a user of the suite may write it, with a defect to choose.
type lsvrg struct {
	eta    float64
	batch  int
	defect string

	o                      *algos.Oracle
	r                      algos.Randomness
	x, v, w, mu, g, h, tmp []float64
	idx, second            []int
}

func (m *lsvrg) Name() string         { return "L-SVRG" }
func (m *lsvrg) Point() []float64     { return m.x }
func (m *lsvrg) Estimator() []float64 { return m.v }

func (m *lsvrg) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	if err := algos.CheckStart(m.Name(), x0, o.Dim()); err != nil {
		return err
	}
	if !(m.eta > 0) {
		return &algos.ParameterError{Method: m.Name(), Parameter: "eta", Reason: "must be positive"}
	}
	m.o, m.r = o, r
	for _, v := range []*[]float64{&m.x, &m.v, &m.w, &m.mu, &m.g, &m.h, &m.tmp} {
		*v = append([]float64(nil), x0...)
	}
	b := m.batch
	if b == 0 {
		b = min(2, o.Components())
	}
	m.idx, m.second = make([]int, b), make([]int, b)
	o.Full(m.mu, m.w, m.tmp)
	copy(m.v, m.mu)
	return nil
}

func (m *lsvrg) Step() {
	eta := m.eta
	if m.defect == "double step" {
		eta *= 2
	}
	for l := range m.x {
		m.x[l] -= eta * m.v[l]
	}
	if m.r.Uniform(algos.Coins) < 1/float64(m.o.Components()) {
		if m.defect != "snapshot kept" {
			copy(m.w, m.x)
		}
		if m.defect != "gradient of the snapshot kept" {
			m.o.Full(m.mu, m.x, m.tmp)
		}
	}
	n, b := m.o.Components(), float64(len(m.idx))
	m.r.Subset(m.idx, n, algos.Batches)
	copy(m.second, m.idx)
	idx, sign, weight := m.idx, 1.0, 1/b
	switch m.defect {
	case "sign":
		sign = -1
	case "no division":
		weight = 1
	case "division by b+1":
		weight = 1 / (b + 1)
	case "division by n":
		weight = 1 / float64(n)
	case "no correction":
		weight = 0
	case "b-1 of the batch":
		idx, weight = idx[1:], 1/(b-1)
	case "two batches":
		m.r.Subset(m.second, n, algos.Batches)
	case "neighbours":
		for k := range m.second {
			m.second[k] = (m.idx[k] + 1) % n
		}
	case "first index twice":
		m.idx[1] = m.idx[0]
		copy(m.second, m.idx)
	}
	copy(m.v, m.mu)
	for k, i := range idx {
		j := m.second[len(m.second)-len(idx)+k]
		m.o.Gradient(m.g, m.x, i)
		m.o.Gradient(m.h, m.w, j)
		for l := range m.v {
			m.v[l] += sign * weight * (m.g[l] - m.h[l])
		}
	}
}

func TestSuiteKnowsBias(t *testing.T) {
	factory := func(defect string) algotest.Factory {
		return func(_ int, eta float64) algos.Method { return &lsvrg{eta: eta, defect: defect} }
	}
	for _, opt := range []algotest.Options{{},
		{Law: algotest.Unbiased(), Move: algotest.AlongEstimator}} {
		if err := algotest.Check(factory(""), opt); err != nil {
			t.Errorf("sound L-SVRG fails: %v", err)
		}
		for defect, words := range map[string]string{
			"sign":                          "bias: ",
			"no division":                   "bias: ",
			"division by b+1":               "bias: ",
			"division by n":                 "bias: ",
			"no correction":                 "bias: ",
			"snapshot kept":                 "bias: ",
			"gradient of the snapshot kept": "bias: ",
			"b-1 of the batch":              "sampling: ",
			"first index twice":             "sampling: ",
			"double step":                   "move: every step is −0.2 times the estimator",
			"neighbours":                    "relabelling: ",
		} {
			if testing.Short() && opt.Move == algotest.AlongEstimator && defect != "double step" {
				continue // as without a declared move
			}
			err := algotest.Check(factory(defect), opt)
			if opt.Move == algotest.AlongEstimator && defect == "double step" {
				words = "move: step 1 moves by"
			}
			if err == nil || !strings.Contains(err.Error(), words) {
				t.Errorf("L-SVRG with the defect %q is not told %q: %v", defect, words, err)
			}
		}
	}
	// Two independent sets leave the estimator unbiased; only the naive form knows better.
	opt := algotest.Options{Law: algotest.Unbiased(), Reference: factory("")}
	if err := algotest.Check(factory("two batches"), opt); err == nil ||
		!strings.Contains(err.Error(), "reference: ") {
		t.Errorf("two batches: %v", err)
	}
	report := algotest.Examine(factory(""), algotest.Options{})
	if s := strings.Join(report.NotChecked, "\n"); report.Err() != nil ||
		!strings.Contains(s, "no law declared") ||
		!strings.Contains(s, "the estimator is unbiased") ||
		!strings.Contains(s, "none given (Options.Reference)") {
		t.Errorf("not said what was not checked: %v", report)
	}
}

// clientSAGA is SAGA over clients with full local gradients, with a defect to choose.
type clientSAGA struct {
	eta    float64
	defect string

	o                *algos.Oracle
	r                algos.Randomness
	x, v, mean, g, h []float64
	table            [][]float64
	set              []int
}

func (m *clientSAGA) Name() string         { return "SAGA over clients" }
func (m *clientSAGA) Point() []float64     { return m.x }
func (m *clientSAGA) Estimator() []float64 { return m.v }

func (m *clientSAGA) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	if err := algos.CheckStart(m.Name(), x0, o.Dim()); err != nil {
		return err
	}
	if !(m.eta > 0) {
		return &algos.ParameterError{Method: m.Name(), Parameter: "eta", Reason: "must be positive"}
	}
	m.o, m.r, m.set, m.table = o, r, make([]int, min(2, o.Clients())), nil
	for _, v := range []*[]float64{&m.x, &m.v, &m.mean, &m.g, &m.h} {
		*v = append([]float64(nil), x0...)
	}
	clear(m.mean)
	for i := range o.Clients() {
		row := make([]float64, o.Dim())
		o.Local(row, x0, i, m.h)
		for l := range row {
			m.mean[l] += row[l] / float64(o.Clients())
		}
		m.table = append(m.table, row)
	}
	copy(m.v, m.mean)
	o.Round(o.Clients())
	return nil
}

func (m *clientSAGA) Step() {
	for l := range m.x {
		m.x[l] -= m.eta * m.v[l]
	}
	P, p := float64(m.o.Clients()), float64(len(m.set))
	m.r.Subset(m.set, m.o.Clients(), algos.Clients)
	set, sign, weight := m.set, 1.0, 1/p
	switch m.defect {
	case "sign":
		sign = -1
	case "no division":
		weight = 1
	case "division by p+1":
		weight = 1 / (p + 1)
	case "no correction":
		weight = 0
	case "one client less":
		set, weight = set[:1], 1
	case "client 0":
		set[0] = 0
	}
	copy(m.v, m.mean)
	for _, i := range set {
		m.o.Local(m.g, m.x, i, m.h)
		for l, g := range m.g {
			m.v[l] += sign * weight * (g - m.table[i][l])
			if m.defect != "mean kept" {
				m.mean[l] += (g - m.table[i][l]) / P
			}
			if m.defect != "table kept" {
				m.table[i][l] = g
			}
		}
	}
	m.o.Down(len(set))
	m.o.Up(len(set))
	m.o.Round(len(set))
}

func TestSuiteKnowsBiasOfFederatedMethods(t *testing.T) {
	factory := func(defect string) algotest.Factory {
		return func(_ int, eta float64) algos.Method { return &clientSAGA{eta: eta, defect: defect} }
	}
	for _, opt := range []algotest.Options{{},
		{Law: algotest.Unbiased(), Move: algotest.AlongEstimator}} {
		opt.Federated = true
		if err := algotest.Check(factory(""), opt); err != nil {
			t.Errorf("a sound method fails: %v", err)
		}
		for defect, words := range map[string]string{
			"sign": "bias: ", "no division": "bias: ", "division by p+1": "bias: ",
			"no correction": "bias: ", "one client less": "sampling: ", "client 0": "bias: ",
			"mean kept": "bias: ", "table kept": "bias: ",
		} {
			if err := algotest.Check(factory(defect), opt); err == nil ||
				!strings.Contains(err.Error(), words) {
				t.Errorf("the defect %q is not told %q: %v", defect, words, err)
			}
		}
	}
}

// Whatever a fault does to a method that it changes at all, the suite notices.
func TestSuiteNoticesFaults(t *testing.T) {
	seen := map[string]bool{}
	for _, f := range algotest.Forms() {
		switch f.Name {
		case "SGD/noise", "SLEDGE-II/noise", "SARAH", "SAGA", "PAGE", "SVRG/replacement",
			"FLEDGE-II/single", "SCAFFOLD-II", "BVR-L-PSGD", "FedAvg/single":
		default:
			continue
		}
		for _, fault := range algotest.Faults() {
			o := f.Try(fault)
			seen[fault.Name] = seen[fault.Name] || o.Changes
			if !o.Survives() {
				continue
			}
			// Only the naive form can tell.
			bad := naive.With(f)
			bad.Method = func(n int, eta float64) algos.Method { return fault.Method(f.Method(n, eta)) }
			if algotest.Check(bad.Method, bad.Options) == nil {
				t.Errorf("%s passes with %s", f.Name, fault.Name)
			}
		}
	}
	for _, fault := range algotest.Faults() {
		if !seen[fault.Name] {
			t.Errorf("nothing changes with %s", fault.Name)
		}
	}
}

// What changes no run is told apart from what survives.
func TestFaultsThatChangeNothing(t *testing.T) {
	for _, f := range algotest.Forms() {
		if f.Name != "GD" && f.Name != "SAGA" {
			continue
		}
		for _, fault := range algotest.Faults() {
			o := f.Try(fault)
			idle := strings.Contains(fault.Name, "noise") ||
				strings.Contains(fault.Name, "coins") ||
				f.Name == "GD" && strings.Contains(fault.Name, "set")
			if o.Changes == idle || idle && o.Case != "" {
				t.Errorf("%s with %s: %+v", f.Name, fault.Name, o)
			}
		}
	}
}
