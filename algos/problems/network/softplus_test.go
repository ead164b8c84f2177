package network

import (
	"math"
	"testing"

	"sledge/props/enclosure"
	"sledge/props/keyed"
)

// Softplus and its slope are within three units in the last place of what certified intervals say,
// for numbers of all sizes and around those in the middle between two nodes.
func TestSoftplus(t *testing.T) {
	r := keyed.New(1).Rand()
	var z []float64
	for k := range 3000 {
		z = append(z, 4*r.NormFloat64(), math.Ldexp(r.NormFloat64(), r.IntN(60)-50),
			(float64(k-1500)+0.5)/steps*(1+1e-15*r.NormFloat64()))
	}
	for _, v := range []float64{0, math.SmallestNonzeroFloat64, 1e-300, 14.99, 15, 15.01, 36.7, 37.5, 690, 699.99,
		700, 700.01,
		708, 740} {
		z = append(z, v, -v)
	}
	value, slope := append([]float64(nil), z...), make([]float64, len(z))
	softplus(value, slope)
	worst := [2]float64{}
	for k, v := range z {
		size := enclosure.Float(math.Abs(v)).Neg().Exp() // e^−|v|
		// of 1 + e^v to the last place, if e^v is small
		log, top := size, size
		if v > -40 {
			log = enclosure.Int(1).Add(size).Log()
		}
		if v >= 0 {
			log, top = log.Add(enclosure.Float(v)), enclosure.Int(1)
		}
		for j, c := range []struct {
			got  float64
			want enclosure.Interval
		}{{value[k], log}, {slope[k], top.Quo(enclosure.Int(1).Add(size))}} {
			want, _ := c.want.Float64()
			unit := math.Nextafter(want, math.Inf(1)) - want
			far, _ := c.want.Sub(enclosure.Float(c.got)).Float64()
			worst[j] = max(worst[j], math.Abs(far)/unit)
		}
	}
	if worst[0] > 3 || worst[1] > 3 {
		t.Errorf("up to %.2f units off, slopes %.2f", worst[0], worst[1])
	}
}

// What is no ordinary number gives what the formulas give in the limit.
func TestSoftplusOfExtremes(t *testing.T) {
	value, slope := []float64{math.Inf(1), math.Inf(-1), math.NaN(), 1e300, -1e300},
		make([]float64, 5)
	softplus(value, slope)
	for k, want := range [][2]float64{{math.Inf(1), 1}, {0, 0}, {math.NaN(), math.NaN()},
		{1e300, 1}, {0, 0}} {
		for j, got := range []float64{value[k], slope[k]} {
			if got != want[j] && !(math.IsNaN(got) && math.IsNaN(want[j])) {
				t.Errorf("number %d: %v and %v, want %v", k, value[k], slope[k], want)
			}
		}
	}
}

func BenchmarkSoftplus(b *testing.B) {
	r := keyed.New(1).Rand()
	z, work, slope := make([]float64, 1000), make([]float64, 1000), make([]float64, 1000)
	for k := range z {
		z[k] = r.NormFloat64()
	}
	for b.Loop() {
		copy(work, z)
		softplus(work, slope)
	}
}
