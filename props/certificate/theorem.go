package certificate

// Theorem is the kind of a theorem of a machine-checked development: Statement is what its kernel
// prints. A reader without the proof assistant relies on the record of its compilation.
const Theorem Kind = "theorem"

// TheoremProof is the proof of a [Theorem].
type TheoremProof struct {
	Name    string   `json:"name"` // several are separated by commas
	File    string   `json:"file"` // of the first
	Line    int      `json:"line"`
	Axioms  []string `json:"axioms"`  // on which it rests, by their full names
	Sources string   `json:"sources"` // digest of all files of the development
}
