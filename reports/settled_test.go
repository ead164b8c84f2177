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
		judged(props.Evidence{Certificate: &certificate.Certificate{Kind: certificate.Point,
			Refutes: true}},
			props.Refuted),
		judged(props.Evidence{Certificate: &other}, props.Refuted)}}
	if r.Kernel(wrong) != "Coq 8.16.1" {
		t.Error("a refutation is not accepted although one of its counterexamples is")
	}
	refuted := &Claim{Verdict: props.Refuted}
	if refuted.Means() != "" || refuted.Certificates() != nil {
		t.Error("a refutation without a certificate is settled")
	}
}

// A proof is called by what it is of, and no result is better than its parts: a statement that uses
// what is neither assumed nor proved itself, as printed or as corrected, is proved as a step.
func TestProofsAreNoBetterThanTheirParts(t *testing.T) {
	claim := func(id string, o props.Object, v props.Verdict, uses ...string) props.Result {
		c := props.Claim{ID: id, Tier: 1, Statement: id, Object: o, Uses: uses}
		if base, found := strings.CutSuffix(id, "/corrected"); found {
			c.Form, c.Of = props.Corrected, base
		}
		check := props.Exact("one", func(rec *props.Recorder) { rec.Truth("so it is", v == props.Proved) })
		c.Check = check
		if v == props.Consistent {
			c.Check = props.Inequality(func(src *props.Source, rec *props.Recorder) {
				rec.AtMost("a share", src.Real("x", 0, 1), 1)
			})
		}
		results, err := props.Run(t.Context(), []props.Claim{c}, props.Config{})
		if err != nil || results[0].Verdict != v {
			t.Fatalf("%s: %v %v", id, results, err)
		}
		return results[0]
	}
	r := New([]props.Result{
		claim("whole", props.WholeStatement, props.Proved, "assumption:One", "plain", "mended"),
		claim("plain", props.WholeStatement, props.Proved),
		claim("mended", "", props.Refuted),
		claim("mended/corrected", props.WholeStatement, props.Proved),
		claim("broken", "", props.Refuted),
		claim("tried", props.WholeStatement, props.Consistent),
		claim("upon-broken", props.WholeStatement, props.Proved, "broken"),
		claim("upon-tried", props.WholeStatement, props.Proved, "plain", "tried"),
		claim("upon-upon", props.WholeStatement, props.Proved, "upon-tried"),
		claim("upon-missing", props.WholeStatement, props.Proved, "elsewhere"),
		claim("count", props.CountOrder, props.Proved),
		claim("round", props.WholeStatement, props.Proved, "round"),
		claim("silent", "", props.Proved),
	}, Run{})
	for id, want := range map[string]string{"whole": "proved", "plain": "proved",
		"mended": "refuted", "upon-broken": "proved: the step", "upon-tried": "proved: the step",
		"upon-upon": "proved: the step", "upon-missing": "proved: the step",
		"count": "proved: order of the count", "tried": "consistent",
		"silent": "proved"} {
		if got, _, _ := strings.Cut(r.Claim(id).Word(), " on "); got != want {
			t.Errorf("%s is %q, want %q", id, got, want)
		}
	}
	if got := r.SettledWords(); !strings.Contains(got,
		"(2 proved, 5 proved: the step, 1 proved: order of the count") {
		t.Errorf("said is %q", got)
	}
	if err := r.Summed(); err != nil {
		t.Error(err)
	}
	r.Claim("count").ProofOf = props.WholeStatement
	r.Run.Digest = digest(r.Claims)
	r.Summary = r.summarise()
	if err := r.Summed(); err == nil ||
		!strings.Contains(err.Error(), "count: the proof is not of what") {
		t.Errorf("a forged object passes: %v", err)
	}
}
