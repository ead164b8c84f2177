package calibration

import (
	"context"
	"fmt"
	"math"
	"math/big"
	"math/rand/v2"
	"slices"
	"sync"

	"sledge/props"
)

// wide is a family-wise level that makes a single test of level 1/256, which a few hundred runs can
// see.
const wide = 0.9999

var (
	refuted   = []props.Verdict{props.Refuted}
	supported = []props.Verdict{props.Supported}
	passed    = []props.Verdict{props.Supported, props.Consistent, props.Proved}
)

func never(v []props.Verdict) Limit                { return Limit{Verdicts: v} }
func atMost(rate float64, v []props.Verdict) Limit { return Limit{Verdicts: v, Rate: rate} }
func atLeast(rate float64, v []props.Verdict) Limit {
	return Limit{Verdicts: v, Rate: rate, AtLeast: true}
}
func byLevel(v []props.Verdict) Limit { return Limit{Verdicts: v, Tests: true} }

// fixed is a check without hidden places.
func fixed(c props.Check) func(*rand.Rand) props.Check {
	return func(*rand.Rand) props.Check { return c }
}

// coin is a run that violates its statement with probability p.
func coin(p float64) func(props.Trial, *props.Recorder) {
	return func(t props.Trial, rec *props.Recorder) { rec.AtMost("u", t.Key.Rand().Float64(), 1-p) }
}

// tail states that runs violate with probability delta at most, where on each instance they do so
// with probability p.
func tail(delta float64, p func(s *props.Source) float64) *props.Randomised {
	return props.Tail(func(s *props.Source) props.TailTrial {
		return props.TailTrial{Delta: delta, Run: coin(p(s))}
	})
}

// Battery returns the statements.
func Battery() []Statement {
	return slices.Concat(nulls(), families(), rares(), needles(), contents(), roundings(),
		incomparable(), slopes(), orders())
}

// nulls hold, or fail to be shown, by a hair.
func nulls() []Statement {
	even := func(p float64) func(*props.Source) float64 {
		return func(*props.Source) float64 { return p }
	}
	mean := func(trial props.MeanTrial) func(*rand.Rand) props.Check {
		return fixed(props.Mean(func(*props.Source) props.MeanTrial { return trial }))
	}
	flip := func(p float64) func(props.Trial) float64 {
		return func(t props.Trial) float64 {
			if t.Key.Rand().Float64() < p {
				return 1
			}
			return 0
		}
	}
	const kind = "null at the boundary"
	return []Statement{
		{Name: "probability", Kind: kind, Truth: "true, exactly 0.1", Runs: 3000, Alpha: wide,
			Limits: []Limit{byLevel(refuted)},
			Check:  fixed(tail(0.1, even(0.1)))},
		{Name: "probability, many instances", Kind: kind, Truth: "true, exactly 0.05 on each",
			Runs: 1000, Alpha: wide, Limits: []Limit{byLevel(refuted)},
			Check: fixed(props.Tail(func(s *props.Source) props.TailTrial {
				k := s.Int("k", 0, 1<<30)
				return props.TailTrial{Delta: 0.05,
					Run: func(t props.Trial, rec *props.Recorder) {
						coin(0.05)(props.Trial{Key: t.Key.At(k)}, rec)
					}}
			}))},
		{Name: "probability, a hair too large", Kind: kind, Truth: "false, 0.1001", Runs: 3000,
			Alpha: wide, Limits: []Limit{byLevel(supported)},
			Check: fixed(tail(0.1, even(0.1001)))},
		{Name: "hitting", Kind: kind, Truth: "true, exactly 0.1", Runs: 3000, Alpha: wide,
			Limits: []Limit{byLevel(refuted)},
			Check: fixed(props.Hitting(func(*props.Source) props.HittingTrial {
				return props.HittingTrial{Horizon: 9, Delta: 0.1,
					Run: func(t props.Trial) (int, bool) {
						k := t.Key.Rand().IntN(10)
						return k, k < 9
					}}
			}))},
		{Name: "mean of a coin", Kind: kind, Truth: "true, exactly 0.3", Runs: 3000, Alpha: wide,
			Limits: []Limit{byLevel(refuted)},
			Check:  mean(props.MeanTrial{Claimed: 0.3, Relation: props.LE, Hi: 1, Run: flip(0.3)})},
		{Name: "mean of a coin, a hair too large", Kind: kind, Truth: "false, 0.3001", Runs: 3000,
			Alpha: wide, Limits: []Limit{byLevel(supported)},
			Check: mean(props.MeanTrial{Claimed: 0.3, Relation: props.LE, Hi: 1,
				Run: flip(0.3001)})},
		{Name: "mean with a heavy tail", Kind: kind, Truth: "true, exactly 1", Runs: 2000,
			Alpha: wide, Limits: []Limit{byLevel(refuted), never(supported)},
			Check: mean(props.MeanTrial{Claimed: 1, Relation: props.LE,
				Run: func(t props.Trial) float64 {
					return math.Exp(2*t.Key.Rand().NormFloat64() - 2)
				}})},
		{Name: "mean at the end of its tolerance", Kind: kind, Truth: "true, off by exactly 0.05",
			Runs: 2000, Alpha: wide,
			Limits: []Limit{byLevel(refuted)},
			Check: mean(props.MeanTrial{Claimed: 0.5, Relation: props.Near, Hi: 1,
				Run: flip(0.55)})},
		{Name: "mean beyond its tolerance", Kind: kind, Truth: "false, off by 0.0501", Runs: 2000,
			Alpha: wide, Limits: []Limit{byLevel(supported)},
			Check: mean(props.MeanTrial{Claimed: 0.5, Relation: props.Near, Hi: 1,
				Run: flip(0.5501)})},
		{Name: "law at its tolerance", Kind: kind, Truth: "true, at distance 0.05", Runs: 1000,
			Alpha: wide, Limits: []Limit{byLevel(refuted)}, Check: fixed(mixed(0.05))},
		{Name: "law beyond its tolerance", Kind: kind, Truth: "false, at distance 0.0501",
			Runs: 1000, Alpha: wide, Limits: []Limit{byLevel(supported)},
			Check: fixed(mixed(0.0501))},
	}
}

// mixed states that runs are even on [0, 1], where a share of them is 1.
func mixed(share float64) props.Check {
	return props.Law(func(*props.Source) props.LawTrial {
		return props.LawTrial{CDF: func(x float64) float64 { return min(max(x, 0), 1) },
			Tolerance: 0.05,
			Run: func(t props.Trial) float64 {
				r := t.Key.Rand()
				if r.Float64() < share {
					return 1
				}
				return r.Float64()
			}}
	})
}

// excesses say where, between 0 and 1, the instances of a family come close to the worst of them.
var excesses = []func(s *props.Source, r *rand.Rand) float64{
	func(*props.Source, *rand.Rand) float64 { return 1 }, // everywhere
	func(s *props.Source, r *rand.Rand) float64 { // smoothly
		d := 0.0
		for _, x := range []string{"x", "y", "z"} {
			v := s.Real(x, 0, 1) - r.Float64()
			d += v * v
		}
		return math.Exp(-d)
	},
	func(s *props.Source, r *rand.Rand) float64 { // at a corner
		if s.LogReal("a", 1e-3, 1) > 0.3 && s.Real("b", 0, 1) > 0.6 {
			return 1
		}
		return 0
	},
	func(s *props.Source, r *rand.Rand) float64 { // by an integer
		n := s.Int("n", 1, 24)
		if b := s.Int("b", 1, n); n%4 == r.IntN(4) && 2*b <= n {
			return 1
		}
		return 0
	},
	func(s *props.Source, r *rand.Rand) float64 { // by a pattern
		s.Real("x", 0, 1)
		if s.Pick("law", "a", "b", "c", "d", "e", "f", "g", "h") == r.IntN(8) {
			return 1
		}
		return 0
	},
}

// families are statements about probabilities that are violated too often somewhere among their
// instances: everywhere, smoothly, at a corner, by an integer or by a pattern.
func families() []Statement {
	family := func(name string, limits []Limit, times func(r *rand.Rand) float64) Statement {
		return Statement{Name: name, Kind: "near miss", Truth: "false", Runs: 200, Limits: limits,
			Check: func(r *rand.Rand) props.Check {
				k, excess := times(r)-1, excesses[r.IntN(len(excesses))]
				a, b := r.Uint64(), r.Uint64()
				return tail(0.05, func(s *props.Source) float64 {
					return 0.05 * (1 + k*excess(s, rand.New(rand.NewPCG(a, b))))
				})
			}}
	}
	var out []Statement
	for _, times := range []float64{1.5, 2, 3} {
		limits := []Limit{atMost(0.02, supported)}
		if times >= 2 {
			limits = append(limits, atLeast(0.9, refuted))
		}
		out = append(out,
			family(fmt.Sprintf("violated up to %v times as often as allowed", times), limits,
				func(*rand.Rand) float64 { return times }))
	}
	out = append(out, family("violated up to 1.5 … 3 times as often as allowed",
		[]Limit{atLeast(0.9, refuted), atMost(0.02, supported)},
		func(r *rand.Rand) float64 { return 1.5 + 1.5*r.Float64() }))
	return append(out,
		Statement{Name: "violated a third as often as allowed", Kind: "power", Truth: "true",
			Runs: 200, Limits: []Limit{never(refuted), atLeast(0.95, supported)},
			Check: fixed(tail(0.06,
				func(s *props.Source) float64 { return 0.02 * s.Real("x", 0, 1) }))},
		Statement{Name: "the printed power of a probability", Kind: "power",
			Truth: "false, by the smallest detectable excess", Runs: 200,
			Limits: []Limit{atLeast(0.85, refuted)}, Check: promised("probability",
				func(p float64) props.Check {
					return tail(0.05, func(*props.Source) float64 { return p })
				}, 0.02)},
		Statement{Name: "the printed power of a mean", Kind: "power",
			Truth: "false, by the smallest detectable excess", Runs: 200,
			Limits: []Limit{atLeast(0.85, refuted)},
			Check: promised("mean", func(m float64) props.Check {
				return props.Mean(func(*props.Source) props.MeanTrial {
					return props.MeanTrial{Claimed: 0.5, Relation: props.LE, Hi: 1,
						Run: func(t props.Trial) float64 {
							return m * (0.9 + 0.2*t.Key.Rand().Float64())
						}}
				})
			}, 0.45)},
		Statement{Name: "mean half as large again", Kind: "near miss", Truth: "false", Runs: 200,
			Limits: []Limit{atLeast(0.9, refuted), never(supported)},
			Check: fixed(props.Mean(func(*props.Source) props.MeanTrial {
				return props.MeanTrial{Claimed: 0.5, Relation: props.LE, Hi: 1,
					Run: func(t props.Trial) float64 {
						return min(1, 1.5*t.Key.Rand().Float64())
					}}
			}))},
	)
}

// needles are statements that fail on a small part of a flat domain, or on a small share of their
// instances.
func needles() []Statement {
	flag := func(rec *props.Recorder, bad bool) {
		m := 1.0
		if bad {
			m = 3
		}
		rec.AtMost("flag", m, 2)
	}
	box := func(volume float64) func(*rand.Rand) props.Check {
		return func(r *rand.Rand) props.Check {
			side := math.Cbrt(volume)
			var lo [3]float64
			for i := range lo {
				lo[i] = r.Float64() * (1 - side)
			}
			return props.Inequality(func(s *props.Source, rec *props.Recorder) {
				in := true
				for i, name := range [3]string{"x", "y", "z"} {
					v := s.Real(name, 0, 1)
					in = in && v >= lo[i] && v <= lo[i]+side
				}
				flag(rec, in)
			})
		}
	}
	unstructured := func(share float64) func(*rand.Rand) props.Check {
		return func(r *rand.Rand) props.Check {
			a, b := r.Uint64(), r.Uint64()
			return tail(0.1, func(s *props.Source) float64 {
				x, y := math.Float64bits(s.Real("x", 0, 1)), math.Float64bits(s.Real("y", 0, 1))
				if rand.New(rand.NewPCG(x^a, y^b)).Float64() < share {
					return 0.5
				}
				return 0.01
			})
		}
	}
	return []Statement{
		{Name: "one pair of 820", Kind: "needle", Truth: "false", Runs: 200,
			Limits: []Limit{atLeast(0.95, refuted)},
			Check: func(r *rand.Rand) props.Check {
				n := 1 + r.IntN(40)
				b := 1 + r.IntN(n)
				return props.Inequality(func(s *props.Source, rec *props.Recorder) {
					m := s.Int("n", 1, 40)
					flag(rec, s.Int("b", 1, m) == b && m == n)
				})
			}},
		{Name: "a box of volume 1e-2", Kind: "needle", Truth: "false", Runs: 200,
			Limits: []Limit{atLeast(0.95, refuted)},
			Check:  box(1e-2)},
		{Name: "a box of volume 1e-3", Kind: "needle", Truth: "false", Runs: 200,
			Limits: []Limit{atLeast(0.45, refuted)},
			Check:  box(1e-3)},
		{Name: "equal parameters", Kind: "needle", Truth: "false", Runs: 200,
			Limits: []Limit{atLeast(0.95, refuted)},
			Check: fixed(props.Inequality(func(s *props.Source, rec *props.Recorder) {
				flag(rec, s.Real("a", 0, 1) == s.Real("b", 0, 2))
			}))},
		{Name: "false on 3 % of the instances", Kind: "needle", Truth: "false", Runs: 200,
			Limits: []Limit{atMost(0.05, supported)}, Check: unstructured(0.03)},
		{Name: "false on 1 % of the instances", Kind: "needle", Truth: "false", Runs: 200,
			Limits: []Limit{atMost(0.2, supported)}, Check: unstructured(0.01)},
		{Name: "false on 1 % of the instances, standard tier", Kind: "needle", Truth: "false",
			Runs: 60, Tier: props.Standard, Limits: []Limit{atMost(0.05, supported)},
			Check: unstructured(0.01)},
	}
}

// contents are statements that say little where they hold.
func contents() []Statement {
	return []Statement{
		{Name: "premise met in 5 % of the runs and violated every time", Kind: "content",
			Truth: "false", Runs: 200, Limits: []Limit{never(supported)},
			Check: fixed(props.Tail(func(*props.Source) props.TailTrial {
				return props.TailTrial{Delta: 0.1,
					Run: func(t props.Trial, rec *props.Recorder) {
						if t.Key.Rand().Float64() > 0.05 {
							rec.Skip("the premise")
						}
						rec.AtMost("x", 2, 1)
					}}
			}))},
		{Name: "a vacuous part beside a supported one", Kind: "content", Truth: "empty in part",
			Runs: 40, Limits: []Limit{never(supported)},
			Check: fixed(props.All(tail(0.1, func(*props.Source) float64 { return 0.01 }),
				tail(1, func(*props.Source) float64 { return 0.01 })))},
	}
}

// inequalities makes statements of a kind that differ in what they compare.
func inequalities(kind, truth string, runs int,
	limit Limit) func(name string, try func(*props.Source, *props.Recorder)) Statement {
	return func(name string, try func(*props.Source, *props.Recorder)) Statement {
		return Statement{Name: name, Kind: kind, Truth: truth, Runs: runs, Limits: []Limit{limit},
			Check: fixed(props.Inequality(try))}
	}
}

// roundings are true statements of which float64 arithmetic sees violations.
func roundings() []Statement {
	inequality := inequalities("rounding", "true", 200, never(refuted))
	return []Statement{
		// Draws that lose all of a part are stated with their scale below.
		{Name: "drawn statements that cancel", Kind: "rounding", Truth: "true", Runs: 400,
			Limits: []Limit{never(refuted)},
			Check:  func(r *rand.Rand) props.Check { return draw(r, false).check() }},
		{Name: "those of which a part is lost, with their scale", Kind: "rounding", Truth: "true",
			Runs: 60, Limits: []Limit{never(refuted)},
			Check: func(r *rand.Rand) props.Check { return drawLost(r).check() }},
		{Name: "their false twins, off by 1e-9 … 1", Kind: "rounding", Truth: "false", Runs: 400,
			Limits: []Limit{atLeast(0.98, refuted), never(supported)},
			Check:  func(r *rand.Rand) props.Check { return draw(r, true).check() }},
		{Name: "false, and lost in larger numbers", Kind: "rounding", Truth: "false", Runs: 200,
			Limits: []Limit{never(passed)}, Check: lostTwin},
		inequality("(a + b) − a = b", func(s *props.Source, rec *props.Recorder) {
			a, b := s.LogReal("a", 1, 1e16), s.Real("b", 0, 1)
			rec.Equal("b", (a+b)-a, b)
		}),
		inequality("E x² − (E x)² ≥ 0 at means up to 1e9",
			func(s *props.Source, rec *props.Recorder) {
				mean, r := s.LogReal("mean", 1, 1e9), s.Rand("deviations")
				sum, squares := 0.0, 0.0
				const n = 20
				for range n {
					x := mean + 1e-3*r.NormFloat64()
					sum += x
					squares += x * x
				}
				rec.AtLeast("variance", squares/n-sum/n*(sum/n), 0)
			}),
		inequality("E x² − (E x)² ≥ 0 beside 1e9, which no choice names", variance(false)),
		inequality("the same, perturbed", variance(true)),
		inequality("1 − cos x ≥ x²/2 − x⁴/24", func(s *props.Source, rec *props.Recorder) {
			x := s.LogReal("x", 1e-9, 1)
			rec.AtLeast("1 − cos x", 1-math.Cos(x), x*x/2-x*x*x*x/24)
		}),
		inequality("√(x² + 1) − x ≤ 1/(2x)", func(s *props.Source, rec *props.Recorder) {
			x := s.LogReal("x", 1, 1e12)
			rec.AtMost("√(x² + 1) − x", math.Sqrt(x*x+1)-x, 1/(2*x))
		}),
		inequality("1e-20 ≤ 0, what is left of a difference",
			func(s *props.Source, rec *props.Recorder) {
				rec.AtMost("difference", 1e-20*s.Real("x", 0, 1), 0)
			}),
		{Name: "a mean of 1e-30 against 0", Kind: "rounding", Truth: "true but for rounding",
			Runs:   100,
			Limits: []Limit{never(refuted)},
			Check: fixed(props.Mean(func(*props.Source) props.MeanTrial {
				return props.MeanTrial{Claimed: 0, Relation: props.LE,
					Run: func(t props.Trial) float64 { return 1e-30 * t.Key.Rand().Float64() }}
			}))},
		{Name: "a run that has converged", Kind: "rounding", Truth: "true", Runs: 200,
			Limits: []Limit{never(refuted)},
			Check: fixed(props.Tail(func(s *props.Source) props.TailTrial {
				at, steps := s.Real("minimiser", 0.1, 1), s.Int("T", 10, 80)
				rate := s.Real("rate", 0.2, 0.8)
				return props.TailTrial{Delta: 0.05,
					Run: func(t props.Trial, rec *props.Recorder) {
						x := []float64{at + 1 + t.Key.Rand().Float64()}
						t.Key.Perturb(x)
						f := func(x float64) float64 { return x*x - 2*at*x }
						gap := f(x[0]) + at*at
						for range steps {
							x[0] = at + math.Sqrt(rate)*(x[0]-at)
							t.Key.Perturb(x)
							gap *= rate
							rec.AtMost("f − f*", f(x[0])+at*at, gap)
						}
					}}
			}))},
	}
}

// lostTwin states less than what a number is, after a larger one has been added to it and taken
// away: in float64 nothing is left that would violate it.
func lostTwin(r *rand.Rand) props.Check {
	offset, share := math.Exp(40+10*r.Float64()), r.Float64()
	return props.Inequality(func(s *props.Source, rec *props.Recorder) {
		x := s.Real("x", 0.1, 10)
		rec.AtMost("x", x+offset-offset, share*x)
	})
}

// variance states that a variance is not negative, of numbers near 10⁹.
func variance(perturbed bool) func(*props.Source, *props.Recorder) {
	return func(s *props.Source, rec *props.Recorder) {
		v := make([]float64, s.Int("n", 2, 50))
		r := s.Rand("deviations")
		for i := range v {
			v[i] = 1e9 + r.NormFloat64()
		}
		if perturbed {
			s.Perturb(v)
		}
		sum, squares := 0.0, 0.0
		for _, x := range v {
			sum += x
			squares += x * x
		}
		mean := sum / float64(len(v))
		rec.AtLeast("variance", squares/float64(len(v))-mean*mean, 0)
	}
}

// incomparable are false statements, or empty ones, whose two sides overflow, underflow or are no
// numbers. None of them may pass.
func incomparable() []Statement {
	inequality := inequalities("not comparable", "false", 50, never(passed))
	return []Statement{
		inequality("exp 2x ≤ exp x on [720, 1000]", func(s *props.Source, rec *props.Recorder) {
			x := s.Real("x", 720, 1000)
			rec.AtMost("exp 2x", math.Exp(2*x), math.Exp(x))
		}),
		inequality("an infinite bound",
			func(s *props.Source, rec *props.Recorder) {
				rec.AtMost("x", s.Real("x", 1, 2), math.Inf(1))
			}),
		inequality("both sides underflow", func(s *props.Source, rec *props.Recorder) {
			x := s.Real("x", 800, 1000)
			rec.AtMost("exp −x", math.Exp(-x), math.Exp(-2*x))
		}),
		inequality("values below 1e-305", func(s *props.Source, rec *props.Recorder) {
			x := s.Real("x", 1, 2) * 1e-307
			rec.AtMost("x", x, x/2)
		}),
		inequality("exact, but equal in float64", func(s *props.Source, rec *props.Recorder) {
			x := s.Int("x", 1, 100)
			one := new(big.Rat).SetFrac(big.NewInt(1), new(big.Int).Lsh(big.NewInt(1), 80))
			rec.AtMost("x + 2⁻⁸⁰", float64(x), float64(x)).Exactly(func() (*big.Rat, *big.Rat) {
				c := new(big.Rat).SetInt64(int64(x))
				return new(big.Rat).Add(c, one), c
			})
		}),
		{Name: "a distribution function that is no number", Kind: "not comparable", Truth: "false",
			Runs:   20,
			Limits: []Limit{never(passed)},
			Check: fixed(props.Law(func(*props.Source) props.LawTrial {
				return props.LawTrial{CDF: func(float64) float64 { return math.NaN() },
					Run: func(t props.Trial) float64 { return t.Key.Rand().Float64() }}
			}))},
	}
}

// slopes are scaling laws of positive quantities with lognormal noise.
func slopes() []Statement {
	law := func(name, truth string, limits []Limit, trial props.SlopeTrial,
		y func(t props.Trial, x float64) float64) Statement {
		trial.XLabel, trial.YLabel, trial.Run = "x", "y", y
		if trial.X == nil {
			trial.X = []float64{1, 3, 10, 30, 100}
		}
		return Statement{Name: name, Kind: "slope", Truth: truth, Runs: 100, Limits: limits,
			Check: fixed(props.Slope(func(*props.Source) props.SlopeTrial { return trial }).Effort(2))}
	}
	noisy := func(f func(x float64) float64) func(props.Trial, float64) float64 {
		return func(t props.Trial, x float64) float64 {
			return f(x) * math.Exp(0.05*t.Key.At(int(x)).Rand().NormFloat64())
		}
	}
	power := func(p float64) func(float64) float64 {
		return func(x float64) float64 { return math.Pow(x, p) }
	}
	median := props.SlopeTrial{Of: props.OfMedian}
	return []Statement{
		law("constant", "true", []Limit{never(refuted), atLeast(0.85, supported)}, median,
			noisy(power(0))),
		law("at the margin", "true", []Limit{atMost(0.01, refuted)}, median, noisy(power(0.1))),
		law("a quarter too steep", "false",
			[]Limit{never(supported), atLeast(0.9, refuted)}, median, noisy(power(0.25))),
		law("two values", "true", []Limit{never(refuted)}, median,
			func(t props.Trial, x float64) float64 {
				return float64(1 + t.Key.At(int(x)).Rand().IntN(2))
			}),
		law("bounded and still rising", "true", []Limit{never(refuted)}, median,
			noisy(func(x float64) float64 { return x / (x + 10) })),
		law("growing after a flat start", "false", []Limit{atMost(0.05, supported)},
			props.SlopeTrial{Of: props.OfMedian, X: []float64{1, 10, 100, 1000}},
			noisy(func(x float64) float64 { return 1 + 0.001*x })),
		law("growth carried by rare runs", "false", []Limit{never(supported)}, props.SlopeTrial{},
			func(t props.Trial, x float64) float64 {
				if t.Key.At(int(x)).Rand().Float64() < 0.01 {
					return 1 + 100*x
				}
				return 1
			}),
	}
}

// orders are statements up to a constant.
func orders() []Statement {
	five := []string{"a", "b", "c", "d", "e"}
	return []Statement{
		{Name: "a^0.2 along a ridge in five parameters", Kind: "order", Truth: "false", Runs: 40,
			Limits: []Limit{atLeast(0.9, refuted)},
			Check: fixed(props.Order(func(s *props.Source) (float64, float64) {
				var x [5]float64
				for i, name := range five {
					x[i] = math.Log(s.LogReal(name, 1, 1e6))
				}
				far := 0.0
				for i := range x {
					far += math.Abs(x[i] - x[0])
				}
				return math.Exp(0.2*x[0] - far), 1
			}))},
		{Name: "bounded, with a hidden peak in six parameters", Kind: "order", Truth: "true",
			Runs:   40,
			Limits: []Limit{atMost(0.01, refuted)}, Check: func(r *rand.Rand) props.Check {
				var at [6]float64
				for i := range at {
					at[i] = r.Float64()
				}
				return props.Order(func(s *props.Source) (float64, float64) {
					d := 0.0
					for i, name := range append(five, "f") {
						v := math.Log(s.LogReal(name, 1, 1e6))/math.Log(1e6) - at[i]
						d += v * v
					}
					return 1 + 50*math.Exp(-20*d), 1
				})
			}},
		{Name: "a sum against its largest term", Kind: "order", Truth: "true", Runs: 40,
			Limits: []Limit{never(refuted), atLeast(0.9, passed)},
			Check: fixed(props.SameOrder(func(s *props.Source) (float64, float64) {
				a, b := s.LogReal("a", 1, 1e6), s.LogReal("b", 1, 1e6)
				return a + b, max(a, b)
			}))},
	}
}

// promised makes the check of a statement that is false by as much as the evidence about a true
// one, with the given parameter, says that it would have noticed.
func promised(of string, check func(parameter float64) props.Check,
	holds float64) func(*rand.Rand) props.Check {
	var once sync.Once
	var detectable float64
	return func(*rand.Rand) props.Check {
		once.Do(func() {
			results, err := props.Run(context.Background(),
				[]props.Claim{{ID: "power-of-a-" + of, Check: check(holds)}},
				props.Config{})
			if err == nil && len(results[0].Evidence) > 0 {
				detectable = float64(results[0].Evidence[0].Power.Size)
			}
		})
		return check(detectable)
	}
}
