package claimtest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"testing"

	"sledge/props"
)

// ReportVariable is the name of an environment variable that names the directory of a report, or
// its report.json, of all claims at the quick tier and seed 0.
const ReportVariable = "VERIFY_REPORT"

// told is what a report tells of a claim that depends on the run.
type told struct {
	ID       string           `json:"id"`
	Verdict  props.Verdict    `json:"verdict"`
	Evidence []props.Evidence `json:"evidence"`
}

// kept reads the report once.
var kept = sync.OnceValues(func() (map[string]*told, error) {
	path := os.Getenv(ReportVariable)
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "report.json")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var report struct {
		Claims []*told `json:"claims"`
	}
	if err := json.Unmarshal(text, &report); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	out := map[string]*told{}
	for _, c := range report.Claims {
		out[c.ID] = c
	}
	return out, nil
})

// sameBits fails the test if a result is another than in the report, if one is named.
func sameBits(t *testing.T, r *props.Result) {
	t.Helper()
	if os.Getenv(ReportVariable) == "" {
		return
	}
	report, err := kept()
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range otherwise(report[r.Claim.ID], r) {
		t.Errorf("the report of %s %s", ReportVariable, s)
	}
}

// otherwise says where a report tells another result of a claim.
func otherwise(want *told, r *props.Result) (out []string) {
	if want == nil {
		return []string{"does not have this claim"}
	}
	if want.Verdict != r.Verdict {
		out = append(out, fmt.Sprintf("has the verdict %v, not %v", want.Verdict, r.Verdict))
	}
	if len(want.Evidence) != len(r.Evidence) {
		return append(out, fmt.Sprintf("has %d pieces of evidence, not %d", len(want.Evidence),
			len(r.Evidence)))
	}
	for i := range r.Evidence {
		a, err := json.Marshal(want.Evidence[i])
		b, also := json.Marshal(r.Evidence[i])
		if err != nil || also != nil {
			out = append(out, fmt.Sprintf("cannot be compared: %v, %v", err, also))
		} else if !bytes.Equal(a, b) {
			out = append(out, fmt.Sprintf("has other evidence of %q:\n%s\nnot\n%s",
				r.Evidence[i].What, a, b))
		}
	}
	return out
}
