package concentration

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/mathext"

	"sledge/props"
	"sledge/props/enclosure"
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

// ballRatio encloses BallRatio: with m = ⌊d/2⌋ it is 4^m/(C(2m, m)·π) for even d and (2m+1)·C(2m,
// m)/(2·4^m) for odd d.
func ballRatio(d int) enclosure.Interval {
	m := d / 2
	four, central := new(big.Int).Lsh(big.NewInt(1), uint(2*m)),
		new(big.Int).MulRange(int64(m)+1, int64(2*m)) // with large m faster than big.Int.Binomial
	central.Quo(central, new(big.Int).MulRange(1, int64(m)))
	if d%2 == 0 {
		return enclosure.Rat(new(big.Rat).SetFrac(four, central)).Quo(enclosure.Pi())
	}
	central.Mul(central, big.NewInt(int64(2*m+1)))
	return enclosure.Rat(new(big.Rat).SetFrac(central, four.Lsh(four, 1)))
}

// slab is an instance of the volume argument: dimension, radius of the ball and thickness.
type slab struct {
	d     int
	r, re float64
}

func drawSlab(src *props.Source) slab {
	s := slab{d: src.LogInt("d", 1, 10_000), r: src.LogReal("r", 1e-9, 1e3)}
	s.re = s.r * src.LogReal("r_e/r", 1e-12, 2)
	return s
}

// chain records the steps of the proof; factor is the printed or the correct constant before
// (r_e/r)(d/2+1)^{1/2}.
func (s slab) chain(rec *props.Recorder, name string, factor float64,
	exactFactor enclosure.Interval) {
	d := float64(s.d)
	volume := SlabFraction(s.d, s.r, s.re)
	section := s.re / s.r * BallRatio(s.d)
	root := factor * s.re / s.r * math.Sqrt(d/2+1)
	last := s.re * math.Sqrt(d) / s.r
	rec.AtMost("Vol(A)/V_d(r) against r_eV_{d−1}(r)/V_d(r)", volume, section)
	rec.AtMost("r_eΓ(d/2+1)/(√π rΓ(d/2+½)) against "+name, section,
		root).Decidedly(func() (*big.Rat, *big.Rat) {
		// both sides over r_e/r
		root := enclosure.Rat(frac(int64(s.d)+2, 2)).Sqrt().Mul(exactFactor)
		return ballRatio(s.d).Lower(), root.Upper()
	})
	rec.AtMost(name+" against r_e√d/r", root, last)
	rec.Link("Vol(A)/V_d(r)", volume)
	rec.Link("r_eV_{d−1}(r)/V_d(r)", section)
	rec.Link(name, root)
	rec.Link("r_e√d/r", last)
}

var escapeVolume = []props.Binding{
	props.Bind("escape-volume-ratio",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			drawSlab(src).chain(rec, "(r_e/(πr))(d/2+1)^{1/2}", 1/math.Pi, enclosure.Pi().Inv())
		}).Effort(0.4)),
	props.Bind("escape-volume-ratio/corrected",
		props.Inequality(func(src *props.Source, rec *props.Recorder) {
			drawSlab(src).chain(rec, "(r_e/(√π r))(d/2+1)^{1/2}", 1/math.Sqrt(math.Pi),
				enclosure.Pi().Sqrt().Inv())
		}).Effort(0.4)),
}
