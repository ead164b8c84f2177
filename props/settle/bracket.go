package settle

import (
	"encoding/json"

	"sledge/props/certificate"
)

// Brackets is the certificate of brackets of constants.
func Brackets(proof certificate.BracketProof) (*certificate.Certificate, string) {
	data, err := json.Marshal(proof)
	if err != nil {
		return nil, err.Error()
	}
	return &certificate.Certificate{Kind: certificate.Bracket, Scope: certificate.Sizes,
		Statement: proof.Statement(), Covers: proof.Covers(), Proof: data}, ""
}
