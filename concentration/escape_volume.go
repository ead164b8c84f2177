package concentration

import (
	"fmt"
	"math"

	"gonum.org/v1/gonum/mathext"

	"sledge/props"
)

// SlabFraction returns the part of the volume of a ball of radius r in R^d that lies within
// thickness/2 of a hyperplane through its centre, d ≥ 1.
func SlabFraction(d int, r, thickness float64) float64 {
	if d < 1 || !(r > 0) || !(thickness >= 0) {
		panic(fmt.Sprintf("concentration: no slab of thickness %v in a ball of radius %v in R^%d",
			thickness, r, d))
	}
	if u := thickness / (2 * r); u < 1 {
		return mathext.RegIncBeta(0.5, (float64(d)+1)/2, u*u)
	}
	return 1
}

// BallRatio returns V_{d−1}(1)/V_d(1) = Γ(d/2+1)/(√π·Γ(d/2+½)), the volume of the unit ball of
// R^{d−1} over that of R^d (lines 1905-1914), d ≥ 1.
func BallRatio(d int) float64 {
	a, _ := math.Lgamma(float64(d)/2 + 1)
	b, _ := math.Lgamma(float64(d)/2 + 0.5)
	return math.Exp(a-b) / math.Sqrt(math.Pi)
}

// balls are cut by slabs.
var balls = measured("for $d ≤ 10⁴$ and slabs through the centre of a ball of radius $r$", "d r r_e π",
	"share: that of the slab of thickness $r_e$ in the volume of the ball; ratio: $rV_{d−1}(r)/V_d(r) = "+
		"Γ(d/2+1)/(√π Γ(d/2+½))$", 0.4,
	func(src *props.Source) (string, map[string]float64) {
		d, r := src.LogInt("d", 1, 10_000), src.LogReal("r", 1e-9, 1e3)
		re := r * src.LogReal("r_e/r", 1e-12, 2)
		return "", map[string]float64{"d": float64(d), "r": r, "r_e": re, "π": math.Pi,
			"share": SlabFraction(d, r, re), "ratio": BallRatio(d)}
	})
