package bounds

import (
	"fmt"
	"math"
	"math/big"

	"gonum.org/v1/gonum/floats"
	"gonum.org/v1/gonum/mat"

	"sledge/props/certificate"
	"sledge/props/certificate/checker"
)

// spare is by how much, relatively, a bracket is wider than floating point would have it.
const spare = 1e-6

// findBrackets finds, for each size, the smallest constant of a bound on the mean squared error of
// the table (see [certificate.Bracket]) by eigenvalues in floating point, an instance that needs
// it, and rational numbers next to it that can be checked.
func findBrackets(sizes []certificate.ListingSizes) (certificate.BracketProof, error) {
	var proof certificate.BracketProof
	for _, size := range sizes {
		f, err := checker.NewForms(size)
		if err != nil {
			return nil, err
		}
		e := certificate.Ends{Size: size}
		most, at := largestRatio(f.Clients, f.ClientCost())
		least := most
		e.Clients = at
		if size.Data > 1 {
			weights, top, needed, steps := shares(f, size)
			for _, w := range weights {
				e.Weights = append(e.Weights, w.RatString())
			}
			if needed > least {
				least, e.Clients, e.Data = needed, nil, steps
			}
			most = max(most, top)
		}
		e.Least, e.Most = rounded(least*(1-spare), math.Floor), rounded(most*(1+spare), math.Ceil)
		proof = append(proof, e)
	}
	return proof, nil
}

// rounded is a rational number near x with a denominator of a million.
func rounded(x float64, to func(float64) float64) string {
	return big.NewRat(int64(to(x*1e6)), 1e6).RatString()
}

// largestRatio returns the largest ratio of two forms and the steps that reach it, as whole numbers
// up to a thousand.
func largestRatio(of, over [][]*big.Rat) (float64, []int64) {
	n := len(of)
	a, b := mat.NewSymDense(n, nil), mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			x, _ := of[i][j].Float64()
			y, _ := over[i][j].Float64()
			a.SetSym(i, j, x)
			b.SetSym(i, j, y)
		}
	}
	var half mat.Cholesky
	if !half.Factorize(b) {
		return math.NaN(), nil
	}
	var lower mat.TriDense
	half.LTo(&lower)
	var left, both mat.Dense // L⁻¹ A L⁻ᵀ
	mustSolve(left.Solve(&lower, a))
	mustSolve(both.Solve(&lower, left.T()))
	symmetric := mat.NewSymDense(n, nil)
	for i := range n {
		for j := i; j < n; j++ {
			symmetric.SetSym(i, j, (both.At(i, j)+both.At(j, i))/2)
		}
	}
	var e mat.EigenSym
	if !e.Factorize(symmetric, true) {
		return math.NaN(), nil
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	var x mat.VecDense
	mustSolve(x.SolveVec(lower.T(), vectors.ColView(n-1)))
	steps, size := make([]int64, n), 0.0
	for i := range n {
		size = max(size, math.Abs(x.AtVec(i)))
	}
	for i := range n {
		steps[i] = int64(math.Round(1e4 * x.AtVec(i) / size))
	}
	return e.Values(nil)[n-1], steps
}

func mustSolve(err error) {
	if err != nil {
		panic(fmt.Sprintf("brackets: %v", err))
	}
}

// shares finds weights of the points for which the constant of the data is smallest, and an
// instance: what the largest σ² along its path asks for.
func shares(f *checker.Forms, size certificate.ListingSizes) (weights []*big.Rat, most,
	least float64, steps []int64) {
	T := size.Steps
	w := make([]float64, T+1)
	for t := range w {
		w[t] = 1 / float64(T+1)
	}
	rational := func() []*big.Rat {
		out, left := make([]*big.Rat, T+1), big.NewRat(1, 1)
		for t := range w {
			out[t] = big.NewRat(int64(math.Round(w[t]*1e6)), 1e6)
			left.Sub(left, out[t])
		}
		k := floats.MaxIdx(w)
		out[k].Add(out[k], left)
		return out
	}
	most = math.Inf(1)
	for range 2000 { // multiplicative steps towards the points at which σ² is large
		now := rational()
		c, at := largestRatio(f.Data, f.DataCost(now))
		if c < most {
			most, weights = c, now
		}
		g, length, total := make([]float64, T+1), 0.0, 0.0
		for t, x := range at {
			length += float64(x)
			g[t] = length * length
		}
		top := floats.Max(g)
		if need := ratio(f, at); need > least {
			least, steps = need, at
		}
		for t := range w {
			w[t] = max(w[t], 1e-4) * math.Exp(0.02*g[t]/top)
			total += w[t]
		}
		floats.Scale(1/total, w)
	}
	return weights, most, least, steps
}

// ratio is what an instance of data needs.
func ratio(f *checker.Forms, at []int64) float64 {
	e, _ := checker.FormAt(f.Data, at).Float64()
	cost, _ := f.LargestCost(true, at).Float64()
	return e / cost
}
