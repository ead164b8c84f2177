package problems_test

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/algos/problems"
)

func TestBuildByName(t *testing.T) {
	for _, c := range problems.Catalogue() {
		for _, clients := range []int{0, 1, 5} {
			p, err := problems.Build(c.Name, problems.Setting{N: 12, D: 3, Clients: clients},
				rand.New(rand.NewPCG(1, 2)))
			if err != nil {
				t.Fatalf("%s with %d clients: %v", c.Name, clients, err)
			}
			n, data := 12, 1
			if clients > 0 {
				n, data = clients, 12
			}
			if p.Objective.Clients() != n || p.Objective.Size(0) != data ||
				p.Objective.Dim() != 3 ||
				p.Federated != (clients > 0) {
				t.Errorf("%s: P = %d, data %d, d = %d", c.Name, p.Objective.Clients(),
					p.Objective.Size(0), p.Objective.Dim())
			}
			g := algos.NewMonitor(p.Objective).GradientNorm(p.X0)
			if !(g > 0) || math.IsInf(g, 0) {
				t.Errorf("%s with %d clients: gradient norm %v at the start", c.Name, clients, g)
			}
		}
	}
}

func TestBuildRefuses(t *testing.T) {
	table := problems.Classification(10, 2, 1, 0, rand.New(rand.NewPCG(1, 2)))
	for name, tc := range map[string]struct {
		problem string
		s       problems.Setting
	}{
		"there is no problem":   {"nonsense", problems.Setting{}},
		"takes no data":         {"quadratic", problems.Setting{Table: table}},
		"components must be":    {"quadratic", problems.Setting{N: -1}},
		"dimension must be":     {"pl", problems.Setting{D: -2}},
		"clients must be":       {"pl", problems.Setting{Clients: -2}},
		"condition number":      {"quadratic", problems.Setting{Cond: 0.5}},
		"heterogeneity must":    {"quadratic", problems.Setting{Zeta: math.Inf(1)}},
		"20 clients for 10":     {"logistic", problems.Setting{Table: table, Clients: 20}},
		"skew 2, want a number": {"logistic", problems.Setting{Table: table, Clients: 2, Skew: 2}},
	} {
		if _, err := problems.Build(tc.problem, tc.s, rand.New(rand.NewPCG(1, 2))); err == nil ||
			!strings.Contains(err.Error(), name) {
			t.Errorf("error %v, want %q", err, name)
		}
	}
}
