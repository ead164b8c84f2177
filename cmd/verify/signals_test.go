//go:build unix

package main

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// Every verb that can take long ends within two seconds of a SIGINT or SIGTERM, one of which is
// drawn for it, in whatever step it is, with status 130 and one sentence, and leaves what was there
// as it was.
func TestSignals(t *testing.T) {
	if testing.Short() {
		t.Skip("half a minute")
	}
	command := built(t)
	dir := t.TempDir()
	large := filepath.Join(dir, "large.json") // whoever reads it is busy for seconds
	var b bytes.Buffer
	b.WriteString(`{"schema": "sledge/report/v2", "claims": [`)
	for i := range 20000 {
		fmt.Fprintf(&b,
			"%s\n"+`{"id": "c%d", "verdict": "refuted", "expected": "proved", "statement": "%s"}`,
			strings.Repeat(",", min(i, 1)), i, strings.Repeat("a ≤ b ", 700))
	}
	b.WriteString("]}\n")
	if err := os.WriteFile(large, b.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	before := "{}\n"
	kept := filepath.Join(dir, "kept.json")
	if err := os.WriteFile(kept, []byte(before), 0o666); err != nil {
		t.Fatal(err)
	}
	// whoever opens them waits
	silent, unread := filepath.Join(dir, "silent"), filepath.Join(dir, "unread")
	for _, pipe := range []string{silent, unread} {
		if err := syscall.Mkfifo(pipe, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	calls := [][]string{
		{"run", "-tier", "deep", "-out", "OUTrun"},
		{"calibrate", "-whole", "50"},
		{"mutate", "*"},
		{"record", "-write", kept, "*"},
		{"conformance", "-faults"},
		{"conjecture", "E‖v−∇f‖² ≤ c ζ²/b · S", "-method", "SARAH"},
		{"race", "-n", "20000", "-d", "50", "-gradients", "100000000", "-out", "OUTrace"},
		{"figures", "-out", "OUTfigures"}, {"tables", "-out", "OUTtables"},
		{"race", "-data", silent}, {"operate", "-data", silent},
		{"run", "-json", unread, "-out", "OUTjson", "first-step-size-choice"},
		{"run", "-junit", unread, "-out", "OUTjunit", "first-step-size-choice"},
		{"check", large}, {"check", "-v", large}, {"check", "-repeat", large},
		{"check", "-again", "3", large},
		{"check", "-rocq", "OUTrocq", large},
		{"diff", large, large}, {"merge", "-out", "OUTmerge", large, large},
		{"errata", "-out", "OUTerrata", large}, {"explain", "-report", large, "*"},
		{"baseline", "-out", kept, large}, {"replay", large},
	}
	caught := 0
	for two := range slices.Chunk(calls, 2) { // at once
		signals, ends := make([]syscall.Signal, len(two)), make([]stopped, len(two))
		call := func(i int) *exec.Cmd {
			args := slices.Clone(two[i])
			for k, a := range args {
				args[k] = strings.Replace(a, "OUT", filepath.Join(dir, signals[i].String()), 1)
			}
			return exec.Command(command, args...)
		}
		var both sync.WaitGroup
		for i := range two {
			signals[i] = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM}[rand.IntN(2)]
			both.Go(func() { ends[i] = stop(t, call(i), signals[i], early) })
		}
		both.Wait()
		for i, args := range two {
			what := fmt.Sprintf("%s, %v", strings.Join(args[:2], " "), signals[i])
			end := again(t, ends[i], func() *exec.Cmd { return call(i) }, signals[i])
			switch {
			case end.over:
				t.Logf("%s: over before: %s", what, end.said)
				continue
			case end.took > moment():
				t.Errorf("%s: it ended after %v", what, end.took)
			}
			if end.code != 130 { // it was over within the moment that it has
				if end.code < 0 || end.code > 2 {
					t.Errorf("%s: exit status %d, want 130: %s", what, end.code, end.said)
				}
				continue
			}
			caught++
			if !strings.Contains(end.said, "interrupted") || strings.Count(end.said, "\n") != 1 {
				t.Errorf("%s: it said %q", what, end.said)
			}
			if got, err := os.ReadFile(kept); err != nil || string(got) != before {
				t.Errorf("%s: what was there is %q, %v", what, got, err)
			}
		}
	}
	t.Logf("%d calls were interrupted", caught)
	if caught < 13 { // those that run for minutes, or wait
		t.Errorf("only %d calls were interrupted", caught)
	}
}

// stopped is how a call ended that was sent a signal.
type stopped struct {
	over bool          // before it was sent
	took time.Duration // from then on
	code int           // exit status, below zero if the signal itself ended it
	said string
}

// early is long enough for a call to hear signals, and shorter than its work.
const early = 800 * time.Millisecond

// stop starts a call and sends it a signal after a while.
func stop(t *testing.T, call *exec.Cmd, s syscall.Signal, after time.Duration) (end stopped) {
	var said bytes.Buffer
	call.Stderr = &said
	if err := call.Start(); err != nil {
		t.Error(err)
		return stopped{over: true}
	}
	time.Sleep(after)
	end.over = call.Process.Signal(s) != nil
	asked := time.Now()
	_ = call.Wait() // the status says it
	end.took, end.code, end.said = time.Since(asked), call.ProcessState.ExitCode(), said.String()
	return end
}

// again repeats a call, with no other beside it, that took too long to end or that the signal ended
// before it could hear it: twice, since what else the machine does comes and goes. A deaf call is
// too slow each time.
func again(t *testing.T, end stopped, call func() *exec.Cmd, s syscall.Signal) stopped {
	after := early
	for range 2 {
		if end.over || end.took <= moment() && end.code >= 0 {
			break
		}
		t.Logf("%q: exit status %d after %v, once more", end.said, end.code, end.took)
		after *= 2
		end = stop(t, call(), s, after)
	}
	return end
}
