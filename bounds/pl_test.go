package bounds

import (
	"context"
	"math"
	"testing"

	"sledge/algos"
	"sledge/props"
	"sledge/props/keyed"
)

func fledgeNear(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-12*math.Abs(want) {
		t.Errorf("%s = %v, want %v", what, got, want)
	}
}

func TestPLFormulas(t *testing.T) {
	s := FLEDGEPLRun{Option: algos.OptionI, P: 9, Sampled: 3, K: 2, Batch: 8, C1: 4, L: 5, Mu: 0.5, Zeta: 0.25, Data: 2, Sigma: 1, G: 3, SigmaC: 2, GC: 6,
		Delta: 7, Eta: 0.25, R: 0.125}
	e := s.Entries()
	for k, want := range []float64{0.2, 3 / (512 * 0.25 * 3 * 2), 3 * math.Sqrt(8) / (2048 * 2 * math.Sqrt(18)), 3 / (0.5 * 4 * 18), 2,
		math.Sqrt(8) / (4 * 5 * math.Sqrt(2))} {
		fledgeNear(t, "Entries", e[k], want)
	}
	fledgeNear(t, "ListedStep", s.ListedStep(), 1.0/5)
	for k, want := range []float64{5, 0.25 * 3 / 1.5, 3, 0.5, 5 / (0.5 * 4), 2 * 3 / (0.5 * 3 * 4)} {
		fledgeNear(t, "Rounds", s.Rounds()[k], want)
	}
	fledgeNear(t, "Window", s.Window(), 12)
	q := 0.0625
	fledgeNear(t, "Decay", s.Decay(3), math.Pow(1-q, 3))
	table, local := 120*math.Pow(4, 8)*sq(0.25*2)/3+32*math.Pow(4, 10)*4*2/(3*8.), 4*(0.0625*2+16*25/8.)
	loss := 2.5
	for j := 1; j <= 12; j++ {
		loss += 0.25 * table * math.Pow(1-q, -float64(j+1)*2)
	}
	for l := 1; l <= 2; l++ {
		loss += 0.25 * local * math.Pow(1-q, float64(l-2))
	}
	fledgeNear(t, "MovementLoss", s.MovementLoss(), loss)
	noise := 0.0625 + 8*16*0.25/144*(1+9/144.)
	fledgeNear(t, "StepNoise", s.StepNoise(), noise)
	fledgeNear(t, "NoiseTerm", s.NoiseTerm(2), noise*(1+(1-q)+sq(1-q)+math.Pow(1-q, 3)))
	spread := 9/(9*8.) + 9*9/(27*2*64.) + 4*9*2/9. + 36*9*2/27.
	fledgeNear(t, "InitialCost", s.InitialCost(), 96*64*spread)
	fledgeNear(t, "InitialTerm", s.InitialTerm(14), 0.25*96*64*spread*math.Pow(1-q, 4))
	fledgeNear(t, "Bound", s.Bound(14), 7*math.Pow(1-q, 28)+s.NoiseTerm(14)+s.InitialTerm(14))
	eps := 0.01
	if T := s.Horizon(eps); s.Decay(T*2)*7 > sq(eps)/16 || s.InitialTerm(T) > sq(eps)/16 || s.InitialTerm(T-1) <= sq(eps)/16 {
		t.Errorf("after %v rounds the terms are %v and %v, a round before %v; want at most %v", T, s.Decay(T*2)*7, s.InitialTerm(T), s.InitialTerm(T-1),
			sq(eps)/16)
	}
}

// Statements that are sharp are refuted as soon as their constant is changed a little.
func TestPLMutationsAreRefuted(t *testing.T) {
	for name, check := range map[string]props.Check{
		"step size with factor 1/20": props.Implication(func(src *props.Source, rec *props.Recorder) {
			s := drawPLStep(src)
			s.Eta = s.Step(1.0 / 20)
			rec.AtMost("coefficient", s.MovementLoss(), 1/(2*s.Eta))
		}),
		"noise radius 1.74ηε/8": plNoise(func(eta, eps float64) float64 { return 1.74 * eta * eps / 8 }),
	} {
		for seed := range uint64(3) {
			r, err := props.Run(context.Background(), []props.Claim{{ID: "mutation", Check: check}}, props.Config{Seed: seed})
			if err != nil {
				t.Fatal(err)
			}
			if r[0].Verdict != props.Refuted {
				t.Errorf("%s, seed %d: %v %s", name, seed, r[0].Verdict, r[0].Err)
			}
		}
	}
}

// Near a solution at which the gradients of the data cancel, rounding hides what a run is to find: such instances promise nothing.
func TestTargetsBelowRounding(t *testing.T) {
	key := keyed.New(0).With(t.Name())
	for name, setup := range map[string]func(src *props.Source) props.HittingTrial{
		"kinked": setupKinked,
		"PL":     func(src *props.Source) props.HittingTrial { return setupReach(src, algos.OptionII) },
	} {
		for i := range 100 {
			choose := props.Mixed(key, i)
			src := props.NewSource(func(c props.Choice) float64 {
				switch c.Name {
				case "|x0|":
					return 1e-19
				case "linear spread of clients":
					return 1
				case "P":
					return 4
				}
				return choose(c)
			})
			h := setup(src)
			if h.Delta == 1 {
				continue
			}
			if _, hit := h.Run(props.Trial{Key: key.At(i)}); !hit {
				t.Fatalf("%s: the target is missed at %s", name, src)
			}
		}
	}
}
