package certificate

// Quadratic is the kind of a proof about vectors of a real inner product space, of whatever
// dimension: some symbols are inner products, and the difference of the two sides is a sum of
// multiples of facts and of squared norms.
const Quadratic Kind = "quadratic"

// QuadraticProof is the proof of a [Quadratic].
type QuadraticProof struct {
	// Vectors are the names of the unknown vectors. They are no symbols of the statement.
	Vectors []string `json:"vectors"`
	// Products says which symbols are inner products, and of what: two linear combinations of
	// vectors whose coefficients are formulas in the other symbols. Nothing but what Domain says is
	// known of the vectors.
	Products map[string][2]string `json:"products"`
	// By says for each relation of the conclusion, for an equation first as ≤ and then as ≥, what
	// its difference (greater side minus lesser side) is the sum of.
	By [][]Summand `json:"by"`
}

// Inner writes an inner product, as [Symbol].Means has it.
func Inner(of [2]string) string { return "⟨" + of[0] + ", " + of[1] + "⟩" }

// Summand is a number that is not negative: a multiple of the difference of the sides of a fact, or
// of a squared norm.
type Summand struct {
	Fact   string `json:"fact,omitempty"`   // a relation of the domain or a premise
	Square string `json:"square,omitempty"` // a linear combination of vectors
	// Times is a sum of products of symbols that are known to be positive, with positive
	// coefficients; the multiple of an equation may be any formula.
	Times string `json:"times"`
}
