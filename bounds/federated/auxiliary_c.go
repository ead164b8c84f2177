package federated

import (
	"math"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/problems"
	"sledge/props"
)

// NoiseFloor is (C_1²/count)(σ² + G²/count), the bound of lemma:Dist-First-Auxiliary-E for count = PKb data (lines 2341-2347) and those of
// lemma:Dist-First-Auxiliary-C for pKb (Option I) and PKb (Option II, lines 2352-2363).
func NoiseFloor(c1, sigma, g float64, count int) float64 {
	n := float64(count)
	return c1 * c1 / n * (sigma*sigma + g*g/n)
}

// noisy are the ranges in which the gradient noise of the data of a client is bounded and there is some.
var noisy = ranges{bounded: true, spare: problems.Sizes(1, 6)}

func (l ranges) with(o algos.Option) ranges { l.option = o; return l }

// checkStart compares (d) with its bound at all rounds t ≤ T_3 of a run.
func checkStart(option algos.Option, bound func(p *path, c1 float64, t int) float64) props.Check {
	return tailOnRuns(noisy.with(option), 1, func(p *path, c1 float64, t3 int, rec *props.Recorder) {
		rec.Plot("term (d) against its bound", "t", "‖(d)‖²")
		v := make([]float64, p.d)
		for t := 1; t <= min(p.T, t3); t++ {
			p.termD(v, t)
			left, right := p.squared(v), bound(p, c1, t)
			rec.AtMost("‖(d)‖² at every t ≤ T_3", left, right)
			rec.Point(float64(t), left, right)
		}
	})
}

// clientFloor is C_1²(|Ĩ_1^t|/P)σ²/(PKb) + C_1²G²/(PKb)².
func clientFloor(p *path, c1 float64, t int) float64 {
	share, n := float64(p.unsampled(t)[1])/float64(p.P), float64(p.P*p.K*p.b)
	return c1 * c1 / n * (share*sq(p.Sigma.Value) + sq(p.G.Value)/n)
}

func auxiliaryCClaims() []props.Binding {
	return []props.Binding{
		props.Bind("dist-lemma-c-option-one", props.All(
			checkStart(algos.OptionI, func(p *path, c1 float64, _ int) float64 { return NoiseFloor(c1, p.Sigma.Value, p.G.Value, p.p*p.K*p.b) }),
			props.Identity(func(src *props.Source, rec *props.Recorder) {
				in := drawInstance(src, ranges{option: algos.OptionI, T: problems.Sizes(1, 6)})
				p := in.drawPath(src)
				left, right, g := make([]float64, in.d), make([]float64, in.d), make([]float64, in.d)
				table := in.method().Reference()
				if err := table.Start(algos.NewOracle(in.problem), in.x0, p.tape.Replay()); err != nil {
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
				rec.EqualVectors("(1/P)Σ_{Ĩ_1^t}(y_i^0 − ỹ_i^0) against (|Ĩ_1^t|/P)(1/(pKb))Σ_{I^0}Σ_J(∇f_ij − ∇f_i)(x⁰)", left, right).Scale(p.size)
			}).Effort(0.5))),
		props.Bind("dist-lemma-c-option-two", props.Identity(func(src *props.Source, rec *props.Recorder) {
			in := drawInstance(src, ranges{T: problems.Sizes(1, 6)})
			p := in.drawPath(src)
			left, right := make([]float64, in.d), make([]float64, in.d)
			p.termD(left, in.T)
			for i := range in.P {
				floats.AddScaled(right, float64(p.unsampled(in.T)[1])/float64(in.P*in.P*in.K*in.b), p.valueNoise(0, i))
			}
			rec.Equal("norm of the sum over Ĩ_1^t against |Ĩ_1^t|/P times the norm of the mean over all clients", math.Sqrt(normSq(left)),
				math.Sqrt(normSq(right))).Scale(p.size)
		}).Effort(0.5)),
		props.Bind("dist-lemma-c-option-two/corrected", checkStart(algos.OptionII, clientFloor)),
	}
}
