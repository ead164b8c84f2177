package reports

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"sledge/props"
)

func TestLaTeX(t *testing.T) {
	for in, want := range map[string]string{
		"$‖v^t − ∇f(x^t)‖² ≤ ζ²/b$ & more_here": `$\|v^t-\nabla f(x^t)\|^2\le \zeta ^2/b$ \& more\_here`,
		"$√Σ_i‖x_i‖² + 1$":                      `$\sqrt{\sum _i\|x_i\|^2}+1$`,
		"$√(2L)$, $√n/b$, $√x̃_i$":              `$\sqrt{2L}$, $\sqrt{n}/b$, $\sqrt{{\tilde{x}}_i}$`,
		"η ≤ C_1^{9/2} of 100 % is Õ(x₀²)": `\ensuremath{\eta} \ensuremath{\le} ` +
			`C\ensuremath{_{1}}\ensuremath{^{9/2}} of 100 \% is Õ(x\ensuremath{_{0}}\ensuremath{^{2}})`,
		"$Σ_{t∈ phase} e^{…}d$": `$\sum _{t\in \;\mathrm{phase}\;}e^{\ldots}d$`,
		`a\b {c} $`:             `a\textbackslash{}b \{c\} `,
		"$$ $ $":                ` `,
	} {
		if got := latexText(in); got != want {
			t.Errorf("%s\n got  %s\n want %s", in, got, want)
		}
	}
	if got := breakable(`verify \_ v2:abcdefghijkl-mn_op`,
		4); got !=
		`veri\allowbreak{}fy \_ v2:abcd\allowbreak{}efgh\allowbreak{}ijkl-\allowbreak{}mn_o\allowbreak{}p` {
		t.Errorf("breaks as %s", got)
	}
}

// Each slip has one entry, with all places that it breaks, its counterexample and what it costs.
func TestErrata(t *testing.T) {
	r := aText()
	r.Run.Replayer = "verify replay"
	step := r.Claim("step")
	step.Evidence = []Evidence{judged(
		props.Evidence{What: "the side", Measured: 3, Claimed: 2, Relation: props.LE,
			Where:  "n = 4, η_1 = 10⁻²",
			Replay: "v2:step:AA", Certified: true}, props.Refuted)}
	md := string(written(t, r.WriteErrataMarkdown))
	for _, want := range []string{"# Errata of On &lt;things>",
		"## False: the result fails as stated\n\n### 1. The drift x\\_i is forgotten",
		"- **Theorem 3', lines 80-82 (last)**", "Without a form that stands: Theorem 3, Table 1.",
		"## Step", "### 2. A sign", "  - corrected: x\\_i ≤ √n of step/corrected",
		"Counterexample to step: the side: 3, where ≤ 2 is claimed, at n " +
			"= 4, η\\_1 = 10⁻².",
		"    verify replay 'v2:step:AA'",
		"Consequences: Since it is so. What rests on it survives the correction: " +
			"Theorem 2, Lemma 1."} {
		if !strings.Contains(md, want) {
			t.Errorf("the errata do not say %q", want)
		}
	}
	tex := string(written(t, r.WriteErrataLaTeX))
	for _, want := range []string{`\entry{2}{A sign}`,
		`\field{Place}{Proof of Lemma 1, line 64 (step)}`,
		`\field{Printed}{$x_i\le \sqrt{n}$ of step}`,
		`\field{Corrected}{$x_i\le \sqrt{n}$ of step/corrected}`,
		`\replay{verify r\allowbreak{}eplay {\char13}v\allowbreak{}2:step:A\allowbreak{}A{\char13}}`} {
		if !strings.Contains(tex, want) {
			t.Errorf("the errata for LaTeX do not say %q", want)
		}
	}
}

// Errata of reports with anything in them are documents that LaTeX accepts.
func TestErrataCompile(t *testing.T) {
	pdflatex, err := exec.LookPath("pdflatex")
	if err != nil {
		t.Skip("no LaTeX here")
	}
	hostile := aText()
	c := hostile.Claim("step")
	c.Statement = "100 % of $\\x_{a^b_c}$ & #1 ~ ^ _ } { \\end{document} $}$ $^$ $√$ \x01 ü 漢"
	c.Reason = c.Statement
	for name, r := range map[string]*Report{"fixture": fixture(), "hostile": hostile} {
		if testing.Short() && r != hostile {
			continue
		}
		dir := t.TempDir()
		if err := os.WriteFile(filepath.Join(dir, "errata.tex"), written(t, r.WriteErrataLaTeX),
			0o666); err != nil {
			t.Fatal(err)
		}
		run := exec.Command(pdflatex, "-interaction=nonstopmode", "-halt-on-error", "errata.tex")
		run.Dir = dir
		if out, err := run.CombinedOutput(); err != nil {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// Readers of PDF take a hyphen at the end of a line for that of a broken word, and drop it.
func TestVerbatimBreaksNowhereAfterAHyphen(t *testing.T) {
	s := verbatim("abcdefg-hijklmnopqrstuvw--------xyz")
	if strings.Contains(s, `{\char45}\allowbreak{}`) || strings.Count(s, `\allowbreak{}`) < 2 {
		t.Error(s)
	}
}
