//go:build ignore

// Proofs keeps the proofs by coefficients of reports, so that a run at the quick tier need not find
// them again:
//
//	go run ./cmd/verify -tier standard 'first-*'
//	go run tools/proofs.go sledge-report/report.json
//
// from the root of the repository. What is kept already stays.
package main

import (
	"bytes"
	"encoding/json"
	"log"
	"os"
	"slices"
	"strings"
)

// file is where proofs are kept.
const file = "props/settle/proofs.json"

// kept is a proof, by the words of its certificate.
type kept struct {
	Kind      string          `json:"kind"`
	Domain    string          `json:"domain"`
	Statement string          `json:"statement"`
	Proof     json.RawMessage `json:"proof"`
}

func main() {
	log.SetFlags(0)
	if len(os.Args) < 2 {
		log.Fatal("proofs: say which reports, as in go run tools/proofs.go report.json")
	}
	var list []kept
	read(file, &list)
	for _, name := range os.Args[1:] {
		var report any
		read(name, &report)
		gather(report, &list)
	}
	slices.SortStableFunc(list, func(a, b kept) int {
		return strings.Compare(a.Statement+a.Domain, b.Statement+b.Domain)
	})
	list = slices.CompactFunc(list,
		func(a, b kept) bool { return a.Statement == b.Statement && a.Domain == b.Domain })
	var lines bytes.Buffer
	e := json.NewEncoder(&lines)
	e.SetEscapeHTML(false)
	for i, k := range list {
		lines.WriteString(map[bool]string{true: "[\n", false: ","}[i == 0])
		if err := e.Encode(k); err != nil {
			log.Fatal(err)
		}
	}
	lines.WriteString("]\n")
	if err := os.WriteFile(file, lines.Bytes(), 0o644); err != nil {
		log.Fatalf("proofs: %v", err)
	}
}

func read(name string, into any) {
	b, err := os.ReadFile(name)
	if err == nil {
		err = json.Unmarshal(b, into)
	}
	if err != nil {
		log.Fatalf("proofs: %s: %v", name, err)
	}
}

// gather finds certificates wherever they stand.
func gather(x any, list *[]kept) {
	switch x := x.(type) {
	case []any:
		for _, y := range x {
			gather(y, list)
		}
	case map[string]any:
		if c, ok := x["certificate"].(map[string]any); ok && c["kind"] == "coefficients" {
			b, err := json.Marshal(c)
			var k kept
			if err == nil {
				err = json.Unmarshal(b, &k)
			}
			if err != nil {
				log.Fatalf("proofs: %v", err)
			}
			*list = append(*list, k)
		}
		for _, y := range x {
			gather(y, list)
		}
	}
}
