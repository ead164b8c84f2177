package checker

import "sledge/props/certificate"

// theorem finds nothing wrong with the form of a certificate that names a theorem of a development.
// Which theorem that is, and whether the kernel accepts it, the development itself must say.
func theorem(c *certificate.Certificate) {
	proof := decode[certificate.TheoremProof](c)
	switch {
	case c.Refutes || c.Scope != certificate.All || len(c.Symbols) > 0 || c.Domain != "":
		refuse("a theorem proves, for the whole of a statement that is complete")
	case proof.Name == "" || proof.Sources == "":
		refuse("the theorem or the digest of its development is not named")
	}
	panic(ErrRepeat)
}
