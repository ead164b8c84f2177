package main

import (
	"math"
	"strings"

	"sledge/algos"
	"sledge/bounds/federated"
	"sledge/bounds/finitesum"
)

// catalogue returns the methods that can be chosen by name: those of [algos.Catalogue], SLEDGE and FLEDGE with the parameters of their theorems, and
// their variants whose minibatch sizes follow a schedule.
func catalogue() []algos.Entry {
	var out []algos.Entry
	for _, c := range algos.Catalogue() {
		switch option := optionOf(c.Name); {
		case strings.HasPrefix(c.Name, "SLEDGE-"):
			c.Prescribed = prescribedSLEDGE(option)
			out = append(out, c, refined(c, option))
		case strings.HasPrefix(c.Name, "FLEDGE-"):
			c.Prescribed = prescribedFLEDGE(option)
			out = append(out, c, relaxed(c, option))
		default:
			out = append(out, c)
		}
	}
	return out
}

// byName returns the catalogued method with the name, ignoring case.
func byName(name string) (algos.Entry, bool) {
	for _, c := range catalogue() {
		if strings.EqualFold(c.Name, name) {
			return c, true
		}
	}
	return algos.Entry{}, false
}

// optionOf reads the option off a name like SLEDGE-I.
func optionOf(name string) algos.Option {
	if strings.HasSuffix(name, "-I") {
		return algos.OptionI
	}
	return algos.OptionII
}

func prescribedSLEDGE(option algos.Option) func(f *algos.Facts) algos.Prescription {
	return func(f *algos.Facts) algos.Prescription {
		L, zeta := f.NeedL(), f.NeedZeta()
		var m *algos.SLEDGE
		by := "theorem:First-Main, C_1 = 1"
		switch f.Goal {
		case algos.SecondOrder:
			m, by = finitesum.PrescribedSecondSLEDGE(secondSLEDGE(f, option)), "theorem:Second-Main, C_1 = 1"
		case algos.UnderPL:
			m, by = finitesum.PrescribedPLSLEDGE(finitesum.PLRun{Option: option, N: f.N, B: f.Minibatch(), C1: 1, L: L, Mu: f.NeedMu(), Zeta: zeta}), "theorem:PL-Main, C_1 = 1"
		default:
			m = finitesum.PrescribedSLEDGE(option, f.N, f.Minibatch(), L, zeta, 1)
		}
		return algos.Prescription{Method: m, Eta: m.Eta, By: by}
	}
}

// secondSLEDGE asks for what theorem:Second-Main needs.
func secondSLEDGE(f *algos.Facts, option algos.Option) finitesum.SecondOrder {
	rho, delta := f.NeedCurvature()
	return finitesum.SecondOrder{Option: option, N: f.N, B: f.Batch, L: f.NeedL(), Zeta: f.NeedZeta(), Rho: rho, Eps: f.NeedEps(), Curvature: delta}
}

// refined is SLEDGE with the minibatch schedule of remark:ReduceDeltaDependency: the large minibatches that escaping needs once in a phase only.
func refined(c algos.Entry, option algos.Option) algos.Entry {
	c.Name += " (refined)"
	c.Summary = "the same with all components once in every 2/(ηδ) steps"
	c.Source = "remark:ReduceDeltaDependency, lines 2020-2048"
	c.New = func(s algos.Setting) algos.Method {
		m := &algos.SLEDGE{Eta: s.Eta, Batch: s.Batch, Radius: s.Radius, Option: option}
		m.Schedule = func(t int) int { // the size of small minibatches is known once the run has begun
			return finitesum.KickSchedule(whole(1/(s.Eta*s.Curvature())), m.Batch, math.MaxInt)(t)
		}
		return m
	}
	c.Prescribed = func(f *algos.Facts) algos.Prescription {
		m := finitesum.PrescribedRefinedSLEDGE(secondSLEDGE(f, option))
		return algos.Prescription{Method: m, Eta: m.Eta, By: "remark:ReduceDeltaDependency, C_1 = 1"}
	}
	return c
}

func prescribedFLEDGE(option algos.Option) func(f *algos.Facts) algos.Prescription {
	return func(f *algos.Facts) algos.Prescription {
		p, K, b := f.Round(max(1, f.LocalSteps))
		L, zeta, data := f.NeedL(), f.NeedZeta(), min(f.NeedL(), f.NeedZetaPrime())
		var m *algos.FLEDGE
		by := "theorem:Dist-First-Main, C_1 = 1"
		switch f.Goal {
		case algos.SecondOrder:
			m, by = federated.PrescribedSecondFLEDGE(secondFLEDGE(f, option)), "theorem:D-Second-Main, C_1 = 1"
		case algos.UnderPL:
			m, by = federated.PrescribedPLFLEDGE(federated.PLRun{Option: option, P: float64(f.Clients), Sampled: float64(p), K: float64(K), Batch: float64(b), C1: 1, L: L, Mu: f.NeedMu(),
				Zeta: zeta, Data: data}), "theorem:D-PL, C_1 = 1"
		default:
			m = federated.PrescribedFLEDGE(federated.Parameters{C1: 1, L: L, Zeta: zeta, Data: data, P: float64(f.Clients), Chosen: float64(p), K: float64(K), B: float64(b)})
			m.Option = option
		}
		return algos.Prescription{Method: m, Eta: m.Eta, By: by}
	}
}

// secondFLEDGE asks for what theorem:D-Second-Main needs.
func secondFLEDGE(f *algos.Facts, option algos.Option) federated.SecondOrder {
	p, K, b := f.Round(max(1, f.LocalSteps))
	rho, delta := f.NeedCurvature()
	return federated.SecondOrder{Option: option, P: float64(f.Clients), Sampled: float64(p), K: float64(K), Batch: float64(b), L: f.NeedL(), Zeta: f.NeedZeta(), Rho: rho, Eps: f.NeedEps(), Curvature: delta}
}

// relaxed is FLEDGE with the schedule of local minibatches of lemma:D-Small-Stuck-Region-Relax.
func relaxed(c algos.Entry, option algos.Option) algos.Entry {
	c.Name += " (relaxed)"
	c.Summary = "the same with all data of the client at every 1/(ηδ)-th local step"
	c.Source = "lemma:D-Small-Stuck-Region-Relax, lines 3125-3187"
	c.New = func(s algos.Setting) algos.Method {
		m := &algos.FLEDGE{Eta: s.Eta, Chosen: s.Chosen, Batch: s.Batch, LocalSteps: s.LocalSteps, Radius: s.Radius, Option: option, Cap: s.Cap}
		m.Schedule = func(k int) int {
			return federated.RelaxedSchedule(whole(1/(s.Eta*s.Curvature())), m.Batch, math.MaxInt)(k)
		}
		return m
	}
	c.Prescribed = func(f *algos.Facts) algos.Prescription {
		m := federated.PrescribedRelaxedFLEDGE(secondFLEDGE(f, option))
		return algos.Prescription{Method: m, Eta: m.Eta, By: "lemma:D-Small-Stuck-Region-Relax, C_1 = 1"}
	}
	return c
}

// whole is a number of steps, at least one, rounded up.
func whole(steps float64) int { return int(math.Ceil(max(1, min(steps, 1e9)))) }
