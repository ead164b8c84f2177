//go:build unix

package main

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// Verbs about runs of methods end within two seconds of a SIGTERM, in whatever step they are, and leave the pages of an
// earlier call as they were.
func TestTerminated(t *testing.T) {
	dir := t.TempDir()
	command := filepath.Join(dir, "verify")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	r := rand.New(rand.NewPCG(3, 4))
	var rows bytes.Buffer
	for range 20000 {
		fmt.Fprintf(&rows, "%+d", 1-2*r.IntN(2))
		for k := range 60 {
			fmt.Fprintf(&rows, " %d:%.2f", 10*k+1+r.IntN(10), r.NormFloat64())
		}
		rows.WriteByte('\n')
	}
	data := filepath.Join(dir, "data")
	if err := os.WriteFile(data, rows.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name, args, said string
		after            time.Duration
	}{
		{"operate", "-data " + data + " -methods SARAH,GD -least 8192 -most 20000 -eps 1e-9",
			"interrupted before the curves were measured; nothing was written", 2 * time.Second},
		{"operate", "-data " + data, "interrupted before the curves were measured; nothing was written",
			50 * time.Millisecond},
		{"figures", "-tier deep fig5", "interrupted; the runs that were finished are kept in", 5 * time.Second},
		{"figures", "-tier standard fig1", "interrupted; the runs that were finished are kept in",
			200 * time.Millisecond},
		{"race", "-data " + data + " -methods GD", "interrupted before the race was over; nothing was written",
			time.Second},
	} {
		t.Run(c.name+" "+c.after.String(), func(t *testing.T) {
			out := t.TempDir()
			earlier := map[string]string{}
			for _, name := range []string{"operate.json", "race.html", "index.html", "fig5.json"} {
				earlier[name] = "what was there: " + name
				if err := os.WriteFile(filepath.Join(out, name), []byte(earlier[name]), 0o666); err != nil {
					t.Fatal(err)
				}
			}
			call := exec.Command(command, append([]string{c.name, "-out", out}, strings.Fields(c.args)...)...)
			var said bytes.Buffer
			call.Stderr = &said
			if err := call.Start(); err != nil {
				t.Fatal(err)
			}
			time.Sleep(c.after)
			if err := call.Process.Signal(syscall.SIGTERM); err != nil {
				t.Fatal(err)
			}
			asked := time.Now()
			err := call.Wait()
			if took := time.Since(asked); took > 2*time.Second {
				t.Errorf("it ended after %v", took)
			}
			if exit := (*exec.ExitError)(nil); !errors.As(err, &exit) || exit.ExitCode() != 130 {
				t.Errorf("it ended with %v, want exit status 130", err)
			}
			if !strings.Contains(said.String(), c.said) || strings.Count(said.String(), "\n") != 1 {
				t.Errorf("it said %q, want %q", said.String(), c.said)
			}
			for name, text := range earlier {
				if now, err := os.ReadFile(filepath.Join(out, name)); err != nil || string(now) != text {
					t.Errorf("%s holds %q: %v", name, now, err)
				}
			}
			if left, err := filepath.Glob(filepath.Join(out, "*", "*.tmp")); err != nil || len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}
