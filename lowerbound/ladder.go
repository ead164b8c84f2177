package lowerbound

import (
	"math"

	"sledge/props"
)

// ladder is a chain for linear-span methods, our own. It needs exact zeros beyond the frontier
// where [chain] is flat, and is for that two hundred times as hard for its smoothness and its value
// gap. On R^T, T ≥ 1,
//
//	f̂_T(u) = Σ_{k=1}^T ( V(u_k) − Γ(u_{k−1}) K(u_k) ),  Γ(u_0) = 1,
//
// with w = 1/8: the gate Γ rises from 0 at u ≤ 0 to 1 at u ≥ 1 with second derivative 4 up to ½ and
// −4 from there; the slope K' is 1 on [0, 1] and falls to 0 over a distance w on both sides, K = 0
// on the left; the wall V is 0 on the right, and its slope −1 + K' on the left of 0.
//
//   - What a gradient reveals. If u_j = 0 for all j > k, then ∂_j f̂_T = 0 for j > k+1, since Γ(0)
//     = Γ'(0) = V'(0) = 0.
//   - What a point needs. Let k be the first with u_k < 1, so that Γ(u_{k−1}) = 1. Then ∂_k f̂_T =
//     V' − K' − Γ'(u_k)K(u_{k+1}) ≤ −1: ‖∇f̂_T‖ ≥ 1 as long as u_T < 1.
//   - What it costs. K rises to 1 + w = 9/8, so inf f̂_T = −9T/8, reached where all u_k ≥ 9/8, and
//     f̂_T(0) = −w/2.
//   - How smooth it is. A row of the Hessian has the diagonal V″ − Γ(u_{k−1})K″ − Γ″(u_k)K(u_{k+1})
//     and, beside it, −Γ'(u_{k−1})K'(u_k) and −Γ'(u_k)K'(u_{k+1}). Between 0 and 1 its absolute
//     values add up to 4K + 2K' + 2 at most, where K and K' are taken at u_{k+1}: most, 8 + 2w, at
//     u_{k+1} = 1. Below 0 they are (1 − Γ)/w + Γ'K', above 1 they are Γ/w + Γ'K': at most 8 + 2w
//     too, since Γ = 1 − 2y² and Γ' = 4y, or Γ = 2y² and Γ' = 4y, and 4y − 16y² ≤ ¼.
type ladder int

const (
	ladderWidth  = 1.0 / 8
	ladderGap    = 1 + ladderWidth
	ladderSmooth = 8 + 2*ladderWidth
	// rungGap is what a link of a ladder with L-Lipschitz gradient takes of the value gap, in units
	// of ε²/L: a bit more than ladderGap·ladderSmooth = 297/32, so that ‖∇f‖ > ε.
	rungGap = 9.3
)

// gate is Γ.
func (T ladder) gate(u float64) (g [3]float64, sign float64) {
	switch {
	case u >= 1:
		g[0] = 1
	case u > 0.5:
		g = [3]float64{1 - 2*(1-u)*(1-u), 4 * (1 - u), -4}
	case u > 0:
		g = [3]float64{2 * u * u, 4 * u, 4}
	}
	return g, 1
}

// link is K, and V.
func (T ladder) link(u float64) (k, v [3]float64) {
	const w = ladderWidth
	switch {
	case u >= 1+w:
		k[0] = ladderGap
	case u > 1:
		y := 1 + w - u
		k = [3]float64{ladderGap - y*y/(2*w), y / w, -1 / w}
	case u >= 0:
		k = [3]float64{w/2 + u, 1, 0}
	case u > -w:
		k = [3]float64{(u + w) * (u + w) / (2 * w), 1 + u/w, 1 / w}
		v = [3]float64{u * u / (2 * w), u / w, 1 / w}
	default:
		v = [3]float64{-u - w/2, -1, 0}
	}
	return k, v
}

// Gap returns f̂_T(0) − inf f̂_T = 9T/8 − 1/16.
func (T ladder) Gap() float64 { return -ladderWidth/2 - T.Infimum() }

// Infimum returns inf f̂_T = −9T/8.
func (T ladder) Infimum() float64 { return -ladderGap * float64(T) }

func (T ladder) length() int { return int(T) }

// smooth returns Lipschitz constants of the gradient and of the Hessian, which jumps.
func (T ladder) smooth() (first, second float64) { return ladderSmooth, math.Inf(1) }

// drawRungs draws a ladder and a point. Little happens beyond |u_k| = 2.
func drawRungs(src *props.Source) (ladder, []float64) {
	u := drawEntries(src, 1, 6, "u_k", 2)
	return ladder(len(u)), u
}

// ladderLink is the gap for one link of the common ladder.
func ladderLink(c Class) float64 { return rungGap * c.Eps * c.Eps / c.L }
