package props

import (
	"context"
	"encoding/json"
	"math/big"
	"testing"

	"sledge/props/certificate"
)

// What a procedure says beside an enumeration is what the claim vouches for; without its
// certificate nothing is proved.
func TestVouch(t *testing.T) {
	own := &certificate.Certificate{Kind: certificate.Bracket, Scope: certificate.Sizes,
		Covers: "all functions", Statement: "a = a", Proof: json.RawMessage("{}")}
	exact := func(rec *Recorder) { rec.Truth("a = a", true) }
	claim := Claim{ID: "a", Check: Settled(Exact("two sizes", exact),
		func(Tier) (*certificate.Certificate, string) { return own, "" })}
	evidence, remade := ranAndRemade(t, &claim)
	if err := remade.Vouch(evidence); err != nil || evidence[0].Covers != own.Covers {
		t.Errorf("%v, covers %q", err, evidence[0].Covers)
	}
	if evidence[0].Tried != Proved {
		t.Errorf("beside the certificate it came to %v", evidence[0].Tried)
	}
	for _, forged := range []Verdict{Unknown, Refuted, Error} {
		e := evidence[0]
		e.Tried = forged
		if remade.Vouch([]Evidence{e}) == nil {
			t.Errorf("accepted: what was tried came to %v", forged)
		}
	}
	evidence[0].Certificate = nil
	if remade.Vouch(evidence) == nil {
		t.Error("the certificate is gone and was not missed")
	}
}

// ranAndRemade returns the evidence of a run of the claim, whose certificates are taken as they are,
// and what its procedures make again.
func ranAndRemade(t *testing.T, claim *Claim) ([]Evidence, *Remade) {
	t.Helper()
	results, err := Run(context.Background(), []Claim{*claim},
		Config{Alpha: DefaultAlpha, Check: func(*certificate.Certificate) error { return nil }})
	if err != nil {
		t.Fatal(err)
	}
	remade, err := Remake(claim, Quick)
	if err != nil {
		t.Fatal(err)
	}
	return results[0].Evidence, remade
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

// A domain that was tried as a whole proves what holds in all of it, without a certificate; what is
// said to be so of more, or of another comparison, is not accepted.
func TestWhatWasTriedAsAWholeIsVouchedFor(t *testing.T) {
	claim := Claim{ID: "x", Check: Inequality(func(s *Source, rec *Recorder) {
		n := s.Int("n", 1, 30)
		rec.AtMost("n against n²", float64(n), float64(n*n)).Exactly(func() (a, b *big.Rat) {
			return big.NewRat(int64(n), 1), big.NewRat(int64(n*n), 1)
		})
		rec.AtMost("n against 20", float64(n), 20).Exactly(func() (a, b *big.Rat) {
			return big.NewRat(int64(n), 1), big.NewRat(20, 1)
		})
	})}
	e, remade := ranAndRemade(t, &claim)
	if len(e) != 2 || e[0].outcome != Proved || e[1].outcome != Refuted {
		t.Fatalf("%v", e)
	}
	if err := remade.Vouch(e[:1]); err != nil {
		t.Error(err)
	}
	for _, forge := range []func(e *Evidence){
		func(e *Evidence) { e.Scope, e.Covers = certificate.All, "" },
		func(e *Evidence) { e.Covers = "more" },
		func(e *Evidence) { e.Instances = 31 },
		func(e *Evidence) { e.What = "n against n" },
		func(e *Evidence) { e.What = "n against 20" },
	} {
		forged := e[0]
		if forge(&forged); remade.Vouch([]Evidence{forged}) == nil {
			t.Errorf("accepted: %+v", forged)
		}
	}
}
