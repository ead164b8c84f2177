package reports

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

func TestSlipsAreWholeTerms(t *testing.T) {
	for _, c := range []struct {
		printed, corrected string
		want               []slip
	}{
		{"take $η = 1/(2L) ∧ b/(ζ√n)$ now", "take $η = 1/(2L) ∧ b/(L√n)$ now",
			[]slip{{"$ζ√n$", "$L√n$"}}},
		{"with $C_1^{10}ζ²/b$ steps", "with $C_1^{12}ζ²/b$ steps",
			[]slip{{"$C_1^{10}ζ²/b$", "$C_1^{12}ζ²/b$"}}},
		{"at most $(a ∧ b ∧ c)/ε$", "at most $(a ∨ b ∨ c)/ε$",
			[]slip{{"$a ∧ b ∧ c$", "$a ∨ b ∨ c$"}}},
		{"the norm $2‖x + y − z‖² ≤ r$", "the norm $2‖y − z‖² ≤ r$",
			[]slip{{"$2‖x + y − z‖²$", "$2‖y − z‖²$"}}},
		{"if $p ≥ 2$, it holds for all", "if $p ≥ 3$, it holds for all",
			[]slip{{"$p ≥ 2$", "$p ≥ 3$"}}},
		{"the order $n + a/μ$ of all steps", "the order $n + a/μ + L/μ$ of all steps",
			[]slip{{"$a/μ$", "$a/μ + L/μ$"}}},
		{"one, two, three, four", "one, two; three, four", nil},
	} {
		if got := slips(c.printed, c.corrected); !slices.Equal(got, c.want) {
			t.Errorf("%s\n%s\ngot  %q\nwant %q", c.printed, c.corrected, got, c.want)
		}
	}
}

// Whatever sign of a formula is another one, what is told stands in the statements, says something
// and opens as many brackets as it closes.
func TestSlipsOfDrawnFormulas(t *testing.T) {
	told, drawn := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		var term func(depth int) string
		term = func(depth int) string {
			if depth == 0 {
				return rapid.SampledFrom([]string{"a", "b_i", "C_1^{8}", "x²", "12", "ζ",
					"√n"}).Draw(t, "sign")
			}
			l, r := term(depth-1), term(depth-1)
			switch rapid.IntRange(0, 3).Draw(t, "shape") {
			case 0:
				return l + " + " + r
			case 1:
				return l + "/(" + r + ")"
			case 2:
				return "‖" + l + "‖" + r
			}
			return "(" + l + ")(" + r + ")"
		}
		formula := term(rapid.IntRange(1, 3).Draw(t, "depth"))
		signs := []rune(formula)
		var at []int
		for i, r := range signs {
			if strings.ContainsRune("abxnζ", r) {
				at = append(at, i)
			}
		}
		if len(at) == 0 {
			t.Skip("no letter to change")
		}
		signs[rapid.SampledFrom(at).Draw(t, "at")] = 'q'
		const head, tail = "In all cases the side is at most $", "$ with the stated probability"
		printed, corrected := head+formula+tail, head+string(signs)+tail
		drawn++
		for _, s := range slips(printed, corrected) {
			told++
			for side, of := range map[string]string{s.instead: printed, s.read: corrected} {
				if !strings.Contains(of, strings.Trim(side, "$")) {
					t.Fatalf("%q does not stand in %q", side, of)
				}
				if closed, open := depths(lexemes([]rune(side))); closed+open != 0 {
					t.Fatalf("%q of %q: brackets without partners", side, of)
				}
			}
			if !strings.Contains(s.read, "q") || strings.Contains(s.instead, "q") {
				t.Fatalf("%q of %q is not what was changed", s, printed)
			}
		}
	})
	if told < drawn/2 {
		t.Errorf("only %d of %d differences were told", told, drawn)
	}
}

// What is wrong in a statement is marked there, and in a display that has its formula, however that
// sets brackets; not in one that has another formula.
func TestMarksAreCarriedToDisplays(t *testing.T) {
	marked := func(m marking) string {
		var b strings.Builder
		for i, r := range m.text {
			if m.marks != nil && m.marks[i] {
				b.WriteRune(r)
			}
		}
		return b.String()
	}
	m, repaired := compared("rounds $Õ(1 + (L/K ∧ P/p ∧ ζ) log(Δ/ε))$",
		"rounds $Õ(1 + (L/K ∨ P/p ∨ ζ) log(Δ/ε))$")
	if got, mended := marked(m), marked(repaired); got != "∧∧" || mended != "∨∨" {
		t.Errorf("%q and %q are marked", got, mended)
	}
	for display, want := range map[string]string{
		"Õ(1+ ((L/K)∧ (P/p)∧ ζ) log Δ/ε)": "∧∧",
		"x ∧ y = 1 + L/K − P":             "",
		"A ∧ B":                           "",
		"":                                "",
	} {
		if got := marked(m.in(display)); got != want {
			t.Errorf("%s: %q is marked, want %q", display, got, want)
		}
	}
	// where something is lacking, the term that lacks it is marked, in words nothing
	m, repaired = compared("as $log((Δ+σ)/ε)$, and $T ≥ 1/(ημ)$", "as $log((Δ+(σ²+G²)/L)/ε)$, and so $T ≥ 1/(ημ)$")
	if got, mended := marked(m), marked(repaired); got != "(Δ+σ)/ε" || mended != "(²+G²L)/so" {
		t.Errorf("%q and %q are marked", got, mended)
	}
	if got, want := marked(m.in(`(L/μ) log((Δ + σ)/ε)`)), "Δ+σ/ε"; got != want {
		t.Errorf("%q is marked in the display, want %q", got, want)
	}
	// in another order than in the statement, and only if it is plain which signs are meant
	m, _ = compared("as $log((Δ+σ)/ε)$, and $T ≥ n + ζ + L/μ$",
		"as $log((Δ+(σ²+G²)/L)/ε)$, and $T ≥ n + ζ + L/μ$")
	if got, want := marked(m.in(`T ≥ n + ζ + (L/μ) log(Δ + σ)/ε`)), "Δ+σ/ε"; got != want {
		t.Errorf("%q is marked in the display, want %q", got, want)
	}
	if got := marked(m.in(`T ≥ n + ζ + (L/μ) log(Δ + σ)/ε + log(Δ + σ)/ε`)); got != "" {
		t.Errorf("%q is marked in a display that has it twice", got)
	}
	if m, _ := compared("one thing", "another matter altogether"); m.marks != nil {
		t.Error("statements that have nothing in common are marked")
	}
}
