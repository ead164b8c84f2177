package problems_test

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"sledge/algos/problems"
)

// A sum of eight functions with a strict saddle at the origin, in two clusters whose Hessians are 0.5
// apart.
func ExampleMake() {
	p, err := problems.Make(problems.OneEach(8), problems.SaddleMean{
		Gamma:     0.2,
		Parabolas: []float64{1, 2},
		Between:   problems.Heterogeneity{Pattern: problems.TwoCluster, Hessian: 0.5},
	}, rand.New(rand.NewPCG(1, 2)))
	if err != nil {
		panic(err)
	}
	origin := make([]float64, p.Dim())
	c := p.Constants(origin)
	fmt.Printf("smallest eigenvalue at the saddle %.2f\n", p.MinEigen(origin))
	fmt.Printf("ζ = %.2f, exact: %v (%s)\n", c.Zeta.Value, c.Zeta.Exact, c.Zeta.Why)
	fmt.Printf("Δ = %.4f, exact: %v\n", c.Delta.Value, c.Delta.Exact)
	// Output:
	// smallest eigenvalue at the saddle -0.20
	// ζ = 0.50, exact: true (extreme eigenvalues of the Hessians over the range of the core's curvature)
	// Δ = 0.0773, exact: true
}

// Logistic regression on a file in the LIBSVM format.
func ExampleReadLIBSVM() {
	file := "+1 1:0.5 3:1\n-1 2:2\n+1 1:1 2:-1 # a comment\n"
	table, err := problems.ReadLIBSVM(strings.NewReader(file), "small", problems.ReadOptions{})
	if err != nil {
		panic(err)
	}
	p, err := problems.NewLogistic(table, nil, problems.LogisticOptions{Alpha: 0.1})
	if err != nil {
		panic(err)
	}
	c := p.Constants(make([]float64, p.Dim()))
	fmt.Printf("n = %d, d = %d, L = %.2f, Δ ≤ %.3f\n", p.Clients(), p.Dim(), c.L.Value,
		c.Delta.Value)

	_, err = problems.ReadLIBSVM(strings.NewReader("+1 2:1 1:1\n"), "broken",
		problems.ReadOptions{})
	fmt.Println(err)
	// Output:
	// n = 3, d = 3, L = 1.20, Δ ≤ 0.693
	// broken:1: index 1 after 2, want ascending indices
}
