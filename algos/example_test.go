package algos_test

import (
	"context"
	"fmt"
	"math/rand/v2"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// SLEDGE on a generated quadratic: a thousand components in two clusters, of which it never computes all gradients again after the start.
func ExampleRun() {
	r := rand.New(rand.NewPCG(1, 2))
	p, err := problems.Build("quadratic", problems.Setting{N: 1000, D: 10, Cond: 10}, r)
	if err != nil {
		panic(err)
	}
	L := p.Constants(p.X0).L.Value
	m := &algos.SLEDGE{Eta: 0.5 / L}
	trace, err := algos.Run(context.Background(), m, p.Objective, p.X0, algos.Seeded(1), algos.Limits{Steps: 100000, GradientNorm: 1e-6})
	if err != nil {
		panic(err)
	}
	end := trace.Records[len(trace.Records)-1]
	fmt.Printf("%s stopped by its %s after %d passes, the first of them at x⁰\n", trace.Method, trace.Stopped, end.Counts.Gradients/1000)
	// Output: SLEDGE-II stopped by its gradient norm after 21 passes, the first of them at x⁰
}

// A claim about a method, checked on whole runs: a tape keeps every iterate, estimate and random choice, and a monitor looks at the problem without
// being counted. The estimator of SVRG errs by at most ζ times the distance to the snapshot; half of that is too little.
func ExampleRecordRun() {
	check := func(factor float64) props.Check {
		return props.Inequality(func(src *props.Source, rec *props.Recorder) {
			p := problems.DrawQuadratic(src)
			c := p.Constants(make([]float64, p.Dim()))
			m := &algos.SVRG{Eta: src.Real("ηL", 0.1, 1) / c.L.Value, Batch: 1, Period: 5}
			x0 := problems.DrawPoint(src, "x0", p.Dim(), 10)
			tape, err := algos.RecordRun(m, algos.NewOracle(algos.Sum(p)), x0, algos.Keyed(src.Key("run")), 4)
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
				rec.AtMost("‖v − ∇f‖²", monitor.ErrorSquared(tape.V[t], tape.X[t]), bound).Scale(c.L.Value * c.L.Value * (1 + away))
			}
		})
	}
	results, err := props.Run(context.Background(), []props.Claim{
		{ID: "snapshot", Statement: "‖v − ∇f(x)‖ ≤ ζ‖x − w‖, w the snapshot", Expect: props.Consistent, Check: check(1)},
		{ID: "snapshot-half", Statement: "‖v − ∇f(x)‖ ≤ ζ‖x − w‖/2", Expect: props.Refuted, Check: check(0.25)},
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

// Methods as their theories prescribe them for a problem: the facts come from its certified constants, and what a theory needs besides is added.
func ExampleEntry_Prescribe() {
	p, err := problems.Build("quadratic", problems.Setting{N: 1000, D: 10, Zeta: 0.5}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	facts := p.Facts()
	L, _ := facts.L.Value()
	for _, name := range []string{"SARAH", "PAGE", "SVRG", "SGD"} {
		known, _ := algos.ByName(name)
		m, err := known.Prescribe(facts)
		if err != nil {
			fmt.Println(err)
			continue
		}
		fmt.Printf("%s: ηL = %.3f (%s)\n", name, m.Eta*L, m.By)
	}
	// Output:
	// SARAH: ηL = 0.623 (Nguyen et al. 2017, b = ⌈√n⌉)
	// PAGE: ηL = 0.503 (Li et al. 2021, b = ⌈√n⌉)
	// SVRG: ηL = 0.080 (Reddi et al. 2016, for b ≤ n^{2/3})
	// the theory of SGD needs ε (the gradient norm to aim at), which is not known
}
