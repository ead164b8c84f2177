package conjecture

import (
	"math"
	"testing"

	"gonum.org/v1/gonum/stat"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

// The mean over all coins and index sets is the one that samples tend to: of PAGE's estimator after
// two steps.
func TestCoins(t *testing.T) {
	c := pose(t, "E ‖v‖² ≤ L Δ if p = 0.3, b = 1, n = 3, d = 2, t = 2", "PAGE", 0)
	if !c.scripted {
		t.Fatal("the coins of PAGE cannot be enumerated")
	}
	told := 0
	for key := range uint64(12) {
		in := c.draw(props.NewSource(props.Mixed(keyed.New(key), 0)), usual, true)
		exact, weight, runs := 0.0, 0.0, 0
		complete, err := outcomes(mostOutcomes, in.setting.Probability,
			func(r *script) (bool, error) {
				s, err := c.evaluate(in, r, 1)
				exact, weight = exact+r.probability()*s.left, weight+r.probability()
				runs++
				return err == nil, err
			})
		if err != nil || !complete || runs != 1+3+3+9 || math.Abs(weight-1) > 1e-12 {
			t.Fatal(err, complete, runs, weight)
		}
		samples := make([]float64, 4000)
		for i := range samples {
			s, err := c.evaluate(in, algos.Keyed(keyed.New(11).At(i)), 1)
			if err != nil {
				t.Fatal(err)
			}
			samples[i] = s.left
		}
		mean, deviation := stat.MeanStdDev(samples, nil)
		if deviation /= math.Sqrt(float64(len(samples))); deviation > 1e-6*mean {
			told++
		}
		if math.Abs(mean-exact) > 5*deviation+1e-9*exact {
			t.Errorf("exact mean %v, of samples %v ± %v", exact, mean, deviation)
		}
	}
	if told < 3 {
		t.Error("hardly a run is random")
	}
}
