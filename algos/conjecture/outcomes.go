package conjecture

import (
	"errors"

	"sledge/algos"
)

var errContinuous = errors.New("the method draws more than index sets")

// outcomes makes a run for each sequence of index sets, and of coins that fall with the probability
// coin, none if it is 0. It stops and returns false if there are more than most, or if a run says
// so. After a run the script knows with which probability its choices are made.
func outcomes(most int, coin float64, run func(*script) (bool, error)) (complete bool, err error) {
	defer func() {
		if p := recover(); p != nil {
			if p != errContinuous {
				panic(p)
			}
			complete, err = false, errContinuous
		}
	}()
	s := &script{coin: coin}
	for range most {
		s.fair = 1
		if ok, err := run(s); !ok || err != nil {
			return false, err
		}
		if s.Outcomes.Probability()*float64(most) < 1-1e-9 { // there are more
			return false, nil
		}
		if !s.Turn() {
			return true, nil
		}
	}
	return false, nil
}

// script tells a method its index sets and coins, one after the other.
type script struct {
	algos.Outcomes
	// probability that the number which a coin is flipped by is below this same probability
	coin float64
	fair float64 // how much more probable its coins are than fair ones
}

// probability is that of what was told.
func (s *script) probability() float64 { return s.Outcomes.Probability() * s.fair }

func (s *script) Ball(dst []float64, r float64, _ algos.Purpose) {
	if r > 0 {
		panic(errContinuous)
	}
	clear(dst)
}

func (s *script) Normal([]float64, algos.Purpose) { panic(errContinuous) }

func (s *script) Uniform(p algos.Purpose) float64 {
	switch {
	case p != algos.Coins || s.coin == 0:
		panic(errContinuous)
	case s.coin == 1:
		return 0.5
	case s.Next(2) == 0:
		s.fair *= 2 * s.coin
		return s.coin / 2
	}
	s.fair *= 2 * (1 - s.coin)
	return (1 + s.coin) / 2
}
