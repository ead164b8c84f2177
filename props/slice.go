package props

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"
	"strconv"
	"sync"
	"time"

	"sledge/props/keyed"
)

// Slice is a part of the runs behind one claim, for a run that is divided among processes. Only the
// runs of slopes can be divided whose instance does not depend on a search; [Divisible] says which.
// They take by far the longest: of a whole standard run, one of them takes a seventh.
// What slices yield is handed to the run that decides the claim, as [Config.Kept]; that one makes
// what is left, so that its result is the same whatever the slices were.
type Slice struct {
	Claim string `json:"claim"`
	K     int    `json:"k"` // this one, from 1 to Of
	Of    int    `json:"of"`
	// Runs is how many runs of each part of the check all slices make together, as far as is
	// foreseen; none for a part that is not divided.
	Runs []int `json:"runs"`

	claim *Claim
}

// Sliced is what a slice has yielded.
type Sliced struct {
	Slice
	Seconds float64 `json:"seconds"`
	Err     string  `json:"error,omitempty"`
	// Kept are the outcomes of runs as bits, by the streams of their randomness.
	Kept map[string][]uint64 `json:"kept"`
}

// Divisible returns, for each part of a check, whether its runs can be divided.
func Divisible(c Check) []bool {
	var out []bool
	for _, p := range c.parts() {
		d, ok := p.(interface{ divisible() bool })
		out = append(out, ok && p.settlement() == nil && d.divisible())
	}
	return out
}

// divisible reports whether runs are costly, and there is only one instance, which no search has to
// find.
func (r *sampled[T]) divisible() bool {
	if !r.method.costly {
		return false
	}
	src := NewSource(middle)
	r.setup(src)
	return len(src.Drawn) == 0
}

// Divide cuts the runs of a claim into so many slices. Runs says how many there are in each part,
// none in those that are not divided.
func Divide(c *Claim, of int, runs []int) []Slice {
	var out []Slice
	for k := range of {
		out = append(out, Slice{c.ID, k + 1, of, runs, c})
	}
	return out
}

// errSliced ends a test of which only some runs were to be made.
var errSliced = errors.New("props: only some of the runs were to be made")

// slicing is what makes the runs of one slice, and keeps their outcomes.
type slicing struct {
	*Slice
	wanted int // runs of the part that is being made
	next   int // number of what is shared out one by one

	mu   sync.Mutex
	kept map[string][]uint64
}

// mine reports whether the i-th of several runs is to be made here.
func (s *slicing) mine(i int) bool { return i%s.Of == s.K-1 }

// runSlice makes the runs of a slice. It returns nil if the context ended before that.
func runSlice(ctx context.Context, s *Slice, cfg *Config, idle chan struct{}) *Sliced {
	start := time.Now()
	out := &Sliced{Slice: *s}
	made := &slicing{Slice: s, kept: map[string][]uint64{}}
	for i, p := range s.claim.Check.parts() {
		if i >= len(s.Runs) || s.Runs[i] == 0 {
			continue
		}
		e := newExecution(ctx, s.claim, cfg, i)
		e.idle, e.slice = idle, made
		made.wanted, made.next = s.Runs[i], 0
		_, err := guard(func() ([]Evidence, error) { return p.run(e) })
		if ctx.Err() != nil {
			return nil
		}
		if err != nil && !errors.Is(err, errSliced) {
			out.Err = err.Error()
			break
		}
	}
	out.Kept, out.Seconds = made.kept, time.Since(start).Seconds()
	return out
}

// keep notes what has come of a stream: the bits of its values, and of what it reported by
// [Trial.Content].
func (e *execution) keep(key keyed.Key, values []float64, matter content) {
	var bits []uint64
	for _, x := range slices.Concat(values, []float64{matter.sum, matter.count}) {
		bits = append(bits, math.Float64bits(x))
	}
	e.slice.mu.Lock()
	defer e.slice.mu.Unlock()
	e.slice.kept[streamName(key)] = bits
}

// makeSlice makes the runs of a test that belong to this slice: every Of-th, and, once, what tells
// whether runs share state. It always ends in an error.
func makeSlice[T any](e *execution, again func() *T, key keyed.Key, budget int,
	run func(*T, *bench, Trial) ([]float64, error)) error {
	s := e.slice
	var own []int
	for i := s.K - 1; i < min(s.wanted, budget); i += s.Of {
		own = append(own, i)
	}
	insts := make([]*T, e.cfg.workers())
	errs := make([]error, len(own))
	benches := make([]bench, e.cfg.workers())
	e.spread(len(own), func(worker, i int) {
		if insts[worker] == nil {
			insts[worker] = again()
		}
		var matter content
		out, err := run(insts[worker], &benches[worker],
			Trial{Key: key.At(own[i]), N: own[i], matter: &matter})
		if errs[i] = err; err == nil {
			e.keep(key.At(own[i]), out, matter)
		}
	})
	if err := errors.Join(e.ctx.Err(), cmp.Or(errs...)); err != nil {
		return err
	}
	if s.mine(0) {
		out, err := repetition(nil, again, key, run)
		if err != nil {
			return err
		}
		e.keep(key.With("repeated"), out, content{})
	}
	return errSliced
}

// repetition makes run 0 on the instance of run 1, or, if that is nil, on a fresh one after run 1.
func repetition[T, R any](inst *T, again func() *T, key keyed.Key,
	run func(*T, *bench, Trial) (R, error)) (R, error) {
	var b bench
	var matter content
	if inst == nil {
		inst = again()
		if out, err := run(inst, &b, Trial{Key: key.At(1), N: 1, matter: &matter}); err != nil {
			return out, err
		}
	}
	return run(inst, &b, Trial{Key: key.At(0), N: 0, matter: &matter})
}

// streamName names a stream of randomness.
func streamName(key keyed.Key) string {
	name := strconv.FormatUint(key.Seed(), 36)
	if key.Trembles() {
		name += "~" + strconv.FormatUint(key.Reach(), 36)
	}
	return name
}

// recall returns what a slice has kept of a stream, if one has.
func recall[R any](e *execution, key keyed.Key, matter *content) (value R, ok bool) {
	values, ok := any(&value).(*[]float64)
	if !ok || len(e.cfg.Kept) == 0 {
		return value, false
	}
	bits := e.cfg.Kept[streamName(key)]
	n := len(bits) - 2
	if n < 1 {
		return value, false
	}
	for _, b := range bits[:n] {
		*values = append(*values, math.Float64frombits(b))
	}
	*matter = content{math.Float64frombits(bits[n]), math.Float64frombits(bits[n+1])}
	return value, true
}
