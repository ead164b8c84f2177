package props

import (
	"context"
	"errors"
	"strings"
	"testing"

	"sledge/props/certificate"
)

// settle runs a check of x ≤ bound for x in [1, 2] that a procedure settles as it says.
func settle(t *testing.T, bound float64, check func(*certificate.Certificate) error,
	by Procedure) Result {
	t.Helper()
	c := Settled(Inequality(func(src *Source, rec *Recorder) {
		rec.AtMost("x", src.Real("x", 1, 2), bound)
	}), by)
	results, err := Run(context.Background(),
		[]Claim{{ID: "a", Check: c, Expect: Proved, Within: certificate.All}}, Config{Check: check})
	if err != nil {
		t.Fatal(err)
	}
	return results[0]
}

func accept(*certificate.Certificate) error { return nil }

// A certificate decides the verdict, unless the search contradicts it or the checker refuses it.
func TestSettled(t *testing.T) {
	proves := func(scope certificate.Scope) Procedure {
		return func(Tier) (*certificate.Certificate, string) {
			return &certificate.Certificate{Kind: "k", Scope: scope, Covers: "some"}, ""
		}
	}
	refutes := func(Tier) (*certificate.Certificate, string) {
		return &certificate.Certificate{Kind: "k", Refutes: true}, ""
	}
	gives := func(Tier) (*certificate.Certificate, string) { return nil, "a difference under a root" }
	for _, c := range []struct {
		name    string
		bound   float64
		check   func(*certificate.Certificate) error
		by      Procedure
		verdict Verdict
		scope   certificate.Scope
		err     string
	}{
		{"proof", 2, accept, proves(certificate.All), Proved, certificate.All, ""},
		{"proof for sizes", 2, accept, proves(certificate.Sizes), Proved, certificate.Sizes, ""},
		{"refutation that the search does not find", 2, accept, refutes, Refuted, "", ""},
		{"proof of what is false", 1.5, accept, proves(certificate.All), Error, "",
			"the search disagree"},
		{"counterexample beyond the sizes", 1.5, accept, proves(certificate.Sizes),
			Refuted, "", ""},
		{"refused", 2, func(*certificate.Certificate) error { return errors.New("no") },
			proves(certificate.All), Error, "",
			"the checker refuses: no"},
		{"no checker", 2, nil, proves(certificate.All), Consistent, "", ""},
		{"no certificate", 2, accept, gives, Consistent, "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := settle(t, c.bound, c.check, c.by)
			if r.Verdict != c.verdict || r.Scope() != c.scope || !strings.Contains(r.Err, c.err) {
				t.Errorf("%v in the scope %q, %q; want %v in %q, %q", r.Verdict, r.Scope(), r.Err,
					c.verdict, c.scope, c.err)
			}
			settled := c.err == "" && c.check != nil && c.name != "no certificate" &&
				c.name != "counterexample beyond the sizes"
			if len(r.Evidence) > 0 && (r.Evidence[0].Certificate != nil) != settled {
				t.Errorf("the certificate of the evidence is %v", r.Evidence[0].Certificate)
			}
			if c.name == "no certificate" &&
				r.Evidence[0].Unsettled != "a difference under a root" {
				t.Errorf("it is not settled because of %q", r.Evidence[0].Unsettled)
			}
			beside := r.Verdict == Proved && c.check != nil
			if len(r.Evidence) > 0 && (r.Evidence[0].Tried == Consistent) != beside {
				t.Errorf("trying it beside the certificate came to %v", r.Evidence[0].Tried)
			}
			if asked := r.Unexpected(); (len(asked) == 0) != (c.name == "proof") {
				t.Errorf("unexpected: %q", asked)
			}
		})
	}
}

// One procedure settles all parts of a check, and leaves alone what is apart from the statement.
func TestSettledParts(t *testing.T) {
	asked := 0
	whole := All(
		Inequality(func(src *Source, rec *Recorder) { rec.AtMost("x", src.Real("x", 1, 2), 2) }),
		Inequality(func(src *Source, rec *Recorder) {
			rec.AtLeast("y", src.Real("y", 1, 2), 1)
			rec.Truth("units agree", true).Apart()
		}),
	)
	check := Settled(whole, func(Tier) (*certificate.Certificate, string) {
		asked++
		return &certificate.Certificate{Kind: "k", Scope: certificate.All}, ""
	})
	results, err := Run(context.Background(), []Claim{{ID: "a", Check: check}},
		Config{Check: accept})
	if err != nil {
		t.Fatal(err)
	}
	var said []string
	for _, e := range results[0].Evidence {
		said = append(said, e.What+" "+e.Outcome().String())
	}
	if got := strings.Join(said, ", "); got != "x proved, y proved, units agree consistent" ||
		asked != 1 {
		t.Errorf("the procedure was asked %d times: %s", asked, got)
	}
}

// A mutated statement is not settled by what settles the statement as written.
func TestSettledMutant(t *testing.T) {
	check := Settled(Inequality(func(src *Source, rec *Recorder) { rec.AtMost("x", src.Real("x", 1, 2), 2) }),
		func(Tier) (*certificate.Certificate, string) {
			return &certificate.Certificate{Scope: certificate.All}, ""
		})
	wrong := Mutant{Strength: 1.5}.Of(Claim{ID: "a", Check: check}, 1)
	results, err := Run(context.Background(), []Claim{wrong}, Config{Check: accept})
	if err != nil || results[0].Verdict != Refuted {
		t.Errorf("the mutant is %v, %v", results[0].Verdict, err)
	}
}

// A counterexample goes with the first certificate that the checker accepts, of the simplest
// instance.
func TestWitnessed(t *testing.T) {
	check := Inequality(func(src *Source, rec *Recorder) { rec.AtMost("x", src.Real("x", 1, 4), 2) }).
		Witnessed(func(src *Source) []*certificate.Certificate {
			x := Number(src.Real("x", 1, 4), 3)
			return []*certificate.Certificate{{Statement: "wrong " + x},
				{Statement: x, Refutes: true}}
		})
	only := func(c *certificate.Certificate) error {
		if !c.Refutes {
			return errors.New("no refutation")
		}
		return nil
	}
	none := func(*certificate.Certificate) error { return errors.New("never") }
	for _, c := range []struct {
		check func(*certificate.Certificate) error
		some  bool
		why   string
	}{{only, true, ""}, {none, false, "never"}, {nil, false, ""}} {
		results, err := Run(context.Background(), []Claim{{ID: "a", Check: check}},
			Config{Check: c.check})
		if err != nil {
			t.Fatal(err)
		}
		e := results[0].Evidence[0]
		got, want := "", ""
		if e.Certificate != nil {
			got = e.Certificate.Statement
		}
		if c.some {
			want = e.Simplest.Measured.String()
		}
		if e.Outcome() != Refuted || got != want || e.Unsettled != c.why || e.Certified != c.some {
			t.Errorf("%v with certificate %q, certified %v, %q; want %q, %q", e.Outcome(), got,
				e.Certified, e.Unsettled, want,
				c.why)
		}
	}
}

// What an exact check enumerates goes with its evidence, and its scope with the verdict.
func TestEnumeratedCertificate(t *testing.T) {
	run := func(x *Enumerated) Result {
		results, err := Run(context.Background(), []Claim{{ID: "a", Check: x}}, Config{})
		if err != nil {
			t.Fatal(err)
		}
		return results[0]
	}
	try := func(holds bool) func(*Recorder) {
		return func(rec *Recorder) {
			rec.Truth("first", true)
			rec.Truth("second", holds)
		}
	}
	r := run(ExactSizes("n ≤ 3", try(true)))
	if c := r.Evidence[0].Certificate; r.Scope() != certificate.Sizes || c == nil ||
		c.Covers != "n ≤ 3" ||
		!strings.Contains(string(c.Proof), `"comparisons":2`) ||
		r.Evidence[1].Scope != certificate.Sizes {
		t.Errorf("in the scope %q with %+v", r.Scope(), c)
	}
	if r := run(ExactWhole("n ≤ 3", try(true))); r.Scope() != certificate.All ||
		r.Evidence[0].Covers != "" {
		t.Errorf("in the scope %q, covers %q", r.Scope(), r.Evidence[0].Covers)
	}
	r = run(Exact("n ≤ 3", try(false)))
	if c := r.Evidence[1].Certificate; r.Evidence[0].Certificate != nil || c == nil || !c.Refutes ||
		r.Scope() != "" {
		t.Errorf("the refutation has the certificate %+v", c)
	}
}
