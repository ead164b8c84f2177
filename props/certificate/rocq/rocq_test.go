package rocq_test

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/rocq"
)

// compile has Rocq check theorems about points. It returns what it complains about, and skips the
// test where there is no coqc.
func compile(t *testing.T, theorems ...string) string {
	t.Helper()
	return compileKind(t, certificate.Point, theorems...)
}

// compileKind has Rocq check theorems of a kind.
func compileKind(t *testing.T, kind certificate.Kind, theorems ...string) string {
	t.Helper()
	if testing.Short() {
		t.Skip("Rocq takes seconds to load its libraries")
	}
	coqc, err := exec.LookPath("coqc")
	if err != nil {
		t.Skip("coqc is not installed: theorems are written, but not compiled")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "a.v"),
		[]byte(rocq.Opening(kind)+strings.Join(theorems, "\n")),
		0o666); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(coqc, "-q", "a.v")
	cmd.Dir = dir
	out, err := cmd.CombinedOutput()
	if err == nil {
		return ""
	}
	return string(out)
}

func theorem(t *testing.T, c *certificate.Certificate, name string) string {
	t.Helper()
	text, err := rocq.Theorem(c, name)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

func point(statement string, values map[string]string) *certificate.Certificate {
	proof, _ := json.Marshal(certificate.PointProof{Values: values})
	return &certificate.Certificate{Kind: certificate.Point, Refutes: true, Proof: proof,
		Statement: statement, Domain: "n ∈ [2, 1e6]; L > 0",
		Symbols: []certificate.Symbol{{Name: "n", Kind: certificate.Count},
			{Name: "η", Kind: certificate.Real},
			{Name: "L", Kind: certificate.Real}}}
}

// Rocq accepts counterexamples with every function that has a form there, and refuses false ones.
func TestPoint(t *testing.T) {
	holding := map[string]*certificate.Certificate{
		"root": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "3", "η": "1/(L√n)", "L": "1/7"}),
		"minimum": point("η = min{1/(2L), 1/(L n), 3}; L < 1 implies η ≥ n^{3/2}/(16L)",
			map[string]string{"n": "8", "η": "min{1/(2L), 1/(L n), 3}", "L": "1/7"}),
		"powers": point("L^{1/3} ≤ 1 implies log(1+η) + n⁻¹ = exp(−L)|−L|",
			map[string]string{"n": "2", "η": "2e-1", "L": "1/7"}),
	}
	if said := compile(t, theorem(t, holding["root"], "a"), theorem(t, holding["minimum"], "b"),
		theorem(t, holding["powers"], "c")); said != "" {
		t.Errorf("Rocq says %s", said)
	}
	for name, c := range map[string]*certificate.Certificate{
		"conclusion": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "4", "η": "1/(L√n)", "L": "1/7"}),
		"premise": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "3", "η": "4", "L": "1/7"}),
		"domain": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "1", "η": "1/(L√n)", "L": "1/7"}),
	} {
		if said := compile(t, theorem(t, c, "a")); !strings.Contains(said, "Error") {
			t.Errorf("of a false %s Rocq says %q", name, said)
		}
	}
}

// What has no form in Rocq is refused in a sentence, not written wrongly.
func TestNoForm(t *testing.T) {
	for text, why := range map[string]string{
		"⌈η⌉ ≤ n":           "⌈η⌉ has no form",
		"Σ_{i=1}^n η^i ≤ L": "has no form",
	} {
		if _, err := rocq.Theorem(point(text, map[string]string{"n": "3", "η": "1", "L": "1"}),
			"a"); err == nil ||
			!strings.Contains(err.Error(), why) {
			t.Errorf("%s: %v", text, err)
		}
	}
	if _, err := rocq.Theorem(&certificate.Certificate{Kind: certificate.Enumeration},
		"a"); err == nil {
		t.Error("an enumeration is written")
	}
}
