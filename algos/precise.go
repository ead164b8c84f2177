package algos

import (
	"fmt"
	"math/big"
)

// PreciseSum is a finite sum whose component gradients can be computed in arithmetic of any
// precision.
type PreciseSum interface {
	Components() int
	Dim() int
	// PreciseGradient sets dst to ∇f_i(x), with the precision of the elements of dst.
	PreciseGradient(dst, x []*big.Float, i int)
}

// Precise repeats the choices of a tape of SLEDGE in the literal form of the algorithm, with
// numbers of prec bits, and returns the iterates and the estimators: what the run would have been
// without rounding errors, up to 2^-prec. The tape must come from m on the same problem; m gives
// the step size and the option. It panics if prec is 0, or if the tape holds no minibatch where the
// algorithm needs one.
func (t *Tape) Precise(m *SLEDGE, p PreciseSum, prec uint) (x, v [][]*big.Float) {
	if prec == 0 {
		panic("algos: a precision of 0 bits")
	}
	n, d := p.Components(), p.Dim()
	number := func(f float64) *big.Float { return new(big.Float).SetPrec(prec).SetFloat64(f) }
	vector := func() []*big.Float {
		out := make([]*big.Float, d)
		for l := range out {
			out[l] = number(0)
		}
		return out
	}
	quotient := func(sum []*big.Float, by int) []*big.Float {
		for _, s := range sum {
			s.Quo(s, number(float64(by)))
		}
		return sum
	}
	sum := func(dst []*big.Float, y []*big.Float) {
		for l := range dst {
			dst[l].Add(dst[l], y[l])
		}
	}
	batch := func(step int) []int {
		b := t.Batch(step)
		if b == nil {
			panic(fmt.Sprintf("algos: the tape has no minibatch for step %d", step))
		}
		return b
	}
	at := vector()
	for l, c := range t.X[0] {
		at[l].SetFloat64(c)
	}
	y := make([][]*big.Float, n)
	for i := range y {
		y[i] = vector()
		if m.Option == OptionII {
			p.PreciseGradient(y[i], at, i)
		}
	}
	if m.Option == OptionI {
		first, g := vector(), vector()
		for _, j := range batch(0) {
			p.PreciseGradient(g, at, j)
			sum(first, g)
		}
		quotient(first, len(batch(0)))
		for i := range y {
			sum(y[i], first)
		}
	}
	mean := func() []*big.Float {
		out := vector()
		for i := range y {
			sum(out, y[i])
		}
		return quotient(out, n)
	}
	x, v = append(x, at), append(v, mean())
	g, h := vector(), vector()
	for step := 1; step <= t.Steps(); step++ {
		before, along := x[step-1], v[step-1]
		at = vector()
		eta := number(m.Eta)
		for l := range at {
			at[l].Sub(before[l], at[l].Mul(eta, along[l]))
		}
		if noise := t.Noise(step); len(noise) > 0 {
			for l, c := range noise[0] {
				at[l].Add(at[l], number(c))
			}
		}
		common, fresh := vector(), map[int][]*big.Float{}
		for _, j := range batch(step) {
			p.PreciseGradient(g, at, j)
			p.PreciseGradient(h, before, j)
			fresh[j] = vector()
			sum(fresh[j], g)
			for l := range common {
				common[l].Add(common[l], h[l].Sub(g[l], h[l]))
			}
		}
		quotient(common, len(batch(step)))
		for i := range y {
			if f := fresh[i]; f != nil {
				y[i] = f
			} else {
				sum(y[i], common)
			}
		}
		x, v = append(x, at), append(v, mean())
	}
	return x, v
}
