package bounds

import (
	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/props"
)

func descentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("descent-polarisation-facts/corrected",
			props.Settled(props.Identity(tryPolarisation), polarisation)),
	}
}

// tryPolarisation compares the last step of a run of SLEDGE with what made it, and the two sides of
// the second fact of lines 1109-1137 for drawn vectors a and b.
func tryPolarisation(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(1, 5), T: problems.Sizes(1, 4)})
	p := in.drawPath(src)
	step, made := plus(p.tape.X[in.T], -1, p.tape.X[in.T-1]),
		plus(p.tape.Noise(in.T)[0], -in.eta, p.tape.V[in.T-1])
	rec.EqualVectors("x^t − x^{t−1} against −ηv^{t−1} + ξ^t", step, made).Scale(
		floats.Norm(p.tape.X[in.T], 2))
	d := src.Int("d of a and b", 1, 3)
	a, b := problems.DrawPoint(src, "a", d, 10), problems.DrawPoint(src, "b", d, 10)
	diff := plus(a, -1, b)
	rec.Equal("⟨b−a, b⟩ against ½(‖a−b‖² − ‖a‖² + ‖b‖²)", -floats.Dot(diff, b),
		(normSq(diff)-normSq(a)+normSq(b))/2).Scale(normSq(a) + normSq(b))
}
