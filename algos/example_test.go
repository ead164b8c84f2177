package algos_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// SLEDGE on a generated quadratic: a thousand components in two clusters, of which it never
// computes all gradients again after the start.
func ExampleRun() {
	r := rand.New(rand.NewPCG(1, 2))
	p, err := problems.Build("quadratic", problems.Setting{N: 1000, D: 10, Cond: 10}, r)
	if err != nil {
		panic(err)
	}
	L := p.Constants(p.X0).L.Value
	m := &algos.SLEDGE{Eta: 0.5 / L}
	trace, err := algos.Run(context.Background(), m, p.Objective, p.X0, algos.Seeded(1),
		algos.Limits{Steps: 100000, GradientNorm: 1e-6})
	if err != nil {
		panic(err)
	}
	end := trace.Records[len(trace.Records)-1]
	fmt.Printf("%s stopped by its %s after %d passes, the first of them at x⁰\n", trace.Method,
		trace.Stopped, end.Counts.Gradients/1000)
	// Output: SLEDGE-II stopped by its gradient norm after 21 passes, the first of them at x⁰
}

// A claim about a method, checked on whole runs: a tape keeps every iterate, estimate and random
// choice, and a monitor looks at the problem without being counted. The estimator of SVRG errs by
// at most ζ times the distance to the snapshot; half of that is too little.
func ExampleRecordRun() {
	check := func(factor float64) props.Check {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			p := problems.DrawQuadratic(src).ByClient()
			c := p.Constants(make([]float64, p.Dim()))
			m := &algos.SVRG{Tuning: algos.Tuning{Eta: src.Real("ηL", 0.1, 1) / c.L.Value,
				Batch: 1}, Period: 5}
			x0 := problems.DrawPoint(src, "x0", p.Dim(), 10)
			tape, err := algos.RecordRun(m, algos.NewOracle(algos.Sum(p)), x0,
				algos.Keyed(src.Key("run")), 4)
			if err != nil {
				panic(err) // the claim becomes an error, never a pass
			}
			monitor := algos.NewMonitor(algos.Sum(p))
			for t := range tape.X {
				away := 0.0
				for j, v := range tape.X[t] {
					away += (v - x0[j]) * (v - x0[j])
				}
				bound := factor * c.Zeta.Value * c.Zeta.Value * away
				rec.AtMost("‖v − ∇f‖²", monitor.ErrorSquared(tape.V[t], tape.X[t]),
					bound).Scale(c.L.Value * c.L.Value * (1 + away))
			}
		})
	}
	results, err := props.Run(context.Background(), []props.Claim{
		{ID: "snapshot", Statement: "‖v − ∇f(x)‖ ≤ ζ‖x − w‖, w the snapshot",
			Expect: props.Consistent, Check: check(1)},
		{ID: "snapshot-half", Statement: "‖v − ∇f(x)‖ ≤ ζ‖x − w‖/2", Expect: props.Refuted,
			Check: check(0.25)},
	}, props.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, r := range results {
		fmt.Println(r.Claim.ID, r.Verdict)
	}
	// Output:
	// snapshot consistent
	// snapshot-half refuted
}

// Methods as their theories prescribe them for a problem: the facts come from its certified
// constants, and what a theory needs besides is added.
func ExampleEntry_Prescribe() {
	p, err := problems.Build("quadratic", problems.Setting{N: 1000, D: 10, Zeta: 0.5},
		rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	known, _ := algos.ByName("SGD")
	if _, err = known.Prescribe(p.Facts()); err != nil {
		fmt.Println(err)
	}
	f, err := problems.Build("quadratic", problems.Setting{N: 100, D: 10, Zeta: 0.5, Clients: 25},
		rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	for _, known := range algos.Catalogue() {
		if known.Prescribed == nil {
			continue
		}
		facts := p.Facts()
		if known.Federated {
			facts = f.Facts()
		}
		facts.Eps, facts.Steps, facts.LocalSteps = algos.Known(0.1), 1000, 5
		L, _ := facts.L.Value()
		m, err := known.Prescribe(facts)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: ηL = %.3g (%s)\n", known.Name, m.Eta*L, m.By)
	}
	// Output:
	// the theory of SGD needs ε (the gradient norm to aim at), which is not known
	// SLEDGE-I: ηL = 0.273 (theorem:First-Main, C_1 = 1)
	// SLEDGE-II: ηL = 0.273 (theorem:First-Main, C_1 = 1)
	// GD: ηL = 1 (descent lemma: 1/L)
	// SGD: ηL = 0.00013 (descent lemma: min{1/L, bε²/(2Lσ²)})
	// PGD: ηL = 1 (Jin et al. 2017, theorem 3, with c = 1)
	// SVRG: ηL = 0.08 (Reddi et al. 2016, for b ≤ n^{2/3})
	// SAGA (two draws): ηL = 0.107 (Reddi et al. 2016, for b ≤ n^{2/3})
	// SARAH: ηL = 0.623 (Nguyen et al. 2017, b = ⌈√n⌉)
	// iSARAH: ηL = 0.0311 (derived: restarts from 2σ²/ε² components)
	// SPIDER-SFO: ηL = 1 (Fang et al. 2018, finite sums, n₀ = 1)
	// SPIDER-SFO+: ηL = 1 (Fang et al. 2018, n₀ = 1, target ε/3 as it stops where ‖v‖ ≤ 2ε)
	// SPIDER-SFO+ (finite-sum Neon2): ηL = 1 (Fang et al. 2018, n₀ = 1, target ε/3 as it stops where ‖v‖ ≤ 2ε)
	// SSRGD: ηL = 0.623 (Li 2019, without its constants)
	// Stabilized SVRG: ηL = 0.25 (Ge et al. 2019, without its constants)
	// Nested SVRG: ηL = 0.0167 (Zhou et al. 2020)
	// ZeroSARAH-I: ηL = 0.263 (Li et al. 2021, b = ⌈√n⌉, λ = b/(2n))
	// ZeroSARAH-II: ηL = 0.263 (Li et al. 2021, b = ⌈√n⌉, λ = b/(2n))
	// PAGE: ηL = 0.503 (Li et al. 2021, b = ⌈√n⌉)
	// STORM: ηL = 0.0446 (derived: a = min{1, bε²/(4σ²)})
	// STORM (adaptive): ηL = 11.4 (Cutkosky and Orabona 2019, single components, β = 1)
	// Hybrid-SGD: ηL = 0.223 (β of Tran-Dinh et al. 2022, step size derived)
	// FLEDGE-I: ηL = 0.0186 (theorem:Dist-First-Main, C_1 = 1)
	// FLEDGE-II: ηL = 0.0186 (theorem:Dist-First-Main, C_1 = 1)
	// FedAvg: ηL = 7.03e-06 (balances the terms of its rounds in table 2)
	// SCAFFOLD-I: ηL = 0.00285 (the largest step of Karimireddy et al. 2020, for Option II)
	// SCAFFOLD-II: ηL = 0.00285 (the largest step of Karimireddy et al. 2020)
	// MimeSGD: ηL = 3.52e-06 (balances the terms of its rounds in table 2)
	// MimeMVR: ηL = 0.000597 (balances the terms of its rounds in table 2)
	// BVR-L-SGD: ηL = 0.105 (Murata and Suzuki 2021, b = K)
	// BVR-L-PSGD: ηL = 0.105 (Murata and Suzuki 2022, b = K, r = ηε/4)
}
