package conjecture

import (
	"errors"

	"gonum.org/v1/gonum/stat/combin"

	"sledge/algos"
)

var errContinuous = errors.New("the method draws more than index sets")

// outcomes makes a run for each sequence of index sets, and of coins that fall with the probability
// coin, none if it is
// 0. It stops and returns false if there are more than most, or if a run says so. After a run the
// script knows with which probability its choices are made.
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
	for count := 0; ; count++ {
		if count == most {
			return false, nil
		}
		s.at, s.probability = 0, 1
		if ok, err := run(s); !ok || err != nil {
			return false, err
		}
		total := 1.0
		for _, n := range s.options {
			if total *= float64(n); total > float64(most) {
				return false, nil
			}
		}
		k := s.at - 1
		for ; k >= 0; k-- {
			if s.told[k]++; s.told[k] < s.options[k] {
				break
			}
		}
		if k < 0 {
			return true, nil
		}
		s.told, s.options = s.told[:k+1], s.options[:k+1]
	}
}

// script tells a method its index sets and coins, one after the other, and notes how many there
// were to choose from.
type script struct {
	told, options []int
	at            int
	// probability that the number which a coin is flipped by is below this same probability
	coin        float64
	probability float64 // of what was told
}

var _ algos.Randomness = (*script)(nil)

func (s *script) next(options int) int {
	if s.at == len(s.told) {
		s.told, s.options = append(s.told, 0), append(s.options, options)
	}
	s.at++
	return s.told[s.at-1]
}

func (s *script) Subset(dst []int, n int, _ algos.Purpose) {
	if len(dst) == 0 {
		return
	}
	all := combin.Binomial(n, len(dst))
	s.probability /= float64(all)
	combin.IndexToCombination(dst, s.next(all), n, len(dst))
}

func (s *script) Indices(dst []int, n int, _ algos.Purpose) {
	for i := range dst {
		dst[i] = s.next(n)
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
	case s.next(2) == 0:
		s.probability *= s.coin
		return s.coin / 2
	}
	s.probability *= 1 - s.coin
	return (1 + s.coin) / 2
}
