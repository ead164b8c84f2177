package calibration

import (
	"context"
	"math"
	"testing"

	"sledge/props"
)

// offset descends on (μ/2) x² + 12345 with the iterate given to move at every step, and says f(x_k)
// − f* against its bound.
func offset(x, mu, eta float64, move func([]float64), say func(m, c float64)) {
	const least = 12345
	f := func(x float64) float64 { return mu/2*x*x + least }
	at, first, bound := []float64{x}, f(x)-least, 1.0
	for range 60 {
		at[0] -= eta * mu * at[0]
		move(at)
		bound *= (1 - mu*eta) * (1 - mu*eta)
		say(f(at[0])-least, bound*first)
	}
}

// Statements that are true in exact arithmetic, as their users wrote them. None of them is refuted
// at any seed.
func TestTrueStatementsThatCancel(t *testing.T) {
	for name, check := range map[string]props.Check{
		"descent above 12345": props.Inequality(func(s *props.Source, rec *props.Recorder) {
			offset(s.Real("x", 0.5, 2), s.Real("mu", 0.1, 1), s.Real("eta", 0.1, 0.9), s.Perturb,
				func(m, c float64) { rec.AtMost("f(x_k) − f*", m, c) })
		}),
		"descent beside a null direction": props.Tail(func(s *props.Source) props.TailTrial {
			mu, eta := s.Real("mu", 0.1, 1), s.Real("eta", 0.1, 0.9)
			return props.TailTrial{Delta: 0.05, Run: func(t props.Trial, rec *props.Recorder) {
				r := t.Key.Rand()
				x, y := 1+r.Float64(), 1e3*(1+r.Float64())
				f := func(x float64) float64 { return (mu*x*x + y*y) / 2 }
				first, bound, at := f(x)-y*y/2, 1.0, []float64{x}
				for range 60 {
					at[0] -= eta * mu * at[0]
					t.Key.Perturb(at)
					bound *= (1 - mu*eta) * (1 - mu*eta)
					rec.AtMost("f(x_k) − f*", f(at[0])-y*y/2, bound*first)
				}
			}}
		}),
		"smoothness above 1e10": props.Inequality(func(s *props.Source, rec *props.Recorder) {
			x, y, l := s.Real("x", -10, 10), s.Real("y", -10, 10), s.Real("L", 0.1, 10)
			f := func(x float64) float64 { return 1e10 + l/2*x*x }
			rec.AtMost("f(y) − f(x) − f'(x)(y − x)", f(y)-f(x)-l*x*(y-x), l/2*(y-x)*(y-x))
		}),
		"difference of squares": props.Identity(func(s *props.Source, rec *props.Recorder) {
			x := s.LogReal("x", 1, 1e8)
			y := x + s.Real("y − x", -1e-9, 1e-9)
			rec.Equal("x² − y²", x*x-y*y, (x-y)*(x+y))
		}),
		"telescoping sum at 1e12": props.Identity(func(s *props.Source, rec *props.Recorder) {
			r, sum := s.Rand("a"), 0.0
			first := s.Real("a_0", 0, 1)
			now, last := first, s.Real("a_n", 0, 1)
			for range 50 {
				next := 1e12 * r.NormFloat64()
				sum, now = sum+(next-now), next
			}
			rec.Equal("Σ (a_{k+1} − a_k)", sum+(last-now), last-first)
		}),
		"recurrence of integrals": props.Inequality(func(s *props.Source, rec *props.Recorder) {
			v, n := math.Log(1.2), s.Int("n", 1, 25)
			for k := 1; k <= n; k++ {
				v = 1/float64(k) - 5*v
			}
			rec.AtMost("I_n", v, 1/(5*float64(n+1)))
			rec.AtLeast("I_n from below", v, 1/(6*float64(n+1)))
		}),
		"an exact estimator": props.Mean(func(s *props.Source) props.MeanTrial {
			n := s.Int("n", 2, 20)
			return props.MeanTrial{Claimed: 1e-40, Relation: props.LE,
				Run: func(t props.Trial) float64 {
					r, sum := t.Key.Rand(), 0.0
					v := make([]float64, n)
					for i := range v {
						v[i] = r.NormFloat64()
						sum += v[i]
					}
					back := 0.0
					for _, i := range r.Perm(n) {
						back += v[i] / float64(n)
					}
					return (back - sum/float64(n)) * (back - sum/float64(n))
				}}
		}),
	} {
		t.Run(name, func(t *testing.T) {
			seeds := uint64(24)
			if testing.Short() {
				seeds = 5
			}
			for seed := range seeds {
				results, err := props.Run(context.Background(),
					[]props.Claim{{ID: "statement", Check: check}}, props.Config{Seed: seed})
				if err != nil {
					t.Fatal(err)
				}
				if r := &results[0]; r.Verdict == props.Refuted || r.Verdict == props.Error {
					t.Errorf("seed %d: %v %s %+v", seed, r.Verdict, r.Err, r.Evidence)
				}
			}
		})
	}
}
