package settle

import (
	"encoding/json"
	"sync"

	_ "embed"

	"sledge/props"
	"sledge/props/certificate"
)

// Kept is a proof that takes long to find, by the words of its certificate. The file of them is written by
// tools/proofs.go from a report of a run at a higher tier, and read by no one without a checker.
type Kept struct {
	Kind      certificate.Kind `json:"kind"`
	Domain    string           `json:"domain"`
	Statement string           `json:"statement"`
	Proof     json.RawMessage  `json:"proof"`
}

//go:embed proofs.json
var proofs []byte

type words struct {
	kind              certificate.Kind
	domain, statement string
}

var keptProofs = sync.OnceValue(func() map[words]json.RawMessage {
	var list []Kept
	props.Must(0, json.Unmarshal(proofs, &list))
	out := map[words]json.RawMessage{}
	for _, k := range list {
		out[words{k.Kind, k.Domain, k.Statement}] = k.Proof
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
