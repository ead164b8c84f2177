package settle

import (
	"encoding/json"
	"slices"

	"sledge/props"
	"sledge/props/certificate"
)

// Names of quantities of the listing that the checker runs, for a finite sum or for clients, for
// [Identity].
const (
	TableMean     = "(1/n)Σ_i y_i^t"
	TableError    = "(1/n)Σ_i y_i^t − ∇f(x^t)"
	Decomposition = "the decomposition of the error"
	LocalErrors   = "v^{t,k} − ∇f(x^{t,k})"
	ErrorParts    = "the error of the table and that of the local steps"
)

// OfPairs says that an identity is used for each of two runs with the same random choices, and so
// for their difference.
func OfPairs(p *certificate.IdentityProof) { p.Pairs = true }

// Identity is the procedure that claims two quantities of the listing to agree for runs of the
// sizes: the checker's own listing shows it, over unknown gradients. The names of more quantities
// than the constants are in the checker.
func Identity(left, right string, sizes []certificate.ListingSizes,
	options ...func(*certificate.IdentityProof)) props.Procedure {
	return func(props.Tier) (*certificate.Certificate, string) {
		proof := certificate.IdentityProof{Left: left, Right: right, Sizes: sizes}
		for _, set := range options {
			set(&proof)
		}
		data, err := json.Marshal(proof)
		if err != nil {
			return nil, err.Error()
		}
		return &certificate.Certificate{Kind: certificate.Identity, Scope: certificate.Sizes,
			Statement: proof.Statement(),
			Covers:    proof.Covers(), Proof: data}, ""
	}
}

// Runs are the sizes of SLEDGE up to n components, with every b and both options, and the given
// number of steps.
func Runs(n, steps int) (sizes []certificate.ListingSizes) {
	for m := 1; m <= n; m++ {
		for b := 1; b <= m; b++ {
			one := certificate.ListingSizes{Clients: m, Chosen: b, Data: 1, Sample: 1, Local: 1,
				Batch: 1, Steps: steps}
			two := one
			two.Sampled = true
			sizes = append(sizes, one, two)
		}
	}
	return sizes
}

// OptionII leaves out Option I.
func OptionII(sizes []certificate.ListingSizes) []certificate.ListingSizes {
	return slices.DeleteFunc(sizes, func(s certificate.ListingSizes) bool { return s.Sampled })
}

// Rounds are the sizes of FLEDGE up to so many clients with so many data each, every p and up to so
// many local steps, b = 1, Option II, and the given number of rounds.
func Rounds(clients, data, local, rounds int) (sizes []certificate.ListingSizes) {
	for P := 1; P <= clients; P++ {
		for p := 1; p <= P; p++ {
			for K := 1; K <= local; K++ {
				sizes = append(sizes, certificate.ListingSizes{Clients: P, Chosen: p, Data: data,
					Sample: min(K, data), Local: K,
					Batch: 1, Steps: rounds})
			}
		}
	}
	return sizes
}

// OptionI makes the start of the sizes that of Option I, besides that of Option II.
func OptionI(sizes []certificate.ListingSizes) []certificate.ListingSizes {
	both := slices.Clone(sizes)
	for _, s := range sizes {
		s.Sampled = true
		both = append(both, s)
	}
	return both
}
