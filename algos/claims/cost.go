package claims

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/props"
)

// cost is what a run of T steps should cost.
type cost struct {
	gradients int
	full      []int // steps with a full gradient, once for each; 0 is the initialisation
	kept      int   // vectors kept between steps
	scratch   int   // vectors of room for gradients besides; fixed scratch vectors not counted
}

// costSlack is the number of fixed scratch vectors that a method may hold besides what it keeps and
// its minibatch gradients.
const costSlack = 8

// check compares an observation in dimension d with the cost.
func (b cost) check(rec *props.Recorder, o *algotest.Observation, d int) {
	recordCount(rec, "gradients counted by the oracle", o.Counts.Gradients, props.EQ, b.gradients)
	recordCount(rec, "gradients that the objective computed", o.Gradients, props.EQ, b.gradients)
	recordCount(rec, "memory between steps, in numbers", o.Memory, props.EQ, b.kept*d)
	recordCount(rec, "numbers held at the end of a run, from below", o.Held, props.GE, (b.kept-1)*d)
	recordCount(rec, "numbers held at the end of a run", o.Held, props.LE,
		(b.kept+b.scratch+costSlack)*d)
	recordCount(rec, "full gradients of a run", len(o.Full), props.EQ, len(b.full))
	for k := range min(len(o.Full), len(b.full)) {
		recordCount(rec, "step of a full gradient", o.Full[k], props.EQ, b.full[k])
	}
}

const costEta = 0.05 // η, on which no cost depends

// drawCostInstance draws a run of a method with minibatches of b < n/2 components, for which a
// minibatch is never a full gradient, or where that does not matter with any.
func drawCostInstance(src *props.Source, any bool) instance {
	a := instance{P: src.LogInt("n", 3, 60), N: 1, d: src.Int("d", 1, 3)}
	most := (a.P - 1) / 2
	if any {
		most = a.P
	}
	a.b, a.period, a.T = src.Int("b", 1, most), src.Int("m", 1, 7), src.Int("T", 1, 16)
	return a.onWells(src)
}

// drawFederatedCostInstance draws a run of a federated method.
func drawFederatedCostInstance(src *props.Source) instance {
	a := instance{P: src.Int("P", 1, 9), d: src.Int("d", 1, 3), b: src.Int("b", 1, 3),
		K: src.Int("K", 1, 4), T: src.Int("T", 1, 10)}
	a.chosen, a.period = src.Int("p", 1, a.P), src.Int("stage", 1, 4)
	a.N = a.K*a.b + src.Int("data besides Kb", 0, 3)
	return a.onWells(src)
}

func costClaims() []props.Binding {
	return []props.Binding{
		props.Bind("cost/pgd", checkPGDCost()),
		props.Bind("cost/spider-plus", checkSPIDERPlusCost()),
		props.Bind("cost/neon2", checkNeon2Cost()),
	}
}

// checkPGDCost follows the perturbations of PGD.
func checkPGDCost() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		a := drawCostInstance(src, false)
		threshold, demand := src.LogReal("threshold", 0.1, 1e3), src.LogReal("decrease", 1e-3, 1e3)
		o := props.Must(algotest.Observe(
			&algos.PGD{Eta: costEta, Radius: 0.1, Threshold: threshold, Wait: a.period,
				Decrease: demand}, a.p, a.x0, a.random(), a.T))
		steps := a.T
		if o.Finished >= 0 {
			steps = o.Finished
		}
		b := cost{gradients: a.P, full: []int{0}, kept: 3}
		values, last := 0, -a.period
		for t := 1; t <= steps; t++ {
			if slices.ContainsFunc(o.Noise(t),
				func(xi []float64) bool { return floats.Norm(xi, 2) > 0 }) {
				b.full, b.gradients, values, last = append(b.full, t), b.gradients+a.P,
					values+a.P, t-1
			}
			if t-1-last == a.period && last >= 0 {
				values += a.P
			}
			b.full, b.gradients = append(b.full, t), b.gradients+a.P
		}
		b.check(rec, o, a.d)
		recordCount(rec, "component values", o.Counts.Values, props.EQ, values)
	}).Effort(0.1)
}

// checkSPIDERPlusCost follows the curvature searches of SPIDER-SFO⁺.
func checkSPIDERPlusCost() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		a := drawCostInstance(src, false)
		m := &algos.SPIDERPlus{Eta: costEta, Eps: 0.5, Batch: a.b, Period: a.period,
			Neon: algos.Neon2{L: 2, Rho: 5, Delta: src.Real("δ", 0.5, 1.5), C: 1}}
		o := props.Must(algotest.Observe(m, a.p, a.x0, a.random(), a.T))
		steps := a.T
		if o.Finished >= 0 {
			steps = o.Finished - 1 // the last step finds out that it need not move
		}
		b := cost{kept: 8, scratch: 2 * a.b}
		for t := 0; t <= steps; t += a.period {
			b.full = append(b.full, t)
		}
		b.gradients = a.P * len(b.full)
		large := 0
		for t := range a.T + 1 {
			for _, set := range append(o.Sets(t, algos.Batches), o.Sets(t, algos.SecondBatch)...) {
				b.gradients += 2 * len(set)
				if len(set) == a.P {
					large++
				}
			}
		}
		if large > 0 { // a search that verifies with all components looks like two full gradients
			o.Full = slices.Compact(slices.DeleteFunc(o.Full,
				func(t int) bool { return !slices.Contains(b.full, t) }))
		}
		b.check(rec, o, a.d)
	}).Effort(0.1)
}

// checkNeon2Cost counts what a curvature search asks for.
func checkNeon2Cost() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		a := drawCostInstance(src, false)
		m := algos.Neon2{L: 2, Rho: 5, Delta: src.Real("δ", 0.5, 1.9), C: src.Real("C", 0.5, 1.5),
			Failure: src.Real("p", 0.05, 0.5)}
		search := func(m algos.Neon2) (counts algos.Counts, drawn int) {
			o := algos.NewOracle(a.p)
			r := &algos.Altered{Randomness: a.random(),
				Ints: func(set []int, _ int, _ algos.Purpose) { drawn += len(set) }}
			if _, _, err := m.Search(o, a.x0, r); err != nil {
				panic(err)
			}
			return o.Counts(), drawn
		}
		online, drawn := search(m)
		recordCount(rec, "gradients, online", online.Gradients, props.EQ, 2*drawn)
		recordCount(rec, "full gradients, online", online.Full, props.EQ, 0)
		m.Deterministic = true
		full, _ := search(m)
		recordCount(rec, "gradients, deterministic", full.Gradients, props.EQ, a.P*int(full.Full))
		steps := int(math.Ceil(m.C * math.Log(100*float64(a.d)/m.Failure) * math.Sqrt(m.L/m.Delta)))
		recordCount(rec, "full gradients, deterministic", full.Full, props.LE, steps+2)
	}).Effort(0.1)
}
