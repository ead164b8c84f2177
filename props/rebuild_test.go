package props

import (
	"context"
	"encoding/json"
	"testing"

	"sledge/props/certificate"
)

// What a procedure says beside an enumeration is what the claim vouches for; without its
// certificate nothing is proved.
func TestVouch(t *testing.T) {
	own := &certificate.Certificate{Kind: certificate.Identity, Scope: certificate.Sizes,
		Covers: "all functions", Statement: "a = a", Proof: json.RawMessage("{}")}
	exact := func(rec *Recorder) { rec.Truth("a = a", true) }
	claim := Claim{ID: "a", Check: Settled(Exact("two sizes", exact),
		func(Tier) (*certificate.Certificate, string) { return own, "" })}
	results, err := Run(context.Background(), []Claim{claim},
		Config{Alpha: DefaultAlpha, Check: func(*certificate.Certificate) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	remade, err := Remake(&claim, Quick)
	if err != nil {
		t.Fatal(err)
	}
	evidence := results[0].Evidence
	if err := remade.Vouch(evidence); err != nil || evidence[0].Covers != own.Covers {
		t.Errorf("%v, covers %q", err, evidence[0].Covers)
	}
	evidence[0].Certificate = nil
	if remade.Vouch(evidence) == nil {
		t.Error("the certificate is gone and was not missed")
	}
}

// A refutation by less than [RoundingBand] is evaluated as the run that told of it did: one that somebody wrote down
// for what rounding makes of a true equality is not accepted.
func TestRefutationByRoundingIsNotAccepted(t *testing.T) {
	for _, off := range []float64{0, 1e-10} {
		claim := Claim{ID: "x", Check: Identity(func(s *Source, rec *Recorder) {
			x, y := s.Real("x", 0.1, 3), s.Real("y", 0.1, 3)
			if off > 0 {
				rec.Equal("two sides", (x+y)*(x+y)*(1+off), x*x+2*x*y+y*y)
				return
			}
			d := 1e-5 * y
			rec.Equal("two sides", (x+d)*(x+d)-x*x, 2*x*d+d*d)
		})}
		results, err := Run(context.Background(), []Claim{claim}, Config{Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		remade, err := Remake(&claim, Quick)
		if err != nil {
			t.Fatal(err)
		}
		e := results[0].Evidence[0]
		if done, err := remade.Evaluate(&e); !done || err != nil {
			t.Fatalf("off by %v, as found: %t, %v", off, done, err)
		}
		if off > 0 {
			if e.outcome != Refuted {
				t.Errorf("off by %v: %v", off, e.outcome)
			}
			continue
		}
		e.outcome, e.Violations = Refuted, 1
		e.Simplest = &Example{Num(e.Measured), Num(e.Claimed), e.Where, e.Replay}
		if _, err := remade.Evaluate(&e); err == nil {
			t.Error("the refutation is accepted, and it is rounding")
		}
	}
}
