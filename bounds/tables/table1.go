package tables

import (
	"math/big"

	"sledge/bounds"
	"sledge/props"
	"sledge/props/formula"
)

// symbols is the vocabulary of the tables, whose entries are in units with L = ρ = 1 and hence numbers; ζ' is the
// heterogeneity between all data, the other symbols are ratios.
var symbols = bounds.Vocabulary.Numbers().With(formula.Symbol{Name: "ζ'"}, formula.Symbol{Name: "c"},
	formula.Symbol{Name: "q"}, formula.Symbol{Name: "x"}, formula.Symbol{Name: "y"}, formula.Symbol{Name: "z"})

// table1 is where entries of table 1 (lines 82-116) are compared. Entries are numbers of stochastic gradients without
// logarithms.
var table1 = symbols.MustDomain(`L = 1, ρ = 1, n ∈ [2, 1e12], Δ ∈ [1e-8, 1e8], σ_c ∈ [1e-8, 1e8],
	z ∈ [1e-8, 1], ζ = 2z, μ ∈ [1e-8, 1], ε ∈ [1e-8, 1], δ ∈ [1e-8, 1]`)

// Entries of table 1.
const (
	spiderEntry    = "n + Δ√n/ε²"      // SPIDER, SARAH and PAGE, nonconvex (lines 91-101)
	sledgeOneEntry = "(Δ + σ_c²)√n/ε²" // SLEDGE with Option I, nonconvex (line 103), and ZeroSARAH (line 97)
	sledgeTwoEntry = "n + ζΔ√n/ε²"     // SLEDGE with Option II, nonconvex (line 104)
	sledgePLEntry  = "n + ζ√n/μ"       // SLEDGE under the PL condition, but for its logarithm (lines 103-104)
	// SLEDGE with Option I for second-order points (line 103), which has δ² in the place of δ⁴.
	sledgeOneSOSPEntry = "(Δ + σ_c²)(√n + ζ²/δ²)(1/ε² + 1/δ⁴)"
	printedSOSPEntry   = "(Δ + σ_c²)(√n + ζ²/δ²)(1/ε² + 1/δ²)"
	// SLEDGE with Option II (line 104): that times Δ, and n.
	sledgeSOSPEntry = "√n/ε² + √n/δ⁴ + ζ²/(ε²δ²) + ζ²/δ⁶"
)

// sameRate says that a rate at minibatches of b is of the order of an entry.
func sameRate(b, rate, entry string) props.Check {
	return table1.Order("b = " + b + "; " + rate + " = Θ(" + entry + ")")
}

// Minibatches. The rates of Option II and of theorem:PL-Main grow with b, so that b = 1 is the best.
const (
	rootBatch   = "√n"
	secondBatch = "√n + ζ²/δ²"
	bestBatch   = "1"
)

func table1Claims() []props.Binding {
	return []props.Binding{
		props.Bind("table1-option1-nonconvex", sameRate(rootBatch, bounds.FirstOneRate, sledgeOneEntry)),
		props.Bind("table1-option2-nonconvex", props.All(
			sameRate(bestBatch, bounds.FirstTwoRate, sledgeTwoEntry),
			table1.Order(bounds.LowerRate+" = Θ("+sledgeTwoEntry+")"),
			table1.Order(sledgeTwoEntry+" = O("+spiderEntry+")"))),
		props.Bind("table1-option2-nonconvex/corrected", props.All(
			sameRate(bestBatch, bounds.FirstTwoRate, bounds.LowerRate),
			table1.Order(bounds.LowerRate+" = O("+spiderEntry+")"))),
		props.Bind("table1-option1-sosp", sameRate(secondBatch, bounds.SecondOneRate, printedSOSPEntry)),
		props.Bind("table1-option1-sosp/corrected", sameRate(secondBatch, bounds.SecondOneRate, sledgeOneSOSPEntry)),
		props.Bind("table1-option2-sosp",
			props.ExactWhole("polynomials of degrees (1, 1, 1, 3) on a grid of 2·2·2·4 points", trySOSPIdentity)),
		props.Bind("table1-pl", sameRate(bestBatch, bounds.PLRate, sledgePLEntry)),
		props.Bind("table1-pl/corrected", sameRate(bestBatch, bounds.PLRate, sledgePLEntry+" + 1/μ")),
	}
}

// trySOSPIdentity evaluates both sides, polynomials in √n, ζ², 1/ε² and 1/δ², on a grid.
func trySOSPIdentity(rec *props.Recorder) {
	value := func(text string, n, zeta, eps, delta *big.Rat) *big.Rat {
		v, _ := props.Must(formula.Must(symbols, text).Of("n", "ζ", "ε", "δ").Exact(n, zeta, eps, delta)).Rat()
		return v
	}
	for point := range int64(2 * 2 * 2 * 4) {
		n, zeta := 1+3*(point%2), big.NewRat(1+point/2%2, 1)
		eps, delta := big.NewRat(1, 1+point/4%2), big.NewRat(1, 1+point/8)
		entry := value(sledgeSOSPEntry, big.NewRat(n, 1), zeta, eps, delta)
		rec.Rats("the entry", entry, props.EQ, value("(√n + ζ²/δ²)(1/ε² + 1/δ⁴)", big.NewRat(n, 1), zeta, eps, delta))
	}
}
