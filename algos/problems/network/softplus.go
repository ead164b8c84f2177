package network

import "math"

// softplus replaces each number of z by log(1 + eᶻ) and sets slope to the derivatives 1/(1 + e⁻ᶻ),
// both within three units in the last place. Up to most it sums the Taylor series of both around
// the node next to z, at most 1/(2 steps) away, whose remainders are less than 2⁻⁵⁸ of them; it
// takes no branches that depend on signs, which are hard to foresee, and divides by nothing. Beyond
// most e⁻ᶻ is so small that three terms of the logarithm's series do.
func softplus(z, slope []float64) {
	const (
		most = reach - 1
		fine = 3 << 51 / steps // numbers of this size are multiples of 1/steps
	)
	slope = slope[:len(z)]
	for i, v := range z {
		t := math.Abs(v)
		if !(t <= most) {
			e := math.Exp(-t)
			z[i], slope[i] = max(v, 0)+(e-e*e*(1./2-e*(1./3))), logistic(v, e)
			continue
		}
		near := v + fine
		c := &nodes[math.Float64bits(near)%uint64(len(nodes))]
		h := v - (near - fine)
		w := h * h
		s := &c.slope
		z[i] = c.value + (h*s[0] + w*((s[1]*(1./2)+h*(s[2]*(1./3)))+
			w*((s[3]*(1./4)+h*(s[4]*(1./5)))+w*(s[5]*(1./6)))))
		slope[i] = s[0] + (h*s[1] + w*((s[2]+h*s[3])+w*((s[4]+h*s[5])+w*s[6])))
	}
}

const (
	steps = 64 // of nodes from one whole number to the next
	reach = 16 // nodes lie within ±reach
)

// nodes has for z = j/steps, at place j modulo its length, log(1 + eᶻ) and the coefficients of the
// Taylor series of s = 1/(1 + e⁻ᶻ), which those of s′ = s(1 − s) give one after the other.
var nodes = func() (n [2 * reach * steps]struct {
	value float64
	slope [7]float64
}) {
	for j := range n {
		z := float64(j) / steps
		if z >= reach {
			z -= 2 * reach
		}
		e := math.Exp(-math.Abs(z))
		s := &n[j].slope
		n[j].value, s[0] = max(z, 0)+math.Log1p(e), logistic(z, e)
		for k := range len(s) - 1 {
			next := s[k]
			for i := range k + 1 {
				next -= s[i] * s[k-i]
			}
			s[k+1] = next / float64(k+1)
		}
	}
	return n
}()
