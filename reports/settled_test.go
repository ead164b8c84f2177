package reports

import (
	"strings"
	"testing"

	"sledge/props"
	"sledge/props/certificate"
)

// What is settled is counted by its means, and said in the report where it is about the claim.
func TestSettled(t *testing.T) {
	r := fixture()
	c := r.Claim("descent")
	if got := c.Means(); got != "proved for sizes: n ≤ 4" {
		t.Errorf("the claim is %q", got)
	}
	s := r.Summary.SettledPrinted
	if s.Total() != 1 || s.Proved[certificate.Sizes] != 1 || s.Refuted != 0 || s.Machine != 0 {
		t.Errorf("counted are %+v", s)
	}
	if got := r.SettledWords(); !strings.HasPrefix(got,
		"Settled: 1 of 8 printed statements (1 proved for all functions of some sizes)") {
		t.Errorf("said is %q", got)
	}
	digest := c.Settling().Digest()
	r.Accept(map[string]string{digest: "Coq 8.16.1", "another": "Coq 8.16.1"})
	if r.Kernel(c) != "Coq 8.16.1" || len(r.Machine) != 1 || r.Summary.Settled.Machine != 1 {
		t.Errorf("accepted are %v", r.Machine)
	}
	if got := r.SettledWords(); !strings.HasSuffix(got, "; a proof assistant accepts 1 of these.") {
		t.Errorf("said is %q", got)
	}
	refuted := &Claim{Verdict: props.Refuted}
	if refuted.Means() != "" || refuted.Settling() != nil {
		t.Error("a refutation without a certificate is settled")
	}
}
