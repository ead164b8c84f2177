package bounds

import (
	"os"
	"strings"
	"sync"
	"testing"

	"sledge/algos/claims"
	"sledge/claimtest"
	"sledge/props"
	"sledge/props/ledger"
	"sledge/props/proptest"
)

// stated are the formal lines of an entry of the ledger about runs, or parts of errors on them.
func stated(t *testing.T, id string) []ledger.Runs {
	t.Helper()
	l, err := entries()
	if err != nil {
		t.Fatal(err)
	}
	return l.Only(func(c *props.Claim) bool { return c.ID == id }).Statements()
}

// entries are those of the ledger, which is read once.
var entries = sync.OnceValues(func() (*ledger.Ledger, error) {
	return ledger.Read(os.DirFS(".."), claimtest.Files...)
})

// formalLine is such a line with a change in its statement, which must leave no proof of it.
func formalLine(t *testing.T, id string, line int, old, new string) props.Check {
	t.Helper()
	lines, check := stated(t, id), Stated(claims.Stated())
	made := func(r ledger.Runs) props.Check {
		made, _, err := check(r)
		if err != nil {
			t.Fatal(err)
		}
		return made
	}
	proofs := func(c props.Check) int {
		proofs, err := props.Certificates(&props.Claim{ID: id, Check: c}, props.Quick)
		if err != nil {
			t.Fatal(err)
		}
		return len(proofs)
	}
	r := lines[line]
	if r.Of == "runs" && proofs(made(r)) == 0 {
		t.Errorf("line %d of %s is not proved", line, id)
	}
	if r.Statement = strings.Replace(r.Statement, old, new, 1); r == lines[line] {
		t.Fatalf("%q is not in %q", old, r.Statement)
	}
	wrong := made(r)
	// of steps, sizes alone are certified, by trying them
	if r.Of != "steps" && proofs(wrong) > 0 {
		t.Errorf("line %d of %s is proved with %q for %q", line, id, new, old)
	}
	return wrong
}

// compared is such a line with another C_1 and another window.
func compared(t *testing.T, id string, line int, at func(in *instance) level) props.Check {
	s, err := readParts(stated(t, id)[line])
	if err != nil {
		t.Fatal(err)
	}
	return props.Tail(func(src *props.Source) props.TailTrial {
		in := s.draft(src).made()
		return props.TailTrial{Delta: 0.2, Run: func(t props.Trial, rec *props.Recorder) {
			p := in.follow(t.Key)
			p.level = at(in)
			s.compare(p, rec)
		}}
	})
}

// The checks notice statements that are a little wrong: a constant, an exponent, a sign, a window,
// an index.
func TestWrongStatementsAreRefuted(t *testing.T) {
	wrong := func(id string, line int, old, new string) props.Check {
		return formalLine(t, id, line, old, new)
	}
	proptest.Refuted(t, map[string]props.Check{
		"descent with r²/(2η)": wrong("descent-lemma", 0, "r²/η", "r²/(2η)"),
		"descent with (η/2)‖∇f − v‖²": wrong("descent-lemma", 0, "η prev_t ‖v−∇f‖²",
			"(η/2) prev_t ‖v−∇f‖²"),
		"descent with η‖∇f‖²":               wrong("descent-lemma", 0, "(η/2) prev_t", "η prev_t"),
		"descent without L/2":               wrong("descent-lemma", 0, " + L_f step²/2", ""),
		"contraction by 1 − 2ημ":            wrong("pl-contraction-step", 0, "1 − ημ", "1 − 2ημ"),
		"contraction with r²/(2η)":          wrong("pl-contraction-step", 0, "r²/η", "r²/(2η)"),
		"half of the gradient":              wrong("dpl-one-step/corrected", 2, "η/4", "η/2"),
		"half of the gradient that is kept": wrong("dpl-one-step/corrected", 1, "η/4", "η/5"),
		"sum with K r²/η²":                  wrong("dist-sum-descent/corrected", 2, "2t K", "t K"),
		"sum with sum_k ‖v−∇f‖²":            wrong("dist-sum-descent/corrected", 1, "2 sum_k", "sum_k"),
		"start with a minibatch's square": wrong("aux-c-sledge/sharper", 0, "(m/(nb))",
			"(m/(nb²))"),
		"half of (a) without its logarithm": wrong("aux-a-sledge/sharper", 0,
			"R + R' √(log(T²/ν)/2)", "R/2"),
		"heterogeneity with half of (1 − 1/n)": wrong("heterogeneity-gradient-difference/sharper", 0,
			"(1 − 1/n)", "(1/2)(1 − 1/n)"),
		"heterogeneity with 1 − 2/n": wrong("heterogeneity-gradient-difference/sharper", 0, "1/n",
			"2/n"),
		"an outlier with 1 − 2/n": wrong("heterogeneity-gradient-difference/sharper", 1, "1/n", "2/n"),
		"an outlier at the kick with 1 − 2/n": wrong("pair-difference-at-kick/sharper", 1, "1/n",
			"2/n"),
		"three terms with 2 for 3": wrong("estimator-error-identity/three-terms", 1, "3‖b^t‖²",
			"2‖b^t‖²"),
		"a window with 1 for 3": wrong("estimator-error-identity/three-terms", 2, "3‖b_s^t‖²",
			"‖b_s^t‖²"),
		"(a) with a step less": wrong("estimator-error-identity/three-terms", 3, "(t − s + 1)",
			"(t − s + 1/2)"),
		"half of the kick":                     wrong("coupling-definition", 0, "r_e e", "r_e e/2"),
		"a quadratic at half speed":            wrong("saddle-pair-setup/sharper", 1, "= grown", "= grown/2"),
		"unrolled with a plus":                 wrong("induction-unrolled-difference", 0, "− η driven", "+ η driven"),
		"rounds with a plus":                   wrong("dsecond-growth-band", 0, "− η driven", "+ η driven"),
		"spread of sums with a tenth of ζ":     wrong("aux-a-bernstein-step", 0, "C_1²ζ²", "ζ²/100"),
		"a component without the step before":  wrong("pair-difference-expansion", 0, " − F", ""),
		"a hundredth of the chance of missing": wrong("dist-coverage", 0, "≤ ν", "≤ ν/100"),
		"two clusters with a quarter of the first C_1": wrong("aux-b-step-bound/exact-tail", 0, "C_1M",
			"C_1M/4"),
		"kick with 0.9(1 − 1/n)ζr_e": wrong("pair-difference-at-kick/sharper", 0, "(1 − 1/n)",
			"0.9(1 − 1/n)"),
		"gap of the twins with δ/C_b for 2δ/C_b": wrong("pair-difference-bound", 1, "2ρR‖w‖ + 2ρR‖w'‖",
			"ρR‖w‖ + ρR‖w'‖"),
		"increment with a minus": wrong("increment-decomposition/corrected", 0, "+ ηS", "− ηS"),
		"half of the third term": wrong("increment-third-term/corrected", 0, "2ρR", "(ρR/2)"),
		"eigenvector to γ":       wrong("saddle-pair-setup", 0, "−γe", "γe"),
		"half of r_e":            wrong("saddle-pair-setup", 1, "r_e", "r_e/2"),
		"integral from x to x̃":  wrong("pair-gradient-integral/corrected", 0, "= I", "= −I"),
		"first term with n":      wrong("pair-first-term/sharper", 0, "(n − 1)", "n"),
		// also after the last bits of the instance have been moved
		"error of a pair without V": wrong("pair-aux-lemma/sharper", 0, "√(S_b V)/b",
			"√(S_b V)/b²/n"),
		"one of a pair leaves in half the time": wrong("stuck-region-lemma/sharper", 0,
			"⌈log(4R/r_e)/", "⌈log(4R/r_e)/4/"),
		"a run leaves in a quarter of the time": wrong("escape-lemma/sharper", 0,
			"⌈log(4RT√d/(rν))/", "⌈log(4RT√d/(rν))/4/"),
		"a run leaves a saddle in a square": wrong("escape-time-scaling", 1, "/r)/(ηγ)",
			"/r)/(ηγ)²"),
		"saddles of a chain are left in their square": wrong("saddle-chain/linear", 0, "Θ(m ", "Θ(m²"),
		"a pass takes a half":                         wrong("measured/escape-sledge-2", 0, "20log", "(1/2)log"),
		"a theorem with a third of the time": wrong("second-main-option-two/chain", 0, "(3/2)",
			"(1/2)"),
		"a third of the share of a slab": wrong("escape-set-share/corrected", 0, "share ≤ ν/T",
			"share ≤ ν/(3T)"),
		"one noise with one step less": wrong("escape-lemma/exact-tail", 0, "≤ (r_e/r)√d",
			"≤ (r_e/r)√d/(1 + ηγ)²"),
		"a ramp in a third of the time": wrong("first-main-reaches-target/ramp", 0, "2Δ/(ηε²)",
			"2Δ/(3ηε²)"),
		"a valley in a third of the time": wrong("dpl-rounds/valley", 1, "/(ημK)", "/(3ημK)"),
		"a slide in a twentieth of the time": wrong("first-main-reaches-target/without-markov", 0,
			"2Δ/(ηε²)", "Δ/(10ηε²)"),
		"two directions of descent": wrong("saddle-chain/saddles", 0, "low = 1", "low = 2"),
		"second moment without 2X/n": wrong("variance-lemma-option-two/second-moment", 0,
			" − 2X/n", ""),
		"a bracket of half the width": wrong("variance-lemma-option-two/bracket", 0, "1.0001least",
			"1.000001least"),
		"runs with half of what suffices": wrong("variance-lemma-option-two/bracket", 1, "most/b",
			"most/(2b)"),
		"two clusters with C_1/5": wrong("variance-lemma-option-two/exact-tail", 0, "C_1/3", "C_1/5"),
		"two clusters that need C_1/4": wrong("variance-lemma-option-two/exact-tail", 0, "C_1/6",
			"C_1/4"),
		"all runs with a tenth of C_1": wrong("variance-lemma-option-two/enumerated", 0, "≤ C_1",
			"≤ C_1/10"),
		"counts and sums with a seventh": wrong("aux-b-deviation-term/sharper", 0, "product",
			"7product"),
		"a sample without its root": wrong("aux-a-bernstein-step/sharper", 0,
			" + √(S log(T²/ν)/2)", ""),
		"linear parts that add up": wrong("sigma-c-order-of-P/sharper", 0, "size − σ_c",
			"size + σ_c"),
		"first term of a pair with a fiftieth": wrong("pair-first-term/corrected", 0, "(2C_1/√b)",
			"(C_1/(25√b))"),
		"third term of a pair with a tenth": wrong("pair-third-term/corrected", 0, "√(T_1Y)/n",
			"√(T_1Y)/(10n)"),
		"variance lemma with a window of one step": compared(t, "variance-lemma-option-two", 0,
			func(*instance) level { return level{c1: 1, window: 1} }),
	})
}

// The checks notice statements that are a little wrong: a number, a power, a window, an index.
// Bounds with powers of C_1 cannot be told from bounds that are off by a factor; these are the
// statements that can.
func TestWrongFLEDGEStatementsAreRefuted(t *testing.T) {
	wrong := func(id string, old, new string) props.Check { return formalLine(t, id, 0, old, new) }
	potential := func(old, new string) props.Check {
		return formalLine(t, "dist-variance-lemma/expectation", 2, old, new)
	}
	identity := func(line int, old, new string) props.Check {
		return formalLine(t, "dist-error-identity/corrected", line, old, new)
	}
	proptest.Refuted(t, map[string]props.Check{
		"identity with (c) over T_4 ≥ 2": identity(0, "1[T(t,i) ≥ 1]", "1[T(t,i) ≥ 2]"),
		"identity with (c) over less than the window": identity(2, "1[T(t,i) ≥ s]",
			"1[T(t,i) ≥ s + 2]"),
		"identity for Option I without (d)": identity(1, " + d^t", ""),
		"phases of rounds with T_6 fewer": formalLine(t, "dsecond-phase-classes", 0, "(K T_6 + 1)",
			"(2K T_6)"),
		"phases of steps with one more": formalLine(t, "phase-classes-exhaustive/corrected", 0,
			"(1 − calm)T_2", "(1 − calm)(T_2 + 1)"),
		"a saddle with thrice the gap":  formalLine(t, "phase-horizon-choice/corrected", 0, "2δ³", "6δ³"),
		"path of steps in half of them": formalLine(t, "phase-path-length", 0, "T_2", "(T_2/2)"),
		"local errors without data":     formalLine(t, "dsecond-aux-b/corrected", 0, " + data", ""),
		"start of Option I twice": formalLine(t, "dist-lemma-c-option-one", 1, "(|Ĩ_1^t|/P)",
			"(2|Ĩ_1^t|/P)"),
		"potential with 4.9 for 5":  potential("5p", "(49/10)p"),
		"potential with 2(P−p) + 2": potential("+ 3)", "+ 2)"),
		"start of Option II bounded as if it were p clients' share": wrong(
			"dist-lemma-c-option-two/corrected", "C_1²/", "C_1²/1000/"),
		"start as if rows were independent": wrong("dist-lemma-c-option-one/sharper", "(m/P)",
			"(m/P)²"),
		"(c) with a square": wrong("dist-lemma-e", "C_1²/(PKb))(σ² + G²/",
			"C_1²/(PKb)²)(σ² + G²/"),
		// what the data of a client differ by is not bounded by how clients do
		"(b) with ζ":              wrong("dist-lemma-d/corrected", "L²", "ζ²"),
		"one minibatch with ζ":    wrong("dist-lemma-d-bernstein/corrected", "L²", "ζ²"),
		"second part with ζ":      wrong("dist-lemma-d-second/corrected", "L²", "ζ²"),
		"(b) with 2ζ":             wrong("dist-lemma-d/sharper", "2L", "2ζ"),
		"mean part of (b) with ζ": wrong("dist-lemma-d-azuma/sharper", "2L", "2ζ"),
		"minibatch with ζ":        wrong("dist-lemma-d-bernstein/sharper", "L step", "ζ step"),
		"local noise with ζ":      wrong("dist-lemma-f-bernstein/sharper", "2L", "2ζ"),
		"local error with ζ":      wrong("dist-lemma-f/sharper", "2L", "2ζ"),
		"variance lemma with C_1 = 0.3": compared(t, "dist-variance-lemma/corrected", 1,
			func(in *instance) level { return level{c1: 0.3, window: in.lemmaWindow(0.3)} }),
	})
}
