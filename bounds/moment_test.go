package bounds

import (
	"math"
	"testing"

	"sledge/algos"
)

// movementFactor is [movementOf] at numbers.
func movementFactor(n, b int, share float64) float64 {
	return Expected{P: n, Chosen: b}.at(movementOf("c"), values{"c": share})
}

func TestExpectedFormulas(t *testing.T) {
	s := Expected{P: 10, Chosen: 5, K: 2, B: 3, L: 2, Zeta: 1, Sigma: 3, SigmaC: 7}
	clients, data := movementFactor(10, 5, 1)*9/(2*25*1.5), 4/3.*5*13/(100*5*6.)
	first := s
	first.Option = algos.OptionI
	fledgeNear(t, "Loss", s.Loss(), 2*4*(clients+4*data)+2+2*4/3.)
	fledgeNear(t, "Start, Option II", s.Start(), 4*9/60.)
	e := 5/9.*49/5 + 9/30.
	fledgeNear(t, "Start, Option I", first.Start(), e+0.3*(49+e))
	one := Expected{P: 1, Chosen: 1, K: 1, B: 1, L: 2, Zeta: 3}
	fledgeNear(t, "Loss of gradient descent", one.Loss(), 0)
	fledgeNear(t, "step size of gradient descent", one.StepSize(), 0.25)
	fledgeNear(t, "rounds of gradient descent", one.Rounds(1, 0.5), 64)
	pl := movementFactor(10, 5, 0.5) * 9 / (2 * 50)
	fledgeNear(t, "PLLoss", s.PLLoss(), 3*4*2*(pl+4*5*13/(500*6.))+2+2*4/3.)
	fledgeNear(t, "PLStepSize, loss", s.PLStepSize(1e-6), 1/math.Sqrt(6*s.PLLoss()))
	fledgeNear(t, "PLStepSize, rounds", s.PLStepSize(2), 5/(3*2*10*2.))
	fledgeNear(t, "PLStart", s.PLStart(0.1), 3*0.1*2*2*0.6)
	fledgeNear(t, "PLFloor", s.PLFloor(0.1, 2, 0.01), 1.2*0.01/2+18*9/(2*60.))
	fledgeNear(t, "PLStepSize of gradient descent", one.PLStepSize(0.5), 0.25)
	small := Expected{P: 100, Chosen: 10, K: 10, B: 10, L: 1} // the numbers of the note
	fledgeNear(t, "step size of the note", math.Round(10/small.StepSize()), 38)
	fledgeNear(t, "rounds of the note", small.Rounds(50, 1), 76)
}
