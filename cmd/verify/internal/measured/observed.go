package measured

import (
	"slices"

	"sledge/algos"
	"sledge/algos/algotest"
	"sledge/algos/problems"
	"sledge/props"
	"sledge/props/keyed"
)

// row is an entry of a column in words: a method as it is printed, what is said of it, and its name
// in the catalogue.
type row struct{ printed, said, method string }

// The words of the column "Periodic full gradient".
const (
	everyIteration = "Every iteration"
	required       = "Required"
	neverRequired  = "Never required"
	onlyAtStart    = "Only at x⁰"
)

// fullGradientColumn is the column "Periodic full gradient" of table 1 (lines 90-104), and
// samplingColumn "Client sampling (other than x⁰)" of table 2 (lines 173-183).
var (
	fullGradientColumn = []row{
		{"SGD", everyIteration, "SGD"},
		{"Noisy SGD", everyIteration, "Noisy SGD"},
		{"SPIDER-SFO", required, "SPIDER-SFO"},
		{"SPIDER-SFO⁺", required, "SPIDER-SFO+"},
		{"SARAH", required, "SARAH"},
		{"SSRGD", required, "SSRGD"},
		{"ZeroSARAH", neverRequired, "ZeroSARAH-I"},
		{"ZeroSARAH, full table", onlyAtStart, "ZeroSARAH-II"},
		{"PAGE", required, "PAGE"},
		{"SLEDGE (Option I)", neverRequired, "SLEDGE-I"},
		{"SLEDGE (Option II)", onlyAtStart, "SLEDGE-II"},
	}
	samplingColumn = []row{
		{"FedAvg", "✓", "FedAvg"},
		{"SCAFFOLD", "✓", "SCAFFOLD-II"},
		{"MimeMVR", "✓", "MimeMVR"},
		{"BVR-L-SGD", "×", "BVR-L-SGD"},
		{"BVR-L-PSGD", "×", "BVR-L-PSGD"},
		{"MimeSGD", "✓", "MimeSGD"},
		{"FLEDGE", "✓", "FLEDGE-II"},
	}
)

// observe runs the method with minibatches of b, or p clients and K local steps in a round, on so
// many components or clients for T steps.
func (r *row) observe(clients, b, p, K, T int) *algotest.Observation {
	e, ok := algos.ByName(r.method)
	if !ok {
		panic("measured: there is no method " + r.method)
	}
	m := e.New(algos.Setting{Tuning: algos.Tuning{Eta: 0.1, Batch: b, Radius: 0.01}, Eps: 0.01,
		L: 1, Rho: 1, Delta: 0.5, Chosen: p, LocalSteps: K, Cap: true})
	if plus, ok := m.(*algos.SPIDERPlus); ok {
		plus.Neon.C = 1 // short searches
	}
	f := props.Must(problems.Make(problems.OneEach(clients), problems.QuadraticMean{
		Spectrum: slices.Repeat([]float64{0.75}, 6), Between: problems.Heterogeneity{
			Pattern: problems.TwoCluster, Hessian: 0.5, Linear: 0.5}}, keyed.New(0).Rand()))
	var problem algos.Problem = f
	if !e.Federated {
		problem = algos.Sum(f.ByClient())
	}
	return props.Must(algotest.Observe(m, problem, slices.Repeat([]float64{1}, 6),
		algos.Keyed(keyed.New(0)), T))
}

// inWords puts the full gradients of T steps, at the start or later, into the words of the column.
func inWords(atStart bool, later, T int) string {
	switch {
	case later == T:
		return everyIteration
	case later > 0:
		return required
	case atStart:
		return onlyAtStart
	}
	return neverRequired
}
