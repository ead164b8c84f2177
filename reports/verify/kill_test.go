//go:build unix

package verify

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"sledge/reports"
)

// A run that is killed, at whatever moment, leaves the report that was there or its own, complete,
// and what it has left besides is gone after the next run, which may also go on where it was.
func TestKilledAtAnyMoment(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "a [report]")
	call := func(args ...string) *exec.Cmd { return exec.Command("verify", append(args, "-out", dir)...) }
	whole := func(args ...string) (digest string, took time.Duration) {
		start := time.Now()
		if out, err := call(args...).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		took = time.Since(start)
		r, err := reports.Read(dir)
		if err != nil {
			t.Fatal(err)
		}
		return r.Run.Digest, took
	}
	second, _ := whole("-seed", "1")
	want := listing(t, dir)
	first, took := whole()
	if first == second || listing(t, dir) != want {
		t.Fatalf("two seeds, digests %s and %s, files %s and %s", first, second, want,
			listing(t, dir))
	}
	moments := 40
	if testing.Short() {
		moments = 5
	}
	killed, replaced := 0, 0
	for i := range moments {
		run := call("-seed", "1")
		if i%3 == 2 {
			run.Args = append(run.Args, "-resume")
		}
		if err := run.Start(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(took * time.Duration(i) / time.Duration(moments))
		if err := run.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		if err := run.Wait(); err != nil {
			killed++
		}
		r, err := reports.Read(dir)
		switch {
		case err != nil:
			t.Fatalf("moment %d: %v", i, err)
		case r.Run.Digest == second:
			replaced++
		case r.Run.Digest != first:
			t.Fatalf("moment %d: neither the earlier report nor the new one", i)
		}
		if len(r.Claims) != len(toys()) || r.Run.Partial != "" {
			t.Fatalf("moment %d: %d claims, partial %q", i, len(r.Claims), r.Run.Partial)
		}
		if i%10 == 9 {
			if digest, _ := whole("-resume", "-seed", "1"); digest != second ||
				listing(t, dir) != want {
				t.Fatalf("moment %d: going on gives %s and the files %s", i, digest,
					listing(t, dir))
			}
			_, took = whole() // what else the machine does comes and goes
		}
	}
	if digest, _ := whole(); digest != first || listing(t, dir) != want {
		t.Errorf("the files are %s, not %s", listing(t, dir), want)
	}
	if killed < moments/5 {
		t.Errorf("%d of %d runs had ended before they were killed", moments-killed, moments)
	}
	t.Logf("%d of %d runs were killed; %d had replaced the report", killed, moments, replaced)
}

// listing names the files of a directory and of those below it.
func listing(t *testing.T, dir string) string {
	t.Helper()
	var names []string
	err := filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		names = append(names, strings.TrimPrefix(path, dir))
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return strings.Join(names, " ")
}

// Of two runs into one directory the second is refused at once, and the first is none the worse for
// it. When the first is gone, however, the directory is free.
func TestTwoRunsIntoOneDirectory(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "out")
	first := exec.Command("verify-slow", "-out", dir)
	if err := first.Start(); err != nil {
		t.Fatal(err)
	}
	for _, err := os.Stat(filepath.Join(dir, reports.JournalFile)); err != nil; _, err = os.Stat(
		filepath.Join(dir, reports.JournalFile)) {
		time.Sleep(10 * time.Millisecond)
	}
	out, err := exec.Command("verify", "-out", dir).CombinedOutput()
	if err == nil || string(out) != "verify: -out: another run is writing into "+dir+"\n" {
		t.Errorf("%v: %s", err, out)
	}
	if err := first.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	if err := first.Wait(); err == nil {
		t.Error("the first run has ended by itself")
	}
	if out, err := exec.Command("verify", "-out", dir).CombinedOutput(); err != nil {
		t.Errorf("%v: %s", err, out)
	}
}

// A child that is not yet the program it is to become holds the locks of its parent, and goes on
// when that is killed: Git is asked for the commit before the directory is taken, and once.
func TestNoChildHoldsTheDirectory(t *testing.T) {
	flock, err := exec.LookPath("flock")
	if err != nil {
		t.Skip("no command that takes locks")
	}
	dir, bin := filepath.Join(t.TempDir(), "out"), t.TempDir()
	asked := filepath.Join(bin, "asked")
	script := fmt.Sprintf("#!/bin/sh\n%s -n %s true && echo free >>%s || echo held >>%s\nexit 1\n",
		flock, dir, asked, asked)
	if err := os.WriteFile(filepath.Join(bin, "git"), []byte(script), 0o777); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	for range 2 { // into an empty directory, and beside a report
		if err := os.MkdirAll(dir, 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.RemoveAll(asked); err != nil {
			t.Fatal(err)
		}
		if out, err := exec.Command("verify", "-out", dir).CombinedOutput(); err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if got, err := os.ReadFile(asked); string(got) != "free\n" {
			t.Errorf("when Git was asked the directory was %q (%v)", got, err)
		}
	}
}
