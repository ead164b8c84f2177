package bounds

import (
	"math"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// saddleWords is the vocabulary of the second-order theorems.
var saddleWords = Symbols("saddle")

// stuckCB is the constant C_b of the simulation of coupled runs, both of the region δ/(C_bρ) and of
// the minibatch √n + C_b²ζ²/δ².
const stuckCB = 4

// drawPerturbed draws two coupled runs near a saddle, with the minibatch of the stuck region
// lemma at the perturbation and ⌈√n⌉ at all other steps.
func drawPerturbed(src *props.Source, times float64) *stuckInstance {
	in := drawStuck(src, saddleRange{P: problems.Sizes(2, 100), zeta: 10, times: times}, stuckCB,
		stuckCB)
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
