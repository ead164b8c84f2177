package settle

import (
	"encoding/json"
	"sync"

	_ "embed"

	"sledge/props"
	"sledge/props/certificate"
)

// proofs are those that take long to find. tools/proofs.go writes the file from reports of runs at
// higher tiers; what is read from it is believed by nobody without a checker.
//
//go:embed proofs.json
var proofs []byte

// words are those of a certificate, by which its proof is found.
type words struct {
	Kind      certificate.Kind `json:"kind"`
	Domain    string           `json:"domain"`
	Statement string           `json:"statement"`
}

var keptProofs = sync.OnceValue(func() map[words]json.RawMessage {
	var list []struct {
		words
		Proof json.RawMessage `json:"proof"`
	}
	props.Must(0, json.Unmarshal(proofs, &list))
	out := map[words]json.RawMessage{}
	for _, k := range list {
		out[k.words] = k.Proof
	}
	return out
})

// kept gives the certificate the proof that is kept of it, if there is one.
func kept(c *certificate.Certificate) bool {
	p, ok := keptProofs()[words{c.Kind, c.Domain, c.Statement}]
	if ok {
		c.Proof = p
	}
	return ok
}
