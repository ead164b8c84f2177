package bounds

import (
	"context"
	"math"
	"testing"

	"sledge/algos"
	"sledge/props"
)

func fledgeNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*math.Abs(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

// Closed forms of sums over local steps and rounds are the sums that they stand for.
func TestPLMovementLoss(t *testing.T) {
	s := algos.FLEDGETheory{P: 9, Chosen: 3, K: 2, B: 8, C1: 4, L: 5, Mu: 0.5, Zeta: 0.25, Data: 2}
	q, table, local := 0.0625, 120*math.Pow(4, 8)*sq(0.25*2)/3+32*math.Pow(4, 10)*4*2/(3*8.),
		4*(0.0625*2+16*25/8.)
	loss := 2.5
	for j := 1; j <= 12; j++ {
		loss += 0.25 * table * math.Pow(1-q, -float64(j+1)*2)
	}
	for l := 1; l <= 2; l++ {
		loss += 0.25 * local * math.Pow(1-q, float64(l-2))
	}
	fledgeNear(t, "plMovementLoss", plMovementLoss(s, 0.25), loss)
}

// Statements that are sharp are refuted as soon as their constant is changed a little.
func TestPLMutationsAreRefuted(t *testing.T) {
	for name, check := range map[string]props.Check{
		"step size with factor 1/20": props.Implication(
			func(src *props.Source, rec *props.Recorder) {
				s := drawPLStep(src)
				eta := s.PLStep(1.0 / 20)
				rec.AtMost("coefficient", plMovementLoss(s, eta), 1/(2*eta))
			}),
	} {
		for seed := range uint64(3) {
			r, err := props.Run(context.Background(), []props.Claim{{ID: "mutation", Check: check}},
				props.Config{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if r[0].Verdict != props.Refuted {
				t.Errorf("%s, seed %d: %v %s", name, seed, r[0].Verdict, r[0].Err)
			}
		}
	}
}
