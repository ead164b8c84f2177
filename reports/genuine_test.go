package reports

import (
	"strings"
	"testing"

	"sledge/props"
)

// A report whose verdicts are others than what the evidence says is not intact, though its digest
// is that of its claims.
func TestVerdictsFollow(t *testing.T) {
	whole := func() *Report {
		r := fixture()
		for i := range r.Claims {
			for k := range r.Claims[i].Evidence {
				e := &r.Claims[i].Evidence[k]
				e.Replay, e.Simplest = "", nil
			}
		}
		return r
	}
	r := whole()
	if r.Run.Digest = digest(r.Claims); r.Intact() != nil {
		t.Fatal(r.Intact())
	}
	refused := 0
	for i := range r.Claims {
		if testing.Short() && i%3 > 0 {
			continue
		}
		for _, v := range Verdicts {
			is := r.Claims[i].Verdict
			bounds := is != props.Supported && is != props.Consistent ||
				v != props.Supported && v != props.Consistent // may be loose, says the ledger
			if v == is || v == props.Error || is == props.Error || !bounds {
				continue
			}
			r := whole()
			r.Claims[i].Verdict = v
			r.Run.Digest = digest(r.Claims)
			if err := r.Intact(); err == nil || !strings.Contains(err.Error(), r.Claims[i].ID) ||
				!strings.Contains(err.Error(), "which its evidence does not say") {
				t.Errorf("%s said to be %s instead of %s: %v", r.Claims[i].ID, v, is, err)
			}
			refused++
		}
	}
	if refused < 10 {
		t.Errorf("only %d verdicts were exchanged", refused)
	}
}
