package algotest

import (
	"fmt"
	"math"
	"slices"

	"gonum.org/v1/gonum/floats"

	"sledge/algos"
	"sledge/algos/internal/testproblem"
)

// Move is what a method declares about its steps. The zero value declares nothing.
type Move uint8

// The declarations about steps.
const (
	_ Move = iota
	// AlongEstimator declares x^t = x^{t−1} − η v^{t−1} + ξ^t with η the step size that the factory
	// was given and ξ^t the sum of the points of balls that the step draws.
	AlongEstimator
	// OtherMove declares another step: along a momentum, of another length, of several parts.
	OtherMove
)

// setRecorder is a randomness that notes what it gives out.
type setRecorder struct {
	algos.Randomness
	sets  []recordedSet
	noise []float64 // sum of the points of balls
}

type recordedSet struct {
	purpose algos.Purpose
	n       int
	idx     []int
}

func (r *setRecorder) forget() {
	r.sets = r.sets[:0]
	clear(r.noise)
}

func (r *setRecorder) Subset(dst []int, n int, p algos.Purpose) {
	r.Randomness.Subset(dst, n, p)
	r.sets = append(r.sets, recordedSet{p, n, slices.Clone(dst)})
}

func (r *setRecorder) Indices(dst []int, n int, p algos.Purpose) {
	r.Randomness.Indices(dst, n, p)
	r.sets = append(r.sets, recordedSet{p, n, slices.Clone(dst)})
}

func (r *setRecorder) Ball(dst []float64, radius float64, p algos.Purpose) {
	r.Randomness.Ball(dst, radius, p)
	floats.Add(r.noise, dst)
}

func checkMove(s subject, o Options) error {
	declared := o.Move == AlongEstimator
	for _, quiet := range []bool{true, false} {
		r := &setRecorder{Randomness: algos.Seeded(4), noise: make([]float64, 4)}
		if quiet {
			r.Randomness = noiseless(r.Randomness)
		}
		m, _, err := s.start(s.standard(), o.Eta, origin(4), r)
		if err != nil {
			return err
		}
		lo, hi, straight := math.Inf(1), math.Inf(-1), true
		for t := 1; t <= o.Steps; t++ {
			x, v := slices.Clone(m.Point()), slices.Clone(m.Estimator())
			r.forget()
			m.Step()
			moved := minus(m.Point(), x)
			if l, ok := m.(algos.LocalStepper); ok {
				if p := l.LocalPoints(); len(p) == 0 || len(p) != len(l.LocalEstimators())+1 ||
					!slices.Equal(p[0], x) ||
					!slices.Equal(p[len(p)-1], m.Point()) {
					return fmt.Errorf(
						"step %d goes from %.6g to %.6g, the local points it shows are %.6g", t,
						x, m.Point(), p)
				}
			}
			zero := o.Tolerance * (1 + floats.Norm(x, 2))
			rest := minus(moved, r.noise)
			floats.AddScaled(rest, o.Eta, v)
			if o.Move == OtherMove {
				continue
			}
			if !(floats.Norm(rest, 2) <= zero) {
				if declared {
					return fmt.Errorf(
						"step %d moves by %.6g instead of −η v = −%v·%.6g plus the noise %.6g",
						t, moved, o.Eta, v, r.noise)
				}
				if !quiet {
					return unchecked(
						"noise: it does not enter the iterate as it is drawn, and nothing is declared " +
							"(Options.Move)")
				}
			}
			if floats.Norm(v, 2) > 1e-3 {
				kappa, off := project(moved, v, 0)
				straight = straight && off <= zero
				lo, hi = min(lo, -kappa), max(hi, -kappa)
			}
		}
		if !quiet {
			continue
		}
		switch {
		case o.Move == OtherMove:
			return unchecked("steps: declared to be of another form than −η v")
		case !straight:
			return unchecked(
				"steps: the method does not move along its estimator, and nothing is declared (Options.Move)")
		case hi-lo > 1e-6*o.Eta:
			return unchecked(
				"steps: lengths between %.4g and %.4g times the estimator, and nothing is declared "+
					"(Options.Move)", lo, hi)
		case hi == 0:
			return unchecked("steps: there are none, and nothing is declared (Options.Move)")
		case math.Abs(hi-o.Eta) > 1e-6*o.Eta:
			return fmt.Errorf(
				"every step is −%.6g times the estimator, the step size is %v. A method that means "+
					"this declares algotest.OtherMove", hi, o.Eta)
		}
	}
	return nil
}

func checkSampling(s subject, o Options) error {
	p := s.standard()
	p.PerClient = make([]int64, p.P)
	r := &setRecorder{Randomness: algos.Seeded(6), noise: make([]float64, 4)}
	m, _, err := s.start(p, o.Eta, origin(4), r)
	if err != nil {
		return err
	}
	var left []recordedSet // sets that the step before drew and did not use
	for t := 0; t <= o.Steps; t++ {
		if t > 0 {
			r.forget()
			clear(p.PerClient)
			m.Step()
		}
		if s.federated {
			if err := attended(p.PerClient, r.sets, p.P); err != nil {
				return fmt.Errorf("step %d: %w", t, err)
			}
			continue
		}
		var used []recordedSet
		for _, h := range append(left, r.sets...) {
			if h.n == p.P {
				used = append(used, h)
			}
		}
		if len(used) > 5 {
			return unchecked("the use of drawn index sets: step %d draws %d of them", t, len(used))
		}
		times, ok := shares(p.PerClient, used)
		if !ok {
			return fmt.Errorf(
				"step %d draws %s and asks for the gradients of components 0 … %d so often: %v. No "+
					"number of full gradients and uses of whole sets makes that",
				t, describe(used), p.P-1, p.PerClient)
		}
		left = nil
		for k, h := range used {
			if times[k] == 0 {
				left = append(left, recordedSet{h.purpose, h.n, slices.Clone(h.idx)})
			}
		}
	}
	return nil
}

func describe(sets []recordedSet) string {
	if len(sets) == 0 {
		return "no index set"
	}
	out := ""
	for k, h := range sets {
		if k > 0 {
			out += ", "
		}
		out += fmt.Sprint(h.idx)
	}
	return out
}

// shares finds how often each set, besides full gradients, makes up the counts. It prefers that all
// sets are used.
func shares(counts []int64, sets []recordedSet) (times []int, ok bool) {
	times = make([]int, len(sets))
	rest := slices.Clone(counts)
	var try func(k int) bool
	try = func(k int) bool {
		if k == len(sets) {
			return slices.Min(rest) == slices.Max(rest) && rest[0] >= 0
		}
		for use := 4; use >= 0; use-- {
			for _, i := range sets[k].idx {
				rest[i] -= int64(use)
			}
			times[k] = use
			good := try(k + 1)
			for _, i := range sets[k].idx {
				rest[i] += int64(use)
			}
			if good {
				return true
			}
		}
		return false
	}
	return times, try(0)
}

// attended checks that only clients work that were drawn, or all, and that all drawn ones do.
func attended(per []int64, sets []recordedSet, P int) error {
	drawn, working := map[int]bool{}, 0
	for _, h := range sets {
		if h.purpose == algos.Clients || h.purpose == algos.Worker {
			for _, i := range h.idx {
				drawn[i] = true
				if h.purpose == algos.Clients && per[i] == 0 {
					return fmt.Errorf("client %d is drawn and computes nothing", i)
				}
			}
		}
	}
	for _, c := range per {
		if c > 0 {
			working++
		}
	}
	if working == P {
		return nil
	}
	for i, c := range per {
		if c > 0 && !drawn[i] {
			return fmt.Errorf("client %d computes %d gradients without being drawn", i, c)
		}
	}
	return nil
}

func checkOrder(s subject, o Options) error {
	n := s.alike().P
	want, err := s.path(s.alike(), o.Eta, origin(4), algos.Seeded(3), o.Steps)
	if err != nil {
		return err
	}
	r := &algos.Altered{Randomness: algos.Seeded(3), Ints: func(dst []int, _ int, _ algos.Purpose) {
		if len(dst) < n {
			// all indices in a random order are a permutation, which may mean more than a set
			slices.Reverse(dst)
		}
	}}
	got, err := s.path(s.alike(), o.Eta, origin(4), r, o.Steps)
	if err != nil {
		return err
	}
	return differ(got, want, o.Tolerance)
}

func checkReference(s subject, o Options) error {
	if o.Reference == nil {
		return unchecked("step by step against a naive form: none given (Options.Reference)")
	}
	naive, sizes, per := subject{o.Reference, s.federated}, []int{9, 5, 2, 1, 260}, 1
	if s.federated {
		sizes, per = []int{6, 3, 1}, 8
	}
	for _, n := range sizes {
		seeds, steps := uint64(2), o.Steps
		if n > 100 { // for what depends on the size
			seeds, steps = 1, min(o.Steps, 12)
		}
		for seed := range seeds {
			p := func() *testproblem.Problem { return testproblem.Wells(n, per, 4) }
			if seed > 0 {
				p = func() *testproblem.Problem { return testproblem.Saddles(n, per, 4) }
			}
			m, _, err := s.start(p(), o.Eta, origin(4), algos.Seeded(seed))
			if err != nil {
				return err
			}
			w, _, err := naive.start(p(), o.Eta, origin(4), algos.Seeded(seed))
			if err != nil {
				return fmt.Errorf("the naive form: %w", err)
			}
			for t := 0; ; t++ {
				for _, c := range []struct {
					what      string
					got, want []float64
				}{{"iterate", m.Point(), w.Point()}, {"estimator", m.Estimator(), w.Estimator()}} {
					if d := floats.Distance(c.got, c.want,
						2); !(d <= o.Tolerance*(1+floats.Norm(c.want, 2))) {
						return fmt.Errorf(
							"n = %d, seed %d, step %d: the %s is %.6g, that of the naive form %.6g",
							n, seed, t, c.what, c.got, c.want)
					}
				}
				if t == steps {
					break
				}
				m.Step()
				w.Step()
			}
		}
	}
	return nil
}
