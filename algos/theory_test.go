package algos_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
)

// SLEDGE and FLEDGE as their theorems prescribe them, with and without schedules, never diverge and
// make the gradient of a quadratic smaller.
func TestPrescribedSLEDGEAndFLEDGE(t *testing.T) {
	build := func(s problems.Setting) (*problems.Problem, algos.Facts) {
		p, err := problems.Build("quadratic", s, rand.New(rand.NewPCG(3, 5)))
		if err != nil {
			t.Fatal(err)
		}
		f := p.Facts()
		f.LocalSteps, f.Eps = 4, algos.Known(0.1)
		return p, f
	}
	made := 0
	for _, zeta := range []float64{-1, 0.1} {
		sum, sumFacts := build(problems.Setting{N: 40, D: 4, Cond: 5, Zeta: zeta})
		fed, fedFacts := build(problems.Setting{N: 16, D: 4, Cond: 5, Zeta: zeta, Clients: 9})
		for _, c := range algos.WithSchedules() {
			if !strings.Contains(c.Name, "LEDGE") {
				continue
			}
			for goal := algos.Stationary; goal <= algos.UnderPL; goal++ {
				what := fmt.Sprintf("%s, ζ %v, goal %v", c.Name, zeta, goal)
				problem, facts, steps := sum, sumFacts, 400
				if c.Federated {
					problem, facts, steps = fed, fedFacts, 200
				}
				facts.Goal = goal
				p, err := c.Prescribe(facts)
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				tr, err := algos.Run(context.Background(), p.Method, problem.Objective, problem.X0,
					algos.Seeded(2), algos.Limits{Steps: steps, Every: 50})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				made++
				first, last := tr.Records[0].GradientNorm,
					tr.Records[len(tr.Records)-1].GradientNorm
				if tr.Stopped == "diverged" || !(last < 0.5*first) {
					t.Errorf("%s ends %q with gradient norm %.3g from %.3g, η = %.3g", what,
						tr.Stopped, last, first, p.Eta)
				}
			}
		}
	}
	if made != 2*8*3 {
		t.Errorf("%d runs, want 48", made)
	}
}

// The tuned variants with schedules draw all components (all data of the client) when their time
// has come, and only then.
func TestScheduledVariants(t *testing.T) {
	// 1/(ηδ) = 8
	s := algos.Setting{Tuning: algos.Tuning{Eta: 0.5, Batch: 3}, L: 1, Delta: 0.25, LocalSteps: 20}
	known, ok := algos.ByName("sledge-ii (refined)")
	if !ok {
		t.Fatal("SLEDGE-II (refined) is not found")
	}
	sum, err := problems.Build("quadratic", problems.Setting{N: 12, D: 2},
		rand.New(rand.NewPCG(3, 5)))
	if err != nil {
		t.Fatal(err)
	}
	m, o := known.New(s), algos.NewOracle(sum.Objective)
	if err := m.Start(o, sum.X0, algos.Seeded(1)); err != nil {
		t.Fatal(err)
	}
	for step := 1; step <= 40; step++ {
		before := o.Counts().Gradients
		m.Step()
		want := int64(2 * 3)
		if step == 8 || step == 24 || step == 40 {
			want = 2 * 12
		}
		if got := o.Counts().Gradients - before; got != want {
			t.Errorf("SLEDGE: %d gradients in step %d, want %d", got, step, want)
		}
	}
	if known, ok = algos.ByName("FLEDGE-I (relaxed)"); !ok {
		t.Fatal("FLEDGE-I (relaxed) is not found")
	}
	fed, err := problems.Build("quadratic", problems.Setting{N: 70, D: 2, Clients: 4},
		rand.New(rand.NewPCG(3, 5)))
	if err != nil {
		t.Fatal(err)
	}
	s.Chosen = 2
	f, fo := known.New(s), algos.NewOracle(fed.Objective)
	if err := f.Start(fo, fed.X0, algos.Seeded(1)); err != nil {
		t.Fatal(err)
	}
	before := fo.Counts().Gradients
	f.Step()
	// 19 local increments, two of them (k = 8, 16) over 70 data, and 2 clients with Kb = 60 data;
	// two points each.
	if got, want := fo.Counts().Gradients-before, int64(2*(17*3+2*70)+2*2*60); got != want {
		t.Errorf("FLEDGE: %d gradients in a round, want %d", got, want)
	}
}

// What can be chosen by name is named once, and every method of the catalogue is there.
func TestWithSchedules(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range algos.WithSchedules() {
		if seen[c.Name] || c.Summary == "" || c.Source == "" {
			t.Errorf("%q: twice or undescribed", c.Name)
		}
		seen[c.Name] = true
	}
	for _, c := range algos.Catalogue() {
		if !seen[c.Name] {
			t.Errorf("%q is missing", c.Name)
		}
	}
	if len(seen) != len(algos.Catalogue())+4 {
		t.Errorf("%d methods", len(seen))
	}
}

// Prescribed second-order parameters by hand: n = 100, ζ/δ = 4, so that b = 10 + 16 and η =
// min{1/4, 26/√6000}; r = η·min{ε, δ²/(√2ρ)}/4.
func TestPrescribedSecondSLEDGE(t *testing.T) {
	s := algos.SLEDGETheory{N: 100, L: 2, Rho: 1, Zeta: 1, Eps: 1, Curvature: 0.25}
	m := algos.PrescribedSecondSLEDGE(s)
	if r := 0.25 * 0.0625 / math.Sqrt2 / 4; m.Batch != 26 || m.Eta != 0.25 ||
		math.Abs(m.Radius-r) > 1e-15 ||
		m.Schedule != nil {
		t.Errorf("b = %d, η = %v, r = %v, want 26, 0.25, %v", m.Batch, m.Eta, m.Radius, r)
	}
	m = algos.PrescribedRefinedSLEDGE(s)
	eta := 10 / math.Sqrt(6000)
	t2 := int(math.Ceil(1 / (eta * 0.25)))
	if m.Batch != 10 || math.Abs(m.Eta-eta) > 1e-15 || m.Schedule(t2) != 26 ||
		m.Schedule(t2+1) != 10 ||
		m.Schedule(3*t2) != 26 {
		t.Errorf("refined: b = %d, η = %v, minibatches of %d and %d", m.Batch, m.Eta,
			m.Schedule(t2), m.Schedule(t2+1))
	}
	s.Curvature = 0.01
	if m = algos.PrescribedSecondSLEDGE(s); m.Batch != 100 {
		t.Errorf("b = %d where √n + ζ²/δ² exceeds n", m.Batch)
	}
}

// The schedule of the remark has one large minibatch in each phase, in its middle.
func TestEscapeSchedule(t *testing.T) {
	large := 0
	schedule := algos.EscapeSchedule(3, 2, 7)
	for step := 1; step <= 12; step++ {
		switch schedule(step) {
		case 7:
			large++
			if step != 3 && step != 9 {
				t.Errorf("large minibatch at step %d", step)
			}
		case 2:
		default:
			t.Errorf("minibatch %d at step %d", schedule(step), step)
		}
	}
	if large != 2 {
		t.Errorf("%d large minibatches in two phases", large)
	}
}

// Prescribed second-order parameters: p ≥ √P + ζ²/δ² + L²/(Kbδ²), the smaller of the two step
// sizes, and large local minibatches of b + L²/δ².
func TestPrescribedSecondFLEDGE(t *testing.T) {
	s := algos.FLEDGETheory{P: 100, Chosen: 3, K: 64, B: 4, L: 1, Rho: 1, Zeta: 0.25, Eps: 0.1,
		Curvature: 0.125}
	m := algos.PrescribedSecondFLEDGE(s)
	first := s
	first.Data = 1
	first.Chosen = 15 // 10 + 4 + 0.25, rounded up
	if want := min(first.FirstStep(algos.FLEDGEStepPower, algos.FLEDGEStepData),
		first.SecondStep()); m.Chosen != 15 ||
		m.Eta != want || m.Schedule != nil {
		t.Errorf("p = %d, η = %v, want 15, %v", m.Chosen, m.Eta, want)
	}
	if r := m.Eta / math.Sqrt(first.Rate(m.Eta)) / 4; math.Abs(m.Radius-r) > 1e-15 {
		t.Errorf("r = %v, want %v", m.Radius, r)
	}
	first.Log = 0.125 * m.Eta * 10.5 // T_5 = 10.5, T_7 = 11
	m = algos.PrescribedRelaxedFLEDGE(
		algos.FLEDGETheory{P: 100, Chosen: 15, K: 64, B: 4, L: 1, Rho: 1, Zeta: 0.25,
			Eps: 0.1, Curvature: 0.125, Log: first.Log})
	if m.Chosen != 15 || m.Schedule(m.LocalSteps) != 4 {
		t.Errorf("p = %d, minibatch %d at local step K", m.Chosen, m.Schedule(m.LocalSteps))
	}
	large := 0
	for k := 1; k <= m.LocalSteps; k++ {
		if m.Schedule(k) == 4+64 {
			large++
		}
	}
	if large != 5 {
		t.Errorf("%d large minibatches in a round", large)
	}
	s.P = 4
	if m = algos.PrescribedSecondFLEDGE(s); m.Chosen != 4 {
		t.Errorf("p = %d out of 4", m.Chosen)
	}
	if near, far := algos.RelaxedSchedule(3, 2, 9)(6),
		algos.RelaxedSchedule(3, 2, 9)(7); near != 9 || far != 2 {
		t.Errorf("the relaxed schedule draws %d at a multiple of T_7 and %d elsewhere", near, far)
	}
}
