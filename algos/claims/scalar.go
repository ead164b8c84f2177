package claims

import "math/rand/v2"

// scalars are data functions of one variable with whole coefficients, f_ij(x) = a x² + c x, over
// clients with the same number of data, at whole points: a place where values and gradients can
// stand in one formula, and sums of them are exact.
type scalars struct {
	a, c []int
	size int
}

// drawScalars draws coefficients of at most so much.
func drawScalars(P, size, most int, r *rand.Rand) scalars {
	p := scalars{size: size}
	for range P * size {
		p.a, p.c = append(p.a, r.IntN(2*most+1)-most), append(p.c, r.IntN(2*most+1)-most)
	}
	return p
}

func (p scalars) gradient(i, j, x int) int { return 2*p.a[i*p.size+j]*x + p.c[i*p.size+j] }
func (p scalars) value(i, j, x int) int    { return (p.a[i*p.size+j]*x + p.c[i*p.size+j]) * x }
