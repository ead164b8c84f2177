package bounds

import (
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"

	"sledge/algos/problems"
	"sledge/props"
)

// descent is the right-hand side of lemma:DescentLemma (lines 1098-1105): an upper bound on f(x^t)
// for x^t = x^{t−1} − ηv^{t−1} + ξ^{t−1} with ‖ξ^{t−1}‖ ≤ r and f L-smooth. f is f(x^{t−1}); errSq
// = ‖∇f(x^{t−1}) − v^{t−1}‖², gradSq = ‖∇f(x^{t−1})‖², movedSq = ‖x^t − x^{t−1}‖².
func descent(f, errSq, gradSq, movedSq, eta, L, r float64) float64 {
	return f + eta*errSq - eta/2*gradSq - (1/(2*eta)-L/2)*movedSq + r*r/eta
}

func descentClaims() []props.Binding {
	return []props.Binding{
		props.Bind("descent-lemma", props.Settled(checkDescent(descent, exactDescent),
			descentStep)),
		props.Bind("descent-polarisation-facts/corrected",
			props.Settled(props.Identity(tryPolarisation), polarisation)),
	}
}

// checkDescent compares f(x^t) with a right-hand side of the form of descent for arbitrary
// estimators and noise. Close comparisons are left to exact, if there is one.
func checkDescent(right func(f, errSq, gradSq, movedSq, eta, L, r float64) float64,
	exact func(q *problems.RatQuadratic, x, v, xi []float64, eta, L, r float64) (left,
		right *big.Rat)) props.Check {
	return props.Inequality(func(src *props.Source, rec *props.Recorder) {
		p := problems.DrawQuadratic(src,
			problems.Limits{N: problems.Sizes(1, 3), D: problems.Sizes(1, 4),
				Shapes: []problems.Shape{problems.Convex, problems.Degenerate,
					problems.Indefinite}})
		d := p.Dim()
		x := problems.DrawPoint(src, "x", d, 10)
		L := p.Constants(x).LMean.Value
		eta := src.LogReal("eta L", 1e-3, 1e3) / L
		g, v, xi, next := make([]float64, d), make([]float64, d), make([]float64, d),
			make([]float64, d)
		p.FullGradient(g, x)
		r := src.LogReal("r", 1e-6, 10)
		floats.AddScaled(xi, r*src.Real("|xi| / r", 0, 1), direction(src, "xi direction", d))
		// v = ∇f − κξ/η + σu: κ = 1, σ = 0 is the case of equality in ‖a + b‖² ≤ 2‖a‖² + 2‖b‖².
		floats.AddTo(v, v, g)
		floats.AddScaled(v, -src.Real("kappa", -2, 2)/eta, xi)
		floats.AddScaled(v, src.Real("sigma", 0, 5), direction(src, "v direction", d))
		for k := range next {
			next[k] = x[k] - eta*v[k] + xi[k]
		}
		f0, f1, moved := p.Value(x), p.Value(next), distSq(next, x)
		left := eta/2*normSq(g) + moved/(2*eta)
		errSq, gradSq := distSq(g, v), normSq(g)
		bound, size := right(f0, errSq, gradSq, moved, eta, L,
			r), left+math.Abs(f0)+math.Abs(f1)+L*moved/2+1e-4*L*normSq(x)
		pair := rec.AtMost("f(x^t) − f(x^{t−1}) + (η/2)‖∇f‖² + ‖x^t − x^{t−1}‖²/(2η)", f1-f0+left,
			bound-f0+left).Scale(size)
		if exact != nil {
			pair.Exactly(func() (*big.Rat, *big.Rat) { return exact(p.Rat(), x, v, xi, eta, L, r) })
		}
		// The same, solved for one term after the other: each of them is attained, so that a
		// smaller one would do nowhere.
		noErr, noGrad := right(f0, 0, gradSq, moved, eta, L, r),
			right(f0, errSq, 0, moved, eta, L, r)
		noCurvature := right(f0, errSq, gradSq, moved, eta, 0, r)
		noMove, noNoise := right(f0, errSq, gradSq, 0, eta, 0, r),
			right(f0, errSq, gradSq, moved, eta, L, 0)
		rec.AtMost("solved for the error of the estimator", f1-noErr,
			bound-noErr).Scale(size + eta*errSq + r*r/eta)
		rec.AtMost("solved for the gradient", noGrad-bound,
			noGrad-f1).Scale(size + eta*errSq + r*r/eta)
		rec.AtMost("solved for the curvature", f1-noCurvature,
			bound-noCurvature).Scale(size + eta*errSq + r*r/eta)
		rec.AtMost("solved for the movement", noMove-noCurvature,
			noMove-f1+bound-noCurvature).Scale(size + eta*errSq + r*r/eta)
		rec.AtMost("solved for the noise", f1-noNoise,
			bound-noNoise).Scale(size + eta*errSq + r*r/eta)
	})
}

// exactDescent evaluates the two sides of the lemma, after moving the negative terms to the left,
// in rational arithmetic for the step that the given numbers describe exactly. At equality the last
// bits decide: L is rounded upwards to a constant of the exact f, and the radius is ‖ξ‖ where
// rounding made that the larger of the two.
func exactDescent(q *problems.RatQuadratic, x, v, xi []float64, eta, L,
	r float64) (left, right *big.Rat) {
	rat := func(f float64) *big.Rat { return new(big.Rat).SetFloat64(f) }
	sq := func(a []*big.Rat) *big.Rat {
		s, t := new(big.Rat), new(big.Rat)
		for _, c := range a {
			s.Add(s, t.Mul(c, c))
		}
		return s
	}
	times := func(a, b *big.Rat) *big.Rat { return new(big.Rat).Mul(a, b) }
	at, along, noise, step := problems.RatVector(x), problems.RatVector(v),
		problems.RatVector(xi), rat(eta)
	grad := q.FullGradient(at)
	to, moved, err := make([]*big.Rat, len(x)), make([]*big.Rat, len(x)), make([]*big.Rat, len(x))
	for k := range x {
		moved[k] = new(big.Rat).Sub(noise[k], times(step, along[k]))
		to[k] = new(big.Rat).Add(at[k], moved[k])
		err[k] = new(big.Rat).Sub(grad[k], along[k])
	}
	radius := times(rat(r), rat(r))
	if s := sq(noise); s.Cmp(radius) > 0 {
		radius = s
	}
	half := big.NewRat(1, 2)
	left = new(big.Rat).Sub(q.Value(to), q.Value(at))
	left.Add(left, times(times(half, step), sq(grad)))
	left.Add(left, new(big.Rat).Quo(times(half, sq(moved)), step))
	right = times(step, sq(err))
	right.Add(right, times(times(half, q.SmoothConstant(L)), sq(moved)))
	return left, right.Add(right, radius.Quo(radius, step))
}

// tryPolarisation compares the last step of a run of SLEDGE with what made it, and the two sides of
// the second fact of lines 1109-1137 for drawn vectors a and b.
func tryPolarisation(src *props.Source, rec *props.Recorder) {
	in := drawInstance(src, ranges{P: problems.Sizes(1, 5), T: problems.Sizes(1, 4)})
	p := in.drawPath(src)
	step, made := make([]float64, in.d), make([]float64, in.d)
	floats.SubTo(step, p.tape.X[in.T], p.tape.X[in.T-1])
	for k, v := range p.tape.V[in.T-1] {
		made[k] = -in.eta*v + p.tape.Noise(in.T)[0][k]
	}
	rec.EqualVectors("x^t − x^{t−1} against −ηv^{t−1} + ξ^t", step, made).Scale(
		floats.Norm(p.tape.X[in.T], 2))
	d := src.Int("d of a and b", 1, 3)
	a, b := problems.DrawPoint(src, "a", d, 10), problems.DrawPoint(src, "b", d, 10)
	diff := make([]float64, d)
	floats.SubTo(diff, a, b)
	rec.Equal("⟨b−a, b⟩ against ½(‖a−b‖² − ‖a‖² + ‖b‖²)", -floats.Dot(diff, b),
		(normSq(diff)-normSq(a)+normSq(b))/2).Scale(normSq(a) + normSq(b))
}

// direction draws a unit vector.
func direction(src *props.Source, name string, d int) []float64 {
	r := src.Rand(name)
	u := make([]float64, d)
	for floats.Norm(u, 2) == 0 {
		for k := range u {
			u[k] = r.NormFloat64()
		}
	}
	floats.Scale(1/floats.Norm(u, 2), u)
	return u
}
