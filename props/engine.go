package props

import (
	"context"
	"errors"
	"fmt"
	"math"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"time"

	"sledge/props/keyed"
)

func (c *Config) workers() int { return max(1, c.Workers) }

func (c *Config) validate() error {
	switch {
	case c.Tier > Deep:
		return fmt.Errorf("props: there is no tier %d", c.Tier)
	case c.Alpha != 0 && !(c.Alpha > 0 && c.Alpha < 1):
		return fmt.Errorf("props: Alpha = %v is not between 0 and 1", c.Alpha)
	case c.Tests < 0 || c.Tests > mostTests:
		return fmt.Errorf("props: Tests = %d is not between 0 and %d", c.Tests, mostTests)
	}
	return nil
}

// Run checks the claims and returns their results in the same order. A cancelled context stops it
// early: the results that are ready come back with ctx.Err(). Checks that are in the middle of a
// long step then are left behind after a second: they end with the step, and are not heard of. A
// panic in a check becomes that claim's Error verdict.
//
// Results depend on Seed, Tier, Alpha, Tests and the claim alone: not on Workers, and not on the
// other claims of the run as long as Tests is given or their tests make the same power of two.
func Run(ctx context.Context, claims []Claim, cfg Config) ([]Result, error) {
	results, _, err := RunSlices(ctx, claims, nil, cfg)
	return results, err
}

// RunSlices does so, and before that makes slices of the runs of other claims.
func RunSlices(ctx context.Context, claims []Claim, slices []Slice,
	cfg Config) ([]Result, []Sliced, error) {
	if err := cfg.settle(claims); err != nil {
		return nil, nil, err
	}
	n := len(slices) + len(claims)
	results, sliced := make([]*Result, len(claims)), make([]*Sliced, len(slices))
	var mu sync.Mutex
	done, over := 0, false
	report := func(e Event, ready func()) { // what has become ready, if it is something
		mu.Lock()
		defer mu.Unlock()
		if over {
			return
		}
		if ready != nil {
			ready()
			done++
		}
		if e.Done, e.Total = done, n; cfg.Progress != nil {
			cfg.Progress(e)
		}
	}
	jobs := make(chan int)
	idle := make(chan struct{}, cfg.workers())
	busy := min(cfg.workers(), n)
	for range cfg.workers() - busy {
		idle <- struct{}{}
	}
	do := func(i int) {
		if i < len(slices) {
			s := &slices[i]
			report(Event{Claim: s.Claim}, nil)
			if made := runSlice(ctx, s, &cfg, idle); made != nil {
				report(Event{Claim: s.Claim, Sliced: made}, func() { sliced[i] = made })
			}
			return
		}
		i -= len(slices)
		report(Event{Claim: claims[i].ID}, nil)
		if r := runClaim(ctx, &claims[i], &cfg, idle); r != nil {
			report(Event{Claim: claims[i].ID, Result: r}, func() { results[i] = r })
		}
	}
	var wg sync.WaitGroup
	for range busy {
		wg.Go(func() {
			for i := range jobs {
				do(i)
			}
			idle <- struct{}{}
		})
	}
feed:
	for i := range n {
		select {
		case jobs <- i:
		case <-ctx.Done():
			break feed
		}
	}
	close(jobs)
	all := make(chan struct{})
	go func() {
		wg.Wait()
		close(all)
	}()
	select {
	case <-all:
	case <-ctx.Done():
		select {
		case <-all:
		case <-time.After(grace):
		}
	}
	mu.Lock()
	defer mu.Unlock()
	over = true
	out, parts := ready(results), ready(sliced)
	if len(out)+len(parts) < n {
		return out, parts, ctx.Err()
	}
	return out, parts, nil
}

// grace is how long a run that is cancelled waits for checks to end.
const grace = time.Second

// ready returns what is not nil.
func ready[T any](list []*T) []T {
	out := make([]T, 0, len(list))
	for _, p := range list {
		if p != nil {
			out = append(out, *p)
		}
	}
	return out
}

// settle validates a run and fills in the number of its tests.
func (c *Config) settle(claims []Claim) error {
	if err := c.validate(); err != nil {
		return err
	}
	seen := make(map[string]bool, len(claims))
	for i := range claims {
		id := claims[i].ID
		if id == "" || strings.ContainsAny(id, ": \t\n") {
			return fmt.Errorf(
				"props: claim %d has the id %q, which is empty or has a colon or a space", i, id)
		}
		if seen[id] {
			return fmt.Errorf("props: two claims have the id %q", id)
		}
		seen[id] = true
	}
	tests := Tests(claims, c.Tier)
	if c.Tests == 0 {
		c.Tests = tests
	}
	if c.Tests = Slots(c.Tests); tests > c.Tests {
		return fmt.Errorf(
			"props: the run makes %d significance tests, its error level is divided among %d",
			tests, c.Tests)
	}
	return nil
}

// runClaim returns nil if the context ended before the claim was decided.
func runClaim(ctx context.Context, c *Claim, cfg *Config, idle chan struct{}) *Result {
	start := time.Now()
	r := &Result{Claim: *c}
	if c.Check == nil {
		r.Err = "the claim has no check"
	} else {
		done := map[*settlement]*settled{}
		for i, p := range c.Check.parts() {
			e := newExecution(ctx, c, cfg, i)
			e.idle = idle
			began := time.Now()
			evidence, err := guard(func() ([]Evidence, error) { return runPart(p, e, done) })
			if ctx.Err() != nil {
				return nil
			}
			r.Cost = append(r.Cost, (time.Since(began) + time.Duration(e.lent.Load())).Seconds())
			if err != nil {
				r.Err = err.Error()
				break
			}
			for k := range evidence {
				evidence[k].settle(i)
			}
			r.Evidence = append(r.Evidence, evidence...)
		}
	}
	r.Verdict = fold(r)
	r.Otherwise = c.asksOtherwise(r, cfg)
	r.Seconds = time.Since(start).Seconds()
	return r
}

// runPart asks the procedure of a part first, if it has one.
func runPart(p part, e *execution, done map[*settlement]*settled) ([]Evidence, error) {
	by, err := p.settlement().try(e.cfg, done)
	if err != nil {
		return nil, err
	}
	e.proved = by.proved()
	evidence, err := p.run(e)
	if err != nil {
		return nil, err
	}
	return evidence, by.apply(evidence)
}

func newExecution(ctx context.Context, c *Claim, cfg *Config, index int) *execution {
	return &execution{ctx: ctx, cfg: cfg, claim: c.ID, index: index, control: c.Control,
		key: keyed.New(cfg.Seed).With(c.ID).At(index)}
}

// severity lists the verdicts from the worst to the best.
var severity = [...]Verdict{Error, Unknown, Refuted, Inconclusive, Vacuous, Consistent,
	Supported, Proved}

// fold is the only way to a verdict: the evidence decides it. A claim is as good as its worst part,
// and one that is supported by nothing but loose bounds, without a sharper form, is no more than
// consistent.
func fold(r *Result) Verdict {
	if r.Err != "" {
		return Error
	}
	count := map[Verdict]int{}
	for i := range r.Evidence {
		count[r.Evidence[i].outcome]++
	}
	for _, v := range severity {
		if count[v] > 0 {
			if v == Unknown || v == Error {
				r.Err = "a piece of evidence has no outcome"
				return Error
			}
			if v == Supported && isLoose(r.Evidence) && !r.Claim.Sharpened {
				return Consistent
			}
			return v
		}
	}
	r.Err = "the check yielded no evidence"
	return Error
}

// Follows reports whether a claim with such evidence may have the verdict. Whether its bounds may
// be loose is for the ledger to say, see [Remade.Verdict].
func Follows(v Verdict, evidence []Evidence) bool {
	loose, sharp := Result{Evidence: evidence}, Result{Evidence: evidence}
	sharp.Claim.Sharpened = true
	return v == fold(&loose) || v == fold(&sharp)
}

// panicked is a recovered panic with the places it passed through.
type panicked struct {
	value any
	stack string
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v%s", p.value, p.stack) }

// wrapPanic keeps the first places of a panic outside the engine and the runtime. It is to be
// called by the deferred function that recovers.
func wrapPanic(v any) *panicked {
	if p, ok := v.(*panicked); ok {
		return p
	}
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	var b strings.Builder
	for shown, more := 0, true; more && shown < 6; {
		var f runtime.Frame
		f, more = frames.Next()
		if strings.HasPrefix(f.Function, "runtime.") ||
			strings.HasPrefix(f.Function, "sledge/props.") &&
				!strings.HasSuffix(f.File, "_test.go") {
			continue
		}
		dir, file := filepath.Split(f.File)
		fmt.Fprintf(&b, "\n\tat %s (%s/%s:%d)", f.Function, filepath.Base(dir), file, f.Line)
		shown++
	}
	return &panicked{v, b.String()}
}

func guard[T any](f func() (T, error)) (out T, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = wrapPanic(p)
		}
	}()
	return f()
}

// guarded is guard for what returns nothing but an error.
func guarded(f func() error) error {
	_, err := guard(func() (struct{}, error) { return struct{}{}, f() })
	return err
}

// ErrNoClaim is what Replay returns for a token of a claim that it was not given.
var ErrNoClaim = errors.New(
	"props: the replay token names a claim that is not among the given ones")

// Replay re-evaluates the piece of evidence that a token names and returns it together with
// everything the check recorded there. For a randomised check it repeats the confirmation run. The
// numbers are those of the original evidence, bit for bit, as long as the claim and the processor
// architecture are the same.
func Replay(claims []Claim, replay string) (*Evidence, []Pair, error) {
	t, err := parseToken(replay)
	if err != nil {
		return nil, nil, err
	}
	for i := range claims {
		c := &claims[i]
		if c.ID != t.claim {
			continue
		}
		var parts []part
		if c.Check != nil {
			parts = c.Check.parts()
		}
		if t.index >= len(parts) {
			return nil, nil,
				fmt.Errorf("props: the replay token names check %d of claim %q, which has %d",
					t.index, t.claim,
					len(parts))
		}
		cfg := &Config{Seed: t.seed, Tier: t.tier, Alpha: t.alpha, Tests: t.tests}
		if err := cfg.validate(); err != nil {
			return nil, nil, err
		}
		e := newExecution(context.Background(), c, cfg, t.index)
		type pair struct {
			ev    *Evidence
			pairs []Pair
		}
		out, err := guard(func() (pair, error) {
			ev, pairs, err := parts[t.index].replay(e, t)
			if ev != nil {
				ev.settle(t.index)
			}
			return pair{ev, pairs}, err
		})
		return out.ev, out.pairs, err
	}
	return nil, nil, fmt.Errorf("%w: %q", ErrNoClaim, t.claim)
}

func (a all) parts() []part {
	var list []part
	for _, c := range a {
		list = append(list, c.parts()...)
	}
	return list
}

func (x *Enumerated) parts() []part  { return []part{x} }
func (x *Enumerated) tests(Tier) int { return 0 }

// record makes the comparisons of the check, every one of which is kept.
func (x *Enumerated) record() (*Recorder, error) {
	rec := &Recorder{exactOnly: true, tape: &tape{}}
	x.try(rec)
	return rec, rec.settle()
}

// run evaluates the check once. Every comparison must be exact.
func (x *Enumerated) run(e *execution) ([]Evidence, error) {
	rec, err := x.record()
	if err != nil {
		return nil, err
	}
	if rec.skipped != "" || len(rec.live) == 0 {
		return nil, errors.New("the exact check recorded nothing")
	}
	failed := slices.ContainsFunc(rec.live, func(s *slot) bool { return s.violations > 0 })
	written := rec.tape.certificate(x.domain, x.scope, failed)
	var evidence []Evidence
	for _, s := range rec.live {
		c := confirmed{pair: s.worst, at: s.at, certified: true}
		ev := c.evidence()
		ev.Certified, ev.Where, ev.Trials, ev.Violations = true, x.domain, s.count, s.violations
		ev.outcome = Proved
		if s.violations > 0 {
			ev.outcome = Refuted
		}
		if ev.outcome == Refuted == failed && written != nil {
			ev.Certificate, written = written, nil
		}
		if ev.outcome == Proved {
			ev.Scope, ev.Covers = x.scope, covered(x.domain, x.scope)
		}
		if r := s.at.ratio; s.worst.Relation != EQ && !math.IsNaN(r) {
			ev.Constant = r
		}
		ev.Replay = e.token(s.worst.What, domainWhole, nil)
		evidence = append(evidence, ev)
	}
	evidence[0].Chain, evidence[0].Curves = rec.links, curveOf(rec.points, rec.axis)
	return evidence, nil
}

func (x *Enumerated) replay(e *execution, t *token) (*Evidence, []Pair, error) {
	if t.domain != domainWhole {
		return nil, nil, errKind
	}
	evidence, err := x.run(e)
	if err != nil {
		return nil, nil, err
	}
	var found *Evidence
	var pairs []Pair
	for i := range evidence {
		ev := &evidence[i]
		pairs = append(pairs, ev.pair())
		if ev.What == t.what {
			found = ev
		}
	}
	if found == nil {
		return nil, pairs, fmt.Errorf("props: the check no longer compares %q", t.what)
	}
	return found, pairs, nil
}
