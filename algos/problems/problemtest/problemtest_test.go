package problemtest_test

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/floats"
	"pgregory.net/rapid"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/algos/problems/problemtest"
)

// Own is a method of one's own: SARAH that begins anew with probability 1/n.
type Own struct{ algos.Base }

func (m *Own) Name() string { return "own" }

func (m *Own) Start(o *algos.Oracle, x0 []float64, r algos.Randomness) error {
	err := m.Begin(m.Name(), o, x0, r)
	if err == nil {
		m.Full(m.Estimator())
	}
	return err
}

func (m *Own) Step() {
	if m.Move(); m.Coin(1 / float64(m.Components())) {
		m.Full(m.Estimator())
		return
	}
	m.Recur()
}

// methods are what is driven, with a step size.
var methods = map[string]func(eta float64) algos.Method{
	"SLEDGE-I":  func(eta float64) algos.Method { return &algos.SLEDGE{Eta: eta, Option: algos.OptionI} },
	"SLEDGE-II": func(eta float64) algos.Method { return &algos.SLEDGE{Eta: eta} },
	"own": func(eta float64) algos.Method {
		return &Own{algos.Base{Tuning: algos.Tuning{Eta: eta}}}
	},
}

// sums are the generators of finite sums.
var sums = map[string]*rapid.Generator[problems.FiniteSum]{
	"quadratic":     problemtest.Quadratic(problems.Limits{}),
	"heterogeneous": problemtest.Heterogeneous(problems.Limits{}),
	"PL":            problemtest.PL(problems.Limits{}),
	"saddle":        problemtest.Saddle(problems.Limits{}),
	"logistic":      problemtest.Logistic(problems.Limits{}),
}

// descent is by how much a step exceeds what the descent lemma allows it:
// f(x⁺) ≤ f(x) − (η/2)‖∇f(x)‖² − (1/(2η) − L/2)‖x⁺ − x‖² + (η/2)‖v − ∇f(x)‖² for any v.
func descent(m *algos.Monitor, before, after, v []float64, eta, L float64) float64 {
	g, moved := m.GradientNorm(before), floats.Distance(before, after, 2)
	return m.Value(after) - m.Value(before) + eta/2*g*g + (1/(2*eta)-L/2)*moved*moved -
		eta/2*m.ErrorSquared(v, before)
}

// Each method keeps the descent lemma on each family, whatever rapid does between its steps; with
// half of L it would not.
func TestFiniteSums(t *testing.T) {
	for family, generator := range sums {
		for name, method := range methods {
			t.Run(family+" "+name, func(t *testing.T) {
				broken := 0
				rapid.Check(t, func(rt *rapid.T) { broken += drive(rt, generator, method) })
				if broken == 0 && !testing.Short() { // few checks may miss it
					t.Error("half of L is enough: the property tells nothing")
				}
			})
		}
	}
}

// drive runs a method for as long as rapid wants, and says how often half of L would have been too
// little.
func drive(t *rapid.T, generator *rapid.Generator[problems.FiniteSum],
	method func(float64) algos.Method) (broken int) {
	p := generator.Draw(t, "p")
	x0 := problemtest.Point(p.Dim(), 3).Draw(t, "x0")
	L := p.Constants(x0).L.Value
	eta := rapid.Float64Range(0.05, 0.9).Draw(t, "ηL") / L
	m, o := method(eta), algos.NewOracle(algos.Sum(p))
	if err := m.Start(o, x0, algos.Seeded(rapid.Uint64().Draw(t, "seed"))); err != nil {
		t.Fatal(err)
	}
	monitor := algos.NewMonitor(algos.Sum(p))
	spent := o.Counts().Gradients
	// values that differ by less are those of one point, rounded: they are sums of some 100 terms of
	// at most this size
	rounding := 0x1p-52 * 100 * L * (1 + floats.Dot(x0, x0))
	t.Repeat(map[string]func(*rapid.T){
		"step": func(t *rapid.T) {
			before, v := slices.Clone(m.Point()), slices.Clone(m.Estimator())
			m.Step()
			if over := descent(monitor, before, m.Point(), v, eta, L); over > rounding {
				t.Fatalf("a step exceeds the descent lemma by %v", over)
			}
			if descent(monitor, before, m.Point(), v, eta, L/2) > 1e3*rounding {
				broken++
			}
			if now := o.Counts().Gradients; now <= spent {
				t.Fatalf("a step asks for no gradient: %d after %d", now, spent)
			}
			spent = o.Counts().Gradients
		},
		"restart": func(t *rapid.T) {
			if err := m.Start(o, slices.Clone(m.Point()), algos.Seeded(1)); err != nil {
				t.Fatal(err)
			}
			spent = o.Counts().Gradients
		},
		"": func(t *rapid.T) {
			if floats.HasNaN(m.Point()) || floats.HasNaN(m.Estimator()) {
				t.Fatalf("at %v with %v", m.Point(), m.Estimator())
			}
		},
	})
	return broken
}

// FLEDGE counts its rounds, has clients send something, and does not run away, whatever rapid does
// between the rounds.
func TestFederated(t *testing.T) {
	sent := false
	rapid.Check(t, func(t *rapid.T) {
		p := problemtest.Federated(problems.Limits{}).Draw(t, "p")
		x0 := problemtest.Point(p.Dim(), 3).Draw(t, "x0")
		local := rapid.IntRange(1, 3).Draw(t, "K")
		m := &algos.FLEDGE{Eta: 0.3 / p.Constants(x0).L.Value, LocalSteps: local, Cap: true}
		o := algos.NewOracle(p)
		if err := m.Start(o, x0, algos.Seeded(rapid.Uint64().Draw(t, "seed"))); err != nil {
			t.Fatal(err)
		}
		monitor := algos.NewMonitor(p)
		first, start := o.Counts(), monitor.Value(x0)
		rounds := int64(0)
		t.Repeat(map[string]func(*rapid.T){
			"round": func(*rapid.T) { m.Step(); rounds++ },
			"": func(t *rapid.T) {
				c := o.Counts()
				if c.Rounds-first.Rounds < rounds {
					t.Fatalf("%d rounds are counted after %d", c.Rounds-first.Rounds, rounds)
				}
				if v := monitor.Value(m.Point()); v != v || v > 100*(1+math.Abs(start)) {
					t.Fatalf("f rises from %v to %v", start, v)
				}
				sent = sent || c.Up > first.Up
			},
		})
	})
	if !sent {
		t.Error("no client has sent anything")
	}
}

// A generator keeps to the limits that it is given, and its problems differ.
func TestLimits(t *testing.T) {
	l := problems.Limits{N: problems.Sizes(3, 4), D: problems.Sizes(2, 2)}
	seen := map[int]bool{}
	for name, generator := range map[string]*rapid.Generator[problems.FiniteSum]{
		"quadratic": problemtest.Quadratic(l), "heterogeneous": problemtest.Heterogeneous(l),
		"PL": problemtest.PL(l), "saddle": problemtest.Saddle(l), "logistic": problemtest.Logistic(l),
	} {
		rapid.Check(t, func(t *rapid.T) {
			p := generator.Draw(t, "p")
			if n := p.Components(); n < 3 || n > 4 || p.Dim() != 2 {
				t.Fatalf("%s: %d components in %d dimensions", name, n, p.Dim())
			}
			seen[p.Components()] = true
		})
	}
	if len(seen) != 2 {
		t.Errorf("the numbers of components are %v", seen)
	}
}
