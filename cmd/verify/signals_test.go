//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// Every verb that can take long ends within two seconds of a SIGINT or SIGTERM, in whatever step it
// is, with status 130 and one sentence, and leaves what was there as it was.
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
	silent := filepath.Join(dir, "silent") // whoever reads it waits
	if err := syscall.Mkfifo(silent, 0o666); err != nil {
		t.Fatal(err)
	}
	var caught atomic.Int64
	for _, args := range [][]string{
		{"run", "-tier", "deep", "-out", "OUTrun"},
		{"calibrate", "-whole", "50"},
		{"mutate", "*"},
		{"record", "-write", kept, "*"},
		{"conformance", "-faults"},
		{"conjecture", "E‖v−∇f‖² ≤ c ζ²/b · S", "-method", "SARAH"},
		{"race", "-n", "20000", "-d", "50", "-gradients", "100000000", "-out", "OUTrace"},
		{"figures", "-out", "OUTfigures"}, {"tables", "-out", "OUTtables"},
		{"race", "-data", silent}, {"operate", "-data", silent},
		{"check", large}, {"check", "-v", large}, {"check", "-repeat", large},
		{"check", "-again", "3", large},
		{"check", "-rocq", "OUTrocq", large},
		{"diff", large, large}, {"merge", "-out", "OUTmerge", large, large},
		{"errata", "-out", "OUTerrata", large}, {"explain", "-report", large, "*"},
		{"baseline", "-out", kept, large}, {"replay", large},
	} {
		try := func(s syscall.Signal) {
			args := slices.Clone(args)
			for i, a := range args {
				args[i] = strings.Replace(a, "OUT", filepath.Join(dir, s.String()), 1)
			}
			what := fmt.Sprintf("%s %s, %v", args[0],
				strings.Join(args[1:min(2, len(args))], " "), s)
			call := exec.Command(command, args...)
			var said bytes.Buffer
			call.Stderr = &said
			if err := call.Start(); err != nil {
				t.Error(err)
				return
			}
			time.Sleep(800 * time.Millisecond)
			if err := call.Process.Signal(s); err != nil {
				t.Logf("%s: over before: %s", what, &said)
				return
			}
			asked := time.Now()
			err := call.Wait()
			if took := time.Since(asked); took > moment() {
				t.Errorf("%s: it ended after %v", what, took)
			}
			exit := (*exec.ExitError)(nil)
			if ended := errors.As(err, &exit); !ended || exit.ExitCode() != 130 {
				// it was over within the moment that it has
				if code := call.ProcessState.ExitCode(); code < 0 || code > 2 {
					t.Errorf("%s: it ended with %v, want exit status 130: %s", what, err, &said)
				}
				return
			}
			caught.Add(1)
			if !strings.Contains(said.String(), "interrupted") ||
				strings.Count(said.String(), "\n") != 1 {
				t.Errorf("%s: it said %q", what, &said)
			}
			if got, err := os.ReadFile(kept); err != nil || string(got) != before {
				t.Errorf("%s: what was there is %q, %v", what, got, err)
			}
		}
		var both sync.WaitGroup
		for _, s := range []syscall.Signal{syscall.SIGINT, syscall.SIGTERM} {
			both.Go(func() { try(s) })
		}
		both.Wait()
	}
	t.Logf("%d calls were interrupted", caught.Load())
	if caught.Load() < 22 { // the eleven that run for minutes, or wait, by either signal
		t.Errorf("only %d calls were interrupted", caught.Load())
	}
}
