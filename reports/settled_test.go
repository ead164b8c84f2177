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
	digest := c.Certificates()[0].Digest()
	r.Accept(map[string]string{digest: "Coq 8.16.1", "another": "Coq 8.16.1"})
	if r.Kernel(c) != "Coq 8.16.1" || len(r.Machine) != 1 || r.Summary.Settled.Machine != 1 {
		t.Errorf("accepted are %v", r.Machine)
	}
	if got := r.SettledWords(); !strings.HasSuffix(got, "; a proof assistant accepts 1 of these.") {
		t.Errorf("said is %q", got)
	}
	// A proof in two parts is accepted when both are, a refutation by any of its counterexamples.
	other := *c.Certificates()[0]
	other.Statement += " in another part"
	c.Evidence = append(c.Evidence, c.Evidence[0])
	c.Evidence[len(c.Evidence)-1].Certificate = &other
	if r.Kernel(c) != "" || r.settled(func(*Claim) bool { return true }).Machine != 0 {
		t.Error("a proof is accepted whose second part is not")
	}
	r.Accept(map[string]string{digest: "Coq 8.16.1", other.Digest(): "Coq 8.16.1"})
	if r.Kernel(c) != "Coq 8.16.1" {
		t.Error("a proof is not accepted although both of its parts are")
	}
	wrong := &Claim{Verdict: props.Refuted, Evidence: []Evidence{
		judged(props.Evidence{Certificate: &certificate.Certificate{Kind: certificate.Point, Refutes: true}}, props.Refuted),
		judged(props.Evidence{Certificate: &other}, props.Refuted)}}
	if r.Kernel(wrong) != "Coq 8.16.1" {
		t.Error("a refutation is not accepted although one of its counterexamples is")
	}
	refuted := &Claim{Verdict: props.Refuted}
	if refuted.Means() != "" || refuted.Certificates() != nil {
		t.Error("a refutation without a certificate is settled")
	}
}
