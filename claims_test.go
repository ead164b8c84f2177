package sledge

import (
	"os"
	"regexp"
	"runtime/debug"
	"slices"
	"strconv"
	"strings"
	"testing"

	"sledge/algos"
	"sledge/props"
)

// TestMain gives the collector the room that the command gives it.
func TestMain(m *testing.M) {
	debug.SetGCPercent(400)
	m.Run()
}

// rows reads the inventory of the statements where it lies beside the repository: id, tier, part,
// lines, label, kind, statement, separated by tabs.
func rows(t *testing.T) map[string][]string {
	text, err := os.ReadFile("../shared/claims.tsv")
	if err != nil {
		t.Skip("the inventory of the statements is not here")
	}
	rows := map[string][]string{}
	for line := range strings.Lines(string(text)) {
		if f := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); f[0] != "id" {
			rows[f[0]] = f
		}
	}
	return rows
}

// Every claim can be found, placed, checked and told apart, and what it uses exists. Assumptions
// are named by their label in the text.
func TestClaimsAreComplete(t *testing.T) {
	claims := props.Must(MadeOnce())
	known := map[string]bool{}
	for _, c := range claims {
		if known[c.ID] {
			t.Errorf("two claims have the id %q", c.ID)
		}
		known[c.ID] = true
	}
	for _, c := range claims {
		switch {
		case c.ID == "" || strings.ContainsAny(c.ID, ": \t\n*?[]"):
			t.Errorf("id %q cannot be named on a command line", c.ID)
		case c.Part == "" || c.Statement == "" || c.Lines == "" && c.Form != props.Extension:
			t.Errorf("%s lacks its part, its statement or its lines", c.ID)
		case c.Tier < 1 || c.Tier > 3:
			t.Errorf("%s has tier %d", c.ID, c.Tier)
		case !(strings.HasPrefix(c.At, "sledge/") && strings.Contains(c.At, ".go:")) &&
			!(strings.HasPrefix(c.At, "docs/ledger/") && len(c.Formally) > 0):
			t.Errorf("%s is bound at %q", c.ID, c.At)
		case len(c.Formally) == 0 && c.Formal == "":
			t.Errorf("nothing says formally what is tried of %s", c.ID)
		case c.Form == props.Printed && c.Expect == props.Refuted && c.Tier == 1 &&
			!known[c.ID+"/corrected"]:
			t.Errorf("%s is a main result expected to fail, but has no corrected form", c.ID)
		}
		if base, _, other := strings.Cut(c.ID, "/"); other && c.Form != props.Extension &&
			!known[base] {
			t.Errorf("%s is a form of %s, which is not a claim", c.ID, base)
		}
		for _, u := range c.Uses {
			if !known[u] && !strings.HasPrefix(u, "assumption:") {
				t.Errorf("%s uses %s, which is neither a claim nor an assumption", c.ID, u)
			}
		}
	}
}

// What rests on a refuted statement must be found in a report: a printed claim names the printed
// steps of its proof, a form of ours that is expected to hold names statements that hold.
func TestUsesFitTheForm(t *testing.T) {
	expected := map[string]props.Verdict{}
	for _, c := range props.Must(MadeOnce()) {
		expected[c.ID] = c.Expect
	}
	for _, c := range props.Must(MadeOnce()) {
		for _, u := range c.Uses {
			_, repaired := expected[u+"/corrected"]
			switch {
			case c.Form == props.Printed && strings.HasSuffix(u, "/corrected"):
				t.Errorf("%s, a printed claim, uses %s: its proof has the printed form", c.ID, u)
			case c.Form != props.Printed && c.Expect != props.Refuted &&
				expected[u] == props.Refuted && repaired:
				t.Errorf(
					"%s, expected to be %s, uses %s, which is refuted: name the corrected form",
					c.ID, c.Expect, u)
			}
		}
	}
}

// spelled reports whether a statement is the words of a row, with something written out wherever
// the row has "…", or "(…)" for a whole factor.
func spelled(statement, row string) bool {
	row = strings.NewReplacer(" ", "", "(…)", "…").Replace(row)
	pieces := strings.Split(row, "…")
	for i, piece := range pieces {
		pieces[i] = regexp.QuoteMeta(piece)
	}
	shape := regexp.MustCompile("^" + strings.Join(pieces, ".+") + "$")
	return shape.MatchString(strings.ReplaceAll(statement, " ", ""))
}

// Every printed claim is a row of the inventory, word for word; what a row leaves out by "…" may be
// written out.
func TestPrintedClaimsAreThoseOfThePaper(t *testing.T) {
	rows := rows(t)
	for _, c := range props.Must(MadeOnce()) {
		if c.Form != props.Printed {
			continue
		}
		row := rows[c.ID]
		if row == nil {
			t.Errorf("%s is not in the inventory", c.ID)
			continue
		}
		label := c.Label
		if label == "" {
			label = "-"
		}
		for i, got := range []string{c.ID, strconv.Itoa(c.Tier), c.Part, c.Lines, label, c.Kind} {
			if got != row[i] {
				t.Errorf("%s: %q, the inventory has %q", c.ID, got, row[i])
			}
		}
		if statement := props.Unmarked(c.Statement); !spelled(statement, row[6]) {
			t.Errorf("%s: %q, the inventory has %q", c.ID, statement, row[6])
		}
	}
}

// leaning is how a statement leans on another one that its reader does not see.
var leaning = regexp.MustCompile(
	`(?i)\bthe same (premises|conditions|assumptions|bound|sum|order|\$?η)|\bas (above|before)\b|` +
		`\bas printed\b|^the ((first|second|third|last) term|corrected)\b|\(…\)|` +
		`\bthe corrected (bound|form)\b|^option I+ adds\b|^what stands in its place\b`)

// named is what may be the id of an entry.
var named = regexp.MustCompile(`[a-z0-9]+(-[a-z0-9]+)+(/[a-z0-9-]+)?`)

// The statements of our own forms stand alone. Those of the paper have the words of the inventory.
func TestStatementsStandAlone(t *testing.T) {
	claims, entry := props.Must(MadeOnce()), map[string]bool{}
	for _, c := range claims {
		entry[c.ID] = true
	}
	leans := func(statement string) string {
		for _, id := range named.FindAllString(statement, -1) {
			if entry[id] {
				return id
			}
		}
		return leaning.FindString(statement)
	}
	for _, c := range claims {
		if s := leans(c.Statement); s != "" && c.Form != props.Printed {
			t.Errorf("%s: %q leans on another statement", c.ID, s)
		}
	}
	for _, s := range []string{"Under the same premises a < b", "T suffices with the same $η$",
		"With A_t of azuma-high-probability/adaptive, without N", "The second term is small",
		"The corrected bound with 2 for 4", "Option I adds C_1/b", "What stands in its place is 1",
		"$‖Σ(…)‖ ≤ C$"} {
		if leans(s) == "" {
			t.Errorf("%q is not noticed", s)
		}
	}
}

// A statement that says something else than its row is noticed, also beside what the row leaves
// out.
func TestOnlyWhatIsLeftOutMayBeSpelled(t *testing.T) {
	const row = "f(x) ≤ ε in Õ(a + …) rounds (P/p + … for Option I)"
	for statement, want := range map[string]bool{
		row: true,
		"f(x) ≤ ε in Õ(a + b log(1/ε)) rounds (P/p + c for Option I)": true,
		"f(x) ≤ ε in Õ(b + c) rounds (P/p + c for Option I)":          false,
		"f(x) ≤ ε in Õ(a + b) rounds (P/p + c for Option II)":         false,
		"f(x) ≤ ε in Õ(a + ) rounds (P/p + c for Option I)":           false,
		"f(x) ≤ ε in Õ(a + b) rounds (P/p + c for Option I) or more":  false,
	} {
		if spelled(statement, row) != want {
			t.Errorf("%q as the words of %q: %t", statement, row, !want)
		}
	}
}

// Every row of the inventory has a claim.
func TestEveryStatementHasAClaim(t *testing.T) {
	have := map[string]bool{}
	for _, c := range props.Must(MadeOnce()) {
		have[c.ID] = true
	}
	rows := rows(t)
	if len(rows) != 258 {
		t.Errorf("the inventory has %d rows", len(rows))
	}
	for id := range rows {
		if !have[id] {
			t.Errorf("%s has no claim", id)
		}
	}
}

// Every refutation of the text says what it costs and which slip is behind it; the slips are named
// gravest first, and each breaks something.
func TestRefutationsHaveHarmAndCause(t *testing.T) {
	gravest := map[string]int{}
	for _, c := range props.Must(MadeOnce()) {
		judged := c.Harm != "" && c.Reason != "" && c.Cause != ""
		if none := c.Harm == "" && c.Reason == "" && c.Cause == ""; !judged && !none {
			t.Errorf("%s has some of harm, reason and cause", c.ID)
		}
		if judged != (c.Form == props.Printed && c.Expect == props.Refuted) {
			t.Errorf("%s, %s and expected to be %s: judged is %v", c.ID, c.Form, c.Expect, judged)
		}
		if judged {
			harm := slices.Index(props.Harms, c.Harm)
			if before, seen := gravest[c.Cause]; !seen || harm < before {
				gravest[c.Cause] = harm
			}
		}
	}
	last := 0
	for _, c := range props.Must(Ledger()).Causes {
		harm, used := gravest[c.Name]
		if !used {
			t.Errorf("nothing is broken by %s", c.Name)
		}
		if harm < last {
			t.Errorf("%s stands below a lesser harm", c.Name)
		}
		last = harm
	}
}

// What stands between dollar signs is a whole formula: its brackets match, whatever their kind, as
// those of intervals differ; and no sign of formulas stands outside.
func TestFormulasAreWhole(t *testing.T) {
	for _, c := range props.Must(MadeOnce()) {
		for _, s := range []string{c.Statement, c.Notes, c.Given} {
			if part := brokenFormula(s); part != "" {
				t.Errorf("%s: %q is part of a formula, or has one cut apart", c.ID, part)
			}
		}
	}
	for text, broken := range map[string]bool{
		"for $x ∈ (0, 1]$ and $n$ of them": false, "$a ≤ b$ or $c ≤ d$": false,
		"where $a ≤ b$, c ≤ d": true, "the $f(x$ of both": true, "$a)b($ is none": true,
	} {
		if (brokenFormula(text) != "") != broken {
			t.Errorf("%q: %t", text, !broken)
		}
	}
}

// brokenFormula is the first part of the text, cut at dollar signs, that is no whole formula or,
// outside of them, has a sign of one; "" if there is none.
func brokenFormula(text string) string {
	level := strings.NewReplacer("[", "(", "{", "(", "⟨", "(", "⌈", "(", "⌊", "(",
		"]", ")", "}", ")", "⟩", ")", "⌉", ")", "⌋", ")")
	const signs = `\=≤≥√Σ∈∇‖|²³⁴∪∖∨∧ĨτξηζνγδεσρμΔκλ`
	for i, piece := range strings.Split(text, "$") {
		if i%2 == 0 {
			if strings.ContainsAny(piece, signs) {
				return piece
			}
			continue
		}
		open := 0
		for _, r := range level.Replace(piece) {
			switch {
			case r == '(':
				open++
			case r == ')' && open > 0:
				open--
			case r == ')':
				return piece
			}
		}
		if open != 0 {
			return piece
		}
	}
	return ""
}

// Every method of the catalogue has a claim about its runs and one about what it costs, which its
// forms with other parameters share.
func TestCatalogueHasCostsAndRuns(t *testing.T) {
	have := map[string]bool{}
	for _, c := range props.Must(MadeOnce()) {
		have[c.ID] = true
	}
	hyphens := strings.NewReplacer(" (", "-", ")", "", " ", "-", "+", "-plus", "-sfo", "")
	for _, c := range algos.Catalogue() {
		name := strings.ToLower(c.Name)
		if id := "run/" + hyphens.Replace(name); !have[id] {
			t.Errorf("%s has no claim %s", c.Name, id)
		}
		method, _, _ := strings.Cut(name, " (")
		for option, number := range map[string]string{"-i": "-1", "-ii": "-2"} {
			if of, has := strings.CutSuffix(method, option); has {
				method = of + number
			}
		}
		if id := "cost/" + hyphens.Replace(method); !have[id] {
			t.Errorf("%s has no claim %s", c.Name, id)
		}
	}
}
