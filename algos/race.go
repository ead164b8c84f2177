package algos

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"sledge/props/keyed"
)

// Entrant is a method with everything but its step size, ready to race.
type Entrant struct {
	Name string
	eta  float64 // if positive, the step size it races with, untuned
	run  func(ctx context.Context, eta float64, key keyed.Key, lim Limits) (*Trace, error)
}

// Fixed returns the entrant under another name with a step size that is not tuned. The function
// that it was entered with is called with that one.
func (e Entrant) Fixed(name string, eta float64) Entrant {
	e.Name, e.eta = name, eta
	return e
}

// Enter enters a method for a race on p from x0. make returns a fresh method with the given step
// size.
func Enter(p Problem, x0 []float64, make func(eta float64) Method) Entrant {
	return EnterFrom(p, func(keyed.Key) []float64 { return x0 }, make)
}

// EnterFrom enters a method whose runs start from points of their own: start is called with a key
// of the run that is the same for all entrants.
func EnterFrom(p Problem, start func(keyed.Key) []float64, make func(eta float64) Method) Entrant {
	return Entrant{make(1).Name(), 0,
		func(ctx context.Context, eta float64, key keyed.Key, lim Limits) (*Trace, error) {
			return Run(ctx, make(eta), p, start(key.With("start")), Keyed(key), lim)
		}}
}

// Rememberer is the optional ability of a method to say how many float64 it keeps between steps.
type Rememberer interface{ Memory() int }

func memory(m Method) int {
	if r, ok := m.(Rememberer); ok {
		return r.Memory()
	}
	return 0
}

// RaceOptions says how a race is run.
type RaceOptions struct {
	Etas   []float64 // step sizes to try; with more than one, each entrant races with its best
	Limits Limits    // of every run; usually a gradient count or a number of rounds
	Seeds  int       // independent runs at the chosen step size; default 3
	Seed   uint64    // root of all randomness; tuning and racing use different branches
	// tune all entrants on the same random choices, as they race on the same, instead of each on
	// its own
	Common  bool
	Workers int // parallel runs; default the number of processors
	// Score rates a finished run, lower is better, NaN worst; the default is the gradient norm of
	// the last record, +Inf for diverged runs.
	Score func(*Trace) float64
	// Score, like the default, looks at the last record alone: runs that choose a step size are
	// then recorded at their start and end only
	AtEnd    bool
	Progress func(done, total int) // called from one goroutine at a time; may be nil
	// Keep, if not nil, stands between the race and every run: it returns the trace of run(), or
	// one that it has kept from an earlier race with the same settings, or [ErrElsewhere]. It is
	// called from several goroutines.
	Keep func(h Heat, run func() (*Trace, error)) (*Trace, error)
}

// Heat is one run of a race.
type Heat struct {
	Entrant string
	Eta     float64
	Tuning  bool      // it is one of those by which the step size is chosen
	N       int       // number of the seed, or of the step size that is tried
	Key     keyed.Key // of all its randomness
}

// ErrElsewhere says of a run that another process makes it. The race goes on without it: an entrant
// whose step size is not known yet does not run.
var ErrElsewhere = errors.New("algos: some runs are made elsewhere")

// RaceResult is what a race found about one entrant.
type RaceResult struct {
	Name string
	Eta  float64 // the step size raced with
	// the score of each step size tried, in the order of RaceOptions.Etas; nil if it was not tuned
	Scores []float64
	Traces []*Trace // one for each seed
}

// LastGradientNorm is the default score.
func LastGradientNorm(tr *Trace) float64 {
	g := tr.Records[len(tr.Records)-1].GradientNorm
	if tr.Stopped == "diverged" || math.IsNaN(g) {
		return math.Inf(1)
	}
	return g
}

// Race tunes each entrant's step size on one seed of its own, unless it is fixed, and then runs it
// with the best one on fresh seeds. Results do not depend on the number of workers. A parameter
// error of any entrant ends the race; a cancelled context ends it with ctx.Err(). Where runs are
// made elsewhere their traces are nil, and the error is [ErrElsewhere].
func Race(ctx context.Context, entrants []Entrant, opt RaceOptions) ([]RaceResult, error) {
	if len(entrants) == 0 || len(opt.Etas) == 0 {
		return nil, fmt.Errorf("algos: a race needs entrants and step sizes, got %d and %d",
			len(entrants), len(opt.Etas))
	}
	if opt.Seeds <= 0 {
		opt.Seeds = 3
	}
	if opt.Score == nil {
		opt.Score, opt.AtEnd = LastGradientNorm, true
	}
	brief := opt.Limits
	if opt.AtEnd && brief.GradientNorm == 0 {
		brief.Every, brief.EveryGradients = math.MaxInt, 0
	}
	root := keyed.New(opt.Seed)
	results := make([]RaceResult, len(entrants))
	var tuned []int // entrants whose step size is to be found
	for i, e := range entrants {
		results[i] = RaceResult{Name: e.Name, Eta: opt.Etas[0], Traces: make([]*Trace, opt.Seeds)}
		if e.eta > 0 {
			results[i].Eta = e.eta
		} else if len(opt.Etas) > 1 {
			results[i].Scores = make([]float64, len(opt.Etas))
			tuned = append(tuned, i)
		}
	}
	tuning := len(tuned) * len(opt.Etas)
	done, total := 0, tuning+len(entrants)*opt.Seeds
	var mu sync.Mutex
	tick := func() {
		mu.Lock()
		defer mu.Unlock()
		done++
		if opt.Progress != nil {
			opt.Progress(done, total)
		}
	}
	var elsewhere atomic.Bool
	run := func(e Entrant, h Heat) (tr *Trace, err error) {
		lim := opt.Limits
		if h.Tuning {
			lim = brief
		}
		do := func() (*Trace, error) { return e.run(ctx, h.Eta, h.Key, lim) }
		h.Entrant = e.Name
		if opt.Keep == nil {
			tr, err = do()
		} else if tr, err = opt.Keep(h, do); errors.Is(err, ErrElsewhere) {
			elsewhere.Store(true)
			return nil, nil
		}
		return tr, err
	}
	if tuning > 0 {
		err := parallel(opt.Workers, tuning, func(job int) error {
			i, k := tuned[job/len(opt.Etas)], job%len(opt.Etas)
			key := root.With("tune")
			if !opt.Common {
				key = key.With(entrants[i].Name)
			}
			tr, err := run(entrants[i], Heat{Eta: opt.Etas[k], Tuning: true, N: k, Key: key})
			if err != nil {
				return err
			}
			if tr == nil {
				results[i].Scores[k] = math.NaN()
				return ctx.Err()
			}
			if results[i].Scores[k] = opt.Score(tr); math.IsNaN(results[i].Scores[k]) {
				results[i].Scores[k] = math.Inf(1)
			}
			tick()
			return ctx.Err()
		})
		if err != nil {
			return nil, err
		}
		for _, i := range tuned {
			if results[i].Eta = 0; slices.ContainsFunc(results[i].Scores, math.IsNaN) {
				continue
			}
			best := slices.Index(results[i].Scores, slices.Min(results[i].Scores))
			results[i].Eta = opt.Etas[max(best, 0)]
		}
	}
	err := parallel(opt.Workers, len(entrants)*opt.Seeds, func(job int) error {
		i, k := job/opt.Seeds, job%opt.Seeds
		if results[i].Eta == 0 {
			return ctx.Err()
		}
		tr, err := run(entrants[i], Heat{Eta: results[i].Eta, N: k, Key: root.With("race").At(k)})
		if err != nil {
			return err
		}
		if results[i].Traces[k] = tr; tr != nil {
			tick()
		}
		return ctx.Err()
	})
	if err == nil && elsewhere.Load() {
		err = ErrElsewhere
	}
	return results, err
}

// parallel runs the jobs on the given number of workers and returns the error of the first failing
// job.
func parallel(workers, jobs int, do func(job int) error) error {
	if workers <= 0 {
		workers = runtime.GOMAXPROCS(0)
	}
	errs := make([]error, jobs)
	next := make(chan int)
	var wg sync.WaitGroup
	var failed sync.Once
	stop := make(chan struct{})
	for range min(workers, jobs) {
		wg.Go(func() {
			for j := range next {
				if errs[j] = do(j); errs[j] != nil {
					failed.Do(func() { close(stop) })
				}
			}
		})
	}
feed:
	for j := range jobs {
		select {
		case next <- j:
		case <-stop:
			break feed
		}
	}
	close(next)
	wg.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
