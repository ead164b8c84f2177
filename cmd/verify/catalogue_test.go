package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
)

// SLEDGE and FLEDGE as their theorems prescribe them, with and without schedules, never diverge and make the gradient of a quadratic smaller.
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
		for _, c := range catalogue() {
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
				tr, err := algos.Run(context.Background(), p.Method, problem.Objective, problem.X0, algos.Seeded(2), algos.Limits{Steps: steps, Every: 50})
				if err != nil {
					t.Errorf("%s: %v", what, err)
					continue
				}
				made++
				first, last := tr.Records[0].GradientNorm, tr.Records[len(tr.Records)-1].GradientNorm
				if tr.Stopped == "diverged" || !(last < 0.5*first) {
					t.Errorf("%s ends %q with gradient norm %.3g from %.3g, η = %.3g", what, tr.Stopped, last, first, p.Eta)
				}
			}
		}
	}
	if made != 2*8*3 {
		t.Errorf("%d runs, want 48", made)
	}
}

// The tuned variants with schedules draw all components (all data of the client) when their time has come, and only then.
func TestScheduledVariants(t *testing.T) {
	s := algos.Setting{Eta: 0.5, L: 1, Delta: 0.25, Batch: 3, LocalSteps: 20} // 1/(ηδ) = 8
	known, ok := byName("sledge-ii (refined)")
	if !ok {
		t.Fatal("SLEDGE-II (refined) is not found")
	}
	sum, err := problems.Build("quadratic", problems.Setting{N: 12, D: 2}, rand.New(rand.NewPCG(3, 5)))
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
	if known, ok = byName("FLEDGE-I (relaxed)"); !ok {
		t.Fatal("FLEDGE-I (relaxed) is not found")
	}
	fed, err := problems.Build("quadratic", problems.Setting{N: 70, D: 2, Clients: 4}, rand.New(rand.NewPCG(3, 5)))
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
	// 19 local increments, two of them (k = 8, 16) over 70 data, and 2 clients with Kb = 60 data; two points each.
	if got, want := fo.Counts().Gradients-before, int64(2*(17*3+2*70)+2*2*60); got != want {
		t.Errorf("FLEDGE: %d gradients in a round, want %d", got, want)
	}
}

// What can be chosen by name is named once, and every method of the library is there.
func TestCatalogueOfTheCommand(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range catalogue() {
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
}
