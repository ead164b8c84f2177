package tables_test

import (
	"io/fs"
	"os"
	"regexp"
	"strings"
	"testing"
	"testing/fstest"

	"sledge/algos/claims"
	"sledge/bounds"
	"sledge/bounds/tables"
	"sledge/props"
	"sledge/props/ledger"
	"sledge/props/proptest"
)

// twins are formal statements of the ledger with a number, a power or a sign that is a little
// wrong: an entry, what stands there, and what is to stand there.
var twins = [][3]string{
	{"first-step-size-choice", "power = 4", "power = 17/4"},
	{"first-sum-option-one/corrected", "2Δ/η + (24C_1³", "2Δ/η + (23C_1³"},
	{"first-horizon-option-one/corrected", "T ≥ (2Δ/η + (24C_1³", "T ≥ (2Δ/η + (23C_1³"},
	{"first-main-option-one", "Θ̃((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)",
		"Õ((1/√b)(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)"},
	{"first-main-option-one", "Θ̃((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)",
		"Õ((1/√n)(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)"},
	{"first-main-option-one", "Θ̃((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)",
		"Õ((1/n^{1/4})(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)"},
	{"first-main-option-one", "Θ̃((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)",
		"Õ(√(ζ/L)(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)"},
	{"first-main-option-one", "Θ̃((Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε²)",
		"Õ((1/√(LΔ))(Δ(ζ√n ∨ Lb) + (n/b)σ_c²)/ε)"},
	{"pl-main-complexity", "(1 ∨ log((Δ + nσ_c²/L)/ε))", "(1 ∨ log((Δ + nσ_c²/L)/ε))/√n"},
	{"pl-main-complexity", "(1 ∨ log((Δ + nσ_c²/L)/ε))", "(1 ∨ log((Δ + nσ_c²/L)/ε))/√(L/μ)"},
	{"phase-descent-sum/corrected", "(12C_1²T_1/b)", "(12C_1T_1/b)"},
	{"phase-step-size-rearranged", "η = min{1/(4L), b/(C_1^{9/2} ζ √(120n))}",
		"η = min{1/(2L), b/(C_1^{9/2} ζ √(60n))}"},
	{"phase-counting-bound", "≤ S", "≤ 9S/10"},
	{"induction-base-case/corrected", "c = C_b", "c = C_b/4"},
	{"stuck-contradiction-horizon/corrected", "y ∈ [2, 1e9]", "y ∈ [1.5, 1e9]"},
	{"second-noise-radius/corrected", "≤ 1/2", "≤ 49/100"},
	{"dist-step-size-formula/sharper", "512C_1¹¹", "511C_1¹¹"},
	{"dist-step-size-formula/sharper", "480C_1⁹ζ²PK²/p²", "480C_1⁹ζ²PK/p²"},
	{"dist-batch-size-condition/sharper", "64C_1²σ²", "63C_1²σ²"},
	{"dist-batch-size-condition/sharper", "8C_1G", "7.9C_1G"},
	{"dist-horizon-option-two/corrected", "4Δ/(ηε²)", "3Δ/(ηε²)"},
	{"dist-horizon-option-one", "T ≥ (4Δ", "T ≥ (3Δ"},
	{"dist-lemma-d-second/corrected", "≤ 4C_1¹⁰/(pKb)", "≤ 3C_1¹⁰/(pKb)"},
	{"dist-step-size-list/corrected", "ζ_d = L", "ζ_d = ζ"},
	{"dist-step-size-list/corrected", "ζ√P K/p ∨ ", ""},
	{"dpl-noise-radius/sharper", "√3 ηε/8", "1.74ηε/8"},
	{"against/first-main-n", "(4Δ/(ηε²))", "(4Δ/(ηε²√n))"},
	{"against/escape-delta", "log(1/δ)/(ηδ)", "log(1/δ)/η"},
	{"measured/table1-sledge-2-nonconvex", "Θ(ζΔ√n/ε²); n = 16, 52", "Θ(ζΔ/ε²); n = 16, 52"},
	{"dsecond-induction-base/corrected", "c = C_e", "c = 0.69C_e"},
	{"dsecond-noise-and-batch/corrected", "≤ 1/4", "≤ 24/100"},
	{"dsecond-formal-option-two/corrected", "1 + (LΔ/K)", "1 + (LΔ/√K)"},
	{"dsecond-delta-condition/corrected", "T_6K ≤ 3T_5", "T_6K ≤ 5T_5/2"},
}

// ofText are lines about the text, but for its title.
var ofText = regexp.MustCompile(`(?m)^(?:authors|source|sha256|cause): .*(?:\n .*)*\n`)

var formalLine = regexp.MustCompile(`\n  formal: .*(?:\n    .*)*`)

// formally makes the check of the formal statements of an entry in which something is replaced.
func formally(t *testing.T, id, from, to string) props.Check {
	t.Helper()
	spaces := regexp.MustCompile(`\s+`)
	all := fstest.MapFS{}
	repository := os.DirFS("../..")
	files := []string{"concentration/symbols.ledger", "bounds/symbols.ledger",
		"docs/ledger/*.ledger"}
	for _, pattern := range files {
		for _, name := range props.Must(fs.Glob(repository, pattern)) {
			text := string(props.Must(fs.ReadFile(repository, name)))
			head, entries, _ := strings.Cut(text, "\n[")
			head = ofText.ReplaceAllString(head, "")
			for entry := range strings.SplitSeq(entries, "\n[") {
				if !strings.HasPrefix(entry, id+"]") {
					continue
				}
				head += "\n[a]  own; remark\n  A twin"
				for _, line := range formalLine.FindAllString(entry, -1) {
					line = spaces.ReplaceAllString(strings.TrimSpace(line), " ")
					if strings.Contains(line, from) {
						head += "\n  " + strings.Replace(line, from, to, 1)
					}
				}
				head += "\n  expect: refuted\n"
			}
			all[name] = &fstest.MapFile{Data: []byte(head + "\n")}
		}
	}
	l, err := ledger.Read(all, files...)
	if err == nil {
		err = l.Run(bounds.Stated(tables.Stated(claims.Stated())))
	}
	if err != nil {
		t.Fatalf("%s: %v", id, err)
	}
	made, err := l.Join()
	if err != nil || len(made) != 1 {
		t.Fatalf("%s: %d entries, %v", id, len(made), err)
	}
	return made[0].Check
}

// The ledger's formal statements are noticed where they are a little wrong.
func TestTwinsAreRefuted(t *testing.T) {
	checks := map[string]props.Check{}
	for i, twin := range twins {
		if testing.Short() && i%5 > 0 {
			continue
		}
		checks[twin[0]+" with "+twin[2]] = formally(t, twin[0], twin[1], twin[2])
	}
	proptest.Refuted(t, checks)
}
