package props

import (
	"math"
	"reflect"
	"strings"
	"testing"
)

func someToken() *token {
	return &token{claim: "lemma/corrected", index: 2, domain: domainConfirm, what: "f(x^t) ≤ bound",
		seed: 1<<63 + 5, tier: Deep, alpha: 1e-3, tests: 1024, rank: 2,
		choices: []float64{0, 1, -0.5, math.Pi, 1e-300, math.MaxFloat64,
			math.SmallestNonzeroFloat64, math.Copysign(0, -1)}}
}

func TestTokenRoundTrip(t *testing.T) {
	want := someToken()
	s := want.String()
	for _, r := range s {
		if r <= ' ' || r > '~' {
			t.Errorf("%q is not printable ASCII", s)
		}
	}
	got, err := parseToken(" " + s + "\n")
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(got, want) || !math.Signbit(got.choices[7]) {
		t.Errorf("got %+v, want %+v", got, want)
	}
	short := &token{claim: "c", domain: domainInstance, what: "w",
		choices: []float64{1, 2, 0.5, 100}}
	if n := len(short.String()); n > 50 {
		t.Errorf("a token of four round numbers has %d characters", n)
	}
}

func TestDamagedTokens(t *testing.T) {
	s := someToken().String()
	for i := range s { // one character replaced
		b := []byte(s)
		b[i] ^= 1
		if got, err := parseToken(string(b)); err == nil && !reflect.DeepEqual(got, someToken()) {
			t.Errorf("%q is accepted as %+v", b, got)
		}
	}
	for n := range len(s) {
		if _, err := parseToken(s[:n]); err == nil {
			t.Errorf("%q is accepted", s[:n])
		}
	}
	claims := []Claim{{ID: "c", Check: square(1)}}
	for _, c := range []struct{ token, want string }{
		{"", "not a replay token"},
		{"nonsense", "not a replay token"},
		{"v9:c:AAAA", "version"},
		{"v1:c:!!!", "has version \"v1\", this program reads v2"},
		{"v2:c:!!!", "damaged"},
		{(&token{claim: "d", domain: domainInstance}).String(), `given ones: "d"`},
		{(&token{claim: "c", domain: domainInstance, index: 3}).String(), "check 3"},
		{(&token{claim: "c", domain: domainInstance, what: "other",
			choices: []float64{1, 1}}).String(), `"other"`},
		{(&token{claim: "c", domain: domainInstance, what: "2ab", choices: []float64{1}}).String(),
			"1 choices"},
		{(&token{claim: "c", domain: domainInstance, what: "2ab",
			choices: []float64{1, 100}}).String(), "b"},
		{(&token{claim: "c", domain: domainConfirm, what: "2ab",
			choices: []float64{1, 1}}).String(), "another kind"},
	} {
		if _, _, err := Replay(claims, c.token); err == nil ||
			!strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: error %v, want one with %q", c.token, err, c.want)
		}
	}
}

func FuzzToken(f *testing.F) {
	f.Add(someToken().String())
	f.Add((&token{claim: "c", domain: domainWhole}).String())
	f.Add("v2:c:AAAA")
	f.Fuzz(func(t *testing.T, s string) {
		got, err := parseToken(s)
		if err != nil {
			return
		}
		again, err := parseToken(got.String())
		if err != nil || again.String() != got.String() {
			t.Errorf("%q reads as %+v, which does not survive a round trip", s, got)
		}
	})
}
