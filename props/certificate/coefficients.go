package certificate

// Coefficients is the kind of a proof by nonnegative coefficients: the difference of the two sides
// is a sum of multiples of what the facts show not to be negative, and of terms with positive
// coefficients.
const Coefficients Kind = "coefficients"

// CoefficientsProof is the proof of a statement.
type CoefficientsProof struct {
	// Lemmas are relations "a ≤ b" or "a < b" that are shown in turn; each is a fact for what
	// follows, named by its text.
	Lemmas []Lemma `json:"lemmas,omitempty"`
	// By lists, for each relation of the conclusion, what shows it; for an equation first ≤, then
	// ≥.
	By [][]Use `json:"by,omitempty"`
}

// Lemma is a relation with what shows it.
type Lemma struct {
	Show string `json:"show"`
	By   []Use  `json:"by,omitempty"`
}

// Use is a number that is not negative: a multiplier times the product of the differences (greater
// side minus lesser side) of facts, each after both its sides are raised to a power.
type Use struct {
	Facts []string `json:"facts,omitempty"`
	Power string   `json:"power,omitempty"` // rational, 1 if empty
	Times string   `json:"times"`           // a formula without negative coefficients
}
