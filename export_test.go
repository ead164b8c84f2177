package sledge

import (
	"slices"
	"sync"

	"sledge/props"
)

var once = sync.OnceValues(Claims)

// MadeOnce returns what [Claims] makes, once for all tests: a third of a second. Each has a list of
// its own, of claims that nobody may change.
func MadeOnce() ([]props.Claim, error) {
	claims, err := once()
	return slices.Clone(claims), err
}
