package algotest

import (
	"errors"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
)

// Fault turns any method into a defective one, by bending the answers that it gets from its oracle
// or from its randomness: what a checker of methods must notice. Gradients asked for still go
// through the metered oracle of the run.
type Fault struct {
	Name string // such as "stale gradients"
	// Harmless says for which methods the fault changes nothing, in words; empty if for none.
	Harmless string

	bend  func(b *faultyProblem, dst, x []float64, i, j int)
	alter func() algos.Altered
}

// Faults returns the faults of the package.
func Faults() []Fault {
	sets := func(alter func(dst []int, n int, p algos.Purpose)) func() algos.Altered {
		return func() algos.Altered { return algos.Altered{Ints: alter} }
	}
	return []Fault{
		{Name: "component 0 for component 1", Harmless: "problems with one component",
			bend: func(b *faultyProblem, dst, x []float64, i, j int) {
				if i == 1 {
					i = 0
				}
				b.ask(dst, x, i, j)
			}},
		{Name: "stale gradients", bend: func(b *faultyProblem, dst, x []float64, i, j int) {
			// Every third request is answered at the point of the first request ever.
			if b.first == nil {
				b.first = slices.Clone(x)
			}
			if b.asked++; b.asked%3 == 0 {
				x = b.first
			}
			b.ask(dst, x, i, j)
		}},
		{Name: "gradients of component 0 with the wrong sign",
			bend: func(b *faultyProblem, dst, x []float64, i, j int) {
				if b.ask(dst, x, i, j); i == 0 {
					floats.Scale(-1, dst)
				}
			}},
		{Name: "gradients too long by one percent where a coordinate is negative",
			bend: func(b *faultyProblem, dst, x []float64, i, j int) {
				if b.ask(dst, x, i, j); x[0] < 0 {
					floats.Scale(1.01, dst)
				}
			}},
		{Name: "sets with index 0", Harmless: "methods that draw no sets, or all indices",
			alter: sets(func(dst []int, _ int, _ algos.Purpose) {
				if len(dst) > 0 && !slices.Contains(dst, 0) {
					dst[0] = 0
				}
			})},
		{Name: "sets with one index less", Harmless: "methods that draw single indices",
			alter: sets(func(dst []int, _ int, _ algos.Purpose) {
				if len(dst) > 1 {
					dst[len(dst)-1] = dst[0]
				}
			})},
		{Name: "sets without the last index", Harmless: "methods that draw no sets, or all indices",
			alter: sets(func(dst []int, n int, _ algos.Purpose) {
				for k, i := range dst {
					if i == n-1 {
						dst[k] = (n - 1) / 2
					}
				}
			})},
		{Name: "the first set for ever", Harmless: "methods that draw no sets, or all indices",
			alter: func() algos.Altered {
				kept := map[[2]int][]int{}
				return algos.Altered{Ints: func(dst []int, n int, p algos.Purpose) {
					key := [2]int{int(p), len(dst)<<32 | n}
					if old, ok := kept[key]; ok {
						copy(dst, old)
					} else {
						kept[key] = slices.Clone(dst)
					}
				}}
			}},
		{Name: "noise to one side", Harmless: "methods without noise",
			alter: func() algos.Altered {
				return algos.Altered{Floats: func(dst []float64, _ algos.Purpose) {
					if dst[0] < 0 {
						dst[0] = -dst[0]
					}
				}}
			}},
		{Name: "coins that fall low", Harmless: "methods without coins",
			alter: func() algos.Altered {
				return algos.Altered{Coins: func(u float64, _ algos.Purpose) float64 { return u * u }}
			}},
	}
}

// Outcome is what a fault did to a method, and what the suite says about it.
type Outcome struct {
	Form  string `json:"form"`  // as in [Forms]
	Fault string `json:"fault"` // its name
	// some run is another one; else the suite has not been asked
	Changes bool `json:"changes"`
	// the first case that fails; empty if the method passes with the fault
	Case    string `json:"case,omitempty"`
	Failure string `json:"failure,omitempty"` // what it says
}

// Survives reports whether a fault that changes runs passes the suite.
func (o *Outcome) Survives() bool { return o.Changes && o.Case == "" }

// Try puts the form with the fault through the suite, up to the first failure; the enumeration of
// means comes last, and the case about allocation is left out, as the fault may allocate itself.
// Whether the fault changes anything is seen in runs from several seeds, point by point.
func (f *Form) Try(fault Fault) Outcome {
	out := Outcome{Form: f.Name, Fault: fault.Name}
	good, bad := f.subject(nil), f.subject(&fault)
	if out.Changes = good.partsFrom(bad, f.Options.withDefaults()); !out.Changes {
		return out
	}
	for _, last := range []bool{false, true} {
		for _, c := range cases {
			if _, skip := f.Options.Skip[c.name]; skip || c.name == "allocation" ||
				(c.name == "bias") != last {
				continue
			}
			err := c.run(bad, f.Options)
			if err != nil && !errors.As(err, new(*notChecked)) {
				out.Case, out.Failure = c.name, err.Error()
				return out
			}
		}
	}
	return out
}

// subject is what the suite examines: the form, with a fault unless there is none.
func (f *Form) subject(fault *Fault) subject {
	if fault == nil {
		return subject{f.Method, f.Options.Federated}
	}
	return subject{func(n int, eta float64) algos.Method { return fault.Method(f.Method(n, eta)) },
		f.Options.Federated}
}

// partsFrom reports whether two methods make different runs, in any bit of an iterate, from a start
// or from its mirror image. One that panics or is refused is different.
func (s subject) partsFrom(other subject, o Options) bool {
	for k := range 6 {
		x0 := origin(4)
		if k%2 == 1 {
			floats.Scale(-1, x0)
		}
		a, err := s.path(s.standard(), o.Eta, x0, algos.Seeded(uint64(k)), o.Steps)
		if err != nil {
			return false
		}
		var b [][]float64
		if catchPanic(func() (err error) {
			b, err = other.path(s.standard(), o.Eta, x0, algos.Seeded(uint64(k)), o.Steps)
			return err
		}) != nil {
			return true
		}
		for t := range a[:len(a)-1] {
			if !slices.Equal(a[t], b[t]) {
				return true
			}
		}
	}
	return false
}

// Method returns the method with the fault.
func (f Fault) Method(m algos.Method) algos.Method { return &faulty{Method: m, f: f} }

func (f Fault) randomness(r algos.Randomness) algos.Randomness {
	if f.alter == nil {
		return r
	}
	altered := f.alter()
	altered.Randomness = r
	return &altered
}

type faulty struct {
	algos.Method
	f        Fault
	o, inner *algos.Oracle
	sent     algos.Counts
}

func (m *faulty) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	m.o, m.inner, m.sent = o, o, algos.Counts{}
	if m.f.bend != nil {
		b := &faultyProblem{f: m.f, o: o}
		if m.inner = algos.NewOracle(b); o.HasValues() {
			m.inner = algos.NewOracle(faultyValuer{b})
		}
	}
	if err := m.Method.Start(m.inner, x0, m.f.randomness(r)); err != nil {
		return err
	}
	m.forward()
	return nil
}

func (m *faulty) Step() {
	m.Method.Step()
	m.forward()
}

// forward counts with the oracle of the run the messages and rounds that the inner one has seen.
func (m *faulty) forward() {
	if m.inner == m.o {
		return
	}
	now := m.inner.Counts()
	m.o.Down(int(now.Down - m.sent.Down))
	m.o.Up(int(now.Up - m.sent.Up))
	full := now.FullSync - m.sent.FullSync
	for k := range now.Rounds - m.sent.Rounds {
		if k < full {
			m.o.Round(m.o.Clients())
		} else {
			m.o.Round(0)
		}
	}
	m.sent = now
}

// faultyProblem is where the gradients of a faulty method come from.
type faultyProblem struct {
	f     Fault
	o     *algos.Oracle
	first []float64
	asked int
}

func (b *faultyProblem) ask(dst, x []float64, i, j int)      { b.o.Datum(dst, x, i, j) }
func (b *faultyProblem) Clients() int                        { return b.o.Clients() }
func (b *faultyProblem) Size(i int) int                      { return b.o.Size(i) }
func (b *faultyProblem) Dim() int                            { return b.o.Dim() }
func (b *faultyProblem) Gradient(dst, x []float64, i, j int) { b.f.bend(b, dst, x, i, j) }

type faultyValuer struct{ *faultyProblem }

func (b faultyValuer) Value(x []float64) float64 { return b.o.Value(x) }
