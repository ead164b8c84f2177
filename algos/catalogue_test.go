package algos_test

import (
	"strings"
	"testing"

	"sledge/algos"
)

func TestCatalogueIsUsable(t *testing.T) {
	seen := map[string]bool{}
	for _, c := range algos.Catalogue() {
		if seen[c.Name] || c.Summary == "" || c.Source == "" {
			t.Errorf("%q: twice or undescribed", c.Name)
		}
		seen[c.Name] = true
		set := algos.Setting{Tuning: algos.Tuning{Eta: 0.1, Batch: 2}, LocalSteps: 2}
		p := sumOf(9, 2)
		if c.Federated {
			p = newToy(4, 8, 2)
		}
		m, o := c.New(set), algos.NewOracle(p)
		if m.Name() != c.Name {
			t.Errorf("%q calls itself %q", c.Name, m.Name())
		}
		if err := m.Start(o, ones(2), algos.Seeded(1)); err != nil {
			t.Error(err)
		}
		m.Step()
		if rounds := o.Counts().Rounds; (rounds > 0) != c.Federated {
			t.Errorf("%q counts %d rounds", c.Name, rounds)
		}
	}
	// Minibatches with replacement may be larger than the sum, where the method can draw them.
	for _, c := range algos.Catalogue() {
		if c.Federated {
			continue
		}
		err := c.New(algos.Setting{Tuning: algos.Tuning{Eta: 0.1, Batch: 10,
			WithReplacement: true}}).Start(algos.NewOracle(sumOf(9, 2)),
			ones(2), algos.Seeded(1))
		if fixed := strings.HasPrefix(c.Name, "SLEDGE"); (err != nil) != fixed {
			t.Errorf("%s with minibatches of 10 out of 9: %v", c.Name, err)
		}
	}
	if _, ok := algos.ByName("sledge-ii"); !ok {
		t.Error("sledge-ii is not found")
	}
	if _, ok := algos.ByName("nonsense"); ok {
		t.Error("nonsense is found")
	}
}
