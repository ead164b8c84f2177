package props

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"sledge/props/keyed"
)

// part is one leaf of a check: it yields its own evidence.
type part interface {
	parts() []part
	run(e *execution) ([]Evidence, error)
	// replay evaluates what a token names.
	replay(e *execution, t *token) (*Evidence, []Pair, error)
	// tests returns how many confirmatory significance tests the part makes at a tier.
	tests(tier Tier) int
	settlement() *settlement
	// coheres returns why the part cannot have written evidence with a token, and complete why it
	// cannot have written no more and no less; see [Remade.Coheres].
	coheres(e *execution, t *token, ev *Evidence) error
	complete(e *execution, evidence []*Evidence) error
}

// execution is one run of one part of one claim.
type execution struct {
	ctx     context.Context
	cfg     *Config
	claim   string
	index   int // of the part within the claim
	key     keyed.Key
	idle    chan struct{} // tokens of idle workers
	lent    atomic.Int64  // nanoseconds that workers have spent here which were idle
	control *Control      // of the claim; nil if there is none
	// level of a test from which nothing is concluded; 0: the share of the family's level
	own float64
	// matter is what the runs of a confirmation report by [Trial.Content].
	matter content
	proved bool     // a certificate proves what is searched
	slice  *slicing // not nil if only some runs are to be made
	pooled bool     // of several seeds is the evidence that is looked at; see [Remade.Coheres]
}

// mostTests is the largest number of tests that a Config may name.
const mostTests = 1 << 24

// leastSlots is the smallest number of slots among which the family-wise level of a run is divided.
const leastSlots = 256

// Slots is the number of confirmatory tests among which the family-wise level of a run is divided:
// each test has the level Alpha/slots (an e-Bonferroni family with equal weights, valid under any
// dependence). It is a power of two, so that a few claims more or less change the numbers of no
// other claim.
func Slots(tests int) int {
	n := leastSlots
	for n < tests {
		n *= 2
	}
	return n
}

// Tests returns how many significance tests the claims make together at a tier, for [Config.Tests].
func Tests(claims []Claim, tier Tier) int {
	n := 0
	for i := range claims {
		if c := claims[i].Check; c != nil {
			for _, p := range c.parts() {
				n += p.tests(tier)
			}
		}
	}
	return n
}

// DefaultAlpha is the family-wise error level of a run whose Config names none.
const DefaultAlpha = 1e-3

// level is the significance level of one confirmatory test.
func (e *execution) level() float64 {
	if e.own > 0 {
		return e.own
	}
	return e.cfg.alpha() / float64(Slots(e.cfg.Tests))
}

func (c *Config) alpha() float64 {
	if c.Alpha == 0 {
		return DefaultAlpha
	}
	return c.Alpha
}

// budget scales a count for each tier by the effort of a check.
func (e *execution) budget(effort float64, least int, counts [3]int) int {
	if e.proved {
		effort *= crossCheck
	}
	return max(least, int(math.Round(effort*float64(counts[e.cfg.Tier]))))
}

// stream returns the key of a domain of randomness of this part: draws, attack, pilot, confirm.
// Domains share no bits.
func (e *execution) stream(domain string) keyed.Key { return e.key.With(domain) }

// spread calls f(worker, i) for i in [0, n), on the calling goroutine and on workers that are idle
// at the moment. f must write its result to a place of its own. Calls with equal worker are never
// concurrent. The order of calls is unspecified.
func (e *execution) spread(n int, f func(worker, i int)) {
	var next int
	var mu sync.Mutex
	var fault *panicked
	// the first i that panicked: everything before it has been handed out, so it does not depend on
	// the workers
	faulty := n
	loop := func(worker int) {
		i := -1
		defer func() {
			if p := recover(); p != nil {
				mu.Lock()
				if i < faulty {
					fault, faulty = wrapPanic(p), i
				}
				next = n
				mu.Unlock()
			}
		}()
		for {
			mu.Lock()
			i = next
			next++
			mu.Unlock()
			if i >= n || e.ctx.Err() != nil {
				return
			}
			f(worker, i)
		}
	}
	var wg sync.WaitGroup
	for worker := 1; worker < min(n, e.cfg.workers()); worker++ {
		if !e.borrow() {
			break
		}
		wg.Go(func() {
			began := time.Now()
			defer func() {
				e.lent.Add(int64(time.Since(began)))
				e.idle <- struct{}{}
			}()
			loop(worker)
		})
	}
	loop(0)
	wg.Wait()
	if fault != nil {
		panic(fault)
	}
}

// borrow takes the token of an idle worker, if there is one.
func (e *execution) borrow() bool {
	select {
	case <-e.idle:
		return true
	default:
		return false
	}
}

// bench holds what one worker needs to evaluate instances, reused from one to the next.
type bench struct {
	src    Source
	rec    Recorder
	matter content // of pilot runs
	inputs float64 // the largest magnitude of the choices behind an instance that is tested
	// the comparison of a run that is watched for when the run is repeated in another arithmetic
	watched *Pair
	room    any // of the runs; see Room
}

// trial is a pilot run.
func (b *bench) trial(key keyed.Key, i int) Trial {
	return Trial{Key: key.At(i), N: i, matter: &b.matter, room: &b.room}
}

// draw starts a new instance.
func (b *bench) draw(choose Chooser) (*Source, *Recorder) {
	return b.drawPerturbed(choose, keyed.Key{})
}

// drawPerturbed starts a new instance whose numbers are those of the chooser up to last bits, if
// the key is a perturbed one.
func (b *bench) drawPerturbed(choose Chooser, key keyed.Key) (*Source, *Recorder) {
	b.src.choose, b.src.tremor, b.src.ray = choose, key, 0
	b.src.Drawn, b.src.bulk, b.src.moved = b.src.Drawn[:0], false, false
	b.rec.reset()
	return &b.src, &b.rec
}

func sentence(parts ...string) string {
	said := slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return strings.Join(said, "; ")
}

// naming names a number that is derived from samples, which may have a name.
func naming(number, sample string) string {
	if sample == "" {
		return number
	}
	return number + " of " + sample
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}
