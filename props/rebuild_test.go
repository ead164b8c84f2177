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
