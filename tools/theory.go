//go:build ignore

// Theory has Rocq compile the theory from scratch and writes what it says of each result, which the
// ledger's entries that name theorems rest on:
//
//	go run tools/theory.go
//
// from the root of the repository, after every change of theory/*.v. Needs coqc.
package main

import (
	"context"
	"encoding/json"
	"log"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"

	"sledge/props/development"
)

func main() {
	log.SetFlags(0)
	d, err := development.Read(os.DirFS("theory"))
	if err != nil {
		log.Fatal(err)
	}
	version, err := exec.Command("coqc", "-print-version").Output()
	if err != nil {
		log.Fatal("theory: coqc is needed: ", err)
	}
	dir, err := os.MkdirTemp("", "theory")
	if err != nil {
		log.Fatal(err)
	}
	defer os.RemoveAll(dir)
	number, _, _ := strings.Cut(strings.TrimSpace(string(version)), " ")
	record, err := d.Compile(context.Background(), "coqc", "Coq "+number, dir,
		runtime.GOMAXPROCS(0))
	if err != nil {
		log.Fatal(err)
	}
	var text strings.Builder
	enc := json.NewEncoder(&text)
	enc.SetIndent("", " ")
	enc.SetEscapeHTML(false)
	if err := enc.Encode(record); err != nil {
		log.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join("theory", "record.json"), []byte(text.String()),
		0o666); err != nil {
		log.Fatal(err)
	}
}
