package claims

import (
	"math/big"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
	"sledge/props"
)

// memo remembers every gradient of every component and counts those that had to be computed. A
// method that runs on it is the thrifty version of itself.
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
		m.at[i], m.grad[i] = append(m.at[i], slices.Clone(x)),
			append(m.grad[i], make([]float64, len(x)))
		m.Sum.Gradient(m.grad[i][k], x, i)
	}
	copy(dst, m.grad[i][k])
}

func sledgeClaims() []props.Binding {
	return []props.Binding{
		props.Bind("sledge-literal-update", checkListing()),
		props.Bind("sledge-full-batch-is-gradient-descent", checkFullBatches()),
		props.Bind("sledge-zero-heterogeneity-exact", checkHomogeneous()),
		props.Bind("sledge-zero-heterogeneity-exact/sharper", checkHomogeneousRows()),
		props.Bind("sledge-gradient-count/sharper", checkReuse()),
	}
}

// checkListing compares runs of SLEDGE with its listing, row by row.
func checkListing() props.Check {
	return settledRuns(0.5, func(s *sledgeRun, rec *props.Recorder) {
		tape := s.tape(s.m)
		grad, scale := along(s.p.FiniteSum(), tape)
		y := sledgeTables(floatSpace{}, grad, s.p.P, batches(tape))
		ref := s.m.Reference()
		if err := ref.Start(algos.NewOracle(algos.Sum(s.p.FiniteSum())), s.x0,
			tape.Replay()); err != nil {
			panic(err)
		}
		next := make([]float64, s.p.D)
		for t := range tape.X {
			if t > 0 {
				ref.Step()
				copy(next, tape.X[t-1])
				floats.AddScaled(next, -s.m.Eta, average(floatSpace{}, y[t-1]))
				floats.Add(next, tape.Noise(t)[0])
				s.recordSame(rec, "x^t of the efficient form", tape.X[t], next, scale)
				s.recordSame(rec, "x^t of the literal form", ref.Point(), next, scale)
			}
			s.recordSame(rec, "mean of the y_i^t, efficient form", tape.V[t],
				average(floatSpace{}, y[t]), scale)
			for i, row := range ref.Table() {
				s.recordSame(rec, "y_i^t of the literal form", row, y[t][i], scale)
			}
		}
	})
}

// checkFullBatches compares SLEDGE with full batches with gradient descent.
func checkFullBatches() props.Check {
	return settledRuns(0.5, func(s *sledgeRun, rec *props.Recorder) {
		s.m.Batch = s.p.P
		s.recordSameRun(rec, "of SLEDGE and gradient descent", s.tape(s.m),
			s.tape(&algos.GD{Eta: s.m.Eta, Radius: s.m.Radius}))
	})
}

// checkHomogeneous compares SLEDGE with gradient descent where components differ by linear terms.
func checkHomogeneous() props.Check {
	return settledRuns(0.5, func(s *sledgeRun, rec *props.Recorder) {
		s.p = homogeneous(s.p)
		s.m.Option = algos.OptionII
		s.recordSameRun(rec, "of SLEDGE and gradient descent", s.tape(s.m),
			s.tape(&algos.GD{Eta: s.m.Eta, Radius: s.m.Radius}))
	})
}

// checkHomogeneousRows looks at every row, and at what is left of the start of Option I.
func checkHomogeneousRows() props.Check {
	return props.ExactSizes(tinyDomain+", ζ = 0, both options", func(rec *props.Recorder) {
		for from := range 2 {
			tiny(from, func(n int, batches [][]int) {
				y := sledgeTables(forms{}, homogeneousGradients, n, batches)
				for t := range y {
					if from == 1 {
						for i, row := range y[t] {
							recordZero(rec, "y_i^t − ∇f_i(x^t), Option II",
								row.minus(homogeneousGradients(i, t)))
						}
						continue
					}
					err := average(forms{}, y[t]).minus(
						fullGradient(forms{}, homogeneousGradients, n, t))
					left := unsampled(n, batches[1:t+1]...)
					start := mean(forms{}, left, n, func(i int) form {
						return y[0][i].minus(homogeneousGradients(i, 0))
					})
					recordZero(rec,
						"error − initial error of the indices not yet sampled, Option I",
						err.minus(start))
					if len(left) == 0 {
						recordZero(rec, "error once all indices have been sampled, Option I", err)
					}
				}
			})
		}
	})
}

// checkReuse counts the gradients of a run that reuses those of the step before.
func checkReuse() props.Check {
	return props.All(
		settledRuns(0.5, func(s *sledgeRun, rec *props.Recorder) {
			if s.formal == nil {
				s.m.Radius += 0.01 // keeps iterates apart
			}
			thrifty := newMemo(s.p)
			tape := props.Must(algos.RecordRun(s.m, algos.NewOracle(algos.Sum(thrifty)), s.x0,
				s.random(), s.T))
			b, want := s.m.Batch, int64(0)
			for t := 1; t <= s.T; t++ {
				want += int64(2*b - overlap(tape.Batch(t), tape.Batch(t-1)))
			}
			if s.m.Option == algos.OptionII {
				want += int64(s.p.P - b)
			} else {
				want += int64(b)
			}
			rec.Rats("gradients computed", big.NewRat(thrifty.computed, 1), props.EQ,
				big.NewRat(want, 1))
			s.recordSameRun(rec, "with and without reuse", tape, s.tape(s.m))
		}),
		props.ExactSizes("mean of |I^t ∩ I^{t−1}| over all pairs of minibatches, n ≤ 6",
			func(rec *props.Recorder) {
				for n := 1; n <= 6; n++ {
					for b := 1; b <= n; b++ {
						shared, pairs := int64(0), int64(0)
						batchSequences(n, b, 1, 2, func(batches [][]int) {
							shared += int64(overlap(batches[1], batches[2]))
							pairs++
						})
						rec.Rats("mean overlap", big.NewRat(shared, pairs), props.EQ,
							big.NewRat(int64(b*b), int64(n)))
					}
				}
			}),
	)
}
