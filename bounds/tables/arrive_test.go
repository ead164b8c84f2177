package tables

import (
	"math"
	"testing"

	"sledge/bounds/operating"
	"sledge/props"
)

// Where a rival arrives with no step size nothing is drawn, and elsewhere what it costs.
func TestRivalsThatDoNotArrive(t *testing.T) {
	p := newPanel(func(float64) scene {
		return scene{clients: 16, batch: 1, zeta: 1, sigmaC: 0.1, eps: 0.3}
	})
	gd := p.tuned("GD", "GD", false, nil)
	course := gd.Course
	gd.Course = func(x float64) operating.Course {
		c := course(x)
		c.Cost = operating.Charge(x)
		return c
	}
	b := arriving(gd, props.Beside{Name: "GD",
		Run: func(props.Trial, float64) float64 { return 7 }})
	if y := b.Run(props.Trial{}, 16); y != 7 {
		t.Errorf("what arrives costs %v", y)
	}
	if y := b.Run(props.Trial{}, 2e6); !math.IsNaN(y) {
		t.Errorf("what cannot arrive costs %v", y)
	}
}
