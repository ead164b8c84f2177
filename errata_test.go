package sledge_test

import (
	"bytes"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"sledge"
	"sledge/props"
	"sledge/reports"
	"sledge/reports/store"
)

// Every sign that the ledger uses can be set by LaTeX: errata of everything, as if all printed
// statements had failed.
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
	if err != nil || testing.Short() {
		t.Skip("not set: no LaTeX here, or -short")
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

// What a reader takes out of the printed errata replays: every token of the PDF is a counterexample
// still. The corrigendum has two to four pages.
func TestErrataReplay(t *testing.T) {
	for _, program := range []string{"pdflatex", "pdftotext"} {
		if _, err := exec.LookPath(program); err != nil {
			t.Skipf("no %s here", program)
		}
	}
	claims := props.Must(sledge.MadeOnce())
	r, whole := sledge.Report(t)
	dir := t.TempDir()
	set := func(name string, write func(io.Writer) error) (said string) {
		if err := store.Write(filepath.Join(dir, name+".tex"), write); err != nil {
			t.Fatal(err)
		}
		for _, argv := range [][]string{
			{"pdflatex", "-interaction=nonstopmode", "-halt-on-error", name + ".tex"},
			{"pdftotext", name + ".pdf"}} {
			run := exec.Command(argv[0], argv[1:]...)
			run.Dir = dir
			out, err := run.CombinedOutput()
			if err != nil {
				t.Fatalf("%v\n%s", err, out[max(0, len(out)-2000):])
			}
			said += string(out)
		}
		return said
	}
	set("errata", r.WriteErrataLaTeX)
	text, err := os.ReadFile(filepath.Join(dir, "errata.txt"))
	if err != nil {
		t.Fatal(err)
	}
	tokens := regexp.MustCompile(`'(v2:[^']*)'`).FindAllStringSubmatch(string(text), -1)
	tex, err := os.ReadFile(filepath.Join(dir, "errata.tex"))
	if err != nil {
		t.Fatal(err)
	}
	if n := bytes.Count(tex, []byte("\n\\replay{")); len(tokens) != n || n < 20 || whole && n < 50 {
		t.Errorf("%d tokens in the PDF, %d in its source", len(tokens), n)
	}
	for _, m := range tokens {
		if e, _, err := props.Replay(claims, m[1]); err != nil {
			t.Errorf("%.60s: %v", m[1], err)
		} else if e.Outcome() != props.Refuted {
			t.Errorf("%.60s is %v", m[1], e.Outcome())
		}
	}
	said := set("corrigendum", r.WriteCorrigendumLaTeX)
	if m := regexp.MustCompile(`\((\d+) pages?`).FindStringSubmatch(said); m == nil || m[1] < "2" ||
		m[1] > "4" {
		t.Errorf("the corrigendum has %q", m)
	}
}
