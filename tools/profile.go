//go:build ignore

// Profile writes cmd/verify/default.pgo, which "go build" and "go run" read when they compile the
// command: where a quick tier spends its time, so that what is called most is compiled for it. It
// changes no result. From the root of the repository, after large changes of the checks:
//
//	go run tools/profile.go
package main

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"log"
	"os"
	"runtime/debug"
	"runtime/pprof"

	"sledge"
	"sledge/reports/verify"
	"sledge/theory"
)

func main() {
	log.SetFlags(0)
	if err := profile("cmd/verify/default.pgo"); err != nil {
		log.Fatal(err)
	}
}

func profile(path string) error {
	dir, err := os.MkdirTemp("", "")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	app := verify.App{Name: "verify", Claims: sledge.Claims, Ledger: sledge.Ledger,
		Accepted: sledge.Accepted, Theory: theory.Read, Costs: sledge.Costs}
	debug.SetGCPercent(400) // as the command does
	var seen bytes.Buffer
	if err := pprof.StartCPUProfile(&seen); err != nil {
		return err
	}
	status := verify.Main(context.Background(), app, []string{"-out", dir}, io.Discard, os.Stderr)
	pprof.StopCPUProfile()
	if status != 0 {
		return fmt.Errorf("the run ended with status %d: nothing was written", status)
	}
	return os.WriteFile(path, seen.Bytes(), 0o666)
}
