package rocq_test

import (
	"encoding/json"
	"fmt"
	"maps"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"sledge/props/certificate"
	"sledge/props/certificate/rocq"
)

// judged has Rocq go over theorems of a kind, all in one session, since its libraries take seconds
// to load, and each in a module of its own, since one that is refused leaves no trace. It returns
// what Rocq complains about in each, and skips the test where there is no coqtop.
func judged(t *testing.T, kind certificate.Kind, theorems ...string) []string {
	t.Helper()
	if testing.Short() {
		t.Skip("Rocq takes seconds to load its libraries")
	}
	coqtop, err := exec.LookPath("coqtop")
	if err != nil {
		t.Skip("coqtop is not installed: theorems are written, but not compiled")
	}
	var session strings.Builder
	fmt.Fprintf(&session, "%s\nCheck before_0.\n", rocq.Opening(kind))
	for k, text := range theorems { // Rocq knows none of the marks, and says so at each
		fmt.Fprintf(&session,
			"Module M%d.\n%s\nEnd M%d.\nCheck after_%d.\nAbort All.\nEnd M%d.\nCheck before_%d.\n",
			k, text, k, k, k, k+1)
	}
	cmd := exec.Command(coqtop, "-q", "-w", "none")
	cmd.Dir, cmd.Stdin = t.TempDir(), strings.NewReader(session.String())
	out, err := cmd.CombinedOutput()
	begin, rest, found := strings.Cut(string(out), "> Check before_0.")
	if err != nil || !found || strings.Contains(begin, "Error") {
		t.Fatalf("the session does not begin: %v\n%s", err, begin)
	}
	said := make([]string, len(theorems))
	for k := range theorems {
		_, rest, _ = strings.Cut(rest, fmt.Sprintf("before_%d was not found", k))
		if said[k], rest, found = strings.Cut(rest, fmt.Sprintf("> Check after_%d.", k)); !found {
			t.Fatalf("the session ends in theorem %d\n%s", k, said[k])
		}
		if !strings.Contains(said[k], "Error") {
			said[k] = ""
		}
	}
	return said
}

// holds has Rocq accept theorems and refuse forged ones, which are named.
func holds(t *testing.T, kind certificate.Kind, theorems []string, forged map[string]string) {
	t.Helper()
	all, names := slices.Clone(theorems), slices.Sorted(maps.Keys(forged))
	for _, name := range names {
		all = append(all, forged[name])
	}
	for k, said := range judged(t, kind, all...) {
		switch refused := said != ""; {
		case k < len(theorems) && refused:
			t.Errorf("Rocq says %s of\n%s", said, all[k])
		case k >= len(theorems) && !refused:
			t.Errorf("Rocq accepts a theorem with %s:\n%s", names[k-len(theorems)], all[k])
		}
	}
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
	var theorems []string
	for _, c := range holding {
		theorems = append(theorems, theorem(t, c, "a"))
	}
	forged := map[string]string{}
	for name, c := range map[string]*certificate.Certificate{
		"conclusion": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "4", "η": "1/(L√n)", "L": "1/7"}),
		"premise": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "3", "η": "4", "L": "1/7"}),
		"domain": point("η = 1/(L√n) implies ηL ≤ 1/2 ≤ 1",
			map[string]string{"n": "1", "η": "1/(L√n)", "L": "1/7"}),
	} {
		forged["a false "+name] = theorem(t, c, "a")
	}
	holds(t, certificate.Point, theorems, forged)
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
