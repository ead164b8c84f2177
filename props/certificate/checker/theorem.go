package checker

import (
	"errors"

	"sledge/props/certificate"
)

// theorem finds nothing wrong with the form of a certificate that names a theorem of a development.
// Which theorem that is, and whether the kernel accepts it, the development itself must say.
func theorem(c *certificate.Certificate) error {
	var proof certificate.TheoremProof
	switch err := decode(c, &proof); {
	case err != nil:
		return err
	case c.Refutes || c.Scope != certificate.All || len(c.Symbols) > 0 || c.Domain != "":
		return errors.New("a theorem proves, for the whole of a statement that is complete")
	case proof.Name == "" || proof.Sources == "":
		return errors.New("the theorem or the digest of its development is not named")
	}
	return ErrRepeat
}
