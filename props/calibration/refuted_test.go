package calibration

import (
	"context"
	"testing"

	"sledge/props"
	"sledge/props/keyed"
)

// Nulls that were refuted once: a squared residual that overflows where operations are rounded up;
// one that is left by few runs, and by those in every arithmetic; one last place, whose sign the
// square has lost; misses of which half turn into hits in other arithmetics, and by luck all but one
// of the few that refute do not; and a difference of two numbers that rounding moves alike, beside
// steps that are moved along a ray and have a trend of their own.
func TestNullsThatWereRefuted(t *testing.T) {
	for _, c := range []struct {
		scene, kind string
		hidden      hidden
		moves       bool
		seed        uint64
		at          int
	}{
		{"descent beside a null direction", "mean", hidden{offset: 9704.589467162243,
			rate: 0.681829245823926, depth: 196}, false, 777, 371},
		{"telescoping sum", "mean", hidden{offset: 2, depth: 55,
			v: [8]float64{1.2446983508238711, 1.9069564334995408, 1.6923100137269054,
				1.3663287131585058, 1.7438477288885847, 1.0387557718332192, 1.0306974135620934,
				1.414478460471605}}, true, 777, 6186},
		{"telescoping sum", "mean", hidden{offset: 1.183095837996194, depth: 30,
			v: [8]float64{1.5882254547882293, 1.4429848078941792, 1.4466303439701274,
				1.991774622496235, 1.4893425003231817, 1.350066495510427, 1.4853961858481797,
				1.9172107942313135}}, true, 4242, 8272},
		{"smoothness above an offset", "hitting", hidden{offset: 4.703918306824377e+09,
			close: 0.0005100047184791824, v: [8]float64{1.7861035829545258}}, false, 777, 219},
		{"descent above an offset", "identity", hidden{offset: 2618.168951111714,
			rate: 0.14728223280848515, depth: 3}, true, 777, 9582},
	} {
		n := &drawn{hidden: c.hidden, moves: c.moves, kind: c.kind}
		for _, s := range scenes {
			if s.name == c.scene {
				n.scene = s
			}
		}
		key := keyed.New(c.seed).With("scratch").At(c.at)
		results, err := props.Run(context.Background(),
			[]props.Claim{{ID: "statement", Check: n.check()}}, props.Config{Seed: key.Seed()})
		if err != nil {
			t.Fatal(err)
		}
		if r := &results[0]; r.Verdict == props.Refuted || r.Err != "" || len(r.Evidence) == 0 {
			t.Errorf("a %s of %q: %v %s, %+v", c.kind, c.scene, r.Verdict, r.Err, r.Evidence)
		}
	}
}
