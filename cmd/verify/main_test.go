package main

import (
	"os/exec"
	"strings"
	"testing"
)

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
