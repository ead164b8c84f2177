package problems_test

import (
	"math"
	"math/big"
	"testing"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/proptest"
)

// The efficient form in float64 and the literal form with 256 bits differ by rounding only, and
// with 256 bits the error identity of the estimator's mean over a full batch holds to 70 digits.
func TestRunsAgreeWithHighPrecision(t *testing.T) {
	proptest.Instances(t, 40, func(src *props.Source) {
		p := problems.DrawQuadratic(src,
			problems.Limits{N: problems.Sizes(1, 6), D: problems.Sizes(1, 3)}).ByClient()
		x0 := problems.DrawPoint(src, "x0", p.Dim(), 2)
		m := &algos.SLEDGE{Eta: 0.3 / p.Constants(x0).L.Value,
			Batch: src.Int("b", 1, p.Components()), Option: algos.Option(src.Int("option", 0, 1))}
		if src.Bool("noise") {
			m.Radius = 0.1
		}
		tape, err := algos.RecordRun(m, algos.NewOracle(algos.Sum(p)), x0,
			algos.Seeded(uint64(src.Int("seed", 0, 1000))), 8)
		if err != nil {
			t.Fatal(err)
		}
		x, v := tape.Precise(m, p.Rat(), 256)
		size := 1 + floats.Norm(tape.V[0], 2) + floats.Norm(x0, 2)
		for s := range tape.X {
			for l := range tape.X[s] {
				if d := math.Abs(tape.X[s][l] - number(x[s][l])); d > 1e-12*size {
					t.Fatalf("iterate %d differs by %g", s, d)
				}
				if d := math.Abs(tape.V[s][l] - number(v[s][l])); d > 1e-12*size {
					t.Fatalf("estimator %d differs by %g", s, d)
				}
			}
		}
		if m.Batch < p.Components() || m.Option == algos.OptionI {
			return
		}
		full := make([]*big.Rat, p.Dim())
		for l := range full {
			full[l], _ = x[8][l].Rat(nil)
		}
		for l, g := range p.Rat().FullGradient(full) {
			exact := new(big.Float).SetPrec(256).SetRat(g)
			if d := exact.Sub(exact, v[8][l]); number(d.Abs(d)) > 1e-70*size {
				t.Fatalf("with full batches the estimator is off by %v", d)
			}
		}
	})
}

func number(f *big.Float) float64 {
	v, _ := f.Float64()
	return v
}
