package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

func refinedClaims() []props.Binding {
	return []props.Binding{
		props.Bind("remark-batch-only-at-kick", bandOf(drawPerturbed, true, 3, ownShare)),
		props.Bind("remark-reduced-complexity/count", props.Identity(tryPhaseCount).Effort(0.5)),
	}
}

// tryPhaseCount runs SLEDGE with the schedule of the remark and counts gradients.
func tryPhaseCount(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(1, 12), d: problems.Sizes(1, 2)})
	t2, phases := src.Int("T_2", 1, 5), src.Int("phases", 1, 4)
	small, large := algos.RootBatch(in.P), src.Int("large batch", 1, in.P)
	in.b, in.schedule = small, algos.EscapeSchedule(t2, small, large)
	m := in.method()
	o := algos.NewOracle(in.problem.Problem)
	if err := m.Start(o, in.x0, algos.Keyed(src.Key("run"))); err != nil {
		panic(err) // the ranges are valid
	}
	for range 2 * t2 * phases {
		m.Step()
	}
	rec.Equal("gradients of T/(2T_2) phases", float64(o.Counts().Gradients),
		float64(in.P+2*phases*((2*t2-1)*small+large)))
}

// stuckCB is the constant C_b of the simulation of coupled runs, both of the region δ/(C_bρ) and of
// the minibatch √n + C_b²ζ²/δ².
const stuckCB = 4

// drawPerturbed draws two coupled runs near a saddle, with the minibatch of the stuck region
// lemma at the perturbation and ⌈√n⌉ at all other steps.
func drawPerturbed(src *props.Source) *stuckInstance {
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 100), zeta: 10}, stuckCB, stuckCB)
	large := in.b
	in.b = algos.RootBatch(in.P)
	in.eta = phaseStepSizeAt(in.L, in.zeta, in.P, in.b, 1)
	in.T = in.tau + int(math.Ceil(math.Log(4*in.radius/in.re)/math.Log1p(in.eta*in.gamma)))
	in.schedule = func(t int) int {
		if t == in.tau {
			return large
		}
		return in.b
	}
	return in
}
