package claims

import (
	"fmt"
	"reflect"
	"slices"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/props"
	"sledge/props/formula"
	"sledge/props/ledger"
)

// countsOf are what the cost of a method for finite sums is about, and that of a federated one.
var countsOf = map[bool][]string{
	false: {"gradients", "full", "memory", "held", "heads"},
	true: {"gradients", "full", "memory", "held", "down", "up", "rounds", "synced", "clients",
		"started"},
}

// costOf makes the check of a cost.
func costOf(known []algos.Entry, r ledger.Runs) (props.Check, string, error) {
	federated := federatedMethod(known, r.Method)
	symbols := symbolsOf(federated, "r")
	m, err := readMethod(known, r.Method, r.With, symbols)
	if err != nil {
		return nil, "", err
	}
	c := &statedCost{m: m, symbols: slices.Concat(symbols, countsOf[federated])}
	if c.relations, err = readRelations(r.Statement, r.Statement, c.symbols); err != nil {
		return nil, "", err
	}
	for _, one := range c.relations {
		if slices.Contains(one.names, "t") && !one.stepwise() {
			return nil, "", &formula.Error{Text: r.Statement, Column: 1,
				What: fmt.Sprintf("t stands beside full, clients and started alone, not in %s",
					one.text)}
		}
	}
	if federated {
		return c.identity(drawFederatedCostInstance, tinyClientCosts()),
			"P ≤ 9, K ≤ 4, b ≤ 3, T ≤ 10, s ≤ 4", nil
	}
	any := !slices.ContainsFunc(c.relations, func(r relation) bool {
		// minibatches may be full gradients
		return slices.Contains(r.names, "full") || slices.Contains(r.names, "held")
	})
	domain := "n ≤ 60, b < n/2, T ≤ 16, m ≤ 7"
	if any {
		domain = "n ≤ 60, b ≤ n, T ≤ 16, m ≤ 7"
	}
	return c.identity(func(src *props.Source) instance { return drawCostInstance(src, any) },
		tinyCosts(any)), domain, nil
}

// identity is that of a cost, with w drawn where it occurs.
func (c *statedCost) identity(draw func(src *props.Source) instance, sizes tinySizes) props.Check {
	return settled(func(src *props.Source) instance {
		a := draw(src)
		if slices.Contains(c.m.used, "w") {
			a.weight = src.Real("w", 0.05, 1)
		}
		return a
	}, 0.2, sizes, c.try)
}

// statedCost is what a method is said to cost.
type statedCost struct {
	m         *configured
	symbols   []string
	relations []relation
}

// stepwise reports whether the relation is one after every step.
func (r *relation) stepwise() bool {
	return slices.ContainsFunc(r.names,
		func(n string) bool { return n == "full" || n == "clients" || n == "started" })
}

// check compares an observation of T steps.
func (c *statedCost) check(rec *props.Recorder, o *algotest.Observation, v values, coins []bool) {
	T := int(v["T"])
	v["memory"], v["held"] = float64(o.Memory), float64(o.Held)
	v["down"], v["up"] = float64(o.Counts.Down), float64(o.Counts.Up)
	v["rounds"], v["synced"] = float64(o.Counts.Rounds), float64(o.Counts.FullSync)
	v["started"] = float64(o.Clients[0])
	heads := func(t int) (n float64) {
		for _, up := range coins[:min(t, len(coins))] {
			if up {
				n++
			}
		}
		return n
	}
	compare := func(r *relation, what string) {
		at := v.of(c.symbols)
		rec.Floats(r.text+what, r.sides[0].At(at...), r.sign, r.sides[1].At(at...))
	}
	for i := range c.relations {
		r := &c.relations[i]
		switch {
		case !r.stepwise():
			v["t"], v["heads"] = v["T"], heads(T)
			v["gradients"] = float64(o.Counts.Gradients)
			compare(r, "")
			if slices.Contains(r.names, "gradients") {
				v["gradients"] = float64(o.Gradients)
				compare(r, ", as the objective has computed")
			}
		case slices.Contains(r.names, "started"):
			v["t"] = 0
			compare(r, "")
		default:
			for t := range T + 1 {
				full := 0
				for _, step := range o.Full {
					if step <= t {
						full++
					}
				}
				v["t"], v["heads"] = float64(t), heads(t)
				v["full"], v["clients"] = float64(full), float64(o.Clients[t])
				if t > 0 || slices.Contains(r.names, "full") {
					compare(r, "")
				}
			}
		}
	}
}

// try compares the cost of a run.
func (c *statedCost) try(a instance, rec *props.Recorder) {
	v := a.values()
	m, probability := c.m.make(a.usual(costEta), v), 0.0
	if c.m.coin != nil {
		probability = reflect.ValueOf(m).Elem().FieldByIndex(c.m.coin).Float()
	}
	var coins []bool // those that fell below
	r := &algos.Altered{Randomness: a.random(), Coins: func(u float64, _ algos.Purpose) float64 {
		coins = append(coins, u < probability)
		return u
	}}
	o := props.Must(algotest.ObserveOn(a.tapes.next(), m, a.p, a.x0, r, a.T))
	c.check(rec, o, v, coins)
}
