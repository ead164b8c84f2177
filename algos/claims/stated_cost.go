package claims

import (
	"fmt"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// countsOf are what the cost of a method for finite sums is about, and that of a federated one.
var countsOf = map[bool][]string{
	false: slices.Concat(counted, []string{"values", "heads", "moved", "perturbed", "waited",
		"drawn", "whole", "distinct", "shared"}),
	true: slices.Concat(counted, []string{"down", "up", "rounds", "synced", "clients", "started"}),
}

var counted = []string{"gradients", "full", "memory", "held"}

// costOf makes the check of a cost.
func costOf(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	federated := federatedMethod(known, r.Method)
	symbols := symbolsOf(federated, "r")
	m, err := readMethod(known, r.Method, r.With, symbols)
	if err != nil {
		return nil, "", err
	}
	c := &statedCost{m: m}
	if c.relations, err = readRelations(r.Statement, r.Statement,
		formula.Words(slices.Concat(symbols, countsOf[federated])...)); err != nil {
		return nil, "", err
	}
	used := m.used
	for _, one := range c.relations {
		used = append(used, one.Symbols...)
		if one.speaksOf("t") && !one.stepwise() {
			return nil, "", &formula.Error{Text: r.Statement, Column: 1,
				What: fmt.Sprintf("t stands beside full, clients and started alone, not in %s",
					one.What)}
		}
	}
	if slices.Contains(used, "waited") {
		used = append(used, "m")
	}
	draw, sizes, periods := drawRounds(false, used...), tinyRounds(), []int{1, 4}
	domain := "P ≤ 9, K ≤ 4, b ≤ 3, T ≤ 10, s ≤ 4"
	if !federated {
		draw, sizes, periods = drawSum(3, 60, true, used...), tinySums(2), []int{1, 2, 3}
		domain = "n ≤ 60, b ≤ n, T ≤ 16, m ≤ 7"
		if c.speaksOf("full", "held") { // minibatches must not be full gradients
			draw, sizes = drawSum(3, 60, false, used...), tinyParts()
			domain = "n ≤ 60, b < n/2, T ≤ 16, m ≤ 7"
		}
	}
	if !slices.Contains(used, "m") && !slices.Contains(used, "s") {
		periods = periods[:1] // none is looked at
	}
	if c.speaksOf("moved") {
		// it depends on the gradients that the method sees: formal ones settle nothing
		return searched(draw, 0.1, c.try), domain, nil
	}
	return settled(draw, 0.2, sizes.forCosts(periods), c.try), domain, nil
}

// statedCost is what a method is said to cost.
type statedCost struct {
	m         *configured
	relations []relation
}

// speaksOf reports whether one of some words stands in the cost.
func (c *statedCost) speaksOf(words ...string) bool {
	return slices.ContainsFunc(c.relations, func(r relation) bool { return r.speaksOf(words...) })
}

// stepwise reports whether the relation is one after every step.
func (r *relation) stepwise() bool { return r.speaksOf("full", "clients", "started") }

// observed is a run as it was observed, with the coins that fell below the probability of heads.
type observed struct {
	*algotest.Observation
	a         *instance
	coins     []bool
	gradients int64           // as the oracle counts them, or the objective
	asked     map[string]bool // components and points, where they are counted
}

// times counts the steps until t in which something happens.
func times(t int, happens func(s int) bool) (n int64) {
	for s := range t + 1 {
		if happens(s) {
			n++
		}
	}
	return n
}

// words are those of a cost, with what they stand for after step t.
var words = map[string]func(o *observed, t int) int64{
	"gradients": func(o *observed, _ int) int64 { return o.gradients },
	"memory":    func(o *observed, _ int) int64 { return int64(o.Memory) },
	"held":      func(o *observed, _ int) int64 { return int64(o.Held) },
	"values":    func(o *observed, _ int) int64 { return o.Counts.Values },
	"down":      func(o *observed, _ int) int64 { return o.Counts.Down },
	"up":        func(o *observed, _ int) int64 { return o.Counts.Up },
	"rounds":    func(o *observed, _ int) int64 { return o.Counts.Rounds },
	"synced":    func(o *observed, _ int) int64 { return o.Counts.FullSync },
	"started":   func(o *observed, _ int) int64 { return int64(o.Clients[0]) },
	"clients":   func(o *observed, t int) int64 { return int64(o.Clients[t]) },
	"perturbed": func(o *observed, t int) int64 { return times(t, o.perturbed) },
	"waited":    func(o *observed, t int) int64 { return times(t-o.a.period, o.perturbed) },
	"drawn":     func(o *observed, t int) int64 { return int64(len(slices.Concat(o.sets(t)...))) },
	"heads": func(o *observed, t int) int64 {
		return times(min(t, len(o.coins))-1, func(k int) bool { return o.coins[k] })
	},
	"full": func(o *observed, t int) int64 {
		return times(len(o.Full)-1, func(k int) bool { return o.Full[k] <= t })
	},
	"moved": func(o *observed, t int) int64 {
		return times(t, func(s int) bool { return s > 0 && !slices.Equal(o.X[s], o.X[s-1]) })
	},
	"distinct": func(o *observed, _ int) int64 { return int64(len(o.asked)) },
	"shared": func(o *observed, t int) (n int64) {
		for s := 1; s <= t; s++ {
			n += int64(overlap(o.Batch(s), o.Batch(s-1)))
		}
		return n
	},
	"whole": func(o *observed, t int) int64 {
		all := o.sets(t)
		return times(len(all)-1, func(k int) bool { return len(all[k]) == o.a.P })
	},
}

// perturbed reports whether a step has drawn a perturbation that is not 0.
func (o *observed) perturbed(s int) bool {
	return slices.ContainsFunc(o.Noise(s),
		func(xi []float64) bool { return floats.Norm(xi, 2) > 0 })
}

// sets are the minibatches until step t.
func (o *observed) sets(t int) [][]int {
	return append(setsOf(o.Tape, algos.Batches, 0, t+1),
		setsOf(o.Tape, algos.SecondBatch, 0, t+1)...)
}

// try compares the cost of a run.
func (c *statedCost) try(a instance, rec *props.Recorder) {
	v := a.values()
	m, probability := c.m.make(a.usual(a.eta), v), 0.0
	if f := fieldOf(m, "Probability"); f.IsValid() {
		probability = f.Float()
	}
	o := &observed{Observation: new(algotest.Observation), a: &a}
	r := &algos.Altered{Randomness: a.random(), Coins: func(u float64, _ algos.Purpose) float64 {
		o.coins = append(o.coins, u < probability)
		return u
	}}
	if asked := a.p; c.speaksOf("distinct") {
		o.asked = map[string]bool{}
		a.p = altered{asked, 1, func(dst, x []float64, i, j int) {
			o.asked[fmt.Sprint(i, x)] = true
			asked.Gradient(dst, x, i, j)
		}}
	}
	if err := o.Record(m, a.p, a.x0, r, a.T); err != nil {
		panic(err)
	}
	compare := func(r *relation, what string, t int) {
		v["t"] = float64(t)
		for _, name := range r.Symbols {
			if of := words[name]; of != nil {
				v[name] = float64(of(o, t))
			}
		}
		r.record(rec, what, v)
	}
	for i := range c.relations {
		r := &c.relations[i]
		switch {
		case r.speaksOf("started"):
			compare(r, "", 0)
		case r.stepwise():
			for t := range a.T + 1 {
				if t > 0 || r.speaksOf("full") {
					compare(r, "", t)
				}
			}
		default:
			o.gradients = o.Counts.Gradients
			compare(r, "", a.T)
			if o.gradients = o.Gradients; r.speaksOf("gradients") {
				compare(r, ", as the objective has computed", a.T)
			}
		}
	}
}
