package certificate

import "fmt"

// Identity is the kind of a proof that two quantities of an algorithm agree whatever the functions
// are: the checker runs its own form of the listing over unknown gradients, with all random choices
// of the sizes.
const Identity Kind = "identity"

// IdentityProof is the proof of an [Identity], and all that it says: what is compared, and for
// which sizes.
type IdentityProof struct {
	// Left and Right are names of quantities, see the checker's list of them. They are compared at
	// all steps (rounds).
	Left  string `json:"left"`
	Right string `json:"right"`
	// Pairs says that the identity is used for each of two runs with the same random choices, and
	// so for their difference.
	Pairs bool           `json:"pairs,omitempty"`
	Sizes []ListingSizes `json:"sizes"`
}

// Statement is what the certificate states.
func (p *IdentityProof) Statement() string {
	s := p.Left + " = " + p.Right
	if p.Pairs {
		s += ", for each of two runs with the same choices, and so for their difference"
	}
	return s
}

// ListingSizes are the sizes of runs. For a finite sum the clients are the components, with one
// datum each, and one local step.
type ListingSizes struct {
	Clients int  `json:"clients"`       // n, or P
	Chosen  int  `json:"chosen"`        // b, or p
	Data    int  `json:"data"`          // of each client
	Sample  int  `json:"sample"`        // of them in a refresh, Kb of FLEDGE unless there are fewer
	Local   int  `json:"local"`         // local steps K
	Batch   int  `json:"batch"`         // data of a local step, b of FLEDGE unless there are fewer
	Steps   int  `json:"steps"`         // T
	Sampled bool `json:"sampled_start"` // Option I: one minibatch fills the table at x⁰
}

// Covers says in words what the certificate covers.
func (p *IdentityProof) Covers() string {
	return "all functions, points, step sizes and random choices of the listing, for " + p.listed()
}

// listed says in words which sizes there are.
func (p *IdentityProof) listed() string {
	most := ListingSizes{}
	options := map[bool]bool{}
	for _, s := range p.Sizes {
		most.Clients, most.Data = max(most.Clients, s.Clients), max(most.Data, s.Data)
		most.Local, most.Steps = max(most.Local, s.Local), max(most.Steps, s.Steps)
		options[s.Sampled] = true
	}
	option := "Option II"
	if options[true] {
		option = "both options"
	}
	if most.Data == 1 && most.Local == 1 {
		return fmt.Sprintf("%d sizes with n ≤ %d and up to %d steps, %s", len(p.Sizes),
			most.Clients, most.Steps, option)
	}
	return fmt.Sprintf(
		"%d sizes with P ≤ %d, up to %d data of a client, K ≤ %d and up to %d rounds, %s",
		len(p.Sizes), most.Clients, most.Data, most.Local, most.Steps, option)
}
