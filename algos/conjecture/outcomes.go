package conjecture

import (
	"errors"

	"gonum.org/v1/gonum/stat/combin"

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
		s.probability = 1
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
	coin        float64
	probability float64 // of what was told
}

func (s *script) Subset(dst []int, n int, p algos.Purpose) {
	s.Outcomes.Subset(dst, n, p)
	s.probability /= float64(combin.Binomial(n, len(dst)))
}

func (s *script) Indices(dst []int, n int, p algos.Purpose) {
	s.Outcomes.Indices(dst, n, p)
	for range dst {
		s.probability /= float64(n)
	}
}

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
		s.probability *= s.coin
		return s.coin / 2
	}
	s.probability *= 1 - s.coin
	return (1 + s.coin) / 2
}
