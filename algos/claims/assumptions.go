package claims

import (
	"math"
	"math/big"
	"math/rand/v2"
	"slices"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/formula"
)

// hessians draws those of components at a common point.
func hessians(src *props.Source, _ *props.Recorder) formula.Values {
	zeta, lo, hi := spectrum(drawHessians(src))
	on := formula.Given(map[string]float64{"ζ": zeta, "L": max(hi, -lo), "bottom": lo})
	on["top"] = func() (value, size float64) { return hi, max(hi, -lo) }
	return on
}

// certifiedConstants draws a quadratic and what is certified of it.
func certifiedConstants(src *props.Source, _ *props.Recorder) formula.Values {
	q := problems.DrawQuadratic(src, problems.Limits{Data: problems.Sizes(1, 6)})
	x0 := problems.DrawPoint(src, "x0", q.Dim(), 3)
	c := q.Constants(x0)
	on := formula.Given(map[string]float64{"n": float64(q.Clients()), "ζ": c.Zeta.Value,
		"ζ'": c.ZetaPrime().Value, "G_c": c.GC.Value})
	on["σ_c"] = func() (value, size float64) {
		return c.SigmaC.Value, c.L.Value * (1 + floats.Norm(x0, 2))
	}
	return on
}

// oneDimensional draws numbers, of which all but those of one client are 0, or those of half of the clients
// are near either end of the range: the largest deviation is far from the others there, and like
// them here.
func oneDimensional(src *props.Source, try func(formula.Ratios)) {
	clients, size := make([][]int64, src.Int("n", 2, 12)), src.Int("data per client", 1, 4)
	r := src.Rand("numbers")
	most := int64(src.Int("largest", 1, 20))
	pattern := src.Pick("pattern", "any", "one outlier", "two ends")
	for i := range clients {
		clients[i] = make([]int64, size)
		for j := range size {
			switch {
			case pattern == 2:
				clients[i][j] = (most - r.Int64N(1+most/10)) * int64(1-2*(i%2))
			case pattern == 0 || i == 0:
				clients[i][j] = r.Int64N(2*most+1) - most
			}
		}
	}
	try(heterogeneity(clients))
}

// alikeClients have the same pair of opposite numbers, and one of them moved.
func alikeClients(_ *props.Source, try func(formula.Ratios)) {
	for n := 2; n <= 6; n++ {
		for k := range 31 {
			clients := make([][]int64, n)
			for i := range clients {
				clients[i] = []int64{1 << k, -1 << k}
			}
			for _, by := range []int64{0, 2} {
				clients[0][0] += by
				on := heterogeneity(clients)
				on["h"], on["by"] = big.NewRat(1<<k, 1), big.NewRat(by, 1)
				try(on)
			}
		}
	}
}

// heterogeneity computes what assumptions are about for data functions of one variable with these
// second derivatives or gradients, the smallest federated problem on which the definitions differ:
// ζ, the largest distance of two client means (assumption:Heterogeneity, lines 268-271), ζ', the
// largest distance of a datum from the mean of everything (line 190), and the largest distance of
// two data; the square of the largest deviation of a client from the mean, which is the smallest
// σ_c² that assumption:BoundedGradient (i) admits (line 260), and the mean V of these squares, which
// is the variance and the σ_c² of the appendix (line 891).
func heterogeneity(clients [][]int64) formula.Ratios {
	var sums []int64
	all := slices.Concat(clients...)
	for _, data := range clients {
		sums = append(sums, total(data))
	}
	n, N, sum := int64(len(clients)), int64(len(all)), total(all)
	least, most := slices.Min(all), slices.Max(all)
	var far, squares int64
	for _, s := range sums {
		dev := n*s - sum // N times the deviation
		far, squares = max(far, dev*dev), squares+dev*dev
	}
	return formula.Ratios{"n": big.NewRat(n, 1), "apart": big.NewRat(most-least, 1),
		"ζ":   big.NewRat(n*(slices.Max(sums)-slices.Min(sums)), N),
		"ζ'":  big.NewRat(max(N*most-sum, sum-N*least), N),
		"far": big.NewRat(far, N*N), "V": big.NewRat(squares, n*N*N)}
}

func total(numbers []int64) (sum int64) {
	for _, a := range numbers {
		sum += a
	}
	return sum
}

// drawHessians returns the Hessians of n components at a common point, more or less mirrored: with
// mirror = 1 they are ± the same matrix. Their entries on and above the diagonal count.
func drawHessians(src *props.Source) [][]float64 {
	n, d := src.Int("n", 2, 6), src.Int("d", 1, 4)
	mirror := src.Real("mirror", 0, 1)
	rank := src.Pick("matrix", "full", "rank one", "identity")
	r := src.Rand("matrices")
	first := symmetric(d, rank, r)
	out := make([][]float64, n)
	for i := range out {
		out[i] = symmetric(d, rank, r)
		floats.Scale(1-mirror, out[i])
		add(out[i], mirror*(1-2*float64(i%2)), first)
	}
	return out
}

func symmetric(d, kind int, r *rand.Rand) []float64 {
	m, u := mat.NewSymDense(d, nil), normal(d, r)
	switch kind {
	case 0:
		return normal(d*d, r)
	case 1:
		m.SymRankOne(m, u[0], mat.NewVecDense(d, u))
	case 2:
		for i := range d {
			m.SetSym(i, i, u[0])
		}
	}
	return m.RawSymmetric().Data
}

func dimension(matrix []float64) int { return int(math.Sqrt(float64(len(matrix)))) }

// extremeEigenvalues returns the smallest and the largest eigenvalue.
func extremeEigenvalues(m []float64) (lo, hi float64) {
	var e mat.EigenSym
	if !e.Factorize(mat.NewSymDense(dimension(m), m), false) {
		panic("claims: the eigenvalues of a symmetric matrix did not converge")
	}
	v := e.Values(nil)
	return v[0], v[len(v)-1]
}

// spectrum returns ζ = max ‖H_i − H_j‖ and the ends of the spectra of all H_i together.
func spectrum(hs [][]float64) (zeta, lo, hi float64) {
	lo, hi = math.Inf(1), math.Inf(-1)
	for i, h := range hs {
		a, b := extremeEigenvalues(h)
		lo, hi = min(lo, a), max(hi, b)
		for _, g := range hs[:i] {
			a, b := extremeEigenvalues(minus(h, g))
			zeta = max(zeta, b, -a)
		}
	}
	return zeta, lo, hi
}
