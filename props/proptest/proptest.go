// Package proptest runs claims inside go test: the engine of package props decides them at the
// quick tier, and pgregory.net/rapid, a property-testing library with a search of its own, attacks
// those that are expected to hold.
//
// Programs must not import this package: rapid registers flags and works only in test binaries.
package proptest

import (
	"context"
	"flag"
	"maps"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"sledge/props"
	"sledge/props/keyed"
)

// Check fails the test unless the engine reaches the expected verdict of the claim at the quick
// tier. If the verdict is that the claim holds, its deterministic parts must also survive the
// checks of rapid, all of which must have been executed and at least one of which must have met the
// premise.
func Check(t *testing.T, claim props.Claim) {
	t.Helper()
	results, err := props.Run(context.Background(), []props.Claim{claim},
		props.Config{Workers: runtime.GOMAXPROCS(0)})
	if err != nil {
		t.Fatal(err)
	}
	Examine(t, &results[0])
}

// Examine fails the test where [Check] does, given what a run at the quick tier found out about the
// claim.
func Examine(t *testing.T, r *props.Result) {
	t.Helper()
	if !r.AsExpected() {
		t.Errorf("verdict %v, expected to be %v: %s %s", r.Verdict, r.Claim.Expect,
			strings.Join(r.Unexpected(), "; "), r.Err)
		for i := range r.Evidence {
			ev := &r.Evidence[i]
			t.Logf("%v: %s: %v %s %v at %s; %s; replay %s", ev.Outcome(), ev.What, ev.Measured,
				ev.Relation, ev.Claimed, ev.Where, ev.Note, ev.Replay)
		}
		return
	}
	switch r.Verdict {
	case props.Proved, props.Supported, props.Consistent:
		if props.Searchable(&r.Claim) {
			attack(t, &r.Claim)
		}
	}
}

// Refuted fails the test unless the engine refutes each of the checks at the quick tier, with one of
// three seeds, which their order tells them; under -short of many checks every fourth. It is for
// wrong variants of true statements, such as a constant, an exponent, a sign or an index changed a
// little: they show that the check of the true statement can fail.
func Refuted(t *testing.T, wrong map[string]props.Check) {
	t.Helper()
	if len(wrong) == 0 {
		t.Fatal("no wrong statements to refute")
	}
	var claims [3][]props.Claim // by their seeds
	every := 1
	if testing.Short() {
		every = 4
	}
	for i, name := range slices.Sorted(maps.Keys(wrong)) {
		if i%every == 0 {
			seed := i % len(claims)
			claims[seed] = append(claims[seed], props.Claim{ID: words.Replace(name),
				Statement: name, Expect: props.Refuted, Check: wrong[name]})
		}
	}
	for seed := range claims {
		results, err := props.Run(context.Background(), claims[seed],
			props.Config{Seed: uint64(seed), Workers: runtime.GOMAXPROCS(0)})
		if err != nil {
			t.Fatal(err)
		}
		for i := range results {
			if r := &results[i]; r.Verdict != props.Refuted {
				t.Errorf("%s, seed %d: %v %s", r.Claim.Statement, seed, r.Verdict, r.Err)
			}
		}
	}
}

// words turns a name into an id.
var words = strings.NewReplacer(" ", "-", ":", "-")

// attack lets rapid look for a counterexample.
func attack(t *testing.T, c *props.Claim) {
	t.Helper()
	executed, met := 0, 0
	rapid.Check(t, func(rt *rapid.T) {
		// panic by which rapid gives up an instance while it shrinks; the engine takes it for one
		// of the check
		var own any
		choose := chooser(rt)
		p, err := props.Probe(c, func(c props.Choice) float64 {
			defer func() {
				if own = recover(); own != nil {
					panic(own)
				}
			}()
			return choose(c)
		})
		if own != nil {
			panic(own)
		}
		if err != nil {
			rt.Fatal(err)
		}
		executed++
		if p.Compared > 0 {
			met++
		}
		for _, f := range p.Failed {
			rt.Errorf("%s: %v %s %v fails at %s; replay %s", f.What, f.Measured, f.Relation,
				f.Claimed, p.Where, p.Replay)
		}
	})
	if n := planned(); executed < n {
		t.Errorf("rapid executed %d checks of %d", executed, n)
	}
	if met == 0 {
		t.Errorf("none of the %d instances of rapid met the premise", executed)
	}
}

// planned is the number of checks that rapid has been told to make.
func planned() int {
	f := flag.Lookup("rapid.checks")
	if f == nil {
		return 1
	}
	n, err := strconv.Atoi(f.Value.String())
	if err != nil {
		return 1
	}
	if testing.Short() {
		n /= 5
	}
	return n
}

// Source is a source of instances whose choices rapid makes, and shrinks: for whoever draws what a
// check draws in a test of their own.
func Source(t *rapid.T) *props.Source { return props.NewSource(chooser(t)) }

// chooser lets rapid make the choices of an instance. Its draws lean on small and special values,
// which is right for instances; never take the noise of a statistical check from it.
func chooser(t *rapid.T) props.Chooser {
	return func(c props.Choice) float64 {
		switch {
		case c.Int:
			return float64(rapid.IntRange(int(c.Lo), int(c.Hi)).Draw(t, c.Name))
		case c.Log:
			return c.At(rapid.Float64Range(0, 1).Draw(t, c.Name))
		}
		return rapid.Float64Range(c.Lo, c.Hi).Draw(t, c.Name)
	}
}

// Instances calls f on n instances, drawn in the ways of the engine (evenly, at corners,
// structured) from streams named after the test. It stops after the first instance on which the
// test has failed or panics, and logs its draws.
func Instances(t *testing.T, n int, f func(src *props.Source)) {
	t.Helper()
	if n < 1 {
		t.Fatalf("%d instances check nothing", n)
	}
	key := keyed.New(0).With(t.Name())
	for i := range n {
		instance(t, i, props.NewSource(props.Mixed(key, i)), f)
		if t.Failed() {
			return
		}
	}
}

func instance(t *testing.T, i int, src *props.Source, f func(*props.Source)) {
	t.Helper()
	passed := false
	defer func() {
		if !passed || t.Failed() {
			t.Logf("on instance %d: %s", i, src)
		}
	}()
	f(src)
	passed = true
}
