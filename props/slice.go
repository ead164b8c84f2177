package props

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"strconv"
	"sync"
	"time"

	"sledge/props/keyed"
)

// Slice is a part of the runs behind one claim, for a run that is divided among processes. Only the
// runs of tests can be divided whose instance does not depend on a search; [Divisible] says which.
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
	// outcomes of runs, by the streams of their randomness
	Kept map[string]json.RawMessage `json:"kept"`
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

// divisible reports whether there is only one instance, which no search has to find.
func (r *sampled[T]) divisible() bool {
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
	kept map[string]json.RawMessage
	err  error
}

// mine reports whether the i-th of several runs is to be made here.
func (s *slicing) mine(i int) bool { return i%s.Of == s.K-1 }

// runSlice makes the runs of a slice. It returns nil if the context ended before that.
func runSlice(ctx context.Context, s *Slice, cfg *Config, idle chan struct{}) *Sliced {
	start := time.Now()
	out := &Sliced{Slice: *s}
	made := &slicing{Slice: s, kept: map[string]json.RawMessage{}}
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
		if err = errors.Join(made.err, err); err != nil && !errors.Is(err, errSliced) {
			out.Err = err.Error()
			break
		}
	}
	out.Kept, out.Seconds = made.kept, time.Since(start).Seconds()
	return out
}

// outcome is a run as it is kept: what it yields, and what it reported by [Trial.Content].
type outcome struct {
	Out   any `json:"out"`
	Sum   Num `json:"sum,omitempty"`
	Count int `json:"count,omitempty"`
}

// keep notes what has come of a stream.
func (e *execution) keep(key keyed.Key, value any, matter content) {
	text, err := json.Marshal(outcome{packed(value), Num(matter.sum), int(matter.count)})
	e.slice.mu.Lock()
	defer e.slice.mu.Unlock()
	e.slice.kept[streamName(key)], e.slice.err = text, errors.Join(e.slice.err, err)
}

// makeSlice makes the runs of a test that belong to this slice: every Of-th, and, once, what tells
// whether runs share state. It always ends in an error.
func makeSlice[T, R any](e *execution, again func() *T, key keyed.Key, budget int,
	run func(*T, *bench, Trial) (R, error)) error {
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
	if err := errors.Join(e.ctx.Err(), first(errs)); err != nil {
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

// recall returns what a slice has kept of a stream, if one has. What cannot be read is made anew.
func recall[R any](e *execution, key keyed.Key, matter *content) (value R, ok bool) {
	text, kept := e.cfg.Kept[streamName(key)]
	if !kept {
		return value, false
	}
	into, put := unpacked(&value)
	o := outcome{Out: into}
	if err := json.Unmarshal(text, &o); err != nil {
		return value, false
	}
	put()
	*matter = content{float64(o.Sum), float64(o.Count)}
	return value, true
}

// packed is the outcome of a run as JSON holds it, unpacked where to read it and how it becomes the
// outcome again.
func packed(v any) any {
	switch v := v.(type) {
	case float64:
		return exact(v)
	case []float64:
		out := make([]exact, len(v))
		for i, x := range v {
			out[i] = exact(x)
		}
		return out
	case [2]float64:
		return packed(v[:])
	case hit:
		return keptHit{v.time, v.ok, v.unsettled}
	case tailOutcome:
		return v.packed()
	}
	panic(fmt.Sprintf("props: runs that yield %T are not kept", v))
}

func unpacked(into any) (any, func()) {
	switch p := into.(type) {
	case *float64:
		var x exact
		return &x, func() { *p = float64(x) }
	case *[]float64:
		var xs []exact
		return &xs, func() {
			for _, x := range xs {
				*p = append(*p, float64(x))
			}
		}
	case *[2]float64:
		var xs [2]exact
		return &xs, func() { *p = [2]float64{float64(xs[0]), float64(xs[1])} }
	case *hit:
		var k keptHit
		return &k, func() { *p = hit{k.Time, k.OK, k.Unsettled} }
	case *tailOutcome:
		var k keptTail
		return &k, func() { *p = k.unpacked() }
	}
	panic(fmt.Sprintf("props: runs that yield %T are not kept", into))
}

type keptHit struct {
	Time      int
	OK        bool
	Unsettled bool
}

// keptTail is a tailOutcome on paper. The exact numbers of its worst comparison have decided what
// they were there for.
type keptTail struct {
	Broken, Skipped, Unsettled, Void bool
	Ratio, Measured, Claimed         exact
	Excess, AtRatio, Clear           exact
	AtBroken, Tie, Doubt, AtVoid     bool
	What                             string
	Relation                         Relation
	Names                            int
	First                            string
	Points                           [][3]exact
	Axis                             [3]string
	Links                            []keptLink
}

type keptLink struct {
	Name  string
	Value exact
}

func (o tailOutcome) packed() keptTail {
	k := keptTail{o.broken, o.skipped, o.unsettled, o.void, exact(o.ratio), exact(o.pair.Measured),
		exact(o.pair.Claimed),
		exact(o.at.excess), exact(o.at.ratio), exact(o.at.clear), o.at.broken, o.at.tie, o.at.doubt,
		o.at.void, o.pair.What, o.pair.Relation, o.names, o.first, nil, o.axis, nil}
	for _, p := range o.points {
		k.Points = append(k.Points, [3]exact{exact(p.x), exact(p.measured), exact(p.claimed)})
	}
	for _, l := range o.links {
		k.Links = append(k.Links, keptLink{l.Name, exact(l.Value)})
	}
	return k
}

func (k keptTail) unpacked() tailOutcome {
	o := tailOutcome{broken: k.Broken, skipped: k.Skipped, unsettled: k.Unsettled, void: k.Void,
		ratio: float64(k.Ratio),
		pair: Pair{What: k.What, Measured: float64(k.Measured), Claimed: float64(k.Claimed),
			Relation: k.Relation},
		at: standing{float64(k.Excess), float64(k.AtRatio), k.AtBroken, k.Tie, k.Doubt, k.AtVoid,
			float64(k.Clear)},
		names: k.Names, first: k.First, axis: k.Axis}
	for _, p := range k.Points {
		o.points = append(o.points, point{float64(p[0]), float64(p[1]), float64(p[2])})
	}
	for _, l := range k.Links {
		o.links = append(o.links, Link{l.Name, Num(l.Value)})
	}
	return o
}

// exact is a number that JSON brings back bit for bit, infinite ones and NaN included.
type exact float64

// MarshalJSON writes the shortest number that reads back the same, or a word.
func (x exact) MarshalJSON() ([]byte, error) {
	if v := float64(x); math.IsNaN(v) || math.IsInf(v, 0) {
		return []byte(strconv.Quote(strconv.FormatFloat(v, 'g', -1, 64))), nil
	}
	return json.Marshal(float64(x))
}

// UnmarshalJSON reads what MarshalJSON writes.
func (x *exact) UnmarshalJSON(b []byte) error {
	if len(b) > 1 && b[0] == '"' {
		b = b[1 : len(b)-1]
	}
	v, err := strconv.ParseFloat(string(b), 64)
	*x = exact(v)
	return err
}
