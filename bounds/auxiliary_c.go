package bounds

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// checkInitialSplit compares the initial error left at step T with the two parts of lines 1343-1352
// for the minibatch I^0, and its square with twice the sum of theirs.
func checkInitialSplit() props.Check {
	return props.Identity(func(src *props.Source, rec *props.Recorder) {
		in := drawInstance(src, ranges{P: problems.Sizes(1, 8), T: problems.Sizes(1, 6),
			option: algos.OptionI})
		p := in.drawPath(src)
		n, d := float64(in.P), in.d
		g, batch, rest, term := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d)
		remaining := p.tape.Unsampled(in.P, in.T, algos.Batches)[1]
		for _, i := range p.tape.Batch(0) {
			in.problem.Gradient(g, in.x0, i, 0)
			floats.Sub(g, p.grad[0])
			floats.AddScaled(batch, float64(len(remaining))/float64(in.b)/n, g)
		}
		for _, i := range remaining {
			in.problem.Gradient(g, in.x0, i, 0)
			floats.Sub(g, p.grad[0])
			floats.AddScaled(rest, -1/n, g)
		}
		p.initialTerm(term, in.T)
		both := make([]float64, d)
		floats.AddTo(both, batch, rest)
		rec.EqualVectors("initial error against the minibatch part and the rest", term,
			both).Scale(p.size)
		rec.AtMost("‖initial error‖² against 2‖minibatch part‖² + 2‖rest‖²", p.squared(term),
			2*normSq(batch)+2*normSq(rest)).Scale(p.slack(normSq(term)))
	}).Effort(0.5)
}

func auxiliaryCClaims() []props.Binding {
	ofStart := ofRun("(4C_1²/b)(σ_c² + G_c²/b)")
	return []props.Binding{
		props.Bind("aux-c-sledge", props.All(
			squares.runs(ranges{option: algos.OptionI, P: manyComponents.P, T: manyComponents.T}, 1,
				func(p *path, at level, rec *props.Recorder) {
					rec.Plot("term (c) against its bound", "t", "(c)")
					v, bound := make([]float64, p.d), p.value(ofStart, at.c1, sums{})
					for t := 1; t <= p.T; t++ {
						p.initialTerm(v, t)
						c := p.squared(v)
						rec.AtMost("(c) at every t, Option I", c, bound)
						rec.Point(float64(t), c, bound)
						share := float64(p.unsampled(t)[1]) / float64(p.P)
						rec.AtMost("minibatch part of (c), a quarter of the bound",
							share*share*p.squared(p.err[0]), bound/4)
						floats.AddScaled(v, -share, p.err[0])
						rec.AtMost("rest of (c), a quarter of the bound", p.squared(v), bound/4)
					}
				}),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				in := drawInstance(src, ranges{option: algos.OptionII, T: problems.Sizes(1, 1)})
				table := in.method().(*algos.SLEDGE).Reference()
				if err := table.Start(algos.NewOracle(in.problem.Problem), in.x0,
					algos.Seeded(0)); err != nil {
					panic(err) // the ranges of the instance are valid
				}
				g := make([]float64, in.d)
				for i, y := range table.Table() {
					in.problem.Gradient(g, in.x0, i, 0)
					rec.EqualVectors("y_i^0 against ∇f_i(x⁰), Option II", y, g)
				}
			}))),
		props.Bind("aux-c-initial-split/corrected",
			props.Settled(checkInitialSplit(), startInParts)),
	}
}

func initialNoiseClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-lemma-c-option-one", props.All(
			squares.below(noisyData.with(algos.OptionI), 1, "d", "‖(d)‖²",
				"(C_1²/(pKb))(σ² + G²/(pKb))",
				func(p *path, v []float64, _ level, t int) { p.startTerm(v, t) }),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				in := drawInstance(src, ranges{K: localSteps, option: algos.OptionI,
					T: problems.Sizes(1, 6)})
				p := in.drawPath(src)
				left, right, g := make([]float64, in.d), make([]float64, in.d),
					make([]float64, in.d)
				table := in.method().(*algos.FLEDGE).Reference()
				if err := table.Start(algos.NewOracle(in.problem.Problem), in.x0,
					p.tape.Replay()); err != nil {
					panic(err) // the ranges of the instance are valid
				}
				for _, i := range p.tape.Unsampled(in.P, in.T, algos.Clients)[1] {
					floats.AddScaled(left, 1/float64(in.P), table.Table()[i])
					for _, l := range p.clients(0) {
						p.clientGradient(g, in.x0, l)
						floats.AddScaled(left, -1/float64(in.P*in.p), g)
					}
				}
				p.startNoise(right, float64(p.unsampled(in.T)[1]))
				rec.EqualVectors(
					"(1/P)Σ_{Ĩ_1^t}(y_i^0 − ỹ_i^0) against "+
						"(|Ĩ_1^t|/P)(1/(pKb))Σ_{I^0}Σ_J(∇f_ij − ∇f_i)(x⁰)", left,
					right).Scale(p.size)
			}).Effort(0.5))),
		props.Bind("dist-lemma-c-option-two/corrected", checkStart(1)),
	}
}

// noisyData are the ranges in which the gradient noise of the data of a client is bounded and there
// is some.
var noisyData = ranges{K: localSteps, bounded: true, spare: problems.Sizes(1, 6)}

func (l ranges) with(o algos.Option) ranges { l.option = o; return l }

// checkStart compares (d) of Option II with a share of C_1²(|Ĩ_1^t|/P)σ²/(PKb) + C_1²G²/(PKb)² at
// all rounds of a run; after T_3 the term is mostly 0.
func checkStart(of float64) props.Check {
	return squares.term(noisyData, 1, "d", "‖(d)‖²",
		func(p *path, v []float64, at level, t int) float64 {
			p.startTerm(v, t)
			left, n := float64(p.unsampled(t)[1])/float64(p.P), float64(p.P*p.K*p.b)
			return of * sq(at.c1) / n * (left*sq(p.Sigma.Value) + sq(p.G.Value)/n)
		})
}
