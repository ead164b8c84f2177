//go:build unix

package main

import (
	"bytes"
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

// Verbs that run methods end within two seconds of a SIGTERM, in whatever step they are, and leave
// the pages of an earlier call as they were.
func TestTerminated(t *testing.T) {
	if testing.Short() {
		t.Skip("runs are begun, and interrupted after seconds")
	}
	dir := t.TempDir()
	command := built(t)
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
		{"operate", "-data " + data, // some point may be finished
			"interrupted before the curves were measured; ", 500 * time.Millisecond},
		{"figures", "-tier deep fig5", "interrupted; the runs that were finished are kept in",
			5 * time.Second},
		{"figures", "-tier standard fig1", "interrupted; the runs that were finished are kept in",
			500 * time.Millisecond},
		{"run", "-tier deep measured/table1-spider-nonconvex",
			"0 of 1 claims were checked; -resume goes on", 3 * time.Second},
		{"race", "-data " + data + " -methods GD -gradients 1000000000",
			"interrupted before the race was over; nothing was written",
			time.Second},
	} {
		t.Run(c.name+" "+c.after.String(), func(t *testing.T) {
			out := t.TempDir()
			earlier := map[string]string{}
			for _, name := range []string{"operate.json", "race.html", "fig5.json"} {
				earlier[name] = `"sledge/comparison/v1" content="sledge/comparison" was there: ` + name
				if err := os.WriteFile(filepath.Join(out, name), []byte(earlier[name]),
					0o666); err != nil {
					t.Fatal(err)
				}
			}
			call := func() *exec.Cmd {
				return exec.Command(command, append([]string{c.name, "-out", out},
					strings.Fields(c.args)...)...)
			}
			var end stopped
			for after := c.after; after < time.Minute; after *= 2 {
				end = again(t, stop(t, call(), syscall.SIGTERM, after), call, syscall.SIGTERM)
				if end.said != "verify: interrupted; nothing was written\n" {
					break // the action had begun
				}
			}
			if end.took > moment() {
				t.Errorf("it ended after %v", end.took)
			}
			if end.code != 130 {
				t.Errorf("exit status %d, want 130", end.code)
			}
			if !strings.Contains(end.said, c.said) || strings.Count(end.said, "\n") != 1 {
				t.Errorf("it said %q, want %q", end.said, c.said)
			}
			for name, text := range earlier {
				if now, err := os.ReadFile(filepath.Join(out, name)); err != nil ||
					string(now) != text {
					t.Errorf("%s holds %.60q: %v", name, now, err)
				}
			}
			if left, err := filepath.Glob(filepath.Join(out, "*", "*.tmp")); err != nil ||
				len(left) > 0 {
				t.Errorf("left behind: %v, %v", left, err)
			}
		})
	}
}

// A race on networks that is stopped keeps the runs that are over, says how many, and goes on to
// the page of a race that was never stopped. A pipe is told nothing else.
func TestStoppedRace(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds of races")
	}
	command, dir := built(t), t.TempDir()
	race := func(out string) *exec.Cmd {
		return exec.Command(command, "race", "-problem", "network", "-hidden", "6", "-examples",
			"300", "-n", "30", "-gradients", "1500", "-seeds", "2", "-methods", "SLEDGE-II,GD",
			"-times=false", "-j", "1", "-out", filepath.Join(dir, out))
	}
	if out, err := race("whole").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	log := filepath.Join(dir, "stopped", "unfinished-race.jsonl")
	lines := func() int { text, _ := os.ReadFile(log); return bytes.Count(text, []byte("\n")) }
	call := race("stopped")
	var said bytes.Buffer
	call.Stderr = &said
	if err := call.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- call.Wait() }()
	for lines() < 4 && len(ended) == 0 {
		time.Sleep(5 * time.Millisecond)
	}
	_ = call.Process.Signal(syscall.SIGTERM)
	if err := <-ended; err == nil {
		t.Skip("it was over before it could be stopped")
	}
	if got := said.String(); !strings.Contains(got,
		"finished runs are kept in "+log+", and the same command goes on") {
		t.Errorf("it said %q", got)
	}
	if lines() < 4 {
		t.Errorf("%d lines are kept, want the first and three runs", lines())
	}
	if out, err := race("stopped").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	if read(t, filepath.Join(dir, "whole", "race.json")) != read(t,
		filepath.Join(dir, "stopped", "race.json")) {
		t.Error("a race that went on is not that of a single call")
	}
	if lines() > 0 {
		t.Error("what was kept of a race that is over is still there")
	}
}

// A race that is killed, at whatever moment, leaves each of its pages whole, that of the race
// before or its own, the JSON of its own only where the others are its own; what it has left
// besides is gone after the next race.
func TestKilledRace(t *testing.T) {
	if testing.Short() {
		t.Skip("a race is run 24 times and killed: seconds")
	}
	command, dir := built(t), filepath.Join(t.TempDir(), "race")
	race := func(seed string) *exec.Cmd {
		return exec.Command(command, "race", "-n", "60", "-gradients", "6000", "-seeds", "2",
			"-times=false", "-out", dir,
			"-seed", seed)
	}
	pages := func() (all [3]string) {
		for k, name := range []string{"race.html", "race.md", "race.json"} {
			all[k] = read(t, filepath.Join(dir, name))
		}
		return all
	}
	whole := func(seed string) ([3]string, time.Duration) {
		start := time.Now()
		if out, err := race(seed).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) != 3 {
			t.Fatalf("%v, %v", files, err)
		}
		return pages(), time.Since(start)
	}
	second, _ := whole("1")
	first, took := whole("0")
	const moments = 24
	r, killed, replaced := rand.New(rand.NewPCG(5, 6)), 0, 0
	for i := 0; i < moments || killed < moments/5 && i < 4*moments; i++ {
		run := race("1")
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		moment := r.Float64()
		if i%3 > 0 { // as it writes
			moment = 0.8 + 0.3*moment
		}
		time.Sleep(time.Duration(moment * float64(took)))
		signal := os.Kill
		if i%2 == 0 {
			signal = syscall.SIGTERM
		}
		_ = run.Process.Signal(signal) // unless it has ended
		if err := run.Wait(); err != nil {
			killed++
		}
		left := pages()
		if left == second {
			replaced++
		} else {
			for k := range left {
				if left[k] != first[k] && (left[k] != second[k] || k == 2) {
					t.Fatalf(
						"moment %d: page %d is neither that of the race before nor that of the new one", i, k)
				}
			}
		}
		again, now := whole("0")
		if again != first {
			t.Fatalf("moment %d: another race after the one that was killed", i)
		}
		took = now // what else the machine does comes and goes
	}
	if killed < moments/5 {
		t.Errorf("%d of %d races had ended before they were killed", moments-killed, moments)
	}
	t.Logf("%d of %d races were killed; %d had replaced the pages", killed, moments, replaced)
}
