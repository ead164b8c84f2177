package certificate

// OrderProof is the proof of an [Order]: a formula is at most Constant times another, up to powers
// of logarithms where the statement drops these. All symbols are positive.
type OrderProof struct {
	Constant string `json:"constant"`
	// Powers of logarithmic symbols and of logarithms that stand beside the constant.
	Powers map[string]string `json:"powers,omitempty"`
	// Monomials are powers of parameters by name: of symbols, and of logarithms as they are
	// written.
	Monomials []map[string]string `json:"monomials"`
	Facts     []Fact              `json:"facts"`
}

// Fact is an inequality between monomials, given by their indices with positive weights: the
// product of the left ones to the power of their weights equals that of the right ones and of the
// rows, which are monomials that the domain bounds. So the least on the left is at most a constant
// times the largest on the right: left and right weights add up to 1. Those on the right of a free
// fact do not; it bounds a power, or, with nothing on the right, shows that bounds contradict each
// other.
type Fact struct {
	Left  map[int]string `json:"left"`
	Right map[int]string `json:"right,omitempty"`
	Rows  map[int]string `json:"rows,omitempty"`
	Free  bool           `json:"free,omitempty"`
}

// GrowthProof is the proof of a [Growth]: along the curve on which each symbol that is not defined
// is At times s to the power Exponents, s = 1, 2, 3 …, the ratio of the two sides grows beyond all
// bounds: like s to the power Gap, or, if that is 0, like a power of log s, or the divisor is 0
// from some s on.
type GrowthProof struct {
	At        map[string]string `json:"at"`
	Exponents map[string]int64  `json:"exponents"` // 0 where absent
	Gap       string            `json:"gap"`
	// Inverse says that it is the claimed side over the measured one that grows.
	Inverse bool `json:"inverse,omitempty"`
}
