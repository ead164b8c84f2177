package claims

import (
	"math"
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mathext"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
	"sledge/props/keyed"
)

// setting is a run of SLEDGE on a random smooth objective.
type setting struct {
	p   *testproblem.Problem
	m   *algos.SLEDGE
	x0  []float64
	key keyed.Key
	T   int
}

func drawSetting(src *props.Source) *setting {
	n, d := src.Int("n", 1, 12), src.Int("d", 1, 4)
	s := &setting{T: src.Int("T", 1, 25)}
	s.m = &algos.SLEDGE{
		Batch:  src.Int("b", 1, n),
		Option: algos.Option(src.Pick("option", "II", "I")),
		Eta:    src.LogReal("eta", 0.01, 0.6),
		Radius: src.Real("r", 0, 0.5),
	}
	r := src.Rand("objective")
	s.p = testproblem.DrawWells(n, 1, d, r)
	s.x0 = normal(d, r)
	s.key = keyed.New(r.Uint64())
	return s
}

func normal(d int, r interface{ NormFloat64() float64 }) []float64 {
	x := make([]float64, d)
	for l := range x {
		x[l] = 2 * r.NormFloat64()
	}
	return x
}

// tape runs a method on the objective of the setting, from its start, with its randomness.
func (s *setting) tape(m algos.Method) *algos.Tape {
	return props.Must(algos.RecordRun(m, algos.NewOracle(algos.Sum(s.p.FiniteSum())), s.x0, algos.Keyed(s.key), s.T))
}

// batches returns I^0, …, I^T of a tape; I^0 is nil for Option II.
func batches(tape *algos.Tape) [][]int {
	out := make([][]int, len(tape.X))
	for t := range out {
		out[t] = tape.Batch(t)
	}
	return out
}

// along returns the component gradients at the iterates of a tape, and the largest norm among them, the scale of rounding errors.
func along(p algos.FiniteSum, tape *algos.Tape) (grad func(i, s int) []float64, scale float64) {
	n := p.Components()
	g := make([][]float64, n*len(tape.X))
	for s, x := range tape.X {
		for i := range n {
			g[s*n+i] = make([]float64, p.Dim())
			p.Gradient(g[s*n+i], x, i)
			scale = max(scale, floats.Norm(g[s*n+i], 2))
		}
	}
	return func(i, s int) []float64 { return g[s*n+i] }, scale
}

// vanish records that a linear combination of unknown vectors is the origin.
func vanish(rec *props.Recorder, what string, f form) {
	rec.Rats(what, f.size(), props.EQ, new(big.Rat))
}

// sameRun records that two runs visit the same points and have the same estimators.
func sameRun(rec *props.Recorder, what string, got, want *algos.Tape) {
	far, steep := 0.0, 0.0
	for t, x := range want.X {
		far, steep = max(far, floats.Norm(x, 2)), max(steep, floats.Norm(want.V[t], 2))
	}
	for t := range want.X {
		rec.EqualVectors("iterates "+what, got.X[t], want.X[t]).Scale(far)
		rec.EqualVectors("estimators "+what, got.V[t], want.V[t]).Scale(steep)
	}
}

// memo remembers every gradient of every component and counts those that had to be computed. A method that runs on it is the thrifty version of
// itself.
type memo struct {
	testproblem.Sum
	at, grad [][][]float64
	computed int64
}

func newMemo(p *testproblem.Problem) *memo {
	return &memo{Sum: p.FiniteSum(), at: make([][][]float64, p.P), grad: make([][][]float64, p.P)}
}

func (m *memo) Gradient(dst, x []float64, i int) {
	k := slices.IndexFunc(m.at[i], func(y []float64) bool { return slices.Equal(x, y) })
	if k < 0 {
		k = len(m.at[i])
		m.computed++
		m.at[i], m.grad[i] = append(m.at[i], slices.Clone(x)), append(m.grad[i], make([]float64, len(x)))
		m.Sum.Gradient(m.grad[i][k], x, i)
	}
	copy(dst, m.grad[i][k])
}

// common counts the elements that two sets share.
func common(a, b []int) int {
	k := 0
	for _, i := range a {
		if slices.Contains(b, i) {
			k++
		}
	}
	return k
}

// shared is an objective whose components differ by linear functions only: ζ = 0.
func shared(p *testproblem.Problem) *testproblem.Problem {
	linear := make([][]float64, p.P)
	zero, g := make([]float64, p.D), make([]float64, p.D)
	for i := range linear {
		linear[i] = make([]float64, p.D)
		p.Grad(linear[i], zero, i, 0)
		p.Grad(g, zero, 0, 0)
		floats.Sub(linear[i], g)
	}
	q := *p
	q.Grad = func(dst, x []float64, i, _ int) {
		p.Grad(dst, x, 0, 0)
		floats.Add(dst, linear[i])
	}
	return &q
}

func sledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-literal-update", props.Identity(func(src *props.Source, rec *props.Recorder) {
			s := drawSetting(src)
			tape := s.tape(s.m)
			grad, scale := along(s.p.FiniteSum(), tape)
			y := sledgeTables(floatSpace{}, grad, s.p.P, batches(tape))
			ref := s.m.Reference()
			if err := ref.Start(algos.NewOracle(algos.Sum(s.p.FiniteSum())), s.x0, tape.Replay()); err != nil {
				panic(err)
			}
			next := make([]float64, s.p.D)
			for t := range tape.X {
				if t > 0 {
					ref.Step()
					copy(next, tape.X[t-1])
					floats.AddScaled(next, -s.m.Eta, average(floatSpace{}, y[t-1]))
					floats.Add(next, tape.Noise(t)[0])
					rec.EqualVectors("x^t of the efficient form", tape.X[t], next).Scale(scale)
					rec.EqualVectors("x^t of the literal form", ref.Point(), next).Scale(scale)
				}
				rec.EqualVectors("mean of the y_i^t, efficient form", tape.V[t], average(floatSpace{}, y[t])).Scale(scale)
				for i, row := range ref.Table() {
					rec.EqualVectors("y_i^t of the literal form", row, y[t][i]).Scale(scale)
				}
			}
		}).Effort(0.5)),
		props.Bind("sledge-minibatch-law", props.All(
			props.Exact("uniform independent subsets, n ≤ 5, three steps, every index", func(rec *props.Recorder) {
				for n := 2; n <= 5; n++ {
					for b := 1; b <= n; b++ {
						for i := range n {
							var idle, then int64
							batchSequences(n, b, 1, 3, func(batches [][]int) {
								if !slices.Contains(batches[2], i) && !slices.Contains(batches[3], i) {
									idle++
									if slices.Contains(batches[1], i) {
										then++
									}
								}
							})
							if idle > 0 {
								rec.Rats("P(i ∈ I^s | i ∉ I^{s+1} ∪ … ∪ I^t)", big.NewRat(then, idle), props.EQ, big.NewRat(int64(b), int64(n)))
							}
						}
					}
				}
			}),
			// The share of the indices left out by later steps which step s chooses; (t−s)b < n leaves some.
			props.Mean(func(src *props.Source) props.MeanTrial {
				n := src.Int("n", 4, 60)
				b := src.Int("b", 1, n/3)
				later := src.Int("t-s", 0, (n-1)/b)
				return props.MeanTrial{What: "the share of the indices left out later that a step chooses", Claimed: float64(b) / float64(n),
					Relation: props.Near, Hi: 1, Tolerance: 0.02, Regime: props.Where(props.Min("t − s", later, 1)),
					Run: func(t props.Trial) float64 {
						sum, r := 0.0, algos.Keyed(t.Key)
						sets := make([][]int, later+1)
						for range 40 {
							for k := range sets {
								sets[k] = make([]int, b)
								r.Subset(sets[k], n, algos.Batches)
							}
							left := unsampled(n, sets[1:]...)
							sum += float64(common(sets[0], left)) / float64(len(left)) / 40
						}
						return sum
					}}
			}).Effort(3),
			// Pairs of indices tell sampling without replacement from other laws with the same marginals.
			props.Mean(func(src *props.Source) props.MeanTrial {
				n := src.Int("n", 3, 40)
				b := src.Int("b", 2, n)
				i := src.Int("i", 0, n-2)
				return props.MeanTrial{What: "the share of minibatches with both of two indices", Claimed: float64(b*(b-1)) / float64(n*(n-1)),
					Relation: props.Near, Hi: 1, Tolerance: 0.02, Regime: props.Where(props.Less("b", b, "n", n)),
					Run: func(t props.Trial) float64 {
						sum, r := 0.0, algos.Keyed(t.Key)
						set := make([]int, b)
						for range 40 {
							r.Subset(set, n, algos.Batches)
							if slices.Contains(set, i) && slices.Contains(set, n-1) {
								sum += 1.0 / 40
							}
						}
						return min(sum, 1)
					}}
			}).Effort(3),
		)),
		props.Bind("ball-noise-law", props.All(
			props.Law(func(src *props.Source) props.LawTrial {
				xi := make([]float64, src.LogInt("d", 1, 200))
				regime := props.Where(props.Min("d", len(xi), 2))
				return props.LawTrial{What: "(‖ξ‖/r)^d", CDF: func(u float64) float64 { return min(max(u, 0), 1) },
					Regime: regime, Run: func(t props.Trial) float64 {
						algos.Keyed(t.Key).Ball(xi, 2, algos.Noise)
						return math.Pow(floats.Norm(xi, 2)/2, float64(len(xi)))
					}}
			}),
			props.Law(func(src *props.Source) props.LawTrial {
				xi := make([]float64, src.LogInt("d", 1, 200))
				k := src.Int("coordinate", 0, len(xi)-1)
				shape := float64(len(xi)+1) / 2
				cdf := func(u float64) float64 { return mathext.RegIncBeta(shape, shape, min(max((1+u)/2, 0), 1)) }
				return props.LawTrial{What: "one coordinate of ξ/r", CDF: cdf,
					Regime: props.Where(props.Min("d", len(xi), 2)), Run: func(t props.Trial) float64 {
						algos.Keyed(t.Key).Ball(xi, 2, algos.Noise)
						return xi[k] / 2
					}}
			}),
			props.Inequality(func(src *props.Source, rec *props.Recorder) {
				xi := make([]float64, src.LogInt("d", 1, 1000))
				radius := src.LogReal("r", 1e-9, 1e9)
				r := algos.Keyed(src.Key("noise"))
				for range 20 {
					r.Ball(xi, radius, algos.Noise)
					rec.AtMost("‖ξ‖", floats.Norm(xi, 2), radius)
				}
			}).Effort(0.5),
		)),
		props.Bind("sledge-full-batch-is-gradient-descent", props.All(
			props.Exact("all functions and paths, n ≤ 5, three steps, both options", func(rec *props.Recorder) {
				for n := 1; n <= 5; n++ {
					for from := range 2 {
						batchSequences(n, n, from, 3, func(batches [][]int) {
							for t, y := range sledgeTables(forms{}, anyGradients, n, batches) {
								vanish(rec, "(1/n) Σ y_i^t − ∇f(x^t)", average(forms{}, y).minus(fullGradient(forms{}, anyGradients, n, t)))
							}
						})
					}
				}
			}),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSetting(src)
				s.m.Batch = s.p.P
				sameRun(rec, "of SLEDGE and gradient descent", s.tape(s.m), s.tape(&algos.GD{Eta: s.m.Eta, Radius: s.m.Radius}))
			}).Effort(0.5),
		)),
		props.Bind("sledge-zero-heterogeneity-exact", props.All(
			props.Exact(tinyDomain+", ζ = 0", func(rec *props.Recorder) {
				tiny(1, func(n int, batches [][]int) {
					for t, y := range sledgeTables(forms{}, homogeneousGradients, n, batches) {
						vanish(rec, "(1/n) Σ y_i^t − ∇f(x^t)", average(forms{}, y).minus(fullGradient(forms{}, homogeneousGradients, n, t)))
					}
				})
			}),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSetting(src)
				s.p = shared(s.p)
				s.m.Option = algos.OptionII
				sameRun(rec, "of SLEDGE and gradient descent", s.tape(s.m), s.tape(&algos.GD{Eta: s.m.Eta, Radius: s.m.Radius}))
			}).Effort(0.5),
		)),
		props.Bind("sledge-zero-heterogeneity-exact/sharper", props.Exact(tinyDomain+", ζ = 0, both options", func(rec *props.Recorder) {
			for from := range 2 {
				tiny(from, func(n int, batches [][]int) {
					y := sledgeTables(forms{}, homogeneousGradients, n, batches)
					for t := range y {
						if from == 1 {
							for i, row := range y[t] {
								vanish(rec, "y_i^t − ∇f_i(x^t), Option II", row.minus(homogeneousGradients(i, t)))
							}
							continue
						}
						err := average(forms{}, y[t]).minus(fullGradient(forms{}, homogeneousGradients, n, t))
						left := unsampled(n, batches[1:t+1]...)
						start := mean(forms{}, left, n, func(i int) form { return y[0][i].minus(homogeneousGradients(i, 0)) })
						vanish(rec, "error − initial error of the indices not yet sampled, Option I", err.minus(start))
						if len(left) == 0 {
							vanish(rec, "error once all indices have been sampled, Option I", err)
						}
					}
				})
			}
		})),
		props.Bind("sledge-gradient-count", props.Identity(func(src *props.Source, rec *props.Recorder) {
			s := drawSetting(src)
			for _, m := range []algos.Method{s.m, s.m.Reference()} {
				o := algos.NewOracle(algos.Sum(s.p.FiniteSum()))
				props.Must(algos.RecordRun(m, o, s.x0, algos.Keyed(s.key), s.T))
				start := s.p.P
				if s.m.Option == algos.OptionI {
					start = s.m.Batch
				}
				total := int64(start + 2*s.m.Batch*s.T)
				counted := o.Counts().Gradients
				rec.Rats("component gradients of a run", big.NewRat(counted, 1), props.EQ, big.NewRat(total, 1))
			}
		}).Effort(0.5)),
		props.Bind("sledge-gradient-count/sharper", props.All(
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				s := drawSetting(src)
				s.m.Radius += 0.01 // keeps iterates apart
				thrifty := newMemo(s.p)
				tape := props.Must(algos.RecordRun(s.m, algos.NewOracle(algos.Sum(thrifty)), s.x0, algos.Keyed(s.key), s.T))
				b, want := s.m.Batch, int64(0)
				for t := 1; t <= s.T; t++ {
					want += int64(2*b - common(tape.Batch(t), tape.Batch(t-1)))
				}
				if s.m.Option == algos.OptionII {
					want += int64(s.p.P - b)
				} else {
					want += int64(b)
				}
				rec.Rats("gradients computed", big.NewRat(thrifty.computed, 1), props.EQ, big.NewRat(want, 1))
				sameRun(rec, "with and without reuse", tape, s.tape(s.m))
			}).Effort(0.5),
			props.Exact("mean of |I^t ∩ I^{t−1}| over all pairs of minibatches, n ≤ 6", func(rec *props.Recorder) {
				for n := 1; n <= 6; n++ {
					for b := 1; b <= n; b++ {
						shared, pairs := int64(0), int64(0)
						batchSequences(n, b, 1, 2, func(batches [][]int) {
							shared += int64(common(batches[1], batches[2]))
							pairs++
						})
						rec.Rats("mean overlap", big.NewRat(shared, pairs), props.EQ, big.NewRat(int64(b*b), int64(n)))
					}
				}
			}),
		)),
	}
}
