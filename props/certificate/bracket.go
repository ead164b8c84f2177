package certificate

import "fmt"

// Bracket is the kind of a proof that the smallest constant of a bound on the mean squared error of
// the table lies between two numbers: on prescribed paths, for runs of the listing of one size.
//
// The bound is E‖(1/P)Σ_i y_i^T − ∇f(x^T)‖² ≤ (c/p)(ζ² + L²/S)Σ_{s≤T}‖x^s − x^{s−1}‖² + cσ²/(PS) +
// [Option I] cσ_c²/p for P clients of which p take part with S data each; a finite sum is P = n, p
// = b, with one datum each, without L and σ. ζ bounds the distance of the Hessians of two clients,
// L² the mean squared distance of those of data from those of their clients, σ² the mean squared
// distance of the gradients of data from those of their clients at each point, σ_c² that of the
// gradients of clients from ∇f at x⁰.
const Bracket Kind = "bracket"

// BracketProof is the proof of a [Bracket]: one for each size, all of the same kind.
type BracketProof []Ends

// Ends are the two ends of the bracket for a size, with what shows them.
type Ends struct {
	Size  ListingSizes `json:"size"`
	Least string       `json:"least"` // a rational number: an instance needs that much
	Most  string       `json:"most"`  // a rational number: it suffices for all
	// Clients and Data are the instance, one of them is given. On a straight line whose steps have
	// the given lengths the gradients of clients, or of data within their clients, grow apart along
	// orthonormal vectors; the first number is how far apart they are at x⁰.
	Clients []int64 `json:"client_steps,omitempty"`
	Data    []int64 `json:"data_steps,omitempty"`
	// Weights are what the points x⁰ … x^T share of σ²: rational numbers that sum up to 1. Only for
	// several data.
	Weights []string `json:"weights,omitempty"`
}

// Statement is what the certificate states.
func (p BracketProof) Statement() string {
	if len(p) == 0 {
		return ""
	}
	first := p[0].Size
	bound := "E‖v^T − ∇f(x^T)‖² ≤ (cζ²/b)Σ_{s≤T}‖x^s − x^{s−1}‖²"
	if first.Data > 1 {
		bound = "E‖(1/P)Σ_i y_i^T − ∇f(x^T)‖² ≤ (c/p)(ζ² + L²/S)Σ_{s≤T}‖x^s − x^{s−1}‖² + cσ²/(PS)"
	}
	if first.Sampled {
		bound += " + cσ_c²/" + map[bool]string{true: "p", false: "b"}[first.Data > 1]
	}
	s := "the smallest c with " + bound + " on prescribed paths lies in"
	for i, e := range p {
		if i > 0 {
			s += ","
		}
		s += fmt.Sprintf(" [%s, %s] for %s", e.Least, e.Most, e.of())
	}
	return s
}

// of names the size.
func (e *Ends) of() string {
	if e.Size.Data > 1 {
		return fmt.Sprintf("(P, p, T) = (%d, %d, %d)", e.Size.Clients, e.Size.Chosen, e.Size.Steps)
	}
	return fmt.Sprintf("(n, b, T) = (%d, %d, %d)", e.Size.Clients, e.Size.Chosen, e.Size.Steps)
}

// Covers says in words what the certificate covers.
func (p BracketProof) Covers() string {
	if len(p) == 0 {
		return ""
	}
	most := ListingSizes{}
	for _, e := range p {
		most.Clients, most.Chosen = max(most.Clients, e.Size.Clients),
			max(most.Chosen, e.Size.Chosen)
		most.Steps = max(most.Steps, e.Size.Steps)
	}
	if p[0].Size.Data > 1 {
		return fmt.Sprintf("%d sizes with P ≤ %d, p ≤ %d, T ≤ %d and S = %d of %d data of a client",
			len(p), most.Clients,
			most.Chosen, most.Steps, p[0].Size.Sample, p[0].Size.Data)
	}
	return fmt.Sprintf("%d sizes with n ≤ %d, b ≤ %d and T ≤ %d", len(p), most.Clients, most.Chosen,
		most.Steps)
}

// ListingSizes are the sizes of runs. For a finite sum the clients are the components, with one
// datum each.
type ListingSizes struct {
	Clients int  `json:"clients"`       // n, or P
	Chosen  int  `json:"chosen"`        // b, or p
	Data    int  `json:"data"`          // of each client
	Sample  int  `json:"sample"`        // of them in a refresh, Kb of FLEDGE
	Steps   int  `json:"steps"`         // T
	Sampled bool `json:"sampled_start"` // Option I: one minibatch fills the table at x⁰
}
