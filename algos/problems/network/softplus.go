package network

import "math"

// softplus replaces each number of z by log(1 + eᶻ) and sets slope to the derivatives 1/(1 + e⁻ᶻ),
// both within three units in the last place. It takes no branches that depend on signs, which are
// hard to foresee. With t = |z|, it computes e = e⁻ᵗ as 2^(−k/steps) e^r, where |r| ≤ log(2)/(2
// steps), and log(1 + e) as log(1 + c) + log(1 + u) with c the multiple of 1/steps next to e, so
// that u = (e − c)/(1 + c) is at most 1/(2 steps); e^r and log(1 + u) are Taylor polynomials with
// remainders of less than 2⁻⁵⁸ of them. P. T. P. Tang, Table-driven implementation of the
// exponential function in IEEE floating-point arithmetic, ACM Transactions on Mathematical Software
// 15(2), 1989, and the same on the logarithm, 16(4), 1990.
func softplus(z, slope []float64) {
	const (
		sign = 1 << 63
		most = 700          // of t, for which e⁻ᵗ is a normal number
		ones = 3 << 51      // numbers of this size are whole
		fine = ones / steps // and those multiples of 1/steps
		one  = 0x3ff << 52  // the bits of 1
	)
	slope = slope[:len(z)]
	for i, v := range z {
		bits := math.Float64bits(v)
		t := math.Float64frombits(bits &^ sign)
		if !(t <= most) {
			e := math.Exp(-t)
			z[i], slope[i] = max(v, 0)+e, logistic(v, e)
			continue
		}
		whole := t*(steps/math.Ln2) + ones
		k := math.Float64bits(whole)
		whole -= ones
		r := whole*ln2High - t + whole*ln2Low
		w := r * r
		// bits of ones beyond those of k fall off
		power := math.Float64frombits(powers[k%steps] - k/steps<<52)
		e := power + power*(r+w*(1./2+r*(1./6)+w*(1./24)))

		near := e + fine
		c := &nearby[math.Float64bits(near)%(2*steps)]
		u := (e - (near - fine)) * c.inverse
		w = u * u
		log := u + w*(-1./2+u*(1./3)+w*(-1./4+u*(1./5)+w*(-1./6)))

		negative := uint64(int64(bits) >> 63) // all bits or none
		z[i] = math.Float64frombits(bits&^negative) + (c.log + log)
		slope[i] = math.Float64frombits(math.Float64bits(e)&negative|one&^negative) / (1 + e)
	}
}

const (
	steps = 512 // of the tables
	// ln2High + ln2Low = log(2)/steps; any multiple of the first one that occurs is exact.
	ln2High = 0x1.62e42fee00000p-1 / steps
	ln2Low  = 0x1.a39ef35793c76p-33 / steps
)

// powers has the bits of 2^(−k/steps).
var powers = func() (p [steps]uint64) {
	for k := range p {
		p[k] = math.Float64bits(math.Exp2(-float64(k) / steps))
	}
	return p
}()

// nearby has 1/(1 + c) and log(1 + c) for c = j/steps.
var nearby = func() (n [2 * steps]struct{ inverse, log float64 }) {
	for j := range steps + 1 {
		c := float64(j) / steps
		n[j].inverse, n[j].log = 1/(1+c), math.Log1p(c)
	}
	return n
}()
