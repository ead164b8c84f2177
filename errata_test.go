package sledge_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sledge"
	"sledge/props"
	"sledge/reports"
)

// Every sign that the ledger uses can be set by LaTeX: errata of everything, as if all printed statements had failed.
func TestErrataOfEverything(t *testing.T) {
	l := props.Must(sledge.Ledger())
	var results []props.Result
	for _, c := range l.Claims {
		if c.Form == props.Printed {
			c.Reason = c.Reason + " " + c.Notes
			results = append(results, props.Result{Claim: c, Verdict: props.Refuted})
		} else {
			results = append(results, props.Result{Claim: c, Verdict: props.Consistent})
		}
	}
	r := reports.New(results, reports.Run{})
	r.Text, r.Causes = l.Text, l.Causes
	var tex bytes.Buffer
	if err := r.WriteErrataLaTeX(&tex); err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(tex.String()) {
		if strings.Contains(line, "U{+}") {
			t.Errorf("a sign that is not known: %s", line)
		}
	}
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no LaTeX here")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "errata.tex"), tex.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	run := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "errata.tex")
	run.Dir = dir
	if out, err := run.CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out[max(0, len(out)-3000):])
	}
}
