package sledge

import (
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/development"
	"sledge/theory"
)

// Every theorem that an entry of the ledger names is applied to an instance, in a file of the
// theory that does nothing else: it is not about nothing.
func TestTheoremsAreInhabited(t *testing.T) {
	d, err := theory.Read()
	if err != nil {
		t.Fatal(err)
	}
	applied := map[string]bool{}
	for _, r := range d.Record.Results {
		if strings.HasPrefix(r.File, "inhabited") {
			for _, name := range r.Uses {
				applied[name] = true
			}
		}
	}
	named := map[string]bool{}
	for _, c := range props.Must(Ledger()).Claims {
		for _, name := range development.Names(c.Formal) {
			named[name] = true
			if !applied[name] {
				t.Errorf("%s is %s, which is applied to no instance", c.ID, name)
			}
		}
	}
	if len(named) < 120 {
		t.Errorf("entries name only %d theorems", len(named))
	}
}
