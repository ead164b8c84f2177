package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

// scratch is a folder of all tests.
var scratch string

func TestMain(m *testing.M) {
	var err error
	if scratch, err = os.MkdirTemp("", "verify"); err != nil {
		panic(err)
	}
	code := m.Run()
	os.RemoveAll(scratch)
	os.Exit(code)
}

// compiled is the command, compiled once for all tests.
var compiled = sync.OnceValues(func() (string, error) {
	command := filepath.Join(scratch, "verify")
	if out, err := exec.Command("go", "build", "-o", command, ".").CombinedOutput(); err != nil {
		return command, fmt.Errorf("%w\n%s", err, out)
	}
	return command, nil
})

// built is the path of the command.
func built(t *testing.T) string {
	t.Helper()
	command, err := compiled()
	if err != nil {
		t.Fatal(err)
	}
	return command
}

// moment is how long a call that is interrupted may take: two seconds of a processor of its own,
// which are more where others want it, too, and never more than ten: a deaf call is noticed.
func moment() time.Duration {
	var load float64
	if text, err := os.ReadFile("/proc/loadavg"); err == nil {
		fmt.Sscan(string(text), &load)
	}
	return time.Duration(float64(2*time.Second) * min(5, max(1, load/float64(runtime.NumCPU()))))
}

// Rapid registers flags and panics outside a test binary.
func TestImportsNoRapid(t *testing.T) {
	out, err := exec.Command("go", "list", "-deps", "sledge/cmd/verify").Output()
	if err != nil {
		t.Fatal(err)
	}
	deps := string(out)
	if !strings.Contains(deps, "sledge/props\n") {
		t.Fatalf("go list is silent about props:\n%s", deps)
	}
	if strings.Contains(deps, "pgregory.net/rapid") {
		t.Error("cmd/verify imports rapid")
	}
}
